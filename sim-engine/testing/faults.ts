// The faults that can be put into a model to see whether its tests notice: one small change of a formula or a table each, such as people make. The
// operators are those of mutation testing (DeMillo, Lipton and Sayward 1978; Offutt 1996): another arithmetic, relational or logical operator, another
// constant, a statement left out; and of process models, a row of a container operation left out.
import { type Json } from '../../model-schema/kinds/kind.ts'
import { kindOf } from '../../model-schema/kinds.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import { elementOf } from '../../model-schema/overlay.ts'
import { writtenIn } from '../check/formulas.ts'
import { rowsOf } from '../check/resolve.ts'
import { parseFormula, type Ast } from '../formula.ts'
import type { Expr, Span, Statement } from '../formula/ast.ts'
import { walk } from '../formula/walk.ts'
import { say, type Words } from '../../model-schema/words.ts'

export type Fault = {
  readonly element: Id
  /** A field, or `field/row/column`. */
  readonly field: string
  readonly words: Words
  readonly model: Model
}

/** Kinds with formulas that define what happens in a run; views, statistics and tests only look. */
const families = new Set(['entity', 'data', 'flow', 'learning'])

/** What only people see: nothing in a run depends on it unless formulas read it. */
const looks = /^(color|shape|label)$/

/** All faults of what a scenario runs, in the order of its elements. */
export function* faultsOf(model: Model, scenario: Id): Generator<Fault, void> {
  const home = model.elements.get(scenario)
  if (!home) return
  for (const element of [home, ...inside(model, home)]) {
    const kind = kindOf(element.kind)
    if (!kind || (element !== home && !families.has(kind.family))) continue
    for (const { field, text, context } of writtenIn(element)) {
      if (isLook(element, field)) continue
      const { ast, problems } = parseFormula(text, context)
      if (problems.length > 0) continue
      for (const { span, by } of changesOf(ast, text)) {
        const changed = text.slice(0, span.from) + by + text.slice(span.to)
        const [was, is] = [shown(text.slice(span.from, span.to)), shown(by)]
        yield {
          element: element.id,
          field,
          words: say('"{was}" became "{is}"', { was, is }),
          model: withField(model, element, field, changed),
        }
      }
    }
    if (element.kind === 'operate') yield* withoutRows(model, element)
  }
}

/** A container operation without one of its rows; one that has a single row becomes a step that does nothing. */
function* withoutRows(model: Model, element: Element): Generator<Fault, void> {
  const items = rowsOf(element, 'items')
  const nothing = { ...element, kind: 'delay', fields: elementOf('delay', element.id, '', { duration: '0' }).fields }
  for (const [i] of items.entries())
    yield {
      element: element.id,
      field: 'items',
      words: say('row {i} was left out', { i: i + 1 }),
      model:
        items.length > 1
          ? replaced(model, element, { items: items.filter((_, k) => k !== i) })
          : { ...model, elements: new Map(model.elements).set(element.id, nothing) },
    }
}

function* inside(model: Model, home: Element): Generator<Element, void> {
  for (const id of home.children) {
    const element = model.elements.get(id)
    if (!element) continue
    yield element
    yield* inside(model, element)
  }
}

const isLook = (element: Element, field: string): boolean =>
  kindOf(element.kind)?.fields.find(({ id }) => id === field.split('/')[0])?.section === 'appearance'

type Change = { readonly span: Span; readonly by: string }

const arithmetic: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*', '//': '*', '%': '*', '**': '*' }
/** The opposite, and where there is one the same with another border. */
const relations: Readonly<Record<string, readonly string[]>> = {
  '<': ['>=', '<='],
  '<=': ['>', '<'],
  '>': ['<=', '>='],
  '>=': ['<', '>'],
  '==': ['!='],
  '!=': ['=='],
}

function changesOf(ast: Ast, text: string): Change[] {
  const changes: Change[] = []
  /** Where a sign is written between two parts. */
  const between = (from: number, to: number, sign: string, by: string): void => {
    const at = text.indexOf(sign, from)
    if (at >= 0 && at + sign.length <= to) changes.push({ span: { from: at, to: at + sign.length }, by })
  }
  const ofStatements = (body: readonly Statement[]): void => {
    for (const statement of body) {
      if (isOfLooks(statement)) continue
      changes.push(...leftOut(statement, text))
      if (statement.is === 'augment') {
        const by = arithmetic[statement.op]
        if (by !== undefined) between(statement.target.to, statement.value.from, `${statement.op}=`, `${by}=`)
      }
      if (statement.is === 'if') for (const branch of statement.branches) ofStatements(branch.body)
      if ('body' in statement) ofStatements(statement.body)
      if ('otherwise' in statement) ofStatements(statement.otherwise)
    }
  }
  if (ast.is === 'program') ofStatements(ast.body)
  walk(ast.is === 'program' ? { is: 'program', body: ast.body.filter(one => !isOfLooks(one)) } : ast, (node, role) => {
    if (role === 'value') changesAt(node, between, changes)
  })
  return changes
}

function changesAt(node: Expr, between: (from: number, to: number, sign: string, by: string) => void, changes: Change[]): void {
  switch (node.is) {
    case 'number':
      return void changes.push({ span: node, by: node.value === 0 ? '1' : String(Number((node.value * 2).toPrecision(12))) })
    case 'constant':
      if (node.value !== null) changes.push({ span: node, by: node.value ? 'False' : 'True' })
      return
    case 'binary': {
      const by = arithmetic[node.op]
      if (by !== undefined) between(node.left.to, node.right.from, node.op, by)
      return
    }
    case 'and':
    case 'or':
      return between(node.left.to, node.right.from, node.is, node.is === 'and' ? 'or' : 'and')
    case 'compare': {
      let from = node.first.to
      for (const { op, right } of node.rest) {
        for (const by of relations[op] ?? []) between(from, right.from, op, by)
        from = right.to
      }
      return
    }
    default:
  }
}

/** A statement that does nothing. An assignment sets what there is: a program of nothing else must still write. */
function leftOut(statement: Statement, text: string): Change[] {
  if (statement.is === 'do') return [{ span: statement, by: 'pass' }]
  const target = statement.is === 'assign' ? statement.targets[0] : statement.is === 'augment' ? statement.target : undefined
  if (target?.is !== 'name' && target?.is !== 'member') return []
  const name = text.slice(target.from, target.to)
  return [{ span: statement, by: `${name} = ${name}` }]
}

/** Statements that only change how something looks. */
function isOfLooks(statement: Statement): boolean {
  if (statement.is !== 'assign') return false
  return statement.targets.every(target => looks.test(target.is === 'name' || target.is === 'member' ? target.name : ''))
}

function withField(model: Model, element: Element, path: string, text: string): Model {
  const [field = '', row, column] = path.split('/')
  if (row === undefined || column === undefined) return replaced(model, element, { [field]: text })
  const rows = rowsOf(element, field).map((one, i) => (i === Number(row) ? { ...one, [column]: text } : one))
  return replaced(model, element, { [field]: rows })
}

const replaced = (model: Model, element: Element, fields: Readonly<Record<string, Json>>): Model => ({
  ...model,
  elements: new Map(model.elements).set(element.id, { ...element, fields: { ...element.fields, ...fields } }),
})

/** One line of at most so many characters. */
const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text).replaceAll(/\s+/g, ' ')
