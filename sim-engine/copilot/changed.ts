// What changed between two contents of a model, in sentences: first what changes a run, then what is new or gone, last what was only moved.
import { changesBetween, type Change, type FieldChange } from '../../model-schema/changes.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Field, Json } from '../../model-schema/kinds/kind.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import { line, nameOf, type Line } from './questions.ts'
import { visible } from './visible.ts'
import { say, verbatim, type Value, type Words } from '../../model-schema/words.ts'

/** Sentences of one answer, differences of one element, and characters of a value in them. */
const SHOWN = { lines: 24, fields: 6, value: 120 } as const

/** The differences, each with the elements it is about; `names` say what is compared. */
export function changed(before: Model, after: Model, names: { readonly before: Words; readonly after: Words }): Line[] {
  const all = changesBetween(before, after)
  if (all.length === 0) return [line(say('Nothing differs between {before} and {after}.', names))]
  const places = all.filter(isOnlyPlace)
  const sorted = [
    ...all.filter(one => one.sort === 'changed' && !isOnlyPlace(one)),
    ...all.filter(one => one.sort === 'added' && !isInside(all, one)),
    ...all.filter(one => one.sort === 'removed' && !isInside(all, one)),
  ]
  const count = (sort: Change['sort']): number => all.filter(one => one.sort === sort).length
  const lines = [
    line(
      say('From {before} to {after}: {added} added, {removed} removed, {changed} changed.', {
        ...names,
        added: count('added'),
        removed: count('removed'),
        changed: count('changed'),
      }),
    ),
    ...sorted.slice(0, SHOWN.lines).map(one => sentence(one, before, after, all)),
  ]
  if (sorted.length > SHOWN.lines)
    lines.push(line(say('And {rest} more; the version history shows them all.', { rest: sorted.length - SHOWN.lines })))
  if (places.length > 0)
    lines.push(
      line(
        say(
          '{count, plural, one {# element only stands elsewhere on its canvas.} other {# elements only stand elsewhere on their canvas.}}',
          { count: places.length },
        ),
        ...places.map(({ id }) => id),
      ),
    )
  return lines
}

/** It was moved, and nothing else: no run depends on that. */
const isOnlyPlace = ({ sort, fields, reparented, reconnected }: Change): boolean =>
  sort === 'changed' && fields.length === 0 && !reparented && !reconnected

const elementOf = ({ before, after }: Change): Element | null => after ?? before

/** Its container came or went with it. */
const isInside = (all: readonly Change[], one: Change): boolean => {
  const parent = elementOf(one)?.parent ?? null
  return parent !== null && all.some(({ id, sort }) => id === parent && sort === one.sort)
}

function sentence(change: Change, before: Model, after: Model, all: readonly Change[]): Line {
  const { id, sort } = change
  const element = elementOf(change)
  const model = sort === 'removed' ? before : after
  if (!element) return line(verbatim(id), id)
  const what = { kind: kindOf(element.kind)?.label ?? verbatim(element.kind), name: titleIn(model, element) }
  if (sort === 'changed')
    return line(say('{kind} “{name}”: {differences}.', { ...what, differences: differences(change, before, after) }), id)
  const place = element.parent === null ? '' : nameOf(model.elements.get(element.parent))
  const within = all.filter(one => one.sort === sort && one.id !== id && isUnder(model, one.id, id)).length
  const inside = within > 0 ? say(', with {within} elements inside', { within }) : ''
  if (sort === 'added')
    return line(
      place === ''
        ? say('{kind} “{name}” is new{inside}.', { ...what, inside })
        : say('{kind} “{name}” is new in “{place}”{inside}.', { ...what, place, inside }),
      id,
    )
  const cited = element.parent !== null && after.elements.has(element.parent) ? [element.parent] : []
  return line(
    place === ''
      ? say('{kind} “{name}” is gone{inside}.', { ...what, inside })
      : say('{kind} “{name}” is gone from “{place}”{inside}.', { ...what, place, inside }),
    ...cited,
  )
}

function isUnder(model: Model, id: Id, outer: Id): boolean {
  for (let at = model.elements.get(id)?.parent ?? null; at !== null; at = model.elements.get(at)?.parent ?? null)
    if (at === outer) return true
  return false
}

/** The name of an element; of a connector without one its two ends. */
function titleIn(model: Model, element: Element): string {
  if (!element.ends || element.fields['name']) return cut(nameOf(element))
  const end = (side: 'from' | 'to'): string => cut(nameOf(model.elements.get(element.ends?.[side].id ?? '')))
  return `${end('from')} → ${end('to')}`
}

function differences({ id, fields, moved, reparented, reconnected }: Change, before: Model, after: Model): Value {
  const found: Words[] = fields.slice(0, SHOWN.fields).map(one => difference(one, before, after))
  if (fields.length > SHOWN.fields) found.push(say('{count} more fields', { count: fields.length - SHOWN.fields }))
  const ends = after.elements.get(id)
  if (reconnected && ends) found.push(say('leads elsewhere, now {ends}', { ends: titleIn(after, { ...ends, fields: {} }) }))
  const parent = after.elements.get(after.elements.get(id)?.parent ?? '')
  if (reparented) found.push(say('now in “{place}”', { place: nameOf(parent) }))
  else if (moved) found.push(say('stands elsewhere'))
  return found
}

function difference({ field, id, before: was, after: is }: FieldChange, before: Model, after: Model): Words {
  const label = field?.label ?? verbatim(id)
  if (field && (field.type.as === 'rich' || field.type.as === 'image' || field.type.as === 'data' || field.type.as === 'rows'))
    return say('{label} changed', { label })
  return say('{label}: {was} → {is}', { label, was: shown(field, was, before), is: shown(field, is, after) })
}

function shown(field: Field | null, value: Json | undefined, model: Model): Value {
  if (value === undefined || value === null || value === '') return say('nothing')
  if (typeof value === 'boolean') return value ? say('yes') : say('no')
  const type = field?.type
  if (type?.as === 'choice' && typeof value === 'string') return type.options[value] ?? value
  if (type?.as === 'ref') return nameOf(model.elements.get(String(value)))
  if (type?.as === 'refs' && Array.isArray(value)) return value.map(one => nameOf(model.elements.get(String(one))))
  return cut(typeof value === 'string' ? value : JSON.stringify(value))
}

const cut = (text: string): string => {
  const one = String(visible(text.replaceAll(/\s*\n\s*/g, ' ⏎ ')))
  return one.length > SHOWN.value ? `${one.slice(0, SHOWN.value)}…` : one
}
