import { chinese } from '../help/languages.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { formulaName, fieldOf, kindOf, kinds, kindsOn, mayJoin } from '../../model-schema/kinds.ts'
import type { Field } from '../../model-schema/kinds/kind.ts'
import { marks } from '../../model-schema/integrity/parse.ts'
import { readValue } from '../../model-schema/integrity/values.ts'
import { english, type Words } from '../../model-schema/words.ts'

/** Every text of the metamodel with its place. */
function* words(): Generator<[place: string, words: Words, isHelp: boolean]> {
  function* ofField(place: string, field: Field): Generator<[string, Words, boolean]> {
    yield [`${place}.label`, field.label, false]
    yield [`${place}.help`, field.help, true]
    if (field.type.as === 'choice') for (const [key, option] of Object.entries(field.type.options)) yield [`${place}=${key}`, option, false]
    if (field.type.as === 'rows') for (const column of field.type.columns) yield* ofField(`${place}.${column.id}`, column)
    if (field.type.as === 'number' && field.type.unit) yield [`${place}.unit`, field.type.unit, false]
  }
  for (const kind of kinds) {
    yield [`${kind.id}.label`, kind.label, false]
    yield [`${kind.id}.help`, kind.help, true]
    for (const field of kind.fields) yield* ofField(`${kind.id}.${field.id}`, field)
    for (const preset of kind.presets ?? []) yield [`${kind.id}/${preset.id}`, preset.label, false]
  }
}

describe('the metamodel', () => {
  it('says everything in both languages, and explains every kind and field', () => {
    const bad: string[] = []
    for (const [place, text, isHelp] of words()) {
      const [en, zh] = [english(text), chinese(text)]
      if (en.trim() === '' || zh.trim() === '' || en !== en.trim() || zh !== zh.trim()) bad.push(`${place}: blank or untidy`)
      if (/[\u4e00-\u9fff]/.test(en)) bad.push(`${place}: English holds Chinese`)
      if (isHelp && !/[\u4e00-\u9fff]/.test(zh)) bad.push(`${place}: no Chinese`)
      if (isHelp && !en.endsWith('.')) bad.push(`${place}: not a sentence`)
      if (isHelp && !zh.endsWith('。')) bad.push(`${place}: not a Chinese sentence`)
      if (isHelp && en.length > 260) bad.push(`${place}: ${en.length} characters are too many`)
      if (!isHelp && en.length > 40) bad.push(`${place}: label too long`)
    }
    expect(bad).toEqual([])
  })

  it('has unique ids, and defaults that its own fields accept', () => {
    expect(new Set(kinds.map(kind => kind.id)).size).toBe(kinds.length)
    for (const kind of kinds) {
      expect(new Set(kind.fields.map(field => field.id)).size, kind.id).toBe(kind.fields.length)
      for (const field of kind.fields) {
        expect(readValue(field, field.initial), `${kind.id}.${field.id}`).toEqual({ value: field.initial, bad: false })
        for (const [other, values] of Object.entries(field.when ?? {})) {
          const condition = fieldOf(kind, other)
          expect(condition, `${kind.id}.${field.id} depends on ${other}`).toBeDefined()
          for (const value of values)
            expect(condition && readValue(condition, value).bad, `${kind.id}.${field.id} when ${other}=${String(value)}`).toBe(false)
        }
      }
      for (const preset of kind.presets ?? []) {
        for (const [id, value] of Object.entries(preset.values)) {
          const field = fieldOf(kind, id)
          expect(field && readValue(field, value).bad, `${kind.id}/${preset.id}.${id}`).toBe(false)
        }
      }
    }
  })

  it('has no field called like what is stored beside the fields of any element', () => {
    expect(kinds.flatMap(kind => kind.fields.map(field => field.id)).filter(id => marks.has(id))).toEqual([])
  })

  it('refers only to kinds there are', () => {
    const missing: string[] = []
    const check = (place: string, field: Field): void => {
      if (field.type.as === 'ref' || field.type.as === 'refs')
        for (const id of field.type.to) if (!kindOf(id)) missing.push(`${place}.${field.id}: ${id}`)
      if (field.type.as === 'rows') for (const column of field.type.columns) check(`${place}.${field.id}`, column)
    }
    for (const kind of kinds) {
      for (const field of kind.fields) check(kind.id, field)
      for (const id of [...(kind.joins?.from ?? []), ...(kind.joins?.to ?? [])]) if (!kindOf(id)) missing.push(`${kind.id} joins ${id}`)
    }
    expect(missing).toEqual([])
  })

  it('says what stands where, as the canvas grammar does', () => {
    const on = (canvas: 'file' | 'root' | 'entity' | 'process' | 'experiment' | 'dashboard' | 'cards'): string[] =>
      kindsOn(canvas)
        .map(kind => kind.id)
        .toSorted()
    expect(on('file')).toEqual(['chartFile', 'dashboard', 'experiment', 'scenario'])
    expect(on('dashboard')).toEqual(['association', 'cardGroup', 'controller', 'image', 'note', 'plot'])
    expect(on('cards')).toEqual(['cardGroup', 'chart', 'controller', 'image', 'networkChart', 'note', 'plot', 'worldView'])
    expect(on('experiment')).toEqual(['alternative', 'constraint', 'dataSeries', 'dataTable', 'decision', 'objective', 'plot', 'response'])
    expect(on('root')).toEqual(
      [
        'agent',
        'cell',
        'link',
        'process',
        'variable',
        'container',
        'message',
        'function',
        'statistic',
        'chart',
        'worldView',
        'networkChart',
        'controller',
        'test',
        'space',
        'tagset',
        'network',
        'blockchain',
        'contract',
        'block',
        'note',
        'image',
        'frame',
      ].toSorted(),
    )
    expect(on('entity')).toEqual(['variable', 'container', 'process', 'function', 'statistic', 'note', 'image', 'frame'].toSorted())
    const steps = [
      'compute',
      'delay',
      'ask',
      'call',
      'subprocess',
      'create',
      'destroy',
      'move',
      'place',
      'operate',
      'decide',
      'transaction',
      'log',
    ]
    expect(on('process')).toEqual(
      [
        ...steps,
        'start',
        'intermediate',
        'boundary',
        'end',
        'gateway',
        'variable',
        'interface',
        'reference',
        'flow',
        'containerConnector',
        'stateConnector',
        'note',
        'image',
        'frame',
      ].toSorted(),
    )
    const flow = kindOf('flow')
    if (!flow) throw new Error('no flow')
    for (const step of steps) {
      expect(mayJoin(flow, 'start', step) && mayJoin(flow, step, 'end') && mayJoin(flow, 'boundary', step)).toBe(true)
      expect(mayJoin(flow, step, 'start') || mayJoin(flow, 'end', step) || mayJoin(flow, step, 'boundary')).toBe(false)
    }
  })

  it('makes names that formulas can say', () => {
    expect(formulaName(' Wolf pack-2 ')).toBe('Wolf_pack_2')
    expect(formulaName('狼群')).toBe('狼群')
  })

  it('stays readable: no file of more than 400 lines', () => {
    const folder = new URL('../../model-schema/kinds/', import.meta.url)
    const files = readdirSync(folder).filter(name => name.endsWith('.ts'))
    const long = files.filter(name => readFileSync(new URL(name, folder), 'utf8').split('\n').length > 400)
    expect(long).toEqual([])
  })
})
