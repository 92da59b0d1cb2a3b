// How hot elements are: their share of the time a profile counted, with all that happens inside them.
import { useMemo } from 'react'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Id, Model } from '../../model-schema/model.ts'
import { elementRows, type Profile } from '../../sim-engine/profile.ts'
import { useRunView } from './RunProvider.tsx'

/** Shares from 0 to 1. A population has those of its processes, functions and statistics together. */
export function heatOf(profile: Profile, model: Model): ReadonlyMap<Id, number> {
  const shares = new Map<Id, number>()
  if (!(profile.milliseconds > 0)) return shares
  const rows = elementRows(profile)
  for (const { element, total } of rows) shares.set(element, total / profile.milliseconds)
  for (const { element } of rows) {
    const outer = model.elements.get(model.elements.get(element)?.parent ?? '')
    if (!outer || kindOf(outer.kind)?.opens !== 'entity') continue
    // What a function takes counts for the process that calls it.
    if (model.elements.get(element)?.kind !== 'process') continue
    shares.set(outer.id, Math.min(1, (shares.get(outer.id) ?? 0) + (shares.get(element) ?? 0)))
  }
  return shares
}

/** The heat to show on the canvas, or null. */
export function useHeat(model: Model): ReadonlyMap<Id, number> | null {
  const shown = useRunView(view => view.heat)
  const profile = useRunView(view => view.profile)
  return useMemo(() => (shown && profile ? heatOf(profile, model) : null), [shown, profile, model])
}
