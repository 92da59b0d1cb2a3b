// Where an element of the model is mentioned: by name in formulas, by choice in fields that refer to elements.
import type { Field, Json } from '../../model-schema/kinds/kind.ts'
import { formulaName, kindOf } from '../../model-schema/kinds.ts'
import type { Id, Model } from '../../model-schema/model.ts'

export type Reference = { element: Id; field: string; how: 'reads' | 'writes' | 'refers'; text: string }

/** Most references listed. */
const most = 500

export function referencesTo(model: Model, id: Id): Reference[] {
  const target = model.elements.get(id)
  const name = typeof target?.fields['name'] === 'string' ? formulaName(target.fields['name']) : ''
  const mention = name === '' ? null : new RegExp(`(?<![\\p{L}\\p{N}_])${name}(?![\\p{L}\\p{N}_])`, 'u')
  // `name = ...`, `name += ...`, `name[k] = ...`, `name.append(...)`
  const write =
    name === ''
      ? null
      : new RegExp(
          `(?<![\\p{L}\\p{N}_])${name}(?:\\[[^\\]]*\\])?\\s*(?:[-+*/%]|//|\\*\\*)?=(?!=)|(?<![\\p{L}\\p{N}_])${name}\\.(?:append|insert|extend|pop|remove|add|discard|clear|sort|reverse|update)\\(`,
          'u',
        )
  const found: Reference[] = []
  const look = (element: Id, fields: readonly Field[], values: Readonly<Record<string, Json>>, path: string): void => {
    for (const field of fields) {
      const value = values[field.id]
      const at = `${path}${field.id}`
      if (field.type.as === 'formula' && typeof value === 'string' && mention?.test(value)) {
        const line = value.split('\n').find(one => mention.test(one)) ?? value
        found.push({ element, field: at, how: write?.test(value) ? 'writes' : 'reads', text: line.trim() })
      } else if (field.type.as === 'ref' && value === id) found.push({ element, field: at, how: 'refers', text: '' })
      else if (field.type.as === 'refs' && Array.isArray(value) && value.includes(id))
        found.push({ element, field: at, how: 'refers', text: '' })
      else if (field.type.as === 'rows' && Array.isArray(value)) {
        for (const [k, row] of value.entries())
          if (row !== null && typeof row === 'object' && !Array.isArray(row)) look(element, field.type.columns, row, `${at}/${k}/`)
      }
    }
  }
  for (const element of model.elements.values()) {
    if (found.length >= most) break
    if (element.id !== id) look(element.id, kindOf(element.kind)?.fields ?? [], element.fields, '')
    if (element.ends && (element.ends.from.id === id || element.ends.to.id === id) && kindOf(element.kind)?.id !== 'flow')
      found.push({ element: element.id, field: '', how: 'refers', text: '' })
  }
  return found.slice(0, most)
}
