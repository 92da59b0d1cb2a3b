// Methods of text. Places count characters (code points), not UTF-16 units. Letter case follows Unicode without locales.
import { RunError } from '../../problems.ts'
import { maxSequenceLength } from './operators.ts'
import { padded } from './show.ts'

const isBlank = (c: string): boolean => c.trim() === ''

export const text_upper = (text: string): string => text.toUpperCase()
export const text_lower = (text: string): string => text.toLowerCase()
export const text_title = (text: string): string => text.toLowerCase().replace(/\p{L}+/gu, word => capital(word))
export const text_capitalize = (text: string): string => capital(text.toLowerCase())
function capital(text: string): string {
  const [first = '', ...rest] = text
  return first.toUpperCase() + rest.join('')
}

export const text_strip = (text: string, characters: string | null): string => text_lstrip(text_rstrip(text, characters), characters)
export function text_lstrip(text: string, characters: string | null): string {
  const all = [...text]
  const strips = (c: string): boolean => (characters === null ? isBlank(c) : characters.includes(c))
  let start = 0
  while (start < all.length && strips(all[start]!)) start++
  return all.slice(start).join('')
}
export function text_rstrip(text: string, characters: string | null): string {
  const all = [...text]
  const strips = (c: string): boolean => (characters === null ? isBlank(c) : characters.includes(c))
  let end = all.length
  while (end > 0 && strips(all[end - 1]!)) end--
  return all.slice(0, end).join('')
}

export function text_split(text: string, separator: string | null, most: number, from: number, to: number): string[] {
  if (separator === '') throw new RunError(10032, [], from, to)
  const parts = separator === null ? words(text, most) : text.split(separator)
  if (separator === null || most < 0 || parts.length <= most + 1) return parts
  return [...parts.slice(0, most), parts.slice(most).join(separator)]
}
function words(text: string, most: number): string[] {
  const found: string[] = []
  for (const match of text.matchAll(/\S+/g)) {
    if (found.length === most) return [...found, text.slice(match.index)]
    found.push(match[0])
  }
  return found
}
export function text_splitlines(text: string): string[] {
  const lines = text.split(/\r\n|[\n\r\v\f\u2028\u2029]/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

export function text_replace(text: string, old: string, fresh: string, count: number, from: number, to: number): string {
  const parts = old === '' ? ['', ...text, ''] : text.split(old)
  if (text.length + parts.length * fresh.length > maxSequenceLength) throw new RunError(10034, [], from, to)
  if (count < 0 || parts.length - 1 <= count) return parts.join(fresh)
  return parts.slice(0, count + 1).join(fresh) + old + parts.slice(count + 1).join(old)
}
const characters = (text: string): number => Array.from(text).length
const place = (text: string, units: number): number => (units < 0 ? -1 : characters(text.slice(0, units)))
export const text_find = (text: string, part: string): number => place(text, text.indexOf(part))
export const text_rfind = (text: string, part: string): number => place(text, text.lastIndexOf(part))
export function text_index(text: string, part: string, from: number, to: number): number {
  const found = text_find(text, part)
  if (found < 0) throw new RunError(10024, [], from, to)
  return found
}
export const text_count = (text: string, part: string): number => (part === '' ? [...text].length + 1 : text.split(part).length - 1)
export const text_startswith = (text: string, part: string): boolean => text.startsWith(part)
export const text_endswith = (text: string, part: string): boolean => text.endsWith(part)
export const text_removeprefix = (text: string, part: string): string => (text.startsWith(part) ? text.slice(part.length) : text)
export const text_removesuffix = (text: string, part: string): string =>
  part !== '' && text.endsWith(part) ? text.slice(0, -part.length) : text
export const text_isdigit = (text: string): boolean => /^\p{Nd}+$/u.test(text)
export const text_isalpha = (text: string): boolean => /^\p{L}+$/u.test(text)
export const text_isalnum = (text: string): boolean => /^[\p{L}\p{N}]+$/u.test(text)
export const text_isspace = (text: string): boolean => /^\s+$/.test(text)
export const text_isupper = (text: string): boolean => /\p{Lu}/u.test(text) && !/\p{Ll}/u.test(text)
export const text_islower = (text: string): boolean => /\p{Ll}/u.test(text) && !/\p{Lu}/u.test(text)
function wide(width: number, from: number, to: number): number {
  if (width > maxSequenceLength) throw new RunError(10034, [], from, to)
  return Math.trunc(width)
}
export function text_zfill(text: string, width: number, from: number, to: number): string {
  const sign = /^[+-]/.test(text) ? text.slice(0, 1) : ''
  return sign + padded(text.slice(sign.length), wide(width, from, to) - sign.length, '>', '0')
}
const fill = (text: string, from: number, to: number): string => {
  if ([...text].length !== 1) throw new RunError(10032, [], from, to)
  return text
}
export const text_ljust = (text: string, width: number, by: string, from: number, to: number): string =>
  padded(text, wide(width, from, to), '<', fill(by, from, to))
export const text_rjust = (text: string, width: number, by: string, from: number, to: number): string =>
  padded(text, wide(width, from, to), '>', fill(by, from, to))
export function text_center(text: string, width: number, by: string, from: number, to: number): string {
  const length = [...text].length
  const missing = Math.max(0, wide(width, from, to) - length)
  // CPython puts the odd blank to the left when the width is odd.
  const left = Math.floor(missing / 2) + (missing % 2 === 1 && wide(width, from, to) % 2 === 1 ? 1 : 0)
  return padded(padded(text, length + left, '>', fill(by, from, to)), wide(width, from, to), '<', by)
}

export function chr(code: number, from: number, to: number): string {
  if (!Number.isInteger(code) || code < 0 || code > 0x10ffff) throw new RunError(10019, [], from, to)
  return String.fromCodePoint(code)
}
export function ord(character: string, from: number, to: number): number {
  if ([...character].length !== 1) throw new RunError(10019, [], from, to)
  return character.codePointAt(0) ?? 0
}
