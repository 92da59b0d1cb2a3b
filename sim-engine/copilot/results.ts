// What the tools answer: elements, kinds, problems, runs and changes as short plain data, cut to what an answer may hold.
import { sameJson } from '../../model-schema/integrity.ts'
import { formulaName, kindOf, kinds, kindsOn } from '../../model-schema/kinds.ts'
import type { Field, Json } from '../../model-schema/kinds/kind.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import { idsIn, type Delta } from '../../model-schema/proposals.ts'
import { intervalOf } from '../experiment.ts'
import type { Summary } from '../messages.ts'
import type { Problem } from '../problems.ts'
import { referencesTo } from '../references.ts'
import { spotOf } from './branch.ts'
import type { Measured, Screening } from './matters.ts'
import { nameOf } from './questions.ts'
import { TOOL, type Refused } from './tools.ts'
import type { Traced } from './trials.ts'
import { visible } from './visible.ts'
import { english } from '../../model-schema/words.ts'

const rounded = (value: number): number | null => (Number.isFinite(value) ? Number(value.toPrecision(6)) : null)

export function interval(values: readonly number[]): { mean: number | null; low: number | null; high: number | null } {
  const { mean, low, high } = intervalOf(values, 0.95)
  return { mean: rounded(mean), low: rounded(low), high: rounded(high) }
}

/** The interval of what two sides differ in under the same seeds; null when they were not measured alike. */
export function differenceOf(first: readonly number[] | undefined, second: readonly number[]): { [key: string]: Json } | null {
  if (!first || first.length !== second.length) return null
  const paired = second.map((x, i) => x - (first[i] ?? 0))
  const { low, high } = intervalOf(paired, 0.95)
  return { ...interval(paired), verdict: low > 0 || high < 0 ? 'differs' : 'no difference found' }
}

/** What a screening found of a measure, the input that moves it most first. */
export const screenedOf = ([measure, { base, effects }]: readonly [string, Measured], found: Screening): { [key: string]: Json } => ({
  measure,
  runs: found.runs,
  seeds: `1 to ${found.paths}`,
  failed: found.failed,
  base: rounded(base),
  inputs: effects.map(({ input, size, mean, low, high, isSure }) => ({
    id: input.id,
    name: input.name,
    range: [input.low, input.high],
    moves: rounded(size),
    mean: rounded(mean),
    low: rounded(low),
    high: rounded(high),
    verdict: isSure ? 'matters' : 'no more than chance',
  })),
  others: [...found.measures.keys()].filter(one => one !== measure).slice(0, 40),
})

/** Characters of a name in a line. */
const NAMED = 80

export function lineOf(model: Model, element: Element, problems: number): string {
  const { id, kind, ends, children, fields } = element
  const given = typeof fields['name'] === 'string' ? fields['name'] : ''
  const cut = given.length > NAMED ? `${given.slice(0, NAMED)}…` : given
  const name = cut === '' ? '' : ` ${visible(JSON.stringify(cut))}`
  const between = ends ? ` ${ends.from.id ?? '?'} -> ${ends.to.id ?? '?'}` : ''
  return `${id} ${kind}${name}${between}${children.length > 0 ? ` (${children.length} inside)` : ''}${problems > 0 ? ` [${problems} problems]` : ''}`
}

/** Elements with fields or ends that refer to this one by id, or with formulas that contain its name. */
export function usersOf(model: Model, element: Element): string[] {
  const name = formulaName(String(element.fields['name'] ?? ''))
  const said = name === '' ? null : new RegExp(`(?<![\\p{L}\\p{N}_])${name.replaceAll(/[^\p{L}\p{N}_]/gu, '\\$&')}(?![\\p{L}\\p{N}_])`, 'u')
  const users: string[] = []
  for (const other of model.elements.values()) {
    if (other.id === element.id) continue
    const isEnd = other.ends?.from.id === element.id || other.ends?.to.id === element.id
    const names = (kindOf(other.kind)?.fields ?? []).some(field => {
      const value = other.fields[field.id]
      if (value === undefined || field.id === 'name') return false
      return (
        idsIn(field, value).includes(element.id) ||
        ((field.type.as === 'formula' || field.type.as === 'rows') && said?.test(textIn(value)) === true)
      )
    })
    if (isEnd || names) users.push(lineOf(model, other, 0))
  }
  return users
}

export const textIn = (value: Json | undefined): string =>
  typeof value === 'string'
    ? value
    : value === undefined || value === null
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value)

/** The fields of an element that differ from their defaults, or those of them that are asked for; each cut to so many characters with a mark. */
export function fieldsOf(element: Element, length = 6000, fields?: readonly string[]): { [key: string]: Json } {
  const shown: { [key: string]: Json } = {}
  for (const field of kindOf(element.kind)?.fields ?? []) {
    const value = element.fields[field.id]
    if (value === undefined || (fields ? !fields.includes(field.id) : sameJson(value, field.initial))) continue
    shown[field.id] = brief(field, value, length)
  }
  return shown
}

/** A value as a caller reads it: pictures and weights as their size, long texts cut with a mark. */
function brief(field: Field, value: Json, length: number): Json {
  if (field.type.as === 'image' || field.type.as === 'data') return `(${textIn(value).length} characters)`
  const text = textIn(value)
  return text.length > length ? `${text.slice(0, length)}… (${text.length} characters)` : value
}

export function kindRow(id: string | undefined): { [key: string]: Json } | Refused {
  if (id === undefined)
    return {
      kinds: kinds.map(one => `${one.id}: ${english(one.label)}; on ${one.on.join(', ')}${one.opens ? `; opens ${one.opens}` : ''}`),
    }
  const row = kindOf(id)
  if (!row) return { refused: `There is no kind "${id}". There are: ${kinds.map(one => one.id).join(', ')}.` }
  return {
    id,
    label: english(row.label),
    help: english(row.help),
    on: [...row.on],
    ...(row.opens ? { opens: row.opens, takes: kindsOn(row.opens).map(one => one.id) } : {}),
    ...(row.joins ? { from: [...row.joins.from], to: [...row.joins.to] } : {}),
    fields: row.fields.map(fieldRow),
  }
}

const fieldRow = (field: Field): Json => {
  const { id, help, type, initial, when } = field
  return {
    id,
    is: type.as === 'formula' ? `formula (${type.context})` : type.as,
    ...(type.as === 'choice' ? { values: Object.keys(type.options) } : {}),
    ...(type.as === 'ref' || type.as === 'refs' ? { to: [...type.to] } : {}),
    ...(type.as === 'rows' ? { columns: type.columns.map(one => `${one.id}: ${one.type.as}`) } : {}),
    ...(type.as === 'number' && type.min !== undefined ? { min: type.min } : {}),
    ...(type.as === 'number' && type.max !== undefined ? { max: type.max } : {}),
    ...(initial === '' || initial === null ? {} : { default: textIn(initial).length > 200 ? '…' : initial }),
    ...(when ? { when: Object.fromEntries(Object.entries(when).map(([key, all]) => [key, [...all]])) } : {}),
    help: english(help),
  }
}

export const told = (one: Problem): Json => ({
  problem: spotOf(one),
  code: one.code,
  severity: one.severity,
  at: one.at.id,
  ...(one.at.field === undefined ? {} : { field: one.at.field }),
  says: english(one.message),
  fix: english(one.fix),
})

export function summaryOf(model: Model, summary: Summary): { [key: string]: Json } {
  const { result, seed, ticks, time, statistics, publics, containers, populations, hash } = summary
  return {
    end: result.end,
    ...(result.end === 'failed' ? { failure: { ...(told(result.problem) as { [key: string]: Json }), tick: result.tick } } : {}),
    seed,
    ticks,
    time,
    statistics,
    publics,
    containers,
    populations,
    waiting: waitingIn(model, summary).slice(0, 20),
    hash,
  }
}

/** The steps that concern an element: itself, those inside it, or those with formulas and fields that refer to it. */
export function stepsAbout(model: Model, scenario: Id, id: Id): Set<Id> {
  const steps = new Set<Id>()
  const isStep = (one: Id): boolean => {
    const element = model.elements.get(one)
    return element !== undefined && !element.ends && kindOf(model.elements.get(element.parent ?? '')?.kind ?? '')?.opens === 'process'
  }
  const walk = (one: Id): void => {
    if (isStep(one)) steps.add(one)
    for (const child of model.elements.get(one)?.children ?? []) walk(child)
  }
  walk(id)
  if (steps.size === 0) for (const { id: user } of referencesTo(model, scenario, id)) if (isStep(user)) steps.add(user)
  return steps
}

/** The tokens that wait at the end of a run for something other than time, by step. */
const waitingIn = (model: Model, { waiting }: Summary): Json[] =>
  waiting
    .filter(row => row.for !== 'time')
    .map(row => ({
      at: row.element,
      step: row.step,
      process: row.process,
      for: row.for,
      count: row.count,
      name: nameOf(model.elements.get(row.element)),
    }))

/** A trace as a caller reads it. `steps`: those it is about. */
export function tracedOf(model: Model, steps: ReadonlySet<string>, { summary, lines, all }: Traced): { [key: string]: Json } {
  const { result, seed, ticks, time } = summary
  return {
    end: result.end,
    ...(result.end === 'failed' ? { failure: { ...(told(result.problem) as { [key: string]: Json }), tick: result.tick } } : {}),
    seed,
    ticks,
    time,
    about: [...steps].slice(0, 40).flatMap(id => (model.elements.has(id) ? [lineOf(model, model.elements.get(id) as Element, 0)] : [])),
    steps: all,
    columns: 'time, who, verb, step',
    shown: listed([...lines]),
    waiting: waitingIn(model, { ...summary, waiting: summary.waiting.filter(row => steps.has(row.element)) }).slice(0, 20),
  }
}

export function deltaLine(model: Model, { id, sort, entries }: Delta): Json {
  const element = model.elements.get(id)
  const kind = element?.kind ?? String(entries.find(({ at }) => at === 'kind')?.before ?? '')
  const name = element ? nameOf(element) : String(entries.find(({ at }) => at === 'data/name')?.before ?? id)
  const cut = (value: Json | undefined): Json =>
    value === undefined ? null : textIn(value).length > 200 ? `${textIn(value).slice(0, 200)}…` : value
  return {
    id,
    sort,
    kind,
    name,
    ...(sort === 'changed'
      ? { fields: entries.slice(0, 20).map(({ at, before, after }) => ({ at, before: cut(before), after: cut(after) })) }
      : {}),
  }
}

/** As many of a list as an answer takes, and how many were left off. */
export function listed(rows: readonly Json[]): Json {
  const { taken } = fitting(rows, 0)
  return taken.length === rows.length ? [...rows] : [...taken, `and ${rows.length - taken.length} more`]
}

export function paged(name: string, rows: readonly string[], offset: number): { [key: string]: Json } {
  const { taken } = fitting(rows, offset)
  const next = offset + taken.length
  return { total: rows.length, [name]: taken, ...(next < rows.length ? { next } : {}) }
}

function fitting(rows: readonly Json[], offset: number): { taken: Json[] } {
  const taken: Json[] = []
  let size = 0
  for (const row of rows.slice(offset, offset + TOOL.listed)) {
    size += JSON.stringify(row).length + 1
    if (size > TOOL.resultLength * 0.7) break
    taken.push(row)
  }
  return { taken }
}
