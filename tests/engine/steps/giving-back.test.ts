// The grants left after several things happen to a token at once: nothing is given twice, reported to another step, or kept without a holder.
import { describe, expect, it } from 'vitest'
import {
  agents,
  boundary,
  compute,
  container,
  delay,
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
  process,
  release,
  request,
  resource,
  scenario,
  start,
  subprocess,
  variable,
  element,
  type Fields,
} from '../../help/models.ts'
import { begin, logOf } from '../../help/runs.ts'

const events = scenario({ ticking: false, totalTicks: 100 })
const late = (time: string): Fields => ({ trigger: 'timer', first: time, every: '' })
const ok = log('f"ok {time}"')
const nurse = { resources: [{ container: 'nurse', amount: '1' }] }
const used = log('f"{nurse.in_use} {time}"')
const failing = 'k = 1 / (time - time)'

describe('what a step gives', () => {
  it('is not that of a step before it, which had to wait', () => {
    const built = model(
      events,
      resource('crew', 3),
      container('Heap', { initial: '100' }),
      process('A', start(), request('crew', 3), delay(5), release('crew', 3), end()),
      process(
        'P',
        start(late('1')),
        operate('request', 'crew', 2, {}, 'one'),
        operate('take', 'Heap', 7, {}, 'two'),
        log('f"{one.output} {two.output} {time}"'),
        release('crew', 2),
        end(),
      ),
    )
    expect(logOf(built)).toEqual(['2 7 5'])
  })
})

describe('patience', () => {
  const waiter = (timeout: string) =>
    process(
      'P',
      start(),
      operate('take', 'Heap', 3, { otherwise: 'wait', timeout }, 'one'),
      delay(20),
      log('f"in time {time}"'),
      end(),
      from('one'),
      otherwise(),
      log('f"late {time}"'),
      end(),
    )
  // Something else is due when it gets what it waits for: its end, or the end of its patience.
  it.each(['5', '8'])('ends with the waiting (%s)', timeout => {
    const built = model(
      events,
      container('Heap', { initial: '0' }),
      waiter(timeout),
      process('Q', start(), delay(5), operate('put', 'Heap', 3), end()),
      process('R', start(), delay(5), end()),
    )
    expect(logOf(built)).toEqual(['in time 25'])
    const run = begin(built)
    run.advance()
    expect(run.takeOutput().map(line => line.text)).toEqual(['in time 25'])
  })
  it('is no work that stops when units are taken away', () => {
    const built = model(
      events,
      resource('nurse', 1),
      container('Heap', { initial: '0' }),
      process(
        'P',
        start(),
        request('nurse', 1, { priority: '5' }),
        operate('take', 'Heap', 3, { otherwise: 'wait', timeout: '8' }, 'one'),
        end(),
        from('one'),
        otherwise(),
        log('f"late {time}"'),
        release('nurse'),
        end(),
      ),
      process('Q', start(late('1')), request('nurse', 1, { preempt: 'resume', priority: '1' }), delay(3), release('nurse'), ok, end()),
    )
    expect(logOf(built)).toEqual(['ok 4', 'late 8'])
  })
})

describe('an activity that does not come to its end gives back what it was given, and nothing else', () => {
  it('when its message was there before it came', () => {
    const built = model(
      events,
      resource('nurse', 2),
      message('Hi'),
      agents(
        'A',
        { initialNumber: '1' },
        process('S', start(), event('send', { message: 'Hi', range: 'A' }), end()),
        process(
          'P',
          start(late('1')),
          request('nurse'),
          delay(5, 'work', nurse),
          end(),
          boundary('work', 'message', { message: 'Hi' }),
          used,
          release('nurse'),
          ok,
          end(),
        ),
      ),
    )
    expect(logOf(built)).toEqual(['1 1', 'ok 1'])
  })
  it.each([
    [{ otherwise: 'branch' }, 5],
    [{ otherwise: 'wait', timeout: '1' }, 6],
  ])('when a container operation was not met: %j', (how, time) => {
    const built = model(
      events,
      resource('nurse', 1),
      container('Heap', { initial: '0' }),
      process(
        'P',
        start(),
        operate('take', 'Heap', 3, { ...nurse, ...how }, 'one'),
        end(),
        from('one'),
        otherwise(),
        delay(5),
        used,
        end(),
        boundary('one', 'timer', { delay: '2' }),
        ok,
        end(),
      ),
    )
    expect(logOf(built)).toEqual([`0 ${time}`])
  })
  it('when it fails before it asks for anything', () => {
    const built = model(
      events,
      resource('nurse', 2),
      process(
        'P',
        start(),
        request('nurse'),
        delay(1, 'work', { ...nurse, priority: '1 / (time - time)' }),
        end(),
        boundary('work', 'error'),
        used,
        release('nurse'),
        ok,
        end(),
      ),
    )
    expect(logOf(built)).toEqual(['1 0', 'ok 0'])
  })
  it.each([0, 2])('when it fails within a subprocess, having waited for it or not (%d)', wait => {
    const built = model(
      events,
      resource('nurse', 1),
      variable('k', 0),
      process('A', start(), request('nurse'), delay(wait), release('nurse'), end()),
      process(
        'P',
        start(late('1')),
        subprocess('s', start(), element('compute', '', { program: failing, ...nurse }), end()),
        end(),
        boundary('s', 'error'),
        used,
        ok,
        end(),
      ),
    )
    const time = Math.max(1, wait)
    expect(logOf(built)).toEqual([`0 ${time}`, `ok ${time}`])
  })
  it.each(['an error end', 'a failure'])('but not once more when %s follows it', what => {
    const built = model(
      events,
      resource('nurse', 2),
      variable('k', 0),
      process(
        'P',
        start(),
        subprocess(
          's',
          start(),
          request('nurse'),
          delay(3, '', nurse),
          ...(what === 'a failure' ? [compute(failing), end()] : [end({ result: 'error', code: 'x' })]),
        ),
        end(),
        boundary('s', 'error'),
        used,
        ok,
        end(),
      ),
    )
    expect(logOf(built)).toEqual(['0 3', 'ok 3'])
  })
})

describe('signals right behind each other', () => {
  it('both start a process, and both pass a border that does not interrupt', () => {
    const go = (n: string) => event('throwSignal', { message: 'Go', payload: [{ name: 'n', value: n }] })
    const built = model(
      events,
      message('Go', { kind: 'signal', payload: [{ name: 'n', type: 'number' }] }),
      process('S', start(), delay(1), go('1'), go('2'), end()),
      process('R', element('start', 'got', { trigger: 'message', message: 'Go' }), log('f"{got.output[\'n\']}"'), end()),
      process(
        'B',
        start(),
        delay(10, 'work'),
        end(),
        boundary('work', 'signal', { message: 'Go', interrupting: false }, 'heard'),
        log('f"heard {heard.output[\'n\']}"'),
        end(),
      ),
    )
    expect(logOf(built).toSorted()).toEqual(['1', '2', 'heard 1', 'heard 2'])
  })
})

describe('signals', () => {
  it('reach who waits at that instant, also when somebody else goes on then', () => {
    const built = model(
      events,
      resource('nurse', 1),
      message('Go', { kind: 'signal' }),
      process('S', start(), request('nurse'), delay(5), release('nurse'), event('throwSignal', { message: 'Go' }), end()),
      process('W', start(late('1')), request('nurse'), release('nurse'), end()),
      process('C', start(), event('signal', { message: 'Go' }), ok, end()),
      process('Later', start(late('9')), end()),
    )
    expect(logOf(built)).toEqual(['ok 5'])
  })
  it('that throw each other for ever end the run soon', () => {
    const built = model(
      events,
      message('Go', { kind: 'signal' }),
      agents(
        'A',
        { initialNumber: '300' },
        process('P', element('start', '', { trigger: 'message', message: 'Go' }), event('throwSignal', { message: 'Go' }), end()),
      ),
      process('S', start(late('1')), event('throwSignal', { message: 'Go' }), end()),
    )
    const run = begin(built)
    run.advance()
    expect(run.result).toMatchObject({ end: 'failed', problem: { code: 10047 } })
  })
})

describe('a snapshot', () => {
  it('stays what it was while the run goes on: who waits for signals, and what lies in mailboxes', () => {
    const built = model(
      events,
      message('Go', { kind: 'signal' }),
      message('Hi'),
      agents('A', { initialNumber: '1' }, process('Never', start(passive), event('receive', { message: 'Hi' }), end())),
      process('C', start({ trigger: 'timer', every: '1' }), event('signal', { message: 'Go' }), ok, end()),
      process('S', start({ trigger: 'timer', every: '1' }), event('send', { message: 'Hi', range: 'A' }), end()),
      process('T', start(late('6.5')), event('throwSignal', { message: 'Go' }), end()),
    )
    const run = begin(built)
    run.advance({ until: 3 })
    const kept = run.snapshot()
    const text = JSON.stringify(kept)
    run.advance({ until: 8 })
    const [hash, lines] = [run.hash(), run.takeOutput().length]
    expect(JSON.stringify(kept)).toBe(text)
    run.restore(kept)
    run.advance({ until: 8 })
    expect(run.hash()).toBe(hash)
    expect(run.takeOutput()).toHaveLength(lines)
  })
})

describe('what is requested inside a subprocess', () => {
  const inside = (...more: Parameters<typeof process>[1][]) =>
    model(
      events,
      resource('nurse', 3),
      resource('bed', 1),
      variable('k', '0'),
      process(
        'Watch',
        start({ trigger: 'timer', every: '2', first: '1', maximum: '4' }),
        log('f"{nurse.in_use} {bed.in_use} {time}"'),
        end(),
      ),
      process('P', start(), request('nurse', 1), ...(more as ReturnType<typeof subprocess>[])),
    )
  const visit = (...inner: Parameters<typeof subprocess>[1][]) =>
    subprocess('visit', start(passive), ...(inner as ReturnType<typeof log>[]), end())

  it('returns when a boundary event interrupts that; what was requested before stays', () => {
    const built = inside(
      visit(request('bed', 1), request('nurse', 1), delay(9), release('nurse', 1), release('bed', 1)),
      release('nurse', 1),
      end(),
      boundary('visit', 'timer', { delay: '4' }),
      log('f"out {nurse.in_use} {bed.in_use} {time}"'),
      delay(2),
      release('nurse', 1),
      end(),
    )
    expect(logOf(built)).toEqual(['2 1 1', '2 1 3', 'out 1 0 4', '1 0 5', '0 0 7'])
  })

  it('returns also from a subprocess in it, from its branches, and when an error ends it', () => {
    const built = inside(
      visit(
        request('bed', 1),
        subprocess('deep', start(passive), request('nurse', 1), delay(3), compute(failing), end()),
        release('bed', 1),
      ),
      end(),
      boundary('visit', 'error', {}),
      log('f"out {nurse.in_use} {bed.in_use} {time}"'),
      release('nurse', 1),
      end(),
    )
    expect(logOf(built)).toEqual(['2 1 1', 'out 1 0 3', '0 0 3', '0 0 5', '0 0 7'])
  })

  it('stays where a branch beside holds units with it: whose they are is not known', () => {
    const built = model(
      events,
      resource('nurse', 3),
      resource('bed', 2),
      process(
        'P',
        start(),
        parallel('fork'),
        visit(request('bed', 1), delay(9), release('bed', 1)),
        end(),
        from('fork'),
        delay(1),
        request('nurse', 2),
        delay(9),
        release('nurse', 2),
        log('f"end {nurse.in_use} {bed.in_use} {time}"'),
        end(),
        boundary('visit', 'timer', { delay: '4' }),
        log('f"out {nurse.in_use} {bed.in_use} {time}"'),
        release('bed', 1),
        end(),
      ),
    )
    expect(logOf(built)).toEqual(['out 2 1 4', 'end 0 0 10'])
  })

  it('is given to who waits for it at that instant, and a run goes on so from a snapshot', () => {
    const built = model(
      events,
      resource('bed', 1),
      process(
        'P',
        start(),
        visit(request('bed', 1), delay(9), release('bed', 1)),
        end(),
        boundary('visit', 'timer', { delay: '4' }),
        delay(1),
        end(),
      ),
      process('Q', start(late('2')), request('bed', 1), log('f"bed {time}"'), release('bed', 1), end()),
    )
    expect(logOf(built)).toEqual(['bed 4'])
    const run = begin(built)
    run.advance({ until: 3 })
    const other = begin(built)
    other.restore(run.snapshot())
    for (const one of [run, other]) one.advance()
    expect(other.takeOutput().map(line => line.text)).toEqual(['bed 4'])
    expect(other.hash()).toBe(run.hash())
  })
})
