// Queries over entities as loops over columns, tables of neighbours and lists: no array of handles is made. Where there is
// no such form the query's value is iterated. Items are handles; where the body only looks at columns the slot does.
import type { CheckedModel } from '../check/checked.ts'
import type { EntityPart } from '../check/parts.ts'
import type { EntityLoop } from '../formula.ts'
import { isListed } from './listed.ts'
import { tallyOf } from './tally.ts'

/** What loops need of the emitter. */
type Emitter = {
  readonly checked: CheckedModel
  fresh(prefix: string): string
  bound(name: string, js: string): void
  looksFar: boolean
  readonly immortal: boolean
  readonly isLooking: boolean
  readonly tables: Map<number, Set<string>>
}

/** A body up to this long is repeated for each neighbour of an inner cell, up to this many. */
const unrolledLength = 240
const unrolledCount = 8

/** A loop statement for the query, or undefined to iterate its value. */
export function entityLoop(emitter: Emitter, loop: EntityLoop): string | undefined {
  const { query } = loop
  const items = emitter.checked.scopes.entity(query.of)
  if (!items) return undefined
  switch (query.name) {
    case 'read':
      return query.symbol?.name === 'individuals' || query.symbol?.kind === 'population' ? everyone(emitter, loop, items) : undefined
    case 'individuals':
      return everyone(emitter, loop, items)
    case 'moore':
    case 'von_neumann':
    case 'neighbor_cells':
      return cellsAround(emitter, loop, items)
    case 'neighbors':
      return loop.ordered ? undefined : neighbors(emitter, loop, items)
    case 'agents_on':
      return agentsOn(emitter, loop, items)
    case 'relatives':
      return relatives(emitter, loop, items)
    case 'links_of':
      return linksOf(emitter, loop, items)
    default:
      return undefined
  }
}

/** Binds the loop's item to the individual in `slot`: its handle, unless the body needs the slot alone. */
function withSlot(emitter: Emitter, loop: EntityLoop, items: EntityPart, slot: string): string {
  if (items.kind === 'cell') return `const ${loop.item}=${slot};${loop.body}`
  // `const x = item;` of a comprehension means the item, too.
  const alias = new RegExp(`const ([\\w$]+) = ${escaped(loop.item)};\\n`).exec(loop.body)
  const names = alias?.[1] === undefined ? [loop.item] : [loop.item, alias[1]]
  let body = alias ? loop.body.replace(alias[0], '') : loop.body
  for (const name of names) body = body.replaceAll(new RegExp(`\\b${escaped(name)}&16777215\\b`, 'g'), slot)
  if (!names.some(name => new RegExp(`\\b${escaped(name)}\\b`).test(body))) return body
  const handle = emitter.immortal ? slot : `p${items.index}_h[${slot}]`
  return `const ${loop.item}=${handle};${alias ? `const ${alias[1]}=${loop.item};` : ''}${body}`
}

/** Arrays that nothing moves while a loop runs, and where neighbours are. */
const steady =
  /\bp\d+_(?:[vn]\d+|x|y|z|h|id|heading|bucket|weight)\b|\bnt\d+[a-zA-Z][\d_]+[sf]\d*\b|\b(?:R\d+\.(?:heads|next|behind)|L\d+\.(?:source|target)|P\d+\.handles)\b/g
/** A variable that is read of an individual. */
const reading = /\b(p\d+_[vxyz]\d*)\[([\w$]+)(&16777215)?\]/g
const written = /\][ ]?(?:[-+*/]?=(?!=)|\+\+|--)/
const called =
  /(?<![\w$.])(?!(?:if|for|while|switch|return|Math\.\w+|F\.(?:finite|div|random|sqrt|spent)|X\.fail|S\d+\.scan)\()[A-Za-z_$][\w$.]*\(/

/**
 * The loop `run` behind `head`, as one labelled statement. What the loop reads again and again is read once before it: the
 * columns, which no birth moves as the formula makes none, and variables of individuals that stay the same, when the loop
 * writes none and calls no function that might.
 */
function block(emitter: Emitter, loop: EntityLoop, head: string, run: string): string {
  let text = run
  let first = ''
  const isQuiet = !written.test(run) && !called.test(run)
  const names = new Map<string, string>()
  if (isQuiet) {
    text = text.replaceAll(reading, (read, _column: string, who: string) => {
      if (changes(run, who)) return read
      const known = names.get(read) ?? emitter.fresh('own')
      if (!names.has(read)) first += `const ${known}=${read};`
      names.set(read, known)
      return known
    })
  }
  let columns = ''
  const held = (one: string): string => {
    const known = names.get(one) ?? emitter.fresh('t')
    if (!names.has(one)) columns += `const ${known}=${one};`
    names.set(one, known)
    return known
  }
  text = text.replaceAll(steady, held)
  return `${loop.label}:{${head}${columns}${first}${text}}`
}

/** Whether an identifier is declared or assigned in the text. */
const changes = (text: string, name: string): boolean =>
  new RegExp(`(?:\\b(?:let|const) |[,;(] ?)${escaped(name)}(?: ?=(?!=))|(?<![\\w$])${escaped(name)} ?(?:[-+*/]?=(?!=)|\\+\\+|--)`).test(
    text,
  )

const escaped = (name: string): string => name.replaceAll('$', '\\$')

/** All living individuals in order of birth. */
function everyone(emitter: Emitter, loop: EntityLoop, items: EntityPart): string | undefined {
  if (items.derived.length > 0) return undefined
  const p = `P${items.index}`
  const k = emitter.fresh('k')
  if (items.kind === 'cell') {
    const body = withSlot(emitter, loop, items, k)
    return block(emitter, loop, '', `${fromTally(emitter, items, k, `${p}.count`, body)}${body}}`)
  }
  const s = emitter.fresh('s')
  const list = emitter.fresh('a')
  const body = withSlot(emitter, loop, items, s)
  // In models without deaths slots are visited in order.
  const head = emitter.immortal
    ? fromTally(emitter, items, k, `${p}.livingCount`, body, s)
    : `for(let ${k}=0,n=${p}.livingCount;${k}<n;${k}++){`
  const alive = emitter.immortal ? '' : `if(p${items.index}_h[${s}]<0)continue;`
  return block(emitter, loop, `const ${list}=${p}.living;`, `${head}const ${s}=${list}[${k}];${alive}${body}}`)
}

/** The head of a loop with `k` up to a count. Where the body does nothing but count, it starts behind those that are counted at once. */
function fromTally(emitter: Emitter, items: EntityPart, k: string, count: string, body: string, slot = k): string {
  const plain = `for(let ${k}=0,n=${count};${k}<n;${k}++){`
  if (!emitter.isLooking) return plain
  const names = [...body.matchAll(/const ([\w$]+) ?= ?([\w$]+);\n?/gy)]
  const [, sum, test] = /^([\w$]+) \+= \+(.*);\n$/.exec(body.slice(names.map(([text]) => text).join('').length)) ?? []
  if (sum === undefined || test === undefined) return plain
  const flag = names.reduceRight((text, [, name, of]) => text.replaceAll(`[${name}]`, `[${of}]`), test)
  const tally = tallyOf(flag, items, slot)
  if (!tally) return plain
  const counted = emitter.fresh('c')
  // As many ones added to a whole number one by one are as much.
  return `const n=${count};let ${k}=0;if((${sum}|0)===${sum}){const ${counted}=X.tally("${tally.code}",[${tally.columns.join(',')}],n);if(${counted}>=0){${sum}+=${counted};${k}=n-n%16;}}for(;${k}<n;${k}++){`
}

/** The population and handle of an argument such as `P1, self`. */
function pairOf(emitter: Emitter, argument: string | undefined): { entity: EntityPart; handle: string } | null {
  const match = /^P(\d+), ([\w$]+)$/.exec(argument ?? '')
  const entity = match ? emitter.checked.parts.entities[Number(match[1])] : undefined
  return entity && match?.[2] !== undefined ? { entity, handle: match[2] } : null
}

/** Statements that fail for None and the dead; the actor is alive. */
function there(emitter: Emitter, { entity, handle }: { entity: EntityPart; handle: string }): string {
  if (handle === 'self') return ''
  const none = `if(${handle}<0)X.fail(10014);`
  if (emitter.immortal || entity.kind === 'cell') return none
  return `${none}if(p${entity.index}_h[${slotOf(entity, handle)}]!==${handle})X.fail(10053);`
}

const slotOf = (entity: EntityPart, handle: string): string => (entity.kind === 'cell' ? handle : `${handle}&16777215`)

/** Constant radius of a query, so that its table can be made once. */
const constantOf = (text: string | undefined): number | null => (text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : null)

type Near = { base: string; steps: string; first: string }

/** Names of the steps to a cell's neighbours, made when the spaces are. */
function nearOf(emitter: Emitter, space: number, shape: 'moore' | 'vonNeumann' | 'round', radius: number): Near {
  const base = `nt${space}${shape[0]}${String(radius).replace('.', '_')}`
  const near: Near = { base, steps: `${base}s`, first: `${base}f` }
  emitter.bound(base, `W.space(${space}).grid.near("${shape}",${radius})`)
  emitter.bound(near.steps, `${base}.steps`)
  emitter.bound(near.first, `${base}.first`)
  return near
}

/** Most neighbours with listed steps. */
const maxNeighboursListed = 120

function cellsAround(emitter: Emitter, loop: EntityLoop, items: EntityPart): string | undefined {
  const { args, name } = loop.query
  const radius = constantOf(args[0])
  const near = pairOf(emitter, args[1])
  const { space } = items
  if (radius === null || !near || !space || space.three || near.entity.space !== space) return undefined
  const shape = name === 'moore' ? 'moore' : name === 'von_neumann' ? 'vonNeumann' : 'round'
  const count =
    shape === 'moore' ? (2 * radius + 1) ** 2 - 1 : shape === 'vonNeumann' ? 2 * radius * (radius + 1) : Math.PI * radius * radius
  if (count > maxNeighboursListed || (shape !== 'round' && !Number.isInteger(radius))) return undefined
  if (near.entity.kind !== 'cell' && space.topology !== 'discrete') return undefined
  const steps = nearOf(emitter, space.index, shape, radius)
  if (near.handle !== 'self') emitter.looksFar = true
  const known = emitter.tables.get(items.index) ?? new Set()
  emitter.tables.set(items.index, known.add(steps.base))
  const c = emitter.fresh('c')
  const own = near.entity.kind === 'cell' ? near.handle : `p${near.entity.index}_bucket[${slotOf(near.entity, near.handle)}]`
  const placed = near.entity.kind === 'cell' ? '' : `if(${c}<0)X.fail(10062);`
  const body = (at: string): string => withSlot(emitter, loop, items, at)
  const isShort = loop.body.length < unrolledLength && Number.isInteger(count) && count <= unrolledCount
  return block(emitter, loop, `${there(emitter, near)}const ${c}=${own};${placed}`, overSteps(emitter, steps, c, body, isShort ? count : 0))
}

/** Runs the body for each neighbour of cell `c`. Inner cells have all their neighbours at the same steps. */
function overSteps(emitter: Emitter, near: Near, c: string, body: (at: string) => string, unroll: number): string {
  const k = emitter.fresh('k')
  const f = emitter.fresh('k')
  const at = emitter.fresh('c')
  const general = `for(let ${k}=${f}+1,e_${k}=${k}+${near.steps}[${f}];${k}<e_${k};${k}++){const ${at}=${c}+${near.steps}[${k}];${body(at)}}`
  if (unroll === 0) return `const ${f}=${near.first}[${c}];${general}`
  const each = Array.from({ length: unroll }, (_, n) => {
    const one = emitter.fresh('c')
    emitter.bound(`${near.steps}${n}`, `${near.steps}[${n + 1}]`)
    return `{const ${one}=${c}+${near.steps}${n};${body(one)}}`
  })
  return `const ${f}=${near.first}[${c}];if(${f}===0){${each.join('')}}else ${general}`
}

/** Others within a radius, in no special order. */
function neighbors(emitter: Emitter, loop: EntityLoop, items: EntityPart): string | undefined {
  const { args } = loop.query
  const near = pairOf(emitter, args[2])
  const { space } = items
  if (!near || !space || space.three || near.entity.space !== space || items.kind !== 'agent' || near.entity.kind !== 'agent')
    return undefined
  if (!isListed(emitter.checked, items)) return undefined
  const r = `R${items.index}`
  const own = slotOf(near.entity, near.handle)
  const j = emitter.fresh('j')
  const heads = emitter.fresh('heads')
  const next = emitter.fresh('next')
  const except = near.entity === items ? `if(${j}===me_${j})continue;` : ''
  const body = (test: string): string => `{${except}${test}${withSlot(emitter, loop, items, j)}}`
  const head = `${there(emitter, near)}const me_${j}=${own},${heads}=${r}.heads,${next}=${r}.next;`
  const run = (bucket: string, test: string): string => `for(let ${j}=${heads}[${bucket}];${j}>=0;${j}=${next}[${j}])${body(test)}`
  if (space.topology === 'discrete') {
    const radius = constantOf(args[0])
    if (radius === null || Math.PI * radius * radius > maxNeighboursListed) return undefined
    const steps = nearOf(emitter, space.index, 'round', radius)
    const c = emitter.fresh('c')
    return block(
      emitter,
      loop,
      `${head}const ${c}=p${near.entity.index}_bucket[me_${j}];if(${c}<0)X.fail(10062);`,
      `${run(c, '')}${overSteps(emitter, steps, c, at => run(at, ''), 0)}`,
    )
  }
  // Continuous: the buckets around, with the shift of a border that wraps.
  const v = (name: string): string => `${name}_${j}`
  const s = `S${space.index}`
  const x = `p${near.entity.index}_x[me_${j}]`
  const y = `p${near.entity.index}_y[me_${j}]`
  const test = `const ${v('ex')}=p${items.index}_x[${j}]-${v('ox')},${v('ey')}=p${items.index}_y[${j}]-${v('oy')};if(!(${v('ex')}*${v('ex')}+${v('ey')}*${v('ey')}<=${v('r2')}))continue;`
  const axis = (
    name: 'x' | 'y',
    from: string,
    count: string,
    wraps: boolean,
    size: string,
    low: string,
    side: string,
  ): { open: string; close: string } => {
    const [first, last, at, bucket, shifted] = ['f', 'l', 'a', 'b', 'o'].map(letter => v(`${letter}${name}`))
    const whole = wraps
      ? `if(${last}-${first}>=${count}){${first}=0;${last}=${count}-1;${v(`all${name}`)}=true;}`
      : `if(${first}<0)${first}=0;if(${last}>=${count})${last}=${count}-1;`
    const shift = wraps
      ? `let ${bucket}=${at},${shifted}=${from};if(${bucket}<0){${bucket}+=${count};${shifted}+=${size};}else if(${bucket}>=${count}){${bucket}-=${count};${shifted}-=${size};}`
      : `const ${bucket}=${at},${shifted}=${from};`
    return {
      open: `let ${first}=Math.floor((${from}-${v('r')}-${low})/${side}),${last}=Math.floor((${from}+${v('r')}-${low})/${side});${wraps ? `let ${v(`all${name}`)}=false;` : ''}${whole}`,
      // Small whole numbers by now, as no radius is negative: as integers they index without being converted.
      close: `for(let ${at}=${first}|0,e_${at}=${last}|0;${at}<=e_${at};${at}++){${shift}`,
    }
  }
  const ax = axis('x', v('x'), v('columns'), space.wrapX, `${s}.width`, `${s}.lowX`, `${s}.bucketSideX`)
  const ay = axis('y', v('y'), v('rows'), space.wrapY, `${s}.height`, `${s}.lowY`, `${s}.bucketSideY`)
  const few = [space.wrapX ? v('allx') : '', space.wrapY ? v('ally') : ''].filter(name => name !== '')
  // So few buckets that a neighbour could be near on both sides: then the space measures the distance itself.
  const rare =
    few.length > 0
      ? `if(${few.join('||')}){const found=${s}.scan(${r},${v('x')},${v('y')},0,${v('r')},${near.entity === items ? `me_${j}` : -1});for(let k=0;k<found.length;k++){const ${j}=found[k];${withSlot(emitter, loop, items, j)}}}else `
      : ''
  return block(
    emitter,
    loop,
    `${head}const ${v('r')}=${args[0]},${v('r2')}=${v('r')}*${v('r')},${v('x')}=${x},${v('y')}=${y},${v('columns')}=${s}.bucketColumns|0,${v('rows')}=${s}.bucketRows|0;if(p${near.entity.index}_bucket[me_${j}]<0)X.fail(10062);${constantOf(args[0]) === null ? `if(!(${v('r')}>=0))break ${loop.label};` : ''}${ax.open}${ay.open}`,
    `${rare}${ay.close}${ax.close}${run(`${v('by')}*${v('columns')}+${v('bx')}`, test)}}}`,
  )
}

/** Agents on a cell, oldest arrival first. */
function agentsOn(emitter: Emitter, loop: EntityLoop, items: EntityPart): string | undefined {
  const match = /^P(\d+), ([^]+)$/.exec(loop.query.args[0] ?? '')
  const cells = match ? emitter.checked.parts.entities[Number(match[1])] : undefined
  if (
    !cells ||
    cells.kind !== 'cell' ||
    items.space !== cells.space ||
    items.space?.topology !== 'discrete' ||
    items.space.three ||
    items.kind !== 'agent' ||
    !isListed(emitter.checked, items)
  )
    return undefined
  const [j, c] = [emitter.fresh('j'), emitter.fresh('c')]
  const r = `R${items.index}`
  const body = withSlot(emitter, loop, items, j)
  const each = `for(let ${j}=${r}.heads[${c}];${j}>=0;${j}=${r}.next[${j}]){${body}}`
  return block(emitter, loop, `const ${c}=${match![2]};if(${c}<0)X.fail(10014);`, tallied(emitter, body, j, r, c) ?? alone(each, j, r))
}

/** While no two individuals are on the same cell, successors need no look-up. */
const alone = (each: string, j: string, r: string): string =>
  each.replace(`${j}=${r}.next[${j}]`, `${j}=${r}.behind===0?-1:${r}.next[${j}]`)

/**
 * A body that only counts, `s += +flag;`, without a branch on whether an individual is there: none counts as slot 0, and
 * its flag is masked.
 */
function tallied(emitter: Emitter, body: string, j: string, r: string, c: string): string | null {
  const match = /^([\w$]+) \+= \+(\([^;{}]*\));\n$/.exec(body)
  if (!match) return null
  const [nobody, next] = [emitter.fresh('e'), emitter.fresh('next')]
  return `if(${r}.behind===0){const ${next}=${r}.heads[${c}],${nobody}=~(${next}>>31),${j}=${next}&${nobody};${match[1]} += ${match[2]} & ${nobody};}else for(let ${j}=${r}.heads[${c}];${j}>=0;${j}=${r}.next[${j}]){${body}}`
}

/** Nodes one link away, in the order of their links; each once. */
function relatives(emitter: Emitter, loop: EntityLoop, items: EntityPart): string | undefined {
  const [network, radius, weight] = loop.query.args
  const near = pairOf(emitter, loop.query.args[3])
  const links = emitter.checked.parts.entities[Number(/^P(\d+)$/.exec(network ?? '')?.[1] ?? -1)]
  if (!links || !near || radius !== '1' || weight !== 'false' || links.element.fields['directed'] === true) return undefined
  if (links.source !== items || links.target !== items || near.entity !== items || items.derived.length > 0) return undefined
  const k = emitter.fresh('k')
  const j = emitter.fresh('j')
  const nodes = emitter.fresh('nodes')
  const l = `L${links.index}`
  const name = `ln${links.index}`
  emitter.bound(name, `W.linksOf(W.population(${links.index})).nodes(W.population(${items.index}))`)
  const mayRepeat = links.element.fields['repeatable'] === true
  const twice = emitter.fresh('twice')
  const head = `${there(emitter, near)}const me_${k}=${slotOf(near.entity, near.handle)},${nodes}=${l}.nodeAt;`
  const visit = `for(let ${k}=${name}.outStart[me_${k}],e_${k}=${k}+${name}.outCount[me_${k}];${k}<e_${k};${k}++){const ${j}=${nodes}[${k}];`
  // Links side by side lead to a node that was visited already. Few nodes have such.
  if (mayRepeat)
    return block(
      emitter,
      loop,
      `${head}if(${name}.simple[me_${k}]===0)${name}.look(${l},me_${k});const ${twice}=${name}.simple[me_${k}]!==1;`,
      `${visit}if(${twice}&&(${j}===me_${k}||${l}.isBefore(${name}.outStart[me_${k}],${k},${j})))continue;${withSlot(emitter, loop, items, j)}}`,
    )
  const own = links.element.fields['selfLinks'] === true ? `if(${j}===me_${k})continue;` : ''
  return block(emitter, loop, head, `${visit}${own}${withSlot(emitter, loop, items, j)}}`)
}

/** Links of a node, oldest first: those that leave it, then of a directed network those that come; a link to itself once. */
function linksOf(emitter: Emitter, loop: EntityLoop, items: EntityPart): string | undefined {
  const near = pairOf(emitter, loop.query.args[1])
  if (!near || items.kind !== 'link' || near.entity.derived.length > 0 || items.derived.length > 0) return undefined
  if (items.source !== near.entity && items.target !== near.entity) return undefined
  const k = emitter.fresh('k')
  const j = emitter.fresh('j')
  const [ats, me, end, side] = [emitter.fresh('links'), `me_${k}`, `e_${k}`, `in_${k}`]
  const l = `L${items.index}`
  const name = `ln${items.index}_${near.entity.index}`
  emitter.bound(name, `W.linksOf(W.population(${items.index})).nodes(W.population(${near.entity.index}))`)
  const isDirected = items.element.fields['directed'] === true
  const turn = isDirected
    ? `if(${k}===${end}){if(${side})break;${side}=true;${k}=${name}.inStart[${me}];${end}=${k}+${name}.inCount[${me}];if(${k}===${end})break;}`
    : ''
  const twice = isDirected ? `if(${side}&&${l}.source[${j}]===${me}&&${l}.sourcePopulation[${j}]===${near.entity.index})continue;` : ''
  return block(
    emitter,
    loop,
    `${there(emitter, near)}const ${me}=${slotOf(near.entity, near.handle)},${ats}=${l}.linkAt;`,
    `for(let ${k}=${name}.outStart[${me}],${end}=${k}+${name}.outCount[${me}]${isDirected ? `,${side}=false` : ''};${isDirected ? '' : `${k}<${end}`};${k}++){${turn}const ${j}=${ats}[${k}];${twice}${withSlot(emitter, loop, items, j)}}`,
  )
}
