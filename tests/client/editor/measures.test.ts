import { describe, expect, it } from 'vitest'
import { starters } from '../../../client/editor/starters/models.ts'
import { putParts } from '../../../client/editor/starters/parts.ts'
import { presetWithId } from '../../../client/editor/starters/presets.ts'
import { bind, follow, rangeOf } from '../../../client/panels/bind.ts'
import { compared, countWhere, measuresFor } from '../../../client/panels/measures/measures.ts'
import { lessons, stepAfter, type LessonContext } from '../../../client/tutorials/lessons.ts'
import { canvasKindOf } from '../../../client/editor/grammar.ts'
import { modelOfFile, parseFile, type HoloFile } from '../../../model-schema/file.ts'
import type { Model } from '../../../model-schema/model.ts'
import { check } from '../../../sim-engine/check.ts'
import { readFileSync } from 'node:fs'
import { samples } from '../../../model-schema/samples.ts'
import { setField, setText } from '../../../model-schema/edit.ts'
import { adoptPolicy } from '../../../client/experiments/training/adopt.ts'
import { randomWeights } from '../../../sim-engine/learn/net/shape.ts'
import { editorOf } from '../../help/editor.ts'
import { english, say } from '../../../model-schema/words.ts'

const empty: HoloFile = { format: 'holo', version: 1, elements: { s1: { kind: 'scenario', name: 'Scenario 1', rank: 'a0' } } }
const words = english

/** The checker's problems of a model with a chart that shows all of these. */
function faults(model: Model, formulas: readonly string[], show: (series: readonly object[]) => Model): string[] {
  const shown = show(formulas.map(value => ({ label: '', value, color: '' })))
  return check(shown, shown.scenarios[0] ?? '')
    .problems.filter(problem => problem.at.id === 'probe')
    .map(problem => `${formulas[Number(problem.at.field?.split('/')[1])]}: ${english(problem.message)}`)
}

describe('measures', () => {
  it('every measure offered in every sample is a formula the checker accepts in a chart', () => {
    for (const { id } of samples) {
      const parsed = parseFile(readFileSync(new URL(`../../../model-schema/samples/${id}.holo`, import.meta.url), 'utf8'))
      if (!('file' in parsed)) throw new Error(id)
      const { file } = parsed
      const model = modelOfFile(file)
      const scenario = model.scenarios[0] ?? ''
      const formulas = measuresFor(model, scenario).flatMap(group => group.measures.map(measure => measure.formula))
      expect(formulas.length).toBeGreaterThan(2)
      const show = (series: readonly object[]): Model =>
        modelOfFile({
          ...file,
          elements: { ...file.elements, probe: { kind: 'chart', parent: scenario, geo: [0, 0, 100, 100], type: 'value', series } },
        })
      // A chart holds so many series at most.
      for (let i = 0; i < formulas.length; i += 10) expect(faults(model, formulas.slice(i, i + 10), show), id).toEqual([])
    }
  })

  it('amounts on chains have an exact sum, least and most, but no mean', () => {
    const part = (kind: string, parent: string, fields: object) => ({ kind, parent, rank: 'a1', ...fields })
    const made = (series: readonly object[]): Model =>
      modelOfFile({
        ...empty,
        elements: {
          ...empty.elements,
          Payer: part('agent', 's1', { name: 'Payer', initialNumber: '3' }),
          wei: part('variable', 'Payer', { name: 'wei', initial: 'units("1.5", 18)' }),
          probe: part('chart', 's1', { geo: [0, 0, 100, 100], type: 'value', series }),
        },
      } as HoloFile)
    const model = made([])
    const all = measuresFor(model, 's1').flatMap(group => group.measures.map(measure => measure.formula))
    const formulas = all.filter(text => text.includes('wei'))
    expect(formulas.map(text => /(sum|min|max|mean)\(/.exec(text)?.[1])).toEqual(['sum', 'min', 'max'])
    expect(faults(model, formulas, made)).toEqual([])
  })

  it('a queue offers who waits, how busy it is and how long it takes', () => {
    const driver = editorOf(empty)
    driver.editor.putSomewhere(presetWithId('queue')!)
    const formulas = measuresFor(driver.editor.model, 's1').flatMap(group => group.measures.map(one => one.formula))
    for (const formula of ['Server.queue', 'Server.in_use', 'Server.utilization', 'Server.mean_wait', 'tick'])
      expect(formulas).toContain(formula)
  })

  it('from inside an individual its own variables are said bare, from the scenario they are counted', () => {
    const driver = editorOf(empty)
    driver.editor.putSomewhere(presetWithId('walkers')!)
    const walker = driver.named('Walker').id
    driver.editor.enter(walker)
    driver.editor.putSomewhere(presetWithId('infection')!)
    const { model } = driver.editor
    expect(measuresFor(model, walker).flatMap(group => group.measures.map(one => one.formula))).toContain('infected')
    const outside = measuresFor(model, 's1').flatMap(group => group.measures.map(one => one.formula))
    expect(outside).toContain('len([x for x in Walker if x.infected])')
    expect(outside).not.toContain('infected')
  })

  it('comparisons read as formulas', () => {
    expect(compared('energy', 'less', '0')).toBe('energy < 0')
    expect(compared('happy', 'is', 'False')).toBe('not happy')
    expect(compared('happy', 'not', 'False')).toBe('happy')
    expect(countWhere('Person', { name: 'state', is: 'text', values: [] }, 'is', '"ill"')).toBe(
      'len([x for x in Person if x.state == "ill"])',
    )
  })
})

describe('binding', () => {
  it.each([
    [1.5, { min: 0, max: 3, step: 0.05 }],
    [0.02, { min: 0, max: 0.04, step: 0.0005 }],
    [30, { min: 0, max: 60, step: 1 }],
    [2, { min: 0, max: 4, step: 1 }],
    [0, { min: 0, max: 1, step: 0.01 }],
    [-5, { min: -10, max: -9, step: 0.01 }],
  ])('a slider for %s gets a round range', (value, range) => expect(rangeOf(value, null, null)).toEqual(range))

  it('the bounds of the variable count more', () => {
    expect(rangeOf(5, 1, 9)).toEqual({ min: 1, max: 9, step: 1 })
  })

  /** An editor with a variable and a slider that sets it, and how the slider looks. */
  const bound = (initial: string) => {
    const part = { parent: 's1', rank: 'a1' }
    const { editor } = editorOf({
      ...empty,
      elements: {
        ...empty.elements,
        rate: { ...part, kind: 'variable', geo: [0, 0, 120, 32], name: 'rate', initial },
        control: { ...part, rank: 'a2', kind: 'controller', geo: [0, 50, 200, 56], type: 'slider', min: 0, max: 100, step: 1 },
      },
    })
    bind(editor, 'control', 'rate')
    const face = () => {
      const { type, min, max, step } = editor.model.elements.get('control')?.fields ?? {}
      return { type, min, max, step }
    }
    const change = (fields: Readonly<Record<string, string | number>>): void => {
      const before = editor.model.elements.get('rate')?.fields ?? {}
      for (const [field, value] of Object.entries(fields))
        if (field === 'initial') setText(editor.doc, 'rate', field, String(value))
        else setField(editor.doc, 'rate', field, value)
      follow(editor, 'rate', before)
    }
    return { editor, face, change }
  }

  it('a bare 0 says nothing of a range; the value written later does, and its bounds', () => {
    const { face, change } = bound('0')
    expect(face()).toEqual({ type: 'slider', min: 0, max: 100, step: 1 })
    change({ initial: '1.5' })
    expect(face()).toEqual({ type: 'slider', min: 0, max: 3, step: 0.05 })
    change({ min: 1, max: 9 })
    expect(face()).toMatchObject({ min: 1, max: 9 })
  })

  it('a range that somebody set stays', () => {
    const { editor, face, change } = bound('1.5')
    setField(editor.doc, 'control', 'max', 5)
    change({ initial: '40' })
    expect(face()).toMatchObject({ min: 0, max: 5 })
  })

  it('a slider for a yes or no becomes a switch', () => {
    expect(bound('True').face()).toMatchObject({ type: 'switch' })
  })
})

describe('tutorials', () => {
  const seen = (model: Model, canvas = 's1', tick = 0): LessonContext => ({ model, canvas: canvasKindOf(model, canvas) ?? 'root', tick })

  it('begin at their first step in an empty model, and there are ten', () => {
    const { editor } = editorOf(empty)
    expect(lessons).toHaveLength(10)
    for (const lesson of lessons) expect(stepAfter(lesson, 0, seen(editor.model)), lesson.id).toBe(0)
  })

  it.each([
    ['cart-pole', 100],
    ['cliff-walk', 10],
    ['admission', 300],
    ['lost-sales', 100],
  ])('“%s” goes on in its sample, and waits for the trained policy', (id, ticks) => {
    const lesson = lessons.find(one => one.id === id)!
    const parsed = parseFile(readFileSync(new URL(`../../../model-schema/samples/${id}.holo`, import.meta.url), 'utf8'))
    if (!('file' in parsed)) throw new Error(id)
    const { editor, doc, named } = editorOf(parsed.file)
    const at = (canvas: string, tick = 0): number => stepAfter(lesson, 0, seen(editor.model, canvas, tick))
    const inside = [...editor.model.elements.values()].find(({ kind }) => kind === 'process')!
    expect(at('scenario1')).toBe(1)
    expect(at(inside.id)).toBe(2)
    expect(at(inside.id, ticks)).toBe(3)
    const shape = { inputs: 2, layers: [{ size: 2, activation: 'linear' as const }] }
    const policy = { shape, weights: randomWeights(shape, 1) }
    expect(adoptPolicy(doc, editor.model, 'scenario1', '', policy, 'test')).toBeNull()
    expect(named('policy').kind).toBe('network')
    expect(at(inside.id, ticks)).toBe(4)
  })

  it('“a process with resources” goes on with every step that is done, whatever does it', () => {
    const { editor } = editorOf(empty)
    const lesson = lessons.find(one => one.id === 'resources')!
    const at = (tick = 0): number => stepAfter(lesson, 0, seen(editor.model, editor.view.getState().canvas, tick))
    const process = editor.putSomewhere({
      key: 'process',
      kind: presetWithId('queue')!.kind,
      label: say('Process'),
      values: {},
    })
    expect(at()).toBe(1)
    editor.enter(process ?? '')
    expect(at()).toBe(2)
    const source = editor.putSomewhere(presetWithId('source')!)
    expect(at()).toBe(3)
    editor.putNext(presetWithId('service')!, source, { x: 200, y: 120 })
    expect(at()).toBe(4)
    expect(at(30)).toBe(5)
  })

  it('“a clinic” and “an epidemic” can be finished with what their words name', () => {
    const driver = editorOf(empty)
    const { editor } = driver
    putParts(editor, starters.find(one => one.id === 'queue')!.parts, 's1', [0, 0], words)
    expect(
      stepAfter(
        lessons.find(one => one.id === 'clinic')!,
        0,
        seen(editor.model, 's1', 60),
      ),
    ).toBe(4)
    const agents = editorOf(empty)
    putParts(agents.editor, starters.find(one => one.id === 'agents')!.parts, 's1', [0, 0], words)
    agents.editor.enter(agents.named('Walker').id)
    agents.editor.putSomewhere(presetWithId('infection')!)
    const chart = agents.named('How many').id
    const measure = measuresFor(agents.editor.model, 's1')
      .flatMap(group => group.measures)
      .find(one => one.formula.includes('infected'))!
    setField(agents.doc, chart, 'series', [{ label: '', value: measure.formula, color: '' }])
    expect(
      stepAfter(
        lessons.find(one => one.id === 'epidemic')!,
        0,
        seen(agents.editor.model, 's1', 60),
      ),
    ).toBe(4)
  })
})
