// What was run before on this device: shown again, compared side by side, deleted. Full when the plan's number of entries is reached.
import { DeleteOutlined } from '@ant-design/icons'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Alert, Button, Checkbox } from 'antd'
import dayjs from 'dayjs'
import { useEffect, useState } from 'react'
import { front, intervals, type Prepared, type Results } from '../../../sim-engine/experiment.ts'
import { kindOf } from '../../../model-schema/kinds.ts'
import { useWords } from '../../i18n/locale.ts'
import { complain, confirmed } from '../../ui/toast.ts'
import type { Entry } from '../history.ts'
import { useConducting, useExperiment } from '../scope.ts'
import { IntervalChart } from './Compare.tsx'
import { Dots, extentOf, Frame, useInk, useNumber } from './Frame.tsx'
import { asWritten, objectiveName } from './Front.tsx'
import { Pick } from './pick.tsx'

export function HistoryList({ compared, setCompared }: { compared: readonly string[]; setCompared: (ids: readonly string[]) => void }) {
  const { t } = useLingui()
  const words = useWords()
  const number = useNumber()
  const { conductor } = useExperiment()
  const { history, full, status, entry: current } = useConducting(state => state)
  const types = kindOf('experiment')?.fields.find(({ id }) => id === 'type')?.type
  const endings: Record<Entry['ended'], string> = {
    running: t`interrupted`,
    finished: t`finished`,
    budget: t`most runs reached`,
    stopped: t`stopped`,
    failed: t`interrupted`,
  }
  const forget = async (ids: readonly string[]): Promise<void> => {
    const sure = await confirmed({
      title: t`Delete from the history?`,
      content: t`All samples of ${ids.length} entries are deleted from this device. This cannot be undone.`,
      ok: t`Delete`,
      cancel: t`Cancel`,
    })
    if (!sure) return
    await conductor.forget(ids)
    setCompared(compared.filter(id => !ids.includes(id)))
  }
  const busy = status === 'running'
  const chosen = history.filter(({ id }) => compared.includes(id))
  return (
    <div className="x-pane">
      {full && (
        <Alert
          type="warning"
          showIcon
          title={t`The history is full: delete entries`}
          description={t`Nothing new can be started until there is room. Entries of other experiments count too.`}
        />
      )}
      <div className="x-scroll">
        <table className="x-figures x-history">
          <caption>{t`On this device`}</caption>
          <thead>
            <tr>
              <th scope="col">{t`Compare`}</th>
              <th scope="col">{t`Begun`}</th>
              <th scope="col">{t`Type`}</th>
              <th scope="col">{t`Runs`}</th>
              <th scope="col">{t`Failed`}</th>
              <th scope="col">{t`State`}</th>
              <th aria-hidden="true" />
            </tr>
          </thead>
          <tbody>
            {history.map(entry => {
              const { id, startedAt, experiment, runs, failed, ended } = entry
              const label = types?.as === 'choice' ? types.options[experiment.type] : undefined
              return (
                <tr key={id} data-on={current?.id === id || undefined}>
                  <td>
                    <Checkbox
                      checked={compared.includes(id)}
                      aria-label={t`Compare the entry of ${dayjs(startedAt).format('L LTS')}`}
                      onChange={event => setCompared(event.target.checked ? [...compared, id] : compared.filter(one => one !== id))}
                    />
                  </td>
                  <td data-text title={dayjs(startedAt).format('YYYY-MM-DD HH:mm:ss')}>
                    {dayjs(startedAt).fromNow()}
                  </td>
                  <td data-text>{label ? words(label) : experiment.type}</td>
                  <td>{number(runs)}</td>
                  <td>{number(failed)}</td>
                  <td data-text>{current?.id === id && busy ? t`running` : endings[ended]}</td>
                  <td>
                    <span className="x-line">
                      <Button size="small" disabled={busy || current?.id === id} onClick={() => void conductor.show(entry).catch(complain)}>
                        <Trans>Show</Trans>
                      </Button>
                      <Button
                        size="small"
                        type="text"
                        icon={<DeleteOutlined />}
                        aria-label={t`Delete`}
                        title={t`Delete`}
                        disabled={current?.id === id && busy}
                        onClick={() => void forget([id]).catch(complain)}
                      />
                    </span>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {chosen.length > 1 && (
        <div className="x-line">
          <Button size="small" danger disabled={busy} onClick={() => void forget(chosen.map(({ id }) => id)).catch(complain)}>
            <Plural value={chosen.length} one="Delete the chosen entry" other="Delete the # chosen entries" />
          </Button>
        </div>
      )}
      {chosen.length > 1 ? (
        <Compared entries={chosen} />
      ) : (
        history.length > 1 && <p className="x-hint">{t`Choose two or more entries to compare what they found.`}</p>
      )}
    </div>
  )
}

type Read = { entry: Entry; prepared: Prepared; results: Results }

/** Fronts over each other; of everything else, the means of measures of the same name under each other. */
function Compared({ entries }: { entries: readonly Entry[] }) {
  const { t } = useLingui()
  const ink = useInk()
  const { conductor } = useExperiment()
  const [read, setRead] = useState<readonly Read[]>([])
  const [measure, setMeasure] = useState('')
  const key = entries.map(({ id, runs }) => `${id} ${runs}`).join()
  useEffect(() => {
    let shown = true
    void Promise.all(entries.map(async entry => ({ entry, found: await conductor.read(entry) }))).then(all => {
      if (shown) setRead(all.flatMap(({ entry, found }) => (found ? [{ entry, ...found }] : [])))
    }, complain)
    return () => {
      shown = false
    }
    // The entries by what is in them.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [conductor, key])
  if (read.length < 2) return null
  const nameOf = ({ entry }: Read): string => dayjs(entry.startedAt).format('MM-DD HH:mm:ss')
  const fronts = read.filter(({ prepared }) => prepared.experiment.type === 'optimization' && prepared.space.objectives > 1)
  if (fronts.length > 1) {
    const sets = fronts.map(({ prepared, results }) =>
      front(prepared, results).map(({ objectives }): [number, number] => [
        asWritten(prepared, 0, objectives[0] ?? NaN),
        asWritten(prepared, 1, objectives[1] ?? NaN),
      ]),
    )
    const [first] = fronts
    const [xLow, xHigh] = extentOf(sets.flat().map(([x]) => x))
    const [yLow, yHigh] = extentOf(sets.flat().map(([, y]) => y))
    return (
      <Frame
        title={t`Pareto fronts`}
        height={360}
        x={{ label: first ? objectiveName(first.prepared, 0) : '', low: xLow, high: xHigh }}
        y={{ label: first ? objectiveName(first.prepared, 1) : '', low: yLow, high: yHigh }}
        summary={fronts.map(nameOf).join('; ')}
        legend={fronts.map((one, k) => ({ label: nameOf(one), color: ink.series(k) }))}
      >
        {({ x, y }) =>
          sets.map((set, k) => (
            <Dots key={fronts[k]?.entry.id} points={set.map(([a, b]) => [x(a), y(b)] as const)} color={ink.series(k)} size={8} />
          ))
        }
      </Frame>
    )
  }
  const labels = [...new Set(read.flatMap(({ results }) => results.measures.map(({ label }) => label)))]
  const label = labels.includes(measure) ? measure : (labels[0] ?? '')
  const rows = read.flatMap((one, group) => {
    const column = one.results.measures.findIndex(found => found.label === label)
    if (column < 0) return []
    // Of many points, the whole of them is one line.
    const perPoint = one.prepared.experiment.type === 'monteCarlo' ? intervals(one.prepared, one.results) : []
    return perPoint.flatMap((row, point) => {
      const interval = row[column]
      const alternative = one.prepared.alternatives[one.results.points[point]?.alternative ?? 0]?.name ?? ''
      return interval ? [{ name: `${nameOf(one)} · ${alternative}`, interval, group }] : []
    })
  })
  if (rows.length > 0)
    return (
      <>
        <div className="x-line">
          <Pick label={t`Measure`} value={label} onChange={setMeasure} options={labels.map(value => ({ value, label: value }))} />
        </div>
        <IntervalChart
          title={t`${label}, compared`}
          names={rows.map(({ name }) => name)}
          intervals={rows.map(({ interval }) => interval)}
          groups={rows.map(({ group }) => group)}
        />
      </>
    )
  return (
    <div className="x-scroll">
      <table className="x-figures">
        <caption>{t`Best found`}</caption>
        <tbody>
          {read.map(one => (
            <BestRow key={one.entry.id} name={nameOf(one)} one={one} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function BestRow({ name, one: { prepared, results } }: { name: string; one: Read }) {
  const { t } = useLingui()
  const number = useNumber()
  const [best] = prepared.experiment.type === 'exploration' ? [] : front(prepared, results)
  return (
    <tr>
      <th scope="row">{name}</th>
      {best ? (
        <>
          {results.points[best.point]?.settings.map((value, k) => (
            <td key={results.decisions[k]?.id}>
              {results.decisions[k]?.label} {typeof value === 'number' ? number(value) : String(value)}
            </td>
          ))}
          <td>
            <strong>
              {number(
                prepared.experiment.type === 'optimization'
                  ? asWritten(prepared, 0, best.objectives[0] ?? NaN)
                  : (best.objectives[0] ?? NaN),
              )}
            </strong>
          </td>
        </>
      ) : (
        <td>{t`${number(results.points.length)} points`}</td>
      )}
    </tr>
  )
}
