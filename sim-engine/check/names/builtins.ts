// The names the language itself gives: to the world, to individuals, observers, containers and steps. As symbols that say
// where a value lies when they are asked, so that they stay right while the model is edited.
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

/** `token`: the one that walks where the step stands. */
export const outputSymbol = (step: StepPart, token: string): Symbol => ({
  name: 'output',
  kind: 'builtin',
  type: any,
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

/** What moving and placing changes. */
const placed: ReadonlySet<string> = new Set(['x', 'y', 'z', 'position', 'heading', 'cell', 'space'])

/** Built-in names of an individual. */
export function builtins(entity: EntityPart): Symbol[] {
  const p = (): string => `p${entity.index}`
  const slot = (self: string) => slotOf(entity, self)
  const make = (
    name: string,
    type: Type,
    words: Words,
    read: (self: string) => string,
    write?: (self: string, value: string) => string,
  ): Symbol =>
    write
      ? { name, kind: 'builtin', type, words, read, write }
      : {
          name,
          kind: 'builtin',
          type,
          words,
          read,
          ...(entity.kind === 'agent' && placed.has(name) ? { readOnlyBecause: say('it changes only through Move and Place at') } : {}),
        }
  const column = (name: string, js: string, type: Type, words: Words): Symbol =>
    make(
      name,
      type,
      words,
      self => `${p()}_${js}[${slot(self)}]`,
      (self, value) => `${p()}_${js}[${slot(self)}]=${value};`,
    )
  const found: Symbol[] = [
    make('self', entityOf(entity.id, true), say('This individual.'), self => self),
    make('id', number, say('Unique number, counting births from 1.'), self => `${p()}_id[${slot(self)}]`),
    make('alive', bool, say('Whether it lives.'), self => `(${p()}_h[${slot(self)}]===${self})`),
    make('age', number, say('Ticks since its birth.'), self => `(W.time-${p()}_born[${slot(self)}])`),
    column('color', 'color', text, say('Colour, such as "#ff8800" or "red".')),
    column('size', 'size', number, say('Size as drawn.')),
    column('shape', 'shape', text, say('Shape: circle, square, triangle, arrow, person or star.')),
    make(
      'visible',
      bool,
      say('Whether it is drawn.'),
      self => `(${p()}_visible[${slot(self)}]!==0)`,
      (self, value) => `${p()}_visible[${slot(self)}]=(${value})?1:0;`,
    ),
  ]
  if (entity.kind === 'agent')
    found.push(make('mother', entityOf(entity.id), say('Who bore it; None for the first ones.'), self => `${p()}_mother[${slot(self)}]`))
  if (entity.space && entity.kind !== 'link') {
    const isCell = entity.kind === 'cell'
    const space = entity.space
    const s = (): string => `S${space.index}`
    const x = (self: string) => (isCell ? `${s()}.cellX(${self})` : `${p()}_x[${slot(self)}]`)
    const y = (self: string) => (isCell ? `${s()}.cellY(${self})` : `${p()}_y[${slot(self)}]`)
    const z = (self: string) => (isCell ? `${s()}.cellZ(${self})` : `${p()}_z[${slot(self)}]`)
    found.push(make('x', number, say('Position: x.'), x), make('y', number, say('Position: y.'), y))
    if (entity.space.three) found.push(make('z', number, say('Position: z.'), z))
    const axes = entity.space.three ? [x, y, z] : [x, y]
    found.push(
      make(
        'position',
        tupleOf(...axes.map(() => number)),
        say('Position as a tuple.'),
        self => `X.tuple([${axes.map(axis => axis(self)).join(',')}])`,
      ),
    )
    found.push(make('space', { is: 'element', of: entity.space.id }, say('The space it stands in.'), s))
    if (!isCell)
      found.push(make('heading', number, say('Heading in degrees, east 0, counter-clockwise.'), self => `${p()}_heading[${slot(self)}]`))
    const cells = entity.space.cells
    if (cells)
      found.push(
        isCell
          ? make('cell', entityOf(cells.id, true), say('The cell itself.'), self => self)
          : make('cell', entityOf(cells.id), say('The cell it stands on.'), self =>
              entity.space?.topology === 'discrete' ? `${p()}_bucket[${slot(self)}]` : `${s()}.cellOf(R${entity.index},${slot(self)})`,
            ),
      )
  }
  if (entity.kind === 'link') {
    const end = (node: EntityPart | null, side: 'source' | 'target'): Symbol | null => {
      if (!node) return null
      const one = node.derived.length === 0
      const read = (self: string) =>
        one
          ? `P${node.index}.handles[L${entity.index}.${side}[${slot(self)}]]`
          : `X.linkEnd(L${entity.index},${slot(self)},${side === 'source'})`
      return make(side, entityOf(one ? node.id : null, true), say('One end of the link.'), read)
    }
    const source = end(entity.source, 'source')
    const target = end(entity.target, 'target')
    const linkEnds = listOf(entityOf(null, true))
    if (source && target)
      found.push(
        source,
        target,
        make('ends', linkEnds, say('Both ends.'), self => `X.linkEnds(L${entity.index},${slot(self)})`),
      )
    found.push(column('weight', 'weight', number, say('Weight.')))
    found.push(column('thickness', 'thickness', number, say('Thickness as drawn.')))
    found.push(column('line_type', 'line_type', text, say('solid, dashed or dotted.')))
  }
  return found
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
