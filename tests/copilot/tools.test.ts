// The tools on a document: each answers and refuses, arguments and answers are bounded, and the document itself never changes.
import { loadChain } from '../../sim-engine/chain.ts'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { loadFile, modelOf, newDocument } from '../../model-schema/document.ts'
import { place, setField, setText } from '../../model-schema/edit.ts'
import { parseFile } from '../../model-schema/file.ts'
import { kinds } from '../../model-schema/kinds.ts'
import { accept, contentOf, offer, proposalsOf, type Proposal } from '../../model-schema/proposals.ts'
import { samples } from '../../model-schema/samples.ts'
import { definitionsOf, TOOL, toolNames, tools, type ToolName } from '../../sim-engine/copilot/doors/tools.ts'
import { ToolSession } from '../../sim-engine/copilot/doors/copilot.ts'
import { chance } from '../help/random.ts'

await loadChain()

function sample(id: string): Y.Doc {
  const parsed = parseFile(readFileSync(new URL(`../../model-schema/samples/${id}.holo`, import.meta.url), 'utf8'))
  if (!('file' in parsed)) throw new Error(id)
  const doc = new Y.Doc()
  loadFile(doc, parsed.file)
  return doc
}

function sessionOn(doc: Y.Doc, options: { writes?: boolean; others?: Map<string, Y.Doc> } = {}) {
  const offered: Proposal[] = []
  const session = new ToolSession({
    doc,
    author: { kind: 'client', name: 'Test' },
    now: () => 7,
    writes: options.writes ?? true,
    offer: proposal => {
      offered.push(proposal)
      return null
    },
    ...(options.others ? { others: options.others } : {}),
  })
  return { session, offered }
}

type Told = { [key: string]: unknown }
function done(session: ToolSession, name: string, given: unknown = {}): Told {
  const answer = session.use(name, given)
  if (!answer.ok) throw new Error(`${name}: ${answer.why}`)
  return answer.value as Told
}
const refusal = (session: ToolSession, name: string, given: unknown = {}): string => {
  const answer = session.use(name, given)
  return answer.ok ? `answered: ${JSON.stringify(answer.value).slice(0, 200)}` : answer.why
}
const idOf = (doc: Y.Doc, name: string): string => [...modelOf(doc).elements.values()].find(one => one.fields['name'] === name)!.id

/** For each tool: calls that answer, and calls that are refused with what the refusal says. */
const cases: { readonly [Name in ToolName]: { answers: unknown[]; refused: [unknown, RegExp][] } } = {
  outline: {
    answers: [{}, { root: 'Visit', depth: 1 }, { kinds: ['flow'] }],
    refused: [
      [{ root: 'Nobody' }, /no element "Nobody"/],
      [{ depth: 0 }, /depth/],
    ],
  },
  read: {
    answers: [{ ids: ['Treatment', 'Nurses'] }, { ids: ['Treatment'], fields: ['duration'] }],
    refused: [
      [{ ids: [] }, /ids/],
      [{}, /ids/],
    ],
  },
  find: { answers: [{ text: 'nurse' }, { text: 'e', kind: 'flow' }], refused: [[{ text: 5 }, /text/]] },
  kind: { answers: [{}, { id: 'delay' }], refused: [[{ id: 'wheel' }, /no kind "wheel".*delay/]] },
  reference: { answers: [{ query: 'exponential distribution' }], refused: [[{ query: '' }, /query/]] },
  explain: { answers: [{ id: 'Visit' }, { id: 'Treatment', language: 'zh' }], refused: [[{ id: 'Nobody' }, /no element/]] },
  check: { answers: [{}], refused: [[{ all: true }, /all/]] },
  changes: { answers: [{}], refused: [[{ from: 'v1' }, /no version or file "v1"/]] },
  repair: { answers: [{}], refused: [[{ problem: '8002 nobody ' }, /no problem/]] },
  pattern: { answers: [{}, { id: 'queue', numbers: [3] }], refused: [[{ id: 'castle' }, /no pattern "castle".*queue/]] },
  edit: {
    answers: [{ calls: [{ do: 'rename', id: 'Treatment', name: 'Care' }] }],
    refused: [
      [{ calls: [{ do: 'explode', id: 'Treatment' }] }, /calls/],
      [{ calls: [{ do: 'set', id: 'Treatment', field: 'nothing', value: 1 }] }, /no field "nothing".*duration/],
      [{ calls: [{ do: 'place', kind: 'wheel', parent: 'Visit' }] }, /no kind "wheel"/],
      [{ calls: [] }, /calls/],
    ],
  },
  experiment_file: {
    answers: [{}, { name: 'Staffing', calls: [{ do: 'set', id: 'root', field: 'replications', value: 5 }] }],
    refused: [
      [{ calls: [{ do: 'set', id: 'root', field: 'type', value: 'learning' }] }, /needs a "name"/],
      [{ name: 'X', calls: [{ do: 'set', id: 'root', field: 'type', value: 'magic' }] }, /Type/],
      [{ name: 'X', calls: [{ do: 'set', id: 'root', field: 'modelFile', value: 'another' }] }, /"modelFile" is not set by tools/],
      [{ name: 'X', calls: [{ do: 'place', kind: 'delay', parent: 'root' }] }, /Call 1 \(place\) was refused/],
      [{ name: 'X', calls: [{ do: 'remove', ids: ['root'] }] }, /stays/],
      [{ name: 'X', calls: [{ do: 'scenario', name: 'Y' }] }, /calls/],
      [{ name: 'X', calls: Array.from({ length: 101 }, () => ({ do: 'remove', ids: ['a'] })) }, /calls/],
      [{ of: 'elsewhere', calls: [] }, /calls/],
      [{ of: 'elsewhere' }, /no experiment "elsewhere" of this model. There are: none/],
      [{ name: 'x'.repeat(5000) }, /name/],
    ],
  },
  chart: {
    answers: [
      {
        name: 'Nurses',
        calls: [{ do: 'place', kind: 'plot', parent: 'run', values: { dimension: '@time', metrics: [{ field: 'Nurses.level' }] } }],
      },
    ],
    refused: [
      [{ name: 'X', calls: [{ do: 'place', kind: 'association', parent: 'root' }] }, /one run/],
      [{ name: 'X', calls: [{ do: 'place', kind: 'plot', parent: 'run', at: [0.5, 0] }] }, /calls/],
      [{ name: 'X', url: 'https://example.org' }, /url/i],
    ],
  },
  dashboard: {
    answers: [{ name: 'Ward', calls: [{ do: 'place', kind: 'note', parent: 'root', size: [4, 2] }] }],
    refused: [
      [{ name: 'X', calls: [{ do: 'set', id: 'run', field: 'kept', value: '{}' }] }, /"kept" is not set by tools/],
      [{ name: 'X', calls: [{ do: 'move', id: 'nobody', at: [0, 0] }] }, /no element "nobody"/],
    ],
  },
  undo: { answers: [], refused: [[{}, /no batch/]] },
  run: {
    answers: [{ ticks: 50 }, { ticks: 50, seed: 4, inputs: { Staff: 3 } }],
    refused: [
      [{ ticks: 0 }, /ticks/],
      [{ inputs: { nobody: 1 } }, /no public variable "nobody"/],
      [{ scenario: 'Nowhere' }, /no scenario "Nowhere"/],
    ],
  },
  replicate: { answers: [{ runs: 3, ticks: 50 }], refused: [[{ runs: 5000 }, /runs/]] },
  experiment: {
    answers: [{ name: 'Staff', values: [2, 3], runs: 3, ticks: 50 }],
    refused: [
      [{ name: 'Treatment', values: [1], runs: 2 }, /neither a variable nor a container/],
      [{ name: 'Staff', values: [], runs: 2 }, /values/],
    ],
  },
  matters: {
    answers: [{}, { measure: 'mean_wait' }],
    refused: [
      [{ measure: 'nothing' }, /Nothing is measured/],
      [{ scenario: 'Nowhere' }, /no scenario/],
    ],
  },
  validate: {
    answers: [{ measure: 'Nurses.level', expected: 2, tolerance: 5, runs: 3, ticks: 50 }],
    refused: [[{ measure: 'luck', expected: 1, tolerance: 0, runs: 2, ticks: 50 }, /Nothing is measured as "luck"/]],
  },
  compare: {
    answers: [{ a: 'document', b: 'fork', runs: 3, ticks: 50 }],
    refused: [
      [{ a: 'document', b: 'Nowhere', runs: 3 }, /nothing called "Nowhere".*fork, document/],
      [{ a: 'fork', b: 'fork', runs: 1 }, /runs/],
    ],
  },
  trace: {
    answers: [
      { element: 'Treatment', ticks: 30 },
      { element: 'Visit', ticks: 30, around: 10 },
      { element: 'Nurses', ticks: 30 },
    ],
    refused: [
      [{ element: 'Nobody' }, /no element "Nobody"/],
      [{ element: 'Treatment', around: -1 }, /around/],
    ],
  },
  result: { answers: [], refused: [[{ number: 1 }, /no result 1\. There are: none/]] },
  ask: { answers: [{ question: 'Which ward?', choices: ['A', 'B'] }], refused: [[{ question: '' }, /question/]] },
  offer: { answers: [], refused: [[{ title: 'Nothing', why: '' }, /Nothing would change/]] },
}

/** Ids replace names in the samples' clinic; the tools take names where they are the only ones. */
describe('tools', () => {
  it('answer what they are for and refuse the rest with what would do', () => {
    for (const name of toolNames) {
      const { answers, refused } = cases[name]
      for (const given of answers) {
        const doc = sample('clinic')
        const before = Y.encodeStateVector(doc)
        const { session } = sessionOn(doc)
        expect(JSON.stringify(done(session, name, withIds(doc, given))).length, name).toBeLessThanOrEqual(TOOL.resultLength)
        expect(Y.encodeStateVector(doc), name).toEqual(before)
      }
      for (const [given, says] of refused) {
        const doc = sample('clinic')
        const { session } = sessionOn(doc)
        expect(refusal(session, name, withIds(doc, given)), `${name} ${JSON.stringify(given)}`).toMatch(says)
        expect(session.isDirty, name).toBe(false)
      }
    }
  })

  it('take JSON text, and say what is wrong with what is not', () => {
    const { session } = sessionOn(sample('clinic'))
    expect(done(session, 'outline', '{"depth": 1}')['lines']).toHaveLength(1)
    expect(done(session, 'check', '')).toHaveProperty('problems')
    expect(refusal(session, 'outline', '{"depth": 1')).toMatch(/not JSON/)
    expect(refusal(session, 'outline', '[]')).toMatch(/Wrong arguments/)
    expect(refusal(session, 'find', { text: 'x'.repeat(TOOL.argumentsLength) })).toMatch(/at most/)
    expect(refusal(session, 'share_everything')).toMatch(/no tool "share_everything"/)
    expect(refusal(session, '__proto__')).toMatch(/no tool/)
  })

  it('none shares, fetches, accepts or deletes a file: what they change is a fork, what they give is a proposal', () => {
    expect(toolNames.filter(name => tools[name].sort === 'branch')).toEqual([
      'repair',
      'pattern',
      'edit',
      'experiment_file',
      'chart',
      'dashboard',
      'undo',
      'offer',
    ])
    expect(JSON.stringify(definitionsOf())).not.toMatch(/"url"|"href"|"address"/)
    const doc = sample('clinic')
    const { session } = sessionOn(doc, { writes: false })
    for (const name of ['repair', 'pattern', 'edit', 'experiment_file', 'chart', 'dashboard', 'undo', 'offer'])
      expect(refusal(session, name)).toMatch(/may only read/)
  })

  it('are listed as JSON Schema of objects, within 4,000 tokens', () => {
    const all = definitionsOf()
    for (const { parameters } of all) expect(parameters).toMatchObject({ type: 'object', additionalProperties: false })
    expect(JSON.stringify(all).length / 3).toBeLessThan(4000)
  })

  it('are listed with types, bounds of numbers and what arguments are for', () => {
    const [trace, chart] = definitionsOf(['trace', 'chart'])
    expect(trace?.parameters).toEqual({
      type: 'object',
      properties: {
        element: { type: 'string' },
        around: { description: 'a time', type: 'number', minimum: 0 },
        scenario: { description: 'default: the first', type: 'string' },
        seed: { type: 'integer', minimum: 0, maximum: 4_294_967_295 },
        ticks: { description: 'default: those of the scenario', type: 'integer', minimum: 1, maximum: TOOL.ticks },
      },
      required: ['element'],
      additionalProperties: false,
    })
    const verbs = { type: 'string', enum: ['place', 'set', 'move', 'reparent', 'remove'] }
    expect(chart?.parameters['properties']).toMatchObject({
      of: { description: 'id of a file to change; default: a new one', type: 'string' },
      calls: { description: 'as in edit', type: 'array', items: { type: 'object', properties: { do: verbs }, required: ['do'] } },
    })
  })

  it.each<[ToolName, unknown, string]>([
    [
      'replicate',
      { runs: 1, inputs: { a: null, b: 'x'.repeat(1001) } },
      'runs: Too small: expected number to be >=2; inputs.a: Invalid input',
    ],
    ['replicate', { runs: 2.5, more: 1 }, 'runs: Invalid input: expected int, received number; arguments: Unrecognized key: "more"'],
    ['edit', { calls: [{ do: 'rename', id: '', name: 'n' }] }, 'calls.0.id: Too small: expected string to have >=1 characters'],
    ['edit', { calls: [{ do: 'move', id: 'a', at: [1] }] }, 'calls.0.at: Too small: expected array to have exactly 2 items'],
    [
      'chart',
      { calls: [{ do: 'fly' }] },
      "calls.0.do: Invalid discriminator value. Expected 'place' | 'set' | 'move' | 'reparent' | 'remove'",
    ],
    ['offer', { title: 't' }, 'why: Invalid input: expected string, received undefined'],
  ])('say in English what is wrong with arguments of %s', (name, given, wrong) => {
    expect(refusal(sessionOn(sample('clinic')).session, name, given)).toContain(`Wrong arguments for "${name}": ${wrong}`)
  })

  it('give no more at once than a result may be long, and say so', () => {
    const doc = newDocument('Long')
    const [scenario] = modelOf(doc).scenarios
    const ids = Array.from({ length: 40 }, (_, i) => {
      const id = place(doc, {
        kind: 'variable',
        parent: scenario!,
        at: [0, i * 50],
        values: { name: `v${i}`, initial: `"${'x'.repeat(2000)}"` },
      })
      return String(id)
    })
    const { session } = sessionOn(doc)
    expect(refusal(session, 'read', { ids })).toMatch(/at most 24000 are given\. Ask for less/)
    expect(done(session, 'read', { ids: ids.slice(0, 5) })).toMatchObject({ elements: expect.any(Array) })
  })

  it('build, check, run and offer a model that a person then accepts', () => {
    const doc = newDocument('Empty')
    const { session, offered } = sessionOn(doc)
    const [scenario] = modelOf(doc).scenarios
    done(session, 'pattern', { id: 'sir', numbers: [500] })
    expect(done(session, 'check')['problems']).toEqual([])
    expect(done(session, 'run', { ticks: 100, scenario })).toMatchObject({ end: expect.stringMatching(/success|limited/) })
    expect(done(session, 'changes')['changes']).toBeGreaterThan(8)
    expect(done(session, 'offer', { title: 'SIR', why: 'Asked for.' })).toMatchObject({ problems: { after: 0 } })
    const [proposal] = offered
    expect(offer(doc, proposal!)).toBeNull()
    accept(
      doc,
      proposal!,
      proposal!.deltas.map(({ id }) => id),
    )
    expect([...modelOf(doc).elements.values()].filter(({ kind }) => kind === 'variable')).toHaveLength(5)
  })

  it('offer again what was offered before, in place of it', () => {
    const doc = sample('clinic')
    const { session, offered } = sessionOn(doc)
    done(session, 'edit', { calls: [{ do: 'place', kind: 'variable', parent: modelOf(doc).scenarios[0], values: { name: 'a' } }] })
    done(session, 'offer', { title: 'One', why: '' })
    done(session, 'edit', { calls: [{ do: 'place', kind: 'variable', parent: modelOf(doc).scenarios[0], values: { name: 'b' } }] })
    done(session, 'offer', { title: 'Two', why: '' })
    expect(offered.map(({ id }) => id)).toEqual([offered[0]!.id, offered[0]!.id])
    expect(offered[1]!.deltas).toHaveLength(2)
  })

  it('do not offer changes that bring errors', () => {
    const doc = sample('clinic')
    const { session, offered } = sessionOn(doc)
    done(session, 'edit', { calls: [{ do: 'set', id: idOf(doc, 'Treatment'), field: 'duration', value: '1 +' }] })
    expect(refusal(session, 'offer', { title: 'Broken', why: '' })).toMatch(/new errors/)
    expect(refusal(session, 'run')).toMatch(/cannot run/)
    expect(offered).toEqual([])
    done(session, 'repair')
    done(session, 'undo')
  })

  it('make a batch as a whole or not at all, and name the call that was refused', () => {
    const doc = sample('clinic')
    const { session } = sessionOn(doc)
    const calls = [
      { do: 'place', kind: 'variable', parent: modelOf(doc).scenarios[0], values: { name: 'kept' } },
      { do: 'set', id: '$1', field: 'colour', value: 'red' },
    ]
    expect(refusal(session, 'edit', { calls })).toMatch(/Call 2 \(set\) was refused, so nothing was changed/)
    expect(done(session, 'changes')['changes']).toBe(0)
  })

  it('compare the fork with an earlier version', () => {
    const doc = sample('clinic')
    const earlier = sample('clinic')
    setText(doc, idOf(doc, 'Treatment'), 'duration', '9')
    const { session } = sessionOn(doc, { others: new Map([['Monday', earlier]]) })
    expect(done(session, 'changes', { from: 'Monday' })).toMatchObject({
      changes: 1,
      list: [{ name: 'Treatment', fields: [{ at: 'text/duration', after: '9' }] }],
    })
    expect(refusal(session, 'changes', { from: 'Tuesday' })).toMatch(/There are: Monday/)
  })

  it('show what a text of the model hides', () => {
    const doc = newDocument('Empty')
    const { session } = sessionOn(doc)
    setField(doc, modelOf(doc).scenarios[0]!, 'name', 'A\u202E\u200Bb\u{E0041}')
    const { session: later } = sessionOn(doc)
    expect(JSON.stringify(done(later, 'outline'))).toContain('\\\\u{202e}\\\\u{200b}b\\\\u{e0041}')
    expect(session.isDirty).toBe(false)
  })

  it('experiments use the same seeds on both sides and say so', () => {
    const doc = sample('clinic')
    setField(doc, modelOf(doc).scenarios[0]!, 'warmUp', 0)
    const { session } = sessionOn(doc)
    const told = done(session, 'experiment', { name: 'Staff', values: [3, 6], runs: 6, ticks: 300 })
    expect(told).toMatchObject({ seeds: '1 to 6', values: [{ value: 3 }, { value: 6 }] })
    expect(JSON.stringify(told)).toContain('"verdict":"differs"')
    expect(done(session, 'experiment', { name: 'Staff', values: [3, 6], runs: 6, ticks: 300 })).toEqual(told)
  })

  it('compare the fork with the document and scenarios with each other under the same seeds', () => {
    const doc = sample('clinic')
    setField(doc, modelOf(doc).scenarios[0]!, 'warmUp', 0)
    const { session } = sessionOn(doc, { others: new Map([['Monday', sample('clinic')]]) })
    const given = { a: 'document', b: 'fork', runs: 6, ticks: 300 }
    const same = done(session, 'compare', given)
    expect(JSON.stringify(same)).toContain('"mean":0,"low":0,"high":0')
    expect(JSON.stringify(same)).not.toContain('"differs"')
    const staff = [...modelOf(doc).elements.values()].find(one => one.kind === 'variable' && one.fields['name'] === 'Staff')!
    done(session, 'edit', { calls: [{ do: 'set', id: staff.id, field: 'initial', value: '2' }] })
    const told = done(session, 'compare', given)
    expect(told).toMatchObject({ seeds: '1 to 6', measures: { 'Nurses.meanWait': { difference: { verdict: 'differs' } } } })
    expect(done(session, 'compare', { ...given, a: 'Monday', ticks: 50 })).toMatchObject({ a: 'Monday' })
  })

  it('trace what happened at a step, with who did it and when, next to a time', () => {
    const { session } = sessionOn(sample('clinic'))
    const told = done(session, 'trace', { element: 'Treatment', ticks: 20, around: 10 })
    expect(told['steps']).toBe((told['shown'] as string[]).length)
    const rows = (told['shown'] as string[]).map(text => text.split('\t'))
    expect(rows.every(([, , verb, step]) => verb === 'delay' && step === 'Treatment')).toBe(true)
    const times = rows.map(([time]) => Number(time))
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(Math.max(...times)).toBeGreaterThan(10)
    const all = done(session, 'trace', { element: 'Visit', ticks: 600 })
    expect(all['steps']).toBeGreaterThan((all['shown'] as string[]).length)
    // A container: the steps that name it.
    expect(JSON.stringify(done(session, 'trace', { element: 'Nurses', ticks: 60 })['about'])).toContain('operate')
  })

  it('keep the results of runs by number: the same call has the same one, the oldest go', () => {
    const { session } = sessionOn(sample('clinic'))
    const first = done(session, 'run', { ticks: 20, seed: 1 })
    expect(first).toMatchObject({ result: 1, seed: 1 })
    expect(done(session, 'run', { ticks: 20, seed: 1 })).toEqual(first)
    expect(done(session, 'run', { ticks: 20, seed: 2 })).toMatchObject({ result: 2 })
    expect(done(session, 'result', { number: 1 })).toEqual(first)
    for (let seed = 3; seed < 3 + TOOL.kept; seed++) done(session, 'run', { ticks: 5, seed })
    expect(refusal(session, 'result', { number: 1 })).toMatch(/no result 1\. There are: 3,/)
  })

  it('answer or refuse any call at all, and the document is as it was', () => {
    const count = Number(process.env['TOOL_CALLS'] ?? 300)
    const seed = Number(process.env['SEED'] ?? 1)
    const r = chance(seed)
    const doc = sample(samples[seed % samples.length]!.id)
    const before = contentOf(doc)
    const { session } = sessionOn(doc)
    const ids = [...modelOf(doc).elements.keys()]
    const pick = <T>(of: readonly T[]): T => of[Math.floor(r.next() * of.length)]!
    const any = (): unknown =>
      pick<unknown>([pick(ids), pick(ids), pick(kinds).id, '$1', '', 'x', -1, 1e308, null, true, [], {}, [pick(ids)], '\u0000', '1 +'])
    const verbs = ['place', 'connect', 'insert', 'set', 'rename', 'reconnect', 'remove', 'move', 'reparent', 'duplicate', 'scenario']
    const call = (): Told => ({
      do: pick(verbs),
      id: any(),
      ids: [pick(ids), any()],
      kind: pick(kinds).id,
      parent: pick(ids),
      from: pick(ids),
      to: pick(ids),
      field: pick(['name', 'duration', 'initial', 'program', 'items', 'constructor']),
      value: any(),
      name: any(),
      at: [r.next() * 100, r.next() * 100],
      side: 'to',
      flow: pick(ids),
      values: { name: any() },
    })
    const strict = (one: Told): Told => {
      const takes: Record<string, string[]> = {
        place: ['kind', 'parent', 'values', 'at'],
        connect: ['from', 'to'],
        insert: ['flow', 'kind'],
        set: ['id', 'field', 'value'],
        rename: ['id', 'name'],
        reconnect: ['id', 'side', 'to'],
        remove: ['ids'],
        move: ['id', 'at'],
        reparent: ['ids', 'parent'],
        duplicate: ['ids'],
        scenario: ['name'],
      }
      return Object.fromEntries([['do', one['do']], ...takes[String(one['do'])]!.map(key => [key, one[key]])])
    }
    let answered = 0
    for (let i = 0; i < count; i++) {
      const name = pick([...toolNames.filter(one => tools[one].sort !== 'run'), 'edit', 'edit', 'nothing'])
      const given =
        name === 'edit'
          ? { calls: Array.from({ length: 1 + Math.floor(r.next() * 3) }, () => strict(call())) }
          : pick<unknown>([{}, any(), { id: any() }])
      const answer = session.use(name, given)
      if (answer.ok) answered++
      else expect(answer.why.trim(), `seed ${seed}`).not.toBe('')
    }
    expect(answered, `seed ${seed}`).toBeGreaterThan(count / 20)
    expect(contentOf(doc), `seed ${seed}`).toEqual(before)
    expect(proposalsOf(doc)).toEqual([])
    expect(session.use('outline', {}).ok, `seed ${seed}`).toBe(true)
  })
})

/** The same arguments with names of the clinic as ids where a call takes only ids. */
function withIds(doc: Y.Doc, given: unknown): unknown {
  const text = JSON.stringify(given).replaceAll(/"id":"(Treatment|Visit)"/g, (_, name: string) => `"id":"${idOf(doc, name)}"`)
  return JSON.parse(text)
}
