// A subscription as a state machine, without a clock, a database or money: the possible changes, their price, the next state. The server
// applies it, the client offers what it allows. Times are milliseconds since 1970, amounts US cents.
import { levels, plans as shippedPlans } from './plans.ts'
import type { PlanLevel, PlanTable } from './plans.ts'
import { say, type Words } from '../words.ts'
import { unreachable } from '../unreachable.ts'

export const intervals = ['month', 'year'] as const
export type Interval = (typeof intervals)[number]

export type Subscription = {
  readonly level: PlanLevel
  readonly interval: Interval
  /** `ending`: cancelled, but active until the period's end. `pastDue`: the period has ended and is not paid yet. */
  readonly status: 'active' | 'ending' | 'pastDue'
  /** The period that is paid. */
  readonly from: number
  readonly until: number
  /** What a whole period of this level cost when it began. */
  readonly price: number
  /** The day of the month periods begin on, 1-31; the last of a month that has fewer. */
  readonly day: number
  /** From the period's end on. */
  readonly next: { readonly level: PlanLevel; readonly interval: Interval } | null
}

/** Possible changes of a subscription; `null` is the state without one. */
export type SubscriptionChange =
  | { type: 'subscribe'; level: PlanLevel; interval: Interval }
  | { type: 'upgrade'; level: PlanLevel }
  | { type: 'downgrade'; level: PlanLevel }
  | { type: 'changeInterval'; interval: Interval }
  | { type: 'cancel' }
  /** Takes back what was to happen at the period's end. */
  | { type: 'keep' }
  /** Pays for a period that could not be paid. */
  | { type: 'pay' }
/** Why a change is unsupported. */
export const refusals = {
  subscribed: say('There is a subscription already; change that one.'),
  none: say('There is no subscription.'),
  'not-sold': say('This plan cannot be subscribed to here.'),
  included: say('Everybody here has as much without a subscription.'),
  'not-higher': say('This is no higher plan.'),
  'not-lower': say('This is no lower plan.'),
  same: say('It is so already.'),
  ending: say('The subscription is about to end; keep it first.'),
  'past-due': say('The subscription has to be paid first.'),
  paid: say('The subscription is paid.'),
  'nothing-planned': say('Nothing is planned that could be taken back.'),
  'by-agreement': say('This plan is by agreement; ask whoever runs this server.'),
} as const satisfies Record<string, Words>
export type Why = keyof typeof refusals

/** `charge` is to be paid before `state` comes about; nothing means now. */
export type Verdict = { ok: true; state: Subscription | null; charge: number } | { ok: false; why: Why }

type Terms = {
  readonly now: number
  readonly plans?: PlanTable
  /** The plan without a subscription. */
  readonly base?: PlanLevel
}

/** Less is not worth a payment: it is given. */
export const LEAST_CHARGE = 50
/** How long a subscription that could not be renewed stays active, in milliseconds. */
export const GRACE_MS = 7 * 86_400_000

/** What a period of a plan costs; null when it is not for sale. */
export function priceOf(level: PlanLevel, interval: Interval, plans: PlanTable = shippedPlans): number | null {
  const price = plans[level].price?.[interval] ?? null
  return price === null || price <= 0 ? null : price
}

/** The result of a requested change of a subscription, and its price. */
export function judge(state: Subscription | null, change: SubscriptionChange, terms: Terms): Verdict {
  if (state === null) return change.type === 'subscribe' ? subscribe(change, terms) : no('none')
  if (change.type === 'subscribe') return no('subscribed')
  if (state.status === 'pastDue') {
    if (change.type === 'cancel') return yes(null)
    return change.type === 'pay' ? pay(state, terms) : no('past-due')
  }
  switch (change.type) {
    case 'pay':
      return no('paid')
    case 'keep':
      if (state.status === 'ending') return yes({ ...state, status: 'active' })
      return state.next === null ? no('nothing-planned') : yes({ ...state, next: null })
    case 'cancel':
      return state.status === 'ending' ? no('same') : yes({ ...state, status: 'ending', next: null })
    case 'upgrade':
      return state.status === 'ending' ? no('ending') : upgrade(state, change.level, terms)
    case 'downgrade':
      return state.status === 'ending' ? no('ending') : downgrade(state, change.level, terms)
    case 'changeInterval':
      return state.status === 'ending' ? no('ending') : changeInterval(state, change.interval, terms)
    default:
      return unreachable(change)
  }
}

function subscribe(
  { level, interval }: { level: PlanLevel; interval: Interval },
  { now, plans = shippedPlans, base = 'free' }: Terms,
): Verdict {
  const price = priceOf(level, interval, plans)
  if (price === null) return no('not-sold')
  if (rank(level) <= rank(base)) return no('included')
  const day = new Date(now).getUTCDate()
  const state: Subscription = {
    level,
    interval,
    status: 'active',
    from: now,
    until: periodAfter(now, interval, day),
    price,
    day,
    next: null,
  }
  return yes(state, price)
}

/** At once; what the rest of the period costs more is paid. A lesser plan that was to come does not. */
function upgrade(state: Subscription, level: PlanLevel, { now, plans = shippedPlans }: Terms): Verdict {
  const price = priceOf(level, state.interval, plans)
  if (price === null) return no('not-sold')
  if (rank(level) <= rank(state.level)) return no('not-higher')
  const left = Math.min(1, Math.max(0, (state.until - now) / (state.until - state.from)))
  const charge = Math.ceil(Math.max(0, price - state.price) * left)
  const interval = state.next?.interval ?? state.interval
  const next = interval === state.interval || priceOf(level, interval, plans) === null ? null : { level, interval }
  return yes({ ...state, level, price, next }, charge < LEAST_CHARGE ? 0 : charge)
}

/** From the period's end on. */
function downgrade(state: Subscription, level: PlanLevel, { plans = shippedPlans, base = 'free' }: Terms): Verdict {
  if (rank(level) >= rank(state.level)) return no('not-lower')
  // Down to what everybody has is the end of it.
  if (rank(level) <= rank(base)) return yes({ ...state, status: 'ending', next: null })
  const interval = state.next?.interval ?? state.interval
  if (priceOf(level, interval, plans) === null) return no('not-sold')
  return state.next?.level === level ? no('same') : yes({ ...state, next: { level, interval } })
}

/** From the period's end on. */
function changeInterval(state: Subscription, interval: Interval, { plans = shippedPlans }: Terms): Verdict {
  const planned = state.next ?? state
  if (planned.interval === interval) return no('same')
  if (priceOf(planned.level, interval, plans) === null) return no('not-sold')
  const isAsNow = planned.level === state.level && interval === state.interval
  return yes({ ...state, next: isAsNow ? null : { level: planned.level, interval } })
}

function pay(state: Subscription, { now, plans = shippedPlans }: Terms): Verdict {
  const due = renewal(state, plans)
  // The new period begins when it is paid: days without service are not charged.
  return due === null ? no('not-sold') : yes(begun(due.state, now), due.charge)
}

/** The period after this one and its price, for a subscription that continues; null for one that ends. */
export function renewal(state: Subscription, plans: PlanTable = shippedPlans): { state: Subscription; charge: number } | null {
  if (state.status === 'ending') return null
  const { level, interval } = state.next ?? state
  const price = priceOf(level, interval, plans)
  if (price === null) return null
  return { state: begun({ ...state, level, interval, price, status: 'active', next: null }, state.until), charge: price }
}

const begun = (state: Subscription, from: number): Subscription => {
  // A period that begins late keeps its day of the month only if that day is what it began on.
  const day = from === state.until ? state.day : new Date(from).getUTCDate()
  return { ...state, day, from, until: periodAfter(from, state.interval, day) }
}

type Due = { type: 'nothing' } | { type: 'end' } | { type: 'renew'; state: Subscription; charge: number }

/** What is to be done about a subscription by itself, now. */
export function dueAt(state: Subscription, now: number, plans: PlanTable = shippedPlans): Due {
  if (now < state.until) return { type: 'nothing' }
  const next = renewal(state, plans)
  if (next === null || now >= state.until + GRACE_MS) return { type: 'end' }
  return { type: 'renew', ...next }
}

/** A renewal could not be paid. */
export const unpaid = (state: Subscription): Subscription => ({ ...state, status: 'pastDue' })

/** Until when a subscription gives its plan, if nothing else happens. */
export const inForceUntil = (state: Subscription): number => (state.status === 'ending' ? state.until : state.until + GRACE_MS)

/** A month or a year after `from` (UTC), on this day of the month or the last there is. */
export function periodAfter(from: number, interval: Interval, day: number): number {
  const at = new Date(from)
  const month = at.getUTCMonth() + (interval === 'month' ? 1 : 12)
  const last = new Date(Date.UTC(at.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const start = new Date(from)
  start.setUTCFullYear(at.getUTCFullYear(), month, Math.min(day, last))
  return start.getTime()
}

const rank = (level: PlanLevel): number => levels.indexOf(level)
const yes = (state: Subscription | null, charge = 0): Verdict => ({ ok: true, state, charge })
const no = (why: Why): Verdict => ({ ok: false, why })
