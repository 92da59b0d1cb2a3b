// The JSON of the relay's frames, as the server sends it.
import { ROLES, type Control, type Drain, type Hello, type RoleNotice } from '../../sync-server/protocol.ts'
import * as z from '../zod.ts'

const role = z.enum(ROLES)

/** What every version of the protocol says first: enough to find out whether this one is spoken. */
export const greetingSchema = z.object({ protocol: z.number(), epoch: z.string() })

export const helloSchema = z.object({
  protocol: z.number(),
  schema: z.number(),
  minWriter: z.number(),
  epoch: z.string(),
  role,
  limits: z.object({ frameBytes: z.number(), step2Bytes: z.number(), presenceBytes: z.number() }),
  serverTime: z.number(),
  durableSeq: z.number(),
}) satisfies z.ZodMiniType<Hello>

export const roleSchema = z.object({ role, reason: z.enum(['changed', 'read-only']) }) satisfies z.ZodMiniType<RoleNotice>

export const drainSchema = z.object({ retryAfterMs: z.number() }) satisfies z.ZodMiniType<Drain>

export const controlSchema = z.object({
  type: z.enum(['comments-changed', 'version-created', 'quota', 'file-changed', 'notification']),
  docId: z.string(),
  since: z.exactOptional(z.number()),
}) satisfies z.ZodMiniType<Control>
