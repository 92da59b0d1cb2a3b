// One call of a language model: its answer is passed to the page as it comes, as server-sent events of `sim-engine/copilot/doors/dialogue.ts`.
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { z } from 'zod'
import { definitionsOf, estimatedTokens } from '../../sim-engine/copilot/doors/tools.ts'
import { modes, systemText, toolsOf } from '../../sim-engine/copilot/doors/dialogue.ts'
import type { ModelEvent } from '../../sim-engine/copilot/doors/dialogue.ts'
import { Refusal, body, id, signedIn } from '../http.ts'
import type { SignedIn } from '../http.ts'
import { begin, note, ownerKey } from './budget.ts'
import { endpointOf } from './providers.ts'
import { payerFor, placeOf } from './rights.ts'
import type { CopilotParts } from './rights.ts'
import { rowId } from './tables.ts'
import { message } from './talk-body.ts'
import { callModel } from './wires.ts'

const newCall = z.strictObject({
  provider: rowId,
  turn: id,
  mode: z.enum(modes),
  file: id.optional(),
  messages: z.array(message).min(1).max(400),
})

const maxAnswerTokens = 8000

export function callRoutes({ db, secret, quota, settings }: CopilotParts) {
  return new Hono<SignedIn>().use(signedIn).post('/calls', body(newCall), async c => {
    const { userId } = c.get('actor')
    const { provider, turn, mode, file, messages } = c.req.valid('json')
    const { workspace, place, keeps } = await placeOf(db, userId, file)
    const endpoint = await endpointOf(db, settings, secret, provider, userId, workspace)
    if (keeps && (workspace === null || endpoint.owner !== ownerKey({ user_id: null, workspace_id: workspace })))
      throw new Refusal('no-permission', 'the workspace of this file does not let its content leave')
    // What the server pays for is part of a plan.
    const { isOwn, owner, limits } = endpoint
    const payer = isOwn ? undefined : await payerFor(quota, userId, place)
    const most = { in: estimatedTokens(JSON.stringify(messages)), out: maxAnswerTokens }
    const begun = await begin(db, settings, { userId, provider, owner, turn, isOwn, limits, most, ...(payer ? { payer } : {}) })
    c.header('x-accel-buffering', 'no')
    return streamSSE(c, async stream => {
      const stopped = new AbortController()
      stream.onAbort(() => stopped.abort())
      const tell = (event: ModelEvent) => stream.writeSSE({ data: JSON.stringify(event) })
      if ('refused' in begun) return tell({ is: 'fault', fault: begun.refused, detail: '' })
      let [tokensIn, tokensOut, said] = [0, 0, '']
      try {
        const tools = definitionsOf(toolsOf(mode))
        const call = { messages, system: systemText(mode), tools, answerTokens: maxAnswerTokens, signal: stopped.signal }
        for await (const event of callModel(endpoint, call, settings.rules)) {
          if (event.is === 'usage') [tokensIn, tokensOut] = [tokensIn + event.tokensIn, tokensOut + event.tokensOut]
          else if (event.is === 'text') said += event.text
          else if (event.is === 'use') said += event.use.given
          await tell(event)
        }
      } finally {
        if (tokensIn + tokensOut === 0) [tokensIn, tokensOut] = [most.in, estimatedTokens(said)]
        await note(db, begun.id, tokensIn, tokensOut, limits)
      }
    })
  })
}
