// What of a document the search looks into. Run where documents are merged, on the worker thread.
import * as Y from 'yjs'

/** Characters kept of one document's texts. */
const SEARCHED = 20_000
const NAMED = /\/(name|label|title|remark|description|note|text)$/

/** Names, labels and notes of the elements, in lower case: comparing is several times faster so. */
export function searchTextOf(doc: Y.Doc): string {
  const found = new Set<string>()
  let length = 0
  const add = (value: unknown): void => {
    if (typeof value !== 'string' || value === '' || found.has(value) || length > SEARCHED) return
    found.add(value)
    length += value.length + 1
  }
  for (const [key, value] of doc.getMap('data')) if (NAMED.test(key)) add(value)
  for (const [key, value] of doc.getMap('text')) if (NAMED.test(key) && value instanceof Y.Text) add(value.toString())
  return [...found].join('\n').replaceAll('\0', '').toLowerCase().slice(0, SEARCHED)
}
