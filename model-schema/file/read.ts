// Checks parsed JSON against the file format. All problems at once, each with its place; values of fields are left to the reader of
// documents, which is total, so that a newer version's values survive.
import { isFieldId, isId } from '../ids.ts'
import { readGeo } from '../integrity/parse.ts'
import { isJson, isRecord } from '../integrity/values.ts'
import { kindOf } from '../kinds.ts'
import { DOCUMENT } from '../business/limits.ts'
import type { FileEnd, FileProblem, HoloElement, HoloFile } from './format.ts'
import { say, type Words } from '../words.ts'

const MOST_PROBLEMS = 100

/** The file, when the JSON is one. */
export function readHolo(json: Record<string, unknown>): { file: HoloFile } | { problems: FileProblem[] } {
  const problems: FileProblem[] = []
  const report = (path: string, words: Words): void => void (problems.length < MOST_PROBLEMS && problems.push({ path, words }))
  const raw: unknown = json.elements
  if (!isRecord(raw)) {
    report('elements', say('"elements" must be an object: elements by their ids.'))
    return { problems }
  }
  const ids = Object.keys(raw)
  if (ids.length > DOCUMENT.elements) {
    report('elements', say('{count} elements; at most {elements} are allowed.', { count: ids.length, elements: DOCUMENT.elements }))
    return { problems }
  }
  const elements: Record<string, HoloElement> = {}
  for (const id of ids) {
    const path = `elements.${id.slice(0, 64)}`
    if (!isId(id)) report(path, say('An id is 1 to 64 letters, digits, "_" or "-", and starts with a letter or a digit.'))
    else {
      const element = readElement(raw[id], raw, path, report)
      if (element) elements[id] = element
    }
  }
  const { title } = json
  if (title !== undefined && (typeof title !== 'string' || title.length > DOCUMENT.nameLength))
    report('title', say('The title must be a text of at most {nameLength} characters.', { nameLength: DOCUMENT.nameLength }))
  if (problems.length > 0) return { problems }
  const file: HoloFile = { format: 'holo', version: 1, elements }
  if (typeof title === 'string') file.title = title
  return { file }
}

type Report = (path: string, words: Words) => void

function readElement(raw: unknown, all: Record<string, unknown>, path: string, report: Report): HoloElement | null {
  if (!isRecord(raw)) {
    report(path, say('An element must be an object.'))
    return null
  }
  if (typeof raw.kind !== 'string' || raw.kind === '' || raw.kind.length > 64) {
    report(`${path}.kind`, say('An element needs a "kind".'))
    return null
  }
  const element: HoloElement = { kind: raw.kind }
  const exists = (id: unknown): id is string => isId(id) && Object.hasOwn(all, id)
  for (const [key, value] of Object.entries(raw)) {
    const at = `${path}.${key.slice(0, 64)}`
    if (key === 'kind') continue
    if (key === 'parent') {
      if (exists(value)) element.parent = value
      else if (value !== null) report(at, noElement(value))
    } else if (key === 'rank') {
      if (typeof value === 'string' && value.length <= 1000) element.rank = value
      else report(at, say('A rank must be a text.'))
    } else if (key === 'geo') {
      const geo = readGeo(value)
      if (geo) element.geo = geo
      else report(at, say('"geo" must be [x, y, width, height].'))
    } else if (key === 'from' || key === 'to') {
      const end = readFileEnd(value, exists)
      if (end !== null) element[key] = end
      else report(at, noElement(value))
    } else if (key === 'bends') {
      if (isBends(value)) element.bends = value
      else report(at, say('"bends" must be at most {bends} points [x, y].', { bends: DOCUMENT.bends }))
    } else if (!isFieldId(key)) {
      report(at, say('A field id is 1 to 64 letters, digits, "_" or "-", and starts with a letter.'))
    } else {
      const fault = valueFault(value)
      if (fault) report(at, fault)
      else element[key] = value
    }
  }
  if (kindOf(element.kind)?.joins) {
    for (const side of ['from', 'to'] as const)
      if (!Object.hasOwn(raw, side)) report(`${path}.${side}`, say('A connector needs "{side}".', { side }))
  }
  return element
}

function noElement(value: unknown): Words {
  const id =
    typeof value === 'string'
      ? value.slice(0, 64)
      : isRecord(value) && typeof value.id === 'string'
        ? value.id.slice(0, 64)
        : JSON.stringify(value)?.slice(0, 64)
  return say('There is no element {id}.', { id: JSON.stringify(id) })
}

function readFileEnd(value: unknown, exists: (id: unknown) => id is string): FileEnd | null {
  if (exists(value)) return value
  if (!isRecord(value)) return null
  const { id, port, x, y } = value
  const point = { x: typeof x === 'number' && Number.isFinite(x) ? x : 0, y: typeof y === 'number' && Number.isFinite(y) ? y : 0 }
  if (id === undefined || id === null) return point
  if (!exists(id)) return null
  return typeof port === 'string' && port.length <= 64 ? { id, port, ...point } : { id, ...point }
}

const isBends = (value: unknown): value is [number, number][] =>
  Array.isArray(value) &&
  value.length <= DOCUMENT.bends &&
  value.every(bend => Array.isArray(bend) && bend.length === 2 && readGeo([...bend, 0, 0]) !== null)

function valueFault(value: unknown): Words | null {
  if (typeof value === 'string') return value.length <= DOCUMENT.valueLength ? null : tooLong
  if (!isJson(value)) return say('Values may nest {depth} levels deep and use no reserved keys.', { depth: DOCUMENT.depth })
  return typeof value === 'object' && JSON.stringify(value).length > DOCUMENT.valueLength ? tooLong : null
}

const tooLong = say('The value is longer than {valueLength} characters.', { valueLength: DOCUMENT.valueLength })
