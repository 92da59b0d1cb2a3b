// Values of the language that JavaScript doesn't have: tuples, sets and dicts by value, ranges, dates, entity references.

/** What the formula language needs to know of a population: the element's id and the name people see. */
export type Population = { readonly id: string; readonly name: string }

/** An entity as a value of unknown population. Interned by the world: equal entities are the same object. */
export class Ref {
  readonly population: Population
  readonly handle: number
  constructor(population: Population, handle: number) {
    this.population = population
    this.handle = handle
  }
}

/** Immutable sequence. `items` is never written after construction. */
export class Tuple {
  readonly items: readonly unknown[]
  constructor(items: readonly unknown[]) {
    this.items = items
  }
}

/** A point of the model calendar: milliseconds since 1970-01-01T00:00, without time zones. */
export class FormulaDate {
  readonly ms: number
  constructor(ms: number) {
    this.ms = ms
  }
}
