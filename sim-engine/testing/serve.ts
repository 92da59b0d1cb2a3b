// Tests run behind a port: a page asks, and gets each result as it is done. A later message ends the work for an earlier one.
import { loadChainOf } from '../chain.ts'
import type { Id, Model } from '../../model-schema/model.ts'
import { coverageOf } from './coverage.ts'
import { testsOf } from './read.ts'
import { runTest, type TestOutcome } from './run.ts'

export type ToTester =
  /** Runs these tests of a scenario; with `coverage`, then says what they reach. */
  | {
      readonly do: 'test'
      readonly ask: number
      readonly model: Model
      readonly scenario: Id
      readonly tests: readonly Id[]
      readonly coverage: boolean
    }
  | { readonly do: 'stop' }

export type FromTester =
  | { readonly is: 'outcome'; readonly ask: number; readonly outcome: TestOutcome }
  /** How often each step, and each branch of a gateway, was reached. */
  | { readonly is: 'coverage'; readonly ask: number; readonly reached: readonly (readonly [Id, number])[] }
  | { readonly is: 'done'; readonly ask: number }
  | { readonly is: 'broken'; readonly message: string }

/** `turn` ends after waiting messages have been handled. The function that takes messages never throws or rejects. */
export function serveTests(post: (message: FromTester) => void, turn: () => Promise<void>): (message: ToTester) => Promise<void> {
  let latest = 0
  /** The outcome of work; null when another message came meanwhile. */
  const inTurns = async <T>(work: Generator<void, T>, own: number): Promise<T | null> => {
    for (let step = work.next(); ; step = work.next()) {
      if (step.done === true) return step.value
      await turn()
      if (latest !== own) return null
    }
  }
  return async message => {
    const own = ++latest
    if (message.do === 'stop') return
    const { ask, model, scenario } = message
    try {
      await loadChainOf(model)
      if (latest !== own) return
      const tests = testsOf(model, scenario)
      for (const test of tests) {
        if (!message.tests.includes(test.id)) continue
        const outcome = await inTurns(runTest(model, test), own)
        if (outcome === null) return
        post({ is: 'outcome', ask, outcome })
      }
      if (message.coverage) {
        const found = await inTurns(coverageOf(model, tests), own)
        if (found === null) return
        post({ is: 'coverage', ask, reached: [...found.steps, ...found.branches] })
      }
      post({ is: 'done', ask })
    } catch (error) {
      post({ is: 'broken', message: error instanceof Error ? error.message : String(error) })
    }
  }
}
