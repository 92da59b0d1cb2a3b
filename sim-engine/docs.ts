// The reference of the language and the metamodel, made from their tables: what `docs` prints and the app shows. Chapters
// hold parts, parts hold entries; each has an id that stays, for links (`function-mean`, `element-ask`, `problem-8002`).
import { chainWords } from './docs/chains.ts'
import { fileKeyOf } from '../model-schema/file.ts'
import type { Field, FormulaContext, Kind, Words } from '../model-schema/kinds/kind.ts'
import { say } from '../model-schema/kinds/kind.ts'
import { kinds } from '../model-schema/kinds.ts'
import { constants, rows } from './formula/library/library.ts'
import { methods } from './formula/library/methods.ts'
import type { Group } from './formula/library/row.ts'
import {
  commandLine,
  exampleCode,
  exampleWords,
  fileFormat,
  formulaWords,
  names,
  overview,
  processCode,
  processWords,
  timeAndOrder,
} from './docs/prose.ts'
import { containerMembers } from './check/builtins.ts'
import { catalogue, reserved } from './problems.ts'

export type Language = 'en' | 'zh'

/** One thing looked up: a function, a method, an element, a problem. Texts are Markdown. */
export type Entry = { readonly id: string; readonly title: string; readonly name: string; readonly text: string }
export type ReferencePart = { readonly id: string; readonly title: string; readonly text: string; readonly entries: readonly Entry[] }
export type Chapter = { readonly id: string; readonly title: string; readonly text: string; readonly parts: readonly ReferencePart[] }

/** The whole reference. */
export function referenceOf(language: Language): readonly Chapter[] {
  const chapter = (id: string, title: Words, text: string, parts: readonly ReferencePart[] = []): Chapter => ({
    id,
    title: title[language],
    text,
    parts,
  })
  return [
    chapter('overview', say('Overview', '概览'), overview[language]),
    chapter('command-line', say('Command line', '命令行'), commandLine[language]),
    chapter('file-format', say('File format', '文件格式'), fileFormat[language]),
    chapter(
      'example',
      say('Whole models', '完整的模型'),
      [exampleWords[language], exampleCode, processWords[language], processCode].join('\n\n'),
    ),
    chapter('time-and-order', say('Time and order', '时间与次序'), timeAndOrder[language]),
    chapter('chains', say('Chains and contracts', '链与合约'), chainWords[language]),
    chapter('formulas', say('Formulas', '公式'), formulaWords[language], [
      { id: 'names', title: say('Names', '名称')[language], text: names[language], entries: [] },
      { id: 'containers', title: say('Containers', '容器')[language], text: containerText(language), entries: [] },
      { id: 'constants', title: say('Constants', '常量')[language], text: '', entries: constantEntries(language) },
      { id: 'methods', title: say('Methods', '方法')[language], text: '', entries: methodEntries(language) },
    ]),
    chapter('functions', say('Functions', '函数'), '', functionParts(language)),
    chapter('elements', say('Elements', '元素'), elementsWords[language], elementParts(language)),
    chapter(
      'problems',
      say('Problems', '问题'),
      say('8001-9033 are found by the checker, 10000-10067 while running.', '8001-9033 由检查器发现，10000-10067 在运行时出现。')[language],
      [{ id: 'problem-codes', title: say('Codes', '代码')[language], text: '', entries: problemEntries(language) }],
    ),
  ]
}

/** Markdown. */
export function referenceText(language: Language = 'en'): string {
  const part = ({ title, text, entries }: ReferencePart): string =>
    [`### ${title}`, text, ...entries.map(entry => `#### ${entry.title}\n\n${entry.text}`)].filter(one => one !== '').join('\n\n')
  const chapters = referenceOf(language).map(({ title, text, parts }) =>
    [`## ${title}`, text, ...parts.map(part)].filter(one => one !== '').join('\n\n'),
  )
  return [`# ${say('Holarchy reference', 'Holarchy 参考')[language]}`, ...chapters].join('\n\n')
}

/** The id of what the reference says about a function of the language. */
export const functionEntry = (name: string): string => `function-${name}`
/** The id of what it says about a kind of element, or one of its fields. */
export const elementEntry = (kind: string): string => `element-${kind}`

function containerText(language: Language): string {
  const about = say(
    'Read by dot from a container: `clerks.level`. Those of the whole run leave the warm-up out. With amounts by key, `level`, `in_use` and `capacity` are dicts.',
    '用点从容器读取：`clerks.level`。整个运行的统计不含预热期。按键分量时，`level`、`in_use` 和 `capacity` 是字典。',
  )
  const rows = containerMembers(false).map(({ name, words }) => `| \`${name}\` | ${words?.[language] ?? ''} |`)
  return [
    `${about[language]}\n`,
    `| ${say('name', '名称')[language]} | ${say('what it is', '含义')[language]} |`,
    '|---|---|',
    ...rows,
  ].join('\n')
}

const constantEntries = (language: Language): Entry[] =>
  [...constants].map(([name, { words }]) => ({ id: `constant-${name}`, title: `\`${name}\``, name, text: words[language] }))

const receivers: Readonly<Record<(typeof methods)[number]['on'], Words>> = {
  list: say('list', '列表'),
  dict: say('dict', '字典'),
  set: say('set', '集合'),
  text: say('text', '文本'),
  tuple: say('tuple', '元组'),
  date: say('date', '日期'),
}

const methodEntries = (language: Language): Entry[] =>
  methods.map(({ on, signature, shown, words, example, writes }) => ({
    id: `method-${on}-${signature.name}`,
    title: `${receivers[on][language]} \`.${shown}\``,
    name: signature.name,
    text: `${words[language]}\n\n${examplesText([writes ? [`${example[0]}\nx`, example[1]] : example])}`,
  }))

/** Examples as they would stand in a session: the formula, then what it gives. */
const examplesText = (examples: readonly (readonly [string, string])[]): string =>
  `\`\`\`\n${examples.map(([source, result]) => `${source}\n→ ${result}`).join('\n')}\n\`\`\``

const groups: Readonly<Record<Group, Words>> = {
  numbers: say('Numbers', '数值'),
  random: say('Random', '随机'),
  collections: say('Collections', '集合类'),
  statistics: say('Statistics', '统计'),
  text: say('Text', '文本'),
  dates: say('Dates and times', '日期与时间'),
  space: say('Space', '空间'),
  networks: say('Networks', '网络'),
  entities: say('Entities', '实体'),
}

function functionParts(language: Language): ReferencePart[] {
  return [...new Set(rows.map(row => row.group))].map(group => ({
    id: `functions-${group}`,
    title: groups[group][language],
    text: '',
    entries: rows
      .filter(row => row.group === group)
      .map(({ signature, shown, words, examples }) => ({
        id: functionEntry(signature.name),
        title: `\`${shown}\``,
        name: signature.name,
        text: `${words[language]}\n\n${examplesText(examples)}`,
      })),
  }))
}

const elementsWords = say(
  'Each kind of element with its fields. After the field: what it holds, its default, and when it counts.',
  '每种元素及其字段。字段之后是：它的内容、默认值，以及何时起作用。',
)

const families: Readonly<Record<Kind['family'], Words>> = {
  scenario: say('Scenario', '方案'),
  entity: say('Entities', '实体'),
  data: say('Data', '数据'),
  flow: say('Processes', '流程'),
  observation: say('Watching', '观察'),
  learning: say('Learning and chains', '学习与链'),
  drawing: say('Drawing', '绘图'),
  experiment: say('Experiments', '实验'),
  dashboard: say('Dashboards and charts', '仪表板与图表'),
}

function elementParts(language: Language): ReferencePart[] {
  return [...new Set(kinds.map(kind => kind.family))].map(family => ({
    id: `elements-${family}`,
    title: families[family][language],
    text: '',
    entries: kinds.filter(kind => kind.family === family).map(kind => kindEntry(kind, language)),
  }))
}

const canvases: Readonly<Record<Kind['on'][number], Words>> = {
  file: say('the file', '文件'),
  root: say('the scenario', '方案'),
  entity: say('an entity', '实体'),
  process: say('a process or subprocess', '流程或子流程'),
  experiment: say('an experiment', '实验'),
  dashboard: say('a dashboard or chart file', '仪表板或图表文件'),
  cards: say('a scenario association', '方案关联'),
}

function kindEntry(kind: Kind, language: Language): Entry {
  const places = kind.on.map(canvas => canvases[canvas][language]).join(language === 'zh' ? '、' : ', ')
  const code = (ids: readonly string[]): string => ids.map(id => `\`${id}\``).join(', ')
  const joins = kind.joins
    ? say(` From ${code(kind.joins.from)}; to ${code(kind.joins.to)}.`, ` 起点：${code(kind.joins.from)}；终点：${code(kind.joins.to)}。`)[
        language
      ]
    : ''
  const planned = kind.planned ? say(' (not run yet)', '（尚不运行）')[language] : ''
  const help = kind.help[language]
  const stands = say(`Stands on: ${places}.`, `可置于：${places}。`)[language]
  return {
    id: elementEntry(kind.id),
    title: `\`${kind.id}\` ${kind.label[language]}${planned}`,
    name: kind.id,
    text: [`${help === '' ? '' : `${help} `}${stands}${joins}`, kind.fields.map(field => fieldText(field, language, '')).join('\n')].join(
      '\n\n',
    ),
  }
}

function fieldText(field: Field, language: Language, indent: string): string {
  const { type } = field
  const also = language === 'zh' ? '、' : ' or '
  const codes = (ids: readonly string[]): string => ids.map(id => `\`${id}\``).join(also)
  const what = ((): Words => {
    switch (type.as) {
      case 'choice': {
        const options = Object.entries(type.options).map(([id, words]) => `\`${id}\` (${words[language]})`)
        return say(`one of ${options.join(', ')}`, `其一：${options.join('、')}`)
      }
      case 'formula':
        return contexts(type.context, type.result)
      case 'ref':
        return say(`id of ${codes(type.to)}`, `${codes(type.to)} 的 id`)
      case 'refs':
        return say(`list of ids of ${codes(type.to)}`, `${codes(type.to)} 的 id 列表`)
      case 'rows':
        return say('table of', '表格，列为')
      case 'number': {
        const bounds = `${type.min === undefined ? '' : `, >= ${type.min}`}${type.max === undefined ? '' : `, <= ${type.max}`}`
        return say(`number${type.integer ? ', whole' : ''}${bounds}`, `数值${type.integer ? '，整数' : ''}${bounds}`)
      }
      default:
        return holds[type.as]
    }
  })()
  // Fields called like a word of the format are written otherwise in a file; columns of tables are not.
  const key = (id: string): string => (indent === '' ? fileKeyOf(id) : id)
  const when = field.when
    ? say('; only with ', '；仅当 ')[language] +
      Object.entries(field.when)
        .map(([id, values]) => `\`${key(id)}\` ${values.map(value => `\`${JSON.stringify(value)}\``).join(also)}`)
        .join(say(' and ', ' 且 ')[language])
    : ''
  const blank = field.initial === '' || field.initial === null || (Array.isArray(field.initial) && field.initial.length === 0)
  const initial = blank ? '' : `${say('; default', '；默认')[language]} \`${JSON.stringify(field.initial)}\``
  const help = field.help[language]
  const columns = type.as === 'rows' ? `\n${type.columns.map(column => fieldText(column, language, `${indent}  `)).join('\n')}` : ''
  const stop = language === 'zh' ? '。' : '.'
  return `${indent}- \`${key(field.id)}\` ${field.label[language]}: ${what[language]}${initial}${when}${stop}${help === '' ? '' : ` ${help}`}${columns}`
}

const holds = {
  name: say('name', '名称'),
  text: say('text', '文本'),
  boolean: say('true or false', 'true 或 false'),
  color: say('colour, such as `"#ff8800"`', '颜色，如 `"#ff8800"`'),
  rich: say('rich text', '富文本'),
  image: say('a picture as a data URL', '图片（data URL）'),
  data: say('bytes as base64 text', 'base64 文本形式的字节'),
} as const

const results: Readonly<Record<string, Words>> = {
  number: say('number', '数值'),
  boolean: say('true or false', '真或假'),
  text: say('text', '文本'),
  entity: say('entity', '实体'),
  list: say('list', '列表'),
}

function contexts(context: FormulaContext, result: string | undefined): Words {
  const gives = result === undefined ? undefined : results[result]
  const name = {
    expression: say('expression', '表达式'),
    condition: say('condition', '条件'),
    program: say('program', '程序'),
    function: say('function body', '函数体'),
  }[context]
  return gives ? say(`${name.en} giving a ${gives.en}`, `${name.zh}，结果为${gives.zh}`) : name
}

const problemEntries = (language: Language): Entry[] => {
  const unused = new Map(Object.entries(reserved))
  return Object.entries(catalogue).map(([code, { message, fix }]) => ({
    id: `problem-${code}`,
    title: `${code} ${message[language]}`,
    name: code,
    text: (unused.get(code) ?? fix)[language],
  }))
}
