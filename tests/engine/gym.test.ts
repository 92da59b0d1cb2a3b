// The bridge for trainers elsewhere: the line protocol, what is refused, and the Python file where there is Python.
import { execFileSync, spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { check } from '../../sim-engine/check.ts'
import { compile } from '../../sim-engine/compile.ts'
import { serveGym } from '../../sim-engine/gym/protocol.ts'
import {
  compute,
  delay,
  element,
  end,
  every,
  model,
  process as processOf,
  scenario,
  start,
  variable,
  type Built,
  type Fields,
} from '../help/models.ts'
import { sample } from '../help/samples.ts'
import type { Model } from '../../model-schema/model.ts'

type Answer = Record<string, unknown>

/** Answers to commands; a function makes the next one from the latest answer. */
function served(of: Model, commands: readonly (unknown | ((answer: Answer) => unknown))[], ticks?: number): Answer[] {
  const { checked } = check(of, of.scenarios[0]!)
  const answers: Answer[] = []
  const left = [...commands]
  serveGym(
    compile(checked!),
    ticks === undefined ? {} : { ticks },
    () => {
      if (left.length === 0) return null
      const next = left.shift()
      const made: unknown = typeof next === 'function' ? (next as (answer: Answer) => unknown)(answers.at(-1) ?? {}) : next
      return typeof made === 'string' ? made : JSON.stringify(made)
    },
    line => answers.push(JSON.parse(line) as Answer),
  )
  return answers
}

const reset = (seed: number): object => ({ do: 'reset', seed })
const step = (action: unknown): object => ({ do: 'step', action })

const decided = (fields: Fields): Built =>
  model(
    scenario({ totalTicks: 5 }),
    variable('a', 0),
    variable('x', 0),
    processOf(
      'P',
      start(every('1')),
      element('decide', 'D', {
        observation: [{ name: 'x', value: 'x', low: 0, high: 4 }],
        actions: [{ variable: 'a', low: 0, high: 2, whole: true }],
        reward: 'a',
        ...fields,
      }),
      compute('x += 1'),
      delay('0'),
      end(),
    ),
  )

describe('gym: protocol', () => {
  test('gym: an episode of the cart gives observations, rewards and its end', () => {
    const { model: of } = sample('cart-pole')
    const right = Array.from({ length: 30 }, () => (answer: Answer) => (answer['over'] === true ? { do: 'spaces' } : step(1)))
    const answers = served(of, [{ do: 'spaces' }, reset(3), ...right])
    expect(answers[0]).toMatchObject({ deciders: [{ choices: 2, actions: [{ low: 0, high: 1, whole: true }] }] })
    const turns = answers.slice(1, answers.findIndex(({ over }) => over === true) + 1)
    expect(turns.length).toBeGreaterThan(7)
    expect(turns.length).toBeLessThan(20)
    for (const { observation } of turns) expect((observation as number[]).every(one => one >= -1 && one <= 1)).toBe(true)
    expect(turns[0]).toMatchObject({ reward: 0, terminated: false, truncated: false, over: false })
    expect(turns.at(-1)).toMatchObject({ reward: 1, terminated: true, truncated: false, over: true })
  })

  test('gym: the same seed gives the same episode, also after one that was left; total ticks cut it short', () => {
    const { model: of } = sample('cart-pole')
    const play = [reset(7), step(0), step(1), step(1)]
    const [first, second, other] = [[...play], [reset(9), step(0), ...play], [reset(8), ...play.slice(1)]].map(commands =>
      served(of, commands),
    )
    expect(second!.slice(2)).toEqual(first)
    expect(other).not.toEqual(first)
    const whole = served(decided({}).model, [reset(1), ...Array.from({ length: 6 }, () => step(2))])
    expect(whole.find(({ over }) => over)).toMatchObject({ reward: 2, terminated: false, truncated: true })
  })

  test('gym: what cannot be done is refused, and the episode goes on', () => {
    const { model: of } = decided({ actions: [{ variable: 'a', low: 0, high: 2, whole: true, allowed: '[0, 2]' }] })
    const bad: [unknown, string][] = [
      ['{"do": ', 'JSON'],
      ['[1, 2]', 'command'],
      [{ do: 'fly' }, 'command'],
      [{ do: 'reset', seed: -1 }, 'command'],
      [{ do: 'step', action: 'left' }, 'command'],
      [`"${'x'.repeat(1_000_001)}"`, 'characters'],
      [step(3), 'from 0 to 2'],
      [step(0.5), 'from 0 to 2'],
      [step([1]), 'from 0 to 2'],
      [step(1), 'not possible'],
    ]
    const answers = served(of, [reset(1), ...bad.map(([one]) => one), step(2)])
    bad.forEach(([, words], k) => expect(String(answers[k + 1]!['error'])).toContain(words))
    expect(answers.at(-1)).toMatchObject({ reward: 2, mask: [true, false, true] })
    expect(served(of, [step(1)])[0]!['error']).toContain('reset first')
    const smooth = decided({ actions: [{ variable: 'a', low: 0, high: 2, whole: false }] }).model
    expect(served(smooth, [reset(1), step([1, 2]), step(1), step([1])]).map(({ error }) => typeof error)).toEqual([
      'undefined',
      'string',
      'string',
      'undefined',
    ])
  })

  test('gym: a model that fails says where, and can begin again', () => {
    const { model: of } = decided({ reward: '1 / (2 - x)' })
    const answers = served(of, [reset(1), step(0), step(0), step(0), reset(1)])
    expect(answers.find(({ error }) => error !== undefined)).toMatchObject({ code: 10018 })
    expect(answers.at(-1)).toMatchObject({ over: false, reward: 0 })
  })
})

const python = spawnSync('python3', ['--version']).status === 0
const root = new URL('../..', import.meta.url).pathname

describe('gym: python', () => {
  test.skipIf(!python)('gym: the Python environment plays an episode and refuses a wrong action', () => {
    const script = `
import sys
sys.path.insert(0, "sim-engine/gym")
from holarchy_gym import HolarchyEnv, ModelError
with HolarchyEnv("model-schema/samples/cart-pole.holo", [sys.argv[1], "sim-engine/cli.ts"], ticks=50) as env:
    observation, info = env.reset(seed=1)
    assert env.observation_space.contains(observation) and env.action_space.n == 2, observation
    try:
        env.step(7)
    except ModelError as error:
        print("refused", error)
    total, over = 0.0, False
    while not over:
        observation, reward, terminated, truncated, info = env.step(1 if observation[2] + 0.2 * 3 / 0.21 * observation[3] > 0 else 0)
        total, over = total + reward, terminated or truncated
    print("return", total, terminated, truncated)
    first = env.reset(seed=5)[0]
    assert first == env.reset(seed=5)[0] and first != env.reset(seed=6)[0]
`
    const said = execFileSync('python3', ['-c', script, process.execPath], { cwd: root, encoding: 'utf8' })
    expect(said).toContain('refused an action is a whole number from 0 to 1')
    expect(said).toMatch(/return (49|50)\.0 False True/)
  })
})
