// The Yjs layout of a document: top-level maps of atomic facets keyed by element id, so that the unit of a conflict is what a person thinks
// of as one thing, and nothing is ever created twice. Formula texts and rich texts are the only nested shared types; they are created in
// the same transaction as their element.
import * as Y from 'yjs'
import type { Json } from '../kinds/kind.ts'
import { wellFormed } from '../integrity/values.ts'
import { blocksOf, normalRich, type RichNode } from '../rich.ts'

/** Names of the top-level maps. */
export const FACETS = ['meta', 'kind', 'geo', 'tree', 'conn', 'style', 'data', 'text', 'rich'] as const
export type FacetName = (typeof FACETS)[number]

export type DocumentLayout = Record<FacetName, Y.Map<unknown>>

/** The maps of a document. */
export const layoutOf = (doc: Y.Doc): DocumentLayout => ({
  meta: doc.getMap('meta'),
  kind: doc.getMap('kind'),
  geo: doc.getMap('geo'),
  tree: doc.getMap('tree'),
  conn: doc.getMap('conn'),
  style: doc.getMap('style'),
  data: doc.getMap('data'),
  text: doc.getMap('text'),
  rich: doc.getMap('rich'),
})

/** Origin of this user's own edits: the only one, besides editors' bindings, that undo tracks. */
export const LOCAL = 'local'

/** Origin of the content of a new document: no edit, so not to be undone. */
export const LOAD = 'load'

/** The plain value of a shared type: texts as strings, fragments as rich text, plain values unchanged. */
export function plainValue(value: unknown): unknown {
  if (value instanceof Y.XmlFragment) return richOfFragment(value)
  if (value instanceof Y.Text) return value.toString()
  return value
}

/** A shared text holding `text`. Halves of surrogate pairs become U+FFFD: they would make an update unreadable. */
export const sharedText = (text: string): Y.Text => new Y.Text(text.toWellFormed())

// ProseMirror's layout of shared fragments, as y-prosemirror writes it: elements by node name with their attributes, texts with marks as
// formatting attributes (a mark that may occur twice has `--` and a hash after its name).

export function sharedFragment(rich: Json): Y.XmlFragment {
  const fragment = new Y.XmlFragment()
  fragment.insert(0, sharedNodes(blocksOf(rich)))
  return fragment
}

function sharedNodes(nodes: readonly RichNode[]): (Y.XmlElement | Y.XmlText)[] {
  const out: (Y.XmlElement | Y.XmlText)[] = []
  let run: { insert: string; attributes?: object }[] = []
  const flush = (): void => {
    if (run.length === 0) return
    const text = new Y.XmlText()
    text.applyDelta(run)
    out.push(text)
    run = []
  }
  for (const node of nodes) {
    if (node.type === 'text') {
      if (node.text)
        run.push({
          insert: node.text.toWellFormed(),
          attributes: Object.fromEntries((node.marks ?? []).map(mark => [mark.type, wellFormed(mark.attrs ?? {})])),
        })
      continue
    }
    flush()
    const element = new Y.XmlElement<Record<string, Json>>(node.type)
    for (const [key, value] of Object.entries(node.attrs ?? {})) if (value !== null) element.setAttribute(key, wellFormed(value))
    element.insert(0, sharedNodes(node.content ?? []))
    out.push(element as Y.XmlElement)
  }
  flush()
  return out
}

function richOfFragment(fragment: Y.XmlFragment): Json {
  return normalRich(nodesOf(fragment))
}

function nodesOf(parent: Y.XmlFragment): RichNode[] {
  const nodes: RichNode[] = []
  for (const child of parent.toArray()) {
    if (child instanceof Y.XmlText) {
      for (const piece of child.toDelta()) {
        if (typeof piece.insert !== 'string' || piece.insert === '') continue
        const marks = Object.entries(piece.attributes ?? {}).map(([name, attrs]) => {
          const type = name.replace(/--.*$/, '')
          return isAttributes(attrs) ? { type, attrs } : { type }
        })
        nodes.push(marks.length > 0 ? { type: 'text', text: piece.insert, marks } : { type: 'text', text: piece.insert })
      }
    } else if (child instanceof Y.XmlElement) {
      const attrs: unknown = child.getAttributes()
      const node: RichNode = { type: child.nodeName, content: nodesOf(child) }
      if (isAttributes(attrs)) node.attrs = attrs
      nodes.push(node)
    }
  }
  return nodes
}

const isAttributes = (value: unknown): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0
