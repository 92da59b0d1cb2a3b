// What makes a run fail, code by code: put into samples that run well, it is gone after the repair, by the same run, and nothing else fails or is wrong.
// Where people are asked, each of the ways that are offered does it.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { loadFile, modelOf } from '../../model-schema/document.ts'
import { addScenario, connect, insertStep, place, remove, setField } from '../../model-schema/edit.ts'
import { parseFile, type HoloFile } from '../../model-schema/file.ts'
import type { Json } from '../../model-schema/kinds/kind.ts'
import type { Element, Id } from '../../model-schema/model.ts'
import { accept } from '../../model-schema/proposals.ts'
import { english } from '../../model-schema/words.ts'
import { Branch, type EditCall } from '../../sim-engine/copilot/branch.ts'
import { answer } from '../../sim-engine/copilot/guide.ts'
import { effortFor, failureIn, mendRun } from '../../sim-engine/copilot/run-repairs.ts'
import { ToolSession } from '../../sim-engine/copilot/session.ts'
import type { Moment } from '../../sim-engine/copilot/why.ts'

const samples = ['clinic', 'inventory', 'emergency-room', 'car-wash', 'wolf-sheep'].map((id): [string, HoloFile] => {
  const parsed = parseFile(readFileSync(new URL(`../../model-schema/samples/${id}.holo`, import.meta.url), 'utf8'))
  if (!('file' in parsed)) throw new Error(id)
  return [id, parsed.file]
})

function docOf(file: HoloFile): Y.Doc {
  const doc = new Y.Doc()
  loadFile(doc, file)
  return doc
}

type Fault = (doc: Y.Doc, all: readonly Element[]) => unknown

/** A step put into the first flow of the process that a start leads. */
const steps =
  (kind: string, values: Readonly<Record<string, Json>>, also?: (doc: Y.Doc, step: Id, process: Id) => unknown): Fault =>
  (doc, all) => {
    const start = all.find(one => one.kind === 'start' && one.fields['active'] !== false)
    const flow = all.find(one => one.kind === 'flow' && one.ends?.from.id === start?.id)
    const step = flow && place(doc, { kind, parent: flow.parent!, at: [40, 400], values })
    if (typeof step !== 'string') return
    insertStep(doc, flow!.id, step)
    also?.(doc, step, flow!.parent!)
  }
const waits = (duration: string): Fault => steps('delay', { name: 'Pause', duration })
const computes =
  (program: string): Fault =>
  (doc, all) => {
    const scenario = all.find(one => one.kind === 'scenario')!
    for (const [name, initial] of [
      ['tally', '{"a": 1}'],
      ['sum up', '8.0'],
      ['row', '[1, 2, 3]'],
    ])
      place(doc, { kind: 'variable', parent: scenario.id, at: [3000, 3000], values: { name: name!, initial: initial! } })
    steps('compute', { program })(doc, all)
  }
/** A container of its own with a step that works on it. */
const store =
  (container: Readonly<Record<string, Json>>, operation: string, amount: string, otherwise: string): Fault =>
  (doc, all) => {
    const scenario = all.find(one => one.kind === 'scenario')!
    place(doc, { kind: 'container', parent: scenario.id, at: [3000, 3000], values: { name: 'Shed', ...container } })
    const items = [{ container: 'Shed', amount, key: '' }]
    steps('operate', { name: 'Work', operation, otherwise, items }, (doc, step) => {
      if (operation !== 'request') return
      const after = [...modelOf(doc).elements.values()].find(one => one.kind === 'flow' && one.ends?.from.id === step)!
      const back = place(doc, { kind: 'operate', parent: after.parent!, at: [40, 600], values: { operation: 'release', items } })
      insertStep(doc, after.id, back as Id)
    })(doc, all)
  }

const faults: readonly (readonly [number, string, Fault, 'done' | 'ask'])[] = [
  [10018, 'a division by zero', waits('1 + 2 / (time - time)'), 'ask'],
  [10018, 'a remainder of a division by zero', waits('1 + 5 % (time - time)'), 'ask'],
  [10018, 'a division by what is drawn', waits('1 / randint(0, 2)'), 'done'],
  [10018, 'a deviation of one value', waits('std([time], ddof=1) + 1'), 'ask'],
  [10018, 'a variable divided by zero', computes('sum_up /= time - time'), 'done'],
  [10022, 'an index behind the end', waits('[1, 2, 3][3 + 2 * 1]'), 'done'],
  [10022, 'an index behind the end, in a program', computes('row[7] = 1'), 'done'],
  [10022, 'an index into nothing', waits('[1, 2][2:][0] + 1'), 'ask'],
  [10024, 'a key that is not there', waits('{"a": 1}["b"] + 1'), 'ask'],
  [10024, 'a count by a key that is not there', computes('tally["b"] += 1'), 'done'],
  [10024, 'the place of what is not in a list', waits('[1, 2].index(3)'), 'ask'],
  [10026, 'the greatest of nothing', waits('max([1, 2][2:])'), 'ask'],
  [10026, 'the least of nobody', waits('min(x for x in [1, 2] if x > 3)'), 'ask'],
  [10026, 'a mean of nothing', waits('mean([1.0][1:]) + 1'), 'ask'],
  [10026, 'a choice among nothing', waits('choice([1, 2][2:])'), 'ask'],
  [10036, 'less in a store than is taken', store({ initial: '3' }, 'take', '1', 'fail'), 'ask'],
  [10037, 'no room in a store', store({ initial: '0', capacity: '3' }, 'put', '1', 'fail'), 'ask'],
  [10042, 'more requested than there are', store({ initial: '2', reusable: true }, 'request', '5', 'wait'), 'done'],
  [10042, 'more taken than ever fits', store({ initial: '2', capacity: '4' }, 'take', '9', 'wait'), 'done'],
  [
    10044,
    'a gateway without a way on',
    steps('gateway', { name: 'Where to', type: 'exclusive' }, (doc, gateway, process) => {
      const own = [...modelOf(doc).elements.values()].find(one => one.kind === 'flow' && one.ends?.from.id === gateway)
      setField(doc, own!.id, 'condition', 'time < 0')
      const end = place(doc, { kind: 'end', parent: process, at: [400, 500], values: {} }) as Id
      connect(doc, { kind: 'flow', from: gateway, to: end, values: { condition: 'time < -1' } })
    }),
    'done',
  ],
  [
    10047,
    'a loop without time',
    steps('log', { name: 'Again' }, (doc, step, process) => {
      const own = [...modelOf(doc).elements.values()].find(one => one.kind === 'flow' && one.ends?.from.id === step)
      const gateway = place(doc, { kind: 'gateway', parent: process, at: [200, 500], values: { type: 'exclusive' } }) as Id
      const to = own!.ends!.to.id!
      remove(doc, [own!.id])
      connect(doc, { kind: 'flow', from: step, to: gateway })
      connect(doc, { kind: 'flow', from: gateway, to: step, values: { condition: 'True' } })
      connect(doc, { kind: 'flow', from: gateway, to, values: { default: true } })
    }),
    'done',
  ],
  [
    10047,
    'a timer that goes off all the time',
    (doc, all) => {
      const start = all.find(one => one.kind === 'start' && one.fields['trigger'] === 'timer')
      if (start) setField(doc, start.id, 'every', 'time - time')
    },
    'done',
  ],
]

/** Samples that a fault is put into. */
const MOST = 2

describe('the guide mends what a run fails of', () => {
  it.each(faults)('%i: %s', (code, _, put, how) => {
    let times = 0
    for (const [id, file] of samples) {
      if (times === MOST) break
      const doc = docOf(file)
      put(doc, [...modelOf(doc).elements.values()])
      const branch = new Branch(doc)
      const clean = branch.problems()
      const failure = failureIn(branch)
      if (failure?.problem.code !== code) continue
      times++
      const moment = { scenario: failure.scenario, seed: failure.seed }
      const gone = (tried: Branch): void => {
        expect(tried.problems(), id).toHaveLength(clean.length)
        expect(failureIn(tried, moment), id).toBeNull()
      }
      const repair = mendRun(branch, failure)
      expect(repair.is, `${id}: ${english(failure.problem.message)}`).toBe(how)
      if (repair.is === 'ask')
        for (const { calls } of repair.choices) {
          const tried = new Branch(doc)
          expect(tried.edit(calls)).not.toHaveProperty('refused')
          gone(tried)
        }
      else gone(branch)
    }
    expect(times).toBeGreaterThan(0)
  })

  it('asks, and makes the way that is chosen a proposal', () => {
    const doc = docOf(samples[0]![1])
    waits('1 + 2 / (time - time)')(doc, [...modelOf(doc).elements.values()])
    const next = answer(doc, { about: 'run' }, 0).next.map(({ ask }) => ask)
    expect(next).toEqual([{ about: 'fix', moment: { scenario: modelOf(doc).scenarios[0], seed: expect.any(Number) } }])
    const asked = answer(doc, next[0]!, 0)
    expect(answer(doc, { about: 'fix' }, 0).lines).toEqual(asked.lines)
    expect(asked.proposal).toBeNull()
    expect(english(asked.lines[0]!.words)).toMatch(/^With seed \d+ the run fails at tick \d+: Division by zero\. Which is meant\?$/)
    const chosen = answer(doc, asked.next[0]!.ask, 0).proposal!
    expect(chosen.note.run?.end).toBe('success')
    accept(
      doc,
      chosen,
      chosen.deltas.map(({ id }) => id),
    )
    const pause = [...modelOf(doc).elements.values()].find(one => one.fields['name'] === 'Pause')
    expect(pause?.fields['duration']).toBe('1 + (2 / (time - time) if (time - time) != 0 else 0)')
    expect(english(answer(doc, { about: 'fix' }, 0).lines[0]!.words)).toBe('Nothing is wrong: there is nothing to mend.')
  })

  it('suggests as much as the worst of some runs needs, and no more', () => {
    const doc = docOf(samples[0]![1])
    store({ initial: '2', reusable: true }, 'request', '5', 'wait')(doc, [...modelOf(doc).elements.values()])
    const branch = new Branch(doc)
    mendRun(branch, failureIn(branch)!)
    expect([...branch.model.elements.values()].find(one => one.fields['name'] === 'Shed')?.fields['initial']).toBe('5')
  })

  it('runs of a model in which nothing fails no more than one run takes, however many its scenarios; of one that failed, that run', () => {
    const doc = docOf(samples[0]![1])
    const [first] = modelOf(doc).scenarios
    setField(doc, first!, 'totalTicks', 0)
    for (const name of ['B', 'C', 'D']) {
      const made = addScenario(doc, name)
      if (typeof made === 'string') setField(doc, made, 'totalTicks', 0)
    }
    const spent = (moment: Moment = {}): number => {
      const effort = effortFor()
      const all = effort.left
      expect(failureIn(new Branch(doc), moment, effort)).toBeNull()
      return all - effort.left
    }
    const healthy = spent()
    expect(healthy).toBeGreaterThan(1000)
    expect(healthy).toBeLessThanOrEqual(300_000)
    expect(spent({ scenario: first! })).toBeGreaterThan(1000)
    const failing = docOf(samples[0]![1])
    store({ initial: '3' }, 'take', '1', 'fail')(failing, [...modelOf(failing).elements.values()])
    const effort = effortFor()
    const all = effort.left
    const branch = new Branch(failing)
    const failure = failureIn(branch, { scenario: modelOf(failing).scenarios[0]! }, effort)!
    expect(all - effort.left).toBeLessThanOrEqual(failure.instants + 500)
    // Without room to see that a repair holds, none is made.
    expect(mendRun(branch, failure, undefined, { left: 100 })).toEqual({ is: 'none' })
  })

  it('so do tools, each repair a batch that can be taken back; a choice is given with its edits, and a failure by its own text', () => {
    const opened = (put: Fault): ((name: string, given: object) => { [key: string]: unknown }) => {
      const doc = docOf(samples[0]![1])
      put(doc, [...modelOf(doc).elements.values()])
      const session = new ToolSession({ doc, author: { kind: 'copilot', name: 'Test' }, now: () => 0, writes: true, offer: () => null })
      return (name, given) => {
        const answer = session.use(name, given)
        return answer.ok ? (answer.value as { [key: string]: unknown }) : { why: answer.why }
      }
    }
    const use = opened(waits('[1, 2, 3][3 + 2 * 1]'))
    const failed = use('run', {}) as { failure: { problem: string } }
    const { problem } = failed.failure
    expect(use('repair', { problem })).toMatchObject({ repaired: [expect.any(String)], choices: [], left: 0 })
    expect(use('run', {})).not.toHaveProperty('failure')
    use('undo', {})
    expect(use('run', {})).toMatchObject({ failure: { problem } })
    expect(use('repair', {})).toMatchObject({
      repaired: [expect.stringMatching(/^With seed \d+ the run fails at tick \d+: /)],
      choices: [],
    })
    expect(use('run', {})).not.toHaveProperty('failure')
    expect(use('repair', { problem })).toMatchObject({ why: expect.stringMatching(/no problem/) })
    const asked = opened(waits('1 + 2 / (time - time)'))
    const { repaired, choices, runFails } = asked('repair', {}) as {
      repaired: string[]
      choices: { ways: { calls: EditCall[] }[] }[]
      runFails: string
    }
    expect([repaired, runFails]).toEqual([[], expect.stringMatching(/^With seed \d+ the run fails at tick \d+: /)])
    expect(choices[0]!.ways.length).toBeGreaterThan(1)
    asked('edit', { calls: choices[0]!.ways[0]!.calls })
    expect(asked('run', {})).not.toHaveProperty('failure')
  })
})
