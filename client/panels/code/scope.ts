// The names in scope of a formula, read from the model alone: for completion and hover while typing, also in models that don't pass the
// check yet. The engine's own scopes, which also compile, are built by the checker.
import { formulaName, kindOf } from '../../../model-schema/kinds.ts'
import type { Element, Id, Model } from '../../../model-schema/model.ts'
import { chainMembers, interfaceMembers, outputType, readInterface, terraMembers } from '../../../sim-engine/language.ts'
import type { Interface, Scope, Symbol, SymbolKind } from '../../../sim-engine/language.ts'
import { pathTo } from '../../editor/grammar.ts'
import { say, type Words } from '../../../model-schema/words.ts'

type Type = Symbol['type']

const anything: Type = { is: 'any' }
const number: Type = { is: 'number' }
const text: Type = { is: 'text' }
const bool: Type = { is: 'bool' }

/** Innermost first: token and interface, own property, own observer, global, built-in. */
export function scopeAt(model: Model, owner: Id): Scope {
  const layers: Map<string, Symbol>[] = []
  const path = pathTo(model, owner)
  for (const canvas of path.toReversed()) {
    const kind = kindOf(canvas.kind)
    if (kind?.opens === 'process') layers.push(table(symbolsOn(model, canvas, false)))
    if (kind?.opens === 'entity')
      layers.push(table([...symbolsOn(model, canvas, true), ...individualNames(canvas), ...observerNames(canvas)]))
    if (kind?.opens === 'root') layers.push(table([...symbolsOn(model, canvas, true), ...globalNames]))
  }
  const members = (of: Type): Map<string, Symbol> => membersOf(model, path[0]?.id ?? '', of)
  return {
    find: name => layers.map(layer => layer.get(name)).find(symbol => symbol !== undefined),
    names: () => table(layers.flatMap(layer => [...layer.values()])).values(),
    member: (of, name) => members(of).get(name),
    members: of => members(of).values(),
  }
}

// A name of an inner layer hides the same name further out.
function table(symbols: readonly Symbol[]): Map<string, Symbol> {
  const all = new Map<string, Symbol>()
  for (const symbol of symbols) if (!all.has(symbol.name)) all.set(symbol.name, symbol)
  return all
}

const symbolKinds: Readonly<Record<string, SymbolKind>> = {
  variable: 'variable',
  interface: 'variable',
  container: 'container',
  process: 'process',
  function: 'function',
  statistic: 'statistic',
  message: 'message',
  agent: 'population',
  cell: 'population',
  link: 'population',
  tagset: 'variable',
  blockchain: 'variable',
  contract: 'variable',
  space: 'variable',
}

function symbolsOn(model: Model, canvas: Element, onlyNamed: boolean): Symbol[] {
  const symbols: Symbol[] = []
  for (const id of canvas.children) {
    const element = model.elements.get(id)
    const kind = element && kindOf(element.kind)
    const name = formulaName(String(element?.fields['name'] ?? ''))
    if (!element || !kind || name === '') continue
    const sort = symbolKinds[kind.id] ?? (kind.shape === 'task' && !onlyNamed ? 'step' : null)
    if (sort) symbols.push(symbol(name, sort, typeOf(element), kind.label, id))
  }
  return symbols
}

function typeOf(element: Element): Type {
  const { type, initial } = element.fields
  switch (element.kind) {
    case 'agent':
    case 'cell':
    case 'link':
      return { is: 'observer', of: element.id }
    case 'process':
      return { is: 'process', of: element.id }
    case 'container':
    case 'message':
    case 'blockchain':
    case 'contract':
    case 'transaction':
      return { is: 'element', of: element.id }
    case 'function':
      return { is: 'function', params: parameterNames(element).map(name => ({ name, type: anything })), result: anything }
    case 'variable':
    case 'interface':
      if (type === 'list') return { is: 'list', of: anything }
      if (type === 'dict') return { is: 'dict', key: anything, value: anything }
      if (type === 'set') return { is: 'set', of: anything }
      return typeOfLiteral(typeof initial === 'string' ? initial.trim() : '')
    default:
      return anything
  }
}

function typeOfLiteral(source: string): Type {
  if (/^-?\d+(\.\d+)?$/.test(source)) return number
  if (/^(["']).*\1$/.test(source)) return text
  return source === 'True' || source === 'False' ? bool : anything
}

function parameterNames(element: Element): string[] {
  const rows = element.fields['parameters']
  if (!Array.isArray(rows)) return []
  return rows
    .map(row => (typeof row === 'object' && row !== null && !Array.isArray(row) ? String(row['name'] ?? '') : ''))
    .filter(name => name !== '')
}

function membersOf(model: Model, scenario: Id, of: Type): Map<string, Symbol> {
  const entity =
    (of.is === 'entity' || of.is === 'observer' || of.is === 'entities') && of.of !== null ? model.elements.get(of.of) : undefined
  if (entity && of.is === 'observer') return table([...symbolsOn(model, entity, true), ...observerNames(entity)])
  if (entity) return table([...symbolsOn(model, entity, true), ...individualNames(entity)])
  const element = of.is === 'element' ? model.elements.get(of.of) : undefined
  if (element?.kind === 'container') return table(containerNames)
  if (element?.kind === 'blockchain') return table(chainMembers(anyOne))
  if (element?.kind === 'contract') {
    const face = interfaceIn(model, element)
    return table(face === null ? terraMembers(anyOne) : interfaceMembers(anyOne, face))
  }
  if (element?.kind === 'transaction') {
    const contract = model.elements.get(String(element.fields['interface'] ?? ''))
    return table([outputSymbol(outputType(element, contract ? interfaceIn(model, contract) : null))])
  }
  if (of.is !== 'any' && of.is !== 'entity') return new Map()
  // For an entity with an unknown population, the members of all populations are offered.
  const all = (model.elements.get(scenario)?.children ?? [])
    .map(id => model.elements.get(id))
    .filter(one => one !== undefined && kindOf(one.kind)?.opens === 'entity')
  return table(all.flatMap(one => (one ? [...symbolsOn(model, one, true), ...individualNames(one)] : [])))
}

/** Numbers stand for elements only where formulas are compiled. */
const anyOne = { index: 0 } as const

const noInterface: Interface = { items: [], code: '' }
const interfaces = new WeakMap<Element, Interface>()

/** The interface of a contract; null on Terra. Read once for each state of the element. */
function interfaceIn(model: Model, contract: Element): Interface | null {
  const chains = [...model.elements.values()].filter(({ kind }) => kind === 'blockchain')
  const chain = chains.find(({ id }) => id === contract.fields['chain']) ?? chains[0]
  if (chain?.fields['chain'] === 'terra') return null
  let known = interfaces.get(contract)
  if (!known) {
    const [artifact, abi, code] = ['artifact', 'abi', 'code'].map(field => String(contract.fields[field] ?? '')) as [string, string, string]
    const found = readInterface({ artifact, abi, code })
    interfaces.set(contract, (known = 'fault' in found ? noInterface : found))
  }
  return known
}

const outputSymbol = (type: Type): Symbol => builtin('output', type, say('What the step gave when it was last passed.'))

function individualNames(entity: Element): Symbol[] {
  const self: Type = { is: 'entity', of: entity.id, sure: true }
  const common = [
    builtin('self', self, say('This individual.')),
    builtin('id', number, say('Unique number of the individual.')),
    builtin('alive', bool, say('Whether it is alive.')),
    builtin('color', text, say('Its colour in the world view.')),
    builtin('size', number, say('Its size in the world view.')),
    builtin('shape', text, say('Its shape in the world view.')),
    builtin('visible', bool, say('Whether the world view shows it.')),
  ]
  const place = [
    builtin('x', number, say('Horizontal position.')),
    builtin('y', number, say('Vertical position.')),
    builtin('position', anything, say('Position as [x, y].')),
  ]
  if (entity.kind === 'cell') return [...common, ...place]
  if (entity.kind === 'link')
    return [...common, builtin('ends', anything, say('The two it joins.')), builtin('weight', number, say('Its weight.'))]
  return [
    ...common,
    ...place,
    builtin('heading', number, say('Degrees; east 0, north 90.')),
    builtin('cell', { is: 'entity', of: null }, say('The cell it stands on.')),
    builtin('mother', self, say('Who bred it.')),
  ]
}

function observerNames(entity: Element): Symbol[] {
  return [
    builtin('individuals', { is: 'entities', of: entity.id }, say('All living individuals.')),
    builtin('count', number, say('How many are alive.')),
  ]
}

const symbol = (name: string, kind: SymbolKind, type: Type, words: Words, id?: Id): Symbol => ({
  name,
  kind,
  type,
  words,
  read: () => name,
  ...(id === undefined ? {} : { id }),
})

const builtin = (name: string, type: Type, words: Words): Symbol => symbol(name, 'builtin', type, words)

const globalNames: readonly Symbol[] = [
  builtin('tick', number, say('Ticks since the start.')),
  builtin('time', number, say('Time since the start, in ticks; may be fractional.')),
  builtin('now', { is: 'date' }, say('Date and time of calendar runs.')),
]

const containerNames: readonly Symbol[] = [
  builtin('level', number, say('Amount in it; of reusable units: those free.')),
  builtin('in_use', number, say('Units requested and not released yet.')),
  builtin('capacity', number, say('The most it can hold.')),
  builtin('queue', number, say('Requests waiting.')),
]
