// The tables of a chain: blocks, transactions, those that wait, accounts, and what a contract stores.
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { ChainView } from '../../../sim-engine/messages.ts'
import { Calls } from './ChainCalls.tsx'
import { clock, digitsIn, number, Party, whole } from './chain-texts.tsx'

export type Part = 'blocks' | 'transactions' | 'waiting' | 'accounts' | 'storage'
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

export function Shown({ view, part, locale, callsOf, onStorage, onCalls, onGo, onBranch }: ShownProps) {
  if (part === 'blocks') return <Blocks view={view} locale={locale} onGo={onGo} onBranch={onBranch} />
  if (part === 'transactions' && callsOf !== null)
    return <Calls view={view} chosen={callsOf} locale={locale} onBack={() => onCalls(null)} />
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
  const { unit } = view
  const hasBaseFee = view.family === 'ethereum'
  return (
    <Rows
      heads={[
        <Trans key="n" context="of a chain">
          Block
        </Trans>,
        <Trans key="t">Time</Trans>,
        <Trans key="c">Transactions</Trans>,
        <Trans key="g">Gas used</Trans>,
        ...(hasBaseFee ? [<Trans key="b">Base fee ({unit})</Trans>] : []),
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
          ...(hasBaseFee ? [whole(one.baseFee, locale)] : []),
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
  const { unit } = view
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
        <Trans key="v">Amount ({unit})</Trans>,
        <Trans key="g">Gas</Trans>,
        <Trans key="e">Fee ({unit})</Trans>,
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

const Waiting = ({ view, view: { unit }, locale }: { view: ChainView; locale: string }) => (
  <Rows
    heads={[
      <Trans key="f" context="of a chain">
        From
      </Trans>,
      <Trans key="t" context="of a chain">
        To
      </Trans>,
      <Trans key="m">Method</Trans>,
      <Trans key="p">Tip ({unit})</Trans>,
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
  const { unit } = view
  const more = view.accountCount - view.accounts.length
  return (
    <>
      <Rows
        heads={[
          <Trans key="a">Account</Trans>,
          <Trans key="d">Address</Trans>,
          <Trans key="b">Balance ({unit})</Trans>,
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
  const hasSlots = view.family === 'ethereum'
  const hasNumbers = storage.slots.some(({ value }) => digitsIn(value) !== null)
  return (
    <>
      <p className="h-chain-of">
        <b>{label === undefined || label === '' ? <Party name={storage.of} /> : label}</b>{' '}
        {hasSlots ? (
          <Plural value={storage.count} one="# slot" other="# slots" />
        ) : (
          <Plural value={storage.count} one="# entry" other="# entries" />
        )}
      </p>
      <Rows
        heads={[
          hasSlots ? (
            <Trans key="k">Slot</Trans>
          ) : (
            <Trans key="k" context="of storage">
              Key
            </Trans>
          ),
          <Trans key="v">Value</Trans>,
          ...(hasNumbers ? [<Trans key="d">As a number</Trans>] : []),
        ]}
        rows={storage.slots.map(({ key, value }) => {
          const digits = digitsIn(value)
          const cells = [<Stored key="k" text={key} />, <Stored key="v" text={value} />]
          return hasNumbers ? [...cells, digits === null ? '' : whole(digits, locale)] : cells
        })}
        none={hasSlots ? <Trans>Every slot is 0.</Trans> : <Trans>Nothing is stored.</Trans>}
      />
    </>
  )
}

const Stored = ({ text }: { text: string }) => <code className="h-chain-stored">{text}</code>
