// Exploring by hand: a slider for each variable, the model run at each position, what was seen before shown at once.
import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Segmented, Slider } from 'antd'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { Prepared } from '../../../sim-engine/experiment.ts'
import { explorerOf, type PositionResults } from '../explorer.ts'
import { middleOf } from '../trial.ts'
import { useConducting } from '../scope.ts'
import { Pick } from './pick.tsx'
import { FigureChart } from '../../charts/figure/FigureChart.tsx'
import { extentOf } from '../../charts/figure/figure.ts'
import { useInk } from '../../charts/ink.ts'
import { useNumber, useValue } from './useNumber.ts'

export function Live() {
  const preparation = useConducting(state => state.preparation)
  if (!preparation?.ok)
    return (
      <p className="x-hint x-pane">
        <Trans>The plan has problems: mend them, and the sliders appear here.</Trans>
      </p>
    )
  if (preparation.prepared.free.length === 0)
    return (
      <p className="x-hint x-pane">
        <Trans>Add a decision variable to the plan: it becomes a slider.</Trans>
      </p>
    )
  return <Sliders prepared={preparation.prepared} />
}

function Sliders({ prepared }: { prepared: Prepared }) {
  const { t } = useLingui()
  const shownValue = useValue()
  const ink = useInk()
  const explorer = useMemo(() => explorerOf(prepared), [prepared])
  useEffect(() => explorer.open(), [explorer])
  const [kept, setKept] = useState<readonly number[]>(() => [...(explorer.at() ?? [])])
  const middle = useMemo(() => middleOf(prepared), [prepared])
  const point = useMemo(
    () =>
      Float64Array.from(prepared.space.domains, (domain, k) => {
        const value = kept[k] ?? middle[k] ?? 0
        const [low, high] = domain.as === 'choice' ? [0, domain.count - 1] : [domain.low, domain.high]
        return Math.min(high, Math.max(low, value))
      }),
    [prepared, kept, middle],
  )
  const seen = useSyncExternalStore(explorer.watch, explorer.seen)
  const [axis, setAxis] = useState(0)
  const [measure, setMeasure] = useState(0)
  useEffect(() => explorer.visit(point), [explorer, point])
  const here = seen.get(explorer.placeOf(point))
  const { settings } = prepared.inputsOf(point)
  const replications = prepared.experiment.replications
  const label = prepared.measures[measure]?.label ?? ''
  const said = here?.intervals[measure]
  const dots = [...seen.values()].flatMap(one => {
    const said = one.intervals[measure]
    return said && Number.isFinite(said.mean) ? [{ at: Number(one.settings[axis] ?? NaN), ...said }] : []
  })
  const [xLow, xHigh] = extentOf(
    dots.map(({ at }) => at),
    0.08,
  )
  const [yLow, yHigh] = extentOf(
    dots.flatMap(({ mean, low, high }) => [mean, ...[low, high].filter(Number.isFinite)]),
    0.08,
  )
  return (
    <div className="x-pane x-live">
      <div className="x-sliders">
        {prepared.free.map(({ id, name }, k) => {
          const domain = prepared.space.domains[k]
          if (!domain) return null
          const set = (value: number): void => setKept(Array.from(point, (now, i) => (i === k ? value : now)))
          return (
            <div className="x-slider" key={id}>
              <span>
                <label htmlFor={`slider-${id}`}>{name}</label>
                <strong className="h-num">{shownValue(settings[k])}</strong>
              </span>
              {domain.as === 'choice' && domain.count <= 6 ? (
                <Segmented
                  block
                  size="small"
                  aria-label={name}
                  value={point[k] ?? 0}
                  onChange={set}
                  options={Array.from({ length: domain.count }, (_, value) => ({
                    value,
                    label: shownValue(prepared.inputsOf(Float64Array.from(point, (now, i) => (i === k ? value : now))).settings[k]),
                  }))}
                />
              ) : (
                <Slider
                  id={`slider-${id}`}
                  min={domain.as === 'choice' ? 0 : domain.low}
                  max={domain.as === 'choice' ? domain.count - 1 : domain.high}
                  step={domain.as === 'real' ? (domain.high - domain.low) / 100 : 1}
                  value={point[k] ?? 0}
                  onChange={set}
                  tooltip={{ open: false }}
                  ariaLabelForHandle={name}
                />
              )}
            </div>
          )
        })}
      </div>
      <div className="x-readout" aria-live="polite">
        {here?.forbidden ? (
          <p className="h-problem" data-severity="warning">
            <Trans>The constraints on inputs forbid this position.</Trans>
          </p>
        ) : (
          <Readout seen={here} labels={prepared.measures.map(one => one.label)} replications={replications} />
        )}
      </div>
      {dots.length > 0 && (
        <>
          <div className="x-line">
            <Pick
              label={t`Across`}
              value={axis}
              onChange={setAxis}
              options={prepared.free.map(({ name }, value) => ({ value, label: name }))}
            />
            <Pick
              label={t`Up`}
              value={measure}
              onChange={setMeasure}
              options={prepared.measures.map((one, value) => ({ value, label: one.label }))}
            />
          </div>
          <FigureChart
            title={t`${label} where you have been`}
            x={{ label: prepared.free[axis]?.name ?? '', low: xLow, high: xHigh }}
            y={{ label, low: yLow, high: yHigh }}
            summary={t`${plural(dots.length, { one: '# position', other: '# positions' })}`}
            marks={[
              {
                is: 'segments',
                segments: dots.map(({ at, low, high }) => ({ x: [at, at], y: [low, high], color: ink.series(0) })),
                width: 2,
                opacity: 0.3,
              },
              { is: 'dots', points: dots.map(({ at, mean }) => [at, mean]), color: ink.series(0), size: 7, opacity: 0.75 },
              ...(said
                ? [
                    {
                      is: 'dots' as const,
                      points: [[Number(here?.settings[axis]), said.mean] as const],
                      color: 'transparent',
                      ring: ink.series(1),
                      size: 15,
                    },
                  ]
                : []),
            ]}
          />
        </>
      )}
    </div>
  )
}

function Readout({ seen, labels, replications }: { seen: PositionResults | undefined; labels: readonly string[]; replications: number }) {
  const { t } = useLingui()
  const number = useNumber()
  return (
    <>
      <dl>
        {labels.map((label, k) => {
          const said = seen?.intervals[k]
          return (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="h-num">
                {said && said.n > 0 ? number(said.mean) : '–'}
                {said && Number.isFinite(said.low) && <small>± {number(Number((said.high - said.mean).toPrecision(3)))}</small>}
              </dd>
            </div>
          )
        })}
      </dl>
      <p className="h-muted h-num">
        {seen?.done === replications
          ? t`${plural(replications, { one: '# run at this position', other: '# runs at this position' })}`
          : t`${number(seen?.done ?? 0)} of ${number(replications)} runs …`}
        {seen !== undefined && seen.failed > 0 && <span className="x-bad"> {t`${number(seen.failed)} failed`}</span>}
      </p>
    </>
  )
}
