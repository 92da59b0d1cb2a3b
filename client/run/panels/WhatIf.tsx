// A what-if next to the run: fork, change inputs, compare, keep or discard.
import { BranchesOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from 'antd'
import { useStore } from 'zustand'
import type { Id } from '../../../model-schema/model.ts'
import type { Plain } from '../../../sim-engine/messages.ts'
import { formatNumber, formatValue } from '../../charts/format.ts'
import { textField } from '../fields.ts'
import type { RunFork } from '../fork.ts'
import { RunScope, useRun, useRunView, useSeldom } from '../RunProvider.tsx'
import { Inputs } from './Inputs.tsx'
import './panels.css'

export function WhatIf({ onShow }: { onShow?(element: Id): void }) {
  const { t, i18n } = useLingui()
  const run = useRun()
  const fork = useRunView(view => view.fork)
  const tick = useRunView(view => formatNumber(view.frame?.tick ?? 0, i18n.locale))
  const may = useRunView(
    view => view.status === 'ready' || view.status === 'paused' || view.status === 'playing' || view.status === 'ended',
  )
  if (!fork)
    return (
      <div className="h-panel">
        <div className="h-panel-bar">
          <Button size="small" type="primary" icon={<BranchesOutlined aria-hidden />} disabled={!may} onClick={() => run.startFork()}>
            {t`Fork at tick ${tick}`}
          </Button>
        </div>
        <p className="h-panel-hint">
          <Trans>
            A what-if is a second run that begins where this one stands. Change its inputs, then play: both go on side by side, and the
            charts show it dashed. Drag the timeline back to fork from an earlier tick.
          </Trans>
        </p>
      </div>
    )
  return <Standing fork={fork} onShow={onShow} />
}

function Standing({ fork, onShow }: { fork: RunFork; onShow: ((element: Id) => void) | undefined }) {
  const { t, i18n } = useLingui()
  const run = useRun()
  useSeldom(120)
  const began = formatNumber(fork.tick, i18n.locale)
  const at = useStore(fork.run, view => formatNumber(view.frame?.tick ?? 0, i18n.locale))
  const status = useStore(fork.run, view => view.status)
  return (
    <div className="h-panel">
      <div className="h-panel-bar h-whatif-bar">
        <span>
          {status === 'loading' || status === 'ready' ? (
            <Trans>The what-if is getting to tick {began}…</Trans>
          ) : status === 'broken' || status === 'problems' ? (
            <Trans>The what-if can’t run.</Trans>
          ) : (
            <Trans>
              What-if since tick {began}, now at tick {at}
            </Trans>
          )}
        </span>
        <Button size="small" type="primary" disabled={status === 'loading' || status === 'broken'} onClick={() => run.endFork(true)}>
          <Trans>Keep it</Trans>
        </Button>
        <Button size="small" onClick={() => run.endFork(false)}>
          <Trans>Discard</Trans>
        </Button>
      </div>
      <div className="h-panel-scroll h-whatif" role="region" aria-label={t`What if`} tabIndex={0}>
        <RunScope run={fork.run}>
          <div>
            <Inputs title={t`Inputs of the what-if, from the next tick on`} />
            <Buttons />
          </div>
        </RunScope>
        <Comparison fork={fork} onShow={onShow} />
      </div>
    </div>
  )
}

/** Buttons of the model, pressed in the what-if alone. */
function Buttons() {
  const { t } = useLingui()
  const fork = useRun()
  const elements = useStore(fork.model, state => state.model.elements)
  const buttons = [...elements.values()].filter(one => one.kind === 'controller' && one.fields['type'] === 'button')
  if (buttons.length === 0) return null
  return (
    <div className="h-whatif-buttons">
      {buttons.map(one => {
        const name = textField(one, 'name') || one.id
        return (
          <Button key={one.id} size="small" aria-label={t`${name}, in the what-if`} onClick={() => fork.press(one.id)}>
            {name}
          </Button>
        )
      })}
    </div>
  )
}

/** Statistics and public variables of both, side by side. */
function Comparison({ fork, onShow }: { fork: RunFork; onShow: ((element: Id) => void) | undefined }) {
  const { i18n } = useLingui()
  const { loaded, frame } = useRun().getState()
  const other = fork.run.getState().frame
  const { locale } = i18n
  const rows = [...(loaded?.statistics ?? []), ...(loaded?.publics ?? [])]
  if (rows.length === 0 || !frame) return null
  return (
    <table className="h-values">
      <thead>
        <tr>
          <th scope="col" />
          <th scope="col">
            <Trans>This run</Trans>
          </th>
          <th scope="col">
            <Trans>What if</Trans>
          </th>
          <th scope="col">
            <Trans>Difference</Trans>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, name }) => {
          const mine = frame.values[id] ?? null
          const theirs = other?.values[id] ?? null
          return (
            <tr key={id}>
              <td>
                <button type="button" className="h-link" disabled={!onShow} onClick={() => onShow?.(id)}>
                  {name}
                </button>
              </td>
              <td>{formatValue(mine, locale)}</td>
              <td>{formatValue(theirs, locale)}</td>
              <td>{differenceOf(mine, theirs, locale)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const differenceOf = (mine: Plain, theirs: Plain, locale: string): string =>
  typeof mine !== 'number' || typeof theirs !== 'number'
    ? ''
    : new Intl.NumberFormat(locale, { signDisplay: 'exceptZero', maximumSignificantDigits: 4 }).format(theirs - mine)
