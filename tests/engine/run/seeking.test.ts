// Builds that seek breakpoints run as plain ones do - queues and rows as WebAssembly - in stretches of many instants. They stop
// where a debug build stops that looks at every step.
import { describe, expect, it } from 'vitest'
import type { Model } from '../../../model-schema/model.ts'
import { check } from '../../../sim-engine/check.ts'
import type { CheckedModel } from '../../../sim-engine/check.ts'
import { compile } from '../../../sim-engine/compile.ts'
import { Debugger } from '../../../sim-engine/debug/debugger.ts'
import { Timeline } from '../../../sim-engine/debug/timeline.ts'
import type { Breakpoint, RunOptions, Stop } from '../../../sim-engine/messages.ts'
import { NotLowered } from '../../../sim-engine/lower/scope.ts'
import { rowsProgram } from '../../../sim-engine/rows/module.ts'
import { hasNativeRows } from '../../../sim-engine/rows.ts'
import { compiledOf, hasFastProcesses } from '../../../sim-engine/run/fast/process-module.ts'
import { start } from '../../../sim-engine/run.ts'
import { queue, schelling, wolfSheep } from '../../bench/models.ts'
import { chance as chanceOf } from '../../help/random.ts'
import {
  agents,
  cells,
  compute,
  delay,
  end,
  every,
  exclusive,
  from,
  func,
  log,
  model,
  otherwise,
  process,
  release,
  request,
  resource,
  scenario,
  space,
  start as begin,
  statistic,
  variable,
  when,
  type Built,
} from '../../help/models.ts'
import { english } from '../../../model-schema/words.ts'

function checkedOf({ model: made }: { model: Model }): CheckedModel {
  const { checked, problems } = check(made, made.scenarios[0] ?? '')
  if (!checked) throw new Error(problems.map(one => `${one.code} ${one.at.id} ${one.at.field}: ${english(one.message)}`).join('; '))
  return checked
}

const stepAt = (checked: CheckedModel, kind: string, condition: string): Breakpoint => ({
  id: `${kind} ${condition}`,
  enabled: true,
  on: 'element',
  element: checked.parts.steps.find(step => step.kind.id === kind || step.element.fields['operation'] === kind)?.id ?? '',
  condition,
})

/** What never changes: for such a breakpoint each step is looked at. */
const nothing: Breakpoint = { id: 'nothing', enabled: true, on: 'change', variable: 'none' }

type Found = { stops: (Stop & { instants: number })[]; instants: number; hash: string; result: unknown; debug: Debugger }

/** Plays to the end or `most` stops. The clock makes stretches of any length. */
function playOn(checked: CheckedModel, options: RunOptions, breakpoints: readonly Breakpoint[], most = 12, seed = 1): Found {
  const { below } = chanceOf(seed)
  let now = 0
  const debug = new Debugger(compile(checked), options, breakpoints, () => (now += below(3) === 0 ? 1 : 0))
  const { timeline } = debug
  const stops: Found['stops'] = []
  while (!timeline.run.result && stops.length < most)
    if (debug.leap() && debug.stop) stops.push({ ...debug.stop, instants: timeline.instants })
  const { run } = timeline
  return { stops, instants: timeline.instants, hash: run.hash(), result: run.result, debug }
}

function bothWays(checked: CheckedModel, options: RunOptions, breakpoints: readonly Breakpoint[], most = 12): Found {
  const sought = playOn(checked, options, breakpoints, most)
  const watched = playOn(checked, options, [...breakpoints, nothing], most)
  expect(sought.stops).toEqual(watched.stops)
  expect([sought.instants, sought.hash, sought.result]).toEqual([watched.instants, watched.hash, watched.result])
  if (sought.result) {
    const alone = start(compile(checked), options)
    alone.advance()
    expect([sought.hash, sought.result]).toEqual([alone.hash(), alone.result])
  }
  return sought
}

const desk = (): Built =>
  model(
    scenario({ totalTicks: 12_000, ticking: false }),
    variable('patience', '0.5'),
    resource('desk', 3),
    process(
      'Serve',
      begin({ trigger: 'timer', every: 'exponential(0.7)' }),
      request('desk'),
      delay('exponential(2)'),
      release('desk'),
      end(),
    ),
  )

describe('breakpoints on the way', () => {
  it.each([
    ['request', 'time > 4000 and time < 4003'],
    ['delay', 'time > 9000 and time < 9004'],
    ['release', 'abs(time - 7000) < patience'],
    ['end', 'time > 11995'],
    // These look at what is elsewhere.
    ['delay', 'desk.queue > 20'],
    ['start', 'time > 4000 and time < 4003'],
  ])('of a queue: at %s where %s', (kind, condition) => {
    const checked = checkedOf(desk())
    const place = stepAt(checked, kind, condition)
    const { stops } = bothWays(checked, { seed: 3 }, [place])
    expect(stops.length).toBeGreaterThan(1)
    for (const { why, breakpoint } of stops) expect([why, breakpoint]).toEqual(['breakpoint', place.id])
  })

  it('of a queue go as WebAssembly', () => {
    const checked = checkedOf(queue(3, 2.4))
    const { stops, debug, hash } = playOn(checked, { seed: 5, ticks: 40_000 }, [stepAt(checked, 'delay', 'time < 0')])
    const { program } = debug.timeline
    expect(stops).toEqual([])
    expect(hasFastProcesses(program)).toBe(true)
    // The step with the breakpoint, too: only where the condition holds does it go the general way.
    expect(Array.from(compiledOf(program)!.lowered.reasons.keys(), step => step.kind.id)).toEqual([])
    const alone = start(compile(checked), { seed: 5, ticks: 40_000 })
    alone.advance()
    expect(hash).toBe(alone.hash())
  })

  it('of rows go as WebAssembly', () => {
    const checked = checkedOf(wolfSheep(20, 60, 30, 10, 0.4, 0.2))
    const { stops, debug } = bothWays(checked, { seed: 2, ticks: 60, nativeFrom: 0 }, [stepAt(checked, 'destroy', 'tick == 17')], 60)
    expect(stops.length).toBeGreaterThan(0)
    expect(hasNativeRows(debug.timeline.program)).toBe(true)
    const segregation = checkedOf(schelling(20, 300, 2, 8))
    const places = [stepAt(segregation, 'place', 'tick > 3 and id % 50 == 1')]
    const found = bothWays(segregation, { seed: 2, ticks: 40, nativeFrom: 0 }, places, 60)
    expect(found.stops.length).toBeGreaterThan(2)
    expect(hasNativeRows(found.debug.timeline.program)).toBe(true)
  })

  it.each([
    ['a = random() * 3\nif a > 2:\n    b += a', 2, 'a > 2.97'],
    ['n = 0\nfor k in range(4):\n    n += k * a\n    b = n', 3, 'k == 2 and n > 2 and tick > 50'],
    ['p = self\nfor o in Bug:\n    if o.a > p.a:\n        p = o\na = random() * 2\nb = p.a', 5, 'p.a > 1.95 and a > 1.95'],
  ])('in programs of rows go as WebAssembly: %s', (text, line, condition) => {
    const built = model(
      scenario({ totalTicks: 60 }),
      agents(
        'Bug',
        { initialNumber: '20' },
        variable('a', 'random()', { public: true }),
        variable('b', '0'),
        process('Live', begin(every(1)), compute(text, 'think'), end()),
      ),
    )
    const checked = checkedOf(built)
    const place: Breakpoint = { id: 'l', enabled: true, on: 'line', element: built.id('think'), field: 'program', line, condition }
    expect(bothWays(checked, { seed: 4, nativeFrom: 0 }, [place], 400).stops.length).toBeGreaterThan(1)
    const { program } = playOn(checked, { seed: 4, nativeFrom: 0 }, [{ ...place, condition: `(${condition}) and time < 0` }]).debug.timeline
    expect([program.sought !== null, hasNativeRows(program), rowsProgram(program, new Set()) instanceof NotLowered]).toEqual([
      true,
      true,
      false,
    ])
  })

  it('of cells that only act when something changed near them', () => {
    const built = model(
      scenario({ totalTicks: 60 }),
      space('Land', { topology: 'discrete', minX: '0', maxX: '29', minY: '0', maxY: '29' }),
      cells(
        'Tree',
        { space: 'Land', order: 'simultaneous' },
        variable('state', '1 if x == 0 else 0'),
        process(
          'Burn',
          begin(every(1)),
          exclusive('burning'),
          when('state == 1'),
          compute('state = 2', 'out'),
          end(),
          from('burning'),
          when('state == 0 and any(c.state == 1 for c in von_neumann())'),
          compute('state = 1', 'catch'),
          end(),
          from('burning'),
          otherwise(),
          end(),
        ),
      ),
    )
    const checked = checkedOf(built)
    const places: Breakpoint[] = [
      { id: 'c', enabled: true, on: 'element', element: built.id('catch'), condition: 'y == 7' },
      { id: 'l', enabled: true, on: 'line', element: built.id('out'), field: 'program', line: 0, condition: 'y == 3 and tick > 10' },
    ]
    const { stops } = bothWays(checked, { seed: 1 }, places, 80)
    expect(stops.length).toBe(29 + 11)
  })

  it('of an individual, whatever it does', () => {
    const checked = checkedOf(wolfSheep(20, 60, 30, 10, 0.4, 0.2))
    const sheep = checked.parts.entities.find(one => one.name === 'Sheep')!
    const one: Breakpoint = { id: 'e', enabled: true, on: 'entity', population: sheep.id, entity: 7 }
    const { stops, debug } = bothWays(checked, { seed: 2, ticks: 60, nativeFrom: 0 }, [one, stepAt(checked, 'destroy', 'id == 3')], 400)
    expect(stops.length).toBeGreaterThan(3)
    expect(hasNativeRows(debug.timeline.program)).toBe(true)
  })

  it('stop where their condition has no answer, and the run goes on', () => {
    for (const [made, kind, options] of [
      [desk(), 'delay', { seed: 3, ticks: 6000 }],
      [wolfSheep(20, 60, 30, 10, 0.4, 0.2), 'place', { seed: 2, ticks: 30, nativeFrom: 0 }],
    ] as const) {
      const checked = checkedOf(made)
      const { stops, result } = bothWays(checked, options, [stepAt(checked, kind, '1 / max(0, 25 - time) < 0')], 3)
      expect(stops.map(stop => stop.problem?.code)).toEqual([10018, 10018, 10018].slice(0, stops.length))
      expect(stops.length).toBeGreaterThan(0)
      expect(result).toBeNull()
    }
  })

  it('that have no answer for long are passed again and again, also by travels', () => {
    const built = desk()
    const checked = checkedOf(built)
    // From time 5 on there is no answer: the way back to a later stop leads past that.
    const places = [stepAt(checked, 'delay', '1 / max(0, 5 - time) < 0'), stepAt(checked, 'release', 'time > 20')]
    const { stops, debug } = bothWays(checked, { seed: 3, ticks: 40 }, places, 30)
    expect(new Set(stops.map(stop => stop.breakpoint)).size).toBe(2)
    // Far on the way, too, where the queue is WebAssembly.
    const late = bothWays(checked, { seed: 3, ticks: 12_000 }, [stepAt(checked, 'delay', '1 / max(0, 11000 - time) < 0')], 2)
    expect(late.stops.map(stop => stop.problem?.code)).toEqual([10018, 10018])
    const alone = start(compile(checked), { seed: 3, ticks: 40 })
    alone.advance({ until: 12 })
    debug.seek({ time: 12 })
    debug.timeline.work()
    expect([debug.timeline.run.hash(), debug.timeline.run.result]).toEqual([alone.hash(), null])
  })

  it('with conditions that call functions, beside errors of the run', () => {
    const built = model(
      scenario({ totalTicks: 300 }),
      variable('total', 0),
      func('part', ['of'], 'return of / (250 - tick)'),
      agents(
        'Walker',
        { initialNumber: '3' },
        process('Walk', begin(every(1)), compute('total += 1', 'add'), compute('total += 1 / (270 - tick)', 'fail'), end()),
      ),
    )
    const checked = checkedOf(built)
    const places: Breakpoint[] = [
      { id: 'f', enabled: true, on: 'element', element: built.id('add'), condition: 'part(1) > 0.3 or part(1) < -1' },
      { id: 'x', enabled: true, on: 'error' },
    ]
    const { stops } = bothWays(checked, { seed: 1 }, places, 40)
    expect(new Set(stops.map(stop => stop.breakpoint))).toEqual(new Set(['f', 'x']))
    expect(stops.at(-1)).toMatchObject({ why: 'error', tick: 270 })
    expect(stops.some(stop => stop.problem?.code === 10018 && stop.why === 'breakpoint')).toBe(true)
  })
})

describe('stretches of instants', () => {
  const busy = (): Built =>
    model(
      scenario({ totalTicks: 400 }),
      variable('pace', '1', { public: true }),
      resource('desk', 2),
      statistic('Queue', 'desk.queue', { sample: 'tick', aggregate: 'mean' }),
      process('Serve', begin(every('exponential(pace)')), request('desk'), delay('exponential(1.5)'), release('desk'), end()),
      process('Talk', begin(every('exponential(20)')), log('str(round(time, 3))'), end()),
      process('Trap', begin(every('exponential(150)')), compute('pace = 1 / (1 if time < 300 else 0)'), end()),
    )

  it('are as so many single ones: instants, lines, inputs, and how they end', () => {
    const { below } = chanceOf(7)
    const checked = checkedOf(busy())
    const pace = checked.parts.shared.find(one => one.name === 'pace')!.id
    let failures = 0
    for (let seed = 1; seed <= 6; seed++) {
      let now = 0
      const single = new Timeline(compile(checked), { seed }, () => 0)
      const stretched = new Timeline(compile(checked), { seed }, () => (now += below(2)))
      const hashes = new Map<number, string>()
      const lines = new Map<number, unknown[]>()
      const give = (timeline: Timeline): void => {
        if (timeline.instants === 50) timeline.input('set', pace, 0.8)
      }
      while (!single.run.result) {
        single.advance()
        give(single)
        hashes.set(single.instants, single.run.hash())
        const { output } = single.takeOutput()
        if (output.length > 0) lines.set(single.instants, output)
      }
      let stretches = 0
      while (!stretched.run.result) {
        const before = stretched.instants
        stretched.leap(Infinity, before < 50 ? 50 - before : Infinity)
        give(stretched)
        stretches++
        const { output } = stretched.takeOutput()
        // A line ends its stretch.
        if (output.length > 0) expect(lines.get(stretched.instants), `seed ${seed}`).toEqual(output)
        for (const [instants] of lines) expect(instants <= before || instants >= stretched.instants).toBe(true)
        expect(stretched.run.hash(), `seed ${seed}, ${stretched.instants} instants`).toBe(hashes.get(stretched.instants))
      }
      expect([stretched.instants, stretched.run.result]).toEqual([single.instants, single.run.result])
      if (stretched.run.result?.end === 'failed') failures++
      expect(stretches).toBeLessThan(single.instants / 2)
      // Once more from the middle: inputs come back where they were.
      const to = 40 + below(200)
      stretched.seek({ instants: to })
      stretched.work()
      expect([stretched.instants, stretched.run.hash()]).toEqual([to, hashes.get(to)])
    }
    expect(failures).toBeGreaterThan(1)
  })

  it('end at the time said, and soon where instants are slow', () => {
    const checked = checkedOf(busy())
    const timeline = new Timeline(compile(checked), { seed: 1 }, () => 0)
    for (let until = 10; until <= 100; until += 10) {
      while (timeline.nextTime <= until) timeline.leap(until)
      expect(timeline.run.time).toBeLessThanOrEqual(until)
      expect(timeline.nextTime).toBeGreaterThan(until)
    }
    // From here on each look at the clock costs ten milliseconds.
    let now = 0
    const slow = new Timeline(compile(checked), { seed: 1 }, () => now)
    for (let k = 0; k < 20; k++) slow.leap()
    const { instants } = slow
    Object.defineProperty(slow.run.inner.built.entries, 'tick', { value: () => (now += 10) })
    slow.leap()
    expect(slow.instants - instants).toBeLessThan(60)
  })
})
