// What a learning experiment asks for, as plain numbers; and what each algorithm is known to need.
import type { Activation } from '../../learn/net/ops.ts'

export type LearningAlgorithm =
  | 'qlearning'
  | 'sarsa'
  | 'dqn'
  | 'reinforce'
  | 'a2c'
  | 'ppo'
  | 'mappo'
  | 'ddpg'
  | 'td3'
  | 'sac'
  | 'discreteSac'
  | 'es'
  | 'cmaes'

/** Settings of a training after all that was left blank has been filled in. */
export type Settings = {
  readonly algorithm: LearningAlgorithm
  readonly hidden: string
  readonly activation: Activation
  readonly learningRate: number
  readonly schedule: 'constant' | 'linear'
  readonly maxGradNorm: number
  readonly gamma: number
  readonly discounting: 'decision' | 'time'
  /** On-policy: decisions of each environment a round, passes over them, rows of a step, lambda of the advantages. */
  readonly rollout: number
  readonly passes: number
  readonly batch: number
  readonly lambda: number
  readonly clip: number
  readonly entropy: number
  readonly valueWeight: number
  /** Whether values are learned in units of the running spread of the returns. */
  readonly normaliseReturns: boolean
  readonly targetKl: number | null
  /** Off-policy: transitions kept, decisions before the first step, decisions between steps, steps then, and how targets follow. */
  readonly buffer: number
  readonly warmUp: number
  readonly trainEvery: number
  readonly gradientSteps: number
  readonly tau: number
  readonly targetEvery: number
  readonly steps: number
  readonly double: boolean
  readonly dueling: boolean
  readonly prioritised: boolean
  /** Quantiles of the return that are learned in place of its mean; 0: none. */
  readonly quantiles: number
  readonly explorationStart: number
  readonly explorationEnd: number
  readonly explorationShare: number
  readonly noise: number
  /** Of the noise of two decisions that follow each other, 0 .. 0.999. */
  readonly correlation: number
  readonly rewardScale: number
  /** Tables: the step towards what came. Evolution: candidates, the width of their cloud. */
  readonly alpha: number
  readonly population: number
  readonly sigma: number
}

const general: Omit<Settings, 'algorithm'> = {
  hidden: '64,64',
  activation: 'tanh',
  learningRate: 3e-4,
  schedule: 'linear',
  maxGradNorm: 0.5,
  gamma: 0.99,
  discounting: 'decision',
  rollout: 128,
  passes: 10,
  batch: 64,
  lambda: 0.95,
  clip: 0.2,
  entropy: 0,
  valueWeight: 0.5,
  normaliseReturns: true,
  targetKl: null,
  buffer: 50_000,
  warmUp: 1000,
  trainEvery: 256,
  gradientSteps: 128,
  tau: 1,
  targetEvery: 128,
  steps: 1,
  double: true,
  dueling: false,
  prioritised: false,
  quantiles: 0,
  explorationStart: 1,
  explorationEnd: 0.04,
  explorationShare: 0.16,
  noise: 0.1,
  correlation: 0,
  rewardScale: 1,
  alpha: 0.5,
  population: 32,
  sigma: 0.1,
}

const actorCritic: Partial<Settings> = {
  correlation: 0.9,
  activation: 'relu',
  learningRate: 1e-3,
  schedule: 'constant',
  maxGradNorm: 1e6,
  buffer: 200_000,
  batch: 128,
  warmUp: 1000,
  trainEvery: 1,
  gradientSteps: 1,
  tau: 0.005,
  targetEvery: 1,
}

/** What is used of an algorithm where nothing else is asked for. Sources: CleanRL, RL Baselines3 Zoo, Tianshou; and what was tried here. */
export const defaults: Readonly<Record<LearningAlgorithm, Settings>> = {
  qlearning: { ...general, algorithm: 'qlearning', schedule: 'constant', rollout: 8, explorationShare: 0.5, explorationEnd: 0.05 },
  sarsa: { ...general, algorithm: 'sarsa', schedule: 'constant', rollout: 8, explorationShare: 0.5, explorationEnd: 0.05 },
  dqn: { ...general, algorithm: 'dqn', activation: 'relu', learningRate: 2.3e-3, schedule: 'constant', maxGradNorm: 10 },
  reinforce: { ...general, algorithm: 'reinforce', learningRate: 3e-3, rollout: 256, passes: 1, lambda: 1, schedule: 'constant' },
  a2c: { ...general, algorithm: 'a2c', learningRate: 1e-3, rollout: 16, passes: 1, entropy: 0.01, batch: 1_000_000 },
  ppo: { ...general, algorithm: 'ppo' },
  // On the cooperative task of the benchmark (two agents, 20 seeds) the mean return is 99.5; with normalised returns it is 99.2.
  mappo: { ...general, algorithm: 'mappo', normaliseReturns: false },
  ddpg: { ...general, ...actorCritic, algorithm: 'ddpg' },
  td3: { ...general, ...actorCritic, algorithm: 'td3' },
  sac: { ...general, ...actorCritic, algorithm: 'sac' },
  discreteSac: { ...general, ...actorCritic, algorithm: 'discreteSac', batch: 64, trainEvery: 4, gradientSteps: 4 },
  es: { ...general, algorithm: 'es', learningRate: 0.02, schedule: 'constant', hidden: '16' },
  cmaes: { ...general, algorithm: 'cmaes', hidden: '8', sigma: 0.3 },
}
