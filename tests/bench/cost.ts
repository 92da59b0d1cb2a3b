// What a model costs besides its own steps: compiling it, keeping its agents, having the debugger attached.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import v8 from 'node:v8'
import vm from 'node:vm'
import { modelOfFile, parseFile } from '../../model-schema/file.ts'
import { loadChainOf } from '../../sim-engine/chain.ts'
import { check } from '../../sim-engine/check.ts'
import type { CheckedModel } from '../../sim-engine/check.ts'
import { compile } from '../../sim-engine/compile.ts'
import { Debugger } from '../../sim-engine/debug/debugger.ts'
import { start } from '../../sim-engine/run.ts'
import {
  agents,
  compute,
  end,
  every,
  model,
  move,
  process as processOf,
  scenario,
  space,
  start as startOf,
  variable,
} from '../help/models.ts'
import { largeModel } from '../help/large.ts'
import type { Built } from '../help/models.ts'
import type { Figure } from './figure.ts'
import { median, worked } from './figure.ts'
import * as built from './models.ts'
import { english } from '../../model-schema/words.ts'

const ROUNDS = 5

function checkedOf({ model: made }: Pick<Built, 'model'>): CheckedModel {
  const { checked, problems } = check(made, made.scenarios[0]!)
  if (!checked) throw new Error(problems.map(problem => `${problem.code} ${english(problem.message)}`).join('; '))
  return checked
}

/**
 * From having a model of some 200 elements to the end of its first tick, in milliseconds of work of this thread: checking,
 * compiling, setting up, ticking. In a fresh process starting it and loading modules come before, and are not counted.
 */
export function firstTick(): number {
  const large = largeModel(2)
  return worked(() => {
    start(compile(checkedOf(large))).advance({ ticks: 1 })
  })
}

function* compileFigures(wanted: (name: string) => boolean): Generator<Figure> {
  const note = `${largeModel(2).model.elements.size} elements, checked, compiled, filled and run for a tick; baseline: the target`
  if (wanted('cost/first-tick')) {
    const times = Array.from({ length: 4 * ROUNDS }, firstTick)
    const value = median(times.slice(ROUNDS))
    yield { name: 'cost/first-tick', value, unit: 'ms', baseline: 50, ratio: value / 50, note }
  }
  if (wanted('cost/first-tick-cold')) {
    const code = `import { firstTick } from ${JSON.stringify(import.meta.url)}; console.log(firstTick())`
    const value = median(
      Array.from({ length: 4 * ROUNDS }, () =>
        Number(
          execFileSync(process.execPath, [...process.execArgv, '--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'ignore'] }),
        ),
      ),
    )
    yield {
      name: 'cost/first-tick-cold',
      value,
      unit: 'ms',
      baseline: 50,
      ratio: value / 50,
      note: 'the same, once in each of 20 fresh processes',
    }
  }
}

/**
 * Milliseconds of work for ten runs of a model without a chain: in a process that has loaded the chain and run a model with one before
 * (its objects the engine's compiled code has then met), or in one that has not.
 */
export async function withoutChain(hasRunOne: boolean): Promise<number> {
  if (hasRunOne) {
    const parsed = parseFile(readFileSync(new URL('../../model-schema/samples/arbitrage.holo', import.meta.url), 'utf8'))
    if ('problems' in parsed) throw new Error('the sample with a chain cannot be read')
    const market = modelOfFile(parsed.file)
    await loadChainOf(market)
    const run = start(compile(checkedOf({ model: market })))
    run.advance({ ticks: 50 })
    if (run.result?.end === 'failed') throw new Error('the sample with a chain failed')
  }
  const program = compile(checkedOf(built.wolfSheep(100, 1000, 500, 10, 0.4, 0.2)))
  // Ten runs at a time: the clock of a thread goes by fours.
  const round = (first: number): number => {
    const runs = Array.from({ length: 10 }, (_, k) => start(program, { seed: first + k }))
    return worked(() => runs.forEach(run => run.advance()))
  }
  round(1)
  return median(Array.from({ length: ROUNDS }, (_, k) => round(10 * k + 11)))
}

function* chainFigures(wanted: (name: string) => boolean): Generator<Figure> {
  const name = 'cost/without-chain'
  if (!wanted(name)) return
  const inProcess = (hasRunOne: boolean): number => {
    const code = `import { withoutChain } from ${JSON.stringify(import.meta.url)}; console.log(await withoutChain(${hasRunOne}))`
    return Number(
      execFileSync(process.execPath, [...process.execArgv, '--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'ignore'] }),
    )
  }
  const pairs = Array.from({ length: 2 * ROUNDS }, () => [inProcess(true), inProcess(false)] as const)
  const value = median(pairs.map(([loaded]) => loaded))
  const baseline = median(pairs.map(([, alone]) => alone))
  const note = 'a model without a chain after one with a chain in its process; baseline: in a process that never loaded the chain'
  yield { name, value, unit: 'ms', baseline, ratio: value / baseline, note }
}

/** Agents in the plane with six numbers each, that move and calculate. */
const walkers = (count: number): Built =>
  model(
    scenario({ totalTicks: 3 }),
    space('Land', { topology: 'continuous', minX: '0', maxX: '1000', minY: '0', maxY: '1000' }),
    agents(
      'Walker',
      { initialNumber: String(count), space: 'Land', placement: 'random' },
      ...['a', 'b', 'c', 'd', 'e', 'f'].map(name => variable(name, 'random()')),
      processOf('Walk', startOf(every(1)), compute('a += b * c - d * e + f'), move('forward', 1), end()),
    ),
  )

/** Bytes an agent takes up after a few ticks: all of the run, divided by its agents. */
function* memoryFigures(wanted: (name: string) => boolean): Generator<Figure> {
  const name = 'cost/agent-memory'
  if (!wanted(name)) return
  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc') as () => void
  const used = (): number => {
    collect()
    collect()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  const bytes = [50_000, 100_000, 200_000].map(count => {
    const program = compile(checkedOf(walkers(count)))
    const before = used()
    const run = start(program)
    run.advance()
    const after = used()
    if (run.result?.end !== 'success') throw new Error(`${name}: ${run.result?.end}`)
    return (after - before) / count
  })
  const value = median(bytes)
  yield { name, value, unit: 'bytes', baseline: 120, ratio: value / 120, note: '6 numeric properties in 2D; baseline: the target' }
}

const watched: readonly { name: string; model: () => Built; instants: number; step: string }[] = [
  { name: 'mmc', model: () => built.queue(5, 4.5), instants: 1_000_000, step: 'delay' },
  { name: 'wolfsheep', model: () => built.wolfSheep(100, 1000, 500, 10, 0.4, 0.2), instants: 60, step: 'destroy' },
  { name: 'schelling', model: () => built.schelling(100, 8000, 2, 8), instants: 15, step: 'place' },
]

/** With the debugger attached and a breakpoint with a condition that never holds; the baseline is the run alone. */
function* debuggerFigures(wanted: (name: string) => boolean): Generator<Figure> {
  for (const one of watched) {
    const name = `cost/debugger-${one.name}`
    if (!wanted(name)) continue
    const checked = checkedOf(one.model())
    const program = compile(checked)
    const element = checked.parts.steps.find(step => step.kind.id === one.step)?.id ?? ''
    const ours: number[] = []
    const alone: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const run = start(program, { seed: round + 1 })
      alone.push(worked(() => run.advance({ instants: one.instants })))
      const attached = new Debugger(
        program,
        { seed: round + 1 },
        [{ id: 'b', enabled: true, on: 'element', element, condition: 'time < 0' }],
        () => performance.now(),
      )
      ours.push(
        worked(() => {
          const { timeline } = attached
          while (timeline.instants < one.instants)
            if (attached.leap(Infinity, one.instants - timeline.instants)) throw new Error(`${name}: stopped`)
        }),
      )
      if (attached.timeline.run.hash() !== run.hash()) throw new Error(`${name}: another run`)
    }
    yield { name, value: median(ours), unit: 'ms', baseline: median(alone), ratio: median(ours) / median(alone) }
  }
}

export function* costFigures(wanted: (name: string) => boolean): Generator<Figure> {
  yield* compileFigures(wanted)
  yield* chainFigures(wanted)
  yield* memoryFigures(wanted)
  yield* debuggerFigures(wanted)
}
