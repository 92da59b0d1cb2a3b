// A field as a button that can be dragged and has a menu: in the list of fields, and on a shelf.
import { CalendarOutlined, FieldBinaryOutlined, FontSizeOutlined, UnorderedListOutlined } from '@ant-design/icons'
import { Dropdown, type MenuProps } from 'antd'
import { useState, type KeyboardEvent } from 'react'
import { createPortal } from 'react-dom'
import { useFieldDrag } from './field-drag.ts'
import type { ShelfId } from './moves.ts'
import type { OfferedField } from './offers.ts'

type Props = {
  field: OfferedField
  /** Before its name: how it is aggregated or compared. */
  before?: string | undefined
  name: string
  items: NonNullable<MenuProps['items']>
  disabled: boolean
  missing?: boolean
  drop(shelf: ShelfId | null): void
  /** Delete and Backspace. */
  remove?: () => void
}

const signs = {
  number: <FieldBinaryOutlined aria-hidden />,
  name: <FontSizeOutlined aria-hidden />,
  date: <CalendarOutlined aria-hidden />,
}

export function Pill({ field, before, name, items, disabled, missing = false, drop, remove }: Props) {
  const { handlers, ghost, wasDrag } = useFieldDrag(drop)
  const [open, setOpen] = useState(false)
  const press = (event: KeyboardEvent): void => {
    if (!remove || disabled || (event.key !== 'Delete' && event.key !== 'Backspace')) return
    event.preventDefault()
    remove()
  }
  return (
    <>
      <Dropdown trigger={['click']} autoFocus disabled={disabled} menu={{ items, className: 'p-menu' }} open={open} onOpenChange={setOpen}>
        <button
          type="button"
          className="p-pill"
          data-is={field.is}
          data-missing={missing || undefined}
          aria-label={name}
          disabled={disabled}
          {...(disabled ? {} : handlers)}
          onClickCapture={event => wasDrag(event) && event.stopPropagation()}
          onKeyDown={press}
        >
          <span className="p-sign" aria-hidden="true">
            {field.many ? <UnorderedListOutlined aria-hidden /> : signs[field.is]}
          </span>
          {before && <small>{before}</small>}
          <span className="p-name">{field.label}</span>
        </button>
      </Dropdown>
      {ghost &&
        createPortal(
          <div className="p-ghost" style={{ left: ghost.x, top: ghost.y }} aria-hidden="true">
            {field.label}
          </div>,
          document.body,
        )}
    </>
  )
}
