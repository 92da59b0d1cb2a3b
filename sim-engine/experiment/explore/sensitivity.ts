// What outputs depend on: elementary effects (Morris 1991; Campolongo, Cariboni, Saltelli 2007) and Sobol's indices of variance (Janon,
// Klein, Lagnoux, Nodet, Prieur 2014 for the first order, Jansen 1999 for the total), with bootstrap intervals.
import { below, type Stream } from '../../kernel/random.ts'
import { meanOf, quantileOf, sampleVarianceOf } from '../../kernel/descriptive.ts'
import { shares, type MorrisPath } from './designs.ts'

export type ElementaryEffects = {
  /** Mean of the effects, of their absolute values, and standard deviation, per unit of the range. */
  mean: number
  absolute: number
  std: number
  /** Standard error of `absolute`. */
  error: number
}

/** `outputs[path][point]`; one entry a coordinate. Paths with a failed run are left out. */
export function elementaryEffects(
  paths: readonly MorrisPath[],
  outputs: readonly (readonly number[])[],
  dimensions: number,
): ElementaryEffects[] {
  const effects: number[][] = Array.from({ length: dimensions }, () => [])
  paths.forEach(({ order, steps }, p) => {
    const values = outputs[p]!
    if (!values.every(Number.isFinite)) return
    order.forEach((k, i) => effects[k]!.push((values[i + 1]! - values[i]!) / steps[i]!))
  })
  return effects.map(list => {
    const mean = meanOf(list)
    const absolute = meanOf(list.map(Math.abs))
    return { mean, absolute, std: spreadOf(list), error: spreadOf(list.map(Math.abs)) / Math.sqrt(list.length) }
  })
}

/**
 * The points of Saltelli's scheme as shares of each range, `n` blocks of dimensions + 2: A, AB_1 ... AB_d (A with coordinate i of B), B.
 */
export function saltelliPoints(dimensions: number, n: number, random: Stream): Float64Array[] {
  return shares(n, 2 * dimensions, random).flatMap(both => {
    const a = both.slice(0, dimensions)
    const b = both.slice(dimensions)
    const mixed = Array.from({ length: dimensions }, (_, k) => {
      const point = a.slice()
      point[k] = b[k]!
      return point
    })
    return [a, ...mixed, b]
  })
}

export type SobolIndex = { first: number; total: number; firstInterval: [number, number]; totalInterval: [number, number] }

/** Indices from outputs in the order of `saltelliPoints`; blocks with a failed run are left out. `level`: of the bootstrap intervals. */
export function sobolIndices(outputs: readonly number[], dimensions: number, level: number, random: Stream): SobolIndex[] {
  const width = dimensions + 2
  const blocks: (readonly number[])[] = []
  for (let i = 0; i + width <= outputs.length; i += width) {
    const block = outputs.slice(i, i + width)
    if (block.every(Number.isFinite)) blocks.push(block)
  }
  const resamples = 300
  const all = estimate(blocks, dimensions)
  const drawn = Array.from({ length: resamples }, () =>
    estimate(
      blocks.map(() => blocks[below(random, blocks.length)]!),
      dimensions,
    ),
  )
  const interval = (read: (indices: { first: number; total: number }[]) => number): [number, number] => {
    const sorted = Float64Array.from(drawn, read).sort()
    return [quantileOf(sorted, (1 - level) / 2), quantileOf(sorted, (1 + level) / 2)]
  }
  return all.map(({ first, total }, k) => ({
    first,
    total,
    firstInterval: interval(indices => indices[k]!.first),
    totalInterval: interval(indices => indices[k]!.total),
  }))
}

function estimate(blocks: readonly (readonly number[])[], dimensions: number): { first: number; total: number }[] {
  const n = blocks.length
  let sum = 0
  let squares = 0
  for (const block of blocks) {
    const a = block[0]!
    const b = block[dimensions + 1]!
    sum += a + b
    squares += a * a + b * b
  }
  // Centred first: large means would cost all digits.
  const mean = sum / (2 * n)
  const variance = squares / (2 * n) - mean * mean
  return Array.from({ length: dimensions }, (_, k) => {
    // Both share coordinate k only: their correlation is the first order, with the mean and variance of the two together.
    let common = 0
    let both = 0
    let pooled = 0
    let total = 0
    for (const block of blocks) {
      const b = block[dimensions + 1]! - mean
      const mixed = block[k + 1]! - mean
      common += b * mixed
      both += b + mixed
      pooled += b * b + mixed * mixed
      total += (block[0]! - mean - mixed) ** 2
    }
    const center = (both / (2 * n)) ** 2
    const spread = pooled / (2 * n) - center
    return variance > 0 && spread > 0
      ? { first: (common / n - center) / spread, total: total / (2 * n) / variance }
      : { first: 0, total: 0 }
  })
}

const spreadOf = (values: readonly number[]): number => Math.sqrt(sampleVarianceOf(values))
