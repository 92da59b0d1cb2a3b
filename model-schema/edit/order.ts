// Order keys among siblings: texts that sort in the order of the siblings, with room between any two (fractional-indexing). Two people
// inserting at one place get equal keys and ids break the tie, so a key read from a document may be equal to its neighbour, or malformed;
// the next insertion there writes new keys for the affected siblings.
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import type { Id } from '../model.ts'

/** Longer keys mean that many insertions hit one gap: then all siblings get new ones. */
export const LONGEST_KEY = 64

export type Sibling = { id: Id; order: string }

/** `keys` for `count` elements inserted before `siblings[index]`, and new keys for siblings with keys that don't determine their order. */
export function orderAt(siblings: readonly Sibling[], index: number, count = 1): { keys: string[]; rekey: Sibling[] } {
  let first = index
  let last = index
  for (;;) {
    const below = first === 0 ? null : (siblings[first - 1]?.order ?? null)
    const above = last === siblings.length ? null : (siblings[last]?.order ?? null)
    const keys = keysBetween(below, above, last - first + count)
    if (keys) return split(siblings, first, index, last, keys, count)
    const whole = first === 0 && last === siblings.length
    if (whole) throw new RangeError('orderAt: no keys for a whole list')
    // Widen over equal, wrongly ordered or unusable neighbours; in the end over all.
    if (below !== null && (above === null || !isKey(below) || below >= above || !isKey(above))) first--
    if (above !== null && (below === null || !isKey(above) || below >= above)) last++
    if (below !== null && above !== null && isKey(below) && isKey(above) && below < above) {
      first = 0
      last = siblings.length
    }
  }
}

function split(
  siblings: readonly Sibling[],
  first: number,
  index: number,
  last: number,
  keys: string[],
  count: number,
): { keys: string[]; rekey: Sibling[] } {
  const before = index - first
  const rekey: Sibling[] = []
  siblings.slice(first, index).forEach(({ id }, i) => rekey.push({ id, order: keys[i] ?? '' }))
  siblings.slice(index, last).forEach(({ id }, i) => rekey.push({ id, order: keys[before + count + i] ?? '' }))
  return { keys: keys.slice(before, before + count), rekey }
}

/** Keys between two, or null when they leave no usable room. */
function keysBetween(below: string | null, above: string | null, count: number): string[] | null {
  if ((below !== null && !isKey(below)) || (above !== null && !isKey(above)) || (below !== null && above !== null && below >= above))
    return null
  const keys = generateNKeysBetween(below, above, count)
  return keys.some(key => key.length > LONGEST_KEY) ? null : keys
}

/** Whether the library takes this as a key. */
export function isKey(key: string): boolean {
  if (key === '' || key.length > 2 * LONGEST_KEY || !/^[0-9A-Za-z]+$/.test(key)) return false
  try {
    generateKeyBetween(key, null)
    return true
  } catch {
    // The library has no other way to ask; the caller writes a new key.
    return false
  }
}
