// A chain while its run is stopped: blocks, transactions, pending transactions, accounts, and the storage of one of them.
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Segmented, Select } from 'antd'
import { useEffect, useState, type ReactNode } from 'react'
import type { ChainView } from '../../../sim-engine/messages.ts'
import { useRun, useRunView } from '../RunProvider.tsx'
import { Calls } from './ChainCalls.tsx'
import { Verified, VerifyButton } from './ChainVerify.tsx'
import { clock, number, Party, whole } from './chain-texts.tsx'
import './panels.css'

type Part = 'blocks' | 'transactions' | 'waiting' | 'accounts' | 'storage'

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
        <VerifyButton isDisabled={status === 'playing' || view === null || view.transactions.length === 0} />
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

type Chosen = { block: number; index: number }
type ShownProps = {
  view: ChainView
  part: Part
  locale: string
  callsOf: Chosen | null
  onStorage(address: string): void
  onCalls(chosen: Chosen | null): void
  onGo(tick: number): void
  onBranch(tick: number): void
}

function Shown({ view, part, locale, callsOf, onStorage, onCalls, onGo, onBranch }: ShownProps) {
  if (part === 'blocks') return <Blocks view={view} locale={locale} onGo={onGo} onBranch={onBranch} />
  if (part === 'transactions' && callsOf !== null)
    return <Calls calls={view.calls} chosen={callsOf} locale={locale} onBack={() => onCalls(null)} />
  if (part === 'transactions') return <Transactions view={view} locale={locale} onCalls={onCalls} />
  if (part === 'waiting') return <Waiting view={view} locale={locale} />
  if (part === 'accounts') return <Accounts view={view} locale={locale} onStorage={onStorage} />
  return <Storage view={view} locale={locale} />
}

/** A table with a row for each item; a sentence where there is none. */
function Rows({ heads, rows, none }: { heads: readonly ReactNode[]; rows: readonly (readonly ReactNode[])[]; none: ReactNode }) {
  if (rows.length === 0) return <p className="h-panel-hint">{none}</p>
  return (
    <table className="h-population h-chain">
      <thead>
        <tr>
          {heads.map((head, k) => (
            <th key={k} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, k) => (
          <tr key={k}>
            {cells.map((cell, column) => (
              <td key={column}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type BlocksProps = { view: ChainView; locale: string; onGo(tick: number): void; onBranch(tick: number): void }

function Blocks({ view, locale, onGo, onBranch }: BlocksProps) {
  const { t } = useLingui()
  return (
    <Rows
      heads={[
        <Trans key="n" context="of a chain">
          Block
        </Trans>,
        <Trans key="t">Time</Trans>,
        <Trans key="c">Transactions</Trans>,
        <Trans key="g">Gas used</Trans>,
        <Trans key="b">Base fee (wei)</Trans>,
        <Trans key="w">What if</Trans>,
      ]}
      rows={view.blocks.map(one => {
        const block = number(one.number, locale)
        return [
          <button key="n" type="button" className="h-link" title={t`Go to block ${block}`} onClick={() => onGo(one.tick)}>
            {block}
          </button>,
          clock(one.timestamp, locale),
          number(one.transactions, locale),
          number(one.gas, locale),
          whole(one.baseFee, locale),
          <button key="w" type="button" className="h-link" aria-label={t`Branch after block ${block}`} onClick={() => onBranch(one.tick)}>
            <Trans>Branch here</Trans>
          </button>,
        ]
      })}
      none={<Trans>No block has been made yet.</Trans>}
    />
  )
}

function Transactions({ view, locale, onCalls }: { view: ChainView; locale: string; onCalls(chosen: Chosen): void }) {
  const { t } = useLingui()
  const states = { success: t`Succeeded`, reverted: t`Reverted`, refused: t`Refused` }
  return (
    <Rows
      heads={[
        <Trans key="b" context="of a chain">
          Block
        </Trans>,
        <Trans key="f" context="of a chain">
          From
        </Trans>,
        <Trans key="t" context="of a chain">
          To
        </Trans>,
        <Trans key="m">Method</Trans>,
        <Trans key="s">Status</Trans>,
        <Trans key="v">Amount (wei)</Trans>,
        <Trans key="g">Gas</Trans>,
        <Trans key="e">Fee (wei)</Trans>,
      ]}
      rows={view.transactions.map(one => [
        number(one.block, locale),
        <Party key="f" name={one.from} />,
        <Party key="t" name={one.to} />,
        one.status === 'refused' ? (
          one.method
        ) : (
          <button
            key="m"
            type="button"
            className="h-link"
            aria-label={t`Calls of ${one.method}`}
            onClick={() => onCalls({ block: one.block, index: one.index })}
          >
            {one.method}
          </button>
        ),
        one.status === 'success' ? states.success : `${states[one.status]}: ${one.why}`,
        whole(one.value, locale),
        number(one.gas, locale),
        whole(one.fee, locale),
      ])}
      none={<Trans>No transaction has been sent yet.</Trans>}
    />
  )
}

const Waiting = ({ view, locale }: { view: ChainView; locale: string }) => (
  <Rows
    heads={[
      <Trans key="f" context="of a chain">
        From
      </Trans>,
      <Trans key="t" context="of a chain">
        To
      </Trans>,
      <Trans key="m">Method</Trans>,
      <Trans key="p">Tip (wei)</Trans>,
      <Trans key="g">Gas limit</Trans>,
    ]}
    rows={view.waiting.map(one => [
      <Party key="f" name={one.from} />,
      <Party key="t" name={one.to} />,
      one.method,
      whole(one.tip, locale),
      whole(one.gas, locale),
    ])}
    none={<Trans>No transaction waits for a block.</Trans>}
  />
)

function Accounts({ view, locale, onStorage }: { view: ChainView; locale: string; onStorage(address: string): void }) {
  const { t } = useLingui()
  const more = view.accountCount - view.accounts.length
  return (
    <>
      <Rows
        heads={[
          <Trans key="a">Account</Trans>,
          <Trans key="d">Address</Trans>,
          <Trans key="b">Balance (wei)</Trans>,
          <Trans key="n">Transactions sent</Trans>,
        ]}
        rows={view.accounts.map(one => {
          const name = one.label === '' ? one.address : one.label
          return [
            one.isContract ? (
              <button key="a" type="button" className="h-link" aria-label={t`Storage of ${name}`} onClick={() => onStorage(one.address)}>
                {name}
              </button>
            ) : (
              <Party key="a" name={name} />
            ),
            <code key="d">{one.address}</code>,
            whole(one.balance, locale),
            whole(one.nonce, locale),
          ]
        })}
        none={<Trans>There is no account yet.</Trans>}
      />
      {more > 0 && (
        <p className="h-panel-hint">
          <Plural value={more} one="# account more" other="# accounts more" />
        </p>
      )}
    </>
  )
}

function Storage({ view, locale }: { view: ChainView; locale: string }) {
  if (!view.storage)
    return (
      <p className="h-panel-hint">
        <Trans>Choose a contract under Accounts to see what it stores.</Trans>
      </p>
    )
  const { storage } = view
  const label = view.accounts.find(one => one.address === storage.of)?.label
  return (
    <>
      <p className="h-chain-of">
        <b>{label === undefined || label === '' ? storage.of : label}</b> <Plural value={storage.count} one="# slot" other="# slots" />
      </p>
      <Rows
        heads={[<Trans key="k">Slot</Trans>, <Trans key="v">Value</Trans>, <Trans key="d">As a number</Trans>]}
        rows={storage.slots.map(({ key, value }) => [<code key="k">{key}</code>, <code key="v">{value}</code>, whole(value, locale)])}
        none={<Trans>Every slot is 0.</Trans>}
      />
    </>
  )
}
