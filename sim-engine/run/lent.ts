// Runs a function of a typed program on arrays of fixed length, which are copied into its memory once. The caller then works on the views in
// `arrays`, so nothing is copied between calls. The function gets a count and the addresses of all arrays.
import { compiledModule } from '../backends/wasm.ts'

type Lendable = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Int32Array<ArrayBuffer>

/** The function in both languages: `module` is a module in hexadecimal digits, `script` what `emitJs` gives. It calls nothing of the host. */
export type LentCode = { readonly name: string; readonly module: string; readonly script: string }

type Call = (count: number, ...addresses: number[]) => unknown

/** Modules made of late, by their digits; null where none can be made. */
const known = new Map<string, WebAssembly.Module | null>()
const mostKnown = 16

export class Lent {
  /** By name: the same values, in the memory; lists hold zeros. */
  readonly arrays: Readonly<Record<string, Lendable>>
  readonly #addresses: number[] = []
  readonly #names: readonly string[]
  readonly #call: Call

  /** `lists` are the names of Int32Arrays yet to be filled, with their lengths. `isCompiled`: as WebAssembly, where the page allows it and there is memory. */
  constructor(code: LentCode, arrays: Readonly<Record<string, Lendable>>, lists: Readonly<Record<string, number>>, isCompiled: boolean) {
    const places = new Map<string, number>()
    let end = 8
    const place = (name: string, bytes: number): void => {
      places.set(name, end)
      this.#addresses.push(end)
      end += Math.ceil(bytes / 8) * 8 + 8
    }
    for (const [name, array] of Object.entries(arrays)) place(name, array.byteLength)
    for (const [name, length] of Object.entries(lists)) place(name, length * Int32Array.BYTES_PER_ELEMENT)
    const { buffer, exports } = (isCompiled ? instanceOf(code.module, end) : null) ?? scriptOf(code, end)
    const moved: Record<string, Lendable> = {}
    for (const [name, array] of Object.entries(arrays)) moved[name] = viewLike(array, buffer, places.get(name) ?? 0)
    for (const [name, length] of Object.entries(lists)) moved[name] = new Int32Array(buffer, places.get(name), length)
    this.arrays = moved
    this.#names = [...places.keys()]
    const call = exports[code.name]
    if (typeof call !== 'function') throw new RangeError(`lent: no function ${code.name}`)
    this.#call = call as Call
  }

  /** Lets a name refer to another of the arrays from now on. */
  stand(name: string, array: Lendable): void {
    this.#addresses[this.#names.indexOf(name)] = array.byteOffset
  }

  run(count: number): number {
    return Number(this.#call(count, ...this.#addresses))
  }
}

type Running = { readonly buffer: ArrayBuffer; readonly exports: Readonly<Record<string, unknown>> }

function instanceOf(digits: string, bytes: number): Running | null {
  let module = known.get(digits)
  if (module === undefined) {
    if (known.size >= mostKnown) known.clear()
    known.set(digits, (module = compiledModule(bytesOf(digits))))
  }
  if (module === null) return null
  try {
    const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / 65536) })
    return { buffer: memory.buffer, exports: new WebAssembly.Instance(module, { host: { memory } }).exports }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function scriptOf(code: LentCode, bytes: number): Running {
  const buffer = new ArrayBuffer(Math.ceil(bytes / 8) * 8)
  return { buffer, exports: new Function('memory', 'host', code.script)({ buffer }, {}) as Running['exports'] }
}

/** The bytes that hexadecimal digits represent. */
export const bytesOf = (digits: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: digits.length / 2 }, (_, k) => Number.parseInt(digits.slice(2 * k, 2 * k + 2), 16))

function viewLike(array: Lendable, buffer: ArrayBuffer, at: number): Lendable {
  if (array instanceof Uint8Array) {
    const view = new Uint8Array(buffer, at, array.length)
    view.set(array)
    return view
  }
  const view = array instanceof Uint16Array ? new Uint16Array(buffer, at, array.length) : new Int32Array(buffer, at, array.length)
  view.set(array)
  return view
}
