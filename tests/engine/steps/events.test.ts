// Events by what they do to tokens: one small model a rule, read from its trace. All kinds of events in one place.
import { describe, expect, it } from 'vitest'
import {
  agents,
  boundary,
  compute,
  delay,
  destroy,
  element,
  end,
  event,
  exclusive,
  from,
  gateway,
  log,
  message,
  model,
  otherwise,
  parallel,
  passive,
  port,
  process,
  resource,
  scenario,
  start,
  statistic,
  subprocess,
  terminate,
  to,
  variable,
  when,
  call,
} from '../../help/models.ts'
import { failureOf, logOf, runOf } from '../../help/runs.ts'

const events = scenario({ ticking: false, totalTicks: 100 })
const at = (text: string, name = '') => log(`f"${text} {time}"`, name)

describe('start events', () => {
  it('timer: first after one interval, then each interval; at most n times', () => {
    expect(logOf(model(events, process('P', start({ trigger: 'timer', every: '4', maximum: '3' }), at('x'), end())))).toEqual([
      'x 4',
      'x 8',
      'x 12',
    ])
    expect(logOf(model(events, process('P', start({ trigger: 'timer', first: '1', every: '4', maximum: '2' }), at('x'), end())))).toEqual([
      'x 1',
      'x 5',
    ])
    expect(logOf(model(events, process('P', start({ trigger: 'timer', first: '7', every: '' }), at('x'), end())))).toEqual(['x 7'])
  })
  it('timer: several tokens at a time, and times from a list', () => {
    expect(logOf(model(events, process('P', start({ trigger: 'timer', every: '5', count: '2', maximum: '1' }), at('x'), end())))).toEqual([
      'x 5',
      'x 5',
    ])
    expect(logOf(model(events, process('P', start({ trigger: 'timer', every: '', times: '[3, 1, 8.5]' }), at('x'), end())))).toEqual([
      'x 1',
      'x 3',
      'x 8.5',
    ])
  })
  it('a time of the list that has passed is an error', () => {
    expect(failureOf(model(events, process('P', start({ trigger: 'timer', every: '', times: '[-1]' }), at('x'), end())))).toBe(
      '10052 P-start1 times',
    )
  })
  it('condition: when it becomes true, each time', () => {
    const built = model(
      events,
      variable('x', 0),
      process('Clock', start(), delay(2), compute('x = 1'), delay(1), compute('x = 0'), delay(3), compute('x = 5'), end()),
      process('P', start({ trigger: 'condition', condition: 'x > 0' }), at('rose'), end()),
    )
    expect(logOf(built)).toEqual(['rose 2', 'rose 6'])
  })
  it('the tick starts processes at 1, 2, ...', () => {
    expect(logOf(model(scenario({ totalTicks: 3 }), process('P', start({ trigger: 'timer', every: '1' }), at('t'), end())))).toEqual([
      't 1',
      't 2',
      't 3',
    ])
  })
  it('message: one token per message, with the payload in its interfaces', () => {
    const built = model(
      events,
      message('Order', { payload: [{ name: 'amount' }] }),
      process('Shop', start({ trigger: 'message', message: 'Order' }), port('amount'), log('f"got {amount} at {time}"'), end()),
      process(
        'P',
        start(),
        event('send', { message: 'Order', range: 'world', payload: [{ name: 'amount', value: '3' }], delivery: '2' }),
        event('send', { message: 'Order', range: 'world', payload: [{ name: 'amount', value: '4' }] }),
        end(),
      ),
    )
    expect(logOf(built)).toEqual(['got 4 at 0', 'got 3 at 2'])
  })
})

describe('intermediate events', () => {
  it('timer and condition', () => {
    expect(
      logOf(
        model(
          events,
          variable('x', 0),
          process('Q', start(), delay(5), compute('x = 1'), end()),
          process(
            'P',
            start(),
            event('timer', { delay: '2' }),
            at('a'),
            event('condition', { condition: 'x > 0' }),
            at('b'),
            event('condition', { condition: 'x > 0' }),
            at('c'),
            end(),
          ),
        ),
      ),
    ).toEqual(['a 2', 'b 5', 'c 5'])
  })
  it('receive waits until both token and message are there; earlier mail waits', () => {
    const built = model(
      events,
      message('Ping'),
      process(
        'Q',
        start(),
        event('send', { message: 'Ping', range: 'world' }),
        delay(6),
        event('send', { message: 'Ping', range: 'world' }),
        end(),
      ),
      process(
        'P',
        start(),
        delay(3),
        event('receive', { message: 'Ping' }),
        at('one'),
        event('receive', { message: 'Ping' }),
        at('two'),
        end(),
      ),
    )
    expect(logOf(built)).toEqual(['one 3', 'two 6'])
  })
  it('receive takes only what fits', () => {
    const built = model(
      events,
      message('Ping', { payload: [{ name: 'n' }] }),
      process(
        'Q',
        start(),
        event('send', { message: 'Ping', range: 'world', payload: [{ name: 'n', value: '1' }] }),
        event('send', { message: 'Ping', range: 'world', payload: [{ name: 'n', value: '2' }] }),
        end(),
      ),
      process(
        'P',
        start(),
        variable('n', 0),
        delay(1),
        event('receive', { message: 'Ping', correlation: 'message["n"] == 2' }),
        log('f"{n}"'),
        end(),
      ),
    )
    expect(logOf(built)).toEqual(['2'])
  })
  it('signals reach only those who wait', () => {
    const built = model(
      events,
      message('Go', { kind: 'signal' }),
      process('Q', start(), event('throwSignal', { message: 'Go' }), delay(4), event('throwSignal', { message: 'Go' }), end()),
      process('P', start(), delay(1), event('signal', { message: 'Go' }), at('went'), end()),
    )
    expect(logOf(built)).toEqual(['went 4'])
  })
  it('signals start processes, and carry values to all they reach', () => {
    const built = model(
      events,
      message('Go', { kind: 'signal', payload: [{ name: 'n' }] }),
      process(
        'Q',
        start({ trigger: 'timer', first: '1', every: '1', maximum: '2' }),
        event('throwSignal', { message: 'Go', payload: [{ name: 'n', value: 'time' }] }),
        end(),
      ),
      process('P', start(), event('signal', { message: 'Go' }, 'heard'), log('f"heard {heard.output}"'), end()),
      process(
        'S',
        element('start', 'by', { trigger: 'message', message: 'Go' }),
        variable('n', 0),
        log('f"{n} started {by.output}"'),
        end(),
      ),
      process(
        'B',
        start(),
        delay(9, 'work'),
        end(),
        boundary('work', 'signal', { message: 'Go', interrupting: false }, 'aside'),
        log('f"beside {aside.output}"'),
        end(),
      ),
    )
    expect(logOf(built).toSorted()).toEqual([
      "1 started {'n': 1}",
      "2 started {'n': 2}",
      "beside {'n': 1}",
      "beside {'n': 2}",
      "heard {'n': 1}",
    ])
    const mortal = model(
      events,
      message('Go', { kind: 'signal' }),
      agents('A', { initialNumber: '2' }, process('S', start({ trigger: 'message', message: 'Go' }), log('f"{id} {time}"'), end())),
      process(
        'Q',
        start(),
        delay(1),
        event('throwSignal', { message: 'Go' }),
        delay(1),
        destroy({ who: 'chosen', range: 'A', filter: 'id == 1' }),
        event('throwSignal', { message: 'Go' }),
        end(),
      ),
    )
    expect(logOf(mortal)).toEqual(['1 1', '2 1', '2 2'])
  })
  it('what came is told by the event it came by: at a gateway or a border, early or late', () => {
    const heard = (wait: number) =>
      logOf(
        model(
          events,
          message('Ping', { payload: [{ name: 'n' }] }),
          process(
            'Q',
            start({ trigger: 'timer', first: '1', every: '1', maximum: '3' }),
            event('send', { message: 'Ping', range: 'world', payload: [{ name: 'n', value: 'time' }] }),
            end(),
          ),
          process(
            'P',
            start(),
            delay(wait),
            gateway('event', 'either'),
            event('receive', { message: 'Ping' }, 'heard'),
            log('f"heard {heard.output}"'),
            delay(20, 'work'),
            end(),
            from('either'),
            event('timer', { delay: '50' }),
            end(),
            boundary('work', 'message', { message: 'Ping', interrupting: false }, 'more'),
            log('f"more {more.output} {time}"'),
            end(),
          ),
        ),
      )
    expect(heard(0)).toEqual(["heard {'n': 1}", "more {'n': 2} 2", "more {'n': 3} 3"])
    expect(heard(2.5)).toEqual(["heard {'n': 1}", "more {'n': 2} 2.5", "more {'n': 3} 3"])
    expect(heard(5)).toEqual(["heard {'n': 1}", "more {'n': 2} 5", "more {'n': 3} 5"])
    const stopped = (wait: number) =>
      logOf(
        model(
          events,
          message('Stop', { payload: [{ name: 'n' }] }),
          process('Q', start(), delay(3), event('send', { message: 'Stop', range: 'world', payload: [{ name: 'n', value: '7' }] }), end()),
          process(
            'P',
            start(),
            delay(wait),
            delay(9, 'work'),
            end(),
            boundary('work', 'message', { message: 'Stop' }, 'why'),
            log('f"{why.output} {work.output} {time}"'),
            end(),
          ),
        ),
      )
    expect(stopped(0)).toEqual(["{'n': 7} None 3"])
    expect(stopped(5)).toEqual(["{'n': 7} None 5"])
  })
  it('values are of the sorts that their message declares', () => {
    const built = (value: string) =>
      model(
        events,
        message('Order', { payload: [{ name: 'n', type: 'number' }] }),
        variable('things', '[1, "two", None]', { type: 'list' }),
        process('Q', start(), event('send', { message: 'Order', range: 'world', payload: [{ name: 'n', value }] }, 'send'), end()),
        process('P', start({ trigger: 'message', message: 'Order' }), port('n'), log('n'), end()),
      )
    expect(logOf(built('3'))).toEqual(['3'])
    expect(logOf(built('things[0]'))).toEqual(['1'])
    expect(failureOf(built('things[1]'))).toMatch(/^10064 /)
    expect(failureOf(built('"two"'))).toMatch(/^10064 /)
  })
  it('agents write to each other', () => {
    const built = model(
      events,
      message('Hi', { payload: [{ name: 'who' }] }),
      agents(
        'A',
        { initialNumber: '3' },
        process(
          'P',
          start(),
          event('send', { message: 'Hi', range: 'A', filter: 'id == actor.id + 1', payload: [{ name: 'who', value: 'id' }] }),
          end(),
        ),
        process('R', start({ trigger: 'message', message: 'Hi' }), port('who'), log('f"{id} from {who}"'), end()),
      ),
    )
    expect(logOf(built)).toEqual(['2 from 1', '3 from 2'])
  })
  it.each([
    ['all of a population: its observer gets it, too, where it listens', {}, true, ['1 hears', '2 hears', 'observer hears'], 3],
    ['all of a population: nobody else where the observer does not listen', {}, false, ['1 hears', '2 hears'], 2],
    ['those that fit', { filter: 'id == 2' }, true, ['2 hears'], 1],
    ['some of them', { pick: 'first', limit: '1' }, true, ['1 hears'], 1],
    ['none of them', { pick: 'random', limit: '0' }, true, [], 0],
  ] as const)('reach %s', (_, fields, listens, heard, sent) => {
    const built = model(
      events,
      message('Hi'),
      agents(
        'A',
        { initialNumber: '2' },
        process('R', start({ trigger: 'message', message: 'Hi' }), log('f"{id} hears"'), end()),
        ...(listens
          ? [process('O', { owner: 'observer' }, start({ trigger: 'message', message: 'Hi' }), log('"observer hears"'), end())]
          : []),
      ),
      process('P', start(), event('send', { message: 'Hi', range: 'A', ...fields }), end()),
      statistic('sent', 'Hi.sent', { sample: 'end' }),
    )
    const { output, summary } = runOf(built)
    expect([...output].sort()).toEqual(heard)
    expect(summary.statistics).toMatchObject({ sent })
  })
})

describe('event-based gateway', () => {
  const built = (wait: number) =>
    model(
      events,
      message('Ping'),
      process('Q', start(), delay(wait), event('send', { message: 'Ping', range: 'world' }), end()),
      process(
        'P',
        start(),
        gateway('event', 'which'),
        event('receive', { message: 'Ping' }),
        at('mail'),
        end(),
        from('which'),
        event('timer', { delay: '5' }),
        at('late'),
        end(),
      ),
    )
  it('the first event wins and cancels the others', () => {
    expect(logOf(built(2))).toEqual(['mail 2'])
    expect(logOf(built(9))).toEqual(['late 5'])
  })
})

describe('boundary events', () => {
  it('an interrupting timer cancels the activity', () => {
    const built = model(
      events,
      process('P', start(), delay(10, 'work'), at('done'), end(), boundary('work', 'timer', { delay: '4' }), at('late'), end()),
    )
    expect(logOf(built)).toEqual(['late 4'])
  })
  it('at a tie the completion wins', () => {
    expect(
      logOf(
        model(
          events,
          process('P', start(), delay(4, 'work'), at('done'), end(), boundary('work', 'timer', { delay: '4' }), at('late'), end()),
        ),
      ),
    ).toEqual(['done 4'])
  })
  it('one that does not interrupt makes an extra token', () => {
    expect(
      logOf(
        model(
          events,
          process(
            'P',
            start(),
            delay(10, 'work'),
            at('done'),
            end(),
            boundary('work', 'timer', { delay: '4', interrupting: false }),
            at('reminder'),
            end(),
          ),
        ),
      ),
    ).toEqual(['reminder 4', 'done 10'])
  })
  it('condition, message and signal', () => {
    const raised = (trigger: string, fields: Record<string, string>) =>
      model(
        events,
        variable('x', 0),
        message('Stop'),
        message('Alarm', { kind: 'signal' }),
        process(
          'Q',
          start(),
          delay(3),
          compute('x = 1'),
          event('send', { message: 'Stop', range: 'world' }),
          event('throwSignal', { message: 'Alarm' }),
          end(),
        ),
        process('P', start(), delay(10, 'work'), at('done'), end(), boundary('work', trigger, fields), at('stopped'), end()),
      )
    expect(logOf(raised('condition', { condition: 'x > 0' }))).toEqual(['stopped 3'])
    expect(logOf(raised('message', { message: 'Stop' }))).toEqual(['stopped 3'])
    expect(logOf(raised('signal', { message: 'Alarm' }))).toEqual(['stopped 3'])
  })
  it('interrupting gives the resources back and leaves the queue', () => {
    const work = delay(10, 'work', { resources: [{ container: 'nurse', amount: '1' }] })
    const built = model(
      events,
      resource('nurse', 1),
      process(
        'A',
        start(),
        work,
        at('a done'),
        end(),
        boundary(work, 'timer', { delay: '4' }),
        log('f"a late {time} free {nurse.level}"'),
        end(),
      ),
      process('B', start(), delay(1), delay(2, 'service', { resources: [{ container: 'nurse', amount: '1' }] }), at('b done'), end()),
    )
    expect(logOf(built)).toEqual(['a late 4 free 0', 'b done 6'])
  })
  it('errors of called processes and of formulas go to the nearest boundary that catches them', () => {
    const called = (codes: string) =>
      model(
        events,
        process('Sub', start(passive), delay(1), { ...end(), fields: { result: 'error', code: 'E7' } }),
        process('P', start(), call('Sub', {}, 'doing'), at('done'), end(), boundary('doing', 'error', { codes }), at('caught'), end()),
      )
    expect(logOf(called('E7'))).toEqual(['caught 1'])
    expect(logOf(called(''))).toEqual(['caught 1'])
    expect(failureOf(called('E8'))).toMatch(/^10050/)
    const own = model(
      events,
      variable('x', 0),
      process(
        'P',
        start(),
        { ...compute('x = 1 / x', 'div') },
        at('done'),
        end(),
        boundary('div', 'error', { codes: '10018' }),
        at('caught'),
        end(),
      ),
    )
    expect(logOf(own)).toEqual(['caught 0'])
  })
  it('interrupting a subprocess cancels all inside', () => {
    const built = model(
      events,
      process(
        'P',
        start(),
        subprocess('inner', start(), parallel('f'), delay(8), at('x'), end(), from('f'), delay(9), at('y'), end()),
        at('done'),
        end(),
        boundary('inner', 'timer', { delay: '2' }),
        at('out'),
        end(),
      ),
    )
    const { output, summary } = runOf(built)
    expect(output).toEqual(['out 2'])
    expect(summary.tokensLeft).toEqual([])
    expect(summary.time).toBe(2)
  })
})

describe('end events', () => {
  it('terminate stops the run, with its tip', () => {
    const { summary } = runOf(model(scenario({ totalTicks: 50 }), process('P', start(), delay(3), terminate('enough'))))
    expect(summary.result).toEqual({ end: 'terminated', element: 'P-end1', tip: 'enough' })
    expect(summary.time).toBe(3)
  })
  it('an uncaught error fails the run', () => {
    expect(failureOf(model(events, process('P', start(), { ...end(), fields: { result: 'error', code: 'X1' } })))).toBe('10050 P-end1 code')
  })
})

describe('delays', () => {
  it('a negative or infinite delay is an error', () => {
    expect(failureOf(model(events, variable('d', -1), process('P', start(), delay('d', 'wait'), end())))).toBe('10051 P-wait duration')
    expect(failureOf(model(events, variable('d', -1), process('P', start(), event('timer', { delay: 'd' }, 'wait'), end())))).toBe(
      '10051 P-wait delay',
    )
  })
  it('fractions are exact', () => {
    expect(logOf(model(events, process('P', start(), delay(0.25), delay(1.5), at('x'), end())))).toEqual(['x 1.75'])
  })
})

it('tokens of the dead vanish', () => {
  const built = model(
    scenario({ totalTicks: 10 }),
    agents(
      'A',
      { initialNumber: '2' },
      process('Long', start(), delay(5), log('f"{id} lived"'), end()),
      process('Die', start(), delay(2), exclusive('who'), when('id == 1'), compute('die(self)'), end(), from('who'), otherwise(), end()),
    ),
  )
  expect(logOf(built)).toEqual(['2 lived'])
})

it('a process may be left by several tokens', () => {
  expect(
    logOf(
      model(
        events,
        process('P', start(), parallel('f'), delay(1), at('a'), exclusive('m'), at('both'), end(), from('f'), delay(2), to('m')),
      ),
    ),
  ).toEqual(['a 1', 'both 1', 'both 2'])
})
