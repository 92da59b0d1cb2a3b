// A problem where it is: what is wrong, its code, what mends it.
import { useLingui } from '@lingui/react/macro'
import type { Problem } from '../../sim-engine/problems.ts'
import { useWords } from '../i18n/locale.ts'
import { referenceOfProblem } from '../reference/link.ts'
import { toneOf } from './problems.ts'

export function ProblemLine({ problem }: { problem: Problem }) {
  const { t } = useLingui()
  const words = useWords()
  return (
    <p className="h-problem" data-severity={toneOf(problem)} role="note">
      {words(problem.message)} {words(problem.fix) !== '' && <span>{words(problem.fix)} </span>}
      <a href={referenceOfProblem(problem.code)} target="_blank" rel="noreferrer" title={String(problem.code)}>
        {t`Why?`}
      </a>
    </p>
  )
}
