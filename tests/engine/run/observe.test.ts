// What the views receive of a run: positions in 3D, ends of links, cells that are air.
import { describe, expect, it } from 'vitest'
import { describe as loadedOf, observe } from '../../../sim-engine/observe.ts'
import { empty, type Layer } from '../../../sim-engine/messages.ts'
import type { Run } from '../../../sim-engine/run.ts'
import {
  agents,
  cells,
  compute,
  delay,
  end,
  every,
  links,
  model,
  move,
  process,
  scenario,
  space,
  start,
  statistic,
  variable,
} from '../../help/models.ts'
import { begin } from '../../help/runs.ts'

const layersOf = (run: Run): readonly Layer[] => observe(run, 1, 'ended', [], false).layers
const layerOf = <K extends Layer['kind']>(run: Run, kind: K): Extract<Layer, { kind: K }> => {
  const found = layersOf(run).find((layer): layer is Extract<Layer, { kind: K }> => layer.kind === kind)
  if (!found) throw new Error(`no layer of ${kind}s`)
  return found
}

/** Vicsek's flock in a box: each bird takes the mean way of the birds within 1, and strays a little. */
const flock = model(
  scenario({ totalTicks: 60, seed: '7' }),
  space('Air', { topology: 'continuous', dimensions: 'three', maxX: '6', maxY: '6', maxZ: '6', border: 'reflect' }),
  agents(
    'Bird',
    { space: 'Air', placement: 'random', initialNumber: '150', shape: 'arrow' },
    variable('vx', 'uniform(-1, 1)'),
    variable('vy', 'uniform(-1, 1)'),
    variable('vz', 'uniform(-1, 1)'),
    variable('ax', 0),
    variable('ay', 0),
    variable('az', 0),
    process(
      'Look',
      start({ ...every(1), first: '0' }),
      compute(`sx = vx
sy = vy
sz = vz
for other in neighbors(1.5):
    sx += other.vx
    sy += other.vy
    sz += other.vz
ax = sx + uniform(-0.2, 0.2)
ay = sy + uniform(-0.2, 0.2)
az = sz + uniform(-0.2, 0.2)
long = sqrt(ax * ax + ay * ay + az * az)
vx = ax / long
vy = ay / long
vz = az / long`),
      move('translate', 1, { vector: '[vx * 0.1, vy * 0.1, vz * 0.1]' }),
      end(),
    ),
  ),
)

describe('a flock in three dimensions', () => {
  it('is told of with z, stays in its box, and finds an order', () => {
    const run = begin(flock)
    const order = (): number => {
      const bird = run.program.checked.parts.entities.find(one => one.name === 'Bird')
      let [x, y, z] = [0, 0, 0]
      for (const id of layerOf(run, 'agent').ids) {
        const values = run.individual(bird?.index ?? 0, id) ?? {}
        const [vx, vy, vz] = [Number(values['vx']), Number(values['vy']), Number(values['vz'])]
        const long = Math.hypot(vx, vy, vz)
        x += vx / long
        y += vy / long
        z += vz / long
      }
      return Math.hypot(x, y, z) / 150
    }
    expect(loadedOf(run, 1).spaces[0]).toMatchObject({ minZ: 0, maxZ: 6 })
    const before = order()
    run.advance()
    const layer = layerOf(run, 'agent')
    const z = layer.z ?? new Float32Array(0)
    expect([layer.count, z.length]).toEqual([150, 150])
    expect(Math.min(...z)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...z)).toBeLessThanOrEqual(6)
    expect(new Set(z).size).toBeGreaterThan(100)
    expect(before).toBeLessThan(0.3)
    expect(order()).toBeGreaterThan(0.7)
  })
})

describe('cells of a 3D space', () => {
  it('come layer by layer; those in the colour of their population are air', () => {
    const run = begin(
      model(
        scenario({ totalTicks: 1 }),
        space('Rock', { dimensions: 'three', maxX: '2', maxY: '1', minZ: '5', maxZ: '8' }),
        cells(
          'Stone',
          { space: 'Rock', color: '#ffffff' },
          process('Grow', start(every(1)), compute('if z == 6:\n    color = "#808080"'), end()),
        ),
      ),
    )
    run.advance()
    const layer = layerOf(run, 'cell')
    expect([layer.columns, layer.rows, layer.layers, layer.minZ]).toEqual([3, 2, 4, 5])
    expect([...layer.colors]).toEqual([6, 6, 6, 6].flatMap((n, level) => Array.from({ length: n }, () => (level === 1 ? 0x808080 : empty))))
  })
})

describe('links', () => {
  it('tell whom they join: on one spot, and where nobody stands anywhere', () => {
    const built = (where: string) =>
      model(
        scenario({ totalTicks: 1 }),
        space('Field'),
        agents('Person', { initialNumber: '4', ...(where === '' ? {} : { space: 'Field', placement: 'none' }) }),
        links('Knows', { source: 'Person', target: 'Person' }),
        process(
          'Meet',
          start(every(1)),
          compute('people = list(Person)\nconnect(Knows, people[0], people[1])\nconnect(Knows, people[2], people[3])'),
          end(),
        ),
      )
    for (const where of ['', 'Field']) {
      const run = begin(built(where))
      run.advance()
      const people = layerOf(run, 'agent')
      const knows = layerOf(run, 'link')
      expect([people.count, people.ids.length, knows.count]).toEqual([0, 4, 0])
      expect(knows.populations.map(id => id.toLowerCase())).toEqual(['person'])
      const ends = [...knows.from].map((from, i) => [from, knows.to[i] ?? -1].map(id => people.ids.indexOf(id)).toSorted((a, b) => a - b))
      expect(ends).toEqual([
        [0, 1],
        [2, 3],
      ])
    }
  })
})

describe('tokens', () => {
  const arrivals = (ticks: number) =>
    model(scenario({ totalTicks: ticks, seed: '1' }), process('Visit', start({ ...every(1), first: '0' }), delay('1.5'), end()))

  it('are told of one by one, each by a number of its own for as long as it lives', () => {
    const run = begin(arrivals(50))
    const seen = new Map<number, number>()
    for (let tick = 0; tick < 10; tick++) {
      run.advance({ ticks: 1 })
      const { standing, tokens } = observe(run, 1, 'playing', [], false)
      expect(standing?.length).toBe(Object.values(tokens).reduce((sum, count) => sum + count, 0))
      for (const [token] of standing ?? []) seen.set(token, (seen.get(token) ?? 0) + 1)
    }
    expect(seen.size).toBeGreaterThan(5)
    expect(Math.max(...seen.values())).toBe(2)
  })

  it('are not where there are too many', () => {
    const run = begin(
      model(scenario({ totalTicks: 5, seed: '1' }), process('Visit', start({ ...every(1), first: '0', count: '400' }), delay('9'), end())),
    )
    run.advance({ ticks: 1 })
    run.advance({ ticks: 1 })
    const { standing, tokens } = observe(run, 1, 'playing', [], false)
    expect(Object.values(tokens)[0]).toBeGreaterThan(300)
    expect(standing).toBeNull()
  })
})

describe('a statistic that is sampled at the end', () => {
  const at = (name: string, text: string, more = {}) => statistic(name, text, { sample: 'end', ...more })
  const growing = model(
    scenario({ totalTicks: 10, seed: '3' }),
    variable('x', 0),
    variable('y', 0),
    process('Grow', start(every(1)), compute('x += 1\ny = uniform(0, 1)'), end()),
    at('double', '2 * x'),
    at('most', 'x', { aggregate: 'max' }),
    at('luck', 'uniform(0, 1)'),
    at('nothing', '1 / (x - x)'),
    at('samples', 'x', { aggregate: 'count' }),
  )
  const valuesOf = (run: Run): unknown[] => {
    const { values } = observe(run, 1, 'paused', [], false)
    return ['double', 'most', 'luck', 'nothing', 'samples'].map(name => values[growing.id(name)] ?? null)
  }

  it('is told while the run goes on where one sample is its value, and leaves no trace', () => {
    const [watched, other] = [begin(growing), begin(growing)]
    watched.advance({ ticks: 4 })
    const now = watched.value(growing.id('x'))
    expect(valuesOf(watched)).toEqual([2 * Number(now), now, null, null, 0])
    watched.advance()
    other.advance()
    expect(watched.value(growing.id('y'))).toBe(other.value(growing.id('y')))
    expect(valuesOf(other)).toEqual(valuesOf(watched))
  })
})
