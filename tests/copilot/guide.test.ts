// The guide's answers: exact, offline, resting on elements that are there.
import { chinese } from '../help/languages.ts'
import { loadChain } from '../../sim-engine/chain.ts'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { answer, repairOf } from '../../sim-engine/copilot/guide.ts'
import { suggestions, understood, type Question } from '../../sim-engine/copilot/questions.ts'
import { Branch, spotOf } from '../../sim-engine/copilot/branch.ts'
import { patterns } from '../../sim-engine/copilot/patterns.ts'
import { figuresOf, replications, ringOf, trial } from '../../sim-engine/copilot/trials.ts'
import { loadFile, modelOf, newDocument } from '../../model-schema/document.ts'
import { remove, setField, setText } from '../../model-schema/edit.ts'
import { parseFile } from '../../model-schema/file.ts'
import { accept, offer, proposalsOf, titleOf } from '../../model-schema/proposals.ts'
import { samples } from '../../model-schema/samples.ts'
import { check } from '../../sim-engine/check.ts'
import { end, every, model, process, release, request, delay, resource, scenario, start, variable } from '../help/models.ts'
import { english, say } from '../../model-schema/words.ts'

await loadChain()

function sample(id: string): Y.Doc {
  const parsed = parseFile(readFileSync(new URL(`../../model-schema/samples/${id}.holo`, import.meta.url), 'utf8'))
  if (!('file' in parsed)) throw new Error(id)
  const doc = new Y.Doc()
  loadFile(doc, parsed.file)
  return doc
}
const idOf = (doc: Y.Doc, name: string): string => [...modelOf(doc).elements.values()].find(one => one.fields['name'] === name)!.id
const text = (doc: Y.Doc, ask: Question): string =>
  answer(doc, ask, 0)
    .lines.map(({ words }) => english(words))
    .join('\n')

describe('the guide understands', () => {
  it('questions in both languages, and says so when it does not', () => {
    const doc = sample('clinic')
    const of = (said: string) => understood(said, modelOf(doc), ['Nurses'])
    expect(of('What is wrong?')).toEqual({ about: 'wrong' })
    expect(of('哪里有问题？')).toEqual({ about: 'wrong' })
    expect(of('please fix it')).toEqual({ about: 'fix' })
    expect(of('Explain Treatment')).toEqual({ about: 'explain', id: idOf(doc, 'Treatment') })
    expect(of('解释这个')).toEqual({ about: 'explain', id: 'Nurses' })
    expect(of('Why does the run stand still?')).toEqual({ about: 'run' })
    expect(of('What if Staff is 3?')).toEqual({ about: 'what-if', name: 'Staff', value: 3 })
    expect(of('如果 Staff 为 3')).toEqual({ about: 'what-if', name: 'Staff', value: 3 })
    expect(of('Make a queue with 3 servers')).toEqual({ about: 'make', pattern: 'queue', numbers: [3] })
    expect(of('how do I use a gateway')).toMatchObject({ about: 'how' })
    expect(of('zzzz qqqq')).toEqual({ about: 'how', query: 'zzzz qqqq' })
  })
})

describe('the guide answers', () => {
  it('with proposals that have a title in both languages, also once they stand in a document', () => {
    const doc = sample('clinic')
    const { proposal } = answer(doc, { about: 'make', pattern: 'queue', numbers: [3] }, 0)
    expect(proposal && titleOf(proposal)).toEqual(say('A queue'))
    if (proposal) offer(doc, proposal)
    expect(proposalsOf(doc).map(titleOf)).toEqual([say('A queue')])
  })

  it('every suggested question about every sample, in both languages, citing only elements that are there', { timeout: 300_000 }, () => {
    for (const { id } of samples.filter((_, i) => i % 4 === 0)) {
      const doc = sample(id)
      for (const { ask } of suggestions(modelOf(doc)).filter(({ ask }) => ask.about !== 'replicate' && ask.about !== 'run')) {
        const { lines } = answer(doc, ask, 0)
        expect(lines.length, `${id} ${ask.about}`).toBeGreaterThan(0)
        for (const { words, cites } of lines) {
          expect(english(words).trim() && chinese(words).trim(), `${id} ${ask.about}`).not.toBe('')
          expect(english(words)).not.toMatch(/undefined|\[object|NaN/)
          expect(cites.filter(one => !modelOf(doc).elements.has(one))).toEqual([])
        }
      }
    }
  })

  it('explains a process step by step in the order of its course', () => {
    const doc = sample('clinic')
    const told = text(doc, { about: 'explain', id: idOf(doc, 'Visit') })
    expect(told.indexOf('1. ')).toBeGreaterThan(0)
    expect(told.indexOf('Treatment')).toBeGreaterThan(told.indexOf('1. '))
  })

  it('proposes repairs, and does not touch the document', () => {
    const doc = sample('clinic')
    remove(doc, [[...modelOf(doc).elements.values()].find(({ kind }) => kind === 'flow')!.id])
    const before = modelOf(doc)
    const { proposal } = answer(doc, { about: 'fix' }, 5)
    expect(modelOf(doc)).toBe(before)
    expect(proposal?.note.problems.before).toBeGreaterThan(0)
    expect(proposal?.note.problems.after).toBe(0)
    expect(proposal?.note.run?.end).toBe('success')
    accept(
      doc,
      proposal!,
      proposal!.deltas.map(({ id }) => id),
    )
    expect(check(modelOf(doc), modelOf(doc).scenarios[0]!).problems).toEqual([])
  })

  it('mends one problem when asked for that one', () => {
    const doc = sample('clinic')
    setText(doc, idOf(doc, 'Treatment'), 'duration', 'exponentil(1)')
    const [problem] = new Branch(doc).problems()
    const proposal = repairOf(doc, spotOf(problem!), 0)
    accept(
      doc,
      proposal!,
      proposal!.deltas.map(({ id }) => id),
    )
    expect(modelOf(doc).elements.get(idOf(doc, 'Treatment'))?.fields['duration']).toBe('exponential(1)')
  })

  it('asks where several repairs are as good as each other', () => {
    const built = model(variable('alpha'), variable('alphb'), process('P', start(), delay('alphx', 'wait'), end()))
    const doc = new Y.Doc()
    loadFile(doc, built.file)
    const { proposal, next } = answer(doc, { about: 'fix' }, 0)
    expect(proposal).toBeNull()
    expect(next).toHaveLength(2)
    expect(answer(doc, next[0]!.ask, 0).proposal?.deltas).toHaveLength(1)
  })

  it('names the ring of a deadlock', () => {
    const built = model(
      scenario({ totalTicks: 50 }),
      resource('Dock', 1),
      resource('Forklift', 1),
      process(
        'Truck',
        start(every(100, { first: '0' })),
        request('Dock'),
        delay(1),
        request('Forklift'),
        delay(1),
        release('Forklift'),
        release('Dock'),
        end(),
      ),
      process(
        'Loader',
        start(every(100, { first: '0' })),
        request('Forklift'),
        delay(1),
        request('Dock'),
        delay(1),
        release('Dock'),
        release('Forklift'),
        end(),
      ),
    )
    const doc = new Y.Doc()
    loadFile(doc, built.file)
    const told = text(doc, { about: 'run' })
    expect(told).toContain('This is a deadlock')
    expect(told).toMatch(/"Dock".*"Forklift"|"Forklift".*"Dock"/)
    expect(
      ringOf(
        new Map([
          ['a', { wants: ['x'], holds: ['y'] }],
          ['b', { wants: ['z'], holds: ['x'] }],
        ]),
      ),
    ).toBeNull()
  })

  it('what another value changes: the same seeds with and without, with intervals; the same answer each time', () => {
    const doc = sample('clinic')
    setField(doc, modelOf(doc).scenarios[0]!, 'totalTicks', 400)
    setField(doc, modelOf(doc).scenarios[0]!, 'warmUp', 0)
    const told = text(doc, { about: 'what-if', name: 'Staff', value: 6 })
    expect(told).toMatch(/Nurses\.meanWait: .*→.*a real difference/)
    expect(text(doc, { about: 'what-if', name: 'Staff', value: 6 })).toBe(told)
    expect(text(doc, { about: 'what-if', name: 'Nobody', value: 6 })).toContain('no variable')
  })

  it('builds each pattern so that it checks clean and runs', () => {
    for (const { id } of patterns) {
      const doc = newDocument('Empty')
      const { proposal } = answer(doc, { about: 'make', pattern: id, numbers: [] }, 0)
      expect(proposal?.note, id).toMatchObject({ problems: { after: 0 }, run: { end: expect.stringMatching(/success|limited/) } })
      accept(
        doc,
        proposal!,
        proposal!.deltas.map(one => one.id),
      )
      const scenario = modelOf(doc).scenarios[0]!
      expect(check(modelOf(doc), scenario).problems, id).toEqual([])
    }
  })

  it('a queue made from the pattern waits as the theory of M/M/2 says', () => {
    const doc = newDocument('Empty')
    const { proposal } = answer(doc, { about: 'make', pattern: 'queue', numbers: [2, 1, 1.2] }, 0)
    accept(
      doc,
      proposal!,
      proposal!.deltas.map(one => one.id),
    )
    const waits = replications(new Branch(doc), 8, { ticks: 4000 })!.get('mean_wait')!
    const mean = waits.reduce((sum, one) => sum + one, 0) / waits.length
    // Erlang C with two servers, arrivals 1, services of 1.2: Wq = rho^2 / (1 - rho^2) * 1.2, rho = 0.6.
    const expected = (0.36 / 0.64) * 1.2
    const error = Math.sqrt(waits.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (waits.length - 1) / waits.length)
    expect(Math.abs(mean - expected)).toBeLessThan(4 * error)
  })

  it('finds what the reference says, and nothing for words it has not', () => {
    expect(text(newDocument(), { about: 'how', query: 'exponential distribution' })).toContain('exponential')
    expect(text(newDocument(), { about: 'how', query: 'zzzzqqq' })).toContain('I can say')
  })

  it('runs no model that the checker refuses', () => {
    const doc = sample('clinic')
    setText(doc, idOf(doc, 'Treatment'), 'duration', '1 +')
    expect(trial(new Branch(doc))).toBeNull()
    expect(text(doc, { about: 'run' })).toContain('errors')
    expect(figuresOf(trial(new Branch(sample('clinic')), { ticks: 50 })!).size).toBeGreaterThan(0)
  })
})
