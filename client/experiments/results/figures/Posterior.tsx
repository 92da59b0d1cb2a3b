// Approximate Bayesian computation: the distribution of each variable in the accepted samples, over its whole range.
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import { posterior } from '../../../../sim-engine/experiment.ts'
import { binsOf } from '../../../charts/figures.ts'
import type { Shown } from '../shown.ts'
import { FigureChart } from '../../../charts/figure/FigureChart.tsx'
import { histogramAreas } from '../../../charts/figure/figure.ts'
import { useInk } from '../../../charts/ink.ts'
import { useNumber } from '../useNumber.ts'

export function Posterior({ shown }: { shown: Shown }) {
  const { t } = useLingui()
  const number = useNumber()
  const ink = useInk()
  const { prepared, results, version } = shown
  // `version` says that the results changed inside.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const found = useMemo(() => posterior(prepared, results), [prepared, results, version])
  if (found === null)
    return (
      <p className="x-hint x-pane">
        <Trans>No sample has been run to the end yet.</Trans>
      </p>
    )
  return (
    <div className="x-pane">
      <p className="h-muted h-num">
        <Trans>
          <Plural value={found.accepted.length} one="# sample accepted" other="# samples accepted" />; error at most{' '}
          {number(found.tolerance)}
        </Trans>
      </p>
      <div className="x-charts">
        {results.decisions.map(({ id, label }, k) => {
          const values = found.accepted.map(point => Number(results.points[point]?.settings[k] ?? NaN))
          const bins = binsOf([values], Math.min(30, Math.max(6, Math.round(Math.sqrt(values.length)))))
          const counts = bins.counts[0] ?? []
          const domain = prepared.free[k]?.domain
          const [low, high] = domain && 'min' in domain ? [domain.min, domain.max] : [bins.edges[0] ?? 0, bins.edges.at(-1) ?? 1]
          const said = found.variables[k]
          const most = Math.max(1, ...counts) * 1.05
          return (
            <FigureChart
              key={id}
              title={label}
              height={240}
              x={{ label, low, high }}
              y={{ label: t`Samples`, low: 0, high: most }}
              summary={said ? `${number(said.mean)} (${number(said.q05)} – ${number(said.q95)})` : ''}
              marks={[
                { is: 'areas', areas: histogramAreas(bins.edges, counts, ink.series(k)), opacity: 0.8, gap: 1 },
                ...(said
                  ? [
                      {
                        is: 'segments' as const,
                        segments: [{ x: [said.mean, said.mean] as const, y: [0, most] as const, color: ink.text }],
                        width: 1,
                        isDashed: true,
                      },
                    ]
                  : []),
              ]}
            />
          )
        })}
      </div>
      <div className="x-scroll">
        <table className="x-figures">
          <caption>{t`Posterior`}</caption>
          <thead>
            <tr>
              <th scope="col">{t`Variable`}</th>
              <th scope="col">{t`Mean`}</th>
              <th scope="col">{t`Standard deviation`}</th>
              <th scope="col">{t`5% – 95%`}</th>
            </tr>
          </thead>
          <tbody>
            {found.variables.map(({ mean, std, q05, q95 }, k) => (
              <tr key={results.decisions[k]?.id}>
                <th scope="row">{results.decisions[k]?.label}</th>
                <td>{number(mean)}</td>
                <td>{number(std)}</td>
                <td>
                  {number(q05)} … {number(q95)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}
