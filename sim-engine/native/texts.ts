// Texts in rows: columns of them (states by name, colours) are lowered as columns of codes, where all that is done with texts is to
// hand them on and to ask whether two are the same. Whatever does more with one keeps its text, which nobody lowers.
import type { Parts } from '../check/parts.ts'

/** Codes begin here: no number of a program is ever taken for one. */
export const firstCode = 1_000_000_000

export type Coded = {
  readonly text: string
  /** Texts written out in the program: their codes are `firstCode` and so on. */
  readonly texts: readonly string[]
  /** Columns of texts, as `p0_color`, with whether rows look at what they hold. */
  readonly columns: ReadonlyMap<string, boolean>
}

/** Names of the columns that hold nothing but texts. */
export function textColumns({ entities }: Parts): ReadonlySet<string> {
  return new Set(
    entities.flatMap(({ index, variables }) => [
      ...['color', 'shape', 'line_type'].map(name => `p${index}_${name}`),
      ...variables
        .filter(({ storage, type }) => storage === 'any' && type.is === 'text')
        .flatMap(variable => [`p${index}_v${variable.index}`, `p${index}_n${variable.index}`]),
    ]),
  )
}

const literal = /"(?:[^"\\]|\\.)*"/g
/** Texts, columns of them and locals that hold one, once they are marked. */
const assigned = /^\s*(?:const |let )?(\w+|@\d+@) ?= ?\(*(?:[^@]*\? )?@\d+@(?: : @\d+@)?\)*$/

/** Replaces texts by their codes. */
export function coded(source: string, textual: ReadonlySet<string>): Coded {
  const texts: string[] = []
  const known = new Map<string, number>()
  const bare = source.replaceAll(literal, found => {
    const text = String(JSON.parse(found))
    const code = known.get(text) ?? texts.length
    if (code === texts.length) texts.push(text)
    known.set(text, code)
    return `T$${code}`
  })
  const statements = unaliased(bare, textual).split(/([;{}])/)
  const locals = localsOf(statements, textual)
  const columns = new Map<string, boolean>()
  const made = statements.map(statement => {
    const pieces: string[] = []
    let shape = marked(statement, textual, locals, pieces)
    if (pieces.length === 0) return statement
    shape = shape.replaceAll(/@\d+@ [=!]== @\d+@/g, '#')
    if (shape.includes('@')) {
      const target = assigned.exec(shape)?.[1]
      const held = target === undefined ? '' : target.startsWith('@') ? pieces[Number(target.slice(1, -1))]! : target
      // What isn't known to be harmless is left as it was.
      if (held === '' || held.startsWith('T$') || !(locals.has(held) || held.includes('[')))
        return refused(statement, texts, textual, locals)
    }
    const isStored = /^\s*@0@ ?= ?[^=]/.test(marked(statement, textual, locals, []))
    for (const [k, piece] of pieces.entries())
      if (piece.includes('[')) {
        const name = piece.slice(0, piece.indexOf('['))
        columns.set(name, (columns.get(name) ?? false) || k > 0 || !isStored)
      }
    return statement.replaceAll(/\bT\$(\d+)\b/g, (_, code: string) => String(firstCode + Number(code)))
  })
  return { text: made.join(''), texts, columns }
}

/** With `@0@`, `@1@` ... for its texts, columns of texts and locals with texts, which are put into `pieces`. */
function marked(statement: string, textual: ReadonlySet<string>, locals: ReadonlySet<string>, pieces: string[]): string {
  const mark = (piece: string): string => `@${pieces.push(piece) - 1}@`
  return statement.replaceAll(/\bT\$\d+\b|\bp\d+_\w+\[(?:[^[\]]|\[[^[\]]*\])*\]|\b[a-z]\w*\b/g, found => {
    if (found.startsWith('T$') || locals.has(found)) return mark(found)
    return found.includes('[') && textual.has(found.slice(0, found.indexOf('['))) ? mark(found) : found
  })
}

/** Locals that are given nothing but texts. */
function localsOf(statements: readonly string[], textual: ReadonlySet<string>): ReadonlySet<string> {
  const held = new Set<string>()
  const other = new Set<string>()
  for (const statement of statements) {
    const [, name, value = ''] = /^\s*(?:const |let )?([a-z]\w*) ?= ?([^=][^]*)$/.exec(statement) ?? []
    if (name === undefined) continue
    const shape = marked(value, textual, new Set(), [])
    if (/^\(*(?:[^@]*\? )?@\d+@(?: : @\d+@)?\)*$/.test(shape)) held.add(name)
    else other.add(name)
  }
  return new Set([...held].filter(name => !other.has(name)))
}

/** Columns that stand in constants by their own names. */
function unaliased(text: string, textual: ReadonlySet<string>): string {
  let made = text
  for (const [, alias, name] of text.matchAll(/\bconst (t_\d+)=(p\d+_\w+);/g))
    if (alias !== undefined && name !== undefined && textual.has(name)) made = made.replaceAll(`${alias}[`, `${name}[`)
  return made
}

/** With its texts, and names that mean nothing: who reaches it is refused. */
const refused = (statement: string, texts: readonly string[], textual: ReadonlySet<string>, locals: ReadonlySet<string>): string =>
  statement
    .replaceAll(/\bT\$(\d+)\b/g, (_, code: string) => JSON.stringify(texts[Number(code)]))
    .replaceAll(/\b[a-z]\w*\b/g, name => (textual.has(name) || locals.has(name) ? `${name}$text` : name))
