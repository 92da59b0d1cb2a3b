// An entry of the history as bytes, for upload and download: a head in JSON, then columns of numbers, all of it gzipped. Downloads are
// untrusted and validated when read.
import { experimentOf } from '../../model-schema/experiment.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import type { Sample } from '../../sim-engine/experiment.ts'
import type { Entry } from './history.ts'

export type Packed = Pick<Entry, 'key' | 'engine' | 'study' | 'model' | 'startedAt' | 'runs' | 'failed'> & {
  ended: 'finished' | 'budget' | 'stopped' | 'failed'
}
type Samples = ReadonlyMap<number, Sample>

const ends: readonly Sample['end'][] = ['success', 'terminated', 'limited', 'failed']
const endings = ['finished', 'budget', 'stopped', 'failed'] as const
/** Most runs and numbers a run that are unpacked. */
const mostRuns = 20_000_000
const mostValues = 100_000
/** Bytes the unpacked form may have. */
const mostBytes = 2 ** 30

export async function pack(entry: Packed, samples: Samples): Promise<Uint8Array> {
  const width = Math.max(0, ...[...samples.values()].slice(0, 100).map(({ values }) => values.length))
  const problems = [...samples].flatMap(([run, { problem }]) => (problem === null ? [] : [[run, problem] as const])).slice(0, 100)
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
    const head: unknown = JSON.parse(new TextDecoder().decode(new Uint8Array(whole, 4, length)))
    if (!isRecord(head) || head['result'] !== 1) return null
    const study = modelIn(head['study'])
    const model = modelIn(head['model'])
    const ended = endings.find(one => one === head['ended'])
    const { key, engine, startedAt, problems } = head
    const count = whole32(head['count'], mostRuns)
    const width = whole32(head['width'], mostValues)
    const runs = whole32(head['runs'], mostRuns)
    const failed = whole32(head['failed'], mostRuns)
    if (study === null || model === null || ended === undefined || experimentOf(study) === null) return null
    if (typeof key !== 'string' || typeof startedAt !== 'string' || Number.isNaN(Date.parse(startedAt))) return null
    // Results of versions that did not record it have none.
    if (engine !== undefined && (typeof engine !== 'string' || engine.length > 64)) return null
    if (count === null || width === null || runs === null || failed === null) return null
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
    for (const [run, problem] of problemsIn(problems)) {
      const sample = samples.get(run)
      if (sample) samples.set(run, { ...sample, problem })
    }
    return { entry: { key, ...(engine === undefined ? {} : { engine }), study, model, startedAt, runs, failed, ended }, samples }
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

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => typeof value === 'number'
const whole32 = (value: unknown, most: number): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most ? value : null

function* problemsIn(value: unknown): Generator<[number, NonNullable<Sample['problem']>]> {
  if (!Array.isArray(value)) return
  for (const item of value.slice(0, 100)) {
    const [run, problem]: unknown[] = Array.isArray(item) ? item : []
    if (typeof run === 'number' && isProblem(problem)) yield [run, problem]
  }
}

const isProblem = (value: unknown): value is NonNullable<Sample['problem']> =>
  isRecord(value) &&
  isNumber(value['code']) &&
  isRecord(value['at']) &&
  isText(value['at']['id']) &&
  isRecord(value['message']) &&
  isText(value['message']['en']) &&
  isText(value['message']['zh'])

/** A model as it was packed; null unless it is a tree of well-formed elements, as every reader of models takes for granted. */
function modelIn(value: unknown): Model | null {
  if (!isRecord(value) || !isNumber(value['schema']) || !isTexts(value['roots']) || !isTexts(value['scenarios'])) return null
  if (!Array.isArray(value['elements']) || !value['elements'].every(isElement)) return null
  const elements = new Map(value['elements'].map(element => [element.id, element] as const))
  const { roots, scenarios, schema } = value
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

const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)
const isEnd = (value: unknown): boolean =>
  isRecord(value) && (value['id'] === null || isText(value['id'])) && isNumber(value['x']) && isNumber(value['y'])

const isElement = (value: unknown): value is Element =>
  isRecord(value) &&
  isText(value['id']) &&
  isText(value['kind']) &&
  (value['parent'] === null || isText(value['parent'])) &&
  isTexts(value['children']) &&
  Array.isArray(value['geo']) &&
  value['geo'].length === 4 &&
  value['geo'].every(isNumber) &&
  (value['ends'] === null || (isRecord(value['ends']) && isEnd(value['ends']['from']) && isEnd(value['ends']['to']))) &&
  Array.isArray(value['bends']) &&
  value['bends'].every(bend => Array.isArray(bend) && bend.length === 2 && bend.every(isNumber)) &&
  isRecord(value['fields'])
