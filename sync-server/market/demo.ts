// What the store of a development server starts with: the shipped samples, published by "Holarchy", so that there is something to run.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { parseFile } from '../../model-schema/file.ts'
import type { AppTopic } from '../../model-schema/business/market.ts'
import { samples } from '../../model-schema/samples.ts'
import type { Sample } from '../../model-schema/samples.ts'
import type { Db } from '../db/database.ts'
import { createFile } from '../files/files.ts'
import { keepImage } from '../images/images.ts'
import type { Rooms } from '../relay/rooms.ts'
import { updateOf } from '../relay/content.ts'
import { ensurePersonalWorkspace } from '../workspaces/workspaces.ts'
import { freeze } from './freeze.ts'
import { prepare, publish } from './publications.ts'
import { publicationOf } from './shipped.ts'
import { locales, speakTo } from '../../model-schema/languages/catalogues.ts'
import { english, say } from '../../model-schema/words.ts'

const EMAIL = 'store@holarchy.local'
const NAME = 'Holarchy'
/** The recorded run of each. */
const RUN = { seed: 1, ticks: 200 }

const topics: Readonly<Record<string, AppTopic>> = {
  segregation: 'society',
  'wolf-sheep': 'ecology',
  epidemic: 'health',
  clinic: 'health',
  'emergency-room': 'health',
  'car-wash': 'operations',
  inventory: 'operations',
  newsvendor: 'operations',
  'trunk-lines': 'technology',
  'token-pool': 'technology',
  arbitrage: 'technology',
  vesting: 'technology',
  liquidation: 'technology',
  'block-auction': 'technology',
  'conviction-voting': 'society',
  'bass-diffusion': 'economy',
  'money-exchange': 'economy',
  sugarscape: 'economy',
  'forest-fire': 'ecology',
  flocking: 'ecology',
  life: 'science',
  'langtons-ant': 'science',
  networks: 'technology',
  'prisoners-dilemma': 'games',
  traffic: 'transport',
}

/** Publishes those that are not there yet; publications that were withdrawn stay as they are. */
export async function seedStore(db: Db, rooms: Rooms): Promise<void> {
  const author = await holarchy(db)
  const team = await ensurePersonalWorkspace(db, author, NAME)
  const folder = new URL('../../model-schema/samples/', import.meta.url)
  const there = new Set((await db.selectFrom('market_app').select('id').where('author', '=', author).execute()).map(row => row.id))
  // What is published last comes first among equals: the one a newcomer should meet first.
  for (const sample of samples.toReversed()) {
    const id = publicationOf(sample.id)
    if (there.has(id)) continue
    const read = parseFile(await readFile(new URL(`${sample.id}.holo`, folder), 'utf8'))
    if ('problems' in read) throw new Error(`sample ${sample.id}: ${english(read.problems[0]?.words) ?? 'unreadable'}`)
    const source = `store-${sample.id}`
    await createFile(db, author, { id: source, team, parent: null, kind: 'model', name: english(sample.title), taken: 'number' })
    await db
      .updateTable('doc')
      .set({ snapshot: Buffer.from(updateOf(read.file)) })
      .where('id', '=', source)
      .where('snapshot', 'is', null)
      .execute()
    const files = await freeze({ db, rooms }, author, { id: source, kind: 'model' }, null)
    const about = aboutOf(sample, source)
    // A new sample has no picture until it is made (`tests/journey/covers.ts`).
    const picture = new URL(`covers/${sample.id}-light.jpg`, folder)
    const cover = existsSync(picture) ? await keepImage(db, await readFile(picture)) : null
    await prepare(db, { id, kind: 'model', source, team, author, about, cover, files, like: null })
    await publish(db, id)
  }
}

function aboutOf(sample: Sample, source: string) {
  const { title, note, reference } = sample
  const others = locales.filter(locale => locale.split('-')[0] !== 'en').map(speakTo)
  const paragraphs = [
    english(note),
    english(reference),
    ...others.flatMap(speak => [speak(say('{title}: {text}', { title, text: note })), speak(reference)]),
  ]
  const content = paragraphs.map(text => ({ type: 'paragraph', content: [{ type: 'text', text }] }))
  return {
    name: english(title),
    summary: english(note).slice(0, 200),
    description: JSON.stringify({ type: 'doc', content }),
    notes: '',
    tags: ['sample', sample.topic],
    topic: topics[sample.id] ?? 'other',
    licence: 'CC-BY-4.0',
    pages: { scenarios: null, copies: true },
    incentive: { price: 0, referral: 0 },
    run: { file: source, scenario: null, ...RUN, hash: null },
  }
}

/** The account behind them; it has no way to sign in. */
async function holarchy(db: Db): Promise<string> {
  const found = await db.selectFrom('user').select('id').where('email', '=', EMAIL).executeTakeFirst()
  if (found !== undefined) return found.id
  const { id } = await db
    .insertInto('user')
    .values({ name: NAME, email: EMAIL, emailVerified: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('market_author')
    .values({ user_id: id, bio: 'The models that come with the product, each held against a published result.' })
    .execute()
  return id
}
