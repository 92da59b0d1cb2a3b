// Parallel coordinates: one line a point through all its decisions and measures, coloured by one of them; dragging along an axis keeps what passes.
import { useLingui } from '@lingui/react/macro'
import { Button } from 'antd'
import { useMemo, useState, type PointerEvent } from 'react'
import { formatNumber } from '../../charts/format.ts'
import { useLocale } from '../../i18n/locale.ts'
import { fontFamily } from '../../ui/theme.ts'
import { someRuns, type Column } from './columns.ts'
import { extentOf, Frame, lineOf, scaleOf, useInk } from './Frame.tsx'
import { Pick } from './pick.tsx'
import type { Shown } from './shown.ts'

const mostLines = 600
const mostAxes = 10
const [top, bottom] = [44, 366]

export function Parallel({ shown }: { shown: Shown }) {
  const { t } = useLingui()
  const language = useLocale()
  const ink = useInk()
  const { results, columns, version } = shown
  const axes = columns.filter(({ of }) => of === 'decision' || of === 'measure').slice(0, mostAxes)
  const [colourBy, setColour] = useState(axes.find(({ of }) => of === 'measure')?.id ?? '')
  const [kept, setKept] = useState<Readonly<Record<string, readonly [number, number]>>>({})
  const [drag, setDrag] = useState<{ id: string; from: number } | null>(null)
  // `version` says that the results changed inside.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const runs = useMemo(() => someRuns(results, mostLines), [results, version])
  const scales = new Map(axes.map(axis => [axis.id, scaleOf(...extentOf(runs.map(axis.at), 0), bottom, top)]))
  const colour = axes.find(({ id }) => id === colourBy)
  const colourScale = colour && scales.get(colour.id)
  const shade = (run: number): string => {
    if (!colour || !colourScale) return ink.series(0)
    const share = (colour.at(run) - colourScale.low) / (colourScale.high - colourScale.low)
    return `color-mix(in oklab, ${ink.series(1)} ${Math.round(share * 100)}%, ${ink.series(0)})`
  }
  const passes = (run: number): boolean =>
    Object.entries(kept).every(([id, [low, high]]) => {
      const axis = axes.find(one => one.id === id)
      const value = axis ? axis.at(run) : NaN
      return !axis || (value >= low && value <= high)
    })
  const valueAt = (axis: Column, event: PointerEvent<SVGRectElement>): number => {
    const scale = scales.get(axis.id)
    const box = event.currentTarget.getBoundingClientRect()
    const share = 1 - Math.min(1, Math.max(0, (event.clientY - box.top) / box.height))
    return scale ? scale.low + share * (scale.high - scale.low) : 0
  }
  const passing = runs.filter(passes)
  return (
    <div className="x-pane">
      <div className="x-line">
        <Pick label={t`Coloured by`} value={colourBy} onChange={setColour} options={axes.map(({ id, label }) => ({ value: id, label }))} />
        <span className="h-muted">{t`Drag along an axis to keep what passes there.`}</span>
        {Object.keys(kept).length > 0 && (
          <Button size="small" onClick={() => setKept({})}>
            {t`Show all`}
          </Button>
        )}
      </div>
      <div className="x-scroll">
        <div style={{ minWidth: axes.length * 92 }}>
          <Frame
            title={t`Parallel coordinates`}
            height={400}
            summary={t`${formatNumber(passing.length, language)} of ${formatNumber(runs.length, language)} lines`}
          >
            {({ width }) => {
              const at = (k: number): number => (axes.length === 1 ? width / 2 : 50 + (k * (width - 100)) / (axes.length - 1))
              return (
                <>
                  {runs.map(run => {
                    const on = passes(run)
                    return (
                      <path
                        key={run}
                        d={lineOf(axes.map((axis, k) => [at(k), scales.get(axis.id)?.(axis.at(run)) ?? NaN] as const))}
                        stroke={on ? shade(run) : ink.line}
                        strokeWidth={on ? 1.2 : 0.8}
                        opacity={on ? (passing.length > 200 ? 0.4 : 0.7) : 0.5}
                        fill="none"
                      />
                    )
                  })}
                  {axes.map((axis, k) => {
                    const scale = scales.get(axis.id)
                    const range = kept[axis.id]
                    return (
                      <g key={axis.id} fontFamily={fontFamily} fontSize="11" textAnchor="middle">
                        <line x1={at(k)} x2={at(k)} y1={top} y2={bottom} stroke={ink.lineStrong} />
                        <text x={at(k)} y={k % 2 === 0 ? 14 : 28} fill={ink.text} fontWeight="600">
                          {axis.label.length > 22 ? `${axis.label.slice(0, 21)}…` : axis.label}
                          <title>{axis.label}</title>
                        </text>
                        <text x={at(k)} y={top - 4} fill={ink.muted}>
                          {axis.names ? '' : formatNumber(Number((scale?.high ?? 0).toPrecision(4)), language)}
                        </text>
                        <text x={at(k)} y={bottom + 16} fill={ink.muted}>
                          {axis.names ? '' : formatNumber(Number((scale?.low ?? 0).toPrecision(4)), language)}
                        </text>
                        {range && scale && (
                          <rect
                            x={at(k) - 6}
                            width="12"
                            y={scale(range[1])}
                            height={Math.max(2, scale(range[0]) - scale(range[1]))}
                            fill={ink.accent}
                            opacity="0.35"
                          />
                        )}
                        <rect
                          x={at(k) - 14}
                          width="28"
                          y={top}
                          height={bottom - top}
                          fill="transparent"
                          style={{ cursor: 'ns-resize', touchAction: 'none' }}
                          onPointerDown={event => {
                            event.currentTarget.setPointerCapture(event.pointerId)
                            setDrag({ id: axis.id, from: valueAt(axis, event) })
                          }}
                          onPointerMove={event => {
                            if (drag?.id !== axis.id) return
                            const to = valueAt(axis, event)
                            setKept({ ...kept, [axis.id]: [Math.min(drag.from, to), Math.max(drag.from, to)] })
                          }}
                          onPointerUp={event => {
                            // A click, without dragging, lets the axis go.
                            if (drag && Math.abs(valueAt(axis, event) - drag.from) < ((scale?.high ?? 1) - (scale?.low ?? 0)) / 100)
                              setKept(Object.fromEntries(Object.entries(kept).filter(([id]) => id !== axis.id)))
                            setDrag(null)
                          }}
                        />
                      </g>
                    )
                  })}
                </>
              )
            }}
          </Frame>
        </div>
      </div>
    </div>
  )
}
