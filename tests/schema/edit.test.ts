// Every door of edit.ts: what it changes, what it refuses and why, and that one call is one undo step.
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { facetsOf, fileOf, loadFile, modelOf, readModel, textOf } from '../../model-schema/document.ts'
import {
  addScenario,
  bindEdits,
  connect,
  copy,
  createUndo,
  duplicate,
  duplicateScenario,
  insertStep,
  isRefusal,
  move,
  paste,
  place,
  reconnect,
  remove,
  removeScenario,
  rename,
  reorder,
  reparent,
  restore,
  setBends,
  setField,
  setText,
  together,
  type Refusal,
} from '../../model-schema/edit.ts'
import { modelOfFile } from '../../model-schema/file.ts'
import { isKey, LONGEST_KEY, orderAt, type Sibling } from '../../model-schema/edit/order.ts'
import type { Element, Id } from '../../model-schema/model.ts'
import { takenBy } from '../../model-schema/business/taken.ts'
import { agents, boundary, compute, controller, delay, end, model, process, start, variable, type Built } from '../help/models.ts'
import { randomEdit } from '../help/operations.ts'
import { seeds } from '../help/random.ts'
import { english } from '../../model-schema/words.ts'

const built = (): Built =>
  model(
    variable('speed', 3, { public: true }),
    controller('Speed', 'speed'),
    agents(
      'Wolf',
      variable('energy', 20),
      process('Hunt', start(), compute('energy -= 1', 'hunt'), delay(2, 'rest'), end(), boundary('rest', 'timer', {}, 'late')),
    ),
    process('Other', start(), end()),
  )

function open(): Y.Doc {
  const doc = new Y.Doc()
  doc.clientID = 1
  loadFile(doc, built().file)
  return doc
}

function at(doc: Y.Doc, id: Id): Element {
  const element = modelOf(doc).elements.get(id)
  if (!element) throw new Error(`no ${id}`)
  return element
}

const made = (result: Id | Refusal): Id => {
  if (isRefusal(result)) throw new Error(`refused: ${english(result.words)}`)
  return result
}

const refused = (result: unknown): string | null => (isRefusal(result) ? result.refused : null)

describe('placing', () => {
  it('puts an element last on its canvas, named so that formulas can say it', () => {
    const doc = open()
    const first = made(place(doc, { kind: 'agent', parent: 'scenario1', at: [10, 20] }))
    const second = made(place(doc, { kind: 'agent', parent: 'scenario1', at: [0, 0], values: { initialNumber: '5', color: '#112233' } }))
    expect([first, second].map(id => at(doc, id).fields.name)).toEqual(['Agent1', 'Agent2'])
    expect(at(doc, first)).toMatchObject({ kind: 'agent', parent: 'scenario1', geo: [10, 20, 96, 72], ends: null })
    expect(at(doc, second).fields).toMatchObject({ initialNumber: '5', color: '#112233', placement: 'none' })
    expect(at(doc, 'scenario1').children.slice(-2)).toEqual([first, second])
    expect(textOf(doc, second, 'initialNumber')?.toString()).toBe('5')
  })

  it('refuses what the canvas grammar forbids, and what is gone', () => {
    const doc = open()
    const before = facetsOf(doc)
    expect(refused(place(doc, { kind: 'start', parent: 'scenario1', at: [0, 0] }))).toBe('wrong-canvas')
    expect(refused(place(doc, { kind: 'agent', parent: 'Wolf', at: [0, 0] }))).toBe('wrong-canvas')
    expect(refused(place(doc, { kind: 'note', parent: 'speed', at: [0, 0] }))).toBe('wrong-canvas')
    expect(refused(place(doc, { kind: 'note', parent: 'nowhere', at: [0, 0] }))).toBe('gone')
    expect(refused(place(doc, { kind: 'hologram', parent: 'scenario1', at: [0, 0] }))).toBe('unknown-kind')
    expect(refused(place(doc, { kind: 'flow', parent: 'Wolf-Hunt', at: [0, 0] }))).toBe('unknown-kind')
    expect(refused(place(doc, { kind: 'note', parent: 'scenario1', at: [0, 0], id: 'Wolf' }))).toBe('unknown-kind')
    expect(refused(place(doc, { kind: 'agent', parent: 'scenario1', at: [0, 0], values: { form: 'herd' } }))).toBe('invalid-value')
    expect(refused(place(doc, { kind: 'agent', parent: 'scenario1', at: [0, 0], values: { nosuch: 1 } }))).toBe('invalid-value')
    expect(facetsOf(doc)).toEqual(before)
  })

  it('makes the scenario real that a document without any shows', () => {
    const doc = new Y.Doc()
    const [scenario = ''] = modelOf(doc).scenarios
    expect(modelOf(doc).notes).toEqual([{ kind: 'missing-scenario', id: scenario }])
    const id = made(place(doc, { kind: 'variable', parent: scenario, at: [0, 0] }))
    expect(at(doc, id).parent).toBe(scenario)
    expect(modelOf(doc).notes).toEqual([])
    expect(readModel(doc).scenarios).toEqual([scenario])
  })
})

describe('connecting', () => {
  it('joins what the grammar lets, once', () => {
    const doc = open()
    const id = made(place(doc, { kind: 'compute', parent: 'Wolf-Hunt', at: [0, 0] }))
    const flow = made(connect(doc, { kind: 'flow', from: 'Wolf-Hunt-late', to: id }))
    expect(at(doc, flow)).toMatchObject({ parent: 'Wolf-Hunt', ends: { from: { id: 'Wolf-Hunt-late' }, to: { id } } })
    expect(refused(connect(doc, { kind: 'flow', from: 'Wolf-Hunt-late', to: id }))).toBe('joined-already')
    expect(refused(connect(doc, { kind: 'flow', from: 'Wolf-Hunt-end1', to: id }))).toBe('wrong-ends')
    expect(refused(connect(doc, { kind: 'flow', from: id, to: 'Wolf-Hunt-start1' }))).toBe('wrong-ends')
    expect(refused(connect(doc, { kind: 'flow', from: id, to: id }))).toBe('same-element')
    expect(refused(connect(doc, { kind: 'flow', from: id, to: 'Other-end1' }))).toBe('other-canvas')
    expect(refused(connect(doc, { kind: 'flow', from: id, to: 'gone' }))).toBe('gone')
    expect(refused(connect(doc, { kind: 'flow', from: { id: null, x: 0, y: 0 }, to: id }))).toBe('wrong-ends')
  })

  it('leads an end elsewhere', () => {
    const doc = open()
    const id = made(place(doc, { kind: 'compute', parent: 'Wolf-Hunt', at: [0, 0] }))
    const flow = 'Wolf-Hunt-rest--end1'
    expect(reconnect(doc, flow, 'to', id)).toBeNull()
    expect(at(doc, flow).ends?.to.id).toBe(id)
    expect(refused(reconnect(doc, flow, 'to', 'Wolf-Hunt-start1'))).toBe('wrong-ends')
    expect(refused(reconnect(doc, flow, 'from', 'Other-start1'))).toBe('other-canvas')
    expect(refused(reconnect(doc, 'Wolf', 'to', id))).toBe('gone')
  })
})

describe('moving', () => {
  it('takes boundary events and the bends of inner connectors along, and the ends of connectors', () => {
    const doc = open()
    const [flow, rest, hunt, late] = ['Wolf-Hunt-hunt--rest', 'Wolf-Hunt-rest', 'Wolf-Hunt-hunt', 'Wolf-Hunt-late']
    expect(setBends(doc, flow, [[50, 60]])).toBeNull()
    const before = [rest, hunt, late].map(id => at(doc, id).geo)
    const shifted = (i: number) =>
      (before[i] ?? [0, 0, 0, 0]).map((value, axis) =>
        axis === 0 ? value + 100 : axis === 1 ? value + 10 : value,
      ) as unknown as Element['geo']
    move(doc, [
      { id: rest, geo: shifted(0) },
      { id: hunt, geo: shifted(1) },
    ])
    expect(at(doc, late).geo).toEqual(shifted(2))
    expect(at(doc, flow).bends).toEqual([[150, 70]])
    const [x, y, w, h] = at(doc, hunt).geo
    expect(at(doc, flow).ends?.from).toEqual({ id: hunt, x: x + w / 2, y: y + h / 2 })
  })

  it('writes nothing when nothing is different, and nothing but numbers', () => {
    const doc = open()
    let updates = 0
    doc.on('update', () => updates++)
    move(doc, [{ id: 'Wolf', geo: at(doc, 'Wolf').geo }])
    setField(doc, 'Wolf', 'form', 'population')
    setText(doc, 'Wolf', 'initialNumber', '10')
    rename(doc, 'Wolf', ' Wolf ')
    expect(updates).toBe(1) // the form was the default and is now stored
    move(doc, [{ id: 'Wolf', geo: [Number.NaN, Infinity, -5, 10] }])
    expect(at(doc, 'Wolf').geo).toEqual([0, 0, 0, 10])
  })
})

describe('fields', () => {
  it('hold only what they can', () => {
    const doc = open()
    expect(refused(setField(doc, 'Wolf', 'size', -1))).toBe('invalid-value')
    expect(refused(setField(doc, 'Wolf', 'form', 'herd'))).toBe('invalid-value')
    expect(refused(setField(doc, 'Wolf', 'nosuch', 1))).toBe('invalid-value')
    expect(refused(setField(doc, 'gone', 'size', 1))).toBe('gone')
    expect(refused(rename(doc, 'Wolf', '  '))).toBe('invalid-value')
    expect(refused(setText(doc, 'Wolf', 'form', 'x'))).toBe('invalid-value')
    expect(setField(doc, 'Wolf', 'size', 2)).toBeNull()
    expect(setField(doc, 'Wolf', 'initialNumber', 7)).toBeNull()
    expect(at(doc, 'Wolf').fields).toMatchObject({ size: 2, initialNumber: '7' })
  })

  it('merge formula texts that two people type in at once, and never cut a character', () => {
    const [a, b] = pair()
    setText(a, 'Wolf-Hunt-hunt', 'program', 'energy -= 1 # 😀a')
    swap(a, b)
    setText(a, 'Wolf-Hunt-hunt', 'program', 'energy -= 2 # 😁a')
    setText(b, 'Wolf-Hunt-hunt', 'program', 'self.energy -= 1 # 😀a')
    swap(a, b)
    expect(at(a, 'Wolf-Hunt-hunt').fields.program).toBe('self.energy -= 2 # 😁a')
    setText(a, 'Wolf-Hunt-hunt', 'program', `half ${'😀'[0]}`)
    expect(at(a, 'Wolf-Hunt-hunt').fields.program).toBe('half \uFFFD')
  })

  it('hold whole characters only, so that everybody has the same', () => {
    const [a, b] = pair()
    rename(a, 'Wolf', 'W\ud83d')
    setField(a, 'Wolf', 'individuals', [{ row: 0, property: '\ude00', value: '\ud83d' }])
    const id = made(place(a, { kind: 'note', parent: 'scenario1', at: [0, 0], values: { body: 'x\ud83dy' } }))
    swap(a, b)
    expect(at(a, 'Wolf').fields.name).toBe('W\uFFFD')
    expect(at(a, id).fields.body).toBe('x\uFFFDy')
    expect(facetsOf(a)).toEqual(facetsOf(b))
  })

  it('keep what this build does not know beside what it changes', () => {
    const doc = open()
    doc
      .getMap('conn')
      .set('Wolf-Hunt-rest--end1', { from: { id: 'Wolf-Hunt-rest', x: 0, y: 0 }, to: { id: 'Wolf-Hunt-end1', x: 0, y: 0 }, glow: 3 })
    const id = made(place(doc, { kind: 'compute', parent: 'Wolf-Hunt', at: [0, 0] }))
    reconnect(doc, 'Wolf-Hunt-rest--end1', 'to', id)
    expect(doc.getMap('conn').get('Wolf-Hunt-rest--end1')).toMatchObject({ glow: 3, to: { id } })
  })
})

describe('removing', () => {
  it('takes along what cannot be without it, and nothing else', () => {
    const doc = open()
    remove(doc, ['Wolf-Hunt-rest'])
    const left = [...modelOf(doc).elements.keys()]
    expect(left).not.toContain('Wolf-Hunt-rest')
    expect(left).not.toContain('Wolf-Hunt-late')
    expect(left).not.toContain('Wolf-Hunt-rest--end1')
    expect(left).toContain('Wolf-Hunt-start1--hunt')
    remove(doc, ['Wolf'])
    expect([...modelOf(doc).elements.keys()].filter(id => id.startsWith('Wolf'))).toEqual([])
    expect(modelOf(doc).notes).toEqual([])
  })

  it('keeps one scenario', () => {
    const doc = open()
    expect(refused(removeScenario(doc, 'scenario1'))).toBe('last-scenario')
    const second = made(addScenario(doc))
    expect(at(doc, second).fields.name).toBe('Scenario 2')
    expect(removeScenario(doc, 'scenario1')).toBeNull()
    expect(modelOf(doc).scenarios).toEqual([second])
    expect(modelOf(doc).elements.size).toBe(1)
  })
})

describe('bounds of a plan', () => {
  const none = { scenariosPerFile: null, componentsPerScenario: null, components: null }
  /** Everything that adds, on a document where nothing more may be added. */
  const adding: [string, (doc: Y.Doc) => unknown][] = [
    ['place', doc => place(doc, { kind: 'compute', parent: 'Wolf-Hunt', at: [0, 0] })],
    ['connect', doc => connect(doc, { kind: 'flow', from: 'Wolf-Hunt-hunt', to: 'Wolf-Hunt-end1' })],
    ['insert a step', doc => insertStep(doc, 'Wolf-Hunt-start1--hunt', 'loose')],
    ['paste', doc => paste(doc, copy(modelOf(doc), ['Wolf']), 'scenario1')],
    ['duplicate a scenario', doc => duplicateScenario(doc, 'scenario1')],
  ]

  it.each(['components', 'componentsPerScenario'] as const)('%s: what would add is refused whole, all else goes', quantity => {
    for (const [name, add] of adding) {
      const doc = open()
      made(place(doc, { kind: 'compute', parent: 'Wolf-Hunt', at: [0, 0], id: 'loose' }))
      const { components } = takenBy(modelOf(doc))
      bindEdits(doc, { ...none, [quantity]: components - 1 })
      const before = facetsOf(doc)
      const why = add(doc)
      // A copy of a scenario is as large as the scenario, which is beyond already.
      expect([name, isRefusal(why) && why.limit]).toEqual([name, { quantity, allowed: components - 1 }])
      expect(facetsOf(doc)).toEqual(before)
      expect(duplicate(doc, ['Wolf'])).toEqual([])
      expect(facetsOf(doc)).toEqual(before)
      expect(rename(doc, 'Wolf', 'Dog')).toBeNull()
      const undo = createUndo(doc)
      expect(remove(doc, ['Wolf'])).toBeNull()
      expect(isRefusal(place(doc, { kind: 'note', parent: 'scenario1', at: [0, 0] }))).toBe(false)
      undo.undo()
      expect(modelOf(doc).elements.has('Wolf')).toBe(true)
    }
  })

  it('up to the limit and not one further; none without bounds', () => {
    const doc = open()
    const { components } = takenBy(modelOf(doc))
    bindEdits(doc, { ...none, components: components + 1 })
    made(place(doc, { kind: 'note', parent: 'scenario1', at: [0, 0] }))
    expect(refused(place(doc, { kind: 'note', parent: 'scenario1', at: [0, 0] }))).toBe('limit')
    bindEdits(doc, null)
    made(place(doc, { kind: 'note', parent: 'scenario1', at: [0, 0] }))
  })

  it('scenarios: empty ones and copies count alike', () => {
    const doc = open()
    bindEdits(doc, { ...none, scenariosPerFile: 2 })
    made(addScenario(doc))
    for (const why of [addScenario(doc), duplicateScenario(doc, 'scenario1')])
      expect(isRefusal(why) && why.limit).toEqual({ quantity: 'scenariosPerFile', allowed: 2 })
    expect(modelOf(doc).scenarios.length).toBe(2)
  })

  it('a scenario of its own has room while another is full', () => {
    const doc = open()
    const { components } = takenBy(modelOf(doc))
    bindEdits(doc, { ...none, componentsPerScenario: components })
    const second = made(addScenario(doc))
    made(place(doc, { kind: 'note', parent: second, at: [0, 0] }))
    expect(refused(place(doc, { kind: 'note', parent: 'scenario1', at: [0, 0] }))).toBe('limit')
  })
})

describe('order and place', () => {
  it('reorders among siblings', () => {
    const doc = open()
    reorder(doc, 'Other', 'speed')
    expect(at(doc, 'scenario1').children.slice(0, 2)).toEqual(['Other', 'speed'])
    reorder(doc, 'Other', null)
    expect(at(doc, 'scenario1').children.at(-1)).toBe('Other')
  })

  it('takes steps to another process with the flows between them, and cuts the others', () => {
    const doc = open()
    expect(reparent(doc, ['Wolf-Hunt-hunt', 'Wolf-Hunt-rest'], 'Other')).toBeNull()
    expect(at(doc, 'Wolf-Hunt-hunt--rest').parent).toBe('Other')
    expect(at(doc, 'Wolf-Hunt-late').parent).toBe('Other')
    expect(modelOf(doc).elements.has('Wolf-Hunt-start1--hunt')).toBe(false)
    expect(modelOf(doc).notes).toEqual([])
    expect(refused(reparent(doc, ['Wolf'], 'Other'))).toBe('wrong-canvas')
    const sub = made(place(doc, { kind: 'subprocess', parent: 'Other', at: [0, 0] }))
    const inner = made(place(doc, { kind: 'subprocess', parent: sub, at: [0, 0] }))
    expect(refused(reparent(doc, [sub], inner))).toBe('inside-itself')
  })

  it('keeps keys in order and short, whatever the keys were and wherever one inserts', () => {
    seeds(300, random => {
      let list: Sibling[] = Array.from({ length: random.below(6) }, (_, i) => ({
        id: `s${i}`,
        order: random.pick(['a0', 'a0', 'a1', '', '!', 'zz', 'Zz', 'a0V', 'a00', 'b']),
      }))
      for (let n = 0; n < 30; n++) {
        const index = random.chance(0.7) ? Math.min(1, list.length) : random.below(list.length + 1)
        const count = 1 + random.below(3)
        const { keys, rekey } = orderAt(list, index, count)
        const changed = new Map(rekey.map(({ id, order }) => [id, order]))
        list = list.map(({ id, order }) => ({ id, order: changed.get(id) ?? order }))
        list.splice(index, 0, ...keys.map((order, i) => ({ id: `n${n}-${i}`, order })))
        const written = [...keys, ...changed.values()]
        expect(written.every(key => isKey(key) && key.length <= LONGEST_KEY)).toBe(true)
        for (let i = index; i <= index + keys.length; i++) {
          const [a, b] = [list[i - 1], list[i]]
          if (a && b) expect(a.order < b.order).toBe(true)
        }
      }
    })
  })

  it('needs no long keys after a thousand insertions at one place', () => {
    let list: Sibling[] = [
      { id: 'a', order: 'a0' },
      { id: 'b', order: 'a1' },
    ]
    for (let n = 0; n < 1000; n++) {
      const { keys, rekey } = orderAt(list, 1)
      const changed = new Map(rekey.map(({ id, order }) => [id, order]))
      list = list.map(({ id, order }) => ({ id, order: changed.get(id) ?? order }))
      list.splice(1, 0, { id: `n${n}`, order: keys[0] ?? '' })
    }
    expect(list.every(({ order }, i) => i === 0 || (list[i - 1]?.order ?? '') < order)).toBe(true)
    expect(Math.max(...list.map(({ order }) => order.length))).toBeLessThanOrEqual(LONGEST_KEY)
  })
})

describe('copies', () => {
  it('are led to each other, named freshly, and complete', () => {
    const doc = open()
    const [wolf = ''] = duplicate(doc, ['Wolf'], [30, 40])
    expect(at(doc, wolf).fields.name).toBe('Wolf2')
    expect(at(doc, wolf).geo.slice(0, 2)).toEqual([at(doc, 'Wolf').geo[0] + 30, at(doc, 'Wolf').geo[1] + 40])
    const hunt = at(doc, wolf).children.find(id => at(doc, id).kind === 'process') ?? ''
    const inside = at(doc, hunt).children.map(id => at(doc, id))
    expect(inside.map(({ kind }) => kind)).toEqual(at(doc, 'Wolf-Hunt').children.map(id => at(doc, id).kind))
    const ids = inside.map(({ id }) => id)
    for (const { ends, fields, kind } of inside) {
      if (ends) expect(ids).toEqual(expect.arrayContaining([ends.from.id, ends.to.id]))
      if (kind === 'boundary') expect(ids).toContain(fields.host)
    }
    expect(inside.find(({ kind }) => kind === 'compute')?.fields).toMatchObject({ name: 'hunt', program: 'energy -= 1' })
  })

  it('travel as text between files; references to what stays behind are kept only where it exists', () => {
    const [doc, other] = [open(), new Y.Doc()]
    loadFile(other, model(variable('x')).file)
    const clip = JSON.stringify(copy(modelOf(doc), ['Speed', 'Wolf']))
    const pasted = paste(other, clip, 'scenario1', [500, 500])
    if (isRefusal(pasted)) throw new Error(english(pasted.words))
    expect(pasted.map(id => at(other, id).kind)).toEqual(['controller', 'agent'])
    expect(at(other, pasted[0] ?? '').fields.target).toBeNull()
    const [again = ''] = paste(doc, JSON.stringify(copy(modelOf(doc), ['Speed'])), 'scenario1') as Id[]
    expect(at(doc, again).fields.target).toBe('speed')
    expect(modelOf(other).notes).toEqual([])
  })

  it('are refused when the clipboard holds something else, or the canvas takes none of it', () => {
    const doc = open()
    expect(refused(paste(doc, 'hello', 'scenario1'))).toBe('not-a-clip')
    expect(refused(paste(doc, '{"format":"holo-clip","roots":["a"],"elements":{"a":{"kind":"note","parent":"b"}}}', 'scenario1'))).toBe(
      'not-a-clip',
    )
    expect(refused(paste(doc, `{"format":"holo-clip","roots":["__proto__"],"elements":{"__proto__":{"kind":"note"}}}`, 'scenario1'))).toBe(
      'not-a-clip',
    )
    expect(paste(doc, JSON.stringify(copy(modelOf(doc), ['Wolf'])), 'Wolf')).toEqual([])
  })

  it('of a scenario stand beside it', () => {
    const doc = open()
    const second = made(duplicateScenario(doc, 'scenario1'))
    expect(at(doc, second).fields.name).toBe('Scenario 1_2')
    expect(at(doc, second).children.map(id => at(doc, id).fields.name)).toEqual(
      at(doc, 'scenario1').children.map(id => at(doc, id).fields.name),
    )
    const [, speed = ''] = at(doc, second).children
    expect(at(doc, second).children).toContain(at(doc, speed).fields.target)
    expect(modelOf(doc).scenarios).toEqual(['scenario1', second])
  })
})

function pair(): [Y.Doc, Y.Doc] {
  const [a, b] = [open(), new Y.Doc()]
  b.clientID = 2
  Y.applyUpdate(b, Y.encodeStateAsUpdate(a))
  return [a, b]
}

function swap(a: Y.Doc, b: Y.Doc): void {
  Y.applyUpdate(b, Y.encodeStateAsUpdate(a, Y.encodeStateVector(b)), 'remote')
  Y.applyUpdate(a, Y.encodeStateAsUpdate(b, Y.encodeStateVector(a)), 'remote')
}

describe('undo', () => {
  it('gives the same model again after any edits, and redo the edited one', () => {
    seeds(60, random => {
      const doc = open()
      for (let i = 0; i < 5; i++) randomEdit(doc, random)
      const undo = createUndo(doc)
      const states = [modelOf(doc)]
      for (let i = 0; i < 8; i++) {
        undo.boundary()
        randomEdit(doc, random)
        if (modelOf(doc) !== states.at(-1)) states.push(modelOf(doc))
      }
      for (const state of states.slice(0, -1).reverse()) {
        expect(undo.undo()).toBe(true)
        expect([...modelOf(doc).elements]).toEqual([...state.elements])
      }
      expect(undo.undo()).toBe(false)
      for (const state of states.slice(1)) {
        expect(undo.redo()).toBe(true)
        expect([...modelOf(doc).elements]).toEqual([...state.elements])
      }
      expect(undo.canRedo()).toBe(false)
    })
  })

  it('takes each edit as a step where that is asked for, however soon it comes', () => {
    const doc = open()
    const undo = createUndo(doc)
    const stop = undo.separate()
    setField(doc, 'Wolf', 'size', 2)
    setField(doc, 'Wolf', 'size', 3)
    undo.undo()
    expect(at(doc, 'Wolf').fields.size).toBe(2)
    stop()
    setField(doc, 'Wolf', 'size', 5)
    setField(doc, 'Wolf', 'size', 6)
    undo.undo()
    expect(at(doc, 'Wolf').fields.size).toBe(2)
  })

  it('takes edits between two boundaries as one step, and knows when there is one', () => {
    const doc = open()
    const undo = createUndo(doc)
    let heard = 0
    undo.watch(() => heard++)
    expect([undo.canUndo(), undo.canRedo()]).toEqual([false, false])
    setField(doc, 'Wolf', 'size', 2)
    setField(doc, 'Wolf', 'size', 3)
    undo.boundary()
    together(doc, () => {
      setField(doc, 'Wolf', 'size', 4)
      setField(doc, 'Wolf', 'color', '#000000')
    })
    expect(undo.undo()).toBe(true)
    expect(at(doc, 'Wolf').fields).toMatchObject({ size: 3, color: '#4a7dff' })
    undo.undo()
    expect(at(doc, 'Wolf').fields.size).toBe(1)
    expect([undo.canUndo(), undo.canRedo()]).toEqual([false, true])
    expect(heard).toBeGreaterThanOrEqual(4)
  })

  it('leaves alone what others did, and what came from the disk or the server', () => {
    const [a, b] = pair()
    const undo = createUndo(a)
    setField(b, 'Wolf', 'size', 9)
    swap(a, b)
    expect(undo.canUndo()).toBe(false)
    move(a, [{ id: 'Wolf', geo: [1, 2, 3, 4] }])
    undo.undo()
    swap(a, b)
    expect(at(b, 'Wolf').fields.size).toBe(9)
  })

  it('brings a deleted element back whole, with what another changed of it meanwhile', () => {
    const [a, b] = pair()
    const undo = createUndo(a)
    remove(a, ['Wolf'])
    setField(b, 'Wolf', 'size', 5)
    setText(b, 'Wolf-Hunt-hunt', 'program', 'energy -= 3')
    swap(a, b)
    expect(modelOf(a).elements.has('Wolf')).toBe(false)
    expect(modelOf(b).elements.has('Wolf')).toBe(false)
    expect(undo.undo()).toBe(true)
    swap(a, b)
    for (const doc of [a, b]) {
      expect(at(doc, 'Wolf').fields).toMatchObject({ name: 'Wolf', size: 5, initialNumber: '10' })
      expect(at(doc, 'Wolf-Hunt-hunt').fields.program).toBe('energy -= 3')
      expect(at(doc, 'Wolf-Hunt').children).toHaveLength(at(doc, 'Wolf-Hunt').children.length)
      expect(readModel(doc).notes).toEqual([])
    }
  })

  it('gives the value of before back when another has set one since', () => {
    const [a, b] = pair()
    setField(a, 'Wolf', 'size', 1.5)
    const undo = createUndo(a)
    setField(a, 'Wolf', 'size', 2)
    swap(a, b)
    setField(b, 'Wolf', 'size', 3)
    swap(a, b)
    undo.undo()
    swap(a, b)
    expect(at(a, 'Wolf').fields.size).toBe(1.5)
    expect(at(b, 'Wolf').fields.size).toBe(1.5)
  })

  it('does not bring back what another deleted, and passes over the step that no longer shows', () => {
    const [a, b] = pair()
    const undo = createUndo(a)
    setField(a, 'Other', 'owner', 'observer')
    undo.boundary()
    move(a, [{ id: 'Wolf', geo: [500, 500, 96, 72] }])
    swap(a, b)
    remove(b, ['Wolf'])
    swap(a, b)
    expect(undo.undo()).toBe(true)
    expect(modelOf(a).elements.has('Wolf')).toBe(false)
    expect(at(a, 'Other').fields.owner).toBe('individual')
  })

  it('redoes a placing with what another typed into it meanwhile', () => {
    const [a, b] = pair()
    const undo = createUndo(a)
    const id = made(place(a, { kind: 'variable', parent: 'Wolf', at: [0, 0], values: { initial: '1' } }))
    swap(a, b)
    undo.undo()
    textOf(b, id, 'initial')?.insert(1, ' + 2')
    swap(a, b)
    expect(modelOf(b).elements.has(id)).toBe(false)
    undo.redo()
    swap(a, b)
    for (const doc of [a, b]) expect(at(doc, id).fields.initial).toContain(' + 2')
    expect([...modelOf(a).elements]).toEqual([...modelOf(b).elements])
  })

  it('tracks the origins of editors, keeps 200 steps, and can forget them', () => {
    const doc = open()
    const undo = createUndo(doc)
    const origin = { editor: true }
    const stop = undo.track(origin)
    doc.transact(() => textOf(doc, 'Wolf', 'initialNumber')?.insert(0, '1'), origin)
    expect(undo.undo()).toBe(true)
    stop()
    doc.transact(() => textOf(doc, 'Wolf', 'initialNumber')?.insert(0, '1'), origin)
    expect(undo.canUndo()).toBe(false)
    for (let i = 1; i <= 250; i++) {
      undo.boundary()
      setField(doc, 'Wolf', 'size', i)
    }
    let steps = 0
    while (undo.undo()) steps++
    expect(steps).toBe(200)
    expect(at(doc, 'Wolf').fields.size).toBe(50)
    undo.clear()
    expect(undo.canRedo()).toBe(false)
    undo.destroy()
  })
})

describe('restoring', () => {
  it('makes any document like any other, in one step that can be undone, writing only what differs', () => {
    seeds(40, random => {
      const doc = open()
      for (let i = 0; i < 15; i++) randomEdit(doc, random)
      const version = fileOf(doc)
      for (let i = 0; i < 15; i++) randomEdit(doc, random)
      const undo = createUndo(doc)
      const before = modelOf(doc)
      restore(doc, version)
      expect([...modelOf(doc).elements]).toEqual([...modelOfFile(version).elements])
      let updates = 0
      doc.on('update', () => updates++)
      restore(doc, version)
      expect(updates).toBe(0)
      if (undo.undo()) expect([...modelOf(doc).elements]).toEqual([...before.elements])
    })
  })

  it('keeps what another adds at the same time', () => {
    const [a, b] = pair()
    const version = fileOf(a)
    setText(a, 'Wolf-Hunt-hunt', 'program', 'energy -= 100')
    swap(a, b)
    restore(a, version)
    const id = made(place(b, { kind: 'variable', parent: 'Wolf', at: [0, 0] }))
    swap(a, b)
    for (const doc of [a, b]) {
      expect(at(doc, 'Wolf-Hunt-hunt').fields.program).toBe('energy -= 1')
      expect(modelOf(doc).elements.has(id)).toBe(true)
    }
  })
})
