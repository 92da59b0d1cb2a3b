// The call stack, down to the step before which the run is stopped; after the end, the tokens left waiting, and for what.
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { Id } from '../../../model-schema/model.ts'
import type { Stop, Summary } from '../../../sim-engine/messages.ts'
import { formatNumber } from '../../charts/format.ts'
import { useRunView } from '../RunProvider.tsx'
import { DebugBar } from './DebugBar.tsx'
import './panels.css'
import { listNow } from '../../i18n/list.ts'

type Show = ((element: Id, field?: string) => void) | undefined

export function CallStack({ onShow }: { onShow?(element: Id, field?: string): void }) {
  const { t } = useLingui()
  const stop = useRunView(view => view.stop)
  const summary = useRunView(view => view.summary)
  const status = useRunView(view => view.status)
  const result = useRunView(view => view.result)
  const now = useRunView(view => view.waiting)
  const waiting = summary?.waiting ?? (status === 'paused' ? now : [])
  // No event is left, and yet tokens are waiting.
  const held = waiting.reduce((sum, row) => sum + row.count, 0)
  const isDeadlock = result?.end === 'success' && result.reason === 'nothing-left' && held > 0
  return (
    <div className="h-panel">
      <DebugBar />
      <div className="h-panel-scroll" role="region" aria-label={t`Call stack`} tabIndex={0}>
        {stop && stop.stack.length > 0 && (
          <ol className="h-stack">
            {stop.stack.map((one, k) => (
              <li key={k} aria-current={k === 0 ? 'step' : undefined}>
                <Frame at={one} onShow={onShow} />
                {one.who && <span>{one.who.name}</span>}
              </li>
            ))}
          </ol>
        )}
        {isDeadlock && (
          <p className="h-deadlock" role="status">
            <Plural
              value={held}
              one="Deadlock: nothing can happen any more, but # token waits."
              other="Deadlock: nothing can happen any more, but # tokens wait."
            />
          </p>
        )}
        {!stop && waiting.length > 0 && <Leftovers waiting={waiting} ended={summary !== null} onShow={onShow} />}
        {!stop && waiting.length === 0 && (
          <p className="h-panel-hint">
            {summary ? (
              <Trans>No token was left waiting at the end.</Trans>
            ) : (
              <Trans>The calls that led to a step appear here while the run is stopped at it; tokens that wait, while it is paused.</Trans>
            )}
          </p>
        )}
      </div>
    </div>
  )
}

/** A function's call, or a step with the formula of it that runs. */
function Frame({ at, onShow }: { at: Stop['stack'][number]; onShow: Show }) {
  const { t } = useLingui()
  const { formula, step, process } = at
  const line = formula?.line === null || formula === null ? null : formula.line + 1
  const isFunction = formula !== null && formula.element === process.id
  const name = isFunction ? `${formula.name || formula.element}()` : step.name || step.id
  return (
    <>
      <button
        type="button"
        className="h-link"
        disabled={!onShow}
        onClick={() => (formula ? onShow?.(formula.element, formula.field) : onShow?.(step.id))}
      >
        {name}
      </button>
      {line !== null && <span>{t`line ${line}`}</span>}
      {!isFunction && <span>{process.name}</span>}
    </>
  )
}

function Leftovers({ waiting, ended, onShow }: { waiting: Summary['waiting']; ended: boolean; onShow: Show }) {
  const { t, i18n } = useLingui()
  const reasons: Record<Summary['waiting'][number]['for'], string> = {
    time: t`time to pass`,
    container: t`a resource`,
    event: t`a message, signal or condition`,
    join: t`other tokens at a join`,
    others: t`tokens it started`,
    nothing: t`nothing: it waits for good`,
  }
  return (
    <table className="h-values">
      <thead>
        <tr>
          <th scope="col">{ended ? <Trans>Tokens left at</Trans> : <Trans>Tokens waiting at</Trans>}</th>
          <th scope="col">
            <Trans>Waiting for</Trans>
          </th>
          <th scope="col">
            <Trans>Whose</Trans>
          </th>
          <th scope="col">
            <Trans>Tokens</Trans>
          </th>
        </tr>
      </thead>
      <tbody>
        {waiting.map(row => (
          <tr key={`${row.element} ${row.for} ${row.process}`}>
            <td>
              <button type="button" className="h-link" disabled={!onShow} onClick={() => onShow?.(row.element)}>
                {row.process} › {row.step}
              </button>
            </td>
            <td>{reasons[row.for]}</td>
            <td title={listNow(row.who)}>
              {listNow(row.who)}
              {row.who.length > 0 && row.count > row.who.length && '…'}
            </td>
            <td>{formatNumber(row.count, i18n.locale)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
