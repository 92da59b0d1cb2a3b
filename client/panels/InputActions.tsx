// What can be done with an input besides setting it: change it at a moment of the run, or explore what it does.
import { ClockCircleOutlined, ExperimentOutlined } from '@ant-design/icons'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Input, InputNumber, Popover } from 'antd'
import { useId, useState } from 'react'
import type { Element } from '../../model-schema/model.ts'
import { command, run } from '../editor/commands.ts'
import { inputOf, scheduleChange } from '../editor/starters/change.ts'
import { useEditor, useModel, useScope } from '../editor/useEditor.ts'

/** For a variable of the scenario, and for what controls one. */
export function InputActions({ element }: { element: Element }) {
  const scope = useScope()
  const variable = useModel(model => inputOf(model, element))
  const [open, setOpen] = useState(false)
  if (!variable || !scope.editor.writable) return null
  return (
    <div className="h-input-actions">
      <Popover
        trigger="click"
        placement="left"
        open={open}
        onOpenChange={setOpen}
        destroyOnHidden
        content={<ChangeForm variable={variable} onDone={() => setOpen(false)} />}
      >
        <Button icon={<ClockCircleOutlined aria-hidden />}>
          <Trans>Change during the run</Trans>
        </Button>
      </Popover>
      {command('explore').may(scope) === true && (
        <Button icon={<ExperimentOutlined aria-hidden />} onClick={() => run('explore', scope)}>
          <Trans>Explore its effect</Trans>
        </Button>
      )}
    </div>
  )
}

/** When, and to what. */
function ChangeForm({ variable, onDone }: { variable: Element; onDone: () => void }) {
  const { t } = useLingui()
  const editor = useEditor()
  const id = useId()
  const [at, setAt] = useState<number | null>(100)
  const [value, setValue] = useState(typeof variable.fields['initial'] === 'string' ? variable.fields['initial'] : '')
  const ready = at !== null && value.trim() !== ''
  return (
    <form
      className="h-change-form"
      aria-label={t`Change during the run`}
      onSubmit={event => {
        event.preventDefault()
        if (!ready) return
        onDone()
        scheduleChange(editor, variable, at, value.trim())
      }}
    >
      <label htmlFor={`${id}-at`}>{t`At time`}</label>
      <InputNumber
        id={`${id}-at`}
        size="small"
        min={0}
        value={at}
        onChange={setAt}
        autoFocus
        onFocus={event => event.target.select()}
        onPressEnter={event => event.currentTarget.form?.requestSubmit()}
      />
      <label htmlFor={`${id}-value`}>{t`New value`}</label>
      <Input
        id={`${id}-value`}
        size="small"
        className="h-mono"
        value={value}
        onChange={event => setValue(event.target.value)}
        onFocus={event => event.target.select()}
      />
      <Button size="small" type="primary" htmlType="submit" disabled={!ready}>
        <Trans>Add</Trans>
      </Button>
    </form>
  )
}
