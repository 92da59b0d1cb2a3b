// The default fields of a new chart on a dashboard: the main outputs of its model, over time.
import type { Json } from '../../model-schema/kinds/kind.ts'
import type { Id, Model } from '../../model-schema/model.ts'
import { begun } from './editor/moves.ts'
import { firstFields, modelFields } from './editor/offers.ts'

/** Without a model: a table, which needs none. */
export function firstPlot(ready: { model: Model; scenario: Id } | null): Readonly<Record<string, Json>> {
  if (!ready) return { source: 'table' }
  return begun(firstFields('model', modelFields(ready.model, ready.scenario, { time: '', key: '' })))
}
