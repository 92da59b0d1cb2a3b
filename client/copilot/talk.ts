// A conversation about an open document with the guide or with language models. This device keeps fifty of a document; a person may keep one with the
// file on the server. The guide answers in a worker. A language model is called over the server; its tools are executed here, on a fork of the document.
import { i18n } from '@lingui/core'
import { nanoid } from 'nanoid'
import { createStore } from 'zustand/vanilla'
import { converse, toolsOf, type Message, type Mode, type ModelEvent, type TurnEvent } from '../../sim-engine/copilot/doors/dialogue.ts'
import { isToolName, readingTools } from '../../sim-engine/copilot/doors/tools.ts'
import type { Answer, Compared, Question } from '../../sim-engine/copilot/doors/questions.ts'
import { contentOf, offer, proposalsOf } from '../../model-schema/proposals.ts'
import type { Session } from '../session.ts'
import type { CopilotWork } from '../session/presence.ts'
import { comparedFor, type VersionShelf } from './compared.ts'
import type { Answered, Asked } from './guide-worker.ts'
import { keepTalk, lastTalk } from './talks/kept.ts'
import { Toolbox } from './toolbox.ts'
import {
  isBusy,
  isUndecided,
  TALK_LIMITS,
  settled,
  verdictOn,
  whereabouts,
  whereaboutsIn,
  withCut,
  withoutTold,
  withText,
  type Kept,
  type ModelTurn,
  type Part,
  type Turn,
} from './turns.ts'
import { subjectOf } from './files/subject.ts'
import { callServer } from './wire.ts'
import type { Words } from '../../model-schema/words.ts'
import { startWorking } from '../workers/start.ts'

/** A language model, as far as a question needs it. */
export type Chosen = { readonly id: string; readonly label: string; readonly mode: Mode; readonly file?: string }

type Now = {
  readonly talk: string
  readonly turns: readonly Turn[]
  /** The conversation of another user, stored with the file, that this one continues. */
  readonly from: string | null
}

type GuideTurn = Extract<Turn, { is: 'guide' }>

/** Where a person is in the document. */
type Position = { readonly canvas: string; readonly selection: readonly string[] }

const isUnanswered = (turn: Turn): turn is GuideTurn => turn.is === 'guide' && turn.answer === null && turn.ended === null

/** The reference is looked up in the language of the page. */
const textsFor = ({ about }: Question): Asked['texts'] =>
  (about !== 'how' && about !== 'explain') || i18n.locale.startsWith('en') ? null : { locale: i18n.locale, messages: i18n.messages }

/** What a talk needs of the world; given by tests. */
export type TalkWorld = {
  readonly toolbox: Toolbox
  readonly call: (call: Parameters<typeof callServer>[0], signal: AbortSignal) => AsyncIterable<ModelEvent>
  readonly keep: (talk: Kept) => void
  readonly versions: () => Promise<VersionShelf>
  /** Shows the others in the document what the copilot does. */
  readonly show: (work: CopilotWork | null) => void
}

/** The prompt that asks a model to continue; shown as such. */
export const onward =
  'Go on from where you were cut off. Do not repeat what you said. Edits may be gone: "changes" says what your fork has, make those that are missing.'

const talks = new WeakMap<Session, Talk>()

export function talkOf(session: Session): Talk {
  const known = talks.get(session)
  if (known) return known
  const made = new Talk(session, {
    toolbox: new Toolbox(session),
    call: callServer,
    keep: talk => void keepTalk(talk).catch((error: unknown) => console.warn('the talk is not kept', error)),
    versions: async () => new (await import('../history/versions.ts')).Versions(session),
    show: copilot => session.presence({ copilot }),
  })
  talks.set(session, made)
  void lastTalk(session.target.user.id, session.docId)
    .then(kept => kept && made.store.getState().turns.length === 0 && made.turnTo(kept))
    .catch((error: unknown) => console.warn('earlier talks cannot be read', error))
  session.whenClosed(() => {
    made.stop()
    made.toolbox.close()
  })
  return made
}

/** The thread the guide answers in. It starts with the first question. */
class Guide {
  readonly #session: Session
  readonly #ended: (id: number, how: Partial<GuideTurn>) => void
  #worker: Worker | null = null
  #last = 0

  constructor(session: Session, ended: (id: number, how: Partial<GuideTurn>) => void) {
    this.#session = session
    this.#ended = ended
  }

  ask(id: number, question: Question, compared: Compared | null): void {
    this.#last = id
    this.#worker ??= this.#begin()
    const content = contentOf(this.#session.doc)
    const { model = null, others = [] } = subjectOf(this.#session) ?? {}
    const of = (model ? [model, ...others] : []).map(one => ({ content: contentOf(one.doc), id: one.docId }))
    const message: Asked = { id, content, question, now: Date.now(), texts: textsFor(question), compared, of }
    this.#worker.postMessage(message, [content.buffer, ...of.map(one => one.content.buffer)])
  }

  stop(): void {
    this.#worker?.terminate()
    this.#worker = null
  }

  #begin(): Worker {
    const made = startWorking('guide')
    made.addEventListener('message', ({ data }: MessageEvent<Answered>) => this.#hear(data))
    made.addEventListener('error', event => {
      event.preventDefault()
      this.#worker = null
      this.#ended(this.#last, { ended: 'failed' })
    })
    return made
  }

  #hear(data: Answered): void {
    if ('failed' in data) return this.#ended(data.id, { ended: 'failed' })
    // The proposal is in the document from now on; the talk only has the words.
    this.#ended(data.id, { answer: { ...data.answer, proposal: null } })
    const { proposal } = data.answer
    if (proposal && this.#session.access.getState().writable) offer(this.#session.doc, proposal)
  }
}

export class Talk {
  readonly store = createStore<Now>(() => ({ talk: nanoid(12), turns: [], from: null }))
  readonly toolbox: Toolbox
  readonly #session: Session
  readonly #world: TalkWorld
  readonly #guide: Guide
  #messages: readonly Message[] = []
  #last = 0
  #stopping = new AbortController()

  constructor(session: Session, world: TalkWorld) {
    this.#session = session
    this.#world = world
    this.toolbox = world.toolbox
    this.#guide = new Guide(session, (id, how) => this.#endGuide(id, how))
    let shown: CopilotWork | null = null
    this.store.subscribe(({ turns }) => {
      const work = workIn(turns)
      if (work !== shown) world.show((shown = work))
    })
  }

  /** Asks the guide. */
  ask(asked: Words, question: Question): void {
    const id = ++this.#last
    this.#add({ is: 'guide', id, asked, question, answer: null, ended: null })
    const shown = question.about === 'result' ? subjectOf(this.#session)?.explain() : null
    if (shown) return this.#show(id, shown)
    if (question.about !== 'changes') return this.#guide.ask(id, question, null)
    void this.#world
      .versions()
      .then(shelf => comparedFor(shelf, question, i18n.locale))
      .then(compared => this.#isOpen(id) && this.#guide.ask(id, question, compared))
      .catch((error: unknown) => {
        console.warn('versions cannot be compared', error)
        this.#endGuide(id, { ended: 'failed' })
      })
  }

  /** Shows an answer that the page makes: what it is made from is only there. */
  #show(id: number, shown: Promise<Answer>): void {
    shown.then(
      answer => this.#endGuide(id, { answer }),
      (error: unknown) => {
        console.warn('results cannot be explained', error)
        this.#endGuide(id, { ended: 'failed' })
      },
    )
  }

  /** Asks a language model. `at` is the user's position in the document. Resolves when the turn is over. */
  async say(text: string, to: Chosen, at: Position): Promise<void> {
    const { toolbox } = this
    const id = ++this.#last
    const { signal } = (this.#stopping = new AbortController())
    this.#add({ is: 'model', id, asked: text, by: to.label, parts: [], tokens: 0, end: null, told: null })
    const allowed: readonly string[] = toolsOf(to.mode)
    const turn = nanoid(16)
    const asked = `${text}\n\n(${this.#besides(at)})`
    const scenario = subjectOf(this.#session)?.model?.model.getState().model.scenarios[0]
    const where = scenario === undefined ? at : { canvas: scenario, selection: [] }
    const told = await toolbox.context(to.label, { ...where, words: text })
    this.#changeModel(id, one => ({ ...one, told }))
    const before = this.#messages
    // Only the question is kept: the next one is sent with a new description of the document.
    const keep = (all: readonly Message[]): void => {
      this.#messages = all.with(before.length, { role: 'user', text: asked })
    }
    const events = converse({
      messages: [...before, { role: 'user', text: told === null ? asked : `${asked}\n\n${told}` }],
      call: (all, stop) =>
        this.#world.call(
          { provider: to.id, turn, mode: to.mode, messages: all, ...(to.file === undefined ? {} : { file: to.file }) },
          stop,
        ),
      use: async (name, given) =>
        allowed.includes(name) ? toolbox.use(to.label, name, given) : { ok: false, text: `There is no tool "${name.slice(0, 60)}" here.` },
      signal,
      kept: all => {
        keep(all)
        this.#save()
      },
    })
    for (;;) {
      const { done, value } = await events.next()
      if (done === true) {
        keep(value)
        break
      }
      this.#hearTurn(id, value)
    }
    this.#save()
  }

  /** Lets a model continue a turn that was interrupted or ended too early: its earlier text and tool results are not paid for again. */
  async goOn(to: Chosen, at: Position): Promise<void> {
    await this.say(onward, to, at)
  }

  stop(): void {
    this.#stopping.abort()
    this.toolbox.stop()
    this.#guide.stop()
    const open = this.store.getState().turns.at(-1)
    if (open?.is === 'guide' && isBusy([open])) this.#endGuide(open.id, { ended: 'stopped' })
  }

  /** Begins another conversation, or continues a stored one; `from` as in the store. */
  turnTo(kept: Kept | null, from?: string): void {
    if (isBusy(this.store.getState().turns)) return
    const turns = settled(kept?.turns ?? [])
    this.#messages = withCut(kept?.messages ?? [], turns.at(-1))
    this.#last = Math.max(this.#last, ...turns.map(({ id }) => id))
    this.#forgetProposal()
    this.store.setState({ talk: kept?.id ?? nanoid(12), turns, from: from ?? null })
  }

  /** The talk as it is now. */
  whole(): Kept {
    const { talk, turns } = this.store.getState()
    return { user: this.#session.target.user.id, doc: this.#session.docId, id: talk, at: Date.now(), turns, messages: this.#messages }
  }

  #save(): void {
    this.#world.keep(this.whole())
  }

  #add(turn: Turn): void {
    this.store.setState(({ turns }) => ({ turns: [...turns.slice(1 - TALK_LIMITS.turns).map(withoutTold), turn] }))
  }

  #change(id: number, next: (turn: Turn) => Turn): void {
    this.store.setState(({ turns }) => ({ turns: turns.map(turn => (turn.id === id ? next(turn) : turn)) }))
  }

  #changeModel(id: number, next: (turn: ModelTurn) => ModelTurn): void {
    this.#change(id, turn => (turn.is === 'model' ? next(turn) : turn))
  }

  #endGuide(id: number, how: Partial<GuideTurn>): void {
    this.#change(id, turn => (isUnanswered(turn) ? { ...turn, ...how } : turn))
    this.#save()
  }

  #isOpen(id: number): boolean {
    return this.store.getState().turns.some(turn => turn.id === id && isUnanswered(turn))
  }

  /** The context sent with the question: the user's position, and the verdicts on earlier proposals. */
  #besides(at: Position): string {
    const { offered } = this.toolbox
    const isThere = offered !== null && proposalsOf(this.#session.doc).some(({ id }) => id === offered.id)
    const verdict = offered && verdictOn(this.#session, offered, isThere)
    if (offered && (!isThere || !isUndecided(this.#session, offered))) this.#forgetProposal()
    const file = subjectOf(this.#session)
    const { model } = this.#session.model.getState()
    const place = file ? whereaboutsIn(file, this.#session.docId) : whereabouts(model, at.canvas, at.selection)
    return [place, verdict ?? ''].filter(part => part !== '').join('\n')
  }

  #forgetProposal(): void {
    this.toolbox.offered = null
    this.toolbox.reset()
  }

  #hearTurn(id: number, event: TurnEvent): void {
    this.#changeModel(id, turn => afterEvent(turn, event))
  }
}

/** What the last turn is at. */
function workIn(turns: readonly Turn[]): CopilotWork | null {
  if (!isBusy(turns)) return null
  const last = turns.at(-1)
  const isBranch = (part: Part): boolean => part.is === 'tool' && isToolName(part.name) && !readingTools.includes(part.name)
  return last?.is === 'model' && last.parts.some(isBranch) ? 'preparing' : 'answering'
}

function afterEvent(turn: ModelTurn, event: TurnEvent): ModelTurn {
  switch (event.is) {
    case 'text':
      return withText(turn, event.text)
    case 'usage':
      return { ...turn, tokens: turn.tokens + event.tokensIn + event.tokensOut }
    case 'end':
      return { ...turn, end: { why: event.why, detail: event.detail } }
    case 'tool': {
      const part: Part = { is: 'tool', id: event.use.id, name: event.use.name, given: event.use.given, result: null, ok: true }
      return { ...turn, parts: [...turn.parts, part] }
    }
    default:
      return {
        ...turn,
        // Ids are the provider's: the same one may come again in a later call.
        parts: turn.parts.map(part =>
          part.is === 'tool' && part.id === event.id && part.result === null ? { ...part, result: event.text, ok: event.ok } : part,
        ),
      }
  }
}
