// Breakpoints and watches of one person in one document, kept on this device over a reload.
import type { Breakpoint, Watch } from '../../sim-engine/messages.ts'
import type { Run, RunView } from '../run/run.ts'
import { readJson, readValue } from '../validate.ts'
import * as z from '../zod.ts'
import { device, type SettingRow } from './device.ts'

type Kept = { breakpoints: Breakpoint[]; watches: Watch[] }

/** Most of each kept, and characters of all together. */
const limits = { each: 200, text: 100_000 }

/** The table of settings of this device. */
type Settings = {
  get(key: string): PromiseLike<SettingRow | undefined>
  put(row: SettingRow): PromiseLike<unknown>
  delete(key: string): PromiseLike<void>
}

const keyOf = (user: string, doc: string): string => `debug/${user}/${doc}`

/** Restores the stored value, then stores every change. Returns a function that stops this. */
export function keepDebugging(
  run: Pick<Run, 'getState' | 'subscribe' | 'setBreakpoints' | 'setWatches'>,
  user: string,
  doc: string,
  settings: Settings = device.settings,
): () => void {
  const key = keyOf(user, doc)
  let ended = false
  let stop = (): void => {}
  const warn = (error: unknown): void => console.warn('breakpoints are not kept', error)
  void Promise.resolve(settings.get(key))
    .catch(warn)
    .then(row => {
      if (ended) return
      const kept = typeof row?.value === 'string' ? keptOf(row.value) : null
      const now = run.getState()
      if (kept && kept.breakpoints.length > 0 && now.breakpoints.length === 0) run.setBreakpoints(kept.breakpoints)
      if (kept && kept.watches.length > 0 && now.watches.length === 0) run.setWatches(kept.watches)
      let last: Pick<RunView, 'breakpoints' | 'watches'> = run.getState()
      stop = run.subscribe(after => {
        if (after.breakpoints === last.breakpoints && after.watches === last.watches) return
        last = { breakpoints: after.breakpoints, watches: after.watches }
        void save(key, last, settings).catch(warn)
      })
    })
  return () => {
    ended = true
    stop()
  }
}

async function save(
  key: string,
  { breakpoints, watches }: { breakpoints: readonly Breakpoint[]; watches: readonly Watch[] },
  settings: Settings,
): Promise<void> {
  if (breakpoints.length + watches.length === 0) return settings.delete(key)
  const value = JSON.stringify({ breakpoints: breakpoints.slice(0, limits.each), watches: watches.slice(0, limits.each) })
  if (value.length <= limits.text) await settings.put({ key, value })
}

const every = { id: z.string(), enabled: z.boolean() }
const condition = z.string()
const count = z.int().check(z.gte(0))
const breakpointSchema = z.discriminatedUnion('on', [
  z.object({ ...every, on: z.literal('element'), element: z.string(), condition }),
  z.object({ ...every, on: z.literal('line'), element: z.string(), field: z.string(), line: count, condition }),
  z.object({ ...every, on: z.literal('change'), variable: z.string() }),
  z.object({ ...every, on: z.literal('entity'), population: z.string(), entity: count }),
  z.object({ ...every, on: z.literal('error') }),
]) satisfies z.ZodMiniType<Breakpoint>
const watchSchema = z.object({ id: z.string(), text: z.string() }) satisfies z.ZodMiniType<Watch>
const list = z.optional(z.catch(z.array(z.unknown()), []))
const keptSchema = z.object({ breakpoints: list, watches: list })

/** Parses a stored text; rows of another form are left out. */
export function keptOf(text: string): Kept {
  const { breakpoints = [], watches = [] } = readJson(keptSchema, text) ?? {}
  const rows = <T>(schema: z.ZodMiniType<T>, given: readonly unknown[]): T[] =>
    given.slice(0, limits.each).flatMap(one => readValue(schema, one) ?? [])
  return { breakpoints: rows(breakpointSchema, breakpoints), watches: rows(watchSchema, watches) }
}
