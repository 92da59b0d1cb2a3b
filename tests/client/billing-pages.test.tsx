// The pages of subscriptions, coins and items, drawn from what the server says: each state of a subscription, of a payment, of a lock; and what a
// publication says that waits for a moderator.
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider, createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it, vi } from 'vitest'
import { Alike } from '../../client/store/publish/Alike.tsx'
import { Checkout } from '../../client/billing/Checkout.tsx'
import { Coins } from '../../client/billing/Coins.tsx'
import { Invoices } from '../../client/billing/Invoices.tsx'
import { LockBanner } from '../../client/billing/LockBanner.tsx'
import { identity } from '../../client/account/identity.ts'
import { Usage } from '../../client/account/Usage.tsx'
import { Promotion } from '../../client/billing/Promotion.tsx'
import { Shop } from '../../client/billing/Shop.tsx'
import { Subscription } from '../../client/billing/Subscription.tsx'
import { Success } from '../../client/billing/Success.tsx'
import { setLocale } from '../../client/i18n/locale.ts'
import { allTexts } from '../../client/i18n/texts.ts'
import { Mine } from '../../client/store/Mine.tsx'
import { Moderation } from '../../client/store/talk/Moderation.tsx'
import { Standing } from '../../client/workspace/files/FileList.tsx'
import type { ShownFile } from '../../client/workspace/usePlace.ts'
import { assetLabels, economy, items } from '../../model-schema/business/coins.ts'
import { levels, plans } from '../../model-schema/business/plans.ts'
import { refusals } from '../../model-schema/business/subscription.ts'
import type { Subscription as State } from '../../model-schema/business/subscription.ts'
import { english } from '../../model-schema/words.ts'

i18n.loadAndActivate({ locale: 'en-US', messages: {} })

/** The text of a page that knows these answers already. */
async function textOf(page: () => ReactNode, known: [key: readonly unknown[], data: unknown][], path = '/'): Promise<string> {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
  for (const [key, data] of known) queries.setQueryData(key, data)
  const root = createRootRoute()
  const here = createRoute({ getParentRoute: () => root, path: '/', component: () => page() })
  const order = createRoute({ getParentRoute: () => root, path: '/$order', component: () => page() })
  const router = createRouter({ routeTree: root.addChildren([here, order]), history: createMemoryHistory({ initialEntries: [path] }) })
  await router.load()
  const html = renderToString(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queries}>
        {/* Another tree of routes than the app's, for a page alone. */}
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </I18nProvider>,
  )
  return html
    .replaceAll(/<style[\s\S]*?<\/style>/g, '')
    .replaceAll(/<!-- -->/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll(/\s+/g, ' ')
}

const DAY = 86_400_000
const state: State = {
  level: 'plus',
  interval: 'month',
  status: 'active',
  from: Date.now() - 10 * DAY,
  until: Date.now() + 20 * DAY,
  price: 1900,
  day: 1,
  next: null,
}
const table = (base: 'free' | 'unlimited' = 'free', payments: 'test' | 'stripe' | null = 'test') => ({ plans, base, payments })
const page = (
  subscription: State | null,
  more: { isGiven?: boolean; base?: 'free' | 'unlimited'; payments?: 'test' | 'stripe' | null } = {},
) =>
  textOf(
    () => <Subscription />,
    [
      [['plans'], table(more.base, more.payments === undefined ? 'test' : more.payments)],
      [['subscription'], { level: subscription?.level ?? more.base ?? 'free', isGiven: more.isGiven ?? false, subscription }],
    ],
  )
const timesIn = (text: string, part: string): number => text.split(part).length - 1

describe('the subscription', () => {
  it('that there is none of offers every plan that is sold', async () => {
    const text = await page(null)
    for (const level of levels) expect(text).toContain(english(plans[level].label))
    for (const price of ['$0', '$9', '$19', '$49', '$199', 'By agreement']) expect(text).toContain(price)
    expect(text).toContain('Included for everyone on this server.')
    expect(text).toContain('Payments are a test on this server')
    expect(timesIn(text, ' Subscribe ')).toBe(4)
    expect(text).toContain(english(refusals['not-sold']))
    expect(timesIn(text, 'Current plan')).toBe(1)
  })

  it('offers what each state supports, and says why not otherwise', async () => {
    const active = await page(state)
    expect(active).toMatch(/\$19 a month, renewed on/)
    expect([timesIn(active, ' Upgrade '), timesIn(active, ' Downgrade ')]).toEqual([2, 2])
    expect(active).toContain('Cancel the subscription')
    const planned = await page({ ...state, next: { level: 'basic', interval: 'year' } })
    expect(planned).toMatch(/From .*: Basic, \$90 a year/)
    expect(planned).toContain('Take the change back')
    const ending = await page({ ...state, status: 'ending' })
    expect(ending).toMatch(/Ends on .*Until then nothing changes/)
    expect(ending).toContain('Keep the subscription')
    expect(timesIn(ending, english(refusals.ending))).toBe(levels.length - 1)
    const due = await page({ ...state, status: 'pastDue', until: Date.now() - DAY })
    expect(due).toContain('Pay now')
    expect(timesIn(due, english(refusals['past-due']))).toBe(levels.length - 1)
    const given = await page(null, { isGiven: true })
    expect(given).toContain('Given by whoever runs this server.')
    expect(timesIn(given, english(refusals['by-agreement']))).toBe(levels.length - 1)
  })

  it('is nothing to have where everybody has as much, and nothing to pay where nobody takes money', async () => {
    const all = await page(null, { base: 'unlimited' })
    expect(timesIn(all, english(refusals.included))).toBe(3)
    expect(all).not.toContain(' Subscribe ')
    // Plans, shop and coins are folded on the one page.
    expect(all).toContain('Plans, shop and coins')
    expect(all).toContain('Item shop')
    expect(await page(null)).not.toContain('Plans, shop and coins')
    expect(await page(null, { payments: null })).toContain('This server takes no payments.')
    expect(await page(null, { payments: 'stripe' })).not.toContain('test on this server')
  })
})

describe('a payment', () => {
  const order = (found: string) => ({
    id: 'o1',
    amount: 900,
    currency: 'usd',
    state: found,
    change: { type: 'subscribe', level: 'basic', interval: 'month' },
    provider: 'test',
  })
  const success = (found: string) =>
    textOf(
      () => <Success />,
      [
        [['order', 'o1'], order(found)],
        [['subscription'], { level: 'basic', isGiven: false, subscription: state }],
      ],
      '/o1',
    )

  it('is waited for, thanked for with a countdown, or was for nothing', async () => {
    expect(await success('open')).toContain('Waiting for the payment to be confirmed')
    const paid = await success('paid')
    expect(paid).toContain('Your plan is Basic now.')
    expect(paid).toContain('Back to the subscription in 5 seconds')
    expect(await success('declined')).toContain('Your subscription is as it was.')
    expect(await success('refunded')).toContain('What was paid is given back.')
  })

  it('is asked for by the embedded page, which says that it is a test', async () => {
    const text = await textOf(() => <Checkout />, [[['order', 'o1'], order('open')]], '/o1')
    expect(text).toContain('Subscription: Basic')
    expect(text).toContain('Pay $9')
    expect(text).toContain('This is a test payment: no money moves.')
    const paid = await textOf(() => <Checkout />, [[['order', 'o1'], order('paid')]], '/o1')
    expect(paid).toContain('This is paid.')
    expect(paid).not.toContain('Pay $9')
  })
})

describe('coins and items', () => {
  const balances = { coins: 1234, points: 5, goldKey: 0, key: 1, commonComponent: 0, advancedComponent: 0, energy: 10, workspace: 0 }
  const coins: [readonly unknown[], unknown] = [['coins'], { balances, economy }]

  it('are shown in the shop with what each costs', async () => {
    const text = await textOf(() => <Shop />, [coins])
    expect(text).toContain('1,234')
    for (const item of items) {
      expect(text).toContain(english(assetLabels[item]))
      expect(text).toContain(`Buy for ${economy.prices[item]} coins`)
    }
    for (const { label } of economy.packages) expect(text).toContain(english(label))
  })

  it('have a history, or say that there is none yet', async () => {
    const line = {
      id: 3,
      at: '2027-01-02T03:04:05.000Z',
      entry: 'buyItem',
      asset: 'coins',
      amount: -100,
      about: { item: 'energy', count: 20 },
    }
    const pages = (lines: unknown[]) => ({ pages: [{ lines, next: null }], pageParams: [undefined] })
    const text = await textOf(() => <Coins />, [coins, [['history-of-coins', {}], pages([line])]])
    expect(text).toContain('Item bought')
    expect(text).toContain('Energy × 20')
    expect(text).toContain('-100')
    expect(await textOf(() => <Coins />, [coins, [['history-of-coins', {}], pages([])]])).toContain('What you get and give shows here.')
  })

  it('of a plan are told where they have a limit; the others are one sentence', async () => {
    const usage = { plan: { ...plans.free, files: 5, embeds: null }, used: { files: 2, embeds: 0 }, seats: [] }
    const shown = await textOf(() => <Usage />, [[['usage'], usage]])
    expect(shown).toContain('2 of 5')
    expect(shown).toMatch(/Without limit: [^.]*Embed links[^.]*\./)
    expect(shown).not.toContain('0, without limit')
  })

  it('come by inviting people; invoices by paying', async () => {
    const referral = {
      code: 'ABCDEFGHJK',
      link: 'https://example.org/register?invitation=ABCDEFGHJK',
      invited: 3,
      rewarded: 2,
      coins: 400,
      points: 100,
    }
    const promotion = await textOf(() => <Promotion />, [[['referral'], { ...referral, terms: { ...economy.referral, coins: 200 } }]])
    expect(promotion).toContain('you get 200 coins and 50 points')
    expect(promotion).toMatch(/ABCDEFGHJK/)
    const invoice = {
      number: '2027-000001',
      at: '2027-01-02T03:04:05.000Z',
      kind: 'subscribe',
      level: 'pro',
      interval: 'year',
      from: '2027-01-02T03:04:05.000Z',
      until: '2028-01-02T03:04:05.000Z',
      amount: 49_000,
      currency: 'usd',
    }
    const paid = await textOf(() => <Invoices />, [[['invoices'], [invoice]]])
    expect(paid).toContain('Pro, a year')
    expect(paid).toContain('$490')
    expect(await textOf(() => <Invoices />, [[['invoices'], []]])).toContain('No invoices yet')
  })
})

describe('a workspace beyond its plan', () => {
  const lock = { quantity: 'files', used: 31, allowed: 30, since: '2027-01-02T03:04:05.000Z', unlockedUntil: null, isOpen: false }
  const banner = (found: unknown, mayUnlock: boolean) =>
    textOf(() => <LockBanner team="t1" mayUnlock={mayUnlock} />, [[['lock', 't1'], found]])

  it('says so with keys for those who may use them, and until when it is open', async () => {
    const text = await banner(lock, true)
    expect(text).toContain('Files: 31 of 30')
    expect(text).toContain('Unlock for 30 days with a key')
    expect(await banner(lock, false)).not.toContain('with a key ')
    expect(await banner({ ...lock, isOpen: true, unlockedUntil: '2027-02-01T03:04:05.000Z' }, true)).toContain('Editing is unlocked until')
    expect((await banner(null, true)).trim()).toBe('')
  })
})

describe('what is like somebody else’s publication', () => {
  const shown = (asked: boolean) =>
    textOf(
      () => <Alike app={{ id: 'mine', name: 'Mine' }} like={{ id: 'theirs', name: 'Theirs', author: 'Ann', share: 0.834, asked }} />,
      [],
    )

  it('says how much of which, and is asked about once', async () => {
    const text = await shown(false)
    expect(text).toMatch(/83% of\s+Theirs\s+by Ann is found in it/)
    expect(text).toContain('Ask a moderator')
    const asked = await shown(true)
    expect(asked).toContain('A moderator has been asked.')
    expect(asked).not.toContain('Ask a moderator')
  })
})

describe('a file in a list', () => {
  const person = { id: 'u1', name: 'Ann', avatar: null }
  const file: ShownFile = {
    user: 'u1',
    id: 'f1',
    name: 'Clinic',
    kind: 'model',
    team: 't1',
    parent: null,
    role: 'owner',
    owner: person,
    creator: person,
    remark: '',
    tags: [],
    favourite: false,
    cover: null,
    model: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    trashedAt: null,
    openedAt: null,
    state: 'told',
  }
  const beyondPlan = { quantity: 'components', used: 612, allowed: 500, isOwners: false }
  const overLimit = { quantity: 'files', used: 31, allowed: 30 }
  const markOf = (more: Partial<ShownFile>) =>
    /role="img"[^>]*aria-label="([^"]*)"|aria-label="([^"]*)"[^>]*role="img"/
      .exec(
        renderToString(
          <I18nProvider i18n={i18n}>
            <Standing file={{ ...file, ...more }} />
          </I18nProvider>,
        ),
      )
      ?.slice(1)
      .find(name => name !== undefined) ?? null

  it('is marked when it holds more than the plan allows, in both languages; what is worse is said instead', async () => {
    await setLocale('en-US')
    await allTexts()
    expect(markOf({})).toBeNull()
    expect(markOf({ beyondPlan: null, overLimit: null })).toBeNull()
    expect(markOf({ beyondPlan })).toBe(
      'Over the limit. Components in a file: the limit of the subscription (500) is reached. Upgrade to Basic for more.',
    )
    expect(markOf({ beyondPlan: { ...beyondPlan, isOwners: true } })).toContain('Ask the owner of the workspace to upgrade.')
    expect(markOf({ beyondPlan, overLimit })).toMatch(/^Read-only/)
    expect(markOf({ beyondPlan, state: 'waiting' })).toMatch(/^On this device/)
    await setLocale('zh-CN')
    expect(markOf({ beyondPlan })).toMatch(/^已超出限额。每个文件的组件数.*500/)
    await setLocale('en-US')
  })
})

describe('a page of the store without anything on it', () => {
  it('leads on, in both languages', async () => {
    await allTexts()
    const me = { id: 'ann', name: 'Ann', email: 'ann@example.org', team: 'home' }
    // What a page that is drawn at once knows.
    const someone = vi.spyOn(identity, 'getInitialState').mockReturnValue({ me, onDevice: false })
    for (const [locale, publish, leave] of [
      ['en-US', 'Choose a file to publish', 'To the store'],
      ['zh-CN', '选择要发布的文件', '前往商店'],
    ] as const) {
      await setLocale(locale)
      expect(await textOf(() => <Mine />, [[['market', 'list', { of: 'mine', limit: 100 }], { apps: [] }]])).toContain(publish)
      expect(await textOf(() => <Moderation />, [[['market', 'me', 'ann'], { operator: false }]])).toContain(leave)
    }
    await setLocale('en-US')
    someone.mockRestore()
  })
})
