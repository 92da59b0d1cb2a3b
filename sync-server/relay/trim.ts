// Gives back memory that Yjs sets aside for what does not happen on a server: arrays are made with room for sixteen more values,
// each text has lists of listeners nobody is on, and the same ids and words are kept once per mention.
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
  for (const structs of doc.store.clients.values()) {
    for (const item of structs) {
      if (!(item instanceof Y.Item)) continue
      const { content } = item
      if (content instanceof Y.ContentAny) content.arr = content.arr.map(tight)
      // Subclasses (rich text) are few.
      else if (content instanceof Y.ContentType && content.type._map.size === 0 && content.type.constructor === Y.Text)
        Object.assign(content.type, IDLE)
      if (item.parentSub !== null) item.parentSub = once(item.parentSub)
    }
  }
  for (const type of doc.share.values()) {
    // The keys of the maps are the same texts again.
    if (type._map.size > 0) type._map = new Map([...type._map].map(([key, item]) => [once(key), item]))
  }
}

/** Attributes of texts, which no part of the product gives them: an update that does is refused like any that cannot be applied. */
class NoAttributes extends Map<string, Y.Item> {
  override set(): never {
    throw new TypeError('texts have no attributes here')
  }
}

/** Without its markers a text is searched from its start, which for a formula is as quick. */
const IDLE = { _eH: nobody, _dEH: nobody, _searchMarker: null, _map: new NoAttributes() }
