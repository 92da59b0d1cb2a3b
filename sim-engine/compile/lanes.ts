// Rules of cells whose variables are truths or small whole numbers, for sixteen cells at once: the rule's tree as
// WebAssembly over vectors of bytes, without branches. What it can't do exactly - other numbers, functions, division, a
// number that might leave 0 to 255 - it doesn't do at all; then there is the JavaScript alone, which also does the cells
// at borders. Both give the same: all is whole and small.
import type { CheckedModel } from '../check/checked.ts'
import type { EntityPart, ProcessPart, VariablePart } from '../check/parts.ts'
import type { Inferred } from '../formula.ts'
import type { CallNode, Clause, CompareOp, Expr, Statement } from '../formula/ast.ts'
import type { Local } from '../formula/plan.ts'
import type { Shape } from '../world/grid.ts'
import { ruleOf } from './quiet.ts'
import { Code } from './wasm.ts'
import type { LaneOp } from './wasm.ts'

export type LanesJs = {
  code: Uint8Array<ArrayBuffer>
  /** Columns in the order the module takes them: those written first. */
  columns: readonly VariablePart[]
  near: readonly { shape: Shape; radius: number }[]
}

/** Longer modules are no gain over a loop. */
const longest = 60_000
const widest = 120

export function lanesOf(
  checked: CheckedModel,
  entity: EntityPart,
  written: readonly VariablePart[],
  processes: readonly ProcessPart[],
): LanesJs | null {
  const rule = ruleOf(checked, processes)
  if (!rule || rule.parsed.ast.is !== 'program' || !entity.space || entity.space.three) return null
  const read = new Set<string>([...rule.reads, ...rule.uses.map(use => use.symbol)].flatMap(symbol => symbol.id ?? []))
  const others = entity.variables.filter(variable => read.has(variable.id) && !written.includes(variable))
  const columns = [...written, ...others]
  if (columns.some(({ storage }) => storage !== 'byte' && storage !== 'bool')) return null
  try {
    const lanes = new Lanes(rule, columns, written.length)
    return lanes.code.bytes.length > longest ? null : { code: lanes.code.module(), columns, near: lanes.near }
  } catch (error) {
    if (error instanceof Unfit) return null
    throw error
  }
}

/** The rule is not one of those that fit. */
class Unfit extends Error {}

const unfit = (): never => {
  throw new Unfit()
}

/** What is on the stack: truths as bytes 0 or 255, or numbers from `low` to `high`. */
type Kind = { is: 'truth' } | { is: 'number'; low: number; high: number }
type Place = { x: number; y: number }
type Slot = { vector: number; kind: Kind }

const truth: Kind = { is: 'truth' }
const comparisons: Partial<Record<CompareOp, LaneOp>> = { '==': 'eq', '!=': 'ne', '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge' }

class Lanes {
  readonly code: Code
  readonly near: { shape: Shape; radius: number }[] = []
  readonly #rule: Inferred
  readonly #columns: readonly VariablePart[]
  /** First of the columns' addresses among the parameters. */
  readonly #base = 2
  readonly #at: number
  readonly #rows = new Map<number, number>()
  readonly #locals = new Map<Local, Slot>()
  readonly #outputs: number[]
  /** The variable of a loop over neighbours, and where its neighbour is. */
  readonly #items = new Map<Local, Place>()
  /** Where the statements being written apply; null: everywhere. */
  #mask: number | null = null

  constructor(rule: Inferred, columns: readonly VariablePart[], writes: number) {
    this.#rule = rule
    this.#columns = columns
    const { ast } = rule.parsed
    const code = new Code(this.#base + columns.length + writes)
    this.code = code
    this.#at = code.int()
    const changed = code.int()
    const reach = reachOf(rule)
    for (let y = -reach; y <= reach; y++) {
      // Rows above and below, from as far left as the rule looks: offsets of loads are not negative.
      const row = code.int()
      this.#rows.set(y, row)
      code.number(y)
      code.get(1)
      code.times()
      code.number(-reach)
      code.plus()
      code.set(row)
    }
    this.#reach = reach
    this.#outputs = Array.from({ length: writes }, () => code.vector())
    code.loop(
      () => {
        for (let k = 0; k < writes; k++) {
          this.#load(k, { x: 0, y: 0 })
          code.set(this.#outputs[k]!)
        }
        if (ast.is === 'program') this.#block(ast.body)
        for (let k = 0; k < writes; k++) {
          code.get(this.#base + columns.length + k)
          code.get(this.#at)
          code.plus()
          code.get(this.#outputs[k]!)
          code.store()
        }
        code.get(changed)
        for (let k = 0; k < writes; k++) {
          code.get(this.#outputs[k]!)
          this.#load(k, { x: 0, y: 0 })
          code.op('ne')
          if (k > 0) code.op('or')
        }
        code.tally()
        code.plus()
        code.set(changed)
      },
      () => {
        code.get(this.#at)
        code.number(16)
        code.plus()
        code.set(this.#at)
        code.get(this.#at)
        code.get(0)
        code.less()
      },
    )
    code.get(changed)
  }

  readonly #reach: number

  /** Bytes of a column for the sixteen cells, or for their neighbours at a place. */
  #load(column: number, { x, y }: Place): void {
    const { code } = this
    code.get(this.#base + column)
    code.get(this.#at)
    code.plus()
    code.get(this.#rows.get(y) ?? unfit())
    code.plus()
    code.load(x + this.#reach)
  }

  /** A variable as a value. */
  #read(column: number, place: Place): Kind {
    this.#load(column, place)
    if (this.#columns[column]!.storage === 'byte') return { is: 'number', low: 0, high: 255 }
    this.code.op('neg')
    return truth
  }

  // Statements

  #block(body: readonly Statement[]): void {
    for (const statement of body) this.#statement(statement)
  }

  #statement(node: Statement): void {
    if (this.code.bytes.length > longest) unfit()
    switch (node.is) {
      case 'pass':
        return
      case 'assign': {
        const [target, second] = node.targets
        return !target || second ? unfit() : this.#assign(target, () => this.#value(node.value))
      }
      case 'augment': {
        const { target, op } = node
        if (target.is !== 'name' || (op !== '+' && op !== '-')) return unfit()
        return this.#assign(target, () =>
          this.#sum(
            op,
            () => this.#value(target),
            () => this.#value(node.value),
          ),
        )
      }
      case 'if':
        return this.#choose(node.branches, node.otherwise)
      case 'for': {
        const item = this.#localOf(node.target)
        if (!item || node.otherwise.length > 0 || node.source.is !== 'call') return unfit()
        this.#each(item, node.source, () => this.#block(node.body))
        return
      }
      default:
        unfit()
    }
  }

  #assign(target: Expr, value: () => Kind): void {
    const { code } = this
    const local = this.#localOf(target)
    if (local) {
      const known = this.#locals.get(local)
      const kind = value()
      const slot = known ?? { vector: code.vector(), kind }
      if (known && known.kind.is !== kind.is) unfit()
      if (this.#mask !== null && known) {
        code.get(slot.vector)
        code.get(this.#mask)
        code.op('bitselect')
      }
      code.set(slot.vector)
      this.#locals.set(local, { vector: slot.vector, kind: known && this.#mask !== null ? union(known.kind, kind) : kind })
      return
    }
    const meaning = target.is === 'name' ? this.#rule.plan.names.get(target) : undefined
    const column = meaning?.is === 'symbol' ? this.#columnOf(meaning.symbol.id) : -1
    const output = this.#outputs[column] ?? unfit()
    const kind = value()
    const isBool = this.#columns[column]!.storage === 'bool'
    if (isBool !== (kind.is === 'truth')) unfit()
    if (isBool) {
      code.same(1)
      code.op('and')
    }
    if (this.#mask !== null) {
      code.get(output)
      code.get(this.#mask)
      code.op('bitselect')
    }
    code.set(output)
  }

  /** Each branch applies where its test holds and none before did. */
  #choose(branches: readonly { test: Expr; body: readonly Statement[] }[], otherwise: readonly Statement[]): void {
    const { code } = this
    const outer = this.#mask
    let rest = outer
    for (const { test, body } of branches) {
      const mask = code.vector()
      const left = code.vector()
      this.#test(test)
      if (rest !== null) {
        code.get(rest)
        code.op('and')
      }
      code.set(mask)
      if (rest === null) code.same(255)
      else code.get(rest)
      code.get(mask)
      code.op('andnot')
      code.set(left)
      this.#mask = mask
      this.#block(body)
      rest = left
    }
    this.#mask = rest
    this.#block(otherwise)
    this.#mask = outer
  }

  /** Runs `body` for each of the neighbours a query gives. */
  #each(item: Local, query: CallNode, body: () => void): void {
    const places = this.#placesOf(query)
    for (const place of places) {
      if (this.code.bytes.length > longest) unfit()
      this.#items.set(item, place)
      body()
    }
    this.#items.delete(item)
  }

  #placesOf(query: CallNode): Place[] {
    const found = queryOf(this.#rule, query)
    if (!found) return unfit()
    if (!this.near.some(one => one.shape === found.shape && one.radius === found.radius)) this.near.push(found)
    return placesOf(found)
  }

  // Values

  #test(node: Expr): void {
    const kind = this.#value(node)
    if (kind.is === 'truth') return
    this.code.same(0)
    this.code.op('ne')
  }

  #value(node: Expr): Kind {
    const { code } = this
    switch (node.is) {
      case 'number':
        if (!Number.isInteger(node.value) || node.value < 0 || node.value > 255) return unfit()
        code.same(node.value)
        return { is: 'number', low: node.value, high: node.value }
      case 'constant':
        if (node.value === null) return unfit()
        code.same(node.value ? 255 : 0)
        return truth
      case 'name':
        return this.#name(node)
      case 'member': {
        const local = this.#localOf(node.of)
        const place = local ? this.#items.get(local) : undefined
        const column = this.#columnOf(this.#rule.plan.members.get(node)?.id)
        return place && column >= 0 ? this.#read(column, place) : unfit()
      }
      case 'compare': {
        const [link, another] = node.rest
        const op = link ? comparisons[link.op] : undefined
        if (!link || another || !op) return unfit()
        const a = this.#value(node.first)
        const b = this.#value(link.right)
        if (a.is !== b.is || (a.is === 'truth' && op !== 'eq' && op !== 'ne')) return unfit()
        code.op(op)
        return truth
      }
      case 'and':
      case 'or':
        if (this.#value(node.left).is !== 'truth' || this.#value(node.right).is !== 'truth') return unfit()
        code.op(node.is)
        return truth
      case 'unary':
        if (node.op !== 'not') return unfit()
        this.#test(node.of)
        code.op('not')
        return truth
      case 'choose': {
        const a = this.#value(node.value)
        const b = this.#value(node.otherwise)
        if (a.is !== b.is) return unfit()
        this.#test(node.test)
        code.op('bitselect')
        return union(a, b)
      }
      case 'binary':
        return node.op === '+' || node.op === '-'
          ? this.#sum(
              node.op,
              () => this.#value(node.left),
              () => this.#value(node.right),
            )
          : unfit()
      case 'call':
        return this.#call(node)
      default:
        return unfit()
    }
  }

  #sum(op: '+' | '-', left: () => Kind, right: () => Kind): Kind {
    const a = left()
    const b = right()
    if (a.is !== 'number' || b.is !== 'number') return unfit()
    const [low, high] = op === '+' ? [a.low + b.low, a.high + b.high] : [a.low - b.high, a.high - b.low]
    if (low < 0 || high > 255) return unfit()
    this.code.op(op === '+' ? 'add' : 'sub')
    return { is: 'number', low, high }
  }

  #name(node: Expr & { is: 'name' }): Kind {
    const meaning = this.#rule.plan.names.get(node)
    if (meaning?.is === 'local') {
      const slot = this.#locals.get(meaning.local)
      if (!slot || meaning.unsure) return unfit()
      this.code.get(slot.vector)
      return slot.kind
    }
    const column = meaning?.is === 'symbol' ? this.#columnOf(meaning.symbol.id) : -1
    return column >= 0 ? this.#read(column, { x: 0, y: 0 }) : unfit()
  }

  /** A reduction over neighbours: sum, count, len, any, all of a comprehension with one query. */
  #call(node: CallNode): Kind {
    const { code } = this
    const plan = this.#rule.plan.calls.get(node)
    const [source] = node.args
    if (plan?.is !== 'row' || node.args.length !== 1 || node.named.length > 0 || source?.is !== 'comprehension') return unfit()
    if (source.kind !== 'generator' && source.kind !== 'list') return unfit()
    const [loop, ...tests] = source.clauses
    const item = loop?.is === 'for' && loop.target.is === 'name' ? this.#localOf(loop.target) : null
    if (!item || loop?.is !== 'for' || loop.source.is !== 'call' || tests.some(test => test.is !== 'if')) return unfit()
    const { name } = plan.row.signature
    const isOne = source.element.is === 'number' && source.element.value === 1
    const counts =
      name === 'sum' ? isOne : (name === 'count' || name === 'len') && (source.element.is === 'name' || source.element.is === 'number')
    const square = counts ? this.#squareOf(loop.source, tests, item) : 0
    if (square > 0) return this.#countSquare(item, tests, square)
    const total = code.vector()
    code.same(name === 'all' ? 255 : 0)
    code.set(total)
    let high = 0
    const many = name === 'sum' && source.element.is !== 'number' ? () => this.#add(source.element, tests, total) : null
    this.#each(item, loop.source, () => {
      if (many) {
        high += many()
        return
      }
      switch (name) {
        case 'any':
        case 'all':
          if (tests.length > 0 && name === 'all') unfit()
          this.#conditions(tests)
          this.#test(source.element)
          if (tests.length > 0) code.op('and')
          code.get(total)
          code.op(name === 'any' ? 'or' : 'and')
          break
        case 'sum':
        case 'count':
        case 'len':
          if (!counts) unfit()
          code.get(total)
          this.#tally(tests, 1)
          high++
          break
        default:
          unfit()
      }
      code.set(total)
    })
    if (high > 255) return unfit()
    code.get(total)
    return name === 'any' || name === 'all' ? truth : { is: 'number', low: 0, high }
  }

  /** Adds one to the number on the stack, or takes one off, where the conditions hold. */
  #tally(tests: readonly Clause[], by: 1 | -1): void {
    const { code } = this
    if (tests.length === 1 && tests[0]?.is === 'if' && this.#flag(tests[0].test)) {
      code.op(by > 0 ? 'add' : 'sub')
      return
    }
    if (tests.length === 0) code.same(255)
    this.#conditions(tests)
    // A truth is 255, which is -1.
    code.op(by > 0 ? 'sub' : 'add')
  }

  /** The radius of a whole square of neighbours, where the conditions are about each of them alone; 0 where it is something else. */
  #squareOf(source: Expr, tests: readonly Clause[], item: Local): number {
    const found = source.is === 'call' ? queryOf(this.#rule, source) : null
    if (found?.shape !== 'moore' || found.radius < 1 || (2 * found.radius + 1) ** 2 > 255) return 0
    if (!tests.every(test => test.is === 'if' && this.#isAbout(test.test, item))) return 0
    if (!this.near.some(one => one.shape === found.shape && one.radius === found.radius)) this.near.push(found)
    return found.radius
  }

  #isAbout(node: Expr, item: Local): boolean {
    const are = (...nodes: readonly Expr[]): boolean => nodes.every(one => this.#isAbout(one, item))
    switch (node.is) {
      case 'number':
      case 'constant':
        return true
      case 'member':
        return this.#localOf(node.of) === item
      case 'compare':
        return are(node.first, ...node.rest.map(link => link.right))
      case 'and':
      case 'or':
        return are(node.left, node.right)
      case 'unary':
        return are(node.of)
      default:
        return false
    }
  }

  /**
   * Counts in a square: of each column of it once, as the columns of the sixteen cells to the right are those of the next round. Who is
   * left of the very first cells is not known; they stand at a border.
   */
  #countSquare(item: Local, tests: readonly Clause[], radius: number): Kind {
    const { code } = this
    const [left, here, right] = [code.vector(), code.vector(), code.vector()]
    const column = (x: number, into: number): void => {
      code.same(0)
      for (let y = -radius; y <= radius; y++) {
        this.#items.set(item, { x, y })
        this.#tally(tests, 1)
      }
      code.set(into)
    }
    code.atZero(this.#at, () => column(0, here))
    column(16, right)
    code.get(here)
    for (let step = 1; step <= radius; step++) {
      code.get(left)
      code.get(here)
      code.window(16 - step)
      code.op('add')
      code.get(here)
      code.get(right)
      code.window(step)
      code.op('add')
    }
    this.#items.set(item, { x: 0, y: 0 })
    this.#tally(tests, -1)
    this.#items.delete(item)
    const total = code.vector()
    code.set(total)
    code.get(here)
    code.set(left)
    code.get(right)
    code.set(here)
    code.get(total)
    return { is: 'number', low: 0, high: (2 * radius + 1) ** 2 - 1 }
  }

  /** Adds an element, where the conditions hold; returns the most it may be. */
  #add(element: Expr, tests: readonly Clause[], total: number): number {
    const { code } = this
    code.get(total)
    if (tests.length === 0 && this.#flag(element)) {
      code.op('add')
      code.set(total)
      return 1
    }
    const kind = this.#value(element)
    if (tests.length > 0) {
      this.#conditions(tests)
      code.op('and')
    }
    code.op(kind.is === 'truth' ? 'sub' : 'add')
    code.set(total)
    return kind.is === 'truth' ? 1 : kind.high
  }

  #conditions(tests: readonly Clause[]): void {
    tests.forEach((clause, k) => {
      if (clause.is === 'if') this.#test(clause.test)
      if (k > 0) this.code.op('and')
    })
  }

  /** A truth of a neighbour as 0 or 1, where it is at hand. */
  #flag(node: Expr): boolean {
    const local = node.is === 'member' ? this.#localOf(node.of) : null
    const place = local ? this.#items.get(local) : undefined
    const column = node.is === 'member' ? this.#columnOf(this.#rule.plan.members.get(node)?.id) : -1
    if (!place || this.#columns[column]?.storage !== 'bool') return false
    this.#load(column, place)
    return true
  }

  #columnOf(id: string | undefined): number {
    return this.#columns.findIndex(variable => variable.id === id)
  }

  #localOf(node: Expr): Local | null {
    const meaning = node.is === 'name' ? this.#rule.plan.names.get(node) : undefined
    return meaning?.is === 'local' ? meaning.local : null
  }
}

const union = (a: Kind, b: Kind): Kind =>
  a.is === 'number' && b.is === 'number' ? { is: 'number', low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) } : a

/** The shape and radius of a query around the cell itself. */
function queryOf(rule: Inferred, node: CallNode): { shape: Shape; radius: number } | null {
  const plan = rule.plan.calls.get(node)
  if (plan?.is !== 'row') return null
  const { name } = plan.row.signature
  const shape = name === 'moore' ? 'moore' : name === 'von_neumann' ? 'vonNeumann' : name === 'neighbor_cells' ? 'round' : null
  const [radius, ...rest] = plan.args
  const size = !radius ? 1 : radius.is === 'number' ? radius.value : null
  if (!shape || size === null || rest.some(one => one !== null) || (shape !== 'round' && !Number.isInteger(size))) return null
  return placesOf({ shape, radius: size }).length > widest ? null : { shape, radius: size }
}

/** Where the neighbours of a cell are. */
function placesOf({ shape, radius }: { shape: Shape; radius: number }): Place[] {
  const places: Place[] = []
  const far = Math.floor(radius)
  for (let y = -far; y <= far; y++) {
    for (let x = -far; x <= far; x++) {
      const isNear = shape === 'round' ? x * x + y * y <= radius * radius : shape === 'moore' ? true : Math.abs(x) + Math.abs(y) <= radius
      if (isNear && (x !== 0 || y !== 0)) places.push({ x, y })
    }
  }
  return places
}

/** How far the rule looks. */
function reachOf(rule: Inferred): number {
  let reach = 0
  for (const node of rule.plan.calls.keys()) {
    const query = queryOf(rule, node)
    if (query) reach = Math.max(reach, Math.floor(query.radius))
  }
  return reach
}
