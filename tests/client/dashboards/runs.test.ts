// The runs of a dashboard: what each engine is given, which cards are left out, when they begin, and how several keep to one clock.
import { describe, expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { dashboardOf } from '../../../model-schema/dashboard.ts'
import { modelOfFile, type HoloElement } from '../../../model-schema/file.ts'
import type { Model } from '../../../model-schema/model.ts'
import { problem } from '../../../sim-engine/problems.ts'
import { lockstep, statusOfAll } from '../../../client/dashboards/runs/lockstep.ts'
import { createRuns } from '../../../client/dashboards/runs/runs.ts'
import { createRun, type Run } from '../../../client/run/run.ts'
import { frameAt, loadedWith, scriptedEngine, standingClock, type Scripted } from '../../help/engine.ts'

const file = (elements: Record<string, HoloElement>): Model => modelOfFile({ format: 'holo', version: 1, elements })

const counting = file({
  main: { kind: 'scenario', name: 'Main' },
  other: { kind: 'scenario', name: 'Other' },
  step: { kind: 'variable', parent: 'main', name: 'step', public: true, initial: '1' },
})

const board = (more: Record<string, HoloElement> = {}, run: Partial<HoloElement> = {}) =>
  dashboardOf(
    file({
      board: { kind: 'dashboard', name: 'Board' },
      run: { kind: 'association', parent: 'board', modelFile: 'counting', ...run },
      line: { kind: 'chart', parent: 'run', series: [{ label: 'step', value: 'step' }] },
      ...more,
    }),
  )!

async function setUp(live = false) {
  const engines: Scripted[] = []
  const clock = standingClock()
  const opened: string[] = []
  const closed: string[] = []
  const model = createStore(() => ({ model: counting }))
  const runs = createRuns({
    live,
    clock,
    openModel(modelFile) {
      opened.push(modelFile)
      const ready = modelFile === 'gone' ? Promise.reject(new Error('no-document')) : Promise.resolve()
      ready.catch(() => undefined)
      return { model, ready, close: () => void closed.push(modelFile) }
    },
    spawn() {
      const engine = scriptedEngine()
      engines.push(engine)
      return engine
    },
  })
  const settle = () => new Promise<void>(done => setImmediate(done))
  const open = (id = 'run') => {
    const run = runs.getState().runs.get(id)
    if (run?.state !== 'open') throw new Error(`${id} is ${run?.state}`)
    return run
  }
  return { runs, engines, clock, model, opened, closed, settle, open }
}

function answer(engine: Scripted): number {
  const { load } = engine.last('load')
  engine.say({ is: 'loaded', loaded: loadedWith(load, {}), problems: [], frame: frameAt(load, 0) })
  return load
}

describe('the runs of a dashboard', () => {
  it('run the model with the cards on its scenario; the model itself has none', async () => {
    const { runs, engines, settle } = await setUp()
    runs.show(board())
    expect(runs.getState().runs.get('run')?.state).toBe('opening')
    await settle()
    const { model, scenario } = engines[0]!.last('load')
    expect(scenario).toBe('main')
    expect(model.elements.get('line')?.parent).toBe('main')
    expect(counting.elements.has('line')).toBe(false)
  })

  it('leave out a card that is refused, say why, and try it again once it has changed', async () => {
    const { runs, engines, clock, settle, open } = await setUp()
    const broken = { bad: { kind: 'chart', parent: 'run', series: [{ label: '', value: 'nothing' }] } }
    runs.show(board(broken))
    await settle()
    const engine = engines[0]!
    engine.say({ is: 'problems', load: engine.last('load').load, problems: [problem(10002, { id: 'bad', field: 'series/0/value' })] })
    expect(open().faults.get('bad')).toHaveLength(1)
    clock.pass(1000)
    expect(engine.last('load').model.elements.has('bad')).toBe(false)
    expect(engine.last('load').model.elements.has('line')).toBe(true)
    // What fields look names up in has it all the same.
    expect(open().model.getState().model.elements.has('bad')).toBe(true)
    answer(engine)
    // Moved, it is still the same card.
    runs.show(board({ bad: { ...broken.bad, geo: [3, 3, 4, 4] } }))
    expect(open().faults.has('bad')).toBe(true)
    runs.show(board({ bad: { ...broken.bad, series: [{ label: '', value: 'step' }] } }))
    expect(open().faults.has('bad')).toBe(false)
    clock.pass(1000)
    expect(engine.last('load').model.elements.has('bad')).toBe(true)
  })

  it('begin by themselves where that is asked for and the page is used', async () => {
    for (const live of [true, false]) {
      const { runs, engines, settle } = await setUp(live)
      runs.show(board({}, { begin: 'play', seed: 7, speed: 12 }))
      await settle()
      answer(engines[0]!)
      expect(engines[0]!.last('load').options.seed).toBe(7)
      expect(engines[0]!.posted.some(message => message.do === 'play')).toBe(live)
    }
  })

  it('open a model once for all that are about it, and close it with the last', async () => {
    const { runs, engines, opened, closed, settle } = await setUp()
    const second = { two: { kind: 'association', parent: 'board', modelFile: 'counting', modelScenario: 'Other' } }
    runs.show(board(second))
    await settle()
    expect(opened).toEqual(['counting'])
    expect(engines.map(engine => engine.last('load').scenario)).toEqual(['main', 'other'])
    runs.show(board())
    expect(engines[1]!.closed).toBe(true)
    expect(closed).toEqual([])
    runs.close()
    expect(closed).toEqual(['counting'])
  })

  it('say when there is no model, no scenario, or none to be had', async () => {
    const { runs, settle } = await setUp()
    const stateOf = async (run: Partial<HoloElement>) => {
      runs.show(board({}, run))
      await settle()
      return runs.getState().runs.get('run')?.state
    }
    expect(await stateOf({ modelFile: '' })).toBe('none')
    expect(await stateOf({ modelFile: 'gone' })).toBe('failed')
    expect(await stateOf({ modelScenario: 'Elsewhere' })).toBe('no-scenario')
    expect(await stateOf({ modelScenario: 'Other' })).toBe('open')
  })
})

describe('several runs on one clock', () => {
  function two() {
    const engines: Scripted[] = []
    const clock = standingClock()
    const runs = ['a', 'b'].map((): Run => {
      const run = createRun({
        model: createStore(() => ({ model: counting })),
        scenario: 'main',
        clock,
        speed: 10,
        spawn() {
          const engine = scriptedEngine()
          engines.push(engine)
          return engine
        },
      })
      run.open()
      return run
    })
    const loads = engines.map(answer)
    const at = (which: number, tick: number, state: 'playing' | 'paused' = 'playing') =>
      engines[which]!.say({ is: 'frame', frame: { ...frameAt(loads[which]!, tick), state } })
    return { runs, engines, at }
  }
  const sent = (engine: Scripted) => engine.posted.map(message => message.do).filter(what => what === 'play' || what === 'pause')

  it('the one ahead waits until the other has caught up', () => {
    const { runs, engines, at } = two()
    const together = lockstep(runs)
    together.play()
    at(0, 1)
    at(1, 1)
    expect(engines.map(sent)).toEqual([['play'], ['play']])
    at(0, 5)
    expect(sent(engines[0]!)).toEqual(['play', 'pause'])
    at(0, 5, 'paused')
    at(1, 4)
    expect(sent(engines[0]!)).toEqual(['play', 'pause'])
    at(1, 5)
    expect(sent(engines[0]!)).toEqual(['play', 'pause', 'play'])
    expect(sent(engines[1]!)).toEqual(['play'])
  })

  it('what a person pauses holds nobody up, and a pause for all ends the waiting', () => {
    const { runs, engines, at } = two()
    const together = lockstep(runs)
    together.play()
    at(0, 1)
    at(1, 1)
    runs[1]!.pause()
    at(1, 1, 'paused')
    at(0, 50)
    expect(sent(engines[0]!)).toEqual(['play'])
    together.pause()
    at(0, 51, 'paused')
    at(1, 1, 'paused')
    expect(sent(engines[0]!)).toEqual(['play', 'pause'])
  })

  it('a bar for all shows what is most to be known', () => {
    expect(statusOfAll(['paused', 'playing'])).toBe('playing')
    expect(statusOfAll(['ready', 'problems'])).toBe('problems')
    expect(statusOfAll(['ended', 'ready'])).toBe('ready')
  })
})
