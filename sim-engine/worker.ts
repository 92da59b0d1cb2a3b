// The engine behind a message port. Never throws out of its loop: what is wrong with a model comes back as problems, what
// is wrong with the engine as `broken`.
import { createChecker } from './check.ts'
import { compile, type Program } from './compile.ts'
import type { Frame, FromEngine, RunOptions, RunState, ToEngine } from './messages.ts'
import { describe, observe, transferables } from './observe.ts'
import { problem, RunError, type Problem } from './problems.ts'
import { start, type Run } from './run.ts'

export type Engine = { receive(message: ToEngine): void; close(): void }

/** What the engine needs of its surroundings: a clock in milliseconds and a way to go on later. */
export type Surroundings = { now(): number; later(ms: number, act: () => void): () => void }

/** Longest stretch without listening, in milliseconds. One instant is never cut. */
const sliceMs = 12
/** When playing slower than this, a frame is made for each tick. */
const frameMs = 15

const wall: Surroundings = {
  now: () => performance.now(),
  later(ms, act) {
    const timer = setTimeout(act, ms)
    return () => clearTimeout(timer)
  },
}

/** An engine that answers through `post`. */
export function createEngine(post: (message: FromEngine, transfer: ArrayBuffer[]) => void, surroundings: Surroundings = wall): Engine {
  const checker = createChecker()
  let load = 0
  let program: Program | null = null
  let run: Run | null = null
  let problems: readonly Problem[] = []
  let state: RunState = 'ready'
  let speed: number | null = null
  let inFlight = false
  let told = false
  let stopTimer: (() => void) | null = null
  /** Where the clock of a throttled run stands: model ticks owed count from here. */
  let since = 0
  let sinceTick = 0
  let lastFrame = 0
  let inspected: { population: string; entity: number } | null = null

  const send = (message: FromEngine, frame?: Frame): void => post(message, frame ? transferables(frame) : [])

  function frameNow(): Frame {
    if (!run) throw new RangeError('engine: no run')
    return observe(run, load, state)
  }

  function showFrame(): void {
    if (!run) return
    const frame = frameNow()
    inFlight = true
    lastFrame = surroundings.now()
    send({ is: 'frame', frame }, frame)
    tellIndividual()
  }

  function tellIndividual(): void {
    if (!run || !inspected) return
    const { population, entity } = inspected
    const index = run.program.checked.parts.entities.findIndex(one => one.id === population)
    send({ is: 'individual', population, entity, values: index < 0 ? null : run.individual(index, entity) })
  }

  function begin(options: RunOptions): void {
    halt()
    told = false
    inFlight = false
    run = null
    state = 'ready'
    if (!program) return
    try {
      run = start(program, options)
    } catch (error) {
      if (!(error instanceof RunError)) throw error
      send({ is: 'problems', load, problems: [problemOf(error), ...problems] })
      return
    }
    const frame = frameNow()
    send({ is: 'loaded', loaded: describe(run, load), problems: [...problems], frame }, frame)
  }

  function problemOf(error: RunError): Problem {
    const id = program?.checked.parts.scenario.id ?? ''
    const at = error.at ?? { id }
    return problem(error.code, error.from === undefined ? at : { ...at, from: error.from, to: error.to ?? error.from }, error.params)
  }

  function halt(): void {
    stopTimer?.()
    stopTimer = null
  }

  function ended(): boolean {
    if (!run?.result) return false
    halt()
    state = 'ended'
    if (!told) {
      told = true
      const frame = frameNow()
      send({ is: 'ended', load, result: run.result, summary: run.summary(), frame }, frame)
      tellIndividual()
    }
    return true
  }

  function play(next: number | null): void {
    if (!run || ended()) return
    state = 'playing'
    pace(next)
    stopTimer ??= surroundings.later(0, slice)
  }

  function pace(next: number | null): void {
    speed = next !== null && Number.isFinite(next) && next > 0 ? next : null
    since = surroundings.now()
    sinceTick = run?.time ?? 0
  }

  /** One stretch of a playing run. */
  function slice(): void {
    stopTimer = null
    if (!run || state !== 'playing') return
    guarded(() => {
      if (!run) return
      const began = surroundings.now()
      let wait = 0
      if (speed === null) {
        do run.advance({ instants: 1 })
        while (!run.result && surroundings.now() - began < sliceMs)
      } else {
        const due = sinceTick + ((began - since) / 1000) * speed
        while (!run.result && nextTime(run) <= due && surroundings.now() - began < sliceMs) run.advance({ instants: 1 })
        if (run.result === null && nextTime(run) <= due) {
          // Too slow for the speed asked: owe nothing, or a slow stretch would be followed by a rush.
          since = surroundings.now()
          sinceTick = run.time
        } else wait = Math.min(100, Math.max(1, ((nextTime(run) - due) / speed) * 1000))
      }
      if (ended()) return
      if (!inFlight && surroundings.now() - lastFrame >= frameMs) showFrame()
      stopTimer = surroundings.later(wait, slice)
    })
  }

  function step(): void {
    if (!run || ended()) return
    halt()
    state = 'paused'
    const ticking = run.program.checked.parts.scenario.fields['ticking'] !== false
    if (ticking && run.state !== 'ready') run.advance({ ticks: 1 })
    else run.advance({ instants: 1 })
    if (!ended()) showFrame()
  }

  function guarded(act: () => void): void {
    try {
      act()
    } catch (error) {
      halt()
      run = null
      state = 'ended'
      const detail = error instanceof Error ? error.message : String(error)
      send({ is: 'broken', problem: error instanceof RunError ? problemOf(error) : problem(10000, { id: program?.checked.parts.scenario.id ?? '' }, [detail]) })
    }
  }

  function obey(message: ToEngine): void {
    switch (message.do) {
      case 'load': {
        load = message.load
        halt()
        run = null
        program = null
        const { checked, problems: found } = checker.check(message.model, message.scenario)
        problems = found
        if (!checked) {
          send({ is: 'problems', load, problems: [...found] })
          return
        }
        program = compile(checked)
        begin(message.options)
        return
      }
      case 'play':
        return play(message.speed)
      case 'pause':
        if (state !== 'playing') return
        halt()
        state = 'paused'
        return showFrame()
      case 'step':
        return step()
      case 'reset':
        return begin(message.options)
      case 'speed':
        return pace(message.speed)
      case 'set':
        run?.set(message.variable, message.value)
        return
      case 'press':
        run?.press(message.controller)
        return
      case 'drawn':
        inFlight = false
        return
      case 'inspect':
        inspected = message.entity === null ? null : { population: message.population, entity: message.entity }
        return tellIndividual()
    }
  }

  return { receive: message => guarded(() => obey(message)), close: halt }
}

/** When the next instant of a run is. */
const nextTime = (run: Run): number => (run.state === 'ready' ? 0 : run.world.calendar.nextTime)

// In a worker of its own the engine attaches itself to the port it was born with.
const port: unknown = globalThis
if (isWorkerScope(port)) {
  const engine = createEngine((message, transfer) => port.postMessage(message, transfer))
  port.addEventListener('message', event => engine.receive(event.data))
}

type WorkerScope = { postMessage(message: FromEngine, transfer: ArrayBuffer[]): void; addEventListener(type: 'message', heard: (event: { data: ToEngine }) => void): void }

function isWorkerScope(scope: unknown): scope is WorkerScope {
  return typeof scope === 'object' && scope !== null && 'WorkerGlobalScope' in scope && 'postMessage' in scope
}
