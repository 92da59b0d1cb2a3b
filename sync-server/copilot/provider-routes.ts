// Language models over HTTP: those that a person may use, and connecting, changing, testing and removing those that they manage.
import { Hono } from 'hono'
import { nanoid } from 'nanoid'
import { z } from 'zod'
import { refusalOf } from '../../sim-engine/outbound.ts'
import { requestLog } from '../audit.ts'
import { Refusal, body, id, name, params, query, signedIn, team } from '../http.ts'
import type { SignedIn } from '../http.ts'
import { begin, budgetsOf, limitOwner, moneyFor, note, ownerKey, ownerMoney } from './budget.ts'
import {
  addProvider,
  changeProvider,
  dropProvider,
  managedEndpoint,
  ofServer,
  providersAt,
  providersOf,
  type Connection,
  type Owner,
} from './providers.ts'
import { managesAs, ownerFor, placeOf } from './rights.ts'
import type { CopilotParts } from './rights.ts'
import { dollars } from './settings.ts'
import { rowId } from './tables.ts'
import { mostOfTest, tested } from './tested.ts'
import { toolWays, wires } from './wires.ts'

const byId = params(z.object({ id: rowId }))
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
/** The owner of the models: oneself, unless a workspace or the server is named. */
const whose = { workspace: team.optional(), server: z.literal(true).optional() }

/** Of a test: a manager tries a model without limits; what it costs is counted. */
const noLimits = { dayTokens: null, monthCost: null }

/** Whether a file is a copy of a publication: its words are others'. */
async function isFromMarket(db: CopilotParts['db'], file: string): Promise<boolean> {
  const row = await db.selectFrom('file').select('from_market').where('id', '=', file).executeTakeFirst()
  return row?.from_market === true
}

export function providerRoutes(parts: CopilotParts) {
  const { db, secret, settings } = parts
  const log = requestLog(parts)

  return new Hono<SignedIn>()
    .use(signedIn)
    .get('/providers', query(z.object({ file: id.optional() })), async c => {
      const { userId } = c.get('actor')
      const { file } = c.req.valid('query')
      const { workspace, keeps } = await placeOf(db, userId, file)
      const providers = await usableProviders(parts, userId, workspace)
      return c.json({
        providers: keeps ? providers.filter(({ of }) => of === 'workspace') : providers,
        isFromMarket: file !== undefined && (await isFromMarket(db, file)),
      })
    })
    .get('/providers/managed', query(z.object({ workspace: team.optional(), server: z.literal('true').optional() })), async c => {
      const owner = await ownerFor(parts, c.get('actor'), c.req.valid('query'))
      return c.json({ providers: await providersAt(db, owner), money: await ownerMoney(db, ownerKey(owner)) })
    })
    .put('/providers/money', body(z.strictObject({ monthCost: dollars.nullable(), ...whose })), async c => {
      const actor = c.get('actor')
      const { monthCost, ...of } = c.req.valid('json')
      const owner = await ownerFor(parts, actor, of)
      await limitOwner(db, owner, monthCost)
      await log(c, 'copilot-money-limited', { ...ofWorkspace(owner), detail: { dollars: monthCost === null ? '' : String(monthCost) } })
      return c.json({ ok: true })
    })
    .post('/providers', body(newProvider.extend(whose)), async c => {
      const actor = c.get('actor')
      const { workspace, server, ...given } = c.req.valid('json')
      const owner = await ownerFor(parts, actor, { workspace, server })
      const why = refusalOf(given.url, settings.rules)
      if (why !== null) throw new Refusal('address-refused', why)
      const made = await addProvider(db, secret, owner, given)
      await log(c, 'copilot-provider-added', about({ ...owner, ...given }))
      return c.json({ id: made }, 201)
    })
    .patch('/providers/:id', byId, body(provider.partial()), async c => {
      const actor = c.get('actor')
      const change = c.req.valid('json')
      const why = change.url === undefined ? null : refusalOf(change.url, settings.rules)
      if (why !== null) throw new Refusal('address-refused', why)
      const changed = await changeProvider(db, secret, c.req.valid('param').id, change, managesAs(parts, actor))
      await log(c, 'copilot-provider-changed', about(changed))
      return c.json({ ok: true })
    })
    .post('/providers/:id/test', byId, async c => {
      const actor = c.get('actor')
      const { owner, limits, ...endpoint } = await managedEndpoint(db, secret, c.req.valid('param').id, managesAs(parts, actor))
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
    .delete('/providers/:id', byId, async c => {
      const actor = c.get('actor')
      const dropped = await dropProvider(db, c.req.valid('param').id, managesAs(parts, actor))
      await log(c, 'copilot-provider-removed', about(dropped))
      return c.json({ ok: true })
    })
}

/** The models that a person may use, with what is left of their budgets. */
async function usableProviders({ db, settings }: CopilotParts, userId: string, workspace: string | null) {
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
  return providers.map(({ monthCost: _, ...one }) => ({
    ...one,
    budget: budget(one.id, one.dayTokens),
    moneyLeft: money.get(one.id)?.left ?? null,
    moneyOf: money.get(one.id)?.of ?? null,
  }))
}

const ofWorkspace = ({ workspace_id }: Owner): { workspaceId?: string } => (workspace_id === null ? {} : { workspaceId: workspace_id })

/** Of a connection, for the log of its workspace and of its author: its name and the host that it calls. */
const about = ({ label, url, ...owner }: Connection) => ({
  ...ofWorkspace(owner),
  detail: { name: label, host: URL.parse(url)?.host ?? '' },
})
