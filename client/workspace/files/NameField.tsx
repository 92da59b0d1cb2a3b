// A name edited in place: Enter and leaving keep it, Escape doesn't. A name that can't be used says why and stays open.
import { useLingui } from '@lingui/react/macro'
import { Input, Tooltip } from 'antd'
import { useRef, useState } from 'react'
import { DOCUMENT } from '../../../model-schema/business/limits.ts'
import { wordsOfError } from '../../ui/notices.ts'

export function NameField({ name, rename, done }: { name: string; rename: (name: string) => Promise<void>; done: () => void }) {
  const { t } = useLingui()
  const [text, setText] = useState(name)
  const [problem, setProblem] = useState<string | null>(null)
  const over = useRef(false)

  const keep = async (): Promise<void> => {
    if (over.current) return
    if (text.trim() === name) return end()
    try {
      await rename(text)
      end()
    } catch (error) {
      setProblem(wordsOfError(error))
    }
  }
  const end = (): void => {
    over.current = true
    done()
  }

  return (
    <Tooltip open={problem !== null} title={problem}>
      <Input
        size="small"
        value={text}
        status={problem === null ? '' : 'error'}
        maxLength={DOCUMENT.nameLength}
        aria-label={t`Name`}
        aria-invalid={problem !== null}
        autoFocus
        onFocus={event => event.target.select()}
        onChange={event => {
          setText(event.target.value)
          setProblem(null)
        }}
        onBlur={() => (problem === null ? void keep() : end())}
        onKeyDown={event => {
          event.stopPropagation()
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) void keep()
          if (event.key === 'Escape') end()
        }}
      />
    </Tooltip>
  )
}
