// Builders of models for tests. A model is written as it is thought of:
//
//   model(
//     scenario({ totalTicks: 100 }),
//     agents('Wolf', { initialNumber: '5' }, variable('energy', 20), process('Hunt', start(every(1)), compute('energy -= 1'), end())),
//   )
//
// Steps follow each other by sequence flows. After `end()` a new chain begins: `from('fork')` starts it at a named step, `to('join')` leads it
// there; a boundary event begins one too. `when('x > 1')`, `weight(0.3)` and `otherwise()` say how the next step is reached, `flow('a', 'b')` adds one by hand.
// Fields that refer to elements take a name, an id or the part itself. Ids are the names, inner ones with those around: `Wolf-Hunt-compute1`.
import { facetsOfFile, modelOfFile, type HoloElement, type HoloFile } from '../../model-schema/file.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import type { FieldType, Json } from '../../model-schema/kinds/kind.ts'
import type { Facets, Id, Model } from '../../model-schema/model.ts'

export type Fields = { [field: string]: Json | Part }
export type Part = { is: 'part'; kind: string; name: string; fields: Fields; children: readonly Entry[] }
/** Anything a canvas is written with: elements, and how steps are chained. */
export type Entry =
  | Part
  | { is: 'flow'; kind: string; from: string | Part; to: string | Part; fields: Fields }
  | { is: 'from'; step: string | Part }
  | { is: 'to'; step: string | Part }
  | { is: 'by'; fields: Fields }

export type Built = {
  file: HoloFile
  facets: Facets
  model: Model
  /** The id of the element with this name, id, or `outer.inner` path of names. Throws when there is none. */
  id(name: string): Id
}

/** Any element. */
export const element = (kind: string, name: string, fields: Fields = {}, ...children: readonly Entry[]): Part => ({
  is: 'part',
  kind,
  name,
  fields,
  children,
})

// Fields may be left away before children.
type Rest = readonly [(Fields | Entry)?, ...Entry[]]
const isEntry = (value: Fields | Entry | undefined): value is Entry => value !== undefined && typeof value.is === 'string'
function open(kind: string, name: string, rest: Rest): Part {
  const [first, ...others] = rest
  return isEntry(first) ? element(kind, name, {}, first, ...others) : element(kind, name, first ?? {}, ...others)
}

// --- entities
export const scenario = (...rest: Rest): Part => open('scenario', 'Scenario 1', rest)
export const agents = (name: string, ...rest: Rest): Part => open('agent', name, rest)
export const cells = (name: string, ...rest: Rest): Part => open('cell', name, rest)
export const links = (name: string, ...rest: Rest): Part => open('link', name, rest)
export const space = (name: string, fields: Fields = {}): Part => element('space', name, fields)

// --- data
export const variable = (name: string, initial: string | number | boolean = 0, fields: Fields = {}): Part =>
  element('variable', name, { initial: literal(initial), ...fields })
export const container = (name: string, fields: Fields = {}): Part => element('container', name, fields)
export const resource = (name: string, units: number | string, fields: Fields = {}): Part =>
  element('container', name, { reusable: true, initial: literal(units), ...fields })
export const message = (name: string, fields: Fields = {}): Part => element('message', name, fields)
export const port = (name: string, direction: 'in' | 'out' | 'inout' = 'in', fields: Fields = {}): Part =>
  element('interface', name, { direction, ...fields })
export const func = (name: string, parameters: readonly string[], body: string, fields: Fields = {}): Part =>
  element('function', name, { parameters: parameters.map(name => ({ name })), body, ...fields })

// --- observation
export const statistic = (name: string, expression: string, fields: Fields = {}): Part =>
  element('statistic', name, { expression, ...fields })
export const chart = (name: string, series: readonly string[], fields: Fields = {}): Part =>
  element('chart', name, { series: series.map(value => ({ label: value, value })), ...fields })
export const controller = (name: string, target: string | Part, fields: Fields = {}): Part =>
  element('controller', name, { target, ...fields })

// --- processes
export const process = (name: string, ...rest: Rest): Part => open('process', name, rest)
export const start = (fields: Fields = {}): Part => element('start', '', fields)
/** Fields of a start event: a token every `interval`. */
export const every = (interval: number | string, more: Fields = {}): Fields => ({ trigger: 'timer', every: literal(interval), ...more })
/** Fields of a start event that only a call starts. */
export const passive: Fields = { active: false }
export const end = (fields: Fields = {}): Part => element('end', '', fields)
export const terminate = (tip = 'stopped'): Part => element('end', '', { result: 'terminate', tip })
export const compute = (program: string, name = ''): Part => element('compute', name, { program })
export const delay = (duration: number | string, name = '', fields: Fields = {}): Part =>
  element('delay', name, { duration: literal(duration), ...fields })
export const ask = (range: string, program: string, fields: Fields = {}, name = ''): Part =>
  element('ask', name, { range, program, ...fields })
export const call = (process: string | Part, fields: Fields = {}, name = ''): Part => element('call', name, { process, ...fields })
export const subprocess = (name: string, ...rest: Rest): Part => open('subprocess', name, rest)
export const create = (population: string | Part, count: number | string = 1, fields: Fields = {}, name = ''): Part =>
  element('create', name, { population, count: literal(count), ...fields })
export const destroy = (fields: Fields = {}, name = ''): Part => element('destroy', name, fields)
export const move = (motion: string, amount: number | string = 1, fields: Fields = {}, name = ''): Part =>
  element('move', name, { motion, amount: literal(amount), ...fields })
export const place = (target: string, fields: Fields = {}, name = ''): Part => element('place', name, { target, ...fields })
/** `operate('request', 'nurse', 2)` or `operate('take', { items: [...] })`. */
export function operate(operation: string, what: string | Fields, amount: number | string = 1, fields: Fields = {}, name = ''): Part {
  const items: Fields = typeof what === 'string' ? { items: [{ container: what, amount: literal(amount), key: '' }] } : what
  return element('operate', name, { operation, ...items, ...fields })
}
export const request = (container: string, amount: number | string = 1, fields: Fields = {}): Part =>
  operate('request', container, amount, fields)
export const release = (container: string, amount: number | string = 1, fields: Fields = {}): Part =>
  operate('release', container, amount, fields)
export const log = (value: string, name = ''): Part => element('log', name, { does: 'log', value })
export const assert = (condition: string, tip = '', name = ''): Part => element('log', name, { does: 'assert', condition, tip })
export const event = (trigger: string, fields: Fields = {}, name = ''): Part => element('intermediate', name, { trigger, ...fields })
export const boundary = (host: string | Part, trigger: string, fields: Fields = {}, name = ''): Part =>
  element('boundary', name, { host, trigger, ...fields })
export const gateway = (type: string, name = '', fields: Fields = {}): Part => element('gateway', name, { type, ...fields })
export const exclusive = (name = '', fields: Fields = {}): Part => gateway('exclusive', name, fields)
export const parallel = (name = '', fields: Fields = {}): Part => gateway('parallel', name, fields)
export const inclusive = (name = '', fields: Fields = {}): Part => gateway('inclusive', name, fields)

// --- how steps follow
export const flow = (from: string | Part, to: string | Part, fields: Fields = {}): Entry => ({ is: 'flow', kind: 'flow', from, to, fields })
export const from = (step: string | Part): Entry => ({ is: 'from', step })
export const to = (step: string | Part): Entry => ({ is: 'to', step })
export const when = (condition: string): Entry => ({ is: 'by', fields: { condition } })
export const weight = (p: number | string): Entry => ({ is: 'by', fields: { weight: literal(p) } })
export const otherwise = (): Entry => ({ is: 'by', fields: { default: true } })

const literal = (value: string | number | boolean): string => (typeof value === 'boolean' ? (value ? 'True' : 'False') : String(value))

/** Builds the model. Parts outside a `scenario(...)` go to the first one. */
export function model(...parts: readonly Part[]): Built {
  const scenarios = parts.filter(part => part.kind === 'scenario')
  const loose = parts.filter(part => part.kind !== 'scenario')
  const builder = new Builder()
  const roots = (scenarios.length > 0 ? scenarios : [scenario()]).map((part, i) => ({
    ...part,
    name: scenarios.length > 1 && part.name === 'Scenario 1' ? `Scenario ${i + 1}` : part.name,
  }))
  const placed = roots.map((part, i) => builder.add(part, null, i === 0 ? [...part.children, ...loose] : part.children))
  for (const fill of placed) fill()
  const file: HoloFile = { format: 'holo', version: 1, elements: builder.finish() }
  return { file, facets: facetsOfFile(file), model: modelOfFile(file), id: name => builder.find(name) }
}

type Draft = { id: Id; part: Part; parent: Id | null; path: string }

class Builder {
  readonly #drafts = new Map<Id, Draft>()
  readonly #ids = new Map<Part, Id>()
  readonly #flows: { canvas: Id; from: Id; to: Id; kind: string; fields: Fields }[] = []

  /** Adds a part; what it returns adds what is inside, after its siblings have their ids. */
  add(part: Part, parent: Id | null, children = part.children): () => void {
    const outer = parent === null ? undefined : this.#drafts.get(parent)
    const id = this.#free(part, outer)
    const path = outer && outer.parent !== null ? `${outer.path}.${part.name}` : part.name
    this.#drafts.set(id, { id, part, parent, path })
    this.#ids.set(part, id)
    return () => this.#fill(id, children)
  }

  #free(part: Part, outer: Draft | undefined): Id {
    const prefix = outer && outer.parent !== null ? `${outer.id}-` : ''
    const base = part.kind === 'scenario' ? 'scenario' : `${prefix}${part.name.replace(/[^0-9A-Za-z_]+/g, '') || part.kind}`
    const numbered = part.name === '' || part.kind === 'scenario'
    for (let n = 1; ; n++) {
      const id = n === 1 && !numbered ? base : `${base}${n}`
      if (!this.#drafts.has(id)) return id
    }
  }

  #fill(canvas: Id, entries: readonly Entry[]): void {
    const inner: (() => void)[] = []
    for (const entry of entries) if (entry.is === 'part') inner.push(this.add(entry, canvas))
    let last: Id | null = null
    let by: Fields = {}
    const reach = (step: Id): void => {
      if (last !== null) this.#flows.push({ canvas, from: last, to: step, kind: 'flow', fields: by })
      by = {}
    }
    for (const entry of entries) {
      if (entry.is === 'flow')
        this.#flows.push({
          canvas,
          from: this.#resolve(entry.from, canvas),
          to: this.#resolve(entry.to, canvas),
          kind: entry.kind,
          fields: entry.fields,
        })
      else if (entry.is === 'by') by = { ...by, ...entry.fields }
      else if (entry.is === 'from') last = this.#resolve(entry.step, canvas)
      else if (entry.is === 'to') {
        reach(this.#resolve(entry.step, canvas))
        last = null
      } else {
        const shape = kindOf(entry.kind)?.shape
        const id = this.#ids.get(entry) ?? ''
        if (shape === 'boundary') last = id
        else if (shape === 'start' || shape === 'task' || shape === 'gateway' || shape === 'intermediate' || shape === 'end') {
          if (shape !== 'start') reach(id)
          last = shape === 'end' ? null : id
        }
      }
    }
    for (const fill of inner) fill()
  }

  /** By part, id, path or name; the nearest canvas outward first. */
  #resolve(what: string | Part, canvas: Id | null): Id {
    if (typeof what !== 'string') {
      const id = this.#ids.get(what)
      if (id === undefined) throw new Error(`the ${what.kind} ${what.name} is not part of this model`)
      return id
    }
    for (let at: Id | null = canvas; at !== null; at = this.#drafts.get(at)?.parent ?? null) {
      for (const draft of this.#drafts.values()) if (draft.parent === at && draft.part.name === what) return draft.id
    }
    return this.find(what)
  }

  find(name: string): Id {
    if (this.#drafts.has(name)) return name
    const found =
      [...this.#drafts.values()].find(draft => draft.path === name) ?? [...this.#drafts.values()].find(draft => draft.part.name === name)
    if (!found) throw new Error(`no element is called ${name}; there are ${[...this.#drafts.keys()].join(', ')}`)
    return found.id
  }

  finish(): Record<Id, HoloElement> {
    const elements: Record<Id, HoloElement> = {}
    for (const { id, part, parent } of this.#drafts.values()) {
      const out: HoloElement = { kind: part.kind, ...this.#values(part.kind, part.fields, parent) }
      if (part.name !== '' && !('name' in part.fields)) out.name = part.name
      if (parent !== null) out.parent = parent
      elements[id] = out
    }
    for (const { canvas, from, to, kind, fields } of this.#flows) {
      const base = `${from}--${to.slice(to.lastIndexOf('-') + 1)}`
      let id = base
      for (let n = 2; id in elements; n++) id = `${base}${n}`
      elements[id] = { kind, parent: canvas, from, to, ...this.#values(kind, fields, canvas) }
    }
    return elements
  }

  #values(kind: string, fields: Fields, canvas: Id | null): Record<string, Json> {
    const known = kindOf(kind)
    const out: Record<string, Json> = {}
    for (const [key, value] of Object.entries(fields)) {
      const field = known?.fields.find(field => field.id === key)
      if (known && !field && key !== 'order_')
        throw new Error(`a ${kind} has no field ${key}; it has ${known.fields.map(field => field.id).join(', ')}`)
      out[key === 'kind' ? 'kind_' : key] = field ? this.#value(field.type, value, canvas) : plain(value)
    }
    return out
  }

  #value(type: FieldType, value: Json | Part, canvas: Id | null): Json {
    if (type.as === 'ref')
      return value === null ? null : isPart(value) || typeof value === 'string' ? this.#resolve(value, canvas) : plain(value)
    if (type.as === 'refs' && Array.isArray(value))
      return value.map(item => (typeof item === 'string' ? this.#resolve(item, canvas) : item))
    if (type.as === 'rows' && Array.isArray(value)) {
      return value.map(row => {
        if (typeof row !== 'object' || row === null || Array.isArray(row)) return row
        return Object.fromEntries(
          Object.entries(row).map(([key, cell]) => {
            const column = type.columns.find(column => column.id === key)
            return [key, column ? this.#value(column.type, cell, canvas) : cell]
          }),
        )
      })
    }
    return plain(value)
  }
}

const isPart = (value: Json | Part): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && value.is === 'part'

function plain(value: Json | Part): Json {
  if (isPart(value)) throw new Error(`a part stands where a plain value belongs`)
  return value
}
