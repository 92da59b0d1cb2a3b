// The edits people make on a dashboard, each one step of undo. Pure but for the document.
import type { Doc } from 'yjs'
import { firstSize, type Association, type Dashboard, type Item } from '../../model-schema/dashboard.ts'
import { duplicate, isRefusal, move, place, remove, reorder, reparent, setField, together, type Refusal } from '../../model-schema/edit.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import { changes, depth, freeSpot, geoOf, inRows, mostRows, put, settled, spotOf, type Spot } from './layout.ts'
import { firstChart, firstControl, ownCards, type Fields } from './offers.ts'
import { containerOf, spotsOf } from './scope.ts'

/** The place of a new card: with the others of its run, on the page, or in a container, where it names its run itself. */
type Home = { readonly parent: Id; readonly run: Id | null }

/** Puts a new card where there is room. */
export function addCard(doc: Doc, dashboard: Dashboard, { parent, run }: Home, kind: string, fields: Fields): Id | Refusal {
  const size = firstSize(kind, dashboard.columns, fields['type'])
  const values = run === null || kindOf(kind)?.fields.every(({ id }) => id !== 'run') ? fields : { ...fields, run }
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

/** A number distinguishes runs of one model. */
function freeName({ associations }: Dashboard, name: string): string {
  const taken = new Set(associations.map(one => one.name))
  for (let count = 2, free = name; ; count++, free = `${name} ${count}`) if (!taken.has(free)) return free
}

/** Duplicates a card with its content, next to it or below it. */
export function duplicateCard(doc: Doc, dashboard: Dashboard, element: Element): Id | Refusal | null {
  if (element.parent === null) return null
  return together(doc, () => {
    const [made] = duplicate(doc, [element.id], [0, 0])
    if (made === undefined) return null
    const { w, h } = spotOf(element.id, element.geo, dashboard.columns)
    if (dashboard.items.some(item => item.element.id === element.id)) {
      const [x, y] = freeSpot(settled(spotsOf(dashboard)), [w, h], dashboard.columns)
      move(doc, [{ id: made, geo: [x, y, w, h] }])
    }
    return made
  })
}

/** Takes something into a container, before one of its cards or to the end of what is in it; or to another place in its own. */
export function intoContainer(doc: Doc, { element, association }: Item, container: Id, before: Id | null = null): Refusal | null {
  return together(doc, () => {
    if (element.parent === container) return reorder(doc, element.id, before)
    const refused = reparent(doc, [element.id], container)
    if (refused) return refused
    return (
      (association && 'run' in element.fields ? setField(doc, element.id, 'run', association.id) : null) ??
      (before === null ? null : reorder(doc, element.id, before))
    )
  })
}

/** Takes a card out of its container, to a position on the page - cards under it move down - or to free room. */
export function ontoPage(doc: Doc, dashboard: Dashboard, { element, association }: Item, at?: Spot): Refusal | null {
  const onPage = kindOf(element.kind)?.on.includes('dashboard') === true
  const parent = association?.id ?? (onPage ? dashboard.id : dashboard.associations[0]?.id)
  if (parent === undefined) return null
  const spots = spotsOf(dashboard)
  const { w, h } = spotOf(element.id, element.geo, dashboard.columns)
  const [x, y] = freeSpot(settled(spots), [w, h], dashboard.columns)
  const after = at ? changes(spots, put(spots, at, dashboard.columns)) : [{ id: element.id, x, y, w, h }]
  return together(doc, () => {
    const refused = reparent(doc, [element.id], onPage && association === null ? dashboard.id : parent)
    if (!refused)
      move(
        doc,
        after.map(spot => ({ id: spot.id, geo: geoOf(spot) })),
      )
    return refused
  })
}

/** Assigns a card to a run: one in a container by its field, any other by moving it to the association. */
export function toRun(doc: Doc, dashboard: Dashboard, { element }: Item, run: Id): Refusal | null {
  return containerOf(dashboard, element.id) ? setField(doc, element.id, 'run', run) : reparent(doc, [element.id], run)
}

/** One place towards the beginning or the end among those in its container. */
export function shift(doc: Doc, { items }: Item, id: Id, by: -1 | 1): Refusal | null {
  const at = items.findIndex(({ element }) => element.id === id)
  const before = items[by < 0 ? at - 1 : at + 2]
  return at < 0 || (by < 0 ? at === 0 : at === items.length - 1) ? null : reorder(doc, id, before?.element.id ?? null)
}

/** Its share of the width or height of its container. */
export function setShare(doc: Doc, element: Element, [w, h]: readonly [number, number]): void {
  const whole = (value: number, most: number): number => Math.max(1, Math.min(most, Math.round(value)))
  move(doc, [{ id: element.id, geo: [element.geo[0], element.geo[1], whole(w, 24), whole(h, mostRows)] }])
}

/** Takes an association away with its cards. */
export const removeAssociation = (doc: Doc, { id, cards }: Association): Refusal | null => remove(doc, [id, ...cards.map(card => card.id)])

/** Copies the views, charts and controls on the model's own canvas: views and charts first, controls in a row above them. */
export function takeOwnCards(doc: Doc, dashboard: Dashboard, { id }: Association, model: Model, scenario: Id): Refusal | null {
  const order = ['worldView', 'chart', 'networkChart']
  const cards = ownCards(model, scenario)
    .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || a.geo[1] - b.geo[1] || a.geo[0] - b.geo[0])
    .map(({ kind, fields }): Card => ({ kind, values: fields }))
  return addAll(doc, dashboard, id, cards)
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

type Card = { readonly kind: string; readonly values: Fields }

/** Below the existing cards: controls, then numbers, then views and charts. */
function addAll(doc: Doc, dashboard: Dashboard, parent: Id, cards: readonly Card[]): Refusal | null {
  const groupOf = ({ kind, values }: Card): number => (kind === 'controller' ? 0 : kind === 'chart' && values['type'] === 'value' ? 1 : 2)
  const groups = [0, 1, 2].map(group => cards.filter(card => groupOf(card) === group))
  const sizes = groups.map(group => group.map(({ kind, values }) => firstSize(kind, dashboard.columns, values['type'])))
  const places = inRows(sizes, dashboard.columns, depth(settled(spotsOf(dashboard))))
  return together(doc, () => {
    for (const [k, { kind, values }] of groups.flat().entries()) {
      const [x, y, w, h] = places[k]!
      const made = place(doc, { kind, parent, at: [x, y], size: [w, h], values })
      if (isRefusal(made)) return made
    }
    return null
  })
}
