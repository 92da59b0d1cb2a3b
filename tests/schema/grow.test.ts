// Elements that come to a document: put into the whole they make what reading from scratch makes of the same document, whatever they are.
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { layoutOf } from '../../model-schema/document/layout.ts'
import { assembleDoc, liveOf } from '../../model-schema/document/live.ts'
import { loadFile, modelOf, readModel, watchModel } from '../../model-schema/document.ts'
import { isRefusal, place, setField } from '../../model-schema/edit.ts'
import { grow } from '../../model-schema/integrity/grow.ts'
import type { Id } from '../../model-schema/model.ts'
import { agents, boundary, compute, delay, end, model, process, start, subprocess, variable } from '../help/models.ts'
import { seeds, type Chance } from '../help/random.ts'

function loaded(): Y.Doc {
  const doc = new Y.Doc()
  const hunt = process(
    'Hunt',
    start(),
    delay(2, 'rest'),
    compute('energy -= 1', 'hunt'),
    subprocess('deep', start(), end()),
    end(),
    boundary('rest', 'timer'),
  )
  loadFile(doc, model(agents('Wolf', variable('energy', 20), hunt)).file)
  return doc
}

type Raw = { kind: string; parent: Id; order: string; from?: Id | null; to?: Id | null; host?: Id; groups?: readonly string[] }

function write(doc: Y.Doc, added: Readonly<Record<Id, Raw>>): void {
  const layout = layoutOf(doc)
  doc.transact(() => {
    for (const [id, raw] of Object.entries(added)) {
      layout.kind.set(id, raw.kind)
      layout.tree.set(id, [raw.parent, raw.order])
      layout.geo.set(id, [10, 20, 100, 60])
      if (raw.from !== undefined) layout.conn.set(id, { from: { id: raw.from, x: 1, y: 2 }, to: { id: raw.to ?? null, x: 3, y: 4 } })
      if (raw.host !== undefined) layout.data.set(`${id}/host`, raw.host)
      if (raw.groups) layout.data.set(`${id}/groups`, raw.groups)
    }
  })
}

const sorted = <T>(map: ReadonlyMap<Id, T>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))

function expectAsFromScratch(doc: Y.Doc): void {
  const live = liveOf(doc).assembled
  const read = assembleDoc(doc)
  expect([...live.model.elements]).toEqual([...read.model.elements])
  expect(live.model).toEqual({ ...read.model, elements: live.model.elements })
  expect(sorted(live.attached)).toEqual(sorted(read.attached))
  expect(sorted(live.parsed)).toEqual(sorted(read.parsed))
  expect(live.notes).toEqual(read.notes)
}

const kinds = ['delay', 'compute', 'process', 'flow', 'boundary', 'variable', 'agents', 'scenario', 'unheard']

function anything(random: Chance, doc: Y.Doc, step: number): Record<Id, Raw> {
  const added: Record<Id, Raw> = {}
  const ids = Array.from({ length: 1 + random.below(3) }, (_, i) => `${random.pick(['a', 'm', 'z'])}${step}x${i}`)
  const known = [...liveOf(doc).model.elements.keys()]
  const some = (): Id => random.pick(random.chance(0.2) ? ids : random.chance(0.05) ? ['gone', `a${step + 1}x0`] : known)
  for (const id of ids) {
    const kind = random.pick(kinds)
    added[id] = {
      kind,
      parent: some(),
      order: random.chance(0.2) ? random.pick(['a0', 'a1', 'a2']) : `a${random.below(1e6)}V`,
      ...(kind === 'flow' ? { from: random.chance(0.1) ? null : some(), to: some() } : {}),
      ...(kind === 'boundary' ? { host: some() } : {}),
      ...(random.chance(0.1) ? { groups: ['together'] } : {}),
    }
  }
  return added
}

describe('documents: elements that come', () => {
  it('make the model that reading from scratch makes', () => {
    seeds(60, random => {
      const doc = loaded()
      for (let step = 0; step < 12; step++) {
        liveOf(doc)
        write(doc, anything(random, doc, step))
        expectAsFromScratch(doc)
      }
    })
  })

  it('are followed within the transaction that moves what they hold on to', () => {
    const doc = loaded()
    liveOf(doc)
    doc.transact(() => {
      write(doc, { one: { kind: 'flow', parent: 'Wolf-Hunt', order: 'zz', from: 'Wolf-Hunt-rest', to: 'Wolf-Hunt-hunt' } })
      layoutOf(doc).geo.set('Wolf-Hunt-rest', [500, 500, 40, 40])
    })
    expect(liveOf(doc).model.elements.get('one')?.ends?.from).toMatchObject({ x: 520, y: 520 })
    expectAsFromScratch(doc)
  })

  it('come by the hundred: in the order of ids, in every way of going through them, and watchers hear of those that differ', () => {
    seeds(3, random => {
      const doc = loaded()
      watchModel(doc, (model, { added, changed, removed }) => {
        const [was, is] = [known, model.elements]
        expect(added).toEqual([...is.keys()].filter(id => !was.has(id)))
        expect(changed.toSorted()).toEqual([...is.keys()].filter(id => was.has(id) && was.get(id) !== is.get(id)))
        expect(removed).toEqual([...was.keys()].filter(id => !is.has(id)))
        known = is
      })
      let known = modelOf(doc).elements
      const ids: Id[] = []
      for (let i = 0; i < 400; i++) {
        const id = `${random.pick(['a', 'm', 'z'])}${random.below(1e6)}`
        const values = random.chance(0.5) ? { name: `Wait ${i}` } : {}
        if (ids.length > 0 && random.chance(0.3)) setField(doc, random.pick(ids), 'name', `Again ${i}`)
        else if (isRefusal(place(doc, { kind: 'delay', parent: 'Wolf-Hunt', at: [i * 8, 0], values, id }))) continue
        else ids.push(id)
        const { elements } = modelOf(doc)
        const read = readModel(doc).elements
        expect(elements.size).toBe(read.size)
        if (i % 20 === 0) {
          expect([...elements]).toEqual([...read])
          expect([[...elements.keys()], [...elements.values()]]).toEqual([[...read.keys()], [...read.values()]])
        }
      }
      for (const id of ids) expect(known.has(id) && known.get(id)?.id).toBe(id)
      const told: Id[] = []
      known.forEach(one => told.push(one.id))
      expect(told).toEqual([...readModel(doc).elements.keys()])
    })
  })
})

describe('grow', () => {
  const added = (raw: Raw) => {
    const doc = loaded()
    const before = assembleDoc(doc)
    write(doc, { new: raw })
    const after = assembleDoc(doc)
    const one = after.parsed.get('new')
    if (!one) throw new Error('nothing was added')
    return { grown: grow(before, [one]), after }
  }
  const step: Raw = { kind: 'delay', parent: 'Wolf-Hunt', order: 'zz' }
  const flow: Raw = { ...step, kind: 'flow', from: 'Wolf-Hunt-rest', to: 'Wolf-Hunt-hunt' }

  it.each([
    ['a step', step],
    ['a flow', flow],
    ['a boundary event', { ...step, kind: 'boundary', host: 'Wolf-Hunt-rest' }],
    ['a canvas', { ...step, kind: 'process', parent: 'Wolf' }],
  ] satisfies [string, Raw][])('adds %s', (_what, raw) => {
    const { grown, after } = added(raw)
    expect([...(grown?.whole.model.elements ?? [])]).toEqual([...after.model.elements])
    expect(sorted(grown?.whole.attached ?? new Map())).toEqual(sorted(after.attached))
  })

  it.each([
    ['has no canvas', { ...step, parent: 'gone' }],
    ['stands on no canvas', { ...step, parent: 'Wolf-Hunt-rest' }],
    ['is a scenario', { ...step, kind: 'scenario' }],
    ['has the order of another', { ...step, order: assembleDoc(loaded()).parsed.get('Wolf-Hunt-rest')?.order ?? '' }],
    ['is in a group', { ...step, groups: ['g'] }],
    ['has a loose end', { ...flow, to: null }],
    ['holds on to nothing there', { ...flow, to: 'gone' }],
  ] satisfies [string, Raw][])('leaves to the whole what %s', (_what, raw) => {
    expect(added(raw).grown).toBeNull()
  })
})
