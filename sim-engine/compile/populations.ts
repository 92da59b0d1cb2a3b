// The code of a population: birth (appearance, place, first values, starts), the tick's activations, the commit of
// simultaneous updates.
import { chainOf } from '../chain/parts.ts'
import { formulaName } from '../../model-schema/kinds.ts'
import { keyOf } from '../check/names/keys.ts'
import type { EntityPart, ProcessPart, VariablePart } from '../check/parts.ts'
import { cellText, rowsOf, textOf } from '../check/resolve.ts'
import { activeTick, isActiveSet } from './active.ts'
import { handleOf } from './emitter.ts'
import { leapsOf, quietOf } from './quiet.ts'
import type { Emitter, Surroundings } from './emitter.ts'
import { sharedColumns, stencilOf } from '../stencil/lower.ts'
import type { Stencil } from '../stencil/lower.ts'
import { dependencyOrder } from './order.ts'
import { beginJs } from './starts.ts'

/** The initial value of a variable without a formula for it. */
export function blankValue(variable: VariablePart): string {
  const type = variable.element.fields['type']
  if (type === 'list') return '[]'
  if (type === 'set') return 'X.emptySet()'
  if (type === 'dict') return 'X.emptyDict()'
  return variable.storage === 'entity' ? '-1' : variable.storage === 'any' ? 'null' : '0'
}

/** JavaScript of a variable's first value, as its column keeps it. */
export function initialValue(emitter: Emitter, variable: VariablePart, around: Surroundings): string {
  return emitter.stored(variable, variable.initialKey, around, blankValue(variable))
}

const around = (entity: EntityPart, component: string): Surroundings => ({
  self: 'self',
  stream: `${entity.id} ${component}`,
  captured: ['self'],
})

/** Functions fresh, place, init, settle, begin of one population. */
export function emitPopulation(emitter: Emitter, entity: EntityPart): string {
  const p = entity.index
  const parts = [
    `function fresh${p}(i,mother){${bornJs(entity)}}`,
    `function place${p}(i){${placeJs(emitter, entity)}}`,
    `function init${p}(self,i){${initJs(emitter, entity)}}`,
    `function settle${p}(self,i){${settleJs(emitter, entity)}}`,
    `function begin${p}(self,i){${beginJs(
      emitter,
      entity.processes.filter(process => process.level === 'individual'),
      `${p}`,
      'self',
    )}}`,
  ]
  return parts.map(text => (entity.kind === 'cell' ? text : text.replaceAll(/\bself&16777215\b/g, 'i'))).join('\n')
}

function bornJs(entity: EntityPart): string {
  const p = entity.index
  const { element } = entity
  // Columns that nothing reads are left out again: see program.ts.
  const lines = [`/*if p${p}_born*/p${p}_born[i]=W.time;/*end*/`]
  if (entity.kind === 'agent') lines.push(`/*if p${p}_mother*/p${p}_mother[i]=mother;/*end*/`)
  lines.push(`/*if p${p}_color*/p${p}_color[i]=${JSON.stringify(textOf(element, 'color'))};/*end*/`)
  lines.push(`/*if p${p}_size*/p${p}_size[i]=${Number(element.fields['size'] ?? 1)};/*end*/`)
  lines.push(`/*if p${p}_shape*/p${p}_shape[i]=${JSON.stringify(textOf(element, 'shape') || 'circle')};/*end*/`)
  lines.push(`/*if p${p}_visible*/p${p}_visible[i]=1;/*end*/`)
  if (entity.kind === 'link') {
    lines.push(`/*if p${p}_thickness*/p${p}_thickness[i]=${Number(element.fields['thickness'] ?? 1)};/*end*/`)
    lines.push(`/*if p${p}_line_type*/p${p}_line_type[i]=${JSON.stringify(textOf(element, 'lineType') || 'solid')};/*end*/`)
  }
  return lines.join('')
}

function placeJs(emitter: Emitter, entity: EntityPart): string {
  if (entity.kind !== 'agent' || !entity.space) return ''
  const p = entity.index
  const s = entity.space.index
  const stream = emitter.stream(`${entity.id} placement`)
  const heading = `/*if p${p}_heading*/p${p}_heading[i]=uniform(${emitter.stream(`${entity.id} heading`)})*360;/*end*/`
  switch (textOf(entity.element, 'placement')) {
    case 'random':
      return `${heading}S${s}.placeAtRandom(R${p},i,${stream});`
    case 'cells':
      return `${heading}S${s}.placeOnCell(R${p},i,S${s}.randomCell(${stream}));`
    case 'emptyCells':
      return `${heading}${emitter.mark(entity.id, 'placement')}const c=S${s}.randomEmptyCell(${stream});if(c<0)X.fail(10061);S${s}.placeOnCell(R${p},i,c);`
    default:
      return heading
  }
}

function initJs(emitter: Emitter, entity: EntityPart): string {
  const p = entity.index
  const lines = dependencyOrder(emitter.checked, entity.variables).map(variable => {
    const value = initialValue(emitter, variable, around(entity, variable.id))
    return `p${p}_v${variable.index}[i]${emitter.asNext(entity, variable, 'i')}=${value};`
  })
  if (entity.kind === 'link' && emitter.has(keyOf(entity, 'weight')) && emitter.constant(keyOf(entity, 'weight')) !== 1)
    lines.push(`p${p}_weight[i]=${emitter.value(keyOf(entity, 'weight'), around(entity, 'weight'))};`)
  for (const container of entity.containers)
    if (container.level === 'individual')
      lines.push(
        `C${container.index}[i]=X.newContainer(${container.index},${containerArguments(emitter, container, around(entity, container.id))});`,
      )
  const chain = entity.kind === 'agent' ? chainOf(emitter.checked.parts, entity) : -1
  if (chain >= 0 && emitter.has(keyOf(entity, 'balance')))
    lines.push(
      `${emitter.mark(entity.id, 'balance')}X.chains.fund(${chain},${p},self,${emitter.value(keyOf(entity, 'balance'), around(entity, 'balance'))});`,
    )
  return lines.join('')
}

/** Initial amount and capacity of a container. */
export function containerArguments(
  emitter: Emitter,
  container: { id: string; entity: EntityPart | null },
  surroundings: Surroundings,
): string {
  return `${emitter.value(keyOf(container, 'initial'), surroundings, 'null')},${emitter.value(keyOf(container, 'capacity'), surroundings, 'null')}`
}

function settleJs(emitter: Emitter, entity: EntityPart): string {
  if (entity.kind !== 'agent' || !entity.space || textOf(entity.element, 'placement') !== 'position') return ''
  return `${emitter.mark(entity.id, 'position')}X.placeAt(S${entity.space.index},R${entity.index},i,${emitter.value(keyOf(entity, 'position'), around(entity, 'position'))});`
}

/** Everyone who is there at the start. */
export function populateJs(emitter: Emitter, entity: EntityPart): string {
  const p = entity.index
  if (entity.form === 'observer' || entity.kind === 'link') return ''
  if (entity.kind === 'cell')
    return entity.space ? `S${entity.space.index}.layCells(P${p});for(let i=0,n=P${p}.count;i<n;i++){fresh${p}(i,-1);init${p}(i,i);}` : ''
  const global: Surroundings = { self: '-1', stream: `${entity.id} number` }
  const number = entity.form === 'individual' ? '1' : `X.whole(${emitter.value(keyOf(entity, 'initialNumber'), global, '0')})`
  const rows = individualRows(emitter, entity)
  return `{const n=${number};${emitter.mark(entity.id, 'initialNumber')}P${p}.reserve(n);for(let k=0;k<n;k++){const i=P${p}.create();fresh${p}(i,-1);place${p}(i);const self=p${p}_h[i];init${p}(self,i);${rows}settle${p}(self,i);}}`
}

/** The table of individuals with values of their own. */
function individualRows(emitter: Emitter, entity: EntityPart): string {
  const rows = rowsOf(entity.element, 'individuals').map((row, k) => {
    const variable = entity.variables.find(one => one.name === formulaName(cellText(row, 'property')))
    const at = row['row']
    if (!variable || typeof at !== 'number') return ''
    const value = emitter.stored(
      variable,
      keyOf(entity, `individuals/${k}/value`),
      { self: '-1', stream: `${entity.id} individuals` },
      blankValue(variable),
    )
    return `if(k===${at})p${entity.index}_v${variable.index}[i]=${value};`
  })
  return rows.join('')
}

/** Links made at the start by the population's generator. */
export function generateJs(emitter: Emitter, entity: EntityPart): string {
  if (entity.kind !== 'link' || !entity.source || !entity.target) return ''
  const p = entity.index
  const a = `P${entity.source.index}`
  const b = `P${entity.target.index}`
  const value = (field: string): string => emitter.value(keyOf(entity, field), { self: '-1', stream: `${entity.id} ${field}` }, '0')
  const stream = emitter.stream(`${entity.id} generator`)
  const calls: Readonly<Record<string, () => string>> = {
    random: () => `X.generate.random(L${p},${a},${b},${value('probability')},${stream});`,
    randomCount: () => `X.generate.randomCount(L${p},${a},${b},${value('number')},${stream});`,
    smallWorld: () => `X.generate.smallWorld(L${p},${a},${value('neighbors')},${value('probability')},${stream});`,
    scaleFree: () => `X.generate.scaleFree(L${p},${a},${value('attach')},${stream});`,
    ring: () => `X.generate.ring(L${p},${a},${value('neighbors')});`,
    lattice: () => `X.generate.lattice(L${p},${a});`,
    complete: () => `X.generate.complete(L${p},${a},${b});`,
    table: () =>
      `X.generate.fromTable(L${p},${a},${b},${JSON.stringify(rowsOf(entity.element, 'table').map(row => [Number(row['from']), Number(row['to'])]))});`,
  }
  const make = calls[textOf(entity.element, 'generator')]
  if (!make) return ''
  return `${emitter.mark(entity.id, 'generator')}${make()}L${p}.compact();for(let k=0,n=P${p}.livingCount;k<n;k++){const i=P${p}.living[k];fresh${p}(i,-1);init${p}(p${p}_h[i],i);}`
}

/** A process that the tick starts: by a token, by calling its function (`row`), or by its statements themselves. */
type Ticked = { readonly process: ProcessPart; readonly row: boolean; readonly body: string | null }

/** A loop without a call every so many rounds is better optimised. */
const inBatches = (round: string): string =>
  `for(let from=0;from<n;){F.refuel();for(const to=Math.min(from+64,n);from<to;from++){${round}}}`

/** The rule for many cells at once, where there is one; rules of bytes alone that need no running have a better way (leaps.ts). */
function fittingStencil(emitter: Emitter, entity: EntityPart, ticked: readonly Ticked[]): Stencil | null {
  const processes = ticked.map(({ process }) => process)
  if (entity.kind !== 'cell' || entity.order !== 'simultaneous') return null
  const made = stencilOf(emitter.checked, entity, processes, emitter.words)
  if ('unfit' in made) return null
  const pending = entity.variables.filter(variable => emitter.checked.scopes.pending.has(variable))
  const quiet = quietOf(emitter.checked, pending, processes, emitter.words)
  const leaps = quiet !== null && leapsOf(quiet, emitter.checked, pending, processes, emitter.words) !== null
  if (leaps || pending.some(variable => !made.writes.includes(variable))) return null
  // Where others look at cells of which few change, visiting those alone is less than to keep the columns up to date.
  return made.mentioned.length > 0 && isActiveSet(emitter, entity, ticked) ? null : made
}

const copied = (to: string, from: string, { storage }: VariablePart): string =>
  storage === 'any' ? `for(let k=0;k<${from}.length;k++)${to}[k]=${from}[k];` : `${to}.set(${from});`

/** Variables that the rule writes: those that other formulas mention, or those that none does. */
const written = ({ writes, mentioned }: Stencil, isMentioned: boolean): VariablePart[] =>
  writes.filter(({ index }) => mentioned.includes(index) === isMentioned)

/** Functions of a tick of cells with a stencil, and of its commit; `each` is the loop over all of them. */
function stencilJs(stencil: Stencil, p: number, body: string): string[] {
  const alone = written(stencil, false)
  // The loop may follow ticks that left next values of variables in the stencil's memory as they were.
  const fresh = alone.map(variable => copied(`p${p}_n${variable.index}`, `p${p}_v${variable.index}`, variable)).join('')
  const { now, next } = sharedColumns(stencil, p)
  return [
    `function each${p}(){const n=P${p}.count;${fresh}${inBatches(`const i=from,self=i;me=i;${body}`)}}`,
    `function cells${p}(){if(!X.stencils[${p}].tick([${now}],[${next}]))each${p}();}`,
    `function commitEach${p}(){${alone.map(committed).join('')}}`,
    `function commitCells${p}(){if(X.stencils[${p}].isByLoop)commitEach${p}();else X.stencils[${p}].commit();}`,
  ]
}

/** The next values become those that are seen. The dead have no texts, lists and the like: none are kept for them. */
export function committed(variable: VariablePart): string {
  const p = variable.entity?.index
  const [now, next] = [`p${p}_v${variable.index}`, `p${p}_n${variable.index}`]
  if (variable.storage !== 'any' || variable.entity?.kind === 'cell') return copied(now, next, variable)
  return `for(let k=0,n=P${p}.livingCount;k<n;k++){const i=P${p}.living[k];if(p${p}_h[i]>=0)${now}[i]=${next}[i];}`
}

/** One tick of a population: its observer, then its individuals in their order. */
export function tickJs(emitter: Emitter, entity: EntityPart, ticked: readonly Ticked[]): string {
  const p = entity.index
  const observer = ticked.filter(({ process }) => process.level === 'observer' && process.entity === entity)
  const individual = ticked.filter(({ process }) => process.level === 'individual' && process.entity === entity)
  const lines = observer.map(({ process, row }) => (row ? `q${process.index}();` : `K.spawn(${process.index},-1);`))
  if (individual.length === 0) return lines.join('')
  const acts = individual.map(({ process, row, body }) => body ?? (row ? `q${process.index}(self,i);` : `K.spawn(${process.index},self);`))
  // One who died in the first of several processes doesn't go on to the next.
  const body = acts.join(entity.kind === 'cell' || emitter.immortal ? '' : `if(p${p}_h[i]!==self)continue;`)
  const self = handleOf(entity, 'i')
  const alive = emitter.immortal ? 'self=i;' : `self=${self};if(self<0)continue;`
  // A debugger shows the steps of cells with nothing to do as well, as often, whatever was before.
  const isHooked = emitter.debug !== null || emitter.seeksIn(individual.map(({ process }) => process))
  const stencil = isHooked || emitter.metered ? null : fittingStencil(emitter, entity, individual)
  if (stencil) {
    emitter.stencils.set(p, stencil)
    emitter.declare(...stencilJs(stencil, p, body))
    emitter.commits.set(p, `commitCells${p}();${written(stencil, true).map(committed).join('')}`)
    lines.push(`who=${p};cells${p}();`)
    return lines.join('')
  }
  if (!isHooked && isActiveSet(emitter, entity, individual)) {
    const columns = entity.variables.filter(variable => emitter.checked.scopes.pending.has(variable))
    if (columns.length > 0) {
      const processes = individual.map(({ process }) => process)
      const { tick, commit, first } = activeTick(emitter, entity, body, columns, [...(emitter.tables.get(p) ?? [])], processes)
      emitter.commits.set(p, commit)
      emitter.firsts.set(p, first)
      lines.push(tick)
      return lines.join('')
    }
  }
  lines.push(`who=${p};each${p}();`)
  if (entity.kind === 'cell' && entity.order !== 'shuffled' && entity.order !== 'key') {
    emitter.declare(`function each${p}(){const n=P${p}.count;${inBatches(`const i=from,self=i;me=i;${body}`)}}`)
    return lines.join('')
  }
  const prepare =
    entity.order === 'shuffled'
      ? `P${p}.shuffled(${emitter.stream(`${entity.id} order`)})`
      : entity.order === 'key'
        ? `P${p}.byKey(keys${p}())`
        : `P${p}.settled`
  if (entity.order === 'key') {
    emitter.declare(
      `function keys${p}(){const keys=X.keys(P${p});for(let k=0,n=P${p}.livingCount;k<n;k++){const i=P${p}.living[k],self=${self};if(self>=0)keys[i]=${emitter.value(keyOf(entity, 'orderKey'), around(entity, 'orderKey'))};}return keys;}`,
    )
  }
  const order = entity.order === 'shuffled' || entity.order === 'key' ? 'order' : 'living'
  emitter.declare(`function each${p}(){const n=${prepare},order=P${p}.${order};${inBatches(`const i=order[from],${alive}me=i;${body}`)}}`)
  return lines.join('')
}
