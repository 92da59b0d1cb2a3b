// An engine with a clock of its own: what it says is kept, what it puts off happens when the test says so.
import type { Model } from '../../model-schema/model.ts'
import type { Frame, FromEngine, RunOptions, Stop, ToEngine } from '../../sim-engine/messages.ts'
import { Engine } from '../../sim-engine/threads/simulation.ts'

export type Bench = {
  readonly said: FromEngine[]
  /** Milliseconds; each look at it costs `tick`. */
  now: number
  tick: number
  tell(...messages: ToEngine[]): void
  /** Runs what was put off, at most so many stretches, drawing each frame; says how many there were. */
  turn(most?: number): number
  load(model: Model, options?: RunOptions): void
  /** Newest message of this sort. */
  last<K extends FromEngine['is']>(what: K): Extract<FromEngine, { is: K }>
  all<K extends FromEngine['is']>(what: K): Extract<FromEngine, { is: K }>[]
  frame(): Frame
  /** The newest stop, if nothing has been shown since. */
  stop(): Stop | null
}

export function workerBench(draws = true): Bench {
  const said: FromEngine[] = []
  let waiting: { at: number; act: () => void }[] = []
  const engine = new Engine(message => said.push(structuredClone(message)), {
    now: () => (bench.now += bench.tick),
    later(ms, act) {
      const one = { at: bench.now + ms, act }
      waiting.push(one)
      return () => void (waiting = waiting.filter(other => other !== one))
    },
  })
  let loads = 0
  const bench: Bench = {
    said,
    now: 0,
    tick: 0.5,
    tell: (...messages) => messages.forEach(message => engine.receive(structuredClone(message))),
    turn(most = 100_000) {
      let turns = 0
      for (let next = waiting.shift(); next; next = turns < most ? waiting.shift() : undefined) {
        turns++
        bench.now = Math.max(bench.now, next.at)
        const before = said.length
        next.act()
        if (draws && said.slice(before).some(message => message.is === 'frame')) engine.receive({ do: 'drawn' })
      }
      return turns
    },
    load: (model, options = {}) => bench.tell({ do: 'load', load: ++loads, model, scenario: model.scenarios[0] ?? '', options }),
    last<K extends FromEngine['is']>(what: K) {
      const found = bench.all(what).at(-1)
      if (!found)
        throw new Error(
          `the engine never said ${what}; it said ${said.map(one => one.is).join(', ')} ${JSON.stringify(said.at(-1)).slice(0, 300)}`,
        )
      return found
    },
    all: <K extends FromEngine['is']>(what: K) => said.filter((message): message is Extract<FromEngine, { is: K }> => message.is === what),
    frame() {
      const found = said.findLast(message => 'frame' in message)
      if (!found || !('frame' in found)) throw new Error('the engine never showed a frame')
      return found.frame
    },
    stop() {
      const found = said.findLast(message => message.is === 'stopped' || 'frame' in message)
      return found?.is === 'stopped' ? found.stop : null
    },
  }
  return bench
}
