// How our routes speak to better-auth: each request is handed to its own handler, so that its rate limits apply, and its refusals
// become our codes.
import type { Context } from 'hono'
import { Refusal, addressOf } from '../http.ts'
import type { ErrorCode } from '../protocol.ts'
import { ADDRESS_HEADER } from './auth.ts'
import type { Auth } from './auth.ts'

/**
 * Asks better-auth and gives what it answers; a refusal becomes the code in `codes`. Cookies it sets go to the client; `cookies` are sent
 * instead of all those of the client.
 */
export type Ask = (c: Context, path: string, data: object, codes: Record<string, ErrorCode>, cookies?: string) => Promise<unknown>

export function asking({ auth, publicUrl, trustProxy }: { auth: Auth; publicUrl: string; trustProxy: boolean }): Ask {
  return async (c, path, data, codes, cookies = c.req.header('cookie')) => {
    const headers = new Headers({ 'content-type': 'application/json', origin: publicUrl })
    headers.set(ADDRESS_HEADER, addressOf(c, trustProxy))
    const agent = c.req.header('user-agent')
    if (agent !== undefined) headers.set('user-agent', agent)
    if (cookies !== undefined) headers.set('cookie', cookies)
    const request = new Request(`${publicUrl}/api/auth${path}`, { method: 'POST', headers, body: JSON.stringify(data) })
    const response = await auth.handler(request)
    for (const cookie of response.headers.getSetCookie()) c.header('set-cookie', cookie, { append: true })
    const answer: unknown = await response.json().catch(() => null)
    if (response.ok) return answer
    const code = textOf(answer, 'code')
    const ours = codes[code]
    if (ours !== undefined) throw new Refusal(ours)
    if (response.status === 429) throw new Refusal('too-many-requests', `try again in ${response.headers.get('x-retry-after') ?? '60'} s`)
    if (response.status >= 500) throw new Error(`better-auth ${path}: ${response.status} ${code}`)
    throw new Refusal('invalid-params', code)
  }
}

/** A text in an answer; empty when there is none. */
export function textOf(answer: unknown, key: string): string {
  if (answer === null || typeof answer !== 'object') return ''
  const value: unknown = Object.getOwnPropertyDescriptor(answer, key)?.value
  return typeof value === 'string' ? value : ''
}
