// The current values of the run: statistics, public variables, containers with their queues.
import { Trans, useLingui } from '@lingui/react/macro'
import { Input } from 'antd'
import { useState } from 'react'
import { useStore } from 'zustand'
import type { Id } from '../../../model-schema/model.ts'
import { formatNumber, formatValue } from '../../charts/format.ts'
import { textField } from '../fields.ts'
import { useRun, useSeldom } from '../RunProvider.tsx'
import './panels.css'

export function Variables({ onShow }: { onShow?(element: Id): void }) {
  const { t, i18n } = useLingui()
  const run = useRun()
  const { loaded, frame, summary } = useSeldom(120)
  const elements = useStore(run.model, state => state.model.elements)
  const [filter, setFilter] = useState('')
  const { locale } = i18n

  if (!loaded || !frame) {
    return (
      <p className="h-panel-hint">
        <Trans>Values appear here when the model can run.</Trans>
      </p>
    )
  }
  const wanted = filter.toLowerCase()
  const fits = (name: string): boolean => name.toLowerCase().includes(wanted)
  const nameOf = (id: Id): string => {
    const element = elements.get(id)
    const owner = element?.parent ? elements.get(element.parent) : undefined
    const prefix = owner && owner.kind !== 'scenario' ? `${textField(owner, 'name')}.` : ''
    return element ? prefix + textField(element, 'name') : id
  }
  const link = (id: Id, name: string) => (
    <button type="button" className="h-link" disabled={!onShow} onClick={() => onShow?.(id)}>
      {name}
    </button>
  )
  const unitOf = (id: Id): string => {
    const element = elements.get(id)
    return element ? textField(element, 'unit') : ''
  }
  const group = (title: string, rows: readonly { id: Id; name: string }[]) => {
    const shown = rows.filter(row => fits(row.name))
    if (shown.length === 0) return null
    return (
      <tbody>
        <tr>
          <th colSpan={2} scope="rowgroup">
            {title}
          </th>
        </tr>
        {shown.map(row => (
          <tr key={row.id}>
            <td>{link(row.id, row.name)}</td>
            <td title={formatValue(frame.values[row.id], locale)}>
              {formatValue(frame.values[row.id], locale)} {unitOf(row.id)}
            </td>
          </tr>
        ))}
      </tbody>
    )
  }
  const containers = frame.containers.map(state => ({ ...state, name: nameOf(state.id) })).filter(state => fits(state.name))
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const populations = Object.entries(summary?.populations ?? {}).filter(([name]) => fits(name))
  return (
    <div className="h-panel">
      <div className="h-panel-bar">
        <Input
          size="small"
          allowClear
          placeholder={t`Filter`}
          aria-label={t`Filter the variables`}
          value={filter}
          onChange={event => setFilter(event.target.value)}
        />
      </div>
      <div className="h-panel-scroll" tabIndex={0} role="region" aria-label={t`Variables`}>
        <table className="h-values">
          {group(t`Statistics`, loaded.statistics)}
          {group(t`Inputs`, loaded.publics)}
          {populations.length > 0 && (
            <tbody>
              <tr>
                <th colSpan={2} scope="rowgroup">
                  <Trans>Populations at the end</Trans>
                </th>
              </tr>
              {populations.map(([name, count]) => (
                <tr key={name}>
                  <td>{name}</td>
                  <td>{formatNumber(count, locale)}</td>
                </tr>
              ))}
            </tbody>
          )}
        </table>
        {containers.length > 0 && (
          <table className="h-values">
            <thead>
              <tr>
                <th scope="col">
                  <Trans>Container</Trans>
                </th>
                <th scope="col">
                  <Trans>Level</Trans>
                </th>
                <th scope="col">
                  <Trans>In use</Trans>
                </th>
                <th scope="col">
                  <Trans>Capacity</Trans>
                </th>
                <th scope="col">
                  <Trans>Queue</Trans>
                </th>
                <th scope="col">
                  <Trans>Utilisation</Trans>
                </th>
              </tr>
            </thead>
            <tbody>
              {containers.map(state => (
                <tr key={state.id}>
                  <td>{link(state.id, state.name)}</td>
                  <td>{formatNumber(state.level, locale)}</td>
                  <td>{formatNumber(state.inUse, locale)}</td>
                  <td>{state.capacity === null ? '∞' : formatNumber(state.capacity, locale)}</td>
                  <td>{formatNumber(state.queue, locale)}</td>
                  <td>{percent.format(state.utilization)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {loaded.statistics.length + loaded.publics.length + containers.length === 0 && (
          <p className="h-panel-hint">
            <Trans>This model has no statistics, inputs or containers yet.</Trans>
          </p>
        )}
      </div>
    </div>
  )
}
