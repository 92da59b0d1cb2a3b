// Choosing entities in three parts: range, filter, pick. The chosen are found once, before anything is done to them.
import type { EntityPart, StepPart } from '../check/parts.ts'
import { chosenPopulation } from '../check/names/keys.ts'
import type { Checking } from '../check/checking.ts'
import type { StepWriter } from './step.ts'

/** Formula fields of a selection that are seen from each candidate. */
export const selectionTargets = ['filter', 'by'] as const

type Chosen = {
  /** Array of handles (of Refs when mixed). */
  items: string
  entity: EntityPart | null
}

export function checkSelection(step: StepPart, { note, written, typeOf, constant }: Checking, blank: 9020 | 9021): void {
  if (!written(step, 'range')) {
    note(blank, step.id, 'range')
    return
  }
  const range = typeOf(step, 'range')
  if (range && range.is !== 'never' && chosenPopulation(range) === undefined) note(blank, step.id, 'range')
  const { pick } = step.element.fields
  if ((pick === 'min' || pick === 'max') && !written(step, 'by')) note(8001, step.id, 'by')
  const limit = constant(step, 'limit')
  if (pick !== 'all' && limit !== null && !(limit >= 0)) note(9025, step.id, 'limit')
}

/** Emits the choice into an array. `nobody`: the error if no individual is chosen where one is required. */
export function emitSelection(step: StepPart, out: StepWriter, nobody: 10054 | 10063 = 10054): Chosen {
  const range = out.typeOf(step, 'range')
  const of = chosenPopulation(range)
  const entity = out.emitter.checked.scopes.entity(of ?? null) ?? null
  const items = out.fresh('chosen')
  const item = out.fresh('one')
  const { pick } = step.element.fields
  const fail = (): void => {
    if (step.element.fields['nobody'] === 'error')
      out.line(`if(${items}.length===0){${out.emitter.mark(step.id, 'range')}X.fail(${nobody});}`)
  }
  if (
    pick === 'random' &&
    range.is === 'observer' &&
    entity &&
    entity.kind !== 'cell' &&
    entity.derived.length === 0 &&
    !out.written(step, 'filter')
  ) {
    out.line(
      `${out.emitter.mark(step.id, 'limit')}const ${items}=X.someOf(P${entity.index},${out.value(step, 'limit')},${out.stream(step.id)});`,
    )
    fail()
    return { items, entity }
  }
  out.line(`const ${items}=[];`)
  const test = out.written(step, 'filter') ? `if(${out.value(step, 'filter', { self: item })})` : ''
  const population = entity ? `P${entity.index}` : 'null'
  const source = out.value(step, 'range')
  if (range.is === 'observer') out.line(everyOf(entity, item, `${test}${items}.push(${item});`, out))
  else {
    const list = out.fresh('found')
    const query = range.is === 'entities' ? handlesOf(source, population) : null
    // Queries share scratch arrays: what is asked while looking at one of them would overwrite it.
    const all =
      query === null
        ? `X.entities(${population},${source},${range.is === 'entity' && entity !== null})`
        : test.includes('W.')
          ? `Array.from(${query})`
          : query
    if (query === null) out.line(out.emitter.mark(step.id, 'range'))
    out.line(`const ${list}=${all};for(let k=0,n=${list}.length;k<n;k++){const ${item}=${list}[k];${test}${items}.push(${item});}`)
  }
  if (pick !== 'all' && typeof pick === 'string') {
    const limit = out.value(step, 'limit')
    out.line(out.emitter.mark(step.id, 'limit'))
    const own = out.process.level === 'individual' && out.process.entity ? `P${out.process.entity.index},self` : 'null,-1'
    if (pick === 'random') out.line(`X.pickRandom(${items},${limit},${out.stream(step.id)});`)
    else if (pick === 'first') out.line(`X.pickFirst(${items},${limit});`)
    else if (pick === 'last') out.line(`X.pickLast(${items},${limit});`)
    else if (pick === 'nearest' || pick === 'farthest')
      out.line(`X.pickByDistance(${items},${limit},${population},${own},${pick === 'farthest'});`)
    else out.line(`X.pickByKey(${items},${limit},${item}=>${out.value(step, 'by', { self: item })},${pick === 'max'});`)
  }
  fail()
  return { items, entity }
}

/** The handles a query finds, without the references it would be kept as; null when the text is another. */
function handlesOf(js: string, population: string): string | null {
  const match = /^(\(at=\d+,)?F\.refs\((P\d+|null), (W\.[^]*)\)$/.exec(js)
  if (!match || match[2] !== population) return population === 'null' ? js : null
  const [, mark = '', , inner = ''] = match
  const query = mark === '' ? inner : inner.slice(0, -1)
  return isOneCall(query) ? (mark === '' ? query : `${mark}${query})`) : null
}

/** `W.name(...)` and nothing behind it. */
function isOneCall(js: string): boolean {
  let depth = 0
  for (let k = 0; k < js.length; k++) {
    if (js[k] === '(') depth++
    else if (js[k] === ')' && --depth === 0) return k === js.length - 1
  }
  return false
}

/** A loop over all living individuals of a population (and of those derived from it). */
function everyOf(entity: EntityPart | null, item: string, body: string, out: StepWriter): string {
  if (!entity) return ''
  if (entity.derived.length > 0) {
    const list = out.fresh('all')
    return `const ${list}=X.mixed([${[entity, ...entity.derived].map(one => `P${one.index}`).join(',')}]);for(let k=0;k<${list}.length;k++){const ${item}=${list}[k];${body}}`
  }
  const p = entity.index
  if (entity.kind === 'cell') return `for(let k=0,n=P${p}.count;k<n;k++){const ${item}=k;${body}}`
  return `for(let k=0,n=P${p}.livingCount,a=P${p}.living;k<n;k++){const ${item}=p${p}_h[a[k]];if(${item}<0)continue;${body}}`
}

/** Whether an entity still lives, as a JavaScript condition. */
export function livesJs(entity: EntityPart | null, item: string): string {
  if (!entity) return `W.isAlive(${item}.population,${item}.handle)`
  return entity.kind === 'cell' ? 'true' : `p${entity.index}_h[${item}&16777215]===${item}`
}
