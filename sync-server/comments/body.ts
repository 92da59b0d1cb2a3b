// The text of a comment: rich text of few kinds of nodes, checked before it is kept, since others' browsers will show it.
import { blocksOf, readRich } from '../../model-schema/rich.ts'
import type { RichNode } from '../../model-schema/rich.ts'
import { Refusal } from '../http.ts'
import { COMMENTS } from '../protocol.ts'

const blocks: ReadonlySet<string> = new Set(['paragraph', 'bulletList', 'orderedList', 'listItem', 'blockquote', 'codeBlock'])
const marks: ReadonlySet<string> = new Set(['bold', 'italic', 'strike', 'code', 'underline', 'link'])

/** Deeper lists than are readable. */
const depthLimit = 12

export type Body = { readonly json: string; /** Its words, one line. */ readonly plain: string; readonly mentions: readonly string[] }

/**
 * A comment as the client sends it, a ProseMirror document as JSON text, in its normal form. Throws `invalid-params` when it is invalid, or
 * empty.
 */
export function readBody(text: string): Body {
  const body = checked(text)
  if (body === null) throw new Refusal('invalid-params', 'not a comment', { issues: [{ path: 'body', message: 'not a comment' }] })
  return body
}

function checked(text: string): Body | null {
  let stored: unknown
  try {
    stored = JSON.parse(text)
  } catch {
    return null // said by the caller, with the field's name
  }
  const rich = readRich(stored)
  if (rich === undefined || rich === null) return null
  const mentions = new Set<string>()
  const words: string[] = []
  for (const node of blocksOf(rich)) if (!isFine(node, 0, mentions, words)) return null
  const plain = words.join(' ').replaceAll(/\s+/g, ' ').replaceAll('\0', '').trim()
  return plain === '' ? null : { json: JSON.stringify(rich), plain, mentions: [...mentions] }
}

function isFine(node: RichNode, depth: number, mentions: Set<string>, words: string[]): boolean {
  if (depth > depthLimit) return false
  if (node.type === 'text') {
    words.push(node.text ?? '')
    return (node.marks ?? []).every(mark => marks.has(mark.type) && (mark.type !== 'link' || isWebAddress(mark.attrs?.['href'])))
  }
  if (node.type === 'hardBreak') return true
  if (node.type === 'mention') {
    const id = node.attrs?.['id']
    const label = node.attrs?.['label']
    if (typeof id !== 'string' || typeof label !== 'string' || id.length > 64 || label.length > 128) return false
    mentions.add(id)
    words.push(`@${label}`)
    return mentions.size <= COMMENTS.mentions
  }
  return blocks.has(node.type) && (node.content ?? []).every(child => isFine(child, depth + 1, mentions, words))
}

/** Addresses that a click may follow. */
const isWebAddress = (href: unknown): boolean => typeof href === 'string' && href.length <= 2000 && /^(https?:\/\/|mailto:)/i.test(href)
