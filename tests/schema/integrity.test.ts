// What merges leave behind, one case each: two people did two lawful things at once.
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { facetsOf, loadFile, modelOf, readModel } from '../../model-schema/document.ts'
import {
  addScenario,
  connect,
  isRefusal,
  move,
  place,
  remove,
  removeScenario,
  reorder,
  reparent,
  setField,
  type Refusal,
} from '../../model-schema/edit.ts'
import { readFacets } from '../../model-schema/integrity.ts'
import type { Facets, Id, Model, ReadNote } from '../../model-schema/model.ts'
import { agents, boundary, compute, delay, end, model, process, start, subprocess, variable } from '../help/models.ts'
import { expectSound } from '../help/soundness.ts'
import { english } from '../../model-schema/words.ts'

const made = (result: Id | Refusal): Id => {
  if (isRefusal(result)) throw new Error(`refused: ${english(result.words)}`)
  return result
}

/** Two people start from one model, each does something alone, then all is exchanged. Both have the same Model then. */
function merge(one: (doc: Y.Doc) => void, other: (doc: Y.Doc) => void): Model {
  const [a, b] = [new Y.Doc(), new Y.Doc()]
  a.clientID = 1
  b.clientID = 2
  const built = model(
    agents(
      'Wolf',
      variable('energy', 20),
      process(
        'Hunt',
        start(),
        compute('energy -= 1', 'hunt'),
        delay(2, 'rest'),
        end(),
        boundary('rest', 'timer', {}, 'late'),
        subprocess('in'),
        subprocess('out'),
      ),
    ),
  )
  loadFile(a, built.file)
  Y.applyUpdate(b, Y.encodeStateAsUpdate(a))
  modelOf(a)
  one(a)
  other(b)
  Y.applyUpdate(b, Y.encodeStateAsUpdate(a))
  Y.applyUpdate(a, Y.encodeStateAsUpdate(b))
  const read = readModel(a)
  expect([...readModel(b).elements]).toEqual([...read.elements])
  expect([...modelOf(a).elements]).toEqual([...read.elements])
  expect(modelOf(a).notes).toEqual(read.notes)
  expectSound(read)
  return read
}

const notes = (model: Model): string[] => model.notes.map(({ kind, id, field }: ReadNote) => `${kind} ${id}${field ? `.${field}` : ''}`)

describe('at once', () => {
  it('each put into the other: the greater id goes to the root', () => {
    const read = merge(
      doc => reparent(doc, ['Wolf-Hunt-in'], 'Wolf-Hunt-out'),
      doc => reparent(doc, ['Wolf-Hunt-out'], 'Wolf-Hunt-in'),
    )
    expect(notes(read)).toContain('cycle Wolf-Hunt-out')
    expect(read.elements.get('Wolf-Hunt-out')?.parent).toBe('scenario1')
    expect(read.elements.get('Wolf-Hunt-in')?.parent).toBe('Wolf-Hunt-out')
  })

  it('a canvas deleted and something placed on it: it stands on the root', () => {
    const read = merge(
      doc => remove(doc, ['Wolf']),
      doc => made(place(doc, { kind: 'variable', parent: 'Wolf', at: [7, 8], id: 'late' })),
    )
    expect(notes(read)).toEqual(['orphan late'])
    expect(read.elements.get('late')).toMatchObject({ parent: 'scenario1', geo: [7, 8, 120, 32] })
  })

  it('a step deleted and a flow led to it: the flow hangs where the step was last, even when it was moved at the same time', () => {
    const read = merge(
      doc => remove(doc, ['Wolf-Hunt-rest']),
      doc => {
        made(connect(doc, { kind: 'flow', from: 'Wolf-Hunt-start1', to: 'Wolf-Hunt-rest', id: 'flow' }))
        move(doc, [{ id: 'Wolf-Hunt-rest', geo: [1000, 2000, 100, 50] }])
      },
    )
    expect(notes(read)).toContain('dangling-end flow.to')
    expect(read.elements.get('flow')?.ends?.to).toEqual({ id: null, x: 1050, y: 2025 })
  })

  it('an activity deleted with its canvas and a boundary event put on it: the event follows its activity', () => {
    const read = merge(
      doc => reparent(doc, ['Wolf-Hunt-in'], 'Wolf-Hunt-out'),
      doc => {
        made(place(doc, { kind: 'boundary', parent: 'Wolf-Hunt', at: [0, 0], values: { host: 'Wolf-Hunt-in' }, id: 'edge' }))
      },
    )
    expect(read.elements.get('edge')?.parent).toBe('Wolf-Hunt')
    expect(notes(read)).toEqual([])
  })

  it('each deletes one of two scenarios: there is one, the same for both', () => {
    const [a, b] = [new Y.Doc(), new Y.Doc()]
    loadFile(a, model().file)
    addScenario(a, 'Second', 'two')
    Y.applyUpdate(b, Y.encodeStateAsUpdate(a))
    removeScenario(a, 'scenario1')
    removeScenario(b, 'two')
    Y.applyUpdate(a, Y.encodeStateAsUpdate(b))
    Y.applyUpdate(b, Y.encodeStateAsUpdate(a))
    expect(readModel(a).scenarios).toEqual(['scenario'])
    expect([...readModel(a).elements]).toEqual([...readModel(b).elements])
    expect(notes(readModel(a))).toEqual(['missing-scenario scenario'])
    // Both make it real at once.
    setField(a, 'scenario', 'totalTicks', 5)
    setField(b, 'scenario', 'warmUp', 2)
    Y.applyUpdate(a, Y.encodeStateAsUpdate(b))
    Y.applyUpdate(b, Y.encodeStateAsUpdate(a))
    expect(readModel(b).elements.get('scenario')?.fields).toMatchObject({ name: 'Scenario 1', totalTicks: 5, warmUp: 2 })
    expect(notes(readModel(a))).toEqual([])
  })

  it('two placed at one spot: equal keys are told apart by ids, and mended by the next insertion between them', () => {
    const [a, b] = [new Y.Doc(), new Y.Doc()]
    loadFile(a, model(variable('x')).file)
    Y.applyUpdate(b, Y.encodeStateAsUpdate(a))
    made(place(a, { kind: 'variable', parent: 'scenario1', at: [0, 0], id: 'p' }))
    made(place(b, { kind: 'variable', parent: 'scenario1', at: [0, 0], id: 'q' }))
    Y.applyUpdate(a, Y.encodeStateAsUpdate(b))
    expect(readModel(a).elements.get('scenario1')?.children).toEqual(['x', 'p', 'q'])
    expect(notes(readModel(a))).toEqual(['duplicate-order q'])
    expect(reorder(a, 'x', 'q')).toBeNull()
    expect(readModel(a).elements.get('scenario1')?.children).toEqual(['p', 'x', 'q'])
    expect(notes(readModel(a))).toEqual([])
  })

  it('the same flow drawn twice: both stay', () => {
    const read = merge(
      doc => made(connect(doc, { kind: 'flow', from: 'Wolf-Hunt-rest', to: 'Wolf-Hunt-in', id: 'f' })),
      doc => made(connect(doc, { kind: 'flow', from: 'Wolf-Hunt-rest', to: 'Wolf-Hunt-in', id: 'g' })),
    )
    expect(
      [...read.elements.values()].filter(({ ends }) => ends?.from.id === 'Wolf-Hunt-rest' && ends.to.id === 'Wolf-Hunt-in'),
    ).toHaveLength(2)
  })
})

describe('readFacets', () => {
  const facets = (more: Partial<Facets>): Facets => ({
    meta: { schema: 1 },
    kind: { s: 'scenario', ...more.kind },
    tree: { s: [null, 'a0'], ...more.tree },
    geo: {},
    conn: {},
    style: {},
    data: {},
    text: {},
    rich: {},
    ...omit(more),
  })
  const omit = ({ kind: _kind, tree: _tree, ...rest }: Partial<Facets>): Partial<Facets> => rest

  it('puts defaults where values are invalid, says so, and reads formulas from their texts first', () => {
    const read = readFacets(
      facets({
        kind: { w: 'agent' },
        tree: { w: ['s', 'a0'] },
        geo: { w: ['x'] },
        data: {
          'w/form': 'herd',
          'w/size': -3,
          'w/space': 7,
          'w/individuals': [{ row: 0, value: 2 }, 5],
          'w/initialNumber': '1',
          'w/maximum': '99',
          'gone/x': 1,
        },
        text: { 'w/initialNumber': '2' },
      }),
    )
    expect(notes(read)).toEqual([
      'invalid-value w.form',
      'invalid-value w.geo',
      'invalid-value w.individuals',
      'invalid-value w.size',
      'invalid-value w.space',
    ])
    expect(read.elements.get('w')).toMatchObject({
      geo: [0, 0, 96, 72],
      fields: {
        form: 'population',
        size: 1,
        space: null,
        initialNumber: '2',
        maximum: '99',
        individuals: [{ row: 0, property: '', value: '2' }],
      },
    })
    expect(read.elements.has('gone')).toBe(false)
  })

  it('lets an end hold on to no connector, and a child stand in nothing that opens no canvas', () => {
    const read = readFacets(
      facets({
        kind: { a: 'note', f: 'flow', g: 'flow', b: 'note' },
        tree: { a: ['s', 'a0'], f: ['s', 'a1'], g: ['s', 'a2'], b: ['a', 'a0'] },
        conn: { f: { from: { id: 'g', x: 3, y: 4 }, to: { id: 'a', x: 0, y: 0 } }, g: { from: { id: 'f', x: 1, y: 2 }, to: null } },
      }),
    )
    expect(notes(read)).toEqual(['duplicate-order b', 'orphan b', 'dangling-end f.from', 'dangling-end g.from', 'dangling-end g.to'])
    expect(read.elements.get('f')?.ends?.from).toEqual({ id: null, x: 3, y: 4 })
    expect(read.elements.get('b')?.parent).toBe('s')
  })

  it('looks at each of 5,000 elements a few times only', () => {
    const kind: Facets['kind'] = {}
    const tree: Facets['tree'] = {}
    const geo: Facets['geo'] = {}
    for (let i = 0; i < 5000; i++) {
      kind[`e${i}`] = 'variable'
      tree[`e${i}`] = ['s', `a${String(i).padStart(5, '0')}`]
      geo[`e${i}`] = [i, i, 10, 10]
    }
    let looks = 0
    const counted = <T extends object>(table: T): T =>
      new Proxy(table, {
        get: (target, key) => {
          looks++
          return Reflect.get(target, key)
        },
      })
    expect(readFacets(facets({ kind: counted(kind), tree: counted(tree), geo: counted(geo) })).elements.size).toBe(5001)
    expect(looks).toBeGreaterThan(5000)
    expect(looks).toBeLessThan(20 * 5000)
  })

  it('ignores what nobody could have stored under an id', () => {
    const hostile: Facets = JSON.parse(
      '{"meta":{},"kind":{"s":"scenario","__proto__":"note","constructor":"note","a/b":"note","":"note"},"tree":{},"geo":{},"conn":{},"style":{},"data":{"s/__proto__":1,"s/constructor":2,"s":3},"text":{},"rich":{}}',
    )
    const read = readFacets(hostile)
    expect([...read.elements.keys()]).toEqual(['s'])
    expect(Object.keys(read.elements.get('s')?.fields ?? {})).not.toContain('constructor')
    expect(facetsOf(new Y.Doc()).kind).toEqual({})
  })
})
