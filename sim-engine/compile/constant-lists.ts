// Lists of numbers that never change: given as literals, not public, and only ever looked up by position. They are typed arrays of a program.
import type { CheckedModel } from '../check/checked.ts'
import { eachAssignment } from '../formula/assignments.ts'
import type { Expr } from '../formula/ast.ts'
import { constantIndex } from '../formula/walk.ts'
import type { Inferred } from '../formula.ts'
import { walk } from '../formula/walk.ts'

/** Their numbers, by the ids of the shared variables. */
export function constantLists({ parts, formulas }: CheckedModel): Map<string, readonly number[]> {
  const found = new Map<string, readonly number[]>()
  for (const variable of parts.shared) {
    const ast = formulas.get(variable.initialKey)?.inferred.parsed.ast
    if (variable.public || variable.type.is !== 'list' || variable.type.of.is !== 'number' || ast?.is !== 'expression') continue
    const items = ast.value.is === 'list' ? ast.value.items.map(numberOf) : []
    if (items.length > 0 && !items.includes(null))
      found.set(
        variable.id,
        items.map(item => item ?? 0),
      )
  }
  if (found.size > 0) for (const { inferred } of formulas.values()) for (const id of otherwiseUsed(inferred)) found.delete(id)
  return found
}

function numberOf(node: Expr): number | null {
  const value = node.is === 'unary' ? (node.of.is === 'number' && node.op === '-' ? -node.of.value : null) : constantIndex(node)
  return value !== null && Number.isFinite(value) ? value : null
}

/** What a formula does with variables beyond looking something up in them: their ids. */
function otherwiseUsed({ parsed: { ast }, plan, writes }: Inferred): string[] {
  const lookedUp = new Set<Expr>()
  const changed = new Set<Expr>()
  eachAssignment(ast.is === 'program' ? ast.body : [], target => void changed.add(target))
  walk(ast, (node, role) => {
    if (node.is === 'index' && role === 'value' && !changed.has(node)) lookedUp.add(node.of)
  })
  const used = writes.flatMap(({ symbol }) => symbol.id ?? [])
  for (const [node, meaning] of plan.names)
    if (meaning.is === 'symbol' && meaning.symbol.id !== undefined && !lookedUp.has(node)) used.push(meaning.symbol.id)
  for (const symbol of plan.members.values()) if (symbol.id !== undefined) used.push(symbol.id)
  return used
}
