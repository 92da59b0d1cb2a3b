// The express lane as WebAssembly: stretches of a run in which nothing but plain events happens, on copies of the arrays they
// mention. A module serves all runs of a program; a run borrows an image of it for a stretch.
import { POWERS_OF_TWO } from '../kernel/ahead.ts'
import type { ExponentialDraws } from '../kernel/ahead.ts'
import { log } from '../kernel/math.ts'
import type { Calendar } from '../kernel/calendar.ts'
import { RunError } from '../problems.ts'
import type { ProblemCode } from '../problems.ts'
import type { ExpressPlan } from '../run/express.ts'
import type { Kernel } from '../run/kernel.ts'
import type { Container } from '../world/container.ts'
import type { Containers } from '../world/containers.ts'
import { laneText } from './lane.ts'
import { lower } from './lower.ts'
import type { Element, Lowered, Scalar } from './lower.ts'

type Numbers = Uint8Array | Int32Array | Float64Array

/** What a stretch works on. */
export type LaneScope = {
  readonly plan: ExpressPlan
  readonly kernel: Kernel
  readonly calendar: Calendar
  readonly containers: Containers
  readonly stock: readonly Container[]
  readonly drawings: readonly ({ readonly draws: ExponentialDraws; readonly mean: number; readonly limit: number } | null)[]
  readonly fired: Float64Array
  /** Time spans that functions know. */
  readonly asked: Asked
}

export type Asked = {
  gap(d: number, t: number): number
  arrives(process: number): boolean
  arrivalGap(): number
  sought(k: number, t: number, time: number, latest: number): void
}

/** How a stretch ended. */
export type LaneEnd = {
  made: number
  time: number
  left: number
  latest: number
  stranger: number
  strangerAt: number
  done: number
  kind: number
  about: number
  detail: number
}

/** What all runs of a program share. */
type Made = {
  readonly module: WebAssembly.Module
  readonly lowered: Lowered
  readonly spare: Image[]
}

/** Images kept for later stretches. */
const mostSpare = 4
const page = 65536
const mostBytes = 2 ** 30
/** Instants run at one go: the code of a function that runs is not exchanged for better before it is called again. */
const atOnce = 4096
const columns = {
  pc: 'i32',
  process: 'i32',
  parent: 'i32',
  pending: 'i32',
  joined: 'i32',
  root: 'i32',
  outer: 'i32',
  holder: 'i32',
  depth: 'i32',
  firstChild: 'i32',
  nextSibling: 'i32',
  previousSibling: 'i32',
  link: 'u8',
  watching: 'u8',
  single: 'u8',
  owner: 'f64',
  event: 'f64',
  request: 'f64',
  until: 'f64',
  length: 'f64',
  born: 'f64',
  serial: 'f64',
} as const satisfies Record<string, Element>

const columnNames = Object.keys(columns) as (keyof typeof columns)[]

/** Arrays by their names in the text; those with a number are one for each container or drawing. */
const elements: Readonly<Record<string, Element>> = {
  times: 'f64',
  rows: 'i32',
  ints: 'i32',
  reals: 'f64',
  freed: 'i32',
  spare: 'i32',
  held: 'i32',
  heldReals: 'f64',
  firstOfHolder: 'i32',
  asked: 'i32',
  askedReals: 'f64',
  askedFree: 'i32',
  askedBy: 'i32',
  askers: 'i32',
  woken: 'i32',
  fired: 'f64',
  codes: 'u8',
  powers: 'f64',
  book: 'f64',
  mark: 'i32',
  queue: 'i32',
  values: 'f64',
  words: 'i32',
  states: 'i32',
  cursor: 'i32',
}

const numbers: Readonly<Record<string, Scalar>> = {
  size: 'i32',
  hole: 'i32',
  freedCount: 'i32',
  rowTop: 'i32',
  rowRoom: 'i32',
  sequence: 'f64',
  spareCount: 'i32',
  tokenTop: 'i32',
  tokenRoom: 'i32',
  tokenCount: 'i32',
  serials: 'f64',
  holdFree: 'i32',
  holdTop: 'i32',
  holdRoom: 'i32',
  holderRoom: 'i32',
  holdSequence: 'f64',
  askedTop: 'i32',
  askedCount: 'i32',
  askedRoom: 'i32',
  askedByRoom: 'i32',
  askersRoom: 'i32',
  lastRequest: 'f64',
  gotAmount: 'f64',
  gotAlternative: 'i32',
  wokenCount: 'i32',
  wokenRoom: 'i32',
  wokenAt: 'f64',
  hasWoken: 'i32',
  current: 'i32',
  time: 'f64',
  until: 'f64',
  ending: 'f64',
  made: 'i32',
  most: 'i32',
  left: 'i32',
  latest: 'i32',
  stranger: 'i32',
  strangerAt: 'i32',
  done: 'i32',
  lastKind: 'i32',
  lastAbout: 'i32',
  lastDetail: 'f64',
  queueRoom: 'i32',
  flexible: 'i32',
}

type Door = { read(scope: LaneScope): number; write?(scope: LaneScope, value: number): void }

/** Numbers that are fields here and globals there. What cannot change is only read. */
const doors: Readonly<Record<string, Door>> = {
  size: {
    read: ({ calendar }) => calendar.length,
    write: ({ calendar }, value) => {
      calendar.length = value
    },
  },
  hole: {
    read: ({ calendar }) => Number(calendar.hole),
    write: ({ calendar }, value) => {
      calendar.hole = value !== 0
    },
  },
  freedCount: {
    read: ({ calendar }) => calendar.freedCount,
    write: ({ calendar }, value) => {
      calendar.freedCount = value
    },
  },
  rowTop: {
    read: ({ calendar }) => calendar.rowTop,
    write: ({ calendar }, value) => {
      calendar.rowTop = value
    },
  },
  rowRoom: {
    read: ({ calendar }) => calendar.rows.length,
  },
  sequence: {
    read: ({ calendar }) => calendar.sequence,
    write: ({ calendar }, value) => {
      calendar.sequence = value
    },
  },
  spareCount: {
    read: ({ kernel }) => kernel.tokens.freed,
    write: ({ kernel }, value) => {
      kernel.tokens.freed = value
    },
  },
  tokenTop: {
    read: ({ kernel }) => kernel.tokens.top,
    write: ({ kernel }, value) => {
      kernel.tokens.top = value
    },
  },
  tokenRoom: {
    read: ({ kernel }) => kernel.tokens.pc.length,
  },
  tokenCount: {
    read: ({ kernel }) => kernel.tokens.count,
    write: ({ kernel }, value) => {
      kernel.tokens.count = value
    },
  },
  serials: {
    read: ({ kernel }) => kernel.tokens.serials,
    write: ({ kernel }, value) => {
      kernel.tokens.serials = value
    },
  },
  holdFree: {
    read: ({ containers }) => containers.holdings.free,
    write: ({ containers }, value) => {
      containers.holdings.free = value
    },
  },
  holdTop: {
    read: ({ containers }) => containers.holdings.top,
    write: ({ containers }, value) => {
      containers.holdings.top = value
    },
  },
  holdRoom: {
    read: ({ containers }) => containers.holdings.ints.length >> 3,
  },
  holderRoom: {
    read: ({ containers }) => containers.holdings.firstOfHolder.length,
  },
  holdSequence: {
    read: ({ containers }) => containers.sequence,
    write: ({ containers }, value) => {
      containers.sequence = value
    },
  },
  askedTop: {
    read: ({ containers }) => containers.requests.top,
    write: ({ containers }, value) => {
      containers.requests.top = value
    },
  },
  askedCount: {
    read: ({ containers }) => containers.requests.freeCount,
    write: ({ containers }, value) => {
      containers.requests.freeCount = value
    },
  },
  askedRoom: {
    read: ({ containers }) => containers.requests.free.length,
  },
  askedByRoom: {
    read: ({ containers }) => containers.requests.ofHolder.length,
  },
  askersRoom: {
    read: ({ kernel }) => kernel.askers.length,
  },
  lastRequest: {
    read: ({ containers }) => containers.last[0]!,
    write: ({ containers }, value) => {
      containers.last[0] = value
    },
  },
  gotAmount: {
    read: ({ containers }) => containers.got.amount,
    write: ({ containers }, value) => {
      containers.got.amount = value
    },
  },
  gotAlternative: {
    read: ({ containers }) => containers.got.alternative,
    write: ({ containers }, value) => {
      containers.got.alternative = value
    },
  },
  wokenCount: {
    read: ({ kernel }) => kernel.wokenCount,
    write: ({ kernel }, value) => {
      kernel.wokenCount = value
    },
  },
  wokenRoom: {
    read: ({ kernel }) => kernel.woken.length,
  },
  wokenAt: {
    read: ({ kernel }) => kernel.wokenAt,
    write: ({ kernel }, value) => {
      kernel.wokenAt = value
    },
  },
  hasWoken: {
    read: ({ kernel }) => Number(kernel.hasWoken),
    write: ({ kernel }, value) => {
      kernel.hasWoken = value !== 0
    },
  },
  current: {
    read: ({ kernel }) => kernel.current,
    write: ({ kernel }, value) => {
      kernel.current = value
    },
  },
}

const imports: Readonly<Record<string, { parameters: readonly Scalar[]; result: Scalar | null }>> = {
  log$: { parameters: ['f64'], result: 'f64' },
  fail$: { parameters: ['i32'], result: null },
  gap$: { parameters: ['i32', 'i32'], result: 'f64' },
  arrives$: { parameters: ['i32'], result: 'i32' },
  arrivalGap$: { parameters: [], result: 'f64' },
  sought$: { parameters: ['i32', 'i32', 'f64', 'i32'], result: null },
}

const known = new WeakMap<ExpressPlan, Made | null>()

/** Whether runs with this plan have a lane as WebAssembly, once one has come so far. */
export const hasNativeLane = (plan: ExpressPlan): boolean => (known.get(plan) ?? null) !== null

class Image {
  readonly #memory = new WebAssembly.Memory({ initial: 1 })
  readonly #globals = new Map<string, WebAssembly.Global>()
  readonly #written: ReadonlySet<string>
  readonly #run: () => void
  // Where arrays lie, by name; two of the same array lie in one place.
  #places: readonly {
    readonly array: Numbers
    readonly at: number
    readonly isWritten: boolean
  }[] = []
  asked: Asked

  constructor({ module, lowered }: Made, asked: Asked) {
    this.asked = asked
    const given: WebAssembly.ModuleImports = {
      log$: log,
      fail$: (code: number) => {
        throw new RunError(code as ProblemCode)
      },
      gap$: (d: number, t: number) => this.asked.gap(d, t),
      arrives$: (process: number) => Number(this.asked.arrives(process)),
      arrivalGap$: () => this.asked.arrivalGap(),
      sought$: (k: number, t: number, time: number, latest: number) => this.asked.sought(k, t, time, latest),
    }
    const { exports } = new WebAssembly.Instance(module, { m: { memory: this.#memory }, f: given })
    for (const path of lowered.paths) {
      const value = exports[path]
      if (value instanceof WebAssembly.Global) this.#globals.set(path, value)
    }
    const run = exports['lane$']
    if (typeof run !== 'function') throw new RangeError('native: no lane')
    this.#run = () => void run()
    this.#written = new Set(lowered.written)
  }

  run(): void {
    this.#run()
  }

  has(name: string): boolean {
    return this.#globals.has(name)
  }

  get(name: string): number {
    return Number(this.#globals.get(name)?.value ?? 0)
  }

  set(name: string, value: number): void {
    const global = this.#globals.get(name)
    if (global) global.value = value
  }

  /** Copies arrays in. Returns how many bytes. */
  enter(arrays: ReadonlyMap<string, Numbers>): number {
    const places = new Map<ArrayBufferLike, { array: Numbers; at: number; isWritten: boolean }[]>()
    const all: { array: Numbers; at: number; isWritten: boolean }[] = []
    let end = 64
    for (const [name, array] of arrays) {
      const global = this.#globals.get(name)
      if (!global) continue
      const isWritten = this.#written.has(name)
      const others = places.get(array.buffer) ?? []
      let place = others.find(one => one.array.byteOffset === array.byteOffset)
      if (!place) {
        place = { array, at: end, isWritten }
        others.push(place)
        places.set(array.buffer, others)
        all.push(place)
        end = (end + array.byteLength + 7) & ~7
      } else place.isWritten ||= isWritten
      global.value = place.at
    }
    if (end > mostBytes) throw new RangeError('native: too large a state')
    const missing = end + 64 - this.#memory.buffer.byteLength
    if (missing > 0) this.#memory.grow(Math.ceil(missing / page))
    const bytes = new Uint8Array(this.#memory.buffer)
    for (const { array, at } of all) bytes.set(bytesOf(array), at)
    this.#places = all
    return end
  }

  leave(): void {
    const bytes = new Uint8Array(this.#memory.buffer)
    for (const { array, at, isWritten } of this.#places) if (isWritten) bytesOf(array).set(bytes.subarray(at, at + array.byteLength))
    this.#places = []
  }
}

const bytesOf = (array: Numbers): Uint8Array => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

/** The lane of one run. */
export class NativeLane {
  readonly #made: Made
  readonly #scope: LaneScope
  readonly end: LaneEnd = {
    made: 0,
    time: 0,
    left: -1,
    latest: -1,
    stranger: -1,
    strangerAt: -1,
    done: 0,
    kind: -1,
    about: 0,
    detail: 0,
  }

  private constructor(made: Made, scope: LaneScope) {
    this.#made = made
    this.#scope = scope
  }

  /** null where the engine has no WebAssembly, or formulas look at what is only in the image. */
  static of(scope: LaneScope): NativeLane | null {
    const { plan, kernel, stock, drawings } = scope
    if (plan.looks || kernel.tokens.anything || stock.some(container => container.plan.negative)) return null
    let made = known.get(plan)
    if (made === undefined) {
      made = make(laneText(plan, drawings, kernel.processes.entry, stock))
      known.set(plan, made)
    }
    return made && new NativeLane(made, scope)
  }

  /** Runs up to `count` instants, until and before what is said. Returns how many bytes were copied in, -1 = there is no room for them; `end` says the rest. */
  run(until: number, ending: number, count: number): number {
    const { drawings } = this.#scope
    Object.assign(this.end, { made: 0, left: -1, latest: -1, stranger: -1, kind: -1 })
    for (const one of drawings) one?.draws.open()
    const entered = this.#enter()
    if (!entered) return -1
    const { image, bytes } = entered
    for (const [name, { read }] of Object.entries(doors)) image.set(name, read(this.#scope))
    const begin = {
      until,
      ending,
      time: 0,
      made: 0,
      left: -1,
      latest: -1,
      stranger: -1,
      done: 0,
      lastKind: -1,
    }
    for (const [name, value] of Object.entries(begin)) image.set(name, value)
    for (const [c, container] of this.#scope.stock.entries()) {
      image.set(`queueRoom_${c}`, container.queue.length)
      image.set(`flexible_${c}`, container.flexible)
    }
    try {
      for (let most = 0; ;) {
        most = Math.min(most + atOnce, count)
        image.set('most', most)
        image.run()
        if (image.get('made') < most || most === count) break
      }
    } finally {
      this.#leave(image)
      for (const one of drawings) one?.draws.close()
      if (this.#made.spare.length < mostSpare) this.#made.spare.push(image)
    }
    return bytes
  }

  #enter(): { image: Image; bytes: number } | null {
    const { asked } = this.#scope
    try {
      const image = this.#made.spare.pop() ?? new Image(this.#made, asked)
      image.asked = asked
      return { image, bytes: image.enter(this.#arrays()) }
    } catch (error) {
      // No memory is to be had, or not so much.
      if (error instanceof RangeError) return null
      throw error
    }
  }

  #leave(image: Image): void {
    image.leave()
    const get = (name: string): number => image.get(name)
    for (const [name, { write }] of Object.entries(doors)) if (write && image.has(name)) write(this.#scope, get(name))
    const { end } = this
    end.made = get('made')
    end.time = get('time')
    end.left = get('left')
    end.latest = get('latest')
    end.stranger = get('stranger')
    end.strangerAt = get('strangerAt')
    end.done = get('done')
    end.kind = get('lastKind')
    end.about = get('lastAbout')
    end.detail = get('lastDetail')
  }

  #arrays(): Map<string, Numbers> {
    const { plan, kernel, calendar, containers, stock, drawings, fired } = this.#scope
    const { tokens } = kernel
    const { holdings, requests } = containers
    const arrays = new Map<string, Numbers>([
      ['times', calendar.times],
      ['rows', calendar.rows],
      ['ints', calendar.ints],
      ['reals', calendar.reals],
      ['freed', calendar.freed],
      ['spare', tokens.free],
      ['held', holdings.ints],
      ['heldReals', holdings.reals],
      ['firstOfHolder', holdings.firstOfHolder],
      ['asked', requests.ints],
      ['askedReals', requests.reals],
      ['askedFree', requests.free],
      ['askedBy', requests.ofHolder],
      ['askers', kernel.askers],
      ['woken', kernel.woken],
      ['codes', plan.codes],
      ['powers', POWERS_OF_TWO],
    ])
    // Each on its own: functions count the others meanwhile.
    for (let process = 0; process < plan.starts.length; process++) arrays.set(`fired_${process}`, fired.subarray(process, process + 1))
    for (const name of columnNames) arrays.set(`t_${name}`, tokens[name])
    for (const [c, container] of stock.entries()) {
      arrays.set(`book_${c}`, container.book)
      arrays.set(`mark_${c}`, container.marks)
      arrays.set(`queue_${c}`, container.queue)
    }
    for (const [d, drawing] of drawings.entries()) {
      if (!drawing) continue
      const { values, words, states, cursor } = drawing.draws.arrays
      arrays.set(`values_${d}`, values)
      arrays.set(`words_${d}`, words)
      arrays.set(`states_${d}`, states)
      arrays.set(`cursor_${d}`, cursor)
    }
    return arrays
  }
}

function make(text: string): Made | null {
  if (typeof WebAssembly === 'undefined') return null
  const lowered = lower(text, ['lane$'], {
    path: path => {
      const name = path.replace(/_\d+$/, '')
      const of = path.startsWith('t_') ? columns[path.slice(2) as keyof typeof columns] : elements[name]
      if (of) return { is: 'array', of }
      const scalar = numbers[name]
      if (scalar) return { is: 'number', of: scalar }
      return path === 'Infinity' ? { is: 'constant', value: Infinity } : undefined
    },
    call: path => {
      const found = imports[path]
      return found && { is: 'import', ...found }
    },
  })
  if ('refused' in lowered) return null
  try {
    return { module: new WebAssembly.Module(lowered.bytes), lowered, spare: [] }
  } catch (error) {
    // Where a page allows none.
    if (error instanceof WebAssembly.CompileError || error instanceof RangeError) return null
    throw error
  }
}
