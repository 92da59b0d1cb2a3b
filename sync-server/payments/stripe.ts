// Stripe: a Checkout page in payment mode that keeps the card for later, PaymentIntents for renewals, signed webhooks. The subscription itself is ours
// (model-schema/subscription.ts), so that all providers do the same. https://docs.stripe.com/payments/checkout, /webhooks, /payments/save-during-payment
import { Stripe } from 'stripe'
import { plans } from '../../model-schema/plans.ts'
import type { PlanTable } from '../../model-schema/plans.ts'
import { Refusal } from '../http.ts'
import type { Bill, PaymentEvent, Payments } from './payments.ts'

export type StripeKeys = {
  secret: string
  webhookSecret: string
  /** Another address than api.stripe.com. */
  at?: { protocol: 'http' | 'https'; host: string; port: number }
}

/** How long the page can be paid on; Stripe allows no less than half an hour. */
const OPEN_SECONDS = 31 * 60

export function stripePayments(keys: StripeKeys, table: PlanTable = plans): Payments {
  const stripe = new Stripe(keys.secret, { maxNetworkRetries: 2, timeout: 20_000, telemetry: false, ...keys.at })
  const nameOf = ({ level, interval }: Bill): string => `Holarchy ${table[level].label.en}, ${interval === 'month' ? 'a month' : 'a year'}`
  return {
    name: 'stripe',
    async checkout(wanted) {
      const session = await stripe.checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: wanted.order,
          line_items: [
            { quantity: 1, price_data: { currency: 'usd', unit_amount: wanted.amount, product_data: { name: nameOf(wanted) } } },
          ],
          // The card is kept, so that renewals need nobody.
          payment_intent_data: { setup_future_usage: 'off_session', metadata: { order: wanted.order } },
          ...(wanted.customer === null ? { customer_email: wanted.email, customer_creation: 'always' } : { customer: wanted.customer }),
          success_url: wanted.done,
          cancel_url: wanted.cancelled,
          expires_at: Math.floor(Date.now() / 1000) + OPEN_SECONDS,
        },
        { idempotencyKey: `checkout_${wanted.order}` },
      )
      if (session.url === null) throw new Error(`stripe: the session ${session.id} has no page`)
      return { url: session.url, reference: idOf(session.payment_intent) }
    },
    async charge({ customer, key, ...bill }) {
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
        return { outcome: intent.status === 'succeeded' ? 'paid' : 'declined', reference: intent.id }
      } catch (error) {
        // Said no, or wants the person: they are told and pay themselves. Anything else tells nothing.
        if (error instanceof Stripe.errors.StripeCardError) return { outcome: 'declined', reference: error.payment_intent?.id ?? null }
        throw error
      }
    },
    async refund(order, reference) {
      await stripe.refunds.create({ payment_intent: reference }, { idempotencyKey: `refund_${order}` })
    },
    async read(text, signature) {
      let event
      try {
        event = await stripe.webhooks.constructEventAsync(text, signature ?? '', keys.webhookSecret)
      } catch (error) {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError)
          throw new Refusal('invalid-params', 'the event is not signed by Stripe')
        throw error
      }
      return eventOf(event)
    },
  }
}

function eventOf(event: Stripe.Event): PaymentEvent | null {
  switch (event.type) {
    case 'checkout.session.completed':
      // Methods that take days complete before they pay: the next event says how it went.
      return event.data.object.payment_status === 'unpaid' ? null : told(event.id, event.data.object, 'paid')
    case 'checkout.session.async_payment_succeeded':
      return told(event.id, event.data.object, 'paid')
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      return told(event.id, event.data.object, 'declined')
    default:
      return null
  }
}

function told(id: string, session: Stripe.Checkout.Session, outcome: 'paid' | 'declined'): PaymentEvent | null {
  const order = session.client_reference_id
  if (order === null) return null
  return { id, order, outcome, reference: idOf(session.payment_intent), customer: idOf(session.customer) }
}

const idOf = (thing: string | { id: string } | null): string | null => (typeof thing === 'string' ? thing : (thing?.id ?? null))
