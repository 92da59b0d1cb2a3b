// How the values of a measure are spread over the runs: a histogram, and a box for each alternative.
import { useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { binsOf, boxOf } from '../../../charts/figures.ts'
import type { BoxPlot } from '../../../charts/shelf/shapes.ts'
import { someRuns } from '../columns.ts'
import { Pick } from '../pick.tsx'
import type { Shown } from '../shown.ts'
import { FigureChart } from '../../../charts/figure/FigureChart.tsx'
import { extentOf, histogramAreas, type FigureMark } from '../../../charts/figure/figure.ts'
import { useInk } from '../../../charts/ink.ts'
import { useNumber } from '../useNumber.ts'

/** Values taken of each group at most: what a box shows does not change with more. */
const mostValues = 50_000

export function Distribution({ shown }: { shown: Shown }) {
  const { t } = useLingui()
  const number = useNumber()
  const ink = useInk()
  const { prepared, results, version } = shown
  const [measure, setMeasure] = useState(0)
  const groups = useMemo(() => {
    const all: number[][] = prepared.alternatives.map(() => [])
    for (const run of someRuns(results, mostValues)) {
      const value = results.value(run, measure)
      if (Number.isFinite(value)) all[results.points[results.pointOf(run)]?.alternative ?? 0]?.push(value)
    }
    return all
    // `version` says that the results changed inside.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [prepared, results, measure, version])
  const names = prepared.alternatives.map(({ name }) => name)
  const label = results.measures[measure]?.label ?? ''
  const bins = binsOf(groups, Math.min(40, Math.max(8, Math.round(Math.sqrt(groups[0]?.length ?? 0)))))
  const most = Math.max(1, ...bins.counts.flat())
  const [low, high] = [bins.edges[0] ?? 0, bins.edges.at(-1) ?? 1]
  const boxes = groups.map(boxOf)
  const [boxLow, boxHigh] = extentOf(groups.flat())
  const summary = boxes
    .map((box, k) => (box ? `${names[k]}: ${t`median`} ${number(box.median)}, ${number(box.q1)} – ${number(box.q3)}` : ''))
    .join('; ')
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
      <div className="x-charts">
        <FigureChart
          title={t`Histogram of ${label}`}
          x={{ label, low, high }}
          y={{ label: t`Runs`, low: 0, high: most * 1.05 }}
          summary={summary}
          {...(names.length > 1 ? { legend: names.map((name, k) => ({ label: name, color: ink.series(k) })) } : {})}
          marks={bins.counts.map((counts, k) => ({
            is: 'areas',
            areas: histogramAreas(
              bins.edges,
              counts,
              ink.series(k),
              bin => `${number(bins.edges[bin] ?? 0)} – ${number(bins.edges[bin + 1] ?? 0)}: ${number(counts[bin] ?? 0)}`,
            ),
            opacity: names.length > 1 ? 0.5 : 0.85,
            gap: 1,
          }))}
        />
        <FigureChart
          title={t`Spread of ${label}`}
          height={72 + 40 * names.length}
          x={{ label, low: boxLow, high: boxHigh }}
          rows={names}
          summary={summary}
          marks={boxes.flatMap((box, k) => (box ? rowBox(box, k, ink.series(k)) : []))}
        />
      </div>
    </div>
  )
}

/** Half the height of a box, as a share of its row. */
const halfBox = 0.22

/** A box lying in a row: whiskers, quartiles, the median and the mean. */
function rowBox(box: BoxPlot, row: number, color: string): FigureMark[] {
  const middle = [row, row] as const
  const sides = [row - halfBox, row + halfBox] as const
  const { low, q1, median, mean, q3, high } = box
  return [
    {
      is: 'segments',
      segments: [
        { x: [low, q1], y: middle, color },
        { x: [q3, high], y: middle, color },
      ],
      width: 1.5,
    },
    { is: 'areas', areas: [{ x: [q1, q3], y: sides, color }], opacity: 0.25 },
    {
      is: 'segments',
      segments: [
        { x: [q1, q3], y: [sides[0], sides[0]], color },
        { x: [q1, q3], y: [sides[1], sides[1]], color },
        { x: [q1, q1], y: sides, color },
        { x: [q3, q3], y: sides, color },
      ],
      width: 1.5,
    },
    { is: 'segments', segments: [{ x: [median, median], y: sides, color }], width: 2.5 },
    { is: 'dots', points: [[mean, row]], color, size: 5 },
  ]
}
