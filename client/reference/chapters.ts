// The content of the help page, in the order of its readers: tasks first, then concepts, files and commands last.
import { referenceOf } from '../../sim-engine/docs.ts'
import type { Chapter } from '../../sim-engine/docs.ts'
import type { Words } from '../../model-schema/words.ts'
import { taskChapters } from './tasks.ts'

/** Chapters of the reference that people who click rarely need. */
const late = ['example', 'file-format', 'command-line']

/** The address that opens a new model with a tutorial. */
export const beginLesson = (lesson: string): string => `/learn/${lesson}`

export function chaptersOf(speak: (words: Words) => string): readonly Chapter[] {
  const reference = referenceOf(speak)
  const rank = ({ id }: Chapter): number => late.indexOf(id)
  return [...taskChapters(speak, beginLesson), ...reference.toSorted((a, b) => rank(a) - rank(b))]
}
