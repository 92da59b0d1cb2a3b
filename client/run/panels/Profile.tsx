// Where the time of a run went: a sorted table of elements and formulas, a search, the heat on the canvas, a file for
// viewers of profiles.
import { DownloadOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Input, Segmented, Switch } from 'antd'
import { useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { fieldOf, kindOf } from '../../../model-schema/kinds.ts'
import type { Id } from '../../../model-schema/model.ts'
import { elementRows, engineTime, profileRows, speedscopeFile, type ProfileRow } from '../../../sim-engine/profile.ts'
import { formatNumber } from '../../charts/format.ts'
import { pathTo, wireTitleOf } from '../../editor/grammar.ts'
import { useWords } from '../../i18n/locale.ts'
import { download } from '../download.ts'
import { textField } from '../fields.ts'
import { useRun, useRunView } from '../RunProvider.tsx'
import { HowItRuns } from './HowItRuns.tsx'
import './panels.css'

type Order = 'self' | 'total' | 'calls'

/** Most rows shown. */
const maxRowsShown = 200

export function Profile({ onShow }: { onShow?(element: Id, field?: string): void }) {
  const { t, i18n } = useLingui()
  const words = useWords()
  const run = useRun()
  const profile = useRunView(view => view.profile)
  const profiling = useRunView(view => view.profiling)
  const heat = useRunView(view => view.heat)
  const model = useStore(run.model, state => state.model)
  const [by, setBy] = useState<'formula' | 'element' | 'runs'>('formula')
  const [order, setOrder] = useState<Order>('self')
  const [filter, setFilter] = useState('')
  const rows = useMemo(() => (profile ? (by === 'formula' ? profileRows(profile) : elementRows(profile)) : []), [profile, by])
  const nameOf = (id: Id, field: string | null): string => {
    const element = model.elements.get(id)
    const kind = kindOf(element?.kind ?? '')
    const own = element ? wireTitleOf(model, element, words) : id
    const outer = element?.parent ? pathTo(model, element.parent).slice(1) : []
    const path = [...outer.map(one => textField(one, 'name')), own].join(' › ')
    const label = field === null ? null : kind && fieldOf(kind, field.split('/')[0] ?? '')
    return label ? `${path} · ${words(label.label)}` : path
  }
  const wanted = filter.toLowerCase()
  const shown = rows
    .map(row => ({ ...row, name: nameOf(row.element, row.field) }))
    .filter(row => row.name.toLowerCase().includes(wanted))
    .sort((a, b) => b[order] - a[order])
    .slice(0, maxRowsShown)
  const whole = profile?.milliseconds ?? 0
  const save = (): void => {
    if (!profile) return
    const scenario = model.elements.get(run.scenario)
    const title = (scenario && textField(scenario, 'name')) || 'run'
    download(new Blob([speedscopeFile(profile, title, nameOf)], { type: 'application/json' }), `${title}.speedscope.json`)
  }
  return (
    <div className="h-panel">
      <div className="h-panel-bar h-profile-bar">
        <Button
          size="small"
          type={profiling ? 'default' : 'primary'}
          danger={profiling}
          aria-pressed={profiling}
          onClick={() => run.setProfiling(!profiling)}
        >
          {profiling ? <Trans>Stop profiling</Trans> : <Trans>Profile the run</Trans>}
        </Button>
        <Segmented
          size="small"
          aria-label={t`Rows of the profile`}
          value={by}
          options={[
            { value: 'formula', label: t`Formulas` },
            { value: 'element', label: t`Elements` },
            { value: 'runs', label: t`How it runs` },
          ]}
          onChange={setBy}
        />
        <Input
          size="small"
          allowClear
          placeholder={t`Filter`}
          aria-label={t`Filter the profile`}
          value={filter}
          onChange={event => setFilter(event.target.value)}
        />
        <label className="h-profile-heat">
          <Switch size="small" checked={heat} disabled={!profile} onChange={on => run.setHeat(on)} />
          <Trans>Heat on the canvas</Trans>
        </label>
        <Button
          size="small"
          type="text"
          icon={<DownloadOutlined aria-hidden />}
          disabled={!profile}
          aria-label={t`Download the profile`}
          onClick={save}
        />
      </div>
      <div className="h-panel-scroll" role="region" aria-label={t`Profiler`} tabIndex={0}>
        {by === 'runs' ? (
          <HowItRuns filter={filter} onShow={onShow} />
        ) : !profile || rows.length === 0 ? (
          <p className="h-panel-hint">
            {profiling ? (
              <Trans>Play the run: what takes its time appears here.</Trans>
            ) : (
              <Trans>Profile the run to see which elements and formulas take its time. The run itself stays the same.</Trans>
            )}
          </p>
        ) : (
          <table className="h-values h-profile">
            <thead>
              <tr>
                <th scope="col">{by === 'formula' ? <Trans>Element and formula</Trans> : <Trans>Element</Trans>}</th>
                <Head order="self" now={order} set={setOrder} label={t`Self`} />
                <Head order="total" now={order} set={setOrder} label={t`Total`} />
                <Head order="calls" now={order} set={setOrder} label={t`Calls`} />
              </tr>
            </thead>
            <tbody>
              {shown.map(row => (
                <tr key={`${row.element}/${row.field ?? ''}`}>
                  <td title={row.name}>
                    <button type="button" className="h-link" disabled={!onShow} onClick={() => onShow?.(row.element, fieldShown(row))}>
                      {row.name}
                    </button>
                  </td>
                  <Time ms={row.self} whole={whole} locale={i18n.locale} />
                  <Time ms={row.total} whole={whole} locale={i18n.locale} />
                  <td>{formatNumber(row.calls, i18n.locale)}</td>
                </tr>
              ))}
              {wanted === '' && profile && (
                <tr className="h-profile-engine">
                  <td>
                    <Trans>The engine itself: queues, calendar, neighbours</Trans>
                  </td>
                  <Time ms={engineTime(profile)} whole={whole} locale={i18n.locale} />
                  <Time ms={whole} whole={whole} locale={i18n.locale} />
                  <td>{formatNumber(profile.instants, i18n.locale)}</td>
                </tr>
              )}
            </tbody>
          </table>
        )}
      </div>
    </div>
  )
}

const fieldShown = ({ field }: ProfileRow): string | undefined => field?.split('/')[0]

function Head({ order, now, set, label }: { order: Order; now: Order; set(order: Order): void; label: string }) {
  return (
    <th scope="col" aria-sort={now === order ? 'descending' : 'none'}>
      <button type="button" className="h-profile-head" data-on={now === order || undefined} onClick={() => set(order)}>
        {label}
      </button>
    </th>
  )
}

/** Milliseconds, with their share as a bar behind them. */
function Time({ ms, whole, locale }: { ms: number; whole: number; locale: string }) {
  const share = whole > 0 ? Math.min(1, ms / whole) : 0
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(share)
  const shown = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(ms)
  return (
    <td className="h-profile-time" style={{ ['--share' as string]: `${share * 100}%` }}>
      <span>{shown} ms</span> <small>{percent}</small>
    </td>
  )
}
