// A problem where it is: what is wrong, what mends it, why.
import { useLingui } from '@lingui/react/macro'
import type { Problem } from '../../sim-engine/problems.ts'
import { useWords } from '../i18n/locale.ts'
import { referenceOfProblem } from '../reference/link.ts'
import { toneOf } from './problems.ts'

export function ProblemLine({ problem }: { problem: Problem }) {
  const words = useWords()
  return (
    <p className="h-problem" data-severity={toneOf(problem)} role="note">
      {words(problem.message)} {words(problem.fix) !== '' && <span>{words(problem.fix)} </span>}
      <Why code={problem.code} />
    </p>
  )
}

/** A link to what the reference says of a problem. Its number is said nowhere else. */
export function Why({ code }: { code: number }) {
  const { t } = useLingui()
  return (
    <a href={referenceOfProblem(code)} target="_blank" rel="noreferrer" title={String(code)}>
      {t`Why?`}
    </a>
  )
}
