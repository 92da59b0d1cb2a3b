// The inspector is drawn from the metamodel: every kind, every field, in both languages, without a line of its own.
import { messages as inChinese } from '../../../model-schema/languages/zh-CN.po'
import { chinese } from '../../help/languages.ts'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { findIn } from '../../../client/editor/find.ts'
import { EditorContext } from '../../../client/editor/useEditor.ts'
import { locale } from '../../../client/i18n/locale.ts'
import { scopeAt } from '../../../client/panels/code/scope.ts'
import { Inspector } from '../../../client/panels/Inspector.tsx'
import { ProblemsContext, worstByElement } from '../../../client/panels/problems.ts'
import { ProblemsPanel, quickFix, repair } from '../../../client/panels/ProblemsPanel.tsx'
import { appears, calledWith, columnApplies, sections, shownFields } from '../../../client/panels/visible.ts'
import { optionsFor } from '../../../client/panels/fields/refs.tsx'
import { place, setField } from '../../../model-schema/edit.ts'
import type { HoloFile } from '../../../model-schema/file.ts'
import { kindOf, kinds } from '../../../model-schema/kinds.ts'
import type { Json, Kind } from '../../../model-schema/kinds/kind.ts'
import type { Id, Model } from '../../../model-schema/model.ts'
import { createRun } from '../../../client/run/run.ts'
import { RunScope } from '../../../client/run/RunProvider.tsx'
import { check } from '../../../sim-engine/check.ts'
import { completionsAt } from '../../../sim-engine/language.ts'
import { problem, type Problem } from '../../../sim-engine/problems.ts'
import { scriptedEngine } from '../../help/engine.ts'
import { editorOf, processFile, type Driver } from '../../help/editor.ts'
import { silentHost as host } from '../../../client/editor/quietHost.ts'
import { english } from '../../../model-schema/words.ts'

i18n.loadAndActivate({ locale: 'en-US', messages: {} })

function html({ editor }: Driver, problems: readonly Problem[] = []): string {
  const model = createStore<{ model: Model }>(() => ({ model: editor.model }))
  // On a server zustand shows a store's first state; here what is selected now is what matters.
  editor.view.getInitialState = editor.view.getState
  return renderToString(
    <I18nProvider i18n={i18n}>
      <EditorContext value={{ editor, host, model }}>
        <ProblemsContext value={problems}>
          <Inspector />
        </ProblemsContext>
      </EditorContext>
    </I18nProvider>,
  )
}

/** A canvas of the sort this kind belongs on, with one of it on it, selected. */
function withOne(kind: Kind, values: Record<string, Json> = {}): Driver & { id: Id } {
  const file: HoloFile = {
    format: 'holo',
    version: 1,
    elements: {
      s1: { kind: 'scenario', name: 'Scenario 1', rank: 'a0' },
      wolf: { kind: 'agent', name: 'Wolf', parent: 's1', rank: 'a0', geo: [0, 0, 96, 72] },
      hunt: { kind: 'process', name: 'Hunt', parent: 's1', rank: 'a1', geo: [200, 0, 120, 72] },
    },
  }
  const driver = editorOf(file)
  const parent = kind.on.includes('process') && !kind.on.includes('root') ? 'hunt' : 's1'
  driver.editor.goTo(parent)
  const id = place(driver.doc, { kind: kind.id, parent, at: [400, 200], values })
  if (typeof id !== 'string') throw new Error(`${kind.id}: ${english(id.words)}`)
  driver.editor.select([id])
  return { ...driver, id }
}

// Those of a model; files of other kinds have forms of their own.
const placeable = kinds.filter(
  kind =>
    kind.shape !== 'connector' &&
    kind.shape !== 'none' &&
    kind.on.some(canvas => canvas === 'root' || canvas === 'entity' || canvas === 'process'),
)

describe('finding', () => {
  it('tells tags from names, formulas and texts', () => {
    const { editor, id } = withOne(kinds.find(kind => kind.id === 'tagset') ?? kinds[0]!, {
      name: 'Colour',
      tags: [{ tag: 'grey' }, { tag: 'red' }],
    })
    expect(findIn(editor.model, 'grey')).toMatchObject([{ id, field: 'tags', sort: 'tag', cell: { row: 0 }, plain: true }])
    expect(findIn(editor.model, 'grey', { only: 'name' })).toEqual([])
    expect(findIn(editor.model, 'Colour', { only: 'name' })).toMatchObject([{ id, sort: 'name' }])
  })
})

describe('inspector', () => {
  it.each(placeable.map(kind => [kind.id, kind] as const))('draws every field of %s that its values let appear', (_, kind) => {
    const driver = withOne(kind)
    const page = html(driver)
    const { fields } = driver.editor.model.elements.get(driver.id) ?? { fields: {} }
    for (const field of kind.fields) {
      const label = `<label for="field-${driver.id}-${field.id}">`
      // What a card has on a dashboard only is not asked for on a model's canvas.
      const elsewhere = field.on !== undefined && !field.on.some(canvas => canvas === 'root')
      // Data that a program keeps in the element has no control.
      const kept = field.type.as === 'data'
      if (elsewhere || kept) expect(page.includes(label), `${kind.id}.${field.id}`).toBe(false)
      const hidden = elsewhere || kept || !appears(field, fields) || field.id === 'owner' || field.section === 'advanced'
      if (hidden) continue
      expect(page.includes(label), `${kind.id}.${field.id}`).toBe(true)
    }
    expect(page.includes(english(kind.label))).toBe(true)
  })

  it('speaks Chinese throughout', () => {
    locale.getInitialState = locale.getState
    i18n.loadAndActivate({ locale: 'zh-CN', messages: inChinese })
    locale.setState({ locale: 'zh-CN' })
    try {
      for (const kind of placeable) expect(html(withOne(kind)).includes(chinese(kind.label)), kind.id).toBe(true)
    } finally {
      i18n.activate('en-US')
      locale.setState({ locale: 'en-US' })
    }
  })

  it('shows a field only while others have the values it needs', () => {
    const gateway = kinds.find(kind => kind.id === 'gateway')
    if (!gateway) throw new Error('no gateway')
    const shown = (values: Record<string, Json>): string[] => {
      const { editor, id } = withOne(gateway, values)
      const element = editor.model.elements.get(id)
      return element ? shownFields([element], editor.model).map(({ field }) => field.id) : []
    }
    expect(shown({ type: 'mofn' })).toContain('needed')
    expect(shown({ type: 'parallel' })).not.toContain('needed')
    expect(shown({ type: 'exclusive' })).toContain('by')
    expect(shown({ type: 'parallel' })).not.toContain('by')
  })

  it('asks of a flow only what the step where it begins reads, and never hides what is set', () => {
    const { editor, doc } = editorOf(
      processFile({ a: ['compute', 0, 0], g: ['gateway', 200, 0], b: ['compute', 400, 0] }, [
        ['a', 'g'],
        ['g', 'b'],
      ]),
    )
    const shown = (id: Id): string[] => {
      const element = editor.model.elements.get(id)
      return element ? shownFields([element], editor.model).map(({ field }) => field.id) : []
    }
    const set = (id: Id, field: string, value: Json) => setField(doc, id, field, value)
    expect(shown('f0')).toEqual(['name'])
    for (const [values, fields] of [
      [{ type: 'exclusive', by: 'condition' }, ['name', 'condition', 'default']],
      [{ type: 'exclusive', by: 'probability' }, ['name', 'weight']],
      [{ type: 'inclusive', by: 'condition' }, ['name', 'condition', 'default']],
      [{ type: 'inclusive', by: 'probability' }, ['name', 'condition', 'default']],
      [{ type: 'parallel', by: 'condition' }, ['name']],
    ] as const) {
      for (const [field, value] of Object.entries(values)) set('g', field, value)
      expect(shown('f1'), JSON.stringify(values)).toEqual(fields)
    }
    set('f0', 'default', true)
    expect(shown('f0')).toEqual(['name', 'default'])
  })

  it('asks for keys only where amounts have keys, and calls a distance a distance', () => {
    const { editor, doc } = editorOf(processFile({ o: ['operate', 0, 0], m: ['move', 200, 0] }))
    const key = kindOf('operate')
      ?.fields.flatMap(field => (field.type.as === 'rows' ? field.type.columns : []))
      .find(column => column.id === 'key')
    const amount = kindOf('move')?.fields.find(field => field.id === 'amount')
    if (!key || !amount) throw new Error('no such fields')
    expect(columnApplies(key, {}, editor.model)).toBe(false)
    expect(columnApplies(key, { key: '"red"' }, editor.model)).toBe(true)
    const store = place(doc, { kind: 'container', parent: 's1', at: [0, 0] })
    expect(columnApplies(key, {}, editor.model)).toBe(false)
    setField(doc, String(store), 'contents', 'keyed')
    expect(columnApplies(key, {}, editor.model)).toBe(true)
    expect(['forward', 'turn', 'head', 'unheard'].map(motion => english(calledWith(amount, { motion })))).toEqual([
      'Distance',
      'Angle',
      'Heading',
      'Distance or angle',
    ])
  })

  it('asks who owns a component only inside an entity', () => {
    const { editor, doc } = editorOf(processFile({}))
    const wolf = place(doc, { kind: 'agent', parent: 's1', at: [0, 0] })
    if (typeof wolf !== 'string') throw new Error('no agent')
    const inside = place(doc, { kind: 'variable', parent: wolf, at: [0, 0] })
    const outside = place(doc, { kind: 'variable', parent: 's1', at: [300, 0] })
    const asks = (id: unknown): boolean => {
      const element = editor.model.elements.get(String(id))
      return element !== undefined && shownFields([element], editor.model).some(({ field }) => field.id === 'owner')
    }
    expect(asks(inside)).toBe(true)
    expect(asks(outside)).toBe(false)
  })

  it('shares the fields of several elements, leaves names alone and says where they differ', () => {
    const driver = editorOf(processFile({ a: ['compute', 0, 0], b: ['compute', 200, 0], c: ['compute', 400, 0], d: ['compute', 600, 0] }))
    const { editor } = driver
    editor.enter('go')
    editor.select(['a', 'b'])
    const elements = ['a', 'b'].map(id => editor.model.elements.get(id)).filter(element => element !== undefined)
    const shown = shownFields(elements, editor.model)
    expect(shown.find(({ field }) => field.id === 'program')?.value).toBe('')
    expect(shown.find(({ field }) => field.id === 'name')?.value).toBeUndefined()
    expect(sections(shown).map(({ id }) => id)).toContain('timing')
    expect(html(driver).includes('Compute 2')).toBe(true)
  })

  it('puts problems under their fields, with code and what to do', () => {
    const compute = kinds.find(kind => kind.id === 'compute')
    if (!compute) throw new Error('no compute')
    const driver = withOne(compute)
    const page = html(driver, [problem(8001, { id: driver.id, field: 'program' }), problem(9005, { id: driver.id })])
    expect(page.includes('Formula is empty.')).toBe(true)
    expect(page.includes('8001')).toBe(true)
    expect(page.includes('Element has no incoming flow.')).toBe(true)
  })

  it('lists what a reference may point to, with its place', () => {
    const { editor } = editorOf(processFile({ a: ['compute', 0, 0] }))
    expect(optionsFor(editor.model, 'a', ['process'], words => english(words)).map(option => option.name)).toEqual(['Go'])
    expect(optionsFor(editor.model, 's1', ['compute'], words => english(words))[0]).toMatchObject({ name: 'a', place: 'Go' })
  })
})

describe('problems', () => {
  it('count on every box around their element, errors before what is left to do, that before warnings', () => {
    const { editor } = editorOf(
      processFile({ a: ['compute', 0, 0], b: ['compute', 200, 0], c: ['compute', 400, 0], d: ['compute', 600, 0] }),
    )
    const worst = worstByElement(
      [
        problem(8007, { id: 'a' }, [], 'warning'),
        problem(9016, { id: 'd' }, [], 'warning'),
        problem(8002, { id: 'b', field: 'program' }),
        problem(8001, { id: 'c', field: 'program' }),
      ],
      editor.model,
    )
    expect([...worst]).toEqual(
      expect.arrayContaining([
        ['a', 'todo'],
        ['c', 'todo'],
        ['d', 'warning'],
        ['b', 'error'],
        ['go', 'error'],
        ['s1', 'error'],
      ]),
    )
  })

  it('offers the name that was probably meant, and only where it still stands', () => {
    const at = { id: 'a', field: 'program', from: 0, to: 5 }
    const found: Problem = { ...problem(8002, at, ['name not found']), near: 'energy' }
    expect(quickFix(found, 'enrgy = 1')).toEqual({ text: 'energy = 1', word: 'energy' })
    expect(quickFix(found, 'en')).toBeNull()
    expect(quickFix(problem(8002, at, ['name not found']), 'enrgy = 1')).toBeNull()
  })

  it('offers the repair of a problem by name: one step to undo, and nothing where nothing may be written', () => {
    const file: HoloFile = {
      format: 'holo',
      version: 1,
      elements: {
        s1: { kind: 'scenario', name: 'Scenario 1', rank: 'a0' },
        wolf: { kind: 'agent', name: 'Wolf', parent: 's1', rank: 'a0', geo: [0, 0, 120, 72], initialNumber: '2' },
        energy: { kind: 'variable', name: 'energy', parent: 'wolf', rank: 'a0', geo: [0, 0, 120, 40], initial: '5' },
        live: { kind: 'process', name: 'Live', parent: 'wolf', rank: 'a1', geo: [200, 0, 120, 72] },
        go: { kind: 'start', parent: 'live', rank: 'a0', geo: [0, 0, 40, 40], trigger: 'timer', every: '1' },
        bite: {
          kind: 'compute',
          parent: 'live',
          rank: 'a1',
          geo: [80, 0, 120, 72],
          program: 'other = choice(Wolf.individuals)\nother.energy = 1',
        },
        over: { kind: 'end', parent: 'live', rank: 'a2', geo: [240, 0, 40, 40] },
        f1: { kind: 'flow', parent: 'live', rank: 'b0', from: 'go', to: 'bite' },
        f2: { kind: 'flow', parent: 'live', rank: 'b1', from: 'bite', to: 'over' },
      },
    }
    const driver = editorOf(file)
    const { editor } = driver
    const problemsNow = (): readonly Problem[] => check(editor.model, 's1').problems
    const repairs = (): readonly Problem[] => problemsNow().filter(one => one.repair)
    const [found] = repairs()
    expect(found).toMatchObject({ at: { id: 'bite' }, repair: { id: 'energy', field: 'public', value: true } })
    const panel = (one: Driver): string => {
      const model = createStore<{ model: Model }>(() => ({ model: one.editor.model }))
      const run = createRun({ model, scenario: 's1', spawn: scriptedEngine })
      return renderToString(
        <I18nProvider i18n={i18n}>
          <EditorContext value={{ editor: one.editor, host, model }}>
            <RunScope run={run}>
              <ProblemsContext value={problemsNow()}>
                <ProblemsPanel />
              </ProblemsContext>
            </RunScope>
          </EditorContext>
        </I18nProvider>,
      )
    }
    const named = /<button [^>]*type="button"[^>]*><span>Let others change &quot;energy&quot;<\/span><\/button>/
    expect(panel(driver)).toMatch(named)
    expect(panel(editorOf(file, { writable: false }))).not.toMatch(named)
    repair(editor, found!)
    expect(editor.model.elements.get('energy')?.fields['public']).toBe(true)
    expect(repairs()).toEqual([])
    editor.undo.undo()
    expect(editor.model.elements.get('energy')?.fields['public']).not.toBe(true)
    expect(repairs()).toEqual([found])
  })
})

describe('formula field', () => {
  const file: HoloFile = {
    format: 'holo',
    version: 1,
    elements: {
      s1: { kind: 'scenario', name: 'Scenario 1', rank: 'a0' },
      rain: { kind: 'variable', name: 'rain', parent: 's1', rank: 'a0', geo: [0, 0, 120, 32], initial: '3' },
      wolf: { kind: 'agent', name: 'Wolf', parent: 's1', rank: 'a1', geo: [0, 100, 96, 72] },
      energy: { kind: 'variable', name: 'energy', parent: 'wolf', rank: 'a0', geo: [0, 0, 120, 32], initial: '20' },
      hunt: { kind: 'process', name: 'Hunt', parent: 'wolf', rank: 'a1', geo: [0, 100, 120, 72] },
      eat: { kind: 'compute', name: 'Eat', parent: 'hunt', rank: 'a0', geo: [0, 0, 120, 72] },
    },
  }

  it('offers names of the token, the individual, the world and the library, innermost first', () => {
    const { editor } = editorOf(file)
    const scope = scopeAt(editor.model, 'eat')
    const labels = completionsAt('', 0, 'program', scope).items.map(item => item.label)
    expect(labels).toEqual(expect.arrayContaining(['energy', 'heading', 'rain', 'Wolf', 'tick', 'sum', 'if']))
    expect(labels.indexOf('energy')).toBeLessThan(labels.indexOf('rain'))
    expect(scope.find('energy')).toMatchObject({ kind: 'variable', id: 'energy', type: { is: 'number' } })
    expect(scopeAt(editor.model, 's1').find('energy')).toBeUndefined()
  })

  it('offers what a population and its individuals have after a dot', () => {
    const { editor } = editorOf(file)
    const scope = scopeAt(editor.model, 's1')
    const after = (text: string): string[] => completionsAt(text, text.length, 'expression', scope).items.map(item => item.label)
    expect(after('Wolf.')).toEqual(expect.arrayContaining(['count', 'individuals']))
    expect(after('Wolf.')).not.toContain('rain')
  })
})

describe('find', () => {
  it('finds names and formulas, whatever their case, and stops at a limit', () => {
    const { editor } = editorOf(processFile({ Feed: ['compute', 0, 0], other: ['compute', 200, 0] }))
    expect(findIn(editor.model, 'FEED')).toMatchObject([{ id: 'Feed', field: 'name', line: 'Feed', from: 0, to: 4 }])
    expect(findIn(editor.model, '  ')).toEqual([])
    expect(findIn(editor.model, 'e', { most: 2 })).toHaveLength(2)
    for (const only of ['name', 'formula', 'tag', 'text'] as const)
      expect(findIn(editor.model, 'e', { only }).every(place => place.sort === only)).toBe(true)
  })
})
