// Tokens with which programs use the tools over `/mcp`.
import { Hono } from 'hono'
import { z } from 'zod'
import { requestLog } from '../audit.ts'
import { body, id, name, params, signedIn, team } from '../http.ts'
import type { SignedIn } from '../http.ts'
import type { CopilotParts } from './rights.ts'
import { rowId } from './tables.ts'
import { makeToken, revokeToken, scopes, tokensOf } from './tokens.ts'

const byId = params(z.object({ id: rowId }))
const newToken = z.strictObject({
  label: name,
  scope: z.enum(scopes),
  workspaces: z.array(team).max(50).default([]),
  files: z.array(id).max(200).default([]),
  days: z.number().int().min(1).max(366),
})

export function tokenRoutes(parts: CopilotParts) {
  const { db, tokenEnded } = parts
  const log = requestLog(parts)

  return new Hono<SignedIn>()
    .use(signedIn)
    .get('/tokens', async c => c.json({ tokens: await tokensOf(db, c.get('actor').userId) }))
    .post('/tokens', body(newToken), async c => {
      const { userId } = c.get('actor')
      const given = c.req.valid('json')
      const made = await makeToken(db, userId, given)
      await log(c, 'token-made', { detail: { scope: given.scope, name: given.label } })
      return c.json(made, 201)
    })
    .delete('/tokens/:id', byId, async c => {
      const { userId } = c.get('actor')
      const token = c.req.valid('param').id
      await revokeToken(db, userId, token)
      tokenEnded(token)
      await log(c, 'token-revoked')
      return c.json({ ok: true })
    })
}
