// All algorithms by name.
import type { Learner, Spaces } from './learner.ts'
import { ActorCritic } from './actor-critic.ts'
import { DeepQ } from './deep-q.ts'
import { evolution } from './evolution.ts'
import { OnPolicy } from './on-policy.ts'
import { tabular } from './tabular.ts'
import type { Settings } from './settings.ts'
import type { Schedule } from './training.ts'
import { unreachable } from '../../../model-schema/unreachable.ts'

export function createLearner(settings: Settings, spaces: Spaces, seed: number, schedule: Schedule): Learner {
  switch (settings.algorithm) {
    case 'reinforce':
    case 'a2c':
    case 'ppo':
    case 'mappo':
      return new OnPolicy(settings, spaces, seed)
    case 'qlearning':
    case 'sarsa':
      return tabular(settings, spaces, schedule.trainingEnvironments)
    case 'dqn':
      return new DeepQ(settings, spaces, seed, schedule.trainingEnvironments)
    case 'ddpg':
    case 'td3':
    case 'sac':
    case 'discreteSac':
      return new ActorCritic(settings, spaces, seed, schedule.trainingEnvironments)
    case 'es':
    case 'cmaes':
      return evolution(settings, spaces, seed, schedule.trainingEnvironments)
    default:
      return unreachable(settings.algorithm)
  }
}
