// Lists of any length in an element that scrolls: only the rows in sight are drawn, so that millions of them scroll without the page freezing.
import { useCallback, useRef, useState, type UIEvent } from 'react'

/** Browsers lose precision in elements taller than that, in pixels; beyond it the bar moves several rows a pixel. */
const maxHeight = 8_000_000

type VisibleRows = {
  /** The rows to draw, from `first` up to but without `last`. */
  readonly first: number
  readonly last: number
  /** Rows to request from `first` while their number is unknown. */
  readonly room: number
  /** Pixels that all rows take together, as the bar shows them. */
  readonly height: number
  /** Where a row begins, in pixels from the top of all. */
  topOf(row: number): number
}

/** What is in sight of `count` rows, with `spare` more above and below, for a list scrolled by `top` pixels and `height` pixels high. */
export function visibleRows(count: number, rowHeight: number, spare: number, top: number, height: number): VisibleRows {
  const full = count * rowHeight
  const scale = full > maxHeight ? (full - height) / (maxHeight - height) : 1
  const offset = top * scale
  const first = Math.min(count, Math.max(0, Math.floor(offset / rowHeight) - spare))
  return {
    first,
    last: Math.min(count, Math.ceil((offset + height) / rowHeight) + spare),
    room: Math.ceil(height / rowHeight) + 2 * spare,
    height: Math.min(full, maxHeight),
    topOf: row => row * rowHeight - offset + top,
  }
}

/** Pixels taken for the height of the list until it is measured. */
const initialHeight = 480

type RowsInput = { readonly count: number; readonly rowHeight: number; readonly spare: number }

/** The rows in sight of an element that bears `ref` and `onScroll`. */
export function useVisibleRows<E extends HTMLElement>({ count, rowHeight, spare }: RowsInput) {
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(initialHeight)
  const element = useRef<E>(null)
  const ref = useCallback((node: E | null): (() => void) => {
    element.current = node
    const observer = new ResizeObserver(() => node && setHeight(node.clientHeight))
    if (node) observer.observe(node)
    return () => observer.disconnect()
  }, [])
  const scrollTo = useCallback((end: 'start' | 'end'): void => {
    const { current } = element
    if (current) current.scrollTop = end === 'start' ? 0 : current.scrollHeight
  }, [])
  const onScroll = useCallback((event: UIEvent<E>): void => setTop(event.currentTarget.scrollTop), [])
  return { ...visibleRows(count, rowHeight, spare, top, height), ref, onScroll, scrollTo }
}
