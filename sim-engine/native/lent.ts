// Functions of a generated program as WebAssembly, on arrays of a fixed length that move into the module's memory: whoever lends them
// takes what stands in `arrays` in their place, so that nothing is copied between calls.
import { lower } from './lower.ts'
import type { Element } from './lower.ts'

export type Lendable = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Int32Array<ArrayBuffer>

/** Modules made of late, by the functions' text. */
const known = new Map<string, WebAssembly.Module>()
const mostKnown = 16

export class Lent {
  /** By name in the functions' text: the same values, in the memory. */
  readonly arrays: Readonly<Record<string, Lendable>>
  readonly #exports: WebAssembly.Exports

  /**
   * null where there is no WebAssembly, or the functions say what can't be lowered. `numbers` are the names of whole numbers they share,
   * `lists` those of lists that are yet to be filled, with their lengths.
   */
  static of(
    functions: readonly ((...given: number[]) => number | void)[],
    arrays: Readonly<Record<string, Lendable>>,
    numbers: readonly string[],
    lists: Readonly<Record<string, number>> = {},
  ): Lent | null {
    if (typeof WebAssembly === 'undefined') return null
    const text = functions.map(String).join('\n')
    try {
      const module = known.get(text) ?? moduleOf(text, functions, arrays, numbers, lists)
      return module && new Lent(module, arrays, lists)
    } catch (error) {
      // There is no memory for it, or a page allows no module.
      if (error instanceof WebAssembly.CompileError || error instanceof RangeError) return null
      throw error
    }
  }

  private constructor(module: WebAssembly.Module, arrays: Readonly<Record<string, Lendable>>, lists: Readonly<Record<string, number>>) {
    const places = new Map<string, number>()
    let end = 8
    const place = (name: string, bytes: number): void => {
      places.set(name, end)
      end += Math.ceil(bytes / 8) * 8 + 8
    }
    for (const [name, array] of Object.entries(arrays)) place(name, array.byteLength)
    for (const [name, length] of Object.entries(lists)) place(name, length * Int32Array.BYTES_PER_ELEMENT)
    const memory = new WebAssembly.Memory({ initial: Math.ceil(end / 65536) })
    this.#exports = new WebAssembly.Instance(module, { host: { memory } }).exports
    const moved: Record<string, Lendable> = {}
    for (const [name, array] of Object.entries(arrays)) moved[name] = viewLike(array, memory.buffer, places.get(name)!)
    for (const [name, length] of Object.entries(lists)) moved[name] = new Int32Array(memory.buffer, places.get(name)!, length)
    for (const [name, array] of Object.entries(moved)) this.stand(name, array)
    this.arrays = moved
  }

  /** From now on a name means this one of the arrays. */
  stand(name: string, array: Lendable): void {
    const base = this.#exports[name]
    if (base instanceof WebAssembly.Global) base.value = array.byteOffset
  }

  /** A function by its name. */
  function(name: string): (...given: number[]) => number {
    const found = this.#exports[name]
    if (typeof found !== 'function') throw new RangeError(`native: no function ${name}`)
    return (...given) => Number(found(...given))
  }

  /** What a shared number is now. */
  number(name: string): number {
    const found = this.#exports[name]
    return found instanceof WebAssembly.Global ? Number(found.value) : 0
  }
}

function moduleOf(
  text: string,
  functions: readonly { readonly name: string }[],
  arrays: Readonly<Record<string, Lendable>>,
  numbers: readonly string[],
  lists: Readonly<Record<string, number>>,
): WebAssembly.Module | null {
  const lowered = lower(
    text,
    functions.map(one => one.name),
    {
      path(name) {
        const array = arrays[name]
        if (array) return { is: 'array', of: elementOf(array) }
        if (Object.hasOwn(lists, name)) return { is: 'array', of: 'i32' }
        return numbers.includes(name) ? { is: 'number', of: 'i32' } : undefined
      },
      call: () => undefined,
    },
  )
  if ('refused' in lowered) return null
  const made = new WebAssembly.Module(lowered.bytes)
  if (known.size >= mostKnown) known.clear()
  known.set(text, made)
  return made
}

const elementOf = (array: Lendable): Element => (array instanceof Uint8Array ? 'u8' : array instanceof Uint16Array ? 'u16' : 'i32')

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
