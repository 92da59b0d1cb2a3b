// Tree -> types. Finds what each expression gives, which names are read and written, and what cannot be right. Locals
// have one type each, the join of all that is assigned to them; passes over the tree repeat until types no longer change.
import type { FormulaContext } from '../../model-schema/kinds/kind.ts'
import type { Clause, ComprehensionNode, Expr, FormatPart, LambdaNode, MemberNode, NameNode, Span, Statement } from './ast.ts'
import { inferCall } from './calls.ts'
import { keyProblems } from './dict-keys.ts'
import { constants, rowOf, rows } from './library/library.ts'
import { dateParts } from './library/methods.ts'
import type { FormulaProblem, FormulaProblemKind } from './mistakes.ts'
import { mistake, nearest, notPublic, ofEach, onlyInSpace, powerProblems, oneOf, whatItIs } from './mistakes.ts'
import type { Parsed } from './parse.ts'
import type { Local, Meaning, Plan } from './plan.ts'
import type { Scope, Symbol } from './scope.ts'
import { namesSelf } from './self-names.ts'
import { typeWords } from './type-words.ts'
import {
  any,
  bool,
  dictOf,
  entityOf,
  entriesOf,
  join,
  listOf,
  never,
  none,
  number,
  sameType,
  setOf,
  stored,
  text,
  tupleOf,
  typeName,
} from './types.ts'
import type { EntryTypes, Type } from './types.ts'
import { constantIndex, hasBreak } from './walk.ts'
import { accepts, arithmeticHint, arithmeticType, elementOf, hasOrder, isNumeric, isOpen } from './typing.ts'
import { english, say, type Words } from '../../model-schema/words.ts'
import { unreachable } from '../../model-schema/unreachable.ts'

/** A write to a model variable. `type` is what is stored, for the variable's own type: join over all writes. */
type Write = {
  symbol: Symbol
  type: Type
  from: number
  to: number
  /** The entity of which the property is set; absent = own. */ of?: Type
}

/** A call of a function block, with the types of its arguments in the order of its parameters (null = left out). */
export type FunctionUse = {
  symbol: Symbol
  args: readonly (Type | null)[]
  /** By argument: it comes of something that has no type yet. */
  open: readonly boolean[]
  from: number
  to: number
}

/** A name in the text that means a symbol: for references, rename and hover. */
type Use = { symbol: Symbol; from: number; to: number; writes: boolean }

export type Inferred = {
  parsed: Parsed
  scope: Scope
  /** Type of the value: the expression's, or the join of a function's returns. */
  type: Type
  /** Type of what emitted code yields: `expects` when given, else `stored(type)`; bool for conditions. */
  result: Type
  /** Syntax problems included. Nothing may be emitted unless it is empty. */
  problems: FormulaProblem[]
  reads: Symbol[]
  writes: Write[]
  uses: Use[]
  functions: FunctionUse[]
  /** Names of library functions called. */
  calls: string[]
  /** Draws random numbers. */
  draws: boolean
  /** May create or destroy entities, so columns may move. */
  mayCreate: boolean
  /** The formula's own variables. */
  locals: ReadonlyMap<string, Local>
  plan: Plan
}

const maxPasses = 10

/** `expects`: the type the place wants; a certain clash is a problem, a possible one is checked at run time. */
export function inferFormula(parsed: Parsed, scope: Scope, expects?: Type): Inferred {
  const inference = new Inference(parsed, scope)
  return inference.run(expects)
}

export class Inference {
  readonly parsed: Parsed
  readonly scope: Scope
  readonly context: FormulaContext
  readonly plan: Plan = { types: new Map(), names: new Map(), members: new Map(), calls: new Map(), lambdas: new Map() }
  readonly reads = new Set<Symbol>()
  writes: Write[] = []
  uses: Use[] = []
  functions: FunctionUse[] = []
  /** How often something without a type was read in this pass, or a local that may come of it. */
  untyped = 0
  readonly calls = new Set<string>()
  draws = false
  mayCreate = false
  /** Something outside the formula is changed. */
  effective = false
  problems: FormulaProblem[] = []
  readonly #locals = new Map<string, Local>()
  /** Variables of the comprehensions and lambdas around, innermost last. */
  readonly #inner: Map<string, Local>[] = []
  /** Locals certainly assigned here; null after a jump: nothing more is reached. */
  #assigned = new Set<string>()
  #returned: Type = never

  constructor(parsed: Parsed, scope: Scope) {
    this.parsed = parsed
    this.scope = scope
    this.context = parsed.context
  }

  get readOnly(): boolean {
    return this.context === 'expression' || this.context === 'condition'
  }

  run(expects: Type | undefined): Inferred {
    const { ast } = this.parsed
    let type: Type = never
    for (let pass = 1; ; pass++) {
      const before = [...this.#locals.values()].map(local => local.type)
      type = this.#pass()
      const changed = [...this.#locals.values()].filter((local, i) => !sameType(local.type, before[i] ?? never))
      if (changed.length === 0) break
      // A type that still grows is one without end, such as that of `a = [a]`.
      if (pass >= maxPasses) for (const local of changed) local.type = any
    }
    for (const local of this.#locals.values()) if (local.type.is === 'never') local.type = any
    const { problems } = this.parsed
    const whole = ast.is === 'expression' ? ast.value : { from: 0, to: this.parsed.text.length }
    if (this.context === 'program' && problems.length === 0 && this.problems.length === 0 && !this.effective) {
      this.problem(
        'must-write',
        { from: 0, to: this.parsed.text.length },
        say('a program must change something: assign to a variable of the model'),
      )
    }
    const result = this.context === 'condition' ? bool : (expects ?? (type.is === 'never' ? any : stored(type)))
    if (expects && this.context !== 'program' && this.context !== 'condition') this.fits(expects, type, whole)
    return {
      parsed: this.parsed,
      scope: this.scope,
      type: type.is === 'never' ? (this.context === 'function' ? none : any) : type,
      result,
      // What follows from a broken tree would only distract from what broke it.
      problems: problems.some(found => found.kind === 'syntax')
        ? problems
        : [...problems, ...this.problems].sort((a, b) => a.from - b.from || a.to - b.to),
      reads: [...this.reads],
      writes: this.writes,
      uses: this.uses,
      functions: this.functions,
      calls: [...this.calls],
      draws: this.draws,
      mayCreate: this.mayCreate,
      locals: this.#locals,
      plan: this.plan,
    }
  }

  #pass(): Type {
    this.problems = []
    this.writes = []
    this.uses = []
    this.functions = []
    this.untyped = 0
    this.#assigned = new Set()
    this.#returned = never
    const { ast } = this.parsed
    if (ast.is === 'expression') return this.expr(ast.value)
    if (this.#locals.size === 0) this.#collect(ast.body)
    const open = this.#block(ast.body)
    if (this.context !== 'function') return none
    return open && this.#returned.is !== 'never' ? join(this.#returned, none) : open ? none : this.#returned
  }

  // Names

  /** Finds the names that a program assigns and no scope declares: its locals. */
  #collect(body: readonly Statement[]): void {
    const target = (expr: Expr, isLoop: boolean): void => {
      if (expr.is === 'tuple' || expr.is === 'list') for (const item of expr.items) target(item, isLoop)
      if (expr.is !== 'name' || this.#locals.has(expr.name)) return
      const symbol = this.scope.find(expr.name)
      if (!symbol || (isLoop && !symbol.write)) this.#locals.set(expr.name, { name: expr.name, type: never, unsure: false })
    }
    for (const statement of body) {
      if (statement.is === 'assign') for (const one of statement.targets) target(one, false)
      // `x += 1` reads x first: it makes no variable.
      else if (statement.is === 'if') {
        for (const branch of statement.branches) this.#collect(branch.body)
        this.#collect(statement.otherwise)
      } else if (statement.is === 'for' || statement.is === 'while') {
        if (statement.is === 'for') target(statement.target, true)
        this.#collect(statement.body)
        this.#collect(statement.otherwise)
      }
    }
  }

  localOf(name: string): Local | undefined {
    for (let i = this.#inner.length - 1; i >= 0; i--) {
      const found = this.#inner[i]!.get(name)
      if (found) return found
    }
    return this.#locals.get(name)
  }

  #name(node: NameNode): Type {
    const local = this.localOf(node.name)
    if (local) {
      const own = this.#locals.get(node.name) === local
      const unsure = own && !this.#assigned.has(node.name)
      if (unsure) local.unsure = true
      if (this.untyped > 0) this.untyped++
      this.plan.names.set(node, { is: 'local', local, unsure })
      return local.type
    }
    const symbol = this.scope.find(node.name)
    if (symbol) {
      this.use(symbol, node, false)
      this.plan.names.set(node, { is: 'symbol', symbol })
      if (symbol.type.is === 'function')
        this.problem('type-mismatch', node, say('"{name}" is a function; call it: {name}(...)', { name: node.name }))
      return symbol.type
    }
    const constant = constants.get(node.name)
    if (constant) {
      this.plan.names.set(node, { is: 'constant', js: constant.js })
      return number
    }
    if (rowOf(node.name)) {
      this.problem(
        'type-mismatch',
        node,
        say('"{name}" is a function; call it: {replace}', { name: node.name, replace: rowOf(node.name)!.shown.replace(/ ->.*/, '') }),
      )
      return any
    }
    this.notFound(node, node.name, this.names())
    return any
  }

  /** Every name that is allowed here. */
  *names(): Iterable<string> {
    for (const inner of this.#inner) yield* inner.keys()
    yield* this.#locals.keys()
    for (const symbol of this.scope.names()) yield symbol.name
    for (const row of rows) yield row.signature.name
    yield* constants.keys()
    yield* ['True', 'False', 'None']
  }

  use(symbol: Symbol, at: Span, writes: boolean): void {
    if (!writes) {
      this.reads.add(symbol)
      if (symbol.type.is === 'never') this.untyped++
      if (symbol.effects?.draws) this.draws = true
    }
    this.uses.push({ symbol, from: at.from, to: at.to, writes })
  }

  member(node: MemberNode): Type {
    const of = this.expr(node.of)
    const at = { from: node.nameFrom, to: node.to }
    if (node.name === '') return any
    const symbol = this.scope.member(of, node.name)
    if (symbol) {
      this.use(symbol, at, false)
      this.plan.members.set(node, symbol)
      return symbol.type
    }
    if (of.is === 'date' && dateParts.includes(node.name)) return number
    // A variable without an assignment has no properties yet, and so has None: later assignments determine their types.
    if (isOpen(of)) return of
    this.#noMember(node, of, at)
    return of.is === 'none' ? never : any
  }

  #noMember({ name, of: node }: MemberNode, of: Type, at: Span): void {
    const one = of.is === 'observer' && of.of !== null ? this.scope.member(entityOf(of.of, true), name) : undefined
    const placed = of.is === 'entity' && of.of !== null ? onlyInSpace(name, this.scope.member(of, 'x')?.kind === 'builtin') : null
    if (one) this.problems.push(mistake('name-not-found', at, ofEach(name, node.is === 'name' ? node.name : 'P')))
    else if (placed) this.problems.push(mistake('name-not-found', at, placed))
    else
      this.notFound(
        at,
        name,
        [...this.scope.members(of)].map(found => found.name),
        typeName(of),
      )
  }

  // Expressions

  expr(node: Expr): Type {
    const type = this.#expr(node)
    this.plan.types.set(node, type)
    return type
  }

  #expr(node: Expr): Type {
    switch (node.is) {
      case 'number':
        return number
      case 'text':
        return text
      case 'constant':
        return node.value === null ? none : bool
      case 'format':
        this.#format(node.parts)
        return text
      case 'name':
        return this.#name(node)
      case 'member':
        return this.member(node)
      case 'index':
        return this.#index(node)
      case 'slice': {
        const of = this.expr(node.of)
        for (const bound of [node.start, node.stop, node.step]) if (bound) this.fits(number, this.expr(bound), bound)
        const kept = stored(of)
        if (kept.is === 'list' || kept.is === 'text') return kept
        if (kept.is === 'range') return listOf(number)
        if (isOpen(kept) || kept.is === 'tuple') return any
        this.problem('type-mismatch', node.of, say('{of} has no slices', { of: typeWords(typeName(of)) }))
        return any
      }
      case 'call':
        return this.#valid(() => inferCall(this, node))
      case 'unary': {
        const of = this.expr(node.of)
        if (node.op === 'not') return bool
        if (isOpen(of)) return of.is === 'never' ? number : any
        if (of.is === 'integer' && node.op !== '~') return of
        if (isNumeric(of)) return number
        this.mismatch(node.of, number, of)
        return never
      }
      case 'binary': {
        const left = this.expr(node.left)
        const right = this.expr(node.right)
        return this.#arithmetic(node, node.op, left, right)
      }
      case 'compare':
        return this.#compare(node)
      case 'and':
      case 'or': {
        const left = this.expr(node.left)
        const right = this.expr(node.right)
        return join(stored(left), stored(right))
      }
      case 'choose': {
        this.expr(node.test)
        return join(stored(this.expr(node.value)), stored(this.expr(node.otherwise)))
      }
      case 'list':
        return listOf(this.#joined(node.items))
      case 'set':
        return setOf(this.#joined(node.items))
      case 'tuple':
        return tupleOf(...node.items.map(item => stored(this.expr(item))))
      case 'dict':
        this.problems.push(...keyProblems(node))
        return dictOf(this.#joined(node.entries.map(entry => entry.key)), this.#joined(node.entries.map(entry => entry.value)))
      case 'comprehension':
        return this.comprehension(node)
      case 'lambda':
        this.problem('type-mismatch', node, say('a lambda can only be given to a function such as sorted, min or filter'))
        return any
      case 'missing':
        return any
      default:
        return unreachable(node)
    }
  }

  /** The type that `infer` finds; `never` when it finds a problem: what is certainly wrong must not widen the type of a variable. */
  #valid(infer: () => Type): Type {
    const before = this.problems.length
    const type = infer()
    return this.problems.length > before ? never : type
  }

  #joined(items: readonly Expr[]): Type {
    let type: Type = never
    for (const item of items) type = join(type, stored(this.expr(item)))
    return type
  }

  #format(parts: readonly FormatPart[]): void {
    for (const part of parts) {
      if (typeof part === 'string') continue
      this.expr(part.value)
      this.#format(part.spec)
    }
  }

  #index(node: Expr & { is: 'index' }): Type {
    const of = stored(this.expr(node.of))
    const key = this.expr(node.index)
    const entries = entriesOf(of)
    if (entries && node.index.is === 'text') return this.#entry(entries, node.index)
    switch (of.is) {
      case 'list':
        this.fits(number, key, node.index)
        return of.of.is === 'never' ? any : of.of
      case 'text':
        this.fits(number, key, node.index)
        return text
      case 'range':
        this.fits(number, key, node.index)
        return number
      case 'tuple': {
        this.fits(number, key, node.index)
        const place = constantIndex(node.index)
        if (place === null) return of.of.reduce(join, never)
        const found = of.of[place < 0 ? place + of.of.length : place]
        if (!found) this.problem('type-mismatch', node.index, say('the tuple has {count} items', { count: of.of.length }))
        return found ?? any
      }
      case 'dict':
        if (of.key.is !== 'never' && accepts(of.key, key) === 'no' && !(isNumeric(of.key) && isNumeric(key)))
          this.mismatch(node.index, of.key, key)
        return of.value.is === 'never' ? any : of.value
      case 'any':
      case 'never':
        return any
      default:
        if (of.is === 'observer' && node.of.is === 'name') this.problems.push(mistake('type-mismatch', node.of, oneOf(node.of.name)))
        else this.problem('type-mismatch', node.of, say('{of} has no items', { of: typeWords(typeName(of)) }))
        return any
    }
  }

  #entry(entries: EntryTypes, { value, from, to }: Span & { value: string }): Type {
    if (Object.hasOwn(entries, value)) return entries[value]!
    // Within the quotes.
    this.notFound({ from: from + 1, to: to - 1 }, value, Object.keys(entries), 'dict')
    return any
  }

  #arithmetic(node: Span & { left: Expr; right: Expr }, op: Parameters<typeof arithmeticType>[0], left: Type, right: Type): Type {
    const type = arithmeticType(op, left, right)
    if (op === '^') this.problems.push(...powerProblems(node))
    if (type) return type
    const [a, b] = [typeName(left), typeName(right)]
    const hint = arithmeticHint(op, left, right)
    this.problem('type-mismatch', node, say('{a} {op} {b} is not defined{hint}', { a: typeWords(a), op, b: typeWords(b), hint }))
    return never
  }

  #compare(node: Expr & { is: 'compare' }): Type {
    let left = this.expr(node.first)
    let before = node.first
    for (const { op, right } of node.rest) {
      const type = this.expr(right)
      if (op === 'in' || op === 'not in') {
        const element = elementOf(type)
        if (!element)
          this.problem(
            'type-mismatch',
            right,
            say('"{op}" needs a list, set, dict or text, not {type}', { op, type: typeWords(typeName(type)) }),
          )
        else if (type.is === 'text' && accepts(text, left) === 'no') this.mismatch(before, text, left)
      } else if (op === '<' || op === '<=' || op === '>' || op === '>=') {
        if (!hasOrder(left, type)) {
          this.problem(
            'type-mismatch',
            { from: before.from, to: right.to },
            say('{left} and {type} have no order', { left: typeWords(typeName(left)), type: typeWords(typeName(type)) }),
          )
        }
      }
      left = type
      before = right
    }
    return bool
  }

  comprehension(node: ComprehensionNode): Type {
    const inner = new Map<string, Local>()
    let scopes = 0
    for (const clause of node.clauses) {
      if (clause.is === 'if') this.expr(clause.test)
      else {
        const element = this.iterated(clause.source)
        if (scopes++ === 0) this.#inner.push(inner)
        this.#declare(clause, element, inner)
      }
    }
    const element = stored(this.expr(node.element))
    const value = node.value ? stored(this.expr(node.value)) : never
    if (scopes > 0) this.#inner.pop()
    return node.kind === 'set' ? setOf(element) : node.kind === 'dict' ? dictOf(element, value) : listOf(element)
  }

  /** The type of the items of `source`. */
  iterated(source: Expr): Type {
    const type = this.expr(source)
    const element = elementOf(type)
    if (!element) this.problem('type-mismatch', source, say('{type} can not be iterated', { type: typeWords(typeName(type)) }))
    return element ?? any
  }

  #declare(clause: Clause & { is: 'for' }, type: Type, inner: Map<string, Local>): void {
    this.#bind(clause.target, type, name => {
      const local: Local = { name: name.name, type: never, unsure: false }
      inner.set(name.name, local)
      return local
    })
  }

  /** Types a lambda's body for an argument of this type. */
  lambda(node: LambdaNode, argument: Type): Type {
    const inner = new Map<string, Local>()
    const [param] = node.params
    if (node.params.length !== 1) this.problem('wrong-arguments', node, say('the lambda must take one argument'))
    if (param) {
      const local: Local = { name: param.name, type: argument, unsure: false }
      inner.set(param.name, local)
      this.plan.names.set(param, { is: 'local', local, unsure: false })
    }
    this.#inner.push(inner)
    const type = this.expr(node.body)
    this.#inner.pop()
    this.plan.types.set(node, type)
    return type
  }

  /** Binds fresh variables of a comprehension. */
  #bind(target: Expr, type: Type, make: (name: NameNode) => Local): void {
    this.plan.types.set(target, type)
    if (target.is === 'name') {
      const local = make(target)
      local.type = join(local.type, stored(type))
      this.plan.names.set(target, { is: 'local', local, unsure: false })
    } else if (target.is === 'tuple' || target.is === 'list') {
      const parts = this.#parts(target, target.items.length, type)
      for (const [i, item] of target.items.entries()) this.#bind(item, parts[i] ?? any, make)
    } else if (target.is !== 'missing') this.problem('syntax', target, say('syntax error: a name is expected here'))
  }

  /** Types of the items of a value that is taken apart. */
  #parts(at: Span, count: number, type: Type): readonly Type[] {
    if (type.is === 'tuple') {
      if (type.of.length === count) return type.of
      this.problem('type-mismatch', at, say('{count} values for {count2} names', { count: type.of.length, count2: count }))
      return []
    }
    const element = elementOf(type)
    if (!element) this.problem('type-mismatch', at, say('{type} can not be taken apart', { type: typeWords(typeName(type)) }))
    return Array.from({ length: count }, () => element ?? any)
  }

  // Statements

  /** Returns whether the end of the block can be reached. */
  #block(body: readonly Statement[]): boolean {
    let open = true
    for (const statement of body) if (!this.#statement(statement)) open = false
    return open
  }

  #statement(node: Statement): boolean {
    switch (node.is) {
      case 'assign': {
        const type = this.expr(node.value)
        for (const target of node.targets) this.#assign(target, type, node.value)
        return true
      }
      case 'augment': {
        const value = this.expr(node.value)
        const before = this.expr(node.target)
        this.#assign(
          node.target,
          this.#arithmetic({ from: node.from, to: node.to, left: node.target, right: node.value }, node.op, before, value),
          node,
        )
        return true
      }
      case 'do': {
        this.expr(node.value)
        if (node.value.is === 'compare' && node.value.rest[0]?.op === '==') {
          this.problem('syntax', node, say('syntax error: to assign, write = instead of =='))
        }
        return true
      }
      case 'if':
        return this.#if(node)
      case 'for': {
        const element = this.iterated(node.source)
        const before = new Set(this.#assigned)
        this.#assign(node.target, element, node.source)
        this.#block(node.body)
        this.#assigned = before
        this.#block(node.otherwise)
        return true
      }
      case 'while': {
        this.expr(node.test)
        const before = new Set(this.#assigned)
        this.#block(node.body)
        this.#assigned = before
        this.#block(node.otherwise)
        return !(node.test.is === 'constant' && node.test.value === true) || hasBreak(node.body)
      }
      case 'return':
        this.#returned = join(this.#returned, node.value ? stored(this.expr(node.value)) : none)
        return false
      case 'delete':
        for (const target of node.targets) {
          if (target.is !== 'index') continue
          const of = this.expr(target.of)
          this.expr(target.index)
          if (of.is !== 'list' && of.is !== 'dict' && !isOpen(of))
            this.problem('type-mismatch', target.of, say('items of {of} can not be removed', { of: typeWords(typeName(of)) }))
          this.grow(target.of, of)
        }
        return true
      case 'assert':
        this.expr(node.test)
        if (node.tip) this.expr(node.tip)
        this.effective = true
        return true
      case 'break':
      case 'continue':
        return false
      case 'pass':
        return true
      default:
        return unreachable(node)
    }
  }

  #if(node: Statement & { is: 'if' }): boolean {
    const start = new Set(this.#assigned)
    let merged: Set<string> | null = null
    let open = false
    const close = (isOpen: boolean): void => {
      if (isOpen) {
        merged = merged ? intersection(merged, this.#assigned) : this.#assigned
        open = true
      }
      this.#assigned = new Set(start)
    }
    for (const branch of node.branches) {
      this.expr(branch.test)
      close(this.#block(branch.body))
    }
    close(this.#block(node.otherwise))
    this.#assigned = merged ?? start
    return open
  }

  #assign(target: Expr, type: Type, source: Span): void {
    this.plan.types.set(target, type)
    switch (target.is) {
      case 'tuple':
      case 'list': {
        const parts = this.#parts(target, target.items.length, type)
        for (const [i, item] of target.items.entries()) this.#assign(item, parts[i] ?? any, source)
        return
      }
      case 'name': {
        const local = this.#locals.get(target.name)
        if (local) {
          local.type = join(local.type, stored(type))
          this.#assigned.add(target.name)
          this.plan.names.set(target, { is: 'local', local, unsure: false })
          this.plan.types.set(target, local.type)
          return
        }
        const symbol = this.scope.find(target.name)
        if (!symbol) return
        this.plan.names.set(target, { is: 'symbol', symbol })
        this.write(symbol, type, target, source)
        return
      }
      case 'member': {
        const of = this.expr(target.of)
        const at = { from: target.nameFrom, to: target.to }
        const symbol = this.scope.member(of, target.name)
        if (symbol) {
          this.plan.members.set(target, symbol)
          this.#writeMember(symbol, target, type, source, of)
        } else if (isOpen(of)) this.effective = true
        else this.#noMember(target, of, at)
        return
      }
      case 'index': {
        const of = this.expr(target.of)
        const key = this.expr(target.index)
        if (of.is === 'list') this.fits(number, key, target.index)
        else if (of.is !== 'dict' && !isOpen(of))
          this.problem('type-mismatch', target.of, say('items of {of} can not be changed', { of: typeWords(typeName(of)) }))
        this.grow(
          target.of,
          of.is === 'list' ? listOf(stored(type)) : of.is === 'dict' ? dictOf(stored(key), stored(type)) : of.is === 'any' ? any : of,
        )
        return
      }
      default:
    }
  }

  /** `at` is the name written, `source` what is blamed when the types clash, `isFirst` when a newborn gets it. */
  write(symbol: Symbol, type: Type, at: Span, source: Span, of?: Type, isFirst = false): void {
    this.use(symbol, at, true)
    this.effective = true
    if (!symbol.write && !(isFirst && symbol.first)) this.readOnlySymbol(symbol, at)
    else this.fits(symbol.type, type, source)
    this.writes.push(
      of ? { symbol, type: stored(type), from: at.from, to: at.to, of } : { symbol, type: stored(type), from: at.from, to: at.to },
    )
  }

  #writeMember(symbol: Symbol, node: MemberNode, type: Type, source: Span, of: Type | undefined): void {
    const at = { from: node.nameFrom, to: node.to }
    if (symbol.privateTo === 'self' && !namesSelf(this.parsed.ast, node.of)) this.problems.push(notPublic(symbol, at))
    this.write(symbol, type, at, source, of)
  }

  readOnlySymbol(symbol: Symbol, at: Span): void {
    if (symbol.privateTo) return void this.problems.push(notPublic(symbol, at))
    const because: Words = symbol.readOnlyBecause ?? whatItIs[symbol.kind] ?? say('')
    const words = english(because) ? say(': {because}', { because }) : say('')
    this.problem('read-only', at, say('"{name}" can not be changed here{words}', { name: symbol.name, words }))
  }

  /** A collection is changed in place: its variable now holds `type` as well. */
  grow(collection: Expr, type: Type): void {
    switch (collection.is) {
      case 'name': {
        const meaning: Meaning | undefined = this.plan.names.get(collection)
        if (meaning?.is === 'local') meaning.local.type = join(meaning.local.type, type)
        else if (meaning?.is === 'symbol') this.write(meaning.symbol, type, collection, collection)
        return
      }
      case 'member': {
        const symbol = this.plan.members.get(collection)
        if (symbol) this.#writeMember(symbol, collection, type, collection, this.plan.types.get(collection.of))
        else this.effective = true
        return
      }
      case 'index': {
        const of = this.plan.types.get(collection.of) ?? any
        if (of.is === 'list') this.grow(collection.of, listOf(type))
        else if (of.is === 'dict') this.grow(collection.of, dictOf(of.key, type))
        else this.effective = true
        return
      }
      default:
        this.effective = true
    }
  }

  // Problems

  fits(want: Type, got: Type, at: Span): void {
    if (accepts(want, got) === 'no') this.mismatch(at, want, got)
  }

  mismatch(at: Span, want: Type, got: Type): void {
    this.problem('type-mismatch', at, say('expected {want}, got {got}', { want: typeWords(typeName(want)), got: typeWords(typeName(got)) }))
  }

  notFound(at: Span, name: string, candidates: Iterable<string>, of?: string): void {
    const placed = of === undefined && this.scope.find('self') ? onlyInSpace(name, this.scope.find('x')?.kind === 'builtin') : null
    if (placed) return void this.problems.push(mistake('name-not-found', at, placed))
    const near = nearest(name, candidates)
    const words = of ? say('{of} has no "{name}"', { of: typeWords(of), name }) : say('name "{name}" not found', { name })
    this.problem('name-not-found', at, near ? say('{words}; did you mean "{near}"?', { words, near }) : words, near)
  }

  problem(kind: FormulaProblemKind, at: Span, words: Words, near?: string): void {
    this.problems.push(mistake(kind, at, words, near))
  }
}

const intersection = (a: Set<string>, b: Set<string>): Set<string> => new Set([...a].filter(name => b.has(name)))
