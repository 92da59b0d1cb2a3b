// Run -> Frame: what the views draw. Reads only; every array is fresh, so that it can be handed to the page without copying.
import type { EntityPart } from './check/parts.ts'
import { parseColor } from './observe/color.ts'
import type { ContainerState, Frame, Layer, Loaded, Plain, RunState } from './messages.ts'
import { shapes } from './messages.ts'
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

/** The run as it is now. Chart rows are those recorded since the last call. */
export function observe(run: Run, load: number, state: RunState, output: Frame['output'], rewound: boolean): Frame {
  const { parts } = run.program.checked
  const { built, statistics, charts } = run.inner
  const { world, kernel } = built
  const values: Record<string, Plain> = {}
  for (const part of parts.statistics) values[part.id] = plain(statistics.value(part.index))
  for (const variable of parts.shared) if (variable.public) values[variable.id] = run.value(variable.id)
  const tokens: Record<string, number> = {}
  for (let t = 0; t < kernel.tokens.top; t++) {
    const pc = kernel.tokens.pc[t]!
    const step = pc >= 0 && pc % 8 !== 7 ? parts.steps[pc >> 3] : undefined
    if (step) tokens[step.id] = (tokens[step.id] ?? 0) + 1
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
    output,
    rewound,
  }
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

/** Colours of the slots of a population, from its own column where the model sets one. */
function colorOf(run: Run, entity: EntityPart): (slot: number) => number {
  const initial = parseColor(entity.element.fields['color']) ?? 0x8899aa
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
  const { columns, rows } = space
  const count = Math.min(run.world.population(entity.index).count, columns * rows)
  const colors = new Uint32Array(columns * rows)
  const color = colorOf(run, entity)
  for (let slot = 0; slot < count; slot++) colors[slot] = color(slot)
  return { kind: 'cell', population: entity.id, columns, rows, minX: space.grid.minX, minY: space.grid.minY, colors }
}

function agentLayer(run: Run, entity: EntityPart): Layer | null {
  const population = run.world.population(entity.index)
  const residents = run.world.residents(population)
  if (!residents) return null
  const visible = population.columns.get('visible')
  const shown: number[] = []
  for (let k = 0; k < population.livingCount; k++) {
    const slot = population.living[k]!
    if (population.handles[slot]! < 0 || residents.bucket[slot]! < 0) continue
    if (visible && visible.data[slot] === 0) continue
    shown.push(slot)
  }
  const count = shown.length
  const layer = {
    kind: 'agent' as const,
    population: entity.id,
    count,
    ids: new Float64Array(count),
    x: new Float32Array(count),
    y: new Float32Array(count),
    heading: new Float32Array(count),
    size: new Float32Array(count),
    colors: new Uint32Array(count),
    shapes: new Uint8Array(count),
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
    layer.x[k] = residents.x[slot]!
    layer.y[k] = residents.y[slot]!
    layer.heading[k] = residents.heading[slot]!
    layer.size[k] = size(slot)
    layer.colors[k] = color(slot)
    const own = shapeColumn ? shapes.findIndex(shape => shape === shapeColumn.data[slot]) : -1
    layer.shapes[k] = own >= 0 ? own : initialShape
  })
  return layer
}

function linkLayer(run: Run, entity: EntityPart): Layer | null {
  const { world } = run
  const population = world.population(entity.index)
  const links = world.linksOf(population)
  const color = colorOf(run, entity)
  const thickness = numbersOf(
    run,
    entity,
    'thickness',
    typeof entity.element.fields['thickness'] === 'number' ? entity.element.fields['thickness'] : 1,
  )
  const rows: [number, number, number, number, number][] = []
  const at = (populationIndex: number, slot: number): [number, number] | null => {
    const node = world.population(populationIndex)
    const part = run.program.checked.parts.entities[populationIndex]
    if (node.kind === 'cell')
      return part?.space ? [world.space(part.space.index).cellX(slot), world.space(part.space.index).cellY(slot)] : null
    const residents = world.residents(node)
    return residents && residents.bucket[slot]! >= 0 ? [residents.x[slot]!, residents.y[slot]!] : null
  }
  for (let k = 0; k < population.livingCount; k++) {
    const slot = population.living[k]!
    if (population.handles[slot]! < 0) continue
    const from = at(links.sourcePopulation[slot]!, links.source[slot]!)
    const to = at(links.targetPopulation[slot]!, links.target[slot]!)
    if (from && to) rows.push([...from, ...to, slot])
  }
  if (rows.length === 0) return null
  const column = (pick: number): Float32Array => Float32Array.from(rows, row => row[pick]!)
  return {
    kind: 'link',
    population: entity.id,
    count: rows.length,
    x1: column(0),
    y1: column(1),
    x2: column(2),
    y2: column(3),
    colors: Uint32Array.from(rows, row => color(row[4])),
    thickness: Float32Array.from(rows, row => thickness(row[4])),
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
