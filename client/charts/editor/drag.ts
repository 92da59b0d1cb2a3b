// Dragging a field by the pointer. Keys and fingers use the menus instead: a finger scrolls.
import { useRef, useState, type PointerEvent as ReactPointerEvent } from 'react'
import { shelfIds, type ShelfId } from './moves.ts'

/** A press that has moved this far, in CSS pixels, is a drag. */
const slack = 5

const shelfAt = (x: number, y: number): Element | null => document.elementFromPoint(x, y)?.closest('[data-shelf]') ?? null

/** `drop` is told the shelf, or null for none. `wasDrag` tells a click that ended a drag. */
export function useDrag(label: string, drop: (shelf: ShelfId | null) => void) {
  const [ghost, setGhost] = useState<{ x: number; y: number } | null>(null)
  const dragged = useRef(false)
  const begin = (event: ReactPointerEvent<HTMLElement>): void => {
    dragged.current = false
    if (event.button !== 0 || event.pointerType === 'touch') return
    const from = { x: event.clientX, y: event.clientY }
    let over: Element | null = null
    const mark = (next: Element | null): void => {
      over?.removeAttribute('data-over')
      next?.setAttribute('data-over', '')
      over = next
    }
    const move = (moved: PointerEvent): void => {
      if (!dragged.current && Math.hypot(moved.clientX - from.x, moved.clientY - from.y) < slack) return
      dragged.current = true
      moved.preventDefault()
      setGhost({ x: moved.clientX, y: moved.clientY })
      mark(shelfAt(moved.clientX, moved.clientY))
    }
    const end = (): void => {
      removeEventListener('pointermove', move)
      removeEventListener('pointerup', up)
      removeEventListener('pointercancel', end)
      removeEventListener('keydown', escape)
      mark(null)
      setGhost(null)
    }
    const up = (): void => {
      const shelf = over?.getAttribute('data-shelf') ?? null
      const was = dragged.current
      end()
      // The click that ends the drag comes before this.
      setTimeout(() => void (dragged.current = false))
      if (was) drop(shelfIds.find(id => id === shelf) ?? null)
    }
    const escape = (pressed: KeyboardEvent): void => {
      if (pressed.key === 'Escape') end()
    }
    addEventListener('pointermove', move)
    addEventListener('pointerup', up)
    addEventListener('pointercancel', end)
    addEventListener('keydown', escape)
  }
  return { begin, ghost: ghost && { ...ghost, label }, wasDrag: () => dragged.current }
}
