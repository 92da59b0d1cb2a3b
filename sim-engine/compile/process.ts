// A process as one function. Token mode: `q7(t)` runs a token from its position until it waits or ends. Row mode, for
// processes that never wait and need no tokens: `q7(self, i)` is one activation of one individual, straight through.
import { stepKey } from '../check/names/keys.ts'
import type { ContainerPart, EntityPart, FlowPart, ProcessPart, StepPart, VariablePart } from '../check/parts.ts'
import { containerJs } from '../check/scopes.ts'
import type { FormulaOptions, Place, StepWriter } from '../steps/step.ts'
import { stepKinds } from '../steps/table.ts'
import { componentOf, isWritten } from './emitter.ts'
import type { Debug, Emitter, Surroundings } from './emitter.ts'

/** `body`: a row's own statements if they may be inlined into the loop over its population; null if not. */
type ProcessCode = { row: boolean; js: string; body: string | null }

/** Longer bodies than these characters stay functions: V8 optimises what is very long late or never. */
const maxBodyLength = 6000

/** Steps in an order in which, where the graph allows, every flow leads forward. */
export function stepOrder(process: ProcessPart): StepPart[] {
  const order: StepPart[] = []
  const seen = new Set<StepPart>()
  const visit = (first: StepPart): void => {
    const stack: { step: StepPart; next: StepPart[] }[] = []
    const enter = (step: StepPart): void => {
      seen.add(step)
      stack.push({ step, next: [...step.outgoing.map(flow => flow.to), ...step.boundaries] })
    }
    enter(first)
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!
      const to = top.next.pop()
      if (!to) {
        order.push(top.step)
        stack.pop()
      } else if (!seen.has(to)) enter(to)
    }
  }
  if (process.start) visit(process.start)
  for (const step of process.steps) if (!seen.has(step) && step.kind.id === 'boundary') visit(step)
  return order.reverse()
}

/** Whether a process can run without tokens: started by every tick, never waiting, one path at a time. */
function isRow(process: ProcessPart, place: Place): boolean {
  if (process.holder || !process.start || isWritten2(process, 'concurrency')) return false
  if (!isTicked(process, place)) return false
  return stepOrder(process).every(step => {
    if (step.boundaries.length > 0 || step.kind.id === 'boundary' || place.emitter.checked.scopes.outputs.has(step)) return false
    if (step.kind.id !== 'gateway' && step.outgoing.length > 1) return false
    return !stepKinds.get(step.kind.id)?.needsToken(step, place)
  })
}

const isWritten2 = (process: ProcessPart, field: string): boolean => {
  const value = process.element.fields[field]
  return typeof value === 'string' ? value.trim() !== '' : typeof value === 'number'
}

/** Started by the tick itself, in phase 3: a timer start at every 1 with nothing else said, in a ticking model. */
export function isTicked(process: ProcessPart, place: Place): boolean {
  const { start } = process
  if (!start || process.holder || start.element.fields['trigger'] !== 'timer') return false
  if (place.emitter.checked.parts.scenario.fields['ticking'] === false) return false
  if (isWritten(start, 'first') || isWritten(start, 'times') || isWritten(start, 'maximum')) return false
  return place.constant(start, 'every') === 1 && (place.constant(start, 'count') ?? 1) === 1
}

export function placeOf(emitter: Emitter, process: ProcessPart): Place {
  return { emitter, process, key: stepKey, written: isWritten, constant: (step, field) => emitter.constant(stepKey(step, field)) }
}

/** Emits one process. A debug build has a call before each step, for traces and breakpoints; a metered one says where time goes. */
export function emitProcess(emitter: Emitter, process: ProcessPart): ProcessCode {
  const place = placeOf(emitter, process)
  const order = stepOrder(process)
  const position = new Map(order.map((step, at) => [step, at]))
  const row = isRow(process, place)
  const cyclic = order.some(step => step.outgoing.some(flow => (position.get(flow.to) ?? 0) <= position.get(step)!))
  const straight = row && !cyclic
  let lines: string[] = []
  let here = 0
  const targets = new Set<number>()
  const jump = (flow: FlowPart): string => {
    const { to } = flow
    const at = position.get(to) ?? 0
    if (straight) {
      targets.add(to.index)
      return `break J${to.index};`
    }
    return `${at <= here ? `if(--K.fuel<0){${emitter.mark(to.id, 'name')}K.exhausted();}` : ''}${joins(to) ? `T_flow[t]=${to.incoming.indexOf(flow)};` : ''}pc=${pc(to)};continue flow;`
  }
  const individual = process.level === 'individual'
  const around = (step: StepPart, options: FormulaOptions = {}): Surroundings => ({
    self: options.self ?? (individual ? 'self' : '-1'),
    stream: componentOf(process, step.id),
    captured: [...(individual ? ['self'] : []), ...(row ? [] : ['t']), ...(options.self && options.self !== 'self' ? [options.self] : [])],
  })
  const out: StepWriter = {
    ...place,
    row,
    line: js => lines.push(js),
    fresh: prefix => emitter.fresh(prefix),
    value: (step, field, options) => emitter.value(stepKey(step, field), around(step, options)),
    stored: (step, field, variable) => emitter.stored(variable, stepKey(step, field), around(step), 'null'),
    statements: (step, field, options) =>
      emitter.statements(stepKey(step, field), { ...around(step, options), token: row ? '-1' : 't', step: step.index }),
    typeOf: (step, field) => emitter.typeOf(stepKey(step, field)),
    leave(step) {
      const [only, second] = step.outgoing
      if (only && !second) lines.push(jump(only))
      else if (only)
        lines.push(
          `K.fork(t,[${step.outgoing.map(flow => pc(flow.to)).join(',')}],${process.index},[${step.outgoing.map(flow => flow.to.incoming.indexOf(flow)).join(',')}]);return;`,
        )
      else out.end()
    },
    take: flow => lines.push(jump(flow)),
    end: () => lines.push(row ? 'break row;' : 'K.finish(t);return;'),
    wait: (step, entry) => lines.push(`T_pc[t]=${pc(step, entry)};return;`),
    entry: (step, entry) => lines.push(`case ${pc(step, entry)}:`),
    survive() {
      if (row) {
        if (individual && process.entity?.kind !== 'cell') lines.push(`if(p${process.entity?.index}_h[i]!==self)break row;`)
      } else lines.push('if(T_pc[t]<0)return;')
    },
    stream: id => emitter.stream(componentOf(process, id)),
    population: (entity: EntityPart) => `P${entity.index}`,
    container: (container: ContainerPart) => containerJs(container, individual ? 'self' : '0'),
    column: (variable: VariablePart) => `tc${variable.index}`,
    pc,
  }
  const hookJs = (step: StepPart, { conditions }: Debug): string => {
    const locals =
      row && process.temporaries.length > 0
        ? `()=>[${process.temporaries.map(({ index, storage }) => (storage === 'word' ? `words[tc${index}[t]]` : `tc${index}[t]`)).join(',')}]`
        : 'null'
    const condition = conditions.get(step.index)
    const watches = emitter.watches(step.index, ({ inferred }) => emitter.look(inferred, around(step)))
    return `X.step(${row ? -1 : 't'},${step.index},${individual ? 'self' : -1},${locals},${condition ? `()=>${emitter.look(condition, around(step))}` : 'null'},${watches});`
  }
  const bodyOf = (step: StepPart, at: number): string => {
    here = at
    lines = []
    const { debug, sought } = emitter
    if (debug) lines.push(hookJs(step, debug))
    for (const handle of emitter.individualsSought(process)) lines.push(`if(self===${handle})X.found();`)
    const condition = sought?.steps.get(step.index)
    if (condition !== undefined) lines.push(emitter.found(condition, around(step)))
    if (emitter.metered) lines.push(`X.meterStep(${step.index});`)
    stepKinds.get(step.kind.id)?.emit(step, out)
    return lines.join('\n')
  }
  const write = (): string => {
    const bodies = order.map(bodyOf)
    return straight ? straightLine(order, bodies, targets) : switched(order, bodies, row, process)
  }
  const js = row ? write() : emitter.betweenTicks(write)
  if (!row) return { row, js: functionText(process, emitter.metered ? meteredJs(emitter, process, js, row) : js), body: null }
  const body = rowText(process, js)
  // Hooks report functions on the stack, and time is counted for functions.
  const isLoose = individual && !emitter.debug && !emitter.metered && body.length <= maxBodyLength && !/\breturn\b/.test(body)
  if (isLoose) return { row, js: '', body }
  return {
    row,
    js: `function q${process.index}(${individual ? 'self,i' : ''}){${emitter.metered ? meteredJs(emitter, process, body, row) : body}}`,
    body: null,
  }
}

/** Counts the time of one activation, however it ends. A token continues in its step. */
const meteredJs = (emitter: Emitter, process: ProcessPart, js: string, row: boolean): string =>
  `const z=X.meter(${emitter.checked.parts.steps.length + process.index});try{${row ? '' : 'X.meterStep(T_pc[t]>>3);'}${js}}finally{X.meteredTo(z);}`

/** A token that comes here must be known by its flow. */
const joins = (step: StepPart): boolean =>
  step.incoming.length > 1 && ['parallel', 'inclusive', 'mofn'].some(type => step.element.fields['type'] === type)

export const pc = (step: StepPart, entry = 0): number => step.index * 8 + entry

/** Steps one after another; a jump forward leaves the blocks that end before its target. */
function straightLine(order: readonly StepPart[], bodies: readonly string[], targets: ReadonlySet<number>): string {
  const parts: string[] = []
  order.forEach((step, at) => {
    const next = order[at + 1]
    let body = bodies[at]!
    const fall = `break J${next?.index};`
    if (next && body.endsWith(fall)) body = body.slice(0, -fall.length)
    parts.push(body)
  })
  // A label is opened only if something but falling through leads to it.
  const used = order.filter(step => targets.has(step.index) && parts.some(part => part.includes(`break J${step.index};`)))
  const opened = used
    .map(step => `J${step.index}:{`)
    .reverse()
    .join('')
  const text = order.map((step, at) => `${used.includes(step) ? '}' : ''}${parts[at]!}`).join('\n')
  return `${opened}${text}`
}

function switched(order: readonly StepPart[], bodies: readonly string[], row: boolean, process: ProcessPart): string {
  const cases = order.map((step, at) => {
    const next = order[at + 1]
    const fall = `pc=${next ? pc(next) : ''};continue flow;`
    let body = bodies[at]!
    if (next && body.endsWith(fall)) body = body.slice(0, -fall.length)
    return `case ${pc(step)}:\n${body}`
  })
  const from = row && process.start ? `let pc=${pc(process.start)};` : ''
  return `${from}flow:for(;;)switch(pc){\n${cases.join('\n')}\ndefault:${row ? 'break row' : 'return'};}`
}

/** One activation: `self` and `i` are known around it. */
function rowText(process: ProcessPart, body: string): string {
  return `row:{${locals(process, process.level === 'individual' ? slotted(process, body) : body)}}`
}

const slotted = ({ entity }: ProcessPart, body: string): string =>
  entity?.kind === 'cell' ? body : body.replaceAll(/\bself&16777215\b/g, 'i')

function functionText(process: ProcessPart, body: string): string {
  const { entity } = process
  if (process.level !== 'individual' || !entity) return `function q${process.index}(t,pc=T_pc[t]){${body}}`
  const needs = entity.kind === 'cell' ? 'const self=T_owner[t],i=self;' : 'const self=T_owner[t],i=self&16777215;'
  return `function q${process.index}(t,pc=T_pc[t]){${needs}${slotted(process, body)}}`
}

/** Row mode: temporaries are locals. */
function locals(process: ProcessPart, body: string): string {
  let text = body
  const declared: string[] = []
  for (const variable of process.temporaries) {
    const name = `tv${variable.index}`
    text = text.replaceAll(`tc${variable.index}[t]`, name)
    declared.push(name)
  }
  return declared.length > 0 ? `let ${declared.join(',')};${initialsOf(process)}${text}` : text
}

/** Filled by the program's emitter, which knows the initial values. */
const initials = new WeakMap<ProcessPart, string>()
const initialsOf = (process: ProcessPart): string => initials.get(process) ?? ''
export const setInitials = (process: ProcessPart, js: string): void => void initials.set(process, js)
