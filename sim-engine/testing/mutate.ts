// Mutation testing of a model: faults are put into it one by one, and its tests are run to see which they notice. A fault that changes no run that
// the tests make counts apart: it may be no fault at all, or these runs never come to it.
import type { Id, Model } from '../../model-schema/model.ts'
import { check } from '../check.ts'
import { compile } from '../compile.ts'
import { bits, stream } from '../kernel/random.ts'
import { start } from '../run.ts'
import { faultsOf, type Fault } from './faults.ts'
import { prepareTest } from './prepare.ts'
import type { ModelTest } from './read.ts'
import { runTest } from './run.ts'
import type { Words } from '../../model-schema/words.ts'

export type Unnoticed = { readonly element: Id; readonly field: string; readonly words: Words }

export type Mutation = {
  /** Faults there are, and those that were tried. */
  readonly possible: number
  readonly tried: number
  readonly noticed: number
  /** Those that no test noticed, although a run of theirs came out otherwise. */
  readonly unnoticed: readonly Unnoticed[]
  /** Those that change no run of the tests. */
  readonly withoutEffect: readonly Unnoticed[]
  /** Noticed, of those that change a run; null when there are none. */
  readonly share: number | null
}

type MutationOptions = {
  /** Faults to try, drawn by this seed. */
  readonly faults: number
  readonly seed: number
  /** Begins a run's time; what it gives back says when the run has taken too long. */
  readonly limit: () => () => boolean
  readonly told?: (tried: number, of: number) => void
}

/** A run with a fault that makes so many times the instants of one without is taken to hang. */
const hangFactor = 20

/** Runs that are compared to see whether a fault has an effect, of each test. */
const comparedRuns = 3

export function* mutate(model: Model, tests: readonly ModelTest[], options: MutationOptions): Generator<void, Mutation> {
  const [first] = tests
  const all = first ? drawn([...faultsOf(model, first.scenario)], options.seed) : []
  const lengths: number[] = []
  for (const test of tests) lengths.push((yield* runTest(model, test)).longestRun)
  const originals = tests.map(test => fingerprint(model, test))
  let noticed = 0
  let tried = 0
  const unnoticed: Unnoticed[] = []
  const withoutEffect: Unnoticed[] = []
  for (const fault of all) {
    if (tried >= options.faults) break
    // A fault that the checker names needs no test.
    if (first && !check(fault.model, first.scenario).ok) continue
    tried++
    options.told?.(tried, Math.min(options.faults, all.length))
    if (yield* isNoticed(fault, tests, lengths, options)) noticed++
    else {
      const { element, field, words } = fault
      const isSame = tests.every((test, i) => fingerprint(fault.model, test) === originals[i])
      ;(isSame ? withoutEffect : unnoticed).push({ element, field, words })
    }
    yield
  }
  const effective = noticed + unnoticed.length
  return { possible: all.length, tried, noticed, unnoticed, withoutEffect, share: effective === 0 ? null : noticed / effective }
}

function* isNoticed(
  { model }: Fault,
  tests: readonly ModelTest[],
  lengths: readonly number[],
  { limit }: MutationOptions,
): Generator<void, boolean> {
  for (const [i, test] of tests.entries()) {
    const outcome = yield* runTest(model, test, { isHasty: true, mostInstants: 1000 + hangFactor * lengths[i]!, limit })
    if (!outcome.passed) return true
  }
  return false
}

/** Hashes of the final states of a test's first runs. */
function fingerprint(model: Model, test: ModelTest): string {
  const prepared = prepareTest(model, { ...test, checks: [{ what: 'hash', hash: '', share: 1 }] })
  if (!('checked' in prepared)) return ''
  const program = compile(prepared.checked)
  return Array.from({ length: Math.min(comparedRuns, test.runs) }, (_, k) => {
    const run = start(program, { seed: (test.seed + k) % 2 ** 32, ...(test.ticks === null ? {} : { ticks: test.ticks }) })
    run.advance()
    return run.hash()
  }).join(' ')
}

/** In an order drawn by a seed (Fisher and Yates). */
function drawn(faults: Fault[], seed: number): Fault[] {
  const random = stream(seed, 0, 'faults')
  for (let i = faults.length - 1; i > 0; i--) {
    const j = bits(random) % (i + 1)
    ;[faults[i], faults[j]] = [faults[j]!, faults[i]!]
  }
  return faults
}
