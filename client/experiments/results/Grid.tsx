// A table of any length, of which only the rows in sight are drawn.
import { useEffect, type KeyboardEvent } from 'react'
import { useVisibleRows } from '../../ui/gestures/visible-rows.ts'

type GridColumn = { id: string; label: string; isText: boolean; /** Pixels it has at least. */ width: number }
export type Sort = { column: string; down: boolean }

/** Pixels. */
const rowHeight = 28
/** Rows drawn above and below the visible ones. */
const spareRows = 4

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
  const { first, last, height, topOf, ref, onScroll } = useVisibleRows<HTMLDivElement>({ count, rowHeight, spare: spareRows })
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
      ref={ref}
      role="table"
      aria-label={label}
      aria-rowcount={count + 1}
      aria-colcount={columns.length}
      tabIndex={0}
      onKeyDown={press}
      onScroll={onScroll}
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
      <div role="rowgroup" style={{ height, minWidth: least, position: 'relative' }}>
        {Array.from({ length: last - first }, (_, index) => first + index).map(row => (
          <div
            role="row"
            key={row}
            aria-rowindex={row + 2}
            className="x-table-row"
            data-failed={isFailed?.(row) || undefined}
            style={{ gridTemplateColumns: template, transform: `translateY(${topOf(row)}px)` }}
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
