// Values that reach a variable by another way than an assignment: properties of newborns, inputs and outputs of calls.
import { formulaName } from '../../model-schema/kinds.ts'
import { asEachHasIt } from './checking.ts'
import { keyOf, stepKey } from './names/keys.ts'
import type { Json } from '../../model-schema/kinds/kind.ts'
import type { Parts, StepPart, VariablePart } from './parts.ts'
import { cellText, rowsOf } from './resolve.ts'

export type Crossing = { readonly key: string; readonly variable: VariablePart }

const giversBefore = new WeakMap<object, readonly StepPart[]>()

/** The steps that give values to individuals or call processes. Texts of formulas make no difference. */
export function givers(parts: Parts): readonly StepPart[] {
  let all = giversBefore.get(parts)
  if (all) return all
  all = parts.processes.flatMap(({ reading, steps }) => {
    let known = giversBefore.get(reading)
    if (!known) {
      known = steps.filter(({ element: { fields } }) => fields['values'] !== undefined || typeof fields['process'] === 'string')
      giversBefore.set(reading, known)
    }
    return known
  })
  giversBefore.set(parts, all)
  return all
}

/** Values given to a variable by something else than an assignment. */
export function crossings(parts: Parts): Crossing[] {
  const found: Crossing[] = []
  const entities = new Map(parts.entities.map(entity => [entity.id, entity]))
  for (const entity of parts.entities) {
    for (const [i, row] of rowsOf(entity.element, 'individuals').entries()) {
      const variable = entity.variables.find(one => one.name === formulaName(cellText(row, 'property')))
      if (variable) found.push({ key: keyOf(entity, `individuals/${i}/value`), variable })
    }
  }
  for (const step of givers(parts)) {
    const { population, process: called } = step.element.fields
    for (const [i, row] of rowsOf(step.element, 'values').entries()) {
      const entity = typeof population === 'string' ? entities.get(population) : undefined
      const variable = entity?.variables.find(one => one.name === formulaName(cellText(row, 'property')))
      if (variable && (row['mode'] ?? 'expression') === 'expression') found.push({ key: stepKey(step, `values/${i}/value`), variable })
    }
    if (typeof called !== 'string') continue
    for (const process of asEachHasIt(parts.processes, called)) {
      for (const [i, row] of rowsOf(step.element, 'inputs').entries()) {
        const variable = process.temporaries.find(one => one.name === formulaName(cellText(row, 'name')))
        if (variable) found.push({ key: stepKey(step, `inputs/${i}/value`), variable })
      }
    }
  }
  return found
}

/** What newborns of one population take over from the individual that makes them. */
export function inheritances(parts: Parts): { readonly from: VariablePart; readonly to: VariablePart }[] {
  return givers(parts).flatMap(step => {
    const { population } = step.element.fields
    const entity = typeof population === 'string' ? parts.entities.find(one => one.id === population) : undefined
    return rowsOf(step.element, 'values').flatMap(row => {
      if (!entity || row['mode'] !== 'inherit') return []
      const name = formulaName(cellText(row, 'property'))
      const to = entity.variables.find(one => one.name === name)
      const from = step.process.entity?.variables.find(one => one.name === name)
      return from && to ? [{ from, to }] : []
    })
  })
}

const dilutesBefore = new WeakMap<readonly Json[], boolean>()

/** Whether a step gives newborns a share of a value. */
export function dilutes({ element: { fields } }: StepPart): boolean {
  const { values } = fields
  if (!Array.isArray(values)) return false
  let known = dilutesBefore.get(values)
  if (known === undefined) dilutesBefore.set(values, (known = JSON.stringify(values).includes('"dilute"')))
  return known
}

export type Return = { readonly step: StepPart; readonly from: VariablePart; readonly to: VariablePart }

/** Out-values of called processes that go to temporaries of the same name. */
export function returns(parts: Parts): Return[] {
  const found: Return[] = []
  for (const step of givers(parts)) {
    const called = step.element.fields['process']
    if (typeof called !== 'string') continue
    for (const from of asEachHasIt(parts.processes, called).flatMap(process => process.temporaries)) {
      if (from.direction !== 'out' && from.direction !== 'inout') continue
      const to = step.process.temporaries.find(one => one.name === from.name)
      if (to) found.push({ step, from, to })
    }
  }
  return found
}
