// `holarchy steady`: how long the warm-up of one long run is, and what its statistics are in the long term.
import { inLanguages } from '../../model-schema/languages/catalogues.ts'
import { check } from '../check.ts'
import { compile } from '../compile.ts'
import { Misuse, whole } from '../experiment/arguments.ts'
import { batchMeans, mser5, type BatchMeans, type WarmUp } from '../experiment/trust/output-analysis.ts'
import type { Run } from '../run.ts'
import { start } from '../run.ts'
import { numberOption, parseCommand } from './arguments.ts'
import { readModelFile, scenarioOf } from './model-file.ts'
import { problemText } from './problem-text.ts'

type Output = { out(text: string): void; err(text: string): void }

/** Most values kept of each statistic: a value a tick. */
const mostValues = 1_000_000

type Steady = { readonly statistic: string; readonly values: number; readonly warmUp: WarmUp | null; readonly mean: BatchMeans | null }

/** Yields now and then; what is sent back says whether to stop. */
export function* steadyCommand(args: readonly string[], output: Output): Generator<void, 0 | 1 | 'stopped', boolean> {
  const { file: path, values } = parseCommand(args, ['scenario', 'seed', 'ticks', 'confidence', 'json'])
  const seed = whole('seed', values.seed, 0, 4294967295)
  const ticks = numberOption('ticks', values.ticks)
  const confidence = numberOption('confidence', values.confidence) ?? 0.95
  if (!(confidence > 0 && confidence < 1)) throw new Misuse(`--confidence takes a number between 0 and 1, not "${values.confidence}"`)
  const { model } = readModelFile(path)
  const scenario = scenarioOf(model, values.scenario)
  // What the model itself leaves out as warm-up is looked at, too.
  const home = model.elements.get(scenario)!
  const elements = new Map(model.elements).set(scenario, { ...home, fields: { ...home.fields, warmUp: 0 } })
  const checked = check({ ...model, elements }, scenario)
  if (!checked.ok) {
    for (const one of checked.problems) output.err(problemText(model, one))
    return 1
  }
  const run = start(compile(checked.checked), { ...(seed === undefined ? {} : { seed }), ...(ticks === undefined ? {} : { ticks }) })
  const series = checked.checked.parts.statistics.map(part => ({
    id: part.id,
    statistic: part.entity ? `${part.entity.name}.${part.name}` : part.name,
    values: new Array<number>(),
  }))
  for (let time = 1; time <= mostValues && run.advance({ until: time }); time++) {
    take(run, series)
    if (time % 256 === 0 && (yield)) return 'stopped'
  }
  if (run.result?.end === 'failed') {
    output.err(problemText(model, run.result.problem))
    return 1
  }
  const found = series
    .filter(one => one.values.length > 0)
    .map(({ statistic, values: all }): Steady => {
      const warmUp = mser5(all)
      return {
        statistic,
        values: all.length,
        warmUp,
        mean: batchMeans(all.slice(warmUp?.isReliable === true ? warmUp.cut : 0), confidence),
      }
    })
  if (values.json === true)
    output.out(`${JSON.stringify({ seed: run.seed, ticks: run.tick, confidence, statistics: found }, inLanguages(), 2)}\n`)
  else output.out(`${found.map(one => steadyText(one, confidence)).join('\n')}\n`)
  return 0
}

function take(run: Run, series: readonly { id: string; values: number[] }[]): void {
  for (const { id, values } of series) {
    const value = run.measure(id)
    if (typeof value === 'number') values.push(value)
    else if (typeof value === 'boolean') values.push(Number(value))
  }
}

const shown = (value: number): string => String(Number(value.toPrecision(6)))

function steadyText({ statistic, values, warmUp, mean }: Steady, confidence: number): string {
  if (warmUp === null || mean === null) return `${statistic}: ${values} values are too few`
  const cut = warmUp.isReliable ? `warm-up ${warmUp.cut} ticks (MSER-5)` : 'no end of the warm-up is seen: run for longer'
  const batches = `${mean.batches} batches of ${mean.size} ticks`
  const trust = mean.isReliable ? '' : `; neighbouring batches are correlated (${shown(mean.correlation)}): run for longer`
  return `${statistic}: ${cut}; mean ${shown(mean.mean)}, ${shown(100 * confidence)} % interval ${shown(mean.low)} .. ${shown(mean.high)} (${batches}${trust})`
}
