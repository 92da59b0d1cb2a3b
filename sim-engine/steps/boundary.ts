// Boundary events: they watch while their host is active (steps/activity.ts arms them); a token that comes through one continues behind it.
import type { StepKind } from './step.ts'

export const boundary: StepKind = {
  kind: 'boundary',
  check(step, { note, written }) {
    const { trigger, message } = step.element.fields
    if (!step.host) note(9012, step.id, 'host')
    if (trigger === 'timer' && !written(step, 'delay')) note(9018, step.id, 'delay')
    if (trigger === 'condition' && !written(step, 'condition')) note(8001, step.id, 'condition')
    if ((trigger === 'message' || trigger === 'signal') && typeof message !== 'string') note(9019, step.id, 'message')
  },
  needsToken: () => true,
  emit: (step, out) => out.leave(step),
}
