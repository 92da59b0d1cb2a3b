// One function as a tree: what each name means where it stands, and which variables have a value whenever they are read.
import { type Declaration, type Expr, refuse, type Statement } from './parse.ts'
import type { Resolver, Surroundings } from './resolve.ts'
import type { Act, Element, Instance, Label, Local, Node } from './tree.ts'

type Meaning =
  | { readonly is: 'local'; readonly local: Local; readonly isConst: boolean }
  | { readonly is: 'path'; readonly path: string }
  | null

/** A block's names; null: declared further down. */
type Scope = { readonly names: Map<string, Meaning>; readonly outer: Scope | null }

type Labelled = { readonly name: string | null; readonly label: Label; readonly isLoop: boolean }

/** Functions of `Math` written in line, with how many arguments they have. */
const inline = new Map([
  ['floor', 1],
  ['ceil', 1],
  ['trunc', 1],
  ['abs', 1],
  ['sqrt', 1],
  ['fround', 1],
  ['clz32', 1],
  ['imul', 2],
  ['min', 2],
  ['max', 2],
])

const comparisons = new Set(['<', '>', '<=', '>=', '===', '!=='])

/** One function. */
export class Body {
  readonly #instance: Instance
  /** Of its variables. */
  readonly #users: Instance[]
  readonly #resolver: Resolver
  readonly #surroundings: Surroundings
  #scope: Scope = { names: new Map(), outer: null }
  readonly #labels: Labelled[] = []
  /** Variables declared without a value that have one here, in the order they got it. */
  #assigned: Local[] = []
  /** Those declared without a value. */
  readonly #late = new Set<Local>()

  constructor(instance: Instance, resolver: Resolver, surroundings: Surroundings) {
    this.#instance = instance
    this.#users = [instance]
    this.#resolver = resolver
    this.#surroundings = surroundings
  }

  resolve(): void {
    const { parsed, paths, parameters } = this.#instance
    parsed.parameters.forEach((name, k) => {
      const path = paths[k]!
      if (path !== null) {
        this.#scope.names.set(name, { is: 'path', path })
        return
      }
      const local: Local = newLocal(this.#users)
      parameters.push(local)
      this.#scope.names.set(name, { is: 'local', local, isConst: false })
    })
    const acts: Act[] = []
    const ends = this.#block(parsed.body, acts)
    if (!ends && this.#instance.result !== null) refuse(`${parsed.name} may end without a value`)
    this.#instance.body = acts
  }

  // Statements

  /** The statements of a block onto `acts`; whether what follows it is never reached. */
  #block(body: readonly Statement[], acts: Act[]): boolean {
    const outer = this.#scope
    if (body.some(statement => statement.is === 'declare')) this.#scope = { names: namesOf(body), outer }
    let ends = false
    for (const statement of body) {
      ends = this.#statement(statement, acts)
      // The rest is never reached.
      if (ends) break
    }
    this.#scope = outer
    return ends
  }

  #inner(statement: Statement | null): { acts: Act[]; ends: boolean } {
    const acts: Act[] = []
    return { acts, ends: statement !== null && this.#statement(statement, acts) }
  }

  #statement(statement: Statement, acts: Act[], name: string | null = null): boolean {
    switch (statement.is) {
      case 'declare':
        this.#declare(statement, acts)
        return false
      case 'block':
        return this.#block(statement.body, acts)
      case 'expression':
        acts.push({ is: 'do', value: this.#effect(statement.value) })
        return false
      case 'if':
        return this.#if(statement, acts)
      case 'for':
      case 'repeat':
        return this.#loop(statement, acts, name)
      case 'label': {
        if (this.#labels.some(one => one.name === statement.name)) refuse(`label ${statement.name} within itself`)
        if (statement.body.is === 'for' || statement.body.is === 'repeat') return this.#statement(statement.body, acts, statement.name)
        const label = newLabel()
        this.#labels.push({ name: statement.name, label, isLoop: false })
        const mark = this.#assigned.length
        const { acts: body, ends } = this.#inner(statement.body)
        this.#labels.pop()
        if (label.isBroken) this.#assigned.length = mark
        acts.push({ is: 'block', body, label })
        return ends && !label.isBroken
      }
      case 'break':
      case 'continue': {
        const isAgain = statement.is === 'continue'
        const target = this.#labels.findLast(one => (statement.label === null ? one.isLoop : one.name === statement.label))
        if (target === undefined || (isAgain && !target.isLoop)) refuse(`${statement.is} ${statement.label ?? ''}`)
        if (isAgain) target.label.isContinued = true
        else target.label.isBroken = true
        acts.push({ is: 'leave', label: target.label, isAgain })
        return true
      }
      case 'return':
        acts.push({ is: 'return', value: statement.value === null ? null : this.#value(statement.value) })
        return true
    }
  }

  #if(statement: Statement & { is: 'if' }, acts: Act[]): boolean {
    const test = this.#condition(statement.test)
    if (test.is === 'truth') {
      const taken = test.value ? statement.yes : statement.no
      return taken !== null && this.#statement(taken, acts)
    }
    const mark = this.#assigned.length
    const yes = this.#inner(statement.yes)
    const before = this.#assigned.splice(mark)
    const no = this.#inner(statement.no)
    const after = this.#assigned.splice(mark)
    this.#assigned.push(...(yes.ends ? after : no.ends ? before : before.filter(local => after.includes(local))))
    acts.push({ is: 'if', test, yes: yes.acts, no: no.acts })
    return yes.ends && no.ends
  }

  #loop(statement: Statement & { is: 'for' | 'repeat' }, acts: Act[], name: string | null): boolean {
    const isFor = statement.is === 'for'
    this.#scope = { names: new Map(), outer: this.#scope }
    if (isFor && statement.first !== null) {
      if (statement.first.is === 'declare') this.#declare(statement.first, acts)
      else acts.push({ is: 'do', value: this.#effect(statement.first) })
    }
    const mark = this.#assigned.length
    const isEndless = statement.test === null || this.#known(statement.test) === true
    const before = isFor && !isEndless ? this.#condition(statement.test!) : null
    const label = newLabel()
    this.#labels.push({ name, label, isLoop: true })
    const inside = this.#assigned.length
    const { acts: body, ends } = this.#inner(statement.body)
    this.#labels.pop()
    // `continue` may have come before what the body gives a value.
    this.#assigned.length = inside
    const next = isFor && statement.next !== null ? this.#effect(statement.next) : null
    const test = isFor || isEndless ? before : this.#condition(statement.test!)
    this.#assigned.length = mark
    this.#scope = this.#scope.outer!
    acts.push({ is: 'loop', test, isTestedLast: !isFor, next, body, label })
    return !label.isBroken && (isEndless || (!isFor && ends && !label.isContinued))
  }

  #declare(declaration: Declaration, acts: Act[]): void {
    for (const { name, value } of declaration.all) {
      const path = declaration.isConst && value !== null ? this.#object(value) : null
      if (path !== null) {
        this.#scope.names.set(name, { is: 'path', path })
        continue
      }
      if (value === null) {
        const local = this.#local()
        this.#late.add(local)
        this.#scope.names.set(name, { is: 'local', local, isConst: false })
        continue
      }
      const given = this.#value(value)
      const local = this.#local()
      this.#scope.names.set(name, { is: 'local', local, isConst: declaration.isConst })
      acts.push({ is: 'do', value: { is: 'set', local, value: given, by: null, type: null } })
    }
  }

  #local(): Local {
    const local: Local = newLocal(this.#users)
    this.#instance.locals.push(local)
    return local
  }

  // Names

  #meaning(name: string): Meaning | undefined {
    for (let scope: Scope | null = this.#scope; scope !== null; scope = scope.outer) {
      const meaning = scope.names.get(name)
      if (meaning === null) refuse(`${name} before it is declared`)
      if (meaning !== undefined) return meaning
    }
    return undefined
  }

  /** The dotted path that an expression is; null for anything else. */
  #path(expr: Expr): string | null {
    if (expr.is === 'name') {
      const meaning = this.#meaning(expr.name)
      if (meaning === undefined) return expr.name
      return meaning !== null && meaning.is === 'path' ? meaning.path : null
    }
    if (expr.is === 'nothing') return expr.name
    if (expr.is !== 'member') return null
    const of = this.#path(expr.of)
    return of === null ? null : `${of}.${expr.name}`
  }

  /** The path of an object, an array, or of nothing. */
  #object(expr: Expr): string | null {
    const path = this.#path(expr)
    if (path === null || path === 'NaN' || path === 'Infinity' || path === 'Math.PI') return null
    const known = this.#resolver.meaningOf(path)
    return known === undefined || known.is === 'array' ? path : null
  }

  #array(expr: Expr): { path: string; of: Element } {
    const path = this.#path(expr)
    const known = path === null ? undefined : this.#resolver.meaningOf(path)
    if (path === null || known === undefined || known.is !== 'array') return refuse(`${path ?? 'an expression'} as an array`)
    this.#resolver.mention(path, true, known.of)
    return { path, of: known.of }
  }

  #number(path: string): Node {
    if (path === 'NaN') return constant(NaN)
    if (path === 'Infinity') return constant(Infinity)
    if (path === 'Math.PI') return constant(Math.PI)
    const known = this.#resolver.meaningOf(path)
    if (known === undefined || known.is === 'array') return refuse(`${path} as a number`)
    if (known.is === 'constant') return constant(known.value)
    this.#resolver.mention(path, false, known.of)
    return { is: 'global', path, of: known.of, type: null }
  }

  // Expressions

  /** What a comparison with `null` or `undefined` gives, or a literal; null: only known when it runs. */
  #known(expr: Expr): boolean | null {
    if (expr.is === 'truth') return expr.value
    if (expr.is !== 'binary' || (expr.op !== '===' && expr.op !== '!==')) return null
    const left = this.#path(expr.left)
    const right = this.#path(expr.right)
    const isNothing = (path: string | null): boolean => path === 'null' || path === 'undefined'
    if (!isNothing(left) && !isNothing(right)) return null
    // A number is never nothing; of an object only its path is known.
    const other = isNothing(left) ? expr.right : expr.left
    const path = isNothing(left) ? right : left
    if (path === null) {
      if (other.is !== 'name') refuse('a comparison with nothing')
      else this.#read(other.name)
    }
    if (path !== null && !isNothing(path) && this.#resolver.meaningOf(path) === undefined) refuse(`${path} compared with nothing`)
    return (left === right) === (expr.op === '===')
  }

  #condition(expr: Expr): Node {
    const known = this.#known(expr)
    if (known !== null) return { is: 'truth', value: known, type: null }
    if (expr.is === 'logical') {
      const left = this.#condition(expr.left)
      const mark = this.#assigned.length
      if (left.is === 'truth' && left.value === (expr.op === '||')) return left
      const right = this.#condition(expr.right)
      this.#assigned.length = mark
      if (left.is === 'truth') return right
      // What stays is what the left says.
      if (right.is === 'truth' && right.value === (expr.op === '&&')) return left
      return { is: 'logical', op: expr.op, left, right, type: null }
    }
    if (expr.is === 'unary' && expr.op === '!') {
      const of = this.#condition(expr.of)
      return of.is === 'truth' ? { ...of, value: !of.value } : { is: 'not', of, type: null }
    }
    const of = this.#value(expr)
    if (of.is === 'number') return { is: 'truth', value: of.value !== 0 && !Number.isNaN(of.value), type: null }
    return { is: 'test', of, type: null }
  }

  /** An expression whose value nobody takes. */
  #effect(expr: Expr): Node {
    this.#instance.size++
    if (expr.is === 'update') return this.#update(expr.of, expr.op, false)
    if (expr.is === 'call') return this.#call(expr)
    if (expr.is === 'sequence') {
      const parts = expr.parts.map(part => this.#effect(part))
      return { is: 'sequence', first: parts.slice(0, -1), last: parts.at(-1)!, type: null }
    }
    return this.#value(expr)
  }

  #value(expr: Expr): Node {
    this.#instance.size++
    switch (expr.is) {
      case 'number':
        return constant(expr.value)
      case 'truth':
        return { is: 'truth', value: expr.value, type: null }
      case 'nothing':
        return refuse(`${expr.name} as a value`)
      case 'name':
      case 'member': {
        const path = this.#path(expr)
        if (path !== null) return this.#number(path)
        if (expr.is === 'member') return refuse(`a member ${expr.name} of a value`)
        return this.#read(expr.name)
      }
      case 'index': {
        const { path, of } = this.#array(expr.of)
        return { is: 'load', path, of, at: this.#index(expr.at), type: null }
      }
      case 'call': {
        const call = this.#call(expr)
        if (call.is === 'import' ? call.result === null : call.is === 'call' && call.of.result === null) refuse('nothing as a value')
        return call
      }
      case 'unary': {
        if (expr.op === '!') return { is: 'not', of: this.#condition(expr.of), type: null }
        const of = this.#value(expr.of)
        if (expr.op === '-' && of.is === 'number') return constant(-of.value)
        if (expr.op !== '-' && expr.op !== '+' && expr.op !== '~') return refuse(expr.op)
        return { is: 'unary', op: expr.op, of, type: null }
      }
      case 'update':
        return this.#update(expr.of, expr.op, !expr.isPrefix)
      case 'binary': {
        const known = this.#known(expr)
        if (known !== null) return { is: 'truth', value: known, type: null }
        const left = this.#value(expr.left)
        const right = this.#value(expr.right)
        return { is: comparisons.has(expr.op) ? 'compare' : 'binary', op: expr.op, left, right, type: null }
      }
      case 'logical': {
        const left = this.#value(expr.left)
        const mark = this.#assigned.length
        const right = this.#value(expr.right)
        this.#assigned.length = mark
        return { is: 'logical', op: expr.op, left, right, type: null }
      }
      case 'choice': {
        const known = this.#known(expr.test)
        if (known !== null) return this.#value(known ? expr.yes : expr.no)
        const test = this.#condition(expr.test)
        const mark = this.#assigned.length
        const yes = this.#value(expr.yes)
        this.#assigned.length = mark
        const no = this.#value(expr.no)
        this.#assigned.length = mark
        return { is: 'choice', test, yes, no, type: null }
      }
      case 'sequence':
        return {
          is: 'sequence',
          first: expr.parts.slice(0, -1).map(part => this.#effect(part)),
          last: this.#value(expr.parts.at(-1)!),
          type: null,
        }
      case 'assign':
        return this.#assign(expr)
    }
  }

  #index(expr: Expr): Node {
    const at = this.#value(expr)
    if (at.is === 'number' && !(Number.isInteger(at.value) && at.value >= 0 && at.value < 2 ** 26)) refuse(`index ${at.value}`)
    return at
  }

  #read(name: string): Node {
    const meaning = this.#meaning(name)
    if (meaning === undefined || meaning === null || meaning.is !== 'local') return refuse(name)
    const { local } = meaning
    if (this.#late.has(local) && !this.#assigned.includes(local)) refuse(`${name} may have no value yet`)
    local.reads++
    return { is: 'local', local, type: null }
  }

  #assign(expr: Expr & { is: 'assign' }): Node {
    const { op, to } = expr
    if (to.is === 'index') {
      const { path, of } = this.#array(to.of)
      this.#resolver.written.add(path)
      const at = this.#index(to.at)
      if (op === '') return { is: 'store', path, of, at, value: this.#value(expr.value), type: null }
      return this.#again(at, index => {
        const old: Node = { is: 'load', path, of, at: index, type: null }
        return {
          is: 'store',
          path,
          of,
          at: index,
          value: { is: 'binary', op, left: old, right: this.#value(expr.value), type: null },
          type: null,
        }
      })
    }
    if (op === '') return this.#set(to, () => this.#value(expr.value), null)
    const old = this.#value(to)
    const right = this.#value(expr.value)
    const by: Node | null = op === '+' ? right : op === '-' && right.is === 'number' ? constant(-right.value) : null
    return this.#set(to, () => ({ is: 'binary', op, left: old, right, type: null }), by)
  }

  /** `++` and `--`; `wantsOld`: the value is what was there before. */
  #update(to: Expr, op: '+' | '-', wantsOld: boolean): Node {
    const one = constant(1)
    const by = constant(op === '+' ? 1 : -1)
    if (to.is === 'index') {
      const { path, of } = this.#array(to.of)
      this.#resolver.written.add(path)
      return this.#again(this.#index(to.at), index => {
        const old: Node = { is: 'load', path, of, at: index, type: null }
        const write = (left: Node): Node => {
          const value: Node = { is: 'binary', op, left, right: one, type: null }
          return { is: 'store', path, of, at: index, value, type: null }
        }
        return wantsOld ? this.#keeping(old, write) : write(old)
      })
    }
    const old = this.#value(to)
    const write = (left: Node): Node => this.#set(to, () => ({ is: 'binary', op, left, right: one, type: null }), by)
    return wantsOld ? this.#keeping({ is: 'unary', op: '+', of: old, type: null }, write) : write(old)
  }

  /** `old`, after `write` has been done with it. */
  #keeping(old: Node, write: (old: Node) => Node): Node {
    const local = this.#local()
    const kept = (): Node => ({ is: 'local', local, type: null })
    const keep: Node = { is: 'set', local, value: old, by: null, type: null }
    return { is: 'sequence', first: [keep, write(kept())], last: kept(), type: null }
  }

  /** What is done with an index that is looked at twice, and worked out once. */
  #again(at: Node, use: (at: Node) => Node): Node {
    if (at.is === 'number') return use(at)
    const local = this.#local()
    const keep: Node = { is: 'set', local, value: at, by: null, type: null }
    return { is: 'sequence', first: [keep], last: use({ is: 'local', local, type: null }), type: null }
  }

  #set(to: Expr, value: () => Node, by: Node | null): Node {
    const path = this.#path(to)
    if (path !== null) {
      const known = this.#resolver.meaningOf(path)
      if (known === undefined || known.is !== 'number' || (to.is === 'name' && this.#meaning(to.name) !== undefined)) {
        return refuse(`${path} is written to`)
      }
      this.#resolver.mention(path, false, known.of)
      this.#resolver.written.add(path)
      return { is: 'setGlobal', path, of: known.of, value: value(), type: null }
    }
    const meaning = to.is === 'name' ? this.#meaning(to.name) : null
    if (meaning === undefined || meaning === null || meaning.is !== 'local' || meaning.isConst) return refuse('a constant is written to')
    const { local } = meaning
    local.isWritten = true
    const given = value()
    if (this.#late.has(local) && !this.#assigned.includes(local)) this.#assigned.push(local)
    return { is: 'set', local, value: given, by, type: null }
  }

  // Calls

  #call(expr: Expr & { is: 'call' }): Node {
    const path = this.#path(expr.callee)
    if (path === null) return refuse('a call of a value')
    const math = /^Math\.(\w+)$/.exec(path)?.[1]
    if (math !== undefined && inline.has(math)) return this.#math(math, expr.args)
    if (path === 'small$') return { is: 'math', name: 'small', args: [this.#value(this.#only(expr.args))], type: null }
    if (path === 'Number') return { is: 'unary', op: '+', of: this.#value(this.#only(expr.args)), type: null }
    if (path === 'Number.isInteger' || path === 'Number.isFinite' || path === 'Number.isNaN')
      return { is: 'math', name: path.slice(7), args: [this.#value(this.#only(expr.args))], type: null }
    const known = this.#surroundings.call(path)
    if (known?.is === 'import') {
      if (expr.args.length !== known.parameters.length) refuse(`${path} with ${expr.args.length} arguments`)
      const args = expr.args.map(arg => this.#value(arg))
      const call = {
        is: 'import',
        path,
        parameters: known.parameters,
        result: known.result,
        args,
        moves: known.moves ?? true,
        fails: known.fails ?? false,
        type: null,
      } as const
      this.#instance.moves ||= call.moves
      this.#resolver.onImport(call)
      return call
    }
    const name = known?.name ?? path
    if (known === undefined && !this.#resolver.hasFunction(name)) return refuse(`${path} is called`, path)
    return this.#callOf(name, known?.self ?? [], expr.args)
  }

  #callOf(name: string, self: readonly string[], given: readonly Expr[]): Node {
    const count = this.#resolver.parametersOf(name)
    const paths: (string | null)[] = []
    const args: Node[] = []
    const extra: Node[] = []
    const take = (path: string | null, value: () => Node): void => {
      if (paths.length >= count) {
        if (path === null) extra.push(value())
      } else {
        paths.push(path)
        if (path === null) args.push(value())
      }
    }
    for (const own of self) {
      const known = this.#resolver.meaningOf(own)
      const isPath = known === undefined || known.is === 'array'
      take(isPath ? own : null, () => this.#number(own))
    }
    for (const arg of given) take(this.#object(arg), () => this.#value(arg))
    while (paths.length < count) paths.push('undefined')
    const of = this.#resolver.instance(name, paths)
    if (!this.#instance.calls.has(of)) of.result?.users.push(this.#instance)
    this.#instance.calls.add(of)
    return { is: 'call', of, args, extra, type: null }
  }

  #math(name: string, args: readonly Expr[]): Node {
    const count = inline.get(name)!
    const isMany = name === 'min' || name === 'max'
    if (isMany ? args.length < 2 : args.length !== count) refuse(`Math.${name} with ${args.length} arguments`)
    const values = args.map(arg => this.#value(arg))
    if (!isMany) return { is: 'math', name, args: values, type: null }
    return values.reduce((left, right) => ({ is: 'math', name, args: [left, right], type: null }))
  }

  #only(args: readonly Expr[]): Expr {
    if (args.length !== 1) refuse(`a call with ${args.length} arguments`)
    return args[0]!
  }
}

function namesOf(body: readonly Statement[]): Map<string, Meaning> {
  const names = new Map<string, Meaning>()
  for (const statement of body)
    if (statement.is === 'declare')
      for (const { name } of statement.all) {
        if (names.has(name)) refuse(`two variables ${name}`)
        names.set(name, null)
      }
  return names
}

function constant(value: number): Node {
  return { is: 'number', value, type: null }
}

export function newLocal(users: Instance[]): Local {
  return {
    reads: 0,
    users,
    type: null,
    growths: 0,
    origin: null,
    isCountedUp: false,
    isCountedDown: false,
    isWritten: false,
    constant: null,
    index: -1,
  }
}

function newLabel(): Label {
  return { isBroken: false, isContinued: false, end: 0, again: 0 }
}
