// The measures of a model, element by element: counts, means, queues, waits. Each is a formula, so that users can choose instead of write.
// Pure: reads only the model.
import { formulaName, kindOf } from '../../../model-schema/kinds.ts'
import type { Element, Id, Model } from '../../../model-schema/model.ts'
import { pathTo } from '../../editor/grammar.ts'
import { say, sayIn, verbatim, type Words } from '../../../model-schema/words.ts'

export type Measure = {
  readonly key: string
  readonly label: Words
  readonly formula: string
  /** A truth rather than a number. */
  readonly truth?: boolean
}

/** A question about individuals that has still to be said: of a population, about one of these. */
export type Where = { readonly population: string; readonly properties: readonly Property[] }

type Property = {
  readonly name: string
  readonly is: 'number' | 'truth' | 'text'
  /** Whether it is an Integer, as amounts on chains are. */
  readonly isExact?: true
  /** Texts it is known to have. */
  readonly values: readonly string[]
}

export type MeasureGroup = {
  readonly id: Id
  readonly element: Element
  readonly measures: readonly Measure[]
  readonly where?: Where
}

const titleWords = (name: string): string => formulaName(name)

const nameOf = (element: Element): string => {
  const { name } = element.fields
  return typeof name === 'string' ? titleWords(name) : ''
}

/** All measures available in the scope of `from`: its own first, then those of the scenario. */
export function measuresFor(model: Model, from: Id): readonly MeasureGroup[] {
  const path = pathTo(model, from)
  const scenario = path[0]
  if (!scenario) return []
  const own = path
    .slice(1)
    .toReversed()
    .flatMap(canvas => inside(model, canvas).flatMap(ownMeasures))
  const shared = inside(model, scenario).flatMap(element => groupOf(model, element))
  return [...own, ...shared, clock(scenario)]
}

const inside = (model: Model, canvas: Element): Element[] => canvas.children.flatMap(id => model.elements.get(id) ?? [])

/** Variables and containers of the individual or process that a formula belongs to: written as bare names. */
function ownMeasures(element: Element): MeasureGroup[] {
  const name = nameOf(element)
  if (name === '' || (element.kind !== 'variable' && element.kind !== 'container' && element.kind !== 'interface')) return []
  return [{ id: element.id, element, measures: element.kind === 'container' ? containerMeasures(element, name) : valueOf(element, name) }]
}

function groupOf(model: Model, element: Element): MeasureGroup[] {
  const name = nameOf(element)
  if (name === '') return []
  const { id, kind } = element
  if (kind === 'container') return [{ id, element, measures: containerMeasures(element, name) }]
  if (kind === 'variable' || kind === 'statistic') return [{ id, element, measures: valueOf(element, name) }]
  return kindOf(kind)?.opens === 'entity' ? [populationOf(model, element, name)] : []
}

const clock = (scenario: Element): MeasureGroup => ({
  id: scenario.id,
  element: scenario,
  measures: [
    { key: 'tick', label: say('Ticks so far'), formula: 'tick' },
    { key: 'time', label: say('Time'), formula: 'time' },
  ],
})

const valueOf = (element: Element, name: string): Measure[] => [
  { key: 'value', label: say('Value'), formula: name, truth: propertyOf(element, [])?.is === 'truth' },
]

function containerMeasures({ fields }: Element, name: string): Measure[] {
  const say2 = (member: string, words: Words): Measure => ({ key: member, label: words, formula: `${name}.${member}` })
  const waiting = [
    say2('queue', say('Waiting now')),
    say2('mean_queue', say('Waiting on average')),
    say2('max_queue', say('Longest queue')),
    say2('mean_wait', say('Mean wait')),
    say2('max_wait', say('Longest wait')),
    say2('served', say('Served so far')),
    say2('gave_up', say('Gave up so far')),
  ]
  if (fields['reusable'] === true)
    return [
      say2('queue', say('Waiting now')),
      say2('in_use', say('In use now')),
      say2('utilization', say('Share of time busy')),
      say2('mean_in_use', say('In use on average')),
      ...waiting.slice(1),
      say2('level', say('Free now')),
    ]
  if (fields['contents'] === 'keyed') return waiting
  return [say2('level', say('Amount now')), say2('mean_level', say('Amount on average')), ...waiting]
}

function populationOf(model: Model, element: Element, name: string): MeasureGroup {
  const measures: Measure[] = [{ key: 'count', label: say('How many'), formula: `${name}.count` }]
  const properties: Property[] = []
  const texts = [...model.elements.values()].flatMap(one => Object.values(one.fields).filter(value => typeof value === 'string'))
  for (const part of inside(model, element)) {
    const own = nameOf(part)
    if (own === '' || own === 'x') continue
    const shared = part.fields['owner'] === 'observer'
    if (part.kind === 'container') {
      if (shared) measures.push(...containerMeasures(part, `${name}.${own}`).map(one => ({ ...one, label: of(one.label, own) })))
      else measures.push(aggregate('mean', `${own}.level`, name, own))
    }
    if (part.kind !== 'variable') continue
    if (shared) {
      measures.push({ key: own, label: verbatim(own), formula: `${name}.${own}` })
      continue
    }
    const property = propertyOf(part, texts)
    if (!property) continue
    properties.push(property)
    if (property.is === 'truth')
      measures.push(
        { key: `count ${own}`, label: say('How many are {own}', { own }), formula: countWhere(name, property, 'is', 'True') },
        {
          key: `share ${own}`,
          label: say('Share that is {own}', { own }),
          formula: `${countWhere(name, property, 'is', 'True')} / max(1, ${name}.count)`,
        },
      )
    else if (property.isExact) measures.push(...(['sum', 'min', 'max'] as const).map(how => exactAggregate(how, own, name)))
    else if (property.is === 'number') measures.push(...(['mean', 'sum', 'min', 'max'] as const).map(how => aggregate(how, own, name, own)))
    else
      for (const value of property.values)
        measures.push({
          key: `count ${own} ${value}`,
          label: say('How many with {own} “{value}”', { own, value }),
          formula: countWhere(name, property, 'is', JSON.stringify(value)),
        })
  }
  return { id: element.id, element, measures, ...(properties.length > 0 ? { where: { population: name, properties } } : {}) }
}

const of = (words: Words, name: string): Words => say('{name}: {words}', { name, words })

const hows = {
  mean: say('Mean of'),
  sum: say('Sum of'),
  min: sayIn('of a distribution', 'Lowest'),
  max: sayIn('of a distribution', 'Highest'),
} as const

function aggregate(how: keyof typeof hows, member: string, population: string, shown: string): Measure {
  const words = hows[how]
  const list = `[x.${member} for x in ${population}]`
  // Minimum and maximum of an empty population are none.
  const formula =
    how === 'min' || how === 'max'
      ? `${how}(${list}) if ${population}.count > 0 else 0`
      : how === 'mean'
        ? `mean(${list}) if ${population}.count > 0 else 0`
        : `sum(${list})`
  return { key: `${how} ${shown}`, label: say('{words} {shown}', { words, shown }), formula }
}

/** The same of Integers, which have no exact mean, as a number to be drawn. */
function exactAggregate(how: 'sum' | 'min' | 'max', member: string, population: string): Measure {
  const words = hows[how]
  const list = `[x.${member} for x in ${population}]`
  const formula = how === 'sum' ? `float(sum(${list}, integer(0)), 0)` : `float(${how}(${list}), 0) if ${population}.count > 0 else 0`
  return { key: `${how} ${member}`, label: say('{words} {member}', { words, member }), formula }
}

/** The type of a variable, as far as its initial value determines it; null for lists and the like. */
function propertyOf(variable: Element, texts: readonly string[]): Property | null {
  const { type, initial } = variable.fields
  if (type !== undefined && type !== 'value') return null
  const text = typeof initial === 'string' ? initial.trim() : ''
  const name = nameOf(variable)
  if (/^(True|False)$/.test(text) || /(==|!=|<=|>=|<|>|\bnot\b|\bin\b|\bbernoulli\b)/.test(text)) return { name, is: 'truth', values: [] }
  const quoted = /^(["'])([^"'\\]*)\1$/.exec(text)
  // An entity, nothing, or a list is no number.
  if (/^(None|self|cell|\[|\{|set\(|choice\(|sample\(|agents|neighbors|\w+\.individuals)/.test(text)) return null
  if (/^(integer|units)\(/.test(text)) return { name, is: 'number', isExact: true, values: [] }
  if (!quoted) return { name, is: 'number', values: [] }
  // Whatever else the model compares it with or sets it to.
  const values = new Set([quoted[2] ?? ''])
  const said = new RegExp(`(?:^|[^\\w.])(?:\\w+\\.)?${escaped(name)}\\s*(?:=|==|!=)\\s*["']([^"'\\\\]*)["']`, 'gm')
  for (const formula of texts) for (const match of formula.matchAll(said)) values.add(match[1] ?? '')
  return { name, is: 'text', values: [...values] }
}

const escaped = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** How a value is compared. */
export const comparisons: { readonly [op: string]: { readonly sign: string; readonly label: Words } } = {
  is: { sign: '==', label: say('is') },
  not: { sign: '!=', label: say('is not') },
  more: { sign: '>', label: say('is more than') },
  least: { sign: '>=', label: say('is at least') },
  less: { sign: '<', label: say('is less than') },
  most: { sign: '<=', label: say('is at most') },
}

/** A comparison as a formula; truths are said without a sign. */
export function compared(what: string, op: string, value: string): string {
  const truth = value === 'True' || value === 'False'
  if (truth) return (value === 'True') === (op === 'is') ? what : `not ${what}`
  return `${what} ${comparisons[op]?.sign ?? '=='} ${value}`
}

/** How many of a population there are of which that holds. */
export const countWhere = (population: string, property: Property, op: string, value: string): string =>
  `len([x for x in ${population} if ${compared(`x.${property.name}`, op, value)}])`
