// Small models to begin with: what they are called, and the numbers they are made with. Light: pages read this; `patterns/build.ts` makes them.
import { say, type Words } from '../../model-schema/words.ts'

/** A number of a pattern; others than these are led to the nearest of them. */
type PatternNumber = {
  readonly name: Words
  readonly usual: number
  readonly least: number
  readonly most: number
  readonly whole?: true
}

export type Pattern = {
  readonly id: string
  /** What people call it, in small letters. */
  readonly words: readonly string[]
  readonly title: Words
  /** What a person says who wants it. */
  readonly wish: Words
  readonly why: Words
  /** In the order in which a question says them. */
  readonly numbers: readonly PatternNumber[]
}

const count = (name: Words, usual: number, most = 10_000, least = 1): PatternNumber => ({ name, usual, least, most, whole: true })
const amount = (name: Words, usual: number, most = 1_000_000, least = 0.001): PatternNumber => ({ name, usual, least, most })
const share = (name: Words, usual: number): PatternNumber => ({ name, usual, least: 0, most: 1 })
const percent = (name: Words, usual: number): PatternNumber => ({ name, usual, least: 0, most: 100 })

const between = say('time between arrivals')
const people = say('people')

/** The numbers a pattern is made with: those that are said, in order, led to what it takes; the usual ones for those that are left away. */
export const numbersOf = ({ numbers }: Pattern, said: readonly number[]): number[] =>
  numbers.map(({ usual, least, most, whole }, i) => {
    const value = said[i]
    const known = value !== undefined && Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : usual
    return whole ? Math.round(known) : known
  })

export const patterns: readonly Pattern[] = [
  {
    id: 'queue',
    words: ['queue', 'server', 'waiting line', '排队', '队列', '服务台'],
    title: say('A queue'),
    wish: say('Build a queue'),
    why: say('Customers arrive at random, wait for one of the servers, are served and leave. Mean wait and utilisation are measured.'),
    numbers: [count(say('servers'), 2), amount(between, 1), amount(say('time of a service'), 1.5)],
  },
  {
    id: 'carwash',
    words: ['car wash', 'limited queue', '洗车', '有限队列'],
    title: say('A car wash with few places'),
    wish: say('Build a car wash with few places'),
    why: say('Cars that find the yard full drive on. How many do, and how long the others wait, is measured.'),
    numbers: [count(say('places'), 3, 1000), amount(between, 1.25), amount(say('time of a wash'), 1)],
  },
  {
    id: 'calls',
    words: ['call centre', 'call center', 'impatien', 'abandon', '呼叫中心', '放弃等待', '耐心'],
    title: say('A call centre with impatient callers'),
    wish: say('Build a call centre with impatient callers'),
    why: say('Callers wait for an agent as long as their patience lasts, then hang up. Lost calls, waits and utilisation are measured.'),
    numbers: [count(say('agents'), 3), amount(between, 1), amount(say('time of a talk'), 2.5), amount(say('patience'), 2)],
  },
  {
    id: 'priority',
    words: ['priorit', 'urgent', 'emergency', '优先', '急诊', '紧急'],
    title: say('Urgent cases first'),
    wish: say('Build a queue where urgent cases go first'),
    why: say('Two kinds of arrivals share the doctors; the urgent ones go before the others.'),
    numbers: [
      count(say('doctors'), 2),
      amount(between, 1),
      amount(say('time of a treatment'), 1.5),
      { name: say('percent urgent'), usual: 20, least: 1, most: 99 },
    ],
  },
  {
    id: 'line',
    words: ['production line', 'assembly line', 'tandem', 'two stations', '流水线', '生产线'],
    title: say('A production line'),
    wish: say('Build a production line'),
    why: say('Parts pass two machines one after the other and wait before each. Throughput and utilisation are measured.'),
    numbers: [amount(between, 1), amount(say('time at the first machine'), 0.8), amount(say('time at the second machine'), 0.7)],
  },
  {
    id: 'rework',
    words: ['rework', 'inspection', 'quality control', '返工', '质检', '检验'],
    title: say('Inspection and rework'),
    wish: say('Build an inspection with rework'),
    why: say('What is faulty after its work goes back and is done again. Rounds and waits are measured.'),
    numbers: [amount(between, 1.5), amount(say('time of the work'), 1), { name: say('percent faulty'), usual: 10, least: 0.1, most: 90 }],
  },
  {
    id: 'batch',
    words: ['batch', 'bus', 'ferry', 'shuttle', '批量', '班车', '渡轮'],
    title: say('A bus that leaves when full'),
    wish: say('Build a bus that leaves when full'),
    why: say('People queue until there are enough for a trip. How many wait and how many trips are made is measured.'),
    numbers: [count(say('places'), 10, 1000), amount(between, 1), amount(say('time of a trip'), 5)],
  },
  {
    id: 'machine',
    words: ['machine', 'breakdown', 'failure', 'maintenance', '机器', '故障', '维修'],
    title: say('A machine that breaks down'),
    wish: say('Build a machine that breaks down'),
    why: say('A machine works for a while, breaks down and is repaired. Its availability is measured.'),
    numbers: [amount(say('time until it breaks down'), 50), amount(say('time of a repair'), 5)],
  },
  {
    id: 'inventory',
    words: ['inventory', 'warehouse', 'reorder', '库存', '仓库', '补货'],
    title: say('An inventory with reordering'),
    wish: say('Build an inventory with reordering'),
    why: say(
      'Customers buy; whenever little is left at the beginning of a period, an order fills the stock up. Stock, debts and orders are measured.',
    ),
    numbers: [
      count(say('reorder below'), 20, 1000, 0),
      count(say('order up to'), 40),
      amount(say('customers a period'), 10, 10_000),
      amount(say('time of a delivery'), 0.7, 1000),
    ],
  },
  {
    id: 'sir',
    words: ['sir', 'epidemic', 'infection', '传染', '流行病', '疫情'],
    title: say('An SIR epidemic'),
    wish: say('Build an SIR epidemic'),
    why: say(
      'Susceptible, infected and recovered people as three amounts that change each tick: infections by contact, recovery after a while.',
    ),
    numbers: [
      count(people, 1000, 1_000_000_000, 2),
      { name: say('contact rate'), usual: 0.4, least: 0, most: 5 },
      share(say('recovery rate'), 0.1),
    ],
  },
  {
    id: 'growth',
    words: ['growth', 'logistic', 'population', '增长', '逻辑斯蒂', '种群'],
    title: say('Limited growth'),
    wish: say('Build limited growth'),
    why: say('A population grows by its size until it reaches what its surroundings can carry.'),
    numbers: [amount(say('at first'), 10), amount(say('capacity'), 1000), share(say('growth rate'), 0.05)],
  },
  {
    id: 'bass',
    words: ['bass', 'adoption', 'innovation', '产品扩散', '创新扩散', '采用'],
    title: say('Adoption of something new'),
    wish: say('Build the adoption of something new'),
    why: say('People adopt by themselves or because others have (Bass diffusion).'),
    numbers: [
      count(people, 1000, 1_000_000_000, 2),
      { name: say('innovation'), usual: 0.03, least: 0, most: 0.5 },
      share(say('imitation'), 0.38),
    ],
  },
  {
    id: 'lotka',
    words: ['lotka', 'predator', 'prey', '捕食', '猎物'],
    title: say('Predators and prey as amounts'),
    wish: say('Build predators and prey as amounts'),
    why: say('Prey breed, predators hunt them and starve without them (Lotka and Volterra): both go up and down.'),
    numbers: [amount(say('prey'), 40), amount(say('predators'), 9)],
  },
  {
    id: 'pool',
    words: ['token pool', 'liquidity', 'swap', 'constant product', '代币池', '流动性', '兑换池'],
    title: say('A token pool'),
    wish: say('Build a token pool'),
    why: say('Traders swap gold and cash with a pool that keeps the product of both (constant product), for a fee. The price is measured.'),
    numbers: [
      amount(say('depth of the pool'), 1000),
      { name: say('fee in percent'), usual: 0.3, least: 0, most: 5 },
      amount(say('greatest trade'), 20),
    ],
  },
  {
    id: 'thermostat',
    words: ['thermostat', 'heating', 'control loop', '恒温', '加热', '控制回路'],
    title: say('A thermostat'),
    wish: say('Build a thermostat'),
    why: say('A heating goes on below and off above the wanted temperature while the room loses heat.'),
    numbers: [
      { name: say('wanted temperature'), usual: 20, least: -50, most: 100 },
      { name: say('temperature outside'), usual: 5, least: -50, most: 100 },
    ],
  },
  {
    id: 'walk',
    words: ['random walk', 'walker', '随机游走', '随机漫步'],
    title: say('A random walk'),
    wish: say('Build a random walk'),
    why: say('Agents that take a step to the left or the right each tick; how far they get is measured.'),
    numbers: [count(say('agents'), 100, 100_000)],
  },
  {
    id: 'wolves',
    words: ['wolf', 'wolves', 'sheep', 'ecosystem', '狼', '羊', '生态'],
    title: say('Wolves, sheep and grass'),
    wish: say('Build wolves, sheep and grass'),
    why: say('Sheep graze, wolves eat sheep, both breed and starve, and grass grows back.'),
    numbers: [count(say('sheep'), 100, 10_000), count(say('wolves'), 30, 10_000, 0)],
  },
  {
    id: 'segregation',
    words: ['segregation', 'schelling', 'neighbourhood', 'neighborhood', '隔离', '谢林'],
    title: say('Segregation'),
    wish: say('Build segregation'),
    why: say('Households of two groups move when too few of their neighbours are of their own group (Schelling).'),
    numbers: [{ name: say('percent occupied'), usual: 90, least: 1, most: 99 }, percent(say('percent wanted alike'), 40)],
  },
  {
    id: 'vote',
    words: ['vote', 'voter', 'election', '投票', '选民', '选举'],
    title: say('A vote among acquaintances'),
    wish: say('Build a vote among acquaintances'),
    why: say('Voters take over the view of one of their acquaintances; how many are in favour is measured.'),
    numbers: [count(say('voters'), 200, 5000, 2), amount(say('acquaintances of each'), 6, 50, 0.1)],
  },
  {
    id: 'rumour',
    words: ['rumour', 'rumor', 'network', 'gossip', '谣言', '网络', '传闻'],
    title: say('A rumour in a network'),
    wish: say('Build a rumour in a network'),
    why: say('Whoever has heard a rumour tells it to acquaintances by chance; how many know it is measured.'),
    numbers: [count(people, 300, 5000, 3), count(say('acquaintances of each'), 4, 50, 2), share(say('chance to tell it'), 0.1)],
  },
  {
    id: 'money',
    words: ['money', 'wealth', 'coin', '财富', '货币', '硬币'],
    title: say('Random exchange of money'),
    wish: say('Build a random exchange of money'),
    why: say('Everybody gives a coin to somebody at random each tick: wealth becomes unequal.'),
    numbers: [count(people, 200, 5000, 2), count(say('coins of each'), 10, 10_000)],
  },
  {
    id: 'life',
    words: ['game of life', 'cellular automat', 'conway', '生命游戏', '元胞自动机'],
    title: say('The game of life'),
    wish: say('Build the game of life'),
    why: say('Cells live on with two or three living neighbours and are born with three (Conway).'),
    numbers: [count(say('cells on each side'), 50, 300, 3), percent(say('percent alive at first'), 30)],
  },
  {
    id: 'fire',
    words: ['fire', 'percolation', '火灾', '森林火', '渗流'],
    title: say('A forest fire'),
    wish: say('Build a forest fire'),
    why: say('Fire spreads from tree to neighbouring tree; how much burns depends on how dense the wood is.'),
    numbers: [count(say('cells on each side'), 60, 300, 3), percent(say('percent covered with trees'), 60)],
  },
  {
    id: 'opinion',
    words: ['opinion', 'consensus', 'bounded confidence', '观点', '意见', '共识'],
    title: say('Opinions that approach each other'),
    wish: say('Build opinions that approach each other'),
    why: say('People who meet approach each other if their opinions are not too far apart (bounded confidence).'),
    numbers: [count(people, 200, 5000, 2), share(say('tolerance'), 0.2)],
  },
]

/** The pattern named in a text (in small letters); the longest name wins. */
export function patternIn(said: string): Pattern | undefined {
  let [best, length] = [undefined as Pattern | undefined, 0]
  for (const pattern of patterns)
    for (const word of pattern.words)
      if (word.length > length && (/^\p{ASCII}/u.test(word) ? new RegExp(`\\b${word}`, 'u').test(said) : said.includes(word)))
        [best, length] = [pattern, word.length]
  return best
}
