// A problem at its element: the message, the fix, the reason.
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

/** A link to the reference of a problem. Its number is shown only here. */
export function Why({ code }: { code: number }) {
  const { t } = useLingui()
  return (
    <a href={referenceOfProblem(code)} target="_blank" rel="noreferrer" title={String(code)}>
      {t`Why?`}
    </a>
  )
}
