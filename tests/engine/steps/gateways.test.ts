import { describe, expect, it } from 'vitest'
import {
  agents,
  compute,
  delay,
  end,
  exclusive,
  flow,
  from,
  gateway,
  inclusive,
  log,
  model,
  otherwise,
  parallel,
  process,
  scenario,
  start,
  to,
  variable,
  weight,
  when,
} from '../../help/models.ts'
import { failureOf, logOf, runOf } from '../../help/runs.ts'

const events = scenario({ ticking: false, totalTicks: 100 })
const at = (text: string, name = '') => log(`f"${text} {time}"`, name)

describe('exclusive gateway', () => {
  it('takes the first branch that satisfies, in the order of the flows', () => {
    const built = model(
      events,
      variable('x', 5),
      process(
        'P',
        start(),
        exclusive('which'),
        when('x > 3'),
        log('"big"'),
        end(),
        from('which'),
        when('x > 1'),
        log('"small"'),
        end(),
        from('which'),
        otherwise(),
        log('"none"'),
        end(),
      ),
    )
    expect(logOf(built)).toEqual(['big'])
  })
  it('takes the default when none does, and fails without one', () => {
    const branches = (last: ReturnType<typeof otherwise>) =>
      model(
        events,
        variable('x', 0),
        process('P', start(), exclusive('which'), when('x > 3'), log('"big"'), end(), from('which'), last, log('"rest"'), end()),
      )
    expect(logOf(branches(otherwise()))).toEqual(['rest'])
    expect(failureOf(branches(when('x > 9')))).toBe('10044 P-which type')
  })
  it('by probability: weights are normalised', () => {
    const built = model(
      scenario({ totalTicks: 3000 }),
      variable('a', 0, { public: true }),
      variable('b', 0, { public: true }),
      process(
        'P',
        start({ trigger: 'timer', every: '1' }),
        exclusive('which', { by: 'probability' }),
        weight(3),
        compute('a += 1'),
        end(),
        from('which'),
        weight(1),
        compute('b += 1'),
        end(),
      ),
    )
    const { a, b } = runOf(built).summary.publics
    expect(Number(a) + Number(b)).toBe(3000)
    expect(Math.abs(Number(a) - 2250)).toBeLessThan(3 * Math.sqrt(3000 * 0.75 * 0.25))
  })
  it('weights that add up to nothing are an error', () => {
    const built = model(
      events,
      process(
        'P',
        start(),
        exclusive('which', { by: 'probability' }),
        weight(0),
        log('"a"'),
        end(),
        from('which'),
        weight(0),
        log('"b"'),
        end(),
      ),
    )
    expect(failureOf(built)).toBe('10045 P-which type')
  })
})

describe('parallel gateway', () => {
  it('a fork runs its branches in the order of their flows; the join waits for all', () => {
    const built = model(
      events,
      process(
        'P',
        start(),
        parallel('fork'),
        delay(3, 'slow'),
        at('slow'),
        parallel('join'),
        at('joined'),
        end(),
        from('fork'),
        delay(1, 'fast'),
        at('fast'),
        to('join'),
      ),
    )
    expect(logOf(built)).toEqual(['fast 1', 'slow 3', 'joined 3'])
  })
  it('takes exactly one token from each flow; surplus stays', () => {
    // Two tokens come by the first flow, one by the second.
    const built = model(
      events,
      process(
        'P',
        start(),
        parallel('fork'),
        parallel('fork2'),
        log('"a"'),
        exclusive('merge'),
        parallel('join'),
        log('"joined"'),
        end(),
        from('fork2'),
        log('"b"'),
        to('merge'),
        from('fork'),
        delay(1),
        to('join'),
      ),
    )
    const { output, summary } = runOf(built)
    expect(output).toEqual(['a', 'b', 'joined'])
    expect(summary.tokensLeft).toEqual([{ process: 'P', step: 'join', count: 1 }])
  })
  it('an activity with several flows out is a fork', () => {
    const built = model(events, process('P', start(), log('"x"', 'x'), log('"a"'), end(), from('x'), log('"b"'), end()))
    expect(logOf(built)).toEqual(['x', 'a', 'b'])
  })
})

describe('inclusive gateway', () => {
  const built = (x: number, y: number) =>
    model(
      events,
      variable('x', x),
      variable('y', y),
      process(
        'P',
        start(),
        inclusive('split'),
        when('x > 0'),
        delay(1),
        at('x'),
        inclusive('join'),
        at('joined'),
        end(),
        from('split'),
        when('y > 0'),
        delay(2),
        at('y'),
        to('join'),
        from('split'),
        otherwise(),
        at('none'),
        to('join'),
      ),
    )
  it('follows all that satisfy and waits for those that were taken', () => {
    expect(logOf(built(1, 1))).toEqual(['x 1', 'y 2', 'joined 2'])
    expect(logOf(built(1, 0))).toEqual(['x 1', 'joined 1'])
    expect(logOf(built(0, 0))).toEqual(['none 0', 'joined 0'])
  })
  it('goes on when a token it waited for turns away', () => {
    const away = model(
      events,
      process(
        'P',
        start(),
        inclusive('split'),
        when('True'),
        delay(1),
        at('a'),
        inclusive('join'),
        at('joined'),
        end(),
        from('split'),
        when('True'),
        delay(3),
        exclusive('turn'),
        when('False'),
        log('"never"'),
        to('join'),
        from('turn'),
        otherwise(),
        at('away'),
        end(),
      ),
    )
    expect(logOf(away)).toEqual(['a 1', 'away 3', 'joined 3'])
  })
})

describe('synchronizing join', () => {
  it('the original has its own temporaries as of the split; what branches find out they share through variables', () => {
    const built = model(
      scenario({ ticking: false, totalTicks: 10 }),
      variable('shared', 0),
      process(
        'P',
        start(),
        variable('own', 1),
        parallel('fork'),
        compute('own += 10\nshared += own', 'a'),
        gateway('synchronizing', 'join'),
        log('[own, shared]'),
        end(),
        from('fork'),
        compute('own += 100\nshared += own', 'b'),
        to('join'),
      ),
    )
    expect(logOf(built)).toEqual(['[1, 112]'])
  })
  it('waits until every sibling has arrived or ended, then the original goes on', () => {
    const built = model(
      events,
      process(
        'P',
        start(),
        variable('n', 7),
        parallel('fork'),
        delay(1),
        compute('n = 99'),
        gateway('synchronizing', 'sync'),
        log('f"{n} {time}"'),
        end(),
        from('fork'),
        delay(4),
        at('ended'),
        end(),
        from('fork'),
        delay(2),
        to('sync'),
      ),
    )
    expect(logOf(built)).toEqual(['ended 4', '7 4'])
  })
})

describe('m-of-n join', () => {
  it('goes on with the m-th and swallows the rest until all came', () => {
    const built = model(
      events,
      process(
        'P',
        start(),
        parallel('fork'),
        delay(1),
        gateway('mofn', 'join', { needed: '2' }),
        at('go'),
        end(),
        from('fork'),
        delay(2),
        to('join'),
        from('fork'),
        delay(3),
        to('join'),
      ),
    )
    expect(logOf(built)).toEqual(['go 2'])
  })
  it('in a loop, the next round may begin before the last token of this one has come', () => {
    const built = model(
      events,
      process(
        'P',
        start(),
        variable('k', 0),
        exclusive('again'),
        parallel('fork'),
        delay('1 + k'),
        gateway('mofn', 'join', { needed: '2' }),
        compute('k += 1'),
        at('go'),
        exclusive('more'),
        when('k < 3'),
        to('again'),
        from('more'),
        otherwise(),
        end(),
        from('fork'),
        delay('2 + k'),
        to('join'),
        from('fork'),
        delay('9 + k'),
        to('join'),
      ),
    )
    expect(logOf(built)).toEqual(['go 2', 'go 5', 'go 9'])
    const { summary } = runOf(built)
    expect([summary.time, summary.tokensLeft]).toEqual([16, []])
  })
})

describe('formulas of a gateway', () => {
  it('before runs once per incoming token, after once per outgoing one', () => {
    const built = model(
      events,
      variable('ins', 0, { public: true }),
      variable('outs', 0, { public: true }),
      process(
        'P',
        start(),
        parallel('fork', { before: 'ins += 1', after: 'outs += 1' }),
        log('"a"'),
        end(),
        from('fork'),
        log('"b"'),
        end(),
        from('fork'),
        log('"c"'),
        end(),
      ),
    )
    expect(runOf(built).summary.publics).toEqual({ ins: 1, outs: 3 })
  })
})

describe('token filter', () => {
  const pool = (release: string) =>
    logOf(
      model(
        scenario({ totalTicks: 20 }),
        process(
          'P',
          start({ trigger: 'timer', every: '1', maximum: '6', first: '1' }),
          exclusive('pool', { by: 'filter', release, every: '5' }),
          at('out'),
          end(),
        ),
      ),
    )
  it('collects tokens and releases by a rule every n ticks', () => {
    expect(pool('2')).toEqual(['out 5', 'out 5', 'out 10', 'out 10', 'out 15', 'out 15'])
  })
  it('releases all without a rule', () => {
    expect(pool('')).toEqual(['out 5', 'out 5', 'out 5', 'out 5', 'out 10', 'out 10'])
  })
})

describe('loops', () => {
  it('a loop without time is an error, not a frozen run', () => {
    const built = model(
      events,
      variable('x', 0),
      process('P', start(), exclusive('again'), when('x < 0'), end(), from('again'), otherwise(), compute('x += 1'), to('again')),
    )
    expect(failureOf(built)).toMatch(/^10047/)
  })
  it('also without tokens, in a process of the tick', () => {
    const built = model(
      scenario({ totalTicks: 2 }),
      agents(
        'A',
        { initialNumber: '2' },
        variable('x', 0),
        process(
          'P',
          start({ trigger: 'timer', every: '1' }),
          exclusive('again'),
          when('x < 0'),
          end(),
          from('again'),
          otherwise(),
          compute('x += 1'),
          to('again'),
        ),
      ),
    )
    expect(failureOf(built)).toMatch(/^10047/)
  })
  it('a loop with time goes round', () => {
    const built = model(
      events,
      variable('x', 0),
      process(
        'P',
        start(),
        exclusive('again'),
        when('x >= 3'),
        at('done'),
        end(),
        from('again'),
        otherwise(),
        compute('x += 1'),
        delay(2),
        to('again'),
      ),
    )
    expect(logOf(built)).toEqual(['done 6'])
  })
})

it('flows may be written by hand', () => {
  expect(logOf(model(events, process('P', start(), log('"a"', 'a'), from('a'), end(), flow('a', 'a2'), log('"b"', 'a2'), end())))).toEqual([
    'a',
    'b',
  ])
})
