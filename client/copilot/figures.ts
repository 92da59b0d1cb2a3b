// Finds the numbers of an answer that occur neither in what was said nor in what tools returned: they are shown as not checked; and those that a run gave:
// they lead to it.
import type { ModelTurn, Part, Turn } from './turns.ts'
import { plainOf } from './words.ts'

/** Decimals and per cent; whole numbers are names, counts and years as often as results. */
const figure = /(?<![\p{Script=Latin}\p{N}_.])[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:\s?%)?(?![\d_]|\.\d)/gu
const number = /-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/giu

/** The numbers that a conversation is based on: in questions, in descriptions for models, and in arguments and results of tools. */
export function numbersIn(turns: readonly Turn[]): readonly number[] {
  const found = new Set<number>()
  const take = (text: string): void => {
    for (const [one] of text.replaceAll(/(?<=\d),(?=\d{3})/g, '').matchAll(number)) found.add(Math.abs(Number(one)))
  }
  for (const turn of turns) {
    if (turn.is !== 'model') continue
    take(turn.asked)
    take(turn.told ?? '')
    for (const part of turn.parts)
      if (part.is === 'tool') {
        take(part.given)
        take(part.result ?? '')
      }
  }
  return [...found]
}

/** The tools that run the model: what they give can be made again. */
export const runningTools: ReadonlySet<string> = new Set(['run', 'replicate', 'experiment', 'compare', 'trace', 'validate', 'matters'])

/** A digest of what a run gave: equal ones, the same result (but for one case in four thousand million). Results are numbered: that is no part of it. */
export function digestOfResult(text: string): string {
  const plain = plainOf(text)
  const what = Object.keys(plain).length > 0 ? JSON.stringify({ ...plain, result: 0 }) : text
  let hash = 0x811c9dc5
  for (let at = 0; at < what.length; at++) hash = Math.imul(hash ^ what.charCodeAt(at), 0x01000193) >>> 0
  return hash.toString(36)
}

export type ToolPart = Part & { is: 'tool' }

/** A number that a run gave. `of`: what was measured, and the other numbers that were found of it. */
export type Measured = { readonly value: number; readonly of: Measure; readonly part: ToolPart; readonly turn: ModelTurn }
export type Measure = { readonly name: string; readonly figures: readonly (readonly [name: string, value: number])[] }

/** The properties of a result that describe how its runs were made, not their outcome. */
const makings: ReadonlySet<string> = new Set(['result', 'seed', 'seeds', 'ticks', 'runs', 'expected', 'tolerance', 'count', 'time'])

/** The numbers that runs gave, the latest first. */
export function measuredIn(turns: readonly Turn[]): readonly Measured[] {
  return turns.toReversed().flatMap(turn =>
    turn.is !== 'model'
      ? []
      : turn.parts.toReversed().flatMap(part => {
          if (part.is !== 'tool' || !part.ok || part.result === null || !runningTools.has(part.name)) return []
          const given = plainOf(part.given)
          const name = part.name === 'validate' ? String(given['measure'] ?? '') : ''
          return measuresIn(plainOf(part.result), name).flatMap(of => of.figures.map(([, value]) => ({ value, of, part, turn })))
        }),
  )
}

/** The measures of a result by what they are called in it. */
function measuresIn(value: unknown, name: string, depth = 0): Measure[] {
  if (typeof value !== 'object' || value === null || depth > 6) return []
  const entries = Object.entries(value).filter(([key]) => !makings.has(key))
  const figures = entries.flatMap(([key, one]): [string, number][] => (typeof one === 'number' ? [[key, one]] : []))
  const inner = entries.flatMap(([key, one]) =>
    lists.has(key) && typeof one === 'object' && one !== null
      ? Object.entries(one).flatMap(([measure, found]): Measure[] =>
          typeof found === 'number' ? [{ name: measure, figures: [['', found]] }] : [],
        )
      : measuresIn(one, nameIn(value, key, name), depth + 1),
  )
  return figures.length > 0 ? [{ name, figures }, ...inner] : inner
}

/** What of a run is a number by its name; what only holds measures. */
const lists: ReadonlySet<string> = new Set(['statistics', 'publics', 'populations'])
const around: ReadonlySet<string> = new Set(['measures', 'values', 'containers'])

function nameIn(holder: object, key: string, name: string): string {
  const value: unknown = Reflect.get(holder, 'value')
  const here = typeof value === 'number' && name !== '' ? `${name} = ${value}` : name
  if (around.has(key)) return key === 'values' && 'name' in holder && typeof holder.name === 'string' ? holder.name : here
  return Array.isArray(holder) ? here : [here, key].filter(part => part !== '').join(' · ')
}

/** A piece of a text: plain, a number that no known number rounds to, or one that a run gave. */
export type Piece =
  | { readonly text: string; readonly is: 'plain' | 'unchecked' }
  | { readonly text: string; readonly is: 'measured'; readonly by: Measured }

/** The text in pieces. `known`: the numbers it may rest on; `measured`: those of runs. */
export function piecesIn(text: string, known: readonly number[], measured: readonly Measured[]): Piece[] {
  const pieces: Piece[] = []
  const plain = (piece: string): void => void (piece !== '' && pieces.push({ text: piece, is: 'plain' }))
  let from = 0
  for (const { 0: said, index } of text.matchAll(figure)) {
    const isPercent = said.endsWith('%')
    const digits = said.replaceAll(/[^\d.]/g, '')
    const decimals = digits.split('.')[1]?.length ?? 0
    // Whole numbers are names, counts and years as often as results; those of several digits may be what a run gave.
    const isWhole = decimals === 0 && !isPercent
    if (isWhole && digits.length < 2) continue
    // Half of the last written digit, and a little for values that a decimal cannot represent exactly.
    const near = isWhole ? 0 : 0.5 * 10 ** -decimals * (1 + 1e-9)
    const value = Number(digits)
    const fits = (one: number): boolean => Math.abs(one - value) <= near || (isPercent && Math.abs(one * 100 - value) <= near)
    const by = measured.find(one => fits(Math.abs(one.value)))
    if (by === undefined && (isWhole || known.some(fits))) continue
    plain(text.slice(from, index))
    pieces.push(by === undefined ? { text: said, is: 'unchecked' } : { text: said, is: 'measured', by })
    from = index + said.length
  }
  plain(text.slice(from))
  return pieces
}
