// Optimisation: the best point, or with several objectives the points no other is better than, as a chart with picked axes and as a table.
import { plural } from '@lingui/core/macro'
import { ExportOutlined } from '@ant-design/icons'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { front, frontVolume, mostRuns, scores, type Prepared } from '../../../../sim-engine/experiment.ts'
import { useExperiment } from '../../scope.ts'
import { someRuns } from '../columns.ts'
import { openRun } from '../open.ts'
import { asWritten, objectiveName } from '../objectives.ts'
import { Pick } from '../pick.tsx'
import { Cloud } from './Scatter.tsx'
import type { Shown } from '../shown.ts'
import { FigureChart } from '../../../charts/figure/FigureChart.tsx'
import { extentOf } from '../../../charts/figure/figure.ts'
import { useInk } from '../../../charts/ink.ts'
import { useNumber, useValue } from '../useNumber.ts'

export function Front({ shown }: { shown: Shown }) {
  const number = useNumber()
  const { prepared, results, version } = shown
  const count = prepared.space.objectives
  const found = useMemo(
    () => ({
      best: front(prepared, results),
      all: scores(prepared, results),
      volume: count > 1 ? frontVolume(prepared, results) : null,
    }),
    // `version` says that the results changed inside.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [prepared, results, count, version],
  )
  if (found.best.length === 0)
    return (
      <p className="x-hint x-pane">
        <Trans>No point has been run to the end yet.</Trans>
      </p>
    )
  return (
    <div className="x-pane">
      {found.best.every(({ violation }) => violation > 0) && (
        <p className="h-problem" data-severity="warning" role="status">
          <Trans>No point holds all constraints yet; shown is what comes nearest.</Trans>
        </p>
      )}
      {found.best.some(({ point }) => results.runsOf(point).length > mostRuns(prepared)) && (
        <p className="x-hint" role="status">
          <Trans>
            The best points were run {number(prepared.experiment.confirmations)} more times with other seeds; shown is what they were worth
            then.
          </Trans>
        </p>
      )}
      {count > 1 && <ParetoFront prepared={prepared} found={found} />}
      <BestPoints shown={shown} best={found.best} />
      {count === 1 && <AlongDecisions shown={shown} />}
    </div>
  )
}

type Best = ReturnType<typeof front>
type Found = { best: Best; all: ReturnType<typeof scores>; volume: number | null }

const namesOf = (prepared: Prepared): { value: number; label: string }[] =>
  Array.from({ length: prepared.space.objectives }, (_, k) => ({ value: k, label: objectiveName(prepared, k) }))

/** Two objectives against each other; which two can be picked where there are more. */
function ParetoFront({ prepared, found }: { prepared: Prepared; found: Found }) {
  const { t } = useLingui()
  const number = useNumber()
  const ink = useInk()
  const [across, setAcross] = useState(0)
  const [up, setUp] = useState(1)
  const names = namesOf(prepared)
  const pair = (objectives: readonly number[]): [number, number] => [
    asWritten(prepared, across, objectives[across] ?? NaN),
    asWritten(prepared, up, objectives[up] ?? NaN),
  ]
  const others = found.all.filter(({ violation }) => violation === 0).map(({ objectives }) => pair(objectives))
  const best = found.best.map(({ objectives }) => pair(objectives))
  // A few bad points far away would press the front into a corner.
  const spread = (k: 0 | 1): [number, number] => {
    const values = Float64Array.from(others.map(one => one[k]).filter(Number.isFinite)).sort()
    return extentOf([...best.map(one => one[k]), ...values.subarray(Math.floor(values.length * 0.05), Math.ceil(values.length * 0.95))])
  }
  const [xLow, xHigh] = spread(0)
  const [yLow, yHigh] = spread(1)
  return (
    <>
      {names.length > 2 && (
        <div className="x-line">
          <Pick label={t`Across`} value={across} onChange={setAcross} options={names} />
          <Pick label={t`Up`} value={up} onChange={setUp} options={names} />
        </div>
      )}
      <FigureChart
        title={t`Pareto front`}
        height={380}
        x={{ label: names[across]?.label ?? '', low: xLow, high: xHigh }}
        y={{ label: names[up]?.label ?? '', low: yLow, high: yHigh }}
        summary={t`${plural(best.length, { one: '# point no other is better than', other: '# points no other is better than' })}`}
        legend={[
          { label: t`No other is better`, color: ink.series(1) },
          { label: t`All points`, color: ink.faint },
        ]}
        marks={[
          {
            is: 'dots',
            points: others.filter(([a, b]) => a >= xLow && a <= xHigh && b >= yLow && b <= yHigh),
            color: ink.faint,
            size: 4,
            opacity: 0.5,
          },
          {
            is: 'dots',
            points: best,
            color: ink.series(1),
            ring: ink.surface,
            size: 10,
            titles: best.map(([a, b]) => `${names[across]?.label} ${number(a)}, ${names[up]?.label} ${number(b)}`),
          },
        ]}
      />
      <p className="h-muted h-num">
        <Plural value={best.length} one="# point" other="# points" />
        {' · '}
        <Trans>hypervolume {number(found.volume ?? NaN)}</Trans>
      </p>
    </>
  )
}

function BestPoints({ shown: { prepared, results }, best }: { shown: Shown; best: Best }) {
  const { t } = useLingui()
  const number = useNumber()
  const shownValue = useValue()
  const scope = useExperiment()
  const names = namesOf(prepared)
  return (
    <div className="x-scroll">
      <table className="x-figures">
        <caption>{names.length > 1 ? t`Points of the front` : t`Best point`}</caption>
        <thead>
          <tr>
            {results.decisions.map(({ id, label }) => (
              <th scope="col" key={id}>
                {label}
              </th>
            ))}
            {names.map(({ value, label }) => (
              <th scope="col" key={value}>
                {label}
              </th>
            ))}
            <th aria-hidden="true" />
          </tr>
        </thead>
        <tbody>
          {best.slice(0, 200).map(({ point, objectives }, rank) => (
            // The best row stays, and with it the focus, when a better point takes its place.
            <tr key={names.length > 1 ? point : rank}>
              {results.points[point]?.settings.map((value, k) => (
                <td key={results.decisions[k]?.id}>{shownValue(value)}</td>
              ))}
              {objectives.map((value, k) => (
                <td key={names[k]?.label}>
                  <strong>{number(asWritten(prepared, k, value))}</strong>
                </td>
              ))}
              <td data-open>
                <Button
                  size="small"
                  type="link"
                  icon={<ExportOutlined aria-hidden />}
                  aria-label={t`Open this run`}
                  title={t`Open this run`}
                  onClick={() => openRun(scope, prepared, results, results.runsOf(point)[0] ?? 0)}
                >
                  {t`Open this run`}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The one objective over each variable that is decided. */
function AlongDecisions({ shown: { prepared, results, columns, version } }: { shown: Shown }) {
  const objective = columns.find(({ id }) => id === results.measures[prepared.measured.objectives[0] ?? -1]?.id)
  // `version` says that the results changed inside.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const runs = useMemo(() => someRuns(results, 3000), [results, version])
  if (!objective) return null
  return (
    <div className="x-charts">
      {columns
        .filter(({ of }) => of === 'decision')
        .map(decision => (
          <Cloud key={decision.id} x={decision} y={objective} runs={runs} height={260} />
        ))}
    </div>
  )
}
