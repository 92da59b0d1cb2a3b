// The shelves of a chart: their fields, and the settings of each field.
import { PlusOutlined } from '@ant-design/icons'
import { useLingui } from '@lingui/react/macro'
import { Button, Dropdown, Input, Popover, Select, type MenuProps } from 'antd'
import { useState } from 'react'
import type { Aggregate, Filter } from '../../../model-schema/plot.ts'
import { fieldsOn, put, shelfIds, shifted, taken, withFilter, withMetric, type ShelfId } from './moves.ts'
import { useGroupNames, useOptions, useShelfNames } from './names.ts'
import type { OfferedField } from './offers.ts'
import { Pill } from './Pill.tsx'
import { columnOf } from '../shelf/columns.ts'
import { fieldNamed, usePlot } from './scope.ts'

type Items = NonNullable<MenuProps['items']>

/** The fields as entries of a menu, under the headings of their groups. */
function useFieldItems(): (choose: (field: OfferedField) => void) => Items {
  const { fields } = usePlot()
  const names = useGroupNames()
  return choose => {
    const groups = [...new Set(fields.map(({ group }) => group))]
    const entry = (field: OfferedField) => ({ key: field.id, label: field.label, onClick: () => choose(field) })
    if (groups.length === 1) return fields.map(entry)
    return groups.map(group => ({
      key: `group ${group}`,
      type: 'group' as const,
      label: names[group],
      children: fields.filter(field => field.group === group).map(entry),
    }))
  }
}

export function Shelves() {
  const { t } = useLingui()
  return (
    <section className="p-shelves" aria-label={t`Shelves`}>
      {shelfIds.map(shelf => (
        <Shelf key={shelf} shelf={shelf} />
      ))}
    </section>
  )
}

function Shelf({ shelf }: { shelf: ShelfId }) {
  const { t } = useLingui()
  const { plot, fields, change, disabled } = usePlot()
  const name = useShelfNames()[shelf]
  const itemsOf = useFieldItems()
  const here = fieldsOn(plot, shelf)
  const single = shelf !== 'metrics' && shelf !== 'filters'
  return (
    <div className="p-shelf" data-shelf={shelf} role="group" aria-label={name}>
      <span className="p-shelf-name">{name}</span>
      <div className="p-pills">
        {here.map((id, at) =>
          shelf === 'filters' ? (
            <FilterPill key={`${id} ${at}`} at={at} field={fieldNamed(fields, id)} />
          ) : (
            <ShelfPill key={`${id} ${at}`} shelf={shelf} at={at} field={fieldNamed(fields, id)} />
          ),
        )}
        {!(single && here.length > 0) && (
          <Dropdown
            trigger={['click']}
            autoFocus
            disabled={disabled}
            menu={{ items: itemsOf(field => change(put(plot, field, shelf))), className: 'p-menu' }}
          >
            <Button
              type="text"
              size="small"
              className="p-add"
              icon={<PlusOutlined aria-hidden />}
              disabled={disabled}
              aria-label={t`Add to ${name}`}
              title={t`Add to ${name}`}
            />
          </Dropdown>
        )}
      </div>
    </div>
  )
}

const aggregateOf = (value: string): Aggregate =>
  (['sum', 'mean', 'median', 'min', 'max', 'std', 'count', 'distinct', 'first', 'last'] as const).find(one => one === value) ?? 'auto'

function ShelfPill({ shelf, at, field }: { shelf: ShelfId; at: number; field: OfferedField }) {
  const { t } = useLingui()
  const { plot, fields, change, disabled } = usePlot()
  const shelves = useShelfNames()
  const aggregates = useOptions('metrics', 'aggregate')
  const goals = useOptions('metrics', 'goal')
  const metric = shelf === 'metrics' ? plot.metrics[at] : undefined
  const drop = (to: ShelfId | null): void => change(to === null ? taken(plot, { shelf, at }) : put(plot, field, to, { shelf, at }))
  const remove = (): void => change(taken(plot, { shelf, at }))
  const chosen = metric && metric.aggregate !== 'auto' ? aggregates.find(({ value }) => value === metric.aggregate)?.label : undefined
  const { label } = field
  const on = shelves[shelf]
  const items: Items = [
    ...(metric
      ? [
          {
            key: 'aggregate',
            label: t`Aggregate`,
            children: aggregates.map(one => ({
              key: one.value,
              label: one.label,
              onClick: () => change(withMetric(plot, at, { aggregate: aggregateOf(one.value) })),
            })),
          },
          ...(plot.type === 'pareto'
            ? [
                {
                  key: 'goal',
                  label: t`Better`,
                  children: goals.map(one => ({
                    key: `goal ${one.value}`,
                    label: one.label,
                    onClick: () => change(withMetric(plot, at, { goal: one.value === 'max' ? 'max' : 'min' })),
                  })),
                },
              ]
            : []),
          ...(plot.metrics.length > 1
            ? [
                { key: 'earlier', label: t`Earlier`, disabled: at === 0, onClick: () => change(shifted(plot, at, -1)) },
                { key: 'later', label: t`Later`, disabled: at === plot.metrics.length - 1, onClick: () => change(shifted(plot, at, 1)) },
              ]
            : []),
        ]
      : []),
    {
      key: 'move',
      label: t`Move to`,
      children: shelfIds.filter(one => one !== shelf).map(one => ({ key: `to ${one}`, label: shelves[one], onClick: () => drop(one) })),
    },
    { key: 'remove', label: t`Remove`, danger: true, onClick: remove },
  ]
  const known = fields.some(({ id, group }) => id === field.id && (group !== 'own' || plot.source === 'model'))
  // Before its source is read nothing is known to be missing.
  const isRead = fields.some(({ group }) => group !== 'own')
  return (
    <Pill
      field={field}
      before={chosen}
      name={t`${label} on ${on}`}
      items={items}
      disabled={disabled}
      missing={isRead && !known && field.id !== ''}
      drop={drop}
      remove={remove}
    />
  )
}

/** Names of a field that a list still offers. */
const mostOffered = 500

const howOf = (value: string): Filter['how'] => (['not', 'ge', 'le', 'has', 'known'] as const).find(one => one === value) ?? 'is'

function FilterPill({ at, field }: { at: number; field: OfferedField }) {
  const { t } = useLingui()
  const { plot, data, change, disabled } = usePlot()
  const hows = useOptions('filters', 'how')
  const filter = plot.filters[at]
  const [draft, setDraft] = useState<string | null>(null)
  if (!filter) return null
  const column = columnOf(data, filter.field)
  // Names are chosen among those there are.
  const names = column?.is === 'name' && (filter.how === 'is' || filter.how === 'not') ? column.names.slice(0, mostOffered) : null
  const said = hows.find(({ value }) => value === filter.how)?.label ?? filter.how
  const { label } = field
  const write = (): void => {
    if (draft !== null && draft !== filter.value) change(withFilter(plot, at, { value: draft }))
    setDraft(null)
  }
  const text = filter.how === 'known' ? `${label} ${said}` : `${label} ${said} ${filter.value || '…'}`
  return (
    <Popover
      trigger={['click']}
      placement="bottom"
      onOpenChange={open => !open && write()}
      content={
        <div className="p-filter" role="group" aria-label={t`Filter on ${label}`}>
          <Select
            size="small"
            aria-label={t`Condition`}
            value={filter.how}
            options={hows}
            onChange={how => change(withFilter(plot, at, { how: howOf(how) }))}
          />
          {filter.how !== 'known' && names && (
            <Select
              size="small"
              mode="tags"
              aria-label={t`Value`}
              placeholder={t`Value`}
              value={filter.value.split('|').filter(one => one !== '')}
              options={names.map(value => ({ value, label: value }))}
              onChange={(chosen: string[]) => change(withFilter(plot, at, { value: chosen.join('|') }))}
            />
          )}
          {filter.how !== 'known' && !names && (
            <Input
              size="small"
              aria-label={t`Value`}
              value={draft ?? filter.value}
              onChange={event => setDraft(event.target.value)}
              onBlur={write}
              onPressEnter={write}
            />
          )}
          <Button size="small" danger onClick={() => change(taken(plot, { shelf: 'filters', at }))}>
            {t`Remove`}
          </Button>
        </div>
      }
    >
      <button
        type="button"
        className="p-pill"
        data-is={field.is}
        disabled={disabled}
        onKeyDown={event => {
          if (event.key !== 'Delete' && event.key !== 'Backspace') return
          event.preventDefault()
          change(taken(plot, { shelf: 'filters', at }))
        }}
      >
        <span className="p-name">{text}</span>
      </button>
    </Popover>
  )
}
