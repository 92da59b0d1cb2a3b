// Asks for the numbers of a pattern before it is built.
import { Trans } from '@lingui/react/macro'
import { Button, InputNumber } from 'antd'
import { useId, useState } from 'react'
import type { Making } from '../../sim-engine/copilot/doors/questions.ts'
import { useWords } from '../i18n/locale.ts'

export function PatternForm({
  pattern,
  build,
  close,
}: {
  pattern: Making
  build: (numbers: readonly number[]) => void
  close: () => void
}) {
  const words = useWords()
  const id = useId()
  const [numbers, setNumbers] = useState<readonly (number | null)[]>(pattern.numbers.map(({ usual }) => usual))
  const isComplete = numbers.every(one => one !== null)
  return (
    <form
      className="h-guide-pattern"
      aria-labelledby={id}
      onSubmit={event => {
        event.preventDefault()
        if (isComplete) build(numbers)
      }}
      onKeyDown={event => event.key === 'Escape' && close()}
    >
      <strong id={id}>{words(pattern.title)}</strong>
      <p className="h-guide-hint">{words(pattern.why)}</p>
      {pattern.numbers.map(({ name, least, most, whole }, index) => (
        // The numbers of a pattern never change.
        // eslint-disable-next-line react/no-array-index-key
        <label key={index}>
          <span>{words(name)}</span>
          <InputNumber
            // The form opens in answer to a click, and its first field is what is filled in next.
            // eslint-disable-next-line jsx-a11y/no-autofocus
            autoFocus={index === 0}
            size="small"
            value={numbers[index] ?? null}
            min={least}
            max={most}
            {...(whole ? { precision: 0 } : {})}
            onChange={value => setNumbers(all => all.with(index, value))}
          />
        </label>
      ))}
      <div>
        <Button size="small" onClick={close}>
          <Trans>Cancel</Trans>
        </Button>
        <Button size="small" type="primary" htmlType="submit" disabled={!isComplete}>
          <Trans>Build</Trans>
        </Button>
      </div>
    </form>
  )
}
