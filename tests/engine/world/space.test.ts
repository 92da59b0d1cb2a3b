import { describe, expect, it } from 'vitest'
import { below, stream, uniform, type Stream } from '../../../sim-engine/kernel/random.ts'
import { Population } from '../../../sim-engine/world/population.ts'
import { Space, type Residents, type SpacePlan } from '../../../sim-engine/world/space.ts'

const codeOf = (act: () => unknown): number => {
  try {
    act()
  } catch (error) {
    return error instanceof Error && 'code' in error ? Number(error.code) : -1
  }
  return 0
}

const plan = (more: Partial<SpacePlan>): SpacePlan => ({
  id: 's',
  name: 'Space',
  topology: 'discrete',
  min: [0, 0],
  max: [9, 6],
  wrapX: false,
  wrapY: false,
  border: 'stop',
  ...more,
})

const populated = (more: Partial<SpacePlan>, n: number, random: Stream): { space: Space; who: Residents; population: Population } => {
  const space = new Space(plan(more))
  const population = new Population('p', 'Ant', 0, 'agent')
  const who = space.admit(population)
  for (let i = 0; i < n; i++) space.placeAtRandom(who, population.create(), random)
  return { space, who, population }
}

/** The plans of all laws: wrapping and not, discrete and continuous, 3D, wide and narrow indexes. */
const plans: Partial<SpacePlan>[] = [
  {},
  { wrapX: true, wrapY: true },
  { wrapX: true, min: [-3, 2], max: [4, 11] },
  { topology: 'continuous', max: [10, 7] },
  { topology: 'continuous', max: [10, 7], wrapX: true, wrapY: true, reach: 2 },
  { topology: 'continuous', min: [-5, -5], max: [5, 5.5], wrapY: true, reach: 0.7 },
  { min: [0, 0, 0], max: [5, 4, 3] },
  { topology: 'continuous', min: [0, 0, 0], max: [6, 6, 6], wrapX: true, reach: 1.5 },
]

const squared = (space: Space, who: Residents, slot: number, x: number, y: number, z: number): number => {
  const along = (d: number, width: number, wraps: boolean): number => (wraps ? Math.min(Math.abs(d), width - Math.abs(d)) : Math.abs(d))
  const dx = along(who.x[slot]! - x, space.width, space.wrapX)
  const dy = along(who.y[slot]! - y, space.height, space.wrapY)
  const dz = space.is3D ? who.z[slot]! - z : 0
  return dx * dx + dy * dy + dz * dz
}

describe('space', () => {
  it('finds exactly the individuals within a radius, nearest first, as a plain scan does', () => {
    for (const [k, one] of plans.entries()) {
      const random = stream(k + 1, 0, 'within')
      const { space, who, population } = populated(one, 60, random)
      for (let round = 0; round < 150; round++) {
        const mover = below(random, 60)
        if (round % 3 === 0) space.placeAtRandom(who, mover, random)
        else if (round % 3 === 1) space.translate(who, mover, uniform(random) * 4 - 2, uniform(random) * 4 - 2)
        const self = below(random, 60)
        const [x, y, z] = [who.x[self]!, who.y[self]!, space.is3D ? who.z[self]! : 0]
        const radius = [0, 0.5, 1, 1.5, 2.5, 4, 20][below(random, 7)]!
        const near = Array.from({ length: 60 }, (_, slot) => slot).filter(
          slot => slot !== self && squared(space, who, slot, x, y, z) <= radius * radius + 1e-12,
        )
        const found = space.within(who, x, y, z, radius, self)
        expect([...found].sort((a, b) => a - b)).toEqual(near)
        const distances = found.map(slot => squared(space, who, slot, x, y, z))
        for (let i = 1; i < found.length; i++) {
          expect(distances[i]!).toBeGreaterThanOrEqual(distances[i - 1]! - 1e-12)
          if (distances[i] === distances[i - 1]) expect(population.ids[found[i]!]!).toBeGreaterThan(population.ids[found[i - 1]!]!)
        }
        expect(space.countWithin(who, x, y, z, radius, self)).toBe(near.length)
        expect(space.scan(who, x, y, z, radius, self).sort((a, b) => a - b)).toEqual(near)
        // On the stack: what was gathered before stays.
        const before = space.found.top
        const middle = space.gather(who, x, y, z, radius, self, true)
        const end = space.gather(who, x, y, z, radius / 2, self, false)
        expect([...space.found.slots.subarray(before, middle)]).toEqual(found)
        expect([...space.found.slots.subarray(middle, end)].sort((a, b) => a - b)).toEqual(
          near.filter(slot => squared(space, who, slot, x, y, z) <= (radius * radius) / 4 + 1e-12),
        )
        space.found.top = round % 2 === 0 ? before : 0
        const n = 1 + below(random, 6)
        const nearest = space.nearest(who, x, y, z, n, self)
        expect(nearest.length).toBe(Math.min(n, 59))
        const ranked = Array.from({ length: 60 }, (_, slot) => slot)
          .filter(slot => slot !== self)
          .map(slot => squared(space, who, slot, x, y, z))
          .sort((a, b) => a - b)
        for (const [i, slot] of nearest.entries()) expect(squared(space, who, slot, x, y, z)).toBeCloseTo(ranked[i]!, 10)
      }
    }
  })

  it('finds the same without lists', () => {
    for (const [k, one] of plans.filter(({ topology }) => topology !== 'continuous').entries()) {
      const random = stream(k + 1, 0, 'lists')
      const space = new Space(plan(one))
      const [ants, bees] = ['Ant', 'Bee'].map((name, index) => new Population(name, name, index, 'agent'))
      const [listed, plain] = [space.admit(ants!), space.admit(bees!, false)]
      expect([listed.isListed, plain.isListed, plain.heads.length]).toEqual([true, false, 0])
      for (let i = 0; i < 40; i++) expect(ants!.create()).toBe(bees!.create())
      const sorted = (slots: number[]): number[] => slots.sort((a, b) => a - b)
      for (let round = 0; round < 200; round++) {
        const mover = below(random, 40)
        const cell = below(random, space.grid.size)
        for (const who of [listed, plain]) {
          if (round % 5 === 4) space.remove(who, mover)
          else space.placeOnCell(who, mover, cell)
        }
        expect(plain.placed).toBe(listed.placed)
        const seen = below(random, space.grid.size)
        expect(sorted(space.on(plain, seen))).toEqual(sorted(space.on(listed, seen)))
        const [x, y, z] = [space.cellX(seen), space.cellY(seen), space.is3D ? space.cellZ(seen) : 0]
        expect(space.within(plain, x, y, z, 2, mover)).toEqual(space.within(listed, x, y, z, 2, mover))
        expect(space.countWithin(plain, x, y, z, 3, -1)).toBe(space.countWithin(listed, x, y, z, 3, -1))
      }
      const start = space.found.top
      space.gatherOn(plain, below(random, space.grid.size))
      space.found.top = start
      space.load(space.save())
      expect(plain.behind).toBe(0)
    }
  })

  it('places on the cell of a position where there is one, as cell_at finds it', () => {
    const random = stream(6, 0, 'at')
    const discrete: Partial<SpacePlan>[] = [{}, { wrapX: true }, { min: [-3, 2, 1], max: [4, 11, 3] }]
    for (const more of discrete) {
      const { space, who } = populated(more, 3, random)
      for (let round = 0; round < 300; round++) {
        const [x, y, z] = [uniform(random) * 20 - 6, uniform(random) * 20 - 6, below(random, 5)]
        const [slot, cell] = [below(random, 3), space.cellAt(x, y, z)]
        const old = space.cellOf(who, slot)
        expect(codeOf(() => space.placeOnCellAt(who, slot, x, y, z, 0, 0))).toBe(cell < 0 ? 10060 : 0)
        expect(space.cellOf(who, slot)).toBe(cell < 0 ? old : cell)
        expect(space.cellAt(who.x[slot]!, who.y[slot]!, space.is3D ? who.z[slot]! : 0)).toBe(space.cellOf(who, slot))
      }
    }
  })

  it('keeps the lists of cells, their occupancy and the empty cells', () => {
    const random = stream(5, 0, 'lists')
    const { space, who, population } = populated({ wrapX: true }, 30, random)
    const arrivals = new Map<number, number[]>()
    for (let slot = 0; slot < 30; slot++) {
      const cell = space.cellOf(who, slot)
      arrivals.set(cell, [...(arrivals.get(cell) ?? []), slot])
    }
    for (let round = 0; round < 500; round++) {
      if (round === 100) space.trackEmpty()
      const slot = below(random, 30)
      const old = space.cellOf(who, slot)
      const dice = below(random, 4)
      if (dice === 0) space.remove(who, slot)
      else space.placeOnCell(who, slot, space.randomCell(random))
      const now = space.cellOf(who, slot)
      if (old !== now) {
        if (old >= 0)
          arrivals.set(
            old,
            arrivals.get(old)!.filter(one => one !== slot),
          )
        if (now >= 0) arrivals.set(now, [...(arrivals.get(now) ?? []), slot])
      }
      for (let cell = 0; cell < space.grid.size; cell++) {
        expect(space.on(who, cell)).toEqual(arrivals.get(cell) ?? [])
        space.gatherOn(who, cell)
        expect(space.found.take(0)).toEqual(arrivals.get(cell) ?? [])
        expect(space.occupancy[cell]).toBe((arrivals.get(cell) ?? []).length)
      }
      const empty = [...space.empty.subarray(0, space.emptyCount)].sort((a, b) => a - b)
      if (round >= 100)
        expect(empty).toEqual(
          Array.from({ length: space.grid.size }, (_, cell) => cell).filter(cell => (arrivals.get(cell) ?? []).length === 0),
        )
    }
    expect(population.count).toBe(30)
  })

  it('gives empty cells only, each equally often, and -1 when there is none', () => {
    const random = stream(6, 0, 'empty')
    const { space, who, population } = populated({ max: [3, 1] }, 0, random)
    for (let i = 0; i < 4; i++) space.placeOnCell(who, population.create(), i)
    const counts = new Map<number, number>()
    for (let i = 0; i < 4000; i++) {
      const cell = space.randomEmptyCell(random)
      counts.set(cell, (counts.get(cell) ?? 0) + 1)
    }
    expect([...counts.keys()].sort()).toEqual([4, 5, 6, 7])
    for (const n of counts.values()) expect(Math.abs(n - 1000)).toBeLessThan(120)
    for (let i = 4; i < 8; i++) space.placeOnCell(who, population.create(), i)
    expect(space.randomEmptyCell(random)).toBe(-1)
  })

  it('numbers cells row by row from the lowest corner; each covers [c - .5, c + .5)', () => {
    const { grid } = new Space(plan({ min: [-2, 3], max: [2, 5] }))
    expect([grid.columns, grid.rows, grid.size]).toEqual([5, 3, 15])
    expect(grid.at(-2, 3, 0)).toBe(0)
    expect(grid.at(-1.5, 3.49, 0)).toBe(1)
    expect(grid.at(-1.51, 3.5, 0)).toBe(5)
    expect(grid.at(2.5, 3, 0)).toBe(-1)
    expect(grid.at(NaN, 3, 0)).toBe(-1)
    for (let cell = 0; cell < 15; cell++) expect(grid.at(grid.x(cell), grid.y(cell), 0)).toBe(cell)
    const round = new Space(plan({ topology: 'continuous', min: [0, 0], max: [10, 10], wrapX: true }))
    expect([round.columns, round.rows]).toEqual([10, 11])
    expect(round.cellAt(9.7, 0)).toBe(0)
    expect(round.cellAt(9.7, 9.7)).toBe(100)
  })

  it('lists Moore, von Neumann and round neighbourhoods as a scan over all cells does', () => {
    for (const [k, one] of plans.entries()) {
      const space = new Space(plan(one))
      const { grid } = space
      const random = stream(k, 0, 'cells')
      const apart = (p: number, q: number, count: number, wraps: boolean): number =>
        wraps ? Math.min(Math.abs(p - q), count - Math.abs(p - q)) : Math.abs(p - q)
      for (let round = 0; round < 40; round++) {
        const cell = below(random, grid.size)
        const radius = 1 + below(random, 4)
        for (const shape of ['moore', 'vonNeumann', 'round'] as const) {
          const far = (other: number): number => {
            const x = apart(grid.x(cell), grid.x(other), grid.columns, grid.wrapX)
            const y = apart(grid.y(cell), grid.y(other), grid.rows, grid.wrapY)
            const z = apart(grid.z(cell), grid.z(other), grid.layers, false)
            return shape === 'moore' ? Math.max(x, y, z) : shape === 'vonNeumann' ? x + y + z : Math.sqrt(x * x + y * y + z * z)
          }
          const expected = Array.from({ length: grid.size }, (_, other) => other).filter(other => other !== cell && far(other) <= radius)
          const found = grid.around(cell, shape, radius)
          expect([...found].sort((a, b) => a - b)).toEqual(expected)
          const start = space.found.top
          space.gatherAround(cell, shape, radius)
          expect(space.found.take(start)).toEqual(found)
          if (shape === 'round') for (let i = 1; i < found.length; i++) expect(far(found[i]!)).toBeGreaterThanOrEqual(far(found[i - 1]!))
          const { width, cells, counts } = grid.table(shape, radius)
          expect([...cells.subarray(cell * width, cell * width + counts[cell]!)]).toEqual(found)
        }
      }
    }
    expect(new Space(plan({ wrapX: true, wrapY: true })).table('moore', 1).complete).toBe(true)
    expect(new Space(plan({})).table('moore', 1).complete).toBe(false)
  })

  it('moves along the heading: east 0, north 90, counter-clockwise', () => {
    const { space, who } = populated({ topology: 'continuous', max: [10, 10], border: 'stop' }, 1, stream(1, 0, 'move'))
    const at = (): number[] => [who.x[0]!, who.y[0]!].map(value => Math.round(value * 1e9) / 1e9)
    space.place(who, 0, 5, 5)
    space.forward(who, 0, 2)
    expect(at()).toEqual([7, 5])
    space.turn(who, 0, 90)
    space.forward(who, 0, 1)
    expect(at()).toEqual([7, 6])
    space.forward(who, 0, -2)
    expect(at()).toEqual([7, 4])
    space.turn(who, 0, -135)
    expect(who.heading[0]).toBe(315)
    space.forward(who, 0, Math.SQRT2)
    expect(at()).toEqual([8, 3])
    space.faceXY(who, 0, 8, 10)
    expect(who.heading[0]).toBe(90)
    space.faceXY(who, 0, who.x[0]!, who.y[0]!)
    expect(who.heading[0]).toBe(90)
    space.setHeading(who, 0, -90)
    expect(who.heading[0]).toBe(270)
  })

  it('wraps, stops, reflects or fails at a border', () => {
    const end = (more: Partial<SpacePlan>, from: [number, number], by: [number, number], heading = 0): number[] => {
      const { space, who } = populated({ topology: 'continuous', max: [10, 10], ...more }, 1, stream(1, 0, 'border'))
      space.place(who, 0, ...from)
      space.setHeading(who, 0, heading)
      space.translate(who, 0, ...by)
      return [who.x[0]!, who.y[0]!, who.heading[0]!].map(value => Math.round(value * 1e9) / 1e9)
    }
    expect(end({ wrapX: true }, [9, 5], [3, 0])).toEqual([2, 5, 0])
    expect(end({ wrapX: true, wrapY: true }, [1, 1], [-103, 12])).toEqual([8, 3, 0])
    expect(end({}, [9, 5], [3, -9], 10)).toEqual([10, 0, 10])
    expect(end({ border: 'reflect' }, [9, 5], [3, 0], 30)).toEqual([8, 5, 150])
    expect(end({ border: 'reflect' }, [9, 1], [3, -3], 315)).toEqual([8, 2, 135])
    expect(end({ border: 'reflect' }, [1, 5], [40, 0], 0)).toEqual([1, 5, 0])
    expect(codeOf(() => end({ border: 'error' }, [9, 5], [3, 0]))).toBe(10060)
    expect(end({ topology: 'discrete', max: [9, 9], wrapX: true }, [9, 5], [1, 0])).toEqual([0, 5, 0])
    expect(end({ topology: 'discrete', max: [9, 9] }, [9, 5], [2, 0.4])).toEqual([9, 5, 0])
    expect(end({ topology: 'discrete', max: [9, 9], border: 'reflect' }, [9, 5], [1, 0], 0)).toEqual([9, 5, 180])
  })

  it('stays inside whatever happens, and the index follows', () => {
    for (const [k, one] of plans.entries()) {
      for (const border of ['stop', 'reflect'] as const) {
        const random = stream(k, 1, border)
        const { space, who } = populated({ ...one, border }, 10, random)
        for (let round = 0; round < 300; round++) {
          const slot = below(random, 10)
          space.setHeading(who, slot, uniform(random) * 1000 - 500)
          space.forward(who, slot, (uniform(random) - 0.5) * 60)
          const [x, y] = [who.x[slot]!, who.y[slot]!]
          expect(x >= space.minX && x <= space.maxX && y >= space.minY && y <= space.maxY).toBe(true)
          expect(who.heading[slot]! >= 0 && who.heading[slot]! < 360).toBe(true)
          expect(space.within(who, x, y, space.is3D ? who.z[slot]! : 0, 0, -1)).toContain(slot)
          expect(space.on(who, space.cellOf(who, slot))).toContain(slot)
        }
      }
    }
  })

  it('raises 10060 outside, 10061 on a full cell, 10062 when not placed', () => {
    for (const topology of ['discrete', 'continuous'] as const) {
      const { space, who, population } = populated({ topology }, 2, stream(2, 0, 'codes'))
      expect(codeOf(() => space.place(who, 0, 11, 1))).toBe(10060)
      expect(codeOf(() => space.place(who, 0, NaN, 1))).toBe(10060)
      space.cellCapacity = 1
      space.place(who, 0, 1, 1)
      space.place(who, 1, 2, 1)
      expect(codeOf(() => space.place(who, 1, 1.2, 1))).toBe(10061)
      expect([who.x[1], who.y[1]]).toEqual([2, 1])
      space.place(who, 0, 1, 1)
      space.remove(who, 0)
      expect(codeOf(() => space.place(who, 1, 1, 1))).toBe(0)
      expect(codeOf(() => space.forward(who, 0, 1))).toBe(10062)
      expect(codeOf(() => space.faceXY(who, 0, 1, 1))).toBe(10062)
      expect(who.x[0]).toBe(NaN)
      expect(population.count).toBe(2)
    }
  })

  it('measures the short way round', () => {
    const space = new Space(plan({ topology: 'continuous', max: [10, 10], wrapX: true }))
    expect(space.distance(1, 1, 9, 1)).toBe(2)
    expect(space.distance(1, 1, 1, 9)).toBe(8)
    expect(space.direction(1, 1, 9, 1)).toBe(180)
    expect(space.direction(9, 1, 1, 1)).toBe(0)
    expect(space.direction(1, 1, 1, 9)).toBe(90)
    expect(space.direction(1, 1, 1, 1)).toBe(-1)
  })
})
