// One run of an experiment as it can be noted elsewhere, to be made again there.
import type { Plain } from '../../sim-engine/messages.ts'
import type { ConductedRuns } from './conduct/turn.ts'

/** One run, as its experiment stored it: all that it takes to make it again, and what it came to. */
export type PickedRun = {
  readonly experiment: string
  readonly run: number
  readonly scenario: string
  readonly seed: number
  readonly ticks: number | null
  readonly inputs: Readonly<Record<string, Plain>>
  readonly ended: { readonly ticks: number; readonly end: string }
  readonly measured: readonly { readonly label: string; readonly expression: string; readonly value: number | null }[]
}

export function picked({ prepared, results }: ConductedRuns, run: number): PickedRun {
  const { experiment, runnable } = prepared
  const point = results.points[results.pointOf(run)]
  const measured = [...experiment.objectives, ...experiment.constraints, ...experiment.responses].flatMap(({ id, expression }) => {
    const column = results.measures.findIndex(measure => measure.id === id)
    const value = column < 0 ? NaN : results.value(run, column)
    return column < 0 ? [] : [{ label: results.measures[column]?.label ?? '', expression, value: Number.isFinite(value) ? value : null }]
  })
  return {
    experiment: experiment.name,
    run,
    scenario: runnable.alternatives[point?.alternative ?? 0]?.scenario ?? '',
    seed: results.seedOf(run),
    ticks: runnable.ticks,
    inputs: point?.inputs ?? {},
    ended: { ticks: results.ticksOf(run), end: results.endOf(run) ?? '' },
    measured,
  }
}
