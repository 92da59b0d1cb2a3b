// What follows from a rule of cells with one small variable without its neighbours: in which states a cell stays as it is,
// whatever is around it (burnt, empty), and which states look the same to the neighbours. And whether a cell that isn't left
// alone follows from one neighbour (`leapsOf`). Found by running through the rule's tree once for every state, with all that
// is seen of others unknown, or known to be of one look: certain or not at all.
import type { CheckedModel } from '../check/checked.ts'
import { stepKey } from '../check/names/keys.ts'
import type { ProcessPart, VariablePart } from '../check/parts.ts'
import type { Inferred } from '../formula.ts'
import type { CallNode, Expr, Statement } from '../formula/ast.ts'
import { walk } from '../formula/walk.ts'
import type { WordTable } from '../world/word-table.ts'
import { isSmall } from './tally.ts'

/** By state, 0 to 255: whether the cell must be looked at when it or its neighbours changed; the class it looks like. */
type Quiet = { readonly wakes: readonly number[]; readonly looks: readonly number[] }

/**
 * A rule that needs no running, by state: the state after it, for cells that change. They are the *sure* ones, whatever is around
 * them, and the *touchy* ones as soon as one neighbour or more *touches*; without one they stay. No cell becomes touchy.
 */
export type Leaps = {
  readonly next: readonly number[]
  readonly sure: readonly number[]
  readonly touchy: readonly number[]
  readonly touches: readonly number[]
}

/** undefined: not known. */
type Value = number | boolean | undefined

export function quietOf(
  checked: CheckedModel,
  written: readonly VariablePart[],
  processes: readonly ProcessPart[],
  words: WordTable,
): Quiet | null {
  const [variable, second] = written
  if (!variable || second || !isSmall(variable.storage)) return null
  const inferred = ruleOf(checked, processes)
  if (inferred?.parsed.ast.is !== 'program') return null
  const { body } = inferred.parsed.ast
  const isBool = variable.storage === 'bool'
  const table = variable.storage === 'word' ? words : null
  const states = Array.from({ length: 256 }, (_, k) => k)
  const valueOf = (state: number): number | boolean => (isBool ? state !== 0 : state)
  const wakes = states.map(state => {
    const run = new Rule(inferred, variable.id, valueOf(state), table)
    run.block(body)
    return !run.mayFail && run.next !== undefined && Number(run.next) === Number(valueOf(state)) ? 0 : 1
  })
  return { wakes, looks: looksOf(inferred, variable.id, states.map(valueOf), table) }
}

/** Looks from which on nothing is known of a rule but by running it. */
const mostLooks = 16

/** Such a rule, or null: of the looks that states have, some touch and the others don't. */
export function leapsOf(
  { looks }: Quiet,
  checked: CheckedModel,
  [variable]: readonly VariablePart[],
  processes: readonly ProcessPart[],
  words: WordTable,
): Leaps | null {
  const inferred = ruleOf(checked, processes)
  if (!variable || inferred?.parsed.ast.is !== 'program') return null
  const { body } = inferred.parsed.ast
  const isBool = variable.storage === 'bool'
  const table = variable.storage === 'word' ? words : null
  const valueOf = (state: number): number | boolean => (isBool ? state !== 0 : state)
  const states = looks.map((_, state) => state).slice(0, isBool ? 2 : looks.length)
  /** One state of each look. */
  const ones = states.filter(state => looks.indexOf(looks[state]!) === state).map(valueOf)
  if (ones.length > mostLooks) return null
  /** The state after the rule, where it is certain. */
  const after = (state: number, around: Around | null): number | undefined => {
    const run = new Rule(inferred, variable.id, valueOf(state), table, around)
    run.block(body)
    return run.mayFail || run.next === undefined ? undefined : Number(run.next)
  }
  const plain = states.map(state => after(state, null))
  const touchy = states.filter(state => plain[state] === undefined)
  const calm = ones.filter(one => touchy.every(state => after(state, { some: one, others: [one] }) === state))
  const touching = ones.filter(one => !calm.includes(one))
  if (touching.length === 0 || touchy.some(state => after(state, { some: undefined, others: calm }) !== state)) return null
  const next = plain.map((known, state) => known ?? after(state, { some: touching[0], others: ones }))
  const fits = touchy.every(
    state => next[state] !== state && touching.every(one => after(state, { some: one, others: ones }) === next[state]),
  )
  if (!fits || next.some(one => one === undefined || touchy.includes(one))) return null
  return {
    next: next.map(one => one!),
    sure: states.map(state => Number(plain[state] !== undefined && plain[state] !== state)),
    touchy: states.map(state => Number(touchy.includes(state))),
    touches: states.map(state => Number(touching.some(one => looks[Number(one)] === looks[state]))),
  }
}

/** What is known of the neighbours' states: one is `some` unless it is undefined, all others are among `others`. */
type Around = { readonly some: number | boolean | undefined; readonly others: readonly (number | boolean)[] }

/** The one formula of a process that is all a population does in a tick. */
function ruleOf(checked: CheckedModel, processes: readonly ProcessPart[]): Inferred | null {
  const [process, another] = processes
  if (!process || another) return null
  const [step, other] = process.steps.filter(one => one.kind.id !== 'start' && one.kind.id !== 'end')
  if (!step || other || step.kind.id !== 'compute') return null
  const isOnly = ['before', 'after'].every(field => !checked.formulas.has(stepKey(step, field)))
  return (isOnly && checked.formulas.get(stepKey(step, 'program'))?.inferred) || null
}

/** Equal numbers for states that every comparison with a neighbour's state treats alike. */
function looksOf(inferred: Inferred, id: string, values: readonly (number | boolean)[], words: WordTable | null): number[] {
  const seen = new Set<Expr>()
  const comparisons: ((value: number | boolean) => Value)[] = []
  walk(inferred.parsed.ast, node => {
    if (node.is !== 'compare' || node.rest.length !== 1) return
    const { op, right } = node.rest[0]!
    const [near, other] = isSeen(inferred, id, node.first) ? [node.first, right] : [right, node.first]
    const constant = literal(other, words)
    if (!isSeen(inferred, id, near) || constant === undefined || (words && !equalities.has(op))) return
    seen.add(near)
    comparisons.push(value => (near === node.first ? compared(op, value, constant) : compared(op, constant, value)))
  })
  let isKnown = true
  walk(inferred.parsed.ast, node => {
    if (isSeen(inferred, id, node) && !seen.has(node)) isKnown = false
  })
  const classes = new Map<string, number>()
  return values.map((value, state) => {
    const results = comparisons.map(test => test(value))
    const key = isKnown && !results.includes(undefined) ? results.join() : `${state}`
    if (!classes.has(key)) classes.set(key, classes.size)
    return classes.get(key)!
  })
}

/** Whether a node reads the variable, of the actor or of another individual. */
const isSeen = (inferred: Inferred, id: string, node: Expr): boolean => node.is === 'member' && inferred.plan.members.get(node)?.id === id

const queries: ReadonlySet<string> = new Set(['moore', 'von_neumann', 'neighbor_cells'])
const safe: ReadonlySet<string> = new Set(['moore', 'von_neumann', 'neighbor_cells', 'sum', 'any', 'all', 'len'])

/** What codes of texts have in common with the texts. */
const equalities: ReadonlySet<string> = new Set(['==', '!='])

/** `words`: where the variable is a text, of which the code is what counts; numbers are something else then. */
function literal(node: Expr, words: WordTable | null): Value {
  if (words && node.is === 'text') return words.hasRoom || words.has(node.value) ? words.codeOf(node.value) : undefined
  return node.is === 'number' && !words ? node.value : node.is === 'constant' && node.value !== null ? node.value : undefined
}

function compared(op: string, left: Value, right: Value): Value {
  if (left === undefined || right === undefined) return undefined
  const a = Number(left)
  const b = Number(right)
  switch (op) {
    case '==':
      return a === b
    case '!=':
      return a !== b
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
    default:
      return undefined
  }
}

/** One run through the rule for a cell in a known state. `next`: the state after it. */
class Rule {
  next: Value
  /** Something on the way could stop the run. */
  mayFail = false
  readonly #inferred: Inferred
  readonly #id: string
  readonly #now: number | boolean
  readonly #around: Around | null
  readonly #words: WordTable | null
  // The neighbour a condition is looked at for: its name, and its state.
  #neighbor: { readonly name: string; readonly state: number | boolean } | null = null

  constructor(inferred: Inferred, id: string, now: number | boolean, words: WordTable | null, around: Around | null = null) {
    this.#words = words
    this.#inferred = inferred
    this.#id = id
    this.#now = now
    this.#around = around
    this.next = now
  }

  block(body: readonly Statement[]): void {
    for (const statement of body) this.#statement(statement)
  }

  #statement(node: Statement): void {
    switch (node.is) {
      case 'pass':
        return
      case 'assign':
        this.#look(node.value)
        for (const target of node.targets) this.#assign(target, node.targets.length === 1 ? this.#value(node.value) : undefined)
        return
      case 'augment':
        this.#look(node.value)
        return this.#assign(node.target, undefined)
      case 'if': {
        // Branches that may be taken are all run; what they disagree on is unknown.
        const before = this.next
        const ends: Value[] = []
        let falls = true
        for (const branch of node.branches) {
          this.#look(branch.test)
          const test = this.#value(branch.test)
          if (test === false) continue
          this.next = before
          this.block(branch.body)
          ends.push(this.next)
          if (test === true) {
            falls = false
            break
          }
        }
        if (falls) {
          this.next = before
          this.block(node.otherwise)
          ends.push(this.next)
        }
        this.next = ends.every(end => end === ends[0]) ? ends[0] : undefined
        return
      }
      default:
        this.mayFail = true
    }
  }

  /** Division, positions in lists and most functions can fail; so can a local read before it is set. */
  #look(value: Expr): void {
    walk({ is: 'expression', value }, node => {
      const local = node.is === 'name' ? this.#inferred.plan.names.get(node) : undefined
      if (local?.is === 'local' && local.unsure) this.mayFail = true
      if (node.is === 'binary' && node.op !== '+' && node.op !== '-' && node.op !== '*') this.mayFail = true
      if (node.is === 'index' || node.is === 'slice') this.mayFail = true
      if (node.is === 'call' && !(node.callee.is === 'name' && safe.has(node.callee.name))) this.mayFail = true
    })
  }

  #assign(target: Expr, value: Value): void {
    if (target.is === 'name' && this.#inferred.plan.names.get(target)?.is === 'local') return
    this.next = this.#isOwn(target) ? value : undefined
  }

  #isOwn(node: Expr): boolean {
    const meaning = node.is === 'name' ? this.#inferred.plan.names.get(node) : undefined
    return meaning?.is === 'symbol' && meaning.symbol.id === this.#id
  }

  #value(node: Expr): Value {
    switch (node.is) {
      case 'number':
      case 'text':
      case 'constant':
        return literal(node, this.#words)
      case 'name':
        return this.#isOwn(node) ? this.#now : undefined
      case 'compare':
        return this.#compared(node)
      case 'unary': {
        const of = this.#value(node.of)
        return node.op === 'not' && typeof of === 'boolean' ? !of : undefined
      }
      case 'and':
      case 'or': {
        const left = this.#value(node.left)
        const right = this.#value(node.right)
        const decides = node.is === 'or'
        if (left === decides || right === decides) return this.#isBool(node) ? decides : undefined
        return typeof left === 'boolean' && typeof right === 'boolean' ? !decides : undefined
      }
      case 'choose': {
        const test = this.#value(node.test)
        if (typeof test === 'boolean') return this.#value(test ? node.value : node.otherwise)
        const [a, b] = [this.#value(node.value), this.#value(node.otherwise)]
        return a === b ? a : undefined
      }
      case 'member':
        return isSeen(this.#inferred, this.#id, node) && node.of.is === 'name' && node.of.name === this.#neighbor?.name
          ? this.#neighbor.state
          : undefined
      case 'call':
        return this.#quantified(node)
      default:
        return undefined
    }
  }

  #compared({ first, rest: [link, more] }: Expr & { is: 'compare' }): Value {
    if (!link || more || (this.#words && !equalities.has(link.op))) return undefined
    return compared(link.op, this.#value(first), this.#value(link.right))
  }

  /** `any` or `all` of a condition on each neighbour. */
  #quantified({ callee, args: [given, more], named }: CallNode): Value {
    const around = this.#around
    if (!around || callee.is !== 'name' || (callee.name !== 'any' && callee.name !== 'all')) return undefined
    if (given?.is !== 'comprehension' || given.kind === 'dict' || more || named.length > 0 || this.#neighbor) return undefined
    const [loop, filter] = given.clauses
    if (loop?.is !== 'for' || filter || loop.target.is !== 'name') return undefined
    const { source, target } = loop
    if (source.is !== 'call' || source.callee.is !== 'name' || !queries.has(source.callee.name)) return undefined
    const holds = (state: number | boolean): Value => {
      this.#neighbor = { name: target.name, state }
      const value = this.#isBool(given.element) ? this.#value(given.element) : undefined
      this.#neighbor = null
      return value
    }
    // What one neighbour is enough for.
    const decides = callee.name === 'any'
    if (around.some !== undefined && holds(around.some) === decides) return decides
    const isNever = [around.some ?? [], ...around.others].flat().every(state => holds(state) === !decides)
    return isNever ? !decides : undefined
  }

  #isBool(node: Expr): boolean {
    return this.#inferred.plan.types.get(node)?.is === 'bool'
  }
}
