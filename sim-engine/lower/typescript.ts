// Lowers modules of the runtime to the intermediate representation. They are TypeScript in a subset: functions of `i32` and `f64`
// (both are `number` to the type checker), `const` and `let`, `if`, `while`, `for (;;)`, `break`, `continue`, `return`, assignment with
// `=`, the views `F64`, `I32` and `U8` indexed by a byte address shifted right, and calls of each other and of a few of `Math`'s.
// Runs while the engine is developed, not with it: runtime/generate.ts writes what it gives.
import { parseAst } from 'rolldown/parseAst'
import * as ir from '../ir.ts'
import type { BinaryOp, Expr, Fn, Mem, Stmt, Type } from '../ir.ts'

/** A node of the ESTree the parser gives. */
type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [key: string]: unknown }

const viewsOf: Readonly<Record<string, readonly [Mem, number]>> = { F64: ['f64', 3], I32: ['i32', 2], U8: ['u8', 0] }
const operators: Readonly<Record<string, BinaryOp>> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'div',
  '%': 'rem',
  '&': 'and',
  '|': 'or',
  '^': 'xor',
  '<<': 'shl',
  '>>': 'shr',
  '>>>': 'shru',
  '===': 'eq',
  '!==': 'ne',
  '<': 'lt',
  '<=': 'le',
  '>': 'gt',
  '>=': 'ge',
  '&&': 'land',
  '||': 'lor',
}
const unaryFunctions: ReadonlySet<string> = new Set(['high', 'low', 'pow2', 'toI', 'toF', 'toFu'])

type Signature = { readonly params: readonly (readonly [string, Type])[]; readonly result: Type }

const child = (node: Node, key: string): Node => node[key] as Node
const childOf = (node: Node, key: string): Node | null => (node[key] ?? null) as Node | null
const list = (node: Node, key: string): readonly Node[] => node[key] as readonly Node[]
const nameOf = (node: Node): string => String(node['name'])

function typeOf(annotation: Node | null): Type {
  const type = annotation && child(annotation, 'typeAnnotation')
  if (type?.type === 'TSVoidKeyword') return 'void'
  const name = type?.type === 'TSTypeReference' ? nameOf(child(type, 'typeName')) : ''
  if (name === 'i32' || name === 'f64') return name
  throw new TypeError(`runtime: a type is missing, or neither i32 nor f64`)
}

/**
 * The exported functions of a module, by name. `hosts` are imported functions it may call. Throws SyntaxError, naming the function
 * and the text, for what is outside the subset.
 */
export function lowerModule(source: string, hosts: ReadonlyMap<string, Signature>): Map<string, Fn> {
  const { body } = parseAst(source, { lang: 'ts' }) as unknown as { body: readonly Node[] }
  const constants = new Map<string, number>()
  const functions: Node[] = []
  const signatures = new Map(hosts)
  for (const outer of body) {
    const node = outer.type === 'ExportNamedDeclaration' ? childOf(outer, 'declaration') : outer
    if (node?.type === 'VariableDeclaration' && node['kind'] === 'const') {
      for (const one of list(node, 'declarations')) {
        const [name, value] = [nameOf(child(one, 'id')), constantOf(childOf(one, 'init'), constants)]
        if (value !== null && constants.has(name)) throw new TypeError(`runtime: two constants ${name}`)
        if (value !== null) constants.set(name, value)
      }
    }
    if (node !== outer && node?.type === 'FunctionDeclaration' && !nameOf(child(node, 'id')).startsWith('bind')) {
      functions.push(node)
      const params = list(node, 'params').map(param => [nameOf(param), typeOf(childOf(param, 'typeAnnotation'))] as const)
      signatures.set(nameOf(child(node, 'id')), { params, result: typeOf(childOf(node, 'returnType')) })
    }
  }
  return new Map(functions.map(node => [nameOf(child(node, 'id')), new FunctionLowering(node, source, constants, signatures).fn()]))
}

/** A number, a sum or product of numbers, or null. */
function constantOf(node: Node | null, constants: ReadonlyMap<string, number>): number | null {
  if (node?.type === 'Literal' && typeof node['value'] === 'number') return node['value']
  if (node?.type === 'Identifier') return constants.get(nameOf(node)) ?? null
  if (node?.type === 'BinaryExpression') {
    const [a, b] = [constantOf(child(node, 'left'), constants), constantOf(child(node, 'right'), constants)]
    if (a === null || b === null) return null
    if (node['operator'] === '+') return a + b
    if (node['operator'] === '*') return a * b
  }
  return null
}

class FunctionLowering {
  readonly #node: Node
  readonly #source: string
  readonly #constants: ReadonlyMap<string, number>
  readonly #signatures: ReadonlyMap<string, Signature>
  readonly #scopes: Map<string, readonly [string, Type]>[] = [new Map()]
  readonly #locals = new Map<string, Type>()
  readonly #loops: string[] = []
  #labels = 0

  constructor(node: Node, source: string, constants: ReadonlyMap<string, number>, signatures: ReadonlyMap<string, Signature>) {
    this.#node = node
    this.#source = source
    this.#constants = constants
    this.#signatures = signatures
  }

  fn(): Fn {
    const name = nameOf(child(this.#node, 'id'))
    const { params, result } = this.#signatures.get(name)!
    for (const [param, type] of params) this.#scopes[0]!.set(param, [param, type])
    const body = this.#block(list(child(this.#node, 'body'), 'body'), result)
    return { name, params, result, locals: this.#locals, body, isExported: false }
  }

  #wrong(node: Node, what: string): never {
    throw new SyntaxError(`runtime: ${nameOf(child(this.#node, 'id'))}: ${what}: ${this.#source.slice(node.start, node.end)}`)
  }

  #block(nodes: readonly Node[], result: Type): Stmt[] {
    this.#scopes.push(new Map())
    const body = nodes.flatMap(node => this.#stmt(node, result))
    this.#scopes.pop()
    return body
  }

  #body(node: Node | null, result: Type): Stmt[] {
    if (node === null) return []
    return this.#block(node.type === 'BlockStatement' ? list(node, 'body') : [node], result)
  }

  #stmt(node: Node, result: Type): readonly Stmt[] {
    switch (node.type) {
      case 'VariableDeclaration':
        return list(node, 'declarations').map(one => this.#declaration(one))
      case 'ExpressionStatement':
        return [this.#assignment(child(node, 'expression'))]
      case 'IfStatement':
        return [
          ir.when(
            this.#expr(child(node, 'test')),
            this.#body(child(node, 'consequent'), result),
            this.#body(childOf(node, 'alternate'), result),
          ),
        ]
      case 'WhileStatement':
      case 'ForStatement':
        return [this.#loop(node, result)]
      case 'BreakStatement':
        return [{ kind: 'break', label: this.#loops.at(-1)! }]
      case 'ContinueStatement':
        return [{ kind: 'continue', label: this.#loops.at(-1)! }]
      case 'ReturnStatement': {
        const value = childOf(node, 'argument')
        return [{ kind: 'return', value: value && this.#as(this.#expr(value), result, value) }]
      }
      case 'BlockStatement':
        return this.#block(list(node, 'body'), result)
      default:
        return this.#wrong(node, node.type)
    }
  }

  #declaration(node: Node): Stmt {
    const id = child(node, 'id')
    const init = childOf(node, 'init') ?? this.#wrong(node, 'no first value')
    const annotation = childOf(id, 'typeAnnotation')
    const value = annotation ? this.#as(this.#expr(init), typeOf(annotation), init) : this.#expr(init)
    let unique = nameOf(id)
    while (this.#locals.has(unique) || this.#scopes[0]!.has(unique)) unique += '_'
    this.#locals.set(unique, value.type)
    this.#scopes.at(-1)!.set(nameOf(id), [unique, value.type])
    return ir.set(unique, value)
  }

  #assignment(node: Node): Stmt {
    if (node.type !== 'AssignmentExpression') return ir.run(this.#expr(node))
    if (node['operator'] !== '=') this.#wrong(node, 'only = assigns')
    const left = child(node, 'left')
    const right = child(node, 'right')
    if (left.type === 'Identifier') {
      const [name, type] = this.#find(left)
      return ir.set(name, this.#as(this.#expr(right), type, right))
    }
    const [mem, address] = this.#place(left)
    return ir.store(mem, address, 0, this.#as(this.#expr(right), ir.typeIn[mem], right))
  }

  #loop(node: Node, result: Type): Stmt {
    if (node.type === 'ForStatement' && (node['init'] || node['test'] || node['update'])) this.#wrong(node, 'only for (;;)')
    const label = `loop${this.#labels++}`
    this.#loops.push(label)
    const body = this.#body(child(node, 'body'), result)
    this.#loops.pop()
    const test = childOf(node, 'test')
    return { kind: 'loop', label, body: test ? [ir.when(ir.not(this.#expr(test)), [{ kind: 'break', label }]), ...body] : body }
  }

  #find(node: Node): readonly [string, Type] {
    for (let k = this.#scopes.length - 1; k >= 0; k--) {
      const found = this.#scopes[k]!.get(nameOf(node))
      if (found) return found
    }
    return this.#wrong(node, 'unknown name')
  }

  #as(e: Expr, type: Type, node: Node): Expr {
    if (e.type === type) return e
    if (type === 'f64' && e.type === 'i32') return e.kind === 'const' ? ir.f64(e.value) : ir.unary('toF', e)
    return this.#wrong(node, `${e.type} is not ${type}`)
  }

  /** An element of a view: its kind in memory and its address in bytes. */
  #place(node: Node): [Mem, Expr] {
    if (node.type === 'TSNonNullExpression') return this.#place(child(node, 'expression'))
    const view = node.type === 'MemberExpression' ? viewsOf[nameOf(child(node, 'object'))] : undefined
    if (!view || node['computed'] !== true) return this.#wrong(node, 'no place')
    const [mem, shift] = view
    const index = child(node, 'property')
    if (shift === 0) return [mem, this.#expr(index)]
    const by = index.type === 'BinaryExpression' && index['operator'] === '>>' ? child(index, 'right') : null
    if (by?.['value'] !== shift) return this.#wrong(node, `an index ends in >> ${shift}`)
    return [mem, this.#expr(child(index, 'left'))]
  }

  #expr(node: Node): Expr {
    switch (node.type) {
      case 'TSNonNullExpression':
        return this.#expr(child(node, 'expression'))
      case 'Literal': {
        const { value } = node
        if (typeof value !== 'number') return this.#wrong(node, 'not a number')
        const isWhole =
          Number.isInteger(value) &&
          Math.abs(value) <= 0xffffffff &&
          !/[.e]/i.test(this.#source.slice(node.start, node.end).replace(/^0x.*/, ''))
        return isWhole ? ir.i32(value) : ir.f64(value)
      }
      case 'Identifier':
        return this.#name(node)
      case 'MemberExpression': {
        const [mem, address] = this.#place(node)
        return ir.load(mem, address)
      }
      case 'UnaryExpression': {
        const of = this.#expr(child(node, 'argument'))
        if (node['operator'] === '!') return ir.not(of)
        if (node['operator'] !== '-') return this.#wrong(node, 'operator')
        if (of.kind === 'const') return of.type === 'f64' ? ir.f64(-of.value) : ir.i32(-of.value)
        return of.type === 'f64' ? ir.unary('neg', of) : ir.binary('sub', ir.i32(0), of)
      }
      case 'ConditionalExpression': {
        const [a, b] = [this.#expr(child(node, 'consequent')), this.#expr(child(node, 'alternate'))]
        const type = a.type === 'f64' || b.type === 'f64' ? 'f64' : 'i32'
        return ir.cond(this.#expr(child(node, 'test')), this.#as(a, type, node), this.#as(b, type, node))
      }
      case 'BinaryExpression':
      case 'LogicalExpression':
        return this.#binary(node)
      case 'CallExpression':
        return this.#call(node)
      default:
        return this.#wrong(node, node.type)
    }
  }

  #name(node: Node): Expr {
    const name = nameOf(node)
    for (const scope of this.#scopes) if (scope.has(name)) return ir.get(...this.#find(node))
    const constant = this.#constants.get(name)
    if (constant === undefined) return this.#wrong(node, 'unknown name')
    return Number.isInteger(constant) && Math.abs(constant) <= 0xffffffff ? ir.i32(constant) : ir.f64(constant)
  }

  #binary(node: Node): Expr {
    const [a, b] = [this.#expr(child(node, 'left')), this.#expr(child(node, 'right'))]
    const operator = String(node['operator'])
    // `x | 0` where x is a quotient of whole numbers.
    if (operator === '/' && a.type === 'i32' && b.type === 'i32') return this.#wrong(node, 'a quotient of whole numbers')
    const type = a.type === 'f64' || b.type === 'f64' ? 'f64' : 'i32'
    const op = operators[operator]
    if (!op) return this.#wrong(node, 'operator')
    return ir.binary(op, this.#as(a, type, node), this.#as(b, type, node))
  }

  #call(node: Node): Expr {
    const callee = child(node, 'callee')
    const args = list(node, 'arguments')
    if (callee.type === 'MemberExpression') {
      const name = nameOf(child(callee, 'property'))
      const given = args.map(arg => this.#expr(arg))
      if (name === 'imul') return ir.binary('mul', given[0]!, given[1]!)
      if (name === 'sqrt' || name === 'floor' || name === 'abs' || name === 'ceil') return ir.unary(name, this.#as(given[0]!, 'f64', node))
      if (name === 'min' || name === 'max') return ir.binary(name, this.#as(given[0]!, 'f64', node), this.#as(given[1]!, 'f64', node))
      return this.#wrong(node, 'function of Math')
    }
    const name = nameOf(callee)
    if (unaryFunctions.has(name)) return ir.unary(name as ir.UnaryOp, this.#expr(args[0]!))
    const signature = this.#signatures.get(name)
    if (!signature || signature.params.length !== args.length) return this.#wrong(node, 'unknown function, or number of arguments')
    return ir.call(name, signature.result, ...args.map((arg, k) => this.#as(this.#expr(arg), signature.params[k]![1], arg)))
  }
}
