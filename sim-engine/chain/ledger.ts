// A local chain: accounts, blocks, the pool of waiting transactions, and the results of the latest ones. It knows neither formulas nor
// components; run.ts joins it to a run.
import { nextBaseFee } from './fees.ts'
import type { CallRecord, Executed, Log, Machine, Simulated, Transaction, Viewed } from './machine.ts'
import type { Fork } from './evm/rules.ts'
import { Hashes } from './evm/hashes.ts'
import { listOf, numberOf, recordOf } from '../kernel/snapshot.ts'
import type { State } from '../kernel/snapshot.ts'

export type LedgerPlan = {
  readonly id: string
  /** Whether it continues from a block of a real chain. */
  readonly isFork: boolean
  readonly chainId: bigint
  readonly rules: Fork
  /** Number of the block before the first new one that a fork knows. */
  readonly start: bigint
  /** Number of the first new block. */
  readonly first: bigint
  /** Seconds since 1970 at the start of the run, and in a tick. */
  readonly startsAt: number
  readonly tickSeconds: number
  readonly gasPrice: bigint
  readonly gasLimit: bigint
  readonly isInstant: boolean
  /** Blocks on top of a block until it is final. */
  readonly finality: number
  readonly ordering: 'fee' | 'arrival' | 'random'
  /** Base fee of the first block; null without a fee market. */
  readonly baseFee: bigint | null
}

/** Of a run: its time in ticks, its seed, and a whole number below a bound from the chain's own stream. */
type LedgerHost = { readonly time: () => number; readonly seed: () => number; readonly below: (bound: number) => number }

/** Hashes of real blocks. */
type KnownHashes = { hashOf(number: bigint): bigint }

export type Sending = Omit<Transaction, 'nonce' | 'gasLimit' | 'accessList'> & { readonly gas: bigint | null; readonly method: string }

/** The result of a transaction. `refused` ones never were in a block and cost nothing. */
export type Receipt = {
  readonly status: 'success' | 'reverted' | 'refused'
  /** Why it failed, in the words of the machine: `reverted` has its reason in the output. */
  readonly why: string
  readonly output: Uint8Array
  readonly gas: number
  readonly fee: bigint
  readonly block: bigint
  readonly index: number
  readonly logs: readonly Log[]
  readonly created: bigint | undefined
  readonly from: bigint
  readonly nonce: bigint
}

/** What waits for a transaction: a token at a step, until it is in a block or final; the serial is -1 when no token waits. */
export type Waiting = { readonly step: number; readonly token: number; readonly serial: number; readonly isFinal: boolean }

/** A transaction that waits for a block. */
export type Pending = Waiting & {
  readonly transaction: Transaction
  readonly method: string
  readonly arrival: number
}

/** A line of the history that panels show. */
export type TransactionRecord = {
  readonly block: number
  readonly index: number
  readonly from: string
  readonly to: string
  readonly method: string
  readonly value: string
  readonly status: Receipt['status']
  readonly why: string
  readonly gas: number
  readonly fee: string
}
/** What happened within a transaction. */
export type Inside = { readonly calls: readonly CallRecord[]; readonly logs: readonly Log[] }

export type BlockRecord = {
  readonly number: number
  /** Time of the run at which it was made. */
  readonly tick: number
  readonly timestamp: number
  readonly transactions: number
  readonly gas: number
  readonly baseFee: string
}

/** How many blocks and transactions the history keeps. */
const historyLimits = { blocks: 128, transactions: 256 } as const
/** Gas of a view. */
const viewGas = 50_000_000
const noBytes = new Uint8Array(0)
const encoder = new TextEncoder()

export class Ledger {
  readonly plan: LedgerPlan
  readonly machine: Machine
  readonly #known: KnownHashes | null
  readonly #host: LedgerHost
  readonly #hashes = new Hashes()
  /** Number and time of the latest block. */
  number: bigint
  timestamp: number
  baseFee: bigint
  /** Number and time of the block that is being made. */
  #next = { number: 0n, timestamp: 0, baseFee: 0n }
  pool: Pending[] = []
  blocks: BlockRecord[] = []
  transactions: TransactionRecord[] = []
  /** Whether the calls and events within transactions are kept. */
  keepsCalls = false
  /** Those of the latest transactions, by block and place. They are no part of the state: a past that is made again makes them again. */
  readonly #inside = new Map<string, Inside>()
  #arrivals = 0
  /** How many transactions of an account wait. */
  #waiting = new Map<bigint, number>()

  /** `known` has the hashes of the blocks before those of a fork. */
  constructor(plan: LedgerPlan, host: LedgerHost, machineOf: (ledger: Ledger) => Machine, known: KnownHashes | null = null) {
    this.plan = plan
    this.#known = known
    this.#host = host
    this.number = plan.first - 1n
    this.timestamp = plan.startsAt - 1
    this.baseFee = plan.baseFee ?? 0n
    this.machine = machineOf(this)
  }

  /** Before anything else happens on the chain. */
  begin(): void {
    this.machine.begin()
    this.machine.keepHash(this.number, this.hashOf(this.number))
  }

  /** Hash of a block: of the chain, the run's seed and the number, not of the header; of blocks before a fork the real one. */
  hashOf(number: bigint): bigint {
    if (this.#known !== null && number <= this.plan.start) return this.#known.hashOf(number)
    return this.#hashes.of(encoder.encode(`holarchy|${this.plan.id}|${this.#host.seed()}|block|${number}`))
  }

  hashOfTransaction(from: bigint, nonce: bigint): bigint {
    return this.#hashes.of(encoder.encode(`holarchy|${this.plan.id}|${from}|${nonce}`))
  }

  /** Seconds since 1970 that a block made now has. */
  get now(): number {
    const elapsed = Math.floor(this.#host.time() * this.plan.tickSeconds)
    return Math.max(this.timestamp + 1, this.plan.startsAt + elapsed)
  }

  /** Makes the machine work within the next block. */
  #enterNext(baseFee = this.baseFee, gasLimit = this.plan.gasLimit): void {
    const number = this.number + 1n
    this.#next = { number, timestamp: this.now, baseFee }
    const seed = `holarchy|${this.plan.id}|${this.#host.seed()}|random|${number}`
    this.machine.enter({ ...this.#next, gasLimit, random: () => this.#hashes.of(encoder.encode(seed)) })
  }

  #closeBlock(transactions: number, gas: number): void {
    const { number, timestamp, baseFee } = this.#next
    this.number = number
    this.timestamp = timestamp
    this.machine.keepHash(number, this.hashOf(number))
    this.blocks.push({
      number: Number(number),
      timestamp: this.timestamp,
      tick: this.#host.time(),
      transactions,
      gas,
      baseFee: String(baseFee),
    })
    if (this.blocks.length > 2 * historyLimits.blocks) this.blocks.splice(0, this.blocks.length - historyLimits.blocks)
    if (this.plan.baseFee !== null) this.baseFee = nextBaseFee(baseFee, BigInt(gas), this.plan.gasLimit)
  }

  balanceOf(address: bigint): bigint {
    return this.machine.balanceOf(address)
  }

  /** Nonce of the next transaction of an account, those that wait included. */
  nonceOf(address: bigint): bigint {
    return this.machine.nonceOf(address) + BigInt(this.#waiting.get(address) ?? 0)
  }

  isContract(address: bigint): boolean {
    return this.machine.isContract(address)
  }

  /** Gives an account what it begins with. */
  credit(address: bigint, amount: bigint): void {
    this.machine.credit(address, amount)
  }

  /** A static call in a block made now. */
  read(from: bigint, to: bigint, data: Uint8Array): Viewed {
    this.#enterNext()
    return this.machine.view(from, to, data, viewGas)
  }

  /** Most gas of a transaction that says nothing else. */
  get #mostGas(): bigint {
    const { mostGas } = this.machine
    return this.plan.gasLimit < mostGas ? this.plan.gasLimit : mostGas
  }

  simulate(sending: Sending): Simulated | { end: 'not enough funds' } {
    this.#enterNext()
    const gasLimit = sending.gas ?? this.#mostGas
    const nonce = this.nonceOf(sending.from)
    return this.machine.simulate({ ...sending, nonce, gasLimit, accessList: [] })
  }

  /** Creates a contract before the run begins, for no gas. */
  deploy(from: bigint, data: Uint8Array, value: bigint): Receipt {
    this.credit(from, value)
    // What is there at the start was created long before, in blocks of its own.
    const gas = this.machine.mostGas
    this.#enterNext(0n, gas)
    const transaction = {
      from,
      to: undefined,
      value,
      data,
      maxFee: 0n,
      tip: 0n,
      accessList: [],
      nonce: this.nonceOf(from),
      gasLimit: gas,
    }
    return this.#execute(transaction, 'create', 0, false)
  }

  /** Executes a transaction at once, in a block of its own. */
  sendNow(sending: Sending): Receipt {
    this.#enterNext()
    const { gas, method, ...rest } = sending
    const gasLimit = gas ?? this.#affordable(sending, this.#mostGas)
    const receipt = this.#execute({ ...rest, nonce: this.nonceOf(sending.from), gasLimit, accessList: [] }, method, 0, true)
    if (receipt.status !== 'refused') this.#closeBlock(1, receipt.gas)
    return receipt
  }

  /** The most gas that the sender can pay for. */
  #affordable({ from, maxFee, value }: Sending, most: bigint): bigint {
    if (maxFee === 0n) return most
    const left = this.balanceOf(from) - value
    const gas = left > 0n ? left / maxFee : 0n
    return gas < most ? gas : most
  }

  /** Puts a transaction into the pool: where it was put and what it took the place of, or why it is refused. */
  queue(sending: Sending, waiting: Waiting, replaces: boolean): { arrival: number; replaced: Pending | null } | string {
    const { gas, method, ...rest } = sending
    const place = replaces ? this.pool.findLastIndex(({ transaction: { from } }) => from === sending.from) : this.pool.length
    const replaced = this.pool[place] ?? null
    if (replaces && replaced === null) return 'there is no waiting transaction to replace'
    if (replaced !== null && !outbids(sending, replaced.transaction)) return 'fee and tip not a tenth above the transaction to replace'
    let gasLimit = gas
    if (gasLimit === null) {
      const tried = this.simulate(sending)
      const estimate = 'gasUsed' in tried ? BigInt(Math.ceil(tried.gasUsed * 1.5)) : 21_000n
      gasLimit = estimate < this.#mostGas ? estimate : this.#mostGas
    }
    if (gasLimit > this.plan.gasLimit) return 'gas limit above the block’s'
    if (this.balanceOf(sending.from) < sending.value + gasLimit * sending.maxFee) return 'not enough funds'
    const nonce = replaced === null ? this.nonceOf(sending.from) : replaced.transaction.nonce
    const transaction = { ...rest, nonce, gasLimit, accessList: [] }
    this.pool[place] = { transaction, method, arrival: this.#arrivals++, ...waiting }
    if (replaced === null) this.#waiting.set(sending.from, (this.#waiting.get(sending.from) ?? 0) + 1)
    return { arrival: this.#arrivals - 1, replaced }
  }

  /** Takes a transaction out of the pool by its arrival; later ones of its sender move up. Null where it does not wait any more. */
  drop(arrival: number): Pending | null {
    const place = this.pool.findIndex(one => one.arrival === arrival)
    const [dropped] = place < 0 ? [] : this.pool.splice(place, 1)
    if (dropped === undefined) return null
    const { from } = dropped.transaction
    this.pool = this.pool.map((one, k) =>
      k >= place && one.transaction.from === from
        ? { ...one, transaction: { ...one.transaction, nonce: one.transaction.nonce - 1n } }
        : one,
    )
    this.#count()
    return dropped
  }

  #count(): void {
    this.#waiting.clear()
    for (const { transaction } of this.pool) this.#waiting.set(transaction.from, (this.#waiting.get(transaction.from) ?? 0) + 1)
  }

  /** Makes a block of the waiting transactions; `done` receives the result of each, in the order of the block. */
  produce(done: (pending: Pending, receipt: Receipt) => void): void {
    this.#enterNext()
    const { baseFee } = this
    const queues = [...Map.groupBy(this.pool, ({ transaction }) => transaction.from).values()]
    // The transactions that may come next: the first that is left of each sender.
    const heads = queues.map(queue => ({ queue, at: 0 }))
    const taken = new Set<Pending>()
    const results: [Pending, Receipt][] = []
    let gasLeft = this.plan.gasLimit
    let index = 0
    for (;;) {
      for (let k = heads.length - 1; k >= 0; k--) {
        const { queue, at } = heads[k]!
        const next = queue[at]?.transaction
        // What is left of this sender waits for another block: later ones may not overtake.
        if (next === undefined || next.maxFee < baseFee || next.gasLimit > gasLeft) heads.splice(k, 1)
      }
      if (heads.length === 0) break
      const head =
        heads[
          this.#chosen(
            heads.map(({ queue, at }) => queue[at]!),
            baseFee,
          )
        ]!
      const pending = head.queue[head.at++]!
      const receipt = this.#execute(pending.transaction, pending.method, index, true)
      taken.add(pending)
      results.push([pending, receipt])
      if (receipt.status === 'refused') continue
      index++
      gasLeft -= BigInt(receipt.gas)
    }
    this.pool = this.pool.filter(pending => !taken.has(pending))
    this.#count()
    this.#closeBlock(index, Number(this.plan.gasLimit - gasLeft))
    for (const [pending, receipt] of results) done(pending, receipt)
  }

  /** Place of the one that comes next by the chain's ordering; of equals the one that arrived first. */
  #chosen(heads: readonly Pending[], baseFee: bigint): number {
    const { ordering } = this.plan
    if (ordering === 'random') return heads.length > 1 ? this.#host.below(heads.length) : 0
    const tipOf = ({ transaction: { maxFee, tip } }: Pending): bigint => (maxFee - baseFee < tip ? maxFee - baseFee : tip)
    const isBefore = (a: Pending, b: Pending): boolean => {
      const [one, other] = ordering === 'fee' ? [tipOf(a), tipOf(b)] : [0n, 0n]
      return one === other ? a.arrival < b.arrival : one > other
    }
    let best = 0
    for (let k = 1; k < heads.length; k++) if (isBefore(heads[k]!, heads[best]!)) best = k
    return best
  }

  #execute(transaction: Transaction, method: string, index: number, isKept: boolean): Receipt {
    const { from, nonce, to } = transaction
    const { number } = this.#next
    const calls: CallRecord[] | null = isKept && this.keepsCalls ? [] : null
    const found: Executed = this.machine.execute(transaction, { method, calls })
    if (calls !== null && found.status !== 'invalid') this.#keepInside(`${number} ${index}`, { calls, logs: found.logs })
    const receipt: Receipt =
      found.status === 'invalid'
        ? {
            status: 'refused',
            why: found.reason,
            output: noBytes,
            gas: 0,
            fee: 0n,
            block: number,
            index,
            logs: [],
            created: undefined,
            from,
            nonce,
          }
        : {
            status: found.status === 'success' ? 'success' : 'reverted',
            why: found.end,
            output: found.output,
            gas: found.gasUsed,
            fee: BigInt(found.gasUsed) * found.gasPrice,
            block: number,
            index,
            logs: found.logs,
            created: found.created,
            from,
            nonce,
          }
    if (isKept) this.#note(receipt, to ?? receipt.created, method, transaction.value)
    return receipt
  }

  #keepInside(key: string, inside: Inside): void {
    this.#inside.delete(key)
    this.#inside.set(key, inside)
    if (this.#inside.size > 2 * historyLimits.transactions) this.#inside.delete(this.#inside.keys().next().value!)
  }

  /** What happened within a transaction; undefined where that is not kept any more. */
  inside(block: number, index: number): Inside | undefined {
    return this.#inside.get(`${block} ${index}`)
  }

  #note({ status, why, gas, fee, block, index, from }: Receipt, to: bigint | undefined, method: string, value: bigint): void {
    this.transactions.push({
      block: Number(block),
      index,
      from: addressHex(from),
      to: to === undefined ? '' : addressHex(to),
      method,
      value: String(value),
      status,
      why: status === 'success' ? '' : why,
      gas,
      fee: String(fee),
    })
    if (this.transactions.length > 2 * historyLimits.transactions)
      this.transactions.splice(0, this.transactions.length - historyLimits.transactions)
  }

  save(): State {
    return {
      number: String(this.number),
      timestamp: this.timestamp,
      baseFee: String(this.baseFee),
      arrivals: this.#arrivals,
      pool: this.pool.map(
        ({ transaction: { from, to, nonce, value, data, gasLimit, maxFee, tip }, method, arrival, step, token, serial, isFinal }) => [
          [from, to ?? -1n, nonce, value, gasLimit, maxFee, tip].map(String),
          data,
          method,
          [arrival, step, token, serial, isFinal ? 1 : 0],
        ],
      ),
      state: this.machine.save(),
      blocks: this.blocks.slice(-historyLimits.blocks).map(one => ({ ...one })),
      transactions: this.transactions.slice(-historyLimits.transactions).map(one => ({ ...one })),
    }
  }

  load(saved: State): void {
    const record = recordOf(saved)
    this.number = BigInt(String(record['number']))
    this.timestamp = numberOf(record['timestamp'])
    this.baseFee = BigInt(String(record['baseFee']))
    this.#arrivals = numberOf(record['arrivals'])
    this.pool = listOf(record['pool'] ?? null).map(entry => {
      const [words, data, method, whole] = listOf(entry)
      const [from, to, nonce, value, gasLimit, maxFee, tip] = listOf(words ?? null).map(word => BigInt(String(word)))
      const [arrival, step, token, serial, isFinal] = listOf(whole ?? null).map(numberOf)
      return {
        transaction: {
          from: from!,
          to: to! < 0n ? undefined : to!,
          nonce: nonce!,
          value: value!,
          data: data instanceof Uint8Array ? data : noBytes,
          gasLimit: gasLimit!,
          maxFee: maxFee!,
          tip: tip!,
          accessList: [],
        },
        method: String(method),
        arrival: arrival!,
        step: step!,
        token: token!,
        serial: serial!,
        isFinal: isFinal === 1,
      }
    })
    this.#count()
    this.blocks = listOf(record['blocks'] ?? null) as unknown as BlockRecord[]
    this.blocks = this.blocks.map(one => ({ ...one }))
    this.transactions = (listOf(record['transactions'] ?? null) as unknown as TransactionRecord[]).map(one => ({ ...one }))
    this.machine.load(record['state'] ?? null)
  }
}

/** A transaction takes the place of another when it offers at least a tenth more, as nodes ask for. */
const outbids = (sending: Sending, { maxFee, tip }: Transaction): boolean =>
  10n * sending.maxFee >= 11n * maxFee && 10n * sending.tip >= 11n * tip && sending.maxFee > maxFee

/** An address in lower case: the checksum that people see takes a hash. */
const addressHex = (address: bigint): string => `0x${address.toString(16).padStart(40, '0')}`
