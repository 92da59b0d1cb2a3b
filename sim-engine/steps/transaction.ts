// Transaction: declared in the file format; a model that uses it does not run yet.
import type { StepKind } from './step.ts'

export const transaction: StepKind = {
  kind: 'transaction',
  check: (step, { note }) => note(9033, step.id, 'chain'),
  needsToken: () => true,
  emit: (step, out) => out.leave(step),
}
