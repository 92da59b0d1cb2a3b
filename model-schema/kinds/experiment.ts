// An experiment: many runs of one model scenario, and how they are planned. Names of algorithm settings are those of the multi-objective
// literature (Durillo and Nebro, jMetal).
import { choice, name, number, text } from './field.ts'
import { type Kind } from './kind.ts'
import { training } from './training.ts'
import { say, sayIn, type Words } from '../words.ts'

const evolutionary = ['ga', 'nsga2', 'nsga3', 'spea2', 'mocell']

const algorithms: Readonly<Record<string, Words>> = {
  auto: say('Automatic'),
  ga: say('Genetic algorithm'),
  de: say('Differential evolution'),
  cmaes: say('CMA-ES'),
  tpe: say('Tree-structured Parzen estimator'),
  gp: say('Gaussian process'),
  nsga2: say('NSGA-II'),
  nsga3: say('NSGA-III'),
  spea2: say('SPEA2'),
  paes: say('PAES'),
  mocell: say('MOCell'),
  gde3: say('GDE3'),
  omopso: say('OMOPSO'),
  smpso: say('SMPSO'),
  moead: say('MOEA/D'),
  random: say('Random search'),
}

export const experiment: Kind = {
  id: 'experiment',
  label: say('Experiment'),
  help: say(
    'Many runs of one model scenario, planned and evaluated together: Monte Carlo, exploration, calibration, optimisation, reinforcement learning.',
  ),
  family: 'experiment',
  shape: 'none',
  size: [0, 0],
  on: ['file'],
  opens: 'experiment',
  fields: [
    name({ help: say('What people call this experiment.') }),
    choice(
      'type',
      say('Type'),
      {
        exploration: say('Parameter exploration'),
        calibration: say('Calibration'),
        monteCarlo: say('Monte Carlo'),
        optimization: say('Optimisation'),
        learning: say('Reinforcement learning'),
      },
      'monteCarlo',
      { help: say('What the runs are for.') },
    ),
    text('modelFile', say('Model'), '', {
      help: say('The linked model file: its id, or in a file on disk its path. It cannot be changed once linked.'),
    }),
    text('modelScenario', say('Model scenario'), '', {
      help: say('The scenario that is run: its id or its name. Blank: the first one.'),
    }),
    text('linked', say('State of the model when linked'), '', {
      help: say('A short digest of each element as it was when the model was linked, from which later changes are counted.'),
      section: 'advanced',
    }),
    number('seed', say('Random seed'), 1, {
      help: say('What all chance in the experiment comes from: the search itself and the seed of each replication.'),
      integer: true,
      min: 0,
      max: 4294967295,
    }),
    number('replications', say('Replications'), 1, {
      help: say(
        'Runs for each point, each with its own seed. Replication i has the same seed at every point (common random numbers). Runs that fail are left out and reported; a point whose runs all fail counts as the worst.',
      ),
      integer: true,
      min: 1,
      max: 10_000_000,
    }),
    number('confirmations', say('Confirming replications'), 0, {
      help: say(
        'When an optimisation is over, its best points (ten, or up to fifty of the front) get so many further runs with other seeds: what chance made look good falls back. 0: none.',
      ),
      integer: true,
      min: 0,
      max: 100_000,
      when: { type: ['optimization'] },
    }),
    number('resampling', say('Most runs of a survivor'), 0, {
      help: say(
        'For noisy objectives: in each generation the points that survived are run once more with another seed, up to so many runs in all, and are worth what all of them say. Works with GA, DE, NSGA-II, GDE3 and SPEA2, and takes its part of the most runs. 0: never.',
      ),
      integer: true,
      min: 0,
      max: 1000,
      when: { type: ['optimization'], algorithm: ['auto', 'ga', 'de', 'nsga2', 'gde3', 'spea2'] },
    }),
    number('ticks', say('Total ticks'), null, {
      help: say('Replaces the total ticks of the scenario. Blank: as in the scenario.'),
      min: 0,
      section: 'timing',
    }),
    number('warmUpTicks', say('Warm-up'), null, {
      help: say(
        'Replaces the warm-up of the scenario: so many ticks at the beginning are left out of statistics. Blank: as in the scenario.',
      ),
      min: 0,
      when: { type: ['monteCarlo', 'exploration', 'calibration', 'optimization'] },
      section: 'timing',
    }),
    number('threads', say('Thread number'), 0, {
      help: say(
        'Workers that run at the same time. 0: all the machine has. Results do not depend on it. On the server, cloud time is the working time of all of them together.',
      ),
      integer: true,
      min: 0,
      max: 256,
      section: 'timing',
    }),
    number('maxRuns', say('Most runs'), 10_000, {
      help: say('The experiment ends after this many runs, replications included.'),
      integer: true,
      min: 1,
      max: 10_000_000,
      section: 'timing',
    }),
    number('maxMinutes', say('Most minutes'), null, {
      help: say('The experiment pauses after so much time. Blank: no bound. It can be continued.'),
      min: 0,
      section: 'timing',
    }),
    // Monte Carlo
    choice('until', say('Replicate'), { fixed: say('A fixed number of times'), interval: say('Until the interval is narrow') }, 'fixed', {
      help: say('When enough runs were made.'),
      when: { type: ['monteCarlo'] },
    }),
    number('confidence', say('Confidence level'), 0.95, {
      help: say('Of all intervals shown, between 0.5 and 0.9999.'),
      min: 0.5,
      max: 0.9999,
      when: { type: ['monteCarlo'] },
    }),
    number('halfWidth', say('Half-width'), 0.05, {
      help: say('Wanted half-width of the interval of each response, as a share of its mean.'),
      min: 0,
      when: { type: ['monteCarlo'], until: ['interval'] },
    }),
    number('absoluteHalfWidth', say('Half-width in units'), null, {
      help: say('A half-width in units of the response that is narrow enough, too: for means near 0, such as those of rare events.'),
      min: 0,
      when: { type: ['monteCarlo'], until: ['interval'] },
    }),
    choice(
      'selection',
      say('Compare alternatives'),
      {
        paired: say('Paired differences'),
        best: say('Select the best'),
      },
      'paired',
      {
        help: say(
          'With several alternatives: intervals of the differences to the first, or ranking and selection, which spends runs where they tell most.',
        ),
        when: { type: ['monteCarlo'] },
      },
    ),
    number('indifference', say('Indifference zone'), 0, {
      help: say('A difference too small to matter, in the unit of the first objective.'),
      min: 0,
      when: { type: ['monteCarlo'], selection: ['best'] },
    }),
    // Exploration
    choice(
      'design',
      say('Design'),
      {
        live: say('Live, by panel cards'),
        factorial: say('Full factorial'),
        fractional: say('Fractional factorial (two levels)'),
        latinHypercube: say('Latin hypercube'),
        sobolSequence: say('Sobol sequence'),
        table: say('From a table'),
        morris: say('Morris screening'),
        sobolIndices: say('Sobol indices'),
      },
      'latinHypercube',
      { help: say('Which points are run.'), when: { type: ['exploration'] } },
    ),
    number('samples', sayIn('how many', 'Samples'), 128, {
      help: say(
        'Points of a hypercube or sequence; base samples of Sobol indices, which take (number of variables + 2) times as many runs.',
      ),
      integer: true,
      min: 1,
      max: 1_000_000,
      when: { design: ['latinHypercube', 'sobolSequence', 'sobolIndices'] },
    }),
    number('levels', say('Levels'), 4, {
      help: say('Values of each continuous variable in a grid; levels of Morris paths (even).'),
      integer: true,
      min: 2,
      max: 1000,
      when: { design: ['factorial', 'morris'] },
    }),
    number('paths', say('Paths'), 20, {
      help: say('Morris paths, each of (number of variables + 1) points.'),
      integer: true,
      min: 2,
      max: 10_000,
      when: { design: ['morris'] },
    }),
    text('table', say('Table of points'), '', {
      help: say('CSV: the first line names decision variables, each further line is a point.'),
      long: true,
      when: { design: ['table'] },
    }),
    // Calibration
    choice('fit', say('Method'), { optimise: say('Smallest error'), abc: say('Approximate Bayesian computation') }, 'optimise', {
      help: say('One best set of values, or a sample of all values that agree with the data.'),
      when: { type: ['calibration'] },
    }),
    choice(
      'loss',
      sayIn('statistical error', 'Error'),
      {
        sse: say('Sum of squares'),
        mae: say('Mean absolute error'),
        likelihood: say('Normal log-likelihood'),
      },
      'sse',
      { help: say('How far outputs are from the data.'), when: { type: ['calibration'] } },
    ),
    number('accepted', say('Accepted share'), 0.01, {
      help: say('Share of prior samples nearest to the data that are kept.'),
      min: 0.000_001,
      max: 1,
      when: { type: ['calibration'], fit: ['abc'] },
    }),
    // Optimisation (and calibration by smallest error)
    choice('algorithm', say('Algorithm'), algorithms, 'auto', {
      help: say('Automatic: by number of objectives, kinds of variables and runs that can be afforded.'),
      when: { type: ['optimization', 'calibration'] },
    }),
    number('populationSize', say('Population size'), 100, {
      help: say('Points of one generation (swarm size).'),
      integer: true,
      min: 4,
      max: 10_000,
      when: { algorithm: ['ga', 'de', 'nsga2', 'nsga3', 'spea2', 'mocell', 'gde3', 'omopso', 'smpso', 'moead'] },
      section: 'advanced',
    }),
    number('maxIterations', say('Max iterations'), 250, {
      help: say('Generations after which the search ends.'),
      integer: true,
      min: 1,
      max: 1_000_000,
      section: 'advanced',
    }),
    number('stall', say('Iterations without progress'), null, {
      help: say('With one objective, the search ends after so many generations without a better point. Blank: never.'),
      integer: true,
      min: 1,
      section: 'advanced',
    }),
    number('crossoverProbability', say('Crossover probability'), 0.9, {
      help: say('How likely two parents are mixed.'),
      min: 0,
      max: 1,
      when: { algorithm: evolutionary },
      section: 'advanced',
    }),
    number('crossoverDistributionIndex', say('Crossover distribution index'), 20, {
      help: say('Of simulated binary crossover: the larger, the nearer children are to their parents.'),
      min: 0,
      max: 1000,
      when: { algorithm: evolutionary },
      section: 'advanced',
    }),
    number('mutationDistributionIndex', say('Mutation distribution index'), 20, {
      help: say('Of polynomial mutation: the larger, the smaller the changes.'),
      min: 0,
      max: 1000,
      when: { algorithm: [...evolutionary, 'smpso', 'paes', 'moead'] },
      section: 'advanced',
    }),
    number('differentialRatio', say('Differential ratio'), 0.5, {
      help: say('Weight F of the difference between two points that is added to a third.'),
      min: 0,
      max: 2,
      when: { algorithm: ['de', 'gde3', 'moead'] },
      section: 'advanced',
    }),
    number('archiveSize', say('Archive size'), 100, {
      help: say('Best points kept beside the population.'),
      integer: true,
      min: 2,
      max: 10_000,
      when: { algorithm: ['spea2', 'paes', 'mocell', 'omopso', 'smpso'] },
      section: 'advanced',
    }),
    number('perturbationIndex', say('Perturbation index'), 0.5, {
      help: say('Of the uniform and non-uniform mutation of OMOPSO, as a share of the range.'),
      min: 0,
      max: 1,
      when: { algorithm: ['omopso'] },
      section: 'advanced',
    }),
    number('biSections', say('BI sections value'), 5, {
      help: say('How often each objective is halved in the grid of the archive: 5 makes 32 divisions.'),
      integer: true,
      min: 1,
      max: 10,
      when: { algorithm: ['paes'] },
      section: 'advanced',
    }),
    ...training,
  ],
}
