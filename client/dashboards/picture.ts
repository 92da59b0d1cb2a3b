// A dashboard as a picture: all its cards as they look now, also those out of sight, with the watermark over them.
import { CanvasPen } from '../canvas/paint/pen.ts'
import { snapshotOf } from '../canvas/snapshot.ts'
import { fontFamily, monoFamily, palettes, theme } from '../ui/theme.ts'
import { coverSize } from '../workspace/keptCover.ts'
import type { Page } from './page.ts'

/** Pixels that browsers still make a canvas of. */
const maxCanvasPx = 16_000
const margin = 16

/** Milliseconds that cards out of sight get to be drawn. */
const settleMs = 250

/** The whole page as PNG, in pixels twice as fine as CSS's. */
export const pngOf = async (surface: HTMLElement, page: Page): Promise<Blob> =>
  encoded(
    await drawn(surface, page, box => ({ w: box.w, h: box.h, scale: Math.max(0.25, Math.min(2, maxCanvasPx / Math.max(box.w, box.h))) })),
    'png',
  )

/** The upper part of the page as a cover. */
export const coverOf = async (surface: HTMLElement, page: Page): Promise<Blob> =>
  encoded(
    await drawn(surface, page, box => {
      const scale = coverSize.w / box.w
      return { w: box.w, h: coverSize.h / scale, scale }
    }),
    'jpeg',
  )

type Size = { readonly w: number; readonly h: number }

async function drawn(surface: HTMLElement, page: Page, sizeOf: (box: Size) => Size & { scale: number }): Promise<HTMLCanvasElement> {
  page.setState({ pictured: true })
  try {
    await new Promise(done => setTimeout(done, settleMs))
    const { w, h, scale } = sizeOf({ w: surface.clientWidth + 2 * margin, h: depthOf(surface) + 2 * margin })
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(w * scale)
    canvas.height = Math.round(h * scale)
    const context = canvas.getContext('2d')
    if (!context) throw new Error('no 2D canvas to draw the page on')
    context.fillStyle = palettes[theme.getState().dark ? 'dark' : 'light'].page
    context.fillRect(0, 0, canvas.width, canvas.height)
    const draw = await snapshotOf(surface, 1)
    draw(new CanvasPen(context, { x: -margin, y: -margin, zoom: 1 }, scale, { sans: fontFamily, mono: monoFamily }), { x: 0, y: 0 })
    return canvas
  } finally {
    page.setState({ pictured: false })
  }
}

/** Where the last card ends: the room below it, for more cards, is not in the picture. */
function depthOf(surface: HTMLElement): number {
  const top = surface.getBoundingClientRect().top
  const ends = [...surface.querySelectorAll('.d-frame')].map(card => card.getBoundingClientRect().bottom - top)
  return ends.length === 0 ? surface.clientHeight : Math.ceil(Math.max(...ends))
}

async function encoded(canvas: HTMLCanvasElement, as: 'png' | 'jpeg'): Promise<Blob> {
  const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, `image/${as}`, 0.9))
  if (!blob) throw new Error(`the browser could not encode a picture of ${canvas.width} x ${canvas.height}`)
  return blob
}
