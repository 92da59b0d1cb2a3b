// The kinds of work there are: what each takes, and the function that does it, on a worker thread. A new kind is a line here.
import { z } from 'zod'
import { simulate } from './simulate.ts'

/** Told how far it is, between 0 and 1, and at what; called as often as one likes. */
export type Progress = (share: number, note?: string) => void

export type Kind = {
  /** What the request says beside the file. */
  readonly input: z.ZodType
  /**
   * Does the work with the checked input, the file's text and the most ticks of a run. Answers what becomes the result (JSON). Throws
   * `Error` when it cannot be done; it is not tried again. Being cancelled is the end of its thread.
   */
  readonly run: (task: { input: unknown; file: string; steps: number | null }, progress: Progress) => Promise<unknown>
}

export const simulateInput = z.object({
  /** Name or id; the first one unless told. */
  scenario: z.string().max(128).optional(),
  seed: z.number().int().min(0).max(0xffff_ffff).optional(),
  ticks: z.number().int().min(1).max(1e12).optional(),
})

export const kinds = {
  simulate: {
    input: simulateInput,
    run: ({ input, file, steps }, progress) => simulate(simulateInput.parse(input), file, steps, progress),
  },
} as const satisfies Record<string, Kind>

export type KindName = keyof typeof kinds

export const KIND_NAMES = Object.keys(kinds) as [KindName, ...KindName[]]
