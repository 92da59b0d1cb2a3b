// Ask: chooses entities, then runs a program as each of them, or one of their passive processes.
import { asEachHasIt } from '../check/checking.ts'
import { chosenPopulation, stepKey } from '../check/names/keys.ts'
import type { ProcessPart } from '../check/parts.ts'
import { emitActivity, needsTokenToLast } from './activity.ts'
import { checkInputs, inputsJs } from './call.ts'
import { checkSelection, emitSelection, livesJs, selectionTargets } from './selection.ts'
import type { StepKind } from './step.ts'

const handsBack = ({ temporaries }: ProcessPart): boolean =>
  temporaries.some(({ direction }) => direction === 'out' || direction === 'inout')

export const ask: StepKind = {
  kind: 'ask',
  fromTarget: [...selectionTargets, 'program'],
  check(step, checking) {
    checkSelection(step, checking, 9021)
    const { does, process } = step.element.fields
    if (does === 'program' && !checking.written(step, 'program')) checking.note(8001, step.id, 'program')
    if (does !== 'call') return
    const called = asEachHasIt(checking.parts.processes, process)
    const range = checking.typeOf(step, 'range')
    const of = range && chosenPopulation(range)
    if (called.every(one => one.level === 'global')) checking.note(9023, step.id, 'process')
    else if (typeof of === 'string' && !called.some(one => one.entity?.id === of)) checking.note(9023, step.id, 'process')
    else checkInputs(step, called[0]!, checking)
  },
  needsToken: (step, place) => needsTokenToLast(step, place) || step.element.fields['does'] === 'call',
  emit(step, out) {
    emitActivity(step, out, () => {
      const { items, entity } = emitSelection(step, out)
      const { does, process, wait } = step.element.fields
      if (out.emitter.checked.scopes.outputs.has(step)) {
        // What the processes called hand back is added as they end: by `returned` of the program.
        const answers = does === 'call' && wait !== false && asEachHasIt(out.emitter.checked.parts.processes, process).some(handsBack)
        out.line(`to${step.index}[t]=${answers ? '[]' : `X.refs(${entity ? `P${entity.index}` : 'null'},${items})`};`)
      }
      const one = out.fresh('target')
      if (does === 'program') {
        out.line(
          `for(let k=0;k<${items}.length;k++){const ${one}=${items}[k];if(!(${livesJs(entity, one)}))continue;${out.statements(step, 'program', { self: one })}}`,
        )
        if (out.emitter.mayCreate(stepKey(step, 'program'))) out.survive()
      } else if (does === 'call') {
        const called = asEachHasIt(out.emitter.checked.parts.processes, process)
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
          const target = called.find(part => part.entity === entity)
          if (target) out.line(begin(target, one))
        }
        // Of several populations: each runs its own.
        else {
          for (const target of called)
            if (target.entity) out.line(`if(${one}.population===P${target.entity.index})${begin(target, `${one}.handle`)}else `)
          out.line(`{${out.emitter.mark(step.id, 'process')}X.fail(10048);}`)
        }
        out.line(`}for(let k=${made}.length-1;k>=0;k--)K.push(${made}[k]);`)
        out.line(waits ? 'if(T_pending[t]===0)K.push(t);return;' : 'return;')
        out.entry(step, 2)
      }
    })
  },
}
