// Turns a place where the parser stumbled into a sentence that helps.
import type { FormulaContext } from '../../model-schema/kinds/kind.ts'
import type { Edit, FormulaProblem } from './mistakes.ts'
import { syntax } from './mistakes.ts'
import { say } from '../../model-schema/words.ts'

/** The problem for the parser's error mark from..to (empty where something is missing). */
export function explainError(text: string, from: number, to: number, context: FormulaContext): FormulaProblem {
  const rest = text.slice(from)
  const before = text.slice(0, from).trimEnd()
  const end = Math.max(to, Math.min(text.length, from + 1))
  const at = { from, to: end }
  // The parser stumbles over the second of two characters when the first is an operator of its own.
  const two = /[&|+-]$/.test(before) && rest.startsWith(before.at(-1) ?? '') ? rest[0]! + rest[0]! : rest.trimStart().slice(0, 2)
  const end2 = before.at(-1)
  if (rest.trim() === '' && (before.endsWith('++') || before.endsWith('--'))) {
    const place = { from: before.length - 2, to: before.length }
    return syntax(place, say('write "{end2}= 1" instead of {end2}{end2}', { end2: end2 ?? '' }))
  }
  // Where the doubled operator begins: one character before the mark, or at it.
  const start2 = before.endsWith(two[0] ?? '\0') ? before.length - 1 : from
  const swap = (insert: string): Edit => ({ from: start2, to: start2 + 2, insert: ` ${insert} ` })
  if (two === '&&') return syntax(at, say('write "and" instead of &&'), swap('and'))
  if (two === '||') return syntax(at, say('write "or" instead of ||'), swap('or'))
  if (two[0] === '!' && two[1] !== '=')
    return syntax(at, say('write "not" instead of !'), {
      from: text.indexOf('!', from),
      to: text.indexOf('!', from) + 1,
      insert: 'not ',
    })
  if (two[0] === '?') return syntax(at, say('write "a if condition else b" instead of ?'))
  if (two[0] === '=' && two[1] !== '=' && (context === 'expression' || context === 'condition')) {
    return syntax(at, say('nothing can be assigned here; use == to compare'), {
      from: text.indexOf('=', from),
      to: text.indexOf('=', from) + 1,
      insert: '==',
    })
  }
  const line = text.slice(text.lastIndexOf('\n', from - 1) + 1, lineEnd(text, from))
  if (two[0] === '=' && two[1] !== '=' && /^\s*(if|elif|while)\b/.test(line)) {
    const equals = text.indexOf('=', from)
    return syntax({ from: equals, to: equals + 1 }, say('write "==" to compare'), { from: equals, to: equals + 1, insert: '==' })
  }
  if (/^["']/.test(rest)) return syntax({ from, to: lineEnd(text, from) }, say('the text is not closed'))
  if (before.endsWith(':') && /^\s*\n/.test(text.slice(before.length))) {
    return syntax({ from: Math.min(from, text.length - 1), to: end }, say('the lines after ":" must be indented'))
  }
  const above = before.slice(before.lastIndexOf('\n') + 1)
  if (
    (/(^|\n)[ \t]*$/.test(text.slice(0, from)) || /^[ \t]*(\r?\n|$)/.test(rest)) &&
    /^\s*(if|elif|else|for|while)\b/.test(above) &&
    !above.endsWith(':') &&
    (context === 'program' || context === 'function')
  ) {
    return syntax({ from: before.length - 1, to: before.length }, say('":" is missing at the end of the line'), {
      from: before.length,
      to: before.length,
      insert: ':',
    })
  }
  if (/^\s/.test(rest) && /(^|\n)[ \t]*$/.test(text.slice(0, from)) && before !== '') return syntax(at, say('unexpected indentation'))
  if (/\b[fF](?:"[^"]*|'[^']*)$/.test(line) && !/\b[fF](?:"[^"{}]*"|'[^'{}]*')/.test(line)) return syntax(at, say('the text is not closed'))
  if (from >= text.trimEnd().length) {
    const open = unclosed(text)
    if (open)
      return syntax({ from: open.from, to: open.from + 1 }, say('"{bracket}" is not closed', { bracket: open.bracket }), {
        from: text.trimEnd().length,
        to: text.trimEnd().length,
        insert: closing[open.bracket] ?? '',
      })
    const place = { from: Math.max(0, before.length - 1), to: Math.max(1, before.length) }
    return syntax(place, say('something is missing at the end'))
  }
  const word = /^\s*([\p{L}\p{N}_]+|[^\s])/u.exec(rest)
  const found = word?.[1] ?? ''
  const start = from + (word?.[0].length ?? found.length) - found.length
  const plain = found === '' ? undefined : plainForm(found)
  if (plain)
    return syntax({ from: start, to: start + found.length }, say('write {plain} instead of {found}', { plain, found }), {
      from: start,
      to: start + found.length,
      insert: plain,
    })
  if ((context === 'expression' || context === 'condition') && statementWords.has(found)) {
    return syntax({ from: start, to: start + found.length }, say('"{found}" is a statement; only a value can stand here', { found }))
  }
  if (found === 'if' && /\belse$/.test(before)) {
    const place = { from: before.length - 4, to: start + 2 }
    return syntax(place, say('write "elif" instead of "else if"'), { ...place, insert: 'elif' })
  }
  if (to === from && found !== '') {
    return syntax({ from: start, to: start + found.length }, say('something is missing before "{found}"', { found }))
  }
  return syntax(
    { from: start, to: Math.max(start + found.length, to) },
    say('unexpected "{text}"', { text: text.slice(start, Math.max(start + found.length, Math.min(to, start + 20))) }),
  )
}

const statementWords = new Set([
  'if',
  'for',
  'while',
  'return',
  'import',
  'from',
  'def',
  'class',
  'break',
  'continue',
  'pass',
  'del',
  'assert',
  'try',
  'with',
  'raise',
])

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** The innermost bracket that stays open, ignoring strings and comments. */
function unclosed(text: string): { bracket: string; from: number } | undefined {
  const open: { bracket: string; from: number }[] = []
  for (const match of text.matchAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#[^\n]*|[()[\]{}]/g)) {
    const [token] = match
    if (token === '(' || token === '[' || token === '{') open.push({ bracket: token, from: match.index })
    else if (token === ')' || token === ']' || token === '}') open.pop()
  }
  return open.at(-1)
}

/** The ASCII text meant by a full-width one, which Chinese keyboards give easily. */
export function plainForm(odd: string): string | undefined {
  const plain = [...odd].map(character => {
    const code = character.codePointAt(0) ?? 0
    return code >= 0xff01 && code <= 0xff5e ? String.fromCharCode(code - 0xfee0) : (meant.get(character) ?? character)
  })
  return plain.join('') === odd ? undefined : plain.join('')
}

const meant: ReadonlyMap<string, string> = new Map([
  ['“', '"'],
  ['”', '"'],
  ['‘', "'"],
  ['’', "'"],
  ['，', ','],
  ['。', '.'],
  ['、', ','],
  ['；', ';'],
  ['：', ':'],
  ['【', '['],
  ['】', ']'],
  ['×', '*'],
  ['÷', '/'],
  ['≤', '<='],
  ['≥', '>='],
  ['≠', '!='],
  ['−', '-'],
  ['–', '-'],
  ['—', '-'],
])
