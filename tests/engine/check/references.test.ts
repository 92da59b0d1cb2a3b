// Renaming: after it every sample has the problems it had, and every name means the element it meant.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { modelOfFile, parseFile } from '../../../model-schema/file.ts'
import type { HoloFile } from '../../../model-schema/file.ts'
import { formulaName } from '../../../model-schema/kinds.ts'
import type { Id, Model } from '../../../model-schema/model.ts'
import { samples } from '../../../model-schema/samples.ts'
import { check } from '../../../sim-engine/check.ts'
import { compile } from '../../../sim-engine/compile.ts'
import { start as begin } from '../../../sim-engine/run.ts'
import { call, compute, end, message, model, passive, port, process, scenario, start, variable } from '../../help/models.ts'
import { referencesTo, renaming } from '../../../sim-engine/references.ts'

function sampleModel(id: string): Model {
  const parsed = parseFile(readFileSync(new URL(`../../../model-schema/samples/${id}.holo`, import.meta.url), 'utf8'))
  if (!('file' in parsed)) throw new Error(`${id} can not be read`)
  return modelOfFile(parsed.file)
}

function apply(model: Model, id: Id, name: string): Model {
  const elements = new Map(model.elements)
  for (const one of [{ id, field: 'name', value: name }, ...renaming(model, model.scenarios[0] ?? '', id, name).rewrites]) {
    const old = elements.get(one.id)
    if (old) elements.set(one.id, { ...old, fields: { ...old.fields, [one.field]: one.value } })
  }
  return { ...model, elements }
}

const problemsOf = (model: Model): string[] =>
  check(model, model.scenarios[0] ?? '')
    .problems.map(one => `${one.code} ${one.at.id} ${one.at.field ?? ''}`)
    .sort()

const small = (elements: HoloFile['elements']): Model =>
  modelOfFile({
    format: 'holo',
    version: 1,
    elements: { s1: { kind: 'scenario', name: 'Scenario 1', rank: 'a0' }, ...elements },
  })

const program = (text: string): Model =>
  small({
    total: { kind: 'variable', name: 'total', parent: 's1', rank: 'a0', initial: '0' },
    other: { kind: 'variable', name: 'other', parent: 's1', rank: 'a1', initial: '1' },
    go: { kind: 'process', name: 'Go', parent: 's1', rank: 'a2' },
    begin: { kind: 'start', name: 'Begin', parent: 'go', rank: 'a0' },
    work: { kind: 'compute', name: 'Work', parent: 'go', rank: 'a1', program: text },
    f: { kind: 'flow', parent: 'go', rank: 'a2', from: 'begin', to: 'work' },
  })

describe('renaming an interface', () => {
  const built = (names: { own?: string } = {}) =>
    model(
      scenario({ totalTicks: 3 }),
      variable('seen', 0),
      message('Order', { payload: [{ name: 'size' }] }),
      process('Price', start(passive), port('n', 'in'), port('cost', 'out'), compute('cost = n * 2'), end()),
      process('Buy', start(), variable('cost', 0), call('Price', { inputs: [{ name: 'n', value: '4' }] }), compute('seen = cost'), end()),
      process('Look', start(), variable(names.own ?? 'other', 0), call('Price', { inputs: [{ name: 'n', value: '1' }] }), end()),
      process('Take', start({ trigger: 'message', message: 'Order' }), port('size', 'in'), compute('seen = size'), end()),
    ).model
  const fieldsOf = (now: Model, id: string) => now.elements.get(id)?.fields

  it('reaches the inputs of all callers', () => {
    const now = apply(built(), 'Price-n', 'count')
    expect(problemsOf(now)).toEqual([])
    expect(fieldsOf(now, 'Price-compute1')?.['program']).toBe('cost = count * 2')
    expect(fieldsOf(now, 'Buy-call1')?.['inputs']).toMatchObject([{ name: 'count' }])
    expect(fieldsOf(now, 'Look-call1')?.['inputs']).toMatchObject([{ name: 'count' }])
  })
  it.each(['Price-cost', 'Buy-cost'])('what a call gives back keeps its two ends together: %s', id => {
    const now = apply(built(), id, 'price')
    expect(problemsOf(now)).toEqual([])
    expect([fieldsOf(now, 'Price-cost')?.['name'], fieldsOf(now, 'Buy-cost')?.['name']]).toEqual(['price', 'price'])
    expect(fieldsOf(now, 'Price-compute1')?.['program']).toBe('price = n * 2')
    expect(fieldsOf(now, 'Buy-compute1')?.['program']).toBe('seen = price')
    const { checked } = check(now, now.scenarios[0] ?? '')
    const run = checked && begin(compile(checked), { seed: 1 })
    while (run?.advance()) continue
    expect(run?.value('seen')).toBe(8)
  })
  it('is refused where it would take what a call gives to somebody else, or lose what a message brings', () => {
    expect(renaming(built({ own: 'price' }), 'scenario1', 'Price-cost', 'price').clash).toEqual({ id: 'Look-call1', field: 'process' })
    expect(renaming(built(), 'scenario1', 'Take-size', 'amount').clash).toEqual({ id: 'Order', field: 'payload/0/name' })
  })
})

describe('renaming', () => {
  it.each(samples.map(one => one.id))('%s: each named element, by turns, leaves problems and meanings as they were', sampleId => {
    const model = sampleModel(sampleId)
    const scenario = model.scenarios[0] ?? ''
    const before = problemsOf(model)
    const named = [...model.elements.values()].filter(one => one.parent !== null && String(one.fields['name'] ?? '') !== '')
    const used = named.filter(one => referencesTo(model, scenario, one.id).length > 0)
    expect(used.length).toBeGreaterThan(0)
    for (const element of used.slice(0, 12)) {
      const places = referencesTo(model, scenario, element.id)
      const wanted = renaming(model, scenario, element.id, 'Zq renamed')
      expect({ of: element.fields['name'], clash: wanted.clash, places: wanted.places }).toEqual({
        of: element.fields['name'],
        clash: null,
        places: places.length,
      })
      const next = apply(model, element.id, 'Zq renamed')
      expect(problemsOf(next)).toEqual(before)
      const where = (list: typeof places) => list.map(one => `${one.id} ${one.field} ${one.writes}`).sort()
      expect(where(referencesTo(next, scenario, element.id))).toEqual(where(places))
    }
  })

  it('and back gives the model it was', () => {
    const model = sampleModel('wolf-sheep')
    const variable = [...model.elements.values()].find(
      one => one.kind === 'variable' && referencesTo(model, model.scenarios[0] ?? '', one.id).length > 2,
    )
    if (!variable) throw new Error('no variable is used often')
    const name = String(variable.fields['name'])
    const there = apply(model, variable.id, 'somewhere_else')
    expect(there).not.toEqual(model)
    if (formulaName(name) === name) expect(apply(there, variable.id, name)).toEqual(model)
  })

  it('rewrites programs and leaves texts and strangers alone', () => {
    const model = program('total = total + other  # total\nother = len("total")')
    expect(renaming(model, 's1', 'total', 'sum of all').rewrites).toEqual([
      { id: 'work', field: 'program', value: 'sum_of_all = sum_of_all + other  # total\nother = len("total")' },
    ])
  })

  it('a name that would be caught by something else clashes', () => {
    expect(renaming(program('x = 1\ntotal = total + x'), 's1', 'total', 'x').clash).toEqual({ id: 'work', field: 'program' })
    expect(renaming(program('total = total + other'), 's1', 'total', 'other').clash).toEqual({ id: 'work', field: 'program' })
    expect(renaming(program('total = min(total, other)'), 's1', 'other', 'and').clash).toEqual({ id: 'work', field: 'program' })
    expect(renaming(program('total = sum([x * other for x in [1]])'), 's1', 'other', 'x').clash).toEqual({ id: 'work', field: 'program' })
    expect(renaming(program('total = other'), 's1', 'total', 'sum1').clash).toBeNull()
  })

  it('a name that meant nothing may come to mean the element', () => {
    const model = program('other = other + summ')
    expect(problemsOf(model)).toContain('8002 work program')
    expect(renaming(model, 's1', 'total', 'summ')).toEqual({ rewrites: [], places: 0, clash: null })
  })

  it('adding to a name that exists nowhere is no new variable: the name is not found', () => {
    const { problems } = check(program('totl += 1'), 's1')
    expect(problems.map(one => [one.code, one.kind, one.near])).toContainEqual([8002, 'name-not-found', 'total'])
  })
})
