// The text of a program as it grows: formulas emitted where they stand, declarations at the top, streams, places for
// errors. Generated code contains only what emitters wrote: authors' texts come in as JSON strings, their names never.
import type { CheckedModel } from '../check/checked.ts'
import { constantOf } from '../check/checking.ts'
import type { EntityPart, FormulaPart, ProcessPart, StepPart } from '../check/parts.ts'
import { emitExpression, emitProgram } from '../formula.ts'
import type { EmitTarget, Inferred, Type } from '../formula.ts'
import { any } from '../formula/types.ts'
import { textOf } from '../check/resolve.ts'
import { entityLoop } from './loops.ts'

/** What a debug build has besides a call before each step: conditions of breakpoints, by step. */
export type Debug = { readonly conditions: ReadonlyMap<number, Inferred> }

export type Surroundings = {
  /** Expression of the handle formulas see as `self`. */
  self: string
  /** The component whose random stream it draws from. */
  stream: string
  /** Identifiers around the formula that its text may mention. */
  captured?: readonly string[]
}

export class Emitter {
  readonly checked: CheckedModel
  /** Element and field of each formula that can fail; `at` holds the number while it runs. */
  readonly places: { id: string; field: string }[] = []
  readonly declarations: string[] = []
  readonly bindings = new Map<string, string>()
  /** Commits of populations with an active set, instead of copying their columns. */
  readonly commits = new Map<number, string>()
  /** Whether some query looks around another cell than the actor's own. */
  looksFar = false
  /** Neighbour tables made for each cell population's queries, by its index. */
  readonly tables = new Map<number, Set<string>>()
  readonly #placeNumbers = new Map<string, number>()
  readonly #streams = new Map<string, string>()
  #fresh = 0

  constructor(checked: CheckedModel) {
    this.checked = checked
  }

  fresh(prefix: string): string {
    return `${prefix}_${++this.#fresh}`
  }

  declare(js: string): void {
    this.declarations.push(js)
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
    const js = emitExpression(formula.inferred, this.#target(around))
    return canFail(js) ? `(at=${this.#place(formula)},${js})` : js
  }

  /** JavaScript of a formula that is not part of the model and only looks: it draws nothing, so it has no stream. */
  look(inferred: Inferred, around: Surroundings): string {
    return `(${emitExpression(inferred, this.#target(around, 'null'))})`
  }

  statements(key: string, around: Surroundings): string {
    const formula = this.formula(key)
    if (!formula) return ''
    const js = emitProgram(formula.inferred, this.#target(around))
    return canFail(js) ? `at=${this.#place(formula)};{${js}}` : `{${js}}`
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

  #target(around: Surroundings, stream = this.stream(around.stream)): EmitTarget {
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
        return entity ? `live${entity.index}(${handle},${from},${to})` : handle
      },
      captured: around.captured ?? [],
      entityLoop: loop => entityLoop(this, loop),
    }
  }
}

/** Straight arithmetic over columns needs no place; anything that calls may throw. */
const canFail = (js: string): boolean =>
  /\b(?!Math\.)[A-Za-z_$][\w$.]*\(/.test(js.replace(/\b(?:if|while|for|switch|return|Math\.\w+|uniform|below)\(/g, ''))

/** The random component of a step: its element, within the population that runs it. */
export const componentOf = (process: ProcessPart, id: string): string => (process.entity ? `${process.entity.id} ${id}` : id)

export const isWritten = (step: StepPart, field: string): boolean => textOf(step.element, field).trim() !== ''

/** JavaScript of an individual's handle, from its slot. */
export const handleOf = (entity: EntityPart, slot: string): string => (entity.kind === 'cell' ? slot : `p${entity.index}_h[${slot}]`)
