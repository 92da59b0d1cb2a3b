// How many cells, or individuals of a model where nobody dies, are as a condition says: for sixteen at once, in WebAssembly over their
// columns (native/tally.ts). The condition is read from the flag that formula/emit-flags.ts writes, so that nothing is known here of
// formulas: comparisons of columns of bytes with small whole numbers, and `&`, `|`, `!`, `^ 1` of them. Certain or not at all.
import type { EntityPart, Storage } from '../check/parts.ts'
import { Code } from './wasm.ts'
import type { LaneOp } from './wasm.ts'

/** The module as hexadecimal digits, and the columns in the order it takes them. */
export type Tally = { readonly code: string; readonly columns: readonly string[] }

/** Longer conditions are no gain over a loop. */
const most = 400

/** The tally of a flag about individuals of a population, read at slot `at`; or null. */
export function tallyOf(flag: string, entity: EntityPart, at: string): Tally | null {
  if (flag.length > most) return null
  const tokens = flag.match(/[\w$]+\[[\w$]+\]|[\w$]+|[!=]==|[<>]=?|\S/g) ?? []
  const columns: string[] = []
  const columnOf = (token: string): number => {
    const [, p, v, slot] = /^p(\d+)_v(\d+)\[([\w$]+)\]$/.exec(token) ?? []
    const variable = entity.variables.find(one => one.index === Number(v))
    if (Number(p) !== entity.index || slot !== at || !isSmall(variable?.storage)) throw new Unfit()
    const name = `p${p}_v${v}`
    if (!columns.includes(name)) columns.push(name)
    return columns.indexOf(name)
  }
  try {
    const reader = new Reader(tokens, columnOf)
    const write = reader.parts()
    if (!reader.isAtEnd) return null
    return { code: moduleOf(write, columns.length), columns }
  } catch (error) {
    if (error instanceof Unfit) return null
    throw error
  }
}

/** Whether a column holds bytes. */
export const isSmall = (storage: Storage | undefined): boolean => storage === 'byte' || storage === 'bool' || storage === 'word'

/** The condition is not one of those that fit. */
class Unfit extends Error {}

const comparisons: Readonly<Record<string, LaneOp>> = { '===': 'eq', '!==': 'ne', '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge' }

/** Writes what leaves sixteen bytes on the stack; `load` those of a column. */
type Write = (code: Code, load: (column: number) => void) => void

class Reader {
  readonly #tokens: readonly string[]
  readonly #columnOf: (token: string) => number
  #next = 0

  constructor(tokens: readonly string[], columnOf: (token: string) => number) {
    this.#tokens = tokens
    this.#columnOf = columnOf
  }

  get isAtEnd(): boolean {
    return this.#next === this.#tokens.length
  }

  /** Truths joined by one and the same operator. */
  parts(): Write {
    let left = this.#truth()
    const joint = this.#tokens[this.#next]
    if (joint === '^') {
      this.#next++
      if (this.#take() !== '1') throw new Unfit()
      return not(left)
    }
    if (joint !== '&' && joint !== '|') return left
    const op = joint === '&' ? 'and' : 'or'
    while (this.#tokens[this.#next] === joint) {
      this.#next++
      const [first, second] = [left, this.#truth()]
      left = (code, load) => {
        first(code, load)
        second(code, load)
        code.op(op)
      }
    }
    return left
  }

  #truth(): Write {
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
    const right = this.#number()
    return (code, load) => {
      left(code, load)
      right(code, load)
      code.op(op)
    }
  }

  #number(): Write {
    const token = this.#take()
    if (/^\d{1,3}$/.test(token)) {
      const value = Number(token)
      if (value > 255) throw new Unfit()
      return code => code.same(value)
    }
    const column = this.#columnOf(token)
    return (_, load) => load(column)
  }

  #take(): string {
    return this.#tokens[this.#next++] ?? ''
  }
}

const not =
  (of: Write): Write =>
  (code, load) => {
    of(code, load)
    code.op('not')
  }

/** `count(n, column 0, column 1 ...)`: n is a multiple of 16, above 0. */
function moduleOf(write: Write, columns: number): string {
  const code = new Code(1 + columns)
  const at = code.int()
  const counted = code.int()
  code.loop(
    () => {
      code.get(counted)
      write(code, column => {
        code.get(1 + column)
        code.get(at)
        code.plus()
        code.load(0)
      })
      code.tally()
      code.plus()
      code.set(counted)
    },
    () => {
      code.get(at)
      code.number(16)
      code.plus()
      code.set(at)
      code.get(at)
      code.get(0)
      code.less()
    },
  )
  code.get(counted)
  return Array.from(code.module(), byte => byte.toString(16).padStart(2, '0')).join('')
}
