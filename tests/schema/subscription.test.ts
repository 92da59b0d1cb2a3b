// The subscription's state machine: every transition and refusal, as a table, and laws on random histories.
import { describe, expect, it } from 'vitest'
import { levels, plans } from '../../model-schema/business/plans.ts'
import type { PlanLevel } from '../../model-schema/business/plans.ts'
import {
  GRACE_MS,
  LEAST_CHARGE,
  dueAt,
  inForceUntil,
  intervals,
  judge,
  periodAfter,
  priceOf,
  refusals,
  renewal,
  unpaid,
} from '../../model-schema/business/subscription.ts'
import type { SubscriptionChange, Subscription, Verdict, Why } from '../../model-schema/business/subscription.ts'
import { chance, seeds } from '../help/random.ts'
import type { Chance } from '../help/random.ts'

const DAY = 86_400_000
const start = Date.UTC(2027, 0, 31, 12)
const plus: Subscription = {
  level: 'plus',
  interval: 'month',
  status: 'active',
  from: start,
  until: periodAfter(start, 'month', 31),
  price: 1900,
  day: 31,
  next: null,
}
const half = start + (plus.until - start) / 2
const ending: Subscription = { ...plus, status: 'ending' }
const pastDue: Subscription = { ...plus, status: 'pastDue' }
const lesser: Subscription = { ...plus, next: { level: 'basic', interval: 'month' } }
const yearly: Subscription = { ...plus, next: { level: 'plus', interval: 'year' } }

type Row = [
  state: Subscription | null,
  change: SubscriptionChange,
  expected: Why | { charge?: number; state: Partial<Subscription> | null },
]
const rows: Row[] = [
  [
    null,
    { type: 'subscribe', level: 'basic', interval: 'month' },
    { charge: 900, state: { level: 'basic', interval: 'month', status: 'active', price: 900 } },
  ],
  [
    null,
    { type: 'subscribe', level: 'unlimited', interval: 'year' },
    { charge: 199_000, state: { level: 'unlimited', until: periodAfter(half, 'year', 14) } },
  ],
  [null, { type: 'subscribe', level: 'free', interval: 'month' }, 'not-sold'],
  [null, { type: 'subscribe', level: 'custom', interval: 'year' }, 'not-sold'],
  [null, { type: 'upgrade', level: 'pro' }, 'none'],
  [null, { type: 'downgrade', level: 'basic' }, 'none'],
  [null, { type: 'changeInterval', interval: 'year' }, 'none'],
  [null, { type: 'cancel' }, 'none'],
  [null, { type: 'keep' }, 'none'],
  [null, { type: 'pay' }, 'none'],
  [plus, { type: 'subscribe', level: 'pro', interval: 'month' }, 'subscribed'],
  // Half a month of 30 dollars more.
  [plus, { type: 'upgrade', level: 'pro' }, { charge: 1500, state: { level: 'pro', price: 4900, until: plus.until, next: null } }],
  [plus, { type: 'upgrade', level: 'plus' }, 'not-higher'],
  [plus, { type: 'upgrade', level: 'basic' }, 'not-higher'],
  [plus, { type: 'upgrade', level: 'custom' }, 'not-sold'],
  [plus, { type: 'downgrade', level: 'basic' }, { charge: 0, state: { level: 'plus', next: { level: 'basic', interval: 'month' } } }],
  [plus, { type: 'downgrade', level: 'free' }, { charge: 0, state: { level: 'plus', status: 'ending' } }],
  [plus, { type: 'downgrade', level: 'plus' }, 'not-lower'],
  [plus, { type: 'downgrade', level: 'pro' }, 'not-lower'],
  [
    plus,
    { type: 'changeInterval', interval: 'year' },
    { charge: 0, state: { interval: 'month', next: { level: 'plus', interval: 'year' } } },
  ],
  [plus, { type: 'changeInterval', interval: 'month' }, 'same'],
  [plus, { type: 'cancel' }, { charge: 0, state: { status: 'ending', until: plus.until } }],
  [plus, { type: 'keep' }, 'nothing-planned'],
  [plus, { type: 'pay' }, 'paid'],
  [lesser, { type: 'downgrade', level: 'basic' }, 'same'],
  [lesser, { type: 'changeInterval', interval: 'year' }, { state: { next: { level: 'basic', interval: 'year' } } }],
  [lesser, { type: 'upgrade', level: 'pro' }, { charge: 1500, state: { level: 'pro', next: null } }],
  [lesser, { type: 'keep' }, { charge: 0, state: { next: null } }],
  [lesser, { type: 'cancel' }, { state: { status: 'ending', next: null } }],
  [yearly, { type: 'changeInterval', interval: 'month' }, { state: { next: null } }],
  [
    yearly,
    { type: 'upgrade', level: 'pro' },
    { charge: 1500, state: { level: 'pro', interval: 'month', next: { level: 'pro', interval: 'year' } } },
  ],
  [yearly, { type: 'downgrade', level: 'basic' }, { state: { next: { level: 'basic', interval: 'year' } } }],
  [ending, { type: 'subscribe', level: 'pro', interval: 'month' }, 'subscribed'],
  [ending, { type: 'upgrade', level: 'pro' }, 'ending'],
  [ending, { type: 'downgrade', level: 'basic' }, 'ending'],
  [ending, { type: 'changeInterval', interval: 'year' }, 'ending'],
  [ending, { type: 'cancel' }, 'same'],
  [ending, { type: 'keep' }, { charge: 0, state: { status: 'active' } }],
  [ending, { type: 'pay' }, 'paid'],
  [pastDue, { type: 'subscribe', level: 'pro', interval: 'month' }, 'subscribed'],
  [pastDue, { type: 'upgrade', level: 'pro' }, 'past-due'],
  [pastDue, { type: 'downgrade', level: 'basic' }, 'past-due'],
  [pastDue, { type: 'changeInterval', interval: 'year' }, 'past-due'],
  [pastDue, { type: 'keep' }, 'past-due'],
  [pastDue, { type: 'cancel' }, { charge: 0, state: null }],
  [pastDue, { type: 'pay' }, { charge: 1900, state: { status: 'active', from: half, price: 1900 } }],
]

describe('every state and change', () => {
  it.each(rows)('%#', (state, change, expected) => {
    const verdict = judge(state, change, { now: half })
    if (typeof expected === 'string') return expect(verdict).toEqual({ ok: false, why: expected })
    expect(verdict).toMatchObject({ ok: true, ...expected })
  })

  it('is in the table', () => {
    const name = (state: Subscription | null) => state?.status ?? 'none'
    const seen = new Set(rows.map(([state, change]) => `${name(state)} ${change.type}`))
    for (const status of ['none', 'active', 'ending', 'pastDue'])
      for (const type of ['subscribe', 'upgrade', 'downgrade', 'changeInterval', 'cancel', 'keep', 'pay'])
        expect(seen).toContain(`${status} ${type}`)
    const whys = new Set(rows.map(([, , expected]) => expected).filter(one => typeof one === 'string'))
    // The others depend on the server: what it gives everybody, and what was agreed with an operator.
    expect(
      Object.keys(refusals)
        .filter(why => !whys.has(why as Why))
        .sort(),
    ).toEqual(['by-agreement', 'included'])
  })

  it('asks nothing for what everybody has, and nothing can be sold that has no price', () => {
    expect(judge(null, { type: 'subscribe', level: 'basic', interval: 'month' }, { now: half, base: 'plus' })).toEqual({
      ok: false,
      why: 'included',
    })
    expect(judge(plus, { type: 'downgrade', level: 'basic' }, { now: half, base: 'basic' })).toMatchObject({ state: { status: 'ending' } })
    const unsold = { ...plans, basic: { ...plans.basic, price: { month: 900, year: 0 } } }
    expect(judge(lesser, { type: 'changeInterval', interval: 'year' }, { now: half, plans: unsold })).toEqual({
      ok: false,
      why: 'not-sold',
    })
    expect(judge(yearly, { type: 'downgrade', level: 'basic' }, { now: half, plans: unsold })).toEqual({ ok: false, why: 'not-sold' })
  })
})

describe('time', () => {
  it('keeps the day of the month, or the last there is', () => {
    const days: string[] = []
    let at = start
    for (let i = 0; i < 5; i++) days.push(new Date((at = periodAfter(at, 'month', 31))).toISOString().slice(0, 16))
    expect(days).toEqual(['2027-02-28T12:00', '2027-03-31T12:00', '2027-04-30T12:00', '2027-05-31T12:00', '2027-06-30T12:00'])
    expect(new Date(periodAfter(Date.UTC(2028, 1, 29), 'year', 29)).toISOString().slice(0, 10)).toBe('2029-02-28')
  })

  it('renews at the end, waits a week for a payment, and ends', () => {
    expect(dueAt(plus, plus.until - 1)).toEqual({ type: 'nothing' })
    expect(dueAt(plus, plus.until)).toMatchObject({ type: 'renew', charge: 1900, state: { from: plus.until, status: 'active' } })
    expect(dueAt(lesser, plus.until)).toMatchObject({ type: 'renew', charge: 900, state: { level: 'basic', next: null } })
    expect(dueAt(yearly, plus.until)).toMatchObject({
      charge: 19_000,
      state: { interval: 'year', until: periodAfter(plus.until, 'year', 31) },
    })
    expect(dueAt(ending, plus.until)).toEqual({ type: 'end' })
    expect(dueAt(unpaid(plus), plus.until + DAY)).toMatchObject({ type: 'renew' })
    expect(dueAt(unpaid(plus), plus.until + GRACE_MS)).toEqual({ type: 'end' })
    const gone = { ...plans, plus: { ...plans.plus, price: null } }
    expect(dueAt(plus, plus.until, gone)).toEqual({ type: 'end' })
    expect(inForceUntil(plus)).toBe(plus.until + GRACE_MS)
    expect(inForceUntil(ending)).toBe(plus.until)
  })
})

const draw = (random: Chance): SubscriptionChange => {
  const level = random.pick(levels)
  const interval = random.pick(intervals)
  return random.pick<SubscriptionChange>([
    { type: 'subscribe', level, interval },
    { type: 'upgrade', level },
    { type: 'downgrade', level },
    { type: 'changeInterval', interval },
    { type: 'cancel' },
    { type: 'keep' },
    { type: 'pay' },
  ])
}
const rank = (level: PlanLevel): number => levels.indexOf(level)

it('laws of random histories: nothing above what was paid, nothing lost before its end, refusals change nothing', () => {
  seeds(400, random => {
    let state: Subscription | null = null
    let now = start + random.below(400) * DAY
    let paid = 0
    /** What the whole time cost by the day, at the plan in force, in cents. */
    let had = 0
    for (let i = 0; i < 60; i++) {
      const before: Subscription | null = state
      const change = draw(random)
      const verdict: Verdict = judge(state, change, { now })
      if (verdict.ok) {
        expect(Number.isInteger(verdict.charge) && (verdict.charge === 0 || verdict.charge >= LEAST_CHARGE)).toBe(true)
        if (['downgrade', 'changeInterval', 'cancel', 'keep'].includes(change.type)) {
          expect(verdict.charge).toBe(0)
          // A paid subscription continues; only a debt can be dropped at once.
          if (before?.status !== 'pastDue')
            expect(verdict.state).toMatchObject({ level: before?.level, until: before?.until, interval: before?.interval })
        }
        if (change.type === 'upgrade' && before !== null) {
          expect(rank(verdict.state?.level ?? 'free')).toBeGreaterThan(rank(before.level))
          // Never more than a whole period's difference.
          expect(verdict.charge).toBeLessThanOrEqual((priceOf(change.level, before.interval) ?? 0) - before.price)
        }
        if (verdict.state !== null) {
          expect(verdict.state.from).toBeLessThan(verdict.state.until)
          expect(priceOf(verdict.state.level, verdict.state.interval)).toBe(verdict.state.price)
          expect(verdict.state.status === 'ending' && verdict.state.next !== null).toBe(false)
          const planned = verdict.state.next
          if (planned !== null) expect(planned.level === verdict.state.level && planned.interval === verdict.state.interval).toBe(false)
        }
        paid += verdict.charge
        state = verdict.state
      }
      const later = now + random.below(20) * DAY
      if (state !== null) {
        const end = Math.min(later, state.until)
        if (end > now) had += (state.price * (end - now)) / (state.until - state.from)
      }
      now = later
      if (state !== null) {
        const due = dueAt(state, now)
        if (due.type === 'end') state = null
        else if (due.type === 'renew') {
          if (random.chance(0.7)) {
            paid += due.charge
            state = due.state
          } else state = unpaid(state)
        }
      }
    }
    // What one had is what one paid, less what is still to come; small upgrades are given.
    const rest =
      state === null || state.status === 'pastDue' ? 0 : Math.max(0, (state.price * (state.until - now)) / (state.until - state.from))
    expect(had + rest).toBeLessThanOrEqual(paid + 60 * LEAST_CHARGE + 1)
  })
})

it('a renewal of a subscription that goes on is the next period, seamless', () => {
  const random = chance(7)
  let state: Subscription = plus
  for (let i = 0; i < 40; i++) {
    const next = renewal(state)
    if (next === null) throw new Error('it goes on')
    expect(next.state.from).toBe(state.until)
    state = random.chance(0.3)
      ? { ...next.state, next: { level: random.pick(['basic', 'plus', 'pro'] as const), interval: random.pick(intervals) } }
      : next.state
  }
})
