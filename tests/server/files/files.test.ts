// The catalogue over HTTP: files, folders, trash, recents, sharing; and the pages.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { ann, bob, eve, newId, server, startCompany } from '../../help/network/company.ts'
import { refusal } from '../../help/network/refusal.ts'
import { startServer, type Person, type TestServer } from '../../help/server.ts'

const suite = startCompany()

const names = async (person: Person, query = ''): Promise<string[]> =>
  (await person.must('GET', `/api/files${query}`)).files.map((file: { name: string }) => file.name)

describe('files', () => {
  it('are created with the id the client made, as often as it asks, and listed with all that a list shows', async () => {
    const id = newId('file')
    const file = { id, kind: 'model', name: ' Epidemic\t', epoch: 'epoch-of-mine' }
    const made = await ann.must('POST', '/api/files', file)
    expect(made).toMatchObject({
      id,
      kind: 'model',
      name: 'Epidemic',
      team: ann.team,
      role: 'owner',
      parent: null,
      cover: null,
      trashedAt: null,
      creator: { id: ann.id, name: 'Ann' },
      owner: { id: ann.id },
    })
    expect(Date.parse(made.updatedAt)).toBeGreaterThan(Date.now() - 60_000)
    expect(await ann.must('POST', '/api/files', file)).toMatchObject({ id, name: 'Epidemic' })
    expect(await names(ann)).toEqual(['Epidemic'])
    expect((await ann.call('GET', `/api/docs/${id}/state`)).headers.get('x-epoch')).toBe('epoch-of-mine')
    expect(await refusal(bob, 'POST', '/api/files', file)).toBe('id-taken')
    expect(await refusal(ann, 'POST', '/api/files', { ...file, kind: 'chart' })).toBe('id-taken')
  })

  it('have a name that is unique in their folder and kind, whatever its case; a copy gets a number', async () => {
    const id = await ann.file('Clinic')
    expect(await refusal(ann, 'POST', '/api/files', { id: newId('file'), kind: 'model', name: 'clinic' })).toBe('name-taken')
    await ann.must('POST', '/api/files', { id: newId('file'), kind: 'chart', name: 'Clinic' })
    const folder = newId('file')
    await ann.must('POST', '/api/files', { id: folder, kind: 'folder', name: 'Folder' })
    await ann.must('POST', '/api/files', { id: newId('file'), kind: 'model', name: 'Clinic', parent: folder })
    expect(await ann.must('POST', '/api/files', { id: newId('file'), kind: 'model', name: 'Clinic', taken: 'number' })).toMatchObject({
      name: 'Clinic (2)',
    })
    expect(await refusal(ann, 'PATCH', `/api/files/${id}`, { name: 'Clinic (2)' })).toBe('name-taken')
    expect(await ann.must('PATCH', `/api/files/${id}`, { name: 'Hospital', remark: 'two doctors' })).toMatchObject({
      name: 'Hospital',
      remark: 'two doctors',
    })
    const both = await Promise.all(
      [newId('file'), newId('file')].map(id => ann.call('POST', '/api/files', { id, kind: 'model', name: 'Race' })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  it('move into folders of the same workspace, never into themselves', async () => {
    const [outer, inner, model] = [newId('file'), newId('file'), newId('file')]
    await ann.must('POST', '/api/files', { id: outer, kind: 'folder', name: 'Outer' })
    await ann.must('POST', '/api/files', { id: inner, kind: 'folder', name: 'Inner', parent: outer })
    await ann.must('POST', '/api/files', { id: model, kind: 'model', name: 'Moved' })
    expect(await ann.must('PATCH', `/api/files/${model}`, { parent: inner })).toMatchObject({ parent: inner })
    expect(await names(ann, `?of=folder&team=${ann.team}&parent=${inner}`)).toEqual(['Moved'])
    expect(await refusal(ann, 'PATCH', `/api/files/${outer}`, { parent: inner })).toBe('folder-invalid')
    expect(await refusal(ann, 'PATCH', `/api/files/${outer}`, { parent: outer })).toBe('folder-invalid')
    expect(await refusal(ann, 'PATCH', `/api/files/${inner}`, { parent: model })).toBe('folder-invalid')
    expect(await refusal(ann, 'POST', '/api/files', { id: newId('file'), kind: 'model', name: 'x', parent: newId('file') })).toBe(
      'folder-invalid',
    )
    const foreign = newId('file')
    await bob.must('POST', '/api/files', { id: foreign, kind: 'folder', name: 'Of Bob' })
    expect(await refusal(ann, 'PATCH', `/api/files/${model}`, { parent: foreign })).toBe('folder-invalid')
    expect(await refusal(ann, 'POST', '/api/files', { id: newId('file'), kind: 'model', name: 'x', team: bob.team })).toBe('not-found')
  })

  it('go to the trash with what is in them, come back, or go for ever', async () => {
    const [folder, model] = [newId('file'), newId('file')]
    await ann.must('POST', '/api/files', { id: folder, kind: 'folder', name: 'Trashed' })
    await ann.must('POST', '/api/files', { id: model, kind: 'model', name: 'Inside', parent: folder })
    expect(await refusal(ann, 'DELETE', `/api/files/${model}`)).toBe('not-in-trash')
    await ann.must('POST', `/api/files/${folder}/trash`)
    expect((await names(ann, '?of=trash')).sort()).toEqual(['Inside', 'Trashed'])
    expect(await names(ann, `?of=folder&parent=${folder}`)).toEqual([])
    await ann.must('POST', '/api/files', { id: newId('file'), kind: 'folder', name: 'Trashed' })
    expect(await ann.must('POST', `/api/files/${folder}/restore`)).toMatchObject({ name: 'Trashed (2)', trashedAt: null })
    expect(await names(ann, `?of=folder&parent=${folder}`)).toEqual(['Inside'])
    await ann.must('POST', `/api/files/${folder}/trash`)
    await ann.must('POST', `/api/files/${model}/restore`)
    expect((await ann.must('GET', `/api/files/${model}`)).parent).toBe(null)
    await ann.must('DELETE', `/api/files/${folder}`)
    expect(await refusal(ann, 'GET', `/api/files/${folder}`)).toBe('not-found')
    expect((await ann.must('GET', `/api/files/${model}`)).name).toBe('Inside')
  })

  it('are duplicated with their content, under a new lineage; repeating it does not undo later edits', async () => {
    const from = await ann.file('Original')
    const post = async (id: string, key: string): Promise<void> => {
      const doc = new Y.Doc()
      doc.getMap('kind').set(key, 'agent')
      const epoch = (await ann.call('GET', `/api/docs/${id}/state`)).headers.get('x-epoch') ?? ''
      await ann.must('POST', `/api/docs/${id}/updates`, Y.encodeStateAsUpdate(doc), { 'x-epoch': epoch })
    }
    const keys = async (id: string): Promise<string[]> => {
      const response = await fetch(`${server.url}/api/docs/${id}/state`, { headers: { cookie: ann.cookie } })
      const doc = new Y.Doc()
      Y.applyUpdate(doc, new Uint8Array(await response.arrayBuffer()))
      return [...doc.getMap('kind').keys()].sort()
    }
    await post(from, 'a')
    const copy = newId('file')
    expect(await ann.must('POST', `/api/files/${from}/duplicate`, { id: copy })).toMatchObject({ name: 'Original (2)', kind: 'model' })
    await post(copy, 'b')
    await ann.must('POST', `/api/files/${from}/duplicate`, { id: copy })
    expect(await keys(copy)).toEqual(['a', 'b'])
    expect(await keys(from)).toEqual(['a'])
    const epochs = await Promise.all([from, copy].map(async id => (await ann.call('GET', `/api/docs/${id}/state`)).headers.get('x-epoch')))
    expect(epochs[0]).not.toBe(epochs[1])
  })

  it('show as recent, last opened first, and as changed when their content changes', async () => {
    const [first, second] = [await bob.file('First'), await bob.file('Second')]
    await bob.ticket(first)
    await bob.ticket(second)
    await bob.ticket(first)
    expect(await names(bob, '?of=recent')).toEqual(['First', 'Second'])
    const before = (await bob.must('GET', `/api/files/${second}`)).updatedAt
    const doc = new Y.Doc()
    doc.getMap('kind').set('a', 'agent')
    const epoch = (await bob.call('GET', `/api/docs/${second}/state`)).headers.get('x-epoch') ?? ''
    await bob.must('POST', `/api/docs/${second}/updates`, Y.encodeStateAsUpdate(doc), { 'x-epoch': epoch })
    expect(Date.parse((await bob.must('GET', `/api/files/${second}`)).updatedAt)).toBeGreaterThan(Date.parse(before))
    expect((await names(bob))[0]).toBe('Second')
  })

  it.each([
    ['an id with a slash', { id: 'a/b/c/d/e/f', kind: 'model', name: 'x' }],
    ['an id that is too short', { id: 'abc', kind: 'model', name: 'x' }],
    ['no name', { id: 'abcdefgh', kind: 'model', name: ' \n ' }],
    ['an unknown kind', { id: 'abcdefgh', kind: 'virus', name: 'x' }],
    ['a name that is a list', { id: 'abcdefgh', kind: 'model', name: ['x'] }],
    ['a team that is SQL', { id: 'abcdefgh', kind: 'model', name: 'x', team: "' or 1=1 --" }],
  ])('refuse %s', async (_, body) => {
    expect(await refusal(ann, 'POST', '/api/files', body)).toBe('invalid-params')
  })

  it('of others do not exist for strangers, whatever they try', async () => {
    const id = await ann.file('Private')
    const tries: [string, string, unknown?][] = [
      ['GET', `/api/files/${id}`],
      ['PATCH', `/api/files/${id}`, { name: 'Mine' }],
      ['POST', `/api/files/${id}/trash`],
      ['POST', `/api/files/${id}/restore`],
      ['DELETE', `/api/files/${id}`],
      ['POST', `/api/files/${id}/duplicate`, { id: newId('file') }],
      ['GET', `/api/files/${id}/collaborators`],
      ['POST', `/api/files/${id}/collaborators`, { email: eve.email, role: 'editor' }],
      ['DELETE', `/api/files/${id}/collaborators/${ann.id}`],
      ['GET', `/api/files/${id}/links`],
      ['POST', `/api/files/${id}/links`, { role: 'viewer' }],
      ['POST', '/api/rt/ticket', { docId: id }],
      ['GET', `/api/docs/${id}/state`],
    ]
    for (const [method, path, body] of tries) expect(await refusal(eve, method, path, body), `${method} ${path}`).toBe('not-found')
    expect(await names(eve)).toEqual([])
    expect((await ann.must('GET', `/api/files/${id}`)).name).toBe('Private')
  })
})

describe('sharing', () => {
  it('with an editor, a viewer and nobody: each sees and may do what the role says', async () => {
    const id = await ann.file('Shared')
    const people = `/api/files/${id}/collaborators`
    expect(await refusal(ann, 'POST', people, { email: 'unknown@example.org', role: 'editor' })).toBe('user-not-registered')
    expect(await refusal(ann, 'POST', people, { email: ann.email, role: 'editor' })).toBe('already-collaborator')
    expect(await refusal(ann, 'POST', people, { email: bob.email, role: 'owner' })).toBe('invalid-params')
    expect(await ann.must('POST', people, { email: bob.email, role: 'viewer' })).toMatchObject({ id: bob.id, role: 'viewer' })
    // A second entry is refused: the role is changed on the first one.
    expect(await refusal(ann, 'POST', people, { email: bob.email, role: 'editor' })).toBe('already-collaborator')
    expect(await names(bob, '?of=shared')).toEqual(['Shared'])
    expect(await bob.must('GET', `/api/files/${id}`)).toMatchObject({ role: 'viewer', owner: { name: 'Ann' } })
    expect(await refusal(bob, 'PATCH', `/api/files/${id}`, { name: 'x' })).toBe('no-permission')
    expect(await refusal(bob, 'POST', people, { email: eve.email, role: 'viewer' })).toBe('no-permission')
    await ann.must('PATCH', `${people}/${bob.id}`, { role: 'editor' })
    expect(await bob.must('PATCH', `/api/files/${id}`, { name: 'Renamed by Bob' })).toMatchObject({
      name: 'Renamed by Bob',
      role: 'editor',
    })
    // The workspace of the file decides about the trash and the folder.
    expect(await refusal(bob, 'POST', `/api/files/${id}/trash`)).toBe('no-permission')
    expect((await ann.must('GET', people)).people).toMatchObject([{ id: bob.id, email: bob.email, role: 'editor' }])
    const copy = newId('file')
    expect(await bob.must('POST', `/api/files/${id}/duplicate`, { id: copy })).toMatchObject({ team: bob.team, role: 'owner' })
    await bob.must('DELETE', `${people}/${bob.id}`)
    expect(await refusal(bob, 'GET', `/api/files/${id}`)).toBe('not-found')
    expect(await names(bob, '?of=shared')).toEqual([])
  })

  it('by link: listed, opened, expired, revoked; a made-up code opens nothing', async () => {
    const id = await ann.file('Linked')
    const links = `/api/files/${id}/links`
    const { code } = await ann.must('POST', links, { role: 'viewer' })
    expect((await ann.must('GET', links)).links).toMatchObject([{ code, role: 'viewer' }])
    const open = await fetch(`${server.url}/api/share/${code}/open`, { method: 'POST' })
    expect(await open.json()).toEqual({ docId: id, name: 'Linked', kind: 'model', team: ann.team, role: 'viewer' })
    expect(await ann.must('POST', `/api/share/${code}/open`)).toMatchObject({ role: 'owner' })
    expect(await refusal(bob, 'POST', `/api/share/${'x'.repeat(32)}/open`)).toBe('share-invalid')
    const expired = await ann.must('POST', links, { role: 'viewer', expiresAt: new Date(Date.now() - 1000).toISOString() })
    expect(await refusal(bob, 'POST', `/api/share/${expired.code}/open`)).toBe('share-expired')
    const other = await ann.file('Not linked')
    expect(await refusal(eve, 'POST', '/api/rt/ticket', { docId: other, share: code })).toBe('not-found')
    await ann.must('POST', `/api/files/${id}/trash`)
    expect(await refusal(bob, 'POST', `/api/share/${code}/open`)).toBe('share-expired')
    await ann.must('POST', `/api/files/${id}/restore`)
    await ann.must('DELETE', `${links}/${code}`)
    expect(await refusal(bob, 'POST', `/api/share/${code}/open`)).toBe('share-expired')
  })
})

describe('pages', () => {
  let dist = ''
  let site: TestServer
  beforeAll(async () => {
    dist = await mkdtemp(join(tmpdir(), 'holarchy-dist-'))
    await mkdir(join(dist, 'assets'))
    await writeFile(join(dist, 'index.html'), '<!doctype html><title>Holarchy</title>')
    await writeFile(join(dist, 'version.json'), '{"version":42}')
    await writeFile(join(dist, 'assets/app-abc123.js'), 'console.log(1)')
    await writeFile(join(dist, 'assets/app-abc123.js.br'), 'packed')
    await writeFile(join(dist, 'assets/engine-def456.js'), 'postMessage(1)')
    await writeFile(join(dist, 'assets/workers-789abc.js'), 'new Worker("/assets/engine-def456.js")')
    await mkdir(join(dist, '.vite'))
    const chunks = { 'client/workers.ts': { file: 'assets/workers-789abc.js', assets: ['assets/engine-def456.js', 'assets/icon.svg'] } }
    await writeFile(join(dist, '.vite/manifest.json'), JSON.stringify(chunks))
    await writeFile(join(dist, 'engine-frame.html'), '<script src="/engine-frame.js"></script>')
    await writeFile(join(dist, 'engine-frame.js'), 'addEventListener')
    site = await startServer(suite.connection, { dist })
  })
  afterAll(async () => {
    await site?.stop()
    await rm(dist, { recursive: true, force: true })
  })
  const get = (path: string, headers: Record<string, string> = {}) => fetch(site.url + path, { headers })

  it('the shell answers every route of the app, is checked each time, and runs no text as code', async () => {
    for (const path of ['/', '/workspace/recent', '/modeling/team/model', '/activate_account/YQ.123456']) {
      const response = await get(path)
      expect([response.status, await response.text()], path).toEqual([200, '<!doctype html><title>Holarchy</title>'])
      expect(response.headers.get('cache-control')).toBe('no-cache')
      const policy = response.headers.get('content-security-policy') ?? ''
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe-eval')
    }
  })

  it('assets are kept for ever, packed when the browser can, and missing ones are missing', async () => {
    const plain = await get('/assets/app-abc123.js', { 'accept-encoding': 'identity' })
    expect(plain.headers.get('cache-control')).toContain('immutable')
    expect(await plain.text()).toBe('console.log(1)')
    const packed = await get('/assets/app-abc123.js', { 'accept-encoding': 'br' }).catch(() => null)
    expect(packed?.headers.get('content-encoding')).toBe('br')
    expect((await get('/assets/old-000.js')).status).toBe(404)
    expect((await get('/../../package.json')).status).toBe(404)
    expect((await get('/%2e%2e/%2e%2e/package.json')).status).toBe(404)
  })

  it('scripts may be fetched by sandboxed frames; pages that are embedded run no text as code, and may begin workers from blobs', async () => {
    const script = await get('/assets/app-abc123.js', { origin: 'null' })
    expect(script.headers.get('access-control-allow-origin')).toBe('*')
    expect(script.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    for (const path of ['/embed/some-code', '/dashboard/embed/some-code', '/chart/embed/some-code']) {
      const policy = (await get(path)).headers.get('content-security-policy') ?? ''
      expect(policy, path).toContain("script-src 'self';")
      expect(policy, path).not.toContain('unsafe-eval')
      expect(policy, path).toContain("worker-src 'self' blob:;")
      expect(policy, path).toContain("frame-src 'self';")
    }
    const page = await get('/workspace/recent')
    expect(page.headers.get('access-control-allow-origin')).toBeNull()
    expect(page.headers.get('content-security-policy')).toContain("worker-src 'self'; frame-src 'none';")
  })

  it('the page that begins the engine for sandboxed frames may compile, has an origin of its own wherever it stands, and nothing in it', async () => {
    const frame = await get('/engine-frame.html')
    const policy = frame.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; script-src 'self' 'unsafe-eval';.*sandbox allow-scripts$/)
    expect(policy).not.toContain('allow-same-origin')
    expect(frame.headers.get('x-frame-options')).toBeNull()
    const script = await get('/engine-frame.js', { origin: 'null' })
    expect(script.headers.get('access-control-allow-origin')).toBe('*')
    expect(script.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect((await get('/workspace/recent')).headers.get('x-frame-options')).toBe('DENY')
  })

  it('the worker may compile, in a policy of its own', async () => {
    const policy = (await get('/assets/engine-def456.js')).headers.get('content-security-policy')
    expect(policy).toBe("default-src 'none'; script-src 'self' 'unsafe-eval'; connect-src 'none'")
    // Its name alone makes no script a worker.
    expect((await get('/assets/workers-789abc.js')).headers.get('content-security-policy')).not.toContain('unsafe-eval')
  })

  it('the version is a number and never cached', async () => {
    const response = await get('/version.json?t=1')
    expect(await response.json()).toEqual({ version: 42 })
    expect(response.headers.get('cache-control')).toBe('no-store')
  })
})
