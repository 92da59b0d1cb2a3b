// What a proposal shows before it is decided: marks on the canvas, old and new values in words, and runs with it that leave the model as it is.
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { differencesIn, titleIn } from '../../client/copilot/proposals/deltas.ts'
import { touchedBy } from '../../client/copilot/proposals/touches.ts'
import { Editor } from '../../client/editor/editor.ts'
import { createStore } from 'zustand/vanilla'
import { marksOn } from '../../client/copilot/proposals/marks.ts'
import { facetsOf, loadFile, modelOf } from '../../model-schema/document.ts'
import { connect, createUndo, isRefusal, move, place, remove, setField, setText } from '../../model-schema/edit.ts'
import { forkDocument, offer, proposalOf, reject, standingsOf, type Proposal } from '../../model-schema/proposals.ts'
import { answer } from '../../sim-engine/copilot/guide.ts'
import { ward } from './tasks/fixtures.ts'
import { english } from '../../model-schema/words.ts'

function open(): Y.Doc {
  const doc = new Y.Doc()
  loadFile(doc, ward().file)
  return doc
}

function suggested(doc: Y.Doc, change: (branch: Y.Doc) => void): Proposal {
  const branch = forkDocument(doc)
  change(branch)
  const made = proposalOf(doc, branch, {
    id: 'p1',
    title: 'A change',
    why: '',
    by: { kind: 'copilot', name: 'Test' },
    at: 1,
    note: { problems: { before: 0, after: 0 }, run: null },
  })
  if (isRefusal(made)) throw new Error(english(made.words))
  offer(doc, made)
  return made
}

const made = (id: unknown): string => {
  if (typeof id !== 'string') throw new Error(JSON.stringify(id))
  return id
}
const marks = (doc: Y.Doc, proposal: Proposal, canvas: string) => marksOn(canvas, proposal, standingsOf(doc, proposal), modelOf(doc))

describe('the marks of a proposal', () => {
  it('are ghosts of what is new with their connectors, strikes, and arrows from here to there, on the canvas they are of', () => {
    const doc = open()
    let [step, flow] = ['', '']
    const proposal = suggested(doc, branch => {
      step = made(place(branch, { kind: 'delay', parent: 'Visit', at: [500, 300], values: { name: 'Clean' } }))
      flow = made(connect(branch, { kind: 'flow', from: 'Visit-Treatment', to: step }))
      move(branch, [{ id: 'Visit-end1', geo: [900, 40, 36, 36] }])
      remove(branch, ['busy'])
    })
    const inside = new Map(marks(doc, proposal, 'Visit').map(one => [one.id, one]))
    expect(inside.get(step)).toMatchObject({ sort: 'added', name: 'Clean', box: { x: 500, y: 300 }, was: null })
    expect(inside.get(flow)).toMatchObject({ sort: 'added', box: null })
    expect(inside.get(flow)!.line.length).toBeGreaterThan(1)
    expect(inside.get('Visit-end1')).toMatchObject({ sort: 'changed', box: { x: 900, y: 40 }, isRound: true })
    expect(inside.get('Visit-end1')!.was).not.toBeNull()
    expect(inside.has('busy')).toBe(false)
    const outside = new Map(marks(doc, proposal, 'scenario1').map(one => [one.id, one.sort]))
    expect([...outside]).toEqual([
      ['busy', 'removed'],
      ['Visit', 'inside'],
    ])
    reject(doc, proposal, [step])
    expect(marks(doc, proposal, 'Visit').some(({ id }) => id === step)).toBe(false)
  })

  it('say old and new values in words', () => {
    const doc = open()
    const proposal = suggested(doc, branch => {
      setText(branch, 'Visit-Treatment', 'duration', '2')
      setField(branch, 'Nurses', 'initial', '3')
    })
    const rows = proposal.deltas.map(delta => [
      english(titleIn(delta, modelOf(doc), proposal)),
      ...differencesIn(delta, modelOf(doc)).rows.map(({ before, after }) => `${before} > ${after}`),
    ])
    expect(rows.toSorted()).toEqual([
      ['Nurses', '2 > 3'],
      ['Treatment', 'exponential(1.2) > 2'],
    ])
  })
})

describe('what a proposal also touches', () => {
  it('is what names or refers to what it changes, not what it changes itself or only moves', () => {
    const doc = open()
    const model = modelOf(doc)
    const proposal = suggested(doc, branch => void setField(branch, 'Nurses', 'initial', '3'))
    const touched = touchedBy(proposal.deltas, model)
    expect(touched).toContain('busy')
    expect(touched).not.toContain('Nurses')
    for (const id of touched) expect(model.elements.has(id)).toBe(true)
    const moved = suggested(doc, branch => void move(branch, [{ id: 'Nurses', geo: [900, 40, 120, 56] }]))
    expect(touchedBy(moved.deltas, model)).toEqual([])
    const both = suggested(doc, branch => {
      setField(branch, 'Nurses', 'initial', '3')
      setText(branch, 'busy', 'expression', 'Nurses.utilization + 0')
    })
    expect(touchedBy(both.deltas, model)).not.toContain('busy')
  })
})

describe('pointing at what an answer cites', () => {
  it('highlights it on the open canvas, from further in what it is in, and nothing of another canvas', () => {
    const doc = open()
    const editor = new Editor({ doc, model: createStore(() => ({ model: modelOf(doc) })), undo: createUndo(doc), writable: () => true })
    editor.goTo('scenario1')
    const at = (id: string | null): string | null => {
      editor.pointTo(id)
      return editor.view.getState().hover
    }
    expect(at('Nurses')).toBe('Nurses')
    expect(at('Visit-Treatment')).toBe('Visit')
    expect(at(null)).toBeNull()
    editor.goTo('Visit')
    expect(at('Visit-Treatment')).toBe('Visit-Treatment')
    expect(at('Nurses')).toBeNull()
    expect(at('gone')).toBeNull()
    editor.close()
  })
})

describe('trying a proposal', () => {
  it('compares runs with the same seeds without and with it, and changes nothing', () => {
    const doc = open()
    suggested(doc, branch => void setField(branch, 'Nurses', 'initial', '3'))
    const before = facetsOf(doc)
    const { lines, proposal } = answer(doc, { about: 'try', proposal: 'p1' }, 0)
    const told = lines.map(({ words }) => english(words)).join('\n')
    expect(told).toMatch(/seeds 1 to 10, without and with 1 changes/)
    expect(told).toMatch(/mean_wait: .*→.*a real difference/)
    expect(proposal).toBeNull()
    expect(facetsOf(doc)).toEqual(before)
    expect(english(answer(doc, { about: 'try', proposal: 'nobody' }, 0).lines[0]!.words)).toContain('no longer there')
  })

  it('says when the model does not run without it, and what is measured anew', () => {
    const doc = open()
    setText(doc, 'Visit-Treatment', 'duration', '1 +')
    suggested(doc, branch => {
      setText(branch, 'Visit-Treatment', 'duration', '1')
      place(branch, { kind: 'statistic', parent: 'scenario1', at: [0, 900], values: { name: 'waiting', expression: 'Nurses.mean_queue' } })
    })
    const told = answer(doc, { about: 'try', proposal: 'p1' }, 0).lines.map(({ words }) => english(words))
    expect(told.join('\n')).toMatch(/Without it the model does not run/)
    expect(told.join('\n')).toMatch(/waiting: /)
  })
})
