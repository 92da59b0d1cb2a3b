// Methods of lists, dicts, sets, texts, tuples and dates, as Python has them. T is the element type of the receiver, K and
// V the key and value types of a dict. `writes` changes the receiver; `grows` says what its elements become.
import type { Signature } from './signature.ts'
import { parseSignature } from './signature.ts'
import { say, type Words } from '../../../model-schema/words.ts'

export type Receiver = 'list' | 'dict' | 'set' | 'text' | 'tuple' | 'date'

export type Method = {
  on: Receiver
  signature: Signature
  shown: string
  words: Words
  example: readonly [source: string, result: string]
  writes: boolean
}

const m = (on: Receiver, shown: string, words: Words, source: string, result: string): Method => ({
  on,
  signature: parseSignature(shown),
  shown,
  words,
  example: [source, result],
  writes: false,
})

/** One that changes its receiver. Its example is a program; `result` is what it leaves in `x`. */
const w = (on: Receiver, shown: string, words: Words, source: string, result: string): Method => ({
  ...m(on, shown, words, source, result),
  writes: true,
})

export const methods: readonly Method[] = [
  w('list', 'append(item: T) -> none', say('Adds an item at the end.'), 'x = [1]\nx.append(2)', '[1, 2]'),
  w('list', 'extend(items: items of T) -> none', say('Adds all items at the end.'), 'x = [1]\nx.extend([2, 3])', '[1, 2, 3]'),
  w('list', 'insert(index: number, item: T) -> none', say('Puts an item before the index.'), 'x = [1, 3]\nx.insert(1, 2)', '[1, 2, 3]'),
  w(
    'list',
    'pop(index: number = -1) -> T',
    say('Takes an item out, the last one by default, and gives it back.'),
    'x = [1, 2]\ny = x.pop()',
    '[1]',
  ),
  w('list', 'remove(item: T) -> none', say('Takes the first item equal to this one out.'), 'x = [1, 2, 1]\nx.remove(1)', '[2, 1]'),
  w('list', 'clear() -> none', say('Empties the list.'), 'x = [1]\nx.clear()', '[]'),
  w(
    'list',
    'sort(key: function of T = None, reverse: bool = False) -> none',
    say('Puts the list in ascending order.'),
    'x = [2, 1]\nx.sort()',
    '[1, 2]',
  ),
  w('list', 'reverse() -> none', say('Turns the list round.'), 'x = [1, 2]\nx.reverse()', '[2, 1]'),
  m('list', 'index(item: T) -> number', say('Place of the first item equal to this one.'), '[4, 5].index(5)', '1'),
  m('list', 'count(item: T) -> number', say('Number of items equal to this one.'), '[1, 2, 1].count(1)', '2'),
  m('list', 'copy() -> list of T', say('New list with the same items.'), '[1, 2].copy()', '[1, 2]'),

  m(
    'dict',
    'get(key: K, default: any = None) -> any',
    say('Value of the key, or the default when it is missing.'),
    '{"a": 1}.get("b", 0)',
    '0',
  ),
  m('dict', 'keys() -> list of K', say('List of the keys.'), '{"a": 1}.keys()', '["a"]'),
  m('dict', 'values() -> list of V', say('List of the values.'), '{"a": 1}.values()', '[1]'),
  m('dict', 'items() -> any', say('List of pairs of key and value.'), '{"a": 1}.items()', '[("a", 1)]'),
  m('dict', 'copy() -> dict of K to V', say('New dict with the same entries.'), '{"a": 1}.copy()', '{"a": 1}'),
  w(
    'dict',
    'pop(key: K, default: any = None) -> any',
    say('Takes a key out and gives its value; the default when it is missing and one is given.'),
    'x = {"a": 1}\ny = x.pop("a")',
    '{}',
  ),
  w(
    'dict',
    'setdefault(key: K, value: V) -> V',
    say('Value of the key, which is set when it is missing.'),
    'x = {}\nx.setdefault("a", 1)',
    '{"a": 1}',
  ),
  w(
    'dict',
    'update(other: dict of K to V) -> none',
    say('Sets all entries of another dict.'),
    'x = {"a": 1}\nx.update({"b": 2})',
    '{"a": 1, "b": 2}',
  ),
  w('dict', 'clear() -> none', say('Empties the dict.'), 'x = {"a": 1}\nx.clear()', '{}'),

  w('set', 'add(item: T) -> none', say('Adds an item, if it is not there.'), 'x = {1}\nx.add(2)', '{1, 2}'),
  w('set', 'remove(item: T) -> none', say('Takes an item out; it must be there.'), 'x = {1, 2}\nx.remove(1)', '{2}'),
  w('set', 'discard(item: T) -> none', say('Takes an item out, if it is there.'), 'x = {1, 2}\nx.discard(3)', '{1, 2}'),
  w('set', 'update(items: items of T) -> none', say('Adds all items.'), 'x = {1}\nx.update([2])', '{1, 2}'),
  w('set', 'clear() -> none', say('Empties the set.'), 'x = {1}\nx.clear()', 'set()'),
  m('set', 'union(other: items of T) -> set of T', say('Items of either.'), '{1}.union([2])', '{1, 2}'),
  m('set', 'intersection(other: items of any) -> set of T', say('Items of both.'), '{1, 2}.intersection({2})', '{2}'),
  m('set', 'difference(other: items of any) -> set of T', say('Items that the other lacks.'), '{1, 2}.difference({2})', '{1}'),
  m('set', 'issubset(other: items of any) -> bool', say('Whether the other has all items.'), '{1}.issubset([1, 2])', 'True'),
  m('set', 'issuperset(other: items of any) -> bool', say('Whether all items of the other are here.'), '{1, 2}.issuperset([1])', 'True'),
  m('set', 'copy() -> set of T', say('New set with the same items.'), '{1}.copy()', '{1}'),

  m('text', 'upper() -> text', say('In capitals.'), '"ab".upper()', '"AB"'),
  m('text', 'lower() -> text', say('In small letters.'), '"AB".lower()', '"ab"'),
  m('text', 'title() -> text', say('Each word with a capital.'), '"big wolf".title()', '"Big Wolf"'),
  m('text', 'capitalize() -> text', say('First letter as a capital, the others small.'), '"wOLF".capitalize()', '"Wolf"'),
  m('text', 'strip(characters: text = None) -> text', say('Without blanks (or these characters) at both ends.'), '" a ".strip()', '"a"'),
  m(
    'text',
    'lstrip(characters: text = None) -> text',
    say('Without blanks (or these characters) at the start.'),
    '"xa".lstrip("x")',
    '"a"',
  ),
  m('text', 'rstrip(characters: text = None) -> text', say('Without blanks (or these characters) at the end.'), '"ax".rstrip("x")', '"a"'),
  m(
    'text',
    'split(separator: text = None, most: number = -1) -> list of text',
    say('Parts between separators; between blanks by default.'),
    '"a,b".split(",")',
    '["a", "b"]',
  ),
  m('text', 'splitlines() -> list of text', say('Lines of the text.'), '"a\\nb".splitlines()', '["a", "b"]'),
  m('text', 'join(items: items of text) -> text', say('Texts put together with this one between.'), '"-".join(["a", "b"])', '"a-b"'),
  m(
    'text',
    'replace(old: text, new: text, count: number = -1) -> text',
    say('With old replaced by new, everywhere or the first count times.'),
    '"aba".replace("a", "c")',
    '"cbc"',
  ),
  m('text', 'find(part: text) -> number', say('Place of the first occurrence, -1 when there is none.'), '"abc".find("c")', '2'),
  m('text', 'rfind(part: text) -> number', say('Place of the last occurrence, -1 when there is none.'), '"abab".rfind("a")', '2'),
  m('text', 'index(part: text) -> number', say('Place of the first occurrence, which must exist.'), '"abc".index("b")', '1'),
  m('text', 'count(part: text) -> number', say('Number of occurrences.'), '"abab".count("ab")', '2'),
  m('text', 'startswith(part: text) -> bool', say('Whether it begins so.'), '"abc".startswith("ab")', 'True'),
  m('text', 'endswith(part: text) -> bool', say('Whether it ends so.'), '"abc".endswith("bc")', 'True'),
  m('text', 'removeprefix(part: text) -> text', say('Without this beginning.'), '"abc".removeprefix("a")', '"bc"'),
  m('text', 'removesuffix(part: text) -> text', say('Without this end.'), '"abc".removesuffix("c")', '"ab"'),
  m('text', 'isdigit() -> bool', say('Whether all characters are digits, and there is one.'), '"12".isdigit()', 'True'),
  m('text', 'isalpha() -> bool', say('Whether all characters are letters, and there is one.'), '"ab".isalpha()', 'True'),
  m('text', 'isalnum() -> bool', say('Whether all characters are letters or digits, and there is one.'), '"a1".isalnum()', 'True'),
  m('text', 'isspace() -> bool', say('Whether all characters are blanks, and there is one.'), '" ".isspace()', 'True'),
  m('text', 'isupper() -> bool', say('Whether its letters are capitals, and there is one.'), '"AB".isupper()', 'True'),
  m('text', 'islower() -> bool', say('Whether its letters are small, and there is one.'), '"ab".islower()', 'True'),
  m('text', 'zfill(width: number) -> text', say('With zeros in front up to the width.'), '"7".zfill(3)', '"007"'),
  m('text', 'ljust(width: number, fill: text = " ") -> text', say('Filled up at the end.'), '"a".ljust(3, ".")', '"a.."'),
  m('text', 'rjust(width: number, fill: text = " ") -> text', say('Filled up at the start.'), '"a".rjust(3, ".")', '"..a"'),
  m('text', 'center(width: number, fill: text = " ") -> text', say('Filled up at both ends.'), '"a".center(3, ".")', '".a."'),

  m('tuple', 'index(item: any) -> number', say('Place of the first item equal to this one.'), '(4, 5).index(5)', '1'),
  m('tuple', 'count(item: any) -> number', say('Number of items equal to this one.'), '(1, 2, 1).count(1)', '2'),

  m('date', 'weekday() -> number', say('Day of the week: Monday 0 to Sunday 6.'), 'date(2026, 1, 5).weekday()', '0'),
  m('date', 'isoformat() -> text', say('As 2026-01-31 08:30:00.'), 'date(2026, 1, 5).isoformat()', '"2026-01-05"'),
]

/** Parts of a date, read without brackets: `now.hour`. */
export const dateParts: readonly string[] = ['year', 'month', 'day', 'hour', 'minute', 'second']

const byReceiver = new Map<Receiver, Map<string, Method>>()
for (const method of methods) {
  const found = byReceiver.get(method.on) ?? new Map<string, Method>()
  found.set(method.signature.name, method)
  byReceiver.set(method.on, found)
}

export function methodOf(on: Receiver, name: string): Method | undefined {
  return byReceiver.get(on)?.get(name)
}

export function methodsOf(on: Receiver): Iterable<Method> {
  return byReceiver.get(on)?.values() ?? []
}
