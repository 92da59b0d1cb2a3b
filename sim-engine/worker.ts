// The engine behind a message port. Never throws out of its loop: what is wrong with a model comes back as problems, what
// is wrong with the engine as `broken`.
import type { Model } from '../model-schema/model.ts'
import { loadChainOf, needsChain } from './chain.ts'
import { createChecker } from './check.ts'
import { compile, type Program } from './compile.ts'
import { Debugger } from './debug/debugger.ts'
import { Timeline } from './debug/timeline.ts'
import { explain } from './explain.ts'
import { mostListed } from './messages.ts'
import { withEdit } from './model-edit.ts'
import type {
  Breakpoint,
  ChainAsk,
  DecidedAt,
  Frame,
  FromEngine,
  ListAsk,
  Origin,
  RunOptions,
  RunState,
  ToEngine,
  VerifyState,
  Watch,
} from './messages.ts'
import { describe, observe, transferables } from './observe.ts'
import { problem, RunError, type Problem } from './problems.ts'
import type { Run } from './run.ts'
import { waitingTokens } from './run/waiting.ts'

export type Engine = { receive(message: ToEngine): void; close(): void }

/** What the engine needs of its surroundings: a clock in milliseconds and a way to go on later. */
export type Surroundings = { now(): number; later(ms: number, act: () => void): () => void }

/** Longest stretch without listening, in milliseconds. One instant is never cut. */
const sliceMs = 12
/** Least milliseconds between two frames while playing. */
const frameMs = 15
/** Least milliseconds between two profiles while playing. */
const profileMs = 500
/** Least milliseconds between two stretches of a population while playing. */
const listMs = 250

const wall: Surroundings = {
  now: () => performance.now(),
  later(ms, act) {
    const timer = setTimeout(act, ms)
    return () => clearTimeout(timer)
  },
}

/** What keeps the engine busy between messages. */
type Job =
  | { does: 'play' }
  /** On the way to another time. */
  | { does: 'travel' }
  /** On the way to the next step of a token. */
  | { does: 'token' }

/** An engine that answers through `post`. */
export function createEngine(post: (message: FromEngine, transfer: ArrayBuffer[]) => void, surroundings: Surroundings = wall): Engine {
  const checker = createChecker()
  /** For models that are only checked: the parts of a loaded program stay what they are. */
  const onlooker = createChecker()
  let looked: Model | null = null
  let load = 0
  let program: Program | null = null
  let session: Debugger | null = null
  let problems: readonly Problem[] = []
  let breakpoints: readonly Breakpoint[] = []
  let watches: readonly Watch[] = []
  let profiling = false
  let lastProfile = 0
  let state: RunState = 'ready'
  let speed: number | null = null
  let inFlight = false
  let told = false
  let job: Job | null = null
  let stopTimer: (() => void) | null = null
  /** Where the clock of a throttled run stands: model ticks owed count from here. */
  let since = 0
  let sinceTick = 0
  let lastFrame = 0
  let inspected: { population: string; entity: number } | null = null
  let listing: ListAsk | null = null
  let chainAsk: ChainAsk | null = null
  /** While a run plays, not before this time. */
  let nextList = 0

  const send = (message: FromEngine, frame?: Frame): void => post(message, frame ? transferables(frame) : [])
  const scenario = (): { id: string } => ({ id: program?.checked.parts.scenario.id ?? '' })

  function frameOf({ timeline }: Debugger): Frame {
    const { output, rewound } = timeline.takeOutput()
    const { run, shown } = timeline
    const frame = observe(shown, load, state, output, rewound)
    // Rows of charts are told once: those of the instant to come are not there yet.
    return shown === run ? frame : { ...frame, series: run.inner.charts.take(run.world) }
  }

  function showFrame(now: Debugger): void {
    const frame = frameOf(now)
    inFlight = true
    lastFrame = surroundings.now()
    send({ is: 'frame', frame }, frame)
    tellIndividual(now.timeline.shown)
    tellList(now.timeline.shown)
    if (state === 'paused' && now.stop) send({ is: 'stopped', load, stop: now.stop })
    if (state === 'paused') send({ is: 'waiting', load, waiting: waitingTokens(now.timeline.program, now.timeline.run.inner.built) })
    if (state !== 'playing') tellWatches(now)
    if (state !== 'playing') tellChain(now.timeline.run)
    tellProfile(now)
  }

  function tellWatches(now: Debugger): void {
    if (watches.length > 0) send({ is: 'watches', load, values: [...now.look()] })
  }

  function tellProfile(now: Debugger): void {
    const clock = surroundings.now()
    if (!profiling || (state === 'playing' && clock - lastProfile < profileMs)) return
    lastProfile = clock
    const { profile } = now
    if (profile) send({ is: 'profile', load, on: true, profile })
  }

  /** Begins to count time, or stops; what was counted stays with the page. */
  function measure(now: Debugger, on: boolean): void {
    if (profiling && !on) {
      const { profile } = now
      if (profile) send({ is: 'profile', load, on: false, profile })
    }
    now.measure(on)
  }

  function tellIndividual(run: Run): void {
    if (!inspected) return
    const { population, entity } = inspected
    const index = run.program.checked.parts.entities.findIndex(one => one.id === population)
    send({ is: 'individual', population, entity, values: index < 0 ? null : run.individual(index, entity) })
  }

  function tellList(run: Run): void {
    const began = surroundings.now()
    if (!listing || (state === 'playing' && began < nextList)) return
    send({ is: 'individuals', load, listing: run.individuals(listing) })
    // Sorting a hundred thousand takes a while: a tenth of the time at most.
    const now = surroundings.now()
    nextList = now + Math.max(listMs, 10 * (now - began))
  }

  function tellChain(run: Run): void {
    if (chainAsk) send({ is: 'chain', load, chain: run.inner.built.clockwork.chains?.describe(chainAsk) ?? null })
  }

  /** The run so far is made once more, beside the one that is shown, and then its transactions by the reference machine. */
  async function verify(timeline: Timeline, most: number): Promise<void> {
    const begun = load
    const tell = (state: VerifyState): void => void (load === begun && send({ is: 'verified', load, state }))
    const pause = (): Promise<void> => new Promise(resolve => void surroundings.later(0, resolve))
    tell({ is: 'running', done: 0, of: 0 })
    let module: typeof import('./chain/reference/verify.ts')
    try {
      module = await import('./chain/reference/verify.ts')
    } catch (error) {
      return tell({ is: 'failed', why: 'not loaded', message: messageOf(error) })
    }
    try {
      const verification = new module.Verification(most)
      const { origin } = timeline
      const again = new Timeline(timeline.program, origin.options, surroundings.now, verification.options)
      again.adopt({ ...origin, checkpoint: null, charts: new Map() })
      again.seek({ instants: origin.instants })
      for (let began = surroundings.now(); !again.work(() => verification.isFull || surroundings.now() - began >= sliceMs);) {
        if (verification.isFull || load !== begun) break
        await pause()
        began = surroundings.now()
      }
      const verdicts = await verification.finish(async (done, of) => {
        tell({ is: 'running', done, of })
        await pause()
        if (load !== begun) throw new RangeError('another model was loaded')
      })
      tell({ is: 'done', verdicts })
    } catch (error) {
      tell({ is: 'failed', why: 'broken', message: messageOf(error) })
    }
  }

  function begin(options: RunOptions, origin: Origin | null = null): void {
    halt()
    told = false
    inFlight = false
    session = null
    state = 'ready'
    if (!program) return
    const begun = new Debugger(program, options, breakpoints, surroundings.now)
    const { result } = begun.timeline.run
    // First values that can't be had: nothing of the run is there to be shown.
    if (result?.end === 'failed') return send({ is: 'problems', load, problems: [result.problem, ...problems] })
    session = begun
    begun.watch(watches)
    if (profiling) begun.measure(true)
    const frame = frameOf(begun)
    send({ is: 'loaded', loaded: describe(begun.timeline.run, load), problems: [...problems], frame }, frame)
    tellRefused(begun)
    tellList(begun.timeline.shown)
    tellChain(begun.timeline.run)
    if (origin) {
      begun.follow(origin)
      begins({ does: 'travel' })
    } else if (!ended(begun)) tellWatches(begun)
  }

  function tellRefused({ armed }: Debugger): void {
    if (breakpoints.length > 0) send({ is: 'breakpoints', load, refused: [...armed.refused], moved: [...armed.moved] })
  }

  function problemOf(error: RunError): Problem {
    const at = error.at ?? scenario()
    return problem(error.code, error.from === undefined ? at : { ...at, from: error.from, to: error.to ?? error.from }, error.params)
  }

  function halt(): void {
    stopTimer?.()
    stopTimer = null
    job = null
  }

  /** Says once that the run is over. */
  function ended(now: Debugger): boolean {
    const { run } = now.timeline
    if (!run.result) return false
    halt()
    state = 'ended'
    if (!told) {
      told = true
      const frame = frameOf(now)
      send({ is: 'ended', load, result: run.result, summary: run.summary(), frame }, frame)
      tellIndividual(run)
      tellList(run)
      tellChain(run)
      tellWatches(now)
      tellProfile(now)
    }
    return true
  }

  function pause(now: Debugger): void {
    halt()
    if (ended(now)) return
    state = 'paused'
    showFrame(now)
  }

  function begins(next: Job): void {
    job = next
    stopTimer ??= surroundings.later(0, slice)
  }

  function pace(next: number | null): void {
    speed = next !== null && Number.isFinite(next) && next > 0 ? next : null
    since = surroundings.now()
    sinceTick = session?.timeline.run.time ?? 0
  }

  /** One stretch of whatever is to be done. */
  function slice(): void {
    stopTimer = null
    guarded(() => {
      if (!session || !job) return
      const began = surroundings.now()
      const late = (): boolean => surroundings.now() - began >= sliceMs
      const wait = job.does === 'play' ? play(session, began, late) : job.does === 'travel' ? travel(session, late) : walk(session, late)
      if (wait !== null) stopTimer = surroundings.later(wait, slice)
    })
  }

  /** Milliseconds until the next stretch; null when there is none. */
  function play(now: Debugger, began: number, late: () => boolean): number | null {
    const { timeline } = now
    const due = (): number => (speed === null ? Infinity : sinceTick + ((began - since) / 1000) * speed)
    const owed = (): boolean => now.stop !== null || timeline.nextTime <= due()
    let wait = 0
    while (!timeline.run.result && owed()) {
      if (now.leap(due())) {
        pause(now)
        return null
      }
      if (!late()) continue
      // Too slow for the speed asked: owe nothing, or a slow stretch would be followed by a rush.
      if (speed !== null) pace(speed)
      break
    }
    if (ended(now)) return null
    if (speed !== null && !owed()) wait = Math.min(100, Math.max(1, ((timeline.nextTime - due()) / speed) * 1000))
    if (!inFlight && surroundings.now() - lastFrame >= frameMs) showFrame(now)
    return wait
  }

  function travel(now: Debugger, late: () => boolean): number | null {
    if (!now.timeline.work(late)) return 0
    arrive(now)
    return null
  }

  function arrive(now: Debugger): void {
    halt()
    told = false
    state = now.timeline.run.state === 'ready' ? 'ready' : 'paused'
    if (!ended(now)) showFrame(now)
  }

  function walk(now: Debugger, late: () => boolean): number | null {
    do {
      if (now.leap() || now.timeline.run.result) {
        pause(now)
        return null
      }
    } while (!late())
    return 0
  }

  /** One tick; a pure event model: one instant. From the middle of an instant: the rest of it. */
  function step(now: Debugger): void {
    if (ended(now)) return
    const { timeline } = now
    const ticking = timeline.run.program.checked.parts.scenario.fields['ticking'] !== false
    const until = timeline.broken ? timeline.run.time : timeline.run.state === 'ready' ? 0 : timeline.run.tick + 1
    let stopped = now.advance()
    if (ticking) while (!stopped && !timeline.run.result && timeline.nextTime <= until) stopped = now.leap(until)
    pause(now)
  }

  function guarded(act: () => void): void {
    try {
      act()
    } catch (error) {
      halt()
      session = null
      state = 'ended'
      const detail = error instanceof Error ? error.message : String(error)
      send({ is: 'broken', problem: error instanceof RunError ? problemOf(error) : problem(10000, scenario(), [detail]) })
    }
  }

  function loads(message: Extract<ToEngine, { do: 'load' | 'follow' }>): void {
    load = message.load
    halt()
    session = null
    program = null
    const { checked, problems: found } = checker.check(message.model, message.scenario)
    problems = found
    if (!checked) return send({ is: 'problems', load, problems: [...found] })
    program = compile(checked)
    if (message.do === 'load') begin(message.options)
    else begin(message.origin.options, message.origin)
  }

  /** What a person does to a run that stands or plays. */
  function command(
    now: Debugger,
    message: Exclude<
      ToEngine,
      {
        do:
          | 'load'
          | 'follow'
          | 'check'
          | 'checkEdit'
          | 'reset'
          | 'drawn'
          | 'inspect'
          | 'list'
          | 'chain'
          | 'decisions'
          | 'breakpoints'
          | 'watch'
          | 'profile'
          | 'explain'
      }
    >,
  ): void {
    // A journey ends before anything else begins; only another journey may replace it.
    if (job?.does === 'travel' && message.do !== 'seek') {
      now.timeline.work()
      arrive(now)
    }
    switch (message.do) {
      case 'play':
        if (ended(now)) return
        if (job?.does !== 'play') halt()
        now.letGo()
        state = 'playing'
        pace(message.speed)
        return begins({ does: 'play' })
      case 'pause':
        if (state !== 'playing') return
        return pause(now)
      case 'speed':
        return pace(message.speed)
      case 'step':
        halt()
        return step(now)
      case 'seek':
      case 'back':
        halt()
        if (message.do === 'back') now.back()
        else now.seek({ time: Number.isFinite(message.tick) ? message.tick : -1 })
        state = 'paused'
        if (now.stop) return arrive(now)
        return begins({ does: 'travel' })
      case 'stepToken':
        if (ended(now)) return
        halt()
        state = 'playing'
        now.step(message.how)
        return begins({ does: 'token' })
      case 'branch':
        return send({ is: 'origin', load, origin: now.timeline.origin })
      case 'set':
      case 'press':
        return give(now, message)
    }
  }

  function give({ timeline }: Debugger, message: Extract<ToEngine, { do: 'set' | 'press' }>): void {
    if (timeline.run.result) return
    try {
      if (message.do === 'set') timeline.input('set', message.variable, message.value)
      else timeline.input('press', message.controller, null)
    } catch (error) {
      if (!(error instanceof RunError)) throw error
      // Before the first instant a value that doesn't fit is known at once.
      session = null
      send({ is: 'problems', load, problems: [problemOf(error), ...problems] })
    }
  }

  function obey(message: ToEngine): void {
    switch (message.do) {
      case 'load':
      case 'follow':
        return loads(message)
      case 'check':
      case 'checkEdit': {
        const edit = message.do === 'checkEdit' ? message.edit : undefined
        if (message.do === 'check') looked = message.model
        else if (looked) looked = withEdit(looked, message.edit)
        else throw new Error('an edit of no model')
        const { problems } = onlooker.check(looked, message.scenario, edit)
        return send({ is: 'checked', check: message.check, problems: [...problems] })
      }
      case 'reset':
        return begin(message.options)
      case 'drawn':
        inFlight = false
        return
      case 'inspect':
        inspected = message.entity === null ? null : { population: message.population, entity: message.entity }
        if (session) tellIndividual(session.timeline.shown)
        return
      case 'list':
        listing = message.ask && { ...message.ask, count: Math.min(mostListed, message.ask.count) }
        nextList = 0
        if (session) tellList(session.timeline.shown)
        return
      case 'chain':
        chainAsk = message.ask
        if (session && state !== 'playing') tellChain(session.timeline.run)
        return
      case 'verify':
        if (session && state !== 'playing') void verify(session.timeline, message.most)
        return
      case 'decisions':
        if (session) send({ is: 'decisions', load, decisions: decided(session.timeline.run) })
        return
      case 'breakpoints':
        breakpoints = message.breakpoints
        if (!session) return
        session.arm(breakpoints)
        return tellRefused(session)
      case 'watch':
        ;({ watches } = message)
        if (!session) return
        session.watch(watches)
        if (state !== 'playing' && job?.does !== 'travel') tellWatches(session)
        return
      case 'explain':
        if (session) send({ is: 'explained', load, explained: explain(session.plain) })
        return
      case 'profile':
        if (session) measure(session, message.on)
        profiling = message.on
        lastProfile = 0
        return
      default:
        if (session) command(session, message)
    }
  }

  /** Messages that came while the chain's code was being loaded, in their order; null while nothing is. */
  let kept: ToEngine[] | null = null

  function receive(message: ToEngine): void {
    if (kept !== null) kept.push(message)
    else if ((message.do === 'load' || message.do === 'follow') && needsChain(message.model)) {
      kept = [message]
      void loadChainOf(message.model)
        .catch(() => undefined)
        .then(goOn)
    } else guarded(() => obey(message))
  }

  /** Where the code cannot be loaded, the model's runs say so: the engine is not there. */
  function goOn(): void {
    const messages = kept ?? []
    kept = null
    for (const message of messages) guarded(() => obey(message))
  }

  return { receive, close: halt }
}

// In a worker of its own the engine attaches itself to the port it was born with.
const port: unknown = globalThis
if (isWorkerScope(port)) {
  const engine = createEngine((message, transfer) => port.postMessage(message, transfer))
  port.addEventListener('message', event => engine.receive(event.data))
}

type WorkerScope = {
  postMessage(message: FromEngine, transfer: ArrayBuffer[]): void
  addEventListener(type: 'message', heard: (event: { data: ToEngine }) => void): void
}

function isWorkerScope(scope: unknown): scope is WorkerScope {
  return typeof scope === 'object' && scope !== null && 'WorkerGlobalScope' in scope && 'postMessage' in scope
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 300)

const decided = (run: Run): DecidedAt[] =>
  run.decisions.recordings.map(({ point, rows }) => ({ step: point.id, choices: point.choices, actions: point.actions, rows }))
