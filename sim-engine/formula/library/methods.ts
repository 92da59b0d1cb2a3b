// Methods of lists, dicts, sets, texts, tuples and dates, as Python has them. T is the element type of the receiver, K and
// V the key and value types of a dict. `writes` changes the receiver; `grows` says what its elements become.
import type { Words } from '../../../model-schema/kinds/kind.ts'
import { say } from '../../../model-schema/kinds/kind.ts'
import type { Signature } from './signature.ts'
import { parseSignature } from './signature.ts'

export type Receiver = 'list' | 'dict' | 'set' | 'text' | 'tuple' | 'date'

export type Method = {
  on: Receiver
  signature: Signature
  shown: string
  words: Words
  example: readonly [source: string, result: string]
  writes: boolean
}

const m = (on: Receiver, shown: string, en: string, zh: string, source: string, result: string): Method => ({
  on,
  signature: parseSignature(shown),
  shown,
  words: say(en, zh),
  example: [source, result],
  writes: false,
})

/** One that changes its receiver. Its example is a program; `result` is what it leaves in `x`. */
const w = (on: Receiver, shown: string, en: string, zh: string, source: string, result: string): Method => ({
  ...m(on, shown, en, zh, source, result),
  writes: true,
})

export const methods: readonly Method[] = [
  w('list', 'append(item: T) -> none', 'Adds an item at the end.', '在末尾添加元素。', 'x = [1]\nx.append(2)', '[1, 2]'),
  w(
    'list',
    'extend(items: items of T) -> none',
    'Adds all items at the end.',
    '在末尾添加多个元素。',
    'x = [1]\nx.extend([2, 3])',
    '[1, 2, 3]',
  ),
  w(
    'list',
    'insert(index: number, item: T) -> none',
    'Puts an item before the index.',
    '在指定位置之前插入元素。',
    'x = [1, 3]\nx.insert(1, 2)',
    '[1, 2, 3]',
  ),
  w(
    'list',
    'pop(index: number = -1) -> T',
    'Takes an item out, the last one by default, and gives it back.',
    '取出并返回一个元素，默认为最后一个。',
    'x = [1, 2]\ny = x.pop()',
    '[1]',
  ),
  w(
    'list',
    'remove(item: T) -> none',
    'Takes the first item equal to this one out.',
    '删除第一个等于它的元素。',
    'x = [1, 2, 1]\nx.remove(1)',
    '[2, 1]',
  ),
  w('list', 'clear() -> none', 'Empties the list.', '清空列表。', 'x = [1]\nx.clear()', '[]'),
  w(
    'list',
    'sort(key: function of T = None, reverse: bool = False) -> none',
    'Puts the list in ascending order.',
    '将列表按升序排列。',
    'x = [2, 1]\nx.sort()',
    '[1, 2]',
  ),
  w('list', 'reverse() -> none', 'Turns the list round.', '将列表反转。', 'x = [1, 2]\nx.reverse()', '[2, 1]'),
  m('list', 'index(item: T) -> number', 'Place of the first item equal to this one.', '第一个等于它的元素的位置。', '[4, 5].index(5)', '1'),
  m('list', 'count(item: T) -> number', 'Number of items equal to this one.', '等于它的元素个数。', '[1, 2, 1].count(1)', '2'),
  m('list', 'copy() -> list of T', 'New list with the same items.', '含相同元素的新列表。', '[1, 2].copy()', '[1, 2]'),

  m(
    'dict',
    'get(key: K, default: any = None) -> any',
    'Value of the key, or the default when it is missing.',
    '键对应的值；没有该键则为默认值。',
    '{"a": 1}.get("b", 0)',
    '0',
  ),
  m('dict', 'keys() -> list of K', 'List of the keys.', '所有键的列表。', '{"a": 1}.keys()', '["a"]'),
  m('dict', 'values() -> list of V', 'List of the values.', '所有值的列表。', '{"a": 1}.values()', '[1]'),
  m('dict', 'items() -> any', 'List of pairs of key and value.', '键值对的列表。', '{"a": 1}.items()', '[("a", 1)]'),
  m('dict', 'copy() -> dict of K to V', 'New dict with the same entries.', '含相同条目的新字典。', '{"a": 1}.copy()', '{"a": 1}'),
  w(
    'dict',
    'pop(key: K, default: any = None) -> any',
    'Takes a key out and gives its value; the default when it is missing and one is given.',
    '删除键并返回其值；没有该键时返回给出的默认值。',
    'x = {"a": 1}\ny = x.pop("a")',
    '{}',
  ),
  w(
    'dict',
    'setdefault(key: K, value: V) -> V',
    'Value of the key, which is set when it is missing.',
    '键对应的值；没有该键则先设置。',
    'x = {}\nx.setdefault("a", 1)',
    '{"a": 1}',
  ),
  w(
    'dict',
    'update(other: dict of K to V) -> none',
    'Sets all entries of another dict.',
    '用另一个字典的条目更新。',
    'x = {"a": 1}\nx.update({"b": 2})',
    '{"a": 1, "b": 2}',
  ),
  w('dict', 'clear() -> none', 'Empties the dict.', '清空字典。', 'x = {"a": 1}\nx.clear()', '{}'),

  w('set', 'add(item: T) -> none', 'Adds an item, if it is not there.', '添加元素（若不存在）。', 'x = {1}\nx.add(2)', '{1, 2}'),
  w(
    'set',
    'remove(item: T) -> none',
    'Takes an item out; it must be there.',
    '删除一个元素（必须存在）。',
    'x = {1, 2}\nx.remove(1)',
    '{2}',
  ),
  w(
    'set',
    'discard(item: T) -> none',
    'Takes an item out, if it is there.',
    '删除一个元素（若存在）。',
    'x = {1, 2}\nx.discard(3)',
    '{1, 2}',
  ),
  w('set', 'update(items: items of T) -> none', 'Adds all items.', '添加多个元素。', 'x = {1}\nx.update([2])', '{1, 2}'),
  w('set', 'clear() -> none', 'Empties the set.', '清空集合。', 'x = {1}\nx.clear()', 'set()'),
  m('set', 'union(other: items of T) -> set of T', 'Items of either.', '并集。', '{1}.union([2])', '{1, 2}'),
  m('set', 'intersection(other: items of any) -> set of T', 'Items of both.', '交集。', '{1, 2}.intersection({2})', '{2}'),
  m('set', 'difference(other: items of any) -> set of T', 'Items that the other lacks.', '差集。', '{1, 2}.difference({2})', '{1}'),
  m('set', 'issubset(other: items of any) -> bool', 'Whether the other has all items.', '是否为子集。', '{1}.issubset([1, 2])', 'True'),
  m(
    'set',
    'issuperset(other: items of any) -> bool',
    'Whether all items of the other are here.',
    '是否为超集。',
    '{1, 2}.issuperset([1])',
    'True',
  ),
  m('set', 'copy() -> set of T', 'New set with the same items.', '含相同元素的新集合。', '{1}.copy()', '{1}'),

  m('text', 'upper() -> text', 'In capitals.', '转换为大写。', '"ab".upper()', '"AB"'),
  m('text', 'lower() -> text', 'In small letters.', '转换为小写。', '"AB".lower()', '"ab"'),
  m('text', 'title() -> text', 'Each word with a capital.', '每个单词首字母大写。', '"big wolf".title()', '"Big Wolf"'),
  m(
    'text',
    'capitalize() -> text',
    'First letter as a capital, the others small.',
    '首字母大写，其余小写。',
    '"wOLF".capitalize()',
    '"Wolf"',
  ),
  m(
    'text',
    'strip(characters: text = None) -> text',
    'Without blanks (or these characters) at both ends.',
    '去掉两端的空白（或指定字符）。',
    '" a ".strip()',
    '"a"',
  ),
  m(
    'text',
    'lstrip(characters: text = None) -> text',
    'Without blanks (or these characters) at the start.',
    '去掉开头的空白（或指定字符）。',
    '"xa".lstrip("x")',
    '"a"',
  ),
  m(
    'text',
    'rstrip(characters: text = None) -> text',
    'Without blanks (or these characters) at the end.',
    '去掉末尾的空白（或指定字符）。',
    '"ax".rstrip("x")',
    '"a"',
  ),
  m(
    'text',
    'split(separator: text = None, most: number = -1) -> list of text',
    'Parts between separators; between blanks by default.',
    '按分隔符拆分；默认按空白。',
    '"a,b".split(",")',
    '["a", "b"]',
  ),
  m('text', 'splitlines() -> list of text', 'Lines of the text.', '文本的各行。', '"a\\nb".splitlines()', '["a", "b"]'),
  m(
    'text',
    'join(items: items of text) -> text',
    'Texts put together with this one between.',
    '用该文本连接各文本。',
    '"-".join(["a", "b"])',
    '"a-b"',
  ),
  m(
    'text',
    'replace(old: text, new: text, count: number = -1) -> text',
    'With old replaced by new, everywhere or the first count times.',
    '将 old 替换为 new，可限定次数。',
    '"aba".replace("a", "c")',
    '"cbc"',
  ),
  m(
    'text',
    'find(part: text) -> number',
    'Place of the first occurrence, -1 when there is none.',
    '首次出现的位置，没有则为 -1。',
    '"abc".find("c")',
    '2',
  ),
  m(
    'text',
    'rfind(part: text) -> number',
    'Place of the last occurrence, -1 when there is none.',
    '最后一次出现的位置，没有则为 -1。',
    '"abab".rfind("a")',
    '2',
  ),
  m(
    'text',
    'index(part: text) -> number',
    'Place of the first occurrence, which must exist.',
    '首次出现的位置（必须存在）。',
    '"abc".index("b")',
    '1',
  ),
  m('text', 'count(part: text) -> number', 'Number of occurrences.', '出现的次数。', '"abab".count("ab")', '2'),
  m('text', 'startswith(part: text) -> bool', 'Whether it begins so.', '是否以其开头。', '"abc".startswith("ab")', 'True'),
  m('text', 'endswith(part: text) -> bool', 'Whether it ends so.', '是否以其结尾。', '"abc".endswith("bc")', 'True'),
  m('text', 'removeprefix(part: text) -> text', 'Without this beginning.', '去掉该前缀。', '"abc".removeprefix("a")', '"bc"'),
  m('text', 'removesuffix(part: text) -> text', 'Without this end.', '去掉该后缀。', '"abc".removesuffix("c")', '"ab"'),
  m('text', 'isdigit() -> bool', 'Whether all characters are digits, and there is one.', '是否全为数字且非空。', '"12".isdigit()', 'True'),
  m('text', 'isalpha() -> bool', 'Whether all characters are letters, and there is one.', '是否全为字母且非空。', '"ab".isalpha()', 'True'),
  m(
    'text',
    'isalnum() -> bool',
    'Whether all characters are letters or digits, and there is one.',
    '是否全为字母或数字且非空。',
    '"a1".isalnum()',
    'True',
  ),
  m('text', 'isspace() -> bool', 'Whether all characters are blanks, and there is one.', '是否全为空白且非空。', '" ".isspace()', 'True'),
  m(
    'text',
    'isupper() -> bool',
    'Whether its letters are capitals, and there is one.',
    '字母是否全为大写且至少有一个。',
    '"AB".isupper()',
    'True',
  ),
  m(
    'text',
    'islower() -> bool',
    'Whether its letters are small, and there is one.',
    '字母是否全为小写且至少有一个。',
    '"ab".islower()',
    'True',
  ),
  m('text', 'zfill(width: number) -> text', 'With zeros in front up to the width.', '在前面补零到指定宽度。', '"7".zfill(3)', '"007"'),
  m('text', 'ljust(width: number, fill: text = " ") -> text', 'Filled up at the end.', '在末尾补齐。', '"a".ljust(3, ".")', '"a.."'),
  m('text', 'rjust(width: number, fill: text = " ") -> text', 'Filled up at the start.', '在开头补齐。', '"a".rjust(3, ".")', '"..a"'),
  m('text', 'center(width: number, fill: text = " ") -> text', 'Filled up at both ends.', '在两端补齐。', '"a".center(3, ".")', '".a."'),

  m(
    'tuple',
    'index(item: any) -> number',
    'Place of the first item equal to this one.',
    '第一个等于它的元素的位置。',
    '(4, 5).index(5)',
    '1',
  ),
  m('tuple', 'count(item: any) -> number', 'Number of items equal to this one.', '等于它的元素个数。', '(1, 2, 1).count(1)', '2'),

  m(
    'date',
    'weekday() -> number',
    'Day of the week: Monday 0 to Sunday 6.',
    '星期几：周一为 0，周日为 6。',
    'date(2026, 1, 5).weekday()',
    '0',
  ),
  m(
    'date',
    'isoformat() -> text',
    'As 2026-01-31 08:30:00.',
    '形如 2026-01-31 08:30:00 的文本。',
    'date(2026, 1, 5).isoformat()',
    '"2026-01-05"',
  ),
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
