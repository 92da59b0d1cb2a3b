// Finding in a model: names, formulas, texts and rows of every element, in canvas order.
import { kindOf } from '../../model-schema/kinds.ts'
import type { Json, Words } from '../../model-schema/kinds/kind.ts'
import type { Id, Model } from '../../model-schema/model.ts'
import { plainOf } from '../../model-schema/rich.ts'

export type Found = {
  readonly id: Id
  readonly field: string | null
  readonly label: Words | null
  /** The line it stands in, and where in it. */ readonly line: string
  readonly from: number
  readonly to: number
}

/** At most `most` places that hold the text, whatever its case. */
export function findIn(model: Model, text: string, most = 200): readonly Found[] {
  const wanted = text.trim().toLowerCase()
  const found: Found[] = []
  if (wanted === '') return found
  const walk = (id: Id): void => {
    const element = model.elements.get(id)
    if (!element || found.length >= most) return
    for (const field of kindOf(element.kind)?.fields ?? []) {
      for (const line of linesOf(element.fields[field.id] ?? null, field.type.as === 'rich')) {
        const from = line.toLowerCase().indexOf(wanted)
        if (from >= 0 && found.length < most) found.push({ id, field: field.id, label: field.label, line, from, to: from + wanted.length })
      }
    }
    for (const child of element.children) walk(child)
  }
  for (const scenario of model.scenarios) walk(scenario)
  return found
}

function linesOf(value: Json, rich: boolean): string[] {
  if (rich) return plainOf(value).split('\n')
  if (typeof value === 'string') return value.startsWith('data:image/') ? [] : value.split('\n').map(line => line.trim())
  if (!Array.isArray(value)) return []
  return value.flatMap(row =>
    typeof row === 'object' && row !== null && !Array.isArray(row) ? Object.values(row).flatMap(cell => linesOf(cell, false)) : [],
  )
}
