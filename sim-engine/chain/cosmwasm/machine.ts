// The machine of CosmWasm under a ledger: transactions with one message, paid in the chain's own coin.
// Differences from Terra: the fee is that of the gas used, not of the gas wanted, and transactions are not signed.
import { listOf, numberOf, recordOf } from '../../kernel/snapshot.ts'
import type { State as Saved } from '../../kernel/snapshot.ts'
import type { AccountState, Block, Executed, Log, Machine, Noted, Simulated, Slot, Transaction, Viewed } from '../machine.ts'
import { addressNumber, addressBytes, textOfNumber } from './address.ts'
import { App, GasMeter, storedOf } from './app.ts'
import type { Done, Event } from './app.ts'
import { MessageFault, OutOfGas } from './faults.ts'
import { envelopeBytes, price } from './gas.ts'
import type { Creation } from './codec.ts'
import type { Code, Coin, Contract } from './state.ts'
import { nativeCoin, TerraState } from './state.ts'
import { readableJson } from './json.ts'
import { Store } from './store.ts'

const chainId = 'phoenix-1'

const noBytes = new Uint8Array(0)
const encoder = new TextEncoder()
const decoder = new TextDecoder()

type Ended = {
  readonly end: string
  readonly output: Uint8Array
  readonly gasUsed: number
  readonly created: bigint | undefined
  readonly logs: readonly Log[]
}

export class TerraMachine implements Machine {
  readonly family = 'cosmwasm'
  readonly unit = nativeCoin
  readonly mostGas = 1_000_000_000n
  readonly #state = new TerraState()
  readonly #sequences = new Map<bigint, bigint>()
  readonly #coinbase: string
  #app: App
  #block: Block = { number: 0n, timestamp: 0, baseFee: 0n, gasLimit: 0n, random: () => 0n }

  /** `codes`: modules in the order of their numbers, from 1. */
  constructor(codes: readonly Code[], coinbase: bigint) {
    for (const code of codes) this.#state.store(code)
    this.#state.settle()
    this.#coinbase = textOfNumber(coinbase)
    this.#app = new App(this.#state, () => ({
      height: Number(this.#block.number),
      time: BigInt(this.#block.timestamp) * 1_000_000_000n,
      chainId,
      index: 0,
    }))
  }

  begin(): void {}

  keepHash(): void {}

  enter(block: Block): void {
    this.#block = block
  }

  balanceOf(address: bigint): bigint {
    return this.#state.balance(textOfNumber(address), nativeCoin)
  }

  nonceOf(address: bigint): bigint {
    return this.#sequences.get(address) ?? 0n
  }

  isContract(address: bigint): boolean {
    return this.#state.contracts.has(textOfNumber(address))
  }

  credit(address: bigint, amount: bigint): void {
    this.#state.credit(textOfNumber(address), nativeCoin, amount)
    this.#state.settle()
  }

  execute(transaction: Transaction, { calls }: Noted): Executed {
    const { from, value, gasLimit, maxFee, nonce, data } = transaction
    const gasPrice = maxFee
    const least = price.signature + price.transactionByte * (data.length + envelopeBytes)
    if (gasLimit < BigInt(least)) return { status: 'invalid', reason: 'gas limit below the intrinsic gas' }
    if (gasLimit > this.#block.gasLimit) return { status: 'invalid', reason: 'gas limit above the block’s' }
    if (this.balanceOf(from) < value + gasLimit * gasPrice) return { status: 'invalid', reason: 'not enough funds' }
    this.#app.calls = calls
    const { end, output, gasUsed, created, logs } = this.#attempted(transaction)
    this.#app.calls = null
    this.#sequences.set(from, nonce + 1n)
    this.#state.move(textOfNumber(from), this.#coinbase, nativeCoin, BigInt(gasUsed) * gasPrice)
    this.#state.settle()
    return { status: end === 'returned' ? 'success' : 'failed', end, output, gasUsed, gasPrice, created, logs }
  }

  simulate(transaction: Transaction): Simulated | { readonly end: 'not enough funds' } {
    if (this.balanceOf(transaction.from) < transaction.value) return { end: 'not enough funds' }
    const ended = this.#attempted(transaction)
    this.#state.undo(0)
    return ended
  }

  /** Executes the message of a transaction; what fails is undone. */
  #attempted(transaction: Transaction): Ended {
    const limit = Number(transaction.gasLimit)
    const gas = new GasMeter(limit)
    const mark = this.#state.mark
    const ended = (end: string, output: Uint8Array, created: bigint | undefined, events: readonly Event[]): Ended => ({
      end,
      output,
      gasUsed: Math.min(limit, limit - gas.left),
      created,
      logs: logsOf(events),
    })
    try {
      gas.take(price.signature + price.transactionByte * (transaction.data.length + envelopeBytes))
      const { data, events, address } = this.#message(transaction, gas)
      return ended('returned', data, address === undefined ? undefined : addressNumber(addressBytes(address)!), events)
    } catch (error) {
      this.#state.undo(mark)
      if (error instanceof OutOfGas) return ended('out of gas', noBytes, undefined, [])
      if (error instanceof MessageFault) return ended('reverted', encoder.encode(error.message), undefined, [])
      throw error
    }
  }

  #message({ from, to, value, data }: Transaction, gas: GasMeter): Done & { readonly address?: string } {
    const sender = textOfNumber(from)
    const funds: readonly Coin[] = value === 0n ? [] : [{ denom: nativeCoin, amount: String(value) }]
    const where = { gas, depth: 0 }
    if (to === undefined) {
      const { code, label, message } = JSON.parse(decoder.decode(data)) as Creation
      return this.#app.instantiate(sender, { code, label, admin: null, salt: null }, JSON.stringify(message), funds, where)
    }
    const address = textOfNumber(to)
    if (data.length > 0) return this.#app.execute(sender, address, decoder.decode(data), funds, where)
    return this.#app.message(sender, { bank: { send: { to_address: address, amount: funds } } }, where)
  }

  view(_from: bigint, to: bigint, data: Uint8Array, gas: number): Viewed {
    try {
      const answer = this.#app.ask(textOfNumber(to), decoder.decode(data), gas)
      return { end: 'returned', output: encoder.encode(JSON.stringify(answer)) }
    } catch (error) {
      if (error instanceof OutOfGas) return { end: 'out of gas', output: noBytes }
      if (error instanceof MessageFault) return { end: 'reverted', output: encoder.encode(error.message) }
      throw error
    }
  }

  *accounts(): Iterable<AccountState> {
    const names = new Set([...this.#state.balances.keys(), ...this.#state.contracts.keys()])
    for (const name of names) {
      const address = addressNumber(addressBytes(name)!)
      yield { address, balance: this.balanceOf(address), nonce: this.nonceOf(address), isContract: this.#state.contracts.has(name) }
    }
  }

  storageOf(address: bigint): readonly Slot[] | null {
    const contract = this.#state.contracts.get(textOfNumber(address))
    return contract
      ? storedOf(contract).map(([key, value]) => ({ key: readableKey(key), value: readableJson(textIn(value) ?? hex(value)) }))
      : null
  }

  save(): Saved {
    const { contracts, balances, instances } = this.#state
    return {
      instances,
      contracts: [...contracts.values()].map(({ address, code, creator, admin, label, store }) => [
        address,
        code,
        creator,
        admin,
        label,
        [...store.keys],
        store.keys.map(key => store.get(key)!),
      ]),
      balances: [...balances.keys()]
        .toSorted()
        .map(account => [account, ...this.#state.coins(account).flatMap(({ denom, amount }) => [denom, amount])]),
      sequences: [...this.#sequences].map(([address, nonce]) => [String(address), String(nonce)]).sort(([a], [b]) => (a! < b! ? -1 : 1)),
    }
  }

  load(saved: Saved): void {
    const record = recordOf(saved)
    const state = this.#state
    state.contracts.clear()
    state.balances.clear()
    state.supply.clear()
    this.#sequences.clear()
    for (const row of listOf(record['contracts'] ?? null)) {
      const contract = contractOf(row)
      state.contracts.set(contract.address, contract)
    }
    for (const row of listOf(record['balances'] ?? null)) {
      const [account, ...coins] = listOf(row).map(String)
      for (let k = 0; k < coins.length; k += 2) state.credit(account!, coins[k]!, BigInt(coins[k + 1]!))
    }
    for (const row of listOf(record['sequences'] ?? null)) {
      const [address, nonce] = listOf(row).map(one => BigInt(String(one)))
      this.#sequences.set(address!, nonce!)
    }
    state.instances = numberOf(record['instances'])
    state.settle()
  }
}

function contractOf(row: Saved): Contract {
  const [address, code, creator, admin, label, keys, values] = listOf(row)
  const store = new Store()
  const bytes = listOf(values ?? null)
  for (const [k, key] of listOf(keys ?? null).entries()) store.set(String(key), bytes[k] as Uint8Array)
  return {
    address: String(address),
    code: numberOf(code),
    creator: String(creator),
    admin: typeof admin === 'string' ? admin : null,
    label: String(label),
    store,
  }
}

/** Events of contracts, as their interface reads them; those of the bank and of wasmd itself are not among them. */
function logsOf(events: readonly Event[]): Log[] {
  return events.flatMap(event => {
    const at =
      event.type === 'wasm' || event.type.startsWith('wasm-') ? event.attributes.find(({ key }) => key === '_contract_address') : undefined
    return at ? [{ address: addressNumber(addressBytes(at.value)!), topics: [], data: encoder.encode(JSON.stringify(event)) }] : []
  })
}

const strict = new TextDecoder('utf-8', { fatal: true })

const hex = (bytes: Uint8Array): string => `0x${[...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')}`

/** The text that bytes are, where people can read it. */
function textIn(bytes: Uint8Array): string | undefined {
  try {
    const text = strict.decode(bytes)
    return /\p{C}/u.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

/** A key as people read it: its names and the rest, each behind two bytes of its length; what is no text in hexadecimal digits. */
function readableKey(bytes: Uint8Array): string {
  const isPrefixed = bytes.length > 2 && bytes[0] === 0 && bytes[1]! > 0 && bytes[1]! <= bytes.length - 2
  if (!isPrefixed) return textIn(bytes) ?? hex(bytes)
  const end = 2 + bytes[1]!
  const [name, rest] = [bytes.subarray(2, end), bytes.subarray(end)]
  return rest.length === 0 ? readableKey(name) : `${readableKey(name)} / ${readableKey(rest)}`
}
