// `d = choice([(0, 1), (1, 0)])`, of which only `d[0]` and `d[1]` are read: the local holds which of them it is, and each
// place of the tuples is a table of numbers. No tuple is made.
import type { CallNode, Expr } from './ast.ts'
import { constantIndex } from './walk.ts'
import type { Inferred } from './infer.ts'
import type { Local } from './plan.ts'
import type { EmitTarget } from './scope.ts'
import { walk } from './walk.ts'

/** Names of the tables of each such local, declared at the top. */
export function constantChoices(f: Inferred, target: EmitTarget): Map<Local, readonly string[]> {
  if (target.line) return new Map()
  return new Map(
    [...choiceLocals(f)].map(([local, choices]) => [
      local,
      choices[0]!.map((_, place) => {
        const name = target.fresh('d')
        target.declare(`const ${name} = Float64Array.of(${choices.map(choice => choice[place]).join(', ')});`)
        return name
      }),
    ]),
  )
}

/** The tuples each such local is chosen from. */
export function choiceLocals(f: Inferred): Map<Local, readonly (readonly number[])[]> {
  const found = new Map<Local, readonly (readonly number[])[]>()
  const { ast } = f.parsed
  if (ast.is !== 'program') return found
  for (const statement of ast.body) {
    if (statement.is !== 'assign' || statement.targets.length !== 1) continue
    const [to] = statement.targets
    const local = to ? localOf(f, to) : null
    const choices = statement.value.is === 'call' && isChoice(f, statement.value) ? choicesOf(statement.value) : null
    if (!local || !choices || local.unsure || local.type.is !== 'tuple') continue
    if (isOnlyIndexed(f, local, to!, choices[0]!.length)) found.set(local, choices)
  }
  return found
}

function isChoice(f: Inferred, node: CallNode): boolean {
  const plan = f.plan.calls.get(node)
  return plan?.is === 'row' && plan.row.signature.name === 'choice'
}

/** The tuples of numbers a call chooses from, all of one length. */
export function choicesOf(node: CallNode): readonly (readonly number[])[] | null {
  const [list] = node.args
  if (list?.is !== 'list' || node.args.length !== 1 || node.named.length > 0 || list.items.length < 2) return null
  const tuples = list.items.map(item => (item.is === 'tuple' ? item.items.map(numberOf) : []))
  const width = tuples[0]!.length
  const isEven = width > 0 && tuples.every(tuple => tuple.length === width && !tuple.includes(null))
  return isEven ? tuples.map(tuple => tuple.map(value => value ?? 0)) : null
}

function numberOf(node: Expr): number | null {
  if (node.is === 'number') return node.value
  return node.is === 'unary' && node.op === '-' && node.of.is === 'number' ? -node.of.value : null
}

function localOf(f: Inferred, node: Expr): Local | null {
  const meaning = node.is === 'name' ? f.plan.names.get(node) : undefined
  return meaning?.is === 'local' ? meaning.local : null
}

/** Whether the local is set in one place and otherwise only asked for the number at a known position. */
function isOnlyIndexed(f: Inferred, local: Local, set: Expr, width: number): boolean {
  const asked = new Set<Expr>()
  let isFit = true
  walk(f.parsed.ast, node => {
    if (node.is === 'index' && localOf(f, node.of) === local) {
      const at = constantIndex(node.index)
      if (at !== null && at >= -width && at < width) asked.add(node.of)
    }
    if (localOf(f, node) === local && node !== set && !asked.has(node)) isFit = false
  })
  return isFit
}
