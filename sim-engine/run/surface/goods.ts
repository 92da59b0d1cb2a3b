// What containers hold, take and give.
import { FormulaDict, FormulaRange, FormulaSet, Tuple } from '../../formula/runtime/values.ts'
import type { Container } from '../../world/container.ts'
import type { Population } from '../../world/population.ts'
import type { World } from '../../world/world.ts'
import { fail } from './numbers.ts'
import { refOf } from './refs.ts'
import { valueCalls } from './values.ts'

export const goodsCalls = (world: World) => ({
  byKey(container: Container, what: 'level' | 'inUse' | 'capacity'): FormulaDict {
    const made = new FormulaDict()
    for (const key of container.keys()) made.set(key, container[what](key))
    return made
  },
  /** What a store of items takes or gives: so many, this one, or these. */
  goods(population: Population | null, value: unknown): { amount: number; items?: readonly unknown[] } {
    if (typeof value === 'number' && !population) return { amount: value }
    if (value === null) return fail(10014)
    const items =
      population && typeof value === 'number' ? [refOf(world, population, value)] : isListed(value) ? valueCalls.listed(value) : [value]
    return { amount: items.length, items }
  },
})

const isListed = (value: unknown): boolean =>
  Array.isArray(value) || value instanceof Tuple || value instanceof FormulaSet || value instanceof FormulaRange
