// The one memory a run's rows work on: copies of the arrays their text mentions, one after another. Paths that lead to the same
// array share one copy; numbers are globals of the module.
import type { Lowered } from './lower.ts'
import { elementOf } from './scope.ts'
import type { Holder, Numbers, Scope } from './scope.ts'

const page = 65536
/** Bytes before the first array and after the last: reading just beside one, as in JavaScript, is no error. */
const margin = 64

type Place = { readonly path: string; readonly global: WebAssembly.Global; readonly isWritten: boolean }

export class Image {
  readonly #memory = new WebAssembly.Memory({ initial: 1 })
  readonly #arrays: Place[] = []
  readonly #numbers: Place[] = []
  readonly #functions = new Map<string, () => void>()
  readonly #written: ReadonlySet<string>
  // What is bound: the world's arrays with their copies, and its numbers with their globals.
  #scope: Scope | null = null
  #copies: { readonly array: Uint8Array; readonly copy: Uint8Array; isWritten: boolean; isScratch: boolean }[] = []
  /** Of copies that were asked for, by path. */
  readonly #views = new Map<string, Numbers>()
  #holders: (Holder & { readonly global: WebAssembly.Global; readonly isWritten: boolean })[] = []

  constructor(module: WebAssembly.Module, lowered: Lowered, roots: readonly string[], scope: Scope, imports: WebAssembly.ModuleImports) {
    const { exports } = new WebAssembly.Instance(module, { host: { ...imports, memory: this.#memory } })
    this.#written = new Set(lowered.written)
    for (const path of lowered.paths) {
      const global = exports[path]
      if (!(global instanceof WebAssembly.Global)) throw new TypeError(`native: no global ${path}`)
      const places = elementOf(scope.at(path)) ? this.#arrays : this.#numbers
      places.push({ path, global, isWritten: this.#written.has(path) })
    }
    for (const root of roots) {
      const run = exports[root]
      if (typeof run !== 'function') throw new TypeError(`native: no function ${root}`)
      this.#functions.set(root, () => run())
    }
  }

  function(root: string): () => void {
    const found = this.#functions.get(root)
    if (!found) throw new TypeError(`native: ${root} is no root`)
    return found
  }

  /** Of the numbers the rows mention, those that change from outside with each tick. */
  set(path: string, value: number): void {
    for (const one of this.#numbers) if (one.path === path) one.global.value = value
  }

  /** Bytes. */
  get size(): number {
    return this.#memory.buffer.byteLength
  }

  /** Bytes that go in and out. */
  get traffic(): number {
    let bytes = 0
    for (const { array, isWritten, isScratch } of this.#copies) if (!isScratch) bytes += array.length * (isWritten ? 2 : 1)
    return bytes
  }

  /** The copy of an array; undefined where rows do not mention it. Good until arrays move. */
  view(path: string): Numbers | undefined {
    const known = this.#views.get(path)
    if (known) return known
    const array = this.#scope?.arrayAt(path)
    const copy = array && this.#copies.find(one => one.array.buffer === array.buffer && one.array.byteOffset === array.byteOffset)?.copy
    if (!copy || !this.#arrays.some(one => one.path === path)) return undefined
    const { byteOffset } = copy
    const { buffer } = this.#memory
    const View = [Float64Array, Int32Array, Uint8Array].find(one => array instanceof one) ?? Uint16Array
    const view = new View(buffer, byteOffset, array.length)
    this.#views.set(path, view)
    return view
  }

  /** Copies one array out, if rows mention it. */
  tell(path: string): void {
    if (!this.#arrays.some(one => one.path === path)) return
    const array = this.#scope?.arrayAt(path)
    const view = this.view(path)
    if (array && view) array.set(view)
  }

  /** Lets go of the world. */
  release(): void {
    this.#scope = null
    this.#views.clear()
    this.#copies = []
    this.#holders = []
  }

  copyIn(scope: Scope, isGoingOn = false): void {
    if (this.#scope !== scope) this.#bind(scope)
    scope.refresh()
    for (const { array, copy, isScratch } of this.#copies) if (isGoingOn || !isScratch) copy.set(array)
    for (const { holder, name, global } of this.#holders) global.value = Number(Reflect.get(holder, name))
  }

  /** Into where it is from. `isGoingOn`, here and above: also what only lasts for a tick. */
  copyOut(scope: Scope, isGoingOn = false): void {
    for (const { array, copy, isWritten, isScratch } of this.#copies) if (isWritten && (isGoingOn || !isScratch)) array.set(copy)
    for (const { holder, name, global, isWritten } of this.#holders) {
      if (!isWritten) continue
      const value = Number(global.value)
      Reflect.set(holder, name, typeof Reflect.get(holder, name) === 'boolean' ? value !== 0 : value)
    }
    scope.tell()
  }

  #bind(scope: Scope): void {
    const places = new Map<Numbers, number>()
    const written = new Set<Numbers>()
    let end = margin
    for (const { path, global, isWritten } of this.#arrays) {
      const array = scope.arrayAt(path)
      let at = places.get(array)
      if (at === undefined) {
        at = end
        places.set(array, at)
        end = (end + array.byteLength + 7) & ~7
      }
      global.value = at
      if (isWritten) written.add(array)
    }
    const missing = end + margin - this.#memory.buffer.byteLength
    if (missing > 0) this.#memory.grow(Math.ceil(missing / page))
    const { buffer } = this.#memory
    this.#views.clear()
    this.#copies = Array.from(places, ([array, at]) => ({
      array: new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
      copy: new Uint8Array(buffer, at, array.byteLength),
      isWritten: written.has(array),
      isScratch: scope.isScratch(array),
    }))
    // The fuel is full again after each tick.
    this.#holders = this.#numbers.map(({ path, global, isWritten }) => ({
      ...scope.holderOf(path),
      global,
      isWritten: isWritten && !path.startsWith('F.'),
    }))
    this.#scope = scope
  }
}
