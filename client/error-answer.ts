// What the server says when it refuses. Every part that can't be read is left out: a proxy may have answered in its place.
import { ERROR_CODES, type ErrorCode } from '../sync-server/protocol.ts'
import { readJson } from './validate.ts'
import * as z from './zod.ts'

/** Undefined also where the part has another form. */
const part = <T>(schema: z.ZodMiniType<T>) => z.optional(z.catch(z.optional(schema), undefined))

const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(ERROR_CODES, code)

const answerSchema = z.object({
  code: part(z.custom<ErrorCode>(isErrorCode)),
  message: part(z.string()),
  issues: part(z.array(z.object({ path: z.string() }))),
  limit: part(z.object({ quantity: z.string(), allowed: z.number(), isOwners: part(z.boolean()) })),
  feature: part(z.object({ feature: z.string() })),
  missing: part(z.object({ asset: z.string(), needed: z.number(), has: z.number() })),
  change: part(z.object({ why: z.string() })),
})

export function errorAnswerOf(bytes: ArrayBuffer) {
  const { code, message, issues, limit, feature, missing, change } = readJson(answerSchema, new TextDecoder().decode(bytes)) ?? {}
  return {
    code: code ?? null,
    message: message ?? '',
    named: issues?.map(({ path }) => path) ?? [],
    limit: limit ? { quantity: limit.quantity, allowed: limit.allowed, isOwners: limit.isOwners ?? false } : null,
    feature: feature?.feature ?? null,
    missing: missing ?? null,
    why: change?.why ?? null,
  }
}
