// Entities in formulas: handles in typed code, references elsewhere; queries fused into loops that allocate nothing.
import { describe, expect, it } from 'vitest'
import type { EntityLoop } from '../../../sim-engine/formula.ts'
import { Ref } from '../../../sim-engine/formula.ts'
import { check, generate, outcome, run, SmallWorld } from '../../help/formulas.ts'

const inside = (source: string): string => generate(check(source, 'expression'))

describe('values', () => {
  it.each([
    ['energy', '10'],
    ['self.energy', '10'],
    ['sum(w.energy for w in Wolf)', '100'],
    ['Wolf.count', '4'],
    ['len(Wolf)', '4'],
    ['len(Wolf.individuals)', '4'],
    ['[w.energy for w in neighbors(2)]', '[20, 30]'],
    ['sum(w.energy for w in neighbors(3) if w.happy)', '30'],
    ['any(w.happy for w in neighbors(2))', 'True'],
    ['all(w.happy for w in Wolf)', 'False'],
    ['count(w for w in Wolf if w.happy)', '2'],
    ['mean(w.energy for w in Wolf)', '25'],
    ['max(w.energy for w in neighbors(2))', '30'],
    ['max(Wolf, key=lambda w: w.energy).energy', '40'],
    ['min(neighbors(9), key=lambda w: w.energy).energy', '20'],
    ['min(Wolf, key=lambda w: w.energy) == self', 'True'],
    ['nearest(Wolf).energy', '20'],
    ['nearest(Wolf, to=nearest(Wolf)) == self', 'True'],
    ['distance(nearest(Wolf))', '1'],
    ['distance(self, (3, 4))', '5'],
    ['direction_to(nearest(Wolf))', '0'],
    ['[w.energy for w in sorted(Wolf, key=lambda w: -w.energy)]', '[40, 30, 20, 10]'],
    ['filter(lambda w: w.energy > 15, neighbors(2))[0].energy', '20'],
    ['map(lambda w: w.energy, neighbors(2))', '[20, 30]'],
    ['choice(Wolf).energy in [10, 20, 30, 40]', 'True'],
    ['choice([w for w in Wolf if w.energy > 30]).energy', '40'],
    ['choice(w for w in neighbors(9) if w != self and w.energy < 30).energy', '20'],
    ['choice([w.friend for w in Wolf if w.energy == 10]) is None', 'True'],
    ['choice([[w, w.energy] for w in Wolf if w.energy == 10])[1]', '10'],
    ['len(sample(Wolf, 2))', '2'],
    ['sorted(w.energy for w in sample(Wolf, 4))', '[10, 20, 30, 40]'],
    ['sorted(w.energy for w in sample(Wolf.individuals, k=4))', '[10, 20, 30, 40]'],
    ['sorted(set(w.energy for w in choices(Wolf, weights=[0, 1, 0, 1], k=30)))', '[20, 40]'],
    ['len(choices(Wolf))', '1'],
    ['self in Wolf', 'True'],
    ['nearest(Wolf) in neighbors(1)', 'True'],
    ['self in neighbors(9)', 'False'],
    ['leader.energy', '20'],
    ['leader == nearest(Wolf)', 'True'],
    ['leader is not None', 'True'],
    ['leader.friend == self', 'True'],
    ['self.friend is None', 'True'],
    ['self.friend or leader == self', 'False'],
    ['(self.friend or leader).energy', '20'],
    ['(leader if flag else self).energy', '10'],
    ['[self, leader][1].energy', '20'],
    ['{"a": leader}["a"].energy', '20'],
    ['len({self, leader, self})', '2'],
    ['{self: 1}[self]', '1'],
    ['[w for w in neighbors(2)] == neighbors(2)', 'True'],
    ['str(self)', "'Wolf 0'"],
    ['f"{leader}"', "'Wolf 1'"],
    ['not self.friend', 'True'],
    ['len(shortest_path(Knows, nearest(Wolf)))', '2'],
    ['[n.energy for n in relatives(Knows, 2)]', '[20, 30]'],
    ['len(components(Knows))', '2'],
    ['sum(len(group) for group in components(Knows))', '4'],
    ['[a.energy + b.energy for a in neighbors(1) for b in neighbors(2)]', '[40, 50]'],
    ['sum(1 for a in Wolf for b in Wolf if a != b)', '12'],
    ['any(a.energy < b.energy for a in Wolf for b in a.friend and [a.friend] or [])', 'False'],
    ['link_between(Knows, leader) is None', 'False'],
    ['thing is None', 'True'],
    ['len(Wolf) > 3 and Wolf.count == 4', 'True'],
    ['enumerate(Wolf)[1][1].energy', '20'],
    ['[i * w.energy for i, w in enumerate(neighbors(2))]', '[0, 30]'],
    ['max([w.energy for w in Wolf])', '40'],
    ['Wolf.individuals[2].energy', '30'],
    ['Wolf.individuals[-1].energy', '40'],
  ])('%s is %s', (source, expected) => {
    expect(outcome(source)).toBe(expected)
  })

  it('a stored entity is one object, whatever road it took', () => {
    const { variables, world } = run('pack.append(leader)\nthing = nearest(Wolf)\nanyone = leader\npack.append(thing)', 'program')
    const one = world.ref(world.of('wolf'), 1)
    expect(one).toBeInstanceOf(Ref)
    expect(variables['pack']).toEqual([one, one])
    expect(variables['thing']).toBe(one)
    expect(variables['anyone']).toBe(one)
  })
  it('a typed variable holds a handle, None is -1', () => {
    expect(run('leader = self', 'program').variables['leader']).toBe(0)
    expect(run('leader = None', 'program').variables['leader']).toBe(-1)
    expect(run('leader = thing', 'program').variables['leader']).toBe(-1)
    expect(run('x0 = [self]\nleader = x0[0]', 'program').variables['leader']).toBe(0)
    expect(outcome('thing = 5\nleader = thing', 'program')).toBe('ERROR 10012 19-24')
  })
  it('properties of others are set by dot', () => {
    expect(
      run('leader.energy = 7\nfor w in neighbors(9): w.happy = True\nthing = leader\nthing.energy += 1', 'program').world,
    ).toMatchObject({ energy: [10, 8, 30, 40], happy: [true, true, true, true] })
  })
  it('the dead and the missing are errors', () => {
    expect(outcome('self.friend.energy')).toBe('ERROR 10014 0-11')
    expect(outcome('die(leader)\ntotal = leader.energy', 'program')).toMatch(/ERROR 10053 20-26/)
  })
  it('creation', () => {
    const { world, variables } = run(
      'w = create(Wolf, energy=5, happy=True)\nws = create(Wolf, 2, energy=w.energy * 2)\ntotal = sum(a.energy for a in ws)\nscores = [a.energy for a in Wolf]',
      'program',
    )
    expect(world.energy).toEqual([10, 20, 30, 40, 5, 10, 10])
    expect(variables).toMatchObject({ total: 20, scores: [10, 20, 30, 40, 5, 10, 10] })
    expect(outcome('create(Wolf, -1)', 'program')).toBe('ERROR 10039 13-15')
  })
  it('a loop that kills skips the dead', () => {
    const { variables } = run(
      'total = 0\nfor w in Wolf:\n  if w != self:\n    die(w)\n  if w == self: die(Wolf.individuals[1])\n  total += 1',
      'program',
    )
    expect(variables['total']).toBe(3)
  })
})

describe('generated code', () => {
  it('one of those that fit: no reference is made', () => {
    expect(inside('choice([w for w in Wolf if w.happy]).energy')).not.toMatch(/F\.refs|W\.ref|F\.unref/)
  })
  it('some of a whole population: references are made of those alone', () => {
    for (const all of ['Wolf', 'Wolf.individuals']) expect(inside(`sample(${all}, 2)`)).toContain('F.sample(S, W.individuals(P.wolf), 2')
  })
  it('reductions over entities make no list', () => {
    for (const source of [
      'sum(w.energy for w in Wolf)',
      'any(w.happy for w in neighbors(3))',
      'count(w for w in Wolf if w.happy)',
      'max(Wolf, key=lambda w: w.energy)',
      'mean(w.energy for w in Wolf)',
    ]) {
      expect(inside(source)).not.toMatch(/\[\]|push|=>|Array|F\.refs|W\.ref/)
    }
  })
  it('typed arithmetic is what a person would write', () => {
    expect(inside('energy * 2 + x - 1')).toContain('return (((W.energy[self] * 2) + W.x[self]) - 1);')
    expect(inside('energy > 5 and happy')).toContain('return ((W.energy[self] > 5) && W.happy[self]);')
    expect(inside('1 < energy < 5')).not.toContain('F.')
    const program = generate(check('total = total * 0.5 + energy\nfor i in range(3): total += i', 'program'))
    expect(program).not.toMatch(/F\.(add|mul|number|items)/)
  })
  it('the engine may loop in its own way', () => {
    const loops: EntityLoop[] = []
    const target = {
      entityLoop(loop: EntityLoop) {
        loops.push(loop)
        return loop.query.name === 'neighbors' ? `${loop.label}: for (const ${loop.item} of [1, 3]) {\n${loop.body}}\n` : undefined
      },
    }
    const f = run(
      'total = sum(w.energy for w in neighbors(2))\nfor w in neighbors(5):\n  if w.happy: break\n  total += 1\nfor s in Sheep: total += 100',
      'program',
      { target },
    )
    expect(f.variables['total']).toBe(60 + 2 + 200)
    expect(loops.map(({ query, ordered }) => [query.name, query.of, query.args[0], ordered])).toEqual([
      ['neighbors', 'wolf', '2', false],
      ['neighbors', 'wolf', '5', true],
      ['individuals', 'sheep', 'P.sheep', true],
    ])
  })
  it('conditions read once what is used twice', () => {
    const world = new SmallWorld()
    let asked = 0
    world.distance = () => ++asked
    expect(run('0 < distance(leader) < 5', 'condition', { world }).value).toBe(true)
    expect(asked).toBe(1)
  })
  it('evaluation follows the text, and stops where Python stops', () => {
    const order: number[] = []
    const variables = { double: (a: number) => (order.push(a), a) }
    run(
      '[double(1) + double(2) * double(3), double(4) < double(5) < double(6), double(0) and double(7), double(8) or double(9)]',
      'expression',
      { variables },
    )
    expect(order).toEqual([1, 2, 3, 4, 5, 6, 0, 8])
    order.length = 0
    run('any(double(i) > 1 for i in [1, 2, 3]) or all(double(i) for i in [9])', 'expression', { variables })
    expect(order).toEqual([1, 2])
  })
})
