// Rich text as plain data. Inside a document it is a shared XML fragment in ProseMirror's layout; everywhere else it is either null
// (nothing), a plain string (paragraphs without marks, one line each), or a ProseMirror document as JSON.
import type { Json } from './kinds/kind.ts'

/** A node of ProseMirror's JSON: `{type, attrs?, content?, text?, marks?}`. */
export type RichNode = {
  type: string
  attrs?: { [key: string]: Json }
  content?: RichNode[]
  text?: string
  marks?: { type: string; attrs?: { [key: string]: Json } }[]
}

/** The value as a rich text in its normal form, or undefined when it is none. */
export function readRich(stored: unknown): Json | undefined {
  if (stored === null) return null
  if (typeof stored === 'string') return stored === '' ? null : stored
  if (!isNode(stored, 0) || stored.type !== 'doc') return undefined
  return normalRich(stored.content ?? [])
}

/** The normal form of a list of blocks: null, a string, or a document. */
export function normalRich(blocks: RichNode[]): Json {
  const lines = blocks.map(lineOf)
  if (lines.every(line => line !== null)) {
    const text = lines.join('\n')
    return text === '' ? null : text
  }
  return { type: 'doc', content: blocks.map(jsonOf) }
}

/** A rich text's words without any marks, one line a block. */
export function plainOf(rich: Json): string {
  if (typeof rich === 'string') return rich
  return isNode(rich, 0) ? textOf(rich).trim() : ''
}

/** The blocks of a rich value. */
export function blocksOf(rich: Json): RichNode[] {
  if (typeof rich === 'string')
    return rich.split('\n').map(line => ({ type: 'paragraph', content: line === '' ? [] : [{ type: 'text', text: line }] }))
  return isNode(rich, 0) ? (rich.content ?? []) : []
}

/** The line of a block that is nothing but plain words, else null. */
function lineOf(block: RichNode): string | null {
  if (block.type !== 'paragraph' || (block.attrs && Object.keys(block.attrs).length > 0)) return null
  let line = ''
  for (const node of block.content ?? []) {
    if (node.type !== 'text' || (node.marks && node.marks.length > 0) || (node.text ?? '').includes('\n')) return null
    line += node.text ?? ''
  }
  return line
}

function textOf(node: RichNode): string {
  if (node.type === 'text') return node.text ?? ''
  const inner = (node.content ?? []).map(textOf).join('')
  return node.content?.some(child => child.type === 'text') ? `${inner}\n` : inner
}

/** Neighbouring texts with the same marks become one; empty lists are left away: one form for one content. */
function jsonOf(node: RichNode): { [key: string]: Json } {
  const out: { [key: string]: Json } = { type: node.type }
  if (node.attrs && Object.keys(node.attrs).length > 0) out.attrs = node.attrs
  if (node.type === 'text') out.text = node.text ?? ''
  if (node.marks && node.marks.length > 0) {
    out.marks = node.marks
      .map((mark): { [key: string]: Json } =>
        mark.attrs && Object.keys(mark.attrs).length > 0 ? { type: mark.type, attrs: mark.attrs } : { type: mark.type },
      )
      .sort((a, b) => (String(a.type) < String(b.type) ? -1 : 1))
  }
  if (node.content && node.content.length > 0) out.content = node.content.map(jsonOf)
  return out
}

function isNode(value: unknown, depth: number): value is RichNode {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > 20) return false
  if (!('type' in value) || typeof value.type !== 'string') return false
  if ('text' in value && typeof value.text !== 'string') return false
  if ('marks' in value && !(Array.isArray(value.marks) && value.marks.every(mark => isNode(mark, depth + 1)))) return false
  return !('content' in value) || (Array.isArray(value.content) && value.content.every(child => isNode(child, depth + 1)))
}
