// The tools of a language model on the open document, as the page uses them: reading sees the document as it is, edits go to a fork, and what is offered
// is put into the document as a proposal. Later updates of the document are sent to the worker, which forks again unless its fork has edits that were
// not offered.
import type { Model } from '../../model-schema/model.ts'
import { contentOf, contentSince, offer, PROPOSAL, proposalsOf, reached, type Proposal } from '../../model-schema/proposals.ts'
import type { RelatedFile, Where } from '../../sim-engine/copilot/doors/copilot.ts'
import { fileOf } from '../../model-schema/document.ts'
import { draftTools, isToolName, readingTools } from '../../sim-engine/copilot/doors/tools.ts'
import type { Session } from '../session.ts'
import type { Begin, ToolAnswered, ToolAsked } from './tools-worker.ts'
import { english } from '../../model-schema/words.ts'
import { startWorking } from '../workers/start.ts'
import { subjectOf, type Subject } from './files/subject.ts'
import { relatedFiles } from './proposals/related.ts'
import { plainOf } from './words.ts'

/** Milliseconds one tool may take. */
export const TOOL_MS = 60_000

/** What executes tools: a worker, or in tests a function. */
export type Bench = {
  post(asked: ToolAsked): void
  close(): void
}
export type StartBench = (heard: (answered: ToolAnswered) => void, failed: () => void) => Bench

export const workerBench: StartBench = (heard, failed) => {
  const worker = startWorking('copilot')
  worker.addEventListener('message', ({ data }: MessageEvent<ToolAnswered>) => heard(data))
  worker.addEventListener('error', event => {
    event.preventDefault()
    failed()
  })
  return {
    post: asked => worker.postMessage(asked, asked.begin ? [asked.begin.content.buffer] : []),
    close: () => worker.terminate(),
  }
}

/** The changes of a file as a proposal in its own document. */
function ofFile({ files = [], ...proposal }: Proposal, id: string): Proposal {
  const content = files.find(one => one.content.is === 'change' && one.content.of === id)?.content
  return { ...proposal, deltas: content?.is === 'change' ? content.deltas : [] }
}

type Waiting = { readonly id: number; done(answered: ToolAnswered): void }

export class Toolbox {
  readonly #session: Session
  readonly #start: StartBench
  readonly #related: typeof relatedFiles
  #preparing: Promise<unknown> = Promise.resolve()
  #bench: Bench | null = null
  /** The document as it was sent; null if the fork must be created again. */
  #base: Model | null = null
  /** How far what was sent reaches; null when nothing was. */
  #reached: Uint8Array | null = null
  /** The document that the bench has. */
  #of: string | null = null
  #isDirty = false
  #last = 0
  #waiting: Waiting | null = null
  /** The last proposal that was made here. */
  offered: Proposal | null = null

  constructor(session: Session, start: StartBench = workerBench, related: typeof relatedFiles = relatedFiles) {
    this.#session = session
    this.#start = start
    this.#related = related
  }

  /** Forgets the fork with its edits. */
  reset(): void {
    this.#base = null
  }

  /** Ends whatever is being executed; the fork is gone when something was. */
  stop(): void {
    if (this.#waiting) this.#end('It was stopped.')
  }

  close(): void {
    this.stop()
    this.#dismiss()
  }

  /** Sends the document and has it parsed and checked before the first question. Never rejects. */
  async prepare(author: string): Promise<void> {
    if (!this.#waiting && (this.#base === null || this.#isBehind)) await (this.#preparing = this.#do(author, null))
  }

  /** The description of the document that goes with a question to a model; null if it could not be made. Never rejects. */
  async context(author: string, where: Where): Promise<string | null> {
    const { ok, text } = await this.#do(author, { tellOf: where })
    return ok ? text : null
  }

  /** Executes one tool in the name of a model. Never rejects. */
  async use(author: string, name: string, given: string): Promise<{ ok: boolean; text: string }> {
    const kind = draftTools.get(name)
    const file = this.#file
    if (file) return this.#useOn(file, author, name, given)
    if (kind === undefined) return this.#do(author, { name, given })
    const { of } = plainOf(given)
    const related = await this.#related(this.#session, kind, typeof of === 'string' ? of : undefined).catch((error: unknown) => {
      console.warn('the files about the model are not known', error)
      return []
    })
    return this.#do(author, { name, given }, related)
  }

  /** Executes a tool in the editor of a file: its model is read and run, and nothing but the file is changed. */
  async #useOn(file: Subject, author: string, name: string, given: string): Promise<{ ok: boolean; text: string }> {
    const { docId, doc } = this.#session
    if (draftTools.get(name) === file.kind) {
      const own: RelatedFile = { id: docId, kind: file.kind, name: file.name, file: fileOf(doc) }
      return this.#do(author, { name, given: JSON.stringify({ ...plainOf(given), of: docId }) }, [own])
    }
    const changes = isToolName(name) && !readingTools.includes(name) && name !== 'undo' && name !== 'offer'
    return changes ? { ok: false, text: `Only the open ${file.kind} is changed here, not its model.` } : this.#do(author, { name, given })
  }

  get #file(): Subject | null {
    return subjectOf(this.#session)
  }

  /** What is forked, read and run. */
  get #model(): Session {
    return this.#file?.model ?? this.#session
  }

  async #do(author: string, work: ToolAsked['work'], related: readonly RelatedFile[] = []): Promise<{ ok: boolean; text: string }> {
    // One after the other.
    if (work !== null) await this.#preparing
    const { docId } = this.#model
    // The model of a file was opened, or is another one.
    if (this.#of !== docId) this.#dismiss()
    this.#of = docId
    const begin = this.#base === null || this.#isBehind ? this.#begin() : null
    const id = ++this.#last
    const answered = await new Promise<ToolAnswered>(done => {
      const timer = setTimeout(() => this.#end(`The tool took longer than ${TOOL_MS / 1000} s. The fork is gone: begin again.`), TOOL_MS)
      this.#waiting = {
        id,
        done: one => {
          clearTimeout(timer)
          done(one)
        },
      }
      this.#bench ??= this.#start(
        one => one.id === this.#waiting?.id && this.#settle(one),
        () => this.#end('The tool failed. The fork is gone: begin again.'),
      )
      this.#bench.post({
        id,
        begin,
        author: { kind: 'copilot', name: author },
        work,
        related,
        file: docId,
        closed: this.#closed(),
      })
    })
    this.#isDirty = answered.isDirty
    if (answered.proposal) {
      const proposal = this.#file ? ofFile(answered.proposal, this.#session.docId) : answered.proposal
      const refused = offer(this.#session.doc, proposal)
      if (refused) return { ok: false, text: english(refused.words) }
      this.offered = proposal
    }
    return { ok: answered.ok, text: answered.text }
  }

  get #isBehind(): boolean {
    return !this.#isDirty && this.#base !== this.#model.model.getState().model
  }

  #begin(): Begin {
    const { doc, model } = this.#model
    const before = this.#reached
    this.#base = model.getState().model
    this.#reached = reached(doc)
    return { content: before ? contentSince(doc, before) : contentOf(doc), isWhole: before === null }
  }

  #settle(answered: ToolAnswered): void {
    const waiting = this.#waiting
    this.#waiting = null
    waiting?.done(answered)
  }

  #dismiss(): void {
    this.#bench?.close()
    this.#bench = null
    this.#base = null
    this.#reached = null
  }

  #end(why: string): void {
    this.#dismiss()
    if (this.#waiting) this.#settle({ id: this.#waiting.id, ok: false, text: why, proposal: null, isDirty: false })
  }

  #closed(): string | null {
    const { access, doc } = this.#session
    if (!access.getState().writable) return 'The person may not change this file: describe the change instead.'
    const open = proposalsOf(doc).filter(({ id }) => id !== this.offered?.id).length
    return open >= PROPOSAL.open ? `${PROPOSAL.open} proposals are open already: the person has to decide on some first.` : null
  }
}
