// How the values of a measure are spread over the runs: a histogram, and a box for each alternative.
import { useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { binsOf, boxOf } from '../../charts/figures.ts'
import { someRuns } from './columns.ts'
import { extentOf, Frame, useInk, useNumber } from './Frame.tsx'
import { Pick } from './pick.tsx'
import type { Shown } from './shown.ts'

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
        <Frame
          title={t`Histogram of ${label}`}
          x={{ label, low, high }}
          y={{ label: t`Runs`, low: 0, high: most * 1.05 }}
          summary={summary}
          {...(names.length > 1 ? { legend: names.map((name, k) => ({ label: name, color: ink.series(k) })) } : {})}
        >
          {({ x, y }) =>
            bins.counts.map((counts, k) =>
              counts.map((count, bin) => {
                const [from, to] = [bins.edges[bin] ?? 0, bins.edges[bin + 1] ?? 0]
                return count === 0 ? null : (
                  <rect
                    // Bins have no identity but their place.
                    // eslint-disable-next-line react/no-array-index-key
                    key={`${k} ${bin}`}
                    x={x(from) + 0.5}
                    width={Math.max(1, x(to) - x(from) - 1)}
                    y={y(count)}
                    height={y(0) - y(count)}
                    fill={ink.series(k)}
                    opacity={names.length > 1 ? 0.5 : 0.85}
                  >
                    <title>{`${number(from)} – ${number(to)}: ${number(count)}`}</title>
                  </rect>
                )
              }),
            )
          }
        </Frame>
        <Frame
          title={t`Spread of ${label}`}
          height={72 + 40 * names.length}
          x={{ label, low: boxLow, high: boxHigh }}
          rows={names}
          summary={summary}
        >
          {({ x, y }) =>
            boxes.map((box, k) =>
              box ? (
                <g key={`${k} ${names[k]}`} stroke={ink.series(k)} strokeWidth="1.500" fill="none">
                  <line x1={x(box.low)} x2={x(box.q1)} y1={y(k)} y2={y(k)} />
                  <line x1={x(box.q3)} x2={x(box.high)} y1={y(k)} y2={y(k)} />
                  <rect
                    x={x(box.q1)}
                    width={Math.max(1, x(box.q3) - x(box.q1))}
                    y={y(k) - 9}
                    height="18"
                    fill={ink.series(k)}
                    fillOpacity="0.25"
                  />
                  <line x1={x(box.median)} x2={x(box.median)} y1={y(k) - 9} y2={y(k) + 9} strokeWidth="2.500" />
                  <circle cx={x(box.mean)} cy={y(k)} r="2.500" fill={ink.series(k)} />
                </g>
              ) : null,
            )
          }
        </Frame>
      </div>
    </div>
  )
}
