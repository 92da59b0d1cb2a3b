// The store's calls to the server, and what they answer with.
import type { AppKind, AppLicence, AppOrder, AppTopic, ForumSection, ReportReason } from '../../model-schema/business/market.ts'
import { ApiError, server } from '../api.ts'
import { locale } from '../i18n/locale.ts'
import type { Role } from '../../sync-server/protocol.ts'

const calls = server.market
const app = (id: string) => ({ param: { id } })

export type AppCard = Awaited<ReturnType<typeof market.list>>['apps'][number]
export type AppInfo = Awaited<ReturnType<typeof market.app>>
export type AuthorInfo = Awaited<ReturnType<typeof market.author>>
export type TalkComment = Awaited<ReturnType<typeof market.talk>>['comments'][number]
export type Case = Awaited<ReturnType<typeof market.cases>>[number]
export type TalkPlace = { sort: 'app' | 'thread'; id: string }
export type Reportable = { about: 'app' | 'comment' | 'thread'; target: string }
export type ReportTarget = Reportable | { about: 'draft'; target: string }

/** A query of the store. */
export type ShelfQuery = {
  of?: 'all' | 'following' | 'favourites' | 'mine'
  author?: string
  kind?: AppKind[]
  topic?: AppTopic
  tag?: string
  licence?: AppLicence
  q?: string
  verified?: boolean
  sort?: AppOrder
  limit?: number
  offset?: number
}

export type RunWish = { file: string; scenario: string | null; seed: number; ticks: number; hash: string | null }

/** The wizard's description of a version. */
export type VersionInput = {
  name: string
  summary: string
  description: string
  notes: string
  tags: string[]
  topic: AppTopic
  licence: AppLicence
  pages: { scenarios: string[] | null; copies: boolean }
  incentive: { price: number; referral: number }
  run: RunWish | null
}

export const market = {
  async list(wish: ShelfQuery) {
    return (await calls.apps.$get({ query: wish })).json()
  },
  async tags() {
    return (await (await calls.tags.$get()).json()).tags
  },
  async app(id: string, draft = false) {
    return (await calls.apps[':id'].$get({ ...app(id), query: { draft } })).json()
  },
  /** Whether it was the first today. */
  async visit(id: string): Promise<boolean> {
    return (await (await calls.apps[':id'].visit.$post(app(id))).json()).counted
  },
  async like(id: string, on: boolean): Promise<void> {
    await calls.apps[':id'].like.$put({ ...app(id), json: { on } })
  },
  async favourite(id: string, on: boolean): Promise<void> {
    await calls.apps[':id'].favourite.$put({ ...app(id), json: { on } })
  },
  /** Takes a copy into a workspace, in the language of the page where there is one; `copy` becomes the id of its main file. `by` led here. */
  async copy(id: string, copy: string, team: string, by: string | undefined, thanks: number): Promise<void> {
    const language = locale.getState().locale.split('-')[0]
    await calls.apps[':id'].copies.$post({
      ...app(id),
      json: { id: copy, team, parent: null, thanks, language, ...(by === undefined ? {} : { by }) },
    })
  },
  /** Gives the author coins for using it; `id` names this gift, so that asking twice gives once. */
  async thank(id: string, gift: string, coins: number): Promise<void> {
    await calls.apps[':id'].thanks.$post({ ...app(id), json: { id: gift, coins } })
  },
  async origin(file: string) {
    return (await (await calls.origin[':id'].$get(app(file))).json()).origin
  },
  /** The publication of a file (null when there is none), and the models outside of it that would be published along. */
  async of(file: string) {
    return (await calls.of[':id'].$get(app(file))).json()
  },
  /** A published document, in the language of the page where there is one; `draft` is what is prepared. */
  async state(id: string, file: string, draft: boolean): Promise<{ epoch: string; role: Role; update: Uint8Array }> {
    const response = await calls.apps[':id'].files[':file'].state.$get({
      param: { id, file },
      query: { draft, language: locale.getState().locale.split('-')[0] },
    })
    const epoch = response.headers.get('x-epoch')
    if (epoch === null) throw new ApiError('unexpected', response.status, 'a state without epoch')
    return { epoch, role: 'viewer', update: new Uint8Array(await response.arrayBuffer()) }
  },

  async prepare(id: string, source: string, kind: AppKind, about: VersionInput, models: string[]) {
    return (await calls.apps.$post({ json: { id, source, kind, about, models } })).json()
  },
  async update(id: string, about: VersionInput, models: string[]) {
    return (await calls.apps[':id'].$put({ ...app(id), json: { about, models } })).json()
  },
  async setCover(id: string, image: Blob): Promise<void> {
    const response = await fetch(`/api/market/apps/${encodeURIComponent(id)}/cover`, { method: 'PUT', body: image })
    if (!response.ok) throw new ApiError(response.status === 413 ? 'too-large' : 'image-invalid', response.status)
  },
  async publish(id: string): Promise<void> {
    await calls.apps[':id'].publish.$post(app(id))
  },
  async discard(id: string): Promise<void> {
    await calls.apps[':id'].draft.$delete(app(id))
  },
  async takeOff(id: string): Promise<void> {
    await calls.apps[':id']['off-shelf'].$post(app(id))
  },
  async putBack(id: string): Promise<void> {
    await calls.apps[':id']['put-back'].$post(app(id))
  },

  async author(id: string) {
    return (await calls.authors[':id'].$get(app(id))).json()
  },
  async follow(id: string, on: boolean): Promise<void> {
    await calls.authors[':id'].follow.$put({ ...app(id), json: { on } })
  },
  async setBio(bio: string): Promise<void> {
    await calls.author.$patch({ json: { bio } })
  },
  async me() {
    return (await calls.me.$get()).json()
  },

  async talk({ sort, id }: TalkPlace) {
    return (await calls.talk[':sort'][':id'].$get({ param: { sort, id } })).json()
  },
  async people({ sort, id }: TalkPlace) {
    return (await (await calls.talk[':sort'][':id'].people.$get({ param: { sort, id } })).json()).people
  },
  async say({ sort, id }: TalkPlace, comment: { id: string; body: string; replyTo: string | null }): Promise<void> {
    await calls.talk[':sort'][':id'].$post({ param: { sort, id }, json: comment })
  },
  async edit({ sort, id }: TalkPlace, comment: string, body: string): Promise<void> {
    await calls.talk[':sort'][':id'][':comment'].$patch({ param: { sort, id, comment }, json: { body } })
  },
  async unsay({ sort, id }: TalkPlace, comment: string): Promise<void> {
    await calls.talk[':sort'][':id'][':comment'].$delete({ param: { sort, id, comment } })
  },

  async forum(wish: { section?: ForumSection; q?: string; offset?: number }) {
    return (await calls.forum.$get({ query: wish })).json()
  },
  async thread(id: string) {
    return (await calls.forum[':id'].$get(app(id))).json()
  },
  async openThread(thread: { id: string; section: ForumSection; title: string; comment: { id: string; body: string } }): Promise<void> {
    await calls.forum.$post({ json: thread })
  },

  async report(target: Reportable, reason: ReportReason, words: string): Promise<void> {
    await calls.reports.$post({ json: { ...target, reason, words } })
  },
  async appeal(target: ReportTarget, words: string): Promise<void> {
    await calls.appeals.$post({ json: { ...target, words } })
  },
  async cases(open: boolean) {
    return (await (await calls.moderation.$get({ query: { open } })).json()).cases
  },
  async decide(target: ReportTarget, outcome: 'hidden' | 'shown', because: string): Promise<void> {
    await calls.moderation.decide.$post({ json: { ...target, outcome, because } })
  },
}
