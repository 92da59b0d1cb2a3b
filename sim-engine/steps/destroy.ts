// Destroy: the actor's life ends, or that of chosen entities.
import { emitActivity, needsTokenToLast } from './activity.ts'
import { checkSelection, emitSelection, livesJs, selectionTargets } from './selection.ts'
import type { StepKind } from './step.ts'

export const destroy: StepKind = {
  kind: 'destroy',
  fromTarget: selectionTargets,
  check(step, checking) {
    const { process } = step
    if (step.element.fields['who'] === 'chosen') checkSelection(step, checking, 9021)
    else if (process.level !== 'individual' || process.entity?.kind === 'cell') checking.note(9021, step.id, 'who')
  },
  needsToken: needsTokenToLast,
  emit(step, out) {
    emitActivity(step, out, () => {
      const own = out.process.entity
      out.line(out.emitter.mark(step.id, 'who'))
      if (step.element.fields['who'] !== 'chosen') {
        if (own) out.line(`W.die(P${own.index},self,0,0);`)
        out.survive()
        return
      }
      const { items, entity } = emitSelection(step, out)
      const one = out.fresh('target')
      const dies = entity ? `W.die(P${entity.index},${one},0,0);` : `W.die(${one}.population,${one}.handle,0,0);`
      out.line(`for(let k=0;k<${items}.length;k++){const ${one}=${items}[k];if(${livesJs(entity, one)}){${dies}}}`)
      out.survive()
    })
  },
}
