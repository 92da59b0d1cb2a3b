// Collections: Python's functions over everything that can be iterated.
import type { Row } from './row.ts'
import { row } from './row.ts'
import { say, type Words } from '../../../model-schema/words.ts'

const r = (shown: string, words: Words, source: string, result: string, extra: Parameters<typeof row>[4] = {}): Row =>
  row('collections', shown, words, [source, result], extra)

const special = { way: 'special' } as const

export const collectionRows: readonly Row[] = [
  r('len(items: items of T) -> number', say('Number of items; of characters for a text.'), 'len([4, 5, 6])', '3', special),
  r(
    'sum(items: items of number, start: number = 0) -> number',
    say('Total of the items. True counts as 1.'),
    'sum(i * i for i in range(4))',
    '14',
    special,
  ),
  r(
    'min(items: items of T, *more: T, key: function of T = None, default: T = None) -> T',
    say('Least item, or the least of several arguments; by key when given.'),
    'min(3, 1, 2)',
    '1',
    {
      ...special,
      examples: [['min(["bb", "a"], key=lambda word: len(word))', '"a"']],
    },
  ),
  r(
    'max(items: items of T, *more: T, key: function of T = None, default: T = None) -> T',
    say('Greatest item, or the greatest of several arguments; by key when given.'),
    'max([3, 1, 2])',
    '3',
    special,
  ),
  r('any(items: items of any) -> bool', say('Whether at least one item is true.'), 'any(i > 2 for i in [1, 2, 3])', 'True', special),
  r('all(items: items of any) -> bool', say('Whether every item is true.'), 'all(i > 2 for i in [1, 2, 3])', 'False', special),
  r(
    'range(start: number, stop: number = None, step: number = 1) -> range',
    say('Whole numbers from start (0 when only stop is given) up to, not including, stop.'),
    'list(range(2, 8, 3))',
    '[2, 5]',
    special,
  ),
  r(
    'sorted(items: items of T, key: function of T = None, reverse: bool = False) -> list of T',
    say('New list in ascending order; equal items keep their order.'),
    'sorted([3, 1, 2], reverse=True)',
    '[3, 2, 1]',
    special,
  ),
  r('reversed(items: items of T) -> list of T', say('New list in opposite order.'), 'reversed([1, 2, 3])', '[3, 2, 1]'),
  r(
    'enumerate(items: items of T, start: number = 0) -> any',
    say('Pairs of number and item, counted from start.'),
    'enumerate(["a", "b"])',
    '[(0, "a"), (1, "b")]',
    special,
  ),
  r(
    'zip(items: items of T, *more: items of any) -> any',
    say('Tuples of items with the same place, as many as the shortest has.'),
    'zip([1, 2], ["a", "b"])',
    '[(1, "a"), (2, "b")]',
    special,
  ),
  r(
    'filter(condition: function of T, items: items of T) -> list of T',
    say('Items for which the condition is true.'),
    'filter(lambda i: i > 1, [1, 2, 3])',
    '[2, 3]',
    special,
  ),
  r(
    'map(function: function of T, items: items of T) -> any',
    say('Results of the function for every item.'),
    'map(lambda i: i * 2, [1, 2])',
    '[2, 4]',
    special,
  ),
  r('list(items: items of T = None) -> list of T', say('New list of the items.'), 'list("ab")', '["a", "b"]', special),
  r('tuple(items: items of T = None) -> any', say('Tuple of the items.'), 'tuple([1, 2])', '(1, 2)', special),
  r('set(items: items of T = None) -> set of T', say('Set of the items: each once.'), 'set([1, 2, 1])', '{1, 2}', special),
  r(
    'dict(items: any = None) -> any',
    say('Dict from pairs of key and value, or a copy of a dict.'),
    'dict([("a", 1)])',
    '{"a": 1}',
    special,
  ),
]
