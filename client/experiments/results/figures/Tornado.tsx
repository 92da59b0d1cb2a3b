// Sensitivity: what each variable does to a measure, the strongest on top. Morris: mean absolute effects; Sobol: first-order and total indices.
import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { effects, indices } from '../../../../sim-engine/experiment.ts'
import { Pick } from '../pick.tsx'
import type { Shown } from '../shown.ts'
import { FigureChart } from '../../../charts/figure/FigureChart.tsx'
import type { FigureMark } from '../../../charts/figure/figure.ts'
import { useInk } from '../../../charts/ink.ts'
import { useNumber } from '../useNumber.ts'

export function Tornado({ shown }: { shown: Shown }) {
  const { t } = useLingui()
  const { prepared, results, version } = shown
  const [measure, setMeasure] = useState(0)
  const found = useMemo(
    () => ({ morris: effects(prepared, results)?.[measure], sobol: indices(prepared, results)?.[measure] }),
    // `version` says that the results changed inside.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [prepared, results, measure, version],
  )
  const names = results.decisions.map(({ label }) => label)
  const bars =
    found.morris?.map((one, k) => ({
      name: names[k] ?? '',
      marks: [{ value: one.absolute, low: Math.max(0, one.absolute - 2 * one.error), high: one.absolute + 2 * one.error }],
      more: [one.mean, one.absolute, one.std],
    })) ??
    found.sobol?.map((one, k) => ({
      name: names[k] ?? '',
      marks: [
        { value: one.total, low: one.totalInterval[0], high: one.totalInterval[1] },
        { value: one.first, low: one.firstInterval[0], high: one.firstInterval[1] },
      ],
      more: [one.first, one.total, one.total - one.first],
    }))
  const label = results.measures[measure]?.label ?? ''
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
      {bars ? (
        <Bars
          bars={bars.toSorted((a, b) => (b.marks[0]?.value ?? 0) - (a.marks[0]?.value ?? 0))}
          title={found.sobol ? t`Sobol indices of ${label}` : t`Effects on ${label}`}
          axis={found.sobol ? t`Share of the variance` : t`Mean absolute effect over the whole range`}
          legend={found.sobol ? [t`Total`, t`First order`] : [t`Effect`]}
          heads={found.sobol ? [t`First order`, t`Total`, t`Together with others`] : [t`Mean`, t`Absolute mean`, t`Standard deviation`]}
        />
      ) : (
        <p className="x-hint">
          <Trans>Enough runs for a first figure are not there yet.</Trans>
        </p>
      )}
      <p className="x-hint">
        {found.sobol
          ? t`First order: what the variable does alone. Total: with all it does together with others.`
          : t`A standard deviation as large as the effect says that the effect depends on the other variables, or is not linear.`}
      </p>
    </div>
  )
}

/** Pixels from one variable to the next. */
const rowPitch = 36

type Bar = { name: string; marks: readonly { value: number; low: number; high: number }[]; more: readonly number[] }

function Bars({
  bars,
  title,
  axis,
  legend,
  heads,
}: {
  bars: readonly Bar[]
  title: string
  axis: string
  legend: readonly string[]
  heads: readonly string[]
}) {
  const { t } = useLingui()
  const number = useNumber()
  const ink = useInk()
  const ends = bars.flatMap(({ marks }) => marks.flatMap(({ value, low, high }) => [value, low, high])).filter(Number.isFinite)
  const [least, most] = [Math.min(0, ...ends), Math.max(0, ...ends) * 1.04 || 1]
  return (
    <>
      <FigureChart
        title={title}
        height={64 + rowPitch * bars.length}
        x={{ label: axis, low: least, high: most }}
        rows={bars.map(({ name }) => name)}
        summary={bars.map(({ name, marks }) => `${name} ${number(marks[0]?.value ?? NaN)}`).join('; ')}
        {...(legend.length > 1 ? { legend: legend.map((label, k) => ({ label, color: ink.series(k) })) } : {})}
        marks={legend.flatMap((series, k): FigureMark[] => {
          const of = bars.flatMap(({ name, marks }, row) => {
            const one = marks[k]
            if (!one) return []
            const at = row + (marks.length === 1 ? 0 : (k === 0 ? -6 : 6) / rowPitch)
            return [{ ...one, at, title: `${name}, ${series}: ${number(one.value)} (${number(one.low)} – ${number(one.high)})` }]
          })
          const half = (legend.length === 1 ? 16 : 11) / 2 / rowPitch
          return [
            {
              is: 'areas',
              areas: of.map(({ at, value, title }) => ({ x: [0, value], y: [at - half, at + half], color: ink.series(k), title })),
              opacity: 0.8,
            },
            {
              is: 'segments',
              segments: of.map(({ at, low, high, title }) => ({ x: [low, high], y: [at, at], color: ink.text, title })),
              width: 1.2,
              ends: true,
            },
          ]
        })}
      />
      <div className="x-scroll">
        <table className="x-figures">
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{t`Variable`}</th>
              {heads.map(head => (
                <th scope="col" key={head}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map(({ name, more }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {more.map((value, k) => (
                  <td key={heads[k]}>{number(value)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
