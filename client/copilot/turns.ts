// The parts of a conversation, as plain data stored on the device: questions to the guide and to language models, with the answers.
import type { Id, Model } from '../../model-schema/model.ts'
import { standingsOf, verdictsOn, type Proposal } from '../../model-schema/proposals.ts'
import { visible } from '../../sim-engine/copilot/doors/tools.ts'
import type { Message, TurnEnd } from '../../sim-engine/copilot/doors/dialogue.ts'
import type { Answer, Question } from '../../sim-engine/copilot/doors/questions.ts'
import type { Session } from '../session.ts'
import { verbatim, type Words } from '../../model-schema/words.ts'
import type { Subject } from './files/subject.ts'

export type GuideTurn = {
  readonly is: 'guide'
  readonly id: number
  readonly asked: Words
  /** The question, as long as it can be repeated: on this device. */
  readonly question?: Question
  readonly answer: Answer | null
  /** It could not be answered, or was stopped. */
  readonly ended: 'failed' | 'stopped' | null
}

/** A text or tool call of a model, in order. `result` is null while the tool is being executed. */
export type Part =
  | { readonly is: 'text'; readonly text: string }
  | {
      readonly is: 'tool'
      readonly id: string
      readonly name: string
      readonly given: string
      readonly result: string | null
      readonly ok: boolean
    }

export type ModelTurn = {
  readonly is: 'model'
  readonly id: number
  readonly asked: string
  /** What the model is called. */
  readonly by: string
  readonly parts: readonly Part[]
  readonly tokens: number
  /** The description of the document sent with the question; kept for the last turn only. */
  readonly told?: string | null
  readonly end: { readonly why: TurnEnd; readonly detail: string } | null
}

export type Turn = GuideTurn | ModelTurn

/** A stored conversation. `messages`: the part of it that is sent to a model. */
export type Kept = {
  readonly user: string
  readonly doc: string
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly turns: readonly Turn[]
  readonly messages: readonly Message[]
}

/** Most talks kept of a document, turns of a talk. */
export const TALK_LIMITS = { talks: 50, turns: 50 } as const

export const isBusy = (turns: readonly Turn[]): boolean => {
  const last = turns.at(-1)
  return last?.is === 'guide' ? last.answer === null && last.ended === null : last?.end === null
}

/** What a talk is called in a list: its first question. */
export function titleOf({ turns }: Pick<Kept, 'turns'>): Words {
  const [first] = turns
  return first?.is === 'guide' ? first.asked : verbatim(first?.asked ?? '')
}

/** The same turn with what was said or done added. */
export function withText(turn: ModelTurn, text: string): ModelTurn {
  const last = turn.parts.at(-1)
  if (last?.is !== 'text') return { ...turn, parts: [...turn.parts, { is: 'text', text }] }
  return { ...turn, parts: [...turn.parts.slice(0, -1), { is: 'text', text: last.text + text }] }
}

export const withoutTold = (turn: Turn): Turn => (turn.is === 'model' && turn.told ? { ...turn, told: null } : turn)

/** Ends after which a model can go on from what it has said and done. */
const unfinished: ReadonlySet<TurnEnd> = new Set(['cut', 'offline', 'unreachable', 'busy', 'length', 'calls', 'tokens', 'stopped'])

/** Whether the last turn can be gone on with, without asking and paying for all of it again. */
export const isUnfinished = (turn: Turn | undefined): boolean =>
  turn?.is === 'model' && turn.end !== null && unfinished.has(turn.end.why) && turn.parts.length > 0

/** The talk with what was said last and is not in it yet: an answer that was cut. Calls of tools that were not executed are left out. */
export function withCut(messages: readonly Message[], turn: Turn | undefined): readonly Message[] {
  if (turn?.is !== 'model' || turn.end?.why !== 'cut') return messages
  const last = turn.parts.at(-1)
  const asked: readonly Message[] = messages.some(one => one.role === 'user' && one.text.startsWith(turn.asked))
    ? messages
    : [...messages, { role: 'user', text: turn.asked }]
  return last?.is === 'text' ? [...asked, { role: 'assistant', text: last.text, calls: [] }] : asked
}

/** Turns that were under way when the page was closed are over. */
export const settled = (turns: readonly Turn[]): Turn[] =>
  turns.map(turn =>
    turn.is === 'guide'
      ? turn.answer === null && turn.ended === null
        ? { ...turn, ended: 'stopped' }
        : turn
      : turn.end === null
        ? { ...turn, end: { why: 'cut', detail: '' } }
        : turn,
  )

const nameIn = (model: Model, id: Id): string => {
  const element = model.elements.get(id)
  if (!element) return id
  const name = element.fields['name']
  return `[[${id}]] ${element.kind}${typeof name === 'string' && name !== '' ? ` ${visible(JSON.stringify(name.slice(0, 200)))}` : ''}`
}

/** A description of the user's current canvas and selection, sent to a model with the question. */
export function whereabouts(model: Model, canvas: Id, selection: readonly Id[]): string {
  const chosen = selection.slice(0, 20).map(id => nameIn(model, id))
  return [
    `The model has ${model.elements.size} elements and ${model.scenarios.length} scenarios. Open canvas: ${nameIn(model, canvas)}.`,
    chosen.length > 0 ? `Selected: ${chosen.join('; ')}.` : 'Nothing is selected.',
  ].join(' ')
}

/** Whether anything of a proposal is still to be decided. */
export const isUndecided = ({ doc }: Session, proposal: Proposal): boolean =>
  standingsOf(doc, proposal)
    .values()
    .some(({ is }) => is === 'open') ||
  verdictsOn(doc, proposal)
    .values()
    .some(is => is === 'open')

const draftTool = { experiment: 'experiment_file', chart: 'chart', dashboard: 'dashboard' } as const

/** The same for the editor of a file about a model. */
export const whereaboutsIn = ({ kind, name, model }: Subject, id: string): string =>
  model
    ? `The ${kind} ${visible(JSON.stringify(name.slice(0, 200)))} about this model is open. Only it is changed here, by "${draftTool[kind]}" with {"of": "${id}"}; the model is read and run.`
    : 'The open file is about no model that is here: only its words can be talked about.'

/** What the person decided on a proposal, in words for a model; null as long as nothing is decided. */
export function verdictOn({ doc, model: store }: Session, proposal: Proposal, isThere: boolean): string | null {
  const { model } = store.getState()
  const standings = [...standingsOf(doc, proposal)]
  const those = (is: string): string => {
    const ids = standings.filter(([, standing]) => standing.is === is).map(([id]) => id)
    return ids.length === 0
      ? ''
      : `${is}: ${ids
          .slice(0, 30)
          .map(id => nameIn(model, id))
          .join('; ')}${ids.length > 30 ? ` and ${ids.length - 30} more` : ''}`
  }
  const files = (proposal.files ?? []).flatMap(({ id, kind, name }) => {
    const is = verdictsOn(doc, proposal).get(id)
    return is === undefined || is === 'open' ? [] : [`${is}: ${kind} file ${visible(JSON.stringify(name))}`]
  })
  const parts = [those('taken'), those('rejected'), ...files].filter(part => part !== '')
  if (isThere && parts.length === 0) return null
  const rest = standings.some(([, { is }]) => is === 'open') ? (isThere ? 'the rest is undecided' : 'the rest was rejected') : ''
  return `Decided on your proposal ${JSON.stringify(proposal.title)}: ${[...parts, rest].filter(part => part !== '').join('. ')}.`
}
