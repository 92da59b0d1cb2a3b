// Commands of a stopped run: continue, to the next step, over, out, back. Above the panels that show its state.
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import type { Stop } from '../../../sim-engine/messages.ts'
import { formatNumber, formatValue } from '../../charts/format.ts'
import { useWords } from '../../i18n/locale.ts'
import { runCommands, type RunCommand } from '../bar/commands.ts'
import { useRun, useRunView } from '../RunProvider.tsx'

const steps: readonly { id: RunCommand['id']; path: string }[] = [
  { id: 'run-play', path: 'M3.500 3v10M7 3l6 5-6 5Z' },
  { id: 'run-over', path: 'M2.500 8.500a5.500 5 0 0 1 11 0M13.500 4.500v4h-4M8 12.500h.01' },
  { id: 'run-into', path: 'M8 2v7M5 6.500 8 9.500l3-3M8 13h.01' },
  { id: 'run-out', path: 'M8 9.500V2.500M5 5.500l3-3 3 3M8 13h.01' },
  { id: 'run-back', path: 'M13 3v10M9.500 3l-6 5 6 5Z' },
]

export function DebugBar() {
  const { t } = useLingui()
  const words = useWords()
  const run = useRun()
  const stop = useRunView(view => view.stop)
  // Drawn again whenever a command may have become possible.
  useRunView(view => `${view.status} ${view.frame?.tick ?? 0}`)
  return (
    <div className="h-panel-bar h-debug-bar">
      <div role="toolbar" aria-label={t`Steps`}>
        {steps.map(({ id, path }) => {
          const command = runCommands.find(one => one.id === id)
          if (!command) return null
          const label = id === 'run-play' ? t`Continue` : words(command.words)
          return (
            <Tooltip key={id} title={`${label} (${command.keys[0] ?? ''})`}>
              <Button
                size="small"
                type="text"
                aria-label={label}
                disabled={command.may(run) !== true}
                onClick={() => command.do(run)}
                icon={<Sign path={path} />}
              />
            </Tooltip>
          )
        })}
      </div>
      <span className="h-debug-why">{stop ? <Why stop={stop} /> : <Trans>The run is not stopped at a step.</Trans>}</span>
    </div>
  )
}

function Sign({ path }: { path: string }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={path} />
    </svg>
  )
}

/** Why the run is stopped. */
function Why({ stop }: { stop: Stop }): ReactNode {
  const { i18n } = useLingui()
  const words = useWords()
  const time = formatNumber(stop.time, i18n.locale)
  if (stop.problem) {
    const reason = words(stop.problem.message)
    return stop.why === 'error' ? (
      <Trans>
        Stopped at time {time}: this step fails. {reason}
      </Trans>
    ) : (
      <Trans>
        Stopped at time {time}: the condition can’t be answered. {reason}
      </Trans>
    )
  }
  if (stop.change) {
    const { name } = stop.change
    const before = formatValue(stop.change.before, i18n.locale)
    const after = formatValue(stop.change.after, i18n.locale)
    return (
      <Trans>
        Stopped at time {time}: {name} changed from {before} to {after}
      </Trans>
    )
  }
  if (stop.why === 'breakpoint' && !stop.inFormula) return <Trans>Stopped at a breakpoint, time {time}</Trans>
  if (stop.inFormula) {
    const line = (stop.stack[0]?.formula?.line ?? 0) + 1
    return (
      <Trans>
        Stopped before line {line}, time {time}
      </Trans>
    )
  }
  if (stop.why === 'entity') return <Trans>Stopped because this individual acts, time {time}</Trans>
  return <Trans>Stopped before a step, time {time}</Trans>
}
