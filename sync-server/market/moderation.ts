// Keeping the store decent: people report, operators hide or keep, authors appeal, operators decide again. Nothing is hidden by reports
// alone, however many: numbers of reports are cheap to make.
import { sql } from 'kysely'
import { nanoid } from 'nanoid'
import type { ReportReason } from '../../model-schema/business/market.ts'
import { inTransaction } from '../db/database.ts'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'
import { heldBy } from './publications.ts'
import { counted } from './talk.ts'

/** `draft`: what is prepared of a publication and waits, because it is like another. */
type Target = { about: 'app' | 'comment' | 'thread' | 'draft'; target: string }

type CaseInfo = Target & {
  id: string
  sort: 'report' | 'appeal'
  by: { id: string; name: string } | null
  reason: string
  words: string
  at: string
  outcome: 'hidden' | 'shown' | null
  decidedAt: string | null
  decidedBy: string | null
  /** How often the same was reported and is undecided. */
  times: number
  hidden: boolean
  /** Its name or first words, who wrote it, and where it is shown. */
  title: string
  author: { id: string; name: string } | null
  app: string | null
  thread: string | null
  /** Of a draft: what it is like, and which share of it (0 to 1). */
  like: { id: string; name: string; author: string | null; share: number } | null
}

type Found = { author: string | null; hidden: boolean; title: string; app: string | null; thread: string | null }

/** What is reported, whatever its state. Throws `not-found`. */
async function targetOf(db: Db, { about, target }: Target): Promise<Found> {
  if (about === 'draft') {
    const row = await db
      .selectFrom('market_app as a')
      .innerJoin('market_version as v', 'v.app_id', 'a.id')
      .select(['a.author', 'v.name'])
      .where('a.id', '=', target)
      .where('v.published_at', 'is', null)
      .executeTakeFirst()
    if (row !== undefined) return { ...row, hidden: (await heldBy(db, target)) !== null, title: row.name, app: target, thread: null }
  } else if (about === 'app') {
    const row = await db
      .selectFrom('market_app as a')
      .leftJoin('market_version as v', join => join.onRef('v.app_id', '=', 'a.id').onRef('v.number', '=', 'a.current'))
      .select(['a.author', 'a.hidden_at', 'v.name'])
      .where('a.id', '=', target)
      .where('a.current', 'is not', null)
      .executeTakeFirst()
    if (row !== undefined) return { author: row.author, hidden: row.hidden_at !== null, title: row.name ?? '', app: target, thread: null }
  } else if (about === 'thread') {
    const row = await db.selectFrom('forum_thread').select(['author', 'hidden_at', 'title']).where('id', '=', target).executeTakeFirst()
    if (row !== undefined) return { author: row.author, hidden: row.hidden_at !== null, title: row.title, app: null, thread: target }
  } else {
    const row = await db
      .selectFrom('market_comment')
      .select(['author', 'hidden_at', 'body', 'app_id', 'thread_id'])
      .where('id', '=', target)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (row !== undefined)
      return { author: row.author, hidden: row.hidden_at !== null, title: plain(row.body), app: row.app_id, thread: row.thread_id }
  }
  throw new Refusal('not-found', 'nothing to report')
}

/** Reports something, once a person until it is decided; false when they had. */
export async function report(db: Db, target: Target, by: string, reason: ReportReason, words: string): Promise<boolean> {
  const { author } = await targetOf(db, target)
  if (author === by) throw new Refusal('market-own', 'what one wrote oneself can be deleted')
  return openCase(db, 'report', target, by, reason, words)
}

/** An author asks to look again at what was hidden, or to look at what waits. Throws `market-state` when it is not, `no-permission` for others. */
export async function appeal(db: Db, target: Target, by: string, words: string): Promise<boolean> {
  const { author, hidden } = await targetOf(db, target)
  if (author !== by) throw new Refusal('no-permission', 'authors appeal')
  if (!hidden) throw new Refusal('market-state', 'it is not hidden')
  return openCase(db, 'appeal', target, by, 'other', words)
}

async function openCase(db: Db, sort: 'report' | 'appeal', { about, target }: Target, by: string, reason: string, words: string) {
  const made = await db
    .insertInto('market_case')
    .values({ id: nanoid(), sort, about, target, by_user: by, reason, words, decided_at: null, decided_by: null, outcome: null })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  return made.numInsertedOrUpdatedRows === 1n
}

/** Hides something or shows it again, and decides all that is open about it. Answers who wrote it and who had reported it. */
export async function decide(
  db: Db,
  { about, target }: Target,
  operator: string,
  outcome: 'hidden' | 'shown',
  because: string,
): Promise<Found & { changed: boolean; reporters: string[] }> {
  return inTransaction(db, async tx => {
    const found = await targetOf(tx, { about, target })
    const table = about === 'app' ? 'market_app' : about === 'thread' ? 'forum_thread' : 'market_comment'
    const changed = found.hidden !== (outcome === 'hidden')
    if (about === 'draft') await letPass(tx, target, outcome === 'shown')
    else if (changed || outcome === 'hidden')
      await tx
        .updateTable(table)
        .set(outcome === 'hidden' ? { hidden_at: new Date(), hidden_because: because } : { hidden_at: null, hidden_because: '' })
        .where('id', '=', target)
        .execute()
    if (about === 'comment' && (found.app ?? found.thread) !== null)
      await counted(tx, found.app === null ? { sort: 'thread', id: found.thread ?? '' } : { sort: 'app', id: found.app }, false)
    const closed = await tx
      .updateTable('market_case')
      .set({ decided_at: new Date(), decided_by: operator, outcome })
      .where('about', '=', about)
      .where('target', '=', target)
      .where('decided_at', 'is', null)
      .returning('by_user')
      .execute()
    return { ...found, changed, reporters: [...new Set(closed.flatMap(({ by_user }) => by_user ?? []))] }
  })
}

/** What is prepared may be published although it is like another publication; of that one it is not asked again. */
async function letPass(tx: Db, app: string, on: boolean): Promise<void> {
  const held = on ? await heldBy(tx, app) : null
  if (held !== null)
    await tx
      .updateTable('market_app')
      .set({ cleared: sql<string[]>`array_append(cleared, ${held.id})` })
      .where('id', '=', app)
      .execute()
}

/** Whether a decision about it is waited for. */
export async function isAsked(db: Db, { about, target }: Target): Promise<boolean> {
  const row = await db
    .selectFrom('market_case')
    .select('id')
    .where('about', '=', about)
    .where('target', '=', target)
    .where('decided_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Cases for operators: what is open, the oldest first, or what was decided, the newest first. */
export async function cases(db: Db, open: boolean): Promise<CaseInfo[]> {
  const rows = await db
    .selectFrom('market_case as c')
    .leftJoin('user as u', 'u.id', 'c.by_user')
    .leftJoin('user as d', 'd.id', 'c.decided_by')
    .selectAll('c')
    .select(['u.name', 'd.name as decider'])
    .where('c.decided_at', open ? 'is' : 'is not', null)
    .orderBy(open ? 'c.at' : 'c.decided_at', open ? 'asc' : 'desc')
    .limit(200)
    .execute()
  const result: CaseInfo[] = []
  for (const row of rows) {
    const target = { about: row.about, target: row.target }
    const found = await targetOf(db, target).catch(() => null)
    if (found === null) continue
    const author =
      found.author === null
        ? undefined
        : await db.selectFrom('user').select(['id', 'name']).where('id', '=', found.author).executeTakeFirst()
    const same = rows.filter(one => one.sort === row.sort && one.about === row.about && one.target === row.target)
    // Many reports of one thing are one line.
    if (open && same[0] !== row) continue
    result.push({
      ...target,
      id: row.id,
      sort: row.sort,
      by: row.by_user === null ? null : { id: row.by_user, name: row.name ?? '' },
      reason: row.reason,
      words: row.words,
      at: row.at.toISOString(),
      outcome: row.outcome,
      decidedAt: row.decided_at?.toISOString() ?? null,
      decidedBy: row.decider,
      times: same.length,
      hidden: found.hidden,
      title: found.title,
      author: author ?? null,
      app: found.app,
      thread: found.thread,
      like: row.about === 'draft' ? await heldBy(db, row.target) : null,
    })
  }
  return result
}

/** The words of a body kept as rich text in JSON. */
function plain(body: string): string {
  const words = [...body.matchAll(/"text":"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text ?? '')
  return words.join(' ').slice(0, 140)
}
