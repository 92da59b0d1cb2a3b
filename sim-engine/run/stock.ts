// Containers as their elements describe them.
import { FormulaDict } from '../formula/runtime/values.ts'
import { RunError } from '../problems.ts'
import type { ContainerPlan } from '../world/container.ts'
import { toNumber } from './surface.ts'

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

/** Initial amount as a container takes it: a number, amounts by key, or a list. */
export function amountOf(plan: ContainerPlan, value: unknown, blank: number): number | Map<string, number> | readonly unknown[] {
  if (plan.contents === 'items') return Array.isArray(value) ? value : value === null ? [] : toNumber(value) === 0 ? [] : fail10010()
  if (plan.contents === 'keyed')
    return value instanceof FormulaDict
      ? new Map(value.items().map(({ items: [key, amount] }) => [String(key), toNumber(amount)]))
      : new Map()
  return value === null ? blank : toNumber(value)
}

const fail10010 = (): never => {
  throw new RunError(10010)
}
