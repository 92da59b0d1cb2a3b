// Coins, points and items: what there is, what it is called, what moves it, and what the platform gives and asks for. The kinds of entries
// come from the product's rules; prices and gifts are ours, and whoever runs a server may set others (`Economy`).
import { say, type Words } from '../kinds/kind.ts'

/** Items one can hold and use up. */
export const items = ['goldKey', 'key', 'commonComponent', 'advancedComponent', 'energy', 'workspace'] as const
export type Item = (typeof items)[number]

/** All that can be held; each is counted in whole numbers, and nothing turns one into another but a transaction that says so. */
export const assets = ['coins', 'points', ...items] as const
export type Asset = (typeof assets)[number]

export const assetLabels: Readonly<Record<Asset, Words>> = {
  coins: say('Coins', '金币'),
  points: say('Points', '积分'),
  goldKey: say('Gold key', '金钥匙'),
  key: say('Key', '钥匙'),
  commonComponent: say('Common component', '普通组件'),
  advancedComponent: say('Advanced component', '高级组件'),
  energy: say('Energy', '能量'),
  workspace: say('Workspace', '工作区'),
}

/** What an item is good for. */
export const itemNotes: Readonly<Record<Item, Words>> = {
  goldKey: say('Unlocks editing in a workspace beyond its plan for a year.', '为超出订阅限额的工作区解锁编辑一年。'),
  key: say('Unlocks editing in a workspace beyond its plan for 30 days.', '为超出订阅限额的工作区解锁编辑 30 天。'),
  commonComponent: say('100 more components in each file and scenario, for good.', '每个文件和方案永久增加 100 个组件。'),
  advancedComponent: say('5 more blocks and 1 more scenario in each file, for good.', '永久增加 5 个构件，每个文件增加 1 个方案。'),
  energy: say('A minute of server computing beyond the cloud time of the plan.', '超出订阅云时长后，每点能量可运行 1 分钟。'),
  workspace: say('One more workspace and one more team, for good.', '永久增加一个工作区和一个团队。'),
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
  buyItem: say('Item bought', '购买道具'),
  buyPackage: say('Package bought', '购买礼包'),
  sellItem: say('Item sold', '出售道具'),
  registerGift: say('Gift for registering', '注册赠送'),
  systemGift: say('Gift of the platform', '系统赠送'),
  platformCompensation: say('Compensation by the platform', '平台补偿'),
  downloadAppOut: say('App downloaded', '下载应用支出'),
  downloadAppIn: say('App downloaded by others', '应用被下载收入'),
  referralReward: say('Reward for a referral', '推荐奖励'),
  usageOut: say('App used', '使用支出'),
  usageIn: say('App used by others', '被使用收入'),
  promotePlatformReward: say('Promoting the platform', '推广平台奖励'),
  holdCoin: say('Holding coins', '持有金币'),
  holdItem: say('Holding items', '持有道具'),
  usedItem: say('Using items', '使用道具'),
  communityConsumption: say('Spending in the community', '社区消费'),
  planReward: say('Reward of the plan', '订阅奖励'),
  cloudRun: say('Server computing', '云端运行'),
  unlockEditing: say('Editing unlocked', '解锁编辑'),
  enlargePlan: say('Plan enlarged', '扩充订阅'),
}

/** Amounts by asset. */
export type Amounts = { [A in Asset]?: number | undefined }
export type Package = { id: string; label: Words; contents: { [I in Item]?: number | undefined }; price: number }

/** What the platform gives and asks for. */
export type Economy = {
  /** To everybody who activates an account. */
  registerGift: Amounts
  /** To whoever invited them: this share of the coins of the register gift, and these points. */
  referral: { coefficient: number; points: number; mostPerMonth: number }
  /** The platform's share of what one person pays another, and of what items are sold back for. */
  feeRate: number
  /** Coins for one. */
  prices: Readonly<Record<Item, number>>
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
    { id: 'starter', label: say('Starter package', '入门礼包'), contents: { key: 2, commonComponent: 1, energy: 30 }, price: 400 },
    { id: 'computing', label: say('Computing package', '算力礼包'), contents: { energy: 300 }, price: 1200 },
    {
      id: 'studio',
      label: say('Studio package', '工作室礼包'),
      contents: { goldKey: 1, workspace: 1, advancedComponent: 2, energy: 60 },
      price: 2100,
    },
  ],
  buyBackRate: 0.5,
  points: { perCoinSpent: 0.1, perItemUsed: 2, heldCoins: 1000, perItemHeld: 0.1 },
  planPoints: { basic: 50, plus: 120, pro: 300, unlimited: 1000 },
}

/** What someone who gets `gross` coins from another keeps, and what the platform does: whole coins, the fee rounded up. */
export function afterFee(gross: number, feeRate: number): { net: number; fee: number } {
  // A hair less, so that 0.1 of 30 is 3 and not 4.
  const fee = Math.min(gross, Math.ceil(gross * feeRate - 1e-9))
  return { net: gross - fee, fee }
}

/** What one of these raises in the plan of whoever uses it up, for good. */
export const enlargements: Readonly<Partial<Record<Item, Readonly<Record<string, number>>>>> = {
  commonComponent: { components: 100, componentsPerScenario: 100 },
  advancedComponent: { blocks: 5, scenariosPerFile: 1 },
  workspace: { workspaces: 1, teams: 1 },
}

/** How long a key keeps a workspace open, in days. */
export const keyDays = { key: 30, goldKey: 365 } as const
/** Milliseconds of server computing for one energy. */
export const ENERGY_MS = 60_000
