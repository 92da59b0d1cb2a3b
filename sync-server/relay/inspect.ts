// Reads an update before it is applied. Yjs applies what it can and then throws, or keeps what it cannot place for ever, or
// silently prefers a forged change: so everything that can be known beforehand is checked here, and only an update that will
// apply whole reaches the document.
import * as Y from 'yjs'
import { LIMITS, TOP_LEVEL } from '../protocol.ts'

type Verdict =
  /** Applies whole; `authors` are the client ids that bring something new. */
  | { ok: true; authors: number[] }
  /** Not applied. `missing`: it builds on changes we do not have, the sender must send all of them (step 2). */
  | { ok: false; why: 'malformed' | 'forbidden' | 'forged' | 'missing'; detail: string }

const topLevel: ReadonlySet<string> = new Set(TOP_LEVEL)

/**
 * Judges `update` against a document of which `have` says how far each client's changes are known (the next clock, 0 for a
 * stranger). `mayAuthor` says whether the sender may bring new changes under that client id.
 */
export function inspect(update: Uint8Array, have: (client: number) => number, mayAuthor: (client: number) => boolean): Verdict {
  let decoded: ReturnType<typeof Y.decodeUpdate>
  try {
    decoded = Y.decodeUpdate(update)
  } catch (error) {
    return refuse('malformed', String(error))
  }
  const { structs, ds } = decoded
  if (structs.length > LIMITS.structs) return refuse('forbidden', `${structs.length} structs in one update, at most ${LIMITS.structs}`)

  // Where each client's changes will end once this update is applied; each client's structs come in clock order.
  const end = new Map<number, number>()
  const endOf = (client: number): number => end.get(client) ?? have(client)
  const authors = new Set<number>()
  for (const struct of structs) {
    const { client, clock } = struct.id
    if (!(struct.length > 0) || !Number.isSafeInteger(clock + struct.length))
      return refuse('malformed', `a struct of length ${struct.length}`)
    if (struct instanceof Y.Skip) continue
    if (clock > endOf(client)) return refuse('missing', `client ${client} continues at ${clock}, known up to ${endOf(client)}`)
    if (clock + struct.length > endOf(client)) {
      end.set(client, clock + struct.length)
      if (clock + struct.length > have(client)) authors.add(client)
    }
  }
  for (const client of authors) if (!mayAuthor(client)) return refuse('forged', `client id ${client} belongs to somebody else`)

  const known = (id: Y.ID | null): boolean => id === null || id.clock < endOf(id.client)
  for (const struct of structs) {
    if (!(struct instanceof Y.Item)) continue
    if (!known(struct.origin) || !known(struct.rightOrigin)) return refuse('missing', 'a neighbour that is not known')
    const parent: unknown = struct.parent
    if (parent instanceof Y.ID) {
      if (!known(parent)) return refuse('missing', 'a parent that is not known')
    } else if (typeof parent === 'string' && !topLevel.has(parent)) return refuse('forbidden', `top-level name "${parent.slice(0, 40)}"`)
    const fault = faultOf(struct, parent)
    if (fault !== null) return refuse('forbidden', fault)
  }
  for (const [client, deletes] of ds.clients) {
    for (const { clock, len } of deletes) {
      if (!(len > 0)) return refuse('malformed', `a deletion of length ${len}`)
      if (clock + len > endOf(client)) return refuse('missing', 'a deletion of something not known')
    }
  }
  return { ok: true, authors: [...authors] }
}

function refuse(why: 'malformed' | 'forbidden' | 'forged' | 'missing', detail: string): Verdict {
  return { ok: false, why, detail }
}

/** What of an item is not allowed in our documents; null when all is. */
function faultOf(item: Y.Item, parent: unknown): string | null {
  const key = item.parentSub
  if (key !== null && (key.length > LIMITS.keyLength || key === '__proto__')) return `map key of ${key.length} characters`
  // All our top-level names are maps. (What has a neighbour takes its parent from there, and none is a list.)
  if (typeof parent === 'string' && key === null) return `a list in "${parent}"`
  const content = item.content
  if (content instanceof Y.ContentDeleted || content instanceof Y.ContentString) return null
  if (content instanceof Y.ContentAny) {
    for (const value of content.arr) {
      const fault = valueFault(value)
      if (fault !== null) return fault
    }
    return null
  }
  if (content instanceof Y.ContentFormat) return content.key.length > LIMITS.keyLength ? 'format key too long' : valueFault(content.value)
  if (content instanceof Y.ContentEmbed) return valueFault(content.embed)
  if (content instanceof Y.ContentType) {
    const type: unknown = content.type
    const isText = type instanceof Y.Text || type instanceof Y.XmlFragment
    if (!isText) return 'a shared type that is neither text nor rich text'
    if (typeof parent === 'string' && parent !== 'text' && parent !== 'rich') return `a shared type in "${parent}"`
    return null
  }
  // Sub-documents, binaries and the legacy JSON content have no place in a model.
  return content.constructor.name
}

function valueFault(value: unknown): string | null {
  let bytes = 0
  const walk = (at: unknown, depth: number): string | null => {
    if (depth > LIMITS.valueDepth) return `value nested deeper than ${LIMITS.valueDepth}`
    bytes += 8
    if (typeof at === 'string') bytes += at.length
    else if (typeof at === 'bigint' || at instanceof Uint8Array) return 'a value that is not JSON'
    else if (Array.isArray(at)) {
      for (const item of at) {
        const fault = walk(item, depth + 1)
        if (fault !== null) return fault
      }
    } else if (at !== null && typeof at === 'object') {
      for (const [key, item] of Object.entries(at)) {
        bytes += key.length
        const fault = walk(item, depth + 1)
        if (fault !== null) return fault
      }
    }
    return bytes > LIMITS.valueBytes ? `value larger than ${LIMITS.valueBytes} bytes` : null
  }
  return walk(value, 0)
}
