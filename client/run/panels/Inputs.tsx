// Public variables as inputs of the next run: the model's value, and the user's value that replaces it.
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Input, InputNumber, Switch } from 'antd'
import { useState } from 'react'
import { useStore } from 'zustand'
import type { Id } from '../../../model-schema/model.ts'
import type { Plain } from '../../../sim-engine/messages.ts'
import { numberField, textField } from '../fields.ts'
import { parseLiteral, printLiteral } from '../literal.ts'
import { useRun, useRunView } from '../RunProvider.tsx'
import { defined } from '../../ui/defined.ts'
import './panels.css'

export function Inputs({ title }: { title?: string }) {
  const { t } = useLingui()
  const run = useRun()
  const publics = useRunView(view => view.loaded?.publics)
  const inputs = useRunView(view => view.inputs)
  const changed = Object.keys(inputs).length
  if (!publics || publics.length === 0) {
    return (
      <p className="h-panel-hint">
        <Trans>Switch on “Input” at a variable to set it here before a run.</Trans>
      </p>
    )
  }
  return (
    <div className="h-panel">
      <div className="h-panel-bar">
        <span>{title ?? <Trans>Values at the start of the next run</Trans>}</span>
        <Button size="small" type="link" disabled={changed === 0} onClick={() => Object.keys(inputs).forEach(id => run.clearInput(id))}>
          <Trans>All as in the model</Trans>
        </Button>
      </div>
      <div className="h-panel-scroll" role="region" aria-label={t`Inputs`}>
        <div className="h-inputs">
          {publics.map(one => (
            <Row key={one.id} id={one.id} name={one.name} value={inputs[one.id] ?? one.value} isChanged={Object.hasOwn(inputs, one.id)} />
          ))}
        </div>
      </div>
    </div>
  )
}

function Row({ id, name, value, isChanged }: { id: Id; name: string; value: Plain; isChanged: boolean }) {
  const { t } = useLingui()
  const run = useRun()
  const variable = useStore(run.model, state => state.model.elements.get(id))
  const unit = variable ? textField(variable, 'unit') : ''
  const set = (next: Plain) => run.setInput(id, next)
  return (
    <>
      <label htmlFor={`input-${id}`} data-changed={isChanged || undefined}>
        {name}
      </label>
      {typeof value === 'number' ? (
        <InputNumber
          id={`input-${id}`}
          size="small"
          value={value}
          {...defined({
            min: (variable && numberField(variable, 'min')) ?? undefined,
            max: (variable && numberField(variable, 'max')) ?? undefined,
          })}
          suffix={unit || undefined}
          onChange={next => next !== null && set(next)}
        />
      ) : typeof value === 'boolean' ? (
        <Switch id={`input-${id}`} size="small" checked={value} onChange={set} />
      ) : (
        <Literal key={printLiteral(value)} id={`input-${id}`} value={value} set={set} />
      )}
      <Button
        size="small"
        type="link"
        disabled={!isChanged}
        aria-label={t`Undo ${name}, as in the model`}
        onClick={() => run.clearInput(id)}
      >
        <Trans>Undo</Trans>
      </Button>
    </>
  )
}

/** Any other value, written as in a formula. */
function Literal({ id, value, set }: { id: string; value: Plain; set(value: Plain): void }) {
  const { t } = useLingui()
  const [wrong, setWrong] = useState(false)
  const done = (text: string) => {
    const parsed = parseLiteral(text)
    setWrong(parsed === undefined)
    if (parsed !== undefined && printLiteral(parsed) !== printLiteral(value)) set(parsed)
  }
  return (
    <Input
      id={id}
      size="small"
      defaultValue={printLiteral(value)}
      {...(wrong ? { status: 'error', title: t`Write a value, such as 1.5, "text", True or [1, 2].` } : {})}
      onBlur={event => done(event.target.value)}
      onPressEnter={event => done(event.currentTarget.value)}
    />
  )
}
