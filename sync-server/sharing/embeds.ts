// Embed codes: a file shown inside pages of others, read only, without names. `/embed/{code}` frames only where its list of
// origins lets it.
import { Hono } from 'hono'
import type { Context } from 'hono'
import { nanoid } from 'nanoid'
import { z } from 'zod'
import { can } from '../../model-schema/roles.ts'
import { note } from '../audit.ts'
import { inTransaction } from '../db/database.ts'
import type { Db } from '../db/database.ts'
import { Refusal, addressOf, body, id, params, signedIn } from '../http.ts'
import type { Env, SignedIn } from '../http.ts'
import type { Parts } from '../parts.ts'
import { onFile, permit } from '../permissions.ts'
import { modelsOf, stateOf } from '../relay/content.ts'

export type EmbedInfo = {
  code: string
  createdAt: string
  closed: boolean
  origins: string[]
  options: Record<string, string>
  /** Ids of the models that visitors may run in it: those that were chosen for it. */
  models: string[]
}
/** A model that a dashboard or chart names now; `allowed` when the person asking may embed it. */
export type EmbeddableModel = { id: string; name: string; allowed: boolean; elsewhere: boolean }

const CODE_LENGTH = 22
const byId = params(z.object({ id }))
const byCode = params(z.object({ id, code: z.string().max(64) }))
const origin = z
  .string()
  .max(253)
  .regex(/^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/i)
const settings = z.object({
  origins: z.array(origin).max(50).optional(),
  /** What the page is to show: title, watermark, theme … */
  options: z
    .record(z.string().max(40), z.string().max(500))
    .refine(value => Object.keys(value).length <= 40)
    .refine(({ show, card = '' }) => (show !== 'chart' && show !== 'parameters') || card.trim() !== '', 'what is embedded cannot be empty')
    .optional(),
  /** Models of the dashboard or chart that visitors may run. Absent: none when a code is made, unchanged when it is changed. */
  models: z.array(id).max(100).optional(),
})
/** Kinds that are shown to strangers. */
const shown: ReadonlySet<string> = new Set(['model', 'dashboard', 'chart'])
/** Those that show runs of models. */
const runsModels: ReadonlySet<string> = new Set(['dashboard', 'chart'])

/** The embed codes of a file, for those who may. */
export function embedRoutes({ db, rooms, quota, trustProxy }: Parts) {
  type Row = { id: string; created_at: Date; closed_at: Date | null; origins: string[]; options: Record<string, string> }
  async function infosOf(rows: readonly Row[]): Promise<EmbedInfo[]> {
    const ids = rows.map(row => row.id)
    const chosen = ids.length === 0 ? [] : await db.selectFrom('embed_model').selectAll().where('embed_id', 'in', ids).execute()
    return rows.map(row => ({
      code: row.id,
      createdAt: row.created_at.toISOString(),
      closed: row.closed_at !== null,
      origins: row.origins,
      options: row.options,
      models: chosen.filter(one => one.embed_id === row.id).map(one => one.model_id),
    }))
  }
  const infoOf = async (row: Row): Promise<EmbedInfo> => {
    const [info] = await infosOf([row])
    if (info === undefined) throw new Error('unreachable')
    return info
  }

  /** The models a file runs, as it is now. */
  async function runBy(file: { id: string; kind: string }): Promise<string[]> {
    const state = runsModels.has(file.kind) ? await stateOf(rooms, file.id) : null
    return state === null ? [] : modelsOf(state.update)
  }

  /** The same for somebody who chooses among them: only those that they may see are named. */
  async function embeddable(userId: string, file: { id: string; kind: string; team: string }): Promise<EmbeddableModel[]> {
    const found: EmbeddableModel[] = []
    for (const model of await runBy(file)) {
      const standing = await onFile(db, userId, model)
      if (standing === null || !can(standing.actor, 'view', standing.subject)) continue
      const allowed = can(standing.actor, 'embed', standing.subject)
      found.push({ id: model, name: standing.name, allowed, elsewhere: standing.team !== file.team })
    }
    return found
  }

  /** Refuses a choice of models that the file does not run, or that are not this person's to embed. */
  async function checkChoice(userId: string, file: { id: string; kind: string }, models: readonly string[]): Promise<void> {
    const run = models.length === 0 ? [] : await runBy(file)
    for (const model of models) {
      if (!run.includes(model)) throw new Refusal('invalid-params', `it does not run ${model}`)
      permit(await onFile(db, userId, model), 'embed')
    }
  }

  /** Writes the choice; who chose a model before stays named for it. */
  async function keepChoice(tx: Db, code: string, models: readonly string[], userId: string): Promise<void> {
    const removal = tx.deleteFrom('embed_model').where('embed_id', '=', code)
    await (models.length === 0 ? removal : removal.where('model_id', 'not in', models)).execute()
    if (models.length === 0) return
    await tx
      .insertInto('embed_model')
      .values([...new Set(models)].map(model => ({ embed_id: code, model_id: model, chosen_by: userId })))
      .onConflict(conflict => conflict.doNothing())
      .execute()
  }

  return new Hono<SignedIn>()
    .use(signedIn)
    .get('/:id/embeds', byId, async c => {
      const { id } = c.req.valid('param')
      const { userId } = c.get('actor')
      const { kind, team } = permit(await onFile(db, userId, id), 'embed', { switches: {} })
      const rows = await db.selectFrom('embed').selectAll().where('file_id', '=', id).orderBy('created_at').limit(1000).execute()
      return c.json({ embeds: await infosOf(rows), models: await embeddable(userId, { id, kind, team }) })
    })
    .post('/:id/embeds', byId, body(settings), async c => {
      const { id } = c.req.valid('param')
      const { userId } = c.get('actor')
      const standing = permit(await onFile(db, userId, id), 'embed')
      if (!shown.has(standing.kind)) throw new Refusal('invalid-params', `a ${standing.kind} is not embedded`)
      const { origins = [], options = {}, models = [] } = c.req.valid('json')
      await checkChoice(userId, { id, kind: standing.kind }, models)
      // An embed that only some sites may show.
      if (origins.length > 0) await quota.feature('privateEmbed', userId, standing)
      const row = { id: nanoid(CODE_LENGTH), file_id: id, created_by: userId, origins, options: JSON.stringify(options) }
      const made = await quota.take('embeds', userId, standing, async tx => {
        const inserted = await tx.insertInto('embed').values(row).returningAll().executeTakeFirstOrThrow()
        await keepChoice(tx, row.id, models, userId)
        return inserted
      })
      await note(db, { userId, action: 'embed-created', workspaceId: standing.team, fileId: id, address: addressOf(c, trustProxy) })
      return c.json(await infoOf(made), 201)
    })
    .patch('/:id/embeds/:code', byCode, body(settings.extend({ closed: z.boolean().optional() })), async c => {
      const { id, code } = c.req.valid('param')
      const { userId } = c.get('actor')
      const { origins, options, closed, models } = c.req.valid('json')
      // Closing is open even when the space no longer embeds.
      const standing = permit(await onFile(db, userId, id), 'embed', closed === true ? { switches: {} } : {})
      const before = await db.selectFrom('embed').select('closed_at').where('id', '=', code).where('file_id', '=', id).executeTakeFirst()
      if (before === undefined) throw new Refusal('embed-invalid')
      if (origins !== undefined && origins.length > 0) await quota.feature('privateEmbed', userId, standing)
      if (models !== undefined) await checkChoice(userId, { id, kind: standing.kind }, models)
      const change = async (tx: Db) => {
        if (models !== undefined) await keepChoice(tx, code, models, userId)
        return tx
          .updateTable('embed')
          .set({
            ...(origins === undefined ? {} : { origins }),
            ...(options === undefined ? {} : { options: JSON.stringify(options) }),
            closed_at: closed === undefined ? before.closed_at : closed ? (before.closed_at ?? new Date()) : null,
          })
          .where('id', '=', code)
          .returningAll()
          .executeTakeFirstOrThrow()
      }
      const row = closed === false ? await quota.take('embeds', userId, standing, change) : await inTransaction(db, change)
      await note(db, {
        userId,
        action: closed === true ? 'embed-closed' : 'embed-changed',
        workspaceId: standing.team,
        fileId: id,
        address: addressOf(c, trustProxy),
      })
      return c.json(await infoOf(row))
    })
}

/** What an embedded page asks for: `GET /api/embed/{code}` and its document. Throws `embed-invalid`, `embed-closed`, `embed-limit`. */
export function embedPages({ db, rooms, quota }: Parts) {
  async function open(code: string) {
    const embed = await db
      .selectFrom('embed as e')
      .innerJoin('file as f', 'f.id', 'e.file_id')
      .innerJoin('workspace as w', 'w.id', 'f.workspace_id')
      .select([
        'e.closed_at',
        'e.options',
        'f.id',
        'f.name',
        'f.kind',
        'f.trashed_at',
        'w.id as team',
        'w.type',
        'w.owner_id',
        'w.switches',
      ])
      .where('e.id', '=', code)
      .executeTakeFirst()
    if (embed === undefined) throw new Refusal('embed-invalid')
    const isOff = embed.type !== 'personal' && (embed.switches.copyEmbedLink === false || embed.switches.externalAccess === false)
    if (embed.closed_at !== null || embed.trashed_at !== null || isOff) throw new Refusal('embed-closed')
    try {
      await quota.room('embeds', embed.owner_id, { team: embed.team, space: embed.type, ownerId: embed.owner_id })
    } catch (error) {
      throw error instanceof Refusal && error.code === 'limit-reached' ? new Refusal('embed-limit') : error
    }
    return embed
  }
  const ofCode = params(z.object({ code: z.string().max(64) }))
  return (
    new Hono<Env>()
      // A sandboxed frame is an origin of its own; a code says who may see what it shows, not where the page is from.
      .use(async (c, next) => {
        await next()
        c.header('access-control-allow-origin', '*')
        c.header('access-control-expose-headers', 'x-epoch')
      })
      .get('/:code', ofCode, async c => {
        const { id, name, kind, options } = await open(c.req.valid('param').code)
        return c.json({ docId: id, name, kind, options })
      })
      .get('/:code/state', ofCode, async c => {
        const { id } = await open(c.req.valid('param').code)
        return answer(c, id)
      })
      // The models that were chosen for an embedded dashboard or chart, while it runs them and whoever chose them may embed them.
      .get('/:code/models/:id/state', byCode, async c => {
        const { code, id } = c.req.valid('param')
        const embed = await open(code)
        const page = runsModels.has(embed.kind) ? await stateOf(rooms, embed.id) : null
        if (page === null || !modelsOf(page.update).includes(id)) throw new Refusal('embed-closed')
        const choice = await db
          .selectFrom('embed_model')
          .select('chosen_by')
          .where('embed_id', '=', code)
          .where('model_id', '=', id)
          .executeTakeFirst()
        // It is the choice that opens a model: any editor of the dashboard can name one.
        if (choice === undefined) throw new Refusal('embed-closed', 'this model is not part of the embed')
        permit(await onFile(db, choice.chosen_by, id), 'embed')
        return answer(c, id)
      })
  )

  async function answer(c: Context<Env>, id: string) {
    const state = await stateOf(rooms, id)
    if (state === null) throw new Refusal('embed-closed')
    const etag = `"${state.epoch}.${state.seq}"`
    c.header('etag', etag)
    c.header('cache-control', 'private, no-cache')
    c.header('x-epoch', state.epoch)
    if (c.req.header('if-none-match') === etag) return c.body(null, 304)
    c.header('content-type', 'application/octet-stream')
    return c.body(Uint8Array.from(state.update).buffer)
  }
}

/** The origins that may frame a page: those of the embed code in its path; null for none at all. */
export async function framersOf(db: Db, path: string): Promise<string | null> {
  // What is on the shelf of the store may be shown anywhere.
  if (/^\/embed_marketapp\/[\w-]{1,64}$/.test(path)) return '*'
  const code = /^\/(?:dashboard\/|chart\/)?embed\/([\w-]{1,64})$/.exec(path)?.[1]
  if (code === undefined) return null
  const embed = await db.selectFrom('embed').select(['origins', 'closed_at']).where('id', '=', code).executeTakeFirst()
  // A page that says "closed" or "invalid" may be framed anywhere.
  return embed === undefined || embed.closed_at !== null || embed.origins.length === 0 ? '*' : embed.origins.join(' ')
}
