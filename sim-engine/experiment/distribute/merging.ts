// The journals of slices put together: the same table, report and files as if all runs had been made here, whatever the order of the parts. What is
// missing, and what differs between parts, is named.
import { closeSync, openSync } from 'node:fs'
import {
  BEFORE,
  conduct,
  keyOf,
  plannedRuns,
  type Evaluator,
  type Journal,
  type Prepared,
  type Results,
  type Sample,
} from '../../experiment.ts'
import { bits, stream } from '../../kernel/random.ts'
import { headLine, readHead, runsIn, sameOrThrow, type Head } from './journal.ts'
import { writeWhole } from '../lines.ts'
import type { ColumnStore } from '../tables/columns.ts'
import type { Job } from '../protocol.ts'

type Part = { readonly path: string; readonly head: Head }

export type Merged = {
  readonly results: Results
  /** Slices that runs are missing of, by how many slices there are, and how many runs. */
  readonly missing: { readonly runs: number; readonly of: number; readonly slices: readonly number[] } | null
}

/** Two parts say different things of a run: one of the machines that made them is broken, or its file was changed. */
export class Disagreement extends Error {}

/** Reads the heads of parts. Throws Error when one is of another experiment or engine. */
export function partsOf(paths: readonly string[], key: string, engine: string): Part[] {
  return paths.map(path => {
    const head = readHead(path)
    sameOrThrow(path, head, { key, engine, slice: head.slice })
    return { path, head }
  })
}

/** `whole`: a journal of all of them is written there. `columns`: where values are held. Throws Disagreement. */
export async function merge(
  prepared: Prepared,
  parts: readonly Part[],
  here: Evaluator,
  whole: string | null,
  columns?: ColumnStore,
): Promise<Merged> {
  const file = whole === null ? null : openSync(whole, 'w')
  try {
    if (file !== null) writeWhole(file, headLine({ key: keyOf(prepared), planned: plannedRuns(prepared), slice: null }))
    const journal: Journal = {
      read: () => Promise.resolve(together(parts, text => file !== null && writeWhole(file, `${text}\n`))),
      write() {},
    }
    let missing = 0
    const numbers = parts.map(({ head }) => head.slice?.[1] ?? 1)
    const of = numbers.every(number => number === numbers[0]) ? (numbers[0] ?? 1) : 1
    const slices = new Set<number>()
    const evaluator: Evaluator = {
      async evaluate(jobs, done, signal) {
        const before: Job[] = []
        for (const job of jobs)
          if (job.alternative === BEFORE) before.push(job)
          else {
            missing++
            slices.add(job.run % of)
          }
        if (before.length > 0) await here.evaluate(before, done, signal)
      },
      close() {},
    }
    const { results } = await conduct({
      prepared,
      evaluator,
      journal,
      signal: new AbortController().signal,
      ...(columns && { columns }),
    })
    return { results, missing: missing === 0 ? null : { runs: missing, of, slices: [...slices].sort((a, b) => a - b) } }
  } finally {
    if (file !== null) closeSync(file)
  }
}

/** The samples of all parts, each run once. `first` is called with the line of each that comes for the first time. */
function* together(parts: readonly Part[], first: (text: string) => void): Generator<readonly [run: number, sample: Sample], void> {
  // What each run was said to give, as hashes: the runs themselves may be millions.
  const planned = parts.reduce((most, { head }) => Math.max(most, head.planned ?? 0), 1024)
  let said = new Float64Array(planned)
  let by = new Uint16Array(planned)
  for (const [k, { path }] of parts.entries())
    for (const { run, text, sample } of runsIn(path)) {
      // More runs than were planned then: the experiment's bound may have been raised since.
      if (run >= said.length) {
        const size = Math.max(run + 1, 2 * said.length)
        const [wider, wide] = [new Float64Array(size), new Uint16Array(size)]
        wider.set(said)
        wide.set(by)
        said = wider
        by = wide
      }
      const hash = hashOf(text)
      if (said[run] === 0) {
        said[run] = hash
        by[run] = k
        first(text)
        yield [run, sample]
      } else if (said[run] !== hash) throw new Disagreement(`run ${run} differs between ${whose(parts[by[run]!]!)} and ${whose(parts[k]!)}`)
    }
}

const whose = ({ path, head }: Part): string => `${path} (${head.host})`

/** 53 bits, never 0: two hashes as one number. */
function hashOf(text: string): number {
  let a = 0x811c9dc5
  let b = 0x050c5d1f
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x01000193)
  }
  return (a >>> 0) * 2 ** 20 + ((b >>> 11) & 0xfffff) + 1
}

/**
 * Repeats some runs of each part here; throws Disagreement, which names the part, when a run gives something else. Returns how many were
 * repeated.
 */
export async function audit(
  prepared: Prepared,
  parts: readonly Part[],
  results: Results,
  count: number,
  here: Evaluator,
  signal: AbortSignal,
): Promise<number> {
  let repeated = 0
  for (const [k, part] of parts.entries()) {
    const runs: { run: number; text: string }[] = []
    const random = stream(prepared.experiment.seed, k, 'audit')
    let seen = 0
    // A fair choice of so many of those in the part, read once (Vitter 1985, algorithm R).
    for (const { run, text } of runsIn(part.path)) {
      if (run >= results.rows) continue
      const at = seen < count ? seen : bits(random) % (seen + 1)
      if (at < count) runs[at] = { run, text }
      seen++
    }
    const jobs = runs.map(({ run }) => {
      const { alternative, inputs } = results.points[results.pointOf(run)]!
      return { run, alternative, inputs, seed: results.seedOf(run) }
    })
    const told = new Map(runs.map(({ run, text }) => [run, text]))
    const wrong: number[] = []
    await here.evaluate(
      jobs,
      (run, sample) => {
        repeated++
        if (told.get(run) !== JSON.stringify({ run, ...sample })) wrong.push(run)
      },
      signal,
    )
    const [first] = wrong.sort((a, b) => a - b)
    if (first !== undefined)
      throw new Disagreement(`run ${first} of ${whose(part)} gives something else here: ${wrong.length} of ${jobs.length} repeated ones do`)
  }
  return repeated
}
