// What is wrong with an experiment, a chart or a dashboard, for the model that it is about.
import { dashboardOf, modelWithCards } from '../../../model-schema/dashboard.ts'
import { experimentOf } from '../../../model-schema/experiment.ts'
import type { DraftKind } from '../../../model-schema/file-drafts.ts'
import type { Id, Model } from '../../../model-schema/model.ts'
import { plotOf } from '../../../model-schema/plot.ts'
import { say, type Words } from '../../../model-schema/words.ts'
import { check } from '../../check.ts'
import { prepare } from '../../experiment.ts'
import type { Problem } from '../../problems.ts'
import { newAmong } from '../branch.ts'

export type Fault = {
  readonly at: Id
  /** Absent: it is about all of it. */
  readonly field?: string
  readonly severity: 'error' | 'warning'
  readonly says: Words
  /** What the checker found, in the model that it checked, among all that it found. */
  readonly cause?: { readonly problem: Problem; readonly model: Model; readonly all: readonly Problem[] }
}

/** `about`: the id or path of the model's own file; null while it has none, and then every run of a page is taken to be of it. */
export function faultsIn(kind: DraftKind, file: Model, model: Model, about: string | null): Fault[] {
  return kind === 'experiment' ? faultsOfExperiment(file, model) : faultsOfPage(kind, file, model, about)
}

function faultsOfExperiment(file: Model, model: Model): Fault[] {
  const experiment = experimentOf(file)
  if (!experiment) return [{ at: file.roots[0] ?? '', severity: 'error', says: say('This is no experiment.') }]
  // Which model it is, is said when the file is made.
  const { problems } = prepare({ ...experiment, modelFile: experiment.modelFile || 'model' }, model)
  return problems.map(({ at, severity, words, cause }) => ({
    at: at.id,
    ...(at.field === undefined ? {} : { field: at.field }),
    severity,
    says: words,
    ...(cause ? { cause: { problem: cause, model, all: [] } } : {}),
  }))
}

function faultsOfPage(kind: DraftKind, page: Model, model: Model, about: string | null): Fault[] {
  const dashboard = dashboardOf(page)
  if (!dashboard) return [{ at: page.roots[0] ?? '', severity: 'error', says: say('This is no page.') }]
  const cards = [...page.elements.values()].filter(one => one.parent !== null && one.kind !== 'association')
  const isEmpty = kind === 'chart' ? !cards.some(one => one.kind === 'plot' || one.kind === 'chart') : cards.length === 0
  const empty = kind === 'chart' ? say('There is no chart in it.') : say('There is no card in it.')
  const faults: Fault[] = isEmpty ? [{ at: dashboard.id, severity: 'error', says: empty }] : []
  for (const card of cards) {
    const { source, metrics, type, experimentFile } = plotOf(card)
    if (card.kind !== 'plot') continue
    if (metrics.length === 0 && type !== 'world' && type !== 'network')
      faults.push({ at: card.id, field: 'metrics', severity: 'warning', says: say('No metrics are shown.') })
    if (source === 'experiment' && experimentFile === '')
      faults.push({ at: card.id, severity: 'error', says: say('Its experiment is not said.') })
  }
  for (const one of dashboard.associations) {
    // Other models are not known here.
    if (one.modelFile !== '' && one.modelFile !== about) continue
    const shown = modelWithCards(one, model)
    if (!shown) {
      faults.push({
        at: one.id,
        field: 'modelScenario',
        severity: 'error',
        says: say('There is no scenario "{scenario}".', { scenario: one.modelScenario }),
      })
      continue
    }
    const [was, is] = [check(model, shown.scenario).problems, check(shown.model, shown.scenario).problems]
    for (const problem of newAmong(was, is)) {
      const { at, severity, message } = problem
      const field = at.field === undefined ? {} : { field: at.field }
      faults.push({ at: at.id, ...field, severity, says: message, cause: { problem, model: shown.model, all: is } })
    }
  }
  return faults
}
