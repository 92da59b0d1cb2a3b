// The memory ticks of processes without tokens work on: behind a head of words the cells that have a stencil, then copies of the arrays
// they mention, one after another. Paths that lead to the same array share one copy.
import type { RowMemory } from '../lower/row-memory.ts'
import type { StencilCells } from '../stencil/cells.ts'
import type { Holder, Numbers, Scope } from './scope.ts'
import type { RowsModule } from './module.ts'
import * as choices from '../runtime/choices.ts'

const page = 65536
/** Bytes after the last array: reading just past one is no error. */
const margin = 64

type Copied = {
  readonly array: Numbers
  /** Words that hold its address. */
  readonly words: number[]
  isWritten: boolean
  at: number
  /** Replaced when the memory has grown. */
  view: Numbers
  /** Values in place of those in the memory, which is overwritten. */
  instead: Copied | null
}
type Word = Holder & { readonly at: number; readonly isReal: boolean; readonly isWritten: boolean }

export class RowImage {
  readonly #memory = new WebAssembly.Memory({ initial: 1 })
  readonly #plan: RowMemory
  readonly #arrays: RowMemory['arrays']
  readonly #top: number
  readonly #exports: WebAssembly.Exports
  readonly #timeAt: number
  readonly #tickAt: number
  readonly settleAll: () => void
  readonly tick: () => void
  readonly commit: () => void
  // What is bound: the world's arrays with their copies, and its numbers with their words.
  #scope: Scope | null = null
  #copies: ReadonlySet<Copied> = new Set()
  #words: Word[] = []
  /** Cells that work in this memory, and where. */
  #homes: { readonly stencil: StencilCells; readonly at: number }[] = []
  #byPath = new Map<string, Copied>()
  readonly #streams = new Map<number, Int32Array<ArrayBuffer>>()
  /** Where the last array ends. */
  #end = 0
  #F64 = new Float64Array(0)
  #I32 = new Int32Array(0)

  constructor({ memory, arrays, top }: RowsModule, module: WebAssembly.Module, imports: WebAssembly.ModuleImports) {
    this.#plan = memory
    this.#arrays = arrays
    this.#top = top
    this.#exports = new WebAssembly.Instance(module, { host: { ...imports, memory: this.#memory } }).exports
    this.#timeAt = memory.numbers.get('W.time')?.at ?? -1
    this.#tickAt = memory.numbers.get('W.tick')?.at ?? -1
    this.settleAll = this.#function('settleAll')
    this.tick = this.#function('tick')
    this.commit = this.#function('commit')
    this.#look()
  }

  #function(root: string): () => void {
    const found = this.#exports[root]
    if (typeof found !== 'function') throw new TypeError(`rows: no function ${root}`)
    return found as () => void
  }

  /** Now, for a tick. */
  setTime(time: number, tick: number): void {
    if (this.#timeAt >= 0) this.#F64[this.#timeAt >> 3] = time
    if (this.#tickAt >= 0) this.#F64[this.#tickAt >> 3] = tick
  }

  set(path: string, value: number): void {
    const found = this.#plan.numbers.get(path)
    if (!found) return
    if (found.mem === 'f64') this.#F64[found.at >> 3] = value
    else this.#I32[found.at >> 2] = value
  }

  /** A range of the head, as words: the state of a stream. */
  words(at: number): Int32Array<ArrayBuffer> {
    let known = this.#streams.get(at)
    if (!known) this.#streams.set(at, (known = this.#I32.subarray(at >> 2, (at >> 2) + 4)))
    return known
  }

  /** Bytes. */
  get size(): number {
    return this.#memory.buffer.byteLength
  }

  /** Bytes that go in and out. */
  get traffic(): number {
    let sum = 0
    for (const { array, isWritten } of this.#copies) sum += array.byteLength * (isWritten ? 2 : 1)
    return sum
  }

  /** The copy of an array; undefined where rows do not mention it. Good until arrays move. */
  view(path: string): Numbers | undefined {
    return this.#copyOf(path)?.view
  }

  /** An array has been written as a whole. */
  written(path: string): void {
    const copy = this.#copyOf(path)
    if (copy) copy.instead = null
  }

  /** What is next becomes what is now; until it is written as a whole, what is next is the same. */
  swap(now: string, next: string): void {
    const [one, other] = [this.#copyOf(now), this.#copyOf(next)]
    if (!one || !other) throw new TypeError(`rows: no arrays ${now} and ${next}`)
    const { at, view } = one
    one.at = other.at
    one.view = other.view
    other.at = at
    other.view = view
    other.instead = one
    for (const copy of [one, other]) for (const word of copy.words) this.#I32[word >> 2] = copy.at
  }

  #copyOf(path: string): Copied | undefined {
    return this.#byPath.get(path)
  }

  /** Copies one array out, if rows mention it. */
  tell(path: string): void {
    const view = this.view(path)
    if (view) this.#scope!.arrayAt(path).set(view)
  }

  /** Makes room for so many entries of the list behind the arrays, which stay where they are. */
  lengthen(entries: number): void {
    this.#grow(this.#end + 8 * entries)
    this.#lay()
  }

  /** The list begins where the arrays end now. An activation that is interrupted continues with it. */
  #moveList(to: number): void {
    const { listAt } = this.#plan
    const entries = listAt === null ? 0 : this.#I32[(listAt + choices.TOP_ENTRY) >> 2]!
    this.#grow(to + 8 * entries)
    this.#look()
    this.#F64.copyWithin(to >> 3, this.#end >> 3, (this.#end >> 3) + entries)
    this.#end = to
  }

  /** Lets go of the world. */
  release(): void {
    for (const { stencil } of this.#homes) stencil.moveTo(null)
    this.#homes = []
    this.#scope = null
    this.#byPath = new Map()
    this.#copies = new Set()
    this.#words = []
  }

  copyIn(scope: Scope): void {
    if (this.#scope !== scope) this.#bind(scope)
    scope.refresh()
    for (const { stencil, at } of this.#homes) stencil.moveTo({ memory: this.#memory, at })
    for (const copy of this.#copies) {
      copy.view.set(copy.array)
      copy.instead = null
    }
    this.#readNumbers()
  }

  #readNumbers(): void {
    for (const { holder, name, at, isReal } of this.#words) {
      const value = Number(Reflect.get(holder, name))
      if (isReal) this.#F64[at >> 3] = value
      else this.#I32[at >> 2] = value
    }
  }

  #findWords(scope: Scope): void {
    this.#words = Array.from(this.#plan.numbers, ([path, { at, mem, isWritten }]) => ({
      ...scope.holderOf(path),
      at,
      isReal: mem === 'f64',
      isWritten,
    }))
  }

  /** Into where it is from. */
  copyOut(scope: Scope): void {
    for (const { array, view, isWritten, instead } of this.#copies) if (isWritten) array.set((instead ?? { view }).view)
    this.tellNumbers(scope)
    scope.tellValues()
  }

  /** Numbers only, not arrays. */
  tellNumbers(scope: Scope): void {
    for (const { holder, name, at, isReal, isWritten } of this.#words) {
      if (!isWritten) continue
      const value = isReal ? this.#F64[at >> 3]! : this.#I32[at >> 2]!
      Reflect.set(holder, name, typeof Reflect.get(holder, name) === 'boolean' ? value !== 0 : value)
    }
    scope.tellNumbers()
  }

  /**
   * Arrays that were made longer, as the world is now, lie behind all others from here on: what they hold here stays, what is new is the world's.
   * Returns how many bytes were moved.
   */
  extend(scope: Scope): number {
    const moved = new Map<Numbers, { readonly copy: Copied; readonly from: Copied }>()
    const byPath = new Map(this.#byPath)
    let end = (this.#end - margin + 15) & ~15
    for (const [path, { word }] of this.#arrays) {
      const array = scope.arrayAt(path)
      const from = this.#byPath.get(path)!
      if (from.array === array) continue
      let one = moved.get(array)
      if (!one) {
        moved.set(array, (one = { copy: copied(array, end, from.isWritten), from }))
        end = (end + array.byteLength + 7) & ~7
      }
      one.copy.words.push(word)
      byPath.set(path, one.copy)
    }
    this.#byPath = byPath
    this.#copies = new Set(byPath.values())
    this.#moveList(end + margin)
    this.#lay()
    let bytes = 0
    for (const { copy, from } of moved.values()) {
      const { array, at, view, words } = copy
      const kept = Math.min(from.array.length, array.length)
      view.set(array.subarray(kept), kept)
      view.set(viewLike(array, this.#memory.buffer, from.at, kept))
      for (const word of words) this.#I32[word >> 2] = at
      bytes += array.byteLength
    }
    this.#findWords(scope)
    this.#readNumbers()
    this.#scope = scope
    return bytes
  }

  #look(): void {
    this.#F64 = new Float64Array(this.#memory.buffer)
    this.#I32 = new Int32Array(this.#memory.buffer)
    this.#streams.clear()
  }

  #grow(bytes: number): void {
    const missing = bytes - this.#memory.buffer.byteLength
    if (missing > 0) this.#memory.grow(Math.ceil(missing / page))
  }

  /** Creates views of the current memory: growing it replaces the buffer. */
  #lay(): void {
    this.#look()
    const { buffer } = this.#memory
    for (const copy of this.#copies) copy.view = viewLike(copy.array, buffer, copy.at)
    const list = this.#plan.listAt
    if (list === null) return
    this.#I32[(list + choices.ENTRIES) >> 2] = this.#end
    this.#I32[(list + choices.ENTRY_ROOM) >> 2] = (buffer.byteLength - this.#end) >> 3
  }

  #bind(scope: Scope): void {
    const { fixed, tables } = this.#plan
    const copies = new Map<Numbers, Copied>()
    const byPath = new Map<string, Copied>()
    for (const [path, { at, isWritten }] of fixed) {
      const copy = copied(scope.arrayAt(path), at, isWritten)
      copies.set(copy.array, copy)
      byPath.set(path, copy)
    }
    let end = (this.#top + margin + 15) & ~15
    const padding = new Map<Numbers, number>()
    this.#homes = []
    for (const [p, { now, next }] of this.#plan.cells) {
      const stencil = scope.stencil(p)
      this.#homes.push({ stencil, at: end })
      end = (end + stencil.room + margin + 15) & ~15
      for (const path of [...now, ...next]) padding.set(scope.arrayAt(path), stencil.padding * scope.arrayAt(path).BYTES_PER_ELEMENT)
    }
    for (const [path, { word, isWritten }] of this.#arrays) {
      const array = scope.arrayAt(path)
      let known = copies.get(array)
      if (!known) {
        const beside = padding.get(array) ?? 0
        copies.set(array, (known = copied(array, (end + beside + 7) & ~7, false)))
        end = (known.at + array.byteLength + beside + 7) & ~7
      }
      known.isWritten ||= isWritten
      known.words.push(word)
      byPath.set(path, known)
    }
    this.#copies = new Set(byPath.values())
    this.#byPath = byPath
    this.#moveList(end + margin)
    this.#lay()
    for (const { words, at } of copies.values()) for (const word of words) this.#I32[word >> 2] = at
    for (const table of tables) this.#F64.set(table.numbers, table.at >> 3)
    this.#findWords(scope)
    this.#scope = scope
  }
}

const copied = (array: Numbers, at: number, isWritten: boolean): Copied => ({
  array,
  words: [],
  isWritten,
  at,
  view: array,
  instead: null,
})

function viewLike(array: Numbers, buffer: ArrayBuffer, at: number, length = array.length): Numbers {
  const View = [Float64Array, Int32Array, Uint8Array].find(one => array instanceof one) ?? Uint16Array
  return new View(buffer, at, length)
}
