// Turns a place where the parser stumbled into a sentence that helps.
import type { FormulaContext } from '../../model-schema/kinds/kind.ts'
import type { Edit, FormulaProblem } from './mistakes.ts'
import { syntax } from './mistakes.ts'

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
    return syntax(place, `write "${end2}= 1" instead of ${end2}${end2}`, `请用“${end2}= 1”代替 ${end2}${end2}`)
  }
  // Where the doubled operator begins: one character before the mark, or at it.
  const start2 = before.endsWith(two[0] ?? '\0') ? before.length - 1 : from
  const swap = (insert: string): Edit => ({ from: start2, to: start2 + 2, insert: ` ${insert} ` })
  if (two === '&&') return syntax(at, 'write "and" instead of &&', '请用“and”代替 &&', swap('and'))
  if (two === '||') return syntax(at, 'write "or" instead of ||', '请用“or”代替 ||', swap('or'))
  if (two[0] === '!' && two[1] !== '=')
    return syntax(at, 'write "not" instead of !', '请用“not”代替 !', {
      from: text.indexOf('!', from),
      to: text.indexOf('!', from) + 1,
      insert: 'not ',
    })
  if (two[0] === '?') return syntax(at, 'write "a if condition else b" instead of ?', '请用“a if 条件 else b”代替 ?')
  if (two[0] === '=' && two[1] !== '=' && (context === 'expression' || context === 'condition')) {
    return syntax(at, 'nothing can be assigned here; use == to compare', '此处不能赋值；比较请用 ==', {
      from: text.indexOf('=', from),
      to: text.indexOf('=', from) + 1,
      insert: '==',
    })
  }
  const line = text.slice(text.lastIndexOf('\n', from - 1) + 1, lineEnd(text, from))
  if (two[0] === '=' && two[1] !== '=' && /^\s*(if|elif|while)\b/.test(line)) {
    const equals = text.indexOf('=', from)
    return syntax({ from: equals, to: equals + 1 }, 'write "==" to compare', '比较请用“==”', { from: equals, to: equals + 1, insert: '==' })
  }
  if (/^["']/.test(rest)) return syntax({ from, to: lineEnd(text, from) }, 'the text is not closed', '文本没有结束引号')
  if (before.endsWith(':') && /^\s*\n/.test(text.slice(before.length))) {
    return syntax({ from: Math.min(from, text.length - 1), to: end }, 'the lines after ":" must be indented', '“:”之后的行必须缩进')
  }
  const above = before.slice(before.lastIndexOf('\n') + 1)
  if (
    (/(^|\n)[ \t]*$/.test(text.slice(0, from)) || /^[ \t]*(\r?\n|$)/.test(rest)) &&
    /^\s*(if|elif|else|for|while)\b/.test(above) &&
    !above.endsWith(':') &&
    (context === 'program' || context === 'function')
  ) {
    return syntax({ from: before.length - 1, to: before.length }, '":" is missing at the end of the line', '行末缺少“:”', {
      from: before.length,
      to: before.length,
      insert: ':',
    })
  }
  if (/^\s/.test(rest) && /(^|\n)[ \t]*$/.test(text.slice(0, from)) && before !== '')
    return syntax(at, 'unexpected indentation', '缩进不正确')
  if (/\b[fF](?:"[^"]*|'[^']*)$/.test(line) && !/\b[fF](?:"[^"{}]*"|'[^'{}]*')/.test(line))
    return syntax(at, 'the text is not closed', '文本没有结束引号')
  if (from >= text.trimEnd().length) {
    const open = unclosed(text)
    if (open)
      return syntax({ from: open.from, to: open.from + 1 }, `"${open.bracket}" is not closed`, `“${open.bracket}”没有闭合`, {
        from: text.trimEnd().length,
        to: text.trimEnd().length,
        insert: closing[open.bracket] ?? '',
      })
    const place = { from: Math.max(0, before.length - 1), to: Math.max(1, before.length) }
    return syntax(place, 'something is missing at the end', '末尾不完整')
  }
  const word = /^\s*([\p{L}\p{N}_]+|[^\s])/u.exec(rest)
  const found = word?.[1] ?? ''
  const start = from + (word?.[0].length ?? found.length) - found.length
  const plain = found === '' ? undefined : plainForm(found)
  if (plain)
    return syntax({ from: start, to: start + found.length }, `write ${plain} instead of ${found}`, `请用半角的 ${plain} 代替 ${found}`, {
      from: start,
      to: start + found.length,
      insert: plain,
    })
  if ((context === 'expression' || context === 'condition') && statementWords.has(found)) {
    return syntax(
      { from: start, to: start + found.length },
      `"${found}" is a statement; only a value can stand here`,
      `“${found}”是语句；此处只能填写一个值`,
    )
  }
  if (found === 'if' && /\belse$/.test(before)) {
    const place = { from: before.length - 4, to: start + 2 }
    return syntax(place, 'write "elif" instead of "else if"', '请用“elif”代替“else if”', { ...place, insert: 'elif' })
  }
  if (to === from && found !== '') {
    return syntax({ from: start, to: start + found.length }, `something is missing before "${found}"`, `“${found}”之前缺少内容`)
  }
  return syntax(
    { from: start, to: Math.max(start + found.length, to) },
    `unexpected "${text.slice(start, Math.max(start + found.length, Math.min(to, start + 20)))}"`,
    `此处不应出现“${text.slice(start, Math.max(start + found.length, Math.min(to, start + 20)))}”`,
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
