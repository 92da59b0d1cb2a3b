// What executes transactions under a ledger: the machine of Ethereum (evm/) or that of CosmWasm (cosmwasm/). Addresses are whole numbers.
import type { State } from '../kernel/snapshot.ts'

export type Transaction = {
  readonly from: bigint
  /** `undefined` creates a contract. */
  readonly to: bigint | undefined
  readonly nonce: bigint
  readonly value: bigint
  readonly data: Uint8Array
  readonly gasLimit: bigint
  /** The highest price of a unit of gas, and the part offered to the block's proposer. */
  readonly maxFee: bigint
  readonly tip: bigint
  readonly accessList: never[]
}

/** An event of a contract: its address, and what its interface reads. */
export type Log = { readonly address: bigint; readonly topics: readonly bigint[]; readonly data: Uint8Array }

export type Executed =
  | { readonly status: 'invalid'; readonly reason: string }
  | {
      readonly status: 'success' | 'failed'
      /** `returned`, `reverted` with a reason in the output, or why it ended. */
      readonly end: string
      readonly output: Uint8Array
      readonly gasUsed: number
      readonly gasPrice: bigint
      readonly created: bigint | undefined
      readonly logs: readonly Log[]
    }

export type Simulated = {
  readonly end: string
  readonly output: Uint8Array
  readonly gasUsed: number
  readonly logs: readonly Log[]
  readonly created: bigint | undefined
}

export type Viewed = { readonly end: string; readonly output: Uint8Array }

export type Block = {
  readonly number: bigint
  readonly timestamp: number
  readonly baseFee: bigint
  readonly gasLimit: bigint
  /** A number that no contract can foresee. */
  readonly random: () => bigint
}

export type AccountState = { readonly address: bigint; readonly balance: bigint; readonly nonce: bigint; readonly isContract: boolean }
/** What a contract keeps, as texts that people read. */
export type Slot = { readonly key: string; readonly value: string }

/** A call within a transaction. */
export type CallRecord = {
  /** 0 for the transaction's own. */
  readonly depth: number
  /** What calls it: an opcode of Ethereum, a message of Terra. */
  readonly kind: string
  readonly from: bigint
  /** The address of the code that runs. */
  readonly to: bigint
  readonly value: bigint
  readonly input: Uint8Array
  readonly gas: number
  gasUsed: number
  /** `returned`, `reverted` with a reason in the output, or why it ended. */
  end: string
  output: Uint8Array
}

/** Most calls kept of one transaction, and bytes of what each was given and gave. */
export const recordLimits = { calls: 500, bytes: 4096 } as const

/** Of a transaction: its name for people, and the list for the calls within it; null when they are not traced. */
export type Noted = { readonly method: string; readonly calls: CallRecord[] | null }

export interface Machine {
  readonly family: 'ethereum' | 'cosmwasm'
  /** The smallest unit of the chain's own coin. */
  readonly unit: string
  /** Most gas that one transaction may have, whatever its block has room for: what is created before the run begins has it. */
  readonly mostGas: bigint
  /** Before anything else: what the protocol has on a new chain. */
  begin(): void
  /** The hash of the latest block, before anything of the next one. */
  keepHash(number: bigint, hash: bigint): void
  /** What comes next is in this block. */
  enter(block: Block): void
  balanceOf(address: bigint): bigint
  nonceOf(address: bigint): bigint
  isContract(address: bigint): boolean
  /** Gives an account what it begins with. */
  credit(address: bigint, amount: bigint): void
  execute(transaction: Transaction, noted: Noted): Executed
  simulate(transaction: Transaction): Simulated | { readonly end: 'not enough funds' }
  view(from: bigint, to: bigint, data: Uint8Array, gas: number): Viewed
  accounts(): Iterable<AccountState>
  storageOf(address: bigint): readonly Slot[] | null
  save(): State
  load(saved: State): void
}
