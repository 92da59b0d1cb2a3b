// A document's Model kept up to date. After each transaction only the elements it touched are parsed again; the whole is put together again
// only when something of the structure changed (existence, parent, order, ends). Equal to reading from scratch after any edits.
import * as Y from 'yjs'
import { isId } from '../ids.ts'
import { assemble, elementOf, sortNotes, type Assembled } from '../integrity/assemble.ts'
import { grow } from '../integrity/grow.ts'
import { fieldsOf, middle, parseElement, sameContent, splitKey, type Parsed } from '../integrity/parse.ts'
import { sameJson } from '../integrity/values.ts'
import type { Element, Id, Model, ModelDiff } from '../model.ts'
import { Elements } from './elements.ts'
import { layoutOf, LOCAL, plainValue, type FacetName, type DocumentLayout } from './layout.ts'

type Listener = (model: Model, diff: ModelDiff) => void

/** The Model of a document read from scratch. */
export function assembleDoc(doc: Y.Doc): Assembled {
  const layout = layoutOf(doc)
  return assembleLayout(layout, collectFields(layout))
}

function collectFields(layout: DocumentLayout): Map<Id, Map<string, unknown>> {
  const fields = new Map<Id, Map<string, unknown>>()
  for (const name of ['data', 'rich', 'text'] as const) {
    layout[name].forEach((value, key) => {
      const at = splitKey(key)
      if (at) fieldsOf(fields, at.id).set(at.field, plainValue(value))
    })
  }
  return fields
}

function assembleLayout(layout: DocumentLayout, fields: ReadonlyMap<Id, ReadonlyMap<string, unknown>>): Assembled {
  const parsed = new Map<Id, Parsed>()
  layout.kind.forEach((_, id) => {
    if (isId(id)) parsed.set(id, parseFrom(layout, id, fields.get(id) ?? new Map()))
  })
  return assemble(parsed, id => layout.geo.get(id), layout.meta.get('schema'))
}

const parseFrom = (layout: DocumentLayout, id: Id, fields: ReadonlyMap<string, unknown>): Parsed =>
  parseElement(id, {
    kind: layout.kind.get(id),
    tree: layout.tree.get(id),
    geo: layout.geo.get(id),
    conn: layout.conn.get(id),
    style: layout.style.get(id),
    fields,
  })

const lives = new WeakMap<Y.Doc, Live>()

/** The one Live of a document; it stays with the document. */
export function liveOf(doc: Y.Doc): Live {
  let live = lives.get(doc)
  if (!live) lives.set(doc, (live = new Live(doc)))
  return live
}

/** Lets a copy of a document start from what is known of the original: both hold the same now, so nothing is read again. */
export function shareLive(original: Y.Doc, copy: Y.Doc): void {
  lives.set(copy, new Live(copy, liveOf(original)))
}

/** How far a transaction was followed. */
type Following = {
  /** The Model before it. */
  readonly before: Model
  /** Elements that are new or different; null when any may be, or one may be gone. */
  changed: Set<Id> | null
  /** The state of the transaction when it was last read. */
  mark: string
}

/** Differs once a transaction has written or deleted more: everything it does adds to the store or to what it deleted. */
function markOf({ doc, deleteSet }: Y.Transaction): string {
  let deleted = 0
  for (const items of deleteSet.clients.values()) deleted += items.length
  let written = 0
  for (const structs of doc.store.clients.values()) {
    const last = structs.at(-1)
    if (last) written += last.id.clock + last.length
  }
  return `${written} ${deleted}`
}

class Live {
  readonly #doc: Y.Doc
  readonly #layout: DocumentLayout
  readonly #listeners = new Set<Listener>()
  /** Stored values of every element that is or was, by field. */
  #fields: Map<Id, Map<string, unknown>>
  #now: Assembled
  /** What is stored, without the scenario a file without any is given. */
  #parsed: Map<Id, Parsed>
  readonly #followed = new WeakMap<Y.Transaction, Following>()
  /** Counts what was followed. */
  #revision = 0
  /** When each element was touched last, by that count. */
  readonly #touchedAt = new Map<Id, number>()
  /** When the document was read as a whole last. */
  #readAt = 0

  constructor(doc: Y.Doc, original?: Live) {
    this.#doc = doc
    this.#layout = layoutOf(doc)
    if (original) {
      const { parsed, attached, ...rest } = original.assembled
      // Brought up to date in place, as the fields are.
      this.#now = { ...rest, parsed: new Map(parsed), attached: new Map(attached) }
      this.#parsed = new Map(original.#parsed)
      this.#fields = new Map([...original.#fields].map(([id, fields]) => [id, new Map(fields)]))
    } else {
      this.#fields = collectFields(this.#layout)
      this.#now = assembleLayout(this.#layout, this.#fields)
      this.#parsed = new Map([...this.#now.parsed].filter(([id]) => this.#layout.kind.has(id)))
    }
    doc.on('beforeObserverCalls', transaction => this.#follow(transaction))
    doc.on('afterTransaction', transaction => {
      this.#follow(transaction)
      const { before, changed } = this.#following(transaction)
      this.#tell(before, transaction, changed)
    })
  }

  /** The Model now, with what an open transaction has changed so far. */
  get model(): Model {
    return this.assembled.model
  }

  /** The Model with what hangs on each element of it. */
  get assembled(): Assembled {
    for (const transaction of this.#doc._transactionCleanups) this.#follow(transaction)
    return this.#now
  }

  /** Counts up with each change that was followed. */
  get revision(): number {
    for (const transaction of this.#doc._transactionCleanups) this.#follow(transaction)
    return this.#revision
  }

  /** The elements of which something was stored or deleted since then; null when that is not known, as the whole was read since. */
  touchedSince(revision: number): ReadonlySet<Id> | null {
    if (this.revision > revision && this.#readAt > revision) return null
    return new Set([...this.#touchedAt].flatMap(([id, at]) => (at > revision ? [id] : [])))
  }

  /** The fields an element has stored values of. */
  storedFields(id: Id): Iterable<string> {
    return this.#fields.get(id)?.keys() ?? []
  }

  watch(changed: Listener): () => void {
    this.#listeners.add(changed)
    return () => void this.#listeners.delete(changed)
  }

  #following(transaction: Y.Transaction): Following {
    let following = this.#followed.get(transaction)
    if (!following) this.#followed.set(transaction, (following = { before: this.#now.model, changed: new Set(), mark: '' }))
    return following
  }

  /** Takes in the changes of the transaction so far; listeners are notified at its end. */
  #follow(transaction: Y.Transaction): void {
    const following = this.#following(transaction)
    const mark = markOf(transaction)
    if (mark === following.mark) return
    following.mark = mark
    const before = this.#now
    // A document with arriving content is read as a whole: finding the place of every entry would take longer.
    if (this.#parsed.size === 0 && this.#layout.kind.size > 0) {
      this.#fields = collectFields(this.#layout)
      this.#now = assembleLayout(this.#layout, this.#fields)
      this.#parsed = new Map([...this.#now.parsed].filter(([id]) => this.#layout.kind.has(id)))
      following.changed = null
      this.#readAt = ++this.#revision
      return
    }
    const touched = this.#touched(transaction)
    if (touched === null) return
    this.#revision++
    for (const id of touched.ids) this.#touchedAt.set(id, this.#revision)
    let structure = touched.schema
    const added: Parsed[] = []
    for (const id of touched.ids) {
      const old = this.#parsed.get(id)
      if (!this.#layout.kind.has(id)) {
        // Gone or never there: its last box still places the ends that held on to it.
        structure ||= old !== undefined || before.attached.has(id)
        this.#parsed.delete(id)
        continue
      }
      const parsed = parseFrom(this.#layout, id, this.#fields.get(id) ?? new Map())
      if (old && sameStructure(old, parsed) && sameParsed(old, parsed)) continue
      if (old === undefined) added.push(parsed)
      else structure ||= !sameStructure(old, parsed)
      this.#parsed.set(id, parsed)
    }
    const grown = structure ? null : added.length === 0 ? { whole: before, made: new Set<Id>() } : grow(before, added)
    if (grown === null) {
      this.#now = assemble(this.#parsed, id => this.#layout.geo.get(id), this.#layout.meta.get('schema'), before)
      following.changed = null
      return
    }
    for (const id of grown.made) following.changed?.add(id)
    this.#now = this.#replace(grown.whole, touched.ids, following.changed ?? new Set())
  }

  #tell(before: Model, transaction: Y.Transaction, changed: ReadonlySet<Id> | null): void {
    const diff = diffOf(before, this.#now.model, transaction, changed)
    if (diff) for (const listener of this.#listeners) listener(this.#now.model, diff)
  }

  /** Only values and boxes changed: new elements for those touched and for the connectors on them (`changed`), everything else as it is. */
  #replace(before: Assembled, ids: ReadonlySet<Id>, changed: Set<Id>): Assembled {
    const made = new Map<Id, Element>()
    const elementNow = (id: Id): Element | undefined => made.get(id) ?? before.model.elements.get(id)
    // The parsed elements of an earlier Model are not used any more: they are updated in place.
    const parsed = before.parsed instanceof Map ? before.parsed : new Map(before.parsed)
    let notes = false
    for (const id of ids) {
      const now = this.#parsed.get(id)
      const old = before.parsed.get(id)
      const element = elementNow(id)
      if (!now || !old || !element) continue
      parsed.set(id, now)
      notes ||= now.notes.length > 0 || old.notes.length > 0
      if (!sameContent(now, old)) {
        made.set(id, elementOf(now, element, undefined))
        changed.add(id)
      }
      if (sameJson(now.geo, old.geo)) continue
      for (const connector of before.attached.get(id) ?? []) {
        const own = parsed.get(connector)
        const held = elementNow(connector)
        if (!own || !held?.ends) continue
        const ends = { from: moved(held.ends.from, id, now), to: moved(held.ends.to, id, now) }
        made.set(connector, elementOf(own, { ...held, ends }, held))
        changed.add(connector)
      }
    }
    const elements = made.size > 0 ? Elements.of(before.model.elements).with(made) : before.model.elements
    const model = { ...before.model, elements, notes: notes ? sortNotes(before.notes, parsed.values()) : before.model.notes }
    return { ...before, model, parsed }
  }

  /** The elements a transaction stored something of; null when it touched nothing of a model. Keeps the stored fields up to date. */
  #touched(transaction: Y.Transaction): { ids: Set<Id>; schema: boolean } | null {
    const ids = new Set<Id>()
    let schema = false
    for (const [type, keys] of transaction.changed) {
      const place = this.#placeOf(type)
      if (!place) continue
      for (const key of place.key === null ? keys : [place.key]) {
        if (key === null) continue
        if (place.facet === 'meta') schema ||= key === 'schema'
        else if (place.facet === 'data' || place.facet === 'text' || place.facet === 'rich') {
          const at = splitKey(key)
          if (!at) continue
          ids.add(at.id)
          this.#refresh(key, at.id, at.field)
        } else if (isId(key)) ids.add(key)
      }
    }
    return ids.size > 0 || schema ? { ids, schema } : null
  }

  #refresh(key: string, id: Id, field: string): void {
    const { text, rich, data } = this.#layout
    const holder = [text, rich, data].find(map => map.has(key))
    const fields = fieldsOf(this.#fields, id)
    if (holder) fields.set(field, plainValue(holder.get(key)))
    else fields.delete(field)
  }

  /** The top-level map a changed type is, or the map and key under which it lives. */
  #placeOf(type: Y.AbstractType<Y.YEvent<Y.AbstractType<unknown>>>): { facet: FacetName; key: string | null } | null {
    let at: { _item: Y.Item | null } = type
    let key: string | null = null
    while (at._item !== null) {
      key = at._item.parentSub
      const parent: unknown = at._item.parent
      if (!(parent instanceof Y.AbstractType)) return null
      at = parent
    }
    for (const facet of facetNames) if (this.#layout[facet] === at) return { facet, key }
    return null
  }
}

const facetNames = ['meta', 'kind', 'geo', 'tree', 'conn', 'style', 'data', 'text', 'rich'] as const

const moved = (end: NonNullable<Element['ends']>['from'], id: Id, now: Parsed) => (end.id === id ? { ...end, ...middle(now.geo) } : end)

/** Whether two readings of one element put the whole together alike. */
function sameStructure(a: Parsed, b: Parsed): boolean {
  return (
    a.kind === b.kind &&
    a.parent === b.parent &&
    a.order === b.order &&
    sameJson(a.ends, b.ends) &&
    sameJson(a.groups, b.groups) &&
    sameJson(a.fields.host ?? null, b.fields.host ?? null)
  )
}

const sameParsed = (a: Parsed, b: Parsed): boolean => sameContent(a, b) && sameJson(a.notes, b.notes)

/** What differs. `touched`: nothing else does, and nothing was removed. */
function diffOf(before: Model, now: Model, transaction: Y.Transaction, touched: ReadonlySet<Id> | null): ModelDiff | null {
  const added: Id[] = []
  const changed: Id[] = []
  for (const id of touched ? [...touched].sort() : now.elements.keys()) {
    const old = before.elements.get(id)
    if (!old) added.push(id)
    else if (old !== now.elements.get(id)) changed.push(id)
  }
  const removed = touched ? [] : [...before.elements.keys()].filter(id => !now.elements.has(id))
  const local = transaction.local && (transaction.origin === LOCAL || transaction.origin instanceof Y.UndoManager)
  const same =
    added.length + changed.length + removed.length === 0 &&
    sameJson(before.notes, now.notes) &&
    before.schema === now.schema &&
    sameJson(before.roots, now.roots)
  return same ? null : { added, removed, changed, local }
}
