// Which names a formula may use where it stands, and how generated code reads and writes them. Innermost first: local,
// temporary and interface (of this process and those around it), own property, own observer, global, built-in.
//
// Names in generated code: `p3_v2` column 2 of population 3 (`p3_n2`: its next values, for simultaneous updates),
// `p3_x` and so on its built-in columns, `P3` the population, `R3` its residents, `L3` its links, `S1` a space; `G`, `B`
// and `A` the shared numbers, flags and other values; `tc4` a token column; `fn5` a function; `C6` a container. The
// compiler declares whichever of them the text mentions.
import { say } from '../../model-schema/kinds/kind.ts'
import type { Words } from '../../model-schema/kinds/kind.ts'
import type { Scope, Symbol } from '../formula.ts'
import { any, bool, date, entitiesOf, entityOf, listOf, number, text, tupleOf } from '../formula/types.ts'
import type { Type } from '../formula/types.ts'
import type { ContainerPart, EntityPart, FunctionPart, Level, Parts, ProcessPart, SpacePart, StepPart, VariablePart } from './parts.ts'

/** Where a formula stands. */
export type Standing = {
  level: Level
  entity: EntityPart | null
  /** The process whose token carries the temporaries; null outside processes. */
  process: ProcessPart | null
  /** The population whose own simultaneous update this is part of: writes to it appear in phase 5. */
  buffered: EntityPart | null
  /** The actor is an individual whose population is not known: `self` is a Ref. */
  mixed?: boolean
  /** Names that exist here only. */
  locals?: readonly Symbol[]
}

/** The slot of a handle. Cells never die, so their handle is their slot. */
export const slotOf = (entity: EntityPart, handle: string): string => (entity.kind === 'cell' ? handle : `${handle}&16777215`)

const local = (name: string, type: Type, read: string): Symbol => ({ name, kind: 'local', type, read: () => read })
export const localSymbol = local

/** Scopes of one model. Symbols are made once, so that equal names in equal places are the same object. */
export class Scopes {
  readonly #parts: Parts
  readonly #globals: Map<string, Symbol>
  readonly #onlyAgents: string | undefined
  readonly #own = new Map<string, Map<string, Symbol>>()
  readonly #observers = new Map<EntityPart, Map<string, Symbol>>()
  readonly #members = new Map<string, ReadonlyMap<string, Symbol>>()
  readonly #byId: ReadonlyMap<string, EntityPart>
  /** Columns of simultaneous populations that are written in their own update. Filled while emitting. */
  readonly pending = new Set<VariablePart>()
  /** Steps whose output is read. */
  readonly outputs = new Set<StepPart>()

  constructor(parts: Parts) {
    this.#parts = parts
    this.#byId = new Map(parts.entities.map(entity => [entity.id, entity]))
    this.#globals = this.#globalSymbols()
    const placed = parts.entities.filter(entity => entity.kind === 'agent' && entity.form !== 'observer' && entity.space)
    if (placed.length === 1) this.#onlyAgents = placed[0]?.id
  }

  entity(id: string | null): EntityPart | undefined {
    return id === null ? undefined : this.#byId.get(id)
  }

  at(standing: Standing): Scope {
    const layers: ReadonlyMap<string, Symbol>[] = []
    if (standing.locals?.length) layers.push(new Map(standing.locals.map(symbol => [symbol.name, symbol])))
    let token = 't'
    for (let process = standing.process; process; process = process.holder?.process ?? null) {
      layers.push(this.#tokenSymbols(process, token))
      token = `T_outer[${token}]`
    }
    if (standing.entity) {
      if (standing.level === 'individual') layers.push(this.#ownSymbols(standing.entity, standing.buffered, true))
      layers.push(this.#observerSymbols(standing.entity))
    } else if (standing.mixed) layers.push(this.#anySymbols())
    layers.push(this.#globals)
    const own = standing.level === 'individual' ? standing.entity : null
    const members = (of: Type): ReadonlyMap<string, Symbol> => this.#membersOf(of, own, standing)
    return {
      find: name => {
        for (const layer of layers) {
          const symbol = layer.get(name)
          if (symbol) return symbol
        }
        return undefined
      },
      member: (of, name) => members(of).get(name),
      names: function* () {
        for (const layer of layers) yield* layer.values()
      },
      members: function* (of) {
        yield* members(of).values()
      },
      ...(this.#onlyAgents === undefined ? {} : { onlyAgents: this.#onlyAgents }),
    }
  }

  /** What stands after a dot. */
  #membersOf(of: Type, own: EntityPart | null, standing: Standing): ReadonlyMap<string, Symbol> {
    const key = `${of.is} ${'of' in of && typeof of.of === 'string' ? of.of : ''} ${own?.index} ${standing.buffered?.index} ${standing.process?.index}`
    const known = this.#members.get(key)
    if (known) return known
    const made = this.#makeMembers(of, own, standing)
    this.#members.set(key, made)
    return made
  }

  #makeMembers(of: Type, own: EntityPart | null, standing: Standing): ReadonlyMap<string, Symbol> {
    if (of.is === 'entity') {
      const entity = this.entity(of.of)
      if (entity) return this.#foreignSymbols(entity, own, standing.buffered)
      return this.#publicSymbols()
    }
    if (of.is === 'entities') return this.#families()
    if (of.is === 'observer') {
      const entity = this.entity(of.of)
      return entity ? this.#observerSymbols(entity) : this.#globals
    }
    if (of.is === 'element') {
      const container = this.#parts.containers.find(one => one.id === of.of)
      if (container) return containerMembers(container)
      const message = this.#parts.messages.find(one => one.id === of.of)
      if (message)
        return table([
          counter('sent', `W.mail.sent[M${message.index}]`),
          counter('received', `W.mail.received[M${message.index}]`),
          counter('lost', `W.mail.lost[M${message.index}]`),
        ])
      const step = standing.process?.steps.find(one => one.id === of.of)
      if (step) {
        this.outputs.add(step)
        return table([outputSymbol(step)])
      }
      const tagset = this.#parts.tags.find(one => one.id === of.of)
      if (tagset) return table(tagset.tags.map(tag => local(tag, text, JSON.stringify(tag))))
      const space = this.#parts.spaces.find(one => one.id === of.of)
      if (space) return table(bounds(space))
    }
    return new Map()
  }

  #tokenSymbols(process: ProcessPart, token: string): ReadonlyMap<string, Symbol> {
    const key = `token ${process.index} ${token}`
    const known = this.#own.get(key)
    if (known) return known
    const made = table(process.temporaries.map(variable => tokenSymbol(variable, token)))
    for (const step of process.steps)
      if (step.name !== '' && !made.has(step.name))
        made.set(step.name, { name: step.name, kind: 'step', type: { is: 'element', of: step.id }, id: step.id, read: () => 'null' })
    if (process.holder?.element.fields['repeat'] === 'each') {
      made.set('item', local('item', any, `K.item(${token})`))
      made.set('index', local('index', number, `T_index[${token}]`))
    }
    this.#own.set(key, made)
    return made
  }

  /** An individual's own names. */
  #ownSymbols(entity: EntityPart, buffered: EntityPart | null, free: boolean): ReadonlyMap<string, Symbol> {
    const key = `own ${entity.index} ${buffered?.index} ${free}`
    const known = this.#own.get(key)
    if (known) return known
    const made = table(builtins(entity))
    for (const variable of entity.variables)
      if (variable.name !== '') made.set(variable.name, this.#columnSymbol(variable, entity, buffered, free))
    for (const container of entity.containers) if (container.level === 'individual') made.set(container.name, containerSymbol(container))
    for (const fn of entity.functions) if (fn.level === 'individual') made.set(fn.name, functionSymbol(fn))
    for (const process of entity.processes) if (process.level === 'individual') made.set(process.name, processSymbol(process))
    this.#own.set(key, made)
    return made
  }

  /** Another individual's names: all may be read, public ones set; those of the own population only through `self`. */
  #foreignSymbols(entity: EntityPart, own: EntityPart | null, buffered: EntityPart | null): ReadonlyMap<string, Symbol> {
    const made = new Map(this.#ownSymbols(entity, buffered, true))
    for (const variable of entity.variables) {
      const symbol = made.get(variable.name)
      if (!symbol?.write || variable.public) continue
      const { write, ...readOnly } = symbol
      if (entity === own)
        made.set(variable.name, {
          ...symbol,
          write: (self, value) => (self === 'self' ? write(self, value) : `if(${self}!==self)X.fail(10033);${write(self, value)}`),
        })
      else
        made.set(variable.name, {
          ...readOnly,
          readOnlyBecause: say('it is not public: use Ask, or make it public', '它不是公开的：请使用“请求”，或将其设为公开'),
        })
    }
    return made
  }

  #columnSymbol(variable: VariablePart, entity: EntityPart, buffered: EntityPart | null, free: boolean): Symbol {
    const column = `p${entity.index}_v${variable.index}`
    const next = `p${entity.index}_n${variable.index}`
    const symbol: Symbol = {
      name: variable.name,
      kind: 'variable',
      type: variable.type,
      id: variable.id,
      read: self => (variable.storage === 'bool' ? `(${column}[${slotOf(entity, self)}]!==0)` : `${column}[${slotOf(entity, self)}]`),
    }
    if (!free) return symbol
    symbol.write = (self, value) => {
      const slot = slotOf(entity, self)
      const kept = stored(variable, value)
      if (entity.order !== 'simultaneous' || variable.storage === 'any') return `${column}[${slot}]=${kept};`
      if (buffered !== entity) return `${column}[${slot}]=${next}[${slot}]=${kept};`
      this.pending.add(variable)
      return `${next}[${slot}]=${kept};`
    }
    return symbol
  }

  #observerSymbols(entity: EntityPart): ReadonlyMap<string, Symbol> {
    const known = this.#observers.get(entity)
    if (known) return known
    const made = table(observerBuiltins(entity))
    // The base's observer is reached by the derived population's names, too.
    if (entity.base) for (const [name, symbol] of this.#observerSymbols(entity.base)) if (!made.has(name)) made.set(name, symbol)
    for (const variable of entity.observed) if (variable.name !== '') made.set(variable.name, sharedSymbol(variable))
    for (const container of entity.containers) if (container.level === 'observer') made.set(container.name, containerSymbol(container))
    for (const fn of entity.functions) if (fn.level === 'observer') made.set(fn.name, functionSymbol(fn))
    for (const process of entity.processes) if (process.level === 'observer') made.set(process.name, processSymbol(process))
    for (const statistic of this.#parts.statistics)
      if (statistic.entity === entity && !made.has(statistic.name))
        made.set(statistic.name, {
          name: statistic.name,
          kind: 'statistic',
          type: any,
          id: statistic.id,
          read: () => `X.statistic(${statistic.index})`,
        })
    this.#observers.set(entity, made)
    return made
  }

  #globalSymbols(): Map<string, Symbol> {
    const made = table([
      {
        name: 'tick',
        kind: 'builtin',
        type: number,
        words: say('The current tick, a whole number.', '当前滴答，整数。'),
        read: () => 'W.tick',
      },
      {
        name: 'time',
        kind: 'builtin',
        type: number,
        words: say('Model time in ticks, a real number.', '模型时间，以滴答计，实数。'),
        read: () => 'W.time',
      },
      {
        name: 'now',
        kind: 'builtin',
        type: date,
        words: say('Date and time (runs by calendar).', '日期和时间（按日历运行）。'),
        read: () => 'W.now(0,0)',
      },
    ])
    made.set('world', {
      name: 'world',
      kind: 'builtin',
      type: { is: 'observer', of: null },
      words: say('The global observer.', '全局观察者。'),
      read: () => 'null',
    })
    for (const entity of this.#parts.entities)
      made.set(
        entity.name,
        entity.derived.length > 0
          ? this.#family(entity)
          : {
              name: entity.name,
              kind: 'population',
              type: { is: 'observer', of: entity.id },
              id: entity.id,
              read: () => `P${entity.index}`,
            },
      )
    for (const message of this.#parts.messages)
      made.set(message.name, {
        name: message.name,
        kind: 'message',
        type: { is: 'element', of: message.id },
        id: message.id,
        read: () => `M${message.index}`,
      })
    for (const tagset of this.#parts.tags)
      made.set(tagset.name, {
        name: tagset.name,
        kind: 'builtin',
        type: { is: 'element', of: tagset.id },
        id: tagset.id,
        read: () => 'null',
      })
    for (const space of this.#parts.spaces)
      made.set(space.name, {
        name: space.name,
        kind: 'builtin',
        type: { is: 'element', of: space.id },
        id: space.id,
        read: () => `S${space.index}`,
      })
    for (const statistic of this.#parts.statistics)
      if (!statistic.entity)
        made.set(statistic.name, {
          name: statistic.name,
          kind: 'statistic',
          type: any,
          id: statistic.id,
          read: () => `X.statistic(${statistic.index})`,
        })
    for (const variable of this.#parts.globals) made.set(variable.name, sharedSymbol(variable))
    for (const container of this.#parts.containers) if (container.level === 'global') made.set(container.name, containerSymbol(container))
    for (const fn of this.#parts.functions) if (fn.level === 'global') made.set(fn.name, functionSymbol(fn))
    for (const process of this.#parts.processes)
      if (process.level === 'global' && !process.holder) made.set(process.name, processSymbol(process))
    made.delete('')
    return made
  }

  /** The same by dot: what is public in no population is read-only. */
  #publicSymbols(): ReadonlyMap<string, Symbol> {
    const variables = this.#parts.entities.flatMap(entity => entity.variables)
    return table(
      [...this.#anySymbols().values()].map(symbol => {
        const named = variables.filter(variable => variable.name === symbol.name)
        if (named.length === 0 || named.some(variable => variable.public)) return symbol
        const { write: _, ...readOnly } = symbol
        return {
          ...readOnly,
          readOnlyBecause: say('it is not public: use Ask, or make it public', '它不是公开的：请使用“请求”，或将其设为公开'),
        }
      }),
    )
  }

  /** What any observer of a population with heirs may be asked: the names they have in common. */
  #families(): ReadonlyMap<string, Symbol> {
    return table([
      {
        name: 'individuals',
        kind: 'builtin',
        type: entitiesOf(null),
        words: say('All living individuals.', '所有存活个体。'),
        read: self => self,
      },
      {
        name: 'count',
        kind: 'builtin',
        type: number,
        words: say('Number of living individuals.', '存活个体数。'),
        read: self => `${self}.length`,
      },
      ...this.#parts.entities.filter(entity => entity.derived.length > 0).flatMap(entity => entity.observed.map(sharedSymbol)),
    ])
  }

  /** A population others inherit from: its individuals are of several populations, so they are references. */
  #family(entity: EntityPart): Symbol {
    const all = [entity, ...entity.derived].map(one => `P${one.index}`).join(',')
    return { name: entity.name, kind: 'population', type: { is: 'entities', of: null }, id: entity.id, read: () => `X.mixed([${all}])` }
  }

  /** Properties of an entity whose population is not known: those any of them has, read by name while running. */
  #anySymbols(): ReadonlyMap<string, Symbol> {
    const made = new Map<string, Symbol>()
    for (const entity of this.#parts.entities) {
      for (const [name, symbol] of this.#ownSymbols(entity, null, true)) {
        if (symbol.kind !== 'variable' && symbol.kind !== 'builtin') continue
        const before = made.get(name)
        const type = before && before.type.is !== symbol.type.is ? any : symbol.type.is === 'entity' ? entityOf(null) : symbol.type
        made.set(name, {
          name,
          kind: symbol.kind,
          type,
          read: self => `W.get(${self},${JSON.stringify(name)},0,0)`,
          write: (self, value) => `W.set(${self},${JSON.stringify(name)},${value},0,0);`,
        })
      }
    }
    return made
  }
}

const outputSymbol = (step: StepPart): Symbol => ({
  name: 'output',
  kind: 'builtin',
  type: any,
  words: say('What the step gave when it was last passed.', '该步骤上次经过时的结果。'),
  read: () => `(to${step.index}[t]??null)`,
})

const table = (symbols: Iterable<Symbol>): Map<string, Symbol> => new Map([...symbols].map(symbol => [symbol.name, symbol]))

const stored = (variable: VariablePart, value: string): string => (variable.storage === 'bool' ? `(${value})?1:0` : value)

function sharedSymbol(variable: VariablePart): Symbol {
  const place = `${shelf(variable)}[${variable.index}]`
  return {
    name: variable.name,
    kind: 'variable',
    type: variable.type,
    id: variable.id,
    read: () => (variable.storage === 'bool' ? `(${place}!==0)` : place),
    write: (_self, value) => `${place}=${stored(variable, value)};`,
  }
}

export const shelf = (variable: VariablePart): string => (variable.storage === 'any' ? 'A' : variable.storage === 'bool' ? 'B' : 'G')

function tokenSymbol(variable: VariablePart, token: string): Symbol {
  const place = `tc${variable.index}[${token}]`
  return {
    name: variable.name,
    kind: 'variable',
    type: variable.type,
    id: variable.id,
    read: () => (variable.storage === 'bool' ? `(${place}!==0)` : place),
    write: (_self, value) => `${place}=${stored(variable, value)};`,
  }
}

/** JavaScript of a container object; `self` is the owner's handle. */
export const containerJs = (container: ContainerPart, self: string): string =>
  container.level === 'individual' && container.entity ? `C${container.index}[${slotOf(container.entity, self)}]` : `C${container.index}`

function containerSymbol(container: ContainerPart): Symbol {
  return {
    name: container.name,
    kind: 'container',
    type: { is: 'element', of: container.id },
    id: container.id,
    read: self => containerJs(container, self),
  }
}

function containerMembers(container: ContainerPart): ReadonlyMap<string, Symbol> {
  const read = (name: string, js: string, en: string, zh: string, type: Type = number): Symbol => ({
    name,
    kind: 'builtin',
    type,
    words: say(en, zh),
    read: self => `${self}.${js}`,
  })
  const keyed = container.element.fields['contents'] === 'keyed'
  const many = (name: string, method: string, en: string, zh: string): Symbol =>
    keyed ? read(name, '', en, zh, any) : read(name, `${method}()`, en, zh)
  const members = [
    many('level', 'level', 'Amount in it; of reusable units: those free.', '其中的数量；可重复使用时为空闲数量。'),
    many('in_use', 'inUse', 'Units requested and not released yet.', '已申请且尚未释放的数量。'),
    many('capacity', 'capacity', 'Its capacity.', '容量。'),
    read('queue', 'queueLength', 'Requests waiting.', '等待中的申请数。'),
    read('utilization', 'utilization(W.time)', 'Time-weighted share of the capacity in use.', '按时间加权的使用率。'),
    read('mean_level', 'levels.mean(W.time)', 'Time-weighted mean level.', '按时间加权的平均数量。'),
    read('mean_in_use', 'uses.mean(W.time)', 'Time-weighted mean of the units in use.', '按时间加权的平均使用量。'),
    read('mean_queue', 'queues.mean(W.time)', 'Time-weighted mean queue length.', '按时间加权的平均队列长度。'),
    read('max_queue', 'queues.max', 'Longest queue.', '最长队列。'),
    read(
      'mean_wait',
      'waits.mean',
      'Mean waiting time of the requests served (those served at once count 0).',
      '已满足申请的平均等待时间（立即满足计为 0）。',
    ),
    read('waited', 'waits.count', 'Requests whose waiting time is recorded.', '已记录等待时间的申请数。'),
    read('max_wait', 'waits.max', 'Longest waiting time.', '最长等待时间。'),
    read('served', 'served', 'Requests met.', '已满足的申请数。'),
    read('gave_up', 'gaveUp', 'Requests that gave up.', '放弃的申请数。'),
    read('items', 'items()', 'What is in it (containers of items).', '其中的物品（物品容器）。', listOf(any)),
    read('keys', 'keys()', 'Its keys.', '所有键。', listOf(text)),
  ]
  if (keyed)
    for (const [i, method] of (['level', 'inUse', 'capacity'] as const).entries())
      members[i] = { ...members[i]!, read: self => `X.byKey(${self},${JSON.stringify(method)})` }
  return table(members)
}

export function functionSymbol(fn: FunctionPart): Symbol {
  return {
    name: fn.name,
    kind: 'function',
    id: fn.id,
    read: () => `fn${fn.index}`,
    type: {
      is: 'function',
      params: fn.parameters.map(({ name, type, key }) => ({ name, type, optional: key !== null })),
      result: fn.result,
    },
    call: (self, args) => `fn${fn.index}(${[fn.level === 'individual' ? self : '0', ...args].join(',')})`,
    effects: fn.effects,
  }
}

function processSymbol(process: ProcessPart): Symbol {
  return { name: process.name, kind: 'process', type: { is: 'process', of: process.id }, id: process.id, read: () => String(process.index) }
}

const counter = (name: string, js: string): Symbol => ({ name, kind: 'builtin', type: number, read: () => js })

const bounds = (space: SpacePart): Symbol[] => [
  counter('min_x', `S${space.index}.minX`),
  counter('max_x', `S${space.index}.maxX`),
  counter('min_y', `S${space.index}.minY`),
  counter('max_y', `S${space.index}.maxY`),
]

/** Built-in names of an individual. */
function builtins(entity: EntityPart): Symbol[] {
  const p = `p${entity.index}`
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
          readOnlyBecause: say('it changes only through Move and Place at', '它只能通过“移动”和“放置于”改变'),
        }
  const column = (name: string, js: string, type: Type, words: Words): Symbol =>
    make(
      name,
      type,
      words,
      self => `${p}_${js}[${slot(self)}]`,
      (self, value) => `${p}_${js}[${slot(self)}]=${value};`,
    )
  const found: Symbol[] = [
    make('self', entityOf(entity.id, true), say('This individual.', '该个体自身。'), self => self),
    make('id', number, say('Unique number, counting births from 1.', '唯一编号，从 1 起按出生计数。'), self => `${p}_id[${slot(self)}]`),
    make('alive', bool, say('Whether it lives.', '是否存活。'), self => `(${p}_h[${slot(self)}]===${self})`),
    make('age', number, say('Ticks since its birth.', '出生以来的滴答数。'), self => `(W.time-${p}_born[${slot(self)}])`),
    column('color', 'color', text, say('Colour, such as "#ff8800" or "red".', '颜色，如 "#ff8800" 或 "red"。')),
    column('size', 'size', number, say('Size as drawn.', '绘制大小。')),
    column(
      'shape',
      'shape',
      text,
      say('Shape: circle, square, triangle, arrow, person or star.', '形状：circle、square、triangle、arrow、person 或 star。'),
    ),
    make(
      'visible',
      bool,
      say('Whether it is drawn.', '是否绘制。'),
      self => `(${p}_visible[${slot(self)}]!==0)`,
      (self, value) => `${p}_visible[${slot(self)}]=(${value})?1:0;`,
    ),
  ]
  if (entity.kind === 'agent')
    found.push(
      make(
        'mother',
        entityOf(entity.id),
        say('Who bore it; None for the first ones.', '其母体；最初的个体为 None。'),
        self => `${p}_mother[${slot(self)}]`,
      ),
    )
  if (entity.space && entity.kind !== 'link') {
    const placed = entity.kind === 'cell'
    const s = `S${entity.space.index}`
    const x = (self: string) => (placed ? `${s}.cellX(${self})` : `${p}_x[${slot(self)}]`)
    const y = (self: string) => (placed ? `${s}.cellY(${self})` : `${p}_y[${slot(self)}]`)
    const z = (self: string) => (placed ? `${s}.cellZ(${self})` : `${p}_z[${slot(self)}]`)
    found.push(make('x', number, say('Position: x.', '位置 x。'), x), make('y', number, say('Position: y.', '位置 y。'), y))
    if (entity.space.three) found.push(make('z', number, say('Position: z.', '位置 z。'), z))
    const axes = entity.space.three ? [x, y, z] : [x, y]
    found.push(
      make(
        'position',
        tupleOf(...axes.map(() => number)),
        say('Position as a tuple.', '位置（元组）。'),
        self => `X.tuple([${axes.map(axis => axis(self)).join(',')}])`,
      ),
    )
    found.push(make('space', { is: 'element', of: entity.space.id }, say('The space it stands in.', '所在空间。'), () => s))
    if (!placed)
      found.push(
        make(
          'heading',
          number,
          say('Heading in degrees, east 0, counter-clockwise.', '朝向（度），东为 0，逆时针。'),
          self => `${p}_heading[${slot(self)}]`,
        ),
      )
    const cells = entity.space.cells
    if (cells)
      found.push(
        placed
          ? make('cell', entityOf(cells.id, true), say('The cell itself.', '单元格自身。'), self => self)
          : make('cell', entityOf(cells.id), say('The cell it stands on.', '所在单元格。'), self =>
              entity.space?.topology === 'discrete' ? `${p}_bucket[${slot(self)}]` : `${s}.cellOf(R${entity.index},${slot(self)})`,
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
      return make(side, entityOf(one ? node.id : null, true), say('One end of the link.', '连接的一端。'), read)
    }
    const source = end(entity.source, 'source')
    const target = end(entity.target, 'target')
    const linkEnds = listOf(entityOf(null, true))
    if (source && target)
      found.push(
        source,
        target,
        make('ends', linkEnds, say('Both ends.', '两端。'), self => `X.linkEnds(L${entity.index},${slot(self)})`),
      )
    found.push(column('weight', 'weight', number, say('Weight.', '权重。')))
    found.push(column('thickness', 'thickness', number, say('Thickness as drawn.', '绘制粗细。')))
    found.push(column('line_type', 'line_type', text, say('solid, dashed or dotted.', 'solid、dashed 或 dotted。')))
  }
  return found
}

/** Built-in names of a population's observer. */
function observerBuiltins(entity: EntityPart): Symbol[] {
  const mixed = entity.derived.length > 0
  const all = [entity, ...entity.derived]
  const found: Symbol[] = [
    {
      name: 'individuals',
      kind: 'builtin',
      type: entitiesOf(mixed ? null : entity.id),
      words: say('All living individuals.', '所有存活个体。'),
      read: () => (mixed ? `X.mixed([${all.map(one => `P${one.index}`).join(',')}])` : `W.individuals(P${entity.index})`),
    },
    {
      name: 'count',
      kind: 'builtin',
      type: number,
      words: say('Number of living individuals.', '存活个体数。'),
      read: () => (mixed ? `(${all.map(one => `P${one.index}.count`).join('+')})` : `P${entity.index}.count`),
    },
  ]
  if (entity.kind === 'link' && entity.source) {
    const words = say('The individuals it may join.', '可连接的个体。')
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
