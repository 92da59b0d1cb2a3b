// The experiments, charts and dashboards about a model, as far as this device knows them; and taking what a proposal suggests of them: a new file about the
// model, or changes of one. Nothing here happens but by a person's press.
import { t } from '@lingui/core/macro'
import { isRefusal } from '../../../model-schema/edit.ts'
import { fileOfDraft, type DraftKind, type FileDraft } from '../../../model-schema/file-drafts.ts'
import { accept, decide, withdraw, type Proposal } from '../../../model-schema/proposals.ts'
import type { RelatedFile } from '../../../sim-engine/copilot/doors/copilot.ts'
import { keepAccepted } from '../../history/accepted.ts'
import { wordsNow } from '../../i18n/locale.ts'
import { device, type FileRow } from '../../local/device.ts'
import { createFile, linkModel, noteModels, readFile } from '../../local/files.ts'
import type { Place } from '../../local/place.ts'
import { openSession, type Session } from '../../session.ts'
import { untilSaved } from '../../session/saved.ts'
import { addressOf } from '../../workspace/files/address.ts'

/** Most files that a model is told of. */
const MOST = 50

const placeOf = ({ target }: Session, row: FileRow | undefined): Place => ({
  user: target.user,
  team: target.local ? 'device' : (row?.team ?? ''),
  local: target.local,
})

const isAbout = (row: FileRow, model: string): boolean => row.model === model || row.models?.includes(model) === true

/** The files about the open model of one kind; the one with this id with what it holds. */
export async function relatedFiles(session: Session, kind: DraftKind, wanted: string | undefined): Promise<RelatedFile[]> {
  const rows = await device.files.where('user').equals(session.target.user.id).toArray()
  const about = rows.filter(row => row.kind === kind && row.trashedAt === null && isAbout(row, session.docId)).slice(0, MOST)
  return Promise.all(
    about.map(async row => ({
      id: row.id,
      kind,
      name: row.name,
      file: row.id === wanted ? await readFile(placeOf(session, row), row.id).catch(() => null) : null,
    })),
  )
}

/** Where a file is opened; its viewer where this device does not know it. */
export async function pathOfFile({ target }: Session, kind: DraftKind, id: string): Promise<string> {
  const row = await device.files.get([target.user.id, id])
  return addressOf(row ?? { id, kind, team: 'my', user: target.user.id })
}

export const fileIdOf = ({ id, content }: FileDraft): string => (content.is === 'new' ? id : content.of)

/** Takes a file of a proposal: makes it beside the model, or changes the one there is. Null, or why it was not possible. */
export async function takeFile(session: Session, proposal: Proposal, draft: FileDraft): Promise<string | null> {
  const why = draft.content.is === 'new' ? await makeFile(session, draft) : await changeFile(session, proposal, draft)
  if (why === null) {
    decide(session.doc, proposal, draft.id, 'taken')
    void keepAccepted(session, proposal)
  }
  return why
}

async function makeFile(session: Session, draft: FileDraft): Promise<string | null> {
  const { target, docId, model } = session
  const row = await device.files.get([target.user.id, docId])
  const place = placeOf(session, row)
  if (place.team === '') return t`There is no workspace of yours for it: keep a copy of the model first.`
  if (await device.files.get([target.user.id, draft.id])) return null
  const file = fileOfDraft(draft, docId, model.getState().model)
  if (file === null) return t`This file cannot be read.`
  const made = await createFile(place, draft.name, file, { kind: draft.kind, parent: row?.parent ?? null, id: draft.id })
  await (draft.kind === 'experiment' ? linkModel(place, made.id, docId) : noteModels(place, made.id, [docId]))
  return null
}

async function changeFile(session: Session, proposal: Proposal, { content }: FileDraft): Promise<string | null> {
  if (content.is !== 'change') return null
  const other = openSession({ docId: content.of, local: session.target.local, user: session.target.user })
  try {
    await other.ready
    if (!other.writable) return t`You may not change this file.`
    const own: Proposal = { ...proposal, deltas: content.deltas }
    const taken = accept(
      other.doc,
      own,
      content.deltas.map(({ id }) => id),
    )
    withdraw(other.doc, own.id)
    if (isRefusal(taken)) return wordsNow(taken.words)
    const [first] = taken.kept
    return first && taken.taken.length === 0 ? wordsNow(first.why) : null
  } catch (error) {
    console.warn('the file cannot be opened', error)
    return t`This file cannot be opened now.`
  } finally {
    // The server hears of what was written before the document is closed; the disk does in any case.
    void untilSaved(other).then(other.close)
  }
}
