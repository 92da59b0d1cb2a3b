// A chain while its run is stopped: blocks, transactions, pending transactions, accounts, and the storage of one of them.
import { Trans, useLingui } from '@lingui/react/macro'
import { Segmented, Select } from 'antd'
import { useEffect, useState } from 'react'
import { useRun, useRunView } from '../RunProvider.tsx'
import { Shown, type Part } from './ChainTables.tsx'
import { Verified, VerifyButton } from './ChainVerify.tsx'
import { clock, number } from './chain-texts.tsx'
import './panels.css'

const noChains: readonly { id: string; name: string }[] = []

export function Chain() {
  const { t, i18n } = useLingui()
  const run = useRun()
  const chains = useRunView(view => view.loaded?.chains ?? noChains)
  const told = useRunView(view => view.chain)
  const status = useRunView(view => view.status)
  const [chosen, setChosen] = useState<string | null>(null)
  const [part, setPart] = useState<Part>('transactions')
  const [storageOf, setStorageOf] = useState<string | null>(null)
  const [callsOf, setCallsOf] = useState<{ block: number; index: number } | null>(null)
  const chain = chains.find(one => one.id === chosen)?.id ?? chains[0]?.id ?? null
  const { locale } = i18n

  useEffect(() => {
    run.watchChain(chain === null ? null : { chain, storageOf, callsOf })
  }, [run, chain, storageOf, callsOf])
  useEffect(() => () => run.watchChain(null), [run])

  if (chain === null)
    return (
      <p className="h-panel-hint">
        <Trans>Blocks and transactions appear here when the model can run and has a blockchain environment.</Trans>
      </p>
    )
  const view = told?.chain === chain ? told : null
  const parts: { value: Part; label: string }[] = [
    { value: 'transactions', label: t`Transactions` },
    { value: 'blocks', label: t({ message: 'Blocks', context: 'of a chain' }) },
    { value: 'waiting', label: t`Waiting` },
    { value: 'accounts', label: t`Accounts` },
    { value: 'storage', label: t`Storage` },
  ]
  const show = (address: string): void => {
    setStorageOf(address)
    setPart('storage')
  }
  const branch = (tick: number): void => {
    run.seek(tick)
    run.startFork()
  }
  return (
    <div className="h-panel">
      <div className="h-panel-bar h-chain-bar">
        {chains.length > 1 && (
          <Select
            size="small"
            aria-label={t`Chain`}
            value={chain}
            popupMatchSelectWidth={false}
            options={chains.map(one => ({ value: one.id, label: one.name }))}
            onChange={next => {
              setChosen(next)
              setStorageOf(null)
              setCallsOf(null)
            }}
          />
        )}
        <Segmented<Part> size="small" aria-label={t`Part of the chain`} options={parts} value={part} onChange={setPart} />
        {view && (
          <span className="h-num">
            <Trans>
              Block {number(view.number, locale)}, {clock(view.timestamp, locale)}
            </Trans>
          </span>
        )}
        {view?.family === 'ethereum' && <VerifyButton isDisabled={status === 'playing' || view.transactions.length === 0} />}
      </div>
      <Verified locale={locale} />
      <div className="h-panel-scroll" tabIndex={0} role="region" aria-label={parts.find(one => one.value === part)?.label}>
        {status === 'playing' ? (
          <p className="h-panel-hint">
            <Trans>Pause the run to look at the chain.</Trans>
          </p>
        ) : (
          view && (
            <Shown
              view={view}
              part={part}
              locale={locale}
              callsOf={callsOf}
              onStorage={show}
              onCalls={setCallsOf}
              onGo={tick => run.seek(tick)}
              onBranch={branch}
            />
          )
        )}
      </div>
    </div>
  )
}
