// The experiments, charts and dashboards about a model, as far as this device knows them; and taking what a proposal suggests of them: a new file about the
// model, or changes of one, which wait in that file. Nothing here happens but by a person's press.
import { t } from '@lingui/core/macro'
import { fileOfDraft, type DraftKind, type FileDraft } from '../../../model-schema/file-drafts.ts'
import { decide, offer, proposalsOf, withdraw, type Proposal } from '../../../model-schema/proposals.ts'
import type { RelatedFile } from '../../../sim-engine/copilot/doors/copilot.ts'
import { keepAccepted } from '../../history/accepted.ts'
import { wordsNow } from '../../i18n/locale.ts'
import { device, type FileRow } from '../../local/device.ts'
import { createFile, linkModel, noteModels, readFile } from '../../local/files.ts'
import type { Place } from '../../local/place.ts'
import { openSession, type Session } from '../../session.ts'
import { untilSaved } from '../../session/saved.ts'
import { addressOf } from '../../workspace/files/address.ts'

/** Most files listed to a model. */
const mostRelated = 50

const placeOf = ({ target }: Session, row: FileRow | undefined): Place => ({
  user: target.user,
  team: target.local ? 'device' : (row?.team ?? ''),
  local: target.local,
})

const isAbout = (row: FileRow, model: string): boolean => row.model === model || row.models?.includes(model) === true

/** The files about the open model of one kind; the one with this id with what it holds. */
export async function relatedFiles(session: Session, kind: DraftKind, wanted: string | undefined): Promise<RelatedFile[]> {
  const rows = await device.files.where('user').equals(session.target.user.id).toArray()
  const about = rows.filter(row => row.kind === kind && row.trashedAt === null && isAbout(row, session.docId)).slice(0, mostRelated)
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

/**
 * Accepts a file of a proposal: creates it in the model's folder, or passes the changes of an existing one to that file, where they are
 * reviewed and accepted one by one. Null, or why it was not possible.
 */
export async function takeFile(session: Session, proposal: Proposal, draft: FileDraft): Promise<string | null> {
  const { content } = draft
  const why = content.is === 'new' ? await makeFile(session, draft) : await handOver(session, proposal, content)
  if (why === null) {
    decide(session.doc, proposal, draft.id, 'taken')
    // What a file takes in is in its own history.
    if (content.is === 'new') void keepAccepted(session, proposal)
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

/** The changes of a file as a proposal of its own, visible to everyone who opens the file. */
async function handOver(session: Session, { files: _, ...proposal }: Proposal, content: Change): Promise<string | null> {
  const other = openSession({ docId: content.of, local: session.target.local, user: session.target.user })
  try {
    await other.ready
    if (!other.writable) return t`You may not change this file.`
    if (proposalsOf(other.doc).some(({ id }) => id === proposal.id)) withdraw(other.doc, proposal.id)
    const refused = offer(other.doc, { ...proposal, deltas: content.deltas })
    return refused && wordsNow(refused.words)
  } catch (error) {
    console.warn('the file cannot be opened', error)
    return t`This file cannot be opened now.`
  } finally {
    // The server hears of what was written before the document is closed; the disk does in any case.
    void untilSaved(other).then(other.close)
  }
}

type Change = Extract<FileDraft['content'], { is: 'change' }>
