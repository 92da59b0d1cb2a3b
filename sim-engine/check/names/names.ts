// Which names the parts of a model give, and which of them came to mean something else: only formulas with these are looked
// at again after an edit.
import { faceOf } from '../../chain/parts.ts'
import type { EntityPart, Parts } from '../parts.ts'
import { isSameList } from '../rows.ts'

type Part = { readonly id: string; readonly name: string }

/** Names in the order in which they are given, the part of each, and what its symbol is made from besides. */
export class Names {
  readonly #names: string[] = []
  readonly #parts: Part[] = []
  readonly #as: unknown[] = []

  add(part: Part, as: unknown): void {
    this.#names.push(part.name)
    this.#parts.push(part)
    this.#as.push(as)
  }

  /** Adds to `changed` the names with another meaning than before, and their parts as `mentionOf` writes them; false when all have. */
  compare(before: Names, changed: Set<string>): boolean {
    const [length, other] = [this.#names.length, before.#names.length]
    const isSame = (i: number, j: number): boolean =>
      this.#parts[i] === before.#parts[j] && this.#names[i] === before.#names[j] && this.#as[i] === before.#as[j]
    let start = 0
    while (start < length && start < other && isSame(start, start)) start++
    if (start === length && start === other) return false
    let end = 0
    while (start + end < length && start + end < other && isSame(length - 1 - end, other - 1 - end)) end++
    const [old, fresh] = [before.#byName(start, other - end), this.#byName(start, length - end)]
    for (const [some, others] of [
      [old, fresh],
      [fresh, old],
    ] as const)
      for (const [name, { parts, as }] of some) {
        const same = others.get(name)
        if (same && isSameList(parts, same.parts) && isSameList(as, same.as)) continue
        changed.add(name)
        for (const { id } of parts) changed.add(mentionOf(id))
      }
    return true
  }

  #byName(from: number, to: number): Map<string, { parts: Part[]; as: unknown[] }> {
    const found = new Map<string, { parts: Part[]; as: unknown[] }>()
    for (let i = from; i < to; i++) {
      const [name, part] = [this.#names[i]!, this.#parts[i]!]
      let known = found.get(name)
      if (!known) found.set(name, (known = { parts: [], as: [] }))
      known.parts.push(part)
      known.as.push(this.#as[i])
    }
    return found
  }
}

/** How an element that is meant without its name is distinguished from names. */
export const mentionOf = (id: string): string => `#${id}`

/** The names of each population and, under null, of the model; but for the temporaries and steps of processes. */
export function namesOf(parts: Parts): Map<EntityPart | null, Names> {
  const ofModel = new Names()
  const names = new Map<EntityPart | null, Names>([[null, ofModel]])
  for (const entity of parts.entities) {
    ofModel.add(entity, entity.derived.length > 0)
    const own = new Names()
    names.set(entity, own)
    for (const variable of entity.variables) own.add(variable, variable.public)
    for (const variable of entity.observed) own.add(variable, '')
    for (const container of entity.containers) own.add(container, container.element)
    for (const list of [entity.functions, entity.processes]) for (const part of list) own.add(part, part.level)
  }
  for (const list of [parts.messages, parts.networks, parts.chains, parts.contracts, parts.tags, parts.spaces])
    for (const part of list) ofModel.add(part, part.element)
  for (const part of parts.statistics) (part.entity ? names.get(part.entity) : ofModel)?.add(part, '')
  for (const part of parts.globals) ofModel.add(part, '')
  for (const part of parts.containers) if (part.level === 'global') ofModel.add(part, part.element)
  for (const list of [parts.functions, parts.processes]) for (const part of list) if (part.level === 'global') ofModel.add(part, '')
  return names
}

/** What built-in names are made from, and the names behind a dot. */
export function headsOf({ entities, spaces, chains, contracts }: Parts): unknown[] {
  const heads: unknown[] = []
  for (const entity of entities) {
    const { kind, form, order, base, derived, space, source, target } = entity
    heads.push(entity, kind, form, order, base, derived.length, space)
    heads.push(source, source?.derived.length, target, target?.derived.length)
  }
  for (const space of spaces) heads.push(space, space.element, space.cells)
  if (chains.length > 0) heads.push(...chains, ...entities.map(({ element }) => element.fields['chain']))
  for (const contract of contracts) heads.push(contract, faceOf(contract))
  return heads
}
