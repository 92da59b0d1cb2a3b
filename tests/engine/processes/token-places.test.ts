// Tokens of agents in space and in networks: as WebAssembly (plain) and in the general way (debug) they agree on everything that is kept.
import { describe, expect, it } from 'vitest'
import type { Model } from '../../../model-schema/model.ts'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import { lowerProcesses } from '../../../sim-engine/lower/processes/process.ts'
import { start } from '../../../sim-engine/run.ts'
import {
  agents,
  cells,
  compute,
  create,
  delay,
  end,
  every,
  exclusive,
  from,
  links,
  model,
  move,
  otherwise,
  place,
  process,
  scenario,
  space,
  start as startStep,
  statistic,
  to,
  variable,
  when,
  type Entry,
  type Fields,
  type Part,
} from '../../help/models.ts'
import { compare, programOf, stateOf } from '../../help/ways.ts'

/** What those do in any space with cells. */
const programs = [
  'if cell.grass >= 1:\n    cell.grass -= 1\n    energy += 1\nelse:\n    energy -= 0.25',
  'spot = cell\nspot.visits += 1\nspot.last = self',
  'spot = choice(Patch)\nspot.open = not spot.open',
  'if spot is not None:\n    energy += spot.grass / 10 + distance(spot) / 100\n    spot.mood = "eaten" if spot.grass < 3 else "fresh"\n    spot = None',
  'energy += sum(p.grass for p in Patch if p.open) / Patch.count',
  'spot = max(Patch, key=lambda p: p.grass - distance(p))',
  'spot = cell_at(3, 2)\nenergy += spot.x + spot.y / 10\nif spot == cell:\n    energy = 0',
  'if cell.last is not None:\n    cell.last.energy += 0.5\n    energy += 1 if cell.last == self else 0',
  'for p in Patch:\n    if p.visits > 2:\n        p.visits = 0\n        p.grass += 0.5',
  'near = [w for w in neighbors(2, Walker) if w.energy > 1]\nif len(near) > 0:\n    other = choice(near)\n    other.energy += 1\n    energy = mean(w.energy for w in near)',
  'for w in neighbors(3, Walker):\n    w.energy += 0.25\n    energy = energy * 0.75 + w.energy / 4',
  'found = []\nfor w in Walker:\n    if w.energy > energy:\n        found.append(w)\nif len(found) > 1:\n    found[1].energy -= 0.5\n    found[-1].spot = cell',
  'many = []\nfor k in range(700):\n    many.append(k * energy)\n    many.append(k)\nenergy = (many[3] + len(many)) / 1000',
]
/** What those do on a grid. */
const onGrid = [
  'energy += sum(p.grass for p in moore()) / 10',
  'spot = choice(moore())',
  'spot = max(moore(2), key=lambda p: p.grass)',
  'for p in von_neumann(2):\n    p.grass += 0.125\n    p.last = self',
  'energy += len(neighbor_cells(1.5)) / 8 + count(p for p in moore(1, spot) if p.open) if spot is not None else len(moore())',
  'free = [p for p in moore() if len(agents_on(p, Walker)) == 0]\nif len(free) > 0:\n    spot = choice(free)\n    spot.visits += 1',
  'if spot is not None:\n    for w in agents_on(spot, Walker):\n        w.energy += 1',
  'energy += len(neighbors(2, Walker)) + sum(w.energy for w in neighbors(1, Walker)) / 10',
  'if any(p.mood == "eaten" for p in moore()):\n    energy -= 0.5',
]
const linked = [
  'if degree(Knows) > 0:\n    friend = choice(relatives(Knows))\n    friend.energy += 0.25',
  'energy += sum(w.energy for w in relatives(Knows)) / 100',
  'for l in links_of(Knows):\n    l.trust *= 0.9\n    l.weight += 0.125\n    energy += l.trust / 10',
  'if friend is not None:\n    l = link_between(Knows, friend)\n    if l is not None:\n        l.trust += 1\n        energy += l.trust * l.weight / 50',
  'known = [w for w in relatives(Knows) if w.energy > 0]\nif len(known) > 0:\n    friend = known[0]',
  'for l in Knows:\n    if l.trust > 3:\n        l.trust = 0\n        l.source.energy += 0.5',
  'if degree(Knows) > 2:\n    friend = max(relatives(Knows), key=lambda w: w.energy)',
]
const conditions = [
  'cell.grass > 3',
  'spot is None',
  'spot == cell',
  'any(p.visits > 4 for p in Patch)',
  'random() < 0.4',
  'friend is not None and friend.energy > energy',
]
const targets = ['[x, y]', '[3, 2]', 'cell_at(2, 3)', 'spot if spot is not None else cell', 'cell', 'choice(Patch)']

/** Walkers on cells, which grow by themselves at ticks or not at all, and in a network. */
function walkingModel(seed: number): Model {
  const s = stream(seed, 0, 'walking')
  const one = <T>(of: readonly T[]): T => of[below(s, of.length)]!
  const isGrid = below(s, 3) > 0
  const isTicking = below(s, 2) === 0
  const isFull = isGrid && below(s, 5) === 0
  const isLinked = below(s, 3) > 0
  const mayBeBorn = !isLinked && !isFull && below(s, 3) === 0
  const border = one(['stop', 'reflect', 'stop', 'error'])
  const field = space('Field', {
    topology: isGrid ? 'discrete' : 'continuous',
    minX: '0',
    maxX: '8',
    minY: '0',
    maxY: '6',
    wrapX: below(s, 2) === 0,
    wrapY: below(s, 2) === 0,
    border,
  })
  const all = [...programs, ...(isGrid ? [...onGrid, ...onGrid] : []), ...(isLinked ? [...linked, ...linked] : [])]
  const moves = (): Part => {
    const kind = below(s, 7)
    if (kind === 0) return place('x', { where: one(['randomCell', 'randomPosition', ...(isGrid ? ['randomEmptyCell'] : [])]) })
    if (kind < 3) return place(one(isGrid ? [...targets, 'choice(moore())'] : ['[x, y]', '[3, 2.5]', '(4, 1.5)']))
    if (kind === 3) return move('translate', 1, { vector: one(['[1, 0]', '[0.5, -1]', '(0, 1.25)']) })
    if (kind === 4) return move('head', 'uniform(0, 360)')
    return move(one(['forward', 'backward']), one(['1', 'random()', '0.75']))
  }
  const grows: Part[] = isTicking
    ? [
        process(
          'Grow',
          startStep(every(1)),
          compute(one(['if grass < 9:\n    grass += 0.5', 'grass += 0.1\nif visits > 3:\n    visits -= 1'])),
          end(),
        ),
      ]
    : []
  const births: Part[] = mayBeBorn
    ? [process('Come', startStep({ trigger: 'timer', every: 'exponential(2)' }), create('Walker', '1', { placement: 'random' }), end())]
    : []
  const network: Part[] = isLinked
    ? [
        links(
          'Knows',
          {
            source: 'Walker',
            target: 'Walker',
            generator: 'random',
            probability: '0.4',
            directed: below(s, 2) === 0,
            repeatable: below(s, 3) === 0,
          },
          variable('trust', '1', { public: true }),
        ),
      ]
    : []
  const conditionOf = (): string => one(conditions)
  const more: Entry[] = [compute(one(all)), ...(below(s, 2) === 0 ? [moves()] : [])]
  return model(
    scenario({ totalTicks: 40, ticking: isTicking || below(s, 2) === 0 }),
    field,
    cells(
      'Patch',
      { space: field, ...(isFull ? { capacity: 2 } : {}), order: one(['simultaneous', 'simultaneous', 'shuffled', 'fixed']) },
      variable('grass', 'randint(0, 6)', { public: true }),
      variable('visits', '0', { public: true }),
      variable('open', 'random() < 0.5', { public: true }),
      variable('mood', '"fresh"', { public: true }),
      variable('last', 'None', { public: true }),
      ...grows,
    ),
    agents(
      'Walker',
      { initialNumber: '9', space: field, placement: isFull ? 'emptyCells' : one(['random', 'cells']) },
      variable('energy', '2', { public: true }),
      variable('spot', 'None', { public: true }),
      variable('friend', 'None', { public: true }),
      process('Late', startStep(), delay('1000'), compute('spot = cell\nfriend = self\nspot.last = self'), end()),
      process(
        'Walk',
        startStep(),
        delay('exponential(1)', 'go'),
        compute(one(all)),
        moves(),
        ...more,
        exclusive('which'),
        when(conditionOf()),
        moves(),
        to('go'),
        from('which'),
        otherwise(),
        compute(one(all)),
        exclusive('more'),
        when('energy < 1e9'),
        to('go'),
        from('more'),
        otherwise(),
        end(),
      ),
    ),
    ...network,
    ...births,
    ...(below(s, 2) === 0 ? [statistic('all', 'sum(p.grass for p in Patch)', { sample: 'event', aggregate: 'mean' })] : []),
  ).model
}

describe('tokens of agents in space and in networks', () => {
  for (let part = 0; part < 4; part++) {
    it(`gives the same states as the general way: random models ${20 * part + 1} to ${20 * part + 20}`, () => {
      let isWhole = 0
      for (let seed = 20 * part + 1; seed <= 20 * part + 20; seed++) {
        const of = walkingModel(seed)
        const lowered = lowerProcesses(programOf(of, false))
        if (lowered?.reasons.size === 0) isWhole++
        compare(of, seed, [below(stream(seed, 1, 'cuts'), 20) + 0.3, 30])
      }
      expect(isWhole).toBeGreaterThan(10)
    })
  }

  it('keeps next values of cells that grow all at once in step with what tokens eat', () => {
    const fields: Fields = { topology: 'discrete', minX: '0', maxX: '29', minY: '0', maxY: '29', wrapX: true, wrapY: true }
    const field = space('Field', fields)
    const of = model(
      scenario({ totalTicks: 30 }),
      field,
      cells(
        'Patch',
        { space: field },
        variable('grass', '5', { public: true }),
        process('Grow', startStep(every(1)), compute('if grass < 10:\n    grass += 0.1'), end()),
      ),
      agents(
        'Sheep',
        { initialNumber: '100', space: field, placement: 'random' },
        variable('energy', '10', { public: true }),
        process(
          'Graze',
          startStep(),
          delay('exponential(0.2)', 'go'),
          compute('if cell.grass >= 1:\n    cell.grass -= 1\n    energy += 1\nelse:\n    energy -= 0.1'),
          move('head', 'uniform(0, 360)'),
          move('forward', 1),
          exclusive('more'),
          when('energy < 1e9'),
          to('go'),
          from('more'),
          otherwise(),
          end(),
        ),
      ),
    ).model
    expect(lowerProcesses(programOf(of, false))?.reasons.size).toBe(0)
    compare(of, 4, [5.5, 21])
  })

  it('fails at the same place: full cells, borders, cells that are not there', () => {
    const of = (step: Part, more: Fields, capacity: number | null) => {
      const field = space('Field', {
        topology: 'discrete',
        minX: '0',
        maxX: '3',
        minY: '0',
        maxY: '2',
        wrapX: false,
        wrapY: false,
        ...more,
      })
      return model(
        scenario({ totalTicks: 20, ticking: false }),
        field,
        cells('Patch', { space: field, ...(capacity === null ? {} : { capacity }) }),
        agents(
          'Walker',
          { initialNumber: '6', space: field, placement: capacity === null ? 'random' : 'emptyCells' },
          variable('spot', 'None'),
          process('Late', startStep(), delay('1000'), compute('spot = cell'), end()),
          process(
            'Walk',
            startStep(),
            delay('uniform(1, 2)', 'go'),
            step,
            exclusive('more'),
            when('id > 0'),
            to('go'),
            from('more'),
            otherwise(),
            end(),
          ),
        ),
      ).model
    }
    for (const [step, more, capacity, code] of [
      [place('[1, 1]'), {}, 2, 10061],
      [place('choice(moore())'), {}, 1, 10061],
      [move('forward', 1), { border: 'error' }, null, 10060],
      [move('translate', 1, { vector: '[0, 1]' }), { border: 'error' }, null, 10060],
      [place('[7, 1]'), {}, null, 10060],
      [place('spot'), {}, null, 10014],
    ] as const) {
      const made = of(step, more, capacity)
      expect(lowerProcesses(programOf(made, false))?.reasons.size).toBe(0)
      const [plain, debug] = [false, true].map(isDebug => {
        const run = start(programOf(made, isDebug), { seed: 3, nativeFrom: 0 })
        run.advance()
        return stateOf(run)
      })
      expect(plain).toEqual(debug)
      expect(plain).toMatchObject({ result: { end: 'failed', problem: { code } } })
    }
  })
})
