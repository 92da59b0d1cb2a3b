// CheckedModel -> Program: one JavaScript source text over typed columns, made from checked trees only.
import type { CheckedModel } from './check.ts'
import type { Debug } from './compile/emitter.ts'
import { emitAll } from './compile/program.ts'

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
  /** Calls the debugger's hook before each step. */
  readonly debug: boolean
}

/** `debug` may bring conditions of breakpoints, by the number of their step. */
export function compile(checked: CheckedModel, options: { debug?: boolean | Debug } = {}): Program {
  const debug = options.debug === true ? { conditions: new Map() } : options.debug || null
  return { ...emitAll(checked, debug), checked, debug: debug !== null }
}
