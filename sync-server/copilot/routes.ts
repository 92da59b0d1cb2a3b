// The copilot over HTTP: which language models there are, connecting one, and one call of one. The talk is the page's; the server adds what every model is
// told and the table of tools, keeps the key and the budget, and hands the answer on as it comes. Tools are executed in the page.
import { Hono, type Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import { z } from 'zod'
import { definitionsOf, estimatedTokens } from '../../sim-engine/copilot-tools.ts'
import { modes, systemText, toolsOf, TURN, type ModelEvent } from '../../sim-engine/dialogue.ts'
import { nanoid } from 'nanoid'
import { note as noteDeed } from '../audit.ts'
import { Refusal, addressOf, body, id, name, params, query, signedIn, team } from '../http.ts'
import type { Actor, SignedIn } from '../http.ts'
import { operates, type Operators } from '../operator/operators.ts'
import { payerOf } from '../../model-schema/business/plans.ts'
import type { Place } from '../plans/quota.ts'
import type { Parts } from '../parts.ts'
import { inWorkspace, onFile, permit } from '../permissions.ts'
import { begin, budgetsOf, limitOwner, moneyFor, note, ownerKey, ownerMoney } from './budget.ts'
import { refusalOf } from '../../sim-engine/outbound.ts'
import {
  addProvider,
  changeProvider,
  dropProvider,
  endpointOf,
  managedEndpoint,
  ofServer,
  providersAt,
  providersOf,
  type Manages,
  type Owner,
} from './providers.ts'
import { mostOfTest, tested } from './tested.ts'
import { makeToken, revokeToken, scopes, tokensOf } from './tokens.ts'
import { dollars, type CopilotSettings } from './settings.ts'
import { callModel, toolWays, wires } from './wires.ts'

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

const provider = z.strictObject({
  label: name,
  wire: z.enum(wires),
  url: z.url().max(500),
  model: z.string().trim().min(1).max(200),
  key: z.string().trim().max(1000),
  tools: z.enum(toolWays),
  dayTokens: z.number().int().min(0).max(1_000_000_000).nullable(),
  priceIn: dollars.nullable(),
  priceOut: dollars.nullable(),
  monthCost: dollars.nullable(),
})
const newProvider = provider.extend({
  tools: provider.shape.tools.default('calls'),
  dayTokens: provider.shape.dayTokens.default(null),
  priceIn: dollars.nullable().default(null),
  priceOut: dollars.nullable().default(null),
  monthCost: dollars.nullable().default(null),
})
/** Whose models are meant: one's own, unless a workspace's or the server's. */
const whose = { workspace: team.optional(), server: z.literal(true).optional() }

const newToken = z.strictObject({
  label: name,
  scope: z.enum(scopes),
  workspaces: z.array(team).max(50).default([]),
  files: z.array(id).max(200).default([]),
  days: z.number().int().min(1).max(366),
})

/** Of a test: whoever manages a model tries it as they like; what it costs is counted. */
const noLimits = { dayTokens: null, monthCost: null }

/** Most tokens of one answer. */
const ANSWER_TOKENS = 8000

export type CopilotParts = Parts & { settings: CopilotSettings; operators: Operators; tokenEnded: (token: string) => void }

export function copilotRoutes({ db, secret, quota, trustProxy, settings, operators, tokenEnded }: CopilotParts) {
  const mayManage = async (userId: string, workspaceId: string): Promise<boolean> => {
    try {
      permit(await inWorkspace(db, userId, workspaceId), 'settings')
      return true
    } catch (error) {
      if (error instanceof Refusal) return false
      throw error
    }
  }
  /** Whose models a person may manage: their own, of workspaces they may set up, and of the server as its operator. */
  const managesAs =
    (actor: Actor): Manages =>
    async ({ user_id, workspace_id }) =>
      user_id !== null
        ? user_id === actor.userId
        : workspace_id !== null
          ? mayManage(actor.userId, workspace_id)
          : operates(operators, actor)
  /** The owner that is meant. Throws when this person may not manage what it has. */
  async function ownerFor(
    actor: Actor,
    { workspace, server }: { workspace?: string | undefined; server?: true | 'true' | undefined },
  ): Promise<Owner> {
    if (server) {
      if (!operates(operators, actor)) throw new Refusal('not-found', 'no such call')
      return ofServer
    }
    if (workspace === undefined) return { user_id: actor.userId, workspace_id: null }
    permit(await inWorkspace(db, actor.userId, workspace), 'settings')
    return { user_id: null, workspace_id: workspace }
  }
  const noteChange = (c: Context, userId: string, action: string, url: string): Promise<void> =>
    noteDeed(db, { userId, action, address: addressOf(c, trustProxy), detail: { host: URL.parse(url)?.host ?? '' } })
  /** The workspace of a file that this person may see. */
  async function placeOf(userId: string, file: string | undefined): Promise<{ workspace: string | null; place: Place }> {
    if (file === undefined) return { workspace: null, place: { team: '', space: 'personal', ownerId: userId } }
    const { actor, team, subject, ownerId } = permit(await onFile(db, userId, file), 'view')
    return { workspace: actor.external === true ? null : team, place: { team, space: subject.space ?? 'personal', ownerId } }
  }

  /** Whose plan pays for a call of the server's models. Throws when it does not have the copilot. */
  async function payerFor(userId: string, place: Place): Promise<{ id: string; monthTokens: number | null }> {
    await quota.feature('copilot', userId, place)
    const id = payerOf(place.space, 'copilotTokensPerMonth') === 'owner' ? place.ownerId : userId
    return { id, monthTokens: (await quota.planOf(id)).copilotTokensPerMonth }
  }

  return new Hono<SignedIn>()
    .use(signedIn)
    .get('/providers', query(z.object({ file: id.optional() })), async c => {
      const { userId } = c.get('actor')
      const { workspace } = await placeOf(userId, c.req.valid('query').file)
      const budget = await budgetsOf(db, settings, userId)
      const providers = await providersOf(db, settings, userId, workspace)
      const owners = {
        server: ofServer,
        workspace: { user_id: null, workspace_id: workspace },
        person: { user_id: userId, workspace_id: null },
      }
      const money = await moneyFor(
        db,
        providers.map(one => ({ ...one, owner: ownerKey(owners[one.of]) })),
      )
      return c.json({
        providers: providers.map(({ monthCost: _, ...one }) => ({
          ...one,
          budget: budget(one.id, one.dayTokens),
          moneyLeft: money.get(one.id)?.left ?? null,
          moneyOf: money.get(one.id)?.of ?? null,
        })),
      })
    })
    .get(
      '/providers/managed',
      query(
        z.object({
          workspace: team.optional(),
          server: z.literal('true').optional(),
        }),
      ),
      async c => {
        const owner = await ownerFor(c.get('actor'), c.req.valid('query'))
        return c.json({ providers: await providersAt(db, owner), money: await ownerMoney(db, ownerKey(owner)) })
      },
    )
    .put('/providers/money', body(z.strictObject({ monthCost: dollars.nullable(), ...whose })), async c => {
      const actor = c.get('actor')
      const { monthCost, ...of } = c.req.valid('json')
      await limitOwner(db, await ownerFor(actor, of), monthCost)
      await noteDeed(db, {
        userId: actor.userId,
        action: 'copilot-money-limited',
        address: addressOf(c, trustProxy),
        detail: { dollars: monthCost === null ? '' : String(monthCost) },
      })
      return c.json({ ok: true })
    })
    .post('/providers', body(newProvider.extend(whose)), async c => {
      const actor = c.get('actor')
      const { workspace, server, ...given } = c.req.valid('json')
      const owner = await ownerFor(actor, { workspace, server })
      const why = refusalOf(given.url, settings.rules)
      if (why !== null) throw new Refusal('address-refused', why)
      const made = await addProvider(db, secret, owner, given)
      await noteChange(c, actor.userId, 'copilot-provider-added', given.url)
      return c.json({ id: made }, 201)
    })
    .patch('/providers/:id', params(z.object({ id: callId })), body(provider.partial()), async c => {
      const actor = c.get('actor')
      const change = c.req.valid('json')
      const why = change.url === undefined ? null : refusalOf(change.url, settings.rules)
      if (why !== null) throw new Refusal('address-refused', why)
      await changeProvider(db, secret, c.req.valid('param').id, change, managesAs(actor))
      await noteChange(c, actor.userId, 'copilot-provider-changed', change.url ?? '')
      return c.json({ ok: true })
    })
    .post('/providers/:id/test', params(z.object({ id: callId })), async c => {
      const actor = c.get('actor')
      const { owner, limits, ...endpoint } = await managedEndpoint(db, secret, c.req.valid('param').id, managesAs(actor))
      const begun = await begin(db, settings, {
        userId: actor.userId,
        provider: c.req.valid('param').id,
        owner,
        turn: nanoid(16),
        isOwn: true,
        limits: noLimits,
        most: mostOfTest,
      })
      if ('refused' in begun) {
        if (begun.refused === 'busy') throw new Refusal('too-many-requests')
        return c.json({ fault: begun.refused, detail: '', firstMs: null, usesTools: null })
      }
      const { tokens, ...came } = await tested(endpoint, settings.rules, c.req.raw.signal)
      await note(db, begun.id, tokens.in, tokens.out, limits)
      return c.json(came)
    })
    .delete('/providers/:id', params(z.object({ id: callId })), async c => {
      const actor = c.get('actor')
      await dropProvider(db, c.req.valid('param').id, managesAs(actor))
      await noteChange(c, actor.userId, 'copilot-provider-removed', '')
      return c.json({ ok: true })
    })
    .get('/tokens', async c => c.json({ tokens: await tokensOf(db, c.get('actor').userId) }))
    .post('/tokens', body(newToken), async c => {
      const { userId } = c.get('actor')
      const given = c.req.valid('json')
      const made = await makeToken(db, userId, given)
      await noteDeed(db, { userId, action: 'token-made', address: addressOf(c, trustProxy), detail: { scope: given.scope } })
      return c.json(made, 201)
    })
    .delete('/tokens/:id', params(z.object({ id: callId })), async c => {
      const { userId } = c.get('actor')
      const token = c.req.valid('param').id
      await revokeToken(db, userId, token)
      tokenEnded(token)
      await noteDeed(db, { userId, action: 'token-revoked', address: addressOf(c, trustProxy), detail: {} })
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
        // What the server pays for is part of a plan.
        const { isOwn, owner, limits } = endpoint
        const payer = isOwn ? undefined : await payerFor(userId, place)
        const most = { in: estimatedTokens(JSON.stringify(messages)), out: ANSWER_TOKENS }
        const begun = await begin(db, settings, { userId, provider, owner, turn, isOwn, limits, most, ...(payer ? { payer } : {}) })
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
            if (tokensIn + tokensOut === 0) [tokensIn, tokensOut] = [most.in, estimatedTokens(said)]
            await note(db, begun.id, tokensIn, tokensOut, limits)
          }
        })
      },
    )
}
