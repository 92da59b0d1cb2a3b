// The types of formulas in Chinese, made from their short text form. Names of functions and parameters stay: they are what
// one writes in a formula.

const words: Readonly<Record<string, string>> = {
  number: '数值',
  integer: '大整数',
  bool: '布尔值',
  text: '文本',
  date: '日期',
  range: '范围',
  none: '无',
  any: '任意类型',
  never: '无值',
  list: '列表',
  set: '集合',
  tuple: '元组',
  dict: '字典',
  items: '序列',
  function: '函数',
  entity: '实体',
  entities: '多个实体',
  agent: '智能体',
  cell: '元胞',
  link: '连接',
  population: '群体',
  observer: '观察者',
  process: '流程',
  element: '元件',
}

/** `list of number` is 数值列表. What is no type stays as it is: a letter that stands for one, None. */
export function typeInChinese(shown: string): string {
  const dict = /^dict of (.+?) to (.+)$/.exec(shown)
  if (dict) return `字典（${typeInChinese(dict[1] ?? '')} → ${typeInChinese(dict[2] ?? '')}）`
  const of = /^(items|list|set|function|entities|entity) of (.+)$/.exec(shown)
  if (of) return spaced(typeInChinese(of[2] ?? ''), words[of[1] ?? ''] ?? '')
  const tuple = /^tuple \((.*)\)$/.exec(shown)
  if (tuple) return `元组（${(tuple[1] ?? '').split(', ').map(typeInChinese).join('、')}）`
  const population = /^population as (\w+)$/.exec(shown)
  return words[population ? 'population' : shown] ?? shown
}

/** The types in a whole signature: `mean(items: items of number) -> number`. Any other text stays. */
export function signatureInChinese(shown: string): string {
  if (!/\) -> \S/.test(shown)) return shown
  return shown.replace(/(: |\) -> )(.+?)(?= = |, \*?\w+: |\) -> |$)/g, (_, before: string, type: string) => before + typeInChinese(type))
}

const spaced = (of: string, head: string): string => (/[\w)]$/.test(of) ? `${of} 的${head}` : of + head)
