// Repairs of wrong formulas: names that are nearly right, signs that are missing or too many, and undeclared names.
import { formulaName, hasFormulaName, kindOf } from '../../model-schema/kinds.ts'
import type { Json } from '../../model-schema/kinds/kind.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import { constants, rows as functions } from '../language.ts'
import type { Problem } from '../problems.ts'
import { formulaAt, nameOf, set, way, writeAt, type Candidate } from './candidates.ts'
import { say, type Words } from '../../model-schema/words.ts'

/** `all`: the problems of the model. */
export function wrongFormula(model: Model, element: Element, problem: Problem, all: readonly Problem[]): Candidate[] {
  const { field = '', from = 0, to = 0 } = problem.at
  const text = formulaAt(element, field)
  if (text === null) return []
  const put = (next: string, words: Words): Candidate => ({ words, calls: [writeAt(element, field, next)] })
  const instead = (word: string): Candidate =>
    put(
      text.slice(0, from) + word + text.slice(to),
      say('Writes {word} for {text}.', { word, text: text.slice(from, to) || say('nothing') }),
    )
  const found: Candidate[] = []
  const written = text.slice(from, to)
  const nobodys = problem.kind === 'name-not-found' ? newElements(model, written, all) : []
  // One formula may be mistyped; what several say is an element that went away.
  const isLost = new Set(all.flatMap(one => (nameMissing(model, one) === written ? [`${one.at.id} ${one.at.field}`] : []))).size > 1
  if (isLost) found.push(...nobodys)
  if (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(written)) {
    const near = namesIn(model)
      .map(name => ({ name, far: distance(name.toLowerCase(), written.toLowerCase()) }))
      .filter(({ name, far }) => far <= Math.min(2, written.length - 1) && name !== written)
      .sort((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1))
    const least = near[0]?.far
    const equal = near.filter(({ far }) => far === least)
    // The checker's own guess goes by what fits there; it is not the only one where another name is as near.
    if (problem.near !== undefined && equal.length < 2) found.push(instead(problem.near))
    for (const { name, far } of near) found.push(far === least && equal.length > 1 ? { ...instead(name), oneOf: 'name' } : instead(name))
  }
  if (!isLost) found.push(...nobodys)
  found.push(...unset(model, text))
  if (problem.kind === 'must-write')
    for (const name of new Set(variablesOf(model, text).map(one => formulaName(String(one.fields['name'])))))
      found.push({ ...put(`${name} = ${text}`, say('Assigns it to {name}.', { name })), rival: true })
  if (problem.kind === 'type-mismatch')
    for (const by of ['str', 'float', 'int', 'len'])
      found.push(
        put(`${text.slice(0, from)}${by}(${written})${text.slice(to)}`, say('Converts {written} with {by}(...).', { written, by })),
      )
  if (problem.kind === 'type-mismatch' && text.includes('+'))
    for (const side of [/\+\s*([\w.]+)/, /([\w.]+)\s*(?=\+)/])
      found.push(
        put(
          text.replace(side, (all, one: string) => all.replace(one, `str(${one})`)),
          say('Joins it as a text.'),
        ),
      )
  if (keywords.test(text)) found.push(put(text.replace(keywords, '$2, $1'), say('Puts named arguments last.')))
  found.push(...closing(text).map(next => put(next, say('Closes what was left open.'))))
  if (/(^|[^=<>!+\-*/%])=([^=]|$)/.test(text))
    found.push(put(text.replaceAll(/(^|[^=<>!+\-*/%])=(?=[^=]|$)/g, '$1=='), say('Compares with == instead of =.')))
  for (const [other, ours] of spellings)
    if (text.includes(other))
      found.push(put(text.replaceAll(other, ours), say('Writes {ours} for {other}.', { ours: ours.trim(), other: other.trim() })))
  const places = new Set([
    from,
    to,
    from - 1,
    to - 1,
    text.length,
    text.length - 1,
    ...Array.from({ length: Math.min(text.length, 30) }, (_, i) => from - i),
    ...Array.from({ length: 10 }, (_, i) => to + i),
  ])
  for (const at of places) {
    if (at < 0 || at > text.length) continue
    if (at < text.length && !/[\p{L}\p{N}\s]/u.test(text[at] ?? ''))
      found.push(put(text.slice(0, at) + text.slice(at + 1), say('Leaves out {text}.', { text: text[at] ?? '' })))
    if (at > 0 && /[\p{L}\p{N}_]/u.test(text[at] ?? '') && /[\p{L}\p{N}_]/u.test(text[at - 1] ?? '')) continue
    for (const sign of [')', '(', ']', '[', '}', '"', ':', ','])
      found.push(put(text.slice(0, at) + sign + text.slice(at), say('Adds {sign}.', { sign })))
  }
  return found
}

/** Named arguments, and the one without a name behind them. */
const keywords = /((?:[\p{L}_][\p{L}\p{N}_]*\s*=(?!=)\s*[^,()]*,\s*)*[\p{L}_][\p{L}\p{N}_]*\s*=(?!=)\s*[^,()]*),\s*([^,()=]+)(?=[),])/u

/** The variables that a formula says. */
function variablesOf(model: Model, text: string): Element[] {
  const said = new Set(text.match(/[\p{L}_][\p{L}\p{N}_]*/gu))
  return [...model.elements.values()].filter(one => one.kind === 'variable' && said.has(formulaName(String(one.fields['name'] ?? ''))))
}

/** Variables in the formula with a blank initial value, so that they are None to begin with: a value to begin with. */
function unset(model: Model, text: string): Candidate[] {
  return variablesOf(model, text)
    .filter(one => one.fields['initial'] === '')
    .slice(0, 4)
    .flatMap(one =>
      ['0', 'False', '""', '[]'].map((initial): Candidate => ({
        ...way(say('Lets "{one}" begin with {initial}.', { one: nameOf(one), initial }), set(one.id, 'initial', initial)),
        rival: true,
      })),
    )
}

const spellings: readonly (readonly [string, string])[] = [
  ['&&', ' and '],
  ['||', ' or '],
  ['!=', ' != '],
  ['++', ' += 1'],
  ['--', ' -= 1'],
  ['^', '**'],
  [';', '\n'],
  ['true', 'True'],
  ['false', 'False'],
  ['null', 'None'],
]

/** The text with the brackets it lacks at its end; of several lines, at the end of those that lack some. */
function closing(text: string): string[] {
  const lines = text.split('\n')
  const byLine = lines.length > 1 ? lines.map(one => closed(one) ?? one).join('\n') : text
  return [...(byLine === text ? [] : [byLine]), ...[closed(text) ?? []].flat()]
}

function closed(text: string): string | null {
  const open: string[] = []
  const pairs: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
  for (const sign of text.replaceAll(/"[^"\n]*"|'[^'\n]*'/g, '')) {
    if (pairs[sign]) open.push(pairs[sign])
    else if (open.at(-1) === sign) open.pop()
  }
  return open.length > 0 ? text + open.toReversed().join('') : null
}

/** Every name a formula of the model could say. */
export function namesIn(model: Model): string[] {
  const names = new Set<string>()
  for (const element of model.elements.values()) {
    const name = hasFormulaName(element.kind) ? formulaName(String(element.fields['name'] ?? '')) : ''
    if (name !== '') names.add(name)
  }
  for (const row of functions) names.add(row.signature.name)
  for (const constant of Object.keys(constants)) names.add(constant)
  return [...names]
}

/** How many letters must be added, left out, changed or swapped with the next (Damerau and Levenshtein, restricted). */
export function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 3) return 4
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, i) => i)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    const above = rows[i - 1] ?? []
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, (rows[i - 2]?.[j - 2] ?? 0) + 1)
      row.push(least)
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}

/** The undeclared name in a formula, if that is the problem. */
function nameMissing(model: Model, { kind, at }: Problem): string | null {
  const element = kind === 'name-not-found' ? model.elements.get(at.id) : undefined
  return (element && formulaAt(element, at.field ?? '')?.slice(at.from, at.to)) || null
}

/** Undeclared names in formulas, the most frequent first. */
export function missingNames(model: Model, problems: readonly Problem[]): string[] {
  const times = new Map<string, number>()
  for (const one of problems) {
    const name = nameMissing(model, one)
    if (name !== null) times.set(name, (times.get(name) ?? 0) + 1)
  }
  return [...times].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([name]) => name)
}

// What a name can be of: kinds with the values that make them fit where others do not.
const newcomers: readonly {
  readonly kind: string
  readonly values: Readonly<Record<string, Json>>
  readonly words: Words
}[] = [
  {
    kind: 'container',
    values: { reusable: true, initial: '1' },
    words: say('a reusable container with 1 unit'),
  },
  { kind: 'container', values: { initial: '0' }, words: say('an empty container') },
  { kind: 'container', values: { contents: 'items', initial: '[]' }, words: say('an empty container of items') },
  { kind: 'container', values: { contents: 'keyed', initial: '{}' }, words: say('an empty container of amounts by key') },
  { kind: 'variable', values: { initial: '0' }, words: say('a variable that is 0') },
  { kind: 'variable', values: { initial: 'False' }, words: say('a variable that is False') },
  { kind: 'variable', values: { initial: '""' }, words: say('a variable that is an empty text') },
  { kind: 'variable', values: { initial: '[]' }, words: say('a variable that is an empty list') },
]

/** Elements that would have an undeclared name, on the canvases of the formulas with it; the one that solves most of them is meant. */
function newElements(model: Model, name: string, all: readonly Problem[]): Candidate[] {
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) return []
  const canvases = new Set<Id>()
  for (const one of all)
    if (nameMissing(model, one) === name)
      for (let at = model.elements.get(one.at.id); at; at = model.elements.get(at.parent ?? ''))
        if (at.parent === null || kindOf(at.kind)?.opens === 'entity') canvases.add(at.id)
  return newcomers.flatMap(({ kind, values, words }) =>
    [...canvases].slice(0, 4).map((parent): Candidate => ({
      words: say('Adds {words}: "{name}". See whether that is what you mean.', { words, name }),
      calls: [{ do: 'place', kind, parent, values: { name, ...values } }],
      rival: true,
    })),
  )
}
