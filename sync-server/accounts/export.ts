// All data of one account as JSON: what is known of the person, and their files with the contents of the documents.
import { auditLines } from '../audit.ts'
import type { Db } from '../db/database.ts'
import { listFiles } from '../files/listing.ts'
import type { FileInfo } from '../files/listing.ts'
import type { Actor } from '../http.ts'
import { holoOf, stateOf } from '../relay/content.ts'
import type { Rooms } from '../relay/rooms.ts'
import { workspacesOf } from '../workspaces/workspaces.ts'
import { belongingsOf } from './belongings.ts'
import { sessionsOf } from './sessions.ts'

/** What is exported of a person: everything but documents in `account`, and the files that they own or made. */
export async function exportOf(db: Db, actor: Actor) {
  const files = (await listFiles(db, actor.userId, { of: 'all' })).filter(
    file => file.role === 'owner' || file.creator?.id === actor.userId,
  )
  const account = {
    format: 'holarchy-export',
    version: 1,
    at: new Date().toISOString(),
    account: { id: actor.userId, name: actor.name, email: actor.email },
    workspaces: await workspacesOf(db, actor.userId),
    sessions: await sessionsOf(db, actor.userId, actor.sessionId),
    log: await auditLines(db, { userId: actor.userId }),
    ...(await belongingsOf(db, { id: actor.userId, email: actor.email })),
  }
  return { account, files }
}

/** Writes the export as one JSON object. Holds one document in memory at a time. */
export async function writeExport(
  out: { write: (text: string) => Promise<unknown> },
  rooms: Rooms,
  account: object,
  files: readonly FileInfo[],
): Promise<void> {
  await out.write(`${JSON.stringify(account).slice(0, -1)},"files":[`)
  for (const [i, file] of files.entries()) {
    const state = await stateOf(rooms, file.id)
    const holo = state === null ? null : holoOf(state.update)
    await out.write(`${i === 0 ? '' : ','}\n${JSON.stringify({ ...file, holo })}`)
  }
  await out.write(']}\n')
}
