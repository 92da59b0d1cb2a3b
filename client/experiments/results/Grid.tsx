// A table of any length: only the rows in sight are drawn, so that millions of them scroll without the page freezing.
import { useCallback, useEffect, useState, type KeyboardEvent } from 'react'

export type GridColumn = { id: string; label: string; isText: boolean; /** Pixels it has at least. */ width: number }
export type Sort = { column: string; down: boolean }

/** Pixels. */
const rowHeight = 28
/** Browsers lose precision in taller elements than that; beyond it the bar moves several rows a pixel. */
const tallest = 8_000_000

type Props = {
  label: string
  columns: readonly GridColumn[]
  count: number
  /** Null: not known yet. */
  cell: (row: number, column: number) => string | null
  sort: Sort | null
  onSort: (sort: Sort | null) => void
  /** Rows that are about to be drawn. */
  onRange?: (from: number, to: number) => void
  /** A row is opened by a double click, or by the button its first cell is then. */
  onOpen?: { label: string; open: (row: number) => void }
  isFailed?: (row: number) => boolean
}

export function Grid({ label, columns, count, cell, sort, onSort, onRange, onOpen, isFailed }: Props) {
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(480)
  const watch = useCallback((element: HTMLElement | null): (() => void) => {
    const observer = new ResizeObserver(([entry]) => setHeight(entry?.contentRect.height ?? 480))
    if (element) observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const full = count * rowHeight
  const scale = full > tallest ? (full - height) / (tallest - height) : 1
  const offset = top * scale
  const first = Math.min(count, Math.max(0, Math.floor(offset / rowHeight) - 4))
  const last = Math.min(count, first + Math.ceil(height / rowHeight) + 9)
  useEffect(() => onRange?.(first, last), [onRange, first, last])
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    const element = event.currentTarget
    if (event.key === 'Home') element.scrollTop = 0
    else if (event.key === 'End') element.scrollTop = element.scrollHeight
    else return
    event.preventDefault()
  }
  const template = columns.map(({ width }) => `minmax(${width}px, 1fr)`).join(' ')
  const least = columns.reduce((sum, { width }) => sum + width, 0)
  return (
    <div
      className="x-table"
      ref={watch}
      role="table"
      aria-label={label}
      aria-rowcount={count + 1}
      aria-colcount={columns.length}
      tabIndex={0}
      onKeyDown={press}
      onScroll={event => setTop(event.currentTarget.scrollTop)}
    >
      <div className="x-table-head" role="row" style={{ gridTemplateColumns: template, minWidth: least }}>
        {columns.map(one => (
          <span
            role="columnheader"
            data-text={one.isText || undefined}
            key={one.id}
            aria-sort={sort?.column === one.id ? (sort.down ? 'descending' : 'ascending') : 'none'}
            title={one.label}
          >
            <button
              type="button"
              onClick={() =>
                onSort(sort?.column !== one.id ? { column: one.id, down: false } : sort.down ? null : { column: one.id, down: true })
              }
            >
              <span>{one.label}</span>
              {sort?.column === one.id && <b aria-hidden="true">{sort.down ? '↓' : '↑'}</b>}
            </button>
          </span>
        ))}
      </div>
      <div role="rowgroup" style={{ height: Math.min(full, tallest), minWidth: least, position: 'relative' }}>
        {Array.from({ length: last - first }, (_, index) => first + index).map(row => (
          <div
            role="row"
            key={row}
            aria-rowindex={row + 2}
            className="x-table-row"
            data-failed={isFailed?.(row) || undefined}
            style={{ gridTemplateColumns: template, transform: `translateY(${row * rowHeight - offset + top}px)` }}
            onDoubleClick={() => onOpen?.open(row)}
          >
            {columns.map((one, k) => (
              <span role="cell" key={one.id} data-text={one.isText || undefined}>
                {onOpen && k === 0 ? (
                  <button type="button" title={onOpen.label} onClick={() => onOpen.open(row)}>
                    {cell(row, k) ?? '…'}
                  </button>
                ) : (
                  (cell(row, k) ?? '…')
                )}
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}
