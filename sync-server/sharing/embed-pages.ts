// What pages of others load of an embedded file. `/embed/{code}` frames only where the embed code's list of origins lets it.
import { Hono } from 'hono'
import type { Context } from 'hono'
import { z } from 'zod'
import type { Db } from '../db/database.ts'
import { Refusal, id, params } from '../http.ts'
import type { Env } from '../http.ts'
import type { Parts } from '../parts.ts'
import { onFile, permit } from '../permissions.ts'
import { modelsOf, stateOf } from '../relay/content.ts'
import { runsModels } from './embeds.ts'

const ofCode = params(z.object({ code: z.string().max(64) }))
const ofModel = params(z.object({ id, code: z.string().max(64) }))

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
      // The models that were chosen for an embedded dashboard or chart, while it runs them and their author may embed them.
      .get('/:code/models/:id/state', ofModel, async c => {
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
