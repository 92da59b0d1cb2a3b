// Ask: chooses entities, then runs a program as each of them, or one of their passive processes.
import { stepKey } from '../check/keys.ts'
import type { ProcessPart } from '../check/parts.ts'
import { emitActivity, needsTokenToLast } from './activity.ts'
import { checkInputs, inputsJs } from './call.ts'
import { checkSelection, emitSelection, livesJs, selectionTargets } from './selection.ts'
import type { StepKind } from './step.ts'

export const ask: StepKind = {
  kind: 'ask',
  fromTarget: [...selectionTargets, 'program'],
  check(step, checking) {
    checkSelection(step, checking, 9021)
    const { does, process } = step.element.fields
    if (does === 'program' && !checking.written(step, 'program')) checking.note(8001, step.id, 'program')
    if (does !== 'call') return
    const called = checking.parts.processes.filter(one => one.id === process && !one.holder)
    if (called.length === 0) checking.note(9023, step.id, 'process')
    else if (called.every(one => one.level === 'global')) checking.note(9023, step.id, 'process')
    else checkInputs(step, called[0]!, checking)
  },
  needsToken: (step, place) => needsTokenToLast(step, place) || step.element.fields['does'] === 'call',
  emit(step, out) {
    emitActivity(step, out, () => {
      const { items, entity } = emitSelection(step, out)
      if (out.emitter.checked.scopes.outputs.has(step))
        out.line(`to${step.index}[t]=X.refs(${entity ? `P${entity.index}` : 'null'},${items});`)
      const { does, process, wait } = step.element.fields
      const one = out.fresh('target')
      if (does === 'program') {
        out.line(
          `for(let k=0;k<${items}.length;k++){const ${one}=${items}[k];if(!(${livesJs(entity, one)}))continue;${out.statements(step, 'program', { self: one })}}`,
        )
        if (out.emitter.mayCreate(stepKey(step, 'program'))) out.survive()
      } else if (does === 'call') {
        const called = out.emitter.checked.parts.processes.filter(part => part.id === process && !part.holder)
        const waits = wait !== false
        const made = out.fresh('made')
        out.line(`T_pc[t]=${out.pc(step, 2)};`)
        if (!waits) out.line('K.push(t);')
        out.line(`const ${made}=[];for(let k=0;k<${items}.length;k++){const ${one}=${items}[k];if(!(${livesJs(entity, one)}))continue;`)
        const begin = (target: ProcessPart, handle: string): string => {
          const child = out.fresh('child')
          return `{const ${child}=K.call(${target.index},${target.level === 'individual' ? handle : -1},t,${waits});if(${child}>=0){${inputsJs(step, target, child, out)}${made}.push(${child});}}`
        }
        if (entity) {
          const target = called.find(part => part.entity === entity) ?? called[0]
          if (target) out.line(begin(target, one))
        }
        // Of several populations: each runs its own.
        else
          for (const target of called)
            out.line(`${target.entity ? `if(${one}.population===P${target.entity.index})` : ''}${begin(target, `${one}.handle`)}`)
        out.line(`}for(let k=${made}.length-1;k>=0;k--)K.push(${made}[k]);`)
        out.line(waits ? 'if(T_pending[t]===0)K.push(t);return;' : 'return;')
        out.entry(step, 2)
      }
    })
  },
}
