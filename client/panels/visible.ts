// Which fields of a selection the inspector shows, and in which sections. Pure.
import { kindOf } from '../../model-schema/kinds.ts'
import type { Field, Json, Kind } from '../../model-schema/kinds/kind.ts'
import type { Element, Model } from '../../model-schema/model.ts'
import { canvasKindOf } from '../editor/grammar.ts'
import { sayIn, type Words } from '../../model-schema/words.ts'

export type SectionId = NonNullable<Field['section']>

const sectionOrder: readonly SectionId[] = ['basics', 'selection', 'changes', 'timing', 'appearance', 'advanced']

export type Shown = { readonly field: Field; /** Undefined when the elements differ. */ readonly value: Json | undefined }

/** Whether `when` lets a field be shown with these values. */
export function appears(field: Field, fields: Readonly<Record<string, Json>>): boolean {
  return Object.entries(field.when ?? {}).every(([other, values]) => values.some(value => value === fields[other]))
}

const blankPattern = sayIn('regular expression: what a help text says of a blank field', 'Blank: ([^.;]+)')

/** The meaning of a blank field, in a few words from its help; empty if the help does not mention it. */
export function blankOf(help: Words, words: (words: Words) => string): string {
  return new RegExp(words(blankPattern)).exec(words(help))?.[1]?.replaceAll('`', '').trim() ?? ''
}

/** Equality of plain data. */
const same = (a: Json | undefined, b: Json | undefined): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** Whether two elements have the same content, at any position. */
export const sameContent = (a: Element, b: Element | undefined): boolean =>
  a === b ||
  (a.id === b?.id &&
    a.kind === b.kind &&
    a.parent === b.parent &&
    a.locked === b.locked &&
    a.ends?.from.id === b.ends?.from.id &&
    a.ends?.to.id === b.ends?.to.id &&
    String(a.groups) === String(b.groups) &&
    same(a.fields, b.fields))

/** Whether a field needs the whole width, under its label: programs, tables, rich text and pictures. */
export const isBlock = ({ type }: Field): boolean =>
  type.as === 'rows' ||
  type.as === 'rich' ||
  type.as === 'image' ||
  (type.as === 'text' && type.long === true) ||
  (type.as === 'formula' && (type.context === 'program' || type.context === 'function'))

/** The fields all of the elements have and show, with the value they share. Names are one element's own. */
export function shownFields(elements: readonly Element[], model: Model): readonly Shown[] {
  const [first, ...others] = elements
  const kind = first && kindOf(first.kind)
  if (!first || !kind) return []
  return kind.fields
    .filter(field => field.type.as !== 'data' && fits(field, first, model) && (others.length === 0 || field.type.as !== 'name'))
    .filter(field => others.every(other => sharesField(field, other, model)))
    .map(field => ({
      field,
      value: others.every(other => same(other.fields[field.id], first.fields[field.id])) ? first.fields[field.id] : undefined,
    }))
}

export function sections(shown: readonly Shown[]): readonly { readonly id: SectionId; readonly shown: readonly Shown[] }[] {
  return sectionOrder
    .map(id => ({ id, shown: shown.filter(one => (one.field.section ?? 'basics') === id) }))
    .filter(section => section.shown.length > 0)
}

/** Whether some field of a section says something other than a new element would. */
export const isTouched = (shown: readonly Shown[]): boolean =>
  shown.some(({ field, value }) => value !== undefined && !same(value, field.initial))

function fits(field: Field, element: Element, model: Model): boolean {
  if (!appears(field, element.fields)) return false
  if (field.on && !(element.parent !== null && field.on.some(canvas => canvas === canvasKindOf(model, element.parent ?? '')))) return false
  // Everything on the root belongs to the world, everything in a process to its token: only inside entities is there a choice.
  if (field.id === 'owner') return element.parent !== null && canvasKindOf(model, element.parent) === 'entity'
  if (element.kind === 'flow' && same(element.fields[field.id], field.initial)) return decides(field, element, model)
  // A boundary event's host is the activity it is dragged onto.
  return true
}

/** Which fields of a flow the step where it begins reads: conditions, probabilities, or neither. */
function decides(field: Field, flow: Element, model: Model): boolean {
  const source = model.elements.get(flow.ends?.from.id ?? '')
  const { type, by } = source?.fields ?? {}
  const chooses = source?.kind === 'gateway' && (type === 'exclusive' || type === 'inclusive')
  const byChance = type === 'exclusive' && by === 'probability'
  if (field.id === 'condition') return chooses && !byChance
  if (field.id === 'weight') return chooses && byChance
  if (field.id === 'default') return (chooses && !byChance) || source?.fields['otherwise'] === 'branch'
  return true
}

/** Whether a column of a table says anything with this row: a key only where some container has amounts by key. */
export function columnApplies(column: Field, row: Readonly<Record<string, Json>>, model: Model): boolean {
  if (!appears(column, row)) return false
  if (column.id !== 'key' || column.type.as !== 'text' || (row['key'] ?? '') !== '') return true
  return [...model.elements.values()].some(one => one.kind === 'container' && one.fields['contents'] === 'keyed')
}

/** The label of a field, given the values of the others. */
export function calledWith(field: Field, fields: Readonly<Record<string, Json>>): Words {
  const value = field.called && fields[field.called.by]
  return (typeof value === 'string' && field.called?.words[value]) || field.label
}

function sharesField(field: Field, other: Element, model: Model): boolean {
  const kind: Kind | undefined = kindOf(other.kind)
  const twin = kind?.fields.find(one => one.id === field.id)
  return (
    twin !== undefined && twin.type.as === field.type.as && fits(twin, other, model) && other.kind === kind?.id && sameType(twin, field)
  )
}

const sameType = (a: Field, b: Field): boolean => JSON.stringify(a.type) === JSON.stringify(b.type)
