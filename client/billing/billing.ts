// The user's plan and purchases, from the server: queries, changes, and the format of amounts.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { nanoid } from 'nanoid'
import type { Asset, CoinItem } from '../../model-schema/business/coins.ts'
import { levels, type PlanLevel, type PlanTable } from '../../model-schema/business/plans.ts'
import type { SubscriptionChange, Subscription } from '../../model-schema/business/subscription.ts'
import { server } from '../api.ts'
import { useLocale } from '../i18n/locale.ts'

const keys = { coins: ['coins'], plans: ['plans'], subscription: ['subscription'], invoices: ['invoices'], usage: ['usage'] } as const

/** The limits and prices of this server's plans, and its payment provider. */
export const usePlans = () =>
  useQuery({ queryKey: keys.plans, queryFn: async () => (await server.plans.$get()).json(), staleTime: 300_000 }).data

/** Coins, points and items, and what they are worth. */
export const useCoins = () => useQuery({ queryKey: keys.coins, queryFn: async () => (await server.coins.$get()).json() }).data

export const useSubscription = () =>
  useQuery({ queryKey: keys.subscription, queryFn: async () => (await server.plans.subscription.$get()).json() }).data

export const useInvoices = () =>
  useQuery({ queryKey: keys.invoices, queryFn: async () => (await (await server.plans.invoices.$get()).json()).invoices }).data

export const useReferral = () => useQuery({ queryKey: ['referral'], queryFn: async () => (await server.coins.referral.$get()).json() }).data

/** Forgets what a purchase or a payment changes. */
export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await Promise.all([...Object.values(keys), ['history-of-coins'], ['lock']].map(queryKey => queries.invalidateQueries({ queryKey })))
  }
}

/** Requests a change of the subscription: done, or to be paid at `url`. */
export async function askChange(change: SubscriptionChange): Promise<{ subscription: Subscription | null; url: string | null }> {
  const { subscription, url } = await (await server.plans.subscription.$post({ json: { change } })).json()
  return { subscription, url }
}

export async function orderOf(order: string) {
  return (await server.plans.orders[':order'].$get({ param: { order } })).json()
}
/** The user's choice on the page of the embedded provider. Throws `payment-declined` when they declined. */
export async function payForTest(order: string, outcome: 'paid' | 'declined', renewals: 'paid' | 'declined'): Promise<void> {
  await server.plans.orders[':order'].test.$post({ param: { order }, json: { outcome, renewals } })
}

export async function buy(item: CoinItem, count: number): Promise<void> {
  await server.coins.buy.$post({ json: { id: nanoid(), item, count } })
}
export async function buyPackage(id: string): Promise<void> {
  await server.coins.packages.$post({ json: { id: nanoid(), package: id, count: 1 } })
}
export async function sell(item: CoinItem, count: number): Promise<void> {
  await server.coins.sell.$post({ json: { id: nanoid(), item, count } })
}
export async function spendItem(item: 'commonComponent' | 'advancedComponent' | 'workspace', count: number): Promise<void> {
  await server.coins.use.$post({ json: { id: nanoid(), item, count } })
}

export type HistoryWish = { assets?: Asset[]; direction?: 'in' | 'out'; from?: string; until?: string }
export async function historyPage(wish: HistoryWish, before?: number) {
  const query = before === undefined ? wish : { ...wish, before }
  const { lines, next } = await (await server.coins.history.$get({ query })).json()
  return { lines, next }
}
export const historyFile = (wish: HistoryWish): string =>
  `/api/coins/history.csv?${new URLSearchParams(Object.entries(wish).map(([key, value]) => [key, String(value)]))}`

/** The lock of a workspace that is beyond its plan; null within it, or while that is unknown. */
export const useLock = (team: string | null) =>
  useQuery({
    queryKey: ['lock', team],
    queryFn: async () => (await (await server.coins.locks.$get({ query: { team: team ?? '' } })).json()).lock,
    enabled: team !== null,
    retry: false,
    staleTime: 60_000,
  }).data ?? null

export async function unlock(team: string, item: 'key' | 'goldKey'): Promise<void> {
  await server.coins.unlock.$post({ json: { id: nanoid(), team, item } })
}

/** Money, numbers and days in the language now. */
export function useFormats() {
  const language = useLocale()
  return {
    /** US cents. */
    money: (cents: number): string =>
      new Intl.NumberFormat(language, { style: 'currency', currency: 'USD', minimumFractionDigits: cents % 100 === 0 ? 0 : 2 }).format(
        cents / 100,
      ),
    number: (value: number): string => new Intl.NumberFormat(language, { maximumFractionDigits: value < 10 ? 2 : 0 }).format(value),
    signed: (value: number): string => new Intl.NumberFormat(language, { signDisplay: 'exceptZero' }).format(value),
    day: (at: number | string): string => new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(at)),
    moment: (at: string): string => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at)),
  }
}

/** Whether the base plan includes everything that is sold: then plans, shop and coins are hidden. */
export function isAllIncluded({ plans, base }: { plans: PlanTable; base: PlanLevel }, subscription: Subscription | null): boolean {
  return subscription === null && levels.slice(levels.indexOf(base) + 1).every(level => plans[level].price === null)
}
