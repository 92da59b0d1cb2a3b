// Start events. How tokens come to be is the clock's business (compile/starts.ts); a token passes a start at once.
import type { StepKind } from './step.ts'

export const start: StepKind = {
  kind: 'start',
  check(step, { note, written }) {
    const { trigger, message } = step.element.fields
    if (trigger === 'timer' && !written(step, 'every') && !written(step, 'first') && !written(step, 'times')) note(9018, step.id, 'every')
    if (trigger === 'condition' && !written(step, 'condition')) note(8001, step.id, 'condition')
    if (trigger === 'message' && typeof message !== 'string') note(9019, step.id, 'message')
  },
  needsToken: () => false,
  emit: (step, out) => out.leave(step),
}
