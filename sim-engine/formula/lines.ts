// Statements as a debugger sees them: where each begins, and which variables have a value there.
import type { Expr, Statement } from './ast.ts'
import type { Parsed } from './parse.ts'

/** Where each statement begins, in reading order. */
export function statementStarts({ ast }: Parsed): number[] {
  const starts: number[] = []
  if (ast.is === 'program') visit(ast.body, statement => starts.push(statement.from))
  return starts.sort((a, b) => a - b)
}

/** The line of a place, counted from 0. */
export const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length - 1

/** The statement to stop at for a line: the first that begins on it, or else the next one; undefined when there is none. */
export function statementAt(parsed: Parsed, line: number): number | undefined {
  return statementStarts(parsed).find(from => lineOf(parsed.text, from) >= line)
}

/** Names that may have been given a value before the statement at `from`: bound earlier, or anywhere in a loop around it. */
export function boundBefore(body: readonly Statement[], from: number): Set<string> {
  const names = new Set<string>()
  const bind = (target: Expr): void => {
    if (target.is === 'name') names.add(target.name)
    else if (target.is === 'tuple' || target.is === 'list') target.items.forEach(bind)
  }
  const look = (statements: readonly Statement[], inLoop: boolean): void => {
    for (const statement of statements) {
      const repeats = inLoop || ((statement.is === 'for' || statement.is === 'while') && statement.from < from && from < statement.to)
      if (statement.from < from || repeats) {
        if (statement.is === 'assign') statement.targets.forEach(bind)
        if (statement.is === 'augment') bind(statement.target)
        if (statement.is === 'for') bind(statement.target)
      }
      inner(statement).forEach(block => look(block, repeats))
    }
  }
  look(body, false)
  return names
}

function visit(body: readonly Statement[], act: (statement: Statement) => void): void {
  for (const statement of body) {
    act(statement)
    for (const block of inner(statement)) visit(block, act)
  }
}

function inner(statement: Statement): (readonly Statement[])[] {
  if (statement.is === 'if') return [...statement.branches.map(branch => branch.body), statement.otherwise]
  return statement.is === 'for' || statement.is === 'while' ? [statement.body, statement.otherwise] : []
}
