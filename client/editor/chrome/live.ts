// The numbers that elements on the canvas show of a run.
import type { Id } from '../../../model-schema/model.ts'
import { short } from '../../canvas/paint/shapes.ts'
import type { RunView } from '../../run/run.ts'

/** How many there are of a population, or the value of a variable or statistic: what a person has set counts from now on, before a run with the next one. */
export function liveValues({ frame, status, pending, inputs }: Pick<RunView, 'frame' | 'status' | 'pending' | 'inputs'>) {
  const running = status === 'playing' || status === 'paused' || status === 'ended'
  const layers = (running ? frame?.layers : undefined) ?? []
  const counts = new Map(layers.flatMap((layer): [Id, number][] => (layer.kind === 'agent' ? [[layer.population, layer.ids.length]] : [])))
  return (id: Id): string | null => {
    const now = counts.get(id) ?? pending[id]?.value ?? (running ? frame?.values[id] : inputs[id])
    return typeof now === 'number' ? short(now) : typeof now === 'boolean' ? String(now) : null
  }
}
