// Compute: runs a program as the actor.
import { stepKey } from '../check/names/keys.ts'
import { emitActivity, needsTokenToLast } from './activity.ts'
import type { StepKind } from './step.ts'

export const compute: StepKind = {
  kind: 'compute',
  check(step, { note, written }) {
    if (!written(step, 'program')) note(8001, step.id, 'program')
  },
  needsToken: needsTokenToLast,
  emit(step, out) {
    emitActivity(step, out, () => {
      out.line(out.statements(step, 'program'))
      if (out.emitter.mayCreate(stepKey(step, 'program'))) out.survive()
    })
  },
}
