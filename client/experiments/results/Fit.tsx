// Calibration: the model at its best point against the data, held-out data separately; which variables the data hardly determines.
import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import { bestFit, unidentified } from '../../../sim-engine/experiment.ts'
import type { Shown } from './shown.ts'
import { FigureChart } from '../../charts/figure/FigureChart.tsx'
import { extentOf, type FigureMark } from '../../charts/figure/figure.ts'
import { useInk } from '../../charts/ink.ts'
import { useNumber, useValue } from './useNumber.ts'
import { listNow } from '../../i18n/list.ts'

export function Fit({ shown }: { shown: Shown }) {
  const { t } = useLingui()
  const number = useNumber()
  const shownValue = useValue()
  const ink = useInk()
  const { prepared, results, version } = shown
  const found = useMemo(
    () => ({ best: bestFit(prepared, results), vague: unidentified(prepared, results) }),
    // `version` says that the results changed inside.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [prepared, results, version],
  )
  const { best } = found
  if (best === null)
    return (
      <p className="x-hint x-pane">
        <Trans>No point has been run to the end yet.</Trans>
      </p>
    )
  const mean = (measure: number): number => {
    const values = results.valuesAt(best.point, measure)
    return values.reduce((sum, value) => sum + value, 0) / values.length
  }
  const vague = listNow(found.vague.map(({ variable }) => prepared.free[variable]?.name ?? ''))
  return (
    <div className="x-pane">
      {vague !== '' && (
        <p className="h-problem" data-severity="warning" role="status">
          <Trans>The data says little about {vague}: moved by a tenth of the range, the model fits as well.</Trans>
        </p>
      )}
      <div className="x-charts">
        {prepared.experiment.series.map(({ id, name, expression, data }, s) => {
          const label = name || expression
          const first = prepared.measured.series[s] ?? 0
          const model = data.map((_, i) => mean(first + i))
          const [low, high] = extentOf([...data.map(({ value }) => value), ...model], 0.08)
          const [from, to] = extentOf(data.map(({ at }) => at))
          return (
            <FigureChart
              key={id}
              title={label}
              height={320}
              x={{ label: t`Time`, low: from, high: to }}
              y={{ label, low, high }}
              summary={data.map(({ at, value }, i) => `${number(at)}: ${number(value)} / ${number(model[i] ?? NaN)}`).join('; ')}
              legend={[
                { label: t`Model at its best`, color: ink.series(0) },
                { label: t`Data`, color: ink.series(1) },
                ...(data.some(({ heldOut }) => heldOut) ? [{ label: t`Held out`, color: ink.series(2) }] : []),
              ]}
              marks={[
                { is: 'line', points: data.map(({ at }, i) => [at, model[i] ?? NaN]), color: ink.series(0) },
                ...[false, true].map((held): FigureMark => {
                  const some = data.filter(({ heldOut }) => heldOut === held)
                  return {
                    is: 'dots',
                    points: some.map(({ at, value }) => [at, value]),
                    color: held ? ink.surface : ink.series(1),
                    ring: ink.series(held ? 2 : 1),
                    size: 9,
                    titles: some.map(({ at, value }) => `${number(at)}: ${number(value)}`),
                  }
                }),
              ]}
            />
          )
        })}
      </div>
      <div className="x-scroll">
        <table className="x-figures">
          <caption>{t`Best fit`}</caption>
          <tbody>
            {results.decisions.map(({ id, label }, k) => {
              const value = results.points[best.point]?.settings[k]
              return (
                <tr key={id}>
                  <th scope="row">{label}</th>
                  <td>{shownValue(value)}</td>
                </tr>
              )
            })}
            <tr>
              <th scope="row">{t`Fit error`}</th>
              <td>{number(best.loss.fitted)}</td>
            </tr>
            {!Number.isNaN(best.loss.heldOut) && (
              <tr>
                <th scope="row">{t`Error on what was held out`}</th>
                <td>{number(best.loss.heldOut)}</td>
              </tr>
            )}
          </tbody>
        </table>
      </div>
    </div>
  )
}
