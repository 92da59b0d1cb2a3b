// Which provider takes the payments, from the settings.
import type { PlanTable } from '../../model-schema/business/plans.ts'
import type { Payments } from './payments.ts'
import { testPayments } from './test.ts'

type PaymentSettings = {
  PAYMENTS?: 'test' | 'stripe' | 'none' | undefined
  STRIPE_SECRET_KEY?: string | undefined
  STRIPE_WEBHOOK_SECRET?: string | undefined
}

/**
 * Stripe when its keys are there; otherwise the embedded provider, which gives plans away, on a server of one's own (`embedded`), and none where
 * strangers come. Rejects with an Error when Stripe is wanted and a key is missing.
 */
export async function paymentsBy(settings: PaymentSettings, embedded: boolean, plans: PlanTable): Promise<Payments | null> {
  const { STRIPE_SECRET_KEY: secret, STRIPE_WEBHOOK_SECRET: webhookSecret } = settings
  const wanted = settings.PAYMENTS ?? (secret === undefined ? (embedded ? 'test' : 'none') : 'stripe')
  if (wanted === 'none') return null
  if (wanted === 'test') return testPayments()
  if (secret === undefined || webhookSecret === undefined) throw new Error('Stripe needs STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET')
  // Loaded only where it is wanted: it is a tenth of what the server consists of.
  const { stripePayments } = await import('./stripe.ts')
  return stripePayments({ secret, webhookSecret }, plans)
}
