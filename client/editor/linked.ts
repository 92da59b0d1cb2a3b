// Renaming across the files that refer to this model: experiments, dashboards and charts contain its variables' names, in formulas and in
// fields. They are documents of their own, so the user is asked first, and each is changed as if opened.
import { setField, setText, together } from '../../model-schema/edit.ts'
import { formulaName, kindOf } from '../../model-schema/kinds.ts'
import type { Field, Json } from '../../model-schema/kinds/kind.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import { listed } from '../../model-schema/words.ts'
import { canWrite } from '../../sync-server/protocol.ts'
import { locales } from '../i18n/first.ts'
import { device, type FileRow } from '../local/device.ts'
import { openSession, type Session } from '../session.ts'

/** A renamed element: its name in formulas, and the name of its owner if that has to precede it. */
export type Renamed = { readonly owner: string | null; readonly from: string; readonly to: string }

export type LinkedEdit = { readonly id: Id; readonly field: Field; readonly value: Json }

/** The effect of renaming an element on other files; null if they can't name it, or its name there is unchanged. */
export function renamedOf(model: Model, id: Id, was: string, is: string): Renamed | null {
  const element = model.elements.get(id)
  const parent = element?.parent ? model.elements.get(element.parent) : undefined
  const [from, to] = [formulaName(was), formulaName(is)]
  if (!element || !parent || from === '' || to === '' || from === to) return null
  if (parent.kind === 'scenario') return { owner: null, from, to }
  const grand = parent.parent ? model.elements.get(parent.parent) : undefined
  return grand?.kind === 'scenario' ? { owner: formulaName(String(parent.fields['name'] ?? '')), from, to } : null
}

/** The fields of a file that contain the old name, with their new values. */
export function changesIn(model: Model, renamed: Renamed): LinkedEdit[] {
  return [...model.elements.values()].flatMap(element => {
    const reads = readingOf(element)
    const changes = (kindOf(element.kind)?.fields ?? []).flatMap((field): LinkedEdit[] => {
      const before = element.fields[field.id] ?? null
      const value = said(field, before, renamed, reads)
      return value === before ? [] : [{ id: element.id, field, value }]
    })
    return [...changes, ...retitled(element, changes)]
  })
}

/** How a field says names: in a formula, as a name alone, or not at all. */
type Reading = (field: Field) => 'formula' | 'name' | null

function readingOf({ kind, fields }: Element): Reading {
  // What a chart of fields shows of a run is text to people and a formula to the run; columns of results and tables have names of their own.
  const plots = kind === 'plot' && fields['source'] === 'model'
  return ({ id, type }) => {
    if (type.as === 'formula' || (plots && plotted.has(id))) return 'formula'
    return type.as === 'text' && id === 'variable' ? 'name' : null
  }
}

const plotted: ReadonlySet<string> = new Set(['dimension', 'field', 'colorBy', 'facetBy'])

function said(field: Field, value: Json, renamed: Renamed, reads: Reading): Json {
  const { type } = field
  if (type.as === 'rows' && Array.isArray(value)) {
    const rows = value.map(row => rowSaid(type.columns, row, renamed, reads))
    return rows.some((row, i) => row !== value[i]) ? rows : value
  }
  if (typeof value !== 'string') return value
  const how = reads(field)
  if (how === null) return value
  return how === 'formula' ? inFormula(value, renamed) : asName(value, renamed)
}

function rowSaid(columns: readonly Field[], row: Json, renamed: Renamed, reads: Reading): Json {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return row
  let next = row
  for (const column of columns) {
    const before = row[column.id]
    if (before === undefined) continue
    const value = said(column, before, renamed, reads)
    if (value === before) continue
    next = { ...next, [column.id]: value }
    const { label } = row
    if (typeof label === 'string' && typeof before === 'string' && repeats(label, before)) next = { ...next, label: asName(label, renamed) }
  }
  return next
}

/** Whether a label is only the name in its formula, such as `Wolf` of `Wolf.count`: then it follows it. */
const repeats = (label: string, formula: string): boolean => formula === label || formula.startsWith(`${label}.`)

/** A chart that is called by its labels is called by what they become. */
function retitled({ id, kind, fields }: Element, changes: readonly LinkedEdit[]): LinkedEdit[] {
  const series = changes.find(({ field }) => field.id === 'series')
  const field = kindOf(kind)?.fields.find(one => one.id === 'name')
  if (!series || !field || fields['name'] === '') return []
  const language = Object.keys(locales).find(one => listed(labelsOf(fields['series'] ?? null), one) === fields['name'])
  return language === undefined ? [] : [{ id, field, value: listed(labelsOf(series.value), language) }]
}

const labelsOf = (rows: Json): string[] =>
  Array.isArray(rows) ? rows.map(row => (typeof row === 'object' && row !== null && !Array.isArray(row) ? String(row['label']) : '')) : []

/** A name as a field holds it, its words joined or not. */
function asName(text: string, { owner, from, to }: Renamed): string {
  const parts = text.split('.').map(part => formulaName(part.trim()))
  if (owner === null) return parts[0] === from ? [to, ...parts.slice(1)].join('.') : text
  return parts.length === 2 && parts[0] === owner && parts[1] === from ? `${owner}.${to}` : text
}

/** Quoted texts and comments say nothing; neither does a name behind another's dot, nor the keyword of an argument. */
export function inFormula(text: string, { owner, from, to }: Renamed): string {
  const head = owner === null ? '' : `(${escaped(owner)}\\s*\\.\\s*)`
  const name = new RegExp(
    `("(?:\\\\.|[^"\\\\])*"|'(?:\\\\.|[^'\\\\])*'|#.*)|(?<![\\p{L}\\p{N}_.])${head}${escaped(from)}(?![\\p{L}\\p{N}_])(?!\\s*=(?!=))`,
    'gu',
  )
  return text.replace(name, (whole: string, quoted: string | undefined, before: unknown) => {
    if (quoted !== undefined) return whole
    return owner === null ? to : `${typeof before === 'string' ? before : ''}${to}`
  })
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Files that are about a model and may be changed, as far as this device knows them. */
export async function linkedFiles(user: string, model: Id): Promise<FileRow[]> {
  const rows = await device.files.where('user').equals(user).toArray()
  return rows.filter(row => row.trashedAt === null && canWrite(row.role) && (row.model === model || row.models?.includes(model) === true))
}

export type Saying = { readonly file: FileRow; readonly places: number }

/** Which of the linked files say the old name; files that can't be opened just now are left out. */
export async function sayingIt({ target, docId }: Session, renamed: Renamed): Promise<Saying[]> {
  const found: Saying[] = []
  for (const file of await linkedFiles(target.user.id, docId)) {
    const places = await opened(target, file.id, ({ model }) => changesIn(model.getState().model, renamed).length)
    if (places !== null && places > 0) found.push({ file, places })
  }
  return found
}

/** Writes the new name into these files; says in how many. */
export async function writeThere({ target }: Session, files: readonly Saying[], renamed: Renamed): Promise<number> {
  let written = 0
  for (const { file } of files) {
    const done = await opened(target, file.id, async session => {
      if (!session.writable) return false
      const { model } = session.model.getState()
      together(session.doc, () => {
        for (const { id, field, value } of changesIn(model, renamed)) write(session, model.elements.get(id), field, value)
      })
      await agreed(session)
      return true
    })
    if (done === true) written++
  }
  return written
}

function write({ doc }: Session, element: Element | undefined, field: Field, value: Json): void {
  if (!element) return
  if (field.type.as === 'formula' && typeof value === 'string') setText(doc, element.id, field.id, value)
  else setField(doc, element.id, field.id, value)
}

/** Reads another document from this device or the server; null if it is unavailable. */
async function opened<T>({ local, user }: Session['target'], docId: Id, look: (session: Session) => T | Promise<T>): Promise<T | null> {
  const session = openSession({ docId, local, user })
  try {
    await session.ready
    // What is on this device may be older than what the server has.
    await agreed(session)
    return await look(session)
  } catch (error) {
    console.warn('a linked file', error)
    return null
  } finally {
    session.close()
  }
}

/** Milliseconds; without a server the background brings the rest. */
const loadTimeoutMs = 8000

/** Settles when this device and the server hold the same, or the server is not reachable. */
function agreed({ lamps }: Session): Promise<void> {
  const rests = (): boolean => {
    const { device: here, server } = lamps.getState()
    return here !== 'saving' && server !== 'saving' && server !== 'connecting'
  }
  return new Promise(done => {
    if (rests()) return done()
    const timer = setTimeout(done, loadTimeoutMs)
    const stop = lamps.subscribe(() => {
      if (!rests()) return
      clearTimeout(timer)
      stop()
      done()
    })
  })
}
