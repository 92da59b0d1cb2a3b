// Runs kept in a dashboard's file, shown again by an engine that has come to its end; and pages in one file.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { htmlOf } from '../../../client/dashboards/exported.ts'
import { keptRun, keptText, keptTransport, mostLength } from '../../../client/dashboards/runs/kept.ts'
import { createPage } from '../../../client/dashboards/page.ts'
import { createRuns } from '../../../client/dashboards/runs/runs.ts'
import { createRun, type Run } from '../../../client/run/run.ts'
import { dashboardOf, everyItem } from '../../../model-schema/dashboard.ts'
import { modelOfFile, type HoloElement } from '../../../model-schema/file.ts'
import type { Frame, Summary } from '../../../sim-engine/messages.ts'
import { frameAt, loadedWith, scriptedEngine, standingClock, type Scripted } from '../../help/engine.ts'

const file = (elements: Record<string, HoloElement>) => modelOfFile({ format: 'holo', version: 1, elements })
const counting = file({
  main: { kind: 'scenario', name: 'Main' },
  twin: { kind: 'scenario', name: 'Twin' },
  step: { kind: 'variable', parent: 'main', name: 'step', public: true, initial: '1' },
  step2: { kind: 'variable', parent: 'twin', name: 'step', public: true, initial: '1' },
})
const summary: Summary = {
  result: { end: 'success', reason: 'total-ticks' },
  seed: 7,
  ticks: 9,
  time: 9,
  statistics: {},
  publics: {},
  containers: {},
  populations: {},
  tokensLeft: [],
  waiting: [],
  hash: 'x',
}

/** A run that has ended, with a chart of this many rows and this many agents in sight. */
function ended(rows: number, agents: number): Run {
  const engine = scriptedEngine()
  const run = createRun({ model: createStore(() => ({ model: counting })), scenario: 'main', spawn: () => engine, clock: standingClock() })
  run.open()
  const { load } = engine.last('load')
  const loaded = loadedWith(load, { charts: [{ id: 'line', series: [{ label: 'a', color: '' }] }] })
  engine.say({ is: 'loaded', loaded, problems: [], frame: frameAt(load, 0) })
  const x = Float64Array.from({ length: rows }, (_, i) => i)
  const frame: Frame = {
    ...frameAt(load, rows),
    state: 'ended',
    values: { step: 3 },
    series: [{ chart: 'line', from: 0, x, columns: [x.map(value => Math.sin(value))] }],
    layers: [
      {
        kind: 'agent',
        population: 'p',
        count: agents,
        ids: new Float64Array(agents),
        x: new Float32Array(agents).fill(1.5),
        y: new Float32Array(agents),
        heading: new Float32Array(agents),
        size: new Float32Array(agents),
        colors: new Uint32Array(agents).fill(0xff0000),
        shapes: new Uint8Array(agents),
      },
    ],
  }
  engine.say({ is: 'ended', load, result: summary.result, summary, frame })
  return run
}

describe('a kept run', () => {
  it('is none until it has ended', () => {
    const engine = scriptedEngine()
    const run = createRun({
      model: createStore(() => ({ model: counting })),
      scenario: 'main',
      spawn: () => engine,
      clock: standingClock(),
    })
    run.open()
    expect(keptText(run, new Date(0))).toBeNull()
  })

  it('comes back as it was: charts thinned with their extremes, figures, the last picture', async () => {
    const text = keptText(ended(50_000, 20), new Date(0))!
    expect(text.length).toBeLessThan(mostLength)
    const kept = keptRun(text)!
    expect(kept.at).toBe('1970-01-01T00:00:00.000Z')
    const again = createRun({
      model: createStore(() => ({ model: counting })),
      scenario: 'main',
      spawn: () => keptTransport(kept),
      clock: standingClock(),
    })
    again.open()
    await new Promise(done => setImmediate(done))
    const view = again.getState()
    expect(view).toMatchObject({ status: 'ended', frame: { tick: 50_000, values: { step: 3 } }, loaded: { seed: kept.loaded.seed } })
    const series = view.series.get('line')!
    expect(series.length).toBeGreaterThan(100)
    expect(Math.max(...series.column(0))).toBeCloseTo(1, 3)
    expect(Math.min(...series.column(0))).toBeCloseTo(-1, 3)
    const [layer] = view.frame!.layers
    expect(layer?.kind === 'agent' && [layer.count, layer.x[19], layer.colors[0], layer.shapes.length]).toEqual([20, 1.5, 0xff0000, 20])
    // Begun again it shows the same.
    again.reset()
    await new Promise(done => setImmediate(done))
    expect(again.getState().status).toBe('ended')
  })

  it('is shown also where its model cannot be had', async () => {
    const text = keptText(ended(100, 2), new Date(0))!
    const board = (source: string) =>
      dashboardOf(
        file({
          board: { kind: 'dashboard', name: 'Board' },
          a: { kind: 'association', parent: 'board', modelFile: 'gone', modelScenario: 'Main', source, kept: text },
          line: { kind: 'chart', parent: 'a', series: [{ label: 'a', value: 'step' }] },
        }),
      )!
    const runs = createRuns({
      live: false,
      openModel: () => {
        const ready = Promise.reject(new Error('no-document'))
        ready.catch(() => undefined)
        return { model: createStore(() => ({ model: counting })), ready, close: () => undefined }
      },
      spawn: () => {
        throw new Error('nothing is to be run')
      },
    })
    runs.show(board('kept'))
    for (let i = 0; i < 3; i++) await new Promise(done => setImmediate(done))
    const run = runs.getState().runs.get('a')
    expect(run?.state === 'open' && run.run.getState()).toMatchObject({ status: 'ended', frame: { tick: 100 } })
    expect(run?.state === 'open' && run.run.getState().series.get('line')?.length).toBe(100)
    runs.show(board('live'))
    expect(runs.getState().runs.get('a')?.state).toBe('failed')
    runs.show(board('kept'))
    expect(runs.getState().runs.get('a')?.state).toBe('open')
    runs.close()
  })

  it('is kept without its picture when that is too large', () => {
    const text = keptText(ended(1000, 100_000), new Date(0))!
    expect(text.length).toBeLessThan(mostLength)
    expect(keptRun(text)!.frame.layers).toEqual([])
  })

  it('of anything else is none', () => {
    const good = keptText(ended(10, 2), new Date(0))!
    const bad = ['', 'null', '[]', '{}', good.slice(0, -5), good.replace('"charts":[', '"charts":[1,'), good.replace('"f32"', '"f99"')]
    for (const text of bad) expect(keptRun(text), text.slice(0, 40)).toBeNull()
    expect(keptRun(`"${'x'.repeat(3 * mostLength)}"`)).toBeNull()
  })
})

describe('controls of a page with several runs', () => {
  const board = dashboardOf(
    file({
      board: { kind: 'dashboard', name: 'Board' },
      a: { kind: 'association', parent: 'board', modelFile: 'counting' },
      b: { kind: 'association', parent: 'board', modelFile: 'counting', modelScenario: 'Twin' },
      panel: { kind: 'cardGroup', parent: 'board', layout: 'panel' },
      all: { kind: 'controller', parent: 'panel', run: 'a', type: 'slider', target: 'step', everyRun: true, initial: '5' },
      one: { kind: 'controller', parent: 'panel', run: 'a', type: 'number', target: 'step' },
    }),
  )!
  const item = (id: string) => everyItem(board.items).find(({ element }) => element.id === id)!

  it('set the variable of their name in all, or in their own; first values are inputs of the first start', async () => {
    const engines: Scripted[] = []
    const runs = createRuns({
      live: false,
      clock: standingClock(),
      openModel: () => ({ model: createStore(() => ({ model: counting })), ready: Promise.resolve(), close: () => undefined }),
      spawn() {
        const engine = scriptedEngine()
        engines.push(engine)
        return engine
      },
    })
    runs.show(board)
    await new Promise(done => setImmediate(done))
    expect(engines[0]!.last('load').options.inputs).toEqual({ step: 5 })
    const page = createPage()
    page.show(board, runs.getState().runs)
    for (const engine of engines) {
      const { load } = engine.last('load')
      engine.say({ is: 'loaded', loaded: loadedWith(load, {}), problems: [], frame: frameAt(load, 0) })
    }
    const inputs = () => [...runs.getState().runs.values()].map(run => (run.state === 'open' ? run.run.getState().inputs : null))
    expect(inputs()).toEqual([{ step: 5 }, { step2: 5 }])
    page.change(item('all'), 8)
    expect(inputs()).toEqual([{ step: 8 }, { step2: 8 }])
    page.change(item('one'), 2)
    expect(inputs()).toEqual([{ step: 2 }, { step2: 8 }])
    expect(page.valueOf(item('all'))).toBe(2)
  })
})

describe('a page in one file', () => {
  const holo = { format: 'holo' as const, version: 1 as const, elements: {} }
  it('lets its own script run and nothing else; what stands in it ends nothing', async () => {
    const title = 'A <b>"wall"</b> & more'
    const program = 'const a = "</script><!-- x";\r\nrun(a)'
    const html = await htmlOf(
      { title, locale: 'zh-CN', page: { ...holo, title: '</script><script>alert(1)</script>' }, models: {} },
      program,
      'a{content:"</style>"}',
    )
    expect(html.match(/<script/g)).toHaveLength(2)
    expect(html.match(/<\/script>/g)).toHaveLength(2)
    expect(html.match(/<\/style>/g)).toHaveLength(1)
    expect(html).toContain('<title>A &lt;b>&quot;wall&quot;&lt;/b> &amp; more</title>')
    expect(html).toContain('<html lang="zh-CN">')
    const script = /<script>([\s\S]*)<\/script>\n<\/body>/.exec(html)![1]!
    expect(script).toBe('const a = "\\x3c/script>\\x3c!-- x";\nrun(a)')
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)![1]!
    expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    expect(policy).toMatch(/^default-src 'none';/)
    expect(policy).not.toContain('connect-src')
    const data: unknown = JSON.parse(/id="holarchy-data">([\s\S]*?)<\/script>/.exec(html)![1]!)
    expect(data).toMatchObject({ title, page: { title: '</script><script>alert(1)</script>' } })
  })
})
