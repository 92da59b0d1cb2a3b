// A chart element, live: picks the drawing for its type, with legend, table view and downloads.
import { useLingui } from '@lingui/react/macro'
import { Button } from 'antd'
import { lazy, Suspense, use, useCallback, useEffect, useMemo, useRef, useState, type Ref } from 'react'
import type { Element, Id } from '../../model-schema/model.ts'
import type { Plain } from '../../sim-engine/messages.ts'
import { EditorContext } from '../editor/useEditor.ts'
import { seriesMeasures } from '../panels/measures/place.ts'
import { Card, CardHint } from '../run/Card.tsx'
import { download } from '../run/download.ts'
import { cellText, numberField, rowsField, textField } from '../run/fields.ts'
import { useRun, useRunView, useSeldom } from '../run/RunProvider.tsx'
import { overlaid, useForkSeries } from '../run/beside.ts'
import type { SeriesBuffer } from '../run/series.ts'
import { fontFamily, theme, usePalette } from '../ui/theme.ts'
import { loadPart } from '../ui/loading/updates.ts'
import { useStore } from 'zustand'
import { seriesColor, seriesDash } from './colors.ts'
import { directRoom, mostDirect, placeLabels } from './direct.ts'
import { DataTable, Values, type Mark } from './drawings.tsx'
import { barsOf, binsOf, csvOf, latestOf, rowsOf, tableOf } from './figures.ts'
import { formatNumber, formatReadout } from './format.ts'
import { useInk } from './ink.ts'
import { boxPicture, heatPicture, piePicture, type LivePicture } from './live-picture.ts'
import { NetworkChart } from './NetworkChart.tsx'
import { NothingYet } from './NothingYet.tsx'
import type { OptionOf } from './render/EChart.tsx'
import { optionOf } from './shelf/option.ts'
import { writtenAs } from './shelf/written.ts'
import { thinned } from './thin.ts'
import { barsTold, told } from './told.ts'
import { Plot, type PlotConfig, type PlotData } from './plot.ts'

type PlotKind = PlotConfig['kind']

const plotKinds: Readonly<Record<string, PlotKind>> = { line: 'line', area: 'area', scatter: 'scatter', bar: 'bars', histogram: 'bars' }

/** Any chart kind of the metamodel. */
export function ChartCard({ element }: { element: Element }) {
  return element.kind === 'networkChart' ? <NetworkChart element={element} /> : <SeriesChart element={element} />
}

function SeriesChart({ element }: { element: Element }) {
  const { t, i18n } = useLingui()
  const buffer = useRunView(view => view.series.get(element.id))
  const described = useRunView(view => view.loaded?.charts.find(chart => chart.id === element.id))
  // Buffers fill in place: recomputed with every change of the run.
  const empty = useRunView(view => isEmpty(view.series.get(element.id)))
  const dark = useStore(theme, state => state.dark)
  const [asTable, setAsTable] = useState(false)
  const plot = useRef<Plot | null>(null)

  const rows = rowsField(element, 'series')
  const marks: Mark[] = rows.map((row, i) => {
    const own = cellText(row, 'color') || described?.series[i]?.color
    return {
      label: cellText(row, 'label') || described?.series[i]?.label || cellText(row, 'value'),
      color: seriesColor(i, own, dark),
      dash: seriesDash(i, own),
    }
  })
  const title = textField(element, 'name') || t`Chart`
  const xLabel = textField(element, 'xLabel') || t`tick`
  const type = textField(element, 'type') || 'line'
  const labels = marks.map(mark => mark.label)

  const table = () => (buffer ? tableOf(buffer, labels, xLabel) : { head: [], rows: [] })
  const savePng = async () => {
    const picture = await plot.current?.png()
    if (picture) download(picture, `${title}.png`)
  }
  const menu = [
    { key: 'table', label: asTable ? t`Show as chart` : t`Show as table`, disabled: type === 'table', onClick: () => setAsTable(!asTable) },
    { key: 'png', label: t`Download PNG`, disabled: empty || asTable || !plotKinds[type], onClick: () => void savePng() },
    {
      key: 'csv',
      label: t`Download CSV`,
      disabled: empty,
      onClick: () => download(new Blob([csvOf(table())], { type: 'text/csv' }), `${title}.csv`),
    },
  ]

  return (
    <Card title={title} menu={menu}>
      {marks.length === 0 ? (
        <NothingChosen id={element.id} />
      ) : empty || !buffer ? (
        <NothingYet />
      ) : asTable || type === 'table' ? (
        <LiveTable buffer={buffer} labels={labels} x={xLabel} caption={title} />
      ) : plotKinds[type] ? (
        <LivePlot
          key={`${type}/${labels.join('/')}`}
          element={element}
          title={title}
          kind={plotKinds[type]}
          buffer={buffer}
          marks={marks}
          hold={made => (plot.current = made)}
        />
      ) : (
        <LiveDrawing title={title} type={type} buffer={buffer} marks={marks} locale={i18n.locale} />
      )}
    </Card>
  )
}

/** A chart without series: in an editor, a button that opens the available measures. */
function NothingChosen({ id }: { id: Id }) {
  const { t } = useLingui()
  const editor = use(EditorContext)?.editor
  if (!editor?.writable) return <CardHint>{t`This chart shows nothing yet.`}</CardHint>
  return (
    <CardHint
      action={
        <Button
          size="small"
          onClick={event => {
            // This click must not reach the handler that closes the list it opens.
            event.stopPropagation()
            editor.reveal(id, seriesMeasures)
          }}
        >
          {t`Choose what to show`}
        </Button>
      }
    >
      {t`Nothing chosen yet.`}
    </CardHint>
  )
}

/** Nothing has been recorded: the chart is announced, without a row. */
const isEmpty = (buffer: SeriesBuffer | undefined): boolean =>
  buffer === undefined || buffer.version === 0 || (buffer.length === 0 && latestOf(buffer).length === 0)

function LiveTable({ buffer, labels, x, caption }: { buffer: SeriesBuffer; labels: readonly string[]; x: string; caption: string }) {
  const { i18n } = useLingui()
  useSeldom(250)
  return <DataTable table={tableOf(buffer, labels, x)} caption={caption} locale={i18n.locale} />
}

type LiveDrawingProps = { title: string; type: string; buffer: SeriesBuffer; marks: readonly Mark[]; locale: string }

function LiveDrawing({ title, type, buffer, marks, locale }: LiveDrawingProps) {
  const [restMs, setRestMs] = useState(leastRestMs)
  useSeldom(restMs)
  const dark = useStore(theme, state => state.dark)
  const look = JSON.stringify(marks)
  const { version } = buffer
  const drawn = useMemo(
    () => livePictureOf(type, latestOf(buffer), marks, locale, dark),
    // The buffer fills in place: `version` changes with it; `look` covers the labels and colours in `marks`.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [type, buffer, version, look, locale, dark],
  )
  if (!drawn) return <Values marks={marks.map(mark => ({ label: mark.label, color: '' }))} values={latestOf(buffer)} locale={locale} />
  return (
    <>
      <LivePictureView title={title} live={drawn} locale={locale} rest={setRestMs} />
      {drawn.legend && <Legend marks={drawn.legend.marks} values={drawn.legend.values} locale={locale} />}
    </>
  )
}

type DrawnPicture = LivePicture & { legend?: { marks: readonly Mark[]; values: readonly number[] } }

/** Null of types that are not a picture. */
function livePictureOf(type: string, values: readonly Plain[], marks: readonly Mark[], locale: string, dark: boolean): DrawnPicture | null {
  if (type === 'box') return boxPicture(marks, values, value => formatNumber(value, locale))
  if (type === 'heat') return heatPicture(marks, values[0] ?? null)
  if (type !== 'pie') return null
  const { categories, columns } = barsOf(
    values,
    marks.map(mark => mark.label),
  )
  const amounts = (columns[0] ?? []).map(value => value ?? 0)
  const shares = marks.length === amounts.length ? marks : categories.map((label, i) => ({ label, color: seriesColor(i, '', dark) }))
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  return { ...piePicture(shares, amounts, share => percent.format(share)), legend: { marks: shares, values: amounts } }
}

const EChart = lazy(async () => ({ default: (await loadPart(() => import('./render/EChart.tsx'))).EChart }))
const nothingHidden: ReadonlySet<string> = new Set()

/** Draws the latest values. `rest` hears how long to wait until the next drawing, in milliseconds: drawing takes a fifth of the time at most. */
function LivePictureView({ title, live, locale, rest }: { title: string; live: LivePicture; locale: string; rest(ms: number): void }) {
  const { t } = useLingui()
  const ink = useInk()
  const { picture, plot, summary: list } = live
  const option = useCallback<OptionOf>(
    size => optionOf({ picture, plot, ink, written: writtenAs(plot, locale), hidden: nothingHidden, ...size, titled: null }),
    [picture, plot, ink, locale],
  )
  const took = useCallback(
    (ms: number) => rest(Math.min(mostRestMs, Math.max(leastRestMs, Math.ceil((4 * ms) / leastRestMs) * leastRestMs))),
    [rest],
  )
  return (
    <Suspense fallback={<CardHint>{t`Loading…`}</CardHint>}>
      <EChart option={option} label={t`${title}: ${list}`} took={took} />
    </Suspense>
  )
}

/** Milliseconds between two drawings of the latest values, at least. */
const leastRestMs = 100

function Legend({
  list,
  direct = false,
  marks,
  values,
  hidden,
  toggle,
  locale,
}: {
  list?: Ref<HTMLUListElement>
  /** Names are drawn at the ends of their lines, if the card has room. */
  direct?: boolean
  marks: readonly Mark[]
  values: readonly (number | null | undefined)[]
  hidden?: ReadonlySet<number>
  toggle?(series: number): void
  locale: string
}) {
  return (
    <ul ref={list} className="h-legend" data-direct={direct || undefined} onPointerDown={event => event.stopPropagation()}>
      {marks.map((mark, i) => (
        <li key={i}>
          <button
            type="button"
            aria-pressed={hidden ? !hidden.has(i) : undefined}
            disabled={!toggle}
            style={{ ['--series' as string]: mark.color }}
            data-dashed={mark.dashed || Boolean(mark.dash) || undefined}
            onClick={() => toggle?.(i)}
          >
            <i />
            <span title={mark.label}>{mark.label}</span>
            {typeof values[i] === 'number' && <output>{(direct ? formatReadout : formatNumber)(values[i], locale)}</output>}
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The last value there is of a column. */
function newest(column: PlotData[number] = []): number | null {
  for (let k = column.length - 1; k >= 0; k--) {
    const value = column[k]
    if (value !== null && value !== undefined) return value
  }
  return null
}

/**
 * Milliseconds: of a frame, between two drawings of data too long for its pixels, from a drawing to the numbers shown with it, and the
 * longest delay after a slow drawing.
 */
const frameMs = 17
const denseMs = 100
const readoutMs = 120
const mostRestMs = 1000

type LiveProps = {
  element: Element
  title: string
  kind: PlotKind
  buffer: SeriesBuffer
  marks: readonly Mark[]
  hold(plot: Plot | null): void
}

function LivePlot({ element, title, kind, buffer, marks, hold }: LiveProps) {
  const { i18n } = useLingui()
  const run = useRun()
  const palette = usePalette()
  const host = useRef<HTMLDivElement>(null)
  const legend = useRef<HTMLUListElement>(null)
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set())
  const [row, setRow] = useState<number | null>(null)
  const histogram = textField(element, 'type') === 'histogram'
  const window = numberField(element, 'window')
  const bins = numberField(element, 'bins') ?? 20
  const look = JSON.stringify([marks, textField(element, 'xLabel'), textField(element, 'yLabel')])
  const { locale } = i18n
  const shown = useRef<PlotData>([])
  const barNames = useRef<readonly string[]>([])
  const [made, setMade] = useState<Plot | null>(null)
  const [, readOut] = useState(0)
  // A what-if is drawn over the run's own lines, dashed.
  const { t } = useLingui()
  const fork = useForkSeries(element.id)
  const beside = kind === 'line' || kind === 'area' ? (fork?.buffer ?? null) : null
  const since = fork?.since ?? 0
  const shownMarks = beside
    ? [...marks, ...marks.map(({ label, color }) => ({ label: t`${label} (what if)`, color, dashed: true }))]
    : marks

  useEffect(() => {
    if (!host.current) return
    const plot = new Plot(host.current, {
      kind,
      series: shownMarks.map(mark => ({ ...mark, shown: true })),
      xLabel: textField(element, 'xLabel'),
      yLabel: textField(element, 'yLabel'),
      ink: { text: palette.muted, line: palette.line, surface: palette.surface, font: fontFamily },
      locale,
      touching: histogram,
      pointed: setRow,
      room: () => directRoom(legend.current),
      ended: tops => placeLabels(legend.current, tops),
    })
    const courses = kind === 'line' || kind === 'area'
    const pixels = (): number => (host.current?.clientWidth ?? 0) * devicePixelRatio
    let version = ''
    let asked = 0
    let painting = 0
    let reading: ReturnType<typeof setTimeout> | undefined
    // Long charts never take more than a quarter of the time.
    let restUntil = 0
    const draw = () => {
      asked = 0
      const now = performance.now()
      const newer = `${buffer.version} ${beside?.version ?? ''}`
      if (version === newer) return
      if (now < restUntil) return ask()
      version = newer
      const own = dataOf(buffer, kind, histogram, bins, window, marks, courses && !beside ? pixels() : null)
      const data = beside ? overlaid(own.data, rowsOf(beside, window), since) : own.data
      const { names, isDense } = own
      shown.current = data
      barNames.current = names
      plot.draw(data, names)
      // The numbers shown with the lines are those of the last drawing.
      reading ??= setTimeout(() => {
        reading = undefined
        readOut(count => count + 1)
      }, readoutMs)
      restUntil = now + Math.max(isDense ? denseMs : 0, 3 * (performance.now() - now))
      // Without a GPU what was drawn is painted after this, and the next frame comes late.
      cancelAnimationFrame(painting)
      painting = requestAnimationFrame(() => {
        const late = performance.now() - now - frameMs
        restUntil = Math.max(restUntil, now + Math.min(mostRestMs, 3 * late))
      })
    }
    const ask = () => {
      asked ||= requestAnimationFrame(draw)
    }
    draw()
    hold(plot)
    setMade(plot)
    const stop = run.subscribe(ask)
    const stopBeside = run.getState().fork?.run.subscribe(ask)
    return () => {
      stop()
      stopBeside?.()
      cancelAnimationFrame(asked)
      cancelAnimationFrame(painting)
      clearTimeout(reading)
      hold(null)
      plot.destroy()
    }
    // `look` stands for the labels and colours in `marks` and `element`.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [run, buffer, beside, since, kind, look, palette, locale, histogram, bins, window])

  useEffect(() => {
    for (let i = 0; i < shownMarks.length; i++) made?.setShown(i, !hidden.has(i))
  }, [made, hidden, shownMarks.length])

  const values = shownMarks.map((_, i) => (row === null ? newest(shown.current[i + 1]) : shown.current[i + 1]?.[row]))
  const seen = shownMarks.map((_, i) => i).filter(i => !hidden.has(i))
  const [x] = shown.current
  const at = x?.[row ?? x.length - 1]
  const xName = textField(element, 'xLabel') || t`tick`
  const parts =
    kind === 'bars'
      ? barsTold(
          seen.map(i => shownMarks[i]?.label ?? ''),
          histogram ? Array.from(x ?? [], middle => formatNumber(middle ?? NaN, locale)) : barNames.current,
          seen.map(i => shown.current[i + 1] ?? []),
        )
      : seen.map(i => ({ label: shownMarks[i]?.label ?? '', value: values[i] ?? undefined }))
  const list = told(parts, locale)
  const where = typeof at === 'number' ? formatNumber(at, locale) : ''
  const summary = kind === 'bars' || where === '' ? t`${title}: ${list}` : t`${title} at ${xName} ${where}: ${list}`
  return (
    <>
      <div ref={host} className="h-plot" role="img" aria-label={summary} onPointerDown={event => event.stopPropagation()} />
      {(shownMarks.length > 1 || kind === 'line' || kind === 'area') && (
        <Legend
          list={legend}
          direct={(kind === 'line' || kind === 'area') && shownMarks.length <= mostDirect}
          marks={shownMarks}
          values={kind === 'bars' && row === null ? [] : values}
          hidden={hidden}
          toggle={series =>
            setHidden(before => (before.has(series) ? new Set([...before].filter(one => one !== series)) : new Set([...before, series])))
          }
          locale={locale}
        />
      )}
    </>
  )
}

function dataOf(
  buffer: SeriesBuffer,
  kind: PlotKind,
  histogram: boolean,
  bins: number,
  window: number | null,
  marks: readonly Mark[],
  /** Of a course over x, as many as the screen shows; null: all rows. */
  pixels: number | null,
): { data: PlotData; names: readonly string[]; /** More rows than pixels can show: they were thinned. */ isDense: boolean } {
  if (kind !== 'bars') {
    const rows = rowsOf(buffer, window)
    const data = pixels === null ? rows : thinned(rows, pixels)
    return { data, names: [], isDense: data !== rows }
  }
  if (histogram) {
    const { edges, counts } = binsOf(latestOf(buffer), bins)
    return { data: [edges.slice(1).map((edge, i) => (edge + (edges[i] ?? 0)) / 2), ...counts], names: [], isDense: false }
  }
  const { categories, columns } = barsOf(
    latestOf(buffer),
    marks.map(mark => mark.label),
  )
  const filled = marks.map((_, i) => columns[i] ?? categories.map(() => null))
  // One plain number per series: one bar each, in its own colour and place.
  const apart = columns.length === 1 && marks.length > 1 && categories.length === marks.length
  const data = apart ? marks.map((_, series) => categories.map((__, i) => (i === series ? (columns[0]?.[i] ?? null) : null))) : filled
  return { data: [categories.map((_, i) => i), ...data], names: categories, isDense: false }
}
