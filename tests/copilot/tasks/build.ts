// Tasks that begin with an empty model.
import { builds, edit, link, measures, offer, proposes, put, row, use, uses, type Task } from './task.ts'

/** Mean wait of an M/M/c queue: arrivals and services of these means. Erlang C (Gross, Harris, "Fundamentals of Queueing Theory", 2.3). */
function erlangWait(arrival: number, service: number, servers: number): number {
  const load = service / arrival
  let term = 1
  let sum = 1
  for (let k = 1; k < servers; k++) sum += term *= load / k
  const last = (term * load) / servers / (1 - load / servers)
  return ((last / (sum + last)) * service) / (servers - load)
}

const timer = (every: string, more: object = {}): readonly [string, object] => ['start', { trigger: 'timer', every, ...more }]
const statistic = (parent: string, name: string, expression: string, more: object = {}) =>
  put('statistic', parent, { name, expression, ...more })
const resource = (container: string) => [{ container, amount: '1', key: '' }]

/** A queue before servers, written out. */
const queue = (scenario: string, servers: number, arrival: number, service: number) => [
  put('container', scenario, { name: 'Servers', reusable: true, initial: String(servers) }),
  ...row(
    2,
    scenario,
    'Visit',
    timer(`exponential(${arrival})`),
    ['operate', { name: 'Take', operation: 'request', items: resource('Servers') }],
    ['delay', { name: 'Serve', duration: `exponential(${service})` }],
    ['operate', { name: 'Give back', operation: 'release', items: resource('Servers') }],
    ['end'],
  ),
  statistic(scenario, 'wait', 'Servers.mean_wait'),
]

export const build: readonly Task[] = [
  {
    id: 'build-queue-2',
    language: 'en',
    asks: 'Build a queue: customers arrive on average every minute, 2 servers, service 1.2 minutes on average, both exponential. Measure the mean wait as "mean wait".',
    solves: () => [use('pattern', { id: 'queue', numbers: [2, 1, 1.2] }), use('run', { ticks: 200 }), offer('A queue')],
    grade: result => [...builds(result), ...measures(result, 'mean wait', erlangWait(1, 1.2, 2), { runs: 30, ticks: 3000 })],
  },
  {
    id: 'build-queue-3',
    language: 'zh',
    // Four thousand customers that begin with an empty queue wait about 2 % less than those of a queue that is old.
    asks: '建一个有 3 个服务台的排队：平均每 1 分钟到达一位顾客，平均服务 2.4 分钟，均为指数分布。平均等待时间的统计量名为“wait”。',
    solves: proposes((_, scenario) => queue(scenario, 3, 1, 2.4)),
    grade: result => [...builds(result), ...measures(result, 'wait', erlangWait(1, 2.4, 3), { runs: 30, ticks: 4000, slack: 0.1 })],
  },
  {
    id: 'build-sir',
    language: 'en',
    asks: 'Build an SIR epidemic among 1000 people, contact rate 0.4, recovery rate 0.1 a tick. A statistic "recovered people" gives the recovered at the end.',
    solves: (_, scenario) => [
      use('pattern', { id: 'sir', numbers: [1000, 0.4, 0.1] }),
      edit(statistic(scenario, 'recovered people', 'recovered', { sample: 'end' })),
      offer('An epidemic'),
    ],
    // Final size of R0 = 4 (Kermack, McKendrick 1927): z = 1 - exp(-4 z).
    grade: result => [...builds(result), ...measures(result, 'recovered people', 980.2, { runs: 2, ticks: 400, slack: 8 })],
  },
  {
    id: 'build-walk',
    language: 'zh',
    asks: '建一个 400 个智能体的一维随机游走，每一步向左或向右走 1。统计量“spread”给出位置的标准差。',
    solves: () => [use('pattern', { id: 'walk', numbers: [400] }), offer('随机游走')],
    // The variance of a walk is its number of steps. 400 walkers estimate its root within 3.5 %, 64 runs of them within 0.044: ids, and with
    // them the random numbers, differ each time.
    grade: result => [...builds(result), ...measures(result, 'spread', 10, { runs: 64, ticks: 100, slack: 0.2 })],
  },
  {
    id: 'build-stock',
    language: 'en',
    asks: 'Build a stock that starts at 20 pieces; each tick one piece is taken, and whenever 5 or fewer are left it is filled up to 20 at once. A time-weighted statistic "mean stock" gives its mean.',
    solves: proposes((_, scenario) => [
      put('variable', scenario, { name: 'stock', initial: '20' }),
      ...row(
        2,
        scenario,
        'Demand',
        timer('1'),
        ['compute', { name: 'Sell and order', program: 'stock -= 1\nif stock <= 5:\n    stock = 20' }],
        ['end'],
      ),
      statistic(scenario, 'mean stock', 'stock', { aggregate: 'mean' }),
    ]),
    // It goes 20, 19 ... 6 and begins again.
    grade: result => [...builds(result), ...measures(result, 'mean stock', 13, { runs: 2, ticks: 600, slack: 0.6 })],
  },
  {
    id: 'build-growth',
    language: 'zh',
    asks: '建一个每步增长 10% 的存款，初始 100，每步一次。统计量“balance”给出最后的余额。',
    solves: proposes((_, scenario) => [
      put('variable', scenario, { name: 'money', initial: '100' }),
      ...row(2, scenario, '计息', timer('1'), ['compute', { name: '加利息', program: 'money *= 1.1' }], ['end']),
      statistic(scenario, 'balance', 'money', { sample: 'end' }),
    ]),
    grade: result => [...builds(result), ...measures(result, 'balance', 100 * 1.1 ** 10, { runs: 2, ticks: 10, slack: 26 })],
  },
  {
    id: 'build-dice',
    language: 'en',
    asks: 'Each tick a die with six sides is thrown. A statistic "mean throw" gives the mean of all throws.',
    solves: proposes((_, scenario) => [
      put('variable', scenario, { name: 'sum', initial: '0' }),
      put('variable', scenario, { name: 'throws', initial: '0' }),
      ...row(3, scenario, 'Throw', timer('1'), ['compute', { name: 'Roll', program: 'sum += randint(1, 7)\nthrows += 1' }], ['end']),
      statistic(scenario, 'mean throw', 'sum / max(1, throws)', { sample: 'end' }),
    ]),
    grade: result => [...builds(result), ...measures(result, 'mean throw', 3.5, { runs: 8, ticks: 400 })],
  },
  {
    id: 'build-split',
    language: 'zh',
    asks: '每一步到达一个订单，概率 0.7 为普通，其余为加急，用网关按概率分流并计数。统计量“express share”给出加急的比例。',
    solves: (_, scenario) => [
      edit(
        put('variable', scenario, { name: 'normal', initial: '0' }),
        put('variable', scenario, { name: 'express', initial: '0' }),
        put('process', scenario, { name: '订单' }),
        { ...put('start', '$3', { trigger: 'timer', every: '1' }), at: [0, 60] },
        put('gateway', '$3', { name: '分流', type: 'exclusive', by: 'probability' }),
        put('compute', '$3', { name: '普通', program: 'normal += 1' }),
        put('compute', '$3', { name: '加急', program: 'express += 1' }),
        put('end', '$3'),
        put('end', '$3'),
        link('$4', '$5'),
        link('$5', '$6', { weight: '0.7' }),
        link('$5', '$7', { weight: '0.3' }),
        link('$6', '$8'),
        link('$7', '$9'),
        statistic(scenario, 'express share', 'express / max(1, normal + express)', { sample: 'end' }),
      ),
      offer('分流'),
    ],
    grade: result => [
      ...builds(result),
      ...([...result.after.elements.values()].some(({ kind }) => kind === 'gateway') ? [] : ['there is no gateway']),
      ...measures(result, 'express share', 0.3, { runs: 8, ticks: 400 }),
    ],
  },
  {
    id: 'build-parallel',
    language: 'en',
    asks: 'A form arrives every 20 ticks. Two checks of 3 and 7 ticks are made at the same time; when both are done it is counted. "done after" is the time at which the first form was done.',
    solves: (_, scenario) => [
      edit(
        put('variable', scenario, { name: 'first_done', initial: '0' }),
        put('process', scenario, { name: 'Form' }),
        { ...put('start', '$2', { trigger: 'timer', every: '20', first: '0' }), at: [0, 60] },
        put('gateway', '$2', { name: 'Both', type: 'parallel' }),
        put('delay', '$2', { name: 'Short check', duration: '3' }),
        put('delay', '$2', { name: 'Long check', duration: '7' }),
        put('gateway', '$2', { name: 'Together', type: 'parallel' }),
        put('compute', '$2', { name: 'Note', program: 'if first_done == 0:\n    first_done = time' }),
        put('end', '$2'),
        link('$3', '$4'),
        link('$4', '$5'),
        link('$4', '$6'),
        link('$5', '$7'),
        link('$6', '$7'),
        link('$7', '$8'),
        link('$8', '$9'),
        statistic(scenario, 'done after', 'first_done', { sample: 'end' }),
      ),
      offer('Two checks'),
    ],
    grade: result => [...builds(result), ...measures(result, 'done after', 7, { runs: 2, ticks: 60 })],
  },
  {
    id: 'build-vote',
    language: 'zh',
    asks: '建 300 个选民，每人有属性 opinion，初始以 0.6 的概率为 1，否则为 0。统计量“share” 为 opinion 的平均值。',
    solves: proposes((_, scenario) => [
      put('agent', scenario, { name: 'Voter', initialNumber: '300' }),
      put('variable', '$1', { name: 'opinion', initial: '1 if random() < 0.6 else 0' }),
      statistic(scenario, 'share', 'opinion', { over: 'Voter', aggregate: 'mean' }),
    ]),
    grade: result => [...builds(result), ...measures(result, 'share', 0.6, { runs: 6, ticks: 2 })],
  },
  {
    id: 'build-machine',
    language: 'en',
    asks: 'A machine works for 8 ticks and is then repaired for 2, over and over. A statistic "working" gives the share of time in which it works.',
    solves: (_, scenario) => [
      edit(
        put('variable', scenario, { name: 'works', initial: '1' }),
        put('process', scenario, { name: 'Machine' }),
        { ...put('start', '$2', { trigger: 'timer', every: '10', first: '0' }), at: [0, 60] },
        put('compute', '$2', { name: 'Begin', program: 'works = 1' }),
        put('delay', '$2', { name: 'Work', duration: '8' }),
        put('compute', '$2', { name: 'Break', program: 'works = 0' }),
        put('end', '$2'),
        link('$3', '$4'),
        link('$4', '$5'),
        link('$5', '$6'),
        link('$6', '$7'),
        statistic(scenario, 'working', 'works', { kind: 'time', aggregate: 'mean', sample: 'tick' }),
      ),
      offer('A machine'),
    ],
    grade: result => [...builds(result), ...measures(result, 'working', 0.8, { runs: 2, ticks: 500, slack: 0.02 })],
  },
  {
    id: 'build-inputs',
    language: 'zh',
    asks: '建一个水池：每步流入 6，流出为水量的 0.2 倍，流入和流出系数是公开变量。统计量“water”给出最后的水量。运行一次来检查。',
    solves: (_, scenario) => [
      edit(
        put('variable', scenario, { name: 'level', initial: '0' }),
        put('variable', scenario, { name: 'inflow', initial: '6', public: true, min: 0, max: 20 }),
        put('variable', scenario, { name: 'outflow', initial: '0.2', public: true, min: 0, max: 1 }),
        ...row(4, scenario, '流动', timer('1'), ['compute', { name: '更新', program: 'level += inflow - outflow * level' }], ['end']),
        statistic(scenario, 'water', 'level', { sample: 'end' }),
      ),
      use('run', { ticks: 100 }),
      offer('水池'),
    ],
    grade: result => [
      ...builds(result),
      ...uses(result, 'run', 'replicate', 'validate'),
      ...measures(result, 'water', 30, { runs: 2, ticks: 200, slack: 0.1 }),
      ...([...result.after.elements.values()].filter(({ fields }) => fields['public'] === true).length >= 2 ? [] : ['no public variables']),
    ],
  },
]
