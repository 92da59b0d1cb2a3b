// Data from outside the page: what has another form is reported or left out, and the rest is kept.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError, api } from '../../client/api.ts'
import { readStored } from '../../client/experiments/conduct/cloud.ts'
import { pack, unpack } from '../../client/experiments/pack.ts'
import { readHanded, handedHash } from '../../client/run/handed.ts'
import { storedEpochs, storedSamples } from '../../sim-engine/experiment/doors/stored.ts'
import type { Sample } from '../../sim-engine/experiment.ts'
import { modelOfFile } from '../../model-schema/file.ts'
import { say, Told } from '../../model-schema/words.ts'

afterEach(() => vi.unstubAllGlobals())

const refusedWith = async (status: number, body: string): Promise<ApiError> => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body, { status })))
  const error = await api.signOut().then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ApiError)) throw new Error('not refused')
  return error
}

describe('answers: a refusal', () => {
  it('names its code, its details and the limit it met', async () => {
    const limit = { quantity: 'files', allowed: 3, plan: 'pro', isOwners: true }
    const issues = [{ path: 'name', message: 'too long' }]
    const error = await refusedWith(
      402,
      JSON.stringify({ code: 'limit-reached', message: 'full', limit, issues, feature: { feature: 'x' } }),
    )
    expect(error).toMatchObject({
      code: 'limit-reached',
      status: 402,
      message: 'limit-reached: full',
      named: ['name'],
      feature: 'x',
      why: null,
    })
    expect(error.limit).toEqual({ quantity: 'files', allowed: 3, isOwners: true })
  })

  it.each([
    ['a page of a proxy', '<html>Bad gateway</html>', 502, 'unavailable'],
    ['nothing', '', 503, 'unavailable'],
    ['a list', '[]', 400, 'unexpected'],
    ['a code of a newer server', '{"code":"moon-risen","message":"full"}', 409, 'unexpected'],
  ])('of %s still has a status and a code', async (_, body, status, code) => {
    expect(await refusedWith(status, body)).toMatchObject({ code, status, limit: null, missing: null, named: [] })
  })

  it('keeps what can be read of it', async () => {
    const error = await refusedWith(
      402,
      '{"code":"limit-reached","message":5,"limit":{"quantity":7},"missing":{"asset":"gold","needed":2,"has":1}}',
    )
    expect(error).toMatchObject({
      code: 'limit-reached',
      message: 'limit-reached',
      limit: null,
      missing: { asset: 'gold', needed: 2, has: 1 },
    })
  })
})

describe('device: the remembered user', () => {
  const rememberedAs = async (text: string) => {
    vi.stubGlobal('localStorage', { getItem: (key: string) => (key.endsWith('me') ? text : null) })
    vi.resetModules()
    const { identity } = await import('../../client/account/identity.ts')
    return identity.getState().me
  }
  const me = { id: 'u', name: 'Ann', email: 'a@b.c', team: 't' }

  it('is read with and without a picture', async () => {
    expect(await rememberedAs(JSON.stringify(me))).toEqual(me)
    expect(await rememberedAs(JSON.stringify({ ...me, avatar: 'p' }))).toEqual({ ...me, avatar: 'p' })
  })

  it.each(['', 'null', '[]', '{"id":1}', JSON.stringify({ ...me, team: null })])('is nobody in %j', async text => {
    expect(await rememberedAs(text)).toBe(null)
  })
})

describe('addresses: a run handed over', () => {
  it('comes back as it was sent', () => {
    const handed = { scenario: 'main', seed: 2 ** 32 - 1, ticks: null, inputs: { a: 1.5, b: true, c: 'x' } }
    expect(readHanded(handedHash(handed))).toEqual(handed)
  })

  it('is none where it is cut, too large or of another form; an input that is no value is left out', () => {
    const made = (value: object): string => `#run=${encodeURIComponent(JSON.stringify(value))}`
    expect(readHanded('#run=%E0%A4%A')).toBe(null)
    expect(readHanded('#run=%7B')).toBe(null)
    for (const seed of [-1, 2 ** 32, 0.5, '1']) expect(readHanded(made({ scenario: 'm', seed, inputs: {} }))).toBe(null)
    expect(readHanded(made({ scenario: 'm', seed: 1, ticks: -1, inputs: {} }))).toBe(null)
    expect(readHanded(made({ scenario: 'm', seed: 1, inputs: { a: 1, b: [2], c: null } }))).toEqual({
      scenario: 'm',
      seed: 1,
      ticks: null,
      inputs: { a: 1 },
    })
  })
})

describe('downloads: the results of an experiment', () => {
  const study = modelOfFile({ format: 'holo', version: 1, elements: { plan: { kind: 'experiment', name: 'Plan' } } })
  const model = modelOfFile({ format: 'holo', version: 1, elements: { main: { kind: 'scenario', name: 'Main' } } })
  const entry = { key: 'k', study, model, startedAt: new Date(0).toISOString(), runs: 2, failed: 1, ended: 'finished' as const }
  const problem = {
    code: 10001,
    severity: 'error',
    at: { id: 'a', canvas: 'main' },
    message: say('Division by zero.'),
    fix: say('Divide by something else.'),
  } as unknown as NonNullable<Sample['problem']>
  const samples = new Map<number, Sample>([
    [0, { end: 'success', ticks: 5, values: [1, NaN], problem: null }],
    [1, { end: 'failed', ticks: 2, values: [2, 3], problem }],
  ])

  it('come back as they were packed, with the reason of each failure', async () => {
    const read = await unpack(await pack(entry, samples))
    expect(read?.samples).toEqual(samples)
    expect(read?.entry).toEqual(entry)
  })

  it('are refused when an element is met twice or not at all', async () => {
    const main = model.elements.get('main')!
    const broken = (elements: Iterable<readonly [string, typeof main]>) => ({ ...entry, model: { ...model, elements: new Map(elements) } })
    expect(await unpack(await pack(broken([['main', { ...main, children: ['main'] }]]), samples))).toBe(null)
    expect(
      await unpack(
        await pack(
          broken([
            ['main', main],
            ['lost', { ...main, id: 'lost', parent: 'main' }],
          ]),
          samples,
        ),
      ),
    ).toBe(null)
  })
})

describe('server work: what a job stored', () => {
  it('has NaN where JSON has null', () => {
    const [sample] = readStored(storedSamples, [{ run: 3, end: 'success', ticks: 1, values: [1, null], problem: null }])
    expect(sample).toEqual({ run: 3, end: 'success', ticks: 1, values: [1, NaN], problem: null })
    const test = { mean: 1, half: null, low: 0, high: 2, length: 4 }
    const row = { epoch: 1, decisions: 10, episodes: 0, learning: null, length: null, test, figures: { loss: null } }
    expect(readStored(storedEpochs, { rows: [row], policy: null }).rows).toEqual([
      { ...row, learning: NaN, length: NaN, test: { ...test, half: NaN }, figures: { loss: NaN } },
    ])
  })

  it('is refused with a message when it has another form', () => {
    for (const data of [null, {}, [{ run: -1 }], [{ run: 1, end: 'tired', ticks: 1, values: [], problem: null }]])
      expect(() => readStored(storedSamples, data)).toThrow(Told)
  })
})
