// Reservations about the figures of an experiment, in the words of its report.
import { useMemo } from 'react'
import { warningsOf } from '../../../sim-engine/experiment.ts'
import { useWords } from '../../i18n/locale.ts'
import type { Shown } from './shown.ts'
import { english } from '../../../model-schema/words.ts'

export function Warned({ shown: { prepared, results, version } }: { shown: Shown }) {
  const words = useWords()
  const found = useMemo(
    () => warningsOf(prepared, results),
    // `version` says that the results changed inside.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [prepared, results, version],
  )
  if (found.length === 0) return null
  return (
    <ul className="x-warned" data-testid="warnings">
      {found.map(({ words: said }) => (
        <li key={english(said)}>{words(said)}</li>
      ))}
    </ul>
  )
}
