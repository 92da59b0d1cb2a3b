// A problem where it is: what is wrong, its code, what mends it.
import type { Problem } from '../../sim-engine/problems.ts'
import { useWords } from '../i18n/locale.ts'
import { referenceOfProblem } from '../reference/link.ts'

export function ProblemLine({ problem }: { problem: Problem }) {
  const words = useWords()
  return (
    <p className="h-problem" data-severity={problem.severity} role="note">
      {words(problem.message)}{' '}
      <a className="h-num" href={referenceOfProblem(problem.code)} target="_blank" rel="noreferrer">
        {problem.code}
      </a>
      {words(problem.fix) !== '' && <span>{words(problem.fix)}</span>}
    </p>
  )
}
