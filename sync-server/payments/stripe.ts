// Stripe: a Checkout page in payment mode that keeps the card for later, PaymentIntents for renewals, signed webhooks. The subscription itself
// is ours (model-schema/business/subscription.ts), so that all providers do the same. https://docs.stripe.com/payments/checkout, /webhooks,
// /payments/save-during-payment An account may sell other things too, and its webhooks report all of them. Ours are recognised by metadata,
// which only holders of the secret key write; `client_reference_id` is for people who look at the dashboard, since anybody may put one into the
// address of a payment link.
import { Stripe } from 'stripe'
import { z } from 'zod'
import { plans } from '../../model-schema/business/plans.ts'
import type { PlanTable } from '../../model-schema/business/plans.ts'
import { Refusal } from '../http.ts'
import type { Bill, PaymentEvent, Payments } from './payments.ts'
import { english } from '../../model-schema/words.ts'

type StripeKeys = {
  secret: string
  webhookSecret: string
  /** Another address than api.stripe.com. */
  at?: { protocol: 'http' | 'https'; host: string; port: number }
}

/** How long the page can be paid on; Stripe allows no less than half an hour. */
const OPEN_SECONDS = 31 * 60

/** Most of a customer's payments looked through for one of the same order; there are at most a few attempts a period. */
const LOOKED_THROUGH = 100

export function stripePayments(keys: StripeKeys, table: PlanTable = plans): Payments {
  const isLive = /^[sr]k_live_/.test(keys.secret)
  const stripe = new Stripe(keys.secret, { maxNetworkRetries: 2, timeout: 20_000, telemetry: false, ...keys.at })
  const nameOf = ({ level, interval }: Bill): string =>
    `Holarchy ${english(table[level].label)}, ${interval === 'month' ? 'a month' : 'a year'}`
  return {
    name: 'stripe',
    async checkout(wanted) {
      const session = await stripe.checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: wanted.order,
          metadata: { order: wanted.order },
          line_items: [
            { quantity: 1, price_data: { currency: 'usd', unit_amount: wanted.amount, product_data: { name: nameOf(wanted) } } },
          ],
          // What is paid is what was asked, in our currency, as the invoice says.
          adaptive_pricing: { enabled: false },
          // The card is kept, so that renewals need no person.
          payment_intent_data: { setup_future_usage: 'off_session', metadata: { order: wanted.order } },
          ...(wanted.customer === null ? { customer_email: wanted.email, customer_creation: 'always' } : { customer: wanted.customer }),
          success_url: wanted.done,
          cancel_url: wanted.cancelled,
          expires_at: Math.floor(Date.now() / 1000) + OPEN_SECONDS,
        },
        { idempotencyKey: `checkout_${wanted.order}` },
      )
      if (session.url === null) throw new Error(`stripe: the session ${session.id} has no page`)
      return { url: session.url }
    },
    async charge({ customer, key, ...bill }) {
      // Stripe forgets keys after a day. What was charged by a server that died before it could say so is found by its order.
      const before = await stripe.paymentIntents.list({ customer, limit: LOOKED_THROUGH })
      const tried = before.data.filter(({ metadata }) => metadata['order'] === bill.order)
      const paid = tried.find(({ status }) => status === 'succeeded')
      if (paid !== undefined) return { outcome: 'paid', reference: paid.id }
      if (tried.some(isUnderWay)) throw new Error(`stripe: ${bill.order} is still being paid`)
      const { data } = await stripe.customers.listPaymentMethods(customer, { limit: 1 })
      const [method] = data
      if (method === undefined) return { outcome: 'declined', reference: null }
      try {
        const intent = await stripe.paymentIntents.create(
          {
            amount: bill.amount,
            currency: 'usd',
            customer,
            payment_method: method.id,
            off_session: true,
            confirm: true,
            description: nameOf(bill),
            metadata: { order: bill.order },
          },
          { idempotencyKey: `charge_${key}` },
        )
        if (isUnderWay(intent)) throw new Error(`stripe: ${bill.order} is being paid`)
        return { outcome: intent.status === 'succeeded' ? 'paid' : 'declined', reference: intent.id }
      } catch (error) {
        // Declined, or authentication is required: the person is notified and pays themselves. Any other error decides nothing.
        if (error instanceof Stripe.errors.StripeCardError) return { outcome: 'declined', reference: error.payment_intent?.id ?? null }
        throw error
      }
    },
    async refund(order, reference) {
      try {
        await stripe.refunds.create({ payment_intent: reference }, { idempotencyKey: `refund_${order}` })
      } catch (error) {
        // By us before, or by a person at the dashboard.
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || error.code !== 'charge_already_refunded') throw error
      }
    },
    async read(text, signature) {
      let event: unknown
      try {
        event = await stripe.webhooks.constructEventAsync(text, signature ?? '', keys.webhookSecret)
      } catch {
        // The check makes no network call: any failure is a fault of the request.
        throw new Refusal('invalid-params', 'the event is not signed by Stripe')
      }
      const read = Told.safeParse(event)
      // Cards of the test mode pay for nothing.
      return read.success && read.data.livemode === isLive ? eventOf(read.data) : null
    },
  }
}

/** Neither paid nor declined yet, as debits from a bank account are for days. */
const isUnderWay = ({ status }: Stripe.PaymentIntent): boolean => status === 'processing'

const thing = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).nullable()

/** Of an event about a page to pay on that we made, what is used; Stripe's versions differ in the rest. */
const Told = z.object({
  id: z.string().min(1).max(255),
  type: z.string(),
  livemode: z.boolean(),
  data: z.object({
    object: z.object({
      mode: z.literal('payment'),
      metadata: z.object({ order: z.string().regex(/^[\w-]{1,120}$/) }),
      payment_status: z.string(),
      amount_total: z.number().int().nullable(),
      currency: z.string().nullable(),
      payment_intent: thing,
      customer: thing,
    }),
  }),
})

function eventOf({ id, type, data: { object } }: z.output<typeof Told>): PaymentEvent | null {
  const { amount_total: amount, currency, payment_intent: reference, customer } = object
  const about = { id, order: object.metadata.order, reference, customer }
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      // Methods that take days complete before they pay: the next event says how it went.
      if (object.payment_status !== 'paid' || amount === null || currency === null) return null
      return { ...about, outcome: 'paid', sum: { amount, currency } }
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      return { ...about, outcome: 'declined', sum: null }
    default:
      return null
  }
}
