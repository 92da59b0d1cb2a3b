// Whether a loop over neighbours may visit them in any order: its body only adds up. Then the engine runs through its index
// instead of sorting by distance first. The rounding of the sums follows the order of the index, which is as fixed as every
// other; the rule looks at the formula alone, so that every build of a model follows it alike.
//
// Such a body assigns to variables of the formula and nothing else. Each of them is either a *sum*: a number, changed by
// `+=` and `-=` and not read in the body; or a *temporary*: set before it is read in every round, and not mentioned outside
// the loop. It makes no random draws, creates and writes nothing, and leaves the loop only at its end.
import type { Expr, Statement } from './ast.ts'
import type { Inferred } from './infer.ts'
import type { Local } from './plan.ts'
import { walk } from './walk.ts'

type For = Statement & { is: 'for' }

export function isOrderFree(f: Inferred, loop: For): boolean {
  const { ast } = f.parsed
  const item = loop.target.is === 'name' ? localOf(f, loop.target) : null
  if (ast.is !== 'program' || !item || loop.otherwise.length > 0) return false
  const sums = new Set<Local>()
  const temporaries = new Set<Local>([item])
  if (!sort(f, loop.body, sums, temporaries)) return false
  // What is set is a temporary, even where it is added to.
  for (const one of temporaries) sums.delete(one)
  return flows(f, loop.body, sums, temporaries, new Set([item])) && staysInside(f, loop, item, temporaries)
}

/** Whether the variable of a loop is neither set in its body nor mentioned outside: each round may have one of its own. */
export function isConstantItem(f: Inferred, loop: For): boolean {
  const item = loop.target.is === 'name' ? localOf(f, loop.target) : null
  if (!item || f.parsed.ast.is !== 'program' || !staysInside(f, loop, item, new Set([item]))) return false
  let isSet = false
  walk({ is: 'program', body: loop.body }, (node, role) => {
    if (role === 'target' && localOf(f, node) === item) isSet = true
  })
  return !isSet
}

function localOf(f: Inferred, node: Expr): Local | null {
  const meaning = node.is === 'name' ? f.plan.names.get(node) : undefined
  return meaning?.is === 'local' ? meaning.local : null
}

/** Separates sums from temporaries; false when something else happens in the body. */
function sort(f: Inferred, body: readonly Statement[], sums: Set<Local>, temporaries: Set<Local>): boolean {
  return body.every(statement => {
    switch (statement.is) {
      case 'augment': {
        const local = localOf(f, statement.target)
        if (!local || local.type.is !== 'number' || f.plan.types.get(statement.value)?.is !== 'number') return false
        if (statement.op !== '+' && statement.op !== '-') return false
        sums.add(local)
        return true
      }
      case 'assign':
        return statement.targets.every(target => {
          const local = localOf(f, target)
          if (local) temporaries.add(local)
          return local !== null
        })
      case 'if':
        return (
          statement.branches.every(branch => sort(f, branch.body, sums, temporaries)) && sort(f, statement.otherwise, sums, temporaries)
        )
      case 'continue':
      case 'pass':
        return true
      default:
        return false
    }
  })
}

/** Whether no sum is read and every temporary is set before it is read. `known` are those set so far. */
function flows(
  f: Inferred,
  body: readonly Statement[],
  sums: ReadonlySet<Local>,
  temporaries: ReadonlySet<Local>,
  known: Set<Local>,
): boolean {
  const reads = (expr: Expr): boolean => isHarmless(f, expr, sums, temporaries, known)
  for (const statement of body) {
    switch (statement.is) {
      case 'augment': {
        const local = localOf(f, statement.target)!
        if (!reads(statement.value) || (temporaries.has(local) && !known.has(local))) return false
        break
      }
      case 'assign':
        if (!reads(statement.value)) return false
        for (const target of statement.targets) known.add(localOf(f, target)!)
        break
      case 'if': {
        const ends: Set<Local>[] = []
        for (const { test, body: branch } of statement.branches) {
          const end = new Set(known)
          if (!reads(test) || !flows(f, branch, sums, temporaries, end)) return false
          ends.push(end)
        }
        const end = new Set(known)
        if (!flows(f, statement.otherwise, sums, temporaries, end)) return false
        for (const local of end) if (ends.every(one => one.has(local))) known.add(local)
        break
      }
      case 'continue':
        // Nothing behind it is reached.
        for (const local of temporaries) known.add(local)
        break
      default:
    }
  }
  return true
}

function isHarmless(
  f: Inferred,
  expr: Expr,
  sums: ReadonlySet<Local>,
  temporaries: ReadonlySet<Local>,
  known: ReadonlySet<Local>,
): boolean {
  let harmless = true
  walk({ is: 'expression', value: expr }, node => {
    if (node.is === 'lambda' || node.is === 'comprehension') harmless = false
    else if (node.is === 'call') {
      const plan = f.plan.calls.get(node)
      if (plan?.is !== 'row' || plan.row.draws || plan.row.creates || plan.row.writes) harmless = false
    } else {
      const local = localOf(f, node)
      if (local && (sums.has(local) || (temporaries.has(local) && !known.has(local)))) harmless = false
    }
  })
  return harmless
}

/** Whether no temporary is mentioned elsewhere; the item may be, as the item of another loop. */
function staysInside(f: Inferred, loop: For, item: Local, temporaries: ReadonlySet<Local>): boolean {
  const { ast } = f.parsed
  if (ast.is !== 'program') return false
  const own: For[] = []
  const collect = (body: readonly Statement[]): void => {
    for (const statement of body) {
      if (statement.is === 'for' && localOf(f, statement.target) === item) own.push(statement)
      else if (statement.is === 'for' || statement.is === 'while') collect([...statement.body, ...statement.otherwise])
      else if (statement.is === 'if')
        for (const one of [...statement.branches.map(branch => branch.body), statement.otherwise]) collect(one)
    }
  }
  collect(ast.body)
  const isIn = (node: Expr, one: For): boolean =>
    one.target === node || one.body.some(statement => node.from >= statement.from && node.to <= statement.to)
  let inside = true
  walk(ast, node => {
    const local = localOf(f, node)
    if (!local || !temporaries.has(local) || isIn(node, loop)) return
    if (local !== item || !own.some(one => isIn(node, one))) inside = false
  })
  return inside
}
