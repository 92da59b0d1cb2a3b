// The tables of functions the kernel calls: one entry for each process, step, statistic, container or population.
import { returns } from '../check/crossings.ts'
import { keyOf, stepKey } from '../check/names/keys.ts'
import type { ContainerPart, EntityPart, ProcessPart, StatisticPart, StepPart, VariablePart } from '../check/parts.ts'
import { rowsOf } from '../check/resolve.ts'
import { releaseJs } from '../steps/activity.ts'
import { boxedJs } from '../steps/boxed.ts'
import { collects } from '../steps/gateway.ts'
import type { StepWriter } from '../steps/step.ts'
import { componentOf, type Emitter, type Surroundings } from './emitter.ts'
import { initialValue } from './populations.ts'
import { isTicked, placeOf } from './process.ts'

/** Statements that declare the tables. `rows`: processes without tokens. */
export function routinesJs(emitter: Emitter, rows: ReadonlySet<number>): string[] {
  const { processes, steps, entities, statistics, containers } = emitter.checked.parts
  const stepMap = (name: string, entry: (emitter: Emitter, step: StepPart) => string | null): string => {
    const entries = steps.flatMap(step => {
      const js = entry(emitter, step)
      return js === null ? [] : [`[${step.index},${js}]`]
    })
    return `const ${name}=new Map([${entries.join(',')}]);`
  }
  // In this order: each formula that is written may take the next number of a constant.
  return [
    table('run', processes, process => (rows.has(process.index) ? 'null' : `q${process.index}`)),
    table('prepare', processes, process => prepareJs(emitter, process)),
    table('copy', processes, process => copyJs(process.temporaries, outputsOf(emitter, process))),
    table('copyOut', processes, process => copyJs(process.temporaries.filter(isGiven), [])),
    table('receive', processes, process => receiveJs(emitter, process)),
    stepMap('conditions', conditionJs),
    stepMap('fits', correlationJs),
    stepMap('interrupt', interruptJs),
    table('limits', processes, process => concurrencyJs(emitter, process)),
    returnedJs(emitter),
    table('births', entities, birthJs),
    'const deaths=[];',
    table('intervals', statistics, statistic => intervalJs(emitter, statistic)),
    table('timers', processes, process => timerJs(emitter, process)),
    table('schedules', containers, container => scheduleJs(emitter, container)),
    table('maximums', entities, entity => maximumJs(emitter, entity)),
    stepMap('release', collectionJs),
  ]
}

const table = <Part>(name: string, parts: readonly Part[], entry: (part: Part) => string): string =>
  `const ${name}=[${parts.map(entry).join(',')}];`

const nothing = '()=>{}'

const selfOf = (process: ProcessPart, token: string): string => (process.level === 'individual' ? `const self=T_owner[${token}];` : '')

const around = (process: ProcessPart, component: string, ...more: string[]): Surroundings => ({
  self: process.level === 'individual' ? 'self' : '-1',
  stream: componentOf(process, component),
  captured: [...(process.level === 'individual' ? ['self'] : []), 't', ...more],
})

const outputsOf = (emitter: Emitter, process: ProcessPart): StepPart[] =>
  process.steps.filter(step => emitter.checked.scopes.outputs.has(step))

const isGiven = ({ direction }: VariablePart): boolean => direction === 'out' || direction === 'inout'

/** A token's slot may hold what steps gave to the one before. */
function prepareJs(emitter: Emitter, process: ProcessPart): string {
  const outputs = outputsOf(emitter, process).map(step => `to${step.index}[t]=null;`)
  const variables = process.temporaries.map(
    variable => `tc${variable.index}[t]=${initialValue(emitter, variable, around(process, process.id))};`,
  )
  return variables.length + outputs.length === 0 ? 'null' : `t=>{${selfOf(process, 't')}${outputs.join('')}${variables.join('')}}`
}

function copyJs(variables: readonly VariablePart[], outputs: readonly StepPart[]): string {
  const copies = [
    ...variables.map(({ index }) => `tc${index}[b]=tc${index}[a];`),
    ...outputs.map(({ index }) => `to${index}[b]=to${index}[a];`),
  ]
  return copies.length === 0 ? nothing : `(a,b)=>{${copies.join('')}}`
}

function receiveJs(emitter: Emitter, process: ProcessPart): string {
  const sets = process.temporaries
    .filter(({ storage }) => storage !== 'word')
    .map(({ name, index, storage }) => {
      const key = JSON.stringify(name)
      const converted = storage === 'any' ? '' : storage === 'bool' ? '+' : 'X.number'
      return `if(X.hasKey(payload,${key}))tc${index}[t]=${converted}(X.getKey(payload,${key}));`
    })
  const outputs = outputsOf(emitter, process).map(step => `if(step===${step.index})to${step.index}[t]=payload;`)
  return sets.length + outputs.length === 0 ? nothing : `(t,payload,step)=>{${sets.join('')}${outputs.join('')}}`
}

function conditionJs(emitter: Emitter, step: StepPart): string | null {
  const field = step.kind.id === 'operate' ? 'giveUpWhen' : 'condition'
  const { trigger } = step.element.fields
  if (!emitter.has(stepKey(step, field)) || (step.kind.id !== 'operate' && trigger !== 'condition')) return null
  const { process } = step
  const start = step.kind.id === 'start'
  const self = process.level === 'individual' ? (start ? 'const self=t;' : selfOf(process, 't')) : ''
  return `t=>{${self}return ${emitter.value(stepKey(step, field), around(process, step.id))};}`
}

function correlationJs(emitter: Emitter, step: StepPart): string | null {
  const key = stepKey(step, 'correlation')
  if (!emitter.has(key)) return null
  return `(t,mail)=>{${selfOf(step.process, 't')}return ${emitter.value(key, around(step.process, step.id, 'mail'))};}`
}

function interruptJs(emitter: Emitter, step: StepPart): string | null {
  if (rowsOf(step.element, 'resources').length === 0) return null
  const { process } = step
  const release = emitter.betweenTicks(() => releaseJs(step, writerFor(emitter, process), 't', 'giveBack'))
  return `t=>{${selfOf(process, 't')}${release}}`
}

function concurrencyJs(emitter: Emitter, process: ProcessPart): string {
  const key = `q${process.index}/concurrency`
  return emitter.has(key) ? `self=>${emitter.value(key, { ...around(process, process.id), captured: ['self'] })}` : 'null'
}

/** What a token gives to the one that asked for its process. */
function returnedJs(emitter: Emitter): string {
  const { parts } = emitter.checked
  const variables = returns(parts).map(({ step, from, to }) => `case ${step.index}:tc${to.index}[p]=tc${from.index}[t];break;`)
  const outputs = parts.steps.map(step => outputJs(emitter, step))
  return `function returned(t,p){switch(T_pc[p]>>3){${variables.join('')}}switch(T_pc[p]>>3){${outputs.join('')}}}`
}

function outputJs(emitter: Emitter, step: StepPart): string {
  const { parts, scopes } = emitter.checked
  if (!scopes.outputs.has(step)) return ''
  const target = parts.processes.find(one => one.id === step.element.fields['process'])
  const given = target?.temporaries.filter(isGiven) ?? []
  if (given.length === 0) return ''
  const values = given.map(variable => {
    const at = `tc${variable.index}[t]`
    return variable.storage === 'bool' ? `${at}!==0` : boxedJs(emitter, scopes.typeOf(variable), at)
  })
  const value =
    given.length === 1 ? values[0]! : `X.payload([${given.map(({ name }, k) => `${JSON.stringify(name)},${values[k]}`).join(',')}])`
  const many = step.kind.id === 'ask'
  return `case ${step.index}:to${step.index}[p]=${many ? `X.append(to${step.index}[p],${value})` : value};break;`
}

const birthJs = ({ index }: EntityPart): string =>
  `{fresh:fresh${index},place:place${index},init:init${index},settle:settle${index},begin:begin${index}}`

function intervalJs(emitter: Emitter, { index, id }: StatisticPart): string {
  const key = `t${index}/interval`
  return emitter.has(key) ? `()=>${emitter.value(key, { self: '-1', stream: id })}` : 'null'
}

const timerJs = (emitter: Emitter, process: ProcessPart): string =>
  process.start?.element.fields['trigger'] === 'timer' && !isTicked(process, placeOf(emitter, process)) ? `timer${process.index}` : 'null'

function scheduleJs(emitter: Emitter, container: ContainerPart): string {
  const value = (row: number, field: string): string =>
    emitter.value(keyOf(container, `schedule/${row}/${field}`), { self: '-1', stream: container.id }, '0')
  const rows = rowsOf(container.element, 'schedule').map((_, row) => `{time:${value(row, 'time')},capacity:${value(row, 'capacity')}}`)
  return rows.length === 0 ? 'null' : `()=>[${rows.join(',')}]`
}

function maximumJs(emitter: Emitter, entity: EntityPart): string {
  const key = keyOf(entity, 'maximum')
  return emitter.has(key) ? `()=>${emitter.value(key, { self: '-1', stream: entity.id })}` : 'null'
}

/** Of a step that collects tokens: when it lets them go, and how many at a time. */
function collectionJs(emitter: Emitter, step: StepPart): string | null {
  if (!collects(step)) return null
  const value = (field: string, otherwise: string): string => {
    const key = stepKey(step, field)
    const js = emitter.has(key) ? emitter.value(key, around(step.process, step.id)) : otherwise
    return `t=>{${selfOf(step.process, 't')}return ${js};}`
  }
  return `{rule:${value('release', 'true')},every:${value('every', '1')}}`
}

/** A writer for statements that neither jump nor wait. */
function writerFor(emitter: Emitter, process: ProcessPart): StepWriter {
  const lines: string[] = []
  const refuse = (): never => {
    throw new Error('a statement that may not jump')
  }
  return {
    ...placeOf(emitter, process),
    row: false,
    line: js => lines.push(js),
    fresh: prefix => emitter.fresh(prefix),
    value: (step, field) => emitter.value(stepKey(step, field), around(process, step.id)),
    stored: (step, field, variable) => emitter.stored(variable, stepKey(step, field), around(process, step.id), 'null'),
    statements: (step, field) => emitter.statements(stepKey(step, field), around(process, step.id)),
    typeOf: (step, field) => emitter.typeOf(stepKey(step, field)),
    leave: refuse,
    take: refuse,
    end: refuse,
    wait: refuse,
    entry: refuse,
    survive: refuse,
    stream: id => emitter.stream(componentOf(process, id)),
    population: entity => `P${entity.index}`,
    container: container => (container.level === 'individual' ? `C${container.index}[self&16777215]` : `C${container.index}`),
    column: variable => `tc${variable.index}`,
    pc: (step, entry = 0) => step.index * 8 + entry,
  }
}
