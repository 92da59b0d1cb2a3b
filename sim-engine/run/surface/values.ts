// Values: making, copying and reading them.
import { FormulaDict, FormulaRange, FormulaSet, Ref, Tuple } from '../../formula/runtime/values.ts'
import { below, uniform } from '../../kernel/random.ts'
import type { Stream } from '../../kernel/random.ts'
import { fail, toGap, toNumber, toWhole } from './numbers.ts'

/** Most items a for-each goes through: as many steps as one instant may have. */
const mostItems = 1_000_000

export const valueCalls = {
  uniform,
  below: (stream: Stream, n: number): number => below(stream, n),
  fail,
  number: toNumber,
  whole: toWhole,
  gap: toGap,
  tuple: (items: readonly unknown[]) => new Tuple(items),
  emptySet: () => new FormulaSet(),
  emptyDict: () => new FormulaDict(),
  hasKey: (payload: unknown, key: string) => payload instanceof FormulaDict && payload.has(key),
  getKey: (payload: unknown, key: string) => (payload instanceof FormulaDict ? (payload.get(key) ?? null) : null),
  /** A dict from keys and values in turn. */
  payload(flat: readonly unknown[]): FormulaDict {
    const made = new FormulaDict()
    for (let k = 0; k + 1 < flat.length; k += 2) made.set(flat[k], flat[k + 1])
    return made
  },
  /** A value of a payload, if it is of the sort that its message declares, or none. */
  sort(value: unknown, sort: 'number' | 'text' | 'boolean' | 'entity'): unknown {
    const found = value instanceof Ref ? 'entity' : typeof value === 'string' ? 'text' : typeof value
    return value === null || found === sort ? value : fail(10064)
  },
  append: (list: unknown, value: unknown) => (Array.isArray(list) ? [...list, value] : [value]),
  copyOf(value: unknown): unknown {
    if (Array.isArray(value)) return [...value]
    if (value instanceof FormulaSet) return FormulaSet.of(value.items())
    if (value instanceof FormulaDict) {
      const made = new FormulaDict()
      for (const key of value.keys()) made.set(key, value.get(key))
      return made
    }
    return value
  },
  listed(value: unknown): readonly unknown[] {
    if (Array.isArray(value)) return value
    if (value instanceof Tuple) return value.items
    if (value instanceof FormulaSet) return value.items()
    if (value instanceof FormulaDict) return value.keys()
    if (value instanceof FormulaRange)
      return value.length > mostItems ? fail(10034) : Array.from({ length: value.length }, (_, k) => value.start + k * value.step)
    return fail(10010)
  },
  weight(value: unknown): number {
    const weight = toNumber(value)
    return weight >= 0 && weight < Infinity ? weight : fail(10021)
  },
  ratio(value: unknown): number {
    const ratio = toNumber(value)
    return ratio >= 0 && ratio <= 1 ? ratio : fail(10021)
  },
}
