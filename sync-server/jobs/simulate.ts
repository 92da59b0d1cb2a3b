// One run of a scenario, to its end, on the server: the same program and the same numbers as anywhere else.
import { modelOfFile, parseFile } from '../../model-schema/file.ts'
import { loadChainOf } from '../../sim-engine/chain.ts'
import { check } from '../../sim-engine/check.ts'
import { compile } from '../../sim-engine/compile.ts'
import type { RunOptions, Summary } from '../../sim-engine/messages.ts'
import { start } from '../../sim-engine/run.ts'
import type { Progress } from './kinds.ts'
import { say, Told } from '../../model-schema/words.ts'

/** Ticks between two looks at the clock. */
const SLICE = 1000

type Simulated = Pick<Summary, 'result' | 'seed' | 'ticks' | 'time' | 'statistics' | 'publics' | 'containers' | 'populations' | 'hash'>

/** Throws when the file cannot be read or run. */
export async function simulate(
  wish: { scenario?: string | undefined; seed?: number | undefined; ticks?: number | undefined },
  text: string,
  stepLimit: number | null,
  progress: Progress,
): Promise<Simulated> {
  const parsed = parseFile(text)
  if ('problems' in parsed) throw new Told(parsed.problems[0]?.words ?? say('The file cannot be read.'))
  const model = modelOfFile(parsed.file)
  const name = (id: string): unknown => model.elements.get(id)?.fields.name
  const scenario =
    wish.scenario === undefined ? model.scenarios[0] : model.scenarios.find(id => id === wish.scenario || name(id) === wish.scenario)
  if (scenario === undefined) throw new Told(say('There is no such scenario.'))
  await loadChainOf(model)
  const checked = check(model, scenario)
  if (!checked.ok) throw new Told(say('The model has problems: {codes}', { codes: checked.problems.map(one => one.code) }))
  const options: RunOptions = {}
  if (wish.seed !== undefined) options.seed = wish.seed
  if (wish.ticks !== undefined) options.ticks = wish.ticks
  if (stepLimit !== null) options.stepLimit = stepLimit
  const run = start(compile(checked.checked), options)
  while (run.advance({ ticks: SLICE })) {
    const total = wish.ticks ?? null
    progress(total === null ? 0 : Math.min(1, run.tick / total), `${run.tick}`)
    run.takeOutput()
    // Lets messages through.
    await new Promise(setImmediate)
  }
  const { result, seed, ticks, time, statistics, publics, containers, populations, hash } = run.summary()
  return { result, seed, ticks, time, statistics, publics, containers, populations, hash }
}
