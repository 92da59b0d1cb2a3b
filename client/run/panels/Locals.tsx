// The variables visible from the step before which the run is stopped: the token's own values, its actor, and globals.
import { Trans, useLingui } from '@lingui/react/macro'
import { Input, Select } from 'antd'
import { useState } from 'react'
import type { Id } from '../../../model-schema/model.ts'
import type { Plain, Stop } from '../../../sim-engine/messages.ts'
import { formatValue } from '../../charts/format.ts'
import { toggleIndividual } from '../breakpoints.ts'
import { useRun, useRunView } from '../RunProvider.tsx'
import { DebugBar } from './DebugBar.tsx'
import { Watches } from './Watches.tsx'
import './panels.css'

export function Locals({ onShow }: { onShow?(element: Id): void }) {
  const { t } = useLingui()
  const run = useRun()
  const stop = useRunView(view => view.stop)
  const watched = useRunView(view => view.breakpoints)
  const [depth, setDepth] = useState(0)
  const [filter, setFilter] = useState('')
  if (!stop) {
    return (
      <div className="h-panel">
        <DebugBar />
        <Watches />
        <p className="h-panel-hint">
          <Trans>Values appear here while the run is stopped at a step.</Trans>
        </p>
      </div>
    )
  }
  const at = stop.stack[depth] ?? stop.stack[0]
  const who = at?.who
  const wanted = filter.toLowerCase()
  const watches = who ? watched.some(one => one.on === 'entity' && one.population === who.population && one.entity === who.entity) : false
  return (
    <div className="h-panel">
      <DebugBar />
      <div className="h-panel-bar">
        <Input
          size="small"
          allowClear
          placeholder={t`Filter`}
          aria-label={t`Filter the values`}
          value={filter}
          onChange={event => setFilter(event.target.value)}
        />
        {stop.stack.length > 1 && (
          <Select
            size="small"
            aria-label={t`Activation`}
            value={Math.min(depth, stop.stack.length - 1)}
            options={stop.stack.map((one, k) => ({ value: k, label: frameName(one) }))}
            onChange={setDepth}
          />
        )}
        {who && (
          <button
            type="button"
            className="h-link h-locals-stop"
            aria-pressed={watches}
            onClick={() => toggleIndividual(run, who.population, who.entity)}
          >
            {watches ? <Trans>Stop no more at {who.name}</Trans> : <Trans>Stop whenever {who.name} acts</Trans>}
          </button>
        )}
      </div>
      <div className="h-panel-scroll" role="region" aria-label={t`Locals`} tabIndex={0}>
        <Watches />
        <table className="h-values">
          <Group title={at?.formula && at.formula.line !== null ? t`Here` : t`This token`} rows={at?.locals ?? []} wanted={wanted} />
          <Group title={who?.name ?? ''} rows={Object.entries(at?.actor ?? {}).map(([name, value]) => ({ name, value }))} wanted={wanted} />
          <Group title={t`Everywhere`} rows={stop.shared} wanted={wanted} onShow={onShow} />
        </table>
      </div>
    </div>
  )
}

const frameName = ({ formula, process, step }: Stop['stack'][number]): string =>
  formula && formula.element === process.id ? `${formula.name || formula.element}()` : `${process.name} › ${step.name || step.id}`

function Group({
  title,
  rows,
  wanted,
  onShow,
}: {
  title: string
  rows: readonly { id?: Id; name: string; value: Plain }[]
  wanted: string
  onShow?: ((element: Id) => void) | undefined
}) {
  const { i18n } = useLingui()
  const shown = rows.filter(row => row.name.toLowerCase().includes(wanted))
  if (shown.length === 0) return null
  return (
    <tbody>
      <tr>
        <th colSpan={2} scope="rowgroup">
          {title}
        </th>
      </tr>
      {shown.map(({ id, name, value }) => {
        const text = formatValue(value, i18n.locale)
        return (
          <tr key={id ?? name}>
            <td>
              {id !== undefined && onShow ? (
                <button type="button" className="h-link" onClick={() => onShow(id)}>
                  {name}
                </button>
              ) : (
                name
              )}
            </td>
            <td title={text}>{text}</td>
          </tr>
        )
      })}
    </tbody>
  )
}
