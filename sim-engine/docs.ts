// The reference of the language and the metamodel, made from their tables: what `docs` prints and the app shows. Chapters
// hold parts, parts hold entries; each has an id that stays, for links (`function-mean`, `element-ask`, `problem-8002`).
import { chainWords } from './docs/chains.ts'
import { fileKeyOf } from '../model-schema/file.ts'
import type { Field, FormulaContext, Kind } from '../model-schema/kinds/kind.ts'
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
import { containerMembers } from './check/names/builtins.ts'
import { catalogue, placeholdersOf, reserved } from './problems.ts'
import { alternatives, english, filled, say, sayIn, type Words } from '../model-schema/words.ts'

/** Gives a text in the language of the reader. */
type Speak = (words: Words) => string

/** One thing looked up: a function, a method, an element, a problem. Texts are Markdown. */
export type Entry = { readonly id: string; readonly title: string; readonly name: string; readonly text: string }
export type ReferencePart = { readonly id: string; readonly title: string; readonly text: string; readonly entries: readonly Entry[] }
export type Chapter = { readonly id: string; readonly title: string; readonly text: string; readonly parts: readonly ReferencePart[] }

/** The whole reference. */
export function referenceOf(speak: Speak): readonly Chapter[] {
  const chapter = (id: string, title: Words, text: string, parts: readonly ReferencePart[] = []): Chapter => ({
    id,
    title: speak(title),
    text,
    parts,
  })
  return [
    chapter('overview', say('Overview'), speak(overview)),
    chapter('command-line', say('Command line'), speak(commandLine)),
    chapter('file-format', say('File format'), speak(fileFormat)),
    chapter('example', say('Whole models'), [speak(exampleWords), exampleCode, speak(processWords), processCode].join('\n\n')),
    chapter('time-and-order', say('Time and order'), speak(timeAndOrder)),
    chapter('chains', say('Chains and contracts'), speak(chainWords)),
    chapter('formulas', say('Formulas'), speak(formulaWords), [
      { id: 'names', title: speak(say('Names')), text: speak(names), entries: [] },
      { id: 'containers', title: speak(say('Containers')), text: containerText(speak), entries: [] },
      { id: 'constants', title: speak(say('Constants')), text: '', entries: constantEntries(speak) },
      { id: 'methods', title: speak(say('Methods')), text: '', entries: methodEntries(speak) },
    ]),
    chapter('functions', say('Functions'), '', functionParts(speak)),
    chapter('elements', say('Elements'), speak(elementsWords), elementParts(speak)),
    chapter('problems', say('Problems'), speak(say('8001-9033 are found by the checker, 10000-10067 while running.')), [
      { id: 'problem-codes', title: speak(say('Codes')), text: '', entries: problemEntries(speak) },
    ]),
  ]
}

/** Markdown. */
export function referenceText(speak: Speak = english): string {
  const part = ({ title, text, entries }: ReferencePart): string =>
    [`### ${title}`, text, ...entries.map(entry => `#### ${entry.title}\n\n${entry.text}`)].filter(one => one !== '').join('\n\n')
  const chapters = referenceOf(speak).map(({ title, text, parts }) =>
    [`## ${title}`, text, ...parts.map(part)].filter(one => one !== '').join('\n\n'),
  )
  return [`# ${speak(say('Holarchy reference'))}`, ...chapters].join('\n\n')
}

/** The id of what the reference says about a function of the language. */
const functionEntry = (name: string): string => `function-${name}`
/** The id of what it says about a kind of element, or one of its fields. */
const elementEntry = (kind: string): string => `element-${kind}`

function containerText(speak: Speak): string {
  const about = say(
    'Read by dot from a container: `clerks.level`. Those of the whole run leave the warm-up out. With amounts by key, `level`, `in_use` and `capacity` are dicts.',
  )
  const rows = containerMembers(false).map(({ name, words }) => `| \`${name}\` | ${words ? speak(words) : ''} |`)
  return [`${speak(about)}\n`, `| ${speak(say('name'))} | ${speak(say('what it is'))} |`, '|---|---|', ...rows].join('\n')
}

const constantEntries = (speak: Speak): Entry[] =>
  [...constants].map(([name, { words }]) => ({ id: `constant-${name}`, title: `\`${name}\``, name, text: speak(words) }))

const receivers: Readonly<Record<(typeof methods)[number]['on'], Words>> = {
  list: say('list'),
  dict: say('dict'),
  set: say('set'),
  text: say('text'),
  tuple: say('tuple'),
  date: say('date'),
}

const methodEntries = (speak: Speak): Entry[] =>
  methods.map(({ on, signature, shown, words, example, writes }) => ({
    id: `method-${on}-${signature.name}`,
    title: `${speak(receivers[on])} \`.${shown}\``,
    name: signature.name,
    text: `${speak(words)}\n\n${examplesText([writes ? [`${example[0]}\nx`, example[1]] : example])}`,
  }))

/** Examples as in an interactive session: the formula, then what it gives. */
const examplesText = (examples: readonly (readonly [string, string])[]): string =>
  `\`\`\`\n${examples.map(([source, result]) => `${source}\n→ ${result}`).join('\n')}\n\`\`\``

const groups: Readonly<Record<Group, Words>> = {
  numbers: say('Numbers'),
  random: say('Random'),
  collections: say('Collections'),
  statistics: say('Statistics'),
  text: say('Text'),
  dates: say('Dates and times'),
  space: say('Space'),
  networks: say('Networks'),
  entities: say('Entities'),
}

function functionParts(speak: Speak): ReferencePart[] {
  return [...new Set(rows.map(row => row.group))].map(group => ({
    id: `functions-${group}`,
    title: speak(groups[group]),
    text: '',
    entries: rows
      .filter(row => row.group === group)
      .map(({ signature, shown, words, examples }) => ({
        id: functionEntry(signature.name),
        title: `\`${shown}\``,
        name: signature.name,
        text: `${speak(words)}\n\n${examplesText(examples)}`,
      })),
  }))
}

const elementsWords = say('Each kind of element with its fields. After the field: what it holds, its default, and when it counts.')

const families: Readonly<Record<Kind['family'], Words>> = {
  scenario: sayIn('of a model', 'Scenario'),
  entity: say('Entities'),
  data: say('Data'),
  flow: say('Processes'),
  observation: say('Watching'),
  learning: sayIn('reference', 'Learning and chains'),
  drawing: say('Drawing'),
  experiment: say('Experiments'),
  dashboard: say('Dashboards and charts'),
}

function elementParts(speak: Speak): ReferencePart[] {
  return [...new Set(kinds.map(kind => kind.family))].map(family => ({
    id: `elements-${family}`,
    title: speak(families[family]),
    text: '',
    entries: kinds.filter(kind => kind.family === family).map(kind => kindEntry(kind, speak)),
  }))
}

const canvases: Readonly<Record<Kind['on'][number], Words>> = {
  file: say('the file'),
  root: say('the scenario'),
  entity: say('an entity'),
  process: say('a process or subprocess'),
  experiment: say('an experiment'),
  dashboard: say('a dashboard or chart file'),
  cards: say('a scenario association'),
}

function kindEntry(kind: Kind, speak: Speak): Entry {
  const code = (ids: readonly string[]): string => ids.map(id => `\`${id}\``).join(', ')
  const joins = kind.joins ? speak(say(' From {from}; to {to}.', { from: code(kind.joins.from), to: code(kind.joins.to) })) : ''
  const planned = kind.planned ? speak(say(' (not run yet)')) : ''
  const help = speak(kind.help)
  const stands = speak(say('Stands on: {places}.', { places: kind.on.map(canvas => canvases[canvas]) }))
  return {
    id: elementEntry(kind.id),
    title: `\`${kind.id}\` ${speak(kind.label)}${planned}`,
    name: kind.id,
    text: [`${help === '' ? '' : `${help} `}${stands}${joins}`, kind.fields.map(field => fieldText(field, speak, '')).join('\n')].join(
      '\n\n',
    ),
  }
}

function fieldText(field: Field, speak: Speak, indent: string): string {
  const { type } = field
  const codes = (ids: readonly string[]): Words => alternatives(ids.map(id => `\`${id}\``))
  const what = ((): Words => {
    switch (type.as) {
      case 'choice': {
        const options = Object.entries(type.options).map(([id, words]) => `\`${id}\` (${speak(words)})`)
        return sayIn('reference', 'one of {options}', { options })
      }
      case 'formula':
        return contexts(type.context, type.result)
      case 'ref':
        return say('id of {to}', { to: codes(type.to) })
      case 'refs':
        return say('list of ids of {to}', { to: codes(type.to) })
      case 'rows':
        return say('table of')
      case 'number': {
        const bounds = `${type.min === undefined ? '' : `, >= ${type.min}`}${type.max === undefined ? '' : `, <= ${type.max}`}`
        return say('number{more}{bounds}', { more: type.integer ? say(', whole') : '', bounds })
      }
      default:
        return holds[type.as]
    }
  })()
  // Fields called like a word of the format are written otherwise in a file; columns of tables are not.
  const key = (id: string): string => (indent === '' ? fileKeyOf(id) : id)
  const when = field.when
    ? speak(say('; only with ')) +
      Object.entries(field.when)
        .map(([id, values]) => `\`${key(id)}\` ${speak(alternatives(values.map(value => `\`${JSON.stringify(value)}\``)))}`)
        .join(speak(say(' and ')))
    : ''
  const blank = field.initial === '' || field.initial === null || (Array.isArray(field.initial) && field.initial.length === 0)
  const initial = blank ? '' : `${speak(say('; default'))} \`${JSON.stringify(field.initial)}\``
  const help = speak(field.help)
  const columns = type.as === 'rows' ? `\n${type.columns.map(column => fieldText(column, speak, `${indent}  `)).join('\n')}` : ''
  const line = speak(say('`{key}` {label}: {what}{initial}{when}.', { key: key(field.id), label: field.label, what, initial, when }))
  return `${indent}- ${line}${help === '' ? '' : ` ${help}`}${columns}`
}

const holds = {
  name: say('name'),
  text: say('text'),
  boolean: say('true or false'),
  color: say('colour, such as `"#ff8800"`'),
  rich: say('rich text'),
  image: say('a picture as a data URL'),
  data: say('bytes as base64 text'),
} as const

const results: Readonly<Record<string, Words>> = {
  number: say('number'),
  boolean: sayIn('result of a formula', 'true or false'),
  text: say('text'),
  entity: say('entity'),
  list: say('list'),
}

function contexts(context: FormulaContext, result: string | undefined): Words {
  const gives = result === undefined ? undefined : results[result]
  const name = {
    expression: say('expression'),
    condition: say('condition'),
    program: say('program'),
    function: say('function body'),
  }[context]
  return gives ? say('{name} giving a {gives}', { name, gives }) : name
}

/** A message of the catalogue with the names of its placeholders in their places. */
const withNames = (message: Words): Words => filled(message, Object.fromEntries(placeholdersOf(message).map(name => [name, `{${name}}`])))

const problemEntries = (speak: Speak): Entry[] => {
  const unused = new Map(Object.entries(reserved))
  return Object.entries(catalogue).map(([code, { message, fix }]) => ({
    id: `problem-${code}`,
    title: `${code} ${speak(withNames(message))}`,
    name: code,
    text: speak(unused.get(code) ?? fix),
  }))
}
