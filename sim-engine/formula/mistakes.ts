// What can be wrong with a formula before it runs, as values with a place and a sentence in both languages.
import type { Place, Problem, Repair } from '../problems.ts'
import { problem } from '../problems.ts'
import type { Expr } from './ast.ts'
import type { Symbol, SymbolKind } from './scope.ts'
import { say, type Words } from '../../model-schema/words.ts'

export type FormulaProblemKind =
  | 'blank'
  | 'syntax'
  | 'name-not-found'
  | 'type-mismatch'
  | 'wrong-arguments'
  | 'read-only'
  | 'must-write'
  | 'positional-after-keyword'
  | 'too-long'

export type FormulaProblem = {
  kind: FormulaProblemKind
  from: number
  to: number
  words: Words
  /** The name that was probably meant. */
  near?: string
  /** A change that would mend it. */
  edit?: Edit
  /** The same of a field of another element. */
  repair?: Repair
}

export type Edit = { from: number; to: number; insert: string }

/** The formula problem as one of the model, at element `at.id`, field `at.field`: 8001 when blank, else 8002. */
export function formulaProblem(at: Place, found: FormulaProblem): Problem {
  const place: Place = { ...at, from: found.from, to: found.to }
  const made = found.kind === 'blank' ? problem(8001, place) : problem(8002, place, [found.words])
  return {
    ...made,
    kind: found.kind,
    ...(found.near === undefined ? {} : { near: found.near }),
    ...(found.repair === undefined ? {} : { repair: found.repair, fix: found.repair.fix }),
  }
}

export const mistake = (kind: FormulaProblemKind, at: { from: number; to: number }, words: Words, near?: string): FormulaProblem =>
  near === undefined ? { kind, from: at.from, to: at.to, words } : { kind, from: at.from, to: at.to, words, near }

/** Syntax, with what was expected or is not part of the language. */
export const syntax = (at: { from: number; to: number }, words: Words, edit?: Edit): FormulaProblem => {
  const found = mistake('syntax', at, say('syntax error: {words}', { words }))
  return edit ? { ...found, edit } : found
}

/** A variable of another owner is set that is not public. */
export function notPublic({ name, id }: Symbol, at: { from: number; to: number }): FormulaProblem {
  const words = say('"{name}" can not be changed here: it is another\'s, and others may not change it', { name })
  const found = mistake('read-only', at, words)
  if (id === undefined) return found
  const label = say('Let others change "{name}"', { name })
  const fix = say('Let others change "{name}", or let its owner change it: by Ask, or by a message.', { name })
  return { ...found, repair: { id, field: 'public', value: true, label, fix } }
}

/** `9.5 ^ 2`: bits of a number that has none. */
export function powerProblems(node: { from: number; to: number; left: Expr; right: Expr }): FormulaProblem[] {
  const isFraction = (one: Expr): boolean => one.is === 'number' && !Number.isInteger(one.value)
  if (!isFraction(node.left) && !isFraction(node.right)) return []
  return [mistake('type-mismatch', node, say('^ takes the bits of whole numbers; write ** for a power'))]
}

/** A population was asked for what each of its individuals has. */
export const ofEach = (name: string, population: string): Words =>
  say(
    'each individual has a "{name}" of its own: write sum(one.{name} for one in {population}), or {population}.individuals[0].{name} of one',
    { name, population },
  )

/** A name of individuals in a space was read of one that `isPlaced` in none, or in a space without cells; null for other names. */
export function onlyInSpace(name: string, isPlaced: boolean): Words | null {
  if (name === 'cell' && isPlaced) return say('the space of the population has no cells')
  if (isPlaced || !['x', 'y', 'position', 'heading', 'cell', 'space'].includes(name)) return null
  return say('only individuals in a space have "{name}": choose a space for the population', { name })
}

/** A population was taken for a list. */
export const oneOf = (population: string): Words => say('write {population}.individuals[0] for one of a population', { population })

/** Why what bears a name is not to be written, by kind. */
export const whatItIs: Partial<Record<SymbolKind, Words>> = {
  statistic: say('it is a statistic; a new variable needs another name'),
  population: say('it is a population; a new variable needs another name'),
  function: say('it is a function; a new variable needs another name'),
  process: say('it is a process; a new variable needs another name'),
  message: say('it is a message; a new variable needs another name'),
  step: say('it is a step; a new variable needs another name'),
  container: say('it is a container, which Container operations change'),
  builtin: say('it is built in; a new variable needs another name'),
}

/** Words of other languages for values. */
const ofOthers: ReadonlyMap<string, string> = new Map([
  ...['null', 'nil', 'none', 'NULL'].map(word => [word, 'None'] as const),
  ...'zero one two three four five six seven eight nine ten'.split(' ').map((word, k) => [word, String(k)] as const),
])

/** The candidate closest to `name`, when it is close enough to have been meant. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const meant = ofOthers.get(name)
  if (meant !== undefined) return meant
  let best: string | undefined
  // Short names are close to everything: only their case may differ.
  let least = name.length <= 2 ? 1 : Math.max(1, Math.floor(name.length / 3)) + 1
  const wanted = name.toLowerCase()
  for (const candidate of candidates) {
    if (candidate === name) continue
    if (Math.abs(candidate.length - name.length) >= least) continue
    const distance = edits(wanted, candidate.toLowerCase())
    if (distance < least) {
      least = distance
      best = candidate
    }
  }
  return best
}

/** Edit distance with neighbouring swaps counted once (optimal string alignment). */
function edits(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1)
      row.push(cost)
    }
    before = last
    last = row
  }
  return last[b.length]!
}
