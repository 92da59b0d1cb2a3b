// Texts of a model as a language model and its people read them: nothing in them is hidden.
import type { Json } from '../../model-schema/kinds/kind.ts'

const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** The same with characters that cannot be seen written as escapes: text of a model may hide orders in them. */
export function visible(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll(hidden, found => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`)
  if (Array.isArray(value)) return value.map(visible)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [String(visible(key)), visible(item)]))
  return typeof value === 'number' && !Number.isFinite(value) ? null : value
}
