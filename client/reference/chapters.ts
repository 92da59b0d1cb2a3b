// What the help page has, in the order of those who come to it: first what to do, then what there is, files and commands last.
import { referenceOf } from '../../sim-engine/docs.ts'
import type { Chapter, Language } from '../../sim-engine/docs.ts'
import { taskChapters } from './tasks.ts'

/** Chapters of the reference that people who click rarely need. */
const late = ['example', 'file-format', 'command-line']

/** The address that opens a new model with a tutorial. */
export const beginLesson = (lesson: string): string => `/learn/${lesson}`

export function chaptersOf(language: Language): readonly Chapter[] {
  const reference = referenceOf(language)
  const rank = ({ id }: Chapter): number => late.indexOf(id)
  return [...taskChapters(language, beginLesson), ...reference.toSorted((a, b) => rank(a) - rank(b))]
}
