// Engine figures: each model class built from components against the same model by hand, run in turn in one process.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { modelOfFile, parseFile } from '../../model-schema/file.ts'
import type { Model } from '../../model-schema/model.ts'
import { check } from '../../sim-engine/check.ts'
import { compile } from '../../sim-engine/compile.ts'
import { start } from '../../sim-engine/run.ts'
import type { Figure } from './figure.ts'
import { median, worked } from './figure.ts'
import * as hand from './handwritten.ts'
import * as built from './models.ts'
import { english } from '../../model-schema/words.ts'

const ROUNDS = 5
/** Milliseconds a measurement lasts at least: the clock of a thread goes by fours. */
const SHORTEST = 80
/** Most runs of one measurement. */
const MOST = 60

/** `cpp`: the time of the same model in C++, as a share of the yardstick's. See README.md. */
type Case = { name: string; steps: number; cpp: number; model: () => { model: Model }; yardstick: (seed: number) => hand.Handwritten }

const cases: readonly Case[] = [
  {
    name: 'schelling-large',
    steps: 20,
    cpp: 0.331,
    model: () => built.schelling(100, 8000, 2, 8),
    yardstick: seed => hand.schelling(seed, 100, 8000, 2, 8),
  },
  {
    name: 'wolfsheep-large',
    steps: 100,
    cpp: 0.32,
    model: () => built.wolfSheep(100, 1000, 500, 10, 0.4, 0.2),
    yardstick: seed => hand.wolfSheep(seed, 100, 1000, 500, 10, 0.4, 0.2),
  },
  {
    name: 'flocking-large',
    steps: 100,
    cpp: 0.761,
    model: () => built.flocking(150, 400, 15, 100),
    yardstick: seed => hand.flocking(seed, 150, 400, 15),
  },
  {
    name: 'flocking-xl',
    steps: 10,
    cpp: 0.568,
    model: () => built.flocking(2236, 100_000, 5, 10),
    yardstick: seed => hand.flocking(seed, 2236, 100_000, 5),
  },
  { name: 'fire-large', steps: 100, cpp: 0.0038, model: () => built.fire(500, 0.9), yardstick: seed => hand.fire(seed, 500, 0.9) },
  { name: 'life', steps: 100, cpp: 0.0109, model: () => built.life(1000), yardstick: seed => hand.life(seed, 1000) },
  {
    name: 'sir-network',
    steps: 100,
    cpp: 0.562,
    model: () => built.sirNetwork(100_000, 100),
    yardstick: seed => hand.sirNetwork(seed, 100_000, 100),
  },
  { name: 'mm1', steps: 1_000_000, cpp: 0.721, model: () => built.queue(1, 0.9), yardstick: seed => hand.queue(seed, 1, 0.9) },
  { name: 'mmc', steps: 1_000_000, cpp: 0.816, model: () => built.queue(5, 4.5), yardstick: seed => hand.queue(seed, 5, 4.5) },
]

/**
 * The everyday neighbours of these models in `variants/`: one more variable, a counter, a rule for who goes first. Their C++ times are
 * shares of the queue's yardstick, as they have none of their own.
 */
const variants: readonly Case[] = Object.entries({
  'life-age': 0.248,
  heat: 0.173,
  ants: 0.134,
  'fire-named': 0.00446,
  'sir-named': 0.603,
  'mm1-counter': 0.813,
  'mm1-feedback': 0.983,
  'mm1-priority': 0.904,
  'mm1-balk': 0.786,
  'tandem-3': 1.009,
  'token-agents': 1.678,
  clinic: 0.537,
  callcentre: 0.655,
  inventory: 0.0839,
  assembly: 0.341,
  customers: 0.148,
  classes: 0.282,
  jobshop: 0.465,
  grayscott: 0.151,
  lightning: 0.8,
  epidemic: 0.282,
  opinions: 0.223,
  taxis: 2.16,
  sugar: 0.0695,
  termites: 0.106,
  trade: 0.479,
  family: 0.178,
  shoppers: 1.64,
}).map(([name, cpp]) => ({
  name,
  cpp,
  steps: 1_000_000,
  model: () => ({ model: modelIn(`${name}.holo`) }),
  yardstick: seed => hand.queue(seed, 1, 0.9),
}))

function modelIn(file: string): Model {
  const parsed = parseFile(readFileSync(join(import.meta.dirname, 'variants', file), 'utf8'))
  if ('problems' in parsed) throw new Error(`${file}: ${parsed.problems.map(({ path, words }) => `${path} ${english(words)}`).join('; ')}`)
  return modelOfFile(parsed.file)
}

/** How many runs to measure at a time, by what one took so far. */
const enough = (times: readonly number[]): number => Math.min(MOST, Math.ceil(SHORTEST / Math.max(1, Math.min(...times))))

/** Time to advance, set-up excluded, as a ratio to the hand-written program; medians of interleaved runs. */
export function* engineFigures(wanted: (name: string) => boolean): Generator<Figure> {
  const named = [...cases.map(one => ['engine', one] as const), ...variants.map(one => ['variant', one] as const)]
  for (const [kind, one] of named) {
    const name = `${kind}/${one.name}`
    if (!wanted(name)) continue
    const { model } = one.model()
    const checked = check(model, model.scenarios[0]!)
    if (!checked.ok)
      throw new Error(`${name}: ${checked.problems.map(problem => `${problem.code} ${english(problem.message)}`).join('; ')}`)
    const ours: number[] = []
    const theirs: number[] = []
    const program = compile(checked.checked)
    let summary = ''
    let [count, handCount] = [1, 1]
    for (let round = 0; round < ROUNDS; round++) {
      const runs = Array.from({ length: count }, (_, k) => {
        const run = start(program, { seed: round * MOST + k + 1 })
        run.advance({ until: 0 })
        return run
      })
      ours.push(worked(() => runs.forEach(run => run.advance())) / count)
      summary = JSON.stringify(runs[0]?.summary().statistics)
      const yardsticks = Array.from({ length: handCount }, (_, k) => one.yardstick(round * MOST + k + 1))
      theirs.push(worked(() => yardsticks.forEach(yardstick => yardstick.steps(one.steps))) / handCount)
      count = enough(ours)
      handCount = enough(theirs)
    }
    const baseline = median(theirs)
    const cpp = baseline * one.cpp
    const value = median(ours)
    yield { name, value, unit: 'ms', baseline, ratio: value / baseline, cpp, cppRatio: value / cpp, note: summary }
  }
}
