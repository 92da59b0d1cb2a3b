// The .holo file: a model as JSON that is sorted, stable under re-saving, and easy to write by hand. See README.md for the format. What this
// build doesn't know (kinds, fields, keys) is kept. Reading is bounded and total: a file or a list of problems with their places.
import { generateNKeysBetween } from 'fractional-indexing'
import { isFieldId } from './ids.ts'
import { arrange } from './file/arrange.ts'
import { migrate } from './file/migrate.ts'
import type { FileEnd, FileProblem, HoloElement, HoloFile } from './file/format.ts'
import { readHolo } from './file/read.ts'
import { unread } from './file/unread.ts'
import type { Unread } from './file/unread.ts'
import { readFacets } from './integrity.ts'
import { isJson, literalOf, sameJson } from './integrity/values.ts'
import { fieldOf, isRootKind, kindOf } from './kinds.ts'
import { type Json, type Kind } from './kinds/kind.ts'
import { DOCUMENT } from './business/limits.ts'
import type { Facets, Id, Model } from './model.ts'
import { say } from './words.ts'

export type { Unread }
export type { HoloElement, HoloFile } from './file/format.ts'

/** The version of the file format this build writes. */
export const FILE_VERSION = 1

const structural = ['kind', 'parent', 'rank', 'geo', 'from', 'to', 'bends'] as const
const reserved = /^(kind|parent|rank|geo|from|to|bends)_*$/

/** Reads the text of a .holo file. */
export function parseFile(text: string): { file: HoloFile } | { problems: FileProblem[] } {
  if (text.length > DOCUMENT.fileLength) {
    return {
      problems: [
        {
          path: '',
          words: say('The file is larger than {fileLength} MB.', { fileLength: DOCUMENT.fileLength / 2 ** 20 }),
        },
      ],
    }
  }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    const detail = error instanceof Error ? error.message : ''
    return { problems: [{ path: '', words: say('This is not JSON: {detail}', { detail }) }] }
  }
  const moved = migrate(json)
  return 'problems' in moved ? moved : readHolo(moved.json)
}

/** The text of a file: elements by id, keys in one order, two spaces a level, a short value on one line. Ends with a line break. */
export function printFile(file: HoloFile): string {
  const complete = ranked(file)
  const lines = Object.keys(complete.elements)
    .sort()
    .map(id => `    ${JSON.stringify(id)}: ${printElement(complete.elements[id] ?? { kind: '' })}`)
  const { elements: _, format, version, ...head } = complete
  const heads = Object.entries({ format, version, ...head }).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},\n`)
  return `{\n${heads.join('')}  "elements": {\n${lines.join(',\n')}\n  }\n}\n`
}

function printElement(element: HoloElement): string {
  const keys = [
    ...structural.filter(key => element[key] !== undefined),
    ...Object.keys(element)
      .filter(key => !isStructural(key) && element[key] !== undefined)
      .sort(),
  ]
  const parts = keys.map(key => `${JSON.stringify(key)}: ${JSON.stringify(sorted(element[key]))}`)
  const line = `{ ${parts.join(', ')} }`
  return line.length <= 120 ? line : `{\n${parts.map(part => `      ${part}`).join(',\n')}\n    }`
}

const isStructural = (key: string): boolean => structural.some(word => word === key)

/** Keys of objects in one order, at every depth. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  )
}

/** The Model a file holds: the same as of a document loaded from it. */
export const modelOfFile = (file: HoloFile): Model => readFacets(facetsOfFile(file))

/** Unsupported content of the file: unknown kinds and fields, and invalid values of fields. */
export const unreadOf = (file: HoloFile): Unread[] => unread(file, fieldKeyOf)

/** The file's elements as the facets of a document, with what may be left away filled in. Unknown fields stay. */
export function facetsOfFile(file: HoloFile): Facets {
  const facets: Facets = { meta: { schema: 1 }, kind: {}, geo: {}, tree: {}, conn: {}, style: {}, data: {}, text: {}, rich: {} }
  if (file.title !== undefined) facets.meta.title = file.title
  const { elements } = ranked(file)
  const root = Object.keys(elements).find(id => isRootKind(elements[id]?.kind)) ?? null
  const places = arrange(elements, root)
  for (const [id, element] of Object.entries(elements)) {
    const kind = kindOf(element.kind)
    facets.kind[id] = element.kind
    facets.tree[id] = [isRootKind(element.kind) ? null : (element.parent ?? root), element.rank ?? '']
    if (element.from !== undefined || element.to !== undefined || kind?.joins)
      facets.conn[id] = { from: endOf(element.from), to: endOf(element.to) }
    else {
      const geo = element.geo ?? places.get(id)
      if (geo) facets.geo[id] = [...geo]
    }
    if (element.bends && element.bends.length > 0) facets.style[id] = { bends: element.bends.map(bend => [...bend]) }
    for (const [key, value] of Object.entries(element)) {
      const field = fieldKeyOf(key)
      if (field !== null && isJson(value)) putField(facets, kind, id, field, value)
    }
  }
  return facets
}

function putField(facets: Facets, kind: Kind | undefined, id: Id, name: string, value: Json): void {
  const type = kind && fieldOf(kind, name)?.type
  const key = `${id}/${name}`
  const literal = type?.as === 'formula' ? literalOf(value) : null
  if (literal !== null) facets.text[key] = literal
  else if (type?.as === 'rich') facets.rich[key] = value
  else facets.data[key] = value
}

function endOf(end: FileEnd | undefined): { [key: string]: Json } {
  const { id = null, port, x = 0, y = 0 } = typeof end === 'string' ? { id: end } : (end ?? {})
  return port === undefined ? { id, x, y } : { id, port, x, y }
}

/** The file of a document's facets, repaired: every element is where the Model places it. Fields equal to their default are omitted. */
export function fileOfFacets(facets: Facets): HoloFile {
  const model = readFacets(facets)
  const stored = new Map<Id, Map<string, Json>>()
  for (const values of [facets.data, facets.rich, facets.text]) {
    for (const [key, value] of Object.entries(values)) {
      const slash = key.indexOf('/')
      const id = key.slice(0, Math.max(slash, 0))
      const field = key.slice(slash + 1)
      // Not of the scenario that a document without any shows: what is stored under its id is of one that is gone.
      if (!model.elements.has(id) || !Object.hasOwn(facets.kind, id) || !isFieldId(field)) continue
      const fields = stored.get(id) ?? new Map<string, Json>()
      stored.set(id, fields.set(field, value))
    }
  }
  const ranks = ranksOf(model, facets.tree)
  const elements: Record<Id, HoloElement> = {}
  for (const element of model.elements.values()) {
    const out: HoloElement = { kind: element.kind }
    if (element.parent !== null) out.parent = element.parent
    out.rank = ranks.get(element.id) ?? 'a0'
    if (element.ends) {
      out.from = fileEnd(element.ends.from)
      out.to = fileEnd(element.ends.to)
    } else if (!isRootKind(element.kind)) out.geo = element.geo
    if (element.bends.length > 0) out.bends = element.bends
    const kind = kindOf(element.kind)
    // Stored values, not read ones: a value this build finds invalid may be a newer version's.
    for (const [field, value] of stored.get(element.id) ?? []) {
      const initial = kind && fieldOf(kind, field)?.initial
      if (isJson(value) && !(initial !== undefined && sameJson(value, initial))) out[fileKeyOf(field)] = value
    }
    if (kind?.id === 'scenario' && !stored.has(element.id)) out.name = element.fields.name
    elements[element.id] = out
  }
  const file: HoloFile = { format: 'holo', version: FILE_VERSION, elements }
  if (typeof facets.meta.title === 'string') file.title = facets.meta.title
  return file
}

function fileEnd(end: { id: Id | null; port?: string; x: number; y: number }): FileEnd {
  if (end.id === null) return { x: end.x, y: end.y }
  return end.port === undefined ? end.id : { id: end.id, port: end.port }
}

/**
 * The stored order keys, so that saving changes only lines that changed; siblings with keys that don't determine their order are
 * renumbered.
 */
function ranksOf(model: Model, tree: Facets['tree']): Map<Id, string> {
  const ranks = new Map<Id, string>()
  for (const list of [model.roots, ...[...model.elements.values()].map(element => element.children)]) {
    const stored = list.map(id => storedRank(tree[id]))
    const told = stored.every((key, i) => key !== '' && (i === 0 || (stored[i - 1] ?? '') < key))
    const keys = told ? stored : generateNKeysBetween(null, null, list.length)
    list.forEach((id, i) => ranks.set(id, keys[i] ?? 'a0'))
  }
  return ranks
}

const storedRank = (tree: Json | undefined): string => (Array.isArray(tree) && typeof tree[1] === 'string' ? tree[1] : '')

/** The file with a rank on every element: those without keep the order of the file, after the ranked ones before them. */
function ranked(file: HoloFile): HoloFile {
  const entries = Object.entries(file.elements)
  if (entries.every(([, element]) => element.rank !== undefined)) return file
  const siblings = new Map<Id | null, [Id, HoloElement][]>()
  const root = entries.find(([, element]) => isRootKind(element.kind))?.[0] ?? null
  for (const entry of entries) {
    const parent = isRootKind(entry[1].kind) ? null : (entry[1].parent ?? root)
    const list = siblings.get(parent)
    if (list) list.push(entry)
    else siblings.set(parent, [entry])
  }
  const ranks = new Map<Id, string>()
  for (const list of siblings.values()) {
    if (list.every(([, element]) => element.rank !== undefined)) continue
    const rankedOnes = list
      .filter(([, element]) => element.rank !== undefined)
      .sort(([a, x], [b, y]) => ((x.rank ?? '') < (y.rank ?? '') ? -1 : (x.rank ?? '') > (y.rank ?? '') ? 1 : a < b ? -1 : 1))
    const order = [...rankedOnes, ...list.filter(([, element]) => element.rank === undefined)]
    const keys = generateNKeysBetween(null, null, order.length)
    order.forEach(([id], i) => ranks.set(id, keys[i] ?? 'a0'))
  }
  const elements = Object.fromEntries(
    entries.map(([id, element]) => {
      const rank = ranks.get(id)
      return [id, rank === undefined ? element : { ...element, rank }]
    }),
  )
  return { ...file, elements }
}

/** The key of a field in a file. */
export const fileKeyOf = (field: string): string => (reserved.test(field) ? `${field}_` : field)

/** The field of a key in a file; null for the words of the format. */
export function fieldKeyOf(key: string): string | null {
  if (isStructural(key)) return null
  const field = reserved.test(key) ? key.slice(0, -1) : key
  return isFieldId(field) ? field : null
}
