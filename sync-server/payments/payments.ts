// How money comes in, behind one small interface: a page to pay on, charging again without the person, giving back, and the provider's webhooks.
// The embedded provider moves no money (test.ts); Stripe does (stripe.ts).
import type { Interval } from '../../model-schema/business/subscription.ts'
import type { PlanLevel } from '../../model-schema/business/plans.ts'

export type Bill = {
  /** Our id; the provider sends it back with its notifications. */
  order: string
  /** US cents. */
  amount: number
  level: PlanLevel
  interval: Interval
}

type Checkout = Bill & {
  userId: string
  email: string
  /** Known from an earlier payment. */
  customer: string | null
  /** Where the person comes back to. */
  done: string
  cancelled: string
}

/** What a provider reports of an order. */
export type PaymentEvent = {
  /** The same event always has the same. */
  id: string
  order: string
  outcome: 'paid' | 'declined'
  /** What was paid, in the smallest unit of the currency; null when no money moved. */
  sum: { amount: number; currency: string } | null
  /** The payment's at the provider: what is given back. */
  reference: string | null
  customer: string | null
}

export type Payments = {
  readonly name: 'test' | 'stripe'
  /** Begins a payment; the person goes to `url`, which may be a path of ours. */
  checkout(wanted: Checkout): Promise<{ url: string }>
  /** Charges the person who paid before. `key` names this one attempt. Throws when the provider can't be reached: the outcome is then unknown. */
  charge(bill: Bill & { customer: string; key: string }): Promise<{ outcome: 'paid' | 'declined'; reference: string | null }>
  /** Gives a payment back, once, however often it is asked for. */
  refund(order: string, reference: string): Promise<void>
  /** Reads what the provider sent; null when it is about nothing of ours. Throws `invalid-params` when the provider did not send it. */
  read(text: string, signature: string | undefined): Promise<PaymentEvent | null>
}
