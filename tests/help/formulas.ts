// Runs formulas in a small world: agents 1 to 4 of Wolf at (0, 0), (1, 0), (0, 2), (5, 5), each with an energy of ten
// times its number; cells of an 11 x 11 space; links 1-2 and 2-3 of Knows. The asker is wolf 1.
import type { FormulaContext } from '../../model-schema/kinds/kind.ts'
import type { EmitTarget, FormulaProblem, Inferred, Scope, Symbol, Type } from '../../sim-engine/formula.ts'
import { createRuntime, emitExpression, emitProgram, inferFormula, parseFormula, Ref } from '../../sim-engine/formula.ts'
import { FormulaDict } from '../../sim-engine/formula/runtime/values.ts'
import type { Entities, World } from '../../sim-engine/formula.ts'
import { represent } from '../../sim-engine/formula/runtime/show.ts'
import { stream } from '../../sim-engine/kernel/random.ts'
import { RunError } from '../../sim-engine/problems.ts'
import { english, say } from '../../model-schema/words.ts'

type Population = { id: string; name: string; alive: boolean[]; refs: Map<number, Ref> }

const entity = (of: string | null, sure = false): Type => (sure ? { is: 'entity', of, sure } : { is: 'entity', of })

export class SmallWorld implements World {
  readonly populations: Record<string, Population> = {
    wolf: { id: 'wolf', name: 'Wolf', alive: [true, true, true, true], refs: new Map() },
    sheep: { id: 'sheep', name: 'Sheep', alive: [true, true], refs: new Map() },
    cell: { id: 'cell', name: 'Cell', alive: Array.from({ length: 121 }, () => true), refs: new Map() },
    knows: { id: 'knows', name: 'Knows', alive: [true, true], refs: new Map() },
  }
  readonly x = [0, 1, 0, 5]
  readonly y = [0, 0, 2, 5]
  readonly energy = [10, 20, 30, 40]
  readonly happy = [true, false, true, false]
  readonly friend = [-1, 0, -1, -1]
  readonly ends: [number, number][] = [
    [0, 1],
    [1, 2],
  ]
  readonly printed: string[] = []

  of(id: string): Population {
    return this.populations[id]!
  }
  ref(population: Population, handle: number): Ref | null {
    if (handle < 0) return null
    let found = population.refs.get(handle)
    if (!found) population.refs.set(handle, (found = new Ref(population, handle)))
    return found
  }
  handle(population: Population, value: unknown, from: number, to: number): number {
    if (value === null) return -1
    if (!(value instanceof Ref)) throw new RunError(10012, [], from, to)
    if (value.population !== population) throw new RunError(10055, [], from, to)
    return value.handle
  }
  live(population: Population, handle: number, from: number, to: number): number {
    if (handle < 0) throw new RunError(10014, [], from, to)
    if (!population.alive[handle]) throw new RunError(10053, [], from, to)
    return handle
  }
  get(of: unknown, name: string, from: number, to: number): unknown {
    if (of instanceof Ref && of.population.id === 'wolf') {
      this.live(this.of('wolf'), of.handle, from, to)
      if (name === 'energy') return this.energy[of.handle]
      if (name === 'x') return this.x[of.handle]
    }
    throw new RunError(10031, [], from, to)
  }
  setOwn(of: unknown, name: string, value: unknown, from: number, to: number): void {
    this.set(of, name, value, from, to)
  }
  set(of: unknown, name: string, value: unknown, from: number, to: number): void {
    if (!(of instanceof Ref) || name !== 'energy' || typeof value !== 'number') throw new RunError(10033, [], from, to)
    this.energy[of.handle] = value
  }
  individuals(population: Population): number[] {
    return population.alive.flatMap((alive, i) => (alive ? [i] : []))
  }
  print(line: string): void {
    this.printed.push(line)
  }
  now(): never {
    throw new RunError(10013)
  }
  #place(population: Population, handle: number): [number, number] {
    return population.id === 'cell' ? [(handle % 11) - 5, Math.floor(handle / 11) - 5] : [this.x[handle] ?? 0, this.y[handle] ?? 0]
  }
  distance(a: Population, ha: number, b: Population, hb: number): number {
    const [bx, by] = this.#place(b, hb)
    return this.distance_xy(bx, by, a, ha)
  }
  distance_xy(x: number, y: number, b: Population, hb: number): number {
    const [bx, by] = this.#place(b, hb)
    return Math.hypot(x - bx, y - by)
  }
  direction_to(a: Population, ha: number, b: Population, hb: number): number {
    const [ax, ay] = this.#place(a, ha)
    return this.direction_xy(ax, ay, b, hb)
  }
  direction_xy(x: number, y: number, b: Population, hb: number): number {
    const [bx, by] = this.#place(b, hb)
    return ((Math.atan2(y - by, x - bx) * 180) / Math.PI + 360) % 360
  }
  #near(radius: number, of: Population, own: Population, self: number): number[] {
    const [x, y] = this.#place(own, self)
    const far = (handle: number): number => this.distance_xy(x, y, of, handle)
    return this.individuals(of)
      .filter(handle => (of !== own || handle !== self) && far(handle) <= radius)
      .sort((a, b) => far(a) - far(b) || a - b)
  }
  neighbors(radius: number, of: Population | null, own: Population, self: number): Entities {
    return this.#near(radius, of ?? this.of('wolf'), own, self)
  }
  neighbor_cells(radius: number, own: Population, self: number): Entities {
    const [x, y] = this.#place(own, self)
    return this.#near(radius, this.of('cell'), own, self).filter(cell => this.distance_xy(x, y, this.of('cell'), cell) > 0)
  }
  #cells(own: Population, self: number, near: (dx: number, dy: number) => number, radius: number): number[] {
    const [x, y] = this.#place(own, self)
    return this.individuals(this.of('cell')).filter(cell => {
      const [cx, cy] = this.#place(this.of('cell'), cell)
      const far = near(Math.abs(cx - x), Math.abs(cy - y))
      return far > 0 && far <= radius
    })
  }
  moore(radius: number, own: Population, self: number): Entities {
    return this.#cells(own, self, Math.max, radius)
  }
  von_neumann(radius: number, own: Population, self: number): Entities {
    return this.#cells(own, self, (dx, dy) => dx + dy, radius)
  }
  cell_at(x: number, y: number, _z: number, from: number, to: number): number {
    if (Math.abs(x) > 5.5 || Math.abs(y) > 5.5) throw new RunError(10060, [], from, to)
    return (Math.floor(y + 0.5) + 5) * 11 + Math.floor(x + 0.5) + 5
  }
  agents_on(_cells: Population, cell: number): Entities {
    const [x, y] = this.#place(this.of('cell'), cell)
    return this.individuals(this.of('wolf')).filter(wolf => this.x[wolf] === x && this.y[wolf] === y)
  }
  relatives(_links: Population, radius: number, _weight: boolean, _own: Population, self: number): Entities {
    const found: number[] = []
    let edge = [self]
    for (let step = 0; step < radius; step++) {
      edge = edge
        .flatMap(node => this.ends.flatMap(([a, b]) => (a === node ? [b] : b === node ? [a] : [])))
        .filter(node => node !== self && !found.includes(node))
      found.push(...edge)
    }
    return found
  }
  predecessors(links: Population, own: Population, self: number): Entities {
    return this.relatives(links, 1, false, own, self)
  }
  successors(links: Population, own: Population, self: number): Entities {
    return this.relatives(links, 1, false, own, self)
  }
  links_of(_links: Population, _own: Population, self: number): Entities {
    return this.ends.flatMap((ends, i) => (ends.includes(self) ? [i] : []))
  }
  link_between(_links: Population, _a: Population, ha: number, _b: Population, hb: number): number {
    return this.ends.findIndex(ends => ends.includes(ha) && ends.includes(hb))
  }
  degree(links: Population, own: Population, self: number): number {
    return this.links_of(links, own, self).length
  }
  shortest_path(_links: Population, _target: Population, handle: number, _source: Population, self: number): Entities {
    return self === handle ? [self] : Array.from({ length: Math.abs(handle - self) + 1 }, (_, i) => Math.min(self, handle) + i)
  }
  components(): Ref[][] {
    return [[0, 1, 2], [3]].map(group => group.map(handle => this.ref(this.of('wolf'), handle)!))
  }
  clustering(): number {
    return 0
  }
  connect(_links: Population, _a: Population, ha: number, _b: Population, hb: number): number {
    return this.ends.push([hb, ha]) - 1
  }
  remove_node(): void {}
  create(population: Population): number {
    const handle = population.alive.push(true) - 1
    if (population.id === 'wolf') {
      this.energy[handle] = 1
      this.x[handle] = 0
      this.y[handle] = 0
      this.happy[handle] = false
      this.friend[handle] = -1
    }
    return handle
  }
  die(population: Population, handle: number, from: number, to: number): void {
    this.live(population, handle, from, to)
    population.alive[handle] = false
  }
  is_alive(population: Population, handle: number): boolean {
    return handle >= 0 && population.alive[handle] === true
  }
}

/** The model's variables, as generated code sees them: `G`. */
export type Variables = Record<string, unknown>

const property = (name: string, type: Type, isPublic: boolean): Symbol => ({
  name,
  kind: 'variable',
  type,
  id: `wolf-${name}`,
  read: self => `W.${name}[${self}]`,
  ...(isPublic
    ? { write: (self: string, value: string) => `W.${name}[${self}] = ${value};` }
    : { readOnlyBecause: say('it is not public') }),
})
const variable = (name: string, type: Type): Symbol => ({
  name,
  kind: 'variable',
  type,
  id: name,
  read: () => `G.${name}`,
  write: (_self, value) => `G.${name} = ${value};`,
})
const fixed = (name: string, kind: Symbol['kind'], type: Type, js: string): Symbol => ({
  name,
  kind,
  type,
  id: name,
  read: () => js,
  readOnlyBecause: say('it is given'),
})

const number: Type = { is: 'number' }
const wolves: Type = { is: 'observer', of: 'wolf' }

const ofWolf: readonly Symbol[] = [
  property('energy', number, true),
  property('happy', { is: 'bool' }, true),
  property('x', number, false),
  property('y', number, false),
  property('friend', entity('wolf'), true),
]
const ofWolves: readonly Symbol[] = [
  fixed('count', 'builtin', number, 'W.individuals(P.wolf).length'),
  { name: 'individuals', kind: 'builtin', type: { is: 'entities', of: 'wolf' }, read: () => 'W.individuals(P.wolf)' },
]
const names: readonly Symbol[] = [
  fixed('self', 'builtin', entity('wolf', true), 'self'),
  fixed('cell', 'builtin', entity('cell', true), '60'),
  fixed('tick', 'builtin', number, 'G.tick'),
  ...ofWolf,
  fixed('Wolf', 'population', wolves, 'P.wolf'),
  fixed('Sheep', 'population', { is: 'observer', of: 'sheep' }, 'P.sheep'),
  fixed('Knows', 'population', { is: 'observer', of: 'knows' }, 'P.knows'),
  variable('total', number),
  variable('flag', { is: 'bool' }),
  variable('label', { is: 'text' }),
  variable('thing', { is: 'any' }),
  variable('scores', { is: 'list', of: number }),
  variable('pack', { is: 'list', of: entity('wolf') }),
  variable('stock', { is: 'dict', key: { is: 'text' }, value: number }),
  variable('leader', entity('wolf')),
  variable('anyone', entity(null)),
  {
    name: 'double',
    kind: 'function',
    type: {
      is: 'function',
      params: [
        { name: 'a', type: number },
        { name: 'times', type: number, optional: true },
      ],
      result: number,
    },
    read: () => 'G.double',
    call: (_self, args) => `G.double(${args.join(', ')})`,
  },
  {
    name: 'deposit',
    kind: 'function',
    type: { is: 'function', params: [{ name: 'a', type: number }], result: { is: 'none' } },
    effects: { writes: true },
    read: () => 'G.deposit',
    call: (_self, args) => `G.deposit(${args.join(', ')})`,
  },
]

export const scope: Scope = {
  find: name => names.find(symbol => symbol.name === name),
  member: (of, name) => [...scope.members(of)].find(symbol => symbol.name === name),
  names: () => names,
  cellsOf: () => 'cell',
  members: of =>
    of.is === 'entity' && of.of === 'wolf'
      ? ofWolf
      : of.is === 'observer' && of.of === 'wolf'
        ? ofWolves
        : of.is === 'observer' && of.of === 'knows'
          ? [{ name: 'nodes', kind: 'builtin', type: { is: 'entities', of: 'wolf' }, read: () => 'W.individuals(P.wolf)' }]
          : [],
}

/** Nothing but the language itself. */
export const bare: Scope = { find: () => undefined, member: () => undefined, names: () => [], members: () => [] }

export type Ran = { value: unknown; text: string; js: string; world: SmallWorld; variables: Variables }

export function check(source: string, context: FormulaContext = 'expression', names: Scope = scope, expects?: Type): Inferred {
  return inferFormula(parseFormula(source, context), names, expects)
}

/** The generated code of a formula without problems, as the body of a function of F, W, G, P, S and self. */
export function generate(f: Inferred, more: Partial<EmitTarget> = {}): string {
  let n = 0
  const declared: string[] = []
  const target: EmitTarget = {
    self: 'self',
    stream: 'S',
    captured: ['self'],
    fresh: prefix => `${prefix}${n++}`,
    declare: js => void declared.push(js),
    population: id => (id === null ? 'null' : `P.${id}`),
    ...more,
  }
  const isExpression = f.parsed.context === 'expression' || f.parsed.context === 'condition'
  const body = isExpression ? `return ${emitExpression(f, target)};` : emitProgram(f, target)
  return `${declared.join('\n')}\nfunction main(self) {\n${body}}\nreturn main(self);`
}

/** Runs a formula. Throws RunError as generated code does, Error when the checker finds problems. */
export function run(
  source: string,
  context: FormulaContext = 'expression',
  options: { scope?: Scope; expects?: Type; variables?: Variables; world?: SmallWorld; seed?: number; target?: Partial<EmitTarget> } = {},
): Ran {
  const f = check(source, context, options.scope, options.expects)
  if (f.problems.length > 0) throw new Error(problemText(f.problems[0]!))
  const js = generate(f, options.target)
  const world = options.world ?? new SmallWorld()
  const variables: Variables = {
    tick: 3,
    total: 0,
    flag: false,
    label: 'a',
    thing: null,
    scores: [1, 2, 3],
    pack: [],
    stock: new FormulaDict(),
    leader: 1,
    anyone: null,
    double: (a: number, times = 2) => a * times,
    deposit: (a: number) => void (variables['total'] = a),
    ...options.variables,
  }
  const value: unknown = new Function('F', 'W', 'G', 'P', 'S', 'self', `'use strict';\n${js}`)(
    createRuntime(world),
    world,
    variables,
    world.populations,
    stream(options.seed ?? 1, 0, 'test'),
    0,
  )
  return { value, text: represent(value), js, world, variables }
}

/** What a formula gives, as the case files write it: a value, `ERROR kind from-to` or `ERROR code from-to`. */
export function outcome(source: string, context: FormulaContext = 'expression', names: Scope = scope): string {
  const f = check(source, context, names)
  if (f.problems.length > 0) return problemText(f.problems[0]!)
  try {
    return run(source, context, { scope: names }).text
  } catch (error) {
    if (error instanceof RunError) return `ERROR ${error.code} ${error.from}-${error.to}`
    throw error
  }
}

export const problemText = (found: FormulaProblem): string => `ERROR ${found.kind} ${found.from}-${found.to}: ${english(found.words)}`
