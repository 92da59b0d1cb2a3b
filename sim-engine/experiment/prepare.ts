// Experiment and Model -> what can be run, or what is wrong with it. Expressions of the experiment become statistics of the model, so that they are
// formulas like all others: checked, compiled, explained by the same code.
import type { Decision, Experiment, Setting } from '../../model-schema/experiment.ts'
import { formulaName } from '../../model-schema/kinds.ts'
import type { Id, Model } from '../../model-schema/model.ts'
import { elementOf, overlay, scenarioNamed } from '../../model-schema/overlay.ts'
import { check, type CheckedModel } from '../check.ts'
import type { VariablePart } from '../check/parts.ts'
import type { Plain } from '../messages.ts'
import type { Problem } from '../problems.ts'
import { violationOf } from './constraints.ts'
import { domainFault, searched, settingAt } from './decisions.ts'
import { pointCount, tableOf } from './explore/points.ts'
import { reassessing, singleObjective } from './optimise.ts'
import { checkLearning } from './learn/plan.ts'
import type { Point, Space } from './optimise/search.ts'
import type { Before, Runnable } from './protocol.ts'
import type { ColumnName } from './results.ts'
import { say, type Words } from '../../model-schema/words.ts'

export type ExperimentProblem = {
  /** An element of the experiment, or of its model. */
  readonly at: { readonly id: Id; readonly field?: string; readonly from?: number; readonly to?: number }
  readonly inModel: boolean
  readonly words: Words
  readonly severity: 'error' | 'warning'
  /** An error that is no mistake: a field has not been filled in yet. */
  readonly isUnsaid: boolean
  /** What the checker found wrong in a formula. */
  readonly cause?: Problem
}

/** A decision variable that is searched, with the public variable it sets. */
export type FreeDecision = { readonly id: Id; readonly variable: Id; readonly name: string; readonly domain: Decision['domain'] }

/** Where the values of objectives, constraints, responses and series are in a row of results. */
type Measured = {
  readonly objectives: readonly number[]
  readonly constraints: readonly number[]
  readonly responses: readonly number[]
  /** First column of each data series. */
  readonly series: readonly number[]
}

export type Prepared = {
  readonly experiment: Experiment
  readonly space: Space
  readonly free: readonly FreeDecision[]
  readonly decisions: readonly ColumnName[]
  readonly measures: readonly ColumnName[]
  readonly measured: Measured
  readonly alternatives: readonly { readonly name: string; readonly inputs: Readonly<Record<Id, Plain>> }[]
  readonly runnable: Runnable
  /** The settings of a point and the public variables they set. */
  inputsOf(point: Point): { settings: Setting[]; inputs: Record<Id, Plain> }
  /** What else is set, and how far a point is outside the constraints on inputs, by what `runnable.before` gave for it. */
  workedOut(values: readonly number[]): { inputs: Record<Id, Plain>; violation: number }
}

export type Preparation =
  | { readonly ok: true; readonly prepared: Prepared; readonly problems: readonly ExperimentProblem[] }
  | { readonly ok: false; readonly prepared: null; readonly problems: readonly ExperimentProblem[] }

/** `stepLimit`: most ticks of one run that the plan allows. Never throws, whatever the experiment and the model. */
export function prepare(experiment: Experiment, model: Model | null, stepLimit: number | null = null): Preparation {
  const report = reporting()
  const { problems, wrong, missing } = report
  const stop = (): Preparation => ({ ok: false, prepared: null, problems })

  if (experiment.name.trim() === '') missing(experiment.id, say('The experiment needs a name.'), 'name')
  if (experiment.modelFile === '' || model === null) {
    missing(experiment.id, say('A model must be linked first.'), 'modelFile')
    return stop()
  }
  checkWhole(experiment, report)
  checkRuns(experiment, report)
  const scenarios = scenariosOf(experiment, model, wrong)
  if (scenarios === null) return stop()
  const measures = measuresOf(experiment)
  const alternatives = instrumented(experiment, model, scenarios.each, measures, problems)
  if (alternatives === null) return stop()

  const { checked } = alternatives[0]!
  if (experiment.learning) checkLearning(experiment.id, experiment.learning, checked, wrong)
  const publics = checked.parts.shared.filter(variable => variable.public)
  const { free, fixed, formulas } = decisionsOf(experiment, publics, report)
  if (experiment.type === 'exploration' && experiment.design === 'table') checkTable(experiment, free, wrong, report.doubtful)
  const named = namedAlternatives(experiment)?.map(({ name, ...one }, k) => ({
    name: name === '' ? `${k + 1}` : name,
    inputs: valuesOf(one, publics, wrong),
  }))
  const onInputs = experiment.constraints.filter(({ stage }) => stage === 'inputs')
  const before = formulas.length + onInputs.length > 0 ? beforeRuns(model, scenarios.own, onInputs, publics, formulas, problems) : null
  if (needsDecisions(experiment) && free.length === 0) missing(experiment.id, say('At least one decision variable must be free to vary.'))
  if (problems.some(({ severity }) => severity === 'error')) return stop()

  const prepared: Prepared = {
    experiment,
    space: {
      domains: free.map(({ domain }) => searched(domain)),
      objectives: Math.max(1, experiment.type === 'calibration' ? 1 : experiment.objectives.length),
    },
    free,
    decisions: free.map(({ id, name }) => ({ id, label: name })),
    measures: measures.columns,
    measured: measures.measured,
    alternatives: named ?? [{ name: experiment.name, inputs: {} }],
    runnable: {
      alternatives: alternatives.map(({ model: own, scenario: of }) => ({ model: own, scenario: of })),
      measures: measures.statistics.map(({ id, at }) => ({ id, at })),
      before,
      ticks: experiment.ticks,
      stepLimit,
    },
    inputsOf(point) {
      const settings = free.map(({ domain }, k) => settingAt(domain, point[k]!))
      const set: Record<Id, Plain> = { ...fixed }
      free.forEach(({ variable }, k) => (set[variable] = settings[k]!))
      return { settings, inputs: set }
    },
    workedOut(values) {
      const set = Object.fromEntries(formulas.map(({ variable }, k) => [variable.id, values[k]!] as const))
      const violation = onInputs.reduce((sum, constraint, k) => sum + violationOf(constraint, values[formulas.length + k]!), 0)
      return { inputs: set, violation }
    },
  }
  return checkDesign(prepared, wrong) ? { ok: true, prepared, problems } : stop()
}

/** Reports an error at an element of the experiment. */
type Wrong = (id: Id, words: Words, field?: string) => void

/** Problems of an experiment, as they are found: errors by `wrong`, what was not said yet by `missing`, warnings by `doubtful`. */
type Report = { readonly problems: ExperimentProblem[]; readonly wrong: Wrong; readonly missing: Wrong; readonly doubtful: Say }

function reporting(): Report {
  const problems: ExperimentProblem[] = []
  const error =
    (isUnsaid: boolean): Wrong =>
    (id, words, field) =>
      void problems.push({ at: field === undefined ? { id } : { id, field }, inModel: false, words, severity: 'error', isUnsaid })
  return {
    problems,
    wrong: error(false),
    missing: error(true),
    doubtful: (id, words, field) => void problems.push({ at: { id, field }, inModel: false, words, severity: 'warning', isUnsaid: false }),
  }
}

/** Warm-up and replications of single runs. */
function checkRuns(experiment: Experiment, { wrong, doubtful }: Report): void {
  const { id, type, algorithm, resampling, replications, warmUpTicks, ticks } = experiment
  if (warmUpTicks !== null && ticks !== null && warmUpTicks >= ticks)
    wrong(id, say('The warm-up is as long as the whole run.'), 'warmUpTicks')
  if (type === 'optimization' && (algorithm === 'auto' || reassessing.has(algorithm)) && resampling > 0 && resampling <= replications)
    doubtful(
      id,
      say('No survivor is run again: each point has {replications} runs from the start. Put in more than that, or 0.', { replications }),
      'resampling',
    )
}

/** The alternatives that people wrote; null when the experiment has one, which has no name. */
const namedAlternatives = ({ alternatives, type }: Experiment): Experiment['alternatives'] | null =>
  alternatives.length > 0 && type === 'monteCarlo' ? alternatives : null

/** The scenario of the experiment, and that of each alternative; null when one of them is not in the model. */
function scenariosOf(experiment: Experiment, model: Model, wrong: Wrong): { own: Id; each: Id[] } | null {
  const missing = say('The model has no scenario of this name.')
  const own = scenarioNamed(model, experiment.modelScenario)
  if (own === null) wrong(experiment.id, missing, 'modelScenario')
  const each: Id[] = []
  const all = namedAlternatives(experiment) ?? [{ id: experiment.id, modelScenario: '' }]
  for (const { id, modelScenario } of all) {
    const scenario = modelScenario === '' ? own : scenarioNamed(model, modelScenario)
    if (scenario !== null) each.push(scenario)
    else if (modelScenario !== '') wrong(id, missing, 'modelScenario')
  }
  return own === null || each.length < all.length ? null : { own, each }
}

type Alternative = { readonly model: Model; readonly scenario: Id; readonly checked: CheckedModel }

/** The model of each alternative, with its warm-up and a statistic for each measure; null when one has an error. */
function instrumented(
  { warmUpTicks }: Experiment,
  model: Model,
  scenarios: readonly Id[],
  measures: ReturnType<typeof measuresOf>,
  problems: ExperimentProblem[],
): Alternative[] | null {
  const alternatives: Alternative[] = []
  for (const scenario of scenarios) {
    const warmed = warmUpTicks === null ? model : withWarmUp(model, scenario, warmUpTicks)
    const measured = withStatistics(warmed, scenario, measures.statistics)
    const checked = check(measured, scenario)
    if (!checked.ok) {
      for (const one of checked.problems) if (one.severity === 'error') problems.push(ofProblem(one, measures.ids))
      return null
    }
    alternatives.push({ model: measured, scenario, checked: checked.checked })
  }
  return alternatives
}

type FormulaDecision = { readonly variable: VariablePart; readonly decision: Id; readonly formula: string }

/** The decision variables by what gives their values: the search, a fixed value, a formula. */
function decisionsOf(
  { decisions }: Experiment,
  publics: readonly VariablePart[],
  { wrong, missing }: Report,
): { free: FreeDecision[]; fixed: Record<Id, Plain>; formulas: FormulaDecision[] } {
  const free: FreeDecision[] = []
  const fixed: Record<Id, Plain> = {}
  const formulas: FormulaDecision[] = []
  const taken = new Set<Id>()
  for (const { id, variable: written, domain } of decisions) {
    const variable = publicOf(publics, written)
    if (!variable) {
      const report = written.trim() === '' ? missing : wrong
      report(id, noVariable(written, publics), 'variable')
      continue
    }
    if (taken.has(variable.id)) wrong(id, say('Two decision variables set the same variable.'), 'variable')
    taken.add(variable.id)
    const fault = domainFault(domain, variable)
    if (fault) wrong(id, fault.words, fault.field)
    else if (domain.as === 'fixed') fixed[variable.id] = domain.value
    else if (domain.as === 'variable') formulas.push({ variable, decision: id, formula: domain.formula })
    else free.push({ id, variable: variable.id, name: shownName(variable), domain })
  }
  return { free, fixed, formulas }
}

/** Whether the points of a design can be held in memory. */
function checkDesign(prepared: Prepared, wrong: Wrong): boolean {
  const { id, type } = prepared.experiment
  if (type !== 'exploration' || pointCount(prepared) <= mostPoints) return true
  wrong(
    id,
    say('The design has {prepared} points; at most {mostPoints} are run.', { prepared: pointCount(prepared), mostPoints }),
    'design',
  )
  return false
}

/** Most points of a design: they are all held in memory. */
const mostPoints = 1_000_000

const needsDecisions = ({ type, design }: Experiment): boolean =>
  type === 'optimization' || type === 'calibration' || (type === 'exploration' && design !== 'live' && design !== 'table')

function checkWhole(experiment: Experiment, { wrong, missing }: Report): void {
  const { id, type, objectives, responses, series } = experiment
  if (type === 'optimization' && objectives.length === 0) missing(id, say('An optimisation needs an objective.'))
  if (type === 'optimization' && objectives.length > 1 && singleObjective.has(experiment.algorithm))
    wrong(id, say('This algorithm looks at one objective only.'), 'algorithm')
  const least = type === 'monteCarlo' ? Math.max(1, experiment.alternatives.length) : experiment.replications
  if (type !== 'learning' && experiment.maxRuns < least && !(type === 'exploration' && experiment.design === 'live'))
    wrong(
      id,
      type === 'monteCarlo'
        ? say('Most runs is below one run for each alternative.')
        : say('Most runs is below the replications of one point.'),
      'maxRuns',
    )
  if (type === 'calibration' && series.length === 0) missing(id, say('A calibration needs a data series.'))
  if ((type === 'monteCarlo' || type === 'exploration') && objectives.length + responses.length + series.length === 0)
    missing(id, say('Nothing is recorded: add a response or an objective.'))
  for (const one of [...objectives, ...experiment.constraints, ...responses, ...series])
    if (one.expression.trim() === '') missing(one.id, say('The expression is blank.'), 'expression')
  for (const one of series) {
    if (one.data.filter(({ heldOut }) => !heldOut).length === 0 && type === 'calibration')
      missing(one.id, say('The series has no data to fit.'), 'data')
    if (experiment.loss === 'likelihood' && !(one.sigma > 0)) wrong(one.id, say('The standard deviation must be above 0.'), 'sigma')
  }
}

/** A column that sets nothing would give results that look as if it had. */
function checkTable(experiment: Experiment, free: readonly FreeDecision[], wrong: Say, doubtful: Say): void {
  const { points, unknown, doubled, badLines } = tableOf(
    experiment.table,
    free,
    free.map(({ domain }) => searched(domain)),
  )
  const names = free.map(({ name }) => name).join(', ')
  for (const name of unknown)
    wrong(
      experiment.id,
      name === ''
        ? say('A column of the table has no name.')
        : say(
            'The table has a column "{name}", which no decision variable is called; there {count, plural, one {is} other {are}} {names}.',
            { name, count: free.length, names },
          ),
      'table',
    )
  for (const name of doubled) wrong(experiment.id, say('Two columns of the table set "{name}".', { name }), 'table')
  if (unknown.length + doubled.length > 0) return
  if (points.length === 0) return wrong(experiment.id, say('The table has no line that is a point.'), 'table')
  if (badLines.length === 0) return
  const shown = badLines.slice(0, 10).join(', ')
  doubtful(
    experiment.id,
    say(
      "Left out, as a value is missing or outside its variable's domain: line{count, plural, one {} other {s}} {shown}{more} of the table.",
      { count: badLines.length, shown, more: badLines.length > 10 ? say(' ...') : '' },
    ),
    'table',
  )
}

type Say = (id: Id, words: Words, field: string) => void

type Measure = { id: Id; at: readonly number[] | null; expression: string }

/** What is measured in each run, in the order of the columns: objectives, constraints on outputs, responses, series. */
function measuresOf(experiment: Experiment): {
  statistics: Measure[]
  columns: ColumnName[]
  measured: Measured
  ids: ReadonlyMap<Id, Id>
} {
  const statistics: Measure[] = []
  const columns: ColumnName[] = []
  const ids = new Map<Id, Id>()
  const add = (id: Id, name: string, expression: string, at: readonly number[] | null): number => {
    const statistic = statisticId(id)
    ids.set(statistic, id)
    statistics.push({ id: statistic, at, expression })
    const first = columns.length
    for (const time of at ?? [null])
      columns.push({ id: time === null ? id : `${id}@${time}`, label: time === null ? name : `${name} (${time})` })
    return first
  }
  const shown = (name: string, expression: string): string => (name === '' ? expression : name)
  const simple = (all: readonly { id: Id; name: string; expression: string }[]): number[] =>
    all.map(({ id, name, expression }) => add(id, shown(name, expression), expression, null))
  const measured: Measured = {
    objectives: simple(experiment.objectives),
    constraints: simple(experiment.constraints.filter(({ stage }) => stage === 'outputs')),
    responses: simple(experiment.responses),
    series: experiment.series.map(({ id, name, expression, data }) =>
      add(
        id,
        shown(name, expression),
        expression,
        data.map(({ at }) => at),
      ),
    ),
  }
  return { statistics, columns, measured, ids }
}

/** Ids of the experiment's elements in the model: no model can have them, as a colon is in no id. */
const statisticId = (id: Id): Id => `experiment:${id}`

function ofProblem(cause: Problem, ids: ReadonlyMap<Id, Id>): ExperimentProblem {
  const { at, message, severity } = cause
  const own = ids.get(at.id)
  return {
    at: { ...at, id: own ?? at.id },
    inModel: own === undefined,
    words: message,
    severity: severity === 'error' ? 'error' : 'warning',
    isUnsaid: false,
    cause,
  }
}

/** The model with another warm-up of a scenario, in ticks. */
export function withWarmUp(model: Model, scenario: Id, warmUp: number): Model {
  const home = model.elements.get(scenario)!
  return { ...model, elements: new Map(model.elements).set(scenario, { ...home, fields: { ...home.fields, warmUp } }) }
}

/** The model with one statistic more for each measure, on the canvas of the scenario. */
function withStatistics(model: Model, scenario: Id, statistics: readonly { id: Id; expression: string }[]): Model {
  return overlay(
    model,
    scenario,
    statistics.map(({ id, expression }, k) =>
      elementOf('statistic', id, scenario, { name: `experiment_measure_${k + 1}`, expression, aggregate: 'last', sample: 'end' }),
    ),
  )
}

export const shownName = ({ name, entity }: VariablePart): string => (entity ? `${entity.name}.${name}` : name)

function publicOf(publics: readonly VariablePart[], written: string): VariablePart | undefined {
  const wanted = written.split('.').map(formulaName).join('.')
  return publics.find(({ id }) => id === written) ?? publics.find(variable => shownName(variable) === wanted)
}

function noVariable(written: string, publics: readonly VariablePart[]): Words {
  const names = publics.map(shownName).join(', ')
  if (written === '') return say('Choose an input of the model.')
  return publics.length === 0
    ? say('The model has no inputs: switch on “Input” at a variable to vary it.')
    : say('The model has no input "{written}"; it has {names}.', { written, names })
}

function valuesOf(
  { id, values }: Pick<Experiment['alternatives'][number], 'id' | 'values'>,
  publics: readonly VariablePart[],
  wrong: Wrong,
): Record<Id, Plain> {
  const set: Record<Id, Plain> = {}
  for (const { variable: written, value } of values) {
    const variable = publicOf(publics, written)
    if (!variable) wrong(id, noVariable(written, publics), 'values')
    else set[variable.id] = value
  }
  return set
}

/**
 * A model of nothing but the public variables, which starts in microseconds: it works out decision variables given by formulas and the constraints
 * on inputs. Null when there are problems.
 */
function beforeRuns(
  model: Model,
  scenario: Id,
  constraints: Experiment['constraints'],
  publics: readonly VariablePart[],
  formulas: readonly FormulaDecision[],
  problems: ExperimentProblem[],
): Before | null {
  const ids = new Map<Id, Id>(constraints.map(({ id }) => [statisticId(id), id]))
  const written = new Map(formulas.map(({ variable, decision, formula }) => [variable.id, { decision, formula }]))
  for (const [variable, { decision }] of written) ids.set(variable, decision)
  const kept = publics
    .filter(({ entity }) => entity === null)
    .map(({ element }) => {
      const formula = written.get(element.id)?.formula
      return formula === undefined ? element : { ...element, fields: { ...element.fields, initial: formula } }
    })
  const home = model.elements.get(scenario)!
  const bare: Model = {
    ...model,
    elements: new Map([
      [scenario, { ...home, children: kept.map(({ id }) => id), fields: { ...home.fields, totalTicks: 0, stopWhen: '', overrides: [] } }],
      ...kept.map(element => [element.id, element] as const),
    ]),
  }
  const small = overlay(
    bare,
    scenario,
    constraints.map(({ id, expression }, k) =>
      elementOf('statistic', statisticId(id), scenario, {
        name: `experiment_input_${k + 1}`,
        expression,
        aggregate: 'last',
        sample: 'end',
      }),
    ),
  )
  const checked = check(small, scenario)
  if (!checked.ok) {
    for (const one of checked.problems) {
      if (one.severity !== 'error') continue
      const own = ofProblem(one, ids)
      const field = formulas.some(({ decision }) => decision === own.at.id) ? 'formula' : own.at.field
      problems.push({ ...own, at: field === undefined ? own.at : { ...own.at, field } })
    }
    return null
  }
  return {
    model: small,
    scenario,
    accepts: kept.map(({ id }) => id),
    variables: formulas.map(({ variable }) => variable.id),
    constraints: constraints.map(({ id }) => statisticId(id)),
  }
}
