// Gives back memory that Yjs sets aside for what does not happen on a server, or has not happened to most of a document: an item that was
// never moved, replaced or written beside keeps five empty links, each text has lists of listeners nobody is on, arrays are made with
// room for sixteen more values, and the same ids and words are kept once per mention.
import * as Y from 'yjs'

/** Shared by all texts of all documents: nobody listens to a single text here. */
const nobody = Object.freeze({ l: Object.freeze([]) })

/** The same document, in less memory. Whatever comes later is as Yjs makes it. */
export function trim(doc: Y.Doc): void {
  const words = new Map<string, string>()
  const once = (text: string): string => {
    const known = words.get(text)
    if (known !== undefined) return known
    words.set(text, text)
    return text
  }
  const tight = (value: unknown): unknown => {
    if (typeof value === 'string') return value.length <= 64 ? once(value) : value
    return Array.isArray(value) ? value.map(tight) : value
  }
  for (const type of doc.share.values()) {
    // The keys of the maps are the same texts again.
    if (type._map.size > 0) type._map = new Map([...type._map].map(([key, item]) => [once(key), item]))
  }
  for (const [client, structs] of doc.store.clients) {
    // Without the room that growing arrays have.
    const kept = structs.slice()
    doc.store.clients.set(client, kept)
    for (const [i, item] of kept.entries()) {
      if (!(item instanceof Y.Item)) continue
      const { content } = item
      if (content instanceof Y.ContentAny) content.arr = content.arr.map(tight)
      // Subclasses (rich text) are few.
      else if (content instanceof Y.ContentType && isPlainText(content.type)) content.type = leanText(content.type)
      if (item.parentSub !== null) item.parentSub = once(item.parentSub)
      if (isAlone(item)) kept[i] = leanItem(item, client)
    }
  }
}

/** Never moved, replaced, or written beside: nothing but its parent knows it. */
function isAlone({ left, right, origin, rightOrigin, redone, parent }: Y.Item): boolean {
  if (left !== null || right !== null || origin !== null || rightOrigin !== null || redone !== null) return false
  return parent instanceof Y.AbstractType
}

/** An item with what differs; the rest is told by the prototype until Yjs writes it. */
class LeanItem {
  readonly client: number
  readonly clock: number
  readonly content: Y.Item['content']
  readonly parent: Y.Item['parent']
  readonly parentSub: string | null

  constructor(item: Y.Item, client: number) {
    this.client = client
    this.clock = item.id.clock
    this.content = item.content
    this.parent = item.parent
    this.parentSub = item.parentSub
  }

  get id(): Y.ID {
    return Y.createID(this.client, this.clock)
  }
}

/** `info` of what is there and counts: Yjs's bit for countable. */
const THERE = 2

inherit(LeanItem, Y.Item, { length: 1, left: null, right: null, origin: null, rightOrigin: null, redone: null, info: THERE })

function leanItem(item: Y.Item, client: number): Y.Item {
  const lean: object = new LeanItem(item, client)
  if (!(lean instanceof Y.Item)) throw new TypeError('not an item')
  if (item.length !== 1) lean.length = item.length
  if (item.info !== THERE) lean.info = item.info
  const { parent, parentSub, content } = item
  if (parent instanceof Y.AbstractType) {
    if (parent._start === item) parent._start = lean
    if (parentSub !== null && parent._map.get(parentSub) === item) parent._map.set(parentSub, lean)
  }
  if (content instanceof Y.ContentType) content.type._item = lean
  return lean
}

/** Attributes of texts, which no part of the product gives them: an update that does is refused like any that cannot be applied. */
class NoAttributes extends Map<string, Y.Item> {
  override set(): never {
    throw new TypeError('texts have no attributes here')
  }
}

function isPlainText(type: object): type is Y.Text {
  return type instanceof Y.Text && type.constructor === Y.Text && type._map.size === 0
}

/** A text that nobody listens to. Without its markers it is searched from its start, which for a formula is as quick. */
class LeanText {
  readonly doc: Y.Doc | null
  readonly _item: Y.Item | null
  readonly _start: Y.Item | null
  readonly _length: number

  constructor({ doc, _item, _start, _length }: Y.Text) {
    this.doc = doc
    this._item = _item
    this._start = _start
    this._length = _length
  }
}

inherit(LeanText, Y.Text, {
  _map: new NoAttributes(),
  _eH: nobody,
  _dEH: nobody,
  _searchMarker: null,
  _pending: null,
  _hasFormatting: false,
})

function leanText(text: Y.Text): Y.Text {
  const lean: object = new LeanText(text)
  if (!(lean instanceof Y.Text)) throw new TypeError('not a text')
  if (text._hasFormatting) lean._hasFormatting = true
  for (let item = text._start; item !== null; item = item.right) item.parent = lean
  return lean
}

/** Makes instances of `lean` instances of `whole`, with these values where they have none of their own. */
function inherit(lean: abstract new (...args: never[]) => object, whole: abstract new (...args: never[]) => object, values: object): void {
  Object.setPrototypeOf(lean.prototype, whole.prototype)
  // Yjs compares constructors.
  for (const [key, value] of Object.entries({ ...values, constructor: whole }))
    Object.defineProperty(lean.prototype, key, { value, writable: true, configurable: true })
}
