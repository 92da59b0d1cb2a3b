// The permission table against the running server: for every standing, state and set of switches, each action is asked for over
// HTTP, and the answer has to be what `can` says: 404 for what one may not see, 403 for what one may not do, done otherwise.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { can, openSwitches, roles } from '../../model-schema/roles.ts'
import type { Action, Actor, Role, Subject, Switches } from '../../model-schema/roles.ts'
import { newId } from '../help/network/company.ts'
import { chance } from '../help/random.ts'
import type { Chance } from '../help/random.ts'
import { aboutOf } from '../help/network/market.ts'
import { startServer, useDatabase } from '../help/server.ts'
import type { Person, TestServer } from '../help/server.ts'

const suite = useDatabase()
let server: TestServer
let owner: Person
let actor: Person
let third: Person
let space = ''
let elsewhere = ''

beforeAll(async () => {
  server = await startServer(suite.connection)
  owner = await server.person('Owner')
  actor = await server.person('Actor')
  third = await server.person('Third')
  space = (await owner.must('POST', '/api/workspaces', { id: newId(), type: 'team', name: 'Matrix' })).id
  elsewhere = (await actor.must('POST', '/api/workspaces', { id: newId(), type: 'team', name: 'Elsewhere' })).id
})
afterAll(() => server?.stop())

/** A standing: member or collaborator of a role, or neither. */
type Standing = { member: Role | null; collaborator: Role | null }
type MemberRole = 'owner' | 'manager' | 'editor' | 'viewer'
const members: readonly (MemberRole | null)[] = ['owner', 'manager', 'editor', 'viewer', null]
const collaborators: readonly (Exclude<Role, 'owner'> | null)[] = ['manager', 'editor', 'commenter', 'viewer', null]

function roleOf({ member, collaborator }: Standing): Actor {
  const role = [member, collaborator].filter(one => one !== null).sort((a, b) => roles.indexOf(a) - roles.indexOf(b))[0] ?? null
  return { role, external: member === null }
}

/** The acting user is the owner themselves when that is the standing; otherwise `actor`, put into the tables as such. */
async function place(member: MemberRole | null): Promise<Person> {
  const { db } = server.database
  await db.deleteFrom('workspace_member').where('workspace_id', '=', space).where('user_id', 'in', [actor.id, third.id]).execute()
  await db.insertInto('workspace_member').values({ workspace_id: space, user_id: third.id, role: 'viewer' }).execute()
  if (member === 'owner') return owner
  if (member !== null) await db.insertInto('workspace_member').values({ workspace_id: space, user_id: actor.id, role: member }).execute()
  return actor
}

async function setSwitches(random: Chance): Promise<Switches> {
  const switches = Object.fromEntries(Object.keys(openSwitches).map(key => [key, random.chance(0.5)])) as Switches
  await server.database.db
    .updateTable('workspace')
    .set({ switches: JSON.stringify(switches), type: 'team' })
    .where('id', '=', space)
    .execute()
  return switches
}

/** Asks for the action; answers the status. A second permission that the request needs comes along in `also`. */
type Ask = { action: Action; also?: Action; call: (who: Person, file: string) => Promise<{ status: number }> }

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(40)])
const onFile: readonly Ask[] = [
  { action: 'view', call: (who, file) => who.call('GET', `/api/files/${file}`) },
  { action: 'view', call: (who, file) => who.call('GET', `/api/files/${file}/permissions`) },
  { action: 'rename', call: (who, file) => who.call('PATCH', `/api/files/${file}`, { name: newId() }) },
  { action: 'tag', call: (who, file) => who.call('PUT', `/api/files/${file}/tags`, { tags: [] }) },
  { action: 'edit', call: (who, file) => who.call('PUT', `/api/files/${file}/cover`, png, { 'content-type': 'image/png' }) },
  { action: 'edit', call: (who, file) => who.call('PUT', `/api/files/${file}/drawn/cover`, png, { 'content-type': 'image/png' }) },
  { action: 'move', also: 'rename', call: (who, file) => who.call('PATCH', `/api/files/${file}`, { parent: null }) },
  {
    action: 'copy',
    also: 'createFile',
    call: (who, file) => who.call('POST', `/api/files/${file}/duplicate`, { id: newId(), team: space }),
  },
  {
    action: 'copyToPersonal',
    call: (who, file) => who.call('POST', `/api/files/${file}/duplicate`, { id: newId(), team: who.team }),
  },
  { action: 'share', call: (who, file) => who.call('POST', `/api/files/${file}/links`, { role: 'viewer' }) },
  { action: 'share', call: (who, file) => who.call('POST', `/api/files/${file}/links/none/reopen`) },
  { action: 'embed', call: (who, file) => who.call('POST', `/api/files/${file}/embeds`, {}) },
  {
    action: 'publish',
    call: (who, file) => who.call('POST', '/api/market/apps', { id: newId(), source: file, kind: 'model', about: aboutOf('x') }),
  },
  { action: 'restore', call: (who, file) => who.call('POST', `/api/files/${file}/restore`) },
  { action: 'deleteForever', call: (who, file) => who.call('DELETE', `/api/files/${file}`) },
]

const onSpace: readonly Ask[] = [
  { action: 'view', call: who => who.call('GET', `/api/workspaces/${space}`) },
  { action: 'viewMembers', call: who => who.call('GET', `/api/workspaces/${space}/members`) },
  { action: 'auditLog', call: who => who.call('GET', `/api/workspaces/${space}/audit`) },
  { action: 'settings', call: who => who.call('PATCH', `/api/workspaces/${space}`, { profile: 'x' }) },
  { action: 'invite', call: who => who.call('PUT', `/api/workspaces/${space}/join-link`, { open: true }) },
  { action: 'invite', call: who => who.call('POST', `/api/workspaces/${space}/invitations`, { emails: 'a@example.org', role: 'viewer' }) },
  { action: 'answerJoinRequest', call: who => who.call('POST', `/api/workspaces/${space}/requests/none`, { accept: true }) },
  { action: 'emptyTrash', call: who => who.call('POST', `/api/workspaces/${space}/empty-trash`) },
  { action: 'changeType', call: who => who.call('POST', `/api/workspaces/${space}/type`, { type: 'team' }) },
  { action: 'createFile', call: who => who.call('POST', '/api/files', { id: newId(), kind: 'model', name: newId(), team: space }) },
  {
    action: 'transfer',
    call: who => who.call('POST', `/api/workspaces/${space}/transfer`, { userId: '00000000-0000-4000-8000-000000000000' }),
  },
  { action: 'deleteSpace', call: who => who.call('POST', `/api/workspaces/${space}/delete`, { name: 'not its name' }) },
]

/** What the status means, whatever else was wrong with the request (a wrong name, an unknown person) once it was permitted. */
function outcome(status: number, isThere: boolean): string {
  if (status === 403) return 'forbidden'
  if (status === 404 && !isThere) return 'unseen'
  return status < 500 ? 'permitted' : `failed with ${status}`
}

/** `inSpace` is the role as a member, which counts for creating there. */
function expected(who: Actor, { action, also }: Ask, subject: Subject, inSpace: Role | null = who.role): string {
  if (also === 'createFile' && inSpace === null) return 'unseen'
  if (also === 'createFile' && !can({ role: inSpace }, 'createFile', { space: 'team' })) return 'forbidden'
  if (!can(who, 'view', subject)) return 'unseen'
  return can(who, action, subject) && (also !== 'rename' || can(who, also, subject)) ? 'permitted' : 'forbidden'
}

describe('the table and the server agree', () => {
  /** Two folders, one in the other; what is granted on the outer one is granted on the contents of the inner one. */
  async function folders(): Promise<{ outer: string; inner: string }> {
    const [outer, inner] = [newId(), newId()]
    const row = { workspace_id: space, kind: 'folder', creator_id: owner.id }
    const { db } = server.database
    await db
      .insertInto('file')
      .values({ ...row, id: outer, name: outer, parent_id: null })
      .execute()
    await db
      .insertInto('file')
      .values({ ...row, id: inner, name: inner, parent_id: outer })
      .execute()
    return { outer, inner }
  }

  it('on files: every member and collaborator role, on the file or a folder around it, in and out of the trash, whatever is switched on', async () => {
    const { db } = server.database
    for (let seed = 1; seed <= Number(process.env['COUNT'] ?? 1); seed++) {
      const random = chance(seed)
      for (const member of members) {
        const who = await place(member)
        for (const collaborator of member === 'owner' ? [null] : collaborators) {
          const standing = roleOf({ member, collaborator })
          const switches = await setSwitches(random)
          for (const inTrash of [false, true]) {
            for (const ask of onFile) {
              const file = newId()
              const { outer, inner } = await folders()
              const row = { id: file, workspace_id: space, parent_id: inner, kind: 'model', name: file, creator_id: owner.id }
              await db
                .insertInto('file')
                .values({ ...row, trashed_at: inTrash ? new Date() : null })
                .execute()
              await db.insertInto('doc').values({ id: file, epoch: newId() }).execute()
              if (collaborator !== null) {
                // The greatest of several grants counts, and none that was taken back.
                const [granted, other] = random.chance(0.5) ? [file, outer] : [outer, file]
                await db.insertInto('collaborator').values({ file_id: granted, user_id: who.id, role: collaborator }).execute()
                const revoked_at = random.chance(0.5) ? new Date() : null
                const role = revoked_at === null ? 'viewer' : 'manager'
                await db.insertInto('collaborator').values({ file_id: other, user_id: who.id, role, revoked_at }).execute()
              }
              const subject: Subject = { space: 'team', switches, inTrash, file: 'other' }
              const { status } = await ask.call(who, file)
              const wanted = expected(standing, ask, subject, member)
              const label = JSON.stringify({ seed, member, collaborator, inTrash, switches, status })
              // What is listed is what is seen.
              if (ask === onFile[0]) {
                const listed = (await who.must('GET', '/api/files?of=all')).files.find(({ id }: { id: string }) => id === file)
                expect(listed?.role ?? null, label).toBe(wanted === 'unseen' ? null : standing.role)
              }
              expect(`${ask.action} ${outcome(status, wanted !== 'unseen')}`, label).toBe(`${ask.action} ${wanted}`)
            }
          }
        }
      }
    }
  })

  it('on workspaces: every role, and strangers', async () => {
    const random = chance(7)
    for (const member of members) {
      const who = await place(member)
      const switches = await setSwitches(random)
      for (const ask of onSpace) {
        const wanted = expected({ role: member }, ask, { space: 'team', switches })
        const { status } = await ask.call(who, '')
        expect(`${ask.action} ${outcome(status, wanted !== 'unseen')}`, JSON.stringify({ member, status })).toBe(`${ask.action} ${wanted}`)
      }
    }
  })

  it('on members: who may change and remove whom', async () => {
    const { db } = server.database
    const targets: readonly MemberRole[] = ['owner', 'manager', 'editor', 'viewer']
    for (const member of members) {
      for (const target of targets) {
        for (const to of ['manager', 'editor', 'viewer'] as const) {
          const who = await place(member)
          const whom = target === 'owner' ? owner : third
          if (target !== 'owner')
            await db
              .updateTable('workspace_member')
              .set({ role: target })
              .where('workspace_id', '=', space)
              .where('user_id', '=', third.id)
              .execute()
          const subject: Subject = { space: 'team', member: target, to, isSelf: who.id === whom.id }
          const path = `/api/workspaces/${space}/members/${whom.id}`
          const label = JSON.stringify({ member, target, to })
          const change = await who.call('PATCH', path, { role: to })
          expect(outcome(change.status, member !== null), `change ${label}`).toBe(
            expected({ role: member }, { action: 'changeRole', call: () => Promise.reject() }, subject),
          )
          const removal = await who.call('DELETE', path)
          const { to: _, ...removed } = { ...subject, member: change.status < 300 ? to : target }
          expect(outcome(removal.status, member !== null), `remove ${label}`).toBe(
            expected({ role: member }, { action: 'removeMember', call: () => Promise.reject() }, removed),
          )
        }
      }
    }
  })

  it('leaving: everybody but the owner', async () => {
    for (const member of members) {
      const who = await place(member)
      const { status } = await who.call('POST', `/api/workspaces/${space}/leave`)
      expect(outcome(status, member !== null), String(member)).toBe(
        expected({ role: member }, { action: 'leave', call: () => Promise.reject() }, { space: 'team' }),
      )
    }
  })

  it('publishing dashboards, and taking publications off: every member and collaborator role', async () => {
    const { db } = server.database
    const random = chance(11)
    for (const member of members) {
      const who = await place(member)
      for (const collaborator of member === 'owner' ? [null] : collaborators) {
        const standing = roleOf({ member, collaborator })
        const switches = await setSwitches(random)
        for (const action of ['publishDashboard', 'unpublish'] as const) {
          const file = newId()
          const row = { workspace_id: space, parent_id: null, kind: 'dashboard', name: file, creator_id: owner.id }
          await db
            .insertInto('file')
            .values({ ...row, id: file })
            .execute()
          await db.insertInto('doc').values({ id: file, epoch: newId() }).execute()
          if (collaborator !== null)
            await db.insertInto('collaborator').values({ file_id: file, user_id: who.id, role: collaborator }).execute()
          const app = newId()
          // In preparation: to be discarded by those who may.
          if (action === 'unpublish')
            await db
              .insertInto('market_app')
              .values({ id: app, kind: 'dashboard', source_id: file, workspace_id: space, author: null, current: null, hidden_at: null })
              .execute()
          const { status } =
            action === 'unpublish'
              ? await who.call('DELETE', `/api/market/apps/${app}/draft`)
              : await who.call('POST', '/api/market/apps', { id: app, source: file, kind: 'dashboard', about: aboutOf('x') })
          const wanted = expected(standing, { action, call: () => Promise.reject() }, { space: 'team', switches })
          const label = JSON.stringify({ member, collaborator, switches, status })
          expect(`${action} ${outcome(status, wanted !== 'unseen')}`, label).toBe(`${action} ${wanted}`)
        }
      }
    }
  })

  it('copying out of the space follows its switch and the kind of file', async () => {
    const { db } = server.database
    for (const kind of ['model', 'block', 'library'] as const) {
      for (const on of [true, false]) {
        await place('viewer')
        const file = newId()
        await db
          .insertInto('file')
          .values({ id: file, workspace_id: space, parent_id: null, kind, name: file, creator_id: owner.id })
          .execute()
        await db.insertInto('doc').values({ id: file, epoch: newId() }).execute()
        const name = kind === 'model' ? 'copyFiles' : kind === 'block' ? 'copyBlocks' : 'copyLibraries'
        await db
          .updateTable('workspace')
          .set({ switches: JSON.stringify({ [name]: on }) })
          .where('id', '=', space)
          .execute()
        const { status } = await actor.call('POST', `/api/files/${file}/duplicate`, { id: newId(), team: elsewhere })
        // A library is copied block by block: permitted, and refused for what it is.
        expect([kind, on, status]).toEqual([kind, on, !on ? 403 : kind === 'library' ? 400 : 201])
      }
    }
  })
})
