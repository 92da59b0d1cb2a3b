// Keeps the identity of parts across edits. A part of the same element in the same place stays the same object, whatever changed in it, so that
// what is known of it (its symbols, the formulas inferred with them) stays valid.
import type { Element, Id, Model } from '../../model-schema/model.ts'
import type {
  ContainerPart,
  EntityPart,
  FunctionPart,
  MessagePart,
  NetworkPart,
  Parts,
  ProcessPart,
  SpacePart,
  StatisticPart,
  VariablePart,
} from './parts.ts'
import type { ChainPart, ContractPart } from '../chain/parts.ts'

/** The part as it was before, filled with what was made; else what was made. */
export const again = <T extends object>(known: T | undefined, made: T): T => (known ? Object.assign(known, made) : made)

class Shelf<T extends { element: Element }> {
  #before = new Map<string, T>()
  #now = new Map<string, T>()

  /** The part known by this key, filled with what was made; else what was made. */
  keep(key: string, made: T): T {
    const part = again(this.before(key), made)
    this.#now.set(key, part)
    return part
  }

  /** What was kept in the last reading, and not in this one. */
  before(key: string): T | undefined {
    return this.#now.has(key) ? undefined : this.#before.get(key)
  }

  /** The part as it was when its element is what it was: nothing else makes it. */
  renew(element: Element, make: () => T): T {
    const known = this.before(element.id)
    if (known?.element !== element) return this.keep(element.id, make())
    this.#now.set(element.id, known)
    return known
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

type ByKind = ReadonlyMap<string, readonly Element[]>
type OfCanvas = { readonly canvas: Element; readonly byKind: ByKind }

/** What a population had, and why. */
type Members = Pick<EntityPart, 'element' | 'base' | 'variables' | 'observed' | 'containers' | 'functions' | 'processes'>

export function childrenOf(model: Model, element: Element): Element[] {
  const found: Element[] = []
  for (const id of element.children) {
    const child = model.elements.get(id)
    if (child) found.push(child)
  }
  return found
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
  readonly networks = new Shelf<NetworkPart>()
  readonly chains = new Shelf<ChainPart>()
  readonly contracts = new Shelf<ContractPart>()
  readonly statistics = new Shelf<StatisticPart>()
  readonly processes = new Shelf<ProcessPart>()
  readonly tags = new Shelf<Parts['tags'][number]>()
  /** Populations with nothing changed on their canvases and on those of all they inherit from; with their parts. */
  readonly settled = new Map<EntityPart, Members>()
  readonly #old = new Map<EntityPart, Members>()
  #canvasesBefore: ReadonlyMap<Id, OfCanvas> = new Map()
  #canvases = new Map<Id, OfCanvas>()

  /** The population of this element, with what it had before put aside. */
  entity(made: EntityPart): EntityPart {
    const known = this.entities.before(made.id)
    if (!known) return this.entities.keep(made.id, made)
    const { element, base, variables, observed, containers, functions, processes } = known
    const old = { element, base, variables, observed, containers, functions, processes }
    const entity = this.entities.keep(made.id, made)
    this.#old.set(entity, old)
    return entity
  }

  /** Finds the settled ones, once all know what they inherit from. */
  settle(entities: readonly EntityPart[]): void {
    const { stirred } = this
    if (!stirred) return
    for (const entity of entities) {
      const old = this.#old.get(entity)
      let isSettled = old !== undefined
      for (let at: EntityPart | null = entity; at && isSettled; at = at.base) {
        const was = this.#old.get(at)
        isSettled = was?.element === at.element && was.base === at.base && !stirred.has(at.id)
      }
      if (old && isSettled) this.settled.set(entity, old)
    }
  }

  /** What the population had. */
  membersOf(entity: EntityPart): Members | undefined {
    return this.#old.get(entity)
  }

  /** The elements on a canvas by their kinds. */
  on(canvas: Element, model: Model): ByKind {
    let found = this.#canvases.get(canvas.id)
    if (found?.canvas === canvas) return found.byKind
    if (this.stirred && !this.stirred.has(canvas.id)) found = this.#canvasesBefore.get(canvas.id)
    if (found?.canvas !== canvas) found = { canvas, byKind: Map.groupBy(childrenOf(model, canvas), child => child.kind) }
    this.#canvases.set(canvas.id, found)
    return found.byKind
  }

  /** Elements on these canvases were replaced. */
  forget(canvases: ReadonlySet<Id | null>): void {
    for (const id of canvases) if (id !== null) this.#canvases.delete(id)
  }

  turn(): void {
    this.settled.clear()
    this.#old.clear()
    this.#canvasesBefore = this.#canvases
    this.#canvases = new Map()
    this.spaces.turn()
    this.entities.turn()
    this.variables.turn()
    this.containers.turn()
    this.functions.turn()
    this.messages.turn()
    this.networks.turn()
    this.chains.turn()
    this.contracts.turn()
    this.statistics.turn()
    this.processes.turn()
    this.tags.turn()
  }
}
