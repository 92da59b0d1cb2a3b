// All runs as a table. Only the rows in sight are drawn, from typed columns: a million rows scroll, sort and filter without freezing the page.
import { Plural, useLingui } from '@lingui/react/macro'
import { InputNumber, Select } from 'antd'
import { useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { formatNumber } from '../../charts/format.ts'
import { useLocale } from '../../i18n/locale.ts'
import { arranged, type Column, type Filter } from './columns.ts'
import type { Shown } from './shown.ts'

/** Pixels. */
const rowHeight = 28
/** Browsers lose precision in taller elements than that; beyond it the bar moves several rows a pixel. */
const tallest = 8_000_000

/** Pixels a column has at least. */
const widthOf = ({ id, of }: Column): number =>
  of === 'run' ? (id === 'seed' ? 120 : id === 'replication' ? 108 : 76) : of === 'end' ? 96 : 116

export function Table({ shown, open }: { shown: Shown; open: (run: number) => void }) {
  const { t } = useLingui()
  const language = useLocale()
  const { results, columns, version } = shown
  const [sort, setSort] = useState<{ column: string; down: boolean } | null>(null)
  const [filter, setFilter] = useState<Filter | null>(null)
  const [column, setColumn] = useState<string | null>(null)
  const [top, setTop] = useState(0)
  const view = useRef<HTMLDivElement>(null)
  // `version` says that the results changed inside.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const rows = useMemo(() => arranged(results, columns, sort, filter), [results, columns, sort, filter, version])
  const height = view.current?.clientHeight ?? 480
  const full = rows.length * rowHeight
  const scale = full > tallest ? (full - height) / (tallest - height) : 1
  const offset = top * scale
  const first = Math.max(0, Math.floor(offset / rowHeight) - 4)
  const last = Math.min(rows.length, first + Math.ceil(height / rowHeight) + 9)
  const picked = columns.find(({ id }) => id === column)
  const text = (one: Column, run: number): string => {
    const value = one.at(run)
    if (one.id === 'end') return endWords[one.names?.[value] ?? ''] ?? ''
    if (one.names) return one.names[value] ?? ''
    return one.of === 'run' && one.id !== 'ticks' ? String(value) : formatNumber(value, language)
  }
  const endWords: Record<string, string> = { success: t`to its end`, terminated: t`terminated`, limited: t`step limit`, failed: t`failed` }
  const press = (event: KeyboardEvent): void => {
    const element = view.current
    if (!element) return
    if (event.key === 'Home') element.scrollTop = 0
    else if (event.key === 'End') element.scrollTop = element.scrollHeight
    else return
    event.preventDefault()
  }
  const template = columns.map(one => `minmax(${widthOf(one)}px, 1fr)`).join(' ')
  const least = columns.reduce((sum, one) => sum + widthOf(one), 0)
  return (
    <div className="x-table-pane">
      <div className="x-line x-table-tools">
        <Select
          size="small"
          allowClear
          aria-label={t`Filter by`}
          placeholder={t`Filter by`}
          value={column ?? undefined}
          onChange={next => {
            setColumn(next ?? null)
            setFilter(null)
          }}
          options={columns.map(({ id, label }) => ({ value: id, label }))}
          style={{ minWidth: 140 }}
        />
        {picked?.names && (
          <Select
            size="small"
            aria-label={t`Value`}
            style={{ minWidth: 120 }}
            value={filter?.value}
            onChange={value => setFilter({ column: picked.id, how: 'is', value })}
            options={picked.names.map((name, value) => ({ value, label: endWords[name] ?? name })).filter(({ label }) => label !== 'none')}
          />
        )}
        {picked && !picked.names && (
          <>
            <Select
              size="small"
              aria-label={t`Relation`}
              value={filter?.how ?? 'ge'}
              onChange={how => setFilter({ column: picked.id, value: filter?.value ?? 0, how })}
              options={[
                { value: 'ge' as const, label: '≥' },
                { value: 'le' as const, label: '≤' },
                { value: 'is' as const, label: '=' },
              ]}
            />
            <InputNumber
              size="small"
              aria-label={t`Value`}
              value={filter?.value ?? null}
              onChange={value => setFilter(value === null ? null : { column: picked.id, how: filter?.how ?? 'ge', value })}
            />
          </>
        )}
        <span className="h-muted h-num">
          <Plural value={rows.length} one="# row" other="# rows" />
        </span>
      </div>
      <div
        className="x-table"
        ref={view}
        role="table"
        aria-label={t`All runs`}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        tabIndex={0}
        onKeyDown={press}
        onScroll={event => setTop(event.currentTarget.scrollTop)}
      >
        <div className="x-table-head" role="row" style={{ gridTemplateColumns: template, minWidth: least }}>
          {columns.map(one => (
            <span
              role="columnheader"
              data-text={one.names !== null || undefined}
              key={one.id}
              aria-sort={sort?.column === one.id ? (sort.down ? 'descending' : 'ascending') : 'none'}
              title={one.label}
            >
              <button
                type="button"
                onClick={() =>
                  setSort(sort?.column !== one.id ? { column: one.id, down: false } : sort.down ? null : { column: one.id, down: true })
                }
              >
                <span>{one.label}</span>
                {sort?.column === one.id && <b aria-hidden="true">{sort.down ? '↓' : '↑'}</b>}
              </button>
            </span>
          ))}
        </div>
        <div role="rowgroup" style={{ height: Math.min(full, tallest), minWidth: least, position: 'relative' }}>
          {Array.from(rows.subarray(first, last), (run, index) => (
            <div
              role="row"
              key={run}
              aria-rowindex={first + index + 2}
              className="x-table-row"
              data-failed={results.endOf(run) === 'failed' || undefined}
              style={{ gridTemplateColumns: template, transform: `translateY(${(first + index) * rowHeight - offset + top}px)` }}
              onDoubleClick={() => open(run)}
            >
              {columns.map(one => (
                <span role="cell" key={one.id} data-text={one.names !== null || undefined}>
                  {text(one, run)}
                </span>
              ))}
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}
