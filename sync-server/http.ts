// What all routes share: error answers with a code, checked bodies, who is asking, where from.
import type { Context, ErrorHandler, MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import { HTTPException } from 'hono/http-exception'
import { validator } from 'hono/validator'
import { z } from 'zod'
import { isConnectionLoss, isDiskFull } from './db/gate.ts'
import { ERROR_CODES, ID_PATTERN, LIMITS } from './protocol.ts'
import type { ErrorAnswer, ErrorCode } from './protocol.ts'

/** The account behind a request. */
export type Actor = {
  userId: string
  sessionId: string
  name: string
  email: string
  avatar: string | null
  /** Their account asks for a second factor. */
  secondFactor: boolean
}

export type Env = { Variables: { actor: Actor | null } }
/** After `signedIn`. */
export type SignedIn = { Variables: { actor: Actor } }

/** An answer with an error code; thrown anywhere, met in `onError`. */
export class Refusal extends HTTPException {
  readonly code: ErrorCode
  readonly more: Omit<ErrorAnswer, 'code' | 'message'>

  constructor(code: ErrorCode, message: string = code, more: Omit<ErrorAnswer, 'code' | 'message'> = {}) {
    super(ERROR_CODES[code], { message })
    this.code = code
    this.more = more
  }
}

/** For the logs; the client has words of its own. */
export const DISK_FULL = 'the disk of the server is full: it can be read and signed in to, and takes changes again when there is room'

export const onError: ErrorHandler = (error, c) => {
  if (error instanceof Refusal) {
    const answer: ErrorAnswer = { code: error.code, message: error.message, ...error.more }
    return c.json(answer, ERROR_CODES[error.code])
  }
  if (error instanceof HTTPException && error.status < 500) {
    const answer: ErrorAnswer = { code: error.status === 413 ? 'too-large' : 'invalid-params', message: error.message }
    return c.json(answer, error.status)
  }
  const gone = isDiskFull(error) ? 'disk-full' : isConnectionLoss(error) ? 'unavailable' : null
  if (gone !== null) {
    const answer: ErrorAnswer = { code: gone, message: gone === 'disk-full' ? DISK_FULL : 'the database cannot be reached just now' }
    return c.json(answer, ERROR_CODES[gone], gone === 'unavailable' ? { 'retry-after': '2' } : {})
  }
  console.error(`${c.req.method} ${c.req.path}:`, error)
  const answer: ErrorAnswer = { code: 'unexpected', message: 'the server failed; it is in its log' }
  return c.json(answer, 500)
}

/** A JSON body of this shape, or `invalid-params` with the bad fields named. */
export function body<S extends z.ZodType>(schema: S) {
  return validator('json', (value): z.output<S> => checked(schema, value))
}

/** Query parameters of this shape. */
export function query<S extends z.ZodType>(schema: S) {
  return validator('query', (value): z.output<S> => checked(schema, value))
}

/** Path parameters of this shape. */
export function params<S extends z.ZodType>(schema: S) {
  return validator('param', (value): z.output<S> => checked(schema, value))
}

function checked<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(storable(value, 0))
  if (result.success) return result.data
  const issues = result.error.issues.map(issue => ({ path: issue.path.join('.'), message: issue.message }))
  throw new Refusal('invalid-params', `invalid: ${issues.map(({ path }) => path).join(', ')}`, { issues })
}

const MAX_DEPTH = 16

/** The same with every text well-formed. Postgres keeps no NUL, and nothing of ours nests deep. */
function storable(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new Refusal('invalid-params', `nested deeper than ${MAX_DEPTH}`)
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new Refusal('invalid-params', 'a text with NUL')
    return value.toWellFormed()
  }
  if (Array.isArray(value)) return value.map(item => storable(item, depth + 1))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [storable(key, depth), storable(item, depth + 1)]))
}

/** Refuses those who are not signed in. */
export const signedIn: MiddlewareHandler<SignedIn> = createMiddleware(async (c, next) => {
  const actor: unknown = c.get('actor')
  if (actor === null || actor === undefined) throw new Refusal('signed-out', 'sign in first')
  await next()
})

/** For `bodyLimit`: reads the rest away first, since a client that is still sending would not receive the answer. */
export async function tooLarge(c: Context): Promise<never> {
  let left = 64 << 20
  for await (const chunk of c.req.raw.body ?? []) {
    left -= chunk.length
    if (left < 0) break
  }
  throw new Refusal('too-large')
}

/** The address the request came from, without a port. `trusted`: a proxy of ours says it in X-Forwarded-For. */
export function addressOf(c: Context, trusted: boolean): string {
  const forwarded = trusted ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  if (forwarded !== undefined && forwarded !== '') return forwarded
  const incoming: unknown = c.env?.incoming
  if (incoming === null || typeof incoming !== 'object' || !('socket' in incoming)) return '127.0.0.1'
  const { socket } = incoming
  if (socket === null || typeof socket !== 'object' || !('remoteAddress' in socket)) return '127.0.0.1'
  return typeof socket.remoteAddress === 'string' ? socket.remoteAddress.replace(/^::ffff:/, '') : '127.0.0.1'
}

export const id = z.string().regex(ID_PATTERN)
export const email = z
  .string()
  .trim()
  .max(254)
  .pipe(z.email())
  .transform(text => text.toLowerCase())
/** A name a person gives: trimmed, no control characters. */
export const name = z
  .string()
  .max(LIMITS.nameLength)
  .transform(text => text.replaceAll(/\p{Cc}/gu, ' ').trim())
  .refine(text => text.length > 0, 'empty')
export const password = z.string().min(LIMITS.passwordMin).max(LIMITS.passwordMax)

/** The id of a workspace in a path or query. */
export const team = z.string().regex(/^[\w-]{1,64}$/)
export const flag = z.enum(['0', '1', 'true', 'false']).transform(text => text === '1' || text === 'true')
