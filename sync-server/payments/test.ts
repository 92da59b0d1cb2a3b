// The embedded provider: a page of ours with "pay" and "decline", and no money. The customer remembers what later charges are to meet with.
import { Refusal } from '../http.ts'
import type { PaymentEvent, Payments } from './payments.ts'

const PAYS = 'test_pays'
const DECLINES = 'test_declines'

export function testPayments(): Payments {
  return {
    name: 'test',
    // A path: under whatever address the person came by, where they are signed in.
    checkout: ({ order }) => Promise.resolve({ url: `/account/checkout/${order}` }),
    charge: ({ customer, key }) =>
      Promise.resolve(customer === DECLINES ? { outcome: 'declined', reference: null } : { outcome: 'paid', reference: `test_${key}` }),
    refund: () => Promise.resolve(),
    read: () => {
      throw new Refusal('not-found', 'nobody sends events here')
    },
  }
}

/** What a person chose on the page. */
export function chosen(order: string, outcome: 'paid' | 'declined', renewals: 'paid' | 'declined'): PaymentEvent {
  const customer = renewals === 'paid' ? PAYS : DECLINES
  return { id: `test_${order}_${outcome}`, order, outcome, sum: null, reference: `test_${order}`, customer }
}
