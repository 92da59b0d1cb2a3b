// Model -> Parts: every reference resolved, inheritance spelled out, processes as graphs. Total: what can't be resolved is
// left out of the parts and listed as a problem.
import type { Element, Id, Model } from '../../model-schema/model.ts'
import type { Field, Json } from '../../model-schema/kinds/kind.ts'
import { isForkOf } from '../chain/fork/fields.ts'
import { chosenChain, isTerra } from '../chain/parts.ts'
import { formulaName, kindOf } from '../../model-schema/kinds.ts'
import { any } from '../formula/types.ts'
import type { Problem } from '../problems.ts'
import { problem } from '../problems.ts'
import { again, childrenOf, KeptParts } from './kept.ts'
import type {
  ContainerPart,
  EntityPart,
  FlowPart,
  FunctionPart,
  Level,
  Parts,
  ProcessPart,
  SpacePart,
  StatisticPart,
  StepPart,
  VariablePart,
} from './parts.ts'

/** Whether the field takes part: each field it depends on has one of the named values. */
export function shown(field: Field, fields: Readonly<Record<string, Json>>): boolean {
  if (!field.when) return true
  return Object.entries(field.when).every(([id, values]) => values.includes(fields[id] ?? null))
}

export const textOf = (element: Element, field: string): string => {
  const value = element.fields[field]
  return typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

export const rowsOf = (element: Element, field: string): Record<string, Json>[] => {
  const value = element.fields[field]
  if (!Array.isArray(value)) return []
  return value.map(row => (row !== null && typeof row === 'object' && !Array.isArray(row) ? row : {}))
}

export const cellText = (row: Record<string, Json>, column: string): string => {
  const value = row[column]
  return typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

const numberOf = (element: Element, field: string): number | null => {
  const value = element.fields[field]
  return typeof value === 'number' ? value : null
}

const entityKinds = ['agent', 'cell', 'link'] as const
const isEntityKind = (kind: string): kind is EntityPart['kind'] => (entityKinds as readonly string[]).includes(kind)

/** `kept`: parts of an earlier reading of the same scenario, used again (and changed) where they are still there. */
export function resolve(model: Model, scenario: Element, problems: Problem[], kept: KeptParts = new KeptParts()): Parts {
  kept.turn()
  const elements = childrenOf(model, scenario)
  const parts: Parts = {
    model,
    scenario,
    spaces: [],
    entities: [],
    globals: [],
    shared: [],
    tokenColumns: [],
    containers: [],
    processes: [],
    functions: [],
    messages: [],
    networks: [],
    chains: [],
    contracts: [],
    statistics: [],
    charts: elements.filter(one => one.kind === 'chart'),
    controllers: elements.filter(one => one.kind === 'controller'),
    tests: elements.filter(one => one.kind === 'test'),
    steps: [],
    tags: [],
  }
  resolveSpaces(parts, elements, kept)
  resolveEntities(parts, elements, problems, kept)
  resolveRootData(parts, elements, kept)
  for (const entity of parts.entities) fillEntity(parts, entity, kept)
  for (const element of elements) if (element.kind === 'process') addProcess(parts, element, 'global', null, null, kept)
  for (const entity of parts.entities)
    for (const { element, level } of kept.settled.get(entity)?.processes ?? membersOf(parts, entity, 'process', kept))
      entity.processes.push(addProcess(parts, element, level, entity, null, kept))
  resolveStatistics(parts, elements, kept)
  parts.shared.forEach((variable, index) => {
    variable.index = index
  })
  return parts
}

function resolveSpaces(parts: Parts, elements: readonly Element[], kept: KeptParts): void {
  for (const element of elements) {
    if (element.kind !== 'space') continue
    const space: SpacePart = {
      id: element.id,
      name: formulaName(textOf(element, 'name')),
      element,
      index: parts.spaces.length,
      topology: element.fields['topology'] === 'continuous' ? 'continuous' : 'discrete',
      cells: null,
      three: element.fields['dimensions'] === 'three',
      wrapX: element.fields['wrapX'] === true,
      wrapY: element.fields['wrapY'] === true,
    }
    parts.spaces.push(kept.spaces.keep(space.id, space))
  }
}

function resolveEntities(parts: Parts, elements: readonly Element[], problems: Problem[], kept: KeptParts): void {
  const byId = new Map<Id, EntityPart>()
  for (const element of elements) {
    if (!isEntityKind(element.kind)) continue
    const form = element.fields['form']
    const order = element.fields['order']
    const made: EntityPart = {
      id: element.id,
      name: formulaName(textOf(element, 'name')),
      element,
      kind: element.kind,
      index: parts.entities.length,
      form: element.kind === 'agent' && (form === 'individual' || form === 'observer') ? form : 'population',
      space: null,
      base: null,
      derived: [],
      order: order === 'fixed' || order === 'key' || order === 'simultaneous' ? order : 'shuffled',
      source: null,
      target: null,
      variables: [],
      observed: [],
      containers: [],
      processes: [],
      functions: [],
    }
    const entity = kept.entity(made)
    parts.entities.push(entity)
    byId.set(entity.id, entity)
  }
  for (const entity of parts.entities) {
    const { fields } = entity.element
    const refer = (field: string): EntityPart | null => {
      const id = fields[field]
      return typeof id === 'string' ? (byId.get(id) ?? null) : null
    }
    entity.space = spaceOf(parts, fields['space'], entity.kind)
    if (entity.kind === 'cell' && entity.space) entity.space.cells ??= entity
    if (entity.kind === 'agent') entity.base = refer('inherits')
    if (entity.kind === 'link') {
      entity.source = refer('source')
      entity.target = refer('target') ?? entity.source
      entity.source ??= entity.target
    }
  }
  for (const entity of parts.entities) {
    const seen = new Set<EntityPart>([entity])
    for (let base = entity.base; base; base = base.base) {
      if (seen.has(base)) {
        problems.push(problem(9029, { id: entity.id, field: 'inherits' }))
        entity.base = null
        break
      }
      seen.add(base)
    }
  }
  kept.settle(parts.entities)
  for (const entity of parts.entities) for (let base = entity.base; base; base = base.base) base.derived.push(entity)
  // A derived population is in the space of its base, unless it says otherwise.
  for (const entity of parts.entities) for (let base = entity.base; base && !entity.space; base = base.base) entity.space = base.space
}

/** The chosen space; a model with a single space needs no choice. */
function spaceOf(parts: Parts, chosen: Json | undefined, kind: EntityPart['kind']): SpacePart | null {
  if (typeof chosen === 'string') return parts.spaces.find(space => space.id === chosen) ?? null
  return kind === 'cell' && parts.spaces.length === 1 ? (parts.spaces[0] ?? null) : null
}

function resolveRootData(parts: Parts, elements: readonly Element[], kept: KeptParts): void {
  const nameOf = (element: Element): string => formulaName(textOf(element, 'name'))
  for (const element of elements) {
    if (element.kind === 'variable') {
      const variable = kept.variables.renew(element, () => variableOf(element, 'global', null, null))
      parts.globals.push(variable)
      parts.shared.push(variable)
    } else if (element.kind === 'container')
      addPart(
        parts.containers,
        kept.containers.renew(element, () => containerOf(element, 'global', null)),
      )
    else if (element.kind === 'function')
      addPart(
        parts.functions,
        kept.functions.renew(element, () => functionOf(element, 'global', null)),
      )
    else if (element.kind === 'message') {
      const payload = rowsOf(element, 'payload').map(row => ({ name: formulaName(cellText(row, 'name')), type: any }))
      const [name, signal] = [nameOf(element), element.fields['kind'] === 'signal']
      const message = { id: element.id, name, element, index: parts.messages.length, signal, payload }
      parts.messages.push(kept.messages.keep(message.id, message))
    } else if (element.kind === 'network') {
      const network = { id: element.id, name: nameOf(element), element, index: parts.networks.length }
      parts.networks.push(kept.networks.keep(network.id, network))
    } else if (element.kind === 'blockchain') {
      const chain = { id: element.id, name: nameOf(element), element, index: parts.chains.length, isFork: isForkOf(element) }
      parts.chains.push(kept.chains.keep(chain.id, chain))
    } else if (element.kind === 'contract') {
      const contract = { id: element.id, name: nameOf(element), element, index: parts.contracts.length, chain: -1, isTerra: false }
      parts.contracts.push(kept.contracts.keep(contract.id, contract))
    } else if (element.kind === 'tagset')
      parts.tags.push(
        kept.tags.keep(element.id, {
          id: element.id,
          name: nameOf(element),
          element,
          tags: rowsOf(element, 'tags').map(row => cellText(row, 'tag')),
        }),
      )
  }
  for (const contract of parts.contracts) {
    contract.chain = chosenChain(parts.chains, contract.element.fields['chain'])
    const chain = parts.chains[contract.chain]
    contract.isTerra = chain !== undefined && isTerra(chain.element)
  }
}

/** Own members of one kind, then those of the bases not overridden by name; each with its owner. */
function membersOf(parts: Parts, entity: EntityPart, kind: string, kept: KeptParts): { element: Element; level: Level }[] {
  const found: { element: Element; level: Level }[] = []
  const names = new Set<string>()
  const chain: EntityPart[] = []
  for (let at: EntityPart | null = entity; at; at = at.base) chain.push(at)
  for (const at of chain) {
    for (const element of kept.on(at.element, parts.model).get(kind) ?? []) {
      const level: Level = element.fields['owner'] === 'observer' || at.form === 'observer' ? 'observer' : 'individual'
      const name = formulaName(textOf(element, 'name'))
      // The base's observer is one: its parts stay with it and are reached through it.
      if (at !== entity && (level === 'observer' || names.has(name))) continue
      names.add(name)
      found.push({ element, level })
    }
  }
  return found
}

function fillEntity(parts: Parts, entity: EntityPart, kept: KeptParts): void {
  const settled = kept.settled.get(entity)
  if (settled) {
    const { variables, observed, containers, functions } = settled
    Object.assign(entity, { variables, observed, containers, functions })
    for (const variable of observed) parts.shared.push(variable)
    for (const container of containers) addPart(parts.containers, container)
    for (const fn of functions) addPart(parts.functions, fn)
    return
  }
  const old = kept.membersOf(entity)
  const variables = byIdOf([...(old?.variables ?? []), ...(old?.observed ?? [])])
  const [containers, functions] = [byIdOf(old?.containers), byIdOf(old?.functions)]
  for (const { element, level } of membersOf(parts, entity, 'variable', kept)) {
    const variable = again(take(variables, element.id), variableOf(element, level, entity, null))
    if (level === 'observer') {
      entity.observed.push(variable)
      parts.shared.push(variable)
    } else entity.variables.push(variable)
  }
  entity.variables.forEach((variable, index) => {
    variable.index = index
  })
  for (const { element, level } of membersOf(parts, entity, 'container', kept)) {
    const container = again(take(containers, element.id), containerOf(element, level, entity))
    entity.containers.push(addPart(parts.containers, container))
  }
  for (const { element, level } of membersOf(parts, entity, 'function', kept)) {
    const fn = again(take(functions, element.id), functionOf(element, level, entity))
    entity.functions.push(addPart(parts.functions, fn))
  }
}

function addPart<T extends { index: number }>(parts: T[], part: T): T {
  part.index = parts.length
  parts.push(part)
  return part
}

function variableOf(element: Element, level: VariablePart['level'], entity: EntityPart | null, process: ProcessPart | null): VariablePart {
  const direction = element.fields['direction']
  return {
    id: element.id,
    name: formulaName(textOf(element, 'name')),
    element,
    level,
    entity,
    process,
    direction: element.kind === 'interface' ? (direction === 'out' || direction === 'inout' ? direction : 'in') : null,
    public: element.fields['public'] === true,
    min: numberOf(element, 'min'),
    max: numberOf(element, 'max'),
    type: any,
    storage: 'any',
    index: 0,
    initialKey: `${element.id}/initial`,
  }
}

const containerOf = (element: Element, level: Level, entity: EntityPart | null): ContainerPart => ({
  id: element.id,
  name: formulaName(textOf(element, 'name')),
  element,
  level,
  entity,
  index: 0,
})

const functionOf = (element: Element, level: Level, entity: EntityPart | null): FunctionPart => ({
  id: element.id,
  name: formulaName(textOf(element, 'name')),
  element,
  level,
  entity,
  index: 0,
  parameters: rowsOf(element, 'parameters').map((row, i) => ({
    name: formulaName(cellText(row, 'name')),
    type: any,
    key: cellText(row, 'default').trim() === '' ? null : `${element.id}/parameters/${i}/default`,
  })),
  result: any,
  effects: {},
  signature: { type: any, effects: {} },
})

function addProcess(
  parts: Parts,
  element: Element,
  level: Level,
  entity: EntityPart | null,
  holder: StepPart | null,
  kept: KeptParts,
): ProcessPart {
  const key = `${entity ? entity.id : ''} ${element.id}`
  const before = kept.processes.before(key)
  if (before && isAsBefore(parts.model, before, element, level, entity, holder, kept)) return addAgain(parts, before, kept)
  const [oldSteps, oldTemporaries] = [byIdOf(before?.steps), byIdOf(before?.temporaries)]
  const process = kept.processes.keep(key, {
    key,
    reading: {},
    id: element.id,
    name: formulaName(textOf(element, 'name')),
    element,
    level,
    entity,
    index: parts.processes.length,
    holder,
    steps: [],
    flows: [],
    start: null,
    temporaries: [],
  })
  parts.processes.push(process)
  const byId = new Map<Id, StepPart>()
  const children = childrenOf(parts.model, element)
  for (const child of children) {
    if (child.kind === 'variable' || child.kind === 'interface') {
      const variable = again(take(oldTemporaries, child.id), variableOf(child, 'token', entity, process))
      process.temporaries.push(variable)
      addTemporary(parts, variable)
      continue
    }
    const kind = kindOf(child.kind)
    if (!kind || kind.family !== 'flow' || kind.joins || kind.id === 'process') continue
    const stepKey = `${key.slice(0, -element.id.length)}${child.id}`
    const step = again<StepPart>(take(oldSteps, child.id), {
      key: stepKey,
      id: child.id,
      name: formulaName(textOf(child, 'name')),
      element: child,
      kind,
      process,
      index: parts.steps.length,
      incoming: [],
      outgoing: [],
      boundaries: [],
      host: null,
      inner: null,
    })
    parts.steps.push(step)
    process.steps.push(step)
    byId.set(child.id, step)
    if (child.kind === 'start') process.start ??= step
  }
  for (const step of process.steps) {
    if (step.kind.opens === 'process') step.inner = addProcess(parts, step.element, level, entity, step, kept)
    const host = step.element.fields['host']
    if (step.kind.id === 'boundary' && typeof host === 'string') {
      step.host = byId.get(host) ?? null
      step.host?.boundaries.push(step)
    }
  }
  for (const child of children) {
    if (child.kind !== 'flow' || !child.ends) continue
    const from = child.ends.from.id === null ? undefined : byId.get(child.ends.from.id)
    const to = child.ends.to.id === null ? undefined : byId.get(child.ends.to.id)
    if (!from || !to) continue
    const flow: FlowPart = { id: child.id, element: child, from, to }
    from.outgoing.push(flow)
    to.incoming.push(flow)
    process.flows.push(flow)
  }
  return process
}

const byIdOf = <T extends { id: Id }>(parts: readonly T[] = []): Map<Id, T> => new Map(parts.map(part => [part.id, part]))

function take<T>(from: Map<Id, T>, id: Id): T | undefined {
  const found = from.get(id)
  from.delete(id)
  return found
}

/** Whether nothing in the process, but for what its subprocesses hold, is another than it was. */
function isAsBefore(
  model: Model,
  process: ProcessPart,
  element: Element,
  level: Level,
  entity: EntityPart | null,
  holder: StepPart | null,
  { stirred }: KeptParts,
): boolean {
  if (process.element !== element || process.level !== level || process.entity !== entity || process.holder !== holder) return false
  if (stirred) return !stirred.has(process.id)
  return [process.steps, process.flows, process.temporaries].every(list => list.every(part => model.elements.get(part.id) === part.element))
}

/** Adds an unchanged process at its place. */
function addAgain(parts: Parts, process: ProcessPart, kept: KeptParts): ProcessPart {
  process.index = parts.processes.length
  parts.processes.push(process)
  kept.processes.hold(process.key, process)
  for (const variable of process.temporaries) addTemporary(parts, variable)
  for (const step of process.steps) {
    step.index = parts.steps.length
    parts.steps.push(step)
  }
  for (const step of process.steps)
    if (step.kind.opens === 'process') step.inner = addProcess(parts, step.element, process.level, process.entity, step, kept)
  return process
}

function addTemporary(parts: Parts, variable: VariablePart): void {
  variable.index = parts.tokenColumns.length
  parts.tokenColumns.push(variable)
}

function resolveStatistics(parts: Parts, elements: readonly Element[], kept: KeptParts): void {
  const add = (element: Element, owner: EntityPart | null): void => {
    const chosen = element.fields['over']
    const observer = element.fields['owner'] === 'observer' || owner?.form === 'observer'
    const over =
      typeof chosen === 'string' ? (parts.entities.find(entity => entity.id === chosen) ?? null) : owner && !observer ? owner : null
    const level: Level = owner ? 'observer' : 'global'
    const statistic: StatisticPart = {
      id: element.id,
      name: formulaName(textOf(element, 'name')),
      element,
      index: parts.statistics.length,
      over,
      level,
      entity: owner,
      grouped: textOf(element, 'group').trim() !== '',
    }
    parts.statistics.push(kept.statistics.keep(statistic.id, statistic))
  }
  for (const element of elements) if (element.kind === 'statistic') add(element, null)
  for (const entity of parts.entities)
    for (const element of kept.on(entity.element, parts.model).get('statistic') ?? []) add(element, entity)
}
