// What can be asked of the guide, without what answers it: read by pages.
export {
  isNamedIn,
  line,
  making,
  noResults,
  suggestions,
  suggestionsOfFile,
  understood,
  understoodOfFile,
  type Answer,
  type Compared,
  type Line,
  type Making,
  type Named,
  type Question,
} from '../questions.ts'
export type { Moment } from '../why.ts'
