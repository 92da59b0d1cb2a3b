// Executes the tools of a language model on a fork of the open document, on a thread of its own: checks, runs and repairs take their time. It makes
// programs: the server gives what is called a worker the policy that lets it.
import { ToolSession, type RelatedFile, type Where } from '../../sim-engine/copilot/doors/copilot.ts'
import type { Doc } from 'yjs'
import { documentFrom, follow, type Author, type Proposal } from '../../model-schema/proposals.ts'

/** The document a fork is made of, all of it or what came since the last time. */
export type Begin = { readonly content: Uint8Array; readonly isWhole: boolean }

export type ToolAsked = {
  readonly id: number
  readonly begin: Begin | null
  /** The author of the changes to the fork. */
  readonly author: Author
  /** The tool to execute with its arguments, or the place to describe to a model with a question; null: only get ready. */
  readonly work: { readonly name: string; readonly given: string } | { readonly tellOf: Where } | null
  /** The id of the open file, and the files about it, for tools that draft such. */
  readonly file: string
  readonly related: readonly RelatedFile[]
  /** Why a proposal could not be shown now; null when it can. */
  readonly closed: string | null
}

export type ToolAnswered = {
  readonly id: number
  readonly ok: boolean
  readonly text: string
  /** What was offered. */
  readonly proposal: Proposal | null
  /** Whether the fork has edits that were not offered. */
  readonly isDirty: boolean
}

type Scope = {
  postMessage(message: ToolAnswered, transfer: readonly ArrayBuffer[]): void
  addEventListener(type: 'message', heard: (event: { data: ToolAsked }) => void): void
}

const isScope = (scope: unknown): scope is Scope =>
  typeof scope === 'object' && scope !== null && 'WorkerGlobalScope' in scope && 'postMessage' in scope

/** Executes one request after the other; the fork lasts until another one begins. `now`: milliseconds since 1970. */
export function toolBench(now: () => number = Date.now): (asked: ToolAsked) => ToolAnswered {
  let session: ToolSession | null = null
  let doc: Doc | null = null
  let closed: string | null = null
  let offered: Proposal | null = null
  let author: Author = { kind: 'copilot', name: '' }
  let related: readonly RelatedFile[] = []
  const begin = ({ content, isWhole }: Begin, file: string): void => {
    if (session && doc && !isWhole) {
      follow(doc, content)
      return session.restart()
    }
    doc = documentFrom(content)
    session = new ToolSession({
      doc,
      get author() {
        return author
      },
      now,
      writes: true,
      file,
      related: () => related,
      offer: proposal => {
        if (closed !== null) return { refused: closed }
        offered = proposal
        return null
      },
    })
  }
  return asked => {
    closed = asked.closed
    author = asked.author
    related = asked.related
    offered = null
    if (asked.begin) begin(asked.begin, asked.file)
    if (!session) return { id: asked.id, ok: false, text: 'There is no model.', proposal: null, isDirty: false }
    const { work } = asked
    if (work === null) {
      session.prepare()
      return { id: asked.id, ok: true, text: '', proposal: null, isDirty: session.isDirty }
    }
    if ('tellOf' in work)
      return { id: asked.id, ok: true, text: session.context(work.tellOf).text, proposal: null, isDirty: session.isDirty }
    const answer = session.use(work.name, work.given)
    const text = answer.ok ? JSON.stringify(answer.value) : answer.why
    return { id: asked.id, ok: answer.ok, text, proposal: offered, isDirty: session.isDirty }
  }
}

const scope: unknown = globalThis
if (isScope(scope)) {
  const bench = toolBench()
  scope.addEventListener('message', ({ data }) => scope.postMessage(bench(data), []))
}
