// A run of an experiment as the run of a dashboard: noted in the file, made again by the engine itself, compared with what the experiment stored.
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { createPage } from '../../../client/dashboards/page.ts'
import { createRuns } from '../../../client/dashboards/runs/runs.ts'
import { isAsStored, measuredNow, storedRun, storedText, type Stored } from '../../../client/dashboards/runs/stored.ts'
import { picked } from '../../../client/experiments/picked.ts'
import type { Transport } from '../../../client/run/engine.ts'
import { dashboardOf, everyItem } from '../../../model-schema/dashboard.ts'
import { experimentOf } from '../../../model-schema/experiment.ts'
import { modelOfFile, parseFile, type HoloElement } from '../../../model-schema/file.ts'
import type { Model } from '../../../model-schema/model.ts'
import { conduct, createLocal, createRunner, prepare } from '../../../sim-engine/experiment.ts'
import type { FromEngine } from '../../../sim-engine/messages.ts'
import { Engine } from '../../../sim-engine/threads/simulation.ts'
import { frameAt, loadedWith, scriptedEngine, standingClock, type Scripted } from '../../help/engine.ts'
import { problem } from '../../../sim-engine/problems.ts'

const file = (elements: Record<string, HoloElement>): Model => modelOfFile({ format: 'holo', version: 1, elements })

const sample = async (name: string): Promise<Model> => {
  const parsed = parseFile(await readFile(new URL(`../../../model-schema/samples/${name}.holo`, import.meta.url), 'utf8'))
  if (!('file' in parsed)) throw new Error(name)
  return modelOfFile(parsed.file)
}

/** A model with another outcome for each seed and step. */
const walk = file({
  main: { kind: 'scenario', name: 'Main' },
  step: { kind: 'variable', parent: 'main', name: 'step', public: true, initial: '1' },
})

const noted: Stored = {
  scenario: 'main',
  seed: 4,
  ticks: 20,
  inputs: { step: 3 },
  experiment: 'Steps',
  run: 7,
  ended: { ticks: 20, end: 'success' },
  measured: [{ label: 'step', expression: 'step', value: 3 }],
}

const board = (stored: string, more: Record<string, HoloElement> = {}) =>
  dashboardOf(
    file({
      board: { kind: 'dashboard', name: 'Board' },
      run: { kind: 'association', parent: 'board', modelFile: 'walk', seed: 99, speed: 5, source: 'stored', stored },
      slider: { kind: 'controller', parent: 'run', type: 'slider', target: 'step', initial: '8' },
      ...more,
    }),
  )!

const settle = () => new Promise<void>(done => setImmediate(done))

async function scripted(stored: string, more: Record<string, HoloElement> = {}) {
  const engines: Scripted[] = []
  const clock = standingClock()
  const runs = createRuns({
    live: false,
    clock,
    openModel: () => ({ model: createStore(() => ({ model: walk })), ready: Promise.resolve(), close: () => undefined }),
    spawn() {
      const engine = scriptedEngine()
      engines.push(engine)
      return engine
    },
  })
  runs.show(board(stored, more))
  await settle()
  return { runs, clock, engine: () => engines[0]!, run: () => runs.getState().runs.get('run')! }
}

function answer(engine: Scripted): void {
  const { load } = engine.last('load')
  engine.say({ is: 'loaded', loaded: loadedWith(load, {}), problems: [], frame: frameAt(load, 0) })
}

describe('a run of an experiment on a dashboard', () => {
  it('begins by itself with the seed, length and values it had, as fast as it goes; nobody sets anything in it', async () => {
    const { runs, engine, run } = await scripted(storedText(noted)!)
    expect(engine().last('load').options).toEqual({ seed: 4, ticks: 20, inputs: { step: 3 } })
    answer(engine())
    expect(engine().last('play').speed).toBeNull()
    const page = createPage()
    const shown = board(storedText(noted)!)
    page.show(shown, runs.getState().runs)
    page.change(
      everyItem(shown.items).find(({ element }) => element.id === 'slider')!,
      5,
    )
    const open = run()
    expect(open.state === 'open' && open.run.getState().inputs).toEqual({ step: 3 })
    expect(engine().posted.some(message => message.do === 'set')).toBe(false)
    // Reset, it waits to be played.
    if (open.state === 'open') open.run.reset()
    answer(engine())
    expect(engine().posted.filter(message => message.do === 'play')).toHaveLength(1)
    runs.close()
  })

  it('still begins when one of its cards is refused, and offers none of what was measured', async () => {
    const { runs, engine, clock, run } = await scripted(storedText(noted)!, {
      bad: { kind: 'chart', parent: 'run', series: [{ label: '', value: 'nothing' }] },
    })
    engine().say({ is: 'problems', load: engine().last('load').load, problems: [problem(10002, { id: 'bad', field: 'series/0/value' })] })
    clock.pass(1000)
    answer(engine())
    expect(engine().posted.some(message => message.do === 'play')).toBe(true)
    expect([...engine().last('load').model.elements.values()].map(({ kind }) => kind)).toContain('statistic')
    const open = run()
    expect(open.state === 'open' && [...open.model.getState().model.elements.values()].map(({ kind }) => kind)).not.toContain('statistic')
    runs.close()
  })

  it('says when none is chosen, or its scenario is gone', async () => {
    for (const text of ['', '{}', 'x', storedText(noted)!.replace('"seed":4', '"seed":-4')])
      expect((await scripted(text)).run().state, text).toBe('nothing-stored')
    expect((await scripted(storedText({ ...noted, scenario: 'gone' })!)).run().state).toBe('no-scenario')
  })

  it('is noted whole or not at all, and what is no such note is none', () => {
    expect(storedRun(storedText(noted)!)).toEqual(noted)
    expect(storedText({ ...noted, inputs: { step: 'x'.repeat(60_000) } })).toBeNull()
    for (const change of [{ run: -1 }, { run: '7' }, { ended: null }, { measured: 3 }, { experiment: 5 }, { inputs: null }])
      expect(storedRun(JSON.stringify({ ...noted, ...change })), JSON.stringify(change)).toBeNull()
  })
})

/** The engine as the worker has it, in this thread. */
function engineHere(): Transport {
  let heard: (message: FromEngine) => void = () => undefined
  const engine = new Engine(message => heard(message))
  return { post: message => engine.receive(message), listen: listener => void (heard = listener), close: () => engine.close() }
}

describe('a run made again by the engine', () => {
  it('comes out exactly as the experiment stored it, until its model is another', async () => {
    const [model, study] = [await sample('inventory'), await sample('experiments/inventory-policy')]
    const made = prepare({ ...experimentOf(study)!, modelFile: 'walk', maxRuns: 12, replications: 2, ticks: 60 }, model)
    if (!made.ok) throw new Error(JSON.stringify(made.problems))
    const { prepared } = made
    const { results } = await conduct({
      prepared,
      evaluator: createLocal(createRunner(prepared.runnable)),
      journal: { read: () => Promise.resolve(new Map()), write: () => undefined },
      signal: new AbortController().signal,
    })
    expect(results.isKnown(5)).toBe(true)
    const stored: Stored = picked({ prepared, results }, 5)
    expect(stored.measured.length).toBeGreaterThan(0)
    expect(Object.keys(stored.inputs).length).toBeGreaterThan(0)

    const endOf = async (text: string, of: Model): Promise<{ same: boolean | null; now: number | null }> => {
      const runs = createRuns({
        live: false,
        openModel: () => ({ model: createStore(() => ({ model: of })), ready: Promise.resolve(), close: () => undefined }),
        spawn: engineHere,
        clock: { after: () => () => undefined, draw: act => (queueMicrotask(act), () => undefined) },
      })
      runs.show(board(text, { slider: { kind: 'note', parent: 'board' } }))
      await settle()
      const open = runs.getState().runs.get('run')
      if (open?.state !== 'open') throw new Error(`the run is ${open?.state}`)
      const { run } = open
      await new Promise<void>(done => {
        const look = (): void => void (run.getState().status === 'ended' && done())
        run.subscribe(look)
        look()
      })
      const view = run.getState()
      runs.close()
      return { same: isAsStored(stored, view), now: measuredNow(view, 0) }
    }
    expect(await endOf(storedText(stored)!, model)).toEqual({ same: true, now: stored.measured[0]!.value })
    // The number of a run is nothing it is made from: another seed is another run.
    expect((await endOf(storedText({ ...stored, seed: stored.seed + 1 })!, model)).same).toBe(false)
    expect((await endOf(storedText({ ...stored, ticks: 59 })!, model)).same).toBe(false)
  })
})
