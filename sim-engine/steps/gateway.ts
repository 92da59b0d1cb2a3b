// Gateways. Splits: exclusive (first branch that satisfies, or by weight), inclusive, parallel, event-based, token filter.
// Joins by BPMN's rules: see run/tokens/joins.ts. A gateway with several flows in and out joins first, then splits.
import type { FlowPart, StepPart } from '../check/parts.ts'
import { flowKey } from '../check/names/keys.ts'
import { constantOf } from '../check/checking.ts'
import type { Checking } from '../check/checking.ts'
import { textOf } from '../check/resolve.ts'
import { componentOf } from '../compile/emitter.ts'
import { messageJs, receiverJs } from './activity.ts'
import type { StepKind, StepWriter } from './step.ts'

export const gateway: StepKind = {
  kind: 'gateway',
  check(step, checking) {
    const { note, written } = checking
    const { type } = step.element.fields
    const splits = step.outgoing.length > 1
    if (step.incoming.length < 2 && !splits && !collects(step)) note(9013, step.id)
    if (splits && (type === 'exclusive' || type === 'inclusive')) checkBranches(step, checking)
    if (type === 'event') {
      for (const { to } of step.outgoing) {
        const { trigger } = to.element.fields
        if (to.kind.id !== 'intermediate' || trigger === 'send' || trigger === 'throwSignal') note(9017, to.id)
      }
    }
    if (type === 'mofn' && !written(step, 'needed')) note(8001, step.id, 'needed')
  },
  needsToken: step => step.element.fields['type'] !== 'exclusive' || collects(step),
  emit(step, out) {
    const { type } = step.element.fields
    if (out.written(step, 'before')) out.line(out.statements(step, 'before'))
    if (collects(step)) {
      out.line(`T_pc[t]=${out.pc(step, 6)};X.collect(t,${step.index});return;`)
      out.entry(step, 1)
    } else if (type === 'synchronizing') {
      out.line(`if(!K.synchronize(t,${step.index}))return;`)
      out.entry(step, 1)
    } else if (type === 'mofn' && step.incoming.length > 1) {
      out.line(`K.joins.some(t,${step.index},T_flow[t],${out.value(step, 'needed')},${step.incoming.length});return;`)
      out.entry(step, 1)
    } else if ((type === 'parallel' || type === 'inclusive') && step.incoming.length > 1) {
      // The step before records in `T_flow` the flow on which a token comes here.
      out.line(`K.joins.${type}(t,${step.index},T_flow[t],${step.incoming.length});return;`)
      out.entry(step, 1)
    }
    if (type === 'event') emitEvents(step, out)
    else if (step.outgoing.length < 2) {
      after(step, out)
      out.leave(step)
    } else if (type === 'exclusive') emitExclusive(step, out)
    else if (type === 'inclusive') emitInclusive(step, out)
    else {
      if (out.written(step, 'after'))
        out.line(
          `for(const c of K.fork(t,[${step.outgoing.map(flow => out.pc(flow.to)).join(',')}],${out.process.index}${flowsJs(step.outgoing)}))${afterCall(step, out)};return;`,
        )
      else
        out.line(
          `K.fork(t,[${step.outgoing.map(flow => out.pc(flow.to)).join(',')}],${out.process.index}${flowsJs(step.outgoing)});return;`,
        )
    }
  },
}

export const collects = (step: StepPart): boolean => step.element.fields['type'] === 'exclusive' && step.element.fields['by'] === 'filter'
const isDefault = (flow: FlowPart): boolean => flow.element.fields['default'] === true

function checkBranches(step: StepPart, { note, formulas }: Checking): void {
  const byWeight = step.element.fields['type'] === 'exclusive' && step.element.fields['by'] === 'probability'
  const defaults = step.outgoing.filter(isDefault)
  for (const flow of defaults.slice(1)) note(9015, flow.id, 'default')
  let sum = 0
  let constant = byWeight
  for (const flow of step.outgoing) {
    const field = byWeight ? 'weight' : 'condition'
    if (!isDefault(flow) && textOf(flow.element, field).trim() === '') note(9014, flow.id, field)
    if (!byWeight) continue
    const weight = constantOf(formulas.get(flowKey(step.process, flow.id, 'weight')))
    if (weight === null) constant = false
    else sum += weight
  }
  // Weights are normalised when they run; that they don't add up to 1 may still be a slip.
  if (constant && defaults.length === 0 && Math.abs(sum - 1) > 1e-9) note(9016, step.id, undefined, [], 'warning')
}

/** Which of its target's incoming flows each flow is: joins ask for it. */
const flowNumber = (flow: FlowPart): number => flow.to.incoming.indexOf(flow)
const flowsJs = (flows: readonly FlowPart[]): string =>
  flows.some(flow => flow.to.kind.id === 'gateway' && flow.to.incoming.length > 1) ? `,[${flows.map(flowNumber).join(',')}]` : ''

function after(step: StepPart, out: StepWriter): void {
  if (out.written(step, 'after')) out.line(out.statements(step, 'after'))
}

/** `after` runs for each outgoing token, with that token's temporaries. */
function afterCall(step: StepPart, out: StepWriter): string {
  const name = `after${step.index}`
  const individual = out.process.level === 'individual'
  out.emitter.declare(
    `function ${name}(t${individual ? ',self' : ''}){${individual && out.process.entity?.kind !== 'cell' ? 'const i=self&16777215;' : individual ? 'const i=self;' : ''}${out.statements(step, 'after')}}`,
  )
  return `${name}(c${individual ? ',self' : ''})`
}

const conditionOf = (flow: FlowPart, out: StepWriter): string =>
  out.emitter.value(flowKey(out.process, flow.id, 'condition'), around(flow, out), 'false')

const around = (flow: FlowPart, out: StepWriter) => {
  const individual = out.process.level === 'individual'
  return {
    self: individual ? 'self' : '-1',
    stream: componentOf(out.process, flow.id),
    captured: [...(individual ? ['self'] : []), ...(out.row ? [] : ['t'])],
  }
}

function emitExclusive(step: StepPart, out: StepWriter): void {
  const otherwise = step.outgoing.find(isDefault)
  const branches = step.outgoing.filter(flow => flow !== otherwise)
  const go = (flow: FlowPart): void => {
    after(step, out)
    out.take(flow)
  }
  if (step.element.fields['by'] === 'probability') {
    const weights = step.outgoing.map(flow => out.emitter.value(flowKey(out.process, flow.id, 'weight'), around(flow, out), '0'))
    const names = weights.map(() => out.fresh('w'))
    const total = out.fresh('total')
    const u = out.fresh('u')
    out.line(
      `${out.emitter.mark(step.id, 'type')}const ${names.map((name, k) => `${name}=X.weight(${weights[k]})`).join(',')},${total}=${names.join('+')};if(!(${total}>0))X.fail(10045);let ${u}=uniform(${out.stream(step.id)})*${total};`,
    )
    step.outgoing.forEach((flow, k) => {
      if (k === step.outgoing.length - 1) go(flow)
      else {
        out.line(`if((${u}-=${names[k]})<0){`)
        go(flow)
        out.line('}')
      }
    })
    return
  }
  for (const flow of branches) {
    out.line(`if(${conditionOf(flow, out)}){`)
    go(flow)
    out.line('}')
  }
  if (otherwise) go(otherwise)
  else out.line(`${out.emitter.mark(step.id, 'type')}X.fail(10044);`)
}

function emitInclusive(step: StepPart, out: StepWriter): void {
  const otherwise = step.outgoing.find(isDefault)
  const to = out.fresh('to')
  const flows = out.fresh('flows')
  out.line(`const ${to}=[],${flows}=[];`)
  for (const flow of step.outgoing)
    if (flow !== otherwise) out.line(`if(${conditionOf(flow, out)}){${to}.push(${out.pc(flow.to)});${flows}.push(${flowNumber(flow)});}`)
  if (otherwise) out.line(`if(${to}.length===0){${to}.push(${out.pc(otherwise.to)});${flows}.push(${flowNumber(otherwise)});}`)
  else out.line(`if(${to}.length===0){${out.emitter.mark(step.id, 'type')}X.fail(10044);}`)
  const fork = `K.fork(t,${to},${out.process.index},${flows})`
  out.line(out.written(step, 'after') ? `for(const c of ${fork})${afterCall(step, out)};return;` : `${fork};return;`)
}

/** The token waits for the first of the events behind the gateway. */
function emitEvents(step: StepPart, out: StepWriter): void {
  out.line(`T_pc[t]=${out.pc(step, 6)};`)
  for (const { to } of step.outgoing) {
    const { trigger } = to.element.fields
    const at = `t,${to.index},'catch'`
    const at2 = `T_pc[t]=${out.pc(to, 2)};K.watches.drop(t);pc=${out.pc(to, 2)};continue flow;`
    if (trigger === 'timer') out.line(`X.watchTimer(${at},${out.value(to, 'delay')});`)
    else if (trigger === 'condition') out.line(`if(${out.value(to, 'condition')}){${at2}}K.watches.condition(${at});`)
    else if (trigger === 'receive') out.line(`if(K.watches.message(${at},${messageJs(to, out)},${receiverJs(out)})){${at2}}`)
    else if (trigger === 'signal') out.line(`K.watches.signal(${at},${messageJs(to, out)});`)
  }
  out.line('return;')
}
