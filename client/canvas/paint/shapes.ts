// The drawing of each shape of the metamodel: BPMN 2.0 for the steps of a process, quiet boxes and chips for the rest. One function per
// shape, on a Pen, in canvas units; independent of the camera.
import type { Shape } from '../../../model-schema/kinds/kind.ts'
import type { Model } from '../../../model-schema/model.ts'
import { plainOf } from '../../../model-schema/rich.ts'
import { centre, grown, type Box, type Point } from '../../editor/geometry/geometry.ts'
import { ownedByObserver, standsFor, titleOf } from '../../editor/grammar.ts'
import type { SceneBox } from '../../editor/scene.ts'
import { summaryOf } from '../../editor/summary.ts'
import { iconNamed, iconOf, markerOf } from '../icons.ts'
import type { Snapshot } from '../snapshot.ts'
import type { Pen, TextStyle } from './pen.ts'
import { wrapped } from './pen.ts'
import { say, type Words } from '../../../model-schema/words.ts'

/** Colours of a drawing. */
export type Look = {
  readonly surface: string
  readonly raised: string
  readonly canvas: string
  readonly line: string
  readonly lineStrong: string
  readonly text: string
  readonly muted: string
  readonly faint: string
  readonly connector: string
  readonly accent: string
  readonly accentSoft: string
  readonly ok: string
  readonly live: string
  readonly bad: string
  readonly warn: string
  readonly todo: string
  readonly onAccent: string
  readonly entity: string
  readonly entitySoft: string
  readonly entityText: string
  readonly data: string
  readonly dataSoft: string
  readonly dataText: string
  readonly process: string
  readonly view: string
  readonly dark: boolean
}

export type Painting = {
  readonly pen: Pen
  readonly look: Look
  readonly model: Model
  readonly words: (words: Words) => string
  /** Draws text and small marks; off when they would be too small to read, and names (names.ts) take their place. */
  readonly detail: boolean
  /** How much larger letters are than drawn at full size, so that they stay readable from further away; 1 when missing. */
  readonly letters?: number
  /** The text being edited in place isn't drawn under its field. */
  readonly renaming: string | null
  /** A decoded picture, once it has loaded. */
  readonly picture: (url: string) => (CanvasImageSource & { src?: string }) | null
  /** The content of a live card in a saved picture; on the screen the card itself is above. */
  readonly card?: (id: string) => Snapshot | null
  /** Numbers of a live run on the container, if one is shown. */
  readonly level: (id: string) => Level | null
  /** A short text from the live run for the element: the number of individuals, the value of a variable. */
  readonly live?: ((id: string) => string | null) | undefined
}

type Level = {
  readonly level: number
  readonly inUse: number
  readonly capacity: number | null
  readonly queue: number
  readonly utilization: number
}

/** Draws one element. */
export function paintBox(painting: Painting, box: SceneBox): void {
  painters[box.kind?.shape ?? 'block'](painting, box)
}

type Painter = (painting: Painting, box: SceneBox) => void

const painters: Readonly<Record<Shape, Painter>> = {
  entity: entityBox,
  cells: entityBox,
  link: entityBox,
  space: entityBox,
  process: processBox,
  variable: chip,
  interface: chip,
  message: chip,
  function: chip,
  statistic: chip,
  tagset: chip,
  network: chip,
  chain: chip,
  container: containerChip,
  start: event,
  intermediate: event,
  boundary: event,
  end: event,
  gateway,
  task,
  chart: card,
  controller: card,
  note,
  image: picture,
  frame,
  block: plainBox,
  connector: nothing,
  none: nothing,
}

function nothing(): void {
  // Connectors are lines (connectors.ts); scenarios stand on no canvas.
}

const label = (color: string, more: Partial<TextStyle> = {}): TextStyle => ({ size: 13, weight: 500, color, ...more })

/** Letters in the size they are to have from here. */
const lettered = (painting: Painting, size: number): number => size * (painting.letters ?? 1)

/** Whether second lines can be read from here. */
const isNear = (painting: Painting): boolean => (painting.letters ?? 1) < 1.15

/** Draws the outline twice for what the observer owns. */
function outlined(painting: Painting, box: SceneBox, radius: number, { fill, stroke, alpha, width = 1 }: Outline): void {
  const { pen, model } = painting
  pen.rect(box, radius, { fill })
  pen.rect(box, radius, { stroke, width, alpha })
  if (ownedByObserver(model, box.element)) pen.rect(grown(box, -3), Math.max(2, radius - 3), { stroke, width: 1, alpha })
}

type Outline = { readonly fill: string; readonly stroke: string; readonly alpha: number; readonly width?: number }

/** A text that is drawn whole or, without enough room, not at all. */
function whole(pen: Pen, text: string, at: Point, type: TextStyle, room: number): void {
  if (text !== '' && pen.measure(text, type) <= room) pen.text(text, at, type)
}

function entityBox(painting: Painting, box: SceneBox): void {
  const { pen, look, model, words, detail, renaming, live } = painting
  outlined(painting, box, 12, { fill: look.entitySoft, stroke: look.entity, alpha: 0.4 })
  pen.icon(iconNamed(iconOf(box.element.kind, box.element.fields)), { x: box.x + 12, y: box.y + 12 }, 16, look.entity)
  if (!detail) return
  const now = live?.(box.id) ?? null
  const summary = summaryOf(box.element, model, words)
  const corner = { x: box.x + box.w - 12, y: box.y + 20 }
  const size = lettered(painting, 13)
  if (now !== null) whole(pen, now, corner, { size, weight: 600, color: look.text, align: 'right' }, box.w - 46)
  else if (isNear(painting))
    whole(
      pen,
      summary.text,
      corner,
      { size: 11.5, color: look.muted, align: 'right', mono: summary.code && Number.isNaN(Number(summary.text)) },
      box.w - 46,
    )
  if (renaming === box.id) return
  const name = titleOf(box.element, words)
  const type = label(look.text, { size, weight: 600, width: box.w - 18 })
  const isLong = pen.measure(name, type) > box.w - 18
  pen.text(
    name,
    { x: box.x + (isLong ? 8 : 12), y: box.y + box.h - 20 },
    isLong ? { ...type, size: lettered(painting, 12), width: box.w - 12 } : type,
  )
}

function processBox(painting: Painting, box: SceneBox): void {
  const { pen, look, words, detail, renaming } = painting
  outlined(painting, box, 10, { fill: look.surface, stroke: look.process, alpha: 0.72, width: 1.25 })
  if (!detail) return
  pen.icon(iconNamed('process'), { x: box.x + 10, y: box.y + 9 }, 16, look.process)
  if (renaming !== box.id) paintTitle(painting, box, titleOf(box.element, words), { top: 18, weight: 600 })
}

function chip(painting: Painting, box: SceneBox): void {
  const { pen, look, model, words, detail, renaming, live } = painting
  const { shape } = box.kind ?? { shape: 'variable' }
  // Data are pills, filled when they are computed; what is called or sent belongs to processes.
  const acts = shape === 'message' || shape === 'function'
  const color = acts ? look.process : look.data
  outlined(painting, box, acts ? 8 : box.h / 2, {
    fill: shape === 'statistic' ? look.dataSoft : look.surface,
    stroke: color,
    alpha: acts ? 0.72 : 0.5,
  })
  if (!detail) return
  const middle = box.y + box.h / 2
  // From further away letters replace the icon: the form shows the family.
  const indent = isNear(painting) ? 30 : 12
  if (isNear(painting)) pen.icon(iconNamed(iconOf(box.element.kind, box.element.fields)), { x: box.x + 11, y: middle - 7 }, 14, color)
  const name = chipName(painting, box)
  const type = label(look.text, { size: lettered(painting, 12) })
  const dots = tagColors(box)
  const now = live?.(box.id) ?? null
  const summary =
    dots.length > 0 ? { text: '', code: false } : now !== null ? { text: now, code: false } : summaryOf(box.element, model, words)
  dots.forEach((color, i) => pen.circle({ x: box.x + box.w - 15 - (dots.length - 1 - i) * 11, y: middle }, 4, { fill: color }))
  const beside: TextStyle = {
    size: lettered(painting, 11),
    weight: now === null ? 400 : 600,
    color: acts ? look.muted : look.dataText,
    align: 'right',
    mono: summary.code && Number.isNaN(Number(summary.text)),
  }
  const room = box.w - 12 - indent - dots.length * 11
  const rest = summary.text === '' ? 0 : pen.measure(summary.text, beside) + 8
  const nameWidth = pen.measure(name, type)
  const fits = rest > 0 && nameWidth + rest <= room
  const left = { x: box.x + indent, y: middle }
  const named = renaming !== box.id
  // A text too long for one line takes more, if the pill is high enough; a value of a run takes precedence over the end of a name.
  const line = 1.2 * type.size
  const most = Math.floor((box.h - 4) / line)
  if (!fits && (now !== null || nameWidth > room) && most > 1) {
    const names = wrapped(pen, name, type, room, now === null ? most : most - 1)
    const top = middle - ((names.length - (now === null ? 1 : 0)) / 2) * line
    if (named) names.forEach((one, i) => pen.text(one, { ...left, y: top + i * line }, { ...type, width: room }))
    if (now !== null) pen.text(now, { ...left, y: top + names.length * line }, { ...beside, align: 'left' })
    return
  }
  const shows = fits || (now !== null && room - rest > 24)
  if (named) pen.text(name, left, { ...type, width: room - (shows ? rest : 0) + 1 })
  if (shows) pen.text(summary.text, { x: box.x + box.w - 12, y: middle }, beside)
}

/** The element's own name, or that of the element it refers to. */
export const chipName = ({ model, words }: Painting, { element }: SceneBox): string =>
  titleOf(element.fields['name'] === '' ? (standsFor(model, element) ?? element) : element, words)

/** The colours of a tag set's tags, the first few. */
function tagColors({ element }: SceneBox): string[] {
  const { tags } = element.fields
  if (element.kind !== 'tagset' || !Array.isArray(tags)) return []
  return tags
    .flatMap(row =>
      typeof row === 'object' && row !== null && !Array.isArray(row) && typeof row['color'] === 'string' ? [row['color']] : [],
    )
    .slice(0, 5)
}

function containerChip(painting: Painting, box: SceneBox): void {
  const { pen, look, model, words, detail, renaming, level } = painting
  outlined(painting, box, 10, { fill: look.surface, stroke: look.data, alpha: 0.86 })
  const live = level(box.id)
  const busy = box.element.fields['reusable'] === true
  paintLevel(painting, { x: box.x + 10, y: box.y + box.h - 11, w: box.w - 20, h: 5 }, live, busy)
  if (!detail) return
  pen.icon(iconNamed(iconOf(box.element.kind, box.element.fields)), { x: box.x + 10, y: box.y + 9 }, 15, look.data)
  const name = titleOf(box.element, words)
  const size = lettered(painting, 12)
  if (renaming !== box.id) pen.text(name, { x: box.x + 31, y: box.y + 17 }, label(look.text, { size, weight: 600, width: box.w - 40 }))
  const small = lettered(painting, 11)
  const line = { x: box.x + 10, y: box.y + box.h - 22 }
  const text = live ? levelText(live, busy, words) : summaryOf(box.element, model, words).text
  pen.text(text, line, { size: small, color: live ? look.text : look.muted, width: box.w - 20 })
  if (live && live.queue > 0) {
    const waits = words(say('{queue} waiting', { queue: live.queue }))
    const type: TextStyle = { size: small, color: look.warn, align: 'right', weight: 600 }
    whole(pen, waits, { x: box.x + box.w - 10, y: line.y }, type, box.w - 28 - pen.measure(text, { ...type, weight: 400 }))
  }
}

/** Units side by side up to a dozen, else one bar. Of reusable units a full bar means that all are busy; of an amount, that it is full. */
function paintLevel({ pen, look }: Painting, bar: Box, live: Level | null, busy: boolean): void {
  const most = live?.capacity ?? null
  const amount = live ? (busy ? live.inUse : live.level) : 0
  const color = busy ? (live && live.queue > 0 ? look.todo : look.live) : look.data
  if (live && most !== null && busy && Number.isInteger(most) && most > 1 && most <= 12) {
    const width = (bar.w - (most - 1) * 2) / most
    for (let unit = 0; unit < most; unit++)
      pen.rect({ ...bar, x: bar.x + unit * (width + 2), w: width }, 2, { fill: unit < amount ? color : look.line })
    return
  }
  pen.rect(bar, 2.5, { fill: look.line })
  if (live && most) pen.rect({ ...bar, w: bar.w * Math.max(0, Math.min(1, amount / most)) }, 2.5, { fill: color })
}

function levelText({ level, inUse, capacity }: Level, busy: boolean, words: Painting['words']): string {
  const amount = short(busy ? inUse : level)
  const of = capacity === null ? '' : short(capacity)
  if (!busy) return of === '' ? amount : `${amount} / ${of}`
  return of === '' ? words(say('{amount} busy', { amount })) : words(say('{amount} of {of} busy', { amount, of }))
}

function event(painting: Painting, box: SceneBox): void {
  const { pen, look, words, detail, renaming } = painting
  const middle = centre(box)
  const radius = Math.min(box.w, box.h) / 2
  const { shape } = box.kind ?? { shape: 'start' }
  const passing = shape === 'intermediate' || shape === 'boundary'
  const interrupting = shape !== 'boundary' || box.element.fields['interrupting'] !== false || box.element.fields['trigger'] === 'error'
  const dash = interrupting ? undefined : [3, 2]
  const ink = look.process
  pen.circle(middle, radius, { fill: look.surface, stroke: ink, width: shape === 'end' ? 3 : 1.5, dash })
  if (passing) pen.circle(middle, radius - 3.5, { stroke: ink, width: 1, dash })
  const marker = markerOf(box.element.kind, box.element.fields)
  const size = radius * (passing ? 0.95 : 1.05)
  if (marker) pen.icon(iconNamed(marker), { x: middle.x - size / 2, y: middle.y - size / 2 }, size, ink)
  if (detail && renaming !== box.id) below(painting, box, named(box, words))
}

function gateway(painting: Painting, box: SceneBox): void {
  const { pen, look, words, detail, renaming } = painting
  const { x, y } = centre(box)
  const ink = look.process
  pen.line(
    [
      { x, y: box.y },
      { x: box.x + box.w, y },
      { x, y: box.y + box.h },
      { x: box.x, y },
    ],
    { fill: look.surface, stroke: ink, width: 1.5 },
    { closed: true },
  )
  const marker = markerOf('gateway', box.element.fields)
  const size = Math.min(box.w, box.h) * 0.5
  if (marker) pen.icon(iconNamed(marker), { x: x - size / 2, y: y - size / 2 }, size, ink)
  if (detail && renaming !== box.id) below(painting, box, named(box, words))
}

function task(painting: Painting, box: SceneBox): void {
  const { pen, look, model, words, detail, renaming } = painting
  pen.rect(box, 10, { fill: look.surface })
  pen.rect(box, 10, { stroke: look.process, width: 1.25, alpha: 0.72 })
  if (box.element.kind === 'subprocess') {
    const plus = { x: box.x + box.w / 2 - 6, y: box.y + box.h - 14, w: 12, h: 12 }
    pen.rect(plus, 2, { stroke: look.faint, width: 1 })
    pen.line(
      [
        { x: plus.x + 3, y: plus.y + 6 },
        { x: plus.x + 9, y: plus.y + 6 },
      ],
      { stroke: look.faint, width: 1 },
    )
    pen.line(
      [
        { x: plus.x + 6, y: plus.y + 3 },
        { x: plus.x + 6, y: plus.y + 9 },
      ],
      { stroke: look.faint, width: 1 },
    )
  }
  if (!detail) return
  pen.icon(iconNamed(iconOf(box.element.kind, box.element.fields)), { x: box.x + 8, y: box.y + 8 }, 14, look.process)
  const held = box.element.fields['resources']
  if (Array.isArray(held) && held.length > 0) pen.icon(iconNamed('container'), { x: box.x + box.w - 20, y: box.y + 8 }, 12, look.data)
  const summary = summaryOf(box.element, model, words)
  const small: TextStyle = { size: 10.5, color: look.muted, align: 'center', mono: summary.code }
  // The whole of it, or nothing.
  const showSummary = summary.text !== '' && box.h >= 56 && isNear(painting) && pen.measure(summary.text, small) <= box.w - 12
  if (renaming !== box.id) paintTitle(painting, box, titleOf(box.element, words), { top: 10, bottom: showSummary ? 20 : 6, side: 24 })
  if (showSummary) pen.text(summary.text, { x: box.x + box.w / 2, y: box.y + box.h - 13 }, small)
}

// Charts, views and controllers are live cards over the canvas; this is what is under them, and what an export shows.
function card({ pen, look, words, detail, card: shown }: Painting, box: SceneBox): void {
  const live = shown?.(box.id)
  if (live) return live(pen, box)
  pen.rect(box, 12, { fill: look.surface, stroke: look.line, width: 1 })
  pen.icon(iconNamed(iconOf(box.element.kind, box.element.fields)), { x: box.x + 10, y: box.y + 9 }, 14, look.view)
  if (detail) pen.text(titleOf(box.element, words), { x: box.x + 30, y: box.y + 16 }, label(look.muted, { size: 12.5, width: box.w - 40 }))
}

function note(painting: Painting, box: SceneBox): void {
  const { pen, look, detail } = painting
  const fold = Math.min(14, box.w / 4, box.h / 4)
  const color = colorOf(box, '#fff6d6')
  const right = box.x + box.w
  const bottom = box.y + box.h
  pen.line(
    [box, { x: right, y: box.y }, { x: right, y: bottom - fold }, { x: right - fold, y: bottom }, { x: box.x, y: bottom }],
    { fill: color, alpha: look.dark ? 0.9 : 1 },
    { closed: true },
  )
  pen.line(
    [
      { x: right, y: bottom - fold },
      { x: right - fold, y: bottom - fold },
      { x: right - fold, y: bottom },
    ],
    { fill: '#00000018' },
    { closed: true },
  )
  if (!detail) return
  // The paper keeps its own colour in the dark, and so does its ink.
  const { scale, lines } = written(painting, box)
  const type: TextStyle = { size: noteType.size * scale, color: noteType.color }
  for (const { text, y } of lines) pen.text(text, { x: box.x + 12, y: box.y + y }, type)
}

const noteType: TextStyle = { size: 12.5, color: '#2b2f38' }
const noteLine = 18
/** How much larger than usual a note is written where there is room, largest first. */
const noteScales = [1.5, 1.35, 1.2, 1.1, 1]
/** At full size no larger than this. */
const noteScale = 1.2

/** The lines of a note, each with the middle of its height below the upper edge: as large as its paper takes, cut off when it is too long for it. */
function written({ pen, letters = 1 }: Painting, box: SceneBox): { scale: number; lines: { text: string; y: number }[] } {
  const paragraphs = plainOf(box.element.fields['body'] ?? null).split('\n')
  const most = Math.max(noteScale, letters)
  for (const scale of noteScales.filter(one => one <= most || one === 1)) {
    const line = noteLine * scale
    const type: TextStyle = { ...noteType, size: noteType.size * scale }
    const lines: { text: string; y: number }[] = []
    let y = line
    for (const paragraph of paragraphs) {
      for (const text of wrapped(pen, paragraph, type, box.w - 24, Math.ceil(box.h / line) + 1)) {
        lines.push({ text, y })
        y += line
      }
      y += 4
    }
    const fitting = lines.filter(one => one.y <= box.h - 8)
    if (fitting.length === lines.length || scale === 1) return { scale, lines: fitting }
  }
  return { scale: 1, lines: [] }
}

function picture(painting: Painting, box: SceneBox): void {
  const { pen, look } = painting
  const url = box.element.fields['image']
  const loaded = typeof url === 'string' && url !== '' ? painting.picture(url) : null
  if (loaded) pen.image(loaded, box)
  else {
    pen.rect(box, 4, { fill: look.surface, stroke: look.line, dash: [4, 4] })
    pen.icon(iconNamed('image'), { x: box.x + box.w / 2 - 12, y: box.y + box.h / 2 - 12 }, 24, look.faint)
  }
}

function frame(painting: Painting, box: SceneBox): void {
  const { pen, look, words, detail, renaming } = painting
  pen.rect(box, 12, { fill: look.dark ? '#ffffff' : '#1b2a4a', alpha: 0.04 })
  pen.rect(box, 12, { stroke: look.lineStrong, width: 1, alpha: 0.5 })
  if (detail && renaming !== box.id)
    pen.text(
      titleOf(box.element, words),
      { x: box.x + 12, y: box.y + 16 },
      label(look.muted, { size: lettered(painting, 12), weight: 600, width: box.w - 24 }),
    )
}

// An element of a kind this build doesn't know: it can be seen, moved and deleted, never lost.
function plainBox({ pen, look, detail }: Painting, box: SceneBox): void {
  pen.rect(box, 6, { fill: look.surface, stroke: look.lineStrong, dash: [4, 3] })
  if (!detail) return
  pen.icon(iconNamed('unknown'), { x: box.x + 8, y: box.y + 8 }, 14, look.faint)
  pen.text(box.element.kind, { x: box.x + 28, y: box.y + 16 }, label(look.muted, { width: box.w - 36 }))
}

/** A title in the middle of the box, on up to three lines. */
function paintTitle(painting: Painting, box: Box, text: string, { top = 8, bottom = 6, side = 8, weight = 500 as 500 | 600 }): void {
  const { pen, look } = painting
  const type = label(look.text, { size: lettered(painting, 13), weight, align: 'center' })
  const pitch = lettered(painting, 16)
  const room = box.h - top - bottom
  const lines = wrapped(pen, text, type, box.w - 2 * side, Math.max(1, Math.min(3, Math.floor(room / pitch))))
  const start = box.y + top + room / 2 - ((lines.length - 1) * pitch) / 2
  lines.forEach((line, i) => pen.text(line, { x: box.x + box.w / 2, y: start + i * pitch }, { ...type, width: box.w - 12 }))
}

/** Position of the name of an event or gateway: under it; of a boundary event next to it, clear of the flow that leaves it. */
export const labelBelow = (box: Box & { kind?: SceneBox['kind'] }): Point =>
  box.kind?.shape === 'boundary' ? { x: box.x + box.w + 4, y: box.y + box.h + 2 } : { x: box.x + box.w / 2, y: box.y + box.h + 12 }

function below(painting: Painting, box: SceneBox, text: string): void {
  if (text === '') return
  const { pen, look } = painting
  const type: TextStyle = { size: lettered(painting, 12), color: look.muted, align: box.kind?.shape === 'boundary' ? 'left' : 'center' }
  const at = labelBelow(box)
  wrapped(pen, text, type, 120, 2).forEach((line, i) => pen.text(line, { x: at.x, y: at.y + i * lettered(painting, 15) }, type))
}

// Events and gateways go unnamed in BPMN unless someone named them.
export const named = (box: SceneBox, words: (words: Words) => string): string =>
  box.element.fields['name'] ? titleOf(box.element, words) : ''

function colorOf(box: SceneBox, otherwise: string): string {
  const { color } = box.element.fields
  return typeof color === 'string' && /^#[0-9a-f]{6}$/i.test(color) ? color : otherwise
}

/** Whether a colour would hardly show on white. */
export function isPale(color: string): boolean {
  const [r, g, b] = [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16))
  return 0.3 * (r ?? 0) + 0.59 * (g ?? 0) + 0.11 * (b ?? 0) > 190
}

/** A number in few signs: 3, 0.25, 12.4k. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  const size = Math.abs(value)
  if (size >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`
  if (size >= 1e4) return `${Number((value / 1e3).toPrecision(3))}k`
  return String(Number(value.toPrecision(4)))
}
