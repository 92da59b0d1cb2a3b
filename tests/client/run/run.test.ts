// The page's run against a scripted engine: which messages go out, what becomes of the answers, and what happens when
// they don't come.
import { describe, expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { createRun, type Run, type RunLimits } from '../../../client/run/run.ts'
import { outputLines } from '../../../client/run/running.ts'
import type { Element, Id, Model } from '../../../model-schema/model.ts'
import type { Json } from '../../../model-schema/kinds/kind.ts'
import { problem } from '../../../sim-engine/problems.ts'
import { frameAt, loadedWith, scriptedEngine, standingClock, type Scripted } from '../../help/engine.ts'

const element = (id: Id, kind: string, parent: Id | null, fields: Record<string, Json> = {}, children: Id[] = []): Element => ({
  id,
  kind,
  parent,
  children,
  geo: [0, 0, 10, 10],
  ends: null,
  bends: [],
  fields,
})

const modelOf = (elements: Element[]): Model => ({
  schema: 1,
  elements: new Map(elements.map(one => [one.id, one])),
  roots: ['s'],
  scenarios: ['s'],
  notes: [],
})

const root = element('s', 'scenario', null, {}, ['rate', 'note', 'view'])
const parts = [
  root,
  element('rate', 'variable', 's', { initial: '1' }),
  element('note', 'note', 's'),
  element('view', 'worldView', 's', { grid: false }),
]

function setUp() {
  const engines: Scripted[] = []
  const clock = standingClock()
  const model = createStore(() => ({ model: modelOf(parts) }))
  const limits = createStore<RunLimits>(() => ({ steps: null, ticksPerSecond: null }))
  const run = createRun({
    model,
    limits,
    scenario: 's',
    clock,
    spawn() {
      const engine = scriptedEngine()
      engines.push(engine)
      return engine
    },
  })
  const close = run.open()
  const change = (...changed: Element[]) => {
    const elements = new Map(model.getState().model.elements)
    for (const one of changed) elements.set(one.id, one)
    model.setState({ model: { ...model.getState().model, elements } })
  }
  const engine = (at = engines.length - 1): Scripted => {
    const found = engines[at]
    if (!found) throw new Error(`no engine ${at}`)
    return found
  }
  const ready = () => {
    const { load } = engine(0).last('load')
    engine(0).say({
      is: 'loaded',
      loaded: loadedWith(load, { charts: [{ id: 'c', series: [{ label: 'a', color: '' }] }] }),
      problems: [],
      frame: frameAt(load, 0),
    })
    return load
  }
  return { run, close, clock, model, limits, engines, engine, change, ready, view: run.getState }
}

const summary = {
  seed: 1,
  ticks: 1,
  time: 1,
  statistics: {},
  publics: {},
  containers: {},
  populations: {},
  tokensLeft: [],
  waiting: [],
  hash: '0',
}

describe('a run on the page', () => {
  it('loads, plays, pauses, steps', () => {
    const { run, engine, ready, view } = setUp()
    expect(view().status).toBe('loading')
    const load = ready()
    expect(view().status).toBe('ready')
    run.play()
    expect(engine().last('play')).toEqual({ do: 'play', speed: 30 })
    engine().say({ is: 'frame', frame: frameAt(load, 3) })
    run.setSpeed(null)
    expect(engine().last('speed').speed).toBeNull()
    run.toggle()
    engine().say({ is: 'frame', frame: frameAt(load, 4, { state: 'paused' }) })
    expect(view()).toMatchObject({ status: 'paused', frame: { tick: 4 } })
    run.step()
    expect(engine().posted.at(-1)).toEqual({ do: 'step' })
  })

  it('lets the engine send the next frame only when this one is drawn', () => {
    const { run, engine, ready, clock } = setUp()
    const load = ready()
    run.play()
    engine().say({ is: 'frame', frame: frameAt(load, 1) })
    expect(engine().posted.filter(message => message.do === 'drawn')).toHaveLength(0)
    clock.paint()
    clock.paint()
    expect(engine().posted.filter(message => message.do === 'drawn')).toHaveLength(1)
  })

  it('drops answers of an earlier load', () => {
    const { run, engine, ready, view } = setUp()
    const load = ready()
    run.play()
    run.reset()
    engine().say({ is: 'frame', frame: frameAt(load, 99) })
    engine().say({
      is: 'ended',
      load,
      result: { end: 'success', reason: 'total-ticks' },
      summary: { ...summary, result: { end: 'success', reason: 'total-ticks' } },
      frame: frameAt(load, 99),
    })
    expect(view()).toMatchObject({ status: 'loading', frame: { tick: 0 } })
    ready()
    expect(view()).toMatchObject({ status: 'ready', result: null })
  })

  it('collects series and output, and empties them on reset', () => {
    const { run, engine, ready, view } = setUp()
    const load = ready()
    run.play()
    const lines = Array.from({ length: outputLines - 1 }, (_, i) => ({ tick: i, element: 'rate', text: String(i) }))
    engine().say({
      is: 'frame',
      frame: frameAt(load, 1, {
        series: [{ chart: 'c', from: 0, x: Float64Array.of(0, 1), columns: [Float64Array.of(5, 6)] }],
        output: lines,
      }),
    })
    engine().say({
      is: 'frame',
      frame: frameAt(load, 2, {
        series: [{ chart: 'c', from: 2, x: Float64Array.of(2), columns: [Float64Array.of(7)] }],
        output: lines.slice(0, 3),
      }),
    })
    expect([...(view().series.get('c')?.column(0) ?? [])]).toEqual([5, 6, 7])
    expect(view().output).toHaveLength(outputLines)
    expect(view().outputDropped).toBe(2)
    run.reset()
    ready()
    expect(view().series.get('c')?.length).toBe(0)
    expect(view()).toMatchObject({ output: [], outputDropped: 0 })
  })

  it('shows how it ended, and playing again starts from the beginning', () => {
    const { run, engine, ready, view } = setUp()
    const load = ready()
    run.play()
    const result = { end: 'terminated', element: 'rate', tip: 'enough' } as const
    engine().say({ is: 'ended', load, result, summary: { ...summary, result }, frame: frameAt(load, 9, { state: 'ended' }) })
    expect(view()).toMatchObject({ status: 'ended', result })
    run.toggle()
    expect(engine().last('load').load).toBe(load + 1)
    ready()
    expect(view().status).toBe('playing')
  })

  it('applies edits before the first instant at once, in one go', () => {
    const { engine, ready, change, clock, view } = setUp()
    ready()
    change(element('rate', 'variable', 's', { initial: '2' }))
    change(element('rate', 'variable', 's', { initial: '3' }))
    expect(engine().posted.filter(message => message.do === 'load')).toHaveLength(1)
    clock.pass(200)
    expect(engine().posted.filter(message => message.do === 'load')).toHaveLength(2)
    expect(engine().last('load').model.elements.get('rate')?.fields['initial']).toBe('3')
    engine().say({ is: 'problems', load: engine().last('load').load, problems: [problem(8001, { id: 'rate' })] })
    expect(view()).toMatchObject({ status: 'problems', problems: [{ code: 8001 }] })
  })

  it('plays a model that was mended a moment ago, and nothing while it is as wrong as it was', () => {
    const { run, engine, ready, change, clock, view } = setUp()
    ready()
    change(element('rate', 'variable', 's', { initial: 'rat' }))
    clock.pass(200)
    const wrong = engine().last('load').load
    engine().say({ is: 'problems', load: wrong, problems: [problem(8001, { id: 'rate' })] })
    run.toggle()
    expect(view().status).toBe('problems')
    expect(engine().last('load').load).toBe(wrong)
    change(element('rate', 'variable', 's', { initial: '2' }))
    run.toggle()
    expect(view().status).toBe('loading')
    ready()
    expect(engine().posted.filter(message => message.do === 'play')).toHaveLength(1)
  })

  it('leaves what is half written unchecked until its writer rests, and keeps showing the seed', () => {
    const { run, engine, ready, change, clock, view } = setUp()
    ready()
    const seed = view().seedUsed
    change(element('rate', 'variable', 's', { initial: 'e' }))
    run.setTyping(true)
    clock.pass(1000)
    change(element('rate', 'variable', 's', { initial: 'expo' }))
    clock.pass(1000)
    expect(engine().posted.filter(message => message.do === 'load')).toHaveLength(1)
    run.setTyping(false)
    clock.pass(200)
    expect(engine().last('load').model.elements.get('rate')?.fields['initial']).toBe('expo')
    engine().say({ is: 'problems', load: engine().last('load').load, problems: [problem(8001, { id: 'rate' })] })
    expect(view()).toMatchObject({ status: 'problems', loaded: null, seedUsed: seed })
  })

  it('leaves a standing run alone when the model changes, but checks it', () => {
    const { run, engine, engines, ready, change, clock, view } = setUp()
    const load = ready()
    run.play()
    engine(0).say({ is: 'frame', frame: frameAt(load, 5, { state: 'paused' }) })
    change(element('rate', 'variable', 's', { initial: '' }))
    clock.pass(200)
    expect(view()).toMatchObject({ status: 'paused', stale: true, frame: { tick: 5 } })
    expect(engines).toHaveLength(2)
    expect(engine(1).posted.map(message => message.do)).toEqual(['check'])
    engine(1).say({ is: 'checked', check: engine(1).last('check').check - 1, problems: [] })
    engine(1).say({ is: 'checked', check: engine(1).last('check').check, problems: [problem(8001, { id: 'rate' })] })
    expect(view()).toMatchObject({ status: 'paused', problems: [{ code: 8001 }] })
    run.reset()
    expect(engine(1).closed).toBe(true)
    expect(engine(0).last('load').model.elements.get('rate')?.fields['initial']).toBe('')
    expect(view().stale).toBe(false)
  })

  it('minds neither moves nor notes, and reset applies nothing when the edit was taken back', () => {
    const { run, engine, engines, ready, change, clock, view } = setUp()
    const load = ready()
    change({ ...element('rate', 'variable', 's', { initial: '1' }), geo: [5, 5, 10, 10] }, element('note', 'note', 's', { body: 'hello' }))
    clock.pass(1000)
    expect(engine(0).posted.filter(message => message.do === 'load')).toHaveLength(1)
    run.play()
    engine(0).say({ is: 'frame', frame: frameAt(load, 5, { state: 'paused' }) })
    change(element('view', 'worldView', 's', { grid: true }))
    clock.pass(200)
    expect(view().stale).toBe(false)
    change(element('rate', 'variable', 's', { initial: '2' }))
    clock.pass(200)
    expect(view().stale).toBe(true)
    change(element('rate', 'variable', 's', { initial: '1' }))
    clock.pass(200)
    expect(view().stale).toBe(false)
    expect(engines).toHaveLength(2)
  })

  it('sets public variables at once while running and again at the next start', () => {
    const { run, engine, ready, clock, view } = setUp()
    let load = ready()
    run.setInput('rate', 4)
    clock.pass(120)
    expect(engine().last('load').options.inputs).toEqual({ rate: 4 })
    load = ready()
    run.play()
    engine().say({ is: 'frame', frame: frameAt(load, 7) })
    run.setInput('rate', 5)
    expect(engine().last('set')).toEqual({ do: 'set', variable: 'rate', value: 5 })
    expect(view().pending).toHaveProperty('rate')
    engine().say({ is: 'frame', frame: frameAt(load, 7) })
    expect(view().pending).toHaveProperty('rate')
    engine().say({ is: 'frame', frame: frameAt(load, 8) })
    expect(view().pending).toEqual({})
    run.reset()
    expect(engine().last('load').options.inputs).toEqual({ rate: 5 })
  })

  it('plays with an input that was set just before, and is not stopped by its load', () => {
    const { run, engine, ready, clock, view } = setUp()
    ready()
    run.setInput('rate', 4)
    run.play()
    expect(engine().last('load').options.inputs).toEqual({ rate: 4 })
    ready()
    expect(view().status).toBe('playing')
    clock.pass(1000)
    expect(view().status).toBe('playing')
  })

  it('plays with an input and a seed that were set while the model was being loaded', () => {
    const { run, engine, ready, clock, view } = setUp()
    ready()
    run.setInput('rate', 4)
    clock.pass(120)
    expect(view().status).toBe('loading')
    run.setInput('rate', 5)
    run.setSeed(9)
    run.play()
    ready()
    expect(engine().last('load').options).toMatchObject({ inputs: { rate: 5 }, seed: 9 })
    ready()
    expect(view().status).toBe('playing')
    clock.pass(1000)
    expect(view().status).toBe('playing')
    expect(engine().last('load').options).toMatchObject({ inputs: { rate: 5 }, seed: 9 })
  })

  it.each([
    ['a step', { do: 'step' }, (run: Run) => run.step()],
    ['a step of a token', { do: 'stepToken', how: 'into' }, (run: Run) => run.stepToken('into')],
  ] as const)('keeps %s that follows a change of an input, or is asked for while loading', (_, message, ask) => {
    const { run, engine, ready, clock } = setUp()
    ready()
    run.setInput('rate', 4)
    ask(run)
    expect(engine().posted).not.toContainEqual(message)
    expect(engine().last('load').options.inputs).toEqual({ rate: 4 })
    ready()
    expect(engine().posted).toContainEqual(message)
    clock.pass(1000)
    expect(engine().posted.at(-1)).toEqual(message)
  })

  it('goes back in time: lines and charts are those of then, and it has not ended', () => {
    const { run, engine, ready, view } = setUp()
    const load = ready()
    run.play()
    const result = { end: 'success', reason: 'total-ticks' } as const
    engine().say({
      is: 'ended',
      load,
      result,
      summary: { ...summary, result },
      frame: frameAt(load, 9, {
        state: 'ended',
        output: [{ tick: 9, element: 'rate', text: 'late' }],
        series: [{ chart: 'c', from: 0, x: Float64Array.of(0, 9), columns: [Float64Array.of(1, 2)] }],
      }),
    })
    run.seek(4)
    expect(engine().last('seek').tick).toBe(4)
    engine().say({
      is: 'frame',
      frame: frameAt(load, 4, {
        state: 'paused',
        rewound: true,
        output: [{ tick: 1, element: 'rate', text: 'early' }],
        series: [{ chart: 'c', from: 0, x: Float64Array.of(0), columns: [Float64Array.of(1)] }],
      }),
    })
    expect(view()).toMatchObject({ status: 'paused', result: null, furthest: 9, output: [{ text: 'early' }] })
    expect(view().series.get('c')?.length).toBe(1)
    run.back()
    expect(engine().posted.at(-1)).toEqual({ do: 'back' })
  })

  it('tells a new engine its breakpoints, and shows where the run stopped', () => {
    const { run, engine, engines, ready, view } = setUp()
    const load = ready()
    run.setBreakpoints([{ id: 'b', enabled: true, on: 'error' }])
    run.play()
    engine().say({ is: 'frame', frame: frameAt(load, 3, { state: 'paused' }) })
    engine().say({
      is: 'stopped',
      load,
      stop: { why: 'error', inFormula: false, breakpoint: 'b', tick: 3, time: 3, problem: null, change: null, stack: [], shared: [] },
    })
    expect(view()).toMatchObject({ status: 'paused', stop: { why: 'error' } })
    run.restart()
    expect(engines).toHaveLength(2)
    expect(engine(1).posted.map(message => message.do)).toEqual(['breakpoints', 'load'])
  })

  it('reports a crashed engine and starts another on request', () => {
    const { run, engine, engines, ready, view } = setUp()
    ready()
    run.play()
    engine(0).crash('out of memory')
    expect(view()).toMatchObject({ status: 'broken', broken: { code: 10002 } })
    expect(engine(0).closed).toBe(true)
    run.restart()
    expect(engines).toHaveLength(2)
    expect(engine(1).last('load').scenario).toBe('s')
    expect(view()).toMatchObject({ status: 'loading', broken: null })
  })

  it('hints at an engine that keeps silent, then gives it up', () => {
    const { clock, engine, view } = setUp()
    clock.pass(4000)
    expect(view()).toMatchObject({ status: 'loading', silent: true })
    clock.pass(56_000)
    expect(view()).toMatchObject({ status: 'broken', silent: false, broken: { code: 10002 } })
    expect(engine(0).closed).toBe(true)
  })

  it('follows an individual', () => {
    const { run, engine, ready, view } = setUp()
    ready()
    run.inspect('wolf', 17)
    engine().say({ is: 'individual', population: 'wolf', entity: 16, values: { energy: 1 } })
    expect(view().inspected).toEqual({ population: 'wolf', entity: 17, values: undefined })
    engine().say({ is: 'individual', population: 'wolf', entity: 17, values: { energy: 2 } })
    expect(view().inspected?.values).toEqual({ energy: 2 })
    run.inspect('wolf', null)
    expect(view().inspected).toBeNull()
  })

  it('ends its engines when closed', () => {
    const { close, engine, change, clock } = setUp()
    close()
    change(element('rate', 'variable', 's', { initial: '2' }))
    clock.pass(1000)
    expect(engine(0).closed).toBe(true)
    expect(engine(0).posted.filter(message => message.do === 'load')).toHaveLength(1)
  })
})

describe('what a plan allows', () => {
  it('is learnt after the start: the run is loaded with its most ticks, and no faster than it may', () => {
    const { run, limits, engine, ready, view } = setUp()
    ready()
    expect(engine(0).last('load').options).not.toHaveProperty('stepLimit')
    run.setSpeed(null)
    expect(view().speed).toBeNull()
    limits.setState({ steps: 100_000, ticksPerSecond: 60 })
    expect(engine(0).last('load').options).toMatchObject({ stepLimit: 100_000 })
    expect(view()).toMatchObject({ speed: 60, fastest: 60 })
    run.setSpeed(500)
    expect(view().speed).toBe(60)
    run.setSpeed(10)
    expect(view().speed).toBe(10)
    limits.setState({ steps: 100_000, ticksPerSecond: null })
    run.setSpeed(null)
    expect(view()).toMatchObject({ speed: null, fastest: null })
  })

  it('slows a run that plays', () => {
    const { run, limits, engine, ready } = setUp()
    ready()
    run.setSpeed(null)
    run.play()
    expect(engine(0).last('play').speed).toBeNull()
    limits.setState({ steps: null, ticksPerSecond: 60 })
    expect(engine(0).last('speed').speed).toBe(60)
  })
})
