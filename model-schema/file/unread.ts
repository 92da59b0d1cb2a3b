// What a file says that this build doesn't read: kinds and fields it doesn't know, and values that a field can't have. All of it is kept
// when the file is saved again, as a newer version may know it; but who wrote the file by hand wants to hear of it.
import { readValue } from '../integrity/values.ts'
import { kindOf } from '../kinds.ts'
import { say, type Field, type FieldType, type Words } from '../kinds/kind.ts'
import type { FileProblem, HoloFile } from './format.ts'

/** Beside its kind's fields any element may have these. */
const common: ReadonlySet<string> = new Set(['locked', 'tint', 'groups'])

/** `fieldOfKey`: a key's field, or null for a word of the format. */
export function unread(file: HoloFile, fieldOfKey: (key: string) => string | null): FileProblem[] {
  const found: FileProblem[] = []
  for (const [id, element] of Object.entries(file.elements)) {
    const kind = kindOf(element.kind)
    if (!kind) {
      const name = JSON.stringify(element.kind)
      found.push({ path: `elements.${id}.kind`, words: say(`There is no kind ${name}.`, `没有种类 ${name}。`) })
      continue
    }
    const given = Object.entries(element).flatMap(([key, value]): [string, string, unknown][] => {
      const field = fieldOfKey(key)
      return field === null || common.has(field) ? [] : [[field, key, value]]
    })
    look(kind.fields, given, `elements.${id}`, found)
  }
  return found
}

function look(fields: readonly Field[], given: readonly (readonly [string, string, unknown])[], path: string, found: FileProblem[]): void {
  for (const [id, key, value] of given) {
    const field = fields.find(one => one.id === id)
    const at = `${path}.${key}`
    if (!field) {
      const names = fields.map(one => one.id).join(', ')
      found.push({ path: at, words: say(`There is no such field; there are ${names}.`, `没有此字段；现有字段：${names}。`) })
    } else if (field.type.as === 'rows' && Array.isArray(value)) {
      const { columns } = field.type
      for (const [k, row] of value.entries()) {
        if (typeof row === 'object' && row !== null && !Array.isArray(row))
          look(
            columns,
            Object.entries(row).map(([name, cell]) => [name, name, cell]),
            `${at}.${k}`,
            found,
          )
        else found.push({ path: `${at}.${k}`, words: instead(field.type) })
      }
    } else if (readValue(field, value).bad) found.push({ path: at, words: instead(field.type) })
  }
}

/** That the default counts, and what the field takes. */
function instead(type: FieldType): Words {
  const { en, zh } = taken(type)
  return say(`This is not read, the default counts; it takes ${en}.`, `此值未被读取，使用默认值；应为${zh}。`)
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
    case 'image':
      return say('a jpeg or png as a data URL', 'data URL 形式的 jpeg 或 png')
    default:
      return say('a text', '文本')
  }
}
