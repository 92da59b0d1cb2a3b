// The states of a run on a page: laws that hold after any sequence of events, without an engine, a clock or a store.
import { env } from 'node:process'
import { describe, expect, it } from 'vitest'
import {
  firstRunning,
  outputLines,
  runningAfter,
  type Around,
  type Begin,
  type RunEffect,
  type RunEvent,
  type Running,
} from '../../../client/run/running.ts'
import type { FromEngine } from '../../../sim-engine/messages.ts'
import { hostProblem } from '../../../sim-engine/host-problems.ts'
import { chance, type Chance } from '../../help/random.ts'
import { frameAt, loadedWith } from '../../help/engine.ts'
import { compute, end, every, model, process, scenario, start, variable } from '../../help/models.ts'

const seeds = Number(env['SEED'] ?? 0)
const models = [1, 2].map(x => model(scenario({}), variable('x', x), process('P', start(every(1)), compute('x += 1'), end())))
const home = models[0]!.model.scenarios[0]!
const around = (random: Chance): Around => ({
  scenario: home,
  model: random.pick(models).model,
  stepLimit: random.pick([null, 9]),
  origin: null,
})

/** Something the engine may say, also of a load that is over. */
function anyMessage(random: Chance, state: Running): FromEngine {
  const load = Math.max(0, state.load - (random.chance(0.2) ? 1 : 0))
  const tick = random.below(20)
  const output = Array.from({ length: random.below(4) * 900 }, (_, k) => ({ tick, element: 'x', text: String(k) }))
  const frame = frameAt(load, tick, {
    output,
    rewound: random.chance(0.2),
    state: random.pick(['ready', 'playing', 'paused', 'ended'] as const),
  })
  return random.pick<() => FromEngine>([
    () => ({ is: 'loaded', loaded: loadedWith(load, { charts: [{ id: 'c', series: [{ label: 'a', color: '' }] }] }), problems: [], frame }),
    () => ({ is: 'problems', load, problems: [] }),
    () => ({ is: 'frame', frame }),
    () => ({ is: 'ended', load, frame, result: {} as never, summary: {} as never }),
    () => ({ is: 'waiting', load, waiting: [] }),
    () => ({ is: 'watches', load, values: [] }),
    () => ({ is: 'broken', problem: hostProblem(10002, home) }),
  ])()
}

function anyEvent(random: Chance, state: Running): RunEvent {
  const how = random.pick<Begin>([{ do: 'play' }, { do: 'step' }, { do: 'stepToken', how: 'over' }])
  const speed = random.pick([null, 1, 30, 500])
  return random.pick<() => RunEvent>([
    () => ({ type: 'load' }),
    () => ({ type: 'heard', message: anyMessage(random, state) }),
    () => ({ type: 'heard', message: anyMessage(random, state) }),
    () => ({ type: 'heard', message: anyMessage(random, state) }),
    () => ({ type: 'begin', how }),
    () => ({ type: 'toggle' }),
    () => ({ type: 'step' }),
    () => ({ type: 'pause' }),
    () => ({ type: 'reset' }),
    () => ({ type: 'restart' }),
    () => ({ type: 'back' }),
    () => ({ type: 'seek', tick: random.below(9) }),
    () => ({ type: 'edited' }),
    () => ({ type: 'settled' }),
    () => ({ type: 'checkerGone' }),
    () => ({ type: 'checked', check: state.checks - random.below(2), problems: [] }),
    () => ({ type: 'silent' }),
    () => ({ type: 'drawn' }),
    () => ({ type: 'typing', now: random.chance(0.5) }),
    () => ({ type: 'limited', fastest: random.pick([null, 10, 100]), isOtherLength: random.chance(0.3) }),
    () => ({ type: 'speed', speed }),
    () => ({ type: 'seed', seed: random.pick([null, 3]) }),
    () => ({ type: 'input', variable: 'x', value: random.below(5) }),
    () => ({ type: 'clearInput', variable: 'x' }),
    () => ({ type: 'press', controller: 'b' }),
    () => ({ type: 'answer', values: [1] }),
    () => ({ type: 'list', ask: null }),
  ])()
}

const loadOf = (message: FromEngine): number | null =>
  message.is === 'loaded' ? message.loaded.load : message.is === 'frame' ? message.frame.load : 'load' in message ? message.load : null

/** Messages that the engine answers. */
const answeredOnes = new Set(['load', 'follow', 'play', 'step', 'stepToken', 'back', 'seek'])

function laws(before: Running, event: RunEvent, after: Running, effects: readonly RunEffect[]): void {
  const { view } = after
  const posts = effects.flatMap(effect => (effect.type === 'post' ? [effect.message] : []))
  const loads = posts.filter(message => message.do === 'load' || message.do === 'follow')
  expect(loads.length, 'a load is numbered, and posted once').toBe(after.load - before.load)
  for (const message of loads) expect(message.load).toBe(after.load)
  if (posts.some(message => answeredOnes.has(message.do)))
    expect(
      effects.map(({ type }) => type),
      'who asks waits',
    ).toContain('expect')
  if (effects.some(({ type }) => type === 'expect' || type === 'answered')) expect(view.silent).toBe(false)
  if (event.type === 'heard' && loadOf(event.message) !== null && loadOf(event.message) !== before.load)
    expect([after, effects], 'an answer to an earlier load').toEqual([before, []])
  if (view.status === 'loading')
    expect(
      posts.filter(message => message.do === 'play' || message.do === 'step'),
      'nothing goes before it is loaded',
    ).toEqual([])
  if (view.status === 'problems') expect([view.loaded, view.frame]).toEqual([null, null])
  if (view.status === 'ended') expect(view.result).not.toBeNull()
  if (view.fastest !== null && event.type !== 'heard')
    expect(view.speed ?? Infinity, 'the plan bounds the speed').toBeLessThanOrEqual(view.fastest)
  expect(view.output.length).toBeLessThanOrEqual(outputLines)
  if (event.type === 'pause' || event.type === 'reset') expect(after.afterLoad).toBeNull()
}

describe('a run on a page, after any sequence of events', () => {
  it('keeps its laws, and changes no earlier state', () => {
    const from = seeds === 0 ? 1 : seeds
    for (let seed = from; seed < from + (seeds === 0 ? 200 : 1); seed++) {
      const random = chance(seed)
      let state = firstRunning(models[0]!.model, 30, random.pick([null, 10]), null)
      for (let step = 0; step < 80; step++) {
        const event = anyEvent(random, state)
        Object.freeze(state)
        Object.freeze(state.view)
        const [next, effects] = runningAfter(state, event, around(random))
        try {
          laws(state, event, next, effects)
        } catch (error) {
          throw new Error(`SEED=${seed}, step ${step}, ${event.type} at ${state.view.status}`, { cause: error })
        }
        // What was to be loaded is loaded at once, as the page does.
        state = effects.some(({ type }) => type === 'load') ? runningAfter(next, { type: 'load' }, around(random))[0] : next
      }
    }
  })
})

describe('a run on a page that asks a person', () => {
  const asked = { step: 's', name: 'Choose', who: null, seen: [], actions: [], possible: null }
  const posts = (effects: readonly RunEffect[]) => effects.flatMap(effect => (effect.type === 'post' ? [effect.message] : []))
  const after = (state: Running, ...events: readonly RunEvent[]): [Running, readonly RunEffect[]] => {
    let effects: readonly RunEffect[] = []
    for (const event of events) [state, effects] = runningAfter(state, event, { ...around(chance(1)), model: models[0]!.model })
    return [state, effects]
  }
  const heard = (message: FromEngine): RunEvent => ({ type: 'heard', message })
  const frame = (tick: number, more: object): RunEvent => heard({ is: 'frame', frame: frameAt(1, tick, { state: 'paused', ...more }) })
  const [ready] = after(
    firstRunning(models[0]!.model, 30, null, null),
    { type: 'load' },
    heard({ is: 'loaded', loaded: loadedWith(1), problems: [], frame: frameAt(1, 0, { state: 'ready' }) }),
  )

  it('plays on with the answer if it was playing, and makes no more than the instant if not', () => {
    const [playing] = after(ready, { type: 'begin', how: { do: 'play' } }, frame(3, { asked }))
    expect(playing.view).toMatchObject({ status: 'paused', frame: { asked } })
    const [answered, effects] = after(playing, { type: 'answer', values: [2] })
    expect(posts(effects)).toEqual([{ do: 'answer', values: [2], play: { speed: 30 } }])
    expect(answered.view.status).toBe('playing')
    // A second press, before anything was heard, is no second answer.
    expect(after(answered, { type: 'answer', values: [1] })[1]).toEqual([])
    // The next question comes before any other frame: it still plays on.
    expect(posts(after(answered, frame(4, { asked }), { type: 'answer', values: [0] })[1])).toMatchObject([{ play: { speed: 30 } }])

    const [stepped] = after(ready, { type: 'begin', how: { do: 'step' } }, frame(1, { asked }))
    expect(posts(after(stepped, { type: 'answer', values: [2] })[1])).toEqual([{ do: 'answer', values: [2], play: null }])
    expect(after(stepped, frame(1, {}), { type: 'answer', values: [2] })[1]).toEqual([])
  })
})
