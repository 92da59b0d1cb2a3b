// Chance. Parameters as in NumPy; every draw comes from the stream of the component that asks.
import type { Row } from './row.ts'
import { row } from './row.ts'

const r = (shown: string, en: string, zh: string, source: string, result = 'True', extra: Parameters<typeof row>[5] = {}): Row =>
  row('random', shown, en, zh, [source, result], { draws: true, ...extra })

export const randomRows: readonly Row[] = [
  r('random() -> number', 'Uniform in [0, 1).', '[0, 1) 上的均匀分布。', '0 <= random() < 1'),
  r(
    'uniform(low: number = 0, high: number = 1) -> number',
    'Uniform in [low, high).',
    '[low, high) 上的均匀分布。',
    '5 <= uniform(5, 6) < 6',
  ),
  r(
    'randint(low: number, high: number = None) -> number',
    'Whole number in [low, high), or in [0, low) when high is left out; high itself is never drawn: a die is randint(1, 7).',
    '[low, high) 中的整数；省略 high 时为 [0, low)；不会取到 high：骰子为 randint(1, 7)。',
    'randint(1, 7) in range(1, 7)',
  ),
  r('normal(mean: number = 0, std: number = 1) -> number', 'Normal distribution.', '正态分布。', 'normal(5, 0)', '5'),
  r(
    'lognormal(mean: number = 0, sigma: number = 1) -> number',
    'exp of a normal with this mean and standard deviation.',
    '对数正态分布：以此均值和标准差的正态变量的指数。',
    'lognormal(0, 1) > 0',
  ),
  r('exponential(mean: number = 1) -> number', 'Exponential distribution with this mean.', '以此为均值的指数分布。', 'exponential(5) >= 0'),
  r(
    'triangular(left: number, mode: number, right: number) -> number',
    'Triangular distribution.',
    '三角分布。',
    '1 <= triangular(1, 2, 4) <= 4',
  ),
  r(
    'gamma(shape: number, scale: number = 1) -> number',
    'Gamma distribution with mean shape * scale.',
    '伽马分布，均值为 shape * scale。',
    'gamma(2, 3) > 0',
  ),
  r(
    'erlang(k: number, mean: number) -> number',
    'Sum of k exponentials, with this mean in all.',
    'k 个指数变量之和，总均值为 mean。',
    'erlang(3, 6) > 0',
  ),
  r('beta(a: number, b: number) -> number', 'Beta distribution on (0, 1).', '(0, 1) 上的贝塔分布。', '0 < beta(2, 3) < 1'),
  r(
    'weibull(a: number, scale: number = 1) -> number',
    'Weibull distribution of shape a.',
    '形状参数为 a 的韦布尔分布。',
    'weibull(2) >= 0',
  ),
  r(
    'pareto(a: number, scale: number = 1) -> number',
    'Pareto distribution of shape a, from scale upwards.',
    '形状参数为 a、最小值为 scale 的帕累托分布。',
    'pareto(3, 2) >= 2',
  ),
  r('poisson(mean: number = 1) -> number', 'Poisson distribution: a whole number.', '泊松分布（整数）。', 'poisson(4) >= 0'),
  r(
    'binomial(n: number, p: number) -> number',
    'Number of successes in n trials of probability p.',
    'n 次概率为 p 的试验中成功的次数。',
    '0 <= binomial(10, 0.5) <= 10',
  ),
  r(
    'geometric(p: number) -> number',
    'Number of trials up to and including the first success.',
    '直到首次成功（含）的试验次数。',
    'geometric(0.5) >= 1',
  ),
  r('bernoulli(p: number) -> bool', 'True with probability p.', '以概率 p 为 True。', 'bernoulli(1)'),
  r('choice(items: items of T) -> T', 'One item, each equally likely.', '等概率地取一个元素。', 'choice([1, 2, 3]) in [1, 2, 3]', 'True', {
    way: 'special',
  }),
  r(
    'choices(items: items of T, weights: items of number = None, k: number = 1) -> list of T',
    'k items with replacement, by weights when given.',
    '有放回地取 k 个元素，可指定权重。',
    'choices(["a", "b"], weights=[1, 0], k=2)',
    '["a", "a"]',
  ),
  r(
    'sample(items: items of T, k: number) -> list of T',
    'k different items in random order.',
    '随机取 k 个不同的元素。',
    'sorted(sample([3, 1, 2], 3))',
    '[1, 2, 3]',
  ),
  r(
    'shuffled(items: items of T) -> list of T',
    'New list in random order.',
    '随机排列的新列表。',
    'sorted(shuffled([3, 1, 2]))',
    '[1, 2, 3]',
  ),
  r('shuffle(items: list of T) -> none', 'Puts a list into random order.', '随机打乱列表。', 'shuffle([])', 'None', { writes: true }),
  r(
    'empirical(values: items of T, weights: items of number = None) -> T',
    'One of the observed values, by their weights when given.',
    '从观测值中抽取一个，可指定权重。',
    'empirical([10, 20], [1, 0])',
    '10',
  ),
]
