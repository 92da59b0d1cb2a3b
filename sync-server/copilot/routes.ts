// The copilot over HTTP: which language models there are, connecting one, one call of one, and talks that are kept. The talk is the page's; the
// server adds the common instructions and the table of tools, keeps the key and the budget, and hands the answer on as it comes. Tools are
// executed in the page.
import { callRoutes } from './call-routes.ts'
import { providerRoutes } from './provider-routes.ts'
import type { CopilotParts } from './rights.ts'
import { talkRoutes } from './talk-routes.ts'
import { tokenRoutes } from './token-routes.ts'

export function copilotRoutes(parts: CopilotParts) {
  return providerRoutes(parts).route('/', tokenRoutes(parts)).route('/', callRoutes(parts)).route('/', talkRoutes(parts))
}
