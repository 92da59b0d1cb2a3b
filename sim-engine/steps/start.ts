// Start events. The clock makes their tokens (compile/starts.ts); a token passes a start at once.
import { problemSaying } from '../problems.ts'
import type { Problem } from '../problems.ts'
import type { StepKind } from './step.ts'
import { say } from '../../model-schema/words.ts'

const endless = (id: string): Problem =>
  problemSaying(
    9018,
    { id, field: 'every' },
    say('The interval must be above 0: without one, tokens would start for ever at one instant.'),
    say('Write an interval, such as 1 or exponential(5), or a maximum.'),
  )

export const start: StepKind = {
  kind: 'start',
  check(step, { note, say: tell, written, constant }) {
    const { trigger, message } = step.element.fields
    if (trigger === 'timer' && !written(step, 'every') && !written(step, 'first') && !written(step, 'times')) note(9018, step.id, 'every')
    const every = trigger === 'timer' && !written(step, 'maximum') && !written(step, 'times') ? constant(step, 'every') : null
    if (every !== null && every <= 0) tell(endless(step.id))
    if (trigger === 'condition' && !written(step, 'condition')) note(8001, step.id, 'condition')
    if (trigger === 'message' && typeof message !== 'string') note(9019, step.id, 'message')
  },
  needsToken: () => false,
  emit: (step, out) => out.leave(step),
}
