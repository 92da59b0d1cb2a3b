// The states of an experiment on a page, as a pure state machine: `conductingAfter(state, event)` is the next state and the effects to carry out.
// `conductor.ts` carries them out.
import type { Experiment } from '../../../model-schema/experiment.ts'
import type { Model } from '../../../model-schema/model.ts'
import { keyOf, plannedRuns, type Preparation, type Prepared, type Results } from '../../../sim-engine/experiment.ts'
import { isOfEngine, pageEngine } from './engine.ts'
import type { RunEnd, Entry } from '../history.ts'
import { unreachable } from '../../../model-schema/unreachable.ts'

/** Where runs are made: in workers of this page, or on the server, which continues without this page. */
export type RunsWhere = 'here' | 'server'

/** The experiment as it is edited, with its model once that is open. */
export type Edited = { readonly study: Model; readonly experiment: Experiment; readonly model: Model | null }

type Always = {
  /** Of the experiment as it is now. */
  readonly preparation: Preparation | null
  readonly edited: Edited | null
  /** Counts up whenever `results` changed inside. */
  readonly version: number
  /** Entries of this experiment on this device, the latest first. */
  readonly history: readonly Entry[]
  /** The device holds as many entries as the plan allows: nothing is begun or taken from the server until some are deleted. */
  readonly full: boolean
  /** The job of an entry from a closed page is followed once. */
  readonly wasFollowed: boolean
  /** Number of the latest turn: one turn is one call of the engine, from start to end. */
  readonly turns: number
}

/** What is shown. */
type Shown = {
  /** What `results` are of: as it was when it was begun. */
  readonly prepared: Prepared
  readonly results: Results | null
  readonly entry: Entry
  readonly done: number
  /** Runs there will be, when that is known. */
  readonly planned: number | null
  /** Runs a second, since it was begun or continued. */
  readonly rate: number
  /** Where the current or last runs are made. */
  readonly where: RunsWhere
}

type Idle = {
  readonly status: 'idle'
  readonly prepared: null
  readonly results: null
  readonly entry: null
  readonly done: 0
  readonly planned: null
  readonly rate: 0
  readonly where: 'here'
  readonly failure: null
  readonly turn: null
}
/** `turn`: the turn that makes the runs. */
type Running = Shown & { readonly status: 'running'; readonly failure: null; readonly turn: number }
/** `failure`: why it failed. */
type Over = Shown & { readonly status: Exclude<RunEnd, 'running'>; readonly failure: string | null; readonly turn: null }

export type Conducting = Always & (Idle | Running | Over)

export type ConductingEvent =
  /** The experiment or its model changed. */
  | { readonly type: 'edited'; readonly edited: Edited; readonly preparation: Preparation }
  | { readonly type: 'historyRead'; readonly history: readonly Entry[]; readonly full: boolean }
  /** A person starts it; the history was just read. `engine`: the engine that would make the runs. */
  | { readonly type: 'start'; readonly where: RunsWhere; readonly engine: string }
  /** The history may hold an entry whose job is still running on the server. */
  | { readonly type: 'resume' }
  /** A turn begins. Only one turn is shown at a time. */
  | { readonly type: 'began'; readonly turn: number; readonly prepared: Prepared; readonly entry: Entry; readonly where: RunsWhere }
  /** The results grew. `rate`: runs a second; null where it is unchanged. */
  | { readonly type: 'progressed'; readonly turn: number; readonly results: Results; readonly done: number; readonly rate: number | null }
  | { readonly type: 'ended'; readonly turn: number; readonly ended: Exclude<RunEnd, 'running'>; readonly failure: string | null }
  | { readonly type: 'stop' }
  | { readonly type: 'reset' }
  /** The page closes: the server continues. */
  | { readonly type: 'close' }
  /** An entry of the history was read. */
  | { readonly type: 'show'; readonly entry: Entry; readonly prepared: Prepared; readonly results: Results }
  | { readonly type: 'forgotten'; readonly entry: string }

export type ConductingEffect =
  | { readonly type: 'abort'; readonly turn: number; readonly reason: 'stopped' | 'reset' | 'closed' }
  /** Continue an entry. */
  | { readonly type: 'continue'; readonly prepared: Prepared; readonly entry: Entry; readonly where: RunsWhere }
  /** Make a new entry and run it. */
  | { readonly type: 'begin'; readonly prepared: Prepared; readonly edited: Edited & { readonly model: Model }; readonly where: RunsWhere }
  /** Follow the job of an entry, then start. */
  | { readonly type: 'follow'; readonly entry: Entry }

const idle: Idle = {
  status: 'idle',
  prepared: null,
  results: null,
  entry: null,
  done: 0,
  planned: null,
  rate: 0,
  where: 'here',
  failure: null,
  turn: null,
}

export const firstConducting: Conducting = {
  ...idle,
  preparation: null,
  edited: null,
  version: 0,
  history: [],
  full: false,
  wasFollowed: false,
  turns: 0,
}

type Step = readonly [Conducting, readonly ConductingEffect[]]

/** The state after an event, and the effects it has, in their order. Events of a turn that is no longer shown change nothing. */
export function conductingAfter(state: Conducting, event: ConductingEvent): Step {
  switch (event.type) {
    case 'edited':
      return [{ ...state, edited: event.edited, preparation: event.preparation }, []]
    case 'historyRead':
      return [{ ...state, history: event.history, full: event.full }, []]
    case 'start':
      return [state, startEffects(state, event.where, event.engine)]
    case 'resume':
      return resumed(state)
    case 'began': {
      const { turn, prepared, entry, where } = event
      const planned = plannedRuns(prepared)
      return [{ ...state, ...idle, status: 'running', turn, turns: Math.max(state.turns, turn), prepared, entry, where, planned }, []]
    }
    case 'progressed': {
      if (state.turn !== event.turn) return [state, []]
      const { results, done, rate } = event
      return [{ ...state, results, done, rate: rate ?? state.rate, version: state.version + 1 }, []]
    }
    case 'ended':
      if (state.turn !== event.turn) return [state, []]
      return [{ ...state, status: event.ended, failure: event.failure, turn: null }, []]
    case 'stop':
      return [state, abortOf(state, 'stopped')]
    case 'close':
      return [state, abortOf(state, 'closed')]
    case 'reset':
      return [{ ...state, ...idle }, abortOf(state, 'reset')]
    case 'show': {
      if (state.status === 'running') return [state, []]
      const { entry, prepared, results } = event
      // An entry that is marked as running is run by another tab or was left by a closed one; this tab does not run it.
      const status = entry.ended === 'running' ? 'stopped' : entry.ended
      const shown = { prepared, results, entry, status, done: results.known, planned: plannedRuns(prepared) }
      return [{ ...state, ...shown, failure: null, turn: null, where: 'here', version: state.version + 1 }, []]
    }
    case 'forgotten':
      return [state.entry?.id === event.entry && state.status !== 'running' ? { ...state, ...idle } : state, []]
    default:
      return unreachable(event)
  }
}

const abortOf = ({ turn }: Conducting, reason: 'stopped' | 'reset' | 'closed'): ConductingEffect[] =>
  turn === null ? [] : [{ type: 'abort', turn, reason }]

/** Continues the latest entry of the very same experiment that is not finished, else makes a new one; nothing while it runs or has problems. */
function startEffects({ preparation, status, edited, history, full }: Conducting, where: RunsWhere, engine: string): ConductingEffect[] {
  if (status === 'running' || !preparation?.ok || !edited?.model) return []
  const { prepared } = preparation
  const entry = openEntry(history, keyOf(prepared), engine)
  if (entry) return [{ type: 'continue', prepared, entry, where: entry.job ? 'server' : where }]
  return full ? [] : [{ type: 'begin', prepared, edited: { ...edited, model: edited.model }, where }]
}

function resumed(state: Conducting): Step {
  const { preparation, history, status, wasFollowed } = state
  const [entry] = history
  if (wasFollowed || status === 'running' || !preparation?.ok || !entry?.job) return [state, []]
  return [{ ...state, wasFollowed: true }, entry.key === keyOf(preparation.prepared) ? [{ type: 'follow', entry }] : []]
}

/** The entry that a start continues: of the same key and the same engine, not finished. */
export const openEntry = (history: readonly Entry[], key: string | null, engine: string = pageEngine): Entry | undefined =>
  history.find(entry => entry.key === key && entry.ended !== 'finished' && isOfEngine(entry, engine))
