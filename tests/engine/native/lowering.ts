// Runs a text as JavaScript and as WebAssembly on the same data.
import { type Element, lower, type Lowered, type Surroundings } from '../../../sim-engine/native/lower.ts'

type Numbers = Float64Array | Int32Array | Uint16Array | Uint8Array

export type Data = { arrays: Record<string, Numbers>; numbers: Record<string, number> }
export type Outcome = { result: unknown; arrays: Record<string, number[]>; numbers: Record<string, number>; notes: number[] }

/** How many elements each array has. */
export const size = 64

const arrays: Record<string, Element> = {
  a: 'f64',
  b: 'i32',
  c: 'u8',
  d: 'u16',
  'O.xs': 'f64',
  'O.heads': 'i32',
  'Q.xs': 'f64',
  'Q.heads': 'i32',
}
const numbers: Record<string, 'i32' | 'f64'> = {
  g: 'f64',
  n: 'i32',
  'O.size': 'i32',
  'Q.size': 'i32',
  'O.inner.w': 'f64',
  'Q.inner.w': 'f64',
}

export const surroundings: Surroundings = {
  path(path) {
    if (Object.hasOwn(arrays, path)) return { is: 'array', of: arrays[path]!, group: path.length === 1 ? 'own' : undefined }
    if (Object.hasOwn(numbers, path)) return { is: 'number', of: numbers[path]! }
    return path === 'seven' ? { is: 'constant', value: 7 } : undefined
  },
  call(path) {
    if (path === 'F.note') return { is: 'import', parameters: ['f64'], result: 'f64' }
    if (path === 'F.count') return { is: 'import', parameters: ['i32'], result: 'i32', moves: false }
    if (path === 'F.refuse') return { is: 'import', parameters: ['f64'], result: 'f64', moves: false }
    if (path === 'F.fail') return { is: 'import', parameters: ['i32'], result: null }
    const method = /^([OQ])\.(\w+)$/.exec(path)
    if (method) return { is: 'function', name: method[2]!, self: [method[1]!] }
    return undefined
  },
}

const bytesOf: Record<Element, number> = { u8: 1, u16: 2, i32: 4, f64: 8 }

/** Random data of all sorts: whole numbers, fractions, NaN, infinities, -0 among the floats. */
export function dataOf(random: () => number): Data {
  const odd = [
    0,
    -0,
    1,
    -1,
    NaN,
    Infinity,
    -Infinity,
    2 ** 31,
    -(2 ** 31),
    2 ** 32,
    2 ** 53,
    2 ** 63,
    -(2 ** 63),
    2 ** 70 + 2 ** 40,
    0.5,
    -0.5,
    1e300,
  ]
  const float = (): number => {
    const way = random()
    if (way < 0.3) return odd[Math.floor(random() * odd.length)]!
    return way < 0.6 ? Math.floor(random() * 100) - 50 : (random() - 0.5) * 10 ** Math.floor(random() * 12)
  }
  const word = (): number => (random() < 0.5 ? Math.floor(random() * 64) : Math.floor(random() * 2 ** 32) | 0)
  const data: Data = { arrays: {}, numbers: {} }
  for (const [path, of] of Object.entries(arrays)) {
    data.arrays[path] =
      of === 'f64'
        ? Float64Array.from({ length: size }, float)
        : of === 'i32'
          ? Int32Array.from({ length: size }, word)
          : of === 'u16'
            ? Uint16Array.from({ length: size }, word)
            : Uint8Array.from({ length: size }, word)
  }
  for (const [path, of] of Object.entries(numbers)) data.numbers[path] = of === 'f64' ? float() : word()
  return data
}

const copied = (data: Data): Data => ({
  arrays: Object.fromEntries(Object.entries(data.arrays).map(([path, array]) => [path, array.slice()])),
  numbers: { ...data.numbers },
})

class Failure extends Error {
  readonly code: number

  constructor(code: number) {
    super(`failed with ${code}`)
    this.code = code
  }
}

function imports(notes: number[]) {
  return {
    note: (x: number): number => {
      notes.push(x)
      return x
    },
    count: (x: number): number => {
      notes.push(x)
      return notes.length
    },
    fail: (code: number): void => {
      throw new Failure(code)
    },
    refuse: (code: number): number => {
      throw new Failure(code)
    },
  }
}

const caught = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    if (error instanceof Failure) return `failure ${error.code}`
    throw error
  }
}

/** `run()` of a text as JavaScript. Methods `O.f(...)` are functions `f(O, ...)` of the text. */
export function asJavaScript(text: string, given: Data): Outcome {
  const data = copied(given)
  const notes: number[] = []
  const objects = ['O', 'Q'].map(
    own =>
      `const ${own}={xs:S.arrays['${own}.xs'],heads:S.arrays['${own}.heads'],size:S.numbers['${own}.size'],inner:{w:S.numbers['${own}.inner.w']}};`,
  )
  const methods = Array.from(
    text.matchAll(/^function (\w+)\(self\$/gm),
    ([, name]) => `O.${name}=(...r)=>${name}(O,...r);Q.${name}=(...r)=>${name}(Q,...r);`,
  )
  const build = new Function(
    'S',
    'F',
    `"use strict";const {a,b,c,d}=S.arrays,seven=7;let {g,n}=S.numbers;${objects.join('')}\n${text}\n${methods.join('')}` +
      `return{run,numbers:()=>({g,n,'O.size':O.size,'Q.size':Q.size,'O.inner.w':O.inner.w,'Q.inner.w':Q.inner.w})}`,
  )
  const built: { run(): unknown; numbers(): Record<string, number> } = build(data, imports(notes))
  const result = caught(built.run)
  return {
    result: typeof result === 'boolean' ? Number(result) : result,
    arrays: Object.fromEntries(Object.entries(data.arrays).map(([path, array]) => [path, [...array]])),
    numbers: built.numbers(),
    notes,
  }
}

/** `run()` of a lowered text. Each `F.note` lays all arrays elsewhere, and nothing stays where they were. */
export function asWasm({ bytes, paths }: Lowered, given: Data): Outcome {
  const data = copied(given)
  const notes: number[] = []
  const wasmMemory = new WebAssembly.Memory({ initial: 2 })
  const views = new Map<string, Numbers>()
  let half = 0
  const { note, count, fail, refuse } = imports(notes)
  const noteAndMove = (x: number): number => {
    const kept = new Map(Array.from(views, ([path, view]) => [path, view.slice()]))
    new Uint8Array(wasmMemory.buffer, half * 65536, 8192).fill(77)
    half = 1 - half
    lay(kept)
    return note(x)
  }
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), {
    host: { memory: wasmMemory, 'F.note': noteAndMove, 'F.count': count, 'F.fail': fail, 'F.refuse': refuse },
  })
  const globalOf = (path: string): WebAssembly.Global => {
    const found = instance.exports[path]
    if (!(found instanceof WebAssembly.Global)) throw new Error(`no global ${path}`)
    return found
  }
  // Something lies before each array, so that an index off by one is seen.
  const lay = (contents: ReadonlyMap<string, Numbers>): void => {
    let next = 1024 + half * 65536
    for (const [path, content] of contents) {
      const view = Reflect.construct(content.constructor, [wasmMemory.buffer, next, size]) as Numbers
      view.set(content)
      views.set(path, view)
      globalOf(path).value = next
      next += size * bytesOf[arrays[path]!] + 64
    }
  }
  lay(new Map(paths.flatMap(path => (data.arrays[path] ? [[path, data.arrays[path]] as const] : []))))
  for (const path of paths) if (!views.has(path)) globalOf(path).value = data.numbers[path]
  const { run } = instance.exports
  if (typeof run !== 'function') throw new Error('no run')
  const result: unknown = caught(() => run())
  for (const [path, view] of views) data.arrays[path]!.set(view)
  for (const path of paths) if (!views.has(path)) data.numbers[path] = Number(globalOf(path).value)
  return {
    result,
    arrays: Object.fromEntries(Object.entries(data.arrays).map(([path, array]) => [path, [...array]])),
    numbers: data.numbers,
    notes,
  }
}

export function lowered(text: string): Lowered | string {
  const out = lower(text, ['run'], surroundings)
  return 'refused' in out ? out.refused : out
}
