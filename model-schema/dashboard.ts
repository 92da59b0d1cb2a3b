// The typed value of a dashboard or chart file, read from a Model; total, like the Model itself. Cards are elements of the same kinds as on
// a model's canvas; `modelWithCards` puts those of one association on the canvas of its scenario, so that they run there. A card outside of
// containers belongs to its parent association; a card in a container names its run itself.
import { kindOf } from './kinds.ts'
import { overlay, scenarioNamed } from './overlay.ts'
import { runnableCard } from './plot.ts'
import type { Json } from './kinds/kind.ts'
import type { Element, Id, Model } from './model.ts'

export type Watermark = {
  text: string
  /** Pixels. */
  size: number
  color: string
  /** Degrees, clockwise. */
  angle: number
  /** 0 .. 1. */
  opacity: number
}

/** One run of one model scenario with the cards that show and control it. */
export type Association = {
  id: Id
  name: string
  /** Id of the model file; blank while none is chosen. */
  modelFile: string
  /** Id or name; blank: the first. */
  modelScenario: string
  seed: number | null
  begin: 'wait' | 'play'
  /** Ticks a second; null: as fast as it goes. */
  speed: number | null
  /** `kept`: the page shows the run stored in the file, and runs nothing. `stored`: it replays one run of an experiment. */
  source: 'live' | 'kept' | 'stored'
  /** Id of a saved run; blank for none. */
  kept: string
  /** Which run of an experiment; blank for none. */
  stored: string
  /** Charts, world views, network charts and controllers, anywhere on the page. */
  cards: readonly Element[]
}

/** Columns and rows that a card of a kind begins with. */
const sizes: Readonly<Record<string, readonly [number, number]>> = {
  chart: [6, 6],
  plot: [6, 6],
  networkChart: [6, 7],
  worldView: [6, 8],
  controller: [3, 2],
  note: [4, 3],
  image: [4, 5],
  cardGroup: [6, 6],
}

/** `type`: of a chart; numbers need little height. */
export const firstSize = (kind: string, columns: number, type?: unknown): readonly [number, number] => {
  const [w, h] = sizes[kind] ?? [4, 4]
  return [Math.min(columns, w), kind === 'chart' && type === 'value' ? 3 : h]
}

/** How a container arranges its cards; a panel is docked to an edge of the page. */
type Layout = 'row' | 'column' | 'collapse' | 'slides' | 'panel'

/** Something on the page: a card of a run, a text, an image, or a container with what is in it. */
export type Item = {
  readonly element: Element
  /** Null for what needs no run, and for a card without a run or with a deleted one. */
  readonly association: Association | null
  /** How a container lays out its items; null for anything else. */
  readonly layout: Layout | null
  readonly items: readonly Item[]
}

/** Kinds of cards that are about a run. */
const ofRuns: ReadonlySet<string> = new Set(['chart', 'worldView', 'networkChart'])

/** Whether this card shows nothing without a run: a chart or view, or a control that sets or starts something there. */
export const needsRun = ({ kind, fields }: Element): boolean =>
  ofRuns.has(kind) || (kind === 'controller' && typeof fields[fields.type === 'button' ? 'process' : 'target'] === 'string')

/** Containers in containers in containers; deeper ones are not shown. */
const maxContainerDepth = 4

export type Dashboard = {
  id: Id
  /** A chart file is a dashboard that shows its first chart only. */
  is: 'dashboard' | 'chart'
  name: string
  columns: number
  /** Null when there is none, or its text is blank. */
  watermark: Watermark | null
  associations: readonly Association[]
  /** All items of the page outside of containers, in the order of the file: cards first. */
  items: readonly Item[]
}

/** The dashboard of a file; null when the file is of another kind. */
export function dashboardOf(model: Model): Dashboard | null {
  const root = model.roots.map(id => model.elements.get(id)).find(element => element?.kind === 'dashboard' || element?.kind === 'chartFile')
  if (!root) return null
  const { fields } = root
  const parts = childrenOf(model, root)
  const homes = parts.filter(({ kind }) => kind === 'association')
  const isHere = new Set(homes.map(({ id }) => id))
  const all = new Map<Id, Element[]>(homes.map(({ id }) => [id, []]))

  /** The elements found, each with its run. `home` is the association that holds it, null inside a container or on the page. */
  type Found = { element: Element; run: Id | null; layout: Layout | null; inside: Found[] }
  const find = (element: Element, home: Id | null, depth: number): Found => {
    if (element.kind === 'cardGroup') {
      const inside = depth < maxContainerDepth ? childrenOf(model, element).map(child => find(child, null, depth + 1)) : []
      const layout = layoutOf(element)
      return { element, run: null, layout: layout === 'panel' && depth > 0 ? 'column' : layout, inside }
    }
    const said = text(element.fields.run)
    const run = home ?? (isHere.has(said) ? said : null)
    if (run !== null && element.kind !== 'note' && element.kind !== 'image') all.get(run)?.push(element)
    return { element, run, layout: null, inside: [] }
  }
  const found = [
    ...homes.flatMap(one => childrenOf(model, one).map(child => find(child, one.id, 0))),
    ...parts.filter(({ kind }) => kind !== 'association').map(child => find(child, null, 0)),
  ]
  const associations = homes.map((element): Association => ({
    id: element.id,
    name: text(element.fields.name),
    modelFile: text(element.fields.modelFile).trim(),
    modelScenario: text(element.fields.modelScenario).trim(),
    seed: number(element.fields.seed),
    begin: element.fields.begin === 'play' ? 'play' : 'wait',
    speed: number(element.fields.speed),
    source: element.fields.source === 'kept' || element.fields.source === 'stored' ? element.fields.source : 'live',
    kept: text(element.fields.kept),
    stored: text(element.fields.stored),
    cards: all.get(element.id) ?? [],
  }))
  const byId = new Map(associations.map(one => [one.id, one]))
  const itemOf = ({ element, run, layout, inside }: Found): Item => ({
    element,
    association: byId.get(run ?? '') ?? null,
    layout,
    items: inside.map(itemOf),
  })
  return {
    id: root.id,
    is: root.kind === 'chartFile' ? 'chart' : 'dashboard',
    name: text(fields.name),
    columns: number(fields.columns) ?? 12,
    watermark: watermarkOf(fields),
    associations,
    items: found.map(itemOf),
  }
}

const layouts: readonly string[] = ['row', 'column', 'collapse', 'slides', 'panel'] satisfies Layout[]
const isLayout = (value: string): value is Layout => layouts.includes(value)

function layoutOf({ fields }: Element): Layout {
  const written = text(fields.layout)
  return isLayout(written) ? written : 'row'
}

/** All on the page, containers before what is in them. */
export function everyItem(items: readonly Item[]): Item[] {
  return items.flatMap(item => [item, ...everyItem(item.items)])
}

/** The model that an association runs: its scenario with the cards on its canvas; null when the scenario is not there. */
export function modelWithCards({ modelScenario, cards }: Association, model: Model): { model: Model; scenario: Id } | null {
  const scenario = scenarioNamed(model, modelScenario)
  return scenario === null
    ? null
    : {
        model: overlay(
          model,
          scenario,
          cards
            .flatMap(card => runnableCard(card) ?? [])
            .filter(runs)
            .map(bare),
        ),
        scenario,
      }
}

/** Whether a run knows this kind of card. A control that is bound to nothing is the page's own. */
const runs = (card: Element): boolean => kindOf(card.kind)?.on.includes('root') === true && (card.kind !== 'controller' || needsRun(card))

const bared = new WeakMap<Element, Element>()

/** A card without what only the page knows: other cards, and the run it is of. */
function bare(card: Element): Element {
  const done = bared.get(card)
  if (done) return done
  const own = kindOf(card.kind)?.fields.filter(({ on }) => on !== undefined) ?? []
  const made = { ...card, fields: { ...card.fields, ...Object.fromEntries(own.map(({ id, initial }) => [id, initial])) } }
  bared.set(card, made)
  return made
}

function watermarkOf(fields: Element['fields']): Watermark | null {
  const written = text(fields.watermarkText).trim()
  if (fields.watermark !== true || written === '') return null
  return {
    text: written,
    size: number(fields.watermarkSize) ?? 24,
    color: text(fields.watermarkColor),
    angle: number(fields.watermarkAngle) ?? 0,
    opacity: number(fields.watermarkOpacity) ?? 0.15,
  }
}

const childrenOf = (model: Model, { children }: Element): Element[] => children.flatMap(id => model.elements.get(id) ?? [])
const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
const number = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null)
