// Executes the effects of a run: its engine, a second one that checks edits while the run is stopped, and the timers.
import type { Id } from '../../model-schema/model.ts'
import { hostProblem } from '../../sim-engine/host-problems.ts'
import type { Transport } from './engine.ts'
import type { Clock } from './run.ts'
import type { RunEffect, RunEvent } from './running.ts'
import { unreachable } from '../../model-schema/unreachable.ts'

/** Milliseconds without an owed answer until the page says so. */
const hintMs = 4_000

type HandEffect = Exclude<RunEffect, { type: 'load' | 'handOver' | 'file' }>

type Parts = { scenario: Id; clock: Clock; spawn(): Transport; tell(event: RunEvent): void }

export class Hands {
  readonly #parts: Parts
  #engine: Transport | null = null
  // A load would end the run of the first engine.
  #checker: Transport | null = null
  readonly #timers = { settle: () => {}, hint: () => {}, giveUp: () => {}, draw: () => {} }

  constructor(parts: Parts) {
    this.#parts = parts
  }

  execute(effect: HandEffect): void {
    const { clock, tell } = this.#parts
    const timers = this.#timers
    switch (effect.type) {
      case 'post':
        return this.#engine?.post(effect.message)
      case 'check':
        return this.#check(effect)
      case 'expect':
        this.#answered()
        timers.hint = clock.after(hintMs, () => tell({ type: 'silent' }))
        timers.giveUp = clock.after(effect.giveUpAfter, () => this.#broke(10002))
        return
      case 'answered':
        return this.#answered()
      case 'draw':
        timers.draw()
        timers.draw = clock.draw(() => tell({ type: 'drawn' }))
        return
      case 'undraw':
        return timers.draw()
      case 'settle':
        timers.settle()
        timers.settle = clock.after(effect.ms, () => tell({ type: 'settled' }))
        return
      case 'unsettle':
        return timers.settle()
      case 'closeEngine':
        return this.#closeEngine()
      default:
        return unreachable(effect)
    }
  }

  /** Whether there is an engine; starts one if there is none. */
  hasEngine(): boolean {
    if (this.#engine) return true
    try {
      this.#engine = this.#startedEngine()
      return true
    } catch (error) {
      console.error('engine:', error)
      this.#broke(10001)
      return false
    }
  }

  /** Ends what belongs to the load before. */
  finishLoad(): void {
    this.#timers.settle()
    this.#timers.draw()
    this.#closeChecker()
  }

  close(): void {
    for (const cancel of Object.values(this.#timers)) cancel()
    this.#closeChecker()
    this.#closeEngine()
  }

  #startedEngine(): Transport {
    const started = this.#parts.spawn()
    started.listen(
      message => {
        if (this.#engine === started) this.#parts.tell({ type: 'heard', message })
      },
      reason => {
        if (this.#engine !== started) return
        console.error('engine:', reason)
        this.#broke(10002)
      },
    )
    return started
  }

  #closeEngine(): void {
    this.#engine?.close()
    this.#engine = null
  }

  #check({ message }: Extract<RunEffect, { type: 'check' }>): void {
    try {
      this.#checker ??= this.#startedChecker()
      this.#checker.post(message)
    } catch (error) {
      console.error('engine:', error)
      this.#parts.tell({ type: 'checkerGone' })
    }
  }

  #startedChecker(): Transport {
    const { tell } = this.#parts
    const started = this.#parts.spawn()
    started.listen(
      message => {
        if (this.#checker === started && message.is === 'checked')
          tell({ type: 'checked', check: message.check, problems: message.problems })
      },
      // The run's own engine will report the problem: the next reset loads the same model there.
      () => {
        if (this.#checker !== started) return
        this.#closeChecker()
        tell({ type: 'checkerGone' })
      },
    )
    return started
  }

  #closeChecker(): void {
    this.#checker?.close()
    this.#checker = null
  }

  #answered(): void {
    this.#timers.hint()
    this.#timers.giveUp()
  }

  #broke(code: 10001 | 10002): void {
    this.#parts.tell({ type: 'broke', why: hostProblem(code, this.#parts.scenario) })
  }
}
