// The text of a program as it grows: formulas emitted at their place, declarations at the top, streams, places for
// errors. Generated code contains only what emitters wrote: authors' texts come in as JSON strings, their names never.
import type { CheckedModel } from '../check/checked.ts'
import { constantOf } from '../check/checking.ts'
import type { EntityPart, FormulaPart, ProcessPart, StepPart, VariablePart } from '../check/parts.ts'
import { emitCode, emitExpression, emitProgram } from '../formula.ts'
import type { EmitTarget, Inferred, Type } from '../formula.ts'
import { boundBefore } from '../formula/lines.ts'
import { any } from '../formula/types.ts'
import { textOf } from '../check/resolve.ts'
import type { Stencil } from '../stencil/lower.ts'
import { WordTable } from '../world/word-table.ts'
import { constantLists } from './constant-lists.ts'
import { entityLoop } from './loops.ts'

/** What a debug build has besides a call before each step and statement: what is to be known there. */
export type Debug = {
  /** Conditions of breakpoints, by step. */
  readonly conditions: ReadonlyMap<number, Inferred>
  /** The same of breakpoints on a statement, by `lineKey`. Their scope is that of the statement: see `inferAtLine`. */
  readonly lines: ReadonlyMap<string, AtLine>
  /** Formulas a person watches, as seen from one step or statement, or from nowhere (the end of an instant). */
  readonly watches: { readonly at: string | number | null; readonly list: readonly AtLine[] } | null
}

/**
 * Steps and statements (by `lineKey`) at which a build says that they were reached and that their condition holds, if they have
 * one, and individuals (by population) of whom it says that they act. It knows nothing of the way there, and is as fast as a plain
 * one elsewhere.
 */
export type Sought = {
  readonly steps: ReadonlyMap<number, Inferred | null>
  readonly lines: ReadonlyMap<string, AtLine | null>
  readonly individuals: ReadonlyMap<string, readonly number[]>
}

/** The place of an error in such a condition. */
export const conditionField = 'breakpoint'

/** A formula without effects, inferred at the place of a statement; `names` gives the JavaScript of the statement's variables to it. */
export type AtLine = { readonly inferred: Inferred; readonly names: Map<string, string> }

/** A statement: its formula, as `keyOf` says it, and where it begins in its text. */
export const lineKey = (formula: string, from: number): string => `${formula} ${from}`

/** Variables of a formula that a debug build shows, in the order their values come in. */
export type Seen = readonly { readonly name: string; readonly type: Type }[]

export type Surroundings = {
  /** Expression of the handle formulas see as `self`. */
  self: string
  /** The component that owns its random stream. */
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
  /** Variables of simultaneous individuals that are written between ticks, too. */
  readonly late = new Set<VariablePart>()
  /** Rules of simultaneous cells for many at once, by population. */
  readonly stencils = new Map<number, Stencil>()
  /** What the set-up does for them, but for a debug build. */
  readonly firsts = new Map<number, string>()
  /** Whether some query looks around another cell than the actor's own. */
  looksFar = false
  /** Whether what is being written only looks at the model between ticks: statistics, charts, the stop condition. */
  isLooking = false
  /** Neighbour tables made for each cell population's queries, by its index. */
  readonly tables = new Map<number, Set<string>>()
  readonly debug: Debug | null
  readonly sought: Sought | null
  /** Measures the time formulas and steps take. */
  readonly metered: boolean
  /** Debug build: the variables shown at each place's statements, by statement. */
  readonly seen = new Map<string, Seen>()
  /** Metered build: elements, and fields of them, that time is counted for. Steps come first, then processes. */
  readonly spots: Spot[]
  /** Texts of columns of words, and those they are compared with. */
  readonly words = new WordTable()
  /** Names of the typed arrays of lists that never change, by the variable's id. */
  readonly #lists = new Map<string, string>()
  #constants: Map<string, readonly number[]> | undefined
  readonly #placeNumbers = new Map<string, number>()
  readonly #streams = new Map<string, string>()
  #fresh = 0
  /** Ids of all that formulas write. */
  #written: ReadonlySet<string> | undefined
  #immortal: boolean | undefined

  constructor(checked: CheckedModel, debug: Debug | null = null, metered = false, sought: Sought | null = null) {
    this.checked = checked
    this.debug = debug
    this.sought = sought
    this.metered = metered
    const { steps, processes } = checked.parts
    this.spots = metered ? [...steps, ...processes].map(({ id }) => ({ id, field: null })) : []
  }

  /** No individual of this model ever dies: handles are slots, and all listed individuals live. */
  get immortal(): boolean {
    return (this.#immortal ??= !isDeadly(this.checked))
  }

  /** Writes what only looks. */
  looking<T>(write: () => T): T {
    this.isLooking = this.debug === null && !this.metered
    const made = write()
    this.isLooking = false
    return made
  }

  /** Whether something is sought in these processes, or in formulas, which may be theirs. */
  seeksIn(processes: readonly ProcessPart[]): boolean {
    const { sought } = this
    if (sought === null) return false
    const isHere = (process: ProcessPart): boolean =>
      this.individualsSought(process).length > 0 || process.steps.some(step => sought.steps.has(step.index))
    return sought.lines.size > 0 || processes.some(isHere)
  }

  /** The same value as a next one, where individuals of a simultaneous population are given it outside their own update. */
  asNext(entity: EntityPart, variable: VariablePart, slot: string): string {
    if (entity.order !== 'simultaneous' || (variable.storage === 'any' && !this.#isWritten(variable))) return ''
    return `=p${entity.index}_n${variable.index}[${slot}]`
  }

  #isWritten({ id }: VariablePart): boolean {
    this.#written ??= new Set(
      [...this.checked.formulas.values()].flatMap(({ inferred }) => inferred.writes.map(({ symbol }) => symbol.id ?? '')),
    )
    return this.#written.has(id)
  }

  /**
   * Emits code that may run between ticks. If it sets next values of simultaneous individuals, the code marks them as pending and lists
   * the individuals: the values take effect at the end of that instant.
   */
  betweenTicks(write: () => string): string {
    const { scopes } = this.checked
    const { pending } = scopes
    const others = [...pending]
    pending.clear()
    scopes.isBetweenTicks = true
    const js = write()
    scopes.isBetweenTicks = false
    const mine = [...pending]
    for (const variable of others) pending.add(variable)
    for (const variable of mine) this.late.add(variable)
    return mine.length > 0 ? `setLate();${js}` : js
  }

  /** Those who are sought among the individuals a process may be run for. */
  individualsSought({ level, entity }: ProcessPart): readonly number[] {
    return (level === 'individual' && entity && this.sought?.individuals.get(entity.id)) || []
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

  /** Whether the formula is evaluated again for each draw. */
  draws(key: string): boolean {
    return this.formula(key)?.inferred.draws ?? false
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

  /** JavaScript of what a variable's column keeps of an expression's value; `otherwise` when the formula is blank. */
  stored(variable: VariablePart, key: string, around: Surroundings, otherwise: string): string {
    const formula = this.formula(key)
    if (!formula) return otherwise
    if (variable.storage === 'word') {
      const js = emitCode(formula.inferred, this.#target(around, formula))
      return js === null
        ? `codeOf(${this.value(key, around)})`
        : this.#observed(formula, around, canFail(js) ? `(at=${this.#place(formula)},${js})` : js)
    }
    return variable.storage === 'bool' ? `(${this.value(key, around)})?1:0` : this.value(key, around)
  }

  /** The same value in a debug or metered build: calls from here are seen on the stack, time is counted. */
  #observed(formula: FormulaPart, around: Surroundings, js: string): string {
    let text = js
    if (this.debug && formula.inferred.functions.length > 0) text = `X.leave((X.enter(${this.#place(formula)},${around.self}),${text}))`
    if (this.metered && !isTrivial(formula.inferred)) text = `X.metered((X.meter(${this.#spot(formula)}),${text}))`
    return text
  }

  /** JavaScript of a formula that is not part of the model and only looks: it draws nothing, so it has no stream. */
  look(inferred: Inferred, around: Surroundings): string {
    return `(${emitExpression(inferred, this.#target(around, null, 'null'))})`
  }

  /** Says that what is sought is reached, where the condition holds. */
  found(condition: Inferred | null, around: Surroundings): string {
    if (!condition) return 'X.found();'
    const js = this.look(condition, around)
    if (!canFail(js)) return `if(${js})X.found();`
    const was = this.fresh('was')
    return `{const ${was}=at;${this.mark('', conditionField)}if(${js})X.found();at=${was};}`
  }

  statements(key: string, around: Surroundings): string {
    const formula = this.formula(key)
    if (!formula) return ''
    const target = this.#target(around, formula)
    const isFunction = formula.inferred.parsed.context === 'function'
    const line = this.debug ? this.#line(this.debug, key, formula, around) : this.sought ? this.#soughtLine(this.sought, key, around) : null
    const js = emitProgram(formula.inferred, line ? { ...target, line } : target)
    let text = canFail(js) ? `at=${this.#place(formula)};{${js}}` : `{${js}}`
    // A function may return from anywhere; an error that leaves a program also leaves its process, which counts on.
    if (this.metered)
      text = isFunction
        ? `X.meter(${this.#spot(formula)});try{${text}}finally{X.metered(0);}`
        : `X.meter(${this.#spot(formula)});${text}X.metered(0);`
    // An error that leaves a program is forgotten at the next step.
    if (this.debug)
      text = isFunction
        ? `X.enter(${this.#place(formula)},${around.self});try{${text}}finally{X.leave(0);}`
        : `X.enter(${this.#place(formula)},${around.self},${around.token ?? -1},${around.step ?? -1});${text}X.leave(0);`
    return text
  }

  /** What a debug build calls before a statement. */
  #line(debug: Debug, key: string, formula: FormulaPart, around: Surroundings): NonNullable<EmitTarget['line']> {
    const place = this.#place(formula)
    const { ast } = formula.inferred.parsed
    const body = ast.is === 'program' ? ast.body : []
    return (from, locals) => {
      const bound = boundBefore(body, from)
      const shown = [...(around.parameters ?? []), ...locals.filter(local => bound.has(local.name))]
      const at = lineKey(key, from)
      this.seen.set(`${place} ${from}`, shown)
      const values = shown.length > 0 ? `()=>[${shown.map(one => one.js).join(',')}]` : 'null'
      const condition = debug.lines.get(at)
      const inside = within(around, locals)
      const look = (one: AtLine): string => this.look(named(one, locals), inside)
      const watches = this.watches(at, look)
      return `X.line(${place},${from},${around.self},${values},${condition ? `()=>${look(condition)}` : 'null'},${watches});`
    }
  }

  /** null where nothing is sought in a formula: only there it need know its statements. */
  #soughtLine({ lines }: Sought, key: string, around: Surroundings): EmitTarget['line'] | null {
    if (!Array.from(lines.keys()).some(line => line.startsWith(lineKey(key, 0).slice(0, -1)))) return null
    return (from, locals) => {
      const condition = lines.get(lineKey(key, from))
      return condition === undefined ? '' : this.found(condition && named(condition, locals), within(around, locals))
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

  #constantList(id: string): ReturnType<NonNullable<EmitTarget['constantList']>> {
    const items = (this.#constants ??= constantLists(this.checked)).get(id)
    if (!items) return undefined
    let name = this.#lists.get(id)
    if (name === undefined) {
      this.#lists.set(id, (name = this.fresh('d')))
      this.declare(`const ${name} = Float64Array.of(${items.join(', ')});`)
    }
    const index = this.checked.parts.shared.find(variable => variable.id === id)!.index
    return { name, length: items.length, at: (position, from, to) => `X.item(${index}, ${position}, ${from}, ${to})` }
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
      constantList: id => this.#constantList(id),
      word: text => (this.words.hasRoom || this.words.has(text) ? String(this.words.codeOf(text)) : undefined),
      ...(formula ? { back: (js: string) => `back(${js},${this.#place(formula)})` } : {}),
      entityLoop: loop => entityLoop(this, loop),
    }
  }
}

type Locals = readonly { readonly name: string; readonly js: string }[]

const within = (around: Surroundings, locals: Locals): Surroundings => ({
  ...around,
  captured: [...(around.captured ?? []), ...locals.map(local => local.js)],
})

/** The formula, knowing what variables around the statement are called in JavaScript. */
function named({ inferred, names }: AtLine, locals: Locals): Inferred {
  for (const { name, js } of locals) names.set(name, js)
  return inferred
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
export const componentOf = (process: Pick<ProcessPart, 'entity'>, id: string): string =>
  process.entity ? `${process.entity.id} ${id}` : id

export const isWritten = (step: StepPart, field: string): boolean => textOf(step.element, field).trim() !== ''

/** JavaScript of an individual's handle, from its slot. */
export const handleOf = (entity: EntityPart, slot: string): string => (entity.kind === 'cell' ? slot : `p${entity.index}_h[${slot}]`)
