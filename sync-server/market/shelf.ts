// What is on the shelf, as people find it: lists with filters, one publication with everything about it, authors.
import { sql } from 'kysely'
import { rankParts } from '../../model-schema/business/market.ts'
import type { AppKind, AppOrder, AppState, RankParts } from '../../model-schema/business/market.ts'
import type { Db } from '../db/database.ts'
import type { Incentive, Pages, Proof, RecordedRun } from './tables.ts'
import { foundBy, termsOf } from './words.ts'
import type { Term } from './words.ts'

export type Author = { id: string; name: string; avatar: string | null }

/** A publication in a list. */
type AppCard = {
  id: string
  kind: AppKind
  state: AppState
  version: number
  name: string
  summary: string
  topic: string
  tags: string[]
  licence: string
  /** Image id; null draws one. */
  cover: string | null
  author: Author | null
  at: string
  verified: boolean
  hidden: boolean
  /** A next version is being prepared. */
  draft: boolean
  counts: { views: number; likes: number; favourites: number; downloads: number; comments: number }
  mine: { liked: boolean; favourite: boolean }
}

type AppFile = { id: string; parent: string | null; kind: string; name: string }

type AppInfo = AppCard & {
  description: string
  notes: string
  pages: Pages
  incentive: Incentive
  proof: { state: Proof; at: string | null; run: RecordedRun | null }
  hiddenBecause: string
  files: AppFile[]
  versions: { number: number; at: string; notes: string }[]
  rank: RankParts & { days: number }
  /** The reader's own copies. */
  copies: { id: string; team: string; name: string; kind: string; version: number; at: string }[]
  following: boolean
  /** Whether the reader is its author; for the author, the file it is made from. */
  own: boolean
  source: string | null
}

type Wanted = {
  of: 'all' | 'following' | 'favourites' | 'mine'
  author?: string | undefined
  kinds?: readonly AppKind[] | undefined
  topic?: string | undefined
  tag?: string | undefined
  licence?: string | undefined
  q?: string | undefined
  verified?: boolean | undefined
  sort: AppOrder
  limit: number
  offset: number
}

/** Those of `mine` with what is prepared and off the shelf; all others as they are published. */
export async function listApps(db: Db, userId: string | null, wanted: Wanted): Promise<AppCard[]> {
  const mine = wanted.of === 'mine'
  let rows = cards(db, userId, mine)
  if (mine) rows = rows.where('a.author', '=', userId)
  else rows = rows.where('a.state', '=', 'published').where('a.hidden_at', 'is', null)
  if (wanted.of === 'following')
    rows = rows.where('a.author', 'in', db.selectFrom('market_follow').select('author').where('follower', '=', userId))
  if (wanted.of === 'favourites') rows = rows.where('f.at', 'is not', null)
  if (wanted.author !== undefined) rows = rows.where('a.author', '=', wanted.author)
  if (wanted.kinds !== undefined) rows = rows.where('a.kind', 'in', wanted.kinds)
  if (wanted.topic !== undefined) rows = rows.where('v.topic', '=', wanted.topic)
  if (wanted.licence !== undefined) rows = rows.where('v.licence', '=', wanted.licence)
  if (wanted.verified === true) rows = rows.where('v.proof', '=', 'verified')
  if (wanted.tag !== undefined) rows = rows.where(sql<boolean>`${wanted.tag} = any(v.tags)`)
  const terms = termsOf(wanted.q ?? '')
  if (terms !== null) {
    await readOlder(db)
    if (terms.length === 0) return []
    const named = await authorsNamed(db, terms)
    // One word may be of the text and another of the author's name. Words that match no author are looked for at once.
    const said = terms.filter((_, i) => named[i]?.length === 0)
    if (said.length > 0) rows = rows.where(sql<boolean>`a.id in (${found(said, [])})`)
    for (const [i, term] of terms.entries()) {
      const authors = named[i] ?? []
      if (authors.length > 0) rows = rows.where(sql<boolean>`a.id in (${found([term], authors)})`)
    }
  }
  const order = { recommended: 'a.rank', new: 'v.published_at', downloads: 'a.downloads', likes: 'a.likes' } as const
  if (mine) rows = rows.orderBy('a.created_at', 'desc')
  else if (terms !== null && wanted.sort === 'recommended') rows = rows.orderBy(relevance(terms), 'desc').orderBy('a.rank', 'desc')
  else rows = rows.orderBy(order[wanted.sort], 'desc').orderBy('a.rank', 'desc')
  return (await rows.orderBy('a.id').limit(wanted.limit).offset(wanted.offset).execute()).map(cardOf)
}

/** Publications of which the version shown has these words, and those of these authors. */
function found(terms: readonly Term[], authors: readonly string[]) {
  const has = terms.map(({ begins, inside }) =>
    inside === null ? sql`w.words @@ ${begins}::tsquery` : sql`(w.words @@ ${begins}::tsquery or w.endings @@ ${inside}::tsquery)`,
  )
  const said = sql`select w.app_id from market_version w
    join market_app b on b.id = w.app_id and w.number = coalesce(b.current, 1) where ${sql.join(has, sql` and `)}`
  return authors.length === 0 ? said : sql`${said} union select id from market_app where author = any(${[...authors]}::uuid[])`
}

/** So many people of one name are looked at. */
const MOST_NAMED = 200

/** For each word, the authors with that name. Queried first: mostly there is none, and then the words alone give the result. */
async function authorsNamed(db: Db, terms: readonly Term[]): Promise<string[][]> {
  const { rows } = await sql<{ place: number; id: string }>`
    select wanted.place::int as place, u.id from unnest(${terms.map(term => term.author)}::text[]) with ordinality as wanted (name, place)
    cross join lateral (select id from "user" where to_tsvector('simple', name) @@ wanted.name::tsquery limit ${MOST_NAMED}) u`.execute(db)
  return terms.map((_, i) => rows.filter(row => row.place === i + 1).map(row => row.id))
}

/** How well a version fits what is looked for: words of its name count most, whole words more than beginnings, middles nothing. In steps, so that among equals rank decides. */
function relevance(terms: readonly Term[]) {
  const all = (of: (term: Term) => string): string => terms.map(of).join(' & ')
  const fit = (query: string) => sql`ts_rank('{0.05, 0.2, 0.4, 1}', v.words, ${query}::tsquery)`
  return sql<number>`round((coalesce(${fit(all(term => term.begins))} + ${fit(all(term => term.whole))}, 0))::numeric, 1)`
}

/** So many versions published before their words were kept are read at a time. */
const MOST_READ = 200

async function readOlder(db: Db): Promise<void> {
  const older = await db
    .selectFrom('market_version')
    .select(['app_id', 'number', 'name', 'tags', 'summary', 'description'])
    .where('words', 'is', null)
    .limit(MOST_READ)
    .execute()
  for (const { app_id, number, ...said } of older)
    await db.updateTable('market_version').set(foundBy(said)).where('app_id', '=', app_id).where('number', '=', number).execute()
}

/** One publication; with `draft` what is prepared. Null when there is none, or no such version. Whether it may be seen is for the caller. */
export async function appInfo(db: Db, userId: string | null, id: string, draft: boolean, now: number): Promise<AppInfo | null> {
  const row = await cards(db, userId, false)
    .leftJoin('market_follow as w', join => join.onRef('w.author', '=', 'a.author').on('w.follower', '=', userId))
    .select(['a.source_id', 'a.hidden_because', 'w.at as follow_at'])
    .where('a.id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return null
  const versions = await db.selectFrom('market_version').selectAll().where('app_id', '=', id).orderBy('number', 'desc').execute()
  const shown =
    draft || row.current === null ? versions.find(one => one.published_at === null) : versions.find(one => one.number === row.current)
  if (shown === undefined) return null
  const files = await db
    .selectFrom('market_file')
    .select(['id', 'parent_id as parent', 'kind', 'name'])
    .where('app_id', '=', id)
    .where('number', '=', shown.number)
    .orderBy('place')
    .execute()
  const copies =
    userId === null
      ? []
      : await db
          .selectFrom('market_copy as c')
          .innerJoin('file as f', 'f.id', 'c.file_id')
          .innerJoin('workspace as w', 'w.id', 'f.workspace_id')
          .leftJoin('market_copy as above', 'above.file_id', 'f.parent_id')
          .select(['f.id', 'f.name', 'f.kind', 'f.workspace_id as team', 'c.number as version', 'c.at'])
          .where('c.app_id', '=', id)
          .where('f.creator_id', '=', userId)
          .where('f.trashed_at', 'is', null)
          // Of a project its folder.
          .where('above.file_id', 'is', null)
          .orderBy('c.at', 'desc')
          .limit(20)
          .execute()
  const at = shown.published_at ?? shown.created_at
  const verified = shown.proof === 'verified'
  const card = cardOf({ ...row, ...shown, id, created_at: row.created_at, draft: versions.some(one => one.published_at === null) })
  return {
    ...card,
    version: shown.number,
    description: shown.description,
    notes: shown.notes,
    pages: shown.pages,
    incentive: shown.incentive,
    proof: { state: shown.proof, at: shown.proof_at?.toISOString() ?? null, run: shown.run },
    hiddenBecause: row.hidden_because,
    files,
    versions: versions.flatMap(({ number, published_at, notes }) =>
      published_at === null ? [] : [{ number, at: published_at.toISOString(), notes }],
    ),
    rank: { ...rankParts({ ...card.counts, verified, at: at.getTime() }, now), days: Math.max(0, (now - at.getTime()) / 86_400_000) },
    copies: copies.map(copy => ({ ...copy, at: copy.at.toISOString() })),
    following: row.follow_at !== null,
    own: userId !== null && row.author === userId,
    source: row.author === userId ? row.source_id : null,
  }
}

/** The tags that most publications have. */
export async function commonTags(db: Db): Promise<{ tag: string; n: number }[]> {
  const { rows } = await sql<{ tag: string; n: number }>`select tag, count(*)::int as n from market_app a
    join market_version v on v.app_id = a.id and v.number = a.current, unnest(v.tags) tag
    where a.state = 'published' and a.hidden_at is null group by tag order by n desc, tag limit 40`.execute(db)
  return rows
}

type AuthorInfo = Author & {
  bio: string
  since: string
  followers: number
  follows: number
  apps: number
  likes: number
  downloads: number
  verified: number
  following: boolean
  self: boolean
}

/** An author's page; null when there is no account with this id. */
export async function authorInfo(db: Db, userId: string | null, id: string): Promise<AuthorInfo | null> {
  const { rows } = await sql<Omit<AuthorInfo, 'since' | 'self'> & { since: Date }>`select u.id, u.name, u.image as avatar,
      coalesce(p.bio, '') as bio, u."createdAt" as since,
      (select count(*) from market_follow where author = u.id)::int as followers,
      (select count(*) from market_follow where follower = u.id)::int as follows,
      count(a.id)::int as apps, coalesce(sum(a.likes), 0)::int as likes, coalesce(sum(a.downloads), 0)::int as downloads,
      count(a.id) filter (where v.proof = 'verified')::int as verified,
      exists (select 1 from market_follow where author = u.id and follower = ${userId}) as following
    from "user" u left join market_author p on p.user_id = u.id
    left join market_app a on a.author = u.id and a.state = 'published' and a.hidden_at is null
    left join market_version v on v.app_id = a.id and v.number = a.current
    where u.id = ${id} and u."emailVerified" group by u.id, p.bio`.execute(db)
  const row = rows[0]
  return row === undefined ? null : { ...row, since: row.since.toISOString(), self: userId === id }
}

/** `prepared`: of those never published, what is prepared. */
function cards(db: Db, userId: string | null, prepared: boolean) {
  return db
    .selectFrom('market_app as a')
    .leftJoin('market_version as v', join =>
      join
        .onRef('v.app_id', '=', 'a.id')
        .on(on => (prepared ? on('v.number', '=', on.fn.coalesce('a.current', sql<number>`1`)) : on('v.number', '=', on.ref('a.current')))),
    )
    .leftJoin('user as u', 'u.id', 'a.author')
    .leftJoin('market_like as l', join => join.onRef('l.app_id', '=', 'a.id').on('l.user_id', '=', userId))
    .leftJoin('market_favourite as f', join => join.onRef('f.app_id', '=', 'a.id').on('f.user_id', '=', userId))
    .select(['a.id', 'a.kind', 'a.state', 'a.current', 'a.author', 'a.created_at', 'a.hidden_at'])
    .select(['a.views', 'a.likes', 'a.favourites', 'a.downloads', 'a.comments'])
    .select(['v.name', 'v.summary', 'v.topic', 'v.tags', 'v.licence', 'v.cover', 'v.published_at', 'v.proof'])
    .select(['u.name as author_name', 'u.image as author_image', 'l.at as liked_at', 'f.at as favourite_at'])
    .select(sql<boolean>`exists (select 1 from market_version d where d.app_id = a.id and d.published_at is null)`.as('draft'))
}

type CardRow = {
  id: string
  kind: AppKind
  state: AppState
  current: number | null
  author: string | null
  author_name: string | null
  author_image: string | null
  created_at: Date
  published_at: Date | null
  hidden_at: Date | null
  name: string | null
  summary: string | null
  topic: string | null
  tags: string[] | null
  licence: string | null
  cover: string | null
  proof: Proof | null
  views: number
  likes: number
  favourites: number
  downloads: number
  comments: number
  liked_at: Date | null
  favourite_at: Date | null
  draft: boolean
}

function cardOf(row: CardRow): AppCard {
  const { views, likes, favourites, downloads, comments } = row
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    version: row.current ?? 1,
    name: row.name ?? '',
    summary: row.summary ?? '',
    topic: row.topic ?? 'other',
    tags: row.tags ?? [],
    licence: row.licence ?? '',
    cover: row.cover,
    author: row.author === null ? null : { id: row.author, name: row.author_name ?? '', avatar: row.author_image },
    at: (row.published_at ?? row.created_at).toISOString(),
    verified: row.proof === 'verified',
    hidden: row.hidden_at !== null,
    draft: row.draft,
    counts: { views, likes, favourites, downloads, comments },
    mine: { liked: row.liked_at !== null, favourite: row.favourite_at !== null },
  }
}
