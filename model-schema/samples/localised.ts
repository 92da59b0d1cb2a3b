// Samples in another language: the texts that people read in a file, and the same file with these translated. Formulas say the translated names.
import type { HoloElement, HoloFile } from '../file/format.ts'
import { formulaName, kindOf } from '../kinds.ts'
import type { Field, Json } from '../kinds/kind.ts'

/** Translations of texts, by the text. */
export type Translations = Readonly<Record<string, string>>

/** The translated names of a file, by what formulas call the elements in its own language; with a dot before it, by what they call a property of an individual. */
export type Names = ReadonlyMap<string, string>

/** Fields of text that people read; other texts are addresses, codes, keys and names of elements. */
const read = new Set(['name', 'unit', 'xLabel', 'yLabel'])

const isRead = (field: Field): boolean =>
  field.type.as === 'name' || field.type.as === 'rich' || (field.type.as === 'text' && read.has(field.id))

/** Kinds with a free name that is the same in all formulas: the name of a step's result. */
const givesName = new Set(['transaction'])

/** Kinds with names that are code: they are in compiled contracts and in addresses. */
const keepsName = new Set(['contract', 'blockchain'])

const isReadInRows = (column: Field): boolean => column.type.as === 'text' && column.id === 'label'

const isRecord = (value: unknown): value is Record<string, Json> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The name of an element in formulas; null if formulas cannot use it, or use the same in every language. */
function saidAs(element: HoloElement): string | null {
  const name = element['name']
  if (typeof name !== 'string' || name === '' || keepsName.has(element.kind)) return null
  const isNamed = givesName.has(element.kind) || kindOf(element.kind)?.fields.some(({ id, type }) => id === 'name' && type.as === 'name')
  return isNamed === true ? formulaName(name) : null
}

/** The names of a file that a language has other words for. */
export function namesIn(file: HoloFile, translations: Translations): Map<string, string> {
  const names = new Map<string, string>()
  for (const element of Object.values(file.elements)) {
    const said = saidAs(element)
    const translated = translations[String(element['name'])]
    if (said === null || translated === undefined) continue
    names.set(said, translated)
    const owner = typeof element.parent === 'string' ? file.elements[element.parent] : undefined
    if (owner !== undefined && kindOf(owner.kind)?.family === 'entity') names.set(`.${said}`, translated)
  }
  return names
}

/** A formula that says the new names; texts in quotes stay. */
const retold = (formula: string, names: Names): string =>
  formula.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\.?[\p{L}_][\p{L}\p{N}_]*/gu, word => {
    const name = names.get(word)
    return name === undefined ? word : `${word.startsWith('.') ? '.' : ''}${formulaName(name)}`
  })

/** Calls `change` with each text that people read in an element; what it gives takes the text's place. Formulas say `names`. */
function mapTexts(element: HoloElement, names: Names, change: (text: string) => string): HoloElement {
  const put = (record: Record<string, unknown>, field: Field, isText: boolean): void => {
    const value = record[field.id]
    if (typeof value !== 'string' || value === '' || (field.id === 'name' && keepsName.has(element.kind))) return
    if (isText) record[field.id] = change(value)
    else if (field.type.as === 'formula') record[field.id] = retold(value, names)
    // A text that is the name of an element, and nothing else.
    else if (field.type.as === 'text') record[field.id] = names.get(formulaName(value)) ?? value
  }
  const mapped: Record<string, unknown> = { ...element }
  for (const field of kindOf(element.kind)?.fields ?? []) {
    const value = mapped[field.id]
    if (field.type.as !== 'rows') put(mapped, field, isRead(field))
    else if (Array.isArray(value)) {
      const { columns } = field.type
      mapped[field.id] = value.map((row: unknown) => {
        if (!isRecord(row)) return row
        const copy: Record<string, unknown> = { ...row }
        for (const column of columns) put(copy, column, isReadInRows(column))
        return copy
      })
    }
  }
  return { ...element, ...mapped }
}

/** The texts that people read in a file, each once, without the title. */
export function textsIn(file: HoloFile): string[] {
  const found = new Set<string>()
  for (const element of Object.values(file.elements))
    mapTexts(element, new Map(), text => {
      found.add(text)
      return text
    })
  return [...found]
}

/** The file with its texts in another language; a text without a translation stays. `others` are the names of a file that this one is about. */
export function localised(file: HoloFile, translations: Translations, others: Names = new Map()): HoloFile {
  const names = new Map([...namesIn(file, translations), ...others])
  const change = (text: string): string => translations[text] ?? text
  const elements = Object.fromEntries(Object.entries(file.elements).map(([id, element]) => [id, mapTexts(element, names, change)]))
  return { ...file, elements }
}
