// Sets or clears a breakpoint on a step or a variable: next to the element's name in its properties.
import { useLingui } from '@lingui/react/macro'
import { Button, Tooltip } from 'antd'
import type { Element } from '../../model-schema/model.ts'
import { breakableAs, hasBreakpoint, toggleBreakpoint } from './breakpoints.ts'
import { useRunIfAny, useRunView } from './RunProvider.tsx'
import type { Run } from './run.ts'
import './panels/panels.css'

export function BreakpointButton({ element }: { element: Element }) {
  const run = useRunIfAny()
  if (!run || breakableAs(element.kind) === null) return null
  return <Toggle run={run} element={element} />
}

function Toggle({ run, element }: { run: Run; element: Element }) {
  const { t } = useLingui()
  const isSet = useRunView(() => hasBreakpoint(run, element.id))
  const label = isSet ? t`Remove breakpoint` : t`Breakpoint`
  return (
    <Tooltip title={`${label} (F9)`}>
      <Button
        type="text"
        aria-label={label}
        aria-pressed={isSet}
        icon={<i className="h-break-dot" data-off={!isSet || undefined} aria-hidden="true" />}
        onClick={() => toggleBreakpoint(run, element.id)}
      />
    </Tooltip>
  )
}
