// Answers the questions of the guide on a thread of its own: repairs try many edits, and runs take their time. It makes programs: the server gives what
// is called a worker the policy that lets it.
import { setupI18n, type Messages } from '@lingui/core'
import { answer } from '../../sim-engine/copilot/doors/copilot.ts'
import type { Answer, Compared, Question } from '../../sim-engine/copilot/doors/questions.ts'
import { loadChainOf } from '../../sim-engine/chain.ts'
import { readModel } from '../../model-schema/document.ts'
import { documentFrom } from '../../model-schema/proposals.ts'
import { compile, english, textOf, type Words } from '../../model-schema/words.ts'

/** The texts of the reader's language, compiled; null for English. */
export type Texts = { readonly locale: string; readonly messages: Messages }
export type Asked = {
  id: number
  content: Uint8Array
  question: Question
  now: number
  texts: Texts | null
  /** The versions that a question about changes is about. */
  compared: Compared | null
  /** The models that a file is about. */
  of: readonly { readonly content: Uint8Array; readonly id: string }[]
}
export type Answered = { id: number; answer: Answer } | { id: number; failed: string }

type Scope = {
  postMessage(message: Answered, transfer: readonly ArrayBuffer[]): void
  addEventListener(type: 'message', heard: (event: { data: Asked }) => void): void
}

const speakerOf = (texts: Texts | null): ((words: Words) => string) => {
  if (texts === null) return english
  const i18n = setupI18n({ locale: texts.locale, messages: { [texts.locale]: texts.messages } }).setMessagesCompiler(compile)
  return words => textOf(words, i18n)
}

const isScope = (scope: unknown): scope is Scope =>
  typeof scope === 'object' && scope !== null && 'WorkerGlobalScope' in scope && 'postMessage' in scope

const scope: unknown = globalThis
if (isScope(scope))
  scope.addEventListener('message', ({ data: { id, content, question, now, texts, compared, of } }) => {
    const given = async (): Promise<Answered> => {
      const document = documentFrom(content)
      const [first, ...others] = of.map(one => ({ doc: documentFrom(one.content), id: one.id }))
      const model = first ? { ...first, others } : null
      await loadChainOf(readModel(model?.doc ?? document))
      return { id, answer: answer(document, question, now, speakerOf(texts), compared, model, () => performance.now()) }
    }
    void given()
      .catch((error: unknown): Answered => ({ id, failed: error instanceof Error ? error.message : String(error) }))
      .then(answered => scope.postMessage(answered, []))
  })
