// Model files and proposals outside a shared document: what the command line works on.
import type { Doc } from 'yjs'
import { fileOf, loadFile } from '../../model-schema/document.ts'
import { isRefusal } from '../../model-schema/edit.ts'
import { printFile, type HoloFile } from '../../model-schema/file.ts'
import { draftKinds, fileOfDraft, rootKindOf, type DraftKind, type FileDraft } from '../../model-schema/file-drafts.ts'
import type { Id, Model } from '../../model-schema/model.ts'
import { accept, documentFrom, readProposal, type Proposal } from '../../model-schema/proposals.ts'
import { english } from '../../model-schema/words.ts'

/** An update that holds nothing. */
const nothing = Uint8Array.of(0, 0)

/** A file as a document without a past. */
export function documentOfFile(file: HoloFile): Doc {
  const doc = documentFrom(nothing)
  loadFile(doc, file)
  return doc
}

/** A proposal from JSON; null when it is invalid. */
export function proposalFrom(value: unknown): Proposal | null {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string' ? readProposal(value.id, value) : null
}

/** A file with all that it can take of these elements of a proposal: its text, how many elements were taken, and why others were not. */
export function takeInto(file: HoloFile, proposal: Proposal, ids: readonly Id[]): { text: string; taken: number; kept: string[] } {
  const doc = documentOfFile(file)
  const result = accept(doc, proposal, ids)
  const kept = isRefusal(result) ? [english(result.words)] : result.kept.map(({ id, why }) => `${id}: ${english(why)}`)
  return { text: printFile(fileOf(doc)), taken: isRefusal(result) ? 0 : result.taken.length + result.along.length, kept }
}

/** What of a model a file is, when it is an experiment, a chart or a dashboard; null for models. */
export function draftKindOf({ elements }: HoloFile): DraftKind | null {
  const roots = Object.values(elements).filter(({ parent }) => parent === undefined)
  return draftKinds.find(kind => roots.some(root => root.kind === rootKindOf[kind])) ?? null
}

/** The models that a file names, by their ids or paths. */
export const aboutIn = ({ elements }: HoloFile): string[] =>
  Object.values(elements).flatMap(({ modelFile }) => (typeof modelFile === 'string' && modelFile !== '' ? [modelFile] : []))

/** The text of the new file of a draft next to its model, or of the existing one (`now`) with the changes; null when it cannot be. */
export function textOfDraft(
  draft: FileDraft,
  proposal: Proposal,
  model: { path: string; model: Model },
  now: HoloFile | null,
): string | null {
  const { content } = draft
  if (content.is === 'change') {
    if (now === null) return null
    const ids = content.deltas.map(({ id }) => id)
    const { text, kept } = takeInto(now, { ...proposal, deltas: content.deltas }, ids)
    return kept.length > 0 ? null : text
  }
  const file = fileOfDraft(draft, model.path, model.model)
  return file && printFile(file)
}
