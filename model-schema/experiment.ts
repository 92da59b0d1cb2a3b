// The typed value of an experiment file: its one experiment and the elements on its canvas, read from a Model. Total, like the Model
// itself: an invalid value of a field reads as its default. What is missing or contradictory is found by the engine's check of experiments.
import type { Json } from './kinds/kind.ts'
import type { Element, Id, Model } from './model.ts'
import type { Feature } from './business/plans.ts'

export type ExperimentType = 'exploration' | 'calibration' | 'monteCarlo' | 'optimization' | 'learning'

/** What a plan must have for experiments of each type. */
export const featureOfType: Readonly<Record<ExperimentType, Feature>> = {
  exploration: 'exploration',
  calibration: 'exploration',
  monteCarlo: 'monteCarlo',
  optimization: 'optimization',
  learning: 'learning',
}

type Design = 'live' | 'factorial' | 'fractional' | 'latinHypercube' | 'sobolSequence' | 'table' | 'morris' | 'sobolIndices'
export type Algorithm =
  | 'auto'
  | 'ga'
  | 'de'
  | 'cmaes'
  | 'tpe'
  | 'gp'
  | 'nsga2'
  | 'nsga3'
  | 'spea2'
  | 'paes'
  | 'mocell'
  | 'gde3'
  | 'omopso'
  | 'smpso'
  | 'moead'
  | 'random'
export type Aggregate = 'mean' | 'median' | 'min' | 'max' | 'std' | 'q05' | 'q95'

/** The settings of all algorithms; each reads those it has. Meanings and ranges: kinds/experiment.ts. */
export type AlgorithmSettings = {
  populationSize: number
  maxIterations: number
  stall: number | null
  crossoverProbability: number
  crossoverDistributionIndex: number
  mutationDistributionIndex: number
  differentialRatio: number
  archiveSize: number
  perturbationIndex: number
  biSections: number
}

/** A value a decision variable may be set to. */
export type Setting = number | boolean | string

export type Decision = {
  id: Id
  /** Id or name of a public variable of the model. */
  variable: string
  domain:
    | { as: 'continuous'; min: number; max: number; logarithmic: boolean }
    | { as: 'discrete'; min: number; max: number; step: number }
    | { as: 'enum'; values: readonly Setting[] }
    | { as: 'fixed'; value: Setting }
    | { as: 'variable'; formula: string }
}
type Objective = { id: Id; name: string; expression: string; direction: 'min' | 'max'; aggregate: Aggregate }
export type Constraint = {
  id: Id
  name: string
  stage: 'inputs' | 'outputs'
  expression: string
  relation: 'le' | 'ge' | 'eq'
  bound: number
  tolerance: number
  aggregate: Aggregate
}
type Response = { id: Id; name: string; expression: string }
type DataSeries = {
  id: Id
  name: string
  expression: string
  data: readonly { at: number; value: number; heldOut: boolean }[]
  weight: number
  sigma: number
}
type Alternative = { id: Id; name: string; modelScenario: string; values: readonly { variable: string; value: Setting }[] }

/** A table of results with others joined to it. It changes no run, so it is not part of the experiment's value. */
export type DataTable = {
  id: Id
  name: string
  main: string
  joins: readonly { how: 'inner' | 'left' | 'right' | 'full'; table: string; mainField: string; relatedField: string }[]
  fields: readonly string[]
}

/** The settings of a learning experiment. Null for the algorithm's default; `network` is a name or an id, blank for a new one. */
export type LearningPlan = {
  epochs: number
  episodesPerEpoch: number
  stepsPerEpoch: number
  rewardThreshold: number | null
  trainingEnvironments: number
  testEnvironments: number
  testEpisodes: number
  maxDecisions: number
  network: string
  policy: LearningPolicy
  hidden: string
  rateSchedule: 'default' | 'constant' | 'linear'
  byTime: boolean
  double: boolean
  dueling: boolean
  prioritised: boolean
  normaliseReturns: boolean
  parameters: Readonly<Record<LearningParameter, number | null>>
}

const learningPolicies = [
  'auto',
  'qlearning',
  'sarsa',
  'dqn',
  'reinforce',
  'a2c',
  'ppo',
  'mappo',
  'ddpg',
  'td3',
  'sac',
  'discreteSac',
  'es',
  'cmaes',
] as const
type LearningPolicy = (typeof learningPolicies)[number]

export const learningParameters = [
  'learningRate',
  'gamma',
  'lambda',
  'rollout',
  'passes',
  'batch',
  'clip',
  'entropy',
  'valueWeight',
  'maxGradNorm',
  'targetKl',
  'buffer',
  'warmUp',
  'trainEvery',
  'gradientSteps',
  'tau',
  'targetEvery',
  'lookahead',
  'quantiles',
  'explorationStart',
  'explorationEnd',
  'explorationShare',
  'noise',
  'correlation',
  'rewardScale',
  'alpha',
  'candidates',
  'sigma',
] as const
export type LearningParameter = (typeof learningParameters)[number]

export type Experiment = {
  id: Id
  name: string
  type: ExperimentType
  /** Id of the linked model file, or its path; blank while none is linked. */
  modelFile: string
  modelScenario: string
  /** What `digestOf` gave when the model was linked. */
  linked: string
  /** 0 .. 2^32-1. */
  seed: number
  replications: number
  /** Further runs of the best points, when a search is over. */
  confirmations: number
  /** Most runs of a point during the search: surviving points are run again up to this many times; 0: never. */
  resampling: number
  ticks: number | null
  /** Replaces the warm-up of the scenario, in ticks; null: as there. */
  warmUpTicks: number | null
  threads: number
  maxRuns: number
  maxMinutes: number | null
  until: 'fixed' | 'interval'
  confidence: number
  halfWidth: number
  /** In units of each response; null: none. */
  absoluteHalfWidth: number | null
  selection: 'paired' | 'best'
  indifference: number
  design: Design
  samples: number
  levels: number
  paths: number
  table: string
  fit: 'optimise' | 'abc'
  loss: 'sse' | 'mae' | 'likelihood'
  accepted: number
  algorithm: Algorithm
  settings: AlgorithmSettings
  decisions: readonly Decision[]
  objectives: readonly Objective[]
  constraints: readonly Constraint[]
  responses: readonly Response[]
  series: readonly DataSeries[]
  alternatives: readonly Alternative[]
  /** Null for all other types. */
  learning: LearningPlan | null
}

/** The experiment of a file; null when the file is of another kind. */
export function experimentOf(model: Model): Experiment | null {
  const root = model.roots.map(id => model.elements.get(id)).find(element => element?.kind === 'experiment')
  if (!root) return null
  const { fields } = root
  const parts = root.children.flatMap(id => model.elements.get(id) ?? [])
  const all = (kind: string): Element[] => parts.filter(element => element.kind === kind)
  return {
    id: root.id,
    name: text(fields.name),
    type: oneOf(fields.type, ['exploration', 'calibration', 'monteCarlo', 'optimization', 'learning'], 'monteCarlo'),
    modelFile: text(fields.modelFile).trim(),
    modelScenario: text(fields.modelScenario).trim(),
    linked: text(fields.linked),
    seed: number(fields.seed, 1),
    replications: number(fields.replications, 1),
    confirmations: number(fields.confirmations, 0),
    resampling: number(fields.resampling, 0),
    ticks: typeof fields.ticks === 'number' ? fields.ticks : null,
    warmUpTicks: typeof fields.warmUpTicks === 'number' ? fields.warmUpTicks : null,
    threads: number(fields.threads, 0),
    maxRuns: number(fields.maxRuns, 10_000),
    maxMinutes: typeof fields.maxMinutes === 'number' ? fields.maxMinutes : null,
    until: oneOf(fields.until, ['fixed', 'interval'], 'fixed'),
    confidence: number(fields.confidence, 0.95),
    halfWidth: number(fields.halfWidth, 0.05),
    absoluteHalfWidth: typeof fields.absoluteHalfWidth === 'number' ? fields.absoluteHalfWidth : null,
    selection: oneOf(fields.selection, ['paired', 'best'], 'paired'),
    indifference: number(fields.indifference, 0),
    design: oneOf(fields.design, designs, 'latinHypercube'),
    samples: number(fields.samples, 128),
    levels: number(fields.levels, 4),
    paths: number(fields.paths, 20),
    table: text(fields.table),
    fit: oneOf(fields.fit, ['optimise', 'abc'], 'optimise'),
    loss: oneOf(fields.loss, ['sse', 'mae', 'likelihood'], 'sse'),
    accepted: number(fields.accepted, 0.01),
    algorithm: oneOf(fields.algorithm, algorithms, 'auto'),
    settings: {
      populationSize: number(fields.populationSize, 100),
      maxIterations: number(fields.maxIterations, 250),
      stall: typeof fields.stall === 'number' ? fields.stall : null,
      crossoverProbability: number(fields.crossoverProbability, 0.9),
      crossoverDistributionIndex: number(fields.crossoverDistributionIndex, 20),
      mutationDistributionIndex: number(fields.mutationDistributionIndex, 20),
      differentialRatio: number(fields.differentialRatio, 0.5),
      archiveSize: number(fields.archiveSize, 100),
      perturbationIndex: number(fields.perturbationIndex, 0.5),
      biSections: number(fields.biSections, 5),
    },
    decisions: all('decision').map(decisionOf),
    objectives: all('objective').map(({ id, fields: own }) => ({
      id,
      name: text(own.name),
      expression: text(own.expression),
      direction: oneOf(own.direction, ['min', 'max'], 'min'),
      aggregate: oneOf(own.aggregate, aggregates, 'mean'),
    })),
    constraints: all('constraint').map(({ id, fields: own }) => ({
      id,
      name: text(own.name),
      stage: oneOf(own.stage, ['inputs', 'outputs'], 'inputs'),
      expression: text(own.expression),
      relation: oneOf(own.relation, ['le', 'ge', 'eq'], 'le'),
      bound: number(own.bound, 0),
      tolerance: number(own.tolerance, 0.000_001),
      aggregate: oneOf(own.aggregate, aggregates, 'mean'),
    })),
    responses: all('response').map(({ id, fields: own }) => ({ id, name: text(own.name), expression: text(own.expression) })),
    series: all('dataSeries').map(({ id, fields: own }) => ({
      id,
      name: text(own.name),
      expression: text(own.expression),
      data: rows(own.data).map(row => ({ at: number(row.at, 0), value: number(row.value, 0), heldOut: row.heldOut === true })),
      weight: number(own.weight, 1),
      sigma: number(own.sigma, 1),
    })),
    alternatives: all('alternative').map(({ id, fields: own }) => ({
      id,
      name: text(own.name),
      modelScenario: text(own.modelScenario).trim(),
      values: rows(own.values).map(row => ({ variable: text(row.variable), value: settingOf(text(row.value)) })),
    })),
    learning: fields.type === 'learning' ? learningOf(fields) : null,
  }
}

function learningOf(fields: Element['fields']): LearningPlan {
  const given = (id: LearningParameter): number | null => {
    const value = fields[id]
    return typeof value === 'number' ? value : null
  }
  return {
    epochs: number(fields.epochs, 20),
    episodesPerEpoch: number(fields.episodesPerEpoch, 0),
    stepsPerEpoch: number(fields.stepsPerEpoch, 10_000),
    rewardThreshold: typeof fields.rewardThreshold === 'number' ? fields.rewardThreshold : null,
    trainingEnvironments: number(fields.trainingEnvironments, 8),
    testEnvironments: number(fields.testEnvironments, 10),
    testEpisodes: number(fields.testEpisodes, 50),
    maxDecisions: number(fields.maxDecisions, 1000),
    network: text(fields.network).trim(),
    policy: oneOf(fields.policy, learningPolicies, 'auto'),
    hidden: text(fields.hidden).trim(),
    rateSchedule: oneOf(fields.rateSchedule, ['default', 'constant', 'linear'], 'default'),
    byTime: fields.byTime === true,
    double: fields.double !== false,
    dueling: fields.dueling === true,
    prioritised: fields.prioritised === true,
    normaliseReturns: fields.normaliseReturns !== false,
    parameters: Object.fromEntries(learningParameters.map(id => [id, given(id)])) as Record<LearningParameter, number | null>,
  }
}

/** The data tables of an experiment's file. */
export function dataTablesOf(model: Model): DataTable[] {
  const root = model.roots.map(id => model.elements.get(id)).find(element => element?.kind === 'experiment')
  return (root?.children ?? []).flatMap(id => {
    const element = model.elements.get(id)
    if (element?.kind !== 'dataTable') return []
    const { fields } = element
    return {
      id,
      name: text(fields.name),
      main: text(fields.main),
      joins: rows(fields.joins).map(row => ({
        how: oneOf(row.how, ['inner', 'left', 'right', 'full'], 'left'),
        table: text(row.table),
        mainField: text(row.mainField),
        relatedField: text(row.relatedField),
      })),
      fields: rows(fields.fields).map(row => text(row.field)),
    }
  })
}

/** A value as people write it: a number, True or False in any case, else the text itself, without quotes around it. */
export function settingOf(written: string): Setting {
  const trimmed = written.trim()
  if (/^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true'
  const value = Number(trimmed)
  if (trimmed !== '' && Number.isFinite(value)) return value
  return /^(["']).*\1$/.test(trimmed) && trimmed.length > 1 ? trimmed.slice(1, -1) : trimmed
}

/**
 * A digest of each element of a model: equal digests mean equal elements (except for one case in four thousand million). The experiment
 * stores the digest from when it was linked, so that `changesSince` can count the changes of the model.
 */
export const digestOf = (model: Model): string => JSON.stringify(digests(model))

/** How many elements were added, removed or changed since a digest was taken; 0 for a blank or damaged one. */
export function changesSince(linked: string, model: Model): number {
  const before = parsed(linked)
  if (before === null) return 0
  const now = digests(model)
  const ids = new Set([...Object.keys(before), ...Object.keys(now)])
  let changes = 0
  for (const id of ids) if (before[id] !== now[id]) changes++
  return changes
}

function digests(model: Model): Record<Id, number> {
  const all: Record<Id, number> = {}
  // The position of an element on its canvas is not part of its meaning.
  for (const { id, kind, parent, ends, fields } of model.elements.values())
    all[id] = fnv1a(JSON.stringify([kind, parent, ends?.from.id ?? null, ends?.to.id ?? null, sorted(fields)]))
  return all
}

const sorted = (fields: Readonly<Record<string, Json>>): [string, Json][] =>
  Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))

function fnv1a(written: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < written.length; i++) hash = Math.imul(hash ^ written.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

function parsed(linked: string): Readonly<Record<string, unknown>> | null {
  try {
    const json: unknown = JSON.parse(linked)
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : null
  } catch {
    return null
  }
}

function decisionOf({ id, fields }: Element): Decision {
  const domain = ((): Decision['domain'] => {
    const min = number(fields.min, 0)
    const max = number(fields.max, 1)
    switch (fields.domain) {
      case 'discrete':
        return { as: 'discrete', min, max, step: number(fields.step, 1) }
      case 'enum':
        return {
          as: 'enum',
          values: text(fields.values)
            .split(',')
            .flatMap(value => (value.trim() === '' ? [] : [settingOf(value)])),
        }
      case 'fixed':
        return { as: 'fixed', value: settingOf(text(fields.value)) }
      case 'variable':
        return { as: 'variable', formula: text(fields.formula) }
      default:
        return { as: 'continuous', min, max, logarithmic: fields.logarithmic === true }
    }
  })()
  return { id, variable: text(fields.variable).trim(), domain }
}

const designs: readonly Design[] = ['live', 'factorial', 'fractional', 'latinHypercube', 'sobolSequence', 'table', 'morris', 'sobolIndices']
const algorithms: readonly Algorithm[] = [
  'auto',
  'ga',
  'de',
  'cmaes',
  'tpe',
  'gp',
  'nsga2',
  'nsga3',
  'spea2',
  'paes',
  'mocell',
  'gde3',
  'omopso',
  'smpso',
  'moead',
  'random',
]
const aggregates: readonly Aggregate[] = ['mean', 'median', 'min', 'max', 'std', 'q05', 'q95']

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '')
const number = (value: Json | undefined, initial: number): number => (typeof value === 'number' ? value : initial)
const oneOf = <T extends string>(value: Json | undefined, options: readonly T[], initial: T): T =>
  options.find(option => option === value) ?? initial
const rows = (value: Json | undefined): { [key: string]: Json }[] =>
  Array.isArray(value) ? value.flatMap(row => (typeof row === 'object' && row !== null && !Array.isArray(row) ? [row] : [])) : []
