// Entries of the history, of this device and of the server, over each other.
import { Plural, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { experimentOf } from '../../../model-schema/experiment.ts'
import { front, intervals, type Prepared, type Results } from '../../../sim-engine/experiment.ts'
import { complain } from '../../ui/toast.ts'
import type { Conductor } from '../conduct/conductor.ts'
import type { ConductedRuns } from '../conduct/turn.ts'
import type { Entry } from '../history.ts'
import { useMoment } from '../moment.ts'
import { fetchResult, type RemoteResult } from '../remote.ts'
import { useExperiment } from '../scope.ts'
import { IntervalChart } from './Compare.tsx'
import { Pick } from './pick.tsx'
import { FigureChart } from '../../charts/figure/FigureChart.tsx'
import { extentOf } from '../../charts/figure/figure.ts'
import { useInk } from '../../charts/ink.ts'
import { asWritten, objectiveName } from './objectives.ts'
import { useNumber, useValue } from './useNumber.ts'

/** An entry of this device, or a result that only the server has. */
export type Comparable = { id: string; startedAt: string; runs: number; local: Entry | null; remote: RemoteResult | null }

type Read = { entry: Comparable; prepared: Prepared; results: Results }

async function readOf(conductor: Conductor, { id, local, remote }: Comparable): Promise<ConductedRuns | null> {
  if (local !== null) return conductor.read(local)
  const fetched = remote === null ? null : await fetchResult(remote.fileId, id)
  const experiment = fetched === null ? null : experimentOf(fetched.entry.study)
  return fetched === null || experiment === null ? null : conductor.read({ id, experiment, model: fetched.entry.model }, fetched.samples)
}

/** Fronts over each other; of everything else, the means of measures of the same name under each other. */
export function Compared({ entries }: { entries: readonly Comparable[] }) {
  const { t } = useLingui()
  const ink = useInk()
  const moment = useMoment(true)
  const { conductor } = useExperiment()
  const [read, setRead] = useState<readonly Read[]>([])
  const [measure, setMeasure] = useState('')
  const key = entries.map(({ id, runs }) => `${id} ${runs}`).join()
  useEffect(() => {
    let shown = true
    void Promise.all(entries.map(async entry => ({ entry, found: await readOf(conductor, entry) }))).then(all => {
      if (shown) setRead(all.flatMap(({ entry, found }) => (found ? [{ entry, ...found }] : [])))
    }, complain)
    return () => {
      shown = false
    }
    // The entries by what is in them.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [conductor, key])
  if (read.length < 2) return null
  const nameOf = ({ entry }: Read): string => moment(entry.startedAt)
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
      <FigureChart
        title={t`Pareto fronts`}
        height={360}
        x={{ label: first ? objectiveName(first.prepared, 0) : '', low: xLow, high: xHigh }}
        y={{ label: first ? objectiveName(first.prepared, 1) : '', low: yLow, high: yHigh }}
        summary={fronts.map(nameOf).join('; ')}
        legend={fronts.map((one, k) => ({ label: nameOf(one), color: ink.series(k) }))}
        marks={sets.map((points, k) => ({ is: 'dots', points, color: ink.series(k), size: 8, opacity: 0.75 }))}
      />
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
  const number = useNumber()
  const shownValue = useValue()
  const [best] = prepared.experiment.type === 'exploration' ? [] : front(prepared, results)
  return (
    <tr>
      <th scope="row">{name}</th>
      {best ? (
        <>
          {results.points[best.point]?.settings.map((value, k) => (
            <td key={results.decisions[k]?.id}>
              {results.decisions[k]?.label} {shownValue(value)}
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
        <td>
          <Plural value={results.points.length} one="# point" other="# points" />
        </td>
      )}
    </tr>
  )
}
