// Workspaces over HTTP: the spaces themselves, who is in them, who may come in. Every rule about who may is `permit`.
import type { Parts } from '../parts.ts'
import { joiningRoutes } from './joining-routes.ts'
import { lifecycleRoutes } from './lifecycle-routes.ts'
import { memberRoutes } from './member-routes.ts'
import { settingsRoutes } from './settings-routes.ts'

export function workspaceRoutes(parts: Parts) {
  return settingsRoutes(parts).route('/', lifecycleRoutes(parts)).route('/', memberRoutes(parts)).route('/', joiningRoutes(parts))
}
