// The names the language itself gives: to the world, to individuals, observers, containers and steps. Their symbols compute the location of a
// value on demand, so that they stay right while the model is edited.
import type { Symbol } from '../../formula.ts'
import { any, bool, date, entitiesOf, entityOf, listOf, number, text, tupleOf } from '../../formula/types.ts'
import type { Type } from '../../formula/types.ts'
import type { EntityPart, NetworkPart, SpacePart, StepPart } from '../parts.ts'
import { say, type Words } from '../../../model-schema/words.ts'

/** The slot of a handle. Cells never die, so their handle is their slot. */
export const slotOf = (entity: EntityPart, handle: string): string => (entity.kind === 'cell' ? handle : `${handle}&16777215`)

export const localSymbol = (name: string, type: Type, read: string): Symbol => ({ name, kind: 'local', type, read: () => read })

/** The value that a Decide step has chosen for one of its variables. */
export const chosenAction: Symbol = localSymbol('__action', number, '__action')

/** Names that are there in every model. */
export const always: readonly Symbol[] = [
  {
    name: 'tick',
    kind: 'builtin',
    type: number,
    words: say('The current tick, a whole number.'),
    read: () => 'W.tick',
  },
  {
    name: 'time',
    kind: 'builtin',
    type: number,
    words: say('Model time in ticks, a real number.'),
    read: () => 'W.time',
  },
  {
    name: 'now',
    kind: 'builtin',
    type: date,
    words: say('Date and time (runs by calendar).'),
    read: () => 'W.now(0,0)',
  },
  {
    name: 'world',
    kind: 'builtin',
    type: { is: 'observer', of: null },
    words: say('The global observer.'),
    read: () => 'null',
  },
]

/** What all populations with heirs may be asked. */
export const common: readonly Symbol[] = [
  {
    name: 'individuals',
    kind: 'builtin',
    type: entitiesOf(null),
    words: say('All living individuals.'),
    read: self => self,
  },
  {
    name: 'count',
    kind: 'builtin',
    type: number,
    words: say('Number of living individuals.'),
    read: self => countOf(self),
  },
]

/** How many there are; of populations side by side without listing them. */
function countOf(all: string): string {
  const [, populations] = /^X\.mixed\(\[([P\d,]+)\]\)$/.exec(all) ?? []
  return populations === undefined ? `${all}.length` : `(${populations.replaceAll(',', '.count+')}.count)`
}

/** `token`: the one at this step. */
export const outputSymbol = (step: StepPart, token: string, type: Type): Symbol => ({
  name: 'output',
  kind: 'builtin',
  type,
  words: say('What the step gave when it was last passed.'),
  read: () => `(to${step.index}[${token}]??null)`,
})

export function containerMembers(keyed: boolean): Symbol[] {
  const read = (name: string, js: string, words: Words, type: Type = number): Symbol => ({
    name,
    kind: 'builtin',
    type,
    words,
    read: self => `${self}.${js}`,
  })
  const many = (name: string, method: string, words: Words): Symbol =>
    keyed ? read(name, '', words, any) : read(name, `${method}()`, words)
  const members = [
    many('level', 'level', say('Amount in it; of reusable units: those free.')),
    many('in_use', 'inUse', say('Units requested and not released yet.')),
    many('capacity', 'capacity', say('Its capacity.')),
    read('queue', 'queueLength', say('Requests waiting.')),
    read('utilization', 'utilization(W.time)', say('Time-weighted share of the capacity in use.')),
    read('mean_level', 'levels.mean(W.time)', say('Time-weighted mean level.')),
    read('mean_in_use', 'uses.mean(W.time)', say('Time-weighted mean of the units in use.')),
    read('mean_queue', 'queues.mean(W.time)', say('Time-weighted mean queue length.')),
    read('max_queue', 'queues.max', say('Longest queue.')),
    read('mean_wait', 'waits.mean', say('Mean waiting time of the requests served (those served at once count 0).')),
    read('waited', 'waits.count', say('Requests whose waiting time is recorded.')),
    read('max_wait', 'waits.max', say('Longest waiting time.')),
    read('served', 'served', say('Requests met.')),
    read('gave_up', 'gaveUp', say('Requests that gave up.')),
    read('items', 'items()', say('What is in it (containers of items).'), listOf(any)),
    read('keys', 'keys()', say('Its keys.'), listOf(text)),
  ]
  if (keyed)
    for (const [i, method] of (['level', 'inUse', 'capacity'] as const).entries())
      members[i] = { ...members[i]!, read: self => `X.byKey(${self},${JSON.stringify(method)})` }
  return members
}

/** What a neural network may be asked: each takes the list of its inputs. */
export function networkMembers(network: NetworkPart): Symbol[] {
  const ask = (name: string, words: Words, result: Type, draws = false): Symbol => ({
    name,
    kind: 'function',
    type: { is: 'function', params: [{ name: 'inputs', type: listOf(number) }], result },
    words,
    read: () => 'null',
    call: (_self, [inputs = '[]']) => `X.network${name[0]!.toUpperCase()}${name.slice(1)}(N${network.index},${inputs})`,
    effects: { draws },
  })
  return [
    ask('predict', say('Its outputs for a list of inputs.'), listOf(number)),
    ask('best', say('Index of its largest output, 0 for the first; of equals the first.'), number),
    ask('chances', say('Its outputs as shares that add up to 1: e to each, over the sum of all.'), listOf(number)),
    ask('draw', say('An index drawn by these shares.'), number, true),
    ask('value', say('Its first output, for networks that value a state.'), number),
  ]
}

export const counter = (name: string, js: () => string): Symbol => ({ name, kind: 'builtin', type: number, read: js })

export const bounds = (space: SpacePart): Symbol[] => [
  counter('min_x', () => `S${space.index}.minX`),
  counter('max_x', () => `S${space.index}.maxX`),
  counter('min_y', () => `S${space.index}.minY`),
  counter('max_y', () => `S${space.index}.maxY`),
]

/** Built-in names of an individual. */
export function builtins(entity: EntityPart): Symbol[] {
  const names = new IndividualNames(entity)
  return [
    ...names.identity(),
    ...names.appearance(),
    ...(entity.kind === 'agent' ? [names.mother()] : []),
    ...(entity.space && entity.kind !== 'link' ? names.position(entity.space) : []),
    ...(entity.kind === 'link' ? names.link() : []),
  ]
}

/** Built-in names of one population's individuals, as symbols over its columns. */
class IndividualNames {
  readonly #entity: EntityPart

  constructor(entity: EntityPart) {
    this.#entity = entity
  }

  identity(): Symbol[] {
    return [
      this.#read('self', entityOf(this.#entity.id, true), say('This individual.'), self => self),
      this.#read('id', number, say('Unique number, counting births from 1.'), self => this.#cell('id', self)),
      this.#read('alive', bool, say('Whether it lives.'), self => `(${this.#cell('h', self)}===${self})`),
      this.#read('age', number, say('Ticks since its birth.'), self => `(W.time-${this.#cell('born', self)})`),
    ]
  }

  appearance(): Symbol[] {
    return [
      this.#column('color', text, say('Colour, such as "#ff8800" or "red".')),
      this.#column('size', number, say('Size as drawn.')),
      this.#column('shape', text, say('Shape: circle, square, triangle, arrow, person or star.')),
      {
        ...this.#read('visible', bool, say('Whether it is drawn.'), self => `(${this.#cell('visible', self)}!==0)`),
        write: (self, value) => `${this.#cell('visible', self)}=(${value})?1:0;`,
      },
    ]
  }

  mother(): Symbol {
    return this.#read('mother', entityOf(this.#entity.id), say('Who bore it; None for the first ones.'), self => this.#cell('mother', self))
  }

  position(space: SpacePart): Symbol[] {
    const isCell = this.#entity.kind === 'cell'
    const s = (): string => `S${space.index}`
    const axis = (name: 'x' | 'y' | 'z') => (self: string) =>
      isCell ? `${s()}.cell${name.toUpperCase()}(${self})` : this.#cell(name, self)
    const [x, y, z] = [axis('x'), axis('y'), axis('z')]
    const axes = space.three ? [x, y, z] : [x, y]
    const tuple = (self: string): string => `X.tuple([${axes.map(one => one(self)).join(',')}])`
    return [
      this.#placed('x', number, say('Position: x.'), x),
      this.#placed('y', number, say('Position: y.'), y),
      ...(space.three ? [this.#placed('z', number, say('Position: z.'), z)] : []),
      this.#placed('position', tupleOf(...axes.map(() => number)), say('Position as a tuple.'), tuple),
      this.#placed('space', { is: 'element', of: space.id }, say('The space it stands in.'), s),
      ...(isCell
        ? []
        : [this.#placed('heading', number, say('Heading in degrees, east 0, counter-clockwise.'), self => this.#cell('heading', self))]),
      ...(space.cells ? [this.#cellBelow(space.cells, s)] : []),
    ]
  }

  #cellBelow(cells: EntityPart, s: () => string): Symbol {
    const entity = this.#entity
    if (entity.kind === 'cell') return this.#placed('cell', entityOf(cells.id, true), say('The cell itself.'), self => self)
    return this.#placed('cell', entityOf(cells.id), say('The cell it stands on.'), self =>
      entity.space?.topology === 'discrete' ? this.#cell('bucket', self) : `${s()}.cellOf(R${entity.index},${slotOf(entity, self)})`,
    )
  }

  link(): Symbol[] {
    const { source, target } = this.#entity
    const slot = (self: string): string => `L${this.#entity.index},${slotOf(this.#entity, self)}`
    const ends =
      source && target
        ? [
            this.#end(source, 'source'),
            this.#end(target, 'target'),
            this.#read('ends', listOf(entityOf(null, true)), say('Both ends.'), self => `X.linkEnds(${slot(self)})`),
          ]
        : []
    return [
      ...ends,
      this.#column('weight', number, say('Weight.')),
      this.#column('thickness', number, say('Thickness as drawn.')),
      this.#column('line_type', text, say('solid, dashed or dotted.')),
    ]
  }

  #end(node: EntityPart, side: 'source' | 'target'): Symbol {
    const entity = this.#entity
    const one = node.derived.length === 0
    return this.#read(side, entityOf(one ? node.id : null, true), say('One end of the link.'), self =>
      one
        ? `P${node.index}.handles[L${entity.index}.${side}[${slotOf(entity, self)}]]`
        : `X.linkEnd(L${entity.index},${slotOf(entity, self)},${side === 'source'})`,
    )
  }

  /** What the column of this name has for an individual. */
  #cell(column: string, self: string): string {
    return `p${this.#entity.index}_${column}[${slotOf(this.#entity, self)}]`
  }

  #read(name: string, type: Type, words: Words, read: (self: string) => string): Symbol {
    return { name, kind: 'builtin', type, words, read }
  }

  /** Of agents, moving and placing changes it and nothing else. */
  #placed(name: string, type: Type, words: Words, read: (self: string) => string): Symbol {
    const symbol = this.#read(name, type, words, read)
    return this.#entity.kind === 'agent' ? { ...symbol, readOnlyBecause: say('it changes only through Move and Place at') } : symbol
  }

  #column(name: string, type: Type, words: Words): Symbol {
    return {
      ...this.#read(name, type, words, self => this.#cell(name, self)),
      write: (self, value) => `${this.#cell(name, self)}=${value};`,
    }
  }
}

/** Built-in names of a population's observer. */
export function observerBuiltins(entity: EntityPart): Symbol[] {
  const mixed = entity.derived.length > 0
  const all = (): EntityPart[] => [entity, ...entity.derived]
  const found: Symbol[] = [
    {
      name: 'individuals',
      kind: 'builtin',
      type: entitiesOf(mixed ? null : entity.id),
      words: say('All living individuals.'),
      read: () =>
        mixed
          ? `X.mixed([${all()
              .map(one => `P${one.index}`)
              .join(',')}])`
          : `W.individuals(P${entity.index})`,
    },
    {
      name: 'count',
      kind: 'builtin',
      type: number,
      words: say('Number of living individuals.'),
      read: () =>
        mixed
          ? `(${all()
              .map(one => `P${one.index}.count`)
              .join('+')})`
          : `P${entity.index}.count`,
    },
  ]
  if (entity.kind === 'link' && entity.source) {
    const words = say('The individuals it may join.')
    // Nodes of one population are handles, as everywhere; of several, references.
    const only = entity.source === entity.target && entity.source.derived.length === 0 ? entity.source : null
    found.push(
      only
        ? { name: 'nodes', kind: 'builtin', type: entitiesOf(only.id), words, read: () => `W.individuals(P${only.index})` }
        : { name: 'nodes', kind: 'builtin', type: listOf(entityOf(null, true)), words, read: () => `X.nodes(L${entity.index})` },
    )
  }
  if (entity.kind === 'cell' && entity.space) found.push(...bounds(entity.space))
  return found
}
