// The guide's repairs, code by code: a fault of that code is put into samples that have room for it; it is gone after the repair, and no other came. Where
// people are asked, each of the ways that are offered does it.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { loadFile, modelOf } from '../../model-schema/document.ts'
import { layoutOf } from '../../model-schema/document/layout.ts'
import { connect, insertStep, place, remove, rename, setField, setText } from '../../model-schema/edit.ts'
import { parseFile, type HoloFile } from '../../model-schema/file.ts'
import type { Json } from '../../model-schema/kinds/kind.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import { loadChain } from '../../sim-engine/chain.ts'
import { Branch, newAmong, spotOf } from '../../sim-engine/copilot/branch.ts'
import { mend } from '../../sim-engine/copilot/repairs.ts'
import type { Problem } from '../../sim-engine/problems.ts'
import { english } from '../../model-schema/words.ts'

await loadChain()

// Samples of all sorts: processes, agents, a queue, a store of goods, a contract, a decision.
const samples = ['clinic', 'wolf-sheep', 'inventory', 'emergency-room', 'car-wash', 'token-pool', 'networks', 'vesting', 'admission'].map(
  (id): [string, HoloFile, readonly Problem[]] => {
    const parsed = parseFile(readFileSync(new URL(`../../model-schema/samples/${id}.holo`, import.meta.url), 'utf8'))
    if (!('file' in parsed)) throw new Error(id)
    return [id, parsed.file, new Branch(docOf(parsed.file)).problems()]
  },
)

function docOf(file: HoloFile): Y.Doc {
  const doc = new Y.Doc()
  loadFile(doc, file)
  return doc
}

type Fault = (doc: Y.Doc, all: readonly Element[], model: Model) => unknown

const first = (all: readonly Element[], kind: string, fits: (element: Element) => boolean = () => true): Element | undefined =>
  all.find(one => one.kind === kind && fits(one))
const on =
  (kind: string, put: (doc: Y.Doc, element: Element, all: readonly Element[]) => unknown, fits?: (element: Element) => boolean): Fault =>
  (doc, all) => {
    const element = first(all, kind, fits)
    if (element) put(doc, element, all)
  }
const sets = (kind: string, field: string, value: Json, fits?: (element: Element) => boolean): Fault =>
  on(kind, (doc, { id }) => setField(doc, id, field, value), fits)
/** A step put into a flow of a process that was right. */
const steps = (kind: string, values: Readonly<Record<string, Json>>, also?: (doc: Y.Doc, step: Id, process: Id) => unknown): Fault =>
  on('flow', (doc, { id, parent }) => {
    const step = place(doc, { kind, parent: parent!, at: [40, 400], values })
    if (typeof step !== 'string') return
    insertStep(doc, id, step)
    also?.(doc, step, parent!)
  })
const loses = (side: 'from' | 'to'): Fault =>
  on('flow', (doc, { id, ends }) =>
    doc.transact(() => layoutOf(doc).conn.set(id, { ...ends, [side]: { id: null, x: ends![side].x, y: ends![side].y } }), 'local'),
  )
/** A value as another program may have written it. */
const writes = (doc: Y.Doc, id: Id, field: string, value: Json): unknown =>
  doc.transact(() => layoutOf(doc).data.set(`${id}/${field}`, value), 'local')
const has = (field: string) => (element: Element) => element.fields[field] !== '' && element.fields[field] !== null
const scenarioOf = (all: readonly Element[]): Id => first(all, 'scenario')!.id
const other =
  (values: Readonly<Record<string, Json>>, kind: string): Fault =>
  (doc, all) =>
    place(doc, { kind, parent: scenarioOf(all), at: [2000, 2000], values })
/** A branch of a gateway of a sort to an end of its own, next to one that is there. */
const branches = (type: string, values: readonly Readonly<Record<string, Json>>[], fields: Readonly<Record<string, Json>> = {}): Fault =>
  steps('gateway', { name: 'Where to', type, ...fields }, (doc, gateway, process) => {
    const [own] = [...modelOf(doc).elements.values()].filter(one => one.kind === 'flow' && one.ends?.from.id === gateway)
    for (const [field, value] of Object.entries(values[0] ?? {})) setField(doc, own!.id, field, value)
    for (const more of values.slice(1)) {
      const end = place(doc, { kind: 'end', parent: process, at: [400, 500], values: {} })
      if (typeof end === 'string') connect(doc, { kind: 'flow', from: gateway, to: end, values: more })
    }
  })

const isUsed = (all: readonly Element[], name: string): boolean =>
  all.some(({ fields }) => Object.values(fields).some(value => typeof value === 'string' && new RegExp(`\\b${name}\\b`).test(value)))

const opposite: Readonly<Record<string, string>> = { request: 'take', take: 'request', release: 'put', put: 'release' }

const faults: readonly (readonly [number, string, Fault])[] = [
  [8001, 'an empty program', sets('compute', 'program', '')],
  [9018, 'a delay without a duration', sets('delay', 'duration', '')],
  [8002, 'a bracket that is not closed', on('delay', (doc, { id }) => setText(doc, id, 'duration', 'exponential(1'))],
  [8002, 'a name with a slip', on('statistic', (doc, { id }) => setText(doc, id, 'expression', 'minn(1, 2)'))],
  [8002, '= for ==', on('statistic', (doc, { id }) => setText(doc, id, 'expression', '1 if time = 3 else 0'))],
  [
    8002,
    'a sign of another language',
    on('statistic', (doc, { id }) => setText(doc, id, 'expression', '1 if time > 3 && time < 5 else 0')),
  ],
  [
    8002,
    'a program that changes nothing',
    steps('compute', { program: 'total_so_far + 1' }, (doc, _, process) => {
      const { parent } = modelOf(doc).elements.get(process)!
      place(doc, { kind: 'variable', parent: parent!, at: [900, 900], values: { name: 'total so far', initial: '0' } })
    }),
  ],
  [8002, 'a named argument before others', on('statistic', (doc, { id }) => setText(doc, id, 'expression', 'round(digits=1, 2.345)'))],
  [8002, 'a number joined to a text', on('statistic', (doc, { id }) => setText(doc, id, 'expression', 'len("about " + 5)'))],
  [
    8002,
    'a container that is gone',
    (doc, all) => {
      const gone = first(all, 'container', one => isUsed(all, String(one.fields['name'])))
      if (gone) remove(doc, [gone.id])
    },
  ],
  [
    8002,
    'a variable that begins with nothing',
    (doc, all) => {
      place(doc, { kind: 'variable', parent: scenarioOf(all), at: [900, 900], values: { name: 'so far', initial: '' } })
      const statistic = first(all, 'statistic')
      if (statistic) setText(doc, statistic.id, 'expression', 'so_far / 2')
    },
  ],
  [8003, 'a halt that says nothing', steps('log', { does: 'assert', condition: 'True', tip: '' })],
  [
    8004,
    'no start that is active',
    (doc, all) => {
      const starts = all.filter(({ kind }) => kind === 'start')
      if (starts.length === 1)
        for (const [field, value] of [
          ['trigger', 'none'],
          ['active', false],
        ] as const)
          setField(doc, starts[0]!.id, field, value)
    },
  ],
  [
    8005,
    'a variable named like another',
    (doc, all) => {
      const [one, two] = all.filter(({ kind, fields }) => kind === 'variable' && isUsed(all, String(fields['name'])))
      if (one && two?.parent === one.parent) rename(doc, two.id, String(one.fields['name']))
    },
  ],
  [8006, 'a name that is a word of the language', other({ name: 'lambda' }, 'variable')],
  [
    8007,
    'steps that nothing leads to',
    on(
      'flow',
      (doc, { id }) => remove(doc, [id]),
      ({ ends }) => ends !== null,
    ),
  ],
  [9001, 'a flow from nowhere', loses('from')],
  [9002, 'a flow to nowhere', loses('to')],
  [
    9003,
    'an input that the process does not have',
    on('process', (doc, process, all) => {
      const called = passiveProcess(doc, all)
      insertCall(doc, process, { process: called, inputs: [{ name: 'nothing', value: '1' }] })
    }),
  ],
  [
    9004,
    'what is used up is requested, or what comes back is taken',
    on(
      'operate',
      (doc, { id, fields }) => setField(doc, id, 'operation', opposite[String(fields['operation'])]!),
      ({ fields }) => Object.hasOwn(opposite, String(fields['operation'])),
    ),
  ],
  [
    9004,
    'a value for an output of a process',
    on('process', (doc, process, all) => {
      const called = passiveProcess(doc, all)
      for (const [name, direction] of [
        ['given', 'in'],
        ['told', 'out'],
      ])
        place(doc, { kind: 'interface', parent: called, at: [0, 200], values: { name: name!, direction: direction! } })
      insertCall(doc, process, { process: called, inputs: [{ name: 'told', value: '1' }] })
    }),
  ],
  [
    9005,
    'a step without a flow into it',
    on('end', (doc, { id }, all) => {
      const [flow, ...more] = all.filter(({ ends }) => ends?.to.id === id)
      if (flow && more.length === 0) remove(doc, [flow.id])
    }),
  ],
  [
    9006,
    'a step that leads nowhere',
    on('compute', (doc, { id }, all) => {
      const flow = all.find(({ kind, ends }) => kind === 'flow' && ends?.from.id === id)
      if (flow) remove(doc, [flow.id])
    }),
  ],
  [
    9007,
    'a flow into a start',
    on('start', (doc, { id, parent }, all) => {
      const step = all.find(one => one.parent === parent && one.kind === 'compute')
      if (step) joins(doc, step.id, id)
    }),
  ],
  [
    9008,
    'a flow out of an end',
    on('end', (doc, { id, parent }, all) => {
      const step = all.find(one => one.parent === parent && one.kind === 'compute')
      if (step) joins(doc, id, step.id)
    }),
  ],
  [
    9009,
    'no start',
    (doc, all) => {
      const start = first(all, 'start', one => all.filter(({ kind }) => kind === 'start').length > 1 && one.parent !== null)
      if (start) remove(doc, [start.id])
    },
  ],
  [
    9010,
    'no end',
    (doc, all) => {
      const process = first(all, 'process', ({ id }) => all.filter(one => one.kind === 'end' && one.parent === id).length === 1)
      const end = all.find(one => one.kind === 'end' && one.parent === process?.id)
      if (end) remove(doc, [end.id])
    },
  ],
  [
    9011,
    'a second start',
    on('process', (doc, { id }) => {
      const start = place(doc, { kind: 'start', parent: id, at: [0, 500], values: {} })
      const end = place(doc, { kind: 'end', parent: id, at: [200, 500], values: {} })
      if (typeof start === 'string' && typeof end === 'string') connect(doc, { kind: 'flow', from: start, to: end })
    }),
  ],
  [
    9012,
    'a boundary event off its activity',
    on('delay', (doc, { parent, geo }) => {
      const event = place(doc, {
        kind: 'boundary',
        parent: parent!,
        at: [geo[0] + 40, geo[1] + geo[3]],
        values: { trigger: 'timer', delay: '1' },
      })
      const end = place(doc, { kind: 'end', parent: parent!, at: [geo[0] + 40, geo[1] + 200], values: {} })
      if (typeof event !== 'string' || typeof end !== 'string') return
      connect(doc, { kind: 'flow', from: event, to: end })
      setField(doc, event, 'host', null)
    }),
  ],
  [9013, 'a gateway with one branch', branches('exclusive', [{ condition: 'True' }])],
  [9014, 'a branch without a condition', branches('exclusive', [{ condition: 'time > 1' }, { condition: '' }])],
  [9015, 'two default branches', branches('exclusive', [{ default: true }, { default: true }])],
  [9016, 'probabilities that make .7', branches('exclusive', [{ weight: '0.5' }, { weight: '0.2' }], { by: 'probability' })],
  [9017, 'an activity after an event-based gateway', branches('event', [{}, {}])],
  [9018, 'a timer without a time', steps('intermediate', { trigger: 'timer', delay: '' })],
  [
    9019,
    'a message that is not chosen',
    (doc, all, model) => {
      other({ name: 'News' }, 'message')(doc, all, model)
      steps('intermediate', { trigger: 'receive' })(doc, all, model)
    },
  ],
  [
    9020,
    'a message for nobody',
    (doc, all, model) => {
      const message = place(doc, { kind: 'message', parent: scenarioOf(all), at: [2000, 2000], values: { name: 'News' } })
      if (first(all, 'agent') && typeof message === 'string') steps('intermediate', { trigger: 'send', message })(doc, all, model)
    },
  ],
  [9021, 'births of nobody', (doc, all, model) => first(all, 'agent') && steps('create', {})(doc, all, model)],
  [9022, 'a slider of what is gone', on('controller', (doc, { id }) => writes(doc, id, 'target', 'gone-long-ago'), has('target'))],
  [
    9023,
    'a call of no process',
    on('process', (doc, process, all) => {
      passiveProcess(doc, all)
      insertCall(doc, process, {})
    }),
  ],
  [
    9024,
    'a request of nothing',
    on('operate', (doc, { id, fields }) =>
      setField(
        doc,
        id,
        'items',
        (fields['items'] as { [key: string]: Json }[]).map(row => ({ ...row, container: '' })),
      ),
    ),
  ],
  [
    9025,
    'an amount below 0',
    on('operate', (doc, { id, fields }) =>
      setField(
        doc,
        id,
        'items',
        (fields['items'] as { [key: string]: Json }[]).map(row => ({ ...row, amount: '-1' })),
      ),
    ),
  ],
  [9025, 'a capacity below 0', sets('container', 'capacity', '-5')],
  [9026, 'a link between nobody', (doc, all, model) => first(all, 'agent') && other({ name: 'Knows' }, 'link')(doc, all, model)],
  [
    9027,
    'bounds in the wrong order',
    on('space', (doc, { id }) => {
      setField(doc, id, 'minX', '10')
      setField(doc, id, 'maxX', '5')
    }),
  ],
  [9028, 'half an agent', sets('agent', 'initialNumber', '1.5')],
  [
    9029,
    'agents that inherit each other',
    (doc, all) => {
      const [one, two] = all.filter(({ kind }) => kind === 'agent')
      if (!one || !two) return
      writes(doc, one.id, 'inherits', two.id)
      writes(doc, two.id, 'inherits', one.id)
    },
  ],
  [9030, 'a chart of nothing', sets('chart', 'series', [])],
  [9030, 'a statistic of nothing', sets('statistic', 'expression', '')],
  [
    9031,
    'a slider without a target',
    (doc, all) => {
      const slider = first(all, 'controller', one => all.filter(({ kind }) => kind === 'variable').some(v => v.id === one.fields['target']))
      if (slider) setField(doc, slider.id, 'target', null)
    },
  ],
  [9032, 'sizes of a network that are no numbers', other({ name: 'Net', layers: 'many' }, 'network')],
  [9033, 'a node that is none', sets('blockchain', 'node', 'no where')],
]

/** A connector that the editor would refuse. */
function joins(doc: Y.Doc, from: Id, to: Id): void {
  const flow = [...modelOf(doc).elements.values()].find(one => one.kind === 'flow' && one.ends?.from.id === from)
  const target = flow ?? [...modelOf(doc).elements.values()].find(one => one.kind === 'flow')
  const { parent } = modelOf(doc).elements.get(from)!
  const layout = layoutOf(doc)
  const id = `joined-${from}`.slice(0, 40)
  doc.transact(() => {
    layout.kind.set(id, 'flow')
    layout.tree.set(id, [parent, 'zz'])
    layout.geo.set(id, target!.geo)
    layout.conn.set(id, { from: { id: from, x: 0, y: 0 }, to: { id: to, x: 0, y: 0 } })
  }, 'local')
}

function passiveProcess(doc: Y.Doc, all: readonly Element[]): Id {
  const process = place(doc, { kind: 'process', parent: scenarioOf(all), at: [2000, 2400], values: { name: 'Called' } }) as Id
  const start = place(doc, { kind: 'start', parent: process, at: [0, 0], values: { active: false } }) as Id
  const end = place(doc, { kind: 'end', parent: process, at: [200, 0], values: {} }) as Id
  connect(doc, { kind: 'flow', from: start, to: end })
  return process
}

function insertCall(doc: Y.Doc, process: Element, values: Readonly<Record<string, Json>>): void {
  const flow = [...modelOf(doc).elements.values()].find(one => one.kind === 'flow' && one.parent === process.id)
  const call = place(doc, { kind: 'call', parent: process.id, at: [300, 500], values })
  if (flow && typeof call === 'string') insertStep(doc, flow.id, call)
}

/** Samples that a fault is put into. */
const MOST = 2

describe('the guide mends', () => {
  it.each(faults)('%i: %s', (code, _, put) => {
    let times = 0
    for (const [id, file, clean] of samples) {
      if (times === MOST) break
      const doc = docOf(file)
      const model = modelOf(doc)
      put(doc, [...model.elements.values()], model)
      const branch = new Branch(doc)
      const before = branch.problems()
      const problem = newAmong(clean, before).find(one => one.code === code)
      if (!problem) continue
      times++
      const gone = (after: readonly Problem[]): void => {
        expect(after.filter(one => spotOf(one) === spotOf(problem)).length, `${id}: ${english(problem.message)}`).toBeLessThan(
          before.filter(one => spotOf(one) === spotOf(problem)).length,
        )
        expect(newAmong(before, after), id).toEqual([])
      }
      const repair = mend(branch, problem)
      if (repair.is === 'ask') {
        expect(repair.choices.length).toBeGreaterThan(1)
        for (const { calls } of repair.choices) {
          const tried = new Branch(doc)
          expect(tried.edit(calls)).not.toHaveProperty('refused')
          gone(tried.problems())
        }
      } else {
        expect(repair.is, `${id}: ${problem.at.id}.${problem.at.field ?? ''}: ${english(problem.message)}`).toBe('done')
        gone(branch.problems())
      }
    }
    expect(times).toBeGreaterThan(0)
  })
})
