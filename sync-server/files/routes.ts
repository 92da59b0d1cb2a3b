// Files over HTTP. `permit` checks permissions; changes of a user's access reach open sockets at once.
import type { Parts } from '../parts.ts'
import { catalogueRoutes } from './catalogue-routes.ts'
import { coverRoutes } from './cover-routes.ts'
import { detailRoutes } from './detail-routes.ts'
import { moveRoutes } from './move-routes.ts'

export function fileRoutes(parts: Parts) {
  return catalogueRoutes(parts).route('/', moveRoutes(parts)).route('/', coverRoutes(parts)).route('/', detailRoutes(parts))
}
