// Tokens that are left when a run is over: their steps, what they wait for, and their owners. Where all wait for what none will give, that is
// the deadlock.
import type { Summary } from '../messages.ts'
import type { Program } from '../compile.ts'
import type { Built } from './build.ts'

type Waiting = Summary['waiting'][number]

/** Names listed per row. */
const listed = 5

export function waitingTokens(program: Program, { world, kernel }: Pick<Built, 'world' | 'kernel'>): Waiting[] {
  const { parts } = program.checked
  const { tokens } = kernel
  const rows = new Map<string, Waiting>()
  for (let t = 0; t < tokens.top; t++) {
    const pc = tokens.pc[t]!
    const step = pc >= 0 && pc % 8 !== 7 ? parts.steps[pc >> 3] : undefined
    if (!step) continue
    const what = reason(step.kind.id, pc % 8, tokens.event[t]!, tokens.request[t]!, tokens.pending[t]!, tokens.watching[t]!)
    const key = `${step.index} ${what}`
    const { entity, level } = step.process
    const row = rows.get(key) ?? { element: step.id, process: step.process.name, step: step.name || step.id, for: what, count: 0, who: [] }
    row.count++
    if (level === 'individual' && entity && row.who.length < listed)
      row.who.push(`${entity.name} ${world.population(entity.index).ids[tokens.owner[t]! & 0xffffff] ?? '?'}`)
    rows.set(key, row)
  }
  return [...rows.values()]
}

function reason(kind: string, entry: number, event: number, request: number, pending: number, watching: number): Waiting['for'] {
  if (request >= 0) return 'container'
  if (pending > 0) return 'others'
  if (event >= 0) return 'time'
  if (kind === 'gateway' && watching === 0) return 'join'
  if (watching === 1 || kind === 'intermediate') return 'event'
  return entry === 6 ? 'nothing' : 'others'
}
