// Teams and organizations over HTTP: making, naming, entering by mail and by link, roles, leaving, deleting; and the notifications.
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { CLOSE, MESSAGE } from '../../../sync-server/protocol.ts'
import { ann, bob, eve, newId, server, startCompany } from '../../help/network/company.ts'
import { refusal } from '../../help/network/refusal.ts'
import { startServer, type Person } from '../../help/server.ts'

const suite = startCompany()

async function team(name: string, type = 'team', owner = ann): Promise<string> {
  return (await owner.must('POST', '/api/workspaces', { id: newId('team'), type, name })).id
}
/** Adds a member by a mailed invitation. */
async function join(id: string, person: Person, role: string): Promise<void> {
  await ann.must('POST', `/api/workspaces/${id}/invitations`, { emails: person.email, role })
  await person.must('POST', `/api/invitations/${await codeFor(person, id)}/answer`, { accept: true })
}
async function codeFor(person: Person, id: string): Promise<string> {
  const { invitations } = await person.must('GET', '/api/invitations')
  return invitations.find((one: { team: string }) => one.team === id).code
}
const told = async (person: Person): Promise<{ kind: string; data: Record<string, string> }[]> =>
  (await person.must('GET', '/api/notifications')).notifications

describe('a workspace', () => {
  it('is made with an id of the client, as often as it asks; its name is unique among one’s own', async () => {
    const id = newId('team')
    const made = await ann.must('POST', '/api/workspaces', { id, type: 'team', name: ' Lab\t' })
    expect(made).toMatchObject({
      id,
      type: 'team',
      name: 'Lab',
      role: 'owner',
      members: 1,
      icon: null,
      switches: {},
      owner: { id: ann.id },
    })
    expect(await ann.must('POST', '/api/workspaces', { id, type: 'team', name: 'Lab' })).toMatchObject({ id })
    expect(await refusal(bob, 'POST', '/api/workspaces', { id, type: 'team', name: 'Mine' })).toBe('id-taken')
    expect(await refusal(ann, 'POST', '/api/workspaces', { id: newId('team'), type: 'organization', name: 'lab' })).toBe('name-taken')
    await bob.must('POST', '/api/workspaces', { id: newId('team'), type: 'team', name: 'Lab' })
    const other = await team('Other lab')
    expect(await refusal(ann, 'PATCH', `/api/workspaces/${other}`, { name: 'LAB' })).toBe('name-taken')
    expect(await refusal(ann, 'PATCH', `/api/workspaces/${other}`, { name: ' ' })).toBe('invalid-params')
    expect(await ann.must('PATCH', `/api/workspaces/${other}`, { name: 'Field station', profile: 'We count birds.' })).toMatchObject({
      name: 'Field station',
      profile: 'We count birds.',
    })
    const { workspaces } = await ann.must('GET', '/api/workspaces')
    expect(workspaces.map((one: { type: string; name: string }) => [one.type, one.name])).toEqual([
      ['personal', 'Ann'],
      ['team', 'Lab'],
      ['team', 'Field station'],
    ])
  })

  it.each([
    ['no type', { id: 'abcdefgh', name: 'x' }],
    ['a second personal one', { id: 'abcdefgh', type: 'personal', name: 'x' }],
    ['a bad id', { id: '../../..', type: 'team', name: 'x' }],
    ['an endless name', { id: 'abcdefgh', type: 'team', name: 'x'.repeat(200) }],
  ])('is refused with %s', async (_, body) => {
    expect(await refusal(ann, 'POST', '/api/workspaces', body)).toBe('invalid-params')
  })

  it('keeps only switches that exist', async () => {
    const id = await team('Switches')
    const path = `/api/workspaces/${id}`
    expect((await ann.must('PATCH', path, { switches: { copyFiles: false } })).switches).toEqual({ copyFiles: false })
    expect((await ann.must('PATCH', path, { switches: { shareFiles: false } })).switches).toEqual({ copyFiles: false, shareFiles: false })
    expect(await refusal(ann, 'PATCH', path, { switches: { everything: true } })).toBe('invalid-params')
    expect(await refusal(ann, 'PATCH', path, { switches: { copyFiles: 'no' } })).toBe('invalid-params')
  })

  it('becomes an organization and a team again; the personal one stays what it is', async () => {
    const id = await team('Growing')
    expect(await ann.must('POST', `/api/workspaces/${id}/type`, { type: 'organization' })).toMatchObject({ type: 'organization' })
    expect(await ann.must('POST', `/api/workspaces/${id}/type`, { type: 'team' })).toMatchObject({ type: 'team' })
    expect(await refusal(ann, 'POST', `/api/workspaces/${ann.team}/type`, { type: 'team' })).toBe('no-permission')
    expect(await refusal(ann, 'POST', `/api/workspaces/${ann.team}/delete`, { name: 'Ann' })).toBe('no-permission')
    expect(await refusal(ann, 'POST', `/api/workspaces/${ann.team}/invitations`, { emails: bob.email, role: 'viewer' })).toBe(
      'no-permission',
    )
  })

  it('is deleted by its exact name only, with everything in it; those inside are told', async () => {
    const id = await team('To go')
    await join(id, bob, 'manager')
    const file = await ann.file('Inside', { team: id })
    const socket = await bob.socket(file)
    await socket.message(MESSAGE.hello)
    expect(await refusal(eve, 'POST', `/api/workspaces/${id}/delete`, { name: 'To go' })).toBe('not-found')
    expect(await refusal(bob, 'POST', `/api/workspaces/${id}/delete`, { name: 'To go' })).toBe('no-permission')
    for (const name of ['to go', 'To go ', '', 'To'])
      expect(await refusal(ann, 'POST', `/api/workspaces/${id}/delete`, { name })).toBe('name-mismatch')
    await ann.must('POST', `/api/workspaces/${id}/delete`, { name: 'To go' })
    expect(await socket.closed()).toBe(CLOSE.noDocument)
    expect(await refusal(ann, 'GET', `/api/workspaces/${id}`)).toBe('not-found')
    expect(await refusal(ann, 'GET', `/api/files/${file}`)).toBe('not-found')
    expect((await told(bob))[0]).toMatchObject({ kind: 'workspace-deleted', data: { name: 'To go', by: 'Ann' } })
  })

  it('shows an icon to its members, packed by its hash', async () => {
    const id = await team('Icon')
    const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(60)])
    const path = `/api/workspaces/${id}/icon`
    const { icon } = await ann.must('PUT', path, png, { 'content-type': 'image/png' })
    const answer = await ann.call('GET', path)
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('etag')]).toEqual([200, 'image/png', `"${icon}"`])
    expect((await ann.call('GET', path, undefined, { 'if-none-match': `"${icon}"` })).status).toBe(304)
    expect(await refusal(eve, 'GET', path)).toBe('not-found')
    expect((await ann.call('PUT', path, Buffer.from('<svg onload=alert(1)>'), { 'content-type': 'image/png' })).json.code).toBe(
      'image-invalid',
    )
    expect((await ann.call('PUT', path, new Uint8Array(5 * 1024 * 1024 + 1), { 'content-type': 'image/png' })).json.code).toBe('too-large')
  })
})

describe('coming in', () => {
  it('by mail: bad addresses are named, the others each have an outcome', async () => {
    const id = await team('By mail')
    const path = `/api/workspaces/${id}/invitations`
    for (const emails of ['', ' , ,', '\n']) expect(await refusal(ann, 'POST', path, { emails, role: 'viewer' })).toBe('addresses-empty')
    const bad = await ann.call('POST', path, { emails: `${bob.email}, not an address, x@, ${eve.email}`, role: 'viewer' })
    expect(bad.json.code).toBe('addresses-invalid')
    expect(bad.json.issues.map((issue: { path: string }) => issue.path)).toEqual(['not', 'an', 'address', 'x@'])
    expect(await refusal(ann, 'POST', path, { emails: bob.email, role: 'owner' })).toBe('invalid-params')
    const emails = `${bob.email.toUpperCase()},${bob.email} ; nobody@example.org,${ann.email}`
    expect((await ann.must('POST', path, { emails, role: 'editor' })).results).toEqual([
      { email: bob.email, outcome: 'invited' },
      { email: 'nobody@example.org', outcome: 'user-not-registered' },
      { email: ann.email, outcome: 'already-member' },
    ])
    expect((await ann.must('POST', path, { emails: bob.email, role: 'viewer' })).results).toEqual([
      { email: bob.email, outcome: 'invited-before' },
    ])
    const code = await codeFor(bob, id)
    expect((await server.lettersTo(bob.email))[0]?.body).toContain(`/team_invite/${code}`)
    expect((await told(bob))[0]).toMatchObject({ kind: 'workspace-invitation', data: { code, name: 'By mail', by: 'Ann' } })
  })

  it('an invitation is its address’s alone, and answered once', async () => {
    const id = await team('Once')
    await ann.must('POST', `/api/workspaces/${id}/invitations`, { emails: `${bob.email},${eve.email}`, role: 'editor' })
    const code = await codeFor(bob, id)
    expect(await refusal(eve, 'POST', `/api/invitations/${code}/answer`, { accept: true })).toBe('no-permission')
    expect(
      await refusal(bob, 'POST', `/api/invitations/${code.slice(0, -1)}${code.endsWith('x') ? 'y' : 'x'}/answer`, { accept: true }),
    ).toBe('invitation-closed')
    expect(await bob.must('GET', `/api/invitations/${code}`)).toMatchObject({
      via: 'workspace',
      name: 'Once',
      role: 'editor',
      by: 'Ann',
      state: 'pending',
    })
    const answers = await Promise.all([1, 2, 3].map(() => bob.call('POST', `/api/invitations/${code}/answer`, { accept: true })))
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 409, 409])
    expect(await refusal(bob, 'POST', `/api/invitations/${code}/answer`, { accept: false })).toBe('invitation-answered')
    expect(await bob.must('GET', `/api/workspaces/${id}`)).toMatchObject({ role: 'editor', members: 2 })
    const hers = await codeFor(eve, id)
    expect(await eve.must('POST', `/api/invitations/${hers}/answer`, { accept: false })).toMatchObject({ outcome: 'rejected' })
    expect(await refusal(eve, 'POST', `/api/invitations/${hers}/answer`, { accept: true })).toBe('invitation-answered')
    expect(await refusal(eve, 'GET', `/api/workspaces/${id}`)).toBe('not-found')
    expect((await told(ann)).slice(0, 2).map(({ kind, data }) => [kind, data['by'], data['accepted']])).toEqual([
      ['invitation-answered', 'Eve', 'false'],
      ['invitation-answered', 'Bob', 'true'],
    ])
  })

  it('an invitation taken back is closed', async () => {
    const id = await team('Taken back')
    await ann.must('POST', `/api/workspaces/${id}/invitations`, { emails: bob.email, role: 'viewer' })
    const code = await codeFor(bob, id)
    const { invitations } = await ann.must('GET', `/api/workspaces/${id}/members`)
    expect(invitations).toMatchObject([{ email: bob.email, role: 'viewer' }])
    await ann.must('DELETE', `/api/workspaces/${id}/invitations/${invitations[0].id}`)
    expect(await refusal(bob, 'POST', `/api/invitations/${code}/answer`, { accept: true })).toBe('invitation-closed')
    expect(await refusal(ann, 'DELETE', `/api/workspaces/${id}/invitations/${invitations[0].id}`)).toBe('not-found')
  })

  it('by link: one asks, waits, is let in or not, once', async () => {
    const id = await team('By link')
    expect(await ann.must('GET', `/api/workspaces/${id}/join-link`)).toEqual({ code: null })
    const { code } = await ann.must('PUT', `/api/workspaces/${id}/join-link`, { open: true })
    expect(await bob.must('GET', `/api/invitations/${code}`)).toMatchObject({ via: 'link', name: 'By link', state: 'open', role: null })
    expect(await bob.must('POST', `/api/invitations/${code}/answer`, { accept: true })).toMatchObject({ outcome: 'waiting' })
    expect(await refusal(bob, 'POST', `/api/invitations/${code}/answer`, { accept: true })).toBe('request-pending')
    expect(await bob.must('GET', `/api/invitations/${code}`)).toMatchObject({ state: 'waiting' })
    expect(await refusal(bob, 'GET', `/api/workspaces/${id}`)).toBe('not-found')
    expect((await told(ann))[0]).toMatchObject({ kind: 'join-requested', data: { team: id, by: 'Bob' } })
    await eve.must('POST', `/api/invitations/${code}/answer`, { accept: true })
    const { requests } = await ann.must('GET', `/api/workspaces/${id}/members`)
    const [first, second] = requests
    expect([first.user.name, second.user.name]).toEqual(['Bob', 'Eve'])
    expect(await refusal(bob, 'POST', `/api/workspaces/${id}/requests/${first.id}`, { accept: true })).toBe('not-found')
    await ann.must('POST', `/api/workspaces/${id}/requests/${first.id}`, { accept: true, role: 'editor' })
    expect(await refusal(ann, 'POST', `/api/workspaces/${id}/requests/${first.id}`, { accept: false })).toBe('request-answered')
    expect(await bob.must('GET', `/api/workspaces/${id}`)).toMatchObject({ role: 'editor' })
    expect(await refusal(bob, 'POST', `/api/invitations/${code}/answer`, { accept: true })).toBe('already-member')
    await ann.must('POST', `/api/workspaces/${id}/requests/${second.id}`, { accept: false })
    expect((await told(eve))[0]).toMatchObject({ kind: 'join-answered', data: { accepted: 'false' } })
    await ann.must('PUT', `/api/workspaces/${id}/join-link`, { open: false })
    expect(await refusal(eve, 'GET', `/api/invitations/${code}`)).toBe('invitation-closed')
  })
})

describe('roles', () => {
  it('are changed by those who manage, never the owner’s; a socket follows at once', async () => {
    const id = await team('Roles')
    await join(id, bob, 'editor')
    await join(id, eve, 'manager')
    const file = await ann.file('Live', { team: id })
    const socket = await bob.socket(file)
    expect((await socket.notice(MESSAGE.hello)).role).toBe('editor')
    const member = (person: Person): string => `/api/workspaces/${id}/members/${person.id}`
    expect(await refusal(bob, 'PATCH', member(eve), { role: 'viewer' })).toBe('no-permission')
    expect(await refusal(eve, 'PATCH', member(ann), { role: 'viewer' })).toBe('no-permission')
    expect(await refusal(ann, 'PATCH', member(ann), { role: 'viewer' })).toBe('no-permission')
    expect(await refusal(eve, 'PATCH', member(bob), { role: 'owner' })).toBe('invalid-params')
    expect(await refusal(eve, 'DELETE', member(ann))).toBe('no-permission')
    expect(server.peopleIn(file)).toEqual([{ userId: bob.id, role: 'editor' }])
    // By the time it is answered, not at the next look.
    await eve.must('PATCH', member(bob), { role: 'viewer' })
    expect(server.peopleIn(file)).toEqual([{ userId: bob.id, role: 'viewer' }])
    expect(await socket.notice(MESSAGE.role)).toEqual({ role: 'viewer', reason: 'changed' })
    await eve.must('DELETE', member(bob))
    expect(server.peopleIn(file)).toEqual([])
    expect(await socket.closed()).toBe(CLOSE.noAccess)
    expect(await refusal(bob, 'GET', `/api/files/${file}`)).toBe('not-found')
    expect(await refusal(eve, 'DELETE', member(bob))).toBe('not-found')
    expect((await told(bob)).slice(0, 2).map(({ kind }) => kind)).toEqual(['removed', 'role-changed'])
    const { lines } = await ann.must('GET', `/api/workspaces/${id}/audit`)
    expect(lines.slice(0, 2)).toMatchObject([
      { action: 'member-removed', user: { name: 'Eve' }, detail: { member: bob.id } },
      { action: 'role-changed', detail: { role: 'viewer' } },
    ])
    expect(lines[0].address).toBe('')
  })

  it('the owner transfers before leaving', async () => {
    const id = await team('Handed over')
    await join(id, bob, 'viewer')
    expect(await refusal(ann, 'POST', `/api/workspaces/${id}/leave`)).toBe('no-permission')
    expect(await refusal(ann, 'POST', `/api/workspaces/${id}/transfer`, { userId: eve.id })).toBe('not-found')
    expect(await refusal(bob, 'POST', `/api/workspaces/${id}/transfer`, { userId: bob.id })).toBe('no-permission')
    await ann.must('POST', `/api/workspaces/${id}/transfer`, { userId: bob.id })
    expect(await bob.must('GET', `/api/workspaces/${id}`)).toMatchObject({ role: 'owner', owner: { id: bob.id } })
    await ann.must('POST', `/api/workspaces/${id}/leave`)
    expect(await refusal(ann, 'GET', `/api/workspaces/${id}`)).toBe('not-found')
  })

  it('are explained, action by action', async () => {
    const id = await team('Explained')
    await join(id, bob, 'viewer')
    await ann.must('PATCH', `/api/workspaces/${id}`, { switches: { copyFiles: false } })
    const file = await ann.file('Explained', { team: id })
    const { role, permissions } = await bob.must('GET', `/api/files/${file}/permissions`)
    expect(role).toBe('viewer')
    expect(permissions.view.allowed).toBe(true)
    expect(permissions.edit).toMatchObject({ allowed: false, why: 'small-role', needs: 'editor' })
    expect(permissions.copyOut).toMatchObject({ allowed: false, why: 'closed' })
    expect(await refusal(bob, 'GET', `/api/files/${file}/permissions?userId=${ann.id}`)).toBe('no-permission')
    expect((await ann.must('GET', `/api/workspaces/${id}/permissions?userId=${bob.id}`)).permissions.invite.why).toBe('small-role')
  })
})

describe('outsiders', () => {
  it('are invited to a file, accept, and lose it at once when the space shuts its doors', async () => {
    const id = await team('Doors')
    const file = await ann.file('Window', { team: id })
    expect((await ann.must('POST', `/api/files/${file}/invitations`, { emails: bob.email, role: 'editor' })).results).toEqual([
      { email: bob.email, outcome: 'invited' },
    ])
    expect(await refusal(bob, 'GET', `/api/files/${file}`)).toBe('not-found')
    const code = await codeFor(bob, id)
    expect(await bob.must('GET', `/api/invitations/${code}`)).toMatchObject({ via: 'file', fileId: file, role: 'editor', state: 'pending' })
    expect((await ann.must('GET', `/api/files/${file}/collaborators`)).pending).toMatchObject([{ email: bob.email }])
    await bob.must('POST', `/api/invitations/${code}/answer`, { accept: true })
    expect(await bob.must('GET', `/api/files/${file}`)).toMatchObject({ role: 'editor' })
    expect((await ann.must('GET', `/api/workspaces/${id}/members`)).outsiders).toMatchObject([
      { id: bob.id, role: 'editor', file: { id: file } },
    ])
    const link = await ann.must('POST', `/api/files/${file}/links`, { role: 'viewer' })
    const socket = await bob.socket(file)
    await socket.message(MESSAGE.hello)
    expect(server.peopleIn(file)).toEqual([{ userId: bob.id, role: 'editor' }])
    await ann.must('PATCH', `/api/workspaces/${id}`, { switches: { externalAccess: false } })
    // By the time it is answered.
    expect(server.peopleIn(file)).toEqual([])
    expect(await socket.closed()).toBe(CLOSE.noAccess)
    expect(await refusal(bob, 'GET', `/api/files/${file}`)).toBe('not-found')
    expect((await bob.must('GET', '/api/files?of=shared')).files).toEqual([])
    expect(await refusal(eve, 'POST', `/api/share/${link.code}/open`)).toBe('share-expired')
    expect(await refusal(ann, 'POST', `/api/files/${file}/invitations`, { emails: eve.email, role: 'viewer' })).toBe('no-permission')
    await ann.must('PATCH', `/api/workspaces/${id}`, { switches: { externalAccess: true } })
    expect(await bob.must('GET', `/api/files/${file}`)).toMatchObject({ role: 'editor' })
  })
})

describe('who pays', () => {
  it('the plan of a member in a team, of the owner in an organization; each limit says which and how much', async () => {
    const small = await startServer(suite.connection, { plan: 'free' })
    const [cat, dan] = [await small.person('Cat'), await small.person('Dan')]
    const answer = await cat.call('POST', '/api/workspaces', { id: newId('team'), type: 'organization', name: 'Org' })
    expect([answer.status, answer.json.code, answer.json.limit]).toEqual([
      402,
      'limit-reached',
      { quantity: 'organizations', allowed: 0, plan: 'plus' },
    ])
    await small.database.db.insertInto('subscription').values({ user_id: cat.id, level: 'plus', until: null }).execute()
    const org = (await cat.must('POST', '/api/workspaces', { id: newId('team'), type: 'organization', name: 'Org' })).id
    await small.database.db.insertInto('workspace_member').values({ workspace_id: org, user_id: dan.id, role: 'editor' }).execute()
    for (let i = 0; i < 30; i++) await dan.file(`Own ${i}`)
    expect((await dan.call('POST', '/api/files', { id: newId('team'), kind: 'model', name: 'One more' })).json.limit).toEqual({
      quantity: 'files',
      allowed: 30,
      plan: 'basic',
    })
    await dan.must('POST', '/api/files', { id: newId('team'), kind: 'folder', name: 'Folders are free' })
    await dan.file('In the organization', { team: org })
    await small.database.db
      .updateTable('subscription')
      .set({ until: new Date(Date.now() - 1000) })
      .where('user_id', '=', cat.id)
      .execute()
    expect((await cat.call('POST', `/api/workspaces/${org}/type`, { type: 'team' })).status).toBe(200)
    await small.stop()
  })
})

describe('notifications', () => {
  it('are listed newest first, read one by one or all, cleared; nobody reads another’s', async () => {
    const zoe = await server.person('Zoe')
    for (const name of ['One', 'Two', 'Three'])
      await ann.must('POST', `/api/workspaces/${await team(`For Zoe ${name}`)}/invitations`, { emails: zoe.email, role: 'viewer' })
    const { notifications, unread } = await zoe.must('GET', '/api/notifications')
    expect([unread, notifications.map((one: { data: { name: string } }) => one.data.name)]).toEqual([
      3,
      ['For Zoe Three', 'For Zoe Two', 'For Zoe One'],
    ])
    await ann.must('POST', '/api/notifications/read', { ids: [notifications[0].id] })
    expect((await zoe.must('GET', '/api/notifications?unread=1')).notifications.length).toBe(3)
    await zoe.must('POST', '/api/notifications/read', { ids: [notifications[0].id] })
    expect((await zoe.must('GET', '/api/notifications?unread=true')).notifications.length).toBe(2)
    await zoe.must('POST', '/api/notifications/read', {})
    expect((await zoe.must('GET', '/api/notifications')).unread).toBe(0)
    expect((await zoe.must('GET', `/api/notifications?limit=1&before=${notifications[0].at}`)).notifications[0].data.name).toBe(
      'For Zoe Two',
    )
    await zoe.must('POST', '/api/notifications/clear', {})
    expect((await zoe.must('GET', '/api/notifications')).notifications).toEqual([])
  })

  it('reach a person over whatever document is open', async () => {
    const socket = await bob.socket(await bob.file('Open'))
    await socket.message(MESSAGE.hello)
    await ann.must('POST', `/api/workspaces/${await team('Push')}/invitations`, { emails: bob.email, role: 'viewer' })
    expect((await socket.notice(MESSAGE.control)).type).toBe('notification')
    socket.close()
  })
})
