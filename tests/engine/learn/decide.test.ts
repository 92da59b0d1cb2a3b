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

  test('Decide: a script is gone through by each decider for itself, over and over, and goes on from a snapshot', () => {
    const scripted = (script: string, ...actions: ReturnType<typeof act>[]): Built => world({ policy: 'scripted', script, actions })
    expect(logOf(scripted('0, 1, 3, 2', act('action', 3)))).toEqual(['0', '1', '3', '2', '0', '1'])
    expect(logOf(scripted('[1, 2], [0, 3]', act('action'), act('forced', 3)))).toEqual(['1', '0', '1', '0', '1', '0'])
    const run = begin(scripted('0, 1, 3, 2', act('action', 3)))
    run.advance({ ticks: 2 })
    run.takeOutput()
    const kept = run.snapshot()
    const again = begin(scripted('0, 1, 3, 2', act('action', 3)))
    again.restore(kept)
    again.advance()
    expect(again.takeOutput().map(line => line.text)).toEqual(['3', '2', '0', '1'])
    const each = agents(
      'Bird',
      { initialNumber: '2' },
      variable('turn', 0),
      process('Fly', start(every(1)), decide({ policy: 'scripted', script: '3, 1', actions: [act('turn', 3)] }), log('[id, turn]'), end()),
    )
    const lines = logOf(model(scenario({ totalTicks: 3 }), each))
    expect(lines.filter(line => line.startsWith('[1'))).toEqual(
      lines.filter(line => line.startsWith('[2')).map(line => line.replace('[2', '[1')),
    )
    for (const script of ['', '0, x', '[0, 1]', '9', '0.5'])
      expect(codesOf(scripted(script, act('action', 3)))).toEqual(['9031 Play-Choose script'])
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
    const button = controller('control', 'forced', { type: 'button' })
    expect(codes({ policy: 'person', controller: 'control', actions: [act('action')] }, button)).toContain(`9031 ${id} controller`)
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

describe('Decide: a person who is asked', () => {
  const asking = (fields: Fields = {}): Built =>
    model(
      scenario({ totalTicks: 4 }),
      variable('sum', 0),
      variable('took', 0),
      element('statistic', 'Sum', { expression: 'sum' }),
      process(
        'Play',
        start(every(1)),
        decide({ policy: 'person', observation: see('sum'), actions: [act('took', 3)], ...fields }),
        compute('sum += took'),
        log('sum'),
        end(),
      ),
    )

  test('Decide: the run waits at the decision, and goes on with the answer as with a formula', () => {
    const answers = [2, 0, 3, 1]
    const run = begin(asking(), { hasPerson: true })
    const steps: string[] = []
    while (!run.result) {
      expect(run.advance({ ticks: 100 })).toBe(run.result === null)
      if (run.result) break
      expect(run.isAsking).toBe(true)
      expect(run.decisions.asked).toMatchObject({ owner: -1, allowed: null })
      steps.push(`${run.time} ${String(run.decisions.asked?.seen[0])}`)
      // Nothing comes without an answer.
      run.advance()
      expect(run.time).toBe(steps.length)
      run.answer(answers[steps.length - 1]!)
    }
    expect(steps).toEqual(['1 0', '2 2', '3 2', '4 5'])
    const told = begin(asking({ policy: 'formula', choice: '[2, 0, 3, 1][tick - 1]' }))
    told.advance()
    expect(run.hash()).toBe(told.hash())
    expect(run.summary().statistics).toEqual(told.summary().statistics)
    expect(run.takeOutput()).toEqual(told.takeOutput())
  })

  test('Decide: who waits for a person is kept with the run, and what is answered is remembered to learn from', () => {
    const run = begin(asking(), { hasPerson: true })
    run.decisions.record()
    run.advance()
    run.answer(3)
    run.advance()
    const kept = run.snapshot()
    run.answer(1)
    run.advance()
    const before = [run.time, run.value('sum'), run.isAsking]
    const again = begin(asking(), { hasPerson: true })
    again.restore(kept)
    expect(again.isAsking).toBe(true)
    again.answer(1)
    again.advance()
    expect([again.time, again.value('sum'), again.isAsking]).toEqual(before)
    expect(again.hash()).toBe(run.hash())
    expect(run.decisions.recordings[0]!.rows.map(row => row.action)).toEqual([3, 1])
  })

  test('Decide: where nobody is there to be asked, or what is answered is not possible, the run ends', () => {
    expect(failureOf(asking()).slice(0, 5)).toBe('10065')
    const run = begin(asking(), { hasPerson: true })
    run.advance()
    run.answer(7)
    run.advance()
    expect(run.result).toMatchObject({ end: 'failed', problem: { code: 10065, at: { id: 'Play-Choose' } } })
    expect(failureOf(asking({ observation: see('1e308 * 10') }), { hasPerson: true })).toContain('10015')
  })

  test('Decide: individuals are asked one after the other at one instant, and nobody who is done or gone', () => {
    const each = agents(
      'Bird',
      { initialNumber: '3' },
      variable('turn', 0),
      process(
        'Fly',
        start(every(1)),
        decide({ policy: 'person', observation: see('id'), actions: [act('turn', 3)], done: 'id == 2' }),
        log('[id, turn, tick]'),
        end(),
      ),
    )
    const run = begin(model(scenario({ totalTicks: 1 }), each), { hasPerson: true })
    const asked: unknown[] = []
    for (let answer = 1; run.advance(); answer++) {
      asked.push(run.decisions.asked?.seen[0])
      run.answer(answer)
    }
    expect(asked).toEqual([1, 3])
    const lines = run.takeOutput().map(line => line.text)
    expect(new Set(lines)).toEqual(new Set(['[1, 1, 1]', '[2, 0, 1]', '[3, 2, 1]']))
  })
})

describe('Decide: together', () => {
  const birds = (fields: Fields, count = 3): Built =>
    model(
      scenario({ totalTicks: 2 }),
      variable('taken', 0),
      network({ inputs: 1, outputs: 4, layers: '9' }),
      agents(
        'Bird',
        { initialNumber: String(count) },
        variable('turn', 0),
        process(
          'Fly',
          start(every(1)),
          decide({ observation: see('taken + id'), actions: [act('turn', 3)], ...fields }),
          compute('taken += 1'),
          log('[id, turn]'),
          end(),
        ),
      ),
    )

  test('Decide: together all see what was before any of them acted, and act in their order', () => {
    const choice = { policy: 'formula', choice: 'min(taken, 3)' }
    const turns = (acting: string): string[] => logOf(birds({ ...choice, acting })).map(line => line.slice(4, 5))
    const who = (acting: string): string[] => logOf(birds({ ...choice, acting })).map(line => line.slice(1, 2))
    expect(turns('single')).toEqual(['0', '1', '2', '3', '3', '3'])
    expect(turns('together')).toEqual(['0', '0', '0', '3', '3', '3'])
    expect(who('together')).toEqual(who('single'))
  })

  test('Decide: a network that decides for many at once decides for each as it would alone', () => {
    const fields = { policy: 'network', network: 'net', acting: 'together', observation: see('id / 7') }
    const [alone, at] = [begin(birds({ ...fields, acting: 'single' }, 70)), begin(birds(fields, 70))]
    for (const run of [alone, at]) run.advance()
    expect(new Set(at.takeOutput().map(line => line.text))).toEqual(new Set(alone.takeOutput().map(line => line.text)))
  })

  test('Decide: learning is told of all before any of them acts', () => {
    const run = begin(birds({ acting: 'together' }))
    const seen: unknown[] = []
    run.decisions.decider = {
      inputs: 1,
      decide: decision => (seen.push(decision.seen[0]), 1),
      ended: () => undefined,
    }
    run.advance({ ticks: 1 })
    expect(seen.map(value => Math.round(10 * Number(value))).sort((a, b) => a - b)).toEqual([-8, -6, -4])
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
