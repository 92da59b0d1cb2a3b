// The table of all runs of an experiment: columns of numbers that grow, one row a run, and one table of the points that were run.
import type { Setting } from '../../model-schema/experiment.ts'
import type { Plain, RunResult } from '../messages.ts'
import type { Problem } from '../problems.ts'
import { MemoryColumns, widened, type ColumnStore } from './tables/columns.ts'
import type { Sample } from './protocol.ts'

export type ColumnName = { readonly id: string; readonly label: string }

/** A point: what the decision variables were set to. */
type PointRow = {
  readonly alternative: number
  /** In the order of the decision columns. */
  readonly settings: readonly Setting[]
  /** Public variables by id. */
  readonly inputs: Readonly<Record<string, Plain>>
  /** Of the constraints on inputs; above 0, no run was made. */
  readonly violation: number
}

/** Most failures kept with what was wrong. */
const mostFailures = 100

const ends: readonly RunResult['end'][] = ['success', 'terminated', 'limited', 'failed']

export class Results {
  /** Of decision variables. */
  readonly decisions: readonly ColumnName[]
  /** Of measured values; a data series has one for each of its times. */
  readonly measures: readonly ColumnName[]
  readonly points: PointRow[] = []
  /** The point of each trial the study asked for, in that order: a point asked for twice is there once in `points`. */
  readonly trials: number[] = []
  /** Runs asked for so far; a row may be blank while others after it are known. */
  rows = 0
  /** Of these, runs that are known. */
  known = 0
  /** Of these, runs that failed. */
  failed = 0
  /** Those of the lowest numbers, in that order: which are kept does not depend on which came first. */
  #failures: { run: number; problem: Problem }[] = []
  #point = new Int32Array(256)
  #replication = new Int32Array(256)
  #seed = new Uint32Array(256)
  #ticks = new Float64Array(256)
  /** 0: not known yet, else 1 + index into `ends`. */
  #end = new Uint8Array(256)
  readonly #values: ColumnStore
  readonly #runsOf = new Runs()

  constructor(decisions: readonly ColumnName[], measures: readonly ColumnName[], values: ColumnStore = new MemoryColumns(measures.length)) {
    this.decisions = decisions
    this.measures = measures
    this.#values = values
    values.reach(256)
  }

  /** Makes room for exactly so many runs at once: growing step by step takes up to three times the memory. */
  reserve(runs: number): void {
    if (runs > this.#end.length) this.#resize(runs)
  }

  addPoint(row: PointRow): number {
    return this.points.push(row) - 1
  }

  /** A new row for a run that is to be made; returns its number. Its sample may be known already (`tell`). */
  addRun(point: number, replication: number, seed: number): number {
    const run = this.rows++
    this.#reach(run)
    this.#point[run] = point
    this.#replication[run] = replication
    this.#seed[run] = seed
    this.#runsOf.add(point, run)
    if (this.isKnown(run)) this.#count(run)
    return run
  }

  /** The sample of a run. It may be added before the run is asked for: it does not count until then. */
  tell(run: number, sample: Sample): void {
    this.#reach(run)
    const isNew = !this.isKnown(run)
    this.#ticks[run] = sample.ticks
    this.#end[run] = 1 + ends.indexOf(sample.end)
    this.#values.set(run, sample.values)
    if (isNew && sample.problem) this.#keepFailure(run, sample.problem)
    if (isNew && run < this.rows) this.#count(run)
  }

  #count(run: number): void {
    this.known++
    if (this.endOf(run) === 'failed') this.failed++
  }

  #keepFailure(run: number, problem: Problem): void {
    const last = this.#failures.at(-1)
    if (this.#failures.length >= mostFailures && last !== undefined && last.run < run) return
    const at = this.#failures.findIndex(failure => failure.run > run)
    this.#failures.splice(at < 0 ? this.#failures.length : at, 0, { run, problem })
    if (this.#failures.length > mostFailures) this.#failures.pop()
  }

  /** The first failures by the number of their run, to be shown and opened. */
  get failures(): readonly { run: number; problem: Problem }[] {
    return this.#failures.filter(({ run }) => run < this.rows)
  }

  isKnown = (run: number): boolean => this.#end[run] !== 0
  pointOf = (run: number): number => this.#point[run]!
  replicationOf = (run: number): number => this.#replication[run]!
  seedOf = (run: number): number => this.#seed[run]!
  ticksOf = (run: number): number => this.#ticks[run]!
  endOf = (run: number): RunResult['end'] | null => ends[this.#end[run]! - 1] ?? null
  /** Runs of a point, in the order of their replications. */
  runsOf = (point: number): readonly number[] => this.#runsOf.of(point)
  /** The run of a replication at a point; null while there is none. */
  runAt(point: number, replication: number): number | null {
    const first = this.#runsOf.at(point, 0)
    const last = this.#runsOf.at(point, this.#runsOf.countOf(point) - 1)
    // They are asked for in rising order, and without gaps but for those of equal points in a sample of a prior.
    if (first === null || last === null || replication > this.replicationOf(last)) return null
    const run = this.#runsOf.at(point, replication - this.replicationOf(first))
    if (run !== null && this.replicationOf(run) === replication) return run
    return this.runsOf(point).find(one => this.replicationOf(one) === replication) ?? null
  }
  value = (run: number, measure: number): number => this.#values.get(measure, run)
  /** A whole column, of which the first `rows` entries count. */
  column = (measure: number): Float64Array => this.#values.column(measure)

  /**
   * Values of a measure at one point in the order of the replications: of the runs that are known, NaN where one failed. To be read at once, and not
   * changed: they may be those of the table.
   */
  valuesAt(point: number, measure: number): Float64Array {
    const count = this.#runsOf.countOf(point)
    const first = this.#runsOf.at(point, 0) ?? 0
    const follows = this.#runsOf.at(point, count - 1) === first + count - 1
    const view = follows && this.isFinished(point) ? this.#values.view(measure, first, first + count) : null
    if (view) return view
    const values = new Float64Array(count)
    let known = 0
    for (let i = 0; i < count; i++) {
      const run = this.#runsOf.at(point, i)!
      if (this.isKnown(run)) values[known++] = this.#values.get(measure, run)
    }
    return values.subarray(0, known)
  }

  /** Whether a point has runs, and all of them are known. */
  isFinished(point: number): boolean {
    const count = this.#runsOf.countOf(point)
    for (let i = 0; i < count; i++) if (!this.isKnown(this.#runsOf.at(point, i)!)) return false
    return count > 0
  }

  sampleOf(run: number): Sample | null {
    const end = this.endOf(run)
    if (end === null) return null
    const problem = this.#failures.find(failure => failure.run === run)?.problem ?? null
    return { end, ticks: this.ticksOf(run), values: this.measures.map((_, k) => this.#values.get(k, run)), problem }
  }

  #reach(run: number): void {
    if (run >= this.#end.length) this.#resize(Math.max(this.#end.length * 2, run + 1))
  }

  #resize(size: number): void {
    this.#point = widened(this.#point, new Int32Array(size))
    this.#replication = widened(this.#replication, new Int32Array(size))
    this.#seed = widened(this.#seed, new Uint32Array(size))
    this.#ticks = widened(this.#ticks, new Float64Array(size))
    this.#end = widened(this.#end, new Uint8Array(size))
    this.#values.reach(size)
  }
}

/** The runs of each point. A point has mostly runs with numbers one after the other: then they are no more than the first and how many. */
class Runs {
  #first = new Int32Array(256)
  #count = new Int32Array(256)
  /** Of points with runs that are not one after the other. */
  readonly #listed = new Map<number, number[]>()

  add(point: number, run: number): void {
    if (point >= this.#count.length) {
      const size = Math.max(2 * point, 256)
      this.#first = widened(this.#first, new Int32Array(size))
      this.#count = widened(this.#count, new Int32Array(size))
    }
    const listed = this.#listed.get(point)
    const count = this.#count[point]!
    if (listed) listed.push(run)
    else if (count === 0) this.#first[point] = run
    else if (this.#first[point]! + count !== run) this.#listed.set(point, [...this.of(point), run])
    this.#count[point] = count + 1
  }

  countOf = (point: number): number => this.#count[point] ?? 0

  /** The i-th of a point; null where there is none. */
  at(point: number, i: number): number | null {
    if (i < 0 || i >= this.countOf(point)) return null
    return this.#listed.get(point)?.[i] ?? this.#first[point]! + i
  }

  of(point: number): readonly number[] {
    const listed = this.#listed.get(point)
    if (listed) return listed
    const first = this.#first[point] ?? 0
    return Array.from({ length: this.countOf(point) }, (_, i) => first + i)
  }
}

/** All runs as CSV: run, point, replication, seed, alternative, decisions, measures, ticks, how it ended. Line by line, each with its end. */
export function* csvLines(results: Results, alternatives: readonly string[]): Generator<string, void> {
  // A text that spreadsheets would take for a formula begins with an apostrophe; numbers below zero stay numbers.
  const quoted = (value: string): string => {
    const text = /^[=+\-@\t\r]/.test(value) && !Number.isFinite(Number(value)) ? `'${value}` : value
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
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
  yield `${head.map(quoted).join(',')}\n`
  for (let run = 0; run < results.rows; run++) {
    const point = results.points[results.pointOf(run)]!
    const end = results.endOf(run)
    if (end === null) continue
    const values = results.measures.map((_, k) => results.value(run, k))
    const cells = [
      run,
      results.pointOf(run),
      results.replicationOf(run),
      results.seedOf(run),
      ...(several ? [quoted(alternatives[point.alternative] ?? '')] : []),
      ...point.settings.map(value => quoted(String(value))),
      ...values.map(value => (Number.isNaN(value) ? '' : value)),
      results.ticksOf(run),
      end,
    ]
    yield `${cells.join(',')}\n`
  }
}
