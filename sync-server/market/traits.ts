// What a document is recognised by when it comes back changed: its traits, one for each line of a formula or text, each row of a table, each
// group of small settings, as far as they say enough to be telling. Names, ids, places, order, comments and white space count for nothing, so
// renaming and rearranging change no trait, and an edit only those it touches. Of the traits the least hashes are kept (bottom-k sketch:
// Broder, "On the resemblance and containment of documents", 1997), so that any two documents are compared in bounded time and room.
import { hash } from 'node:crypto'
import type { HoloFile } from '../../model-schema/file.ts'
import { FROM_MARKET } from '../../model-schema/business/market.ts'
import { ORIGIN } from '../../model-schema/origin.ts'

/** Most traits kept of what is published: all of most documents, of a larger one a fair sample. */
export const maxTraits = 256
/** Most traits looked for of what is to be published: enough to find a small model in a large one. */
export const SOUGHT = 4096
/** A document with fewer is too little to be recognised. */
const minTraits = 8
/** Shorter lines and values are everybody's. Characters without white space. */
const TELLING = 12
/** So many small settings of one element together are characteristic. */
const TOGETHER = 3

const untold: ReadonlySet<string> = new Set([
  'kind',
  'parent',
  'rank',
  'geo',
  'bends',
  'from',
  'to',
  'locked',
  'tint',
  'groups',
  FROM_MARKET,
  ORIGIN,
])

/** The traits of a document, in ascending order, at most `SOUGHT`; those in `common` (what comes with the product) are left out. */
export function traitsOf({ elements }: HoloFile, common: ReadonlySet<number> = new Set()): number[] {
  const kinds = new Map<string, string>()
  for (const [id, { kind, name }] of Object.entries(elements)) {
    kinds.set(id, kind)
    if (typeof name === 'string' && name !== '') kinds.set(name, kind)
  }
  const plain = (text: string): string =>
    kinds.get(text) ??
    text
      .replaceAll(/#.*$/g, '')
      .replaceAll(/[\p{L}_][\p{L}\p{N}_]*/gu, word => kinds.get(word) ?? word)
      .replaceAll(/\s+/g, '')
  const led = (_: string, value: unknown): unknown => (typeof value === 'string' ? (kinds.get(value) ?? value) : value)
  const found = new Set<number>()
  const note = (trait: string): void => {
    const key = hash('sha1', trait, 'buffer').readInt32BE(0)
    if (!common.has(key)) found.add(key)
  }
  for (const element of Object.values(elements)) {
    const small: string[] = []
    const tell = (field: string, value: unknown): void => {
      if (Array.isArray(value)) return value.forEach(item => tell(field, item))
      const lines = typeof value === 'string' ? value.split('\n') : [JSON.stringify(value, led) ?? '']
      for (const line of lines.map(plain)) {
        if (line.length >= TELLING) note(`${element.kind}.${field}:${line}`)
        else if (line !== '') small.push(`${field}=${line}`)
      }
    }
    for (const [field, value] of Object.entries(element)) if (!untold.has(field)) tell(field, value)
    const settings = small.filter(one => !one.startsWith('name='))
    if (settings.length >= TOGETHER) note(`${element.kind}{${settings.sort().join(',')}}`)
  }
  return [...found].sort((a, b) => a - b).slice(0, SOUGHT)
}

/** Which share of the traits of `known` (at most `maxTraits`) is found in `now` (at most `SOUGHT`): 0 to 1. 0 when too few can be compared. */
export function shareOf(known: readonly number[], now: readonly number[]): number {
  // Above the least of the greatest kept, one of the two may have traits that were not kept.
  const reach = Math.min(known.length < maxTraits ? Infinity : (known.at(-1) ?? 0), now.length < SOUGHT ? Infinity : (now.at(-1) ?? 0))
  const compared = known.filter(trait => trait <= reach)
  if (compared.length < minTraits) return 0
  const there = new Set(now)
  return compared.filter(trait => there.has(trait)).length / compared.length
}
