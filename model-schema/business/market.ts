// The store's constants: kinds of publications, their states, the actions in each, topics, licences and limits, and the formula behind
// "Recommended". The server enforces them, the client draws from them.
import { say, sayIn, type Words } from '../words.ts'

/**
 * Kinds of publications. An app is a model or dashboard that can only be used, in its page; the others can be copied and inspected as well.
 */
export const appKinds = ['model', 'dashboard', 'project', 'app'] as const
export type AppKind = (typeof appKinds)[number]

export const appKindLabels: Readonly<Record<AppKind, Words>> = {
  model: say('Model'),
  dashboard: sayIn('kind of publication', 'Dashboard'),
  project: say('Project'),
  app: say('App'),
}

/** Files of the workspace that can be published, and as what. */
export const publishedAs: Readonly<Record<string, readonly AppKind[]>> = {
  model: ['model', 'app'],
  dashboard: ['dashboard', 'app'],
  project: ['project'],
  folder: ['project'],
}

export const appStates = ['publishing', 'published', 'off-shelf'] as const
export type AppState = (typeof appStates)[number]

export const appStateLabels: Readonly<Record<AppState, Words>> = {
  publishing: say('In preparation'),
  published: say('Published'),
  'off-shelf': say('Off the shelf'),
}

/** What its author does with a publication; `update` prepares the next version, `publish` puts the prepared one on the shelf. */
export const appSteps = ['update', 'publish', 'discard', 'takeOff', 'putBack'] as const
export type AppStep = (typeof appSteps)[number]

/** The state after a step; null where it is refused. `discard` drops what is prepared: of something never published nothing is left. */
export const appNext: Readonly<Record<AppState, Readonly<Record<AppStep, AppState | 'gone' | null>>>> = {
  publishing: { update: 'publishing', publish: 'published', discard: 'gone', takeOff: null, putBack: null },
  published: { update: 'published', publish: 'published', discard: 'published', takeOff: 'off-shelf', putBack: null },
  'off-shelf': { update: null, publish: null, discard: null, takeOff: null, putBack: 'published' },
}

export const appTopics = [
  'economy',
  'society',
  'health',
  'ecology',
  'operations',
  'transport',
  'energy',
  'technology',
  'education',
  'science',
  'games',
  'other',
] as const
export type AppTopic = (typeof appTopics)[number]

export const appTopicLabels: Readonly<Record<AppTopic, Words>> = {
  economy: say('Economy & markets'),
  society: say('Society & cities'),
  health: say('Health & epidemics'),
  ecology: say('Ecology & climate'),
  operations: say('Operations & services'),
  transport: say('Transport & logistics'),
  energy: say('Energy & industry'),
  technology: say('Networks & technology'),
  education: say('Teaching'),
  science: say('Natural science'),
  games: say('Games & strategy'),
  other: say('Other'),
}

/** Licences by their SPDX names; the last one is none. */
export const appLicences = ['CC-BY-4.0', 'CC-BY-SA-4.0', 'CC-BY-NC-4.0', 'CC0-1.0', 'MIT', 'Apache-2.0', 'all-rights-reserved'] as const
export type AppLicence = (typeof appLicences)[number]

export const appLicenceLabels: Readonly<Record<AppLicence, Words>> = {
  'CC-BY-4.0': say('CC BY 4.0: use and change it, name the author'),
  'CC-BY-SA-4.0': say('CC BY-SA 4.0: as CC BY, and share changes alike'),
  'CC-BY-NC-4.0': say('CC BY-NC 4.0: as CC BY, not for commerce'),
  'CC0-1.0': say('CC0: no conditions'),
  MIT: say('MIT: use and change it, keep the notice'),
  'Apache-2.0': say('Apache 2.0: as MIT, with a patent grant'),
  'all-rights-reserved': say('All rights reserved: to look at and run'),
}

export const reportReasons = ['spam', 'copied', 'offensive', 'broken', 'harmful', 'other'] as const
export type ReportReason = (typeof reportReasons)[number]

export const reportReasonLabels: Readonly<Record<ReportReason, Words>> = {
  spam: say('Advertising or spam'),
  copied: say('Copied from somebody else'),
  offensive: say('Insulting or indecent'),
  broken: say('Does not do what it says'),
  harmful: say('Misleading or harmful'),
  other: say('Something else'),
}

export const forumSections = ['questions', 'showcase', 'ideas', 'announcements'] as const
export type ForumSection = (typeof forumSections)[number]

export const forumSectionLabels: Readonly<Record<ForumSection, Words>> = {
  questions: say('Questions'),
  showcase: say('Show and tell'),
  ideas: say('Ideas'),
  announcements: say('Announcements'),
}

/** How the listed are put in order. */
export const appOrders = ['recommended', 'new', 'downloads', 'likes'] as const
export type AppOrder = (typeof appOrders)[number]

/** Sizes, in characters unless said otherwise. */
export const MARKET = {
  nameLength: 80,
  summaryLength: 200,
  descriptionLength: 20_000,
  notesLength: 2000,
  tags: 10,
  tagLength: 30,
  /** Scenarios of the page range. */
  scenarios: 200,
  /** Files of one publication, and their bytes together. */
  files: 200,
  bytes: 32 << 20,
  /** Most ticks of the run that is made again for the badge. */
  proofTicks: 20_000,
  /** Highest referral share an author may promise, in percent. */
  referral: 50,
  bioLength: 1000,
  titleLength: 120,
  reportLength: 1000,
  /** Comments under one publication or thread of the forum. */
  comments: 5000,
} as const

/** The market does not support charging yet. */
/** Most coins of one voluntary payment to an author: what is in the store costs nothing. */
export const MOST_THANKS = 10_000

export const PRICE = 0

/**
 * The element field that says which publication a document came from: set in every root of a downloaded document, it stays through copies,
 * `.holo` files and undo, as all fields do that no kind has.
 */
export const FROM_MARKET = 'fromMarket'

export type AppCounts = {
  /** People who liked it, marked it as a favourite, took a copy; each counts once, the author never. */
  likes: number
  favourites: number
  downloads: number
  /** Visits: one a person and day. */
  views: number
  verified: boolean
  /** When its current version came out, milliseconds since 1970. */
  at: number
}

/** Days after which a publication weighs half. */
export const HALF_LIFE_DAYS = 60
const DAY_MS = 86_400_000
/** Standard score of a 95 % interval. */
const Z = 1.96

export type RankParts = {
  /** Lower end of Wilson's 95 % interval of the share of visits that ended in a like or a favourite: few visits promise little. */
  approval: number
  /** 1 + log2(1 + downloads) / 4. */
  use: number
  /** 1.25 with the badge. */
  proof: number
  /** 1 when new, halved every 60 days. */
  freshness: number
}

/**
 * The rank of a publication under "Recommended": (0.1 + approval) · use · proof · freshness. `now` only matters for showing the parts: the
 * order of two publications is the same at any time, because all lose the same factor.
 */
export function rankParts({ likes, favourites, downloads, views, verified, at }: AppCounts, now: number): RankParts {
  return {
    approval: wilson(Math.max(likes, favourites), Math.max(views, likes, favourites)),
    use: 1 + Math.log2(1 + downloads) / 4,
    proof: verified ? 1.25 : 1,
    freshness: 2 ** (-Math.max(0, now - at) / (HALF_LIFE_DAYS * DAY_MS)),
  }
}

/** What the store sorts by: the logarithm of the product above, with the age as a constant, so that it never needs to be worked out again as time passes. */
export function rankOf(standing: AppCounts): number {
  const { approval, use, proof } = rankParts(standing, standing.at)
  return Math.log2((0.1 + approval) * use * proof) + standing.at / (HALF_LIFE_DAYS * DAY_MS)
}

/** Lower end of the 95 % interval for a share of `of` (Wilson 1927). */
export function wilson(good: number, of: number): number {
  if (of <= 0) return 0
  const share = Math.min(1, good / of)
  const spread = Z * Math.sqrt((share * (1 - share) + Z ** 2 / (4 * of)) / of)
  return Math.max(0, (share + Z ** 2 / (2 * of) - spread) / (1 + Z ** 2 / of))
}
