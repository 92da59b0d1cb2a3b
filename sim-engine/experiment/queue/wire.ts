// How jobs and samples are written in the database. Every number comes back as it was, with -0, NaN and infinities, so that results do not depend on
// where a run was made.
import { z } from 'zod'
import type { Plain } from '../../messages.ts'
import type { Job, Sample } from '../protocol.ts'

/** Numbers that JSON does not have, each as an object of one entry that no other value is written as. */
const MARK = '$number'

const special = (value: number): boolean => !Number.isFinite(value) || Object.is(value, -0)

function written(value: Plain): unknown {
  if (typeof value === 'number') return special(value) ? { [MARK]: Object.is(value, -0) ? '-0' : String(value) } : value
  if (Array.isArray(value)) return value.map(written)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name.startsWith('$') ? `$${name}` : name, written(one)]))
}

function read(value: unknown): Plain {
  if (Array.isArray(value)) return value.map(read)
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    const [first] = entries
    if (entries.length === 1 && first?.[0] === MARK) return Number(first[1])
    return Object.fromEntries(entries.map(([name, one]) => [name.startsWith('$') ? name.slice(1) : name, read(one)]))
  }
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' ? value : null
}

const jobsSchema = z
  .array(
    z.object({
      run: z.number().int().min(0),
      alternative: z.number().int().min(0),
      inputs: z.record(z.string(), z.unknown()),
      seed: z.number().int().min(0).max(0xffff_ffff),
    }),
  )
  .max(100_000)

/** Jobs as JSON. */
export const jobsText = (jobs: readonly Job[]): string =>
  JSON.stringify(
    jobs.map(job => ({ ...job, inputs: Object.fromEntries(Object.entries(job.inputs).map(([id, value]) => [id, written(value)])) })),
  )

/** Throws when the text holds no jobs. */
export function jobsOf(text: string): Job[] {
  return jobsSchema.parse(JSON.parse(text)).map(({ inputs, ...job }) => ({
    ...job,
    inputs: Object.fromEntries(Object.entries(inputs).map(([id, value]) => [id, read(value)])),
  }))
}

const ends: readonly Sample['end'][] = ['success', 'terminated', 'limited', 'failed']

/**
 * Samples as bytes: how many there are and how many values each has (two uint32), then for each run number, end, ticks and values as float64 (little
 * endian), then the problems of those that failed as JSON, by place.
 */
export function samplesBytes(samples: readonly (readonly [run: number, sample: Sample])[]): Buffer {
  const width = samples[0]?.[1].values.length ?? 0
  const bytes = Buffer.alloc(8 + samples.length * (3 + width) * 8)
  bytes.writeUInt32LE(samples.length, 0)
  bytes.writeUInt32LE(width, 4)
  let at = 8
  for (const [run, { end, ticks, values }] of samples)
    for (const number of [run, ends.indexOf(end), ticks, ...values]) at = bytes.writeDoubleLE(number, at)
  const problems = samples.flatMap(([, { problem }], i) => (problem === null ? [] : [[i, problem]]))
  return Buffer.concat([bytes, Buffer.from(JSON.stringify(problems), 'utf8')])
}

const problemsSchema = z.array(
  z.tuple([z.number().int().min(0), z.custom<NonNullable<Sample['problem']>>(value => typeof value === 'object' && value !== null)]),
)

/** The samples in bytes. Throws RangeError when they hold something else, or samples of another width. */
export function samplesOf(bytes: Buffer, width: number): (readonly [run: number, sample: Sample])[] {
  const damaged = (): never => {
    throw new RangeError('the samples are damaged')
  }
  if (bytes.length < 8) damaged()
  const count = bytes.readUInt32LE(0)
  const size = 8 + count * (3 + width) * 8
  if ((count > 0 && bytes.readUInt32LE(4) !== width) || bytes.length < size) damaged()
  const problems = new Map(problemsSchema.parse(JSON.parse(bytes.toString('utf8', size))))
  return Array.from({ length: count }, (_, i) => {
    const from = 8 + i * (3 + width) * 8
    const number = (k: number): number => bytes.readDoubleLE(from + 8 * k)
    const run = number(0)
    const end = ends[number(1)]
    if (!Number.isSafeInteger(run) || run < 0 || end === undefined) return damaged()
    const values = Array.from({ length: width }, (_, k) => number(3 + k))
    return [run, { end, ticks: number(2), values, problem: problems.get(i) ?? null }] as const
  })
}
