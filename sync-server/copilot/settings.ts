// What an operator says about the copilot: language models for everybody, hosts that may be called though they are private, and budgets.
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { OutboundRules } from '../../sim-engine/outbound.ts'
import { toolWays, wires, type Endpoint } from './wires.ts'

/** US dollars for a million tokens that go in and that come out, and what all who use a model may spend on it in 30 days; null: not said, no limit. */
export type Money = { readonly priceIn: number | null; readonly priceOut: number | null; readonly monthCost: number | null }
export const noMoney: Money = { priceIn: null, priceOut: null, monthCost: null }

export type Offered = Endpoint & { readonly id: string; readonly label: string; readonly money?: Money }

export type CopilotSettings = {
  /** Models that everybody on this server may use. */
  readonly offered: readonly Offered[]
  readonly rules: OutboundRules
  /** Tokens a person may use of the server's models in 24 hours. */
  readonly dayTokens: number
  /** Calls a person may make in an hour, of any model. */
  readonly hourCalls: number
}

export const noCopilot: CopilotSettings = { offered: [], rules: { allowed: new Set() }, dayTokens: 500_000, hourCalls: 600 }

/** An amount of US dollars. */
export const dollars = z.number().min(0).max(1_000_000)

const File = z.array(
  z.strictObject({
    id: z.string().regex(/^[\w-]{1,40}$/),
    label: z.string().min(1).max(80),
    wire: z.enum(wires),
    url: z.url(),
    model: z.string().min(1).max(200),
    /** The key itself, or the environment variable that holds it. */
    key: z.string().optional(),
    keyFrom: z.string().optional(),
    tools: z.enum(toolWays).default('calls'),
    priceIn: dollars.nullable().default(null),
    priceOut: dollars.nullable().default(null),
    monthCost: dollars.nullable().default(null),
  }),
)

/**
 * Reads the settings: `COPILOT` is the path of a JSON file with models, `OUTBOUND_LOCAL` lists hosts with ports (`127.0.0.1:11434`).
 * Throws Error, saying what is wrong.
 */
export function copilotBy(env: {
  COPILOT?: string | undefined
  OUTBOUND_LOCAL?: string | undefined
  COPILOT_DAY_TOKENS?: number | undefined
  variables: Readonly<Record<string, string | undefined>>
}): CopilotSettings {
  const allowed = new Set((env.OUTBOUND_LOCAL ?? '').split(',').flatMap(one => (one.trim() === '' ? [] : [one.trim()])))
  const dayTokens = env.COPILOT_DAY_TOKENS ?? noCopilot.dayTokens
  if (env.COPILOT === undefined) return { ...noCopilot, rules: { allowed }, dayTokens }
  const read = File.safeParse(JSON.parse(readFileSync(env.COPILOT, 'utf8')))
  if (!read.success) throw new Error(`COPILOT: ${read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`)
  const offered = read.data.map(({ key, keyFrom, priceIn, priceOut, monthCost, ...one }) => ({
    ...one,
    money: { priceIn, priceOut, monthCost },
    id: `server-${one.id}`,
    key: key ?? env.variables[keyFrom ?? ''] ?? '',
  }))
  return { offered, rules: { allowed }, dayTokens, hourCalls: noCopilot.hourCalls }
}
