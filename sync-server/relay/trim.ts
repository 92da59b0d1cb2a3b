// Frees memory that Yjs reserves for cases that do not occur on a server, or not for most of a document: an item that was never moved or edited
// next to keeps five empty links, one that was replaced keeps two ids and an empty content, each value is the only one of a list of an object,
// each text has lists of listeners without entries, arrays have room for sixteen more values, and the same ids and words are kept once per
// mention.
import * as Y from 'yjs'

/** Shared by all texts of all documents: no code listens to a single text here. */
const nobody = Object.freeze({ l: Object.freeze([]) })

/** The same document, in less memory. Whatever comes later is as Yjs makes it, until it is trimmed `again`. */
export function trim(doc: Y.Doc, again = false): void {
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
  for (const type of again ? [] : doc.share.values()) {
    // The keys of the maps are the same texts again.
    if (type._map.size > 0) type._map = new Map([...type._map].map(([key, item]) => [once(key), item]))
  }
  const writers = new Map<number, Writer>()
  const writerOf = (client: number): Writer => {
    const known = writers.get(client) ?? { client }
    writers.set(client, known)
    return known
  }
  for (const [client, structs] of doc.store.clients) {
    // Without the room that growing arrays have.
    const kept = structs.slice()
    doc.store.clients.set(client, kept)
    for (const [i, item] of kept.entries()) {
      // What was read or written since it was trimmed has a content of its own.
      if (!(item instanceof Y.Item) || (item instanceof Lean && !Object.hasOwn(item, 'content'))) continue
      const { content } = item
      if (content instanceof Y.ContentAny) content.arr = content.arr.map(tight)
      // Subclasses (rich text) are few.
      else if (content instanceof Y.ContentType && isPlainText(content.type)) content.type = leanText(content.type)
      if (item.parentSub !== null) item.parentSub = once(item.parentSub)
      kept[i] = leanItem(item, writerOf)
    }
  }
}

/** The document that updates make, trimmed. */
export function documentOf(updates: readonly Uint8Array[]): Y.Doc {
  const doc = new Y.Doc()
  doc.transact(() => {
    for (const update of updates) Y.applyUpdate(doc, update)
  })
  // Nothing with missing parts is ever logged. If a log has such rows all the same, their parts must not spread to clients.
  doc.store.pendingStructs = null
  doc.store.pendingDs = null
  trim(doc)
  return doc
}

/** The client ids of the items: each one interned, as large numbers are objects too. */
type Writer = { readonly client: number }
type WriterOf = (client: number) => Writer
type Content = Y.Item['content']

/** True while an item is encoded: the content built for that need not be kept. */
let isTelling = false

/** An item with only the fields that differ from most; the prototype answers the rest until Yjs writes it. */
abstract class Lean {
  readonly writer: Writer
  readonly clock: number
  readonly parent: Y.Item['parent']
  readonly parentSub: string | null

  constructor({ id, parent, parentSub }: Y.Item, writerOf: WriterOf) {
    this.writer = writerOf(id.client)
    this.clock = id.clock
    this.parent = parent
    this.parentSub = parentSub
  }

  abstract made(): Content

  get id(): Y.ID {
    return Y.createID(this.writer.client, this.clock)
  }

  /** What is asked for may be changed, so it is kept from then on. */
  get content(): Content {
    const content = this.made()
    if (!isTelling) own(this, 'content', content)
    return content
  }

  set content(content: Content) {
    own(this, 'content', content)
  }

  write(...[encoder, offset]: Parameters<Y.Item['write']>): void {
    isTelling = true
    try {
      Y.Item.prototype.write.call(this, encoder, offset)
    } finally {
      isTelling = false
    }
  }
}

/** `info` of what is there and counts, and of what was deleted: bits of Yjs. */
const THERE = 2
const DELETED = 4

Object.setPrototypeOf(Lean.prototype, Y.Item.prototype)
tell(Lean, Y.Item, { length: 1, left: null, right: null, origin: null, rightOrigin: null, redone: null, info: THERE })

/** Items of one sort of content, which `made` builds from what is kept of it; their length is 1 unless the content says otherwise. */
function sort<Kept>(made: (kept: Kept) => Content, lengthOf?: (kept: Kept) => number) {
  /** Never moved, replaced, or edited next to: only its parent refers to it. */
  class Alone extends Lean {
    readonly kept: Kept

    constructor(item: Y.Item, writerOf: WriterOf, kept: Kept) {
      super(item, writerOf)
      this.kept = kept
    }

    made(): Content {
      return made(this.kept)
    }
  }

  /** Has replaced another: the value of a key that had one. */
  class Later extends Alone {
    readonly left: Y.Item | null
    readonly before: Writer
    readonly beforeClock: number

    constructor(item: Y.Item, writerOf: WriterOf, kept: Kept, origin: Y.ID) {
      super(item, writerOf, kept)
      this.left = item.left
      this.before = writerOf(origin.client)
      this.beforeClock = origin.clock
    }

    get origin(): Y.ID {
      return Y.createID(this.before.client, this.beforeClock)
    }
  }

  tell(Alone, Y.Item)
  tell(Later, Y.Item)
  if (lengthOf !== undefined)
    Object.defineProperty(Alone.prototype, 'length', {
      get(this: Alone): number {
        return lengthOf(this.kept)
      },
      set(this: Alone, length: number) {
        own(this, 'length', length)
      },
    })
  return (item: Y.Item, writerOf: WriterOf, kept: Kept): object => {
    const { origin } = item
    return origin === null ? new Alone(item, writerOf, kept) : new Later(item, writerOf, kept, origin)
  }
}

const valueItem = sort((value: unknown) => new Y.ContentAny([value]))
const typeItem = sort((type: Y.ContentType['type']) => new Y.ContentType(type))
const stringItem = sort(
  (text: string) => new Y.ContentString(text),
  text => text.length,
)
const otherItem = sort((content: Content) => content)

/** The first value of a key, replaced. */
class Gone extends Lean {
  readonly right: Y.Item | null

  constructor(item: Y.Item, writerOf: WriterOf) {
    super(item, writerOf)
    this.right = item.right
  }

  made(): Content {
    return new Y.ContentDeleted(this instanceof Y.Item ? this.length : 1)
  }
}

/** A value that has replaced another and was replaced. */
class GoneLater extends Gone {
  readonly left: Y.Item | null
  readonly before: Writer
  readonly beforeClock: number

  constructor(item: Y.Item, writerOf: WriterOf, origin: Y.ID) {
    super(item, writerOf)
    this.left = item.left
    this.before = writerOf(origin.client)
    this.beforeClock = origin.clock
  }

  get origin(): Y.ID {
    return Y.createID(this.before.client, this.beforeClock)
  }
}

tell(Gone, Y.Item, { info: DELETED })
tell(GoneLater, Y.Item)

/** The same item in less memory, with all references to it updated; the item itself when nothing is gained. */
function leanItem(item: Y.Item, writerOf: WriterOf): Y.Item {
  const { parent, parentSub, content, left, right, origin } = item
  if (!(parent instanceof Y.AbstractType) || item.rightOrigin !== null || item.redone !== null) return item
  const isGone = item.deleted && content instanceof Y.ContentDeleted && !item.keep
  // Among neighbours only values of one key are lean: the last, and those it replaced.
  if (left !== null || origin !== null || right !== null) {
    if (parentSub === null || (left === null) !== (origin === null) || (right !== null) !== isGone) return item
  }
  const lean = isGone
    ? origin === null
      ? new Gone(item, writerOf)
      : new GoneLater(item, writerOf, origin)
    : content instanceof Y.ContentAny && content.arr.length === 1
      ? valueItem(item, writerOf, content.arr[0])
      : content instanceof Y.ContentType
        ? typeItem(item, writerOf, content.type)
        : content instanceof Y.ContentString
          ? stringItem(item, writerOf, content.str)
          : otherItem(item, writerOf, content)
  if (!(lean instanceof Y.Item)) throw new TypeError('not an item')
  if (lean.length !== item.length) lean.length = item.length
  if (!isGone && item.info !== THERE) lean.info = item.info
  if (left !== null) left.right = lean
  else if (parent._start === item) parent._start = lean
  if (right !== null) right.left = lean
  if (parentSub !== null && parent._map.get(parentSub) === item) parent._map.set(parentSub, lean)
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

/** A text without listeners. Without markers it is searched from its start, which for a formula is as quick. */
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

Object.setPrototypeOf(LeanText.prototype, Y.Text.prototype)
tell(LeanText, Y.Text, {
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

type Class = abstract new (...args: never[]) => object

/** Makes instances of `lean` say what they do not keep. To Yjs, which compares constructors, they are of `whole`. */
function tell(lean: Class, whole: Class, values: object = {}): void {
  for (const [key, value] of Object.entries({ ...values, constructor: whole }))
    Object.defineProperty(lean.prototype, key, { value, writable: true, configurable: true })
}

/** Defines a value as an own property, in place of the one of the prototype. */
function own(item: object, key: string, value: unknown): void {
  Object.defineProperty(item, key, { value, writable: true, enumerable: true, configurable: true })
}
