// The formatter: one space around operators, four a level, one statement layout. Works on the parser's tokens, so that
// comments and line breaks stay. Formatting twice changes nothing; broken text is left alone.
import type { SyntaxNode, Tree } from '@lezer/common'
import type { FormulaContext } from '../../model-schema/kinds/kind.ts'
import { readTree } from './grammar/parsers.ts'
import { maxLength } from './parse.ts'

type Token = {
  text: string
  name: string
  parent: string
  from: number
  to: number
  /** Enclosing blocks. */ level: number
  /** Open brackets before it. */ depth: number
}

const indent = '    '

export function formatFormula(text: string, context: FormulaContext): string {
  if (text.length > maxLength) return text
  const isProgram = context === 'program' || context === 'function'
  const tree = readTree(text, !isProgram)
  const tokens = readTokens(tree, text)
  if (!tokens) return text
  const lines: string[] = []
  let line = ''
  let last: Token | null = null
  for (const token of tokens) {
    const between = last ? text.slice(last.to, token.from) : ''
    const breaks = (between.match(/\n/g) ?? []).length
    const continues = /\\\r?\n/.test(between)
    const opens = last?.name === ':' && last.parent === 'Body' && token.name !== 'Comment'
    if (last && breaks === 0 && last.name !== ';' && !opens) line += spaceBetween(last, token) + token.text
    else if (last && continues && isProgram) {
      lines.push(`${line} \\`)
      line = indent.repeat(token.level + Math.max(token.depth, 1)) + token.text
    } else {
      if (last) lines.push(line)
      if (breaks > 1) lines.push('')
      line = indentation(token, isProgram, last) + token.text
    }
    last = token
  }
  if (last) lines.push(line)
  return lines
    .filter((one, i) => one !== '' || lines[i - 1] !== '')
    .map(one => one.replace(/;$/, ''))
    .join('\n')
}

/** Leaves of the tree; null when something is broken or too deep. */
function readTokens(tree: Tree, text: string): Token[] | null {
  const tokens: Token[] = []
  let level = 0
  let depth = 0
  let isBroken = false
  tree.iterate({
    enter(node) {
      if (node.type.isError) isBroken = true
      if (isBroken) return false
      if (node.name === 'Body') level++
      const isText = node.name === 'String' || node.name === 'FormatString'
      if (!isText && node.node.firstChild) return true
      if (node.from === node.to || node.name === 'Program' || node.name === 'Formula') return false
      const closes = /^[)\]}]$/.test(node.name)
      if (closes) depth--
      const source = text.slice(node.from, node.to)
      tokens.push({
        text: node.name === 'Comment' ? comment(source) : source,
        name: node.name,
        parent: parentOf(node.node),
        from: node.from,
        to: node.to,
        level,
        depth,
      })
      if (/^[([{]$/.test(node.name)) depth++
      return false
    },
    leave(node) {
      if (node.name === 'Body') level--
    },
  })
  return isBroken ? null : tokens
}

const parentOf = (node: SyntaxNode): string => node.parent?.name ?? ''
const comment = (source: string): string => source.replace(/^#(?=[^\s#!])/, '# ').trimEnd()

function indentation(token: Token, isProgram: boolean, last: Token | null): string {
  if (token.depth > 0) return indent.repeat(token.level + token.depth)
  if (/^[)\]}]$/.test(token.name)) return indent.repeat(token.level)
  // A formula of one expression may go on without brackets.
  const goesOn = last !== null && !isProgram
  return indent.repeat(token.level + (goesOn ? 1 : 0))
}

function spaceBetween(a: Token, b: Token): string {
  if (b.name === 'Comment') return '  '
  if (/^[([{]$/.test(a.name) || /^[)\]},;]$/.test(b.name)) return ''
  if (a.name === '.' || b.name === '.') return ''
  if (b.name === ':') return ''
  if (a.name === ':') return a.parent === 'Slice' ? '' : ' '
  if ((b.name === '(' && b.parent === 'ArgList') || (b.name === '[' && b.parent === 'Subscript')) return ''
  if (a.name === 'ArithSign') return ''
  if ((a.name === 'AssignOp' && a.parent === 'NamedArgument') || (b.name === 'AssignOp' && b.parent === 'NamedArgument')) return ''
  if (a.name === 'lambda' && b.name === ':') return ''
  return ' '
}
