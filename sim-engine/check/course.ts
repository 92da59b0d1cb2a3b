// Log of the inference, round by round: enough to replay the rounds with a few changed formulas and to see whether the others would receive
// other types. If not, all types are what they were, and nothing else is inferred.
import type { Type } from '../formula.ts'
import { join, never } from '../formula/types.ts'
import type { Effects } from '../formula.ts'
import type { FunctionPart, VariablePart } from './parts.ts'

/** What takes the types of values: a variable, a parameter, the result of a function. */
export type Taker = VariablePart | FunctionPart | FunctionPart['parameters'][number]

/** What a function was known to be. */
export type Known = {
  readonly fn: FunctionPart
  readonly result: Type
  readonly effects: Effects
  readonly parameters: readonly Type[]
  readonly signature: FunctionPart['signature']
}

export type Round = {
  readonly n: number
  /** Formulas that read what has no type yet are passed over. */
  readonly patient: boolean
  /** Takes those that were passed over, and no others. */
  readonly opens: boolean
  /** What ranges of choices came to give in it. */
  ranges: [key: string, type: Type][]
  /** What grew in it, and to what. */
  grown: [variable: VariablePart, type: Type][]
  told: Known[]
}

export const knownOf = (fn: FunctionPart): Known => ({
  fn,
  result: fn.result,
  effects: fn.effects,
  parameters: fn.parameters.map(parameter => parameter.type),
  signature: fn.signature,
})

export function tell({ fn, result, effects, parameters, signature }: Known): void {
  fn.result = result
  fn.effects = effects
  fn.signature = signature
  fn.parameters.forEach((parameter, i) => {
    parameter.type = parameters[i] ?? never
  })
}

/** What one formula gave so far: the types joined for each taker. */
export class Given {
  readonly #types = new Map<Taker, Type>()

  add(taker: Taker, type: Type): void {
    this.#types.set(taker, join(this.#types.get(taker) ?? never, type))
  }

  typeOf(taker: Taker): Type {
    return this.#types.get(taker) ?? never
  }

  all(): Iterable<[Taker, Type]> {
    return this.#types
  }
}
