// The interface of a contract while a model runs: how values of formulas become what it is called with, and back.
import type { FormulaDict, Ref } from '../formula/runtime/values.ts'
import type { Log } from './machine.ts'

/** Address of an individual that has an account on the chain; undefined for others. */
export type AddressOfRef = (ref: Ref) => bigint | undefined

export interface MethodCodec {
  readonly name: string
  encode(values: unknown, ofRef: AddressOfRef): Uint8Array
  decode(output: Uint8Array): unknown
}

/** A call as people read it; the method is empty where it has none. */
export type CallText = { readonly method: string; readonly arguments: string }

export interface ContractCodec {
  /** The method of a name; `count`: how many arguments there are, -1 where that is not known. */
  method(name: string, count: number): MethodCodec
  /** A call of a kind with its bytes. */
  described(kind: string, input: Uint8Array): CallText
  /** What creates the contract with its arguments. */
  creation(values: unknown, ofRef: AddressOfRef): Uint8Array
  /** Name and arguments of an event; undefined where the interface does not have it. */
  event(log: Log): { readonly name: string; readonly values: FormulaDict } | undefined
  /** Why a call was refused. */
  reason(output: Uint8Array): string
}

/** How a chain writes addresses. */
export type AddressFormat = {
  readonly text: (address: bigint) => string
  readonly number: (text: string) => bigint | undefined
  /** Finds addresses in a text. */
  readonly pattern: RegExp
}
