// A run kept in the dashboard's own file: its charts thinned, its figures, its last picture. It is shown by the same cards as a live one, because it
// answers like an engine that has just come to the end. Its size is bounded; what does not fit - the picture first - is left out.
import { fromBase64, toBase64 } from 'lib0/buffer'
import type { Frame, FromEngine, Loaded, RunResult, Series, Summary } from '../../../sim-engine/messages.ts'
import { thinned } from '../../charts/thin.ts'
import type { Transport } from '../../run/engine.ts'
import type { Run } from '../../run/run.ts'
import { readValue } from '../../validate.ts'
import * as z from '../../zod.ts'

export type Kept = {
  /** When it was kept, as an ISO date. */
  readonly at: string
  readonly loaded: Loaded
  readonly frame: Frame
  readonly result: RunResult
  readonly summary: Summary
}

/** Characters: far below what one value of a document may have, so that several runs fit a message to others. */
export const mostLength = 320_000
/** Pixel columns that charts are thinned to, finer ones tried first. */
const finenesses = [250, 80, 25]

/** The text that keeps a run which has ended; null while it has not, or when it is too large. */
export function keptText(run: Run, now: Date): string | null {
  const { loaded, frame, result, summary, series } = run.getState()
  if (!loaded || !frame || !result || !summary) return null
  for (const layers of [frame.layers, []]) {
    for (const pixels of finenesses) {
      const rows = [...series].map(([chart, buffer]): Series => {
        if (buffer.received === 0) return { chart, latest: [...buffer.latest] }
        const columns = Array.from({ length: buffer.columns }, (_, i) => buffer.column(i))
        const [x = new Float64Array(), ...rest] = thinned([buffer.x, ...columns], pixels)
        return { chart, from: 0, x: Float64Array.from(x), columns: rest.map(column => Float64Array.from(column)) }
      })
      const kept: Kept = {
        at: now.toISOString(),
        loaded,
        frame: { ...frame, state: 'ended', layers, series: rows, tokens: {}, standing: [], output: [], rewound: false },
        result,
        summary,
      }
      const text = JSON.stringify(kept, pack)
      if (text.length <= mostLength) return text
    }
  }
  return null
}

type Numbers = Float64Array | Float32Array | Uint32Array | Uint8Array
const arrays = { f64: Float64Array, f32: Float32Array, u32: Uint32Array, u8: Uint8Array } as const
type ArrayName = keyof typeof arrays
const packedSchema = z.object({ as: z.enum(['f64', 'f32', 'u32', 'u8']), data: z.string() })

/** Numbers of 64 bits are stored with 32: the difference is not visible on a screen. */
function pack(_key: string, value: unknown): unknown {
  if (value instanceof Float64Array) return packed('f32', Float32Array.from(value))
  if (value instanceof Float32Array) return packed('f32', value)
  if (value instanceof Uint32Array) return packed('u32', value)
  if (value instanceof Uint8Array) return packed('u8', value)
  return value
}

const packed = (as: ArrayName, values: Numbers) => ({
  as,
  data: toBase64(new Uint8Array(values.buffer, values.byteOffset, values.byteLength)),
})

/** Reads the numbers of a packed array; anything else comes back as it is. */
function unpack(_key: string, value: unknown): unknown {
  const array = readValue(packedSchema, value)
  if (array === null) return value
  const { as, data } = array
  const bytes = Uint8Array.from(fromBase64(data))
  return new arrays[as](bytes.buffer, 0, Math.floor(bytes.length / arrays[as].BYTES_PER_ELEMENT))
}

/** The run stored in a text; null if there is none, or one of another version. */
export function keptRun(text: string): Kept | null {
  if (text === '' || text.length > 2 * mostLength) return null
  try {
    const kept = readValue(keptSchema, JSON.parse(text, unpack))
    return kept && widened(kept)
  } catch {
    return null // not JSON, or with invalid numbers: the caller reports that it can't be read
  }
}

const object = z.looseObject({})
const numbers = z.custom<Numbers>(value => ArrayBuffer.isView(value) && !(value instanceof DataView))
const withId = z.looseObject({ id: z.string() })
const series = z.union([
  z.looseObject({ chart: z.string(), latest: z.array(z.unknown()) }),
  z.looseObject({ chart: z.string(), x: numbers, columns: z.array(numbers) }),
])
const layer = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('cell'), colors: numbers }),
  z.looseObject({
    kind: z.literal('agent'),
    count: z.number(),
    ids: numbers,
    x: numbers,
    y: numbers,
    heading: numbers,
    size: numbers,
    colors: numbers,
    shapes: numbers,
  }),
  z.looseObject({
    kind: z.literal('link'),
    count: z.number(),
    x1: numbers,
    y1: numbers,
    x2: numbers,
    y2: numbers,
    colors: numbers,
    thickness: numbers,
    from: numbers,
    to: numbers,
    fromOf: numbers,
    toOf: numbers,
  }),
])

/** What the cards of charts and the world view read of it. */
const shownSchema = z.looseObject({
  at: z.string(),
  loaded: z.looseObject({
    charts: z.array(z.looseObject({ id: z.string(), series: z.array(object) })),
    spaces: z.array(object),
    populations: z.array(object),
    statistics: z.array(object),
    publics: z.array(withId),
    seed: z.number(),
  }),
  frame: z.looseObject({
    tick: z.number(),
    time: z.number(),
    values: object,
    containers: z.array(object),
    series: z.array(series),
    layers: z.array(layer),
  }),
  result: z.looseObject({ end: z.string() }),
  summary: z.looseObject({ statistics: object }),
})
const keptSchema = z.custom<Kept>(value => shownSchema.safeParse(value).success)

/** Series in the precision that charts take. */
function widened(kept: Kept): Kept {
  const series = kept.frame.series.map((one): Series =>
    'latest' in one
      ? one
      : { chart: one.chart, from: 0, x: Float64Array.from(one.x), columns: one.columns.map(column => Float64Array.from(column)) },
  )
  return { ...kept, frame: { ...kept.frame, tokens: {}, standing: [], output: [], rewound: false, series } }
}

/** An engine that knows one run, which has ended. */
export function keptTransport(kept: Kept): Transport {
  let heard: (message: FromEngine) => void = () => undefined
  let closed = false
  const say = (message: FromEngine): void => {
    if (!closed) heard(message)
  }
  const begin = (load: number): void => {
    const { frame, result, summary } = kept
    const loaded = { ...kept.loaded, load }
    say({ is: 'loaded', loaded, problems: [], frame: { ...frame, load, state: 'ready', series: [] } })
    say({ is: 'ended', load, result, summary, frame: { ...frame, load, state: 'ended' } })
  }
  return {
    post(message) {
      if (message.do === 'load') queueMicrotask(() => begin(message.load))
      if (message.do === 'check') queueMicrotask(() => say({ is: 'checked', check: message.check, problems: [] }))
    },
    listen(listener) {
      heard = listener
    },
    close() {
      closed = true
    },
  }
}
