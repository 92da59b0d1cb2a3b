// Chance. Parameters as in NumPy; every draw comes from the stream of the component that asks.
import type { Row } from './row.ts'
import { row } from './row.ts'
import { say, type Words } from '../../../model-schema/words.ts'

const r = (shown: string, words: Words, source: string, result = 'True', extra: Parameters<typeof row>[4] = {}): Row =>
  row('random', shown, words, [source, result], { draws: true, ...extra })

export const randomRows: readonly Row[] = [
  r('random() -> number', say('Uniform in [0, 1).'), '0 <= random() < 1'),
  r('uniform(low: number = 0, high: number = 1) -> number', say('Uniform in [low, high).'), '5 <= uniform(5, 6) < 6'),
  r(
    'randint(low: number, high: number = None) -> number',
    say('Whole number in [low, high), or in [0, low) when high is left out; high itself is never drawn: a die is randint(1, 7).'),
    'randint(1, 7) in range(1, 7)',
  ),
  r('normal(mean: number = 0, std: number = 1) -> number', say('Normal distribution.'), 'normal(5, 0)', '5'),
  r(
    'lognormal(mean: number = 0, sigma: number = 1) -> number',
    say('exp of a normal with this mean and standard deviation.'),
    'lognormal(0, 1) > 0',
  ),
  r('exponential(mean: number = 1) -> number', say('Exponential distribution with this mean.'), 'exponential(5) >= 0'),
  r('triangular(left: number, mode: number, right: number) -> number', say('Triangular distribution.'), '1 <= triangular(1, 2, 4) <= 4'),
  r('gamma(shape: number, scale: number = 1) -> number', say('Gamma distribution with mean shape * scale.'), 'gamma(2, 3) > 0'),
  r('erlang(k: number, mean: number) -> number', say('Sum of k exponentials, with this mean in all.'), 'erlang(3, 6) > 0'),
  r('beta(a: number, b: number) -> number', say('Beta distribution on (0, 1).'), '0 < beta(2, 3) < 1'),
  r('weibull(a: number, scale: number = 1) -> number', say('Weibull distribution of shape a.'), 'weibull(2) >= 0'),
  r('pareto(a: number, scale: number = 1) -> number', say('Pareto distribution of shape a, from scale upwards.'), 'pareto(3, 2) >= 2'),
  r('poisson(mean: number = 1) -> number', say('Poisson distribution: a whole number.'), 'poisson(4) >= 0'),
  r('binomial(n: number, p: number) -> number', say('Number of successes in n trials of probability p.'), '0 <= binomial(10, 0.5) <= 10'),
  r('geometric(p: number) -> number', say('Number of trials up to and including the first success.'), 'geometric(0.5) >= 1'),
  r('bernoulli(p: number) -> bool', say('True with probability p.'), 'bernoulli(1)'),
  r('choice(items: items of T) -> T', say('One item, each equally likely.'), 'choice([1, 2, 3]) in [1, 2, 3]', 'True', {
    way: 'special',
  }),
  r(
    'choices(items: items of T, weights: items of number = None, k: number = 1) -> list of T',
    say('k items with replacement, by weights when given.'),
    'choices(["a", "b"], weights=[1, 0], k=2)',
    '["a", "a"]',
  ),
  r(
    'sample(items: items of T, k: number) -> list of T',
    say('k different items in random order.'),
    'sorted(sample([3, 1, 2], 3))',
    '[1, 2, 3]',
  ),
  r('shuffled(items: items of T) -> list of T', say('New list in random order.'), 'sorted(shuffled([3, 1, 2]))', '[1, 2, 3]'),
  r('shuffle(items: list of T) -> none', say('Puts a list into random order.'), 'shuffle([])', 'None', { writes: true }),
  r(
    'empirical(values: items of T, weights: items of number = None) -> T',
    say('One of the observed values, by their weights when given.'),
    'empirical([10, 20], [1, 0])',
    '10',
  ),
]
