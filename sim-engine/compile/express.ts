// Which steps are plain enough for the express lane (run/express.ts): they do nothing but ask one container for a number of
// units, let time pass, give the units back, or end. All others, and plain ones on a way back, are left to the process
// functions, so a token may change between the two at any step.
import { stepKey } from '../check/keys.ts'
import type { ContainerPart, FlowPart, ProcessPart, StepPart } from '../check/parts.ts'
import { rowsOf, textOf } from '../check/resolve.ts'
import { plain, soughtFrom } from '../run/plain.ts'
import type { ExpressPlan } from '../run/express.ts'
import { componentOf, isWritten } from './emitter.ts'
import type { Emitter, Surroundings } from './emitter.ts'
import { isTicked, pc, placeOf, stepOrder } from './process.ts'

/** Library functions that do nothing but calculate or draw. */
const harmless = new Set(
  'random uniform randint normal lognormal exponential triangular gamma erlang beta weibull pareto poisson min max abs round floor ceil sqrt exp log'.split(
    ' ',
  ),
)

/** Conditions on the way. */
const mostSought = 200

/** The plan, and the functions it counts on; null when there is nothing plain. */
export function emitExpress(emitter: Emitter, rows: ReadonlySet<number>): { plan: ExpressPlan; js: string } | null {
  const { parts } = emitter.checked
  const size = parts.steps.length * 8
  const plan = {
    codes: new Uint8Array(size),
    behind: new Uint8Array(size),
    next: new Int32Array(size),
    which: new Int32Array(size),
    amounts: new Int32Array(size),
    starts: new Uint8Array(parts.processes.length),
    containers: [] as number[],
    looks: false,
  }
  const durations: string[] = []
  const drawn: string[] = []
  const sought: string[] = []
  const set = (at: number, code: number, next: number, which = 0, amount = 0): void => {
    plan.codes[at] = code
    plan.next[at] = next
    plan.which[at] = which
    plan.amounts[at] = amount
  }
  const stock = (container: ContainerPart): number => {
    const known = plan.containers.indexOf(container.index)
    return known >= 0 ? known : plan.containers.push(container.index) - 1
  }
  const processes = parts.processes.filter(process => !rows.has(process.index) && process.level !== 'individual')
  for (const process of processes) {
    const order = stepOrder(process)
    const position = new Map(order.map((step, at) => [step, at]))
    const limited = emitter.has(`q${process.index}/concurrency`)
    for (const step of order) {
      const onward = wayOut(step)
      const next = onward && position.get(onward.to)! > position.get(step)! ? pc(onward.to) : -1
      if (step.boundaries.length > 0 || emitter.checked.scopes.outputs.has(step)) continue
      if (step.kind.id === 'end') {
        if ((step.element.fields['result'] ?? 'none') === 'none' && !limited && !process.holder) set(pc(step), plain.end, -1)
        seek(process, step)
        continue
      }
      if (next < 0 || (step.kind.id !== 'start' && isWritten(step, 'before')) || (step.kind.id !== 'start' && isWritten(step, 'after')))
        continue
      if (step.kind.id === 'start') set(pc(step), plain.pass, next)
      else if (step.kind.id === 'delay') emitDelay(process, step, next)
      else if (step.kind.id === 'operate') emitOperation(step, next)
      seek(process, step)
    }
    if (isPlainStart(emitter, process, limited)) plan.starts[process.index] = 1
  }
  if (!plan.codes.some(code => code > plain.pass)) return null
  // Where a token only passes, it does what comes next.
  for (let at = 0; at < size; at++) {
    if (plan.codes[at] !== plain.pass) continue
    let to = plan.next[at]!
    while (plan.codes[to] === plain.pass) to = plan.next[to]!
    set(at, plan.codes[to]!, plan.next[to]!, plan.which[to], plan.amounts[to])
    plan.behind[at] = plan.behind[to]!
  }
  const plainly = (js: (process: ProcessPart) => string): string =>
    parts.processes.map(process => (plan.starts[process.index] === 1 ? js(process) : 'null')).join(',')
  const arrivals = `[${plainly(process => arrivalJs(emitter, process))}],arrivalsDrawn:[${plainly(process => arrivalDrawingJs(emitter, process))}]`
  const js = `const Z=K.gap;\nconst express={durations:[${durations.join(',')}],drawn:[${drawn.join(',')}],arrivals:${arrivals},fired,sought:[${sought.join(',')}]};`
  return { plan, js }

  /** Where a step is sought, its condition is asked for on the way, if that only calculates. */
  function seek(process: ProcessPart, step: StepPart): void {
    const condition = emitter.sought?.steps.get(step.index)
    if (condition === undefined) return
    const at = pc(step)
    const code = plan.codes[at]!
    plan.codes[at] = plain.other
    if (code <= plain.pass || !condition || sought.length > mostSought) return
    const { functions, calls } = condition
    const js = emitter.found(condition, around(process, step))
    if (
      functions.length > 0 ||
      !calls.every(name => harmless.has(name)) ||
      !isCalculation(js.replaceAll(/\bW\.time\b|\bX\.found\(\);/g, ''))
    )
      return
    plan.codes[at] = soughtFrom + sought.push(`function(t){${js}}`) - 1
    plan.behind[at] = code
    plan.looks ||= /\bT_/.test(js)
  }

  function emitDelay(process: ProcessPart, step: StepPart, next: number): void {
    const wants = rowsOf(step.element, 'resources')
    const held = wants.length === 1 && !isWritten(step, 'priority') ? heldBy(emitter, process, step, 'resources') : null
    if ((wants.length > 0 && !held) || !isHarmless(emitter, process, step, 'duration')) return
    const gap = gapJs(emitter, process, step, 'duration')
    durations.push(`function(t){${gap}${emitter.mark(step.id, 'duration')}}`)
    plan.looks ||= /\bT_/.test(gap)
    drawn.push(drawingJs(emitter, process, step, 'duration'))
    if (held) {
      set(pc(step), plain.request, pc(step, 1), stock(held.container), held.amount)
      set(pc(step, 3), plain.release, next, stock(held.container), held.amount)
    } else set(pc(step, 3), plain.pass, next)
    set(pc(step, held ? 1 : 0), plain.delay, pc(step, 3), durations.length - 1)
  }

  function emitOperation(step: StepPart, next: number): void {
    const { operation, otherwise, preempt } = step.element.fields
    if ((operation !== 'request' && operation !== 'release') || rowsOf(step.element, 'items').length !== 1) return
    if (['duration', 'priority', 'timeout', 'giveUpWhen'].some(field => isWritten(step, field))) return
    if (rowsOf(step.element, 'resources').length > 0) return
    const held = heldBy(emitter, step.process, step, 'items')
    if (!held) return
    if (operation === 'release') set(pc(step), plain.release, next, stock(held.container), held.amount)
    else if ((otherwise ?? '') === '' || otherwise === 'wait') {
      if (preempt === 'resume' || preempt === 'restart') return
      set(pc(step), plain.request, pc(step, 2), stock(held.container), held.amount)
      set(pc(step, 2), plain.pass, next)
    }
  }
}

const around = (process: ProcessPart, step: StepPart): Surroundings => ({
  self: '-1',
  stream: componentOf(process, step.id),
  captured: ['t'],
})

/** Leaves the value of a formula in `Z[0]`; where `drawingJs` has it drawn, the mean. */
function gapJs(emitter: Emitter, process: ProcessPart, step: StepPart, field: string): string {
  const js = emitter.value(stepKey(step, field), around(process, step))
  const draw = exponentialOf(js)
  if (!draw) return `Z[0]=${js};`
  return `at=${draw.mark};{const m=${draw.mean};if(m>=0)Z[0]=m;else F.exponential(${draw.stream},m,${draw.place});}`
}

/** A `Drawing` of the usual time span, one from an exponential distribution; `null` for others. */
function drawingJs(emitter: Emitter, process: ProcessPart, step: StepPart, field: string, limit = Infinity): string {
  const draw = exponentialOf(emitter.value(stepKey(step, field), around(process, step)))
  if (!draw) return 'null'
  return `[${draw.stream},${/^[\d.e+\-*/ ()]+$/.test(draw.mean) ? draw.mean : 'NaN'},${draw.mark},${limit}]`
}

/** Its mean is without calls, so nothing else is drawn from the stream. */
function exponentialOf(js: string): { mark: string; stream: string; mean: string; place: string } | null {
  const found = /^\(at=(\d+),F\.exponential\((r\d+), ([^(),]+|\([^(),]+\)), (\d+, \d+)\)\)$/.exec(js)
  const [, mark = '', stream = '', mean = '', place = ''] = found ?? []
  return found && { mark, stream, mean, place }
}

/** The only flow out of a step; null where there are others, or where one must know by which a token came. */
function wayOut(step: StepPart): FlowPart | null {
  const [only, second] = step.outgoing
  if (!only || second) return null
  const { type } = only.to.element.fields
  return only.to.incoming.length > 1 && (type === 'parallel' || type === 'inclusive') ? null : only
}

/** A whole number of units of one container that exists once. */
function heldBy(
  emitter: Emitter,
  process: ProcessPart,
  step: StepPart,
  field: 'items' | 'resources',
): { container: ContainerPart; amount: number } | null {
  const key = `${field}/0/amount`
  const [row] = rowsOf(step.element, field)
  if (!row || (typeof row['key'] === 'string' && row['key'] !== '')) return null
  const { containers } = emitter.checked.parts
  let container: ContainerPart | undefined
  if (field === 'items') {
    const js = emitter.value(stepKey(step, 'items/0/container'), around(process, step))
    container = containers.find(one => `C${one.index}` === js)
  } else {
    const found = containers.filter(one => one.id === row['container'])
    container = found.find(one => one.entity === process.entity) ?? found[0]
  }
  const blank = field === 'items' && step.element.fields['operation'] === 'release' && row['amount'] === ''
  const amount = blank ? -1 : emitter.constant(stepKey(step, key))
  if (!container || container.level === 'individual' || amount === null || !Number.isInteger(amount) || Math.abs(amount) > 1e6) return null
  if (amount < 0 && !blank) return null
  const { contents, reusable } = container.element.fields
  return contents === 'amount' && reusable === true ? { container, amount } : null
}

/** A number that is calculated straight on: without loops, which take fuel, and without looking at who or what there is. */
function isHarmless(emitter: Emitter, process: ProcessPart, step: StepPart, field: string): boolean {
  const key = stepKey(step, field)
  const formula = emitter.formula(key)
  if (!formula || emitter.typeOf(key).is !== 'number') return false
  const { functions, calls, mayCreate } = formula.inferred
  if (functions.length > 0 || mayCreate || !calls.every(name => harmless.has(name))) return false
  return isCalculation(emitter.value(key, around(process, step)))
}

const isCalculation = (js: string): boolean => !/\bW\.|\bX\.|fuel|=>|\bfor\b|\bwhile\b|\b[PRLS]\d/.test(js)

/** One token of nobody each time, after a time span that is a number. */
function isPlainStart(emitter: Emitter, process: ProcessPart, limited: boolean): boolean {
  const { start } = process
  if (
    !start ||
    limited ||
    emitter.sought?.steps.has(start.index) ||
    process.holder ||
    process.temporaries.length > 0 ||
    process.steps.some(step => emitter.checked.scopes.outputs.has(step)) ||
    start.element.fields['trigger'] !== 'timer'
  )
    return false
  if (isTicked(process, placeOf(emitter, process)) || textOf(start.element, 'times').trim() !== '') return false
  if (isWritten(start, 'count') && emitter.constant(stepKey(start, 'count')) !== 1) return false
  if (isWritten(start, 'maximum') && emitter.typeOf(stepKey(start, 'maximum')).is !== 'number') return false
  const plainly = (field: string): boolean => isHarmless(emitter, process, start, field)
  return plainly('every') && (!isWritten(start, 'maximum') || plainly('maximum'))
}

/** What `timer…` of compile/starts.ts does before its token begins. */
function arrivalJs(emitter: Emitter, process: ProcessPart): string {
  const start = process.start!
  const value = (field: string): string => emitter.value(stepKey(start, field), around(process, start))
  const limit = isWritten(start, 'maximum') ? `if(fired[${process.index}]>=${value('maximum')})return false;++fired[${process.index}];` : ''
  const gap = limitOf(emitter, start) === null ? `Z[0]=${value('every')};` : gapJs(emitter, process, start, 'every')
  return `function(){${limit}${emitter.mark(start.id, 'every')}${gap}return true;}`
}

/** None where the limit is calculated: that may draw from the same stream. */
function arrivalDrawingJs(emitter: Emitter, process: ProcessPart): string {
  const limit = limitOf(emitter, process.start!)
  return limit === null ? 'null' : drawingJs(emitter, process, process.start!, 'every', limit)
}

/** How often a timer start goes off at most; null when that is more than a number. */
const limitOf = (emitter: Emitter, start: StepPart): number | null =>
  isWritten(start, 'maximum') ? emitter.constant(stepKey(start, 'maximum')) : Infinity
