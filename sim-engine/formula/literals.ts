// String literals: quotes, prefixes and Python's escapes.

/** The text of a string literal, prefix and quotes included in `source`. */
export function decodeString(source: string): string {
  const quote = source.search(/["']/)
  const prefix = source.slice(0, quote).toLowerCase()
  const wide = source.startsWith('"""', quote) || source.startsWith("'''", quote) ? 3 : 1
  const inner = source.slice(quote + wide, source.length - wide)
  return prefix.includes('r') ? inner : unescape(inner)
}

const simple: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '\n': '',
}

/** Python's escapes; an unknown one stays as it is. */
export function unescape(raw: string): string {
  return raw.replace(/\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{1,3}|[\s\S])/g, (whole, escape: string) => {
    const head = escape[0] ?? ''
    if ((head === 'x' || head === 'u' || head === 'U') && escape.length > 1) {
      const code = Number.parseInt(escape.slice(1), 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    }
    if (head >= '0' && head <= '7') return String.fromCodePoint(Number.parseInt(escape, 8))
    return Object.hasOwn(simple, escape) ? (simple[escape] ?? '') : whole
  })
}

/** A JavaScript string literal: JSON, with the two line separators escaped. */
export function jsText(value: string): string {
  return JSON.stringify(value)
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029')
}
