// What people do to a model, as Model -> Model: seeded, one small edit at a time. Elements that are not touched keep their
// identity, as they do when a document is edited.
import { kindOf } from '../../model-schema/kinds.ts'
import type { Field, Json } from '../../model-schema/kinds/kind.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import type { Chance } from './random.ts'

export const editKinds = ['formula', 'rename', 'move', 'delete', 'add', 'option', 'reorder', 'row', 'connect', 'place', 'several'] as const
export type EditKind = (typeof editKinds)[number]
const singleKinds = editKinds.filter(kind => kind !== 'several')

/** Formulas that people write, right and wrong, as they are or with a name of the model in place of `x`. */
const texts = [
  '',
  '1',
  'x',
  'x + 1',
  'x = 1',
  'x = "text"',
  'x += 1',
  'x > 2',
  'x = x +',
  'x.append(1)',
  'for a in x:\n    a.energy = 1',
  '[a for a in x]',
  'uniform(0, x)',
  'x(1)',
  'x = [x]',
  'self.x',
  'world.x = None',
]

/** The model after one edit of this kind; the same when there is nothing to do it to. */
export function edited(model: Model, kind: EditKind, random: Chance): Model {
  const all = [...model.elements.values()].filter(element => element.parent !== null)
  if (all.length === 0) return model
  const one = random.pick(all)
  switch (kind) {
    case 'formula':
      return withFormula(model, all, random)
    case 'rename': {
      const named = all.filter(element => typeof element.fields['name'] === 'string' && element.fields['name'] !== '')
      return named.length === 0 ? model : setField(model, random.pick(named), 'name', `n${random.below(30)}`)
    }
    case 'move':
      return put(model, { ...one, geo: [one.geo[0] + random.below(20), one.geo[1], one.geo[2], one.geo[3]] })
    case 'delete':
      return without(model, one)
    case 'add':
      return withCopy(model, one, random)
    case 'option':
      return withOption(model, all, random)
    case 'reorder': {
      const parent = model.elements.get(one.parent ?? '')
      if (!parent) return model
      const others = parent.children.filter(id => id !== one.id)
      others.splice(random.below(others.length + 1), 0, one.id)
      return put(model, { ...parent, children: others })
    }
    case 'row':
      return withRow(model, all, random)
    case 'connect':
      return connected(model, all, random)
    case 'place':
      return placed(model, one, all, random)
    case 'several': {
      let now = model
      for (let n = 2 + random.below(3); n > 0; n--) now = edited(now, random.pick(singleKinds), random)
      return now
    }
  }
}

function put(model: Model, ...changed: readonly Element[]): Model {
  const elements = new Map(model.elements)
  for (const element of changed) elements.set(element.id, element)
  return { ...model, elements }
}

export const setField = (model: Model, element: Element, field: string, value: Json): Model =>
  put(model, { ...element, fields: { ...element.fields, [field]: value } })

function withFormula(model: Model, all: readonly Element[], random: Chance): Model {
  const spots = all.flatMap(element =>
    (kindOf(element.kind)?.fields ?? []).filter(field => field.type.as === 'formula').map(field => ({ element, field: field.id })),
  )
  if (spots.length === 0) return model
  const { element, field } = random.pick(spots)
  const names = all.map(other => other.fields['name']).filter(name => typeof name === 'string' && name !== '')
  const other = random.pick(spots)
  const borrowed = other.element.fields[other.field]
  const text = random.chance(0.5) && typeof borrowed === 'string' ? borrowed : random.pick(texts)
  return setField(model, element, field, text.replaceAll('x', names.length > 0 && random.chance(0.7) ? String(random.pick(names)) : 'x'))
}

/** Adds, removes or replaces a row in a table of an element - parameters, inputs, properties, overrides, resources. */
function withRow(model: Model, all: readonly Element[], random: Chance): Model {
  const roots = model.roots.flatMap(id => model.elements.get(id) ?? [])
  const spots = [...roots, ...all].flatMap(element =>
    (kindOf(element.kind)?.fields ?? []).flatMap(({ id, type }) =>
      type.as === 'rows' ? [{ element, field: id, columns: type.columns }] : [],
    ),
  )
  if (spots.length === 0) return model
  // Most tables are empty: one that is not comes first now and then.
  const filled = spots.filter(({ element, field }) => rowsIn(element, field).length > 0)
  const { element, field, columns } = random.pick(filled.length > 0 && random.chance(0.8) ? filled : spots)
  const rows = rowsIn(element, field)
  const at = random.below(rows.length + 1)
  const row = rows[at]
  if (row && random.chance(0.2)) return setField(model, element, field, rows.toSpliced(at, 1))
  const cell = (column: Field): Json => {
    const { type } = column
    if (type.as === 'boolean') return random.chance(0.5)
    if (type.as === 'choice') return random.pick(Object.keys(type.options))
    if (type.as === 'ref') return random.pick([null, ...all.filter(other => type.to.includes(other.kind)).map(other => other.id)])
    if (type.as === 'formula') return random.pick(texts).replaceAll('x', nameIn(all, random))
    return random.chance(0.5) ? nameIn(all, random) : `n${random.below(30)}`
  }
  if (!row) return setField(model, element, field, [...rows, Object.fromEntries(columns.map(column => [column.id, cell(column)]))])
  const column = random.pick(columns)
  return setField(model, element, field, rows.with(at, { ...row, [column.id]: cell(column) }))
}

function rowsIn(element: Element, field: string): { readonly [key: string]: Json }[] {
  const rows = element.fields[field]
  return Array.isArray(rows) ? rows.flatMap(row => (row !== null && typeof row === 'object' && !Array.isArray(row) ? [row] : [])) : []
}

function nameIn(all: readonly Element[], random: Chance): string {
  const name = random.pick(all).fields['name']
  return typeof name === 'string' && name !== '' ? name : 'x'
}

/** An end of a connector is taken to another element of the canvas. */
function connected(model: Model, all: readonly Element[], random: Chance): Model {
  const connectors = all.filter(element => element.ends)
  if (connectors.length === 0) return model
  const one = random.pick(connectors)
  const side = random.chance(0.5) ? 'from' : 'to'
  const others = all.filter(other => other.parent === one.parent && !other.ends)
  if (!one.ends || others.length === 0) return model
  return put(model, { ...one, ends: { ...one.ends, [side]: { ...one.ends[side], id: random.pick(others).id } } })
}

/** Moves the element with its contents to another canvas of the same sort. */
function placed(model: Model, one: Element, all: readonly Element[], random: Chance): Model {
  const from = model.elements.get(one.parent ?? '')
  if (!from) return model
  const inside = (at: Element | undefined): boolean => at !== undefined && (at === one || inside(model.elements.get(at.parent ?? '')))
  const canvases = all.filter(other => other.kind === from.kind && other !== from && !inside(other))
  if (canvases.length === 0) return model
  const to = random.pick(canvases)
  const left = { ...from, children: from.children.filter(id => id !== one.id) }
  return put(model, left, { ...one, parent: to.id }, { ...to, children: [...to.children, one.id] })
}

/** A choice, a switch or a reference is set to another. */
function withOption(model: Model, all: readonly Element[], random: Chance): Model {
  const element = random.pick(all)
  const field = random.pick(kindOf(element.kind)?.fields ?? [])
  if (!field) return model
  const { type } = field
  if (type.as === 'boolean') return setField(model, element, field.id, element.fields[field.id] !== true)
  if (type.as === 'choice') return setField(model, element, field.id, random.pick(Object.keys(type.options)))
  if (type.as === 'ref') {
    const fit = all.filter(other => type.to.includes(other.kind))
    return setField(model, element, field.id, fit.length === 0 || random.chance(0.2) ? null : random.pick(fit).id)
  }
  return model
}

/** Deletes the element with its contents, as the editor does: connectors are detached. */
function without(model: Model, element: Element): Model {
  const gone = new Set<Id>()
  const visit = (id: Id): void => {
    gone.add(id)
    for (const child of model.elements.get(id)?.children ?? []) visit(child)
  }
  visit(element.id)
  const elements = new Map<Id, Element>()
  for (const [id, other] of model.elements) {
    if (gone.has(id)) continue
    const { ends } = other
    const free = (end: { id: Id | null; x: number; y: number }) => (end.id !== null && gone.has(end.id) ? { ...end, id: null } : end)
    const loses = ends && ((ends.from.id !== null && gone.has(ends.from.id)) || (ends.to.id !== null && gone.has(ends.to.id)))
    if (id === element.parent) elements.set(id, { ...other, children: other.children.filter(child => child !== element.id) })
    else elements.set(id, loses ? { ...other, ends: { from: free(ends.from), to: free(ends.to) } } : other)
  }
  return { ...model, elements }
}

/** Duplicates the element with its contents, next to the original. */
function withCopy(model: Model, element: Element, random: Chance): Model {
  const mark = random.below(1_000_000)
  const made: Element[] = []
  const copy = (one: Element, parent: Id | null, name: string | null): Id => {
    const id = `${one.id}~${mark}`
    const children = one.children.flatMap(child => {
      const inner = model.elements.get(child)
      return inner ? [copy(inner, id, null)] : []
    })
    made.push({ ...one, id, parent, children, fields: name === null ? one.fields : { ...one.fields, name } })
    return id
  }
  const parent = model.elements.get(element.parent ?? '')
  if (!parent) return model
  const name = element.fields['name']
  const id = copy(element, parent.id, typeof name === 'string' && name !== '' && random.chance(0.8) ? `${name}${mark}` : null)
  const at = random.below(parent.children.length + 1)
  return put(model, ...made, { ...parent, children: [...parent.children.slice(0, at), id, ...parent.children.slice(at)] })
}
