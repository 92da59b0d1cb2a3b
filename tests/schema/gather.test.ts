// Locks, groups, and steps put into flows: their laws on seeded random documents, and what two people make of them.
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { facetsOf, fileOf, loadFile, modelOf } from '../../model-schema/document.ts'
import {
  copy,
  createUndo,
  duplicateScenario,
  group,
  insertStep,
  isRefusal,
  move,
  paste,
  reconnect,
  remove,
  reparent,
  setBends,
  setLocked,
  setTint,
  ungroup,
} from '../../model-schema/edit.ts'
import { modelOfFile, parseFile, printFile } from '../../model-schema/file.ts'
import type { Id } from '../../model-schema/model.ts'
import { processFile } from '../help/editor.ts'
import { seeds, type Chance } from '../help/random.ts'

const steps = ['a', 'b', 'c', 'd', 'e', 'f'] as const

function open(): Y.Doc {
  const doc = new Y.Doc()
  loadFile(
    doc,
    processFile(Object.fromEntries(steps.map((id, i) => [id, ['compute', 200 * i, 0] as const])), [
      ['a', 'b'],
      ['b', 'c'],
    ]),
  )
  return doc
}

function twin(doc: Y.Doc): Y.Doc {
  const other = new Y.Doc()
  Y.applyUpdate(other, Y.encodeStateAsUpdate(doc))
  return other
}

function swap(a: Y.Doc, b: Y.Doc): void {
  Y.applyUpdate(a, Y.encodeStateAsUpdate(b))
  Y.applyUpdate(b, Y.encodeStateAsUpdate(a))
}

const at = (doc: Y.Doc, id: Id) => {
  const element = modelOf(doc).elements.get(id)
  if (!element) throw new Error(`no ${id}`)
  return element
}
const groupsOf = (doc: Y.Doc): Record<Id, readonly Id[]> =>
  Object.fromEntries(steps.flatMap(id => (at(doc, id).groups ? [[id, at(doc, id).groups ?? []]] : [])))

describe('locks', () => {
  it('hold an element where and as it is, until it is unlocked', () => {
    const doc = open()
    setLocked(doc, ['a', 'f0'], true)
    move(doc, [{ id: 'a', geo: [900, 900, 120, 72] }])
    expect(at(doc, 'a').geo).toEqual([0, 0, 120, 72])
    expect(remove(doc, ['a', 'c'])).toMatchObject({ refused: 'locked' })
    expect(modelOf(doc).elements.has('a')).toBe(true)
    expect(modelOf(doc).elements.has('c')).toBe(false)
    expect(reparent(doc, ['a'], 's1')).toMatchObject({ refused: 'locked' })
    expect(setBends(doc, 'f0', [[1, 2]])).toMatchObject({ refused: 'locked' })
    expect(reconnect(doc, 'f0', 'to', 'd')).toMatchObject({ refused: 'locked' })
    setLocked(doc, ['a', 'f0'], false)
    move(doc, [{ id: 'a', geo: [900, 900, 120, 72] }])
    expect(at(doc, 'a').geo[0]).toBe(900)
    // Nothing of it is left in the document.
    expect(JSON.stringify(facetsOf(doc).data)).not.toContain('locked')
  })

  it('go with what they stand in, survive a file, and are not copied', () => {
    const doc = open()
    setLocked(doc, ['a'], true)
    expect(at(doc, 'a').fields).not.toHaveProperty('locked')
    const again = parseFile(printFile(fileOf(doc)))
    if ('problems' in again) throw new Error('the file cannot be read')
    expect(modelOfFile(again.file).elements.get('a')?.locked).toBe(true)
    const made = paste(doc, copy(modelOf(doc), ['a']), 'go')
    if (isRefusal(made)) throw new Error('not pasted')
    expect(at(doc, made[0] ?? '').locked).toBeUndefined()
    const scenario = duplicateScenario(doc, 's1')
    if (isRefusal(scenario)) throw new Error('not duplicated')
    expect([...modelOf(doc).elements.values()].filter(element => element.locked)).toHaveLength(2)
    expect(remove(doc, ['go'])).toBeNull()
    expect(modelOf(doc).elements.has('a')).toBe(false)
  })
})

describe('tags', () => {
  it('are of one colour, on any element, kept by copies and files, and taken off without a trace', () => {
    const doc = open()
    setTint(doc, ['a', 'f0'], '#12ab9f')
    setTint(doc, ['b'], 'url(evil)')
    expect([at(doc, 'a').tint, at(doc, 'f0').tint, at(doc, 'b').tint]).toEqual(['#12ab9f', '#12ab9f', undefined])
    const again = parseFile(printFile(fileOf(doc)))
    if ('problems' in again) throw new Error('the file cannot be read')
    expect(modelOfFile(again.file).elements.get('a')?.tint).toBe('#12ab9f')
    const made = paste(doc, copy(modelOf(doc), ['a']), 'go')
    if (isRefusal(made)) throw new Error('not pasted')
    expect(at(doc, made[0] ?? '').tint).toBe('#12ab9f')
    setTint(doc, ['a', 'f0', made[0] ?? ''], null)
    expect(JSON.stringify(facetsOf(doc).data)).not.toContain('tint')
  })
})

describe('groups', () => {
  it('nest, and dissolve from the outside in', () => {
    const doc = open()
    group(doc, ['a', 'b'], 'inner')
    group(doc, ['a', 'b', 'c'], 'outer')
    expect(groupsOf(doc)).toEqual({ a: ['outer', 'inner'], b: ['outer', 'inner'], c: ['outer'] })
    expect(group(doc, ['a', 'b', 'c'])).toMatchObject({ refused: 'too-few' })
    ungroup(doc, ['a', 'b', 'c'])
    expect(groupsOf(doc)).toEqual({ a: ['inner'], b: ['inner'] })
    ungroup(doc, ['a', 'b'])
    expect(groupsOf(doc)).toEqual({})
    expect(ungroup(doc, ['a', 'b'])).toMatchObject({ refused: 'too-few' })
  })

  it('inside a group make one within it, and take members of half a group out of that half', () => {
    const doc = open()
    group(doc, ['a', 'b', 'c', 'd'], 'outer')
    group(doc, ['a', 'b'], 'one')
    expect(groupsOf(doc)).toEqual({ a: ['outer', 'one'], b: ['outer', 'one'], c: ['outer'], d: ['outer'] })
    group(doc, ['b', 'c'], 'two')
    expect(groupsOf(doc)).toEqual({ a: ['outer'], b: ['outer', 'two'], c: ['outer', 'two'], d: ['outer'] })
  })

  it('with one member left are none, and are whole again when undo brings the others back', () => {
    const doc = open()
    const undo = createUndo(doc)
    group(doc, ['a', 'b'], 'g')
    undo.boundary()
    remove(doc, ['b'])
    expect(at(doc, 'a').groups).toBeUndefined()
    undo.undo()
    expect(groupsOf(doc)).toEqual({ a: ['g'], b: ['g'] })
    undo.undo()
    expect(groupsOf(doc)).toEqual({})
  })

  it('are kept by copies, as groups of their own', () => {
    const doc = open()
    group(doc, ['a', 'b'], 'inner')
    group(doc, ['a', 'b', 'c'], 'outer')
    const made = paste(doc, JSON.stringify(copy(modelOf(doc), ['a', 'b', 'c'])), 'go')
    if (isRefusal(made)) throw new Error('not pasted')
    // The flows between them come along as roots of the clip.
    const copies = made.map(id => at(doc, id)).filter(element => !element.ends)
    const [a, b, c] = copies.map(element => element.groups ?? [])
    expect(copies).toHaveLength(3)
    expect(a).toEqual(b)
    expect(a).toHaveLength(2)
    expect(c).toEqual(a?.slice(0, 1))
    expect(a).not.toContain('outer')
    expect(groupsOf(doc)).toEqual({ a: ['outer', 'inner'], b: ['outer', 'inner'], c: ['outer'] })
  })

  it('converge when two people group across each other', () => {
    seeds(60, random => {
      const one = open()
      const other = twin(one)
      for (const doc of [one, other])
        for (let i = 0; i < 4; i++) {
          const chosen = some(random)
          if (random.chance(0.7)) group(doc, chosen, `g${random.below(1e9)}`)
          else ungroup(doc, chosen)
        }
      swap(one, other)
      expect(groupsOf(one)).toEqual(groupsOf(other))
      // Each group can be dissolved: in the end none is left.
      for (let i = 0; i < 20 && Object.keys(groupsOf(one)).length > 0; i++) ungroup(one, [...steps])
      expect(groupsOf(one)).toEqual({})
    })
  })

  it('grouping and undoing gives the same model', () => {
    seeds(60, random => {
      const doc = open()
      const undo = createUndo(doc)
      for (let i = 0; i < 5; i++) {
        undo.boundary()
        const before = groupsOf(doc)
        const done = random.chance(0.6) ? !isRefusal(group(doc, some(random))) : ungroup(doc, some(random)) === null
        if (!done) continue
        const after = groupsOf(doc)
        undo.undo()
        expect(groupsOf(doc)).toEqual(before)
        undo.redo()
        expect(groupsOf(doc)).toEqual(after)
      }
    })
  })
})

const some = (random: Chance): Id[] => steps.filter(() => random.chance(0.5))

describe('a step put into a flow', () => {
  it('stands between what the flow joined; the flow keeps its id; one step of undo', () => {
    const doc = open()
    setBends(doc, 'f0', [[50, 50]])
    const undo = createUndo(doc)
    const made = insertStep(doc, 'f0', 'e', 'new')
    expect(made).toBe('new')
    const joined = (id: Id) => [at(doc, id).ends?.from.id, at(doc, id).ends?.to.id]
    expect(joined('f0')).toEqual(['a', 'e'])
    expect(joined('new')).toEqual(['e', 'b'])
    expect(at(doc, 'f0').bends).toEqual([])
    undo.undo()
    expect(joined('f0')).toEqual(['a', 'b'])
    expect(at(doc, 'f0').bends).toEqual([[50, 50]])
    expect(modelOf(doc).elements.has('new')).toBe(false)
  })

  it('is refused where a flow could not lead, and then nothing is written', () => {
    const doc = open()
    let updates = 0
    doc.on('update', () => updates++)
    expect(insertStep(doc, 'f0', 'a')).toMatchObject({ refused: 'same-element' })
    expect(insertStep(doc, 'f0', 'go')).toMatchObject({ refused: 'other-canvas' })
    expect(insertStep(doc, 'f1', 'gone')).toMatchObject({ refused: 'gone' })
    expect(updates).toBe(0)
  })
})
