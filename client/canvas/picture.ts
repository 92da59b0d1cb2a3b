// A canvas as a picture: everything on it (or the selection), at twice the screen's size, or as SVG with real text; or small, as a cover.
import type { Id, Model } from '../../model-schema/model.ts'
import { fitted } from '../editor/geometry/camera.ts'
import { around, encloses, grown, type Box } from '../editor/geometry/geometry.ts'
import type { Scene } from '../editor/scene.ts'
import { fontFamily, monoFamily, palettes, type Palette } from '../ui/theme.ts'
import { CanvasPen, SvgPen, type Pen } from './paint/pen.ts'
import { paintScene } from './paint/scene.ts'
import { drawNow, type Snapshot } from './snapshot.ts'
import type { Words } from '../../model-schema/words.ts'

export type PictureOf = {
  readonly scene: Scene
  readonly model: Model
  readonly palette: Palette
  readonly dark: boolean
  readonly words: (words: Words) => string
  /** Only these; everything when empty. */
  readonly only: readonly Id[]
  /** What live cards show. */
  readonly cards: ReadonlyMap<Id, Snapshot>
}

/** Most pixels along one side: what browsers still make a canvas of. */
const mostPixels = 8192
const margin = 24

const fonts = { sans: fontFamily, mono: monoFamily }

/** The picture as a blob. Throws when the browser can't encode it. */
export async function pictureOf(what: PictureOf, as: 'png' | 'jpeg' | 'svg'): Promise<Blob> {
  const box = areaOf(what)
  if (as === 'svg') return new Blob([svgOf(what, box, await picturesIn(what, box))], { type: 'image/svg+xml' })
  const ratio = Math.min(2, mostPixels / Math.max(box.w, box.h))
  const canvas = document.createElement('canvas')
  canvas.width = Math.ceil(box.w * ratio)
  canvas.height = Math.ceil(box.h * ratio)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no 2D canvas to draw the picture on')
  context.fillStyle = what.palette.canvas
  context.fillRect(0, 0, canvas.width, canvas.height)
  paintOn(new CanvasPen(context, { x: box.x, y: box.y, zoom: 1 }, ratio, fonts), what, box, await picturesIn(what, box))
  return encoded(canvas, as)
}

/** CSS pixels of a cover. */
const cover = { w: 960, h: 600 }

/** All of the canvas in the middle of a picture of a cover's size. Throws when the browser can't encode it. */
export async function coverOf(what: PictureOf): Promise<Blob> {
  const box = areaOf(what)
  const { x, y, zoom } = fitted(box, cover, 12, 1.5)
  const canvas = document.createElement('canvas')
  canvas.width = cover.w
  canvas.height = cover.h
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no 2D canvas to draw the cover on')
  context.fillStyle = what.palette.canvas
  context.fillRect(0, 0, canvas.width, canvas.height)
  paintOn(new CanvasPen(context, { x, y, zoom }, 1, fonts), what, box, await picturesIn(what, box))
  return encoded(canvas, 'jpeg')
}

/** CSS pixels of a cover that is drawn without being asked for. */
const coverSize = { w: 640, h: 400 }
/** Room around a chart in it. */
const inset = 20
/** A world is drawn so much larger that the room of its axes is outside. */
const closer = 1.2

/**
 * A live card as a cover in light colours, whatever the theme of the page: a world fills it, a chart is centred. Null when the card shows
 * nothing that is drawn.
 */
export async function cardCover(card: HTMLElement, fills: boolean, isDark: boolean): Promise<Blob | null> {
  const { surface, sunken, lineStrong, faint, accent } = palettes.light
  // The picture of a world is cut out of the middle: its axes would be cut through.
  const look = fills ? { world: sunken, line: sunken, text: sunken, accent } : { world: sunken, line: lineStrong, text: faint, accent }
  const sheets = [...card.querySelectorAll('canvas')].filter(sheet => sheet.width > 0 && sheet.height > 0)
  const [first] = sheets
  const canvas = document.createElement('canvas')
  canvas.width = coverSize.w
  canvas.height = coverSize.h
  const context = canvas.getContext('2d')
  if (!first || !context) return null
  const room = fills ? coverSize : { w: coverSize.w - 2 * inset, h: coverSize.h - 2 * inset }
  const scale = (fills ? Math.max : Math.min)(room.w / first.width, room.h / first.height) * (fills ? closer : 1)
  const [w, h] = [first.width * scale, first.height * scale]
  context.fillStyle = fills ? sunken : surface
  context.fillRect(0, 0, coverSize.w, coverSize.h)
  // A chart has no other colours at hand: light and dark change places, hues stay.
  if (isDark && !fills) context.filter = 'invert(1) hue-rotate(180deg)'
  for (const sheet of sheets) {
    sheet.parentElement?.dispatchEvent(new CustomEvent(drawNow, { detail: look }))
    context.drawImage(sheet, (coverSize.w - w) / 2, (coverSize.h - h) / 2, w, h)
    if (isDark || fills) sheet.parentElement?.dispatchEvent(new Event(drawNow))
  }
  return isBlank(canvas) ? null : encoded(canvas, 'jpeg')
}

/** Whether a picture is one colour all over, seen from afar. */
function isBlank(picture: HTMLCanvasElement): boolean {
  const far = document.createElement('canvas')
  far.width = 32
  far.height = 20
  const context = far.getContext('2d')
  context?.drawImage(picture, 0, 0, far.width, far.height)
  const pixels = new Uint32Array(context?.getImageData(0, 0, far.width, far.height).data.buffer ?? new ArrayBuffer(0))
  return pixels.every(pixel => pixel === pixels[0])
}

async function encoded(canvas: HTMLCanvasElement, as: 'png' | 'jpeg'): Promise<Blob> {
  const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, `image/${as}`, 0.92))
  if (!blob) throw new Error(`the browser could not encode a picture of ${canvas.width} x ${canvas.height}`)
  return blob
}

function svgOf(what: PictureOf, box: Box, pictures: ReadonlyMap<string, HTMLImageElement>): string {
  const context = document.createElement('canvas').getContext('2d')
  const pen = new SvgPen(fonts, (text, font) => {
    if (!context) return text.length * 7
    context.font = font
    return context.measureText(text).width
  })
  paintOn(pen, what, box, pictures)
  return pen.document(box, what.palette.canvas)
}

function paintOn(pen: Pen, what: PictureOf, box: Box, pictures: ReadonlyMap<string, HTMLImageElement>): void {
  paintScene(pen, {
    scene: what.scene,
    camera: { x: box.x, y: box.y, zoom: 1 },
    size: { w: box.w, h: box.h },
    selection: new Set(),
    hover: null,
    bending: null,
    carried: null,
    badges: { problems: new Map(), tokens: {}, breakpoints: new Map(), here: null },
    routing: Infinity,
    base: {
      look: { ...what.palette, dark: what.dark },
      model: what.model,
      words: what.words,
      renaming: null,
      picture: url => pictures.get(url) ?? null,
      level: () => null,
      card: id => what.cards.get(id) ?? null,
    },
  })
}

async function picturesIn(what: PictureOf, box: Box): Promise<Map<string, HTMLImageElement>> {
  const found = new Map<string, HTMLImageElement>()
  for (const { element } of what.scene.visible(box).boxes) {
    const url = element.fields['image']
    if (typeof url !== 'string' || !url.startsWith('data:image/')) continue
    const image = new Image()
    image.src = url
    await image.decode().then(
      () => found.set(url, image),
      () => undefined,
    ) // a broken picture stays a placeholder
  }
  return found
}

function areaOf(what: PictureOf): Box {
  const boxes = [...what.scene.boxes].filter(box => what.only.length === 0 || what.only.includes(box.id))
  const around_ = around(boxes)
  if (!around_) return { x: 0, y: 0, w: 480, h: 320 }
  const grownBox = grown(around_, margin)
  // Connectors may run outside the shapes they join.
  const { wires } = what.scene.visible(grownBox)
  const points = wires.flatMap(wire => what.scene.pointsOf(wire.id).map(p => ({ ...p, w: 0, h: 0 })))
  const all = what.only.length === 0 ? around([around_, ...points]) : around_
  return all && !encloses(grownBox, all) ? grown(all, margin) : grownBox
}
