// Presence of others: awareness states in, peers out; our own cursor and selection at a limited rate.
import type { Awareness } from 'y-protocols/awareness'
import type { StoreApi } from 'zustand/vanilla'
import type { Geo, Id } from '../../model-schema/model.ts'
import { canWrite, ROLES } from '../../sync-server/protocol.ts'
import { readValue } from '../validate.ts'
import * as z from '../zod.ts'
import { caretSchema, type Caret } from './carets.ts'
import type { DocumentTarget } from './target.ts'

/** A connected client of this document; a person with two tabs is two peers. */
export type Peer = {
  client: number
  userId: string
  name: string
  /** Id of their picture; null without one. */
  avatar: string | null
  /** CSS colour. */
  color: string
  /** Canvas units on the canvas they look at; null when the pointer is elsewhere. */
  cursor: [number, number] | null
  canvas: Id | null
  /** The part of that canvas in their window: x, y, width, height in canvas units. */
  view: [number, number, number, number] | null
  selection: Id[]
  /** The elements the peer is moving or resizing; the document is changed at the end of the drag. */
  drag: Drag | null
  /** The text cursor in a formula; null when they type nowhere. */
  caret: Caret | null
  /** Whether they asked the copilot and wait for an answer, or it is preparing a change for them; null: neither. */
  copilot: CopilotWork | null
  self: boolean
}

/** Elements on their way, and where the first of them is; the others keep their distance. None: the frame around many. */
export type Drag = { readonly ids: readonly Id[]; readonly at: Geo }

export type CopilotWork = 'answering' | 'preparing'

export type Showing = Partial<Pick<Peer, 'cursor' | 'canvas' | 'view' | 'selection' | 'drag' | 'caret' | 'copilot'>>

/** Largest number of selected elements that is sent; the relay refuses long states. */
export const mostShown = 50

/** Hues that stay apart on light and dark canvases. */
const colors = ['#d6336c', '#0c8599', '#e8590c', '#5f3dc4', '#2f9e44', '#c2255c', '#1971c2', '#9c36b5', '#a06a00', '#0b7285']

/** A person's colour: the same on every machine. */
export function colorOf(userId: string): string {
  let hash = 0
  for (const letter of userId) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0
  return colors[hash % colors.length] ?? '#1971c2'
}

/** Longest time between a change of ours and its sending: with peers, and alone. */
const paceMs = { company: 50, alone: 1000 }

export class Presence {
  readonly #peers: StoreApi<{ peers: Peer[] }>
  readonly #me: DocumentTarget['user']
  readonly #send: (state: Record<string, unknown> | null) => void
  #shown: Required<Showing> = { cursor: null, canvas: null, view: null, selection: [], drag: null, caret: null, copilot: null }
  #timer: ReturnType<typeof setTimeout> | undefined
  #due = Infinity
  #closed = false

  constructor(peers: StoreApi<{ peers: Peer[] }>, me: DocumentTarget['user'], send: (state: Record<string, unknown> | null) => void) {
    this.#peers = peers
    this.#me = me
    this.#send = send
  }

  /** Changes what the others see of us, soon. */
  show(patch: Showing): void {
    if (this.#closed) return
    this.#shown = { ...this.#shown, ...patch }
    this.#schedule()
  }

  /** Takes what awareness knows now. */
  read(awareness: Awareness): void {
    const alone = this.#others() === 0
    const peers = [...awareness.getStates()].flatMap(([client, state]) => peerOf(client, state, client === awareness.clientID, this.#me))
    this.#peers.setState({ peers: peers.sort((a, b) => Number(b.self) - Number(a.self) || a.client - b.client) })
    if (alone && this.#others() > 0) this.#schedule()
  }

  /** Shows us at once, as when a connection begins. */
  announce(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#due = Infinity
    const { cursor, canvas, view, selection, drag, caret, copilot } = this.#shown
    this.#send({
      c: colorOf(this.#me.id),
      user: { name: this.#me.name, color: colorOf(this.#me.id) },
      cur: cursor,
      canvas,
      view,
      sel: selection.slice(0, mostShown),
      drag,
      caret,
      copilot,
    })
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  #schedule(): void {
    const due = Date.now() + (this.#others() > 0 ? paceMs.company : paceMs.alone)
    if (due >= this.#due) return
    this.#due = due
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.announce(), due - Date.now())
  }

  #others(): number {
    return this.#peers.getState().peers.filter(peer => !peer.self).length
  }
}

/** What is missing or has another form is not shown. */
const shown = <T>(schema: z.ZodMiniType<T>) => z._default(z.catch(z.nullable(schema), null), null)
const size = z.number().check(z.positive())
const view = z.tuple([z.number(), z.number(), size, size])
const ids = z._default(
  z.catch(
    z.pipe(
      z.array(z.unknown()),
      z.transform((all): Id[] => all.filter(id => typeof id === 'string').slice(0, mostShown)),
    ),
    [],
  ),
  [],
)
/** The state that a peer sends; `u`, `n` and `a` are the server's: the user, their name and their picture. */
const stateSchema = z.object({
  u: shown(z.string()),
  n: shown(z.string()),
  a: shown(z.string()),
  role: shown(z.enum(ROLES)),
  cur: shown(z.tuple([z.number(), z.number()])),
  canvas: shown(z.string()),
  view: shown(view),
  sel: ids,
  drag: shown(z.object({ ids, at: view })),
  caret: shown(caretSchema),
  copilot: shown(z.enum(['answering', 'preparing'])),
})

function peerOf(client: number, sent: unknown, self: boolean, me: DocumentTarget['user']): Peer[] {
  const state = readValue(stateSchema, sent)
  const userId = state?.u ?? (self ? me.id : null)
  // A peer that the server has not identified is left out.
  if (state === null || userId === null) return []
  return [
    {
      client,
      userId,
      name: self ? me.name : (state.n ?? '?'),
      avatar: self ? (me.avatar ?? null) : state.a,
      color: colorOf(userId),
      cursor: state.cur,
      canvas: state.canvas,
      view: state.view,
      selection: state.sel,
      // A peer's edits in progress are shown only if its role, as sent by the server, may write.
      drag: state.role !== null && canWrite(state.role) ? state.drag : null,
      caret: state.caret,
      copilot: state.copilot,
      self,
    },
  ]
}
