// Fields of experiments that learn: how long, with what, and the parameters of each algorithm. Blank parameters are those the algorithm is known to do well with.
import { choice, flag, number, text } from './field.ts'
import { say, type Field, type Json, type Words } from './kind.ts'

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
  auto: say('Automatic', '自动'),
  qlearning: say('Q-learning (table)', 'Q 学习（表格）'),
  sarsa: say('SARSA (table)', 'SARSA（表格）'),
  dqn: say('DQN', 'DQN'),
  reinforce: say('REINFORCE', 'REINFORCE'),
  a2c: say('A2C', 'A2C'),
  ppo: say('PPO', 'PPO'),
  mappo: say('MAPPO', 'MAPPO'),
  ddpg: say('DDPG', 'DDPG'),
  td3: say('TD3', 'TD3'),
  sac: say('SAC', 'SAC'),
  discreteSac: say('Discrete SAC', '离散 SAC'),
  es: say('Evolution strategies', '进化策略'),
  cmaes: say('CMA-ES', 'CMA-ES'),
}

/** A parameter that is what the algorithm is known to need while it is blank. */
const parameter = (
  id: string,
  en: string,
  zh: string,
  help: Words,
  of: readonly string[],
  bounds: { min: number; max: number; integer?: boolean },
): Field =>
  number(id, say(en, zh), null, {
    help: say(`${help.en} Blank: as the algorithm is known to do well.`, `${help.zh}留空则采用该算法的常用值。`),
    ...bounds,
    when: learners(...of),
    section: 'advanced',
  })

export const training: readonly Field[] = [
  number('epochs', say('Training epoch', '训练轮数'), 20, {
    help: say('Epochs of the training. After each the policy is tested.', '训练的轮数。每轮之后测试策略。'),
    integer: true,
    min: 1,
    max: 100_000,
    when,
  }),
  number('episodesPerEpoch', say('Episode per epoch', '每轮回合数'), 0, {
    help: say('Episodes of an epoch. 0: an epoch is counted in decisions.', '每轮的回合数。0 表示按决策数计。'),
    integer: true,
    min: 0,
    max: 1_000_000,
    when,
  }),
  number('stepsPerEpoch', say('Decisions per epoch', '每轮决策数'), 10_000, {
    help: say('Decisions of an epoch, where it is not counted in episodes.', '不按回合计时，每轮的决策数。'),
    integer: true,
    min: 1,
    max: 100_000_000,
    when: { ...when, episodesPerEpoch: [0] },
  }),
  number('rewardThreshold', say('Reward threshold', '奖励阈值'), null, {
    help: say(
      'The training ends when the mean return of a test is that good. Blank: never.',
      '测试的平均回报达到此值时训练结束。留空为从不。',
    ),
    when,
  }),
  number('trainingEnvironments', say('Training environment number', '训练环境数'), 8, {
    help: say('Runs of the model that go on side by side, from which the policy learns.', '同时进行、供策略学习的模型运行数。'),
    integer: true,
    min: 1,
    max: 1024,
    when,
  }),
  number('testEnvironments', say('Test environment number', '测试环境数'), 10, {
    help: say('Runs of the model on which the policy is tested.', '用于测试策略的模型运行数。'),
    integer: true,
    min: 1,
    max: 1024,
    when,
  }),
  number('testEpisodes', say('Test episodes', '测试回合数'), 50, {
    help: say('Episodes of a test: the same ones each time, for all policies.', '每次测试的回合数：各次、各策略均相同。'),
    integer: true,
    min: 1,
    max: 100_000,
    when,
  }),
  number('maxDecisions', say('Most decisions', '最多决策数'), 1000, {
    help: say('An episode is cut short after so many decisions of one decider.', '一个决策者做出这么多决策后，回合被截断。'),
    integer: true,
    min: 1,
    max: 10_000_000,
    when,
  }),
  text('network', say('Network', '网络'), '', {
    help: say(
      'Name of the neural network in the model that learns, and whose layers are taken. Blank: one is made for it.',
      '模型中用于学习的神经网络的名称，采用其各层。留空则自动创建。',
    ),
    when,
  }),
  choice('policy', say('Policy', '策略'), policies, 'auto', {
    help: say(
      'The algorithm that learns. Automatic: PPO for whole-number actions, SAC for others, or PPO where there is much time. All deciders share the policy; with MAPPO, values depend on what all of them saw.',
      '学习算法。自动：整数动作用 PPO，其他用 SAC；时间充裕时用 PPO。所有决策者共享策略；MAPPO 的价值取决于全体所见。',
    ),
    when,
  }),
  text('hidden', say('Hidden layers', '隐藏层'), '', {
    help: say(
      'Sizes of the layers of the network that is made. Blank: as the algorithm is known to do well.',
      '所建网络各隐藏层的大小。留空则采用该算法的常用值。',
    ),
    when: { ...learners('auto', ...networks), network: [''] },
    section: 'advanced',
  }),
  parameter('learningRate', 'Learning rate', '学习率', say('Length of a step of the optimiser.', '优化器的步长。'), networks, {
    min: 0,
    max: 10,
  }),
  choice(
    'rateSchedule',
    say('Rate goes', '学习率变化'),
    { default: say('As usual for it', '按算法惯例'), constant: say('Constant', '恒定'), linear: say('Linearly to 0', '线性降至 0') },
    'default',
    {
      help: say('How the learning rate changes through the training.', '学习率在训练中如何变化。'),
      when: learners(...networks),
      section: 'advanced',
    },
  ),
  parameter(
    'gamma',
    'Discount factor',
    '折扣因子',
    say('What the reward after the next decision is worth.', '下一次决策之后的奖励的价值。'),
    [...networks, ...tables],
    { min: 0, max: 1 },
  ),
  flag('byTime', say('Discount by time', '按时间折扣'), false, {
    help: say(
      'Whether the discount factor is that of one unit of model time instead of one decision.',
      '折扣因子是否按单位模型时间计，而不是按一次决策计。',
    ),
    when: learners('auto', ...networks, ...tables),
    section: 'advanced',
  }),
  parameter('lambda', 'GAE lambda', 'GAE lambda', say('How far advantages look ahead.', '优势函数向前看的程度。'), [...proximal, 'a2c'], {
    min: 0,
    max: 1,
  }),
  parameter(
    'rollout',
    'Decisions a round',
    '每次采集决策数',
    say('Decisions of each environment between two rounds of learning.', '两次学习之间每个环境的决策数。'),
    [...proximal, 'a2c', ...tables],
    { min: 1, max: 100_000, integer: true },
  ),
  parameter('passes', 'Passes', '遍数', say('How often what was collected is gone through.', '对所采集数据的遍历次数。'), proximal, {
    min: 1,
    max: 1000,
    integer: true,
  }),
  parameter(
    'batch',
    'Batch size',
    '批大小',
    say('Transitions of one step of the optimiser.', '优化器每步使用的转移数。'),
    [...onPolicy, ...replaying],
    { min: 1, max: 100_000, integer: true },
  ),
  parameter(
    'clip',
    'Clip range',
    '裁剪范围',
    say('How far a round may change how likely an action is.', '一轮中动作概率比的最大变化。'),
    proximal,
    { min: 0, max: 10 },
  ),
  parameter('entropy', 'Entropy coefficient', '熵系数', say('What it is worth to leave much to chance.', '保持随机性的价值。'), onPolicy, {
    min: 0,
    max: 10,
  }),
  parameter(
    'valueWeight',
    'Value coefficient',
    '价值系数',
    say('Weight of the error of the values.', '价值误差的权重。'),
    [...proximal, 'a2c'],
    {
      min: 0,
      max: 100,
    },
  ),
  flag('normaliseReturns', say('Normalise returns', '归一化回报'), true, {
    help: say(
      'Whether values are learned in units of the running spread of the returns. Learning then goes equally well whatever rewards are worth.',
      '价值是否以回报的滑动标准差为单位来学习。这样学习效果不受奖励大小影响。',
    ),
    when: learners('auto', ...onPolicy),
    section: 'advanced',
  }),
  parameter(
    'maxGradNorm',
    'Greatest gradient',
    '最大梯度范数',
    say('Longer gradients are made as long as this.', '超过此长度的梯度会被缩短。'),
    [...onPolicy, ...replaying],
    { min: 0, max: 1e9 },
  ),
  parameter(
    'targetKl',
    'Greatest KL',
    'KL 上限',
    say('A round ends early when the policy has changed that much.', '策略变化达到此值时提前结束本轮。'),
    proximal,
    { min: 0, max: 100 },
  ),
  parameter('buffer', 'Replay buffer', '回放缓冲', say('Transitions that are kept to learn from.', '保留用于学习的转移数。'), replaying, {
    min: 1,
    max: 1_000_000,
    integer: true,
  }),
  parameter(
    'warmUp',
    'Decisions at first',
    '起始决策数',
    say('Decisions before the first step of learning.', '首次学习之前的决策数。'),
    replaying,
    { min: 0, max: 10_000_000, integer: true },
  ),
  parameter(
    'trainEvery',
    'Learns every',
    '学习间隔',
    say('Decisions between two rounds of learning, of all environments together.', '两次学习之间的决策数（所有环境合计）。'),
    replaying,
    { min: 1, max: 100_000, integer: true },
  ),
  parameter(
    'gradientSteps',
    'Steps then',
    '每次步数',
    say('Steps of the optimiser in a round of learning.', '每次学习中优化器的步数。'),
    replaying,
    { min: 1, max: 100_000, integer: true },
  ),
  parameter(
    'tau',
    'Target rate',
    '目标更新率',
    say('The part of the way that target networks follow.', '目标网络跟随的比例。'),
    replaying,
    { min: 0, max: 1 },
  ),
  parameter(
    'targetEvery',
    'Target follows every',
    '目标更新间隔',
    say('Steps of the optimiser between two moves of the target network.', '两次更新目标网络之间优化器的步数。'),
    ['dqn'],
    { min: 1, max: 1_000_000, integer: true },
  ),
  parameter(
    'lookahead',
    'Steps of return',
    '多步回报',
    say('Rewards that are added up before values are asked.', '查询价值之前累加的奖励步数。'),
    ['dqn'],
    { min: 1, max: 100, integer: true },
  ),
  flag('double', say('Double', '双重 Q'), true, {
    help: say('Whether one network chooses the next action and another values it.', '是否由一个网络选择下一动作、另一个网络评价。'),
    when: learners('dqn'),
    section: 'advanced',
  }),
  flag('dueling', say('Dueling', '对决网络'), false, {
    help: say('Whether values of states and advantages of actions are told apart.', '是否区分状态价值与动作优势。'),
    when: learners('dqn'),
    section: 'advanced',
  }),
  flag('prioritised', say('Prioritised replay', '优先回放'), false, {
    help: say('Whether surprising transitions are learned from more often.', '是否更常学习误差大的转移。'),
    when: learners('dqn'),
    section: 'advanced',
  }),
  parameter(
    'explorationStart',
    'Exploration at first',
    '初始探索率',
    say('Share of actions left to chance at first.', '开始时随机动作的比例。'),
    ['dqn', ...tables],
    { min: 0, max: 1 },
  ),
  parameter(
    'explorationEnd',
    'Exploration in the end',
    '最终探索率',
    say('Share of actions left to chance in the end.', '最终随机动作的比例。'),
    ['dqn', ...tables],
    { min: 0, max: 1 },
  ),
  parameter(
    'explorationShare',
    'Explores for',
    '探索阶段',
    say('The part of the training through which it falls.', '探索率下降所占的训练比例。'),
    ['dqn', ...tables],
    { min: 0, max: 1 },
  ),
  parameter(
    'noise',
    'Noise',
    '噪声',
    say('Spread of what is added to actions while learning.', '学习时加到动作上的噪声幅度。'),
    ['ddpg', 'td3'],
    { min: 0, max: 10 },
  ),
  parameter(
    'correlation',
    'Noise goes on',
    '噪声相关性',
    say(
      'Correlation of what is left to chance in two decisions that follow each other. High: an action is kept up for a while.',
      '相邻两次决策中随机部分的相关性。高：动作会保持一段时间。',
    ),
    continuous,
    { min: 0, max: 0.999 },
  ),
  parameter(
    'rewardScale',
    'Reward scale',
    '奖励缩放',
    say('What rewards are multiplied by before they are learned from.', '学习前奖励所乘的系数。'),
    [...onPolicy, ...replaying],
    { min: 0, max: 1e9 },
  ),
  parameter('alpha', 'Step size', '步长', say('The part of the way that a value of the table moves.', '表中数值移动的比例。'), tables, {
    min: 0,
    max: 1,
  }),
  parameter('candidates', 'Candidates', '候选数', say('Policies that are tried in a round.', '每轮尝试的策略数。'), ['es', 'cmaes'], {
    min: 4,
    max: 10_000,
    integer: true,
  }),
  parameter('sigma', 'Spread', '扰动幅度', say('How far candidates lie around the policy.', '候选策略的散布幅度。'), ['es', 'cmaes'], {
    min: 0,
    max: 10,
  }),
]
