// One call of a contract: an instance with its own memory, the functions that CosmWasm gives it, gas and stack.
// https://github.com/CosmWasm/cosmwasm/blob/main/packages/vm/src/imports.rs
import { addressBytes, addressText } from './address.ts'
import { recoverK1, verifyBatch, verifyEd, verifyK1, verifyR1 } from './cryptography.ts'
import { MessageFault, OutOfGas } from './faults.ts'
import { cryptoGas, gasMultiplier, price } from './gas.ts'
import { counters, metered } from './module.ts'
import type { Metered } from './module.ts'
import { bytesOfKey, keyOf } from './store.ts'
import type { Key, Store } from './store.ts'

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** Most bytes that pass between contract and host at once (cosmwasm-vm, limits of regions). */
const byteLimits = { key: 64 * 1024, value: 128 * 1024, query: 64 * 1024, result: 64 * 1024 * 1024, text: 2 * 1024 * 1024 } as const
const mostIterators = 1_000

/** Receives the gas of CosmWasm that something took. */
export type Spent = (gas: number) => void

/** What a call may do and reach. */
type Calling = {
  readonly store: Store
  /** Whether it may not change anything. */
  readonly isQuery: boolean
  /** Gas of CosmWasm, and units of stack. */
  readonly gas: number
  readonly stack: number
  write(key: Key, value: Uint8Array | undefined): void
  /** Answers a query of the contract, which may fail as a call does; `spent` receives the gas that it takes. */
  query(request: string, gas: number, stack: number, spent: Spent): string
  /** Called once, when the call ends, however it ends. */
  spent: Spent
}

type Iterator = { from: Key; to: Key | null; readonly isAscending: boolean }

type Exports = {
  readonly memory: WebAssembly.Memory
  readonly allocate: (size: number) => number
  readonly [counters.gas]: WebAssembly.Global
  readonly [counters.stack]: WebAssembly.Global
  readonly [counters.pages]: WebAssembly.Global
  readonly [entry: string]: unknown
}

/** A module that can be called, and its instances that wait for a call, each as new. */
export class Callable {
  readonly #module: WebAssembly.Module
  readonly #metered: Metered
  readonly #waiting: Instance[] = []

  /** Checks, rewrites and compiles. Throws `Unreadable` for what is no contract. */
  constructor(bytes: Uint8Array) {
    this.#metered = metered(bytes)
    this.#module = new WebAssembly.Module(this.#metered.bytes)
  }

  /** Calls an entry point. Throws `MessageFault` and `OutOfGas`. */
  call(entry: string, values: readonly string[], calling: Calling): string {
    const instance = this.#waiting.pop() ?? new Instance(this.#module, this.#metered)
    try {
      return instance.call(entry, values, calling)
    } finally {
      if (instance.renew()) this.#waiting.push(instance)
    }
  }
}

const pageBytes = 65_536

/** An instance for one call at a time. */
class Instance {
  readonly #exports: Exports
  readonly #metered: Metered
  /** What its memory holds at first: from the first byte that is not 0 to the last. */
  readonly #image: { readonly from: number; readonly bytes: Uint8Array }
  readonly #globals: readonly (readonly [WebAssembly.Global, unknown])[]
  #calling: Calling | null = null
  #iterators: Iterator[] = []

  constructor(module: WebAssembly.Module, made: Metered) {
    this.#metered = made
    this.#exports = new WebAssembly.Instance(module, { env: this.#functions() }).exports as unknown as Exports
    this.#globals = made.globals.map(name => {
      const global = this.#exports[name] as WebAssembly.Global
      return [global, global.value] as const
    })
    const all = new Uint8Array(this.#exports.memory.buffer)
    const from = Math.max(
      0,
      all.findIndex(byte => byte !== 0),
    )
    this.#image = { from, bytes: all.slice(from, all.findLastIndex(byte => byte !== 0) + 1) }
    this.#exports[counters.pages].value = made.pages
  }

  /** Makes it as it was at first; false where it has grown, which nothing takes back. */
  renew(): boolean {
    this.#calling = null
    this.#iterators = []
    const { buffer } = this.#exports.memory
    if (buffer.byteLength > this.#metered.pagesThere * pageBytes) return false
    const all = new Uint8Array(buffer)
    all.fill(0)
    all.set(this.#image.bytes, this.#image.from)
    for (const [global, value] of this.#globals) global.value = value
    this.#exports[counters.pages].value = this.#metered.pages
    return true
  }

  call(entry: string, values: readonly string[], calling: Calling): string {
    this.#calling = calling
    this.#exports[counters.gas].value = BigInt(calling.gas)
    this.#exports[counters.stack].value = calling.stack
    try {
      return this.#made(entry, values)
    } finally {
      calling.spent(calling.gas - Math.max(0, this.#gasLeft))
    }
  }

  get #now(): Calling {
    if (this.#calling === null) throw new MessageFault('the contract called its host before it was called')
    return this.#calling
  }

  get #gasLeft(): number {
    return Number(this.#exports[counters.gas].value as bigint)
  }

  #made(entry: string, values: readonly string[]): string {
    const run = this.#exports[entry]
    if (typeof run !== 'function') throw new MessageFault(`the contract has no entry point ${entry}`)
    try {
      const at = values.map(value => this.#given(encoder.encode(value)))
      return decoder.decode(this.#taken(Number(run(...at)), byteLimits.result))
    } catch (error) {
      throw this.#faultOf(error)
    }
  }

  #faultOf(error: unknown): unknown {
    if (error instanceof MessageFault || error instanceof OutOfGas) return error
    if (this.#gasLeft < 0) return new OutOfGas()
    if (Number(this.#exports[counters.stack].value) < 0 || error instanceof RangeError)
      return new MessageFault('the calls of the contract nest too deep')
    if (error instanceof WebAssembly.RuntimeError) return new MessageFault(`the contract broke off: ${error.message}`)
    return error
  }

  // --- memory: a region is three numbers of 32 bits, where it begins, how much it can hold, how much it holds

  #region(at: number): { from: number; room: number; length: number } {
    const { buffer } = this.#exports.memory
    if (at === 0 || at + 12 > buffer.byteLength) throw new MessageFault('the contract gave a region outside its memory')
    const view = new DataView(buffer, at, 12)
    const [from, room, length] = [view.getUint32(0, true), view.getUint32(4, true), view.getUint32(8, true)]
    if (length > room || from + room > buffer.byteLength) throw new MessageFault('the contract gave a region outside its memory')
    return { from, room, length }
  }

  #taken(pointer: number, limit: number): Uint8Array {
    const at = pointer >>> 0
    const { from, length } = this.#region(at)
    if (length > limit) throw new MessageFault(`the contract gave ${length} bytes, ${limit} are allowed`)
    return new Uint8Array(this.#exports.memory.buffer, from, length).slice()
  }

  #put(pointer: number, bytes: Uint8Array): void {
    const at = pointer >>> 0
    const { from, room } = this.#region(at)
    if (bytes.length > room) throw new MessageFault('the contract made too little room')
    const { buffer } = this.#exports.memory
    new Uint8Array(buffer, from, bytes.length).set(bytes)
    new DataView(buffer).setUint32(at + 8, bytes.length, true)
  }

  #given(bytes: Uint8Array): number {
    const at = this.#exports.allocate(bytes.length)
    this.#put(at, bytes)
    return at
  }

  #text(pointer: number, limit: number = byteLimits.text): string {
    return decoder.decode(this.#taken(pointer, limit))
  }

  #take(gas: number): void {
    this.#exports[counters.gas].value = BigInt(this.#gasLeft - gas)
  }

  /** Takes gas of CosmWasm, as far as there is some. */
  #spend(gas: number): void {
    this.#take(gas)
    if (this.#gasLeft < 0) throw new OutOfGas()
  }

  #pay(gas: number): void {
    this.#spend(gas * gasMultiplier)
  }

  // --- what the contract may call

  #functions(): Record<string, (...values: never[]) => number | bigint | void> {
    return {
      abort: (at: number) => {
        throw new MessageFault(`the contract broke off: ${this.#text(at)}`)
      },
      debug: () => undefined,
      ...this.#storage(),
      ...this.#addresses(),
      ...this.#checks(),
      query_chain: (at: number) => {
        const request = this.#text(at, byteLimits.query)
        const answer = this.#now.query(request, this.#gasLeft, Number(this.#exports[counters.stack].value), gas => this.#take(gas))
        this.#spend(0)
        return this.#given(encoder.encode(answer))
      },
    }
  }

  #storage(): Record<string, (...values: never[]) => number | void> {
    return {
      db_read: (at: number) => {
        const key = this.#taken(at, byteLimits.key)
        const value = this.#now.store.get(keyOf(key))
        this.#pay(price.read + price.readByte * (key.length + (value?.length ?? 0)))
        return value === undefined ? 0 : this.#given(value)
      },
      db_write: (at: number, valueAt: number) => {
        const key = this.#taken(at, byteLimits.key)
        const value = this.#taken(valueAt, byteLimits.value)
        this.#pay(price.write + price.writeByte * (key.length + value.length))
        this.#change(keyOf(key), value)
      },
      db_remove: (at: number) => {
        const key = this.#taken(at, byteLimits.key)
        this.#pay(price.remove)
        this.#change(keyOf(key), undefined)
      },
      db_scan: (fromAt: number, toAt: number, order: number) => {
        if (this.#iterators.length >= mostIterators) throw new MessageFault('the contract opened too many iterators')
        if (order !== 1 && order !== 2) throw new MessageFault('an iterator goes up or down')
        const from = fromAt === 0 ? '' : keyOf(this.#taken(fromAt, byteLimits.key))
        const to = toAt === 0 ? null : keyOf(this.#taken(toAt, byteLimits.key))
        this.#pay(price.next)
        return this.#iterators.push({ from, to, isAscending: order === 1 })
      },
      db_next: (id: number) => {
        const found = this.#next(id)
        return this.#given(sections(found ? [bytesOfKey(found.key), found.value] : [none, none]))
      },
      db_next_key: (id: number) => {
        const found = this.#next(id)
        return found ? this.#given(bytesOfKey(found.key)) : 0
      },
      db_next_value: (id: number) => {
        const found = this.#next(id)
        return found ? this.#given(found.value) : 0
      },
    }
  }

  #change(key: Key, value: Uint8Array | undefined): void {
    if (this.#now.isQuery) throw new MessageFault('a query changes nothing')
    this.#now.write(key, value)
  }

  #next(id: number): { key: Key; value: Uint8Array } | null {
    const iterator = this.#iterators[id - 1]
    if (!iterator) throw new MessageFault('there is no such iterator')
    const { store } = this.#now
    const { from, to, isAscending } = iterator
    const isEmpty = to !== null && from >= to
    const key = isEmpty ? undefined : isAscending ? store.first(from, to) : store.last(from, to)
    const value = key === undefined ? none : store.get(key)!
    this.#pay(price.next + price.readByte * ((key?.length ?? 0) + value.length))
    if (key === undefined) return null
    if (isAscending) iterator.from = `${key}\0`
    else iterator.to = key
    return { key, value }
  }

  #addresses(): Record<string, (...values: never[]) => number> {
    const sayNo = (why: string): number => this.#given(encoder.encode(why))
    return {
      addr_validate: (at: number) => {
        this.#pay(price.humanize + price.canonicalize)
        const bytes = this.#taken(at, 256)
        if (bytes.length === 0) return sayNo('Input is empty')
        return addressBytes(decoder.decode(bytes)) ? 0 : sayNo('invalid address')
      },
      addr_canonicalize: (at: number, to: number) => {
        this.#pay(price.canonicalize)
        const bytes = addressBytes(this.#text(at, 256))
        if (!bytes) return sayNo('invalid address')
        this.#put(to, bytes)
        return 0
      },
      addr_humanize: (at: number, to: number) => {
        this.#pay(price.humanize)
        const bytes = this.#taken(at, 64)
        if (bytes.length !== 20 && bytes.length !== 32) return sayNo('invalid canonical address')
        this.#put(to, encoder.encode(addressText(bytes)))
        return 0
      },
    }
  }

  #checks(): Record<string, (...values: never[]) => number | bigint> {
    const three = (a: number, b: number, c: number) => [this.#taken(a, byteLimits.value), this.#taken(b, 128), this.#taken(c, 128)] as const
    const listed = (at: number): Uint8Array[] => parted(this.#taken(at, byteLimits.value))
    return {
      secp256k1_verify: (hash: number, signature: number, key: number) => {
        this.#spend(cryptoGas.secp256k1Verify)
        return verifyK1(...three(hash, signature, key))
      },
      secp256r1_verify: (hash: number, signature: number, key: number) => {
        this.#spend(cryptoGas.secp256r1Verify)
        return verifyR1(...three(hash, signature, key))
      },
      secp256k1_recover_pubkey: (hash: number, signature: number, parity: number) => {
        this.#spend(cryptoGas.secp256k1Recover)
        const found = recoverK1(this.#taken(hash, 32), this.#taken(signature, 64), parity)
        return typeof found === 'number' ? BigInt(found) << 32n : BigInt(this.#given(found) >>> 0)
      },
      secp256r1_recover_pubkey: () => {
        throw new MessageFault('secp256r1_recover_pubkey is not available')
      },
      ed25519_verify: (message: number, signature: number, key: number) => {
        this.#spend(cryptoGas.ed25519Verify)
        return verifyEd(...three(message, signature, key))
      },
      ed25519_batch_verify: (messages: number, signatures: number, keys: number) => {
        const parts = [listed(messages), listed(signatures), listed(keys)] as const
        this.#spend((cryptoGas.ed25519Verify / 2) * parts[1].length)
        return verifyBatch(...parts)
      },
    }
  }
}

const none = new Uint8Array(0)

/** Several byte strings in one: each followed by its length, 32 bits with the highest first. */
function sections(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length + 4, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    view.setUint32(at + part.length, part.length)
    at += part.length + 4
  }
  return bytes
}

function parted(bytes: Uint8Array): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const parts: Uint8Array[] = []
  for (let end = bytes.length; end > 0;) {
    const length = end < 4 ? end : view.getUint32(end - 4)
    if (length > end - 4) throw new MessageFault('the contract gave a list that is cut')
    parts.unshift(bytes.subarray(end - 4 - length, end - 4))
    end -= length + 4
  }
  return parts
}
