import { describe, expect, test } from 'vitest'
import { afterEvent, atStart, type Effect, type Playback, type PlaybackEvent } from '../../../sim-engine/worker/playback.ts'
import { chance } from '../../help/random.ts'

const events: readonly PlaybackEvent[] = [
  { is: 'play' },
  { is: 'pause' },
  { is: 'step' },
  { is: 'token' },
  { is: 'travel', there: false },
  { is: 'travel', there: true },
  { is: 'stopped' },
  { is: 'arrived', ready: false },
  { is: 'arrived', ready: true },
  { is: 'over' },
]

/** All effects of events in turn, and where they lead. */
function after(...given: PlaybackEvent[]): [Playback, Effect[]] {
  let now = atStart
  const all: Effect[] = []
  for (const event of given) {
    const [next, effects] = afterEvent(now, event)
    now = next
    all.push(...effects)
  }
  return [now, all]
}

describe('playback', () => {
  test('random events: a job is under way exactly while a stretch is due', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = chance(seed)
      let now = atStart
      let isDue = false
      let arrives = false
      for (let i = 0; i < 60; i++) {
        const event = arrives
          ? random.pick([{ is: 'arrived', ready: false }, { is: 'over' }] satisfies PlaybackEvent[])
          : random.pick(events)
        const [next, effects] = afterEvent(now, event)
        for (const effect of effects) {
          if (effect === 'halt') isDue = false
          if (effect === 'go on') isDue = true
        }
        now = next
        // What arrives is answered at once by `arrived` or `over`.
        arrives = effects.includes('arrive')
        expect(isDue, `seed ${seed}, event ${i}: ${JSON.stringify(event)}`).toBe(now.job !== null && !arrives)
        if (now.job !== null) expect(now.state, `seed ${seed}, event ${i}`).toBe(now.job === 'travel' ? 'paused' : 'playing')
      }
    }
  })

  test('the end is told once, and again after a journey to another time', () => {
    const [ended, told] = after({ is: 'play' }, { is: 'over' }, { is: 'play' }, { is: 'pause' }, { is: 'over' })
    expect(ended).toEqual({ state: 'ended', job: null })
    expect(told.filter(effect => effect === 'tell end')).toHaveLength(1)
    const [, again] = after({ is: 'play' }, { is: 'over' }, { is: 'travel', there: false }, { is: 'over' })
    expect(again.filter(effect => effect === 'tell end')).toHaveLength(2)
  })

  test('an ended run plays and steps no further', () => {
    for (const event of [{ is: 'play' }, { is: 'pause' }, { is: 'step' }, { is: 'token' }] satisfies PlaybackEvent[]) {
      const [before, told] = after({ is: 'over' })
      const [now, effects] = after({ is: 'over' }, event)
      expect(now).toEqual(before)
      expect(effects.slice(told.length).filter(effect => effect !== 'halt')).toEqual([])
    }
  })

  test('play while playing keeps the stretch that is due', () => {
    expect(afterEvent({ state: 'playing', job: 'play' }, { is: 'play' })[1]).toEqual(['let go', 'go on'])
    expect(afterEvent({ state: 'playing', job: 'token' }, { is: 'play' })[1]).toEqual(['halt', 'let go', 'go on'])
  })
})
