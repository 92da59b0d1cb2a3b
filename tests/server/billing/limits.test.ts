// What a plan allows, when several ask for the last of it at once, and what a plan does not have.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plans } from '../../../model-schema/business/plans.ts'
import { newId } from '../../help/network/company.ts'
import { startServer, useDatabase } from '../../help/server.ts'
import type { Person, TestServer } from '../../help/server.ts'

const suite = useDatabase()
let server: TestServer
let ann: Person
const free = plans.free

beforeAll(async () => {
  server = await startServer(suite.connection, { plan: 'free' })
  ann = await server.person('Ann')
})
afterAll(() => server?.stop())

/** Codes of the answers, sorted; a good one is 'done'. */
async function outcomes(calls: Promise<{ status: number; json: { code?: string } }>[]): Promise<string[]> {
  return (await Promise.all(calls)).map(({ status, json }) => (status < 300 ? 'done' : (json.code ?? String(status)))).sort()
}
const onePasses = (n: number): string[] => ['done', ...Array.from({ length: n - 1 }, () => 'limit-reached')]

describe('at the limit, of several at once exactly one passes', () => {
  it('files: made, copied and made again with the same id', async () => {
    const rows = Array.from({ length: (free.files ?? 0) - 1 }, (_, i) => ({
      id: newId(),
      workspace_id: ann.team,
      kind: 'model',
      name: `File ${i}`,
      creator_id: ann.id,
    }))
    await server.database.db.insertInto('file').values(rows).execute()
    const same = newId()
    const make = (id: string, name: string) => ann.call('POST', '/api/files', { id, kind: 'model', name })
    const copies = [1, 2, 3].map(() => ann.call('POST', `/api/files/${rows[0]!.id}/duplicate`, { id: newId() }))
    expect(await outcomes([...[1, 2, 3].map(i => make(newId(), `New ${i}`)), make(same, 'Last'), ...copies])).toEqual(onePasses(7))
    const { n } = await server.database.db
      .selectFrom('file')
      .select(eb => eb.fn.countAll<number>().as('n'))
      .where('creator_id', '=', ann.id)
      .executeTakeFirstOrThrow()
    expect(n).toBe(free.files)
    // What is there already is no more when it is asked for again.
    const there = rows[1]!
    expect(await outcomes([make(there.id, there.name)])).toEqual(['done'])
  })

  it('teams, embed links, seats of outside editors', async () => {
    const bob = await server.person('Bob')
    const teams = Array.from({ length: (free.teams ?? 0) + 2 }, (_, i) =>
      bob.call('POST', '/api/workspaces', { id: newId(), type: 'team', name: `Team ${i}` }),
    )
    expect((await outcomes(teams)).filter(one => one === 'done').length).toBe(free.teams)

    const file = await bob.file('Embedded')
    const embeds = Array.from({ length: (free.embeds ?? 0) + 3 }, () => bob.call('POST', `/api/files/${file}/embeds`, {}))
    expect((await outcomes(embeds)).filter(one => one === 'done').length).toBe(free.embeds)

    const others = await Promise.all(['Cleo', 'Dan', 'Eve', 'Fay'].map(name => server.person(name)))
    const invite = (role: string) => others.map(one => bob.call('POST', `/api/files/${file}/collaborators`, { email: one.email, role }))
    expect((await outcomes(invite('editor'))).filter(one => one === 'done').length).toBe(free.externalEditors)
    // Viewers take no seat; for collaborators the answer says that they are one already.
    const editors = free.externalEditors ?? 0
    const expected = others.map((_, i) => (i < editors ? 'already-collaborator' : 'done'))
    expect(await outcomes(invite('viewer'))).toEqual(expected)
  })

  it('members of a team', async () => {
    const owner = await server.person('Owner')
    const team = (await owner.must('POST', '/api/workspaces', { id: newId(), type: 'team', name: 'Full' })).id
    const people = await Promise.all(Array.from({ length: (free.teamMembers ?? 0) + 2 }, (_, i) => server.person(`Member${i}`)))
    const { code } = await owner.must('PUT', `/api/workspaces/${team}/join-link`, { open: true })
    for (const one of people) await one.must('POST', `/api/invitations/${code}/answer`, { accept: true })
    const { requests } = await owner.must('GET', `/api/workspaces/${team}/members`)
    const answers = await outcomes(
      requests.map(({ id }: { id: string }) => owner.call('POST', `/api/workspaces/${team}/requests/${id}`, { accept: true })),
    )
    // The owner has a seat too.
    expect(answers.filter(one => one === 'done').length).toBe((free.teamMembers ?? 0) - 1)
    expect(answers.filter(one => one === 'limit-reached').length).toBe(3)
  })
})

describe('a plan', () => {
  it('that lacks a feature says so, and which one has it', async () => {
    const gil = await server.person('Gil')
    const file = await gil.file('Private')
    const refused = await gil.call('POST', `/api/files/${file}/embeds`, { origins: ['https://example.org'] })
    expect(refused.status).toBe(402)
    expect(refused.json).toMatchObject({ code: 'plan-lacks-feature', feature: { feature: 'privateEmbed', plan: 'basic' } })
    await server.database.db.insertInto('subscription').values({ user_id: gil.id, level: 'basic', until: null }).execute()
    expect((await gil.call('POST', `/api/files/${file}/embeds`, { origins: ['https://example.org'] })).status).toBe(201)
  })
  it('in force in a file is one’s own, in an organization its owner’s; whoever may not see the file learns nothing', async () => {
    const [hal, ida] = [await server.person('Hal'), await server.person('Ida')]
    await server.database.db.insertInto('subscription').values({ user_id: hal.id, level: 'pro', until: null }).execute()
    const org = (await hal.must('POST', '/api/workspaces', { id: newId(), type: 'organization', name: 'Org' })).id
    const file = newId()
    await hal.must('POST', '/api/files', { id: file, kind: 'model', name: 'Model', team: org })
    expect((await ida.call('GET', `/api/files/${file}/plan`)).json.code).toBe('not-found')
    const member = { workspace_id: org, user_id: ida.id, role: 'viewer' as const }
    await server.database.db.insertInto('workspace_member').values(member).execute()
    expect(await ida.must('GET', `/api/files/${file}/plan`)).toMatchObject({ level: 'pro', steps: plans.pro.steps, isOwners: true })
    const own = await ida.file('Own')
    expect(await ida.must('GET', `/api/files/${own}/plan`)).toMatchObject({
      level: 'free',
      steps: free.steps,
      ticksPerSecond: free.ticksPerSecond,
      isOwners: false,
    })
  })
})
