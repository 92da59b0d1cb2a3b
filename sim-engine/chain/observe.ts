// What a panel shows of a chain while the run is paused: plain data, texts for whole numbers of any size.
import { historyAddress } from './evm/history.ts'
import type { Parts } from '../check/parts.ts'
import type { World } from '../world/world.ts'
import { namedAddress } from './accounts.ts'
import type { CallRecord } from './evm/vm.ts'
import { toHex } from './evm/word.ts'
import { chainOf } from './parts.ts'
import type { BlockRecord, TransactionRecord } from './ledger.ts'
import type { Chains } from './run.ts'

/** The chain to show, the account with the storage to show, and the transaction with the calls to show. */
export type ChainAsk = {
  readonly chain: string
  readonly storageOf: string | null
  readonly callsOf: { readonly block: number; readonly index: number } | null
}

/** A call within a transaction. */
export type CallView = {
  readonly depth: number
  readonly kind: CallRecord['kind']
  readonly from: string
  readonly to: string
  /** Name of the method, or the selector in hexadecimal where no interface has it. */
  readonly method: string
  readonly arguments: string
  readonly value: string
  readonly gas: number
  /** Why it failed; empty where it did not. */
  readonly error: string
}

export type AccountView = {
  readonly address: string
  readonly label: string
  readonly isContract: boolean
  readonly balance: string
  readonly nonce: string
}

export type ChainView = {
  readonly chain: string
  readonly number: number
  readonly timestamp: number
  readonly baseFee: string
  readonly blocks: readonly BlockRecord[]
  readonly transactions: readonly TransactionRecord[]
  readonly waiting: readonly {
    readonly from: string
    readonly to: string
    readonly method: string
    readonly tip: string
    readonly gas: string
  }[]
  readonly accounts: readonly AccountView[]
  /** Accounts in all; `accounts` has the first of them. */
  readonly accountCount: number
  readonly storage: {
    readonly of: string
    readonly slots: readonly { readonly key: string; readonly value: string }[]
    readonly count: number
  } | null
  /** Calls of the transaction that was asked for, each behind its caller; null where they are not known. */
  readonly calls: { readonly block: number; readonly index: number; readonly rows: readonly CallView[] } | null
}

/** Most rows of one list. */
const mostRows = 200

export function describeChain(chains: Chains, parts: Parts, world: World, ask: ChainAsk): ChainView {
  const index = Math.max(
    0,
    parts.chains.findIndex(({ id }) => id === ask.chain),
  )
  const ledger = chains.ledgers[index]!
  const labels = labelsOf(chains, parts, world, index)
  const accounts = [...ledger.machine.accounts()]
    .map(({ address, balance, nonce, isContract }) => {
      const label = labels.get(address) ?? ''
      const rank = isContract ? 0 : label === '' ? 2 : 1
      return {
        rank,
        row: { address: chains.formats[index]!.text(address), label, isContract, balance: String(balance), nonce: String(nonce) },
      }
    })
    .sort(
      (a, b) =>
        a.rank - b.rank || a.row.label.localeCompare(b.row.label, 'en', { numeric: true }) || (a.row.address < b.row.address ? -1 : 1),
    )
  const format = chains.formats[index]!
  const shown = (address: string): string => {
    const found = address === '' ? undefined : BigInt(address)
    return found === undefined ? '' : labels.get(found) || format.text(found)
  }
  return {
    chain: parts.chains[index]!.id,
    number: Number(ledger.number),
    timestamp: ledger.timestamp,
    baseFee: String(ledger.baseFee),
    blocks: ledger.blocks.slice(-mostRows).toReversed(),
    transactions: ledger.transactions
      .slice(-mostRows)
      .toReversed()
      .map(one => ({ ...one, from: shown(one.from), to: shown(one.to) })),
    waiting: ledger.pool.slice(0, mostRows).map(({ transaction: { from, to, tip, gasLimit }, method }) => ({
      from: labels.get(from) || format.text(from),
      to: to === undefined ? '' : labels.get(to) || format.text(to),
      method,
      tip: String(tip),
      gas: String(gasLimit),
    })),
    accounts: accounts.slice(0, mostRows).map(({ row }) => row),
    accountCount: accounts.length,
    storage: storageOf(chains, index, ask.storageOf),
    calls: callsOf(chains, index, ask.callsOf, address => labels.get(address) || format.text(address)),
  }
}

function callsOf(chains: Chains, index: number, wanted: ChainAsk['callsOf'], name: (address: bigint) => string): ChainView['calls'] {
  const calls = wanted ? chains.ledgers[index]!.callsOf(wanted.block, wanted.index) : undefined
  if (wanted === null || calls === undefined) return null
  const rows = calls.map(({ depth, kind, from, to, value, input, gasUsed, end, output }): CallView => {
    const codec = chains.codecs[chains.contractAt(index, to)]
    const found = kind === 'CREATE' ? undefined : codec?.called(input)
    const selector = kind === 'CREATE' || input.length < 4 ? '' : toHex(input.subarray(0, 4))
    const error = end === 'returned' ? '' : end === 'reverted' ? (codec?.reason(output) ?? end) : end
    return {
      depth,
      kind,
      from: name(from),
      to: name(to),
      method: found?.name ?? selector,
      arguments: (found?.argumentsText(input) ?? '').slice(0, mostArguments),
      value: String(value),
      gas: gasUsed,
      error,
    }
  })
  return { ...wanted, rows }
}

/** Most characters of the arguments of one call. */
const mostArguments = 400

function storageOf(chains: Chains, index: number, wanted: string | null): ChainView['storage'] {
  const address = wanted === null ? undefined : chains.formats[index]!.number(wanted)
  const slots = address === undefined ? null : chains.ledgers[index]!.machine.storageOf(address)
  if (address === undefined || slots === null) return null
  return { of: chains.formats[index]!.text(address), count: slots.length, slots: slots.slice(0, mostRows) }
}

/** Names of addresses: contracts, named accounts, and the first individuals of each population. */
function labelsOf(chains: Chains, parts: Parts, world: World, index: number): Map<bigint, string> {
  const labels = new Map<bigint, string>()
  const home = parts.chains[index]!
  const { element } = home
  labels.set(historyAddress, 'EIP-2935')
  labels.set(namedAddress(home, 'coinbase'), 'coinbase')
  for (const part of parts.contracts) {
    if (part.chain !== index) continue
    const { deployer } = part.element.fields
    labels.set(
      namedAddress(home, typeof deployer === 'string' ? deployer : 'deployer'),
      typeof deployer === 'string' ? deployer : 'deployer',
    )
  }
  const rows = Array.isArray(element.fields['accounts']) ? element.fields['accounts'] : []
  for (const row of rows) {
    const name = typeof row === 'object' && row !== null && !Array.isArray(row) ? row['name'] : ''
    if (typeof name === 'string') labels.set(namedAddress(home, name), name)
  }
  for (const entity of parts.entities) {
    if (entity.kind !== 'agent' || entity.form === 'observer' || chainOf(parts, entity) !== index) continue
    const population = world.population(entity.index)
    for (let k = 0; k < Math.min(population.livingCount, mostLabelled); k++) {
      const slot = population.living[k]!
      const handle = population.handles[slot]!
      if (handle >= 0) labels.set(chains.addressOfIndividual(index, entity.index, handle), `${entity.name} ${population.ids[slot]}`)
    }
  }
  for (const part of parts.contracts) {
    const address = part.chain === index ? chains.addressOfContract(part.index) : undefined
    if (address !== undefined) labels.set(address, part.name)
  }
  return labels
}

/** Most individuals of a population that are listed by name. */
const mostLabelled = 2_000
