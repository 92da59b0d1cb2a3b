// What people do in the store: counts that cannot be inflated, talk, the forum, following, reports and appeals, the badge.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../sync-server/db/database.ts'
import type { Database } from '../../../sync-server/db/database.ts'
import { Jobs } from '../../../sync-server/jobs/queue.ts'
import { Person, startServer, useDatabase } from '../../help/server.ts'
import type { TestServer } from '../../help/server.ts'
import { newId } from '../../help/network/company.ts'
import { modelOf, said, shelved, upload } from '../../help/network/market.ts'

const suite = useDatabase()
const operators: string[] = []
let server: TestServer
let database: Database
let jobs: Jobs
let ann: Person
let bob: Person
let eve: Person
let op: Person
let app = ''

beforeAll(async () => {
  database = await openDatabase(suite.connection)
  jobs = await Jobs.start(database, suite.connection, 1)
  server = await startServer(suite.connection, { operators, jobs })
  ann = await server.person('Ann')
  bob = await server.person('Bob')
  eve = await server.person('Eve')
  op = await server.person('Operator')
  operators.push(op.email)
  app = await shelved(ann, await modelOf(ann, 'Talked about'), 'Talked about')
})
afterAll(async () => {
  await jobs?.stop()
  await server?.stop()
  await database?.close()
})

const guest = (): Person => new Person(server.url)
const counts = async (id = app) => (await guest().must('GET', `/api/market/apps/${id}`)).counts
const told = async (who: Person, kind: string) =>
  (await who.must('GET', '/api/notifications')).notifications.filter((note: { kind: string }) => note.kind === kind)

describe('counts', () => {
  it('a visit is one a person and day, however often the page is loaded; a stranger is their address; the author is none', async () => {
    const before = (await counts()).views
    const visits = async (who: Person, agent = 'A'): Promise<boolean> =>
      (await who.must('POST', `/api/market/apps/${app}/visit`, undefined, { 'user-agent': agent })).counted
    expect(await Promise.all([visits(bob), visits(bob), visits(bob)]).then(all => all.filter(Boolean).length)).toBe(1)
    expect([await visits(guest()), await visits(guest()), await visits(guest(), 'B')]).toEqual([true, false, true])
    expect(await visits(ann)).toBe(false)
    expect((await counts()).views - before).toBe(3)
    // Nothing of where they came from is kept.
    const kept = await server.database.db.selectFrom('market_view').select('visitor').where('app_id', '=', app).execute()
    expect(JSON.stringify(kept)).not.toContain('127.0.0.1')
  })

  it('a like is one a person, also at once, is taken back, and is not one’s own', async () => {
    const like = (who: Person, on: boolean) => who.call('PUT', `/api/market/apps/${app}/like`, { on })
    await Promise.all([like(bob, true), like(bob, true), like(bob, true), like(eve, true)])
    expect((await counts()).likes).toBe(2)
    expect((await like(ann, true)).json.code).toBe('market-own')
    expect((await like(guest(), true)).json.code).toBe('signed-out')
    await like(eve, false)
    expect((await counts()).likes).toBe(1)
  })

  it('an author’s own favourite and copy count for nothing, now and later', async () => {
    await ann.must('PUT', `/api/market/apps/${app}/favourite`, { on: true })
    await ann.must('POST', `/api/market/apps/${app}/copies`, { id: newId() })
    await bob.must('PUT', `/api/market/apps/${app}/favourite`, { on: true })
    expect(await counts()).toMatchObject({ favourites: 1, downloads: 0 })
    const favourites = async (who: Person) => (await who.must('GET', '/api/market/apps?of=favourites')).apps.length
    expect([await favourites(ann), await favourites(bob), await favourites(eve)]).toEqual([1, 1, 0])
  })

  it('an account that is gone is counted no more than it was', async () => {
    const zoe = await server.person('Zoe')
    await zoe.must('PUT', `/api/market/apps/${app}/like`, { on: true })
    const before = (await counts()).likes
    await zoe.must('POST', '/api/accounts/delete', { password: 'correct horse' })
    await eve.must('PUT', `/api/market/apps/${app}/like`, { on: true })
    expect((await counts()).likes).toBe(before)
  })
})

describe('authors', () => {
  it('are followed, not by themselves; who follows hears of what comes out, once each', async () => {
    const follow = (who: Person, on: boolean) => who.call('PUT', `/api/market/authors/${ann.id}/follow`, { on })
    expect((await follow(ann, true)).json.code).toBe('market-own')
    await Promise.all([follow(bob, true), follow(bob, true)])
    expect(await told(ann, 'market-followed')).toHaveLength(1)
    const id = await shelved(ann, await modelOf(ann, 'New work'), 'New work')
    expect((await told(bob, 'market-published'))[0].data).toMatchObject({ by: 'Ann', name: 'New work', id })
    const ids = (await bob.must('GET', '/api/market/apps?of=following')).apps.map((one: { id: string }) => one.id)
    expect(ids).toContain(id)
    await ann.must('PATCH', '/api/market/author', { bio: 'Makes models' })
    expect(await bob.must('GET', `/api/market/authors/${ann.id}`)).toMatchObject({
      bio: 'Makes models',
      followers: 1,
      following: true,
      self: false,
    })
    await follow(bob, false)
    expect(await guest().must('GET', `/api/market/authors/${ann.id}`)).toMatchObject({ followers: 0, following: false })
    expect((await guest().call('GET', '/api/market/authors/00000000-0000-4000-8000-000000000000')).status).toBe(404)
  })
})

describe('talk', () => {
  const path = () => `/api/market/talk/app/${app}`

  it('comments and replies, changed and deleted by who wrote them; the place of what is answered stays', async () => {
    const [first, reply] = [newId(), newId()]
    await bob.must('POST', path(), { id: first, body: said('How fast is it?') })
    await bob.must('POST', path(), { id: first, body: said('How fast is it?') })
    await ann.must('POST', path(), { id: reply, body: said('Fast'), replyTo: first })
    expect((await eve.call('POST', path(), { id: newId(), body: said('x'), replyTo: reply })).json.code).toBe('not-found')
    expect((await eve.call('POST', path(), { id: first, body: said('x') })).json.code).toBe('id-taken')
    expect((await guest().call('POST', path(), { id: newId(), body: said('x') })).json.code).toBe('signed-out')
    expect((await eve.call('POST', path(), { id: newId(), body: said('  ') })).json.code).toBe('invalid-params')
    expect((await counts()).comments).toBe(2)
    expect(await told(ann, 'market-talk')).toHaveLength(1)
    expect(await told(bob, 'market-talk')).toHaveLength(1)
    expect((await eve.call('PATCH', `${path()}/${first}`, { body: said('changed') })).json.code).toBe('no-permission')
    expect((await eve.call('DELETE', `${path()}/${first}`)).json.code).toBe('no-permission')
    await bob.must('PATCH', `${path()}/${first}`, { body: said('How fast is it now?') })
    await bob.must('DELETE', `${path()}/${first}`)
    const { comments } = await guest().must('GET', path())
    expect(comments).toMatchObject([
      { id: first, state: 'deleted', body: null, author: null },
      { id: reply, state: 'shown', replyTo: first },
    ])
    const row = await server.database.db.selectFrom('market_comment').select('body').where('id', '=', first).executeTakeFirstOrThrow()
    expect(row.body).toBe('')
    expect((await counts()).comments).toBe(1)
    await ann.must('DELETE', `${path()}/${reply}`)
    expect((await guest().must('GET', path())).comments).toEqual([])
  })

  it('a mention reaches who takes part, and nobody else', async () => {
    const mention = (id: string, label: string): string =>
      JSON.stringify({ type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'mention', attrs: { id, label } }] }] })
    const thread = newId()
    await bob.must('POST', '/api/market/forum', {
      id: thread,
      section: 'questions',
      title: 'Who knows?',
      comment: { id: newId(), body: said('?') },
    })
    await ann.must('POST', `/api/market/talk/thread/${thread}`, { id: newId(), body: mention(bob.id, 'Bob') })
    await ann.must('POST', `/api/market/talk/thread/${thread}`, { id: newId(), body: mention(eve.id, 'Eve') })
    expect(await told(bob, 'market-mentioned')).toHaveLength(1)
    expect(await told(eve, 'market-mentioned')).toHaveLength(0)
    const { people } = await bob.must('GET', `/api/market/talk/thread/${thread}/people`)
    expect(people.map((one: { name: string }) => one.name)).toEqual(['Ann', 'Bob'])
    const listed = (await guest().must('GET', '/api/market/forum?section=questions&q=knows')).threads
    expect(listed).toMatchObject([{ id: thread, title: 'Who knows?', comments: 3 }])
    const wish = { id: newId(), section: 'announcements', title: 'News', comment: { id: newId(), body: said('!') } }
    expect((await bob.call('POST', '/api/market/forum', wish)).json.code).toBe('no-permission')
    await op.must('POST', '/api/market/forum', wish)
  })

  it('somebody who writes without end is slowed down', async () => {
    const mallory = await server.person('Mallory')
    const answers: string[] = []
    for (let i = 0; i < 25; i++) answers.push(String((await mallory.call('POST', path(), { id: newId(), body: said(`${i}`) })).status))
    expect(answers.filter(status => status === '201').length).toBeLessThanOrEqual(22)
    expect(answers).toContain('429')
  })
})

describe('moderation', () => {
  it('a report hides nothing by itself; an operator hides with a reason, the author appeals once, the operator shows again', async () => {
    const id = await shelved(ann, await modelOf(ann, 'Doubtful'), 'Doubtful')
    const what = { about: 'app', target: id }
    const reportIt = (who: Person) => who.call('POST', '/api/market/reports', { ...what, reason: 'spam', words: 'Look' })
    expect((await reportIt(ann)).json.code).toBe('market-own')
    for (const who of [bob, bob, eve]) expect((await reportIt(who)).status).toBe(201)
    expect((await guest().call('GET', `/api/market/apps/${id}`)).status).toBe(200)
    expect((await bob.call('GET', '/api/market/moderation')).status).toBe(404)
    const { cases } = await op.must('GET', '/api/market/moderation')
    expect(cases.filter((one: { target: string }) => one.target === id)).toMatchObject([
      { sort: 'report', times: 2, title: 'Doubtful', reason: 'spam' },
    ])
    const decide = (who: Person, outcome: string, because = '') =>
      who.call('POST', '/api/market/moderation/decide', { ...what, outcome, because })
    expect((await decide(bob, 'hidden', 'x')).status).toBe(404)
    expect((await decide(op, 'hidden')).json.code).toBe('invalid-params')
    expect((await decide(op, 'hidden', 'Advertising')).status).toBe(200)
    expect((await bob.call('GET', `/api/market/apps/${id}`)).status).toBe(404)
    expect((await bob.call('POST', `/api/market/apps/${id}/copies`, { id: newId() })).status).toBe(404)
    expect(await ann.must('GET', `/api/market/apps/${id}`)).toMatchObject({ hidden: true, hiddenBecause: 'Advertising' })
    expect((await told(ann, 'market-moderated'))[0].data).toMatchObject({ outcome: 'hidden', because: 'Advertising' })
    // A next version, off and on the shelf: it stays hidden.
    await ann.must('POST', `/api/market/apps/${id}/off-shelf`)
    await ann.must('POST', `/api/market/apps/${id}/put-back`)
    expect((await bob.call('GET', `/api/market/apps/${id}`)).status).toBe(404)
    const appealIt = (who: Person) => who.call('POST', '/api/market/appeals', { ...what, words: 'It is not' })
    expect((await appealIt(bob)).json.code).toBe('no-permission')
    await appealIt(ann)
    await appealIt(ann)
    const open = (await op.must('GET', '/api/market/moderation')).cases.filter((one: { target: string }) => one.target === id)
    expect(open).toMatchObject([{ sort: 'appeal', times: 1, hidden: true, words: 'It is not' }])
    await decide(op, 'shown')
    expect((await bob.call('GET', `/api/market/apps/${id}`)).status).toBe(200)
    expect((await appealIt(ann)).json.code).toBe('market-state')
    expect((await op.must('GET', '/api/market/moderation?open=0')).cases.some((one: { target: string }) => one.target === id)).toBe(true)
  })

  it('hidden comments and threads: their words are for operators and who wrote them', async () => {
    const [thread, comment] = [newId(), newId()]
    await bob.must('POST', '/api/market/forum', {
      id: thread,
      section: 'ideas',
      title: 'Rude',
      comment: { id: comment, body: said('rude words') },
    })
    await op.must('POST', '/api/market/moderation/decide', { about: 'comment', target: comment, outcome: 'hidden', because: 'Rude' })
    const bodies = async (who: Person) => JSON.stringify((await who.must('GET', `/api/market/talk/thread/${thread}`)).comments)
    expect([(await bodies(eve)).includes('rude words'), (await bodies(bob)).includes('rude words')]).toEqual([false, true])
    await op.must('POST', '/api/market/moderation/decide', { about: 'thread', target: thread, outcome: 'hidden', because: 'Rude' })
    expect((await eve.call('GET', `/api/market/forum/${thread}`)).status).toBe(404)
    expect((await bob.call('POST', `/api/market/talk/thread/${thread}`, { id: newId(), body: said('x') })).json.code).toBe('no-permission')
    expect((await guest().must('GET', '/api/market/forum')).threads.some((one: { id: string }) => one.id === thread)).toBe(false)
  })
})

describe('the badge', () => {
  it('is given when the recorded run is made again to the recorded hash, and not otherwise', async () => {
    const text = await readFile(new URL('../../../model-schema/samples/car-wash.holo', import.meta.url), 'utf8')
    const badge = async (hash: string | null, twist = ''): Promise<{ state: string; run: { hash: string } }> => {
      const source = await upload(ann, newId(), text.replace('"version": 1', `"version": 1,\n  "title": "${newId()}${twist}"`))
      const id = await shelved(ann, source, 'Car wash', { run: { file: source, scenario: null, seed: 7, ticks: 200, hash } })
      for (;;) {
        const { proof, verified } = await ann.must('GET', `/api/market/apps/${id}`)
        expect(verified).toBe(proof.state === 'verified')
        if (proof.state !== 'waiting') return proof
        await new Promise(setImmediate)
      }
    }
    // Without a hash the first run records it and a second confirms it.
    const recorded = await badge(null)
    expect(recorded).toMatchObject({ state: 'verified', run: { seed: 7, ticks: 200 } })
    expect((await badge(recorded.run.hash)).state).toBe('verified')
    expect((await badge('0123456789abcdef')).state).toBe('different')
    expect((await guest().must('GET', '/api/market/apps?verified=1')).apps).toHaveLength(2)
    // A run of a file that is not in it can't be made again.
    const other = await shelved(ann, await modelOf(ann, 'No run'), 'No run', {
      run: { file: newId(), scenario: null, seed: 1, ticks: 1, hash: null },
    })
    expect((await ann.must('GET', `/api/market/apps/${other}`)).proof.state).toBe('failed')
  })
})
