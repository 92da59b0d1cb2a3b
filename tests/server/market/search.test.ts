// Finding publications: what is found by which words in both languages, what comes first, and by which indexes among ten thousand.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { openDatabase } from '../../../sync-server/db/database.ts'
import type { Database } from '../../../sync-server/db/database.ts'
import { listApps } from '../../../sync-server/market/shelf.ts'
import { foundBy, termsOf, wordsOf } from '../../../sync-server/market/words.ts'
import { Person, startServer, useDatabase } from '../../help/server.ts'
import type { TestServer } from '../../help/server.ts'
import { newId } from '../../help/network/company.ts'
import { aboutOf, modelOf, said, shelved } from '../../help/network/market.ts'
import { chance } from '../../help/random.ts'

const suite = useDatabase()
let server: TestServer
let database: Database
let ann: Person

beforeAll(async () => {
  database = await openDatabase(suite.connection)
  server = await startServer(suite.connection)
  ann = await server.person('Ann')
  await database.db.updateTable('user').set({ name: 'Ann Ångström' }).where('id', '=', ann.id).execute()
})
afterAll(async () => {
  await server?.stop()
  await database?.close()
})

const ids = async (q: string, more = ''): Promise<string[]> =>
  (await new Person(server.url).must('GET', `/api/market/apps?q=${encodeURIComponent(q)}${more}`)).apps.map(({ id }: { id: string }) => id)

describe('words', () => {
  it('are runs of letters and digits without case and accents; of Chinese any two neighbours', () => {
    expect(wordsOf('Café: 50% off_beds, M/M/1')).toEqual(['cafe', '50', 'off', 'beds', 'm', 'm', '1'])
    expect(wordsOf('系统动力学与ABM仿真')).toEqual(['系统', '统动', '动力', '力学', '学与', '与', 'abm', '仿真', '真'])
    expect(termsOf('  ')).toBeNull()
    expect(termsOf("%' :* & |")).toEqual([])
    expect(termsOf('a '.repeat(50))).toHaveLength(8)
  })

  it('of a publication are a value the database takes, whatever they are', async () => {
    const random = chance(7)
    for (let i = 0; i < 40; i++) {
      const text = Array.from({ length: 60 }, () => String.fromCodePoint(1 + random.below(random.chance(0.5) ? 200 : 0x2ffff))).join('')
      const { words, endings } = foundBy({ name: text, tags: [text], summary: "it's", description: said(`x ${text.toWellFormed()}`) })
      await sql`select ${words}::tsvector, ${endings}::tsvector`.execute(database.db)
      for (const { begins, inside, whole, author } of termsOf(text) ?? [])
        await sql`select ${inside}::tsquery, ${begins}::tsquery, ${whole}::tsquery, ${author}::tsquery`.execute(database.db)
    }
    await sql`select ${foundBy({ name: 'x '.repeat(400), tags: [], summary: '', description: said('y '.repeat(5000)) }).words}::tsvector`.execute(
      database.db,
    )
  })
})

describe('a search', () => {
  it('finds by beginnings, plurals, parts of Chinese, tags and author, all words at once, and only what is on the shelf', async () => {
    const queue = await shelved(ann, await modelOf(ann, newId()), 'Queueing at a Café', {
      tags: ['hospital'],
      description: said('With triage'),
    })
    const chinese = await shelved(ann, await modelOf(ann, newId()), '急诊排队仿真', { tags: [], summary: '系统动力学模型' })
    for (const q of ['queue', 'queues', 'cafe', 'CAFÉ', 'triag', 'hospitals', 'ångstr queue', 'queueing café triage'])
      expect(await ids(q), q).toEqual([queue])
    for (const q of ['排队', '急诊 动力学', '诊排', '学模', '仿真', '急']) expect(await ids(q), q).toEqual([chinese])
    for (const q of ['queue 排队', 'eueign', '队排', '%', 'triage nobody']) expect(await ids(q), q).toEqual([])
    // What is only prepared is not found, nor what a version before this one said.
    await ann.must('PUT', `/api/market/apps/${queue}`, { about: aboutOf('Traffic lights') })
    expect(await ids('traffic')).toEqual([])
    await ann.must('POST', `/api/market/apps/${queue}/publish`)
    expect(await ids('traffic')).toEqual([queue])
    expect(await ids('queueing')).toEqual([])
    await ann.must('POST', `/api/market/apps/${queue}/off-shelf`)
    expect(await ids('traffic')).toEqual([])
  })

  it('finds middles of words of three letters or more, after what begins so', async () => {
    const black = await shelved(ann, await modelOf(ann, newId()), 'Blackbirds')
    const wren = await shelved(ann, await modelOf(ann, newId()), 'A wren', { description: said('One of the songbirds') })
    const bird = await shelved(ann, await modelOf(ann, newId()), 'Birdsong')
    const found = await ids('bird')
    expect(found[0]).toBe(bird)
    expect(new Set(found)).toEqual(new Set([bird, black, wren]))
    expect(new Set(await ids('birds'))).toEqual(new Set([bird, black, wren]))
    for (const q of ['lackbird', 'BLÄCKBIRD', 'ackbi']) expect(await ids(q), q).toEqual([black])
    expect(await ids('songb wren')).toEqual([wren])
    expect(await ids('ngbird a')).toEqual([wren])
    for (const q of ['ir', 'bkcal', '~bird~x', "ackbird' & 'x"]) expect(await ids(q), q).toEqual([])
    // Of a long text as much as the database takes.
    const long = { tags: [], summary: '', description: said(Array.from({ length: 4000 }, (_, i) => `word${i}anything`).join(' ')) }
    const { words, endings } = foundBy({ name: 'Long', ...long })
    await sql`select ${words}::tsvector, ${endings}::tsvector`.execute(database.db)
    expect(endings.split(' ')).toHaveLength(3000)
  })

  it('finds them in what was published before they were kept', async () => {
    const old = await shelved(ann, await modelOf(ann, newId()), 'Nightingale 夜莺 modèle ab')
    const { db } = database
    const kept = () => db.selectFrom('market_version').select('endings').where('app_id', '=', old).executeTakeFirstOrThrow()
    const now = await kept()
    const text = await readFile(new URL('../../../sync-server/db/migrations/0025-middles-of-words.sql', import.meta.url), 'utf8')
    const fill = /^update[^;]*;/m.exec(text)?.[0] ?? ''
    await db.updateTable('market_version').set({ endings: null }).where('app_id', '=', old).execute()
    expect(await ids('ghtingale')).toEqual([])
    await sql.raw(fill).execute(db)
    expect(await kept()).toEqual(now)
    expect(await ids('ghtingale')).toEqual([old])
  })

  it('shows first whose name has the words, whole before begun, and of equals the better liked; filters and orders go on', async () => {
    const make = async (name: string, more: Record<string, unknown> = {}) => shelved(ann, await modelOf(ann, newId()), name, more)
    const described = await make('Alpha', { description: said('About zebras in the wild') })
    const begun = await make('Zebracrossing')
    const tagged = await make('Beta', { tags: ['zebra'], topic: 'transport' })
    const named = await make('Zebra')
    expect(await ids('zebra')).toEqual([named, begun, tagged, described])
    const also = await make('A zebra')
    await server.database.db.updateTable('market_app').set({ rank: 1e9 }).where('id', '=', also).execute()
    expect((await ids('zebra')).slice(0, 2)).toEqual([also, named])
    expect(await ids('zebra', '&topic=transport')).toEqual([tagged])
    expect((await ids('zebra', '&sort=new'))[0]).toBe(also)
  })

  it('finds what was published before words were kept', async () => {
    const old = await shelved(ann, await modelOf(ann, newId()), 'Xylophone')
    await server.database.db.updateTable('market_version').set({ words: null }).where('app_id', '=', old).execute()
    expect(await ids('xylophone')).toEqual([old])
  })
})

describe('ten thousand publications', () => {
  const syllables = ['ka', 'lo', 'mi', 'ne', 'pu', 'ra', 'si', 'to', 'vu', 'we', 'xo', 'zi']
  const signs = [...'系统动力学模型仿真排队库存交通流行病经济网络进化博弈城市森林火灾水资源']

  it('are searched by the indexes', async () => {
    const random = chance(11)
    const word = (): string => Array.from({ length: 2 + random.below(3) }, () => random.pick(syllables)).join('')
    const chinese = (): string => Array.from({ length: 4 + random.below(8) }, () => random.pick(signs)).join('')
    const text = (n: number): string => Array.from({ length: n }, () => (random.chance(0.8) ? word() : chinese())).join(' ')
    for (let start = 0; start < 10_000; start += 1000) {
      const made = Array.from({ length: 1000 }, (_, i) => {
        const said = { name: text(3), tags: [word()], summary: text(10), description: '' }
        const place = start + i
        return {
          id: `many${place}`,
          ...said,
          ...foundBy({ ...said, name: place % 2000 === 0 ? `${said.name} needle 急诊室` : said.name }),
        }
      })
      const apps = made.map(({ id }) => ({
        id,
        kind: 'model' as const,
        source_id: id,
        workspace_id: null,
        author: ann.id,
        hidden_at: null,
        current: 1,
      }))
      await database.db
        .insertInto('market_app')
        .values(apps.map(app => ({ ...app, state: 'published' as const, rank: random.below(100) / 10 })))
        .execute()
      const kept = {
        number: 1,
        notes: '',
        cover: null,
        topic: 'other',
        licence: 'MIT',
        run: null,
        published_at: new Date(),
        proof_job: null,
      }
      const more = {
        proof_at: null,
        like_app: null,
        like_share: null,
        pages: '{"scenarios":null,"copies":true}',
        incentive: '{"price":0,"referral":0}',
      }
      await database.db
        .insertInto('market_version')
        .values(made.map(({ id, ...said }) => ({ ...said, ...kept, ...more, app_id: id })))
        .execute()
    }
    await sql`analyze`.execute(database.db)
    const asked = (q: string, more = {}) =>
      listApps(database.db, ann.id, { of: 'all', sort: 'recommended', limit: 24, offset: 0, q, ...more })
    const wishes: [string, object, number][] = [
      ['needle', {}, 5],
      ['急诊室', {}, 5],
      ['needle 急诊', { topic: 'other' }, 5],
      ['kalo', {}, 24],
      ['系统', {}, 24],
      ['kalo mine', {}, 24],
      ['ka', {}, 24],
      ['eedl', {}, 5],
      ['alom', {}, 24],
      ['eedl 急诊', { topic: 'other' }, 5],
      ['nobodysaysthis', {}, 0],
      ['ångström', { sort: 'downloads' }, 24],
    ]
    for (const [q, more, count] of wishes) expect((await asked(q, more)).length, q).toBe(count)
    const plan = await sql<{
      'QUERY PLAN': string
    }>`explain select app_id from market_version where words @@ ${"'eedle':*"}::tsquery or endings @@ ${"'eedle':*"}::tsquery`.execute(
      database.db,
    )
    const said = plan.rows.map(row => row['QUERY PLAN']).join()
    for (const index of ['market_version_words', 'market_version_endings']) expect(said).toContain(index)
  })
})
