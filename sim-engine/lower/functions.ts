// Functions of the model -> functions of the program, made when a formula calls them. What they do is what `emitFunction` of
// compile/program.ts says of it, in the same order: what is left out is worked out first, draws are those of the function.
import type { CheckedModel } from '../check/checked.ts'
import { keyOf } from '../check/names/keys.ts'
import type { EntityPart, FormulaPart, FunctionPart } from '../check/parts.ts'
import { componentOf } from '../compile/emitter.ts'
import type { Symbol } from '../formula/scope.ts'
import * as ir from '../ir.ts'
import type { Expr, Fn, Stmt, Type } from '../ir.ts'
import type { FormulaLowering } from './formula.ts'
import { isList, NotLowered } from './scope.ts'
import type { Given, Someone } from './scope.ts'
import { say } from '../../model-schema/words.ts'

type Made = { readonly name: string; readonly result: Type }

/** Where a formula of a function stands: whose function it is, what draws, where errors are, and its parameters by name. */
export type FunctionStanding = {
  readonly self: Someone | null
  readonly entity: EntityPart | null
  readonly component: string
  readonly id: string
  readonly field: string
  readonly parameters: ReadonlyMap<string, Given>
}

/** The program that functions become part of. */
export type FunctionHome = {
  readonly checked: CheckedModel
  /** Locals of what is being lowered. */
  readonly memory: { locals: Map<string, Type> }
  /** Whether formulas want more of an individual than its slot. */
  hasHandles(entity: EntityPart): boolean
  /** Null where the formula is blank. */
  formula(key: string, standing: FunctionStanding): FormulaLowering | null
}

export class Functions {
  /** Those that are called, in the order in which they were met. */
  readonly made: Fn[] = []
  readonly #home: FunctionHome
  readonly #known = new Map<string, Made>()
  readonly #underWay = new Set<FunctionPart>()

  constructor(home: FunctionHome) {
    this.#home = home
  }

  /** A call: `owner` is whose function it is, null among `args` what is left out. Undefined for what is no function of the model. */
  call({ id }: Symbol, owner: Someone | null, args: readonly (Given | null)[]): Expr | undefined {
    const all = this.#home.checked.parts.functions.filter(one => one.id === id)
    const part = all.length === 1 ? all[0] : all.find(one => one.entity === owner?.entity)
    if (!part) return undefined
    const { name, result } = this.#function(part, owner, args)
    const self = part.level === 'individual' && owner ? [owner.slot, ...(this.#home.hasHandles(owner.entity) ? [owner.handle] : [])] : []
    const given = args.flatMap(one => (one === null ? [] : isList(one) ? [one.from, one.count] : [one]))
    const called = ir.call(name, result, ...self, ...given)
    return result === 'void' ? ir.seq([ir.run(called)], ir.i32(0)) : called
  }

  #function(part: FunctionPart, owner: Someone | null, args: readonly (Given | null)[]): Made {
    // One for each choice of what is left out, and of how lists stand in memory.
    const name = [`fn${part.index}`, ...args.map(one => (!one ? 'blank' : !isList(one) ? 'given' : one.isRow ? 'row' : 'list'))].join('_')
    const known = this.#known.get(name)
    if (known) return known
    if (this.#underWay.has(part)) throw new NotLowered(say('a function calls itself'))
    this.#underWay.add(part)
    const { memory } = this.#home
    const outer = memory.locals
    const locals = new Map<string, Type>()
    memory.locals = locals
    try {
      const { params, self } = this.#selfOf(part, owner)
      const { types, result, body } = this.#body(part, self, args)
      for (const [k, type] of types.entries()) {
        const given = args[k]
        if (!given) locals.set(`a${k}`, type)
        else params.push([`a${k}`, type], ...(isList(given) ? [[`n${k}`, 'i32'] as [string, Type]] : []))
      }
      const made = { name, result }
      this.made.push({ ...made, params, locals, body, isExported: false })
      this.#known.set(name, made)
      return made
    } finally {
      memory.locals = outer
      this.#underWay.delete(part)
    }
  }

  #body(
    part: FunctionPart,
    self: Someone | null,
    args: readonly (Given | null)[],
  ): { types: ('i32' | 'f64')[]; result: Type; body: Stmt[] } {
    const parameters = new Map<string, Given>()
    const body = this.#formula(part, 'body', self, parameters)
    if (!body) throw new NotLowered(say('a function is blank'))
    this.#refuseLate(body)
    const types = part.parameters.map(({ name, type }, k) => {
      const given = args[k]
      if (given && isList(given)) {
        parameters.set(name, { ...given, from: ir.get(`a${k}`, 'i32'), count: ir.get(`n${k}`, 'i32'), links: null })
        return 'i32'
      }
      const is = body.irType(type)
      if (is === null) throw new NotLowered(say('a function takes or gives values that are no numbers'))
      parameters.set(name, ir.get(`a${k}`, is))
      return is
    })
    const result = part.result.is === 'none' ? 'void' : body.irType(part.result)
    if (result === null) throw new NotLowered(say('a function takes or gives values that are no numbers'))
    const blanks = part.parameters.flatMap(({ key, type }, k) => {
      if (args[k] || key === null) return []
      const value = this.#formula(part, key.slice(key.indexOf('/') + 1), self, new Map())
      if (!value) throw new NotLowered(say('a function is blank'))
      return [ir.set(`a${k}`, value.as(value.root, type))]
    })
    const statements = [...blanks, ...body.statements()]
    // Nothing comes here: a function that gives something returns on each of its ways.
    const end: Stmt[] =
      result === 'void' || statements.at(-1)?.kind === 'return' ? [] : [{ kind: 'return', value: result === 'f64' ? ir.f64(0) : ir.i32(0) }]
    return { types, result, body: [...statements, ...end] }
  }

  #formula(part: FunctionPart, field: string, self: Someone | null, parameters: ReadonlyMap<string, Given>): FormulaLowering | null {
    const key = keyOf(part, field)
    const component = componentOf(part, part.id)
    const at = this.#home.checked.formulas.get(key)
    const place = { id: at?.id ?? part.id, field: at?.field ?? field }
    return this.#home.formula(key, { self, entity: part.entity, component, ...place, parameters })
  }

  /** What a function gives those who are updated all at once becomes theirs at the end of the instant: the general way knows how. */
  #refuseLate({ f }: FormulaLowering): void {
    const { entities } = this.#home.checked.parts
    const late = entities.filter(({ order }) => order === 'simultaneous')
    const isLate = ({ id, kind }: Symbol): boolean =>
      late.length > 0 && (kind === 'builtin' || late.some(({ variables }) => variables.some(one => one.id === id)))
    if (f.writes.some(({ symbol }) => isLate(symbol))) throw new NotLowered(say('a function changes those who are updated all at once'))
  }

  /** Whose function it is, as parameters: a slot, and a handle where that is something else. */
  #selfOf(part: FunctionPart, owner: Someone | null): { params: [string, Type][]; self: Someone | null } {
    if (part.level !== 'individual') return { params: [], self: null }
    if (!owner) throw new NotLowered(say('whose it is is found out while running'))
    const { entity } = owner
    const slot = ir.get('slot', 'i32')
    if (!this.#home.hasHandles(entity)) return { params: [['slot', 'i32']], self: { entity, slot, handle: slot } }
    const params: [string, Type][] = [
      ['slot', 'i32'],
      ['self', 'f64'],
    ]
    return { params, self: { entity, slot, handle: ir.get('self', 'f64') } }
  }
}

/** The components whose streams a formula draws from, its own being `component`. That is all a value changes: it can be worked out again. */
export function drawnFrom(checked: CheckedModel, of: FormulaPart, component: string): ReadonlySet<string> {
  const found = new Set<string>()
  const seen = new Set<string>()
  const see = ({ inferred, key }: FormulaPart, own: string): void => {
    if (seen.has(key)) return
    seen.add(key)
    for (const plan of inferred.plan.calls.values()) {
      if (plan.is === 'row' && plan.row.draws) found.add(own)
      if (plan.is !== 'function') continue
      for (const part of checked.parts.functions) {
        if (part.id !== plan.symbol.id) continue
        const keys = [keyOf(part, 'body'), ...part.parameters.flatMap(({ key: initial }) => initial ?? [])]
        for (const one of keys.flatMap(at => checked.formulas.get(at) ?? [])) see(one, componentOf(part, part.id))
      }
    }
  }
  see(of, component)
  return found
}
