// The generated parser, for formulas of one expression (line breaks mean nothing) and for programs (indentation counts).
import type { Tree } from '@lezer/common'
import { parser } from './generated.js'
import { flatContext } from './tokens.ts'

export const programParser = parser
export const expressionParser = parser.configure({ top: 'Formula', contextTracker: flatContext })

/** How far beyond its first error a long text is read: mending is slow, and what follows a mistake matters less. */
const beyondError = 2_000

/** The tree of a text. Reading takes time in proportion to its length; mending is bounded by `beyondError`. */
export function readTree(text: string, flat: boolean): Tree {
  const wanted = flat ? expressionParser : programParser
  if (text.length <= beyondError) return wanted.parse(text)
  let firstError = 0
  try {
    return (flat ? strictExpressions : strictPrograms).parse(text)
  } catch (error) {
    // The strict parser's way to say where it stopped.
    if (!(error instanceof SyntaxError)) throw error
    firstError = Number(/\d+/.exec(error.message)?.[0] ?? 0)
  }
  const parse = wanted.startParse(text)
  parse.stopAt(Math.min(text.length, firstError + beyondError))
  for (;;) {
    const tree = parse.advance()
    if (tree) return tree
  }
}

const strictPrograms = programParser.configure({ strict: true })
const strictExpressions = expressionParser.configure({ strict: true })
