// Sharing a file: collaborators (let in at once, or invited and asked), and links. What changes access reaches sockets at once.
import type { Parts } from '../parts.ts'
import { collaboratorRoutes } from './collaborators.ts'
import { fileInvitationRoutes } from './invitations.ts'
import { linkRoutes } from './links.ts'

export function sharingRoutes(parts: Parts) {
  return collaboratorRoutes(parts).route('/', fileInvitationRoutes(parts)).route('/', linkRoutes(parts))
}
