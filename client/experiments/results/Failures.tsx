// Runs that failed: what, where, with which seed; each can be opened in the model editor.
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button } from 'antd'
import { useWords } from '../../i18n/locale.ts'
import { referenceOfProblem } from '../../reference/link.ts'
import { useExperiment } from '../scope.ts'
import { openRun } from './open.ts'
import type { Shown } from './shown.ts'
import { Warned } from './Warned.tsx'
import { useNumber } from './useNumber.ts'

export function Failures({ shown }: { shown: Shown }) {
  const { t } = useLingui()
  const words = useWords()
  const number = useNumber()
  const scope = useExperiment()
  const { prepared, results } = shown
  return (
    <div className="x-pane">
      <p>
        <Plural value={results.failed} one="# run failed." other="# runs failed." />{' '}
        <Trans>The experiment goes on without them; each can be made again, exactly.</Trans>
      </p>
      <Warned shown={shown} />
      <div className="x-scroll">
        <table className="x-figures">
          <caption>{results.failures.length < results.failed ? t`The first ${results.failures.length}` : t`Failures`}</caption>
          <thead>
            <tr>
              <th scope="col">{t`Run`}</th>
              <th scope="col">{t`Seed`}</th>
              <th scope="col">{t`Code`}</th>
              <th scope="col" data-text>
                {t`Message`}
              </th>
              <th aria-hidden="true" />
            </tr>
          </thead>
          <tbody>
            {results.failures.map(({ run, problem }) => (
              <tr key={run}>
                <td>{number(run)}</td>
                <td>{String(results.seedOf(run))}</td>
                <td>
                  <a href={referenceOfProblem(problem.code)} target="_blank" rel="noreferrer">
                    {problem.code}
                  </a>
                </td>
                <td data-text>{words(problem.message)}</td>
                <td>
                  <Button size="small" onClick={() => openRun(scope, prepared, results, run)}>
                    <Trans>Open this run</Trans>
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}
