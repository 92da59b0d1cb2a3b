// Embed codes: a file shown inside pages of others, read only, without names. What those pages load is in embed-pages.ts.
import { Hono } from 'hono'
import { nanoid } from 'nanoid'
import { z } from 'zod'
import { can } from '../../model-schema/roles.ts'
import { requestLog } from '../audit.ts'
import { inTransaction } from '../db/database.ts'
import type { Db } from '../db/database.ts'
import { Refusal, body, id, params, signedIn } from '../http.ts'
import type { SignedIn } from '../http.ts'
import type { Parts } from '../parts.ts'
import { onFile, permit } from '../permissions.ts'
import { modelsOf, stateOf } from '../relay/content.ts'
import type { Rooms } from '../relay/rooms.ts'

type EmbedInfo = {
  code: string
  createdAt: string
  closed: boolean
  origins: string[]
  options: Record<string, string>
  /** Ids of the models that visitors may run in it: those that were chosen for it. */
  models: string[]
}
/** A model that a dashboard or chart names now; `allowed` when the person asking may embed it. */
type EmbeddableModel = { id: string; name: string; allowed: boolean; elsewhere: boolean }

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
export const runsModels: ReadonlySet<string> = new Set(['dashboard', 'chart'])

/** The embed codes of a file, for those who may. */
export function embedRoutes(parts: Parts) {
  const { db, quota } = parts
  const log = requestLog(parts)

  return new Hono<SignedIn>()
    .use(signedIn)
    .get('/:id/embeds', byId, async c => {
      const { id } = c.req.valid('param')
      const { userId } = c.get('actor')
      const { kind, team } = permit(await onFile(db, userId, id), 'embed', { switches: {} })
      const rows = await db.selectFrom('embed').selectAll().where('file_id', '=', id).orderBy('created_at').limit(1000).execute()
      return c.json({ embeds: await infosOf(db, rows), models: await embeddable(parts, userId, { id, kind, team }) })
    })
    .post('/:id/embeds', byId, body(settings), async c => {
      const { id } = c.req.valid('param')
      const { userId } = c.get('actor')
      const standing = permit(await onFile(db, userId, id), 'embed')
      if (!shown.has(standing.kind)) throw new Refusal('invalid-params', `a ${standing.kind} is not embedded`)
      const { origins = [], options = {}, models = [] } = c.req.valid('json')
      await checkChoice(parts, userId, { id, kind: standing.kind }, models)
      // An embed that only some sites may show.
      if (origins.length > 0) await quota.feature('privateEmbed', userId, standing)
      const row = { id: nanoid(CODE_LENGTH), file_id: id, created_by: userId, origins, options: JSON.stringify(options) }
      const made = await quota.take('embeds', userId, standing, async tx => {
        const inserted = await tx.insertInto('embed').values(row).returningAll().executeTakeFirstOrThrow()
        await writeChoice(tx, row.id, models, userId)
        return inserted
      })
      await log(c, 'embed-created', { workspaceId: standing.team, fileId: id })
      return c.json(await infoOf(db, made), 201)
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
      if (models !== undefined) await checkChoice(parts, userId, { id, kind: standing.kind }, models)
      const change = async (tx: Db) => {
        if (models !== undefined) await writeChoice(tx, code, models, userId)
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
      await log(c, closed === true ? 'embed-closed' : 'embed-changed', { workspaceId: standing.team, fileId: id })
      return c.json(await infoOf(db, row))
    })
}

type EmbedRow = { id: string; created_at: Date; closed_at: Date | null; origins: string[]; options: Record<string, string> }

async function infosOf(db: Db, rows: readonly EmbedRow[]): Promise<EmbedInfo[]> {
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

async function infoOf(db: Db, row: EmbedRow): Promise<EmbedInfo> {
  const [info] = await infosOf(db, [row])
  if (info === undefined) throw new Error('unreachable')
  return info
}

/** The models a file runs, as it is now. */
async function runBy({ rooms }: { rooms: Rooms }, file: { id: string; kind: string }): Promise<string[]> {
  const state = runsModels.has(file.kind) ? await stateOf(rooms, file.id) : null
  return state === null ? [] : modelsOf(state.update)
}

/** The models that a file runs and this person may see, to choose from. */
async function embeddable(
  parts: { db: Db; rooms: Rooms },
  userId: string,
  file: { id: string; kind: string; team: string },
): Promise<EmbeddableModel[]> {
  const found: EmbeddableModel[] = []
  for (const model of await runBy(parts, file)) {
    const standing = await onFile(parts.db, userId, model)
    if (standing === null || !can(standing.actor, 'view', standing.subject)) continue
    const allowed = can(standing.actor, 'embed', standing.subject)
    found.push({ id: model, name: standing.name, allowed, elsewhere: standing.team !== file.team })
  }
  return found
}

/** Refuses a choice of models that the file does not run, or that this person may not embed. */
async function checkChoice(
  parts: { db: Db; rooms: Rooms },
  userId: string,
  file: { id: string; kind: string },
  models: readonly string[],
): Promise<void> {
  const run = models.length === 0 ? [] : await runBy(parts, file)
  for (const model of models) {
    if (!run.includes(model)) throw new Refusal('invalid-params', `it does not run ${model}`)
    permit(await onFile(parts.db, userId, model), 'embed')
  }
}

/** Replaces the chosen models; models that stay keep the person who chose them. */
async function writeChoice(tx: Db, code: string, models: readonly string[], userId: string): Promise<void> {
  const removal = tx.deleteFrom('embed_model').where('embed_id', '=', code)
  await (models.length === 0 ? removal : removal.where('model_id', 'not in', models)).execute()
  if (models.length === 0) return
  await tx
    .insertInto('embed_model')
    .values([...new Set(models)].map(model => ({ embed_id: code, model_id: model, chosen_by: userId })))
    .onConflict(conflict => conflict.doNothing())
    .execute()
}
