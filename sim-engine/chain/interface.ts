// The interface of a contract while a model runs: how values of formulas become what it is called with, and back.
import type { FormulaDict, Ref } from '../formula/runtime/values.ts'
import type { Log } from './machine.ts'

/** Address of an individual that has an account on the chain; undefined for others. */
export type AddressOfRef = (ref: Ref) => bigint | undefined

export interface MethodCodec {
  readonly name: string
  encode(values: unknown, ofRef: AddressOfRef): Uint8Array
  decode(output: Uint8Array): unknown
  /** Arguments of a call as a person reads them; undefined where they do not decode. */
  argumentsText(input: Uint8Array): string | undefined
}

export interface ContractCodec {
  /** The method of a name; `count`: how many arguments there are, -1 where that is not known. */
  method(name: string, count: number): MethodCodec
  /** The method that a call's bytes name; undefined where the interface has none. */
  called(input: Uint8Array): MethodCodec | undefined
  /** What creates the contract with its arguments. */
  creation(values: unknown, ofRef: AddressOfRef): Uint8Array
  /** Name and arguments of an event; undefined where the interface does not have it. */
  event(log: Log): { readonly name: string; readonly values: FormulaDict } | undefined
  /** Why a call was refused. */
  reason(output: Uint8Array): string
}

/** How a chain writes addresses. */
export type AddressFormat = { readonly text: (address: bigint) => string; readonly number: (text: string) => bigint | undefined }
