// How much work a tick of processes without tokens is: what decides when they go on as WebAssembly.
import type { CheckedModel } from '../check/checked.ts'
import type { FormulaPart, ProcessPart } from '../check/parts.ts'
import type { Program } from '../compile.ts'
import type { Expr } from '../formula/ast.ts'
import { walk } from '../formula/walk.ts'
import type { World } from '../world/world.ts'

/** So many individuals that a formula goes through take the time of an activation. */
const goneThrough = 8

/** The number of activations that take as long as one search around an individual. */
const searched = 4

/** Queries answered for a whole population at once, without a loop over it. */
const atOnce: ReadonlySet<string> = new Set(['len', 'count', 'choice', 'create'])

/** What formulas of a process do in an activation: the populations they go through, and how often they search around an individual. */
type Effort = { readonly scans: readonly number[]; readonly searches: number }

/** By process. */
const known = new WeakMap<CheckedModel, ReadonlyMap<number, Effort>>()

/** The number of activations of rows in a tick: those of individuals, and what rows without an actor may do with all of them. */
export function activationsOf({ rows, checked }: Pick<Program, 'rows' | 'checked'>, { populations }: World): number {
  const { parts } = checked
  const efforts = effortsOf(checked)
  let count = 0
  let all = 0
  for (const { index, count: living } of populations) {
    all += living
    for (const process of parts.entities[index]?.processes ?? []) {
      if (process.level !== 'individual' || !rows.has(process.index)) continue
      const { scans, searches } = efforts.get(process.index)!
      const seen = scans.reduce((sum, of) => sum + populations[of]!.count, 0)
      count += living * (1 + searched * searches + seen / goneThrough)
    }
  }
  for (const process of parts.processes) if (process.level !== 'individual' && rows.has(process.index)) count += all
  return count
}

function effortsOf(checked: CheckedModel): ReadonlyMap<number, Effort> {
  let found = known.get(checked)
  if (!found) known.set(checked, (found = new Map(checked.parts.processes.map(process => [process.index, ofProcess(checked, process)]))))
  return found
}

function ofProcess({ formulas, scopes }: CheckedModel, { steps }: ProcessPart): Effort {
  const ids = new Set(steps.map(({ id }) => id))
  const own = [...formulas.values()].filter(({ id }) => ids.has(id))
  return {
    scans: own.flatMap(sourcesOf).flatMap(id => scopes.entity(id)?.index ?? []),
    searches: own.reduce((sum, formula) => sum + searchesOf(formula), 0),
  }
}

/** The number of searches around individuals in a formula. */
function searchesOf({ inferred: { plan } }: FormulaPart): number {
  let count = 0
  for (const [node, call] of plan.calls)
    count += Number(call.is === 'row' && call.row.way === 'world' && plan.types.get(node)?.is === 'entities')
  return count
}

/** Populations that a formula goes through as a whole, by their ids. */
function sourcesOf({ inferred: { parsed, plan } }: FormulaPart): string[] {
  const found: string[] = []
  const see = (source: Expr | null | undefined): void => {
    const meaning = source?.is === 'name' ? plan.names.get(source) : undefined
    const type = meaning?.is === 'symbol' ? meaning.symbol.type : source && plan.types.get(source)
    if (type?.is === 'observer' && type.of !== null) found.push(type.of)
  }
  walk(parsed.ast, node => {
    const call = node.is === 'call' ? plan.calls.get(node) : undefined
    if (call?.is === 'row' && call.row.way === 'special' && !atOnce.has(call.row.signature.name)) see(call.args[0])
    if (node.is === 'comprehension') for (const clause of node.clauses) if (clause.is === 'for') see(clause.source)
  })
  return found
}
