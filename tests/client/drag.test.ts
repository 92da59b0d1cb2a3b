// Dragging by one pointer: when a press is a drag, how it ends, and which click belongs to it.
import type { PointerEvent } from 'react'
import { describe, expect, it } from 'vitest'
import { createDrag, type DragOptions } from '../../client/ui/gestures/drag.ts'

/** A drag with recorded calls, and the pointer that acts on it. */
function dragged(options: Partial<DragOptions<Element>> = {}) {
  const calls: string[] = []
  const keys = new EventTarget()
  const drag = createDrag<Element>(
    {
      move: (_, dx, dy) => void calls.push(`move ${dx} ${dy}`),
      drop: () => void calls.push('drop'),
      cancel: () => void calls.push('cancel'),
      ...options,
    },
    keys,
  )
  const at = (clientX: number, clientY: number, button = 0, pointerId = 1) =>
    ({
      button,
      clientX,
      clientY,
      pointerId,
      isPrimary: pointerId === 1,
      currentTarget: { setPointerCapture: () => void calls.push('captured') },
      stopPropagation: () => undefined,
    }) as unknown as PointerEvent<Element>
  return {
    ...drag,
    calls,
    down: (x: number, y: number, button = 0, pointer = 1) => drag.handlers.onPointerDown(at(x, y, button, pointer)),
    move: (x: number, y: number, pointer = 1) => drag.handlers.onPointerMove(at(x, y, 0, pointer)),
    up: (pointer = 1) => drag.handlers.onPointerUp(at(0, 0, 0, pointer)),
    cancel: (pointer = 1) => drag.handlers.onPointerCancel(at(0, 0, 0, pointer)),
    key: (key: string) => keys.dispatchEvent(Object.assign(new Event('keydown'), { key })),
  }
}

describe('drag', () => {
  it('begins after its slack, and tells how far the pointer is from the press', () => {
    const { calls, down, move, up, wasDrag } = dragged({ slack: 5 })
    move(1, 1)
    down(10, 10)
    move(13, 13)
    expect(calls).toEqual(['captured'])
    move(15, 10)
    move(11, 10)
    up()
    move(90, 90)
    expect(calls).toEqual(['captured', 'move 5 0', 'move 1 0', 'drop'])
    expect([wasDrag({ detail: 1 }), wasDrag({ detail: 0 })]).toEqual([true, false])
    down(0, 0)
    up()
    expect(wasDrag({ detail: 1 })).toBe(false)
    expect(calls.length).toBe(5)
  })

  it('without slack is every press, dropped where it is released', () => {
    const { calls, down, move, up } = dragged()
    down(1, 2)
    move(1, 2)
    up()
    expect(calls).toEqual(['captured', 'move 0 0', 'drop'])
  })

  it('ends without a drop by Escape, by the system and with its element, once', () => {
    for (const end of ['key', 'system', 'element'] as const) {
      const { calls, down, move, up, key, cancel, stop, wasDrag } = dragged()
      down(0, 0)
      move(3, 4)
      key('a')
      if (end === 'key') key('Escape')
      else if (end === 'system') cancel()
      else stop()
      key('Escape')
      move(5, 5)
      up()
      expect(calls, end).toEqual(['captured', 'move 3 4', 'cancel'])
      expect(wasDrag({ detail: 1 }), 'the click that follows').toBe(true)
    }
  })

  it('belongs to the pointer that pressed, whatever a second finger does', () => {
    const { calls, down, move, up, cancel } = dragged()
    down(0, 0)
    down(50, 50, 0, 2)
    move(60, 60, 2)
    up(2)
    cancel(2)
    move(3, 4)
    up()
    expect(calls).toEqual(['captured', 'move 3 4', 'drop'])
  })

  it('is refused by other buttons and by its owner', () => {
    const { calls, down, move } = dragged()
    down(0, 0, 2)
    move(9, 9)
    const refused = dragged({ begin: () => false })
    refused.down(0, 0)
    refused.move(9, 9)
    expect([calls, refused.calls]).toEqual([[], []])
  })
})
