// Patterns of agents and cells.
import { at, compute, eachTick, end, fork, type Draft, type Step } from './draft.ts'

const move = (name: string, motion: string, amount: string): Step => ['move', { name, motion, amount }]

/** A square of cells with a kind of cell, and a card that shows it. */
function ground(draft: Draft, cell: string, width: number, wraps: boolean): string {
  const [space] = [
    draft.place('space', { name: 'Ground', maxX: String(width - 1), maxY: String(width - 1), wrapX: wraps, wrapY: wraps }),
    draft.place('worldView', { name: 'View', space: 'Ground' }),
  ]
  return draft.place('cell', { name: cell, space })
}

const once = (program: string): Step[] => [at('none'), compute('Colour', program), end()]
const always = (name: string, program: string): Step[] => [eachTick, compute(name, program), end()]

/** What an animal does in a tick: it walks, eats, starves or lives on, and breeds. */
function animal(
  draft: Draft,
  name: string,
  { count, color, first, births, eats }: { count: number; color: string; first: string; births: number; eats: Step[] },
): void {
  const agent = draft.place('agent', {
    name,
    color,
    initialNumber: String(count),
    space: 'Meadow',
    placement: 'random',
    size: 1.2,
  })
  draft.variable('energy', first, agent)
  const live = draft.process(
    'Live',
    [
      eachTick,
      move('Wander', 'turn', 'randint(-50, 50)'),
      move('Forward', 'forward', '1'),
      ...eats,
      fork('Starved?'),
      fork('Breed?', { by: 'probability' }),
    ],
    agent,
  )
  const [starved, breed] = [3 + eats.length, 4 + eats.length]
  const born = draft.branch(
    live,
    breed,
    [
      compute('Share the energy', 'energy = energy / 2'),
      [
        'create',
        { name: 'Bear one', population: name, as: 'offspring', count: '1', values: [{ property: 'energy', mode: 'inherit', value: '' }] },
      ],
      end('Born'),
    ],
    { weight: String(births / 100) },
  )
  const dies = draft.branch(born, starved, [['destroy', { name: 'Die' }], end('Starved')], { condition: 'energy < 0' })
  draft.branch(dies, breed, [end('Go on')], { weight: String(1 - births / 100) })
}

export const agents = {
  walk(draft: Draft, [walkers]: readonly [number]) {
    const walker = draft.place('agent', { name: 'Walker', initialNumber: String(walkers) })
    draft.variable('where', 0, walker)
    draft.process('Walk', always('Step', 'where += choice([-1, 1])'), walker)
    draft.statistic('spread', 'where', { over: walker, aggregate: 'std' })
  },

  wolves(draft: Draft, [sheep, wolves]: readonly [number, number]) {
    draft.place('space', { name: 'Meadow', topology: 'continuous', minX: '-20.5', maxX: '20.5', minY: '-20.5', maxY: '20.5' })
    draft.place('worldView', { name: 'View', space: 'Meadow' })
    const grass = draft.place('cell', { name: 'Grass', space: 'Meadow', color: '#5fae5a', order: 'fixed' })
    draft.variable('left', '0 if random() < 0.5 else randint(1, 30)', grass, { public: true })
    draft.process('Grow', always('Grow back', 'left = max(0, left - 1)\ncolor = "#b98b5e" if left > 0 else "#5fae5a"'), grass)
    animal(draft, 'Sheep', {
      count: sheep,
      color: '#f4f5f7',
      first: 'randint(0, 8)',
      births: 4,
      eats: [compute('Graze', 'energy -= 1\nif cell.left == 0:\n    cell.left = 30\n    energy += 4')],
    })
    animal(draft, 'Wolf', {
      count: wolves,
      color: '#3b3f4a',
      first: 'randint(0, 40)',
      births: 5,
      eats: [
        compute('Tire', 'energy += (20 if len(agents_on(cell, Sheep)) > 0 else 0) - 1'),
        ['destroy', { name: 'Eat a sheep', who: 'chosen', range: 'agents_on(cell, Sheep)', pick: 'random', limit: '1' }],
      ],
    })
    draft.statistic('sheep', 'Sheep.count')
    draft.statistic('wolves', 'Wolf.count')
    draft.chart('Populations', 'sheep', 'wolves')
  },

  segregation(draft: Draft, [density, wanted]: readonly [number, number]) {
    const lot = ground(draft, 'Lot', 40, true)
    draft.calls.push({ do: 'set', id: lot, field: 'capacity', value: 1 })
    draft.input('similar_wanted', wanted, 0, 100)
    const home = draft.place('agent', {
      name: 'Household',
      initialNumber: String(Math.round((1600 * density) / 100)),
      space: 'Ground',
      placement: 'emptyCells',
      shape: 'square',
    })
    for (const [name, first] of [
      ['group', 'randint(0, 1)'],
      ['happy', 'True'],
    ] as const)
      draft.variable(name, first, home)
    draft.process('Appear', once('color = "#0a6fb8" if group == 0 else "#e69f00"'), home)
    const live = draft.process(
      'Live',
      [
        eachTick,
        compute(
          'Look around',
          'others = len(neighbors(1.5))\nalike = sum(1 for n in neighbors(1.5) if n.group == group)\nhappy = alike >= others * similar_wanted / 100',
        ),
        fork('Happy?'),
        ['place', { name: 'To an empty lot', where: 'randomEmptyCell' }],
        end('Moved'),
      ],
      home,
    )
    draft.branch(live, 2, [end('Stays')], { condition: 'happy' })
    draft.statistic('unhappy', 'sum(1 for h in Household if not h.happy)')
  },

  vote(draft: Draft, [voters, acquaintances]: readonly [number, number]) {
    const voter = draft.place('agent', { name: 'Voter', initialNumber: String(voters), order: 'simultaneous' })
    const near = draft.place('link', {
      name: 'Acquaintance',
      source: voter,
      target: voter,
      generator: 'random',
      probability: String(Number(Math.min(1, acquaintances / Math.max(1, voters - 1)).toPrecision(6))),
    })
    draft.variable('yes', 'bernoulli(0.5)', voter)
    draft.process(
      'Listen',
      always('Ask the acquaintances', 'voices = [n.yes for n in relatives(Acquaintance)]\nif len(voices) > 0:\n    yes = choice(voices)'),
      voter,
    )
    draft.statistic('in favour', 'sum(1 for v in Voter if v.yes) / Voter.count')
    draft.chart('Vote', 'in_favour')
    draft.place('networkChart', { name: 'Acquaintances', links: [near] })
  },

  rumour(draft: Draft, [people, acquaintances, chance]: readonly [number, number, number]) {
    const person = draft.place('agent', { name: 'Person', initialNumber: String(people), order: 'simultaneous' })
    const near = draft.place('link', {
      name: 'Acquaintance',
      source: person,
      target: person,
      generator: 'smallWorld',
      neighbors: String(Math.max(1, Math.round(acquaintances / 2))),
      probability: '0.1',
    })
    draft.input('chance', chance, 0, 1)
    draft.variable('heard', 'id == 1', person)
    draft.process(
      'Rumour',
      always('Hear it', 'if not heard:\n    heard = any(n.heard and bernoulli(chance) for n in relatives(Acquaintance))'),
      person,
    )
    draft.statistic('know it', 'sum(1 for p in Person if p.heard) / Person.count')
    draft.chart('Rumour', 'know_it')
    draft.place('networkChart', { name: 'Acquaintances', links: [near] })
  },

  money(draft: Draft, [people, coins]: readonly [number, number]) {
    const person = draft.place('agent', { name: 'Person', initialNumber: String(people) })
    draft.variable('coins', coins, person, { public: true })
    draft.process(
      'Trade',
      always('Give a coin', 'if coins > 0:\n    taker = choice(Person.individuals)\n    coins -= 1\n    taker.coins += 1'),
      person,
    )
    draft.statistic('inequality', 'gini([p.coins for p in Person])')
    draft.statistic('richest', 'max(p.coins for p in Person)')
    draft.chart('Wealth', 'inequality')
  },

  life(draft: Draft, [width, alive]: readonly [number, number]) {
    const cell = ground(draft, 'Cell', width, true)
    draft.variable('live', `random() < ${alive / 100}`, cell)
    draft.process('Begin', once('if live:\n    color = "#1d3f8f"'), cell)
    draft.process(
      'Generation',
      always(
        'Live or die',
        'around = sum(1 for n in moore() if n.live)\nif live and (around < 2 or around > 3):\n    live = False\n    color = "#eef1f5"\nelif not live and around == 3:\n    live = True\n    color = "#1d3f8f"',
      ),
      cell,
    )
    draft.statistic('alive', 'sum(1 for c in Cell if c.live)')
    draft.chart('Life', 'alive')
  },

  fire(draft: Draft, [width, density]: readonly [number, number]) {
    const patch = ground(draft, 'Patch', width, false)
    draft.variable('state', `2 if x == 0 else 1 if random() < ${density / 100} else 0`, patch)
    draft.process('Begin', once('if state == 1:\n    color = "#2f7d4f"\nelif state == 2:\n    color = "#e8590c"'), patch)
    draft.process(
      'Burn',
      always(
        'Catch fire or go out',
        'if state == 2:\n    state = 3\n    color = "#4b4b52"\nelif state == 1 and any(n.state == 2 for n in von_neumann()):\n    state = 2\n    color = "#e8590c"',
      ),
      patch,
    )
    draft.statistic('burning', 'sum(1 for c in Patch if c.state == 2)')
    draft.statistic('burnt', 'sum(1 for c in Patch if c.state >= 2) / max(1, sum(1 for c in Patch if c.state >= 1))')
    draft.chart('Fire', 'burning')
  },

  opinion(draft: Draft, [people, tolerance]: readonly [number, number]) {
    const person = draft.place('agent', { name: 'Person', initialNumber: String(people) })
    draft.input('tolerance', tolerance, 0, 1)
    draft.variable('opinion', 'random()', person)
    draft.process(
      'Talk',
      always(
        'Meet somebody',
        'other = choice(Person.individuals)\nif abs(other.opinion - opinion) < tolerance:\n    opinion += (other.opinion - opinion) / 2',
      ),
      person,
    )
    draft.statistic('spread', 'opinion', { over: person, aggregate: 'std' })
    draft.chart('Opinions', 'spread')
  },
} as const
