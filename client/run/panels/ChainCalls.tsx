// The calls within a transaction, each after its caller: caller, callee, arguments, gas, and the place of a failure.
import { Trans, useLingui } from '@lingui/react/macro'
import type { CallView, ChainView } from '../../../sim-engine/messages.ts'
import { Party, number, whole } from './chain-texts.tsx'

type CallsProps = { calls: ChainView['calls']; chosen: { block: number; index: number }; locale: string; onBack(): void }

export function Calls({ calls, chosen, locale, onBack }: CallsProps) {
  const { t } = useLingui()
  const rows = calls?.block === chosen.block && calls.index === chosen.index ? calls.rows : null
  const most = rows?.[0]?.gas ?? 0
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
      {rows === null ? (
        <p className="h-panel-hint">
          <Trans>Its calls are not kept: only those of the latest transactions are, since the model was opened.</Trans>
        </p>
      ) : (
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
                <Trans>Amount (wei)</Trans>
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
                    {call.kind === 'CREATE' ? null : <Given call={call} />}
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
      )}
    </>
  )
}

const Given = ({ call }: { call: CallView }) => (call.method === '' ? null : <span className="h-chain-given">({call.arguments})</span>)
