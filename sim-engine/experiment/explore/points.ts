// The points of an exploration by its design, from a stream of the experiment's own seed.
import { stream } from '../../kernel/random.ts'
import { coordinateOf } from '../decisions.ts'
import { valueAt, type Point } from '../optimise/search.ts'
import type { Prepared } from '../prepare.ts'
import { factorial, factorialCount, fractionalFactorial, latinHypercube, lowDiscrepancy, morrisPaths, type MorrisPath } from './designs.ts'
import { saltelliPoints } from './sensitivity.ts'

/** How many points an exploration has, without making them. */
export function pointCount(prepared: Prepared): number {
  const { experiment, space } = prepared
  const dimensions = space.domains.length
  switch (experiment.design) {
    case 'live':
      return 0
    case 'factorial':
      return factorialCount(space, experiment.levels)
    case 'fractional':
      return fractionalFactorial(space).length
    case 'table':
      return tablePoints(prepared).length
    case 'morris':
      return experiment.paths * (dimensions + 1)
    case 'sobolIndices':
      return experiment.samples * (dimensions + 2)
    default:
      return experiment.samples
  }
}

export function explored(prepared: Prepared): Point[] {
  const { experiment, space } = prepared
  const random = stream(experiment.seed, 0, 'design')
  const dimensions = space.domains.length
  const atShares = (shares: readonly Float64Array[]): Point[] =>
    shares.map(share => Float64Array.from(space.domains, (domain, k) => valueAt(domain, share[k]!)))
  switch (experiment.design) {
    case 'live':
      return []
    case 'factorial':
      return factorial(space, experiment.levels)
    case 'fractional':
      return fractionalFactorial(space)
    case 'latinHypercube':
      return latinHypercube(space, experiment.samples, random)
    case 'sobolSequence':
      return lowDiscrepancy(space, experiment.samples, random)
    case 'table':
      return tablePoints(prepared)
    case 'morris':
      return atShares(morrisOf(prepared).flatMap(({ points }) => points))
    case 'sobolIndices':
      return atShares(saltelliPoints(dimensions, experiment.samples, random))
  }
}

export const morrisOf = ({ experiment, space }: Prepared): MorrisPath[] =>
  morrisPaths(space.domains.length, experiment.levels, experiment.paths, stream(experiment.seed, 0, 'design'))

/** Points of the table: a column for each decision variable by its name; those without one stay at the middle of their range. Bad lines are left out. */
function tablePoints({ experiment, free, space }: Prepared): Point[] {
  const lines = experiment.table.split(/\r?\n/).map(line => line.split(',').map(cell => cell.trim()))
  const [head = [], ...rows] = lines.filter(line => line.some(cell => cell !== ''))
  const columns = free.map(({ name }) => head.indexOf(name))
  const middle = space.domains.map(domain => valueAt(domain, 0.5))
  return rows.flatMap(row => {
    const coordinates = free.map(({ domain }, k) => (columns[k]! < 0 ? middle[k]! : coordinateOf(domain, row[columns[k]!] ?? '')))
    return coordinates.some(value => value === null) ? [] : [Float64Array.from(coordinates, Number)]
  })
}
