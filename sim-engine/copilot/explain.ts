// What an element is and does, in sentences made from the metamodel, the course of its process and who names it.
import { formulaName, kindOf } from '../../model-schema/kinds.ts'
import type { FormulaContext } from '../../model-schema/kinds/kind.ts'
import { sameJson } from '../../model-schema/integrity.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import { referenceOf } from '../docs.ts'
import { parseFormula } from '../formula.ts'
import { walk } from '../formula/walk.ts'
import { referencesTo } from '../references.ts'
import { line, nameOf, type Line } from './questions.ts'
import { english, say, verbatim, type Words } from '../../model-schema/words.ts'

type Speak = (words: Words) => string

/** An element explained, with its formulas; of a process its course, of a scenario what is in it. `speak` gives the language of the reference. */
export function explained(model: Model, id: Id, speak: Speak = english): Line[] {
  const element = model.elements.get(id)
  if (!element) return [line(say('This element is gone.'))]
  const label = labelOf(element)
  const kind = kindOf(element.kind)
  const lines: Line[] = [line(say('"{element}" is: {label}. {help}', { element: nameOf(element), label, help: kind?.help ?? '' }), id)]
  for (const field of kind?.fields ?? []) {
    const value = element.fields[field.id]
    if (
      field.id === 'name' ||
      value === undefined ||
      sameJson(value, field.initial) ||
      field.type.as === 'image' ||
      field.type.as === 'rich'
    )
      continue
    const cites = [...idsIn(value)].filter(one => model.elements.has(one))
    const option = field.type.as === 'choice' && typeof value === 'string' ? field.type.options[value] : undefined
    lines.push(line(say('{label}: {value}', { label: field.label, value: option ?? spoken(model, value) }), ...cites))
    if (field.type.as === 'formula' && typeof value === 'string')
      lines.push(...readingOf(model, field.label, value, field.type.context, speak))
  }
  if (element.ends)
    lines.push(
      line(
        say('It leads from "{id}" to "{id2}".', {
          id: nameOf(model.elements.get(element.ends.from.id ?? '')),
          id2: nameOf(model.elements.get(element.ends.to.id ?? '')),
        }),
        ...[element.ends.from.id, element.ends.to.id].filter(end => end !== null),
      ),
    )
  if (kind?.opens === 'process') lines.push(...courseOf(model, element))
  else if (kind?.opens) lines.push(...insideOf(model, element))
  else lines.push(...usersOf(model, element))
  return lines
}

/** Functions of a formula that are explained. */
const FUNCTIONS = 6

/** What a formula reads and sets, and what the functions do that it calls. */
function readingOf(model: Model, label: Words, text: string, context: FormulaContext, speak: Speak): Line[] {
  const { ast, problems } = parseFormula(text, context)
  if (problems.length > 0) return []
  const named = Map.groupBy(model.elements.values(), one => formulaName(String(one.fields['name'] ?? '')))
  const [reads, sets, calls] = [new Map<Id, string>(), new Map<Id, string>(), new Set<string>()]
  walk(ast, (node, role) => {
    if (node.is === 'call' && node.callee.is === 'name') calls.add(node.callee.name)
    const name = node.is === 'name' ? node.name : node.is === 'member' ? node.name : undefined
    const [element] = name === undefined ? [] : (named.get(name) ?? [])
    if (element && name !== '') (role === 'target' ? sets : reads).set(element.id, nameOf(element))
  })
  const listed = (those: ReadonlyMap<Id, string>): string => [...new Set(those.values())].map(name => `"${name}"`).join(', ')
  const lines: Line[] = []
  if (reads.size > 0) lines.push(line(say('{label} reads {names}.', { label, names: listed(reads) }), ...reads.keys()))
  if (sets.size > 0) lines.push(line(say('{label} sets {names}.', { label, names: listed(sets) }), ...sets.keys()))
  if (calls.size === 0) return lines
  const entries = referenceOf(speak).flatMap(chapter => chapter.parts.flatMap(part => part.entries))
  for (const name of [...calls].slice(0, FUNCTIONS)) {
    const entry = entries.find(one => one.id === `function-${name}`)
    const [does = ''] = entry?.text.split('\n\n') ?? []
    if (does !== '') lines.push(line(say('{name}(): {does}', { name, does })))
  }
  return lines
}

const labelOf = (element: Element): Words => kindOf(element.kind)?.label ?? verbatim(element.kind)

function* idsIn(value: unknown): Iterable<Id> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) yield* idsIn(item)
}

/** A value with ids said as names. */
function spoken(model: Model, value: unknown): string {
  if (typeof value === 'string') {
    const named = model.elements.get(value)
    return named ? nameOf(named) : value.length > 300 ? `${value.slice(0, 300)}…` : value
  }
  if (Array.isArray(value))
    return value
      .slice(0, 8)
      .map(item => spoken(model, item))
      .join('; ')
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .filter(([, item]) => item !== '' && item !== null)
      .map(([key, item]) => `${key} ${spoken(model, item)}`)
      .join(', ')
  return String(value)
}

/** The steps of a process in the order in which tokens reach them. */
function courseOf(model: Model, process: Element): Line[] {
  const inside = process.children.flatMap(id => model.elements.get(id) ?? [])
  const flows = inside.filter(one => one.kind === 'flow' && one.ends)
  const after = (id: Id): Id[] => flows.flatMap(flow => (flow.ends?.from.id === id && flow.ends.to.id !== null ? [flow.ends.to.id] : []))
  const starts = inside.filter(one => one.kind === 'start' || (one.kind === 'boundary' && !flows.some(flow => flow.ends?.to.id === one.id)))
  const seen: Id[] = []
  const waiting = starts.map(({ id }) => id)
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    if (seen.includes(id)) continue
    seen.push(id)
    waiting.push(...after(id))
  }
  return seen.slice(0, 40).map((id, i) => {
    const step = model.elements.get(id)
    const next = after(id).map(one => nameOf(model.elements.get(one)))
    const label = step ? labelOf(step) : say('')
    const main = step ? mainOf(model, step) : ''
    return line(
      say('{i}. {step} ({label}){more}{more2}', {
        i: i + 1,
        step: nameOf(step),
        label,
        more: main === '' ? '' : say(': {main}', { main }),
        more2: next.length > 0 ? say(' → {next}', { next }) : '',
      }),
      id,
    )
  })
}

/** The field that says most of what a step does. */
function mainOf(model: Model, step: Element): string {
  for (const field of ['program', 'duration', 'items', 'every', 'condition', 'process', 'population', 'delay', 'range', 'value']) {
    const value = step.fields[field]
    const initial = kindOf(step.kind)?.fields.find(one => one.id === field)?.initial
    if (value !== undefined && value !== null && value !== '' && !sameJson(value, initial ?? null))
      return spoken(model, value).slice(0, 160)
  }
  return ''
}

function insideOf(model: Model, element: Element): Line[] {
  const byKind = Map.groupBy(
    element.children.flatMap(id => model.elements.get(id) ?? []).filter(one => !one.ends),
    one => one.kind,
  )
  return [...byKind].map(([kind, list]) => {
    const label = kindOf(kind)?.label ?? verbatim(kind)
    const names = list.slice(0, 12).map(nameOf)
    return line(say('{label} ({count}): {names}', { label, count: list.length, names }), ...list.slice(0, 12).map(({ id }) => id))
  })
}

function usersOf(model: Model, element: Element): Line[] {
  const found = model.scenarios.flatMap(scenario => referencesTo(model, scenario, element.id))
  const readers = [...new Set(found.filter(({ writes }) => !writes).map(({ id }) => id))]
  const writers = [...new Set(found.filter(({ writes }) => writes).map(({ id }) => id))]
  const names = (ids: readonly Id[]): string =>
    ids
      .slice(0, 10)
      .map(id => `"${nameOf(model.elements.get(id))}"`)
      .join(', ')
  const lines: Line[] = []
  if (writers.length > 0) lines.push(line(say('Written by {writers}.', { writers: names(writers) }), ...writers.slice(0, 10)))
  if (readers.length > 0) lines.push(line(say('Read by {readers}.', { readers: names(readers) }), ...readers.slice(0, 10)))
  return lines
}
