// The fields of a chart's source: dragged to a shelf, or put there by their menu.
import { SearchOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { put, shelfFor, shelfIds } from './moves.ts'
import type { OfferedField } from './offers.ts'
import { Pill } from './Pill.tsx'
import { usePlot } from './scope.ts'
import { useGroupNames, useShelfNames } from './names.ts'

/** Fewer than this are found by looking. */
const searchFrom = 12

export function FieldList({ chosen }: { chosen?: () => void }) {
  const { t } = useLingui()
  const { fields } = usePlot()
  const names = useGroupNames()
  const [wanted, setWanted] = useState('')
  const found = fields.filter(({ label }) => label.toLocaleLowerCase().includes(wanted.trim().toLocaleLowerCase()))
  const groups = [...new Set(found.map(({ group }) => group))]
  return (
    <section className="p-fields" aria-label={t`Fields`}>
      {fields.length >= searchFrom && (
        <Input
          size="small"
          allowClear
          prefix={<SearchOutlined aria-hidden />}
          aria-label={t`Search fields`}
          placeholder={t`Search fields`}
          value={wanted}
          onChange={event => setWanted(event.target.value)}
        />
      )}
      {fields.length === 0 && (
        <p className="h-muted">
          <Trans>The fields appear here as soon as the source is there.</Trans>
        </p>
      )}
      {groups.map(group => (
        <div key={group} role="group" aria-label={names[group]}>
          <h4>{names[group]}</h4>
          <ul>
            {found
              .filter(field => field.group === group)
              .map(field => (
                <li key={field.id}>
                  <Offer field={field} chosen={chosen} />
                </li>
              ))}
          </ul>
        </div>
      ))}
      <OwnFormula chosen={chosen} />
    </section>
  )
}

function Offer({ field, chosen }: { field: OfferedField; chosen?: (() => void) | undefined }) {
  const { t } = useLingui()
  const { plot, change, disabled } = usePlot()
  const shelves = useShelfNames()
  const best = shelfFor(plot, field)
  const { label } = field
  const order = [best, ...shelfIds.filter(shelf => shelf !== best)]
  return (
    <Pill
      field={field}
      name={t`Field ${label}`}
      disabled={disabled}
      drop={shelf => shelf && change(put(plot, field, shelf))}
      items={order.map(shelf => {
        const to = shelves[shelf]
        return {
          key: shelf,
          label: t`Put on ${to}`,
          onClick: () => {
            change(put(plot, field, shelf))
            chosen?.()
          },
        }
      })}
    />
  )
}

/** Of a run, any formula is a field. */
function OwnFormula({ chosen }: { chosen?: (() => void) | undefined }) {
  const { t } = useLingui()
  const { plot, change, disabled } = usePlot()
  const [text, setText] = useState('')
  if (plot.source !== 'model') return null
  const add = (): void => {
    const id = text.trim()
    if (id === '') return
    change(put(plot, { id, label: id, group: 'own', is: 'number', many: /^[[{]/.test(id) }, 'metrics'))
    setText('')
    chosen?.()
  }
  return (
    <form
      className="p-formula"
      onSubmit={event => {
        event.preventDefault()
        add()
      }}
    >
      <Input
        size="small"
        className="h-mono"
        aria-label={t`A formula of your own`}
        placeholder={t`A formula of your own`}
        maxLength={2000}
        disabled={disabled}
        value={text}
        onChange={event => setText(event.target.value)}
      />
      <Button size="small" htmlType="submit" disabled={disabled || text.trim() === ''}>
        <Trans>Add</Trans>
      </Button>
    </form>
  )
}
