// The comments of an open document. A change shows at once and waits on this device until the server confirms it; one tab at a time sends
// the changes in order. Changes of others arrive with the document's control messages.
import { liveQuery } from 'dexie'
import { nanoid } from 'nanoid'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { isAtLeast } from '../../model-schema/roles.ts'
import { ApiError } from '../api.ts'
import { inOneTab } from '../local/locks.ts'
import { isUntold } from '../local/outbox.ts'
import { shelf, type UnsentRow } from '../local/shelf.ts'
import type { Session } from '../session.ts'
import { commentServer, type CommentServer } from './server.ts'
import {
  after,
  lastOfOthers,
  subjectOf,
  unreadOf,
  type Anchor,
  type ByCopilot,
  type CommentChange,
  type ThreadFilter,
  type May,
  type Somebody,
  type Thread,
} from './threads.ts'

type Talk = {
  readonly threads: readonly Thread[]
  readonly may: May
  /** Comments and threads with changes that the server has not confirmed. */
  readonly waiting: ReadonlySet<string>
  /** What it refused for good. */
  readonly refused: readonly UnsentRow[]
  /** Threads in which others said something this person has not read. */
  readonly unread: ReadonlySet<string>
  /** Something is known, from this device or the server. */
  readonly known: boolean
}

/** What the screen shows of them. */
type TalkView = {
  readonly filter: ThreadFilter
  readonly thread: string | null
  /** Where a new thread is being written for. */
  readonly draft: Anchor | null
}

export type Comments = {
  readonly state: StoreApi<Talk>
  readonly view: StoreApi<TalkView>
  readonly me: Somebody
  /** Applies a change; resolves when it is stored on this device, before it is sent. */
  say(change: CommentChange): Promise<void>
  start(anchor: Anchor, body: string): Promise<string>
  /** `copilot`: it answered, asked by this person. */
  reply(thread: string, body: string, copilot?: ByCopilot): Promise<void>
  /** Everything said in a thread so far has been read; in all threads, when none is named. */
  read(thread?: string): Promise<void>
  /** The people who can be mentioned, as far as known. */
  people(): Promise<readonly Somebody[]>
  /** Gives up what the server refused. */
  dismiss(row: UnsentRow): Promise<void>
  /** Sends the waiting changes to the server and fetches its threads. */
  refresh(): Promise<void>
}

/** Asks again now and then, in case a message was lost. */
const everyMs = 60_000

const open = new WeakMap<Session, Comments>()

/** The comments of a session, while it is open. */
export function commentsOf(session: Session): Comments {
  const known = open.get(session)
  if (known) return known
  const made = openComments(session)
  open.set(session, made)
  return made
}

/** Comments of one document on this device, and the server they are sent to. */
type Talking = {
  readonly session: Session
  readonly server: CommentServer
  readonly state: StoreApi<Talk>
  /** Of the rows of this person and document. */
  readonly key: [user: string, doc: string]
}

export function openComments(session: Session, server: CommentServer = commentServer): Comments {
  const { docId: doc, user: me, local } = session.target
  const state = createStore<Talk>(() => ({
    threads: [],
    may: mayAtFirst(session),
    waiting: new Set(),
    refused: [],
    unread: new Set(),
    known: local,
  }))
  const view = createStore<TalkView>(() => ({ filter: 'open', thread: null, draft: null }))
  const talking: Talking = { session, server, state, key: [me.id, doc] }

  const stopRows = showRows(talking)
  const refresh = refreshing(talking)
  const soon = (): void => {
    refresh().catch((error: unknown) => {
      if (!(error instanceof ApiError)) console.warn('comments', error)
      // Who may open the document but not see its comments: there are none for them.
      else if (error.final) state.setState({ may: { comment: false, deleteAll: false } })
    })
  }
  soon()
  const stopAsking = askWhenNew(session, soon)
  session.whenClosed(() => {
    stopAsking()
    stopRows()
    open.delete(session)
  })

  const say = async (change: CommentChange): Promise<void> => {
    await keepChange(talking, change)
    if (!local) soon()
  }
  return {
    state,
    view,
    me,
    say,
    refresh,
    async start(anchor, body) {
      const thread = nanoid()
      await say({ do: 'open', thread, anchor, comment: nanoid(), body })
      return thread
    },
    reply: (thread, body, copilot) => say({ do: 'reply', thread, comment: nanoid(), body, ...(copilot ? { copilot } : {}) }),
    read: thread => markRead(talking, thread),
    people: () => peopleOf(talking),
    async dismiss({ seq }) {
      if (seq !== undefined) await shelf.unsent.delete(seq)
    },
  }
}

/** The user's permissions until the server sends them. */
const mayAtFirst = ({ role, target: { local, user } }: Session): May => ({
  comment: local || (user.id !== 'guest' && isAtLeast(role, 'commenter')),
  deleteAll: local,
})

/** Shows what is on this device, whenever it changes. Returns what stops it. */
function showRows({ session, state, key }: Talking): () => void {
  const { user: me, local } = session.target
  const kept = () => Promise.all([shelf.talk.get(key), shelf.unsent.where('[user+doc]').equals(key).sortBy('seq'), shelf.seen.get(key)])
  const rows = liveQuery(kept).subscribe({
    next: ([talk, unsent, seen]) => {
      const fresh = unsent.filter(row => row.refused === undefined)
      const threads = fresh.reduce((before, row) => after(before, row.change, me, row.at), talk?.threads ?? [])
      state.setState({
        threads,
        unread: unreadOf(threads, seen, me.id),
        may: talk?.may ?? mayAtFirst(session),
        waiting: new Set(fresh.map(row => subjectOf(row.change))),
        refused: unsent.filter(row => row.refused !== undefined),
        known: local || talk !== undefined,
      })
    },
    error: (error: unknown) => console.warn('comments on this device', error),
  })
  return () => rows.unsubscribe()
}

/** Sends the waiting changes and stores the server's threads. One request at a time; repeated once if something happened meanwhile. */
function refreshing({ session, server, key }: Talking): () => Promise<void> {
  const { shareCode: share, local } = session.target
  const [user, doc] = key
  let asking: Promise<void> | null = null
  let again = false
  const ask = async (): Promise<void> => {
    do {
      again = false
      await tellUnsent(user, server)
      const { threads, may } = await server.list(doc, share)
      await shelf.talk.put({ user, doc, threads, may })
      // On the first visit of a document all existing comments count as read.
      if (!(await shelf.seen.get(key))) await shelf.seen.put({ user, doc, since: latest(threads), threads: {} })
    } while (again)
  }
  return async () => {
    if (local) return
    if (asking) {
      again = true
      return asking
    }
    asking = ask().finally(() => (asking = null))
    return asking
  }
}

/** Asks now and then, when the server has news, and when the document was saved again. Returns what stops it. */
function askWhenNew(session: Session, ask: () => void): () => void {
  const timer = session.target.local ? undefined : setInterval(ask, everyMs)
  const stopControl = session.watchControl(message => message.type === 'comments-changed' && ask())
  const stopLamps = session.lamps.subscribe((now, before) => {
    if (now.server === 'saved' && before.server !== 'saved' && before.server !== 'saving') ask()
  })
  return () => {
    clearInterval(timer)
    stopControl()
    stopLamps()
  }
}

/** Stores a change on this device: queued for the server, or for good if there is none. */
async function keepChange({ session, key }: Talking, change: CommentChange): Promise<void> {
  const { user: me, shareCode: share, local } = session.target
  const [user, doc] = key
  const at = new Date().toISOString()
  if (!local) {
    await shelf.unsent.add({ user, doc, change, who: me, at, ...(share === undefined ? {} : { share }) })
    return
  }
  await shelf.transaction('rw', shelf.talk, async () => {
    const threads = (await shelf.talk.get(key))?.threads ?? []
    await shelf.talk.put({ user, doc, threads: after(threads, change, me, at), may: mayAtFirst(session) })
  })
}

async function markRead({ session, state, key }: Talking, thread: string | undefined): Promise<void> {
  if (session.target.local) return
  const [user, doc] = key
  const { threads, unread } = state.getState()
  const news = threads.filter(({ id }) => unread.has(id) && (thread === undefined || id === thread))
  if (news.length === 0) return
  await shelf.transaction('rw', shelf.seen, async () => {
    const before = (await shelf.seen.get(key)) ?? { since: '', threads: {} }
    const now = Object.fromEntries(news.map(({ id, comments }) => [id, lastOfOthers(comments, user)]))
    await shelf.seen.put({ user, doc, since: before.since, threads: { ...before.threads, ...now } })
  })
}

async function peopleOf({ session, server, state }: Talking): Promise<readonly Somebody[]> {
  const { docId: doc, user: me, shareCode: share, local } = session.target
  const here = state.getState().threads.flatMap(thread => thread.comments.flatMap(comment => comment.author ?? []))
  const known = [...new Map([...here, me].map(one => [one.id, one])).values()]
  if (local) return known
  try {
    return await server.people(doc, share)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return known // without the server, only the authors of comments here are known
  }
}

const latest = (threads: readonly Thread[]): string =>
  threads.flatMap(({ comments }) => comments).reduce((last, { at }) => (at > last ? at : last), '')

/** Sends a user's unconfirmed changes to the server in order; false if it can't be reached. */
export async function tellUnsent(user: string, server: CommentServer = commentServer): Promise<boolean> {
  if ((await shelf.unsent.where('user').equals(user).count()) === 0) return true
  return inOneTab(`holarchy/comments/${user}`, async () => {
    for (const row of await shelf.unsent.where('user').equals(user).sortBy('seq')) {
      if (row.refused !== undefined || row.seq === undefined) continue
      // A document made here exists on the server only after the outbox said so.
      if (await isUntold(user, row.doc)) continue
      try {
        await server.tell(row.doc, row.change, row.share)
        await settle(row)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (!error.final || error.code === 'network') return false
        // Deleting, resolving or moving what is gone is done.
        if (error.code === 'not-found' && ['delete', 'resolve', 'move'].includes(row.change.do)) await settle(row)
        else await shelf.unsent.update(row.seq, { refused: error.code })
      }
    }
    return true
  })
}

/** A confirmed change is added to the stored threads, so that it doesn't vanish until the next fetch. */
async function settle({ seq, user, doc, change, who, at }: UnsentRow): Promise<void> {
  await shelf.transaction('rw', shelf.talk, shelf.unsent, async () => {
    const talk = (await shelf.talk.get([user, doc])) ?? { user, doc, threads: [], may: { comment: true, deleteAll: false } }
    await shelf.talk.put({ ...talk, threads: after(talk.threads, change, who, at) })
    if (seq !== undefined) await shelf.unsent.delete(seq)
  })
}
