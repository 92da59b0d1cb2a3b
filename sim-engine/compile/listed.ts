// Which agents are ever searched by their cell. The others need no lists of who is on which cell, and moving them costs
// half as much. Certain or not at all: one query that may find anybody means everybody. Formulas that only look (watches) are
// not asked: where there are no lists the space goes through all.
import type { CheckedModel } from '../check/checked.ts'
import type { EntityPart, FormulaPart } from '../check/parts.ts'
import { walk } from '../formula/walk.ts'

const known = new WeakMap<CheckedModel, ReadonlySet<EntityPart>>()

export function isListed(checked: CheckedModel, entity: EntityPart): boolean {
  if (entity.space?.topology !== 'discrete') return true
  const found = known.get(checked) ?? listed(checked)
  known.set(checked, found)
  return found.has(entity)
}

function listed(checked: CheckedModel): Set<EntityPart> {
  const found = new Set<EntityPart>()
  for (const formula of checked.formulas.values()) {
    if (!/\b(?:agents_on|neighbors|nearest)\b/.test(formula.text)) continue
    const entities = soughtIn(checked, formula)
    if (!entities) return new Set(checked.parts.entities)
    for (const entity of entities) found.add(entity)
  }
  return found
}

/** The populations of a formula's queries for agents on a cell; null if there are other queries, or it is unknown. */
function soughtIn(checked: CheckedModel, { text, inferred }: FormulaPart): EntityPart[] | null {
  const found: EntityPart[] = []
  walk(inferred.parsed.ast, node => {
    if (node.is !== 'call' || node.callee.is !== 'name' || node.callee.name !== 'agents_on') return
    const type = inferred.plan.types.get(node)
    const entity = type?.is === 'entities' && type.of !== null ? checked.scopes.entity(type.of) : undefined
    if (entity && entity.derived.length === 0) found.push(entity)
  })
  const mentions = text.match(/\b(?:agents_on|neighbors|nearest)\b/g) ?? []
  return mentions.length === found.length ? found : null
}
