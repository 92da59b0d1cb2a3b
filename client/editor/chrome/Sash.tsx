// The border between a panel and the rest: dragged or moved with arrow keys; the size is remembered on this device.
import { useState, type KeyboardEvent } from 'react'
import { useDrag } from '../../ui/gestures/drag.ts'
import { recall, remember } from '../../ui/remember.ts'

type PanelSize = { readonly size: number; readonly set: (size: number) => void; readonly least: number; readonly most: number }

export function usePanelSize(key: string, initial: number, least: number, most: number): PanelSize {
  const [size, setSize] = useState(() => {
    const stored = Number(recall(`panel.${key}`))
    return stored >= least && stored <= most ? stored : initial
  })
  const set = (next: number): void => {
    const bounded = Math.round(Math.max(least, Math.min(most, next)))
    setSize(bounded)
    remember(`panel.${key}`, String(bounded))
  }
  return { size, set, least, most }
}

/** `edge`: the side of the panel with the border; start and end in reading direction. */
export function Sash({ edge, panel, label }: { edge: 'start' | 'end' | 'top'; panel: PanelSize; label: string }) {
  const upright = edge !== 'top'
  const { handlers } = useDrag<HTMLDivElement>({
    move({ currentTarget, clientX, clientY }) {
      const box = currentTarget.parentElement?.getBoundingClientRect()
      if (!box) return
      const at = sideOf(edge, currentTarget)
      panel.set(at === 'right' ? clientX - box.left : at === 'left' ? box.right - clientX : box.bottom - clientY)
    },
  })
  const onKey = (event: KeyboardEvent): void => {
    const at = sideOf(edge, event.currentTarget)
    const grow = at === 'right' ? 'ArrowRight' : at === 'left' ? 'ArrowLeft' : 'ArrowUp'
    const shrink = at === 'right' ? 'ArrowLeft' : at === 'left' ? 'ArrowRight' : 'ArrowDown'
    if (event.key !== grow && event.key !== shrink) return
    event.preventDefault()
    panel.set(panel.size + (event.key === grow ? 16 : -16))
  }
  return (
    <div
      className="h-sash"
      data-edge={edge}
      role="separator"
      aria-orientation={upright ? 'vertical' : 'horizontal'}
      aria-label={label}
      aria-valuenow={panel.size}
      aria-valuemin={panel.least}
      aria-valuemax={panel.most}
      tabIndex={0}
      {...handlers}
      onKeyDown={onKey}
    />
  )
}

/** Where that is on the screen. */
function sideOf(edge: 'start' | 'end' | 'top', element: Element): 'left' | 'right' | 'top' {
  if (edge === 'top') return 'top'
  return (edge === 'end') === (getComputedStyle(element).direction === 'rtl') ? 'left' : 'right'
}
