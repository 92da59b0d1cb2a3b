// The algorithms of optimisation by their names in experiment files.
import type { Algorithm as Name } from '../../model-schema/experiment.ts'
import { cmaes } from './optimise/cmaes.ts'
import { de, gde3 } from './optimise/differential.ts'
import { gp } from './optimise/gaussian.ts'
import { ga, nsga2, randomSearch } from './optimise/genetic.ts'
import { moead } from './optimise/moead.ts'
import { mocell } from './optimise/mocell.ts'
import { nsga3 } from './optimise/nsga3.ts'
import { paes } from './optimise/paes.ts'
import type { Algorithm, Space } from './optimise/search.ts'
import { spea2 } from './optimise/spea2.ts'
import { omopso, smpso } from './optimise/swarm.ts'
import { tpe } from './optimise/tpe.ts'

export const algorithms: Readonly<Record<Exclude<Name, 'auto'>, Algorithm>> = {
  ga,
  de,
  cmaes,
  tpe,
  gp,
  nsga2,
  nsga3,
  spea2,
  paes,
  mocell,
  gde3,
  omopso,
  smpso,
  moead,
  random: randomSearch,
}

/** The algorithms with populations that can be evaluated again, generation by generation. */
export const reassessing: ReadonlySet<Name> = new Set(['ga', 'de', 'nsga2', 'gde3', 'spea2'])

/** Those that look at one objective only. */
export const singleObjective: ReadonlySet<Name> = new Set(['ga', 'de', 'cmaes'])

/**
 * The algorithm for a space and a budget of evaluations: a surrogate model while runs are few; then for one objective CMA-ES, or a genetic algorithm
 * where there are choices, which have no order; for two objectives NSGA-II, from three on NSGA-III. Where survivors are to be run again, one that does so.
 */
export function automatic(space: Space, evaluations: number, reassess = false): Exclude<Name, 'auto'> {
  if (reassess) return space.objectives === 1 ? 'ga' : 'nsga2'
  if (evaluations <= 200) return 'gp'
  if (evaluations <= 500 && space.domains.some(({ as }) => as !== 'real')) return 'tpe'
  if (space.objectives === 1) return space.domains.some(({ as }) => as === 'choice') ? 'ga' : 'cmaes'
  return space.objectives === 2 ? 'nsga2' : 'nsga3'
}
