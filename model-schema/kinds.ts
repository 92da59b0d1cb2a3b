// The metamodel's door: every kind of element by its id.
import { data } from './kinds/data.ts'
import { dashboard } from './kinds/dashboard.ts'
import { drawing } from './kinds/drawing.ts'
import { entities } from './kinds/entities.ts'
import { experiment } from './kinds/experiment.ts'
import { flow } from './kinds/flow.ts'
import type { CanvasKind, Field, Kind } from './kinds/kind.ts'
import { learning } from './kinds/learning.ts'
import { observation } from './kinds/observation.ts'
import { plot } from './kinds/plot.ts'
import { scenario } from './kinds/scenario.ts'
import { study } from './kinds/study.ts'
import { test } from './kinds/test.ts'

/** All kinds in palette order. */
export const kinds: readonly Kind[] = [
  scenario,
  ...entities,
  ...data,
  ...flow,
  ...observation,
  test,
  plot,
  ...learning,
  ...drawing,
  experiment,
  ...study,
  ...dashboard,
]

const byId = new Map(kinds.map(kind => [kind.id, kind]))

/** The kind with this id, or undefined when this build doesn't know it (a newer file). */
export const kindOf = (id: string): Kind | undefined => byId.get(id)

/** The field of a kind, or undefined. */
export const fieldOf = (kind: Kind, id: string): Field | undefined => kind.fields.find(field => field.id === id)

/** Whether elements of this kind are on no canvas: a scenario, or the root of a file of another kind. */
export const isRootKind = (kind: string | undefined): boolean => kind !== undefined && byId.get(kind)?.on.includes('file') === true

/** Kinds that may be placed on this sort of canvas. */
export const kindsOn = (canvas: CanvasKind): readonly Kind[] => kinds.filter(kind => kind.on.includes(canvas))

/** Whether the metamodel lets a connector of kind `connector` run from one kind to the other. */
export function mayJoin(connector: Kind, from: string, to: string): boolean {
  return connector.joins !== undefined && connector.joins.from.includes(from) && connector.joins.to.includes(to)
}

/** A name as formulas write it: runs of anything but letters, digits and `_` become one `_`. */
export function formulaName(name: string): string {
  const trimmed = name.trim()
  // Classes of all letters take long to compile, and most names don't need them.
  return /^\w*$/.test(trimmed) ? trimmed : trimmed.replace(/[^\p{L}\p{N}_]+/gu, '_')
}

/** Whether a kind's `name` is one that formulas say, so that it must not be empty or used twice. */
export const hasFormulaName = (kind: string): boolean =>
  kindOf(kind)?.fields.some(field => field.id === 'name' && field.type.as === 'name') ?? false
