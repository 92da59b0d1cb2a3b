// The state of a run for the page: a store fed by an engine in a worker, with the commands of the user. Every start from the beginning is a
// new `load` with its own number, so an answer to an earlier one is recognised and dropped.
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Id, Model } from '../../model-schema/model.ts'
import type {
  Breakpoint,
  ChainAsk,
  ChainView,
  DecidedAt,
  Frame,
  ListAsk,
  Listing,
  Loaded,
  Origin,
  Plain,
  Explained,
  Profile,
  RunResult,
  StepHow,
  Stop,
  Summary,
  VerifyState,
  Watch,
  Watched,
} from '../../sim-engine/messages.ts'
import type { Problem } from '../../sim-engine/problems.ts'
import type { Transport } from './engine.ts'
import { begunFork, type RunFork } from './fork.ts'
import { Hands } from './hands.ts'
import { firstRunning, runningAfter, type RunEffect, type RunEvent } from './running.ts'
import type { SeriesBuffer } from './series.ts'
import type { Words } from '../../model-schema/words.ts'

/** `problems`: the model can't run. `broken`: the engine can't. */
export type RunStatus = 'loading' | 'problems' | 'ready' | 'playing' | 'paused' | 'ended' | 'broken'

type OutputLine = { tick: number; element: Id; text: string }

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
  /** The requested range of a population's individuals, from the engine's latest answer. */
  listing: Listing | null
  /** The chain asked for, as it was when the run last stood. */
  chain: ChainView | null
  /** The state of the comparison of the chains with the reference machine, if one was requested. */
  verified: VerifyState | null
  /** The decisions taken when they were asked for last. */
  decisions: readonly DecidedAt[]
  broken: Problem | null
  /** The latest tick this run has reached, even if it was rewound since. */
  furthest: number
  /** The run is stopped in the middle of an instant, before a step. */
  stop: Stop | null
  breakpoints: readonly Breakpoint[]
  /** Breakpoints with an invalid condition, and why it is. */
  refused: readonly { id: string; words: Words }[]
  /** Watched formulas and their values at the current moment. */
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
  /** A what-if run, shown with this run. */
  fork: RunFork | null
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
  /** Starts a what-if at the current moment: a second run of the same model, which plays in step with this one. */
  startFork(): void
  /** Ends the what-if; `keep` makes it the run itself. */
  endFork(keep: boolean): void
  /** Passes the current state of the run to `taken`, once. */
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
  /** Passes the user's values to the waiting question: see the frame's `asked`. */
  answer(values: readonly number[]): void
  /** Follows one individual's properties; null lets go. */
  inspect(population: Id, entity: number | null, follow?: boolean): void
  /** Follows a stretch of a population; null lets go. */
  list(ask: ListAsk | null): void
  /** Follows a chain while the run is stopped; null ends it. */
  watchChain(ask: ChainAsk | null): void
  /** Has the transactions so far executed again by the reference machine; how it goes appears in `verified`. */
  verifyChains(): void
  /** Asks for the decisions taken so far; they appear in `decisions`. */
  askDecisions(): void
  /** While a formula is being typed, the unfinished text is not checked. */
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

const browserClock: Clock = {
  after(ms, act) {
    const timer = setTimeout(act, ms)
    return () => clearTimeout(timer)
  },
  // A hidden page draws nothing, but its run continues: a slow timer replaces the animation frame.
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

/** The run of one scenario. Nothing happens before it is opened. */
export function createRun(parts: RunParts): Run {
  const { model, scenario, limits } = parts
  const origin = parts.origin ?? null
  const speed = parts.speed === undefined ? 30 : parts.speed
  let state = firstRunning(model.getState().model, speed, limits?.getState().ticksPerSecond ?? null, origin)
  const store = createStore<RunView>(() => state.view)
  const hands = new Hands({ ...parts, clock: parts.clock ?? browserClock, tell: event => dispatch(event) })
  const queue = new EffectQueue(execute)
  let isOpen = false
  let handOver: ((origin: Origin) => void) | null = null

  function dispatch(event: RunEvent): void {
    const around = { scenario, model: model.getState().model, stepLimit: limits?.getState().steps ?? null, origin }
    const [next, follow] = runningAfter({ ...state, view: store.getState() }, event, around)
    state = next
    for (const effect of follow)
      if (effect.type === 'file') file(effect)
      else queue.add(effect)
    store.setState(next.view, true)
    queue.executeAll()
  }

  function execute(effect: Waiting): void {
    if (effect.type === 'load') {
      if (!isOpen) return
      hands.finishLoad()
      endFork()
      if (hands.hasEngine()) dispatch({ type: 'load' })
    } else if (effect.type === 'handOver') {
      handOver?.(effect.origin)
      handOver = null
    } else if (isOpen || (effect.type !== 'settle' && effect.type !== 'check')) hands.execute(effect)
  }

  function branch(taken: (origin: Origin) => void): void {
    const { status } = store.getState()
    if (status === 'loading' || status === 'problems' || status === 'broken') return
    handOver = taken
    dispatch({ type: 'branch' })
  }

  function startFork(): void {
    endFork()
    const forked = state.loadedModel
    branch(taken => {
      const { speed, inputs } = store.getState()
      const run = createRun({ ...parts, model: createStore(() => ({ model: forked })), speed, origin: taken })
      dispatch({ type: 'forked', fork: begunFork(store, run, inputs) })
    })
  }

  function endFork(): void {
    const { fork } = store.getState()
    fork?.end()
    if (fork) dispatch({ type: 'forked', fork: null })
  }

  /** The what-if replaces the run and continues from its current state. */
  const keepFork = ({ run }: RunFork): void =>
    run.branch(taken => dispatch({ type: 'follow', origin: taken, inputs: run.getState().inputs }))

  function open(): () => void {
    isOpen = true
    const stopLimits = limits?.subscribe((now, before) =>
      dispatch({ type: 'limited', fastest: now.ticksPerSecond, isOtherLength: now.steps !== before.steps }),
    )
    const stopWatching = model.subscribe((now, before) => {
      if (now.model !== before.model) dispatch({ type: 'edited' })
    })
    execute({ type: 'load' })
    return () => {
      isOpen = false
      stopWatching()
      stopLimits?.()
      endFork()
      hands.close()
    }
  }

  return {
    ...store,
    ...commandsOf(dispatch),
    scenario,
    model,
    startFork,
    endFork(keep) {
      const { fork } = store.getState()
      if (fork && keep) keepFork(fork)
      else endFork()
    },
    branch,
    open,
  }
}

/** Effects that are executed after everybody has heard of the new state. */
type Waiting = Exclude<RunEffect, { type: 'file' }>

/** Executes effects in order. Those that come while one is executed wait for their turn. */
class EffectQueue {
  readonly #effects: Waiting[] = []
  readonly #execute: (effect: Waiting) => void
  #isExecuting = false

  constructor(execute: (effect: Waiting) => void) {
    this.#execute = execute
  }

  add(effect: Waiting): void {
    this.#effects.push(effect)
  }

  executeAll(): void {
    if (this.#isExecuting) return
    this.#isExecuting = true
    try {
      for (let effect = this.#effects.shift(); effect; effect = this.#effects.shift()) this.#execute(effect)
    } finally {
      this.#isExecuting = false
      // After an error the rest must not be executed with a later event.
      this.#effects.length = 0
    }
  }
}

type Command = Exclude<keyof Run, keyof StoreApi<RunView> | 'scenario' | 'model' | 'startFork' | 'endFork' | 'branch' | 'open'>

/** What a person may do with a run, as events. */
const commandsOf = (dispatch: (event: RunEvent) => void): Pick<Run, Command> => ({
  play: () => dispatch({ type: 'begin', how: { do: 'play' } }),
  pause: () => dispatch({ type: 'pause' }),
  toggle: () => dispatch({ type: 'toggle' }),
  step: () => dispatch({ type: 'step' }),
  stepToken: how => dispatch({ type: 'begin', how: { do: 'stepToken', how } }),
  reset: () => dispatch({ type: 'reset' }),
  back: () => dispatch({ type: 'back' }),
  seek: tick => dispatch({ type: 'seek', tick }),
  restart: () => dispatch({ type: 'restart' }),
  setSpeed: speed => dispatch({ type: 'speed', speed }),
  setSeed: seed => dispatch({ type: 'seed', seed }),
  setTicks: ticks => dispatch({ type: 'ticks', ticks }),
  setInput: (variable, value) => dispatch({ type: 'input', variable, value }),
  clearInput: variable => dispatch({ type: 'clearInput', variable }),
  press: controller => dispatch({ type: 'press', controller }),
  answer: values => dispatch({ type: 'answer', values }),
  setBreakpoints: breakpoints => dispatch({ type: 'breakpoints', breakpoints }),
  setWatches: watches => dispatch({ type: 'watches', watches }),
  setProfiling: on => dispatch({ type: 'profiling', on }),
  setTyping: now => dispatch({ type: 'typing', now }),
  setHeat: on => dispatch({ type: 'heat', on }),
  explain: () => dispatch({ type: 'explain' }),
  inspect: (population, entity, follow = false) => dispatch({ type: 'inspect', population, entity, follow }),
  list: ask => dispatch({ type: 'list', ask }),
  watchChain: ask => dispatch({ type: 'chain', ask }),
  verifyChains: () => dispatch({ type: 'verify' }),
  askDecisions: () => dispatch({ type: 'decisions' }),
})

function file({ frame, series }: Extract<RunEffect, { type: 'file' }>): void {
  for (const rows of frame.series) series.get(rows.chart)?.take(rows)
}
