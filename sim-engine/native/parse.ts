// The small part of JavaScript that the emitters write: functions at the top of a text, with numbers, truths, typed arrays and
// paths of names. Whatever else stands in a function is refused; functions that nobody asks for are never looked at.

export type Expr =
  | { readonly is: 'number'; readonly value: number }
  | { readonly is: 'truth'; readonly value: boolean }
  | { readonly is: 'nothing'; readonly name: 'null' | 'undefined' }
  | { readonly is: 'name'; readonly name: string }
  | { readonly is: 'member'; readonly of: Expr; readonly name: string }
  | { readonly is: 'index'; readonly of: Expr; readonly at: Expr }
  | { readonly is: 'call'; readonly callee: Expr; readonly args: readonly Expr[] }
  | { readonly is: 'unary'; readonly op: string; readonly of: Expr }
  | { readonly is: 'update'; readonly op: '+' | '-'; readonly isPrefix: boolean; readonly of: Expr }
  | { readonly is: 'binary'; readonly op: string; readonly left: Expr; readonly right: Expr }
  | { readonly is: 'logical'; readonly op: '&&' | '||'; readonly left: Expr; readonly right: Expr }
  | { readonly is: 'choice'; readonly test: Expr; readonly yes: Expr; readonly no: Expr }
  | { readonly is: 'assign'; readonly op: string; readonly to: Expr; readonly value: Expr }
  | { readonly is: 'sequence'; readonly parts: readonly Expr[] }

export type Declared = { readonly name: string; readonly value: Expr | null }
export type Declaration = { readonly is: 'declare'; readonly isConst: boolean; readonly all: readonly Declared[] }

export type Statement =
  | Declaration
  | { readonly is: 'block'; readonly body: readonly Statement[] }
  | { readonly is: 'expression'; readonly value: Expr }
  | { readonly is: 'if'; readonly test: Expr; readonly yes: Statement; readonly no: Statement | null }
  | {
      readonly is: 'for'
      readonly first: Declaration | Expr | null
      readonly test: Expr | null
      readonly next: Expr | null
      readonly body: Statement
    }
  | { readonly is: 'repeat'; readonly body: Statement; readonly test: Expr }
  | { readonly is: 'label'; readonly name: string; readonly body: Statement }
  | { readonly is: 'break' | 'continue'; readonly label: string | null }
  | { readonly is: 'return'; readonly value: Expr | null }

export type Parsed = { readonly name: string; readonly parameters: readonly string[]; readonly body: readonly Statement[] }

/** The text, or what it means here, is not among what can be lowered for certain. Caught once, in `lower`. */
export class Refusal extends Error {
  /** What was called, where nothing is known of it (`F.poisson`); '' for anything else. */
  readonly called: string

  constructor(why: string, called: string) {
    super(why)
    this.called = called
  }
}

export function refuse(why: string, called = ''): never {
  throw new Refusal(why, called)
}

/** Functions declared at the start of a line, by name, each parsed when first asked for. */
export class Functions {
  readonly #text: string
  readonly #starts: number[] = []
  /** Which of the starts; -1 where there are two of one name. */
  readonly #found = new Map<string, number>()
  readonly #parsed = new Map<string, Parsed>()

  constructor(text: string) {
    this.#text = text
    for (const match of text.matchAll(/^function ([A-Za-z_$][\w$]*)\(/gm)) {
      this.#found.set(match[1]!, this.#found.has(match[1]!) ? -1 : this.#starts.length)
      this.#starts.push(match.index)
    }
  }

  has(name: string): boolean {
    return this.#found.has(name)
  }

  get(name: string): Parsed {
    const known = this.#parsed.get(name)
    if (known !== undefined) return known
    const which = this.#found.get(name)
    if (which === undefined) refuse(`no function ${name}`)
    if (which < 0) refuse(`two functions ${name}`)
    const parsed = new Parser(this.#text.slice(this.#starts[which], this.#starts[which + 1])).function()
    this.#parsed.set(name, parsed)
    return parsed
  }
}

const precedence = new Map([
  ['||', 1],
  ['&&', 2],
  ['|', 3],
  ['^', 4],
  ['&', 5],
  ['===', 6],
  ['!==', 6],
  ['<', 7],
  ['>', 7],
  ['<=', 7],
  ['>=', 7],
  ['<<', 8],
  ['>>', 8],
  ['>>>', 8],
  ['+', 9],
  ['-', 9],
  ['*', 10],
  ['/', 10],
  ['%', 10],
])

const assignments = new Set(['=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=', '>>>='])

/** Words that begin what is not in the subset, or that can't be names. */
const reserved = new Set(
  (
    'async await arguments case catch class debugger default delete do else enum eval export extends finally for function if import in ' +
    'instanceof new null return static super switch this throw try typeof var void while with yield break continue const let true false of'
  ).split(' '),
)

/** Names, numbers, signs, comments, ends of lines, and single letters that are none of these. */
const token =
  /[A-Za-z_$][\w$]*|0x[\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|\/\/.*|\/\*[^]*?\*\/|>>>=|===|!==|>>>|<<=|>>=|\*\*|&&|\|\||==|!=|=>|<=|>=|<<|>>|\+\+|--|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|\?\?|\?\.|\.\.\.|\n|[^ \t\r]/g

const digitZero = 48
const digitNine = 57

class Parser {
  readonly #tokens: readonly string[]
  #next = 0
  /** The present token; whether a line ended before it. */
  #word = ''
  #afterLine = false

  constructor(text: string) {
    this.#tokens = text.match(token) ?? []
    this.#step()
  }

  function(): Parsed {
    this.#expect('function')
    const name = this.#name()
    this.#expect('(')
    const parameters: string[] = []
    while (!this.#accept(')')) {
      parameters.push(this.#name())
      if (this.#word !== ')') this.#expect(',')
    }
    if (new Set(parameters).size < parameters.length) refuse(`two parameters of one name in ${name}`)
    if (this.#word !== '{') this.#unexpected()
    return { name, parameters, body: this.#block() }
  }

  #step(): void {
    this.#afterLine = false
    for (;;) {
      const word = this.#tokens[this.#next++] ?? ''
      const isComment = word.length > 1 && word[0] === '/' && (word[1] === '/' || word[1] === '*')
      if (word !== '\n' && !isComment) {
        this.#word = word
        return
      }
      if (word === '\n' || word.includes('\n')) this.#afterLine = true
    }
  }

  get #isName(): boolean {
    const code = this.#word.charCodeAt(0)
    return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 36
  }

  get #isNumber(): boolean {
    const code = this.#word.charCodeAt(this.#word.length > 1 && this.#word[0] === '.' ? 1 : 0)
    return code >= digitZero && code <= digitNine
  }

  #unexpected(): never {
    return refuse(`"${this.#word}" in "${this.#tokens.slice(Math.max(0, this.#next - 10), this.#next).join(' ')}"`)
  }

  #accept(word: string): boolean {
    if (this.#word !== word) return false
    this.#step()
    return true
  }

  #expect(word: string): void {
    if (!this.#accept(word)) this.#unexpected()
  }

  #name(): string {
    if (!this.#isName || reserved.has(this.#word)) this.#unexpected()
    const name = this.#word
    this.#step()
    return name
  }

  /** Whether a semicolon stands here, or JavaScript inserts one. */
  #isAtEnd(): boolean {
    return this.#word === ';' || this.#word === '}' || this.#word === '' || this.#afterLine
  }

  #endOfStatement(): void {
    if (!this.#isAtEnd()) this.#unexpected()
    this.#accept(';')
  }

  #block(): Statement[] {
    this.#expect('{')
    const body: Statement[] = []
    while (!this.#accept('}')) this.#statement(body)
    return body
  }

  #single(): Statement {
    if (this.#word === 'let' || this.#word === 'const') this.#unexpected()
    const body: Statement[] = []
    this.#statement(body)
    return body.length === 1 ? body[0]! : { is: 'block', body }
  }

  /** One statement onto `body`; none for an empty one. */
  #statement(body: Statement[]): void {
    switch (this.#word) {
      case '{':
        body.push({ is: 'block', body: this.#block() })
        return
      case ';':
        this.#step()
        return
      case 'let':
      case 'const':
        body.push(this.#declaration())
        this.#endOfStatement()
        return
      case 'if': {
        this.#step()
        const test = this.#parenthesised()
        const yes = this.#single()
        body.push({ is: 'if', test, yes, no: this.#accept('else') ? this.#single() : null })
        return
      }
      case 'for':
        body.push(this.#for())
        return
      case 'while':
        this.#step()
        body.push({ is: 'for', first: null, test: this.#parenthesised(), next: null, body: this.#single() })
        return
      case 'do': {
        this.#step()
        const inner = this.#single()
        this.#expect('while')
        body.push({ is: 'repeat', body: inner, test: this.#parenthesised() })
        this.#accept(';')
        return
      }
      case 'break':
      case 'continue': {
        const is = this.#word
        this.#step()
        const label = this.#isName && !this.#afterLine ? this.#name() : null
        body.push({ is, label })
        this.#endOfStatement()
        return
      }
      case 'return': {
        this.#step()
        body.push({ is: 'return', value: this.#isAtEnd() ? null : this.#expression() })
        this.#endOfStatement()
        return
      }
      default: {
        const value = this.#expression()
        if (value.is === 'name' && this.#accept(':')) {
          body.push({ is: 'label', name: value.name, body: this.#single() })
          return
        }
        body.push({ is: 'expression', value })
        this.#endOfStatement()
      }
    }
  }

  #declaration(): Declaration {
    const isConst = this.#word === 'const'
    this.#step()
    const all: Declared[] = []
    do {
      const name = this.#name()
      all.push({ name, value: this.#accept('=') ? this.#assignment() : null })
    } while (this.#accept(','))
    if (isConst && all.some(one => one.value === null)) this.#unexpected()
    return { is: 'declare', isConst, all }
  }

  #for(): Statement {
    this.#step()
    this.#expect('(')
    const first = this.#word === ';' ? null : this.#word === 'let' || this.#word === 'const' ? this.#declaration() : this.#expression()
    this.#expect(';')
    const test = this.#word === ';' ? null : this.#expression()
    this.#expect(';')
    const next = this.#word === ')' ? null : this.#expression()
    this.#expect(')')
    return { is: 'for', first, test, next, body: this.#single() }
  }

  #parenthesised(): Expr {
    this.#expect('(')
    const value = this.#expression()
    this.#expect(')')
    return value
  }

  #expression(): Expr {
    const first = this.#assignment()
    if (this.#word !== ',') return first
    const parts = [first]
    while (this.#accept(',')) parts.push(this.#assignment())
    return { is: 'sequence', parts }
  }

  #assignment(): Expr {
    const left = this.#choice()
    if (!assignments.has(this.#word)) return left
    if (left.is !== 'name' && left.is !== 'member' && left.is !== 'index') this.#unexpected()
    const op = this.#word.slice(0, -1)
    this.#step()
    return { is: 'assign', op, to: left, value: this.#assignment() }
  }

  #choice(): Expr {
    const test = this.#binary(1)
    if (!this.#accept('?')) return test
    const yes = this.#assignment()
    this.#expect(':')
    return { is: 'choice', test, yes, no: this.#assignment() }
  }

  #binary(least: number): Expr {
    let left = this.#unary()
    for (;;) {
      const op = this.#word
      const power = precedence.get(op)
      if (power === undefined || power < least) return left
      this.#step()
      const right = this.#binary(power + 1)
      left = op === '&&' || op === '||' ? { is: 'logical', op, left, right } : { is: 'binary', op, left, right }
    }
  }

  #unary(): Expr {
    const op = this.#word
    if (op === '-' || op === '+' || op === '!' || op === '~') {
      this.#step()
      return { is: 'unary', op, of: this.#unary() }
    }
    if (op === '++' || op === '--') {
      this.#step()
      return { is: 'update', op: op === '++' ? '+' : '-', isPrefix: true, of: this.#unary() }
    }
    const of = this.#postfix()
    if ((this.#word === '++' || this.#word === '--') && !this.#afterLine) {
      const sign = this.#word === '++' ? '+' : '-'
      this.#step()
      return { is: 'update', op: sign, isPrefix: false, of }
    }
    return of
  }

  #postfix(): Expr {
    let of = this.#primary()
    for (;;) {
      if (this.#accept('.')) {
        if (!this.#isName) this.#unexpected()
        of = { is: 'member', of, name: this.#word }
        this.#step()
      } else if (this.#accept('[')) {
        of = { is: 'index', of, at: this.#expression() }
        this.#expect(']')
      } else if (this.#accept('(')) {
        const args: Expr[] = []
        while (!this.#accept(')')) {
          args.push(this.#assignment())
          if (this.#word !== ')') this.#expect(',')
        }
        of = { is: 'call', callee: of, args }
      } else return of
    }
  }

  #primary(): Expr {
    const word = this.#word
    if (this.#isNumber) {
      // An octal literal of old, which may not begin like this in strict code.
      if (/^0\d/.test(word)) this.#unexpected()
      this.#step()
      return { is: 'number', value: Number(word) }
    }
    if (word === '(') return this.#parenthesised()
    if (!this.#isName) this.#unexpected()
    if (word === 'true' || word === 'false') {
      this.#step()
      return { is: 'truth', value: word === 'true' }
    }
    if (word === 'null' || word === 'undefined') {
      this.#step()
      return { is: 'nothing', name: word }
    }
    return { is: 'name', name: this.#name() }
  }
}
