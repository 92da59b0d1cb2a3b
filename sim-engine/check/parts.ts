// The parts of a model once every reference is resolved: what the checker builds and the compiler reads. A part exists
// once for each place it runs in: a process inherited by another population is a part of its own there.
import type { Id, Element, Model } from '../../model-schema/model.ts'
import type { Kind } from '../../model-schema/kinds/kind.ts'
import type { Effects, Inferred } from '../formula.ts'
import type { Type } from '../formula/types.ts'
import type { ChainPart, ContractPart } from '../chain/parts.ts'

/** The owner of a variable, container, process, function or statistic. */
export type Level = 'global' | 'observer' | 'individual'

/** How a value is kept: a typed column, or a plain array for all else. `byte`: whole numbers 0..255. `word`: codes of texts written in the model. */
export type Storage = 'number' | 'byte' | 'bool' | 'entity' | 'word' | 'any'

export type VariablePart = {
  id: Id
  name: string
  element: Element
  level: Level | 'token'
  entity: EntityPart | null
  process: ProcessPart | null
  /** Interface variables: how values cross a call. */
  direction: 'in' | 'out' | 'inout' | null
  public: boolean
  min: number | null
  max: number | null
  type: Type
  storage: Storage
  /** Number of its column: within its population, among the shared variables, or among the token columns. */
  index: number
  /** Replaces the initial value (a scenario's override), as the key of a formula; null = its own field. */
  initialKey: string
}

export type ContainerPart = {
  id: Id
  name: string
  element: Element
  level: Level
  entity: EntityPart | null
  /** Number of its set of containers: one container, or one for each individual. */
  index: number
}

export type FunctionPart = {
  id: Id
  name: string
  element: Element
  level: Level
  entity: EntityPart | null
  index: number
  parameters: { name: string; type: Type; key: string | null }[]
  result: Type
  /** What calling it may do, found with the types. */
  effects: Effects
  /** The signature that callers see; its identity changes only when it does. */
  signature: { type: Type; effects: Effects }
}

export type SpacePart = {
  id: Id
  name: string
  element: Element
  index: number
  topology: 'discrete' | 'continuous'
  cells: EntityPart | null
  three: boolean
  wrapX: boolean
  wrapY: boolean
}

export type EntityPart = {
  id: Id
  name: string
  element: Element
  kind: 'agent' | 'cell' | 'link'
  index: number
  form: 'population' | 'individual' | 'observer'
  space: SpacePart | null
  base: EntityPart | null
  /** Populations that inherit from it, directly or not. */
  derived: EntityPart[]
  order: 'fixed' | 'shuffled' | 'key' | 'simultaneous'
  /** Link populations: what they may join; null = nothing chosen. */
  source: EntityPart | null
  target: EntityPart | null
  variables: VariablePart[]
  observed: VariablePart[]
  containers: ContainerPart[]
  processes: ProcessPart[]
  functions: FunctionPart[]
}

export type FlowPart = { id: Id; element: Element; from: StepPart; to: StepPart }

export type StepPart = {
  /** Begins the keys of its formulas. */
  key: string
  id: Id
  name: string
  element: Element
  kind: Kind
  process: ProcessPart
  /** Number of the node, over the whole model: what a token's position says. */
  index: number
  incoming: FlowPart[]
  outgoing: FlowPart[]
  boundaries: StepPart[]
  /** Boundary events: the activity they sit on. */
  host: StepPart | null
  /** Subprocesses: the process inside. */
  inner: ProcessPart | null
}

export type ProcessPart = {
  /** Distinguishes it from the same process as another population inherits it; stays through edits. */
  key: string
  id: Id
  name: string
  element: Element
  level: Level
  entity: EntityPart | null
  index: number
  /** Subprocesses: the step that holds it. */
  holder: StepPart | null
  steps: StepPart[]
  flows: FlowPart[]
  start: StepPart | null
  /** Temporary variables and interfaces: one of each per token. */
  temporaries: VariablePart[]
  /** A new object each time anything in it is read again. */
  reading: object
}

export type MessagePart = {
  id: Id
  name: string
  element: Element
  index: number
  signal: boolean
  payload: { name: string; type: Type }[]
}

export type StatisticPart = {
  id: Id
  name: string
  element: Element
  index: number
  over: EntityPart | null
  level: Level
  entity: EntityPart | null
  grouped: boolean
}

/** A neural network: `learn/network.ts` reads its fields. */
export type NetworkPart = { id: Id; name: string; element: Element; index: number }

/** One formula of the model, inferred in its scope. */
export type FormulaPart = { key: string; id: Id; field: string; text: string; inferred: Inferred }

export type Parts = {
  model: Model
  scenario: Element
  spaces: SpacePart[]
  entities: EntityPart[]
  globals: VariablePart[]
  /** All variables that exist once: global ones and observers'. */
  shared: VariablePart[]
  /** All temporary variables of all processes. */
  tokenColumns: VariablePart[]
  containers: ContainerPart[]
  processes: ProcessPart[]
  functions: FunctionPart[]
  messages: MessagePart[]
  networks: NetworkPart[]
  chains: ChainPart[]
  contracts: ContractPart[]
  statistics: StatisticPart[]
  charts: Element[]
  controllers: Element[]
  /** Tests of the model: they belong to no program. */
  tests: Element[]
  steps: StepPart[]
  tags: { id: Id; name: string; element: Element; tags: readonly string[] }[]
}
