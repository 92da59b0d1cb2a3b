// Breakpoints and watches of one person in one document, kept on this device over a reload.
import type { Breakpoint, Watch } from '../../sim-engine/messages.ts'
import type { Run, RunView } from '../run/run.ts'
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

/** Parses a stored text; rows of another shape are left out. */
export function keptOf(text: string): Kept {
  const value = parsed(text)
  if (!isRecord(value)) return { breakpoints: [], watches: [] }
  const list = (given: unknown): unknown[] => (Array.isArray(given) ? given.slice(0, limits.each) : [])
  return { breakpoints: list(value['breakpoints']).filter(isBreakpoint), watches: list(value['watches']).filter(isWatch) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const isWatch = (value: unknown): value is Watch => isRecord(value) && typeof value['id'] === 'string' && typeof value['text'] === 'string'

function isBreakpoint(value: unknown): value is Breakpoint {
  if (!isRecord(value) || typeof value['id'] !== 'string' || typeof value['enabled'] !== 'boolean') return false
  const texts = (...names: string[]): boolean => names.every(name => typeof value[name] === 'string')
  const whole = (name: string): boolean => Number.isSafeInteger(value[name]) && Number(value[name]) >= 0
  switch (value['on']) {
    case 'element':
      return texts('element', 'condition')
    case 'line':
      return texts('element', 'field', 'condition') && whole('line')
    case 'change':
      return texts('variable')
    case 'entity':
      return texts('population') && whole('entity')
    default:
      return value['on'] === 'error'
  }
}
