// What all activities share: resources are requested, `before` runs, the duration passes, the activity does what it does,
// `after` runs, the resources return. Boundary events watch from the arrival to the end.
//
// Entries of an activity: 1 resources granted · 2, 4, 5 the kind's own · 3 the duration has passed · 6 waiting for good ·
// 7 split.
import { rowsOf } from '../check/resolve.ts'
import type { StepPart } from '../check/parts.ts'
import { stepKey } from '../check/names/keys.ts'
import type { Place, StepWriter } from './step.ts'

export const needsTokenToLast = (step: StepPart, place: Place): boolean =>
  place.written(step, 'duration') || rowsOf(step.element, 'resources').length > 0

/** Emits the whole activity around what its kind does. */
export function emitActivity(step: StepPart, out: StepWriter, does: () => void): void {
  armBoundaries(step, out)
  const wants = rowsOf(step.element, 'resources')
  if (wants.length > 0) requestResources(step, out, wants.length)
  if (out.written(step, 'before')) {
    out.line(out.statements(step, 'before'))
    if (out.emitter.mayCreate(stepKey(step, 'before'))) out.survive()
  }
  if (out.written(step, 'duration')) {
    const length = out.fresh('length')
    out.line(
      `const ${length}=${out.value(step, 'duration')};T_length[t]=${length};${out.emitter.mark(step.id, 'duration')}K.sleep(t,${length},${out.pc(step, 3)});return;`,
    )
    out.entry(step, 3)
  }
  does()
  if (out.written(step, 'after')) {
    out.line(out.statements(step, 'after'))
    if (out.emitter.mayCreate(stepKey(step, 'after'))) out.survive()
  }
  closeActivity(step, out)
  out.leave(step)
}

/** On any way out: the resources return, boundary events watch no more. */
export function closeActivity(step: StepPart, out: StepWriter): void {
  if (rowsOf(step.element, 'resources').length > 0) out.line(`${releaseJs(step, out, 't')}T_pc[t]=${out.pc(step)};`)
  disarmBoundaries(step, out)
}

/** Starts watching the boundary events of an activity. */
function armBoundaries(step: StepPart, out: StepWriter): void {
  for (const event of step.boundaries) {
    const { trigger, interrupting } = event.element.fields
    const role = interrupting === false ? "'aside'" : "'boundary'"
    const at = `t,${event.index},${role}`
    if (trigger === 'timer') out.line(`X.watchTimer(${at},${out.value(event, 'delay')});`)
    else if (trigger === 'condition') out.line(`K.watches.condition(${at});`)
    else if (trigger === 'message') {
      out.line(`if(K.watches.message(${at},${messageJs(event, out)},${receiverJs(out)})){K.interrupt(t,${event.index});K.push(t);return;}`)
    } else if (trigger === 'signal') out.line(`K.watches.signal(${at},${messageJs(event, out)});`)
  }
}

function disarmBoundaries(step: StepPart, out: StepWriter): void {
  if (step.boundaries.length > 0) out.line('if(T_watching[t]===1)K.watches.drop(t);')
}

/** Number of the message or signal an event refers to. */
export const messageJs = (step: StepPart, out: StepWriter): string => {
  const message = out.emitter.checked.parts.messages.find(one => one.id === step.element.fields['message'])
  return message ? `M${message.index}` : '-1'
}

/** Population and handle under which the actor of a process gets its mail. */
export const receiverJs = (out: StepWriter): string =>
  out.process.entity ? `${out.process.entity.index},${out.process.level === 'individual' ? 'self' : -1}` : '-1,-1'

function requestResources(step: StepPart, out: StepWriter, count: number): void {
  const rows = rowsOf(step.element, 'resources')
  const priority = out.written(step, 'priority') ? out.value(step, 'priority') : '0'
  const only = rows[0]
  const simple =
    count === 1 &&
    only !== undefined &&
    plainKey(only['key']) === null &&
    containerOf(step, out, 0)?.element.fields['contents'] === 'amount'
  out.line(out.emitter.mark(step.id, 'resources'))
  if (simple)
    out.line(
      `if(K.containers.hold(${resourceJs(step, out, 0)},T_holder[t],${out.value(step, 'resources/0/amount')},${priority},'wait')==='waiting'){K.awaitGrant(t,${out.pc(step, 1)});return;}`,
    )
  else {
    const wants = rows.map(
      (row, k) =>
        `{does:'hold',container:${resourceJs(step, out, k)},amount:${out.value(step, `resources/${k}/amount`)},key:${JSON.stringify(plainKey(row['key']))}}`,
    )
    out.line(
      `if(K.containers.request(T_holder[t],[[${wants.join(',')}]],${priority},'wait')==='waiting'){K.awaitGrant(t,${out.pc(step, 1)});return;}`,
    )
  }
  out.entry(step, 1)
  // Also where it need not wait: should the activity not come to its end, this records what is to be given back.
  out.line(`T_pc[t]=${out.pc(step, 1)};`)
}

const plainKey = (key: unknown): string | null => (typeof key === 'string' && key !== '' ? key : null)

function containerOf(step: StepPart, out: StepWriter, row: number) {
  const id = rowsOf(step.element, 'resources')[row]?.['container']
  const found = out.emitter.checked.parts.containers.filter(container => container.id === id)
  return found.find(container => container.entity === out.process.entity) ?? found[0]
}

function resourceJs(step: StepPart, out: StepWriter, row: number): string {
  const container = containerOf(step, out, row)
  return container ? out.container(container) : 'null'
}

/**
 * Gives back what the activity holds (`giveBack`: what is left of it): amounts are evaluated again only when they are
 * constant; else all that it holds.
 */
export function releaseJs(step: StepPart, out: StepWriter, token: string, does: 'release' | 'giveBack' = 'release'): string {
  return rowsOf(step.element, 'resources')
    .map((row, k) => {
      const amount = out.constant(step, `resources/${k}/amount`)
      return `K.containers.${does}(${resourceJs(step, out, k)},T_holder[${token}],${amount ?? 'null'},${JSON.stringify(plainKey(row['key']))});`
    })
    .join('')
}
