// An entry of the history as bytes, for upload and download: a head in JSON, then columns of numbers, all of it gzipped. Downloads are
// untrusted and validated when read.
import { experimentOf } from '../../model-schema/experiment.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import type { Sample } from '../../sim-engine/experiment.ts'
import { storedProblem } from '../../sim-engine/experiment/doors/stored.ts'
import { readJson } from '../validate.ts'
import * as z from '../zod.ts'
import type { Entry } from './history.ts'

export type Packed = Pick<Entry, 'key' | 'engine' | 'study' | 'model' | 'startedAt' | 'runs' | 'failed'> & {
  ended: 'finished' | 'budget' | 'stopped' | 'failed'
}
type Samples = ReadonlyMap<number, Sample>

const ends: readonly Sample['end'][] = ['success', 'terminated', 'limited', 'failed']
/** Most runs and numbers a run that are unpacked. */
const mostRuns = 20_000_000
const mostValues = 100_000
/** Most failed runs packed with their reason. */
const mostProblems = 100
/** Bytes the unpacked form may have. */
const mostBytes = 2 ** 30

export async function pack(entry: Packed, samples: Samples): Promise<Uint8Array> {
  const width = Math.max(0, ...[...samples.values()].slice(0, 100).map(({ values }) => values.length))
  const problems = [...samples].flatMap(([run, { problem }]) => (problem === null ? [] : [[run, problem] as const])).slice(0, mostProblems)
  const { key, engine, startedAt, runs, failed, ended } = entry
  const head = { result: 1, key, engine, startedAt, runs, failed, ended, count: samples.size, width, problems }
  const text = JSON.stringify({ ...head, study: plain(entry.study), model: plain(entry.model) })
  const bytes = new TextEncoder().encode(text)
  const start = Math.ceil((4 + bytes.length) / 8) * 8
  const n = samples.size
  const whole = new ArrayBuffer(start + n * (8 + 8 * width + 4 + 1))
  new DataView(whole).setUint32(0, bytes.length, true)
  new Uint8Array(whole, 4, bytes.length).set(bytes)
  const { ticks, values, run, end } = columnsIn(whole, start, n, width)
  let row = 0
  for (const [number, sample] of samples) {
    run[row] = number
    ticks[row] = sample.ticks
    end[row] = ends.indexOf(sample.end)
    for (let k = 0; k < width; k++) values[k * n + row] = sample.values[k] ?? NaN
    row++
  }
  return through(new Uint8Array(whole), new CompressionStream('gzip'), Infinity)
}

/** Null when it is not such a result, or damaged. */
export async function unpack(packed: Uint8Array): Promise<{ entry: Packed; samples: Map<number, Sample> } | null> {
  try {
    const bytes = await through(packed, new DecompressionStream('gzip'), mostBytes)
    const whole = bytes.slice().buffer
    const length = new DataView(whole).getUint32(0, true)
    const head = readJson(headSchema, new TextDecoder().decode(new Uint8Array(whole, 4, length)))
    if (head === null || experimentOf(head.study) === null) return null
    const { count, width, problems, result: _, ...entry } = head
    const start = Math.ceil((4 + length) / 8) * 8
    if (whole.byteLength !== start + count * (8 + 8 * width + 4 + 1)) return null
    const columns = columnsIn(whole, start, count, width)
    const samples = new Map<number, Sample>()
    for (let row = 0; row < count; row++) {
      const end = ends[columns.end[row] ?? -1]
      if (end === undefined) return null
      const values = Array.from({ length: width }, (_, k) => columns.values[k * count + row] ?? NaN)
      samples.set(columns.run[row] ?? 0, { end, ticks: columns.ticks[row] ?? 0, values, problem: null })
    }
    for (const [run, problem] of problems) {
      const sample = samples.get(run)
      if (sample) samples.set(run, { ...sample, problem })
    }
    return { entry, samples }
  } catch {
    return null
  }
}

/** Pipes bytes through a stream; throws if the data is invalid or the result is larger than `most` bytes. */
async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream, most: number): Promise<Uint8Array> {
  const source = new Blob([Uint8Array.from(bytes).buffer]).stream().pipeThrough(stream)
  const parts: Uint8Array[] = []
  let length = 0
  for (const reader = source.getReader(); ;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > most) throw new RangeError('too large')
    parts.push(value)
  }
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Column after column, the widest numbers first, so that all are aligned. */
function columnsIn(buffer: ArrayBuffer, start: number, n: number, width: number) {
  const values = start + 8 * n
  const run = values + 8 * n * width
  return {
    ticks: new Float64Array(buffer, start, n),
    values: new Float64Array(buffer, values, n * width),
    run: new Int32Array(buffer, run, n),
    end: new Uint8Array(buffer, run + 4 * n, n),
  }
}

const plain = (model: Model): object => ({ ...model, elements: [...model.elements.values()] })

const place = z.object({ id: z.nullable(z.string()), port: z.exactOptional(z.string()), x: z.number(), y: z.number() })
const elementSchema = z.object({
  id: z.string(),
  kind: z.string(),
  parent: z.nullable(z.string()),
  children: z.array(z.string()),
  geo: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  ends: z.nullable(z.object({ from: place, to: place })),
  bends: z.array(z.tuple([z.number(), z.number()])),
  fields: z.record(z.string(), z.json()),
  locked: z.exactOptional(z.literal(true)),
  tint: z.exactOptional(z.string()),
  groups: z.exactOptional(z.array(z.string())),
}) satisfies z.ZodMiniType<Element>

/** A tree of well-formed elements, as every reader of models takes for granted. */
const modelSchema = z.pipe(
  z.object({
    schema: z.number(),
    elements: z.array(elementSchema),
    roots: z.array(z.string()),
    scenarios: z.array(z.string()),
  }),
  z.transform((packed, context): Model => {
    const model = treeOf(packed)
    if (model !== null) return model
    context.issues.push({ code: 'custom', message: 'not a tree', input: packed })
    return z.NEVER
  }),
)

/** Why runs failed; a problem of another form is left out. */
const problemsSchema = z.pipe(
  z.catch(z.array(z.catch(z.nullable(z.tuple([z.number(), storedProblem])), null)), []),
  z.transform(all => all.slice(0, mostProblems).filter(one => one !== null)),
)

const countUpTo = (most: number) => z.int().check(z.gte(0), z.lte(most))
const headSchema = z.object({
  result: z.literal(1),
  key: z.string(),
  /** Results of versions that did not record it have none. */
  engine: z.exactOptional(z.string().check(z.maxLength(64))),
  startedAt: z.string().check(z.refine(text => !Number.isNaN(Date.parse(text)))),
  ended: z.enum(['finished', 'budget', 'stopped', 'failed']),
  runs: countUpTo(mostRuns),
  failed: countUpTo(mostRuns),
  count: countUpTo(mostRuns),
  width: countUpTo(mostValues),
  problems: problemsSchema,
  study: modelSchema,
  model: modelSchema,
})

type PackedModel = Pick<Model, 'schema' | 'roots' | 'scenarios'> & { readonly elements: readonly Element[] }

/** Null unless every element is met exactly once from the roots. */
function treeOf({ schema, roots, scenarios, elements: list }: PackedModel): Model | null {
  const elements = new Map(list.map(element => [element.id, element] as const))
  let met = 0
  const open: { id: Id; parent: Id | null }[] = roots.map(id => ({ id, parent: null }))
  for (let next = open.pop(); next; next = open.pop()) {
    const element = elements.get(next.id)
    // Met more often than there are elements: a circle.
    if (!element || element.parent !== next.parent || ++met > elements.size) return null
    for (const id of element.children) open.push({ id, parent: element.id })
  }
  if (met !== elements.size || !scenarios.every(id => roots.includes(id))) return null
  return { schema, elements, roots, scenarios, notes: [] }
}
