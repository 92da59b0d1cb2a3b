// The Yjs side of a model: the only door through which a shared document is read. What the maps hold is in document/layout.ts and README.md.
import * as Y from 'yjs'
import { assembleDoc, liveOf } from './document/live.ts'
import { FACETS, LOAD, layoutOf, plainValue, sharedFragment, sharedText } from './document/layout.ts'
import { facetsOfFile, fileOfFacets, type HoloFile } from './file.ts'
import { isFieldId } from './ids.ts'
import { newId } from './ids.ts'
import { SCHEMA } from './integrity/assemble.ts'
import { isJson, wellFormed } from './integrity/values.ts'
import { kindOf } from './kinds.ts'
import type { Json, Kind } from './kinds/kind.ts'
import type { Facets, Id, Model, ModelDiff } from './model.ts'

/**
 * A new document with one empty root in it: a scenario, or the root of another kind of file; `scenario`: its name. Called only for new
 * files: content is authored once.
 */
export function newDocument(title?: string, root = 'scenario', scenario = 'Scenario 1'): Y.Doc {
  const doc = new Y.Doc()
  const name = root === 'scenario' ? scenario : (title ?? '')
  const file: HoloFile = { format: 'holo', version: 1, elements: { [newId()]: { kind: root, name, rank: 'a0' } } }
  if (title !== undefined) file.title = title
  loadFile(doc, file)
  return doc
}

/** The Model of a document, from scratch. Total: whatever was merged, the same on every peer. */
export const readModel = (doc: Y.Doc): Model => assembleDoc(doc).model

/** The Model now, kept up to date incrementally; the same as `readModel`. */
export const modelOf = (doc: Y.Doc): Model => liveOf(doc).model

/**
 * Calls `changed` after each transaction that changes the Model, with the new one and what is different. Elements that are not different keep
 * their identity. Returns how to stop.
 */
export const watchModel = (doc: Y.Doc, changed: (model: Model, diff: ModelDiff) => void): (() => void) => liveOf(doc).watch(changed)

/** Whether this build may write to the document: a newer one may have raised the bar. */
export function mayWrite(doc: Y.Doc): boolean {
  const least = layoutOf(doc).meta.get('minWriter')
  return typeof least !== 'number' || least <= SCHEMA
}

/** Fills an EMPTY document in one transaction; throws when it holds anything. Only its creator calls this. */
export function loadFile(doc: Y.Doc, file: HoloFile): void {
  const layout = layoutOf(doc)
  if (FACETS.some(name => layout[name].size > 0)) throw new Error('loadFile: the document is not empty')
  const facets = facetsOfFile(file)
  doc.transact(() => {
    for (const name of ['meta', 'kind', 'geo', 'tree', 'conn', 'style', 'data'] as const) {
      for (const [key, value] of Object.entries(facets[name])) layout[name].set(key, wellFormed(value))
    }
    layout.meta.set('minWriter', SCHEMA)
    for (const [id, kind] of Object.entries(facets.kind)) {
      const known = typeof kind === 'string' ? kindOf(kind) : undefined
      // A value that is no text at all stays a plain one: it may mean something to a newer version.
      if (known)
        createShared(
          doc,
          id,
          known,
          field => facets.text[`${id}/${field}`] ?? facets.rich[`${id}/${field}`],
          field => Object.hasOwn(facets.data, `${id}/${field}`),
        )
    }
  }, LOAD)
}

/** Creates the shared texts of a new element: one for each formula and rich field but those to `skip`, `value` or the default in it. */
export function createShared(
  doc: Y.Doc,
  id: Id,
  kind: Kind,
  value: (field: string) => Json | undefined,
  skip: (field: string) => boolean = () => false,
): void {
  const { text, rich } = layoutOf(doc)
  for (const { id: field, type, initial } of kind.fields) {
    if (skip(field)) continue
    const content = value(field) ?? initial
    if (type.as === 'formula') text.set(`${id}/${field}`, sharedText(typeof content === 'string' ? content : ''))
    else if (type.as === 'rich') rich.set(`${id}/${field}`, sharedFragment(content))
  }
}

/** The document as a file, mended and sorted. */
export const fileOf = (doc: Y.Doc): HoloFile => fileOfFacets(facetsOf(doc))

/**
 * All that a document stores, as plain data: also what belongs to elements that are gone. Equal on peers that have the same changes. `of`: only what
 * is stored of these elements.
 */
export function facetsOf(doc: Y.Doc, of?: ReadonlySet<Id>): Facets {
  const layout = layoutOf(doc)
  const own = of && [...of].sort()
  const keys = own?.flatMap(id => [...liveOf(doc).storedFields(id)].sort().map(field => `${id}/${field}`))
  const plain = (name: (typeof FACETS)[number]): Record<string, Json> => {
    const entries: [string, Json][] = []
    const take = (value: unknown, key: string): void => {
      const read = plainValue(value)
      if (isJson(read) && !(key in Object.prototype)) entries.push([key, read])
    }
    const wanted = name === 'data' || name === 'text' || name === 'rich' ? keys : name === 'meta' ? undefined : own
    if (!wanted) layout[name].forEach(take)
    else for (const key of wanted) if (layout[name].has(key)) take(layout[name].get(key), key)
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
  }
  const text: Record<string, string> = {}
  for (const [key, value] of Object.entries(plain('text'))) if (typeof value === 'string') text[key] = value
  return {
    meta: plain('meta'),
    kind: plain('kind'),
    geo: plain('geo'),
    tree: plain('tree'),
    conn: plain('conn'),
    style: plain('style'),
    data: plain('data'),
    text,
    rich: plain('rich'),
  }
}

/** The shared text of a formula field, to bind an editor to; null when the element has none (an older file: then `setText` writes the value). */
export function textOf(doc: Y.Doc, id: Id, field: string): Y.Text | null {
  const text = layoutOf(doc).text.get(`${id}/${field}`)
  return isFieldId(field) && text instanceof Y.Text ? text : null
}

/** The shared fragment of a rich text field, to bind tiptap to; null when the element has none. */
export function richOf(doc: Y.Doc, id: Id, field: string): Y.XmlFragment | null {
  const rich = layoutOf(doc).rich.get(`${id}/${field}`)
  return isFieldId(field) && rich instanceof Y.XmlFragment ? rich : null
}
