// What the inspector recognises in a formula's text, to offer more than letters: a draw from a distribution, a list or dict
// written out. What it can't read stays text. Pure.
import { parseFormula, type Ast } from '../../../sim-engine/formula.ts'
import { distributionNamed, type Distribution } from './distributions.ts'

type Expr = Extract<Ast, { is: 'expression' }>['value']
type Call = Extract<Expr, { is: 'call' }>

export type Draw = {
  readonly distribution: Distribution
  /** The parameters, with defaults for omitted ones; null if one is not known before the run. */
  readonly values: readonly (number | null)[]
  /** Nothing but the call, with plain numbers: it can be rewritten. */
  readonly plain: boolean
}

const expressionOf = (text: string): Expr | null => {
  if (text.trim() === '' || text.length > maxFormulaLength) return null
  const { ast, problems } = parseFormula(text, 'expression')
  return problems.length === 0 && ast.is === 'expression' ? ast.value : null
}

/** Longer formulas are not parsed: no literal is as long. */
const maxFormulaLength = 20_000

/** The first draw in an expression; `known` gives what a name is at the start. */
export function drawIn(text: string, known: (name: string) => number | null): Draw | null {
  if (!/[a-z]\(/.test(text)) return null
  const whole = expressionOf(text)
  if (!whole) return null
  const call = callIn(whole)
  const distribution = call && call.callee.is === 'name' ? distributionNamed(call.callee.name) : undefined
  if (!call || !distribution) return null
  let literal = true
  const values = distribution.parameters.map((parameter, i) => {
    const given = call.named.find(one => one.name === parameter.id)?.value ?? call.args[i]
    if (!given) return defaultOf(distribution, i)
    literal &&= isNumber(given)
    return numberOf(given, known)
  })
  if (distribution.name === 'randint' && call.args.length === 1 && call.named.length === 0)
    return { distribution, values: [0, values[0] ?? null], plain: false }
  return {
    distribution,
    values,
    plain: literal && whole === call && call.args.length + call.named.length === distribution.parameters.length,
  }
}

/** Defaults of the language that differ from what a new draw begins with. */
const defaults: Readonly<Record<string, readonly number[]>> = {
  normal: [0, 1],
  uniform: [0, 1],
  lognormal: [0, 1],
  exponential: [1],
  gamma: [NaN, 1],
  weibull: [NaN, 1],
  pareto: [NaN, 1],
  poisson: [1],
}

function defaultOf({ name }: Distribution, index: number): number | null {
  const value = defaults[name]?.[index]
  return value === undefined || Number.isNaN(value) ? null : value
}

function callIn(expr: Expr): Call | null {
  if (expr.is === 'call') {
    if (expr.callee.is === 'name' && distributionNamed(expr.callee.name)) return expr
    for (const inner of [...expr.args, ...expr.named.map(one => one.value)]) {
      const found = callIn(inner)
      if (found) return found
    }
  }
  if (expr.is === 'binary') return callIn(expr.left) ?? callIn(expr.right)
  if (expr.is === 'unary') return callIn(expr.of)
  return null
}

const isNumber = (expr: Expr): boolean => expr.is === 'number' || (expr.is === 'unary' && expr.op === '-' && expr.of.is === 'number')

function numberOf(expr: Expr, known: (name: string) => number | null): number | null {
  switch (expr.is) {
    case 'number':
      return expr.value
    case 'name':
      return known(expr.name)
    case 'unary': {
      const of = numberOf(expr.of, known)
      return of === null ? null : expr.op === '-' ? -of : expr.op === '+' ? of : null
    }
    case 'binary': {
      const left = numberOf(expr.left, known)
      const right = numberOf(expr.right, known)
      if (left === null || right === null) return null
      switch (expr.op) {
        case '+':
          return left + right
        case '-':
          return left - right
        case '*':
          return left * right
        case '/':
          return right === 0 ? null : left / right
        case '**':
          return left ** right
        default:
          return null
      }
    }
    default:
      return null
  }
}

/** The number a formula plainly is; null for anything else. */
export function plainNumber(text: string): number | null {
  const expr = expressionOf(text)
  return expr && isNumber(expr) ? numberOf(expr, () => null) : null
}

/** A draw as text. */
export const drawText = ({ name }: Distribution, values: readonly number[]): string => `${name}(${values.map(String).join(', ')})`

export type Collection = {
  readonly is: 'list' | 'dict' | 'set'
  /** Source text of each item; `key` of dicts: what is between quotes, or source text when it is no text. */
  readonly items: readonly { readonly key: string; readonly quoted: boolean; readonly value: string }[]
}

/** The items of a list, dict or set that is written out; null for anything else, and for what would not come back the same. */
export function collectionIn(text: string): Collection | null {
  const expr = expressionOf(text)
  const found = expr && itemsOf(expr, text)
  if (!found) return null
  const again = expressionOf(collectionText(found))
  return again && meaningOf(again) === meaningOf(expr) ? found : null
}

function itemsOf(expr: Expr, text: string): Collection | null {
  const source = (of: Expr): string => text.slice(of.from, of.to)
  if (expr.is === 'list' || expr.is === 'set')
    return { is: expr.is, items: expr.items.map(item => ({ key: '', quoted: false, value: source(item) })) }
  if (expr.is !== 'dict') return null
  return {
    is: 'dict',
    items: expr.entries.map(({ key, value }) =>
      key.is === 'text'
        ? { key: key.value, quoted: true, value: source(value) }
        : { key: source(key), quoted: false, value: source(value) },
    ),
  }
}

/** A tree without source positions. */
const meaningOf = (expr: Expr): string =>
  JSON.stringify(expr, (key, value: unknown) => (key === 'from' || key === 'to' || key === 'nameFrom' ? undefined : value))

/** A collection as text. An empty set is `set()`, since `{}` is a dict. */
export function collectionText({ is, items }: Collection): string {
  if (is === 'dict') return `{${items.map(({ key, quoted, value }) => `${quoted ? quote(key) : key}: ${value}`).join(', ')}}`
  if (is === 'set') return items.length === 0 ? 'set()' : `{${items.map(item => item.value).join(', ')}}`
  return `[${items.map(item => item.value).join(', ')}]`
}

const quote = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')}"`

/** Problems of the keys of a dict, by index: empty, or a duplicate. */
export function keyFaults({ is, items }: Collection): readonly ('empty' | 'duplicate' | null)[] {
  if (is !== 'dict') return items.map(() => null)
  const seen = new Set<string>()
  return items.map(({ key, quoted }) => {
    if (key.trim() === '') return 'empty'
    const said = `${quoted} ${key}`
    if (seen.has(said)) return 'duplicate'
    seen.add(said)
    return null
  })
}

/** Whether a text is one expression, and may be an item. */
export const isExpression = (text: string): boolean => expressionOf(text) !== null
