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

/** Those whose populations can be assessed anew, generation by generation. */
export const reassessing: ReadonlySet<Name> = new Set(['ga', 'de', 'nsga2', 'gde3', 'spea2'])

/** Those that look at one objective only. */
export const singleObjective: ReadonlySet<Name> = new Set(['ga', 'de', 'cmaes'])

/**
 * The algorithm for a space and a budget of evaluations: a surrogate model while runs are few, CMA-ES or differential evolution for one
 * objective, SMPSO for two objectives of real numbers, NSGA-II for mixed variables or constraints on outputs, NSGA-III from three objectives on. Where
 * survivors are to be run again, one that does so.
 */
export function automatic(space: Space, evaluations: number, constrained: boolean, reassess = false): Exclude<Name, 'auto'> {
  if (reassess) return space.objectives === 1 ? 'ga' : 'nsga2'
  const real = space.domains.every(({ as }) => as === 'real')
  if (evaluations <= 200) return 'gp'
  if (evaluations <= 500 && !real) return 'tpe'
  if (space.objectives === 1) return real ? 'cmaes' : 'ga'
  if (space.objectives >= 3) return 'nsga3'
  return real && !constrained ? 'smpso' : 'nsga2'
}
