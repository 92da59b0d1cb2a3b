import { chinese } from '../../help/languages.ts'
import { i18n } from '@lingui/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { messages as inChinese } from '../../../model-schema/languages/zh-CN.po'
import { offersOn } from '../../../client/editor/grammar.ts'
import { starters } from '../../../client/editor/starters/models.ts'
import { putParts } from '../../../client/editor/starters/parts.ts'
import { presetsOn, presetWithId } from '../../../client/editor/starters/presets.ts'
import { everythingOn, findElsewhere, findIn, synonyms, wordsOf } from '../../../client/editor/starters/vocabulary.ts'
import { isRefusal } from '../../../model-schema/edit.ts'
import type { HoloFile } from '../../../model-schema/file.ts'
import type { CanvasKind } from '../../../model-schema/kinds/kind.ts'
import { check } from '../../../sim-engine/check.ts'
import { compile } from '../../../sim-engine/compile.ts'
import { start } from '../../../sim-engine/run.ts'
import { editorOf, type Driver } from '../../help/editor.ts'
import { english, type Words } from '../../../model-schema/words.ts'

const empty: HoloFile = { format: 'holo', version: 1, elements: { s1: { kind: 'scenario', name: 'Scenario 1', rank: 'a0' } } }
const languages: Record<string, (words: Words) => string> = { en: english, zh: chinese }

const problemsOf = ({ editor }: Driver, warnings = true): string[] => {
  const { model } = editor
  return check(model, model.scenarios[0] ?? '')
    .problems.filter(one => warnings || one.severity === 'error')
    .map(one => `${one.code} ${String(model.elements.get(one.at.id)?.fields['name'])} ${one.at.field ?? ''}: ${english(one.message)}`)
}

const ranFor = ({ editor }: Driver, ticks: number) => {
  const { checked } = check(editor.model, editor.model.scenarios[0] ?? '')
  if (!checked) throw new Error('the model has problems')
  const run = start(compile(checked), { ticks })
  run.advance()
  return run
}

describe('starters', () => {
  for (const starter of starters)
    for (const [language, speak] of Object.entries(languages))
      it(`${starter.id} in ${language}: has no problem, runs, and what its charts show is a number`, () => {
        const driver = editorOf(empty)
        const made = putParts(driver.editor, starter.parts, 's1', [0, 0], speak)
        expect(isRefusal(made) ? english(made.words) : 'put').toBe('put')
        expect(problemsOf(driver)).toEqual([])
        const { result } = ranFor(driver, 60).summary()
        expect(result.end === 'failed' ? `${result.problem.code} ${english(result.problem.message)}` : result.end).toBe('success')
      })

  it('a second copy on the same canvas has names of its own, and its formulas mean its own parts', () => {
    const driver = editorOf(empty)
    for (const starter of [...starters, ...starters]) putParts(driver.editor, starter.parts, 's1', [0, 0], languages['en']!)
    expect(problemsOf(driver)).toEqual([])
    expect(driver.named('Server2').fields['initial']).toBe('Servers2')
  })
})

describe('presets', () => {
  const canvases: readonly CanvasKind[] = ['root', 'process', 'entity']
  // What a person still has to say; everything else works as it is dropped.
  const unsaid: Readonly<Record<string, number>> = { event: 1, hold: 1 }
  for (const on of canvases)
    for (const offer of presetsOn(on))
      it(`${english(offer.label)} ${on}: is complete as it is dropped`, () => {
        const driver = editorOf({
          ...empty,
          elements: {
            ...empty.elements,
            walker: { kind: 'agent', name: 'Walker', parent: 's1', rank: 'a0', geo: [0, 0, 96, 72] },
          },
        })
        const { editor } = driver
        if (on === 'entity') editor.enter('walker')
        if (on === 'process') {
          if (offer.kind.id === 'move') editor.enter('walker')
          const process = offersOn(editor.canvasKind).find(one => one.kind.id === 'process')
          const id = process && editor.putSomewhere(process)
          editor.enter(id ?? '')
          const begin = [...editor.scene.boxes].find(box => box.element.kind === 'start')
          expect(editor.putNext(offer, begin?.id ?? null, { x: 200, y: 120 })).not.toBeNull()
        } else expect(editor.putSomewhere(offer)).not.toBeNull()
        const errors = problemsOf(driver, false).filter(
          problem => !(offer.key === 'preset/assembly' || offer.key === 'preset/batch') || !/9013/.test(problem),
        )
        expect(errors.length, errors.join('\n')).toBe(unsaid[offer.key.slice(7)] ?? 0)
        if (errors.length === 0 && on !== 'process') expect(ranFor(driver, 20).summary().result.end).toBe('success')
      })

  it('a start and an end put into a new process are those it was born with, moved there', () => {
    const { editor, kinds } = editorOf(empty)
    const process = offersOn('root').find(one => one.kind.id === 'process')!
    editor.enter(editor.putSomewhere(process) ?? '')
    for (const [key, x] of [
      ['start/start-timer', 80],
      ['end', 640],
    ] as const)
      editor.put(
        everythingOn('process').find(one => one.key === key || one.kind.id === key)!,
        [x, 200],
      )
    expect(kinds()).toEqual(['start', 'end'])
    expect([...editor.scene.boxes].map(box => [box.element.kind, box.x])).toEqual(expect.arrayContaining([['end', 640]]))
  })

  it('one undo takes a whole preset away again', () => {
    const { editor, kinds } = editorOf(empty)
    const queue = presetWithId('queue')
    editor.putSomewhere(queue!)
    expect(kinds()).toEqual(['process', 'container'])
    editor.undo.undo()
    expect(kinds()).toEqual([])
  })

  it('a source makes the start that is there into one, and a service takes the pool that is there', () => {
    const driver = editorOf(empty)
    const { editor } = driver
    editor.putSomewhere(presetWithId('pool')!)
    const process = offersOn('root').find(one => one.kind.id === 'process')!
    editor.enter(editor.putSomewhere(process) ?? '')
    const source = editor.putSomewhere(presetWithId('source')!)
    expect(driver.kinds()).toEqual(['start', 'end'])
    editor.putNext(presetWithId('service')!, source, { x: 200, y: 120 })
    expect(driver.wires()).toEqual(['Source -> Service', 'Service -> end'])
    expect(driver.named('Service').fields['resources']).toEqual([{ container: driver.named('Resource pool').id, amount: '1', key: '' }])
    expect(problemsOf(driver)).toEqual([])
  })
})

describe('vocabulary', () => {
  // What is searched for may be in English or in the language of the page.
  beforeAll(() => i18n.loadAndActivate({ locale: 'zh-CN', messages: inChinese }))
  const bestOn = (canvas: CanvasKind, search: string): string | undefined => english(findIn(everythingOn(canvas), search)[0]?.offer.label)

  it('at least 150 words a language lead somewhere, and every one finds what it stands for', () => {
    for (const language of ['en', 'zh'] as const) {
      const words = new Set(Object.values(synonyms).flatMap(one => languages[language]!(one).split(', ')))
      expect(words.size).toBeGreaterThanOrEqual(150)
    }
    for (const canvas of ['root', 'process', 'entity'] as const)
      for (const offer of everythingOn(canvas))
        for (const word of wordsOf(offer))
          expect(
            findIn(everythingOn(canvas), word).some(hit => hit.offer.key === offer.key),
            `${word} -> ${offer.key}`,
          ).toBe(true)
  })

  it('every row of the table stands for something that is offered', () => {
    const keys = new Set(
      (['root', 'process', 'entity'] as const).flatMap(canvas => everythingOn(canvas).flatMap(({ key, kind }) => [key, kind.id])),
    )
    expect(Object.keys(synonyms).filter(key => !keys.has(key))).toEqual([])
  })

  it.each([
    ['resource', 'Resource pool'],
    ['server', 'Resource pool'],
    ['queue', 'Queue and service'],
    ['M/M/1', 'Queue and service'],
    ['turtle', 'Agent'],
    ['patch', 'Cell'],
    ['edge', 'Link'],
    ['parameter', 'Input'],
    ['stock', 'Stock'],
    ['tank', 'Stock'],
    ['warehouse', 'Container'],
    ['counter', 'Counter'],
    ['monitor', 'Statistic'],
    ['time series', 'Line chart'],
    ['drought', 'Event at a time'],
    ['海龟', 'Agent'],
    ['斑块', 'Cell'],
    ['员工', 'Resource pool'],
    ['排队', 'Queue and service'],
    ['系统动力学', 'Stock and flows'],
  ])('on the scenario, %s is %s', (search, label) => expect(bestOn('root', search)).toBe(label))

  it.each([
    ['source', 'Source'],
    ['sink', 'End'],
    ['dispose', 'End'],
    ['seize', 'Queue for a resource'],
    ['assign', 'Compute'],
    ['service', 'Service'],
    ['server', 'Service'],
    ['queue', 'Queue for a resource'],
    ['select output', 'Exclusive gateway'],
    ['xor', 'Exclusive gateway'],
    ['fork', 'Parallel gateway'],
    ['assembler', 'Assembly'],
    ['batch', 'Batch'],
    ['hatch', 'Create'],
    ['wait', 'Delay'],
    ['等待', 'Delay'],
    ['占用', 'Queue for a resource'],
  ])('in a process, %s is %s', (search, label) => expect(bestOn('process', search)).toBe(label))

  it('what stands on another canvas is told with its place', () => {
    expect(findElsewhere('root', 'delay').map(({ offer, on }) => `${english(offer.label)} ${on}`)).toContain('Delay process')
    expect(findElsewhere('process', 'turtle')[0]?.on).toBe('root')
    expect(findElsewhere('root', '')).toEqual([])
  })
})
