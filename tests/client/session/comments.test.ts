// Comments on this device: a comment shows at once, is sent in order and once, survives a closed page and a refusal, and pins stay with what
// they were put on.
import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { ApiError } from '../../../client/api.ts'
import { openComments, tellUnsent } from '../../../client/comments/comments.ts'
import type { Comments } from '../../../client/comments/comments.ts'
import type { CommentServer } from '../../../client/comments/server.ts'
import { after, anchorOn, pinOf, wanted } from '../../../client/comments/threads.ts'
import type { CommentChange, Thread } from '../../../client/comments/threads.ts'
import { device } from '../../../client/local/device.ts'
import { clearShelf, moveShelf, shelf } from '../../../client/local/shelf.ts'
import type { Lamps, Session } from '../../../client/session.ts'
import { newDocument, readModel } from '../../../model-schema/document.ts'
import { connect, move, place, remove, reparent } from '../../../model-schema/edit.ts'
import type { Control } from '../../../sync-server/protocol.ts'
import { english } from '../../../model-schema/words.ts'

const me = { id: 'ann', name: 'Ann' }
const bob = { id: 'bob', name: 'Bob' }
const anchor = { canvas: 'main', element: null, x: 1, y: 2, at: [1, 2] as [number, number], name: '' }
const offline = new ApiError('network', 0)
let count = 0

beforeEach(async () => {
  await Promise.all(shelf.tables.map(table => table.clear()))
})

type FakeSession = Session & { control(message: Control): void; lamp(server: Lamps['server']): void; shut(): void }

/** The parts of a session that comments look at. */
function session({ local = false, doc = `doc-${count++}` } = {}): FakeSession {
  const lamps = createStore<Lamps>(() => ({ device: 'saved', server: 'saved', others: 0 }))
  const controls = new Set<(message: Control) => void>()
  const closing: (() => void)[] = []
  const parts: Partial<FakeSession> = {
    target: { docId: doc, local, user: me },
    role: 'editor',
    lamps,
    watchControl: run => (controls.add(run), () => void controls.delete(run)),
    whenClosed: run => void closing.push(run),
    control: message => controls.forEach(run => run(message)),
    lamp: server => lamps.setState({ server }),
    shut: () => closing.forEach(run => run()),
  }
  return parts as FakeSession
}

/** A server that keeps threads and records what it receives; `fail` decides each call. */
function keeper(
  fail: (change: CommentChange | null) => ApiError | null = () => null,
): CommentServer & { threads: readonly Thread[]; told: string[] } {
  const kept = {
    threads: [] as readonly Thread[],
    told: [] as string[],
    async list() {
      const error = fail(null)
      if (error) throw error
      return { threads: [...kept.threads], may: { comment: true, deleteAll: false } }
    },
    people: async () => [me, bob],
    async tell(_doc: string, change: CommentChange) {
      const error = fail(change)
      if (error) throw error
      kept.told.push(change.do)
      kept.threads = after(kept.threads, change, me, '2026-01-01T00:00:00.000Z')
    },
  }
  return kept
}

/** Waits until the comments look like this: stores change after the disk did. */
function until(comments: Comments, holds: (talk: ReturnType<Comments['state']['getState']>) => boolean): Promise<void> {
  return new Promise(done => {
    if (holds(comments.state.getState())) return done()
    const stop = comments.state.subscribe(talk => {
      if (!holds(talk)) return
      stop()
      done()
    })
  })
}
const bodies = (comments: Comments): string[] =>
  comments.state.getState().threads.flatMap(thread => thread.comments.map(comment => comment.body))

describe('comments', () => {
  it('show at once without a network, wait, and are told in order when it returns', async () => {
    let cut = true
    const server = keeper(() => (cut ? offline : null))
    const page = session()
    const comments = openComments(page, server)
    const thread = await comments.start(anchor, '"one"')
    await comments.reply(thread, '"two"')
    await comments.say({ do: 'resolve', thread, resolved: true })
    await until(comments, talk => talk.waiting.size === 3)
    expect(bodies(comments)).toEqual(['"one"', '"two"'])
    expect(comments.state.getState().threads[0]?.resolved?.by).toEqual(me)
    expect(server.told).toEqual([])
    page.lamp('offline')
    cut = false
    page.lamp('saved')
    await until(comments, talk => talk.waiting.size === 0)
    expect(server.told).toEqual(['open', 'reply', 'resolve'])
    expect(bodies(comments)).toEqual(['"one"', '"two"'])
    page.shut()
  })

  it('of a closed page are told in the background, by their own document', async () => {
    const page = session()
    const comments = openComments(
      page,
      keeper(() => offline),
    )
    await comments.start(anchor, '"later"')
    page.shut()
    const server = keeper()
    expect(
      await tellUnsent(
        'ann',
        keeper(() => offline),
      ),
    ).toBe(false)
    expect(await tellUnsent('ann', server)).toBe(true)
    expect(server.told).toEqual(['open'])
    expect(await shelf.unsent.count()).toBe(0)
    await tellUnsent('ann', server)
    expect(server.told).toEqual(['open'])
  })

  it('that are refused stay with the reason until given up; what was deleted by others is no refusal', async () => {
    const server = keeper(change =>
      change?.do === 'reply' ? new ApiError('no-permission', 403) : change?.do === 'delete' ? new ApiError('not-found', 404) : null,
    )
    const page = session()
    const comments = openComments(page, server)
    const thread = await comments.start(anchor, '"kept"')
    await comments.reply(thread, '"refused"')
    await comments.say({ do: 'delete', comment: 'gone' })
    await until(comments, talk => talk.refused.length === 1 && talk.waiting.size === 0)
    expect(bodies(comments)).toEqual(['"kept"'])
    const [row] = comments.state.getState().refused
    expect(row?.refused).toBe('no-permission')
    if (row) await comments.dismiss(row)
    await until(comments, talk => talk.refused.length === 0)
    page.shut()
  })

  it('of others come when the server says so, and are here for the next time without it', async () => {
    const server = keeper()
    const page = session({ doc: 'shared' })
    const comments = openComments(page, server)
    await until(comments, talk => talk.known)
    server.threads = after([], { do: 'open', thread: 't', anchor, comment: 'c', body: '"from Bob"' }, bob, '2026-01-01T00:00:00.000Z')
    page.control({ type: 'comments-changed', docId: 'shared' })
    await until(comments, talk => talk.threads.length === 1)
    page.shut()
    const next = openComments(
      session({ doc: 'shared' }),
      keeper(() => offline),
    )
    await until(next, talk => talk.threads.length === 1)
    expect(bodies(next)).toEqual(['"from Bob"'])
  })

  it('of others are unread until they are looked at, also after the page was closed; nothing said before is', async () => {
    const server = keeper()
    const at = (day: number): string => `2026-01-0${day}T00:00:00.000Z`
    const say = (thread: string, day: number) =>
      (server.threads = after(server.threads, { do: 'open', thread, anchor, comment: `c-${thread}`, body: '"x"' }, bob, at(day)))
    say('old', 1)
    const page = session({ doc: 'read' })
    const comments = openComments(page, server)
    await until(comments, talk => talk.threads.length === 1)
    expect(comments.state.getState().unread.size).toBe(0)
    say('one', 2)
    say('two', 3)
    await comments.refresh()
    await until(comments, talk => talk.unread.size === 2)
    await comments.read('one')
    await until(comments, talk => talk.unread.size === 1)
    page.shut()
    const next = openComments(session({ doc: 'read' }), server)
    await until(next, talk => talk.unread.has('two') && talk.unread.size === 1)
    server.threads = after(server.threads, { do: 'reply', thread: 'one', comment: 'more', body: '"y"' }, bob, at(4))
    await next.refresh()
    await until(next, talk => talk.unread.has('one'))
    await next.read()
    await until(next, talk => talk.unread.size === 0)
    // What one says oneself is no news.
    await next.reply('one', '"mine"')
    await until(next, talk => talk.threads.some(thread => thread.comments.length === 3))
    expect(next.state.getState().unread.size).toBe(0)
  })

  it('go to another place at once, and the server is told; moving what is gone is no refusal', async () => {
    const server = keeper(change => (change?.do === 'move' && change.thread === 'gone' ? new ApiError('not-found', 404) : null))
    const page = session()
    const comments = openComments(page, server)
    const thread = await comments.start(anchor, '"here"')
    const there = { ...anchor, x: 50, at: [50, 2] as [number, number] }
    await comments.say({ do: 'move', thread, anchor: there })
    await until(comments, talk => talk.threads[0]?.anchor.x === 50 && talk.waiting.size === 0)
    await comments.say({ do: 'move', thread: 'gone', anchor: there })
    await until(comments, talk => talk.waiting.size === 0)
    expect(server.told).toEqual(['open', 'move'])
    expect(comments.state.getState().refused).toEqual([])
    page.shut()
  })

  it('of a document on this device alone need no server', async () => {
    const page = session({ local: true })
    const comments = openComments(
      page,
      keeper(() => offline),
    )
    const thread = await comments.start(anchor, '"alone"')
    await comments.reply(thread, '"still"')
    await until(comments, talk => bodies(comments).length === 2 && talk.waiting.size === 0)
    expect(comments.state.getState().may).toEqual({ comment: true, deleteAll: true })
    page.shut()
  })
})

describe('this device', () => {
  it('forgets what stood beside a document with it, and with a person all of it', async () => {
    for (const [user, doc] of [
      ['ann', 'a'],
      ['ann', 'b'],
      ['bob', 'a'],
    ] as const) {
      await shelf.talk.put({ user, doc, threads: [], may: { comment: true, deleteAll: false } })
      await shelf.unsent.add({ user, doc, who: me, at: '1', change: { do: 'delete', comment: 'c' } })
    }
    const left = async (): Promise<string[]> => (await shelf.unsent.toArray()).map(row => `${row.user}/${row.doc}`)
    await clearShelf('ann', 'a')
    expect(await left()).toEqual(['ann/b', 'bob/a'])
    await clearShelf('ann')
    expect(await left()).toEqual(['bob/a'])
    expect(await shelf.talk.toArray()).toHaveLength(1)
  })
})

describe('a document of this device that goes into an account', () => {
  it('takes its versions along, and its comments, which are told once the server knows the document', async () => {
    const page = session({ local: true, doc: 'claimed' })
    const comments = openComments(
      page,
      keeper(() => offline),
    )
    const thread = await comments.start(anchor, '"alone"')
    await comments.reply(thread, '"still"')
    await comments.say({ do: 'resolve', thread, resolved: true })
    page.shut()
    const version = { doc: 'claimed', id: 'v', kind: 'named' as const, name: 'One', remark: '', author: 'Me', at: '1', holo: '{}' }
    await shelf.versions.put({ user: 'ann', ...version })
    const owner = { id: 'owner', name: 'Owner' }
    await moveShelf('ann', owner, 'claimed')
    await moveShelf('ann', owner, 'claimed')
    await clearShelf('ann')
    expect(await shelf.versions.toArray()).toEqual([{ user: 'owner', ...version }])
    await device.outbox.add({ user: 'owner', file: 'claimed', change: { do: 'create', name: 'x', epoch: 'e' }, at: 1 })
    const server = keeper()
    expect(await tellUnsent('owner', server)).toBe(true)
    expect(server.told).toEqual([])
    await device.outbox.clear()
    await tellUnsent('owner', server)
    expect(server.told).toEqual(['open', 'reply', 'resolve'])
    expect(server.threads).toMatchObject([{ id: thread, resolved: {}, comments: [{ body: '"alone"' }, { body: '"still"' }] }])
  })
})

describe('threads', () => {
  const open = (thread: string, by: typeof me, at: string, body = '"x"'): Thread => ({
    id: thread,
    anchor,
    resolved: null,
    comments: [{ id: `${thread}-c`, author: by, body, copilot: null, at, editedAt: null }],
  })

  it('take each change once, and none for what is gone', () => {
    const change: CommentChange = { do: 'reply', thread: 't', comment: 'r', body: '"y"' }
    const one = after([open('t', me, '1')], change, bob, '2')
    expect(after(one, change, bob, '3')).toEqual(one)
    expect(after([], change, bob, '2')).toEqual([])
    const edited = after(one, { do: 'edit', comment: 'r', body: '"z"' }, bob, '4')
    expect(edited[0]?.comments[1]).toMatchObject({ body: '"z"', editedAt: '4' })
    expect(after(after(edited, { do: 'delete', comment: 'r' }, bob, '5'), { do: 'delete', comment: 't-c' }, me, '5')).toEqual([])
  })

  it('are found as open, resolved, and mine: written or mentioned in', () => {
    const mention = JSON.stringify({
      type: 'doc',
      content: [{ type: 'paragraph', content: [{ type: 'mention', attrs: { id: 'ann', label: 'Ann' } }] }],
    })
    const resolved = { ...open('b', bob, '2'), resolved: { at: '3', by: bob } }
    const threads = [open('a', me, '1'), resolved, open('c', bob, '3', mention), open('d', bob, '4')]
    const ids = (filter: Parameters<typeof wanted>[1]): string[] => wanted(threads, filter, 'ann').map(thread => thread.id)
    expect(ids('open')).toEqual(['d', 'c', 'a'])
    expect(ids('resolved')).toEqual(['b'])
    expect(ids('mine')).toEqual(['c', 'a'])
  })
})

describe('pins', () => {
  it('go along with their element, to other canvases too, and stay where it was when it is deleted', () => {
    const doc = newDocument('Pins')
    const [main = ''] = readModel(doc).scenarios
    const wolf = place(doc, { kind: 'agent', parent: main, at: [100, 100], size: [200, 100] })
    const grass = place(doc, { kind: 'variable', parent: main, at: [400, 100] })
    if (typeof wolf !== 'string' || typeof grass !== 'string') throw new Error('not placed')
    const pinned = anchorOn(readModel(doc), main, [150, 150], wolf)
    expect(pinned).toMatchObject({ element: wolf, x: 0.25, y: 0.5, name: readModel(doc).elements.get(wolf)?.fields['name'] })
    move(doc, [{ id: wolf, geo: [300, 300, 400, 100] }])
    expect(pinOf(readModel(doc), pinned)).toEqual({ canvas: main, at: [400, 350], box: [300, 300, 400, 100], lost: false })
    const onGrass = anchorOn(readModel(doc), main, [400, 100], grass)
    expect(reparent(doc, [grass], wolf)).toBeNull()
    expect(pinOf(readModel(doc), onGrass)).toMatchObject({ canvas: wolf, lost: false })
    remove(doc, [wolf])
    expect(pinOf(readModel(doc), pinned)).toEqual({ canvas: main, at: [150, 150], box: null, lost: true })
    expect(pinOf(readModel(doc), { ...pinned, canvas: wolf })).toBeNull()
    const nowhere = anchorOn(readModel(doc), main, [7.4, 8.6], null)
    expect(pinOf(readModel(doc), nowhere)).toEqual({ canvas: main, at: [7, 9], box: null, lost: false })
  })

  it('on a connector stand between its ends', () => {
    const doc = newDocument('Pins')
    const [main = ''] = readModel(doc).scenarios
    const hunt = place(doc, { kind: 'process', parent: main, at: [0, 0] })
    if (typeof hunt !== 'string') throw new Error('not placed')
    const from = place(doc, { kind: 'start', parent: hunt, at: [0, 0] })
    const to = place(doc, { kind: 'compute', parent: hunt, at: [300, 0] })
    if (typeof from !== 'string' || typeof to !== 'string') throw new Error('not placed')
    const flow = connect(doc, { kind: 'flow', from, to })
    if (typeof flow !== 'string') throw new Error(english(flow.words))
    const { at } = pinOf(readModel(doc), anchorOn(readModel(doc), hunt, [150, 18], flow)) ?? { at: [NaN, NaN] }
    expect(at[0]).toBeGreaterThan(0)
    expect(at[0]).toBeLessThan(400)
  })
})
