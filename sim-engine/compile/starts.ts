// How processes begin by themselves: at the start of the run or at a birth, by the clock, when a condition becomes true,
// by a message. (The tick's own activations are in populations.ts and program.ts.)
import { stepKey } from '../check/names/keys.ts'
import type { ProcessPart } from '../check/parts.ts'
import { isActive } from '../check/checking.ts'
import { componentOf, isWritten } from './emitter.ts'
import type { Emitter, Surroundings } from './emitter.ts'
import { isTicked, placeOf } from './process.ts'

/** Statements that set a newborn owner's processes going; `population` is its index, or -1 for global processes. */
export function beginJs(emitter: Emitter, processes: readonly ProcessPart[], population: string, owner: string): string {
  return processes
    .map(process => {
      const { start } = process
      if (!start || process.holder) return ''
      const { trigger, message } = start.element.fields
      if (trigger === 'message') {
        const type = emitter.checked.parts.messages.find(one => one.id === message)
        const by = type?.signal ? 'startBySignal' : 'start'
        return type ? `K.watches.${by}(${process.index},${start.index},M${type.index},${population},${owner});` : ''
      }
      if (trigger === 'condition') return `K.watches.startWhen(${process.index},${start.index},${population},${owner});`
      if (trigger === 'timer')
        return isTicked(process, placeOf(emitter, process))
          ? ''
          : `begins${process.index}(${process.level === 'individual' ? 'self' : ''});`
      return isActive(process) ? `X.startSoon(${process.index},${owner});` : ''
    })
    .join('')
}

/** Functions of a timer start: when it first goes off, and what happens each time. */
export function emitTimer(emitter: Emitter, process: ProcessPart): string {
  const { start } = process
  if (!start || start.element.fields['trigger'] !== 'timer' || isTicked(process, placeOf(emitter, process))) return ''
  const q = process.index
  const individual = process.level === 'individual'
  const self = individual ? 'self' : ''
  const owner = individual ? 'self' : '-1'
  const around: Surroundings = {
    self: individual ? 'self' : '-1',
    stream: componentOf(process, start.id),
    captured: individual ? ['self'] : [],
  }
  const value = (field: string): string => emitter.value(stepKey(start, field), around)
  if (isWritten(start, 'times'))
    return `function begins${q}(${self}){${emitter.mark(start.id, 'times')}X.startAt(${q},${owner},${value('times')});}\nfunction timer${q}(${self}){X.arrive(${q},${owner},1);}`
  const isNumber = (field: string): boolean => emitter.typeOf(stepKey(start, field)).is === 'number'
  const limit = !isWritten(start, 'maximum')
    ? ''
    : !individual && isNumber('maximum')
      ? `if(!(fired[${q}]>=${value('maximum')})&&++fired[${q}])`
      : `if(X.startsLeft(${q},${owner},${value('maximum')}))`
  // Without a first time: one interval after the start of the run or the birth.
  const gap = (field: string): string =>
    `K.${field === 'every' && !emitter.draws(stepKey(start, field)) ? 'startAgain' : 'startAfter'}(${q},${owner},${isNumber(field) ? value(field) : `X.number(${value(field)})`});`
  const again = isWritten(start, 'every') ? `${emitter.mark(start.id, 'every')}${gap('every')}` : ''
  const arrives =
    isWritten(start, 'count') && emitter.constant(stepKey(start, 'count')) !== 1
      ? `${emitter.mark(start.id, 'count')}X.arrive(${q},${owner},X.whole(${value('count')}));`
      : `K.spawn(${q},${owner});`
  // The next arrival is drawn before this one is served.
  return [
    `function begins${q}(${self}){${emitter.mark(start.id, 'first')}${limit}${gap(isWritten(start, 'first') ? 'first' : 'every')}}`,
    `function timer${q}(${self}){F.refuel();${again ? `${limit}{${again}}` : ''}${arrives}}`,
  ].join('\n')
}
