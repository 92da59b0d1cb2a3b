// Editing charts of fields: what each move on the shelves changes, what a source offers, and a run as data - within its bounds over a million ticks.
import { describe, expect, it } from 'vitest'
import { keyField, plotOf, timeField, type Plot } from '../../../model-schema/plot.ts'
import { newDocument, readModel } from '../../../model-schema/document.ts'
import { createUndo, isRefusal, place, setField, together } from '../../../model-schema/edit.ts'
import { modelOfFile, type HoloElement } from '../../../model-schema/file.ts'
import { elementOf } from '../../../model-schema/overlay.ts'
import type { Json } from '../../../model-schema/kinds/kind.ts'
import type { Model } from '../../../model-schema/model.ts'
import { dashboardOf, modelWithCards } from '../../../model-schema/dashboard.ts'
import {
  begun,
  emptied,
  fieldsOn,
  isBlank,
  put,
  shelfFor,
  shifted,
  taken,
  withMetric,
  type Changes,
} from '../../../client/charts/editor/moves.ts'
import { dataFields, firstFields, modelFields, ownFields, type OfferedField } from '../../../client/charts/editor/offers.ts'
import { fieldLabel, liveData, ofEach } from '../../../client/charts/shelf/live.ts'
import { names, numbers, type Data } from '../../../client/charts/shelf/columns.ts'
import { pictureOf } from '../../../client/charts/shelf/picture.ts'
import { suggested } from '../../../client/charts/shelf/suggest.ts'
import { SeriesBuffer } from '../../../client/run/series.ts'
import { check } from '../../../sim-engine/check.ts'
import { compile } from '../../../sim-engine/compile.ts'
import { start } from '../../../sim-engine/run.ts'
import { resultsData } from '../../../client/charts/shelf/results.ts'
import { conducted, functionModel, prepared } from '../../help/experiments.ts'
import { english } from '../../../model-schema/words.ts'

const words = { time: 'Time', key: 'Item' }
const field = (id: string, more: Partial<OfferedField> = {}): OfferedField => ({
  id,
  label: id,
  group: 'columns',
  is: 'number',
  many: false,
  ...more,
})

/** A card as it is after changes, one after the other. */
function after(start: Record<string, Json>, ...moves: ((plot: Plot) => Changes)[]): Plot {
  let fields = start
  for (const move of moves) fields = { ...fields, ...move(plotOf(elementOf('plot', 'card', 'run', fields))) }
  return plotOf(elementOf('plot', 'card', 'run', fields))
}

describe('moves on the shelves', () => {
  it('put a field where it is asked for, one in the place of another where only one may lie', () => {
    const plot = after(
      { source: 'table' },
      now => put(now, field('year'), 'dimension'),
      now => put(now, field('height'), 'metrics'),
      now => put(now, field('girth'), 'metrics'),
      now => put(now, field('kind', { is: 'name' }), 'dimension'),
    )
    expect(fieldsOn(plot, 'dimension')).toEqual(['kind'])
    expect(fieldsOn(plot, 'metrics')).toEqual(['height', 'girth'])
  })

  it('take it from where it was, with what was chosen for it', () => {
    const start = after(
      { source: 'table' },
      now => put(now, field('height'), 'metrics'),
      now => withMetric(now, 0, { aggregate: 'max', label: 'Tallest' }),
      now => put(now, field('girth'), 'metrics'),
      now => shifted(now, 0, 1),
    )
    expect(fieldsOn(start, 'metrics')).toEqual(['girth', 'height'])
    expect(start.metrics[1]).toMatchObject({ aggregate: 'max', label: 'Tallest' })
    const moved = put(start, field('girth'), 'colorBy', { shelf: 'metrics', at: 0 })
    expect(moved).toMatchObject({ colorBy: 'girth' })
    expect(moved['metrics']).toHaveLength(1)
    expect(taken(start, { shelf: 'metrics', at: 1 })['metrics']).toHaveLength(1)
    // Dropped where it was: nothing changes.
    expect(put(start, field('girth'), 'metrics', { shelf: 'metrics', at: 0 })).toEqual({})
    expect(shifted(start, 1, 1)).toEqual({})
  })

  it('know where a field belongs when nobody says', () => {
    const blank = after({ source: 'table' })
    expect(shelfFor(blank, field('height'))).toBe('metrics')
    expect(shelfFor(blank, field('kind', { is: 'name' }))).toBe('dimension')
    const one = after({ source: 'table', dimension: 'year' })
    expect(shelfFor(one, field('kind', { is: 'name' }))).toBe('colorBy')
    expect(shelfFor(after({ source: 'table', dimension: 'year', colorBy: 'side' }), field('kind', { is: 'name' }))).toBe('facetBy')
  })

  it('show the first metric of a run over its time, and what has no course by its latest values', () => {
    const first = after({}, now => put(now, field('Wolf.count', { group: 'population' }), 'metrics'))
    expect([first.dimension, first.over]).toEqual([timeField, 'history'])
    const listed = after(
      {},
      now => put(now, field('Wolf.count'), 'metrics'),
      now => put(now, field(ofEach('Wolf', 'energy'), { many: true }), 'metrics'),
    )
    expect([listed.dimension, listed.over]).toEqual(['', 'latest'])
    const back = { ...put(listed, field(timeField, { group: 'time' }), 'dimension') }
    expect(back).toMatchObject({ dimension: timeField, over: 'history' })
  })

  it('empty the shelves for another source', () => {
    const plot = after({ source: 'table', dimension: 'a', colorBy: 'b' }, () => emptied('experiment'))
    expect(isBlank(plot)).toBe(true)
    expect(plot.source).toBe('experiment')
  })

  it('are each one step of undo, and lawful values of the document', () => {
    const doc = newDocument('C', 'chartFile')
    const run = place(doc, { kind: 'association', parent: readModel(doc).roots[0]!, at: [0, 0] })
    if (isRefusal(run)) throw new Error(english(run.words))
    const undo = createUndo(doc)
    const id = place(doc, { kind: 'plot', parent: run, at: [0, 0], values: begun({ dimension: timeField, metrics: ['a', 'b'] }) })
    if (isRefusal(id)) throw new Error(english(id.words))
    const now = (): Plot => plotOf(readModel(doc).elements.get(id)!)
    undo.boundary()
    together(doc, () => {
      for (const [name, value] of Object.entries(put(now(), field('b'), 'facetBy', { shelf: 'metrics', at: 1 })))
        expect(setField(doc, id, name, value)).toBeNull()
    })
    expect([fieldsOn(now(), 'metrics'), now().facetBy]).toEqual([['a'], 'b'])
    undo.undo()
    expect([fieldsOn(now(), 'metrics'), now().facetBy]).toEqual([['a', 'b'], ''])
    expect(readModel(doc).notes).toEqual([])
  })
})

const file = (elements: Record<string, HoloElement>): Model => modelOfFile({ format: 'holo', version: 1, elements })
const flock = file({
  main: { kind: 'scenario', name: 'Main', totalTicks: 4 },
  bird: { kind: 'agent', parent: 'main', name: 'Bird', initialNumber: '3' },
  size: { kind: 'variable', parent: 'bird', name: 'size', initial: '2' },
  mood: { kind: 'variable', parent: 'bird', name: 'mood', initial: '"calm"' },
  heat: { kind: 'variable', parent: 'main', name: 'heat', initial: '5' },
  moods: { kind: 'statistic', parent: 'main', name: 'moods', over: 'bird', expression: '1', aggregate: 'count', group: 'mood' },
})

describe('the fields of a source', () => {
  it('are of a model its figures, and what each individual has', () => {
    const fields = modelFields(flock, 'main', words)
    expect(fields.map(({ id, group, is, many }) => [id, group, is, many])).toEqual([
      [timeField, 'time', 'number', false],
      [keyField, 'time', 'name', true],
      ['Bird.count', 'population', 'number', false],
      ['heat', 'variable', 'number', false],
      ['moods', 'statistic', 'number', true],
      ['[one.size for one in Bird]', 'individual', 'number', true],
      ['[one.mood for one in Bird]', 'individual', 'name', true],
    ])
    expect(fieldLabel(ofEach('Bird', 'size'))).toBe('Bird.size')
    expect(ownFields(['heat', 'heat * 2'], fields).map(({ id }) => id)).toEqual(['heat * 2'])
    expect(firstFields('model', fields)).toEqual({ dimension: timeField, metrics: ['Bird.count'] })
  })

  it('are formulas that the engine takes as they are', () => {
    for (const over of ['history', 'latest'] as const) {
      const fields = modelFields(flock, 'main', words).filter(({ id, many }) => !id.startsWith('@') && (over === 'latest' || !many))
      const board = dashboardOf(
        file({
          page: { kind: 'dashboard', name: 'Page' },
          run: { kind: 'association', parent: 'page', modelFile: 'flock' },
          card: { kind: 'plot', parent: 'run', over, metrics: fields.map(({ id }) => ({ field: id })) },
        }),
      )!
      const made = modelWithCards(board.associations[0]!, flock)!
      expect(made.model.elements.get('card')?.kind).toBe('chart')
      const checked = check(made.model, made.scenario)
      if (!checked.ok) throw new Error(checked.problems.map(({ code, at }) => `${code} ${at.field}`).join())
      const run = start(compile(checked.checked), {})
      run.advance()
      expect(run.summary().result.end).toBe('success')
    }
  })

  it('are of a table its columns, the first name along the axis', () => {
    const data: Data = { rows: 2, columns: [numbers('a', 'a', [1, 2]), names('k', 'k', ['x', 'y']), numbers('b', 'b', [3, 4])] }
    expect(firstFields('table', dataFields(data))).toEqual({ dimension: 'k', metrics: ['b'] })
    const timed: Data = { rows: 1, columns: [names('k', 'k', ['x']), numbers('y', 'Year', [2020]), numbers('b', 'b', [3])] }
    expect(firstFields('table', dataFields(timed))).toEqual({ dimension: 'y', metrics: ['b'] })
  })
})

describe('the type that suits', () => {
  const data: Data = {
    rows: 30,
    columns: [
      names(
        'k',
        'k',
        Array.from({ length: 30 }, (_, row) => `k${row % 3}`),
      ),
      names(
        'c',
        'c',
        Array.from({ length: 30 }, (_, row) => `c${row % 2}`),
      ),
      numbers(
        'r',
        'r',
        Array.from({ length: 30 }, (_, row) => row % 5),
      ),
      numbers(
        't',
        't',
        Array.from({ length: 30 }, (_, row) => row),
      ),
      numbers(
        'v',
        'v',
        Array.from({ length: 30 }, (_, row) => (row * 7) % 31),
      ),
    ],
  }
  const typeOf = (fields: Record<string, Json>, live = false): string => suggested(plotOf(elementOf('plot', 'c', 'r', fields)), data, live)
  const metrics = (...ids: string[]): Json => ids.map(id => ({ field: id }))

  it('follows from the fields', () => {
    expect(typeOf({ dimension: 't', metrics: metrics('v') })).toBe('line')
    expect(typeOf({ dimension: 't', metrics: metrics('v') }, true)).toBe('line')
    expect(typeOf({ dimension: 'r', metrics: metrics('v') })).toBe('bands')
    expect(typeOf({ dimension: 'v', metrics: metrics('t') })).toBe('scatter')
    expect(typeOf({ dimension: 'k', metrics: metrics('v') })).toBe('box')
    expect(typeOf({ dimension: 'k', metrics: [{ field: 'v', aggregate: 'sum' }], colorBy: 'c' })).toBe('bar')
    expect(typeOf({ dimension: 'k' })).toBe('pie')
    expect(typeOf({ metrics: metrics('v') })).toBe('histogram')
    expect(typeOf({ metrics: metrics('v', 't') })).toBe('scatter')
    expect(typeOf({ metrics: metrics('v', 't', 'r') })).toBe('parallel')
    expect(typeOf({ metrics: metrics('v') }, true)).toBe('value')
    expect(typeOf({})).toBe('table')
  })
})

describe('a run as data', () => {
  it('has its time and its formulas as columns, without copying them', () => {
    const plot = plotOf(elementOf('plot', 'card', 'run', { dimension: timeField, metrics: [{ field: 'a' }, { field: 'b' }] }))
    const buffer = new SeriesBuffer(2)
    buffer.append(Float64Array.from([0, 1]), [Float64Array.from([4, 5]), Float64Array.from([6, 7])])
    const data = liveData(plot, buffer, words)
    expect(data.columns.map(({ id }) => id)).toEqual([timeField, 'a', 'b'])
    const [time] = data.columns
    expect(time?.is === 'number' && time.values.buffer === buffer.x.buffer).toBe(true)
  })

  it('gives of lists and dictionaries a row each', () => {
    const plot = plotOf(
      elementOf('plot', 'card', 'run', { over: 'latest', metrics: [{ field: '[1]' }, { field: 'n' }, { field: 'names' }] }),
    )
    const buffer = new SeriesBuffer(3)
    buffer.take({ chart: 'card', latest: [[1, 2, true], 9, ['x', null, 'y']] })
    const lists = liveData(plot, buffer, words)
    expect(lists.rows).toBe(3)
    expect(lists.columns.map(column => (column.is === 'number' ? [...column.values] : [...column.codes]))).toEqual([
      [0, 1, 2],
      [1, 2, 1],
      [9, 9, 9],
      [0, -1, 1],
    ])
    buffer.take({ chart: 'card', latest: [{ a: 1, b: 2 }, 3, { b: 'q' }] })
    const keyed = liveData(plot, buffer, words)
    expect(keyed.columns[0]).toMatchObject({ is: 'name', names: ['a', 'b'] })
    expect(keyed.rows).toBe(2)
  })

  it('of a million ticks stays within its bounds, keeps what stood out, and is drawn of no more rows than are kept', () => {
    const series = 5
    const buffer = new SeriesBuffer(series)
    const chunk = 5000
    for (let from = 0; from < 1_000_000; from += chunk) {
      const x = Float64Array.from({ length: chunk }, (_, k) => from + k)
      buffer.append(
        x,
        Array.from({ length: series }, (_, s) => x.map(at => (at === 123_456 && s === 2 ? 99 : Math.sin(at / 1000 + s)))),
      )
    }
    expect(buffer.received).toBe(1_000_000)
    expect(buffer.length).toBeLessThanOrEqual(buffer.capacity)
    const bytes = (buffer.columns + 1) * buffer.x.buffer.byteLength
    expect(bytes).toBeLessThanOrEqual((series + 1) * 8 * buffer.capacity)
    const plot = plotOf(
      elementOf('plot', 'card', 'run', { dimension: timeField, metrics: Array.from({ length: series }, (_, s) => ({ field: `f${s}` })) }),
    )
    const picture = pictureOf(plot, liveData(plot, buffer, words), { live: true, words: { count: '' } })
    const marks = picture.panels[0]?.marks
    if (marks?.is !== 'courses') throw new Error('no courses')
    // Nothing was copied on the way.
    expect(marks.x?.buffer).toBe(buffer.x.buffer)
    expect(Math.max(...marks.ys[2]!)).toBe(99)
  })
})

describe('the results of an experiment as data', () => {
  it('are a row a run: decisions, measures, and what made the run', async () => {
    const study = prepared(
      functionModel({ x: 1, mode: 'slow' }),
      { type: 'exploration', design: 'factorial', replications: 2, seed: 3 },
      {
        dx: { kind: 'decision', variable: 'x', domain: 'discrete', min: 1, max: 3, step: 1 },
        out: { kind: 'response', name: 'double', expression: 'x * 2' },
      },
    )
    const data = resultsData(
      { prepared: study, results: await conducted(study) },
      { run: 'run', point: 'point', replication: 'replication', seed: 'seed', alternative: 'alternative', ticks: 'ticks', end: 'end' },
    )
    const [x, y] = ['dx', 'out'].map(id => data.columns.find(column => column.id === id))
    if (x?.is !== 'number' || y?.is !== 'number') throw new Error(data.columns.map(({ id }) => id).join())
    expect(data.rows).toBe(6)
    expect(new Set(x.values)).toEqual(new Set([1, 2, 3]))
    expect([...y.values]).toEqual([...x.values].map(value => value * 2))
    expect(firstFields('experiment', dataFields(data))).toEqual({ dimension: 'dx', metrics: ['out'] })
    // Several runs at each value: a band around their mean.
    expect(suggested(plotOf(elementOf('plot', 'c', 'r', { dimension: 'dx', metrics: [{ field: 'out' }] })), data, false)).toBe('bands')
  })
})
