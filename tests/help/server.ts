// A server for tests: a real one, on a database of its own. All test files share one embedded Postgres in the temporary folder, which the first
// file starts and the last one stops; each suite gets a copy of a migrated template.
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { Client } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { WebSocket } from 'ws'
import * as Y from 'yjs'
import * as decoding from 'lib0/decoding'
import type { PlanLevel } from '../../model-schema/business/plans.ts'
import { createApp, originAllowed } from '../../sync-server/app.ts'
import type { App } from '../../sync-server/app.ts'
import { ensureDatabase, startCluster, withClient } from '../../sync-server/db/cluster.ts'
import type { Cluster } from '../../sync-server/db/cluster.ts'
import { configOf, openDatabase, schemaHash } from '../../sync-server/db/database.ts'
import type { Connection, Database } from '../../sync-server/db/database.ts'
import type { DiskSpace } from '../../sync-server/db/space.ts'
import { aliveSessions } from '../../sync-server/accounts/sessions.ts'
import type { Bus } from '../../sync-server/bus/bus.ts'
import { accessTo, inWorkspace, insideOf } from '../../sync-server/files/access.ts'
import type { Jobs } from '../../sync-server/jobs/queue.ts'
import { outboxMail } from '../../sync-server/mail/mail.ts'
import { MESSAGE, SYNC } from '../../sync-server/protocol.ts'
import type { Role } from '../../sync-server/protocol.ts'
import { ackFrame, step1Frame, step2Frame } from '../../sync-server/relay/frames.ts'
import { fullness } from '../../sync-server/plans/quota.ts'
import type { Tariff } from '../../sync-server/plans/tariff.ts'
import type { ChainNodes } from '../../sync-server/chain/nodes.ts'
import type { CopilotSettings } from '../../sync-server/copilot/settings.ts'
import type { Payments } from '../../sync-server/payments/payments.ts'
import { testPayments } from '../../sync-server/payments/test.ts'
import { UpdateLog } from '../../sync-server/relay/log.ts'
import { Rooms } from '../../sync-server/relay/rooms.ts'
import type { RoomsOptions } from '../../sync-server/relay/rooms.ts'
import { attachSockets } from '../../sync-server/relay/sockets.ts'
import type { SocketsParts } from '../../sync-server/relay/sockets.ts'
import { autoVersions } from '../../sync-server/relay/versions.ts'

const folder = join(
  tmpdir(),
  `holarchy-test-${createHash('sha256')
    .update(import.meta.dirname + userInfo().username)
    .digest('hex')
    .slice(0, 8)}`,
)
const PRESENT = 'holarchy test present'

/** A database of this suite; made before its tests, dropped after. */
export function useDatabase(): { readonly connection: Connection } {
  const suite: { connection: Connection | null } = { connection: null }
  let cluster: Cluster | null = null
  let presence: Client | null = null
  const name = `suite_${process.pid}_${randomBytes(4).toString('hex')}`
  beforeAll(async () => {
    cluster = await locked(async () => {
      const started = await startCluster(folder, { durable: false, maxConnections: 200 })
      presence = new Client({ ...configOf(started.connection('postgres')), application_name: PRESENT })
      await presence.connect()
      const template = `template_${await schemaHash()}`
      await ensureDatabase(started, template)
      await (await openDatabase(started.connection(template), { connections: 1 })).close()
      await ensureDatabase(started, name, template)
      return started
    })
    suite.connection = cluster.connection(name)
  })
  afterAll(async () => {
    await locked(async () => {
      if (cluster === null) return
      await withClient(cluster.connection('postgres'), async client => {
        await client.query(`drop database if exists ${name} with (force)`)
        await presence?.end()
        const { rows } = await client.query<{ n: number }>('select count(*)::int as n from pg_stat_activity where application_name = $1', [
          PRESENT,
        ])
        if (rows[0]?.n !== 0) cluster = null
      })
      await cluster?.stop()
    })
  })
  return {
    get connection() {
      if (suite.connection === null) throw new Error('the database is there only while tests run')
      return suite.connection
    },
  }
}

/** One process at a time: a lock file with the holder's pid; a dead holder's is taken over. */
async function locked<T>(work: () => Promise<T>): Promise<T> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'lock')
  for (;;) {
    try {
      const handle = await open(file, 'wx')
      await handle.write(String(process.pid))
      await handle.close()
      break
    } catch {
      const holder = Number(await readFile(file, 'utf8').catch(() => ''))
      if (holder > 0 && !isAlive(holder)) await rm(file, { force: true })
      else await pause(30)
    }
  }
  try {
    return await work()
  } finally {
    await rm(file, { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export type TestServer = {
  app: App
  database: Database
  rooms: Rooms
  /** `http://127.0.0.1:port` */
  url: string
  /** A registered and activated account, signed in. */
  person(name: string): Promise<Person>
  /** The members of a document at this moment, with their roles. */
  peopleIn(docId: string): { userId: string; role: Role }[]
  /** Letters waiting for an address, newest first. */
  lettersTo(address: string): Promise<{ subject: string; body: string }[]>
  stop(): Promise<void>
}

export const TEST_SECRET = 'a secret that is only good for tests, of course'

/** A server on a real port over `connection`. */
export async function startServer(
  connection: Connection,
  options: {
    rateLimited?: boolean
    operators?: string[]
    /** Demanded of operators. */
    secondFactor?: boolean
    jobs?: Jobs
    rooms?: Partial<RoomsOptions>
    bus?: Bus
    renewal?: SocketsParts['renewal']
    timers?: SocketsParts['timers']
    dist?: string
    plan?: PlanLevel
    /** The disk its database would be on. */
    space?: DiskSpace
    tariff?: Tariff
    payments?: Payments
    copilot?: CopilotSettings
    chainNodes?: ChainNodes
    /** The host names it may be called by; any by default. */
    allowsHost?: (host: string | undefined) => boolean
    /** Where people reach it, when that is not its own address. */
    publicUrl?: string
  } = {},
): Promise<TestServer> {
  const database = await openDatabase(connection)
  const access = accessTo(database.db)
  const { db } = database
  const isOverPlan = fullness(db, options.plan ?? 'unlimited')
  const { space } = options
  const isFull = async (docId: string): Promise<boolean> => space?.isShort === true || (await isOverPlan(docId))
  const kept = { isFull, keepVersion: autoVersions(db), hasRoom: () => space?.isShort !== true }
  const asked = { aliveSessions: aliveSessions(db), inWorkspace: inWorkspace(db), inside: insideOf(db) }
  const rooms = new Rooms(new UpdateLog(database), { access, ...asked, ...kept, bus: options.bus ?? null, ...options.rooms })
  await rooms.start()
  space?.onChange(() => rooms.measureAll())
  const http = createServer()
  await new Promise<void>(done => http.listen(0, '127.0.0.1', done))
  const { port } = http.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const site = { publicUrl: options.publicUrl ?? url, strictOrigin: false, allowsHost: options.allowsHost ?? (() => true) }
  const app = createApp({
    ...site,
    database,
    rooms,
    access,
    mail: outboxMail(database.db),
    secret: TEST_SECRET,
    trustProxy: false,
    rateLimited: options.rateLimited ?? false,
    isDiskShort: () => space?.isShort === true,
    dist: options.dist ?? null,
    outbox: true,
    plan: options.plan ?? 'unlimited',
    ...(options.tariff === undefined ? {} : { tariff: options.tariff }),
    payments: options.payments ?? testPayments(),
    ...(options.copilot === undefined ? {} : { copilot: options.copilot }),
    ...(options.chainNodes === undefined ? {} : { chainNodes: options.chainNodes }),
    jobs: () => options.jobs ?? null,
    operators: { token: TEST_SECRET, emails: options.operators ?? [], secondFactor: options.secondFactor ?? false },
    demo: () => null,
  })
  http.on('request', getRequestListener(app.fetch))
  const stopSockets = attachSockets(http, {
    db: database.db,
    rooms,
    access,
    originAllowed: request => originAllowed(request, site),
    ...(options.renewal === undefined ? {} : { renewal: options.renewal }),
    ...(options.timers === undefined ? {} : { timers: options.timers }),
  })
  await database.db
    .insertInto('invitation_code')
    .values({ code: 'TESTERS', uses_left: 1000 })
    .onConflict(c => c.doNothing())
    .execute()

  const lettersTo = (address: string) =>
    database.db.selectFrom('mail_outbox').select(['subject', 'body']).where('recipient', '=', address).orderBy('id', 'desc').execute()

  async function person(name: string): Promise<Person> {
    const email = `${name.toLowerCase()}-${randomBytes(3).toString('hex')}@example.org`
    const someone = new Person(url, email)
    const form = { email, password: 'correct horse', name, invitation: 'TESTERS', disclaimer: true }
    // Nicknames are unique; the second Ann of a suite is called otherwise.
    const { status, json } = await someone.call('POST', '/api/accounts/register', form)
    if (json.code === 'nickname-taken')
      await someone.must('POST', '/api/accounts/register', { ...form, name: `${name} ${randomBytes(3).toString('hex')}` })
    else if (status !== 201) throw new Error(`${name} cannot register: ${status} ${JSON.stringify(json)}`)
    const [letter] = await lettersTo(email)
    await someone.must('POST', '/api/accounts/activate', { email, code: /\d{6}/.exec(letter?.subject ?? '')?.[0] ?? '' })
    await someone.must('POST', '/api/accounts/login', { email, password: 'correct horse' })
    const session = await someone.must('GET', '/api/accounts/session')
    someone.id = session.user.id
    someone.team = session.team
    return someone
  }

  const peopleIn = (docId: string) => [...(rooms.peek(docId)?.members ?? [])].map(({ who, role }) => ({ userId: who.userId, role }))

  async function stop(): Promise<void> {
    stopSockets()
    await rooms.drain()
    await options.bus?.close()
    await new Promise<void>(done => {
      http.close(() => done())
      http.closeAllConnections()
    })
    await database.close()
  }
  return { app, database, rooms, url, person, peopleIn, lettersTo, stop }
}

// What a test reads of an answer is what it asserts; the shape is the API's business.
// oxlint-disable-next-line typescript/no-explicit-any
type Answer = any

/** A browser of a user: keeps cookies, calls the API. */
export class Person {
  readonly url: string
  readonly email: string
  id = ''
  team = ''
  readonly #cookies = new Map<string, string>()

  constructor(url: string, email = '') {
    this.url = url
    this.email = email
  }

  /** The same browser at another server. */
  at(url: string): Person {
    const there = new Person(url, this.email)
    for (const [key, value] of this.#cookies) there.#cookies.set(key, value)
    return there
  }

  get cookie(): string {
    return [...this.#cookies].map(([key, value]) => `${key}=${value}`).join('; ')
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; json: Answer; headers: Headers }> {
    const raw = body instanceof Uint8Array
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(this.#cookies.size > 0 ? { cookie: this.cookie } : {}),
        ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ? Uint8Array.from(body).buffer : JSON.stringify(body) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      if (/max-age=0\b/i.test(line)) this.#cookies.delete(pair.slice(0, at))
      else this.#cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const text = await response.text()
    let json: Answer = text
    try {
      json = JSON.parse(text)
    } catch {
      // Not every answer is JSON; then the test reads the text.
    }
    return { status: response.status, json, headers: response.headers }
  }

  /** `call`, and the answer has to be good. */
  async must(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    const { status, json } = await this.call(method, path, body, headers)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`)
    return json
  }

  /** A new model file; answers its id. */
  async file(name: string, more: Record<string, unknown> = {}): Promise<string> {
    const id = `file_${randomBytes(9).toString('base64url')}`
    await this.must('POST', '/api/files', { id, kind: 'model', name, ...more })
    return id
  }

  async ticket(docId: string, share?: string): Promise<string> {
    return (await this.must('POST', '/api/rt/ticket', { docId, share })).ticket
  }

  /** A raw socket to a document, with a fresh ticket. */
  async socket(docId: string, options: { share?: string; query?: string } = {}): Promise<RawSocket> {
    return openSocket(this.url, docId, `ticket=${await this.ticket(docId, options.share)}&p=1${options.query ?? ''}`)
  }
}

export function openSocket(url: string, docId: string, query: string, headers: Record<string, string> = {}): Promise<RawSocket> {
  const ws = new WebSocket(`${url.replace('http', 'ws')}/yjs/${docId}?${query}`, { headers, perMessageDeflate: false })
  const socket = new RawSocket(ws)
  return new Promise((done, fail) => {
    ws.on('open', () => done(socket))
    ws.on('error', fail)
  })
}

/** A websocket client without a protocol of its own: records what it receives, sends what the test asks for. */
export class RawSocket {
  readonly ws: WebSocket
  readonly frames: Uint8Array[] = []
  closeCode: number | null = null
  #wake: (() => void)[] = []

  constructor(ws: WebSocket) {
    this.ws = ws
    ws.binaryType = 'nodebuffer'
    ws.on('message', (data: Buffer) => {
      this.frames.push(data)
      this.#notify()
    })
    ws.on('close', code => {
      this.closeCode = code
      this.#notify()
    })
  }

  #notify(): void {
    for (const wake of this.#wake.splice(0)) wake()
  }

  send(frame: Uint8Array | string): void {
    this.ws.send(frame)
  }

  /** Waits until `found` answers with something; fails when the socket is closed first. */
  async until<T>(found: () => T | undefined | null | false): Promise<T> {
    for (;;) {
      const value = found()
      if (value !== undefined && value !== null && value !== false) return value
      if (this.closeCode !== null) throw new Error(`the socket was closed with ${this.closeCode}`)
      await new Promise<void>(wake => this.#wake.push(wake))
    }
  }

  async closed(): Promise<number> {
    while (this.closeCode === null) await new Promise<void>(wake => this.#wake.push(wake))
    return this.closeCode
  }

  /** The first message of a type. */
  message(type: number): Promise<Uint8Array> {
    return this.until(() => this.frames.find(frame => frame[0] === type))
  }

  /** A message of ours with a JSON body. */
  async notice(type: number): Promise<Answer> {
    const decoder = decoding.createDecoder(await this.message(type))
    decoding.readVarUint(decoder)
    return JSON.parse(decoding.readVarString(decoder))
  }

  acked(n: number): Promise<true> {
    const frame = Buffer.from(ackFrame(n))
    return this.until(() => this.frames.some(other => frame.equals(other)) || undefined).then(() => true as const)
  }

  /** Answers the server's step 1 with `doc`, and brings `doc` up to date. */
  async sync(doc: Y.Doc): Promise<void> {
    this.send(step1Frame(Y.encodeStateVector(doc)))
    const [step2] = await this.until(() => {
      const found = this.updates(SYNC.step2)
      return found.length > 0 && found
    })
    if (step2 !== undefined) Y.applyUpdate(doc, step2)
    const asked = this.frames.find(frame => frame[0] === MESSAGE.sync && frame[1] === SYNC.step1)
    if (asked !== undefined) this.send(step2Frame(Y.encodeStateAsUpdate(doc)))
  }

  /** Bodies of the updates (or step 2) heard so far. */
  updates(step: number = SYNC.update): Uint8Array[] {
    return this.frames
      .filter(frame => frame[0] === MESSAGE.sync && frame[1] === step)
      .map(frame => decoding.readVarUint8Array(decoding.createDecoder(frame.subarray(2))))
  }

  close(): void {
    this.ws.terminate()
  }
}
