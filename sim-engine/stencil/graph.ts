// A simultaneous rule of cells as a graph of values without branches: what every variable it writes is in the next tick, as a function of
// the cell and of its neighbours before the tick. Made from checked trees (lower.ts), printed as WebAssembly (emit.ts). Equal parts are one
// node. Numbers are those of JavaScript, so that any way to calculate a node must give the same bits; `rangesOf` says what they may be.

/** A column the rule reads: a variable of the cell, or its place in the space. */
export type CellColumn =
  | { readonly is: 'number' | 'bool' | 'text'; readonly name: string; readonly variable: number }
  | { readonly is: 'x' | 'y' | 'id'; readonly name: string; readonly variable: -1 }

/** `inside`: whether the neighbour at (x, y) is within a border that does not wrap around. `unfit`: whether a number is not finite. */
export type Op =
  | 'const'
  | 'own'
  | 'near'
  | 'inside'
  | 'shared'
  | 'add'
  | 'sub'
  | 'mul'
  | 'div'
  | 'mod'
  | 'floordiv'
  | 'min'
  | 'max'
  | 'neg'
  | 'abs'
  | 'sqrt'
  | 'floor'
  | 'ceil'
  | 'trunc'
  | 'round'
  | 'number'
  | 'select'
  | 'eq'
  | 'ne'
  | 'lt'
  | 'le'
  | 'and'
  | 'or'
  | 'not'
  | 'unfit'

/** `at`: the column (own, near), the number among `shared`, or the value of a constant (a truth is 0 or 1). (x, y): which neighbour. */
export type CellNode = {
  readonly id: number
  readonly op: Op
  readonly is: 'number' | 'truth'
  readonly of: readonly CellNode[]
  readonly at: number
  readonly x: number
  readonly y: number
}

export type CellRule = {
  readonly columns: readonly CellColumn[]
  /** Columns written, and their next values. */
  readonly outputs: readonly { readonly column: number; readonly value: CellNode }[]
  /** Truths that must not hold: where one does, the rule has to be run cell by cell, which may fail or not. */
  readonly guards: readonly CellNode[]
  /** Shared variables read, by their number. */
  readonly shared: readonly { readonly index: number; readonly isBool: boolean }[]
  /** How far it looks. */
  readonly reach: number
}

const truths: ReadonlySet<Op> = new Set(['eq', 'ne', 'lt', 'le', 'and', 'or', 'not', 'unfit', 'inside'])

/** Makes nodes: equal ones once, constant ones worked out. */
export class GraphBuilder {
  readonly #known = new Map<string, CellNode>()
  readonly yes = this.#node('const', 'truth', [], 1)
  readonly no = this.#node('const', 'truth', [], 0)

  get size(): number {
    return this.#known.size
  }

  #node(op: Op, is: CellNode['is'], of: readonly CellNode[], at = 0, x = 0, y = 0): CellNode {
    const key = `${op} ${is} ${of.map(one => one.id).join()} ${Object.is(at, -0) ? '-0' : at} ${x} ${y}`
    let node = this.#known.get(key)
    if (!node) this.#known.set(key, (node = { id: this.#known.size, op, is, of, at, x, y }))
    return node
  }

  number(value: number): CellNode {
    return this.#node('const', 'number', [], value)
  }

  truth(value: boolean): CellNode {
    return value ? this.yes : this.no
  }

  /** A column's value as it is kept: a truth is a number, 0 or 1. */
  read(column: number, x: number, y: number): CellNode {
    return x === 0 && y === 0 ? this.#node('own', 'number', [], column) : this.#node('near', 'number', [], column, x, y)
  }

  inside(x: number, y: number): CellNode {
    return this.#node('inside', 'truth', [], 0, x, y)
  }

  shared(at: number): CellNode {
    return this.#node('shared', 'number', [], at)
  }

  make(op: Op, ...of: readonly CellNode[]): CellNode {
    const [a, b, c] = of
    if (op === 'not' && a) {
      if (a.op === 'const') return this.truth(a.at === 0)
      if (a.op === 'not') return a.of[0]!
      if (a.op === 'eq') return this.#node('ne', 'truth', a.of)
      if (a.op === 'ne') return this.#node('eq', 'truth', a.of)
    }
    if (op === 'and' && a && b) {
      if (a === b || b === this.yes || a === this.no) return a
      if (a === this.yes || b === this.no) return b
    }
    if (op === 'or' && a && b) {
      if (a === b || b === this.no || a === this.yes) return a
      if (a === this.no || b === this.yes) return b
    }
    if (op === 'select' && a && b && c) {
      if (a.op === 'const') return a.at !== 0 ? b : c
      if (b === c) return b
    }
    if (op === 'number' && a?.op === 'const') return this.number(a.at)
    if (op === 'neg' && a?.op === 'const') return this.number(-a.at)
    const is = op === 'select' ? b!.is : truths.has(op) ? 'truth' : 'number'
    if (op === 'select' && is === 'truth') return this.make('or', this.make('and', a!, b!), this.make('and', this.make('not', a!), c!))
    return this.#node(op, is, of)
  }
}

/** What a number may be. `whole`: a whole number, and not -0. */
export type Range = { readonly low: number; readonly high: number; readonly whole: boolean }

const anything: Range = { low: -Infinity, high: Infinity, whole: false }

/** Ranges of the numbers in a graph, from those of the columns and of shared variables. Larger than they need be, never smaller. */
export class Ranges {
  readonly #columns: readonly Range[]
  readonly #shared: readonly Range[]
  readonly #known = new Map<CellNode, Range>()

  constructor(columns: readonly Range[], shared: readonly Range[]) {
    this.#columns = columns
    this.#shared = shared
  }

  of(node: CellNode): Range {
    let range = this.#known.get(node)
    if (!range) {
      range = this.#find(node)
      if (Number.isNaN(range.low) || Number.isNaN(range.high)) range = anything
      this.#known.set(node, range)
    }
    return range
  }

  #find(node: CellNode): Range {
    const { op, at } = node
    switch (op) {
      case 'const':
        return { low: at, high: at, whole: Number.isInteger(at) && !Object.is(at, -0) }
      case 'own':
      case 'near':
        return this.#columns[at] ?? anything
      case 'shared':
        return this.#shared[at] ?? anything
      case 'number':
        return { low: 0, high: 1, whole: true }
      case 'select': {
        const [, b, c] = node.of.map(one => (one.is === 'number' ? this.of(one) : anything))
        return { low: Math.min(b!.low, c!.low), high: Math.max(b!.high, c!.high), whole: b!.whole && c!.whole }
      }
      default:
        return this.#calculated(
          op,
          node.of.map(one => (one.is === 'number' ? this.of(one) : anything)),
        )
    }
  }

  #calculated(op: Op, [a = anything, b = anything]: readonly Range[]): Range {
    const whole = a.whole && b.whole
    switch (op) {
      case 'add':
        return { low: a.low + b.low, high: a.high + b.high, whole }
      case 'sub':
        return { low: a.low - b.high, high: a.high - b.low, whole }
      case 'mul': {
        // 0 times a negative number is -0.
        const all = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high]
        const keepsZero = (a.low >= 0 && b.low >= 0) || (!hasZero(a) && !hasZero(b))
        return all.some(Number.isNaN) ? anything : { low: Math.min(...all), high: Math.max(...all), whole: whole && keepsZero }
      }
      case 'min':
        return { low: Math.min(a.low, b.low), high: Math.min(a.high, b.high), whole }
      case 'max':
        return { low: Math.max(a.low, b.low), high: Math.max(a.high, b.high), whole }
      case 'abs':
        return { low: hasZero(a) ? 0 : Math.min(Math.abs(a.low), Math.abs(a.high)), high: Math.max(-a.low, a.high), whole: a.whole }
      case 'neg':
        return { low: -a.high, high: -a.low, whole: a.whole && !hasZero(a) }
      case 'mod':
        return b.low > 0 ? { low: 0, high: Math.max(0, b.whole && a.whole ? b.high - 1 : b.high), whole: whole && a.low >= 0 } : anything
      case 'floor':
      case 'ceil':
      case 'trunc':
      case 'round':
        return a.whole ? a : { low: Math.floor(a.low), high: Math.ceil(a.high), whole: a.low > 0 }
      default:
        return anything
    }
  }
}

/** Whether a truth is certain: true or false, or null where it depends. */
export function decided(node: CellNode, ranges: Ranges): boolean | null {
  const [a, b] = node.of
  switch (node.op) {
    case 'const':
      return node.at !== 0
    case 'and':
    case 'or': {
      const all = [decided(a!, ranges), decided(b!, ranges)]
      const decides = node.op === 'or'
      return all.includes(decides) ? decides : all.every(one => one === !decides) ? !decides : null
    }
    case 'not': {
      const of = decided(a!, ranges)
      return of === null ? null : !of
    }
    case 'unfit':
      return ranges.of(a!).whole ? false : null
    case 'eq':
    case 'le':
    case 'lt': {
      const [x, y] = [ranges.of(a!), ranges.of(b!)]
      if (node.op === 'eq') return x.high < y.low || x.low > y.high ? false : null
      return x.high < y.low || (node.op === 'le' && x.high <= y.low)
        ? true
        : x.low > y.high || (node.op === 'lt' && x.low >= y.high)
          ? false
          : null
    }
    default:
      return null
  }
}

const hasZero = ({ low, high }: Range): boolean => low <= 0 && high >= 0

/** A graph, readable: one line a node. For `compile --print` and golden files. */
export function printRule(rule: CellRule): string {
  const seen = new Map<CellNode, string>()
  const lines: string[] = []
  const name = (node: CellNode): string => {
    const known = seen.get(node)
    if (known !== undefined) return known
    const { op, at, x, y } = node
    const text =
      op === 'const'
        ? node.is === 'truth'
          ? String(at !== 0)
          : String(at)
        : op === 'own'
          ? rule.columns[at]!.name
          : op === 'near'
            ? `${rule.columns[at]!.name}[${x}, ${y}]`
            : op === 'inside'
              ? `inside[${x}, ${y}]`
              : op === 'shared'
                ? `shared ${rule.shared[at]!.index}`
                : ''
    if (text !== '') {
      seen.set(node, text)
      return text
    }
    const line = `${op}(${node.of.map(name).join(', ')})`
    const given = `%${lines.length}`
    lines.push(`  ${given} = ${line}`)
    seen.set(node, given)
    return given
  }
  for (const { column, value } of rule.outputs) lines.push(`  ${rule.columns[column]!.name}' = ${name(value)}`)
  for (const guard of rule.guards) lines.push(`  never ${name(guard)}`)
  return `simultaneously, looking ${rule.reach} far\n${lines.join('\n')}\n`
}
