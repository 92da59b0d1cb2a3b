// Any column against any other, one dot a run; or all decisions against all measures at once.
import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { someRuns, type ResultColumn } from '../columns.ts'
import { Pick } from '../pick.tsx'
import type { Shown } from '../shown.ts'
import { FigureChart } from '../../../charts/figure/FigureChart.tsx'
import { extentOf } from '../../../charts/figure/figure.ts'
import { useInk } from '../../../charts/ink.ts'

/** Dots in one chart. */
const mostDots = 6000

export function Scatter({ shown }: { shown: Shown }) {
  const { t } = useLingui()
  const { results, columns, version } = shown
  const usable = columns.filter(({ of, id }) => of === 'decision' || of === 'measure' || id === 'run')
  const decisions = usable.filter(({ of }) => of === 'decision')
  const measures = usable.filter(({ of }) => of === 'measure')
  const [how, setHow] = useState<'one' | 'matrix'>('one')
  const [xId, setX] = useState(decisions[0]?.id ?? 'run')
  const [yId, setY] = useState(measures[0]?.id ?? 'run')
  // `version` says that the results changed inside.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const runs = useMemo(() => someRuns(results, how === 'one' ? mostDots : 1500), [results, version, how])
  const of = (id: string): ResultColumn | undefined => usable.find(one => one.id === id) ?? usable[0]
  const options = usable.map(({ id, label }) => ({ value: id, label }))
  const [x, y] = [of(xId), of(yId)]
  const few = (all: readonly ResultColumn[]): readonly ResultColumn[] => all.slice(0, 5)
  return (
    <div className="x-pane">
      <div className="x-line">
        <Segmented
          size="small"
          value={how}
          onChange={setHow}
          options={[
            { value: 'one', label: t`Two axes` },
            { value: 'matrix', label: t`Matrix` },
          ]}
        />
        {how === 'one' && x && y && (
          <>
            <Pick label={t`Across`} value={x.id} onChange={setX} options={options} />
            <Pick label={t`Up`} value={y.id} onChange={setY} options={options} />
          </>
        )}
      </div>
      {how === 'one' && x && y && <Cloud x={x} y={y} runs={runs} height={420} />}
      {how === 'matrix' && (
        <div className="x-matrix" style={{ gridTemplateColumns: `repeat(${Math.max(1, few(decisions).length)}, minmax(180px, 1fr))` }}>
          {few(measures).flatMap(up =>
            few(decisions).map(across => <Cloud key={`${up.id} ${across.id}`} x={across} y={up} runs={runs} height={190} />),
          )}
        </div>
      )}
    </div>
  )
}

export function Cloud({ x, y, runs, height }: { x: ResultColumn; y: ResultColumn; runs: readonly number[]; height: number }) {
  const { t } = useLingui()
  const ink = useInk()
  const xs = runs.map(x.at)
  const ys = runs.map(y.at)
  const [xLow, xHigh] = extentOf(xs)
  const [yLow, yHigh] = extentOf(ys)
  return (
    <FigureChart
      title={t`${y.label} by ${x.label}`}
      height={height}
      x={{ label: x.label, low: xLow, high: xHigh }}
      y={{ label: y.label, low: yLow, high: yHigh }}
      summary={t`${plural(runs.length, { one: '# run', other: '# runs' })}`}
      marks={[
        {
          is: 'dots',
          points: xs.map((value, i) => [value, ys[i] ?? NaN]),
          color: ink.series(0),
          size: 5,
          opacity: runs.length > 800 ? 0.35 : 0.7,
        },
      ]}
    />
  )
}
