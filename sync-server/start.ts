// `npm start`: builds the client if its sources have changed since the last build, then serves it.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { run } from './main.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const SOURCES = ['client/**', 'model-schema/**', 'sim-engine/**', 'sync-server/protocol.ts', 'vite.config.ts', 'package-lock.json']
/** Smaller files are not worth a second one. */
const PACK_FROM = 1024

await buildClient()
await run()

async function buildClient(): Promise<void> {
  const hash = await hashOf(SOURCES)
  const stamp = join(dist, '.sources')
  const before = existsSync(stamp) ? await readFile(stamp, 'utf8') : null
  if (before === hash && existsSync(join(dist, 'index.html'))) return
  console.log(before === null ? 'Building the client …' : 'The client has changed; building it …')
  const began = performance.now()
  // A number that any two builds differ in; the page carries it and compares it with /version.json.
  const version = Number.parseInt(hash.slice(0, 12), 16)
  const code = await new Promise<number>((done, fail) => {
    const env = { ...process.env, VITE_VERSION: String(version) }
    const vite = spawn(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], {
      cwd: root,
      stdio: 'inherit',
      env,
    })
    vite.on('error', fail)
    vite.on('exit', status => done(status ?? 1))
  })
  if (code !== 0) {
    console.error('The client could not be built; the messages above say why.')
    process.exit(1)
  }
  await writeFile(join(dist, 'version.json'), JSON.stringify({ version }))
  await pack()
  await writeFile(stamp, hash)
  console.log(`Built in ${((performance.now() - began) / 1000).toFixed(1)} s.`)
}

async function hashOf(patterns: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  const paths: string[] = []
  for (const pattern of patterns) {
    for await (const entry of glob(pattern, { cwd: root, withFileTypes: true }))
      if (entry.isFile()) paths.push(join(entry.parentPath, entry.name))
  }
  for (const path of paths.sort())
    hash
      .update(path.slice(root.length))
      .update('\0')
      .update(await readFile(path))
  return hash.digest('hex')
}

/** Compressed copies next to the files, so that serving costs nothing. */
async function pack(): Promise<void> {
  const names = await readdir(dist, { recursive: true })
  const texts = names.filter(name => /\.(js|css|html|svg|json|holo|webmanifest|txt)$/.test(name) && name !== 'version.json')
  await Promise.all(
    texts.map(async name => {
      const path = join(dist, name)
      const bytes = await readFile(path)
      if (bytes.length < PACK_FROM) return
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(bytes, {
          params: { [constants.BROTLI_PARAM_QUALITY]: 8, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
        }),
        promisify(gzip)(bytes, { level: 9 }),
      ])
      await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
    }),
  )
}
