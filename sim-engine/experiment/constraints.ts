// How far a value is from what a constraint allows.
import type { Constraint } from '../../model-schema/experiment.ts'

/** How far a value is outside, in units of the bound (of 1 where that is smaller); NaN counts as far outside. */
export function violationOf({ relation, bound, tolerance }: Constraint, value: number): number {
  if (Number.isNaN(value)) return 1e9
  const scale = Math.max(1, Math.abs(bound))
  if (relation === 'le') return Math.max(0, value - bound) / scale
  if (relation === 'ge') return Math.max(0, bound - value) / scale
  return Math.max(0, Math.abs(value - bound) - tolerance) / scale
}
