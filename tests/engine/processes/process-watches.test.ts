// Tokens that watch for timers and conditions, as WebAssembly: builds with it (plain) and without (debug) agree on everything that is kept.
import { describe, expect, it, vi } from 'vitest'
import { explain } from '../../../sim-engine/compile/explain.ts'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import { lowerProcesses } from '../../../sim-engine/lower/processes/process.ts'
import { start } from '../../../sim-engine/run.ts'
import { processProgram } from '../../../sim-engine/run/fast/process-module.ts'
import { Watches } from '../../../sim-engine/run/watches.ts'
import { english } from '../../../model-schema/words.ts'
import type { Model } from '../../../model-schema/model.ts'
import {
  agents,
  boundary,
  compute,
  delay,
  end,
  event,
  exclusive,
  from,
  log,
  model,
  operate,
  otherwise,
  process,
  release,
  request,
  resource,
  scenario,
  start as startStep,
  statistic,
  to,
  variable,
  when,
  type Entry,
  type Fields,
  type Part,
} from '../../help/models.ts'
import { compare, programOf } from '../../help/ways.ts'

/** Tokens that give up, are interrupted or wait by conditions and timers; some go the general way. */
function watchfulModel(seed: number): Model {
  const s = stream(seed, 0, 'watchful')
  const one = <T>(list: readonly T[]): T => list[below(s, list.length)]!
  const gap = () => one(['exponential(1)', 'exponential(0.8)', '1', 'uniform(0, 2)', '0.5'])
  const conditions = ['size % 5 == 0', 'desk0.queue > 2', 'gone > size / 2', 'time % 7 > 4', 'isOpen', 'desk1.queue == 0', 'not isOpen']
  const condition = () => one(seed % 9 === 0 ? [...conditions, 'random() < 0.5'] : conditions)
  const held = (): Fields => (below(s, 3) === 0 ? { resources: [{ container: one(['desk1', 'desk2']), amount: '1', key: '' }] } : {})
  const watching = (host: string, back: string): Entry[] =>
    Array.from({ length: below(s, 3) }, (_, k): Entry[] => {
      const aside = below(s, 4) === 0 ? { interrupting: false } : {}
      const by: Part =
        below(s, 2) === 0
          ? boundary(host, 'timer', { delay: one(['1', '0', 'exponential(1)', 'patience', 'patience * 2']), ...aside }, `${host} ${k}`)
          : boundary(host, 'condition', { condition: condition(), ...aside }, `${host} ${k}`)
      return [by, compute('gone += 1'), ...(below(s, 3) === 0 ? [to(back)] : [end()])]
    }).flat()
  const asking = (name: string, desk: string): Entry[] => [
    operate(
      'request',
      desk,
      1,
      {
        ...(below(s, 3) > 0 ? { giveUpWhen: condition() } : {}),
        ...(below(s, 3) === 0 ? { timeout: one(['1', 'exponential(2)', 'patience']) } : {}),
      },
      `${name} ask`,
    ),
    ...(below(s, 5) === 0 ? [log('size', `${name} told`)] : []),
    delay(gap()),
    release(desk),
    compute('size += 1', `${name} done`),
  ]
  const refused = (name: string): Entry[] => [from(`${name} ask`), otherwise(), compute('gone += 1'), end()]
  const timed = (): Part => startStep({ trigger: 'timer', every: gap() })
  return model(
    scenario({ totalTicks: 60, ticking: below(s, 3) === 0 }),
    ...['desk0', 'desk1', 'desk2'].map(name => resource(name, 1 + below(s, 3), { order: one(['fifo', 'lifo', 'priority']) })),
    variable('size', '0'),
    variable('gone', '0'),
    variable('patience', '1.5'),
    variable('isOpen', 'True'),
    process('P', timed(), ...asking('P', 'desk0'), end(), ...refused('P')),
    process('Q', timed(), delay(gap(), 'Q work', held()), compute('size += 1', 'Q then'), end(), ...watching('Q work', 'Q then')),
    process('R', timed(), event('condition', { condition: condition() }, 'R wait'), delay(gap()), compute('size += 1'), end()),
    process('S', startStep({ trigger: 'condition', condition: condition() }), request('desk2'), delay(gap()), release('desk2'), end()),
    process(
      'T',
      timed(),
      operate('request', 'desk1', 1, {}, 'T ask'),
      delay(gap()),
      release('desk1'),
      compute('size += 1', 'T then'),
      end(),
      ...watching('T ask', 'T then'),
    ),
    process('Doors', startStep({ trigger: 'timer', every: '3' }), compute('isOpen = not isOpen'), end()),
    agents(
      'Guest',
      { initialNumber: below(s, 2) === 0 ? '3' : '0' },
      variable('calm', 'random()'),
      process(
        'Visit',
        startStep(),
        delay(gap(), 'stay'),
        operate('request', 'desk0', 1, { giveUpWhen: 'desk0.queue > 3 * calm' }, 'want'),
        delay(gap()),
        release('desk0'),
        delay('1', 'rest'),
        exclusive('home?'),
        when('calm < 0.01'),
        end(),
        from('home?'),
        otherwise(),
        to('stay'),
        from('want'),
        otherwise(),
        compute('calm *= 0.9'),
        to('rest'),
      ),
    ),
  ).model
}

const patientModel = (fields: Fields, ...more: Entry[]): Model =>
  model(
    scenario({ totalTicks: 3000, ticking: false }),
    resource('desk', 1),
    variable('left', '0'),
    statistic('end left', 'left', { sample: 'end' }),
    process(
      'P',
      startStep({ trigger: 'timer', every: 'exponential(1)' }),
      operate('request', 'desk', 1, fields, 'ask'),
      delay('exponential(1)', 'work'),
      release('desk'),
      end(),
      ...more,
    ),
  ).model

describe('tokens that watch, as WebAssembly', () => {
  it('gives the same states where tokens watch conditions and timers: 40 random models', () => {
    let looked = 0
    for (let seed = 1; seed <= 40; seed++) {
      const of = watchfulModel(seed)
      if (lowerProcesses(programOf(of, false))!.looks) looked++
      compare(of, seed, [below(stream(seed, 7, 'cuts'), 20) + 0.3, 45])
    }
    expect(looked).toBeGreaterThan(25)
  })

  it.each([
    ['gives up by a condition', patientModel({ giveUpWhen: 'desk.queue > 3' }, from('ask'), otherwise(), compute('left += 1'), end())],
    [
      'is interrupted by a timer',
      patientModel({}, boundary('work', 'timer', { delay: '1' }, 'late'), compute('left += 1'), release('desk'), end()),
    ],
    [
      'is interrupted by a condition',
      patientModel({}, boundary('ask', 'condition', { condition: 'desk.queue > 3' }), compute('left += 1'), end()),
    ],
  ])('%s without the general way', (_, of) => {
    const program = programOf(of, false)
    expect(explain(program).map(({ runs }) => english(runs))).toEqual(['with tokens, as WebAssembly'])
    const run = start(program, { seed: 1, nativeFrom: 0 })
    run.advance({ until: 500 })
    const fired = vi.spyOn(Watches.prototype, 'fire')
    const looks = vi.spyOn(Watches.prototype, 'look')
    run.advance()
    expect(run.summary().statistics['end_left']).toBeGreaterThan(200)
    expect(fired.mock.calls.length + looks.mock.calls.length).toBeLessThan(20)
    fired.mockRestore()
    looks.mockRestore()
  })

  it('leaves the look at conditions out of programs that have none', () => {
    const fns = (of: Model): string[] => [...processProgram(lowerProcesses(programOf(of, false))!).inline.fns.keys()]
    expect(fns(patientModel({}))).not.toContain('lookOn')
    expect(fns(patientModel({ giveUpWhen: 'desk.queue > 3' }, from('ask'), otherwise(), end()))).toContain('lookOn')
  })
})
