// What the tabs of the results are given: one state of one table of runs.
import type { Prepared, Results } from '../../../sim-engine/experiment.ts'
import type { ResultColumn } from './columns.ts'

export type Shown = {
  prepared: Prepared
  results: Results
  columns: readonly ResultColumn[]
  /** Counts up whenever `results` changed inside. */
  version: number
}
