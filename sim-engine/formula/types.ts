// The types of formula values, as the checker infers them. Types are not written: they follow from the values.
// `join` is the least upper bound used wherever two values may end up in one place.

export type Type =
  | { is: 'number' }
  /** A whole number of any size, exact: a BigInt. */
  | { is: 'integer' }
  | { is: 'bool' }
  | { is: 'text' }
  | { is: 'none' }
  | { is: 'date' }
  | { is: 'range' }
  | { is: 'list'; of: Type }
  | { is: 'set'; of: Type }
  | { is: 'tuple'; of: readonly Type[] }
  | { is: 'dict'; key: Type; value: Type; entries?: EntryTypes }
  /** One individual of population `of`; null = of any population. May be None unless `sure`. */
  | { is: 'entity'; of: string | null; sure?: boolean }
  /** The result of a query over entities, enumerable once and at once: loops over it fuse and allocate nothing. */
  | { is: 'entities'; of: string | null }
  /** A population's observer (`Wolf`); null = the global observer. */
  | { is: 'observer'; of: string | null }
  /** A function block. `result` is 'any' while unknown (recursion). */
  | { is: 'function'; params: readonly Parameter[]; result: Type }
  | { is: 'process'; of?: string }
  /** An element that has members but is no value: a container, a step, a statistic, a message; `of` is its id. */
  | { is: 'element'; of: string }
  /** Known only while running; every use is checked then. With `entries` it is such a dict, or None. */
  | { is: 'any'; entries?: EntryTypes }
  /** No value yet: the element type of `[]`, the type of a name never assigned. */
  | { is: 'never' }

/** The types of the values of a dict that has these keys and no others. */
export type EntryTypes = Readonly<Record<string, Type>>

type Parameter = { name: string; type: Type; optional?: boolean }

export const number: Type = { is: 'number' }
export const integer: Type = { is: 'integer' }
export const bool: Type = { is: 'bool' }
export const text: Type = { is: 'text' }
export const none: Type = { is: 'none' }
export const date: Type = { is: 'date' }
export const range: Type = { is: 'range' }
export const any: Type = { is: 'any' }
export const never: Type = { is: 'never' }
export const listOf = (of: Type): Type => ({ is: 'list', of })
export const setOf = (of: Type): Type => ({ is: 'set', of })
export const tupleOf = (...of: Type[]): Type => ({ is: 'tuple', of })
export const dictOf = (key: Type, value: Type): Type => ({ is: 'dict', key, value })
/** A dict with these keys and no others; `recordTypeOrNone`: or None. */
export const recordType = (entries: EntryTypes): Type => ({ is: 'dict', key: text, value: any, entries })
export const recordTypeOrNone = (entries: EntryTypes): Type => ({ is: 'any', entries })
export const entityOf = (of: string | null, sure = false): Type => (sure ? { is: 'entity', of, sure } : { is: 'entity', of })
export const entitiesOf = (of: string | null): Type => ({ is: 'entities', of })

/** Least upper bound. Commutative, associative, idempotent; `never` is its unit and `any` absorbs. */
export function join(a: Type, b: Type): Type {
  if (a === b || b.is === 'never') return a
  if (a.is !== 'never' && entriesOf(a) !== entriesOf(b) && !isSameRecord(a, b)) return join(plain(a), plain(b))
  if (a.is === 'never') return b
  if (a.is === 'entity' && b.is === 'none') return entityOf(a.of)
  if (b.is === 'entity' && a.is === 'none') return entityOf(b.of)
  if (a.is === 'entity' && b.is === 'entity') return entityOf(a.of === b.of ? a.of : null, a.sure === true && b.sure === true)
  if (a.is === 'entities' && b.is === 'entities') return entitiesOf(a.of === b.of ? a.of : null)
  if (a.is === 'entities' && b.is === 'list') return join(stored(a), b)
  if (b.is === 'entities' && a.is === 'list') return join(a, stored(b))
  if (a.is === 'list' && b.is === 'list') return listOf(join(a.of, b.of))
  if (a.is === 'set' && b.is === 'set') return setOf(join(a.of, b.of))
  if (a.is === 'dict' && b.is === 'dict') return a.entries ? a : dictOf(join(a.key, b.key), join(a.value, b.value))
  if (a.is === 'tuple' && b.is === 'tuple') {
    if (a.of.length !== b.of.length) return any
    const other = b.of
    return tupleOf(...a.of.map((item, i) => join(item, other[i] ?? never)))
  }
  return sameType(a, b) ? a : any
}

export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true
  if (a.is !== b.is || !isSameRecord(a, b)) return false
  if (a.is === 'list' && b.is === 'list') return sameType(a.of, b.of)
  if (a.is === 'set' && b.is === 'set') return sameType(a.of, b.of)
  if (a.is === 'dict' && b.is === 'dict') return sameType(a.key, b.key) && sameType(a.value, b.value)
  if (a.is === 'tuple' && b.is === 'tuple') {
    const other = b.of
    return a.of.length === other.length && a.of.every((item, i) => sameType(item, other[i] ?? never))
  }
  if (a.is === 'entity' && b.is === 'entity') return a.of === b.of && (a.sure === true) === (b.sure === true)
  if (a.is === 'entities' && b.is === 'entities') return a.of === b.of
  if (a.is === 'observer' && b.is === 'observer') return a.of === b.of
  if (a.is === 'element' && b.is === 'element') return a.of === b.of
  if (a.is === 'process' && b.is === 'process') return a.of === b.of
  if (a.is === 'function' && b.is === 'function') return a.params === b.params && sameType(a.result, b.result)
  return true
}

/** Undefined where the keys are not known. */
export const entriesOf = (type: Type): EntryTypes | undefined => (type.is === 'dict' || type.is === 'any' ? type.entries : undefined)

/** Whether both know the same keys with the same types, or neither knows any. */
function isSameRecord(a: Type, b: Type): boolean {
  const [one, other] = [entriesOf(a), entriesOf(b)]
  if (one === other || !one || !other) return one === other
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every(key => Object.hasOwn(other, key) && sameType(one[key]!, other[key]!))
}

/** The same without knowing its keys. */
const plain = (type: Type): Type => (entriesOf(type) === undefined ? type : type.is === 'dict' ? dictOf(type.key, type.value) : any)

/** The type a value has once it is kept: a query result becomes a list. */
export function stored(type: Type): Type {
  return type.is === 'entities' ? listOf(entityOf(type.of, true)) : type
}

/** Short text form, as hovers and messages show it: `list of number`. */
export function typeName(type: Type): string {
  switch (type.is) {
    case 'list':
    case 'set':
      return type.of.is === 'never' ? type.is : `${type.is} of ${typeName(type.of)}`
    case 'tuple':
      return `tuple (${type.of.map(typeName).join(', ')})`
    case 'dict':
      return type.key.is === 'never' ? 'dict' : `dict of ${typeName(type.key)} to ${typeName(type.value)}`
    case 'entities':
      return 'entities'
    case 'any':
      return type.entries ? 'dict of text to any' : 'any'
    case 'none':
      return 'None'
    // What is wrong, or never set, may become anything.
    case 'never':
      return 'any'
    default:
      return type.is
  }
}
