// The table of all runs of an experiment: columns of numbers that grow, one row a run, and one table of the points that were run.
import type { Setting } from '../../model-schema/experiment.ts'
import type { Plain, RunResult } from '../messages.ts'
import type { Problem } from '../problems.ts'
import type { Sample } from './protocol.ts'

export type Column = { readonly id: string; readonly label: string }

/** A point: what the decision variables were set to. */
export type PointRow = {
  readonly alternative: number
  /** In the order of the decision columns. */
  readonly settings: readonly Setting[]
  /** Public variables by id. */
  readonly inputs: Readonly<Record<string, Plain>>
  /** Of the constraints on inputs; above 0, no run was made. */
  readonly violation: number
}

const ends: readonly RunResult['end'][] = ['success', 'terminated', 'limited', 'failed']

export class Results {
  /** Of decision variables. */
  readonly decisions: readonly Column[]
  /** Of measured values; a data series has one for each of its times. */
  readonly measures: readonly Column[]
  readonly points: PointRow[] = []
  /** The point of each trial the study asked for, in that order: a point asked for twice is there once in `points`. */
  readonly trials: number[] = []
  /** Runs so far; a row may be blank while others after it are known. */
  rows = 0
  failed = 0
  /** The first failures, to be shown and opened. */
  readonly failures: { run: number; problem: Problem }[] = []
  #point = new Int32Array(256)
  #replication = new Int32Array(256)
  #seed = new Float64Array(256)
  #ticks = new Float64Array(256)
  /** 0: not known yet, else 1 + index into `ends`. */
  #end = new Uint8Array(256)
  #values: Float64Array[]
  #runsOf: number[][] = []

  constructor(decisions: readonly Column[], measures: readonly Column[]) {
    this.decisions = decisions
    this.measures = measures
    this.#values = measures.map(() => new Float64Array(256))
  }

  addPoint(row: PointRow): number {
    this.#runsOf.push([])
    return this.points.push(row) - 1
  }

  /** A new row for a run that is to be made; its number. */
  addRun(point: number, replication: number, seed: number): number {
    const run = this.rows++
    if (run >= this.#end.length) this.#grow()
    this.#point[run] = point
    this.#replication[run] = replication
    this.#seed[run] = seed
    this.#runsOf[point]!.push(run)
    return run
  }

  tell(run: number, sample: Sample): void {
    this.#ticks[run] = sample.ticks
    this.#end[run] = 1 + ends.indexOf(sample.end)
    this.#values.forEach((column, k) => (column[run] = sample.values[k] ?? NaN))
    if (sample.end !== 'failed') return
    this.failed++
    if (sample.problem && this.failures.length < 100) this.failures.push({ run, problem: sample.problem })
  }

  isKnown = (run: number): boolean => this.#end[run] !== 0
  pointOf = (run: number): number => this.#point[run]!
  replicationOf = (run: number): number => this.#replication[run]!
  seedOf = (run: number): number => this.#seed[run]!
  ticksOf = (run: number): number => this.#ticks[run]!
  endOf = (run: number): RunResult['end'] | null => ends[this.#end[run]! - 1] ?? null
  /** Runs of a point, in the order of their replications. */
  runsOf = (point: number): readonly number[] => this.#runsOf[point] ?? []
  value = (run: number, measure: number): number => this.#values[measure]![run]!
  /** A whole column, of which the first `rows` entries count. */
  column = (measure: number): Float64Array => this.#values[measure]!

  sampleOf(run: number): Sample | null {
    const end = this.endOf(run)
    if (end === null) return null
    const problem = this.failures.find(failure => failure.run === run)?.problem ?? null
    return { end, ticks: this.ticksOf(run), values: this.#values.map(column => column[run]!), problem }
  }

  #grow(): void {
    const size = this.#end.length * 2
    const widened = <T extends Float64Array | Int32Array | Uint8Array>(old: T, made: T): T => (made.set(old), made)
    this.#point = widened(this.#point, new Int32Array(size))
    this.#replication = widened(this.#replication, new Int32Array(size))
    this.#seed = widened(this.#seed, new Float64Array(size))
    this.#ticks = widened(this.#ticks, new Float64Array(size))
    this.#end = widened(this.#end, new Uint8Array(size))
    this.#values = this.#values.map(column => widened(column, new Float64Array(size)))
  }
}

/** All runs as CSV: run, point, replication, seed, alternative, decisions, measures, ticks, how it ended. */
export function csvOf(results: Results, alternatives: readonly string[]): string {
  const quoted = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const several = alternatives.length > 1
  const head = [
    'run',
    'point',
    'replication',
    'seed',
    ...(several ? ['alternative'] : []),
    ...results.decisions.map(({ label }) => label),
    ...results.measures.map(({ label }) => label),
    'ticks',
    'end',
  ]
  const lines = [head.map(quoted).join(',')]
  for (let run = 0; run < results.rows; run++) {
    const point = results.points[results.pointOf(run)]!
    const end = results.endOf(run)
    if (end === null) continue
    const values = results.measures.map((_, k) => results.value(run, k))
    lines.push(
      [
        run,
        results.pointOf(run),
        results.replicationOf(run),
        results.seedOf(run),
        ...(several ? [quoted(alternatives[point.alternative] ?? '')] : []),
        ...point.settings.map(value => quoted(String(value))),
        ...values.map(value => (Number.isNaN(value) ? '' : value)),
        results.ticksOf(run),
        end,
      ].join(','),
    )
  }
  return `${lines.join('\n')}\n`
}
