// Jobs over HTTP: asking for one, how far it is, ending it.
import { Hono } from 'hono'
import { z } from 'zod'
import { modelOfFile, printFile } from '../../model-schema/file.ts'
import type { HoloFile } from '../../model-schema/file.ts'
import { payerOf, planWith } from '../../model-schema/business/plans.ts'
import { beyond, takenBy } from '../../model-schema/business/taken.ts'
import { note } from '../audit.ts'
import { balances, person } from '../coins/ledger.ts'
import { Refusal, addressOf, body, id, params, query, signedIn } from '../http.ts'
import type { SignedIn } from '../http.ts'
import type { Parts } from '../parts.ts'
import { onFile, permit } from '../permissions.ts'
import { holoFileOf, stateOf } from '../relay/content.ts'
import { KIND_NAMES, kinds, type JobKind } from './kinds.ts'
import type { Jobs } from './queue.ts'

const byId = params(z.object({ id }))
const HOUR_MS = 3_600_000

export function jobRoutes({ db, rooms, quota, trustProxy }: Parts, jobs: () => Jobs | null) {
  function open(): Jobs {
    const found = jobs()
    if (found === null) throw new Refusal('not-found', 'this server takes no jobs')
    return found
  }

  /** Another file that is needed, for a user who may run it. */
  async function linkedFile(fileId: string | null, userId: string): Promise<HoloFile | null> {
    if (fileId === null) return null
    permit(await onFile(db, userId, fileId), 'run')
    const state = await stateOf(rooms, fileId)
    return state === null ? null : holoFileOf(state.update)
  }

  return new Hono<SignedIn>()
    .use(signedIn)
    .post('/', body(z.object({ id, kind: z.enum(KIND_NAMES), fileId: id, input: z.unknown() })), async c => {
      const wish = c.req.valid('json')
      const { userId } = c.get('actor')
      const input = kinds[wish.kind].input.safeParse(wish.input)
      if (!input.success) throw new Refusal('invalid-params', 'the input of the job')
      const standing = permit(await onFile(db, userId, wish.fileId), 'run')
      await quota.feature('cloudRuns', userId, standing)
      const payerId = payerOf(standing.space, 'cloudHoursPerYear') === 'owner' ? standing.ownerId : userId
      const plan = await quota.planOf(payerId)
      const allowed = plan.cloudHoursPerYear
      const budgetMs = allowed === null ? null : allowed * HOUR_MS - (await open().spent(payerId))
      // Beyond the plan an energy buys a minute, as it goes.
      if (budgetMs !== null && budgetMs <= 0 && (await balances(db, person(payerId))).energy === 0) {
        const more = planWith({ quantity: 'cloudHoursPerYear', wanted: (allowed ?? 0) + 1 })?.level
        throw new Refusal('limit-reached', `cloud time; more with ${more ?? 'another plan'}`, {
          limit: {
            quantity: 'cloudHoursPerYear',
            allowed: allowed ?? 0,
            ...(more === undefined ? {} : { plan: more }),
            ...(payerId === userId ? {} : { isOwners: true }),
          },
        })
      }
      const state = await stateOf(rooms, wish.fileId)
      if (state === null) throw new Refusal('invalid-params', 'this file has no content')
      const whole = holoFileOf(state.update)
      const file = printFile(whole)
      const kind: JobKind = kinds[wish.kind]
      const feature = kind.feature?.(file) ?? null
      if (feature !== null) await quota.feature(feature, userId, standing)
      const linked = await linkedFile(kind.linked?.(file) ?? null, userId)
      const task = { file, linked: linked === null ? null : printFile(linked), steps: plan.steps, input: input.data }
      await open().add({ id: wish.id, kind: wish.kind, userId, payerId, budgetMs, fileId: wish.fileId, ...task })
      const deed = { userId, action: 'job-started', workspaceId: standing.team, fileId: wish.fileId, address: addressOf(c, trustProxy) }
      await note(db, { ...deed, detail: { job: wish.id, kind: wish.kind } })
      const [job] = await open().list(userId, wish.id)
      // A model that holds more than the plan allows runs as it does in pages, which say so.
      const model = kind.linked === undefined ? whole : linked
      const over = model === null ? null : beyond(takenBy(modelOfFile(model)), plan)
      return c.json({ job, over: over === null ? null : { ...over, isOwners: payerId !== userId } }, 201)
    })
    .get('/', async c => c.json({ jobs: await open().list(c.get('actor').userId) }))
    .get('/:id', byId, async c => {
      const [job] = await open().list(c.get('actor').userId, c.req.valid('param').id)
      if (job === undefined) throw new Refusal('not-found')
      return c.json({ job })
    })
    .get('/:id/task', byId, async c => {
      const task = await open().task(c.get('actor').userId, c.req.valid('param').id)
      if (task === null) throw new Refusal('not-found')
      return c.json(task)
    })
    .get('/:id/parts', byId, query(z.object({ after: z.coerce.number().int().min(-1).default(-1) })), async c => {
      const { after } = c.req.valid('query')
      return c.json({ parts: await open().parts(c.get('actor').userId, c.req.valid('param').id, after) })
    })
    .post('/:id/cancel', byId, async c => {
      const { id } = c.req.valid('param')
      const { userId } = c.get('actor')
      const cancelled = await open().cancel(userId, id)
      const [job] = await open().list(userId, id)
      if (job === undefined) throw new Refusal('not-found')
      return c.json({ job, cancelled })
    })
}
