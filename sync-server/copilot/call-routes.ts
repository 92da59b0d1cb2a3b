// One call of a language model: its answer is passed to the page as it comes, as server-sent events of `sim-engine/copilot/doors/dialogue.ts`.
import { Hono, type Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import { nanoid } from 'nanoid'
import { z } from 'zod'
import { definitionsOf, estimatedTokens } from '../../sim-engine/copilot/doors/tools.ts'
import { modes, systemText, toolsOf } from '../../sim-engine/copilot/doors/dialogue.ts'
import type { ModelEvent } from '../../sim-engine/copilot/doors/dialogue.ts'
import { Refusal, body, id, params, signedIn } from '../http.ts'
import type { SignedIn } from '../http.ts'
import { begin, note, ownerKey } from './budget.ts'
import { Calls } from './calls.ts'
import { endpointOf } from './providers.ts'
import { payerFor, placeOf } from './rights.ts'
import type { CopilotParts } from './rights.ts'
import { rowId } from './tables.ts'
import { message } from './talk-body.ts'
import { callModel } from './wires.ts'

const newCall = z.strictObject({
  provider: rowId,
  turn: id,
  /** By which the page hears the rest after its connection broke. */
  call: id.optional(),
  mode: z.enum(modes),
  file: id.optional(),
  messages: z.array(message).min(1).max(400),
})

const byCall = params(z.object({ call: id }))
const maxAnswerTokens = 8000

export function callRoutes({ db, secret, quota, settings }: CopilotParts) {
  const calls = new Calls()
  const answered = (c: Context, userId: string, call: string, after: number, left: () => void = () => {}) => {
    const gone = new AbortController()
    const events = calls.hear(userId, call, after, gone.signal)
    if (events === null) throw new Refusal('not-found')
    c.header('x-accel-buffering', 'no')
    return streamSSE(c, async stream => {
      stream.onAbort(() => {
        gone.abort()
        left()
      })
      for await (const { number, event } of events) await stream.writeSSE({ id: String(number), data: JSON.stringify(event) })
    })
  }
  return new Hono<SignedIn>()
    .use(signedIn)
    .post('/calls', body(newCall), async c => {
      const { userId } = c.get('actor')
      const { provider, turn, call: given, mode, file, messages } = c.req.valid('json')
      const { workspace, place, keeps } = await placeOf(db, userId, file)
      const endpoint = await endpointOf(db, settings, secret, provider, userId, workspace)
      if (keeps && (workspace === null || endpoint.owner !== ownerKey({ user_id: null, workspace_id: workspace })))
        throw new Refusal('no-permission', 'the workspace of this file does not let its content leave')
      // What the server pays for is part of a plan.
      const { isOwn, owner, limits } = endpoint
      const payer = isOwn ? undefined : await payerFor(quota, userId, place)
      const most = { in: estimatedTokens(JSON.stringify(messages)), out: maxAnswerTokens }
      const call = given ?? nanoid()
      const make = async function* (signal: AbortSignal): AsyncGenerator<ModelEvent> {
        const begun = await begin(db, settings, { userId, provider, owner, turn, isOwn, limits, most, ...(payer ? { payer } : {}) })
        if ('refused' in begun) return yield { is: 'fault', fault: begun.refused, detail: '' }
        let [tokensIn, tokensOut, said] = [0, 0, '']
        try {
          const tools = definitionsOf(toolsOf(mode))
          const asked = { messages, system: systemText(mode), tools, answerTokens: maxAnswerTokens, signal }
          for await (const event of callModel(endpoint, asked, settings.rules)) {
            if (event.is === 'usage') [tokensIn, tokensOut] = [tokensIn + event.tokensIn, tokensOut + event.tokensOut]
            else if (event.is === 'text') said += event.text
            else if (event.is === 'use') said += event.use.given
            yield event
          }
        } finally {
          if (tokensIn + tokensOut === 0) [tokensIn, tokensOut] = [most.in, estimatedTokens(said)]
          await note(db, begun.id, tokensIn, tokensOut, limits)
        }
      }
      if (!calls.begin(userId, call, make)) throw new Refusal('id-taken')
      // Without an id of the page's nobody can come back to it.
      return answered(c, userId, call, 0, given === undefined ? () => void calls.stop(userId, call) : undefined)
    })
    .get('/calls/:call', byCall, c => {
      const after = Number(c.req.header('last-event-id') ?? 0)
      return answered(c, c.get('actor').userId, c.req.valid('param').call, Number.isSafeInteger(after) && after > 0 ? after : 0)
    })
    .delete('/calls/:call', byCall, c => {
      calls.stop(c.get('actor').userId, c.req.valid('param').call)
      return c.body(null, 204)
    })
}
