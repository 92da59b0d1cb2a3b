// The results, in tabs by the type of the experiment; the history and the failures next to them. Rendered while it runs.
import { DownloadOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { Button, Dropdown, Segmented, Tabs } from 'antd'
import { Suspense, useMemo, useRef, useState, type ReactNode } from 'react'
import { csvLines, reportOf } from '../../../sim-engine/experiment.ts'
import { beginChart } from '../../charts/beginChart.ts'
import type { Place } from '../../local/place.ts'
import { download } from '../../run/download.ts'
import { Drawing } from '../../ui/Drawing.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageLoading } from '../../ui/loading/PageLoading.tsx'
import { complain } from '../../ui/toast.ts'
import { importedPart } from '../../ui/loading/updates.ts'
import { usePlace } from '../../workspace/usePlace.ts'
import { useColumnWords } from '../columnWords.ts'
import { SampleExperiments } from '../SampleExperiments.tsx'
import { useExperiment, useLook } from '../scope.ts'
import { columnsOf } from './columns.ts'
import { Compare } from './Compare.tsx'
import { Convergence } from './figures/Convergence.tsx'
import { Distribution } from './figures/Distribution.tsx'
import { Failures } from './Failures.tsx'
import { Fit } from './Fit.tsx'
import { Found } from './Found.tsx'
import { Front } from './figures/Front.tsx'
import { HistoryList } from './HistoryList.tsx'
import { Live } from './Live.tsx'
import { openRun } from './open.ts'
import { Parallel } from './figures/Parallel.tsx'
import { Posterior } from './figures/Posterior.tsx'
import { Scatter } from './figures/Scatter.tsx'
import type { Shown } from './shown.ts'
import { Surface } from './figures/Surface.tsx'
import { Table } from './Table.tsx'
import { Tornado } from './figures/Tornado.tsx'
import { useCover } from './useCover.ts'
import { useNumber } from './useNumber.ts'

const Cards = importedPart(
  () => import('./Cards.tsx'),
  module => module.Cards,
)
const Trust = importedPart(
  () => import('./Trust.tsx'),
  module => module.Trust,
)
const DataTables = importedPart(
  () => import('./DataTables.tsx'),
  module => module.DataTables,
)

export function Results() {
  const { t } = useLingui()
  const scope = useExperiment()
  const { experiment, session, teamCode } = scope
  const place = usePlace(session.target.local ? 'device' : teamCode)
  const { prepared, results, version, status, history, entry } = useLook()
  const [tab, setTab] = useState('')
  const [compared, setCompared] = useState<readonly string[]>([])
  const host = useRef<HTMLDivElement>(null)
  useCover(host, status === 'finished' || status === 'budget')
  const words = useColumnWords()
  const number = useNumber()
  const spoken = Object.values(words).join()
  const columns = useMemo(
    () => (prepared && results ? columnsOf(prepared, results, words) : []),
    // The points decide which columns hold texts; the words change with the language.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [prepared, results, spoken, Math.min(results?.points.length ?? 0, 1)],
  )
  const shown: Shown | null = prepared && results ? { prepared, results, columns, version } : null
  const live = experiment.type === 'exploration' && experiment.design === 'live'
  const failed = results?.failed ?? 0
  const tabs: { key: string; label: ReactNode; children: ReactNode }[] = []
  const add = (key: string, label: ReactNode, children: ReactNode): void => void tabs.push({ key, label, children })
  if (live) add('live', t`Live`, <Live />)
  if (shown && shown.results.rows > 0) {
    const opening = tabs.length
    const { type, design, fit, objectives } = shown.prepared.experiment
    const searches = type === 'optimization' || (type === 'calibration' && fit === 'optimise')
    const varied = shown.prepared.free.length > 0
    if (type === 'monteCarlo')
      add('compare', shown.prepared.alternatives.length > 1 ? t`Differences` : t`Intervals`, <Compare shown={shown} />)
    if (type === 'monteCarlo')
      add(
        'trust',
        t`How sure`,
        <Suspense fallback={<PageLoading />}>
          <Trust shown={shown} />
        </Suspense>,
      )
    if (type === 'optimization') add('front', objectives.length > 1 ? t`Pareto front` : t`Best`, <Front shown={shown} />)
    if (type === 'calibration') add('fit', t`Fit`, <Fit shown={shown} />)
    if (type === 'calibration' && fit === 'abc') add('posterior', t`Posterior`, <Posterior shown={shown} />)
    if (type === 'exploration' && (design === 'morris' || design === 'sobolIndices'))
      add('tornado', t`Sensitivity`, <Tornado shown={shown} />)
    if (searches || type === 'monteCarlo') add('convergence', t`Convergence`, <Convergence shown={shown} />)
    add('charts', t`Charts`, <Charts shown={shown} varied={varied} />)
    add(
      'table',
      t`Table`,
      <Table shown={shown} openLabel={t`Open this run`} open={run => openRun(scope, shown.prepared, shown.results, run)} />,
    )
    add(
      'tables',
      t`Data tables`,
      <Suspense fallback={<PageLoading />}>
        <DataTables shown={shown} name={entry?.name || experiment.name || 'experiment'} />
      </Suspense>,
    )
    const first = tabs[opening]
    if (first)
      first.children = (
        <>
          <Found shown={shown} />
          {first.children}
        </>
      )
    if (failed > 0) add('failures', t`Failures (${number(failed)})`, <Failures shown={shown} />)
  }
  if (history.length > 0 || !session.target.local)
    add(
      'history',
      history.length > 0 ? t`History (${number(history.length)})` : t`History`,
      <HistoryList compared={compared} setCompared={setCompared} />,
    )
  if (tabs.length === 0 || (tabs.length === 1 && !live && !shown))
    return (
      <div className="x-empty">
        <EmptyState
          drawing={<Drawing of="results" />}
          title={status === 'running' ? t`The first runs are under way` : t`Nothing was run yet`}
          text={t`Results appear here as they come: figures, charts and every single run. They stay on this device, in the history.`}
        />
        {tabs[0]?.children}
        {place !== null && history.length === 0 && experiment.modelFile === '' && <SampleExperiments place={place} />}
      </div>
    )
  const active = tabs.some(({ key }) => key === tab) ? tab : (tabs[0]?.key ?? '')
  const name = entry?.name || experiment.name || 'experiment'
  const exported = shown && <Export shown={shown} name={name} place={place} />
  return (
    <div ref={host} className="x-found" data-export={exported === null ? undefined : ''}>
      <Tabs className="x-tabs" size="small" activeKey={active} onChange={setTab} items={tabs} destroyOnHidden />
      {/* Beside the list of tabs, which may hold nothing but tabs. */}
      {exported && <div className="x-export">{exported}</div>}
    </div>
  )
}

/** What all runs can be handed out as. */
function Export({ shown, name, place }: { shown: Shown; name: string; place: Place | null }) {
  const { t } = useLingui()
  const { session } = useExperiment()
  const navigate = useNavigate()
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: [
          {
            key: 'csv',
            label: t`All runs as CSV`,
            onClick: () =>
              download(
                new Blob(
                  [
                    '\uFEFF',
                    ...csvLines(
                      shown.results,
                      shown.prepared.alternatives.map(one => one.name),
                    ),
                  ],
                  { type: 'text/csv' },
                ),
                `${name}.csv`,
              ),
          },
          ...(place === null
            ? []
            : [
                {
                  key: 'chart',
                  label: t`A chart of these results`,
                  onClick: () => {
                    const of = {
                      experiment: session.docId,
                      decision: shown.results.decisions[0]?.id,
                      measure: shown.results.measures[0]?.id,
                    }
                    beginChart(place, name, of)
                      .then(file => navigate({ to: '/chart/$teamCode/$chartId', params: { teamCode: place.team, chartId: file.id } }))
                      .catch(complain)
                  },
                },
              ]),
          {
            key: 'parquet',
            label: t`All runs as Parquet`,
            onClick: () => void parquetOf(shown).then(blob => download(blob, `${name}.parquet`), complain),
          },
          {
            key: 'json',
            label: t`Report as JSON`,
            onClick: () =>
              download(
                new Blob([`${JSON.stringify(reportOf(shown.prepared, shown.results), null, 2)}\n`], { type: 'application/json' }),
                `${name}.json`,
              ),
          },
        ],
      }}
    >
      <Button size="small" icon={<DownloadOutlined aria-hidden />} aria-label={t`Export`} title={t`Export`} data-testid="export">
        {t`Export`}
      </Button>
    </Dropdown>
  )
}

/** Charts of any experiment, one at a time. */
function Charts({ shown, varied }: { shown: Shown; varied: boolean }) {
  const { t } = useLingui()
  const [chart, setChart] = useState<'distribution' | 'response' | 'scatter' | 'parallel' | 'own'>(varied ? 'response' : 'distribution')
  return (
    <>
      <div className="x-line x-chart-choice">
        <Segmented
          size="small"
          value={chart}
          onChange={setChart}
          options={[
            ...(varied
              ? [
                  { value: 'response' as const, label: t`Response` },
                  { value: 'scatter' as const, label: t`Scatter` },
                  { value: 'parallel' as const, label: t`Parallel coordinates` },
                ]
              : []),
            { value: 'distribution' as const, label: t`Distribution` },
            { value: 'own' as const, label: t`Own charts` },
          ]}
        />
      </div>
      {chart === 'response' && <Surface shown={shown} />}
      {chart === 'scatter' && <Scatter shown={shown} />}
      {chart === 'parallel' && <Parallel shown={shown} />}
      {chart === 'distribution' && <Distribution shown={shown} />}
      {chart === 'own' && (
        <Suspense fallback={<PageLoading />}>
          <Cards shown={shown} />
        </Suspense>
      )}
    </>
  )
}

/** Written by the worker of tables, which is loaded for it. */
async function parquetOf({ prepared, results }: Shown): Promise<Blob> {
  const [{ createDesk }, { runsTable }] = await Promise.all([import('../tables/desk.ts'), import('../tables/sources.ts')])
  const desk = createDesk()
  try {
    await desk.ask({ do: 'put', name: 'runs', table: runsTable(prepared, results) })
    await desk.ask({ do: 'wish', wish: { main: 'runs', joins: [], fields: [], sort: null, filter: null } })
    return await desk.ask({ do: 'write', format: 'parquet' })
  } finally {
    desk.close()
  }
}
