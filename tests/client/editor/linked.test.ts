// A new name in files about a model: what they say in formulas and fields, and nothing else.
import { describe, expect, it } from 'vitest'
import { changesIn, inFormula, renamedOf } from '../../../client/editor/linked.ts'
import { modelOf, newDocument } from '../../../model-schema/document.ts'
import { modelOfFile } from '../../../model-schema/file.ts'
import { place, rename } from '../../../model-schema/edit.ts'

const global = { owner: null, from: 'rate', to: 'speed' }
const owned = { owner: 'Wolf', from: 'energy', to: 'force' }

describe('a renamed variable', () => {
  it('is said anew in formulas, not in texts, comments, keywords, or as a property of something else', () => {
    const cases: readonly [string, string][] = [
      ['rate * 2 + rate', 'speed * 2 + speed'],
      ['Wolf.rate + my_rate + rates + rate2', 'Wolf.rate + my_rate + rates + rate2'],
      ['"rate" + str(rate) # rate', '"rate" + str(speed) # rate'],
      ['max(rate=3, key=rate)', 'max(rate=3, key=speed)'],
      ['rate == 3', 'speed == 3'],
      ['增长rate', '增长rate'],
    ]
    for (const [text, then] of cases) expect(inFormula(text, global), text).toBe(then)
    expect(inFormula('Wolf.energy + energy + Wolf . energy + Grey.Wolf.energy', owned)).toBe(
      'Wolf.force + energy + Wolf . force + Grey.Wolf.energy',
    )
  })

  it('is found in an experiment: its variables by name, its objectives by formula', () => {
    const { elements } = modelOfFile({
      format: 'holo',
      version: 1,
      elements: {
        e: { kind: 'experiment', name: 'rate' },
        f: { kind: 'decision', parent: 'e', variable: 'rate' },
        g: { kind: 'decision', parent: 'e', variable: 'other' },
        o: { kind: 'objective', parent: 'e', expression: 'total / rate' },
      },
    })
    const kinds = new Set([...elements.values()].map(element => element.kind))
    const told = changesIn({ schema: 1, elements, roots: [], scenarios: [], notes: [] }, global).map(({ id, field, value }) => [
      id,
      field.id,
      value,
    ])
    expect(kinds.size).toBe(3)
    expect(told).toEqual([
      ['f', 'variable', 'speed'],
      ['o', 'expression', 'total / speed'],
    ])
  })

  it('is found in charts of fields, where they show a run', () => {
    const plot = {
      kind: 'plot',
      parent: 'd',
      dimension: 'rate',
      metrics: [{ field: 'total / rate' }],
      filters: [{ field: 'rate', how: 'ge', value: 'rate' }],
    }
    const { elements } = modelOfFile({
      format: 'holo',
      version: 1,
      elements: {
        d: { kind: 'dashboard', name: 'D' },
        run: { ...plot, source: 'model' },
        results: { ...plot, source: 'experiment' },
        table: { ...plot, source: 'table' },
      },
    })
    const told = changesIn({ schema: 1, elements, roots: [], scenarios: [], notes: [] }, global)
    expect(told.map(({ id, field }) => `${id} ${field.id}`)).toEqual(['run dimension', 'run metrics', 'run filters'])
    expect(told.map(({ value }) => value)).toEqual([
      'speed',
      [expect.objectContaining({ field: 'total / speed' })],
      [expect.objectContaining({ field: 'speed', value: 'rate' })],
    ])
  })

  it('is the label of a series that was only its name, and of a chart called by its labels', () => {
    const { elements } = modelOfFile({
      format: 'holo',
      version: 1,
      elements: {
        plain: {
          kind: 'chart',
          name: 'rate, Wolf',
          series: [
            { label: 'rate', value: 'rate' },
            { label: 'Wolf', value: 'Wolf.count' },
          ],
        },
        own: { kind: 'chart', name: 'rate', series: [{ label: 'How fast', value: 'rate' }] },
        blank: { kind: 'chart', series: [{ label: '', value: 'rate' }] },
      },
    })
    const model = { schema: 1, elements, roots: [], scenarios: [], notes: [] }
    const labels = (value: unknown): unknown[] =>
      Array.isArray(value) ? value.map(({ label, value: formula }) => [label, formula]) : [value]
    const told = (renamed: Parameters<typeof changesIn>[1]) =>
      changesIn(model, renamed).map(({ id, field, value }) => [id, field.id, ...labels(value)])
    expect(told(global)).toEqual([
      ['blank', 'series', ['', 'speed']],
      ['own', 'series', ['How fast', 'speed']],
      ['plain', 'series', ['speed', 'speed'], ['Wolf', 'Wolf.count']],
      ['plain', 'name', 'speed, Wolf'],
    ])
    expect(told({ owner: null, from: 'Wolf', to: 'Dog' })).toEqual([
      ['plain', 'series', ['rate', 'rate'], ['Dog', 'Dog.count']],
      ['plain', 'name', 'rate, Dog'],
    ])
  })

  it('matters outside only when it can be named there', () => {
    const doc = newDocument('M')
    const scenario = modelOf(doc).scenarios[0]!
    const made = (result: unknown): string => String(result)
    const wolf = made(place(doc, { kind: 'agent', parent: scenario, at: [0, 0], values: { name: 'Wolf' } }))
    const energy = made(place(doc, { kind: 'variable', parent: wolf, at: [0, 0], values: { name: 'energy' } }))
    const hunt = made(place(doc, { kind: 'process', parent: wolf, at: [0, 90], values: { name: 'Hunt' } }))
    const step = made(place(doc, { kind: 'compute', parent: hunt, at: [0, 0], values: { name: 'Eat' } }))
    rename(doc, energy, 'life force')
    expect(renamedOf(modelOf(doc), energy, 'energy', 'life force')).toEqual({ owner: 'Wolf', from: 'energy', to: 'life_force' })
    expect(renamedOf(modelOf(doc), wolf, 'Wolf', 'Grey')).toEqual({ owner: null, from: 'Wolf', to: 'Grey' })
    expect(renamedOf(modelOf(doc), step, 'Eat', 'Devour')).toBeNull()
    expect(renamedOf(modelOf(doc), wolf, 'Wolf', 'Wolf')).toBeNull()
  })
})
