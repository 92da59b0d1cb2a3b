// What the plans allow and cost, and what coins and items are worth on this server: the tables of model-schema, changed by the
// JSON file that `TARIFF` names. Only what differs is written there: `{"plans": {"free": {"files": 50}}, "economy": {"feeRate": 0.2}}`.
import { z } from 'zod'
import { economy, items } from '../../model-schema/business/coins.ts'
import type { Economy } from '../../model-schema/business/coins.ts'
import { featureLabels, levels, plans, quantityLabels } from '../../model-schema/business/plans.ts'
import type { Feature, PlanTable } from '../../model-schema/business/plans.ts'

export type Tariff = { readonly plans: PlanTable; readonly economy: Economy }

/** The tables as they are shipped. */
export const shipped: Tariff = { plans, economy }

const cents = z.number().int().min(0).max(100_000_000)
const amount = z.number().int().min(0).max(1e9)
const share = z.number().min(0).max(1)
const words = z.strictObject({ en: z.string().min(1).max(60), zh: z.string().min(1).max(60) })
const limit = z.number().min(0).max(1e15).nullable().optional()
const featureNames = z.enum(Object.keys(featureLabels) as Feature[])

const planChange = z.strictObject({
  label: words.optional(),
  price: z.strictObject({ month: cents, year: cents }).nullable().optional(),
  features: z.array(featureNames).optional(),
  ...(Object.fromEntries(Object.keys(quantityLabels).map(name => [name, limit])) as Record<keyof typeof quantityLabels, typeof limit>),
})
const ofItems = z.partialRecord(z.enum(items), amount)
const gift = z.partialRecord(z.enum(['coins', 'points', ...items]), amount)

const economyChange = z.strictObject({
  registerGift: gift.optional(),
  referral: z.strictObject({ coefficient: share, points: amount, mostPerMonth: amount }).partial().optional(),
  feeRate: share.optional(),
  prices: z.partialRecord(z.enum(items), amount.min(1)).optional(),
  packages: z
    .array(z.strictObject({ id: z.string().regex(/^[\w-]{1,40}$/), label: words, contents: ofItems, price: amount.min(1) }))
    .max(20)
    .optional(),
  buyBackRate: share.optional(),
  points: z.strictObject({ perCoinSpent: share, perItemUsed: amount, heldCoins: amount, perItemHeld: share }).partial().optional(),
  planPoints: z.partialRecord(z.enum(levels), amount).optional(),
})

const changes = z.strictObject({ plans: z.partialRecord(z.enum(levels), planChange).optional(), economy: economyChange.optional() })

/** The shipped tables with the changes of a JSON text. Throws Error that says what is wrong with it. */
export function readTariff(text: string): Tariff {
  const read = changes.safeParse(JSON.parse(text))
  if (!read.success) throw new Error(read.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`).join('\n'))
  const { plans: changed = {}, economy: worth = {} } = read.data
  const table = { ...plans }
  for (const level of levels) table[level] = { ...plans[level], ...defined(changed[level] ?? {}) }
  const result: Economy = {
    ...economy,
    ...defined(worth),
    referral: { ...economy.referral, ...defined(worth.referral ?? {}) },
    prices: { ...economy.prices, ...defined(worth.prices ?? {}) },
    points: { ...economy.points, ...defined(worth.points ?? {}) },
    planPoints: { ...economy.planPoints, ...defined(worth.planPoints ?? {}) },
  }
  refuseFountain(result)
  return { plans: table, economy: result }
}

/** A package must not give more than its price when its contents are given back. */
function refuseFountain({ packages, prices, buyBackRate }: Economy): void {
  for (const { id, contents, price } of packages) {
    const worth = items.reduce((sum, item) => sum + (contents[item] ?? 0) * prices[item], 0)
    if (worth * buyBackRate > price) throw new Error(`economy.packages: ${id} is bought back for more than it costs`)
  }
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** Without what is not said. */
function defined<T extends object>(value: T): Partial<Defined<T>> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Partial<Defined<T>>
}
