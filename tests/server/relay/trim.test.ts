// A document in less memory is the same document: after the same edits it and its untrimmed twin hold, report and accept the same.
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { trim } from '../../../sync-server/relay/trim.ts'
import { chance } from '../../help/random.ts'
import type { Chance } from '../../help/random.ts'

const fields = ['a', 'b', 'c', 'd', 'e']

/** An edit: in maps, in texts of maps, in rich text, with undo. */
function edit(doc: Y.Doc, random: Chance): void {
  const [data, text, rich] = [doc.getMap('data'), doc.getMap('text'), doc.getMap('rich')]
  const key = random.pick(fields)
  const written = text.get(key)
  const story = rich.get(key)
  switch (random.below(8)) {
    case 0:
    case 1:
      return void data.set(key, random.pick([random.below(9), random.text(5), [random.text(3), null, { at: [1, 2] }]]))
    case 2:
      return void data.delete(key)
    case 3:
      return void text.set(key, new Y.Text(random.pick(['', random.text(12)])))
    case 4:
    case 5: {
      if (!(written instanceof Y.Text)) return void text.set(key, new Y.Text(''))
      const at = random.below(written.length + 1)
      if (random.below(3) > 0) return written.insert(at, random.text(7))
      return written.delete(at, Math.min(random.below(4), written.length - at))
    }
    case 6: {
      if (!(story instanceof Y.XmlFragment)) return void rich.set(key, new Y.XmlFragment())
      const words = new Y.XmlText(random.text(6))
      const paragraph = new Y.XmlElement('paragraph')
      paragraph.insert(0, [words])
      return story.insert(random.below(story.length + 1), [paragraph])
    }
    default: {
      const paragraph = story instanceof Y.XmlFragment ? story.get(0) : undefined
      const words = paragraph instanceof Y.XmlElement ? paragraph.get(0) : undefined
      if (words instanceof Y.XmlText && words.length > 0) return words.format(0, 1 + random.below(words.length), { bold: true })
      return void text.delete(key)
    }
  }
}

const holds = (doc: Y.Doc): unknown => ['data', 'text', 'rich'].map(name => doc.getMap(name).toJSON())

/** Several people, who now and then hear of each other; what they wrote, in an order each could have been heard in. */
function people(random: Chance, count: number, first?: Uint8Array): { docs: Y.Doc[]; write: () => Uint8Array } {
  const docs = Array.from({ length: count }, (_, i) => {
    const doc = new Y.Doc()
    doc.clientID = (first === undefined ? 4_000_000_000 : 3_000_000_000) + i
    if (first !== undefined) Y.applyUpdate(doc, first)
    return doc
  })
  return {
    docs,
    write() {
      const doc = random.pick(docs)
      if (random.below(3) === 0) Y.applyUpdate(doc, Y.encodeStateAsUpdate(random.pick(docs)))
      const before = Y.encodeStateVector(doc)
      doc.transact(() => {
        for (let i = 0; i <= random.below(3); i++) edit(doc, random)
      })
      return Y.encodeStateAsUpdate(doc, before)
    },
  }
}

describe('a trimmed document', () => {
  it('is the same as one that is not, whatever is written to both', () => {
    const seeds =
      process.env['SEED'] === undefined ? Array.from({ length: Number(process.env['COUNT'] ?? 60) }, (_, i) => i) : [process.env['SEED']]
    for (const seed of seeds.map(Number)) {
      const random = chance(seed)
      const early = people(random, 3)
      for (let i = 0; i < 25; i++) early.write()
      const base = Y.mergeUpdates(early.docs.map(doc => Y.encodeStateAsUpdate(doc)))
      const [plain, lean] = [new Y.Doc(), new Y.Doc()]
      for (const doc of [plain, lean]) Y.applyUpdate(doc, base)
      const vector = Y.encodeStateVector(plain)
      trim(lean)
      const same = (when: string): void => {
        const label = `SEED=${seed} ${when}`
        expect(holds(lean), label).toEqual(holds(plain))
        // Trimmed again, as when unpacked: nothing is lost by what is lean already.
        const told = new Y.Doc()
        Y.applyUpdate(told, Y.encodeStateAsUpdate(lean))
        expect(holds(told), label).toEqual(holds(plain))
        expect(Y.encodeStateVector(lean), label).toEqual(Y.encodeStateVector(plain))
        // A client with the first state merges with the rest.
        const late = new Y.Doc()
        Y.applyUpdate(late, base)
        Y.applyUpdate(late, Y.encodeStateAsUpdate(lean, vector))
        expect(holds(late), label).toEqual(holds(plain))
        expect(lean.store.pendingStructs, label).toBe(null)
      }
      same('at first')
      const later = people(random, 3, base)
      for (let i = 0; i < 40; i++) {
        const update = later.write()
        for (const doc of [plain, lean]) Y.applyUpdate(doc, update)
        if (i % 10 === 3) trim(lean, true)
        if (i % 8 === 0) same(`after ${i + 1} updates`)
      }
      for (const doc of later.docs) for (const to of [plain, lean]) Y.applyUpdate(to, Y.encodeStateAsUpdate(doc))
      same('at the end')
      expect(Y.encodeStateAsUpdate(lean).length, `SEED=${seed}`).toBeLessThanOrEqual(Y.encodeStateAsUpdate(plain).length * 1.05)
    }
  })

  it('keeps no ids, links and contents that it can tell, of what was replaced either, after being told to somebody', () => {
    const [doc, writer] = [new Y.Doc(), new Y.Doc()]
    for (let round = 0; round < 3; round++) {
      writer.clientID = 4_000_000_000 + round
      for (const key of fields) {
        writer.getMap('data').set(key, [round, key])
        writer.getMap('text').set(key, new Y.Text(`${key}${round}`))
      }
      Y.applyUpdate(doc, Y.encodeStateAsUpdate(writer, Y.encodeStateVector(doc)))
      trim(doc, round > 0)
      Y.encodeStateAsUpdate(doc)
    }
    const items = [...doc.store.clients.values()].flat().filter(struct => struct instanceof Y.Item)
    expect(items.length).toBeGreaterThan(30)
    for (const item of items)
      for (const told of ['id', 'content', 'origin', 'rightOrigin', 'redone']) expect(Object.hasOwn(item, told)).toBe(false)
    expect(holds(doc)).toEqual(holds(writer))
  })

  it('refuses attributes of a text, which no part of the product gives', () => {
    const doc = new Y.Doc()
    doc.getMap('text').set('a', new Y.Text('x'))
    trim(doc)
    const other = new Y.Doc()
    Y.applyUpdate(other, Y.encodeStateAsUpdate(doc))
    const text = other.getMap('text').get('a')
    if (!(text instanceof Y.Text)) throw new Error('no text')
    text.setAttribute('colour', 'red')
    expect(() => Y.applyUpdate(doc, Y.encodeStateAsUpdate(other))).toThrow(TypeError)
  })
})
