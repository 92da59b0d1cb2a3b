// Numbers from values of formulas, and the errors where there is none.
import { RunError } from '../../problems.ts'
import type { Param, ProblemCode } from '../../problems.ts'

export function fail(code: ProblemCode, params: readonly Param[] = [], from?: number, to?: number): never {
  throw new RunError(code, params, from, to)
}

export function toNumber(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  return fail(value === null || value === undefined ? 10014 : 10007, value === null || value === undefined ? [] : [typeof value])
}

/** A whole number >= 0. */
export function toWhole(value: unknown): number {
  const number = toNumber(value)
  if (!Number.isInteger(number)) return fail(10023)
  return number < 0 ? fail(10039) : number
}

/** A time to come: >= 0 and finite. */
export function toGap(value: unknown): number {
  const number = toNumber(value)
  return number >= 0 && number < Infinity ? number : fail(10051)
}
