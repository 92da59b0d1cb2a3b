import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import {
  facetsOf,
  fileOf,
  loadFile,
  mayWrite,
  modelOf,
  newDocument,
  readModel,
  richOf,
  textOf,
  watchModel,
} from '../../model-schema/document.ts'
import { createUndo, place, remove, setField } from '../../model-schema/edit.ts'
import { readFacets } from '../../model-schema/integrity.ts'
import { modelOfFile } from '../../model-schema/file.ts'
import type { Json } from '../../model-schema/kinds/kind.ts'
import { plainModel, type Element, type Model, type ModelDiff } from '../../model-schema/model.ts'
import { plainOf } from '../../model-schema/rich.ts'
import { agents, compute, end, element, model, process, start, variable } from '../help/models.ts'
import { randomEdit } from '../help/operations.ts'
import { chance, seeds } from '../help/random.ts'
import { expectSound, plain } from '../help/soundness.ts'

function loaded(): Y.Doc {
  const doc = new Y.Doc()
  loadFile(
    doc,
    model(
      agents('Wolf', variable('energy', 20), process('Hunt', start(), compute('energy -= 1', 'hunt'), end())),
      element('note', 'n1', { body: 'One\nTwo' }),
    ).file,
  )
  return doc
}

describe('a document', () => {
  it('is new with one scenario', () => {
    const read = readModel(newDocument('Wolves'))
    expect(read.scenarios).toHaveLength(1)
    expect(read.elements.get(read.scenarios[0] ?? '')?.fields.name).toBe('Scenario 1')
    expect(read.notes).toEqual([])
  })

  it('holds what its file holds', () => {
    const doc = loaded()
    expect(plain(readModel(doc))).toEqual(plain(modelOfFile(fileOf(doc))))
    expect(readModel(doc).elements.get('Wolf-Hunt-hunt')?.fields.program).toBe('energy -= 1')
    expect(plainOf(readModel(doc).elements.get('n1')?.fields.body ?? null)).toBe('One\nTwo')
  })

  it('reads the same from its maps and from its plain data', () => {
    const doc = loaded()
    expect(plain(readModel(doc))).toEqual(plain(readFacets(facetsOf(doc))))
  })

  it('gives editors the shared texts, one for each formula and rich field', () => {
    const doc = loaded()
    expect(textOf(doc, 'Wolf', 'initialNumber')?.toString()).toBe('10')
    expect(textOf(doc, 'Wolf', 'name')).toBeNull()
    expect(richOf(doc, 'n1', 'body')?.toString()).toBe('<paragraph>One</paragraph><paragraph>Two</paragraph>')
  })

  it('is filled only once', () => {
    expect(() => loadFile(loaded(), { format: 'holo', version: 1, elements: {} })).toThrow('not empty')
  })

  it('is not written by a build older than it asks for', () => {
    const doc = loaded()
    expect(mayWrite(doc)).toBe(true)
    doc.getMap('meta').set('minWriter', 2)
    expect(mayWrite(doc)).toBe(false)
  })

  it('keeps marks of rich text', () => {
    const doc = loaded()
    const body: Json = {
      type: 'doc',
      content: [
        {
          type: 'heading',
          attrs: { level: 2 },
          content: [
            { type: 'text', text: 'Big', marks: [{ type: 'bold' }] },
            { type: 'text', text: ' small' },
          ],
        },
      ],
    }
    expect(setField(doc, 'n1', 'body', body)).toBeNull()
    expect(readModel(doc).elements.get('n1')?.fields.body).toEqual(body)
    expect(plain(modelOfFile(fileOf(doc))).elements.find(([id]) => id === 'n1')?.[1].fields.body).toEqual(body)
  })
})

describe('watchModel', () => {
  it('tells once a transaction what is different, and keeps all other elements', () => {
    const doc = loaded()
    const before = modelOf(doc)
    const heard: ModelDiff[] = []
    const stop = watchModel(doc, (_, diff) => heard.push(diff))
    setField(doc, 'Wolf', 'color', '#123456')
    setField(doc, 'Wolf', 'color', '#123456')
    textOf(doc, 'Wolf-Hunt-hunt', 'program')?.insert(0, '# hungry\n')
    remove(doc, ['Wolf-energy'])
    stop()
    setField(doc, 'Wolf', 'color', '#654321')
    expect(heard).toEqual([
      { added: [], removed: [], changed: ['Wolf'], local: true },
      { added: [], removed: [], changed: ['Wolf-Hunt-hunt'], local: false },
      { added: [], removed: ['Wolf-energy'], changed: ['Wolf'], local: true },
    ])
    expect(modelOf(doc).elements.get('n1')).toBe(before.elements.get('n1'))
    expect(modelOf(doc).elements.get('Wolf-Hunt')).toBe(before.elements.get('Wolf-Hunt'))
  })

  it('is plain data for another thread only when asked for', () => {
    const doc = loaded()
    const [id] = modelOf(doc).roots
    const before = modelOf(doc)
    setField(doc, id!, 'name', 'Other')
    const now = modelOf(doc)
    expect(now.elements.size).toBe(before.elements.size)
    expect(before.elements.get(id!)?.fields.name).not.toBe('Other')
    expect(() => structuredClone(now)).toThrow('could not be cloned')
    const there = structuredClone(plainModel(now))
    expect([...there.elements]).toEqual([...readModel(doc).elements])
    expect(there.elements.get(id!)?.fields.name).toBe('Other')
  })

  it('equals reading from scratch after any edits of two people, and shares every element that is the same', { timeout: 300_000 }, () => {
    seeds(40, random => {
      const [a, b] = [new Y.Doc(), new Y.Doc()]
      a.clientID = 1
      b.clientID = 2
      loadFile(a, fileOf(loaded()))
      Y.applyUpdate(b, Y.encodeStateAsUpdate(a))
      const undo = createUndo(a)
      let last: Model = modelOf(a)
      watchModel(a, (now, diff) => {
        for (const [id, element] of now.elements) {
          const old: Element | undefined = last.elements.get(id)
          if (old === element) expect(diff.changed).not.toContain(id)
          else if (old) expect(diff.changed).toContain(id)
          else expect(diff.added).toContain(id)
          if (old && old !== element) expect(element).not.toEqual(old)
        }
        last = now
      })
      for (let i = 0; i < 25; i++) {
        const doc = random.chance(0.6) ? a : b
        if (doc === a && random.chance(0.15)) undo[random.chance(0.7) ? 'undo' : 'redo']()
        else randomEdit(doc, random)
        if (random.chance(0.3)) undo.boundary()
        if (random.chance(0.4)) {
          Y.applyUpdate(a, Y.encodeStateAsUpdate(b, Y.encodeStateVector(a)))
          Y.applyUpdate(b, Y.encodeStateAsUpdate(a, Y.encodeStateVector(b)))
        }
        expect(plain(modelOf(a))).toEqual(plain(readModel(a)))
        expect(plain(last)).toEqual(plain(modelOf(a)))
      }
    })
  })

  it('reads through an open transaction', () => {
    const doc = loaded()
    modelOf(doc)
    doc.transact(() => {
      const id = place(doc, { kind: 'variable', parent: 'Wolf', at: [0, 0] })
      expect(typeof id === 'string' && modelOf(doc).elements.has(id)).toBe(true)
    })
  })
})

describe('readFacets', () => {
  it('is total, and the same whatever the order of keys, on randomly spoilt data', { timeout: 300_000 }, () => {
    const doc = loaded()
    const random0 = chance(7)
    for (let i = 0; i < 60; i++) randomEdit(doc, random0)
    const good = facetsOf(doc)
    seeds(2000, random => {
      const spoilt = structuredClone(good)
      const ids = Object.keys(good.kind)
      const junk = () =>
        random.pick<never>([
          null,
          5,
          -1,
          'x',
          '',
          [],
          {},
          [1, 2],
          [null, 'a0'],
          ['gone', 'a1'],
          { from: 3 },
          [[1]],
          1e300,
          true,
          ['__proto__', ''],
          { from: { id: random.pick(ids), x: 'a' } },
        ] as never[])
      for (let i = 0; i < 12; i++) {
        const facet = random.pick(['kind', 'tree', 'geo', 'conn', 'style', 'data', 'text', 'rich'] as const)
        const keys = Object.keys(spoilt[facet])
        const key =
          keys.length > 0 && random.chance(0.8) ? random.pick(keys) : random.pick([...ids, '__proto__', 'x/y/z', 'constructor', '/'])
        const dice = random.below(4)
        if (dice === 0) delete spoilt[facet][key]
        else if (dice === 1 && facet === 'tree') spoilt.tree[key] = [random.pick(ids), random.pick(['a0', '', '!', 'a1'])]
        else if (dice === 2 && facet === 'kind')
          spoilt.kind[key] = random.pick(['scenario', 'note', 'flow', 'hologram', 'process', 'agent'])
        else Object.defineProperty(spoilt[facet], key, { value: junk(), enumerable: true, configurable: true, writable: true })
      }
      const read = readFacets(spoilt)
      const shuffled = structuredClone(spoilt)
      for (const facet of ['kind', 'tree', 'geo', 'conn', 'style', 'data', 'text', 'rich'] as const) {
        Object.assign(shuffled, { [facet]: Object.fromEntries(random.shuffle(Object.entries(spoilt[facet]))) })
      }
      // Compared as text: 2,000 deep comparisons of a whole model take their time.
      expect(JSON.stringify(plain(readFacets(shuffled)))).toBe(JSON.stringify(plain(read)))
      expectSound(read)
    })
  })
})
