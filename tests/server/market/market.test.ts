// Publications: every step in every state, who may take it, what is frozen, and that what came from the store does not go back into it.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import * as Y from 'yjs'
import { afterFee, economy } from '../../../model-schema/business/coins.ts'
import { fileOf, newDocument, readModel } from '../../../model-schema/document.ts'
import { place } from '../../../model-schema/edit.ts'
import { parseFile, printFile } from '../../../model-schema/file.ts'
import { appNext, appStates, appSteps } from '../../../model-schema/business/market.ts'
import type { AppState, AppStep } from '../../../model-schema/business/market.ts'
import { samples } from '../../../model-schema/samples.ts'
import { similarityThreshold } from '../../../sync-server/market/likeness.ts'
import { shareOf, traitsOf } from '../../../sync-server/market/traits.ts'
import { give } from '../../../sync-server/coins/gifts.ts'
import { balances, person } from '../../../sync-server/coins/ledger.ts'
import { Person, startServer, useDatabase } from '../../help/server.ts'
import type { TestServer } from '../../help/server.ts'
import { newId } from '../../help/network/company.ts'
import { aboutOf, modelOf, shelved, upload, write } from '../../help/network/market.ts'

const suite = useDatabase()
const operators: string[] = []
let server: TestServer
let ann: Person
let bob: Person

beforeAll(async () => {
  server = await startServer(suite.connection, { operators })
  ann = await server.person('Ann')
  bob = await server.person('Bob')
})
afterAll(() => server?.stop())

const guest = (): Person => new Person(server.url)

async function stateOf(path: string, who: Person = guest()): Promise<Y.Doc> {
  const response = await fetch(server.url + path, { headers: { cookie: who.cookie } })
  expect(response.status, path).toBe(200)
  const doc = new Y.Doc()
  Y.applyUpdate(doc, new Uint8Array(await response.arrayBuffer()))
  return doc
}

const take = (who: Person, id: string, step: AppStep) => {
  if (step === 'update') return who.call('PUT', `/api/market/apps/${id}`, { about: aboutOf('Again') })
  if (step === 'publish') return who.call('POST', `/api/market/apps/${id}/publish`)
  if (step === 'discard') return who.call('DELETE', `/api/market/apps/${id}/draft`)
  return who.call('POST', `/api/market/apps/${id}/${step === 'takeOff' ? 'off-shelf' : 'put-back'}`)
}

/** A publication in a state, with a version prepared. */
async function appIn(state: AppState): Promise<string> {
  const source = await modelOf(ann, newId())
  const id = newId()
  await ann.must('POST', '/api/market/apps', { id, source, kind: 'model', about: aboutOf(id) })
  if (state === 'publishing') return id
  await ann.must('POST', `/api/market/apps/${id}/publish`)
  await ann.must('PUT', `/api/market/apps/${id}`, { about: aboutOf('Next') })
  if (state === 'off-shelf') await ann.must('POST', `/api/market/apps/${id}/off-shelf`)
  return id
}

describe('the states of a publication', () => {
  it('every step in every state does what the table says, or is refused and changes nothing', async () => {
    for (const state of appStates) {
      for (const step of appSteps) {
        const id = await appIn(state)
        const { status, json } = await take(ann, id, step)
        const after = await server.database.db.selectFrom('market_app').select('state').where('id', '=', id).executeTakeFirst()
        const next = appNext[state][step]
        const label = `${step} while ${state}`
        expect([label, after?.state ?? 'gone'], JSON.stringify(json)).toEqual([label, next ?? state])
        const refused = state === 'off-shelf' && (step === 'update' || step === 'publish') ? 'market-off-shelf' : 'market-state'
        expect([label, status < 300 ? 'ok' : json.code]).toEqual([label, next === null ? refused : 'ok'])
      }
    }
  })

  it('of two who publish or shelve at once one does it', async () => {
    const id = await appIn('publishing')
    const both = await Promise.all([take(ann, id, 'publish'), take(ann, id, 'publish')])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const off = await Promise.all([take(ann, id, 'takeOff'), take(ann, id, 'takeOff')])
    expect(off.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('a file has one publication; preparing it again by its id is the same, publishing twice is refused', async () => {
    const source = await modelOf(ann, 'Once')
    const [id, other] = [newId(), newId()]
    const wish = { source, kind: 'model', about: aboutOf('Once') }
    await ann.must('POST', '/api/market/apps', { id, ...wish })
    await ann.must('POST', '/api/market/apps', { id, ...wish })
    expect((await ann.call('POST', '/api/market/apps', { id: other, ...wish })).json.code).toBe('market-published')
    await ann.must('POST', `/api/market/apps/${id}/publish`)
    expect((await ann.call('POST', '/api/market/apps', { id, ...wish })).json.code).toBe('market-published')
    expect((await ann.call('POST', `/api/market/apps/${id}/publish`)).json.code).toBe('market-state')
    expect((await ann.must('GET', `/api/market/of/${source}`)).app).toMatchObject({ id, state: 'published' })
    const another = await modelOf(ann, 'Another')
    expect((await ann.call('POST', '/api/market/apps', { id, ...wish, source: another })).json.code).toBe('id-taken')
  })

  it('charging is refused, and so is what is no publication', async () => {
    const source = await modelOf(ann, 'Dear')
    const post = async (more: Record<string, unknown>, about: Record<string, unknown> = {}) =>
      (await ann.call('POST', '/api/market/apps', { id: newId(), source, kind: 'model', about: aboutOf('Dear', about), ...more })).json.code
    expect(await post({}, { incentive: { price: 5, referral: 0 } })).toBe('market-charge')
    expect(await post({}, { incentive: { price: 0, referral: 51 } })).toBe('invalid-params')
    expect(await post({ kind: 'dashboard' })).toBe('invalid-params')
    expect(await post({}, { name: '' })).toBe('invalid-params')
    expect(await post({}, { topic: 'nothing' })).toBe('invalid-params')
    expect(await post({}, { pages: { scenarios: ['none-of-them'], copies: true } })).toBe('invalid-params')
    const empty = await ann.file('Empty folder', { kind: 'folder' })
    expect(await post({ source: empty, kind: 'project' })).toBe('invalid-params')
  })

  it('what is published stays as it was, whatever becomes of the file; the next version replaces it', async () => {
    const source = await modelOf(ann, 'First title')
    const id = await shelved(ann, source, 'Frozen')
    const path = `/api/market/apps/${id}/files/${source}/state`
    const before = await stateOf(path)
    const edited = await stateOf(`/api/docs/${source}/state`, ann)
    edited.getMap('meta').set('title', 'Second title')
    await write(ann, source, edited)
    expect(fileOf(await stateOf(path))).toEqual(fileOf(before))
    await ann.must('PUT', `/api/market/apps/${id}`, { about: aboutOf('Thawed', { notes: 'A new title' }) })
    // Prepared: its author tests it; it is hidden from others.
    expect(fileOf(await stateOf(path)).title).toBe('First title')
    expect(fileOf(await stateOf(`${path}?draft=1`, ann)).title).toBe('Second title')
    expect((await bob.call('GET', `${path}?draft=1`)).status).toBe(404)
    await ann.must('POST', `/api/market/apps/${id}/publish`)
    expect(fileOf(await stateOf(path)).title).toBe('Second title')
    const app = await guest().must('GET', `/api/market/apps/${id}`)
    expect(app).toMatchObject({ version: 2, name: 'Thawed', notes: 'A new title', tags: ['queue', 'teaching'] })
    expect(app.versions.map(({ number }: { number: number }) => number)).toEqual([2, 1])
    // Without its file it is still there, and its author still takes it off and puts it back.
    await ann.must('POST', `/api/files/${source}/trash`)
    await ann.must('DELETE', `/api/files/${source}`)
    expect((await guest().call('GET', `/api/market/apps/${id}`)).status).toBe(200)
    expect((await take(bob, id, 'takeOff')).status).toBe(403)
    expect((await take(ann, id, 'takeOff')).status).toBe(200)
    expect((await guest().call('GET', `/api/market/apps/${id}`)).status).toBe(404)
    expect((await take(ann, id, 'putBack')).status).toBe(200)
  })

  it('leaves the past of a document behind, and scenarios out of the page range', async () => {
    const elements = {
      first: { kind: 'scenario', name: 'Shown' },
      second: { kind: 'scenario', name: 'A secret one' },
      a: { kind: 'variable', parent: 'first', name: 'shown' },
      b: { kind: 'variable', parent: 'second', name: 'hidden' },
    }
    const source = await upload(ann, 'Two scenarios', JSON.stringify({ format: 'holo', version: 1, elements }))
    // What was deleted before is still in the document, and not in what is published.
    const doc = await stateOf(`/api/docs/${source}/state`, ann)
    doc.getMap('meta').set('title', 'Long gone')
    doc.getMap('meta').set('title', 'Now')
    await write(ann, source, doc)
    const id = await shelved(ann, source, 'One of two', { pages: { scenarios: ['first'], copies: true } })
    const response = await fetch(`${server.url}/api/market/apps/${id}/files/${source}/state`)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes.includes('shown')).toBe(true)
    expect(bytes.includes('hidden') || bytes.includes('A secret one') || bytes.includes('Long gone')).toBe(false)
  })
})

describe('who may publish', () => {
  it('the switches of a team decide, dashboards by their own', async () => {
    const team = (await ann.must('POST', '/api/workspaces', { id: newId(), type: 'team', name: 'Switches' })).id
    const model = await modelOf(ann, 'Model', { team })
    const board = await ann.file('Board', { kind: 'dashboard', team })
    const doc = newDocument('Board', 'dashboard')
    place(doc, { kind: 'association', parent: readModel(doc).roots[0]!, at: [0, 0], values: { modelFile: model } })
    await write(ann, board, doc)
    const attempt = async (source: string, kind: string) =>
      (
        await ann.call('POST', '/api/market/apps', {
          id: newId(),
          source,
          kind,
          models: kind === 'dashboard' ? [model] : [],
          about: aboutOf('x'),
        })
      ).status
    for (const submitMarket of [true, false]) {
      for (const publishDashboard of [true, false]) {
        await ann.must('PATCH', `/api/workspaces/${team}`, { switches: { submitMarket, publishDashboard } })
        const { db } = server.database
        await db.deleteFrom('market_app').where('source_id', 'in', [model, board]).execute()
        expect([await attempt(model, 'model'), await attempt(board, 'dashboard')]).toEqual([
          submitMarket ? 201 : 403,
          publishDashboard ? 201 : 403,
        ])
      }
    }
    // What is published is taken off also when the space no longer publishes, and not put back.
    await ann.must('PATCH', `/api/workspaces/${team}`, { switches: { submitMarket: true } })
    const id = await shelved(ann, model, 'Taken off')
    await ann.must('PATCH', `/api/workspaces/${team}`, { switches: { submitMarket: false } })
    expect((await take(ann, id, 'takeOff')).status).toBe(200)
    expect((await take(ann, id, 'putBack')).status).toBe(403)
  })

  it('a dashboard brings the models it runs, as far as its author may publish them', async () => {
    const model = await modelOf(ann, 'Run by a board')
    const his = await modelOf(bob, 'Not hers')
    const boardOn = async (...models: string[]): Promise<string> => {
      const board = await ann.file(newId(), { kind: 'dashboard' })
      const doc = newDocument('Board', 'dashboard')
      const [root] = readModel(doc).roots
      for (const modelFile of models) place(doc, { kind: 'association', parent: root!, at: [0, 0], values: { modelFile } })
      await write(ann, board, doc)
      return board
    }
    const board = await boardOn(model)
    // A model named in it is published when its author agreed to that one: editors of the dashboard can name others.
    expect((await ann.must('GET', `/api/market/of/${board}`)).models).toEqual([{ id: model, name: 'Run by a board', elsewhere: false }])
    const wish = { id: newId(), source: board, kind: 'dashboard', about: aboutOf('Board') }
    const unasked = await ann.call('POST', '/api/market/apps', wish)
    expect(unasked.json).toMatchObject({ code: 'market-models', issues: [{ path: model, message: 'Run by a board' }] })
    const id = await shelved(ann, board, 'Board', { kind: 'dashboard', models: [model] })
    expect(fileOf(await stateOf(`/api/market/apps/${id}/files/${model}/state`)).title).toBe('Run by a board')
    expect((await ann.call('PUT', `/api/market/apps/${id}`, { about: aboutOf('Board') })).json.code).toBe('market-models')
    const foreign = await boardOn(his)
    const { json } = await ann.call('POST', '/api/market/apps', {
      id: newId(),
      source: foreign,
      kind: 'dashboard',
      models: [his],
      about: aboutOf('x'),
    })
    expect(json.code).toBe('not-found')
  })
})

describe('coins for authors', () => {
  it('coins: who uses or copies a publication may thank its author, which both sides find in their history, once', async () => {
    const source = await modelOf(ann, 'Thanked')
    const id = await shelved(ann, source, 'Thanked')
    const gift = { id: newId(), coins: 20 }
    for (let i = 0; i < 2; i++) await bob.must('POST', `/api/market/apps/${id}/thanks`, gift)
    await bob.must('POST', `/api/market/apps/${id}/copies`, { id: newId(), thanks: 10 })
    const entries = async (who: Person): Promise<[string, number][]> => {
      const { lines } = await who.must('GET', '/api/coins/history?assets=coins&kinds=usage,downloadApp')
      return lines.map((line: { entry: string; amount: number }) => [line.entry, line.amount])
    }
    expect(await entries(bob)).toEqual([
      ['downloadAppOut', -10],
      ['usageOut', -20],
    ])
    expect(await entries(ann)).toEqual([
      ['downloadAppIn', 9],
      ['usageIn', 18],
    ])
    const refused = async (who: Person, wish: object): Promise<string> =>
      (await who.call('POST', `/api/market/apps/${id}/thanks`, wish)).json.code
    expect(await refused(ann, { id: newId(), coins: 5 })).toBe('market-own')
    for (const coins of [0, -1, 1.5, 1e9]) expect(await refused(bob, { id: newId(), coins })).toBe('invalid-params')
    expect(await refused(bob, { ...gift, coins: 21 })).toBe('id-taken')
    expect(await refused(bob, { id: newId(), coins: 10_000 })).toBe('not-enough-coins')
  })
})

describe('a copy', () => {
  it('is taken into a workspace of one’s choice with where it came from, once however often it is asked for', async () => {
    const source = await modelOf(ann, 'Original')
    const id = await shelved(ann, source, 'Wanted')
    const team = (await bob.must('POST', '/api/workspaces', { id: newId(), type: 'team', name: 'His team' })).id
    const copy = newId()
    const first = await bob.must('POST', `/api/market/apps/${id}/copies`, { id: copy, team })
    const again = await bob.must('POST', `/api/market/apps/${id}/copies`, { id: copy, team })
    expect([first.counted, again.counted]).toEqual([true, false])
    expect(await bob.must('GET', `/api/files/${copy}`)).toMatchObject({ name: 'Wanted', team, kind: 'model' })
    expect(fileOf(await stateOf(`/api/docs/${copy}/state`, bob)).title).toBe('Original')
    const { origin } = await bob.must('GET', `/api/market/origin/${copy}`)
    expect(origin).toMatchObject({ app: id, name: 'Wanted', version: 1, author: { name: 'Ann' }, licence: 'CC-BY-4.0' })
    const app = await bob.must('GET', `/api/market/apps/${id}`)
    expect(app.counts.downloads).toBe(1)
    expect(app.copies).toMatchObject([{ id: copy, team, version: 1 }])
    // A second copy is a second file, and no second download.
    await bob.must('POST', `/api/market/apps/${id}/copies`, { id: newId() })
    expect((await bob.must('GET', `/api/market/apps/${id}`)).counts.downloads).toBe(1)
  })

  it('of a shipped sample is in the language asked for, of anything else as it was published', async () => {
    const text = await readFile(new URL('../../../model-schema/samples/clinic.holo', import.meta.url), 'utf8')
    const copied = async (app: string, language: string): Promise<{ file: string; names: string[] }> => {
      const copy = newId()
      await bob.must('POST', `/api/market/apps/${app}/copies`, { id: copy, language })
      const { elements } = fileOf(await stateOf(`/api/docs/${copy}/state`, bob))
      const names = ['Staff2', 'Staff', 'busy'].map(id => String(elements[id]?.['name']))
      return { file: (await bob.must('GET', `/api/files/${copy}`)).name, names }
    }
    const about = { source: await upload(ann, 'A ward', text), kind: 'model', about: aboutOf('A ward') }
    await ann.must('POST', '/api/market/apps', { id: 'sample-clinic', ...about })
    await ann.must('POST', '/api/market/apps/sample-clinic/publish')
    expect(await copied('sample-clinic', 'zh')).toEqual({ file: '诊所', names: ['护士人数', '护士人数', '忙碌'] })
    expect(await copied('sample-clinic', 'en')).toEqual({ file: 'A ward', names: ['Staff', 'Staff', 'busy'] })
    const other = await shelved(ann, await upload(ann, 'Its twin', text), 'Its twin')
    expect(await copied(other, 'zh')).toEqual({ file: 'Its twin', names: ['Staff', 'Staff', 'busy'] })
    // Run in its place it is in that language, too.
    const shown = async (language: string): Promise<string> => {
      const [file] = (await bob.must('GET', '/api/market/apps/sample-clinic')).files
      const { elements } = fileOf(await stateOf(`/api/market/apps/sample-clinic/files/${file.id}/state?language=${language}`, bob))
      return String(elements['Nurses']?.['name'])
    }
    expect([await shown('zh'), await shown('en')]).toEqual(['护士', 'Nurses'])
    const wrong = await bob.call('POST', '/api/market/apps/sample-clinic/copies', { id: newId(), language: 'fr' })
    expect(wrong.json.code).toBe('invalid-params')
  })

  it('of a project has its folders, and its experiments and dashboards run its own models', async () => {
    const project = await ann.file('Project', { kind: 'project' })
    const folder = await ann.file('Models', { kind: 'folder', parent: project })
    const model = await modelOf(ann, 'Inside', { parent: folder })
    const board = await ann.file('Board', { kind: 'dashboard', parent: project })
    const doc = newDocument('Board', 'dashboard')
    place(doc, { kind: 'association', parent: readModel(doc).roots[0]!, at: [0, 0], values: { modelFile: model } })
    await write(ann, board, doc)
    const experiment = await ann.file('Study', { kind: 'experiment', parent: project })
    await write(ann, experiment, newDocument('Study', 'experiment'))
    await ann.must('PUT', `/api/files/${experiment}/model`, { model })
    const id = await shelved(ann, project, 'Whole project', { kind: 'project' })
    const copy = newId()
    await bob.must('POST', `/api/market/apps/${id}/copies`, { id: copy })
    const files = (await bob.must('GET', '/api/files?of=all')).files as {
      id: string
      name: string
      parent: string
      kind: string
      model: string
    }[]
    const named = (name: string) => files.find(file => file.name === name)
    expect(named('Whole project')).toMatchObject({ id: copy, kind: 'project' })
    expect(named('Models')?.parent).toBe(copy)
    expect(named('Inside')?.parent).toBe(named('Models')?.id)
    expect(named('Study')?.model).toBe(named('Inside')?.id)
    const text = printFile(fileOf(await stateOf(`/api/docs/${named('Board')?.id}/state`, bob)))
    expect([text.includes(model), text.includes(named('Inside')?.id ?? '?')]).toEqual([false, true])
  })

  it('is refused of what is only used in its page, and of what is not on the shelf', async () => {
    const id = await shelved(ann, await modelOf(ann, 'App'), 'App', { kind: 'app', pages: { scenarios: null, copies: false } })
    expect((await bob.call('POST', `/api/market/apps/${id}/copies`, { id: newId() })).json.code).toBe('no-permission')
    const other = await shelved(ann, await modelOf(ann, 'Gone'), 'Gone')
    await take(ann, other, 'takeOff')
    expect((await bob.call('POST', `/api/market/apps/${other}/copies`, { id: newId() })).json.code).toBe('not-found')
    expect((await guest().call('POST', `/api/market/apps/${id}/copies`, { id: newId() })).json.code).toBe('signed-out')
  })

  it('costs nothing, and writes nothing into the ledger; a price would be paid once, shared with who referred, or undo the copy', async () => {
    const { db } = server.database
    const id = await shelved(ann, await modelOf(ann, 'For coins'), 'For coins', { incentive: { price: 0, referral: 50 } })
    const cy = await server.person('Cy')
    const coins = async (who: Person): Promise<number> => (await balances(db, person(who.id))).coins
    const lines = async (): Promise<number> =>
      (await sql<{ n: number }>`select count(*)::int as n from ledger_transaction where key like ${`download:${id}%`}`.execute(db)).rows[0]
        ?.n ?? -1
    await cy.must('POST', `/api/market/apps/${id}/copies`, { id: newId(), by: bob.id })
    expect(await lines()).toBe(0)
    // Charging does not exist yet: the price is put there by hand.
    const price = (await coins(bob)) + 1000
    await sql`update market_version set incentive = ${JSON.stringify({ price, referral: 50 })} where app_id = ${id}`.execute(db)
    const copy = newId()
    const refused = await bob.call('POST', `/api/market/apps/${id}/copies`, { id: copy, by: cy.id })
    expect(refused.json.code).toBe('not-enough-coins')
    expect((await bob.call('GET', `/api/files/${copy}`)).status).toBe(404)
    await give(db, { key: newId(), kind: 'systemGift', userId: bob.id, amounts: { coins: 1000 }, by: 'test' })
    const before = [await coins(ann), await coins(cy)] as const
    await bob.must('POST', `/api/market/apps/${id}/copies`, { id: copy, by: cy.id })
    await bob.must('POST', `/api/market/apps/${id}/copies`, { id: newId(), by: cy.id })
    const { net } = afterFee(price, economy.feeRate)
    const reward = Math.floor(net / 2)
    expect([await coins(bob), await coins(ann), await coins(cy)]).toEqual([0, before[0] + net - reward, before[1] + reward])
    expect(await lines()).toBeGreaterThan(0)
  })

  it('is not published again, by whatever way', async () => {
    const id = await shelved(ann, await modelOf(ann, 'Mine alone'), 'Mine alone')
    const copy = newId()
    await bob.must('POST', `/api/market/apps/${id}/copies`, { id: copy })
    const attempt = async (source: string, kind = 'model') =>
      (await bob.call('POST', '/api/market/apps', { id: newId(), source, kind, about: aboutOf('Stolen') })).json.code
    expect(await attempt(copy), 'itself').toBe('market-downloaded')
    const duplicate = newId()
    await bob.must('POST', `/api/files/${copy}/duplicate`, { id: duplicate, team: bob.team })
    expect(await attempt(duplicate), 'a duplicate').toBe('market-downloaded')
    const team = (await bob.must('POST', '/api/workspaces', { id: newId(), type: 'team', name: newId() })).id
    await bob.must('POST', `/api/files/${duplicate}/move`, { team, parent: null })
    expect(await attempt(duplicate), 'moved to a team').toBe('market-downloaded')
    const project = await bob.file('Wrapped', { kind: 'project' })
    await bob.must('POST', `/api/files/${copy}/move`, { parent: project })
    expect(await attempt(project, 'project'), 'in a project').toBe('market-downloaded')
    const text = printFile(fileOf(await stateOf(`/api/docs/${copy}/state`, bob)))
    expect(await attempt(await upload(bob, 'Imported', text)), 'out and in as .holo').toBe('market-downloaded')
    const bare = text.replaceAll(/"fromMarket": "[^"]*",? ?/g, '').replaceAll(/, }/g, ' }')
    expect(bare).not.toContain('fromMarket')
    expect(await attempt(await upload(bob, 'Imported bare', bare)), 'its mark cut out').toBe('market-downloaded')
    const board = await bob.file('About it', { kind: 'dashboard' })
    const doc = newDocument('Board', 'dashboard')
    place(doc, { kind: 'association', parent: readModel(doc).roots[0]!, at: [0, 0], values: { modelFile: copy } })
    await write(bob, board, doc)
    expect(await attempt(board, 'dashboard'), 'run by a dashboard').toBe('market-downloaded')
    // Ann publishes other work of hers as before.
    await shelved(ann, await modelOf(ann, 'Other work'), 'Other work')
  })
})

describe('what is like the work of somebody else', () => {
  /** A model that says enough to be recognised: an agent with a process of steps, each with a program of its own. */
  const work = (seed: string, steps = 24): string =>
    printFile({
      format: 'holo',
      version: 1,
      elements: {
        main: { kind: 'scenario', name: 'Main' },
        beast: { kind: 'agent', parent: 'main', name: 'Beast' },
        vigour: { kind: 'variable', parent: 'beast', name: 'vigour' },
        day: { kind: 'process', parent: 'beast', name: 'Day' },
        ...Object.fromEntries(
          Array.from({ length: steps }, (_, i) => [
            `step${i}`,
            {
              kind: 'compute',
              parent: 'day',
              name: `Do ${i}`,
              geo: [i * 40, 0, 100, 60],
              program: `vigour += sin(${seed}${i}) * ${i} # day ${i}`,
            },
          ]),
        ),
      },
    })
  /** The same, with names, places and comments of one's own, and every n-th program rewritten. */
  const disguised = (text: string, every: number): string =>
    text
      .replaceAll(/\bvigour\b/g, 'strength')
      .replaceAll(/\bBeast\b/g, 'Animal')
      .replaceAll(/# day/g, '#')
      .replaceAll(/"geo": ?\[\d+/g, '"geo": [7')
      .replaceAll(/strength \+= sin\((\w+?)(\d+)\)/g, (all, _, i) => (Number(i) % every === 0 ? `strength -= cos(${i}) + 100` : all))
  const prepare = async (who: Person, text: string, about = {}) => {
    const id = newId()
    const source = await upload(who, newId(), text)
    return { id, answer: await who.call('POST', '/api/market/apps', { id, source, kind: 'model', about: aboutOf(id, about) }) }
  }
  const publishIt = (who: Person, id: string) => who.call('POST', `/api/market/apps/${id}/publish`)

  it('waits for a moderator, who sees both and lets it pass once for all, or refuses it', async () => {
    const op = await server.person('Operator')
    operators.push(op.email)
    const text = work('1')
    const app = await shelved(ann, await upload(ann, 'Beasts', text), 'Beasts')
    const { id, answer } = await prepare(bob, disguised(text, 6))
    expect(answer.json.like).toMatchObject({ id: app, name: 'Beasts', author: 'Ann', asked: false })
    expect(answer.json.like.share).toBeGreaterThan(0.7)
    expect(await publishIt(bob, id)).toMatchObject({ status: 409, json: { code: 'market-similar' } })
    expect((await ann.call('POST', '/api/market/appeals', { about: 'draft', target: id, words: 'x' })).json.code).toBe('no-permission')
    expect((await op.call('GET', `/api/market/apps/${id}?draft=1`)).status).toBe(404)
    const ask = () => bob.call('POST', '/api/market/appeals', { about: 'draft', target: id, words: 'From a textbook' })
    expect((await ask()).status).toBe(201)
    expect((await op.call('GET', `/api/market/apps/${id}?draft=1`)).status).toBe(200)
    const { cases } = await op.must('GET', '/api/market/moderation')
    expect(cases.find((one: { target: string }) => one.target === id)).toMatchObject({
      about: 'draft',
      sort: 'appeal',
      words: 'From a textbook',
      like: { id: app, name: 'Beasts' },
    })
    const decide = (outcome: string, because = '') =>
      op.call('POST', '/api/market/moderation/decide', { about: 'draft', target: id, outcome, because })
    expect((await decide('hidden', 'It is Ann’s')).status).toBe(200)
    expect((await publishIt(bob, id)).json.code).toBe('market-similar')
    await ask()
    expect((await decide('shown')).status).toBe(200)
    expect((await publishIt(bob, id)).status).toBe(200)
    // The next version is not asked about again; nor may a moderator's word be asked for where nothing waits.
    const next = await bob.must('PUT', `/api/market/apps/${id}`, { about: aboutOf('Again') })
    expect(next.like).toBeNull()
    expect((await ask()).json.code).toBe('market-state')
    expect((await publishIt(bob, id)).status).toBe(200)
    const told = await server.database.db.selectFrom('notification').select('data').where('user_id', '=', bob.id).execute()
    expect(told.map(one => one.data).filter(data => data['about'] === 'draft')).toHaveLength(2)
  })

  it('no two of the shipped samples are, by far', async () => {
    const all = await Promise.all(
      samples.map(async ({ id }) => {
        const read = parseFile(await readFile(new URL(`../../../model-schema/samples/${id}.holo`, import.meta.url), 'utf8'))
        return 'file' in read ? traitsOf(read.file) : []
      }),
    )
    for (const [i, known] of all.entries()) {
      expect(shareOf(known, known)).toBe(1)
      for (const [j, other] of all.entries())
        if (i !== j) expect(shareOf(known, other), `${samples[i]?.id} in ${samples[j]?.id}`).toBeLessThan(similarityThreshold / 2)
    }
  })

  it('is one’s own work, a sample, or another model of the same sort: that does not wait', async () => {
    const text = work('2')
    await shelved(ann, await upload(ann, 'Mine', text), 'Mine')
    expect((await prepare(ann, disguised(text, 5))).answer.json.like).toBeNull()
    expect((await prepare(bob, work('3'))).answer.json.like).toBeNull()
    // Most of it rewritten, and too little left to compare.
    expect((await prepare(bob, disguised(text, 2))).answer.json.like).toBeNull()
    await shelved(ann, await upload(ann, 'Small', work('4', 6)), 'Small')
    expect((await prepare(bob, disguised(work('4', 6), 7))).answer.json.like).toBeNull()
    const sample = await readFile(new URL('../../../model-schema/samples/segregation.holo', import.meta.url), 'utf8')
    await shelved(ann, await upload(ann, 'Town', sample), 'Town')
    expect((await prepare(bob, sample.replaceAll('Household', 'Family'))).answer.json.like ?? null).toBeNull()
  })

  it('is found in a larger model around it, and in what was published before traits were kept', async () => {
    const text = work('5')
    const app = await shelved(ann, await upload(ann, 'Core', text), 'Core')
    await server.database.db.deleteFrom('market_trait').where('app_id', '=', app).execute()
    await server.database.db.updateTable('market_file').set({ traits: null }).where('app_id', '=', app).execute()
    const [inner, outer] = [
      JSON.parse(disguised(text, 9)),
      JSON.parse(work('6', 3000).replaceAll('step', 'other').replaceAll('"day"', '"night"')),
    ]
    outer.elements.night = { kind: 'process', parent: 'beast', name: 'Night' }
    const all = { ...inner, elements: { ...outer.elements, ...inner.elements } }
    expect((await prepare(bob, JSON.stringify(all))).answer.json.like).toMatchObject({ id: app })
  })
})

describe('the shelf', () => {
  it('is found by words, topic, tag, licence and author, shows what is published, and orders by rank', async () => {
    const cat = await server.person('Catherine')
    // A number that no random part of a nickname begins with: authors are found by their names, too.
    const clinic = await shelved(cat, await modelOf(cat, 'c1'), 'Clinic 350125% off_beds', {
      topic: 'health',
      tags: ['beds'],
      licence: 'MIT',
    })
    const hidden = await shelved(cat, await modelOf(cat, 'c2'), 'Clinic hidden', { topic: 'health' })
    await take(cat, hidden, 'takeOff')
    const ids = async (query: string): Promise<string[]> =>
      (await guest().must('GET', `/api/market/apps?${query}`)).apps.map(({ id }: { id: string }) => id)
    expect(await ids('q=clinic')).toEqual([clinic])
    expect(await ids(`q=${encodeURIComponent('350125%')}`)).toEqual([clinic])
    expect(await ids(`q=${encodeURIComponent('off_b')}`)).toEqual([clinic])
    expect(await ids(`q=${encodeURIComponent('offxb')}`)).toEqual([])
    expect(await ids('q=catherine')).toEqual([clinic])
    expect(await ids(`topic=health&tag=beds&licence=MIT&kind=model,app&author=${cat.id}`)).toEqual([clinic])
    expect(await ids(`author=${cat.id}&kind=dashboard`)).toEqual([])
    expect(await ids('verified=1')).toEqual([])
    expect((await cat.must('GET', '/api/market/apps?of=mine')).apps).toHaveLength(2)
    expect((await guest().call('GET', '/api/market/apps?of=mine')).json.code).toBe('signed-out')
    // What people like goes up.
    await bob.must('PUT', `/api/market/apps/${clinic}/like`, { on: true })
    expect((await ids('sort=recommended'))[0]).toBe(clinic)
    expect((await guest().must('GET', '/api/market/tags')).tags).toContainEqual({ tag: 'beds', n: 1 })
  })

  it('shows the cover to everybody, and of what is prepared to its author', async () => {
    const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(40)])
    const id = newId()
    await ann.must('POST', '/api/market/apps', { id, source: await modelOf(ann, 'Covered'), kind: 'model', about: aboutOf('Covered') })
    await ann.must('PUT', `/api/market/apps/${id}/cover`, png, { 'content-type': 'image/png' })
    expect((await bob.call('GET', `/api/market/apps/${id}/cover`)).status).toBe(404)
    await take(ann, id, 'publish')
    expect((await guest().call('GET', `/api/market/apps/${id}/cover`)).status).toBe(200)
    // Nothing is prepared now, and what is published does not change.
    expect((await ann.call('PUT', `/api/market/apps/${id}/cover`, png, { 'content-type': 'image/png' })).json.code).toBe('market-state')
    expect((await bob.call('PUT', `/api/market/apps/${id}/cover`, png, { 'content-type': 'image/png' })).status).toBe(403)
    // A sample of what is shipped can be published.
    const text = await readFile(new URL('../../../model-schema/samples/car-wash.holo', import.meta.url), 'utf8')
    await shelved(ann, await upload(ann, 'Car wash', text), 'Car wash')
  })
})
