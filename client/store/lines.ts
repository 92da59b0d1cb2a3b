// A description as lines of text, as typed, and as rich text, as stored: empty lines separate paragraphs.
import { blocksOf, readRich } from '../../model-schema/rich.ts'
import type { RichNode } from '../../model-schema/rich.ts'

/** Rich text as JSON text; of nothing, nothing. */
export function richOf(lines: string): string {
  const paragraphs = lines
    .split(/\n\s*\n/)
    .map(paragraph => paragraph.trim())
    .filter(paragraph => paragraph !== '')
  if (paragraphs.length === 0) return ''
  const content = paragraphs.map(paragraph => ({
    type: 'paragraph',
    content: paragraph
      .split('\n')
      .flatMap((line, i) => [
        ...(i === 0 ? [] : [{ type: 'hardBreak' }]),
        ...(line.trim() === '' ? [] : [{ type: 'text', text: line.trim() }]),
      ]),
  }))
  return JSON.stringify({ type: 'doc', content })
}

/** The same backwards. */
export function linesOf(rich: string): string {
  if (rich === '') return ''
  let stored: unknown
  try {
    stored = JSON.parse(rich)
  } catch {
    return '' // nothing of ours
  }
  const read = readRich(stored)
  if (read === undefined || read === null) return ''
  return blocksOf(read).map(wordsOf).join('\n\n')
}

const wordsOf = (node: RichNode): string =>
  node.type === 'text' ? (node.text ?? '') : node.type === 'hardBreak' ? '\n' : (node.content ?? []).map(wordsOf).join('')
