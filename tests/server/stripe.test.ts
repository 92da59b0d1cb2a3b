// Stripe over the wire: what we ask of it, what its answers mean, and its events (tests/cases/payments, in the shape of its API reference), signed by its
// own library and verified by ours.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Stripe } from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { paymentsBy } from '../../sync-server/payments/settings.ts'
import { stripePayments } from '../../sync-server/payments/stripe.ts'
import type { Payments } from '../../sync-server/payments/payments.ts'
import { Person, startServer, useDatabase } from '../help/server.ts'
import type { TestServer } from '../help/server.ts'
import { plans } from '../../model-schema/plans.ts'

const suite = useDatabase()
const WEBHOOK_SECRET = 'whsec_only_for_tests'
const wire = (name: string, order = ''): string =>
  readFileSync(new URL(`../cases/payments/${name}.json`, import.meta.url), 'utf8').replaceAll('{order}', order)

type Request = { method: string; path: string; form: URLSearchParams; key: string | undefined; authorization: string | undefined }
const requests: Request[] = []
/** What the next charge is answered with. */
let charge: { status: number; body: string } = { status: 200, body: wire('intent') }
let http: Server
let payments: Payments
let server: TestServer

beforeAll(async () => {
  http = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const [path = ''] = (request.url ?? '').split('?')
      const form = new URLSearchParams(text)
      const key = request.headers['idempotency-key']
      requests.push({
        method: request.method ?? '',
        path,
        form,
        key: typeof key === 'string' ? key : undefined,
        authorization: request.headers.authorization,
      })
      const answer = (status: number, body: string): void =>
        void response
          .writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_1', 'stripe-should-retry': 'false' })
          .end(body)
      if (path === '/v1/checkout/sessions') answer(200, wire('session', form.get('client_reference_id') ?? ''))
      else if (path.endsWith('/payment_methods')) answer(200, wire('methods'))
      else if (path === '/v1/payment_intents') answer(charge.status, charge.body)
      else if (path === '/v1/refunds') answer(200, wire('refund'))
      else answer(404, '{"error":{"type":"invalid_request_error","message":"no such thing"}}')
    })
  })
  await new Promise<void>(done => http.listen(0, '127.0.0.1', done))
  const { port } = http.address() as AddressInfo
  payments = stripePayments({ secret: 'sk_test_1', webhookSecret: WEBHOOK_SECRET, at: { protocol: 'http', host: '127.0.0.1', port } })
  server = await startServer(suite.connection, { plan: 'free', payments })
})
afterAll(async () => {
  await server?.stop()
  await new Promise<void>(done => {
    http.close(() => done())
    http.closeAllConnections()
  })
})
beforeEach(() => {
  requests.length = 0
  charge = { status: 200, body: wire('intent') }
})

const bill = { order: 'order_1', amount: 900, level: 'basic', interval: 'month' } as const
const signed = (payload: string, secret = WEBHOOK_SECRET, timestamp?: number): string =>
  new Stripe('sk_test_1').webhooks.generateTestHeaderString({ payload, secret, ...(timestamp === undefined ? {} : { timestamp }) })

describe('what is asked of Stripe', () => {
  it('is a page to pay one amount on, that keeps the card, once for each order', async () => {
    const wanted = {
      ...bill,
      userId: 'u',
      email: 'ann@example.org',
      customer: null,
      done: 'http://localhost/done',
      cancelled: 'http://localhost/back',
    }
    const { url } = await payments.checkout(wanted)
    expect(url).toMatch(/^https:\/\/checkout\.stripe\.com\/c\/pay\/cs_test_/)
    const [request] = requests
    expect(request).toMatchObject({
      method: 'POST',
      path: '/v1/checkout/sessions',
      key: 'checkout_order_1',
      authorization: 'Bearer sk_test_1',
    })
    expect(Object.fromEntries(request!.form)).toMatchObject({
      mode: 'payment',
      client_reference_id: 'order_1',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '900',
      'line_items[0][price_data][product_data][name]': 'Holarchy Basic, a month',
      'payment_intent_data[setup_future_usage]': 'off_session',
      customer_email: 'ann@example.org',
      customer_creation: 'always',
      success_url: 'http://localhost/done',
      cancel_url: 'http://localhost/back',
    })
    await payments.checkout({ ...wanted, customer: 'cus_1' })
    expect(Object.fromEntries(requests[1]!.form)).toMatchObject({ customer: 'cus_1' })
    expect(requests[1]!.form.has('customer_email')).toBe(false)
  })

  it('is a charge without the person, that is paid, declined, or not known', async () => {
    const wanted = { ...bill, customer: 'cus_SbGYl34MpG4nv5', key: 'renewal_1_0' }
    expect(await payments.charge(wanted)).toEqual({ outcome: 'paid', reference: 'pi_3RgRQyEEXQJo9EEO0xVb8m5c' })
    expect(requests[0]?.path).toBe('/v1/customers/cus_SbGYl34MpG4nv5/payment_methods')
    expect(requests[1]).toMatchObject({ path: '/v1/payment_intents', key: 'charge_renewal_1_0' })
    expect(Object.fromEntries(requests[1]!.form)).toMatchObject({
      amount: '900',
      currency: 'usd',
      customer: 'cus_SbGYl34MpG4nv5',
      payment_method: 'pm_1RfN0QEEXQJo9EEOzYHrN3LV',
      off_session: 'true',
      confirm: 'true',
    })
    charge = { status: 402, body: wire('declined') }
    expect(await payments.charge(wanted)).toEqual({ outcome: 'declined', reference: 'pi_3RgRQyEEXQJo9EEO0xVb8m5c' })
    charge = { status: 500, body: '{"error":{"type":"api_error","message":"down"}}' }
    await expect(payments.charge(wanted)).rejects.toThrow()
  })

  it('is to give a payment back, once', async () => {
    await payments.refund('order_1', 'pi_3RgRPqEEXQJo9EEO1a43uB5g')
    expect(requests[0]).toMatchObject({ path: '/v1/refunds', key: 'refund_order_1' })
    expect(requests[0]?.form.get('payment_intent')).toBe('pi_3RgRPqEEXQJo9EEO1a43uB5g')
  })
})

describe('events', () => {
  const send = (text: string, signature: string) =>
    new Person(server.url).call('POST', '/api/plans/events/stripe', Buffer.from(text), {
      'stripe-signature': signature,
      'content-type': 'application/json',
    })

  it('are read when Stripe signed them, lately, as they are', async () => {
    const text = wire('completed', 'order_1')
    expect(await payments.read(text, signed(text))).toEqual({
      id: 'evt_1RgRPrEEXQJo9EEOWggvNEHe',
      order: 'order_1',
      outcome: 'paid',
      reference: 'pi_3RgRPqEEXQJo9EEO1a43uB5g',
      customer: 'cus_SbGYl34MpG4nv5',
    })
    const old = Math.floor(Date.now() / 1000) - 3600
    const wrong: [string, string | undefined][] = [
      [text, undefined],
      [text, ''],
      [text, 'nonsense'],
      [text, signed(text, 'whsec_another')],
      [text, signed(text, WEBHOOK_SECRET, old)],
      [text.replace('"amount_total": 900', '"amount_total": 1'), signed(text)],
    ]
    for (const [body, signature] of wrong)
      await expect(payments.read(body, signature), signature ?? 'none').rejects.toMatchObject({ code: 'invalid-params' })
  })

  it('say how it went: later, failed, expired; others are nothing of ours', async () => {
    const read = (type: string, change: (text: string) => string = text => text) => {
      const text = change(wire('completed', 'order_1').replace('"checkout.session.completed"', `"${type}"`))
      return payments.read(text, signed(text))
    }
    expect(await read('checkout.session.completed', text => text.replace('"paid"', '"unpaid"'))).toBeNull()
    expect(await read('checkout.session.async_payment_succeeded')).toMatchObject({ outcome: 'paid' })
    expect(await read('checkout.session.async_payment_failed')).toMatchObject({ outcome: 'declined' })
    expect(await read('checkout.session.expired')).toMatchObject({ outcome: 'declined' })
    expect(await read('customer.created')).toBeNull()
    expect(await read('checkout.session.completed', text => text.replace('"order_1"', 'null'))).toBeNull()
  })

  it('give the plan, once however often they are sent; forged ones give nothing', async () => {
    const ann = await server.person('Ann')
    const { order, url } = await ann.must('POST', '/api/plans/subscription', {
      change: { type: 'subscribe', level: 'basic', interval: 'month' },
    })
    expect(url).toMatch(/^https:\/\/checkout\.stripe\.com/)
    const text = wire('completed', order)
    const level = async () => (await ann.must('GET', '/api/plans/subscription')).level
    const forged = await send(text, signed(text, 'whsec_another'))
    expect([forged.status, forged.json.code]).toEqual([400, 'invalid-params'])
    expect(await level()).toBe('free')
    // The embedded provider's page is not there.
    expect((await ann.call('POST', `/api/plans/orders/${order}/test`, { outcome: 'paid', renewals: 'paid' })).status).toBe(404)
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(text, signed(text))))
    expect(answers.map(({ json }) => json.heard).sort()).toEqual(['again', 'again', 'again', 'again', 'applied'])
    expect(await level()).toBe('basic')
    // The same payment told by another event.
    const other = text.replace('evt_1RgRPrEEXQJo9EEOWggvNEHe', 'evt_2')
    expect((await send(other, signed(other))).json).toEqual({ heard: 'again' })
    expect((await ann.must('GET', '/api/plans/invoices')).invoices.length).toBe(1)
    // A payment for an order that can't be fulfilled any more is given back.
    const bob = await server.person('Bob')
    const wish = { change: { type: 'subscribe', level: 'basic', interval: 'month' } }
    const [one, two] = [await bob.must('POST', '/api/plans/subscription', wish), await bob.must('POST', '/api/plans/subscription', wish)]
    for (const [i, { order: id }] of [one, two].entries()) {
      const told = wire('completed', id).replace('evt_1RgRPrEEXQJo9EEOWggvNEHe', `evt_b${i}`)
      expect((await send(told, signed(told))).json.heard).toBe(i === 0 ? 'applied' : 'refunded')
    }
    expect(requests.filter(({ path }) => path === '/v1/refunds').map(({ key }) => key)).toEqual([`refund_${two.order}`])
  })
})

it('the provider is chosen by the settings; nothing is given away where strangers come', () => {
  const by = (settings: Parameters<typeof paymentsBy>[0], embedded: boolean) => paymentsBy(settings, embedded, plans)?.name ?? null
  expect(by({}, true)).toBe('test')
  expect(by({}, false)).toBeNull()
  expect(by({ PAYMENTS: 'none' }, true)).toBeNull()
  expect(by({ STRIPE_SECRET_KEY: 'sk_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }, true)).toBe('stripe')
  expect(() => by({ STRIPE_SECRET_KEY: 'sk_1' }, false)).toThrow('STRIPE_WEBHOOK_SECRET')
  expect(() => by({ PAYMENTS: 'stripe' }, true)).toThrow('STRIPE_SECRET_KEY')
})
