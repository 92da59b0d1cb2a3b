// Alias analysis of lists: variables of individuals whose list no other variable refers to, so that the items can be stored with the variable.
// It reads every formula of the model: each assignment must make a new list, and each mention must only read or change its items.
import type { CheckedModel } from '../check/checked.ts'
import type { VariablePart } from '../check/parts.ts'
import type { Expr, Statement } from '../formula/ast.ts'
import type { Inferred } from '../formula.ts'
import { walk } from '../formula/walk.ts'

/** Functions that look at the items of a list and keep neither it nor any list among them. */
const looking: ReadonlySet<string> = new Set(['len', 'sum', 'mean', 'min', 'max', 'any', 'all', 'count', 'list', 'sorted', 'choice'])
/** Those that make a list. */
const making: ReadonlySet<string> = new Set(['list', 'sorted'])

/** By the ids of the variables. */
export function ownLists({ formulas, parts }: CheckedModel): ReadonlySet<string> {
  const lists = parts.entities.flatMap(({ variables }) => variables).filter(({ type }) => type.is === 'list')
  const all = [...formulas.values()]
  const shared = new Set(all.flatMap(({ inferred }) => (lists.length > 0 ? [...sharedIn(inferred, lists)] : [])))
  const isAnew = ({ initialKey }: VariablePart): boolean => {
    const first = formulas.get(initialKey)?.inferred
    return first?.parsed.ast.is === 'expression' && makes(first, first.parsed.ast.value)
  }
  for (const one of lists) if (!isAnew(one)) shared.add(one.id)
  return new Set(lists.map(({ id }) => id).filter(id => !shared.has(id)))
}

/** Whether a value is a list that was not there before. */
function makes({ plan }: Inferred, value: Expr): boolean {
  if (value.is === 'list' || value.is === 'slice' || value.is === 'comprehension') return true
  if (value.is === 'binary') return value.op === '+'
  const call = value.is === 'call' ? plan.calls.get(value) : undefined
  return call?.is === 'row' && making.has(call.row.signature.name)
}

/** The ids of variables whose list something else may stand for after a formula. */
function sharedIn(f: Inferred, lists: readonly VariablePart[]): Set<string> {
  const { plan, parsed } = f
  const fine = new Set<Expr>()
  const shared = new Set<string>()
  statementsOf(parsed.ast.is === 'program' ? parsed.ast.body : [], statement => {
    if (statement.is === 'for') fine.add(statement.source)
    if (statement.is === 'while') fine.add(statement.test)
    if (statement.is === 'if') for (const { test } of statement.branches) fine.add(test)
    if (statement.is === 'augment') fine.add(statement.target)
    if (statement.is === 'assign' && statement.targets.length === 1 && makes(f, statement.value)) fine.add(statement.targets[0]!)
  })
  walk(parsed.ast, node => {
    if (node.is === 'index' || node.is === 'slice') fine.add(node.of)
    if (node.is === 'unary') fine.add(node.of)
    if (node.is === 'choose') fine.add(node.test)
    if (node.is === 'comprehension') for (const clause of node.clauses) fine.add(clause.is === 'for' ? clause.source : clause.test)
    if (node.is === 'compare') for (const one of [node.first, ...node.rest.map(({ right }) => right)]) fine.add(one)
    if (node.is === 'binary') for (const one of [node.left, node.right]) fine.add(one)
    const call = node.is === 'call' ? plan.calls.get(node) : undefined
    if (call?.is === 'method') fine.add(call.receiver)
    if (call?.is === 'row') {
      if (looking.has(call.row.signature.name)) for (const one of call.args) if (one) fine.add(one)
      for (const { symbol, value } of call.extra) if (symbol.id && !makes(f, value)) shared.add(symbol.id)
    }
    if (fine.has(node)) return
    const meaning = node.is === 'name' ? plan.names.get(node) : undefined
    if (meaning?.is === 'symbol' && meaning.symbol.id) shared.add(meaning.symbol.id)
    if (node.is !== 'member') return
    const id = plan.members.get(node)?.id
    // The type of the owner may be known at run time only: all variables of that name count.
    for (const one of lists) if (id ? one.id === id : one.name === node.name) shared.add(one.id)
  })
  return shared
}

function statementsOf(body: readonly Statement[], see: (statement: Statement) => void): void {
  for (const one of body) {
    see(one)
    if (one.is === 'if') for (const branch of one.branches) statementsOf(branch.body, see)
    if (one.is === 'for' || one.is === 'while') statementsOf(one.body, see)
    if (one.is === 'if' || one.is === 'for' || one.is === 'while') statementsOf(one.otherwise, see)
  }
}
