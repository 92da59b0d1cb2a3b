// The tools over HTTP for programs that speak the Model Context Protocol. Requests are independent of each other and carry a token; a token acts
// for the person who made it, within its scope and reach and that person's current permissions. Edits stay on a fork in a thread; what is
// offered is a proposal.
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { z } from 'zod'
import { draftKinds } from '../../model-schema/file-drafts.ts'
import { can } from '../../model-schema/roles.ts'
import { mcpServerFor, type Asker, type ModelFiles } from '../../sim-engine/copilot/doors/mcp.ts'
import { draftTools, tools } from '../../sim-engine/copilot/doors/tools.ts'
import { note } from '../audit.ts'
import { Buckets } from '../bucket.ts'
import { listFiles } from '../files/listing.ts'
import { addressOf, Refusal, tooLarge, type Env } from '../http.ts'
import type { Parts } from '../parts.ts'
import { onFile } from '../permissions.ts'
import { canWrite } from '../protocol.ts'
import type { Room, Submitted } from '../relay/room.ts'
import { ToolThreads } from './threads.ts'
import type { ToolTask } from './tool-thread.ts'
import { bearerOf, type Bearer } from './tokens.ts'

/** Bytes of one request, requests a second of one token and at once, and wrong tokens an address may say. */
const BOUNDS = { bytes: 512 << 10, rate: 5, burst: 60, wrongRate: 1 / 10, wrongBurst: 20, listed: 200 } as const

const VERSION = '1'

type Answer = Awaited<ReturnType<ModelFiles['use']>>
const no = (why: string): Answer => ({ ok: false, why })

export function mcpRoutes(parts: Parts) {
  const { db, trustProxy } = parts
  const threads = new ToolThreads()
  const taken = new Buckets(BOUNDS.rate, BOUNDS.burst)
  const wrong = new Buckets(BOUNDS.wrongRate, BOUNDS.wrongBurst)
  const calls: Calls = new Map()
  const routes = new Hono<Env>().all('/', bodyLimit({ maxSize: BOUNDS.bytes, onError: tooLarge }), async c => {
    // Nothing is kept between requests, so there is no stream to listen to and none to end.
    if (c.req.method !== 'POST') return c.json({ error: 'only POST' }, 405, { allow: 'POST' })
    const address = addressOf(c, trustProxy)
    if (wrong.isEmpty(address, Date.now())) throw new Refusal('too-many-requests')
    const said = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
    const bearer = said === undefined ? null : await bearerOf(db, said)
    if (bearer === null) {
      wrong.take(address, Date.now())
      return c.json({ error: 'a token of this server is needed: people make one in the settings of the copilot' }, 401, {
        'www-authenticate': 'Bearer',
      })
    }
    if (!taken.take(bearer.id, Date.now())) throw new Refusal('too-many-requests')
    return answered(c.req.raw, filesFor(parts, threads, bearer, address), calls, bearer.id)
  })
  return { routes, ended: (token: string) => threads.end(token), close: () => threads.close() }
}

/** What ends the calls that are executed now, by token and id of the request: a cancellation comes as a request of its own. */
type Calls = Map<string, () => void>

/** Answers one message: a call by a stream of events with its progress, everything else at once. A client that leaves or cancels stops its call. */
async function answered(request: Request, files: ModelFiles, calls: Calls, token: string): Promise<Response> {
  const server = mcpServerFor(files, VERSION)
  const said: unknown = await request
    .clone()
    .json()
    .catch(() => null)
  const { id, cancels } = readMessage(said)
  if (cancels !== null) calls.get(`${token} ${cancels}`)?.()
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: id === null })
  await server.connect(transport)
  const key = `${token} ${id}`
  const end = async (): Promise<void> => {
    request.signal.removeEventListener('abort', leave)
    if (calls.get(key) === leave) calls.delete(key)
    await server.close()
  }
  const leave = (): void => void end()
  if (id !== null) calls.set(key, leave)
  request.signal.addEventListener('abort', leave)
  const response = await transport.handleRequest(request)
  if (id === null || response.body === null) {
    await end()
    return response
  }
  const [body, whole] = response.body.tee()
  void whole.pipeTo(new WritableStream()).finally(end)
  return new Response(body, response)
}

/** Of a message: the id of a call that it is, or of the call it cancels. */
function readMessage(said: unknown): { id: string | null; cancels: string | null } {
  const message = z
    .object({
      id: z.union([z.string(), z.number()]).optional(),
      method: z.string().optional(),
      params: z.object({ requestId: z.union([z.string(), z.number()]).optional() }).optional(),
    })
    .safeParse(said).data
  const known = (value: string | number | undefined): string | null => (value === undefined ? null : JSON.stringify(value))
  return {
    id: message?.method === 'tools/call' ? known(message.id) : null,
    cancels: message?.method === 'notifications/cancelled' ? known(message.params?.requestId) : null,
  }
}

/** Whether a token reaches a file of a workspace. */
type Reaches = (file: string, team: string) => boolean

/** The models that a token reaches, as its person sees them now. `address`: where requests come from. */
function filesFor(parts: Parts, threads: ToolThreads, bearer: Bearer, address: string): ModelFiles {
  const { db } = parts
  const reaches: Reaches = (file, team) =>
    (bearer.files.length === 0 && bearer.workspaces.length === 0) || bearer.files.includes(file) || bearer.workspaces.includes(team)
  return {
    async list() {
      const files = await listFiles(db, bearer.userId, { of: 'all' }, {})
      return files
        .filter(({ id, kind, team, trashedAt }) => (kind === 'model' || kind === 'block') && trashedAt === null && reaches(id, team))
        .slice(0, BOUNDS.listed)
        .map(({ id, name }) => ({ id, title: name }))
    },
    async use(file, name, given, asker) {
      const none = no('There is no such file, or this token does not reach it. "files" lists those it does.')
      if (file.length > 64) return none
      const standing = await onFile(db, bearer.userId, file)
      if (!standing || standing.subject.inTrash || !reaches(file, standing.team) || !can(standing.actor, 'view', standing.subject))
        return none
      // What is read leaves the workspace, as with a download.
      if (!can(standing.actor, 'copyOut', standing.subject)) return no('The workspace of this file does not let its content leave.')
      if (bearer.scope === 'read' && tools[name].sort === 'branch') return no(`"${name}" changes something, and this token may only read.`)
      const room = await parts.rooms.open(file)
      if (room === null) return none
      const related = draftTools.has(name) ? await relatedTo(parts, bearer, file, given, reaches) : []
      const noted = async (detail: Record<string, string>): Promise<void> =>
        note(db, { userId: bearer.userId, action: 'proposal-offered', workspaceId: standing.team, fileId: file, address, detail })
      return execute(parts, threads, bearer, { file, room, name, given, asker, related, noted })
    },
  }
}

type Use = {
  readonly file: string
  readonly room: Room
  readonly name: keyof typeof tools
  readonly given: unknown
  readonly asker: Asker
  readonly related: ToolTask['related']
  /** Notes what was written into the file. */
  readonly noted: (detail: Record<string, string>) => Promise<void>
}

const wantedIn = z.object({ of: z.string().max(64) })
const titleIn = z.object({ title: z.string().max(200) })

/** The experiments, charts and dashboards about a model that this token reaches; the one that a tool is to change with its content. */
async function relatedTo(
  { db, rooms }: Parts,
  bearer: Bearer,
  model: string,
  given: unknown,
  reaches: Reaches,
): Promise<ToolTask['related']> {
  const rows = await db.selectFrom('file_use').select('file_id').where('model_id', '=', model).limit(BOUNDS.listed).execute()
  const wanted = wantedIn.safeParse(given).data?.of
  const related: ToolTask['related'][number][] = []
  for (const { file_id: id } of rows) {
    const standing = await onFile(db, bearer.userId, id)
    if (!standing || standing.subject.inTrash || !reaches(id, standing.team) || !can(standing.actor, 'copyOut', standing.subject)) continue
    const { kind, name } = await db.selectFrom('file').select(['kind', 'name']).where('id', '=', id).executeTakeFirstOrThrow()
    const drafted = draftKinds.find(one => one === kind)
    if (!drafted) continue
    const room = id === wanted ? await rooms.open(id) : null
    related.push({ id, kind: drafted, name, content: room && (await contentOf(room)) })
  }
  return related
}

async function execute(parts: Parts, threads: ToolThreads, bearer: Bearer, use: Use): Promise<Answer> {
  const { file, room, name, given, asker, related, noted } = use
  const role = await parts.access(file, bearer.userId, null)
  const mayOffer = bearer.scope === 'propose' && role !== null && canWrite(role)
  let [state, wasDirty] = ['', false]
  const done = await threads.use(bearer.id, asker, async () => {
    const fork = threads.forkOf(bearer.id, file)
    state = `${room.epoch} ${room.seq}`
    wasDirty = fork?.isDirty === true
    // A fork with edits stays on what it was made of: what it offers is merged with what people did since.
    const begins = !fork || (!fork.isDirty && fork.state !== state)
    const content = begins || name === 'offer' ? await contentOf(room) : null
    return {
      file,
      begin:
        begins && content
          ? {
              content,
              author: { kind: 'client', name: `${bearer.label} (${bearer.userName})`.slice(0, 200) },
              writes: bearer.scope === 'propose',
            }
          : null,
      name,
      given,
      related,
      live: name === 'offer' && mayOffer && content ? content : 'The person this token stands for may not change this file.',
    }
  })
  if (done === null) return no('There is too much to do just now. Wait a moment, then call again.')
  if (done === 'failed') return no('The tool took too long or needed too much memory. The fork is gone: begin again.')
  if ('gone' in done) {
    // Other files have taken its place.
    threads.note(bearer.id, file, { state: '', isDirty: false })
    return wasDirty
      ? no('Too many files are worked on: the fork of this one and its edits are gone. Begin again.')
      : execute(parts, threads, bearer, use)
  }
  if (done.update !== null && role !== null) {
    const who = { userId: bearer.userId, sessionId: `token:${bearer.id}`, name: bearer.userName }
    const { update } = done
    const outcome = await new Promise<Submitted>(settled => room.submit(who, role, update, settled))
    if (!outcome.ok) return no(`The proposal could not be put into the file: ${outcome.reason}`)
    state = `${room.epoch} ${room.seq}`
    await noted({ by: bearer.label, name: titleIn.safeParse(given).data?.title ?? '' })
  }
  threads.note(bearer.id, file, { state, isDirty: done.isDirty })
  return done.answer
}

async function contentOf(room: Room): Promise<Uint8Array> {
  const state = await new Promise<{ update: Uint8Array } | null>(done => room.state(done))
  if (state === null) throw new Refusal('unavailable')
  return Uint8Array.from(state.update)
}
