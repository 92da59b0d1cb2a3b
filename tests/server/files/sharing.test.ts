// Links with a password, a number of uses, an end; what a revoked one still opens (nothing); embed codes and who may frame them.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { newDocument } from '../../../model-schema/document.ts'
import { sharePass, shareBehind } from '../../../sync-server/files/access.ts'
import { CLOSE, MESSAGE } from '../../../sync-server/protocol.ts'
import { LONGEST_WAIT_MS, at } from '../../../sync-server/relay/timers.ts'
import type { Timers } from '../../../sync-server/relay/timers.ts'
import { refusal } from '../../help/network/refusal.ts'
import { Person, TEST_SECRET, startServer, useDatabase } from '../../help/server.ts'
import type { TestServer } from '../../help/server.ts'

const suite = useDatabase()
let server: TestServer
let ann: Person
let bob: Person
let dist = ''

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'holarchy-dist-'))
  await writeFile(join(dist, 'index.html'), '<!doctype html><title>Holarchy</title>')
  server = await startServer(suite.connection, { dist })
  ann = await server.person('Ann')
  bob = await server.person('Bob')
})
afterAll(async () => {
  await server?.stop()
  await rm(dist, { recursive: true, force: true })
})

const guest = (): Person => new Person(server.url)
const link = async (file: string, more: object): Promise<string> =>
  (await ann.must('POST', `/api/files/${file}/links`, { role: 'viewer', ...more })).code

describe('access that ends', () => {
  it('share link: its sockets close one millisecond after it expires, and no other socket does', async () => {
    const waiting: { ms: number; work: () => void }[] = []
    const start = Date.now()
    const timers: Timers = {
      now: () => start,
      after(ms, work) {
        const timer = { ms, work }
        waiting.push(timer)
        return () => void waiting.splice(waiting.indexOf(timer), 1)
      },
    }
    const other = await startServer(suite.connection, { timers })
    const [eve, fay] = [await other.person('Eve'), await other.person('Fay')]
    const file = await eve.file('Soon over')
    const expiresAt = new Date(start + 3_600_000)
    const { code } = await eve.must('POST', `/api/files/${file}/links`, { role: 'editor', expiresAt: expiresAt.toISOString() })
    const own = await eve.socket(file)
    const socket = await fay.socket(file, { share: code })
    await socket.message(MESSAGE.hello)
    // The only timer that waits is that of the link: its end, and a millisecond more.
    expect(waiting.map(({ ms }) => start + ms - expiresAt.getTime())).toEqual([1])
    const end = waiting[0]!.work
    // Before the end a check changes nothing.
    await other.rooms.revokeHere(file)
    expect(other.peopleIn(file)).toHaveLength(2)
    await other.database.db
      .updateTable('share_link')
      .set({ expires_at: new Date(0) })
      .where('file_id', '=', file)
      .execute()
    end()
    expect(await socket.closed()).toBe(CLOSE.noAccess)
    expect(other.peopleIn(file).map(({ userId }) => userId)).toEqual([eve.id])
    own.close()
    expect((await fay.call('POST', '/api/rt/ticket', { docId: file, share: code })).status).toBe(404)
    // A visitor that leaves before the end leaves no timer.
    const { code: second } = await eve.must('POST', `/api/files/${file}/links`, {
      role: 'viewer',
      expiresAt: new Date(start + 90 * 86_400_000).toISOString(),
    })
    const brief = await fay.socket(file, { share: second })
    await brief.message(MESSAGE.hello)
    expect(waiting.map(({ ms }) => ms)).toEqual([LONGEST_WAIT_MS])
    brief.close()
    await expect.poll(() => waiting.length).toBe(0)
    await other.stop()
  })

  it('moments: work is done once, a millisecond after, also when that is months away, and not when it is cancelled', () => {
    let now = 0
    let timer: { at: number; work: () => void } | null = null
    const timers: Timers = {
      now: () => now,
      after(ms, work) {
        expect(ms).toBeLessThanOrEqual(LONGEST_WAIT_MS)
        timer = { at: now + ms, work }
        return () => void (timer = null)
      },
    }
    const next = (): boolean => {
      const due: { at: number; work: () => void } | null = timer
      timer = null
      if (due === null) return false
      now = due.at
      due.work()
      return true
    }
    for (const left of [-5, 0, 1, 1000, LONGEST_WAIT_MS - 1, LONGEST_WAIT_MS, 10 * LONGEST_WAIT_MS + 7]) {
      const moment = now + left
      let done = 0
      at(new Date(moment), () => void done++, timers)
      while (next());
      expect([done, now - moment], `${left} ms`).toEqual([1, left < 0 ? -left + 1 : 1])
      at(new Date(now + 50), () => void done++, timers)()
      expect([next(), done]).toEqual([false, 1])
    }
  })

  it('collaborators: trying addresses is slowed down', async () => {
    const file = await ann.file('Probed')
    const cat = await server.person('Cat')
    const mine = await cat.file('Hers')
    const told: number[] = []
    for (let i = 0; i < 25; i++) {
      const email = `nobody-${i}@example.org`
      told.push((await cat.call('POST', `/api/files/${mine}/collaborators`, { email, role: 'viewer' })).status)
    }
    expect(told.filter(status => status === 404)).toHaveLength(20)
    expect(told.slice(20)).toEqual([429, 429, 429, 429, 429])
    // A registered address gets the same answer, too; others are not affected.
    expect((await cat.call('POST', `/api/files/${mine}/collaborators`, { email: bob.email, role: 'viewer' })).status).toBe(429)
    const dan = await server.person('Dan')
    expect((await ann.call('POST', `/api/files/${file}/collaborators`, { email: dan.email, role: 'viewer' })).status).toBe(201)
  })
})

describe('a shared folder', () => {
  it('reaches what is in it, at any depth, as long as it is there', async () => {
    const [outer, inner] = [`folder_${randomBytes(6).toString('hex')}`, `folder_${randomBytes(6).toString('hex')}`]
    await ann.must('POST', '/api/files', { id: outer, kind: 'folder', name: 'Outer' })
    await ann.must('POST', '/api/files', { id: inner, kind: 'folder', name: 'Inner', parent: outer })
    const file = await ann.file('Deep', { parent: inner })
    expect(await refusal(bob, 'GET', `/api/files/${file}`)).toBe('not-found')
    await ann.must('POST', `/api/files/${outer}/collaborators`, { email: bob.email, role: 'editor' })
    expect((await bob.must('GET', `/api/files/${file}`)).role).toBe('editor')
    const names = async (path: string): Promise<string[]> => (await bob.must('GET', path)).files.map((one: { name: string }) => one.name)
    expect(await names('/api/files?of=shared')).toEqual(['Outer'])
    expect(await names(`/api/files?of=folder&team=${ann.team}&parent=${inner}`)).toEqual(['Deep'])
    expect(await names('/api/files?of=search&q=deep')).toEqual(['Deep'])

    const socket = await bob.socket(file)
    expect((await socket.notice(MESSAGE.hello)).role).toBe('editor')
    await ann.must('PATCH', `/api/files/${outer}/collaborators/${bob.id}`, { role: 'viewer' })
    expect(await socket.notice(MESSAGE.role)).toEqual({ role: 'viewer', reason: 'changed' })
    await ann.must('PATCH', `/api/files/${file}`, { parent: null })
    expect(await socket.closed()).toBe(CLOSE.noAccess)
    await ann.must('PATCH', `/api/files/${file}`, { parent: inner })
    const again = await bob.socket(file)
    await again.message(MESSAGE.hello)
    await ann.must('DELETE', `/api/files/${outer}/collaborators/${bob.id}`)
    expect(await again.closed()).toBe(CLOSE.noAccess)
  })

  it('by a link opens each document in it to a guest, and no other', async () => {
    const folder = `folder_${randomBytes(6).toString('hex')}`
    await ann.must('POST', '/api/files', { id: folder, kind: 'folder', name: 'Linked' })
    const file = await ann.file('In it', { parent: folder })
    const other = await ann.file('Beside it')
    const code = await link(folder, {})
    expect(await guest().must('POST', '/api/rt/ticket', { docId: file, share: code })).toMatchObject({ role: 'viewer' })
    expect(await refusal(guest(), 'POST', '/api/rt/ticket', { docId: other, share: code })).toBe('not-found')
  })
})

describe('a link', () => {
  it('with a password opens with it alone, and gives a pass that works in its place', async () => {
    const file = await ann.file('Secret')
    const code = await link(file, { password: 'open sesame' })
    const unlock = `/api/share/${code}/unlock`
    expect(await refusal(guest(), 'POST', `/api/share/${code}/open`)).toBe('share-password')
    expect(await refusal(guest(), 'POST', unlock, { password: 'open barley' })).toBe('share-password-wrong')
    expect(await refusal(guest(), 'POST', unlock, { password: 7 })).toBe('invalid-params')
    // The code itself opens no document.
    expect(await refusal(guest(), 'POST', '/api/rt/ticket', { docId: file, share: code })).toBe('share-invalid')
    expect(await refusal(guest(), 'GET', `/api/docs/${file}/state?share=${code}`)).toBe('share-invalid')
    expect(await refusal(bob, 'POST', '/api/rt/ticket', { docId: file, share: code })).toBe('not-found')
    const { pass, role } = await guest().must('POST', unlock, { password: 'open sesame' })
    expect(role).toBe('viewer')
    const socket = await guest().socket(file, { share: pass })
    expect((await socket.notice(MESSAGE.hello)).role).toBe('viewer')
    expect((await guest().call('GET', `/api/docs/${file}/state?share=${pass}`)).status).toBe(200)
    const tampered = `${pass.slice(0, 12)}zzzzzzz~${pass.split('~')[1]}`
    expect(await refusal(guest(), 'POST', '/api/rt/ticket', { docId: file, share: tampered })).toBe('share-invalid')
    const [row] = (await ann.must('GET', `/api/files/${file}/links`)).links
    expect([row.hasPassword, JSON.stringify(row).includes('sesame')]).toEqual([true, false])
    expect(server.peopleIn(file)).toMatchObject([{ role: 'viewer' }])
    await ann.must('DELETE', `/api/files/${file}/links/${code}`)
    // By the time it is answered.
    expect(server.peopleIn(file)).toEqual([])
    expect(await socket.closed()).toBe(CLOSE.noAccess)
    expect(await refusal(guest(), 'POST', '/api/rt/ticket', { docId: file, share: pass })).toBe('share-invalid')
  })

  it('closed can be opened again as it was, by those who may share, and the log says so', async () => {
    const { id: team } = await ann.must('POST', '/api/workspaces', {
      id: `reopen-${Date.now()}`,
      type: 'team',
      name: `Reopen ${Date.now()}`,
    })
    await server.database.db.insertInto('workspace_member').values({ workspace_id: team, user_id: bob.id, role: 'editor' }).execute()
    const file = await ann.file('Closed for a while', { team })
    const code = await link(file, { password: 'open sesame' })
    const copying = await link(file, { mayCopy: true })
    const brief = await link(file, { expiresAt: new Date(Date.now() + 60_000).toISOString() })
    const path = `/api/files/${file}/links`
    for (const one of [code, copying, brief]) await ann.must('DELETE', `${path}/${one}`)
    expect(await refusal(guest(), 'POST', `/api/share/${code}/open`)).toBe('share-expired')
    const closed: { code: string; closedAt: string | null }[] = (await ann.must('GET', path)).links
    expect(closed.map(one => one.closedAt === null)).toEqual([false, false, false])
    expect(await refusal(bob, 'POST', `${path}/${code}/reopen`)).toBe('no-permission')
    expect(await refusal(ann, 'POST', `${path}/${'x'.repeat(32)}/reopen`)).toBe('share-invalid')
    // The visitor's own log has the attempt.
    expect((await bob.must('GET', '/api/accounts/audit')).lines[0]).toMatchObject({
      action: 'access-refused',
      detail: { call: `POST ${path}/${code}/reopen` },
    })
    // Of another file, and one that is over anyway.
    expect(await refusal(ann, 'POST', `/api/files/${await ann.file('Other')}/links/${code}/reopen`)).toBe('share-invalid')
    await server.database.db
      .updateTable('share_link')
      .set({ expires_at: new Date(0) })
      .where('id', '=', brief.slice(0, 12))
      .execute()
    expect(await refusal(ann, 'POST', `${path}/${brief}/reopen`)).toBe('share-expired')
    // What the workspace no longer lets out stays closed.
    await ann.must('PATCH', `/api/workspaces/${team}`, { switches: { copyFiles: false } })
    expect(await refusal(ann, 'POST', `${path}/${copying}/reopen`)).toBe('no-permission')
    await ann.must('PATCH', `/api/workspaces/${team}`, { switches: { shareFiles: false } })
    expect(await refusal(ann, 'POST', `${path}/${code}/reopen`)).toBe('no-permission')
    await ann.must('PATCH', `/api/workspaces/${team}`, { switches: { shareFiles: true } })
    await ann.must('POST', `${path}/${code}/reopen`)
    await ann.must('POST', `${path}/${code}/reopen`)
    // Its password is still needed.
    expect(await refusal(guest(), 'POST', `/api/share/${code}/open`)).toBe('share-password')
    expect((await guest().must('POST', `/api/share/${code}/unlock`, { password: 'open sesame' })).docId).toBe(file)
    const { lines } = await ann.must('GET', `/api/workspaces/${team}/audit`)
    const deeds: string[] = lines.map((line: { action: string }) => line.action)
    expect(deeds.filter(deed => deed === 'link-reopened').length).toBe(1)
    expect(deeds.indexOf('link-reopened')).toBeLessThan(deeds.indexOf('link-revoked'))
  })

  it('a pass ends after twelve hours', async () => {
    const file = await ann.file('Half a day')
    const id = (await link(file, { maxUses: 5 })).slice(0, 12)
    const { db } = server.database
    const pass = sharePass(TEST_SECRET, id, null)
    expect(await shareBehind(db, TEST_SECRET, pass)).toBe(id)
    expect(await shareBehind(db, TEST_SECRET, pass, Date.now() + 12.1 * 3_600_000)).toBe(null)
    expect(await shareBehind(db, 'another secret', pass)).toBe(null)
  })

  it('with a number of uses opens as often, however many come at once; people count once', async () => {
    const file = await ann.file('Few')
    const code = await link(file, { maxUses: 3 })
    const open = `/api/share/${code}/open`
    await bob.must('POST', open)
    await bob.must('POST', open)
    const answers = await Promise.all(Array.from({ length: 5 }, () => guest().call('POST', open)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 410, 410, 410])
    expect(answers.find(({ status }) => status === 410)?.json.code).toBe('share-used-up')
    await bob.must('POST', open)
    expect((await ann.must('GET', `/api/files/${file}/links`)).links).toMatchObject([{ maxUses: 3, uses: 3 }])
  })

  it('lets copy only when it says so', async () => {
    const file = await ann.file('Copied')
    const [plain, copying] = [await link(file, {}), await link(file, { mayCopy: true })]
    const copy = (share: string) =>
      bob.call('POST', `/api/files/${file}/duplicate`, { id: `copy_${randomBytes(9).toString('base64url')}`, share })
    expect((await copy(plain)).json.code).toBe('not-found')
    expect((await guest().must('POST', `/api/share/${copying}/open`)).mayCopy).toBe(true)
    expect((await copy(copying)).json).toMatchObject({ name: 'Copied', team: bob.team, role: 'owner' })
    const lab = (await ann.must('POST', '/api/workspaces', { id: `team_${file}`, type: 'team', name: 'Closing lab' })).id
    const inside = await ann.file('Inside', { team: lab })
    const out = await link(inside, { mayCopy: true })
    const copyOut = () =>
      bob.call('POST', `/api/files/${inside}/duplicate`, { id: `copy_${randomBytes(9).toString('base64url')}`, share: out })
    expect((await copyOut()).status).toBe(201)
    await ann.must('PATCH', `/api/workspaces/${lab}`, { switches: { copyFiles: false } })
    expect((await copyOut()).json.code).toBe('no-permission')
    await ann.must('PATCH', `/api/workspaces/${lab}`, { switches: { copyFiles: true, externalAccess: false } })
    expect((await copyOut()).json.code).toBe('not-found')
  })

  it.each([
    ['a role that manages', { role: 'manager' }],
    ['a short password', { role: 'viewer', password: 'abc' }],
    ['no uses', { role: 'viewer', maxUses: 0 }],
    ['half a use', { role: 'viewer', maxUses: 1.5 }],
    ['an end that is no time', { role: 'viewer', expiresAt: 'tomorrow' }],
  ])('is refused with %s', async (_, body) => {
    const file = await ann.file(`Bad ${JSON.stringify(body)}`)
    expect(await refusal(ann, 'POST', `/api/files/${file}/links`, body)).toBe('invalid-params')
  })
})

describe('an embed code', () => {
  it('shows the document without an account, until it is closed; then, and when it is none, it says so', async () => {
    const file = await ann.file('Embedded')
    const epoch = (await ann.call('GET', `/api/docs/${file}/state`)).headers.get('x-epoch') ?? ''
    await ann.must('POST', `/api/docs/${file}/updates`, Y.encodeStateAsUpdate(newDocument('Embedded')), { 'x-epoch': epoch })
    const embeds = `/api/files/${file}/embeds`
    const made = await ann.must('POST', embeds, { options: { watermark: 'Lab' } })
    expect(await guest().must('GET', `/api/embed/${made.code}`)).toEqual({
      docId: file,
      name: 'Embedded',
      kind: 'model',
      options: { watermark: 'Lab' },
    })
    const state = await fetch(`${server.url}/api/embed/${made.code}/state`)
    const doc = new Y.Doc()
    Y.applyUpdate(doc, new Uint8Array(await state.arrayBuffer()))
    expect(doc.getMap('meta').get('title')).toBe('Embedded')
    // It opens nothing else.
    expect(await refusal(guest(), 'POST', '/api/rt/ticket', { docId: file, share: made.code })).toBe('share-invalid')
    expect(await refusal(guest(), 'GET', `/api/embed/${'x'.repeat(22)}`)).toBe('embed-invalid')
    expect(await refusal(bob, 'POST', embeds, {})).toBe('not-found')
    await ann.must('PATCH', `${embeds}/${made.code}`, { closed: true })
    expect(await refusal(guest(), 'GET', `/api/embed/${made.code}`)).toBe('embed-closed')
    expect(await refusal(guest(), 'GET', `/api/embed/${made.code}/state`)).toBe('embed-closed')
    await ann.must('PATCH', `${embeds}/${made.code}`, { closed: false })
    expect((await ann.must('GET', embeds)).embeds).toMatchObject([{ code: made.code, closed: false }])
    await ann.must('POST', `/api/files/${file}/trash`)
    expect(await refusal(guest(), 'GET', `/api/embed/${made.code}`)).toBe('embed-closed')
  })

  it('is framed by the origins it names, other pages by nobody', async () => {
    const file = await ann.file('Framed')
    const { code } = await ann.must('POST', `/api/files/${file}/embeds`, { origins: ['https://example.org', 'http://localhost:8080'] })
    const page = await fetch(`${server.url}/embed/${code}`)
    expect(page.headers.get('content-security-policy')).toContain('frame-ancestors https://example.org http://localhost:8080')
    expect(page.headers.get('x-frame-options')).toBe(null)
    const other = await fetch(`${server.url}/workspace/recent`)
    expect(other.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(other.headers.get('x-frame-options')).toBe('DENY')
    for (const origins of [['example.org'], ['https://a.org; script-src *'], ['javascript:alert(1)'], [7]])
      expect(await refusal(ann, 'POST', `/api/files/${file}/embeds`, { origins })).toBe('invalid-params')
  })

  it('counts against the owner’s plan, and says so to those who look', async () => {
    const small = await startServer(suite.connection, { plan: 'free' })
    const cat = await small.person('Cat')
    const file = await cat.file('Shown')
    const embeds = `/api/files/${file}/embeds`
    const codes: string[] = []
    for (let i = 0; i < 3; i++) codes.push((await cat.must('POST', embeds, {})).code)
    expect((await cat.call('POST', embeds, {})).json.limit).toEqual({ quantity: 'embeds', allowed: 3, plan: 'basic' })
    await small.database.db.insertInto('embed').values({ id: 'one-too-many', file_id: file, created_by: cat.id }).execute()
    expect((await new Person(small.url).call('GET', `/api/embed/${codes[0]}`)).json.code).toBe('embed-limit')
    await small.stop()
  })
})
