import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Json } from '../../model-schema/kinds/kind.ts'
import type { Model } from '../../model-schema/model.ts'
import { serveTests, type FromTester, type ToTester } from '../../sim-engine/testing.ts'
import { Tester, type Port } from '../../client/panels/tests/tester.ts'
import { touchedTests } from '../../client/panels/tests/touched.ts'
import { chart, compute, element, end, every, model, process, scenario, start, variable } from '../help/models.ts'

const test = (name: string, condition: string) => element('test', name, { name, checks: [{ what: 'end', condition }] as never })

const built = model(
  scenario({ totalTicks: 5 }),
  variable('x', 0),
  process('P', start(every(1)), compute('x += 1'), end()),
  chart('C', ['x']),
  test('Five', 'x == 5'),
  test('Six', 'x == 6'),
)
const home = built.model.scenarios[0]!

const edited = (from: Model, id: string, fields: Readonly<Record<string, Json>>): Model => {
  const before = from.elements.get(id)!
  return { ...from, elements: new Map(from.elements).set(id, { ...before, fields: { ...before.fields, ...fields } }) }
}

describe('touched tests', () => {
  it('all by what runs, one by itself, none by what people see or by a move', () => {
    const { model: was, id } = built
    const after = (now: Model): string[] => touchedTests(was, now, home)
    expect(after(edited(was, id('x'), { initial: '2' }))).toEqual(['Five', 'Six'])
    expect(after(edited(was, 'Six', { runs: 2 }))).toEqual(['Six'])
    expect(after(edited(was, id('C'), { name: 'D' }))).toEqual([])
    const moved = { ...was.elements.get(id('x'))!, geo: [9, 9, 9, 9] as const }
    expect(after({ ...was, elements: new Map(was.elements).set(id('x'), moved) })).toEqual([])
    const fewer = new Map(was.elements)
    fewer.delete(id('x'))
    expect(after({ ...was, elements: fewer })).toEqual(['Five', 'Six'])
  })
})

describe('tester', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** A tester with a worker that runs here, and its requests. */
  function begun() {
    const asked: ToTester[] = []
    let heard: (message: FromTester) => void = () => undefined
    let crash: (reason: string) => void = () => undefined
    const serve = serveTests(
      message => heard(message),
      () => Promise.resolve(),
    )
    const port: Port = {
      post(message) {
        asked.push(message)
        void serve(message)
      },
      listen(listener, crashed) {
        heard = listener
        crash = crashed
      },
      close() {},
    }
    const tester = new Tester(() => port)
    tester.follow(built.model, home)
    const done = (): Promise<void> => vi.waitFor(() => expect(tester.view.getState().pending).toEqual([]), { timeout: 200_000 })
    return { tester, asked, done, crash: (reason: string) => crash(reason) }
  }
  const passedOf = (tester: Tester) => Object.fromEntries([...tester.view.getState().outcomes].map(([id, { passed }]) => [id, passed]))

  it('runs all tests and keeps what came of them', async () => {
    const { tester, done } = begun()
    tester.run()
    expect(tester.view.getState().pending).toEqual(['Five', 'Six'])
    await done()
    expect(passedOf(tester)).toEqual({ Five: true, Six: false })
  })

  it('runs those that an edit touches a moment later, and none while that is switched off', async () => {
    const { tester, asked, done } = begun()
    const six = edited(built.model, 'Six', { ticks: 6 })
    tester.follow(six, home)
    expect([...tester.view.getState().stale]).toEqual(['Six'])
    expect(asked).toEqual([])
    vi.runAllTimers()
    await done()
    expect(asked).toMatchObject([{ do: 'test', tests: ['Six'] }])
    expect([passedOf(tester), tester.view.getState().stale.size]).toEqual([{ Six: true }, 0])
    tester.automate(false)
    tester.follow(edited(six, built.id('x'), { initial: '3' }), home)
    vi.runAllTimers()
    expect(asked).toHaveLength(1)
    expect(tester.view.getState().stale.size).toBe(2)
    tester.automate(true)
    await done()
    expect(asked).toHaveLength(2)
  })

  it('forgets what was asked for before an edit, and begins again after a crash', async () => {
    const { tester, asked, done, crash } = begun()
    tester.run()
    tester.follow(edited(built.model, built.id('x'), { initial: '1' }), home)
    expect(tester.view.getState().pending).toEqual([])
    vi.runAllTimers()
    await done()
    expect(passedOf(tester)).toEqual({ Five: false, Six: true })
    expect(asked.map(one => one.do)).toEqual(['test', 'stop', 'test'])
    crash('out of memory')
    expect(tester.view.getState().broken).toBe('out of memory')
    tester.run()
    expect(tester.view.getState().broken).toBe(null)
    await done()
  })
})

describe('tests behind a port', () => {
  it('tell what they reach, and say so when the engine itself is wrong', async () => {
    const told: FromTester[] = []
    const serve = serveTests(
      message => void told.push(message),
      () => Promise.resolve(),
    )
    await serve({ do: 'test', ask: 3, model: built.model, scenario: home, tests: ['Five'], coverage: true })
    expect(told.map(one => one.is)).toEqual(['outcome', 'coverage', 'done'])
    expect(told[1]).toMatchObject({ ask: 3, reached: expect.arrayContaining([['P-compute1', 10]]) })
    const broken = new Proxy(built.model, {
      get() {
        throw new Error('no model')
      },
    })
    await serve({ do: 'test', ask: 4, model: broken, scenario: home, tests: ['Five'], coverage: false })
    expect(told.at(-1)).toEqual({ is: 'broken', message: 'no model' })
  })
})
