// Statistics over lists of numbers. Spread is that of the whole population (division by n), as in NumPy.
import type { Row } from './row.ts'
import { row } from './row.ts'

const r = (shown: string, en: string, zh: string, source: string, result: string, way?: Row['way']): Row =>
  row('statistics', shown, en, zh, [source, result], way ? { way } : {})

export const statisticRows: readonly Row[] = [
  r('mean(items: items of number) -> number', 'Arithmetic mean.', '算术平均值。', 'mean([1, 2, 6])', '3', 'special'),
  r(
    'median(items: items of number) -> number',
    'Middle value; the mean of the two middle ones for an even number.',
    '中位数；偶数个时取中间两数的平均。',
    'median([5, 1, 3])',
    '3',
  ),
  r(
    'std(items: items of number, ddof: number = 0) -> number',
    'Standard deviation; divides by n - ddof.',
    '标准差，除数为 n - ddof。',
    'std([2, 4])',
    '1',
  ),
  r(
    'var(items: items of number, ddof: number = 0) -> number',
    'Variance; divides by n - ddof.',
    '方差，除数为 n - ddof。',
    'var([1, 3, 5], ddof=1)',
    '4',
  ),
  r(
    'quantile(items: items of number, q: number) -> number',
    'Value below which the share q lies, interpolated linearly.',
    '分位数：有比例 q 的数据不大于它（线性插值）。',
    'quantile([0, 10], 0.25)',
    '2.5',
  ),
  r(
    'mode(items: items of T) -> T',
    'Most frequent item, the first of several.',
    '出现最多的元素；并列时取最先出现者。',
    'mode([1, 2, 2])',
    '2',
  ),
  r(
    'count(items: items of T, value: T = None) -> number',
    'Number of items, or of those equal to value.',
    '元素个数，或等于 value 的元素个数。',
    'count(i for i in range(10) if i % 3 == 0)',
    '4',
    'special',
  ),
  r(
    'histogram(items: items of number, bins: number = 10, low: number = None, high: number = None) -> list of number',
    'Numbers of items in bins of equal width from low to high.',
    '从 low 到 high 等宽分组的计数。',
    'histogram([1, 2, 2, 9], bins=2)',
    '[3, 1]',
  ),
  r(
    'gini(items: items of number) -> number',
    'Gini coefficient: 0 when all are equal, near 1 when one has all.',
    '基尼系数：完全平均时为 0，一人独占时接近 1。',
    'gini([1, 1, 1, 1])',
    '0',
  ),
  r(
    'entropy(items: items of any, base: number = 2) -> number',
    'Shannon entropy of the frequencies of the items.',
    '各元素出现频率的香农熵。',
    'entropy(["a", "b"])',
    '1',
  ),
  r(
    'correlation(a: items of number, b: items of number) -> number',
    'Pearson correlation of two lists of the same length.',
    '两个等长列表的皮尔逊相关系数。',
    'correlation([1, 2, 3], [2, 4, 6])',
    '1',
  ),
  r('cumulative(items: items of number) -> list of number', 'Running totals.', '逐项累计和。', 'cumulative([1, 2, 3])', '[1, 3, 6]'),
]
