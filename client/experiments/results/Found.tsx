// The finding above the first tab of the results.
import { BulbOutlined } from '@ant-design/icons'
import { useMemo } from 'react'
import { useWords } from '../../i18n/locale.ts'
import { findingOf, type Finding } from './finding.ts'
import type { Shown } from './shown.ts'
import { useNumber, useValue } from './useNumber.ts'

/** One sentence after another; a full stop of Chinese has its own room. */
const after = (text: string, next: string): string => `${text}${text.endsWith('。') ? '' : ' '}${next}`

export function Found({ shown: { prepared, results, version } }: { shown: Shown }) {
  const words = useWords()
  const number = useNumber()
  const value = useValue()
  const finding = useMemo(
    () => findingOf(prepared, results, { number, value }),
    // `version` says that the results changed inside; `words` is another function in another language, as the numbers are.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [prepared, results, version, words],
  )
  return <FindingLine finding={finding} />
}

/** The sentence, and in smaller print how far it goes. */
export function FindingLine({ finding }: { finding: Finding | null }) {
  const words = useWords()
  if (finding === null) return null
  return (
    <div className="x-finding" data-testid="finding">
      <BulbOutlined aria-hidden />
      <p>
        <strong>{words(finding.title)}</strong>
        {finding.more.length > 0 && <span>{finding.more.map(words).reduce(after)}</span>}
      </p>
    </div>
  )
}
