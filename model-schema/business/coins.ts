// Coins, points and items: which exist, their names, the entries that move them, and what the platform grants and charges. The kinds of
// entries come from the product's rules; prices and grants are ours, and the operator of a server may set others (`Economy`).
import { say, sayIn, type Words } from '../words.ts'

/** Items one can hold and use up. */
export const items = ['goldKey', 'key', 'commonComponent', 'advancedComponent', 'energy', 'workspace'] as const
export type CoinItem = (typeof items)[number]

/** All that can be held; each is counted in whole numbers, and nothing turns one into another but a transaction that says so. */
export const assets = ['coins', 'points', ...items] as const
export type Asset = (typeof assets)[number]

export const assetLabels: Readonly<Record<Asset, Words>> = {
  coins: say('Coins'),
  points: sayIn('currency', 'Points'),
  goldKey: say('Gold key'),
  key: sayIn('key of a game', 'Key'),
  commonComponent: say('Common component'),
  advancedComponent: say('Advanced component'),
  energy: say('Energy'),
  workspace: say('Workspace'),
}

/** What an item is good for. */
export const itemNotes: Readonly<Record<CoinItem, Words>> = {
  goldKey: say('Unlocks editing in a workspace beyond its plan for a year.'),
  key: say('Unlocks editing in a workspace beyond its plan for 30 days.'),
  commonComponent: say('100 more components in each file and scenario, for good.'),
  advancedComponent: say('5 more blocks and 1 more scenario in each file, for good.'),
  energy: say('A minute of server computing beyond the cloud time of the plan.'),
  workspace: say('One more workspace and one more team, for good.'),
}

/**
 * What moves coins, points and items. A line of a transaction shows as `…Out` or `…In` where both sides are people (downloads, usage).
 * First those of coins, then those of points, then what uses items up.
 */
export const deeds = [
  'buyItem',
  'buyPackage',
  'sellItem',
  'registerGift',
  'systemGift',
  'platformCompensation',
  'downloadApp',
  'referralReward',
  'usage',
  'promotePlatformReward',
  'holdCoin',
  'holdItem',
  'usedItem',
  'communityConsumption',
  'planReward',
  'cloudRun',
  'unlockEditing',
  'enlargePlan',
] as const
export type Deed = (typeof deeds)[number]

/** A transaction as one person sees it. */
export type Entry = Exclude<Deed, 'downloadApp' | 'usage'> | 'downloadAppOut' | 'downloadAppIn' | 'usageOut' | 'usageIn'

export function entryOf(deed: Deed, amount: number): Entry {
  if (deed === 'downloadApp') return amount < 0 ? 'downloadAppOut' : 'downloadAppIn'
  if (deed === 'usage') return amount < 0 ? 'usageOut' : 'usageIn'
  return deed
}

export const entryLabels: Readonly<Record<Entry, Words>> = {
  buyItem: say('Item bought'),
  buyPackage: say('Package bought'),
  sellItem: say('Item sold'),
  registerGift: say('Gift for registering'),
  systemGift: say('Gift of the platform'),
  platformCompensation: say('Compensation by the platform'),
  downloadAppOut: say('App downloaded'),
  downloadAppIn: say('App downloaded by others'),
  referralReward: say('Reward for a referral'),
  usageOut: say('App used'),
  usageIn: say('App used by others'),
  promotePlatformReward: say('Promoting the platform'),
  holdCoin: say('Holding coins'),
  holdItem: say('Holding items'),
  usedItem: say('Using items'),
  communityConsumption: say('Spending in the community'),
  planReward: say('Reward of the plan'),
  cloudRun: say('Server computing'),
  unlockEditing: say('Editing unlocked'),
  enlargePlan: say('Plan enlarged'),
}

/** Amounts by asset. */
export type Amounts = { [A in Asset]?: number | undefined }
export type Package = { id: string; label: Words; contents: { [I in CoinItem]?: number | undefined }; price: number }

/** The grants and prices of the platform. */
export type Economy = {
  /** For every activated account. */
  registerGift: Amounts
  /** For the inviting user: this share of the coins of the register gift, and these points. */
  referral: { coefficient: number; points: number; mostPerMonth: number }
  /** The platform's share of what one person pays another, and of what items are sold back for. */
  feeRate: number
  /** Coins for one. */
  prices: Readonly<Record<CoinItem, number>>
  packages: readonly Package[]
  /** Share of the price that the shop pays for an item given back. */
  buyBackRate: number
  /** Points for coins spent in the community and for each item used up; a day for so many coins held, and for each item held. */
  points: { perCoinSpent: number; perItemUsed: number; heldCoins: number; perItemHeld: number }
  /** Points at the beginning of each paid month, by level of the plan. */
  planPoints: Readonly<Partial<Record<string, number>>>
}

export const economy: Economy = {
  registerGift: { coins: 500, key: 1, energy: 10 },
  referral: { coefficient: 0.4, points: 50, mostPerMonth: 20 },
  feeRate: 0.1,
  prices: { goldKey: 900, key: 100, commonComponent: 150, advancedComponent: 400, energy: 5, workspace: 600 },
  packages: [
    { id: 'starter', label: say('Starter package'), contents: { key: 2, commonComponent: 1, energy: 30 }, price: 400 },
    { id: 'computing', label: say('Computing package'), contents: { energy: 300 }, price: 1200 },
    {
      id: 'studio',
      label: say('Studio package'),
      contents: { goldKey: 1, workspace: 1, advancedComponent: 2, energy: 60 },
      price: 2100,
    },
  ],
  buyBackRate: 0.5,
  points: { perCoinSpent: 0.1, perItemUsed: 2, heldCoins: 1000, perItemHeld: 0.1 },
  planPoints: { basic: 50, plus: 120, pro: 300, unlimited: 1000 },
}

/** The net amount of a payment of `gross` coins for its recipient, and the fee of the platform: whole coins, the fee rounded up. */
export function afterFee(gross: number, feeRate: number): { net: number; fee: number } {
  // A hair less, so that 0.1 of 30 is 3 and not 4.
  const fee = Math.min(gross, Math.ceil(gross * feeRate - 1e-9))
  return { net: gross - fee, fee }
}

/** What one of these items adds to its user's plan, for good. */
export const enlargements: Readonly<Partial<Record<CoinItem, Readonly<Record<string, number>>>>> = {
  commonComponent: { components: 100, componentsPerScenario: 100 },
  advancedComponent: { blocks: 5, scenariosPerFile: 1 },
  workspace: { workspaces: 1, teams: 1 },
}

/** How long a key keeps a workspace open, in days. */
export const keyDays = { key: 30, goldKey: 365 } as const
/** Milliseconds of server computing for one energy. */
export const ENERGY_MS = 60_000
