// What a Terra chain keeps: coins, codes, contracts. Every change can be taken back to any earlier mark.
import { sha256 } from '@noble/hashes/sha2.js'
import { Callable } from './host.ts'
import { Store } from './store.ts'
import type { Key } from './store.ts'

/** A module that contracts are made of. */
export type Code = { readonly bytes: Uint8Array; readonly checksum: Uint8Array; readonly callable: Callable }

export type Contract = {
  readonly address: string
  code: number
  readonly creator: string
  admin: string | null
  readonly label: string
  readonly store: Store
}

/** The coin that fees are paid in, and that amounts of transactions are of. */
export const nativeCoin = 'uluna'

export type Coin = { readonly denom: string; readonly amount: string }

const codes = new WeakMap<Uint8Array, Code>()

/** Checks and compiles a module, once for each array of bytes. Throws `Unreadable` for what is no contract. */
export function codeOf(bytes: Uint8Array): Code {
  let code = codes.get(bytes)
  if (!code) codes.set(bytes, (code = { bytes, checksum: sha256(bytes), callable: new Callable(bytes) }))
  return code
}

export class TerraState {
  /** Codes by their number, which counts from 1. */
  readonly codes: Code[] = []
  readonly contracts = new Map<string, Contract>()
  /** Coins by account and denomination; no entry is 0. */
  readonly balances = new Map<string, Map<string, bigint>>()
  /** Coins in all, by denomination. */
  readonly supply = new Map<string, bigint>()
  /** Contracts made so far. */
  instances = 0
  #undo: (() => void)[] = []

  get mark(): number {
    return this.#undo.length
  }

  /** Takes back all that came after the mark. */
  undo(mark: number): void {
    while (this.#undo.length > mark) this.#undo.pop()!()
  }

  /** From now on nothing before can be taken back. */
  settle(): void {
    this.#undo = []
  }

  store(code: Code): number {
    this.#undo.push(() => void this.codes.pop())
    return this.codes.push(code)
  }

  add(contract: Contract): void {
    const { instances } = this
    this.#undo.push(() => {
      this.contracts.delete(contract.address)
      this.instances = instances
    })
    this.contracts.set(contract.address, contract)
    this.instances++
  }

  change(contract: Contract, to: Partial<Pick<Contract, 'admin' | 'code'>>): void {
    const before = { admin: contract.admin, code: contract.code }
    this.#undo.push(() => void Object.assign(contract, before))
    Object.assign(contract, to)
  }

  write(contract: Contract, key: Key, value: Uint8Array | undefined): void {
    const before = contract.store.get(key)
    this.#undo.push(() => contract.store.set(key, before))
    contract.store.set(key, value)
  }

  balance(account: string, denom: string): bigint {
    return this.balances.get(account)?.get(denom) ?? 0n
  }

  /** Coins of an account, by denomination in order of letters. */
  coins(account: string): Coin[] {
    return [...(this.balances.get(account) ?? [])].map(([denom, amount]) => ({ denom, amount: String(amount) })).sort(byDenom)
  }

  /** Adds coins to an account, or takes them with a negative amount; what an account does not have it may not lose. */
  credit(account: string, denom: string, amount: bigint): void {
    if (amount === 0n) return
    let coins = this.balances.get(account)
    if (!coins) this.balances.set(account, (coins = new Map()))
    this.#set(coins, denom, amount)
    this.#set(this.supply, denom, amount)
  }

  move(from: string, to: string, denom: string, amount: bigint): void {
    this.credit(from, denom, -amount)
    this.credit(to, denom, amount)
  }

  #set(map: Map<string, bigint>, key: string, more: bigint): void {
    const before = map.get(key)
    const put = (value: bigint | undefined): void => void (value === undefined || value === 0n ? map.delete(key) : map.set(key, value))
    this.#undo.push(() => put(before))
    put((before ?? 0n) + more)
  }
}

const byDenom = (a: Coin, b: Coin): number => (a.denom < b.denom ? -1 : 1)
