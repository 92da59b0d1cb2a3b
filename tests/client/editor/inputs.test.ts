// What can be done with an input of a model: a change of it during the run, an experiment that explores it.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { starters } from '../../../client/editor/starters/models.ts'
import { inputOf, scheduleChange } from '../../../client/editor/starters/change.ts'
import { putParts } from '../../../client/editor/starters/parts.ts'
import { explorationOf, rangeFor, variableCalled } from '../../../client/experiments/explore.ts'
import { candidatesOf } from '../../../client/experiments/linked.ts'
import { parseFile, type HoloFile } from '../../../model-schema/file.ts'
import { formulaName } from '../../../model-schema/kinds.ts'
import type { Element } from '../../../model-schema/model.ts'
import { check } from '../../../sim-engine/check.ts'
import { compile } from '../../../sim-engine/compile.ts'
import { start } from '../../../sim-engine/run.ts'
import { editorOf, type Driver } from '../../help/editor.ts'
import { english } from '../../../model-schema/words.ts'

const sampleFile = (name: string): HoloFile => {
  const parsed = parseFile(readFileSync(new URL(`../../../model-schema/samples/${name}.holo`, import.meta.url), 'utf8'))
  if (!('file' in parsed)) throw new Error(name)
  return parsed.file
}

const queueModel = (): Driver => {
  const driver = editorOf({ format: 'holo', version: 1, elements: { s1: { kind: 'scenario', name: 'Scenario 1', rank: 'a0' } } })
  putParts(driver.editor, starters.find(({ id }) => id === 'queue')!.parts, 's1', [0, 0], words => english(words))
  return driver
}

const kindNamed = ({ editor }: Driver, kind: string, name: string): Element =>
  [...editor.model.elements.values()].find(one => one.kind === kind && one.fields['name'] === name)!

describe('an input that changes during the run', () => {
  it('is set once, at its time, by a process that one undo takes away', () => {
    const driver = editorOf(sampleFile('epidemic'))
    const { editor } = driver
    const variable = [...editor.model.elements.values()].find(one => inputOf(editor.model, one) === one)!
    const before = editor.model.elements.size
    const id = scheduleChange(editor, variable, 5, '0.125')
    expect(editor.view.getState().selection).toEqual([id])
    const scenario = editor.model.scenarios[0]!
    const { checked, problems } = check(editor.model, scenario)
    expect(problems.map(one => english(one.message))).toEqual([])
    const valueAfter = (ticks: number): unknown => {
      const run = start(compile(checked!), { ticks })
      run.advance()
      return run.summary().publics[formulaName(String(variable.fields['name']))]
    }
    expect(valueAfter(4)).toBe(Number(variable.fields['initial']))
    expect(valueAfter(6)).toBe(0.125)
    editor.undo.undo()
    expect(editor.model.elements.size).toBe(before)
  })

  it('is found from the variable and from its slider, and from nothing else', () => {
    const driver = queueModel()
    const { model } = driver.editor
    const rate = kindNamed(driver, 'variable', 'Rate')
    expect(inputOf(model, rate)).toBe(rate)
    expect(inputOf(model, kindNamed(driver, 'controller', 'Arrival rate'))).toBe(rate)
    expect(inputOf(model, driver.named('Server'))).toBeNull()
  })
})

describe('an exploration of one input', () => {
  it('takes ten values over the range of its slider, and records what the charts show, numbers first', () => {
    const driver = queueModel()
    const plan = explorationOf(driver.editor.model, kindNamed(driver, 'variable', 'Rate'), 'experiment')
    expect(plan.fields).toMatchObject({ type: 'exploration', design: 'factorial', levels: 10 })
    expect(plan.elements['decision1']).toMatchObject({ kind: 'decision', variable: 'Rate', min: 0.1, max: 3 })
    expect(Object.values(plan.elements).map(one => one['expression'])).toEqual([
      undefined,
      'Server.mean_wait',
      'Server.mean_queue',
      'Server.utilization',
      'Server.queue',
    ])
  })

  it('without charts records what there is to measure; without a slider goes from nothing to twice the value', () => {
    const driver = queueModel()
    const { editor } = driver
    editor.select([...editor.model.elements.values()].filter(({ kind }) => kind === 'chart' || kind === 'controller').map(({ id }) => id))
    editor.removeSelected()
    const service = variableCalled(editor.model, 's1', 'Service_time')!
    expect(rangeFor(editor.model, service)).toEqual({ min: 0.01, max: 2 })
    const plan = explorationOf(editor.model, service, 'experiment')
    expect(Object.values(plan.elements).map(one => one['expression'])).toEqual([undefined, 'Server.queue'])
  })

  it('offers no variable of a model that is not open', () => {
    expect(candidatesOf({ state: 'opening' }, 's1')).toEqual([])
  })
})

describe('data let go over a chart or a control', () => {
  const file: HoloFile = {
    format: 'holo',
    version: 1,
    elements: {
      s1: { kind: 'scenario', name: 'Scenario 1', rank: 'a0' },
      rate: { kind: 'variable', name: 'Rate', parent: 's1', rank: 'a0', geo: [20, 20, 120, 32], initial: '4' },
      pool: { kind: 'container', name: 'Nurse', parent: 's1', rank: 'a1', geo: [20, 80, 120, 72], reusable: true },
      chart: { kind: 'chart', parent: 's1', rank: 'a2', geo: [300, 20, 360, 240] },
      slider: { kind: 'controller', type: 'slider', parent: 's1', rank: 'a3', geo: [300, 300, 200, 56] },
    },
  }
  const drop = (driver: Driver, from: [number, number], to: [number, number]): void => {
    driver.editor
      .down(...from)
      .move(from[0] + 20, from[1] + 20)
      .move(...to)
      .up()
  }
  const fields = ({ editor }: Driver, id: string) => editor.model.elements.get(id)!.fields

  it('is drawn by the chart, each once, and stays where it was', () => {
    const driver = editorOf(file)
    drop(driver, [60, 30], [400, 100])
    drop(driver, [60, 100], [400, 120])
    drop(driver, [60, 30], [420, 100])
    expect(fields(driver, 'chart')['series']).toEqual([
      { label: 'Rate', value: 'Rate', color: '' },
      { label: 'Nurse', value: 'Nurse.queue', color: '' },
    ])
    expect(driver.editor.model.elements.get('rate')?.geo).toEqual([20, 20, 120, 32])
    driver.editor.undo.undo()
    expect(fields(driver, 'chart')['series']).toEqual([{ label: 'Rate', value: 'Rate', color: '' }])
  })

  it('is set by the slider, as an input with a range that suits it; what a slider cannot set is moved', () => {
    const driver = editorOf(file)
    drop(driver, [60, 30], [400, 320])
    expect(fields(driver, 'slider')).toMatchObject({ target: 'rate', min: 0, max: 8 })
    expect(fields(driver, 'rate')['public']).toBe(true)
    drop(driver, [60, 100], [400, 320])
    expect(fields(driver, 'slider')['target']).toBe('rate')
    expect(driver.editor.model.elements.get('pool')?.geo?.[0]).toBeGreaterThan(300)
  })
})
