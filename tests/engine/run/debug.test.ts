// Stopping before a step, looking, and going on: by element, condition, change, entity, error, and token by token.
import { describe, expect, it } from 'vitest'
import type { Breakpoint, Stop } from '../../../sim-engine/messages.ts'
import {
  agents,
  call,
  compute,
  delay,
  element,
  end,
  every,
  exclusive,
  from,
  model,
  otherwise,
  parallel,
  passive,
  port,
  process,
  request,
  resource,
  scenario,
  start,
  to,
  variable,
  when,
  type Built,
} from '../../help/models.ts'
import { runOf } from '../../help/runs.ts'
import { workerBench, type Bench } from '../../help/worker.ts'

const walkers = () =>
  model(
    scenario({ totalTicks: 20 }),
    variable('total', 0, { public: true }),
    agents(
      'Walker',
      { initialNumber: '3', order: 'fixed' },
      variable('steps', 0),
      process(
        'Walk',
        start(every(1)),
        variable('half', 0),
        compute('half = steps / 2\nsteps += 1', 'first'),
        compute('total += 1', 'second'),
        end(),
      ),
    ),
    agents(
      'Visitor',
      { initialNumber: '1' },
      process(
        'Tour',
        start(),
        delay('1.5', 'look'),
        call('Rest', { inputs: [{ name: 'long', value: '2' }] }, 'rest'),
        compute('total += 100', 'leave'),
        end(),
      ),
      process('Rest', start(passive), port('long'), delay('long', 'sit'), end()),
    ),
  )

const at = (built: Built, name: string, condition = ''): Breakpoint => ({
  id: `at ${name}`,
  enabled: true,
  on: 'element',
  element: built.id(name),
  condition,
})

function benchOf(built: Built, ...breakpoints: Breakpoint[]): Bench {
  const bench = workerBench()
  bench.load(built.model)
  bench.tell({ do: 'breakpoints', breakpoints })
  return bench
}

/** Plays on to the next stop, or null at the end. */
function play(bench: Bench): Stop | null {
  bench.tell({ do: 'play', speed: null })
  bench.turn()
  return bench.stop()
}

function step(bench: Bench, how: 'into' | 'over' | 'out'): string {
  bench.tell({ do: 'stepToken', how })
  bench.turn()
  const [top] = bench.stop()?.stack ?? []
  return top ? `${top.who?.name ?? 'world'} ${top.step.name || top.step.id.replace(/^.*-/, '')}` : 'end'
}

describe('breakpoints', () => {
  it('stop before the step, also in processes without tokens, with everything to be seen', () => {
    const built = walkers()
    const bench = benchOf(built, at(built, 'second'))
    const stops = Array.from({ length: 4 }, () => play(bench))
    expect(stops.map(stop => stop?.stack[0]?.who?.name)).toEqual(['Walker 1', 'Walker 2', 'Walker 3', 'Walker 1'])
    expect(stops.map(stop => stop?.shared[0]?.value)).toEqual([0, 1, 2, 3])
    expect(stops[3]).toMatchObject({
      why: 'breakpoint',
      breakpoint: 'at second',
      tick: 2,
      stack: [{ locals: [{ name: 'half', value: 0.5 }], actor: { steps: 2 }, process: { name: 'Walk' } }],
    })
    expect(bench.frame()).toMatchObject({ state: 'paused', values: { [built.id('total')]: 3 } })
    bench.tell({ do: 'breakpoints', breakpoints: [] })
    expect(play(bench)).toBeNull()
    expect(bench.last('ended').summary).toEqual(runOf(built).summary)
  })

  it('show before a Decide step what it goes by, without drawing for the run', () => {
    const fields = {
      observation: [
        { name: 'far', value: 'n', low: 0, high: 10 },
        { name: '', value: 'n > 1', low: 0, high: 1 },
      ],
      actions: [{ variable: 'took', low: 0, high: 3, whole: true }],
      reward: '10 * took',
      done: 'n == 3',
    }
    const net = element('network', 'net', { inputs: 2, outputs: 4, layers: '' })
    const deciding = (policy: object) =>
      model(
        scenario({ totalTicks: 4 }),
        variable('n', 0),
        variable('took', 0, { public: true }),
        net,
        process('Play', start(every(1)), compute('n += 1'), element('decide', 'Choose', { ...fields, ...policy }), end()),
      )
    for (const policy of [{ policy: 'network', network: 'net', sampling: 'drawn' }, { policy: 'random' }]) {
      const built = deciding(policy)
      const bench = benchOf(built, at(built, 'Choose'))
      const seen = Array.from({ length: 3 }, () =>
        Object.fromEntries(play(bench)?.stack[0]?.locals.map(one => [one.name, one.value]) ?? []),
      )
      expect(seen[0]).toMatchObject({ 'observation far': 1, 'observation n > 1': false, done: false })
      expect(seen[0]).not.toHaveProperty('reward')
      // The action shown is the one then taken, and its reward is that of the next decision.
      expect(seen[1]).toMatchObject({ 'observation far': 2, 'observation n > 1': true, reward: 10 * Number(seen[0]?.['action']) })
      expect(seen[2]).toMatchObject({ done: true, reward: 10 * Number(seen[1]?.['action']) })
      expect(seen[2]).not.toHaveProperty('action')
      const { chances } = seen[0] as { chances?: number[] }
      expect(chances === undefined ? null : chances.reduce((sum, one) => sum + one, 0)).toEqual(
        policy.policy === 'random' ? null : expect.closeTo(1, 6),
      )
      bench.tell({ do: 'breakpoints', breakpoints: [] })
      play(bench)
      expect(bench.last('ended').summary).toEqual(runOf(built).summary)
    }
    // What cannot be worked out says why.
    const broken = deciding({ policy: 'formula', choice: '1 / (n - n)' })
    expect(play(benchOf(broken, at(broken, 'Choose')))?.stack[0]?.locals.find(one => one.name === 'action')?.value).toMatch(/zero/i)
  })

  it('stop only where their condition holds', () => {
    const built = walkers()
    const bench = benchOf(built, at(built, 'second', 'id == 2 and half > 1 and tick > 4'))
    expect(play(bench)).toMatchObject({ tick: 5, stack: [{ who: { name: 'Walker 2' } }] })
    expect(play(bench)).toMatchObject({ tick: 6 })
    expect(bench.last('breakpoints').refused).toEqual([])
  })

  it('say which conditions can not be used, and why one could not be answered', () => {
    const built = walkers()
    const bench = benchOf(
      built,
      at(built, 'second', 'nobody > 1'),
      at(built, 'first', 'random() > 0.5'),
      at(built, 'leave', '1 / (total - total) > 1'),
    )
    expect(bench.last('breakpoints').refused.map(one => one.id)).toEqual(['at second', 'at first'])
    bench.tell({ do: 'breakpoints', breakpoints: [at(built, 'leave', '1 / (total - total) > 1')] })
    expect(play(bench)).toMatchObject({ problem: { code: 10018 } })
  })

  it('stop when a variable changes, and say what changed it', () => {
    const built = walkers()
    const bench = benchOf(built, { id: 'w', enabled: true, on: 'change', variable: built.id('total') })
    const seen = Array.from({ length: 3 }, () => play(bench)?.change)
    expect(seen.map(change => [change?.before, change?.after, change?.by])).toEqual([0, 1, 2].map(n => [n, n + 1, built.id('second')]))
  })

  it('stop when an individual acts', () => {
    const built = walkers()
    const bench = benchOf(built, { id: 'e', enabled: true, on: 'entity', population: built.id('Walker'), entity: 1 })
    expect(play(bench)).toMatchObject({ why: 'entity', tick: 1, stack: [{ who: { name: 'Walker 2', entity: 1 } }] })
  })

  it('stop before the step that fails, then let it fail', () => {
    const built = model(
      scenario({ totalTicks: 10 }),
      variable('left', 3),
      process('P', start(every(1)), compute('left -= 1', 'less'), compute('left = left * (1 / left)  * left', 'divide'), end()),
    )
    const bench = benchOf(built, { id: 'x', enabled: true, on: 'error' })
    expect(play(bench)).toMatchObject({
      why: 'error',
      tick: 3,
      problem: { code: 10018 },
      stack: [{ step: { name: 'divide' } }],
      shared: [{ value: 0 }],
    })
    expect(play(bench)).toBeNull()
    expect(bench.last('ended').result).toMatchObject({ end: 'failed', tick: 3 })
    bench.tell({ do: 'back' })
    expect(bench.stop()).toMatchObject({ why: 'error', stack: [{ step: { name: 'divide' } }] })
    bench.tell({ do: 'back' })
    expect(bench.stop()).toMatchObject({ why: 'step', stack: [{ step: { name: 'less' } }] })
  })

  it('far apart are found by a build without other hooks, and shown as if all steps had been watched', () => {
    const built = model(
      scenario({ totalTicks: 200 }),
      variable('total', 0),
      agents(
        'Walker',
        { initialNumber: '3' },
        variable('luck', 0),
        process(
          'Walk',
          start(every(1)),
          variable('half', 1),
          compute('luck = random()\nhalf = luck / 2\ntotal += half', 'draw'),
          compute('total += 1 / (200.5 - tick - id)', 'add'),
          call('Rest', {}, 'rest'),
          end(),
        ),
        process('Rest', start(passive), delay('luck', 'sit'), compute('total += 0 if tick < 190 else 1 / 0', 'late'), end()),
      ),
    )
    const places: Breakpoint[] = [
      at(built, 'add', 'tick % 40 == 7 and id == 2'),
      at(built, 'sit', 'luck > 0.985'),
      { id: 'l', enabled: true, on: 'line', element: built.id('draw'), field: 'program', line: 2, condition: 'half > 0.497' },
      { id: 'x', enabled: true, on: 'error' },
    ]
    const stopsOf = (...more: Breakpoint[]): (Stop | null)[] => {
      const bench = benchOf(built, ...places, ...more)
      const stops: (Stop | null)[] = []
      do stops.push(play(bench))
      while (stops.at(-1))
      expect(bench.last('ended').result).toMatchObject({ end: 'failed', tick: 190 })
      return stops
    }
    const found = stopsOf()
    // What never changes is waited for at every step.
    const watched = stopsOf({ id: 'c', enabled: true, on: 'change', variable: 'none' })
    expect(found).toEqual(watched)
    expect(new Set(found.map(stop => stop?.breakpoint))).toEqual(new Set(['at add', 'at sit', 'l', 'x', undefined]))
    expect(new Set(found.map(stop => stop?.tick)).size).toBeGreaterThan(8)
  })

  it('change nothing, wherever they stop', () => {
    const built = walkers()
    const bench = benchOf(built, at(built, 'second'), at(built, 'sit'), at(built, 'leave'), {
      id: 'w',
      enabled: true,
      on: 'change',
      variable: built.id('total'),
    })
    let stops = 0
    while (play(bench)) stops++
    expect(stops).toBeGreaterThan(60)
    expect(bench.last('ended').summary).toEqual(runOf(built).summary)
  })
})

describe('stepping', () => {
  it('into: every step of every token', () => {
    const built = model(
      scenario({ totalTicks: 3 }),
      variable('a', 0),
      process(
        'P',
        start(every(1)),
        compute('a += 1', 'one'),
        exclusive('which'),
        when('a > 1'),
        compute('a += 10', 'two'),
        end(),
        from('which'),
        otherwise(),
        end(),
      ),
    )
    const bench = benchOf(built)
    const seen: string[] = []
    for (let next = step(bench, 'into'); next !== 'end'; next = step(bench, 'into')) seen.push(next.replace('world ', ''))
    expect(seen).toEqual([
      'start1',
      'one',
      'which',
      'end2',
      'start1',
      'one',
      'which',
      'two',
      'end1',
      'start1',
      'one',
      'which',
      'two',
      'end1',
    ])
    expect(bench.last('ended').summary).toEqual(runOf(built).summary)
  })

  it('over a call stays with the caller; into goes inside; out comes back', () => {
    const built = walkers()
    const bench = benchOf(built, at(built, 'rest'))
    expect(play(bench)).toMatchObject({ time: 1.5, stack: [{ step: { name: 'rest' }, who: { name: 'Visitor 1' } }] })
    bench.tell({ do: 'breakpoints', breakpoints: [] })
    expect(step(bench, 'over')).toBe('Visitor 1 leave')
    expect(bench.frame().time).toBe(3.5)
    bench.tell({ do: 'seek', tick: 1 })
    bench.turn()
    bench.tell({ do: 'breakpoints', breakpoints: [at(built, 'sit')] })
    const stop = play(bench)
    expect(stop?.stack.map(one => one.step.name)).toEqual(['sit', 'rest'])
    expect(stop?.stack[0]?.locals).toEqual([{ name: 'long', value: 2 }])
    bench.tell({ do: 'breakpoints', breakpoints: [] })
    expect(step(bench, 'out')).toBe('Visitor 1 leave')
  })

  it('over a fork and its join; a whole tick; back by single steps', () => {
    const built = model(
      scenario({ totalTicks: 5 }),
      variable('a', 0),
      process(
        'P',
        start(every(2)),
        parallel('fork'),
        compute('a += 1', 'left'),
        parallel('join'),
        compute('a += 10', 'after'),
        end(),
        from('fork'),
        compute('a += 2', 'right'),
        to('join'),
      ),
    )
    const bench = benchOf(built, at(built, 'fork'))
    expect(play(bench)).toMatchObject({ time: 2 })
    expect([step(bench, 'over'), step(bench, 'over')]).toEqual(['world left', 'world join'])
    expect(bench.stop()?.shared[0]?.value).toBe(1)
    bench.tell({ do: 'back' })
    expect(bench.stop()?.stack[0]?.step.name).toBe('left')
    expect(bench.stop()?.shared[0]?.value).toBe(0)
    bench.tell({ do: 'step' })
    expect(bench.frame()).toMatchObject({ tick: 2, state: 'paused' })
    bench.tell({ do: 'breakpoints', breakpoints: [] })
    expect(play(bench)).toBeNull()
    expect(bench.last('ended').summary).toEqual(runOf(built).summary)
  })
})

describe('tokens left at the end', () => {
  it('are told while the run is paused, too', () => {
    const built = model(
      scenario({ totalTicks: 9 }),
      resource('Bay', 1),
      agents('Car', { initialNumber: '3' }, process('Park', start(), request('Bay'), delay('2', 'wash'), end())),
    )
    const bench = benchOf(built)
    bench.tell({ do: 'step' })
    const { waiting } = bench.last('waiting')
    expect(waiting.map(({ for: what, count }) => [what, count]).sort()).toEqual([
      ['container', 2],
      ['time', 1],
    ])
  })

  it('say where they wait, for what, and whose they are', () => {
    const built = model(
      scenario({ totalTicks: 4 }),
      resource('desk', 1),
      agents('Ant', { initialNumber: '3' }, process('Work', start(), request('desk'), delay(100, 'work'), end())),
      process('Fork', start(), parallel('fork'), parallel('join'), end(), from('fork'), delay(50, 'slow'), to('join')),
    )
    const rows = runOf(built).summary.waiting.map(row => [row.step, row.for, row.count, row.who.length])
    expect(rows).toContainEqual(['work', 'time', 1, 1])
    expect(rows).toContainEqual(['slow', 'time', 1, 0])
    expect(rows.find(([, what]) => what === 'container')?.slice(1)).toEqual(['container', 2, 2])
  })
})
