// The talk with the guide about an open document: what was asked and answered, on this device, as long as the page is open.
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Answer, Question } from '../../sim-engine/questions.ts'
import type { Words } from '../../model-schema/kinds/kind.ts'
import { contentOf, offer } from '../../model-schema/proposals.ts'
import type { Session } from '../session.ts'
import type { Answered, Asked } from './guide-worker.ts'

export type Turn = {
  readonly id: number
  readonly asked: Words
  readonly answer: Answer | null
  /** It could not be answered, or was stopped. */
  readonly ended: 'failed' | 'stopped' | null
}

export type Talk = {
  readonly store: StoreApi<{ turns: readonly Turn[] }>
  ask(asked: Words, question: Question): void
  stop(): void
}

const talks = new WeakMap<Session, Talk>()

export function talkOf(session: Session): Talk {
  const known = talks.get(session)
  if (known) return known
  const made = createTalk(session)
  talks.set(session, made)
  return made
}

function createTalk(session: Session): Talk {
  const store = createStore<{ turns: readonly Turn[] }>(() => ({ turns: [] }))
  let worker: Worker | null = null
  let last = 0
  const end = (id: number, change: Partial<Turn>): void =>
    store.setState(({ turns }) => ({
      turns: turns.map(turn => (turn.id === id && turn.answer === null && turn.ended === null ? { ...turn, ...change } : turn)),
    }))
  const hear = ({ data }: MessageEvent<Answered>): void => {
    if ('failed' in data) return end(data.id, { ended: 'failed' })
    end(data.id, { answer: data.answer })
    const { proposal } = data.answer
    if (proposal && session.access.getState().writable) offer(session.doc, proposal)
  }
  const begin = (): Worker => {
    const made = new Worker(new URL('./guide-worker.ts', import.meta.url), { type: 'module', name: 'guide' })
    made.addEventListener('message', hear)
    made.addEventListener('error', event => {
      event.preventDefault()
      worker = null
      end(last, { ended: 'failed' })
    })
    return made
  }
  return {
    store,
    ask(asked, question) {
      last++
      store.setState(({ turns }) => ({ turns: [...turns.slice(-49), { id: last, asked, answer: null, ended: null }] }))
      worker ??= begin()
      const message: Asked = { id: last, content: contentOf(session.doc), question, now: Date.now() }
      worker.postMessage(message, [message.content.buffer])
    },
    stop() {
      worker?.terminate()
      worker = null
      end(last, { ended: 'stopped' })
    },
  }
}
