// What belongs to a file apart from its content: its plan, tags, favourites, the models it uses, permissions.
import { Hono } from 'hono'
import { z } from 'zod'
import { payerOf } from '../../model-schema/business/plans.ts'
import { Refusal, body, id, params, query, signedIn } from '../http.ts'
import type { SignedIn } from '../http.ts'
import type { Parts } from '../parts.ts'
import { explained, onFile, permit } from '../permissions.ts'
import { setTags } from '../tags/tags.ts'
import { linkModel, noteModels, setFavourite } from './files.ts'
import { fileFor } from './listing.ts'
import { subtree } from './trash.ts'

const byId = params(z.object({ id }))

export function detailRoutes(parts: Parts) {
  const { db, quota } = parts

  return new Hono<SignedIn>()
    .use(signedIn)
    .get('/:id/plan', byId, async c => {
      const { userId } = c.get('actor')
      const { space, ownerId } = permit(await onFile(db, userId, c.req.valid('param').id), 'view')
      const payer = payerOf(space, 'steps') === 'owner' ? ownerId : userId
      return c.json({ ...(await quota.planOf(payer)), isOwners: payer !== userId })
    })
    .put('/:id/tags', byId, body(z.object({ tags: z.array(id).max(100) })), async c => {
      const { id } = c.req.valid('param')
      const { userId } = c.get('actor')
      const { team } = permit(await onFile(db, userId, id), 'tag')
      await setTags(db, id, team, c.req.valid('json').tags)
      return c.json(await fileFor(parts, userId, id))
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
      return c.json(await fileFor(parts, userId, id))
    })
    .put('/:id/models', byId, body(z.object({ models: z.array(id).max(50) })), async c => {
      const { id } = c.req.valid('param')
      const { userId } = c.get('actor')
      const page = permit(await onFile(db, userId, id), 'edit')
      if (page.kind !== 'dashboard' && page.kind !== 'chart') throw new Refusal('invalid-params', 'a dashboard or chart shows models')
      // Only what one may see: references to models of strangers are refused.
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
}
