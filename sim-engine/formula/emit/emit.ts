// Types -> JavaScript. No text of the author reaches the generated code: names are renamed, strings are JSON. This file
// emits statements; expressions.ts expressions, calls.ts calls and loops.ts loops.
import type { Expr, Span, Statement } from '../ast.ts'
import { localsOf } from '../assignments.ts'
import { Emitter } from './expressions.ts'
import { unbranched } from './flags.ts'
import { bindNames, loopOver } from './loops.ts'
import { leaves } from '../walk.ts'
import type { Inferred } from '../infer.ts'
import { jsText } from '../literals.ts'
import { choicesOf, constantChoices } from '../constant-choices.ts'
import { isConstantItem, isOrderFree } from '../order-free.ts'
import type { Local } from '../plan.ts'
import type { EmitTarget } from '../scope.ts'
import { any, none, number } from '../types.ts'
import type { Type } from '../types.ts'
import { accepts } from '../typing.ts'
import { unreachable } from '../../../model-schema/unreachable.ts'

/** A JavaScript expression giving `f.result`. Throws RangeError when `f` has problems: nothing wrong is ever emitted. */
export function emitExpression(f: Inferred, target: EmitTarget): string {
  const { ast } = f.parsed
  if (ast.is !== 'expression' || f.problems.length > 0) throw new RangeError('formula: only an expression without problems can be emitted')
  const e = new Emitter(f, target)
  const js = f.parsed.context === 'condition' ? e.test(ast.value) : e.as(ast.value, f.result)
  for (const temp of e.temps()) target.declare(`let ${temp};`)
  return js
}

/** A JavaScript expression giving the code of `f.result`, which is a text; null where it has none before it is looked up. */
export function emitCode(f: Inferred, target: EmitTarget): string | null {
  const { ast } = f.parsed
  if (ast.is !== 'expression' || f.problems.length > 0 || f.result.is !== 'text') return null
  const e = new Emitter(f, target)
  const js = e.code(ast.value)
  for (const temp of e.temps()) target.declare(`let ${temp};`)
  return js
}

/** JavaScript statements; locals are declared inside, a function block's `return` gives `f.result`. */
export function emitProgram(f: Inferred, target: EmitTarget): string {
  const { ast } = f.parsed
  if (ast.is !== 'program' || f.problems.length > 0) throw new RangeError('formula: only a program without problems can be emitted')
  const e = new Emitter(f, target)
  const statements = new Statements(e, f, target)
  for (const [local, tables] of constantChoices(f, target)) e.tables.set(local, tables)
  codeLocals(e)
  const body = statements.block(ast.body)
  const locals = [...f.locals.values()]
    // Debuggers show no value that has not been given.
    .map(
      local =>
        `let ${e.localName(local)} = ${local.unsure || target.line ? 'undefined' : e.tables.has(local) || e.codedLocals.has(local) ? '0' : blank(local.type)};\n`,
    )
    .join('')
  const temps = e
    .temps()
    .map(temp => `let ${temp};\n`)
    .join('')
  const { context } = f.parsed
  const end =
    context === 'function' && accepts(f.result, none) !== 'no'
      ? `return ${e.coerce('null', none, f.result, ast.body.at(-1) ?? { from: 0, to: 0 })};\n`
      : ''
  if (context === 'function' && f.functions.length > 0)
    return `F.enter(0, ${f.parsed.text.length});\ntry {\n${locals}${temps}${body}${end}} finally {\nF.leave();\n}\n`
  return locals + temps + body + end
}

/** Finds the locals that are given nothing but texts with codes. */
function codeLocals(e: Emitter): void {
  if (e.target.word === undefined) return
  const given = [...localsOf(e.f)].filter(([local, values]) => local.type.is === 'text' && !values.includes(null))
  const found = new Set(given.map(([local]) => local))
  e.codedLocals = found
  let isSettled = false
  while (!isSettled) {
    isSettled = true
    for (const [local, values] of given)
      if (found.has(local) && !values.every(value => value && e.hasCode(value))) {
        found.delete(local)
        isSettled = false
      }
  }
}

/** A value of the right representation for a variable before its first assignment. */
function blank(type: Type): string {
  if (type.is === 'number') return '0'
  if (type.is === 'bool') return 'false'
  if (type.is === 'text') return '""'
  return type.is === 'entity' && type.of !== null ? '-1' : 'null'
}

type Loop = { label: string; skip: string; breaks: boolean; skips: boolean }

class Statements {
  readonly #e: Emitter
  readonly #f: Inferred
  readonly #target: EmitTarget
  readonly #loops: Loop[] = []

  constructor(e: Emitter, f: Inferred, target: EmitTarget) {
    this.#e = e
    this.#f = f
    this.#target = target
  }

  block(body: readonly Statement[]): string {
    return body.map(statement => this.#hook(statement) + this.#statement(statement)).join('')
  }

  #hook(statement: Statement): string {
    if (!this.#target.line) return ''
    const e = this.#e
    const jsOf = (local: Local): string => (e.codedLocals.has(local) ? `words[${e.localName(local)}]` : e.localName(local))
    const locals = [...this.#f.locals.values()].map(local => ({ name: local.name, js: jsOf(local), type: local.type }))
    return `${this.#target.line(statement.from, locals)}\n`
  }

  #statement(node: Statement): string {
    const e = this.#e
    switch (node.is) {
      case 'assign':
        return this.#assignment(node.targets, node.value)
      case 'augment':
        return this.#augment(node)
      case 'do':
        return `${e.discarded(node.value)};\n`
      case 'if': {
        const branches = node.branches.map(branch => `if (${e.test(branch.test)}) {\n${this.block(branch.body)}}`).join(' else ')
        return node.otherwise.length > 0 ? `${branches} else {\n${this.block(node.otherwise)}}\n` : `${branches}\n`
      }
      case 'for': {
        const { loop, body } = this.#body(node.body)
        const isFree = isOrderFree(this.#f, node)
        const made = loopOver(e, {
          source: node.source,
          label: loop.label,
          ordered: !isFree,
          exits: leaves(node.body),
          changes: true,
          copies: this.#f.mayCreate,
          // The item is not read behind the loop then: a constant serves.
          bind: (item, type) =>
            isFree || isConstantItem(this.#f, node)
              ? bindNames(e, node.target, item, type, node.source)
              : this.#store(node.target, item, type, node.source),
          // The item is bound before the part that `continue` leaves.
          body: () => body,
        })
        return this.#withElse(loop, made, node.otherwise)
      }
      case 'while': {
        const { loop, body } = this.#body(node.body)
        const made = `${loop.label}: while (${e.test(node.test)}) {\n${e.meter(node.test)}${body}}\n`
        return this.#withElse(loop, made, node.otherwise)
      }
      case 'break': {
        const loop = this.#loops.at(-1)!
        loop.breaks = true
        return `break ${loop.label};\n`
      }
      case 'continue': {
        const loop = this.#loops.at(-1)!
        loop.skips = true
        return `break ${loop.skip};\n`
      }
      case 'return':
        return `return ${node.value ? e.as(node.value, this.#f.result) : e.coerce('null', none, this.#f.result, node)};\n`
      case 'delete':
        return node.targets
          .map(target => (target.is === 'index' ? `F.deleteItem(${e.boxed(target.of)}, ${e.boxed(target.index)}, ${e.at(target)});\n` : ''))
          .join('')
      case 'assert':
        return `if (!${e.test(node.test)}) F.asserted(${node.tip ? `F.show(${e.boxed(node.tip)})` : '""'}, ${e.at(node)});\n`
      case 'pass':
        return ''
      default:
        return unreachable(node)
    }
  }

  #body(statements: readonly Statement[]): { loop: Loop; body: string } {
    const loop: Loop = { label: this.#target.fresh('loop'), skip: this.#target.fresh('next'), breaks: false, skips: false }
    this.#loops.push(loop)
    const inner = this.block(statements)
    this.#loops.pop()
    return { loop, body: loop.skips ? `${loop.skip}: {\n${inner}}\n` : inner }
  }

  /** A loop's `else` runs when no `break` left it. */
  #withElse(loop: Loop, made: string, otherwise: readonly Statement[]): string {
    if (otherwise.length === 0) return made
    const done = this.#target.fresh('done')
    const body = made.replaceAll(`break ${loop.label};`, `break ${done};`)
    return `${done}: {\n${body}${this.block(otherwise)}}\n`
  }

  #assignment(targets: readonly Expr[], value: Expr): string {
    const e = this.#e
    const [only] = targets
    if (targets.length === 1 && only) {
      if ((only.is === 'tuple' || only.is === 'list') && value.is === 'tuple' && value.items.length === only.items.length) {
        // All values are calculated before the first is stored: `a, b = b, a`.
        const parts = value.items.map(item => ({ name: this.#target.fresh('v'), type: e.typeOf(item), item }))
        const values = parts.map(part => `const ${part.name} = ${e.natural(part.item)};\n`).join('')
        return `{\n${values}${only.items.map((item, i) => this.#store(item, parts[i]!.name, e.keptType(parts[i]!.item), value)).join('')}}\n`
      }
      const meaning = only.is === 'name' ? e.meaning(only) : null
      if (meaning?.is === 'local' && e.tables.has(meaning.local) && value.is === 'call')
        return `${e.localName(meaning.local)} = F.pick(${this.#target.stream}, ${choicesOf(value)!.length});\n`
      const coded = this.#storedCode(only, value)
      if (coded !== null) return coded
      if (only.is === 'member' && (value.is === 'number' || value.is === 'constant'))
        return this.#store(only, e.natural(value), e.keptType(value), value, value)
      if (only.is === 'name') return this.#store(only, unbranched(e, value) ?? e.natural(value), e.keptType(value), value, value)
    }
    const name = this.#target.fresh('v')
    return `{\nconst ${name} = ${e.natural(value)};\n${targets.map(target => this.#store(target, name, e.keptType(value), value)).join('')}}\n`
  }

  /** Stores the code of a text where the target holds one; null where it holds none, or the text has no code. */
  #storedCode(target: Expr, value: Expr): string | null {
    const e = this.#e
    if ((target.is !== 'name' && target.is !== 'member') || !e.hasCode(target) || !e.hasCode(value)) return null
    const js = e.code(value)!
    if (target.is === 'member')
      return `${this.#f.plan.members.get(target)?.write?.(e.owner(target.of), js, e.at(target), true, this.#target.self) ?? ''}\n`
    const meaning = e.meaning(target)
    if (meaning.is === 'local') return `${e.localName(meaning.local)} = ${js};\n`
    return `${(meaning.is === 'symbol' && meaning.symbol.write?.(this.#target.self, js, undefined, true)) || ''}\n`
  }

  /** Stores `js`, of type `type`, in a target. `source` is given when js is that expression itself, evaluated here. */
  #store(target: Expr, js: string, type: Type, at: Span, source?: Expr): string {
    const e = this.#e
    switch (target.is) {
      case 'name': {
        const meaning = e.meaning(target)
        if (meaning.is === 'local') {
          const value = e.coerce(js, type, meaning.local.type, at)
          return `${e.localName(meaning.local)} = ${e.codedLocals.has(meaning.local) ? `codeOf(${value})` : value};\n`
        }
        if (meaning.is === 'constant') return ''
        const value = e.storable(e.coerce(js, type, meaning.symbol.type, at), meaning.symbol.type, source ?? null, at)
        return `${meaning.symbol.write?.(this.#target.self, value) ?? ''}\n`
      }
      case 'member': {
        const symbol = this.#f.plan.members.get(target)
        const of = e.typeOf(target.of)
        const isMixed = of.is === 'entity' && of.of === null
        if (symbol?.write && isMixed) {
          const value = e.storable(e.box(js, type), any, source ?? null, at)
          return `${symbol.write(e.boxed(target.of), value, e.at(target), false, this.#target.self)}\n`
        }
        if (symbol?.write) {
          const value = e.storable(e.coerce(js, type, symbol.type, at), symbol.type, source ?? null, at)
          return `${symbol.write(e.owner(target.of), value, e.at(target), false, this.#target.self)}\n`
        }
        return `W.set(${e.boxed(target.of)}, ${jsText(target.name)}, ${e.storable(e.box(js, type), any, source ?? null, at)}, ${e.at(target)});\n`
      }
      case 'index': {
        const of = e.typeOf(target.of)
        const boxedValue = e.storable(e.box(js, type), type, source ?? null, at)
        if (of.is === 'list' && e.typeOf(target.index).is === 'number') {
          const list = this.#target.fresh('v')
          return `{\nconst ${list} = ${e.natural(target.of)};\n${list}[F.position(${e.as(target.index, number)}, ${list}.length, ${e.at(target)})] = ${boxedValue};\n}\n`
        }
        if (of.is === 'dict') return `${e.natural(target.of)}.set(${e.boxed(target.index)}, ${boxedValue}, ${e.at(target)});\n`
        return `F.setItem(${e.boxed(target.of)}, ${e.boxed(target.index)}, ${boxedValue}, ${e.at(target)});\n`
      }
      case 'tuple':
      case 'list': {
        const name = this.#target.fresh('v')
        const parts = type.is === 'tuple' ? type.of : target.items.map(() => e.elementType(type))
        const items = target.items
          .map((item, i) => this.#store(item, e.unbox(`${name}[${i}]`, parts[i] ?? any), parts[i] ?? any, at))
          .join('')
        return `{\nconst ${name} = F.unpack(${e.box(js, type)}, ${target.items.length}, ${e.at(at)});\n${items}}\n`
      }
      default:
        return ''
    }
  }

  #augment(node: Statement & { is: 'augment' }): string {
    const e = this.#e
    const { target, op, value } = node
    const type = e.typeOf(target)
    if (op === '+' && type.is === 'list') return `F.list_extend(${e.natural(target)}, ${e.items(value)}, ${e.at(node)});\n`
    if (target.is === 'name') {
      const result = e.arithmetic(op, target, value, node)
      return this.#store(target, result.js, result.type, node)
    }
    // The owner and the key are evaluated once.
    const lines: string[] = []
    const hold = (expr: Expr): Expr => {
      const name = this.#target.fresh('v')
      lines.push(`const ${name} = ${e.natural(expr)};\n`)
      return e.held(expr, name)
    }
    const held: Expr =
      target.is === 'member'
        ? { ...target, of: hold(target.of) }
        : target.is === 'index'
          ? { ...target, of: hold(target.of), index: hold(target.index) }
          : target
    if (target.is === 'member' && held.is === 'member') {
      const symbol = this.#f.plan.members.get(target)
      if (symbol) this.#f.plan.members.set(held, symbol)
    }
    this.#f.plan.types.set(held, type)
    const result = e.arithmetic(op, held, value, node)
    return `{\n${lines.join('')}${this.#store(held, result.js, result.type, node)}}\n`
  }
}
