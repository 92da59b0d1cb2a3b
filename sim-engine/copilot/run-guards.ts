// Guards for formulas that fail in a run: the part of the text that failed is written so that the case that cannot be has an answer, too.
import type { Element } from '../../model-schema/model.ts'
import { say, type Words } from '../../model-schema/words.ts'
import { parseFormula } from '../formula.ts'
import type { Ast, Expr, Statement } from '../formula/ast.ts'
import { walk } from '../formula/walk.ts'
import { rows } from '../language.ts'
import type { Problem } from '../problems.ts'
import { fieldAt, formulaAt, way, writeAt, type Candidate } from './candidates.ts'

/** What the case that cannot be may give: which is for people to say. */
const instead = ['0', '1', '""', 'None'] as const

export function guards(element: Element, { code, at: { field = '', from = 0, to = 0 } }: Problem): Candidate[] {
  const text = formulaAt(element, field)
  const type = fieldAt(element, field)?.type
  if (text === null || type?.as !== 'formula') return []
  const { ast } = parseFormula(text, type.context ?? 'expression')
  const of: TextOf = part => text.slice(part.from, part.to)
  const put: Put = (next, words, at = { from, to }) =>
    way(words, writeAt(element, field, text.slice(0, at.from) + next + text.slice(at.to)))
  const whole = of({ from, to })
  /** The failing part where a condition holds, something else where it does not. */
  const unless: Unless = (condition, words) =>
    instead.map(value => ({ ...put(`(${whole} if ${condition} else ${value})`, words(value)), oneOf: 'empty' }))
  const found: Candidate[] = []
  walk(ast, node => {
    if (node.from === from && node.to === to) found.push(...guarded(node, code, of, put, unless))
  })
  for (const statement of statementsOf(ast))
    if (statement.from <= from && statement.to >= to) found.push(...guardedStatement(statement, code, of, put))
  return found
}

type Part = { readonly from: number; readonly to: number }
/** The formula with other text for a part of it: the one that failed, unless said. */
type Put = (next: string, words: Words, at?: Part) => Candidate
type TextOf = (part: Part) => string
type Unless = (condition: string, words: (value: string) => Words) => Candidate[]

function guarded(node: Expr, code: number, of: TextOf, put: Put, unless: Unless): Candidate[] {
  const whole = of(node)
  if (code === 10018 && node.is === 'binary') {
    const divisor = grouped(of(node.right))
    const least = put(`${of(node.left)} ${node.op} max(${of(node.right)}, 1)`, say('Divides by at least 1.'))
    // What is drawn is another each time it is asked for.
    if (isDrawn(divisor)) return [least]
    return [...unless(`${divisor} != 0`, value => say('Gives {value} where "{divisor}" is 0.', { value, divisor })), least]
  }
  if (code === 10018 && node.is === 'call') {
    const items = node.args[0] && listed(node.args[0], of)
    const ddof = node.named.find(({ name }) => name === 'ddof')?.value ?? node.args[1]
    return items === undefined
      ? []
      : unless(`len(${items}) > ${ddof ? of(ddof) : 0}`, value => say('Gives {value} where there are too few values.', { value }))
  }
  if (code === 10022 && node.is === 'index') {
    const [list, index] = [grouped(of(node.of)), of(node.index)]
    return [
      put(`${list}[max(min(${index}, len(${list}) - 1), -len(${list}))]`, say('Takes the nearest entry that there is.')),
      ...unless(`-len(${list}) <= ${grouped(index)} and ${grouped(index)} < len(${list})`, value =>
        say('Gives {value} where there is no such entry.', { value }),
      ),
    ]
  }
  if (code === 10024 && node.is === 'index') {
    const [entries, key] = [grouped(of(node.of)), of(node.index)]
    return instead.map(value => ({
      ...put(`${entries}.get(${key}, ${value})`, say('Gives {value} where there is no such key.', { value })),
      oneOf: 'empty',
    }))
  }
  if (code === 10024 && node.is === 'call' && node.callee.is === 'member' && node.args[0]) {
    const [all, one] = [grouped(of(node.callee.of)), grouped(of(node.args[0]))]
    return unless(`${one} in ${all}`, value => say('Gives {value} where it is not among them.', { value }))
  }
  if (code === 10026 && node.is === 'call') {
    const [first, ...more] = node.args
    const known = node.callee.is === 'name' && (node.callee.name === 'max' || node.callee.name === 'min') && more.length === 0
    const words = (value: string): Words => say('Gives {value} where there is none.', { value })
    const items = first ? listed(first, of) : node.callee.is === 'member' ? grouped(of(node.callee.of)) : null
    return [
      ...(known && first?.is !== 'comprehension'
        ? instead.map(value => ({ ...put(`${whole.slice(0, -1)}, default=${value})`, words(value)), oneOf: 'empty' }))
        : []),
      ...(items === null ? [] : unless(`len(${items}) > 0`, words)),
    ]
  }
  return []
}

function guardedStatement(statement: Statement, code: number, of: TextOf, put: Put): Candidate[] {
  if (code === 10018 && statement.is === 'augment') {
    const divisor = grouped(of(statement.value))
    return [
      put(
        `${of(statement.target)} ${statement.op}= (${divisor} if ${divisor} != 0 else 1)`,
        say('Divides by 1 where "{divisor}" is 0.', { divisor }),
        statement,
      ),
    ]
  }
  if (code === 10024 && statement.is === 'augment' && statement.target.is === 'index') {
    const [entries, key] = [of(statement.target.of), of(statement.target.index)]
    return [
      put(
        `${entries}[${key}] = ${entries}.get(${key}, 0) ${statement.op} ${grouped(of(statement.value))}`,
        say('Begins with 0 where there is no such key.'),
        statement,
      ),
    ]
  }
  return []
}

function statementsOf(ast: Ast): Statement[] {
  const inner = (one: Statement): readonly Statement[] => {
    if (one.is === 'if') return [...one.branches.flatMap(branch => branch.body), ...one.otherwise]
    return one.is === 'for' || one.is === 'while' ? [...one.body, ...one.otherwise] : []
  }
  const flat = (body: readonly Statement[]): Statement[] => body.flatMap(one => [one, ...flat(inner(one))])
  return ast.is === 'program' ? flat(ast.body) : []
}

const drawing = rows.filter(({ draws }) => draws === true).map(({ signature }) => signature.name)
const isDrawn = (text: string): boolean => drawing.some(name => new RegExp(`\\b${name}\\(`).test(text))

/** A part of a formula in brackets, unless it needs none. */
const grouped = (text: string): string => (/^[\p{L}\p{N}_.]+$/u.test(text) || /^(\([^()]*\)|\[[^[\]]*\])$/.test(text) ? text : `(${text})`)

/** What a function is given, as something that has a length. */
const listed = (node: Expr, of: TextOf): string =>
  node.is === 'comprehension' && node.kind === 'generator' ? `[${of(node).replace(/^\((.*)\)$/s, '$1')}]` : grouped(of(node))
