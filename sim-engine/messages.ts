// What a page (or the command line) and a running engine say to each other. Plain structured-clone data; large
// arrays are transferred, not copied. The engine answers; it never acts on its own clock except while playing.
import type { ChainAsk, ChainView } from './chain/observe.ts'
import type { Verdict } from './chain/reference/verify.ts'
import type { Id, Model } from '../model-schema/model.ts'
import type { ModelEdit } from './model-edit.ts'
import type { RecordedDecision } from './learn/fit/recorded.ts'
import type { Bound } from './learn/choices.ts'
import type { Problem } from './problems.ts'
import type { Words } from '../model-schema/words.ts'

/** A value crossing the border: public variables, statistics, table cells. Entities cross as their text form. */
export type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain }

export type RunOptions = {
  /** Overrides the scenario's seed. 0 .. 2^32-1. */
  seed?: number
  /** Public variables set before the first instant, by element id. */
  inputs?: Record<Id, Plain>
  /** Overrides the scenario's total ticks. */
  ticks?: number
  /** Plan limit: most ticks this run may make; reaching it ends the run as `limited`. */
  stepLimit?: number
  /** Activations of rows before rows go on as WebAssembly (default 300,000). No outcome depends on it. */
  nativeFrom?: number
  /** A person is there to answer Decide steps. */
  hasPerson?: boolean
}

export type { CallView, ChainAsk, ChainView, EventView } from './chain/observe.ts'

/** How far the comparison of a run's chains with the reference machine is. `why`: it could not be made. */
export type VerifyState =
  | { readonly is: 'running'; readonly done: number; readonly of: number }
  | { readonly is: 'done'; readonly verdicts: readonly Verdict[] }
  | { readonly is: 'failed'; readonly why: 'not loaded' | 'broken'; readonly message: string }

export type ToEngine =
  /** Checks, compiles and resets to the state before the first instant. Answers `loaded` or `problems`. */
  | { do: 'load'; load: number; model: Model; scenario: Id; options: RunOptions }
  /** Says what is wrong with a model, and leaves the run that is loaded as it is. Answers `checked`. */
  | { do: 'check'; check: number; model: Model; scenario: Id }
  /** The same for the model checked last, with what was edited since. */
  | { do: 'checkEdit'; check: number; edit: ModelEdit; scenario: Id }
  /** Ticks per second of wall time; null = as fast as it goes. */
  | { do: 'play'; speed: number | null }
  | { do: 'pause' }
  /** Advances one tick (a pure event model: one event time), then pauses. */
  | { do: 'step' }
  | { do: 'reset'; options: RunOptions }
  | { do: 'speed'; speed: number | null }
  /** Sets a public variable in phase 0 of the next instant. */
  | { do: 'set'; variable: Id; value: Plain }
  /** Triggers a button's passive global process in phase 0 of the next instant. */
  | { do: 'press'; controller: Id }
  /** What a person decides who is asked: one value for each action, in order. Then it plays on, or makes the rest of the instant. */
  | { do: 'answer'; values: number[]; play: { speed: number | null } | null }
  /** The page has drawn the last frame and can take another (back-pressure: at most one frame in flight). */
  | { do: 'drawn' }
  /** Asks for one individual's properties; answered by `individual` now and with each frame until `entity` is null. */
  | { do: 'inspect'; population: Id; entity: number | null }
  /** Asks for a stretch of a population; answered by `individuals` now and, not too often, with frames until `ask` is null. Kept over loads. */
  | { do: 'list'; ask: ListAsk | null }
  /** Asks for a chain; answered by `chain` now and at every pause of the run, until `ask` is null. Kept over loads. */
  | { do: 'chain'; ask: ChainAsk | null }
  /** Asks once for the transactions so far to be done again by the reference machine, about `most`; answered by `verified`. */
  | { do: 'verify'; most: number }
  /** Asks once for what was decided, step by step; answered by `decisions`. */
  | { do: 'decisions' }
  /** Goes to the state after a tick, backwards or forwards; below 0, before the first instant. A later seek replaces one under way. */
  | { do: 'seek'; tick: number }
  /** One tick back (a pure event model: one instant); one step while stopped at a step; from a failed end to the step that failed. */
  | { do: 'back' }
  /** Replaces all breakpoints. Kept over loads; conditions that don't fit the model are answered by `breakpoints`. */
  | { do: 'breakpoints'; breakpoints: Breakpoint[] }
  /** To the next step or statement of any token; of this token or formula, or its callers; of its callers. Answered by `stopped` or `ended`. */
  | { do: 'stepToken'; how: StepHow }
  /** Formulas that are evaluated at every pause of the run, in its current state. Kept over loads; answered by `watches`. */
  | { do: 'watch'; watches: Watch[] }
  /** Counts time from now on, from zero; or stops counting. Answered by `profile`, again and again while it runs. */
  | { do: 'profile'; on: boolean }
  /** Asks how the engine runs each process, and why not faster. Answered by `explained`, if a model is loaded. */
  | { do: 'explain' }
  /** Asks for the current state of the run, to start another run from it. Answered by `origin`. */
  | { do: 'branch' }
  /** Like `load`, but continues from the state of another run of the same model. Answers `loaded`, then frames. */
  | { do: 'follow'; load: number; model: Model; scenario: Id; origin: Origin }

export type StepHow = 'into' | 'over' | 'out'

/** Individuals in birth order, or by a property; at most `mostListed`. */
export type ListAsk = { population: Id; by: string | null; descending: boolean; from: number; count: number }

export const mostListed = 200

/** The individuals of a population: one row each from `from` on, with the values of the columns. */
export type Listing = { population: Id; total: number; columns: string[]; from: number; entities: number[]; rows: Plain[][] }

export type Watch = { id: string; text: string }

/** The result of a watch: a value, or why there is none. */
export type Watched = { id: string; value: Plain } | { id: string; refused: Words }

/**
 * A run up to some instant, from which another engine continues: its options, every input with the instant before which it came, and a state.
 * Opaque outside the engine; only the same version of the engine with the same model reads it.
 */
export type Origin = {
  readonly options: RunOptions
  readonly inputs: readonly { readonly at: number; readonly do: 'set' | 'press' | 'answer'; readonly id: Id; readonly value: Plain }[]
  readonly instants: number
  readonly tick: number
  readonly checkpoint: { readonly instants: number; readonly time: number; readonly snapshot: unknown; readonly bytes: number } | null
  /** Rows of the charts so far. */
  readonly charts: unknown
}

/** Time spent, as a call tree. Node 0 is the run itself; a node's parent comes before it. */
export type Profile = {
  /** Milliseconds of running, and instants run, since counting began. */
  readonly milliseconds: number
  readonly instants: number
  /** `field` is null for a process or a step; `self` is in milliseconds, without the parts below. */
  readonly nodes: readonly {
    readonly parent: number
    readonly element: Id
    readonly field: string | null
    readonly self: number
    readonly calls: number
  }[]
}

/** A process: what runs it; steps that do not run as WebAssembly, or keep processes without tokens from it, and why. */
export type Explained = {
  readonly element: Id
  readonly process: string
  readonly runs: Words
  readonly steps: readonly { readonly element: Id; readonly step: string; readonly why: Words }[]
}

/** Where a run is to stop. Element: before a step is entered. Line, from 0: before the first statement that begins there or later. Error: before what fails. */
export type Breakpoint = { id: string; enabled: boolean } & (
  | { on: 'element'; element: Id; condition: string }
  | { on: 'line'; element: Id; field: string; line: number; condition: string }
  | { on: 'change'; variable: Id }
  | { on: 'entity'; population: Id; entity: number }
  | { on: 'error' }
)

/** An activation in the middle of a process, or a function called there: where it is, who acts, and what can be seen from there. */
export type Activation = {
  process: { id: Id; name: string }
  step: { id: Id; name: string }
  /** The formula under way there; `line`, from 0, is null in an expression and before the first statement. */
  formula: { element: Id; field: string; name: string; line: number | null } | null
  who: { name: string; population: Id; entity: number } | null
  locals: { name: string; value: Plain }[]
  /** Properties of the actor. */
  actor: Record<string, Plain> | null
}

/** A run that has stopped in the middle of an instant, before a step; or, after a change by the last step of an instant, behind it. */
export type Stop = {
  why: 'breakpoint' | 'change' | 'entity' | 'error' | 'step'
  /** Before a statement, and not before a step. */
  inFormula: boolean
  breakpoint: string | null
  tick: number
  time: number
  /** What fails: the step itself, or the condition of the breakpoint. */
  problem: Problem | null
  change: { variable: Id; name: string; before: Plain; after: Plain; by: Id | null } | null
  /** Innermost first; each was called by the next. Empty behind the end of an instant. */
  stack: Activation[]
  /** Variables that exist once. */
  shared: { id: Id; name: string; value: Plain }[]
}

/** How a run ended. */
export type RunResult =
  | { end: 'success'; reason: 'total-ticks' | 'end-time' | 'stop-condition' | 'nothing-left' }
  | { end: 'terminated'; element: Id; tip: string }
  | { end: 'limited'; ticks: number }
  | { end: 'failed'; problem: Problem; tick: number; time: number; entity: string | null; values: Record<string, Plain> }

export type RunState = 'ready' | 'playing' | 'paused' | 'ended'

/** What is fixed for a whole load: what there is to draw and to change. */
export type Loaded = {
  load: number
  spaces: {
    id: Id
    name: string
    topology: 'discrete' | 'continuous'
    minX: number
    maxX: number
    minY: number
    maxY: number
    wrapX: boolean
    wrapY: boolean
    /** Only in 3D. */
    minZ?: number
    maxZ?: number
  }[]
  populations: { id: Id; name: string; kind: 'agent' | 'cell' | 'link'; space: Id | null; color: string; shape: string }[]
  /** Charts in canvas order with their series, in the order the `Series` columns come. */
  charts: { id: Id; series: { label: string; color: string }[] }[]
  statistics: { id: Id; name: string }[]
  /** Absent where there is none. */
  chains?: { id: Id; name: string }[]
  /** Public variables, with their value before the first instant. */
  publics: { id: Id; name: string; value: Plain }[]
  /** The seed in force (drawn when the scenario asks for a new one each run). */
  seed: number
}

/**
 * One layer of the world view. Arrays hold `count` rows; colours are 0xRRGGBB. Arrays of agents and links may be longer: rows from `count` on
 * have no position, and only networks draw them. Arrays of z exist only in a 3D space.
 */
export type Layer =
  | {
      kind: 'cell'
      population: Id
      columns: number
      rows: number
      minX: number
      minY: number
      /** Row by row from the lowest, layer by layer. `empty` in 3D where a cell is not to be drawn. */
      colors: Uint32Array
      layers?: number
      minZ?: number
    }
  | {
      kind: 'agent'
      population: Id
      count: number
      ids: Float64Array
      x: Float32Array
      y: Float32Array
      z?: Float32Array
      heading: Float32Array
      size: Float32Array
      colors: Uint32Array
      shapes: Uint8Array
    }
  | {
      kind: 'link'
      population: Id
      count: number
      x1: Float32Array
      y1: Float32Array
      x2: Float32Array
      y2: Float32Array
      z1?: Float32Array
      z2?: Float32Array
      colors: Uint32Array
      thickness: Float32Array
      /** The ends of the links: ids as in the layers of agents, and the indices of their populations in `populations`. */
      populations: Id[]
      from: Float64Array
      to: Float64Array
      fromOf: Uint8Array
      toOf: Uint8Array
    }

/** The colour of a cell of a 3D space that is not drawn. */
export const empty = 0x1000000

/** Shape numbers of agent layers. */
export const shapes = ['circle', 'square', 'triangle', 'arrow', 'person', 'star'] as const

/** Rows added to a chart since the last frame: x (tick or time), then one column per series. */
export type Series = { chart: Id; from: number; x: Float64Array; columns: Float64Array[] } | { chart: Id; latest: Plain[] }

export type ContainerState = { id: Id; level: number; inUse: number; capacity: number | null; queue: number; utilization: number }

/** A decision of a person. */
export type Asked = {
  readonly step: Id
  readonly name: string
  /** The individual that decides. */
  readonly who: { readonly name: string; readonly population: Id; readonly entity: number } | null
  readonly seen: readonly { readonly name: string; readonly value: Plain }[]
  readonly actions: readonly { readonly name: string; readonly low: number; readonly high: number; readonly whole: boolean }[]
  /** All combinations of values that are possible now; null: any within the bounds. */
  readonly possible: readonly (readonly number[])[] | null
}

export type Frame = {
  load: number
  tick: number
  time: number
  /** Calendar runs: milliseconds since 1970 UTC. */
  now: number | null
  state: RunState
  layers: Layer[]
  series: Series[]
  /** Current value of every statistic and public variable, and of those private variables of the scenario that are numbers or truth values. */
  values: Record<Id, Plain>
  containers: ContainerState[]
  /** Tokens standing at each flow element (for token animation and badges); elements without tokens are absent. */
  tokens: Record<Id, number>
  /** The same for single tokens: the number of a token in this run, and its step. Null where there are too many to show one by one. */
  standing: readonly (readonly [token: number, step: Id])[] | null
  /** Lines written since the last frame. */
  output: { tick: number; element: Id; text: string }[]
  /** The question to a person while the run waits for the answer; absent where there is no person to answer. */
  asked?: Asked
  /** The run went to another time: `output` holds all lines up to now, and charts come with all their rows. */
  rewound: boolean
}

/**
 * What was decided at a Decide step so far, in order: the last 50,000 at least. `choices`: how many combinations of actions there are; 0: the actions are
 * continuous.
 */
export type DecidedAt = {
  readonly step: Id
  readonly choices: number
  readonly actions: readonly Bound[]
  readonly rows: readonly RecordedDecision[]
}

export type FromEngine =
  | { is: 'loaded'; loaded: Loaded; problems: Problem[]; frame: Frame }
  /** The model can't run; every error and warning. */
  | { is: 'problems'; load: number; problems: Problem[] }
  /** Every error and warning of a model that was only to be checked. */
  | { is: 'checked'; check: number; problems: Problem[] }
  | { is: 'frame'; frame: Frame }
  | { is: 'ended'; load: number; result: RunResult; summary: Summary; frame: Frame }
  | { is: 'individual'; population: Id; entity: number; values: Record<string, Plain> | null }
  /** Null when there is no such population. */
  | { is: 'individuals'; load: number; listing: Listing | null }
  /** Null where the model has no chain. */
  | { is: 'chain'; load: number; chain: ChainView | null }
  | { is: 'verified'; load: number; state: VerifyState }
  | { is: 'decisions'; load: number; decisions: readonly DecidedAt[] }
  /** After a frame with the state `paused`. */
  | { is: 'stopped'; load: number; stop: Stop }
  /** Unusable conditions and lines, by breakpoint; for a line, the statement on it begins further down. */
  | { is: 'breakpoints'; load: number; refused: { id: string; words: Words }[]; moved: { id: string; line: number }[] }
  /** Of the state in the frame before it. */
  | { is: 'watches'; load: number; values: Watched[] }
  /** The tokens of a paused run that wait, as in the summary of one that ended. */
  | { is: 'waiting'; load: number; waiting: Summary['waiting'] }
  | { is: 'profile'; load: number; on: boolean; profile: Profile }
  | { is: 'explained'; load: number; explained: readonly Explained[] }
  | { is: 'origin'; load: number; origin: Origin }
  /** Something is wrong with the engine itself, not with the model (10000 .. 10006). */
  | { is: 'broken'; problem: Problem }

/** What is left to say when a run has ended: the same object the command line prints. */
export type Summary = {
  result: RunResult
  seed: number
  ticks: number
  time: number
  statistics: Record<string, Plain>
  publics: Record<string, Plain>
  containers: Record<string, Record<string, Plain>>
  populations: Record<string, number>
  tokensLeft: { process: string; step: string; count: number }[]
  /** The same, with what they wait for and the owners of the first few. */
  waiting: {
    element: Id
    process: string
    step: string
    for: 'time' | 'container' | 'event' | 'join' | 'others' | 'nothing'
    count: number
    who: string[]
  }[]
  /** What makes these results less than they look; absent where nothing does. */
  warnings?: Problem[]
  /** FNV-1a over the final state: equal on every engine for equal runs. */
  hash: string
}
