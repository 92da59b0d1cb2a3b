// The guide's answers: exact, offline, resting on elements that are there.
import { chinese } from '../help/languages.ts'
import { loadChain } from '../../sim-engine/chain.ts'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { answer, repairOf } from '../../sim-engine/copilot/guide.ts'
import { suggestions, understood, type Compared, type Question } from '../../sim-engine/copilot/questions.ts'
import { Branch, spotOf } from '../../sim-engine/copilot/branch.ts'
import { patterns } from '../../sim-engine/copilot/patterns.ts'
import { callsOf } from '../../sim-engine/copilot/patterns/build.ts'
import { comparedFor } from '../../client/copilot/compared.ts'
import type { Version } from '../../client/history/versions.ts'
import { figuresOf, replications, ringOf, trial } from '../../sim-engine/copilot/trials.ts'
import { fileOf, loadFile, modelOf, newDocument } from '../../model-schema/document.ts'
import { duplicateScenario, move, remove, setField, setText } from '../../model-schema/edit.ts'
import { parseFile } from '../../model-schema/file.ts'
import { accept, offer, proposalsOf, titleOf } from '../../model-schema/proposals.ts'
import { samples } from '../../model-schema/samples.ts'
import { check } from '../../sim-engine/check.ts'
import {
  compute,
  delay,
  end,
  every,
  exclusive,
  from,
  model,
  otherwise,
  process,
  release,
  request,
  resource,
  scenario,
  start,
  statistic,
  variable,
  when,
} from '../help/models.ts'
import { english, say, verbatim } from '../../model-schema/words.ts'

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
    expect(of('Why did Treatment happen at 12.5?')).toEqual({ about: 'why', id: idOf(doc, 'Treatment'), moment: { time: 12.5 } })
    expect(of('为什么 Treatment 在时刻 12')).toEqual({ about: 'why', id: idOf(doc, 'Treatment'), moment: { time: 12 } })
    const standing = { seed: 4, time: 30, scenario: 'x', inputs: {} }
    expect(understood('why did this happen?', modelOf(doc), ['Nurses'], standing)).toEqual({ about: 'why', id: 'Nurses', moment: standing })
    expect(of('What if Staff is 3?')).toEqual({ about: 'what-if', name: 'Staff', value: 3 })
    expect(of('如果 Staff 为 3')).toEqual({ about: 'what-if', name: 'Staff', value: 3 })
    expect(of('Make a queue with 3 servers')).toEqual({ about: 'make', pattern: 'queue', numbers: [3] })
    expect(of('make a production line with machines')).toMatchObject({ about: 'make', pattern: 'line' })
    expect(of('建一个呼叫中心')).toMatchObject({ about: 'make', pattern: 'calls' })
    for (const said of [
      'What changed?',
      'what has changed since “Draft”',
      'compare version A and version B',
      '什么变了？',
      '和昨天有什么不同',
    ])
      expect(of(said), said).toEqual({ about: 'changes', said })
    expect(of('how do I use a gateway')).toMatchObject({ about: 'how' })
    expect(of('zzzz qqqq')).toEqual({ about: 'how', query: 'zzzz qqqq' })
  })
})

describe('the guide says what changed', () => {
  const version = (id: string, doc: Y.Doc) => ({ id, name: verbatim(`“${id}”`), file: fileOf(doc) })
  const asked = (doc: Y.Doc, before: Y.Doc, more: Partial<Compared> = {}) =>
    answer(doc, { about: 'changes' }, 0, english, { before: version('Draft', before), after: null, others: [], reached: true, ...more })

  it('between a version and now, in sentences that cite what changed, the same each time, in both languages', () => {
    const [before, doc] = [sample('clinic'), sample('clinic')]
    setText(doc, idOf(doc, 'Treatment'), 'duration', 'exponential(9)')
    setField(doc, modelOf(doc).scenarios[0]!, 'timing', 'calendar')
    move(doc, [{ id: idOf(doc, 'Nurses'), geo: [900, 900, 120, 72] }])
    const branch = new Branch(doc)
    branch.edit(
      callsOf(
        patterns.find(({ id }) => id === 'machine')!,
        branch.model.scenarios[0]!,
        [],
      ),
    )
    remove(branch.doc, [idOf(branch.doc, 'Visit')])
    const { lines, next } = asked(branch.doc, before)
    const told = lines.map(({ words }) => english(words))
    expect(told[0]).toMatch(/^From “Draft” to now: \d+ added, \d+ removed, \d+ changed\.$/)
    expect(told).toContainEqual(expect.stringMatching(/^Scenario “.*”: Timing: By tick → By calendar\.$/))
    expect(told).toContainEqual(expect.stringMatching(/“Machine” is new in “.*”, with \d+ elements inside\.$/))
    expect(told).toContainEqual(expect.stringMatching(/“Visit” is gone from “.*”, with \d+ elements inside\.$/))
    expect(told.at(-1)).toBe('1 element only stands elsewhere on its canvas.')
    expect(lines.at(-1)!.cites).toEqual([idOf(doc, 'Nurses')])
    for (const { cites } of lines) expect(cites.filter(id => !modelOf(branch.doc).elements.has(id))).toEqual([])
    for (const { words } of lines) expect(chinese(words)).toMatch(/\p{Script=Han}/u)
    expect(asked(branch.doc, before).lines).toEqual(lines)
    expect(next[0]!.ask).toEqual({ about: 'changes', before: 'Draft', runs: true })
  })

  it('old and new values by what people call them', () => {
    const [before, doc] = [sample('clinic'), sample('clinic')]
    setText(doc, idOf(doc, 'Treatment'), 'duration', 'exponential(9)')
    const [, line] = asked(doc, before).lines
    expect(english(line!.words)).toMatch(/“Treatment”: Duration: .+ → exponential\(9\)\.$/)
    expect(line!.cites).toEqual([idOf(doc, 'Treatment')])
    expect(asked(doc, before, { others: [{ id: 'Older', name: verbatim('“Older”') }] }).next.at(-1)!.ask).toEqual({
      about: 'changes',
      before: 'Older',
    })
  })

  it('between two versions, in their runs, and when there is nothing to compare', () => {
    const [one, two] = [sample('clinic'), sample('clinic')]
    setField(one, modelOf(one).scenarios[0]!, 'totalTicks', 300)
    setField(two, modelOf(two).scenarios[0]!, 'totalTicks', 300)
    for (const doc of [one, two]) setField(doc, modelOf(doc).scenarios[0]!, 'warmUp', 0)
    setText(two, idOf(two, 'Treatment'), 'duration', '1')
    const compared: Compared = { before: version('A', one), after: version('B', two), others: [], reached: true }
    const ask = (more: object, given: Compared | null = compared) =>
      answer(newDocument(), { about: 'changes', ...more }, 0, english, given).lines.map(({ words }) => english(words))
    expect(ask({})[0]).toBe('From “A” to “B”: 0 added, 0 removed, 1 changed.')
    expect(ask({ runs: true }).join('\n')).toMatch(/“A” and “B”[^]*meanWait: .*→/)
    expect(ask({}, { ...compared, after: version('C', one) })).toEqual(['Nothing differs between “A” and “C”.'])
    expect(ask({}, null)[0]).toContain('no earlier version')
    expect(ask({}, { before: null, after: null, others: [], reached: false })[0]).toContain('cannot be reached')
  })

  it('with long and hostile texts cut and shown', () => {
    const [before, doc] = [sample('clinic'), sample('clinic')]
    setField(doc, idOf(doc, 'Treatment'), 'name', `\u202e${'x'.repeat(100)}`)
    const branch = new Branch(doc)
    for (let i = 0; i < 60; i++)
      branch.edit([{ do: 'place', kind: 'variable', parent: branch.model.scenarios[0]!, values: { name: `v${i}` } }])
    const { lines } = asked(branch.doc, before)
    expect(lines.length).toBeLessThan(30)
    expect(JSON.stringify(lines.map(({ words }) => english(words)))).not.toContain('\u202e')
    expect(english(lines.at(-1)!.words)).toMatch(/And \d+ more/)
  })
})

describe('the page finds the versions that are meant', () => {
  const kept = (id: string, name: string | null, at: string): Version => ({
    id,
    where: 'device',
    kind: 'named',
    name,
    remark: '',
    people: [],
    origin: null,
    at,
  })
  const files = new Map(
    [
      ['a', sample('clinic')],
      ['b', sample('inventory')],
      ['c', sample('clinic')],
    ].map(([id, doc]) => [id as string, fileOf(doc as Y.Doc)]),
  )
  const all = [kept('c', 'Newest', '2026-03-01'), kept('b', 'Second try', '2026-02-01'), kept('a', 'Draft', '2026-01-01')]
  const shelf = (server: 'told' | 'unreachable', versions = all) => ({
    list: async () => ({ versions, server }),
    content: async ({ id }: Version) => files.get(id)!,
    now: () => files.get('c')!,
  })
  const ids = async (question: object, given = shelf('told')) => {
    const { before, after, reached } = await comparedFor(given, { about: 'changes', ...question }, 'en-US')
    return [before?.id ?? null, after?.id ?? null, reached]
  }

  it('by name, by id, or the last that differs from what is there now', async () => {
    expect(await ids({})).toEqual(['b', null, true])
    expect(await ids({ said: 'What changed since draft?' })).toEqual(['a', null, true])
    expect(await ids({ said: 'What changed between Draft and Second try?' })).toEqual(['a', 'b', true])
    expect(await ids({ said: 'What changed between Second try and Draft?' })).toEqual(['a', 'b', true])
    expect(await ids({ before: 'a', after: 'c' })).toEqual(['a', 'c', true])
    expect(await ids({ before: 'gone' })).toEqual([null, null, true])
    expect(await ids({}, shelf('unreachable', []))).toEqual([null, null, false])
    // What was just accepted is what is asked about, nothing to compare with.
    const origin = { proposal: 'proposal-1', by: { kind: 'guide', name: 'Guide' }, title: say('A queue') } as const
    const [, second, draft] = all
    expect(await ids({}, shelf('told', [{ ...second!, origin }, draft!]))).toEqual(['a', null, true])
    expect(await ids({}, shelf('told', [{ ...second!, origin }]))).toEqual([null, null, true])
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
      for (const { ask } of suggestions(modelOf(doc)).filter(({ ask }) => !['replicate', 'run', 'matters'].includes(ask.about))) {
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

  const shop = () =>
    model(
      scenario({ totalTicks: 40, seed: 5 }),
      variable('stock', 10),
      process(
        'Sale',
        start(every(2, { first: '1' })),
        exclusive('Enough?'),
        when('stock > 3'),
        compute('stock = stock - 3', 'Sell'),
        end(),
        from('Enough?'),
        otherwise(),
        compute('stock = stock + 9', 'Order'),
        end(),
      ),
    )

  it('what a formula reads and sets, and what the functions do that it calls, in the language that is asked in', () => {
    const built = model(
      variable('stock', 10),
      variable('mean_demand', 2),
      process('Sale', start(every(1)), compute('stock = stock - min(stock, exponential(mean_demand))', 'Sell'), end()),
    )
    const doc = new Y.Doc()
    loadFile(doc, built.file)
    const told = text(doc, { about: 'explain', id: idOf(doc, 'Sell') })
    expect(told).toContain('reads "stock", "mean_demand".')
    expect(told).toContain('sets "stock".')
    expect(told).toContain('exponential(): Exponential distribution with this mean.')
    const { lines } = answer(doc, { about: 'explain', id: idOf(doc, 'Sell') }, 0, chinese)
    expect(lines.map(({ words }) => chinese(words)).find(one => one.startsWith('exponential()'))).toMatch(/\p{Script=Han}/u)
    expect(lines.flatMap(({ cites }) => cites)).toContain(idOf(doc, 'mean_demand'))
  })

  it('why a variable has its value at a moment: who changed it last and on which way, the same each time', () => {
    const doc = new Y.Doc()
    loadFile(doc, shop().file)
    const { lines } = answer(doc, { about: 'why', id: idOf(doc, 'stock'), moment: { time: 8 } }, 0)
    const said = lines.map(({ words }) => english(words)).join('\n')
    // Sold at 1, 3 and 5; 1 is left, so at 7 is ordered.
    expect(said).toContain('"stock" is 10.')
    expect(said).toContain('It began as 10 and was changed 4 times')
    expect(said).toContain('At time 7, 1 → 10: world at "Order" of Sale')
    expect(said).toContain('At time 5, 4 → 1: world at "Sell" of Sale')
    expect(said).toMatch(/Its way there, with times: .*"Enough\?" \(7\).*"Order" \(7\)/)
    expect(lines.flatMap(({ cites }) => cites)).toContain(idOf(doc, 'Order'))
    expect(text(doc, { about: 'why', id: idOf(doc, 'stock'), moment: { time: 8 } })).toBe(said)
    expect(text(doc, { about: 'why', id: idOf(doc, 'stock'), moment: { time: 0.5 } })).toContain('Nothing has changed it')
    const ward = sample('clinic')
    const nurses = text(ward, { about: 'why', id: idOf(ward, 'Nurses'), moment: { time: 60 } })
    expect(nurses).toMatch(/At time [\d.]+, \d → \d: .* at ".*" of/)
    expect(nurses).toMatch(/Its way there, with times: ".*" \([\d.]+\)/)
  })

  it('why a gateway sent somebody where it did, with what its conditions said; why a step did not come', () => {
    const doc = new Y.Doc()
    loadFile(doc, shop().file)
    const gateway = text(doc, { about: 'why', id: idOf(doc, 'Enough?'), moment: { time: 8 } })
    expect(gateway).toContain('At "Enough?", world went on to "Order" at time 7. Its conditions said: stock > 3: false')
    expect(gateway).toContain('"Sell" 3 times, "Order" 1 times')
    const never = text(doc, { about: 'why', id: idOf(doc, 'Order'), moment: { time: 6 } })
    expect(never).toContain('it did not come to "Order" up to time')
    expect(never).toContain('It would come from "Enough?", where it was 3 times')
    expect(never).toContain('stock > 3: true')
    expect(text(doc, { about: 'why', id: idOf(doc, 'Order'), moment: { time: 6, seed: 77 } })).toContain('With seed 77')
  })

  it('answers why for everything that happens in every sample, in both languages, from elements that are there', () => {
    for (const { id } of samples) {
      const doc = sample(id)
      const { elements } = modelOf(doc)
      const asked = [...elements.values()].filter(one => ['variable', 'container', 'gateway', 'statistic', 'delay'].includes(one.kind))
      for (const element of asked.filter((_, i) => i % 7 === 0).slice(0, 3)) {
        const { lines } = answer(doc, { about: 'why', id: element.id, moment: { time: 3 } }, 0)
        expect(lines.length, `${id} ${element.kind}`).toBeGreaterThan(0)
        for (const { words, cites } of lines) {
          expect(chinese(words), english(words)).toMatch(/\p{Script=Han}/u)
          for (const one of cites) expect(elements.has(one), `${id} ${one}`).toBe(true)
        }
      }
    }
  })

  it('what two scenarios differ in, under the same seeds', () => {
    const built = model(
      scenario({ totalTicks: 20 }),
      variable('cost', 0),
      variable('rate', 1),
      statistic('Spent', 'cost'),
      process('Work', start(every(1)), compute('cost = cost + rate'), end()),
    )
    const doc = new Y.Doc()
    loadFile(doc, built.file)
    const [first = ''] = modelOf(doc).scenarios
    const second = duplicateScenario(doc, first, 'Dear')
    if (typeof second !== 'string') throw new Error('no scenario')
    const rate = [...modelOf(doc).elements.values()].find(one => one.parent === second && one.fields['name'] === 'rate')!
    setField(doc, rate.id, 'initial', '3')
    const next = suggestions(modelOf(doc)).find(({ ask }) => ask.about === 'scenarios')
    expect(next?.ask).toEqual({ about: 'scenarios', a: first, b: second })
    expect(understood('compare the scenarios', modelOf(doc), [])).toEqual(next?.ask)
    expect(understood('比较两个场景', modelOf(doc), [])).toEqual(next?.ask)
    expect(text(doc, next!.ask)).toMatch(/Spent: .* → .*, × 3; a real difference/)
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

  it('builds each pattern so that it checks clean and runs, in an empty model and beside another', () => {
    expect(patterns).toHaveLength(24)
    const full = sample('clinic')
    for (const { id, numbers } of patterns) {
      const doc = newDocument('Empty')
      const { proposal, lines } = answer(doc, { about: 'make', pattern: id, numbers: [] }, 0)
      expect(proposal?.note, id).toMatchObject({ problems: { after: 0 }, run: { end: expect.stringMatching(/success|limited/) } })
      for (const { words } of lines) expect(`${english(words)} ${chinese(words)}`).not.toMatch(/undefined|\[object|NaN/)
      accept(
        doc,
        proposal!,
        proposal!.deltas.map(one => one.id),
      )
      const scenario = modelOf(doc).scenarios[0]!
      expect(check(modelOf(doc), scenario).problems, id).toEqual([])
      // Numbers that make no sense are led to the nearest that do.
      for (const least of [numbers.map(() => -5), numbers.map(() => NaN), [0.00001, 1e300].slice(0, Math.min(1, numbers.length))]) {
        const branch = new Branch(newDocument())
        const done = branch.edit(
          callsOf(
            patterns.find(one => one.id === id)!,
            branch.model.scenarios[0]!,
            least,
          ),
        )
        expect('refused' in done ? english(done.refused) : done.problems.added, `${id} ${least.join()}`).toEqual([])
      }
    }
    const beside = answer(full, { about: 'make', pattern: 'machine', numbers: [20, 2] }, 0)
    expect(beside.proposal?.note.problems).toEqual({ before: 0, after: 0 })
    expect(beside.lines.map(({ words }) => english(words)).join(' ')).toContain('20')
  })

  it('steps of a pattern do not stand on each other', () => {
    for (const pattern of patterns) {
      const branch = new Branch(newDocument())
      branch.edit(callsOf(pattern, branch.model.scenarios[0]!, []))
      const boxes = [...branch.model.elements.values()].filter(one => !one.ends)
      for (const [i, a] of boxes.entries())
        for (const b of boxes.slice(i + 1)) {
          if (a.parent !== b.parent) continue
          const [[ax, ay, aw, ah], [bx, by, bw, bh]] = [a.geo, b.geo]
          expect(ax < bx + bw && bx < ax + aw && ay < by + bh && by < ay + ah, `${pattern.id}: ${a.kind} on ${b.kind}`).toBe(false)
        }
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
