// Queries as loops: all of a population, cells around a cell, who stands on one or is near, who is linked. No list is made. The order is that
// of compile/loops.ts.
import { isListed } from '../compile/listed.ts'
import type { EntityPart, SpacePart } from '../check/parts.ts'
import type { Expr as Node } from '../formula/ast.ts'
import { constantIndex } from '../formula/walk.ts'
import * as ir from '../ir.ts'
import type { Expr, Stmt } from '../ir.ts'
import * as choices from '../runtime/choices.ts'
import * as pops from '../runtime/populations.ts'
import * as spaces from '../runtime/spaces.ts'
import type { FormulaLowering } from './formula.ts'
import type { RowWorld } from './people.ts'
import type { RowMemory } from './row-memory.ts'
import type { People, Query, Someone, WorldCall } from './scope.ts'

type Each = Query['each']
type Row = NonNullable<ReturnType<Query['row']>>
type Nth = NonNullable<ReturnType<Query['nth']>>
type Local = Expr & { readonly kind: 'get' }

/** Most neighbours whose steps are listed; most cells around one whose loop is written out. */
const widest = 120

/** What queries ask of where a formula stands. */
export type Surroundings = Pick<People, 'self' | 'entity' | 'slotOf' | 'lives' | 'someone' | 'builtin' | 'bucket'> & {
  readonly memory: Pick<RowMemory, 'local' | 'place' | 'population' | 'residents' | 'space' | 'array' | 'element' | 'list' | 'numberAt'>
  readonly world: Pick<RowWorld, 'checked' | 'immortal'>
  /** Where errors are that tell no part of the formula. */
  readonly where: { readonly id: string; readonly field: string }
  bucketAddress(entity: EntityPart, slot: Expr): Expr
  /** The cell somebody stands on, -1 for none. */
  cellOf(one: Someone): Expr
}

export function queryOf(people: Surroundings, e: FormulaLowering, call: WorldCall, ordered: boolean): Query | null {
  const asked = new Asked(people, e, call)
  const each = asked.each(ordered)
  const isByBirth = call.name === 'agents_on' && call.of.space?.topology !== 'discrete'
  if (!each) return null
  return {
    each,
    isShort: call.name !== 'individuals',
    isByBirth,
    row: () => asked.row(),
    nth() {
      const row = asked.row()
      return row ? inRow(row) : (asked.link() ?? asked.cell())
    },
  }
}

class Asked {
  readonly #people: Surroundings
  readonly #e: FormulaLowering
  readonly #call: WorldCall

  constructor(people: Surroundings, e: FormulaLowering, call: WorldCall) {
    this.#people = people
    this.#e = e
    this.#call = call
  }

  each(ordered: boolean): Each | null {
    const { name, of } = this.#call
    switch (name) {
      case 'individuals':
        return this.#everyone(of)
      case 'moore':
      case 'von_neumann':
      case 'neighbor_cells':
        return this.#cellsAround(of)
      case 'agents_on':
        return this.#agentsOn(of)
      case 'neighbors':
        return ordered ? this.#nearestFirst(of) : this.#neighbors(of)
      case 'relatives':
        return this.#relatives(of)
      case 'links_of':
        return this.#linksOf(of)
      default:
        return null
    }
  }

  #int(prefix: string): Local {
    return ir.get(this.#people.memory.local(prefix, 'i32'), 'i32') as Local
  }

  #real(prefix: string): Local {
    return ir.get(this.#people.memory.local(prefix, 'f64'), 'f64') as Local
  }

  #label(): string {
    return this.#people.memory.local('each', 'i32')
  }

  /** `from`, `from` + 1 ... below `to`. */
  #counting(k: Local, from: Expr, to: Local, body: Stmt[]): Stmt[] {
    const label = this.#label()
    const next = this.#label()
    const go: Stmt[] = [
      ir.when(ir.binary('ge', k, to), [{ kind: 'break', label }]),
      { kind: 'block', label: next, body: body.flatMap(s => skipping(s, next)) },
      ir.set(k.name, plus(k, 1)),
    ]
    return [ir.set(k.name, from), { kind: 'loop', label, body: go }]
  }

  /** Along a list threaded through a column, from its head on. */
  #along(slot: Local, head: Expr, nextOf: Expr, body: Stmt[]): Stmt[] {
    const label = this.#label()
    const next = this.#label()
    return [
      ir.set(slot.name, head),
      {
        kind: 'loop',
        label,
        body: [
          ir.when(ir.binary('lt', slot, ir.i32(0)), [{ kind: 'break', label }]),
          { kind: 'block', label: next, body: body.flatMap(s => skipping(s, next)) },
          ir.set(slot.name, nextOf),
        ],
      },
    ]
  }

  /** The individual an argument names, or who asks: None and the dead fail. */
  #near(given: Node | null | undefined): { before: readonly Stmt[]; one: Someone } | null {
    const { self } = this.#people
    const { mayCreate } = this.#e.f
    if (!given) return self && { before: mayCreate ? this.#there(self, true) : [], one: self }
    const type = this.#e.typeOf(given)
    const entity = type.is === 'entity' ? this.#people.entity(type.of) : undefined
    if (type.is !== 'entity' || !entity) return null
    const handle = this.#e.keep(this.#e.natural(given))
    const one = { entity, handle: handle.get, slot: this.#people.slotOf(entity, handle.get) }
    const isSure = !mayCreate && (type.sure === true || this.#e.known(given) === self)
    // A loop of JavaScript over those around a name tells no part of the formula; else a list is made, which does.
    const meaning = given.is === 'name' ? this.#e.f.plan.names.get(given) : undefined
    const isName = meaning?.is === 'local' || (meaning?.is === 'symbol' && meaning.symbol.kind !== 'variable')
    return { before: [...handle.set, ...(isSure ? [] : this.#there(one, mayCreate || this.#call.use === 'list' || !isName))], one }
  }

  #there({ entity, handle }: Someone, isTold: boolean): Stmt[] {
    const { memory, where, world } = this.#people
    const { from, to } = this.#call.span
    const fail = (code: 10014 | 10053): Stmt => ({ kind: 'fail', place: memory.place({ code, ...where, ...(isTold ? { from, to } : {}) }) })
    const none = ir.when(ir.binary('lt', handle, handle.type === 'f64' ? ir.f64(0) : ir.i32(0)), [fail(10014)])
    const isDead = ir.not(this.#people.lives(entity, handle))
    return world.immortal || entity.kind === 'cell' ? [none] : [none, ir.when(isDead, [fail(10053)])]
  }

  #fail(code: 10014 | 10062): Stmt {
    // Of a loop it is `X.fail`, which tells no part of the formula.
    const { memory, where } = this.#people
    const { use, span, of, name } = this.#call
    const isTold = use === 'list' || (name === 'agents_on' && of.space?.topology !== 'discrete')
    return { kind: 'fail', place: memory.place({ code, ...where, ...(isTold ? { from: span.from, to: span.to } : {}) }) }
  }

  // --- all

  #everyone(of: EntityPart): Each | null {
    if (of.derived.length > 0) return null
    const { memory, world } = this.#people
    const p = memory.population(of)
    const word = (offset: number): Expr => ir.load('i32', ir.i32(p + offset))
    if (of.kind === 'cell') {
      return body => {
        const [k, n] = [this.#int('k'), this.#int('n')]
        return [ir.set(n.name, word(pops.COUNT)), ...this.#counting(k, ir.i32(0), n, body(this.#people.someone(of, k)))]
      }
    }
    return body => {
      const [k, n, slot] = [this.#int('k'), this.#int('n'), this.#int('s')]
      const living = ir.load('i32', ir.binary('add', word(pops.LIVING), ir.binary('shl', k, ir.i32(2))))
      const one = this.#people.someone(of, slot)
      const alive: Stmt[] = world.immortal ? [] : [ir.when(ir.binary('lt', one.handle, ir.f64(0)), [{ kind: 'break', label: skip }])]
      return [
        ir.set(n.name, word(pops.LIVING_COUNT)),
        ...this.#counting(k, ir.i32(0), n, [ir.set(slot.name, living), ...alive, ...body(one)]),
      ]
    }
  }

  // --- cells

  /** Which cells are looked at, and around whom. */
  #around(of: EntityPart) {
    const { name, args } = this.#call
    const radius = args[0] ? constantIndex(args[0]) : 1
    const near = this.#near(args[1])
    const { space } = of
    if (radius === null || !near || !space || space.three || near.one.entity.space !== space) return null
    const shape = name === 'moore' ? 'moore' : name === 'von_neumann' ? 'vonNeumann' : 'round'
    const count =
      shape === 'moore' ? (2 * radius + 1) ** 2 - 1 : shape === 'vonNeumann' ? 2 * radius * (radius + 1) : Math.PI * radius * radius
    if (count > widest || (shape !== 'round' && !Number.isInteger(radius))) return null
    if (near.one.entity.kind !== 'cell' && space.topology !== 'discrete') return null
    return { space, shape, radius, near }
  }

  #cellsAround(of: EntityPart): Each | null {
    const around = this.#around(of)
    if (!around) return null
    const { space, shape, radius, near } = around
    return body => {
      const c = this.#int('c')
      return [
        ...near.before,
        ...this.#standing(near.one, c),
        ...this.#overSteps(space, shape, radius, c, at => body(this.#people.someone(of, at))),
      ]
    }
  }

  /** The cell somebody stands on, who has to stand somewhere. */
  #standing({ entity, slot }: Someone, c: Local): Stmt[] {
    if (entity.kind === 'cell') return [ir.set(c.name, slot)]
    const nowhere = ir.when(ir.binary('lt', c, ir.i32(0)), [this.#fail(10062)])
    return [ir.set(c.name, ir.load('i32', this.#people.bucketAddress(entity, slot))), nowhere]
  }

  /** Each neighbour of cell `c`, by the steps from it. */
  #overSteps(space: SpacePart, shape: string, radius: number, c: Local, body: (at: Local) => Stmt[]): Stmt[] {
    const { memory } = this.#people
    const path = `near ${space.index} ${shape} ${radius}`
    const [f, k, end, at] = [this.#int('f'), this.#int('k'), this.#int('e'), this.#int('c')]
    const step = (index: Expr): Expr => ir.load('i32', memory.element(`${path}.steps`, 'i32', index))
    return [
      ir.set(f.name, ir.load('u16', memory.element(`${path}.first`, 'u16', c))),
      ir.set(end.name, plus(ir.binary('add', f, step(f)), 1)),
      ...this.#counting(k, plus(f, 1), end, [ir.set(at.name, ir.binary('add', c, step(k))), ...body(at)]),
    ]
  }

  /** Cells around are told by their steps from the middle. */
  cell(): Nth | null {
    const { name, of } = this.#call
    if (name !== 'moore' && name !== 'von_neumann' && name !== 'neighbor_cells') return null
    const around = this.#around(of)
    if (!around) return null
    const { space, shape, radius, near } = around
    const path = `near ${space.index} ${shape} ${radius}`
    const { memory } = this.#people
    const [c, f] = [this.#int('c'), this.#int('f')]
    const step = (index: Expr): Expr => ir.load('i32', memory.element(`${path}.steps`, 'i32', index))
    const first = ir.load('u16', memory.element(`${path}.first`, 'u16', c))
    const before = [...near.before, ...this.#standing(near.one, c), ir.set(f.name, first)]
    return { before, count: step(f), slot: k => ir.binary('add', c, step(ir.binary('add', plus(f, 1), k))) }
  }

  #agentsOn(of: EntityPart): Each | null {
    const [given] = this.#call.args
    const { space } = of
    if (!space || space.three || of.kind !== 'agent' || of.derived.length > 0) return null
    if (!isListed(this.#people.world.checked, of)) return null
    const own = this.#people.self
    const cell = given ? this.#near(given) : own && this.#ownCell(own)
    if (!cell || cell.one.entity.kind !== 'cell' || cell.one.entity.space !== space) return null
    if (space.topology !== 'discrete') return this.#call.use ? this.#onOpenCell(of, space, cell) : null
    return body => {
      const [c, j] = [this.#int('c'), this.#int('j')]
      return [
        ...cell.before,
        ir.set(c.name, cell.one.slot),
        ir.when(ir.binary('lt', c, ir.i32(0)), [this.#fail(10014)]),
        ...this.#inBucket(of, c, j, body(this.#people.someone(of, j))),
      ]
    }
  }

  /** Those near the middle of a cell who stand on it. */
  #onOpenCell(of: EntityPart, space: SpacePart, cell: { before: readonly Stmt[]; one: Someone }): Each {
    return body => {
      const [c, j] = [this.#int('c'), this.#int('j')]
      const one = { ...cell.one, slot: c }
      const isOn = ir.binary('eq', this.#people.cellOf({ entity: of, slot: j, handle: j }), c)
      const middle: Middle = {
        before: [...cell.before, ir.set(c.name, cell.one.slot), ir.when(ir.binary('lt', c, ir.i32(0)), [this.#fail(10014)])],
        x: this.#people.builtin(one, 'x')!,
        y: this.#people.builtin(one, 'y')!,
        radius: ir.f64(Math.SQRT1_2),
      }
      const each = (inside: (found: Stmt[]) => Stmt[]): Stmt[] =>
        inside([ir.when(ir.not(isOn), [{ kind: 'break', label: skip }]), ...body(this.#people.someone(of, j))])
      return this.#within(of, space, middle, j, each)
    }
  }

  #ownCell(self: Someone): { before: readonly Stmt[]; one: Someone } | null {
    const cells = self.entity.space?.cells
    if (!cells) return null
    const slot = self.entity.kind === 'cell' ? self.slot : this.#people.cellOf(self)
    return { before: [], one: { entity: cells, slot, handle: slot } }
  }

  /** Who stands in a bucket. While no two stand in one nobody's successor is looked up. */
  #inBucket(of: EntityPart, bucket: Expr, j: Local, body: Stmt[]): Stmt[] {
    const r = this.#people.memory.residents(of)
    const head = ir.load('i32', ir.binary('add', ir.load('i32', ir.i32(r + spaces.HEADS)), ir.binary('shl', bucket, ir.i32(2))))
    const next = ir.load('i32', ir.binary('add', ir.load('i32', ir.i32(r + spaces.NEXT)), ir.binary('shl', j, ir.i32(2))))
    return this.#along(j, head, next, body)
  }

  // --- neighbours

  #neighbors(of: EntityPart): Each | null {
    const { args } = this.#call
    const near = this.#near(args[2])
    const { space } = of
    if (!near || !space || space.three || near.one.entity.space !== space || of.kind !== 'agent' || near.one.entity.kind !== 'agent')
      return null
    if (!isListed(this.#people.world.checked, of) || of.derived.length > 0) return null
    const radius = args[0] ? constantIndex(args[0]) : 1
    const other = (j: Local, me: Local, body: Stmt[]): Stmt[] =>
      near.one.entity === of ? [ir.when(ir.binary('eq', j, me), [{ kind: 'break', label: skip }]), ...body] : body
    if (space.topology === 'discrete') {
      if (radius === null || Math.PI * radius * radius > widest) return null
      return body => {
        const [c, me, j] = [this.#int('c'), this.#int('me'), this.#int('j')]
        const each = (): Stmt[] => other(j, me, body(this.#people.someone(of, j)))
        return [
          ...near.before,
          ir.set(me.name, near.one.slot),
          ...this.#standing({ ...near.one, slot: me }, c),
          ...this.#inBucket(of, c, j, each()),
          ...this.#overSteps(space, 'round', radius, c, at => this.#inBucket(of, at, j, each())),
        ]
      }
    }
    return body => {
      const [me, j] = [this.#int('me'), this.#int('j')]
      const one = { ...near.one, slot: me }
      const middle: Middle = {
        before: [...near.before, ir.set(me.name, near.one.slot)],
        x: this.#people.builtin(one, 'x')!,
        y: this.#people.builtin(one, 'y')!,
        radius: args[0] ? this.#e.real(args[0]) : ir.f64(1),
        bucket: ir.load('i32', this.#people.bucketAddress(one.entity, me)),
      }
      return this.#within(of, space, middle, j, inside => other(j, me, inside(body(this.#people.someone(of, j)))))
    }
  }

  /** Others within a radius, nearest first: they are listed before the first is visited. */
  #nearestFirst(of: EntityPart): Each | null {
    const { args, span } = this.#call
    const { memory, self, world } = this.#people
    const { space } = of
    if (args[2] || !self || !space || space.three || self.entity.space !== space || of.kind !== 'agent') return null
    if (!isListed(world.checked, of) || of.derived.length > 0) return null
    return body => {
      const [me, k, j, from] = [this.#int('me'), this.#int('k'), this.#int('j'), this.#int('first')]
      const one = { ...self, slot: me }
      const list = memory.list()
      const top: Expr = ir.load('i32', ir.i32(list + choices.TOP_ENTRY))
      const nowhere: Stmt = { kind: 'fail', place: memory.place({ code: 10062, ...this.#people.where, from: span.from, to: span.to }) }
      const ids = ir.load('i32', ir.i32(memory.population(of) + pops.IDS))
      const radius = this.#real('r')
      const found = ir.call(
        'gatherNear',
        'i32',
        ...[list, memory.residents(of), memory.space(space)].map(ir.i32),
        ids,
        ...['x', 'y'].map(name => this.#people.builtin(one, name)!),
        radius,
        ir.i32(space.wrapX ? 1 : 0),
        ir.i32(space.wrapY ? 1 : 0),
        self.entity === of ? me : ir.i32(-1),
      )
      const isPlaced = self.entity.kind === 'cell' ? [] : [ir.when(ir.binary('lt', this.#people.bucket(one), ir.i32(0)), [nowhere])]
      const label = this.#label()
      const next = this.#label()
      const entry = ir.binary('add', ir.load('i32', ir.i32(list + choices.ENTRIES)), ir.binary('shl', k, ir.i32(3)))
      const end = this.#int('e')
      const round: Stmt[] = [
        ir.when(ir.binary('ge', k, end), [{ kind: 'break', label }]),
        ir.set(j.name, ir.load('i32', entry, 8)),
        { kind: 'block', label: next, body: body(this.#people.someone(of, j)).flatMap(s => skipping(s, next)) },
        ir.set(k.name, plus(k, 2)),
      ]
      return [
        ir.set(radius.name, args[0] ? this.#e.real(args[0]) : ir.f64(1)),
        ...(this.#e.f.mayCreate ? this.#there(self, true) : []),
        ir.set(me.name, self.slot),
        ...isPlaced,
        ir.set(from.name, found),
        ir.set(k.name, from),
        ir.set(end.name, top),
        { kind: 'loop', label, body: round },
        ...(this.#e.lists.isLasting(span) ? [] : [ir.store('i32', ir.i32(list + choices.TOP_ENTRY), 0, from)]),
      ]
    }
  }

  /** Others within a radius of an open space, bucket by bucket, with the shift of a border that wraps. */
  #within(of: EntityPart, space: SpacePart, middle: Middle, j: Local, each: (inside: (body: Stmt[]) => Stmt[]) => Stmt[]): Stmt[] {
    const { memory } = this.#people
    const s = memory.space(space)
    const number = (offset: number): Expr => ir.load('f64', ir.i32(s + offset))
    const [radius, square, x, y] = [this.#real('r'), this.#real('q'), this.#real('x'), this.#real('y')]
    const out = this.#label()
    const axis = (at: Local, isX: boolean): Axis => ({
      at,
      low: number(isX ? spaces.LOW_X : spaces.LOW_Y),
      side: number(isX ? spaces.SIDE_X : spaces.SIDE_Y),
      size: number(isX ? spaces.WIDTH : spaces.HEIGHT),
      count: ir.load('i32', ir.i32(s + (isX ? spaces.BUCKET_COLUMNS : spaces.BUCKET_ROWS))),
      wraps: isX ? space.wrapX : space.wrapY,
    })
    const [ax, ay] = [this.#axis(axis(x, true), radius), this.#axis(axis(y, false), radius)]
    const columns = ir.load('i32', ir.i32(s + spaces.BUCKET_COLUMNS))
    const place = (slot: Local, name: 'x' | 'y'): Expr => this.#people.builtin({ entity: of, slot, handle: slot }, name)!
    const found = (dx: Expr, dy: Expr): ((body: Stmt[]) => Stmt[]) => {
      const [ex, ey] = [this.#real('ex'), this.#real('ey')]
      const far = ir.binary('add', ir.binary('mul', ex, ex), ir.binary('mul', ey, ey))
      return body => [
        ir.set(ex.name, dx),
        ir.set(ey.name, dy),
        ir.when(ir.not(ir.binary('le', far, square)), [{ kind: 'break', label: skip }]),
        ...body,
      ]
    }
    // With few buckets an individual may be within the radius on both sides of a wrapped space: the shorter distance counts.
    const isFew = [ax.isAll, ay.isAll].filter(one_ => one_ !== null).reduce<Expr>((a, b) => ir.binary('or', a, b), ir.i32(0))
    const shortest = (d: Expr, isX: boolean): Expr => {
      if (!(isX ? space.wrapX : space.wrapY)) return d
      const kept = this.#real('d')
      const size = number(isX ? spaces.WIDTH : spaces.HEIGHT)
      const half = ir.binary('div', size, ir.f64(2))
      const less = ir.cond(ir.binary('lt', kept, ir.unary('neg', half)), ir.binary('add', kept, size), kept)
      return ir.seq([ir.set(kept.name, d)], ir.cond(ir.binary('gt', kept, half), ir.binary('sub', kept, size), less))
    }
    const bucket = (by: Expr, bx: Expr): Expr => ir.binary('add', ir.binary('mul', by, columns), bx)
    const rare = (): Stmt[] =>
      ay.shifted(by =>
        ax.shifted(bx =>
          this.#inBucket(
            of,
            bucket(by, bx),
            j,
            each(found(shortest(ir.binary('sub', place(j, 'x'), x), true), shortest(ir.binary('sub', place(j, 'y'), y), false))),
          ),
        ),
      )
    const usual = (): Stmt[] =>
      ay.shifted((by, oy) =>
        ax.shifted((bx, ox) =>
          this.#inBucket(of, bucket(by, bx), j, each(found(ir.binary('sub', place(j, 'x'), ox), ir.binary('sub', place(j, 'y'), oy)))),
        ),
      )
    const isNothing: Stmt[] =
      middle.radius.kind !== 'const' ? [ir.when(ir.not(ir.binary('ge', radius, ir.f64(0))), [{ kind: 'break', label: out }])] : []
    const { bucket: own } = middle
    const nowhere: Stmt[] = own ? [ir.when(ir.binary('lt', own, ir.i32(0)), [this.#fail(10062)])] : []
    return [
      {
        kind: 'block',
        label: out,
        body: [
          ...middle.before,
          ir.set(radius.name, middle.radius),
          ir.set(square.name, ir.binary('mul', radius, radius)),
          ir.set(x.name, middle.x),
          ir.set(y.name, middle.y),
          ...nowhere,
          ...isNothing,
          ...ax.open,
          ...ay.open,
          ...(space.wrapX || space.wrapY ? [ir.when(isFew, rare(), usual())] : usual()),
        ],
      },
    ]
  }

  /** The buckets along an axis, each with the position as seen from it. */
  #axis({ at, low, side, size, count, wraps }: Axis, radius: Local) {
    const [first, last, b, kept] = [this.#int('f'), this.#int('l'), this.#int('b'), this.#int('n')]
    const [from, to, shifted] = [this.#real('f'), this.#real('l'), this.#real('o')]
    const all = wraps ? this.#int('all') : null
    const bucketOf = (edge: Expr): Expr => ir.unary('floor', ir.binary('div', ir.binary('sub', edge, low), side))
    const whole: Stmt[] = all
      ? [
          ir.set(all.name, ir.binary('ge', ir.binary('sub', to, from), ir.unary('toF', count))),
          ir.when(all, [ir.set(from.name, ir.f64(0)), ir.set(to.name, ir.unary('toF', ir.binary('sub', count, ir.i32(1))))]),
        ]
      : [
          ir.when(ir.binary('lt', from, ir.f64(0)), [ir.set(from.name, ir.f64(0))]),
          ir.when(ir.binary('ge', to, ir.unary('toF', count)), [ir.set(to.name, ir.unary('toF', ir.binary('sub', count, ir.i32(1))))]),
        ]
    const each = (body: Stmt[]): Stmt[] => [ir.set(kept.name, plus(last, 1)), ...this.#counting(b, first, kept, body)]
    return {
      isAll: all,
      open: [
        ir.set(from.name, bucketOf(ir.binary('sub', at, radius))),
        ir.set(to.name, bucketOf(ir.binary('add', at, radius))),
        ...whole,
        ir.set(first.name, ir.unary('toI', from)),
        ir.set(last.name, ir.unary('toI', to)),
      ] as Stmt[],
      shifted: (body: (bucket: Expr, position: Expr) => Stmt[]): Stmt[] => {
        if (!wraps) return each(body(b, at))
        const inside = this.#int('b')
        return each([
          ir.set(inside.name, b),
          ir.set(shifted.name, at),
          ir.when(
            ir.binary('lt', inside, ir.i32(0)),
            [ir.set(inside.name, ir.binary('add', inside, count)), ir.set(shifted.name, ir.binary('add', at, size))],
            [
              ir.when(ir.binary('ge', inside, count), [
                ir.set(inside.name, ir.binary('sub', inside, count)),
                ir.set(shifted.name, ir.binary('sub', at, size)),
              ]),
            ],
          ),
          ...body(inside, shifted),
        ])
      },
    }
  }

  // --- links

  /** The population of links that an argument names. */
  #links(): EntityPart | undefined {
    const [given] = this.#call.args
    const type = given ? this.#e.typeOf(given) : undefined
    return type?.is === 'observer' ? this.#people.entity(type.of) : undefined
  }

  /** Nodes one link away, in the order of their links; each once. */
  #relatives(of: EntityPart): Each | null {
    const [, radius, weight, node] = this.#call.args
    const links = this.#links()
    const near = this.#near(node)
    if (!links || !near || (radius && constantIndex(radius) !== 1)) return null
    if (weight && !(weight.is === 'constant' && weight.value === false)) return null
    if (links.source !== of || links.target !== of || near.one.entity !== of || of.derived.length > 0) return null
    const mayRepeat = links.element.fields['repeatable'] === true
    if (links.element.fields['directed'] === true) return this.#bothWays(links, of, near, mayRepeat)
    return body => {
      const [me, k, end, j] = [this.#int('me'), this.#int('k'), this.#int('e'), this.#int('j')]
      const { memory } = this.#people
      const entry = this.#isMine(near.one) && !mayRepeat ? { links, address: memory.element(`L${links.index}.nodeAt`, 'i32', k) } : null
      const nodes = `ln${links.index}`
      const ofMe = (name: string): Expr => ir.load('i32', memory.element(`${nodes}.${name}`, 'i32', me))
      const other = ir.load('i32', memory.element(`L${links.index}.nodeAt`, 'i32', k))
      const visit = (before: Stmt[]): Stmt[] => [
        ir.set(k.name, ofMe('outStart')),
        ir.set(end.name, ir.binary('add', k, ofMe('outCount'))),
        ...this.#counting(k, k, end, [
          ir.set(j.name, other),
          ...before,
          ...body({ ...this.#people.someone(of, j), ...(entry && { entry }) }),
        ]),
      ]
      const head = [...near.before, ir.set(me.name, near.one.slot)]
      const isMe: Stmt = ir.when(ir.binary('eq', j, me), [{ kind: 'break', label: skip }])
      if (!mayRepeat) return [...head, ...visit(links.element.fields['selfLinks'] === true ? [isMe] : [])]
      return [...head, ...this.#once(links, me, k, end, ofMe, other, visit, j)]
    }
  }

  /** Whether what is found around somebody is around who acts, and stays so. */
  #isMine(one: Someone): boolean {
    return one === this.#people.self && !this.#e.f.mayCreate
  }

  /** Nodes that links of a directed network lead to, then those they come from; each once, who asks excepted. */
  #bothWays(links: EntityPart, of: EntityPart, near: { before: readonly Stmt[]; one: Someone }, mayRepeat: boolean): Each {
    const { memory } = this.#people
    return body => {
      const [me, j, first, last] = [this.#int('me'), this.#int('j'), this.#int('f'), this.#int('l')]
      const ofMe = (name: string): Expr => ir.load('i32', memory.element(`ln${links.index}.${name}`, 'i32', me))
      const nodeAt = (): Expr => memory.array(`L${links.index}.nodeAt`)
      const among = (from: Expr, to: Expr): Expr => ir.call('isAmong', 'i32', nodeAt(), from, to, j)
      const way = (side: 'out' | 'in', from: Local, seen: (k: Local) => Expr[]): Stmt[] => {
        const [k, end] = [this.#int('k'), this.#int('e')]
        const isSkipped = [ir.binary('eq', j, me), ...seen(k)].reduce((a, b) => ir.binary('lor', a, b))
        return [
          ir.set(from.name, ofMe(`${side}Start`)),
          ir.set(end.name, ir.binary('add', from, ofMe(`${side}Count`))),
          ...(side === 'out' ? [ir.set(last.name, end)] : []),
          ...this.#counting(k, from, end, [
            ir.set(j.name, ir.load('i32', memory.element(`L${links.index}.nodeAt`, 'i32', k))),
            ir.when(isSkipped, [{ kind: 'break', label: skip }]),
            ...body(this.#people.someone(of, j)),
          ]),
        ]
      }
      const back = this.#int('f')
      return [
        ...near.before,
        ir.set(me.name, near.one.slot),
        ...way('out', first, k => (mayRepeat ? [among(first, k)] : [])),
        ...way('in', back, k => [among(first, last), ...(mayRepeat ? [among(back, k)] : [])]),
      ]
    }
  }

  /** Relatives stand in a row where each is linked once, and to others. */
  row(): Row | null {
    const { name, of, args } = this.#call
    const links = this.#links()
    const near = name === 'relatives' ? this.#near(args[3]) : null
    if (!links || !near || this.#relatives(of) === null) return null
    if (['repeatable', 'selfLinks', 'directed'].some(name => links.element.fields[name] === true)) return null
    const { memory } = this.#people
    const me = this.#int('me')
    const ofMe = (column: string): Expr => ir.load('i32', memory.element(`ln${links.index}.${column}`, 'i32', me))
    const before = [...near.before, ir.set(me.name, near.one.slot)]
    return {
      before,
      first: memory.element(`L${links.index}.nodeAt`, 'i32', ofMe('outStart')),
      count: ofMe('outCount'),
      links: this.#isMine(near.one) ? links : null,
    }
  }

  /** Links side by side lead to a node that was visited already: whether a node has such is found out once. */
  #once(
    links: EntityPart,
    me: Local,
    k: Local,
    end: Local,
    ofMe: (name: string) => Expr,
    other: Expr,
    visit: (before: Stmt[]) => Stmt[],
    j: Local,
  ): Stmt[] {
    const { memory } = this.#people
    const nodes = `ln${links.index}`
    const [twice, stamp] = [this.#int('twice'), this.#int('stamp')]
    const at = memory.numberAt(`${nodes}.stamp`, 'i32', true)
    const newStamp: Stmt[] = [ir.set(stamp.name, plus(ir.load('i32', ir.i32(at)), 1)), ir.store('i32', ir.i32(at), 0, stamp)]
    const mark = (node: Expr): Expr => memory.element(`${nodes}.marks`, 'i32', node, true)
    const simple = memory.element(`${nodes}.simple`, 'u8', me, true)
    const look: Stmt[] = [
      ...newStamp,
      ir.set(twice.name, ir.i32(1)),
      ir.store('i32', mark(me), 0, stamp),
      ir.set(k.name, ofMe('outStart')),
      ir.set(end.name, ir.binary('add', k, ofMe('outCount'))),
      ...this.#counting(k, k, end, [
        ir.set(j.name, other),
        ir.when(ir.binary('eq', ir.load('i32', mark(j)), stamp), [ir.set(twice.name, ir.i32(2))]),
        ir.store('i32', mark(j), 0, stamp),
      ]),
      ir.store('u8', simple, 0, twice),
    ]
    // Those before are gone through, not marked: the body may go through relatives of others, who would mark theirs.
    const first = ofMe('outStart')
    const isSeen = ir.call('isAmong', 'i32', memory.array(`L${links.index}.nodeAt`), first, k, j)
    const seen: Stmt = ir.when(twice, [ir.when(ir.binary('lor', ir.binary('eq', j, me), isSeen), [{ kind: 'break', label: skip }])])
    return [
      ir.when(ir.not(ir.load('u8', simple)), look),
      ir.set(twice.name, ir.binary('ne', ir.load('u8', simple), ir.i32(1))),
      ...visit([seen]),
    ]
  }

  /** Links of a node stand in one row or, where they have a direction, in two; a link to itself stands in both. */
  link(): Nth | null {
    const { name, of, args } = this.#call
    const near = name === 'links_of' ? this.#near(args[1]) : null
    const isDirected = of.element.fields['directed'] === true
    if (!near || this.#linksOf(of) === null || (isDirected && of.element.fields['selfLinks'] === true)) return null
    const { memory } = this.#people
    const nodes = `ln${of.index} ${near.one.entity.index}`
    const me = this.#int('me')
    const ofMe = (column: string): Expr => ir.load('i32', memory.element(`${nodes}.${column}`, 'i32', me))
    const out = ofMe('outCount')
    const at = (k: Expr): Expr => {
      const forth = ir.binary('add', ofMe('outStart'), k)
      const back = (): Expr => ir.binary('add', ofMe('inStart'), ir.binary('sub', k, out))
      return isDirected ? ir.cond(ir.binary('lt', k, out), forth, back()) : forth
    }
    return {
      before: [...near.before, ir.set(me.name, near.one.slot)],
      count: isDirected ? ir.binary('add', out, ofMe('inCount')) : out,
      slot: k => ir.load('i32', memory.element(`L${of.index}.linkAt`, 'i32', at(k))),
    }
  }

  /** Links of a node, oldest first: those that leave it, then of a directed network those that come; a link to itself once. */
  #linksOf(of: EntityPart): Each | null {
    const near = this.#near(this.#call.args[1])
    if (!near || of.kind !== 'link' || near.one.entity.derived.length > 0 || of.derived.length > 0) return null
    if (of.source !== near.one.entity && of.target !== near.one.entity) return null
    const isDirected = of.element.fields['directed'] === true
    const { memory } = this.#people
    const nodes = `ln${of.index} ${near.one.entity.index}`
    return body => {
      const [me, j] = [this.#int('me'), this.#int('j')]
      const ofMe = (name: string): Expr => ir.load('i32', memory.element(`${nodes}.${name}`, 'i32', me))
      const side = (name: 'out' | 'in', before: Stmt[]): Stmt[] => {
        const [k, end] = [this.#int('k'), this.#int('e')]
        return [
          ir.set(k.name, ofMe(`${name}Start`)),
          ir.set(end.name, ir.binary('add', k, ofMe(`${name}Count`))),
          ...this.#counting(k, k, end, [
            ir.set(j.name, ir.load('i32', memory.element(`L${of.index}.linkAt`, 'i32', k))),
            ...before,
            ...body(this.#people.someone(of, j)),
          ]),
        ]
      }
      const source = ir.load('i32', memory.element(`L${of.index}.source`, 'i32', j))
      const population = ir.load('i32', memory.element(`L${of.index}.sourcePopulation`, 'i32', j))
      const isOwn = ir.binary('and', ir.binary('eq', source, me), ir.binary('eq', population, ir.i32(near.one.entity.index)))
      const twice: Stmt = ir.when(isOwn, [{ kind: 'break', label: skip }])
      return [...near.before, ir.set(me.name, near.one.slot), ...side('out', []), ...(isDirected ? side('in', [twice]) : [])]
    }
  }
}

/** What is looked around: its place, how far, and of an individual the bucket it stands in. */
type Middle = {
  readonly before: readonly Stmt[]
  readonly x: Expr
  readonly y: Expr
  readonly radius: Expr
  readonly bucket?: Expr
}

type Axis = {
  readonly at: Local
  readonly low: Expr
  readonly side: Expr
  readonly size: Expr
  readonly count: Expr
  readonly wraps: boolean
}

function inRow({ before, first, count, links }: Row): Nth {
  const address = (k: Expr): Expr => ir.binary('add', first, ir.binary('shl', k, ir.i32(2)))
  return { before, count, slot: k => ir.load('i32', address(k)), entry: k => links && { links, address: address(k) } }
}

const plus = (e: Expr, by: number): Expr => ir.binary('add', e, ir.i32(by))

/** Stands for the label behind the body of the innermost loop, until it is known. */
const skip = '#next'

/** Ways on to the next round, as the label that is there. */
function skipping(s: Stmt, next: string): readonly Stmt[] {
  return ir.mapStmt(s, {
    expr: e => e,
    stmt: one => [one.kind === 'break' && one.label === skip ? { kind: 'break', label: next } : one],
  })
}
