// Data tables: results combined with other data. A main table, related ones joined to it, the fields that are shown; the joins are stored
// in the document, imported files stay on this device.
import { DownloadOutlined, PlusOutlined, UploadOutlined } from '@ant-design/icons'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Alert, Button, Dropdown, Input, Select } from 'antd'
import { useRef, useState } from 'react'
import { place, remove, setField, together } from '../../../model-schema/edit.ts'
import { dataTablesOf, type DataTable } from '../../../model-schema/experiment.ts'
import { fieldOf, kindOf } from '../../../model-schema/kinds.ts'
import type { Json } from '../../../model-schema/kinds/kind.ts'
import { formatNumber } from '../../charts/format.ts'
import { useLocale, useWords } from '../../i18n/locale.ts'
import { download } from '../../run/download.ts'
import { complain, confirmed, warn } from '../../ui/toast.ts'
import { useMoment } from '../moment.ts'
import { Remove } from '../plan/Remove.tsx'
import { tell, useConducting, useExperiment } from '../scope.ts'
import { TableError } from '../tables/table.ts'
import type { Filter } from '../tables/view.ts'
import { Grid, type Sort } from './Grid.tsx'
import type { Shown } from './shown.ts'
import { useTables, type Viewed } from './useTables.ts'
import { unreachable } from '../../../model-schema/unreachable.ts'

type Option = { value: string; label: string }

export function DataTables({ shown, name }: { shown: Shown | null; name: string }) {
  const { t } = useLingui()
  const language = useLocale()
  const { file, root, session, writable } = useExperiment()
  const tables = dataTablesOf(file)
  const [picked, setPicked] = useState('')
  const [sort, setSort] = useState<Sort | null>(null)
  const [filter, setFilter] = useState<Filter | null>(null)
  const [open, setOpen] = useState(true)
  const input = useRef<HTMLInputElement>(null)
  const table = tables.find(({ id }) => id === picked) ?? tables[0] ?? null
  const viewed = useTables(shown, table, sort, filter)
  const { shape, fault } = viewed
  const faultWords = useFaultWords()
  const make = (main = shown ? 'runs' : ''): void => {
    const made = place(session.doc, {
      kind: 'dataTable',
      parent: root.id,
      at: [0, 0],
      values: { name: t`Data table ${tables.length + 1}`, main },
    })
    if (tell(made) && typeof made === 'string') setPicked(made)
    setOpen(true)
  }
  const bring = async (chosen: FileList | null): Promise<void> => {
    const [first] = chosen ?? []
    if (!first) return
    try {
      await viewed.bring(first)
      if (table === null && writable) make(`file:${first.name}`)
    } catch (error) {
      if (error instanceof TableError) warn(faultWords(error))
      else throw error
    }
  }
  const brought = (
    <>
      <Button size="small" icon={<UploadOutlined aria-hidden />} onClick={() => input.current?.click()}>
        <Trans>Import CSV or Parquet</Trans>
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.tsv,.txt,.parquet,.pq"
        aria-label={t`Import CSV or Parquet`}
        data-testid="import-table"
        onChange={event => {
          const { files } = event.currentTarget
          void bring(files).catch(complain)
          event.currentTarget.value = ''
        }}
      />
    </>
  )
  if (table === null)
    return (
      <div className="x-pane">
        <p>{t`Join the runs to other tables: points, earlier results, or what was measured elsewhere, from CSV and Parquet files.`}</p>
        <div className="x-line">
          {writable && (
            <Button size="small" type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => make()}>
              <Trans>New data table</Trans>
            </Button>
          )}
          {brought}
        </div>
      </div>
    )
  const columns = shape?.fields.map(field => ({ id: field.name, label: field.name, isText: field.isText, width: 116 })) ?? []
  const text = (row: number, k: number): string | null => {
    const value = viewed.cell(row, k)
    if (value === undefined) return null
    if (value === null) return ''
    if (typeof value === 'string') return value
    // Seeds and the like are names rather than amounts.
    return Number.isInteger(value) && Math.abs(value) >= 1e6 ? String(value) : formatNumber(value, language)
  }
  return (
    <div className="x-table-pane">
      <div className="x-line x-table-tools">
        <Select
          size="small"
          aria-label={t`Data table`}
          value={table.id}
          onChange={id => {
            setPicked(id)
            setSort(null)
            setFilter(null)
          }}
          options={tables.map(one => ({ value: one.id, label: one.name === '' ? t`Data table` : one.name }))}
          style={{ minWidth: 160 }}
        />
        {writable && (
          <Button
            size="small"
            icon={<PlusOutlined aria-hidden />}
            aria-label={t`New data table`}
            title={t`New data table`}
            onClick={() => make()}
          />
        )}
        {brought}
        <Dropdown
          trigger={['click']}
          disabled={shape === null}
          menu={{
            items: (['csv', 'parquet'] as const).map(format => ({
              key: format,
              label: format === 'csv' ? t`As CSV` : t`As Parquet`,
              onClick: () => void viewed.write(format).then(blob => download(blob, `${name} ${table.name}.${format}`), complain),
            })),
          }}
        >
          <Button size="small" icon={<DownloadOutlined aria-hidden />} data-testid="export-table">
            <Trans>Export</Trans>
          </Button>
        </Dropdown>
        <Filtered viewed={viewed} filter={filter} setFilter={setFilter} />
        <span className="h-muted h-num">{shape && <Plural value={shape.rows} one="# row" other="# rows" />}</span>
      </div>
      <details className="x-joins" open={open} onToggle={event => setOpen(event.currentTarget.open)}>
        <summary>
          <Trans>What is joined</Trans>
        </summary>
        <Definition key={table.id} table={table} viewed={viewed} hasRuns={shown !== null} />
      </details>
      {fault !== null && <Alert type="warning" showIcon title={faultWords(fault)} />}
      {shape && (
        <Grid
          label={table.name === '' ? t`Data table` : table.name}
          columns={columns}
          count={shape.rows}
          cell={text}
          sort={sort}
          onSort={setSort}
          onRange={viewed.want}
        />
      )}
    </div>
  )
}

function Filtered({ viewed, filter, setFilter }: { viewed: Viewed; filter: Filter | null; setFilter: (filter: Filter | null) => void }) {
  const { t } = useLingui()
  const fields = viewed.shape?.all ?? []
  const field = fields.find(({ name }) => name === filter?.field)
  return (
    <>
      <Select
        size="small"
        allowClear
        showSearch
        aria-label={t`Filter by`}
        placeholder={t`Filter by`}
        value={filter?.field ?? undefined}
        onChange={(next?: string) => {
          const isText = fields.find(({ name }) => name === next)?.isText ?? false
          setFilter(next === undefined ? null : { field: next, how: isText ? 'has' : 'ge', value: '' })
        }}
        options={fields.map(({ name }) => ({ value: name, label: name }))}
        style={{ minWidth: 130 }}
      />
      {filter && (
        <>
          <Select
            size="small"
            aria-label={t`Relation`}
            value={filter.how}
            onChange={how => setFilter({ ...filter, how })}
            options={[
              ...(field?.isText ? [{ value: 'has' as const, label: t`contains` }] : []),
              { value: 'ge' as const, label: '≥' },
              { value: 'le' as const, label: '≤' },
              { value: 'is' as const, label: '=' },
            ]}
            style={{ minWidth: 64 }}
          />
          <Input
            size="small"
            aria-label={t`Value`}
            style={{ inlineSize: 120 }}
            defaultValue={filter.value}
            onPressEnter={event => setFilter({ ...filter, value: event.currentTarget.value })}
            onBlur={event => setFilter({ ...filter, value: event.currentTarget.value })}
          />
        </>
      )}
    </>
  )
}

function Definition({ table, viewed, hasRuns }: { table: DataTable; viewed: Viewed; hasRuns: boolean }) {
  const { t } = useLingui()
  const moment = useMoment()
  const words = useWords()
  const { session, writable } = useExperiment()
  const history = useConducting(state => state.history)
  const kind = kindOf('dataTable')
  const labelOf = (id: string): string => {
    const field = kind && fieldOf(kind, id)
    return field ? words(field.label) : id
  }
  const joins = kind && fieldOf(kind, 'joins')
  const columns = joins?.type.as === 'rows' ? joins.type.columns : []
  const hows = columns.find(({ id }) => id === 'how')
  const columnLabel = (id: string): string => {
    const column = columns.find(one => one.id === id)
    return column ? words(column.label) : id
  }
  const sources: Option[] = [
    ...(hasRuns
      ? [
          { value: 'runs', label: t`All runs` },
          { value: 'points', label: t`Points, with means` },
        ]
      : []),
    ...viewed.files.map(({ name }) => ({ value: `file:${name}`, label: name })),
    ...history.map(({ id, startedAt }) => ({ value: `history:${id}`, label: t`Runs begun ${moment(startedAt)}` })),
  ]
  const put = (field: string, value: Json): void => void tell(setField(session.doc, table.id, field, value))
  const change = (index: number, patch: Partial<DataTable['joins'][number]>): void =>
    put(
      'joins',
      table.joins.map((one, i) => ({ ...one, ...(i === index ? patch : {}) })),
    )
  const choice = (label: string, value: string, options: readonly Option[], onChange: (value: string) => void) => (
    <label className="x-pick">
      <span>{label}</span>
      <Select
        size="small"
        showSearch
        aria-label={label}
        {...(value === '' ? {} : { value })}
        disabled={!writable}
        onChange={onChange}
        // What is written stays in sight, though it may not be there.
        options={value === '' || options.some(one => one.value === value) ? [...options] : [...options, { value, label: value }]}
        popupMatchSelectWidth={false}
        style={{ minWidth: 120 }}
      />
    </label>
  )
  const named = (names: readonly string[]): Option[] => names.map(name => ({ value: name, label: name }))
  return (
    <div className="x-joins-inside">
      <div className="x-line">
        <label className="x-pick">
          <span>{labelOf('name')}</span>
          <Input
            size="small"
            key={table.name}
            defaultValue={table.name}
            disabled={!writable}
            aria-label={labelOf('name')}
            onBlur={event => event.currentTarget.value !== table.name && put('name', event.currentTarget.value)}
            onPressEnter={event => event.currentTarget.blur()}
          />
        </label>
        {choice(labelOf('main'), table.main, sources, main => put('main', main))}
      </div>
      {table.joins.map((one, index) => (
        // A join has no identity of its own: its place is its key.
        // eslint-disable-next-line react/no-array-index-key
        <div className="x-line" key={index} role="group" aria-label={t`Related table ${index + 1}`}>
          {choice(
            columnLabel('how'),
            one.how,
            hows?.type.as === 'choice' ? Object.entries(hows.type.options).map(([value, label]) => ({ value, label: words(label) })) : [],
            how => change(index, { how: (['inner', 'left', 'right', 'full'] as const).find(known => known === how) ?? 'left' }),
          )}
          {choice(columnLabel('table'), one.table, sources, next => change(index, { table: next, relatedField: '' }))}
          {choice(columnLabel('mainField'), one.mainField, named(viewed.fieldsBefore(index)), mainField => change(index, { mainField }))}
          {choice(columnLabel('relatedField'), one.relatedField, named(viewed.fieldsOf(one.table)), relatedField =>
            change(index, { relatedField }),
          )}
          {writable && (
            <Remove
              label={t`Remove`}
              remove={() =>
                put(
                  'joins',
                  table.joins.filter((_, i) => i !== index).map(left => ({ ...left })),
                )
              }
            />
          )}
        </div>
      ))}
      <div className="x-line">
        <label className="x-pick">
          <span>{labelOf('fields')}</span>
          <Select
            size="small"
            mode="multiple"
            aria-label={labelOf('fields')}
            placeholder={t`All fields`}
            value={[...table.fields]}
            disabled={!writable}
            maxTagCount={6}
            onChange={(fields: string[]) =>
              put(
                'fields',
                fields.map(field => ({ field })),
              )
            }
            options={named(viewed.shape?.all.map(({ name }) => name) ?? [])}
            style={{ minWidth: 220 }}
          />
        </label>
        {writable && (
          <>
            <Button
              size="small"
              type="dashed"
              icon={<PlusOutlined aria-hidden />}
              onClick={() =>
                put('joins', [...table.joins.map(one => ({ ...one })), { how: 'left', table: '', mainField: '', relatedField: '' }])
              }
            >
              <Trans>Join a table</Trans>
            </Button>
            <Button size="small" type="text" onClick={() => tell(together(session.doc, () => remove(session.doc, [table.id])))}>
              <Trans>Remove this data table</Trans>
            </Button>
          </>
        )}
      </div>
      {viewed.files.length > 0 && <Files viewed={viewed} />}
    </div>
  )
}

function Files({ viewed }: { viewed: Viewed }) {
  const { t } = useLingui()
  const forget = async (name: string): Promise<void> => {
    const sure = await confirmed({
      title: t`Delete the table ${name} from this device?`,
      content: t`Data tables that join it show nothing until the file is imported again.`,
      ok: t`Delete`,
      cancel: t`Cancel`,
    })
    if (sure) await viewed.forget(name)
  }
  return (
    <ul className="x-files" aria-label={t`Imported tables, on this device`}>
      {viewed.files.map(({ name }) => (
        <li key={name}>
          <bdi>{name}</bdi>
          <Remove label={t`Delete ${name}`} remove={() => void forget(name).catch(complain)} />
        </li>
      ))}
    </ul>
  )
}

function useFaultWords(): (fault: unknown) => string {
  const { t } = useLingui()
  return fault => {
    if (!(fault instanceof TableError)) return fault instanceof Error ? fault.message : String(fault)
    const about = fault.about.replace(/^(file|history):/, '')
    switch (fault.fault) {
      case 'unreadable':
        return t`The file cannot be read as a table. ${about}`
      case 'too-large':
        return t`The table is too large.`
      case 'no-table':
        return about === 'runs' || about === 'points'
          ? t`Nothing was run yet: there are no runs to join.`
          : t`The table ${about} is not on this device. Import it again, or choose another one.`
      case 'no-field':
        return t`There is no field ${about}.`
      default:
        return unreachable(fault.fault)
    }
  }
}
