// Containers as their elements describe them.
import { FormulaDict } from '../formula/runtime/values.ts'
import { RunError } from '../problems.ts'
import type { ContainerPlan } from '../world/container.ts'
import { toNumber } from './surface/numbers.ts'

/** What a container's element says, with its amounts. */
export function containerPlan(element: { id: string; fields: Readonly<Record<string, unknown>> }, name: string): ContainerPlan {
  const { contents, reusable, negative, order, strict, offShift } = element.fields
  return {
    id: element.id,
    name,
    contents: contents === 'keyed' || contents === 'items' ? contents : 'amount',
    reusable: reusable === true,
    negative: negative === true && reusable !== true,
    order: order === 'fifo' || order === 'lifo' ? order : 'priority',
    strict: strict === true,
    offShift: offShift === 'suspend' ? 'suspend' : 'finish',
  }
}

/** What is in a container at first: a number, amounts by key, or a list. Of a reusable one: its units. */
export function contentsOf(plan: ContainerPlan, value: unknown): number | Map<string, number> | readonly unknown[] {
  if (plan.contents === 'amount') return value === null ? 0 : toNumber(value)
  if (plan.contents === 'items') {
    if (Array.isArray(value)) return value
    if (isNothing(value)) return []
    throw new RunError(10010)
  }
  if (value instanceof FormulaDict) return byKey(value)
  if (isNothing(value)) return new Map()
  throw new RunError(10011)
}

/** Blank: no limit; of reusable amounts as many as there are. A number holds for each key. */
export function capacityOf(plan: ContainerPlan, value: unknown, initial: unknown): number | Map<string, number> {
  if (value instanceof FormulaDict && plan.contents === 'keyed') return byKey(value)
  if (value !== null) return toNumber(value)
  if (!plan.reusable || plan.contents === 'keyed') return Infinity
  return plan.contents === 'items' ? (Array.isArray(initial) ? initial.length : 0) : toNumber(initial ?? 0)
}

// The default of the field is 0.
const isNothing = (value: unknown): boolean => value === null || value === 0
const byKey = (dict: FormulaDict): Map<string, number> =>
  new Map(dict.items().map(({ items: [key, amount] }) => [String(key), toNumber(amount)]))
