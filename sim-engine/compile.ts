// CheckedModel -> Program: one JavaScript source text over typed columns, made from checked trees only.
import type { CheckedModel } from './check.ts'
import type { Debug, Seen, Sought, Spot } from './compile/emitter.ts'
import { emitAll } from './compile/program.ts'
import type { Stencil } from './stencil/lower.ts'

export type Program = {
  /** The generated source, for reading and for tests. Evaluated with the parameters W (world), F (formula runtime), K (kernel), X (what steps need). */
  readonly source: string
  readonly checked: CheckedModel
  /** Element and field of each place an error can be at. */
  readonly places: readonly { id: string; field: string }[]
  /** Columns and parts the source mentions: the others are not made. */
  readonly mentions: ReadonlySet<string>
  /** Indices of the processes that run without tokens. */
  readonly rows: ReadonlySet<number>
  /** Calls the debugger's hooks before each step and statement. */
  readonly debug: boolean
  /** Debug build: the variables shown before a statement, by place and where it begins: `12 30`. */
  readonly seen: ReadonlyMap<string, Seen>
  /** Says to a meter where time goes. */
  readonly metered: boolean
  /** Metered build: what time is counted for, by number. */
  readonly spots: readonly Spot[]
  /** Rules of simultaneous cells for many at once, by population. */
  readonly stencils: ReadonlyMap<number, Stencil>
  /** Populations of cells of which only those are visited that may change. */
  readonly active: ReadonlySet<number>
  /** What codes in columns of words mean, by code; the first is None. */
  readonly words: readonly (string | null)[]
  /** What a seeking build says it has reached; null for others. */
  readonly sought: Sought | null
}

/**
 * A plain program has no hooks at all; `debug` may bring what a debug build is to know at its hooks, `sought` where a plain one says
 * that it got there. All builds give the same run.
 */
export function compile(
  checked: CheckedModel,
  options: { debug?: boolean | Partial<Debug>; metered?: boolean; sought?: Sought } = {},
): Program {
  const { debug, metered = false, sought = null } = options
  const untested = withoutTests(checked)
  const hooks: Debug | null = debug ? { conditions: new Map(), lines: new Map(), watches: null, ...(debug === true ? {} : debug) } : null
  return { ...emitAll(untested, hooks, metered, sought), checked: untested, debug: hooks !== null, metered, sought }
}

/** The model without the formulas of its tests: no program is another for them. */
function withoutTests(checked: CheckedModel): CheckedModel {
  const tests = new Set(checked.parts.tests.map(({ id }) => id))
  if (tests.size === 0) return checked
  return { ...checked, formulas: new Map([...checked.formulas].filter(([, { id }]) => !tests.has(id))) }
}
