// Text -> tree. Total: any text gives a tree and the list of what is wrong with it. Lezer does the reading (and mends
// what is broken); here its concrete tree becomes ours. What is plain is read without it (`parse-plain.ts`).
import type { Tree } from '@lezer/common'
import type { FormulaContext } from '../../model-schema/kinds/kind.ts'
import type { ArithmeticOp, Ast, Clause, CompareOp, Expr, FormatPart, NameNode, NamedArgument, Span, Statement } from './ast.ts'
import { decodeString, unescape } from './literals.ts'
import type { FormulaProblem } from './mistakes.ts'
import { mistake, syntax } from './mistakes.ts'
import { readTree } from './grammar/parsers.ts'
import { parsePlain } from './parse-plain.ts'
import { explainError, plainForm } from './syntax-errors.ts'
import { walk } from './walk.ts'
import { english, say, type Words } from '../../model-schema/words.ts'

export type Parsed = { text: string; context: FormulaContext; ast: Ast; problems: FormulaProblem[] }

/** Longest text read, in UTF-16 units. */
export const maxLength = 100_000
/** Deepest nesting of expressions and blocks. */
const maxDepth = 200
/** A broken text gets no more syntax problems than this. */
const maxErrors = 20

export function parseFormula(text: string, context: FormulaContext): Parsed {
  const problems: FormulaProblem[] = []
  const flat = context === 'expression' || context === 'condition'
  const nothing: Ast = flat ? { is: 'expression', value: { is: 'missing', from: 0, to: 0 } } : { is: 'program', body: [] }
  if (text.length > maxLength) {
    const words = say('formula is longer than {maxLength} characters', { maxLength })
    return { text, context, ast: nothing, problems: [mistake('too-long', { from: 0, to: text.length }, words)] }
  }
  if (flat && plainNumber.test(text))
    return { text, context, ast: { is: 'expression', value: { from: 0, to: text.length, is: 'number', value: Number(text) } }, problems }
  const deep = bracketDepth(text)
  if (deep !== null) return { text, context, ast: nothing, problems: [tooDeep(deep)] }
  const plain = parsePlain(text, context)
  return plain ? { text, context, ast: plain, problems } : parseAny(text, context)
}

/** Reads by the grammar whatever there is, of the length and depth that is allowed. */
export function parseAny(text: string, context: FormulaContext): Parsed {
  const problems: FormulaProblem[] = []
  const flat = context === 'expression' || context === 'condition'
  const { top, errors } = readNodes(readTree(text, flat), text, context)
  const builder = new Builder(text, context, problems)
  const ast: Ast = flat ? { is: 'expression', value: builder.formula(top) } : { is: 'program', body: builder.program(top) }
  const blank = ast.is === 'program' ? ast.body.length === 0 : ast.value.is === 'missing'
  if (blank && errors.length + problems.length === 0) problems.push(mistake('blank', { from: 0, to: text.length }, say('formula is empty')))
  // A line after a broken one is indented as the author meant it.
  const [firstError] = errors
  const kept = firstError
    ? problems.filter(found => found.from < firstError.from || !english(found.words).endsWith('unexpected indentation'))
    : problems
  problems.splice(0, problems.length, ...kept, ...errors)
  // A gap the grammar allows, such as `a[]`, is a mistake as well.
  if (problems.length === 0) {
    walk(ast, node => {
      if (node.is === 'missing' && problems.length === 0) problems.push(syntax(node, say('something is missing here')))
    })
  }
  problems.sort((a, b) => a.from - b.from || a.to - b.to)
  return { text, context, ast, problems }
}

/** A node as it was read. `hasOthers`: some of its children are marks of errors or say nothing. */
type ReadNode = {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly isError: boolean
  readonly children: ReadNode[]
  hasOthers: boolean
}

/** The tree as plain nodes, in one pass and without recursion, and where it is broken. */
function readNodes(tree: Tree, text: string, context: FormulaContext): { top: ReadNode; errors: FormulaProblem[] } {
  const errors: FormulaProblem[] = []
  const top: ReadNode = { name: '', from: 0, to: text.length, isError: false, children: [], hasOthers: false }
  const open = [top]
  tree.iterate({
    enter: ({ name, from, to, type: { isError } }) => {
      const node: ReadNode = { name, from, to, isError, children: [], hasOthers: false }
      const parent = open.at(-1) ?? top
      parent.children.push(node)
      if (isOther(node)) parent.hasOthers = true
      open.push(node)
      if (!isError || errors.length >= maxErrors) return
      const last = errors.at(-1)
      // Where = is meant as ==, the rest of the line is what is compared.
      if (last?.edit?.insert === '==' && !text.slice(last.to, from).includes('\n')) return
      if (!last || from > last.to) errors.push(explainError(text, from, to, context))
    },
    leave: () => {
      open.pop()
    },
  })
  return { top: top.children[0] ?? top, errors }
}

const isOther = ({ name, isError }: ReadNode): boolean => isError || name === 'Comment' || name === ';'

/** Read at once: most first values are one. */
const plainNumber = /^(?:0|[1-9]\d{0,14})(?:\.\d{1,14})?$/

const tooDeep = (at: Span): FormulaProblem => syntax(at, say('too deeply nested; split it into several formulas'))

/** The first bracket nested too deeply, before any recursion is tried. Brackets in strings count too: harmless. */
function bracketDepth(text: string): Span | null {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === 40 || c === 91 || c === 123) {
      if (++depth > maxDepth) return { from: i, to: i + 1 }
    } else if (c === 41 || c === 93 || c === 125) {
      if (depth > 0) depth--
    }
  }
  return null
}

class Builder {
  readonly #text: string
  readonly #context: FormulaContext
  readonly #problems: FormulaProblem[]
  #depth = 0
  #loops = 0

  constructor(text: string, context: FormulaContext, problems: FormulaProblem[]) {
    this.#text = text
    this.#context = context
    this.#problems = problems
  }

  formula(top: ReadNode): Expr {
    const [first] = parts(top)
    return first ? this.#expr(first) : { is: 'missing', from: top.from, to: top.to }
  }

  program(top: ReadNode): Statement[] {
    const body = this.#statements(parts(top))
    const [only] = body
    // A function block that is one expression gives its value.
    if (this.#context === 'function' && body.length === 1 && only?.is === 'do') return [{ ...only, is: 'return', value: only.value }]
    return body
  }

  #statements(nodes: readonly ReadNode[]): Statement[] {
    const made: Statement[] = []
    let indent: number | null = null
    for (const node of nodes) {
      const column = this.#column(node.from)
      if (column !== null) {
        if (indent !== null && column !== indent) this.#syntax({ from: node.from - 1, to: node.from }, say('unexpected indentation'))
        else indent = column
      }
      const statement = this.#statement(node)
      if (statement) made.push(statement)
    }
    return made
  }

  #statement(node: ReadNode): Statement | null {
    const at = { from: node.from, to: node.to }
    if (++this.#depth > maxDepth) {
      this.#depth--
      this.#tooDeep(at)
      return null
    }
    const made = this.#statementOf(node, at)
    this.#depth--
    return made
  }

  #statementOf(node: ReadNode, at: Span): Statement | null {
    const children = parts(node)
    switch (node.name) {
      case 'ExpressionStatement':
        return { ...at, is: 'do', value: this.#exprAt(children, 0, at) }
      case 'AssignStatement': {
        const values = children.filter(child => child.name !== 'AssignOp').map(child => this.#expr(child))
        const value = values.pop() ?? missing(at)
        const targets = values.length > 0 ? values : [missing(at)]
        if (children.at(-1)?.name === 'AssignOp')
          return { ...at, is: 'assign', targets: [...targets, value], value: missing({ from: at.to, to: at.to }) }
        for (const target of targets) this.#checkTarget(target)
        return { ...at, is: 'assign', targets, value }
      }
      case 'UpdateStatement': {
        const target = this.#exprAt(children, 0, at)
        const op = children[1] ? arithmetic(this.#slice(children[1]).slice(0, -1)) : null
        if (target.is === 'tuple' || target.is === 'list') this.#syntax(target, say('only one name can be changed this way'))
        else this.#checkTarget(target)
        return op ? { ...at, is: 'augment', target, op, value: this.#exprAt(children, 2, at) } : null
      }
      case 'ReturnStatement':
        if (this.#context !== 'function') this.#syntax(at, say('"return" belongs in function blocks'))
        return { ...at, is: 'return', value: children[1] ? this.#expr(children[1]) : null }
      case 'DeleteStatement': {
        const value = this.#exprAt(children, 1, at)
        const targets = value.is === 'tuple' ? value.items : [value]
        for (const target of targets) {
          if (target.is !== 'index') this.#syntax(target, say('"del" removes an item, as in del scores["a"]'))
        }
        return { ...at, is: 'delete', targets }
      }
      case 'AssertStatement':
        return { ...at, is: 'assert', test: this.#exprAt(children, 1, at), tip: children[3] ? this.#expr(children[3]) : null }
      case 'PassStatement':
        return { ...at, is: 'pass' }
      case 'BreakStatement':
      case 'ContinueStatement': {
        const is = node.name === 'BreakStatement' ? 'break' : 'continue'
        if (this.#loops === 0) this.#syntax(at, say('"{is}" belongs in a loop', { is }))
        return { ...at, is }
      }
      case 'IfStatement':
        return this.#if(children, at)
      case 'ForStatement':
      case 'WhileStatement':
        return this.#loop(node.name, children, at)
      case 'ForeignStatement':
      case 'FunctionDefinition': {
        const word = this.#text.slice(at.from, at.from + (children[0] ? children[0].to - children[0].from : 0))
        const words =
          word === 'def'
            ? say('; add a function block instead')
            : word === 'import' || word === 'from'
              ? say('; all functions are there without it')
              : say('')
        this.#syntax(at, say('"{word}" is not part of the formula language{words}', { word, words }))
        return null
      }
      default:
        return null
    }
  }

  #if(children: readonly ReadNode[], at: Span): Statement {
    const branches: { test: Expr; body: Statement[] }[] = []
    let otherwise: Statement[] = []
    for (let i = 0; i < children.length; i++) {
      const word = children[i]!.name
      if (word === 'if' || word === 'elif') {
        const test = children[i + 1]
        const body = children.slice(i + 1).find(child => child.name === 'Body')
        branches.push({ test: test && test.name !== 'Body' ? this.#expr(test) : missing(at), body: this.#body(body) })
      } else if (word === 'else') otherwise = this.#body(children[i + 1])
    }
    return { ...at, is: 'if', branches, otherwise }
  }

  #loop(name: string, children: readonly ReadNode[], at: Span): Statement {
    const bodies = children.filter(child => child.name === 'Body')
    const heads = children
      .filter(child => child.name !== 'Body' && !/^(for|in|while|else)$/.test(child.name))
      .map(child => this.#expr(child))
    this.#loops++
    const body = this.#body(bodies[0])
    this.#loops--
    const otherwise = this.#body(bodies[1])
    if (name === 'WhileStatement') return { ...at, is: 'while', test: heads[0] ?? missing(at), body, otherwise }
    const target = heads[0] ?? missing(at)
    this.#checkTarget(target)
    return { ...at, is: 'for', target, source: heads[1] ?? missing(at), body, otherwise }
  }

  #body(node: ReadNode | undefined): Statement[] {
    return node?.name === 'Body' ? this.#statements(parts(node).slice(1)) : []
  }

  #exprAt(children: readonly ReadNode[], i: number, at: Span): Expr {
    const child = children[i]
    return child ? this.#expr(child) : missing({ from: at.to, to: at.to })
  }

  #expr(node: ReadNode): Expr {
    const at = { from: node.from, to: node.to }
    if (++this.#depth > maxDepth) {
      this.#depth--
      this.#tooDeep(at)
      return missing(at)
    }
    const made = this.#exprOf(node, at)
    this.#depth--
    return made
  }

  #exprOf(node: ReadNode, at: Span): Expr {
    switch (node.name) {
      case 'VariableName':
        return this.#name(node)
      case 'Number': {
        const source = this.#slice(node).replaceAll('_', '')
        return { ...at, is: 'number', value: Number(source) }
      }
      case 'String':
        return { ...at, is: 'text', value: decodeString(this.#slice(node)) }
      case 'ContinuedString':
        return this.#continued(node, at)
      case 'FormatString':
        return { ...at, is: 'format', parts: this.#formatParts(node) }
      case 'Boolean':
        return { ...at, is: 'constant', value: this.#slice(node) === 'True' }
      case 'None':
        return { ...at, is: 'constant', value: null }
      case 'MemberExpression': {
        const [of, , name] = parts(node)
        const end = { from: at.to, to: at.to }
        return {
          ...at,
          is: 'member',
          of: of ? this.#expr(of) : missing(at),
          name: name ? this.#slice(name) : '',
          nameFrom: name?.from ?? end.from,
        }
      }
      case 'SubscriptExpression':
        return this.#subscript(node, at)
      case 'CallExpression':
        return this.#call(node, at)
      case 'ParenthesizedExpression': {
        const inner = parts(node)[1]
        return inner && inner.name !== ')' ? this.#expr(inner) : missing(at)
      }
      case 'TupleExpression':
      case 'TupleList':
      case 'TargetTuple':
        return { ...at, is: 'tuple', items: this.#items(node) }
      case 'ArrayExpression':
        return { ...at, is: 'list', items: this.#items(node) }
      case 'SetExpression':
        return { ...at, is: 'set', items: this.#items(node) }
      case 'DictionaryExpression':
        return {
          ...at,
          is: 'dict',
          entries: parts(node)
            .filter(child => child.name === 'Pair')
            .map(pair => this.#pair(pair)),
        }
      case 'GeneratorExpression':
      case 'GeneratorArgument':
        return this.#comprehension(node, 'generator', at)
      case 'ArrayComprehension':
        return this.#comprehension(node, 'list', at)
      case 'SetComprehension':
        return this.#comprehension(node, 'set', at)
      case 'DictionaryComprehension':
        return this.#comprehension(node, 'dict', at)
      case 'UnaryExpression': {
        const [sign, of] = parts(node)
        const op = sign ? this.#slice(sign) : '-'
        const value = of ? this.#expr(of) : missing({ from: at.to, to: at.to })
        return op === 'not' || op === '-' || op === '+' || op === '~' ? { ...at, is: 'unary', op, of: value } : missing(at)
      }
      case 'BinaryExpression':
        return this.#binary(node, at)
      case 'ConditionalExpression': {
        const found = parts(node).filter(child => child.name !== 'if' && child.name !== 'else')
        return {
          ...at,
          is: 'choose',
          value: this.#exprAt(found, 0, at),
          test: this.#exprAt(found, 1, at),
          otherwise: this.#exprAt(found, 2, at),
        }
      }
      case 'LambdaExpression': {
        const children = parts(node)
        const params = children[1]?.name === 'ParamList' ? parts(children[1]).filter(child => child.name === 'VariableName') : []
        return { ...at, is: 'lambda', params: params.map(param => this.#name(param)), body: this.#exprAt(children, 3, at) }
      }
      default:
        return missing(at)
    }
  }

  #name(node: ReadNode): NameNode {
    const name = this.#slice(node)
    if (!/^[A-Za-z_]\w*$/.test(name) && !/^[\p{L}_][\p{L}\p{N}\p{M}_]*$/u.test(name)) {
      const odd = [...name].find(c => !/[\p{L}\p{N}\p{M}_]/u.test(c)) ?? name
      const plain = plainForm(odd)
      const words = plain
        ? say('write {plain} instead of {odd}', { plain, odd })
        : say('the character {odd} is not allowed in a name', { odd })
      const mended = [...name].map(c => plainForm(c) ?? c).join('')
      this.#problems.push(
        syntax({ from: node.from, to: node.to }, words, plain ? { from: node.from, to: node.to, insert: mended } : undefined),
      )
    }
    return { from: node.from, to: node.to, is: 'name', name }
  }

  #continued(node: ReadNode, at: Span): Expr {
    const pieces: FormatPart[] = []
    for (const child of parts(node)) {
      if (child.name === 'String') pieces.push(decodeString(this.#slice(child)))
      else pieces.push(...this.#formatParts(child))
    }
    if (pieces.every(piece => typeof piece === 'string')) return { ...at, is: 'text', value: pieces.join('') }
    return { ...at, is: 'format', parts: pieces }
  }

  #formatParts(node: ReadNode): FormatPart[] {
    const made: FormatPart[] = []
    let raw = ''
    let at = node.children[0]?.to ?? node.to
    const flush = (): void => {
      if (raw !== '') made.push(unescape(raw))
      raw = ''
    }
    for (const child of node.children.slice(1)) {
      raw += this.#text.slice(at, child.from)
      at = child.to
      if (child.name === 'FormatEscape') {
        const escape = this.#slice(child)
        raw += escape === '{{' ? '{' : escape === '}}' ? '}' : escape
      } else if (child.name === 'FormatReplacement' || child.name === 'NestedReplacement') {
        flush()
        made.push(this.#replacement(child))
      } else if (child.name === 'FormatEnd' && this.#slice(child) === '\n')
        this.#syntax({ from: node.from, to: child.from }, say('the text is not closed'))
    }
    flush()
    return made
  }

  #replacement(node: ReadNode): FormatPart {
    const children = parts(node)
    const value = this.#exprAt(children, 1, { from: node.from, to: node.to })
    const conversion = children.find(child => child.name === 'FormatConversion')
    const letter = conversion ? this.#slice(conversion)[1] : ''
    const show = children.find(child => child.name === 'FormatShow')
    const spec = children.find(child => child.name === 'FormatSpec')
    return {
      from: node.from,
      to: node.to,
      value,
      conversion: letter === 'r' || letter === 's' || letter === 'a' ? letter : show && !spec ? 'r' : '',
      spec: spec ? this.#formatParts(spec) : [],
      shown: show ? this.#text.slice(children[0]?.to ?? node.from, show.to) : '',
    }
  }

  #subscript(node: ReadNode, at: Span): Expr {
    const [ofNode, subscript] = parts(node)
    const of = ofNode ? this.#expr(ofNode) : missing(at)
    const items = subscript ? parts(subscript).filter(child => !/^[[\],]$/.test(child.name)) : []
    const [first] = items
    if (!first) return { ...at, is: 'index', of, index: missing({ from: at.to - 1, to: at.to }) }
    if (items.length > 1) {
      const keys = items.map(item => this.#expr(item))
      return { ...at, is: 'index', of, index: { from: first.from, to: items.at(-1)!.to, is: 'tuple', items: keys } }
    }
    if (first.name !== 'Slice') return { ...at, is: 'index', of, index: this.#expr(first) }
    const bounds: (Expr | null)[] = [null, null, null]
    let place = 0
    for (const child of parts(first)) {
      if (child.name === ':') place++
      else bounds[place] = this.#expr(child)
    }
    return { ...at, is: 'slice', of, start: bounds[0] ?? null, stop: bounds[1] ?? null, step: bounds[2] ?? null }
  }

  #call(node: ReadNode, at: Span): Expr {
    const [calleeNode, list] = parts(node)
    const callee = calleeNode ? this.#expr(calleeNode) : missing(at)
    const args: Expr[] = []
    const named: NamedArgument[] = []
    for (const child of list ? parts(list) : []) {
      if (child.name === 'NamedArgument') {
        const [name, , value] = parts(child)
        const key = name ? this.#slice(name) : ''
        const span = { from: child.from, to: child.to }
        if (named.some(other => other.name === key)) {
          this.#problems.push(mistake('wrong-arguments', span, say('argument "{key}" is given twice', { key })))
        }
        named.push({ ...span, name: key, value: value ? this.#expr(value) : missing(span) })
      } else if (child.name === 'StarArgument') {
        this.#syntax(child, say('unpacking with * is not part of the formula language'))
      } else if (!/^[(),]$/.test(child.name)) {
        if (named.length > 0) {
          const words = say('a positional argument follows a keyword argument')
          this.#problems.push(mistake('positional-after-keyword', { from: child.from, to: child.to }, words))
        } else args.push(this.#expr(child))
      }
    }
    return { ...at, is: 'call', callee, args, named }
  }

  #pair(node: ReadNode): { key: Expr; value: Expr } {
    const at = { from: node.from, to: node.to }
    const [key, , value] = parts(node)
    return { key: key ? this.#expr(key) : missing(at), value: value ? this.#expr(value) : missing(at) }
  }

  #items(node: ReadNode): Expr[] {
    return parts(node)
      .filter(child => !/^[()[\]{},]$/.test(child.name))
      .map(child => this.#expr(child))
  }

  #comprehension(node: ReadNode, kind: 'list' | 'set' | 'dict' | 'generator', at: Span): Expr {
    const children = parts(node).filter(child => !/^[()[\]{}]$/.test(child.name))
    const [head] = children
    const clauses: Clause[] = []
    for (const child of children) {
      const found = parts(child)
      const span = { from: child.from, to: child.to }
      if (child.name === 'ForClause') {
        const target = this.#exprAt(found, 1, span)
        this.#checkTarget(target)
        clauses.push({ ...span, is: 'for', target, source: this.#exprAt(found, 3, span) })
      } else if (child.name === 'IfClause') clauses.push({ ...span, is: 'if', test: this.#exprAt(found, 1, span) })
    }
    if (kind === 'dict' && head?.name === 'Pair') {
      const { key, value } = this.#pair(head)
      return { ...at, is: 'comprehension', kind, element: key, value, clauses }
    }
    return { ...at, is: 'comprehension', kind, element: head ? this.#expr(head) : missing(at), clauses }
  }

  #binary(node: ReadNode, at: Span): Expr {
    const children = parts(node)
    const [left] = children
    if (!left) return missing(at)
    const last = children.at(-1)!
    const operand = isExpression(last) && last !== left ? last : null
    const op = this.#text.slice(children[1]?.from ?? at.to, (operand ? children.at(-2) : last)?.to ?? at.to).replace(/\s+/g, ' ')
    const end = { from: at.to, to: at.to }
    const right = (): Expr => (operand ? this.#expr(operand) : missing(end))
    if (op === 'and' || op === 'or') return { ...at, is: op, left: this.#expr(left), right: right() }
    const calculated = arithmetic(op)
    if (calculated) return { ...at, is: 'binary', op: calculated, left: this.#expr(left), right: right() }
    const compared = compareOp(op)
    if (!compared) {
      const place = children[1] ?? at
      this.#problems.push(
        syntax({ from: at.from, to: at.to }, say('"{op}" is no operator here; write !=', { op }), {
          from: place.from,
          to: place.to,
          insert: '!=',
        }),
      )
      return missing(at)
    }
    const before = this.#expr(left)
    const link = { op: compared, right: right() }
    if (left.name === 'BinaryExpression' && before.is === 'compare')
      return { ...at, is: 'compare', first: before.first, rest: [...before.rest, link] }
    return { ...at, is: 'compare', first: before, rest: [link] }
  }

  #checkTarget(target: Expr): void {
    if (target.is === 'tuple' || target.is === 'list') for (const item of target.items) this.#checkTarget(item)
    else if (target.is !== 'name' && target.is !== 'member' && target.is !== 'index' && target.is !== 'missing') {
      const isValue = target.is === 'compare' ? say('; use == to compare') : say('')
      this.#syntax(target, say('only a name, a property or an item can be assigned to{isValue}', { isValue }))
    }
  }

  /** Characters before `at` on its line when they are all blank, else null. */
  #column(at: number): number | null {
    const start = this.#text.lastIndexOf('\n', at - 1) + 1
    return /^[ \t]*$/.test(this.#text.slice(start, at)) ? at - start : null
  }

  #slice(node: ReadNode): string {
    return this.#text.slice(node.from, node.to)
  }

  #syntax(at: Span, words: Words): void {
    this.#problems.push(syntax({ from: at.from, to: at.to }, words))
  }

  #tooDeep(at: Span): void {
    const found = tooDeep(at)
    if (!this.#problems.some(problem => english(problem.words) === english(found.words))) this.#problems.push(found)
  }
}

/** Children without comments and error marks. */
const parts = (node: ReadNode): readonly ReadNode[] => (node.hasOthers ? node.children.filter(child => !isOther(child)) : node.children)

const missing = (at: Span): Expr => ({ is: 'missing', from: at.from, to: at.to })

const isExpression = (node: ReadNode): boolean => /^[A-Z]/.test(node.name) && !node.name.endsWith('Op')

const arithmeticOps: ReadonlySet<string> = new Set(['+', '-', '*', '/', '//', '%', '**', '&', '|', '^', '<<', '>>'])
const compareOps: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', '==', '!=', 'in', 'not in', 'is', 'is not'])

const isArithmetic = (op: string): op is ArithmeticOp => arithmeticOps.has(op)
const isCompare = (op: string): op is CompareOp => compareOps.has(op)
const arithmetic = (op: string): ArithmeticOp | null => (isArithmetic(op) ? op : null)
const compareOp = (op: string): CompareOp | null => (isCompare(op) ? op : null)
