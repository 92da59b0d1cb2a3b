// A formula written from words: checked at its place before it is shown, asked for again when it does not pass, and never written automatically.
import { describe, expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { formulaIn, writeFormula } from '../../client/copilot/formula/formulas.ts'
import { Toolbox } from '../../client/copilot/toolbox.ts'
import type { Session } from '../../client/session.ts'
import { modelOf, newDocument, watchModel } from '../../model-schema/document.ts'
import { isRefusal, place } from '../../model-schema/edit.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import { proposalsOf } from '../../model-schema/proposals.ts'
import type { Message } from '../../sim-engine/copilot/doors/dialogue.ts'
import { bench, scriptedModel } from '../help/scripted-model.ts'

function open() {
  const doc = newDocument()
  const made = (name: string, initial: string): string => {
    const [parent] = modelOf(doc).scenarios
    const id = place(doc, { kind: 'variable', parent: parent!, at: [0, 0], values: { name, initial } })
    if (isRefusal(id)) throw new Error(JSON.stringify(id))
    return id
  }
  made('patients', '30')
  const load = made('load', 'nothing_here')
  const model = createStore(() => ({ model: modelOf(doc) }))
  watchModel(doc, next => model.setState({ model: next }))
  const access = createStore(() => ({ role: 'editor' as const, writable: true }))
  const session = { doc, docId: 'file_1', model, access, target: { user: { id: 'ann', name: 'Ann' } } } as unknown as Session
  const { script, calls, call } = scriptedModel('nonsense +')
  const element = modelOf(doc).elements.get(load)!
  const field = kindOf('variable')!.fields.find(({ id }) => id === 'initial')!
  const stopping = new AbortController()
  return {
    doc,
    session,
    call,
    calls,
    script,
    stopping,
    load,
    initial: () => modelOf(doc).elements.get(load)!.fields['initial'],
    write: (words: string) =>
      writeFormula(
        { element, field, words, canvas: modelOf(doc).scenarios[0]! },
        { id: 'p1', label: 'Test model', mode: 'ask' },
        { toolbox: new Toolbox(session, bench), call },
        stopping.signal,
      ),
  }
}

describe('a formula from words', () => {
  it('is given when the compiler passes it, and the document stays as it was', async () => {
    const { script, write, calls, initial, doc } = open()
    script.push({ uses: [['find', { text: 'patients' }]] }, { text: '```\npatients / 3\n```' })
    expect(await write('a third of the patients')).toEqual({ formula: 'patients / 3', warnings: [] })
    expect(calls[0]).toMatchObject({ provider: 'p1', mode: 'ask' })
    expect(JSON.stringify(calls[0]!.messages)).toContain('a third of the patients')
    expect(initial()).toBe('nothing_here')
    expect(proposalsOf(doc)).toEqual([])
  })

  it('that does not pass goes back with what is wrong, and is given up after three', async () => {
    const { script, write, calls } = open()
    script.push({ text: 'patiens / 3' }, { text: 'patients / 3' })
    expect(await write('a third')).toMatchObject({ formula: 'patients / 3' })
    expect(JSON.stringify(calls[1]!.messages.at(-1))).toMatch(/does not pass: .*patiens/)
    // The same mistake as is in the field now is a mistake too.
    script.push({ text: 'nothing_here' }, { text: 'nothing_here' }, { text: 'nothing_here + 1' })
    const refused = await write('a third')
    expect(refused).toMatchObject({ refused: 'nothing_here + 1', because: [expect.stringContaining('nothing_here')] })
    expect(calls).toHaveLength(5)
  })

  it('comes with no tool that writes, whatever the model calls', async () => {
    const { script, write, load, initial, doc } = open()
    script.push(
      {
        uses: [
          ['edit', { calls: [{ do: 'remove', ids: [load] }] }],
          ['offer', { title: 'x', why: 'y' }],
        ],
      },
      { text: '10' },
    )
    expect(await write('ten')).toMatchObject({ formula: '10' })
    expect(initial()).toBe('nothing_here')
    expect(proposalsOf(doc)).toEqual([])
  })

  it('of a cell of a table is checked in its row, and the other cells stay', async () => {
    const { doc, session, script, calls, call } = open()
    const [parent] = modelOf(doc).scenarios
    const series = [
      { label: 'one', value: 'patients', color: '' },
      { label: 'two', value: 'nothing_here', color: '' },
    ]
    const chart = place(doc, { kind: 'chart', parent: parent!, at: [0, 200], values: { type: 'line', series } })
    if (isRefusal(chart)) throw new Error(JSON.stringify(chart))
    const element = modelOf(doc).elements.get(chart)!
    const table = kindOf('chart')!.fields.find(({ id }) => id === 'series')!
    const column = table.type.as === 'rows' ? table.type.columns.find(({ id }) => id === 'value')! : table
    const write = () =>
      writeFormula(
        { element, field: column, within: { element, field: table, row: 1 }, words: 'half of the patients', canvas: parent! },
        { id: 'p1', label: 'Test model', mode: 'ask' },
        { toolbox: new Toolbox(session, bench), call },
        new AbortController().signal,
      )
    script.push({ text: 'patiens / 2' }, { text: 'patients / 2' })
    expect(await write()).toEqual({ formula: 'patients / 2', warnings: [] })
    expect(JSON.stringify(calls[0]!.messages)).toContain('row 2 of the table')
    expect(JSON.stringify(calls[1]!.messages.at(-1))).toMatch(/does not pass: .*patiens/)
    expect(modelOf(doc).elements.get(chart)!.fields['series']).toEqual(element.fields['series'])
    // What is wrong in another row is not held against it; what was wrong in this one is, when it stays.
    script.push({ text: 'nothing_here' }, { text: 'nothing_here' }, { text: 'nothing_here' })
    expect(await write()).toMatchObject({ refused: 'nothing_here' })
  })

  it('ends in words: a fault, an empty answer, a stop', async () => {
    const { script, write, stopping } = open()
    script.push({ fault: { is: 'fault', fault: 'budget-day', detail: '' } })
    expect(await write('ten')).toEqual({ end: { why: 'budget-day', detail: '' } })
    script.push({ text: '  ' })
    expect(await write('ten')).toMatchObject({ end: { why: 'malformed' } })
    script.push({ text: 'never' })
    const waiting = write('ten')
    setTimeout(() => stopping.abort(), 100)
    expect(await waiting).toMatchObject({ end: { why: 'stopped' } })
  })

  it('is read out of what models wrap it in', () => {
    const said = (text: string): Message => ({ role: 'assistant', text, calls: [] })
    expect(formulaIn(said('Here:\n```python\nx = 1\ny = 2\n```\nDone.'))).toBe('x = 1\ny = 2')
    expect(formulaIn(said('`a + b`'))).toBe('a + b')
    expect(formulaIn(said(' a + b\n'))).toBe('a + b')
    expect(formulaIn({ role: 'user', text: 'a' })).toBe('')
  })
})
