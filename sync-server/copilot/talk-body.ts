// What a kept talk consists of, as requests bring it: turns with the guide and with language models, and what a model is sent of them. Others' pages will
// show it, so that every part has a shape and a bound; suggestions and proposals stay on the device.
import { z } from 'zod'
import { isWords, type Words } from '../../model-schema/words.ts'
import { TURN, turnEnds } from '../../sim-engine/copilot/doors/dialogue.ts'

const text = z.string().max(TURN.messageLength)
const short = z.string().max(200)
const callId = z.string().min(1).max(100)
const elementId = z.string().max(64)

/** Of a message, of what fills it, and so on. */
const wordsDepth = 6

/** Whether a value is a text that any page can show. */
function isShowable(value: unknown, depth: number): value is Words {
  if (depth > wordsDepth || !isWords(value)) return false
  if ('verbatim' in value) return true
  if ('en' in value) return Object.values(value).every(one => typeof one === 'string')
  const { context, values = {} } = value
  return (context === undefined || typeof context === 'string') && Object.values(values).every(one => fills(one, depth + 1))
}

function fills(value: unknown, depth: number): boolean {
  if (typeof value === 'string' || typeof value === 'number') return true
  return Array.isArray(value) ? depth <= wordsDepth && value.every(one => fills(one, depth + 1)) : isShowable(value, depth)
}

/** What a talk is called; of a question to the guide, a text for every language. */
export const words = z.custom<Words>(value => isShowable(value, 0), 'not a text')

const answer = z.strictObject({
  lines: z
    .array(z.strictObject({ words, cites: z.array(elementId).max(1000).readonly() }))
    .max(2000)
    .readonly(),
  proposal: z.null(),
  next: z.array(z.never()).max(0).readonly(),
})
const part = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('text'), text }),
  z.strictObject({ is: z.literal('tool'), id: callId, name: short, given: text, result: text.nullable(), ok: z.boolean() }),
])
const turnId = z.number().int().min(0).max(1e9)
const turn = z.discriminatedUnion('is', [
  z.strictObject({
    is: z.literal('guide'),
    id: turnId,
    asked: words,
    answer: answer.nullable(),
    ended: z.enum(['failed', 'stopped']).nullable(),
  }),
  z.strictObject({
    is: z.literal('model'),
    id: turnId,
    asked: text,
    by: short,
    parts: z.array(part).max(1000).readonly(),
    tokens: z.number().int().min(0).max(1e12),
    end: z.strictObject({ why: z.enum(turnEnds), detail: z.string().max(10_000) }),
  }),
])

/** What a language model is sent of a talk. */
export const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('user'), text }),
  z.strictObject({
    role: z.literal('assistant'),
    text,
    calls: z
      .array(z.strictObject({ id: callId, name: z.string().max(100), given: text }))
      .max(TURN.uses)
      .readonly(),
  }),
  z.strictObject({
    role: z.literal('tools'),
    results: z
      .array(z.strictObject({ id: callId, text, failed: z.boolean() }))
      .max(TURN.uses)
      .readonly(),
  }),
])

export const talkBody = z.strictObject({ turns: z.array(turn).min(1).max(200).readonly(), messages: z.array(message).max(400).readonly() })
export type TalkBody = z.output<typeof talkBody>
