// What a kind of flow element is to the engine: its formulas' standing, its checks, and the JavaScript of a token passing
// it. The compiler knows no kind by name; adding one is a file here and a row in table.ts.
import type { Type } from '../formula.ts'
import type { ContainerPart, EntityPart, FlowPart, ProcessPart, StepPart, VariablePart } from '../check/parts.ts'
import type { Checking } from '../check/checking.ts'
import type { Emitter } from '../compile/emitter.ts'

export type StepKind = {
  kind: string
  /** Formula fields seen from the chosen entities: the rest are the actor's. */
  fromTarget?: readonly string[]
  /** Finds what is wrong beyond formulas and references. */
  check?(step: StepPart, checking: Checking): void
  /** Whether a token may have to wait here, or must be distinguished from others: then the process needs tokens. */
  needsToken(step: StepPart, place: Place): boolean
  /** May end the life of the actor, so that what follows must look. */
  mayKill?(step: StepPart, place: Place): boolean
  /** Flows a token may leave by; absent = all outgoing ones. */
  emit(step: StepPart, out: StepWriter): void
}

/** What a step may ask about the model while it is compiled. */
export type Place = {
  emitter: Emitter
  process: ProcessPart
  /** Key of a formula of this step. */
  key(step: StepPart, field: string): string
  written(step: StepPart, field: string): boolean
  constant(step: StepPart, field: string): number | null
}

/**
 * Writes the body of a process function. It may use `self` and `i` (handle and slot of an individual actor) and, in token mode, `t`. Statements
 * end by jumping, waiting or ending: nothing falls out of a step by itself.
 */
export type StepWriter = Place & {
  /** True when the process has no tokens: one activation, straight through. */
  readonly row: boolean
  line(js: string): void
  fresh(prefix: string): string
  /** JavaScript of a formula of this step: an expression, or the statements of a program. */
  value(step: StepPart, field: string, options?: FormulaOptions): string
  /** The same as the column of a variable keeps it. */
  stored(step: StepPart, field: string, variable: VariablePart): string
  statements(step: StepPart, field: string, options?: FormulaOptions): string
  typeOf(step: StepPart, field: string): Type
  /** Continues behind this step: one flow, or a fork when there are several. */
  leave(step: StepPart): void
  /** Continues along this flow. */
  take(flow: FlowPart): void
  /** The token ends here. */
  end(): void
  /** Waits; the token comes back to `entry` of this step (1..7). */
  wait(step: StepPart, entry: number): void
  /** Begins the code that runs when a token comes back to `entry`. */
  entry(step: StepPart, entry: number): void
  /** Stops here when the actor or the token is no more. */
  survive(): void
  /** The random stream of an element. */
  stream(id: string): string
  population(entity: EntityPart): string
  container(container: ContainerPart): string
  column(variable: VariablePart): string
  /** Position of a token at an entry of a step. */
  pc(step: StepPart, entry?: number): number
}

export type FormulaOptions = {
  /** Expression of the handle the formula sees as `self`. */
  self?: string
  expects?: Type
}
