// What executes the effects of a run: its engine, a second one that checks edits while the run stands, and the timers.
import type { Id } from '../../model-schema/model.ts'
import { hostProblem } from '../../sim-engine/host-problems.ts'
import type { Transport } from './engine.ts'
import type { Clock } from './run.ts'
import type { RunEffect, RunEvent } from './running.ts'

/** Milliseconds without an owed answer until the page says so. */
const hintMs = 4_000

export type Hands = {
  execute(effect: HandEffect): void
  /** Whether there is an engine; starts one where there is none. */
  hasEngine(): boolean
  /** Ends what belongs to the load before. */
  finishLoad(): void
  close(): void
}

export type HandEffect = Exclude<RunEffect, { type: 'load' | 'handOver' | 'file' }>

type Parts = { scenario: Id; clock: Clock; spawn(): Transport; tell(event: RunEvent): void }

export function createHands({ scenario, clock, spawn, tell }: Parts): Hands {
  let engine: Transport | null = null
  // A load would end the run of the first engine.
  let checker: Transport | null = null
  const timers = { settle: () => {}, hint: () => {}, giveUp: () => {}, draw: () => {} }
  const broke = (code: 10001 | 10002): void => tell({ type: 'broke', why: hostProblem(code, scenario) })

  function hasEngine(): boolean {
    if (engine) return true
    try {
      const started = spawn()
      started.listen(
        message => {
          if (engine === started) tell({ type: 'heard', message })
        },
        reason => {
          if (engine !== started) return
          console.error('engine:', reason)
          broke(10002)
        },
      )
      engine = started
      return true
    } catch (error) {
      console.error('engine:', error)
      broke(10001)
      return false
    }
  }

  function closeChecker(): void {
    checker?.close()
    checker = null
  }

  function check({ message }: Extract<RunEffect, { type: 'check' }>): void {
    try {
      checker ??= startedChecker()
      checker.post(message)
    } catch (error) {
      console.error('engine:', error)
      tell({ type: 'checkerGone' })
    }
  }

  function startedChecker(): Transport {
    const started = spawn()
    started.listen(
      message => {
        if (checker === started && message.is === 'checked') tell({ type: 'checked', check: message.check, problems: message.problems })
      },
      // The run's own engine will tell: the next reset loads the same model there.
      () => {
        if (checker !== started) return
        closeChecker()
        tell({ type: 'checkerGone' })
      },
    )
    return started
  }

  function answered(): void {
    timers.hint()
    timers.giveUp()
  }

  function execute(effect: HandEffect): void {
    switch (effect.type) {
      case 'post':
        return engine?.post(effect.message)
      case 'check':
        return check(effect)
      case 'expect':
        answered()
        timers.hint = clock.after(hintMs, () => tell({ type: 'silent' }))
        timers.giveUp = clock.after(effect.giveUpAfter, () => broke(10002))
        return
      case 'answered':
        return answered()
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
        engine?.close()
        engine = null
        return
    }
  }

  return {
    execute,
    hasEngine,
    finishLoad() {
      timers.settle()
      timers.draw()
      closeChecker()
    },
    close() {
      for (const cancel of Object.values(timers)) cancel()
      closeChecker()
      engine?.close()
      engine = null
    },
  }
}
