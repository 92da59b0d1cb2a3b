// Where the run is to stop: the list, with conditions, and what can't be used.
import { DeleteOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Checkbox, Input, Switch } from 'antd'
import { useStore } from 'zustand'
import type { Id } from '../../../model-schema/model.ts'
import type { Breakpoint } from '../../../sim-engine/messages.ts'
import { useWords } from '../../i18n/locale.ts'
import { changeBreakpoint, removeBreakpoint, toggleErrors } from '../breakpoints.ts'
import { textField } from '../fields.ts'
import { useRun, useRunView } from '../RunProvider.tsx'
import { DebugBar } from './DebugBar.tsx'
import './panels.css'

export function Breakpoints({ onShow }: { onShow?(element: Id, field?: string): void }) {
  const { t } = useLingui()
  const run = useRun()
  const breakpoints = useRunView(view => view.breakpoints)
  const listed = breakpoints.filter(one => one.on !== 'error')
  return (
    <div className="h-panel">
      <DebugBar />
      <div className="h-panel-scroll" role="region" aria-label={t`Breakpoints`} tabIndex={0}>
        <label className="h-break h-break-errors">
          <Switch size="small" checked={listed.length < breakpoints.length} onChange={() => toggleErrors(run)} />
          <Trans>Stop before a step that fails</Trans>
        </label>
        {listed.map(one => (
          <Row key={one.id} breakpoint={one} onShow={onShow} />
        ))}
        {listed.length === 0 && (
          <p className="h-panel-hint">
            <Trans>
              Right-click a step or a variable and choose “Breakpoint”, or press F9: the run stops before the step, or when the variable
              changes. In a program or a function, click beside a line.
            </Trans>
          </p>
        )}
      </div>
    </div>
  )
}

function Row({ breakpoint, onShow }: { breakpoint: Breakpoint; onShow: ((element: Id, field?: string) => void) | undefined }) {
  const { t } = useLingui()
  const words = useWords()
  const run = useRun()
  const elements = useStore(run.model, state => state.model.elements)
  const refused = useRunView(view => view.refused.find(one => one.id === breakpoint.id) ?? null)
  const isHere = useRunView(view => view.stop?.breakpoint === breakpoint.id)
  const element =
    breakpoint.on === 'element' || breakpoint.on === 'line'
      ? breakpoint.element
      : breakpoint.on === 'change'
        ? breakpoint.variable
        : breakpoint.on === 'entity'
          ? breakpoint.population
          : ''
  const found = elements.get(element)
  const outer = found?.parent ? elements.get(found.parent) : undefined
  const own = found ? textField(found, 'name') || found.kind : t`deleted element`
  const path = outer && outer.kind !== 'scenario' ? `${textField(outer, 'name')} › ${own}` : own
  const line = breakpoint.on === 'line' ? breakpoint.line + 1 : 0
  const name = line > 0 ? t`${path}, line ${line}` : path
  return (
    <div className="h-break" data-here={isHere || undefined}>
      <Checkbox
        checked={breakpoint.enabled}
        aria-label={t`${name}: on`}
        onChange={event => changeBreakpoint(run, breakpoint.id, { enabled: event.target.checked })}
      />
      <i className="h-break-dot" data-off={!breakpoint.enabled || undefined} aria-hidden="true" />
      <button
        type="button"
        className="h-link"
        disabled={!onShow}
        onClick={() => onShow?.(element, breakpoint.on === 'line' ? breakpoint.field : undefined)}
      >
        {name}
      </button>
      {(breakpoint.on === 'element' || breakpoint.on === 'line') && (
        <Input
          size="small"
          placeholder={t`always, or a condition such as energy < 0`}
          aria-label={t`Condition of ${name}`}
          defaultValue={breakpoint.condition}
          {...(refused ? { status: 'error', title: words(refused.words) } : {})}
          maxLength={1000}
          spellCheck={false}
          onBlur={event =>
            event.target.value !== breakpoint.condition && changeBreakpoint(run, breakpoint.id, { condition: event.target.value })
          }
          onPressEnter={event => event.currentTarget.blur()}
        />
      )}
      {breakpoint.on === 'change' && (
        <span>
          <Trans>when it changes</Trans>
        </span>
      )}
      {breakpoint.on === 'entity' && (
        <span>
          <Trans>when this individual acts</Trans>
        </span>
      )}
      <Button
        size="small"
        type="text"
        icon={<DeleteOutlined aria-hidden />}
        aria-label={t`Remove the breakpoint on ${name}`}
        onClick={() => removeBreakpoint(run, breakpoint.id)}
      />
      {refused && <p className="h-break-wrong">{words(refused.words)}</p>}
    </div>
  )
}
