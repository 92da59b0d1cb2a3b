// The caller: the account behind the cookies of a request.
import type { MiddlewareHandler } from 'hono'
import type { Actor, Env } from '../http.ts'
import type { Auth } from './auth.ts'
import type { Sessions } from './remembered.ts'

/** Finds out who is asking, for all routes. */
export function withActor(auth: Auth, sessions: Sessions): MiddlewareHandler<Env> {
  return async (c, next) => {
    const cookie = c.req.header('cookie')
    // What is done to the account itself shows at once.
    const isAffair = c.req.method !== 'GET' && c.req.path.startsWith('/api/accounts/')
    if (cookie !== undefined && isAffair) sessions.forget(cookie)
    c.set('actor', cookie === undefined ? null : await sessions.actor(cookie, () => actorOf(auth, c.req.raw.headers)))
    await next()
    if (cookie !== undefined && isAffair) sessions.forget(cookie)
  }
}

async function actorOf(auth: Auth, headers: Headers): Promise<Actor | null> {
  const found = await auth.api.getSession({ headers })
  if (found === null) return null
  return {
    userId: found.user.id,
    sessionId: found.session.id,
    name: found.user.name,
    email: found.user.email,
    avatar: found.user.image ?? null,
    secondFactor: found.user.twoFactorEnabled === true,
  }
}
