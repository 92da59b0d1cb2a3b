// The shipped sample models: what the gallery shows of each. The model itself is `samples/<id>.holo`, built from components only; a
// validation test in tests/engine/samples/ holds it against the published result named here.
import { say, type Words } from './kinds/kind.ts'

export type Sample = {
  /** Name of its file without `.holo`; stable, used in links. */
  id: string
  title: Words
  /** What it shows and what to try: two or three sentences. */
  note: Words
  topic: 'agents' | 'cells' | 'processes' | 'networks' | 'economy'
  /** The published result it reproduces, with its source. */
  reference: Words
}

/** In the order a newcomer should meet them. */
export const samples: readonly Sample[] = [
  {
    id: 'segregation',
    title: say('Segregation', '居住隔离'),
    note: say(
      'Households of two groups move when too few of their neighbours are like them. Drag "Similar wanted" and watch how mild wishes part a whole town.',
      '两类家庭在同类邻居太少时搬家。拖动“期望同类比例”，看温和的偏好如何让整座城镇分离。',
    ),
    topic: 'agents',
    reference: say(
      'Schelling 1971: 75 to 99 % similar neighbours at rest for 30 to 60 % wanted',
      'Schelling 1971：期望 30% 至 60% 时，稳定后同类邻居占 75% 至 99%',
    ),
  },
  {
    id: 'wolf-sheep',
    title: say('Wolves, sheep and grass', '狼、羊与草'),
    note: say(
      'Sheep eat grass, wolves eat sheep, grass grows back. Their numbers swing in turn; change how fast grass regrows and see who survives.',
      '羊吃草，狼吃羊，草再生长，三者数量此起彼伏。改变草的再生速度，看谁能存活。',
    ),
    topic: 'agents',
    reference: say('Wilensky 1997: about 160 sheep and 76 wolves in the long run', 'Wilensky 1997：长期约 160 只羊、76 只狼'),
  },
  {
    id: 'epidemic',
    title: say('Epidemic', '流行病'),
    note: say(
      'A well-mixed population: susceptible, infected, recovered. Move the sliders for contagion and recovery and see when an outbreak dies out and when it sweeps through.',
      '充分混合的人群：易感、感染、康复。拖动传染与康复滑块，看疫情何时熄灭、何时席卷。',
    ),
    topic: 'agents',
    reference: say('Kermack & McKendrick 1927: final size z = 1 - exp(-R0 z)', 'Kermack 与 McKendrick 1927：最终规模 z = 1 - exp(-R0 z)'),
  },
  {
    id: 'clinic',
    title: say('Clinic', '诊所'),
    note: say(
      'Patients arrive at random, wait for a free nurse, are treated and leave. Add a nurse and see the queue melt: waiting does not grow in step with load.',
      '病人随机到达，等待空闲护士，接受治疗后离开。增加一名护士，看队列消融：等待并不随负荷成比例增长。',
    ),
    topic: 'processes',
    reference: say(
      'Erlang C (M/M/c): for three nurses at 80 % load a mean wait of 1.0787',
      'Erlang C（M/M/c）：三名护士、80% 负荷时平均等待 1.0787',
    ),
  },
  {
    id: 'token-pool',
    title: say('Token pool', '代币池'),
    note: say(
      'A constant-product market maker: traders sell one token for another, the price follows the reserves, the fee stays in the pool.',
      '恒定乘积做市商：交易者以一种代币换另一种，价格随储备变化，手续费留在池中。',
    ),
    topic: 'economy',
    reference: say('x y = k: selling 100 into 1000/1000 gives 90.909', 'x y = k：向 1000/1000 卖出 100 得 90.909'),
  },
  {
    id: 'trunk-lines',
    title: say('Trunk lines', '中继线'),
    note: say(
      'Calls that find every line busy are lost. How many lines does it take to lose fewer than one call in a hundred?',
      '找不到空闲线路的呼叫即丢失。要使丢失率低于百分之一，需要多少条线路？',
    ),
    topic: 'processes',
    reference: say('Erlang B: loss 0.1217 for 8 erlang on 10 lines', 'Erlang B：8 爱尔兰、10 条线路时损失率 0.1217'),
  },
  {
    id: 'car-wash',
    title: say('Car wash', '洗车房'),
    note: say(
      'One machine, random arrivals. A steady wash time halves the queue of a random one; a short yard turns cars away.',
      '一台机器，随机到达。固定的洗车时间使队列减半；场地太小则会拒绝来车。',
    ),
    topic: 'processes',
    reference: say('Pollaczek-Khinchine: mean wait 2.0 for M/D/1 at 80 % load', 'Pollaczek-Khinchine：M/D/1 在 80% 负荷下平均等待 2.0'),
  },
  {
    id: 'emergency-room',
    title: say('Emergency room', '急诊室'),
    note: say(
      'Urgent patients go first, but treatment is never interrupted. The others pay for it in waiting.',
      '急重病人优先，但治疗不被中断；其他病人以等待为代价。',
    ),
    topic: 'processes',
    reference: say('Cobham 1954: mean waits 1.000 and 3.333', 'Cobham 1954：平均等待 1.000 与 3.333'),
  },
  {
    id: 'inventory',
    title: say('Inventory (s, S)', '库存 (s, S)'),
    note: say(
      'Order up to S whenever stock falls below s at the end of a month. Weigh the cost of ordering, holding and shortage.',
      '月末库存低于 s 时补货至 S。权衡订货、持有与缺货成本。',
    ),
    topic: 'processes',
    reference: say('Law & Kelton: mean monthly cost 125.2 for (20, 40)', 'Law 与 Kelton：(20, 40) 时平均月成本 125.2'),
  },
  {
    id: 'forest-fire',
    title: say('Forest fire', '森林火灾'),
    note: say(
      'Fire spreads from tree to neighbouring tree. Between 58 and 61 % tree cover it suddenly crosses the whole wood.',
      '火从树蔓延至相邻的树。覆盖率在 58% 至 61% 之间时，火势突然能穿越整片森林。',
    ),
    topic: 'cells',
    reference: say('Site percolation: threshold 0.5927', '点渗流：阈值 0.5927'),
  },
  {
    id: 'flocking',
    title: say('Flocking', '集群飞行'),
    note: say(
      'Each bird takes the mean heading of those near it, with some noise. Turn the noise up until the flock loses its way.',
      '每只鸟取附近鸟的平均朝向并加上噪声。调高噪声，直到鸟群失去方向。',
    ),
    topic: 'agents',
    reference: say('Vicsek et al. 1995: order falls from 0.99 to 0.06 as noise grows', 'Vicsek 等 1995：噪声增大时有序度从 0.99 降到 0.06'),
  },
  {
    id: 'money-exchange',
    title: say('Random money exchange', '随机货币交换'),
    note: say(
      'Everyone gives a coin to somebody at random when they can. Equal chances, very unequal purses.',
      '每个人有钱时随机给别人一枚硬币。机会均等，钱包悬殊。',
    ),
    topic: 'economy',
    reference: say(
      'Dragulescu & Yakovenko 2000: Gini 2/3 for a mean of one coin',
      'Dragulescu 与 Yakovenko 2000：平均一枚硬币时基尼系数 2/3',
    ),
  },
  {
    id: 'sugarscape',
    title: say('Sugarscape', '糖域'),
    note: say(
      'Agents with differing sight and hunger gather sugar that grows back. Wealth becomes unequal all by itself.',
      '视力与食量各异的智能体采集会再生的糖，财富自行变得不均。',
    ),
    topic: 'agents',
    reference: say('Epstein & Axtell 1996: Gini about 0.475 in the long run', 'Epstein 与 Axtell 1996：长期基尼系数约 0.475'),
  },
  {
    id: 'bass-diffusion',
    title: say('Bass diffusion', 'Bass 扩散'),
    note: say(
      'People adopt a product by advertising or by word of mouth. The classic S-curve of a market.',
      '人们因广告或口碑采用产品，形成经典的市场 S 曲线。',
    ),
    topic: 'economy',
    reference: say('Bass 1969: peak at t = 6.19, 81 % adopted at t = 10', 'Bass 1969：峰值在 t = 6.19，t = 10 时 81% 已采用'),
  },
  {
    id: 'prisoners-dilemma',
    title: say('Spatial prisoner’s dilemma', '空间囚徒困境'),
    note: say(
      'Cells copy their best neighbour. Cooperation and defection chase one another in ever-changing patterns.',
      '元胞模仿收益最高的邻居，合作与背叛在变幻的图案中互相追逐。',
    ),
    topic: 'cells',
    reference: say('Nowak & May 1992: 0.318 cooperators', 'Nowak 与 May 1992：合作者占 0.318'),
  },
  {
    id: 'traffic',
    title: say('Traffic', '交通'),
    note: say(
      'Cars on a ring road that brake at random. Jams appear from nothing and travel backwards.',
      '环路上的汽车随机刹车，拥堵凭空出现并向后传播。',
    ),
    topic: 'cells',
    reference: say('Nagel & Schreckenberg 1992: flow 0.1693 at density 0.25', 'Nagel 与 Schreckenberg 1992：密度 0.25 时流量 0.1693'),
  },
  {
    id: 'life',
    title: say('Game of Life', '生命游戏'),
    note: say(
      'Four rules and a handful of cells: the R-pentomino keeps changing for 1103 generations.',
      '四条规则与几个细胞：R-五连块持续变化 1103 代。',
    ),
    topic: 'cells',
    reference: say('Conway 1970: 116 cells from generation 1103 on', 'Conway 1970：第 1103 代起稳定为 116 个细胞'),
  },
  {
    id: 'langtons-ant',
    title: say('Langton’s ant', '兰顿蚂蚁'),
    note: say(
      'Turn right on white, left on black, flip the cell, step on. After ten thousand steps of chaos it builds a highway.',
      '白格右转、黑格左转、翻转颜色、前进一步。一万步混沌之后，它筑起高速公路。',
    ),
    topic: 'cells',
    reference: say('Langton 1986: 720 black cells after 10,000 steps', 'Langton 1986：10000 步后 720 个黑格'),
  },
  {
    id: 'networks',
    title: say('Networks', '网络'),
    note: say(
      'Three ways to wire a crowd: at random, small world, hubs. Compare giant component, clustering and degrees.',
      '三种连接人群的方式：随机、小世界、枢纽。比较巨型连通分量、聚类与度分布。',
    ),
    topic: 'networks',
    reference: say('Erdős-Rényi, Watts-Strogatz, Barabási-Albert laws', 'Erdős-Rényi、Watts-Strogatz、Barabási-Albert 定律'),
  },
  {
    id: 'arbitrage',
    title: say('Arbitrage at a pool', '池的套利'),
    note: say(
      'A constant-product pool as a real contract on a local chain, and an arbitrageur who trades it to the outside price. Raise the fee and see how seldom a trade pays, and open the Chain panel to see each one.',
      '本地链上的恒定乘积池（真实合约），套利者把价格交易到外部价格。提高手续费，看交易何时不再划算；打开“链”面板查看每笔交易。',
    ),
    topic: 'economy',
    reference: say(
      'Milionis, Moallemi and Roughgarden 2024: a trade in a share 1 / (1 + sqrt(2 λ) γ / σ) of the blocks, .2367 here',
      'Milionis、Moallemi 与 Roughgarden 2024：有交易的区块占比 1 / (1 + sqrt(2 λ) γ / σ)，此处为 0.2367',
    ),
  },
  {
    id: 'vesting',
    title: say('Vesting and a token economy', '归属与代币经济'),
    note: say(
      'Members are paid granted tokens over 24 months by a contract, spend a third of them, and the shop burns half of what it takes. Every amount is exact to the last unit.',
      '合约在 24 个月内向成员发放获授代币，成员花掉三分之一，商店销毁所收的一半。每个数额都精确到最小单位。',
    ),
    topic: 'economy',
    reference: say(
      'Linear vesting with a cliff: grant × m // 24 after m months; supply = held + locked + shop + bank',
      '带悬崖期的线性归属：m 个月后为 授予 × m // 24；供应 = 持有 + 锁定 + 商店 + 银行',
    ),
  },
  {
    id: 'liquidation',
    title: say('Liquidation cascade', '清算级联'),
    note: say(
      'A hundred loans in a lending contract, priced by a pool. Somebody sells, unsafe loans are liquidated into the same pool, and more become unsafe. Move the amount sold and find where a dent becomes a crash.',
      '借贷合约中的一百笔贷款由池定价。有人卖出后，不安全贷款被清算并卖入同一池，又使更多贷款变得不安全。调节卖出数量，找出小跌变成崩盘之处。',
    ),
    topic: 'economy',
    reference: say(
      'The cascade ends at the least fixed point of k / (reserve + sold)²; the model works it out beforehand',
      '级联止于 k / (储备 + 卖出量)² 的最小不动点；模型事先算出',
    ),
  },
  {
    id: 'block-auction',
    title: say('Block auction', '区块拍卖'),
    note: say(
      'Searchers bid for the first place in each block; a contract sells it at the second highest bid. Bids wait in the pool and are ordered by fee. Change the number of searchers and see who is left with the gain.',
      '搜索者竞拍每个区块的首位，合约按第二高出价成交；出价在交易池中等待并按费用排序。改变搜索者数量，看收益归谁。',
    ),
    topic: 'economy',
    reference: say(
      'Vickrey 1961: revenue (n - 1) / (n + 1), gain of a bidder 1 / (n (n + 1)) for n uniform values',
      'Vickrey 1961：n 个均匀分布的价值，收入 (n - 1) / (n + 1)，每名竞拍者收益 1 / (n (n + 1))',
    ),
  },
  {
    id: 'conviction-voting',
    title: say('Conviction voting', '信念投票'),
    note: say(
      'A faucet fills a common pool; support for a proposal grows the longer it is held. Every token is accounted for.',
      '水龙头为公共池注资；对提案的支持随持有时间增长。每一枚代币都有账可查。',
    ),
    topic: 'economy',
    reference: say(
      'Linear recurrence with decay 0.9: half life 6.579 ticks, limit ten times the stake',
      '衰减 0.9 的线性递推：半衰期 6.579 步，上限为质押的十倍',
    ),
  },
  {
    id: 'newsvendor',
    title: say('Newsvendor', '报童'),
    note: say(
      'How many papers to buy before knowing the demand? Try order quantities and find the best one.',
      '在不知道需求之前该进多少报纸？尝试不同订货量，找到最优值。',
    ),
    topic: 'economy',
    reference: say('Critical ratio: best order 121.43, expected profit 428.57', '临界比：最优订货 121.43，期望利润 428.57'),
  },
  {
    id: 'cart-pole',
    title: say('Cart and pole', '小车与倒立杆'),
    note: say(
      'A pole stands on a cart that is pushed left or right fifty times a second. A rule of one line holds it; open "Learning to balance" and watch a network find out by itself, then take its policy over into this model.',
      '杆立在小车上，小车每秒被左右推动五十次。一行规则即可保持平衡；打开“学习保持平衡”，看网络如何自己学会，再把策略用于此模型。',
    ),
    topic: 'processes',
    reference: say(
      'Barto, Sutton & Anderson 1983; solved at a mean of 475 of 500 steps',
      'Barto、Sutton 与 Anderson 1983；平均达到 500 步中的 475 步即为解决',
    ),
  },
  {
    id: 'admission',
    title: say('Admission to a queue', '队列准入'),
    note: say(
      'Each customer let in pays 10, and each in the queue costs 1 a unit of time. Whom to let in? Drag "Let in below", then let "Learning whom to let in" find the threshold.',
      '每位获准进入的顾客付 10，队列中每人每单位时间花费 1。该让谁进入？拖动“准入上限”，再让“学习准入”找出阈值。',
    ),
    topic: 'processes',
    reference: say(
      'Naor 1969: let in while fewer than 4 are there, which gains 5.7678 a unit of time',
      'Naor 1969：少于 4 人时准入，每单位时间收益 5.7678',
    ),
  },
  {
    id: 'cliff-walk',
    title: say('Walk along a cliff', '悬崖边行走'),
    note: say(
      'From one corner of a grid to the other, along a cliff: each step costs 1, a fall 100. A table of values learns the way in some seconds.',
      '沿悬崖从网格一角走到另一角：每步花费 1，坠落花费 100。价值表在几秒内学会路线。',
    ),
    topic: 'cells',
    reference: say('Sutton & Barto, example 6.6: the best way takes 13 steps', 'Sutton 与 Barto，例 6.6：最短路线 13 步'),
  },
  {
    id: 'lost-sales',
    title: say('Stock with a lead time', '有提前期的库存'),
    note: say(
      'What is ordered today is there the day after tomorrow, and what is missing is not sold. Ordering up to a level is not the best one can do: let "Learning when to order" look for something better.',
      '今天订的货后天到，缺货即失去销售。订至固定水平并非最优：让“学习何时订货”寻找更好的做法。',
    ),
    topic: 'processes',
    reference: say(
      'Zipkin 2008: lead time 2, shortage 4: best 4.395 a day, best level 4.639',
      'Zipkin 2008：提前期 2、缺货成本 4：最优每天 4.395，最佳订货水平 4.639',
    ),
  },
]

export type SampleExperiment = {
  /** Name of its file in `samples/experiments/` without `.holo`. */
  id: string
  /** The sample it is about: where the file on disk names a path, the gallery links a copy of this one. */
  model: string
  title: Words
  note: Words
}

/** Shipped experiments: `samples/experiments/<id>.holo`. */
export const sampleExperiments: readonly SampleExperiment[] = [
  {
    id: 'clinic-staffing',
    model: 'clinic',
    title: say('Three, four or five nurses', '三名、四名还是五名护士'),
    note: say(
      'Monte Carlo: three alternatives under the same patients. The differences are known far better than the waits themselves.',
      '蒙特卡洛：三个方案面对相同的病人。差异的估计远比等待时间本身精确。',
    ),
  },
  {
    id: 'newsvendor-order',
    model: 'newsvendor',
    title: say('How many papers to order', '该订多少份报纸'),
    note: say(
      'Optimisation in forty points: a Gaussian process learns the profit and asks where it may be greater.',
      '四十个点的优化：高斯过程学习利润曲线，并询问何处可能更高。',
    ),
  },
  {
    id: 'inventory-policy',
    model: 'inventory',
    title: say('When and how much to order', '何时订货、订多少'),
    note: say(
      'Optimisation of an (s, S) policy with a constraint on inputs: points it forbids cost no run.',
      '带输入约束的 (s, S) 策略优化：被禁止的点不消耗运行次数。',
    ),
  },
  {
    id: 'clinic-tradeoff',
    model: 'clinic',
    title: say('Waiting against staff', '等待与人手的权衡'),
    note: say('Two objectives: the Pareto front of the mean wait and what the staff costs.', '两个目标：平均等待与人手成本的帕累托前沿。'),
  },
  {
    id: 'epidemic-fit',
    model: 'epidemic',
    title: say('Fitting an epidemic', '拟合疫情'),
    note: say(
      'Calibration: contagion and duration from six counts of the ill, checked on a seventh that was held out.',
      '校准：由六次病例数推断传染率与病程，并用留出的第七次检验。',
    ),
  },
  {
    id: 'wolf-sheep-screening',
    model: 'wolf-sheep',
    title: say('What the number of sheep depends on', '羊的数量取决于什么'),
    note: say(
      'Morris screening of five parameters: which matter at all, and which only together with others.',
      '五个参数的 Morris 筛选：哪些真正重要，哪些只与其他参数共同起作用。',
    ),
  },
  {
    id: 'cart-pole-learning',
    model: 'cart-pole',
    title: say('Learning to balance', '学习保持平衡'),
    note: say(
      'Reinforcement learning: PPO finds which way to push, from how the pole stands and moves.',
      '强化学习：PPO 根据杆的姿态与运动学会向哪边推。',
    ),
  },
  {
    id: 'admission-learning',
    model: 'admission',
    title: say('Learning whom to let in', '学习准入'),
    note: say('Reinforcement learning: a network finds the threshold that queueing theory knows.', '强化学习：网络找到排队论已知的阈值。'),
  },
  {
    id: 'cliff-walk-learning',
    model: 'cliff-walk',
    title: say('Learning the way along a cliff', '学习悬崖边的路线'),
    note: say(
      'Reinforcement learning with a table: Q-learning, from falls to the shortest way.',
      '用表格的强化学习：Q 学习，从坠落到最短路线。',
    ),
  },
  {
    id: 'lost-sales-learning',
    model: 'lost-sales',
    title: say('Learning when to order', '学习何时订货'),
    note: say(
      'Reinforcement learning: PPO orders better than any fixed level, near the known optimum.',
      '强化学习：PPO 的订货优于任何固定水平，接近已知最优。',
    ),
  },
]
