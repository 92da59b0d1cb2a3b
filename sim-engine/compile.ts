// CheckedModel -> Program: one JavaScript source text over typed columns, made from checked trees only.
import type { CheckedModel } from './check.ts'

export type Program = {
  /** The generated source, for reading and for tests. */
  readonly source: string
  readonly checked: CheckedModel
}

export declare function compile(checked: CheckedModel): Program
