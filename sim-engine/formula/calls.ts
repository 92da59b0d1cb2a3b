// Typing of calls: library functions by their signatures, methods, function blocks. Part of the checker (infer.ts).
import type { CallNode, Expr, LambdaNode, NameNode, Span } from './ast.ts'
import { typeWords } from './type-words.ts'
import type { Inference } from './infer.ts'
import { rowOf } from './library/library.ts'
import { exactRows } from './library/numbers.ts'
import type { Receiver } from './library/methods.ts'
import { methodOf, methodsOf } from './library/methods.ts'
import type { Row } from './library/row.ts'
import type { TypeShape, Signature } from './library/signature.ts'
import { shapeName } from './library/signature.ts'
import { libraryCall } from './libraries.ts'
import { mistake } from './mistakes.ts'
import type { CallPlan, Setting } from './plan.ts'
import type { Symbol } from './scope.ts'
import {
  any,
  bool,
  dictOf,
  entitiesOf,
  entityOf,
  join,
  listOf,
  never,
  none,
  number,
  range,
  setOf,
  stored,
  tupleOf,
  typeName,
} from './types.ts'
import type { Type } from './types.ts'
import { accepts, elementOf, isNumeric, isOpen } from './typing.ts'
import { say } from '../../model-schema/words.ts'
import { unreachable } from '../../model-schema/unreachable.ts'

/** The types of the variables of a signature in one call. */
type Bindings = { types: Map<string, Type>; populations: Map<string, string | null> }

export function inferCall(i: Inference, node: CallNode): Type {
  const { callee } = node
  if (callee.is === 'name') {
    const symbol = i.localOf(callee.name) ? undefined : i.scope.find(callee.name)
    if (symbol?.type.is === 'function') return functionCall(i, node, symbol, null, symbol.type)
    // `count` is how many there are of the own population, `count(...)` the function.
    if ((!symbol || symbol.kind === 'builtin') && !i.localOf(callee.name)) {
      const first = exactArgument(i, node, callee.name)
      const row = first?.row ?? rowOf(callee.name)
      if (row) return rowCall(i, node, row, first)
    }
    if (!symbol && !i.localOf(callee.name)) {
      for (const argument of arguments_(node)) if (argument.is !== 'lambda') i.expr(argument)
      i.notFound(callee, callee.name, i.names())
      return any
    }
  } else if (callee.is === 'member') {
    const instead = libraryCall(callee.of, callee.name, name => Boolean(i.localOf(name) ?? i.scope.find(name)))
    if (instead) {
      for (const argument of arguments_(node)) if (argument.is !== 'lambda') i.expr(argument)
      i.problems.push(mistake('name-not-found', callee.of, instead))
      return any
    }
    const of = i.expr(callee.of)
    const symbol = i.scope.member(of, callee.name)
    if (symbol?.type.is === 'function') {
      i.plan.members.set(callee, symbol)
      return functionCall(i, node, symbol, callee.of, symbol.type)
    }
    if (!symbol) return methodCall(i, node, callee.of, of, callee.name, { from: callee.nameFrom, to: callee.to })
  }
  const type = i.expr(callee)
  for (const argument of arguments_(node)) if (argument.is !== 'lambda') i.expr(argument)
  if (callee.is === 'name' && rowOf(callee.name))
    i.problem(
      'type-mismatch',
      callee,
      say('"{name}" stands for something else here, which hides the function {name}(): give that another name', { name: callee.name }),
    )
  else if (callee.is !== 'missing' && !isOpen(type))
    i.problem('type-mismatch', callee, say('{type} can not be called', { type: typeWords(typeName(type)) }))
  else if (callee.is === 'name') i.problem('type-mismatch', callee, say('"{name}" is no function', { name: callee.name }))
  return any
}

/** An argument that is typed already: typing it once more would double the work at each level of nested calls. */
type Typed = { readonly of: Expr; readonly type: Type }

/** The first argument of a function that has a form for Integers, and that form where it is given some. */
function exactArgument(i: Inference, node: CallNode, name: string): (Typed & { readonly row: Row | undefined }) | undefined {
  const row = exactRows.get(name)
  const [of] = node.args
  if (!row || !of || of.is === 'lambda') return undefined
  const type = i.expr(of)
  const one = name === 'sum' ? elementOf(type) : type
  return { of, type, row: one?.is === 'integer' ? row : undefined }
}

const arguments_ = (node: CallNode): Expr[] => [...node.args, ...node.named.map(argument => argument.value)]

function functionCall(i: Inference, node: CallNode, symbol: Symbol, owner: Expr | null, type: Type & { is: 'function' }): Type {
  const at = node.callee.is === 'member' ? { from: node.callee.nameFrom, to: node.callee.to } : node.callee
  i.use(symbol, at, false)
  const { effects } = symbol
  if (effects?.draws) i.draws = true
  if (effects?.creates) i.mayCreate = true
  if (effects?.writes) {
    i.effective = true
    if (i.readOnly) i.problem('read-only', at, say('"{name}" changes something, which is not possible here', { name: symbol.name }))
  }
  const args = matched(
    i,
    node,
    symbol.name,
    type.params.map(param => ({ name: param.name, optional: param.optional === true })),
    false,
  )
  const open: boolean[] = []
  const types = args.args.map((argument, k) => {
    if (!argument) return null
    const before = i.untyped
    const got = i.expr(argument)
    open[k] = i.untyped > before
    i.fits(type.params[k]?.type ?? any, got, argument)
    return stored(got)
  })
  i.plan.calls.set(node, { is: 'function', symbol, owner, args: args.args })
  i.functions.push({ symbol, args: types, open, from: node.from, to: node.to })
  if (type.result.is === 'never') i.untyped++
  return type.result
}

type Slot = { name: string; optional: boolean; rest?: boolean }

/** Puts arguments to parameters; problems for those that don't fit. Named ones no parameter has are `extra`. */
function matched(
  i: Inference,
  node: CallNode,
  name: string,
  params: readonly Slot[],
  open: boolean,
): { args: (Expr | null)[]; rest: Expr[]; extra: { name: string; value: Expr; at: Span }[] } {
  const args: (Expr | null)[] = params.map(() => null)
  const rest: Expr[] = []
  const extra: { name: string; value: Expr; at: Span }[] = []
  const restAt = params.findIndex(param => param.rest)
  for (const [k, argument] of node.args.entries()) {
    if (restAt >= 0 && k >= restAt) rest.push(argument)
    else if (k < params.length) args[k] = argument
    else {
      i.problem(
        'wrong-arguments',
        argument,
        say('{name} takes {count, plural, =0 {no arguments} one {one argument} other {at most # arguments}}', {
          name,
          count: params.length,
        }),
      )
      if (argument.is !== 'lambda') i.expr(argument)
    }
  }
  for (const argument of node.named) {
    const k = params.findIndex(param => param.name === argument.name && !param.rest)
    if (k < 0) {
      if (open) extra.push({ name: argument.name, value: argument.value, at: argument })
      else {
        const names = params.map(param => param.name).join(', ')
        i.problem(
          'wrong-arguments',
          argument,
          say('{name} has no parameter "{parameter}"; it has {names}', { name, parameter: argument.name, names: names || say('none') }),
        )
        if (argument.value.is !== 'lambda') i.expr(argument.value)
      }
    } else if (args[k]) i.problem('wrong-arguments', argument, say('argument "{name}" is given twice', { name: argument.name }))
    else args[k] = argument.value
  }
  const lacking = params.find((param, k) => !param.optional && !param.rest && !args[k])
  if (lacking)
    i.problem(
      'wrong-arguments',
      { from: node.callee.from, to: node.to },
      say('{name} needs an argument "{name2}"', { name, name2: lacking.name }),
    )
  return { args, rest, extra }
}

function rowCall(i: Inference, node: CallNode, row: Row, typed?: Typed): Type {
  const { signature } = row
  const { name } = signature
  i.calls.add(name)
  if (row.draws) i.draws = true
  if (row.creates) i.mayCreate = true
  if (row.writes) {
    i.effective = true
    if (i.readOnly && name !== 'print')
      i.problem('read-only', node.callee, say('"{name}" changes something, which is not possible here', { name }))
  }
  const bindings: Bindings = { types: new Map(), populations: new Map() }
  const { args, rest, extra } = matched(i, node, name, slots(signature), name === 'create')
  let call = { args, rest }
  if (name === 'filter' && args[1]?.is === 'lambda' && args[0]?.is !== 'lambda') call = { args: [args[1], args[0] ?? null], rest }
  if (name === 'range' && args[0] && !args[1]) call = { args: [null, args[0], args[2] ?? null], rest }
  if ((name === 'min' || name === 'max') && rest.length > 0) return leastOf(i, node, row, call, bindings)
  typeArguments(i, signature, call, bindings, typed)
  const settings: Setting[] = []
  const population = bindings.populations.get('P') ?? null
  for (const { name: key, value, at } of extra) {
    const symbol = i.scope.member(entityOf(population, true), key)
    const got = i.expr(value)
    if (!symbol)
      i.notFound(
        at,
        key,
        [...i.scope.members(entityOf(population, true))].map(found => found.name),
        'entity',
      )
    else {
      i.write(symbol, got, { from: at.from, to: at.from + key.length }, value, entityOf(population, true), true)
      settings.push({ symbol, value })
    }
  }
  if (name === 'shuffle' && args[0]) i.grow(args[0], i.plan.types.get(args[0]) ?? any)
  const plan: CallPlan = { is: 'row', row, args: call.args, rest, populations: bindings.populations, extra: settings }
  i.plan.calls.set(node, plan)
  return specialResult(i, name, call, bindings) ?? resultOf(i, signature.result, bindings)
}

const slots = (signature: Signature): Slot[] =>
  signature.params.map(param => ({ name: param.name, optional: param.initial !== undefined, rest: param.rest }))

function leastOf(i: Inference, node: CallNode, row: Row, call: { args: (Expr | null)[]; rest: Expr[] }, bindings: Bindings): Type {
  const values = [call.args[0], ...call.rest].filter(argument => argument !== null && argument !== undefined)
  let type: Type = never
  for (const value of values) type = join(type, stored(i.expr(value)))
  const key = call.args[2]
  if (key) typeFunction(i, key, type)
  i.plan.calls.set(node, { is: 'row', row, args: call.args, rest: call.rest, populations: bindings.populations, extra: [] })
  return isNumeric(type) ? number : type
}

/** Types the arguments, binds the signature's variables and checks the fit; functions last, when T is known. */
function typeArguments(
  i: Inference,
  signature: Signature,
  call: { args: readonly (Expr | null)[]; rest: readonly Expr[] },
  bindings: Bindings,
  typed?: Typed,
): void {
  const later: (() => void)[] = []
  for (const [k, param] of signature.params.entries()) {
    const given = param.rest ? call.rest : call.args[k] ? [call.args[k]] : []
    for (const argument of given) {
      if (!argument) continue
      const { shape } = param
      if (shape.is === 'function') {
        later.push(() => {
          bindings.types.set('R', typeFunction(i, argument, resolve(i, shape.of, bindings)))
        })
        continue
      }
      const type = argument === typed?.of ? typed.type : i.expr(argument)
      if (param.initial === 'None' && type.is === 'none') continue
      if (shape.is === 'entity') bindings.populations.set(param.name, type.is === 'entity' ? type.of : null)
      if (!unify(shape, type, bindings)) {
        const want = shapeName(shape)
        i.problem(
          'type-mismatch',
          argument,
          say('{name}: "{name2}" expects {want}, got {type}', {
            name: signature.name,
            name2: param.name,
            want: typeWords(want),
            type: typeWords(typeName(type)),
          }),
        )
      }
    }
    if (given.length === 0 && param.shape.is === 'population' && param.initial === 'own') {
      const self = i.scope.find('self')?.type
      bindings.populations.set(param.shape.name, self?.is === 'entity' ? self.of : null)
    }
    if (given.length === 0 && param.shape.is === 'population' && param.initial === 'None' && i.scope.onlyAgents !== undefined) {
      bindings.populations.set(param.shape.name, i.scope.onlyAgents)
    }
    if (given.length === 0 && param.initial === 'self' && i.scope.find('self')?.type.is !== 'entity') {
      i.problem(
        'wrong-arguments',
        { from: 0, to: i.parsed.text.length },
        say('{name} needs an argument "{name2}" here: there is no self', { name: signature.name, name2: param.name }),
      )
    }
  }
  for (const type of later) type()
}

/** The type a function argument gives for `argument`. */
function typeFunction(i: Inference, node: Expr, argument: Type): Type {
  if (node.is === 'lambda') return i.lambda(node, argument)
  if (node.is === 'name') {
    const symbol = i.scope.find(node.name)
    if (symbol?.type.is === 'function') {
      i.use(symbol, node, false)
      i.plan.names.set(node, { is: 'symbol', symbol })
      i.functions.push({ symbol, args: [argument], open: [i.untyped > 0], from: node.from, to: node.to })
      if (symbol.type.result.is === 'never') i.untyped++
      return symbol.type.result
    }
    const row = i.localOf(node.name) ? undefined : rowOf(node.name)
    if (row && !symbol) {
      // `key=abs` is short for `key=lambda x: abs(x)`.
      const x: NameNode = { from: node.from, to: node.to, is: 'name', name: 'x' }
      const call: CallNode = { from: node.from, to: node.to, is: 'call', callee: node, args: [{ ...x }], named: [] }
      const lambda: LambdaNode = { from: node.from, to: node.to, is: 'lambda', params: [x], body: call }
      i.plan.lambdas.set(node, lambda)
      return i.lambda(lambda, argument)
    }
  }
  if (node.is === 'constant' && node.value === null) return argument
  i.problem('type-mismatch', node, say('a function is expected, such as lambda a: a.age'))
  return any
}

function unify(shape: TypeShape, type: Type, bindings: Bindings): boolean {
  switch (shape.is) {
    case 'plain':
      return accepts(shape.type, type) !== 'no'
    case 'var':
      bindings.types.set(shape.name, join(bindings.types.get(shape.name) ?? never, stored(type)))
      return true
    case 'items': {
      const element = elementOf(type)
      return element !== null && unify(shape.of, element, bindings)
    }
    case 'list':
    case 'set': {
      const kept = stored(type)
      return isOpen(kept) || (kept.is === shape.is && unify(shape.of, kept.of, bindings))
    }
    case 'dict':
      return isOpen(type) || (type.is === 'dict' && unify(shape.key, type.key, bindings) && unify(shape.value, type.value, bindings))
    case 'population':
      bindings.populations.set(shape.name, type.is === 'observer' ? type.of : null)
      return isOpen(type) || (type.is === 'observer' && type.of !== null)
    case 'entity':
      return isOpen(type) || type.is === 'entity' || type.is === 'none'
    case 'entities':
      return elementOf(type) !== null
    case 'function':
      return false
    default:
      return unreachable(shape)
  }
}

/** The type of a shape, with the variables filled in. */
function resolve(i: Inference, shape: TypeShape, bindings: Bindings): Type {
  switch (shape.is) {
    case 'plain':
      return shape.type
    case 'var':
      return bindings.types.get(shape.name) ?? any
    case 'items':
    case 'list':
      return listOf(resolve(i, shape.of, bindings))
    case 'set':
      return setOf(resolve(i, shape.of, bindings))
    case 'dict':
      return dictOf(resolve(i, shape.key, bindings), resolve(i, shape.value, bindings))
    case 'entity':
      return entityOf(populationOf(i, shape.of, bindings))
    case 'entities':
      return entitiesOf(populationOf(i, shape.of, bindings))
    default:
      return any
  }
}

const resultOf = resolve

function populationOf(i: Inference, name: string | null, bindings: Bindings): string | null {
  if (name === null) return null
  if (name === 'Cells') {
    const self = i.scope.find('self')?.type
    const near = bindings.populations.get('near')
    const cells = i.scope.cellsOf?.(near !== undefined ? near : self?.is === 'entity' ? self.of : null) ?? null
    bindings.populations.set('Cells', cells)
    return cells
  }
  if (name === 'Nodes') {
    const nodes = i.scope.member({ is: 'observer', of: bindings.populations.get('L') ?? null }, 'nodes')?.type
    return nodes?.is === 'entities' ? nodes.of : null
  }
  return bindings.populations.get(name) ?? null
}

/** Results that no signature can express. */
function specialResult(
  i: Inference,
  name: string,
  call: { args: readonly (Expr | null)[]; rest: readonly Expr[] },
  bindings: Bindings,
): Type | null {
  const item = bindings.types.get('T') ?? never
  const [first] = call.args
  const firstType = first ? (i.plan.types.get(first) ?? any) : never
  switch (name) {
    case 'sum':
      return number
    case 'min':
    case 'max': {
      const type = item.is === 'bool' ? number : item
      return type.is === 'never' ? any : type
    }
    case 'range':
      return range
    case 'enumerate':
      return listOf(tupleOf(number, item))
    case 'zip':
      return listOf(tupleOf(item, ...call.rest.map(other => stored(elementOf(i.plan.types.get(other) ?? any) ?? any))))
    case 'map':
      return listOf(stored(bindings.types.get('R') ?? any))
    case 'list':
      return listOf(item)
    case 'set':
      return setOf(item)
    case 'tuple':
      return firstType.is === 'tuple' ? firstType : first ? any : tupleOf()
    case 'dict': {
      if (!first) return dictOf(never, never)
      if (firstType.is === 'dict') return firstType
      const pair = elementOf(firstType)
      if (pair?.is === 'tuple' && pair.of.length === 2) return dictOf(pair.of[0] ?? any, pair.of[1] ?? any)
      return dictOf(any, any)
    }
    case 'divmod':
      return tupleOf(number, number)
    case 'choice':
    case 'empirical':
    case 'mode':
      return item.is === 'never' ? any : item
    case 'nearest':
      return item.is === 'entity' ? entityOf(item.of) : any
    case 'create': {
      const one = entityOf(bindings.populations.get('P') ?? null, true)
      const n = call.args[1]
      return n ? listOf(one) : one
    }
    case 'bool':
    case 'any':
    case 'all':
      return bool
    default:
      return null
  }
}

const receivers: readonly Receiver[] = ['list', 'dict', 'set', 'text', 'tuple', 'date']

function methodCall(i: Inference, node: CallNode, receiver: Expr, of: Type, name: string, at: Span): Type {
  const kept = stored(of)
  if (isOpen(kept)) {
    for (const argument of node.args) i.expr(argument)
    for (const argument of node.named) i.expr(argument.value)
    if (node.named.length > 0)
      i.problem('wrong-arguments', node.named[0]!, say('named arguments are not possible here: the type is known only while running'))
    if (receivers.some(on => methodOf(on, name)?.writes)) {
      i.grow(receiver, kept)
      if (i.readOnly) i.problem('read-only', at, say('"{name}" changes something, which is not possible here', { name }))
    }
    if (name !== '' && !receivers.some(on => methodOf(on, name)))
      i.notFound(
        at,
        name,
        receivers.flatMap(on => [...methodsOf(on)].map(method => method.signature.name)),
      )
    i.plan.calls.set(node, { is: 'dynamic', name, receiver, args: node.args })
    return any
  }
  const on = receivers.find(candidate => candidate === kept.is)
  const method = on && methodOf(on, name)
  if (!method) {
    for (const argument of arguments_(node)) if (argument.is !== 'lambda') i.expr(argument)
    if (name === '') return any
    const known = on ? [...methodsOf(on)].map(found => found.signature.name) : [...i.scope.members(of)].map(found => found.name)
    i.notFound(at, name, known, typeName(of))
    return any
  }
  const bindings: Bindings = { types: new Map(), populations: new Map() }
  const own: [string, Type][] =
    kept.is === 'list' || kept.is === 'set'
      ? [['T', kept.of]]
      : kept.is === 'dict'
        ? [
            ['K', kept.key],
            ['V', kept.value],
          ]
        : []
  // What is added is typed by itself, so that a clash with the variable's type is seen.
  const adds = method.writes && method.signature.params.every(param => param.shape.is !== 'function')
  if (!adds) for (const [variable, type] of own) bindings.types.set(variable, type)
  const call = matched(i, node, name, slots(method.signature), false)
  typeArguments(i, method.signature, call, bindings)
  i.plan.calls.set(node, { is: 'method', method, receiver, args: call.args })
  if (method.writes) {
    if (i.readOnly) i.problem('read-only', at, say('"{name}" changes something, which is not possible here', { name }))
    i.grow(receiver, adds ? grown(kept, bindings) : kept)
  }
  for (const [variable, type] of own) bindings.types.set(variable, join(type, bindings.types.get(variable) ?? never))
  return methodResult(i, kept, name, call.args, bindings) ?? resolve(i, method.signature.result, bindings)
}

function grown(of: Type, bindings: Bindings): Type {
  const item = bindings.types.get('T') ?? never
  if (of.is === 'list') return listOf(item)
  if (of.is === 'set') return setOf(item)
  if (of.is === 'dict') return dictOf(bindings.types.get('K') ?? never, bindings.types.get('V') ?? never)
  return of
}

function methodResult(i: Inference, of: Type, name: string, args: readonly (Expr | null)[], bindings: Bindings): Type | null {
  if (of.is === 'dict') {
    if (name === 'items') return listOf(tupleOf(of.key, of.value))
    if (name === 'get') return join(of.value, args[1] ? stored(i.plan.types.get(args[1]) ?? any) : none)
    if (name === 'pop') return join(of.value, args[1] ? stored(i.plan.types.get(args[1]) ?? any) : never)
  }
  if (name === 'pop' && of.is === 'list') return of.of.is === 'never' ? any : of.of
  if (of.is === 'set' && (name === 'union' || name === 'copy')) return setOf(bindings.types.get('T') ?? never)
  return null
}
