// A run as the page knows it: a store fed by an engine in a worker, and what a person may do with it. Every start from
// the beginning is a new `load` with its own number, so an answer that belongs to an earlier one is known and dropped.
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Id, Model } from '../../model-schema/model.ts'
import type {
  Breakpoint,
  ChainAsk,
  ChainView,
  DecidedAt,
  Frame,
  FromEngine,
  ListAsk,
  Listing,
  Loaded,
  Origin,
  Plain,
  Explained,
  Profile,
  RunOptions,
  RunResult,
  StepHow,
  Stop,
  Summary,
  ToEngine,
  VerifyState,
  Watch,
  Watched,
} from '../../sim-engine/messages.ts'
import { editBetween } from '../../sim-engine/model-edit.ts'
import { hostProblem } from '../../sim-engine/host-problems.ts'
import type { Problem } from '../../sim-engine/problems.ts'
import { difference } from './difference.ts'
import type { Transport } from './engine.ts'
import { begunFork, type Fork } from './fork.ts'
import { SeriesBuffer } from './series.ts'
import type { Words } from '../../model-schema/words.ts'

/** `problems`: the model can't run. `broken`: the engine can't. */
export type RunStatus = 'loading' | 'problems' | 'ready' | 'playing' | 'paused' | 'ended' | 'broken'

/** How a run goes on from where it stands. */
type Begin = { do: 'play' } | { do: 'step' } | { do: 'stepToken'; how: StepHow }

export type OutputLine = { tick: number; element: Id; text: string }

export type RunView = {
  status: RunStatus
  loaded: Loaded | null
  /** The newest state shown; its arrays belong to it until the next one comes. */
  frame: Frame | null
  result: RunResult | null
  summary: Summary | null
  /** Errors and warnings of the model as it is now. */
  problems: readonly Problem[]
  /** The model has changed since this run was loaded: a reset applies it. */
  stale: boolean
  /** The engine owes an answer for longer than is usual. */
  silent: boolean
  /** Ticks per second of wall time; null = as fast as it goes. */
  speed: number | null
  /** The most the plan allows of these; null = no limit. */
  fastest: number | null
  /** The person's own seed; null = as the scenario says. */
  seed: number | null
  /** That of the last load, also while the model can't run. */
  seedUsed: number | null
  /** Instead of the scenario's total ticks; null = as the scenario says. */
  ticks: number | null
  /** Public variables set by a person, kept for the next start. */
  inputs: Readonly<Record<Id, Plain>>
  /** Values set since the run began that no frame has confirmed yet, with the tick they were set at. */
  pending: Readonly<Record<Id, { value: Plain; tick: number }>>
  /** The last lines written, oldest first, at most `outputLines`. */
  output: readonly OutputLine[]
  /** Lines that had to go. */
  outputDropped: number
  /** Values are null when the individual is no more, undefined before the first answer. */
  inspected: {
    population: Id
    entity: number
    values: Record<string, Plain> | null | undefined
    /** World views are to keep it in their middle. */
    follow?: boolean
  } | null
  /** The stretch of a population asked for, as it was last told. */
  listing: Listing | null
  /** The chain asked for, as it was when the run last stood. */
  chain: ChainView | null
  /** How the comparison of the chains with the reference machine goes, where one was asked for. */
  verified: VerifyState | null
  /** The decisions taken when they were asked for last. */
  decisions: readonly DecidedAt[]
  broken: Problem | null
  /** The latest tick this run has reached, wherever it stands now. */
  furthest: number
  /** The run stands in the middle of an instant, before a step. */
  stop: Stop | null
  breakpoints: readonly Breakpoint[]
  /** Breakpoints whose condition can't be used, and why. */
  refused: readonly { id: string; words: Words }[]
  /** Formulas a person watches, and what they say where the run stands. */
  watches: readonly Watch[]
  watched: ReadonlyMap<string, Watched>
  /** Tokens of a paused run that wait, and for what. */
  waiting: Summary['waiting']
  /** Time is being counted; where it went, the last time it was. */
  profiling: boolean
  profile: Profile | null
  /** How the engine runs each process of the loaded model; null until asked for. */
  explained: readonly Explained[] | null
  /** Elements are coloured by their share of the time. */
  heat: boolean
  /** A what-if beside this run. */
  fork: Fork | null
  /** What came of stepping and playing so far, for charts: per chart, changing in place (see its `version`). */
  series: ReadonlyMap<Id, SeriesBuffer>
}

export type Run = StoreApi<RunView> & {
  readonly scenario: Id
  /** The model as it is now, edits included. */
  readonly model: RunParts['model']
  play(): void
  pause(): void
  /** Plays or pauses, whichever makes sense. */
  toggle(): void
  step(): void
  /** Back to before the first instant, with the model as it is now. */
  reset(): void
  /** One tick back. */
  back(): void
  /** To the state after a tick, back or forth. */
  seek(tick: number): void
  /** To the next step of any token, of this one, or of its callers. */
  stepToken(how: StepHow): void
  setBreakpoints(breakpoints: readonly Breakpoint[]): void
  setWatches(watches: readonly Watch[]): void
  /** Starts to count time, from zero, or stops. What was counted stays to be read. */
  setProfiling(on: boolean): void
  /** Asks how the engine runs the loaded model: see `explained`. */
  explain(): void
  setHeat(on: boolean): void
  /** Begins a what-if where the run stands: a second run of the same model, which plays along. */
  startFork(): void
  /** Ends the what-if; `keep` makes it the run itself. */
  endFork(keep: boolean): void
  /** Hands over where the run stands, once. */
  branch(taken: (origin: Origin) => void): void
  setSpeed(speed: number | null): void
  /** Before the first instant at once; later, from the next start on. */
  setSeed(seed: number | null): void
  /** A length of the run of its own, from its next start on. */
  setTicks(ticks: number | null): void
  /** While running the engine takes it at the next instant; the next start begins with it too. */
  setInput(variable: Id, value: Plain): void
  /** Back to what the model says, from the next start on. */
  clearInput(variable: Id): void
  press(controller: Id): void
  /** Follows one individual's properties; null lets go. */
  inspect(population: Id, entity: number | null, follow?: boolean): void
  /** Follows a stretch of a population; null lets go. */
  list(ask: ListAsk | null): void
  /** Follows a chain whenever the run stands; null lets go. */
  watchChain(ask: ChainAsk | null): void
  /** Has the transactions so far executed again by the reference machine; how it goes appears in `verified`. */
  verifyChains(): void
  /** Asks for the decisions taken so far; they appear in `decisions`. */
  askDecisions(): void
  /** While somebody writes a formula, what is half written is not checked. */
  setTyping(now: boolean): void
  /** Ends an engine that crashed or hangs and starts another. */
  restart(): void
  /** Starts the engine, loads the scenario and watches the model. Returns its end; may be opened again after it. */
  open(): () => void
}

/** Timers and animation frames, handed in so that tests need not wait. Each returns its own cancelling. */
export type Clock = { after(ms: number, act: () => void): () => void; draw(act: () => void): () => void }

/** Most ticks of one run, and most ticks a second while it plays; null: no limit. */
export type RunLimits = { readonly steps: number | null; readonly ticksPerSecond: number | null }

export type RunParts = {
  model: Omit<StoreApi<{ model: Model }>, 'setState'>
  scenario: Id
  spawn(): Transport
  clock?: Clock
  /** What the plan allows; it may be learnt later. */
  limits?: Pick<StoreApi<RunLimits>, 'getState' | 'subscribe'> | undefined
  /** Ticks per second to begin with. */
  speed?: number | null
  /** Where another run stood: this one begins, and begins again, there. */
  origin?: Origin
}

export const outputLines = 5_000

/** Milliseconds. Edits come in bursts; a slider moves in smaller ones. */
const settle = { edit: 200, input: 120 }
/** Milliseconds without an owed answer: first a hint, then the engine is given up. */
const patience = { hint: 4_000, load: 60_000, run: 300_000 }

export const browserClock: Clock = {
  after(ms, act) {
    const timer = setTimeout(act, ms)
    return () => clearTimeout(timer)
  },
  // A hidden page draws nothing, but its run goes on: a slow timer stands in for the animation frame.
  draw(act) {
    let done = false
    const once = () => {
      if (done) return
      done = true
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      act()
    }
    const frame = requestAnimationFrame(once)
    const timer = setTimeout(once, 250)
    return () => {
      done = true
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  },
}

const within = (speed: number | null, fastest: number | null): number | null =>
  fastest === null || (speed !== null && speed <= fastest) ? speed : fastest

const beginning = (speed: number | null, fastest: number | null): RunView => ({
  status: 'loading',
  loaded: null,
  frame: null,
  result: null,
  summary: null,
  problems: [],
  stale: false,
  silent: false,
  speed: within(speed, fastest),
  fastest,
  seed: null,
  seedUsed: null,
  ticks: null,
  inputs: {},
  pending: {},
  output: [],
  outputDropped: 0,
  inspected: null,
  listing: null,
  chain: null,
  verified: null,
  decisions: [],
  broken: null,
  furthest: 0,
  stop: null,
  breakpoints: [],
  refused: [],
  watches: [],
  watched: new Map(),
  waiting: [],
  profiling: false,
  profile: null,
  explained: null,
  heat: false,
  fork: null,
  series: new Map(),
})

/** The run of one scenario. Nothing happens before it is opened. */
/** Transactions that are compared with the reference machine: some seconds of its work. */
const mostVerified = 5_000

export function createRun(parts: RunParts): Run {
  const { model, scenario, clock = browserClock } = parts
  const store = createStore<RunView>(() =>
    beginning(parts.speed === undefined ? 30 : parts.speed, parts.limits?.getState().ticksPerSecond ?? null),
  )
  const { getState: view, setState: set } = store

  let engine: Transport | null = null
  let load = 0
  /** The model this load was made from, and the one last checked. */
  let loadedModel = model.getState().model
  let checkedModel = loadedModel
  /** The model the checker knows. */
  let sentModel: Model | null = null
  /** What a person asked for that waits until the scenario is loaded. */
  let afterLoad: Begin | null = null
  /** Inputs were set since the load, which waits until no more of them come. */
  let inputsWait = false
  /** The next load goes on from here. */
  let following = parts.origin ?? null
  let handOver: ((origin: Origin) => void) | null = null
  let isOpen = false
  let typing = false
  let asked: ListAsk | null = null
  let chainAsk: ChainAsk | null = null

  // Checks edits while a run stands: a second engine, because a load would end the run of the first.
  let checker: Transport | null = null
  let checks = 0

  let cancelSettle = () => {}
  let cancelHint = () => {}
  let cancelGiveUp = () => {}
  let cancelDraw = () => {}

  const options = (): RunOptions => {
    const { seed, ticks, inputs } = view()
    const stepLimit = parts.limits?.getState().steps ?? null
    const known = model.getState().model.elements
    return {
      ...(seed === null ? {} : { seed }),
      ...(ticks === null ? {} : { ticks }),
      inputs: Object.fromEntries(Object.entries(inputs).filter(([id]) => known.has(id))),
      ...(stepLimit === null ? {} : { stepLimit }),
    }
  }

  function post(message: ToEngine): void {
    engine?.post(message)
  }

  /** The engine owes an answer from now on. */
  function expect(giveUpAfter: number): void {
    answered()
    cancelHint = clock.after(patience.hint, () => set({ silent: true }))
    cancelGiveUp = clock.after(giveUpAfter, () => broke(hostProblem(10002, scenario)))
  }

  function answered(): void {
    cancelHint()
    cancelGiveUp()
    if (view().silent) set({ silent: false })
  }

  function broke(why: Problem): void {
    answered()
    cancelDraw()
    engine?.close()
    engine = null
    afterLoad = null
    set({ status: 'broken', broken: why })
  }

  function start(): Transport | null {
    if (engine) return engine
    try {
      const started = parts.spawn()
      started.listen(
        message => {
          if (engine === started) hear(message)
        },
        reason => {
          if (engine !== started) return
          console.error('engine:', reason)
          broke(hostProblem(10002, scenario))
        },
      )
      engine = started
    } catch (error) {
      console.error('engine:', error)
      broke(hostProblem(10001, scenario))
    }
    return engine
  }

  function loadNow(): void {
    if (!isOpen) return
    cancelSettle()
    cancelDraw()
    stopChecking()
    endFork()
    if (!start()) return
    loadedModel = checkedModel = model.getState().model
    inputsWait = false
    load++
    set({ status: 'loading', broken: null, stale: false, explained: null })
    expect(patience.load)
    // An engine that was started anew knows none yet.
    const { breakpoints, watches, profiling } = view()
    if (breakpoints.length > 0) post({ do: 'breakpoints', breakpoints: [...breakpoints] })
    if (watches.length > 0) post({ do: 'watch', watches: [...watches] })
    if (profiling) post({ do: 'profile', on: true })
    if (asked) post({ do: 'list', ask: asked })
    if (chainAsk) post({ do: 'chain', ask: chainAsk })
    if (following) post({ do: 'follow', load, model: loadedModel, scenario, origin: following })
    else post({ do: 'load', load, model: loadedModel, scenario, options: options() })
    following = parts.origin ?? null
  }

  function startFork(): void {
    endFork()
    const model = loadedModel
    branch(origin => {
      const { speed, inputs } = view()
      const fork = begunFork(store, createRun({ ...parts, model: createStore(() => ({ model })), speed, origin }), inputs)
      set({ fork })
    })
  }

  function endFork(): void {
    view().fork?.end()
    if (view().fork) set({ fork: null })
  }

  /** The what-if becomes the run: it is taken up where it stands. */
  function keepFork({ run }: Fork): void {
    run.branch(origin => {
      const { inputs } = run.getState()
      following = origin
      set({ inputs: { ...view().inputs, ...inputs } })
      loadNow()
    })
  }

  function branch(taken: (origin: Origin) => void): void {
    const { status } = view()
    if (!standing(status) && status !== 'ready') return
    handOver = taken
    post({ do: 'branch' })
  }

  function hear(message: FromEngine): void {
    switch (message.is) {
      case 'loaded': {
        if (message.loaded.load !== load) return
        answered()
        const series = new Map(message.loaded.charts.map(chart => [chart.id, new SeriesBuffer(chart.series.length)]))
        set({
          status: 'ready',
          loaded: message.loaded,
          seedUsed: message.loaded.seed,
          problems: message.problems,
          result: null,
          summary: null,
          pending: {},
          inspected: null,
          verified: null,
          decisions: [],
          stop: null,
          watched: new Map(),
          waiting: [],
          furthest: 0,
          series,
          ...take(message.frame, series),
        })
        if (afterLoad) begin(afterLoad)
        return
      }
      case 'problems':
        if (message.load !== load) return
        answered()
        afterLoad = null
        set({
          status: 'problems',
          problems: message.problems,
          loaded: null,
          frame: null,
          result: null,
          summary: null,
          inspected: null,
          output: [],
          series: new Map(),
        })
        return
      case 'frame': {
        if (message.frame.load !== load || view().status === 'loading') return
        answered()
        const { state } = message.frame
        set({
          ...take(message.frame, view().series),
          ...(state === 'ended' ? {} : { status: state, result: null, summary: null }),
          ...(state === 'playing' ? { stop: null } : {}),
        })
        cancelDraw()
        cancelDraw = clock.draw(() => {
          post({ do: 'drawn' })
          if (view().status === 'playing') expect(patience.run)
        })
        return
      }
      case 'ended':
        if (message.load !== load || view().status === 'loading') return
        answered()
        cancelDraw()
        set({ ...take(message.frame, view().series), status: 'ended', result: message.result, summary: message.summary })
        return
      case 'individual': {
        const { inspected } = view()
        if (inspected?.population === message.population && inspected.entity === message.entity)
          set({ inspected: { ...inspected, values: message.values } })
        return
      }
      case 'individuals':
        if (message.load === load && asked) set({ listing: message.listing })
        return
      case 'chain':
        if (message.load === load && chainAsk) set({ chain: message.chain })
        return
      case 'verified':
        if (message.load === load) set({ verified: message.state })
        return
      case 'decisions':
        if (message.load === load) set({ decisions: message.decisions })
        return
      case 'stopped':
        if (message.load !== load) return
        answered()
        set({ status: 'paused', stop: message.stop })
        return
      case 'breakpoints':
        if (message.load !== load) return
        set({ refused: message.refused })
        // Lines of a text edited meanwhile are not those the engine knows.
        if (difference(loadedModel, model.getState().model, scenario) === 'none')
          set({ breakpoints: settled(view().breakpoints, message.moved) })
        return
      case 'watches':
        if (message.load === load) set({ watched: new Map(message.values.map(one => [one.id, one])) })
        return
      case 'waiting':
        if (message.load === load) set({ waiting: message.waiting })
        return
      case 'profile':
        if (message.load === load) set({ profile: message.profile })
        return
      case 'explained':
        if (message.load === load) set({ explained: message.explained })
        return
      case 'origin':
        if (message.load !== load || !handOver) return
        handOver(message.origin)
        handOver = null
        return
      case 'broken':
        broke(message.problem)
        return
      case 'checked':
        // Said by the checker beside the run.
        return
    }
  }

  /** Files what a frame brings; the series are changed in place. */
  function take(frame: Frame, series: ReadonlyMap<Id, SeriesBuffer>): Partial<RunView> {
    for (const rows of frame.series) series.get(rows.chart)?.take(rows)
    const { output, outputDropped, pending, furthest } = view()
    const patch: Partial<RunView> = { frame }
    // A frame of another time, like the first one, brings all lines written up to then.
    const anew = frame.rewound || view().status === 'loading'
    if (anew || frame.output.length > 0) {
      const base = anew ? [] : output
      const lines = base.length + frame.output.length
      patch.output = [...base, ...frame.output].slice(-outputLines)
      patch.outputDropped = (anew ? 0 : outputDropped) + Math.max(0, lines - outputLines)
    }
    patch.stop = null
    if (frame.tick > furthest) patch.furthest = frame.tick
    const waiting = Object.entries(pending)
    const left = waiting.filter(([, { tick }]) => frame.tick <= tick && frame.state !== 'ended')
    if (left.length < waiting.length) patch.pending = Object.fromEntries(left)
    return patch
  }

  /** Goes on from where the run stands, as asked. What was edited or set a moment ago is loaded first. */
  function begin(how: Begin): void {
    const { status, speed } = view()
    if (status === 'loading') afterLoad = how
    else if (status === 'ready' && (inputsWait || difference(loadedModel, model.getState().model, scenario) !== 'none')) {
      afterLoad = how
      loadNow()
    } else if (status === 'ready' || status === 'paused') {
      afterLoad = null
      if (how.do === 'play') set({ status: 'playing' })
      post(how.do === 'play' ? { do: 'play', speed } : how)
      expect(patience.run)
    } else if (status === 'ended' && how.do === 'play') {
      afterLoad = how
      loadNow()
    }
  }

  function pause(): void {
    afterLoad = null
    if (view().status === 'playing') post({ do: 'pause' })
  }

  function stopChecking(): void {
    checker?.close()
    checker = null
    sentModel = null
  }

  /** Asks for the problems of the model as it is, leaving the run alone. */
  function check(): void {
    if (!checker) {
      try {
        const started = parts.spawn()
        started.listen(
          message => {
            if (checker !== started) return
            if (message.is === 'checked' && message.check === checks) set({ problems: message.problems })
          },
          // The run's own engine will tell: the next reset loads the same model there.
          stopChecking,
        )
        checker = started
      } catch (error) {
        console.error('engine:', error)
        return
      }
    }
    const now = model.getState().model
    if (sentModel) checker.post({ do: 'checkEdit', check: ++checks, edit: editBetween(sentModel, now), scenario })
    else checker.post({ do: 'check', check: ++checks, model: now, scenario })
    sentModel = checkedModel = now
  }

  const standing = (status: RunStatus): boolean => status === 'playing' || status === 'paused' || status === 'ended'

  function edited(): void {
    const { status, stale } = view()
    const now = model.getState().model
    if (status === 'broken' || difference(checkedModel, now, scenario) === 'none') return
    if (standing(status)) {
      const differs = difference(loadedModel, now, scenario) === 'program'
      if (stale !== differs) set({ stale: differs })
      check()
    } else loadNow()
  }

  function settleEdits(): void {
    if (typing) return
    cancelSettle()
    cancelSettle = clock.after(settle.edit, edited)
  }

  function setTyping(now: boolean): void {
    if (typing === now) return
    typing = now
    if (now && !inputsWait) cancelSettle()
    else if (!now && isOpen) settleEdits()
  }

  function setSpeed(wanted: number | null): void {
    const speed = within(wanted, view().fastest)
    set({ speed })
    if (view().status === 'playing') post({ do: 'speed', speed })
  }

  function open(): () => void {
    isOpen = true
    const stopLimits = parts.limits?.subscribe((now, before) => {
      set({ fastest: now.ticksPerSecond })
      setSpeed(view().speed)
      if (now.steps !== before.steps && view().status === 'ready') loadNow()
    })
    const stopWatching = model.subscribe((now, before) => {
      if (now.model === before.model) return
      settleEdits()
    })
    loadNow()
    return () => {
      isOpen = false
      stopWatching()
      stopLimits?.()
      for (const cancel of [cancelSettle, cancelHint, cancelGiveUp, cancelDraw]) cancel()
      stopChecking()
      endFork()
      engine?.close()
      engine = null
    }
  }

  return {
    ...store,
    scenario,
    model,
    play: () => begin({ do: 'play' }),
    pause,
    toggle: () => (view().status === 'playing' || afterLoad?.do === 'play' ? pause() : begin({ do: 'play' })),
    step() {
      if (view().status === 'playing') pause()
      else begin({ do: 'step' })
    },
    reset() {
      afterLoad = null
      loadNow()
    },
    back() {
      const { status } = view()
      if (status !== 'playing' && status !== 'paused' && status !== 'ended') return
      post({ do: 'back' })
      expect(patience.run)
    },
    seek(tick) {
      if (!standing(view().status) && view().status !== 'ready') return
      post({ do: 'seek', tick })
      expect(patience.run)
    },
    stepToken: how => begin({ do: 'stepToken', how }),
    setBreakpoints(breakpoints) {
      set({ breakpoints, refused: [] })
      post({ do: 'breakpoints', breakpoints: [...breakpoints] })
    },
    setWatches(watches) {
      set({ watches, watched: new Map([...view().watched].filter(([id]) => watches.some(one => one.id === id))) })
      post({ do: 'watch', watches: [...watches] })
    },
    setProfiling(profiling) {
      set(profiling ? { profiling, profile: null } : { profiling })
      post({ do: 'profile', on: profiling })
    },
    explain: () => post({ do: 'explain' }),
    setHeat: heat => set({ heat }),
    startFork,
    endFork(keep) {
      const { fork } = view()
      if (fork && keep) keepFork(fork)
      else endFork()
    },
    branch,
    setSpeed,
    setTyping,
    setSeed(seed) {
      set({ seed })
      if (view().status === 'ready') loadNow()
    },
    setTicks(ticks) {
      set({ ticks })
      if (view().status === 'ready') loadNow()
    },
    setInput(variable, value) {
      const { status, frame } = view()
      set({ inputs: { ...view().inputs, [variable]: value } })
      if (standing(status)) {
        set({ pending: { ...view().pending, [variable]: { value, tick: frame?.tick ?? 0 } } })
        if (status !== 'ended') post({ do: 'set', variable, value })
      } else if (status === 'ready' || status === 'problems') {
        inputsWait = true
        cancelSettle()
        cancelSettle = clock.after(settle.input, loadNow)
      }
    },
    clearInput(variable) {
      set({ inputs: Object.fromEntries(Object.entries(view().inputs).filter(([id]) => id !== variable)) })
      if (view().status === 'ready') loadNow()
    },
    press(controller) {
      const { status } = view()
      if (status === 'ready' || status === 'playing' || status === 'paused') post({ do: 'press', controller })
    },
    inspect(population, entity, follow = false) {
      set({ inspected: entity === null ? null : { population, entity, values: undefined, ...(follow ? { follow } : {}) } })
      post({ do: 'inspect', population, entity })
    },
    list(ask) {
      asked = ask
      if (ask === null || ask.population !== view().listing?.population) set({ listing: null })
      post({ do: 'list', ask })
    },
    watchChain(ask) {
      chainAsk = ask
      if (ask === null || ask.chain !== view().chain?.chain) set({ chain: null })
      post({ do: 'chain', ask })
    },
    verifyChains() {
      set({ verified: { is: 'running', done: 0, of: 0 } })
      post({ do: 'verify', most: mostVerified })
    },
    askDecisions: () => post({ do: 'decisions' }),
    restart() {
      engine?.close()
      engine = null
      loadNow()
    },
    open,
  }
}

/** Breakpoints on lines where no statement begins go to the next one. */
function settled(breakpoints: readonly Breakpoint[], moved: readonly { id: string; line: number }[]): readonly Breakpoint[] {
  if (moved.length === 0) return breakpoints
  const lines = new Map(moved.map(one => [one.id, one.line]))
  return breakpoints.map(one => {
    const line = lines.get(one.id)
    return one.on === 'line' && line !== undefined ? { ...one, line } : one
  })
}
