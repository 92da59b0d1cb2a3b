// The source of a chart's fields: the model that is run, an experiment of this user, or a table in the document.
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Select } from 'antd'
import { useLiveQuery } from 'dexie-react-hooks'
import { useState, type ReactNode } from 'react'
import type { Plot } from '../../../model-schema/plot.ts'
import { device } from '../../local/device.ts'
import { csvOf } from '../figures.ts'
import { formatNumber } from '../format.ts'
import { textAt, type Data } from '../shelf/columns.ts'
import { importTable } from '../shelf/csv.ts'
import { ImportTable } from './ImportTable.tsx'
import { emptied } from './moves.ts'
import { usePlot } from './scope.ts'
import { useSourceNames } from './names.ts'

type Props = {
  /** How the model is chosen, where there is a run to choose it for. */
  model: ReactNode
  /** What the source has given. */
  data: Data
  /** Another source was chosen. */
  chosen(source: Plot['source']): void
}

export function Source({ model, data, chosen }: Props) {
  const { t } = useLingui()
  const { plot, change, disabled } = usePlot()
  const names = useSourceNames()
  const [importing, setImporting] = useState(false)
  const rows = plot.lines.length - 1
  const keep = (): void => {
    const { lines } = importTable(csvOf({ head: data.columns.map(({ label }) => label), rows: rowsOf(data) }))
    // Columns are called by their labels from now on.
    const named = (id: string): string => data.columns.find(column => column.id === id)?.label ?? id
    change({
      source: 'table',
      table: lines.map(line => ({ line })),
      dimension: named(plot.dimension),
      colorBy: named(plot.colorBy),
      facetBy: named(plot.facetBy),
      metrics: plot.metrics.map(metric => ({ ...metric, field: named(metric.field) })),
      filters: plot.filters.map(filter => ({ ...filter, field: named(filter.field) })),
    })
  }
  return (
    <section className="p-source" aria-label={t`Data`}>
      <Select
        className="h-wide"
        aria-label={t`Data`}
        disabled={disabled}
        value={plot.source}
        options={(['model', 'experiment', 'table'] as const).map(value => ({ value, label: names[value] }))}
        onChange={source => {
          if (source === plot.source) return
          change(emptied(source))
          chosen(source)
          if (source === 'table' && plot.lines.length === 0) setImporting(true)
        }}
      />
      {plot.source === 'model' && model}
      {plot.source === 'experiment' && (
        <>
          <ExperimentPicker />
          {data.rows > 0 && (
            <Button size="small" block disabled={disabled} onClick={keep} title={t`So that others, and embedded pages, see it as well.`}>
              <Trans>Keep a copy in this file</Trans>
            </Button>
          )}
        </>
      )}
      {plot.source === 'table' && (
        <>
          <Button size="small" block disabled={disabled} onClick={() => setImporting(true)}>
            {rows > 0 ? <Trans>Replace the table</Trans> : <Trans>Paste or import</Trans>}
          </Button>
          {rows > 0 && (
            <p className="h-muted">
              <Trans>{rows} rows, kept in this file</Trans>
            </p>
          )}
          <ImportTable
            open={importing}
            close={() => setImporting(false)}
            take={lines => change({ table: lines.map(line => ({ line })) })}
          />
        </>
      )}
    </section>
  )
}

const rowsOf = (data: Data): (string | number | null)[][] =>
  Array.from({ length: data.rows }, (_, row) =>
    data.columns.map(column => {
      if (column.is === 'name') return textAt(column, row)
      const value = column.values[row] ?? NaN
      return Number.isNaN(value) ? null : value
    }),
  )

function ExperimentPicker() {
  const { t, i18n } = useLingui()
  const when = (at: string): string => new Date(at).toLocaleString(i18n.locale, { dateStyle: 'medium', timeStyle: 'short' })
  const { session, plot, change, disabled } = usePlot()
  const user = session.target.user.id
  const experiments = useLiveQuery(async () => {
    const files = await device.files.where('user').equals(user).toArray()
    return files
      .filter(({ kind, trashedAt }) => kind === 'experiment' && trashedAt === null)
      .toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
  }, [user])
  const known = experiments?.some(({ id }) => id === plot.experimentFile) ?? false
  const entries = useLiveQuery(
    async () => (plot.experimentFile === '' ? [] : (await import('../../experiments/history.ts')).entriesOf(user, plot.experimentFile)),
    [user, plot.experimentFile],
  )
  return (
    <>
      <Select
        className="h-wide"
        aria-label={t`Experiment`}
        showSearch={{ optionFilterProp: 'label' }}
        disabled={disabled}
        loading={experiments === undefined}
        {...(plot.experimentFile === '' ? {} : { value: known ? plot.experimentFile : t`An experiment that is not in your files` })}
        placeholder={t`Choose an experiment`}
        notFoundContent={t`There are no experiments yet. Make one first.`}
        options={(experiments ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(experimentFile: string) => change({ experimentFile, experimentEntry: '' })}
      />
      {(entries?.length ?? 0) > 1 && (
        <Select
          className="h-wide"
          aria-label={t`Entry`}
          disabled={disabled}
          value={plot.experimentEntry}
          options={[
            { value: '', label: t`The latest entry` },
            ...(entries ?? []).map(({ id, startedAt, runs }) => ({
              value: id,
              label: t`${when(startedAt)}, ${formatNumber(runs, i18n.locale)} runs`,
            })),
          ]}
          onChange={experimentEntry => change({ experimentEntry })}
        />
      )}
    </>
  )
}
