import { describe, expect, it } from 'vitest'
import { Calendar } from '../../../sim-engine/kernel/calendar.ts'
import { hashOf } from '../../../sim-engine/kernel/snapshot.ts'
import { below, stream, uniform, type Stream } from '../../../sim-engine/kernel/random.ts'

type Entry = { time: number; phase: number; priority: number; sequence: number; kind: number; a: number; b: number; handle: number }

const earlier = (p: Entry, q: Entry): number => p.time - q.time || p.phase - q.phase || p.priority - q.priority || p.sequence - q.sequence

/** A calendar compared with a plain list that is sorted whenever the next event is wanted. */
class Pair {
  calendar = new Calendar()
  reference: Entry[] = []
  #sequence = 0

  schedule(random: Stream, from: number): void {
    // Few distinct times, so that ties are common.
    const entry = {
      time: from + below(random, 6) / 2,
      phase: below(random, 3),
      priority: below(random, 3) - 1,
      sequence: this.#sequence++,
      kind: below(random, 5),
      a: below(random, 1000) - 500,
      b: uniform(random),
      handle: 0,
    }
    entry.handle = this.calendar.schedule(entry.time, entry.phase, entry.priority, entry.kind, entry.a, entry.b)
    this.reference.push(entry)
  }

  cancel(random: Stream): void {
    if (this.reference.length === 0) return
    const at = below(random, this.reference.length)
    const [entry] = this.reference.splice(at, 1)
    expect(this.calendar.isWaiting(entry!.handle)).toBe(true)
    expect(this.calendar.cancel(entry!.handle)).toBe(true)
    expect(this.calendar.cancel(entry!.handle)).toBe(false)
  }

  pop(): number {
    this.reference.sort(earlier)
    const first = this.reference.shift()
    expect(this.calendar.pop()).toBe(first !== undefined)
    if (!first) return 0
    const { time, phase, priority, kind, a, b } = this.calendar
    expect({ time, phase, priority, kind, a, b }).toEqual({
      time: first.time,
      phase: first.phase,
      priority: first.priority,
      kind: first.kind,
      a: first.a,
      b: first.b,
    })
    expect(this.calendar.cancel(first.handle)).toBe(false)
    return first.time
  }
}

describe('calendar', () => {
  it('takes events in the order of a sorted list, through cancelling and restoring: 2,000 random sequences', () => {
    for (let seed = 1; seed <= 2000; seed++) {
      const random = stream(seed, 0, 'calendar')
      const pair = new Pair()
      let now = 0
      const steps = seed % 100 === 0 ? 600 : 40
      for (let step = 0; step < steps; step++) {
        const dice = below(random, 10)
        if (dice < 5) pair.schedule(random, now)
        else if (dice < 7) pair.cancel(random)
        else now = Math.max(now, pair.pop())
        if (step === 20) {
          const copy = new Calendar()
          copy.load(pair.calendar.save())
          expect(hashOf(copy.save())).toBe(hashOf(pair.calendar.save()))
          pair.calendar = copy
        }
        expect(pair.calendar.size).toBe(pair.reference.length)
        pair.calendar.now = now + below(random, 2)
        expect(pair.calendar.isDue).toBe(pair.reference.some(event => event.time <= pair.calendar.now))
        if (below(random, 2) === 0) {
          pair.reference.sort(earlier)
          expect(pair.calendar.nextTime).toBe(pair.reference[0]?.time ?? Infinity)
          expect(pair.calendar.nextPhase).toBe(pair.reference[0]?.phase ?? -1)
        }
      }
      while (pair.reference.length > 0) pair.pop()
      expect(pair.calendar.pop()).toBe(false)
    }
  })

  it('drops masses of cancelled events without changing the order', () => {
    const random = stream(7, 0, 'mass')
    const pair = new Pair()
    for (let i = 0; i < 3000; i++) pair.schedule(random, below(random, 50))
    for (let i = 0; i < 2500; i++) pair.cancel(random)
    while (pair.reference.length > 0) pair.pop()
    expect(pair.calendar.nextTime).toBe(Infinity)
  })

  it('refuses what is not a time and forgets everything on clear', () => {
    const calendar = new Calendar()
    expect(() => calendar.schedule(NaN, 1, 0, 0, 0, 0)).toThrow(RangeError)
    const handle = calendar.schedule(Infinity, 1, 0, 3, 4, 5)
    calendar.clear()
    expect(calendar.size).toBe(0)
    expect(calendar.cancel(handle)).toBe(false)
    expect(calendar.pop()).toBe(false)
  })
})
