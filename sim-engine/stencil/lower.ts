// Checked trees -> the graph of a simultaneous rule. Formulas see the state before the tick, so that statements become choices of values:
// a branch is a truth under which an assignment counts, and functions of the model are inlined. What a rule may not do - draw,
// loop over anything but neighbours, lists - // makes it one that is run cell by cell; `Unfit` says so, and why.
import type { CheckedModel } from '../check/checked.ts'
import { flowKey, keyOf, stepKey } from '../check/names/keys.ts'
import type { EntityPart, FormulaPart, FunctionPart, ProcessPart, StepPart, VariablePart } from '../check/parts.ts'
import { stepOrder } from '../compile/process.ts'
import type { Inferred } from '../formula.ts'
import type { CallNode, Clause, CompareOp, Expr, Statement } from '../formula/ast.ts'
import type { CallPlan, Local } from '../formula/plan.ts'
import { any, number, text } from '../formula/types.ts'
import type { Type } from '../formula/types.ts'
import type { Shape } from '../world/grid.ts'
import type { WordTable } from '../world/word-table.ts'
import { GraphBuilder } from './graph.ts'
import type { CellColumn, CellNode, CellRule, Op } from './graph.ts'
import { mentionedOf } from './mentions.ts'

/** The rule is not one of those that fit. */
class Unfit extends Error {}

const unfit = (why: string): never => {
  throw new Unfit(why)
}

/** Larger rules are no gain over a loop, and long to compile. */
const mostNodes = 4000
const mostNeighbours = 224
/** Calls within each other: more are of a function that calls itself. */
const mostCalls = 16

/** The rule of a population for cells with all their neighbours, and for those at a border that does not wrap around. */
export type Stencil = {
  readonly inner: CellRule
  readonly border: CellRule
  readonly writes: readonly VariablePart[]
  /** Variables, by number, that others may read or write: their columns are as they should be at any moment. */
  readonly mentioned: readonly number[]
}

/** Columns of population `p` that a tick is given: by variable that others mention those that hold its values, and those that get the next ones. */
export function sharedColumns(
  { mentioned, writes }: Stencil,
  p: number,
): { readonly now: readonly string[]; readonly next: readonly string[] } {
  const isWritten = (index: number): boolean => writes.some(one => one.index === index)
  return {
    now: mentioned.map(index => `p${p}_v${index}`),
    next: mentioned.map(index => `p${p}_${isWritten(index) ? 'n' : 'v'}${index}`),
  }
}

/** The rule of all that cells do in a tick, or why there is none. */
export function stencilOf(
  checked: CheckedModel,
  entity: EntityPart,
  processes: readonly ProcessPart[],
  words: WordTable,
): Stencil | { readonly unfit: string } {
  try {
    if (entity.kind !== 'cell' || entity.order !== 'simultaneous' || !entity.space) return { unfit: 'not simultaneous cells' }
    if (entity.space.three) return { unfit: 'a space of three dimensions' }
    const inner = new Lowering(checked, entity, false, words).rule(processes)
    const { wrapX, wrapY } = entity.space
    const border = wrapX && wrapY ? inner : new Lowering(checked, entity, true, words).rule(processes)
    const writes = inner.outputs.map(({ column }) => entity.variables.find(one => one.index === inner.columns[column]!.variable)!)
    const variables = entity.variables.filter(({ index }) => inner.columns.some(column => column.variable === index))
    const mentioned = mentionedOf(checked, entity, processes, variables)
    return typeof mentioned === 'string' ? { unfit: mentioned } : { inner, border, writes, mentioned: [...mentioned] }
  } catch (error) {
    if (error instanceof Unfit) return { unfit: error.message }
    throw error
  }
}

type Item = { readonly x: number; readonly y: number }

/** A call of a function: the individual it belongs to, its arguments by name, and what it has returned so far, under which condition. */
type Frame = {
  readonly self: Item
  readonly arguments: ReadonlyMap<string, CellNode | Item>
  readonly fn: FunctionPart
  result: CellNode | null
  returned: CellNode
}

const here: Item = { x: 0, y: 0 }

const comparisons: Partial<Record<CompareOp, Op>> = { '==': 'eq', '!=': 'ne', is: 'eq', 'is not': 'ne', '<': 'lt', '<=': 'le' }

class Lowering {
  readonly #graph = new GraphBuilder()
  readonly #checked: CheckedModel
  readonly #entity: EntityPart
  /** Whether neighbours may be missing. */
  readonly #atBorder: boolean
  readonly #columns: CellColumn[] = []
  readonly #next = new Map<number, CellNode>()
  readonly #guards = new Set<CellNode>()
  readonly #shared: { index: number; isBool: boolean }[] = []
  readonly #words: WordTable
  #reach = 0
  #depth = 0
  /** Where what is being lowered applies. */
  #mask: CellNode
  /** The formula at hand, its variables, and the current neighbours of its loops. */
  #formula: Inferred | null = null
  #locals = new Map<Local, CellNode>()
  readonly #items = new Map<Local, Item>()
  /** The function at hand; null in the rule itself. */
  #frame: Frame | null = null

  constructor(checked: CheckedModel, entity: EntityPart, atBorder: boolean, words: WordTable) {
    this.#words = words
    this.#checked = checked
    this.#entity = entity
    this.#atBorder = atBorder
    this.#mask = this.#graph.yes
  }

  rule(processes: readonly ProcessPart[]): CellRule {
    for (const process of processes) this.#process(process)
    const outputs = [...this.#next].map(([column, value]) => ({ column, value }))
    if (outputs.length === 0) unfit('nothing is written')
    return {
      columns: this.#columns,
      outputs,
      guards: [...this.#guards],
      shared: this.#shared,
      reach: this.#reach,
    }
  }

  // Steps

  #process(process: ProcessPart): void {
    const { yes, no } = this.#graph
    if (process.level !== 'individual' || process.temporaries.length > 0) unfit('temporary variables')
    const order = stepOrder(process)
    const at = new Map(order.map((step, k) => [step, k]))
    const masks = new Map<StepPart, CellNode>(process.start ? [[process.start, yes]] : [])
    for (const step of order) {
      const mask = masks.get(step) ?? no
      if (step.outgoing.some(flow => at.get(flow.to)! <= at.get(step)!)) unfit('a loop of steps')
      this.#mask = mask
      const going = this.#step(process, step, mask)
      step.outgoing.forEach((flow, k) => masks.set(flow.to, this.#graph.make('or', masks.get(flow.to) ?? no, going[k]!)))
    }
    this.#mask = yes
  }

  /** Lowers a step; returns under which condition each of its flows is taken. */
  #step(process: ProcessPart, step: StepPart, mask: CellNode): CellNode[] {
    const { type, by, result } = step.element.fields
    const program = (field: string): void => this.#program(this.#checked.formulas.get(stepKey(step, field)))
    if (step.boundaries.length > 0) unfit('events at a border')
    switch (step.kind.id) {
      case 'start':
        return [mask]
      case 'end':
        return (result ?? 'none') === 'none' ? [] : unfit('an end event with a result')
      case 'compute':
        for (const field of ['before', 'program', 'after']) program(field)
        return step.outgoing.length > 1 ? unfit('several ways at once') : [mask]
      case 'gateway': {
        if (type !== 'exclusive' || (by ?? 'condition') !== 'condition') return unfit('a gateway that is not exclusive by condition')
        program('before')
        const going = step.outgoing.length < 2 ? step.outgoing.map(() => mask) : this.#branches(process, step, mask)
        program('after')
        return going
      }
      default:
        return unfit(`a step of kind ${step.kind.id}`)
    }
  }

  #branches(process: ProcessPart, step: StepPart, mask: CellNode): CellNode[] {
    const { no } = this.#graph
    const make = this.#graph.make.bind(this.#graph)
    let rest = mask
    const taken = new Map<unknown, CellNode>()
    const otherwise = step.outgoing.find(flow => flow.element.fields['default'] === true)
    for (const flow of step.outgoing) {
      if (flow === otherwise) continue
      const formula = this.#checked.formulas.get(flowKey(process, flow.id, 'condition'))
      this.#mask = rest
      const test = formula ? this.#condition(formula.inferred) : no
      taken.set(flow, make('and', rest, test))
      rest = make('and', rest, make('not', test))
    }
    if (otherwise) taken.set(otherwise, rest)
    else this.#guards.add(rest)
    this.#mask = mask
    return step.outgoing.map(flow => taken.get(flow) ?? no)
  }

  #condition(inferred: Inferred): CellNode {
    const { ast } = inferred.parsed
    if (ast.is !== 'expression') return unfit('a condition of statements')
    this.#begin(inferred)
    return this.#test(ast.value)
  }

  #program(formula: FormulaPart | undefined): void {
    if (!formula) return
    const { ast } = formula.inferred.parsed
    if (ast.is !== 'program') return unfit('no program')
    this.#begin(formula.inferred)
    this.#block(ast.body)
  }

  #begin(inferred: Inferred): void {
    if (inferred.draws) unfit('random numbers')
    if (inferred.mayCreate) unfit('births or deaths')
    this.#formula = inferred
    this.#locals = new Map()
  }

  // Statements

  #block(body: readonly Statement[]): void {
    const outer = this.#mask
    for (const statement of body) {
      if (this.#frame) this.#mask = this.#graph.make('and', outer, this.#graph.make('not', this.#frame.returned))
      this.#statement(statement)
    }
    this.#mask = outer
  }

  #statement(node: Statement): void {
    if (this.#graph.size > mostNodes) unfit('a very long rule')
    switch (node.is) {
      case 'pass':
        return
      case 'assign': {
        const type = this.#typeOf(node.value)
        const value = this.#value(node.value)
        for (const target of node.targets) this.#assign(target, value, type)
        return
      }
      case 'augment': {
        const value = this.#arithmetic(node.op, this.#number(node.target), this.#number(node.value))
        return this.#assign(node.target, value, number)
      }
      case 'if': {
        const outer = this.#mask
        let rest = outer
        for (const { test, body } of node.branches) {
          this.#mask = rest
          const holds = this.#test(test)
          this.#mask = this.#graph.make('and', rest, holds)
          this.#block(body)
          rest = this.#graph.make('and', rest, this.#graph.make('not', holds))
        }
        this.#mask = rest
        this.#block(node.otherwise)
        this.#mask = outer
        return
      }
      case 'for': {
        const item = this.#localOf(node.target)
        if (!item || node.otherwise.length > 0) return unfit('a loop over something else than neighbours')
        const outer = this.#mask
        for (const place of this.#neighbours(node.source)) {
          this.#mask = this.#graph.make('and', outer, this.#inside(place))
          this.#items.set(item, place)
          this.#block(node.body)
        }
        this.#items.delete(item)
        this.#mask = outer
        return
      }
      case 'return':
        return node.value ? this.#return(node.value) : unfit('a function that gives nothing')
      default:
        unfit(`a statement: ${node.is}`)
    }
  }

  #assign(target: Expr, value: CellNode, type: Type): void {
    if (target.is !== 'name' || (this.#frame && !this.#localOf(target))) return unfit('writes to something else than its own variables')
    const meaning = this.#formula!.plan.names.get(target)
    if (meaning?.is === 'local') {
      const { local } = meaning
      const kept = this.#coerce(value, type, local.type)
      const before = this.#locals.get(local)
      this.#locals.set(local, before ? this.#select(this.#mask, kept, before) : kept)
      return
    }
    if (meaning?.is !== 'symbol') return unfit('an assignment to a constant')
    const variable = this.#entity.variables.find(one => one.id === meaning.symbol.id)
    if (!variable) return unfit(`a write to ${target.name}`)
    const column = this.#columnOf(variable)
    const wanted = this.#columns[column]!.is
    const kept =
      wanted === 'bool' ? this.#countOf(this.#truthOf(value, type)) : this.#coerce(value, type, wanted === 'text' ? text : number)
    if (wanted === 'number' && !isFinite(kept)) this.#never(this.#graph.make('unfit', kept))
    this.#next.set(column, this.#select(this.#mask, kept, this.#next.get(column) ?? this.#graph.read(column, 0, 0)))
  }

  #select(test: CellNode, a: CellNode, b: CellNode): CellNode {
    return this.#graph.make('select', test, a, b)
  }

  /** Where this holds, the rule may fail: it has to be run cell by cell. */
  #never(test: CellNode): void {
    const guard = this.#graph.make('and', this.#mask, test)
    if (guard !== this.#graph.no) this.#guards.add(guard)
  }

  // Values

  #typeOf(node: Expr): Type {
    const { plan } = this.#formula!
    if (node.is === 'name') {
      const meaning = plan.names.get(node)
      if (meaning?.is === 'local') return meaning.local.type
      if (meaning?.is === 'symbol') return meaning.symbol.type
    }
    if (node.is === 'member') {
      const symbol = plan.members.get(node)
      if (symbol) return symbol.type
    }
    return plan.types.get(node) ?? any
  }

  #coerce(value: CellNode, from: Type, want: Type): CellNode {
    if (want.is === 'bool') return from.is === 'bool' ? value : unfit('a value of another type')
    if (want.is === 'number')
      return from.is === 'bool' ? this.#countOf(value) : from.is === 'number' ? value : unfit('a value of no known type')
    return want.is === 'text' && from.is === 'text' ? value : unfit('a value of no known type')
  }

  /** A truth as 0 or 1: as it is kept where it is a variable. */
  #countOf(truth: CellNode): CellNode {
    const [of, zero] = truth.of
    const isKept = truth.op === 'ne' && zero?.op === 'const' && zero.at === 0 && (of?.op === 'own' || of?.op === 'near')
    return isKept && this.#columns[of.at]?.is === 'bool' ? of : this.#graph.make('number', truth)
  }

  #number(node: Expr): CellNode {
    return this.#coerce(this.#value(node), this.#typeOf(node), number)
  }

  #truthOf(value: CellNode, type: Type): CellNode {
    if (type.is === 'bool') return value
    return type.is === 'number' ? this.#graph.make('ne', value, this.#graph.number(0)) : unfit('a condition that is no truth')
  }

  #test(node: Expr): CellNode {
    if (node.is === 'and' || node.is === 'or')
      return this.#either(
        node.is,
        () => this.#test(node.left),
        () => this.#test(node.right),
      )
    if (node.is === 'unary' && node.op === 'not') return this.#graph.make('not', this.#test(node.of))
    return this.#truthOf(this.#value(node), this.#typeOf(node))
  }

  /** The right side counts only where the left one does not decide: what may fail there is looked at only there. */
  #either(op: 'and' | 'or', left: () => CellNode, right: () => CellNode): CellNode {
    const a = left()
    const outer = this.#mask
    this.#mask = this.#graph.make('and', outer, op === 'and' ? a : this.#graph.make('not', a))
    const b = right()
    this.#mask = outer
    return this.#graph.make(op, a, b)
  }

  /** A truth for what is of type bool, else a number; texts are their codes. */
  #value(node: Expr): CellNode {
    const graph = this.#graph
    switch (node.is) {
      case 'number':
        return Number.isFinite(node.value) ? graph.number(node.value) : unfit('infinity')
      case 'text':
        return graph.number(this.#codeOf(node.value))
      case 'constant':
        return node.value === null ? unfit('None') : graph.truth(node.value)
      case 'name':
        return this.#name(node)
      case 'member': {
        const item = this.#itemOf(node.of)
        return item ? this.#read(this.#formula!.plan.members.get(node), node.name, item) : unfit('a property of something else')
      }
      case 'unary':
        if (node.op === 'not') return this.#test(node)
        if (node.op === '+') return this.#number(node.of)
        return node.op === '-' ? graph.make('neg', this.#number(node.of)) : unfit('bits')
      case 'binary': {
        if (this.#typeOf(node).is !== 'number') return unfit('an operation on something else than numbers')
        return this.#arithmetic(node.op, this.#number(node.left), this.#number(node.right))
      }
      case 'compare':
        return this.#compare(node)
      case 'and':
      case 'or':
        return this.#typeOf(node).is === 'bool' ? this.#test(node) : unfit('and, or of something else than truths')
      case 'choose': {
        const type = this.#typeOf(node)
        const test = this.#test(node.test)
        const outer = this.#mask
        const branch = (of: Expr, holds: CellNode): CellNode => {
          this.#mask = graph.make('and', outer, holds)
          return type.is === 'bool' ? this.#test(of) : this.#coerce(this.#value(of), this.#typeOf(of), type)
        }
        const [a, b] = [branch(node.value, test), branch(node.otherwise, graph.make('not', test))]
        this.#mask = outer
        return this.#select(test, a, b)
      }
      case 'call':
        return this.#call(node)
      default:
        return unfit(`an expression: ${node.is}`)
    }
  }

  #codeOf(text: string): number {
    return this.#words.hasRoom || this.#words.has(text) ? this.#words.codeOf(text) : unfit('more texts than codes')
  }

  #localOf(node: Expr): Local | null {
    const meaning = node.is === 'name' ? this.#formula!.plan.names.get(node) : undefined
    return meaning?.is === 'local' ? meaning.local : null
  }

  /** The cell that an expression denotes: one of those around, an argument, or the cell itself. */
  #itemOf(node: Expr): Item | null {
    const local = this.#localOf(node)
    if (local) return this.#items.get(local) ?? null
    const given = this.#argument(node)
    if (given) return 'op' in given ? null : given
    return node.is === 'name' && (node.name === 'self' || node.name === 'cell') ? (this.#frame?.self ?? here) : null
  }

  #argument(node: Expr): CellNode | Item | undefined {
    const meaning = node.is === 'name' ? this.#formula!.plan.names.get(node) : undefined
    return meaning?.is === 'symbol' && meaning.symbol.kind === 'parameter' ? this.#frame?.arguments.get(meaning.symbol.name) : undefined
  }

  #name(node: Expr & { is: 'name' }): CellNode {
    const given = this.#argument(node)
    if (given) return 'op' in given ? given : unfit(node.name)
    const meaning = this.#formula!.plan.names.get(node)
    if (meaning?.is === 'constant') {
      const value = Number(meaning.js)
      return Number.isFinite(value) ? this.#graph.number(value) : unfit(node.name)
    }
    if (meaning?.is === 'local') return (!meaning.unsure && this.#locals.get(meaning.local)) || unfit(`${node.name} may have no value`)
    if (meaning?.is !== 'symbol') return unfit(node.name)
    const variable = this.#checked.parts.shared.find(one => one.id === meaning.symbol.id)
    if (!variable) return this.#read(meaning.symbol, node.name, this.#frame?.self ?? here)
    if (variable.storage !== 'number' && variable.storage !== 'bool') return unfit(`${node.name}, which is no number`)
    const isBool = variable.storage === 'bool'
    let at = this.#shared.findIndex(one => one.index === variable.index && one.isBool === isBool)
    if (at < 0) at = this.#shared.push({ index: variable.index, isBool }) - 1
    const value = this.#graph.shared(at)
    return isBool ? this.#graph.make('ne', value, this.#graph.number(0)) : value
  }

  /** A property of the cell itself, or of a neighbour. */
  #read(symbol: { readonly id?: string; readonly name: string } | undefined, name: string, { x, y }: Item): CellNode {
    const variable = this.#entity.variables.find(one => one.id === symbol?.id && one.id !== undefined)
    if (!variable) {
      if (symbol?.id !== undefined || (name !== 'x' && name !== 'y' && name !== 'id')) return unfit(name)
      return this.#graph.read(this.#column({ is: name, name, variable: -1 }), x, y)
    }
    const value = this.#graph.read(this.#columnOf(variable), x, y)
    return variable.storage === 'bool' ? this.#graph.make('ne', value, this.#graph.number(0)) : value
  }

  #columnOf({ name, index, storage }: VariablePart): number {
    if (storage === 'number' || storage === 'byte') return this.#column({ is: 'number', name, variable: index })
    if (storage === 'bool') return this.#column({ is: 'bool', name, variable: index })
    return storage === 'word'
      ? this.#column({ is: 'text', name, variable: index })
      : unfit(`${name}, which is neither number, truth nor a text with a code`)
  }

  #column(column: CellColumn): number {
    const known = this.#columns.findIndex(one => one.name === column.name && one.variable === column.variable)
    return known >= 0 ? known : this.#columns.push(column) - 1
  }

  #compare(node: Expr & { is: 'compare' }): CellNode {
    let result: CellNode | null = null
    const outer = this.#mask
    let left = node.first
    for (const { op, right } of node.rest) {
      const one = this.#comparison(op, left, right)
      result = result ? this.#graph.make('and', result, one) : one
      this.#mask = this.#graph.make('and', this.#mask, one)
      left = right
    }
    this.#mask = outer
    return result ?? unfit('a comparison with nothing')
  }

  #comparison(op: CompareOp, left: Expr, right: Expr): CellNode {
    const make = this.#graph.make.bind(this.#graph)
    if (op === 'in' || op === 'not in') {
      if (right.is !== 'list' && right.is !== 'tuple' && right.is !== 'set') return unfit('in something else than a list written here')
      const found = right.items.map(item => this.#comparison('==', left, item)).reduce((a, b) => make('or', a, b), this.#graph.no)
      return op === 'in' ? found : make('not', found)
    }
    if (op === '>') return this.#comparison('<', right, left)
    if (op === '>=') return this.#comparison('<=', right, left)
    const found = comparisons[op]
    if (!found) return unfit(op)
    const [a, b] = [this.#typeOf(left), this.#typeOf(right)]
    const isEquality = found === 'eq' || found === 'ne'
    if (isEquality && a.is === 'bool' && b.is === 'bool') {
      const [one, other] = [this.#value(left), this.#value(right)]
      const same = this.#select(one, other, make('not', other))
      return found === 'eq' ? same : make('not', same)
    }
    if (a.is === 'text' && b.is === 'text')
      return isEquality ? make(found, this.#value(left), this.#value(right)) : unfit('the order of texts')
    return make(found, this.#number(left), this.#number(right))
  }

  #arithmetic(op: string, a: CellNode, b: CellNode): CellNode {
    const graph = this.#graph
    const zero = graph.number(0)
    switch (op) {
      case '+':
        return graph.make('add', a, b)
      case '-':
        return graph.make('sub', a, b)
      case '*':
        return graph.make('mul', a, b)
      case '/':
        if (!(b.op === 'const' && b.at !== 0)) this.#never(graph.make('eq', b, zero))
        return graph.make('div', a, b)
      case '%':
      case '//':
        return b.op === 'const' && b.at > 0 && Number.isInteger(b.at)
          ? graph.make(op === '%' ? 'mod' : 'floordiv', a, b)
          : unfit(`${op} by what is no whole number above 0`)
      case '**':
        return b.op === 'const' && b.at === 2 ? graph.make('mul', a, a) : unfit('a power')
      default:
        return unfit(op)
    }
  }

  // Calls

  #call(node: CallNode): CellNode {
    const graph = this.#graph
    const plan = this.#formula!.plan.calls.get(node)
    if (plan?.is === 'function') return this.#called(plan)
    if (plan?.is !== 'row') return unfit('a method')
    const { name } = plan.row.signature
    const [first, second, third] = plan.args
    switch (name) {
      case 'abs':
      case 'floor':
      case 'ceil':
      case 'trunc':
        return graph.make(name, this.#number(first!))
      case 'round':
      case 'int': {
        if (second || (name === 'int' && this.#typeOf(first!).is !== 'number' && this.#typeOf(first!).is !== 'bool')) return unfit(name)
        const value = this.#number(first!)
        if (!isFinite(value)) this.#never(graph.make('unfit', value))
        return graph.make(name === 'int' ? 'trunc' : 'round', value)
      }
      case 'float':
        return this.#number(first!)
      case 'bool':
        return this.#test(first!)
      case 'sqrt': {
        const value = this.#number(first!)
        this.#never(graph.make('not', graph.make('le', graph.number(0), value)))
        return graph.make('sqrt', value)
      }
      case 'clamp':
        return graph.make('min', graph.make('max', this.#number(first!), this.#number(second!)), this.#number(third!))
      case 'min':
      case 'max':
        if (plan.rest.length > 0)
          return second || third
            ? unfit(name)
            : [first!, ...plan.rest].map(one => this.#number(one)).reduce((a, b) => graph.make(name, a, b))
        return second || third || plan.args[3] ? unfit(name) : this.#reduction(name, first!)
      case 'sum':
      case 'mean':
      case 'any':
      case 'all':
      case 'count':
      case 'len':
        return second ? unfit(name) : this.#reduction(name, first!)
      default:
        return unfit(`the function ${name}`)
    }
  }

  /** What a function of the model gives, as if its body stood here. */
  #called({ symbol, owner, args }: CallPlan & { is: 'function' }): CellNode {
    const all = this.#checked.parts.functions.filter(one => one.id === symbol.id)
    const fn = all.length === 1 ? all[0]! : unfit('a function of several populations')
    const self = owner ? (this.#itemOf(owner) ?? unfit('a function of somebody else')) : (this.#frame?.self ?? here)
    if (fn.level === 'individual' && fn.entity !== this.#entity) return unfit('a function of somebody else')
    const known = new Map<string, CellNode | Item>()
    fn.parameters.forEach(({ name, type }, k) => {
      const given = args[k]
      if (!given) return
      const item = type.is === 'entity' ? (this.#itemOf(given) ?? unfit('an argument that is found while running')) : null
      known.set(name, item ?? this.#coerce(this.#value(given), this.#typeOf(given), type))
    })
    return this.#within(fn, self, known)
  }

  #within(fn: FunctionPart, self: Item, given: ReadonlyMap<string, CellNode | Item>): CellNode {
    const [outer, formula, locals, mask] = [this.#frame, this.#formula, this.#locals, this.#mask]
    const body = this.#checked.formulas.get(keyOf(fn, 'body'))?.inferred
    if (body?.parsed.ast.is !== 'program' || this.#depth++ > mostCalls) return unfit('a function that calls itself, or is blank')
    const known = new Map(given)
    const frame: Frame = { self, fn, arguments: known, result: null, returned: this.#graph.no }
    this.#frame = { ...frame, arguments: new Map() }
    for (const { name, type, key } of fn.parameters) {
      if (known.has(name)) continue
      const initial = key === null ? undefined : this.#checked.formulas.get(keyOf(fn, key.slice(key.indexOf('/') + 1)))?.inferred
      if (initial?.parsed.ast.is !== 'expression') return unfit('an argument that is left out')
      this.#begin(initial)
      known.set(name, this.#coerce(this.#value(initial.parsed.ast.value), this.#typeOf(initial.parsed.ast.value), type))
    }
    this.#frame = frame
    this.#begin(body)
    this.#block(body.parsed.ast.body)
    const result = frame.result ?? unfit('a function that gives nothing')
    ;[this.#frame, this.#formula, this.#locals, this.#mask] = [outer, formula, locals, mask]
    this.#depth--
    return result
  }

  #return(value: Expr): void {
    const frame = this.#frame ?? unfit('a statement: return')
    const given = this.#coerce(this.#value(value), this.#typeOf(value), frame.fn.result)
    frame.result = frame.result ? this.#select(this.#mask, given, frame.result) : given
    frame.returned = this.#graph.make('or', frame.returned, this.#mask)
  }

  /** A reduction over neighbours, in their order. */
  #reduction(name: 'sum' | 'mean' | 'any' | 'all' | 'count' | 'len' | 'min' | 'max', source: Expr): CellNode {
    const { yes, no } = this.#graph
    const make = this.#graph.make.bind(this.#graph)
    const zero = this.#graph.number(0)
    const outer = this.#mask
    let total = zero
    let count = zero
    let found: CellNode = name === 'all' ? yes : no
    let extreme: CellNode | null = null
    let seen: CellNode = no
    this.#eachItem(source, (test, element) => {
      const add = (to: CellNode, what: () => CellNode): CellNode =>
        make('add', to, test === yes ? what() : this.#select(test, what(), zero))
      const one = (): CellNode => this.#countOf(test)
      if (name === 'any' || name === 'all') {
        if (!element) return unfit(name)
        this.#mask = make('and', outer, make('and', test, name === 'any' ? make('not', found) : found))
        found =
          name === 'any'
            ? make('or', found, make('and', test, this.#test(element)))
            : make('and', found, make('or', make('not', test), this.#test(element)))
        return
      }
      this.#mask = make('and', outer, test)
      if (name === 'count' || name === 'len') {
        if (element && element.is !== 'name' && element.is !== 'number' && element.is !== 'text') this.#value(element)
        count = make('add', count, one())
        return
      }
      if (!element) return unfit(name)
      if (name === 'min' || name === 'max') {
        const value = this.#number(element)
        if (extreme === null) extreme = value
        else {
          const better = name === 'min' ? make('lt', value, extreme) : make('lt', extreme, value)
          extreme = this.#select(make('and', test, make('or', make('not', seen), better)), value, extreme)
        }
        seen = make('or', seen, test)
        return
      }
      total = element.is === 'number' && element.value === 1 ? make('add', total, one()) : add(total, () => this.#number(element))
      count = make('add', count, one())
    })
    this.#mask = outer
    switch (name) {
      case 'any':
      case 'all':
        return found
      case 'count':
      case 'len':
        return count
      case 'sum':
        return total
      case 'mean':
        this.#never(make('eq', count, zero))
        return make('div', total, count)
      default:
        this.#never(make('not', seen))
        return extreme ?? unfit('the least or greatest of nothing')
    }
  }

  /** Neighbours with the condition under which each counts, and the expression for it; a query by itself has no element. */
  #eachItem(source: Expr, act: (test: CellNode, element: Expr | null) => void): void {
    const outer = this.#mask
    if (source.is !== 'comprehension') {
      for (const place of this.#neighbours(source)) act(this.#inside(place), null)
      return
    }
    if (source.kind !== 'generator' && source.kind !== 'list') return unfit('a set or dict')
    const [loop, ...tests] = source.clauses
    const item = loop?.is === 'for' ? this.#localOf(loop.target) : null
    if (!item || loop?.is !== 'for' || !tests.every((test): test is Clause & { is: 'if' } => test.is === 'if'))
      return unfit('a loop in a loop')
    for (const place of this.#neighbours(loop.source)) {
      this.#items.set(item, place)
      let test = this.#inside(place)
      for (const clause of tests) {
        this.#mask = this.#graph.make('and', outer, test)
        test = this.#graph.make('and', test, this.#test(clause.test))
      }
      this.#mask = outer
      act(test, source.element)
    }
    this.#items.delete(item)
  }

  #inside({ x, y }: Item): CellNode {
    return this.#atBorder ? this.#graph.inside(x, y) : this.#graph.yes
  }

  /** Where the neighbours of a query around the cell itself are, in their order. */
  #neighbours(source: Expr): Item[] {
    const plan = source.is === 'call' ? this.#formula!.plan.calls.get(source) : undefined
    if (plan?.is !== 'row') return unfit('a loop over something else than neighbours')
    if (this.#frame && (this.#frame.self.x !== 0 || this.#frame.self.y !== 0 || this.#frame.fn.level !== 'individual'))
      return unfit('neighbours of another cell')
    const { name } = plan.row.signature
    const shape: Shape =
      name === 'moore'
        ? 'moore'
        : name === 'von_neumann'
          ? 'vonNeumann'
          : name === 'neighbor_cells'
            ? 'round'
            : unfit(`a loop over ${name}`)
    const [radius, ...rest] = plan.args
    const size = !radius ? 1 : radius.is === 'number' ? radius.value : unfit('a radius that is no constant')
    if (rest.some(one => one !== null) || !(size > 0) || (shape !== 'round' && !Number.isInteger(size))) unfit('neighbours of another cell')
    this.#reach = Math.max(this.#reach, Math.floor(size))
    const places = placesOf(shape, size)
    return places.length > mostNeighbours ? unfit('many neighbours') : places
  }
}

/** Whether a number is finite whatever the state is, as variables always are. */
const isFinite = ({ op, of }: CellNode): boolean =>
  op === 'const' ||
  op === 'own' ||
  op === 'near' ||
  op === 'shared' ||
  op === 'number' ||
  (op === 'select' && isFinite(of[1]!) && isFinite(of[2]!))

/** As `Grid.offsets` lists them. */
function placesOf(shape: Shape, radius: number): Item[] {
  const found: (Item & { far: number })[] = []
  const most = Math.floor(radius)
  for (let y = -most; y <= most; y++) {
    for (let x = -most; x <= most; x++) {
      const far = shape === 'round' ? x * x + y * y : shape === 'moore' ? Math.max(Math.abs(x), Math.abs(y)) : Math.abs(x) + Math.abs(y)
      if (far > 0 && far <= (shape === 'round' ? radius * radius : radius)) found.push({ x, y, far })
    }
  }
  if (shape === 'round') found.sort((a, b) => a.far - b.far)
  return found
}
