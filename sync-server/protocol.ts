// What the server and the client agree on: websocket messages, close codes, limits, roles, error codes. The one file of the server with values
// that the client imports, so it imports nothing.
//
// THE SOCKET. `GET /yjs/{docId}?ticket=…&p=1&e={epoch}` upgrades to a websocket that speaks the y-websocket 3.1 protocol: each frame is ONE
// message, a varuint type and its body (lib0 encoding).
//   0 sync both varuint 0 step 1 (state vector) | 1 step 2 (update) | 2 update 1 awareness both varuint8array of an awareness update; only the
//   socket's own client id is accepted 3 query c->s asks for the awareness of all members With `p=1` the client also gets, and may send, our own
//   messages:
// 100 hello s->c JSON Hello, always the first message 101 mark / ack both varuint n. The client sends mark n after local updates; the server
// answers ack n once everything that socket sent before is committed. Acks never lie: while the client may hold changes the server has not (from
// connecting, or a refused update, to the next step 2) marks wait; the newest is answered then. 102 role s->c JSON RoleNotice: the role now;
// sent when it changes and when a write was refused 103 drain s->c JSON Drain: the server is about to restart; reconnect after retryAfterMs
// (already random) 104 token both only with `t=1`: the server asks (empty) every half hour, the client answers with a new ticket (text) within a
// minute, or is closed 4401. Without `t=1` access is re-checked all the same, every 5 minutes 105 tick s->c empty, every 15 s: y-websocket drops
// a socket that hears nothing for 30 s 106 control s->c JSON Control: comments changed, version created, a notification; `quota`: the storage is
// full, the update was not taken (marks wait); only deletions are until there is room, then the server asks for the rest
//
// ORDER AND DURABILITY. An update is validated, applied, appended to the log, and only after the commit sent to the others and acked. So no
// client ever holds another user's change that the log could lose.
// A socket of a read-only role never gets step 1, and what it sends as step 2 or update is not applied.
// TICKETS. `POST /api/rt/ticket {docId, share?}` gives a ticket for one connection within 60 s: put a fresh one into the provider's `params`
// before each connect. Close 4401 means "take a new ticket and connect again".
// STATE. `GET /api/docs/{id}/state` is the committed document as one Yjs update (ETag `"epoch.seq"`): apply it before connecting, because the
// stock client gives up on a step 2 that takes longer than 30 s. `POST /api/docs/{id}/updates` takes one update (header `x-epoch`) through the
// same checks and answers when it is durable.
// EPOCH. The lineage of a document. Another epoch than the one you stored: keep yours as a recovered copy, never merge.

export const PROTOCOL = 1

export const MESSAGE = {
  sync: 0,
  awareness: 1,
  auth: 2,
  queryAwareness: 3,
  hello: 100,
  mark: 101,
  role: 102,
  drain: 103,
  token: 104,
  tick: 105,
  control: 106,
} as const

export const SYNC = { step1: 0, step2: 1, update: 2 } as const

/** Close codes. y-websocket stops for good at 4400-4499 (event `closed`) and tries again at all others. */
export const CLOSE = {
  /** A frame that is not a message, or an update that cannot be applied. */
  badMessage: 4400,
  /** No, spent or expired ticket: take a new one, then `connect()`. */
  ticket: 4401,
  noAccess: 4403,
  noDocument: 4404,
  epoch: 4409,
  tooLarge: 4413,
  upgradeRequired: 4426,
  restart: 1012,
  accessChanged: 4205,
  /** The log cannot be read or written just now; nothing that was acked is in danger. */
  unavailable: 4500,
  tooManyConnections: 4503,
  /** Never closes a socket: what a posted update is refused with while the storage is full. */
  full: 4507,
  tooFast: 4529,
} as const

export const LIMITS = {
  /** Bytes of one frame, and of one step 2 (or posted update): an imported file of 50,000 elements comes as one, in 12 MB. */
  frameBytes: 1 << 20,
  step2Bytes: 16 << 20,
  /** Updates a second a socket may send, and how many at once. */
  updatesPerSecond: 60,
  updateBurst: 300,
  bytesPerSecond: 512 << 10,
  byteBurst: 20 << 20,
  /** Frames of any kind; step 1, each of which is answered with a document; websocket pings. */
  framesPerSecond: 500,
  frameBurst: 3000,
  questionsPerSecond: 0.5,
  questionBurst: 10,
  pingsPerSecond: 5,
  pingBurst: 50,
  awarenessPerSecond: 40,
  awarenessBurst: 80,
  /** Bytes of one peer's awareness state as JSON. */
  presenceBytes: 4096,
  /** Structs in one update, nesting and JSON bytes of one value, characters of one map key. */
  structs: 500_000,
  valueDepth: 24,
  valueBytes: 512 << 10,
  keyLength: 256,
  /** Refused updates in a row before the socket is closed. */
  strikes: 3,
  ticketMs: 60_000,
  /** How often a socket that can is asked for a new ticket. */
  tokenMs: 30 * 60_000,
  tickMs: 15_000,
  awarenessMs: 40,
  /** A socket with more unsent bytes gets no awareness, no updates (it is brought up to date later), is closed. */
  lagAwarenessBytes: 1 << 20,
  lagUpdateBytes: 4 << 20,
  lagCloseBytes: 32 << 20,
  /** Uncommitted bytes of one room at which its sockets are read no further until the log has caught up. */
  backlogBytes: 8 << 20,
  /** Bytes of one document's log from which on it takes deletions only. */
  documentBytes: 64 << 20,
  socketsPerRoom: 200,
  socketsPerUser: 60,
  jsonBodyBytes: 256 << 10,
  /** Bytes of one call of a language model. */
  talkBytes: 1 << 20,
  passwordMin: 6,
  passwordMax: 128,
  nameLength: 128,
} as const

/** Comments of one document. */
export const COMMENTS = {
  threads: 1000,
  perThread: 300,
  /** Characters of one comment's rich text as JSON. */
  bodyLength: 16_384,
  mentions: 20,
  /** Most people offered as mentions; most that one comment notifies; most characters of it in a notification. */
  people: 500,
  told: 50,
  excerpt: 140,
} as const

/** Talks with the copilot that are kept with one file: how many, bytes of one as JSON, and characters of what one may be called. */
export const TALKS = { perFile: 50, bytes: 512 << 10, nameLength: 200 } as const

/**
 * What a thread holds on to: a point of an element, `x` and `y` in parts of its width and height (of a connector: of the box around it),
 * or (`element` null) a point of a canvas, in canvas units. `at` is where that was when it was written, on `canvas`, and `name` what the
 * element was called: they are shown once the element is gone.
 */
export type Anchor = { canvas: string; element: string | null; x: number; y: number; at: [number, number]; name: string }

/** A run that an answer rests on: the tool that made it, what it was given (JSON text), and a digest of what came. */
export type CitedRun = { tool: string; given: string; digest: string }
/** Of an answer of the copilot in a thread: the name of the language model (null: the guide), the proposal that it made, and its runs. */
export type ByCopilot = { by: string | null; proposal: string | null; runs?: CitedRun[] | undefined }
/** Runs of an answer, and the length of what one was given. */
export const CITED_RUNS = { most: 8, given: 2000 } as const

/** The top-level Yjs types of a document; anything else in an update is refused. */
export const TOP_LEVEL = ['meta', 'kind', 'geo', 'tree', 'conn', 'style', 'data', 'text', 'rich', 'proposals'] as const

/** The roles in a document, greatest first. */
export const ROLES = ['owner', 'manager', 'editor', 'commenter', 'viewer'] as const
export type Role = (typeof ROLES)[number]

/** May this role change the document? */
export function canWrite(role: Role): boolean {
  return role === 'owner' || role === 'manager' || role === 'editor'
}

/** May this role rename, share, trash and delete the file? */
export function canManage(role: Role): boolean {
  return role === 'owner' || role === 'manager'
}

/** The greater of two roles; null is no role at all. */
export function maxRole(a: Role | null, b: Role | null): Role | null {
  if (a === null) return b
  if (b === null) return a
  return ROLES.indexOf(a) <= ROLES.indexOf(b) ? a : b
}

/** The first message of a socket. */
export type Hello = {
  protocol: number
  /** Schema version of the document, and the oldest one that may write to it. */
  schema: number
  minWriter: number
  epoch: string
  role: Role
  limits: { frameBytes: number; step2Bytes: number; presenceBytes: number }
  /** Milliseconds since 1970. */
  serverTime: number
  /** The log's last sequence number; grows, with holes. */
  durableSeq: number
}

export type RoleNotice = { role: Role; reason: 'changed' | 'read-only' }
export type Drain = { retryAfterMs: number }
/** `notification` is for the person, whichever document it comes over; `quota` says that only deletions are still taken. */
export type Control = {
  type: 'comments-changed' | 'version-created' | 'quota' | 'file-changed' | 'notification'
  docId: string
  since?: number
}

/** The kinds of notifications; `data` of each names the people and things concerned. */
export const NOTIFICATION_KINDS = [
  'workspace-invitation',
  'file-invitation',
  'invitation-answered',
  'join-requested',
  'join-answered',
  'file-shared',
  'role-changed',
  'removed',
  'ownership',
  'workspace-deleted',
  'signed-in-elsewhere',
  'password-changed',
  'second-factor',
  'mentioned',
  'commented',
  'market-talk',
  'market-mentioned',
  'market-published',
  'market-followed',
  'market-moderated',
  'coins-given',
  'subscription',
  'other',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/**
 * One peer's awareness state. `u`, `n`, `role` (and `user.name`, which text cursors use) are written by the server from the
 * session, whatever the client sent.
 */
export type Presence = {
  u: string
  n: string
  /** Id of their picture (`/api/accounts/avatar/{u}`); null without one. */
  a?: string | null
  role: Role
  /** Colour, CSS. */
  c?: string
  /** Cursor in canvas units. */
  cur?: readonly [number, number] | null
  /** Selected element ids, at most 50. */
  sel?: readonly string[]
  /** Viewport: x, y, zoom; only while another member follows. */
  vp?: readonly [number, number, number] | null
  /**
   * What is being moved or resized, not written yet: at most 50 elements, and where the first of them is now (x, y, width,
   * height); the others keep their distance to it. No ids: there are more, and this is the frame around them.
   */
  drag?: { ids: readonly string[]; at: readonly [number, number, number, number] } | null
  /** Text cursor in a formula: both ends are Yjs relative positions, base64. */
  caret?: { id: string; field: string; anchor: string; head: string } | null
  tool?: string
  since?: number
}

/**
 * Every error answer of the API is `{code, message, issues?}` with one of these codes (with its HTTP status); the client
 * translates the code, `message` is English for logs. `issues` names bad fields of a request.
 */
export const ERROR_CODES = {
  'account-or-password': 401,
  'not-activated': 403,
  'registered-not-activated': 409,
  'account-exists': 409,
  'nickname-taken': 409,
  'invitation-invalid': 403,
  'activation-invalid': 400,
  'activation-expired': 400,
  'already-activated': 409,
  'verification-invalid': 400,
  'old-password-incorrect': 400,
  'disclaimer-required': 400,
  'password-unchanged': 400,
  /** One of those that are tried first. */
  'password-common': 400,
  /** The code of the app, or the recovery code: wrong or spent; given too late, or too often; too often for the account; on or off already. */
  'second-factor-wrong': 400,
  'second-factor-expired': 410,
  'second-factor-locked': 423,
  'second-factor-on': 409,
  'second-factor-off': 409,
  /** What operators do takes two-step verification on this server, and theirs is off. */
  'operator-second-factor': 403,
  'user-not-registered': 404,
  'already-collaborator': 409,
  'signed-out': 401,
  'no-permission': 403,
  'not-found': 404,
  'name-taken': 409,
  'name-empty': 400,
  'not-in-trash': 409,
  'id-taken': 409,
  'folder-invalid': 400,
  'share-invalid': 404,
  'share-expired': 410,
  'epoch-changed': 409,
  'update-refused': 400,
  'too-large': 413,
  'too-many-requests': 429,
  'origin-refused': 403,
  /** The guard of outgoing requests does not allow this address; the message says by which rule. */
  'address-refused': 400,
  /** A node of a real chain did not answer as it should; the message says how. */
  'node-failed': 502,
  'invalid-params': 400,
  'account-locked': 423,
  'already-member': 409,
  'invitation-answered': 409,
  'invitation-closed': 410,
  'request-pending': 409,
  'request-answered': 409,
  'addresses-empty': 400,
  'addresses-invalid': 400,
  'name-mismatch': 400,
  'owns-workspaces': 409,
  'limit-reached': 402,
  /** The payer's plan does not include what was asked for; `feature` names it. */
  'plan-lacks-feature': 402,
  /** The payer has too little; `missing` says of what. */
  'not-enough-coins': 402,
  'not-enough-items': 402,
  /** The owner of the workspace pays, and has too little. */
  'owner-lacks-coins': 402,
  /** The subscription does not allow this change; `change` says which, and why. */
  'change-unsupported': 409,
  'payment-declined': 402,
  'payments-closed': 503,
  /** The workspace is beyond its plan: read-only until it is unlocked or holds less. */
  'workspace-locked': 423,
  'model-in-use': 409,
  'model-linked': 409,
  'same-place': 409,
  'tag-invalid': 400,
  'image-invalid': 400,
  'share-password': 401,
  'share-password-wrong': 403,
  'share-used-up': 410,
  'embed-invalid': 404,
  'embed-closed': 410,
  'embed-limit': 402,
  /** The store: charging is not supported; the file is published already; what is off the shelf is not updated; a step that its state does not allow. */
  'market-charge': 400,
  'market-published': 409,
  'market-off-shelf': 409,
  'market-state': 409,
  /**
   * Downloaded from the store, so it cannot be published again; similar to another author's work, so it waits for a moderator; one's own work,
   * so it cannot be liked, downloaded or counted.
   */
  'market-downloaded': 403,
  'market-similar': 409,
  'market-own': 409,
  /** Models that its author has not agreed to publish along; `issues` names them. */
  'market-models': 409,
  'storage-full': 507,
  /** The disk of the server is full: only reading, signing in and deleting work. */
  'disk-full': 507,
  unavailable: 503,
  unexpected: 500,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof ERROR_CODES
export type ErrorAnswer = {
  code: ErrorCode
  message: string
  issues?: { path: string; message: string }[]
  /** With `limit-reached`: the quantity of the plan, how much of it the plan allows, and the least plan with room. */
  limit?: { quantity: string; allowed: number; plan?: string; /** It is the plan of the workspace's owner. */ isOwners?: boolean }
  /** With `plan-lacks-feature`: the feature, and the least plan that has it. */
  feature?: { feature: string; plan?: string }
  /** With `not-enough-…` and `owner-lacks-coins`: what there is too little of (an asset of the ledger), how much it takes, how much there is. */
  missing?: { asset: string; needed: number; has: number }
  /** With `change-unsupported`: what was asked of the subscription, and why it can't be. */
  change?: { asked: string; why: string }
}

/** An id made on a client (file, document, epoch): URL-safe, since y-websocket puts it into the URL unescaped. */
export const ID_PATTERN = /^[A-Za-z0-9_-]{8,64}$/
