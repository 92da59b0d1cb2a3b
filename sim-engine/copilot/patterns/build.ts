// The edits that make a pattern. Apart from the table of patterns, which pages read.
import type { Id } from '../../../model-schema/model.ts'
import type { EditCall } from '../branch.ts'
import { numbersOf, type Pattern } from '../patterns.ts'
import { agents } from './agents.ts'
import { amounts } from './amounts.ts'
import { Draft } from './draft.ts'
import { queues } from './queues.ts'

const builders: Readonly<Record<string, (draft: Draft, numbers: never) => void>> = { ...queues, ...amounts, ...agents }

/** The edits that make a pattern in a scenario. Numbers that are left away are the usual ones; others are led to what the pattern can take. */
export function callsOf(pattern: Pattern, scenario: Id, numbers: readonly number[]): EditCall[] {
  const draft = new Draft(scenario)
  builders[pattern.id]?.(draft, numbersOf(pattern, numbers) as never)
  return draft.calls
}
