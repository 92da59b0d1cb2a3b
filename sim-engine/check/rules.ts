// What must hold of a model's structure. Each rule is about one kind of part; those of flow elements are with their kind in steps/.
import type { Kind } from '../../model-schema/kinds/kind.ts'
import { formulaName, kindOf } from '../../model-schema/kinds.ts'
import type { Element, Id, Model } from '../../model-schema/model.ts'
import type { Place, Problem, ProblemCode } from '../problems.ts'
import { nothingMeasured, problem } from '../problems.ts'
import { describe } from '../learn/network.ts'
import { checkChains } from './chains.ts'
import { stepKinds } from '../steps/table.ts'
import { mayStandOn, misplaced, unknownKind } from './canvases.ts'
import { constantOf, isActive } from './checking.ts'
import type { Edit } from './edits.ts'
import type { Checking } from './checking.ts'
import { checkFirstValues } from './first-values.ts'
import { impossibleJoins } from './joins.ts'
import { keyOf, stepKey } from './names/keys.ts'
import { isSameList } from './rows.ts'
import type { EntityPart, FormulaPart, Parts, ProcessPart, StepPart } from './parts.ts'
import { childrenOf } from './kept.ts'
import { cellText, rowsOf, shown, textOf } from './resolve.ts'
import { checkTest } from './test-rules.ts'
import { say } from '../../model-schema/words.ts'

/** What rules of a process may look at outside of it. */
const outside = ['entities', 'containers', 'messages', 'processes'] as const
type Outside = (typeof outside)[number]

/** What is wrong with a process, and what that follows from. */
type OfProcess = Pick<ProcessPart, 'reading' | 'holder'> & {
  readonly kind: EntityPart['kind'] | undefined
  readonly form: EntityPart['form'] | undefined
  readonly looked: readonly Outside[]
  readonly problems: readonly Problem[]
}

/** Judges a model again and again while it is edited. */
export class Rules {
  #canvases: ReadonlyMap<Element, OfCanvas> = new Map()
  #outer: readonly Problem[] = []
  #views: readonly Problem[] = []
  #processes = new Map<ProcessPart, OfProcess>()
  #around: Record<Outside, readonly unknown[]> = { entities: [], containers: [], messages: [], processes: [] }

  /**
   * All problems except those of formulas. `again`: the only elements with formulas that may be inferred differently than before; null when all
   * may.
   */
  judge({ parts, formulas, model, scenario, edit, onlyTexts }: Judged, again: ReadonlySet<Id> | null): Problem[] {
    const noted = (check: (checking: Checking) => void): readonly Problem[] => {
      const problems: Problem[] = []
      check(createChecking(parts, formulas, problems))
      return problems
    }
    const found: Problem[] = []
    this.#canvases = checkElements(model, scenario, this.#canvases, edit, found)
    // The places of elements with changed formulas, and the changed elements themselves.
    const canvases = new Set<Id | null>()
    for (const id of again ?? []) canvases.add(model.elements.get(id)?.parent ?? null)
    const inside = new Set(parts.processes.map(process => process.id).filter(id => canvases.has(id)))
    if (edit && !onlyTexts) for (const id of edit.stirred) canvases.add(id)
    for (const { id } of parts.processes) canvases.delete(id)
    if (!again || !edit || canvases.size > 0) {
      this.#outer = noted(checking => {
        checkSpaces(checking)
        checkEntities(checking)
        checkData(checking)
        checkFirstValues(checking)
      })
      this.#views = noted(checkViews)
    }
    found.push(...this.#outer)
    const around = aroundProcesses(parts)
    const same = new Set(again ? outside.filter(list => isSameList(around[list], this.#around[list])) : [])
    const before = this.#processes
    this.#around = around
    this.#processes = new Map()
    for (const process of parts.processes) {
      let known = again && !inside.has(process.id) ? before.get(process) : undefined
      if (!known || !isOf(known, process) || !known.looked.every(list => same.has(list))) {
        const looked = new Set<Outside>()
        const problems = noted(checking => checkProcess({ ...checking, parts: noticing(parts, looked) }, process))
        const { reading, holder, entity } = process
        known = { reading, holder, kind: entity?.kind, form: entity?.form, looked: [...looked], problems }
      }
      this.#processes.set(process, known)
      found.push(...known.problems)
    }
    return [...found, ...noted(checkScenario), ...this.#views]
  }
}

const isOf = (known: OfProcess, { reading, holder, entity }: ProcessPart): boolean =>
  known.reading === reading && known.holder === holder && known.kind === entity?.kind && known.form === entity?.form

/** What the rules of a process look at in these lists. */
function aroundProcesses({ entities, containers, messages, processes, tokenColumns }: Parts): Record<Outside, unknown[]> {
  const around = {
    entities: entities.flatMap(({ id, form, kind, variables }) => [id, form, kind, ...variables.map(({ name }) => name)]),
    containers: containers.map(({ element }) => element),
    messages: messages.map(({ element }) => element),
    processes: tokenColumns.map(({ element }): unknown => element),
  }
  for (const { id, name, start, entity, level, holder } of processes)
    around.processes.push(id, name, start?.element, entity, entity?.derived.length, level, holder)
  return around
}

/** The parts, with what is looked at noted. */
const noticing = (parts: Parts, looked: Set<Outside>): Parts => ({
  ...parts,
  get entities() {
    looked.add('entities')
    return parts.entities
  },
  get containers() {
    looked.add('containers')
    return parts.containers
  },
  get messages() {
    looked.add('messages')
    return parts.messages
  },
  get processes() {
    looked.add('processes')
    return parts.processes
  },
})

type Judged = {
  readonly parts: Parts
  readonly formulas: ReadonlyMap<string, FormulaPart>
  readonly model: Model
  readonly scenario: Element
  /** Since it was judged before; null when it was not. */
  readonly edit: Edit | null
  /** Elements are what they were, but for texts of formulas. */
  readonly onlyTexts: boolean
}

function createChecking(parts: Parts, formulas: ReadonlyMap<string, FormulaPart>, problems: Problem[]): Checking {
  return {
    parts,
    formulas,
    note(code, id, field, params = [], severity) {
      const at: Place = field === undefined ? { id } : { id, field }
      problems.push(severity ? problem(code, at, params, severity) : problem(code, at, params))
    },
    say: problem => void problems.push(problem),
    written: (step, field) => textOf(step.element, field).trim() !== '',
    typeOf: (step, field) => formulas.get(stepKey(step, field))?.inferred.type,
    constant: (step, field) => constantOf(formulas.get(stepKey(step, field))),
  }
}

const reserved = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield True False None self actor'.split(
    ' ',
  ),
)
const isValidName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) || /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)

/** What an element says of itself and of others: its name and the places that refer to elements. */
type Said = {
  kind: Kind
  name: { field: string; name: string; valid: boolean } | null
  refers: readonly { field: string; id: string; to: readonly string[] }[]
}

const saidBefore = new WeakMap<Element, Said>()

/** Null for a kind that is not known. */
function saidBy(element: Element): Said | null {
  const known = saidBefore.get(element)
  if (known) return known
  const kind = kindOf(element.kind)
  if (!kind) return null
  let name: Said['name'] = null
  const refers: { field: string; id: string; to: readonly string[] }[] = []
  const refer = (field: string, id: unknown, to: readonly string[]): void => {
    if (typeof id === 'string' && id !== '') refers.push({ field, id, to })
  }
  for (const field of kind.fields) {
    if (!shown(field, element.fields)) continue
    const value = element.fields[field.id]
    const { type } = field
    if (type.as === 'ref') refer(field.id, value, type.to)
    else if (type.as === 'refs' && Array.isArray(value)) for (const id of value) refer(field.id, id, type.to)
    else if (type.as === 'rows') {
      for (const [i, row] of rowsOf(element, field.id).entries())
        for (const column of type.columns)
          if (column.type.as === 'ref') refer(`${field.id}/${i}/${column.id}`, row[column.id], column.type.to)
    } else if (type.as === 'name') {
      const written = formulaName(textOf(element, field.id))
      name = { field: field.id, name: written, valid: isValidName(written) && !reserved.has(written) }
    }
  }
  const said = { kind, name, refers }
  saidBefore.set(element, said)
  return said
}

/** What is wrong with the elements of a canvas, and all that says so. */
type OfCanvas = {
  /** Those that are canvases themselves. */
  readonly inner: readonly Element[]
  readonly refers: readonly Id[]
  readonly problems: readonly Problem[]
}

/** Names and references of every element, by their canvases. `known`: what was found before the edit. */
function checkElements(
  model: Model,
  scenario: Element,
  known: ReadonlyMap<Element, OfCanvas>,
  edit: Edit | null,
  problems: Problem[],
): ReadonlyMap<Element, OfCanvas> {
  const { elements } = model
  const canvases = new Map<Element, OfCanvas>()
  const isAsBefore = (canvas: Element, { refers }: OfCanvas): boolean =>
    edit !== null && !edit.stirred.has(canvas.id) && (edit.others.size === 0 || !refers.some(id => edit.others.has(id)))
  const visit = (canvas: Element): void => {
    let found = known.get(canvas)
    if (!found || !isAsBefore(canvas, found)) found = checkCanvas(model, canvas)
    canvases.set(canvas, found)
    for (const one of found.problems) problems.push(one)
    for (const child of found.inner) visit(child)
  }
  visit(scenario)
  for (const [i, row] of rowsOf(scenario, 'overrides').entries()) {
    const id = row['variable']
    if (typeof id !== 'string' || elements.get(id)?.kind !== 'variable')
      problems.push(problem(9022, { id: scenario.id, field: `overrides/${i}/variable` }))
  }
  return canvases
}

function checkCanvas(model: Model, canvas: Element): OfCanvas {
  const problems: Problem[] = []
  const children = childrenOf(model, canvas)
  const refers: Id[] = []
  const look = (id: Id): Element | undefined => {
    refers.push(id)
    return model.elements.get(id)
  }
  const names = new Set<string>()
  for (const element of children) {
    const { id } = element
    const said = saidBy(element)
    if (!said) {
      problems.push(unknownKind(element))
      continue
    }
    if (!mayStandOn(said.kind, canvas)) problems.push(misplaced(element, said.kind, canvas))
    let last = ''
    for (const { field, id: other, to } of said.refers) {
      const found = look(other)
      if (found && (to.includes(found.kind) || !kindOf(found.kind))) continue
      // A list of references says once that one is lost.
      if (field !== last) problems.push(problem(9022, { id, field }))
      last = field
    }
    const { name } = said
    if (name && !name.valid) problems.push(problem(8006, { id, field: name.field }))
    else if (name && names.has(name.name)) problems.push(problem(8005, { id, field: name.field }, [name.name]))
    else if (name) names.add(name.name)
    if (said.kind.joins) checkConnector(element, look, problems)
  }
  return { inner: children.filter(child => child.children.length > 0), refers, problems }
}

function checkConnector(element: Element, look: (id: Id) => Element | undefined, problems: Problem[]): void {
  const end = (side: 'from' | 'to', code: ProblemCode): void => {
    const id = element.ends?.[side].id ?? null
    const found = id === null ? undefined : look(id)
    if (!found || found.parent !== element.parent) problems.push(problem(code, { id: element.id }))
    else if (!kindOf(found.kind)) problems.push(problem(9022, { id: element.id }))
  }
  end('from', 9001)
  end('to', 9002)
}

function checkSpaces(checking: Checking): void {
  for (const space of checking.parts.spaces) {
    for (const axis of ['X', 'Y', ...(space.three ? ['Z'] : [])]) {
      const bound = (side: string) => checking.formulas.get(keyOf({ id: space.id, entity: null }, `${side}${axis}`))
      const [low, high] = [constantOf(bound('min')), constantOf(bound('max'))]
      const isLine = space.topology === 'discrete' && low === high
      if (!bound('min') || !bound('max') || (low !== null && high !== null && !(low < high || isLine)))
        checking.note(9027, space.id, `max${axis}`)
    }
  }
}

function checkEntities(checking: Checking): void {
  for (const entity of checking.parts.entities) {
    const { element } = entity
    if (entity.kind === 'cell' && !entity.space) checking.note(9027, entity.id, 'space')
    const placement = textOf(element, 'placement')
    if (entity.kind === 'agent' && entity.form !== 'observer' && placement !== 'none' && placement !== '') {
      if (!entity.space) checking.note(9027, entity.id, 'space')
      if (placement === 'position' && textOf(element, 'position').trim() === '') checking.note(8001, entity.id, 'position')
    }
    if (entity.kind === 'agent' && entity.form === 'population') {
      const number = constantOf(checking.formulas.get(keyOf(entity, 'initialNumber')))
      if (textOf(element, 'initialNumber').trim() === '' || (number !== null && !(Number.isInteger(number) && number >= 0)))
        checking.note(9028, entity.id, 'initialNumber')
    }
    if (entity.order === 'key' && textOf(element, 'orderKey').trim() === '') checking.note(8001, entity.id, 'orderKey')
    if (entity.kind === 'link' && (!entity.source || !entity.target)) checking.note(9026, entity.id, entity.source ? 'target' : 'source')
    for (const [i, row] of rowsOf(element, 'individuals').entries()) {
      if (!entity.variables.some(variable => variable.name === formulaName(cellText(row, 'property'))))
        checking.note(9022, entity.id, `individuals/${i}/property`)
    }
  }
}

function checkData(checking: Checking): void {
  const { parts, formulas, note } = checking
  for (const container of parts.containers) {
    const initial = constantOf(formulas.get(keyOf(container, 'initial')))
    const capacity = constantOf(formulas.get(keyOf(container, 'capacity')))
    const negative = container.element.fields['negative'] === true && container.element.fields['reusable'] !== true
    if (capacity !== null && capacity < 0) note(9025, container.id, 'capacity')
    else if (initial !== null && !negative && initial < 0) note(9025, container.id, 'initial')
    else if (initial !== null && capacity !== null && container.element.fields['reusable'] !== true && initial > capacity)
      note(9025, container.id, 'initial')
  }
  for (const fn of parts.functions) {
    const seen = new Set<string>()
    for (const [i, parameter] of fn.parameters.entries()) {
      if (!isValidName(parameter.name) || reserved.has(parameter.name)) note(8006, fn.id, `parameters/${i}/name`)
      else if (seen.has(parameter.name)) note(8005, fn.id, `parameters/${i}/name`, [parameter.name])
      seen.add(parameter.name)
    }
    if (textOf(fn.element, 'body').trim() === '') note(8001, fn.id, 'body')
  }
}

function checkProcess(checking: Checking, process: ProcessPart): void {
  const { note } = checking
  const where = process.holder?.id ?? process.id
  const starts = process.steps.filter(step => step.kind.id === 'start')
  if (starts.length === 0) note(9009, where)
  if (starts.length > 1) note(9011, starts[1]?.id ?? where)
  if (!process.steps.some(step => step.kind.id === 'end')) note(9010, where)
  for (const step of process.steps) {
    const { id } = step.kind
    if (id === 'start' ? step.incoming.length > 0 : false) note(9007, step.id)
    if (id === 'end' && step.outgoing.length > 0) note(9008, step.id)
    if (id !== 'start' && id !== 'boundary' && step.incoming.length === 0) note(9005, step.id)
    if (id !== 'end' && step.outgoing.length === 0) note(9006, step.id)
    for (const [i, row] of rowsOf(step.element, 'resources').entries()) {
      if (typeof row['container'] !== 'string') note(9024, step.id, `resources/${i}/container`)
      const amount = checking.constant(step, `resources/${i}/amount`)
      if (cellText(row, 'amount').trim() === '' || (amount !== null && amount < 0)) note(9025, step.id, `resources/${i}/amount`)
    }
    stepKinds.get(id)?.check?.(step, checking)
  }
  warnUnreachable(checking, process, starts)
  for (const join of impossibleJoins(process)) note(10046, join.id, undefined, [], 'warning')
}

function warnUnreachable(checking: Checking, process: ProcessPart, starts: readonly StepPart[]): void {
  const reached = new Set<StepPart>()
  const visit = (first: StepPart): void => {
    const stack = [first]
    for (let step = stack.pop(); step; step = stack.pop()) {
      if (reached.has(step)) continue
      reached.add(step)
      stack.push(...step.boundaries, ...step.outgoing.map(flow => flow.to))
    }
  }
  for (const start of starts) visit(start)
  for (const step of process.steps) if (!reached.has(step) && step.incoming.length > 0) checking.note(8007, step.id)
}

function checkScenario(checking: Checking): void {
  const { processes, scenario } = checking.parts
  const { warmUp, totalTicks } = scenario.fields
  if (typeof warmUp === 'number' && typeof totalTicks === 'number' && warmUp > 0 && warmUp >= totalTicks)
    checking.say(nothingMeasured(scenario.id))
  const outer = processes.filter(process => !process.holder)
  // An empty canvas has only not been begun.
  if (scenario.children.length > 0 && !outer.some(isActive))
    checking.note(8004, scenario.id, undefined, [], outer.length > 0 ? 'error' : 'warning')
}

function checkViews(checking: Checking): void {
  const { parts, note } = checking
  for (const statistic of parts.statistics) {
    const counts = statistic.over !== null && statistic.element.fields['aggregate'] === 'count'
    if (!counts && textOf(statistic.element, 'expression').trim() === '') note(9030, statistic.id, 'expression')
  }
  for (const chart of parts.charts) {
    const series = rowsOf(chart, 'series')
    // What only shows, or sets nothing yet, keeps no model from running.
    if (series.length === 0) note(9030, chart.id, 'series', [], 'warning')
    for (const [i, row] of series.entries())
      if (cellText(row, 'value').trim() === '') note(9030, chart.id, `series/${i}/value`, [], 'warning')
  }
  for (const controller of parts.controllers) {
    const button = controller.fields['type'] === 'button'
    const field = button ? 'process' : 'target'
    const what = button ? say('choose the process this button starts') : say('choose the variable this control sets')
    if (typeof controller.fields[field] !== 'string') note(9031, controller.id, field, [what], 'warning')
  }
  for (const test of parts.tests) checkTest(checking, test)
  for (const element of childrenOf(parts.model, parts.scenario)) {
    if (element.kind === 'network') {
      const fault = describe(element.fields)
      if ('field' in fault) note(9032, element.id, fault.field, [fault])
    }
  }
  checkChains(checking)
}
