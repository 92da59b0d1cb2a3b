// Messages and queries of a Terra chain: what wasmd and the bank do with what contracts answer.
// https://github.com/CosmWasm/wasmd/blob/main/x/wasm/keeper (keeper.go, msg_dispatcher.go, query_plugins.go)
import { recordLimits } from '../machine.ts'
import type { CallRecord } from '../machine.ts'
import { addressBytes, classicAddress, numberOfText, predictableAddress } from './address.ts'
import { MessageFault, OutOfGas } from './faults.ts'
import { gasMultiplier, price } from './gas.ts'
import { instructionGas } from './module.ts'
import type { Spent } from './host.ts'
import {
  binaryIn,
  fromBase64,
  isRecord,
  listIn,
  numberIn,
  optionalNumberIn,
  optionalTextIn,
  parsed,
  textFromBase64,
  textIn,
  textToBase64,
  toBase64,
  variantOf,
} from './json.ts'
import type { Json, JsonRecord } from './json.ts'
import { executeResponse, instantiateResponse } from './protobuf.ts'
import { nativeCoin } from './state.ts'
import type { Coin, Contract, TerraState } from './state.ts'
import { bytesOfKey, keyOf, Store } from './store.ts'

export type Attribute = { readonly key: string; readonly value: string }
export type Event = { readonly type: string; readonly attributes: readonly Attribute[] }

/** The block that messages are executed in. `time`: nanoseconds since 1970. */
export type Block = { readonly height: number; readonly time: bigint; readonly chainId: string; readonly index: number }

export type Done = { readonly events: Event[]; readonly data: Uint8Array }

const limits = {
  /** Contracts that call one another by messages, and by queries (wasmd, MaxCallDepth and query stack size). */
  depth: 500,
  queryDepth: 10,
  /** Units of stack of all nested calls. */
  stack: 40_000,
  salt: 64,
  label: 128,
} as const

const noBytes = new Uint8Array(0)
const encoder = new TextEncoder()

/** Gas of the chain: what there was, and what is left. */
export class GasMeter {
  left: number
  /** Gas of CosmWasm that instructions may still take: 5 x 10^8 instructions a transaction, whatever gas it has, so that none takes seconds. */
  compute: number = 500_000_000 * instructionGas
  constructor(limit: number) {
    this.left = limit
  }

  /** A part of it for one message; the instructions are those of the whole. */
  part(limit: number): GasMeter {
    const part = new GasMeter(limit)
    part.compute = this.compute
    return part
  }

  /** What a call took in gas of CosmWasm, also one that failed. */
  spend(used: number): void {
    this.left -= Math.ceil(used / gasMultiplier)
    this.compute -= used
  }

  take(gas: number): void {
    this.left -= gas
    if (this.left < 0) throw new OutOfGas()
  }
}

/** What is called, by whom, and with what. */
type Called = {
  readonly kind: string
  readonly from: string
  readonly to: string
  readonly message: string
  readonly funds: readonly Coin[]
}

type Where = { readonly gas: GasMeter; readonly depth: number }

export class App {
  readonly state: TerraState
  readonly block: () => Block
  /** The calls of the current transaction, in the order of their beginnings; null when they are not looked at. */
  calls: CallRecord[] | null = null

  constructor(state: TerraState, block: () => Block) {
    this.state = state
    this.block = block
  }

  /** Does the work of a call; where calls are looked at, notes what was called and how it ended. */
  #noted<Result extends Done>({ kind, from, to, message, funds }: Called, { gas, depth }: Where, work: () => Result): Result {
    if (this.calls === null || this.calls.length >= recordLimits.calls) return work()
    const before = gas.left
    const record: CallRecord = {
      depth,
      kind,
      from: numberOfText(from) ?? 0n,
      to: numberOfText(to) ?? 0n,
      value: BigInt(funds.find(({ denom }) => denom === nativeCoin)?.amount ?? 0),
      input: encoder.encode(message).subarray(0, recordLimits.bytes),
      gas: before,
      gasUsed: 0,
      end: 'returned',
      output: noBytes,
    }
    this.calls.push(record)
    try {
      return work()
    } catch (error) {
      record.end = error instanceof MessageFault ? 'reverted' : 'out of gas'
      if (error instanceof MessageFault) record.output = encoder.encode(error.message)
      throw error
    } finally {
      record.gasUsed = Math.min(before, before - gas.left)
    }
  }

  // --- messages

  /** Executes a message of an account or a contract. What throws has to be undone by who called. */
  message(sender: string, message: Json, where: Where): Done {
    const [module, content] = variantOf(message, 'a message')
    if (module === 'bank') return this.#bank(sender, content, where)
    if (module === 'wasm') return this.#wasm(sender, content, where)
    throw new MessageFault(`messages of ${module} are not available`)
  }

  #bank(sender: string, content: Json, where: Where): Done {
    const { gas } = where
    const [name, value] = variantOf(content, 'a message of the bank')
    if (!isRecord(value)) throw new MessageFault(`${name} is an object`)
    const coins = coinsOf(listIn(value, 'amount'))
    if (name === 'send') {
      const to = accountIn(value, 'to_address')
      const amount = coinsText(coins)
      return this.#noted({ kind: 'send', from: sender, to, message: '', funds: coins }, where, () => {
        gas.take(price.transfer)
        this.#send(sender, to, coins)
        return done([
          event('coin_spent', { spender: sender, amount }),
          event('coin_received', { receiver: to, amount }),
          event('transfer', { recipient: to, sender, amount }),
        ])
      })
    }
    if (name !== 'burn') throw new MessageFault(`the bank has no message ${name}`)
    gas.take(price.transfer)
    for (const { denom, amount } of coins) this.#take(sender, denom, BigInt(amount))
    return done([
      event('coin_spent', { spender: sender, amount: coinsText(coins) }),
      event('burn', { burner: sender, amount: coinsText(coins) }),
    ])
  }

  #take(account: string, denom: string, amount: bigint): void {
    const has = this.state.balance(account, denom)
    if (has < amount) throw new MessageFault(`spendable balance ${has}${denom} is smaller than ${amount}${denom}: insufficient funds`)
    this.state.credit(account, denom, -amount)
  }

  #send(from: string, to: string, coins: readonly Coin[]): void {
    for (const { denom, amount } of coins) {
      this.#take(from, denom, BigInt(amount))
      this.state.credit(to, denom, BigInt(amount))
    }
  }

  #wasm(sender: string, content: Json, where: Where): Done {
    const [name, value] = variantOf(content, 'a message of wasm')
    if (!isRecord(value)) throw new MessageFault(`${name} is an object`)
    if (name === 'execute') {
      const { events, data } = this.execute(
        sender,
        textIn(value, 'contract_addr'),
        textFromBase64(textIn(value, 'msg')),
        fundsIn(value),
        where,
      )
      return { events, data: executeResponse(data) }
    }
    if (name === 'instantiate' || name === 'instantiate2') {
      const { address, events, data } = this.instantiate(
        sender,
        {
          code: numberIn(value, 'code_id'),
          admin: optionalTextIn(value, 'admin'),
          label: textIn(value, 'label'),
          salt: name === 'instantiate' ? null : binaryIn(value, 'salt'),
        },
        textFromBase64(textIn(value, 'msg')),
        fundsIn(value),
        where,
      )
      return { events, data: instantiateResponse(address, data) }
    }
    const contract = this.contract(textIn(value, 'contract_addr'))
    if (name === 'migrate') {
      const { events, data } = this.#migrate(sender, contract, numberIn(value, 'new_code_id'), textFromBase64(textIn(value, 'msg')), where)
      return { events, data: executeResponse(data) }
    }
    if (name !== 'update_admin' && name !== 'clear_admin') throw new MessageFault(`wasm has no message ${name}`)
    if (contract.admin !== sender) throw new MessageFault('can not modify contract: unauthorized')
    const admin = name === 'update_admin' ? accountIn(value, 'admin') : null
    this.state.change(contract, { admin })
    return done([event('update_contract_admin', { _contract_address: contract.address, new_admin_address: admin ?? '' })])
  }

  contract(address: string): Contract {
    const contract = this.state.contracts.get(address)
    if (!contract) throw new MessageFault(`no such contract: ${address.slice(0, 90)}`)
    return contract
  }

  execute(sender: string, address: string, message: string, funds: readonly Coin[], where: Where): Done {
    return this.#noted({ kind: 'execute', from: sender, to: address, message, funds }, where, () => {
      const contract = this.contract(address)
      this.#pay(sender, address, funds, where)
      const output = this.#call(contract, 'execute', [this.#infoOf(sender, funds), message], where)
      return this.#handled(contract, output, [event('execute', { _contract_address: address })], where)
    })
  }

  instantiate(
    sender: string,
    { code, admin, label, salt }: { code: number; admin: string | null; label: string; salt: Uint8Array | null },
    message: string,
    funds: readonly Coin[],
    where: Where,
  ): Done & { readonly address: string } {
    const stored = this.state.codes[code - 1]
    if (!stored) throw new MessageFault(`no such code: ${code}`)
    if (label.length === 0 || label.length > limits.label) throw new MessageFault(`a label has 1 to ${limits.label} characters`)
    if (salt && (salt.length === 0 || salt.length > limits.salt)) throw new MessageFault(`a salt has 1 to ${limits.salt} bytes`)
    const address = salt ? predictableAddress(stored.checksum, sender, salt) : classicAddress(code, this.state.instances + 1)
    if (this.state.contracts.has(address)) throw new MessageFault('contract account already exists: duplicate')
    if (admin !== null && addressBytes(admin) === undefined) throw new MessageFault('admin: invalid address')
    const contract: Contract = { address, code, creator: sender, admin, label, store: new Store() }
    return this.#noted({ kind: 'instantiate', from: sender, to: address, message, funds }, where, () => {
      this.state.add(contract)
      this.#pay(sender, address, funds, where)
      const output = this.#call(contract, 'instantiate', [this.#infoOf(sender, funds), message], where)
      const own = event('instantiate', { _contract_address: address, code_id: String(code) })
      return { address, ...this.#handled(contract, output, [own], where) }
    })
  }

  #migrate(sender: string, contract: Contract, code: number, message: string, where: Where): Done {
    if (contract.admin !== sender) throw new MessageFault('can not migrate: unauthorized')
    if (!this.state.codes[code - 1]) throw new MessageFault(`no such code: ${code}`)
    return this.#noted({ kind: 'migrate', from: sender, to: contract.address, message, funds: [] }, where, () => {
      this.state.change(contract, { code })
      const output = this.#call(contract, 'migrate', [message], where)
      const own = event('migrate', { _contract_address: contract.address, code_id: String(code) })
      return this.#handled(contract, output, [own], where)
    })
  }

  #pay(from: string, to: string, funds: readonly Coin[], { gas }: Where): void {
    if (funds.length === 0) return
    gas.take(price.transfer)
    this.#send(from, to, funds)
  }

  #infoOf(sender: string, funds: readonly Coin[]): string {
    return JSON.stringify({ sender, funds })
  }

  #envOf(contract: Contract, isQuery: boolean): string {
    const { height, time, chainId, index } = this.block()
    return JSON.stringify({
      block: { height, time: String(time), chain_id: chainId },
      transaction: isQuery ? null : { index },
      contract: { address: contract.address },
    })
  }

  /** Calls an entry point of a contract that may change things; gives what it answered. */
  #call(contract: Contract, entry: string, values: readonly string[], { gas, depth }: Where): JsonRecord {
    if (depth > limits.depth) throw new MessageFault('contracts call one another too deep')
    gas.take(price.instance)
    const given = Math.min(gas.left * gasMultiplier, gas.compute)
    const output = this.state.codes[contract.code - 1]!.callable.call(entry, [this.#envOf(contract, false), ...values], {
      store: contract.store,
      isQuery: false,
      gas: given,
      stack: limits.stack,
      write: (key, value) => this.state.write(contract, key, value),
      query: (request, left, stack, spent) => this.#queryOf(request, left, stack, 1, spent),
      spent: used => gas.spend(used),
    })
    gas.take(0)
    const answer = recordOfResult(output)
    return isRecord(answer) ? answer : fail('a contract answered something else than a response')
  }

  /** Does what a contract asked for in its answer. */
  #handled(contract: Contract, response: JsonRecord, own: Event[], where: Where): Done {
    const events = [...own, ...this.#eventsOf(contract, response, where.gas)]
    let data = dataIn(response)
    for (const submessage of listIn(response, 'messages')) {
      if (!isRecord(submessage)) throw new MessageFault('a submessage is an object')
      const outcome = this.#submessage(contract, submessage, where)
      events.push(...outcome.events)
      data = outcome.data ?? data
    }
    return { events, data: data ?? noBytes }
  }

  #eventsOf({ address }: Contract, response: JsonRecord, gas: GasMeter): Event[] {
    const events: Event[] = []
    const add = (type: string, list: readonly Json[]): void => {
      const attributes = list.map(one =>
        isRecord(one) ? { key: textIn(one, 'key'), value: textIn(one, 'value') } : fail('an attribute is an object'),
      )
      for (const { key, value } of attributes) {
        if (key.trim() === '' || key.startsWith('_')) throw new MessageFault(`an event may not have the attribute "${key.slice(0, 40)}"`)
        gas.take(price.attribute + price.attributeByte * (key.length + value.length))
      }
      events.push({ type, attributes: [{ key: '_contract_address', value: address }, ...attributes] })
    }
    const attributes = listIn(response, 'attributes')
    if (attributes.length > 0) add('wasm', attributes)
    for (const one of listIn(response, 'events')) {
      if (!isRecord(one)) throw new MessageFault('an event is an object')
      const type = textIn(one, 'type').trim()
      if (type.length < 2) throw new MessageFault('the type of an event has at least 2 characters')
      gas.take(price.event)
      add(`wasm-${type}`, listIn(one, 'attributes'))
    }
    return events
  }

  /** A message of a contract, and what `reply` gets of its result. */
  #submessage(contract: Contract, submessage: JsonRecord, where: Where): { events: Event[]; data: Uint8Array | null } {
    const id = numberIn(submessage, 'id')
    const when = optionalTextIn(submessage, 'reply_on') ?? 'never'
    const payload = optionalTextIn(submessage, 'payload') ?? ''
    const limit = optionalNumberIn(submessage, 'gas_limit')
    const mark = this.state.mark
    const gas = limit === null || limit >= where.gas.left ? where.gas : where.gas.part(limit)
    let outcome: Done
    try {
      outcome = this.message(contract.address, submessage['msg'] ?? null, { gas, depth: where.depth + 1 })
    } catch (error) {
      const isLimited = error instanceof OutOfGas && gas !== where.gas
      if (!(error instanceof MessageFault) && !isLimited) throw error
      this.state.undo(mark)
      if (gas !== where.gas) {
        where.gas.compute = gas.compute
        where.gas.take(limit! - Math.max(0, gas.left))
      }
      if (when !== 'error' && when !== 'always') throw new MessageFault((error as Error).message)
      return this.#replied(contract, { id, payload, gas_used: 0, result: { error: (error as Error).message } }, [], where)
    }
    if (gas !== where.gas) {
      where.gas.compute = gas.compute
      where.gas.take(limit! - gas.left)
    }
    const { events, data } = outcome
    if (when !== 'success' && when !== 'always') return { events, data: null }
    const ok = {
      events: events.map(({ type, attributes }) => ({ type, attributes: attributes.map(({ key, value }) => ({ key, value })) })),
      data: data.length === 0 ? null : toBase64(data),
      msg_responses: [],
    }
    return this.#replied(contract, { id, payload, gas_used: 0, result: { ok } }, events, where)
  }

  #replied(contract: Contract, reply: JsonRecord, before: readonly Event[], where: Where): { events: Event[]; data: Uint8Array | null } {
    const { address } = contract
    const message = JSON.stringify(reply)
    const inner = { gas: where.gas, depth: where.depth + 1 }
    let hasData = false
    const { events, data } = this.#noted({ kind: 'reply', from: address, to: address, message, funds: [] }, inner, () => {
      const response = this.#call(contract, 'reply', [message], where)
      hasData = dataIn(response) !== null
      return this.#handled(contract, response, [event('reply', { _contract_address: address })], where)
    })
    return { events: [...before, ...events], data: hasData || data.length > 0 ? data : null }
  }

  // --- queries

  /** The answer of a contract to a query, as JSON. */
  ask(address: string, message: string, gas: number): Json {
    const most = Math.min(gas * gasMultiplier, new GasMeter(gas).compute)
    const output = this.#ask(this.contract(address), message, most, limits.stack, 0, () => undefined)
    const answer = recordOfResult(output)
    return typeof answer === 'string' ? parsed(textFromBase64(answer)) : fail('a contract answered a query with something else than bytes')
  }

  #ask(contract: Contract, message: string, gas: number, stack: number, depth: number, spent: Spent): string {
    if (depth > limits.queryDepth) throw new MessageFault('contracts query one another too deep')
    const base = price.instance * gasMultiplier
    if (gas < base) throw new OutOfGas()
    spent(base)
    return this.state.codes[contract.code - 1]!.callable.call('query', [this.#envOf(contract, true), message], {
      store: contract.store,
      isQuery: true,
      gas: gas - base,
      stack,
      write: () => undefined,
      query: (request, left, rest, told) => this.#queryOf(request, left, rest, depth + 1, told),
      spent,
    })
  }

  /** The answer to a query of a contract: SystemResult<ContractResult<Binary>> as JSON. */
  #queryOf(request: string, gas: number, stack: number, depth: number, spent: Spent): string {
    spent(price.read * gasMultiplier)
    const found = (value: Json): string => JSON.stringify({ ok: { ok: textToBase64(JSON.stringify(value)) } })
    const failed = (error: JsonRecord): string => JSON.stringify({ error })
    try {
      const [module, content] = variantOf(parsed(request), 'a query')
      if (module !== 'bank' && module !== 'wasm') return failed({ unsupported_request: { kind: module } })
      const [name, value] = variantOf(content, 'a query')
      if (!isRecord(value)) throw new MessageFault(`${name} is an object`)
      if (module === 'bank') {
        const answer = this.#bankAnswer(name, value)
        return answer === null ? failed({ unsupported_request: { kind: `bank ${name}` } }) : found(answer)
      }
      if (name === 'code_info') {
        const code = this.state.codes[numberIn(value, 'code_id') - 1]
        if (!code) return failed({ no_such_code: { code_id: numberIn(value, 'code_id') } })
        return found({ code_id: numberIn(value, 'code_id'), creator: textIn(value, 'creator'), checksum: toBase64(code.checksum) })
      }
      const contract = this.state.contracts.get(textIn(value, 'contract_addr'))
      if (!contract) return failed({ no_such_contract: { addr: textIn(value, 'contract_addr') } })
      if (name === 'smart') {
        return `{"ok":${this.#ask(contract, textFromBase64(textIn(value, 'msg')), gas - price.read * gasMultiplier, stack, depth, spent)}}`
      }
      if (name === 'raw') {
        const bytes = contract.store.get(keyOf(fromBase64(textIn(value, 'key')))) ?? noBytes
        spent(price.readByte * bytes.length * gasMultiplier)
        return JSON.stringify({ ok: { ok: toBase64(bytes) } })
      }
      if (name !== 'contract_info') return failed({ unsupported_request: { kind: `wasm ${name}` } })
      const { code, creator, admin } = contract
      return found({ code_id: code, creator, admin, pinned: false, ibc_port: null })
    } catch (error) {
      if (!(error instanceof MessageFault)) throw error
      return JSON.stringify({ ok: { error: error.message } })
    }
  }

  #bankAnswer(name: string, value: JsonRecord): Json {
    const { state } = this
    if (name === 'balance') {
      const denom = textIn(value, 'denom')
      return { amount: { denom, amount: String(state.balance(textIn(value, 'address'), denom)) } }
    }
    if (name === 'all_balances') return { amount: state.coins(textIn(value, 'address')) }
    if (name !== 'supply') return null
    const denom = textIn(value, 'denom')
    return { amount: { denom, amount: String(state.supply.get(denom) ?? 0n) } }
  }
}

const event = (type: string, attributes: Readonly<Record<string, string>>): Event => ({
  type,
  attributes: Object.entries(attributes).map(([key, value]) => ({ key, value })),
})

const done = (events: Event[]): Done => ({ events, data: noBytes })

function fail(why: string): never {
  throw new MessageFault(why)
}

/** What is in a `ContractResult`; a contract that says no is a fault. */
function recordOfResult(output: string): Json {
  const [name, value] = variantOf(parsed(output), 'the answer of a contract')
  if (name === 'ok') return value
  throw new MessageFault(typeof value === 'string' ? value : 'the contract failed')
}

/** Data of a response; null where there is none. */
const dataIn = (response: JsonRecord): Uint8Array | null => {
  const text = optionalTextIn(response, 'data')
  return text === null ? null : fromBase64(text)
}

function accountIn(record: JsonRecord, name: string): string {
  const text = textIn(record, name)
  return addressBytes(text) === undefined ? fail(`${name}: invalid address`) : text
}

const denomination = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/

/** Coins with amounts above 0, in the order of their denominations, each once (Cosmos SDK, Coins.Validate). */
export function coinsOf(list: readonly Json[]): Coin[] {
  const coins = list.map(one => {
    if (!isRecord(one)) return fail('a coin is an object')
    const [denom, amount] = [textIn(one, 'denom'), textIn(one, 'amount')]
    if (!denomination.test(denom)) return fail(`invalid denom: ${denom.slice(0, 40)}`)
    if (!/^\d{1,39}$/.test(amount)) return fail(`invalid amount: ${amount.slice(0, 40)}`)
    return { denom, amount: String(BigInt(amount)) }
  })
  const sorted = coins.filter(({ amount }) => amount !== '0').sort((a, b) => (a.denom < b.denom ? -1 : 1))
  if (sorted.some(({ denom }, k) => denom === sorted[k + 1]?.denom)) throw new MessageFault('duplicate denomination')
  return sorted
}

const fundsIn = (record: JsonRecord): Coin[] => coinsOf(listIn(record, 'funds'))

const coinsText = (coins: readonly Coin[]): string => coins.map(({ denom, amount }) => amount + denom).join(',')

/** Bytes of a message, which a transaction pays for. */
export const messageBytes = (message: Json): number => encoder.encode(JSON.stringify(message)).length

/** What a contract keeps, for panels. */
export const storedOf = ({ store }: Contract): [Uint8Array, Uint8Array][] => store.keys.map(key => [bytesOfKey(key), store.get(key)!])
