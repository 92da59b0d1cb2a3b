// Edits of a dashboard's page: into containers and out of them, their order and shares, copies, runs; each one step of undo.
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import {
  addCard,
  duplicateCard,
  intoContainer,
  ontoPage,
  removeAssociation,
  setShare,
  shift,
  toRun,
} from '../../../client/dashboards/edits.ts'
import { containerOf } from '../../../client/dashboards/scope.ts'
import { dashboardOf, everyItem, type Dashboard, type Item } from '../../../model-schema/dashboard.ts'
import { loadFile, modelOf } from '../../../model-schema/document.ts'
import { createUndo } from '../../../model-schema/edit.ts'

function board() {
  const doc = new Y.Doc()
  loadFile(doc, {
    format: 'holo',
    version: 1,
    elements: {
      board: { kind: 'dashboard', name: 'Board' },
      a: { kind: 'association', parent: 'board', modelFile: 'm' },
      b: { kind: 'association', parent: 'board', modelFile: 'n' },
      row: { kind: 'cardGroup', parent: 'board', layout: 'row', geo: [0, 0, 6, 6] },
      slides: { kind: 'cardGroup', parent: 'board', layout: 'slides', geo: [6, 0, 6, 6] },
      one: { kind: 'chart', parent: 'row', run: 'a' },
      two: { kind: 'chart', parent: 'row', run: 'b' },
      card: { kind: 'chart', parent: 'a', geo: [0, 6, 4, 4] },
      note: { kind: 'note', parent: 'board', geo: [4, 6, 4, 3] },
      loose: { kind: 'controller', parent: 'board', type: 'switch', geo: [8, 6, 3, 2] },
    },
  })
  const undo = createUndo(doc)
  const now = (): Dashboard => dashboardOf(modelOf(doc))!
  const item = (id: string): Item => everyItem(now().items).find(({ element }) => element.id === id)!
  const inside = (id: string): string[] => item(id).items.map(({ element }) => element.id)
  return { doc, undo, now, item, inside }
}

describe('containers', () => {
  it('take cards in before one of theirs, and give them to a place on the page where what stood there goes down; one step of undo each', () => {
    const { doc, undo, now, item, inside } = board()
    intoContainer(doc, item('card'), 'row', 'two')
    expect(inside('row')).toEqual(['one', 'card', 'two'])
    undo.undo()
    expect(item('card').element.parent).toBe('a')
    undo.redo()
    // To another place in its own.
    intoContainer(doc, item('two'), 'row', 'one')
    expect(inside('row')).toEqual(['two', 'one', 'card'])
    intoContainer(doc, item('two'), 'row')
    expect(inside('row')).toEqual(['one', 'card', 'two'])
    // Onto the note: the note makes room.
    expect(ontoPage(doc, now(), item('card'), { id: 'card', x: 3, y: 6, w: 4, h: 4 })).toBeNull()
    expect(item('card').element).toMatchObject({ parent: 'a', geo: [3, 6, 4, 4] })
    expect(item('note').element.geo).toEqual([4, 10, 4, 3])
    undo.undo()
    expect(item('note').element.geo).toEqual([4, 6, 4, 3])
    expect(inside('row')).toEqual(['one', 'card', 'two'])
  })

  it('take cards in, with the run they are of, and give them back to where there is room', () => {
    const { doc, undo, now, item, inside } = board()
    expect(intoContainer(doc, item('card'), 'slides')).toBeNull()
    expect(inside('slides')).toEqual(['card'])
    expect(item('card').association?.id).toBe('a')
    undo.undo()
    expect(inside('slides')).toEqual([])
    expect(item('card').element.parent).toBe('a')
    undo.redo()
    expect(ontoPage(doc, now(), item('card'))).toBeNull()
    expect(item('card').element.parent).toBe('a')
    expect(item('card').association?.id).toBe('a')
    for (const id of ['note', 'loose']) {
      intoContainer(doc, item(id), 'slides')
      expect(inside('slides')).toEqual([id])
      ontoPage(doc, now(), item(id))
      expect(item(id).element.parent).toBe('board')
    }
    // Not into itself.
    expect(intoContainer(doc, item('row'), 'row')).toMatchObject({ refused: 'inside-itself' })
    expect(intoContainer(doc, item('row'), 'slides')).toBeNull()
    expect(inside('slides')).toEqual(['row'])
    expect(item('two').association?.id).toBe('b')
  })

  it('keep their cards in order; the ends are the ends', () => {
    const { doc, item, inside } = board()
    expect(shift(doc, item('row'), 'one', -1)).toBeNull()
    expect(inside('row')).toEqual(['one', 'two'])
    shift(doc, item('row'), 'one', 1)
    expect(inside('row')).toEqual(['two', 'one'])
    shift(doc, item('row'), 'one', 1)
    expect(inside('row')).toEqual(['two', 'one'])
    setShare(doc, item('one').element, [0, 999])
    expect(item('one').element.geo.slice(2)).toEqual([1, 60])
  })

  it('new cards in them say their run; those on the page stand in it', () => {
    const { doc, now, item } = board()
    const inner = String(addCard(doc, now(), { parent: 'row', run: 'b' }, 'chart', { type: 'line' }))
    expect(item(inner)).toMatchObject({ association: { id: 'b' }, element: { parent: 'row' } })
    const note = String(addCard(doc, now(), { parent: 'row', run: 'b' }, 'note', {}))
    expect(item(note).association).toBeNull()
    const outer = String(addCard(doc, now(), { parent: 'a', run: null }, 'chart', {}))
    expect(item(outer).association?.id).toBe('a')
    toRun(doc, now(), item(outer), 'b')
    toRun(doc, now(), item(inner), 'a')
    expect([item(outer), item(inner)].map(({ association, element }) => [association?.id, element.parent])).toEqual([
      ['b', 'b'],
      ['a', 'row'],
    ])
  })

  it('are copied with all in them; what is removed with a run goes from containers as well', () => {
    const { doc, undo, now, item, inside } = board()
    const copy = String(duplicateCard(doc, now(), item('row').element))
    expect(inside(copy)).toHaveLength(2)
    expect(item(copy).items.map(({ association }) => association?.id)).toEqual(['a', 'b'])
    expect(containerOf(now(), inside(copy)[0] ?? '')?.element.id).toBe(copy)
    undo.undo()
    removeAssociation(doc, now().associations[0]!)
    expect(inside('row')).toEqual(['two'])
    expect(everyItem(now().items).some(({ element }) => element.id === 'card')).toBe(false)
  })
})
