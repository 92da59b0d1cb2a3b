// Which models a person may manage, which plan pays for a call, and the workspace that it belongs to.
import { payerOf } from '../../model-schema/business/plans.ts'
import { can } from '../../model-schema/roles.ts'
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'
import type { Actor } from '../http.ts'
import { operates } from '../operator/operators.ts'
import type { Operators } from '../operator/operators.ts'
import type { Parts } from '../parts.ts'
import { inWorkspace, onFile, permit } from '../permissions.ts'
import type { Place, Quota } from '../plans/quota.ts'
import { ofServer } from './providers.ts'
import type { Manages, Owner } from './providers.ts'
import type { CopilotSettings } from './settings.ts'

/** What the routes of the copilot are built from. */
export type CopilotParts = Parts & { settings: CopilotSettings; operators: Operators; tokenEnded: (token: string) => void }

type RightsParts = { db: Db; operators: Operators }

async function mayManage(db: Db, userId: string, workspaceId: string): Promise<boolean> {
  try {
    permit(await inWorkspace(db, userId, workspaceId), 'settings')
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** The owners with models that a person may manage: themselves, workspaces they may set up, and the server for its operator. */
export const managesAs =
  ({ db, operators }: RightsParts, actor: Actor): Manages =>
  async ({ user_id, workspace_id }) =>
    user_id !== null
      ? user_id === actor.userId
      : workspace_id !== null
        ? mayManage(db, actor.userId, workspace_id)
        : operates(operators, actor)

/** The owner that a request means. Throws when this person may not manage what it has. */
export async function ownerFor(
  { db, operators }: RightsParts,
  actor: Actor,
  { workspace, server }: { workspace?: string | undefined; server?: true | 'true' | undefined },
): Promise<Owner> {
  if (server) {
    if (!operates(operators, actor)) throw new Refusal('not-found', 'no such call')
    return ofServer
  }
  if (workspace === undefined) return { user_id: actor.userId, workspace_id: null }
  permit(await inWorkspace(db, actor.userId, workspace), 'settings')
  return { user_id: null, workspace_id: workspace }
}

/** The workspace of a file that this person may see. `keeps`: its content stays within it, so that no models but its own are asked about the file. */
export async function placeOf(
  db: Db,
  userId: string,
  file: string | undefined,
): Promise<{ workspace: string | null; place: Place; keeps: boolean }> {
  if (file === undefined) return { workspace: null, place: { team: '', space: 'personal', ownerId: userId }, keeps: false }
  const { actor, team, subject, ownerId } = permit(await onFile(db, userId, file), 'view')
  return {
    workspace: actor.external === true ? null : team,
    place: { team, space: subject.space ?? 'personal', ownerId },
    keeps: !can(actor, 'copyOut', subject),
  }
}

/** The account with the plan that pays for a call of the server's models. Throws when the plan does not include the copilot. */
export async function payerFor(quota: Quota, userId: string, place: Place): Promise<{ id: string; monthTokens: number | null }> {
  await quota.feature('copilot', userId, place)
  const id = payerOf(place.space, 'copilotTokensPerMonth') === 'owner' ? place.ownerId : userId
  return { id, monthTokens: (await quota.planOf(id)).copilotTokensPerMonth }
}
