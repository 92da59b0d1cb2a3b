// The tests of the open model: what came of them, which are out of date since an edit, and the worker that runs them. One for each editor, so that
// the outcomes are still there when the panel is closed and opened again.
import { createStore, type StoreApi } from 'zustand/vanilla'
import { plainModel, type Id, type Model } from '../../../model-schema/model.ts'
import { testsOf, type FromTester, type TestOutcome, type ToTester } from '../../../sim-engine/testing.ts'
import { startWorkingAnywhere } from '../../workers/start.ts'
import { showCoverage } from './coverage.ts'
import { touchedTests } from './touched.ts'

export type TesterView = {
  /** Of the scenario that is shown, by test. */
  readonly outcomes: ReadonlyMap<Id, TestOutcome>
  /** Tests that an edit has touched since they were run. */
  readonly stale: ReadonlySet<Id>
  /** Tests that are still to come of those asked for. */
  readonly pending: readonly Id[]
  /** Whether tests are run again a moment after an edit touches them. */
  readonly isAutomatic: boolean
  readonly isCovering: boolean
  readonly broken: string | null
}

export type Port = {
  post(message: ToTester): void
  listen(heard: (message: FromTester) => void, crashed: (reason: string) => void): void
  close(): void
}

/** Milliseconds after an edit before tests are run again, so that typing does not start them. */
const settleMs = 900

export class Tester {
  readonly view: StoreApi<TesterView> = createStore(() => blank)
  readonly #spawn: () => Port
  #port: Port | null = null
  #ask = 0
  #model: Model | null = null
  #scenario: Id = ''
  #timer: ReturnType<typeof setTimeout> | null = null

  constructor(spawn: () => Port = spawnTester) {
    this.#spawn = spawn
  }

  /** Sets the open model, at first and after each edit. */
  follow(model: Model, scenario: Id): void {
    const before = this.#scenario === scenario ? this.#model : null
    this.#model = model
    this.#scenario = scenario
    if (before === null) {
      this.stop()
      this.view.setState({ outcomes: new Map(), stale: new Set() })
      return
    }
    const touched = touchedTests(before, model, scenario)
    if (touched.length === 0) return
    const { stale, isAutomatic, pending } = this.view.getState()
    this.view.setState({ stale: new Set([...stale, ...touched]) })
    if (pending.length > 0) this.stop()
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (isAutomatic) this.#timer = setTimeout(() => this.run([...this.view.getState().stale]), settleMs)
  }

  /** Runs these tests, or all. */
  run(wanted: readonly Id[] | null = null): void {
    const model = this.#model
    if (model === null) return
    const all = testsOf(model, this.#scenario).map(({ id }) => id)
    const tests = wanted === null ? all : all.filter(id => wanted.includes(id))
    const { isCovering } = this.view.getState()
    if (tests.length === 0) return
    this.view.setState({ pending: tests, broken: null })
    this.#hired().post({ do: 'test', ask: ++this.#ask, model: plainModel(model), scenario: this.#scenario, tests, coverage: isCovering })
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#ask++
    this.#port?.post({ do: 'stop' })
    this.view.setState({ pending: [] })
  }

  automate(isAutomatic: boolean): void {
    this.view.setState({ isAutomatic })
    const { stale } = this.view.getState()
    if (isAutomatic && stale.size > 0) this.run([...stale])
  }

  cover(isCovering: boolean): void {
    this.view.setState({ isCovering })
    if (isCovering) this.run()
    else showCoverage(null)
  }

  #hired(): Port {
    if (this.#port !== null) return this.#port
    const port = this.#spawn()
    port.listen(
      message => this.#heard(message),
      reason => this.#broke(reason),
    )
    this.#port = port
    return port
  }

  #heard(message: FromTester): void {
    if (message.is === 'broken') return this.#broke(message.message)
    if (message.ask !== this.#ask) return
    const { outcomes, stale, pending } = this.view.getState()
    if (message.is === 'outcome') {
      const { test } = message.outcome
      this.view.setState({
        outcomes: new Map(outcomes).set(test, message.outcome),
        stale: new Set([...stale].filter(id => id !== test)),
        pending: pending.filter(id => id !== test),
      })
    } else if (message.is === 'coverage') showCoverage(new Map(message.reached))
    else this.view.setState({ pending: [] })
  }

  #broke(broken: string): void {
    this.#port?.close()
    this.#port = null
    this.view.setState({ pending: [], broken })
  }
}

const blank: TesterView = {
  outcomes: new Map(),
  stale: new Set(),
  pending: [],
  isAutomatic: true,
  isCovering: false,
  broken: null,
}

function spawnTester(): Port {
  const worker = startWorkingAnywhere('tests')
  return {
    post: message => worker.post(message),
    listen: (heard, crashed) => worker.listen((event: MessageEvent<FromTester>) => heard(event.data), crashed),
    close: worker.close,
  }
}

const testers = new WeakMap<object, Tester>()

/** The one of an editor. */
export function testerOf(editor: object): Tester {
  let tester = testers.get(editor)
  if (!tester) testers.set(editor, (tester = new Tester()))
  return tester
}
