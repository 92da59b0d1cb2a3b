import { describe, expect, it } from 'vitest'
import { FormulaDate, FormulaDict, FormulaSet, Ref, Tuple } from '../../../sim-engine/formula/runtime/values.ts'
import { below, uniform } from '../../../sim-engine/kernel/random.ts'
import { random as randomNetwork } from '../../../sim-engine/world/generators.ts'
import { World } from '../../../sim-engine/world/world.ts'

const codeOf = (act: () => unknown): number => {
  try {
    act()
  } catch (error) {
    return error instanceof Error && 'code' in error ? Number(error.code) : -1
  }
  return 0
}

/** A world with a bit of everything and a `tick` that stirs all of it. */
class Model {
  readonly log: string[] = []
  readonly world: World = new World({
    seed: 11,
    run: 0,
    epoch: { ms: Date.UTC(2026, 0, 1), msPerTick: 3_600_000 },
    hooks: {
      granted: holder => this.log.push(`+${holder}`),
      preempted: holder => this.log.push(`-${holder}`),
      deliver: (token, payload) => this.log.push(`@${token} ${String(payload)}`),
      dying: (population, handle) => this.log.push(`${population.name} ${handle} dies`),
      born: (population, handle) => this.log.push(`${population.name} ${handle} born`),
      print: line => this.log.push(line),
    },
  })
  readonly field = this.world.addSpace({
    id: 'f',
    name: 'Field',
    topology: 'discrete',
    min: [0, 0],
    max: [7, 7],
    wrapX: true,
    wrapY: true,
    border: 'stop',
  })
  readonly sky = this.world.addSpace({
    id: 's',
    name: 'Sky',
    topology: 'continuous',
    min: [0, 0],
    max: [10, 10],
    wrapX: true,
    wrapY: true,
    border: 'stop',
  })
  readonly grass = this.world.addPopulation('g', 'Grass', 'cell')
  readonly sheep = this.world.addPopulation('p', 'Sheep', 'agent')
  readonly birds = this.world.addPopulation('b', 'Bird', 'agent')
  readonly energy = this.sheep.numbers('energy', 1)
  readonly memory = this.sheep.anything('memory')
  readonly friends = this.world.addLinks(this.world.addPopulation('l', 'Friend', 'link'), {
    directed: false,
    repeatable: false,
    selfLinks: false,
    duplicate: 'existing',
  })
  readonly onField = this.field.admit(this.sheep)
  readonly inSky = this.sky.admit(this.birds)
  readonly mail = this.world.mail.add({ id: 'm', name: 'Call', capacity: 3, full: 'dropOld', lifetime: 5 })
  readonly shears = this.world.containers.create(
    { id: 'c', name: 'Shears', contents: 'amount', reusable: true, negative: false, order: 'priority', strict: false, offShift: 'finish' },
    0,
    3,
  )
  extra = { count: 0 }

  constructor() {
    const { world } = this
    this.friends.join(this.sheep)
    this.field.layCells(this.grass)
    const stream = world.stream('setup')
    for (let i = 0; i < 30; i++) this.field.placeAtRandom(this.onField, this.sheep.create(), stream)
    for (let i = 0; i < 20; i++) this.sky.placeAtRandom(this.inSky, this.birds.create(), stream)
    randomNetwork(this.friends, this.sheep, this.sheep, 0.1, stream)
    world.keep('extra', { save: () => ({ count: this.extra.count }), load: state => (this.extra = { count: Number(Object(state).count) }) })
  }

  tick(): void {
    const { world, sheep, birds } = this
    const stream = world.stream('tick')
    world.time++
    world.tick++
    world.settle()
    while (world.calendar.nextTime <= world.time && world.calendar.pop()) {
      if (world.calendar.kind === 1) world.mail.arrive(world.calendar.a)
      else world.containers.cancel(world.calendar.a)
    }
    for (let k = 0, n = sheep.shuffled(stream); k < n; k++) {
      const slot = sheep.order[k]!
      const handle = sheep.handles[slot]!
      if (handle < 0) continue
      const others = this.field.within(this.onField, this.onField.x[slot]!, this.onField.y[slot]!, 0, 2, slot)
      this.energy.data[slot]! += others.length === 0 ? uniform(stream) : -others.length / 10
      this.field.setHeading(this.onField, slot, below(stream, 8) * 45)
      this.field.forward(this.onField, slot, 1)
      if (others.length > 0) {
        const other = sheep.handles[others[0]!]!
        this.memory.data[slot] = [world.ref(sheep, other), this.memory.data[others[0]!]]
        if (other !== handle) this.friends.connect(sheep, handle, sheep, other)
      }
      if (this.energy.data[slot]! < 0) world.die(sheep, handle, 0, 0)
      else if (this.energy.data[slot]! > 2) {
        const child = world.create(sheep, sheep, handle, 0, 0)
        this.field.placeOnCell(this.onField, child & 0xffffff, this.field.randomCell(stream))
      }
      if (world.containers.hold(this.shears, slot, 1, below(stream, 3), 'branch') === 'granted')
        world.calendar.schedule(world.time + uniform(stream) * 4, 1, 0, 2, slot, 0)
      if (below(stream, 4) === 0)
        world.calendar.schedule(world.time + 2, 2, 0, 1, world.mail.send(this.mail, sheep.index, handle, `at ${world.tick}`), 0)
    }
    for (let k = 0, n = birds.inOrder(); k < n; k++) {
      this.sky.setHeading(this.inSky, birds.order[k]!, uniform(stream) * 360)
      this.sky.forward(this.inSky, birds.order[k]!, 0.7)
    }
    this.extra.count++
  }
}

describe('world', () => {
  it('restored from a snapshot goes on exactly as it would have', () => {
    const one = new Model()
    for (let i = 0; i < 25; i++) one.tick()
    const state = structuredClone(one.world.save())
    const hash = one.world.hash()
    const other = new Model()
    for (let i = 0; i < 3; i++) other.tick()
    other.world.load(state)
    expect(other.world.hash()).toBe(hash)
    const from = one.log.length
    other.log.length = 0
    for (let i = 0; i < 25; i++) {
      one.tick()
      other.tick()
      expect(other.world.hash()).toBe(one.world.hash())
    }
    expect(other.log).toEqual(one.log.slice(from))
    expect(one.world.populations.map(population => population.count).every(count => count > 0)).toBe(true)
    // The snapshot was not touched by what happened since.
    other.world.load(state)
    expect(other.world.hash()).toBe(hash)
    expect(other.extra.count).toBe(25)
  })

  it('gives equal hashes to equal runs and different ones to different states', () => {
    const one = new Model()
    const two = new Model()
    for (let i = 0; i < 10; i++) {
      one.tick()
      two.tick()
    }
    expect(one.world.hash()).toBe(two.world.hash())
    two.energy.data[two.sheep.living[0]!]! += 1e-15
    expect(one.world.hash()).not.toBe(two.world.hash())
  })

  it('keeps shared and circular values of formulas', () => {
    const { world, memory, sheep, shears } = new Model()
    const [a, b] = [sheep.living[0]!, sheep.living[1]!]
    const list: unknown[] = [1, 'x', true, null, new Tuple([2, new FormulaDate(5)])]
    list.push(list)
    const dict = new FormulaDict()
    dict.set('self', world.ref(sheep, sheep.handles[a]!))
    dict.set('list', list)
    memory.data[a] = dict
    memory.data[b] = [list, FormulaSet.of([1, 2]), shears, sheep]
    const state = structuredClone(world.save())
    memory.data[a] = memory.data[b] = null
    world.load(state)
    const [first, second] = [memory.data[a], memory.data[b]]
    if (!(first instanceof FormulaDict) || !Array.isArray(second)) throw new Error('values were lost')
    const again = first.get('list')
    expect(again).toBe(second[0])
    expect(Array.isArray(again) && again[5] === again).toBe(true)
    expect(first.get('self')).toBe(world.ref(sheep, sheep.handles[a]!))
    expect(second[1]).toEqual(FormulaSet.of([1, 2]))
    expect(second[2]).toBe(shears)
    expect(second[3]).toBe(sheep)
  })

  it('a death ends tokens, mail, links and the place', () => {
    const { world, sheep, friends, field, onField, mail, log } = new Model()
    const [a, b] = sheep.individuals()
    friends.connect(sheep, a!, sheep, b!)
    world.mail.arrive(world.mail.send(mail, sheep.index, a!, 'hello'))
    const message = world.mail.send(mail, sheep.index, a!, 'too late')
    const links = friends.degree(sheep, a! & 0xffffff)
    const before = friends.population.count
    const cell = field.cellOf(onField, a! & 0xffffff)
    world.die(sheep, a!, 0, 0)
    expect(log).toContain(`Sheep ${a} dies`)
    expect(friends.population.count).toBe(before - links)
    expect(field.on(onField, cell)).not.toContain(a! & 0xffffff)
    world.mail.arrive(message)
    expect(world.mail.lost[mail]).toBe(2)
    const after = log.length
    world.die(sheep, a!, 0, 0)
    expect(log.length).toBe(after)
    expect(codeOf(() => world.die(sheep, -1, 0, 0))).toBe(10014)
    expect(codeOf(() => world.live(sheep, a!, 0, 0))).toBe(10053)
  })

  it("answers the formulas' questions about space, across populations", () => {
    const { world, field, sheep, grass, onField } = new Model()
    for (const handle of sheep.individuals().slice(3)) world.die(sheep, handle, 0, 0)
    const [a, b, c] = sheep.individuals().map(handle => handle & 0xffffff)
    field.place(onField, a!, 0, 0)
    field.place(onField, b!, 7, 7)
    field.place(onField, c!, 2, 0)
    const name = (slot: number): number => sheep.handles[slot]!
    expect(world.neighbors(2, sheep, sheep, name(a!), 0, 0)).toEqual([name(b!), name(c!)])
    expect(world.neighbors(1, sheep, sheep, name(a!), 0, 0)).toEqual([])
    expect(world.neighbors(2, null, sheep, name(a!), 0, 0)).toEqual([world.ref(sheep, name(b!)), world.ref(sheep, name(c!))])
    expect(world.neighbors(1.5, sheep, grass, 0, 0, 0)).toEqual([name(a!), name(b!)])
    expect(world.nearest(1, sheep, sheep, name(c!), 0, 0)).toEqual([name(a!)])
    expect(world.moore(1, sheep, name(a!), 0, 0, grass).length).toBe(8)
    expect(world.von_neumann(1, grass, 0, 0, 0, grass)).toEqual([56, 7, 1, 8])
    expect(world.neighbor_cells(1, grass, 0, 0, 0, grass).length).toBe(4)
    expect(world.agents_on(grass, 63, sheep, 0, 0)).toEqual([name(b!)])
    expect(world.distance(sheep, name(a!), sheep, name(b!), 0, 0)).toBe(Math.SQRT2)
    expect(world.direction_to(sheep, name(b!), sheep, name(a!), 0, 0)).toBe(225)
    expect(world.distance_xy(7, 0, sheep, name(a!), 0, 0)).toBe(1)
    expect(world.cell_at(8.2, 1, 0, 0, 0, grass)).toBe(8)
    expect(world.cell_at(8.2, 1, 0, 0, 0, null)).toBe(world.ref(grass, 8))
    expect(world.von_neumann(1, grass, 0, 0, 0, null)).toEqual([56, 7, 1, 8].map(cell => world.ref(grass, cell)))
    field.remove(onField, a!)
    expect(codeOf(() => world.distance(sheep, name(a!), sheep, name(b!), 0, 0))).toBe(10062)
  })

  it('reads and writes properties of references; refuses what is not there', () => {
    const { world, sheep, birds, energy } = new Model()
    sheep.properties.set('energy', {
      read: handle => energy.data[handle & 0xffffff],
      write: (handle, value) => (energy.data[handle & 0xffffff] = Number(value)),
    })
    sheep.properties.set('id', { read: handle => sheep.ids[handle & 0xffffff] })
    const ref = world.ref(sheep, sheep.handles[0]!)
    expect(world.ref(sheep, -1)).toBe(null)
    expect(world.ref(sheep, sheep.handles[0]!)).toBe(ref)
    world.set(ref, 'energy', 9, 0, 0)
    expect([world.get(ref, 'energy', 0, 0), world.get(ref, 'id', 0, 0)]).toEqual([9, 1])
    expect(codeOf(() => world.set(ref, 'id', 3, 0, 0))).toBe(10033)
    expect(codeOf(() => world.get(ref, 'colour', 0, 0))).toBe(10031)
    expect(codeOf(() => world.get(null, 'energy', 0, 0))).toBe(10014)
    expect(world.get({ properties: new Map([['count', { read: () => 7 }]]) }, 'count', 0, 0)).toBe(7)
    expect(world.handle(sheep, ref, 0, 0)).toBe(sheep.handles[0])
    expect(world.handle(sheep, null, 0, 0)).toBe(-1)
    expect(codeOf(() => world.handle(birds, ref, 0, 0))).toBe(10055)
    expect(codeOf(() => world.handle(birds, 'Bird 1', 0, 0))).toBe(10012)
    expect(ref instanceof Ref && ref.population === sheep).toBe(true)
    world.time = 2
    expect(world.now(0, 0).ms).toBe(Date.UTC(2026, 0, 1, 2))
  })

  it('refuses a damaged snapshot or one of another model', () => {
    const { world } = new Model()
    expect(() => world.load({ time: 1 })).toThrow(RangeError)
    expect(() => world.load(null)).toThrow(RangeError)
    const state = world.save()
    expect(() => world.load({ ...Object(state), populations: [] })).toThrow(RangeError)
    expect(() => world.load({ ...Object(state), calendar: { last: [] } })).toThrow(RangeError)
  })
})
