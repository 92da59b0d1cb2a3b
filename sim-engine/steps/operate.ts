// Container operation: request and release of reusable units; take, put, transfer and convert of amounts; set and capacity.
// Several rows are one all-or-nothing request, or alternatives tried in written order.
import { rowsOf } from '../check/resolve.ts'
import type { StepPart } from '../check/parts.ts'
import { closeActivity, emitActivity, needsTokenToLast } from './activity.ts'
import type { Type } from '../formula.ts'
import type { StepKind, StepWriter } from './step.ts'

const operations = ['request', 'release', 'take', 'put', 'transfer', 'convert', 'set', 'capacity'] as const

export const operate: StepKind = {
  kind: 'operate',
  check(step, { note, written, typeOf, constant, parts }) {
    const operation = step.element.fields['operation']
    const rows = rowsOf(step.element, 'items')
    if (rows.length === 0) note(9024, step.id, 'items')
    const isContainer = (field: string): boolean => {
      const type = typeOf(step, field)
      return type?.is === 'any' || (type?.is === 'element' && parts.containers.some(container => container.id === type.of))
    }
    const row = (field: string, i: number): void => {
      const container = `${field}/${i}/container`
      if (!isContainer(container)) {
        note(9024, step.id, container)
        return
      }
      const type = typeOf(step, container)
      const target = type?.is === 'element' ? parts.containers.find(one => one.id === type.of) : undefined
      const amount = constant(step, `${field}/${i}/amount`)
      const blank = typeOf(step, `${field}/${i}/amount`) === undefined
      if ((blank && operation !== 'release') || (amount !== null && amount < 0 && operation !== 'set'))
        note(9025, step.id, `${field}/${i}/amount`)
      const store = target?.element.fields['contents'] === 'items'
      const puts = field === 'outputs' || operation === 'put'
      if (store && puts && !blank && countsOf(typeOf(step, `${field}/${i}/amount`))) note(9025, step.id, `${field}/${i}/amount`)
      const key = rowsOf(step.element, field)[i]?.['key']
      const keyed = target?.element.fields['contents'] === 'keyed'
      if (target && keyed !== (typeof key === 'string' && key !== '')) note(9025, step.id, `${field}/${i}/key`)
      if (target && field === 'items') {
        const reusable = target.element.fields['reusable'] === true
        if ((operation === 'request' || operation === 'release') !== reusable && operation !== 'capacity' && operation !== 'set')
          note(9004, step.id, container)
      }
    }
    rows.forEach((_, i) => row('items', i))
    if (operation === 'convert') rowsOf(step.element, 'outputs').forEach((_, i) => row('outputs', i))
    if (operation === 'transfer' && !isContainer('target')) note(9024, step.id, 'target')
    if (step.element.fields['otherwise'] === 'branch' && !step.outgoing.some(flow => flow.element.fields['default'] === true))
      note(9014, step.id, 'otherwise')
    if (!operations.some(one => one === operation)) note(9025, step.id, 'operation')
    if (written(step, 'timeout') && (constant(step, 'timeout') ?? 0) < 0) note(9018, step.id, 'timeout')
  },
  needsToken(step, place) {
    const { operation, otherwise } = step.element.fields
    if (operation === 'request' || operation === 'release' || operation === 'convert' || operation === 'transfer') return true
    return needsTokenToLast(step, place) || otherwise === 'wait' || place.written(step, 'priority')
  },
  emit(step, out) {
    const branches = step.outgoing.length > 1 && step.outgoing.some(flow => flow.element.fields['default'] === true)
    const short = step.outgoing.find(flow => flow.element.fields['default'] === true)
    // The flow taken when the request was not met is no part of the normal way out.
    const normal: StepPart = branches ? { ...step, outgoing: step.outgoing.filter(flow => flow !== short) } : step
    const told = out.emitter.checked.scopes.outputs.has(step)
    const given = (): void => {
      out.line(`K.containers.got.amount=0;${told ? `to${step.index}[t]=null;` : ''}`)
      closeActivity(step, out)
      if (short) out.take(short)
      else out.leave(step)
    }
    emitActivity(normal, out, () => emitOperation(step, out, given))
  },
}

function emitOperation(step: StepPart, out: StepWriter, given: () => void): void {
  const { operation, alternatives, preempt } = step.element.fields
  const otherwise = JSON.stringify(otherwiseOf(step))
  const holder = out.row ? '-1' : 'T_holder[t]'
  const rows = rowsOf(step.element, 'items')
  const container = (field: string, k: number): string => out.value(step, `${field}/${k}/container`)
  const amount = (field: string, k: number): string =>
    rowsOf(step.element, field)[k]?.['amount'] === '' ? 'null' : out.value(step, `${field}/${k}/amount`)
  const key = (field: string, k: number): string => {
    const value = rowsOf(step.element, field)[k]?.['key']
    return JSON.stringify(typeof value === 'string' && value !== '' ? value : null)
  }
  const told = out.emitter.checked.scopes.outputs.has(step)
  const priority = out.row ? '0' : out.written(step, 'priority') ? out.value(step, 'priority') : '0'
  out.line(out.emitter.mark(step.id, 'items'))
  if (operation === 'release')
    out.line(
      rows.map((_, k) => `K.containers.release(${container('items', k)},${holder},${amount('items', k)},${key('items', k)});`).join(''),
    )
  else if (operation === 'set')
    out.line(rows.map((_, k) => `K.containers.setLevel(${container('items', k)},${amount('items', k)},${key('items', k)});`).join(''))
  else if (operation === 'capacity')
    out.line(rows.map((_, k) => `K.containers.setCapacity(${container('items', k)},${amount('items', k)},${key('items', k)});`).join(''))
  else {
    const outcome = out.fresh('outcome')
    const goods = (field: string, k: number): boolean => !countsOf(out.typeOf(step, `${field}/${k}/amount`))
    const quantity = (field: string, k: number): string => {
      if (!goods(field, k)) return `amount:${amount(field, k)}`
      const type = out.typeOf(step, `${field}/${k}/amount`)
      const population = type.is === 'entity' ? out.emitter.checked.scopes.entity(type.of) : undefined
      return `...X.goods(${population ? `P${population.index}` : 'null'},${amount(field, k)})`
    }
    const want = (does: string, field: string, k: number): string =>
      `{does:'${does}',container:${container(field, k)},${quantity(field, k)},key:${key(field, k)}}`
    let known = false
    const single = rows.length === 1 && !goods('items', 0) && preempt !== 'resume' && preempt !== 'restart'
    let js: string
    if (operation === 'transfer')
      js = `K.containers.transfer(${container('items', 0)},${out.value(step, 'target')},${holder},${amount('items', 0)},${key('items', 0)},${priority},${otherwise})`
    else if (single && operation === 'request' && key('items', 0) === 'null') {
      let units = amount('items', 0)
      // A token that waits gets all it asked for.
      if (told && otherwiseOf(step) === 'wait') {
        known = true
        out.line(`to${step.index}[t]=${units};`)
        units = `to${step.index}[t]`
      }
      js = `K.containers.hold(${container('items', 0)},${holder},${units},${priority},${otherwise})`
    } else if (single && (operation === 'take' || operation === 'put'))
      js = `K.containers.${operation}(${container('items', 0)},${holder},${amount('items', 0)},${key('items', 0)},${priority},${otherwise})`
    else {
      const does = operation === 'request' ? 'hold' : operation === 'put' ? 'put' : 'take'
      const wants = rows.map((_, k) => want(does, 'items', k))
      if (operation === 'convert') wants.push(...rowsOf(step.element, 'outputs').map((_, k) => want('put', 'outputs', k)))
      const sets = alternatives === true ? wants.map(one => `[${one}]`) : [`[${wants.join(',')}]`]
      js = `K.containers.request(${holder},[${sets.join(',')}],${priority},${otherwise},${JSON.stringify(preempt ?? 'none')})`
    }
    out.line(`const ${outcome}=${js};`)
    if (otherwiseOf(step) === 'branch') {
      out.line(`if(${outcome}==='short'){`)
      given()
      out.line('}')
    }
    if (otherwiseOf(step) === 'wait') emitWait(step, out, outcome, given)
    if (told && !known) out.line(`to${step.index}[t]=K.gotten(t,${step.index});`)
  }
}

/** Waits for the grant; gives up at the time-out or when the condition becomes true. */
function emitWait(step: StepPart, out: StepWriter, outcome: string, given: () => void): void {
  const patience = out.written(step, 'timeout')
  const condition = out.written(step, 'giveUpWhen')
  out.line(
    `if(${outcome}==='waiting'){K.awaitGrant(t,${out.pc(step, 2)});${patience ? `X.expireAfter(t,${out.value(step, 'timeout')},${out.pc(step, 4)});` : ''}${condition ? `K.watches.condition(t,${step.index},'giveUp');` : ''}return;}`,
  )
  if (patience || condition) {
    out.line(`pc=${out.pc(step, 5)};continue flow;`)
    out.entry(step, 4)
    out.line('K.forget(t);')
    given()
    out.entry(step, 2)
    out.line('K.forget(t);')
    out.entry(step, 5)
  } else out.entry(step, 2)
}

/** Whether an amount is a number; else it is what goes in or out of a store of items. */
const countsOf = (type: Type | undefined): boolean =>
  type === undefined || type.is === 'number' || type.is === 'bool' || type.is === 'never'

/** Requests wait by default; all else fails. */
function otherwiseOf(step: StepPart): string {
  const { otherwise, operation } = step.element.fields
  if (typeof otherwise === 'string' && otherwise !== '') return otherwise
  return operation === 'request' ? 'wait' : 'fail'
}
