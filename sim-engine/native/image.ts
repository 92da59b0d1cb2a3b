// The one memory a run's rows work on: copies of the arrays their text mentions, one after another. Paths that lead to the same
// array share one copy; numbers are globals of the module.
import type { Lowered } from './lower.ts'
import { elementOf } from './surroundings.ts'
import type { Numbers, Scope } from './surroundings.ts'

const page = 65536
/** Bytes before the first array and after the last: reading just beside one, as in JavaScript, is no error. */
const margin = 64

export class Image {
  readonly #memory: WebAssembly.Memory
  readonly #arrays: { readonly path: string; readonly base: WebAssembly.Global; readonly isWritten: boolean }[] = []
  readonly #numbers: { readonly path: string; readonly value: WebAssembly.Global; readonly isWritten: boolean }[] = []
  readonly #functions = new Map<string, () => void>()
  // The world's arrays that were copied in, and where to; those to copy out.
  #places = new Map<Numbers, number>()
  #written = new Set<Numbers>()

  constructor(module: WebAssembly.Module, lowered: Lowered, roots: readonly string[], scope: Scope, imports: WebAssembly.ModuleImports) {
    this.#memory = new WebAssembly.Memory({ initial: 1 })
    const { exports } = new WebAssembly.Instance(module, { m: { memory: this.#memory }, f: imports })
    const written = new Set(lowered.written)
    for (const path of lowered.paths) {
      const value = exports[path]
      if (!(value instanceof WebAssembly.Global)) throw new RangeError(`native: no global ${path}`)
      if (elementOf(scope.at(path))) this.#arrays.push({ path, base: value, isWritten: written.has(path) })
      else this.#numbers.push({ path, value, isWritten: written.has(path) })
    }
    for (const root of roots) {
      const run = exports[root]
      if (typeof run !== 'function') throw new RangeError(`native: no function ${root}`)
      this.#functions.set(root, () => run())
    }
  }

  function(root: string): () => void {
    const found = this.#functions.get(root)
    if (!found) throw new RangeError(`native: ${root} is no root`)
    return found
  }

  /** Of the numbers the rows mention, those that change from outside with each tick. */
  set(path: string, value: number): void {
    for (const one of this.#numbers) if (one.path === path) one.value.value = value
  }

  copyIn(scope: Scope): void {
    this.#places = new Map()
    this.#written = new Set()
    let end = margin
    for (const { path, base, isWritten } of this.#arrays) {
      const array = scope.arrayAt(path)
      let at = this.#places.get(array)
      if (at === undefined) {
        at = end
        this.#places.set(array, at)
        end = (end + array.byteLength + 7) & ~7
      }
      base.value = at
      if (isWritten) this.#written.add(array)
    }
    const { buffer } = this.#memory
    if (end + margin > buffer.byteLength) this.#memory.grow(Math.ceil((end + margin - buffer.byteLength) / page))
    const bytes = new Uint8Array(this.#memory.buffer)
    for (const [array, at] of this.#places) bytes.set(bytesOf(array), at)
    for (const { path, value } of this.#numbers) value.value = Number(scope.at(path))
  }

  /** Into the same arrays. */
  copyOut(scope: Scope): void {
    const bytes = new Uint8Array(this.#memory.buffer)
    for (const array of this.#written) {
      const at = this.#places.get(array)!
      bytesOf(array).set(bytes.subarray(at, at + array.byteLength))
    }
    scope.tell(new Map(this.#numbers.filter(one => one.isWritten).map(({ path, value }) => [path, Number(value.value)])))
  }
}

const bytesOf = (array: Numbers): Uint8Array => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
