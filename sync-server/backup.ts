// `npm run backup -- FILE` and `npm run restore -- FILE`: everything a server keeps, as one file, and back. The embedded database may be
// in use by a running server, or stopped; with DATABASE_URL it is that one. What is in the file: backup/dump.ts.
import { existsSync } from 'node:fs'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Client } from 'pg'
import { z } from 'zod'
import { dumpTo } from './backup/dump.ts'
import { BackupError, loadFrom } from './backup/load.ts'
import { claimCluster, ensureDatabase, startCluster } from './db/cluster.ts'
import { configOf, openDatabase } from './db/database.ts'
import type { Connection } from './db/database.ts'
import { defaultFolder, secretFile } from './db/folder.ts'

/** The environment variables they share with the server. */
const Settings = z.object({
  HOLARCHY_DATA: z.string().default(defaultFolder),
  DATABASE_URL: z.url().optional(),
  SECRET: z.string().min(32).optional(),
})

type Env = Record<string, string | undefined>
type Say = (line: string) => void

/** Writes everything to `file`, which must not be there. */
export async function backup(env: Env, file: string, say: Say): Promise<void> {
  const settings = settingsOf(env)
  if (existsSync(file)) throw new BackupError(`${file} is there already.`)
  const folder = settings.DATABASE_URL === undefined ? resolve(settings.HOLARCHY_DATA) : null
  if (folder !== null && !existsSync(secretFile(folder))) throw new BackupError(`There is no Holarchy data in ${folder}.`)
  const secret = settings.SECRET ?? (folder === null ? null : (await readFile(secretFile(folder), 'utf8')).trim())
  const rows = await on(settings.DATABASE_URL ?? folder ?? '', folder !== null, 'shared', client => dumpTo(client, file, secret))
  say(`${file}: ${inWords(rows)}, ${((await stat(file)).size / 1e6).toFixed(1)} MB.`)
  say(
    secret === null
      ? 'SECRET was not given, so it is not in the backup: keep it elsewhere.'
      : 'It holds the secret and all accounts: keep it where only you can read it.',
  )
}

/** Brings everything in `file` back, into an empty database. */
export async function restore(env: Env, file: string, say: Say): Promise<void> {
  const settings = settingsOf(env)
  if (!existsSync(file)) throw new BackupError(`${file} is not there.`)
  const folder = settings.DATABASE_URL === undefined ? resolve(settings.HOLARCHY_DATA) : null
  const where = settings.DATABASE_URL ?? folder ?? ''
  const { at, secret, rows } = await on(where, folder !== null, 'alone', async (client, connection) => {
    const loaded = await loadFrom(client, file)
    // What came after the backup, then what was in the queue: that is not part of it, so those jobs have to be asked for again.
    const { db, close } = await openDatabase(connection, { connections: 1 })
    await db
      .updateTable('job')
      .set({ state: 'failed', error: 'interrupted', ended_at: new Date() })
      .where('state', 'in', ['queued', 'running'])
      .execute()
      .finally(close)
    return loaded
  })
  say(`Restored ${inWords(rows)} as of ${at}.`)
  if (secret === null) return say('The secret is not in the backup: start the server with the SECRET it was made with.')
  if (folder !== null) return void (await writeFile(secretFile(folder), secret, { mode: 0o600 }))
  if (settings.SECRET === secret) return
  const beside = `${file}.secret`
  await writeFile(beside, secret, { mode: 0o600 })
  say(`Start the server with the SECRET in ${beside}; with another one all are signed out, and links no longer open.`)
}

function settingsOf(env: Env): z.output<typeof Settings> {
  const read = Settings.safeParse(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')))
  if (read.success) return read.data
  throw new BackupError(read.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`).join('\n'))
}

/** Connects to the database at `where`; an embedded one is started for the time if it is not running. */
async function on<T>(
  where: string,
  embedded: boolean,
  how: 'shared' | 'alone',
  use: (client: Client, connection: Connection) => Promise<T>,
): Promise<T> {
  if (!embedded) return connected(where, use)
  await mkdir(where, { recursive: true })
  const cluster = await startCluster(where)
  // No server may start on it, and take it for one that was left running, while it is only ours.
  const claim = await claimCluster(cluster, `holarchy ${how === 'shared' ? 'backup' : 'restore'} pid ${process.pid}`)
  try {
    if (!claim.ok && how === 'alone')
      throw new BackupError(`A server (${claim.holder.replace(/^holarchy /, '')}) is running on ${where}. Stop it first.`)
    await ensureDatabase(cluster, 'holarchy')
    return await connected(cluster.connection('holarchy'), use)
  } finally {
    if (claim.ok) await claim.release()
    if (!cluster.adopted) await cluster.stop()
  }
}

async function connected<T>(connection: Connection, use: (client: Client, connection: Connection) => Promise<T>): Promise<T> {
  const client = new Client({ ...configOf(connection), application_name: 'holarchy backup' })
  // The query that runs says so.
  client.on('error', () => {})
  await client.connect()
  try {
    return await use(client, connection)
  } finally {
    await client.end()
  }
}

function inWords(rows: Record<string, number>): string {
  const said = Object.entries({ user: 'accounts', workspace: 'workspaces', file: 'files', image: 'images' })
  return said.map(([table, word]) => `${rows[table] ?? 0} ${word}`).join(', ')
}

async function command([what = '', name = '', ...more]: string[]): Promise<void> {
  const does = { backup, restore }[what]
  if (does === undefined || name === '' || more.length > 0) {
    console.error('npm run backup -- FILE    writes everything to FILE\nnpm run restore -- FILE   brings it back into an empty database')
    process.exit(2)
  }
  try {
    // npm runs us in the project; the file is meant from where npm was called.
    await does(process.env, resolve(process.env['INIT_CWD'] ?? '.', name), line => console.log(line))
  } catch (error) {
    console.error(error instanceof BackupError ? error.message : error)
    process.exit(1)
  }
}

if (import.meta.main) await command(process.argv.slice(2))
