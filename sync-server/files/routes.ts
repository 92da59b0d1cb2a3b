// Files over HTTP: the catalogue. Who may is `permit`; what changes somebody's access reaches open sockets at once.
import { Hono } from 'hono'
import { z } from 'zod'
import { restrictions } from '../../model-schema/roles.ts'
import { payerOf } from '../../model-schema/business/plans.ts'
import { note } from '../audit.ts'
import { Refusal, addressOf, body, flag, id, name, params, query, signedIn, team } from '../http.ts'
import type { Actor, SignedIn } from '../http.ts'
import { imageLimit, sendImage, sweepImages, takeImage } from '../images/images.ts'
import type { Db } from '../db/database.ts'
import type { Parts } from '../parts.ts'
import { explained, inWorkspace, onFile, permit } from '../permissions.ts'
import type { FileStanding } from '../permissions.ts'
import { CLOSE } from '../protocol.ts'
import { stateOf } from '../relay/content.ts'
import { setTags } from '../tags/tags.ts'
import { ensurePersonalWorkspace } from '../workspaces/workspaces.ts'
import { liveLink, shareBehind } from './access.ts'
import { KINDS, changeFile, createFile, duplicateFile, isWithin, linkModel, moveFile, noteModels, setFavourite } from './files.ts'
import { MAX_LISTED, SORTS, listFiles } from './listing.ts'
import type { FileInfo, Listing } from './listing.ts'
import { refuseProtected } from '../sharing/restrictions.ts'
import { deleteFile, restoreFile, subtree, trashFile } from './trash.ts'

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
const taken = z.enum(['refuse', 'number']).optional()

export function fileRoutes({ db, rooms, quota, secret, trustProxy }: Parts) {
  async function one(fileId: string, userId: string): Promise<FileInfo> {
    const [file] = await listFiles(db, userId, { of: 'one', id: fileId }, {}, quota.plansOf)
    if (file === undefined) throw new Refusal('not-found')
    return file
  }

  /** The workspace files are to go to, if the actor may create there; their personal one unless named. */
  async function homeFor(actor: Actor, wanted: string | undefined) {
    const home = wanted ?? (await ensurePersonalWorkspace(db, actor.userId, actor.name))
    return permit(await inWorkspace(db, actor.userId, home), 'createFile')
  }

  /** Adds a file where there is room for it in the plan. */
  function adding(actor: Actor, home: Awaited<ReturnType<typeof homeFor>>, kind: string, add: (tx: Db) => Promise<void>): Promise<void> {
    if (kind === 'folder' || kind === 'project') return add(db)
    return quota.take(kind === 'block' ? 'blocks' : 'files', actor.userId, home, add)
  }

  /** May the actor take a copy of this file to that workspace? */
  async function permitCopy(
    standing: FileStanding | null,
    fileId: string,
    home: { team: string; space: string },
    share: string | undefined,
  ) {
    const linkId = share === undefined ? null : await shareBehind(db, secret, share)
    const link = linkId === null ? undefined : await liveLink(db, linkId)
    // By a link that lets copy one is an outsider of its role, as far as the space lets things out. A link lifts no restriction.
    if (standing !== null && standing.actor.restriction == null && link?.may_copy === true && (await isWithin(db, fileId, link.file_id)))
      return permit({ ...standing, actor: { role: link.role, external: true } }, 'copyOut')
    return permit(standing, standing?.team === home.team ? 'copy' : home.space === 'personal' ? 'copyToPersonal' : 'copyOut')
  }

  const catalogue = new Hono<SignedIn>()
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
        z.object({ id, name, kind: z.enum(KINDS), team: team.optional(), parent: id.nullable().optional(), epoch: id.optional(), taken }),
      ),
      async c => {
        const file = c.req.valid('json')
        const actor = c.get('actor')
        const home = await homeFor(actor, file.team)
        const wanted = { ...file, team: home.team, parent: file.parent ?? null, taken: file.taken ?? ('refuse' as const) }
        await adding(actor, home, file.kind, tx => createFile(tx, actor.userId, wanted))
        return c.json(await one(file.id, actor.userId), 201)
      },
    )
    .get('/:id', byId, async c => c.json(await one(c.req.valid('param').id, c.get('actor').userId)))
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
        // What folders it lies in decides who may open it.
        if (change.parent !== undefined) await rooms.revoke(id)
        rooms.control(id, { type: 'file-changed', docId: id })
        return c.json(await one(id, userId))
      },
    )
    .post('/:id/move', byId, body(z.object({ team: team.optional(), parent: id.nullable(), taken })), async c => {
      const { id } = c.req.valid('param')
      const actor = c.get('actor')
      const to = c.req.valid('json')
      const standing = permit(await onFile(db, actor.userId, id), 'move')
      const home = to.team === undefined || to.team === standing.team ? null : await homeFor(actor, to.team)
      if (home !== null) {
        permit(standing, home.space === 'personal' ? 'copyToPersonal' : 'copyOut')
        permit(standing, 'trash')
        await refuseProtected(db, actor.userId, id, standing, restrictions)
      }
      const move = (tx: Db) => moveFile(tx, id, { parent: to.parent, taken: to.taken ?? 'refuse', team: home?.team ?? standing.team })
      if (home === null || standing.kind === 'folder' || standing.kind === 'project') await move(db)
      else await quota.take(standing.kind === 'block' ? 'blocks' : 'files', actor.userId, home, move)
      await rooms.revoke(id)
      if (home !== null) {
        const deed = { userId: actor.userId, action: 'file-moved', fileId: id, address: addressOf(c, trustProxy) }
        await note(db, { ...deed, workspaceId: standing.team, detail: { to: home.team } })
        await note(db, { ...deed, workspaceId: home.team, detail: { from: standing.team } })
      }
      rooms.control(id, { type: 'file-changed', docId: id })
      return c.json(await one(id, actor.userId))
    })
    .post(
      '/:id/duplicate',
      byId,
      body(
        z.object({
          id,
          name: name.optional(),
          team: team.optional(),
          parent: id.nullable().optional(),
          share: z.string().max(64).optional(),
        }),
      ),
      async c => {
        const from = c.req.valid('param').id
        const { share, ...copy } = c.req.valid('json')
        const actor = c.get('actor')
        const home = await homeFor(actor, copy.team)
        const original = await permitCopy(await onFile(db, actor.userId, from), from, home, share)
        const parent = copy.parent ?? (home.team === original.team ? original.parent : null)
        const content = (await stateOf(rooms, from))?.update ?? null
        await adding(actor, home, original.kind, tx => duplicateFile(tx, actor.userId, from, { ...copy, team: home.team, parent, content }))
        return c.json(await one(copy.id, actor.userId), 201)
      },
    )
    .post('/:id/trash', byId, async c => {
      const { id } = c.req.valid('param')
      const { userId } = c.get('actor')
      // Again is the same.
      const standing = permit(await onFile(db, userId, id), 'restore')
      const { subject, team } = standing
      if (!subject.inTrash) {
        await refuseProtected(db, userId, id, standing)
        await trashFile(db, id, userId)
        await rooms.revoke(id)
        await note(db, { userId, action: 'file-trashed', workspaceId: team, fileId: id, address: addressOf(c, trustProxy) })
      }
      return c.json({ ok: true })
    })
    .post('/:id/restore', byId, async c => {
      const { id } = c.req.valid('param')
      const { userId } = c.get('actor')
      permit(await onFile(db, userId, id), 'restore')
      await restoreFile(db, id)
      await rooms.revoke(id)
      return c.json(await one(id, userId))
    })
    .delete('/:id', byId, async c => {
      const { id } = c.req.valid('param')
      const { userId } = c.get('actor')
      const { team, name } = permit(await onFile(db, userId, id), 'deleteForever')
      for (const gone of await deleteFile(db, id)) rooms.end(gone, CLOSE.noDocument, 'the file was deleted')
      await sweepImages(db)
      await note(db, { userId, action: 'file-deleted', workspaceId: team, fileId: id, address: addressOf(c, trustProxy), detail: { name } })
      return c.json({ ok: true })
    })

  const details = new Hono<SignedIn>()
    .use(signedIn)
    .get('/:id/plan', byId, async c => {
      const { userId } = c.get('actor')
      const { space, ownerId } = permit(await onFile(db, userId, c.req.valid('param').id), 'view')
      const payer = payerOf(space, 'steps') === 'owner' ? ownerId : userId
      return c.json({ ...(await quota.planOf(payer)), isOwners: payer !== userId })
    })
    .get('/:id/cover', byId, async c => {
      const { id } = c.req.valid('param')
      permit(await onFile(db, c.get('actor').userId, id), 'view')
      const file = await db.selectFrom('file').select('cover').where('id', '=', id).executeTakeFirst()
      return sendImage(c, db, file?.cover)
    })
    .put('/:id/cover', byId, imageLimit, async c => {
      const { id } = c.req.valid('param')
      permit(await onFile(db, c.get('actor').userId, id), 'edit')
      const cover = await takeImage(db, c)
      await db.updateTable('file').set({ cover, cover_drawn: false }).where('id', '=', id).execute()
      await sweepImages(db)
      return c.json({ cover })
    })
    // What the editor draws by itself takes the place of nothing but its own earlier drawing.
    .put('/:id/drawn/cover', byId, imageLimit, async c => {
      const { id } = c.req.valid('param')
      permit(await onFile(db, c.get('actor').userId, id), 'edit')
      const cover = await takeImage(db, c)
      await db
        .updateTable('file')
        .set({ cover, cover_drawn: true })
        .where('id', '=', id)
        .where(eb => eb.or([eb('cover', 'is', null), eb('cover_drawn', '=', true)]))
        .execute()
      await sweepImages(db)
      const file = await db.selectFrom('file').select('cover').where('id', '=', id).executeTakeFirst()
      return c.json({ cover: file?.cover ?? null })
    })
    .delete('/:id/cover', byId, async c => {
      const { id } = c.req.valid('param')
      permit(await onFile(db, c.get('actor').userId, id), 'edit')
      await db.updateTable('file').set({ cover: null, cover_drawn: false }).where('id', '=', id).execute()
      return c.json({ ok: true })
    })
    .put('/:id/tags', byId, body(z.object({ tags: z.array(id).max(100) })), async c => {
      const { id } = c.req.valid('param')
      const { userId } = c.get('actor')
      const { team } = permit(await onFile(db, userId, id), 'tag')
      await setTags(db, id, team, c.req.valid('json').tags)
      return c.json(await one(id, userId))
    })
    .put('/:id/favourite', byId, body(z.object({ on: z.boolean() })), async c => {
      const { id } = c.req.valid('param')
      const { userId } = c.get('actor')
      permit(await onFile(db, userId, id), 'view')
      await setFavourite(db, userId, id, c.req.valid('json').on)
      return c.json({ ok: true })
    })
    .put('/:id/model', byId, body(z.object({ model: id })), async c => {
      const { id } = c.req.valid('param')
      const { userId } = c.get('actor')
      const { model } = c.req.valid('json')
      const experiment = permit(await onFile(db, userId, id), 'edit')
      const linked = permit(await onFile(db, userId, model), 'view')
      if (experiment.kind !== 'experiment' || linked.kind !== 'model' || linked.subject.inTrash)
        throw new Refusal('invalid-params', 'an experiment is linked to a model')
      await linkModel(db, id, model)
      return c.json(await one(id, userId))
    })
    .put('/:id/models', byId, body(z.object({ models: z.array(id).max(50) })), async c => {
      const { id } = c.req.valid('param')
      const { userId } = c.get('actor')
      const page = permit(await onFile(db, userId, id), 'edit')
      if (page.kind !== 'dashboard' && page.kind !== 'chart') throw new Refusal('invalid-params', 'a dashboard or chart shows models')
      // Only what one may see: nobody holds on to a model of strangers.
      const seen: string[] = []
      for (const model of new Set(c.req.valid('json').models)) {
        const standing = await onFile(db, userId, model)
        if (standing !== null && explained(standing).view?.allowed === true) seen.push(model)
      }
      await noteModels(db, id, seen)
      return c.json({ ok: true })
    })
    .get('/:id/permissions', byId, query(z.object({ userId: z.uuid().optional() })), async c => {
      const { id } = c.req.valid('param')
      const { userId } = c.get('actor')
      const whose = c.req.valid('query').userId ?? userId
      permit(await onFile(db, userId, id), whose === userId ? 'view' : 'share')
      const standing = await onFile(db, whose, id)
      if (standing === null) throw new Refusal('not-found')
      return c.json({ role: standing.actor.role, permissions: explained(standing) })
    })
    .get('/:id/inside', byId, async c => {
      const { id } = c.req.valid('param')
      permit(await onFile(db, c.get('actor').userId, id), 'view')
      return c.json({ files: (await subtree(db, id)).length - 1 })
    })

  return catalogue.route('/', details)
}
