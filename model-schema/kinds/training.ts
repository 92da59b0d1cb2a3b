// Fields of experiments that learn: how long, with what, and the parameters of each algorithm. Blank parameters are those the algorithm is known to do well with.
import { choice, flag, number, text } from './field.ts'
import { type Field, type Json } from './kind.ts'
import { say, sayIn, verbatim, type Words } from '../words.ts'

const when = { type: ['learning'] }
const learners = (...of: readonly string[]): Readonly<Record<string, readonly Json[]>> => ({ ...when, policy: of })
const proximal = ['ppo', 'mappo']
const onPolicy = [...proximal, 'a2c', 'reinforce']
const continuous = ['ddpg', 'td3', 'sac']
const actorCritic = ['ddpg', 'td3', 'sac', 'discreteSac']
const replaying = ['dqn', ...actorCritic]
const tables = ['qlearning', 'sarsa']
const networks = [...onPolicy, ...replaying, 'es', 'cmaes']

const policies: Readonly<Record<string, Words>> = {
  auto: say('Automatic'),
  qlearning: say('Q-learning (table)'),
  sarsa: say('SARSA (table)'),
  dqn: say('DQN'),
  reinforce: say('REINFORCE'),
  a2c: verbatim('A2C'),
  ppo: say('PPO'),
  mappo: say('MAPPO'),
  ddpg: say('DDPG'),
  td3: say('TD3'),
  sac: say('SAC'),
  discreteSac: say('Discrete SAC'),
  es: say('Evolution strategies'),
  cmaes: say('CMA-ES'),
}

/** A parameter that is what the algorithm is known to need while it is blank. */
const parameter = (
  id: string,
  words: Words,
  help: Words,
  of: readonly string[],
  bounds: { min: number; max: number; integer?: boolean },
): Field =>
  number(id, words, null, {
    help: say('{help} Blank: as the algorithm is known to do well.', { help }),
    ...bounds,
    when: learners(...of),
    section: 'advanced',
  })

export const training: readonly Field[] = [
  number('epochs', say('Training epoch'), 20, {
    help: say('Epochs of the training. After each the policy is tested.'),
    integer: true,
    min: 1,
    max: 100_000,
    when,
  }),
  number('episodesPerEpoch', say('Episode per epoch'), 0, {
    help: say('Episodes of an epoch. 0: an epoch is counted in decisions.'),
    integer: true,
    min: 0,
    max: 1_000_000,
    when,
  }),
  number('stepsPerEpoch', say('Decisions per epoch'), 10_000, {
    help: say('Decisions of an epoch, where it is not counted in episodes.'),
    integer: true,
    min: 1,
    max: 100_000_000,
    when: { ...when, episodesPerEpoch: [0] },
  }),
  number('rewardThreshold', say('Reward threshold'), null, {
    help: say('The training ends when the mean return of a test is that good. Blank: never.'),
    when,
  }),
  number('trainingEnvironments', say('Training environments'), 8, {
    help: say('Runs of the model that go on side by side, from which the policy learns.'),
    integer: true,
    min: 1,
    max: 1024,
    when,
  }),
  number('testEnvironments', say('Test environments'), 10, {
    help: say('Runs of the model on which the policy is tested.'),
    integer: true,
    min: 1,
    max: 1024,
    when,
  }),
  number('testEpisodes', say('Test episodes'), 50, {
    help: say('Episodes of a test: the same ones each time, for all policies.'),
    integer: true,
    min: 1,
    max: 100_000,
    when,
  }),
  number('maxDecisions', say('Most decisions'), 1000, {
    help: say('An episode is cut short after so many decisions of one decider.'),
    integer: true,
    min: 1,
    max: 10_000_000,
    when,
  }),
  text('network', say('Network'), '', {
    help: say('Name of the neural network in the model that learns, and whose layers are taken. Blank: one is made for it.'),
    when,
  }),
  choice('policy', say('Policy'), policies, 'auto', {
    help: say(
      'The algorithm that learns. Automatic: PPO for whole-number actions, SAC for others, or PPO where there is much time. All deciders share the policy; with MAPPO, values depend on what all of them saw.',
    ),
    when,
  }),
  text('hidden', say('Hidden layers'), '', {
    help: say('Sizes of the layers of the network that is made. Blank: as the algorithm is known to do well.'),
    when: { ...learners('auto', ...networks), network: [''] },
    section: 'advanced',
  }),
  parameter('learningRate', say('Learning rate'), say('Length of a step of the optimiser.'), networks, {
    min: 0,
    max: 10,
  }),
  choice(
    'rateSchedule',
    say('Rate goes'),
    { default: say('As usual for it'), constant: say('Constant'), linear: say('Linearly to 0') },
    'default',
    {
      help: say('How the learning rate changes through the training.'),
      when: learners(...networks),
      section: 'advanced',
    },
  ),
  parameter('gamma', say('Discount factor'), say('What the reward after the next decision is worth.'), [...networks, ...tables], {
    min: 0,
    max: 1,
  }),
  flag('byTime', say('Discount by time'), false, {
    help: say('Whether the discount factor is that of one unit of model time instead of one decision.'),
    when: learners('auto', ...networks, ...tables),
    section: 'advanced',
  }),
  parameter('lambda', say('GAE lambda'), say('How far advantages look ahead.'), [...proximal, 'a2c'], {
    min: 0,
    max: 1,
  }),
  parameter(
    'rollout',
    say('Decisions a round'),
    say('Decisions of each environment between two rounds of learning.'),
    [...proximal, 'a2c', ...tables],
    { min: 1, max: 100_000, integer: true },
  ),
  parameter('passes', say('Passes'), say('How often what was collected is gone through.'), proximal, {
    min: 1,
    max: 1000,
    integer: true,
  }),
  parameter('batch', say('Batch size'), say('Transitions of one step of the optimiser.'), [...onPolicy, ...replaying], {
    min: 1,
    max: 100_000,
    integer: true,
  }),
  parameter('clip', say('Clip range'), say('How far a round may change how likely an action is.'), proximal, { min: 0, max: 10 }),
  parameter('entropy', say('Entropy coefficient'), say('What it is worth to leave much to chance.'), onPolicy, {
    min: 0,
    max: 10,
  }),
  parameter('valueWeight', say('Value coefficient'), say('Weight of the error of the values.'), [...proximal, 'a2c'], {
    min: 0,
    max: 100,
  }),
  flag('normaliseReturns', say('Normalise returns'), true, {
    help: say(
      'Whether values are learned in units of the running spread of the returns. Learning then goes equally well whatever rewards are worth.',
    ),
    when: learners('auto', ...onPolicy.filter(one => one !== 'mappo')),
    section: 'advanced',
  }),
  parameter('maxGradNorm', say('Greatest gradient'), say('Longer gradients are made as long as this.'), [...onPolicy, ...replaying], {
    min: 0,
    max: 1e9,
  }),
  parameter('targetKl', say('Greatest KL'), say('A round ends early when the policy has changed that much.'), proximal, {
    min: 0,
    max: 100,
  }),
  parameter('buffer', say('Replay buffer'), say('Transitions that are kept to learn from.'), replaying, {
    min: 1,
    max: 1_000_000,
    integer: true,
  }),
  parameter('warmUp', say('Decisions at first'), say('Decisions before the first step of learning.'), replaying, {
    min: 0,
    max: 10_000_000,
    integer: true,
  }),
  parameter('trainEvery', say('Learns every'), say('Decisions between two rounds of learning, of all environments together.'), replaying, {
    min: 1,
    max: 100_000,
    integer: true,
  }),
  parameter('gradientSteps', say('Steps then'), say('Steps of the optimiser in a round of learning.'), replaying, {
    min: 1,
    max: 100_000,
    integer: true,
  }),
  parameter('tau', say('Target rate'), say('The part of the way that target networks follow.'), replaying, { min: 0, max: 1 }),
  parameter('targetEvery', say('Target follows every'), say('Steps of the optimiser between two moves of the target network.'), ['dqn'], {
    min: 1,
    max: 1_000_000,
    integer: true,
  }),
  parameter('lookahead', say('Steps of return'), say('Rewards that are added up before values are asked.'), ['dqn'], {
    min: 1,
    max: 100,
    integer: true,
  }),
  parameter(
    'quantiles',
    say('Quantiles of the return'),
    say('How many quantiles of the return are learned in place of its mean (QR-DQN). 0: the mean alone.'),
    ['dqn'],
    { min: 0, max: 200, integer: true },
  ),
  flag('double', say('Double'), true, {
    help: say('Whether one network chooses the next action and another values it.'),
    when: learners('dqn'),
    section: 'advanced',
  }),
  flag('dueling', say('Dueling'), false, {
    help: say('Whether values of states and advantages of actions are told apart.'),
    when: learners('dqn'),
    section: 'advanced',
  }),
  flag('prioritised', say('Prioritised replay'), false, {
    help: say('Whether surprising transitions are learned from more often.'),
    when: learners('dqn'),
    section: 'advanced',
  }),
  parameter('explorationStart', say('Exploration at first'), say('Share of actions left to chance at first.'), ['dqn', ...tables], {
    min: 0,
    max: 1,
  }),
  parameter('explorationEnd', say('Exploration in the end'), say('Share of actions left to chance in the end.'), ['dqn', ...tables], {
    min: 0,
    max: 1,
  }),
  parameter('explorationShare', say('Explores for'), say('The part of the training through which it falls.'), ['dqn', ...tables], {
    min: 0,
    max: 1,
  }),
  parameter('noise', say('Noise'), say('Spread of what is added to actions while learning.'), ['ddpg', 'td3'], { min: 0, max: 10 }),
  parameter(
    'correlation',
    say('Noise goes on'),
    say('Correlation of what is left to chance in two decisions that follow each other. High: an action is kept up for a while.'),
    continuous,
    { min: 0, max: 0.999 },
  ),
  parameter(
    'rewardScale',
    say('Reward scale'),
    say('What rewards are multiplied by before they are learned from.'),
    [...onPolicy, ...replaying],
    { min: 0, max: 1e9 },
  ),
  parameter('alpha', say('Step size'), say('The part of the way that a value of the table moves.'), tables, {
    min: 0,
    max: 1,
  }),
  parameter('candidates', say('Candidates'), say('Policies that are tried in a round.'), ['es', 'cmaes'], {
    min: 4,
    max: 10_000,
    integer: true,
  }),
  parameter('sigma', sayIn('of a perturbation', 'Spread'), say('How far candidates lie around the policy.'), ['es', 'cmaes'], {
    min: 0,
    max: 10,
  }),
]
