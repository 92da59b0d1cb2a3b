// Neural networks in formulas and Decide steps: what policies choose, in which order things are worked out, and what is refused.
import { describe, expect, test } from 'vitest'
import { encodeWeights } from '../../../sim-engine/learn/network.ts'
import type { Decision, Ended } from '../../../sim-engine/run/decisions.ts'
import {
  agents,
  compute,
  controller,
  destroy,
  element,
  end,
  every,
  exclusive,
  log,
  model,
  otherwise,
  process,
  scenario,
  start,
  variable,
  when,
  from,
  type Built,
  type Fields,
  type Part,
} from '../../help/models.ts'
import { begin, codesOf, failureOf, logOf } from '../../help/runs.ts'

const network = (fields: Fields = {}) => element('network', 'net', fields)
const linear = (weights: readonly number[], fields: Fields = {}) =>
  network({ inputs: 2, outputs: 2, layers: '', weights: 'onnx', data: encodeWeights(Float32Array.from(weights)), ...fields })
const decide = (fields: Fields, name = 'Choose') => element('decide', name, fields)
const see = (...values: readonly string[]) => values.map((value, k) => ({ name: `s${k}`, value, low: 0, high: 10 }))
const act = (variable: string, high = 1, more: Fields = {}) => ({ variable, low: 0, high, whole: true, ...more })

/** A world that counts ticks and decides in each. */
const world = (fields: Fields, ...more: readonly Part[]): Built =>
  model(
    scenario({ totalTicks: 6 }),
    variable('n', 0),
    variable('action', 0),
    variable('forced', 2, { public: true }),
    ...more,
    process('Play', start(every(1)), compute('n += 1'), decide(fields), log('action'), end()),
  )

describe('neural network: formulas', () => {
  test('neural network: predict, best, chances, value and draw are those of its weights', () => {
    // Outputs: 1 * a + 2 * b + .5 and 3 * a - b - .5.
    const weights = [1, 3, 2, -1, 0.5, -0.5]
    const ask = (formula: string, fields: Fields = {}): string[] =>
      logOf(model(scenario({ totalTicks: 1 }), linear(weights, fields), process('P', start(every(1)), log(formula), end())))
    expect(ask('net.predict([1, 2])')).toEqual(['[5.5, 0.5]'])
    expect(ask('net.best([1, 2])')).toEqual(['0'])
    expect(ask('net.best([3, 1])')).toEqual(['1'])
    expect(ask('net.value([0, 0])')).toEqual(['0.5'])
    expect(ask('round(net.chances([0, 0])[0], 6)')).toEqual(['0.731059'])
    expect(ask('round(sum(net.predict([0, 0])), 6)', { outputForm: 'softmax' })).toEqual(['1'])
    expect(ask('sum([net.draw([0, 0]) for k in range(2000)]) / 2000 < 0.3')).toEqual(['True'])
    expect(ask('[net.best([a, 1]) for a in [0, 1, 3]]')).toEqual(['[0, 0, 1]'])
  })

  test('neural network: random weights are the same each time, and others with another seed', () => {
    const ask = (seed: number): string[] =>
      logOf(model(scenario({ totalTicks: 1 }), network({ seed }), process('P', start(every(1)), log('net.predict([1, 2, 3, 4])'), end())))
    expect(ask(1)).toEqual(ask(1))
    expect(ask(1)).not.toEqual(ask(2))
  })

  test('neural network: what does not fit is refused by the checker, or ends the run', () => {
    const codes = (fields: Fields): string[] => codesOf(model(scenario(), network(fields), process('P', start(every(1)), end())))
    expect(codes({})).toEqual([])
    expect(codes({ layers: '64, x' })).toEqual(['9032 net layers'])
    expect(codes({ inputs: 600 })).toEqual(['9032 net inputs'])
    expect(codes({ layers: '1024,1024,1024' })).toEqual(['9032 net layers'])
    expect(codes({ weights: 'experiment' })).toEqual(['9032 net weights'])
    expect(codes({ weights: 'onnx', data: 'AAAA' })).toEqual(['9032 net weights'])
    expect(codes({ inputs: 2, outputs: 1, layers: '', weights: 'onnx', data: encodeWeights(Float32Array.of(1, NaN, 0)) })).toEqual([
      '9032 net weights',
    ])
    const fails = (formula: string): string =>
      failureOf(model(scenario({ totalTicks: 1 }), network(), variable('x', 0), process('P', start(every(1)), log(formula), end())))
    expect(fails('net.predict([1, 2])')).toContain('10066')
    expect(fails('net.best([1, 2, 3, inf])')).toContain('10015')
  })
})

describe('Decide: policies', () => {
  test('Decide: at random takes all values, by a formula that one, by a person that of the control', () => {
    const random = logOf(world({ policy: 'random', actions: [act('action', 3)] }))
    expect(new Set(random).size).toBeGreaterThan(1)
    expect(random.every(line => ['0', '1', '2', '3'].includes(line))).toBe(true)
    expect(logOf(world({ policy: 'formula', choice: 'n % 2', actions: [act('action')] }))).toEqual(['1', '0', '1', '0', '1', '0'])
    const person = world(
      { policy: 'person', controller: 'control', actions: [act('action', 5)] },
      controller('control', 'forced', { type: 'slider' }),
    )
    expect(logOf(person)).toEqual(['2', '2', '2', '2', '2', '2'])
  })

  test('Decide: a network sees scaled observations, and its best allowed action is taken', () => {
    // The second output is n scaled from 0..10 to -1..1, the first 0: above 5 the second is the largest.
    const net = linear([0, 1, 0, 0, 0, 0])
    const fields: Fields = { policy: 'network', network: 'net', observation: see('n', '0'), actions: [act('action')] }
    const many = model(
      scenario({ totalTicks: 8 }),
      variable('n', 0),
      variable('action', 0),
      net,
      process('Play', start(every(1)), compute('n += 1'), decide(fields), log('action'), end()),
    )
    expect(logOf(many)).toEqual(['0', '0', '0', '0', '0', '1', '1', '1'])
    expect(logOf(world({ ...fields, actions: [act('action', 1, { allowed: '[1]' })] }, net))).toEqual(['1', '1', '1', '1', '1', '1'])
  })

  test('Decide: one output sets a continuous action between its bounds, and individuals decide for themselves', () => {
    const each = agents(
      'Bird',
      { initialNumber: '2' },
      variable('speed', 0),
      process(
        'Fly',
        start(every(1)),
        decide({
          policy: 'network',
          network: 'net',
          observation: see('id * 5'),
          actions: [{ variable: 'speed', low: 10, high: 20, whole: false }],
        }),
        log('speed'),
        end(),
      ),
    )
    const net = network({ inputs: 1, outputs: 1, layers: '', weights: 'onnx', data: encodeWeights(Float32Array.of(1, 0)) })
    const lines = logOf(model(scenario({ totalTicks: 1 }), net, each))
    expect(lines.every(line => Number(line) >= 10 && Number(line) <= 20)).toBe(true)
    expect(new Set(lines).size).toBe(2)
  })

  test('Decide: decisions that are recorded, which take the long way, are those that are not', () => {
    const each = agents(
      'Bird',
      { initialNumber: '40' },
      variable('x', 'uniform(0, 10)'),
      variable('turn', 0),
      process(
        'Fly',
        start(every(1)),
        decide({
          policy: 'network',
          network: 'net',
          observation: see('x', '10 - x'),
          actions: [act('turn', 3)],
          reward: 'x',
          done: 'x > 9',
        }),
        compute('x = (3 * x + turn) % 10'),
        end(),
      ),
    )
    const built = model(scenario({ totalTicks: 12 }), network({ inputs: 2, outputs: 4, layers: '9' }), each)
    const [short, long] = [begin(built, { seed: 3 }), begin(built, { seed: 3 })]
    long.decisions.record()
    for (const run of [short, long]) run.advance()
    expect(short.result?.end).toBe('success')
    expect(short.hash()).toBe(long.hash())
    expect(long.decisions.recordings[0]!.rows.length).toBeGreaterThan(200)
  })

  test('Decide: what is missing or does not fit is refused', () => {
    const codes = (fields: Fields, ...more: readonly Part[]): string[] => codesOf(world(fields, ...more))
    const id = 'Play-Choose'
    expect(codes({ actions: [] })).toEqual([`9031 ${id} actions`])
    expect(codes({ actions: [act('action'), act('action')] })).toEqual([`9031 ${id} actions/1/variable`])
    expect(codes({ actions: [act('nobody')] })[0]).toContain(`8002 ${id} actions/0/variable`)
    expect(codes({ policy: 'formula', actions: [act('action')] })).toEqual([`8001 ${id} choice`])
    expect(codes({ policy: 'person', actions: [act('action')] })).toEqual([`9031 ${id} controller`])
    expect(codes({ policy: 'network', observation: see('n'), actions: [act('action')] })).toEqual([`9031 ${id} network`])
    expect(codes({ actions: [act('action')], reward: 'uniform(0, 1)' })).toEqual([`8002 ${id} reward`])
    expect(codes({ policy: 'network', network: 'net', observation: see('n'), actions: [act('action', 4)] }, network())).toEqual([
      `9032 ${id} network`,
    ])
  })

  test('Decide: actions out of range, or none, and inputs of another number end the run', () => {
    const code = (fields: Fields, ...more: readonly Part[]): string => failureOf(world(fields, ...more)).slice(0, 5)
    expect(code({ policy: 'formula', choice: '7', actions: [act('action')] })).toBe('10065')
    expect(code({ policy: 'formula', choice: '0.5', actions: [act('action')] })).toBe('10065')
    expect(code({ policy: 'random', actions: [act('action', 1, { allowed: '[]' })] })).toBe('10065')
    expect(code({ policy: 'network', network: 'net', observation: see('n'), actions: [act('action')] }, network())).toBe('10066')
    expect(code({ policy: 'random', observation: see('1e308 * 10'), actions: [act('action')] })).toBe('10015')
  })
})

describe('Decide: what a learner is told', () => {
  type Told = Pick<Decision, 'seen' | 'reward' | 'done' | 'owner' | 'time'> | Pick<Ended, 'owner' | 'reward' | 'terminated'>
  function told(built: Built, choice = 1): Told[] {
    const run = begin(built)
    const all: Told[] = []
    run.decisions.decider = {
      inputs: null,
      decide({ seen, reward, done, owner, time }) {
        all.push({ seen, reward, done, owner, time })
        return choice
      },
      ended: ({ owner, reward, terminated }) => all.push({ owner, reward, terminated }),
    }
    run.advance()
    run.decisions.end(run.result?.end === 'terminated')
    return all
  }

  test('Decide: rewards are those of the action before, the last one at the end of the run, which truncates', () => {
    const all = told(
      world({
        observation: see('n'),
        actions: [act('action')],
        reward: 'n + action',
        parts: [{ name: 'more', value: 'action', weight: 10 }],
      }),
    )
    expect(all.map(one => one.reward)).toEqual([null, 13, 14, 15, 16, 17, 17])
    expect(all.at(-1)).toEqual({ owner: -1, reward: 17, terminated: false })
    expect(all[4]).toMatchObject({ seen: [0], done: false, time: 5 })
  })

  test('Decide: when done, the episode ends without another action, and a new one may begin', () => {
    const all = told(world({ observation: see('n'), actions: [act('action')], reward: '1', done: 'n == 3' }))
    expect(all.map(one => ('done' in one ? `${one.reward} ${one.done}` : `${one.reward} end`))).toEqual([
      'null false',
      '1 false',
      '1 true',
      'null false',
      '1 false',
      '1 false',
      '1 end',
    ])
  })

  test('Decide: who dies closes its episode while it still lives', () => {
    const each = agents(
      'Fly',
      { initialNumber: '1' },
      variable('age', 0),
      variable('a', 0),
      process(
        'Live',
        start(every(1)),
        compute('age += 1'),
        decide({ observation: see('age'), actions: [act('a')], reward: 'age' }),
        exclusive('old'),
        when('age >= 3'),
        destroy(),
        end(),
        from('old'),
        otherwise(),
        compute('a = a'),
        end(),
      ),
    )
    const all = told(model(scenario({ totalTicks: 6 }), each))
    expect(all.map(one => one.reward)).toEqual([null, 2, 3, 3])
    expect(all.at(-1)).toMatchObject({ terminated: true })
  })

  test('Decide: a run goes on from a snapshot as it would have', () => {
    const built = world({ observation: see('n'), actions: [act('action', 3)], reward: 'n', policy: 'random' })
    const whole = begin(built, { seed: 5 })
    whole.advance()
    const first = begin(built, { seed: 5 })
    first.advance({ ticks: 3 })
    const second = begin(built, { seed: 5 })
    second.restore(first.snapshot())
    second.advance()
    expect(second.hash()).toBe(whole.hash())
    expect(second.takeOutput().map(line => line.text)).toEqual(
      whole
        .takeOutput()
        .map(line => line.text)
        .slice(3),
    )
  })
})
