// Run -> Frame: what the views draw. Reads only; every array is fresh, so that it can be handed to the page without copying.
import type { CheckedModel } from './check/checked.ts'
import type { EntityPart, StatisticPart, VariablePart } from './check/parts.ts'
import { parseColor } from './observe/color.ts'
import type { ContainerState, Frame, Layer, Loaded, Plain, RunState } from './messages.ts'
import { empty, shapes } from './messages.ts'
import { RunError } from './problems.ts'
import type { Run } from './run.ts'
import { plain } from './run/statistics.ts'

/** What stays the same for a whole load. */
export function describe(run: Run, load: number): Loaded {
  const { parts } = run.program.checked
  const { world } = run
  const text = (value: unknown): string => (typeof value === 'string' ? value : '')
  return {
    load,
    spaces: world.spaces.map((space, k) => ({
      id: space.id,
      name: space.name,
      topology: parts.spaces[k]?.topology ?? 'discrete',
      minX: space.minX,
      maxX: space.maxX,
      minY: space.minY,
      maxY: space.maxY,
      wrapX: space.wrapX,
      wrapY: space.wrapY,
      ...(space.is3D && { minZ: space.minZ, maxZ: space.maxZ }),
    })),
    populations: drawn(parts.entities).map(entity => ({
      id: entity.id,
      name: entity.name,
      kind: entity.kind,
      space: spaceOf(entity)?.id ?? null,
      color: text(entity.element.fields['color']),
      shape: text(entity.element.fields['shape']),
    })),
    charts: parts.charts.map(chart => ({ id: chart.id, series: seriesOf(chart.fields['series']) })),
    statistics: parts.statistics.map(part => ({ id: part.id, name: part.entity ? `${part.entity.name}.${part.name}` : part.name })),
    ...(parts.chains.length > 0 && { chains: parts.chains.map(({ id, name }) => ({ id, name })) }),
    publics: parts.shared
      .filter(variable => variable.public)
      .map(variable => ({
        id: variable.id,
        name: variable.entity ? `${variable.entity.name}.${variable.name}` : variable.name,
        value: run.value(variable.id),
      })),
    seed: run.seed,
  }
}

const drawn = (entities: readonly EntityPart[]): EntityPart[] => entities.filter(entity => entity.form !== 'observer')

/** Links lie in the space of what they join. */
const spaceOf = (entity: EntityPart): { id: string; index: number } | null =>
  entity.space ?? (entity.kind === 'link' ? (entity.source?.space ?? null) : null)

function seriesOf(rows: unknown): { label: string; color: string }[] {
  if (!Array.isArray(rows)) return []
  return rows.map((row: unknown) => {
    const { label, value, color } = (row ?? {}) as { label?: unknown; value?: unknown; color?: unknown }
    return {
      label: typeof label === 'string' && label !== '' ? label : typeof value === 'string' ? value : '',
      color: typeof color === 'string' ? color : '',
    }
  })
}

/** Numbers and truth values: what a pill on the canvas has room for. */
const isFigure = ({ storage }: VariablePart): boolean => storage === 'number' || storage === 'byte' || storage === 'bool'

/** With more tokens than this none is shown by itself. */
const mostShown = 300

/** The run as it is now. Chart rows are those recorded since the last call. */
export function observe(run: Run, load: number, state: RunState, output: Frame['output'], rewound: boolean): Frame {
  const { parts } = run.program.checked
  const { built, statistics, charts } = run.inner
  const { world, kernel } = built
  const values: Record<string, Plain> = {}
  for (const part of parts.statistics) values[part.id] = isDueAtEnd(run, part) ? worthNow(run, part) : plain(statistics.value(part.index))
  for (const variable of parts.shared) if (variable.public || isFigure(variable)) values[variable.id] = run.value(variable.id)
  const tokens: Record<string, number> = {}
  const standing: [number, string][] = []
  for (let t = 0; t < kernel.tokens.top; t++) {
    const pc = kernel.tokens.pc[t]!
    const step = pc >= 0 && pc % 8 !== 7 ? parts.steps[pc >> 3] : undefined
    if (!step) continue
    tokens[step.id] = (tokens[step.id] ?? 0) + 1
    if (standing.length <= mostShown) standing.push([kernel.tokens.serial[t]!, step.id])
  }
  const { startTime } = parts.scenario.fields
  return {
    load,
    tick: run.tick,
    time: run.time,
    now: parts.scenario.fields['timing'] === 'calendar' && typeof startTime === 'string' ? nowOf(run) : null,
    state,
    layers: drawn(parts.entities).flatMap(entity => layerOf(run, entity) ?? []),
    series: charts.take(world),
    values,
    containers: parts.containers.filter(part => part.level !== 'individual').flatMap(part => containerState(run, part.index, part.id)),
    tokens,
    standing: standing.length > mostShown ? null : standing,
    output,
    rewound,
  }
}

/** Individuals that formulas may go through for a frame. */
const mostLookedAt = 20_000

/** What one sample is worth is the sample itself. */
const ofOneSample: ReadonlySet<unknown> = new Set(['last', 'mean', 'sum', 'min', 'max', 'median', 'quantile', undefined])

/** Whether the statistic has its only sample yet to come, and can be worked out before without a trace in the run. */
function isDueAtEnd({ result, world, program: { checked } }: Run, { id, element, over }: StatisticPart): boolean {
  if (result !== null || element.fields['sample'] !== 'end') return false
  if (over === null && !ofOneSample.has(element.fields['aggregate'])) return false
  return (
    harmless(checked).has(id) && checked.parts.entities.reduce((sum, { index }) => sum + world.population(index).count, 0) <= mostLookedAt
  )
}

/** No value where the formula has none, as at the end. */
function worthNow(run: Run, { id }: StatisticPart): Plain {
  try {
    return run.measure(id)
  } catch (error) {
    if (error instanceof RunError) return null
    throw error
  }
}

const known = new WeakMap<CheckedModel, ReadonlySet<string>>()

/** Statistics with formulas that draw nothing at random, change nothing, and call no function, which may take any time. */
function harmless(checked: CheckedModel): ReadonlySet<string> {
  let found = known.get(checked)
  if (!found) {
    const all = new Set(checked.parts.statistics.map(({ id }) => id))
    for (const { id, inferred } of checked.formulas.values())
      if (inferred.draws || inferred.writes.length > 0 || inferred.mayCreate || inferred.functions.length > 0) all.delete(id)
    known.set(checked, (found = all))
  }
  return found
}

function nowOf(run: Run): number | null {
  try {
    return run.world.now(0, 0).ms
  } catch (error) {
    if (error instanceof RunError) return null
    throw error
  }
}

function containerState(run: Run, index: number, id: string): ContainerState[] {
  const [container] = run.inner.built.clockwork.containersOf(index)
  if (!container) return []
  const keys = container.plan.contents === 'keyed' ? container.keys() : [undefined]
  const sum = (read: (key: string | undefined) => number): number => keys.reduce((total, key) => total + read(key), 0)
  const capacity = sum(key => container.capacity(key))
  const utilization = container.utilization(run.time)
  return [
    {
      id,
      level: sum(key => container.level(key)),
      inUse: sum(key => container.inUse(key)),
      capacity: Number.isFinite(capacity) ? capacity : null,
      queue: container.queueLength,
      utilization: Number.isFinite(utilization) ? utilization : 0,
    },
  ]
}

function layerOf(run: Run, entity: EntityPart): Layer | null {
  if (entity.kind === 'cell') return cellLayer(run, entity)
  return entity.kind === 'link' ? linkLayer(run, entity) : agentLayer(run, entity)
}

/** The colour of what has none, or none that can be read. */
const unpainted = 0x8899aa

/** Colours of the slots of a population, from its own column where the model sets one. */
function colorOf(run: Run, entity: EntityPart): (slot: number) => number {
  const initial = parseColor(entity.element.fields['color']) ?? unpainted
  const column = run.world.population(entity.index).columns.get('color')
  if (column?.type !== 'any') return () => initial
  const { data } = column
  return slot => {
    const value = data[slot]
    return value === null || value === undefined ? initial : (parseColor(value) ?? initial)
  }
}

function numbersOf(run: Run, entity: EntityPart, name: string, initial: number): (slot: number) => number {
  const column = run.world.population(entity.index).columns.get(name)
  if (!column || column.type === 'any') return () => initial
  const { data } = column
  return slot => data[slot]! * initial
}

function cellLayer(run: Run, entity: EntityPart): Layer | null {
  const space = entity.space ? run.world.space(entity.space.index) : null
  if (!space) return null
  const { columns, rows, layers } = space.grid
  const population = run.world.population(entity.index)
  const count = Math.min(population.count, columns * rows * layers)
  const colors = new Uint32Array(columns * rows * layers)
  const color = colorOf(run, entity)
  for (let slot = 0; slot < count; slot++) colors[slot] = color(slot)
  const layer = { kind: 'cell' as const, population: entity.id, columns, rows, minX: space.grid.minX, minY: space.grid.minY, colors }
  if (!space.is3D) return layer
  // One would see nothing but the outside of a block: cells that look as they did at first are air.
  const air = parseColor(entity.element.fields['color']) ?? unpainted
  const visible = population.columns.get('visible')
  for (let slot = 0; slot < colors.length; slot++) if (colors[slot] === air || visible?.data[slot] === 0) colors[slot] = empty
  return { ...layer, layers, minZ: space.grid.minZ }
}

/** Whether there are links that may join this population: its individuals are then sent even without a position. */
function isJoined(run: Run, entity: EntityPart): boolean {
  const { world } = run
  const joins = (one: EntityPart): boolean => {
    const population = world.population(one.index)
    return population.livingCount > 0 && world.linksOf(population).joined.some(nodes => nodes.population.index === entity.index)
  }
  return run.program.checked.parts.entities.some(one => one.kind === 'link' && joins(one))
}

function agentLayer(run: Run, entity: EntityPart): Layer | null {
  const population = run.world.population(entity.index)
  const residents = run.world.residents(population)
  const joined = isJoined(run, entity)
  if (!residents && !joined) return null
  const visible = population.columns.get('visible')
  const shown: number[] = []
  const nowhere: number[] = []
  for (let k = 0; k < population.livingCount; k++) {
    const slot = population.living[k]!
    if (population.handles[slot]! < 0 || (visible && visible.data[slot] === 0)) continue
    if (residents && residents.bucket[slot]! >= 0) shown.push(slot)
    else if (joined) nowhere.push(slot)
  }
  const count = shown.length
  for (const slot of nowhere) shown.push(slot)
  const all = shown.length
  const z = residents?.space.is3D ? new Float32Array(count) : undefined
  const layer = {
    kind: 'agent' as const,
    population: entity.id,
    count,
    ids: new Float64Array(all),
    x: new Float32Array(count),
    y: new Float32Array(count),
    ...(z && { z }),
    heading: new Float32Array(all),
    size: new Float32Array(all),
    colors: new Uint32Array(all),
    shapes: new Uint8Array(all),
  }
  const { fields } = entity.element
  const color = colorOf(run, entity)
  const size = numbersOf(run, entity, 'size', typeof fields['size'] === 'number' ? fields['size'] : 1)
  const initialShape = Math.max(
    0,
    shapes.findIndex(shape => shape === fields['shape']),
  )
  const shapeColumn = population.columns.get('shape')
  shown.forEach((slot, k) => {
    layer.ids[k] = population.handles[slot]!
    if (residents && k < count) {
      layer.x[k] = residents.x[slot]!
      layer.y[k] = residents.y[slot]!
      layer.heading[k] = residents.heading[slot]!
      if (z) z[k] = residents.z[slot]!
    }
    layer.size[k] = size(slot)
    layer.colors[k] = color(slot)
    const own = shapeColumn ? shapes.findIndex(shape => shape === shapeColumn.data[slot]) : -1
    layer.shapes[k] = own >= 0 ? own : initialShape
  })
  return layer
}

/** The position of a node, into `place`; false = none. */
type Locate = (slot: number, place: Float64Array) => boolean

function locator(run: Run, index: number): Locate {
  const { world } = run
  const node = world.population(index)
  const part = run.program.checked.parts.entities[index]
  if (node.kind === 'cell') {
    const space = part?.space ? world.space(part.space.index) : null
    return (slot, place) => {
      if (!space) return false
      place[0] = space.cellX(slot)
      place[1] = space.cellY(slot)
      place[2] = space.grid.z(slot)
      return true
    }
  }
  const residents = world.residents(node)
  return (slot, place) => {
    if (!residents || residents.bucket[slot]! < 0) return false
    place[0] = residents.x[slot]!
    place[1] = residents.y[slot]!
    place[2] = residents.space.is3D ? residents.z[slot]! : 0
    return true
  }
}

function linkLayer(run: Run, entity: EntityPart): Layer | null {
  const { world } = run
  const { parts } = run.program.checked
  const population = world.population(entity.index)
  const links = world.linksOf(population)
  const ends = links.joined.map(nodes => nodes.population)
  const placeOf = new Map(ends.map((node, i) => [node.index, i]))
  const locators = new Map(ends.map(node => [node.index, locator(run, node.index)]))
  const from = new Float64Array(3)
  const to = new Float64Array(3)
  const shown: number[] = []
  const nowhere: number[] = []
  const places: number[] = []
  let deep = false
  for (let k = 0; k < population.livingCount; k++) {
    const slot = population.living[k]!
    if (population.handles[slot]! < 0) continue
    const begins = locators.get(links.sourcePopulation[slot]!)
    const stops = locators.get(links.targetPopulation[slot]!)
    if (begins?.(links.source[slot]!, from) && stops?.(links.target[slot]!, to)) {
      shown.push(slot)
      places.push(from[0]!, from[1]!, to[0]!, to[1]!, from[2]!, to[2]!)
      deep ||= from[2] !== 0 || to[2] !== 0
    } else nowhere.push(slot)
  }
  const count = shown.length
  for (const slot of nowhere) shown.push(slot)
  if (shown.length === 0) return null
  const column = (pick: number): Float32Array => Float32Array.from({ length: count }, (_, k) => places[6 * k + pick]!)
  const color = colorOf(run, entity)
  const { thickness: initial } = entity.element.fields
  const thickness = numbersOf(run, entity, 'thickness', typeof initial === 'number' ? initial : 1)
  const id = (index: number, slot: number): number =>
    world.population(index).kind === 'cell' ? slot : world.population(index).handles[slot]!
  return {
    kind: 'link',
    population: entity.id,
    count,
    x1: column(0),
    y1: column(1),
    x2: column(2),
    y2: column(3),
    ...(deep && { z1: column(4), z2: column(5) }),
    colors: Uint32Array.from(shown, color),
    thickness: Float32Array.from(shown, thickness),
    populations: ends.map(node => parts.entities[node.index]?.id ?? ''),
    from: Float64Array.from(shown, slot => id(links.sourcePopulation[slot]!, links.source[slot]!)),
    to: Float64Array.from(shown, slot => id(links.targetPopulation[slot]!, links.target[slot]!)),
    fromOf: Uint8Array.from(shown, slot => placeOf.get(links.sourcePopulation[slot]!) ?? 0),
    toOf: Uint8Array.from(shown, slot => placeOf.get(links.targetPopulation[slot]!) ?? 0),
  }
}

/** The arrays of a frame that may be handed over instead of copied. */
export function transferables(frame: Frame): ArrayBuffer[] {
  const found: ArrayBuffer[] = []
  const add = (value: unknown): void => {
    if (ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer) found.push(value.buffer)
  }
  for (const layer of frame.layers) for (const value of Object.values(layer)) add(value)
  for (const series of frame.series) {
    if (!('x' in series)) continue
    add(series.x)
    for (const column of series.columns) add(column)
  }
  return found
}
