// How the answer settles: the best point so far, the front's volume, or the mean with its interval, over the runs.
import { useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { convergence, intervalOf, scores, volumes } from '../../../../sim-engine/experiment.ts'
import { Pick } from '../pick.tsx'
import type { Shown } from '../shown.ts'
import { FigureChart } from '../../../charts/figure/FigureChart.tsx'
import { extentOf, type FigureMark } from '../../../charts/figure/figure.ts'
import { useInk } from '../../../charts/ink.ts'
import { useNumber } from '../useNumber.ts'

export function Convergence({ shown }: { shown: Shown }) {
  const { experiment, space } = shown.prepared
  if (experiment.type === 'monteCarlo') return <Means shown={shown} />
  return space.objectives > 1 ? <Several shown={shown} /> : <Single shown={shown} />
}

function Single({ shown }: { shown: Shown }) {
  const { t } = useLingui()
  const { prepared, results, version } = shown
  const [objective] = prepared.experiment.objectives
  const sign = prepared.experiment.type === 'optimization' && objective?.direction === 'max' ? -1 : 1
  const found = useMemo(
    () => ({
      best: convergence(prepared, results).map(value => (Number.isFinite(value) ? sign * value : NaN)),
      each: scores(prepared, results).map(({ objectives, violation }) => (violation > 0 ? NaN : sign * (objectives[0] ?? NaN))),
    }),
    // `version` says that the results changed inside.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [prepared, results, sign, version],
  )
  const name = prepared.experiment.type === 'calibration' ? t`Fit error` : objective?.name || objective?.expression || ''
  return (
    <div className="x-pane">
      <Steps title={t`${name}: best so far`} label={name} best={found.best} each={found.each} />
    </div>
  )
}

/** Of several objectives, the volume of the front, and each one's best so far. */
function Several({ shown }: { shown: Shown }) {
  const { t } = useLingui()
  const { prepared, results, version } = shown
  // `version` says that the results changed inside.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const all = useMemo(() => scores(prepared, results), [prepared, results, version])
  return (
    <div className="x-pane x-charts">
      <Volume shown={shown} />
      {prepared.experiment.objectives.map(({ id, name, expression, direction }, k) => {
        const sign = direction === 'max' ? -1 : 1
        let best = Infinity
        const label = name || expression
        const line = all.map(({ violation, objectives }) => {
          if (violation === 0) best = Math.min(best, objectives[k] ?? Infinity)
          return Number.isFinite(best) ? sign * best : NaN
        })
        return (
          <Steps
            key={id}
            title={t`${label}: best so far`}
            label={label}
            best={line}
            each={all.map(({ objectives, violation }) => (violation > 0 ? NaN : sign * (objectives[k] ?? NaN)))}
          />
        )
      })}
    </div>
  )
}

/** Moments at which the volume is worked out: it takes long with many objectives. */
const momentsOf = (objectives: number): number => (objectives <= 2 ? 100 : objectives === 3 ? 30 : 8)

function Volume({ shown }: { shown: Shown }) {
  const { t } = useLingui()
  const number = useNumber()
  const ink = useInk()
  const { prepared, results, version } = shown
  const line = useMemo(
    () => volumes(prepared, results, momentsOf(prepared.space.objectives)),
    // `version` says that the results changed inside.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [prepared, results, version],
  )
  const [low, high] = extentOf(line.map(({ volume }) => volume))
  return (
    <FigureChart
      title={t`Hypervolume of the front`}
      x={{ label: t`Points`, low: 0, high: Math.max(1, line.at(-1)?.points ?? 1) }}
      y={{ label: t`Hypervolume`, low, high }}
      summary={number(line.at(-1)?.volume ?? NaN)}
      marks={[{ is: 'line', points: line.map(({ points, volume }) => [points, volume]), color: ink.series(0) }]}
    />
  )
}

function Steps({ title, label, best, each }: { title: string; label: string; best: readonly number[]; each: readonly number[] }) {
  const { t } = useLingui()
  const number = useNumber()
  const ink = useInk()
  // The worst of random points would press the line flat.
  const sorted = Float64Array.from(each.filter(Number.isFinite)).sort()
  const inner = [...sorted.subarray(Math.floor(sorted.length * 0.05), Math.ceil(sorted.length * 0.95))]
  const [low, high] = extentOf([...best, ...inner])
  const step = Math.max(1, Math.floor(best.length / 4000))
  return (
    <FigureChart
      title={title}
      x={{ label: t`Points`, low: 0, high: Math.max(1, best.length) }}
      y={{ label, low, high }}
      summary={number(best.at(-1) ?? NaN)}
      legend={[
        { label: t`Best so far`, color: ink.series(0) },
        { label: t`Each point`, color: ink.faint },
      ]}
      marks={[
        {
          is: 'dots',
          points: each.flatMap((value, k) => (k % step === 0 && value >= low && value <= high ? [[k + 1, value] as const] : [])),
          color: ink.faint,
          size: 4,
          opacity: 0.5,
        },
        { is: 'line', points: best.map((value, k) => [k + 1, value]), color: ink.series(0) },
      ]}
    />
  )
}

function Means({ shown }: { shown: Shown }) {
  const { t } = useLingui()
  const number = useNumber()
  const ink = useInk()
  const { prepared, results, version } = shown
  const [measure, setMeasure] = useState(0)
  const lines = useMemo(
    () =>
      results.points.map((_, point) => {
        const values = results
          .runsOf(point)
          .filter(results.isKnown)
          .map(run => results.value(run, measure))
        const step = Math.max(1, Math.floor(values.length / 120))
        const places: number[] = []
        for (let n = 2; n <= values.length; n += step) places.push(n)
        return places.map(n => ({ ...intervalOf(values.slice(0, n), prepared.experiment.confidence), at: n }))
      }),
    // `version` says that the results changed inside.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [prepared, results, measure, version],
  )
  const names = results.points.map(({ alternative }) => prepared.alternatives[alternative]?.name ?? '')
  const label = results.measures[measure]?.label ?? ''
  const longest = Math.max(2, ...lines.map(line => line.at(-1)?.at ?? 0))
  // The first few intervals are so wide that the rest would be a line.
  const [low, high] = extentOf(
    lines.flatMap(line => line.slice(Math.min(line.length - 1, Math.ceil(line.length * 0.1))).flatMap(one => [one.low, one.high])),
  )
  const inside = (value: number): number => Math.min(high, Math.max(low, value))
  return (
    <div className="x-pane">
      <div className="x-line">
        <Pick
          label={t`Measure`}
          value={measure}
          onChange={setMeasure}
          options={results.measures.map((one, value) => ({ value, label: one.label }))}
        />
      </div>
      <FigureChart
        title={t`Mean of ${label} with its interval`}
        height={360}
        x={{ label: t`Replications`, low: 0, high: longest }}
        y={{ label, low, high }}
        summary={lines.map((line, k) => `${names[k]}: ${number(line.at(-1)?.mean ?? NaN)}`).join('; ')}
        legend={names.map((name, k) => ({ label: name, color: ink.series(k) }))}
        marks={lines.flatMap((line, k): FigureMark[] => [
          {
            is: 'band',
            points: line.map(one => ({ at: one.at, low: inside(one.low), high: inside(one.high) })),
            color: ink.series(k),
            opacity: 0.15,
          },
          { is: 'line', points: line.map(one => [one.at, inside(one.mean)]), color: ink.series(k) },
        ])}
      />
    </div>
  )
}
