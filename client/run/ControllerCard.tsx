// A controller element: sets its public variable, or presses its button. Before a run its value is an input of the next one.
import { useLingui } from '@lingui/react/macro'
import { Button, Input, InputNumber, Select, Slider, Switch } from 'antd'
import { useId, type FocusEvent } from 'react'
import { useStore } from 'zustand'
import type { Element, Id } from '../../model-schema/model.ts'
import type { Plain } from '../../sim-engine/messages.ts'
import { formatValue } from '../charts/format.ts'
import './cards.css'
import { cellText, idField, numberField, rowsField, textField } from './fields.ts'
import { parseLiteral } from './literal.ts'
import type { RunView } from './run.ts'
import { useRun, useRunView } from './RunProvider.tsx'
import { defined } from '../ui/defined.ts'

/** The value a control shows: set by the person and not yet taken over, else the run's own, else the next start's. */
export function publicValue(view: RunView, variable: Id): Plain | undefined {
  const pending = view.pending[variable]
  if (pending) return pending.value
  const standing = view.status === 'playing' || view.status === 'paused' || view.status === 'ended'
  const running = standing ? view.frame?.values[variable] : undefined
  return running ?? view.inputs[variable] ?? view.loaded?.publics.find(one => one.id === variable)?.value
}

export function ControllerCard({ element }: { element: Element }) {
  const run = useRun()
  const target = idField(element, 'target')
  const variable = useStore(run.model, state => (target === null ? undefined : state.model.elements.get(target)))
  const told = useRunView(view => (target === null ? undefined : publicValue(view, target)))
  // The run reports inputs only; for other variables the initial value comes from the model.
  const value = told ?? (variable ? parseLiteral(textField(variable, 'initial')) : undefined)
  const status = useRunView(view => view.status)
  const isUp = status === 'ready' || status === 'playing' || status === 'paused'
  return (
    <ControlFace
      element={element}
      name={variable ? textField(variable, 'name') : ''}
      unit={variable ? textField(variable, 'unit') : ''}
      value={value}
      off={textField(element, 'type') === 'button' ? idField(element, 'process') === null || !isUp : target === null}
      set={next => target !== null && run.setInput(target, next)}
      press={() => run.press(element.id)}
    />
  )
}

type FaceProps = {
  element: Element
  /** Shown next to the control if the element has no label of its own. */
  name: string
  unit?: string
  value: Plain | undefined
  off: boolean
  set(value: Plain): void
  press(): void
  /** A button that is on or off says so. */
  pressed?: boolean | undefined
}

/** The control itself, whatever it sets. */
export function ControlFace({ element, name: otherwise, unit = '', value, off, set, press, pressed }: FaceProps) {
  const { t, i18n } = useLingui()
  const id = useId()
  const type = textField(element, 'type') || 'slider'
  const name = textField(element, 'name') || otherwise || t`Control`

  if (type === 'button') {
    return (
      <div className="h-controller" data-inline>
        <Button block disabled={off} onClick={press} aria-pressed={pressed} type={pressed === true ? 'primary' : 'default'}>
          {name}
        </Button>
      </div>
    )
  }
  if (type === 'switch') {
    return (
      <div className="h-controller" data-inline>
        <label htmlFor={id}>
          <span title={name}>{name}</span>
        </label>
        <Switch id={id} size="small" checked={value === true} disabled={off} onChange={set} />
      </div>
    )
  }
  const shown = formatValue(value, i18n.locale)
  const label = (
    <label htmlFor={id}>
      <span title={name}>{name}</span>
      {type === 'slider' && (
        <output style={{ minWidth: `${shown.length}ch` }}>
          <span>{shown}</span>
          {unit && <span title={unit}> {unit}</span>}
        </output>
      )}
    </label>
  )
  return (
    <div className="h-controller" onPointerDown={event => event.target instanceof HTMLLabelElement || event.stopPropagation()}>
      {label}
      {type === 'slider' && (
        <Slider
          min={numberField(element, 'min') ?? 0}
          max={numberField(element, 'max') ?? 100}
          step={numberField(element, 'step') || null}
          value={typeof value === 'number' ? value : 0}
          disabled={off}
          ariaLabelForHandle={name}
          tooltip={{ open: false }}
          onChange={next => set(next)}
        />
      )}
      {type === 'number' && (
        <InputNumber
          id={id}
          size="small"
          style={{ width: '100%' }}
          {...defined({ min: numberField(element, 'min') ?? undefined, max: numberField(element, 'max') ?? undefined })}
          step={numberField(element, 'step') ?? 1}
          value={typeof value === 'number' ? value : null}
          suffix={unit || undefined}
          disabled={off}
          onChange={next => next !== null && set(next)}
        />
      )}
      {type === 'select' && <Choice id={id} element={element} value={value} off={off} set={set} />}
      {(type === 'text' || type === 'longText') && (
        <Text
          key={JSON.stringify(value)}
          id={id}
          value={typeof value === 'string' ? value : ''}
          off={off}
          set={set}
          long={type === 'longText'}
        />
      )}
    </div>
  )
}

function Choice({
  id,
  element,
  value,
  off,
  set,
}: {
  id: string
  element: Element
  value: Plain | undefined
  off: boolean
  set(value: Plain): void
}) {
  const options = rowsField(element, 'options').flatMap(row => {
    const parsed = parseLiteral(cellText(row, 'value'))
    return parsed === undefined ? [] : [{ label: cellText(row, 'label') || cellText(row, 'value'), value: JSON.stringify(parsed), parsed }]
  })
  return (
    <Select
      id={id}
      size="small"
      value={value === undefined ? null : JSON.stringify(value)}
      options={options.map(option => ({ label: option.label, value: option.value }))}
      disabled={off}
      onChange={(_, chosen) => {
        const option = options.find(one => !Array.isArray(chosen) && one.value === chosen?.value)
        if (option) set(option.parsed)
      }}
    />
  )
}

type TextProps = { id: string; value: string; off: boolean; set(value: Plain): void; long: boolean }

/** Takes effect when left or on Enter (with Ctrl in a text of several lines), not with every letter. */
function Text({ id, value, off, set, long }: TextProps) {
  const done = (next: string) => {
    if (next !== value) set(next)
  }
  const blur = (event: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) => done(event.target.value)
  if (long) {
    return (
      <Input.TextArea
        id={id}
        size="small"
        defaultValue={value}
        disabled={off}
        onBlur={blur}
        onKeyDown={event => (event.ctrlKey || event.metaKey) && event.key === 'Enter' && done(event.currentTarget.value)}
      />
    )
  }
  return (
    <Input id={id} size="small" defaultValue={value} disabled={off} onBlur={blur} onPressEnter={event => done(event.currentTarget.value)} />
  )
}
