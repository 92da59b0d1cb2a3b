// Renaming, finding and replacing on shipped samples, through the editor: one undo step takes all of it back.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { run } from '../../../client/editor/commands.ts'
import { findIn, replaceIn } from '../../../client/editor/find.ts'
import { fileOf } from '../../../model-schema/document.ts'
import { parseFile } from '../../../model-schema/file.ts'
import { check } from '../../../sim-engine/check.ts'
import { referencesTo } from '../../../sim-engine/references.ts'
import { editorOf, processFile } from '../../help/editor.ts'
import { silentHost as host } from '../../../client/editor/quietHost.ts'
import { english } from '../../../model-schema/words.ts'

function sampleEditor(id: string) {
  const parsed = parseFile(readFileSync(new URL(`../../../model-schema/samples/${id}.holo`, import.meta.url), 'utf8'))
  if (!('file' in parsed)) throw new Error(`${id} can not be read`)
  return editorOf(parsed.file)
}

describe('renaming', () => {
  it.each(['wolf-sheep', 'epidemic', 'segregation'])('%s: what refers to it follows, in one undo step', async sampleId => {
    const { editor, doc } = sampleEditor(sampleId)
    const scenario = editor.model.scenarios[0] ?? ''
    const problems = () => check(editor.model, scenario).problems.map(one => `${one.code} ${one.at.id} ${one.at.field}`)
    const before = { file: fileOf(doc), problems: problems() }
    const often = [...editor.model.elements.keys()].find(id => referencesTo(editor.model, scenario, id).length > 2) ?? ''
    const places = referencesTo(editor.model, scenario, often)
    await editor.setName(often, 'A new name')
    expect(editor.model.elements.get(often)?.fields['name']).toBe('A new name')
    expect(problems()).toEqual(before.problems)
    expect(referencesTo(editor.model, scenario, often)).toHaveLength(places.length)
    expect(english(editor.view.getState().report?.words)).toContain(String(places.length))
    expect(findIn(editor.model, 'A_new_name', { cased: true, whole: true }).length).toBeGreaterThan(0)
    editor.undo.undo()
    expect(fileOf(doc)).toEqual(before.file)
  })

  it('a name that would be mistaken is refused, and nothing is written', async () => {
    const { editor, doc } = sampleEditor('wolf-sheep')
    const scenario = editor.model.scenarios[0] ?? ''
    const often = [...editor.model.elements.keys()].find(id => referencesTo(editor.model, scenario, id).length > 2) ?? ''
    const before = fileOf(doc)
    await editor.setName(often, 'and')
    expect(editor.view.getState().refusal).not.toBeNull()
    expect(fileOf(doc)).toEqual(before)
  })

  it('a name nobody says is written at once', () => {
    const { editor, named } = editorOf(processFile({ a: ['compute', 0, 0] }))
    void editor.setName('a', 'Feed')
    expect(named('Feed').id).toBe('a')
    expect(editor.view.getState().report).toBeNull()
  })
})

describe('find and replace', () => {
  const driver = () => {
    const made = editorOf(processFile({ Feed: ['compute', 0, 0], other: ['compute', 200, 0] }))
    replaceIn(made.editor, findIn(made.editor.model, 'other'), 'feeder')
    return made
  }

  it('tells case and whole words apart', () => {
    const { editor } = driver()
    expect(findIn(editor.model, 'feed').map(one => one.line)).toEqual(['Feed', 'feeder'])
    expect(findIn(editor.model, 'feed', { cased: true }).map(one => one.line)).toEqual(['feeder'])
    expect(findIn(editor.model, 'feed', { whole: true }).map(one => one.line)).toEqual(['Feed'])
  })

  it('replaces every place of a text, lengths aside, as one undo step', () => {
    const { editor, doc } = sampleEditor('wolf-sheep')
    const before = fileOf(doc)
    const found = findIn(editor.model, 'energy', { most: Infinity }).filter(one => one.plain)
    expect(found.length).toBeGreaterThan(5)
    expect(replaceIn(editor, found, 'vital_force')).toBe(found.length)
    expect(findIn(editor.model, 'energy', { most: Infinity }).filter(one => one.plain)).toEqual([])
    expect(findIn(editor.model, 'vital_force', { most: Infinity })).toHaveLength(found.length)
    editor.undo.undo()
    expect(fileOf(doc)).toEqual(before)
  })

  it('replaces one place and leaves the others', () => {
    const { editor } = driver()
    const second = findIn(editor.model, 'e').filter(one => one.id === 'Feed')[1]
    expect(second).toMatchObject({ line: 'Feed', from: 2, at: 2 })
    replaceIn(editor, second ? [second] : [], 'a')
    expect(editor.model.elements.get('Feed')?.fields['name']).toBe('Fead')
  })
})

describe('order', () => {
  it('goes one step forward and back, and to either end', () => {
    const { editor } = editorOf(
      processFile({ a: ['compute', 0, 0], b: ['compute', 200, 0], c: ['compute', 400, 0], d: ['compute', 600, 0] }),
    )
    editor.enter('go')
    const order = () => (editor.model.elements.get('go')?.children ?? []).join('')
    const tell = (id: 'forward' | 'backward' | 'toFront' | 'toBack') => {
      run(id, { editor, host })
      return order()
    }
    editor.select(['b'])
    expect(tell('forward')).toBe('acbd')
    expect(tell('forward')).toBe('acdb')
    expect(tell('forward')).toBe('acdb')
    expect(tell('backward')).toBe('acbd')
    expect(tell('toBack')).toBe('bacd')
    expect(tell('backward')).toBe('bacd')
    editor.select(['b', 'c'])
    expect(tell('forward')).toBe('adbc')
  })

  it('a frame gives what it holds', () => {
    const { editor } = editorOf(processFile({ frame: ['frame', 0, 0], a: ['compute', 40, 40], b: ['compute', 600, 40] }))
    editor.enter('go')
    editor.select(['frame'])
    run('selectFrame', { editor, host })
    expect([...editor.view.getState().selection].sort()).toEqual(['a', 'frame'])
  })
})
