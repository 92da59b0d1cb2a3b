// Monte Carlo: each measure with its confidence interval, of every alternative; the paired differences to the first; which is best.
import { useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { differences, intervals, type Interval } from '../../../sim-engine/experiment.ts'
import { Pick } from './pick.tsx'
import type { Shown } from './shown.ts'
import { Warned } from './Warned.tsx'
import { FigureChart } from '../../charts/figure/FigureChart.tsx'
import { extentOf, type FigureMark } from '../../charts/figure/figure.ts'
import { useInk } from '../../charts/ink.ts'
import { useNumber } from './useNumber.ts'

export function Compare({ shown }: { shown: Shown }) {
  const { t } = useLingui()
  const number = useNumber()
  const { prepared, results, version } = shown
  const [measure, setMeasure] = useState(0)
  const found = useMemo(
    () => ({
      all: intervals(prepared, results),
      apart: differences(prepared, results),
    }),
    // `version` says that the results changed inside.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [prepared, results, version],
  )
  const names = results.points.map(({ alternative }) => prepared.alternatives[alternative]?.name ?? '')
  const level = number(Number((prepared.experiment.confidence * 100).toPrecision(6)))
  const label = results.measures[measure]?.label ?? ''
  const own = found.all.map(row => row[measure]).filter(one => one !== undefined)
  const apart = found.apart.map(row => row[measure]).filter(one => one !== undefined)
  return (
    <div className="x-pane">
      {results.measures.length > 1 && (
        <div className="x-line">
          <Pick
            label={t`Measure`}
            value={measure}
            onChange={setMeasure}
            options={results.measures.map((one, value) => ({ value, label: one.label }))}
          />
        </div>
      )}
      <Warned shown={shown} />
      <div className="x-charts">
        <IntervalChart title={t`${label}, ${level}% interval of the mean`} names={names} intervals={own} />
        {apart.length > 0 && (
          <IntervalChart title={t`${label}, difference to ${names[0] ?? ''}`} names={names.slice(1)} intervals={apart} zero />
        )}
      </div>
      <IntervalTable names={names} intervals={own} caption={t`Means`} />
      {apart.length > 0 && (
        <IntervalTable names={names.slice(1)} intervals={apart} caption={t`Paired differences to ${names[0] ?? ''}`} zero />
      )}
    </div>
  )
}

/** One line a name: the interval as a bar, the mean as a dot. */
export function IntervalChart({
  title,
  names,
  intervals: all,
  zero = false,
  groups,
}: {
  title: string
  names: readonly string[]
  intervals: readonly Interval[]
  zero?: boolean
  /** Which of them share a colour; each has its own unless said. */
  groups?: readonly number[]
}) {
  const { t } = useLingui()
  const number = useNumber()
  const ink = useInk()
  const [low, high] = extentOf([...all.flatMap(one => [one.low, one.high, one.mean]), ...(zero ? [0] : [])], 0.08)
  const colorOf = (k: number): string => ink.series(groups?.[k] ?? (zero ? k + 1 : k))
  const titleOf = (one: Interval, k: number): string => `${names[k]}: ${number(one.mean)} (${number(one.low)} – ${number(one.high)})`
  return (
    <FigureChart
      title={title}
      height={64 + 34 * Math.max(1, names.length)}
      x={{ label: zero ? t`less than 0 ← difference → more` : '', low, high }}
      rows={names}
      summary={all.map(titleOf).join('; ')}
      marks={[
        ...(zero
          ? [
              {
                is: 'segments' as const,
                segments: [{ x: [0, 0] as const, y: [-0.5, names.length - 0.5] as const, color: ink.lineStrong }],
                width: 1,
                isDashed: true,
              },
            ]
          : []),
        {
          is: 'segments',
          // A single run has no interval yet.
          segments: all.map((one, k) => ({
            x: [Number.isFinite(one.low) ? one.low : one.mean, Number.isFinite(one.high) ? one.high : one.mean],
            y: [k, k],
            color: colorOf(k),
            title: titleOf(one, k),
          })),
          width: 6,
          opacity: 0.35,
        },
        ...all.map((one, k): FigureMark => ({
          is: 'dots',
          points: [[one.mean, k]],
          color: colorOf(k),
          size: 9,
          titles: [titleOf(one, k)],
        })),
      ]}
    />
  )
}

function IntervalTable({
  names,
  intervals: all,
  caption,
  zero = false,
}: {
  names: readonly string[]
  intervals: readonly Interval[]
  caption: string
  zero?: boolean
}) {
  const { t } = useLingui()
  const number = useNumber()
  return (
    <div className="x-scroll">
      <table className="x-figures">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{t`Alternative`}</th>
            <th scope="col">{t`Mean`}</th>
            <th scope="col">{t`Interval`}</th>
            <th scope="col">{t`Standard deviation`}</th>
            <th scope="col">{t`Runs`}</th>
            {zero && <th scope="col">{t`Conclusion`}</th>}
          </tr>
        </thead>
        <tbody>
          {all.map((one, k) => (
            <tr key={`${k} ${names[k]}`}>
              <th scope="row">{names[k]}</th>
              <td>{number(one.mean)}</td>
              <td>
                {number(one.low)} … {number(one.high)}
              </td>
              <td>{number(one.std)}</td>
              <td>{number(one.n)}</td>
              {zero && <td data-text>{one.low > 0 ? t`greater` : one.high < 0 ? t`smaller` : t`not told apart`}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
