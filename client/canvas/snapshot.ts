// The content of a live card, as something a pen can draw: charts, world views and controllers are DOM on the screen, and must look the
// same in a saved picture. Boxes, borders and texts are drawn as such (so that an SVG has real text); canvases and icons become pictures.
import type { Box, Point } from '../editor/geometry/geometry.ts'
import type { Pen } from './paint/pen.ts'

/** Draws a card with its upper left corner at a point. */
export type Snapshot = (pen: Pen, at: Point) => void

type Part = (pen: Pen, at: Point) => void
type Picture = { readonly part: number; readonly box: Box; readonly url: string }

/**
 * Asks the owner of a canvas in an element to draw it now: what WebGL drew earlier can't be read any more. The custom event gives the
 * colours.
 */
export const drawNow = 'h-draw-now'

/** Takes down what an element shows; `zoom` is CSS pixels per canvas unit. */
export async function snapshotOf(root: HTMLElement, zoom: number): Promise<Snapshot> {
  const origin = root.getBoundingClientRect()
  const enlarged = enlargedIn(root)
  const parts: (Part | null)[] = []
  const pictures: Picture[] = []
  const boxOf = (rect: DOMRect): Box => ({
    x: (rect.left - origin.left) / zoom,
    y: (rect.top - origin.top) / zoom,
    w: rect.width / zoom,
    h: rect.height / zoom,
  })
  const picture = (box: Box, url: string): void => {
    pictures.push({ part: parts.length, box, url })
    parts.push(null)
  }

  const visit = (element: Element, clip: Box): void => {
    const style = getComputedStyle(element)
    if (style.display === 'none' || style.visibility === 'hidden' || Number(style.opacity) === 0 || element.matches(left)) return
    const box = boxOf(element.getBoundingClientRect())
    if (box.w > 0 && box.h > 0 && !meets(box, clip)) return
    if (element instanceof HTMLCanvasElement) {
      element.parentElement?.dispatchEvent(new Event(drawNow))
      if (element.width > 0 && element.height > 0) picture(box, element.toDataURL())
      return
    }
    if (element instanceof SVGSVGElement) return picture(box, svgUrl(element, box))
    if (element instanceof HTMLImageElement) return picture(box, element.src)
    paintBox(parts, style, box, enlarged)
    for (const pseudo of ['::before', '::after']) paintPseudo(parts, getComputedStyle(element, pseudo), box, enlarged)
    const inner = style.overflow === 'visible' ? clip : within(box, clip)
    if (element instanceof HTMLInputElement && element.value !== '' && element.type !== 'range' && element.type !== 'checkbox') {
      const indent = enlarged * Number.parseFloat(style.paddingLeft) || 0
      parts.push(textPart(element.value, { x: box.x + indent, y: box.y + box.h / 2 }, style, enlarged, box.w - 2 * indent))
    }
    for (const child of element.childNodes) {
      if (child instanceof Element) visit(child, inner)
      else if (child instanceof Text)
        for (const line of linesOf(child)) {
          const place = boxOf(line.rect)
          if (meets(place, inner)) parts.push(textPart(line.text, { x: place.x, y: place.y + place.h / 2 }, style, enlarged))
        }
    }
  }
  visit(root, boxOf(origin))

  const images = await Promise.all(pictures.map(({ url }) => decoded(url)))
  pictures.forEach(({ part, box }, i) => {
    const image = images[i]
    if (image) parts[part] = (pen, at) => pen.image(image, { ...box, x: at.x + box.x, y: at.y + box.y })
  })
  return (pen, at) => {
    for (const part of parts) part?.(pen, at)
  }
}

/** How much larger than laid out the content of an element is shown by a style of its own. */
const enlargedIn = (root: HTMLElement): number =>
  root.firstElementChild ? Number.parseFloat(getComputedStyle(root.firstElementChild).scale) || 1 : 1

/** Buttons and the like are there for the pointer, not for the picture. */
const left = '.h-card-actions, .h-visually-hidden, [aria-hidden="true"].ant-wave'

function paintBox(parts: (Part | null)[], style: CSSStyleDeclaration, box: Box, enlarged: number): void {
  const radius = Math.min(enlarged * Number.parseFloat(style.borderTopLeftRadius) || 0, box.w / 2, box.h / 2)
  const fill = isClear(style.backgroundColor) ? undefined : style.backgroundColor
  const sides = ['Top', 'Right', 'Bottom', 'Left'] as const
  const borders = sides.map(side => ({
    width: style[`border${side}Style`] === 'none' ? 0 : enlarged * Number.parseFloat(style[`border${side}Width`]) || 0,
    color: style[`border${side}Color`],
  }))
  const whole = borders.every(border => border.width > 0 && border.color === borders[0]?.color) ? borders[0] : undefined
  if (fill || (whole && !isClear(whole.color)))
    parts.push((pen, at) =>
      pen.rect({ ...box, x: at.x + box.x, y: at.y + box.y }, radius, {
        ...(fill ? { fill } : {}),
        ...(whole && !isClear(whole.color) ? { stroke: whole.color, width: whole.width } : {}),
      }),
    )
  if (whole) return
  borders.forEach(({ width, color }, i) => {
    if (width === 0 || isClear(color)) return
    const [x, y, right, bottom] = [box.x, box.y, box.x + box.w, box.y + box.h]
    const lines = [
      [x, y, right, y],
      [right, y, right, bottom],
      [x, bottom, right, bottom],
      [x, y, x, bottom],
    ] as const
    const line = lines[i]
    if (!line) return
    parts.push((pen, at) =>
      pen.line(
        [
          { x: at.x + line[0], y: at.y + line[1] },
          { x: at.x + line[2], y: at.y + line[3] },
        ],
        { stroke: color, width },
      ),
    )
  })
}

/** Pseudo-elements, such as handles of sliders: boxes that exist only in the style sheet, drawn if their position is given in pixels. */
function paintPseudo(parts: (Part | null)[], style: CSSStyleDeclaration, around: Box, enlarged: number): void {
  if (style.content === 'none' || style.position !== 'absolute' || Number(style.opacity) === 0) return
  const [x, y, w, h] = [style.left, style.top, style.width, style.height].map(length => enlarged * Number.parseFloat(length))
  if (x === undefined || y === undefined || !w || !h || !Number.isFinite(x + y + w + h)) return
  const box = { x: around.x + x, y: around.y + y, w, h }
  const radius = Math.min(
    style.borderTopLeftRadius.endsWith('%') ? w : enlarged * Number.parseFloat(style.borderTopLeftRadius) || 0,
    w / 2,
    h / 2,
  )
  const ring = /^(rgba?\([^)]*\)) 0px 0px 0px ([\d.]+)px/.exec(style.boxShadow)
  if (isClear(style.backgroundColor) && !ring) return
  parts.push((pen, at) =>
    pen.rect({ ...box, x: at.x + box.x, y: at.y + box.y }, radius, {
      ...(isClear(style.backgroundColor) ? {} : { fill: style.backgroundColor }),
      ...(ring?.[1] && ring[2] ? { stroke: ring[1], width: enlarged * Number(ring[2]) } : {}),
    }),
  )
}

function textPart(text: string, from: Point, style: CSSStyleDeclaration, enlarged: number, width?: number): Part {
  const weight = Number(style.fontWeight)
  const type = {
    size: enlarged * (Number.parseFloat(style.fontSize) || 12),
    color: style.color,
    weight: weight >= 600 ? (600 as const) : weight >= 500 ? (500 as const) : (400 as const),
    mono: /mono/i.test(style.fontFamily.split(',')[0] ?? ''),
    ...(width === undefined ? {} : { width }),
  }
  return (pen, at) => pen.text(text, { x: at.x + from.x, y: at.y + from.y }, type)
}

/** The lines a text was broken into, each with its place on the screen. */
function linesOf(node: Text): { text: string; rect: DOMRect }[] {
  const text = node.data
  if (text.trim() === '') return []
  const range = document.createRange()
  range.selectNodeContents(node)
  const [first, ...others] = range.getClientRects()
  if (!first) return []
  if (others.length === 0) return [{ text: text.trim(), rect: first }]
  const lines: { text: string; rect: DOMRect }[] = []
  for (let i = 0; i < text.length; i++) {
    range.setStart(node, i)
    range.setEnd(node, i + 1)
    const rect = range.getBoundingClientRect()
    const last = lines.at(-1)
    if (last && Math.abs(last.rect.top - rect.top) < 2) last.text += text[i] ?? ''
    else lines.push({ text: text[i] ?? '', rect })
  }
  return lines.map(line => ({ ...line, text: line.text.trim() })).filter(line => line.text !== '')
}

const carried = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'color',
  'font',
  'text-anchor',
  'dominant-baseline',
]

/** A drawing as a picture of its own: it takes along what style sheets said of it. */
function svgUrl(svg: SVGSVGElement, box: Box): string {
  const copy = svg.cloneNode(true)
  if (!(copy instanceof SVGSVGElement)) return ''
  const copies = [copy, ...copy.querySelectorAll('*')]
  ;[svg, ...svg.querySelectorAll('*')].forEach((element, i) => {
    const style = getComputedStyle(element)
    const text = carried.map(name => `${name}:${style.getPropertyValue(name)}`).join(';')
    copies[i]?.setAttribute('style', text)
  })
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(box.w))
  copy.setAttribute('height', String(box.h))
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`
}

async function decoded(url: string): Promise<HTMLImageElement | null> {
  const image = new Image()
  image.src = url
  try {
    await image.decode()
    return image
  } catch {
    return null // a picture that can't be read leaves its place empty
  }
}

const isClear = (color: string): boolean => color === 'transparent' || /^rgba\(.*, 0\)$/.test(color)

const meets = (a: Box, b: Box): boolean => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h

function within(a: Box, b: Box): Box {
  const x = Math.max(a.x, b.x)
  const y = Math.max(a.y, b.y)
  return { x, y, w: Math.max(0, Math.min(a.x + a.w, b.x + b.w) - x), h: Math.max(0, Math.min(a.y + a.h, b.y + b.h) - y) }
}
