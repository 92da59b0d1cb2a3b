// The development outbox: the letters a server without SMTP would have sent. Shown on this machine only.
import { Hono } from 'hono'
import type { Context } from 'hono'
import { html } from 'hono/html'
import type { Db } from '../db/database.ts'
import { Refusal, addressOf } from '../http.ts'
import type { Env } from '../http.ts'

/** `/outbox` as a page, `/outbox.json` as data. */
export function outboxRoutes(db: Db) {
  const letters = () => db.selectFrom('mail_outbox').selectAll().orderBy('id', 'desc').limit(50).execute()
  return new Hono<Env>()
    .get('/outbox', async c => {
      onThisMachine(c)
      const rows = await letters()
      c.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
      return c.html(
        html`<!doctype html>
          <meta charset="utf-8" />
          <title>Outbox</title>
          <body style="font: 15px/1.5 system-ui; max-width: 46rem; margin: 2rem auto; padding: 0 1rem">
            <h1>Outbox</h1>
            <p>No mail server is set up (SMTP_URL), so letters stay here. Newest first.</p>
            ${rows.map(
              row =>
                html`<article style="border: 1px solid #8886; border-radius: 6px; padding: 0.5rem 1rem; margin: 1rem 0">
                  <b>${row.subject}</b><br /><small>${row.recipient} · ${row.at.toISOString()}</small>
                  <pre style="white-space: pre-wrap; font: inherit">${row.body}</pre>
                </article>`,
            )}
          </body>`,
      )
    })
    .get('/outbox.json', async c => {
      onThisMachine(c)
      const rows = await letters()
      return c.json(rows.map(row => ({ to: row.recipient, subject: row.subject, body: row.body, at: row.at.toISOString() })))
    })
}

/** Codes to other people's accounts are in there: no other machine, no proxy, no foreign host name (DNS rebinding). */
function onThisMachine(c: Context): void {
  const address = addressOf(c, false)
  const host = new URL(c.req.url).hostname
  const local = (text: string): boolean => text === 'localhost' || text === '::1' || text === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(text)
  const proxied = c.req.header('x-forwarded-for') !== undefined || c.req.header('forwarded') !== undefined
  if (!local(address) || !local(host) || proxied) throw new Refusal('not-found', 'no such page')
}
