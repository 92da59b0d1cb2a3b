// End events: the token ends; a terminating one stops the run, an error goes to the nearest boundary that catches it.
import type { StepKind } from './step.ts'

export const end: StepKind = {
  kind: 'end',
  check(step, { note }) {
    const { result, tip } = step.element.fields
    if (result === 'terminate' && (typeof tip !== 'string' || tip.trim() === '')) note(8003, step.id, 'tip')
  },
  needsToken: step => step.element.fields['result'] === 'error',
  emit(step, out) {
    const { result, code } = step.element.fields
    if (result === 'terminate') out.line(`X.terminate(${step.index});`)
    if (result === 'error')
      out.line(`${out.emitter.mark(step.id, 'code')}X.raiseError(t,${JSON.stringify(typeof code === 'string' ? code : '')});return;`)
    else {
      // Where units still held come to light.
      if (!out.row && out.emitter.checked.parts.containers.some(one => one.element.fields['reusable'] === true))
        out.line(out.emitter.mark(step.id, 'result'))
      out.end()
    }
  },
}
