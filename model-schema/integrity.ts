// From the plain data of a document to its Model. Pure and total: no history, no clock, no throw. Any facets, however strangely merged,
// give the same Model on every peer; what is wrong is listed in `notes` and nothing is dropped. Two steps: each element is parsed by itself
// (integrity/parse.ts), then all are put together (integrity/assemble.ts). A live document redoes only what a change touched.
import { isId } from './ids.ts'
import { assemble } from './integrity/assemble.ts'
import { fieldsOf, parseElement, splitKey, type Parsed } from './integrity/parse.ts'
import type { Json } from './kinds/kind.ts'
import type { Facets, Id, Model } from './model.ts'

export { SCHEMA } from './integrity/assemble.ts'
export { sameJson } from './integrity/values.ts'

/** Reads the plain data of a document. Total; equal facets give equal Models, key order does not matter. */
export function readFacets(facets: Facets): Model {
  const fields = new Map<Id, Map<string, unknown>>()
  for (const values of [facets.data, facets.rich, facets.text]) {
    for (const [key, value] of Object.entries(values)) {
      const at = splitKey(key)
      if (at) fieldsOf(fields, at.id).set(at.field, value)
    }
  }
  const parsed = new Map<Id, Parsed>()
  for (const id of Object.keys(facets.kind)) {
    if (!isId(id)) continue
    parsed.set(
      id,
      parseElement(id, {
        kind: own(facets.kind, id),
        tree: own(facets.tree, id),
        geo: own(facets.geo, id),
        conn: own(facets.conn, id),
        style: own(facets.style, id),
        fields: fields.get(id) ?? nothing,
      }),
    )
  }
  return assemble(parsed, id => own(facets.geo, id), own(facets.meta, 'schema')).model
}

const nothing: ReadonlyMap<string, unknown> = new Map()

const own = (record: Record<string, Json>, key: string): unknown => (Object.hasOwn(record, key) ? record[key] : undefined)
