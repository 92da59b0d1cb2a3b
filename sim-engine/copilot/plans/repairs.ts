// Repairs of experiments, charts and dashboards: ways to mend a fault, tried on a branch of the file. One holds if the fault is gone and nothing else came
// at the same place; where several do equally well, it is for people to choose.
import type { DraftKind } from '../../../model-schema/file-drafts.ts'
import { formulaName, kindOf } from '../../../model-schema/kinds.ts'
import type { Json } from '../../../model-schema/kinds/kind.ts'
import type { Element, Id, Model } from '../../../model-schema/model.ts'
import { scenarioNamed } from '../../../model-schema/overlay.ts'
import { english, say, type Words } from '../../../model-schema/words.ts'
import { check } from '../../check.ts'
import { shownName } from '../../experiment/prepare.ts'
import type { Branch, EditCall } from '../branch.ts'
import { nameOf, set, way, writeAt, type Candidate } from '../candidates.ts'
import { distance, wrongFormula } from '../formula-repairs.ts'
import { candidatesFor } from '../repairs.ts'
import { faultsIn, type Fault } from './faults.ts'
import { offersIn } from './offers.ts'

/** Candidates tried for a fault, and faults mended in one answer. */
const most = { tried: 40, mended: 50 } as const

type Context = { readonly kind: DraftKind; readonly model: Model; readonly about: string | null }

export type Mended = {
  readonly done: readonly { readonly fault: Fault; readonly words: Words; readonly calls: readonly EditCall[] }[]
  readonly asks: readonly { readonly fault: Fault; readonly choices: readonly Candidate[] }[]
  readonly left: readonly Fault[]
}

/** Mends on the branch what can be mended without asking. */
export function mendFaults(branch: Branch, context: Context): Mended {
  const faults = (): Fault[] => faultsIn(context.kind, branch.model, context.model, context.about)
  const done: Mended['done'][number][] = []
  const tried = new Map<string, readonly Candidate[]>()
  for (let rounds = most.mended; rounds > 0; rounds--) {
    const next = faults().find(fault => !tried.has(keyOf(fault)))
    if (!next) break
    const good = holding(branch, next, faults, context)
    const [only] = good
    if (only && (good.length === 1 || only.oneOf === undefined)) {
      branch.edit(only.calls)
      done.push({ fault: next, words: only.words, calls: only.calls })
    } else tried.set(keyOf(next), good)
  }
  const still = faults()
  const choicesOf = (fault: Fault): readonly Candidate[] => tried.get(keyOf(fault)) ?? []
  return {
    done,
    asks: still.flatMap(fault => (choicesOf(fault).length > 0 ? [{ fault, choices: choicesOf(fault) }] : [])),
    left: still.filter(fault => choicesOf(fault).length === 0),
  }
}

const keyOf = ({ at, field = '', says }: Fault): string => `${at} ${field} ${english(says)}`

/** The candidates that mend the fault: the first, or those that are as good as it. The branch stays as it is. */
function holding(branch: Branch, fault: Fault, faults: () => Fault[], context: Context): Candidate[] {
  const file = branch.model
  const before = new Set(faults().map(keyOf))
  const good: Candidate[] = []
  for (const candidate of candidates(fault, file, context).slice(0, most.tried)) {
    const [first] = good
    if (first && (first.oneOf === undefined || first.oneOf !== candidate.oneOf)) break
    if ('refused' in branch.edit(candidate.calls)) continue
    const after = faults()
    // What the plan was not read for yet may come to light elsewhere.
    const came = after.some(
      one => !before.has(keyOf(one)) && (!file.elements.has(one.at) || (one.at === fault.at && one.field === fault.field)),
    )
    if (!after.some(one => keyOf(one) === keyOf(fault)) && !came) good.push(candidate)
    branch.takeBack()
  }
  return good
}

/** Ways to mend a fault, untried, the best first. */
function candidates(fault: Fault, file: Model, context: Context): Candidate[] {
  const element = file.elements.get(fault.at)
  if (!element) return []
  const own = (byField[fault.field ?? ''] ?? none)({ element, file, ...context })
  return [...own, ...ofFormula(fault, element, file)]
}

type Place = Context & { readonly element: Element; readonly file: Model }
type Repairing = (place: Place) => Candidate[]

const none: Repairing = () => []

/** What the checker knows of a formula or a card; only edits of this file. */
function ofFormula({ cause, at, field }: Fault, element: Element, file: Model): Candidate[] {
  if (!cause) return []
  const { problem, model, all } = cause
  const placed = { ...problem, at: { ...problem.at, id: at, ...(field === undefined ? {} : { field }) } }
  const card = model.elements.get(at)
  const found = card ? candidatesFor(model, placed, all) : wrongFormula(model, element, placed, [])
  return found
    .map(candidate => (card && element.kind === 'plot' ? { ...candidate, calls: inPlot(element, card, candidate.calls) } : candidate))
    .filter(({ calls }) => calls.length > 0 && calls.every(call => call.do === 'set' && file.elements.has(call.id)))
}

/** Edits of the chart that a run makes of a plot, as edits of the plot: what is written otherwise is written so wherever the plot says it. */
function inPlot(plot: Element, chart: Element, calls: readonly EditCall[]): EditCall[] {
  return calls.flatMap(call => {
    if (call.do !== 'set' || call.id !== plot.id || call.field !== 'series') return []
    const [was, is] = [seriesIn(chart.fields['series']), seriesIn(call.value)]
    const at = was.findIndex((one, k) => one !== is[k])
    const [old, next] = [was[at], is[at]]
    if (old === undefined || next === undefined) return []
    return Object.entries(plot.fields).flatMap(([field, value]) => {
      const written = rewritten(value, old, next)
      return written === value ? [] : [set(plot.id, field, written)]
    })
  })
}

const seriesIn = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? value.map(row => (typeof row === 'object' && row !== null && !Array.isArray(row) ? (row['value'] ?? '') : '')) : []

/** The value with another text in place of one, also in its rows; the same value where it does not hold that text. */
function rewritten(value: Json, old: Json, next: Json): Json {
  if (value === old) return next
  if (Array.isArray(value)) {
    const items = value.map(one => rewritten(one, old, next))
    return items.every((one, k) => one === value[k]) ? value : items
  }
  if (typeof value !== 'object' || value === null) return value
  const cells = Object.entries(value).map(([key, cell]) => [key, rewritten(cell, old, next)] as const)
  return cells.every(([key, cell]) => cell === value[key]) ? value : Object.fromEntries(cells)
}

const among = (all: readonly Candidate[], oneOf: string): Candidate[] => all.map(one => ({ ...one, oneOf }))

/** The names that are nearest to what is written, if any is near; else all of them. */
function nearest(written: string, names: readonly string[]): readonly string[] {
  const plain = formulaName(written).toLowerCase()
  const near = names
    .map(name => ({ name, far: distance(formulaName(name).toLowerCase(), plain) }))
    .filter(({ far }) => far <= Math.min(2, plain.length - 1))
  const least = near.reduce((a, { far }) => Math.min(a, far), Infinity)
  return near.length === 0 ? names : near.filter(({ far }) => far === least).map(({ name }) => name)
}

const written = (element: Element, field: string): string => String(element.fields[field] ?? '').trim()

const scenarioOf = ({ file, model }: Place): Id | null => {
  const root = file.elements.get(file.roots[0] ?? '')
  const named = root ? written(root, 'modelScenario') : ''
  return named === '' ? (model.scenarios[0] ?? null) : scenarioNamed(model, named)
}

function inputsOf(place: Place): readonly string[] {
  const scenario = scenarioOf(place)
  const checked = scenario === null ? null : check(place.model, scenario)
  return checked?.ok ? checked.checked.parts.shared.filter(one => one.public).map(shownName) : []
}

/** Inputs that no other decision of the plan sets. */
function freeInputs(place: Place): readonly string[] {
  const taken = new Set(
    [...place.file.elements.values()].flatMap(one =>
      one.kind === 'decision' && one.id !== place.element.id ? [formulaName(written(one, 'variable'))] : [],
    ),
  )
  return inputsOf(place).filter(name => !taken.has(formulaName(name)))
}

const takes = (name: string): Words => say('Takes {name}.', { name })

/** The value that the field has in a new element. */
const usual: (field: string) => Repairing =
  field =>
  ({ element }) => {
    const row = kindOf(element.kind)?.fields.find(one => one.id === field)
    return row
      ? [way(say('Puts {label} back to {value}.', { label: row.label, value: String(row.initial) }), set(element.id, field, row.initial))]
      : []
  }

const byField: Readonly<Record<string, Repairing>> = {
  modelScenario: ({ element, model }) =>
    among(
      nearest(
        written(element, 'modelScenario'),
        model.scenarios.map(id => nameOf(model.elements.get(id))),
      ).map(name => way(takes(name), set(element.id, 'modelScenario', name))),
      'scenario',
    ),
  variable: place =>
    among(
      nearest(written(place.element, 'variable'), freeInputs(place)).map(name => way(takes(name), set(place.element.id, 'variable', name))),
      'input',
    ),
  values: place => [...ofAlternative(place), ...truths(place)],
  domain: place => truths(place),
  value: place => truths(place),
  max: ({ element }) => {
    const [min, max] = [element.fields['min'] ?? 0, element.fields['max'] ?? 1]
    return [way(say('Exchanges minimum and maximum.'), set(element.id, 'min', max), set(element.id, 'max', min))]
  },
  min: ({ element }) => [way(say('Searches without the logarithmic scale.'), set(element.id, 'logarithmic', false))],
  step: usual('step'),
  sigma: usual('sigma'),
  algorithm: usual('algorithm'),
  maxRuns: usual('maxRuns'),
  // It changed nothing as it was.
  resampling: ({ element }) => [way(say('Runs no survivor again, as it is now.'), set(element.id, 'resampling', 0))],
  warmUpTicks: ({ element }) =>
    among([way(say('Takes the warm-up of the scenario.'), set(element.id, 'warmUpTicks', null)), tenth(element)], 'warm-up'),
  expression: place => ofName(place),
  name: place => {
    const scenario = place.model.elements.get(scenarioOf(place) ?? '')
    return scenario ? [way(say('Calls it {name}.', { name: nameOf(scenario) }), set(place.element.id, 'name', nameOf(scenario)))] : []
  },
  metrics: place =>
    offers(place).map(({ name, field }) => ({
      ...way(say('Shows {name}.', { name }), set(place.element.id, 'metrics', [{ field }])),
      oneOf: 'measure',
    })),
  '': place =>
    among(
      offers(place).map(({ name, field }) =>
        way(say('Measures {name}.', { name }), {
          do: 'place',
          kind: 'response',
          parent: place.element.id,
          values: { name, expression: field },
        }),
      ),
      'measure',
    ),
}

const offers = (place: Place): ReturnType<typeof offersIn> => offersIn(place.model, scenarioOf(place), new Set())

const tenth = (element: Element): Candidate => {
  const ticks = Math.floor(Number(element.fields['ticks'] ?? 0) / 10)
  return way(say('Leaves out the first tenth of the run.'), set(element.id, 'warmUpTicks', ticks))
}

/** The variable of an alternative that the model has by another name. */
function ofAlternative(place: Place): Candidate[] {
  const { element } = place
  const rows = element.fields['values']
  if (!Array.isArray(rows)) return []
  const names = inputsOf(place)
  return rows.flatMap((row, at) => {
    const name = typeof row === 'object' && row !== null && !Array.isArray(row) ? String(row['variable'] ?? '') : ''
    if (names.some(one => formulaName(one) === formulaName(name))) return []
    return among(
      nearest(name, names).map(one => way(takes(one), writeAt(element, `values/${at}/variable`, one))),
      'input',
    )
  })
}

/** Both values of a truth. */
const truths: Repairing = ({ element }) =>
  element.kind === 'decision'
    ? [way(say('Tries True and False.'), set(element.id, 'domain', 'enum'), set(element.id, 'values', 'True, False'))]
    : []

/** A measure that is named as a measure of the model, and says nothing yet. */
function ofName(place: Place): Candidate[] {
  const { element } = place
  if (written(element, 'expression') !== '') return []
  const named = formulaName(written(element, 'name')).toLowerCase()
  const all = offers(place)
  const same = all.filter(({ field }) => field.toLowerCase() === named)
  return among(
    (same.length > 0 ? same : all).map(({ field }) => way(takes(field), set(element.id, 'expression', field))),
    'measure',
  )
}
