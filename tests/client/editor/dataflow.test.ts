// Lines between steps and data: drawing one writes into the step what it says, as one step of undo; what would say nothing can't be drawn.
import { describe, expect, it } from 'vitest'
import type { HoloFile } from '../../../model-schema/file.ts'
import { editorOf } from '../../help/editor.ts'
import { english } from '../../../model-schema/words.ts'

const box = (x: number, y = 0): [number, number, number, number] => [x, y, 120, 72]

const file: HoloFile = {
  format: 'holo',
  version: 1,
  elements: {
    s: { kind: 'scenario', name: 'S' },
    beds: { kind: 'container', parent: 's', name: 'beds', geo: box(0) },
    dose: { kind: 'variable', parent: 's', name: 'dose', geo: box(0, 100) },
    treat: { kind: 'process', parent: 's', name: 'Treat', geo: box(200) },
    amount: { kind: 'interface', parent: 'treat', name: 'amount', direction: 'in', geo: box(0) },
    result: { kind: 'interface', parent: 'treat', name: 'result', direction: 'out', geo: box(0, 90) },
    go: { kind: 'process', parent: 's', name: 'Go', geo: box(400) },
    stay: { kind: 'delay', parent: 'go', name: 'Stay', geo: box(0) },
    take: { kind: 'operate', parent: 'go', name: 'Take', geo: box(200) },
    run: { kind: 'call', parent: 'go', name: 'Run', process: 'treat', geo: box(400) },
    toBeds: { kind: 'reference', parent: 'go', target: 'beds', geo: box(0, 200) },
    toDose: { kind: 'reference', parent: 'go', target: 'dose', geo: box(200, 200) },
    toNothing: { kind: 'reference', parent: 'go', geo: box(400, 200) },
  },
}

function canvas() {
  const driver = editorOf(file)
  driver.editor.enter('go')
  const field = (id: string, name: string) => driver.editor.model.elements.get(id)?.fields[name]
  return { ...driver, field }
}

describe('a container connector', () => {
  it('has a step request the container, once, and a container operation work on it', () => {
    const { editor, field } = canvas()
    expect(editor.join('stay', 'toBeds')).not.toBeNull()
    expect(field('stay', 'resources')).toEqual([{ container: 'beds', amount: '1', key: '' }])
    expect(editor.join('take', 'toBeds')).not.toBeNull()
    expect(field('take', 'items')).toEqual([{ container: 'beds', amount: '1', key: '' }])
    editor.undo.undo()
    expect(field('take', 'items')).toEqual([])
    expect(editor.model.elements.get('go')?.children).toHaveLength(7)
    expect(editor.join('stay', 'toBeds')).toBeNull()
    expect(field('stay', 'resources')).toHaveLength(1)
  })

  it('is not drawn to what stands for no container', () => {
    const { editor, field } = canvas()
    expect(editor.join('stay', 'toNothing')).toBeNull()
    expect(english(editor.view.getState().refusal?.words)).toMatch(/stands for no container/)
    expect(editor.join('stay', 'toDose')).toBeNull()
    expect(field('stay', 'resources')).toEqual([])
  })
})

describe('a state connector', () => {
  it('hands the variable to the first interface without a value, and to none that only gives', () => {
    const { editor, field } = canvas()
    expect(editor.join('toDose', 'run')).not.toBeNull()
    expect(field('run', 'inputs')).toEqual([{ name: 'amount', value: 'dose' }])
    expect(editor.join('toBeds', 'run')).toBeNull()
    editor.undo.undo()
    expect(field('run', 'inputs')).toEqual([])
  })
})
