// The world: everything that changes in a run, in one place, so that a snapshot is `save()` and a hash is over it. It is
// also what generated code calls `W` (the contract is formula/runtime/world.ts; see there for what each function means).
import type { Stream } from '../kernel/random.ts'
import type { Calendar } from '../kernel/calendar.ts'
import type { State } from '../kernel/snapshot.ts'
import type { World as FormulaWorld } from '../formula/runtime/world.ts'
import type { Containers, Told } from './container.ts'
import type { LinkPlan, Links } from './links.ts'
import type { Mail } from './mail.ts'
import type { Kind, Population } from './population.ts'
import type { Residents, Space, SpacePlan } from './space.ts'

/** What the engine adds to the world. */
export type Hooks = Told & {
  /** A waiting token gets the payload of the message it waited for. */
  deliver(token: number, payload: unknown): void
  /** An individual is about to die: end its tokens. Called while it still lives. */
  dying(population: Population, handle: number): void
  /** `create` of a formula: initial values and birth starts. Called when the columns are at their initial values. */
  born(population: Population, handle: number): void
  print(line: string): void
}

export declare class World implements FormulaWorld {
  readonly seed: number
  readonly run: number
  time: number
  tick: number
  readonly calendar: Calendar
  readonly containers: Containers
  readonly mail: Mail
  readonly populations: Population[]
  readonly spaces: Space[]
  readonly links: Links[]
  constructor(options: { seed: number; run: number; hooks: Hooks; epoch?: { ms: number; msPerTick: number } })
  addPopulation(id: string, name: string, kind: Kind): Population
  /** Populations of kind 'link'. */
  addLinks(population: Population, plan: LinkPlan): Links
  addSpace(plan: SpacePlan): Space
  population(index: number): Population
  space(index: number): Space
  /** The stream of a component, made on first use. */
  stream(component: string): Stream
  residents(population: Population): Residents | null
  linksOf(population: Population): Links
  /** Any other state that must be saved and restored with the world: global variables, token tables. */
  keep(name: string, part: { save(): State; load(state: State): void }): void
  /** Drops the dead from all orders; newborns may act from now on. Once at the start of each instant, outside all loops. */
  settle(): void
  save(): State
  load(state: State): void
  /** Over the whole state. */
  hash(): string
}
