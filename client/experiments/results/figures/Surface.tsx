// How a measure answers to decisions: a curve with its band over one, a heat map over two.
import { useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { someRuns, type ResultColumn } from '../columns.ts'
import { axisOf, curveOf, gridOf } from './heat.ts'
import { Pick } from '../pick.tsx'
import type { Shown } from '../shown.ts'
import { FigureChart } from '../../../charts/figure/FigureChart.tsx'
import { extentOf } from '../../../charts/figure/figure.ts'
import { useInk } from '../../../charts/ink.ts'
import { orderedColor } from '../../../charts/colors.ts'
import { useNumber } from '../useNumber.ts'

/** Runs looked at: means of more would not differ to the eye. */
const mostRuns = 200_000

export function Surface({ shown }: { shown: Shown }) {
  const { t } = useLingui()
  const { results, columns, version, prepared } = shown
  const decisions = columns.filter(({ of }) => of === 'decision')
  const measures = columns.filter(({ of }) => of === 'measure')
  const [measureId, setMeasure] = useState('')
  const [acrossId, setAcross] = useState('')
  const [upId, setUp] = useState<string | null>(null)
  // `version` says that the results changed inside.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const runs = useMemo(() => someRuns(results, mostRuns), [results, version])
  const measure = measures.find(({ id }) => id === measureId) ?? measures[0]
  const across = decisions.find(({ id }) => id === acrossId) ?? decisions[0]
  const others = decisions.filter(one => one !== across)
  // Two decisions are shown from the start, where there are two.
  const up = upId === '' ? undefined : (others.find(({ id }) => id === upId) ?? others[0])
  if (!measure || !across) return null
  const options = (all: readonly ResultColumn[]) => all.map(({ id, label }) => ({ value: id, label }))
  return (
    <div className="x-pane">
      <div className="x-line">
        <Pick label={t`Measure`} value={measure.id} onChange={setMeasure} options={options(measures)} />
        <Pick label={t`Across`} value={across.id} onChange={setAcross} options={options(decisions)} />
        {others.length > 0 && (
          <Pick
            label={t`Up`}
            value={up?.id ?? ''}
            onChange={setUp}
            options={[...options(others), { value: '', label: t`Mean of ${measure.label}` }]}
          />
        )}
      </div>
      {up ? (
        <HeatMap x={across} y={up} measure={measure} runs={runs} />
      ) : (
        <Curve x={across} measure={measure} runs={runs} confidence={prepared.experiment.confidence} />
      )}
    </div>
  )
}

function Curve({
  x: across,
  measure,
  runs,
  confidence,
}: {
  x: ResultColumn
  measure: ResultColumn
  runs: readonly number[]
  confidence: number
}) {
  const { t } = useLingui()
  const ink = useInk()
  const number = useNumber()
  const { axis, line } = useMemo(() => {
    const made = axisOf(across, runs)
    return { axis: made, line: curveOf(made, across, measure, runs, confidence) }
  }, [across, measure, runs, confidence])
  const known = line.flatMap((interval, place) => {
    const [from, to] = axis.ends(place)
    return interval ? [{ ...interval, at: (from + to) / 2 }] : []
  })
  // An interval of one value has no end.
  const bands = known.map(one => ({
    ...one,
    low: Number.isFinite(one.low) ? one.low : one.mean,
    high: Number.isFinite(one.high) ? one.high : one.mean,
  }))
  const [low, high] = extentOf(bands.flatMap(one => [one.low, one.high]))
  const [xLow, xHigh] = extentOf(known.map(({ at }) => at))
  return (
    <FigureChart
      title={t`${measure.label} by ${across.label}`}
      height={420}
      x={{ label: across.label, low: xLow, high: xHigh }}
      y={{ label: measure.label, low, high }}
      summary={known.map(({ at, mean }) => `${number(at)}: ${number(mean)}`).join('; ')}
      legend={[{ label: t`Mean, with its interval`, color: ink.series(0) }]}
      marks={[
        { is: 'band', points: bands, color: ink.series(0), opacity: 0.18 },
        { is: 'line', points: bands.map(one => [one.at, one.mean]), color: ink.series(0) },
        {
          is: 'dots',
          points: bands.map(one => [one.at, one.mean]),
          color: ink.series(0),
          size: 6,
          titles: bands.map(one => `${number(one.at)}: ${number(one.mean)} (${number(one.n)})`),
        },
      ]}
    />
  )
}

function HeatMap({
  x: across,
  y: up,
  measure,
  runs,
}: {
  x: ResultColumn
  y: ResultColumn
  measure: ResultColumn
  runs: readonly number[]
}) {
  const { t } = useLingui()
  const number = useNumber()
  const ink = useInk()
  const { xAxis, yAxis, cells, low, high } = useMemo(() => {
    const [a, b] = [axisOf(across, runs), axisOf(up, runs)]
    const means = gridOf(a, b, [across, up], measure, runs)
    const [least, most] = extentOf(means, 0)
    return { xAxis: a, yAxis: b, cells: means, low: least, high: most }
  }, [across, up, measure, runs])
  const whole = (axis: typeof xAxis): { low: number; high: number } => ({
    low: axis.ends(0)[0],
    high: axis.ends(Math.max(0, axis.places - 1))[1],
  })
  const shares = [0, 0.25, 0.5, 0.75, 1]
  return (
    <FigureChart
      title={t`${measure.label} by ${across.label} and ${up.label}`}
      height={440}
      x={{ label: across.label, ...whole(xAxis) }}
      y={{ label: up.label, ...whole(yAxis) }}
      summary={t`from ${number(low)} to ${number(high)}`}
      legend={shares.map(share => ({ label: number(low + share * (high - low)), color: orderedColor(share, ink.dark) }))}
      marks={[
        {
          is: 'areas',
          areas: Array.from(cells, (mean, cell) => ({
            mean,
            column: xAxis.ends(cell % xAxis.places),
            row: yAxis.ends(Math.floor(cell / xAxis.places)),
          }))
            .filter(({ mean }) => !Number.isNaN(mean))
            .map(({ mean, column, row }) => ({
              x: column,
              y: row,
              color: orderedColor(high > low ? (mean - low) / (high - low) : 0.5, ink.dark),
              title: `${across.label} ${number((column[0] + column[1]) / 2)}, ${up.label} ${number((row[0] + row[1]) / 2)}: ${number(mean)}`,
            })),
          opacity: 1,
          ...(cells.length <= 400 ? { outline: ink.surface } : { gap: -0.5 }),
        },
      ]}
    />
  )
}
