// Parts found again after an edit. A part of the same element in the same place stays the same object, whatever changed
// in it, so that what is known of it (its symbols, the formulas inferred with them) need not be found out again.
import type { Id } from '../../model-schema/model.ts'
import type {
  ContainerPart,
  EntityPart,
  FunctionPart,
  MessagePart,
  Parts,
  ProcessPart,
  SpacePart,
  StatisticPart,
  StepPart,
  VariablePart,
} from './parts.ts'

class Shelf<T extends object> {
  #before = new Map<string, T>()
  #now = new Map<string, T>()

  /** The part known by this key, filled with what was made; else what was made. */
  keep(key: string, made: T): T {
    const known = this.#before.get(key)
    const part = known && !this.#now.has(key) ? Object.assign(known, made) : made
    this.#now.set(key, part)
    return part
  }

  /** What was kept in the last reading. */
  before(key: string): T | undefined {
    return this.#before.get(key)
  }

  /** Keeps the part as it is. */
  hold(key: string, part: T): void {
    this.#now.set(key, part)
  }

  /** A new reading begins: parts not kept in the last one are forgotten. */
  turn(): void {
    this.#before = this.#now
    this.#now = new Map()
  }
}

export class KeptParts {
  /** The canvases on which something is not what it was in the last reading; null when that is not known. */
  stirred: ReadonlySet<Id | null> | null = null
  readonly spaces = new Shelf<SpacePart>()
  readonly entities = new Shelf<EntityPart>()
  readonly variables = new Shelf<VariablePart>()
  readonly containers = new Shelf<ContainerPart>()
  readonly functions = new Shelf<FunctionPart>()
  readonly messages = new Shelf<MessagePart>()
  readonly statistics = new Shelf<StatisticPart>()
  readonly processes = new Shelf<ProcessPart>()
  readonly steps = new Shelf<StepPart>()
  readonly tags = new Shelf<Parts['tags'][number]>()

  turn(): void {
    this.spaces.turn()
    this.entities.turn()
    this.variables.turn()
    this.containers.turn()
    this.functions.turn()
    this.messages.turn()
    this.statistics.turn()
    this.processes.turn()
    this.steps.turn()
    this.tags.turn()
  }
}
