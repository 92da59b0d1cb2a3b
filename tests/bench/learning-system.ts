// What steps of learning, decisions and episode starts cost; and trainings that are killed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { check } from '../../sim-engine/check.ts'
import { compile } from '../../sim-engine/compile.ts'
import { start } from '../../sim-engine/run.ts'
import { Net } from '../../sim-engine/learn/net/net.ts'
import { randomWeights } from '../../sim-engine/learn/net/shape.ts'
import {
  agents,
  compute,
  element,
  end,
  every,
  model,
  process as processOf,
  scenario,
  start as startOf,
  variable,
  type Built,
} from '../help/models.ts'
import { killedTraining, trained, trainingFile, weightsOf } from '../help/experiments/killing.ts'
import { sample } from '../help/samples.ts'
import { median, worked, type Figure } from './figure.ts'
import { english } from '../../model-schema/words.ts'

const shape = {
  inputs: 4,
  layers: [
    { size: 64, activation: 'tanh' },
    { size: 64, activation: 'tanh' },
    { size: 2, activation: 'linear' },
  ],
} as const

/** How often a second of this thread, the median of five. */
function rate(times: number, act: () => void): number {
  act()
  return median([1, 2, 3, 4, 5].map(() => (times * 1000) / worked(act)))
}

function netOf(activation: 'tanh' | 'relu', rows: number): Net {
  const own = { ...shape, layers: shape.layers.map((layer, k) => (k < 2 ? { ...layer, activation } : layer)) }
  const net = new Net(own, rows)
  net.weights = randomWeights(own, 1)
  for (let k = 0; k < net.inputs.length; k++) net.inputs[k] = Math.sin(k)
  return net
}

/** Walkers that decide in every tick by a network of four inputs, two hidden layers of 64 and two outputs. */
const deciders = (count: number, ticks: number, acting: 'single' | 'together'): Built =>
  model(
    scenario({ totalTicks: ticks }),
    element('network', 'net', { inputs: 4, layers: '64,64', activation: 'relu', outputs: 2, weights: 'random', seed: 3 }),
    agents(
      'Walker',
      { initialNumber: String(count) },
      variable('x', 'uniform(-1, 1)'),
      variable('speed', 'uniform(-1, 1)'),
      variable('push', 0),
      processOf(
        'Walk',
        startOf(every(1)),
        element('decide', 'Push', {
          policy: 'network',
          network: 'net',
          acting,
          observation: [
            { name: 'x', value: 'x', low: -1, high: 1 },
            { name: 'speed', value: 'speed', low: -1, high: 1 },
            { name: 'both', value: 'x * speed', low: -1, high: 1 },
            { name: 'off', value: 'x - speed', low: -2, high: 2 },
          ],
          actions: [{ variable: 'push', low: 0, high: 1, whole: true }],
          reward: '0',
        }),
        compute('speed = 0.9 * speed + 0.1 * push - 0.05\nx = 0.9 * x + 0.1 * speed'),
        end(),
      ),
    ),
  )

function compiled({ model: made }: Built): ReturnType<typeof compile> {
  const checked = check(made, made.scenarios[0] ?? '')
  if (!checked.ok) throw new Error(checked.problems.map(({ message }) => english(message)).join('; '))
  return compile(checked.checked)
}

export function* speedFigures(wanted: (name: string) => boolean): Generator<Figure> {
  const target = (name: string, value: number, baseline: number, note: string): Figure => ({
    name,
    value,
    unit: '/s',
    baseline,
    ratio: value / baseline,
    note,
  })
  if (wanted('learning/train-steps')) {
    const steps = (activation: 'tanh' | 'relu'): number => {
      const net = netOf(activation, 64)
      return rate(2000, () => {
        for (let k = 0; k < 2000; k++) {
          net.forward(64)
          const { byOutputs, outputs } = net
          for (let o = 0; o < byOutputs.length; o++) byOutputs[o] = (outputs[o]! - 1) / 64
          net.backward(64)
          net.adam(1e-4)
        }
      })
    }
    yield target(
      'learning/train-steps',
      steps('relu'),
      12_000,
      `4-64-64-2, batch 64, relu, forward, gradient and Adam (tanh ${steps('tanh').toPrecision(3)}); baseline: the target; PyTorch 2.13, one thread: 3,689`,
    )
  }
  if (wanted('learning/forward')) {
    const net = netOf('relu', 64)
    const batches = rate(5000, () => {
      for (let k = 0; k < 5000; k++) net.forward(64)
    })
    const one = netOf('relu', 1)
    const singles = rate(200_000, () => {
      for (let k = 0; k < 200_000; k++) one.forward(1)
    })
    yield target(
      'learning/forward',
      64 * batches,
      3_000_000,
      `rows of the network alone, 64 at a time; one by one ${singles.toPrecision(3)}`,
    )
  }
  if (wanted('learning/decisions')) {
    const [count, ticks] = [2000, 100]
    for (const [acting, goal] of [
      ['single', 1_000_000],
      ['together', 3_000_000],
    ] as const) {
      const program = compiled(deciders(count, ticks, acting))
      const decisions = rate(count * ticks, () => {
        const run = start(program, { seed: 1 })
        run.advance()
        if (run.result?.end !== 'success') throw new Error('learning/decisions: the run failed')
      })
      yield target(
        `learning/decisions-${acting}`,
        decisions,
        goal,
        `${count} individuals, four observations, in a run, everything included; baseline: the target`,
      )
    }
  }
  if (wanted('learning/restart')) {
    const times = ['cart-pole', 'cliff-walk', 'admission', 'lost-sales', 'newsvendor', 'inventory', 'clinic'].map(id => {
      const run = sample(id).start({ seed: 1 })
      const each: number[] = []
      for (let k = 0; k < 500; k++) {
        run.advance({ ticks: 5 })
        const before = performance.now()
        run.restart(k)
        each.push((performance.now() - before) * 1000)
      }
      return [id, median(each.slice(100))] as const
    })
    const value = median(times.map(([, time]) => time))
    yield {
      name: 'learning/restart',
      value,
      unit: 'us',
      baseline: 60,
      ratio: value / 60,
      note: `median of ${times.map(([id, time]) => `${id} ${time.toPrecision(3)}`).join(', ')}; baseline: the target`,
    }
  }
}

/** Killed as many times as there are seeds, it comes to the same weights. */
export async function* killFigures(wanted: (name: string) => boolean, count: number): AsyncGenerator<Figure> {
  if (!wanted('learning/kill')) return
  const folder = mkdtempSync(join(tmpdir(), 'training-'))
  try {
    // Long enough to be under way at each kill.
    const file = trainingFile(folder, count + 3)
    const whole = weightsOf(await trained(file, []))
    const journal = join(folder, 'journal')
    const killed = await killedTraining(file, journal, count)
    const last = weightsOf(await trained(file, ['--journal', journal]))
    yield {
      name: 'learning/kill',
      value: killed,
      unit: 'kills',
      note: `kill -9 at random moments; weights ${last} instead of ${whole}: ${last === whole ? 'the same' : 'OTHERS'}`,
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
