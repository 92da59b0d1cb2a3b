// The primitives that shapes are drawn with, in canvas units. Two pens exist, one for a canvas (which puts lines on whole device pixels)
// and one that writes SVG, so that every shape is described once.
import type { Camera } from '../../editor/geometry/camera.ts'
import type { Box, Point } from '../../editor/geometry/geometry.ts'
import type { Icon } from '../icons.ts'

type Ink = {
  readonly fill?: string
  readonly stroke?: string
  /** Canvas units; on screen never thinner than a device pixel. */
  readonly width?: number
  readonly dash?: readonly number[] | undefined
  readonly alpha?: number
}

export type TextStyle = {
  /** Canvas units. */
  readonly size: number
  readonly color: string
  readonly weight?: 400 | 500 | 600
  readonly mono?: boolean
  readonly align?: 'left' | 'center' | 'right'
  /** Cut with an ellipsis at this width. */
  readonly width?: number
}

export interface Pen {
  rect(box: Box, radius: number, ink: Ink): void
  circle(centre: Point, radius: number, ink: Ink): void
  /** An open polyline with rounded corners, or a closed polygon. */
  line(points: readonly Point[], ink: Ink, more?: { closed?: boolean; radius?: number }): void
  /** An icon in a square of `size` at its top left corner. */
  icon(icon: Icon, at: Point, size: number, color: string): void
  /** One line of text; `at` is the middle of its height. */
  text(text: string, at: Point, type: TextStyle): void
  image(source: CanvasImageSource & { src?: string }, box: Box): void
  /** Width in canvas units. */
  measure(text: string, type: TextStyle): number
}

export type Fonts = { readonly sans: string; readonly mono: string }

export class CanvasPen implements Pen {
  readonly #context: CanvasRenderingContext2D
  readonly #camera: Camera
  /** Device pixels per canvas unit. */
  readonly #scale: number
  readonly #fonts: Fonts

  /** Draws in device pixels; the context's own transform is reset. */
  constructor(context: CanvasRenderingContext2D, camera: Camera, pixelRatio: number, fonts: Fonts) {
    this.#context = context
    this.#camera = camera
    this.#scale = camera.zoom * pixelRatio
    this.#fonts = fonts
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.lineJoin = 'round'
    context.lineCap = 'round'
  }

  rect(box: Box, radius: number, ink: Ink): void {
    const { offset } = this.#lineOf(ink)
    const left = Math.round((box.x - this.#camera.x) * this.#scale) + offset
    const top = Math.round((box.y - this.#camera.y) * this.#scale) + offset
    const right = Math.round((box.x + box.w - this.#camera.x) * this.#scale) + offset
    const bottom = Math.round((box.y + box.h - this.#camera.y) * this.#scale) + offset
    this.#context.beginPath()
    if (radius > 0) this.#context.roundRect(left, top, right - left, bottom - top, radius * this.#scale)
    else this.#context.rect(left, top, right - left, bottom - top)
    this.#ink(ink)
  }

  circle(centre: Point, radius: number, ink: Ink): void {
    this.#context.beginPath()
    this.#context.arc(
      (centre.x - this.#camera.x) * this.#scale,
      (centre.y - this.#camera.y) * this.#scale,
      radius * this.#scale,
      0,
      2 * Math.PI,
    )
    this.#ink(ink)
  }

  line(points: readonly Point[], ink: Ink, { closed = false, radius = 0 } = {}): void {
    const { offset } = this.#lineOf(ink)
    const device = points.map(p => ({
      x: Math.round((p.x - this.#camera.x) * this.#scale) + offset,
      y: Math.round((p.y - this.#camera.y) * this.#scale) + offset,
    }))
    const first = device[0]
    if (!first) return
    const context = this.#context
    context.beginPath()
    context.moveTo(first.x, first.y)
    device.forEach((p, i) => {
      const next = device[i + 1]
      const before = device[i - 1]
      if (i === 0) return
      if (radius > 0 && next && before) {
        const room = Math.min(
          radius * this.#scale,
          Math.hypot(p.x - before.x, p.y - before.y) / 2,
          Math.hypot(next.x - p.x, next.y - p.y) / 2,
        )
        context.arcTo(p.x, p.y, next.x, next.y, room)
      } else context.lineTo(p.x, p.y)
    })
    if (closed) context.closePath()
    this.#ink(ink)
  }

  icon(icon: Icon, at: Point, size: number, color: string): void {
    const context = this.#context
    const scale = (size / 16) * this.#scale
    context.setTransform(scale, 0, 0, scale, (at.x - this.#camera.x) * this.#scale, (at.y - this.#camera.y) * this.#scale)
    if (icon.solid) {
      context.fillStyle = color
      context.fill(pathOf(icon.d))
    } else {
      context.strokeStyle = color
      context.lineWidth = iconWidth
      context.setLineDash([])
      context.stroke(pathOf(icon.d))
    }
    context.setTransform(1, 0, 0, 1, 0, 0)
  }

  text(text: string, at: Point, type: TextStyle): void {
    const pixels = type.size * this.#scale
    if (pixels < 4 || text === '') return
    const context = this.#context
    const font = fontOf(type, pixels, this.#fonts)
    const line = type.width === undefined ? text : cut(text, type.width * this.#scale, font, context)
    context.font = font
    context.fillStyle = type.color
    context.textAlign = type.align ?? 'left'
    context.textBaseline = 'middle'
    // Half a pixel down: 'middle' sits high for Latin and CJK alike.
    context.fillText(
      line,
      Math.round((at.x - this.#camera.x) * this.#scale),
      Math.round((at.y - this.#camera.y) * this.#scale + pixels * 0.04),
    )
  }

  image(source: CanvasImageSource, box: Box): void {
    const s = this.#scale
    this.#context.drawImage(source, (box.x - this.#camera.x) * s, (box.y - this.#camera.y) * s, box.w * s, box.h * s)
  }

  measure(text: string, type: TextStyle): number {
    return (widthOf(text, fontOf(type, 100, this.#fonts), this.#context) / 100) * type.size
  }

  // Odd device widths sit on half pixels, even ones on whole pixels: both crisp.
  #lineOf(ink: Ink): { width: number; offset: number } {
    if (!ink.stroke) return { width: 0, offset: 0 }
    const width = Math.max(1, Math.round((ink.width ?? 1) * this.#scale))
    return { width, offset: width % 2 === 1 ? 0.5 : 0 }
  }

  #ink(ink: Ink): void {
    const context = this.#context
    if (ink.alpha !== undefined) context.globalAlpha = ink.alpha
    if (ink.fill) {
      context.fillStyle = ink.fill
      context.fill()
    }
    if (ink.stroke) {
      const { width } = this.#lineOf(ink)
      context.strokeStyle = ink.stroke
      context.lineWidth = width
      context.setLineDash(ink.dash ? ink.dash.map(part => Math.max(1, part * this.#scale)) : [])
      context.stroke()
    }
    if (ink.alpha !== undefined) context.globalAlpha = 1
  }
}

/** Writes what is drawn as SVG elements. Text is measured with a canvas, so that it is cut where the screen cuts it. */
export class SvgPen implements Pen {
  readonly #parts: string[] = []
  readonly #fonts: Fonts
  readonly #measure: (text: string, font: string) => number

  /** `measure` gives a text's width in pixels in a CSS font. */
  constructor(fonts: Fonts, measure: (text: string, font: string) => number) {
    this.#fonts = fonts
    this.#measure = measure
  }

  /** The whole drawing, `box` of it visible. */
  document(box: Box, background: string): string {
    const size = `width="${round(box.w)}" height="${round(box.h)}" viewBox="${round(box.x)} ${round(box.y)} ${round(box.w)} ${round(box.h)}"`
    const back = `<rect x="${round(box.x)}" y="${round(box.y)}" width="${round(box.w)}" height="${round(box.h)}" fill="${background}"/>`
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size} stroke-linecap="round" stroke-linejoin="round">${back}${this.#parts.join('')}</svg>`
  }

  rect(box: Box, radius: number, ink: Ink): void {
    const r = Math.min(radius, box.w / 2, box.h / 2)
    this.#parts.push(
      `<rect x="${round(box.x)}" y="${round(box.y)}" width="${round(box.w)}" height="${round(box.h)}" rx="${round(r)}"${inkText(ink)}/>`,
    )
  }

  circle(centre: Point, radius: number, ink: Ink): void {
    this.#parts.push(`<circle cx="${round(centre.x)}" cy="${round(centre.y)}" r="${round(radius)}"${inkText(ink)}/>`)
  }

  line(points: readonly Point[], ink: Ink, { closed = false } = {}): void {
    const d = points.map((p, i) => `${i === 0 ? 'M' : 'L'}${round(p.x)} ${round(p.y)}`).join('')
    this.#parts.push(`<path d="${d}${closed ? 'Z' : ''}"${inkText(ink)}/>`)
  }

  icon(icon: Icon, at: Point, size: number, color: string): void {
    const paint = icon.solid ? `fill="${color}"` : `fill="none" stroke="${color}" stroke-width="${iconWidth}"`
    this.#parts.push(`<path transform="translate(${round(at.x)} ${round(at.y)}) scale(${round(size / 16)})" d="${icon.d}" ${paint}/>`)
  }

  text(text: string, at: Point, type: TextStyle): void {
    if (text === '') return
    const font = fontOf(type, type.size, this.#fonts)
    const line = type.width === undefined ? text : cutBy(text, type.width, part => this.#measure(part, font))
    const anchor = type.align === 'center' ? 'middle' : type.align === 'right' ? 'end' : 'start'
    const family = (type.mono ? this.#fonts.mono : this.#fonts.sans).replaceAll('"', "'")
    this.#parts.push(
      `<text x="${round(at.x)}" y="${round(at.y)}" dy=".35em" text-anchor="${anchor}" font-family="${family}" font-size="${type.size}" font-weight="${type.weight ?? 400}" fill="${type.color}">${escaped(line)}</text>`,
    )
  }

  image(source: CanvasImageSource & { src?: string }, box: Box): void {
    if (!source.src?.startsWith('data:image/')) return
    const place = `x="${round(box.x)}" y="${round(box.y)}" width="${round(box.w)}" height="${round(box.h)}"`
    this.#parts.push(`<image href="${escaped(source.src)}" ${place} preserveAspectRatio="none"/>`)
  }

  measure(text: string, type: TextStyle): number {
    return this.#measure(text, fontOf(type, type.size, this.#fonts))
  }
}

/** Breaks a text into at most `most` lines of a width, at spaces where it can, cutting the last with an ellipsis. */
export function wrapped(pen: Pen, text: string, type: TextStyle, width: number, most: number): string[] {
  if (pen.measure(text, type) <= width) return [text]
  const lines: string[] = []
  let line = ''
  for (const part of text.match(/\s*(?:[\u3000-\u9fff\uff00-\uffef]|[^\s\u3000-\u9fff\uff00-\uffef]+)[、。，；：！？）》」』”…]*/gu) ??
    []) {
    if (line !== '' && pen.measure(line + part, type) > width) {
      lines.push(line)
      line = part.trimStart()
      if (lines.length === most) break
    } else line += part
  }
  if (lines.length < most && line !== '') lines.push(line)
  else if (lines.length === most && line !== '') lines[most - 1] = `${lines[most - 1] ?? ''} ${line}`
  return lines.map(one => cutBy(one, width, piece => pen.measure(piece, type)))
}

const iconWidth = 1.4

const paths = new Map<string, Path2D>()

function pathOf(d: string): Path2D {
  const known = paths.get(d)
  if (known) return known
  const path = new Path2D(d)
  paths.set(d, path)
  return path
}

const fontOf = (type: TextStyle, pixels: number, fonts: Fonts): string =>
  `${type.weight ?? 400} ${Math.round(pixels * 4) / 4}px ${type.mono ? fonts.mono : fonts.sans}`

// Text widths and cuts are needed again with every frame: cached, and cleared all at once when there are many.
const widths = new Map<string, number>()
const cuts = new Map<string, string>()
const mostRemembered = 20_000

/** Forgets what was measured, when fonts have come. */
export function forgetWidths(): void {
  widths.clear()
  cuts.clear()
}

function widthOf(text: string, font: string, context: CanvasRenderingContext2D): number {
  const key = `${font}\n${text}`
  const known = widths.get(key)
  if (known !== undefined) return known
  if (widths.size > mostRemembered) widths.clear()
  // Only now: taking over a font costs more than all the rest.
  context.font = font
  const { width } = context.measureText(text)
  widths.set(key, width)
  return width
}

function cut(text: string, width: number, font: string, context: CanvasRenderingContext2D): string {
  const key = `${font}\n${Math.round(width)}\n${text}`
  const known = cuts.get(key)
  if (known !== undefined) return known
  if (cuts.size > mostRemembered) cuts.clear()
  context.font = font
  const line = cutBy(text, width, part => context.measureText(part).width)
  cuts.set(key, line)
  return line
}

/** The longest beginning of a text that fits a width with an ellipsis; the whole text when it fits. */
function cutBy(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width) return text
  const letters = [...text]
  let low = 0
  let high = letters.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (measure(`${letters.slice(0, middle).join('').trimEnd()}…`) <= width) low = middle
    else high = middle - 1
  }
  return low === 0 ? '…' : `${letters.slice(0, low).join('').trimEnd()}…`
}

function inkText(ink: Ink): string {
  const parts = [` fill="${ink.fill ?? 'none'}"`]
  if (ink.stroke) parts.push(` stroke="${ink.stroke}" stroke-width="${ink.width ?? 1}"`)
  if (ink.stroke && ink.dash) parts.push(` stroke-dasharray="${ink.dash.join(' ')}"`)
  if (ink.alpha !== undefined) parts.push(` opacity="${ink.alpha}"`)
  return parts.join('')
}

const round = (value: number): number => Math.round(value * 100) / 100

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, sign => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign)
