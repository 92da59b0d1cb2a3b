// Looking for what comes back among ten thousand published works, with as many traits to look for as a document can have.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { openDatabase } from '../../../sync-server/db/database.ts'
import type { Database, Db } from '../../../sync-server/db/database.ts'
import { MOST_OF_ONE, likest } from '../../../sync-server/market/likeness.ts'
import { maxTraits, SOUGHT } from '../../../sync-server/market/traits.ts'
import { startServer, useDatabase } from '../../help/server.ts'
import { chance } from '../../help/random.ts'
import type { Person, TestServer } from '../../help/server.ts'

const suite = useDatabase()
let server: TestServer
let database: Database
let [ann, bob]: Person[] = []

/** Of so many traits each work has some: each is in about as many works as are looked at. */
const POOL = 20_000
const EACH = 40

beforeAll(async () => {
  database = await openDatabase(suite.connection)
  server = await startServer(suite.connection)
  ann = await server.person('Ann')
  bob = await server.person('Bob')
  const { db } = database
  // Half of them by one very busy author.
  await sql`insert into market_app (id, kind, source_id, workspace_id, author, state, current)
    select 'work' || n, 'model', 'work' || n, null, (case when n % 2 = 0 then ${ann.id} else ${bob.id} end)::uuid, 'published', 1
    from generate_series(0, 9999) n`.execute(db)
  await sql`insert into market_version (app_id, number, name, summary, description, notes, tags, cover, topic, licence, pages, incentive, published_at)
    select id, 1, id, '', '', '', '{}', null, 'other', 'MIT', '{"scenarios":null,"copies":true}', '{"price":0,"referral":0}', now()
    from market_app`.execute(db)
  await sql`insert into market_file (app_id, number, id, place, parent_id, kind, name, model_id, blob, hash, traits)
    select a.id, 1, 'main', 0, null, 'model', a.id, null, '\\x00', 'h',
      (select array_agg(t order by t) from (select distinct ((hashint4(substr(a.id, 5)::int * ${EACH} + i) & 1073741823) % ${POOL}) as t from generate_series(1, ${EACH}) i) t)
    from market_app a`.execute(db)
  await sql`insert into market_trait (trait, app_id, file_id) select distinct unnest(traits), app_id, id from market_file`.execute(db)
  // As the database does by itself soon after so much was written; that all rows are seen by everybody it notes later, by `vacuum`.
  await sql`analyze`.execute(db)
}, 240_000)
afterAll(async () => {
  await server?.stop()
  await database?.close()
})

class TakenBack extends Error {}

/** Rows that this connection has read of the table of traits and was not asked about yet, by whatever way the database took. */
async function rowsRead(tx: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select (pg_stat_get_xact_tuples_returned('market_trait'::regclass)
      + (select sum(pg_stat_get_xact_tuples_returned(indexrelid)) from pg_index where indrelid = 'market_trait'::regclass))::int as n`.execute(
    tx,
  )
  return rows[0]?.n ?? NaN
}

describe('ten thousand works', () => {
  it('are searched for what a document of the largest sort is taken from', async () => {
    const { db } = database
    const random = chance(5)
    const row = await db.selectFrom('market_file').select('traits').where('app_id', '=', 'work4711').executeTakeFirstOrThrow()
    const taken = row.traits ?? []
    expect(taken.length).toBeLessThanOrEqual(maxTraits)
    const traits = [...new Set([...taken, ...Array.from({ length: SOUGHT - taken.length }, () => random.below(POOL))])].sort(
      (a, b) => a - b,
    )
    for (const author of [ann?.id ?? '', crypto.randomUUID()])
      expect(await likest(db, { author, team: 'none', except: [] }, [{ traits }])).toEqual({ app: 'work4711', share: 1 })
  })

  it.each([
    { whose: 'one’s own', when: 'just written', author: () => ann?.id },
    { whose: 'of others', when: 'just written', author: () => bob?.id },
    { whose: 'one’s own', when: 'vacuumed', author: () => ann?.id },
    { whose: 'of others', when: 'vacuumed', author: () => bob?.id },
  ])('cost no more than a part of them when all have the same traits: $whose, $when', async ({ when, author }) => {
    if (when === 'vacuumed') await sql`vacuum analyze`.execute(database.db)
    const traits = Array.from({ length: 100 }, (_, i) => POOL + i)
    const works = 300
    await database.db
      .transaction()
      .execute(async tx => {
        await sql`insert into market_trait (trait, app_id, file_id)
          select t, 'work' || 2 * n, 'main' from unnest(${traits}::int[]) t, generate_series(1, ${works}) n`.execute(tx)
        const before = await rowsRead(tx)
        expect(await likest(tx, { author: author() ?? '', team: 'none', except: [] }, [{ traits }])).toBeNull()
        const read = (await rowsRead(tx)) - before
        expect(read).toBeGreaterThanOrEqual(traits.length)
        expect(read).toBeLessThanOrEqual(traits.length * 2 * MOST_OF_ONE)
        throw new TakenBack()
      })
      .catch((error: unknown) => {
        if (!(error instanceof TakenBack)) throw error
      })
  })
})
