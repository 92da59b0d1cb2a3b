// Going into a box and coming out of it, shown: the canvas that is left grows out of the way or shrinks back into its box, while the other one
// takes its place. Not where reduced motion is asked for.
import type { Editor } from '../editor/editor.ts'
import type { Box } from '../editor/geometry/geometry.ts'

/** Milliseconds. */
const time = 180
/** The old drawing grows no larger than this. */
const mostGrown = 6

/** Shows each change between a canvas and one in it; returns how to stop. */
export function showTravel(editor: Editor, host: HTMLElement): () => void {
  return editor.view.subscribe((view, before) => {
    if (view.travel === null || view.travel === before.travel) return
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    // The drawing of the canvas that is left is still there: the next is drawn in the next frame.
    const drawn = host.querySelector<HTMLCanvasElement>('.h-canvas-layer canvas')
    if (!drawn || drawn.width === 0) return
    const { w, h } = view.size
    const { into, box } = view.travel
    const old = pictureOf(drawn, w, h)
    const layers = host.querySelectorAll<HTMLElement>('.h-canvas-layer, .h-cards-clip')
    const [near, far] = [inBox(box, w, h), grownFrom(box, w, h)]
    const options = { duration: time, easing: 'cubic-bezier(.3, 0, .2, 1)' }
    host.append(old)
    const going = old.animate(
      [
        { transform: 'none', opacity: 1 },
        { transform: into ? far : near, opacity: 0 },
      ],
      options,
    )
    const gone = (): void => old.remove()
    going.addEventListener('finish', gone)
    going.addEventListener('cancel', gone)
    for (const layer of layers)
      layer.animate(
        [
          { transform: into ? near : far, opacity: 0 },
          { transform: 'none', opacity: 1 },
        ],
        options,
      )
  })
}

function pictureOf(drawn: HTMLCanvasElement, w: number, h: number): HTMLCanvasElement {
  const copy = document.createElement('canvas')
  copy.width = drawn.width
  copy.height = drawn.height
  copy.className = 'h-canvas-left'
  copy.style.width = `${w}px`
  copy.style.height = `${h}px`
  copy.getContext('2d')?.drawImage(drawn, 0, 0)
  return copy
}

/** The whole window brought into the box. */
function inBox(box: Box, w: number, h: number): string {
  const scale = Math.max(0.02, Math.min(box.w / w, box.h / h))
  return `translate(${box.x + box.w / 2 - (w * scale) / 2}px, ${box.y + box.h / 2 - (h * scale) / 2}px) scale(${scale})`
}

/** The box brought to the size of the window, or as near to it as looks well. */
function grownFrom(box: Box, w: number, h: number): string {
  const scale = Math.min(mostGrown, w / Math.max(1, box.w), h / Math.max(1, box.h))
  return `translate(${w / 2 - (box.x + box.w / 2) * scale}px, ${h / 2 - (box.y + box.h / 2) * scale}px) scale(${scale})`
}
