import { chinese } from '../help/languages.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { facetsOf, fileOf, loadFile, newDocument, readModel } from '../../model-schema/document.ts'
import { fieldKeyOf, fileKeyOf, FILE_VERSION, modelOfFile, parseFile, printFile, unreadOf, type HoloFile } from '../../model-schema/file.ts'
import { migrate, migrations } from '../../model-schema/file/migrate.ts'
import { DOCUMENT } from '../../model-schema/business/limits.ts'
import type { Model } from '../../model-schema/model.ts'
import { randomEdit } from '../help/operations.ts'
import { seeds } from '../help/random.ts'
import { english } from '../../model-schema/words.ts'

const corpus = readdirSync(new URL('../cases/documents/', import.meta.url)).filter(name => name.endsWith('.holo'))
const textOfCase = (name: string): string => readFileSync(new URL(`../cases/documents/${name}`, import.meta.url), 'utf8')

function parsed(text: string): HoloFile {
  const read = parseFile(text)
  if ('problems' in read) throw new Error(read.problems.map(({ path, words }) => `${path}: ${english(words)}`).join('\n'))
  return read.file
}

function loaded(file: HoloFile): Y.Doc {
  const doc = new Y.Doc()
  loadFile(doc, file)
  return doc
}

const plain = (model: Model) => ({ ...model, elements: [...model.elements] })
const paths = (text: string): string[] => {
  const read = parseFile(text)
  return 'problems' in read ? read.problems.map(problem => problem.path) : []
}
const withElements = (elements: unknown): string => JSON.stringify({ format: 'holo', version: 1, elements })

describe('a .holo file', () => {
  it.each(corpus)('of the corpus is read, and comes back the same: %s', name => {
    const file = parsed(textOfCase(name))
    const printed = printFile(file)
    expect(parsed(printed)).toEqual(parsed(printFile(parsed(printed))))
    expect(printFile(parsed(printed))).toBe(printed)
    const model = plain(modelOfFile(file))
    const doc = loaded(file)
    expect(plain(readModel(doc))).toEqual(model)
    expect(printFile(fileOf(loaded(fileOf(doc))))).toBe(printFile(fileOf(doc)))
    expect(plain(modelOfFile(parsed(printFile(fileOf(doc))))).elements).toEqual(model.elements)
  })

  it('is easy to write by hand: rank, place and parent may be left away, formulas may be numbers', () => {
    const { elements, notes, scenarios } = modelOfFile(parsed(textOfCase('by-hand.holo')))
    expect(notes).toEqual([])
    expect(scenarios).toEqual(['main'])
    expect(elements.get('main')?.children).toEqual(['field', 'speed', 'wolf', 'call', 'about'])
    expect(elements.get('main')?.fields.overrides).toEqual([{ variable: 'speed', value: '3' }])
    expect(elements.get('wolf')?.fields).toMatchObject({ initialNumber: '5', order: 'fixed', space: 'field' })
    expect(elements.get('call')?.fields.kind).toBe('signal')
    expect(elements.get('f2')?.ends).toMatchObject({ from: { id: 'pick' }, to: { id: 'walk' } })
    const left = (id: string): number => elements.get(id)?.geo[0] ?? Number.NaN
    expect(left('go')).toBeLessThan(left('pick'))
    expect(left('pick')).toBeLessThan(left('walk'))
    expect(left('rest')).toBeLessThan(left('done'))
    const boxes = [...elements.values()]
      .filter(element => element.parent === 'hunt' && !element.ends && element.kind !== 'boundary')
      .map(element => element.geo)
    for (const [i, a] of boxes.entries())
      for (const b of boxes.slice(i + 1))
        expect(a[0] + a[2] <= b[0] || b[0] + b[2] <= a[0] || a[1] + a[3] <= b[1] || b[1] + b[3] <= a[1]).toBe(true)
  })

  it('keeps kinds, fields and values of a newer version', () => {
    const { elements, notes } = modelOfFile(parsed(textOfCase('newer.holo')))
    expect(notes.map(note => `${note.kind} ${note.id}${note.field ? `.${note.field}` : ''}`)).toEqual([
      'dangling-end beam.to',
      'unknown-kind beam',
      'unknown-kind h',
      'invalid-value w.form',
    ])
    expect(elements.get('h')).toMatchObject({
      kind: 'hologram',
      geo: [10, 20, 30, 40],
      children: ['inside'],
      fields: { beams: [{ angle: 3.5 }], label: 'x' },
    })
    expect(elements.get('beam')).toMatchObject({
      ends: { from: { id: 'h', x: 25, y: 40 }, to: { id: null, x: 5, y: 6 } },
      bends: [[1, 2]],
      fields: { power: 9 },
    })
    expect(elements.get('w')?.fields).toMatchObject({ form: 'population', mood: { calm: true } })
    const again = fileOf(loaded(parsed(textOfCase('newer.holo'))))
    expect(again.elements.w).toMatchObject({ form: 'swarm', mood: { calm: true } })
    expect(again.elements.beam).toMatchObject({ power: 9, to: { x: 5, y: 6 } })
  })

  it('changes only the lines that changed', () => {
    const doc = loaded(parsed(textOfCase('by-hand.holo')))
    const before = printFile(fileOf(doc)).split('\n')
    doc.getMap('geo').set('wolf', [1, 2, 3, 4])
    const after = printFile(fileOf(doc)).split('\n')
    expect(after.filter((line, i) => line !== before[i])).toHaveLength(1)
  })

  it('holds all of a document that people have edited', () => {
    seeds(60, random => {
      const doc = newDocument('Random')
      for (let i = 0; i < 40; i++) randomEdit(doc, random)
      const file = fileOf(doc)
      const text = printFile(file)
      expect(printFile(parsed(text))).toBe(text)
      expect(parsed(text)).toEqual(JSON.parse(JSON.stringify(file)))
      const again = loaded(parsed(text))
      expect(plain(readModel(again)).elements).toEqual(plain(readModel(doc)).elements)
      expect(facetsOf(again).meta).toEqual(facetsOf(doc).meta)
      expect(printFile(fileOf(again))).toBe(text)
    })
  })

  it('has keys for fields that are named like its own words', () => {
    for (const field of ['kind', 'parent', 'kind_', 'to__', 'order', 'name']) {
      const key = fileKeyOf(field)
      expect(fieldKeyOf(key)).toBe(field)
      expect(['kind', 'parent', 'rank', 'geo', 'from', 'to', 'bends']).not.toContain(key)
    }
    expect(fieldKeyOf('kind')).toBeNull()
  })
})

describe('a file that is wrong', () => {
  it('is refused with the place and a sentence in both languages', () => {
    expect(paths('{')).toEqual([''])
    expect(paths('[]')).toEqual([''])
    expect(paths('{"format":"holo"}')).toEqual(['version'])
    expect(paths('{"format":"holo","version":99,"elements":{}}')).toEqual(['version'])
    expect(paths('{"format":"holo","version":1}')).toEqual(['elements'])
    expect(paths('{"format":"holo","version":1,"elements":{},"title":7}')).toEqual(['title'])
    const bad = withElements({
      'a/b': { kind: 'note' },
      n: 5,
      k: {},
      o: { kind: 'note', parent: 'gone', geo: [1, 2], rank: 3, bends: 'x', '2x': 1 },
      c: { kind: 'flow', from: 'gone', to: { id: 'gone' } },
      d: { kind: 'flow' },
    })
    expect(paths(bad)).toEqual([
      'elements.a/b',
      'elements.n',
      'elements.k.kind',
      'elements.o.parent',
      'elements.o.geo',
      'elements.o.rank',
      'elements.o.bends',
      'elements.o.2x',
      'elements.c.from',
      'elements.c.to',
      'elements.d.from',
      'elements.d.to',
    ])
    const read = parseFile(bad)
    for (const { words } of 'problems' in read ? read.problems : []) {
      expect(english(words)).not.toBe('')
      expect(chinese(words)).toMatch(/[\u4e00-\u9fff]/)
    }
  })

  it('cannot reach what every object has', () => {
    expect(paths('{"format":"holo","version":1,"elements":{"__proto__":{"kind":"note"}}}')).toEqual(['elements.__proto__'])
    expect(paths('{"format":"holo","version":1,"elements":{"constructor":{"kind":"note"}}}')).toEqual(['elements.constructor'])
    expect(paths('{"format":"holo","version":1,"elements":{"a":{"kind":"note","__proto__":{"x":1}}}}')).toEqual(['elements.a.__proto__'])
    expect(paths('{"format":"holo","version":1,"elements":{"a":{"kind":"note","x":{"__proto__":1}}}}')).toEqual(['elements.a.x'])
    expect(paths('{"format":"holo","version":1,"elements":{"a":{"kind":"note","parent":"toString"}}}')).toEqual(['elements.a.parent'])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it('is bounded in length, number, depth and values', () => {
    expect(paths(' '.repeat(DOCUMENT.fileLength + 1))).toEqual([''])
    expect(paths(withElements(Object.fromEntries(Array.from({ length: DOCUMENT.elements + 1 }, (_, i) => [`e${i}`, 0]))))).toEqual([
      'elements',
    ])
    let deep: unknown = 1
    for (let i = 0; i < 40; i++) deep = [deep]
    expect(paths(withElements({ a: { kind: 'note', x: deep } }))).toEqual(['elements.a.x'])
    expect(paths(withElements({ a: { kind: 'note', x: 'y'.repeat(DOCUMENT.valueLength + 1) } }))).toEqual(['elements.a.x'])
    expect(paths(withElements(Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`e${i}`, 0]))))).toHaveLength(100)
  })

  it('never makes the reader throw, whatever is spoilt in its text', () => {
    const text = textOfCase('by-hand.holo')
    seeds(1500, random => {
      const at = random.below(text.length)
      const spoilt = text.slice(0, at) + random.pick(['', '{', '"', 'null', '[]', '1e999', '"id"', ',']) + text.slice(at + random.below(12))
      const read = parseFile(spoilt)
      if ('file' in read) expect(modelOfFile(read.file).scenarios.length).toBeGreaterThan(0)
      else expect(read.problems.length).toBeGreaterThan(0)
    })
  })
})

describe('older versions of the format', () => {
  it('are brought to the present one, step by step', () => {
    expect(FILE_VERSION).toBe(migrations.length + 1)
    expect(migrate({ format: 'holo', version: FILE_VERSION, elements: {} })).toEqual({
      json: { format: 'holo', version: FILE_VERSION, elements: {} },
    })
    for (let version = 1; version <= FILE_VERSION; version++)
      expect(migrate({ format: 'holo', version, elements: {} })).toHaveProperty('json.version', FILE_VERSION)
  })
})

describe('charts of samples', () => {
  it('leave the blue of the first series to the palette, which has one for each theme', () => {
    const folder = new URL('../../model-schema/samples/', import.meta.url)
    for (const name of readdirSync(folder).filter(one => one.endsWith('.holo')))
      for (const { kind, series } of Object.values(parsed(readFileSync(new URL(name, folder), 'utf8')).elements))
        if (kind === 'chart' && Array.isArray(series)) expect(series[0], name).not.toMatchObject({ color: '#0a6fb8' })
  })
})

describe('what nobody reads', () => {
  it('is nothing in samples', () => {
    const folder = new URL('../../model-schema/samples/', import.meta.url)
    for (const name of readdirSync(folder).filter(one => one.endsWith('.holo')))
      expect(unreadOf(parsed(readFileSync(new URL(name, folder), 'utf8'))), name).toEqual([])
  })
  it('is told with its place and what there is instead, in both languages', () => {
    const elements = {
      s: { kind: 'scenario', totalTicks: '5', locked: true },
      x: { kind: 'var', initial: 1 },
      v: { kind: 'variable', intial: '3', initial: 4, public: 1, unit: null },
      m: { kind: 'message', kind_: 'letter', payload: [{ name: 'n', type: 'int', sort: 1 }, 'n'] },
      p: { kind: 'process' },
      t: { kind: 'start', parent: 'p', trigger: 'tick', every: [1] },
    }
    const found = unreadOf(parsed(JSON.stringify({ format: 'holo', version: 1, elements })))
    expect(found.map(({ path, words }) => `${path}: ${english(words)}`)).toEqual([
      'elements.s.totalTicks: This is not read, the default counts; it takes a number >= 0, not as text.',
      'elements.x.kind: There is no kind "var".',
      'elements.v.intial: There is no such field; there are name, owner, type, initial, default, public, unit, min, max.',
      'elements.v.public: This is not read, the default counts; it takes true or false.',
      'elements.v.unit: This is not read, the default counts; it takes a text.',
      'elements.m.kind_: This is not read, the default counts; it takes one of "message", "signal".',
      'elements.m.payload.0.type: This is not read, the default counts; it takes one of "any", "number", "text", "boolean", "entity".',
      'elements.m.payload.0.sort: There is no such field; there are name, type.',
      'elements.m.payload.1: This is not read, the default counts; it takes a list of records with "name", "type".',
      'elements.t.trigger: This is not read, the default counts; it takes one of "none", "timer", "condition", "message".',
      'elements.t.every: This is not read, the default counts; it takes a formula, as text.',
    ])
    for (const { words } of found) expect(chinese(words)).toMatch(/[\u4e00-\u9fff]/)
  })
  it('is a field that does not count beside others, a reference to nobody, a flow away from its ends', () => {
    const elements = {
      s: { kind: 'scenario' },
      land: { kind: 'space', name: 'Land' },
      a: { kind: 'agent', name: 'A', space: 'Land', placement: 'random', position: '[1, 2]', orderKey: '' },
      c: { kind: 'cell', space: 'nowhere' },
      p: { kind: 'process', parent: 'a' },
      t: { kind: 'start', parent: 'p', every: '2', active: false },
      step: { kind: 'compute', parent: 'p', program: 'x = 1' },
      e: { kind: 'end', parent: 'p' },
      f1: { kind: 'flow', from: 't', to: 'step' },
      f2: { kind: 'flow', parent: 'p', from: { id: 'step' }, to: 'e', condition: 'x > 1' },
    }
    const found = unreadOf(parsed(JSON.stringify({ format: 'holo', version: 1, elements })))
    expect(found.map(({ path, words }) => `${path}: ${english(words)}`)).toEqual([
      'elements.a.space: There is no element "Land". References are ids: the one named so is "land".',
      'elements.a.position: This is not read: it counts only with "placement" "position".',
      'elements.c.space: There is no element "nowhere".',
      'elements.t.every: This is not read: it counts only with "trigger" "timer".',
      'elements.f1.parent: Both ends stand on "p", so the parent must be "p".',
      'elements.f2.condition: This is not read: only flows out of a gateway have conditions.',
    ])
    for (const { words } of found) expect(chinese(words)).toMatch(/[\u4e00-\u9fff]/)
  })
})
