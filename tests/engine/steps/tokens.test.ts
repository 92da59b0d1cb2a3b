// What belongs to a token: its turn where a process takes only so many at once, and what steps gave it.
import { describe, expect, it } from 'vitest'
import {
  agents,
  ask,
  boundary,
  call,
  compute,
  container,
  delay,
  element,
  end,
  event,
  from,
  log,
  message,
  model,
  operate,
  otherwise,
  parallel,
  passive,
  port,
  process,
  resource,
  scenario,
  start,
  subprocess,
  variable,
} from '../../help/models.ts'
import { begin, logOf } from '../../help/runs.ts'

const events = scenario({ ticking: false, totalTicks: 100 })
const at = (text: string, name = '') => log(`f"${text} {time}"`, name)

describe('max concurrency', () => {
  const built = (busy: string) =>
    model(
      events,
      process('Serve', { concurrency: '1', busy }, start({ trigger: 'timer', every: '1', maximum: '3' }), delay(5), at('served'), end()),
    )
  it('queues, skips or restarts', () => {
    expect(logOf(built('queue'))).toEqual(['served 6', 'served 11', 'served 16'])
    expect(logOf(built('skip'))).toEqual(['served 6'])
    expect(logOf(built('restart'))).toEqual(['served 8'])
  })
  it('who waits for a turn keeps what came along', () => {
    const called = model(
      events,
      process(
        'Serve',
        { concurrency: '1' },
        start(passive),
        port('n'),
        variable('came', 'time'),
        delay(2),
        log('f"{n} {came} {time}"'),
        end(),
      ),
      process(
        'P',
        start({ trigger: 'timer', first: '1', every: '1', maximum: '3' }),
        variable('n', 'time * 10'),
        call('Serve', { inputs: [{ name: 'n', value: 'n' }] }, 'serve'),
        at('back'),
        end(),
      ),
    )
    expect(logOf(called)).toEqual(['10 1 3', 'back 3', '20 2 5', 'back 5', '30 3 7', 'back 7'])
    const told = model(
      events,
      message('Order', { payload: [{ name: 'n' }] }),
      process(
        'Serve',
        { concurrency: '1' },
        element('start', 'got', { trigger: 'message', message: 'Order' }),
        delay(2),
        log('got.output["n"]'),
        end(),
      ),
      process(
        'P',
        start({ trigger: 'timer', first: '1', every: '0.5', maximum: '4' }),
        event('send', { message: 'Order', range: 'world', payload: [{ name: 'n', value: 'time' }] }),
        end(),
      ),
    )
    expect(logOf(told)).toEqual(['1', '1.5', '2', '2.5'])
  })
  it('who gives up waiting for a turn, or dies, leaves the others theirs', () => {
    const impatient = model(
      events,
      process('Serve', { concurrency: '1' }, start(passive), delay(4), at('served'), end()),
      process(
        'P',
        start({ trigger: 'timer', first: '1', every: '1', maximum: '3' }),
        variable('came', 'time'),
        call('Serve', {}, 'wait'),
        end(),
        boundary('wait', 'timer', { delay: '5 if came == 2 else 100' }),
        log('f"{came} gave up {time}"'),
        end(),
      ),
    )
    // The second has its turn at 5.
    expect(logOf(impatient)).toEqual(['served 5', '2 gave up 7', 'served 11'])
    const hasty = model(
      events,
      process('Serve', { concurrency: '1' }, start(passive), delay(4), at('served'), end()),
      process(
        'P',
        start({ trigger: 'timer', first: '1', every: '1', maximum: '3' }),
        variable('came', 'time'),
        call('Serve', {}, 'wait'),
        end(),
        boundary('wait', 'timer', { delay: '2 if came == 2 else 100' }),
        log('f"{came} gave up {time}"'),
        end(),
      ),
    )
    expect(logOf(hasty)).toEqual(['2 gave up 4', 'served 5', 'served 9'])
    const mortal = model(
      events,
      agents(
        'A',
        { initialNumber: '2' },
        process('Serve', { concurrency: '1' }, start(passive), delay(4), log('f"{id} {time}"'), end()),
        process('P', start({ trigger: 'timer', first: '1', every: '1', maximum: '3' }), call('Serve'), end()),
      ),
      process('Q', start(), delay(6), element('compute', '', { program: 'die(A.individuals[0])' }), end()),
    )
    expect(logOf(mortal)).toEqual(['1 5', '2 5', '2 9', '2 13'])
    const run = begin(mortal)
    run.advance()
    expect(run.summary().waiting).toEqual([])
  })
})

describe('what a step gives', () => {
  const items = container('Shelf', { contents: 'items', initial: '["a", "b", "c"]' })
  const take = operate('take', 'Shelf', 1, {}, 'get')
  it("is the token's own: another token begins with none", () => {
    const built = model(
      events,
      items,
      process('P', start({ trigger: 'timer', first: '1', every: '1', maximum: '3' }), log('get.output'), take, log('get.output'), end()),
    )
    expect(logOf(built)).toEqual(['None', "['a']", 'None', "['b']", 'None', "['c']"])
  })
  it('is known to its branches and within its subprocesses', () => {
    const built = model(
      events,
      items,
      process(
        'P',
        start(),
        take,
        parallel('both'),
        log('f"a {get.output}"'),
        end(),
        from('both'),
        subprocess('b', start(), subprocess('within', start(), delay(1), log('f"b {get.output}"'), end()), end()),
        end(),
      ),
    )
    expect(logOf(built)).toEqual(["a ['a']", "b ['a']"])
  })
  it('to each that waited what it got itself, when several get something at once', () => {
    const built = model(
      events,
      container('Shelf', { contents: 'items' }),
      container('Heap', { initial: '0' }),
      process(
        'P',
        start({ trigger: 'timer', first: '1', every: '1', maximum: '3' }),
        variable('n', 'time'),
        operate('take', 'Heap', 'n', { otherwise: 'wait' }, 'some'),
        operate('take', 'Shelf', 1, { otherwise: 'wait' }, 'get'),
        log('f"{some.output} {get.output} {time}"'),
        end(),
      ),
      process('Q', start(), delay(5), operate('put', 'Heap', 6), delay(2), operate('put', 'Shelf', '["a", "b", "c"]'), end()),
    )
    expect(logOf(built)).toEqual(["1 ['a'] 7", "2 ['b'] 7", "3 ['c'] 7"])
  })
  it('of alternatives the row that was met; nothing to who gave up', () => {
    const built = model(
      events,
      resource('fast', 1),
      resource('slow', 1),
      process(
        'P',
        start({ trigger: 'timer', first: '1', every: '1', maximum: '4' }),
        variable('came', 'time'),
        operate(
          'request',
          { items: [{ container: 'fast' }, { container: 'slow' }], alternatives: true },
          1,
          { timeout: '1.5 if came == 3 else 100' },
          'get',
        ),
        delay('[4, 8][get.output]'),
        operate('release', 'fast if get.output == 0 else slow'),
        log('f"{came} by {get.output} {time}"'),
        end(),
        from('get'),
        otherwise(),
        log('f"{came} {get.output} {time}"'),
        end(),
      ),
    )
    expect(logOf(built)).toEqual(['3 None 4.5', '1 by 0 5', '4 by 0 9', '2 by 1 10'])
  })
  it('of an Ask that runs processes what they hand back, as they end', () => {
    const built = model(
      events,
      agents(
        'A',
        { initialNumber: '3' },
        process('Q', start(passive), port('r', 'out'), delay('4 - id'), compute('r = id * 10'), end()),
        process('Silent', start(passive), delay('id'), end()),
      ),
      process(
        'P',
        start(),
        ask('A', '', { does: 'call', process: 'A.Q' }, 'get'),
        ask('A', '', { does: 'call', process: 'A.Silent' }, 'who'),
        log('f"{get.output} {[a.id for a in who.output]} {time}"'),
        end(),
      ),
    )
    expect(logOf(built)).toEqual(['[30, 20, 10] [1, 2, 3] 6'])
  })
  it('of a request that waited all it asked for', () => {
    const built = model(
      events,
      resource('crew', 3),
      process(
        'P',
        start({ trigger: 'timer', first: '1', every: '1', maximum: '4' }),
        operate('request', 'crew', 'randint(1, 2) + (1 if time > 2 else 0)', {}, 'get'),
        delay(5),
        operate('release', 'crew', 'get.output'),
        log('f"{get.output} {time}"'),
        end(),
      ),
    )
    expect(logOf(built)).toEqual(['1 6', '1 7', '2 11', '2 16'])
  })
})
