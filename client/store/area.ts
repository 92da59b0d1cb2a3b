// The two faces of the store: all of it at /store, dashboards alone at /dashboard. The screens are the same.
import { useLocation } from '@tanstack/react-router'
import { appKinds, appLicences, appOrders, appTopics, appTopicLabels } from '../../model-schema/business/market.ts'
import type { AppKind, AppLicence, AppOrder, AppTopic } from '../../model-schema/business/market.ts'
import type { Sample } from '../../model-schema/samples.ts'
import { verbatim, type Words } from '../../model-schema/words.ts'
import { readValue } from '../validate.ts'
import * as z from '../zod.ts'

export type Area = 'store' | 'dashboard'

export const useArea = (): Area => useLocation({ select: ({ pathname }) => (/^\/dashboard(\/|$)/.test(pathname) ? 'dashboard' : 'store') })

export const shelfOf = (area: Area) => (area === 'store' ? '/store/recommend/app' : '/dashboard/recommend/app')
export const appOf = (area: Area) => (area === 'store' ? '/store/recommend/app/$appId' : '/dashboard/recommend/app/$appId')
export const authorOf = (area: Area) => (area === 'store' ? '/store/author/$profileId' : '/dashboard/author/$profileId')

/** The search, as in the address. */
export type Search = {
  of?: 'following' | 'favourites'
  q?: string
  kind?: AppKind
  topic?: AppTopic
  tag?: string
  licence?: AppLicence
  sort?: AppOrder
  verified?: true
}

/** Addresses write a text of digits as a number. Text beyond `most` characters is cut off. */
const text = (most: number) =>
  z.pipe(
    z.union([z.string(), z.number()]),
    z.transform(value => `${value}`.slice(0, most) || undefined),
  )
/** What makes no sense is left out. */
const sensible = <T>(schema: z.ZodMiniType<T>) => z.optional(z.catch(z.optional(schema), undefined))

const searchSchema = z.object({
  of: sensible(z.enum(['following', 'favourites'])),
  q: sensible(text(200)),
  kind: sensible(z.enum(appKinds)),
  topic: sensible(z.enum(appTopics)),
  tag: sensible(text(30)),
  licence: sensible(z.enum(appLicences)),
  sort: sensible(z.enum(appOrders)),
  verified: sensible(
    z.pipe(
      z.union([z.literal(true), z.literal('true')]),
      z.transform((): true => true),
    ),
  ),
})
const referrerSchema = z.object({ by: z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)) })

/** The referrer of a visit to a publication, as in the address. */
export function readBy(search: Record<string, unknown>): { by?: string } {
  return readValue(referrerSchema, search) ?? {}
}

/** An address by hand shows what of it makes sense. */
export function readSearch(search: Record<string, unknown>): Search {
  const given: Search = {}
  for (const [key, value] of Object.entries(readValue(searchSchema, search) ?? {}))
    if (value !== undefined) Object.assign(given, { [key]: value })
  return given
}

export const isTopic = (text: string): text is AppTopic => appTopics.some(topic => topic === text)

/** The name of a topic; for one of a newer server, its key. */
export const topicWords = (topic: string): Words => (isTopic(topic) ? appTopicLabels[topic] : verbatim(topic))

const motifs: Readonly<Record<AppTopic, readonly Sample['topic'][]>> = {
  economy: ['economy', 'networks'],
  society: ['cells', 'networks'],
  health: ['networks', 'agents'],
  ecology: ['agents', 'cells'],
  operations: ['processes', 'economy'],
  transport: ['agents', 'processes'],
  energy: ['economy', 'processes'],
  technology: ['networks', 'processes'],
  education: ['cells', 'processes'],
  science: ['cells', 'agents'],
  games: ['networks', 'cells'],
  other: ['agents', 'cells', 'economy', 'networks', 'processes'],
}

/** What is drawn for a publication without a cover, always the same: a motif of its topic, and how far its colour is turned. */
export function drawnFor({ id, topic }: { id: string; topic: string }): { motif: Sample['topic']; turn: number } {
  let hash = 7
  for (const letter of id) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0
  // Ids that are alike must not look alike.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  hash = (hash ^ (hash >>> 16)) >>> 0
  const choice = motifs[isTopic(topic) ? topic : 'other']
  return { motif: choice[hash % choice.length] ?? 'agents', turn: (hash >>> 8) % 360 }
}
