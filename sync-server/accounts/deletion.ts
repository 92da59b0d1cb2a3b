// The end of an account: it takes its password, and that no other people are in the workspaces it owns.
import type { Db } from '../db/database.ts'
import { Refusal } from '../http.ts'
import { dropUses, workspacesOf } from '../workspaces/workspaces.ts'
import type { Auth } from './auth.ts'
import { forgetPerson } from './belongings.ts'

/** Throws `account-or-password`. */
export async function refuseWrongPassword({ db, auth }: { db: Db; auth: Auth }, userId: string, given: string): Promise<void> {
  const account = await db
    .selectFrom('account')
    .select('password')
    .where('userId', '=', userId)
    .where('providerId', '=', 'credential')
    .executeTakeFirst()
  const { password } = await auth.$context
  const hash = account?.password ?? null
  if (hash === null || !(await password.verify({ hash, password: given }))) throw new Refusal('account-or-password')
}

/** Deletes an account with its workspaces. Answers the ids of its sessions and files. Throws `owns-workspaces`. */
export async function deleteAccount(db: Db, user: { id: string; email: string }): Promise<{ sessions: string[]; files: string[] }> {
  const owned = (await workspacesOf(db, user.id)).filter(workspace => workspace.role === 'owner')
  const others = owned.filter(workspace => workspace.members > 1)
  if (others.length > 0)
    throw new Refusal('owns-workspaces', 'workspaces with other members', {
      issues: others.map(({ name }) => ({ path: name, message: 'has other members' })),
    })
  const teams = owned.map(workspace => workspace.id)
  return db.transaction().execute(async tx => {
    const sessions = await tx.selectFrom('session').select('id').where('userId', '=', user.id).execute()
    const files = teams.length === 0 ? [] : await tx.selectFrom('file').select('id').where('workspace_id', 'in', teams).execute()
    await dropUses(tx, teams)
    await forgetPerson(tx, user)
    await tx.deleteFrom('user').where('id', '=', user.id).execute()
    return { sessions: sessions.map(({ id }) => id), files: files.map(({ id }) => id) }
  })
}
