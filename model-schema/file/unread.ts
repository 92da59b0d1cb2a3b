// What a file says that this build doesn't read: kinds and fields it doesn't know, values that a field can't have, fields that don't count
// beside others, references to nobody, flows on another canvas than their ends. All of it is kept when the file is saved again; but who
// wrote the file by hand wants to hear of it.
import { readValue, sameJson } from '../integrity/values.ts'
import { isRootKind, kindOf } from '../kinds.ts'
import { say, type Field, type FieldType, type Json, type Words } from '../kinds/kind.ts'
import type { FileProblem, HoloFile } from './format.ts'

/** `element` and `field` (`items/0/amount` in a row): what it is about. A kind or a value that there is not is
 * an error; `refused` says so where nothing counts instead. */
export type Unread = FileProblem & { element: string; field?: string; severity: 'error' | 'warning'; isKind?: true; refused?: Words }

/** Beside its kind's fields any element may have these. */
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
        words: say(`There is no kind ${name}.`, `没有种类 ${name}。`),
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
        words: say(
          `Both ends stand on "${canvas}", so the parent must be "${canvas}".`,
          `两端都在“${canvas}”上，因此 parent 应为“${canvas}”。`,
        ),
      })
    const source = ends[0] === undefined ? undefined : file.elements[ends[0]]
    if (element['condition'] !== undefined && source && source.kind !== 'gateway')
      found.push({
        path: `${path}.condition`,
        element: id,
        field: 'condition',
        severity: 'warning',
        words: say('This is not read: only flows out of a gateway have conditions.', '此值未被读取：只有从网关流出的顺序流才有条件。'),
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
        words: say(`There is no such field; there are ${names}.`, `没有此字段；现有字段：${names}。`),
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
      const values = wanted.map(one => JSON.stringify(one))
      found.push({
        ...about,
        severity: 'warning',
        words: say(
          `This is not read: it counts only with "${name}" ${values.join(' or ')}.`,
          `此值未被读取：仅当“${name}”为 ${values.join(' 或 ')} 时有效。`,
        ),
      })
    }
  }
}

/** What a field of the same element holds. */
function valueOf(name: string, fields: readonly Field[], given: readonly Given[]): Json {
  const field = fields.find(one => one.id === name)
  return field ? readValue(field, given.find(one => one.field === name)?.value).value : null
}

/** That an id is nobody's, and whose name it is. */
function nobody(id: string, to: readonly string[], file: HoloFile): Words {
  const [named] = Object.entries(file.elements).find(([, { kind, name }]) => name === id && to.includes(kind)) ?? []
  return say(
    `There is no element "${id}".${named === undefined ? '' : ` References are ids: the one named so is "${named}".`}`,
    `没有元素“${id}”。${named === undefined ? '' : `引用是 id：以此命名的元素是“${named}”。`}`,
  )
}

/** That the default counts, and what the field takes. */
function instead(type: FieldType, value: unknown): Pick<Unread, 'words' | 'refused'> {
  const { en, zh } = taken(type)
  const text = JSON.stringify(value) ?? 'undefined'
  const shown = text.length > 40 ? `${text.slice(0, 40)}...` : text
  return {
    words: say(`This is not read, the default counts; it takes ${en}.`, `此值未被读取，使用默认值；应为${zh}。`),
    refused: say(`${shown} is no value of this field; it takes ${en}.`, `${shown} 不是此字段的值；应为${zh}。`),
  }
}

function taken(type: FieldType): Words {
  switch (type.as) {
    case 'choice': {
      const options = Object.keys(type.options).map(option => `"${option}"`)
      return say(`one of ${options.join(', ')}`, `以下之一：${options.join('、')}`)
    }
    case 'number': {
      const { min, max } = type
      const bounds = [min === undefined ? '' : ` >= ${min}`, max === undefined ? '' : ` <= ${max}`].filter(bound => bound !== '').join(',')
      return say(`a ${type.integer ? 'whole ' : ''}number${bounds}, not as text`, `${type.integer ? '整数' : '数值'}${bounds}，不加引号`)
    }
    case 'boolean':
      return say('true or false', 'true 或 false')
    case 'color':
      return say('a colour such as "#ff8800"', '颜色，如 "#ff8800"')
    case 'ref':
      return say('an id', '一个 id')
    case 'refs':
      return say('a list of ids', 'id 的列表')
    case 'formula':
      return say('a formula, as text', '公式，写成文本')
    case 'rows': {
      const columns = type.columns.map(column => `"${column.id}"`).join(', ')
      return say(`a list of records with ${columns}`, `记录的列表，记录含 ${columns}`)
    }
    case 'data':
      return say('base64 text', 'base64 文本')
    case 'image':
      return say('a jpeg or png as a data URL', 'data URL 形式的 jpeg 或 png')
    default:
      return say('a text', '文本')
  }
}
