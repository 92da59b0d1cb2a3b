// Links that come and go, and births and deaths of their nodes, in loops as WebAssembly: the same state as in the general way.
import { describe, expect, it, vi } from 'vitest'
import { explain } from '../../../sim-engine/compile/explain.ts'
import { visit } from '../../../sim-engine/ir.ts'
import { NotLowered } from '../../../sim-engine/lower/scope.ts'
import { RowImage } from '../../../sim-engine/rows/image.ts'
import { rowsProgram } from '../../../sim-engine/rows/module.ts'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import type { Model } from '../../../model-schema/model.ts'
import { english } from '../../../model-schema/words.ts'
import { agents, compute, delay, end, every, links, model, process, scenario, start, variable } from '../../help/models.ts'
import { start as begin } from '../../../sim-engine/run.ts'
import { compare, programOf } from '../../help/ways.ts'

type Kind = {
  readonly directed?: boolean
  readonly repeatable?: boolean
  readonly selfLinks?: boolean
  readonly duplicate?: string
  readonly tokens?: boolean
  readonly order?: string
}

const pub = { public: true }

const world = (program: string, { directed, repeatable, selfLinks, duplicate, tokens, order }: Kind): Model =>
  model(
    scenario({ totalTicks: 16 }),
    variable('total', 0),
    agents(
      'Person',
      { initialNumber: '24', order: order ?? 'fixed', maximum: '300' },
      variable('mood', 'randint(0, 3)', pub),
      variable('energy', 'random()', pub),
      process('Go', start(every(1)), compute(program), end()),
      process('See', start(every(1)), compute('energy += 0.001 * degree(Knows) + 0.01 * sum(p.mood for p in relatives(Knows))'), end()),
    ),
    agents(
      'Club',
      { initialNumber: '5' },
      variable('size_now', 0, pub),
      ...(tokens ? [process('Stay', start(), delay('5'), compute('size_now += 1'), end())] : []),
    ),
    links(
      'Knows',
      {
        source: 'Person',
        target: 'Person',
        generator: 'randomCount',
        number: '40',
        directed: directed ?? false,
        repeatable: repeatable ?? false,
        selfLinks: selfLinks ?? false,
        duplicate: duplicate ?? 'existing',
        weight: '0.5 + total',
      },
      variable('seen', 'source.mood + 1', pub),
      variable('label', '"new"', pub),
      process('Age', start(every(1)), compute('seen += weight\nif seen > 30:\n    die()'), end()),
    ),
    links('Member', { source: 'Person', target: 'Club', directed: directed ?? false, weight: '1' }, variable('since', 'time', pub)),
  ).model

const lines = [
  'other = choice(Person)\nif other != self:\n    connect(Knows, other)',
  'other = choice(Person)\nif other != self:\n    l = connect(Knows, other, self, random())\n    l.seen = 2\n    energy += l.weight',
  'a = choice(Person)\nb = choice(Person)\nif a != b:\n    connect(Knows, a, b)\n    total += 0.01',
  'for l in links_of(Knows):\n    if random() < 0.2:\n        die(l)',
  'for l in Knows:\n    if l.seen > 20 and random() < 0.1:\n        die(l)',
  'if random() < 0.05:\n    remove_node(Knows)',
  'if random() < 0.05:\n    remove_node(Knows, choice(Person))',
  'if random() < 0.1:\n    child = create(Person, energy=0.5)\n    connect(Knows, child)\n    for p in relatives(Knows):\n        if random() < 0.3 and p != child:\n            connect(Knows, p, child)',
  'if random() < 0.08 and Person.count > 4:\n    die()',
  'if random() < 0.05 and Person.count > 6:\n    other = choice(Person)\n    if other != self:\n        die(other)',
  'connect(Member, choice(Club))',
  'for l in links_of(Member):\n    if time - l.since > 3:\n        l.target.size_now -= 1\n        die(l)',
  'if random() < 0.1:\n    club = create(Club)\n    connect(Member, club)\nelif random() < 0.1 and Club.count > 1:\n    die(choice(Club))',
  'l = link_between(Knows, choice(Person)) if energy > 0.5 else None\nif l is not None:\n    die(l)',
  'if degree(Knows) > 0:\n    l = choice(links_of(Knows))\n    l.seen += 1\n    if random() < 0.2:\n        die(l)',
  'p = choice(Person)\nenergy += 0.01 * len(links_of(Knows, p))\nif len(links_of(Knows, p)) > 1:\n    choice(links_of(Knows, p)).seen += 2',
  'c = choice(Club)\nif len(links_of(Member, c)) > 0:\n    choice(links_of(Member, c)).since -= 1\nif len(links_of(Member)) > 1:\n    choice(links_of(Member)).target.size_now += 1',
]
/** Links that are found by the neighbour at their other end. */
const told = [
  'for p in relatives(Knows):\n    l = link_between(Knows, p)\n    l.seen += 0.1 * p.mood\n    energy += l.weight',
  'energy += 0.01 * sum(link_between(Knows, p).seen for p in relatives(Knows) if p.mood > 0)',
  'if degree(Knows) > 0:\n    other = choice(relatives(Knows))\n    l = link_between(Knows, other)\n    l.seen += 1',
  'friends = relatives(Knows)\nif len(friends) > 0:\n    other = choice(friends)\n    link_between(Knows, other).seen += 1\n    link_between(Knows, self, other).seen += 0.5',
  'friends = relatives(Knows)\nfor p in friends:\n    link_between(Knows, p).seen += 0.25\n    for q in relatives(Knows, 1, False, p):\n        l = link_between(Knows, q, p)\n        k = link_between(Knows, q)\n        if k is not None:\n            k.seen += 0.01 * l.weight',
  'friends = relatives(Knows)\nif energy > 0.5:\n    friends = relatives(Knows, 1, False, choice(Person))\nfor p in friends:\n    l = link_between(Knows, p)\n    if l is not None:\n        l.seen += 0.1',
  'other = choice(Person)\nif degree(Knows) > 0:\n    other = choice(relatives(Knows))\nl = link_between(Knows, other)\nif l is not None:\n    l.seen += 1',
  'for k in range(3):\n    if degree(Knows) > 0:\n        other = choice(relatives(Knows))\n        link_between(Knows, other).seen += k',
]
const failing = [
  'connect(Knows, self)',
  'for p in [p for p in Person if p.mood > 1]:\n    connect(Knows, p)',
  'friend = choice(Person)\nif friend != self:\n    die(friend)\n    connect(Knows, friend)',
  'remove_node(Knows, choice(Person) if random() < 0.9 else None)',
  'total += choice(links_of(Knows)).seen',
]
const kinds: readonly Kind[] = [
  {},
  { directed: true },
  { repeatable: true, order: 'shuffled' },
  { directed: true, repeatable: true, selfLinks: true, tokens: true },
  { selfLinks: true, order: 'simultaneous' },
  { duplicate: 'error' },
]

const whyOf = (of: Model): string[] =>
  explain(programOf(of, false)).flatMap(({ process: name, steps }) => (name === 'Club.Stay' ? [] : steps.map(({ why }) => english(why))))

describe('links that come and go in loops', () => {
  it.each([...lines, ...told, ...failing].map((line, at) => [line, at] as const))('%s', (line, at) => {
    for (const kind of kinds) {
      const of = world(line, kind)
      expect(whyOf(of)).toEqual([])
      compare(of, at, [3, 9])
    }
  })

  it.each(Array.from({ length: 40 }, (_, k) => k))('several in one program, seed %i', seed => {
    const s = stream(seed, 0, 'networks')
    const is = (): boolean => below(s, 2) === 0
    const order = ['fixed', 'shuffled', 'simultaneous'][below(s, 3)]!
    const kind = { directed: is(), repeatable: is(), selfLinks: is(), tokens: is(), order }
    const program = Array.from({ length: 3 }, () => lines[below(s, lines.length)]!).join('\n')
    compare(world(program, kind), seed, [2, 7])
  })

  it('visits each relative once, also where the body goes through relatives of others', () => {
    const of = (program: string): Model =>
      model(
        scenario({ totalTicks: 2 }),
        agents(
          'Person',
          { initialNumber: '30' },
          variable('n', 0, pub),
          variable('m', 0, pub),
          process('Go', start(every(1)), compute(program), end()),
        ),
        links('Knows', { source: 'Person', target: 'Person', generator: 'randomCount', number: '150', repeatable: true }),
      ).model
    const nested = of('for a in relatives(Knows):\n    n += 1\n    for b in relatives(Knows, 1, False, a):\n        m += 1')
    const listed = of(
      'first = list(relatives(Knows))\nfor a in first:\n    n += 1\n    second = list(relatives(Knows, 1, False, a))\n    m += len(second)',
    )
    const states = [nested, listed].flatMap(one =>
      [0, 1e9].map(nativeFrom => {
        const run = begin(programOf(one, false), { seed: 3, nativeFrom })
        run.advance()
        return run.snapshot().state
      }),
    )
    for (const state of states) expect(state).toEqual(states[0])
  })

  it.each([false, true])('counts and chooses links of a node without going through them, directed: %s', directed => {
    const loopsOf = (program: string): number => {
      const made = rowsProgram(programOf(world(program, { directed }), false), new Set())
      if (made instanceof NotLowered) throw made
      let loops = 0
      visit(made.passes.lower.fns.get('each0')!.body, { stmt: s => void (loops += Number(s.kind === 'loop')) })
      return loops
    }
    const chooses = 'if len(links_of(Knows)) > 0:\n    choice(links_of(Knows, choice(Person))).seen += 1'
    expect(loopsOf(chooses)).toBe(loopsOf('energy += 1'))
    expect(loopsOf('for l in links_of(Knows):\n    energy += l.seen')).toBeGreaterThan(loopsOf('energy += 1'))
  })
})

describe('a network that grows', () => {
  const grown = (order: string): Model =>
    model(
      scenario({ totalTicks: 300 }),
      agents(
        'Node',
        { initialNumber: '5', order },
        variable('n', 'random()', pub),
        variable('label', '"first"', pub),
        process('See', start(every(1)), compute('n += degree(Tie)\nif n > 40:\n    label = "rich"'), end()),
      ),
      links('Tie', { source: 'Node', target: 'Node', generator: 'complete' }, variable('age', 0, pub)),
      process(
        'Grow',
        start(every(1)),
        compute(
          'ends = []\nfor k in range(2):\n    l = choice(Tie)\n    ends.append(l.source if random() < 0.5 else l.target)\nfor k in range(3):\n    new = create(Node, label="late" if random() < 0.5 else "first")\n    for o in ends:\n        connect(Tie, o, new)',
        ),
        end(),
      ),
    ).model

  it.each(['fixed', 'shuffled', 'simultaneous'])('keeps the state of the general way, %s', order => {
    compare(grown(order), 4, [40, 120])
  })

  it('stays where it is while populations and blocks of links are made longer', () => {
    const copied = vi.spyOn(RowImage.prototype, 'copyIn')
    const run = begin(programOf(grown('fixed'), false), { seed: 1, nativeFrom: 0 })
    run.advance()
    expect(run.world.populations[0]!.count).toBe(905)
    expect(copied).toHaveBeenCalledTimes(1)
    copied.mockRestore()
  })
})
