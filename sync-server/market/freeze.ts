// A publication's files as they are at one moment: the documents without their history, the folders, the models that dashboards and
// experiments run. What came from the store is refused here, by whatever way it came back.
import { createHash } from 'node:crypto'
import { printFile } from '../../model-schema/file.ts'
import type { HoloFile } from '../../model-schema/file.ts'
import { FROM_MARKET, MARKET } from '../../model-schema/business/market.ts'
import type { Db } from '../db/database.ts'
import { subtree } from '../files/trash.ts'
import { Refusal } from '../http.ts'
import { onFile, permit } from '../permissions.ts'
import { holoFileOf, marksOf, modelsOf, scenariosKept, stateOf, updateOf } from '../relay/content.ts'
import type { Rooms } from '../relay/rooms.ts'
import { commonTraits } from './likeness.ts'
import { traitsOf } from './traits.ts'

export type Frozen = {
  id: string
  parent_id: string | null
  kind: string
  name: string
  model_id: string | null
  blob: Buffer | null
  hash: string | null
  /** What it is recognised by; null for folders. */
  traits: number[] | null
}

const folders: ReadonlySet<string> = new Set(['folder', 'project', 'library'])
const taken: ReadonlySet<string> = new Set([...folders, 'model', 'experiment', 'dashboard', 'chart', 'block'])

/** The models that dashboards, charts and experiments in a file run and that are not in it: publishing the file publishes them, too. */
export async function broughtAlong({ db, rooms }: { db: Db; rooms: Rooms }, source: string): Promise<string[]> {
  const tree = await subtree(db, source)
  const rows = await db
    .selectFrom('file as f')
    .leftJoin('file_use as u', join => join.onRef('u.file_id', '=', 'f.id').on('u.many', '=', false))
    .select(['f.id', 'f.kind', 'u.model_id'])
    .where('f.id', 'in', tree)
    .where('f.trashed_at', 'is', null)
    .limit(MARKET.files)
    .execute()
  const found = new Set<string>()
  for (const row of rows) for (const model of await modelsRunBy(rooms, row)) if (!tree.includes(model)) found.add(model)
  return [...found]
}

/** The models that one file runs. */
async function modelsRunBy(rooms: Rooms, file: { id: string; kind: string; model_id: string | null }): Promise<string[]> {
  if (file.kind !== 'dashboard' && file.kind !== 'chart') return file.model_id === null ? [] : [file.model_id]
  const state = await stateOf(rooms, file.id)
  return state === null ? [] : modelsOf(state.update)
}

/**
 * Freezes a file for its author. `chosen` are the models outside of it that the author agreed to publish along: an editor of a dashboard can
 * name any model in it, so naming alone publishes nothing. Throws `market-models` (the missing ones are in `issues`), `market-downloaded`,
 * `too-large`, `limit-reached`, `invalid-params`, and what `permit` throws.
 */
export async function freeze(
  { db, rooms }: { db: Db; rooms: Rooms },
  userId: string,
  source: { id: string; kind: string },
  scenarios: readonly string[] | null,
  chosen: readonly string[] = [],
): Promise<Frozen[]> {
  const wanted = await subtree(db, source.id)
  const tree = new Set(wanted)
  const frozen = new Map<string, Frozen>()
  const unchosen: { path: string; message: string }[] = []
  let bytes = 0
  for (const id of wanted) {
    if (frozen.has(id)) continue
    if (frozen.size >= MARKET.files)
      throw new Refusal('limit-reached', 'files of one publication', { limit: { quantity: 'publishedFiles', allowed: MARKET.files } })
    const row = await db
      .selectFrom('file as f')
      .leftJoin('file_use as u', join => join.onRef('u.file_id', '=', 'f.id').on('u.many', '=', false))
      .select(['f.kind', 'f.name', 'f.parent_id', 'f.trashed_at', 'f.from_market', 'u.model_id'])
      .where('f.id', '=', id)
      .executeTakeFirst()
    if (row === undefined) throw new Refusal('invalid-params', 'a file that is needed is gone', { issues: [{ path: id, message: 'gone' }] })
    const inside = id !== source.id && row.parent_id !== null && tree.has(row.parent_id)
    if (inside && (row.trashed_at !== null || !taken.has(row.kind))) continue
    if (row.from_market) throw new Refusal('market-downloaded', row.name)
    permit(await onFile(db, userId, id), source.kind === 'dashboard' || row.kind === 'dashboard' ? 'publishDashboard' : 'publish')
    if (!tree.has(id) && !chosen.includes(id)) unchosen.push({ path: id, message: row.name })
    const one: Frozen = {
      id,
      parent_id: inside ? row.parent_id : null,
      kind: row.kind,
      name: row.name,
      model_id: row.model_id,
      blob: null,
      hash: null,
      traits: null,
    }
    frozen.set(id, one)
    if (folders.has(row.kind)) continue
    const state = await stateOf(rooms, id)
    if (state === null) throw new Refusal('invalid-params', 'this file has no content')
    const file = holoFileOf(state.update)
    if (marksOf(file).length > 0) throw new Refusal('market-downloaded', row.name)
    const shown = row.kind === 'model' && id === source.id && scenarios !== null ? scenariosKept(file, scenarios) : file
    if (Object.keys(shown.elements).length === 0) throw new Refusal('invalid-params', 'nothing is left to publish')
    one.blob = Buffer.from(updateOf(shown))
    one.hash = hashOf(shown)
    one.traits = traitsOf(shown, await commonTraits())
    bytes += one.blob.length
    if (bytes > MARKET.bytes) throw new Refusal('too-large', 'all files of one publication together')
    // Whatever it runs comes along.
    const needed = await modelsRunBy(rooms, { id, kind: row.kind, model_id: row.model_id })
    wanted.push(...needed.filter(model => !wanted.includes(model)))
  }
  if (unchosen.length > 0) throw new Refusal('market-models', 'models that would be published along', { issues: unchosen })
  const files = [...frozen.values()]
  if (!files.some(file => file.blob !== null)) throw new Refusal('invalid-params', 'there is nothing in it to publish')
  await refuseCopies(db, userId, files)
  return files
}

/** SHA-256 of what is in the document, whatever it is called and wherever it came from. */
function hashOf(file: HoloFile): string {
  const elements = Object.fromEntries(
    Object.entries(file.elements).map(([id, element]) => {
      const { [FROM_MARKET]: _, ...rest } = element
      return [id, rest]
    }),
  )
  return createHash('sha256')
    .update(printFile({ format: file.format, version: file.version, elements }))
    .digest('hex')
}

/** Throws `market-downloaded` when another author has published the very same document: its mark was removed by hand. */
async function refuseCopies(db: Db, userId: string, files: readonly Frozen[]): Promise<void> {
  const hashes = files.flatMap(({ hash }) => hash ?? [])
  const same = await db
    .selectFrom('market_file as f')
    .innerJoin('market_app as a', 'a.id', 'f.app_id')
    .innerJoin('market_version as v', join => join.onRef('v.app_id', '=', 'f.app_id').onRef('v.number', '=', 'f.number'))
    .select('f.name')
    .where('f.hash', 'in', hashes)
    .where('v.published_at', 'is not', null)
    .where(where => where.or([where('a.author', 'is', null), where('a.author', '<>', userId)]))
    .executeTakeFirst()
  if (same !== undefined) throw new Refusal('market-downloaded', same.name)
}
