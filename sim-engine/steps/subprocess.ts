// Subprocess: the outer token waits for all inner ones. Once, while a condition holds, or for each item, one after another
// or all at once. Inside, `item` and `index` say which one it is; the outer temporaries are at hand.
import { emitActivity } from './activity.ts'
import type { StepKind } from './step.ts'

export const subprocess: StepKind = {
  kind: 'subprocess',
  check(step, { note, written }) {
    const { repeat } = step.element.fields
    if (repeat === 'while' && !written(step, 'while')) note(8001, step.id, 'while')
    if (repeat === 'each' && !written(step, 'items')) note(8001, step.id, 'items')
  },
  needsToken: () => true,
  emit(step, out) {
    emitActivity(step, out, () => {
      const { inner } = step
      if (!inner) return
      const { repeat, parallel } = step.element.fields
      // What is granted from now on is granted inside, should a boundary event interrupt it.
      if (step.boundaries.length > 0) out.line('T_length[t]=K.containers.sequence;')
      const until = out.written(step, 'until') ? out.value(step, 'until') : null
      if (repeat === 'while') {
        // Each round is counted, so that a loop without time ends as an error.
        out.entry(step, 2)
        out.line(
          `if(--K.fuel<0)K.exhausted();if(${out.value(step, 'while')}){T_pc[t]=${out.pc(step, 2)};K.push(K.inside(${inner.index},t));return;}`,
        )
      } else if (repeat === 'each') {
        out.line(`T_items[t]=X.listed(${out.value(step, 'items')});T_index[t]=0;`)
        if (parallel === true) {
          out.line(`T_pc[t]=${out.pc(step, until ? 4 : 2)};K.insideEach(${inner.index},t);return;`)
          if (until) {
            out.entry(step, 4)
            out.line(`if(T_pending[t]>0){if(!(${until}))return;K.cancelChildren(t);}`)
          } else out.entry(step, 2)
        } else {
          out.line(`pc=${out.pc(step, 5)};continue flow;`)
          out.entry(step, 2)
          out.line(`T_index[t]++;${until ? `if(${until})T_index[t]=Infinity;` : ''}`)
          out.entry(step, 5)
          out.line(
            `if(--K.fuel<0)K.exhausted();if(T_index[t]<T_items[t].length){T_pc[t]=${out.pc(step, 2)};K.push(K.insideAt(${inner.index},t,T_index[t]));return;}`,
          )
        }
        out.line('T_items[t]=null;')
      } else {
        out.line(`T_pc[t]=${out.pc(step, 2)};K.push(K.inside(${inner.index},t));return;`)
        out.entry(step, 2)
      }
    })
  },
}
