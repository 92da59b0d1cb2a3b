// Presence of others: awareness states in, peers out; our own cursor and selection at a limited rate.
import type { Awareness } from 'y-protocols/awareness'
import type { StoreApi } from 'zustand/vanilla'
import type { Geo, Id } from '../../model-schema/model.ts'
import { canWrite, ROLES } from '../../sync-server/protocol.ts'
import { readCaret, type Caret } from './carets.ts'
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

function peerOf(client: number, state: Record<string, unknown>, self: boolean, me: DocumentTarget['user']): Peer[] {
  const userId = typeof state['u'] === 'string' ? state['u'] : self ? me.id : null
  // A peer that the server has not identified is left out.
  if (userId === null) return []
  const cursor = state['cur']
  const selection = state['sel']
  return [
    {
      client,
      userId,
      name: self ? me.name : typeof state['n'] === 'string' ? state['n'] : '?',
      avatar: self ? (me.avatar ?? null) : typeof state['a'] === 'string' ? state['a'] : null,
      color: colorOf(userId),
      cursor: isPoint(cursor) ? cursor : null,
      canvas: typeof state['canvas'] === 'string' ? state['canvas'] : null,
      view: isView(state['view']) ? state['view'] : null,
      selection: idsIn(selection),
      drag: mayWrite(state['role']) ? readDrag(state['drag']) : null,
      caret: readCaret(state['caret']),
      copilot: state['copilot'] === 'answering' || state['copilot'] === 'preparing' ? state['copilot'] : null,
      self,
    },
  ]
}

const idsIn = (value: unknown): Id[] => (Array.isArray(value) ? value.filter(id => typeof id === 'string').slice(0, mostShown) : [])

/** A peer's edits in progress are shown only if its role, as sent by the server, may write. */
const mayWrite = (role: unknown): boolean => ROLES.some(known => known === role && canWrite(known))

function readDrag(value: unknown): Drag | null {
  if (typeof value !== 'object' || value === null || !('at' in value) || !isView(value.at)) return null
  return { ids: idsIn('ids' in value ? value.ids : null), at: value.at }
}

function isPoint(value: unknown): value is [number, number] {
  return Array.isArray(value) && value.length === 2 && value.every(part => Number.isFinite(part))
}

function isView(value: unknown): value is [number, number, number, number] {
  return Array.isArray(value) && value.length === 4 && value.every(part => Number.isFinite(part)) && value[2] > 0 && value[3] > 0
}
