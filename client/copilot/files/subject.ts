// The subject of the copilot in the editor of an experiment, a chart or a dashboard: the file to change, and the model with the document
// that is read and run.
import type { DraftKind } from '../../../model-schema/file-drafts.ts'
import type { Answer } from '../../../sim-engine/copilot/doors/questions.ts'
import type { Session } from '../../session.ts'

export type Subject = {
  readonly kind: DraftKind
  readonly name: string
  /** Null while the file is about no model, or the model is not open. */
  readonly model: Session | null
  /** The other models of a page of several, as far as they are open. */
  readonly others?: readonly Session[]
  /** Explains the results that the page of an experiment shows; null while there are none. */
  readonly explain: () => Promise<Answer> | null
}

const subjects = new WeakMap<Session, Subject>()

/** Sets the subject of an open file; a model's own document has none. */
export const setSubject = (file: Session, subject: Subject): void => void subjects.set(file, subject)

export const subjectOf = (session: Session): Subject | null => subjects.get(session) ?? null
