// Signatures as people read them are the data: `sorted(items: items of T, key: function of T = None) -> list of T`.
// Parsed once; the checker binds the variables (T, K, V: value types; P: a population) from the arguments.
import { typeName } from '../types.ts'
import type { Type } from '../types.ts'

/** The type of a parameter or result. */
export type TypeShape =
  | { is: 'plain'; type: Type }
  /** A type variable. */
  | { is: 'var'; name: string }
  /** Anything that can be iterated. */
  | { is: 'items'; of: TypeShape }
  | { is: 'list' | 'set'; of: TypeShape }
  | { is: 'dict'; key: TypeShape; value: TypeShape }
  /** A lambda or function block taking one `of`. */
  | { is: 'function'; of: TypeShape }
  /** A population by name (its observer); binds `name`. */
  | { is: 'population'; name: string }
  /** An entity of the population bound to `of`; null = of any. Shown as `agent`, `cell` or `link`. */
  | { is: 'entity'; of: string | null }
  | { is: 'entities'; of: string | null }

export type SignatureParam = {
  name: string
  shape: TypeShape
  /** Source of the default: a literal, or `self`. */
  initial?: string
  rest: boolean
}

export type Signature = { name: string; params: readonly SignatureParam[]; result: TypeShape }

/** Reads `name(a: number, b: text = "x", *rest: any) -> number`. Throws on our own mistakes in the tables. */
export function parseSignature(source: string): Signature {
  const match = /^(\w+)\((.*)\) -> (.+)$/.exec(source)
  if (!match) throw new SyntaxError(`signature: ${source}`)
  const [, name = '', inside = '', result = ''] = match
  const params = inside === '' ? [] : inside.split(/, (?=\*?\w+:)/).map(part => parameter(part, source))
  return { name, params, result: shape(result, source) }
}

function parameter(part: string, source: string): SignatureParam {
  const match = /^(\*?)(\w+): ([^=]+?)(?: = (.+))?$/.exec(part)
  if (!match) throw new SyntaxError(`signature: ${part} in ${source}`)
  const [, star, name = '', type = '', initial] = match
  return initial === undefined
    ? { name, shape: shape(type, source), rest: star === '*' }
    : { name, shape: shape(type, source), rest: false, initial }
}

const plain: readonly Type['is'][] = ['number', 'integer', 'bool', 'text', 'none', 'date', 'range', 'any']

function shape(source: string, whole: string): TypeShape {
  for (const is of plain) if (source === is) return { is: 'plain', type: plainType(is) }
  if (/^[TKV]$/.test(source)) return { is: 'var', name: source }
  const of = /^(items|list|set|function|entities|entity) of (.+)$/.exec(source)
  if (of) {
    const [, head = '', rest = ''] = of
    if (head === 'entities' || head === 'entity') return { is: head, of: rest }
    const inner = shape(rest, whole)
    if (head === 'items' || head === 'list' || head === 'set' || head === 'function') return { is: head, of: inner }
  }
  const dict = /^dict of (\S+) to (.+)$/.exec(source)
  if (dict) return { is: 'dict', key: shape(dict[1] ?? '', whole), value: shape(dict[2] ?? '', whole) }
  const population = /^population(?: as (\w+))?$/.exec(source)
  if (population) return { is: 'population', name: population[1] ?? 'P' }
  if (source === 'entity') return { is: 'entity', of: null }
  if (source === 'entities') return { is: 'entities', of: null }
  throw new SyntaxError(`signature: type ${source} in ${whole}`)
}

function plainType(is: Type['is']): Type {
  if (is === 'number' || is === 'integer' || is === 'bool' || is === 'text' || is === 'none' || is === 'date' || is === 'range')
    return { is }
  return { is: 'any' }
}

/** As people read it in messages. */
export function shapeName(shape: TypeShape): string {
  switch (shape.is) {
    case 'plain':
      return typeName(shape.type)
    case 'var':
      return 'any'
    case 'items':
      return shape.of.is === 'var' ? 'list' : `list of ${shapeName(shape.of)}`
    case 'list':
    case 'set':
      return shape.of.is === 'var' ? shape.is : `${shape.is} of ${shapeName(shape.of)}`
    case 'dict':
      return 'dict'
    default:
      return shape.is
  }
}
