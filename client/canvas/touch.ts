// Fingers on the canvas: two pan and zoom, one held still opens the menu. And the pinch of a trackpad in Safari, which other browsers report as
// a wheel with Ctrl.
import type { Editor } from '../editor/editor.ts'

/** Two fingers: pan with their middle, zoom with their distance. */
export class Pinch {
  readonly #editor: Editor
  readonly #fingers = new Map<number, [number, number]>()

  constructor(editor: Editor) {
    this.#editor = editor
  }

  /** Whether the touch belongs to a pinch. */
  down(id: number, at: [number, number]): boolean {
    this.#fingers.set(id, at)
    if (this.#fingers.size < 2) return false
    this.#editor.cancel()
    return true
  }

  move(id: number, at: [number, number]): boolean {
    if (!this.#fingers.has(id)) return false
    const before = [...this.#fingers.values()]
    this.#fingers.set(id, at)
    const after = [...this.#fingers.values()]
    const [a, b] = before
    const [c, d] = after
    if (!a || !b || !c || !d) return false
    const middle = { x: (c[0] + d[0]) / 2, y: (c[1] + d[1]) / 2 }
    this.#editor.pan((a[0] + b[0]) / 2 - middle.x, (a[1] + b[1]) / 2 - middle.y)
    const ratio = Math.hypot(c[0] - d[0], c[1] - d[1]) / Math.max(1, Math.hypot(a[0] - b[0], a[1] - b[1]))
    this.#editor.zoomAt(middle, this.#editor.view.getState().camera.zoom * ratio)
    return true
  }

  /** Whether fingers of a pinch are left, so that lifting one isn't a click. */
  up(id: number): boolean {
    const pinched = this.#fingers.size > 1
    this.#fingers.delete(id)
    return pinched
  }
}

/** Milliseconds until a finger that rests opens the menu, and CSS pixels it may tremble. */
const holdMs = 500
const tremble = 8

/** A finger held still is the right button. */
export class LongPress {
  readonly #editor: Editor
  #timer: ReturnType<typeof setTimeout> | undefined
  #at: [number, number] = [0, 0]

  constructor(editor: Editor) {
    this.#editor = editor
  }

  start(x: number, y: number): void {
    this.stop()
    this.#at = [x, y]
    this.#timer = setTimeout(() => this.#editor.cancel().openMenu(x, y), holdMs)
  }

  move(x: number, y: number): void {
    if (Math.hypot(x - this.#at[0], y - this.#at[1]) > tremble) this.stop()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}

/** Zooms with Safari's own gesture events (https://developer.apple.com/documentation/webkitjs/gestureevent); returns how to stop. */
export function onSafariPinch(editor: Editor, element: HTMLElement): () => void {
  let zoom = 1
  const follow = (event: Event): void => {
    if (!isGesture(event)) return
    event.preventDefault()
    if (event.type === 'gesturestart') zoom = editor.view.getState().camera.zoom
    const box = element.getBoundingClientRect()
    editor.zoomAt({ x: event.clientX - box.left, y: event.clientY - box.top }, zoom * event.scale)
  }
  // On a touch screen the fingers themselves are followed.
  const types = matchMedia('(pointer: coarse)').matches ? [] : ['gesturestart', 'gesturechange']
  for (const type of types) element.addEventListener(type, follow, { passive: false })
  return () => {
    for (const type of types) element.removeEventListener(type, follow)
  }
}

const isGesture = (event: Event): event is Event & { scale: number; clientX: number; clientY: number } =>
  'scale' in event && typeof event.scale === 'number' && 'clientX' in event && 'clientY' in event
