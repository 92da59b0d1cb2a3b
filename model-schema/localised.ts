// Samples in another language: the texts that people read in a file, and the same file with these translated. Names that formulas say stay as they are.
import type { HoloElement, HoloFile } from './file/format.ts'
import { formulaName, kindOf } from './kinds.ts'
import type { Field, Json } from './kinds/kind.ts'

/** Translations of texts, by the text. */
export type Translations = Readonly<Record<string, string>>

/** Fields of text that people read; other texts are addresses, codes and keys. Names in tables are said by formulas. */
const read = new Set(['name', 'unit', 'xLabel', 'yLabel'])

const isRead = (field: Field): boolean =>
  field.type.as === 'name' || field.type.as === 'rich' || (field.type.as === 'text' && read.has(field.id))

/** Kinds whose free name formulas say all the same: what a step of them gives. */
const givesName = new Set(['transaction'])

const isReadInRows = (column: Field): boolean => column.type.as === 'text' && column.id === 'label'

const isRecord = (value: unknown): value is Record<string, Json> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every name that a formula or a table of the file may say. */
export function namesSaid(file: HoloFile): Set<string> {
  const said = new Set<string>()
  const collect = (value: unknown): void => {
    if (typeof value === 'string') for (const word of value.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []) said.add(word)
    if (Array.isArray(value)) value.forEach(collect)
    else if (isRecord(value)) Object.values(value).forEach(collect)
  }
  const rows = (columns: readonly Field[], value: unknown): void => {
    for (const row of Array.isArray(value) ? value : [])
      if (isRecord(row)) for (const column of columns) if (!isReadInRows(column) && column.type.as !== 'ref') collect(row[column.id])
  }
  for (const element of Object.values(file.elements))
    for (const field of kindOf(element.kind)?.fields ?? []) {
      const value = element[field.id]
      if (field.type.as === 'rows') rows(field.type.columns, value)
      else if (field.type.as === 'formula' || (field.type.as === 'text' && !isRead(field))) collect(value)
    }
  return said
}

/** Calls `change` with each text that people read in an element; what it gives takes the text's place. */
function mapTexts(element: HoloElement, said: ReadonlySet<string>, change: (text: string) => string): HoloElement {
  const mapped: Record<string, unknown> = { ...element }
  const put = (record: Record<string, unknown>, { id }: Field): void => {
    const value = record[id]
    if (typeof value === 'string' && value !== '') record[id] = change(value)
  }
  for (const field of kindOf(element.kind)?.fields ?? []) {
    const value = mapped[field.id]
    const isSaid =
      (field.type.as === 'name' || (field.id === 'name' && givesName.has(element.kind))) &&
      typeof value === 'string' &&
      said.has(formulaName(value))
    if (isRead(field) && !isSaid) put(mapped, field)
    if (field.type.as !== 'rows' || !Array.isArray(value)) continue
    const { columns } = field.type
    mapped[field.id] = value.map((row: unknown) => {
      if (!isRecord(row)) return row
      const copy: Record<string, unknown> = { ...row }
      for (const column of columns) if (isReadInRows(column)) put(copy, column)
      return copy
    })
  }
  return { ...element, ...mapped }
}

/** The texts that people read in a file, each once, without the title. */
export function textsIn(file: HoloFile): string[] {
  const said = namesSaid(file)
  const found = new Set<string>()
  for (const element of Object.values(file.elements))
    mapTexts(element, said, text => {
      found.add(text)
      return text
    })
  return [...found]
}

/** The file with its texts in another language; a text without a translation stays, and so do names in `keep`, which other files say. */
export function localised(file: HoloFile, translations: Translations, keep: Iterable<string> = []): HoloFile {
  const said = new Set([...namesSaid(file), ...keep])
  const change = (text: string): string => translations[text] ?? text
  const elements = Object.fromEntries(Object.entries(file.elements).map(([id, element]) => [id, mapTexts(element, said, change)]))
  return { ...file, elements }
}
