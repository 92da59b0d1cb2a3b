// How what goes wrong on a chain reaches the model.
import { RunError } from '../problems.ts'
import type { Param } from '../problems.ts'

/** 10067 with its reason, which the output panel shows. */
export function failed(reason: Param): never {
  throw new RunError(10067, [reason])
}
