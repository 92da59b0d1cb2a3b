// Parallel coordinates: one line a point through all its decisions and measures, coloured by one of them; dragging along an axis keeps what passes.
import { useLingui } from '@lingui/react/macro'
import { Button } from 'antd'
import { useCallback, useMemo, useState } from 'react'
import { mixedColor } from '../../../charts/colors.ts'
import { OptionChart } from '../../../charts/figure/FigureChart.tsx'
import { extentOf } from '../../../charts/figure/figure.ts'
import { parallelOption, passesIntervals, type AxisIntervals } from '../../../charts/figure/parallel.ts'
import { formatNumber } from '../../../charts/format.ts'
import { useInk } from '../../../charts/ink.ts'
import { useLocale } from '../../../i18n/locale.ts'
import { someRuns } from '../columns.ts'
import { Pick } from '../pick.tsx'
import type { Shown } from '../shown.ts'

const mostLines = 600
const mostAxes = 10

export function Parallel({ shown }: { shown: Shown }) {
  const { t } = useLingui()
  const language = useLocale()
  const ink = useInk()
  const { results, columns, version } = shown
  const axes = useMemo(() => columns.filter(({ of }) => of === 'decision' || of === 'measure').slice(0, mostAxes), [columns])
  const [colourBy, setColour] = useState(axes.find(({ of }) => of === 'measure')?.id ?? '')
  const [kept, setKept] = useState<AxisIntervals>({})
  // Clearing the selections makes a new chart.
  const [cleared, setCleared] = useState(0)
  const lines = useMemo(
    () => someRuns(results, mostLines).map(run => axes.map(axis => axis.at(run))),
    // `version` says that the results changed inside.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [results, axes, version],
  )
  const option = useCallback(() => {
    const extents = axes.map((_, k) =>
      extentOf(
        lines.map(values => values[k] ?? NaN),
        0,
      ),
    )
    const place = axes.findIndex(({ id }) => id === colourBy)
    const [low, high] = extents[place] ?? [0, 1]
    const colorOf = (values: readonly number[]): string =>
      place < 0 ? ink.series(0) : mixedColor(ink.series(0), ink.series(1), high > low ? ((values[place] ?? low) - low) / (high - low) : 0.5)
    return parallelOption(
      axes.map(({ id, label, names }, k) => ({
        id,
        label,
        isNames: names !== null,
        low: extents[k]?.[0] ?? 0,
        high: extents[k]?.[1] ?? 1,
      })),
      lines.map(values => ({ values, color: colorOf(values) })),
      ink,
      value => formatNumber(value, language),
    )
  }, [axes, lines, colourBy, ink, language])
  const select = useCallback((axis: string, intervals: AxisIntervals[string]) => setKept(before => ({ ...before, [axis]: intervals })), [])
  const passing = lines.filter(values => passesIntervals(values, axes, kept)).length
  return (
    <div className="x-pane">
      <div className="x-line">
        <Pick label={t`Coloured by`} value={colourBy} onChange={setColour} options={axes.map(({ id, label }) => ({ value: id, label }))} />
        <span className="h-muted">{t`Drag along an axis to keep what passes there.`}</span>
        {Object.values(kept).some(intervals => intervals.length > 0) && (
          <Button
            size="small"
            onClick={() => {
              setKept({})
              setCleared(cleared + 1)
            }}
          >
            {t`Show all`}
          </Button>
        )}
      </div>
      <div className="x-scroll">
        <div style={{ minWidth: axes.length * 92 }}>
          <OptionChart
            key={`${cleared} ${axes.map(({ id }) => id).join(' ')}`}
            title={t`Parallel coordinates`}
            height={400}
            summary={t`${formatNumber(passing, language)} of ${formatNumber(lines.length, language)} lines`}
            option={option}
            onAxisSelect={select}
          />
        </div>
      </div>
    </div>
  )
}
