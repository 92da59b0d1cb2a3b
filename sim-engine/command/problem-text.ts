// A problem as the command line prints it: where, what, the line of the formula with a mark below, and what to do.
import type { Element, Model } from '../../model-schema/model.ts'
import { textOf } from '../check/resolve.ts'
import type { Problem } from '../problems.ts'
import { english } from '../../model-schema/words.ts'

/** Most characters of a line shown. */
const maxLineWidth = 100

/** `error 10018 compute "think" program 1:9: Division by zero.`, then the line, its location and the fix; ends with a line break. */
export function problemText(model: Model, { code, severity, at, message, fix }: Problem, more = ''): string {
  const element = model.elements.get(at.id)
  const text = element && at.field !== undefined && at.from !== undefined ? fieldText(element, at.field) : null
  const found = text === null ? null : placeIn(text, at.from ?? 0, at.to ?? at.from ?? 0)
  const where = `${element?.kind ?? '?'} ${element ? named(element) : at.id}${at.field === undefined ? '' : ` ${at.field}`}${found ? ` ${found.line}:${found.column}` : ''}`
  const holders = element ? holdersOf(model, element) : []
  return [
    `${severity} ${code} ${where}: ${english(message)}${more}`,
    ...(found?.marked ?? []),
    ...(holders.length > 0 ? [`    in ${holders.map(one => `${one.kind} ${named(one)}`).join(', in ')}`] : []),
    `    ${english(fix)}`,
    '',
  ].join('\n')
}

const named = (element: Element): string => {
  const name = textOf(element, 'name')
  return name === '' ? element.id : `"${name}"`
}

/** The processes and populations around an element, innermost first; the scenario is printed elsewhere. */
function holdersOf(model: Model, element: Element): Element[] {
  const holders: Element[] = []
  for (let id = element.parent; id !== null && holders.length < 20;) {
    const holder = model.elements.get(id)
    if (!holder || holder.kind === 'scenario') break
    holders.push(holder)
    id = holder.parent
  }
  return holders
}

/** The text of a field, or of a cell: `items/0/amount`. */
function fieldText(element: Element, field: string): string | null {
  let value: unknown = element.fields
  for (const key of field.split('/'))
    value = value !== null && typeof value === 'object' && Object.hasOwn(value, key) ? Reflect.get(value, key) : null
  return typeof value === 'string' ? value : null
}

/** Line and column, from 1, and the line with a mark below the position. */
function placeIn(text: string, from: number, to: number): { line: number; column: number; marked: string[] } {
  const begin = text.lastIndexOf('\n', Math.max(from, 0) - 1) + 1
  const nextBreak = text.indexOf('\n', from)
  const whole = text.slice(begin, nextBreak < 0 ? text.length : nextBreak).replace(/\r$/, '')
  const column = from - begin
  const cut = column > maxLineWidth - 20 ? column - 20 : 0
  const shown = whole.slice(cut, cut + maxLineWidth).replaceAll('\t', ' ')
  const length = Math.max(1, Math.min(to - from, shown.length - (column - cut)))
  return {
    line: text.slice(0, begin).split('\n').length,
    column: column + 1,
    marked: [`    ${shown}`, `    ${' '.repeat(column - cut)}${'^'.repeat(length)}`],
  }
}
