// Accounts and storage as data. What is written depends on the state of the accounts, not on its history: accounts and slots are in the order of
// their addresses and keys, and what was only read is left out. Pages of storage are shared with the state and with other snapshots.
import { listOf } from '../kernel/snapshot.ts'
import type { State } from '../kernel/snapshot.ts'
import { Code, noCode } from './evm/code.ts'
import { Pages } from './evm/pages.ts'
import { State as ChainState } from './evm/state.ts'
import type { Account } from './evm/state.ts'

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

export function saveState(state: ChainState): State {
  const written = new Map<Account, readonly Uint8Array[]>()
  for (const account of state.accounts.values()) {
    if (!account.exists) continue
    const { pages, count } = state.pagesOf(account)
    if (count > 0 || differs(state, account)) written.set(account, pages)
  }
  const accounts = [...written.keys()].sort((a, b) => ascending(a.address, b.address))
  const codes: Uint8Array[] = []
  const numbers = new Map<Code, number>()
  const numberOfCode = ({ code }: Account): number => {
    if (code.bytes.length === 0) return -1
    let number = numbers.get(code)
    if (number === undefined) {
      numbers.set(code, (number = codes.length))
      codes.push(code.bytes)
    }
    return number
  }
  const rows = accounts.map(account => [
    account.address.toString(16),
    account.nonce.toString(16),
    account.balance.toString(16),
    numberOfCode(account),
    written.get(account)!,
    ...(account.isForked ? [1] : []),
  ])
  const gone = [...state.gone].sort(ascending).map(address => address.toString(16))
  return { codes, accounts: rows, ...(gone.length > 0 ? { gone } : {}) }
}

/** Whether an account is not as the base has it. */
function differs({ base }: ChainState, { address, isForked, nonce, balance, code }: Account): boolean {
  if (!isForked || base === null) return true
  const below = base.account(address)
  return nonce !== below.nonce || balance !== below.balance || code !== below.code
}

/** A state as it was saved. Codes that `before` has are taken from there, as they are analysed already. */
export function loadState(saved: State, before: ChainState): ChainState {
  const state = new ChainState(before.base)
  if (saved === null || typeof saved !== 'object') return state
  const { codes, accounts, gone } = saved as { codes: readonly Uint8Array[]; accounts: readonly State[]; gone?: readonly string[] }
  for (const address of gone ?? []) state.gone.add(BigInt(`0x${address}`))
  const known = new Map<Uint8Array, Code>()
  for (const { code } of before.accounts.values()) known.set(code.bytes, code)
  const made = codes.map(bytes => known.get(bytes) ?? new Code(bytes))
  for (const row of accounts) {
    const [digits, nonce, balance, code, pages, isForked] = listOf(row) as readonly [
      string,
      string,
      string,
      number,
      readonly Uint8Array[],
      number?,
    ]
    const address = BigInt(`0x${digits}`)
    const account = isForked === 1 ? state.account(address) : state.ownAccount(address)
    account.exists = true
    account.nonce = BigInt(`0x${nonce}`)
    account.balance = BigInt(`0x${balance}`)
    account.code = code < 0 ? noCode : (made[code] ?? noCode)
    account.pages = new Pages(pages)
  }
  state.end()
  return state
}
