// A conversation about an open document with the guide or with language models. This device keeps fifty of a document; a person may keep one with the
// file on the server. The guide answers in a worker. A language model is called over the server; its tools are executed here, on a fork of the document.
import { i18n } from '@lingui/core'
import { nanoid } from 'nanoid'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { converse, toolsOf, type Message, type Mode, type ModelEvent, type TurnEvent } from '../../sim-engine/dialogue.ts'
import type { Compared, Question } from '../../sim-engine/questions.ts'
import { contentOf, offer, proposalsOf } from '../../model-schema/proposals.ts'
import type { Session } from '../session.ts'
import { comparedFor, type VersionShelf } from './compared.ts'
import type { Answered, Asked } from './guide-worker.ts'
import { keepTalk, lastTalk } from './kept.ts'
import { Toolbox } from './toolbox.ts'
import {
  isBusy,
  KEPT,
  settled,
  verdictOn,
  whereabouts,
  withCut,
  withoutTold,
  withText,
  type Kept,
  type ModelTurn,
  type Part,
  type Turn,
} from './turns.ts'
import { callServer } from './wire.ts'
import type { Words } from '../../model-schema/words.ts'
import { startWorking } from '../workers/start.ts'

/** A language model, as far as a question needs it. */
export type Chosen = { readonly id: string; readonly label: string; readonly mode: Mode; readonly file?: string }

type Now = {
  readonly talk: string
  readonly turns: readonly Turn[]
  /** The talk of somebody else, kept with the file, that this one goes on from. */
  readonly from: string | null
}

export type Talk = {
  readonly store: StoreApi<Now>
  readonly toolbox: Toolbox
  /** Asks the guide. */
  ask(asked: Words, question: Question): void
  /** Asks a language model. `canvas` and `selection` say where the person is. Resolves when the turn is over. */
  say(text: string, to: Chosen, at: { readonly canvas: string; readonly selection: readonly string[] }): Promise<void>
  /** Lets a model go on where its last turn was cut or ended too early: what it said and its tools gave is not paid for again. */
  goOn(to: Chosen, at: { readonly canvas: string; readonly selection: readonly string[] }): Promise<void>
  stop(): void
  /** Begins another talk, or goes on with one that was kept; `from` as in the store. */
  turnTo(kept: Kept | null, from?: string): void
  /** The talk as it is now. */
  whole(): Kept
}

/** The reference is looked up in the language of the page. */
const textsFor = ({ about }: Question): Asked['texts'] =>
  (about !== 'how' && about !== 'explain') || i18n.locale.startsWith('en') ? null : { locale: i18n.locale, messages: i18n.messages }

/** What a talk needs of the world; given by tests. */
export type TalkWorld = {
  readonly toolbox: Toolbox
  readonly call: (call: Parameters<typeof callServer>[0], signal: AbortSignal) => AsyncIterable<ModelEvent>
  readonly keep: (talk: Kept) => void
  readonly versions: () => Promise<VersionShelf>
}

/** What a model is told to go on; shown as such. */
export const onward =
  'Go on from where you were cut off. Do not repeat what you said. Edits may be gone: "changes" says what your fork has, make those that are missing.'

const talks = new WeakMap<Session, Talk>()

export function talkOf(session: Session): Talk {
  const known = talks.get(session)
  if (known) return known
  const made = createTalk(session, {
    toolbox: new Toolbox(session),
    call: callServer,
    keep: talk => void keepTalk(talk).catch((error: unknown) => console.warn('the talk is not kept', error)),
    versions: async () => new (await import('../history/versions.ts')).Versions(session),
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

export function createTalk(session: Session, { toolbox, call, keep, versions }: TalkWorld): Talk {
  const store = createStore<Now>(() => ({ talk: nanoid(12), turns: [], from: null }))
  let messages: readonly Message[] = []
  let worker: Worker | null = null
  let last = 0
  let stopping = new AbortController()

  const change = (id: number, next: (turn: Turn) => Turn): void =>
    store.setState(({ turns }) => ({ turns: turns.map(turn => (turn.id === id ? next(turn) : turn)) }))
  const changeModel = (id: number, next: (turn: ModelTurn) => ModelTurn): void =>
    change(id, turn => (turn.is === 'model' ? next(turn) : turn))
  const add = (turn: Turn): void => store.setState(({ turns }) => ({ turns: [...turns.slice(1 - KEPT.turns).map(withoutTold), turn] }))
  const whole = (): Kept => {
    const { talk, turns } = store.getState()
    return { user: session.target.user.id, doc: session.docId, id: talk, at: Date.now(), turns, messages }
  }
  const save = (): void => keep(whole())

  const endGuide = (id: number, ended: Partial<Turn & { is: 'guide' }>): void => {
    change(id, turn => (turn.is === 'guide' && turn.answer === null && turn.ended === null ? { ...turn, ...ended } : turn))
    save()
  }
  const hear = ({ data }: MessageEvent<Answered>): void => {
    if ('failed' in data) return endGuide(data.id, { ended: 'failed' })
    // The proposal is in the document from now on; the talk only has the words.
    endGuide(data.id, { answer: { ...data.answer, proposal: null } })
    const { proposal } = data.answer
    if (proposal && session.access.getState().writable) offer(session.doc, proposal)
  }
  const begin = (): Worker => {
    const made = startWorking('guide')
    made.addEventListener('message', hear)
    made.addEventListener('error', event => {
      event.preventDefault()
      worker = null
      endGuide(last, { ended: 'failed' })
    })
    return made
  }

  const isOpen = (id: number): boolean =>
    store.getState().turns.some(turn => turn.id === id && turn.is === 'guide' && turn.answer === null && turn.ended === null)
  const put = (id: number, question: Question, compared: Compared | null): void => {
    worker ??= begin()
    const message: Asked = { id, content: contentOf(session.doc), question, now: Date.now(), texts: textsFor(question), compared }
    worker.postMessage(message, [message.content.buffer])
  }

  /** What is said to the model besides the question: where the person is, and what became of what it proposed. */
  const besides = (at: { canvas: string; selection: readonly string[] }): string => {
    const { offered } = toolbox
    const isThere = offered !== null && proposalsOf(session.doc).some(({ id }) => id === offered.id)
    const verdict = offered && verdictOn(session, offered, isThere)
    if (offered && !isThere) {
      toolbox.offered = null
      toolbox.reset()
    }
    return [whereabouts(session.model.getState().model, at.canvas, at.selection), verdict ?? ''].filter(part => part !== '').join('\n')
  }

  const hearTurn = (id: number, event: TurnEvent): void => {
    if (event.is === 'text') changeModel(id, turn => withText(turn, event.text))
    else if (event.is === 'usage') changeModel(id, turn => ({ ...turn, tokens: turn.tokens + event.tokensIn + event.tokensOut }))
    else if (event.is === 'end') changeModel(id, turn => ({ ...turn, end: { why: event.why, detail: event.detail } }))
    else if (event.is === 'tool') {
      const part: Part = { is: 'tool', id: event.use.id, name: event.use.name, given: event.use.given, result: null, ok: true }
      changeModel(id, turn => ({ ...turn, parts: [...turn.parts, part] }))
    } else
      changeModel(id, turn => ({
        ...turn,
        // Ids are the provider's: the same one may come again in a later call.
        parts: turn.parts.map(part =>
          part.is === 'tool' && part.id === event.id && part.result === null ? { ...part, result: event.text, ok: event.ok } : part,
        ),
      }))
  }

  return {
    store,
    toolbox,
    ask(asked, question) {
      const id = ++last
      add({ is: 'guide', id, asked, answer: null, ended: null })
      if (question.about !== 'changes') return put(id, question, null)
      void versions()
        .then(shelf => comparedFor(shelf, question, i18n.locale))
        .then(compared => isOpen(id) && put(id, question, compared))
        .catch((error: unknown) => {
          console.warn('versions cannot be compared', error)
          endGuide(id, { ended: 'failed' })
        })
    },
    async say(text, to, at) {
      const id = ++last
      const { signal } = (stopping = new AbortController())
      add({ is: 'model', id, asked: text, by: to.label, parts: [], tokens: 0, end: null, told: null })
      const allowed: readonly string[] = toolsOf(to.mode)
      const turn = nanoid(16)
      const asked = `${text}\n\n(${besides(at)})`
      const told = await toolbox.context(to.label, { ...at, words: text })
      changeModel(id, one => ({ ...one, told }))
      const before = messages
      const events = converse({
        messages: [...before, { role: 'user', text: told === null ? asked : `${asked}\n\n${told}` }],
        call: (all, stop) =>
          call({ provider: to.id, turn, mode: to.mode, messages: all, ...(to.file === undefined ? {} : { file: to.file }) }, stop),
        use: async (name, given) =>
          allowed.includes(name)
            ? toolbox.use(to.label, name, given)
            : { ok: false, text: `There is no tool "${name.slice(0, 60)}" here.` },
        signal,
        kept: all => {
          messages = all.with(before.length, { role: 'user', text: asked })
          save()
        },
      })
      for (;;) {
        const { done, value } = await events.next()
        if (done === true) {
          // Only the question is kept: the next one is sent with a new description of the document.
          messages = value.with(before.length, { role: 'user', text: asked })
          break
        }
        hearTurn(id, value)
      }
      save()
    },
    async goOn(to, at) {
      await this.say(onward, to, at)
    },
    stop() {
      stopping.abort()
      toolbox.stop()
      worker?.terminate()
      worker = null
      const open = store.getState().turns.at(-1)
      if (open?.is === 'guide' && isBusy([open])) endGuide(open.id, { ended: 'stopped' })
    },
    whole,
    turnTo(kept, from) {
      if (isBusy(store.getState().turns)) return
      const turns = settled(kept?.turns ?? [])
      messages = withCut(kept?.messages ?? [], turns.at(-1))
      last = Math.max(last, ...turns.map(({ id }) => id))
      toolbox.offered = null
      toolbox.reset()
      store.setState({ talk: kept?.id ?? nanoid(12), turns, from: from ?? null })
    },
  }
}
