// Search in the reference: entries with all words of the search, the best first within its part.
import type { Chapter, Entry, ReferencePart } from '../../sim-engine/docs.ts'

/** The chapters with only what holds every word of the query; all of them for a blank one. */
export function matching(chapters: readonly Chapter[], query: string): readonly Chapter[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
  if (words.length === 0) return chapters
  const holds = (...texts: readonly string[]): boolean => {
    const text = texts.join('\n').toLowerCase()
    return words.every(word => text.includes(word))
  }
  const rank = ({ name, title }: Entry): number =>
    words.some(word => name.toLowerCase() === word) ? 0 : words.every(word => title.toLowerCase().includes(word)) ? 1 : 2
  const partOf = (part: ReferencePart): readonly ReferencePart[] => {
    const own = holds(part.title, part.text) && part.text !== ''
    const entries = part.entries.filter(entry => holds(entry.title, entry.text)).sort((a, b) => rank(a) - rank(b))
    return own || entries.length > 0 ? [{ ...part, text: own ? part.text : '', entries }] : []
  }
  return chapters.flatMap(chapter => {
    const own = chapter.text !== '' && holds(chapter.title, chapter.text)
    const parts = chapter.parts.flatMap(partOf)
    return own || parts.length > 0 ? [{ ...chapter, text: own ? chapter.text : '', parts }] : []
  })
}

/** How many entries and texts the chapters hold. */
export const countOf = (chapters: readonly Chapter[]): number =>
  chapters.reduce(
    (sum, { text, parts }) =>
      sum + (text === '' ? 0 : 1) + parts.reduce((inner, part) => inner + (part.text === '' ? 0 : 1) + part.entries.length, 0),
    0,
  )
