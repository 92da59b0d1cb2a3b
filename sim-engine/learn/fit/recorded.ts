// Decisions as they were taken, whatever the policy: rows to look at, and to learn the policy from (behaviour cloning).
import type { DecisionPoint } from '../../run/decisions.ts'
import type { NumberTable } from './data.ts'

/** Most decisions that are kept; the earliest are forgotten. */
export const mostRecorded = 50_000

/** One decision: what was seen (-1 .. 1), and the number of the combination of actions, or a number from -1 to 1 for each action. */
export type RecordedDecision = {
  readonly time: number
  readonly owner: number
  readonly seen: readonly number[]
  readonly action: number | readonly number[]
}

/** The decisions of one Decide step in a run. */
export class Recording {
  readonly point: DecisionPoint
  #rows: RecordedDecision[] = []

  constructor(point: DecisionPoint) {
    this.point = point
  }

  get rows(): readonly RecordedDecision[] {
    return this.#rows
  }

  /** `values`: what the actions were set to. */
  add(time: number, owner: number, seen: readonly number[], values: readonly number[]): void {
    if (this.#rows.length >= 2 * mostRecorded) this.#rows = this.#rows.slice(-mostRecorded)
    this.#rows.push({ time, owner, seen, action: actionOf(this.point, values) })
  }

  /** The run went back to that time: what was decided later is decided again. */
  cut(time: number): void {
    const at = this.#rows.findIndex(row => row.time > time)
    if (at >= 0) this.#rows.length = at
  }
}

/** What the values of actions are to a network: the inverse of `valuesOf` and `scaledActions`. */
function actionOf({ choices, actions }: DecisionPoint, values: readonly number[]): number | number[] {
  if (choices === 0) return actions.map(({ low, high }, k) => (high > low ? (2 * (values[k]! - low)) / (high - low) - 1 : 0))
  let choice = 0
  actions.forEach(({ low, high }, k) => {
    const first = Math.ceil(low)
    choice = choice * Math.max(1, Math.floor(high) - first + 1) + (values[k]! - first)
  })
  return choice
}

/** Names of the columns of what is seen, in order: of each observation its own name, or its number. */
const seenNames = (count: number): string[] => Array.from({ length: count }, (_, k) => `seen ${k + 1}`)
const actionNames = ({ choices, actions }: Pick<DecisionPoint, 'choices' | 'actions'>): string[] =>
  choices > 0 ? ['choice'] : actions.map((_, k) => `action ${k + 1}`)

/** Recorded decisions as a table to fit a network to. Rows that saw another number of observations than the first are left out. */
export function tableOfDecisions(point: Pick<DecisionPoint, 'choices' | 'actions'>, rows: readonly RecordedDecision[]): NumberTable {
  const count = rows[0]?.seen.length ?? 0
  const kept = rows.filter(({ seen }) => seen.length === count)
  const names = [...seenNames(count), ...actionNames(point)]
  return {
    names,
    columns: names.map((_, k) =>
      Float64Array.from(kept, ({ seen, action }) => (k < count ? seen[k]! : typeof action === 'number' ? action : action[k - count]!)),
    ),
    rows: kept.length,
  }
}
