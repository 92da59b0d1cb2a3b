// Program -> the world it runs in: populations with their columns, spaces, links, containers, message types; then the
// generated functions, evaluated and handed to the kernel.
import type { CheckedModel } from '../check/checked.ts'
import type { EntityPart, Parts } from '../check/parts.ts'
import { textOf } from '../check/resolve.ts'
import type { Program } from '../compile.ts'
import { isListed } from '../compile/listed.ts'
import { createRuntime } from '../formula.ts'
import type { Runtime } from '../formula.ts'
import { RunError } from '../problems.ts'
import { Stencils } from '../stencil/cells.ts'
import { Schedule } from '../world/container.ts'
import type { Population } from '../world/population.ts'
import { at } from '../formula/runtime/operators.ts'
import { World } from '../world/world.ts'
import { WordTable } from '../world/word-table.ts'
import { eventKind, phase } from './events.ts'
import { Kernel } from './kernel.ts'
import { reactionsOf } from './reactions.ts'
import { worldSurface } from './surface.ts'
import { toNumber } from './surface/numbers.ts'
import type { Entries, Stores } from './entries.ts'
import type { ChainOptions } from '../chain/run.ts'
import { Clockwork } from './clockwork.ts'
import { clockworkCalls } from './clockwork/calls.ts'

export type Built = {
  world: World
  kernel: Kernel
  runtime: Runtime
  entries: Entries
  clockwork: Clockwork
  stores: Stores
  stencils: Stencils
  /** An item of a shared variable that is a list of numbers, for its generated code. RunError where there is none at the position. */
  item(variable: number, position: number, from: number, to: number): number
  populate(): void
}

type Options = {
  seed: number
  run: number
  epoch?: { ms: number; msPerTick: number }
  nativeFrom?: number
  chains?: ChainOptions
  /** Called when the variable with this index got its first value: what is given from outside takes its place. */ input(
    stores: Stores,
    index: number,
  ): void
}

export function build(program: Program, options: Options): Built {
  const { parts } = program.checked
  let kernel: Kernel | null = null
  let clockwork: Clockwork | null = null
  const world = new World({
    seed: options.seed,
    run: options.run,
    words: new WordTable(program.words),
    ...(options.epoch ? { epoch: options.epoch } : {}),
    hooks: {
      granted: (_holder, request) => kernel?.granted(request),
      preempted: (holder, request, how) => kernel?.preempted(holder, request, how),
      deliver: (watch, payload) => kernel?.watches.deliver(watch, payload),
      dying: (population, handle) => clockwork?.dying(population, handle),
      born: (population, handle) => clockwork?.born(population, handle),
      print: line => clockwork?.print(-1, line),
    },
  })
  addPopulations(world, program)
  kernel = new Kernel(world)
  const stores: Stores = {
    numbers: new Float64Array(parts.shared.length),
    flags: new Uint8Array(parts.shared.length),
    others: Array.from(parts.shared, () => null),
  }
  const runtime = createRuntime(world)
  for (const column of parts.tokenColumns) kernel.tokens.addColumn(column.storage)
  for (const entity of parts.entities)
    if (entity.processes.some(process => process.level === 'individual' && !program.rows.has(process.index)))
      kernel.own(world.population(entity.index))
  for (const entity of parts.entities) world.population(entity.index).isBare = isBare(program, entity)
  for (const part of parts.messages) {
    const { capacity, full } = part.element.fields
    world.mail.add({
      id: part.id,
      name: part.name,
      capacity: typeof capacity === 'number' ? capacity : Infinity,
      full: full === 'dropOld' || full === 'error' ? full : 'dropNew',
      lifetime: lifetimeOf(textOf(part.element, 'lifetime')),
    })
  }
  clockwork = new Clockwork(program, world, kernel, options.chains)
  const surface = clockworkCalls(worldSurface(world), clockwork, program.checked, world, kernel, stores)
  const stencils = new Stencils(program, world, stores, options.nativeFrom)
  const item = (variable: number, position: number, from: number, to: number): number => {
    const items = stores.others[variable]
    return toNumber(at(Array.isArray(items) ? items : [], position, from, to))
  }
  const made = Object.assign(surface, { stencils: stencils.byPopulation, item })
  const entries = evaluate(program, world, runtime, kernel, made)
  clockwork.begin(entries)
  connectKernel(program, kernel, entries)
  keep(world, kernel, stores, clockwork)
  const lifecycle = clockwork
  let isBound = false
  // Modules that keep references to the columns receive them once.
  const bind = (): void => {
    if (!isBound) entries.bind()
    isBound = true
  }
  return {
    world,
    kernel,
    runtime,
    entries,
    clockwork,
    stores,
    stencils,
    item,
    populate: () => populate(world, program.checked, entries, lifecycle, bind, index => options.input(stores, index)),
  }
}

/** Whether nothing can hang on an individual but its place. */
function isBare({ rows, checked: { parts } }: Program, entity: EntityPart): boolean {
  if (entity.kind !== 'agent' || parts.messages.length > 0 || parts.chains.length > 0 || parts.entities.some(one => one.kind === 'link'))
    return false
  return (
    entity.containers.every(container => container.level !== 'individual') &&
    entity.processes.every(process => process.level !== 'individual' || rows.has(process.index))
  )
}

/** Fills the world: first values, spaces, everyone there at the start. Throws RunError when a formula fails. */
function populate(
  world: World,
  checked: CheckedModel,
  entries: Entries,
  clockwork: Clockwork,
  bind: () => void,
  input: (index: number) => void,
): void {
  const { parts } = checked
  entries.early(input)
  addSpaces(world, checked, entries.bounds())
  for (const entity of parts.entities) if (entity.kind === 'link') joinNodes(world, entity)
  bind()
  entries.properties()
  entries.containers()
  clockwork.chains?.begin(entries)
  limitPopulations(world, entries)
  entries.populate()
  entries.late(input)
  schedule(world, parts, entries, clockwork)
  entries.begin()
}

type Make = (...given: readonly unknown[]) => Entries

/** Programs made into functions: a program's later runs begin with the code the engine has already optimised. */
const made = new WeakMap<Program, Make>()

/** The one place generated code is made into functions. It contains only what the emitters wrote. */
function evaluate(program: Program, ...given: readonly unknown[]): Entries {
  // oxlint-disable-next-line no-new-func
  const make = made.get(program) ?? (new Function('W', 'F', 'K', 'X', program.source) as Make)
  made.set(program, make)
  return make(...given)
}

const lifetimeOf = (text: string): number => (text.trim() === '' || !Number.isFinite(Number(text)) ? Infinity : Number(text))

function addPopulations(world: World, program: Program): void {
  for (const entity of program.checked.parts.entities) {
    const population = world.addPopulation(entity.id, entity.name, entity.kind)
    for (const variable of entity.variables) {
      const name = `v${variable.index}`
      if (variable.storage === 'number') population.numbers(name)
      else if (variable.storage === 'entity') population.entities(name)
      else if (variable.storage === 'bool') population.flags(name)
      else if (variable.storage === 'byte') population.flags(name)
      else if (variable.storage === 'word') population.coded(name)
      else population.anything(name, null)
    }
    addBuiltins(population, program, entity.index)
    if (entity.kind === 'link') {
      const { fields } = entity.element
      world.addLinks(population, {
        directed: fields['directed'] === true,
        repeatable: fields['repeatable'] === true,
        selfLinks: fields['selfLinks'] === true,
        duplicate: fields['duplicate'] === 'error' ? 'error' : 'existing',
      })
    }
  }
}

/** Built-in columns, where the program mentions them. */
function addBuiltins(population: Population, program: Program, p: number): void {
  const wants = (name: string): boolean => program.mentions.has(`p${p}_${name}`)
  if (wants('born')) population.numbers('born')
  if (wants('mother')) population.entities('mother')
  if (wants('color')) population.anything('color', null)
  if (wants('size')) population.numbers('size', 1)
  if (wants('shape')) population.anything('shape', null)
  if (wants('visible')) population.flags('visible', true)
  if (wants('thickness')) population.numbers('thickness', 1)
  if (wants('line_type')) population.anything('line_type', null)
}

function addSpaces(world: World, checked: CheckedModel, bounds: readonly number[][]): void {
  const { parts } = checked
  for (const space of parts.spaces) {
    const given = (bounds[space.index] ?? []).map(toNumber)
    const [min, max]: [number[], number[]] = [[], []]
    for (const [k, axis] of (space.three ? ['X', 'Y', 'Z'] : ['X', 'Y']).entries()) {
      const [low = Number.NaN, high = Number.NaN] = given.slice(2 * k, 2 * k + 2)
      if (!(low < high || (low === high && space.topology === 'discrete'))) throw placed(new RunError(10019), space.id, `max${axis}`)
      min.push(low)
      max.push(high)
    }
    const { border } = space.element.fields
    world.addSpace({
      id: space.id,
      name: space.name,
      topology: space.topology,
      min,
      max,
      wrapX: space.wrapX,
      wrapY: space.wrapY,
      border: border === 'reflect' || border === 'error' ? border : 'stop',
    })
  }
  for (const entity of parts.entities) {
    if (!entity.space) continue
    const space = world.space(entity.space.index)
    if (entity.kind === 'agent') space.admit(world.population(entity.index), isListed(checked, entity))
    const { capacity } = entity.element.fields
    if (entity.kind === 'cell' && typeof capacity === 'number') space.cellCapacity = capacity
  }
}

export function placed(error: RunError, id: string, field: string): RunError {
  error.at = { id, field }
  return error
}

function joinNodes(world: World, entity: EntityPart): void {
  const links = world.linksOf(world.population(entity.index))
  for (const node of [entity.source, entity.target]) {
    if (!node) continue
    for (const one of [node, ...node.derived]) links.join(world.population(one.index))
  }
}

function limitPopulations(world: World, entries: Entries): void {
  entries.maximums.forEach((maximum, p) => {
    if (maximum) world.population(p).maximum = toNumber(maximum())
  })
}

function connectKernel(program: Program, kernel: Kernel, entries: Entries): void {
  const { processes, steps } = program.checked.parts
  const catchers = new Map<number, { event: number; codes: string[] }[]>()
  for (const step of steps) {
    if (step.kind.id !== 'boundary' || step.element.fields['trigger'] !== 'error' || !step.host) continue
    const list = catchers.get(step.host.index) ?? []
    list.push({
      event: step.index,
      codes: textOf(step.element, 'codes')
        .split(/[\s,;]+/)
        .filter(code => code !== ''),
    })
    catchers.set(step.host.index, list)
  }
  const stepOf = new Map(steps.map(step => [step.id, step.index]))
  kernel.routines = {
    run: entries.run,
    prepare: entries.prepare,
    copy: entries.copy,
    copyOut: entries.copyOut,
    receive: entries.receive,
    conditions: entries.conditions,
    mayChange: reactionsOf(program.checked),
    fits: entries.fits,
    interrupt: entries.interrupt,
    catches: catchers.size > 0,
    catcher: (step, code) => catchers.get(step)?.find(({ codes }) => codes.length === 0 || codes.includes(code))?.event ?? -1,
    stepAt: () => stepOf.get(program.places[entries.place()]?.id ?? '') ?? -1,
    processOf: step => steps[step]?.process.index ?? -1,
  }
  for (const step of program.checked.scopes.outputs) {
    const { alternatives, operation } = step.element.fields
    if (step.kind.id === 'operate') kernel.asked[step.index] = alternatives === true && operation === 'request' ? 'row' : 'goods'
  }
  kernel.returned = (t, parent) => entries.returned(t, parent)
  kernel.processes = {
    entry: Int32Array.from(processes, process => (process.start ? process.start.index * 8 : -1)),
    population: Int32Array.from(processes, process => (process.level === 'individual' && process.entity ? process.entity.index : -1)),
    limit: entries.limits.map(limit => (limit ? (owner: number) => toNumber(limit(owner)) : () => Infinity)),
    limited: Uint8Array.from(entries.limits, limit => (limit ? 1 : 0)),
    busy: processes.map(({ element }) =>
      element.fields['busy'] === 'skip' || element.fields['busy'] === 'restart' ? element.fields['busy'] : 'queue',
    ),
  }
  kernel.joins.reach = reachTables(program.checked.parts)
}

/** For each inclusive or synchronizing join: from which steps each incoming flow can be reached without passing it. */
function reachTables(parts: Parts): Map<number, Map<number, boolean[]>> {
  const tables = new Map<number, Map<number, boolean[]>>()
  for (const join of parts.steps) {
    const { type } = join.element.fields
    if ((type !== 'inclusive' && type !== 'synchronizing') || join.incoming.length < 2) continue
    const table = new Map<number, boolean[]>()
    join.incoming.forEach((flow, k) => {
      const seen = new Set([flow.from])
      const stack = [flow.from]
      for (let step = stack.pop(); step; step = stack.pop()) {
        const row = table.get(step.index) ?? join.incoming.map(() => false)
        row[k] = true
        table.set(step.index, row)
        const before = step.host ? [step.host] : step.incoming.map(one => one.from)
        for (const one of before) {
          if (one === join || seen.has(one)) continue
          seen.add(one)
          stack.push(one)
        }
      }
    })
    tables.set(join.index, table)
  }
  return tables
}

function keep(world: World, kernel: Kernel, stores: Stores, clockwork: Clockwork): void {
  world.keep('shared', {
    save: values => ({
      numbers: stores.numbers.slice(),
      flags: stores.flags.slice(),
      others: stores.others.map(value => values.write(value)),
    }),
    load(state, values) {
      const { numbers, flags, others } = state as { numbers: Float64Array; flags: Uint8Array; others: readonly never[] }
      stores.numbers.set(numbers)
      stores.flags.set(flags)
      others.forEach((value, k) => {
        stores.others[k] = values.read(value)
      })
    },
  })
  world.keep('kernel', {
    save: values => kernel.save(value => values.write(value)),
    load: (state, values) => kernel.load(state, one => values.read(one)),
  })
  world.keep('clockwork', { save: values => clockwork.save(values), load: (state, values) => clockwork.load(state, values) })
}

/** Capacity schedules: the capacity now, and an event at each change. */
function schedule(world: World, parts: Parts, entries: Entries, clockwork: Clockwork): void {
  for (const part of parts.containers) {
    const rows = entries.schedules[part.index]
    if (!rows) continue
    const { period } = part.element.fields
    const plan = new Schedule(
      rows().map(row => ({ time: toNumber(row.time), capacity: toNumber(row.capacity) })),
      typeof period === 'number' && period > 0 ? period : null,
    )
    clockwork.follow(part.index, plan)
    const next = plan.after(0)
    if (next < Infinity) world.calendar.schedule(next, phase.timer, -1e9, eventKind.schedule, part.index, 0)
  }
}
