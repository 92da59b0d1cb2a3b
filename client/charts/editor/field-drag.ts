// Dragging a field to a shelf by the pointer. Keys and fingers use the menus instead: a finger scrolls.
import { useRef, useState } from 'react'
import { useDrag, type Drag } from '../../ui/gestures/drag.ts'
import { shelfIds, type ShelfId } from './moves.ts'

/** A press that has moved this far, in CSS pixels, is a drag. */
const dragSlackPx = 5

const shelfAt = (x: number, y: number): Element | null => document.elementFromPoint(x, y)?.closest('[data-shelf]') ?? null

/** `drop` is given the shelf, or null for none. The ghost goes with the pointer while a field is dragged. */
export function useFieldDrag(
  drop: (shelf: ShelfId | null) => void,
): Pick<Drag<HTMLElement>, 'handlers' | 'wasDrag'> & { ghost: { x: number; y: number } | null } {
  const [ghost, setGhost] = useState<{ x: number; y: number } | null>(null)
  const over = useRef<Element | null>(null)
  const mark = (next: Element | null): void => {
    over.current?.removeAttribute('data-over')
    next?.setAttribute('data-over', '')
    over.current = next
  }
  const end = (): void => {
    mark(null)
    setGhost(null)
  }
  const { handlers, wasDrag } = useDrag<HTMLElement>({
    slack: dragSlackPx,
    begin: ({ pointerType }) => pointerType !== 'touch',
    move({ clientX: x, clientY: y }) {
      setGhost({ x, y })
      mark(shelfAt(x, y))
    },
    drop() {
      const shelf = over.current?.getAttribute('data-shelf') ?? null
      end()
      drop(shelfIds.find(id => id === shelf) ?? null)
    },
    cancel: end,
  })
  return { handlers, wasDrag, ghost }
}
