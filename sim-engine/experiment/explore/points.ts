// The points of an exploration by its design, from a stream of the experiment's own seed.
import { recordsOf } from '../../../model-schema/csv.ts'
import { formulaName } from '../../../model-schema/kinds.ts'
import { stream } from '../../kernel/random.ts'
import { coordinateOf } from '../decisions.ts'
import { valueAt, type Point, type Space } from '../optimise/search.ts'
import type { FreeDecision, Prepared } from '../prepare.ts'
import { factorial, factorialCount, fractionalFactorial, latinHypercube, lowDiscrepancy, morrisPaths, type MorrisPath } from './designs.ts'
import { saltelliPoints } from './sensitivity.ts'
import { unreachable } from '../../../model-schema/unreachable.ts'

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
    default:
      return unreachable(experiment.design)
  }
}

export const morrisOf = ({ experiment, space }: Prepared): MorrisPath[] =>
  morrisPaths(space.domains.length, experiment.levels, experiment.paths, stream(experiment.seed, 0, 'design'))

/** Points of the table: those without a column stay at the middle of their range. Bad lines are left out. */
const tablePoints = ({ experiment, free, space }: Prepared): Point[] => tableOf(experiment.table, free, space.domains).points

type PointTable = {
  readonly points: Point[]
  /** Names of columns that no decision variable has, and names that two columns have. */
  readonly unknown: readonly string[]
  readonly doubled: readonly string[]
  /** Numbers of the lines, from 1, that are no points: a value is missing, or outside its variable's domain. */
  readonly badLines: readonly number[]
}

/** Reads a table of points: comma-separated lines, the first of them the names of decision variables, as people or formulas write them. */
export function tableOf(
  table: string,
  free: readonly Pick<FreeDecision, 'variable' | 'name' | 'domain'>[],
  domains: Space['domains'],
): PointTable {
  const lines = recordsOf(table, ',').map((record, at) => ({ at: at + 1, cells: record.map(cell => cell.trim()) }))
  const [head, ...rows] = lines.filter(({ cells }) => cells.some(cell => cell !== ''))
  const names = (head?.cells ?? []).map(written => free.findIndex(one => isNamed(one, written)))
  const columns = free.map((_, k) => names.indexOf(k))
  const middle = domains.map(domain => valueAt(domain, 0.5))
  const points: Point[] = []
  const badLines: number[] = []
  for (const { at, cells } of rows) {
    const coordinates = free.map(({ domain }, k) => (columns[k]! < 0 ? middle[k]! : coordinateOf(domain, cells[columns[k]!] ?? '')))
    if (coordinates.some(value => value === null)) badLines.push(at)
    else points.push(Float64Array.from(coordinates, Number))
  }
  const written = head?.cells ?? []
  return {
    points,
    badLines,
    unknown: written.filter((_, i) => names[i]! < 0),
    doubled: written.filter((_, i) => names[i]! >= 0 && names.indexOf(names[i]!) < i),
  }
}

/** By its id, by its name in formulas, or as people write that. */
const isNamed = ({ variable, name }: Pick<FreeDecision, 'variable' | 'name'>, written: string): boolean =>
  written === variable || written === name || written.split('.').map(formulaName).join('.') === name
