// Detects whether a new publication is a changed copy of another author's publication without its mark. A guess, so it never refuses for good:
// what looks alike waits until a moderator has looked (see moderation.ts), and what a moderator allowed once is not asked about again.
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { parseFile } from '../../model-schema/file.ts'
import { samples } from '../../model-schema/samples.ts'
import { inTransaction } from '../db/database.ts'
import type { Db } from '../db/database.ts'
import { holoFileOf } from '../relay/content.ts'
import { maxTraits, shareOf, traitsOf } from './traits.ts'

/**
 * From this share of a published document's traits on, found again in another, the two are alike. Two shipped samples share at most a fifth;
 * a copy of which every third line was rewritten still shares two thirds.
 */
export const similarityThreshold = 0.6

export type Likeness = { app: string; share: number }

/** The author of the document: their own publications, those of their workspace and those in `except` are left out. */
type Asker = { author: string; team: string; except: readonly string[] }

/**
 * Of one trait so many publications of others are looked at, and as many of one's own passed over on the way to them: what more have is common.
 * Bounds a search to `SOUGHT` times both.
 */
export const MOST_OF_ONE = 25
/** So many publications that share most traits are compared in full. */
const MOST_COMPARED = 20
/** So many documents published before traits were kept are read at a time. */
const MOST_READ = 20

let shipped: Promise<ReadonlySet<number>> | null = null

/** The traits of the shipped samples, which everybody may begin with. */
export function commonTraits(): Promise<ReadonlySet<number>> {
  shipped ??= (async () => {
    const all = new Set<number>()
    for (const { id } of samples) {
      const read = parseFile(await readFile(new URL(`../../model-schema/samples/${id}.holo`, import.meta.url), 'utf8'))
      if ('file' in read) for (const trait of traitsOf(read.file)) all.add(trait)
    }
    return all
  })()
  return shipped
}

/** The publication of another author, of another workspace and not in `except`, that one of these documents is most similar to; null when none is. */
export async function likest(
  db: Db,
  { author, team, except }: Asker,
  files: readonly { traits: number[] | null }[],
): Promise<Likeness | null> {
  await readOlder(db)
  let best: Likeness | null = null
  for (const { traits } of files) {
    if (traits === null || traits.length === 0) continue
    const rows = await inTransaction(db, tx => nearest(tx, traits, { author, team, except }))
    for (const row of rows) {
      const share = shareOf(row.traits, traits)
      if (share >= similarityThreshold && share > (best?.share ?? 0)) best = { app: row.app_id, share }
    }
  }
  return best
}

/** Publications on the shelf that share most traits of these, with all of theirs. */
async function nearest(
  tx: Db,
  traits: readonly number[],
  { author, team, except }: Asker,
): Promise<{ app_id: string; traits: number[] }[]> {
  // A bitmap reads all rows of a trait and sorts them; the database prefers it while it does not know yet that new rows are seen by all.
  await sql`set local enable_bitmapscan = off`.execute(tx)
  const { rows } = await sql<{ app_id: string; traits: number[] }>`
    select f.app_id, f.traits from (
      select t.app_id, t.file_id, count(*) as shared
      from unnest(${traits}::int[]) as wanted (trait)
      cross join lateral (
        select m.app_id, m.file_id from (
          select app_id, file_id from market_trait where trait = wanted.trait
          -- The order of the key: its index gives the first ones for less than reading and sorting all of a trait.
          order by app_id, file_id limit ${2 * MOST_OF_ONE}
        ) m join market_app a on a.id = m.app_id
        where a.author is distinct from ${author} and a.workspace_id is distinct from ${team} and a.id <> all(${[...except]}::text[])
        limit ${MOST_OF_ONE}
      ) t
      group by t.app_id, t.file_id order by shared desc limit ${MOST_COMPARED}
    ) near
    join market_app a on a.id = near.app_id
    join market_file f on f.app_id = a.id and f.number = a.current and f.id = near.file_id`.execute(tx)
  await sql`set local enable_bitmapscan = default`.execute(tx)
  return rows
}

/** Makes the version that is on the shelf now the one that others are compared with. */
export async function noteTraits(tx: Db, app: string, number: number): Promise<void> {
  await tx.deleteFrom('market_trait').where('app_id', '=', app).execute()
  await sql`insert into market_trait (trait, app_id, file_id)
    select distinct unnest(traits), app_id, id from market_file
    where app_id = ${app} and number = ${number} and traits is not null`.execute(tx)
}

async function readOlder(db: Db): Promise<void> {
  const older = await db
    .selectFrom('market_file as f')
    .innerJoin('market_app as a', join => join.onRef('a.id', '=', 'f.app_id').onRef('a.current', '=', 'f.number'))
    .select(['f.app_id', 'f.number', 'f.id', 'f.blob'])
    .where('f.traits', 'is', null)
    .where('f.blob', 'is not', null)
    .limit(MOST_READ)
    .execute()
  for (const { app_id, number, id, blob } of older) {
    if (blob === null) continue
    const traits = traitsOf(holoFileOf(blob), await commonTraits()).slice(0, maxTraits)
    await db
      .updateTable('market_file')
      .set({ traits })
      .where('app_id', '=', app_id)
      .where('number', '=', number)
      .where('id', '=', id)
      .execute()
    await noteTraits(db, app_id, number)
  }
}
