// Queries around another individual, who may be None or dead: the same state and the same failure in each build.
import { describe, expect, it } from 'vitest'
import type { Model } from '../../../model-schema/model.ts'
import { start as begin } from '../../../sim-engine/run.ts'
import { agents, cells, compute, end, every, links, model, process, scenario, space, start, variable } from '../../help/models.ts'
import { compare, programOf } from '../../help/ways.ts'

const pub = { public: true }

const world = (program: string, dies: boolean, isNone: boolean): Model =>
  model(
    scenario({ totalTicks: 6 }),
    space('Land', { minX: '0', maxX: '5', minY: '0', maxY: '5' }),
    cells('Plot', { space: 'Land' }, variable('grass', 'random()', pub)),
    agents(
      'Hare',
      { initialNumber: '30', space: 'Land', placement: 'cells' },
      variable('n', 0, pub),
      variable('friend', 'None', pub),
      process('Look', start(every(1)), compute(program), end()),
      process(
        'Choose',
        start(every(1)),
        compute(isNone ? 'if random() < 0.7:\n    friend = choice(Hare)' : 'friend = choice(Hare)'),
        end(),
      ),
      ...(dies ? [process('Die', start(every(1)), compute('if random() < 0.2:\n    die()'), end())] : []),
    ),
    links('Ties', { source: 'Hare', target: 'Hare', generator: 'randomCount', number: '60' }),
  ).model

const queries = ['relatives(Ties, 1, False, OF)', 'links_of(Ties, OF)', 'moore(1, OF)', 'neighbors(1, Hare, OF)']
const programs = [
  'if time > 1:\n    for a in QUERY:\n        n += 1',
  'who = friend\nif time > 1:\n    for a in QUERY:\n        n += 1',
  'if time > 1:\n    n = sum(1 for a in QUERY)',
  'who = friend\nif time > 1:\n    n = len(QUERY)',
  'if time > 1 and len(QUERY) > 0:\n    a = choice(QUERY)\n    n += 1',
  'who = friend\nif time > 1:\n    a = list(QUERY)\n    n += len(a)',
  'who = self\nif n > 5:\n    die()\nfor a in QUERY:\n    n += 1',
]
const all = programs.flatMap(program =>
  queries.map(query => program.replaceAll('QUERY', query.replace('OF', program.startsWith('who') ? 'who' : 'friend'))),
)

describe('queries around others', () => {
  it.each(all)('%s', program => {
    for (const dies of [false, true]) for (const isNone of [false, true]) compare(world(program, dies, isNone), 3, [2, 4])
  })

  it('None and the dead have nobody around them', () => {
    const codeOf = (dies: boolean, isNone: boolean, nativeFrom: number): number | undefined => {
      const run = begin(programOf(world(all[0]!, dies, isNone), false), { seed: 3, nativeFrom })
      run.advance()
      return run.result?.end === 'failed' ? run.result.problem.code : undefined
    }
    for (const nativeFrom of [0, 1e9]) {
      expect(codeOf(false, false, nativeFrom)).toBeUndefined()
      expect(codeOf(false, true, nativeFrom)).toBe(10014)
      expect(codeOf(true, false, nativeFrom)).toBe(10053)
    }
  })

  it.each(['len(QUERY)', 'sum(1 for a in QUERY)', 'len(list(QUERY))', 'choice(QUERY).id'])(
    'who acts and has died has nobody around: %s',
    formula => {
      for (const query of ['relatives(Ties)', 'links_of(Ties)', 'moore()', 'neighbors(1, Hare)', 'agents_on(cell, Hare)']) {
        const of = world(`if random() < 0.3:\n    die()\nn += ${formula.replace('QUERY', query)}`, false, false)
        compare(of, 3, [0.5, 4])
        const run = begin(programOf(of, false), { seed: 3, nativeFrom: 0 })
        run.advance()
        if (query.endsWith('(Ties)')) expect(run.result, query).toMatchObject({ end: 'failed', problem: { code: 10053 } })
      }
    },
  )
})
