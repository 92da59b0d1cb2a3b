// Accounts and storage with an undo log: every change can be taken back to any earlier mark. What a transaction remembers only while it
// runs (warm addresses, original values, transient storage, refunds, logs) is kept here, too, as it is undone together with the rest.
import { noCode } from './code.ts'
import type { Code } from './code.ts'
import { noPages } from './pages.ts'
import type { Pages } from './pages.ts'

export type Log = { address: bigint; topics: bigint[]; data: Uint8Array }

/**
 * A storage slot. `original` is the value before transaction `seenIn`; `warmIn` is the transaction that has paid for its access.
 * `isWritten` says that it may be other than in the pages of its account.
 */
export type Slot = {
  value: bigint
  original: bigint
  seenIn: number
  warmIn: number
  isWritten: boolean
  /** Whether it was written without looking at what a base has there. */
  readonly isPut: boolean
  readonly owner: Account
  readonly key: bigint
}

/** The layer below a state: accounts and storage of a fork. Accounts that are not there have `exists` false. */
export type BaseAccount = { readonly exists: boolean; readonly nonce: bigint; readonly balance: bigint; readonly code: Code }
export interface Base {
  account(address: bigint): BaseAccount
  slot(address: bigint, key: bigint): bigint
}

export class Account {
  readonly address: bigint
  /** Whether it comes from the state's base, which then has its other slots, too. */
  isForked = false
  /** Whether the account is part of the state: an account that was only looked at is not. */
  exists = false
  nonce = 0n
  balance = 0n
  code: Code = noCode
  /** Slots that were reached since the pages were made. */
  readonly slots = new Map<bigint, Slot>()
  /** Slots other than below, as they were when a snapshot was last taken. */
  pages: Pages = noPages
  /** Slots of `slots` that may be other than in the pages. */
  written: Slot[] = []
  /** Transactions, by number, in which the account was last warm, created, destroyed, touched; 0 for never. */
  warmIn = 0
  createdIn = 0
  destroyedIn = 0
  touchedIn = 0

  constructor(address: bigint) {
    this.address = address
  }

  /** Empty in the sense of EIP-161. */
  get empty(): boolean {
    return this.nonce === 0n && this.balance === 0n && this.code.bytes.length === 0
  }
}

export class State {
  readonly accounts = new Map<bigint, Account>()
  /** The layer below; null when there is none. */
  readonly base: Base | null
  /** Addresses of the protocol's contracts, which are always warm. */
  precompiles: ReadonlySet<bigint> = new Set()
  /** Addresses of accounts of the base that are gone. */
  readonly gone = new Set<bigint>()
  /** Number of the transaction under way, counted from 1. */
  transaction = 0
  refund = 0
  logs: Log[] = []
  #undo: (() => void)[] = []
  #transient = new Map<bigint, Map<bigint, bigint>>()
  #reached: Account[] = []

  constructor(base: Base | null = null) {
    this.base = base
  }

  /** The account at an address; one that is not part of the state yet is made, with `exists` false. */
  account(address: bigint): Account {
    let account = this.accounts.get(address)
    if (account === undefined) {
      const below = this.base === null || this.gone.has(address) ? null : this.base.account(address)
      account = this.ownAccount(address)
      if (below?.exists === true) {
        account.isForked = account.exists = true
        account.nonce = below.nonce
        account.balance = below.balance
        account.code = below.code
      }
    }
    return account
  }

  /** The account at an address at which the base is known to have none. */
  ownAccount(address: bigint): Account {
    let account = this.accounts.get(address)
    if (account === undefined) {
      account = new Account(address)
      this.accounts.set(address, account)
      this.#reached.push(account)
    }
    return account
  }

  /** Values of all slots that are known here, in no order. */
  *slotsOf(account: Account): Generator<[bigint, bigint]> {
    for (const [key, { value }] of account.slots) yield [key, value]
    for (const row of account.pages.rows()) if (!account.slots.has(row[0])) yield row
  }

  /** The pages of an account as it is now, between two transactions. */
  pagesOf(account: Account): Pages {
    const changes = new Map<bigint, bigint | undefined>()
    for (const slot of account.written)
      changes.set(slot.key, !slot.isPut && slot.value === this.below(account, slot.key) ? undefined : slot.value)
    account.written = []
    account.slots.clear()
    if (changes.size > 0) account.pages = account.pages.with(changes)
    return account.pages
  }

  /** Value of a slot below what was written here. */
  below(account: Account, key: bigint): bigint {
    return account.isForked ? this.base!.slot(account.address, key) : 0n
  }

  /** A place in the undo log. */
  mark(): number {
    return this.#undo.length
  }

  /** Takes back every change since `mark`. */
  revert(mark: number): void {
    for (let at = this.#undo.length - 1; at >= mark; at--) this.#undo[at]!()
    this.#undo.length = mark
  }

  /** Begins a transaction: nothing is warm, no slot has an original value, transient storage and logs are empty. */
  begin(): void {
    this.transaction++
    this.refund = 0
    this.logs = []
    this.#transient.clear()
    this.#undo.length = 0
  }

  /** Ends a transaction: removes destroyed accounts and touched empty ones (EIP-161). */
  end(): void {
    for (const account of this.#reached) if (!account.exists) this.accounts.delete(account.address)
    this.#reached.length = 0
    for (const account of this.#touched) {
      const destroyed = account.destroyedIn === this.transaction
      const cleared = account.touchedIn === this.transaction && account.exists && account.empty
      if (!destroyed && !cleared) continue
      this.accounts.delete(account.address)
      if (account.isForked) this.gone.add(account.address)
    }
    this.#touched.length = 0
    this.#undo.length = 0
  }
  #touched: Account[] = []

  /** Takes back everything of a transaction that the machine itself has broken off. */
  abandon(): void {
    this.revert(0)
    this.end()
  }

  touch(account: Account): void {
    if (account.touchedIn === this.transaction) return
    const before = account.touchedIn
    this.#undo.push(() => {
      account.touchedIn = before
    })
    account.touchedIn = this.transaction
    this.#touched.push(account)
  }

  /** Makes an address warm; says whether it was cold. */
  warm(account: Account): boolean {
    if (account.warmIn === this.transaction || this.precompiles.has(account.address)) return false
    const before = account.warmIn
    this.#undo.push(() => {
      account.warmIn = before
    })
    account.warmIn = this.transaction
    return true
  }

  /** The slot for reading and writing, with its original value of this transaction. */
  slot(account: Account, key: bigint): Slot {
    let slot = account.slots.get(key)
    if (slot === undefined) {
      const value = account.pages.get(key) ?? this.below(account, key)
      slot = { value, original: value, seenIn: this.transaction, warmIn: 0, isWritten: false, isPut: false, owner: account, key }
      account.slots.set(key, slot)
    } else if (slot.seenIn !== this.transaction) {
      slot.original = slot.value
      slot.seenIn = this.transaction
    }
    return slot
  }

  /** Makes a slot warm; says whether it was cold. */
  warmSlot(slot: Slot): boolean {
    if (slot.warmIn === this.transaction) return false
    const before = slot.warmIn
    this.#undo.push(() => {
      slot.warmIn = before
    })
    slot.warmIn = this.transaction
    return true
  }

  /** Writes a slot between transactions, whatever was there before. */
  put(account: Account, key: bigint, value: bigint): void {
    const known = account.slots.get(key)
    if (known !== undefined) {
      this.begin()
      this.write(known, value)
      return this.end()
    }
    const slot = { value, original: value, seenIn: 0, warmIn: 0, isWritten: true, isPut: true, owner: account, key }
    account.slots.set(key, slot)
    account.written.push(slot)
  }

  write(slot: Slot, value: bigint): void {
    const before = slot.value
    if (before === value) return
    this.#undo.push(() => {
      slot.value = before
    })
    slot.value = value
    if (slot.isWritten) return
    slot.isWritten = true
    slot.owner.written.push(slot)
  }

  addRefund(amount: number): void {
    const before = this.refund
    this.#undo.push(() => {
      this.refund = before
    })
    this.refund += amount
  }

  setBalance(account: Account, balance: bigint): void {
    const before = account.balance
    this.#undo.push(() => {
      account.balance = before
    })
    account.balance = balance
    this.#bringAbout(account)
    this.touch(account)
  }

  /** Moves `value` wei; the sender has been checked to own it. */
  transfer(from: Account, to: Account, value: bigint): void {
    this.touch(to)
    if (value === 0n) return
    this.setBalance(from, from.balance - value)
    this.setBalance(to, to.balance + value)
  }

  setNonce(account: Account, nonce: bigint): void {
    const before = account.nonce
    this.#undo.push(() => {
      account.nonce = before
    })
    account.nonce = nonce
    this.#bringAbout(account)
    this.touch(account)
  }

  setCode(account: Account, code: Code): void {
    const before = account.code
    this.#undo.push(() => {
      account.code = before
    })
    account.code = code
    this.#bringAbout(account)
    this.touch(account)
  }

  /** Notes that this transaction creates a contract at the account, which has empty storage. */
  markCreated(account: Account): void {
    const { createdIn } = account
    this.#undo.push(() => {
      account.createdIn = createdIn
    })
    account.createdIn = this.transaction
  }

  markDestroyed(account: Account): void {
    const before = account.destroyedIn
    this.#undo.push(() => {
      account.destroyedIn = before
    })
    account.destroyedIn = this.transaction
    this.#touched.push(account)
  }

  readTransient(address: bigint, key: bigint): bigint {
    return this.#transient.get(address)?.get(key) ?? 0n
  }

  writeTransient(address: bigint, key: bigint, value: bigint): void {
    let slots = this.#transient.get(address)
    if (slots === undefined) this.#transient.set(address, (slots = new Map()))
    const before = slots.get(key) ?? 0n
    const written = slots
    this.#undo.push(() => written.set(key, before))
    slots.set(key, value)
  }

  addLog(log: Log): void {
    this.#undo.push(() => this.logs.pop())
    this.logs.push(log)
  }

  #bringAbout(account: Account): void {
    if (account.exists) return
    this.#undo.push(() => {
      account.exists = false
    })
    account.exists = true
  }
}
