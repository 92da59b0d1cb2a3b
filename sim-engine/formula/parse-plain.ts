// Text -> tree for what most formulas are: common forms without a mistake. The generated parser reads them as well, but takes ten times as long
// before the engine has optimised it: a third of the way from a model to its first tick. On anything else - a mistake, a rarer form, great depth
// - this one gives up and that one reads the text: its grammar alone says what the language is. `tests/engine/formula/parse-plain.test.ts` holds both to
// the same trees.
import type { FormulaContext } from '../../model-schema/kinds/kind.ts'
import type { ArithmeticOp, Ast, Clause, CompareOp, Expr, FormatPart, NamedArgument, NameNode, Span, Statement } from './ast.ts'

/** The tree of a text without mistakes; null when the generated parser must read it. */
export function parsePlain(text: string, context: FormulaContext): Ast | null {
  const isFlat = context === 'expression' || context === 'condition'
  const reader = new Reader(text, isFlat)
  if (isFlat) {
    const value = reader.formula()
    return value && { is: 'expression', value }
  }
  const body = reader.program(context === 'function')
  return body && { is: 'program', body }
}

/** Tokens of one expression, and blocks in each other: no tree gets as deep as is forbidden. */
const mostTokens = 150
const mostBlocks = 40

const keywords: ReadonlySet<string> = new Set(
  (
    'return del assert break continue pass import from class with try raise global nonlocal yield async await def ' +
    'if elif else for in while lambda not or and is True False None'
  ).split(' '),
)

type Operation = { readonly binds: number } & (
  | { readonly is: 'or' | 'and' }
  | { readonly is: 'compare'; readonly op: CompareOp }
  | { readonly is: 'binary'; readonly op: ArithmeticOp }
)

/** How tightly `not` and signs bind, among the operations below; `**` binds tighter still. */
const not = 3
const sign = 11

const comparisons: readonly CompareOp[] = ['<', '<=', '>', '>=', '==', '!=', 'in', 'is']
const calculations: readonly (readonly ArithmeticOp[])[] = [['|'], ['^'], ['&'], ['<<', '>>'], ['+', '-'], ['*', '/', '//', '%']]
const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['or', { is: 'or', binds: 1 }],
  ['and', { is: 'and', binds: 2 }],
  ['not', { is: 'compare', op: 'not in', binds: 4 }],
  ...comparisons.map((op): [string, Operation] => [op, { is: 'compare', op, binds: 4 }]),
  ...calculations.flatMap((ops, k) => ops.map((op): [string, Operation] => [op, { is: 'binary', op, binds: 5 + k }])),
])
const updates: ReadonlyMap<string, ArithmeticOp> = new Map([...calculations.flat(), '**' as const].map(op => [`${op}=`, op]))

const newline = 10
const carriageReturn = 13
const blank = 32
const hash = 35
const equals = 61

/** Placeholder where parsing was given up; no returned tree contains it. */
const nothing: Expr = { is: 'missing', from: 0, to: 0 }

class Reader {
  readonly #text: string
  /** Line breaks mean nothing in brackets, and nowhere in a formula of one expression. */
  #brackets: number
  /** The token to be read: a keyword or sign is what is written, all else `name`, `number`, `text`, `format`, `line`, `end`, `odd`. */
  #kind = ''
  #from = 0
  #to = 0
  /** Where the token before ends. */
  #end = 0
  /** Blanks before the first token of this line, and where the line begins. */
  #indent = 0
  #line = 0
  #tokens = 0
  #blocks = 0
  #loops = 0
  #isFunction = false

  constructor(text: string, isFlat: boolean) {
    this.#text = text
    this.#brackets = isFlat ? 1 : 0
  }

  formula(): Expr | null {
    this.#next()
    const value = this.#list()
    return this.#kind === 'end' ? value : null
  }

  program(isFunction: boolean): Statement[] | null {
    this.#isFunction = isFunction
    this.#beginLine(0)
    const body = this.#statements(0)
    const [only] = body
    if (this.#kind !== 'end' || !only) return null
    // A function block that is one expression gives its value.
    return isFunction && body.length === 1 && only.is === 'do' ? [{ from: only.from, to: only.to, is: 'return', value: only.value }] : body
  }

  /** Gives up: there are no more tokens, so that the parser returns. */
  #odd(): Expr {
    this.#kind = 'odd'
    return nothing
  }

  /** Advances to the next token. */
  #next(): void {
    if (this.#kind === 'odd') return
    const text = this.#text
    this.#end = this.#to
    let i = this.#to
    let c = text.charCodeAt(i)
    while (c === blank || (c === newline && this.#brackets > 0)) c = text.charCodeAt(++i)
    if (c === hash && this.#brackets === 0) while (i < text.length && c !== newline && c !== carriageReturn) c = text.charCodeAt(++i)
    this.#from = i
    this.#to = i + 1
    if (++this.#tokens > mostTokens) this.#odd()
    else if (i >= text.length) {
      this.#kind = 'end'
      this.#to = i
    } else if (isLetter(c)) this.#word(i, c)
    else if (isDigit(c)) this.#number(i)
    else if (c === newline) this.#kind = 'line'
    else if (c === 34 || c === 39) this.#quoted(i, c)
    else this.#sign(i, c)
  }

  #word(from: number, first: number): void {
    const text = this.#text
    let i = from + 1
    while (isLetter(text.charCodeAt(i)) || isDigit(text.charCodeAt(i))) i++
    const after = text.charCodeAt(i)
    const word = text.slice(from, i)
    this.#to = i
    if (after === 34 || after === 39) {
      const isFormat = (first === 70 || first === 102) && word.length === 1
      this.#kind = isFormat && text.charCodeAt(i + 1) !== after ? 'format' : 'odd'
    } else this.#kind = after > 127 ? 'odd' : keywords.has(word) ? word : 'name'
  }

  #number(from: number): void {
    const text = this.#text
    let i = from
    while (isDigit(text.charCodeAt(i))) i++
    if (text.charCodeAt(i) === 46 && isDigit(text.charCodeAt(i + 1))) {
      i++
      while (isDigit(text.charCodeAt(i))) i++
    }
    const after = text.charCodeAt(i)
    this.#to = i
    this.#kind = after === 46 || after > 127 || isLetter(after) ? 'odd' : 'number'
  }

  /** A text without escapes, on one line. */
  #quoted(from: number, quote: number): void {
    const text = this.#text
    let i = from + 1
    let c = text.charCodeAt(i)
    while (i < text.length && c !== quote && c !== newline && c !== 92) c = text.charCodeAt(++i)
    this.#to = i + 1
    // Two quotes may begin a text of several lines.
    this.#kind = c === quote && (i > from + 1 || text.charCodeAt(i + 1) !== quote) ? 'text' : 'odd'
  }

  #sign(from: number, first: number): void {
    const text = this.#text
    let i = from + 1
    if ((first === 42 || first === 47 || first === 60 || first === 62) && text.charCodeAt(i) === first) i++
    if (text.charCodeAt(i) === equals && '+-*/%&|^<>=!'.includes(text[from]!)) i++
    this.#kind = text.slice(from, i)
    this.#to = i
  }

  #take(kind: string): void {
    if (this.#kind === kind) this.#next()
    else this.#odd()
  }

  #open(): void {
    this.#brackets++
    this.#next()
  }

  #close(kind: string): void {
    this.#brackets--
    this.#take(kind)
  }

  /** Advances to the first line from here that is neither empty nor a comment. */
  #beginLine(at: number): void {
    const text = this.#text
    let line = at
    let i = at
    for (;;) {
      let c = text.charCodeAt(i)
      while (c === blank) c = text.charCodeAt(++i)
      if (c === hash) while (i < text.length && c !== newline && c !== carriageReturn) c = text.charCodeAt(++i)
      if (c !== newline) break
      line = ++i
    }
    this.#line = line
    this.#indent = i - line
    this.#to = i
    // Blanks alone in the last line: the generated parser knows what they mean.
    if (i === text.length && this.#indent > 0) this.#odd()
    this.#tokens = 0
    this.#next()
  }

  #statements(indent: number): Statement[] {
    const made: Statement[] = []
    while (this.#indent === indent && this.#kind !== 'end' && this.#kind !== 'odd') made.push(this.#statement())
    // More to the right than the first: a mistake.
    if (this.#indent > indent && this.#kind !== 'end') this.#odd()
    return made
  }

  #statement(): Statement {
    if (this.#kind === 'if') return this.#if()
    if (this.#kind === 'for' || this.#kind === 'while') return this.#loop()
    const made = this.#simple()
    this.#endLine()
    return made
  }

  #endLine(): void {
    if (this.#kind === 'line') this.#beginLine(this.#to)
    else if (this.#kind === 'end') this.#line = this.#end
    else this.#odd()
  }

  #simple(): Statement {
    const from = this.#from
    switch (this.#kind) {
      case 'pass':
        this.#next()
        return { from, to: this.#end, is: 'pass' }
      case 'break':
      case 'continue': {
        const is = this.#kind
        if (this.#loops === 0) this.#odd()
        this.#next()
        return { from, to: this.#end, is }
      }
      case 'return': {
        if (!this.#isFunction) this.#odd()
        this.#next()
        const value = this.#isAtEnd() ? null : this.#list()
        return { from, to: this.#end, is: 'return', value }
      }
    }
    let value = this.#list()
    const op = updates.get(this.#kind)
    if (op) {
      this.#next()
      if (value.is === 'tuple' || value.is === 'list') this.#odd()
      const target = this.#target(value)
      value = this.#list()
      return { from, to: this.#end, is: 'augment', target, op, value }
    }
    if (this.#kind !== '=') return { from, to: this.#end, is: 'do', value }
    const targets: Expr[] = []
    while (this.#kind === '=') {
      targets.push(this.#target(value))
      this.#next()
      value = this.#list()
    }
    return { from, to: this.#end, is: 'assign', targets, value }
  }

  #isAtEnd(): boolean {
    return this.#kind === 'line' || this.#kind === 'end'
  }

  #target(target: Expr): Expr {
    if (target.is === 'tuple' || target.is === 'list') for (const item of target.items) this.#target(item)
    else if (target.is !== 'name' && target.is !== 'member' && target.is !== 'index') this.#odd()
    return target
  }

  #if(): Statement {
    const from = this.#from
    const indent = this.#indent
    const branches: { test: Expr; body: Statement[] }[] = []
    let otherwise: Statement[] = []
    let to = 0
    do {
      this.#next()
      const test = this.#expression()
      const { body, to: end } = this.#body(indent)
      branches.push({ test, body })
      to = end
      // Behind a branch on one line there may be no empty one: the grammar has it so.
    } while (this.#kind === 'elif' && this.#indent === indent && this.#line === to)
    if (this.#kind === 'else' && this.#indent === indent && this.#line === to) {
      this.#next()
      const { body, to: end } = this.#body(indent)
      otherwise = body
      to = end
    }
    return { from, to, is: 'if', branches, otherwise }
  }

  #loop(): Statement {
    const from = this.#from
    const indent = this.#indent
    const isFor = this.#kind === 'for'
    this.#next()
    const target = isFor ? this.#targets() : nothing
    if (isFor) this.#take('in')
    const head = isFor ? this.#list() : this.#expression()
    this.#loops++
    const { body, to } = this.#body(indent)
    this.#loops--
    if (isFor) return { from, to, is: 'for', target, source: head, body, otherwise: [] }
    return { from, to, is: 'while', test: head, body, otherwise: [] }
  }

  /** The statements behind a colon, on the same line or further to the right; and where they end. */
  #body(indent: number): { body: Statement[]; to: number } {
    this.#take(':')
    if (this.#kind !== 'line') {
      const only = this.#simple()
      const to = this.#kind === 'end' ? this.#end : this.#to
      this.#endLine()
      return { body: [only], to }
    }
    this.#beginLine(this.#to)
    if (this.#indent <= indent || this.#isAtEnd() || ++this.#blocks > mostBlocks) this.#odd()
    const body = this.#statements(this.#indent)
    this.#blocks--
    return { body, to: this.#line }
  }

  /** Expressions with commas between them are a tuple. */
  #list(): Expr {
    const from = this.#from
    const first = this.#expression()
    if (this.#kind !== ',') return first
    const items = [first]
    while (this.#kind === ',') {
      this.#next()
      items.push(this.#expression())
    }
    return { from, to: this.#end, is: 'tuple', items }
  }

  #targets(): Expr {
    const from = this.#from
    const first = this.#target(this.#primary())
    if (this.#kind !== ',') return first
    const items = [first]
    while (this.#kind === ',') {
      this.#next()
      items.push(this.#target(this.#primary()))
    }
    return { from, to: this.#end, is: 'tuple', items }
  }

  #expression(): Expr {
    const from = this.#from
    const value = this.#operation(1)
    if (this.#kind !== 'if') return value
    this.#next()
    const test = this.#operation(1)
    this.#take('else')
    const otherwise = this.#expression()
    return { from, to: this.#end, is: 'choose', value, test, otherwise }
  }

  /** Operations that bind at least so tightly. */
  #operation(least: number): Expr {
    const from = this.#from
    let left = this.#operand(least)
    // A comparison in brackets is a value; one without is continued: `a < b < c`.
    let isChain = false
    for (;;) {
      const operation = operations.get(this.#kind)
      if (!operation || operation.binds < least) return left
      this.#next()
      let compared: CompareOp | null = null
      if (operation.is === 'compare') {
        compared = operation.op
        if (compared === 'not in') this.#take('in')
        else if (compared === 'is' && this.#kind === 'not') {
          compared = 'is not'
          this.#next()
        }
      }
      const right = this.#operation(operation.binds + 1)
      const to = this.#end
      if (compared !== null) {
        const link = { op: compared, right }
        left =
          isChain && left.is === 'compare'
            ? { from, to, is: 'compare', first: left.first, rest: [...left.rest, link] }
            : { from, to, is: 'compare', first: left, rest: [link] }
      } else if (operation.is === 'binary') left = { from, to, is: 'binary', op: operation.op, left, right }
      else if (operation.is !== 'compare') left = { from, to, is: operation.is, left, right }
      isChain = compared !== null
    }
  }

  #operand(least: number): Expr {
    const from = this.#from
    const kind = this.#kind
    if (kind === '-' || kind === '+' || kind === '~' || kind === 'not') {
      // Not Python where something before it binds tighter.
      if (kind === 'not' && least > not) return this.#odd()
      this.#next()
      const of = kind === 'not' ? this.#operation(not) : this.#operand(sign)
      return { from, to: this.#end, is: 'unary', op: kind, of }
    }
    const left = this.#primary()
    if (this.#kind !== '**') return left
    this.#next()
    const right = this.#operand(sign)
    return { from, to: this.#end, is: 'binary', op: '**', left, right }
  }

  /** A value with what is asked of it: members, items, calls. */
  #primary(): Expr {
    const from = this.#from
    let made = this.#atom()
    for (;;) {
      if (this.#kind === '.') {
        this.#next()
        const nameFrom = this.#from
        const name = this.#name()
        made = { from, to: this.#end, is: 'member', of: made, name, nameFrom }
      } else if (this.#kind === '[') {
        this.#open()
        const index = this.#expression()
        this.#close(']')
        made = { from, to: this.#end, is: 'index', of: made, index }
      } else if (this.#kind === '(') made = this.#call(from, made)
      else return made
    }
  }

  #name(): string {
    const name = this.#text.slice(this.#from, this.#to)
    this.#take('name')
    return name
  }

  #call(from: number, callee: Expr): Expr {
    const args: Expr[] = []
    const named: NamedArgument[] = []
    this.#open()
    while (this.#kind !== ')' && this.#kind !== 'odd') {
      const at = this.#from
      if (this.#kind === 'name' && this.#isBeforeEquals()) {
        const name = this.#name()
        if (named.some(one => one.name === name)) this.#odd()
        this.#take('=')
        const value = this.#expression()
        named.push({ from: at, to: this.#end, name, value })
      } else {
        const value = this.#expression()
        args.push(this.#kind === 'for' ? this.#comprehension(at, 'generator', value, undefined) : value)
        if (named.length > 0) this.#odd()
      }
      if (this.#kind !== ')') this.#take(',')
    }
    this.#close(')')
    return { from, to: this.#end, is: 'call', callee, args, named }
  }

  #isBeforeEquals(): boolean {
    const text = this.#text
    let i = this.#to
    while (text.charCodeAt(i) === blank) i++
    return text.charCodeAt(i) === equals && text.charCodeAt(i + 1) !== equals
  }

  /** Ends with its last clause: what encloses it has brackets of its own, or is a call. */
  #comprehension(from: number, kind: 'list' | 'dict' | 'generator', element: Expr, value: Expr | undefined): Expr & Span {
    const clauses: Clause[] = []
    while (this.#kind === 'for' || this.#kind === 'if') {
      const at = this.#from
      const isFor = this.#kind === 'for'
      this.#next()
      const target = isFor ? this.#targets() : nothing
      if (isFor) this.#take('in')
      const of = this.#operation(1)
      clauses.push(isFor ? { from: at, to: this.#end, is: 'for', target, source: of } : { from: at, to: this.#end, is: 'if', test: of })
    }
    if (value) return { from, to: this.#end, is: 'comprehension', kind, element, value, clauses }
    return { from, to: this.#end, is: 'comprehension', kind, element, clauses }
  }

  #atom(): Expr {
    const from = this.#from
    const to = this.#to
    const text = this.#text
    switch (this.#kind) {
      case 'name': {
        const made: NameNode = { from, to, is: 'name', name: text.slice(from, to) }
        this.#next()
        return made
      }
      case 'number':
        this.#next()
        return { from, to, is: 'number', value: Number(text.slice(from, to)) }
      case 'text':
        this.#next()
        // Two in a row are one text.
        return this.#kind === 'text' || this.#kind === 'format'
          ? this.#odd()
          : { from, to, is: 'text', value: text.slice(from + 1, to - 1) }
      case 'format':
        return this.#format()
      case 'True':
      case 'False':
      case 'None': {
        const value = this.#kind === 'None' ? null : this.#kind === 'True'
        this.#next()
        return { from, to, is: 'constant', value }
      }
      case '(':
        return this.#inParentheses()
      case '[':
        return this.#inBrackets()
      case '{':
        return this.#inBraces()
      default:
        return this.#odd()
    }
  }

  #inParentheses(): Expr {
    const from = this.#from
    this.#open()
    if (this.#kind === ')') {
      this.#close(')')
      return { from, to: this.#end, is: 'tuple', items: [] }
    }
    const first = this.#expression()
    if (this.#kind === 'for') {
      const made = this.#comprehension(from, 'generator', first, undefined)
      this.#close(')')
      return { ...made, to: this.#end }
    }
    if (this.#kind !== ',') {
      this.#close(')')
      return first
    }
    this.#next()
    const items = [first, ...this.#items(')')]
    this.#close(')')
    return { from, to: this.#end, is: 'tuple', items }
  }

  #inBrackets(): Expr {
    const from = this.#from
    this.#open()
    if (this.#kind === ']') {
      this.#close(']')
      return { from, to: this.#end, is: 'list', items: [] }
    }
    const first = this.#expression()
    if (this.#kind === 'for') {
      const made = this.#comprehension(from, 'list', first, undefined)
      this.#close(']')
      return { ...made, to: this.#end }
    }
    const items = [first]
    if (this.#kind === ',') {
      this.#next()
      items.push(...this.#items(']'))
    }
    this.#close(']')
    return { from, to: this.#end, is: 'list', items }
  }

  /** The others of a list in brackets, behind the first comma. */
  #items(closing: string): Expr[] {
    const items: Expr[] = []
    while (this.#kind !== closing && this.#kind !== 'odd') {
      items.push(this.#expression())
      if (this.#kind !== closing) this.#take(',')
    }
    return items
  }

  #inBraces(): Expr {
    const from = this.#from
    const entries: { key: Expr; value: Expr }[] = []
    this.#open()
    while (this.#kind !== '}' && this.#kind !== 'odd') {
      const key = this.#expression()
      this.#take(':')
      const value = this.#expression()
      if (this.#kind === 'for' && entries.length === 0) {
        const made = this.#comprehension(from, 'dict', key, value)
        this.#close('}')
        return { ...made, to: this.#end }
      }
      entries.push({ key, value })
      if (this.#kind !== '}') this.#take(',')
    }
    this.#close('}')
    return { from, to: this.#end, is: 'dict', entries }
  }

  /** A text with values in it, as `f"{id} worked"`. */
  #format(): Expr {
    const text = this.#text
    const from = this.#from
    const quote = text.charCodeAt(this.#to)
    const parts: FormatPart[] = []
    let i = this.#to + 1
    for (;;) {
      const start = i
      let c = text.charCodeAt(i)
      while (i < text.length && c !== quote && c !== newline && c !== 92 && c !== 123 && c !== 125) c = text.charCodeAt(++i)
      if (i > start) parts.push(text.slice(start, i))
      if (c === quote) break
      if (c !== 123 || text.charCodeAt(i + 1) === 123) return this.#odd()
      this.#to = i + 1
      this.#open()
      const value = this.#list()
      const to = this.#to
      this.#brackets--
      if (this.#kind !== '}') return this.#odd()
      parts.push({ from: i, to, value, conversion: '', spec: [], shown: '' })
      i = to
    }
    this.#to = i + 1
    this.#next()
    return this.#kind === 'text' || this.#kind === 'format' ? this.#odd() : { from, to: i + 1, is: 'format', parts }
  }
}

const isDigit = (c: number): boolean => c >= 48 && c <= 57
/** Latin letters, `_`, and the Chinese characters all engines take for letters. */
const isLetter = (c: number): boolean => (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || c === 95 || (c >= 0x4e00 && c <= 0x9fa5)
