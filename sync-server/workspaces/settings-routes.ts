// Workspaces one is in, and what one of them is called, shows and lets people do.
import { Hono } from 'hono'
import { z } from 'zod'
import { openSwitches } from '../../model-schema/roles.ts'
import type { Switches } from '../../model-schema/roles.ts'
import { requestLog } from '../audit.ts'
import { Refusal, body, id, name, params, signedIn, team } from '../http.ts'
import type { SignedIn } from '../http.ts'
import { imageLimit, sendImage, sweepImages, takeImage } from '../images/images.ts'
import type { Parts } from '../parts.ts'
import { inWorkspace, permit } from '../permissions.ts'
import { changeType, changeWorkspace, createWorkspace, ensurePersonalWorkspace, workspaceOf, workspacesOf } from './workspaces.ts'

const ofTeam = params(z.object({ team }))
const switchNames = Object.keys(openSwitches) as (keyof Switches)[]
const switches = z.strictObject(
  Object.fromEntries(switchNames.map(key => [key, z.boolean().optional()])) as Record<keyof Switches, z.ZodOptional<z.ZodBoolean>>,
)

export function settingsRoutes(parts: Parts) {
  const { db, rooms, quota } = parts
  const log = requestLog(parts)

  return new Hono<SignedIn>()
    .use(signedIn)
    .get('/', async c => {
      const { userId, name } = c.get('actor')
      await ensurePersonalWorkspace(db, userId, name)
      return c.json({ workspaces: await workspacesOf(db, userId) })
    })
    .post('/', body(z.object({ id, type: z.enum(['team', 'organization']), name })), async c => {
      const wanted = c.req.valid('json')
      const { userId } = c.get('actor')
      const known = await inWorkspace(db, userId, wanted.id)
      if (known !== null && known.ownerId !== userId) throw new Refusal('id-taken')
      if (known === null) {
        await quota.take([wanted.type === 'team' ? 'teams' : 'organizations', 'workspaces'], userId, null, tx =>
          createWorkspace(tx, userId, wanted),
        )
        await log(c, 'workspace-created', { workspaceId: wanted.id, detail: { name: wanted.name, type: wanted.type } })
      }
      return c.json(await workspaceOf(db, userId, wanted.id), 201)
    })
    .get('/:team', ofTeam, async c => c.json(await workspaceOf(db, c.get('actor').userId, c.req.valid('param').team)))
    .patch(
      '/:team',
      ofTeam,
      body(z.object({ name: name.optional(), profile: z.string().max(2000).optional(), switches: switches.optional() })),
      async c => {
        const { team } = c.req.valid('param')
        const { userId } = c.get('actor')
        permit(await inWorkspace(db, userId, team), 'settings')
        const change = c.req.valid('json')
        await changeWorkspace(db, team, change)
        if (change.switches !== undefined) {
          await log(c, 'switches-changed', {
            workspaceId: team,
            detail: Object.fromEntries(Object.entries(change.switches).map(([key, on]) => [key, String(on)])),
          })
          await rooms.recheckWorkspace(team)
        }
        return c.json(await workspaceOf(db, userId, team))
      },
    )
    .get('/:team/icon', ofTeam, async c => {
      const { team } = c.req.valid('param')
      const { icon } = await workspaceOf(db, c.get('actor').userId, team)
      return sendImage(c, db, icon)
    })
    .put('/:team/icon', ofTeam, imageLimit, async c => {
      const { team } = c.req.valid('param')
      permit(await inWorkspace(db, c.get('actor').userId, team), 'settings')
      const icon = await takeImage(db, c)
      await db.updateTable('workspace').set({ icon }).where('id', '=', team).execute()
      await sweepImages(db)
      return c.json({ icon })
    })
    .delete('/:team/icon', ofTeam, async c => {
      const { team } = c.req.valid('param')
      permit(await inWorkspace(db, c.get('actor').userId, team), 'settings')
      await db.updateTable('workspace').set({ icon: null }).where('id', '=', team).execute()
      return c.json({ ok: true })
    })
    .post('/:team/type', ofTeam, body(z.object({ type: z.enum(['team', 'organization']) })), async c => {
      const { team } = c.req.valid('param')
      const { userId } = c.get('actor')
      const { type } = c.req.valid('json')
      const standing = permit(await inWorkspace(db, userId, team), 'changeType')
      if (standing.space !== type) {
        // All members have to fit into the other plan too.
        await quota.room(type === 'team' ? 'teamMembers' : 'organizationMembers', userId, { ...standing, space: type })
        await quota.take(type === 'team' ? 'teams' : 'organizations', userId, null, tx => changeType(tx, team, type))
        await log(c, 'type-changed', { workspaceId: team, detail: { type } })
      }
      return c.json(await workspaceOf(db, userId, team))
    })
}
