// Intermediate events: a token waits for a time, a condition, a message or a signal, or sends one and continues at once.
import type { Type } from '../formula.ts'
import type { EntityPart, StepPart } from '../check/parts.ts'
import { cellText, rowsOf } from '../check/resolve.ts'
import { formulaName } from '../../model-schema/kinds.ts'
import { messageJs, receiverJs } from './activity.ts'
import { boxedJs } from './boxed.ts'
import { checkSelection, emitSelection, livesJs, selectionTargets } from './selection.ts'
import type { StepKind, StepWriter } from './step.ts'

const sends = (step: StepPart): boolean => step.element.fields['trigger'] === 'send' || step.element.fields['trigger'] === 'throwSignal'

export const intermediate: StepKind = {
  kind: 'intermediate',
  fromTarget: selectionTargets,
  check(step, checking) {
    const { note, written } = checking
    const { trigger, message } = step.element.fields
    if (trigger === 'timer' && !written(step, 'delay')) note(9018, step.id, 'delay')
    if (trigger === 'condition' && !written(step, 'condition')) note(8001, step.id, 'condition')
    if (trigger !== 'timer' && trigger !== 'condition' && typeof message !== 'string') note(9019, step.id, 'message')
    if (trigger === 'send') checkSelection(step, checking, 9020)
    const declared = checking.parts.messages.find(one => one.id === message)?.payload ?? []
    if (sends(step) && declared.length > 0) {
      for (const [i, row] of rowsOf(step.element, 'payload').entries()) {
        if (!declared.some(one => one.name === formulaName(cellText(row, 'name')))) note(9003, step.id, `payload/${i}/name`)
      }
    }
  },
  needsToken: step => !sends(step),
  emit(step, out) {
    const { trigger } = step.element.fields
    if (out.written(step, 'before')) out.line(out.statements(step, 'before'))
    if (trigger === 'timer') {
      out.line(`${out.emitter.mark(step.id, 'delay')}K.sleep(t,${out.value(step, 'delay')},${out.pc(step, 2)});return;`)
      out.entry(step, 2)
    } else if (trigger === 'condition') {
      out.line(`if(!(${out.value(step, 'condition')})){T_pc[t]=${out.pc(step, 6)};K.watches.condition(t,${step.index},'catch');return;}`)
      out.entry(step, 2)
    } else if (trigger === 'receive') {
      out.line(
        `T_pc[t]=${out.pc(step, 6)};if(!K.watches.message(t,${step.index},'catch',${messageJs(step, out)},${receiverJs(out)}))return;`,
      )
      out.entry(step, 2)
    } else if (trigger === 'signal') {
      out.line(`T_pc[t]=${out.pc(step, 6)};K.watches.signal(t,${step.index},'catch',${messageJs(step, out)});return;`)
      out.entry(step, 2)
    } else if (trigger === 'throwSignal') out.line(`K.watches.throwSignal(${messageJs(step, out)},${payloadJs(step, out)});`)
    else emitSend(step, out)
    if (out.written(step, 'after')) out.line(out.statements(step, 'after'))
    out.leave(step)
  },
}

function payloadJs(step: StepPart, out: StepWriter): string {
  const message = out.emitter.checked.parts.messages.find(one => one.id === step.element.fields['message'])
  const declared = message ? rowsOf(message.element, 'payload') : []
  const rows = rowsOf(step.element, 'payload').map((row, i) => {
    const name = formulaName(cellText(row, 'name'))
    const sort = cellText(declared.find(one => formulaName(cellText(one, 'name')) === name) ?? {}, 'type')
    const field = `payload/${i}/value`
    const type = out.typeOf(step, field)
    const value = boxedJs(out.emitter, type, out.value(step, field))
    const isSure = !(sort in sorts) || type.is === sorts[sort]
    return `${JSON.stringify(name)},${isSure ? value : `(${out.emitter.mark(step.id, field).slice(0, -1)},X.sort(${value},${JSON.stringify(sort)}))`}`
  })
  return `X.payload([${rows.join(',')}])`
}

/** What a message may declare of a value, and what formulas call it. */
const sorts: Readonly<Record<string, Type['is']>> = { number: 'number', text: 'text', boolean: 'bool', entity: 'entity' }

/** Whether a population's observer gets what is sent to all of it: else it would lie in its mailbox for ever. */
function hears(entity: EntityPart, step: StepPart, out: StepWriter): boolean {
  const { message, pick } = step.element.fields
  if (out.written(step, 'filter') || (typeof pick === 'string' && pick !== 'all')) return false
  return out.emitter.checked.parts.processes.some(
    process =>
      process.level === 'observer' &&
      process.entity === entity &&
      process.steps.some(({ element: { fields } }) => fields['message'] === message && receiving.has(String(fields['trigger']))),
  )
}

/** Triggers of steps that take a message. */
const receiving: ReadonlySet<string> = new Set(['message', 'receive'])

function emitSend(step: StepPart, out: StepWriter): void {
  const delay = out.written(step, 'delivery') ? out.value(step, 'delivery') : '0'
  const range = out.typeOf(step, 'range')
  const mark = out.emitter.mark(step.id, 'delivery')
  const data = payloadJs(step, out)
  // The name of the world means global processes; that of a population alone also reaches its observer, if that listens.
  if (range.is === 'observer') {
    const entity = out.emitter.checked.scopes.entity(range.of)
    if (!entity || hears(entity, step, out)) out.line(`${mark}X.send(${messageJs(step, out)},${entity?.index ?? -1},-1,${data},${delay});`)
    if (!entity) return
  }
  const { items, entity } = emitSelection(step, out, 10063)
  const one = out.fresh('to')
  if (step.element.fields['nobody'] === 'error')
    out.line(`if(!${items}.some(${one}=>${livesJs(entity, one)})){${out.emitter.mark(step.id, 'range')}X.fail(10063);}`)
  out.line(
    `${mark}for(const ${one} of ${items})X.send(${messageJs(step, out)},${entity ? `${entity.index},${one}` : `${one}.population.index,${one}.handle`},${data},${delay});`,
  )
}
