// Functions of the model -> functions of the program, made when a formula calls them. What they do is what `emitFunction` of
// compile/program.ts says of it, in the same order: what is left out is worked out first, draws are those of the function.
import { keyOf } from '../check/names/keys.ts'
import type { FunctionPart } from '../check/parts.ts'
import { componentOf } from '../compile/emitter.ts'
import type { Symbol } from '../formula/scope.ts'
import * as ir from '../ir.ts'
import type { Expr, Fn, Stmt, Type } from '../ir.ts'
import type { FormulaLowering } from './formula.ts'
import { formulaAt } from './people.ts'
import type { RowWorld, Standing } from './people.ts'
import { NotLowered } from './scope.ts'
import type { Someone } from './scope.ts'
import { say } from '../../model-schema/words.ts'

type Made = { readonly name: string; readonly result: Type }

export class Functions {
  /** Those that are called, in the order in which they were met. */
  readonly made: Fn[] = []
  readonly #world: RowWorld
  readonly #known = new Map<string, Made>()
  readonly #underWay = new Set<FunctionPart>()

  constructor(world: RowWorld) {
    this.#world = world
  }

  /** A call: `owner` is whose function it is, null among `args` what is left out. Undefined for what is no function of the model. */
  call({ id }: Symbol, owner: Someone | null, args: readonly (Expr | null)[]): Expr | undefined {
    const all = this.#world.checked.parts.functions.filter(one => one.id === id)
    const part = all.length === 1 ? all[0] : all.find(one => one.entity === owner?.entity)
    if (!part) return undefined
    const { name, result } = this.#function(part, owner, args)
    const self = part.level === 'individual' && owner ? [owner.slot, ...(this.#hasHandles(owner) ? [owner.handle] : [])] : []
    const called = ir.call(name, result, ...self, ...args.filter(one => one !== null))
    return result === 'void' ? ir.seq([ir.run(called)], ir.i32(0)) : called
  }

  #function(part: FunctionPart, owner: Someone | null, args: readonly (Expr | null)[]): Made {
    // One for each choice of what is left out.
    const name = [`fn${part.index}`, ...args.map(one => (one ? 'given' : 'blank'))].join('_')
    const known = this.#known.get(name)
    if (known) return known
    if (this.#underWay.has(part)) throw new NotLowered(say('a function calls itself'))
    this.#underWay.add(part)
    const { memory } = this.#world
    const outer = memory.locals
    const locals = new Map<string, Type>()
    memory.locals = locals
    const { params, inside } = this.#inside(part, owner, args)
    memory.locals = outer
    for (const [k, type] of inside.types.entries()) {
      if (args[k]) params.push([`a${k}`, type])
      else locals.set(`a${k}`, type)
    }
    const made = { name, result: inside.result }
    this.made.push({ ...made, params, locals, body: inside.body, isExported: false })
    this.#known.set(name, made)
    return made
  }

  /** What a function is given and does; one that cannot be lowered is under way no longer. */
  #inside(part: FunctionPart, owner: Someone | null, args: readonly (Expr | null)[]) {
    try {
      const { params, self } = this.#selfOf(part, owner)
      return { params, inside: this.#body(part, self, args) }
    } finally {
      this.#underWay.delete(part)
    }
  }

  #body(
    part: FunctionPart,
    self: Someone | null,
    args: readonly (Expr | null)[],
  ): { types: ('i32' | 'f64')[]; result: Type; body: Stmt[] } {
    const parameters = new Map<string, Expr>()
    const body = this.#formula(part, 'body', self, parameters)
    if (!body) throw new NotLowered(say('a function is blank'))
    this.#refuseLate(body)
    const types = part.parameters.map(({ name, type }, k) => {
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

  #formula(part: FunctionPart, field: string, self: Someone | null, parameters: ReadonlyMap<string, Expr>): FormulaLowering | null {
    const key = keyOf(part, field)
    const component = componentOf(part, part.id)
    const at = this.#world.checked.formulas.get(key)
    const place: Pick<Standing, 'id' | 'field'> = { id: at?.id ?? part.id, field: at?.field ?? field }
    return formulaAt(this.#world, key, { self, process: null, buffered: null, entity: part.entity, component, ...place, parameters })
  }

  /** What a function gives those who are updated all at once becomes theirs at the end of the instant: the general way knows how. */
  #refuseLate({ f }: FormulaLowering): void {
    const { entities } = this.#world.checked.parts
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
    if (!this.#hasHandles(owner)) return { params: [['slot', 'i32']], self: { entity, slot, handle: slot } }
    const params: [string, Type][] = [
      ['slot', 'i32'],
      ['self', 'f64'],
    ]
    return { params, self: { entity, slot, handle: ir.get('self', 'f64') } }
  }

  #hasHandles({ entity }: Someone): boolean {
    return entity.kind !== 'cell' && !this.#world.immortal
  }
}
