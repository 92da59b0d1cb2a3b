// The guide in the editor of an experiment, a chart or a dashboard: what is wrong with it, what it does, how many runs are needed, and what else of the
// model could be measured or shown. What it suggests is a proposal for that file, checked with the model before it is offered.
import type { Doc } from 'yjs'
import { dashboardOf, everyItem } from '../../../model-schema/dashboard.ts'
import { modelOf } from '../../../model-schema/document.ts'
import { isRefusal } from '../../../model-schema/edit.ts'
import { experimentOf, type Decision, type Experiment } from '../../../model-schema/experiment.ts'
import { draftKinds, rootKindOf, type DraftKind } from '../../../model-schema/file-drafts.ts'
import { formulaName, kindOf } from '../../../model-schema/kinds.ts'
import type { Element, Model } from '../../../model-schema/model.ts'
import { scenarioNamed } from '../../../model-schema/overlay.ts'
import { plotOf } from '../../../model-schema/plot.ts'
import { english, list, say, verbatim, type Words } from '../../../model-schema/words.ts'
import { intervalOf, plannedRuns, prepare } from '../../experiment.ts'
import { Branch, type EditCall } from '../branch.ts'
import { line, nameOf, type Answer, type FileAsk, type Line, type Question } from '../questions.ts'
import { broken, replications, shown, TRIAL } from '../trials.ts'
import { faultsIn } from './faults.ts'
import { offersIn, type Offer } from './offers.ts'
import { mendFaults } from './repairs.ts'

/** Of the mean: how narrow an interval runs are counted for. Measures and cards that are suggested at a time; runs that are suggested at most. */
const WANTED = { width: 0.05, most: 3, runs: 1000, listed: 12 } as const

type About = {
  readonly kind: DraftKind
  readonly doc: Doc
  readonly file: Model
  readonly of: { readonly doc: Doc; readonly model: Model; readonly id: string }
  readonly now: number
}

/** `others`: those that a page of several models is about besides. */
export type FileModel = { readonly doc: Doc; readonly id: string; readonly others?: readonly FileModel[] }

/** Answers a question about a file; `of`: the model it is about, null while there is none or it is not here. */
export function aboutFile(doc: Doc, of: FileModel | null, question: Question & { about: 'file' }, now: number): Answer {
  const { ask, way, model } = question
  const file = modelOf(doc)
  const kind = kindOfFile(file)
  if (!kind) return told([line(say('This file holds no experiment, chart or dashboard.'))])
  if (!of) return told([line(say('It is about no model yet, or its model is not here: choose the model first.'))])
  const all = [of, ...(of.others ?? [])].map(one => ({ ...one, model: modelOf(one.doc) }))
  const [first] = all
  if (!first) return told([])
  const chosen = all.find(({ id }) => id === model)
  const about: About = { kind, doc, file, of: chosen ?? first, now }
  if (all.length > 1 && !chosen && !way) return ofSeveral(about, all, ask)
  const answers = { wrong, fix, explain, runs, suggest }
  return way ? offered(about, [line(way.words)], way.words, way.calls) : answers[ask](about)
}

/** What is asked of a page of several models: said of each by its name; a change is made for one at a time. */
function ofSeveral(about: About, all: readonly About['of'][], ask: FileAsk): Answer {
  const named = all.map(of => ({ of, name: modelName(about.file, of) }))
  const each = (what: FileAsk): Answer['next'] =>
    named.map(({ of, name }) => ({ words: changing(what, name), ask: { about: 'file', ask: what, model: of.id } }))
  if (ask === 'fix' || ask === 'suggest') return told([line(say('It is about several models. Of which?'))], { next: each(ask) })
  if (ask !== 'wrong') return explain(about)
  const known = new Set<string>()
  const parts = named.map(({ of, name }) => {
    const faults = faultsIn(about.kind, about.file, of.model, of.id).filter(({ at, says }) => !known.has(`${at} ${english(says)}`))
    for (const { at, says } of faults) known.add(`${at} ${english(says)}`)
    return { name, lines: faults.slice(0, WANTED.listed).map(({ at, says }) => line(says, at)) }
  })
  const lines = parts.flatMap(({ name, lines: said }) => [
    { ...line(say('Of the model {name}', { name })), heading: true as const },
    ...(said.length > 0 ? said : [line(say('Nothing is wrong with this page.'))]),
  ])
  return told(lines, { next: known.size > 0 ? each('fix') : each('suggest') })
}

const changing = (ask: FileAsk, name: string): Words =>
  ask === 'fix' ? say('Fix what can be fixed: {name}', { name }) : say('Suggest a chart: {name}', { name })

/** As the runs on the page are called, or as its scenario is. */
function modelName(page: Model, { id, model }: About['of']): string {
  const runs = dashboardOf(page)?.associations.filter(one => one.modelFile === id && one.name !== '') ?? []
  return runs.length > 0 ? [...new Set(runs.map(({ name }) => name))].join(', ') : nameOf(model.elements.get(model.scenarios[0] ?? ''))
}

/** What of a model a file is; null for models. */
export const kindOfFile = ({ roots, elements }: Model): DraftKind | null =>
  draftKinds.find(one => roots.some(id => elements.get(id)?.kind === rootKindOf[one])) ?? null

const told = (lines: readonly Line[], more: Partial<Answer> = {}): Answer => ({ lines, proposal: null, next: [], ...more })

const measureNext: Answer['next'] = [{ words: say('Suggest a measure'), ask: { about: 'file', ask: 'suggest' } }]

function wrong({ kind, file, of }: About): Answer {
  const faults = faultsIn(kind, file, of.model, of.id)
  if (faults.length === 0)
    return told([
      line(kind === 'experiment' ? say('Nothing is wrong with this plan: it can be run.') : say('Nothing is wrong with this page.')),
    ])
  const lines = faults.slice(0, WANTED.listed).map(({ at, says }) => line(says, at))
  if (faults.length > lines.length) lines.push(line(say('And {rest} more.', { rest: faults.length - lines.length })))
  const lacks = kind === 'experiment' ? (experimentOf(file)?.responses.length ?? 0) === 0 : true
  const mending: Answer['next'] = [{ words: say('Fix what can be fixed'), ask: { about: 'file', ask: 'fix' } }]
  return told(lines, { next: lacks ? [...mending, ...measureNext] : mending })
}

/** Mends what has one repair, asks where there are several, and says what is left. */
function fix(about: About): Answer {
  const { kind, file, doc, of } = about
  const { done, asks, left } = mendFaults(new Branch(doc), { kind, model: of.model, about: of.id })
  const lines = done.map(({ fault, words }) => line(say('{message} {words}', { message: fault.says, words }), fault.at))
  const next: { words: Words; ask: Question }[] = []
  for (const { fault, choices } of asks.slice(0, WANTED.most)) {
    lines.push(line(say('{message} Which is meant?', { message: fault.says }), fault.at))
    for (const { words, calls } of choices.slice(0, 6))
      next.push({ words, ask: { about: 'file', ask: 'fix', model: of.id, way: { words, calls } } })
  }
  for (const { at, says } of left.slice(0, 8))
    lines.push(
      file.elements.has(at)
        ? line(say('I cannot mend this: {message}', { message: says }), at)
        : line(say('This is to be mended in the model: {message}', { message: says })),
    )
  if (lines.length === 0) return told([line(say('Nothing is wrong: there is nothing to mend.'))])
  const calls = done.flatMap(one => one.calls)
  const [first] = lines
  const answer = calls.length === 0 ? told(lines) : offered(about, lines, done.length === 1 && first ? first.words : say('Repairs'), calls)
  return { ...answer, next }
}

function explain({ kind, file, of }: About): Answer {
  return told(kind === 'experiment' ? ofPlan(experimentOf(file)!, file, of.model) : ofPage(file))
}

const optionOf = (kind: string, field: string, value: string): Words => {
  const type = kindOf(kind)?.fields.find(one => one.id === field)?.type
  return (type?.as === 'choice' ? type.options[value] : undefined) ?? verbatim(value)
}

function ofPlan(plan: Experiment, file: Model, model: Model): Line[] {
  const scenario = plan.modelScenario === '' ? model.scenarios[0] : scenarioNamed(model, plan.modelScenario)
  const lines = [
    line(
      say('{name}: {type} of the scenario "{scenario}".', {
        name: plan.name || nameOf(file.elements.get(plan.id)),
        type: optionOf('experiment', 'type', plan.type),
        scenario: nameOf(model.elements.get(scenario ?? '')),
      }),
      plan.id,
    ),
    ...plan.decisions.map(one => line(say('{variable}: {domain}', { variable: one.variable || '?', domain: domainOf(one) }), one.id)),
    ...plan.objectives.map(({ id, name, expression, direction }) =>
      line(
        direction === 'min'
          ? say('It looks for the least {name} = {expression}.', { name, expression })
          : say('It looks for the greatest {name} = {expression}.', { name, expression }),
        id,
      ),
    ),
    ...plan.constraints.map(({ id, name, expression, relation, bound }) =>
      line(say('It keeps to {name}: {expression} {relation} {bound}.', { name, expression, relation: RELATIONS[relation], bound }), id),
    ),
    ...plan.responses.map(({ id, name, expression }) => line(say('It measures {name} = {expression}.', { name, expression }), id)),
    ...plan.series.map(({ id, name, expression }) => line(say('It compares {expression} with the data {name}.', { name, expression }), id)),
  ]
  if (plan.type === 'learning') return lines
  const planned = plannedOf(plan, model)
  lines.push(
    line(
      planned === null
        ? say('Each point is run {replications} times, with seeds that follow from {seed}.', {
            replications: plan.replications,
            seed: plan.seed,
          })
        : say('Each point is run {replications} times, with seeds that follow from {seed}: {planned} runs.', {
            replications: plan.replications,
            seed: plan.seed,
            planned,
          }),
    ),
  )
  return lines.filter(({ cites }) => cites.every(id => file.elements.has(id)))
}

const RELATIONS = { le: '≤', ge: '≥', eq: '=' } as const

function domainOf({ domain }: Decision): Words {
  switch (domain.as) {
    case 'continuous':
      return say('any number from {min} to {max}', { min: domain.min, max: domain.max })
    case 'discrete':
      return say('{min} to {max} in steps of {step}', { min: domain.min, max: domain.max, step: domain.step })
    case 'enum':
      return say('one of {values}', { values: domain.values.map(String) })
    case 'fixed':
      return say('always {value}', { value: String(domain.value) })
    case 'variable':
      return say('worked out by {formula}', { formula: domain.formula })
  }
}

/** The runs that are planned; null when that is not known before, or the plan is not whole. */
function plannedOf(plan: Experiment, model: Model): number | null {
  const preparation = prepare({ ...plan, modelFile: plan.modelFile || 'model' }, model)
  return preparation.ok ? plannedRuns(preparation.prepared) : null
}

function ofPage(file: Model): Line[] {
  const page = dashboardOf(file)
  const items = everyItem(page?.items ?? []).filter(({ layout }) => layout === null)
  if (items.length === 0) return [line(say('There is nothing on this page yet.'))]
  const lines = items
    .slice(0, WANTED.listed)
    .map(({ element, association }) => line(cardWords(element, association?.name ?? ''), element.id))
  if (items.length > lines.length) lines.push(line(say('And {rest} more.', { rest: items.length - lines.length })))
  return lines
}

function cardWords(card: Element, run: string): Words {
  const kind = kindOf(card.kind)?.label ?? verbatim(card.kind)
  const fields = card.kind === 'plot' ? plotOf(card).metrics.map(({ label, field }) => label || field) : []
  const what = fields.length > 0 ? list(fields) : verbatim(String(card.fields['name'] ?? ''))
  const isNameless = fields.length === 0 && !card.fields['name']
  if (run === '') return isNameless ? kind : say('{kind}: {what}', { kind, what })
  return isNameless ? say('{kind} of the run "{run}"', { kind, run }) : say('{kind} of the run "{run}": {what}', { kind, run, what })
}

/** How many runs make the intervals narrow: from a few runs of the model as it is. */
function runs(about: About): Answer {
  const { file, of } = about
  const plan = experimentOf(file)
  if (!plan || plan.type === 'learning') return told([line(say('How many runs there are is said by its experiment.'))])
  const scenario = plan.modelScenario === '' ? of.model.scenarios[0] : scenarioNamed(of.model, plan.modelScenario)
  const found = scenario && replications(new Branch(of.doc), TRIAL.runs, { scenario })
  if (!found) return told([broken])
  const said = new Set([...plan.responses, ...plan.objectives].map(({ expression }) => formulaName(expression.trim())))
  const needed = [...found].flatMap(([name, values]) => {
    const { mean, low, high } = intervalOf(values, 0.95)
    const half = (high - low) / 2
    if (!Number.isFinite(half) || mean === 0) return []
    const count = Math.max(2, Math.ceil(values.length * (half / (WANTED.width * Math.abs(mean))) ** 2))
    return [{ name, count, words: say('{mean} ± {half}', { mean: shown(mean), half: shown(half) }), isAsked: said.has(formulaName(name)) }]
  })
  const asked = needed.filter(({ isAsked }) => isAsked)
  const listed = (asked.length > 0 ? asked : needed).slice(0, WANTED.listed)
  if (listed.length === 0)
    return told([line(say('The runs measure nothing by which that could be said: add a measure first.'))], { next: measureNext })
  const most = Math.min(WANTED.runs, Math.max(...listed.map(({ count }) => count)))
  const planned = plannedOf(plan, of.model)
  const lines = [
    line(
      say('{runs} runs of the model, seeds 1 to {runs}: mean and 95 % interval, and the runs for an interval of ±5 % of the mean.', {
        runs: TRIAL.runs,
      }),
    ),
    ...listed.map(({ name, words, count }) => line(say('{name}: {values}; {count} runs', { name, values: words, count }))),
    ...(planned === null
      ? []
      : [line(say('{planned} runs are planned, {replications} of each point.', { planned, replications: plan.replications }))]),
  ]
  if (most <= plan.replications) return told([...lines, line(say('That is enough.'))])
  const title = say('{count} replications of each point', { count: most })
  return offered(about, lines, title, [{ do: 'set', id: plan.id, field: 'replications', value: most }])
}

function suggest(about: About): Answer {
  const { kind, file, of } = about
  return kind === 'experiment' ? suggestMeasures(about, experimentOf(file)!, of.model) : suggestCharts(about)
}

function suggestMeasures(about: About, plan: Experiment, model: Model): Answer {
  const scenario = plan.modelScenario === '' ? model.scenarios[0] : scenarioNamed(model, plan.modelScenario)
  const taken = new Set([...plan.responses, ...plan.objectives].map(({ expression }) => formulaName(expression.trim())))
  const calls = offersIn(model, scenario, taken).map(({ name, field }): EditCall => ({
    do: 'place',
    kind: 'response',
    parent: plan.id,
    values: { name, expression: field },
  }))
  return firstOf(about, calls, say('Measures'))
}

function suggestCharts(about: About): Answer {
  const { kind, file, of } = about
  const page = dashboardOf(file)
  const run = page?.associations.find(({ modelFile }) => modelFile === of.id)
  if (!page || !run) return told([line(say('There is no run of the model on this page yet: add one first.'))])
  const plots = everyItem(page.items).flatMap(({ element }) => (element.kind === 'plot' ? [plotOf(element)] : []))
  const taken = new Set(plots.flatMap(({ metrics }) => metrics.map(({ field }) => field)))
  const scenario = run.modelScenario === '' ? of.model.scenarios[0] : scenarioNamed(of.model, run.modelScenario)
  const offers = offersIn(of.model, scenario, taken)
  const [own] = plots
  const place = ({ name, field }: Offer): EditCall => ({
    do: 'place',
    kind: 'plot',
    parent: run.id,
    values: { name, dimension: '@time', metrics: [{ field }] },
  })
  if (kind === 'dashboard' || !own)
    return firstOf(about, kind === 'dashboard' ? offers.map(place) : offers.slice(0, 1).map(place), say('Charts'))
  const [next] = offers
  const metrics = [...own.metrics.map(one => ({ ...one })), ...(next ? [{ field: next.field }] : [])]
  return firstOf(about, next ? [{ do: 'set', id: own.id, field: 'metrics', value: metrics }] : [], say('One more line'))
}

/** The first of these edits that bring nothing wrong, as one proposal. */
function firstOf(about: About, calls: readonly EditCall[], title: Words): Answer {
  const { kind, doc, of } = about
  const branch = new Branch(doc)
  const errors = (): number => faultsIn(kind, branch.model, of.model, of.id).length
  const good: EditCall[] = []
  for (const call of calls) {
    if (good.length === WANTED.most) break
    const before = errors()
    if ('refused' in branch.edit([call])) continue
    if (errors() > before) branch.takeBack()
    else good.push(call)
  }
  if (good.length === 0) return told([line(say('All that the model measures is in it already.'))])
  return offered(about, [line(say('The model measures this, and it is not in it yet.'))], title, good)
}

function offered(about: About, lines: readonly Line[], title: Words, calls: readonly EditCall[]): Answer {
  const branch = new Branch(about.doc)
  const before = faultsIn(about.kind, branch.model, about.of.model, about.of.id).length
  for (const call of calls) {
    const done = branch.edit([call])
    if ('refused' in done) return told([...lines, line(done.refused)])
  }
  const after = faultsIn(about.kind, branch.model, about.of.model, about.of.id).length
  const suggested = branch.propose({
    title: english(title),
    words: title,
    why: lines.map(({ words }) => english(words)).join(' '),
    by: { kind: 'guide', name: 'Guide' },
    at: about.now,
  })
  if (isRefusal(suggested)) return told([...lines, line(suggested.words)])
  return told(lines, { proposal: { ...suggested, note: { ...suggested.note, problems: { before, after } } } })
}
