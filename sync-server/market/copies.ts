// Taking a copy of a publication: its files as new ones in a workspace, marked with where they came from. What they say of each other (the
// model of an experiment, the models of a dashboard) is said of the copies.
import { createHash } from 'node:crypto'
import { parseFile, printFile } from '../../model-schema/file.ts'
import type { HoloFile } from '../../model-schema/file.ts'
import type { Economy } from '../../model-schema/business/coins.ts'
import { trade } from '../coins/deals.ts'
import { inTransaction } from '../db/database.ts'
import type { Db } from '../db/database.ts'
import { createFile, isKind } from '../files/files.ts'
import { Refusal } from '../http.ts'
import type { Quota } from '../plans/quota.ts'
import { holoFileOf, markedAs, updateOf } from '../relay/content.ts'
import { noteDownload } from './crowd.ts'

/** `price` is what the taker gives the author voluntarily; at 0 the ledger writes nothing. `by` is the referrer. */
type Deal = { economy: Economy; payerId: string; by: string | null; price: number; referral: number }

type Home = { team: string; parent: string | null; place: Parameters<Quota['take']>[2] }

/**
 * Copies the version on the shelf, as `translate` says it; `id` becomes the id of its main file, so asking twice is asking once. Throws what `createFile`, the
 * quota and the ledger throw. True when it counts as a download.
 */
export async function takeCopy(
  db: Db,
  quota: Quota,
  app: { id: string; author: string | null; number: number; name: string; translate?: (file: HoloFile) => HoloFile },
  userId: string,
  id: string,
  home: Home,
  { economy, payerId, by, price, referral }: Deal,
): Promise<boolean> {
  const rows = await db
    .selectFrom('market_file')
    .selectAll()
    .where('app_id', '=', app.id)
    .where('number', '=', app.number)
    .orderBy('place')
    .execute()
  const [main] = rows
  if (main === undefined) throw new Refusal('not-found')
  const ids = new Map(rows.map(row => [row.id, row === main ? id : derived(id, row.id)]))
  const contents = new Map(
    rows.flatMap(row => {
      if (row.blob === null) return []
      const file = holoFileOf(row.blob)
      return [[row.id, Buffer.from(updateOf(pointed(markedAs(app.translate?.(file) ?? file, app.id), ids)))]]
    }),
  )
  const write = (tx: Db): Promise<boolean> =>
    inTransaction(tx, async tx => {
      const known = await tx.selectFrom('market_copy').select('app_id').where('file_id', '=', id).executeTakeFirst()
      if (known !== undefined) {
        if (known.app_id !== app.id) throw new Refusal('id-taken')
        return false
      }
      for (const row of ordered(rows)) {
        const copy = ids.get(row.id) ?? id
        if (!isKind(row.kind)) throw new Refusal('unexpected')
        const inside = row.parent_id === null ? undefined : ids.get(row.parent_id)
        const wanted = { id: copy, team: home.team, parent: inside ?? home.parent, kind: row.kind, taken: 'number' as const }
        await createFile(tx, userId, { ...wanted, name: row === main ? app.name : row.name })
        await tx.updateTable('file').set({ from_market: true }).where('id', '=', copy).execute()
        const content = contents.get(row.id)
        if (content !== undefined) await tx.updateTable('doc').set({ snapshot: content }).where('id', '=', copy).execute()
        await tx.insertInto('market_copy').values({ file_id: copy, app_id: app.id, number: app.number }).execute()
      }
      for (const row of rows) {
        const model = row.model_id === null ? undefined : ids.get(row.model_id)
        if (model !== undefined)
          await tx
            .insertInto('file_use')
            .values({ file_id: ids.get(row.id) ?? '', model_id: model })
            .execute()
      }
      if (!(await noteDownload(tx, app, userId))) return false
      if (app.author !== null) {
        const referrer = by === null ? null : { userId: by, coefficient: referral / 100 }
        const about = { app: app.id, version: app.number }
        const key = `download:${app.id}:${userId}`
        await trade(tx, economy, {
          key,
          kind: 'downloadApp',
          payerId,
          actorId: userId,
          authorId: app.author,
          price,
          about,
          referral: referrer,
        })
      }
      return true
    })
  return quota.take('files', userId, home.place, tx => quota.take('blocks', userId, home.place, () => write(tx)))
}

/** The origin of a file; null when it was made by its owner, or when its origin is gone. */
export async function originOf(db: Db, fileId: string) {
  const row = await db
    .selectFrom('market_copy as c')
    .innerJoin('market_app as a', 'a.id', 'c.app_id')
    .innerJoin('market_version as v', join => join.onRef('v.app_id', '=', 'c.app_id').onRef('v.number', '=', 'c.number'))
    .leftJoin('user as u', 'u.id', 'a.author')
    .select(['a.id', 'a.current', 'a.author', 'v.name', 'v.licence', 'u.name as author_name', 'c.number as version', 'c.at'])
    .where('c.file_id', '=', fileId)
    .executeTakeFirst()
  return row === undefined
    ? null
    : {
        app: row.id,
        name: row.name,
        licence: row.licence,
        author: row.author === null ? null : { id: row.author, name: row.author_name ?? '' },
        version: row.version,
        newest: row.current ?? row.version,
        at: row.at.toISOString(),
      }
}

/** An id for a copy, always the same for the same main copy and original. */
const derived = (copy: string, original: string): string =>
  createHash('sha256').update(`${copy}/${original}`).digest('base64url').slice(0, 21)

/** The same file with every value that is one of these ids replaced. */
function pointed(file: HoloFile, ids: ReadonlyMap<string, string>): HoloFile {
  const others = [...ids].filter(([from]) => Object.hasOwn(file.elements, from) === false)
  let text = printFile(file)
  if (!others.some(([from]) => text.includes(JSON.stringify(from)))) return file
  for (const [from, to] of others) text = text.replaceAll(JSON.stringify(from), JSON.stringify(to))
  const read = parseFile(text)
  return 'file' in read ? read.file : file
}

/** Folders before their contents. */
function ordered<T extends { id: string; parent_id: string | null }>(rows: readonly T[]): T[] {
  const done = new Set<string>()
  const there = new Set(rows.map(row => row.id))
  const result: T[] = []
  const add = (row: T): void => {
    if (done.has(row.id)) return
    done.add(row.id)
    const above = row.parent_id !== null && there.has(row.parent_id) ? rows.find(one => one.id === row.parent_id) : undefined
    if (above !== undefined) add(above)
    result.push(row)
  }
  rows.forEach(add)
  return result
}
