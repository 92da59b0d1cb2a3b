// The containers of each part of the model, and the schedules their capacities follow.
import type { ContainerPart } from '../../check/parts.ts'
import type { State } from '../../kernel/snapshot.ts'
import { RunError } from '../../problems.ts'
import type { Place } from '../../problems.ts'
import type { Container, Schedule } from '../../world/container.ts'
import type { World } from '../../world/world.ts'
import { capacityOf, containerPlan, contentsOf } from '../stock.ts'
import { numbersOf } from '../tokens/tokens.ts'

export class ContainerSets {
  /** By part; those of individuals by the slot of their owner. */
  readonly sets: Container[][]
  readonly #schedules: Schedule[] = []
  readonly #parts: readonly ContainerPart[]
  readonly #world: World

  constructor(parts: readonly ContainerPart[], world: World) {
    this.#parts = parts
    this.#world = world
    this.sets = parts.map(() => [])
  }

  create(index: number, initial: unknown, capacity: unknown): Container {
    const part = this.#parts[index]!
    const plan = containerPlan(part.element, part.name)
    const made = located({ id: part.id, field: 'initial' }, () =>
      this.#world.containers.create(plan, contentsOf(plan, initial), capacityOf(plan, capacity, initial)),
    )
    if (part.level !== 'individual') this.sets[index]!.push(made)
    const schedule = this.#schedules[index]
    if (schedule) this.#begin(made, schedule)
    return made
  }

  /** Destroys what an individual of this population had. */
  destroyOf(population: number, slot: number): void {
    for (const part of this.#parts)
      if (part.level === 'individual' && part.entity?.index === population) {
        const set = this.sets[part.index]!
        const container = set[slot]
        if (!container) continue
        delete set[slot]
        this.#world.containers.destroy(container)
      }
  }

  of(index: number): Container[] {
    return this.sets[index]!.filter(one => one !== undefined)
  }

  /** All containers of a part, also those made later, have this capacity schedule. */
  follow(index: number, schedule: Schedule): void {
    this.#schedules[index] = schedule
    for (const container of this.sets[index]!) if (container) this.#begin(container, schedule)
  }

  /** A row of a schedule begins: the new capacity. Returns the time of the next row. */
  shift(index: number): number {
    const schedule = this.#schedules[index]!
    const capacity = schedule.at(this.#world.time)
    if (capacity !== null) for (const container of this.sets[index]!) if (container) this.#world.containers.shift(container, capacity)
    return schedule.after(this.#world.time)
  }

  save(): State {
    return this.sets.map(set => Array.from(set, one => one?.index ?? -1))
  }

  load(saved: readonly State[]): void {
    saved.forEach((indexes, k) => {
      const set = this.sets[k]!
      set.length = 0
      for (const [at, index] of numbersOf(indexes).entries()) if (index >= 0) set[at] = this.#world.containers.at(index)
    })
  }

  /** What is asked for may come with a later row; what no row offers never will. */
  #begin(container: Container, schedule: Schedule): void {
    const capacity = schedule.at(this.#world.time)
    if (capacity !== null) this.#world.containers.shift(container, capacity)
    container.highest = schedule.highest
  }
}

/** Makes something; what goes wrong in it is a fault of this field. */
function located<T>(at: Place, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof RunError) error.at ??= at
    throw error
  }
}
