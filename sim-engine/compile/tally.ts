// How many cells, or individuals of a model without deaths, are as a condition says: for sixteen at once, in WebAssembly over their
// columns (run/tally.ts). The condition is read from the flag that formula/emit/flags.ts writes, so that nothing is known here of
// formulas: comparisons of columns of bytes with small whole numbers, and `&`, `|`, `!`, `^ 1` of them. Certain or not at all.
import type { EntityPart, Storage } from '../check/parts.ts'
import { emitWasm } from '../backends/wasm.ts'
import * as ir from '../ir.ts'
import type { Expr, Fn, Stmt } from '../ir.ts'

/** The module as hexadecimal digits, and the columns in the order it takes them. */
type Tally = { readonly code: string; readonly columns: readonly string[] }

/** Longer conditions are no gain over a loop. */
const maxConditionLength = 400

/** The tally of a flag about individuals of a population, read at slot `at`; or null. */
export function tallyOf(flag: string, entity: EntityPart, at: string): Tally | null {
  if (flag.length > maxConditionLength) return null
  const tokens = flag.match(/[\w$]+\[[\w$]+\]|[\w$]+|[!=]==|[<>]=?|\S/g) ?? []
  const columns: string[] = []
  const column = (token: string): Expr => {
    const [, p, v, slot] = /^p(\d+)_v(\d+)\[([\w$]+)\]$/.exec(token) ?? []
    const variable = entity.variables.find(one => one.index === Number(v))
    if (Number(p) !== entity.index || slot !== at || !isSmall(variable?.storage)) throw new Unfit()
    const name = `p${p}_v${v}`
    if (!columns.includes(name)) columns.push(name)
    return ir.load('v128', ir.binary('add', ir.get(columnName(columns.indexOf(name)), 'i32'), ir.get('at', 'i32')))
  }
  try {
    const reader = new Reader(tokens, column)
    const truth = reader.parts()
    return reader.isAtEnd ? { code: moduleOf(truth, columns.length), columns } : null
  } catch (error) {
    if (error instanceof Unfit) return null
    throw error
  }
}

/** Whether a column holds bytes. */
export const isSmall = (storage: Storage | undefined): boolean => storage === 'byte' || storage === 'bool' || storage === 'word'

/** The condition is not one of those that fit. */
class Unfit extends Error {}

const comparisons: Readonly<Record<string, string>> = {
  '===': 'i8x16.eq',
  '!==': 'i8x16.ne',
  '<': 'i8x16.lt_u',
  '<=': 'i8x16.le_u',
  '>': 'i8x16.gt_u',
  '>=': 'i8x16.ge_u',
}

const vector = (op: string, ...args: readonly Expr[]): Expr => ({ type: 'v128', kind: 'vector', op, args })
const not = (of: Expr): Expr => vector('v128.not', of)

/** Reads sixteen bytes at a time: of a truth, all bits or none. */
class Reader {
  readonly #tokens: readonly string[]
  readonly #column: (token: string) => Expr
  #next = 0

  constructor(tokens: readonly string[], column: (token: string) => Expr) {
    this.#tokens = tokens
    this.#column = column
  }

  get isAtEnd(): boolean {
    return this.#next === this.#tokens.length
  }

  /** Truths joined by one and the same operator. */
  parts(): Expr {
    let left = this.#truth()
    const joint = this.#tokens[this.#next]
    if (joint === '^') {
      this.#next++
      if (this.#take() !== '1') throw new Unfit()
      return not(left)
    }
    if (joint !== '&' && joint !== '|') return left
    while (this.#tokens[this.#next] === joint) {
      this.#next++
      left = vector(joint === '&' ? 'v128.and' : 'v128.or', left, this.#truth())
    }
    return left
  }

  #truth(): Expr {
    const token = this.#tokens[this.#next]
    if (token === '!') {
      this.#next++
      // `!` binds closer than a comparison.
      if (this.#tokens[this.#next] !== '(') throw new Unfit()
      return not(this.#truth())
    }
    if (token === '(') {
      this.#next++
      const inside = this.parts()
      if (this.#take() !== ')') throw new Unfit()
      return inside
    }
    const left = this.#number()
    const op = comparisons[this.#take()]
    if (!op) throw new Unfit()
    return vector(op, left, this.#number())
  }

  #number(): Expr {
    const token = this.#take()
    if (/^\d{1,3}$/.test(token)) {
      const value = Number(token)
      if (value > 255) throw new Unfit()
      return vector('i8x16.splat', ir.i32(value))
    }
    return this.#column(token)
  }

  #take(): string {
    return this.#tokens[this.#next++] ?? ''
  }
}

/** `count(n, column 0, column 1 ...)`: of the first n bytes of the columns, n a multiple of 16 above 0, how many are as the truth says. */
function moduleOf(truth: Expr, columns: number): string {
  const [n, at, counted] = ['n', 'at', 'counted'].map(name => ir.get(name, 'i32')) as [Expr, Expr, Expr]
  const fitting = ir.unary('popcnt', { ...vector('i8x16.bitmask', truth), type: 'i32' })
  const body: Stmt[] = [
    ir.set('counted', ir.binary('add', counted, fitting)),
    ir.set('at', ir.binary('add', at, ir.i32(16))),
    ir.when(ir.binary('ge', at, n), [{ kind: 'return', value: counted }]),
  ]
  const count: Fn = {
    name: 'count',
    params: [['n', 'i32'], ...Array.from({ length: columns }, (_, k) => [columnName(k), 'i32'] as const)],
    result: 'i32',
    locals: new Map([
      ['at', 'i32'],
      ['counted', 'i32'],
    ]),
    body: [{ kind: 'loop', label: 'sixteen', body }],
    isExported: true,
  }
  return digitsOf(emitWasm({ fns: new Map([[count.name, count]]), imports: [] }))
}

/** Bytes as hexadecimal digits, for a text that holds them. */
export const digitsOf = (bytes: Uint8Array): string => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')

const columnName = (column: number): string => `column${column}`
