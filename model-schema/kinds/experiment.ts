// An experiment: many runs of one model scenario, and how they are planned. Names of algorithm settings are those of the multi-objective
// literature (Durillo and Nebro, jMetal).
import { choice, name, number, text } from './field.ts'
import { say, type Kind, type Words } from './kind.ts'
import { training } from './training.ts'

const evolutionary = ['ga', 'nsga2', 'nsga3', 'spea2', 'mocell']

const algorithms: Readonly<Record<string, Words>> = {
  auto: say('Automatic', '自动'),
  ga: say('Genetic algorithm', '遗传算法'),
  de: say('Differential evolution', '差分进化'),
  cmaes: say('CMA-ES', 'CMA-ES'),
  tpe: say('Tree-structured Parzen estimator', '树形 Parzen 估计'),
  gp: say('Gaussian process', '高斯过程'),
  nsga2: say('NSGA-II', 'NSGA-II'),
  nsga3: say('NSGA-III', 'NSGA-III'),
  spea2: say('SPEA2', 'SPEA2'),
  paes: say('PAES', 'PAES'),
  mocell: say('MOCell', 'MOCell'),
  gde3: say('GDE3', 'GDE3'),
  omopso: say('OMOPSO', 'OMOPSO'),
  smpso: say('SMPSO', 'SMPSO'),
  moead: say('MOEA/D', 'MOEA/D'),
  random: say('Random search', '随机搜索'),
}

export const experiment: Kind = {
  id: 'experiment',
  label: say('Experiment', '实验'),
  help: say(
    'Many runs of one model scenario, planned and evaluated together: Monte Carlo, exploration, calibration, optimisation, reinforcement learning.',
    '对同一模型方案进行成批规划和评估的运行：蒙特卡洛、参数探索、校准、优化、强化学习。',
  ),
  family: 'experiment',
  shape: 'none',
  size: [0, 0],
  on: ['file'],
  opens: 'experiment',
  fields: [
    name({ help: say('What people call this experiment.', '实验的显示名称。') }),
    choice(
      'type',
      say('Type', '类型'),
      {
        exploration: say('Parameter exploration', '参数探索'),
        calibration: say('Calibration', '校准'),
        monteCarlo: say('Monte Carlo', '蒙特卡洛'),
        optimization: say('Optimisation', '优化'),
        learning: say('Reinforcement learning', '强化学习'),
      },
      'monteCarlo',
      { help: say('What the runs are for.', '这些运行的目的。') },
    ),
    text('modelFile', say('Model', '模型'), '', {
      help: say(
        'The linked model file: its id, or in a file on disk its path. It cannot be changed once linked.',
        '关联的模型文件：其 id，或磁盘文件中的路径。关联后不能更改。',
      ),
    }),
    text('modelScenario', say('Model scenario', '模型方案'), '', {
      help: say('The scenario that is run: its id or its name. Blank: the first one.', '要运行的方案：其 id 或名称。留空为第一个。'),
    }),
    text('linked', say('State of the model when linked', '关联时的模型状态'), '', {
      help: say(
        'A short digest of each element as it was when the model was linked, from which later changes are counted.',
        '关联模型时各元素的简短摘要，用于统计之后的更改数。',
      ),
      section: 'advanced',
    }),
    number('seed', say('Random seed', '随机种子'), 1, {
      help: say(
        'What all chance in the experiment comes from: the search itself and the seed of each replication.',
        '实验中所有随机性的来源：搜索本身以及每次重复运行的种子。',
      ),
      integer: true,
      min: 0,
      max: 4294967295,
    }),
    number('replications', say('Replications', '重复次数'), 1, {
      help: say(
        'Runs for each point, each with its own seed. Replication i has the same seed at every point (common random numbers). Runs that fail are left out and reported; a point whose runs all fail counts as the worst.',
        '每个点的运行次数，每次使用各自的种子。所有点的第 i 次重复使用相同的种子（公共随机数）。失败的运行不计入并另行报告；所有运行都失败的点视为最差。',
      ),
      integer: true,
      min: 1,
      max: 10_000_000,
    }),
    number('confirmations', say('Confirming replications', '确认重复次数'), 0, {
      help: say(
        'When an optimisation is over, its best points (ten, or up to fifty of the front) get so many further runs with other seeds: what chance made look good falls back. 0: none.',
        '优化结束时，最好的点（十个，或前沿上至多五十个）会以其他种子再运行这么多次：仅凭运气显得好的点会退回。0 表示不确认。',
      ),
      integer: true,
      min: 0,
      max: 100_000,
      when: { type: ['optimization'] },
    }),
    number('resampling', say('Most runs of a survivor', '存活点最多运行次数'), 0, {
      help: say(
        'For noisy objectives: in each generation the points that survived are run once more with another seed, up to so many runs in all, and are worth what all of them say. Works with GA, DE, NSGA-II, GDE3 and SPEA2, and takes its part of the most runs. 0: never.',
        '用于有噪声的目标：每一代中存活的点会以另一个种子再运行一次，总数不超过此值，并按其全部运行评价。适用于 GA、DE、NSGA-II、GDE3 和 SPEA2，计入最多运行次数。0 表示不再运行。',
      ),
      integer: true,
      min: 0,
      max: 1000,
      when: { type: ['optimization'], algorithm: ['auto', 'ga', 'de', 'nsga2', 'gde3', 'spea2'] },
    }),
    number('ticks', say('Total ticks', '总步数'), null, {
      help: say('Replaces the total ticks of the scenario. Blank: as in the scenario.', '替换方案的总步数。留空则与方案一致。'),
      min: 0,
      section: 'timing',
    }),
    number('warmUpTicks', say('Warm-up', '预热期'), null, {
      help: say(
        'Replaces the warm-up of the scenario: so many ticks at the beginning are left out of statistics. Blank: as in the scenario.',
        '替换方案的预热期：统计会忽略开始的这么多步。留空则与方案一致。',
      ),
      min: 0,
      when: { type: ['monteCarlo', 'exploration', 'calibration', 'optimization'] },
      section: 'timing',
    }),
    number('threads', say('Thread number', '线程数'), 0, {
      help: say(
        'Workers that run at the same time. 0: all the machine has. Results do not depend on it. On the server, cloud time is the working time of all of them together.',
        '同时运行的工作线程数。0 表示使用全部。结果与此无关。在服务器上，云计算时长为所有线程工作时间之和。',
      ),
      integer: true,
      min: 0,
      max: 256,
      section: 'timing',
    }),
    number('maxRuns', say('Most runs', '最多运行次数'), 10_000, {
      help: say('The experiment ends after this many runs, replications included.', '达到此运行次数（含重复）后实验结束。'),
      integer: true,
      min: 1,
      max: 10_000_000,
      section: 'timing',
    }),
    number('maxMinutes', say('Most minutes', '最长分钟数'), null, {
      help: say(
        'The experiment pauses after so much time. Blank: no bound. It can be continued.',
        '达到此时长后实验暂停。留空为不限。之后可以继续。',
      ),
      min: 0,
      section: 'timing',
    }),
    // Monte Carlo
    choice(
      'until',
      say('Replicate', '重复方式'),
      { fixed: say('A fixed number of times', '固定次数'), interval: say('Until the interval is narrow', '直到置信区间足够窄') },
      'fixed',
      { help: say('When enough runs were made.', '何时认为运行次数足够。'), when: { type: ['monteCarlo'] } },
    ),
    number('confidence', say('Confidence level', '置信水平'), 0.95, {
      help: say('Of all intervals shown, between 0.5 and 0.9999.', '所有置信区间的水平，介于 0.5 与 0.9999。'),
      min: 0.5,
      max: 0.9999,
      when: { type: ['monteCarlo'] },
    }),
    number('halfWidth', say('Half-width', '半宽'), 0.05, {
      help: say(
        'Wanted half-width of the interval of each response, as a share of its mean.',
        '每个响应置信区间的目标半宽，占均值的比例。',
      ),
      min: 0,
      when: { type: ['monteCarlo'], until: ['interval'] },
    }),
    number('absoluteHalfWidth', say('Half-width in units', '半宽（绝对值）'), null, {
      help: say(
        'A half-width in units of the response that is narrow enough, too: for means near 0, such as those of rare events.',
        '以响应单位计、同样可接受的半宽：用于均值接近 0 的情况，例如罕见事件。',
      ),
      min: 0,
      when: { type: ['monteCarlo'], until: ['interval'] },
    }),
    choice(
      'selection',
      say('Compare alternatives', '方案比较'),
      {
        paired: say('Paired differences', '配对差异'),
        best: say('Select the best', '选出最优'),
      },
      'paired',
      {
        help: say(
          'With several alternatives: intervals of the differences to the first, or ranking and selection, which spends runs where they tell most.',
          '有多个方案时：与第一个方案之差的区间，或排序与选择，把运行次数用在最有区分度之处。',
        ),
        when: { type: ['monteCarlo'] },
      },
    ),
    number('indifference', say('Indifference zone', '无差别区'), 0, {
      help: say('A difference too small to matter, in the unit of the first objective.', '小到无关紧要的差异，以第一个目标的单位计。'),
      min: 0,
      when: { type: ['monteCarlo'], selection: ['best'] },
    }),
    // Exploration
    choice(
      'design',
      say('Design', '实验设计'),
      {
        live: say('Live, by panel cards', '面板卡片实时探索'),
        factorial: say('Full factorial', '全因子'),
        fractional: say('Fractional factorial (two levels)', '部分因子（两水平）'),
        latinHypercube: say('Latin hypercube', '拉丁超立方'),
        sobolSequence: say('Sobol sequence', 'Sobol 序列'),
        table: say('From a table', '来自表格'),
        morris: say('Morris screening', 'Morris 筛选'),
        sobolIndices: say('Sobol indices', 'Sobol 指数'),
      },
      'latinHypercube',
      { help: say('Which points are run.', '运行哪些点。'), when: { type: ['exploration'] } },
    ),
    number('samples', say('Samples', '样本数'), 128, {
      help: say(
        'Points of a hypercube or sequence; base samples of Sobol indices, which take (number of variables + 2) times as many runs.',
        '超立方或序列的点数；Sobol 指数的基础样本数，总运行数为其（变量数 + 2）倍。',
      ),
      integer: true,
      min: 1,
      max: 1_000_000,
      when: { design: ['latinHypercube', 'sobolSequence', 'sobolIndices'] },
    }),
    number('levels', say('Levels', '水平数'), 4, {
      help: say(
        'Values of each continuous variable in a grid; levels of Morris paths (even).',
        '网格中每个连续变量的取值数；Morris 路径的水平数（偶数）。',
      ),
      integer: true,
      min: 2,
      max: 1000,
      when: { design: ['factorial', 'morris'] },
    }),
    number('paths', say('Paths', '路径数'), 20, {
      help: say('Morris paths, each of (number of variables + 1) points.', 'Morris 路径数，每条含（变量数 + 1）个点。'),
      integer: true,
      min: 2,
      max: 10_000,
      when: { design: ['morris'] },
    }),
    text('table', say('Table of points', '点表'), '', {
      help: say('CSV: the first line names decision variables, each further line is a point.', 'CSV：首行为决策变量名，其余每行一个点。'),
      long: true,
      when: { design: ['table'] },
    }),
    // Calibration
    choice(
      'fit',
      say('Method', '方法'),
      { optimise: say('Smallest error', '误差最小'), abc: say('Approximate Bayesian computation', '近似贝叶斯计算') },
      'optimise',
      {
        help: say('One best set of values, or a sample of all values that agree with the data.', '一组最优取值，或与数据相符的取值样本。'),
        when: { type: ['calibration'] },
      },
    ),
    choice(
      'loss',
      say('Error', '误差'),
      {
        sse: say('Sum of squares', '平方和'),
        mae: say('Mean absolute error', '平均绝对误差'),
        likelihood: say('Normal log-likelihood', '正态对数似然'),
      },
      'sse',
      { help: say('How far outputs are from the data.', '输出与数据相差多少。'), when: { type: ['calibration'] } },
    ),
    number('accepted', say('Accepted share', '接受比例'), 0.01, {
      help: say('Share of prior samples nearest to the data that are kept.', '保留离数据最近的先验样本的比例。'),
      min: 0.000_001,
      max: 1,
      when: { type: ['calibration'], fit: ['abc'] },
    }),
    // Optimisation (and calibration by smallest error)
    choice('algorithm', say('Algorithm', '算法'), algorithms, 'auto', {
      help: say(
        'Automatic: by number of objectives, kinds of variables and runs that can be afforded.',
        '自动：根据目标数、变量类型和可承受的运行次数选择。',
      ),
      when: { type: ['optimization', 'calibration'] },
    }),
    number('populationSize', say('Population size', '种群规模'), 100, {
      help: say('Points of one generation (swarm size).', '每一代的点数（粒子群规模）。'),
      integer: true,
      min: 4,
      max: 10_000,
      when: { algorithm: ['ga', 'de', 'nsga2', 'nsga3', 'spea2', 'mocell', 'gde3', 'omopso', 'smpso', 'moead'] },
      section: 'advanced',
    }),
    number('maxIterations', say('Max iterations', '最大迭代次数'), 250, {
      help: say('Generations after which the search ends.', '达到此代数后搜索结束。'),
      integer: true,
      min: 1,
      max: 1_000_000,
      section: 'advanced',
    }),
    number('stall', say('Iterations without progress', '无进展迭代次数'), null, {
      help: say(
        'With one objective, the search ends after so many generations without a better point. Blank: never.',
        '只有一个目标时，连续这么多代没有更好的点即结束。留空为从不。',
      ),
      integer: true,
      min: 1,
      section: 'advanced',
    }),
    number('crossoverProbability', say('Crossover probability', '交叉概率'), 0.9, {
      help: say('How likely two parents are mixed.', '两个父代发生交叉的概率。'),
      min: 0,
      max: 1,
      when: { algorithm: evolutionary },
      section: 'advanced',
    }),
    number('crossoverDistributionIndex', say('Crossover distribution index', '交叉分布指数'), 20, {
      help: say(
        'Of simulated binary crossover: the larger, the nearer children are to their parents.',
        '模拟二进制交叉的分布指数：越大，子代越接近父代。',
      ),
      min: 0,
      max: 1000,
      when: { algorithm: evolutionary },
      section: 'advanced',
    }),
    number('mutationDistributionIndex', say('Mutation distribution index', '变异分布指数'), 20, {
      help: say('Of polynomial mutation: the larger, the smaller the changes.', '多项式变异的分布指数：越大，变化越小。'),
      min: 0,
      max: 1000,
      when: { algorithm: [...evolutionary, 'smpso', 'paes', 'moead'] },
      section: 'advanced',
    }),
    number('differentialRatio', say('Differential ratio', '差分比率'), 0.5, {
      help: say('Weight F of the difference between two points that is added to a third.', '两点之差加到第三点时的权重 F。'),
      min: 0,
      max: 2,
      when: { algorithm: ['de', 'gde3', 'moead'] },
      section: 'advanced',
    }),
    number('archiveSize', say('Archive size', '存档规模'), 100, {
      help: say('Best points kept beside the population.', '种群之外保留的最优点数。'),
      integer: true,
      min: 2,
      max: 10_000,
      when: { algorithm: ['spea2', 'paes', 'mocell', 'omopso', 'smpso'] },
      section: 'advanced',
    }),
    number('perturbationIndex', say('Perturbation index', '扰动指数'), 0.5, {
      help: say(
        'Of the uniform and non-uniform mutation of OMOPSO, as a share of the range.',
        'OMOPSO 均匀与非均匀变异的幅度，占取值范围的比例。',
      ),
      min: 0,
      max: 1,
      when: { algorithm: ['omopso'] },
      section: 'advanced',
    }),
    number('biSections', say('BI sections value', '二分次数'), 5, {
      help: say(
        'How often each objective is halved in the grid of the archive: 5 makes 32 divisions.',
        '存档网格中每个目标的二分次数：5 表示 32 格。',
      ),
      integer: true,
      min: 1,
      max: 10,
      when: { algorithm: ['paes'] },
      section: 'advanced',
    }),
    ...training,
  ],
}
