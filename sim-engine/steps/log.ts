// Log or assert: a line of the Output panel, or a condition that must hold.
import { emitActivity, needsTokenToLast } from './activity.ts'
import { boxedJs } from './boxed.ts'
import type { StepKind } from './step.ts'

export const log: StepKind = {
  kind: 'log',
  check(step, { note, written }) {
    const asserts = step.element.fields['does'] === 'assert'
    if (!written(step, asserts ? 'condition' : 'value')) note(8001, step.id, asserts ? 'condition' : 'value')
    const { tip } = step.element.fields
    if (asserts && (typeof tip !== 'string' || tip.trim() === '')) note(8003, step.id, 'tip')
  },
  needsToken: needsTokenToLast,
  emit(step, out) {
    emitActivity(step, out, () => {
      const { does, tip } = step.element.fields
      if (does === 'assert')
        out.line(
          `if(!(${out.value(step, 'condition')})){${out.emitter.mark(step.id, 'condition')}X.fail(10035,[${JSON.stringify(String(tip ?? ''))}]);}`,
        )
      else out.line(`X.print(${step.index},${boxedJs(out.emitter, out.typeOf(step, 'value'), out.value(step, 'value'))});`)
    })
  },
}
