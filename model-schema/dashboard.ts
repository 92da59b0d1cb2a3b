// The typed value of a dashboard or chart file, read from a Model; total, like the Model itself. Cards are elements of the kinds that stand on a
// model's canvas; `modelWithCards` puts those of one association on the canvas of its scenario, so that they run there.
import { overlay, scenarioNamed } from './overlay.ts'
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
  /** Charts, world views, network charts and controllers, in their order. */
  cards: readonly Element[]
}

export type Dashboard = {
  id: Id
  /** A chart file is a dashboard that shows its first chart only. */
  is: 'dashboard' | 'chart'
  name: string
  columns: number
  /** Null when there is none, or its text is blank. */
  watermark: Watermark | null
  associations: readonly Association[]
  /** Notes and images. */
  decorations: readonly Element[]
}

/** The dashboard of a file; null when the file is of another kind. */
export function dashboardOf(model: Model): Dashboard | null {
  const root = model.roots.map(id => model.elements.get(id)).find(element => element?.kind === 'dashboard' || element?.kind === 'chartFile')
  if (!root) return null
  const { fields } = root
  const parts = childrenOf(model, root)
  return {
    id: root.id,
    is: root.kind === 'chartFile' ? 'chart' : 'dashboard',
    name: text(fields.name),
    columns: number(fields.columns) ?? 12,
    watermark: watermarkOf(fields),
    associations: parts
      .filter(({ kind }) => kind === 'association')
      .map(element => ({
        id: element.id,
        name: text(element.fields.name),
        modelFile: text(element.fields.modelFile).trim(),
        modelScenario: text(element.fields.modelScenario).trim(),
        seed: number(element.fields.seed),
        begin: element.fields.begin === 'play' ? 'play' : 'wait',
        speed: number(element.fields.speed),
        cards: childrenOf(model, element),
      })),
    decorations: parts.filter(({ kind }) => kind !== 'association'),
  }
}

/** The model that an association runs: its scenario with the cards on its canvas; null when the scenario is not there. */
export function modelWithCards({ modelScenario, cards }: Association, model: Model): { model: Model; scenario: Id } | null {
  const scenario = scenarioNamed(model, modelScenario)
  return scenario === null ? null : { model: overlay(model, scenario, cards), scenario }
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
