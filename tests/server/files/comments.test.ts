// Comments on documents: permissions to see and write them, repetitions, notifications, and what is refused.
import { describe, expect, it } from 'vitest'
import { MESSAGE } from '../../../sync-server/protocol.ts'
import { ann, bob, eve, newId, server, startCompany } from '../../help/network/company.ts'
import { refusal } from '../../help/network/refusal.ts'
import { Person } from '../../help/server.ts'

startCompany()

const anchor = { canvas: 'main', element: 'wolf', x: 0.5, y: 0, at: [10, 20], name: 'Wolf' }
const place = { canvas: 'main', element: null, x: 40, y: 50, at: [40, 50], name: '' }
const rich = (...content: unknown[]): string => JSON.stringify({ type: 'doc', content: [{ type: 'paragraph', content }] })
const text = (words: string): string => JSON.stringify(words)
const mention = (who: Person, label: string) => ({ type: 'mention', attrs: { id: who.id, label } })

async function kinds(person: Person): Promise<string[]> {
  const { notifications } = await person.must('GET', '/api/notifications')
  await person.must('POST', '/api/notifications/clear', {})
  return notifications.map((note: { kind: string }) => note.kind).filter((kind: string) => kind === 'mentioned' || kind === 'commented')
}

describe('comments', () => {
  it('are written, answered, changed, resolved and deleted; said twice is said once; everybody inside hears', async () => {
    const file = await ann.file('Talked about')
    await ann.must('POST', `/api/files/${file}/collaborators`, { email: bob.email, role: 'commenter' })
    const socket = await bob.socket(file)
    await socket.message(MESSAGE.hello)
    const thread = newId('c')
    const first = { id: newId('c'), body: text('Why so many?') }
    await ann.must('POST', `/api/docs/${file}/threads`, { id: thread, anchor, comment: first })
    expect(await socket.notice(MESSAGE.control)).toMatchObject({ type: 'comments-changed', docId: file })
    socket.close()
    await ann.must('POST', `/api/docs/${file}/threads`, { id: thread, anchor, comment: { id: newId('c'), body: text('Again') } })
    const answer = { id: newId('c'), body: rich({ type: 'text', text: 'Because', marks: [{ type: 'bold' }] }) }
    await bob.must('POST', `/api/docs/${file}/threads/${thread}/comments`, answer)
    await bob.must('POST', `/api/docs/${file}/threads/${thread}/comments`, answer)
    await bob.must('PATCH', `/api/docs/${file}/comments/${answer.id}`, { body: text('Because of the grass') })
    await bob.must('PATCH', `/api/docs/${file}/threads/${thread}`, { resolved: true })
    const { threads, may } = await ann.must('GET', `/api/docs/${file}/comments`)
    expect(may).toEqual({ comment: true, deleteAll: true })
    expect(threads).toMatchObject([
      {
        id: thread,
        anchor,
        resolved: { by: { name: 'Bob', avatar: null } },
        comments: [
          { id: first.id, author: { name: 'Ann' }, body: '"Why so many?"', editedAt: null },
          { id: answer.id, author: { name: 'Bob' }, body: '"Because of the grass"' },
        ],
      },
    ])
    expect(threads[0].comments[1].editedAt).not.toBeNull()
    await ann.must('PATCH', `/api/docs/${file}/threads/${thread}`, { resolved: false, anchor: place })
    expect((await bob.must('GET', `/api/docs/${file}/comments`)).threads).toMatchObject([{ resolved: null, anchor: place }])
    expect(await refusal(ann, 'PATCH', `/api/docs/${file}/comments/${answer.id}`, { body: text('Not mine') })).toBe('no-permission')
    expect(await refusal(bob, 'DELETE', `/api/docs/${file}/comments/${first.id}`)).toBe('no-permission')
    await ann.must('DELETE', `/api/docs/${file}/comments/${answer.id}`)
    await ann.must('DELETE', `/api/docs/${file}/comments/${answer.id}`)
    await ann.must('DELETE', `/api/docs/${file}/comments/${first.id}`)
    expect((await ann.must('GET', `/api/docs/${file}/comments`)).threads).toEqual([])
  })

  it('tell those mentioned, and those who take part, each once; nobody who may not look', async () => {
    const file = await ann.file('Mentions')
    await ann.must('POST', `/api/files/${file}/collaborators`, { email: bob.email, role: 'commenter' })
    await Promise.all([kinds(ann), kinds(bob), kinds(eve)])
    expect((await bob.must('GET', `/api/docs/${file}/comments/people`)).people.map((one: { name: string }) => one.name)).toEqual([
      'Ann',
      'Bob',
    ])
    const thread = newId('c')
    const body = rich({ type: 'text', text: 'Look, ' }, mention(bob, 'Bob'), mention(eve, 'Eve'), mention(ann, 'Ann'))
    await ann.must('POST', `/api/docs/${file}/threads`, { id: thread, anchor, comment: { id: newId('c'), body } })
    expect(await Promise.all([kinds(ann), kinds(bob), kinds(eve)])).toEqual([[], ['mentioned'], []])
    const answer = { id: newId('c'), body: text('I see') }
    await bob.must('POST', `/api/docs/${file}/threads/${thread}/comments`, answer)
    await bob.must('POST', `/api/docs/${file}/threads/${thread}/comments`, answer)
    expect(await Promise.all([kinds(ann), kinds(bob)])).toEqual([['commented'], []])
    await bob.must('PATCH', `/api/docs/${file}/comments/${answer.id}`, {
      body: rich({ type: 'text', text: 'I see ' }, mention(ann, 'Ann')),
    })
    await bob.must('PATCH', `/api/docs/${file}/comments/${answer.id}`, {
      body: rich({ type: 'text', text: 'Seen ' }, mention(ann, 'Ann')),
    })
    const { notifications } = await ann.must('GET', '/api/notifications')
    expect(notifications).toMatchObject([{ kind: 'mentioned', data: { by: 'Bob', name: 'Mentions', file, thread, text: 'I see @Ann' } }])
    await ann.must('DELETE', `/api/files/${file}/collaborators/${bob.id}`)
    await kinds(bob)
    await ann.must('POST', `/api/docs/${file}/threads/${thread}/comments`, { id: newId('c'), body: text('He is gone') })
    expect(await kinds(bob)).toEqual([])
  })

  it('are seen by viewers and written by commenters; links open them when they let one comment', async () => {
    const file = await ann.file('Shared')
    const thread = newId('c')
    const comments = `/api/docs/${file}/comments`
    await ann.must('POST', `/api/docs/${file}/threads`, { id: thread, anchor, comment: { id: newId('c'), body: text('Hello') } })
    expect(await refusal(eve, 'GET', comments)).toBe('not-found')
    await ann.must('POST', `/api/files/${file}/collaborators`, { email: bob.email, role: 'viewer' })
    expect(await bob.must('GET', comments)).toMatchObject({ threads: [{ id: thread }], may: { comment: false, deleteAll: false } })
    expect(await refusal(bob, 'POST', `/api/docs/${file}/threads/${thread}/comments`, { id: newId('c'), body: text('x') })).toBe(
      'no-permission',
    )
    const { code: looking } = await ann.must('POST', `/api/files/${file}/links`, { role: 'viewer' })
    const { code: talking } = await ann.must('POST', `/api/files/${file}/links`, { role: 'commenter' })
    const guest = new Person(server.url)
    expect(await refusal(guest, 'GET', comments)).toBe('signed-out')
    expect(await refusal(guest, 'GET', `${comments}?share=${looking}`)).toBe('no-permission')
    expect(await refusal(eve, 'GET', `${comments}?share=${looking}`)).toBe('no-permission')
    expect(await guest.must('GET', `${comments}?share=${talking}`)).toMatchObject({ threads: [{ id: thread }], may: { comment: false } })
    const reply = { id: newId('c'), body: text('By the link') }
    expect(await refusal(guest, 'POST', `/api/docs/${file}/threads/${thread}/comments?share=${talking}`, reply)).toBe('signed-out')
    expect(await eve.must('GET', `${comments}?share=${talking}`)).toMatchObject({ may: { comment: true, deleteAll: false } })
    await eve.must('POST', `/api/docs/${file}/threads/${thread}/comments?share=${talking}`, reply)
    await bob.must('POST', `/api/docs/${file}/threads/${thread}/comments?share=${talking}`, { id: newId('c'), body: text('Me too') })
    await ann.must('POST', `/api/files/${file}/trash`)
    expect(await refusal(eve, 'GET', `${comments}?share=${talking}`)).toBe('not-found')
    expect(await refusal(ann, 'POST', `/api/docs/${file}/threads/${thread}/comments`, { id: newId('c'), body: text('x') })).toBe(
      'no-permission',
    )
  })

  it('hold only what others may safely be shown', async () => {
    const file = await ann.file('Checked')
    const write = (body: unknown, at: unknown = anchor) =>
      refusal(ann, 'POST', `/api/docs/${file}/threads`, { id: newId('c'), anchor: at, comment: { id: newId('c'), body } })
    const link = (href: string) => rich({ type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href } }] })
    for (const bad of [
      '',
      'no json',
      'null',
      text('   '),
      '{"type":"doc","content":[]}',
      JSON.stringify({ type: 'doc', content: [{ type: 'image', attrs: { src: 'x' } }] }),
      link('javascript:alert(1)'),
      rich({ type: 'text', text: 'x', marks: [{ type: 'style' }] }),
      rich({ type: 'mention', attrs: { id: 7, label: 'x' } }),
      text('x'.repeat(20_000)),
      7,
    ])
      expect(await write(bad)).toBe('invalid-params')
    for (const bad of [{}, { ...anchor, x: 'left' }, { ...anchor, element: '<b>' }, { ...anchor, name: 'x'.repeat(200) }])
      expect(await write(text('x'), bad)).toBe('invalid-params')
    const kept = newId('c')
    await ann.must('POST', `/api/docs/${file}/threads`, {
      id: kept,
      anchor,
      comment: { id: newId('c'), body: link('https://example.org/a?b=1') },
    })
    await ann.must('POST', `/api/docs/${file}/threads`, { id: newId('c'), anchor, comment: { id: newId('c'), body: text('a\u0000b') } })
    const other = await ann.file('Another')
    expect(await refusal(ann, 'PATCH', `/api/docs/${other}/threads/${kept}`, { resolved: true })).toBe('not-found')
    expect(
      await refusal(ann, 'POST', `/api/docs/${other}/threads`, { id: kept, anchor, comment: { id: newId('c'), body: text('x') } }),
    ).toBe('id-taken')
  })
})

describe('answers of the copilot', () => {
  it('stand in the name of who asked, say which model it was, and cannot be changed, only deleted', async () => {
    const file = await ann.file('Asked about')
    await ann.must('POST', `/api/files/${file}/collaborators`, { email: bob.email, role: 'commenter' })
    const thread = newId('c')
    const first = { id: newId('c'), body: rich(mention({ id: 'copilot' } as Person, 'Copilot'), { type: 'text', text: ' why?' }) }
    await ann.must('POST', `/api/docs/${file}/threads`, { id: thread, anchor, comment: first })
    await Promise.all([kinds(ann), kinds(bob)])
    const replies = `/api/docs/${file}/threads/${thread}/comments`
    const runs = [{ tool: 'run', given: '{"ticks":12,"seed":7}', digest: 'x1y2' }]
    const answer = { id: newId('c'), body: text('It waits.'), copilot: { by: 'Claude', proposal: 'proposal_1', runs } }
    await bob.must('POST', replies, answer)
    const { notifications } = await ann.must('GET', '/api/notifications')
    expect(notifications).toMatchObject([{ kind: 'commented', data: { by: 'Claude · Bob', text: 'It waits.' } }])
    await bob.must('POST', replies, { id: newId('c'), body: text('By the guide.'), copilot: { by: null, proposal: null } })
    const [{ comments }] = (await ann.must('GET', `/api/docs/${file}/comments`)).threads
    expect(comments).toMatchObject([
      { copilot: null },
      { author: { name: 'Bob' }, copilot: { by: 'Claude', proposal: 'proposal_1', runs } },
      { copilot: { by: null, proposal: null } },
    ])
    expect(await refusal(bob, 'PATCH', `/api/docs/${file}/comments/${answer.id}`, { body: text('It never waits.') })).toBe('no-permission')
    for (const copilot of [
      { by: '' },
      { by: 'x'.repeat(129), proposal: null },
      { by: 'x', proposal: '<b>' },
      'Claude',
      { by: null, proposal: null, more: 1 },
      { by: 'x', proposal: null, runs: Array.from({ length: 9 }, () => runs[0]) },
      { by: 'x', proposal: null, runs: [{ ...runs[0], tool: '<b>' }] },
      { by: 'x', proposal: null, runs: [{ ...runs[0], given: 'x'.repeat(2001) }] },
    ])
      expect(await refusal(bob, 'POST', replies, { id: newId('c'), body: text('x'), copilot })).toBe('invalid-params')
    const given = await bob.must('GET', '/api/accounts/export')
    expect(given.comments.slice(-2)).toMatchObject([{ copilot: { by: 'Claude' } }, { copilot: { by: null } }])
    await bob.must('DELETE', `/api/docs/${file}/comments/${answer.id}`)
  })
})
