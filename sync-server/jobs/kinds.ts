// The kinds of work there are: what each takes, and the function that does it, on a worker thread. A new kind is a line here.
import { z } from 'zod'
import type { Feature } from '../../model-schema/business/plans.ts'
import type { QueueConnection } from '../../sim-engine/experiment/doors/queue.ts'
import { conductOnServer, experimentInput, featureOf, linkedModel, preparedOnServer } from './experiment.ts'
import { simulate } from './simulate.ts'
import { trainOnServer } from './training.ts'

/** Reports the progress, between 0 and 1, and the current phase; may be called at any rate. */
export type Progress = (share: number, note?: string) => void

/** What the work says on its way. */
export type Tools = {
  readonly progress: Progress
  /** Stores a part of the results (JSON): readable while the job runs, and passed to a server that resumes it. */
  readonly keep: (part: unknown) => void
  /** Replaces the stored state from which another server resumes the job. */
  readonly hold: (state: Uint8Array) => void
  /**
   * Registers a function that returns the working time, in milliseconds, of the job's own threads: cloud time in addition to that of its main
   * thread.
   */
  readonly employ: (worked: () => number) => void
}

/** Where runs of a job are shared with other servers, and what distinguishes them from those of other jobs. */
export type Sharing = { readonly connection: QueueConnection; readonly apart: string }

export type JobKind = {
  /** The fields of the request apart from the file. */
  readonly input: z.ZodType
  /** Id of another file the work needs, by the text of its own; null when it needs none. */
  readonly linked?: (file: string) => string | null
  /** What the plan must have besides runs on the server, by the text of the file. */
  readonly feature?: (file: string) => Feature | null
  /** Id of an earlier job that continues here from its state; null to start afresh. */
  readonly from?: (input: unknown) => string | null
  /**
   * Does the work with the checked input, the texts of the file and of the linked one, the most ticks of a run, the parts kept and the state held before. Answers what becomes the result (JSON). Throws
   * `Error` when it cannot be done; it is not tried again. Being cancelled is the end of its thread.
   */
  readonly run: (
    task: {
      input: unknown
      file: string
      linked: string | null
      steps: number | null
      known: readonly unknown[]
      held: Uint8Array | null
      sharing: Sharing | null
    },
    tools: Tools,
  ) => Promise<unknown>
}

const simulateInput = z.object({
  /** Name or id; the first one by default. */
  scenario: z.string().max(128).optional(),
  seed: z.number().int().min(0).max(0xffff_ffff).optional(),
  ticks: z.number().int().min(1).max(1e12).optional(),
})

export const kinds = {
  simulate: {
    input: simulateInput,
    run: ({ input, file, steps }, { progress }) => simulate(simulateInput.parse(input), file, steps, progress),
  },
  experiment: {
    input: experimentInput,
    linked: linkedModel,
    feature: featureOf,
    from: input => experimentInput.parse(input).from ?? null,
    async run({ input, held, ...task }, tools) {
      const prepared = preparedOnServer(experimentInput.parse(input), task)
      return prepared.experiment.type === 'learning' ? trainOnServer(prepared, held, tools) : conductOnServer(prepared, task, tools)
    },
  },
} as const satisfies Record<string, JobKind>

export type KindName = keyof typeof kinds

export const KIND_NAMES = Object.keys(kinds) as [KindName, ...KindName[]]
