// The catalogue: lists, and one file, made and changed.
import { Hono } from 'hono'
import { z } from 'zod'
import { body, flag, id, name, params, query, signedIn, team } from '../http.ts'
import type { SignedIn } from '../http.ts'
import type { Parts } from '../parts.ts'
import { onFile, permit } from '../permissions.ts'
import { ensurePersonalWorkspace } from '../workspaces/workspaces.ts'
import { KINDS, changeFile, createFile, onTakenName } from './files.ts'
import { MAX_LISTED, SORTS, fileFor, listFiles } from './listing.ts'
import type { Listing } from './listing.ts'
import { addWithinPlan, homeFor } from './placing.ts'

const listing = z.object({
  of: z.enum(['all', 'folder', 'trash', 'recent', 'shared', 'favourites', 'search']).optional(),
  team: team.optional(),
  parent: id.optional(),
  q: z.string().max(200).optional(),
  kind: z.enum(KINDS).optional(),
  tag: id.optional(),
  sort: z.enum(SORTS).optional(),
  descending: flag.optional(),
  limit: z.coerce.number().int().min(1).max(MAX_LISTED).optional(),
  offset: z.coerce.number().int().min(0).max(10_000_000).optional(),
})
const byId = params(z.object({ id }))

export function catalogueRoutes(parts: Parts) {
  const { db, rooms, quota } = parts

  return new Hono<SignedIn>()
    .use(signedIn)
    .get('/', query(listing), async c => {
      const { of = 'all', team, parent, q, limit = MAX_LISTED, offset = 0, ...order } = c.req.valid('query')
      const { userId, name } = c.get('actor')
      let what: Listing
      if (of === 'folder') what = { of, team: team ?? (await ensurePersonalWorkspace(db, userId, name)), parent: parent ?? null }
      else if (of === 'search') what = { of, q: q ?? '', ...(team === undefined ? {} : { team }) }
      else if (of === 'trash') what = { of, ...(team === undefined ? {} : { team }) }
      else what = { of }
      const files = await listFiles(db, userId, what, { ...order, limit, offset }, quota.plansOf)
      return c.json({ files, next: files.length === limit ? offset + limit : null })
    })
    .post(
      '/',
      body(
        z.object({
          id,
          name,
          kind: z.enum(KINDS),
          team: team.optional(),
          parent: id.nullable().optional(),
          epoch: id.optional(),
          taken: onTakenName,
        }),
      ),
      async c => {
        const file = c.req.valid('json')
        const actor = c.get('actor')
        const home = await homeFor(db, actor, file.team)
        const wanted = { ...file, team: home.team, parent: file.parent ?? null, taken: file.taken ?? ('refuse' as const) }
        await addWithinPlan(parts, actor, home, file.kind, tx => createFile(tx, actor.userId, wanted))
        return c.json(await fileFor(parts, actor.userId, file.id), 201)
      },
    )
    .get('/:id', byId, async c => c.json(await fileFor(parts, c.get('actor').userId, c.req.valid('param').id)))
    .patch(
      '/:id',
      byId,
      body(z.object({ name: name.optional(), remark: z.string().max(10_000).optional(), parent: id.nullable().optional() })),
      async c => {
        const { id } = c.req.valid('param')
        const { userId } = c.get('actor')
        const change = c.req.valid('json')
        const standing = permit(await onFile(db, userId, id), 'rename')
        if (change.parent !== undefined) permit(standing, 'move')
        await changeFile(db, id, change)
        // Its folders decide about access to it.
        if (change.parent !== undefined) await rooms.revoke(id)
        rooms.control(id, { type: 'file-changed', docId: id })
        return c.json(await fileFor(parts, userId, id))
      },
    )
}
