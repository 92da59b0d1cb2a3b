// What a run of an experiment can do without: charts, which are not shown, and samples of statistics that nothing asks for. Left out only where
// the outcome is the same for certain: their formulas draw, write and call nothing of the model's own, and cannot fail.
import type { Id } from '../../../model-schema/model.ts'
import type { CheckedModel } from '../../check.ts'
import type { StatisticPart } from '../../check/parts.ts'
import type { Inferred, Symbol } from '../../formula.ts'
import type { CallNode, ComprehensionNode, Expr } from '../../formula/ast.ts'
import type { Local } from '../../formula/plan.ts'
import { growingTypes } from '../../run/charts.ts'

/** The model for runs of which only the statistics `asked` for are looked at. */
export function withoutUnseen(checked: CheckedModel, asked: ReadonlySet<Id>): CheckedModel {
  const { parts, formulas } = checked
  const all = [...formulas.values()]
  // Charts that show the latest values only are computed when they are shown.
  const charts = parts.charts.filter(
    chart =>
      growingTypes.has(String(chart.fields['type'] ?? 'line')) &&
      !all.filter(({ id }) => id === chart.id).every(({ inferred }) => isHarmless(checked, inferred, parts.statistics.length, false)),
  )
  const gone = new Set(parts.charts.filter(chart => !charts.includes(chart)).map(({ id }) => id))
  const own = ({ index }: StatisticPart) => all.filter(({ key }) => key.startsWith(`t${index}/`))
  const unseen = new Set(
    parts.statistics.filter(
      one =>
        !asked.has(one.id) &&
        isSampled(one) &&
        own(one).every(({ inferred }) => isHarmless(checked, inferred, one.index, one.over !== null)),
    ),
  )
  // What anything that stays reads must stay.
  for (let before = -1; before !== unseen.size;) {
    before = unseen.size
    const left = new Set([...unseen].flatMap(own))
    const read = new Set(
      all
        .filter(part => !left.has(part) && !gone.has(part.id))
        .flatMap(({ inferred }) => inferred.reads.filter(({ kind }) => kind === 'statistic').map(({ id }) => id)),
    )
    for (const one of unseen) if (read.has(one.id)) unseen.delete(one)
  }
  const statistics = parts.statistics.map(one =>
    unseen.has(one) ? { ...one, element: { ...one.element, fields: { ...one.element.fields, sample: 'end' } } } : one,
  )
  return { ...checked, parts: { ...parts, charts, statistics } }
}

/** Those sampled at intervals are events of their own, which keep a run going; aggregates of other kinds may fail over a population. */
const isSampled = ({ element: { fields }, over, grouped }: StatisticPart): boolean =>
  (fields['sample'] === undefined || fields['sample'] === 'tick' || fields['sample'] === 'event') &&
  (over === null || (!grouped && over.derived.length === 0 && simple.has(String(fields['aggregate'] ?? 'last'))))

const simple = new Set(['last', 'count', 'sum', 'mean', 'min', 'max'])

/** `before`: statistics below this index have a value when the formula is looked at. `summed`: it must give numbers. */
function isHarmless({ parts, formulas }: CheckedModel, inferred: Inferred, before: number, summed: boolean): boolean {
  const { ast } = inferred.parsed
  if (ast.is !== 'expression' || inferred.draws || inferred.mayCreate || inferred.writes.length > 0) return false
  const numbers = new Set(
    parts.statistics
      .filter(({ index, over, element: { fields } }) => {
        const type = formulas.get(`t${index}/expression`)?.inferred.result.is
        const isPlain = (fields['sample'] ?? 'tick') === 'tick' && (fields['aggregate'] ?? 'last') === 'last'
        return index < before && over === null && isPlain && (type === 'number' || type === 'bool')
      })
      .map(({ id }) => id),
  )
  const look = new Look(inferred, numbers)
  return summed ? look.isNumber(ast.value) : look.isSafe(ast.value)
}

/** A look at whether an expression always has a value. What it doesn't know is not safe. */
class Look {
  readonly #inferred: Inferred
  /** Statistics that are numbers by then. */
  readonly #numbers: ReadonlySet<Id>
  /** Individuals of the comprehensions around: they are there, and alive. */
  readonly #items = new Set<Local>()

  constructor(inferred: Inferred, numbers: ReadonlySet<Id>) {
    this.#inferred = inferred
    this.#numbers = numbers
  }

  isSafe(node: Expr): boolean {
    switch (node.is) {
      case 'number':
      case 'text':
      case 'constant':
        return true
      case 'name': {
        const meaning = this.#inferred.plan.names.get(node)
        return meaning?.is === 'symbol' ? isRead(meaning.symbol) : meaning?.is === 'local' && this.#items.has(meaning.local)
      }
      case 'member':
        return isRead(this.#inferred.plan.members.get(node)) && this.#isThere(node.of)
      case 'unary':
        return node.op === 'not' ? this.#isTruth(node.of) : node.op !== '~' && this.isNumber(node.of)
      case 'binary':
        if (!this.isNumber(node.left) || !this.isNumber(node.right)) return false
        return node.op === '+' || node.op === '-' || node.op === '*' || (node.op === '/' && this.#isPositive(node.right))
      case 'compare': {
        const sides = [node.first, ...node.rest.map(({ right }) => right)]
        return node.rest.every(({ op }) => op === '==' || op === '!=')
          ? sides.every(one => this.isSafe(one))
          : this.#areOrdered(node.rest, sides)
      }
      case 'and':
      case 'or':
        return this.#isTruth(node.left) && this.#isTruth(node.right)
      case 'choose':
        return this.#isTruth(node.test) && this.isNumber(node.value) && this.isNumber(node.otherwise)
      case 'call':
        return this.#isSafeCall(node)
      default:
        return false
    }
  }

  #areOrdered(rest: readonly { op: string }[], sides: readonly Expr[]): boolean {
    return rest.every(({ op }) => !op.includes('i')) && sides.every(one => this.isNumber(one))
  }

  isNumber(node: Expr): boolean {
    const meaning = node.is === 'name' ? this.#inferred.plan.names.get(node) : undefined
    if (meaning?.is === 'symbol' && meaning.symbol.kind === 'statistic') return this.#numbers.has(meaning.symbol.id ?? '')
    const type = this.#inferred.plan.types.get(node)?.is
    return (type === 'number' || type === 'bool') && this.isSafe(node)
  }

  #isTruth(node: Expr): boolean {
    return this.#inferred.plan.types.get(node)?.is === 'bool' && this.isSafe(node)
  }

  /** Whether it is above 0, so that it may be divided by. */
  #isPositive(node: Expr): boolean {
    if (node.is === 'number') return node.value > 0
    const given = node.is === 'call' ? this.#several(node, 'max') : null
    return given !== null && given.some(one => this.#isPositive(one))
  }

  /** Whether it is something that has values: a population, a container, the world, an individual that is there. */
  #isThere(node: Expr): boolean {
    if (node.is === 'member') return this.#inferred.plan.members.get(node)?.kind === 'container' && this.#isThere(node.of)
    const meaning = node.is === 'name' ? this.#inferred.plan.names.get(node) : undefined
    if (meaning?.is === 'local') return this.#items.has(meaning.local)
    return meaning?.is === 'symbol' && ['population', 'container', 'builtin'].includes(meaning.symbol.kind) && isPlace(meaning.symbol)
  }

  /** The arguments of `min` or `max` of several numbers. */
  #several(node: CallNode, name: 'min' | 'max'): readonly Expr[] | null {
    const plan = this.#inferred.plan.calls.get(node)
    if (plan?.is !== 'row' || plan.row.signature.name !== name || node.named.length > 0 || node.args.length < 2) return null
    return node.args
  }

  #isSafeCall(node: CallNode): boolean {
    const plan = this.#inferred.plan.calls.get(node)
    if (plan?.is !== 'row' || plan.row.draws || plan.row.creates || plan.row.writes) return false
    if (plan.row.way === 'math') return node.named.length === 0 && node.args.every(one => this.isNumber(one))
    const several = this.#several(node, 'min') ?? this.#several(node, 'max')
    if (several) return several.every(one => this.isNumber(one))
    const [given, more] = node.args
    if (given?.is !== 'comprehension' || more || node.named.length > 0) return false
    const { name } = plan.row.signature
    if (name === 'len') return this.#isSafeList(given, element => this.isSafe(element))
    if (name === 'sum') return this.#isSafeList(given, element => this.isNumber(element))
    return (name === 'any' || name === 'all' || name === 'count') && this.#isSafeList(given, element => this.#isTruth(element))
  }

  /** Over all individuals of one population, or those for which something holds. */
  #isSafeList({ kind, clauses: [loop, ...filters], element }: ComprehensionNode, isSafe: (element: Expr) => boolean): boolean {
    if (kind === 'dict' || loop?.is !== 'for' || loop.target.is !== 'name' || loop.source.is !== 'name') return false
    const { types, names } = this.#inferred.plan
    const source = types.get(loop.source)
    const item = names.get(loop.target)
    if (source?.is !== 'observer' || source.of === null || item?.is !== 'local') return false
    this.#items.add(item.local)
    return filters.every(filter => filter.is === 'if' && this.#isTruth(filter.test)) && isSafe(element)
  }
}

/** Whether reading it is nothing more than that. Built-in lists and dates are worked out. */
function isRead(symbol: Symbol | undefined): boolean {
  if (!symbol || symbol.effects) return false
  const { is } = symbol.type
  return (
    symbol.kind === 'variable' ||
    symbol.kind === 'statistic' ||
    (symbol.kind === 'builtin' && (is === 'number' || is === 'bool' || is === 'text'))
  )
}

const isPlace = ({ type }: Symbol): boolean => type.is === 'observer' || type.is === 'element'
