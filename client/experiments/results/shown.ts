// What the tabs of the results are given: one state of one table of runs.
import type { Prepared, Results } from '../../../sim-engine/experiment.ts'
import type { Column } from './columns.ts'

export type Shown = {
  prepared: Prepared
  results: Results
  columns: readonly Column[]
  /** Counts up whenever `results` changed inside. */
  version: number
}
