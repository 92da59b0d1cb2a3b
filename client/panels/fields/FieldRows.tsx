// What all inspectors share: rows of 28 px, labels at the left, fields of 24 px at the right; help on a field; the keys that press its buttons.
import { QuestionCircleOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, ConfigProvider, Popover } from 'antd'
import { useState, type KeyboardEvent, type ReactNode } from 'react'

const small = { token: { fontSize: 12, lineHeight: 16 / 12 } }

export function FieldRows({ children }: { children: ReactNode }) {
  return (
    <ConfigProvider componentSize="small" variant="filled" theme={small}>
      {children}
    </ConfigProvider>
  )
}

/** Buttons of a field that keys in it press: they are no stops on the way from field to field. */
const buttonOfKey: Readonly<Record<string, string>> = { F1: '.h-help', F2: '.h-write' }

/** For `onKeyDown` of a row. */
export function pressByKey(event: KeyboardEvent<HTMLElement>): void {
  const name = buttonOfKey[event.key]
  if (name === undefined) return
  // In a table it is the button of the cell.
  const cell = event.target instanceof Element ? event.target.closest('.h-cell') : null
  const button = cell?.querySelector<HTMLElement>(name) ?? event.currentTarget.querySelector<HTMLElement>(name)
  if (button === null) return
  event.preventDefault()
  button.click()
}

type HelpProps = {
  title: string
  text: string
  /** The address of further reading. */
  more?: string
  /** The side with room for it. */
  placement?: 'left' | 'right'
}

export function Help({ title, text, more, placement = 'left' }: HelpProps) {
  const { t } = useLingui()
  // Hovering shows it for a moment, a click pins it; Escape and a click elsewhere close it.
  const [open, setOpen] = useState(false)
  const [pinned, setPinned] = useState(false)
  if (text === '') return null
  return (
    <Popover
      open={open || pinned}
      onOpenChange={setOpen}
      title={title}
      content={
        <div className="h-help-text">
          <p>{text}</p>
          {more !== undefined && (
            <a href={more} target="_blank" rel="noreferrer">
              <Trans>Reference</Trans>
            </a>
          )}
        </div>
      }
      mouseEnterDelay={0.4}
      trigger={['hover']}
      placement={placement}
    >
      <Button
        type="text"
        size="small"
        className="h-help"
        // Help is no stop on the way to the field: F1 there asks for it.
        tabIndex={-1}
        icon={<QuestionCircleOutlined aria-hidden />}
        aria-label={t`Help on ${title}`}
        aria-expanded={open || pinned}
        onClick={() => setPinned(!pinned)}
        onKeyDown={event => event.key === 'Escape' && setPinned(false)}
        onBlur={() => setPinned(false)}
      />
    </Popover>
  )
}
