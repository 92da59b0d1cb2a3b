// The position of an element or a field in the text of a file, so that a message can name the line.

/** Line of an element, or of one of its fields, from 1; that of the element where the field isn't written. Null when it isn't in the text. */
export function lineOf(text: string, id: string, field?: string): number | null {
  const at = keyAt(text, id, 0, text.length)
  if (at === null) return null
  const own = field === undefined ? null : keyAt(text, field, at + id.length, endOf(text, at + id.length + 2))
  return text.slice(0, own ?? at).split('\n').length
}

/** Where `"name": ` begins between two places. */
function keyAt(text: string, name: string, from: number, to: number): number | null {
  const quoted = JSON.stringify(name)
  for (let at = text.indexOf(quoted, from); at >= 0 && at < to; at = text.indexOf(quoted, at + 1))
    if (/^\s*:/.test(text.slice(at + quoted.length, at + quoted.length + 20))) return at
  return null
}

/** Where the object that begins after a place ends. */
function endOf(text: string, from: number): number {
  let depth = 0
  let inText = false
  for (let at = from; at < text.length; at++) {
    const sign = text[at]
    if (inText && sign === '\\') at++
    else if (sign === '"') inText = !inText
    else if (!inText && sign === '{') depth++
    else if (!inText && sign === '}' && --depth <= 0) return at
  }
  return text.length
}
