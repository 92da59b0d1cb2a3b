// A position or vector written out, such as [x + 1, y] or (dx, dy): its coordinates without making the list. The same for a cell
// by its coordinates.
import type { Type } from '../formula.ts'

/** The coordinates in the text of a list or tuple of numbers, with what marks its place; null when it is another expression. */
export function coordinatesOf(js: string, type: Type): string[] | null {
  const numbers = (type.is === 'list' && type.of.is === 'number') || (type.is === 'tuple' && type.of.every(item => item.is === 'number'))
  if (!numbers) return null
  const marked = /^\((at=\d+),([^]*)\)$/.exec(js)
  const body = marked?.[2] ?? js
  const inner = /^(?:F\.makeTuple\()?\[([^]*)\]\)?$/.exec(body)?.[1]
  if (inner === undefined) return null
  const parts = listed(inner)
  if (!parts) return null
  const [first, ...rest] = parts
  if (first === undefined || parts.length < 2 || parts.length > 3) return null
  return marked ? [`(${marked[1]},${first})`, ...rest] : parts
}

/** The arguments in the text of one call of `cell_at`, its cells last, with what marks its place; null when it is another expression. */
export function cellArgumentsOf(js: string): { mark: string; given: string[] } | null {
  const call = /^\((at=\d+),W\.cell_at\(([^]*)\)\)$/.exec(js)
  const given = call && listed(call[2] ?? '')
  return given ? { mark: `${call[1]};`, given } : null
}

/** Splits text at commas outside brackets; null where it has a string in it or isn't one list. */
function listed(inner: string): string[] | null {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let k = 0; k < inner.length; k++) {
    const c = inner[k]
    if (c === '"' || c === "'" || c === '`') return null
    if (c === '(' || c === '[' || c === '{') depth++
    else if (c === ')' || c === ']' || c === '}') depth--
    if (depth < 0) return null
    if (c === ',' && depth === 0) {
      parts.push(inner.slice(from, k).trim())
      from = k + 1
    }
  }
  parts.push(inner.slice(from).trim())
  return parts
}
