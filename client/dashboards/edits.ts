// The edits people make on a dashboard, each one step of undo. Pure but for the document.
import type { Doc } from 'yjs'
import type { Association, Dashboard } from '../../model-schema/dashboard.ts'
import { isRefusal, move, place, remove, together, type Refusal } from '../../model-schema/edit.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import { changes, firstSize, freeSpot, geoOf, put, settled, spotOf, type Spot } from './layout.ts'
import { firstChart, firstControl, ownCards, type Fields } from './offers.ts'
import { spotsOf } from './scope.ts'

/** Puts a new card where there is room. */
export function addCard(doc: Doc, dashboard: Dashboard, parent: Id, kind: string, values: Fields): Id | Refusal {
  const size = firstSize(kind, dashboard.columns)
  return place(doc, { kind, parent, at: freeSpot(settled(spotsOf(dashboard)), size, dashboard.columns), size, values })
}

/** Moves or resizes a card; what is in the way goes down with it in the same step. */
export function putCard(doc: Doc, dashboard: Dashboard, moved: Spot): void {
  const before = spotsOf(dashboard)
  const after = changes(before, put(before, moved, dashboard.columns))
  if (after.length > 0)
    move(
      doc,
      after.map(spot => ({ id: spot.id, geo: geoOf(spot) })),
    )
}

/** Ticks a second: slow enough to be watched. */
const firstSpeed = 30

export function addAssociation(doc: Doc, dashboard: Dashboard, modelFile: string, name: string): Id | Refusal {
  return place(doc, {
    kind: 'association',
    parent: dashboard.id,
    at: [0, 0],
    size: [0, 0],
    values: { name: freeName(dashboard, name), modelFile, speed: firstSpeed },
  })
}

/** Runs of one model are told apart by a number. */
function freeName({ associations }: Dashboard, name: string): string {
  const taken = new Set(associations.map(one => one.name))
  for (let count = 2, free = name; ; count++, free = `${name} ${count}`) if (!taken.has(free)) return free
}

/** A card like this one, beside or below it. */
export function duplicateCard(doc: Doc, dashboard: Dashboard, element: Element): Id | Refusal | null {
  if (element.parent === null) return null
  const { w, h } = spotOf(element.id, element.geo, dashboard.columns)
  const at = freeSpot(settled(spotsOf(dashboard)), [w, h], dashboard.columns)
  return place(doc, { kind: element.kind, parent: element.parent, at, size: [w, h], values: element.fields })
}

/** Takes an association away with its cards. */
export const removeAssociation = (doc: Doc, { id, cards }: Association): Refusal | null => remove(doc, [id, ...cards.map(card => card.id)])

/** Copies of all that stands on the model's own canvas to be looked at: views and charts first, controls in a row above them. */
export function takeOwnCards(doc: Doc, dashboard: Dashboard, { id }: Association, model: Model, scenario: Id): Refusal | null {
  const order = ['controller', 'worldView', 'chart', 'networkChart']
  const cards = ownCards(model, scenario).toSorted(
    (a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || a.geo[1] - b.geo[1] || a.geo[0] - b.geo[0],
  )
  return addAll(
    doc,
    dashboard,
    id,
    cards.map(({ kind, fields }) => ({ kind, values: fields })),
  )
}

/** Cards for a model that has none of its own: its first public variables, its world, its most telling numbers. */
export function takeFirstCards(doc: Doc, dashboard: Dashboard, { id }: Association, model: Model, scenario: Id): Refusal | null {
  const chart = { kind: 'chart', values: firstChart(model, scenario, 'line') }
  const control = firstControl(model, scenario, 'slider', [])
  const hasSpace = (model.elements.get(scenario)?.children ?? []).some(child => model.elements.get(child)?.kind === 'space')
  if (dashboard.is === 'chart') return addAll(doc, dashboard, id, [chart])
  return addAll(doc, dashboard, id, [
    ...(control['target'] === undefined ? [] : [{ kind: 'controller', values: control }]),
    ...(hasSpace ? [{ kind: 'worldView', values: {} }] : []),
    chart,
  ])
}

function addAll(doc: Doc, dashboard: Dashboard, parent: Id, cards: readonly { kind: string; values: Fields }[]): Refusal | null {
  return together(doc, () => {
    const spots = settled(spotsOf(dashboard))
    for (const { kind, values } of cards) {
      const size = firstSize(kind, dashboard.columns)
      const [x, y] = freeSpot(spots, size, dashboard.columns)
      const made = place(doc, { kind, parent, at: [x, y], size, values })
      if (isRefusal(made)) return made
      spots.push({ id: made, x, y, w: size[0], h: size[1] })
    }
    return null
  })
}
