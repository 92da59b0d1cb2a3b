// Values of statistics during a run, and of public variables at its border. A statistic over a population gives a
// value at each sample; one without aggregates its samples over time.
import { EngineFault } from '../kernel/fault.ts'
import type { Parts, StatisticPart, VariablePart } from '../check/parts.ts'
import { show } from '../formula/runtime/show.ts'
import { FormulaDate, FormulaDict, FormulaRange, FormulaSet, Ref, Tuple } from '../formula/runtime/values.ts'
import type { State, ValueReader, ValueWriter } from '../kernel/snapshot.ts'
import { recordOf } from '../kernel/snapshot.ts'
import type { Plain } from '../messages.ts'
import { giniOf } from '../kernel/descriptive.ts'
import { Samples, Tally, TimeWeighted } from '../world/statistics.ts'
import type { World } from '../world/world.ts'
import type { Entries, Stores } from './entries.ts'

type Over = {
  part: StatisticPart
  sample: string
  kind: string
  aggregate: string
  timed: boolean
  tally: Tally
  weighted: TimeWeighted | null
  samples: Samples | null
  value: unknown
}

export class StatisticsOf {
  readonly #all: Over[]
  readonly #entries: Entries
  readonly #world: World

  constructor(parts: Parts, entries: Entries, world: World) {
    this.#entries = entries
    this.#world = world
    this.#all = parts.statistics.map(part => {
      const { sample, kind, aggregate } = part.element.fields
      const how = String(aggregate ?? 'last')
      const timed = part.over === null && how !== 'last'
      const keeps = timed && ['median', 'quantile', 'gini', 'histogram', 'list'].includes(how)
      return {
        part,
        sample: String(sample ?? 'tick'),
        kind: String(kind ?? 'tally'),
        aggregate: how,
        timed,
        tally: new Tally(),
        weighted: null,
        samples: keeps ? new Samples() : null,
        value: null,
      }
    })
  }

  get size(): number {
    return this.#all.length
  }

  /** Takes samples of all statistics that are due now. With `failed` one that fails has no value, and the others are taken. */
  sample(due: (part: StatisticPart, sample: string) => boolean, failed?: (error: unknown, part: StatisticPart) => void): void {
    this.#all.forEach((one, k) => {
      if (!due(one.part, one.sample)) return
      let value: unknown = null
      try {
        value = this.#entries.statistics[k]!()
      } catch (error) {
        if (!failed) throw error
        failed(error, one.part)
      }
      one.value = value
      if (!one.timed && one.kind !== 'time') return
      const number = typeof value === 'boolean' ? Number(value) : value
      if (typeof number !== 'number') return
      one.tally.add(number)
      one.samples?.add(number)
      if (one.kind !== 'time') return
      if (one.weighted) one.weighted.set(number)
      else one.weighted = new TimeWeighted(this.#world, number)
    })
  }

  /** The value a statistic shows: of the last sample, or over all samples. */
  value(k: number): unknown {
    const one = this.#all[k]
    if (!one) return null
    const { time } = this.#world
    if (one.kind === 'time' && one.weighted && (one.aggregate === 'last' || one.aggregate === 'mean' || one.part.over))
      return one.weighted.mean(time)
    if (!one.timed) return one.value
    const { tally, weighted, samples } = one
    if (one.aggregate === 'count') return tally.count
    if (tally.count === 0) return null
    switch (one.aggregate) {
      case 'sum':
        return one.kind === 'time' && weighted ? weighted.integral(time) : tally.sum
      case 'min':
        return tally.min
      case 'max':
        return tally.max
      case 'std':
        return one.kind === 'time' && weighted ? Math.sqrt(weighted.variance(time)) : tally.std
      case 'var':
        return one.kind === 'time' && weighted ? weighted.variance(time) : tally.variance
      case 'median':
        return samples?.quantile(0.5) ?? null
      case 'quantile':
        return samples?.quantile(Number(one.part.element.fields['quantile'] ?? 0.5)) ?? null
      case 'gini':
        return samples ? giniOf(samples.values()) : null
      case 'list':
      case 'histogram':
        return samples ? [...samples.values()] : null
      default:
        return tally.mean
    }
  }

  /** The run ended before its warm-up did: there is nothing to show. */
  clear(): void {
    this.reset()
    for (const one of this.#all) {
      one.value = null
      one.weighted = null
    }
  }

  /** The end of the warm-up: what was sampled so far is forgotten. */
  reset(): void {
    for (const one of this.#all) {
      one.tally.reset()
      one.samples?.reset()
      one.weighted?.reset(this.#world.time)
    }
  }

  save(values: ValueWriter): State {
    return this.#all.map(one => ({
      tally: one.tally.save(),
      samples: one.samples?.save() ?? null,
      weighted: one.weighted?.save() ?? null,
      value: values.write(one.value ?? null),
    }))
  }

  load(state: State, values: ValueReader): void {
    if (!Array.isArray(state)) throw new EngineFault('statistics: a damaged snapshot')
    this.#all.forEach((one, k) => {
      const kept = recordOf(state[k] ?? null)
      one.tally.load(kept['tally'] ?? null)
      one.samples?.load(kept['samples'] ?? null)
      one.weighted = null
      if (kept['weighted'] !== null && kept['weighted'] !== undefined) {
        one.weighted = new TimeWeighted(this.#world, 0)
        one.weighted.load(kept['weighted'])
      }
      one.value = values.read(kept['value'] ?? null)
    })
  }
}

/** A value as it crosses the border. */
export function plain(value: unknown, depth = 0): Plain {
  if (value === null || value === undefined) return null
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'bigint') return value.toString()
  if (depth > 8) return show(value)
  if (Array.isArray(value)) return value.map(item => plain(item, depth + 1))
  if (value instanceof Tuple) return value.items.map(item => plain(item, depth + 1))
  if (value instanceof FormulaSet) return value.items().map(item => plain(item, depth + 1))
  if (value instanceof FormulaDict)
    return Object.fromEntries(value.items().map(({ items: [key, item] }) => [show(key), plain(item, depth + 1)]))
  if (value instanceof FormulaRange || value instanceof FormulaDate || value instanceof Ref) return show(value)
  return show(value)
}

/** A value from outside, as formulas keep it. */
function fromPlain(value: Plain): unknown {
  if (Array.isArray(value)) return value.map(fromPlain)
  if (value !== null && typeof value === 'object') {
    const made = new FormulaDict()
    for (const [key, item] of Object.entries(value)) made.set(key, fromPlain(item))
    return made
  }
  return value
}

export function sharedValue(variable: VariablePart, stores: Stores, world: World): unknown {
  if (variable.storage === 'number') return stores.numbers[variable.index]
  if (variable.storage === 'bool') return stores.flags[variable.index] !== 0
  if (variable.storage === 'entity') {
    const population =
      variable.type.is === 'entity' && variable.type.of !== null
        ? world.populations.find(one => one.id === (variable.type.is === 'entity' ? variable.type.of : null))
        : undefined
    return population ? world.ref(population, stores.numbers[variable.index]!) : null
  }
  return stores.others[variable.index]
}

/** Sets a shared variable from outside; false when the value is not of its type. */
export function setShared(variable: VariablePart, stores: Stores, value: Plain): boolean {
  if (variable.storage === 'number') {
    const number = typeof value === 'boolean' ? Number(value) : value
    if (typeof number !== 'number' || !Number.isFinite(number)) return false
    stores.numbers[variable.index] = number
    return true
  }
  if (variable.storage === 'bool') {
    if (typeof value !== 'boolean' && value !== 0 && value !== 1) return false
    stores.flags[variable.index] = value ? 1 : 0
    return true
  }
  if (variable.storage === 'entity') return false
  stores.others[variable.index] = fromPlain(value)
  return true
}
