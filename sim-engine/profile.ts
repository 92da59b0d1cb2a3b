// A profile for reading: one row per element or formula, and the file that speedscope and other viewers of profiles open.
import type { Id } from '../model-schema/model.ts'
import type { Profile } from './messages.ts'

export type { Profile } from './messages.ts'

/** What an element or a formula took, in milliseconds. `total` has everything called from it; recursion counts once. */
export type ProfileRow = {
  readonly element: Id
  /** Null for a process or a step without its formulas. */
  readonly field: string | null
  readonly self: number
  readonly total: number
  readonly calls: number
}

/** One row per element and formula, the longest total first. The run itself is no row: what it does by itself is `engineTime`. */
export function profileRows(profile: Profile): ProfileRow[] {
  return summed(profile, ({ element, field }) => `${element}/${field ?? ''}`)
}

/** One row per element, its formulas included. */
export function elementRows(profile: Profile): ProfileRow[] {
  return summed(profile, ({ element }) => element).map(row => ({ ...row, field: null }))
}

/** Milliseconds of the engine's own work between steps and formulas: the calendar, queues, neighbours, columns. */
export const engineTime = (profile: Profile): number => profile.nodes[0]?.self ?? 0

function summed(profile: Profile, keyOf: (node: Profile['nodes'][number]) => string): ProfileRow[] {
  const { nodes } = profile
  const totals = nodes.map(node => node.self)
  // Children come after their parents.
  for (let k = nodes.length - 1; k > 0; k--) totals[nodes[k]!.parent] = totals[nodes[k]!.parent]! + totals[k]!
  const keys = nodes.map(keyOf)
  const rows = new Map<string, { element: Id; field: string | null; self: number; total: number; calls: number }>()
  for (const [k, node] of nodes.entries()) {
    if (k === 0) continue
    const key = keys[k]!
    const row = rows.get(key) ?? { element: node.element, field: node.field, self: 0, total: 0, calls: 0 }
    row.self += node.self
    if (!isInside(nodes, keys, k)) {
      row.total += totals[k]!
      row.calls += node.calls
    }
    rows.set(key, row)
  }
  return [...rows.values()].sort((a, b) => b.total - a.total || b.self - a.self)
}

/** Whether a node is below another of the same row. */
function isInside(nodes: Profile['nodes'], keys: readonly string[], k: number): boolean {
  for (let up = nodes[k]!.parent; up > 0; up = nodes[up]!.parent) if (keys[up] === keys[k]) return true
  return false
}

/** How a viewer calls an element or a formula. */
type NameOf = (element: Id, field: string | null) => string

/** A file in the format of speedscope (www.speedscope.app/file-format-schema.json): one weighted stack per place where time went. */
export function speedscopeFile(profile: Profile, title: string, nameOf: NameOf): string {
  const frames: { name: string }[] = []
  const known = new Map<string, number>()
  const frameOf = ({ element, field }: Profile['nodes'][number], k: number): number => {
    const key = `${element}/${field ?? ''}`
    const at = known.get(key)
    if (at !== undefined) return at
    known.set(key, frames.length)
    return frames.push({ name: k === 0 ? 'run' : nameOf(element, field) }) - 1
  }
  const stacks: number[][] = []
  for (const [k, node] of profile.nodes.entries()) stacks.push([...(k === 0 ? [] : (stacks[node.parent] ?? [])), frameOf(node, k)])
  const spent = profile.nodes.map((node, k) => ({ weight: node.self, stack: stacks[k]! })).filter(({ weight }) => weight > 0)
  return JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    exporter: 'Holarchy',
    name: title,
    activeProfileIndex: 0,
    shared: { frames },
    profiles: [
      {
        type: 'sampled',
        name: title,
        unit: 'milliseconds',
        startValue: 0,
        endValue: spent.reduce((sum, { weight }) => sum + weight, 0),
        samples: spent.map(({ stack }) => stack),
        weights: spent.map(({ weight }) => weight),
      },
    ],
  })
}
