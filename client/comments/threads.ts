// Comments as data: the effect of changes, the position of pins on the canvas, filters. Pure.
import type { Element, Geo, Id, Model } from '../../model-schema/model.ts'
import { blocksOf, type RichNode } from '../../model-schema/rich.ts'
import type { ThreadInfo } from '../../sync-server/comments/comments.ts'
import type { Anchor, ByCopilot } from '../../sync-server/protocol.ts'

export type { Anchor, ByCopilot } from '../../sync-server/protocol.ts'
export type Thread = ThreadInfo
export type Comment = Thread['comments'][number]
export type Somebody = NonNullable<Comment['author']>

/** Permissions of the current user. */
export type May = { readonly comment: boolean; readonly deleteAll: boolean }

/** Something said; ids are made here, so that saying it again is harmless. `body` is rich text as JSON text. */
export type CommentChange =
  | { readonly do: 'open'; readonly thread: string; readonly anchor: Anchor; readonly comment: string; readonly body: string }
  | { readonly do: 'reply'; readonly thread: string; readonly comment: string; readonly body: string; readonly copilot?: ByCopilot }
  | { readonly do: 'edit'; readonly comment: string; readonly body: string }
  | { readonly do: 'delete'; readonly comment: string }
  | { readonly do: 'resolve'; readonly thread: string; readonly resolved: boolean }
  | { readonly do: 'move'; readonly thread: string; readonly anchor: Anchor }

/** Applies a change to the threads. A change has no effect if its target was deleted meanwhile; applying it twice is the same as once. */
export function after(threads: readonly Thread[], change: CommentChange, who: Somebody, at: string): readonly Thread[] {
  const written = (id: string, body: string, copilot: ByCopilot | null = null): Comment => ({
    id,
    author: who,
    body,
    copilot,
    at,
    editedAt: null,
  })
  switch (change.do) {
    case 'open':
      if (threads.some(thread => thread.id === change.thread)) return threads
      return [...threads, { id: change.thread, anchor: change.anchor, resolved: null, comments: [written(change.comment, change.body)] }]
    case 'reply':
      return threads.map(thread =>
        thread.id !== change.thread || thread.comments.some(comment => comment.id === change.comment)
          ? thread
          : { ...thread, comments: [...thread.comments, written(change.comment, change.body, change.copilot)] },
      )
    case 'edit':
      return threads.map(thread => ({
        ...thread,
        comments: thread.comments.map(comment =>
          comment.id === change.comment && comment.body !== change.body ? { ...comment, body: change.body, editedAt: at } : comment,
        ),
      }))
    case 'delete':
      return threads
        .map(thread => ({ ...thread, comments: thread.comments.filter(comment => comment.id !== change.comment) }))
        .filter(thread => thread.comments.length > 0)
    case 'move':
      return threads.map(thread => (thread.id === change.thread ? { ...thread, anchor: change.anchor } : thread))
    case 'resolve':
      return threads.map(thread =>
        thread.id === change.thread && (thread.resolved !== null) !== change.resolved
          ? { ...thread, resolved: change.resolved ? { at, by: who } : null }
          : thread,
      )
  }
}

/** The changes that make these threads: for a place that has not heard of them. */
export const retold = (threads: readonly Thread[]): CommentChange[] =>
  threads.flatMap(({ id, anchor, resolved, comments: [first, ...others] }): CommentChange[] => {
    if (!first) return []
    return [
      { do: 'open', thread: id, anchor, comment: first.id, body: first.body },
      ...others.map(({ id: comment, body, copilot }): CommentChange => ({
        do: 'reply',
        thread: id,
        comment,
        body,
        ...(copilot ? { copilot } : {}),
      })),
      ...(resolved ? [{ do: 'resolve' as const, thread: id, resolved: true }] : []),
    ]
  })

/** The comment or thread a change is about. */
export const subjectOf = (change: CommentChange): string =>
  change.do === 'resolve' || change.do === 'move' ? change.thread : change.comment

/** What a user has read: all comments up to a moment, and later moments for single threads. Moments are server times, ISO 8601. */
export type ReadState = { readonly since: string; readonly threads: Readonly<Record<string, string>> }

/** The threads in which others said something this person has not read. */
export function unreadOf(threads: readonly Thread[], seen: ReadState | undefined, me: string): ReadonlySet<string> {
  if (!seen) return new Set()
  const news = ({ id, comments }: Thread): boolean => lastOfOthers(comments, me) > (seen.threads[id] ?? seen.since)
  return new Set(threads.filter(news).map(thread => thread.id))
}

/** When others last spoke; blank when they never did. */
export const lastOfOthers = (comments: readonly Comment[], me: string): string =>
  comments.reduce((last, { author, at }) => (author?.id !== me && at > last ? at : last), '')

/** A thread's hold on a point of an element, or of the canvas itself. */
export function anchorOn(model: Model, canvas: Id, at: readonly [number, number], element: Id | null): Anchor {
  const held = element === null ? undefined : model.elements.get(element)
  const point: [number, number] = [Math.round(at[0]), Math.round(at[1])]
  if (!held || element === null) return { canvas, element: null, x: point[0], y: point[1], at: point, name: '' }
  const [x, y, w, h] = boxOf(held)
  const part = (value: number, from: number, length: number): number =>
    length === 0 ? 0 : Math.round(Math.max(0, Math.min(1, (value - from) / length)) * 1000) / 1000
  return { canvas, element, x: part(at[0], x, w), y: part(at[1], y, h), at: point, name: nameOf(held).slice(0, 128) }
}

export type Pin = {
  readonly canvas: Id
  readonly at: readonly [number, number]
  /** The element that contains the pin; null if it is anchored to the canvas or to a connector. */
  readonly box: Geo | null
  /** Its element has been deleted. */
  readonly lost: boolean
}

/** The current position of a thread's pin; null if its canvas was deleted as well. */
export function pinOf(model: Model, anchor: Anchor): Pin | null {
  const held = anchor.element === null ? undefined : model.elements.get(anchor.element)
  if (held) {
    const [x, y, w, h] = boxOf(held)
    // A scenario has no position: its comments are pinned to its canvas.
    if (held.parent === null) return { canvas: held.id, at: anchor.at, box: null, lost: false }
    return { canvas: held.parent, at: [x + anchor.x * w, y + anchor.y * h], box: held.ends ? null : held.geo, lost: false }
  }
  if (!model.elements.has(anchor.canvas)) return null
  return { canvas: anchor.canvas, at: anchor.at, box: null, lost: anchor.element !== null }
}

/** The box of an element; of a connector the one its two ends span. */
function boxOf({ ends, geo }: Element): Geo {
  if (!ends) return geo
  const { from, to } = ends
  return [Math.min(from.x, to.x), Math.min(from.y, to.y), Math.abs(from.x - to.x), Math.abs(from.y - to.y)]
}

const nameOf = ({ fields: { name } }: Element): string => (typeof name === 'string' ? name : '')

export type ThreadFilter = 'open' | 'resolved' | 'mine'

/** The threads one wants to see, the latest first. Mine are those I take part in or am mentioned in. */
export function wanted(threads: readonly Thread[], filter: ThreadFilter, me: string): readonly Thread[] {
  const mine = (thread: Thread): boolean =>
    thread.comments.some(({ author, body }) => author?.id === me || mentionsIn(nodesOf(body)).includes(me))
  return threads
    .filter(thread => (filter === 'mine' ? mine(thread) : (thread.resolved !== null) === (filter === 'resolved')))
    .toSorted((a, b) => (lastOf(b).at < lastOf(a).at ? -1 : 1))
}

export const lastOf = (thread: Thread): Comment => thread.comments.at(-1) ?? nobody
const nobody: Comment = { id: '', author: null, body: '""', copilot: null, at: '', editedAt: null }

/** The blocks of a comment's body; what can't be read is nothing. */
export function nodesOf(body: string): readonly RichNode[] {
  try {
    return blocksOf(JSON.parse(body))
  } catch {
    return [] // a body of a newer version: shown empty
  }
}

/** The name to mention to ask the copilot. */
export const COPILOT = 'copilot'

/** Whether a comment asks the copilot. */
export const asksIn = (body: string): boolean => mentionsIn(nodesOf(body)).includes(COPILOT)

/** Whether a comment does: one that a person wrote. */
export const asksCopilot = ({ body, copilot }: Comment): boolean => !copilot && asksIn(body)

/** The text of a comment, a line for each block, without mentions of the copilot. */
export const wordsOf = (nodes: readonly RichNode[]): string =>
  nodes
    .map(({ type, text, attrs, content }) => {
      if (type === 'text') return text ?? ''
      if (type === 'hardBreak') return '\n'
      if (type === 'mention') return attrs?.['id'] === COPILOT ? '' : `@${String(attrs?.['label'] ?? '')}`
      return `${wordsOf(content ?? [])}\n`
    })
    .join('')
    .replace(/\n+$/, '')

/** A text as the body of a comment: a paragraph for each line. */
export const bodyOf = (text: string): string =>
  JSON.stringify({
    type: 'doc',
    content: text
      .split('\n')
      .filter(one => one.trim() !== '')
      .map(one => ({ type: 'paragraph', content: [{ type: 'text', text: one }] })),
  })

function mentionsIn(nodes: readonly RichNode[]): string[] {
  return nodes.flatMap(node => [
    ...(node.type === 'mention' && typeof node.attrs?.['id'] === 'string' ? [node.attrs['id']] : []),
    ...mentionsIn(node.content ?? []),
  ])
}
