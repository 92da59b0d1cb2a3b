// Values that reach a variable by another way than an assignment: properties of newborns, inputs and outputs of calls.
import { formulaName } from '../../model-schema/kinds.ts'
import { keyOf, stepKey } from './keys.ts'
import type { Parts, StepPart, VariablePart } from './parts.ts'
import { cellText, rowsOf } from './resolve.ts'

/** Values given to a variable by something else than an assignment. */
export function crossings(parts: Parts): { key: string; variable: VariablePart }[] {
  const found: { key: string; variable: VariablePart }[] = []
  for (const entity of parts.entities) {
    for (const [i, row] of rowsOf(entity.element, 'individuals').entries()) {
      const variable = entity.variables.find(one => one.name === formulaName(cellText(row, 'property')))
      if (variable) found.push({ key: keyOf(entity, `individuals/${i}/value`), variable })
    }
  }
  for (const step of parts.steps) {
    for (const [i, row] of rowsOf(step.element, 'values').entries()) {
      const entity = parts.entities.find(one => one.id === step.element.fields['population'])
      const variable = entity?.variables.find(one => one.name === formulaName(cellText(row, 'property')))
      if (variable && (row['mode'] ?? 'expression') === 'expression') found.push({ key: stepKey(step, `values/${i}/value`), variable })
    }
    const called = step.element.fields['process']
    if (typeof called !== 'string') continue
    for (const process of parts.processes) {
      if (process.id !== called) continue
      for (const [i, row] of rowsOf(step.element, 'inputs').entries()) {
        const variable = process.temporaries.find(one => one.name === formulaName(cellText(row, 'name')))
        if (variable) found.push({ key: stepKey(step, `inputs/${i}/value`), variable })
      }
    }
  }
  return found
}

/** Out-values of called processes that go to temporaries of the same name. */
export function returns(parts: Parts): { step: StepPart; from: VariablePart; to: VariablePart }[] {
  const found: { step: StepPart; from: VariablePart; to: VariablePart }[] = []
  for (const step of parts.steps) {
    const called = step.element.fields['process']
    if (typeof called !== 'string') continue
    const target = parts.processes.find(one => one.id === called)
    for (const from of target?.temporaries ?? []) {
      if (from.direction !== 'out' && from.direction !== 'inout') continue
      const to = step.process.temporaries.find(one => one.name === from.name)
      if (to) found.push({ step, from, to })
    }
  }
  return found
}
