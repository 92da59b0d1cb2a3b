// What the editor shows, as one immutable value.
import type { Refusal } from '../../model-schema/edit.ts'
import type { Geo, Id } from '../../model-schema/model.ts'
import type { Words } from '../../model-schema/words.ts'
import type { Camera, Size } from './geometry/camera.ts'
import type { Box, Point, Side } from './geometry/geometry.ts'
import type { Gap, Guide } from './geometry/snap.ts'
import type { Offer } from './grammar.ts'
import type { ToolName } from './tools/tool.ts'

export type View = {
  readonly scenario: Id
  /** The scenario, or the element that is open. */
  readonly canvas: Id
  readonly selection: readonly Id[]
  /** The group entered: its members are taken one by one. */
  readonly inside: Id | null
  readonly camera: Camera
  /** The window on the canvas, in CSS pixels; 0 x 0 until it is measured. */
  readonly size: Size
  readonly tool: ToolName
  readonly hover: Id | null
  readonly hoverPort: Side | null
  readonly marquee: Box | null
  readonly guides: readonly Guide[]
  /** Equal gaps around the dragged shapes. */
  readonly gaps: readonly Gap[]
  /** A connector being drawn (`to` or `from` is open), or one with an end being dragged (`moving`). */
  readonly wire: {
    readonly from: Id | null
    readonly to: Id | null
    readonly at: Point
    readonly target: Id | null
    readonly lawful: boolean
    readonly moving: Id | null
  } | null
  readonly bending: { readonly id: Id; readonly bends: readonly Point[] } | null
  /** The flow that what is carried would go into, or the chart or control that would take it. */
  readonly onto: Id | null
  readonly ghost: { readonly offer: Offer; readonly geo: Geo } | null
  /** The open list of next steps, at a point of the canvas. */
  readonly quickAdd: { readonly at: Point; readonly from: Id | null } | null
  /** The element just added and not left yet: missing values are not reported for it. */
  readonly fresh: Id | null
  readonly renaming: Id | null
  /** The command palette is open. */
  readonly palette: boolean
  /** The tutorial that is gone through. */
  readonly lesson: string | null
  /** The context menu, at CSS pixels of the window. */
  readonly menu: { readonly screen: Point } | null
  /** Why the last wish was refused. */
  readonly refusal: { readonly words: Words; readonly limit?: Refusal['limit'] } | null
  /** What was just done in several places at once; it can be taken back. */
  readonly report: { readonly words: Words } | null
  /** Finding also replaces. */
  readonly replacing: boolean
  /** The number of the peer the view follows. */
  readonly following: number | null
  /** How this canvas was come to: through a box on the one around it (`into`) or from one within, both as seen in CSS pixels. */
  readonly travel: { readonly into: boolean; readonly box: Box } | null
  /** Live cards that are shown although they are out of view, for a picture of them. */
  readonly pictured: readonly Id[]
  /** A field to bring into view in the inspector. */
  readonly focusField: { readonly id: Id; readonly field: string } | null
  /** The scene's version last drawn from: changes when something only shown has moved. */
  readonly drawn: number
  /** The canvas was painted: the parts around it may follow. */
  readonly painted: boolean
}

/** The view of a scenario before anybody does anything. */
export const firstView = (scenario: Id): View => ({
  scenario,
  canvas: scenario,
  selection: [],
  inside: null,
  camera: { x: 0, y: 0, zoom: 1 },
  size: { w: 0, h: 0 },
  tool: 'idle',
  hover: null,
  hoverPort: null,
  marquee: null,
  guides: [],
  gaps: [],
  wire: null,
  bending: null,
  onto: null,
  ghost: null,
  quickAdd: null,
  fresh: null,
  renaming: null,
  palette: false,
  lesson: null,
  menu: null,
  refusal: null,
  report: null,
  replacing: false,
  following: null,
  travel: null,
  pictured: [],
  focusField: null,
  drawn: 0,
  painted: false,
})
