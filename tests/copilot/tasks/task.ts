// A task for a language model: a question about a model, a script that solves it, and a grader that runs the resulting model or checks facts. The same
// tasks are put to scripted models in tests and to a real endpoint by `npm run bench copilot -- --endpoint URL`.
import { Doc } from 'yjs'
import { loadFile, modelOf } from '../../../model-schema/document.ts'
import type { Id, Model } from '../../../model-schema/model.ts'
import { accept, contentOf, documentFrom, type Proposal } from '../../../model-schema/proposals.ts'
import { ToolSession } from '../../../sim-engine/copilot/doors/copilot.ts'
import { Branch } from '../../../sim-engine/copilot/branch.ts'
import { intervalOf } from '../../../sim-engine/experiment.ts'
import { replications } from '../../../sim-engine/copilot/trials.ts'
import { converse, toolsOf, type Message, type Mode, type ModelEvent, type TurnEvent } from '../../../sim-engine/copilot/doors/dialogue.ts'
import type { Played } from '../../help/network/provider.ts'
import { model, scenario, type Built } from '../../help/models.ts'
import { english } from '../../../model-schema/words.ts'

/** Ids of the model of a task by name. */
export type Ids = (name: string) => Id

export type Task = {
  readonly id: string
  readonly language: 'en' | 'zh'
  readonly mode?: Mode
  readonly asks: string
  /** The model it is about; an empty one when left away. */
  readonly on?: () => Built
  /** What a model that solves it says and does, call by call. */
  readonly solves: (ids: Ids, scenario: Id) => readonly Played[]
  /** What a model that fails does; one that answers without using a tool when left away. */
  readonly fails?: (ids: Ids, scenario: Id) => readonly Played[]
  /** What is wrong with the result, in sentences; nothing when the task is solved. */
  readonly grade: (result: Result) => readonly string[]
}

export type Result = {
  readonly before: Model
  /** The model with everything that was offered taken in, and a document with it. */
  readonly after: Model
  readonly doc: Doc
  readonly proposal: Proposal | null
  /** All that was said to the person, questions of `ask` among it. */
  readonly said: string
  readonly used: readonly { readonly name: string; readonly given: string; readonly ok: boolean; readonly text: string }[]
  readonly end: string
  readonly tokens: number
  readonly ids: Ids
}

export type CallModel = (messages: readonly Message[], mode: Mode, signal: AbortSignal) => AsyncIterable<ModelEvent>

export function documentOf({ on }: Pick<Task, 'on'>): Doc {
  const doc = new Doc()
  loadFile(doc, (on?.() ?? model(scenario())).file)
  return doc
}

export const idsIn =
  (model: Model): Ids =>
  name => {
    const found = model.elements.has(name) ? name : [...model.elements.values()].find(({ fields }) => fields['name'] === name)?.id
    if (found === undefined) throw new Error(`there is no ${name}`)
    return found
  }

/** Puts a task to a model, as the page does. */
export async function attempt(task: Task, call: CallModel, signal = new AbortController().signal): Promise<Result> {
  const doc = documentOf(task)
  const before = modelOf(doc)
  const content = contentOf(doc)
  const mode = task.mode ?? 'propose'
  const allowed: readonly string[] = toolsOf(mode)
  let proposal: Proposal | null = null
  const session = new ToolSession({
    doc,
    author: { kind: 'copilot', name: 'Tested model' },
    now: () => 0,
    writes: true,
    offer: made => {
      proposal = made
      return null
    },
  })
  const told = session.context({ canvas: before.scenarios[0] ?? null, selection: [], words: task.asks }).text
  const used: { name: string; given: string; ok: boolean; text: string }[] = []
  let [said, end, tokens] = ['', '', 0]
  const hear = (event: TurnEvent): void => {
    if (event.is === 'text') said += event.text
    else if (event.is === 'end') end = event.why
    else if (event.is === 'usage') tokens += event.tokensIn + event.tokensOut
  }
  const turn = converse({
    messages: [{ role: 'user', text: `${task.asks}\n\n${told}` }],
    call: (messages, stop) => call(messages, mode, stop),
    use: async (name, given) => {
      const answer = allowed.includes(name) ? session.use(name, given) : ({ ok: false, why: `There is no tool "${name}" here.` } as const)
      const result = { ok: answer.ok, text: answer.ok ? JSON.stringify(answer.value) : answer.why }
      if (name === 'ask' && answer.ok) said += `\n${given}`
      used.push({ name, given, ...result })
      return result
    },
    signal,
  })
  for await (const event of turn) hear(event)
  if (!sameBytes(contentOf(doc), content)) throw new Error(`${task.id}: the document was changed before anything was accepted`)
  const taken = documentFrom(content)
  const offered = proposal as Proposal | null
  if (offered)
    accept(
      taken,
      offered,
      offered.deltas.map(({ id }) => id),
    )
  return { before, after: modelOf(taken), doc: taken, proposal: offered, said, used, end, tokens, ids: idsIn(before) }
}

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, i) => byte === b[i])

// Graders: each gives what is wrong.

/** The checker finds no errors, and something was offered. */
export const builds = ({ proposal, doc }: Result): string[] => [
  ...(proposal ? [] : ['nothing was offered']),
  ...new Branch(doc).problems().flatMap(({ code, severity, message }) => (severity === 'error' ? [`${code} ${english(message)}`] : [])),
]

/** The mean of a measure over runs with seeds 1, 2, ... is within four standard errors, and `slack`, of what it must be. */
export function measures(result: Result, name: string, expected: number, { runs = 6, ticks = 400, slack = 0 } = {}): string[] {
  const found = replications(new Branch(result.doc), runs, { ticks })
  const values = found && [...found].find(([one]) => one.replaceAll('_', ' ').toLowerCase() === name.toLowerCase())?.[1]
  if (!values) return [`nothing is measured as "${name}": ${found ? [...found.keys()].join(', ') : 'the model does not run'}`]
  const { mean } = intervalOf(values, 0.95)
  const error = Math.sqrt(values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / Math.max(1, values.length - 1) / values.length)
  return Math.abs(mean - expected) <= 4 * error + slack ? [] : [`${name} is ${mean} ± ${error}, not ${expected}`]
}

/** Only so many elements are touched. */
export const touches = ({ proposal }: Result, most: number): string[] =>
  (proposal?.deltas.length ?? 0) <= most ? [] : [`${proposal?.deltas.length} elements are touched, at most ${most} need to be`]

/** The answer names these elements, and none that is not there. */
export function cites({ said, after, ids }: Result, ...names: readonly string[]): string[] {
  const cited = new Set([...said.matchAll(/\[\[([\w-]{1,64})\]\]/g)].map(([, id]) => id ?? ''))
  const missing = names.filter(name => !cited.has(ids(name))).map(name => `does not cite ${name}`)
  return [...missing, ...[...cited].filter(id => !after.elements.has(id)).map(id => `cites ${id}, which is not there`)]
}

export const says = ({ said }: Result, ...facts: readonly RegExp[]): string[] =>
  facts.filter(fact => !fact.test(said)).map(fact => `does not say ${fact}`)

/** One of these tools gave an answer. */
export const uses = ({ used }: Result, ...names: readonly string[]): string[] =>
  used.some(({ name, ok }) => ok && names.includes(name)) ? [] : [`uses none of ${names.join(', ')}`]

export const changesNothing = ({ proposal }: Result): string[] => (proposal ? ['something was offered'] : [])

export const asks = ({ end }: Result): string[] => (end === 'asked' ? [] : ['did not ask'])

// What scripts are written with.

export type Call = { readonly do: string; readonly [key: string]: unknown }

export const edit = (...calls: readonly Call[]): Played => ({ uses: [{ name: 'edit', given: { calls } }] })
export const use = (name: string, given: unknown = {}): Played => ({ uses: [{ name, given }] })
export const offer = (title: string): Played => use('offer', { title, why: title })
export const put = (kind: string, parent: string, values: object = {}): Call => ({ do: 'place', kind, parent, values })
export const set = (id: string, field: string, value: unknown): Call => ({ do: 'set', id, field, value })
export const link = (from: string, to: string, values: object = {}): Call => ({ do: 'connect', from, to, values })

/** A process of steps in a row, as calls `first` (1, 2, ...) and following of a batch. */
export function row(first: number, parent: string, name: string, ...steps: readonly (readonly [kind: string, values?: object])[]): Call[] {
  return [
    put('process', parent, { name }),
    ...steps.map(([kind, values], i) => ({ ...put(kind, `$${first}`, values), at: [i * 160, 60] })),
    ...steps.slice(1).map((_, i) => link(`$${first + 1 + i}`, `$${first + 2 + i}`)),
  ]
}

/** Solved by a proposal of these edits. */
export const proposes =
  (make: (ids: Ids, scenario: Id) => readonly Call[]) =>
  (ids: Ids, scenario: Id): readonly Played[] => [edit(...make(ids, scenario)), use('check'), offer('As asked')]
