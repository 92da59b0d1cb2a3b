// What a run says at its end: statistics that fail, a warm-up that covers the run, tokens that wait in vain, heirs.
import { english } from '../../../model-schema/words.ts'
import { describe, expect, it } from 'vitest'
import { beginCase, checkCase } from '../../help/cases.ts'
import {
  agents,
  boundary,
  compute,
  delay,
  end,
  every,
  exclusive,
  from,
  log,
  model,
  otherwise,
  parallel,
  process,
  release,
  request,
  resource,
  scenario,
  start,
  statistic,
  terminate,
  to,
  variable,
  when,
} from '../../help/models.ts'
import type { Built } from '../../help/models.ts'
import { begin, codesOf } from '../../help/runs.ts'

const summaryOf = (built: Built, options = {}) => {
  const run = begin(built, options)
  run.advance()
  return run.summary()
}

describe('statistics at the end', () => {
  it('statistics at the end: one that fails ends the run as failed, at its formula', () => {
    const run = beginCase('statistic-division')
    run.advance()
    expect(run.result).toMatchObject({
      end: 'failed',
      time: 3,
      problem: { code: 10018, at: { id: 'statistic3', field: 'expression', from: 0, to: 5 } },
    })
  })
  it('statistics at the end: the others are kept, however the run ended', () => {
    const stops = [end(), terminate('enough')]
    for (const stop of stops) {
      const summary = summaryOf(
        model(
          scenario({ totalTicks: 5 }),
          variable('n', 0),
          process('P', start({ trigger: 'timer', first: '3', every: '' }), stop),
          statistic('before', 'time', { sample: 'end' }),
          statistic('wrong', '1 / n', { sample: 'end' }),
          statistic('also', '[1][n + 4]', { sample: 'end' }),
          statistic('after', 'time + 1', { sample: 'end' }),
        ),
      )
      const time = stop === stops[0] ? 5 : 3
      expect(summary.statistics).toEqual({ before: time, wrong: null, also: null, after: time + 1 })
      // The first failure is reported.
      expect(summary.result).toMatchObject({ end: 'failed', problem: { code: 10018, at: { id: 'wrong' } } })
    }
  })
  it('statistics at the end: a run that failed before keeps its own reason', () => {
    const summary = summaryOf(
      model(
        variable('n', 0),
        process('P', start(), compute('n = [1][7]', 'think'), end()),
        statistic('wrong', '1 / n', { sample: 'end' }),
        statistic('right', 'n', { sample: 'end' }),
      ),
    )
    expect(summary.result).toMatchObject({ end: 'failed', problem: { code: 10022, at: { id: 'P-think' } } })
    expect(summary.statistics).toEqual({ wrong: null, right: 0 })
  })
})

describe('warm-up', () => {
  const desk = (warmUp: number): Built =>
    model(
      scenario({ totalTicks: 100, warmUp }),
      resource('Clerk', 1),
      process('P', start(every(1)), request('Clerk'), delay(2), release('Clerk'), end()),
      statistic('wait', 'Clerk.mean_wait', { sample: 'end' }),
      statistic('queue', 'Clerk.queue', { kind: 'time' }),
      statistic('most', 'Clerk.queue', { aggregate: 'max' }),
    )
  it('warm-up: one that covers the run leaves no data, and a warning', () => {
    for (const warmUp of [100, 150]) {
      const { statistics, containers, warnings, result } = summaryOf(desk(warmUp))
      expect(result.end).toBe('success')
      expect(statistics).toEqual({ wait: null, queue: null, most: null })
      expect(containers['Clerk']).toMatchObject({ level: 0, inUse: 1, capacity: 1, meanWait: null, utilization: null, meanQueue: null })
      expect(warnings).toMatchObject([{ code: 9030, severity: 'warning', at: { field: 'warmUp' } }])
      expect(codesOf(desk(warmUp))).toEqual(['warning 9030 scenario1 warmUp'])
    }
  })
  it('warm-up: a shorter run, or one that ends early, is warned about when it has ended', () => {
    expect(codesOf(desk(60))).toEqual([])
    expect(summaryOf(desk(60), { ticks: 60 })).toMatchObject({ statistics: { wait: null }, warnings: [{ code: 9030 }] })
    const whole = summaryOf(desk(60))
    expect(whole.warnings).toBeUndefined()
    expect(whole.statistics).toMatchObject({ wait: expect.any(Number), queue: expect.any(Number), most: expect.any(Number) })
    expect(summaryOf(desk(60), { ticks: 61 }).statistics['wait']).toEqual(expect.any(Number))
  })
})

it('shifts: work suspended at the end of a shift was never above the capacity', () => {
  const run = beginCase('shift-suspend')
  run.advance()
  expect(run.summary().containers['staff']).toMatchObject({ minLevel: 0, maxLevel: 1, preemptions: 1, served: 2, inUse: 0 })
  expect(run.summary().publics['trace']).toEqual([
    ['done', 10],
    ['second', 11],
  ])
})

describe('parallel joins', () => {
  it('parallel joins: one whose tokens come from different starts is warned about, in the check and in the results', () => {
    expect(checkCase('assembly-join').problems).toMatchObject([{ code: 10046, severity: 'warning', at: { id: 's_P-j' } }])
    const run = beginCase('assembly-join')
    run.advance()
    const { warnings } = run.summary()
    expect(warnings).toMatchObject([{ code: 10046, at: { id: 's_P-j' } }])
    expect(english(warnings![0]!.message)).toContain('4 tokens')
  })
  const joined = (...parts: Parameters<typeof process>[1][]): string[] =>
    codesOf(model(variable('x', 0), process('P', start(), ...(parts as []), parallel('join'), log('x'), end())))
  it('parallel joins: a split before it makes it possible, also one further out or by a border event', () => {
    expect(joined(parallel('fork'), to('join'), from('fork'), delay(1))).toEqual([])
    // Two flows out of an activity are a split.
    expect(joined(compute('x += 1', 'two'), to('join'), from('two'), delay(1))).toEqual([])
    expect(
      codesOf(
        model(
          variable('x', 0),
          process(
            'P',
            start(),
            delay(5, 'work'),
            parallel('join'),
            end(),
            boundary('work', 'timer', { delay: '1', interrupting: false }),
            to('join'),
          ),
        ),
      ),
    ).toEqual([])
  })
  it('parallel joins: an exclusive split or an interrupting border event alone cannot fill it', () => {
    expect(joined(exclusive('way'), when('x > 1'), to('join'), from('way'), otherwise(), delay(1))).toEqual(['warning 10046 P-join'])
    expect(
      codesOf(
        model(process('P', start(), delay(5, 'work'), parallel('join'), end(), boundary('work', 'timer', { delay: '1' }), to('join'))),
      ),
    ).toEqual(['warning 10046 P-join'])
  })
})

it('inheritance: results count heirs as formulas do', () => {
  const run = beginCase('inherit')
  run.advance()
  const { statistics, populations } = run.summary()
  expect(populations).toEqual({ Animal: 5, Dog: 2 })
  // count, individuals, a loop, a choice, and the statistic over the population.
  expect(statistics).toMatchObject({ c: [5, 2, 5, 5, 2, expect.any(Number), 5, 5], over_: 5 })
  const three = model(
    agents('A', { initialNumber: '1' }),
    agents('B', { inherits: 'A', initialNumber: '2' }),
    agents('C', { inherits: 'B', initialNumber: '4' }),
    process('P', start(), end()),
    statistic('n', '[A.count, B.count, C.count]', { sample: 'end' }),
  )
  expect(summaryOf(three)).toMatchObject({ populations: { A: 7, B: 6, C: 4 }, statistics: { n: [7, 6, 4] } })
})
