// The server as one Hono app: the API, the pages, and the rules that hold for every request. Needs no socket: a test calls
// `app.request(…)`.
import { Hono } from 'hono'
import type { Context, ErrorHandler, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { compress } from 'hono/compress'
import { secureHeaders } from 'hono/secure-headers'
import type { IncomingMessage } from 'node:http'
import { note } from './audit.ts'
import { Buckets } from './bucket.ts'
import type { PlanLevel } from '../model-schema/business/plans.ts'
import type { Demo } from './accounts/seed.ts'
import { withActor } from './accounts/actor.ts'
import { createAuth } from './accounts/auth.ts'
import { ownRoutes } from './accounts/own.ts'
import { Sessions } from './accounts/remembered.ts'
import { accountRoutes } from './accounts/routes.ts'
import { noNodes, type ChainNodes } from './chain/nodes.ts'
import { chainRoutes } from './chain/routes.ts'
import { commentRoutes } from './comments/routes.ts'
import { copilotRoutes } from './copilot/routes.ts'
import { TALK_PATH } from './copilot/talk-routes.ts'
import { mcpRoutes } from './copilot/mcp.ts'
import { noCopilot, type CopilotSettings } from './copilot/settings.ts'
import type { Database, Db } from './db/database.ts'
import type { Access } from './files/access.ts'
import { fileRoutes } from './files/routes.ts'
import { grows } from './db/space.ts'
import { DISK_FULL, Refusal, addressOf, onError, tooLarge } from './http.ts'
import type { Env } from './http.ts'
import { IMAGE_PATH } from './images/images.ts'
import type { Jobs } from './jobs/queue.ts'
import { jobRoutes } from './jobs/routes.ts'
import type { Mail } from './mail/mail.ts'
import { welcome } from './coins/gifts.ts'
import { coinRoutes } from './coins/routes.ts'
import { marketRoutes } from './market/routes.ts'
import { outboxRoutes } from './mail/routes.ts'
import { notifier } from './notifications/notify.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { metricsOf } from './operator/metrics.ts'
import { operatorRoutes } from './operator/routes.ts'
import type { Operators } from './operator/operators.ts'
import type { Parts } from './parts.ts'
import { quotaOf } from './plans/quota.ts'
import { planRoutes } from './plans/routes.ts'
import type { SubscriptionParts } from './plans/subscriptions.ts'
import { shipped } from './plans/tariff.ts'
import type { Tariff } from './plans/tariff.ts'
import { LIMITS } from './protocol.ts'
import type { Payments } from './payments/payments.ts'
import { revokeTickets } from './relay/tickets.ts'
import { relayRoutes } from './relay/routes.ts'
import type { Rooms } from './relay/rooms.ts'
import { versionRoutes } from './relay/version-routes.ts'
import { pages } from './pages.ts'
import { RESULT_PATH, resultRoutes } from './results/routes.ts'
import { embedPages, framersOf } from './sharing/embed-pages.ts'
import { embedRoutes } from './sharing/embeds.ts'
import { restrictionRoutes } from './sharing/restrictions.ts'
import { shareRoutes } from './sharing/open.ts'
import { sharingRoutes } from './sharing/routes.ts'
import { tagRoutes } from './tags/routes.ts'
import { invitationRoutes } from './workspaces/answers.ts'
import { workspaceRoutes } from './workspaces/routes.ts'
import { logFailure } from './db/failures.ts'

type AppParts = {
  database: Database
  rooms: Rooms
  access: Access
  mail: Mail
  /** Signs cookies and share links. */
  secret: string
  /** Origin under which people reach the server. */
  publicUrl: string
  /** Only pages of `publicUrl` may call; otherwise those of whatever host the request names. */
  strictOrigin: boolean
  /** Whether a request may call the server by this Host header. */
  allowsHost?: (host: string | undefined) => boolean
  /** A proxy of ours sets X-Forwarded-For. */
  trustProxy: boolean
  rateLimited: boolean
  /** Whether the disk has no room for anything that grows. */
  isDiskShort?: () => boolean
  /** The built client; null serves the API alone. */
  dist: string | null
  /** Serve the outbox page of letters that were kept. */
  outbox: boolean
  /** The plan of those who have no subscription. */
  plan: PlanLevel
  /** What plans allow and cost, and what coins and items are worth; the shipped tariff by default. */
  tariff?: Tariff
  /** The payment provider; none by default. */
  payments?: Payments | null
  /** Language models, private hosts and budgets; none by default. */
  copilot?: CopilotSettings
  /** Nodes of real chains for recordings; none by default. */
  chainNodes?: ChainNodes
  /** The queue of jobs; null while there is none. */
  jobs: () => Jobs | null
  /** The accounts and programs that may read the counters of the server. */
  operators: Operators
  /** Shown on the login page of a development server. */
  demo: () => Demo | null
}

export type App = ReturnType<typeof createApp>
/** For Hono's typed client: `hc<Api>('/api')`. */
export type Api = App['api']

export function createApp(parts: AppParts) {
  const { database, rooms, access, mail, secret, publicUrl, rateLimited, trustProxy } = parts
  const { db } = database
  const sessions = new Sessions()
  rooms.onSessionEnd(id => sessions.ended(id))
  const sessionEnded = async (id: string): Promise<void> => {
    await revokeTickets(db, id)
    rooms.endSession(id)
  }
  const auth = createAuth({ db, mail, secret, publicUrl, rateLimited, sessionEnded })
  const notify = notifier(db, rooms)
  const tariff = parts.tariff ?? shipped
  const common: Parts = { db, rooms, access, mail, notify, quota: quotaOf(db, parts.plan, tariff), tariff, secret, publicUrl, trustProxy }
  const subscriptions: SubscriptionParts = {
    ...common,
    base: parts.plan,
    payments: parts.payments ?? null,
    recheck: team => rooms.recheckWorkspace(team),
  }
  const activated = async (userId: string): Promise<void> => {
    // A gift that fails does not stop the sign-up: it is made up for when they look at their coins.
    await welcome(db, tariff.economy, userId).catch((error: unknown) => logFailure('coins: no register gift:', error))
  }
  const relay = relayRoutes(common)
  const mcp = mcpRoutes(common)
  const metrics = metricsOf(database, rooms)

  const api = new Hono<Env>()
    .use(metrics.watch)
    .use(noStore)
    .use(sameOrigin(parts))
    .use(unhurried(parts, new Buckets(400, 1200), () => true))
    .use(whileThereIsRoom(parts))
    .use(jsonLimit)
    .use(withActor(auth, sessions))
    // What needs no account, such as opening links and tickets by them. What providers of payments send is signed, and comes from a few addresses.
    .use(
      unhurried(
        parts,
        new Buckets(5, 60),
        c => c.get('actor') === null && c.req.method === 'POST' && !c.req.path.startsWith('/api/plans/events/'),
      ),
    )
    .route(
      '/accounts',
      accountRoutes({ auth, db, notify, publicUrl, secret, trustProxy, rateLimited, sessionEnded, activated, operators: parts.operators }),
    )
    .route('/accounts', ownRoutes({ ...common, auth, sessionEnded }))
    .use('/files', compress())
    .route('/files', fileRoutes(common))
    .route('/files', sharingRoutes(common))
    .route('/files', embedRoutes(common))
    .route('/files', restrictionRoutes(common))
    .route('/tags', tagRoutes(db))
    .route('/share', shareRoutes({ db, access, secret, trustProxy, rateLimited }))
    .route('/embed', embedPages(common))
    .route('/invitations', invitationRoutes(common))
    .route('/notifications', notificationRoutes(db))
    .route('/rt', relay.tickets)
    .route('/docs', relay.docs)
    .route('/docs', commentRoutes(common))
    .route('/docs', versionRoutes(common))
    .route('/workspaces', workspaceRoutes(common))
    .get('/hints', c => c.json({ demo: parts.demo(), outbox: parts.outbox }))
    .route('/plans', planRoutes({ ...subscriptions, trustProxy }))
    .route('/coins', coinRoutes({ ...common, operators: parts.operators }))
    .route('/jobs', jobRoutes(common, parts.jobs))
    .route('/market', marketRoutes({ ...common, jobs: parts.jobs, operators: parts.operators }))
    .route('/results', resultRoutes(common))
    .route('/chain', chainRoutes({ ...common, chainNodes: parts.chainNodes ?? noNodes }))
    .route(
      '/copilot',
      copilotRoutes({ ...common, settings: parts.copilot ?? noCopilot, operators: parts.operators, tokenEnded: mcp.ended }),
    )
    .route('/', operatorRoutes({ database, rooms, metrics, operators: parts.operators }))

  const app = new Hono<Env>().use(calledByName(parts))
  app.onError(answerErrors(db, trustProxy))
  app.use(readByStrangers)
  app.use(browserRules(publicUrl))
  app.route('/api', api)
  app.use('/mcp', sameOrigin(parts), noStore)
  app.route('/mcp', mcp.routes)
  if (parts.outbox) app.route('/api/dev', outboxRoutes(db))
  app.all('/api/*', () => {
    throw new Refusal('not-found', 'no such call')
  })
  pages(app, parts.dist, path => framersOf(db, path))
  return Object.assign(app, { api, auth, subscriptions })
}

/** Answers errors with a code, and notes what was tried without permission. */
function answerErrors(db: Db, trustProxy: boolean): ErrorHandler<Env> {
  // A user that tries again and again does not fill the log.
  const tried = new Buckets(1 / 30, 20)
  return async (error, c) => {
    const actor = c.get('actor')
    if (error instanceof Refusal && error.code === 'no-permission' && actor && tried.take(actor.userId, Date.now())) {
      const detail = { call: `${c.req.method} ${c.req.path.slice(0, 200)}` }
      const deed = { userId: actor.userId, action: 'access-refused', address: addressOf(c, trustProxy), detail }
      await note(db, deed).catch((failed: unknown) => logFailure('audit:', failed))
    }
    return onError(error, c)
  }
}

/**
 * What strangers may read. Embedded pages say who may frame them in their policy; the older header knows no lists. What is always in an origin of
 * its own may be shown in any frame: such a frame's own parent has no origin that could be listed.
 */
const readByStrangers: MiddlewareHandler = async (c, next) => {
  await next()
  if (c.res.headers.get('access-control-allow-origin') === '*') c.res.headers.set('cross-origin-resource-policy', 'cross-origin')
  if (/frame-ancestors (?!'none')|sandbox allow-scripts$/.test(c.res.headers.get('content-security-policy') ?? ''))
    c.res.headers.delete('x-frame-options')
}

/** What browsers are asked to refuse for pages and answers of this server. */
const browserRules = (publicUrl: string): MiddlewareHandler =>
  secureHeaders({
    xFrameOptions: 'DENY',
    referrerPolicy: 'strict-origin-when-cross-origin',
    strictTransportSecurity: publicUrl.startsWith('https:') ? 'max-age=31536000; includeSubDomains' : false,
    crossOriginOpenerPolicy: 'same-origin',
    crossOriginResourcePolicy: 'same-origin',
    permissionsPolicy: { camera: [], microphone: [], geolocation: [], payment: [], usb: [] },
  })

const ANSWER_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"

const noStore: MiddlewareHandler = async (c, next) => {
  await next()
  if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store')
  // An answer that is opened as a page runs nothing and shows in no frame.
  if (!c.res.headers.has('content-security-policy')) c.res.headers.set('content-security-policy', ANSWER_POLICY)
}

/** Limits the requests of one address that `counts` names: many for a person or an office, few for a program that tries everything. */
function unhurried(
  { rateLimited, trustProxy }: { rateLimited: boolean; trustProxy: boolean },
  buckets: Buckets,
  counts: (c: Context<Env>) => boolean,
): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (rateLimited && counts(c) && !buckets.take(addressOf(c, trustProxy), Date.now())) throw new Refusal('too-many-requests')
    await next()
  }
}

/** Refuses requests that call the server by a name that is not its own. */
function calledByName({ allowsHost = () => true }: { allowsHost?: (host: string | undefined) => boolean }): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (!allowsHost(c.req.header('host'))) throw new Refusal('origin-refused', 'not a name of this server; PUBLIC_URL sets one')
    await next()
  }
}

/** While the disk is nearly full, what grows is refused before it reaches the database. */
function whileThereIsRoom({ isDiskShort = () => false }: { isDiskShort?: () => boolean }): MiddlewareHandler {
  return async (c, next) => {
    if (isDiskShort() && grows(c.req.method, c.req.path)) throw new Refusal('disk-full', DISK_FULL)
    await next()
  }
}

/** The size of JSON bodies; documents and images have their own. */
const jsonLimit: MiddlewareHandler = (c, next) => {
  if (c.req.path.startsWith('/api/docs/') || (c.req.method === 'PUT' && (IMAGE_PATH.test(c.req.path) || RESULT_PATH.test(c.req.path))))
    return next()
  return bodyLimit({
    // A talk holds what the tools gave; its characters may take three bytes each.
    maxSize: c.req.path === '/api/copilot/calls' || TALK_PATH.test(c.req.path) ? LIMITS.talkBytes : LIMITS.jsonBodyBytes,
    onError: tooLarge,
  })(c, next)
}

/** Cookies come along with requests of foreign pages too: what changes something must come from a page of ours. */
function sameOrigin(parts: { publicUrl: string; strictOrigin: boolean }): MiddlewareHandler {
  return async (c: Context, next) => {
    if (!['GET', 'HEAD', 'OPTIONS'].includes(c.req.method)) {
      const site = c.req.header('sec-fetch-site')
      const cross = site !== undefined && site !== 'same-origin' && site !== 'none'
      if (cross || !originFits(c.req.header('origin'), c.req.header('host'), parts)) throw new Refusal('origin-refused')
    }
    await next()
  }
}

/** For websocket upgrades: the same rule. */
export function originAllowed(
  request: IncomingMessage,
  parts: { publicUrl: string; strictOrigin: boolean; allowsHost?: (host: string | undefined) => boolean },
): boolean {
  if (parts.allowsHost?.(request.headers.host) === false) return false
  return originFits(request.headers.origin, request.headers.host, parts)
}

function originFits(
  origin: string | undefined,
  host: string | undefined,
  { publicUrl, strictOrigin }: { publicUrl: string; strictOrigin: boolean },
): boolean {
  // Browsers always name the origin of such requests; other programs carry no user's cookies.
  if (origin === undefined) return true
  const from = URL.parse(origin)
  if (from === null) return false
  if (from.origin === new URL(publicUrl).origin) return true
  return !strictOrigin && from.host === host
}
