// One row per function of the language: what people read about it, and how it is typed and emitted.
import type { Signature } from './signature.ts'
import { parseSignature } from './signature.ts'
import type { Words } from '../../../model-schema/words.ts'

export type Group = 'numbers' | 'random' | 'collections' | 'statistics' | 'text' | 'dates' | 'space' | 'networks' | 'entities'

/** How a call is compiled, when it is not simply `F.name(arguments, from, to)`. */
type Way =
  /** `W.name(arguments, from, to)`; an entity argument takes two places, population and handle. */
  | 'world'
  /** A special form of the checker and emitter: reductions, ranges, creation ... */
  | 'special'
  /** JavaScript's own Math function, with an exact result for every argument. */
  | 'math'

export type Row = {
  signature: Signature
  /** As people read it. */
  shown: string
  group: Group
  words: Words
  /** Formula and result: each is a test. */
  examples: readonly (readonly [source: string, result: string])[]
  way?: Way
  draws?: true
  creates?: true
  writes?: true
}

type Extra = { way?: Way; draws?: true; creates?: true; writes?: true; examples?: readonly (readonly [string, string])[] }

export function row(group: Group, shown: string, words: Words, example: readonly [string, string], extra: Extra = {}): Row {
  const { examples = [], ...rest } = extra
  return { signature: parseSignature(shown), shown, group, words, examples: [example, ...examples], ...rest }
}
