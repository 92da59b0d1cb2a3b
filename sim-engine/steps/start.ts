// Start events. How tokens come to be is the clock's business (compile/starts.ts); a token passes a start at once.
import { say } from '../../model-schema/kinds/kind.ts'
import { problemSaying } from '../problems.ts'
import type { Problem } from '../problems.ts'
import type { StepKind } from './step.ts'

const endless = (id: string): Problem =>
  problemSaying(
    9018,
    { id, field: 'every' },
    say(
      'The interval must be above 0: without one, tokens would start for ever at one instant.',
      '间隔必须大于 0：否则令牌会在同一时刻无休止地产生。',
    ),
    say('Write an interval, such as 1 or exponential(5), or a maximum.', '请填写间隔，例如 1 或 exponential(5)，或填写最大次数。'),
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
