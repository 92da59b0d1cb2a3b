// What the parts of a chart's editor share: the card, its fields, and how it is changed.
import { createContext, use } from 'react'
import type { Element } from '../../../model-schema/model.ts'
import type { Plot } from '../../../model-schema/plot.ts'
import type { Session } from '../../session.ts'
import type { Data } from '../shelf/columns.ts'
import type { Changes } from './moves.ts'
import type { OfferedField } from './offers.ts'

export type PlotScope = {
  readonly session: Session
  readonly element: Element
  readonly plot: Plot
  /** Fields that the source has, and those the chart speaks of. */
  readonly fields: readonly OfferedField[]
  /** What the source has given; of a run nothing. */
  readonly data: Data
  readonly disabled: boolean
  /** All of it as one step of undo. */
  change(changes: Changes): void
}

export const PlotContext = createContext<PlotScope | null>(null)

export function usePlot(): PlotScope {
  const scope = use(PlotContext)
  if (!scope) throw new Error('usePlot is used outside PlotContext')
  return scope
}

export const fieldNamed = (fields: readonly OfferedField[], id: string): OfferedField =>
  fields.find(field => field.id === id) ??
  fields.find(field => field.label === id) ?? { id, label: id, group: 'own', is: 'number', many: false }
