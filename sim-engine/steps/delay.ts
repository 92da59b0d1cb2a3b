// Delay: time passes, with resources held meanwhile.
import { emitActivity } from './activity.ts'
import type { StepKind } from './step.ts'

export const delay: StepKind = {
  kind: 'delay',
  check(step, { note, written, constant }) {
    if (!written(step, 'duration')) note(9018, step.id, 'duration')
    const duration = constant(step, 'duration')
    if (duration !== null && duration < 0) note(9018, step.id, 'duration')
  },
  needsToken: () => true,
  emit: (step, out) => emitActivity(step, out, () => undefined),
}
