// The built client: hashed assets for ever, the shell for every route of the app, the version for its polling, and the content
// security policies. Pages run no text as code, embedded ones neither; the engine's worker does, in a policy of its own (workers
// whose script comes from a URL do not inherit the page's).
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Context, Hono } from 'hono'
import { serveStatic } from '@hono/node-server/serve-static'
import type { Env } from './http.ts'

const WORKER_POLICY = "default-src 'none'; script-src 'self' 'unsafe-eval'; connect-src 'self'"

/**
 * An embedded page may be sandboxed into an origin of its own, where workers can only be begun from blobs, and inherit the policy of their page. The
 * engine makes programs of models: it begins in a page for that alone, which has nothing in it, and always an origin of its own, whoever frames it.
 */
const ENGINE_FRAME = '/engine-frame'
const ENGINE_FRAME_POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-eval'; connect-src 'self'; worker-src blob:; base-uri 'none'; sandbox allow-scripts"

function pagePolicy(c: Context, framers: string | null): string {
  const host = c.req.header('host') ?? ''
  const sockets = /^[\w.:[\]-]+$/.test(host) ? ` ws://${host} wss://${host}` : ''
  return [
    "default-src 'self'",
    "script-src 'self'",
    // antd writes its styles as elements.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src 'self'${sockets}`,
    framers === null ? "worker-src 'self'" : "worker-src 'self' blob:",
    framers === null ? "frame-src 'none'" : "frame-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${framers ?? "'none'"}`,
  ].join('; ')
}

function policyOf(c: Context, framers: string | null): string {
  if (isWorker(c.req.path)) return WORKER_POLICY
  return c.req.path === `${ENGINE_FRAME}.html` ? ENGINE_FRAME_POLICY : pagePolicy(c, framers)
}

const FILE = /^\/assets\/|\.(js|mjs|css|map|json|html|txt|svg|png|ico|woff2?|wasm|holo|webmanifest)$/

/** A script of a dedicated worker: its file name says so, since a copy in the service worker's cache keeps these headers. */
function isWorker(path: string): boolean {
  return path.startsWith('/assets/') && basename(path).includes('worker')
}

/** Adds the pages to the app; with `dist` null there are none. `framersOf` says who may frame the page at a path; null is nobody. */
export function pages(app: Hono<Env>, dist: string | null, framersOf: (path: string) => Promise<string | null>): void {
  if (dist === null) return
  app.get('/version.json', async c => {
    const file = join(dist, 'version.json')
    const text = existsSync(file) ? await readFile(file, 'utf8') : '{"version":0}'
    return c.body(text, 200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  })
  app.use(async (c, next) => {
    await next()
    if (c.res.status >= 400) return
    const framers = await framersOf(c.req.path)
    c.res.headers.set('content-security-policy', policyOf(c, framers))
    const hashed = c.req.path.startsWith('/assets/')
    // Scripts are asked for as by strangers where a frame is sandboxed; there is nothing in them but the app.
    if (hashed || c.req.path === `${ENGINE_FRAME}.js`) c.res.headers.set('access-control-allow-origin', '*')
    c.res.headers.set('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
  })
  app.use(serveStatic({ root: dist, precompressed: true }))
  // A missing file is an error, any other path a route of the app (codes in routes may have dots).
  app.use(async (c, next) => (FILE.test(c.req.path) ? c.text('not found', 404) : next()))
  app.use(serveStatic({ root: dist, path: 'index.html', precompressed: true }))
}
