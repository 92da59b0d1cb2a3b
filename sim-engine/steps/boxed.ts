// Values on their way to where anything may be: an individual of one population is a handle in typed columns, but itself elsewhere.
import type { Emitter } from '../compile/emitter.ts'
import type { Type } from '../formula.ts'

export function boxedJs(emitter: Emitter, type: Type, js: string): string {
  const population = type.is === 'entity' ? emitter.checked.scopes.entity(type.of) : undefined
  return population ? `W.ref(P${population.index},${js})` : js
}
