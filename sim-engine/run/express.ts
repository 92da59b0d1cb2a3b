// The express lane: plain events at plain steps - a timer start, a request for units, a delay, a release, an end - run here in
// one loop, without coming back to the calendar's and the kernel's general ways between two of them. What is plain is found
// while compiling (compile/express.ts); whatever else turns up is left to the token's own function, and the instant to
// run.ts. Nothing is kept here: tokens, events and units stand where everybody else looks for them, and streams do again when the
// lane is left, so that a run is the same with and without it. Debug and metered builds have none; the tests compare.
//
// There are two: lane.ts, which is as good for one event as for many, and native/express.ts, for long stretches.
import type { Stream } from '../kernel/random.ts'
import { hasNativeLane, NativeLane } from '../native/express.ts'
import type { World } from '../world/world.ts'
import type { Clockwork } from './clockwork.ts'
import type { Kernel } from './kernel.ts'
import { Lane } from './lane.ts'

/** Plain steps by position (step * 8 + entry). */
export type ExpressPlan = {
  codes: Uint8Array
  /** What a token does where it is sought. */
  behind: Uint8Array
  /** Where the token goes on; of a request that waits and of a delay, where it stands meanwhile. */
  next: Int32Array
  /** The container, as an index into `containers`; of a delay its number among the durations. */
  which: Int32Array
  /** Units, whole numbers; -1 = all that are held. */
  amounts: Int32Array
  /** Processes whose timer start is plain. */
  starts: Uint8Array
  /** Parts of the containers. */
  containers: readonly number[]
  /** Whether a time span or a condition depends on what stands in columns of tokens. */
  looks: boolean
}

/**
 * An exponential time span: its mean, NaN when the function is to be asked for it; the place of its formula; how often it is drawn at most,
 * where no function is asked.
 */
export type Drawing = readonly [stream: Stream, mean: number, place: number, limit: number]

/** What a generated program has for plain steps. Functions leave a time span in `kernel.gap`, or the mean where there is a drawing. */
export type ExpressEntries = {
  durations: ((t: number) => void)[]
  drawn: (Drawing | null)[]
  /** Of a timer start: false when there is no further arrival. */
  arrivals: ((() => boolean) | null)[]
  arrivalsDrawn: (Drawing | null)[]
  /** How often each timer start has gone off; counted where there is a limit. */
  fired: Float64Array
  /** Conditions of what is sought. */
  sought: ((t: number) => void)[]
}

export type Settings = {
  plan: ExpressPlan
  entries: ExpressEntries
  setPlace: (place: number) => void
  world: World
  kernel: Kernel
  clockwork: Clockwork
  ticking: boolean
  refuel: () => void
}

/** Plain instants in a row from which on a stretch of WebAssembly pays. */
const enough = 512
/** The same where the module has yet to be made, which takes as long as these. */
const enoughToMake = 16_384
/** Instants for which copying so many bytes is not too much. */
const bytesAnInstant = 256
/** Instants run at one go in JavaScript, so that the engine may change to better code in between. */
const most = 4096

export class Express {
  /** Set by `run`: steps left to the instant that is to be gone on with; -1 when it ended between two instants. */
  left = -1
  #made = 0
  readonly #settings: Settings
  readonly #lane: Lane
  /** null where there is none, undefined before it was needed. */
  #native: NativeLane | null | undefined
  /** Plain instants in a row, and how many of them are awaited before a stretch of WebAssembly. */
  #streak = 0
  #patience: number
  /** The process whose arrival is asked for. */
  #arriving = 0

  constructor(settings: Settings) {
    this.#settings = settings
    this.#patience = hasNativeLane(settings.plan) ? enough : enoughToMake
    this.#lane = new Lane(settings)
  }

  /** How many instants `run` ran to their end, also where it failed. */
  takeMade(): number {
    const made = this.#made
    this.#made = 0
    return made
  }

  /** Runs instants up to `until` and before `ending`, `count` at most, as long as they begin with a plain event. */
  run(until: number, ending: number, count: number): void {
    this.#made = 0
    while (this.#made < count) {
      if (count - this.#made >= enough && this.#streak >= this.#patience && this.#mayLeap(until, ending)) {
        this.#leap(this.#native!, until, ending, count - this.#made)
        if (this.left >= 0 || this.#made === count) break
      }
      const open = count - this.#made
      const asked = Math.min(open, this.#streak < this.#patience - enough || this.#native === null || open < enough ? most : enough)
      const done = this.#amble(until, ending, asked)
      if (this.left >= 0 || done < asked) break
    }
  }

  /** A stretch of JavaScript. Returns how many instants it ran to their end. */
  #amble(until: number, ending: number, count: number): number {
    const lane = this.#lane
    try {
      lane.run(until, ending, count)
    } finally {
      this.#made += lane.made
    }
    this.left = lane.left
    this.#streak = this.left < 0 ? this.#streak + lane.made : 0
    return lane.made
  }

  /** Whether the next instant can begin as WebAssembly. */
  #mayLeap(until: number, ending: number): boolean {
    const { kernel, world } = this.#settings
    const { calendar } = world
    if (calendar.cancelled > 0 || kernel.isSuspending || kernel.wokenCount > 0) return false
    if (this.#native === undefined) this.#native = this.#nativeLane()
    const { nextTime } = calendar
    return this.#native !== null && nextTime <= until && nextTime < ending
  }

  #nativeLane(): NativeLane | null {
    const { plan, entries, kernel, world } = this.#settings
    const lane = this.#lane
    const asked = {
      gap: (d: number, t: number): number => {
        entries.durations[d]!(t)
        return lane.drawn(d)
      },
      arrives: (process: number): boolean => {
        this.#arriving = process
        return entries.arrivals[process]!()
      },
      sought: (k: number, t: number, time: number, latest: number): void => {
        world.time = time
        lane.seek(k, t, latest)
      },
      arrivalGap: (): number => lane.drawn(entries.durations.length + this.#arriving),
    }
    const { stock, drawings } = lane
    return NativeLane.of({
      plan,
      kernel,
      calendar: world.calendar,
      containers: world.containers,
      stock,
      drawings,
      fired: entries.fired,
      asked,
    })
  }

  /** A stretch of WebAssembly. */
  #leap(native: NativeLane, until: number, ending: number, count: number): void {
    const { world, kernel, refuel } = this.#settings
    world.settle()
    kernel.tokens.settle()
    const { end } = native
    let bytes = 0
    try {
      bytes = native.run(until, ending, count)
    } finally {
      this.#made += end.made
      this.#lane.told(end.kind, end.time, end.about, end.detail, end.latest)
    }
    const { made, stranger, left } = end
    if (bytes < 0) this.#native = null
    if (made * bytesAnInstant < bytes) {
      this.#patience = Math.min(this.#patience * 2, 1 << 20)
      this.#streak = 0
    } else this.#patience = enough
    if (stranger >= 0) this.#lane.handOver(stranger, end.strangerAt, end.done)
    else if (left >= 0) refuel()
    this.left = stranger >= 0 && end.done > 0 ? left - 1 : left
  }
}
