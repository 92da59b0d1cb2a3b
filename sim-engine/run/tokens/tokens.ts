// Tokens as columns: slot t of every column belongs to one token. A token's parent is the token that waits for it: the
// original of a fork, or the caller of a call, an Ask or a subprocess; `pending` counts the children still alive.
import type { Storage } from '../../check/parts.ts'
import { recordOf } from '../../kernel/snapshot.ts'
import type { Numbers, State } from '../../kernel/snapshot.ts'
import { RunError } from '../../problems.ts'
import type { WordTable } from '../../world/word-table.ts'

/** How a token hangs on its parent. */
export const link = { none: 0, fork: 1, call: 2 } as const

type TokenColumn = { storage: Storage; data: Float64Array | Uint8Array | unknown[] }

const first = 64
/** Most tokens at a time: 2^22. More is a model that makes them faster than they end. */
const maxTokens = 4_194_304

export class Tokens {
  /** Position: step index * 8 + entry; -1 = no token. */
  pc = new Int32Array(first).fill(-1)
  process = new Int32Array(first)
  /** Handle of an individual actor, else -1. */
  owner = new Float64Array(first)
  parent = new Int32Array(first)
  link = new Uint8Array(first)
  pending = new Int32Array(first)
  /** The step at which children arrived in a synchronizing join, -1 = none. */
  joined = new Int32Array(first)
  /** First token of this process instance. */
  root = new Int32Array(first)
  /** Subprocesses: the token outside. */
  outer = new Int32Array(first)
  /** Whose containers' units these are. */
  holder = new Int32Array(first)
  /** Nesting of calls. */
  depth = new Int32Array(first)
  firstChild = new Int32Array(first)
  nextSibling = new Int32Array(first)
  previousSibling = new Int32Array(first)
  nextOwned = new Int32Array(first)
  previousOwned = new Int32Array(first)
  /** The calendar event it waits for, -1 = none. */
  event = new Float64Array(first)
  /** The container request it waits for, -1 = none. */
  request = new Float64Array(first)
  /** When the running duration ends, and how long it is in all: for suspended work. */
  until = new Float64Array(first)
  length = new Float64Array(first)
  born = new Float64Array(first)
  /** Which of a join's incoming flows it came by. */
  flow = new Int32Array(first)
  /** For-each: which item this is about, and on the token outside, the items. */
  index = new Float64Array(first)
  items: (readonly unknown[] | null)[] = []
  /** On the first token of a process instance: the first group at a join (run/tokens/gatherings.ts), -1 = none. */
  gathered = new Int32Array(first).fill(-1)
  /** The first of what it watches for (watch-rows.ts), -1 = nothing. */
  watched = new Int32Array(first).fill(-1)
  /** Time left of work that was interrupted by a preemption or the end of a shift, -1 = none; how many have some. */
  suspended = new Float64Array(first).fill(-1)
  suspendedCount = 0
  /** 1 while it watches for events (boundaries, event gateways), 2 while its process has no room for it. */
  watching = new Uint8Array(first)
  /** Births of tokens, for tests of identity. */
  serial = new Float64Array(first)
  readonly columns: TokenColumn[] = []
  count = 0
  /** All tokens are below this slot. */
  top = 0
  // The members below are public for run/fast/ only, which makes tokens in place.
  anything = false
  serials = 0
  free = new Int32Array(first)
  freed = 0
  /** Slots that may be used again after `settle`. */
  limbo = new Int32Array(first)
  limboCount = 0
  /** 1 while a slot is as `alone` leaves it: the columns of kin need not be written again. */
  single = new Uint8Array(first)
  readonly #rebinds: (() => void)[] = []

  readonly #words: WordTable

  constructor(words: WordTable) {
    this.#words = words
  }

  addColumn(storage: Storage): void {
    if (storage === 'any' || storage === 'word') this.anything = true
    const isByte = storage === 'bool' || storage === 'word'
    this.columns.push({ storage, data: storage === 'any' ? [] : isByte ? new Uint8Array(first) : new Float64Array(first) })
  }

  /** What a column holds for a token: truths as 0 and 1, individuals as handles. */
  valueAt(column: number, t: number): unknown {
    const { storage, data } = this.columns[column]!
    return storage === 'word' ? this.#words.texts[Number(data[t])] : data[t]
  }

  /** Called at once and whenever arrays were replaced. */
  onRebind(rebind: () => void): void {
    this.#rebinds.push(rebind)
    rebind()
  }

  /** Arrays were replaced from outside, by others with the same values. */
  rebind(): void {
    for (const rebind of this.#rebinds) rebind()
  }

  /** What a token left behind in `until`, `flow` and `index` stays in its slot: each is written before it is read. */
  create(process: number, owner: number, pc: number, parent: number, kind: number, time: number): number {
    const t = this.freed > 0 ? this.free[--this.freed]! : this.#newSlot()
    this.count++
    this.pc[t] = pc
    this.process[t] = process
    this.owner[t] = owner
    this.event[t] = -1
    this.request[t] = -1
    this.length[t] = 0
    this.born[t] = time
    this.serial[t] = ++this.serials
    if (this.single[t] === 0) this.alone(t)
    if (parent >= 0) this.#under(t, parent, kind)
    return t
  }

  /** Marks a token that something was written to which `create` leaves alone for tokens without kin. */
  touch(t: number): void {
    this.single[t] = 0
  }

  /** A token without parent, children or anything outside. */
  alone(t: number): void {
    this.parent[t] = -1
    this.link[t] = link.none
    this.pending[t] = 0
    this.joined[t] = -1
    this.root[t] = t
    this.outer[t] = -1
    this.holder[t] = t
    this.depth[t] = 0
    this.firstChild[t] = -1
    this.nextSibling[t] = -1
    this.previousSibling[t] = -1
    this.watching[t] = 0
    this.single[t] = 1
  }

  #under(t: number, parent: number, kind: number): void {
    this.single[t] = 0
    this.single[parent] = 0
    this.parent[t] = parent
    this.link[t] = kind
    this.depth[t] = this.depth[parent]! + (kind === link.call ? 1 : 0)
    const sibling = this.firstChild[parent]!
    this.nextSibling[t] = sibling
    if (sibling >= 0) this.previousSibling[sibling] = t
    this.firstChild[parent] = t
    this.pending[parent]!++
  }

  /** Room for one more. */
  reserve(): void {
    if (this.freed === 0 && this.top === this.pc.length && this.top < maxTokens) this.#grow()
  }

  #newSlot(): number {
    const t = this.top++
    if (t >= this.pc.length) {
      if (t >= maxTokens) throw new RunError(10049)
      this.#grow()
    }
    return t
  }

  /** Takes a token out. `later`: its slot may be used again only after `settle`, because code may still be looking at it. */
  remove(t: number, later: boolean): void {
    const parent = this.parent[t]!
    if (parent >= 0) {
      const next = this.nextSibling[t]!
      const previous = this.previousSibling[t]!
      if (previous >= 0) this.nextSibling[previous] = next
      else this.firstChild[parent] = next
      if (next >= 0) this.previousSibling[next] = previous
    }
    this.pc[t] = -1
    this.count--
    if (this.anything)
      for (const { storage, data } of this.columns)
        if (storage === 'any') data[t] = null
        else if (storage === 'word') data[t] = 0
    if (later) this.limbo[this.limboCount++] = t
    else this.free[this.freed++] = t
  }

  suspend(t: number, left: number): void {
    if (this.suspended[t]! < 0) this.suspendedCount++
    this.suspended[t] = left
  }

  /** The time left of interrupted work, which is so no more; -1 where there is none. */
  unsuspend(t: number): number {
    const left = this.suspended[t]!
    if (left < 0) return -1
    this.suspendedCount--
    this.suspended[t] = -1
    return left
  }

  /** Token and time left, of all that have some. */
  suspensions(): number[] {
    if (this.suspendedCount === 0) return []
    return Array.from(this.suspended.subarray(0, this.top), (left, t) => (left < 0 ? [] : [t, left])).flat()
  }

  get isSettled(): boolean {
    return this.limboCount === 0
  }

  settle(): void {
    for (let k = 0; k < this.limboCount; k++) this.free[this.freed++] = this.limbo[k]!
    this.limboCount = 0
  }

  #grow(): void {
    const size = this.pc.length * 2
    const wider = <T extends Numbers>(from: T, to: T): T => {
      to.set(from)
      return to
    }
    for (const name of int32Columns) this[name] = wider(this[name], new Int32Array(size))
    this.pc.fill(-1, size / 2)
    this.free = wider(this.free, new Int32Array(size))
    this.limbo = wider(this.limbo, new Int32Array(size))
    this.gathered = wider(this.gathered, new Int32Array(size).fill(-1))
    this.watched = wider(this.watched, new Int32Array(size).fill(-1))
    this.suspended = wider(this.suspended, new Float64Array(size).fill(-1))
    this.single = wider(this.single, new Uint8Array(size))
    for (const name of float64Columns) this[name] = wider(this[name], new Float64Array(size))
    for (const name of uint8Columns) this[name] = wider(this[name], new Uint8Array(size))
    for (const column of this.columns) {
      if (column.data instanceof Float64Array) column.data = wider(column.data, new Float64Array(size))
      else if (column.data instanceof Uint8Array) column.data = wider(column.data, new Uint8Array(size))
    }
    for (const rebind of this.#rebinds) rebind()
  }

  save(write: (value: unknown) => State): State {
    const state: Record<string, State> = {
      top: this.top,
      count: this.count,
      serials: this.serials,
      free: Array.from(this.free.subarray(0, this.freed)),
      limbo: Array.from(this.limbo.subarray(0, this.limboCount)),
    }
    for (const name of [...int32Columns, ...float64Columns, ...uint8Columns]) state[name] = this[name].slice(0, this.top)
    state['items'] = Array.from({ length: this.top }, (_, t) => write(this.items[t] ?? null))
    state['columns'] = this.columns.map((column, k) => {
      const { data, storage } = column
      const isBoxed = storage === 'word' || Array.isArray(data)
      return isBoxed ? Array.from({ length: this.top }, (_, t) => write(this.valueAt(k, t) ?? null)) : data.slice(0, this.top)
    })
    return state
  }

  load(saved: State, read: (state: State) => unknown): void {
    const state = recordOf(saved)
    this.top = Number(state['top'])
    this.count = Number(state['count'])
    this.serials = Number(state['serials'])
    while (this.pc.length < this.top) this.#grow()
    const limbo = numbersOf(state['limbo'])
    this.limboCount = limbo.length
    this.limbo.set(limbo)
    const free = numbersOf(state['free'])
    this.freed = free.length
    this.free.set(free)
    this.single.fill(0)
    for (const name of int32Columns) fill(this[name], state[name])
    this.pc.fill(-1, this.top)
    for (const name of float64Columns) fill(this[name], state[name])
    for (const name of uint8Columns) fill(this[name], state[name])
    const items = state['items']
    if (Array.isArray(items)) {
      this.items = items.map(one => {
        const list = read(one)
        return Array.isArray(list) ? list : null
      })
    }
    const columns = state['columns']
    if (!Array.isArray(columns)) throw new TypeError('tokens: a damaged snapshot')
    this.columns.forEach((column, k) => {
      const kept: State = columns[k] ?? null
      if (column.storage === 'word' && Array.isArray(kept)) {
        column.data.fill(0 as never)
        for (const [t, value] of kept.entries()) column.data[t] = this.#words.codeOf(read(value))
      } else if (!Array.isArray(column.data)) fill(column.data, kept)
      else if (Array.isArray(kept)) column.data = kept.map(value => read(value))
    })
    for (const rebind of this.#rebinds) rebind()
  }
}

const int32Columns = [
  'pc',
  'process',
  'parent',
  'pending',
  'joined',
  'root',
  'outer',
  'holder',
  'depth',
  'firstChild',
  'nextSibling',
  'previousSibling',
  'nextOwned',
  'previousOwned',
  'flow',
] as const
const float64Columns = ['owner', 'event', 'request', 'until', 'length', 'born', 'serial', 'index'] as const
const uint8Columns = ['link', 'watching'] as const

export const numbersOf = (state: State | undefined): number[] => (Array.isArray(state) ? state.map(Number) : [])

function fill(to: Numbers, from: State | undefined): void {
  if (!ArrayBuffer.isView(from)) throw new TypeError('a damaged snapshot')
  // Slots never used then are as new again.
  to.fill(0, (from as Numbers).length)
  to.set(from as Numbers)
}
