// Processes that call others, and steps with a process inside, as WebAssembly and in the general way.
import { expect, it } from 'vitest'
import type { Model } from '../../../model-schema/model.ts'
import { english } from '../../../model-schema/words.ts'
import { explain } from '../../../sim-engine/compile/explain.ts'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import { lowerProcesses } from '../../../sim-engine/lower/processes/process.ts'
import { start } from '../../../sim-engine/run.ts'
import {
  agents,
  boundary,
  call,
  compute,
  delay,
  end,
  from,
  model,
  parallel,
  port,
  process,
  release,
  request,
  resource,
  scenario,
  subprocess,
  to,
  variable,
  start as startStep,
  type Entry,
  type Part,
} from '../../help/models.ts'
import { compare, programOf, times } from '../../help/ways.ts'

/**
 * Processes that call others, and steps with a process inside: values from outside, splits, units held around them, and ends that hold some;
 * where it `isWatched`, they have events at their boundaries, and those inside are repeated.
 */
function nestedModel(seed: number, isWatched = false): Model {
  const s = stream(seed, 0, 'nested')
  const one = <T>(of: readonly T[]): T => of[below(s, of.length)]!
  const desk = (): string => `desk${below(s, 3)}`
  const held = () => ({ resources: [{ container: desk(), amount: '1', key: '' }] })
  let made = 0
  const stretch = (of: string, depth: number): Entry[] =>
    Array.from({ length: 1 + below(s, 3) }, () => piece(`${of}${made++}`, depth)).flat()
  const repeated = () => (isWatched && below(s, 3) === 0 ? { repeat: 'while', while: one(['random() < 0.5', 'tag < 3']) } : {})
  const watched = (name: string): Entry[] => {
    if (!isWatched || below(s, 3) === 0) return []
    const [fields, next] = [below(s, 4) === 0 ? { interrupting: false } : {}, `${name} next`]
    const event =
      below(s, 3) === 0
        ? boundary(name, 'condition', { condition: one(['desk0.queue > 1', 'total % 5 > 3', 'time % 4 > 2.5']), ...fields })
        : boundary(name, 'timer', { delay: one(['0.3', '1', 'exponential(1)', 'tag']), ...fields })
    return [compute('size += 0.001', next), event, compute('total += 1'), ...('interrupting' in fields ? [end()] : [to(next)]), from(next)]
  }
  const piece = (name: string, depth: number): Entry[] => {
    const kinds: (() => Entry[])[] = [
      () => [delay(one(times), '', held())],
      () => [compute(one(['total += tag', 'tag += random()', 'total += tag * size']))],
      () => {
        const at = desk()
        return [request(at), ...(depth > 0 ? stretch(`${name}r`, depth - 1) : []), release(at, 1)]
      },
      () => [
        parallel(`${name} split`),
        delay(one(times)),
        to(`${name} join`),
        from(`${name} split`),
        delay('0.5'),
        parallel(`${name} join`),
      ],
      () => [
        call(
          one(['Help', 'Advise']),
          below(s, 2) === 0 ? { inputs: [{ name: 'effort', value: 'tag + random()' }], before: 'size += 0.1' } : {},
          `${name} call`,
        ),
        ...watched(`${name} call`),
      ],
      () => [
        subprocess(
          `${name} part`,
          repeated(),
          ...(below(s, 2) === 0 ? [variable('mine', 'tag + 1')] : []),
          startStep(),
          compute(one(['total += tag', 'tag += 1'])),
          ...(depth > 0 ? stretch(`${name}s`, depth - 1) : [delay(one(times))]),
          end(),
        ),
        ...watched(`${name} part`),
        compute('tag -= 0.5'),
      ],
    ]
    return [...one(depth > 0 ? kinds : kinds.slice(0, 2))(), ...(depth === 0 ? [delay('0.1')] : [])]
  }
  const whole = (name: string): Part =>
    process(
      name,
      variable('tag', one(['1', 'randint(1, 4)'])),
      startStep({ trigger: 'timer', every: one(['exponential(1)', '0.9', 'uniform(0.5, 2)']) }),
      subprocess(`${name} all`, startStep(), ...stretch(name.toLowerCase(), 2), end()),
      ...stretch(`${name} then`, 1),
      end(),
    )
  const called = (name: string, ...rest: Entry[]): Part =>
    process(name, port('effort', 'in', { initial: '0.3' }), startStep({ active: false }), compute('total += effort'), ...rest, end())
  return model(
    scenario({ totalTicks: 60, ticking: below(s, 2) === 0 }),
    variable('base', '0.8'),
    variable('size', '1'),
    variable('total', '0'),
    ...[0, 1, 2].map(k => resource(`desk${k}`, 2 + below(s, 3))),
    called('Help', delay('effort', '', held()), ...(below(s, 4) === 0 ? [request('desk0'), delay('0.1')] : [])),
    called('Advise', ...(below(s, 2) === 0 ? [call('Help')] : [delay('exponential(0.5)')])),
    whole('P'),
    agents('Guest', { initialNumber: '2' }, whole('Stay')),
  ).model
}

it('gives the same states where tokens wait for others, called or inside: 16 random models', () => {
  const left = new Set<string>()
  for (let seed = 1; seed <= 16; seed++) {
    const of = nestedModel(seed)
    for (const { kind } of lowerProcesses(programOf(of, false))?.reasons.keys() ?? []) left.add(kind.id)
    compare(of, seed, [below(stream(seed, 6, 'cuts'), 20) + 0.3, 45])
  }
  expect([...left]).not.toContain('subprocess')
  expect([...left]).not.toContain('call')
})

it('gives the same states where they are repeated, and events at their boundaries interrupt them: 24 random models', () => {
  const left = new Set<string>()
  let ran = 0
  for (let seed = 1; seed <= 24; seed++) {
    const of = nestedModel(seed, true)
    for (const { kind } of lowerProcesses(programOf(of, false))?.reasons.keys() ?? []) left.add(kind.id)
    compare(of, seed, [below(stream(seed, 6, 'cuts'), 20) + 0.3, 45])
    const run = start(programOf(of, false), { seed, nativeFrom: 0 })
    run.advance()
    if (run.time > 50) ran++
  }
  expect(ran).toBeGreaterThan(8)
  expect([...left]).not.toContain('subprocess')
  expect([...left]).not.toContain('call')
})

it('explains steps with a process inside as WebAssembly, repeated and with timers at their boundaries, too', () => {
  const of = model(
    scenario({ totalTicks: 60, ticking: false }),
    resource('desk0', 2),
    process(
      'P',
      startStep({ trigger: 'timer', every: '1' }),
      subprocess('Work', { repeat: 'while', while: 'random() < 0.5' }, startStep(), request('desk0'), delay('1'), release('desk0'), end()),
      end(),
      boundary('Work', 'timer', { delay: '3' }),
      end(),
    ),
  ).model
  const explained = explain(programOf(of, false)).map(({ process: name, runs, steps }) => [name, english(runs), steps.length])
  expect(explained).toEqual(['P', 'Work'].map(name => [name, 'with tokens, as WebAssembly', 0]))
})
