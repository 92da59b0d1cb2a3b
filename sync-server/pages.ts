// The built client: hashed assets for ever, the shell for every route of the app, the version for its polling, and the content security
// policies. Pages run no text as code, embedded ones neither; the engine's worker does, in a policy of its own (workers with a script from a URL
// do not inherit the page's).
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context, Hono } from 'hono'
import { serveStatic } from '@hono/node-server/serve-static'
import { z } from 'zod'
import type { Env } from './http.ts'

// Programs made of models run in workers: whatever one of them came to hold, it could not send it anywhere, nor ask for anything as the person.
const WORKER_POLICY = "default-src 'none'; script-src 'self' 'unsafe-eval'; connect-src 'none'"

/**
 * An embedded page may be sandboxed into an origin of its own, where workers can only be begun from blobs, and inherit the policy of their page.
 * The engine makes programs of models: it begins in a page for that alone, which has nothing in it, and always an origin of its own, whatever
 * page frames it.
 */
const ENGINE_FRAME = '/engine-frame'
const ENGINE_FRAME_POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-eval'; connect-src 'none'; worker-src blob:; base-uri 'none'; sandbox allow-scripts"

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
  return c.req.path === `${ENGINE_FRAME}.html` ? ENGINE_FRAME_POLICY : pagePolicy(c, framers)
}

const FILE = /^\/assets\/|\.(js|mjs|css|map|json|html|txt|svg|png|ico|woff2?|wasm|holo|webmanifest)$/

const MANIFEST = z.record(z.string(), z.object({ assets: z.array(z.string()).optional() }))

/**
 * Says whether a path is the script that a worker begins with, by the manifest of the build: what a chunk loads by its address and is
 * a script. Other scripts keep the policy of pages, whatever they are called. A new build is read again; without a manifest there are none.
 */
function workersIn(dist: string): (path: string) => Promise<boolean> {
  const manifest = join(dist, '.vite/manifest.json')
  let read = { at: Number.NaN, paths: new Set<string>() }
  return async path => {
    if (!/^\/assets\/.*\.js$/.test(path) || !existsSync(manifest)) return false
    const { mtimeMs } = await stat(manifest)
    if (mtimeMs !== read.at) {
      const chunks = MANIFEST.parse(JSON.parse(await readFile(manifest, 'utf8')))
      const assets = Object.values(chunks).flatMap(chunk => chunk.assets ?? [])
      read = { at: mtimeMs, paths: new Set(assets.map(file => `/${file}`)) }
    }
    return read.paths.has(path)
  }
}

/** Adds the pages to the app; with `dist` null there are none. `framersOf` gives the origins that may frame the page at a path; null is none. */
export function pages(app: Hono<Env>, dist: string | null, framersOf: (path: string) => Promise<string | null>): void {
  if (dist === null) return
  const isWorker = workersIn(dist)
  app.get('/version.json', async c => {
    const file = join(dist, 'version.json')
    const text = existsSync(file) ? await readFile(file, 'utf8') : '{"version":0}'
    return c.body(text, 200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  })
  app.use(async (c, next) => {
    await next()
    if (c.res.status >= 400) return
    const framers = await framersOf(c.req.path)
    c.res.headers.set('content-security-policy', (await isWorker(c.req.path)) ? WORKER_POLICY : policyOf(c, framers))
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
