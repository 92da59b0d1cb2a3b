// A run handed over in an address: scenario, seed, length and inputs, so that one run of an experiment is made again in the model editor.
import type { Id } from '../../model-schema/model.ts'
import type { Plain } from '../../sim-engine/messages.ts'

export type Handed = {
  scenario: Id
  seed: number
  /** Instead of the scenario's total ticks; null: as it says. */
  ticks: number | null
  inputs: Readonly<Record<Id, Plain>>
}

const prefix = '#run='

export const handedHash = (handed: Handed): string => prefix + encodeURIComponent(JSON.stringify(handed))

/** What an address hands over; null when it is not for that, or was made wrongly. */
export function readHanded(hash: string): Handed | null {
  if (!hash.startsWith(prefix) || hash.length > 20_000) return null
  try {
    return handedIn(JSON.parse(decodeURIComponent(hash.slice(prefix.length))))
  } catch {
    return null
  }
}

/** The run that a value from outside describes; null when it describes none. */
export function handedIn(json: unknown): Handed | null {
  if (typeof json !== 'object' || json === null) return null
  const { scenario, seed, ticks = null, inputs }: { scenario?: unknown; seed?: unknown; ticks?: unknown; inputs?: unknown } = json
  if (typeof scenario !== 'string' || typeof seed !== 'number' || !Number.isSafeInteger(seed) || seed < 0 || seed >= 2 ** 32) return null
  if (ticks !== null && (typeof ticks !== 'number' || !Number.isSafeInteger(ticks) || ticks < 0)) return null
  if (typeof inputs !== 'object' || inputs === null) return null
  const values: Record<Id, Plain> = {}
  for (const [id, value] of Object.entries(inputs)) if (isPlain(value)) values[id] = value
  return { scenario, seed, ticks, inputs: values }
}

/** Experiments set numbers, truths and texts. */
const isPlain = (value: unknown): value is number | boolean | string =>
  typeof value === 'boolean' || typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))

/** The run this page was opened for. */
export const handedRun = (): Handed | null => (typeof location === 'undefined' ? null : readHanded(location.hash))
