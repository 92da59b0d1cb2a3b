// Python's layout as tokens: newlines that end statements, indentation, and newlines inside brackets that mean nothing.
// The context is the stack of open blocks and brackets; after @lezer/python (MIT), reduced to our grammar.
import type { InputStream } from '@lezer/lr'
import { ContextTracker, ExternalTokenizer } from '@lezer/lr'
import * as terms from './generated.terms.js'

const newlineCode = 10
const returnCode = 13
const space = 32
const tab = 9
const hash = 35

class Layout {
  readonly parent: Layout | null
  /** Columns of the block's indentation; -1 inside brackets. */
  readonly indent: number
  readonly hash: number
  constructor(parent: Layout | null, indent: number) {
    this.parent = parent
    this.indent = indent
    this.hash = ((parent ? (parent.hash + (parent.hash << 8)) | 0 : 0) + indent + (indent << 4) + (indent < 0 ? 7 : 0)) | 0
  }
}

const topOfProgram = new Layout(null, 0)
const topOfFormula = new Layout(null, -1)

const opening = new Set([
  terms.ParenL,
  terms.BracketL,
  terms.BraceL,
  terms.fOpen1,
  terms.fOpen2,
  terms.fOpen3,
  terms.fOpen4,
  terms.fSpecOpen,
])

/** Every node that begins with an opening bracket and ends with the closing one. */
const bracketed = new Set([
  terms.ParenthesizedExpression,
  terms.TupleExpression,
  terms.GeneratorExpression,
  terms.ArrayExpression,
  terms.ArrayComprehension,
  terms.SetExpression,
  terms.SetComprehension,
  terms.DictionaryExpression,
  terms.DictionaryComprehension,
  terms.Subscript,
  terms.ArgList,
  terms.FormatReplacement1,
  terms.FormatReplacement2,
  terms.FormatReplacement3,
  terms.FormatReplacement4,
  terms.NestedReplacement,
])

const isLineBreak = (code: number): boolean => code === newlineCode || code === returnCode

export const newlines = new ExternalTokenizer(
  (input, stack) => {
    const layout: Layout = stack.context
    if (input.next < 0) input.acceptToken(terms.eof)
    else if (layout.indent < 0) {
      if (isLineBreak(input.next)) input.acceptToken(terms.newlineBracketed, 1)
    } else {
      const before = input.peek(-1)
      if ((before < 0 || isLineBreak(before)) && stack.canShift(terms.blankLineStart)) {
        let blanks = 0
        while (input.next === space || input.next === tab) {
          input.advance()
          blanks++
        }
        if (isLineBreak(input.next) || input.next === hash) input.acceptToken(terms.blankLineStart, -blanks)
      } else if (isLineBreak(input.next)) {
        input.acceptToken(terms.newline, input.next === returnCode && input.peek(1) === newlineCode ? 2 : 1)
      }
    }
  },
  { contextual: true },
)

export const indentation = new ExternalTokenizer((input, stack) => {
  const layout: Layout = stack.context
  if (layout.indent < 0 || !isLineBreak(input.peek(-1))) return
  let depth = 0
  let blanks = 0
  while (input.next === space || input.next === tab) {
    depth += input.next === space ? 1 : 8 - (depth % 8)
    input.advance()
    blanks++
  }
  if (depth === layout.indent || isLineBreak(input.next) || input.next === hash) return
  if (depth < layout.indent) input.acceptToken(terms.dedent, -blanks)
  else input.acceptToken(terms.indent)
})

export const indentContext = tracker(topOfProgram)

/** For formulas of one expression, where a line break means nothing. */
export const flatContext = tracker(topOfFormula)

function tracker(start: Layout): ContextTracker<Layout> {
  return new ContextTracker<Layout>({
    start,
    reduce: (layout, term) => (layout.indent < 0 && layout.parent && bracketed.has(term) ? layout.parent : layout),
    shift(layout, term, stack, input) {
      if (term === terms.indent) return new Layout(layout, columns(input, stack.pos))
      if (term === terms.dedent) return layout.parent ?? layout
      return opening.has(term) ? new Layout(layout, -1) : layout
    },
    hash: layout => layout.hash,
  })
}

/** Width of the indentation just shifted, which begins at the input's position. */
function columns(input: InputStream, to: number): number {
  let depth = 0
  for (let i = 0; i < to - input.pos; i++) depth += input.peek(i) === tab ? 8 - (depth % 8) : 1
  return depth
}
