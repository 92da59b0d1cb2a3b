// The copilot over HTTP: which language models there are, connecting one, and one call of one. The talk is the page's; the server adds what every model is
// told and the table of tools, keeps the key and the budget, and hands the answer on as it comes. Tools are executed in the page.
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { z } from 'zod'
import { definitionsOf } from '../../sim-engine/copilot-tools.ts'
import { modes, systemText, toolsOf, TURN, type ModelEvent } from '../../sim-engine/dialogue.ts'
import { note as noteDeed } from '../audit.ts'
import { Refusal, addressOf, body, id, name, params, query, signedIn, team } from '../http.ts'
import type { SignedIn } from '../http.ts'
import type { Place } from '../plans/quota.ts'
import type { Parts } from '../parts.ts'
import { inWorkspace, onFile, permit } from '../permissions.ts'
import { begin, budgetOf, estimated, note } from './budget.ts'
import { refusalOf } from './outbound.ts'
import { addProvider, dropProvider, endpointOf, providersOf } from './providers.ts'
import type { CopilotSettings } from './settings.ts'
import { callModel, wires } from './wires.ts'

const text = z.string().max(TURN.messageLength)
const callId = z.string().min(1).max(100)
const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('user'), text }),
  z.strictObject({
    role: z.literal('assistant'),
    text,
    calls: z.array(z.strictObject({ id: callId, name: z.string().max(100), given: text })).max(TURN.uses),
  }),
  z.strictObject({
    role: z.literal('tools'),
    results: z.array(z.strictObject({ id: callId, text, failed: z.boolean() })).max(TURN.uses),
  }),
])

const newProvider = z.strictObject({
  label: name,
  wire: z.enum(wires),
  url: z.url().max(500),
  model: z.string().trim().min(1).max(200),
  key: z.string().trim().max(1000),
  workspace: team.optional(),
})

/** Most tokens of one answer. */
const ANSWER_TOKENS = 8000

export function copilotRoutes({ db, secret, quota, trustProxy, settings }: Parts & { settings: CopilotSettings }) {
  const mayManage = async (userId: string, workspaceId: string): Promise<boolean> => {
    try {
      permit(await inWorkspace(db, userId, workspaceId), 'settings')
      return true
    } catch (error) {
      if (error instanceof Refusal) return false
      throw error
    }
  }
  /** The workspace of a file that this person may see. */
  async function placeOf(userId: string, file: string | undefined): Promise<{ workspace: string | null; place: Place }> {
    if (file === undefined) return { workspace: null, place: { team: '', space: 'personal', ownerId: userId } }
    const { actor, team, subject, ownerId } = permit(await onFile(db, userId, file), 'view')
    return { workspace: actor.external === true ? null : team, place: { team, space: subject.space ?? 'personal', ownerId } }
  }

  return new Hono<SignedIn>()
    .use(signedIn)
    .get('/providers', query(z.object({ file: id.optional() })), async c => {
      const { userId } = c.get('actor')
      const { workspace } = await placeOf(userId, c.req.valid('query').file)
      const budget = await budgetOf(db, settings, userId)
      const providers = await providersOf(db, settings, userId, workspace)
      return c.json({
        providers: providers.map(one => ({ ...one, budget: one.of === 'server' ? budget : null })),
        workspace: workspace !== null && (await mayManage(userId, workspace)) ? workspace : null,
      })
    })
    .post('/providers', body(newProvider), async c => {
      const { userId } = c.get('actor')
      const { workspace, ...given } = c.req.valid('json')
      const why = refusalOf(given.url, settings.rules)
      if (why !== null) throw new Refusal('address-refused', why)
      if (workspace !== undefined) permit(await inWorkspace(db, userId, workspace), 'settings')
      const owner = workspace === undefined ? { user_id: userId, workspace_id: null } : { user_id: null, workspace_id: workspace }
      const made = await addProvider(db, secret, owner, given)
      await noteDeed(db, {
        userId,
        action: 'copilot-provider-added',
        address: addressOf(c, trustProxy),
        detail: { host: new URL(given.url).host },
      })
      return c.json({ id: made }, 201)
    })
    .delete('/providers/:id', params(z.object({ id })), async c => {
      const { userId } = c.get('actor')
      await dropProvider(db, c.req.valid('param').id, userId, workspace => mayManage(userId, workspace))
      return c.json({ ok: true })
    })
    .post(
      '/calls',
      body(
        z.strictObject({
          provider: callId,
          turn: id,
          mode: z.enum(modes),
          file: id.optional(),
          messages: z.array(message).min(1).max(400),
        }),
      ),
      async c => {
        const { userId } = c.get('actor')
        const { provider, turn, mode, file, messages } = c.req.valid('json')
        const { workspace, place } = await placeOf(userId, file)
        const endpoint = await endpointOf(db, settings, secret, provider, userId, workspace)
        if (!endpoint.isOwn) await quota.feature('copilot', userId, place)
        const begun = await begin(db, settings, { userId, provider, turn, isOwn: endpoint.isOwn })
        c.header('x-accel-buffering', 'no')
        return streamSSE(c, async stream => {
          const stopped = new AbortController()
          stream.onAbort(() => stopped.abort())
          const tell = (event: ModelEvent) => stream.writeSSE({ data: JSON.stringify(event) })
          if ('refused' in begun) return tell({ is: 'fault', fault: begun.refused, detail: '' })
          let [tokensIn, tokensOut, said] = [0, 0, '']
          try {
            for await (const event of callModel(
              endpoint,
              {
                messages,
                system: systemText(mode),
                tools: definitionsOf(toolsOf(mode)),
                answerTokens: ANSWER_TOKENS,
                signal: stopped.signal,
              },
              settings.rules,
            )) {
              if (event.is === 'usage') [tokensIn, tokensOut] = [tokensIn + event.tokensIn, tokensOut + event.tokensOut]
              else if (event.is === 'text') said += event.text
              else if (event.is === 'use') said += event.use.given
              await tell(event)
            }
          } finally {
            if (tokensIn + tokensOut === 0) [tokensIn, tokensOut] = [estimated(JSON.stringify(messages)), estimated(said)]
            await note(db, begun.id, tokensIn, tokensOut)
          }
        })
      },
    )
}
