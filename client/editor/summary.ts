// The one short line under an element's name that saves opening the inspector: a variable's value, what a step does,
// what an entity holds.
import { kindOf } from '../../model-schema/kinds.ts'
import type { Json } from '../../model-schema/kinds/kind.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import { list, type Words } from '../../model-schema/words.ts'

type Summary = { readonly text: string; readonly code: boolean }

const nothing: Summary = { text: '', code: false }

/** Blank when there is nothing worth saying. */
export function summaryOf(element: Element, model: Model, words: (words: Words) => string): Summary {
  const { fields } = element
  const text = (field: string): string => (typeof fields[field] === 'string' ? firstLine(fields[field]) : '')
  const code = (value: string): Summary => ({ text: value, code: true })
  const target = (field: string): Summary => ({ text: nameOf(model, fields[field]), code: false })
  switch (element.kind) {
    case 'variable':
    case 'interface':
      return code(text('initial'))
    case 'container':
      return code(text('capacity') ? `${text('initial') || '0'} / ${text('capacity')}` : text('initial'))
    case 'agent':
      return fields['form'] === 'population' ? code(text('initialNumber')) : choiceOf(element, 'form', words)
    case 'cell':
      return target('space')
    case 'link':
      return linkSummary(element, model)
    case 'space':
      return code(extent(text('minX'), text('maxX')) + '×' + extent(text('minY'), text('maxY')))
    case 'compute':
      return code(text('program'))
    case 'delay':
      return code(text('duration'))
    case 'ask':
      return code(text('range'))
    case 'call':
      return target('process')
    case 'create':
      return { text: [nameOf(model, fields['population']), text('count') && `× ${text('count')}`].filter(Boolean).join(' '), code: false }
    case 'operate': {
      const what = rowsOf(element, 'items')
        .map(row => row['container'])
        .filter((one): one is string => typeof one === 'string' && one !== '')
      // Without a name the operation is the title.
      const operation = text('name') === '' ? '' : choiceOf(element, 'operation', words).text
      return { text: `${operation} ${words(list(what))}`.trim(), code: false }
    }
    case 'transaction':
      return target('interface')
    case 'move':
    case 'place':
    case 'destroy':
      return choiceOf(element, { move: 'motion', place: 'where', destroy: 'who' }[element.kind], words)
    case 'log':
      return code(text(fields['does'] === 'assert' ? 'condition' : 'value'))
    case 'function':
      return code(`(${parameters(element)})`)
    case 'statistic':
      return code([fields['aggregate'] === 'last' ? '' : `${String(fields['aggregate'])} `, text('expression')].join('').trim())
    case 'tagset':
      return {
        text: words(
          list(
            rowsOf(element, 'tags')
              .map(row => row['tag'])
              .filter((tag): tag is string => typeof tag === 'string' && tag !== ''),
          ),
        ),
        code: false,
      }
    case 'message':
      return code(
        rowsOf(element, 'payload')
          .map(row => row['name'])
          .filter(name => typeof name === 'string' && name !== '')
          .join(', '),
      )
    case 'intermediate':
    case 'boundary':
      return fields['trigger'] === 'timer'
        ? code(text('delay'))
        : fields['trigger'] === 'condition'
          ? code(text('condition'))
          : target('message')
    case 'start':
      return fields['trigger'] === 'timer' ? code(text('every')) : fields['trigger'] === 'condition' ? code(text('condition')) : nothing
    default:
      return nothing
  }
}

/** The label in the middle of a connector: a name, a condition, or a probability. */
export function wireLabelOf(element: Element): Summary {
  const { name, condition, weight } = element.fields
  if (typeof name === 'string' && name.trim() !== '') return { text: name, code: false }
  if (typeof condition === 'string' && condition.trim() !== '') return { text: firstLine(condition), code: true }
  if (typeof weight === 'string' && weight.trim() !== '') return { text: firstLine(weight), code: true }
  return nothing
}

function firstLine(text: string): string {
  const lines = text.split('\n').map(line => line.trim())
  const first = lines.find(line => line !== '') ?? ''
  return lines.filter(line => line !== '').length > 1 ? `${first} …` : first
}

function nameOf(model: Model, id: unknown): string {
  const { name } = (typeof id === 'string' && model.elements.get(id as Id)?.fields) || {}
  return typeof name === 'string' ? name : ''
}

function choiceOf(element: Element, field: string | undefined, words: (words: Words) => string): Summary {
  const type = kindOf(element.kind)?.fields.find(one => one.id === field)?.type
  const label = type?.as === 'choice' ? type.options[String(element.fields[field ?? ''])] : undefined
  return label ? { text: words(label), code: false } : nothing
}

function linkSummary(element: Element, model: Model): Summary {
  const from = nameOf(model, element.fields['source'])
  const to = nameOf(model, element.fields['target'])
  return from || to ? { text: `${from} ${element.fields['directed'] ? '→' : '–'} ${to}`, code: false } : nothing
}

const extent = (low: string, high: string): string => (low === '0' || low === '' ? high : `${low}…${high}`)

function rowsOf(element: Element, field: string): { [key: string]: Json }[] {
  const rows = element.fields[field]
  return Array.isArray(rows)
    ? rows.filter((row): row is { [key: string]: Json } => typeof row === 'object' && row !== null && !Array.isArray(row))
    : []
}

const parameters = (element: Element): string =>
  rowsOf(element, 'parameters')
    .map(row => String(row['name'] ?? ''))
    .filter(Boolean)
    .join(', ')
