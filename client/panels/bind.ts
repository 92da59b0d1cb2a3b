// Binds a control to the variable it sets. The variable becomes an input; a control with default fields becomes a switch for a boolean, or
// gets a range around the variable's number. A range that was not edited follows the variable.
import { setField } from '../../model-schema/edit.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Json } from '../../model-schema/kinds/kind.ts'
import type { Id } from '../../model-schema/model.ts'
import type { Editor } from '../editor/editor.ts'
import { parseLiteral } from '../run/literal.ts'

type Fields = Readonly<Record<string, Json>>
type Range = { min: number; max: number; step: number }

/** Binds a control to a variable; part of a gesture. */
export function bind({ doc, model }: Editor, control: Id, variable: Id): void {
  setField(doc, control, 'target', variable)
  setField(doc, variable, 'public', true)
  const fields = model.elements.get(variable)?.fields ?? {}
  const face = model.elements.get(control)?.fields ?? {}
  if (!hasRange(face, blank)) return
  const values = suiting(fields, face['type'])
  for (const [field, value] of Object.entries(values)) setField(doc, control, field, value)
}

/** After a change of a variable's value or bounds: updates the controls with ranges derived from the previous ones. */
export function follow({ doc, model }: Editor, variable: Id, before: Fields): void {
  const now = suitableRange(model.elements.get(variable)?.fields ?? {})
  const old = suitableRange(before) ?? blank
  if (now === null || hasRange(now, old)) return
  for (const { id, kind, fields } of model.elements.values())
    if (kind === 'controller' && fields['target'] === variable && hasRange(fields, old))
      for (const [field, value] of Object.entries(now)) setField(doc, id, field, value)
}

/** The fields of a new slider. */
const blank: Fields = Object.fromEntries((kindOf('controller')?.fields ?? []).map(({ id, initial }) => [id, initial]))

const hasRange = (face: Fields, range: Fields): boolean => ['min', 'max', 'step'].every(field => face[field] === range[field])

/** What to write into a control of a variable with these fields. */
function suiting(fields: Fields, type: Json | undefined): Fields {
  if (type === blank['type'] && typeof valueOf(fields) === 'boolean') return { type: 'switch' }
  return suitableRange(fields) ?? {}
}

const valueOf = (fields: Fields) => (typeof fields['initial'] === 'string' ? parseLiteral(fields['initial']) : undefined)

/** Null if neither value nor bounds determine a range: for what is not a number, and for a bare 0. */
function suitableRange(fields: Fields): Range | null {
  const { min, max } = fields
  const value = valueOf(fields)
  if (typeof value !== 'number' || (value === 0 && typeof min !== 'number' && typeof max !== 'number')) return null
  return rangeOf(value, min, max)
}

/** From nothing to twice the value, in about a hundred round steps; the variable's own bounds count more. */
export function rangeOf(value: number, least: unknown, most: unknown): Range {
  const min = typeof least === 'number' ? least : Math.min(0, 2 * value)
  const max = typeof most === 'number' && most > min ? most : Math.max(value > 0 ? 2 * value : min + 1, min + 1e-9)
  const rough = (max - min) / 100
  const ten = 10 ** Math.floor(Math.log10(rough))
  const nice = [1, 2, 5, 10].find(one => one * ten >= rough * 0.999) ?? 10
  const step = Number((nice * ten).toPrecision(3))
  return { min, max, step: Number.isInteger(value) && value >= 2 ? Math.max(1, Math.round(step)) : step }
}
