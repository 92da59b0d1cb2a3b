// Changes of a proposal in words: what it is called, and old and new values.
import { kindOf } from '../../../model-schema/kinds.ts'
import type { Model } from '../../../model-schema/model.ts'
import type { Delta, Proposal } from '../../../model-schema/proposals.ts'
import { valueIn } from './marks.ts'
import { say, verbatim, type Words } from '../../../model-schema/words.ts'

export function titleIn(delta: Delta, model: Model, proposal: Proposal): Words {
  const kind = String(valueIn(delta, 'kind') ?? model.elements.get(delta.id)?.kind ?? '')
  const label = kindOf(kind)?.label ?? verbatim(kind)
  const name = valueIn(delta, 'data/name') ?? model.elements.get(delta.id)?.fields['name']
  if (typeof name === 'string' && name !== '') return verbatim(name)
  const conn = valueIn(delta, 'conn')
  if (typeof conn !== 'object' || conn === null) return label
  const end = (side: 'from' | 'to'): string => {
    const held: unknown = Reflect.get(conn, side)
    const id = typeof held === 'object' && held !== null && 'id' in held ? String(held.id) : ''
    const other = proposal.deltas.find(one => one.id === id)
    return String((other && valueIn(other, 'data/name')) ?? model.elements.get(id)?.fields['name'] ?? '') || '·'
  }
  return verbatim(`${end('from')} → ${end('to')}`)
}

/** One entry that differs. Values are shown where people read them; places and ends are on the canvas. */
export type Difference = { readonly label: Words; readonly before: string | null; readonly after: string | null }

/** Characters of a value in the list. */
const SHOWN = 120

/** The kind of what is new or goes; the fields of what changes with their old and new values. */
export function differencesIn(delta: Delta, model: Model): { kind: Words; rows: readonly Difference[] } {
  const kind = kindOf(String(valueIn(delta, 'kind') ?? model.elements.get(delta.id)?.kind ?? ''))
  const label = kind?.label ?? say('')
  if (delta.sort !== 'changed') return { kind: label, rows: [] }
  const written = (value: unknown): string => {
    const text = typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
    return text === '' ? '–' : text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
  }
  const places: Readonly<Record<string, Words>> = {
    geo: say('Place'),
    conn: say('Ends'),
    tree: say('Canvas'),
    style: say('Style'),
  }
  const rows = delta.entries.map(({ at, before, after }): Difference => {
    const place = places[at]
    if (place) return { label: place, before: null, after: null }
    const field = kind?.fields.find(one => one.id === at.slice(at.indexOf('/') + 1))
    const isShown = field === undefined || (field.type.as !== 'image' && field.type.as !== 'data' && field.type.as !== 'rich')
    return {
      label: field?.label ?? verbatim(at),
      before: isShown ? written(before) : null,
      after: isShown ? written(after) : null,
    }
  })
  return { kind: label, rows }
}
