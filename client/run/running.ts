// What happens to a run of the page: the state after an event and the effects it has, for `run.ts` to execute. No engine, clock or store is needed for it.
import type { Id, Model } from '../../model-schema/model.ts'
import type { ChainAsk, Frame, FromEngine, ListAsk, Origin, Plain, RunOptions, StepHow, ToEngine } from '../../sim-engine/messages.ts'
import { editBetween } from '../../sim-engine/model-edit.ts'
import type { Problem } from '../../sim-engine/problems.ts'
import { difference } from './difference.ts'
import type { RunFork } from './fork.ts'
import type { RunStatus, RunView } from './run.ts'
import { SeriesBuffer } from './series.ts'
import { unreachable } from '../../model-schema/unreachable.ts'

export const outputLines = 5_000

/** Milliseconds. Edits come in bursts; a slider moves in smaller ones. */
const settle = { edit: 200, input: 120 }
/** Milliseconds without an owed answer after which the engine is given up. */
const answerTimeoutMs = { load: 60_000, run: 300_000 }
/** Transactions that are compared with the reference machine: some seconds of its work. */
const mostVerified = 5_000

/** How a run continues from its current state. */
export type Begin = { readonly do: 'play' } | { readonly do: 'step' } | { readonly do: 'stepToken'; readonly how: StepHow }

export type Running = {
  readonly view: RunView
  /** Number of the latest load; an answer with another one belongs to an earlier load. */
  readonly load: number
  /** The model this load was made from, and the one last checked. */
  readonly loadedModel: Model
  readonly checkedModel: Model
  /** The model the checker knows, and the number of its latest check. */
  readonly sentModel: Model | null
  readonly checks: number
  /** The user's command that waits until the scenario is loaded. */
  readonly afterLoad: Begin | null
  /** Inputs were set since the load, which waits until no more of them come. */
  readonly inputsWait: boolean
  /** The state from which the next load continues. */
  readonly following: Origin | null
  /** It was playing when the person was asked: it plays on with the answer. */
  readonly playsOn: boolean
  readonly isTyping: boolean
  readonly listAsk: ListAsk | null
  readonly chainAsk: ChainAsk | null
}

/** What is outside the run when an event comes. */
export type Around = {
  readonly scenario: Id
  readonly model: Model
  /** Most ticks of a run by the plan; null: no limit. */
  readonly stepLimit: number | null
  /** The state from which each load continues, instead of the beginning. */
  readonly origin: Origin | null
}

export type RunEvent =
  | { readonly type: 'load' }
  | { readonly type: 'heard'; readonly message: FromEngine }
  | { readonly type: 'checked'; readonly check: number; readonly problems: readonly Problem[] }
  | { readonly type: 'checkerGone' }
  /** The engine is silent for longer than is usual, or cannot go on. */
  | { readonly type: 'silent' }
  | { readonly type: 'broke'; readonly why: Problem }
  | { readonly type: 'drawn' }
  /** The model changed just now; and did no more for a while. */
  | { readonly type: 'edited' }
  | { readonly type: 'settled' }
  | { readonly type: 'typing'; readonly now: boolean }
  | { readonly type: 'limited'; readonly fastest: number | null; readonly isOtherLength: boolean }
  | { readonly type: 'begin'; readonly how: Begin }
  | { readonly type: 'toggle' }
  | { readonly type: 'step' }
  | { readonly type: 'pause' }
  | { readonly type: 'reset' }
  | { readonly type: 'back' }
  | { readonly type: 'seek'; readonly tick: number }
  | { readonly type: 'restart' }
  | { readonly type: 'speed'; readonly speed: number | null }
  | { readonly type: 'seed'; readonly seed: number | null }
  | { readonly type: 'ticks'; readonly ticks: number | null }
  | { readonly type: 'input'; readonly variable: Id; readonly value: Plain }
  | { readonly type: 'clearInput'; readonly variable: Id }
  | { readonly type: 'press'; readonly controller: Id }
  /** What the person decides who is asked. */
  | { readonly type: 'answer'; readonly values: readonly number[] }
  | { readonly type: 'breakpoints'; readonly breakpoints: RunView['breakpoints'] }
  | { readonly type: 'watches'; readonly watches: RunView['watches'] }
  | { readonly type: 'profiling'; readonly on: boolean }
  | { readonly type: 'heat'; readonly on: boolean }
  | { readonly type: 'explain' }
  | { readonly type: 'inspect'; readonly population: Id; readonly entity: number | null; readonly follow: boolean }
  | { readonly type: 'list'; readonly ask: ListAsk | null }
  | { readonly type: 'chain'; readonly ask: ChainAsk | null }
  | { readonly type: 'verify' }
  | { readonly type: 'decisions' }
  | { readonly type: 'branch' }
  | { readonly type: 'forked'; readonly fork: RunFork | null }
  /** The run is taken up where another one stands. */
  | { readonly type: 'follow'; readonly origin: Origin; readonly inputs: Readonly<Record<Id, Plain>> }

export type RunEffect =
  | { readonly type: 'post'; readonly message: ToEngine }
  /** Rows of charts go into their buffers, before anybody hears of the frame. */
  | { readonly type: 'file'; readonly frame: Frame; readonly series: RunView['series'] }
  /** The engine owes an answer from now on; it is given up after so many milliseconds. */
  | { readonly type: 'expect'; readonly giveUpAfter: number }
  | { readonly type: 'answered' }
  | { readonly type: 'draw' }
  | { readonly type: 'undraw' }
  /** Tells after so many milliseconds without another of these that it has settled. */
  | { readonly type: 'settle'; readonly ms: number }
  | { readonly type: 'unsettle' }
  /** Ends what belongs to the load before, and loads once there is an engine. */
  | { readonly type: 'load' }
  | { readonly type: 'closeEngine' }
  | { readonly type: 'check'; readonly message: Extract<ToEngine, { do: 'check' | 'checkEdit' }> }
  | { readonly type: 'handOver'; readonly origin: Origin }

type Step = readonly [Running, readonly RunEffect[]]

const post = (message: ToEngine): RunEffect => ({ type: 'post', message })
const load: RunEffect = { type: 'load' }
const expectRun: RunEffect = { type: 'expect', giveUpAfter: answerTimeoutMs.run }

const showing = (state: Running, patch: Partial<RunView>): Running => ({ ...state, view: { ...state.view, ...patch } })

const stands = (status: RunStatus): boolean => status === 'playing' || status === 'paused' || status === 'ended'

const within = (speed: number | null, fastest: number | null): number | null =>
  fastest === null || (speed !== null && speed <= fastest) ? speed : fastest

/** What a run has to show before its first instant. */
const nothingRun = {
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
} satisfies Partial<RunView>

export const firstRunning = (model: Model, speed: number | null, fastest: number | null, following: Origin | null): Running => ({
  view: {
    ...nothingRun,
    status: 'loading',
    loaded: null,
    frame: null,
    problems: [],
    stale: false,
    silent: false,
    speed: within(speed, fastest),
    fastest,
    seed: null,
    seedUsed: null,
    ticks: null,
    inputs: {},
    output: [],
    outputDropped: 0,
    listing: null,
    chain: null,
    broken: null,
    breakpoints: [],
    refused: [],
    watches: [],
    profiling: false,
    profile: null,
    explained: null,
    heat: false,
    fork: null,
    series: new Map(),
  },
  load: 0,
  loadedModel: model,
  checkedModel: model,
  sentModel: null,
  checks: 0,
  afterLoad: null,
  inputsWait: false,
  following,
  playsOn: false,
  isTyping: false,
  listAsk: null,
  chainAsk: null,
})

/** The state after an event, and the effects it has, in their order. */
export function runningAfter(state: Running, event: RunEvent, around: Around): Step {
  const [next, effects] = after(state, event, around)
  const isOwedAnew = effects.some(({ type }) => type === 'expect' || type === 'answered')
  return [isOwedAnew && next.view.silent ? showing(next, { silent: false }) : next, effects]
}

function after(state: Running, event: RunEvent, around: Around): Step {
  switch (event.type) {
    case 'load':
      return loading(state, around)
    case 'heard':
      return heard(state, event.message, around)
    case 'checked':
      return [event.check === state.checks ? showing(state, { problems: event.problems }) : state, []]
    case 'checkerGone':
      return [{ ...state, sentModel: null }, []]
    case 'silent':
      return [showing(state, { silent: true }), []]
    case 'broke': {
      const broken = showing({ ...state, afterLoad: null }, { status: 'broken', broken: event.why })
      return [broken, [{ type: 'answered' }, { type: 'undraw' }, { type: 'closeEngine' }]]
    }
    case 'drawn':
      return [state, [post({ do: 'drawn' }), ...(state.view.status === 'playing' ? [expectRun] : [])]]
    case 'edited':
      return [state, state.isTyping ? [] : [{ type: 'settle', ms: settle.edit }]]
    case 'settled':
      return settled(state, around)
    case 'typing':
      if (state.isTyping === event.now) return [state, []]
      if (!event.now) return [{ ...state, isTyping: false }, [{ type: 'settle', ms: settle.edit }]]
      return [{ ...state, isTyping: true }, state.inputsWait ? [] : [{ type: 'unsettle' }]]
    case 'limited': {
      const [limited, effects] = faster(showing(state, { fastest: event.fastest }), state.view.speed)
      return [limited, [...effects, ...(event.isOtherLength && state.view.status === 'ready' ? [load] : [])]]
    }
    case 'forked':
      return [showing(state, { fork: event.fork }), []]
    case 'follow': {
      const inputs = { ...state.view.inputs, ...event.inputs }
      return [showing({ ...state, following: event.origin }, { inputs }), [load]]
    }
    case 'begin':
    case 'toggle':
    case 'step':
    case 'pause':
    case 'reset':
    case 'restart':
    case 'back':
    case 'seek':
    case 'branch':
      return moved(state, event, around)
    case 'speed':
      return faster(state, event.speed)
    case 'seed':
      return changed(showing(state, { seed: event.seed }))
    case 'ticks':
      return changed(showing(state, { ticks: event.ticks }))
    case 'input':
      return input(state, event.variable, event.value)
    case 'clearInput': {
      const inputs = Object.fromEntries(Object.entries(state.view.inputs).filter(([id]) => id !== event.variable))
      return changed(showing(state, { inputs }))
    }
    case 'press': {
      const { status } = state.view
      const isHeard = status === 'ready' || status === 'playing' || status === 'paused'
      return [state, isHeard ? [post({ do: 'press', controller: event.controller })] : []]
    }
    case 'answer':
      return answer(state, event.values)
    default:
      return asked(state, event)
  }
}

function answer(state: Running, values: readonly number[]): Step {
  const { status, frame, speed } = state.view
  if (status !== 'paused' || !frame?.asked) return [state, []]
  // The question goes at once, so that a second press answers nothing.
  const { asked: _, ...rest } = frame
  const play = state.playsOn ? { speed } : null
  const next = showing(state, { frame: rest, ...(play ? { status: 'playing' } : {}) })
  return [next, [post({ do: 'answer', values: [...values], play }), expectRun]]
}

/** Sets what is to be inspected, from now on or once. */
function asked(state: Running, event: AskEvent): Step {
  const { view } = state
  switch (event.type) {
    case 'breakpoints': {
      const { breakpoints } = event
      return [showing(state, { breakpoints, refused: [] }), [post({ do: 'breakpoints', breakpoints: [...breakpoints] })]]
    }
    case 'watches': {
      const { watches } = event
      const watched = new Map([...view.watched].filter(([id]) => watches.some(one => one.id === id)))
      return [showing(state, { watches, watched }), [post({ do: 'watch', watches: [...watches] })]]
    }
    case 'profiling':
      return [showing(state, { profiling: event.on, ...(event.on ? { profile: null } : {}) }), [post({ do: 'profile', on: event.on })]]
    case 'heat':
      return [showing(state, { heat: event.on }), []]
    case 'explain':
      return [state, [post({ do: 'explain' })]]
    case 'inspect': {
      const { population, entity, follow } = event
      const inspected = entity === null ? null : { population, entity, values: undefined, ...(follow ? { follow } : {}) }
      return [showing(state, { inspected }), [post({ do: 'inspect', population, entity })]]
    }
    case 'list': {
      const { ask } = event
      const isOther = ask === null || ask.population !== view.listing?.population
      return [showing({ ...state, listAsk: ask }, isOther ? { listing: null } : {}), [post({ do: 'list', ask })]]
    }
    case 'chain': {
      const { ask } = event
      const isOther = ask === null || ask.chain !== view.chain?.chain
      return [showing({ ...state, chainAsk: ask }, isOther ? { chain: null } : {}), [post({ do: 'chain', ask })]]
    }
    case 'verify':
      return [showing(state, { verified: { is: 'running', done: 0, of: 0 } }), [post({ do: 'verify', most: mostVerified })]]
    case 'decisions':
      return [state, [post({ do: 'decisions' })]]
    default:
      return unreachable(event)
  }
}

type AskEvent = Extract<
  RunEvent,
  { type: 'breakpoints' | 'watches' | 'profiling' | 'heat' | 'explain' | 'inspect' | 'list' | 'chain' | 'verify' | 'decisions' }
>

type MoveEvent = Extract<RunEvent, { type: 'begin' | 'toggle' | 'step' | 'pause' | 'reset' | 'restart' | 'back' | 'seek' | 'branch' }>

/** Where the run is to go. */
function moved(state: Running, event: MoveEvent, around: Around): Step {
  const { status } = state.view
  switch (event.type) {
    case 'begin':
      return begun(state, event.how, around)
    case 'toggle':
      if (status === 'playing' || state.afterLoad?.do === 'play') return paused(state)
      return begun(state, { do: 'play' }, around)
    case 'step':
      return status === 'playing' ? paused(state) : begun(state, { do: 'step' }, around)
    case 'pause':
      return paused(state)
    case 'reset':
      return [{ ...state, afterLoad: null }, [load]]
    case 'restart':
      return [state, [{ type: 'closeEngine' }, load]]
    case 'back':
      return [state, stands(status) ? [post({ do: 'back' }), expectRun] : []]
    case 'seek':
      return [state, stands(status) || status === 'ready' ? [post({ do: 'seek', tick: event.tick }), expectRun] : []]
    case 'branch':
      return [state, stands(status) || status === 'ready' ? [post({ do: 'branch' })] : []]
    default:
      return unreachable(event)
  }
}

function paused(state: Running): Step {
  return [{ ...state, afterLoad: null }, state.view.status === 'playing' ? [post({ do: 'pause' })] : []]
}

/** Continues from the current state, as asked. Recent edits and settings are loaded first. */
function begun(state: Running, how: Begin, { model, scenario }: Around): Step {
  const { status, speed } = state.view
  const waiting = { ...state, afterLoad: how }
  if (status === 'loading') return [waiting, []]
  const isOutdated = state.inputsWait || difference(state.loadedModel, model, scenario) !== 'none'
  if ((status === 'ready' || status === 'problems') && isOutdated) return [waiting, [load]]
  if (status === 'ready' || status === 'paused') {
    const next = showing({ ...state, afterLoad: null }, how.do === 'play' ? { status: 'playing' } : {})
    return [next, [post(how.do === 'play' ? { do: 'play', speed } : how), expectRun]]
  }
  return status === 'ended' && how.do === 'play' ? [waiting, [load]] : [state, []]
}

function loading(state: Running, { model, scenario, stepLimit, origin }: Around): Step {
  const { view, following, listAsk, chainAsk } = state
  const number = state.load + 1
  const next = { ...state, load: number, loadedModel: model, checkedModel: model, sentModel: null, inputsWait: false, following: origin }
  // A newly started engine has no breakpoints, watches and requests yet.
  const { breakpoints, watches, profiling } = view
  const effects: RunEffect[] = [{ type: 'expect', giveUpAfter: answerTimeoutMs.load }]
  if (breakpoints.length > 0) effects.push(post({ do: 'breakpoints', breakpoints: [...breakpoints] }))
  if (watches.length > 0) effects.push(post({ do: 'watch', watches: [...watches] }))
  if (profiling) effects.push(post({ do: 'profile', on: true }))
  if (listAsk) effects.push(post({ do: 'list', ask: listAsk }))
  if (chainAsk) effects.push(post({ do: 'chain', ask: chainAsk }))
  effects.push(
    following
      ? post({ do: 'follow', load: number, model, scenario, origin: following })
      : post({ do: 'load', load: number, model, scenario, options: optionsOf(view, model, stepLimit) }),
  )
  return [showing(next, { status: 'loading', broken: null, stale: false, explained: null }), effects]
}

function optionsOf({ seed, ticks, inputs }: RunView, model: Model, stepLimit: number | null): RunOptions {
  return {
    ...(seed === null ? {} : { seed }),
    ...(ticks === null ? {} : { ticks }),
    inputs: Object.fromEntries(Object.entries(inputs).filter(([id]) => model.elements.has(id))),
    ...(stepLimit === null ? {} : { stepLimit }),
  }
}

/** An edited model is loaded at once if the run has not started; otherwise only its problems are requested. */
function settled(state: Running, { model, scenario }: Around): Step {
  const { status, stale } = state.view
  if (status === 'broken') return [state, []]
  if (difference(state.checkedModel, model, scenario) === 'none') return [state, state.inputsWait ? [load] : []]
  if (!stands(status)) return [state, [load]]
  const { sentModel } = state
  const differs = difference(state.loadedModel, model, scenario) === 'program'
  const check = state.checks + 1
  const next = { ...state, checks: check, sentModel: model, checkedModel: model }
  const message = sentModel
    ? ({ do: 'checkEdit', check, edit: editBetween(sentModel, model), scenario } as const)
    : ({ do: 'check', check, model, scenario } as const)
  return [stale === differs ? next : showing(next, { stale: differs }), [{ type: 'check', message }]]
}

function faster(state: Running, wanted: number | null): Step {
  const { fastest, status } = state.view
  const speed = within(wanted, fastest)
  return [showing(state, { speed }), status === 'playing' ? [post({ do: 'speed', speed })] : []]
}

/** With other settings: a run that has not begun is loaded again, one that is just being loaded right after. */
function changed(state: Running): Step {
  const { status } = state.view
  if (status === 'loading') return [{ ...state, inputsWait: true }, [{ type: 'settle', ms: settle.input }]]
  return [state, status === 'ready' ? [load] : []]
}

function input(state: Running, variable: Id, value: Plain): Step {
  const { status, frame, inputs, pending } = state.view
  const next = showing(state, { inputs: { ...inputs, [variable]: value } })
  if (stands(status)) {
    const waiting = { ...pending, [variable]: { value, tick: frame?.tick ?? 0 } }
    return [showing(next, { pending: waiting }), status === 'ended' ? [] : [post({ do: 'set', variable, value })]]
  }
  if (status !== 'ready' && status !== 'problems') return changed(next)
  return [{ ...next, inputsWait: true }, [{ type: 'settle', ms: settle.input }]]
}

/** Handles a message of the engine. Answers to an earlier load change nothing. */
function heard(state: Running, message: FromEngine, around: Around): Step {
  const { view } = state
  switch (message.is) {
    case 'loaded':
      return message.loaded.load === state.load ? loaded(state, message, around) : [state, []]
    case 'frame':
    case 'ended':
      return framed(state, message)
    case 'broken':
      return after(state, { type: 'broke', why: message.problem }, around)
    case 'checked':
      // The checker reports these without the run.
      return [state, []]
    case 'individual': {
      const { inspected } = view
      const isIt = inspected?.population === message.population && inspected.entity === message.entity
      return [isIt ? showing(state, { inspected: { ...inspected, values: message.values } }) : state, []]
    }
    default:
      return message.load === state.load ? answered(state, message, around) : [state, []]
  }
}

type Answer = Exclude<FromEngine, { is: 'loaded' | 'frame' | 'ended' | 'broken' | 'checked' | 'individual' }>

/** An answer to this load. */
function answered(state: Running, message: Answer, { model, scenario }: Around): Step {
  const { view } = state
  switch (message.is) {
    case 'problems': {
      const none = { loaded: null, frame: null, result: null, summary: null, inspected: null, output: [], series: new Map() }
      const next = showing({ ...state, afterLoad: null }, { status: 'problems', problems: message.problems, ...none })
      return [next, [{ type: 'answered' }]]
    }
    case 'stopped':
      return [showing(state, { status: 'paused', stop: message.stop }), [{ type: 'answered' }]]
    case 'breakpoints': {
      // The engine has the lines of the loaded text, not those edited since.
      const isSame = difference(state.loadedModel, model, scenario) === 'none'
      const breakpoints = isSame ? onStatements(view.breakpoints, message.moved) : view.breakpoints
      return [showing(state, { refused: message.refused, breakpoints }), []]
    }
    case 'individuals':
      return [state.listAsk ? showing(state, { listing: message.listing }) : state, []]
    case 'chain':
      return [state.chainAsk ? showing(state, { chain: message.chain }) : state, []]
    case 'verified':
      return [showing(state, { verified: message.state }), []]
    case 'decisions':
      return [showing(state, { decisions: message.decisions }), []]
    case 'watches':
      return [showing(state, { watched: new Map(message.values.map(one => [one.id, one])) }), []]
    case 'waiting':
      return [showing(state, { waiting: message.waiting }), []]
    case 'profile':
      return [showing(state, { profile: message.profile }), []]
    case 'explained':
      return [showing(state, { explained: message.explained }), []]
    case 'origin':
      return [state, [{ type: 'handOver', origin: message.origin }]]
    default:
      return unreachable(message)
  }
}

function loaded(state: Running, { loaded, problems, frame }: Extract<FromEngine, { is: 'loaded' }>, around: Around): Step {
  const series = new Map(loaded.charts.map(chart => [chart.id, new SeriesBuffer(chart.series.length)]))
  const ready = showing(state, {
    ...nothingRun,
    status: 'ready',
    loaded,
    seedUsed: loaded.seed,
    problems,
    series,
    ...brought(showing(state, nothingRun), frame),
  })
  const [next, effects] = state.afterLoad ? begun(ready, state.afterLoad, around) : [ready, []]
  return [next, [{ type: 'answered' }, { type: 'file', frame, series }, ...effects]]
}

/** A frame of the run, or its last one. */
function framed(state: Running, message: Extract<FromEngine, { is: 'frame' | 'ended' }>): Step {
  const { view } = state
  const number = message.is === 'frame' ? message.frame.load : message.load
  if (number !== state.load || view.status === 'loading' || view.loaded === null) return [state, []]
  const { frame } = message
  const news = brought(state, frame)
  const file = { type: 'file', frame, series: view.series } as const
  if (message.is === 'ended') {
    const { result, summary } = message
    return [showing(state, { ...news, status: 'ended', result, summary }), [{ type: 'answered' }, { type: 'undraw' }, file]]
  }
  const playsOn = frame.asked !== undefined && (state.playsOn || view.status === 'playing')
  const goesOn = frame.state === 'ended' ? {} : { status: frame.state, result: null, summary: null }
  return [showing({ ...state, playsOn }, { ...news, ...goesOn }), [{ type: 'answered' }, file, { type: 'draw' }]]
}

/** What a frame brings. */
function brought({ view }: Running, frame: Frame): Partial<RunView> {
  const { output, outputDropped, pending, furthest } = view
  // A frame of another time, like the first one, brings all lines written up to then.
  const anew = frame.rewound || view.status === 'loading'
  const base = anew ? [] : output
  const lines = base.length + frame.output.length
  const left = Object.entries(pending).filter(([, { tick }]) => frame.tick <= tick && frame.state !== 'ended')
  return {
    frame,
    stop: null,
    furthest: Math.max(furthest, frame.tick),
    ...(anew || frame.output.length > 0
      ? {
          output: [...base, ...frame.output].slice(-outputLines),
          outputDropped: (anew ? 0 : outputDropped) + Math.max(0, lines - outputLines),
        }
      : {}),
    ...(left.length < Object.keys(pending).length ? { pending: Object.fromEntries(left) } : {}),
  }
}

/** Breakpoints on lines where no statement begins go to the next one. */
function onStatements(breakpoints: RunView['breakpoints'], moved: readonly { id: string; line: number }[]): RunView['breakpoints'] {
  if (moved.length === 0) return breakpoints
  const lines = new Map(moved.map(one => [one.id, one.line]))
  return breakpoints.map(one => {
    const line = lines.get(one.id)
    return one.on === 'line' && line !== undefined ? { ...one, line } : one
  })
}
