// The store over HTTP: what is on the shelf for everybody, publications for their authors, talk, forum and moderation.
import { Hono } from 'hono'
import type { Env } from '../http.ts'
import type { MarketParts } from './access.ts'
import { copyRoutes } from './copy-routes.ts'
import { moderationRoutes } from './moderation-routes.ts'
import { publishingRoutes } from './publishing-routes.ts'
import { readerRoutes } from './reader-routes.ts'
import { shelfRoutes } from './shelf-routes.ts'
import { talkRoutes, talkWritingRoutes } from './talk-routes.ts'

export function marketRoutes(parts: MarketParts) {
  // What is open to everybody comes first: those who must sign in are asked from there on.
  return new Hono<Env>()
    .route('/', shelfRoutes(parts))
    .route('/', talkRoutes(parts))
    .route('/', readerRoutes(parts))
    .route('/', copyRoutes(parts))
    .route('/', publishingRoutes(parts))
    .route('/', talkWritingRoutes(parts))
    .route('/', moderationRoutes(parts))
}
