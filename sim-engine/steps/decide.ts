// Decide: declared in the file format; a model that uses it does not run yet.
import type { StepKind } from './step.ts'

export const decide: StepKind = {
  kind: 'decide',
  check: (step, { note }) => note(9031, step.id, 'controller'),
  needsToken: () => true,
  emit: (step, out) => out.leave(step),
}
