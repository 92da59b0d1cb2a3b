// Collections: Python's functions over everything that can be iterated.
import type { Row } from './row.ts'
import { row } from './row.ts'

const r = (shown: string, en: string, zh: string, source: string, result: string, extra: Parameters<typeof row>[5] = {}): Row =>
  row('collections', shown, en, zh, [source, result], extra)

const special = { way: 'special' } as const

export const collectionRows: readonly Row[] = [
  r(
    'len(items: items of T) -> number',
    'Number of items; of characters for a text.',
    '元素个数；文本为字符数。',
    'len([4, 5, 6])',
    '3',
    special,
  ),
  r(
    'sum(items: items of number, start: number = 0) -> number',
    'Total of the items. True counts as 1.',
    '各元素之和，True 计为 1。',
    'sum(i * i for i in range(4))',
    '14',
    special,
  ),
  r(
    'min(items: items of T, *more: T, key: function of T = None, default: T = None) -> T',
    'Least item, or the least of several arguments; by key when given.',
    '最小的元素，或多个参数中的最小者；可用 key 指定比较依据。',
    'min(3, 1, 2)',
    '1',
    {
      ...special,
      examples: [['min(["bb", "a"], key=lambda word: len(word))', '"a"']],
    },
  ),
  r(
    'max(items: items of T, *more: T, key: function of T = None, default: T = None) -> T',
    'Greatest item, or the greatest of several arguments; by key when given.',
    '最大的元素，或多个参数中的最大者；可用 key 指定比较依据。',
    'max([3, 1, 2])',
    '3',
    special,
  ),
  r(
    'any(items: items of any) -> bool',
    'Whether at least one item is true.',
    '是否至少有一个元素为真。',
    'any(i > 2 for i in [1, 2, 3])',
    'True',
    special,
  ),
  r(
    'all(items: items of any) -> bool',
    'Whether every item is true.',
    '是否所有元素都为真。',
    'all(i > 2 for i in [1, 2, 3])',
    'False',
    special,
  ),
  r(
    'range(start: number, stop: number = None, step: number = 1) -> range',
    'Whole numbers from start (0 when only stop is given) up to, not including, stop.',
    '从 start（只给 stop 时为 0）到 stop（不含）的整数。',
    'list(range(2, 8, 3))',
    '[2, 5]',
    special,
  ),
  r(
    'sorted(items: items of T, key: function of T = None, reverse: bool = False) -> list of T',
    'New list in ascending order; equal items keep their order.',
    '按升序排列的新列表；相等的元素保持原顺序。',
    'sorted([3, 1, 2], reverse=True)',
    '[3, 2, 1]',
    special,
  ),
  r('reversed(items: items of T) -> list of T', 'New list in opposite order.', '逆序的新列表。', 'reversed([1, 2, 3])', '[3, 2, 1]'),
  r(
    'enumerate(items: items of T, start: number = 0) -> any',
    'Pairs of number and item, counted from start.',
    '从 start 起编号的（序号, 元素）对。',
    'enumerate(["a", "b"])',
    '[(0, "a"), (1, "b")]',
    special,
  ),
  r(
    'zip(items: items of T, *more: items of any) -> any',
    'Tuples of items with the same place, as many as the shortest has.',
    '把各列表中同一位置的元素组成元组，长度取最短者。',
    'zip([1, 2], ["a", "b"])',
    '[(1, "a"), (2, "b")]',
    special,
  ),
  r(
    'filter(condition: function of T, items: items of T) -> list of T',
    'Items for which the condition is true.',
    '使条件为真的元素。',
    'filter(lambda i: i > 1, [1, 2, 3])',
    '[2, 3]',
    special,
  ),
  r(
    'map(function: function of T, items: items of T) -> any',
    'Results of the function for every item.',
    '对每个元素调用函数所得的结果。',
    'map(lambda i: i * 2, [1, 2])',
    '[2, 4]',
    special,
  ),
  r('list(items: items of T = None) -> list of T', 'New list of the items.', '由各元素组成的新列表。', 'list("ab")', '["a", "b"]', special),
  r('tuple(items: items of T = None) -> any', 'Tuple of the items.', '由各元素组成的元组。', 'tuple([1, 2])', '(1, 2)', special),
  r(
    'set(items: items of T = None) -> set of T',
    'Set of the items: each once.',
    '由各元素组成的集合，不重复。',
    'set([1, 2, 1])',
    '{1, 2}',
    special,
  ),
  r(
    'dict(items: any = None) -> any',
    'Dict from pairs of key and value, or a copy of a dict.',
    '由键值对组成的字典，或字典的副本。',
    'dict([("a", 1)])',
    '{"a": 1}',
    special,
  ),
]
