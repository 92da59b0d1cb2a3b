// A control and the variable it sets: the variable becomes an input, and a slider that still has the range of a new one gets one that suits it.
import { setField } from '../../model-schema/edit.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Id } from '../../model-schema/model.ts'
import type { Editor } from '../editor/editor.ts'
import { parseLiteral } from '../run/literal.ts'

/** Binds a control to a variable; part of a gesture. */
export function bind({ doc, model }: Editor, control: Id, variable: Id): void {
  setField(doc, control, 'target', variable)
  setField(doc, variable, 'public', true)
  const fields = model.elements.get(variable)?.fields ?? {}
  const face = model.elements.get(control)?.fields ?? {}
  const untouched = kindOf('controller')?.fields.every(({ id, initial }) => !['min', 'max', 'step'].includes(id) || face[id] === initial)
  const now = typeof fields['initial'] === 'string' ? parseLiteral(fields['initial']) : undefined
  if (!untouched || typeof now !== 'number') return
  for (const [field, value] of Object.entries(rangeOf(now, fields['min'], fields['max']))) setField(doc, control, field, value)
}

/** From nothing to twice the value, in about a hundred round steps; the variable's own bounds count more. */
export function rangeOf(value: number, least: unknown, most: unknown): { min: number; max: number; step: number } {
  const min = typeof least === 'number' ? least : Math.min(0, 2 * value)
  const max = typeof most === 'number' && most > min ? most : Math.max(value > 0 ? 2 * value : min + 1, min + 1e-9)
  const rough = (max - min) / 100
  const ten = 10 ** Math.floor(Math.log10(rough))
  const nice = [1, 2, 5, 10].find(one => one * ten >= rough * 0.999) ?? 10
  const step = Number((nice * ten).toPrecision(3))
  return { min, max, step: Number.isInteger(value) && value >= 2 ? Math.max(1, Math.round(step)) : step }
}
