// Places in spaces, and directions.
import { Ref, Tuple } from '../../formula/runtime/values.ts'
import { Lent } from '../lent.ts'
import { tally } from '../tally.ts'
import type { Population } from '../../world/population.ts'
import type { Residents, Space } from '../../world/space.ts'
import type { World } from '../../world/world.ts'
import { fail, toNumber } from './numbers.ts'
import { populationOf } from './refs.ts'

const coordinates = (value: unknown): readonly number[] => {
  const items = value instanceof Tuple ? value.items : Array.isArray(value) ? value : fail(10010)
  if (items.length < 2 || items.length > 3) return fail(10027)
  return items.map(toNumber)
}

export function placeCalls(world: World) {
  const positionOf = (population: Population, handle: number): { x: number; y: number; z: number } => {
    const slot = population.slotOf(handle)
    const residents = world.residents(population)
    if (residents) {
      if (residents.bucket[slot]! < 0) return fail(10062)
      return { x: residents.x[slot]!, y: residents.y[slot]!, z: residents.z[slot] ?? 0 }
    }
    const space = world.spaces.find(one => one.cells === population)
    if (!space) return fail(10062)
    return { x: space.cellX(slot), y: space.cellY(slot), z: space.cellZ(slot) }
  }
  const placeWith = (space: Space, who: Residents, slot: number, population: Population, handle: number): void => {
    if (handle < 0) fail(10014)
    const { x, y, z } = positionOf(population, handle)
    space.place(who, slot, x, y, z)
  }
  return {
    placeWith,
    placeAt(space: Space, who: Residents, slot: number, value: unknown): void {
      if (value instanceof Ref && populationOf(world, value) === space.cells) space.placeOnCell(who, slot, value.handle)
      else if (value instanceof Ref) placeWith(space, who, slot, populationOf(world, value), value.handle)
      else if (value === null) fail(10014)
      else {
        const [x, y, z] = coordinates(value)
        space.place(who, slot, x!, y!, z ?? 0)
      }
    },
    placeBeside(space: Space, who: Residents, slot: number, mother: Residents, at: number): void {
      if (mother.bucket[at]! < 0) return
      if (space.isDiscrete) space.placeOnCell(who, slot, mother.bucket[at]!)
      else space.place(who, slot, mother.x[at]!, mother.y[at]!, mother.z[at] ?? 0)
    },
    translate(space: Space, who: Residents, slot: number, value: unknown): void {
      const [dx, dy, dz] = coordinates(value)
      space.translate(who, slot, dx!, dy!, dz ?? 0)
    },
    face(space: Space, who: Residents, slot: number, value: unknown): void {
      if (value === null) fail(10014)
      if (value instanceof Ref) {
        const { x, y } = positionOf(populationOf(world, value), value.handle)
        space.faceXY(who, slot, x, y)
      } else {
        const [x, y] = coordinates(value)
        space.faceXY(who, slot, x!, y!)
      }
    },
    faceEntity(space: Space, who: Residents, slot: number, population: Population, handle: number): void {
      const { x, y } = positionOf(population, handle)
      space.faceXY(who, slot, x, y)
    },
    appear(population: Population, slot: number, name: string, value: unknown): void {
      const column = population.columns.get(name)
      if (!column) return
      if (column.type === 'any') column.data[slot] = value
      else column.data[slot] = toNumber(value)
    },
    lend: (...given: ConstructorParameters<typeof Lent>) => new Lent(...given),
    tally,
    keys: (population: Population): Float64Array => new Float64Array(population.capacity),
  }
}
