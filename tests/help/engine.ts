// A scripted engine for the page: what the page posts is kept, what the engine would say is said by the test. With it a clock that only the test
// moves.
import type { Transport } from '../../client/run/engine.ts'
import type { Clock } from '../../client/run/run.ts'
import type { Frame, FromEngine, Loaded, ToEngine } from '../../sim-engine/messages.ts'

export type Scripted = Transport & {
  readonly posted: ToEngine[]
  readonly closed: boolean
  say(message: FromEngine): void
  crash(reason: string): void
  /** The newest message of this sort. */
  last<K extends ToEngine['do']>(what: K): Extract<ToEngine, { do: K }>
}

export function scriptedEngine(): Scripted {
  const posted: ToEngine[] = []
  let heard = (_: FromEngine): void => {}
  let crashed = (_: string): void => {}
  let closed = false
  return {
    posted,
    get closed() {
      return closed
    },
    post: message => void posted.push(structuredClone(message)),
    listen(onMessage, onCrash) {
      heard = onMessage
      crashed = onCrash
    },
    close: () => void (closed = true),
    say: message => heard(message),
    crash: reason => crashed(reason),
    last<K extends ToEngine['do']>(what: K) {
      const found = posted.findLast((message): message is Extract<ToEngine, { do: K }> => message.do === what)
      if (!found) throw new Error(`nothing posted to ${what}`)
      return found
    },
  }
}

export const loadedWith = (load: number, more: Partial<Loaded> = {}): Loaded => ({
  load,
  spaces: [],
  populations: [],
  charts: [],
  statistics: [],
  publics: [],
  seed: 1,
  ...more,
})

export const frameAt = (load: number, tick: number, more: Partial<Frame> = {}): Frame => ({
  load,
  tick,
  time: tick,
  now: null,
  state: tick === 0 ? 'ready' : 'playing',
  layers: [],
  series: [],
  values: {},
  containers: [],
  tokens: {},
  standing: [],
  output: [],
  rewound: false,
  ...more,
})

/** Timers fire on `pass`, animation frames on `paint`. */
export function standingClock(): Clock & { pass(ms: number): void; paint(): void } {
  let now = 0
  let timers: { at: number; act: () => void }[] = []
  let frames: (() => void)[] = []
  return {
    after(ms, act) {
      const timer = { at: now + ms, act }
      timers.push(timer)
      return () => void (timers = timers.filter(other => other !== timer))
    },
    draw(act) {
      frames.push(act)
      return () => void (frames = frames.filter(other => other !== act))
    },
    pass(ms) {
      now += ms
      const due = timers.filter(timer => timer.at <= now).sort((a, b) => a.at - b.at)
      timers = timers.filter(timer => timer.at > now)
      for (const timer of due) timer.act()
    },
    paint() {
      const due = frames
      frames = []
      for (const act of due) act()
    },
  }
}
