// Ticks that start processes with tokens as WebAssembly change nothing: builds with them (plain) and without (debug) agree on everything that is kept.
import { describe, expect, it } from 'vitest'
import { below, stream, type Stream } from '../../../sim-engine/kernel/random.ts'
import { lowerProcesses } from '../../../sim-engine/lower/processes/process.ts'
import { start } from '../../../sim-engine/run.ts'
import type { Model } from '../../../model-schema/model.ts'
import {
  agents,
  compute,
  create,
  delay,
  destroy,
  end,
  event,
  every,
  exclusive,
  from,
  log,
  model,
  otherwise,
  process,
  release,
  request,
  resource,
  scenario,
  start as startStep,
  statistic,
  variable,
  when,
  type Entry,
  type Part,
} from '../../help/models.ts'
import { compare, programOf, stateOf, times } from '../../help/ways.ts'

/** Steps that wait: for time, for a desk, for both. */
function work(s: Stream): Part[] {
  const desk = `desk${below(s, 3)}`
  const length = times[below(s, times.length)]!
  const kinds: (() => Part[])[] = [
    () => [delay(length)],
    () => [event('timer', { delay: length })],
    () => [request(desk), delay(length), release(desk)],
    () => [delay(length, '', { resources: [{ container: desk, amount: '1', key: '' }], after: 'size += 1' })],
  ]
  return Array.from({ length: 1 + below(s, 2) }, () => kinds[below(s, kinds.length)]!()).flat()
}

/** Ticks start processes with tokens, without owners and of individuals that may be born or die in the middle of one. */
function tickedModel(seed: number): Model {
  const s = stream(seed, 0, 'ticked')
  const one = <T>(of: readonly T[]): T => of[below(s, of.length)]!
  const comes = (most: number): Part[] => (below(s, 2) === 0 ? [create('Guest', below(s, most))] : [])
  const way = (name: string, ...work: readonly Entry[]): Entry[] => [
    exclusive(`${name} which`),
    when(one(['random() < 0.3', 'size > 20', 'tick % 3 == 1'])),
    ...work,
    end(),
    from(`${name} which`),
    otherwise(),
  ]
  const visit = (name: string): Part =>
    process(
      name,
      variable('tag', one(['0', 'random()', 'tick'])),
      startStep(every(1)),
      compute(one(['n += 1', 'n = random() + tag', 'size += n'])),
      ...way(name, ...work(s)),
      ...(below(s, 3) === 0 ? [log('n')] : []),
      ...comes(2),
      ...(below(s, 3) === 0 ? way(`${name} end`, destroy()) : []),
      end(),
    )
  return model(
    scenario({ totalTicks: 40 }),
    variable('base', '0.8'),
    variable('size', '0'),
    variable('share', '1'),
    variable('open', true),
    ...[0, 1, 2].map(k => resource(`desk${k}`, 2 + below(s, 3), { order: one(['fifo', 'lifo', 'priority']), strict: below(s, 4) === 0 })),
    ...(below(s, 2) === 0 ? [process('Day', startStep(every(1)), ...way('day', ...work(s)), compute('size += 1'), end())] : []),
    agents(
      'Guest',
      { initialNumber: String(2 + below(s, 9)), order: one(['fixed', 'shuffled']), maximum: '60' },
      variable('n', '0'),
      ...(below(s, 2) === 0 ? [visit('Visit'), visit('Look')] : [visit('Visit')]),
    ),
    ...(below(s, 2) === 0 ? [statistic('mean', 'size + share', { sample: 'event', aggregate: 'mean' })] : []),
    ...(below(s, 2) === 0 ? [statistic('now', 'size')] : []),
  ).model
}

describe('ticks of processes with tokens', () => {
  it('gives the same states where ticks start processes: 30 random models', () => {
    let ticks = 0
    for (let seed = 1; seed <= 30; seed++) {
      const made = tickedModel(seed)
      compare(made, seed, [7.5, 15, 22])
      if (lowerProcesses(programOf(made, false))?.ticks) ticks++
    }
    expect(ticks).toBeGreaterThan(20)
  })

  it('takes ticks where something has to be looked at after each event the general way, token by token', () => {
    const built = model(
      scenario({ totalTicks: 12 }),
      variable('size', '0'),
      resource('desk0', 1),
      process('Watch', startStep(every('3.5')), event('condition', { condition: 'size > 40' }), compute('size = 0'), end()),
      agents(
        'Guest',
        { initialNumber: '30', order: 'shuffled' },
        process('Visit', startStep(every(1)), compute('size += 1'), request('desk0'), delay('0.05'), release('desk0'), end()),
      ),
    ).model
    expect(lowerProcesses(programOf(built, false))?.ticks).toEqual([0])
    compare(built, 3, [2, 5, 9])
  })

  it('stops a tick at the same token', () => {
    for (const [text, code] of [
      ['n = 1 / (25 - size)', 10018],
      ['n = size * 1e308', 10015],
    ] as const) {
      const built = model(
        scenario({ totalTicks: 30 }),
        variable('size', '0'),
        agents(
          'Guest',
          { initialNumber: '10', order: 'shuffled' },
          variable('n', '0'),
          process('Visit', startStep(every(1)), compute('size += 1'), compute(text), delay('0.5'), end()),
        ),
      ).model
      const runs = [false, true].map(debug => start(programOf(built, debug), { seed: 2, nativeFrom: 0 }))
      for (const run of runs) run.advance()
      expect(stateOf(runs[0]!)).toEqual(stateOf(runs[1]!))
      expect(runs[0]!.result).toMatchObject({ end: 'failed', problem: { code } })
    }
  })
})
