// Exploring a model by hand: positions are run when they are visited, the latest first, and remembered as long as the plan stays the same.
import { intervalOf, keyOf, type Evaluator, type Interval, type Prepared, type Runnable, type Sample } from '../../sim-engine/experiment.ts'
import type { Setting } from '../../model-schema/experiment.ts'
import { inputsAt, jobOf } from './trial.ts'
import { createWorkers } from './conduct/workers.ts'

/** The results of one position. */
export type PositionResults = {
  readonly settings: readonly Setting[]
  /** Of each measure, over the runs that are done. */
  readonly intervals: readonly Interval[]
  readonly done: number
  readonly failed: number
  /** The constraints on inputs forbid it: it is not run. */
  readonly forbidden: boolean
}

type Explorer = {
  /** Runs this position next; the runs of another one are stopped, and continue when it is visited again. */
  visit(point: Float64Array): void
  /** The position visited last. */
  at(): Float64Array | null
  placeOf(point: Float64Array): string
  seen(): ReadonlyMap<string, PositionResults>
  watch(changed: () => void): () => void
  /** Workers are there from now on; returns their end. */
  open(): () => void
}

export function createExplorer(prepared: Prepared, hire: (runnable: Runnable, threads: number) => Evaluator = createWorkers): Explorer {
  const { replications, confidence, threads } = prepared.experiment
  const samples = new Map<string, Map<number, Sample>>()
  let known: ReadonlyMap<string, PositionResults> = new Map()
  const watchers = new Set<() => void>()
  let evaluator: Evaluator | null = null
  let wanted: Float64Array | null = null
  let here: Float64Array | null = null
  let busy: AbortController | null = null
  const forbidden = new Set<string>()

  const placeOf = (point: Float64Array): string => point.join()

  const tell = (point: Float64Array): void => {
    const key = placeOf(point)
    const own = [...(samples.get(key)?.values() ?? [])]
    const intervals = prepared.measures.map((_, k) =>
      intervalOf(
        own.map(({ values }) => values[k] ?? NaN),
        confidence,
      ),
    )
    const failed = own.filter(({ end }) => end === 'failed').length
    known = new Map(known).set(key, {
      settings: prepared.inputsOf(point).settings,
      intervals,
      done: own.length,
      failed,
      forbidden: forbidden.has(key),
    })
    for (const changed of watchers) changed()
  }

  const run = async (): Promise<void> => {
    if (busy || !wanted || !evaluator) return
    const point = wanted
    wanted = null
    const own = samples.get(placeOf(point)) ?? new Map<number, Sample>()
    samples.set(placeOf(point), own)
    const missing = Array.from({ length: replications }, (_, r) => r).filter(r => !own.has(r))
    if (missing.length === 0 || forbidden.has(placeOf(point))) return
    const stop = new AbortController()
    busy = stop
    let told = 0
    try {
      const at = await inputsAt(prepared, evaluator, point, stop.signal)
      if (at.forbidden) forbidden.add(placeOf(point))
      await evaluator.evaluate(
        at.forbidden ? [] : missing.map(r => jobOf(prepared, at.inputs, r)),
        (replication, sample) => {
          own.set(replication, sample)
          const now = performance.now()
          if (now - told < 100) return
          told = now
          tell(point)
        },
        stop.signal,
      )
    } catch (error) {
      if (!stop.signal.aborted) console.warn('exploring', error)
    }
    busy = null
    tell(point)
    return run()
  }

  return {
    visit(point) {
      wanted = here = point
      busy?.abort(new Error('elsewhere'))
      void run()
    },
    at: () => here,
    placeOf,
    seen: () => known,
    watch(changed) {
      watchers.add(changed)
      return () => void watchers.delete(changed)
    },
    open() {
      evaluator = hire(prepared.runnable, threads)
      void run()
      return () => {
        busy?.abort(new Error('closed'))
        evaluator?.close()
        evaluator = null
      }
    },
  }
}

const remembered = new Map<string, Explorer>()

/** The explorer of a plan, with all it has seen while the page lives; those of a few plans are kept. */
export function explorerOf(prepared: Prepared): Explorer {
  const key = keyOf(prepared)
  const explorer = remembered.get(key) ?? createExplorer(prepared)
  remembered.delete(key)
  remembered.set(key, explorer)
  if (remembered.size > 4) for (const oldest of [...remembered.keys()].slice(0, 1)) remembered.delete(oldest)
  return explorer
}
