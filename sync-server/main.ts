// The server process: settings from the environment, database, rooms, one HTTP port. `node sync-server/main.ts` serves what is
// built; `npm start` (start.ts) builds first.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getRequestListener } from '@hono/node-server'
import { z } from 'zod'
import { levels } from '../model-schema/business/plans.ts'
import { seedDemo } from './accounts/seed.ts'
import type { Demo } from './accounts/seed.ts'
import { createApp, originAllowed } from './app.ts'
import type { Bus } from './bus/bus.ts'
import { postgresBus } from './bus/postgres.ts'
import { redisBus } from './bus/redis.ts'
import { nodesBy } from './chain/nodes.ts'
import { copilotBy } from './copilot/settings.ts'
import { openDatabase } from './db/database.ts'
import type { Connection } from './db/database.ts'
import { defaultFolder, secretIn } from './db/folder.ts'
import { FolderTaken, Keeper } from './db/keeper.ts'
import { DiskSpace } from './db/space.ts'
import { localHosts } from './hosts.ts'
import { aliveSessions } from './accounts/sessions.ts'
import { accessTo, inWorkspace, insideOf } from './files/access.ts'
import { outboxMail, smtpMail } from './mail/mail.ts'
import { startChores } from './plans/chores.ts'
import { fullness } from './plans/quota.ts'
import { readTariff, shipped } from './plans/tariff.ts'
import type { Tariff } from './plans/tariff.ts'
import { paymentsBy } from './payments/settings.ts'
import { takeEnergy } from './coins/deals.ts'
import { ENERGY_MS } from '../model-schema/business/coins.ts'
import { Jobs } from './jobs/queue.ts'
import { seedStore } from './market/demo.ts'
import { writeJsonLines } from './operator/log-lines.ts'
import { operatorsBy } from './operator/operators.ts'
import { UpdateLog } from './relay/log.ts'
import { Rooms } from './relay/rooms.ts'
import { attachSockets } from './relay/sockets.ts'
import { autoVersions } from './relay/versions.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const flag = z.enum(['0', '1', 'true', 'false']).transform(text => text === '1' || text === 'true')

/** The environment variables the server reads. */
const Settings = z.object({
  /** Port; without one 4300 or the next free. */
  PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  /** Address to listen on; this machine only by default. */
  HOST: z.string().default('127.0.0.1'),
  /** Folder of the embedded database. */
  HOLARCHY_DATA: z.string().default(defaultFolder),
  /** An external Postgres instead. */
  DATABASE_URL: z.url().optional(),
  /** A Redis that several servers on one DATABASE_URL talk over; without one they do over Postgres. */
  REDIS_URL: z.url().optional(),
  SMTP_URL: z.url().optional(),
  MAIL_FROM: z.string().default('Holarchy <no-reply@localhost>'),
  /** Origin under which people reach the server, when it is not http://localhost:PORT. */
  PUBLIC_URL: z.url().optional(),
  /** Signs cookies and links; needed with DATABASE_URL, kept in the data folder otherwise. */
  SECRET: z.string().min(32).optional(),
  /** A proxy in front sets X-Forwarded-For. */
  TRUST_PROXY: flag.default(false),
  RATE_LIMITS: flag.default(true),
  /** Plan of those who have no subscription. */
  PLAN: z.enum(levels).default('unlimited'),
  /** Opens `/api/metrics` and the overview to programs that say it as a bearer token. */
  METRICS_TOKEN: z.string().min(16).optional(),
  /** Addresses of the accounts that may see them, with commas between. */
  OPERATORS: z
    .string()
    .default('')
    .transform(text =>
      text
        .split(',')
        .map(one => one.trim().toLowerCase())
        .filter(one => one !== ''),
    ),
  /** They need two-step verification; on where strangers come (DATABASE_URL, or a proxy), off with the embedded database on this machine. */
  OPERATOR_SECOND_FACTOR: flag.optional(),
  /** Jobs (runs in the cloud) this server does at once; 0 leaves them to others. */
  JOB_THREADS: z.coerce
    .number()
    .int()
    .min(0)
    .max(256)
    .default(Math.max(1, availableParallelism() - 1)),
  /** A JSON file that changes what plans allow and cost, and what coins and items are worth. */
  TARIFF: z.string().optional(),
  /** The payment provider: Stripe when its keys are here, otherwise `test` (no money moves) with the embedded database and `none` without. */
  PAYMENTS: z.enum(['test', 'stripe', 'none']).optional(),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  /** Of the embedded database's disk: with less than so many megabytes free, nothing that grows is taken. */
  MIN_FREE_MB: z.coerce.number().int().min(0).max(1_000_000).default(64),
  /** Path of a JSON file with the language models that everybody here may use. */
  COPILOT: z.string().optional(),
  /** Path of a JSON file with the nodes of real chains that recordings are made through. */
  CHAIN_NODES: z.string().optional(),
  /** Hosts with ports (`127.0.0.1:11434`) that language models and nodes may be at though they are private; commas between. */
  OUTBOUND_LOCAL: z.string().optional(),
  /** Tokens of the server's language models for each person in 24 hours. */
  COPILOT_DAY_TOKENS: z.coerce.number().int().min(0).optional(),
  /** `json` writes one object a line. */
  LOG_FORMAT: z.enum(['text', 'json']).default('text'),
  /** A demo account and its login on the sign-in page; on with the embedded database. */
  DEMO: flag.optional(),
})

type Running = {
  url: string
  demo: Demo | null
  outbox: boolean
  dataFolder: string | null
  /** Rejects when the server must not go on, such as when another has taken its data folder; never settles otherwise. */
  failed: Promise<never>
  stop(): Promise<void>
}

/** The operator has to change something; the message says what. */
class StartError extends Error {}

/** What the environment says, checked; variables that are empty say nothing. Throws StartError naming what is wrong. */
export function settingsIn(env: Record<string, string | undefined>): z.output<typeof Settings> {
  const read = Settings.safeParse(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')))
  if (!read.success) throw new StartError(read.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`).join('\n'))
  return read.data
}

/** Starts everything; `stop` drains and ends it. */
async function serve(env: Record<string, string | undefined>, say: (line: string) => void): Promise<Running> {
  const settings = settingsIn(env)
  if (settings.LOG_FORMAT === 'json') writeJsonLines()
  const undo: (() => Promise<unknown> | void)[] = []
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    return await serveWith(settings, say, undo, stop)
  } catch (error) {
    await stop()
    throw error
  }
}

async function serveWith(
  settings: z.output<typeof Settings>,
  say: (line: string) => void,
  undo: (() => Promise<unknown> | void)[],
  stop: () => Promise<void>,
): Promise<Running> {
  const embedded = settings.DATABASE_URL === undefined
  const dataFolder = embedded ? resolve(settings.HOLARCHY_DATA) : null
  const store = dataFolder === null ? null : await embeddedStore(dataFolder, say, undo)
  const connection: Connection = store?.connection ?? settings.DATABASE_URL ?? ''
  const secret = settings.SECRET ?? (dataFolder === null ? null : await secretIn(dataFolder))
  if (secret === null) throw new StartError('SECRET (at least 32 random characters) is needed with DATABASE_URL')

  const space = store === null ? null : new DiskSpace(store.folder, { minFreeBytes: settings.MIN_FREE_MB * (1 << 20) })
  if (space !== null) undo.push(await space.start())
  const database = await openDatabase(connection, store === null ? {} : { gate: store.gate })
  undo.push(() => database.close())
  const mail = settings.SMTP_URL === undefined ? outboxMail(database.db) : smtpMail(settings.SMTP_URL, settings.MAIL_FROM)
  undo.push(() => mail.close())

  // The port is known before the app is made with it; a request in between is answered with a retry, not left without an answer.
  // Longer than proxies and browsers keep connections that are idle: they close them, and never ask on one that is closed here at that moment.
  const server = createServer({ keepAliveTimeout: 65_000, headersTimeout: 70_000 })
  server.on('request', comeAgain)
  const port = await listen(server, settings.HOST, settings.PORT)
  undo.push(() => closeServer(server))
  const url = settings.PUBLIC_URL === undefined ? `http://localhost:${port}` : new URL(settings.PUBLIC_URL).origin
  await store?.describe(`holarchy pid ${process.pid} ${url}`)

  const tariff = settings.TARIFF === undefined ? shipped : await tariffIn(settings.TARIFF)
  const payments = await orStartError(() => paymentsBy(settings, embedded && !settings.TRUST_PROXY, tariff.plans))
  const access = accessTo(database.db)
  const bus = await busTo(settings, connection)
  if (bus !== null) undo.push(() => bus.close())
  const isOverPlan = fullness(database.db, settings.PLAN, tariff)
  const rooms = new Rooms(new UpdateLog(database), {
    access,
    bus,
    aliveSessions: aliveSessions(database.db),
    inWorkspace: inWorkspace(database.db),
    inside: insideOf(database.db),
    isFull: async docId => space?.isShort === true || (await isOverPlan(docId)),
    hasRoom: () => space?.isShort !== true,
    keepVersion: autoVersions(database.db),
  })
  undo.push(() => rooms.drain())
  await rooms.start()
  space?.onChange(() => rooms.measureAll())
  const isPublic = settings.PUBLIC_URL !== undefined
  const copilot = copilotBy({ ...settings, variables: process.env })
  const site = { publicUrl: url, strictOrigin: isPublic, allowsHost: isPublic ? () => true : localHosts(settings.HOST) }
  const app = createApp({
    ...site,
    database,
    rooms,
    access,
    mail,
    secret,
    trustProxy: settings.TRUST_PROXY,
    rateLimited: settings.RATE_LIMITS,
    isDiskShort: () => space?.isShort === true,
    dist: existsSync(join(root, 'dist/index.html')) ? join(root, 'dist') : null,
    // Codes to other people's accounts: only where the database is ours alone and no proxy brings strangers.
    outbox: mail.keepsLetters && embedded && !settings.TRUST_PROXY,
    plan: settings.PLAN,
    tariff,
    payments,
    copilot,
    chainNodes: nodesBy({ ...settings, variables: process.env }, copilot.rules),
    jobs: () => jobs,
    operators: operatorsBy(settings),
    demo: () => demo,
  })
  // Beyond the cloud time of a plan, an energy buys a minute.
  const jobs = await Jobs.start(database, connection, settings.JOB_THREADS, async (payerId, job, minute) =>
    (await takeEnergy(database.db, tariff.economy, payerId, job, minute)) ? ENERGY_MS : 0,
  )
  undo.push(() => jobs.stop())
  undo.push(startChores(app.subscriptions))
  const demo = (settings.DEMO ?? embedded) ? await seedDemo(database.db, app.auth) : null
  if (demo !== null) await seedStore(database.db, rooms)
  server.off('request', comeAgain)
  server.on('request', getRequestListener(app.fetch))
  const stopSockets = attachSockets(server, { db: database.db, rooms, access, originAllowed: request => originAllowed(request, site) })
  undo.push(stopSockets)
  return {
    url,
    demo,
    outbox: mail.keepsLetters && embedded,
    dataFolder: store?.folder ?? null,
    failed: store?.failed ?? new Promise<never>(() => {}),
    stop,
  }
}

async function tariffIn(file: string): Promise<Tariff> {
  try {
    return readTariff(await readFile(resolve(file), 'utf8'))
  } catch (error) {
    throw new StartError(`TARIFF (${file}): ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function orStartError<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error))
  }
}

/** The line to other servers on the same database. An embedded database has one server. */
async function busTo(settings: z.output<typeof Settings>, connection: Connection): Promise<Bus | null> {
  const { REDIS_URL } = settings
  if (REDIS_URL === undefined) return settings.DATABASE_URL === undefined ? null : postgresBus(connection)
  return redisBus(REDIS_URL).catch((error: unknown) => {
    throw new StartError(`REDIS_URL cannot be reached: ${error instanceof Error ? error.message : String(error)}`)
  })
}

async function embeddedStore(dataFolder: string, say: (line: string) => void, undo: (() => Promise<unknown> | void)[]): Promise<Keeper> {
  const keeper = await Keeper.start(dataFolder, `holarchy pid ${process.pid}`, say).catch((error: unknown) => {
    if (!(error instanceof FolderTaken)) throw error
    const advice = 'Stop it first, or give this one a folder of its own with HOLARCHY_DATA.'
    throw new StartError(`Another Holarchy server (${error.holder}) is running on ${dataFolder}.\n${advice}`)
  })
  undo.push(() => keeper.stop())
  if (keeper.adopted) say('The server before this one was killed; its database was still running and is taken over.')
  return keeper
}

const FIRST_PORT = 4300

function comeAgain(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, { 'retry-after': '1' }).end()
}

async function listen(server: Server, host: string, wanted: number | undefined): Promise<number> {
  for (let port = wanted ?? FIRST_PORT; ; port++) {
    try {
      await new Promise<void>((done, fail) => {
        server.once('error', fail)
        server.listen(port, host, () => {
          server.off('error', fail)
          done()
        })
      })
      const address = server.address()
      return address !== null && typeof address === 'object' ? address.port : port
    } catch (error) {
      const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
      if (!taken) throw error
      if (wanted !== undefined)
        throw new StartError(`Port ${wanted} is taken; choose another with PORT=…, or none to take the next free one.`)
      if (port > FIRST_PORT + 100) throw new StartError(`No free port between ${FIRST_PORT} and ${port}; choose one with PORT=…`)
    }
  }
}

function closeServer(server: Server): Promise<void> {
  return new Promise(done => {
    server.close(() => done())
    server.closeIdleConnections()
    // What is still being answered gets a moment.
    setTimeout(() => server.closeAllConnections(), 1000).unref()
  })
}

/** Runs the server as this process until a signal ends it; the whole of `main`. */
export async function run(): Promise<void> {
  const say = (line: string): void => console.log(line)
  let running: Running
  try {
    running = await serve(process.env, say)
  } catch (error) {
    console.error(error instanceof StartError ? `\n${error.message}\n` : error)
    process.exit(1)
  }
  say(banner(running))
  let stopping = false
  const end = (signal: string): void => {
    if (stopping) process.exit(1)
    stopping = true
    say(`\n${signal}: saving and stopping …`)
    running.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end)
  running.failed.catch((error: unknown) => {
    console.error(
      error instanceof FolderTaken ? `Another Holarchy server (${error.holder}) has taken the data folder: this one ends.` : error,
    )
    process.exit(1)
  })
}

function banner({ url, demo, outbox, dataFolder }: Running): string {
  const lines = [
    ['Holarchy is running at', url],
    ...(demo === null
      ? []
      : [
          ['Sign in as', `${demo.email} / ${demo.password}`],
          ['On the Free plan', `${demo.freeEmail} / ${demo.password}`],
          ['Invitation code', demo.invitation],
        ]),
    ...(outbox ? [['Mail goes to', `${url}/api/dev/outbox`]] : []),
    ...(dataFolder === null ? [] : [['Data is kept in', dataFolder]]),
    ['Stop with', 'Ctrl-C'],
  ]
  return `\n${lines.map(([label, value]) => `  ${(label ?? '').padEnd(24)}${value}`).join('\n')}\n`
}

if (import.meta.main) await run()
