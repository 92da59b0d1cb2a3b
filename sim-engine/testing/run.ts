// Runs a test: one run a seed, looked at after each of its instants, and what its checks say of all of them.
import type { Id, Model } from '../../model-schema/model.ts'
import { compile, type Program } from '../compile.ts'
import type { Plain } from '../messages.ts'
import { messageOf, RunError } from '../problems.ts'
import type { Problem } from '../problems.ts'
import { start, type Run } from '../run.ts'
import { prepareTest, type PreparedTest } from './prepare.ts'
import type { Check, ModelTest } from './read.ts'
import { say, type Words } from '../../model-schema/words.ts'

/** Where a check failed: enough to see it again. */
type Failure = { readonly seed: number; readonly time: number; readonly words: Words; readonly problem: Problem | null }

export type CheckOutcome = {
  readonly what: Check['what']
  readonly passed: boolean
  readonly failedRuns: number
  /** The first few. */
  readonly failures: readonly Failure[]
}

export type TestOutcome = {
  readonly test: Id
  readonly name: string
  readonly passed: boolean
  /** Runs that were made: fewer than the test asks for when it was cut short. */
  readonly runs: number
  /** Instants of the longest of them. */
  readonly longestRun: number
  readonly checks: readonly CheckOutcome[]
  /** Why it could not be run at all. */
  readonly problems: readonly Problem[]
}

type TestOptions = {
  /** Replaces the test's first seed, and how many runs it makes. */
  readonly seed?: number
  readonly runs?: number
  /** Ends as soon as the outcome is certain. */
  readonly isHasty?: boolean
  /** Most instants of a run: a longer one is taken to hang. */
  readonly mostInstants?: number
  /** Called when a run begins; what it gives back says when the run has taken too long. */
  readonly limit?: () => () => boolean
  /** The build that is run: that of coverage has hooks. */
  readonly watch?: (run: Run) => void
  readonly debug?: boolean
}

/** Failures kept of each check. */
const mostFailures = 5
/** Instants between two moments at which a test can be stopped. */
const instantsPerTurn = 2000

/** Yields between stretches of work, so that others get a turn; stops for good when it is not asked to go on. */
export function* runTest(model: Model, test: ModelTest, options: TestOptions = {}): Generator<void, TestOutcome> {
  const prepared = prepareTest(model, test)
  if (!('checked' in prepared))
    return { test: test.id, name: test.name, passed: false, runs: 0, longestRun: 0, checks: [], problems: prepared }
  return yield* runPrepared(prepared, options)
}

export function* runPrepared(prepared: PreparedTest, options: TestOptions): Generator<void, TestOutcome> {
  const { test, checked } = prepared
  const program = compile(checked, { debug: options.debug === true })
  const plain = prepared.plain === null ? null : compile(prepared.plain)
  const runs = options.runs ?? test.runs
  const first = options.seed ?? test.seed
  const outcomes = test.checks.map(({ what }) => ({ what, failedRuns: 0, failures: new Array<Failure>() }))
  const allowed = test.checks.map(({ share }) => Math.floor(runs * (1 - share) + 1e-9))
  let longestRun = 0
  let made = 0
  for (; made < runs; made++) {
    const seed = (first + made) % 2 ** 32
    const { failures, instants } = yield* lookAtRun(prepared, program, plain, seed, made, options)
    longestRun = Math.max(longestRun, instants)
    failures.forEach((failure, i) => {
      if (failure === null) return
      const outcome = outcomes[i]!
      outcome.failedRuns++
      if (outcome.failures.length < mostFailures) outcome.failures.push(failure)
    })
    if (options.isHasty === true && outcomes.some(({ failedRuns }, i) => failedRuns > allowed[i]!)) {
      made++
      break
    }
  }
  const checks = outcomes.map((one, i) => ({ ...one, passed: one.failedRuns <= allowed[i]! }))
  return { test: test.id, name: test.name, passed: checks.every(({ passed }) => passed), runs: made, longestRun, checks, problems: [] }
}

/** The failure of each check in one run; null where it holds. */
function* lookAtRun(
  { test, statistics }: PreparedTest,
  program: Program,
  plain: Program | null,
  seed: number,
  which: number,
  options: TestOptions,
): Generator<void, { failures: (Failure | null)[]; instants: number }> {
  const given = test.ticks === null ? { seed } : { seed, ticks: test.ticks }
  const run = start(program, given)
  options.watch?.(run)
  const looks = test.checks.map((check, i) => new Look(check, statistics[i]!, run, seed))
  const during = looks.filter(({ isDuring }) => isDuring)
  const most = options.mostInstants ?? Infinity
  const isOver = options.limit?.() ?? never
  let instants = 0
  for (let more = true; more && instants < most && !isOver();) {
    const open = during.some(({ isOpen }) => isOpen)
    more = run.advance({ instants: open ? 1 : Math.min(instantsPerTurn, most - instants), enough: isOver })
    run.takeOutput()
    instants += run.made
    // More may be due at the same time: what is looked at is how that time ends.
    const isSettled = run.result !== null || run.world.calendar.nextTime > run.time
    if (isSettled && run.result?.end !== 'failed' && run.time >= test.since && run.time <= test.until)
      for (const look of during) look.take()
    if (!open || instants % instantsPerTurn === 0) yield
  }
  const isStuck = run.result === null
  if (isStuck) run.stop()
  const hash = plain === null || which > 0 || isStuck ? null : yield* hashOf(plain, given)
  return { failures: looks.map(look => look.end(isStuck, hash)), instants }
}

const never = (): boolean => false

/** The hash of the final state without anything that looks. */
function* hashOf(program: Program, options: { seed: number; ticks?: number }): Generator<void, string> {
  const run = start(program, options)
  while (run.advance({ instants: instantsPerTurn })) yield
  return run.hash()
}

/** A check followed through one run. */
class Look {
  readonly isDuring: boolean
  readonly #check: Check
  readonly #statistics: Readonly<Record<string, Id>>
  readonly #run: Run
  readonly #seed: number
  #failure: Failure | null = null
  /** Of what happens at some time: it has happened. Of what stays the same: the first value. */
  #hasHeld = false
  #first: number | null = null

  constructor(check: Check, statistics: Readonly<Record<string, Id>>, run: Run, seed: number) {
    this.#check = check
    this.#statistics = statistics
    this.#run = run
    this.#seed = seed
    this.isDuring = check.what === 'always' || check.what === 'sometime' || check.what === 'conserved' || check.what === 'between'
  }

  /** Whether the next instant can change what it says. */
  get isOpen(): boolean {
    return this.#failure === null && !this.#hasHeld
  }

  take(): void {
    if (this.isOpen) this.#attempt(() => this.#during())
  }

  /** `isStuck`: the run did not come to its end. `hash`: of the final state, null in runs that are not compared. */
  end(isStuck: boolean, hash: string | null): Failure | null {
    const result = this.#run.result
    if (result?.end === 'failed') this.#fail(say('The run failed.'), result.problem)
    else if (isStuck) this.#fail(say('The run did not come to its end.'))
    else if (this.#failure === null) this.#attempt(() => this.#atEnd(hash))
    return this.#failure
  }

  #during(): void {
    const check = this.#check
    if (check.what === 'always' && !this.#holds()) this.#fail(say('Not true: {condition}', { condition: check.condition }))
    else if (check.what === 'sometime') this.#hasHeld = this.#holds()
    else if (check.what === 'conserved') {
      const value = this.#number('expression')
      this.#first ??= value
      if (value === null || this.#first === null || near(value, this.#first, check.tolerance)) return
      const [now, then] = [shown(value), shown(this.#first)]
      this.#fail(say('{expression} is {now} and was {result}.', { expression: check.expression, now, result: then }))
    } else if (check.what === 'between') {
      const value = this.#number('expression')
      if (value === null) return
      this.#first = value
      const low = check.low === '' ? -Infinity : (this.#number('low') ?? NaN)
      const high = check.high === '' ? Infinity : (this.#number('high') ?? NaN)
      if (value >= low && value <= high) return
      const bounds = `${shown(low)} .. ${shown(high)}`
      this.#fail(say('{expression} is {shown}, not in {bounds}.', { expression: check.expression, shown: shown(value), bounds }))
    }
  }

  #atEnd(hash: string | null): void {
    const check = this.#check
    switch (check.what) {
      case 'end':
        if (!this.#holds()) this.#fail(say('Not true at the end: {condition}', { condition: check.condition }))
        return
      case 'sometime':
        if (!this.#hasHeld) this.#fail(say('Never true: {condition}', { condition: check.condition }))
        return
      case 'conserved':
      case 'between':
        if (this.#first === null) this.#fail(say('{expression} never had a value.', { expression: check.expression }))
        return
      case 'little': {
        const [inside, rate, stay] = [this.#number('expression'), this.#number('rate'), this.#number('stay')]
        if (inside === null || rate === null || stay === null) this.#fail(say('A figure has no value.'))
        else if (!near(inside, rate * stay, check.tolerance)) {
          const [left, right] = [shown(inside), `${shown(rate)} × ${shown(stay)} = ${shown(rate * stay)}`]
          this.#fail(say('{left} are inside, but {right}.', { left, right }))
        }
        return
      }
      case 'hash':
        if (hash === null || hash === check.hash) return
        this.#fail(
          check.hash === ''
            ? say('The hash to be written here is {hash}.', { hash })
            : say('The hash of the final state is {hash}, not {hash2}.', { hash, hash2: check.hash }),
        )
        return
      default:
    }
  }

  #value(column: string): Plain {
    return this.#run.measure(this.#statistics[column] ?? '')
  }

  #holds(): boolean {
    return this.#value('condition') === true
  }

  #number(column: string): number | null {
    const value = this.#value(column)
    return typeof value === 'number' && !Number.isNaN(value) ? value : typeof value === 'boolean' ? Number(value) : null
  }

  /** A formula that cannot be worked out fails the check. */
  #attempt(look: () => void): void {
    try {
      look()
    } catch (error) {
      if (!(error instanceof RunError)) throw error
      this.#fail(messageOf(error.code, error.params))
    }
  }

  #fail(words: Words, problem: Problem | null = null): void {
    this.#failure ??= { seed: this.#seed, time: this.#run.time, words, problem }
  }
}

/** Whether two figures differ by no more than a share of the larger. */
const near = (a: number, b: number, share: number): boolean => Math.abs(a - b) <= share * Math.max(Math.abs(a), Math.abs(b))

const shown = (value: number): string => String(Number(value.toPrecision(6)))
