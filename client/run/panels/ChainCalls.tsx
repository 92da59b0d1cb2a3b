// What happened within a transaction: calls, each after its caller, with arguments, gas and the place of a failure; events with their values.
import { Trans, useLingui } from '@lingui/react/macro'
import type { CallView, ChainView, EventView } from '../../../sim-engine/messages.ts'
import { Party, number, whole } from './chain-texts.tsx'

type CallsProps = { view: ChainView; chosen: { block: number; index: number }; locale: string; onBack(): void }

export function Calls({ view: { calls, unit }, chosen, locale, onBack }: CallsProps) {
  const found = calls?.block === chosen.block && calls.index === chosen.index ? calls : null
  return (
    <>
      <p className="h-chain-of">
        <button type="button" className="h-link" onClick={onBack}>
          <Trans>All transactions</Trans>
        </button>{' '}
        <b>
          <Trans>
            Calls of transaction {number(chosen.index + 1, locale)} in block {number(chosen.block, locale)}
          </Trans>
        </b>
      </p>
      {found === null ? (
        <p className="h-panel-hint">
          <Trans>Its calls are not kept: only those of the latest transactions are, since the model was opened.</Trans>
        </p>
      ) : (
        <>
          <CallRows rows={found.rows} unit={unit} locale={locale} />
          {found.events.length > 0 && <EventRows rows={found.events} />}
        </>
      )}
    </>
  )
}

function CallRows({ rows, unit, locale }: { rows: readonly CallView[]; unit: string; locale: string }) {
  const { t } = useLingui()
  const most = rows[0]?.gas ?? 0
  return (
    <table className="h-population h-chain" aria-label={t`Calls`}>
      <thead>
        <tr>
          <th scope="col">
            <Trans context="of a contract">Call</Trans>
          </th>
          <th scope="col">
            <Trans>Gas</Trans>
          </th>
          <th scope="col">
            <Trans>Amount ({unit})</Trans>
          </th>
          <th scope="col">
            <Trans>Failed because</Trans>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((call, k) => (
          <tr key={k} data-failed={call.error !== '' || undefined}>
            <td className="h-chain-call" title={call.arguments}>
              <span style={{ paddingInlineStart: call.depth * 16 }}>
                {call.kind !== 'CALL' && <small>{call.kind}</small>} <Party name={call.to} />
                {call.method !== '' && <b>.{call.method}</b>}
                <Given call={call} />
              </span>
            </td>
            <td>
              <meter className="h-chain-gas" min={0} max={Math.max(1, most)} value={call.gas} aria-hidden />
              {number(call.gas, locale)}
            </td>
            <td>{whole(call.value, locale)}</td>
            <td>{call.error}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function EventRows({ rows }: { rows: readonly EventView[] }) {
  const { t } = useLingui()
  return (
    <table className="h-population h-chain" aria-label={t`Events`}>
      <thead>
        <tr>
          <th scope="col">
            <Trans>Contract</Trans>
          </th>
          <th scope="col">
            <Trans>Event</Trans>
          </th>
          <th scope="col">
            <Trans>Values</Trans>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ contract, event, values }, k) => (
          <tr key={k}>
            <td>
              <Party name={contract} />
            </td>
            <td>{event}</td>
            <td className="h-chain-call">
              {values.map(({ name, value }, at) => (
                <span key={at} className="h-chain-value">
                  {name !== '' && <small>{name}</small>} <Party name={value} />
                </span>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Arguments of a call; a message without a name of its own stands alone. */
function Given({ call: { method, arguments: given } }: { call: CallView }) {
  if (method === '') return given === '' ? null : <span className="h-chain-given"> {given}</span>
  return <span className="h-chain-given">({given})</span>
}
