// Content of a file that this build doesn't read: unknown kinds and fields, invalid values of fields, fields that other fields make
// irrelevant, references to missing elements, flows on another canvas than their ends. All of it is kept when the file is saved again; but
// the author of a file written by hand needs to know.
import { readValue, sameJson } from '../integrity/values.ts'
import { isRootKind, kindOf } from '../kinds.ts'
import { type Field, type FieldType, type Json } from '../kinds/kind.ts'
import type { FileProblem, HoloFile } from './format.ts'
import { alternatives, say, type Words } from '../words.ts'

/** `element` and `field` (`items/0/amount` in a row): what it is about. A kind or a value that there is not is
 * an error; `refused` says so where nothing counts instead. */
export type Unread = FileProblem & { element: string; field?: string; severity: 'error' | 'warning'; isKind?: true; refused?: Words }

/** Fields that any element may have in addition to those of its kind. */
const common: ReadonlySet<string> = new Set(['locked', 'tint', 'groups'])

/** `fieldOfKey`: a key's field, or null for a word of the format. */
export function unread(file: HoloFile, fieldOfKey: (key: string) => string | null): Unread[] {
  const found: Unread[] = []
  const first = Object.keys(file.elements).find(id => isRootKind(file.elements[id]?.kind))
  const parentOf = (id: string): string | undefined => file.elements[id]?.parent ?? first
  for (const [id, element] of Object.entries(file.elements)) {
    const path = `elements.${id}`
    const kind = kindOf(element.kind)
    if (!kind) {
      const name = JSON.stringify(element.kind)
      found.push({
        path: `${path}.kind`,
        element: id,
        severity: 'error',
        isKind: true,
        words: say('There is no kind {name}.', { name }),
      })
      continue
    }
    const given = Object.entries(element).flatMap(([key, value]): Given[] => {
      const field = fieldOfKey(key)
      return field === null || common.has(field) ? [] : [{ field, key, value }]
    })
    look(kind.fields, given, { path, element: id, row: '' }, file, found)
    if (!kind.joins) continue
    const ends = [element.from, element.to].map(end => (typeof end === 'string' ? end : end?.id))
    const [canvas, other] = ends.map(end => (end === undefined ? undefined : parentOf(end)))
    if (canvas !== undefined && canvas === other && canvas !== parentOf(id))
      found.push({
        path: `${path}.parent`,
        element: id,
        severity: 'warning',
        words: say('Both ends stand on "{canvas}", so the parent must be "{canvas}".', { canvas }),
      })
    const source = ends[0] === undefined ? undefined : file.elements[ends[0]]
    if (element['condition'] !== undefined && source && source.kind !== 'gateway')
      found.push({
        path: `${path}.condition`,
        element: id,
        field: 'condition',
        severity: 'warning',
        words: say('This is not read: only flows out of a gateway have conditions.'),
      })
  }
  return found
}

type Given = { field: string; key: string; value: unknown }
type Where = { path: string; element: string; /** Begins the fields of a row. */ row: string }

/** Fields of an element, or cells of a row. */
function look(fields: readonly Field[], given: readonly Given[], where: Where, file: HoloFile, found: Unread[]): void {
  for (const { field: id, key, value } of given) {
    const field = fields.find(one => one.id === id)
    const at = `${where.path}.${key}`
    const about = { path: at, element: where.element, field: `${where.row}${id}` }
    if (!field) {
      const names = fields.map(one => one.id).join(', ')
      found.push({
        ...about,
        severity: 'warning',
        words: say('There is no such field; there are {names}.', { names }),
      })
      continue
    }
    const { type } = field
    if (type.as === 'rows' && Array.isArray(value)) {
      for (const [k, row] of value.entries()) {
        if (typeof row === 'object' && row !== null && !Array.isArray(row)) {
          const cells = Object.entries(row).map(([name, cell]): Given => ({ field: name, key: name, value: cell }))
          look(type.columns, cells, { path: `${at}.${k}`, element: where.element, row: `${about.field}/${k}/` }, file, found)
        } else found.push({ ...about, path: `${at}.${k}`, severity: 'error', ...instead(type, row) })
      }
    } else if (readValue(field, value).bad) found.push({ ...about, severity: 'error', ...instead(type, value) })
    else if (type.as === 'ref' && typeof value === 'string' && file.elements[value] === undefined)
      found.push({ ...about, severity: 'warning', words: nobody(value, type.to, file) })
    // A default that was written out does no harm.
    if (sameJson(readValue(field, value).value, field.initial)) continue
    const missing = Object.entries(field.when ?? {}).find(([name, wanted]) => !wanted.includes(valueOf(name, fields, given)))
    if (missing) {
      const [name, wanted] = missing
      found.push({
        ...about,
        severity: 'warning',
        words: say('This is not read: it counts only with "{name}" {values}.', {
          name,
          values: alternatives(wanted.map(one => JSON.stringify(one))),
        }),
      })
    }
  }
}

/** What a field of the same element holds. */
function valueOf(name: string, fields: readonly Field[], given: readonly Given[]): Json {
  const field = fields.find(one => one.id === name)
  return field ? readValue(field, given.find(one => one.field === name)?.value).value : null
}

/** The message that no element has this id, and which element has it as its name. */
function nobody(id: string, to: readonly string[], file: HoloFile): Words {
  const [named] = Object.entries(file.elements).find(([, { kind, name }]) => name === id && to.includes(kind)) ?? []
  return say('There is no element "{id}".{more}', {
    id,
    more: named === undefined ? '' : say(' References are ids: the one named so is "{named}".', { named }),
  })
}

/** That the default counts, and what the field takes. */
function instead(type: FieldType, value: unknown): Pick<Unread, 'words' | 'refused'> {
  const words = taken(type)
  const text = JSON.stringify(value) ?? 'undefined'
  const shown = text.length > 40 ? `${text.slice(0, 40)}...` : text
  return {
    words: say('This is not read, the default counts; it takes {words}.', { words }),
    refused: say('{shown} is no value of this field; it takes {words}.', { shown, words }),
  }
}

function taken(type: FieldType): Words {
  switch (type.as) {
    case 'choice': {
      const options = Object.keys(type.options).map(option => `"${option}"`)
      return say('one of {options}', { options })
    }
    case 'number': {
      const { min, max } = type
      const bounds = [min === undefined ? '' : ` >= ${min}`, max === undefined ? '' : ` <= ${max}`].filter(bound => bound !== '').join(',')
      return say('a {more}number{bounds}, not as text', { more: type.integer ? say('whole ') : say(''), bounds })
    }
    case 'boolean':
      return say('true or false')
    case 'color':
      return say('a colour such as "#ff8800"')
    case 'ref':
      return say('an id')
    case 'refs':
      return say('a list of ids')
    case 'formula':
      return say('a formula, as text')
    case 'rows': {
      const columns = type.columns.map(column => `"${column.id}"`).join(', ')
      return say('a list of records with {columns}', { columns })
    }
    case 'data':
      return say('base64 text')
    case 'image':
      return say('a jpeg or png as a data URL')
    default:
      return say('a text')
  }
}
