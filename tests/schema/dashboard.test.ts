import { describe, expect, it } from 'vitest'
import { dashboardOf, everyItem, modelWithCards, needsRun } from '../../model-schema/dashboard.ts'
import { newDocument, readModel } from '../../model-schema/document.ts'
import { place, remove } from '../../model-schema/edit.ts'
import { modelOfFile, type HoloElement } from '../../model-schema/file.ts'
import { check } from '../../sim-engine/check.ts'
import { compile } from '../../sim-engine/compile.ts'
import { start } from '../../sim-engine/run.ts'

const file = (elements: Record<string, HoloElement>) => modelOfFile({ format: 'holo', version: 1, elements })

const counting = file({
  main: { kind: 'scenario', name: 'Main', totalTicks: 5 },
  step: { kind: 'variable', parent: 'main', name: 'step', public: true, initial: '1' },
  sum: { kind: 'variable', parent: 'main', name: 'sum', initial: '0' },
  p: { kind: 'process', parent: 'main', name: 'P' },
  s: { kind: 'start', parent: 'p', trigger: 'timer' },
  c: { kind: 'compute', parent: 'p', program: 'sum += step' },
  e: { kind: 'end', parent: 'p' },
  f: { kind: 'flow', parent: 'p', from: 's', to: 'c' },
  g: { kind: 'flow', parent: 'p', from: 'c', to: 'e' },
})

const board = file({
  board: { kind: 'dashboard', name: 'Board', watermark: true, watermarkText: ' Draft ', watermarkAngle: 12 },
  run: { kind: 'association', parent: 'board', modelFile: 'counting' },
  line: { kind: 'chart', parent: 'run', name: 'Sum', series: [{ label: 'sum', value: 'sum' }] },
  slide: { kind: 'controller', parent: 'run', type: 'slider', target: 'step' },
  words: { kind: 'note', parent: 'board' },
})

describe('a dashboard', () => {
  it('is read from its file, defaults filled in', () => {
    const read = dashboardOf(board)!
    expect(read).toMatchObject({ is: 'dashboard', name: 'Board', columns: 12, watermark: { text: 'Draft', angle: 12, size: 24 } })
    expect(read.associations.map(({ cards }) => cards.map(({ kind }) => kind))).toEqual([['chart', 'controller']])
    expect(read.items.map(({ element, association }) => [element.id, association?.id])).toEqual([
      ['line', 'run'],
      ['slide', 'run'],
      ['words', undefined],
    ])
    expect(dashboardOf(counting)).toBeNull()
    expect(dashboardOf(file({ board: { kind: 'dashboard', name: 'B', watermark: true, watermarkText: '  ' } }))?.watermark).toBeNull()
  })

  it('its cards run on the canvas of the model they are associated with, which stays as it is', () => {
    const [association] = dashboardOf(board)!.associations
    const made = modelWithCards(association!, counting)!
    expect(counting.elements.has('line')).toBe(false)
    const { checked, problems } = check(made.model, made.scenario)
    expect(problems).toEqual([])
    const run = start(compile(checked!), { inputs: { step: 3 } })
    run.advance()
    expect(run.inner.charts).toBeDefined()
    expect(checked!.parts.charts.map(({ id }) => id)).toContain('line')
    expect(run.value('sum')).toBe(15)
    expect(modelWithCards({ ...association!, modelScenario: 'Elsewhere' }, counting)).toBeNull()
  })

  it('a new file holds one, which cannot be deleted; models cannot hold its cards', () => {
    const doc = newDocument('Mine', 'dashboard')
    const model = readModel(doc)
    expect(dashboardOf(model)).toMatchObject({ name: 'Mine', associations: [] })
    const [root] = model.roots
    expect(place(doc, { kind: 'chart', parent: root!, at: [0, 0] })).toMatchObject({ refused: 'wrong-canvas' })
    const run = place(doc, { kind: 'association', parent: root!, at: [0, 0] })
    expect(place(doc, { kind: 'chart', parent: String(run), at: [0, 0] })).toBeTypeOf('string')
    expect(remove(doc, [root!])).toMatchObject({ refused: 'last-scenario' })
    expect(place(newDocument(), { kind: 'association', parent: readModel(doc).roots[0]!, at: [0, 0] })).toMatchObject({ refused: 'gone' })
  })
})

describe('containers', () => {
  const boxes = file({
    board: { kind: 'dashboard', name: 'Board' },
    run: { kind: 'association', parent: 'board', modelFile: 'counting' },
    other: { kind: 'association', parent: 'board', modelFile: 'counting', name: 'Other', source: 'kept' },
    row: { kind: 'cardGroup', parent: 'board', layout: 'row' },
    left: { kind: 'chart', parent: 'row', run: 'run', series: [{ label: 'sum', value: 'sum' }] },
    right: { kind: 'chart', parent: 'row', run: 'other', series: [{ label: 'sum', value: 'sum' }] },
    lost: { kind: 'chart', parent: 'row', run: 'gone' },
    inner: { kind: 'cardGroup', parent: 'row', layout: 'panel' },
    slide: {
      kind: 'controller',
      parent: 'inner',
      run: 'run',
      type: 'slider',
      target: 'step',
      interactions: [{ act: 'hide', card: 'right' }],
    },
    loose: { kind: 'controller', parent: 'inner', run: 'run', type: 'switch' },
  })

  it('hold cards of several runs, each as its card says; one whose run is gone has none', () => {
    const read = dashboardOf(boxes)!
    expect(read.associations.map(({ cards, source }) => [source, ...cards.map(({ id }) => id)])).toEqual([
      ['live', 'left', 'slide', 'loose'],
      ['kept', 'right'],
    ])
    const [row] = read.items
    expect(row).toMatchObject({ layout: 'row', association: null })
    expect(row!.items.map(({ element, association, layout }) => [element.id, association?.id ?? null, layout])).toEqual([
      ['left', 'run', null],
      ['right', 'other', null],
      ['lost', null, null],
      // Only the page has edges.
      ['inner', null, 'column'],
    ])
    expect(everyItem(read.items)).toHaveLength(7)
  })

  it('cards run without what only the page knows; a control bound to nothing does not run', () => {
    const [association] = dashboardOf(boxes)!.associations
    const made = modelWithCards(association!, counting)!
    expect(made.model.elements.has('loose')).toBe(false)
    expect(made.model.elements.get('slide')?.fields).toMatchObject({ run: null, interactions: [], target: 'step' })
    expect(check(made.model, made.scenario).problems).toEqual([])
    expect(needsRun(boxes.elements.get('loose')!)).toBe(false)
    expect(needsRun(boxes.elements.get('left')!)).toBe(true)
  })

  it('in containers end somewhere, and go with what is in them', () => {
    const elements: Record<string, HoloElement> = { board: { kind: 'dashboard', name: 'Board' } }
    for (let i = 0; i < 20; i++) elements[`c${i}`] = { kind: 'cardGroup', parent: i === 0 ? 'board' : `c${i - 1}` }
    expect(everyItem(dashboardOf(file(elements))!.items).length).toBe(5)
  })
})
