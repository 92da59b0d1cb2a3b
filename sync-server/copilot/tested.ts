// Tries a language model with one small call: whether it answers, how fast, and whether it can use tools.
import { definitionsOf } from '../../sim-engine/copilot/doors/tools.ts'
import { UNREADABLE, type ModelFault } from '../../sim-engine/copilot/doors/dialogue.ts'
import type { OutboundRules } from '../../sim-engine/outbound.ts'
import { callModel, type Endpoint, type ToolWay } from './wires.ts'

export type Tested = {
  /** What went wrong; null when it answered. */
  readonly fault: ModelFault | null
  readonly detail: string
  /** Milliseconds to its first word or tool. */
  readonly firstMs: number
  /** How it used the tool it was asked to use; null when it did not. */
  readonly usesTools: ToolWay | null
}

/** Tokens of the answer: enough for one call of a tool, also for models that think first. */
const ANSWER_TOKENS = 1000
/** What both ways of trying it use at most, in tokens. */
export const mostOfTest = { in: 2000, out: 2 * ANSWER_TOKENS } as const

type Found = Tested & { readonly tokens: { readonly in: number; readonly out: number } }

/** Tries the way that is set; where no tool was used by calls, the other. */
export async function tested(endpoint: Endpoint, rules: OutboundRules, signal: AbortSignal): Promise<Found> {
  const way = endpoint.tools ?? 'calls'
  const found = await triedBy(way, endpoint, rules, signal)
  if (way === 'text' || found.fault !== null || found.usesTools !== null) return found
  const other = await triedBy('text', endpoint, rules, signal)
  const tokens = { in: found.tokens.in + other.tokens.in, out: found.tokens.out + other.tokens.out }
  return { ...found, usesTools: other.usesTools, tokens }
}

async function triedBy(way: ToolWay, endpoint: Endpoint, rules: OutboundRules, signal: AbortSignal): Promise<Found> {
  const from = performance.now()
  let firstMs: number | null = null
  let usesTools: ToolWay | null = null
  let [fault, detail]: [ModelFault | null, string] = [null, '']
  const tokens = { in: 0, out: 0 }
  const events = callModel(
    { ...endpoint, tools: way },
    {
      system: 'This is a test of the connection.',
      messages: [{ role: 'user', text: 'Call the tool "check" once, with no arguments.' }],
      tools: definitionsOf(['check']),
      answerTokens: ANSWER_TOKENS,
      signal,
    },
    { ...rules, wholeMs: 60_000 },
  )
  for await (const event of events) {
    if (event.is === 'text' || event.is === 'use') firstMs ??= performance.now() - from
    if (event.is === 'use' && event.use.name !== UNREADABLE) usesTools = way
    if (event.is === 'usage') [tokens.in, tokens.out] = [tokens.in + event.tokensIn, tokens.out + event.tokensOut]
    if (event.is === 'fault') [fault, detail] = [event.fault, event.detail]
  }
  return { fault, detail, firstMs: Math.round(firstMs ?? performance.now() - from), usesTools, tokens }
}
