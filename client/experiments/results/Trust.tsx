// How far to trust what was found: one page of intervals and plain sentences, to be read, printed and handed on.
import { DownloadOutlined, PrinterOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from 'antd'
import { useMemo } from 'react'
import { confidenceMarkdown, confidencePage } from '../../../sim-engine/experiment.ts'
import { useWords } from '../../i18n/locale.ts'
import { download } from '../../run/download.ts'
import type { Shown } from './shown.ts'
import { useNumber } from './useNumber.ts'
import { english } from '../../../model-schema/words.ts'

export function Trust({ shown: { prepared, results, version } }: { shown: Shown }) {
  const { t } = useLingui()
  const words = useWords()
  const number = useNumber()
  const page = useMemo(
    () => confidencePage(prepared, results),
    // `version` says that the results changed inside.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [prepared, results, version],
  )
  if (page === null) return null
  const { name } = prepared.experiment
  const short = (value: number): string => number(Number(value.toPrecision(5)))
  const bounds = (one: { low: number; high: number } | null): string =>
    one === null || !Number.isFinite(one.low) ? '–' : `${short(one.low)} … ${short(one.high)}`
  const isJoint = page.rows.some(({ joint }) => joint !== null)
  const save = (): void => {
    const text = confidenceMarkdown(name, page, words)
    download(new Blob([text], { type: 'text/markdown' }), `${name}.md`)
  }
  return (
    <div className="x-pane x-trust" data-testid="trust">
      {page.warnings.length > 0 && (
        <ul className="x-warned">
          {page.warnings.map(one => (
            <li key={english(one)}>{words(one)}</li>
          ))}
        </ul>
      )}
      <div className="x-scroll">
        <table className="x-figures">
          <caption>{t`Means and how well they are known`}</caption>
          <thead>
            <tr>
              <th scope="col">{t`Alternative`}</th>
              <th scope="col">{t`Measure`}</th>
              <th scope="col">{t`Runs`}</th>
              <th scope="col">{t`Mean`}</th>
              <th scope="col">{t`Interval`}</th>
              {isJoint && <th scope="col">{t`Joint interval`}</th>}
              <th scope="col">{t`Half-width / mean`}</th>
              <th scope="col">{t`Runs to see a difference of 5%`}</th>
            </tr>
          </thead>
          <tbody>
            {page.rows.map(({ alternative, measure, own, joint, relativeHalfWidth, runsToSee5Percent }) => (
              <tr key={`${alternative} ${measure}`}>
                <th scope="row">{alternative}</th>
                <td data-text>{measure}</td>
                <td>{number(own.n)}</td>
                <td>{own.n === 0 ? '–' : short(own.mean)}</td>
                <td>{bounds(own)}</td>
                {isJoint && <td>{bounds(joint)}</td>}
                <td>{relativeHalfWidth === null ? '–' : `${number(Number((100 * relativeHalfWidth).toPrecision(3)))}%`}</td>
                <td>{runsToSee5Percent === null ? '–' : number(runsToSee5Percent)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className="x-statements">
        {page.statements.map(one => (
          <li key={english(one)}>{words(one)}</li>
        ))}
      </ul>
      <div className="x-line x-trust-tools">
        <Button size="small" icon={<PrinterOutlined aria-hidden />} onClick={() => print()}>
          <Trans>Print</Trans>
        </Button>
        <Button size="small" icon={<DownloadOutlined aria-hidden />} onClick={save}>
          <Trans>Save as Markdown</Trans>
        </Button>
      </div>
    </div>
  )
}
