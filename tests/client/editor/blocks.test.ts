// Blocks: inserted with their origin, compared with their source, brought up to date as one step of undo.
import { describe, expect, it } from 'vitest'
import { clipOfBlock, differencesOf, instancesOf, originOf, updateCopy } from '../../../client/blocks/origin.ts'
import { loadFile, modelOf, newDocument } from '../../../model-schema/document.ts'
import { connect, createUndo, paste, place, remove, setField } from '../../../model-schema/edit.ts'
import type { HoloFile } from '../../../model-schema/file.ts'
import * as Y from 'yjs'

const file: HoloFile = {
  format: 'holo',
  version: 1,
  elements: {
    main: { kind: 'scenario', name: 'Main' },
    rate: { kind: 'variable', name: 'rate', parent: 'main', initial: '2' },
    pump: { kind: 'agent', name: 'Pump', parent: 'main' },
    work: { kind: 'process', name: 'Work', parent: 'pump' },
    begin: { kind: 'start', parent: 'work', name: 'Begin' },
    add: { kind: 'compute', parent: 'work', name: 'Add', program: 'rate += 1' },
    stop: { kind: 'end', parent: 'work', name: 'Stop' },
    f1: { kind: 'flow', parent: 'work', from: 'begin', to: 'add' },
    f2: { kind: 'flow', parent: 'work', from: 'add', to: 'stop' },
  },
}

function setting() {
  const block = new Y.Doc()
  loadFile(block, file)
  const doc = newDocument('User')
  const scenario = modelOf(doc).scenarios[0]!
  paste(doc, clipOfBlock(modelOf(block), 'block-1', 'copy-1'), scenario, [300, 300])
  const instance = () => instancesOf(modelOf(doc)).find(one => one.copy === 'copy-1')!
  const differences = () => differencesOf(modelOf(doc), instance(), modelOf(block))
  const at = (id: string) => modelOf(doc).elements.get(instance().at.get(id)?.[0] ?? '')
  return { block, doc, scenario, instance, differences, at }
}

describe('a block in a model', () => {
  it('remembers where each of its elements came from, and differs in nothing', () => {
    const { doc, instance, differences, at } = setting()
    expect(instance().at.size).toBe(8)
    expect(originOf(at('add')!)).toEqual({ block: 'block-1', copy: 'copy-1', element: 'add' })
    expect(differences()).toEqual([])
    expect(modelOf(doc).notes).toEqual([])
  })

  it('shows what changed, what is new and what is gone', () => {
    const { block, differences } = setting()
    setField(block, 'add', 'program', 'rate += 2')
    remove(block, ['rate'])
    place(block, { kind: 'delay', parent: 'work', at: [400, 40], id: 'wait', values: { name: 'Wait' } })
    expect(differences().map(({ what, element }) => `${what} ${element}`)).toEqual(['changed add', 'added wait', 'removed rate'])
    expect(differences()[0]).toMatchObject({ changes: [{ field: 'program', here: 'rate += 1', there: 'rate += 2' }] })
  })

  it('is brought up to date, connectors and new elements inside others included, in one step', () => {
    const { block, doc, instance, differences, at } = setting()
    setField(block, 'add', 'program', 'rate += 2')
    remove(block, ['f2'])
    place(block, { kind: 'delay', parent: 'work', at: [400, 40], id: 'wait', values: { name: 'Wait', duration: '3' } })
    connect(block, { kind: 'flow', from: 'add', to: 'wait', id: 'f3' })
    connect(block, { kind: 'flow', from: 'wait', to: 'stop', id: 'f4' })
    const undo = createUndo(doc)
    updateCopy(doc, instance(), modelOf(block), differences())
    expect(differences()).toEqual([])
    expect(at('add')?.fields['program']).toBe('rate += 2')
    expect(at('wait')).toMatchObject({ parent: at('work')?.id, fields: { duration: '3' } })
    expect(at('f4')?.ends).toMatchObject({ from: { id: at('wait')?.id }, to: { id: at('stop')?.id } })
    undo.undo()
    expect(at('add')?.fields['program']).toBe('rate += 1')
    expect(instance().at.size).toBe(8)
  })

  it('takes only what was chosen', () => {
    const { block, doc, instance, differences, at } = setting()
    setField(block, 'add', 'program', 'rate += 2')
    setField(block, 'rate', 'initial', '9')
    updateCopy(
      doc,
      instance(),
      modelOf(block),
      differences().filter(one => one.element === 'rate'),
    )
    expect(at('rate')?.fields['initial']).toBe('9')
    expect(differences().map(one => one.element)).toEqual(['add'])
  })

  it('tells two copies apart', () => {
    const { block, doc, scenario } = setting()
    paste(doc, clipOfBlock(modelOf(block), 'block-1', 'copy-2'), scenario, [900, 300])
    expect(
      instancesOf(modelOf(doc))
        .map(one => [one.copy, one.at.size])
        .sort(),
    ).toEqual([
      ['copy-1', 8],
      ['copy-2', 8],
    ])
    for (const instance of instancesOf(modelOf(doc))) expect(differencesOf(modelOf(doc), instance, modelOf(block))).toEqual([])
  })
})
