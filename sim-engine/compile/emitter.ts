// The text of a program as it grows: formulas emitted where they stand, declarations at the top, streams, places for
// errors. Generated code contains only what emitters wrote: authors' texts come in as JSON strings, their names never.
import type { CheckedModel } from '../check/checked.ts'
import { constantOf } from '../check/checking.ts'
import type { EntityPart, FormulaPart, ProcessPart, StepPart } from '../check/parts.ts'
import { emitExpression, emitProgram } from '../formula.ts'
import type { EmitTarget, Inferred, Type } from '../formula.ts'
import { boundBefore } from '../formula/lines.ts'
import { any } from '../formula/types.ts'
import { textOf } from '../check/resolve.ts'
import { entityLoop } from './loops.ts'

/** What a debug build has besides a call before each step and statement: what is to be known there. */
export type Debug = {
  /** Conditions of breakpoints, by step. */
  readonly conditions: ReadonlyMap<number, Inferred>
  /** The same of breakpoints on a statement, by `lineKey`. Their scope is that of the statement: see `inferAtLine`. */
  readonly lines: ReadonlyMap<string, AtLine>
  /** Formulas a person watches, as seen from one step or statement, or from nowhere (the end of an instant). */
  readonly watches: { readonly at: string | number | null; readonly list: readonly AtLine[] } | null
  /** The only steps and statements (by `lineKey`) with hooks: such a build tells that something is reached, not the way there. */
  readonly only: { readonly steps: ReadonlySet<number>; readonly lines: ReadonlySet<string> } | null
}

/** A formula that only looks, inferred where a statement stands; `names` gives the JavaScript of the statement's variables to it. */
export type AtLine = { readonly inferred: Inferred; readonly names: Map<string, string> }

/** A statement: its formula, as `keyOf` says it, and where it begins in its text. */
export const lineKey = (formula: string, from: number): string => `${formula} ${from}`

/** Variables of a formula that a debug build shows, in the order their values come in. */
export type Seen = readonly { readonly name: string; readonly type: Type }[]

export type Surroundings = {
  /** Expression of the handle formulas see as `self`. */
  self: string
  /** The component whose random stream it draws from. */
  stream: string
  /** Identifiers around the formula that its text may mention. */
  captured?: readonly string[]
  /** Of a step's own program: the token, as an expression, and the step. */
  token?: string
  step?: number
  /** Parameters around a function's body. */
  parameters?: readonly { name: string; js: string; type: Type }[]
}

export class Emitter {
  readonly checked: CheckedModel
  /** Element and field of each formula that can fail; `at` holds the number while it runs. */
  readonly places: { id: string; field: string }[] = []
  readonly declarations: string[] = []
  readonly bindings = new Map<string, string>()
  /** Commits of populations with an active set, instead of copying their columns. */
  readonly commits = new Map<number, string>()
  /** What the set-up does for them, but for a debug build. */
  readonly firsts = new Map<number, string>()
  /** Whether some query looks around another cell than the actor's own. */
  looksFar = false
  /** Whether what is being written only looks at the model between ticks: statistics, charts, the stop condition. */
  isLooking = false
  /** Neighbour tables made for each cell population's queries, by its index. */
  readonly tables = new Map<number, Set<string>>()
  readonly debug: Debug | null
  /** Measures the time formulas and steps take. */
  readonly metered: boolean
  /** Debug build: the variables shown at each place's statements, by statement. */
  readonly seen = new Map<string, Seen>()
  /** Metered build: elements, and fields of them, that time is counted for. Steps come first, then processes. */
  readonly spots: Spot[]
  readonly #placeNumbers = new Map<string, number>()
  readonly #streams = new Map<string, string>()
  #fresh = 0
  #immortal: boolean | undefined

  constructor(checked: CheckedModel, debug: Debug | null = null, metered = false) {
    this.checked = checked
    this.debug = debug
    this.metered = metered
    const { steps, processes } = checked.parts
    this.spots = metered ? [...steps, ...processes].map(({ id }) => ({ id, field: null })) : []
  }

  /** Nobody ever dies in this model: handles are slots, and whoever is listed lives. */
  get immortal(): boolean {
    return (this.#immortal ??= !isDeadly(this.checked))
  }

  looking<T>(write: () => T): T {
    this.isLooking = this.debug === null && !this.metered
    const made = write()
    this.isLooking = false
    return made
  }

  fresh(prefix: string): string {
    return `${prefix}_${++this.#fresh}`
  }

  declare(...js: readonly string[]): void {
    this.declarations.push(...js)
  }

  formula(key: string): FormulaPart | undefined {
    return this.checked.formulas.get(key)
  }

  has(key: string): boolean {
    return this.checked.formulas.has(key)
  }

  constant(key: string): number | null {
    return constantOf(this.formula(key))
  }

  typeOf(key: string): Type {
    return this.formula(key)?.inferred.type ?? any
  }

  mayCreate(key: string): boolean {
    return this.formula(key)?.inferred.mayCreate ?? false
  }

  /** Name of the constant that holds a component's stream. */
  stream(component: string): string {
    const known = this.#streams.get(component)
    if (known) return known
    const name = `r${this.#streams.size}`
    this.#streams.set(component, name)
    return name
  }

  /** A name at the top that is given its value when the world is there. */
  bound(name: string, js: string): void {
    this.bindings.set(name, js)
  }

  streams(): [string, string][] {
    return [...this.#streams].map(([component, name]) => [name, component])
  }

  /** JavaScript of an expression; `otherwise` when the formula is blank. */
  value(key: string, around: Surroundings, otherwise = 'null'): string {
    const formula = this.formula(key)
    if (!formula) return otherwise
    const js = emitExpression(formula.inferred, this.#target(around, formula))
    return this.#observed(formula, around, canFail(js) ? `(at=${this.#place(formula)},${js})` : js)
  }

  /** The same value in a debug or metered build: calls from here are seen on the stack, time is counted. */
  #observed(formula: FormulaPart, around: Surroundings, js: string): string {
    let text = js
    if (this.debug && !this.debug.only && formula.inferred.functions.length > 0)
      text = `X.leave((X.enter(${this.#place(formula)},${around.self}),${text}))`
    if (this.metered && !isTrivial(formula.inferred)) text = `X.metered((X.meter(${this.#spot(formula)}),${text}))`
    return text
  }

  /** JavaScript of a formula that is not part of the model and only looks: it draws nothing, so it has no stream. */
  look(inferred: Inferred, around: Surroundings): string {
    return `(${emitExpression(inferred, this.#target(around, null, 'null'))})`
  }

  statements(key: string, around: Surroundings): string {
    const formula = this.formula(key)
    if (!formula) return ''
    const target = this.#target(around, formula)
    const isFunction = formula.inferred.parsed.context === 'function'
    const js = emitProgram(formula.inferred, this.debug ? { ...target, line: this.#line(key, formula, around) } : target)
    let text = canFail(js) ? `at=${this.#place(formula)};{${js}}` : `{${js}}`
    // A function may return from anywhere; an error that leaves a program also leaves its process, which counts on.
    if (this.metered)
      text = isFunction
        ? `X.meter(${this.#spot(formula)});try{${text}}finally{X.metered(0);}`
        : `X.meter(${this.#spot(formula)});${text}X.metered(0);`
    // An error that leaves a program is forgotten at the next step.
    if (this.debug && !this.debug.only)
      text = isFunction
        ? `X.enter(${this.#place(formula)},${around.self});try{${text}}finally{X.leave(0);}`
        : `X.enter(${this.#place(formula)},${around.self},${around.token ?? -1},${around.step ?? -1});${text}X.leave(0);`
    return text
  }

  /** What a debug build calls before a statement. */
  #line(key: string, formula: FormulaPart, around: Surroundings): NonNullable<EmitTarget['line']> {
    const place = this.#place(formula)
    const { ast } = formula.inferred.parsed
    const body = ast.is === 'program' ? ast.body : []
    const only = this.debug?.only
    return (from, locals) => {
      if (only && !only.lines.has(lineKey(key, from))) return ''
      const bound = boundBefore(body, from)
      const shown = [...(around.parameters ?? []), ...locals.filter(local => bound.has(local.name))]
      const at = lineKey(key, from)
      this.seen.set(`${place} ${from}`, shown)
      const values = shown.length > 0 ? `()=>[${shown.map(one => one.js).join(',')}]` : 'null'
      const condition = this.debug?.lines.get(at)
      const inside = { ...around, captured: [...(around.captured ?? []), ...locals.map(local => local.js)] }
      const look = (one: AtLine): string => {
        for (const local of locals) one.names.set(local.name, local.js)
        return this.look(one.inferred, inside)
      }
      const watches = this.watches(at, look)
      return `X.line(${place},${from},${around.self},${values},${condition ? `()=>${look(condition)}` : 'null'},${watches});`
    }
  }

  /** The watched formulas as functions, where they are to be answered; else null. */
  watches(at: string | number | null, look: (one: AtLine) => string): string {
    const wanted = this.debug?.watches
    return wanted && wanted.at === at ? `[${wanted.list.map(one => `()=>${look(one)}`).join(',')}]` : 'null'
  }

  #spot({ id, field }: FormulaPart): number {
    const known = this.spots.findIndex(spot => spot.id === id && spot.field === field)
    return known >= 0 ? known : this.spots.push({ id, field }) - 1
  }

  /** A statement that says where the next error is. */
  mark(id: string, field: string): string {
    return `at=${this.#number(id, field)};`
  }

  #place(formula: FormulaPart): number {
    return this.#number(formula.id, formula.field)
  }

  #number(id: string, field: string): number {
    const key = `${id}/${field}`
    const known = this.#placeNumbers.get(key)
    if (known !== undefined) return known
    this.#placeNumbers.set(key, this.places.length)
    this.places.push({ id, field })
    return this.places.length - 1
  }

  #target(around: Surroundings, formula: FormulaPart | null, stream = this.stream(around.stream)): EmitTarget {
    return {
      self: around.self,
      stream,
      fresh: prefix => this.fresh(prefix),
      declare: js => this.declare(js),
      population: id => {
        const entity = this.checked.scopes.entity(id)
        return entity ? `P${entity.index}` : 'null'
      },
      live: (of, handle, from, to) => {
        const entity = this.checked.scopes.entity(of)
        if (!entity) return handle
        // Written out where it is short: a call costs more than the question.
        const p = entity.index
        if (!/^\w+(?:\[\w+\])?$/.test(handle)) return `live${p}(${handle},${from},${to})`
        const lives = entity.kind === 'cell' ? `${handle}>=0` : `p${p}_h[${handle}&16777215]===${handle}`
        return `(${lives}?${handle}:W.live(P${p},${handle},${from},${to}))`
      },
      captured: around.captured ?? [],
      ...(formula ? { back: (js: string) => `back(${js},${this.#place(formula)})` } : {}),
      entityLoop: loop => entityLoop(this, loop),
    }
  }
}

/** What time is counted for: an element, or a formula of it. */
export type Spot = { readonly id: string; readonly field: string | null }

/** Not worth a look at the clock. */
const isTrivial = ({ parsed: { ast } }: Inferred): boolean =>
  ast.is === 'expression' && ['number', 'text', 'constant', 'name'].includes(ast.value.is)

function isDeadly({ parts, formulas }: CheckedModel): boolean {
  if (parts.steps.some(step => step.kind.id === 'destroy')) return true
  return [...formulas.values()].some(({ inferred }) => inferred.calls.some(name => name === 'die' || name === 'remove_node'))
}

/** Straight arithmetic over columns needs no place; anything that calls may throw. */
const canFail = (js: string): boolean =>
  /\b(?!Math\.)[A-Za-z_$][\w$.]*\(/.test(js.replace(/\b(?:if|while|for|switch|return|Math\.\w+|uniform|below)\(/g, ''))

/** The random component of a step: its element, within the population that runs it. */
export const componentOf = (process: ProcessPart, id: string): string => (process.entity ? `${process.entity.id} ${id}` : id)

export const isWritten = (step: StepPart, field: string): boolean => textOf(step.element, field).trim() !== ''

/** JavaScript of an individual's handle, from its slot. */
export const handleOf = (entity: EntityPart, slot: string): string => (entity.kind === 'cell' ? slot : `p${entity.index}_h[${slot}]`)
