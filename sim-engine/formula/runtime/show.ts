// Values as text: str(), repr() and Python's format specifications, without locales.
import { RunError } from '../../problems.ts'
import { dateText } from './calendar.ts'
import { FormulaDate, FormulaDict, FormulaRange, FormulaSet, Ref, Tuple } from './values.ts'

/** str(value). Whole numbers show without a fraction. */
export function show(value: unknown): string {
  return typeof value === 'string' ? value : represent(value)
}

/** repr(value): as it would be written in a formula. What is nested too deeply, as a list in itself, shows as dots. */
export function represent(value: unknown): string {
  return written(value, 0)
}

const maxNestingShown = 50

function written(value: unknown, depth: number): string {
  if (depth > maxNestingShown) return '...'
  const represent = (item: unknown): string => written(item, depth + 1)
  if (typeof value === 'number') return showNumber(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'string') return quote(value)
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (value === null || value === undefined) return 'None'
  if (Array.isArray(value)) return `[${value.map(represent).join(', ')}]`
  if (value instanceof Tuple)
    return value.items.length === 1 ? `(${represent(value.items[0])},)` : `(${value.items.map(represent).join(', ')})`
  if (value instanceof FormulaSet) return value.size === 0 ? 'set()' : `{${value.items().map(represent).join(', ')}}`
  if (value instanceof FormulaDict)
    return `{${Array.from(value.entries.values(), entry => `${represent(entry.key)}: ${represent(entry.value)}`).join(', ')}}`
  if (value instanceof FormulaRange) {
    const step = value.step === 1 ? '' : `, ${value.step}`
    return `range(${value.start}, ${value.stop}${step})`
  }
  if (value instanceof FormulaDate) return dateText(value.ms)
  if (value instanceof Ref) return `${value.population.name} ${value.handle % 16777216}`
  const named = typeof value === 'object' && 'name' in value ? value.name : undefined
  return typeof named === 'string' ? named : 'entity'
}

function showNumber(value: number): string {
  if (value === Infinity) return 'inf'
  if (value === -Infinity) return '-inf'
  if (Number.isNaN(value)) return 'nan'
  return value === 0 ? '0' : String(value)
}

function quote(value: string): string {
  const mark = value.includes("'") && !value.includes('"') ? '"' : "'"
  let made = mark
  for (const c of value) {
    if (c === '\n') made += '\\n'
    else if (c === '\t') made += '\\t'
    else if (c === '\r') made += '\\r'
    else if (c === '\\' || c === mark) made += `\\${c}`
    else made += c
  }
  return made + mark
}

const specification = /^(?:([\s\S])?([<>=^]))?([+\- ])?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([a-zA-Z%])?$/u

/** Greatest width a specification may ask for. */
const maxFormatWidth = 10_000

/** format(value, spec): Python's mini-language. 10032 for a specification that doesn't fit. */
export function format(value: unknown, spec: string, from: number, to: number): string {
  if (spec === '') return show(value)
  const match = specification.exec(spec)
  if (!match) throw new RunError(10032, [], from, to)
  const [, fill, alignment, sign, , zero, width, grouping, precision, kind] = match
  const wanted = Number(width ?? 0)
  const digits = precision === undefined ? undefined : Number(precision)
  if (wanted > maxFormatWidth || (digits !== undefined && digits > 100 && typeof value !== 'string'))
    throw new RunError(10032, [], from, to)
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') {
    const amount = Number(value)
    const negative = amount < 0 || Object.is(amount, -0)
    const size = typeof value === 'bigint' ? wholeDigits(value < 0n ? -value : value, kind, digits) : null
    const body = group(size ?? magnitude(Math.abs(amount), kind, digits, from, to), grouping)
    const lead = negative && amount !== 0 ? '-' : sign === '+' ? '+' : sign === ' ' ? ' ' : ''
    const align = alignment ?? (zero ? '=' : '>')
    const pad = fill ?? (zero ? '0' : ' ')
    if (align === '=') return lead + pad.repeat(Math.max(0, wanted - lead.length - body.length)) + body
    return padded(lead + body, wanted, align, pad)
  }
  if (kind !== undefined && kind !== 's') throw new RunError(10032, [], from, to)
  const text = show(value)
  return padded(digits === undefined ? text : [...text].slice(0, digits).join(''), wanted, alignment ?? '<', fill ?? ' ')
}

export function padded(text: string, width: number, align: string, fill: string): string {
  const missing = width - [...text].length
  if (missing <= 0) return text
  if (align === '<') return text + fill.repeat(missing)
  if (align === '^') return fill.repeat(Math.floor(missing / 2)) + text + fill.repeat(Math.ceil(missing / 2))
  return fill.repeat(missing) + text
}

function magnitude(amount: number, kind: string | undefined, digits: number | undefined, from: number, to: number): string {
  if (!Number.isFinite(amount)) return showNumber(amount)
  switch (kind) {
    case undefined:
      return digits === undefined ? showNumber(amount) : general(amount, Math.max(digits, 1))
    case 'f':
    case 'F':
      return fixed(amount, digits ?? 6)
    case '%':
      return `${fixed(amount * 100, digits ?? 6)}%`
    case 'e':
    case 'E': {
      const text = exponent(amount.toExponential(digits ?? 6))
      return kind === 'E' ? text.toUpperCase() : text
    }
    case 'g':
    case 'G': {
      const text = general(amount, Math.max(digits ?? 6, 1))
      return kind === 'G' ? text.toUpperCase() : text
    }
    case 'd':
    case 'n':
    case 'x':
    case 'X':
    case 'b':
    case 'o': {
      if (!Number.isInteger(amount)) throw new RunError(10023, [], from, to)
      const base = kind === 'x' || kind === 'X' ? 16 : kind === 'b' ? 2 : kind === 'o' ? 8 : 10
      const text = BigInt(amount).toString(base)
      return kind === 'X' ? text.toUpperCase() : text
    }
    default:
      throw new RunError(10032, [], from, to)
  }
}

/** The digits of an Integer >= 0; null for the specifications of fractions, which show it as a number. */
function wholeDigits(size: bigint, kind: string | undefined, digits: number | undefined): string | null {
  if (digits !== undefined) return null
  if (kind === undefined || kind === 'd' || kind === 'n') return size.toString()
  if (kind === 'x') return size.toString(16)
  if (kind === 'X') return size.toString(16).toUpperCase()
  if (kind === 'b') return size.toString(2)
  return kind === 'o' ? size.toString(8) : null
}

/** Python writes at least two digits of exponent. */
const exponent = (text: string): string => text.replace(/e([+-])(\d)$/, 'e$10$2')

function general(amount: number, digits: number): string {
  if (amount === 0) return '0'
  const scientific = amount.toExponential(digits - 1)
  const power = Number(scientific.slice(scientific.indexOf('e') + 1))
  if (power >= -4 && power < digits) return trimmed(fixed(amount, digits - 1 - power))
  return exponent(scientific.replace(/\.?0*e/, 'e'))
}

const trimmed = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

function group(text: string, mark: string | undefined): string {
  if (!mark) return text
  const [whole = '', ...rest] = text.split(/(?=[.e%])/)
  return whole.replace(/\B(?=(\d{3})+$)/g, mark) + rest.join('')
}

/** The exact value of `amount` >= 0 rounded to `digits` decimals, ties to even. */
export function fixed(amount: number, digits: number): string {
  const bits = new BigUint64Array(new Float64Array([amount]).buffer)[0]!
  const raised = Number((bits >> 52n) & 2047n)
  const mantissa = raised === 0 ? bits & 0xfffffffffffffn : (bits & 0xfffffffffffffn) | 0x10000000000000n
  const power = BigInt((raised === 0 ? 1 : raised) - 1075)
  // amount = mantissa * 2^power; scaled = amount * 10^digits.
  const scale = 10n ** BigInt(digits)
  let scaled: bigint
  if (power >= 0n) scaled = (mantissa << power) * scale
  else {
    const divisor = 1n << -power
    const product = mantissa * scale
    scaled = product / divisor
    const rest = (product % divisor) * 2n
    if (rest > divisor || (rest === divisor && scaled % 2n === 1n)) scaled += 1n
  }
  const text = scaled.toString().padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
