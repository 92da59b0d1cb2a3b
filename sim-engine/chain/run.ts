// Chains in a run: what generated programs ask of them (`X.chain...`), the steps' transactions, blocks by the calendar, events as signals.
// Loaded only for models that have a chain: see ../chain.ts.
import type { Parts } from '../check/parts.ts'
import { FormulaDict, Ref } from '../formula/runtime/values.ts'
import { exactAny } from '../formula/runtime/integers.ts'
import { EngineFault } from '../kernel/fault.ts'
import { below } from '../kernel/random.ts'
import { listOf, recordOf } from '../kernel/snapshot.ts'
import type { State } from '../kernel/snapshot.ts'
import { RunError } from '../problems.ts'
import type { Place } from '../problems.ts'
import type { Entries } from '../run/entries.ts'
import { eventKind, phase } from '../run/events.ts'
import type { Kernel } from '../run/kernel.ts'
import { toGap } from '../run/surface/numbers.ts'
import type { World } from '../world/world.ts'
import { addressOf, addressText, individualAddress, namedAddress } from './accounts.ts'
import { Codec, toAddress } from './codec.ts'
import { EvmMachine } from './evm/machine.ts'
import { failed } from './failure.ts'
import type { AddressFormat, ContractCodec } from './interface.ts'
import type { Machine } from './machine.ts'
import { forkPart, terraPart } from './later.ts'
import { toHex, wordBytes } from './evm/word.ts'
import { Ledger } from './ledger.ts'
import type { Pending, Receipt, Sending, Waiting } from './ledger.ts'
import { describeChain } from './observe.ts'
import type { ChainAsk, ChainView } from './observe.ts'
import type { RecordedBase } from './fork/recorded-state.ts'
import { recordingOf } from './fork/fields.ts'
import { addressFieldOf, chainOf, faceOf, isTerra, ledgerPlan, terraCodesOf } from './parts.ts'
import type { ChainPart } from './parts.ts'
import type { Element, Id } from '../../model-schema/model.ts'
import { english, say } from '../../model-schema/words.ts'

/** What a Transaction step sends, its formulas worked out. Blank ones are null. */
export type Call = {
  readonly chain: number
  readonly does: string
  /** Number of the contract with the interface that is meant; -1 for transfers. */
  readonly contract: number
  readonly method: string
  readonly account: unknown
  readonly at: unknown
  readonly arguments: unknown
  readonly value: unknown
  readonly gas: unknown
  readonly fee: unknown
  readonly tip: unknown
  /** When the step continues: `sent`, `included` or `final`. */
  readonly until: string
  /** Ticks until it leaves the pool. */
  readonly timeout: unknown
  /** Whether it takes the place of the sender's latest waiting one. */
  readonly replaces: boolean
}

/** The result of a step's transaction, as `step.output` has it. */
type Outcome = { readonly ok: boolean; readonly output: FormulaDict; readonly error: string }

/** Of a run that is recorded or verified. */
export type ChainOptions = {
  /** States below forks that are being recorded, by chain; others are read from their recordings. */
  readonly bases?: ReadonlyMap<Id, RecordedBase>
  /** Called for each chain before anything happens on it. */
  readonly made?: (ledger: Ledger, name: string) => void
}

type Unsettled = { readonly chain: number; readonly block: number; readonly waiting: Waiting; readonly outcome: Outcome }

type Listener = { readonly signal: number; readonly contract: number; readonly event: string }

/** A contract at an address: its address and its interface. */
type Deployed = { readonly chain: number; readonly contract: number }

const evmAddresses: AddressFormat = { text: addressText, number: addressOf, pattern: /\b0x[\da-fA-F]{40}\b/g }

export class Chains {
  readonly ledgers: readonly Ledger[]
  readonly codecs: readonly ContractCodec[]
  /** Of each chain: how contracts without an interface read. */
  readonly #unknown: readonly ContractCodec[]
  /** How each chain writes addresses. */
  readonly formats: readonly AddressFormat[]
  readonly #parts: Parts
  readonly #world: World
  readonly #kernel: Kernel
  #entries: Entries | null = null
  #fault: RunError | null = null
  /** Addresses of the contracts deployed at the start; undefined before. */
  #addresses: (bigint | undefined)[]
  /** Contracts by chain and address, also those that steps deployed. */
  #deployed = new Map<string, Deployed>()
  /** What waits to be taken by a token that a block has woken. */
  #outcomes = new Map<number, Outcome>()
  /** Transactions in blocks that are not final yet, and who waits for that. */
  #unsettled: Unsettled[] = []
  readonly #listeners: readonly Listener[]
  readonly #individuals = new Map<string, bigint>()

  constructor(parts: Parts, world: World, kernel: Kernel, { bases, made }: ChainOptions = {}) {
    this.#parts = parts
    this.#world = world
    this.#kernel = kernel
    this.ledgers = parts.chains.map(part => {
      const stream = world.stream(`chain ${part.id}`)
      const host = { time: () => world.time, seed: () => world.seed, below: (bound: number) => below(stream, bound) }
      const base = part.isFork
        ? (bases?.get(part.id) ?? this.#orNothing({ id: part.id, field: 'recording' }, () => baseOf(part.element)))
        : null
      const ledger = new Ledger(ledgerPlan(part, parts.scenario), host, one => this.#machineOf(part, one, base), base)
      made?.(ledger, part.name)
      return ledger
    })
    this.formats = parts.chains.map(({ element }) => (isTerra(element) ? terraPart.get().terraAddresses : evmAddresses))
    const errors = parts.contracts.flatMap(part => (part.isTerra ? [] : faceOf(part).items.filter(({ is }) => is === 'error')))
    this.codecs = parts.contracts.map(part =>
      part.isTerra
        ? new (terraPart.get().TerraCodec)(part.name, terraCodesOf(parts.contracts, part.chain).indexOf(part) + 1)
        : new Codec(faceOf(part), errors),
    )
    this.#unknown = parts.chains.map(({ element }) =>
      isTerra(element) ? new (terraPart.get().TerraCodec)('', 0) : new Codec({ items: [], code: '' }, errors),
    )
    this.#addresses = parts.contracts.map(() => undefined)
    this.#listeners = parts.messages.flatMap(({ signal, element: { fields }, index }) => {
      const contract = parts.contracts.findIndex(({ id }) => id === fields['contract'])
      const event = typeof fields['event'] === 'string' ? fields['event'].trim() : ''
      return signal && contract >= 0 ? [{ signal: index, contract, event }] : []
    })
    world.keep('chains', {
      save: values => this.#save(value => values.write(value)),
      load: (state, values) => this.#load(state, one => values.read(one)),
    })
  }

  /** Errors in the genesis of a chain are reported when the run begins; until then the genesis is empty. */
  #orNothing<T>(at: Place, make: () => T): T | null {
    try {
      return located(at, make)
    } catch (error) {
      if (!(error instanceof RunError)) throw error
      this.#fault ??= error
      return null
    }
  }

  #machineOf(part: ChainPart, ledger: Ledger, base: RecordedBase | null): Machine {
    const coinbase = namedAddress(part, 'coinbase')
    const { rules, chainId } = ledger.plan
    if (!isTerra(part.element)) return new EvmMachine({ rules, chainId, coinbase, hashOf: number => ledger.hashOf(number) }, base)
    const contracts = terraCodesOf(this.#parts.contracts, part.index)
    const codes = contracts.flatMap(
      ({ id, element }) => this.#orNothing({ id, field: 'code' }, () => terraPart.get().terraCode(String(element.fields['code']))) ?? [],
    )
    return new (terraPart.get().TerraMachine)(codes, coinbase)
  }

  /** The address that a value means on a chain. */
  #toAddress(chain: number, value: unknown): bigint {
    return toAddress(value, this.#ofRef, this.formats[chain]!.number)
  }

  // --- accounts

  #individual(chain: number, population: number, handle: number): bigint {
    const id = this.#world.population(population).ids[handle & 0xffffff]!
    const key = `${chain} ${population} ${id}`
    let address = this.#individuals.get(key)
    if (address === undefined) {
      const { chains, entities } = this.#parts
      address = individualAddress(chains[chain]!, entities[population]!.id, id)
      this.#individuals.set(key, address)
    }
    return address
  }

  readonly #ofRef = ({ population, handle }: Ref): bigint | undefined => {
    const entity = this.#parts.entities.find(({ id }) => id === population.id)
    const chain = entity ? chainOf(this.#parts, entity) : -1
    return entity && chain >= 0 ? this.#individual(chain, entity.index, handle) : undefined
  }

  /** `account` of an individual. */
  accountOf(chain: number, population: number, handle: number): string {
    return this.formats[chain]!.text(this.#individual(chain, population, handle))
  }

  /** What an individual begins with. */
  fund(chain: number, population: number, handle: number, amount: unknown): void {
    this.#ledger(chain).credit(this.#individual(chain, population, handle), amountOf(amount))
  }

  named(chain: number, name: unknown): string {
    if (typeof name !== 'string') throw new RunError(10009)
    return this.formats[chain]!.text(namedAddress(this.#parts.chains[chain]!, name))
  }

  #ledger(chain: number): Ledger {
    const ledger = this.ledgers[chain]
    if (!ledger) throw new EngineFault(`chains: there is no chain ${chain}`)
    return ledger
  }

  // --- the start

  /** Named accounts and contracts, before individuals come into being. */
  begin(entries: Entries): void {
    this.#entries = entries
    if (this.#fault) throw this.#fault
    const { chains, contracts } = this.#parts
    for (const part of chains) {
      const { index, id } = part
      this.ledgers[index]!.begin()
      for (const { name, balance } of entries.chains[index]!.accounts())
        this.ledgers[index]!.credit(
          namedAddress(part, name),
          located({ id, field: 'accounts' }, () => amountOf(balance)),
        )
    }
    for (const part of contracts) {
      const { fields } = part.element
      const at = addressFieldOf(part.element)
      if (at !== undefined) {
        this.#addresses[part.index] = at
        this.#deployed.set(`${part.chain} ${at}`, { chain: part.chain, contract: part.index })
        continue
      }
      if (fields['deployed'] === false) continue
      const ledger = this.#ledger(part.chain)
      const from = namedAddress(chains[part.chain]!, typeof fields['deployer'] === 'string' ? fields['deployer'] : 'deployer')
      located({ id: part.id, field: 'arguments' }, () => {
        const { values, value } = entries.contracts[part.index]!()
        const receipt = ledger.deploy(from, this.codecs[part.index]!.creation(values, this.#ofRef), amountOf(value))
        if (receipt.created === undefined) return this.#refuse(receipt, part.index)
        this.#addresses[part.index] = receipt.created
        this.#deployed.set(`${part.chain} ${receipt.created}`, { chain: part.chain, contract: part.index })
      })
    }
    for (const { index } of chains) this.#scheduleBlock(index)
  }

  #refuse(receipt: Receipt, contract: number): never {
    return failed(this.#why(receipt, contract))
  }

  #why({ status, why, output }: Receipt, contract: number): string {
    if (status === 'refused' || why !== 'reverted') return why
    return this.codecs[contract]?.reason(output) ?? (output.length === 0 ? 'reverted without a reason' : `reverted with ${toHex(output)}`)
  }

  #scheduleBlock(chain: number): void {
    if (this.ledgers[chain]!.plan.isInstant) return
    const { id } = this.#parts.chains[chain]!
    const gap = located({ id, field: 'blockTime' }, () => {
      const length = toGap(this.#entries!.chains[chain]!.blockTime())
      return length > 0 ? length : failed(say('the block time is 0'))
    })
    const { calendar, time } = this.#world
    calendar.schedule(time + gap, phase.input, 0, eventKind.block, chain, 0)
  }

  // --- reading

  read(chain: number, what: 'block_number' | 'timestamp' | 'waiting'): number {
    const ledger = this.#ledger(chain)
    return what === 'block_number' ? Number(ledger.number) : what === 'timestamp' ? ledger.now : ledger.pool.length
  }

  price(chain: number, what: 'base_fee' | 'gas_price'): bigint {
    const ledger = this.#ledger(chain)
    return what === 'base_fee' ? ledger.baseFee : ledger.plan.gasPrice
  }

  balance(chain: number, account: unknown): bigint {
    return this.#ledger(chain).balanceOf(this.#toAddress(chain, account))
  }

  #addressOf(contract: number): bigint {
    return this.#addresses[contract] ?? failed(say('{name} is not deployed', { name: this.#parts.contracts[contract]!.name }))
  }

  contractAddress(contract: number): string {
    return this.formats[this.#parts.contracts[contract]!.chain]!.text(this.#addressOf(contract))
  }

  contractBalance(contract: number): bigint {
    return this.#ledger(this.#parts.contracts[contract]!.chain).balanceOf(this.#addressOf(contract))
  }

  /** A view of a contract, as formulas call it. */
  view(contract: number, method: string, values: readonly unknown[]): unknown {
    return this.#viewAt(contract, this.#addressOf(contract), 0n, method, values)
  }

  #viewAt(contract: number, at: bigint, from: bigint, name: string, values: unknown): unknown {
    const ledger = this.#ledger(this.#parts.contracts[contract]!.chain)
    const codec = this.codecs[contract]!
    const method = codec.method(name, Array.isArray(values) ? values.length : 0)
    if (!ledger.isContract(at)) noContract(this.formats[this.#parts.contracts[contract]!.chain]!.text(at))
    const outcome = ledger.read(from, at, method.encode(values, this.#ofRef))
    if (outcome.end === 'returned') return method.decode(outcome.output)
    return failed(outcome.end === 'reverted' ? codec.reason(outcome.output) : outcome.end)
  }

  // --- transactions

  /** Sends what a step sends. True where the token has to wait for a block. */
  transact(step: number, t: number, call: Call, population: number, handle: number): boolean {
    const ledger = this.#ledger(call.chain)
    const from = call.account === null ? this.#individual(call.chain, population, handle) : this.#toAddress(call.chain, call.account)
    if (call.does === 'read') {
      const at = call.at === null ? this.#addressOf(call.contract) : this.#toAddress(call.chain, call.at)
      this.#outcomes.set(t, this.#readOutcome(call, from, at))
      return false
    }
    const sending = this.#sending(ledger, call, from)
    if (call.does === 'simulate') {
      this.#outcomes.set(t, this.#simulated(ledger, call, sending))
      return false
    }
    if (ledger.plan.isInstant) {
      const receipt = ledger.sendNow(sending)
      this.#settle(call.chain, call.contract, receipt)
      this.#outcomes.set(t, this.#outcome(call.chain, call.contract, call.method, receipt))
      this.#tell(call.chain, receipt)
      return false
    }
    const isAwaited = call.until !== 'sent'
    const waiting = { step, token: t, serial: isAwaited ? this.#kernel.tokens.serial[t]! : -1, isFinal: call.until === 'final' }
    const nonce = ledger.nonceOf(from)
    const queued = ledger.queue(sending, waiting, call.replaces)
    if (typeof queued === 'string') {
      this.#outcomes.set(t, refusal(queued))
      return false
    }
    if (queued.replaced) this.#wake(queued.replaced, notIncluded('replaced', 'another transaction took its place'))
    if (call.timeout !== null) {
      const { calendar, time } = this.#world
      calendar.schedule(time + toGap(call.timeout), phase.input, 0, eventKind.block, call.chain, queued.arrival + 1)
    }
    if (!isAwaited) {
      const hash = toHex(wordBytes(ledger.hashOfTransaction(from, queued.replaced?.transaction.nonce ?? nonce)))
      this.#outcomes.set(t, { ok: true, error: '', output: dictOf({ ...nothing, events: [], status: 'sent', hash }) })
    }
    return isAwaited
  }

  /** Gives an outcome to the token that waits for it, if it still does. */
  #wake({ step, token, serial }: Waiting, outcome: Outcome): void {
    const { tokens } = this.#kernel
    if (tokens.pc[token] !== step * 8 + 2 || tokens.serial[token] !== serial) return
    this.#outcomes.set(token, outcome)
    this.#kernel.wake(token)
  }

  /** What the calendar has for a chain: its next block, or that a transaction, by its arrival + 1, has waited long enough. */
  due(chain: number, arrival: number): void {
    if (arrival === 0) return this.#produce(chain)
    const dropped = this.#ledger(chain).drop(arrival - 1)
    if (dropped) this.#wake(dropped, notIncluded('dropped', 'no block included it in time'))
  }

  #sending(ledger: Ledger, call: Call, from: bigint): Sending {
    const { does, contract, method } = call
    const { plan, baseFee } = ledger
    const tip = call.tip === null ? plan.gasPrice : amountOf(call.tip)
    const maxFee = call.fee !== null ? amountOf(call.fee) : plan.baseFee === null ? tip : 2n * baseFee + tip
    const common = {
      from,
      value: amountOf(call.value),
      gas: call.gas === null ? null : amountOf(call.gas),
      maxFee,
      tip: plan.baseFee === null || tip > maxFee ? maxFee : tip,
    }
    if (does === 'transfer') return { ...common, to: this.#toAddress(call.chain, call.at), data: noBytes, method: 'transfer' }
    const codec = this.codecs[contract]!
    if (does === 'deploy')
      return {
        ...common,
        to: undefined,
        data: codec.creation(call.arguments, this.#ofRef),
        method: `create ${this.#parts.contracts[contract]!.name}`,
      }
    const to = call.at === null ? this.#addressOf(contract) : this.#toAddress(call.chain, call.at)
    if (!ledger.isContract(to)) noContract(this.formats[call.chain]!.text(to))
    this.#deployed.set(`${call.chain} ${to}`, { chain: call.chain, contract })
    const found = codec.method(method, Array.isArray(call.arguments) ? call.arguments.length : 0)
    return { ...common, to, data: found.encode(call.arguments, this.#ofRef), method: found.name }
  }

  #readOutcome(call: Call, from: bigint, at: bigint): Outcome {
    try {
      const value = this.#viewAt(call.contract, at, from, call.method, call.arguments)
      return { ok: true, output: dictOf({ status: 'success', value, error: '' }), error: '' }
    } catch (error) {
      if (!(error instanceof RunError) || error.code !== 10067) throw error
      return refusal(reasonOf(error))
    }
  }

  #simulated(ledger: Ledger, call: Call, sending: Sending): Outcome {
    const found = ledger.simulate(sending)
    if (!('output' in found)) return refusal(found.end)
    const ok = found.end === 'returned'
    const codec = this.codecs[call.contract]
    const error = ok ? '' : found.end === 'reverted' ? (codec?.reason(found.output) ?? 'reverted') : found.end
    const value = ok && codec ? codec.method(call.method, listLength(call.arguments)).decode(found.output) : null
    const output = dictOf({
      status: ok ? 'success' : 'reverted',
      value,
      gas: found.gasUsed,
      events: ok ? this.#events(call.chain, found.logs) : [],
      error,
    })
    return { ok, output, error }
  }

  /** A contract that a transaction created is known by its interface from now on. */
  #settle(chain: number, contract: number, { created }: Receipt): void {
    if (created === undefined || contract < 0) return
    this.#deployed.set(`${chain} ${created}`, { chain, contract })
    this.#addresses[contract] ??= created
  }

  #outcome(chain: number, contract: number, method: string, receipt: Receipt): Outcome {
    if (receipt.status === 'refused') return refusal(receipt.why)
    const { status, gas, fee, block, index, created, from, nonce, output, logs } = receipt
    const ok = status === 'success'
    const error = ok ? '' : this.#why(receipt, contract)
    const decodes = ok && created === undefined && contract >= 0 && output.length > 0
    const value = created !== undefined ? this.formats[chain]!.text(created) : decodes ? this.#decoded(contract, method, output) : null
    const hash = toHex(wordBytes(this.#ledger(chain).hashOfTransaction(from, nonce)))
    const events = ok ? this.#events(chain, logs) : []
    return { ok, output: dictOf({ status, value, hash, gas, fee, block: Number(block), index, events, error }), error }
  }

  #decoded(contract: number, method: string, output: Uint8Array): unknown {
    const codec = this.codecs[contract]!
    return codec.method(method, -1).decode(output)
  }

  #events(chain: number, logs: Receipt['logs']): FormulaDict[] {
    return logs.map(log => {
      const known = this.#deployed.get(`${chain} ${log.address}`)
      const event = known && this.codecs[known.contract]!.event(log)
      const name = event?.name ?? ''
      return dictOf({
        contract: this.formats[chain]!.text(log.address),
        event: name,
        values: event?.values ?? dictOf({ data: toHex(log.data), topics: log.topics.map(topic => toHex(wordBytes(topic))) }),
      })
    })
  }

  /** Throws the signals that wait for the events of an included transaction. */
  #tell(chain: number, { logs }: Receipt): void {
    if (this.#listeners.length === 0) return
    for (const log of logs) {
      const known = this.#deployed.get(`${chain} ${log.address}`)
      if (!known) continue
      const listeners = this.#listeners.filter(({ contract }) => contract === known.contract)
      const event = listeners.length > 0 ? this.codecs[known.contract]!.event(log) : undefined
      if (!event) continue
      for (const { signal, event: wanted } of listeners)
        if (wanted === '' || wanted === event.name) this.#kernel.watches.throwSignal(signal, event.values)
    }
  }

  /** Makes the next block, and lets the tokens continue that wait for transactions in it. */
  #produce(chain: number): void {
    const ledger = this.#ledger(chain)
    ledger.produce((pending: Pending, receipt: Receipt) => {
      const { contract, method } = this.#callOf(pending.step)
      this.#settle(chain, contract, receipt)
      const outcome = this.#outcome(chain, contract, method, receipt)
      if (pending.isFinal && receipt.status !== 'refused')
        this.#unsettled.push({ chain, block: Number(receipt.block), waiting: pending, outcome })
      else this.#wake(pending, outcome)
      this.#tell(chain, receipt)
    })
    const final = Number(ledger.number) - ledger.plan.finality
    const settled = this.#unsettled.filter(one => one.chain === chain && one.block <= final)
    this.#unsettled = this.#unsettled.filter(one => !settled.includes(one))
    for (const { waiting, outcome } of settled) this.#wake(waiting, outcome)
    this.#scheduleBlock(chain)
  }

  #callOf(step: number): { contract: number; method: string } {
    const { fields } = this.#parts.steps[step]!.element
    const contract = fields['does'] === 'transfer' ? -1 : this.#parts.contracts.findIndex(({ id }) => id === fields['interface'])
    return { contract, method: typeof fields['method'] === 'string' ? fields['method'] : '' }
  }

  /** Takes the result of a token's transaction; an error of the run where the step says so. */
  outcome(t: number, isError: boolean): Outcome {
    const outcome = this.#outcomes.get(t)
    if (!outcome) throw new EngineFault('chains: no transaction of this token')
    this.#outcomes.delete(t)
    if (!outcome.ok && isError) failed(outcome.error)
    return outcome
  }

  // --- looking

  /** Keeps the calls within transactions from now on, to be looked at. */
  keepCalls(): void {
    for (const ledger of this.ledgers) ledger.keepsCalls = true
  }

  describe(ask: ChainAsk): ChainView {
    return describeChain(this, this.#parts, this.#world, ask)
  }

  addressOfIndividual(chain: number, population: number, handle: number): bigint {
    return this.#individual(chain, population, handle)
  }

  addressOfContract(contract: number): bigint | undefined {
    return this.#addresses[contract]
  }

  contractAt(chain: number, address: bigint): number {
    return this.#deployed.get(`${chain} ${address}`)?.contract ?? -1
  }

  /** The interface of the contract at an address. */
  codecAt(chain: number, address: bigint): ContractCodec {
    return this.codecs[this.contractAt(chain, address)] ?? this.#unknown[chain]!
  }

  #save(write: (value: unknown) => State): State {
    return {
      ledgers: this.ledgers.map(ledger => ledger.save()),
      addresses: this.#addresses.map(address => (address === undefined ? null : String(address))),
      deployed: [...this.#deployed]
        .map(([key, { chain, contract }]) => [key, chain, contract])
        .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      ...(this.#unsettled.length > 0
        ? {
            unsettled: this.#unsettled.map(({ chain, block, waiting: { step, token, serial }, outcome: { ok, output, error } }) => [
              [chain, block, step, token, serial],
              ok,
              write(output),
              error,
            ]),
          }
        : {}),
      outcomes: [...this.#outcomes].map(([t, { ok, output, error }]) => [t, ok, write(output), error]),
    }
  }

  #load(saved: State, read: (state: State) => unknown): void {
    const record = recordOf(saved)
    listOf(record['ledgers'] ?? null).forEach((state, k) => this.ledgers[k]!.load(state))
    this.#addresses = listOf(record['addresses'] ?? null).map(address => (address === null ? undefined : BigInt(String(address))))
    this.#deployed = new Map(
      listOf(record['deployed'] ?? null).map(entry => {
        const [key, chain, contract] = listOf(entry)
        return [String(key), { chain: Number(chain), contract: Number(contract) }]
      }),
    )
    this.#unsettled = listOf(record['unsettled'] ?? []).map(entry => {
      const [whole, ok, output, error] = listOf(entry)
      const [chain, block, step, token, serial] = listOf(whole ?? null).map(Number) as [number, number, number, number, number]
      const outcome = { ok: ok === true, output: read(output ?? null) as FormulaDict, error: String(error) }
      return { chain, block, waiting: { step, token, serial, isFinal: true }, outcome }
    })
    this.#outcomes = new Map(
      listOf(record['outcomes'] ?? null).map(entry => {
        const [t, ok, output, error] = listOf(entry)
        return [Number(t), { ok: ok === true, output: read(output ?? null) as FormulaDict, error: String(error) }]
      }),
    )
  }
}

const noBytes = new Uint8Array(0)

const listLength = (value: unknown): number => (Array.isArray(value) ? value.length : 0)

const dictOf = (record: Readonly<Record<string, unknown>>): FormulaDict => {
  const dict = new FormulaDict()
  for (const [key, value] of Object.entries(record)) dict.set(key, value)
  return dict
}

const nothing = { status: '', value: null, hash: '', gas: 0, fee: 0n, block: null, index: null, events: [], error: '' } as const

const notIncluded = (status: 'refused' | 'dropped' | 'replaced', why: string): Outcome => ({
  ok: false,
  error: why,
  output: dictOf({ ...nothing, events: [], status, error: why }),
})

const refusal = (why: string): Outcome => notIncluded('refused', why)

const noContract = (at: string): never => failed(say('there is no contract at {at}', { at }))

const reasonOf = ({ params: [reason] }: RunError): string => (typeof reason === 'object' ? english(reason) : String(reason ?? ''))

/** The state below a fork, once for each state of its element: codes are analysed once. */
const bases = new WeakMap<Element, RecordedBase>()
function baseOf(element: Element): RecordedBase {
  let known = bases.get(element)
  if (!known) {
    const text = recordingOf(element)
    if (text === null) throw new EngineFault('chains: a fork without a recording')
    bases.set(element, (known = new (forkPart.get().RecordedBase)(text)))
  }
  return known
}

/** An amount: a whole number or an Integer that is not negative. */
function amountOf(value: unknown): bigint {
  const amount = exactAny(value, 0, 0)
  if (amount < 0n) throw new RunError(10039)
  return amount
}

/** What goes wrong here is a fault of this field. */
function located<T>(at: Place, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof RunError) error.at ??= at
    throw error
  }
}
