import { describe, expect, it } from 'vitest'
import { ValueReader, ValueWriter, hashOf, plainCodecs } from '../../../sim-engine/kernel/snapshot.ts'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import { Population } from '../../../sim-engine/world/population.ts'

const make = (): { population: Population; energy: { data: Float64Array }; bag: { data: unknown[] } } => {
  const population = new Population('p', 'Wolf', 0, 'agent')
  return { population, energy: population.numbers('energy', 7), bag: population.anything('bag') }
}

const codeOf = (act: () => unknown): number => {
  try {
    act()
  } catch (error) {
    return error instanceof Error && 'code' in error ? Number(error.code) : -1
  }
  return 0
}

describe('population', () => {
  it('begins with many at once as with one after another', () => {
    const [one, many] = [make(), make()]
    for (const { population } of [one, many]) {
      population.integers('room', 3)
      population.flags('awake', true)
    }
    for (let k = 0; k < 37; k++) one.population.create()
    many.population.fill(37)
    const states = [one, many].map(({ population }) => {
      population.settle()
      population.create()
      return population.save(new ValueWriter(plainCodecs))
    })
    expect(hashOf(states[1]!)).toBe(hashOf(states[0]!))
    expect(() => many.population.fill(1)).toThrow(RangeError)
    const { population } = make()
    population.maximum = 9
    expect(codeOf(() => population.fill(10))).toBe(10056)
    population.fill(9)
    expect(codeOf(() => population.create())).toBe(10056)
  })

  it('lives like a map of handles, through births, deaths, reuse, growth and restoring', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const random = stream(seed, 0, 'population')
      let { population, energy, bag } = make()
      // The reference: handle -> value, in birth order.
      const alive = new Map<number, number>()
      const dead: number[] = []
      let births = 0
      for (let step = 0; step < 300; step++) {
        const dice = below(random, 10)
        if (dice < 5) {
          const slot = population.create()
          const handle = population.handles[slot]!
          expect(alive.has(handle) || dead.includes(handle)).toBe(false)
          expect(population.ids[slot]).toBe(++births)
          expect(energy.data[slot]).toBe(7)
          expect(bag.data[slot]).toBe(null)
          energy.data[slot] = step
          bag.data[slot] = [step]
          alive.set(handle, step)
        } else if (dice < 8 && alive.size > 0) {
          const handle = [...alive.keys()][below(random, alive.size)]!
          expect(population.kill(handle)).toBe(true)
          expect(population.kill(handle)).toBe(false)
          alive.delete(handle)
          dead.push(handle)
        } else population.settle()
        if (step % 97 === 50) {
          const writer = new ValueWriter(plainCodecs)
          const state = population.save(writer)
          const copy = make()
          copy.population.load(state, new ValueReader(plainCodecs, writer.table))
          expect(hashOf(copy.population.save(new ValueWriter(plainCodecs)))).toBe(hashOf(state))
          ;({ population, energy, bag } = copy)
        }
        expect(population.count).toBe(alive.size)
        expect(population.individuals()).toEqual([...alive.keys()])
        expect(population.listed()).toEqual([...alive.keys()])
        expect(population.listed()).toBe(population.listed())
        for (const handle of dead) expect(population.isAlive(handle)).toBe(false)
      }
      for (const [handle, value] of alive) {
        expect(energy.data[population.slotOf(handle)]).toBe(value)
        expect(bag.data[population.slotOf(handle)]).toEqual([value])
      }
      expect(population.top).toBeLessThanOrEqual(Math.max(16, births))
    }
  })

  it('lists the living of a restored state, though as many were born and live', () => {
    const { population } = make()
    const [a, b] = [population.create(), population.create()].map(slot => population.handles[slot]!)
    const writer = new ValueWriter(plainCodecs)
    population.kill(a!)
    const state = population.save(writer)
    const other = make()
    for (let k = 0; k < 2; k++) other.population.create()
    other.population.kill(b!)
    expect(other.population.listed()).toEqual([a])
    other.population.load(state, new ValueReader(plainCodecs, writer.table))
    expect(other.population.listed()).toEqual([b])
  })

  it('activates those who were there at the last settle, each once; newborns and the dead stay out', () => {
    const { population } = make()
    const random = stream(3, 0, 'order')
    for (let i = 0; i < 50; i++) population.create()
    population.settle()
    population.kill(population.handles[10]!)
    for (let i = 0; i < 5; i++) population.create()
    for (const n of [population.inOrder(), population.shuffled(random)]) {
      const visited = [...population.order.subarray(0, n)].filter(slot => population.handles[slot]! >= 0)
      expect(visited.length).toBe(49)
      expect(new Set(visited).size).toBe(49)
      expect(visited.every(slot => population.ids[slot]! <= 50)).toBe(true)
    }
    population.settle()
    expect(population.inOrder()).toBeGreaterThanOrEqual(54)
    const keys = new Float64Array(population.capacity).map((_, slot) => -population.ids[slot]!)
    const n = population.byKey(keys)
    const ids = [...population.order.subarray(0, n)].filter(slot => population.handles[slot]! >= 0).map(slot => population.ids[slot]!)
    expect(ids).toEqual([...ids].sort((a, b) => b - a))
    expect(ids.length).toBe(54)
  })

  it('shuffles uniformly: every individual is first equally often', () => {
    const { population } = make()
    const random = stream(4, 0, 'uniform')
    for (let i = 0; i < 6; i++) population.create()
    population.settle()
    const first = [0, 0, 0, 0, 0, 0]
    for (let i = 0; i < 6000; i++) {
      population.shuffled(random)
      first[population.order[0]!]!++
    }
    // Chi-square with 5 degrees of freedom: 20.5 is the 0.1% point.
    expect(first.reduce((sum, n) => sum + (n - 1000) ** 2 / 1000, 0)).toBeLessThan(20.5)
  })

  it('reuses slots instead of growing when births and deaths balance', () => {
    const { population } = make()
    for (let i = 0; i < 100; i++) population.create()
    for (let tick = 0; tick < 1000; tick++) {
      population.settle()
      for (const handle of population.individuals().slice(0, 20)) population.kill(handle)
      for (let i = 0; i < 20; i++) population.create()
    }
    expect(population.capacity).toBeLessThan(300)
    expect(population.ids[population.living[population.livingCount - 1]!]).toBe(20100)
  })

  it('raises 10056 above the maximum, 10014 for None and 10053 for the dead', () => {
    const { population } = make()
    population.maximum = 2
    const slot = population.create()
    const first = population.handles[slot]!
    population.create()
    expect(codeOf(() => population.create())).toBe(10056)
    population.kill(first)
    expect(codeOf(() => population.slotOf(first))).toBe(10053)
    expect(codeOf(() => population.slotOf(-1))).toBe(10014)
    expect(codeOf(() => population.create())).toBe(0)
  })

  it('tells those who hold arrays when they move', () => {
    const { population, energy } = make()
    let held = energy.data
    let calls = 0
    population.onRebind(() => {
      held = energy.data
      calls++
    })
    population.reserve(1000)
    const after = calls
    for (let i = 0; i < 1000; i++) held[population.create()] = i
    expect(calls).toBe(after)
    expect(energy.data[999]).toBe(999)
    expect(() => population.numbers('energy')).toThrow(RangeError)
  })
})
