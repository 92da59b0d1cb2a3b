// What a panel shows of a chain while the run is paused: plain data, texts for whole numbers of any size.
import { historyAddress } from './evm/history.ts'
import type { Parts } from '../check/parts.ts'
import { show } from '../formula/runtime/show.ts'
import type { World } from '../world/world.ts'
import { namedAddress } from './accounts.ts'
import { toHex } from './evm/word.ts'
import { chainOf } from './parts.ts'
import type { BlockRecord, TransactionRecord } from './ledger.ts'
import type { CallRecord, Log, Machine, Slot } from './machine.ts'
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
  readonly kind: string
  readonly from: string
  readonly to: string
  /** Name of the method, or the selector in hexadecimal where no interface has it; empty where the call has none. */
  readonly method: string
  readonly arguments: string
  readonly value: string
  readonly gas: number
  /** Why it failed; empty where it did not. */
  readonly error: string
}

/** An event that a contract told of; its name is empty where no interface has it. */
export type EventView = {
  readonly contract: string
  readonly event: string
  readonly values: readonly { readonly name: string; readonly value: string }[]
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
  readonly family: Machine['family']
  /** The smallest unit of the chain's own coin: what amounts, fees and balances are in. */
  readonly unit: string
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
    readonly slots: readonly Slot[]
    readonly count: number
  } | null
  /** Calls of the transaction that was asked for, each behind its caller, and its events; null where they are not known. */
  readonly calls: {
    readonly block: number
    readonly index: number
    readonly rows: readonly CallView[]
    readonly events: readonly EventView[]
  } | null
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
  const name = (address: bigint): string => labels.get(address) || format.text(address)
  const names: Names = {
    of: name,
    within: text =>
      text.replaceAll(format.pattern, found => {
        const address = format.number(found)
        return address === undefined ? found : name(address)
      }),
  }
  const shown = (address: string): string => {
    const found = address === '' ? undefined : BigInt(address)
    return found === undefined ? '' : name(found)
  }
  return {
    chain: parts.chains[index]!.id,
    family: ledger.machine.family,
    unit: ledger.machine.unit,
    number: Number(ledger.number),
    timestamp: ledger.timestamp,
    baseFee: String(ledger.baseFee),
    blocks: ledger.blocks.slice(-mostRows).toReversed(),
    transactions: ledger.transactions
      .slice(-mostRows)
      .toReversed()
      .map(one => ({ ...one, from: shown(one.from), to: shown(one.to), why: whyOf(chains, index, one, names) })),
    waiting: ledger.pool.slice(0, mostRows).map(({ transaction: { from, to, tip, gasLimit }, method }) => ({
      from: name(from),
      to: to === undefined ? '' : name(to),
      method,
      tip: String(tip),
      gas: String(gasLimit),
    })),
    accounts: accounts.slice(0, mostRows).map(({ row }) => row),
    accountCount: accounts.length,
    storage: storageOf(chains, index, ask.storageOf, names),
    calls: callsOf(chains, index, ask.callsOf, names),
  }
}

/** How addresses are shown: the name of one, and a text with names in their places. */
type Names = { readonly of: (address: bigint) => string; readonly within: (text: string) => string }

/** Why a call failed, by the contract's own words where it has any; empty where it did not. */
function errorOf(chains: Chains, index: number, { to, end, output }: CallRecord, names: Names): string {
  if (end !== 'reverted') return end === 'returned' ? '' : end
  return names.within(chains.codecAt(index, to).reason(output))
}

function whyOf(chains: Chains, index: number, { status, block, index: place, why }: TransactionRecord, names: Names): string {
  const call = status === 'reverted' ? chains.ledgers[index]!.inside(block, place)?.calls[0] : undefined
  return call === undefined ? why : errorOf(chains, index, call, names)
}

function callsOf(chains: Chains, index: number, wanted: ChainAsk['callsOf'], names: Names): ChainView['calls'] {
  const inside = wanted ? chains.ledgers[index]!.inside(wanted.block, wanted.index) : undefined
  if (wanted === null || inside === undefined) return null
  const rows = inside.calls.map((call): CallView => {
    const { depth, kind, from, to, value, input, gasUsed } = call
    const text = chains.codecAt(index, to).described(kind, input)
    return {
      depth,
      kind,
      from: names.of(from),
      to: names.of(to),
      method: text.method,
      arguments: names.within(text.arguments).slice(0, mostText),
      value: String(value),
      gas: gasUsed,
      error: errorOf(chains, index, call, names),
    }
  })
  return { ...wanted, rows, events: inside.logs.slice(0, mostRows).map(log => eventOf(chains, index, log, names)) }
}

function eventOf(chains: Chains, index: number, log: Log, names: Names): EventView {
  const found = chains.codecAt(index, log.address).event(log)
  const values = found
    ? found.values.keys().map(key => ({ name: String(key), value: found.values.get(key) }))
    : [{ name: '', value: toHex(log.data) }]
  return {
    contract: names.of(log.address),
    event: found?.name ?? '',
    values: values.map(({ name, value }) => ({ name, value: names.within(show(value)).slice(0, mostText) })),
  }
}

/** Most characters of the arguments of one call, of a value of an event and of storage. */
const mostText = 400

function storageOf(chains: Chains, index: number, wanted: string | null, names: Names): ChainView['storage'] {
  const address = wanted === null ? undefined : chains.formats[index]!.number(wanted)
  const slots = address === undefined ? null : chains.ledgers[index]!.machine.storageOf(address)
  if (address === undefined || slots === null) return null
  const shown = (text: string): string => names.within(text).slice(0, mostText)
  return {
    of: chains.formats[index]!.text(address),
    count: slots.length,
    slots: slots.slice(0, mostRows).map(({ key, value }) => ({ key: shown(key), value: shown(value) })),
  }
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
