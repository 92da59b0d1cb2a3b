// All runs as a table, from typed columns: a million rows scroll, sort and filter without freezing the page.
import { Plural, useLingui } from '@lingui/react/macro'
import { InputNumber, Select } from 'antd'
import { useMemo, useState } from 'react'
import { formatNumber } from '../../charts/format.ts'
import { useLocale, useWords } from '../../i18n/locale.ts'
import { endWords } from '../../run/endWords.ts'
import { arranged, type ResultColumn, type ResultFilter } from './columns.ts'
import { Grid, type Sort } from './Grid.tsx'
import type { Shown } from './shown.ts'
import { defined } from '../../ui/defined.ts'

/** Pixels a column has at least. */
const widthOf = ({ id, of }: ResultColumn): number =>
  of === 'run' ? (id === 'seed' ? 120 : id === 'replication' ? 108 : 76) : of === 'end' ? 96 : 116

type Props = {
  shown: Shown
  open: (run: number) => void
  /** What opening a row does, in words. */
  openLabel: string
}

export function Table({ shown, open, openLabel }: Props) {
  const { t } = useLingui()
  const words = useWords()
  const language = useLocale()
  const { results, columns, version } = shown
  const [sort, setSort] = useState<Sort | null>(null)
  const [filter, setFilter] = useState<ResultFilter | null>(null)
  const [column, setColumn] = useState<string | null>(null)
  // `version` says that the results changed inside.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const rows = useMemo(() => arranged(results, columns, sort, filter), [results, columns, sort, filter, version])
  const picked = columns.find(({ id }) => id === column)
  const text = (one: ResultColumn, run: number): string => {
    const value = one.at(run)
    if (one.id === 'end') return words(endWords(one.names?.[value] ?? ''))
    if (one.names) return one.names[value] ?? ''
    return one.of === 'run' && one.id !== 'ticks' ? String(value) : formatNumber(value, language)
  }
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
            {...defined({ value: filter?.value })}
            onChange={(value: number) => setFilter({ column: picked.id, how: 'is', value })}
            options={picked.names
              .map((name, value) => ({ value, label: picked.id === 'end' ? words(endWords(name)) : name, isNone: name === 'none' }))
              .filter(({ isNone }) => !isNone)}
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
      <Grid
        label={t`All runs`}
        columns={columns.map(one => ({ id: one.id, label: one.label, isText: one.names !== null, width: widthOf(one) }))}
        count={rows.length}
        cell={(row, k) => text(columns[k]!, rows[row]!)}
        sort={sort}
        onSort={setSort}
        onOpen={{ label: openLabel, open: row => open(rows[row]!) }}
        isFailed={row => results.endOf(rows[row]!) === 'failed'}
      />
    </div>
  )
}
