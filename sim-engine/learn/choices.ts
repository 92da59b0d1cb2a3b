// The ranges that rows of a Decide step give, and how many combinations of whole-number actions there are.
import { fieldOf, kindOf } from '../../model-schema/kinds.ts'
import type { Element } from '../../model-schema/model.ts'
import { rowsOf } from '../check/resolve.ts'

/** The range of one action, or of one observation. */
export type Bound = { readonly low: number; readonly high: number; readonly whole: boolean }

/** Most combinations of actions that are distinguished. */
const mostChoices = 4096

const numberIn = (value: unknown, otherwise: number): number => (typeof value === 'number' && Number.isFinite(value) ? value : otherwise)

/** The ranges in a table of a Decide step. */
export function boundsOf(element: Element, table: 'observation' | 'actions'): Bound[] {
  const kind = kindOf('decide')
  const type = kind && fieldOf(kind, table)?.type
  const initial = (column: string): unknown => (type?.as === 'rows' ? type.columns.find(({ id }) => id === column)?.initial : undefined)
  return rowsOf(element, table).map(row => ({
    low: numberIn(row['low'], Number(initial('low') ?? 0)),
    high: numberIn(row['high'], Number(initial('high') ?? 1)),
    whole: row['whole'] !== false,
  }))
}

/** Whether an action may have a value. */
export const isWithin = ({ low, high, whole }: Bound, value: number): boolean =>
  value >= low && value <= high && (!whole || Number.isInteger(value))

/** How many combinations of actions there are; 0 when some action is no whole number, or there are more than `mostChoices`. */
export function choicesOf(actions: readonly Bound[]): number {
  const combinations = actions.reduce((count, { low, high }) => count * Math.max(1, Math.floor(high) - Math.ceil(low) + 1), 1)
  return actions.length > 0 && actions.every(({ whole }) => whole) && combinations <= mostChoices ? combinations : 0
}

/** The values of a combination of actions by its number: the last action changes quickest. */
export function valuesOf(actions: readonly Bound[], choice: number): number[] {
  if (actions.length === 1) return [Math.ceil(actions[0]!.low) + choice]
  const values: number[] = []
  let rest = choice
  for (let k = actions.length - 1; k >= 0; k--) {
    const { low, high } = actions[k]!
    const [first, count] = [Math.ceil(low), Math.max(1, Math.floor(high) - Math.ceil(low) + 1)]
    values.unshift(first + (rest % count))
    rest = Math.floor(rest / count)
  }
  return values
}

/** Actions in turn as they are written: numbers, or lists of a number for each action; null: it is not that. */
export function readScript(text: string, actions: number): number[][] | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(`[${text}]`)
  } catch {
    return null
  }
  if (!Array.isArray(parsed) || parsed.length === 0) return null
  const script = parsed.map((one: unknown): unknown[] => (Array.isArray(one) ? one : [one]))
  const isNumbers = (one: readonly unknown[]): one is number[] =>
    one.length === actions && one.every(value => typeof value === 'number' && Number.isFinite(value))
  return script.every(isNumbers) ? script : null
}
