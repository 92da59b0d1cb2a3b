// Call: runs a passive process of the actor, its observer or the global one; waits for it, or continues in parallel.
import { formulaName } from '../../model-schema/kinds.ts'
import type { ProcessPart, StepPart } from '../check/parts.ts'
import { cellText, rowsOf } from '../check/resolve.ts'
import { asEachHasIt, isActive } from '../check/checking.ts'
import type { Checking } from '../check/checking.ts'
import { emitActivity } from './activity.ts'
import type { StepKind, StepWriter } from './step.ts'

export const call: StepKind = {
  kind: 'call',
  check(step, checking) {
    const target = reachable(step, checking.parts.processes)
    if (!target || isActive(target)) checking.note(9023, step.id, 'process')
    else checkInputs(step, target, checking)
  },
  needsToken: () => true,
  emit(step, out) {
    emitActivity(step, out, () => {
      const target = reachable(step, out.emitter.checked.parts.processes)
      if (!target) return
      const child = out.fresh('child')
      const waits = step.element.fields['wait'] !== false
      out.line(`T_pc[t]=${out.pc(step, 2)};`)
      if (!waits) out.line('K.push(t);')
      out.line(
        `const ${child}=K.call(${target.index},${target.level === 'individual' ? 'self' : -1},t,${waits});if(${child}>=0){${inputsJs(step, target, child, out)}K.push(${child});}`,
      )
      out.line(waits ? 'if(T_pending[t]===0)K.push(t);return;' : 'return;')
      out.entry(step, 2)
    })
  },
}

/** The called process as the caller reaches it: its own, its observer's, the global one. */
export function reachable(step: StepPart, processes: readonly ProcessPart[]): ProcessPart | undefined {
  const { entity, level } = step.process
  return asEachHasIt(processes, step.element.fields['process']).find(
    one => one.level === 'global' || (one.entity === entity && (one.level === 'observer' || level === 'individual')),
  )
}

/** Every input names an interface of the called process that takes values. */
export function checkInputs(step: StepPart, target: ProcessPart, { note }: Checking): void {
  for (const [i, row] of rowsOf(step.element, 'inputs').entries()) {
    const name = formulaName(cellText(row, 'name'))
    const port = target.temporaries.find(variable => variable.name === name && variable.direction !== null)
    if (!port) note(9003, step.id, `inputs/${i}/name`)
    else if (port.direction === 'out') note(9004, step.id, `inputs/${i}/name`)
    else if (cellText(row, 'value').trim() === '') note(8001, step.id, `inputs/${i}/value`)
  }
}

/** Statements that give a new token its inputs. */
export function inputsJs(step: StepPart, target: ProcessPart, child: string, out: StepWriter): string {
  return rowsOf(step.element, 'inputs')
    .map((row, i) => {
      const variable = target.temporaries.find(one => one.name === formulaName(cellText(row, 'name')))
      return variable ? `tc${variable.index}[${child}]=${out.value(step, `inputs/${i}/value`)};` : ''
    })
    .join('')
}
