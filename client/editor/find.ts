// Finding in a model, and replacing: names, formulas, texts and rows of every element, in canvas order.
import { setField, together, type Refusal } from '../../model-schema/edit.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Field, Json } from '../../model-schema/kinds/kind.ts'
import type { Id, Model } from '../../model-schema/model.ts'
import { plainOf } from '../../model-schema/rich.ts'
import type { Editor } from './editor.ts'
import type { Words } from '../../model-schema/words.ts'

export type Found = {
  readonly id: Id
  readonly field: string
  readonly label: Words
  /** The line that contains it, and its offset there. */
  readonly line: string
  readonly from: number
  readonly to: number
  /** Row and column, of a table. */
  readonly cell: { readonly row: number; readonly column: string } | null
  /** Where it begins in the whole text. */
  readonly at: number
  /** Whether it can be replaced: names, formulas and plain texts. */
  readonly plain: boolean
  readonly sort: FoundSort
}

/** What a place is: the name of something, a formula, a tag of a tag set, any other text. */
export type FoundSort = 'name' | 'formula' | 'tag' | 'text'

type FindOptions = {
  readonly cased?: boolean
  readonly whole?: boolean
  readonly most?: number
  readonly only?: FoundSort | undefined
}

/** At most `most` places that hold the text. */
export function findIn(model: Model, text: string, { cased = false, whole = false, most = 200, only }: FindOptions = {}): readonly Found[] {
  const wanted = text.trim()
  const found: Found[] = []
  if (wanted === '') return found
  const escaped = wanted.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const pattern = new RegExp(whole ? `(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])` : escaped, cased ? 'gu' : 'giu')
  const walk = (id: Id): void => {
    const element = model.elements.get(id)
    if (!element) return
    for (const field of kindOf(element.kind)?.fields ?? []) {
      for (const one of textsOf(field, element.fields[field.id] ?? null)) {
        const sort = element.kind === 'tagset' && one.cell ? 'tag' : one.sort
        if (only !== undefined && sort !== only) continue
        for (const match of one.text.matchAll(pattern)) {
          if (found.length >= most) return
          found.push({
            id,
            field: field.id,
            label: field.label,
            cell: one.cell,
            plain: one.plain,
            sort,
            ...lineAt(one.text, match.index, match[0].length),
          })
        }
      }
    }
    for (const child of element.children) walk(child)
  }
  for (const scenario of model.scenarios) walk(scenario)
  return found
}

type Text = { text: string; cell: Found['cell']; plain: boolean; sort: FoundSort }

const sortOf = ({ type }: Field): FoundSort => (type.as === 'name' || type.as === 'formula' ? type.as : 'text')

const writable: ReadonlySet<Field['type']['as']> = new Set(['name', 'text', 'formula'])

function textsOf(field: Field, value: Json): Text[] {
  if (field.type.as === 'rich') return [{ text: plainOf(value), cell: null, plain: false, sort: 'text' }]
  if (field.type.as === 'rows') {
    const { columns } = field.type
    return (Array.isArray(value) ? value : []).flatMap((row, i) =>
      columns.flatMap(column => {
        const cell = isRecord(row) && writable.has(column.type.as) ? row[column.id] : null
        return typeof cell === 'string' ? [{ text: cell, cell: { row: i, column: column.id }, plain: true, sort: sortOf(column) }] : []
      }),
    )
  }
  return typeof value === 'string' && writable.has(field.type.as) ? [{ text: value, cell: null, plain: true, sort: sortOf(field) }] : []
}

const isRecord = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function lineAt(text: string, at: number, length: number): Pick<Found, 'line' | 'from' | 'to' | 'at'> {
  const begin = text.lastIndexOf('\n', at - 1) + 1
  const end = text.indexOf('\n', at)
  const line = text.slice(begin, end < 0 ? undefined : end)
  const indent = line.length - line.trimStart().length
  const from = Math.max(0, at - begin - indent)
  return { line: line.trim(), from, to: from + length, at }
}

/** Replaces the places by the text, as one step of undo. Gives how many were replaced. */
export function replaceIn(editor: Editor, places: readonly Found[], text: string): number {
  const groups = [
    ...Map.groupBy(
      places.filter(place => place.plain),
      place => `${place.id}/${place.field}`,
    ).values(),
  ]
  let count = 0
  editor.gesture(() =>
    together(editor.doc, () => {
      for (const group of groups) {
        const [first] = group
        const value = first && editor.model.elements.get(first.id)?.fields[first.field]
        if (!first || value === undefined) continue
        const refused = editor.tell<Refusal | true>(setField(editor.doc, first.id, first.field, written(value, group, text)) ?? true)
        if (refused !== null) count += group.length
      }
    }),
  )
  return count
}

function written(value: Json, places: readonly Found[], text: string): Json {
  if (!Array.isArray(value)) return put(String(value), places, text)
  return value.map((row, i) => {
    const own = Map.groupBy(
      places.filter(place => place.cell?.row === i),
      place => place.cell?.column ?? '',
    )
    if (!isRecord(row)) return row
    return [...own].reduce<{ [key: string]: Json }>(
      (made, [column, of]) => ({ ...made, [column]: put(String(row[column]), of, text) }),
      row,
    )
  })
}

/** The last first, so that the others stay where they are. */
const put = (whole: string, places: readonly Found[], text: string): string =>
  places.toSorted((a, b) => b.at - a.at).reduce((now, { at, from, to }) => now.slice(0, at) + text + now.slice(at + to - from), whole)
