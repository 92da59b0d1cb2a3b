// The memory ticks of processes without tokens work on: copies of the arrays they mention, one after another behind a head of words. Paths
// that lead to the same array share one copy.
import type { RowMemory } from '../lower/row-memory.ts'
import type { Holder, Numbers, Scope } from './scope.ts'
import type { RowsModule } from './module.ts'
import * as choices from '../runtime/choices.ts'

const page = 65536
/** Bytes after the last array: reading just beside one is no error. */
const margin = 64

type Copied = { readonly array: Numbers; readonly at: number; isWritten: boolean }
type Word = Holder & { readonly at: number; readonly isReal: boolean; readonly isWritten: boolean }

export class RowImage {
  readonly #memory = new WebAssembly.Memory({ initial: 1 })
  readonly #plan: RowMemory
  readonly #arrays: RowMemory['arrays']
  readonly #top: number
  readonly #exports: WebAssembly.Exports
  // What is bound: the world's arrays with their copies, and its numbers with their words.
  #scope: Scope | null = null
  #copies: { readonly array: Uint8Array; readonly copy: Uint8Array; readonly isWritten: boolean }[] = []
  #places = new Map<Numbers, number>()
  #words: Word[] = []
  readonly #views = new Map<string, Numbers>()
  readonly #streams = new Map<number, Int32Array<ArrayBuffer>>()
  #copied: readonly Copied[] = []
  /** Where the last array ends. */
  #end = 0
  #F64 = new Float64Array(0)
  #I32 = new Int32Array(0)

  constructor({ memory, arrays, top }: RowsModule, module: WebAssembly.Module, imports: WebAssembly.ModuleImports) {
    this.#plan = memory
    this.#arrays = arrays
    this.#top = top
    this.#exports = new WebAssembly.Instance(module, { host: { ...imports, memory: this.#memory } }).exports
    this.#look()
  }

  function(root: string): () => void {
    const found = this.#exports[root]
    if (typeof found !== 'function') throw new TypeError(`rows: no function ${root}`)
    return found as () => void
  }

  set(path: string, value: number): void {
    const found = this.#plan.numbers.get(path)
    if (!found) return
    if (found.mem === 'f64') this.#F64[found.at >> 3] = value
    else this.#I32[found.at >> 2] = value
  }

  /** A stretch of the head, as words: a stream stands there. */
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
    return this.#copies.reduce((sum, { array, isWritten }) => sum + array.length * (isWritten ? 2 : 1), 0)
  }

  /** The copy of an array; undefined where rows do not mention it. Good until arrays move. */
  view(path: string): Numbers | undefined {
    const known = this.#views.get(path)
    if (known) return known
    const array = this.#arrays.has(path) || this.#plan.fixed.has(path) ? this.#scope?.arrayAt(path) : undefined
    const at = array && this.#places.get(array)
    if (!array || at === undefined) return undefined
    const View = [Float64Array, Int32Array, Uint8Array].find(one => array instanceof one) ?? Uint16Array
    const view = new View(this.#memory.buffer, at, array.length)
    this.#views.set(path, view)
    return view
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

  /** Lets go of the world. */
  release(): void {
    this.#scope = null
    this.#views.clear()
    this.#places.clear()
    this.#copies = []
    this.#copied = []
    this.#words = []
  }

  copyIn(scope: Scope): void {
    if (this.#scope !== scope) this.#bind(scope)
    scope.refresh()
    for (const { array, copy } of this.#copies) copy.set(array)
    for (const { holder, name, at, isReal } of this.#words) {
      const value = Number(Reflect.get(holder, name))
      if (isReal) this.#F64[at >> 3] = value
      else this.#I32[at >> 2] = value
    }
  }

  /** Into where it is from. */
  copyOut(scope: Scope): void {
    for (const { array, copy, isWritten } of this.#copies) if (isWritten) array.set(copy)
    for (const { holder, name, at, isReal, isWritten } of this.#words) {
      if (!isWritten) continue
      const value = isReal ? this.#F64[at >> 3]! : this.#I32[at >> 2]!
      Reflect.set(holder, name, typeof Reflect.get(holder, name) === 'boolean' ? value !== 0 : value)
    }
    scope.tell()
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

  /** Looks at the memory as it is now: who makes it larger makes another buffer. */
  #lay(): void {
    this.#look()
    this.#views.clear()
    const { buffer } = this.#memory
    this.#copies = this.#copied.map(({ array, at, isWritten }) => ({
      array: new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
      copy: new Uint8Array(buffer, at, array.byteLength),
      isWritten,
    }))
    const list = this.#plan.listAt
    if (list === null) return
    this.#I32[(list + choices.ENTRIES) >> 2] = this.#end
    this.#I32[(list + choices.ENTRY_ROOM) >> 2] = (buffer.byteLength - this.#end) >> 3
  }

  #bind(scope: Scope): void {
    const { fixed, numbers, tables } = this.#plan
    const copied = new Map<Numbers, Copied>()
    for (const [path, { at, isWritten }] of fixed) copied.set(scope.arrayAt(path), { array: scope.arrayAt(path), at, isWritten })
    let end = this.#top + margin
    const bases = [...this.#arrays].map(([path, { word, isWritten }]) => {
      const array = scope.arrayAt(path)
      let known = copied.get(array)
      if (!known) {
        copied.set(array, (known = { array, at: end, isWritten: false }))
        end = (end + array.byteLength + 7) & ~7
      }
      known.isWritten ||= isWritten
      return { word, at: known.at }
    })
    this.#copied = [...copied.values()]
    this.#end = end + margin
    this.#grow(this.#end)
    this.#lay()
    for (const { word, at } of bases) this.#I32[word >> 2] = at
    for (const table of tables) this.#F64.set(table.numbers, table.at >> 3)
    this.#places = new Map(this.#copied.map(({ array, at }) => [array, at]))
    this.#words = Array.from(numbers, ([path, { at, mem, isWritten }]) => ({
      ...scope.holderOf(path),
      at,
      isReal: mem === 'f64',
      isWritten,
    }))
    this.#scope = scope
  }
}
