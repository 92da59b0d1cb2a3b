// Running the shipped samples for their validation tests, and holding many runs against a published number.
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { modelOfFile, parseFile } from '../../model-schema/file.ts'
import type { Id, Model } from '../../model-schema/model.ts'
import { check } from '../../sim-engine/check.ts'
import { compile } from '../../sim-engine/compile.ts'
import type { Plain, Summary } from '../../sim-engine/messages.ts'
import { start, type Run } from '../../sim-engine/run.ts'
import { english } from '../../model-schema/words.ts'

export type SampleRun = { seed?: number; ticks?: number; set?: Readonly<Record<string, Plain>> }

export type LoadedSample = {
  readonly model: Model
  /** A run before its first instant; public variables are set by name. */
  start(options?: SampleRun): Run
  /** Runs to the end. */
  run(options?: SampleRun): Summary
}

/** The sample of this name, free of problems. */
export function sample(id: string): LoadedSample {
  const parsed = parseFile(readFileSync(new URL(`../../model-schema/samples/${id}.holo`, import.meta.url), 'utf8'))
  if (!('file' in parsed)) throw new Error(`${id}: ${english(parsed.problems[0]?.words)}`)
  const model = modelOfFile(parsed.file)
  const scenario = model.scenarios[0] ?? ''
  const { checked, problems } = check(model, scenario)
  if (!checked || problems.length > 0) throw new Error(`${id}: ${problems.map(one => `${one.at.id} ${english(one.message)}`).join('; ')}`)
  const program = compile(checked)
  const idOf = (name: string): Id => {
    const found = [...model.elements.values()].find(
      element => element.kind === 'variable' && element.fields['public'] === true && element.fields['name'] === name,
    )
    if (!found) throw new Error(`${id} has no public variable ${name}`)
    return found.id
  }
  const begin = ({ seed, ticks, set = {} }: SampleRun = {}): Run =>
    start(program, {
      ...(seed === undefined ? {} : { seed }),
      ...(ticks === undefined ? {} : { ticks }),
      inputs: Object.fromEntries(Object.entries(set).map(([name, value]) => [idOf(name), value])),
    })
  return {
    model,
    start: begin,
    run(options) {
      const run = begin(options)
      while (run.advance()) continue
      const summary = run.summary()
      if (summary.result.end === 'failed') throw new Error(`${id}: ${JSON.stringify(summary.result)}`)
      return summary
    },
  }
}

/** A statistic of a run as a number. */
export function statistic(summary: Summary, name: string): number {
  const value = summary.statistics[name]
  if (typeof value !== 'number')
    throw new Error(`statistic ${name} is ${JSON.stringify(value)}; there are ${Object.keys(summary.statistics).join(', ')}`)
  return value
}

/** Mean and standard error of one number over `count` seeds. */
export function replicate(count: number, measure: (seed: number) => number): { mean: number; error: number; values: number[] } {
  const values = Array.from({ length: count }, (_, i) => measure(1000 + i))
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, count - 1)
  return { mean, error: Math.sqrt(variance / count), values }
}

/** Holds the mean against a reference: within three standard errors, and precise enough to mean something. */
export function expectMean(found: { mean: number; error: number }, reference: number, { precision = 0.01, band = 0 } = {}): void {
  const said = `mean ${found.mean}, standard error ${found.error}, reference ${reference}`
  expect(found.error / Math.abs(reference), `too imprecise: ${said}`).toBeLessThanOrEqual(precision)
  expect(Math.abs(found.mean - reference), said).toBeLessThanOrEqual(3 * found.error + band)
}
