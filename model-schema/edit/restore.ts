// Brings a document to an earlier content by going forward: one transaction with only what differs, facet by facet. Never a stored state put
// in place of the present one: what others hold in memory would merge the old future back in.
import * as Y from 'yjs'
import { plainValue, sharedFragment, sharedText, type DocumentLayout } from '../document/layout.ts'
import { splitKey } from '../integrity/parse.ts'
import { sameJson } from '../integrity/values.ts'
import { kindOf } from '../kinds.ts'
import type { Json } from '../kinds/kind.ts'
import type { Facets } from '../model.ts'
import { put, replaceText } from './write.ts'

/** Writes what differs between the document and `wanted`. Elements that `wanted` lacks are deleted as by hand, so that undo restores them. */
export function restoreFacets(layout: DocumentLayout, wanted: Facets): void {
  for (const id of layout.kind.keys()) if (!Object.hasOwn(wanted.kind, id)) layout.kind.delete(id)
  for (const name of ['kind', 'tree', 'geo', 'conn', 'style'] as const) {
    for (const id of Object.keys(wanted.kind)) {
      const value = wanted[name][id]
      if (value !== undefined) put(layout[name], id, value)
      else if (layout[name].has(id)) layout[name].delete(id)
    }
  }
  const texts: Record<string, Json> = { ...wanted.text }
  const riches: Record<string, Json> = { ...wanted.rich }
  for (const [id, kind] of Object.entries(wanted.kind)) {
    for (const { id: field, type, initial } of (typeof kind === 'string' ? kindOf(kind) : undefined)?.fields ?? []) {
      const key = `${id}/${field}`
      if (type.as === 'formula' && !Object.hasOwn(wanted.data, key)) texts[key] ??= initial
      if (type.as === 'rich') riches[key] ??= initial
    }
  }
  for (const [name, values] of [['data', wanted.data] as const, ['text', texts] as const, ['rich', riches] as const]) {
    const map = layout[name]
    for (const key of map.keys()) {
      const at = splitKey(key)
      if (at && Object.hasOwn(wanted.kind, at.id) && !Object.hasOwn(values, key)) map.delete(key)
    }
    for (const [key, value] of Object.entries(values)) putShared(map, name, key, value)
  }
}

export function putShared(map: Y.Map<unknown>, name: 'data' | 'text' | 'rich', key: string, value: Json): void {
  const now = map.get(key)
  if (name === 'data') put(map, key, value)
  else if (name === 'rich') {
    if (!(now instanceof Y.XmlFragment) || !sameJson(plainValue(now), value)) map.set(key, sharedFragment(value))
  } else if (typeof value === 'string') {
    if (now instanceof Y.Text) replaceText(now, value)
    else map.set(key, sharedText(value))
  }
}
