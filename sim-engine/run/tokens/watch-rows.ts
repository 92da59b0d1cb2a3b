// Watches as rows of a table of numbers, so that the WebAssembly module of run/fast/ (runtime/watches.ts) adds and removes them in place.
// Rows are linked by their numbers; -1 ends a list.
import { floatsOf, intsOf, recordOf } from '../../kernel/snapshot.ts'
import type { State } from '../../kernel/snapshot.ts'
import { numbersOf, type Tokens } from './tokens.ts'

/** Columns of a row of sixteen integers; `token` is -1 where the row is free. */
const [token, step, role, trigger, holds, nextOfToken, previous, next, type, population, generation] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
const [previousTrue, nextTrue] = [11, 12]
/** Columns of a row of four reals. */
const [serial, event, handle] = [0, 1, 2]

const width = 16
const first = 32

export class WatchRows {
  // The members below are public for run/fast/ only.
  ints = new Int32Array(first * width)
  reals = new Float64Array(first * 4)
  /** The first and last condition, in the order they were added, and the first that was true when last looked at; unused rows. */
  firstCondition = -1
  lastCondition = -1
  firstTrue = -1
  free = -1
  top = 0
  /** Where a look at all conditions goes on. */
  cursor = -1
  size = 0
  serials = 0

  readonly #tokens: Tokens

  constructor(tokens: Tokens) {
    this.#tokens = tokens
  }

  /** A new row. With `isOfToken` it is among those of the token. */
  add(of: number, at: number, itsRole: number, itsTrigger: number, isOfToken: boolean, isCondition: boolean): number {
    let row = this.free
    if (row >= 0) this.free = this.ints[row * width + next]!
    else {
      row = this.top++
      if (row * width === this.ints.length) {
        this.ints = intsOf(this.ints, row * width * 2)
        this.reals = floatsOf(this.reals, row * 8)
      }
    }
    const { ints } = this
    const k = row * width
    const known = ints[k + generation]!
    ints.set([of, at, itsRole, itsTrigger, 0, -1, -1, -1, -1, -1, known, -1, -1], k)
    this.reals.set([this.serials++, -1, -1], row * 4)
    this.size++
    if (isOfToken) this.#hang(row, of)
    if (!isCondition) return row
    ints[k + previous] = this.lastCondition
    if (this.lastCondition >= 0) ints[this.lastCondition * width + next] = row
    else this.firstCondition = row
    this.lastCondition = row
    return row
  }

  /** Behind the others of the token. */
  #hang(row: number, of: number): void {
    const { watched } = this.#tokens
    let before = watched[of]!
    if (before < 0) {
      watched[of] = row
      return
    }
    for (let one = before; one >= 0; one = this.ints[one * width + nextOfToken]!) before = one
    this.ints[before * width + nextOfToken] = row
  }

  remove(row: number, isOfToken: boolean, isCondition: boolean): void {
    const { ints } = this
    const k = row * width
    if (isOfToken) this.#unhang(row)
    if (isCondition) {
      this.note(row, false)
      const [p, n] = [ints[k + previous]!, ints[k + next]!]
      if (p >= 0) ints[p * width + next] = n
      else this.firstCondition = n
      if (n >= 0) ints[n * width + previous] = p
      else this.lastCondition = p
      if (this.cursor === row) this.cursor = n
    }
    ints[k + token] = -1
    ints[k + generation]!++
    ints[k + next] = this.free
    this.free = row
    this.size--
  }

  #unhang(row: number): void {
    const { watched } = this.#tokens
    const of = this.ints[row * width + token]!
    const after = this.ints[row * width + nextOfToken]!
    if (watched[of] === row) {
      watched[of] = after
      return
    }
    let before = watched[of]!
    while (this.ints[before * width + nextOfToken] !== row) before = this.ints[before * width + nextOfToken]!
    this.ints[before * width + nextOfToken] = after
  }

  /** Whether a condition held when last looked at. */
  note(row: number, does: boolean): void {
    const { ints } = this
    const k = row * width
    if ((ints[k + holds] === 1) === does) return
    ints[k + holds] = does ? 1 : 0
    if (does) {
      ints[k + previousTrue] = -1
      ints[k + nextTrue] = this.firstTrue
      if (this.firstTrue >= 0) ints[this.firstTrue * width + previousTrue] = row
      this.firstTrue = row
      return
    }
    const [p, n] = [ints[k + previousTrue]!, ints[k + nextTrue]!]
    if (p >= 0) ints[p * width + nextTrue] = n
    else this.firstTrue = n
    if (n >= 0) ints[n * width + previousTrue] = p
  }

  /** Its number, which no other has that uses the row later. */
  idOf(row: number): number {
    return row + this.ints[row * width + generation]! * 2 ** 24
  }

  /** The row with a number; -1 where it is no more. */
  find(id: number): number {
    const row = id % 2 ** 24
    return row < this.top && this.ints[row * width + token]! >= 0 && this.idOf(row) === id ? row : -1
  }

  tokenOf(row: number): number {
    return this.ints[row * width + token]!
  }

  stepOf(row: number): number {
    return this.ints[row * width + step]!
  }

  roleOf(row: number): number {
    return this.ints[row * width + role]!
  }

  triggerOf(row: number): number {
    return this.ints[row * width + trigger]!
  }

  didHold(row: number): boolean {
    return this.ints[row * width + holds] === 1
  }

  nextOfToken(row: number): number {
    return this.ints[row * width + nextOfToken]!
  }

  nextCondition(row: number): number {
    return this.ints[row * width + next]!
  }

  nextTrue(row: number): number {
    return this.ints[row * width + nextTrue]!
  }

  /** Message type or signal. */
  typeOf(row: number): number {
    return this.ints[row * width + type]!
  }

  /** The receiver: its population, -1 = none, and its handle. */
  populationOf(row: number): number {
    return this.ints[row * width + population]!
  }

  handleOf(row: number): number {
    return this.reals[row * 4 + handle]!
  }

  setReceiver(row: number, itsType: number, itsPopulation: number, itsHandle: number): void {
    this.ints[row * width + type] = itsType
    this.ints[row * width + population] = itsPopulation
    this.reals[row * 4 + handle] = itsHandle
  }

  serialOf(row: number): number {
    return this.reals[row * 4 + serial]!
  }

  /** The event of a timer, -1 = none. */
  eventOf(row: number): number {
    return this.reals[row * 4 + event]!
  }

  setEvent(row: number, itsEvent: number): void {
    this.reals[row * 4 + event] = itsEvent
  }

  /** Rows in use. */
  *all(): IterableIterator<number> {
    for (let row = 0; row < this.top; row++) if (this.ints[row * width + token]! >= 0) yield row
  }

  save(): State {
    const { ints, reals, firstCondition, lastCondition, firstTrue, free, top, size, serials } = this
    if (top === 0) return []
    return {
      ints: ints.slice(0, top * width),
      reals: reals.slice(0, top * 4),
      marks: [firstCondition, lastCondition, firstTrue, free, size, serials],
      watched: this.#tokens.watched.slice(0, this.#tokens.top),
    }
  }

  /** After the tokens. */
  load(saved: State): void {
    const { watched } = this.#tokens
    watched.fill(-1)
    this.firstCondition = this.lastCondition = this.firstTrue = this.free = this.cursor = -1
    this.top = this.size = this.serials = 0
    this.ints.fill(0)
    this.reals.fill(0)
    if (saved === null || Array.isArray(saved)) return
    const state = recordOf(saved)
    this.top = intsOf(state['ints']).length / width
    const room = Math.max(first, this.top)
    this.ints = intsOf(state['ints'], room * width)
    this.reals = floatsOf(state['reals'], room * 4)
    const [firstCondition = -1, lastCondition = -1, firstTrue = -1, free = -1, size = 0, serials = 0] = numbersOf(state['marks'])
    Object.assign(this, { firstCondition, lastCondition, firstTrue, free, size, serials })
    watched.set(intsOf(state['watched']))
  }
}
