// Proposals: what a fork differs in, taken in part by part while others edit.
import { env } from 'node:process'
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { facetsOf, loadFile, modelOf, readModel } from '../../model-schema/document.ts'
import { connect, createUndo, isRefusal, place, remove, rename, setField, setText, together } from '../../model-schema/edit.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Id, Model } from '../../model-schema/model.ts'
import {
  PROPOSAL,
  accept,
  deltasBetween,
  deltasOf,
  forkDocument,
  idsIn,
  isOutdated,
  mergeTexts,
  offer,
  proposalOf,
  proposalsOf,
  reject,
  renew,
  standingsOf,
  type Proposal,
  withdraw,
} from '../../model-schema/proposals.ts'
import { agents, boundary, compute, delay, end, model, process, start, variable, type Built } from '../help/models.ts'
import { randomEdit } from '../help/operations.ts'
import { seeds } from '../help/random.ts'
import { expectSound, plain } from '../help/soundness.ts'
import { english } from '../../model-schema/words.ts'

const built = (): Built =>
  model(
    variable('speed', 3, { public: true }),
    agents(
      'Wolf',
      variable('energy', 20),
      process('Hunt', start(), compute('energy -= 1', 'hunt'), delay(2, 'rest'), end(), boundary('rest', 'timer', {}, 'late')),
    ),
    process('Other', start(), end()),
  )

function open(client = 1): Y.Doc {
  const doc = new Y.Doc()
  loadFile(doc, built().file)
  doc.clientID = client
  return doc
}

const about = (id = 'p1'): Omit<Proposal, 'deltas'> => ({
  id,
  title: 'A change',
  why: '',
  by: { kind: 'guide', name: 'Guide' },
  at: 1,
  note: { problems: { before: 0, after: 0 }, run: null },
})

function suggested(doc: Y.Doc, change: (branch: Y.Doc) => void): Proposal {
  const branch = forkDocument(doc)
  change(branch)
  const proposal = proposalOf(doc, branch, about())
  if (isRefusal(proposal)) throw new Error(english(proposal.words))
  return proposal
}

const named = (doc: Y.Doc, name: string): Id => {
  for (const [id, element] of modelOf(doc).elements) if (element.fields['name'] === name) return id
  throw new Error(`no ${name}`)
}
const made = (result: unknown): Id => {
  if (typeof result !== 'string') throw new Error(JSON.stringify(result))
  return result
}
const content = (doc: Y.Doc) => plain(readModel(doc))
const taking = (result: ReturnType<typeof accept>) => {
  if (isRefusal(result)) throw new Error(english(result.words))
  return result
}

describe('proposals', () => {
  it('hold what a fork differs in, and nothing of it is in the document until it is taken', () => {
    const doc = open()
    const before = content(doc)
    const proposal = suggested(doc, branch => {
      made(place(branch, { kind: 'variable', parent: 'scenario1', at: [0, 0], values: { name: 'rate', initial: '2' }, id: 'rate' }))
      setField(branch, named(branch, 'speed'), 'initial', '5')
      remove(branch, [named(branch, 'Other')])
    })
    expect(content(doc)).toEqual(before)
    expect(proposal.deltas.map(({ sort }) => sort)).toEqual(expect.arrayContaining(['added', 'changed', 'removed']))
    expect(proposal.deltas.filter(({ sort }) => sort === 'removed')).toHaveLength(4)
  })

  it('forks share what is known of the document and differ in what was touched since: equal to reading and comparing the whole', () => {
    seeds(80, random => {
      const doc = open()
      for (let i = random.below(20); i > 0; i--) randomEdit(doc, random)
      if (random.chance(0.3)) doc.getMap('data').set('stranger/field', 1)
      const branch = forkDocument(doc)
      expect([...modelOf(branch).elements.values()].every(one => modelOf(doc).elements.get(one.id) === one)).toBe(true)
      const [there, here] = [createUndo(doc), createUndo(branch)]
      for (let i = 0; i < 12; i++) {
        const one = random.chance(0.7) ? branch : doc
        const sort = random.below(10)
        if (sort < 2) (one === doc ? there : here).undo()
        else if (sort < 4) together(one, () => [1, 2, 3].forEach(() => randomEdit(one, random)))
        else randomEdit(one, random)
        expect(plain(modelOf(branch))).toEqual(plain(readModel(branch)))
        expect(plain(modelOf(doc))).toEqual(plain(readModel(doc)))
        expect(deltasOf(doc, branch)).toEqual(deltasBetween(facetsOf(doc), facetsOf(branch)))
      }
      const again = forkDocument(branch)
      randomEdit(again, random)
      for (const other of [branch, doc]) expect(deltasOf(other, again)).toEqual(deltasBetween(facetsOf(other), facetsOf(again)))
      Y.applyUpdate(doc, Y.encodeStateAsUpdate(branch))
      expect(deltasOf(doc, branch)).toEqual(deltasBetween(facetsOf(doc), facetsOf(branch)))
    })
  })

  it('accepting: taking all of one gives the content of the fork, and one undo gives back the document, the proposal open again', () => {
    seeds(60, random => {
      const doc = open()
      for (let i = 0; i < 20; i++) randomEdit(doc, random)
      const branch = forkDocument(doc)
      for (let i = 0; i < 12; i++) randomEdit(branch, random)
      const proposal = proposalOf(doc, branch, about())
      if (isRefusal(proposal)) return
      expect(offer(doc, proposal)).toBeNull()
      const undo = createUndo(doc)
      const before = content(doc)
      const { taken, kept } = taking(
        accept(
          doc,
          proposal,
          proposal.deltas.map(({ id }) => id),
        ),
      )
      if (kept.length === 0) expect(content(doc).elements).toEqual(content(branch).elements)
      if (taken.length === 0) return
      const after = content(doc)
      undo.undo()
      expect(content(doc)).toEqual(before)
      for (const id of taken) expect(standingsOf(doc, proposal).get(id)?.is).not.toBe('taken')
      undo.redo()
      expect(content(doc)).toEqual(after)
    })
  })

  it('accepting: an element takes along what it needs and leaves the rest', () => {
    const doc = open()
    const process = named(doc, 'Other')
    const proposal = suggested(doc, branch => {
      made(place(branch, { kind: 'compute', parent: process, at: [0, 0], values: { name: 'a', program: 'speed = rate' }, id: 'a' }))
      made(place(branch, { kind: 'compute', parent: process, at: [200, 0], values: { name: 'b', program: 'speed = 1' }, id: 'b' }))
      made(connect(branch, { kind: 'flow', from: 'a', to: 'b', id: 'f' }))
      made(place(branch, { kind: 'variable', parent: 'scenario1', at: [0, 0], values: { name: 'rate' }, id: 'rate' }))
      made(place(branch, { kind: 'variable', parent: 'scenario1', at: [0, 0], values: { name: 'other' }, id: 'other' }))
    })
    const { taken, along } = taking(accept(doc, proposal, ['f']))
    expect([taken, along.toSorted()]).toEqual([['f'], ['a', 'b', 'rate']])
    expect(modelOf(doc).elements.has('other')).toBe(false)
  })

  it('accepting: what somebody changed meanwhile stays, texts merge where they are of different places, and both are said', () => {
    const doc = open()
    const hunt = named(doc, 'hunt')
    const speed = named(doc, 'speed')
    setText(doc, hunt, 'program', 'energy -= 1\nspeed = 2')
    const proposal = suggested(doc, branch => {
      setText(branch, hunt, 'program', 'energy -= 3\nspeed = 2')
      setField(branch, speed, 'initial', '7')
    })
    setText(doc, hunt, 'program', 'energy -= 1\nspeed = 9')
    setField(doc, speed, 'initial', '4')
    expect(standingsOf(doc, proposal).get(speed)?.is).toBe('blocked')
    const { taken, kept } = taking(accept(doc, proposal, [hunt, speed]))
    expect([taken, kept.map(({ id }) => id)]).toEqual([[hunt], [speed]])
    expect(modelOf(doc).elements.get(hunt)?.fields['program']).toBe('energy -= 3\nspeed = 9')
    expect(modelOf(doc).elements.get(speed)?.fields['initial']).toBe('4')
  })

  it('accepting: nothing is removed that somebody has come to use, or to change', () => {
    const doc = open()
    const other = named(doc, 'Other')
    const proposal = suggested(doc, branch => void remove(branch, [other]))
    made(place(doc, { kind: 'compute', parent: other, at: [0, 0] }))
    const { taken } = taking(accept(doc, proposal, [other]))
    expect(taken).toEqual([])
    expect(modelOf(doc).elements.has(other)).toBe(true)
  })

  it('accepting: a new name takes along the formulas that say it', () => {
    const doc = open()
    const energy = named(doc, 'energy')
    const hunt = named(doc, 'hunt')
    const proposal = suggested(doc, branch => {
      rename(branch, energy, 'strength')
      setText(branch, hunt, 'program', 'strength -= 1')
    })
    expect(taking(accept(doc, proposal, [energy])).along).toEqual([hunt])
  })

  it('are the same for two people: what one takes is taken for the other, and each may take it only once', () => {
    const [ana, mei] = [open(1), new Y.Doc()]
    const sync = () => {
      Y.applyUpdate(mei, Y.encodeStateAsUpdate(ana))
      Y.applyUpdate(ana, Y.encodeStateAsUpdate(mei))
    }
    const speed = named(ana, 'speed')
    const proposal = suggested(ana, branch => {
      setField(branch, speed, 'initial', '8')
      made(place(branch, { kind: 'variable', parent: 'scenario1', at: [0, 0], id: 'v' }))
    })
    offer(ana, proposal)
    sync()
    const [seen] = proposalsOf(mei)
    expect(seen).toEqual(proposal)
    accept(mei, seen!, ['v'])
    reject(ana, proposal, [speed])
    sync()
    for (const doc of [ana, mei])
      expect([...standingsOf(doc, proposal)].map(([id, { is }]) => [id, is])).toEqual([
        ['v', 'taken'],
        [speed, 'rejected'],
      ])
    expect(taking(accept(ana, proposal, ['v'])).taken).toEqual([])
    withdraw(ana, 'p1')
    sync()
    expect([proposalsOf(mei), modelOf(mei).elements.has('v')]).toEqual([[], true])
  })

  it('converge and leave nothing dangling, whoever accepts what, when, between whatever edits', { timeout: 300_000 }, () => {
    seeds(Number(env['PROPOSAL_SEEDS'] ?? 500), random => {
      const [ana, mei] = [open(1), new Y.Doc()]
      mei.clientID = 2
      const sync = () => {
        Y.applyUpdate(mei, Y.encodeStateAsUpdate(ana))
        Y.applyUpdate(ana, Y.encodeStateAsUpdate(mei))
      }
      for (let i = 0; i < 10; i++) randomEdit(ana, random)
      sync()
      const branch = forkDocument(ana)
      for (let i = 0; i < 10; i++) randomEdit(branch, random)
      const proposal = proposalOf(ana, branch, about())
      if (isRefusal(proposal)) return
      offer(ana, proposal)
      const rest = random.shuffle(proposal.deltas.map(({ id }) => id))
      while (rest.length > 0) {
        for (let i = random.below(3); i > 0; i--) randomEdit(random.chance(0.5) ? ana : mei, random)
        if (random.chance(0.7)) sync()
        const doc = random.chance(0.5) ? ana : mei
        const before = dangling(modelOf(doc))
        const result = accept(doc, proposalsOf(doc)[0] ?? proposal, rest.splice(0, 1 + random.below(4)))
        if (isRefusal(result)) throw new Error(english(result.words))
        expect(dangling(readModel(doc)).filter(one => !before.includes(one))).toEqual([])
      }
      sync()
      expect(facetsOf(ana)).toEqual(facetsOf(mei))
      expect(content(ana)).toEqual(content(mei))
      expectSound(modelOf(ana))
    })
  })

  it('texts merge like two typists: both changes are there, or nothing is merged', () => {
    expect(mergeTexts('a b c', 'x b c', 'a b y')).toBe('x b y')
    expect(mergeTexts('a b c', 'x b c', 'y b c')).toBeNull()
    expect(mergeTexts('abc', 'abc', undefined)).toBeNull()
  })

  it('refuses what is no proposal, too large a one, and more than may stand', () => {
    const doc = open()
    const proposal = suggested(doc, branch => void setField(branch, named(branch, 'speed'), 'initial', '8'))
    const map = doc.getMap('proposals')
    for (const bad of [
      1,
      null,
      'x',
      {},
      { ...proposal, deltas: [{ id: '__proto__', sort: 'added', entries: [] }] },
      { ...proposal, deltas: [{ id: 'a', sort: 'changed', entries: [{ at: 'meta/x', after: 1 }] }] },
      { ...proposal, by: { kind: 'god', name: '' } },
    ])
      map.set('p1', bad as never)
    expect(proposalsOf(doc)).toEqual([])
    const same = proposalOf(doc, forkDocument(doc), about())
    expect(isRefusal(same)).toBe(true)
    const large = forkDocument(doc)
    setField(large, named(large, 'speed'), 'initial', 'x'.repeat(99_000))
    for (let i = 0; i < 4; i++)
      setText(large, made(place(large, { kind: 'variable', parent: 'scenario1', at: [0, 0] })), 'initial', 'y'.repeat(90_000))
    expect(isRefusal(proposalOf(doc, large, about()))).toBe(true)
    for (let i = 0; i < PROPOSAL.open; i++) expect(offer(doc, { ...proposal, id: `q${i}` })).toBeNull()
    expect(isRefusal(offer(doc, { ...proposal, id: 'one-more' }))).toBe(true)
  })

  it('is outdated after thirty days, makes room for others then, and may be let stand again with its verdicts', () => {
    const doc = open()
    const proposal = suggested(doc, branch => void setField(branch, named(branch, 'speed'), 'initial', '8'))
    const later = proposal.at + PROPOSAL.days * 86_400_000
    expect([isOutdated(proposal, later), isOutdated(proposal, later + 1)]).toEqual([false, true])
    for (let i = 0; i < PROPOSAL.open; i++) offer(doc, { ...proposal, id: `q${i}`, at: proposal.at + i })
    const [first, second] = proposalsOf(doc)
    reject(doc, second!, [second!.deltas[0]!.id])
    // At that time only the first is too old: it goes, no other.
    expect(offer(doc, { ...proposal, id: 'one-more', at: later + 1 })).toBeNull()
    expect(proposalsOf(doc).some(({ id }) => id === first!.id)).toBe(false)
    expect(isRefusal(offer(doc, { ...proposal, id: 'another', at: later + 1 }))).toBe(true)
    renew(doc, second!, later + 9)
    const renewed = proposalsOf(doc).find(({ id }) => id === second!.id)!
    expect(isOutdated(renewed, later + 10)).toBe(false)
    expect([...standingsOf(doc, renewed).values()]).toEqual([{ is: 'rejected' }])
  })

  it('is no part of the file, and differs in nothing where nothing differs', () => {
    const doc = open()
    const facets = facetsOf(doc)
    offer(
      doc,
      suggested(doc, branch => void setField(branch, named(branch, 'speed'), 'initial', '8')),
    )
    expect(facetsOf(doc)).toEqual(facets)
    expect(deltasBetween(facets, facetsOf(forkDocument(doc)))).toEqual([])
  })
})

describe('an open transaction', () => {
  it('is followed edit by edit: several edits read and write what the ones before them did, and watchers are told once', () => {
    seeds(60, random => {
      const doc = open()
      const model = modelOf(doc)
      for (let i = 0; i < 5; i++)
        together(doc, () => {
          for (let n = 0; n < 6; n++) {
            randomEdit(doc, random)
            expect(plain(modelOf(doc))).toEqual(content(doc))
          }
        })
      expect(plain(modelOf(doc))).toEqual(content(doc))
      expect(modelOf(doc)).not.toBe(model)
    })
  })

  it('does not read the whole document again for each of its edits', () => {
    const doc = open()
    for (let i = 0; i < 300; i++) place(doc, { kind: 'variable', parent: 'scenario1', at: [0, 0], id: `v${i}` })
    modelOf(doc)
    let reads = 0
    const text = doc.getMap('text')
    const forEach = text.forEach.bind(text)
    text.forEach = told => {
      reads++
      forEach(told)
    }
    together(doc, () => {
      for (let i = 0; i < 10; i++) expect(setField(doc, `v${i}`, 'initial', String(i))).toBeNull()
    })
    expect(reads).toBe(0)
    expect(modelOf(doc).elements.get('v9')?.fields['initial']).toBe('9')
  })
})

/** Every reference that leads nowhere, and every structural note. */
function dangling(model: Model): string[] {
  const found = model.notes
    .filter(({ kind }) => kind === 'dangling-end' || kind === 'orphan' || kind === 'cycle')
    .map(({ kind, id, field }) => `${kind} ${id} ${field ?? ''}`)
  for (const [id, element] of model.elements)
    for (const field of kindOf(element.kind)?.fields ?? [])
      for (const target of idsIn(field, element.fields[field.id]))
        if (!model.elements.has(target)) found.push(`${id}.${field.id} -> ${target}`)
  return found
}
