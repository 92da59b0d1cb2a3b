// Learning: how many of ten seeds reach the published return within the published number of decisions, and what a step costs.
import { readFileSync } from 'node:fs'
import { experimentOf } from '../../model-schema/experiment.ts'
import { modelOfFile, parseFile } from '../../model-schema/file.ts'
import { prepare, trainingPlanOf } from '../../sim-engine/experiment.ts'
import { createLearner } from '../../sim-engine/experiment/learn/algorithms.ts'
import { createTraining } from '../../sim-engine/experiment/learn/begin.ts'
import { defaults, type LearningAlgorithm, type Settings } from '../../sim-engine/experiment/learn/settings.ts'
import type { LearnedPolicy } from '../../sim-engine/experiment/learn/learner.ts'
import { Training, type Schedule } from '../../sim-engine/experiment/learn/training.ts'
import { Net } from '../../sim-engine/learn/net/net.ts'
import { best } from '../../sim-engine/learn/net/shape.ts'
import { stream } from '../../sim-engine/kernel/random.ts'
import { admissionGain, lostSalesCost } from '../help/experiments/optimal.ts'
import { sample } from '../help/samples.ts'
import { acrobot, arenaOf, cartPole, mountainCar, pendulum, twoWatchers, type Rules } from '../help/experiments/arenas.ts'
import { median, worked, type Figure } from './figure.ts'
import { killFigures, speedFigures } from './learning-system.ts'
import { english } from '../../model-schema/words.ts'

/** A published result, and the settings we try to match it with. */
type Proof = {
  readonly name: string
  readonly algorithm: LearningAlgorithm
  readonly rules: Rules
  readonly goal: number
  /** Decisions within which it was published. */
  readonly budget: number
  readonly settings?: Partial<Settings>
  readonly schedule?: Partial<Schedule>
  readonly published: string
}

export const proofs: readonly Proof[] = [
  {
    name: 'cartpole-ppo',
    algorithm: 'ppo',
    rules: cartPole(),
    goal: 475,
    budget: 60_000,
    settings: { learningRate: 1e-3, gamma: 0.98, lambda: 0.8, rollout: 32, passes: 20, batch: 256 },
    published: 'RL Baselines3 Zoo: 500 at 100,000',
  },
  {
    name: 'cartpole-dqn',
    algorithm: 'dqn',
    rules: cartPole(),
    goal: 475,
    budget: 50_000,
    published: 'RL Baselines3 Zoo: 500 at 50,000',
  },
  {
    name: 'pendulum-sac',
    algorithm: 'sac',
    rules: pendulum,
    goal: -180,
    budget: 20_000,
    published: 'RL Baselines3 Zoo: -157 at 20,000',
  },
  {
    name: 'pendulum-td3',
    algorithm: 'td3',
    rules: pendulum,
    goal: -180,
    budget: 20_000,
    published: 'RL Baselines3 Zoo: -152 at 20,000',
  },
  {
    name: 'mountaincar-sac',
    algorithm: 'sac',
    rules: mountainCar,
    goal: 90,
    budget: 50_000,
    published: 'RL Baselines3 Zoo: 94.7 at 50,000',
  },
  {
    name: 'acrobot-ppo',
    algorithm: 'ppo',
    rules: acrobot,
    goal: -100,
    budget: 1_000_000,
    settings: { lambda: 0.94, rollout: 256, passes: 4 },
    schedule: { trainingEnvironments: 16, stepsPerEpoch: 40_960 },
    published: 'RL Baselines3 Zoo: -73.5 at 1,000,000',
  },
]

/** Means of test episodes are reported over a hundred of them. */
export function proofTraining({ algorithm, rules, goal, budget, settings, schedule }: Proof, seed: number): Training {
  const stepsPerEpoch = schedule?.stepsPerEpoch ?? (algorithm === 'ppo' ? 4096 : 1000)
  const all: Schedule = {
    seed,
    epochs: Math.floor(budget / stepsPerEpoch),
    episodesPerEpoch: 0,
    stepsPerEpoch,
    rewardThreshold: goal,
    trainingEnvironments: algorithm === 'ppo' ? 8 : 1,
    testEnvironments: 10,
    testEpisodes: 100,
    mostDecisions: 1000,
    ...schedule,
  }
  const { choices, actions } = rules
  const inputs = rules.see(rules.begin(stream(1, 0, 'shape'))).length
  return new Training(
    all,
    createLearner({ ...defaults[algorithm], ...settings }, { inputs, choices, actions }, seed, all),
    { inputs, choices, actions },
    () => arenaOf(rules),
  )
}

/** An experiment shipped with a sample, with another seed. */
export function sampleTraining(id: string, seed: number): Training {
  const parsed = parseFile(readFileSync(new URL(`../../model-schema/samples/experiments/${id}-learning.holo`, import.meta.url), 'utf8'))
  if (!('file' in parsed)) throw new Error(`${id} cannot be read`)
  const experiment = experimentOf(modelOfFile(parsed.file))
  const made = prepare(experiment!, sample(id).model)
  if (!made.ok) throw new Error(made.problems.map(({ words }) => english(words)).join('; '))
  const plan = trainingPlanOf(made.prepared)
  return createTraining({ ...plan, schedule: { ...plan.schedule, seed } })
}

/** What a network's policy does where it sees these numbers. */
function choiceOf(policy: LearnedPolicy): (seen: readonly number[]) => number {
  const net = new Net(policy.shape)
  net.weights = policy.weights
  return seen => best(net.predict(seen))
}

const scaled = (value: number, high: number): number => (2 * Math.min(value, high)) / high - 1

/** The threshold of a policy of the queue: how many are there when a customer is first sent away; NaN when some are let in above that. */
export function thresholdOf(policy: LearnedPolicy): number {
  const choice = choiceOf(policy)
  const lets = Array.from({ length: 13 }, (_, waiting) => choice([scaled(waiting, 12)]))
  const first = lets.indexOf(0)
  return first < 0 || lets.slice(first).some(one => one === 1) ? NaN : first
}

export const costOf = (policy: LearnedPolicy): number => {
  const choice = choiceOf(policy)
  return lostSalesCost((stock, coming) => choice([scaled(stock, 20), scaled(coming, 10)]))
}

const finish = (training: Training): void => {
  while (training.round());
}

function* proofFigures(wanted: (name: string) => boolean, seeds: readonly number[]): Generator<Figure> {
  for (const proof of proofs) {
    const name = `learning/${proof.name}`
    if (!wanted(name)) continue
    yield counted(seeds, name, proof.goal, proof.published, seed => proofTraining(proof, seed))
  }
  if (wanted('learning/cartpole-model'))
    yield counted(seeds, 'learning/cartpole-model', 475, 'built of components', seed => sampleTraining('cart-pole', seed))
}

/** How many seeds reach the goal, and after how many decisions and seconds of work. */
function counted(seeds: readonly number[], name: string, goal: number, published: string, training: (seed: number) => Training): Figure {
  const done = seeds.map(seed => {
    const one = training(seed)
    const took = worked(() => finish(one)) / 1000
    return { solved: one.ending === 'threshold', decisions: one.decisions, took, mean: one.best?.mean ?? NaN }
  })
  const decisions = done.map(one => one.decisions)
  const took = done.map(one => one.took)
  const show = (value: number): string => Number(value.toPrecision(3)).toString()
  return {
    name,
    value: done.filter(({ solved }) => solved).length,
    unit: `of ${seeds.length} seeds reach ${goal}`,
    note: `decisions: median ${median(decisions)}, most ${Math.max(...decisions)}; seconds: median ${show(median(took))}, most ${show(Math.max(...took))}; mean returns ${show(Math.min(...done.map(({ mean }) => mean)))} and more; ${published}`,
  }
}

function* sampleFigures(wanted: (name: string) => boolean, seeds: readonly number[]): Generator<Figure> {
  if (wanted('learning/admission')) {
    const made = seeds.map(seed => {
      const training = sampleTraining('admission', seed)
      finish(training)
      return thresholdOf(training.best!.policy!)
    })
    yield {
      name: 'learning/admission',
      value: made.filter(threshold => threshold === 4).length,
      unit: `of ${seeds.length} seeds let in below 4`,
      note: `thresholds ${made.join(' ')}, gains ${made.map(threshold => (threshold > 0 ? admissionGain(threshold).toFixed(4) : '-')).join(' ')}; best 5.7678`,
    }
  }
  if (wanted('learning/lost-sales')) {
    const costs = seeds.map(seed => {
      const training = sampleTraining('lost-sales', seed)
      finish(training)
      return costOf(training.best!.policy!)
    })
    yield {
      name: 'learning/lost-sales',
      value: costs.filter(cost => cost <= 1.01 * 4.395).length,
      unit: `of ${seeds.length} seeds within 1% of the optimum`,
      note: `costs a day ${costs.map(cost => cost.toFixed(3)).join(' ')}; optimum 4.395, best level 4.639 (Zipkin 2008)`,
    }
  }
}

/** Mean return of the tests of all epochs: how soon two watchers see what is theirs. */
export function watchers(algorithm: 'ppo' | 'mappo', seed: number): number {
  const schedule: Schedule = {
    seed,
    epochs: 8,
    episodesPerEpoch: 0,
    stepsPerEpoch: 2048,
    rewardThreshold: null,
    trainingEnvironments: 8,
    testEnvironments: 10,
    testEpisodes: 100,
    mostDecisions: 1000,
  }
  const spaces = { inputs: 1, choices: 3, actions: 1, ...(algorithm === 'mappo' ? { others: 1 } : {}) }
  const learner = createLearner(
    { ...defaults[algorithm], learningRate: 1e-3, hidden: '32,32', gamma: 0, lambda: 0 },
    spaces,
    seed,
    schedule,
  )
  const training = new Training(schedule, learner, spaces, twoWatchers())
  finish(training)
  return training.rows.reduce((sum, { test }) => sum + test.mean, 0) / training.rows.length
}

/** One-sided p of a mean difference above 0, by turning the signs of the pairs in all ways (Fisher 1935). */
export function signTurned(differences: readonly number[]): number {
  const ways = 2 ** differences.length
  const sumOf = (way: number): number => differences.reduce((sum, one, k) => sum + ((way >> k) & 1 ? -one : one), 0)
  const whole = sumOf(0)
  let asGood = 0
  for (let way = 0; way < ways; way++) if (sumOf(way) >= whole - 1e-12) asGood++
  return asGood / ways
}

function* teamFigures(wanted: (name: string) => boolean, seeds: readonly number[]): Generator<Figure> {
  if (!wanted('learning/mappo')) return
  const pairs = seeds.map(seed => [watchers('mappo', seed), watchers('ppo', seed)] as const)
  const differences = pairs.map(([together, alone]) => together - alone)
  const show = (values: readonly number[]): string => values.map(value => value.toFixed(1)).join(' ')
  yield {
    name: 'learning/mappo',
    value: signTurned(differences),
    unit: 'p',
    note: `two watchers, mean test return of all epochs; MAPPO ${show(pairs.map(([together]) => together))}; independent PPO ${show(pairs.map(([, alone]) => alone))}; target p < .01`,
  }
}

export async function* learningFigures(wanted: (name: string) => boolean, count: number): AsyncGenerator<Figure> {
  const seeds = Array.from({ length: count }, (_, k) => k + 1)
  yield* proofFigures(wanted, seeds)
  yield* sampleFigures(wanted, seeds)
  yield* teamFigures(wanted, seeds)
  yield* speedFigures(wanted)
  yield* killFigures(wanted, count)
}
