// References to elements: the places of a scenario that say an element's name, in formulas and in tables, and what renaming it rewrites. Names
// have the meaning that the checker finds, types included: `x.energy` is the energy of what `x` is.
import { formulaName } from '../model-schema/kinds.ts'
import type { Json } from '../model-schema/kinds/kind.ts'
import type { Element, Id, Model } from '../model-schema/model.ts'
import { returns } from './check/crossings.ts'
import { standingOf } from './check/formulas.ts'
import { Inferring } from './check/infer.ts'
import type { Typed } from './check/infer.ts'
import type { FormulaPart, Parts } from './check/parts.ts'
import { cellText, resolve, rowsOf, textOf } from './check/resolve.ts'

/** One place that names an element; `field` is a field, or `rows/2/column` in a table. UTF-16 positions. */
type Reference = { readonly id: Id; readonly field: string; readonly from: number; readonly to: number; readonly writes: boolean }

/** A new value of a field. */
type Rewrite = { readonly id: Id; readonly field: string; readonly value: Json }

type Renaming = {
  readonly rewrites: readonly Rewrite[]
  /** How many places say the new name then. */
  readonly places: number
  /** Where the new name would mean something else, or hide the current meaning of a name. */
  readonly clash: { readonly id: Id; readonly field: string } | null
}

type Reading = Typed & { parts: Parts }

/** What was read of a model; it never changes. */
const readings = new WeakMap<Model, Map<Id, Reading | null>>()

function read(model: Model, scenario: Id): Reading | null {
  const known = readings.get(model) ?? new Map<Id, Reading | null>()
  readings.set(model, known)
  const before = known.get(scenario)
  if (before !== undefined) return before
  const reading = readAnew(model, scenario)
  known.set(scenario, reading)
  return reading
}

function readAnew(model: Model, scenario: Id): Reading | null {
  const element = model.elements.get(scenario)
  if (element?.kind !== 'scenario') return null
  const parts = resolve(model, element, [])
  return { parts, ...new Inferring().infer(parts, null) }
}

/** Every place of the scenario that names the element, in no particular order. */
export function referencesTo(model: Model, scenario: Id, id: Id): Reference[] {
  const reading = read(model, scenario)
  return reading ? placesOf(reading, id) : []
}

function placesOf(reading: Reading, id: Id): Reference[] {
  // A process inherited by several populations says a place once for each.
  const found = new Map<string, Reference>()
  const add = (place: Reference): void => {
    const key = `${place.id}/${place.field}/${place.from}`
    found.set(key, { ...place, writes: place.writes || found.get(key)?.writes === true })
  }
  for (const formula of reading.formulas.values())
    for (const use of formula.inferred.uses)
      if (use.symbol.id === id) add({ id: formula.id, field: formula.field, from: use.from, to: use.to, writes: use.writes })
  for (const cell of cellsNaming(reading, id)) add(cell)
  return [...found.values()]
}

/** Cells of tables that hold the name itself: properties of newborns, inputs of called processes, variables an action sets. */
function cellsNaming({ parts, scopes }: Reading, id: Id): Reference[] {
  const found: Reference[] = []
  const look = (element: Element, table: string, column: string, means: (name: string) => boolean): void => {
    for (const [i, row] of rowsOf(element, table).entries()) {
      const text = cellText(row, column)
      if (means(formulaName(text))) found.push({ id: element.id, field: `${table}/${i}/${column}`, from: 0, to: text.length, writes: true })
    }
  }
  const isProperty = (entity: string, name: string): boolean =>
    parts.entities.some(one => one.id === entity && one.variables.some(variable => variable.id === id && variable.name === name))
  for (const entity of parts.entities) look(entity.element, 'individuals', 'property', name => isProperty(entity.id, name))
  for (const step of parts.steps) {
    const { population, process } = step.element.fields
    if (typeof population === 'string') look(step.element, 'values', 'property', name => isProperty(population, name))
    if (typeof process === 'string')
      look(step.element, 'inputs', 'name', name =>
        parts.processes.some(one => one.id === process && one.temporaries.some(port => port.id === id && port.name === name)),
      )
    const scope = scopes.at(standingOf(step.process))
    look(step.element, 'actions', 'variable', name => scope.find(name)?.id === id)
  }
  return found
}

/** What giving the element this name rewrites. The model itself stays as it is. */
export function renaming(model: Model, scenario: Id, id: Id, name: string): Renaming {
  const nothing: Renaming = { rewrites: [], places: 0, clash: null }
  const element = model.elements.get(id)
  const before = element && read(model, scenario)
  const spoken = formulaName(name)
  if (!element || !before || formulaName(textOf(element, 'name')) === spoken) return nothing
  const namesakes = [...namesakesOf(before, id)]
  const fed = namesakes.map(one => feederOf(before, one)).find(one => one !== null)
  if (fed) return { ...nothing, clash: fed }
  const places = namesakes.flatMap(one => placesOf(before, one))
  const names = namesakes.map(one => ({ id: one, field: 'name', value: name }))
  const rewrites = [...Map.groupBy(places, place => `${place.id}/${place.field.split('/')[0]}`).values()].flatMap(of =>
    rewrite(model, of, spoken),
  )
  const elements = new Map(model.elements)
  for (const { id: other, field, value } of [...names, ...rewrites]) {
    const old = elements.get(other)
    if (old) elements.set(other, { ...old, fields: { ...old.fields, [field]: value } })
  }
  const after = read({ ...model, elements }, scenario)
  const others = names.filter(one => one.id !== id)
  return {
    rewrites: [...rewrites, ...others],
    places: places.length + others.length,
    clash: after && (clashOf(before, after, places, spoken.length) ?? crossingClash(before, after)),
  }
}

/**
 * Variables that are one to the author: an interface that gives a value back, and the temporary variables of its callers
 * it is given to, which are found by having the same name.
 */
function namesakesOf({ parts }: Reading, id: Id): ReadonlySet<Id> {
  const found = new Set([id])
  const handed = returns(parts)
  for (const one of found)
    for (const { from, to } of handed) {
      if (from.id === one) found.add(to.id)
      if (to.id === one) found.add(from.id)
    }
  return found
}

/** The message that fills an interface by its name: there the field must be renamed first. */
function feederOf({ parts }: Reading, id: Id): Renaming['clash'] {
  for (const process of parts.processes) {
    const port = process.temporaries.find(one => one.id === id && one.direction !== null)
    const { trigger, message } = process.start?.element.fields ?? {}
    if (!port || trigger !== 'message') continue
    const feeder = parts.messages.find(one => one.id === message)
    const row = feeder?.payload.findIndex(field => field.name === port.name) ?? -1
    if (feeder && row >= 0) return { id: feeder.id, field: `payload/${row}/name` }
  }
  return null
}

/** A call that hands a value back to another variable than before. */
function crossingClash(before: Reading, after: Reading): Renaming['clash'] {
  const handed = ({ parts }: Reading): Map<string, Id> =>
    new Map(returns(parts).map(({ step, from, to }) => [`${step.key} ${from.id} ${to.id}`, step.id]))
  const [old, now] = [handed(before), handed(after)]
  for (const [key, id] of now) if (!old.has(key)) return { id, field: 'process' }
  return null
}

function rewrite(model: Model, places: readonly Reference[], name: string): Rewrite[] {
  const [first] = places
  const element = first && model.elements.get(first.id)
  const field = first?.field.split('/')[0]
  if (!element || field === undefined) return []
  if (first.field === field) return [{ id: element.id, field, value: replaced(textOf(element, field), places, name) }]
  const rows = rowsOf(element, field).map((row, i) => {
    const own = Map.groupBy(
      places.filter(place => place.field.split('/')[1] === String(i)),
      place => place.field.split('/')[2] ?? '',
    )
    return [...own].reduce((made, [column, of]) => ({ ...made, [column]: replaced(cellText(row, column), of, name) }), row)
  })
  return [{ id: element.id, field, value: rows }]
}

/** Replaces the places in a text, the last first. */
const replaced = (text: string, places: readonly { from: number; to: number }[], name: string): string =>
  places.toSorted((a, b) => b.from - a.from).reduce((now, { from, to }) => now.slice(0, from) + name + now.slice(to), text)

/** The first formula in which a name means something else after the renaming. A name that meant nothing may come to mean something. */
function clashOf(before: Reading, after: Reading, places: readonly Reference[], length: number): Renaming['clash'] {
  const changed = Map.groupBy(places, place => `${place.id}/${place.field}`)
  for (const [key, old] of before.formulas) {
    const next = after.formulas.get(key)
    const { id, field } = old
    if (!next) return { id, field }
    if (old.inferred.parsed.problems.some(found => found.kind === 'syntax')) continue
    const moved = shift(changed.get(`${id}/${field}`) ?? [], length)
    const meant = meanings(old)
    const means = meanings(next)
    const unknown = new Set(old.inferred.problems.filter(found => found.kind === 'name-not-found').map(found => moved(found.from)))
    for (const [at, symbol] of meant) if (means.get(moved(at)) !== symbol) return { id, field }
    const kept = new Set([...meant.keys()].map(moved))
    for (const at of means.keys()) if (!kept.has(at) && !unknown.has(at)) return { id, field }
  }
  return null
}

/** The meaning of each place of a formula: an element's id, or a name of the language. */
const meanings = (formula: FormulaPart): Map<number, string> =>
  new Map(formula.inferred.uses.map(({ from, symbol }) => [from, symbol.id ?? `"${symbol.name}"`]))

/** The position of a place of the text once every changed place before it has the new length. */
function shift(changed: readonly Reference[], length: number): (at: number) => number {
  return at => changed.reduce((now, { from, to }) => (from < at ? now + length - (to - from) : now), at)
}
