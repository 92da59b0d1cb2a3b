// Values of fields as a person reads them in a list of changes: choices by their names, references by what they point at,
// tables one record a line.
import type { Field, Json } from '../../model-schema/kinds/kind.ts'
import type { Model } from '../../model-schema/model.ts'
import { plainOf } from '../../model-schema/rich.ts'
import { titleOf } from '../editor/grammar.ts'
import { list, type Words } from '../../model-schema/words.ts'

type Speech = {
  readonly words: (words: Words) => string
  readonly yes: string
  readonly no: string
  readonly picture: string
  readonly gone: string
}

/** The text of a value; empty for nothing. */
export function valueText(field: Field | null, value: Json | undefined, model: Model, speech: Speech): string {
  if (value === undefined || value === null) return ''
  const type = field?.type
  const called = (id: Json): string => {
    const element = typeof id === 'string' ? model.elements.get(id) : undefined
    return element ? titleOf(element, speech.words) : speech.gone
  }
  switch (type?.as) {
    case 'boolean':
      return value === true ? speech.yes : speech.no
    case 'choice': {
      const label = typeof value === 'string' ? type.options[value] : undefined
      return label ? speech.words(label) : String(value)
    }
    case 'number':
      return type.unit && typeof value === 'number' ? `${value} ${speech.words(type.unit)}` : String(value)
    case 'ref':
      return called(value)
    case 'refs':
      return Array.isArray(value) ? value.map(called).join('\n') : ''
    case 'rich':
      return plainOf(value)
    case 'image':
      return speech.picture
    case 'data':
      return typeof value === 'string' && value !== '' ? `${value.slice(0, 12)}... (${value.length})` : ''
    case 'rows':
      return Array.isArray(value) ? value.map(row => rowText(type.columns, row, model, speech)).join('\n') : ''
    default:
      return typeof value === 'string' ? value : JSON.stringify(value)
  }
}

function rowText(columns: readonly Field[], row: Json, model: Model, speech: Speech): string {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return JSON.stringify(row)
  const parts = columns
    .map(column => [speech.words(column.label), valueText(column, row[column.id], model, speech)])
    .filter(([, text]) => text !== '')
    .map(([label, text]) => `${label}: ${text}`)
  return speech.words(list(parts))
}
