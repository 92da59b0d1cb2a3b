// What differs between two texts, word by word: the longest common run of words stays, the rest was taken away or put in.
// Pure.

type Part = { readonly text: string; readonly as: 'same' | 'removed' | 'added' }

/** Cells of the table of common runs; longer middles are shown as replaced whole. */
const mostCells = 4_000_000

const wordsOf = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []

/** The parts of both texts in reading order: `same` and `removed` make the first, `same` and `added` the second. */
export function textDiff(before: string, after: string): readonly Part[] {
  const a = wordsOf(before)
  const b = wordsOf(after)
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head++
  let tail = 0
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++
  const middleA = a.slice(head, a.length - tail)
  const middleB = b.slice(head, b.length - tail)
  const parts: Part[] = [...part(a.slice(0, head), 'same'), ...between(middleA, middleB), ...part(tail === 0 ? [] : a.slice(-tail), 'same')]
  return joined(parts)
}

const part = (words: readonly string[], as: Part['as']): Part[] => (words.length === 0 ? [] : [{ text: words.join(''), as }])

function between(a: readonly string[], b: readonly string[]): Part[] {
  if (a.length * b.length > mostCells) return [...part(a, 'removed'), ...part(b, 'added')]
  // Row i, column j: the length of the longest common run of a from i and b from j.
  const width = b.length + 1
  const longest = new Uint16Array((a.length + 1) * width)
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const parts: Part[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]]
    if (left !== undefined && left === right) {
      parts.push({ text: left, as: 'same' })
      i++
      j++
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      parts.push({ text: left, as: 'removed' })
      i++
    } else if (right !== undefined) {
      parts.push({ text: right, as: 'added' })
      j++
    }
  }
  return parts
}

/** Neighbours of one sort as one; within a change, what was removed comes before what was added. */
function joined(parts: readonly Part[]): Part[] {
  const out: Part[] = []
  let removed = ''
  let added = ''
  const flush = (): void => {
    out.push(...part(removed === '' ? [] : [removed], 'removed'), ...part(added === '' ? [] : [added], 'added'))
    removed = ''
    added = ''
  }
  for (const { text, as } of parts) {
    if (as === 'removed') removed += text
    else if (as === 'added') added += text
    else {
      flush()
      const last = out.at(-1)
      if (last?.as === 'same') out[out.length - 1] = { text: last.text + text, as }
      else out.push({ text, as })
    }
  }
  flush()
  return out
}
