// Verify with the reference machine: the run's transactions are executed once more by a second, independent machine, and compared.
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button } from 'antd'
import { useRun, useRunView } from '../RunProvider.tsx'
import { number } from './chain-texts.tsx'

export function VerifyButton({ isDisabled }: { isDisabled: boolean }) {
  const { t } = useLingui()
  const run = useRun()
  const isRunning = useRunView(view => view.verified?.is === 'running')
  return (
    <Button
      size="small"
      disabled={isDisabled}
      loading={isRunning}
      title={t`Executes the transactions so far once more with @ethereumjs/vm and compares gas, results, logs and the state at the end`}
      onClick={() => run.verifyChains()}
    >
      <Trans>Verify with the reference machine</Trans>
    </Button>
  )
}

export function Verified({ locale }: { locale: string }) {
  const state = useRunView(view => view.verified)
  if (state === null) return null
  if (state.is === 'running')
    return (
      <p className="h-chain-verdict" role="status">
        {state.of === 0 ? (
          <Trans>The run is being made once more…</Trans>
        ) : (
          <Trans>
            {number(state.done, locale)} of {number(state.of, locale)} transactions compared…
          </Trans>
        )}
      </p>
    )
  if (state.is === 'failed')
    return (
      <p className="h-chain-verdict" role="status" data-failed>
        {state.why === 'not loaded' ? (
          <Trans>The reference machine could not be loaded; check the connection, then try again.</Trans>
        ) : (
          <Trans>The comparison could not be made: {state.message}</Trans>
        )}
      </p>
    )
  return (
    <div role="status">
      {state.verdicts.map(({ chain, transactions, accounts, slots, difference }) => (
        <p key={chain} className="h-chain-verdict" data-failed={difference !== null || undefined}>
          <b>{chain}</b>{' '}
          {difference === null ? (
            <>
              <Plural
                value={transactions}
                one="# transaction is equal on the reference machine"
                other="# transactions are equal on the reference machine"
              />
              {', '}
              <Trans>
                also {number(accounts, locale)} accounts and {number(slots, locale)} slots at the end.
              </Trans>
            </>
          ) : (
            <>
              {difference.block === null ? (
                <Trans>In the end</Trans>
              ) : (
                <Trans>
                  Block {number(difference.block, locale)}, {difference.method}
                </Trans>
              )}
              {': '}
              <Trans>
                {difference.what} is {difference.ours}, on the reference machine {difference.theirs}.
              </Trans>
            </>
          )}
        </p>
      ))}
    </div>
  )
}
