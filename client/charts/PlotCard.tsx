// A chart of fields as a card: for dashboards, chart files and other pages with cards. Its drawing is loaded with the first one.
import { useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useCallback, useDeferredValue, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react'
import { plotOf, type Plot } from '../../model-schema/plot.ts'
import type { Element } from '../../model-schema/model.ts'
import { Card, CardHint } from '../run/Card.tsx'
import { download } from '../run/download.ts'
import { RunScope } from '../run/RunProvider.tsx'
import type { Run } from '../run/run.ts'
import { WorldView } from '../run/WorldView.tsx'
import { complain } from '../ui/toast.ts'
import { loadPart } from '../ui/loading/updates.ts'
import { directRoom, mostDirect, placeLabels } from './direct.ts'
import { DataTable } from './drawings.tsx'
import { csvOf, type Table } from './figures.ts'
import { useInk, type Ink } from './ink.ts'
import { NetworkChart } from './NetworkChart.tsx'
import { NothingYet } from './NothingYet.tsx'
import type { OptionOf } from './render/EChart.tsx'
import { tableBehind } from './shelf/behind.ts'
import { columnOf } from './shelf/columns.ts'
import { Figures } from './shelf/Figures.tsx'
import { legendOf, lineEnds, optionOf, type LineEnd } from './shelf/option.ts'
import { pictureOf, type Picture } from './shelf/picture.ts'
import { useData, type Given } from './shelf/useData.ts'
import { writtenAs, type Written } from './shelf/written.ts'
import './plots.css'
import { listNow } from '../i18n/list.ts'

/** Pixels at the right of lines that are there without names. */
const lineMargin = 16

const loadRenderer = () => loadPart(() => import('./render/EChart.tsx'))
const EChart = lazy(async () => ({ default: (await loadRenderer()).EChart }))

type PlotCardProps = {
  element: Element
  /** The run it shows outputs of; null while there is none. */
  run: Run | null
  /** The user with experiment results on this device it may show; null for a visitor. */
  user: string | null
  /** Changes what is kept of the card; absent where it can't be changed. */
  change?: ((field: 'view', value: string) => void) | undefined
}

export function PlotCard(props: PlotCardProps) {
  const { element, run } = props
  const plot = useMemo(() => plotOf(element), [element])
  if (plot.source === 'model' && run && (plot.type === 'world' || plot.type === 'network')) {
    const { name } = element.fields
    const View = plot.type === 'world' ? WorldView : NetworkChart
    return (
      <RunScope run={run}>
        <View
          element={{
            ...element,
            kind: plot.type === 'world' ? 'worldView' : 'networkChart',
            fields: { name: name ?? '', links: plot.type === 'world' ? true : [] },
          }}
        />
      </RunScope>
    )
  }
  return <FieldChart {...props} plot={plot} />
}

function FieldChart({ plot, run, user, change }: PlotCardProps & { plot: Plot }) {
  const { t, i18n } = useLingui()
  const ink = useInk()
  const given = useData(plot, run, user)
  const [asTable, setAsTable] = useState(false)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const { locale } = i18n
  const count = t`Count`
  const live = plot.source === 'model' && plot.over === 'history'
  const data = useDeferredValue(given.data)
  const picture = useMemo(() => pictureOf(plot, data, { live, words: { count } }), [plot, data, live, count])
  const written = useMemo(() => writtenAs(plot, locale), [plot, locale])
  const title = plot.name || titleOf(picture) || t`Chart`
  const drawn = useMemo(
    // If the title equals the axis label, the label is omitted.
    () => ({ picture: title === picture.y.label ? { ...picture, y: { label: '' } } : picture, plot, ink, written, hidden }),
    [picture, title, plot, ink, written, hidden],
  )
  const legend = useRef<HTMLUListElement>(null)
  const ends = useMemo(
    () => (plot.legend && picture.series.length > 1 && picture.series.length <= mostDirect ? lineEnds({ picture, hidden }) : null),
    [plot, picture, hidden],
  )
  const onEnds = useCallback((tops: readonly (number | null)[]) => placeLabels(legend.current, tops), [])
  const option = useCallback<OptionOf>(
    size => optionOf({ ...drawn, ...size, titled: null, room: ends ? Math.max(0, directRoom(legend.current) - lineMargin) : 0 }),
    [drawn, ends],
  )
  const isPlain = picture.type === 'table' || picture.type === 'value'
  const empty = given.state !== 'ready' || picture.rows === 0 || picture.panels.length === 0
  const table = () =>
    tableBehind(picture, {
      facet: t`Facet`,
      name: t`Name`,
      value: t`Value`,
      from: t`From`,
      to: t`To`,
      low: t`Low`,
      high: t`High`,
      median: t`Median`,
      mean: t`Mean`,
      count,
      series: t`Series`,
    })
  // Key columns are formatted as on an axis: years are not amounts.
  const keyHeads = new Set(
    [picture.x.label, ...[plot.dimension, plot.colorBy, plot.facetBy].map(field => columnOf(data, field)?.label ?? '')].filter(
      label => label !== '',
    ),
  )
  const save = async (as: 'png' | 'svg'): Promise<void> => {
    const { pngOf, svgOf } = await loadRenderer()
    const whole: OptionOf = size => optionOf({ ...drawn, ...size, titled: title })
    const made = as === 'svg' ? new Blob([svgOf(whole)], { type: 'image/svg+xml' }) : await pngOf(whole, ink.surface)
    if (made) download(made, `${title}.${as}`)
  }
  const menu = [
    {
      key: 'table',
      label: asTable ? t`Show as chart` : t`Show as table`,
      disabled: picture.type === 'table' || empty,
      onClick: () => setAsTable(!asTable),
    },
    ...(change
      ? [
          {
            key: 'view',
            label: plot.view === 'value' ? t`Show the chart` : t`Show values only`,
            onClick: () => change('view', plot.view === 'value' ? 'chart' : 'value'),
          },
        ]
      : []),
    { key: 'png', label: t`Download PNG`, disabled: empty || isPlain, onClick: () => void save('png').catch(complain) },
    { key: 'svg', label: t`Download SVG`, disabled: empty || isPlain, onClick: () => void save('svg').catch(complain) },
    {
      key: 'csv',
      label: t`Download CSV`,
      disabled: empty,
      onClick: () => download(new Blob([csvOf(table())], { type: 'text/csv' }), `${title}.csv`),
    },
  ]
  return (
    <Card title={title} menu={menu}>
      {empty ? (
        <Hint plot={plot} run={run} state={given.state} />
      ) : asTable || picture.type === 'table' ? (
        <DataTable table={newestFirst(spelled(table(), keyHeads, written))} caption={title} locale={locale} most={1000} />
      ) : picture.type === 'value' ? (
        <Figures picture={picture} written={written} ink={ink} />
      ) : (
        <>
          <Suspense fallback={<CardHint>{t`Loading…`}</CardHint>}>
            <EChart option={option} label={summary(title, picture)} took={given.took} ends={ends} onEnds={onEnds} />
          </Suspense>
          {plot.legend && (
            <Legend
              list={legend}
              ends={live ? ends : null}
              direct={ends !== null}
              picture={picture}
              written={written}
              ink={ink}
              hidden={hidden}
              setHidden={setHidden}
            />
          )}
          <Left picture={picture} live={plot.source === 'model'} />
        </>
      )}
    </Card>
  )
}

/** Numbers as the chart writes them. */
const spelled = ({ head, rows }: Table, keys: ReadonlySet<string>, written: Written): Table => ({
  head,
  rows: rows.map(row =>
    row.map((cell, column) =>
      typeof cell === 'number' ? (keys.has(head[column] ?? '') ? written.tick(cell) : written.value(cell)) : cell,
    ),
  ),
})

/** The table shows its last rows first, which is right for a course; other rows come in their own order. */
const newestFirst = <T,>(table: { head: readonly string[]; rows: readonly T[] }) => ({ ...table, rows: table.rows.toReversed() })

function titleOf({ type, series, x, y }: Picture): string {
  const some = (labels: readonly string[]): string => listNow([...new Set(labels)].filter(label => label !== '').slice(0, 4))
  if (type === 'parallel' && x.is === 'name') return some(x.names)
  const named = some(series.map(({ label }) => label))
  return type === 'heat' ? named || y.label : y.label || named
}

const summary = (title: string, { series, panels }: Picture): string =>
  [
    title,
    listNow(
      series
        .map(({ label }) => label)
        .filter(label => label !== '' && label !== title)
        .slice(0, 12),
    ),
    listNow(panels.map(panel => panel.title).filter(Boolean)),
  ]
    .filter(part => part !== '')
    .join('. ')

function Hint({ plot, run, state }: { plot: Plot; run: Run | null | undefined; state: Given['state'] }): ReactNode {
  const { t } = useLingui()
  const nothing = plot.dimension === '' && plot.metrics.length === 0 && plot.colorBy === ''
  if (state === 'no-source') return <CardHint>{plot.source === 'table' ? t`Paste or import a table.` : t`Choose an experiment.`}</CardHint>
  if (state === 'no-results') return <CardHint>{t`This experiment has no results on this device. Run it here first.`}</CardHint>
  if (state === 'unreadable') return <CardHint>{t`These results can’t be read: they may be of another version.`}</CardHint>
  if (plot.source === 'model' && nothing) return <CardHint>{t`Put a field on a shelf to see a chart.`}</CardHint>
  if (state === 'no-run') return <CardHint>{t`Choose the model this card is about.`}</CardHint>
  if (plot.source !== 'model' && state === 'waiting') return null
  if (plot.source !== 'model' || !run) return <CardHint>{t`Nothing to show: no row passes the filters.`}</CardHint>
  return (
    <RunScope run={run}>
      <NothingYet />
    </RunScope>
  )
}

type LegendProps = {
  list: RefObject<HTMLUListElement | null>
  /** Names are drawn at the ends of their lines, if the card has room. */
  direct: boolean
  /** Values that are written after the names. */
  ends: readonly (LineEnd | null)[] | null
  picture: Picture
  written: Written
  ink: Ink
  hidden: ReadonlySet<string>
  setHidden(next: ReadonlySet<string>): void
}

function Legend({ list, direct, ends, picture, written, ink, hidden, setHidden }: LegendProps) {
  const { t } = useLingui()
  const labels = legendOf({ picture })
  if (labels.length < 2) return null
  const toggle = (label: string): void => {
    const next = new Set(hidden)
    if (!next.delete(label)) next.add(label)
    setHidden(next)
  }
  return (
    <ul
      ref={list}
      className="h-legend"
      data-direct={direct || undefined}
      aria-label={t`Legend`}
      onPointerDown={event => event.stopPropagation()}
    >
      {labels.map((label, at) => {
        const series = picture.series.find(one => one.label === label)
        const end = ends?.[at]
        return (
          <li key={label}>
            <button
              type="button"
              aria-pressed={!hidden.has(label)}
              style={{ ['--series' as string]: ink.series(series?.place ?? 0, series?.color ?? '') }}
              onClick={() => toggle(label)}
            >
              <i />
              <span title={label}>{label}</span>
              {end && <output>{written.value(end.value)}</output>}
            </button>
          </li>
        )
      })}
    </ul>
  )
}

/** What was too much to be shown, and what is not there. */
function Left({ picture: { left, missing }, live }: { picture: Picture; live: boolean }) {
  const { t } = useLingui()
  const notes = [
    // A run that does not have a formula yet is about to.
    ...(missing.length > 0 && !live ? [t`Not there any more: ${listNow(missing)}`] : []),
    ...(left.facets > 0 ? [t`${left.facets} small charts are left out`] : []),
    ...(left.colors > 0 ? [t`${left.colors} colours are left out`] : []),
  ]
  return notes.length === 0 ? null : <p className="p-left">{notes.join(' · ')}</p>
}
