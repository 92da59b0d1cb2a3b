// Statistics over lists of numbers. Spread is that of the whole population (division by n), as in NumPy.
import type { Row } from './row.ts'
import { row } from './row.ts'
import { say, type Words } from '../../../model-schema/words.ts'

const r = (shown: string, words: Words, source: string, result: string, way?: Row['way']): Row =>
  row('statistics', shown, words, [source, result], way ? { way } : {})

export const statisticRows: readonly Row[] = [
  r('mean(items: items of number) -> number', say('Arithmetic mean.'), 'mean([1, 2, 6])', '3', 'special'),
  r(
    'median(items: items of number) -> number',
    say('Middle value; the mean of the two middle ones for an even number.'),
    'median([5, 1, 3])',
    '3',
  ),
  r('std(items: items of number, ddof: number = 0) -> number', say('Standard deviation; divides by n - ddof.'), 'std([2, 4])', '1'),
  r('var(items: items of number, ddof: number = 0) -> number', say('Variance; divides by n - ddof.'), 'var([1, 3, 5], ddof=1)', '4'),
  r(
    'quantile(items: items of number, q: number) -> number',
    say('Value below which the share q lies, interpolated linearly.'),
    'quantile([0, 10], 0.25)',
    '2.5',
  ),
  r('mode(items: items of T) -> T', say('Most frequent item, the first of several.'), 'mode([1, 2, 2])', '2'),
  r(
    'count(items: items of T, value: T = None) -> number',
    say('Number of items, or of those equal to value.'),
    'count(i for i in range(10) if i % 3 == 0)',
    '4',
    'special',
  ),
  r(
    'histogram(items: items of number, bins: number = 10, low: number = None, high: number = None) -> list of number',
    say('Numbers of items in bins of equal width from low to high.'),
    'histogram([1, 2, 2, 9], bins=2)',
    '[3, 1]',
  ),
  r(
    'gini(items: items of number) -> number',
    say('Gini coefficient: 0 when all are equal, near 1 when one has all.'),
    'gini([1, 1, 1, 1])',
    '0',
  ),
  r(
    'entropy(items: items of any, base: number = 2) -> number',
    say('Shannon entropy of the frequencies of the items.'),
    'entropy(["a", "b"])',
    '1',
  ),
  r(
    'correlation(a: items of number, b: items of number) -> number',
    say('Pearson correlation of two lists of the same length.'),
    'correlation([1, 2, 3], [2, 4, 6])',
    '1',
  ),
  r('cumulative(items: items of number) -> list of number', say('Running totals.'), 'cumulative([1, 2, 3])', '[1, 3, 6]'),
]
