// A thread that executes the tools of one token: forks of its files, and runs of them, away from the thread that serves everybody.
import { parentPort } from 'node:worker_threads'
import { ToolSession, type ToolAnswer } from '../../sim-engine/copilot/doors/copilot.ts'
import { watchBy, type StopFlag } from '../../sim-engine/copilot/doors/mcp.ts'
import { fileOf } from '../../model-schema/document.ts'
import type { DraftKind } from '../../model-schema/file-drafts.ts'
import { documentFrom, offer, type Author } from '../../model-schema/proposals.ts'
import { speakerOf } from '../../model-schema/languages/catalogues.ts'
import { english } from '../../model-schema/words.ts'

export type ToolTask = {
  readonly file: string
  /** The document to fork; null to keep the existing fork. */
  readonly begin: { readonly content: Uint8Array; readonly author: Author; readonly writes: boolean } | null
  readonly name: string
  readonly given: unknown
  /** The files about the model, for tools that draft such; `content`: of the one that is to change. */
  readonly related: readonly { readonly id: string; readonly kind: DraftKind; readonly name: string; readonly content: Uint8Array | null }[]
  /** The document as it is now, for what is offered; a text says why nothing may be. */
  readonly live: Uint8Array | string
  readonly stop: StopFlag
}
/** How much of the runs of a tool is made, 0 to 1. */
export type ToolProgress = { readonly share: number }
/** `update`: what puts a proposal into the document. `gone`: there is no such fork here; begin it. */
export type ToolDone =
  | { readonly answer: ToolAnswer; readonly update: Uint8Array | null; readonly isDirty: boolean }
  | { readonly gone: true }

/** Forks of one token at a time; the one used longest ago gives way. */
const FORKS = 4

const forks = new Map<string, ToolSession>()
let task: ToolTask
let update: Uint8Array | null = null

function begin(file: string, { content, author, writes }: NonNullable<ToolTask['begin']>): ToolSession {
  const session = new ToolSession({
    doc: documentFrom(content),
    author,
    now: Date.now,
    writes,
    file,
    related: () => task.related.map(({ content, ...one }) => ({ ...one, file: content && fileOf(documentFrom(content)) })),
    languages: speakerOf,
    offer: proposal => {
      if (typeof task.live === 'string') return { refused: task.live }
      const live = documentFrom(task.live)
      live.on('update', (made: Uint8Array) => (update = made))
      const refused = offer(live, proposal)
      return refused ? { refused: english(refused.words) } : null
    },
  })
  for (const old of [...forks.keys()].slice(0, Math.max(0, forks.size + 1 - FORKS))) forks.delete(old)
  return session
}

function done(asked: ToolTask): ToolDone {
  task = asked
  update = null
  const session = asked.begin ? begin(asked.file, asked.begin) : forks.get(asked.file)
  if (!session) return { gone: true }
  // The one used last is at the end.
  forks.delete(asked.file)
  forks.set(asked.file, session)
  const answer = session.use(
    asked.name,
    asked.given,
    watchBy(asked.stop, share => tell({ share })),
  )
  return { answer, update, isDirty: session.isDirty }
}

const tell = (message: ToolDone | ToolProgress): void => parentPort?.postMessage(message, [])

parentPort?.on('message', (asked: ToolTask) => tell(done(asked)))
