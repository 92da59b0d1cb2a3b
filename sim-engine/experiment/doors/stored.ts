// What a job on the server stores of its work: written there, and read by pages and by the job that continues it. JSON has no NaN; null means it.
import * as z from 'zod/mini'
import { isWords, type Words } from '../../../model-schema/words.ts'
import { activations } from '../../learn/net/ops.ts'
import type { EpochRow } from '../learn/training.ts'
import type { TrainingReport } from '../learn/report.ts'
import type { Sample } from '../protocol.ts'

type Problem = NonNullable<Sample['problem']>

const numberOrNaN = z.pipe(
  z.nullable(z.number()),
  z.transform(value => value ?? NaN),
)
const count = z.int().check(z.gte(0))

/** Why a run failed. Only what is read of it is checked. */
export const storedProblem = z.custom<Problem>(value => readProblem.safeParse(value).success)
const readProblem = z.looseObject({ code: z.number(), at: z.looseObject({ id: z.string() }), message: z.custom<Words>(isWords) })

/** Samples by the number of their run. */
export const storedSamples = z.array(
  z.object({
    run: count,
    end: z.enum(['success', 'terminated', 'limited', 'failed']),
    ticks: z.number(),
    values: z.array(numberOrNaN),
    /** A reason of another version is left out; the run still counts as failed. */
    problem: z.catch(z.nullable(storedProblem), null),
  }),
)
/** As they are written. */
export type StoredSamples = z.input<typeof storedSamples>

const figures = z.record(z.string(), numberOrNaN)
const tested = z.object({ mean: numberOrNaN, half: numberOrNaN, low: numberOrNaN, high: numberOrNaN, length: numberOrNaN })
const epochRow = z.object({
  epoch: z.number(),
  decisions: z.number(),
  episodes: z.number(),
  learning: numberOrNaN,
  length: numberOrNaN,
  test: tested,
  figures,
}) satisfies z.ZodMiniType<EpochRow>

/** A policy; its weights as a Neural network stores them. */
const policy = z.object({
  shape: z.object({ inputs: z.number(), layers: z.array(z.object({ size: z.number(), activation: z.enum(activations) })) }),
  weights: z.string(),
})
export type StoredPolicy = z.infer<typeof policy>

/** Epochs as they are reported; with a policy where it is the best until then. */
export const storedEpochs = z.object({ rows: z.array(epochRow), policy: z.nullable(policy) })

const report = z.object({
  algorithm: z.string(),
  ending: z.nullable(z.enum(['epochs', 'threshold'])),
  epochs: z.array(epochRow),
  decisions: z.number(),
  episodes: z.number(),
  best: z.nullable(z.object({ epoch: z.number(), test: tested })),
  compared: z.array(z.object({ name: z.enum(['random', 'model']), test: tested, difference: numberOrNaN, half: numberOrNaN })),
  weights: z.nullable(z.string()),
}) satisfies z.ZodMiniType<TrainingReport>

/** The end of a training. */
export const storedTraining = z.object({ report, policy: z.nullable(policy) })
