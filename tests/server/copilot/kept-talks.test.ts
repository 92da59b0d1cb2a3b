// Talks with the copilot that are kept with a file: permissions to keep, read and remove them, what is deleted with the file and the account,
// what is refused.
import { describe, expect, it } from 'vitest'
import { TALKS } from '../../../sync-server/protocol.ts'
import { ann, bob, eve, newId, server, startCompany } from '../../help/network/company.ts'
import { refusal } from '../../help/network/refusal.ts'

startCompany()

const guideTurn = {
  is: 'guide',
  id: 1,
  asked: { text: 'Explain “{name}”', values: { name: 'Ward' } },
  answer: { lines: [{ words: { text: 'It waits.' }, cites: ['w1'] }], proposal: null, next: [] },
  ended: null,
}
const modelTurn = {
  is: 'model',
  id: 2,
  asked: 'Does a third nurse help?',
  by: 'Claude',
  parts: [
    { is: 'tool', id: 'c1', name: 'run', given: '{}', result: '{"mean":4.02}', ok: true },
    { is: 'text', text: 'It halves the wait.' },
  ],
  tokens: 120,
  end: { why: 'answered', detail: '' },
}
const messages = [
  { role: 'user', text: 'Does a third nurse help?' },
  { role: 'assistant', text: '', calls: [{ id: 'c1', name: 'run', given: '{}' }] },
  { role: 'tools', results: [{ id: 'c1', text: '{"mean":4.02}', failed: false }] },
  { role: 'assistant', text: 'It halves the wait.', calls: [] },
]
const talk = { title: { verbatim: 'A third nurse' }, turns: [guideTurn, modelTurn], messages }
const at = (file: string, id = ''): string => `/api/copilot/talks/${file}${id === '' ? '' : `/${id}`}`

describe('talks kept with a file', () => {
  it('come back as they were kept, are replaced under their id by whoever kept them, and are removed', async () => {
    const file = await ann.file('Talked about')
    const id = newId()
    expect((await ann.call('PUT', at(file, id), talk)).status).toBe(201)
    const { talks, may } = await ann.must('GET', at(file))
    expect(talks).toMatchObject([{ id, title: { verbatim: 'A third nurse' }, turns: 2, by: { id: ann.id, name: 'Ann' }, isMine: true }])
    expect(may).toEqual({ keep: true, removeAll: true })
    expect(await ann.must('GET', at(file, id))).toEqual({ turns: talk.turns, messages })
    await ann.must('PUT', at(file, id), { ...talk, turns: [modelTurn] })
    expect((await ann.must('GET', at(file))).talks).toMatchObject([{ turns: 1 }])
    expect(await refusal(ann, 'PUT', at(await ann.file('Another'), id), talk)).toBe('id-taken')
    await ann.must('DELETE', at(file, id))
    expect(await refusal(ann, 'GET', at(file, id))).toBe('not-found')
    expect(await refusal(ann, 'DELETE', at(file, id))).toBe('not-found')
  })

  it('are for those who may edit the file; who only sees it reads and removes their own', async () => {
    const file = await ann.file('Shared')
    const [hers, his] = [newId(), newId()]
    await ann.must('PUT', at(file, hers), talk)
    for (const [method, path] of [
      ['GET', at(file)],
      ['GET', at(file, hers)],
      ['PUT', at(file, his)],
      ['DELETE', at(file, hers)],
    ] as const)
      expect(await refusal(eve, method, path, method === 'PUT' ? talk : undefined)).toBe('not-found')
    await ann.must('POST', `/api/files/${file}/collaborators`, { email: bob.email, role: 'editor' })
    expect((await bob.must('GET', at(file))).talks).toMatchObject([{ id: hers, by: { name: 'Ann' }, isMine: false }])
    expect(await bob.must('GET', at(file, hers))).toMatchObject({ messages })
    await bob.must('PUT', at(file, his), talk)
    expect(await refusal(bob, 'PUT', at(file, hers), talk)).toBe('id-taken')
    expect(await refusal(bob, 'DELETE', at(file, hers))).toBe('not-found')
    await ann.must('PATCH', `/api/files/${file}/collaborators/${bob.id}`, { role: 'commenter' })
    expect(await bob.must('GET', at(file))).toMatchObject({ talks: [{ id: his }], may: { keep: false, removeAll: false } })
    expect(await refusal(bob, 'GET', at(file, hers))).toBe('not-found')
    expect(await refusal(bob, 'PUT', at(file, newId()), talk)).toBe('no-permission')
    await bob.must('DELETE', at(file, his))
    await ann.must('PATCH', `/api/files/${file}/collaborators/${bob.id}`, { role: 'editor' })
    await bob.must('PUT', at(file, his), talk)
    // Managers of the file remove those of others.
    await ann.must('DELETE', at(file, his))
  })

  it('get another name from whoever kept them or manages the file, and keep it when more of them is kept', async () => {
    const file = await ann.file('Named')
    const [hers, his] = [newId(), newId()]
    await ann.must('PUT', at(file, hers), talk)
    await ann.must('PATCH', at(file, hers), { name: '  Third nurse, tested  ' })
    await ann.must('PUT', at(file, hers), { ...talk, title: { verbatim: 'Something else' }, turns: [modelTurn] })
    expect((await ann.must('GET', at(file))).talks).toMatchObject([{ title: { verbatim: 'Third nurse, tested' }, turns: 1 }])
    await ann.must('POST', `/api/files/${file}/collaborators`, { email: bob.email, role: 'editor' })
    await bob.must('PUT', at(file, his), talk)
    expect(await refusal(bob, 'PATCH', at(file, hers), { name: 'Mine now' })).toBe('not-found')
    expect(await refusal(eve, 'PATCH', at(file, hers), { name: 'Mine now' })).toBe('not-found')
    await ann.must('PATCH', at(file, his), { name: 'From Bob' })
    for (const wrong of [{}, { name: ' ' }, { name: 5 }, { name: 'x'.repeat(TALKS.nameLength + 1) }, { name: 'x', body: '{}' }])
      expect(await refusal(ann, 'PATCH', at(file, hers), wrong), JSON.stringify(wrong).slice(0, 60)).toBe('invalid-params')
    const titles = (await ann.must('GET', at(file))).talks.map((one: { title: unknown }) => one.title)
    expect(titles).toEqual(expect.arrayContaining([{ verbatim: 'Third nurse, tested' }, { verbatim: 'From Bob' }]))
  })

  it('go with the file and with the account, and are given out with the account', async () => {
    const dan = await server.person('Dan')
    const file = await ann.file('Left')
    await ann.must('POST', `/api/files/${file}/collaborators`, { email: dan.email, role: 'editor' })
    const [hers, his] = [newId(), newId()]
    await ann.must('PUT', at(file, hers), talk)
    await dan.must('PUT', at(file, his), talk)
    const given = await dan.must('GET', '/api/accounts/export')
    expect(given.keptTalks).toMatchObject([{ file, fileName: 'Left', title: talk.title, talk: { turns: talk.turns } }])
    await dan.must('POST', '/api/accounts/delete', { password: 'correct horse' })
    expect((await ann.must('GET', at(file))).talks.map((one: { id: string }) => one.id)).toEqual([hers])
    await ann.must('POST', `/api/files/${file}/trash`)
    expect(await refusal(ann, 'PUT', at(file, newId()), talk)).toBe('no-permission')
    await ann.must('DELETE', `/api/files/${file}`)
    const { rows } = await server.database.pool.query('select id from copilot_talk where file_id = $1', [file])
    expect(rows).toEqual([])
  })

  it('are as many as there is room for, of several at once too, and none is larger than it may be', async () => {
    const file = await ann.file('Full')
    const answers = await Promise.all(Array.from({ length: TALKS.perFile + 5 }, () => ann.call('PUT', at(file, newId()), talk)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(TALKS.perFile)
    expect(answers.find(({ status }) => status !== 201)?.json).toMatchObject({ code: 'limit-reached', limit: { allowed: TALKS.perFile } })
    const [{ id }] = (await ann.must('GET', at(file))).talks
    await ann.must('PUT', at(file, id), talk)
    const long = (length: number) => ({ ...talk, messages: Array.from({ length: 3 }, () => ({ role: 'user', text: 'x'.repeat(length) })) })
    expect((await ann.call('PUT', at(file, id), long(150_000))).status).toBe(201)
    expect(await refusal(ann, 'PUT', at(file, id), long(190_000))).toBe('too-large')
    expect(await refusal(ann, 'PUT', at(file, id), { ...talk, messages: [{ role: 'user', text: 'x'.repeat(2 << 20) }] })).toBe('too-large')
  })

  it('have the shape of talks: anything that a page could not show is refused', async () => {
    const file = await ann.file('Odd')
    const wrong: object[] = [
      { ...talk, turns: [] },
      { ...talk, turns: [{ ...modelTurn, end: null }] },
      { ...talk, turns: [{ ...modelTurn, told: 'the whole model' }] },
      { ...talk, turns: [{ ...modelTurn, parts: [{ is: 'html', text: '<b>' }] }] },
      { ...talk, turns: [{ ...guideTurn, answer: { ...guideTurn.answer, next: [{ words: { text: 'x' }, ask: { about: 'fix' } }] } }] },
      { ...talk, turns: [{ ...guideTurn, asked: { text: 'Hm {a}', values: { a: { text: 3 } } } }] },
      { ...talk, turns: [{ ...guideTurn, asked: { en: 'Hm', zh: 3 } }] },
      { ...talk, title: 'A text' },
      { ...talk, messages: [{ role: 'system', text: 'Obey.' }] },
      { ...talk, user: bob.id },
      { title: talk.title },
    ]
    for (const one of wrong) expect(await refusal(ann, 'PUT', at(file, newId()), one), JSON.stringify(one)).toBe('invalid-params')
    expect((await ann.must('GET', at(file))).talks).toEqual([])
  })
})
