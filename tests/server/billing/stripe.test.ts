// Stripe over the wire: what we ask of it, what its answers mean, and its events (tests/cases/payments, in the shape of its API reference), signed by its
// own library and verified by ours.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Stripe } from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { paymentsBy } from '../../../sync-server/payments/settings.ts'
import { stripePayments } from '../../../sync-server/payments/stripe.ts'
import type { Payments } from '../../../sync-server/payments/payments.ts'
import { Person, startServer, useDatabase } from '../../help/server.ts'
import type { TestServer } from '../../help/server.ts'
import { plans } from '../../../model-schema/business/plans.ts'

const suite = useDatabase()
const WEBHOOK_SECRET = 'whsec_only_for_tests'
const wire = (name: string, order = ''): string =>
  readFileSync(new URL(`../../cases/payments/${name}.json`, import.meta.url), 'utf8').replaceAll('{order}', order)

type Request = { method: string; path: string; form: URLSearchParams; key: string | undefined; authorization: string | undefined }
const requests: Request[] = []
/** What the next charge is answered with. */
let charge: { status: number; body: string } = { status: 200, body: wire('intent') }
/** What the customer was charged before, and what a refund is answered with. */
let charges: string[] = []
let refund = { status: 200, body: wire('refund') }
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
      else if (path === '/v1/payment_intents' && request.method === 'GET')
        answer(200, `{"object":"list","url":"/v1/payment_intents","has_more":false,"data":[${charges.join(',')}]}`)
      else if (path === '/v1/payment_intents') answer(charge.status, charge.body)
      else if (path === '/v1/refunds') answer(refund.status, refund.body)
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
  charges = []
  refund = { status: 200, body: wire('refund') }
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
      'metadata[order]': 'order_1',
      'adaptive_pricing[enabled]': 'false',
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
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v1/payment_intents',
      'GET /v1/customers/cus_SbGYl34MpG4nv5/payment_methods',
      'POST /v1/payment_intents',
    ])
    expect(requests[2]).toMatchObject({ key: 'charge_renewal_1_0' })
    expect(Object.fromEntries(requests[2]!.form)).toMatchObject({
      'metadata[order]': 'order_1',
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

  it('is no charge of what is charged already, however long ago, nor of what is under way', async () => {
    const wanted = { ...bill, customer: 'cus_SbGYl34MpG4nv5', key: 'renewal_1_0' }
    const intent = (id: string, order: string, status: string): string =>
      JSON.stringify({ ...JSON.parse(wire('intent')), id, status, metadata: { order } })
    const isCharged = () => requests.some(({ method, path }) => method === 'POST' && path === '/v1/payment_intents')
    charges = [intent('pi_other', 'order_2', 'succeeded'), intent('pi_refused', 'order_1', 'requires_payment_method')]
    expect(await payments.charge(wanted)).toMatchObject({ outcome: 'paid', reference: 'pi_3RgRQyEEXQJo9EEO0xVb8m5c' })
    expect(isCharged()).toBe(true)
    requests.length = 0
    charges.push(intent('pi_before', 'order_1', 'succeeded'))
    expect(await payments.charge(wanted)).toEqual({ outcome: 'paid', reference: 'pi_before' })
    charges = [intent('pi_slow', 'order_1', 'processing')]
    await expect(payments.charge(wanted)).rejects.toThrow('still being paid')
    expect(isCharged()).toBe(false)
    charges = []
    charge = { status: 200, body: intent('pi_slow', 'order_1', 'processing') }
    await expect(payments.charge(wanted)).rejects.toThrow('being paid')
  })

  it('is to give a payment back, once', async () => {
    await payments.refund('order_1', 'pi_3RgRPqEEXQJo9EEO1a43uB5g')
    expect(requests[0]).toMatchObject({ path: '/v1/refunds', key: 'refund_order_1' })
    expect(requests[0]?.form.get('payment_intent')).toBe('pi_3RgRPqEEXQJo9EEO1a43uB5g')
    const refused = (code: string) => ({
      status: 400,
      body: JSON.stringify({ error: { type: 'invalid_request_error', code, message: 'no' } }),
    })
    refund = refused('charge_already_refunded')
    await payments.refund('order_1', 'pi_3RgRPqEEXQJo9EEO1a43uB5g')
    refund = refused('refund_disputed_payment')
    await expect(payments.refund('order_1', 'pi_3RgRPqEEXQJo9EEO1a43uB5g')).rejects.toThrow('no')
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
      sum: { amount: 900, currency: 'usd' },
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
    expect(await read('checkout.session.completed', text => text.replaceAll('"order_1"', 'null'))).toBeNull()
  })

  it('about other things that the account sells, or of another shape, are nothing of ours', async () => {
    const read = (change: (session: Record<string, unknown>, event: Record<string, unknown>) => void) => {
      const event = JSON.parse(wire('completed', 'order_1'))
      change(event.data.object, event)
      const text = JSON.stringify(event)
      return payments.read(text, signed(text))
    }
    expect(await read(() => undefined)).toMatchObject({ order: 'order_1', outcome: 'paid' })
    // Anybody may write the reference of a payment link.
    expect(await read(session => (session['metadata'] = {}))).toBeNull()
    expect(await read(session => (session['client_reference_id'] = 'order_2'))).toMatchObject({ order: 'order_1' })
    expect(await read(session => (session['mode'] = 'subscription'))).toBeNull()
    expect(await read(session => (session['mode'] = 'setup'))).toBeNull()
    expect(await read(session => (session['payment_status'] = 'no_payment_required'))).toBeNull()
    for (const order of ['', 'a\0b', '../x', 'x'.repeat(121), 7, null])
      expect(await read(session => (session['metadata'] = { order })), String(order)).toBeNull()
    for (const field of ['amount_total', 'currency', 'payment_status', 'metadata'])
      expect(await read(session => delete session[field]), field).toBeNull()
    expect(await read((_, event) => (event['data'] = null))).toBeNull()
    expect(await read((_, event) => (event['livemode'] = true))).toBeNull()
    // An expanded object for an id.
    expect(await read(session => (session['customer'] = { id: 'cus_2', object: 'customer' }))).toMatchObject({ customer: 'cus_2' })
    for (const text of ['[]', 'null', '7', '"x"', '{}']) expect(await payments.read(text, signed(text)), text).toBeNull()
    for (const text of ['{"object":"v2.core.event"}', 'no json'])
      await expect(payments.read(text, signed(text)), text).rejects.toMatchObject({ code: 'invalid-params' })
  })

  it('of the test mode pay for nothing where money is real', async () => {
    const live = stripePayments({ secret: 'sk_live_1', webhookSecret: WEBHOOK_SECRET })
    const test = wire('completed', 'order_1')
    expect(await live.read(test, signed(test))).toBeNull()
    const real = test.replaceAll('"livemode": false', '"livemode": true')
    expect(await live.read(real, signed(real))).toMatchObject({ order: 'order_1', outcome: 'paid' })
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
    // The same payment reported by another event.
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

describe('what an event can bring about', () => {
  let count = 0
  const wish = { change: { type: 'subscribe', level: 'basic', interval: 'month' } }
  /** Sends an event about an order; answers what was made of it. */
  const tell = async (
    order: string,
    change: (session: Record<string, unknown>, event: Record<string, unknown>) => void = () => undefined,
  ) => {
    const event = JSON.parse(wire('completed', order))
    event.id = `evt_told_${++count}`
    change(event.data.object, event)
    const text = JSON.stringify(event)
    const { status, json } = await new Person(server.url).call('POST', '/api/plans/events/stripe', Buffer.from(text), {
      'stripe-signature': signed(text),
    })
    expect(status).toBe(200)
    return json.heard
  }
  const type = (name: string) => (_: Record<string, unknown>, event: Record<string, unknown>) => (event['type'] = name)
  const levelOf = async (person: Person) => (await person.must('GET', '/api/plans/subscription')).level

  it('is no plan for less, for other money, or for another product whose link names the order', async () => {
    for (const change of [
      (session: Record<string, unknown>) => (session['amount_total'] = 1),
      (session: Record<string, unknown>) => (session['currency'] = 'jpy'),
    ]) {
      const ann = await server.person('Ann')
      const { order } = await ann.must('POST', '/api/plans/subscription', wish)
      requests.length = 0
      expect(await tell(order, change)).toBe('refunded')
      expect(requests.map(({ path, key }) => [path, key])).toEqual([['/v1/refunds', `refund_${order}`]])
      expect(await levelOf(ann)).toBe('free')
    }
    const eve = await server.person('Eve')
    const { order } = await eve.must('POST', '/api/plans/subscription', wish)
    const byLink = (session: Record<string, unknown>) => {
      session['payment_link'] = 'plink_1'
      session['metadata'] = {}
      session['amount_total'] = 100
    }
    expect(await tell(order, byLink)).toBe('unknown')
    expect(await levelOf(eve)).toBe('free')
    expect((await eve.must('GET', `/api/plans/orders/${order}`)).state).toBe('open')
    expect(await tell(order)).toBe('applied')
  })

  it('is the same in whatever order they come', async () => {
    const bob = await server.person('Bob')
    const { order } = await bob.must('POST', '/api/plans/subscription', wish)
    const unpaid = (session: Record<string, unknown>) => (session['payment_status'] = 'unpaid')
    expect(await tell(order, type('checkout.session.async_payment_succeeded'))).toBe('applied')
    expect(await tell(order, unpaid)).toBe('unknown')
    expect(await tell(order, type('checkout.session.expired'))).toBe('declined')
    expect(await tell(order, type('checkout.session.async_payment_failed'))).toBe('declined')
    expect(await tell(order)).toBe('again')
    expect(await levelOf(bob)).toBe('basic')
    expect((await bob.must('GET', `/api/plans/orders/${order}`)).state).toBe('paid')
    expect((await bob.must('GET', '/api/plans/invoices')).invoices).toHaveLength(1)
    expect(requests.filter(({ path }) => path === '/v1/refunds')).toEqual([])
    const dan = await server.person('Dan')
    const { order: early } = await dan.must('POST', '/api/plans/subscription', wish)
    expect(await tell(early, type('checkout.session.expired'))).toBe('declined')
    expect(await levelOf(dan)).toBe('free')
    expect(await tell(early)).toBe('applied')
    expect(await levelOf(dan)).toBe('basic')
  })

  it('is nothing for orders of another provider, or of nobody', async () => {
    const cat = await server.person('Cat')
    const { order } = await cat.must('POST', '/api/plans/subscription', wish)
    await server.database.db.updateTable('payment_order').set({ provider: 'test' }).where('id', '=', order).execute()
    expect(await tell(order)).toBe('unknown')
    expect(await tell('nobodys')).toBe('unknown')
    expect(await levelOf(cat)).toBe('free')
  })

  it('is not held up when there are many of them', async () => {
    const strict = await startServer(suite.connection, { plan: 'free', payments, rateLimited: true })
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async () => (await new Person(strict.url).call('POST', '/api/plans/events/stripe', {})).status),
    )
    expect(new Set(statuses)).toEqual(new Set([400]))
    await strict.stop()
  })
})

it('the provider is chosen by the settings; nothing is given away where strangers come', async () => {
  const by = async (settings: Parameters<typeof paymentsBy>[0], embedded: boolean) =>
    (await paymentsBy(settings, embedded, plans))?.name ?? null
  expect(await by({}, true)).toBe('test')
  expect(await by({}, false)).toBeNull()
  expect(await by({ PAYMENTS: 'none' }, true)).toBeNull()
  expect(await by({ STRIPE_SECRET_KEY: 'sk_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }, true)).toBe('stripe')
  await expect(by({ STRIPE_SECRET_KEY: 'sk_1' }, false)).rejects.toThrow('STRIPE_WEBHOOK_SECRET')
  await expect(by({ PAYMENTS: 'stripe' }, true)).rejects.toThrow('STRIPE_SECRET_KEY')
})
