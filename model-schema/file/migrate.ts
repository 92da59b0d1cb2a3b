// Older files become today's here, one step a version. There is one version so far.
import { type Json } from '../kinds/kind.ts'
import { isRecord } from '../integrity/values.ts'
import type { FileProblem } from './format.ts'
import { say } from '../words.ts'

/** `migrations[n]` turns the JSON of a file of version n + 1 into one of version n + 2. Each is total on objects. */
export const migrations: readonly ((file: Record<string, unknown>) => Record<string, unknown>)[] = []

const current = migrations.length + 1

/** Brings parsed JSON to the current version of the format. */
export function migrate(json: unknown): { json: Record<string, unknown> } | { problems: FileProblem[] } {
  if (!isRecord(json) || json.format !== 'holo') {
    return {
      problems: [{ path: '', words: say('This is not a Holarchy model: "format" must be "holo".') }],
    }
  }
  const version: unknown = json.version
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    return { problems: [{ path: 'version', words: say('"version" must be a whole number from 1.') }] }
  }
  if (version > current) {
    return {
      problems: [
        {
          path: 'version',
          words: say('This file has format version {version}; this build reads up to {current}. Reload the page to update.', {
            version,
            current,
          }),
        },
      ],
    }
  }
  let file = json
  for (const step of migrations.slice(version - 1)) file = step(file)
  return { json: { ...file, version: current satisfies Json } }
}
