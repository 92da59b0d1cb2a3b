// Subscription plans and what each allows. The levels and the quantities that are limited come from the product's rules; the numbers are ours.
// `null` is no limit. A personal or team space is measured by each member's own plan (storage by the owner's), an organization by its owner's.
import type { SpaceType } from '../roles.ts'
import { say, sayIn, type Words } from '../words.ts'

export const levels = ['free', 'basic', 'plus', 'pro', 'unlimited', 'custom'] as const
export type PlanLevel = (typeof levels)[number]

/** Features a plan may lack; using one then asks to upgrade. */
export type Feature = 'exploration' | 'monteCarlo' | 'optimization' | 'learning' | 'cloudRuns' | 'privateEmbed' | 'copilot'

export type Plan = {
  level: PlanLevel
  label: Words
  /** US cents a month when paid monthly, and a year when paid yearly. Null: by agreement. */
  price: { month: number; year: number } | null
  files: number | null
  /** Gigabytes of documents, images and data tables. */
  storageGB: number | null
  /** Gigabytes of results of runs on the server. */
  resultStorageGB: number | null
  /** Hours of server computing a year. */
  cloudHoursPerYear: number | null
  /** Tokens of the language models of this server in 30 days. Models of one's own are not counted. */
  copilotTokensPerMonth: number | null
  workspaces: number | null
  teams: number | null
  organizations: number | null
  teamMembers: number | null
  organizationMembers: number | null
  /** Editors from outside the space. */
  externalEditors: number | null
  blocks: number | null
  scenariosPerFile: number | null
  componentsPerScenario: number | null
  /** Components of one file. */
  components: number | null
  /** Most ticks of one run; it goes up to here and then ends as limited. */
  steps: number | null
  /** Most ticks a second while playing. */
  ticksPerSecond: number | null
  /** Runs kept in an experiment's history, on this device and on the server. */
  localRuns: number | null
  remoteRuns: number | null
  embeds: number | null
  features: readonly Feature[]
}

const all: readonly Feature[] = ['exploration', 'monteCarlo', 'optimization', 'learning', 'cloudRuns', 'privateEmbed', 'copilot']

/** What no limit is put on. */
const boundless: Omit<Plan, 'level' | 'label' | 'price'> = {
  files: null,
  storageGB: null,
  resultStorageGB: null,
  cloudHoursPerYear: null,
  copilotTokensPerMonth: null,
  workspaces: null,
  teams: null,
  organizations: null,
  teamMembers: null,
  organizationMembers: null,
  externalEditors: null,
  blocks: null,
  scenariosPerFile: null,
  componentsPerScenario: null,
  components: null,
  steps: null,
  ticksPerSecond: null,
  localRuns: null,
  remoteRuns: null,
  embeds: null,
  features: all,
}

/** One plan per level. The operator of a server may change any of it. */
export type PlanTable = Readonly<Record<PlanLevel, Plan>>

export const plans: PlanTable = {
  free: {
    level: 'free',
    label: sayIn('plan', 'Free'),
    price: { month: 0, year: 0 },
    files: 30,
    storageGB: 1,
    resultStorageGB: 0.5,
    cloudHoursPerYear: 2,
    copilotTokensPerMonth: 200_000,
    workspaces: 3,
    teams: 2,
    organizations: 0,
    teamMembers: 5,
    organizationMembers: 0,
    externalEditors: 2,
    blocks: 10,
    scenariosPerFile: 3,
    componentsPerScenario: 200,
    components: 500,
    steps: 100_000,
    ticksPerSecond: 60,
    localRuns: 20,
    remoteRuns: 5,
    embeds: 3,
    features: ['exploration', 'monteCarlo', 'copilot'],
  },
  basic: {
    level: 'basic',
    label: sayIn('plan', 'Basic'),
    price: { month: 900, year: 9000 },
    files: 200,
    storageGB: 10,
    resultStorageGB: 5,
    cloudHoursPerYear: 24,
    copilotTokensPerMonth: 1_000_000,
    workspaces: 5,
    teams: 5,
    organizations: 0,
    teamMembers: 10,
    organizationMembers: 0,
    externalEditors: 5,
    blocks: 50,
    scenariosPerFile: 10,
    componentsPerScenario: 1000,
    components: 3000,
    steps: 1_000_000,
    ticksPerSecond: 240,
    localRuns: 50,
    remoteRuns: 20,
    embeds: 20,
    features: ['exploration', 'monteCarlo', 'optimization', 'cloudRuns', 'privateEmbed', 'copilot'],
  },
  plus: {
    level: 'plus',
    label: say('Plus'),
    price: { month: 1900, year: 19_000 },
    files: 1000,
    storageGB: 50,
    resultStorageGB: 25,
    cloudHoursPerYear: 120,
    copilotTokensPerMonth: 4_000_000,
    workspaces: 10,
    teams: 10,
    organizations: 1,
    teamMembers: 25,
    organizationMembers: 25,
    externalEditors: 20,
    blocks: 200,
    scenariosPerFile: 30,
    componentsPerScenario: 5000,
    components: 15_000,
    steps: 10_000_000,
    ticksPerSecond: null,
    localRuns: 200,
    remoteRuns: 100,
    embeds: 100,
    features: all,
  },
  pro: {
    level: 'pro',
    label: say('Pro'),
    price: { month: 4900, year: 49_000 },
    files: 5000,
    storageGB: 250,
    resultStorageGB: 100,
    cloudHoursPerYear: 600,
    copilotTokensPerMonth: 15_000_000,
    workspaces: 30,
    teams: 30,
    organizations: 5,
    teamMembers: 100,
    organizationMembers: 200,
    externalEditors: 100,
    blocks: 1000,
    scenariosPerFile: 100,
    componentsPerScenario: 20_000,
    components: 50_000,
    steps: 1_000_000_000,
    ticksPerSecond: null,
    localRuns: 1000,
    remoteRuns: 500,
    embeds: 1000,
    features: all,
  },
  unlimited: {
    level: 'unlimited',
    label: say('Unlimited'),
    price: { month: 19_900, year: 199_000 },
    ...boundless,
    storageGB: 2000,
    resultStorageGB: 1000,
    cloudHoursPerYear: 4000,
    localRuns: 5000,
    remoteRuns: 5000,
  },
  custom: {
    level: 'custom',
    label: say('Custom'),
    price: null,
    ...boundless,
  },
}

/** A quantity that a plan limits. */
export type Quantity = { [K in keyof Plan]: Plan[K] extends number | null ? K : never }[keyof Plan]

/** What a limited quantity is called in messages. */
export const quantityLabels: Readonly<Record<Quantity, Words>> = {
  files: say('Files'),
  storageGB: say('Storage (GB)'),
  resultStorageGB: say('Storage of run results (GB)'),
  cloudHoursPerYear: say('Cloud time (hours a year)'),
  copilotTokensPerMonth: say('Copilot with models of this server (tokens a month)'),
  workspaces: say('Workspaces'),
  teams: say('Teams'),
  organizations: say('Organizations'),
  teamMembers: say('Team member seats'),
  organizationMembers: say('Organization members'),
  externalEditors: say('External editor seats'),
  blocks: say('Blocks'),
  scenariosPerFile: say('Scenarios in a file'),
  componentsPerScenario: say('Components in a scenario'),
  components: say('Components in a file'),
  steps: say('Simulation steps'),
  ticksPerSecond: say('Simulation speed (ticks a second)'),
  localRuns: say('Experiment runs kept on this device'),
  remoteRuns: say('Experiment runs kept on the server'),
  embeds: say('Embed links'),
}

/** What a feature is called. */
export const featureLabels: Readonly<Record<Feature, Words>> = {
  exploration: say('Parameter exploration'),
  monteCarlo: say('Monte Carlo experiments'),
  optimization: say('Optimisation'),
  learning: say('Reinforcement learning'),
  cloudRuns: say('Runs on the server'),
  privateEmbed: say('Embedding limited to your sites'),
  copilot: say('Copilot'),
}

/** Features that the product does not have yet, whatever a plan says. The plan comparison marks them. */
export const unbuilt: ReadonlySet<Feature> = new Set<Feature>()

/** Whether a plan allows a total of `wanted`. */
export const allows = (plan: Plan, quantity: Quantity, wanted: number): boolean => plan[quantity] === null || wanted <= plan[quantity]

/** The least plan with this feature, or with room for `wanted`, to name in an upgrade prompt; null when there is none. */
export function planWith(need: Feature | { quantity: Quantity; wanted: number }, table: PlanTable = plans): Plan | null {
  const fits = (plan: Plan): boolean => (typeof need === 'string' ? plan.features.includes(need) : allows(plan, need.quantity, need.wanted))
  return levels.map(level => table[level]).find(fits) ?? null
}

/**
 * The owner of the plan that limits a quantity in a space: an organization is paid by its owner; elsewhere storage, seats and embed links
 * are the owner's, and everything else each member's own.
 */
export function payerOf(space: SpaceType, quantity: Quantity): 'owner' | 'actor' {
  return space === 'organization' || ownersOwn.has(quantity) ? 'owner' : 'actor'
}

const ownersOwn: ReadonlySet<Quantity> = new Set<Quantity>(['storageGB', 'resultStorageGB', 'teamMembers', 'externalEditors', 'embeds'])
