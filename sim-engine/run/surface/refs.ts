// Individuals by reference.
import { Ref } from '../../formula/runtime/values.ts'
import type { Population } from '../../world/population.ts'
import type { World } from '../../world/world.ts'
import { fail } from './numbers.ts'

/** A reference to a living individual; error 10014 when it is none. */
export const refOf = (world: World, population: Population, handle: number): Ref => world.ref(population, handle) ?? fail(10014)

/** The population of a reference; 10012 where it is none of this world. */
export const populationOf = (world: World, ref: Ref): Population => world.populations.find(one => one === ref.population) ?? fail(10012)
