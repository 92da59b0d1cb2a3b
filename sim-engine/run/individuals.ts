// Individuals as views see them, in a paused or a running run: the properties of one, or a stretch of a population in some order.
import type { EntityPart } from '../check/parts.ts'
import type { Listing, ListAsk, Plain } from '../messages.ts'
import type { Population } from '../world/population.ts'
import type { World } from '../world/world.ts'
import { plain } from './statistics.ts'

type Reader = { readonly name: string; read(slot: number): Plain }

/** The properties of an entity's individuals, in the order people see them. */
export function readersOf(world: World, entity: EntityPart, population: Population): Reader[] {
  const readers: Reader[] = [{ name: 'id', read: slot => population.ids[slot] ?? null }]
  const residents = world.residents(population)
  if (residents) {
    const placed = (name: string, column: () => ArrayLike<number>): void =>
      void readers.push({ name, read: slot => (residents.bucket[slot]! >= 0 ? column()[slot]! : null) })
    placed('x', () => residents.x)
    placed('y', () => residents.y)
    if (residents.space.is3D) placed('z', () => residents.z)
    placed('heading', () => residents.heading)
  }
  for (const { index, name, storage, type } of entity.variables) {
    const column = population.columns.get(`v${index}`)
    if (!column) continue
    if (storage === 'bool') readers.push({ name, read: slot => column.data[slot] !== 0 })
    else if (column.type === 'word') readers.push({ name, read: slot => world.words.texts[column.data[slot]!] ?? null })
    else if (storage === 'entity' && type.is === 'entity') {
      const other = world.populations.find(one => one.id === type.of)
      const read = (slot: number): Plain => {
        const value = column.data[slot]
        return other && typeof value === 'number' && other.isAlive(value) ? `${other.name} ${other.ids[value & 0xffffff]}` : null
      }
      readers.push({ name, read })
    } else readers.push({ name, read: slot => plain(column.data[slot]) })
  }
  return readers
}

/** Properties of one individual, without those of a place when it has none; null when it is dead. */
export function individualOf(readers: readonly Reader[], population: Population, handle: number): Record<string, Plain> | null {
  if (!population.isAlive(handle)) return null
  const slot = handle & 0xffffff
  const values: Record<string, Plain> = {}
  for (const { name, read } of readers) {
    const value = read(slot)
    if (value !== null || !places.has(name)) values[name] = value
  }
  return values
}

const places = new Set(['x', 'y', 'z', 'heading'])

/** Those that live, in birth order or by a property, as far as they were asked for. */
export function listed(readers: readonly Reader[], population: Population, { by, descending, from, count }: ListAsk): Listing {
  const slots: number[] = []
  for (let i = 0; i < population.livingCount; i++) {
    const slot = population.living[i]!
    if (population.handles[slot]! >= 0) slots.push(slot)
  }
  const key = readers.find(reader => reader.name === by)
  if (key) {
    const keys = new Map(slots.map(slot => [slot, key.read(slot)]))
    const turn = descending ? -1 : 1
    slots.sort((a, b) => compared(keys.get(a) ?? null, keys.get(b) ?? null, turn))
  } else if (descending) slots.reverse()
  const first = Math.max(0, Math.min(from, slots.length - count))
  const shown = slots.slice(first, first + count)
  return {
    population: population.id,
    total: slots.length,
    columns: readers.map(reader => reader.name),
    from: first,
    entities: shown.map(slot => population.handles[slot]!),
    rows: shown.map(slot => readers.map(reader => reader.read(slot))),
  }
}

/** Numbers by size, everything else by its text; what has no value comes last, whichever way. */
function compared(a: Plain, b: Plain, turn: number): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  if (typeof a === 'number' && typeof b === 'number') {
    // NaN is no number to be sorted by.
    if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
    return (a - b) * turn
  }
  const [left, right] = [textOf(a), textOf(b)]
  return (left < right ? -1 : left > right ? 1 : 0) * turn
}

const textOf = (value: Plain): string => (typeof value === 'string' ? value : JSON.stringify(value))
