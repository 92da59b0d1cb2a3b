// A run handed over in an address: scenario, seed, length and inputs, so that one run of an experiment is made again in the model editor.
import type { Id } from '../../model-schema/model.ts'
import type { Plain } from '../../sim-engine/messages.ts'
import { readJson } from '../validate.ts'
import * as z from '../zod.ts'

export type Handed = {
  scenario: Id
  seed: number
  /** Instead of the scenario's total ticks; null: as it says. */
  ticks: number | null
  inputs: Readonly<Record<Id, Plain>>
}

const prefix = '#run='

export const handedHash = (handed: Handed): string => prefix + encodeURIComponent(JSON.stringify(handed))

const seed = z.int().check(z.gte(0), z.lt(2 ** 32))
/** Experiments set numbers, truth values and texts; anything else is left out. */
const input = z.catch(z.union([z.boolean(), z.string(), z.number(), z.undefined()]), undefined)
export const handedSchema = z.object({
  scenario: z.string(),
  seed,
  ticks: z._default(z.nullable(z.int().check(z.gte(0))), null),
  inputs: z.pipe(
    z.record(z.string(), input),
    z.transform(inputs => {
      const values: Record<Id, Plain> = {}
      for (const [id, value] of Object.entries(inputs)) if (value !== undefined) values[id] = value
      return values
    }),
  ),
}) satisfies z.ZodMiniType<Handed>

/** The run that an address describes; null if it describes none. */
export function readHanded(hash: string): Handed | null {
  if (!hash.startsWith(prefix) || hash.length > 20_000) return null
  try {
    return readJson(handedSchema, decodeURIComponent(hash.slice(prefix.length)))
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

/** The run this page was opened for. */
export const handedRun = (): Handed | null => (typeof location === 'undefined' ? null : readHanded(location.hash))
