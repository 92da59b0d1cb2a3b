// Which texts of individuals and tokens come from a finite set: states and kinds by name. They are stored as small numbers, and their texts are
// looked up for display. Certain or not at all: every value ever given must be a text written in the model, or that of another such variable. So
// a variable that is given what a person may set while the model runs keeps its texts.
import type { Inferred } from '../../formula.ts'
import { eachAssignment, localsOf } from '../../formula/assignments.ts'
import type { Expr } from '../../formula/ast.ts'
import type { Local } from '../../formula/plan.ts'
import type { Symbol } from '../../formula/scope.ts'
import { dilutes, givers, inheritances } from '../crossings.ts'
import type { Crossing } from '../crossings.ts'
import type { FormulaPart, Parts, ProcessPart, VariablePart } from '../parts.ts'

/** Where a text may come from: other variables, by id, and texts written in the formula. */
type Origin = { readonly from: readonly string[]; readonly texts: readonly string[] }

/** What a formula gives a variable: `to` is its id, or a dot and its name where the population is not known. null: any text. */
type Given = { readonly to: string; readonly origin: Origin | null }

/** All that a formula gives to variables of texts; `key` is the same where it gives the same. */
export type GivenTexts = { readonly key: string; readonly given: readonly Given[] }

/** Most different texts of all such variables together. A byte has room for more, which a snapshot may bring. */
const mostWords = 128

/** Sets the storage of such variables to `word`, after that of all variables is set by their types. */
export function findWords(
  parts: Parts,
  formulas: ReadonlyMap<string, FormulaPart>,
  given: Iterable<GivenTexts>,
  crossings: readonly Crossing[],
): void {
  const found = new Candidates(parts)
  const temporaries = new Set(parts.processes.flatMap(process => process.temporaries))
  if (found.isEmpty) return
  for (const [id, variables] of found.all())
    for (const variable of variables) found.give(id, formulas.has(variable.initialKey) ? originOf(formulas.get(variable.initialKey)) : none)
  // What a call hands to a token may be any text.
  for (const { key, variable } of crossings) found.give(variable.id, temporaries.has(variable) ? null : originOf(formulas.get(key)))
  for (const { from, to } of inheritances(parts)) found.give(to.id, { from: [from.id], texts: [] })
  for (const { given: all } of given) for (const { to, origin } of all) found.give(to, origin)
  if (givers(parts).some(step => dilutes(step))) return
  found.settle()
}

/** Whether messages may bring values to the tokens of a process: to their variables of the same names. */
const mayReceive = ({ steps }: ProcessPart): boolean =>
  steps.some(
    ({ element: { fields } }) => fields['trigger'] === 'message' || fields['trigger'] === 'receive' || fields['trigger'] === 'signal',
  )

const none: Origin = { from: [], texts: [] }

class Candidates {
  readonly #byId = new Map<string, VariablePart[]>()
  readonly #byName = new Map<string, string[]>()
  /** Variables that may be given the value of one. */
  readonly #takers = new Map<string, string[]>()
  readonly #texts = new Set<string>()

  constructor(parts: Parts) {
    const others = new Set<string>()
    const ofTokens = parts.processes.filter(process => !mayReceive(process)).flatMap(process => process.temporaries)
    const isPlain = ({ direction }: VariablePart): boolean => direction === null
    for (const variable of [...parts.entities.flatMap(entity => entity.variables), ...ofTokens.filter(isPlain)]) {
      const { id, storage, type } = variable
      if (storage !== 'any' || type.is !== 'text') {
        others.add(id)
        continue
      }
      const known = this.#byId.get(id)
      if (known) known.push(variable)
      else this.#byId.set(id, [variable])
    }
    for (const id of others) this.#byId.delete(id)
    for (const [id, [variable]] of this.#byId) this.#byName.set(variable!.name, [...(this.#byName.get(variable!.name) ?? []), id])
  }

  get isEmpty(): boolean {
    return this.#byId.size === 0
  }

  all(): [string, readonly VariablePart[]][] {
    return [...this.#byId]
  }

  give(to: string, origin: Origin | null): void {
    if (to.startsWith('.')) for (const id of this.#byName.get(to.slice(1)) ?? []) this.#drop(id)
    else if (origin === null) this.#drop(to)
    else if (this.#byId.has(to)) {
      for (const text of origin.texts) this.#texts.add(text)
      for (const from of origin.from)
        if (this.#byId.has(from)) this.#takers.set(from, [...(this.#takers.get(from) ?? []), to])
        else this.#drop(to)
    }
  }

  #drop(id: string): void {
    if (!this.#byId.delete(id)) return
    for (const taker of this.#takers.get(id) ?? []) this.#drop(taker)
  }

  settle(): void {
    if (this.#texts.size > mostWords) return
    for (const variables of this.#byId.values()) for (const variable of variables) variable.storage = 'word'
  }
}

const valuesBefore = new WeakMap<Inferred, Origin | null>()

/** Where the value of an expression comes from. */
function originOf(formula: FormulaPart | undefined): Origin | null {
  if (!formula) return null
  const { inferred } = formula
  let known = valuesBefore.get(inferred)
  if (known === undefined) {
    const { ast } = inferred.parsed
    valuesBefore.set(inferred, (known = ast.is === 'expression' ? new Origins(inferred).of(ast.value) : null))
  }
  return known
}

const givenBefore = new WeakMap<Inferred, GivenTexts>()
const nothing: GivenTexts = { key: '', given: [] }

/** What a formula gives to variables of texts. */
export function textsGiven(inferred: Inferred): GivenTexts {
  let known = givenBefore.get(inferred)
  if (!known) {
    const given = inferred.writes.length > 0 ? new Origins(inferred).given() : []
    for (const to of namesWithoutOwner(inferred)) given.push({ to, origin: null })
    givenBefore.set(inferred, (known = given.length === 0 ? nothing : { key: JSON.stringify(given), given }))
  }
  return known
}

/** Properties, as a dot and a name, that a program sets on an individual of unknown population. */
export function namesWithoutOwner({ parsed: { ast }, plan }: Inferred): string[] {
  if (ast.is !== 'program') return []
  const names: string[] = []
  eachAssignment(ast.body, target => {
    if (target.is === 'member' && plan.members.get(target)?.id === undefined) names.push(`.${target.name}`)
  })
  return names
}

class Origins {
  readonly #inferred: Inferred
  /** What the formula's own variables are given; null where that isn't known. */
  #locals: ReadonlyMap<Local, readonly (Expr | null)[]> | null = null
  readonly #underWay = new Set<Local>()

  constructor(inferred: Inferred) {
    this.#inferred = inferred
  }

  given(): Given[] {
    const { ast } = this.#inferred.parsed
    const found: Given[] = []
    const known = new Map<string, number>()
    const give = (symbol: Symbol | undefined, name: string, value: Expr): void => {
      const to = symbol?.id ?? `.${name}`
      known.set(to, (known.get(to) ?? 0) + 1)
      if (!symbol || symbol.type.is === 'text') found.push({ to, origin: symbol?.id === undefined ? null : this.of(value) })
    }
    eachAssignment(ast.is === 'program' ? ast.body : [], (target, value) => {
      if (!value) return
      if (target.is === 'member') give(this.#inferred.plan.members.get(target), target.name, value)
      else if (target.is === 'name') {
        const meaning = this.#inferred.plan.names.get(target)
        if (meaning?.is === 'symbol') give(meaning.symbol, target.name, value)
      }
    })
    for (const plan of this.#inferred.plan.calls.values())
      if (plan.is === 'row') for (const { symbol, value } of plan.extra) give(symbol, symbol.name, value)
    // Whatever is written in another way may be anything.
    for (const [to, count] of Map.groupBy(this.#inferred.writes, ({ symbol }) => symbol.id ?? `.${symbol.name}`))
      if (count.length !== (known.get(to) ?? 0)) found.push({ to, origin: null })
    return found
  }

  of(node: Expr): Origin | null {
    const { plan } = this.#inferred
    switch (node.is) {
      case 'text':
        return { from: [], texts: [node.value] }
      case 'choose':
        return this.#all([node.value, node.otherwise])
      case 'member':
        return originOfSymbol(plan.members.get(node))
      case 'name': {
        const meaning = plan.names.get(node)
        return meaning?.is === 'local' ? this.#local(meaning.local) : meaning?.is === 'symbol' ? originOfSymbol(meaning.symbol) : null
      }
      case 'call': {
        const called = plan.calls.get(node)
        const [items] = node.args
        const isChoice = called?.is === 'row' && called.row.signature.name === 'choice' && node.args.length === 1
        return isChoice && (items?.is === 'list' || items?.is === 'tuple') ? this.#all(items.items) : null
      }
      default:
        return null
    }
  }

  #all(nodes: readonly Expr[]): Origin | null {
    const origins = nodes.map(node => this.of(node))
    if (origins.includes(null)) return null
    return { from: origins.flatMap(one => one?.from ?? []), texts: origins.flatMap(one => one?.texts ?? []) }
  }

  #local(local: Local): Origin | null {
    // What it gives itself is nothing new.
    if (this.#underWay.has(local)) return none
    this.#locals ??= localsOf(this.#inferred)
    const values = this.#locals.get(local)
    if (!values || values.includes(null)) return null
    this.#underWay.add(local)
    const origin = this.#all(values.flatMap(value => value ?? []))
    this.#underWay.delete(local)
    return origin
  }
}

const originOfSymbol = (symbol: Symbol | undefined): Origin | null =>
  symbol?.id !== undefined && symbol.kind === 'variable' ? { from: [symbol.id], texts: [] } : null
