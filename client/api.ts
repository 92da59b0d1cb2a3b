// The server's API as functions: each returns data or throws an ApiError that says whether trying again helps.
import { hc } from 'hono/client'
import type { Plan } from '../model-schema/business/plans.ts'
import type { Restriction, Switches } from '../model-schema/roles.ts'
import type { Api } from '../sync-server/app.ts'
import { errorAnswerOf } from './error-answer.ts'
import type { FileKind } from './local/device.ts'
import type { NotificationInfo } from '../sync-server/notifications/routes.ts'
import { ROLES } from '../sync-server/protocol.ts'
import type { ErrorCode, Role } from '../sync-server/protocol.ts'

/** The code with which the server refused, or `network` when it could not be reached. */
export class ApiError extends Error {
  readonly code: ErrorCode | 'network'
  /** HTTP status; 0 without an answer. */
  readonly status: number
  /** The details of a refusal: bad addresses, conflicting workspaces; with `limit-reached` the quantity and the plan's limit. */
  readonly named: readonly string[]
  readonly limit: { quantity: string; allowed: number; isOwners?: boolean } | null
  /** With `plan-lacks-feature`: the feature. With `not-enough-…`: what is missing. With `change-unsupported`: why. */
  readonly feature: string | null
  readonly missing: { asset: string; needed: number; has: number } | null
  readonly why: string | null

  constructor(
    code: ErrorCode | 'network',
    status: number,
    detail = '',
    more: Partial<Pick<ApiError, 'named' | 'limit' | 'feature' | 'missing' | 'why'>> = {},
  ) {
    super(detail === '' ? code : `${code}: ${detail}`)
    this.code = code
    this.status = status
    this.named = more.named ?? []
    this.limit = more.limit ?? null
    this.feature = more.feature ?? null
    this.missing = more.missing ?? null
    this.why = more.why ?? null
  }

  /** Whether the same request can never succeed. Signing in again, or waiting, mends some. */
  get final(): boolean {
    return this.status >= 400 && this.status < 500 && this.code !== 'too-many-requests' && this.code !== 'signed-out'
  }
}

export type Me = { id: string; name: string; email: string; team: string; avatar?: string | null }
export type Grant = Exclude<Role, 'owner'>
export type LinkRole = 'editor' | 'commenter' | 'viewer'
/** The permissions of a new link, its duration, and its password. */
type LinkWish = { role: LinkRole; expiresAt?: string; password?: string; maxUses?: number; mayCopy?: boolean }
/** Target of a shared link; `pass` replaces the code of a guarded link. */
export type Opened = Awaited<ReturnType<typeof api.openShare>>
export type ShareLink = Awaited<ReturnType<typeof api.links>>[number]
/** The origins allowed to embed a page, and the content of the page. */
type EmbedWish = { origins?: string[]; options?: Record<string, string>; closed?: boolean; models?: string[] }
/** An entry of the log of an account or a workspace. */
export type LogLine = Awaited<ReturnType<typeof api.spaceLog>>[number]

/** The roles of members of a team or organization, except for its owner. */
export type MemberGrant = 'manager' | 'editor' | 'viewer'

/** The typed client itself, for parts that are loaded later; requests throw ApiErrors. */
export const server = hc<Api>('/api', { fetch: answered })

export const api = {
  /** The signed-in user; null if none. */
  async me(): Promise<Me | null> {
    const { user, team } = await (await server.accounts.session.$get()).json()
    return user === null || team === null ? null : { ...user, team }
  },
  /** Help on a development server: a demo account, and emails to be read in the browser. */
  async hints(): Promise<{ demo: { email: string; password: string; invitation: string; freeEmail: string } | null; outbox: boolean }> {
    return (await server.hints.$get()).json()
  },
  async signOut(): Promise<void> {
    await server.accounts.logout.$post()
  },
  async register(form: { email: string; password: string; name: string; invitation: string; locale: string }): Promise<void> {
    await server.accounts.register.$post({ json: { ...form, disclaimer: true } })
  },
  /** By the code of a link alone, or by the six digits of the letter and the address it went to. */
  async activate(code: string, email?: string): Promise<void> {
    await server.accounts.activate.$post({ json: email === undefined ? { code } : { code, email } })
  },
  async resendActivation(email: string): Promise<void> {
    await server.accounts['activation-code'].$post({ json: { email } })
  },
  async askReset(email: string): Promise<void> {
    await server.accounts['reset-code'].$post({ json: { email } })
  },
  async reset(email: string, code: string, password: string): Promise<void> {
    await server.accounts['reset-password'].$post({ json: { email, code, password } })
  },
  async changePassword(old: string, next: string): Promise<void> {
    await server.accounts['change-password'].$post({ json: { old, next } })
  },

  /** Every file the person can see, the trash and what others share included. */
  async files() {
    return (await (await server.files.$get({ query: { of: 'all' } })).json()).files
  },
  /** Idempotent by id. A taken name gets a number. */
  async createFile(file: { id: string; kind: FileKind; epoch: string; name: string; team?: string; parent: string | null }): Promise<void> {
    await server.files.$post({ json: { ...file, taken: 'number' } })
  },
  /** Ids of what holds the words in its name, remark, tags or content, in all own workspaces and what is shared. */
  async search(words: string): Promise<string[]> {
    return (await (await server.files.$get({ query: { of: 'search', q: words, limit: 500 } })).json()).files.map(file => file.id)
  },
  async renameFile(id: string, name: string): Promise<void> {
    await server.files[':id'].$patch({ param: { id }, json: { name } })
  },
  async remarkFile(id: string, remark: string): Promise<void> {
    await server.files[':id'].$patch({ param: { id }, json: { remark } })
  },
  /** A name taken there gets a number. */
  async moveFile(id: string, to: { team: string; parent: string | null }): Promise<void> {
    await server.files[':id'].move.$post({ param: { id }, json: { ...to, taken: 'number' } })
  },
  async tagFile(id: string, tags: string[]): Promise<void> {
    await server.files[':id'].tags.$put({ param: { id }, json: { tags } })
  },
  async setFavourite(id: string, on: boolean): Promise<void> {
    await server.files[':id'].favourite.$put({ param: { id }, json: { on } })
  },
  async setCover(id: string, image: Blob): Promise<void> {
    await answered(`/api/files/${encodeURIComponent(id)}/cover`, { method: 'PUT', body: image })
  },
  /** Stores the last picture of a file; a chosen cover is kept. */
  async drawCover(id: string, image: Blob): Promise<void> {
    await answered(`/api/files/${encodeURIComponent(id)}/drawn/cover`, { method: 'PUT', body: image })
  },
  async removeCover(id: string): Promise<void> {
    await server.files[':id'].cover.$delete({ param: { id } })
  },
  async linkModel(id: string, model: string): Promise<void> {
    await server.files[':id'].model.$put({ param: { id }, json: { model } })
  },
  /** The models that a dashboard or chart shows runs of. */
  async noteModels(id: string, models: string[]): Promise<void> {
    await server.files[':id'].models.$put({ param: { id }, json: { models } })
  },
  /** A copy on the server, of a file the user can't write, or by a link that permits copies. */
  async copyFile(id: string, copy: { id: string; name: string; team: string; share?: string }): Promise<void> {
    await server.files[':id'].duplicate.$post({ param: { id }, json: copy })
  },
  /** A user's permissions on a file, with their reasons; the current user by default. */
  async filePermissions(id: string, userId?: string) {
    return (await server.files[':id'].permissions.$get({ param: { id }, query: userId === undefined ? {} : { userId } })).json()
  },
  async spacePermissions(team: string, userId?: string) {
    return (await server.workspaces[':team'].permissions.$get({ param: { team }, query: userId === undefined ? {} : { userId } })).json()
  },
  async tags(set: string) {
    return (await (await server.tags[':set'].$get({ param: { set } })).json()).tags
  },
  async saveTag(set: string, tag: { id: string; name: string; color: string; place: number }): Promise<void> {
    const { id, ...json } = tag
    await server.tags[':set'][':id'].$put({ param: { set, id }, json })
  },
  async deleteTag(set: string, id: string): Promise<void> {
    await server.tags[':set'][':id'].$delete({ param: { set, id } })
  },
  async trashFile(id: string): Promise<void> {
    await server.files[':id'].trash.$post({ param: { id } })
  },
  async restoreFile(id: string): Promise<void> {
    await server.files[':id'].restore.$post({ param: { id } })
  },
  async deleteFile(id: string): Promise<void> {
    await server.files[':id'].$delete({ param: { id } })
  },

  /** Those a file is shared with; its owner is in the file's own row. */
  async people(id: string) {
    return (await server.files[':id'].collaborators.$get({ param: { id } })).json()
  },
  /** Gives a person access at once. */
  async share(id: string, email: string, role: Grant): Promise<void> {
    await server.files[':id'].collaborators.$post({ param: { id }, json: { email, role } })
  },
  /** Invites people by email; returns the result for each address. */
  async invite(id: string, emails: string, role: Grant) {
    return (await (await server.files[':id'].invitations.$post({ param: { id }, json: { emails, role } })).json()).results
  },
  async revokeFileInvitation(id: string, code: string): Promise<void> {
    await server.files[':id'].invitations[':code'].$delete({ param: { id, code } })
  },
  async setRole(id: string, userId: string, role: Grant): Promise<void> {
    await server.files[':id'].collaborators[':userId'].$patch({ param: { id, userId }, json: { role } })
  },
  async removePerson(id: string, userId: string): Promise<void> {
    await server.files[':id'].collaborators[':userId'].$delete({ param: { id, userId } })
  },
  /** One file, as the lists have it. Throws `not-found`. */
  async file(id: string) {
    return (await server.files[':id'].$get({ param: { id } })).json()
  },
  async links(id: string) {
    return (await (await server.files[':id'].links.$get({ param: { id } })).json()).links
  },
  async createLink(id: string, wish: LinkWish): Promise<{ code: string }> {
    return (await server.files[':id'].links.$post({ param: { id }, json: wish })).json()
  },
  async closeLink(id: string, code: string): Promise<void> {
    await server.files[':id'].links[':code'].$delete({ param: { id, code } })
  },
  /** The people who can open a file without managing it, and their restrictions there. */
  async restrictions(id: string) {
    return (await (await server.files[':id'].restrictions.$get({ param: { id } })).json()).people
  },
  async restrict(id: string, userId: string, rule: Restriction | null): Promise<void> {
    await server.files[':id'].restrictions[':userId'].$put({ param: { id, userId }, json: { rule } })
  },
  async reopenLink(id: string, code: string): Promise<void> {
    await server.files[':id'].links[':code'].reopen.$post({ param: { id, code } })
  },
  /** Opens a shared link. */
  async openShare(code: string) {
    return (await server.share[':code'].open.$post({ param: { code } })).json()
  },
  async unlockShare(code: string, password: string) {
    return (await server.share[':code'].unlock.$post({ param: { code }, json: { password } })).json()
  },
  /** The embed codes of a file, and the models it runs, as far as the person may see them. */
  async embeds(id: string) {
    return (await server.files[':id'].embeds.$get({ param: { id } })).json()
  },
  async createEmbed(id: string, wish: EmbedWish) {
    return (await server.files[':id'].embeds.$post({ param: { id }, json: wish })).json()
  },
  async changeEmbed(id: string, code: string, wish: EmbedWish): Promise<void> {
    await server.files[':id'].embeds[':code'].$patch({ param: { id, code }, json: wish })
  },
  /** Opens the content of an embed code. */
  async openEmbed(code: string) {
    return (await server.embed[':code'].$get({ param: { code } })).json()
  },
  async embedState(code: string): Promise<{ epoch: string; role: Role; update: Uint8Array }> {
    const response = await server.embed[':code'].state.$get({ param: { code } })
    return { epoch: response.headers.get('x-epoch') ?? '', role: 'viewer', update: new Uint8Array(await response.arrayBuffer()) }
  },
  /** A model that an embedded dashboard runs. */
  async embedModelState(code: string, id: string): Promise<{ epoch: string; role: Role; update: Uint8Array }> {
    const response = await server.embed[':code'].models[':id'].state.$get({ param: { code, id } })
    return { epoch: response.headers.get('x-epoch') ?? '', role: 'viewer', update: new Uint8Array(await response.arrayBuffer()) }
  },

  /** Every workspace the person is in, their own included. */
  async spaces() {
    return (await (await server.workspaces.$get()).json()).workspaces
  },
  async createSpace(space: { id: string; type: 'team' | 'organization'; name: string }): Promise<void> {
    await server.workspaces.$post({ json: space })
  },
  async changeSpace(team: string, change: { name?: string; profile?: string; switches?: Partial<Switches> }): Promise<void> {
    await server.workspaces[':team'].$patch({ param: { team }, json: change })
  },
  async setSpaceType(team: string, type: 'team' | 'organization'): Promise<void> {
    await server.workspaces[':team'].type.$post({ param: { team }, json: { type } })
  },
  /** For good; the server checks that the name was typed exactly. */
  async deleteSpace(team: string, name: string): Promise<void> {
    await server.workspaces[':team'].delete.$post({ param: { team }, json: { name } })
  },
  async leaveSpace(team: string): Promise<void> {
    await server.workspaces[':team'].leave.$post({ param: { team } })
  },
  async transferSpace(team: string, userId: string): Promise<void> {
    await server.workspaces[':team'].transfer.$post({ param: { team }, json: { userId } })
  },
  /** The log of a workspace, newest first; `before` is the id of the last line seen. */
  async spaceLog(team: string, before?: number) {
    const query = before === undefined ? {} : { before }
    return (await (await server.workspaces[':team'].audit.$get({ param: { team }, query })).json()).lines
  },
  async removeSpaceIcon(team: string): Promise<void> {
    await server.workspaces[':team'].icon.$delete({ param: { team } })
  },
  async setSpaceIcon(team: string, image: Blob): Promise<void> {
    await answered(`/api/workspaces/${encodeURIComponent(team)}/icon`, { method: 'PUT', body: image })
  },
  /** Members; for managers also invitations, requests to join, and collaborators from outside. */
  async members(team: string) {
    return (await server.workspaces[':team'].members.$get({ param: { team } })).json()
  },
  async setMemberRole(team: string, userId: string, role: MemberGrant): Promise<void> {
    await server.workspaces[':team'].members[':userId'].$patch({ param: { team, userId }, json: { role } })
  },
  async removeMember(team: string, userId: string): Promise<void> {
    await server.workspaces[':team'].members[':userId'].$delete({ param: { team, userId } })
  },
  /** Addresses as typed; what became of each. */
  async inviteMembers(team: string, emails: string, role: MemberGrant) {
    return (await (await server.workspaces[':team'].invitations.$post({ param: { team }, json: { emails, role } })).json()).results
  },
  async revokeInvitation(team: string, entry: string): Promise<void> {
    await server.workspaces[':team'].invitations[':entry'].$delete({ param: { team, entry } })
  },
  async answerRequest(team: string, entry: string, accept: boolean, role: MemberGrant): Promise<void> {
    await server.workspaces[':team'].requests[':entry'].$post({ param: { team, entry }, json: { accept, role } })
  },
  /** The code of the public link for join requests; null when closed. */
  async joinLink(team: string): Promise<string | null> {
    return (await (await server.workspaces[':team']['join-link'].$get({ param: { team } })).json()).code
  },
  async openJoinLink(team: string, open: boolean): Promise<void> {
    await server.workspaces[':team']['join-link'].$put({ param: { team }, json: { open } })
  },

  async invitation(code: string) {
    return (await server.invitations[':code'].$get({ param: { code } })).json()
  },
  async answerInvitation(code: string, accept: boolean) {
    return (await server.invitations[':code'].answer.$post({ param: { code }, json: { accept } })).json()
  },
  async notifications(): Promise<{ notifications: NotificationInfo[]; unread: number }> {
    return (await server.notifications.$get({ query: {} })).json()
  },
  /** Some, or all. */
  async readNotifications(ids?: string[]): Promise<void> {
    await server.notifications.read.$post({ json: ids === undefined ? {} : { ids } })
  },
  async clearNotifications(ids?: string[]): Promise<void> {
    await server.notifications.clear.$post({ json: ids === undefined ? {} : { ids } })
  },

  async setName(name: string): Promise<void> {
    await server.accounts.profile.$patch({ json: { name } })
  },
  async setAvatar(image: Blob): Promise<void> {
    await answered('/api/accounts/avatar', { method: 'PUT', body: image })
  },
  async removeAvatar(): Promise<void> {
    await server.accounts.avatar.$delete()
  },
  /** One's plan, and how much of it is used. */
  async usage() {
    return (await server.accounts.usage.$get()).json()
  },
  /** The plan in force for what one does in a file. */
  async planOfFile(file: string): Promise<Plan & { isOwners: boolean }> {
    return (await server.files[':id'].plan.$get({ param: { id: file } })).json()
  },
  /** The log of the user's account, newest first. */
  async ownLog(before?: number) {
    const query = before === undefined ? {} : { before }
    return (await (await server.accounts.audit.$get({ query })).json()).lines
  },
  async sessions() {
    return (await (await server.accounts.sessions.$get()).json()).sessions
  },
  async endSession(id: string): Promise<void> {
    await server.accounts.sessions[':id'].$delete({ param: { id } })
  },
  async endOtherSessions(): Promise<void> {
    await server.accounts.sessions['end-others'].$post()
  },
  async deleteAccount(password: string): Promise<void> {
    await server.accounts.delete.$post({ json: { password } })
  },

  /** A ticket for one connection to a document within a minute. */
  async ticket(docId: string, share?: string): Promise<string> {
    return (await (await server.rt.ticket.$post({ json: { docId, share } })).json()).ticket
  },
  /** The committed document as one update. */
  async docState(docId: string, share?: string): Promise<{ epoch: string; role: Role; update: Uint8Array }> {
    const response = await server.docs[':id'].state.$get({ param: { id: docId }, query: { share } })
    const epoch = response.headers.get('x-epoch')
    const role = ROLES.find(name => name === response.headers.get('x-role'))
    if (epoch === null || role === undefined) throw new ApiError('unexpected', response.status, 'a state without epoch or role')
    return { epoch, role, update: new Uint8Array(await response.arrayBuffer()) }
  },
  /** Adds an update to a document's log; settles when it is durable. */
  async pushUpdate(docId: string, epoch: string, update: Uint8Array): Promise<void> {
    // The body is bytes, which the typed client does not speak.
    const url = `/api/docs/${encodeURIComponent(docId)}/updates`
    await answered(url, { method: 'POST', headers: { 'x-epoch': epoch, 'content-type': 'application/octet-stream' }, body: update.slice() })
  },
}

/** A request that throws an ApiError unless the whole of a good answer came. */
async function answered(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  let response: Response
  let bytes: ArrayBuffer
  try {
    response = await fetch(input, init)
    bytes = await response.arrayBuffer()
  } catch (error) {
    throw new ApiError('network', 0, error instanceof Error ? error.message : '')
  }
  const { status, headers } = response
  if (response.ok) return new Response(bytes.byteLength === 0 ? null : bytes, { status, headers })
  const { code, message, ...more } = errorAnswerOf(bytes)
  throw new ApiError(code ?? (status >= 500 ? 'unavailable' : 'unexpected'), status, message, more)
}
