// What an editor asks about a formula: completions, hover, signature, references, definition, quick fixes. All work on
// broken text. Positions are UTF-16 units.
import type { FormulaContext } from '../../model-schema/kinds/kind.ts'
import type { Ast, CallNode, Expr, MemberNode, NameNode, Span } from './ast.ts'
import { walk } from './walk.ts'
import { inferFormula } from './infer.ts'
import type { Inferred } from './infer.ts'
import { constants, rowOf, rows } from './library/library.ts'
import type { Method, Receiver } from './library/methods.ts'
import { dateParts, methodOf, methodsOf } from './library/methods.ts'
import { shapeName } from './library/signature.ts'
import type { Signature } from './library/signature.ts'
import type { Edit, FormulaProblem } from './mistakes.ts'
import { parseFormula } from './parse.ts'
import type { Scope, Symbol, SymbolKind } from './scope.ts'
import { any, entriesOf, stored, typeName } from './types.ts'
import type { Type } from './types.ts'
import { say, type Words } from '../../model-schema/words.ts'

type CompletionKind = SymbolKind | 'library' | 'method' | 'constant' | 'keyword' | 'argument'

type Completion = {
  label: string
  kind: CompletionKind
  /** Signature or type, in one line. */
  detail: string
  words?: Words
  /** What to insert when it is not the label; `|` marks where the cursor goes. */
  insert?: string
  /** Formula and result, for library functions. */
  example?: readonly [string, string]
}

/** What may be written at `pos`, replacing from..to. */
export function completionsAt(
  text: string,
  pos: number,
  context: FormulaContext,
  scope: Scope,
): { from: number; to: number; items: Completion[] } {
  const from = pos - (/[\p{L}\p{N}\p{M}_]*$/u.exec(text.slice(0, pos))?.[0].length ?? 0)
  const to = pos + (/^[\p{L}\p{N}\p{M}_]*/u.exec(text.slice(pos))?.[0].length ?? 0)
  const nothing = { from, to, items: [] }
  const keys = keysAt(text, pos, context, scope)
  if (keys) return keys
  if (/\p{N}/u.test(text.slice(from, from + 1)) || insideText(text, from, context)) return nothing
  // With a name in place the tree is complete, whatever is there now.
  const f = infer(text.slice(0, from) + placeholder + text.slice(to), context, scope)
  const isMember = /\.\s*$/.test(text.slice(0, from))
  if (!isMember) return { from, to, items: [...argumentNames(f, from), ...namesAt(f, from, context, scope)] }
  const member = innermost(f.parsed.ast, node => node.is === 'member' && node.nameFrom === from)
  return member?.is === 'member' ? { from, to, items: membersOf(typeAt(f, member.of), scope) } : nothing
}

/** Known keys of a dict, where one is being written: `step.output["…`. */
function keysAt(text: string, pos: number, context: FormulaContext, scope: Scope): ReturnType<typeof completionsAt> | null {
  const opened = /\[\s*(["'])([^"'\\\n]*)$/.exec(text.slice(0, pos))
  if (!opened) return null
  const [, quote, begun] = opened as unknown as [string, string, string]
  const from = pos - begun.length
  const to = pos + /^[^"'\]\n]*/.exec(text.slice(pos))![0].length
  const rest = text.slice(to)
  const end = rest.startsWith(quote) ? '' : rest.trimStart().startsWith(']') ? quote : `${quote}]`
  const f = infer(text.slice(0, from) + placeholder + end + rest, context, scope)
  const lookup = innermost(f.parsed.ast, node => node.is === 'index' && node.index.is === 'text' && node.index.value === placeholder)
  const entries = lookup?.is === 'index' ? entriesOf(typeAt(f, lookup.of)) : undefined
  if (!entries) return null
  return { from, to, items: Object.entries(entries).map(([label, type]) => ({ label, kind: 'variable', detail: typeName(type) })) }
}

const placeholder = 'here__'

/** The last expression visited that passes: the innermost of those around a place. */
function innermost(ast: Ast, passes: (node: Expr) => boolean): Expr | undefined {
  const found: Expr[] = []
  walk(ast, node => {
    if (passes(node)) found.push(node)
  })
  return found.at(-1)
}

const infer = (text: string, context: FormulaContext, scope: Scope): Inferred => inferFormula(parseFormula(text, context), scope)

function insideText(text: string, pos: number, context: FormulaContext): boolean {
  let inside = /#[^\n]*$/.test(text.slice(text.lastIndexOf('\n', pos - 1) + 1, pos).replace(/"[^"]*"|'[^']*'/g, ''))
  walk(parseFormula(text, context).ast, node => {
    if (node.is === 'text' && node.from < pos && pos < node.to) inside = true
  })
  return inside
}

function typeAt(f: Inferred, node: Expr): Type {
  if (node.is === 'name') {
    const meaning = f.plan.names.get(node)
    if (meaning?.is === 'local') return meaning.local.type
    if (meaning?.is === 'symbol') return meaning.symbol.type
  }
  return f.plan.types.get(node) ?? any
}

function namesAt(f: Inferred, pos: number, context: FormulaContext, scope: Scope): Completion[] {
  const items = new Map<string, Completion>()
  const add = (item: Completion): void => {
    if (item.label !== placeholder && !items.has(item.label)) items.set(item.label, item)
  }
  for (const { name, type } of innerNames(f, pos)) add({ label: name, kind: 'local', detail: typeName(type) })
  for (const local of f.locals.values()) add({ label: local.name, kind: 'local', detail: typeName(local.type) })
  for (const symbol of scope.names()) add(symbolItem(symbol))
  for (const row of rows)
    add({
      label: row.signature.name,
      kind: 'library',
      detail: row.shown,
      words: row.words,
      insert: callText(row.signature),
      ...(row.examples[0] ? { example: row.examples[0] } : {}),
    })
  for (const [name, { js, words }] of constants) add({ label: name, kind: 'constant', detail: js, words })
  for (const word of keywords[context]) add({ label: word, kind: 'keyword', detail: '' })
  return [...items.values()]
}

const symbolItem = (symbol: Symbol): Completion => {
  const params = symbol.type.is === 'function' ? symbol.type.params.map(param => param.name).join(', ') : null
  const detail = params === null ? typeName(symbol.type) : `${symbol.name}(${params})`
  const insert = params === null ? {} : { insert: `${symbol.name}(|)` }
  return { label: symbol.name, kind: symbol.kind, detail, ...(symbol.words ? { words: symbol.words } : {}), ...insert }
}

const callText = (signature: Signature): string => `${signature.name}(${signature.params.length > 0 ? '|' : ''})`

const shared = ['and', 'or', 'not', 'in', 'is', 'if', 'else', 'for', 'lambda', 'True', 'False', 'None']
const statements = [...shared, 'elif', 'while', 'break', 'continue', 'pass', 'del', 'assert']
const keywords: Readonly<Record<FormulaContext, readonly string[]>> = {
  expression: shared,
  condition: shared,
  program: statements,
  function: [...statements, 'return'],
}

/** Variables of the comprehensions and lambdas around `pos`. */
function innerNames(f: Inferred, pos: number): { name: string; type: Type }[] {
  const found: { name: string; type: Type }[] = []
  const add = (target: Expr): void => {
    walkExpr(target, node => {
      if (node.is === 'name') found.unshift({ name: node.name, type: typeAt(f, node) })
    })
  }
  walk(f.parsed.ast, node => {
    if (pos < node.from || pos > node.to) return
    if (node.is === 'comprehension') for (const clause of node.clauses) if (clause.is === 'for') add(clause.target)
    if (node.is === 'lambda') for (const param of node.params) add(param)
  })
  return found
}

function walkExpr(expr: Expr, visit: (node: Expr) => void): void {
  walk({ is: 'expression', value: expr }, visit)
}

function membersOf(type: Type, scope: Scope): Completion[] {
  const items: Completion[] = [...scope.members(type)].map(symbolItem)
  const kept = stored(type)
  const on = receivers.find(receiver => receiver === kept.is)
  for (const method of on ? methodsOf(on) : []) items.push(methodItem(method))
  if (kept.is === 'date') for (const part of dateParts) items.push({ label: part, kind: 'variable', detail: 'number' })
  return items
}

const receivers: readonly Receiver[] = ['list', 'dict', 'set', 'text', 'tuple', 'date']

const methodItem = (method: Method): Completion => ({
  label: method.signature.name,
  kind: 'method',
  detail: method.shown,
  words: method.words,
  insert: callText(method.signature),
  example: method.example,
})

type SignatureHelp = {
  name: string
  params: { name: string; type: string; optional: boolean }[]
  /** The parameter being written; -1 when there are too many arguments. */
  active: number
  /** In one line. */
  shown: string
  words?: Words
  example?: readonly [string, string]
}

/** The function of the call with arguments at `pos`. */
export function signatureAt(text: string, pos: number, context: FormulaContext, scope: Scope): SignatureHelp | null {
  return signatureIn(infer(text, context, scope), text, pos)
}

function signatureIn(f: Inferred, text: string, pos: number): SignatureHelp | null {
  const found = innermost(f.parsed.ast, node => {
    if (node.is !== 'call') return false
    const open = text.indexOf('(', node.callee.to)
    const isClosed = text[node.to - 1] === ')'
    return open >= 0 && pos > open && (pos < node.to || (!isClosed && text.slice(node.to, pos).trim() === ''))
  })
  if (found?.is !== 'call') return null
  const open = text.indexOf('(', found.callee.to)
  const place = argumentPlace(text.slice(open + 1, pos))
  const help = described(f, found)
  if (!help) return null
  const named = help.params.findIndex(param => param.name === place.name)
  const rest = help.params.findIndex(param => param.name.startsWith('*'))
  const slot = rest >= 0 && place.index >= rest ? rest : place.index
  const active = named >= 0 ? named : slot < help.params.length ? slot : -1
  return { ...help, active }
}

function described(f: Inferred, call: CallNode): Omit<SignatureHelp, 'active'> | null {
  const plan = f.plan.calls.get(call)
  const { callee } = call
  const row = plan?.is === 'row' ? plan.row : callee.is === 'name' && !f.scope.find(callee.name) ? rowOf(callee.name) : undefined
  if (row)
    return {
      name: row.signature.name,
      params: signatureParams(row.signature),
      shown: row.shown,
      words: row.words,
      ...(row.examples[0] ? { example: row.examples[0] } : {}),
    }
  if (plan?.is === 'method')
    return {
      name: plan.method.signature.name,
      params: signatureParams(plan.method.signature),
      shown: plan.method.shown,
      words: plan.method.words,
      example: plan.method.example,
    }
  const symbol = plan?.is === 'function' ? plan.symbol : callee.is === 'name' ? f.scope.find(callee.name) : undefined
  if (symbol?.type.is !== 'function') return null
  const params = symbol.type.params.map(param => ({ name: param.name, type: typeName(param.type), optional: param.optional === true }))
  const shown = `${symbol.name}(${params.map(param => param.name).join(', ')})`
  return { name: symbol.name, params, shown, ...(symbol.words ? { words: symbol.words } : {}) }
}

const signatureParams = (signature: Signature): SignatureHelp['params'] =>
  signature.params.map(param => ({
    name: param.rest ? `*${param.name}` : param.name,
    type: shapeName(param.shape),
    optional: param.initial !== undefined || param.rest,
  }))

/** Which argument the text after the opening bracket ends in, and its name when it is named. */
function argumentPlace(written: string): { index: number; name: string | null } {
  let depth = 0
  let index = 0
  let start = 0
  for (const match of written.matchAll(/"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[()[\]{},]/g)) {
    const [token] = match
    if (token === '(' || token === '[' || token === '{') depth++
    else if (token === ')' || token === ']' || token === '}') depth--
    else if (token === ',' && depth === 0) {
      index++
      start = match.index + 1
    }
  }
  return { index, name: /^\s*([\p{L}_][\p{L}\p{N}_]*)\s*=(?!=)/u.exec(written.slice(start))?.[1] ?? null }
}

function argumentNames(f: Inferred, pos: number): Completion[] {
  const help = signatureIn(f, f.parsed.text, pos)
  return (help?.params ?? [])
    .filter(param => param.optional && !param.name.startsWith('*'))
    .map(param => ({ label: `${param.name}=`, kind: 'argument', detail: param.type }))
}

type Hover = {
  from: number
  to: number
  title: string
  type: string
  words?: Words
  example?: readonly [string, string]
  id?: string
}

/** What is at `pos`: a name's meaning, or the type of the innermost expression. */
export function hoverAt(text: string, pos: number, context: FormulaContext, scope: Scope): Hover | null {
  const f = infer(text, context, scope)
  const named = nameAt(f.parsed.ast, pos)
  if (named) return named.is === 'name' ? hoverName(f, named) : hoverMember(f, named)
  const node = innermost(f.parsed.ast, other => other.from <= pos && pos < other.to && other.is !== 'missing')
  if (!node) return null
  return { from: node.from, to: node.to, title: text.slice(node.from, Math.min(node.to, node.from + 60)), type: typeName(typeAt(f, node)) }
}

function nameAt(ast: Ast, pos: number): NameNode | MemberNode | null {
  const found = innermost(
    ast,
    node => (node.is === 'name' && node.from <= pos && pos <= node.to) || (node.is === 'member' && node.nameFrom <= pos && pos <= node.to),
  )
  return found?.is === 'name' || found?.is === 'member' ? found : null
}

const about = (symbol: Symbol): Pick<Hover, 'words' | 'id'> => ({
  ...(symbol.words ? { words: symbol.words } : {}),
  ...(symbol.id === undefined ? {} : { id: symbol.id }),
})

function hoverName(f: Inferred, node: NameNode): Hover {
  const at = { from: node.from, to: node.to }
  const meaning = f.plan.names.get(node)
  if (meaning?.is === 'local') return { ...at, title: node.name, type: typeName(meaning.local.type) }
  const symbol = meaning?.is === 'symbol' ? meaning.symbol : f.scope.find(node.name)
  if (symbol) return { ...at, title: symbol.name, type: typeName(symbol.type), ...about(symbol) }
  const constant = constants.get(node.name)
  if (constant) return { ...at, title: node.name, type: 'number', words: constant.words }
  const row = rowOf(node.name)
  if (row)
    return {
      ...at,
      title: row.shown,
      type: shapeName(row.signature.result),
      words: row.words,
      ...(row.examples[0] ? { example: row.examples[0] } : {}),
    }
  return { ...at, title: node.name, type: 'any' }
}

function hoverMember(f: Inferred, node: MemberNode): Hover {
  const at = { from: node.nameFrom, to: node.to }
  const symbol = f.plan.members.get(node)
  if (symbol) return { ...at, title: symbol.name, type: typeName(symbol.type), ...about(symbol) }
  const kept = stored(typeAt(f, node.of))
  const on = receivers.find(receiver => receiver === kept.is)
  const method = on && methodOf(on, node.name)
  if (method) return { ...at, title: method.shown, type: shapeName(method.signature.result), words: method.words, example: method.example }
  return { ...at, title: node.name, type: typeName(typeAt(f, node)) }
}

/** Where the element `id` is named in a formula. */
export function referencesIn(
  text: string,
  context: FormulaContext,
  scope: Scope,
  id: string,
): { from: number; to: number; writes: boolean }[] {
  const seen = new Map<number, { from: number; to: number; writes: boolean }>()
  for (const use of infer(text, context, scope).uses) {
    if (use.symbol.id !== id) continue
    const before = seen.get(use.from)
    seen.set(use.from, { from: use.from, to: use.to, writes: use.writes || before?.writes === true })
  }
  return [...seen.values()].sort((a, b) => a.from - b.from)
}

/**
 * The edits that rename element `id` in a formula with a scope that still has the old name. `clash` when the new name already means something of
 * the formula's own there.
 */
export function renameIn(text: string, context: FormulaContext, scope: Scope, id: string, name: string): { edits: Edit[]; clash: boolean } {
  const edits = referencesIn(text, context, scope, id).map(({ from, to }) => ({ from, to, insert: name }))
  let clash = false
  if (edits.length > 0) {
    const f = infer(text, context, scope)
    for (const meaning of f.plan.names.values()) if (meaning.is === 'local' && meaning.local.name === name) clash = true
  }
  return { edits, clash }
}

/** Renames one of the formula's own variables, at `pos`. */
export function renameLocal(text: string, pos: number, context: FormulaContext, scope: Scope, name: string): Edit[] {
  const f = infer(text, context, scope)
  const node = nameAt(f.parsed.ast, pos)
  const meaning = node?.is === 'name' ? f.plan.names.get(node) : undefined
  if (meaning?.is !== 'local') return []
  const edits: Edit[] = []
  for (const [other, found] of f.plan.names) {
    if (found.is === 'local' && found.local === meaning.local && !edits.some(edit => edit.from === other.from))
      edits.push({ from: other.from, to: other.to, insert: name })
  }
  return edits.sort((a, b) => a.from - b.from)
}

/** Where the name at `pos` is defined: an element, or a place in this formula. */
export function definitionAt(text: string, pos: number, context: FormulaContext, scope: Scope): { id: string } | Span | null {
  const f = infer(text, context, scope)
  const node = nameAt(f.parsed.ast, pos)
  if (!node) return null
  if (node.is === 'member') {
    const id = f.plan.members.get(node)?.id
    return id === undefined ? null : { id }
  }
  const meaning = f.plan.names.get(node)
  if (meaning?.is === 'local') {
    let first: Span | null = null
    for (const [other, found] of f.plan.names) {
      if (found.is !== 'local' || found.local !== meaning.local) continue
      if (!first || targetBefore(f, other, first)) first = { from: other.from, to: other.to }
    }
    return first
  }
  const id = (meaning?.is === 'symbol' ? meaning.symbol : f.scope.find(node.name))?.id
  return id === undefined ? null : { id }
}

/** A comprehension names its variable before it binds it: the binding counts, then the earlier place. */
function targetBefore(f: Inferred, node: NameNode, best: Span): boolean {
  const binds = isTarget(f.parsed.ast, node.from)
  const bestBinds = isTarget(f.parsed.ast, best.from)
  return binds === bestBinds ? node.from < best.from : binds
}

function isTarget(ast: Ast, from: number): boolean {
  let found = false
  walk(ast, (node, role) => {
    if (node.is === 'name' && node.from === from && role === 'target') found = true
  })
  return found
}

type QuickFix = { title: Words; edits: Edit[] }

/** Changes that would mend a problem. */
export function fixesFor(problem: FormulaProblem, text: string): QuickFix[] {
  if (problem.edit) {
    const { from, to, insert } = problem.edit
    const old = text.slice(from, to)
    const title =
      old === '' ? say('Insert {insert}', { insert: insert.trim() }) : say('Replace {old} by {insert}', { old, insert: insert.trim() })
    return [{ title, edits: [problem.edit] }]
  }
  if (problem.near !== undefined)
    return [
      {
        title: say('Change to {near}', { near: problem.near }),
        edits: [{ from: problem.from, to: problem.to, insert: problem.near }],
      },
    ]
  return []
}
