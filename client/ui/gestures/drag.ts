// Dragging with one pointer: the one definition for borders, pins, cards, fields and pictures. The canvas and the world read pointers themselves,
// as several fingers act on them at once.
import { useEffect, useLayoutEffect, useState, type MouseEvent, type PointerEvent } from 'react'

export type DragOptions<E extends Element> = {
  /** CSS pixels that a press moves before it is a drag; 0, as when left out: every press is one. */
  readonly slack?: number
  /** Called when the element is pressed with the main button, a finger or a pen; false refuses the drag. */
  begin?(event: PointerEvent<E>): boolean
  /** `dx` and `dy` are CSS pixels from where the element was pressed. */
  move(event: PointerEvent<E>, dx: number, dy: number): void
  /** The pointer was released at the end of a drag. */
  drop?(event: PointerEvent<E>): void
  /** A drag ended without being dropped: by Escape, by the system, or because the element is gone. */
  cancel?(): void
}

export type Drag<E extends Element> = {
  readonly handlers: {
    onPointerDown(event: PointerEvent<E>): void
    onPointerMove(event: PointerEvent<E>): void
    onPointerUp(event: PointerEvent<E>): void
    onPointerCancel(event: PointerEvent<E>): void
  }
  /** Whether a click is the one with which browsers follow a drag. A click by a key never is. */
  wasDrag(click: Pick<MouseEvent, 'detail'>): boolean
  /** Replaces the options. */
  update(options: DragOptions<E>): void
  /** Ends the drag without dropping. */
  stop(): void
}

/** While the element is pressed its moves do not bubble. `keys` is where Escape is heard. */
export function createDrag<E extends Element>(initial: DragOptions<E>, keys: EventTarget): Drag<E> {
  let options = initial
  let press: { readonly pointer: number; readonly x: number; readonly y: number; moving: boolean } | null = null
  let dragged = false
  const onKey = (event: Event): void => {
    if ('key' in event && event.key === 'Escape') stop()
  }
  /** The press that ended, if it was a drag. */
  const release = (): boolean => {
    const was = press?.moving === true
    press = null
    keys.removeEventListener('keydown', onKey)
    return was
  }
  const stop = (): void => {
    if (!release()) return
    dragged = true
    options.cancel?.()
  }
  return {
    handlers: {
      onPointerDown(event) {
        // A second finger changes nothing.
        if (!event.isPrimary) return
        stop()
        const { slack = 0, begin } = options
        dragged = false
        if (event.button !== 0 || begin?.(event) === false) return
        event.currentTarget.setPointerCapture(event.pointerId)
        press = { pointer: event.pointerId, x: event.clientX, y: event.clientY, moving: slack === 0 }
        keys.addEventListener('keydown', onKey)
      },
      onPointerMove(event) {
        if (press?.pointer !== event.pointerId) return
        event.stopPropagation()
        const { slack = 0, move } = options
        const [dx, dy] = [event.clientX - press.x, event.clientY - press.y]
        press.moving ||= Math.hypot(dx, dy) >= slack
        if (press.moving) move(event, dx, dy)
      },
      onPointerUp(event) {
        if (press?.pointer !== event.pointerId) return
        event.stopPropagation()
        dragged = release()
        if (dragged) options.drop?.(event)
      },
      onPointerCancel: ({ pointerId }) => press?.pointer === pointerId && stop(),
    },
    wasDrag: ({ detail }) => dragged && detail !== 0,
    update: next => void (options = next),
    stop,
  }
}

/** Dragging of one element; its `handlers` are spread over it. */
export function useDrag<E extends Element>(options: DragOptions<E>): Drag<E> {
  const [drag] = useState(() => createDrag(options, globalThis))
  useLayoutEffect(() => drag.update(options))
  useEffect(() => drag.stop, [drag])
  return drag
}
