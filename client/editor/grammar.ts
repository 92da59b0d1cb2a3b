// What the metamodel allows on a canvas: which kinds may be placed, connected, opened, resized, and which to suggest next. Pure functions
// of kinds and models.
import { kindOf, kinds, kindsOn, mayJoin } from '../../model-schema/kinds.ts'
import type { CanvasKind, Json, Kind } from '../../model-schema/kinds/kind.ts'
import type { Refusal } from '../../model-schema/edit.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import type { Editor } from './editor.ts'
import type { Words } from '../../model-schema/words.ts'

/** One thing the palette offers: a kind, or a kind with preset values. */
export type Offer = {
  readonly key: string
  readonly kind: Kind
  readonly label: Words
  readonly values: Readonly<Record<string, Json>>
  /** Whether it is named by its label. */
  readonly titled?: boolean
  /** Puts it down with its corner there when it is more than one element; which of them it is. */
  readonly make?: (editor: Editor, at: readonly [number, number]) => Id | Refusal
}

/** The sort of canvas an element opens; null when it can't be entered. */
export function canvasKindOf(model: Model, id: Id): CanvasKind | null {
  const element = model.elements.get(id)
  return (element && kindOf(element.kind)?.opens) ?? null
}

export const mayEnter = (element: Element | undefined): boolean => element !== undefined && kindOf(element.kind)?.opens !== undefined

export const isConnector = (kind: Kind | undefined): boolean => kind?.shape === 'connector'

/** Everything that may be placed on this sort of canvas, presets as offers of their own. Connectors are drawn, not placed. */
export function offersOn(canvas: CanvasKind): readonly Offer[] {
  const known = offers.get(canvas)
  if (known) return known
  const list = kindsOn(canvas)
    .filter(kind => !isConnector(kind) && kind.shape !== 'none')
    .flatMap(offersOf)
  offers.set(canvas, list)
  return list
}

const offers = new Map<CanvasKind, readonly Offer[]>()

function offersOf(kind: Kind): Offer[] {
  if (!kind.presets) return [{ key: kind.id, kind, label: kind.label, values: {} }]
  return kind.presets.map(preset => ({ key: `${kind.id}/${preset.id}`, kind, label: preset.label, values: preset.values }))
}

export const offerWithKey = (key: string): Offer | undefined => kinds.flatMap(offersOf).find(offer => offer.key === key)

/** Connector kinds that may run between two kinds, those that do something in a run first. */
export function connectorsBetween(from: string, to: string): readonly Kind[] {
  return connectors.filter(kind => !kind.planned && mayJoin(kind, from, to))
}

const connectors = kinds.filter(isConnector)

/** Whether any connector could leave this kind. */
export const mayLeave = (kind: string): boolean => connectors.some(connector => !connector.planned && connector.joins?.from.includes(kind))

/** Whether a step of this kind can be inside a sequence flow: with a flow to it and one from it. */
export function mayGoBetween(kind: string): boolean {
  const joins = kindOf('flow')?.joins
  return joins !== undefined && joins.from.includes(kind) && joins.to.includes(kind)
}

/** The names of the elements on a canvas. */
export const namesOn = (model: Model, canvas: Id): Set<unknown> =>
  new Set(model.elements.get(canvas)?.children.map(id => model.elements.get(id)?.fields['name']))

/** The name itself when it is not taken, else with the first number that is free. */
export function freeAmong(taken: ReadonlySet<unknown>, name: string): string {
  let free = name
  for (let n = 2; taken.has(free); n++) free = `${name}${n}`
  return free
}

/** What may follow an element of this kind, for a connector dropped on empty canvas. */
export function nextOffers(from: string, canvas: CanvasKind): readonly Offer[] {
  const all = offersOn(canvas).filter(offer => connectorsBetween(from, offer.kind.id).length > 0)
  const rank = (offer: Offer): number => {
    const at = usualNext.indexOf(offer.kind.id)
    return at < 0 ? usualNext.length : at
  }
  return all.toSorted((a, b) => rank(a) - rank(b))
}

const usualNext = ['compute', 'gateway', 'delay', 'ask', 'end']

/** Whether dragging a corner makes sense: drawings, views, charts, controllers, and activities with long names. */
export const mayResize = (kind: Kind | undefined): boolean => kind === undefined || resizable.has(kind.shape)

const resizable: ReadonlySet<string> = new Set([
  'note',
  'image',
  'frame',
  'chart',
  'controller',
  'task',
  'entity',
  'cells',
  'link',
  'process',
  'space',
  'variable',
  'container',
  'function',
  'statistic',
  'message',
  'tagset',
  'interface',
])

/** The smallest size an element may be dragged to. */
export function leastSize(kind: Kind | undefined): { w: number; h: number } {
  if (kind?.shape === 'chart') return { w: 160, h: 120 }
  if (kind?.shape === 'frame') return { w: 80, h: 64 }
  return { w: Math.min(kind?.size[0] ?? 40, 72), h: Math.min(kind?.size[1] ?? 32, 32) }
}

/** Elements drawn as live cards over the canvas rather than on it. */
export const isCard = (kind: string): boolean =>
  kind === 'worldView' || kind === 'chart' || kind === 'networkChart' || kind === 'controller'

/** Cards that draw: charts and worlds, no numbers shown and no controls. */
export const isDrawing = ({ kind, fields }: Element): boolean =>
  isCard(kind) && kind !== 'controller' && !(kind === 'chart' && fields['type'] === 'value')

/** Whether an individual's or the observer's (the latter is drawn doubled). Only means something inside an entity. */
export function ownedByObserver(model: Model, element: Element): boolean {
  const parent = element.parent ? model.elements.get(element.parent) : undefined
  return parent !== undefined && canvasKindOf(model, parent.id) === 'entity' && element.fields['owner'] === 'observer'
}

/** The variable or container that an element is, or refers to. */
export function standsFor(model: Model, element: Element): Element | null {
  if (element.kind !== 'reference') return element
  const { target } = element.fields
  return (typeof target === 'string' ? model.elements.get(target) : undefined) ?? null
}

/** The canvases from the scenario down to this one. */
export function pathTo(model: Model, canvas: Id): Element[] {
  const path: Element[] = []
  const seen = new Set<Id>()
  for (
    let at: Element | undefined = model.elements.get(canvas);
    at && !seen.has(at.id);
    at = at.parent ? model.elements.get(at.parent) : undefined
  ) {
    seen.add(at.id)
    path.unshift(at)
  }
  return path
}

/** The scenario an element belongs to. */
export const scenarioOf = (model: Model, id: Id): Id | null => pathTo(model, id)[0]?.id ?? null

/** What a person calls a connector: its name, else what it joins; anything else as by `titleOf`. */
export function wireTitleOf(model: Model, element: Element, words: (words: Words) => string): string {
  const { name } = element.fields
  if (!element.ends || (typeof name === 'string' && name.trim() !== '')) return titleOf(element, words)
  const called = (id: Id | null): string => {
    const end = id === null ? undefined : model.elements.get(id)
    return end ? titleOf(end, words) : '?'
  }
  return `${called(element.ends.from.id)} → ${called(element.ends.to.id)}`
}

/** What a person calls it: its name, else its kind. */
export function titleOf(element: Element, words: (words: Words) => string): string {
  const { name } = element.fields
  if (typeof name === 'string' && name.trim() !== '') return name
  const kind = kindOf(element.kind)
  return kind ? (deedOf(element, kind, words) ?? words(kind.label)) : element.kind
}

/** A title for a step without a name, if its kind is not enough: the method it calls, or its operation. */
function deedOf({ fields }: Element, kind: Kind, words: (words: Words) => string): string | null {
  if (kind.id !== 'transaction' && kind.id !== 'operate') return null
  const { method } = fields
  const does = kind.fields.find(({ id }) => id === (kind.id === 'operate' ? 'operation' : 'does'))
  if (typeof method === 'string' && method !== '' && fields['does'] !== 'deploy' && fields['does'] !== 'transfer')
    return method.replace(/\(.*/s, '')
  const label = does?.type.as === 'choice' ? does.type.options[String(fields[does.id])] : undefined
  return label ? words(label) : null
}
