// Plain values as people type them, the way the formula language writes them: 1.5, "text", True, None, [1, 2], {"a": 1}.
import type { Plain } from '../../sim-engine/messages.ts'

/** The value of a literal, or undefined when the text isn't one. */
export function parseLiteral(text: string): Plain | undefined {
  const trimmed = text.trim()
  if (trimmed === 'True') return true
  if (trimmed === 'False') return false
  if (trimmed === 'None') return null
  const quoted = /^'((?:[^'\\]|\\.)*)'$/.exec(trimmed)
  if (quoted?.[1] !== undefined) return quoted[1].replace(/\\(.)/g, '$1')
  try {
    // Python's words outside of quotes become JSON's.
    const json = trimmed.replace(/"(?:[^"\\]|\\.)*"|\b(?:True|False|None)\b/g, found =>
      found === 'True' ? 'true' : found === 'False' ? 'false' : found === 'None' ? 'null' : found,
    )
    const value: Plain = JSON.parse(json)
    return value
  } catch {
    return undefined // not a literal: the caller says what to type
  }
}

export function printLiteral(value: Plain): string {
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (value === null) return 'None'
  if (Array.isArray(value)) return `[${value.map(printLiteral).join(', ')}]`
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, item]) => `${JSON.stringify(key)}: ${printLiteral(item)}`)
      .join(', ')}}`
  return JSON.stringify(value)
}
