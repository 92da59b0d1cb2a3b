// The generated parser, for formulas of one expression (line breaks mean nothing) and for programs (indentation counts).
import { parser } from './generated.js'
import { flatContext } from './tokens.ts'

export const programParser = parser
export const expressionParser = parser.configure({ top: 'Formula', contextTracker: flatContext })
