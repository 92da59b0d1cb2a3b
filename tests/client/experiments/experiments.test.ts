// Experiments on the page without a page: begun, stopped, continued, reloaded in the middle, compared; a history that is full; what comes from outside.
import 'fake-indexeddb/auto'
import { describe, expect, it, vi } from 'vitest'
import { readFile } from 'node:fs/promises'
import * as Y from 'yjs'
import { loadFile, modelOf } from '../../../model-schema/document.ts'
import { setField } from '../../../model-schema/edit.ts'
import { parseFile, modelOfFile } from '../../../model-schema/file.ts'
import { experimentOf } from '../../../model-schema/experiment.ts'
import type { Element, Model } from '../../../model-schema/model.ts'
import { Conductor, type ConductorInput } from '../../../client/experiments/conduct/conductor.ts'
import { createExplorer } from '../../../client/experiments/explorer.ts'
import { isOfEngine } from '../../../client/experiments/conduct/engine.ts'
import { allEntries, changeEntry, entriesOf, journalOf, samplesOf } from '../../../client/experiments/history.ts'
import { lacking } from '../../../client/experiments/limits.ts'
import { momentIn } from '../../../client/experiments/moment.ts'
import { pack, unpack } from '../../../client/experiments/pack.ts'
import { readSeries } from '../../../client/experiments/plan/pasted.ts'
import { publicOf, publicsOf } from '../../../client/experiments/linked.ts'
import { arranged, columnsOf, type ResultColumn } from '../../../client/experiments/results/columns.ts'
import { axisOf, curveOf, gridOf } from '../../../client/experiments/results/figures/heat.ts'
import { pointsTable, runsTable } from '../../../client/experiments/tables/sources.ts'
import { ticksOf } from '../../../client/charts/figure/figure.ts'
import { setLocale } from '../../../client/i18n/locale.ts'
import { handedHash, readHanded } from '../../../client/run/handed.ts'
import {
  createLocal,
  createRunner,
  csvLines,
  Results,
  WorkersKeepEnding,
  type Evaluator,
  type Runnable,
} from '../../../sim-engine/experiment.ts'
import { stream, uniform53 } from '../../../sim-engine/kernel/random.ts'

const modelFrom = async (name: string): Promise<Model> => {
  const parsed = parseFile(await readFile(new URL(`../../../model-schema/samples/${name}.holo`, import.meta.url), 'utf8'))
  if (!('file' in parsed)) throw new Error(name)
  return modelOfFile(parsed.file)
}

const clinic = await modelFrom('clinic')
/** The shipped experiment with other fields. */
const studyWith = (study: Model, fields: Element['fields']): Model => {
  const { id } = experimentOf(study)!
  const root = study.elements.get(id)!
  return { ...study, elements: new Map(study.elements).set(id, { ...root, fields: { ...root.fields, ...fields } }) }
}
const staffing = studyWith(await modelFrom('experiments/clinic-staffing'), { ticks: 600, replications: 6 })

let count = 0
const words = {
  run: 'run',
  point: 'point',
  replication: 'replication',
  seed: 'seed',
  alternative: 'alternative',
  ticks: 'ticks',
  end: 'end',
}

/** Runs are made right here; after `most` of them the person presses stop. */
function hired(made: number[], most = Infinity, stop: () => void = () => {}) {
  return (runnable: Runnable): Evaluator => {
    const local = createLocal(createRunner(runnable))
    return {
      evaluate: (jobs, done, signal) =>
        local.evaluate(
          jobs,
          (run, sample) => {
            made.push(run)
            done(run, sample)
            if (made.length === most) stop()
          },
          signal,
        ),
      close: local.close,
    }
  }
}

function conducting(more: Partial<ConductorInput> = {}, study: Model = staffing): Conductor {
  const conductor = new Conductor({ user: `person-${count}`, docId: 'doc', localRuns: null, steps: null, hire: hired([]), ...more })
  conductor.edit(study, clinic)
  return conductor
}

describe('an experiment on the page', () => {
  it('runs to its end and is in the history', async () => {
    count++
    const conductor = conducting()
    await conductor.start()
    const { status, done, history, results } = conductor.store.getState()
    expect(status).toBe('finished')
    expect(done).toBe(18)
    expect(history.map(entry => [entry.ended, entry.runs, entry.failed])).toEqual([['finished', 18, 0]])
    expect(results?.isKnown(17)).toBe(true)
  })

  it('is kept as it was when a document that was just edited is its model', async () => {
    count++
    const doc = new Y.Doc()
    const parsed = parseFile(await readFile(new URL('../../../model-schema/samples/clinic.holo', import.meta.url), 'utf8'))
    if (!('file' in parsed)) throw new Error('clinic')
    loadFile(doc, parsed.file)
    const [scenario] = modelOf(doc).roots
    setField(doc, scenario!, 'name', 'Edited')
    const conductor = conducting()
    conductor.edit(staffing, modelOf(doc))
    await conductor.start()
    expect(conductor.store.getState().status).toBe('finished')
    const [entry] = await entriesOf(`person-${count}`, 'doc')
    expect([...entry!.model.elements]).toEqual([...modelOf(doc).elements])
  })

  it('starts what was edited last, though its writer did not rest yet', async () => {
    count++
    const conductor = conducting()
    conductor.edit(studyWith(staffing, { seed: 4 }), clinic)
    conductor.edit(studyWith(staffing, { seed: 5 }), clinic)
    expect(conductor.prepared()?.experiment.seed).toBe(5)
    conductor.edit(studyWith(staffing, { seed: 6 }), clinic)
    await conductor.start()
    expect(conductor.store.getState().entry?.experiment.seed).toBe(6)
  })

  it('stops, and goes on after the page was loaded again, without repeating a run', async () => {
    count++
    const whole = conducting({ docId: 'whole' })
    await whole.start()
    const first: number[] = []
    const begun: Conductor = conducting({ hire: hired(first, 5, () => begun.stop()) })
    await begun.start()
    expect(begun.store.getState().status).toBe('stopped')
    expect(begun.store.getState().done).toBe(first.length)
    expect(begun.store.getState().history[0]).toMatchObject({ ended: 'stopped', runs: first.length })
    begun.close()

    const second: number[] = []
    const again = conducting({ hire: hired(second) })
    await again.start()
    const { status, results, prepared, history } = again.store.getState()
    expect(status).toBe('finished')
    expect(history).toHaveLength(1)
    expect([...first, ...second].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 18 }, (_, run) => run))
    const names = prepared!.alternatives.map(({ name }) => name)
    expect([...csvLines(results!, names)]).toEqual([...csvLines(whole.store.getState().results!, names)])
  })

  it('does not go on with samples of another engine, nor with those of which the engine is unknown', async () => {
    for (const before of ['old', undefined]) {
      count++
      const begun: Conductor = conducting({ engine: 'old', hire: hired([], 5, () => begun.stop()) })
      await begun.start()
      const [entry] = begun.store.getState().history
      expect(entry).toMatchObject({ engine: 'old', ended: 'stopped' })
      await changeEntry(entry!.id, { engine: before })
      const made: number[] = []
      const anew = conducting({ engine: 'new', hire: hired(made) })
      await anew.start()
      expect(made.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 18 }, (_, run) => run))
      const { history } = anew.store.getState()
      expect(history.map(({ engine, ended }) => [engine, ended])).toEqual(
        expect.arrayContaining([
          ['new', 'finished'],
          [before, 'stopped'],
        ]),
      )
      expect(history.map(one => isOfEngine(one, 'new'))).toEqual(history.map(one => one.engine === 'new'))
      // The engine that made them continues with them.
      if (before === undefined) continue
      const rest: number[] = []
      const same = conducting({ engine: 'old', hire: hired(rest) })
      await same.start()
      expect(rest).toHaveLength(13)
    }
  })

  it('shows what a tab that is gone had run', async () => {
    count++
    const begun: Conductor = conducting({ hire: hired([], 7, () => begun.stop()) })
    await begun.start()
    const known = begun.store.getState().done
    const later = conducting()
    await later.refresh()
    const [entry] = later.store.getState().history
    await later.show({ ...entry!, ended: 'running' })
    expect(later.store.getState()).toMatchObject({ status: 'stopped', done: known })
    expect((await later.read(entry!))?.results.rows).toBeGreaterThanOrEqual(known)
  })

  it('is put away by a reset although it was running, and can be continued', async () => {
    count++
    const begun: Conductor = conducting({ hire: hired([], 4, () => begun.reset()) })
    await begun.start()
    expect(begun.store.getState()).toMatchObject({ status: 'idle', results: null, entry: null, done: 0 })
    const [entry] = await entriesOf(`person-${count}`, 'doc')
    expect(entry).toMatchObject({ ended: 'stopped' })
  })

  it('begins nothing new while the history is full, and does after an entry was deleted', async () => {
    count++
    const conductor = conducting({ localRuns: 1 })
    await conductor.start()
    expect(conductor.store.getState().full).toBe(true)
    conductor.edit(studyWith(staffing, { seed: 9 }), clinic)
    await conductor.start()
    expect(conductor.store.getState().history).toHaveLength(1)
    await conductor.forget(conductor.store.getState().history.map(({ id }) => id))
    expect(conductor.store.getState()).toMatchObject({ full: false, entry: null, results: null })
    await conductor.start()
    expect(conductor.store.getState().history.map(({ experiment }) => experiment.seed)).toEqual([9])
  })

  it('says why it failed when this device has no worker for it', async () => {
    count++
    const conductor = conducting({
      hire: () => ({ evaluate: () => Promise.reject(new Error('no worker')), close() {} }),
    })
    await conductor.start()
    expect(conductor.store.getState()).toMatchObject({ status: 'failed', failure: 'no worker' })
    count++
    await setLocale('en-US')
    const crashing = conducting({ hire: () => ({ evaluate: () => Promise.reject(new WorkersKeepEnding()), close() {} }) })
    await crashing.start()
    expect(crashing.store.getState().failure).toContain('more memory than there is')
  })
})

describe('the journal of an experiment', () => {
  it('stores the first samples at once, and gathers those that come soon after', async () => {
    const waits = vi.spyOn(globalThis, 'setTimeout')
    const journal = journalOf('first-at-once', error => expect.fail(String(error)))
    const sample = { end: 'success', ticks: 1, values: [1], problem: null } as const
    try {
      journal.write([[0, sample]])
      expect(waits.mock.calls.at(-1)?.[1]).toBe(0)
      await vi.waitFor(async () => expect(await samplesOf('first-at-once')).toEqual(new Map([[0, sample]])))
      waits.mockClear()
      journal.write([[1, sample]])
      journal.write([[2, sample]])
      const gathering = waits.mock.calls.filter(([, ms]) => ms! > 100)
      expect(gathering, 'one wait for both').toHaveLength(1)
    } finally {
      waits.mockRestore()
    }
    await journal.flush()
    expect([...(await samplesOf('first-at-once')).keys()]).toEqual([0, 1, 2])
  })
})

describe('a result on its way to the server and back', () => {
  it('is the same table, in another history as in memory, and goes on there', async () => {
    count++
    const begun: Conductor = conducting({ hire: hired([], 7, () => begun.stop()) })
    await begun.start()
    const [entry] = begun.store.getState().history
    const samples = await samplesOf(entry!.id)
    const unpacked = await unpack(await pack({ ...entry!, ended: 'stopped' }, samples))
    expect(unpacked!.samples).toEqual(samples)
    expect(unpacked!.entry.engine).toBe(entry!.engine)
    expect(await unpack(await pack({ ...entry!, ended: 'stopped', engine: 'e'.repeat(65) }, samples))).toBe(null)
    count++
    const made: number[] = []
    const other = conducting({ hire: hired(made) })
    const names = ['a', 'b', 'c']
    const there = await other.read(
      { id: 'there', experiment: experimentOf(unpacked!.entry.study)!, model: unpacked!.entry.model },
      unpacked!.samples,
    )
    const here = await begun.read(entry!)
    expect([...csvLines(there!.results, names)]).toEqual([...csvLines(here!.results, names)])
    expect(await other.take(entry!.id, unpacked!.entry, unpacked!.samples)).toBe(true)
    expect(other.store.getState().history).toMatchObject([{ id: entry!.id, ended: 'stopped', runs: 7 }])
    await other.start()
    expect(other.store.getState()).toMatchObject({ status: 'finished', done: 18 })
    expect(made).toHaveLength(11)
  })

  it('is taken by no full history', async () => {
    count++
    const conductor = conducting({ localRuns: 1 })
    await conductor.start()
    const [entry] = conductor.store.getState().history
    const packed = (await unpack(await pack({ ...entry!, ended: 'finished' }, await samplesOf(entry!.id))))!
    expect(await conductor.take('other', packed.entry, packed.samples)).toBe(false)
    expect(conductor.store.getState().history).toHaveLength(1)
    expect(await allEntries(`person-${count}`)).toMatchObject([{ id: entry!.id, runs: 18, docId: 'doc' }])
  })

  it('says no to what is damaged or made up', async () => {
    count++
    const conductor = conducting()
    await conductor.start()
    const [entry] = conductor.store.getState().history
    const samples = await samplesOf(entry!.id)
    const good = await pack({ ...entry!, ended: 'finished' }, samples)
    expect(await unpack(good)).not.toBe(null)
    expect(await unpack(good.subarray(0, good.length - 9))).toBe(null)
    expect(await unpack(new Uint8Array(0))).toBe(null)
    expect(await unpack(new TextEncoder().encode('nothing of the kind'))).toBe(null)
    const { model } = entry!
    const [first] = model.roots
    const root = model.elements.get(first!)!
    const turned = (element: object): Model => ({ ...model, elements: new Map(model.elements).set(first!, { ...root, ...element }) })
    const circle = turned({ children: [...root.children, first!] })
    const stray = turned({ children: root.children.slice(1) })
    const bad = turned({ fields: 'none' })
    for (const damaged of [circle, stray, bad, { ...model, scenarios: ['nowhere'] }, { ...model, roots: [] }])
      expect(await unpack(await pack({ ...entry!, model: damaged, ended: 'finished' }, samples))).toBe(null)
    expect(await unpack(await pack({ ...entry!, study: model, ended: 'finished' }, samples))).toBe(null)
  })
})

describe('a moment', () => {
  it('is a date and a time to the second, in the language of the page', () => {
    const at = new Date(2026, 10, 22, 15, 4, 5).toISOString()
    expect(momentIn('en-US', at)).toMatch(/^Nov 22, 2026, 3:04:05\s?PM$/)
    expect(momentIn('zh-CN', at)).toMatch(/^2026年11月22日 15:04:05$/)
    expect(momentIn('en-US', at, true)).toMatch(/^11\/22, 3:04:05\s?PM$/)
    expect(momentIn('zh-CN', at, true)).toMatch(/^11\/22 15:04:05$/)
  })
})

describe('a plan', () => {
  it('lets begin what it has, and says which plan has the rest', async () => {
    await setLocale('en-US')
    expect(lacking('free', 'monteCarlo')).toBe(null)
    expect(lacking('free', 'calibration')).toBe(null)
    expect(lacking(null, 'optimization')).toBe(null)
    expect(lacking('free', 'optimization')).toContain('Upgrade to Basic')
    expect(lacking('free', 'cloudRuns')).toContain('(Free)')
    expect(lacking('basic', 'learning')).toContain('Upgrade to Plus')
  })
})

describe('exploring by hand', () => {
  it('runs the position visited last, and remembers those before', async () => {
    const study = modelOfFile({
      format: 'holo',
      version: 1,
      elements: {
        study: {
          kind: 'experiment',
          name: 'By hand',
          type: 'exploration',
          design: 'live',
          modelFile: 'clinic',
          ticks: 600,
          replications: 2,
        },
        staff: { kind: 'decision', parent: 'study', variable: 'Staff', domain: 'discrete', min: 3, max: 6 },
        wait: { kind: 'response', parent: 'study', name: 'Wait', expression: 'mean_wait' },
      },
    })
    const conductor = conducting({}, study)
    const { preparation } = conductor.store.getState()
    if (!preparation?.ok) throw new Error(JSON.stringify(preparation?.problems))
    const made: number[] = []
    const explorer = createExplorer(preparation.prepared, hired(made))
    const close = explorer.open()
    const visited = (point: Float64Array): Promise<void> =>
      new Promise(done => {
        const stop = explorer.watch(() => {
          if (explorer.seen().get(explorer.placeOf(point))?.done !== 2) return
          stop()
          done()
        })
        explorer.visit(point)
      })
    await visited(Float64Array.of(0))
    await visited(Float64Array.of(2))
    expect(made).toHaveLength(4)
    explorer.visit(Float64Array.of(0))
    const three = explorer.seen().get('0')
    expect(three?.settings).toEqual([3])
    expect(explorer.seen().get('2')?.settings).toEqual([5])
    expect(three?.intervals[0]?.mean).toBeGreaterThan(explorer.seen().get('2')?.intervals[0]?.mean ?? Infinity)
    expect(made).toHaveLength(4)
    close()
  })
})

describe('the table of runs', () => {
  it('is sorted, rows without a value last, and filtered', async () => {
    count++
    const conductor = conducting()
    await conductor.start()
    const { prepared, results } = conductor.store.getState()
    const columns = columnsOf(prepared!, results!, words)
    expect(columns.map(({ id }) => id)).toContain('alternative')
    const wait = columns.find(({ of }) => of === 'measure')!
    const values = [...arranged(results!, columns, { column: wait.id, down: true }, null)].map(wait.at)
    expect(values).toEqual(values.toSorted((a, b) => b - a))
    const four = arranged(results!, columns, null, { column: 'alternative', how: 'is', value: 1 })
    expect([...four].map(results!.pointOf)).toEqual(Array.from(four, () => 1))
    const holes: ResultColumn = { ...wait, at: run => (run % 2 === 0 ? NaN : -run) }
    const sorted = [...arranged(results!, [holes], { column: holes.id, down: false }, null)].map(holes.at)
    expect(sorted.slice(0, 9).every(Number.isFinite)).toBe(true)
    expect(sorted.slice(9).every(Number.isNaN)).toBe(true)
  })
})

describe('tables of an experiment', () => {
  it('have all runs that are known, and the points that are done with the means of theirs', async () => {
    count++
    const whole = conducting()
    await whole.start()
    const { prepared, results } = whole.store.getState()
    const runs = runsTable(prepared!, results!)
    expect(runs.rows).toBe(18)
    expect(runs.columns.map(({ name }) => name).slice(0, 5)).toEqual(['run', 'point', 'replication', 'seed', 'alternative'])
    const points = pointsTable(prepared!, results!)
    const of = (name: string) => {
      const column = points.columns.find(one => one.name === name)
      return column?.kind === 'number' ? [...column.data] : column?.codes && [...column.codes].map(code => column.words[code])
    }
    expect(of('alternative')).toEqual(prepared!.alternatives.map(({ name }) => name))
    const label = results!.measures[0]!.label
    const mean = (point: number): number => results!.runsOf(point).reduce((sum, run) => sum + results!.value(run, 0), 0) / 6
    expect(of(label)).toEqual([0, 1, 2].map(point => expect.closeTo(mean(point), 9)))

    count++
    const part: Conductor = conducting({ hire: hired([], 7, () => part.stop()) })
    await part.start()
    const { prepared: same, results: some } = part.store.getState()
    expect(runsTable(same!, some!).rows).toBe(7)
    expect(pointsTable(same!, some!).rows).toBe(1)
  })
})

describe('a million rows', () => {
  it('are sorted by any number, as a comparison would', () => {
    const results = new Results([], [{ id: 'm', label: 'm' }])
    results.addPoint({ alternative: 0, settings: [], inputs: {}, violation: 0 })
    const random = stream(7, 0, 'table')
    const special = [0, -0, Infinity, -Infinity, NaN, Number.MIN_VALUE, -Number.MIN_VALUE, 1e300, -1e300]
    const rows = 1_000_000
    for (let run = 0; run < rows; run++) {
      results.addRun(0, run, run)
      const value = run < special.length ? special[run]! : run % 1000 === 0 ? 5 : (uniform53(random) - 0.5) * 10 ** (run % 40)
      results.tell(run, { end: 'success', ticks: 1, values: [value], problem: null })
    }
    const column: ResultColumn = { id: 'm', label: 'm', at: run => results.value(run, 0), names: null, of: 'measure' }
    for (const down of [false, true]) {
      const order = arranged(results, [column], { column: 'm', down }, null)
      expect(order).toHaveLength(rows)
      expect(order.at(-1)).toBe(4)
      let wrong = 0
      for (let i = 1; i < rows - 1; i++) {
        const [a, b] = [column.at(order[i - 1]!), column.at(order[i]!)]
        if (down ? a < b : a > b) wrong++
        else if (a === b && order[i - 1]! > order[i]!) wrong++
      }
      expect(wrong).toBe(0)
    }
  })
})

describe('what comes from outside', () => {
  it('reads measured data from text, whatever separates it', () => {
    expect(readSeries('time,value\n2,5\n1,4.5,true')).toEqual([
      { at: 1, value: 4.5, heldOut: true },
      { at: 2, value: 5, heldOut: false },
    ])
    expect(readSeries('measured\n"0";"1,5"\n1;2,5')).toEqual(readSeries('0;1,5\n1;2,5'))
    expect(readSeries('0;1,5\n1;2,5')).toEqual([
      { at: 0, value: 1.5, heldOut: false },
      { at: 1, value: 2.5, heldOut: false },
    ])
    expect(readSeries('3\n4\n5').map(({ at, value }) => [at, value])).toEqual([
      [0, 3],
      [1, 4],
      [2, 5],
    ])
    expect(readSeries('nothing here\n-1,2')).toEqual([])
  })

  it('hands one run over in an address, and takes nothing else', () => {
    const run = { scenario: 's', seed: 4294967295, ticks: 300, inputs: { a: 1.5, b: true, c: 'x' } }
    expect(readHanded(handedHash(run))).toEqual(run)
    expect(readHanded(handedHash({ ...run, ticks: null }))?.ticks).toBe(null)
    expect(readHanded(handedHash({ ...run, ticks: -1 }))).toBe(null)
    for (const bad of ['', '#other', '#run=%', '#run={}', handedHash({ ...run, seed: -1 }), handedHash({ ...run, seed: 0.5 })])
      expect(readHanded(bad), bad).toBeNull()
    expect(readHanded('#run={"scenario":"s","seed":1,"inputs":{"a":[1],"b":null,"c":2}}')?.inputs).toEqual({ c: 2 })
  })

  it('finds public variables by id and by name, however its words are joined', () => {
    const publics = publicsOf(clinic, clinic.scenarios[0]!)
    const staff = publicOf(publics, 'Staff')
    expect(staff?.initial).toBe('3')
    expect(publicOf(publics, staff!.id)).toBe(staff)
    expect(publicOf(publics, 'nobody')).toBeUndefined()
  })
})

describe('responses', () => {
  const column = (id: string, values: readonly number[]): ResultColumn => ({
    id,
    label: id,
    at: run => values[run]!,
    names: null,
    of: 'decision',
  })
  const runs = [0, 1, 2, 3, 4, 5]
  const x = column('x', [1, 1, 2, 2, 4, 4])
  const y = column('y', [0, 1, 0, 1, 0, NaN])
  const m = column('m', [10, 20, 30, 50, NaN, 7])

  it('are means with their intervals at each value of a decision', () => {
    const axis = axisOf(x, runs)
    expect([0, 3].map(axis.ends)).toEqual([
      [0.5, 1.5],
      [3.5, 4.5],
    ])
    const curve = curveOf(axis, x, m, runs, 0.95)
    expect(curve.map(one => one && [one.mean, one.n])).toEqual([[15, 2], [40, 2], null, [7, 1]])
  })

  it('are means in each cell of two decisions, in parts of the range where values are many', () => {
    expect([...gridOf(axisOf(x, runs), axisOf(y, runs), [x, y], m, runs)]).toEqual([10, 30, NaN, NaN, 20, 50, NaN, NaN])
    const many = Array.from({ length: 1000 }, (_, run) => run)
    const axis = axisOf(column('z', many), many)
    expect(axis.places).toBe(24)
    expect([axis.placeOf(0), axis.placeOf(999), axis.placeOf(1000), axis.placeOf(NaN)]).toEqual([0, 23, -1, -1])
  })
})

describe('axes', () => {
  it('have round ticks inside the range', () => {
    expect(ticksOf(0, 10, 5).values).toEqual([0, 2, 4, 6, 8, 10])
    expect(ticksOf(-0.3, 0.7, 4).values.map(value => Number(value.toFixed(6)))).toEqual([0, 0.5])
  })
})
