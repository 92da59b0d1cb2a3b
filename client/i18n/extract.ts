// Finds the messages of a source: those of lingui's macros, and those of `say` and `sayIn` (model-schema/words.ts).
import { readFileSync } from 'node:fs'
import { parseSync } from '@babel/core'
import babel from '@lingui/cli/api/extractors/babel'
import type { ExtractorType } from '@lingui/conf'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'

type Found = { readonly text: string; readonly context: string | undefined; readonly at: number }
type Node = { readonly type: string; readonly start: number; readonly [field: string]: unknown }
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** The text of a literal; null for anything that is made when the program runs. */
function literal(node: unknown): string | null {
  if (!isNode(node)) return null
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value']
  const [quasi, ...more] = node.type === 'TemplateLiteral' ? (node['quasis'] as { value: { cooked: string } }[]) : []
  return quasi !== undefined && more.length === 0 ? quasi.value.cooked : null
}

/** The names under which a module imports `say` and `sayIn`. */
function namesIn(program: Node, file: string): Map<string, 'say' | 'sayIn'> {
  const names = new Map<string, 'say' | 'sayIn'>()
  if (isOwn(file)) names.set('say', 'say').set('sayIn', 'sayIn')
  for (const statement of program['body'] as Node[]) {
    if (statement.type !== 'ImportDeclaration' || !literal(statement['source'])?.endsWith('/words.ts')) continue
    for (const { imported, local } of statement['specifiers'] as { imported?: { name: string }; local: { name: string } }[])
      if (imported?.name === 'say' || imported?.name === 'sayIn') names.set(local.name, imported.name)
  }
  return names
}

/** The messages in a source. Throws if one is not a literal and thus could not be translated. */
function messagesSaid(code: string, file: string): Found[] {
  const parsed: unknown = parseSync(code, {
    babelrc: false,
    configFile: false,
    parserOpts: { plugins: file.endsWith('x') ? ['estree', 'typescript', 'jsx'] : ['estree', 'typescript'] },
  })
  const program = isNode(parsed) && isNode(parsed['program']) ? parsed['program'] : null
  if (program === null) throw new Error(`${file} cannot be read`)
  const names = namesIn(program, file)
  const found: Found[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one)
    else if (isNode(node)) {
      const callee = node.type === 'CallExpression' ? node['callee'] : null
      const name = isNode(callee) && callee.type === 'Identifier' ? names.get(String(callee['name'])) : undefined
      if (name !== undefined) {
        const given = (node['arguments'] as unknown[]).slice(0, name === 'say' ? 1 : 2).map(literal)
        const text = given.at(-1)
        const context = given.length > 1 ? given[0] : undefined
        if (text == null || context === null)
          throw new Error(`${file}:${code.slice(0, node.start).split('\n').length}: the text of ${name} is not written out`)
        if (text !== '') found.push({ text, context, at: node.start })
      }
      for (const value of Object.values(node)) if (typeof value === 'object') visit(value)
    }
  }
  if (names.size > 0) visit(program)
  return found
}

const hasMacro = (code: string): boolean => code.includes('@lingui/')
const isOwn = (file: string): boolean => file.endsWith('/model-schema/words.ts')
const hasSay = (code: string, file: string): boolean => code.includes("/words.ts'") || isOwn(file)

export const extractor: ExtractorType = {
  // Parsing is what takes time: other sources hold no message.
  match(file) {
    if (!babel.match(file)) return false
    const code = readFileSync(file, 'utf8')
    return hasMacro(code) || hasSay(code, file)
  },
  async extract(file, code, report, context) {
    if (hasMacro(code)) await babel.extract(file, code, report, context)
    if (hasSay(code, file))
      for (const { text, context: about, at } of messagesSaid(code, file))
        report({
          id: generateMessageId(text, about),
          message: text,
          ...(about === undefined ? {} : { context: about }),
          origin: [file, code.slice(0, at).split('\n').length],
          placeholders: {},
        })
  },
}
