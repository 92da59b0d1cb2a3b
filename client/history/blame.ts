// The author of the last change of each part of an element, derived from the versions of its document. Pure.
import { changeOf } from '../../model-schema/changes.ts'
import type { Id, Model } from '../../model-schema/model.ts'
import type { Version } from './versions.ts'

export type Blamed = {
  /** The id of a field; `canvas`, `ends` or `place`; `made`: the element itself. */
  readonly what: string
  /** The version that has it first. `now`: none yet. `before`: it was so in the oldest version that is known. */
  readonly since: Version | 'now' | 'before'
}

/** `versions`: the latest first. Reads them one after the other, as far back as anything is still to be found out. */
export async function blameOf(
  id: Id,
  now: Model,
  versions: readonly Version[],
  contentOf: (version: Version) => Promise<Model>,
): Promise<Blamed[]> {
  const element = now.elements.get(id) ?? null
  if (!element) return []
  const found = new Map<string, Blamed['since']>()
  let later: Blamed['since'] = 'now'
  for (const version of versions) {
    const was = (await contentOf(version)).elements.get(id) ?? null
    if (!was) break
    const change = changeOf(id, was, element)
    const differs = change
      ? [
          ...change.fields.map(field => field.id),
          ...(change.reparented ? ['canvas'] : []),
          ...(change.reconnected ? ['ends'] : []),
          ...(change.moved ? ['place'] : []),
        ]
      : []
    for (const what of differs) if (!found.has(what)) found.set(what, later)
    later = version
    if (version === versions.at(-1)) later = 'before'
  }
  return [{ what: 'made', since: later }, ...[...found].map(([what, since]): Blamed => ({ what, since }))]
}
