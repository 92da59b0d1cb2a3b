// Two scenarios compared: settings, values things begin with, and what is only in one of them, whatever the ids.
import { describe, expect, it } from 'vitest'
import { compareScenarios, isBeginning } from '../../../client/editor/scenarios.ts'
import { modelOf, newDocument } from '../../../model-schema/document.ts'
import { modelOfFile } from '../../../model-schema/file.ts'
import { connect, duplicateScenario, place, remove, setField, setText } from '../../../model-schema/edit.ts'
import type { Id } from '../../../model-schema/model.ts'

const made = (result: unknown): Id => {
  if (typeof result !== 'string') throw new Error(`refused: ${JSON.stringify(result)}`)
  return result
}

function variant() {
  const doc = newDocument('Two')
  const one = modelOf(doc).scenarios[0]!
  const wolf = made(place(doc, { kind: 'agent', parent: one, at: [0, 0], values: { name: 'Wolf', initialNumber: '10' } }))
  made(place(doc, { kind: 'variable', parent: wolf, at: [0, 0], values: { name: 'energy', initial: '5' } }))
  const process = made(place(doc, { kind: 'process', parent: wolf, at: [0, 90], values: { name: 'Hunt' } }))
  const start = made(place(doc, { kind: 'start', parent: process, at: [0, 0] }))
  const end = made(place(doc, { kind: 'end', parent: process, at: [200, 0] }))
  made(connect(doc, { kind: 'flow', from: start, to: end }))
  const other = made(duplicateScenario(doc, one))
  const inOther = (name: string): Id => {
    const { elements } = modelOf(doc)
    const under = (id: Id | null): boolean => id === other || (id !== null && under(elements.get(id)?.parent ?? null))
    const found = [...elements.values()].find(element => element.fields['name'] === name && under(element.parent))
    if (!found) throw new Error(`no ${name}`)
    return found.id
  }
  return { doc, one, other, inOther }
}

describe('scenarios compared', () => {
  it('do not differ when one is a copy of the other, connectors and references included', () => {
    const { doc, one, other } = variant()
    expect(compareScenarios(modelOf(doc), one, other)).toEqual({ settings: [], elements: [] })
  })

  it('differ in settings, in what things begin with, and in what is only in one', () => {
    const { doc, one, other, inOther } = variant()
    setField(doc, other, 'totalTicks', 77)
    setText(doc, inOther('Wolf'), 'initialNumber', '25')
    made(place(doc, { kind: 'variable', parent: other, at: [0, 300], values: { name: 'rain' } }))
    remove(doc, [inOther('energy')])
    const { settings, elements } = compareScenarios(modelOf(doc), one, other)
    expect(settings.map(({ field, other: value }) => [field.id, value])).toEqual([['totalTicks', 77]])
    const told = elements.map(difference => [
      (difference.one ?? difference.other)?.fields['name'],
      difference.one !== null,
      difference.other !== null,
      difference.fields.map(({ field, one: a, other: b }) => [field.id, a, b]),
    ])
    expect(told).toEqual([
      ['Wolf', true, true, [['initialNumber', '10', '25']]],
      ['energy', true, false, []],
      ['rain', false, true, []],
    ])
    expect(elements.filter(isBeginning).map(({ one: element }) => element?.fields['name'])).toEqual(['Wolf'])
  })

  it('do not differ by texts that happen to be ids, and do by what they refer to', () => {
    const element = (parent: string, more: { kind: string; name: string; space?: string }) => ({
      parent,
      geo: [0, 0, 120, 72] as [number, number, number, number],
      ...more,
    })
    const model = modelOfFile({
      format: 'holo',
      version: 1,
      elements: {
        one: { kind: 'scenario', name: 'One' },
        Town: element('one', { kind: 'space', name: 'Town' }),
        View: element('one', { kind: 'worldView', name: 'Town', space: 'Town' }),
        other: { kind: 'scenario', name: 'Other' },
        t2: element('other', { kind: 'space', name: 'Town' }),
        v2: element('other', { kind: 'worldView', name: 'Town', space: 't2' }),
      },
    })
    expect(compareScenarios(model, 'one', 'other').elements).toEqual([])
    const moved = new Map(model.elements)
    moved.set('v2', { ...moved.get('v2')!, fields: { ...moved.get('v2')!.fields, space: null } })
    expect(compareScenarios({ ...model, elements: moved }, 'one', 'other').elements).toMatchObject([
      { fields: [{ field: { id: 'space' } }] },
    ])
  })

  it('count namesakes instead of losing them', () => {
    const { doc, one, other } = variant()
    for (const [scenario, x] of [
      [one, 0],
      [one, 200],
      [other, 0],
    ] as const)
      made(place(doc, { kind: 'note', parent: scenario, at: [x, 500] }))
    const { elements } = compareScenarios(modelOf(doc), one, other)
    expect(elements.map(difference => [difference.one?.geo[0], difference.other])).toEqual([[200, null]])
  })
})
