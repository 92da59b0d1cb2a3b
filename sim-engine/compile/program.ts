// Putting a program together: the functions, then whatever they mention declared before them, then the entry points.
import type { CheckedModel } from '../check/checked.ts'
import { keyOf } from '../check/names/keys.ts'
import type { Type } from '../formula.ts'
import type { FunctionPart, ProcessPart } from '../check/parts.ts'
import { cellText, rowsOf } from '../check/resolve.ts'
import { shelf } from '../check/scopes.ts'
import { boxedJs } from '../steps/boxed.ts'
import { componentOf, Emitter } from './emitter.ts'
import type { Stencil } from '../stencil/lower.ts'
import type { Debug, Seen, Sought, Spot, Surroundings } from './emitter.ts'
import { dependencyOrder, idsRead } from './order.ts'
import { blankValue, committed, containerArguments, emitPopulation, generateJs, initialValue, populateJs, tickJs } from './populations.ts'
import { emitProcess, isTicked, placeOf, setInitials } from './process.ts'
import { routinesJs } from './routines.ts'
import { beginJs, emitTimer } from './starts.ts'
import { emitCharts, emitStatistic } from './watch.ts'

type Emitted = {
  source: string
  places: { id: string; field: string }[]
  /** Built-in columns the text mentions, as `p3_color`. */
  mentions: ReadonlySet<string>
  /** Processes without tokens. */
  rows: ReadonlySet<number>
  /** Debug build: the variables shown before a statement, by place and where it begins: `12 30`. */
  seen: ReadonlyMap<string, Seen>
  /** Metered build: what time is counted for, by number. */
  spots: readonly Spot[]
  /** Rules of simultaneous cells for many at once, by population. */
  stencils: ReadonlyMap<number, Stencil>
  /** Populations of cells of which only those are visited that may change. */
  active: ReadonlySet<number>
  /** What codes in columns of words mean. */
  words: readonly (string | null)[]
}

export function emitAll(checked: CheckedModel, debug: Debug | null, metered: boolean, sought: Sought | null): Emitted {
  const emitter = new Emitter(checked, debug, metered, sought)
  const { parts } = checked
  checked.scopes.pending.clear()
  for (const process of parts.processes) setInitials(process, rowInitials(emitter, process))
  const rows = new Set<number>()
  const bodies = new Map<number, string>()
  const codes = parts.processes.map(process => {
    const code = emitProcess(emitter, process)
    if (code.row) rows.add(process.index)
    if (code.body !== null) bodies.set(process.index, code.body)
    return code.js
  })
  const populations = parts.entities.map(entity => emitPopulation(emitter, entity))
  const functions = parts.functions.map(fn => emitFunction(emitter, fn))
  const timers = parts.processes.map(process => emitTimer(emitter, process))
  const statistics = emitter.looking(() => parts.statistics.map(statistic => emitStatistic(emitter, statistic)))
  const charts = emitter.looking(() => emitCharts(emitter, parts))
  const stop = emitter.looking(() =>
    emitter.value(keyOf({ id: parts.scenario.id, entity: null }, 'stopWhen'), { self: '-1', stream: parts.scenario.id }, 'false'),
  )
  const shared = sharedJs(emitter)
  const ticked = parts.processes
    .filter(process => isTicked(process, placeOf(emitter, process)))
    .map(process => ({ process, row: rows.has(process.index), body: bodies.get(process.index) ?? null }))
  const tick = [
    ...ticked
      .filter(({ process }) => process.level === 'global')
      .map(({ process, row }) => (row ? `who=-1;me=-1;F.refuel();q${process.index}();` : `K.spawn(${process.index},-1);`)),
    ...parts.entities.map(entity => tickJs(emitter, entity, ticked)),
  ]
  const places = [...parts.entities].sort((a, b) => rank(a.kind) - rank(b.kind))
  const body = [
    ...populations,
    ...functions,
    ...codes.filter(text => text !== ''),
    ...timers.filter(text => text !== ''),
    ...statistics,
    charts.js,
    `function early(given){${shared.early}}`,
    `function late(given){${shared.late}}`,
    `function containers(){${containersJs(emitter)}}`,
    `function populate(){${places.map(entity => populateJs(emitter, entity)).join('\n')}${places.map(entity => generateJs(emitter, entity)).join('\n')}}`,
    `function begin(){${beginAllJs(emitter)}${debug ? '' : [...emitter.firsts.values()].join('')}}`,
    `function tick(){setLate();${tick.join('\n')}}`,
    `function commit(){X.pending=false;X.stirred=false;${[...emitter.commits.values()].join('')}${[...checked.scopes.pending]
      .filter(variable => !emitter.commits.has(variable.entity?.index ?? -1))
      .map(committed)
      .join('')}}`,
    ...lateJs(emitter),
    ...(parts.chains.length + parts.contracts.length > 0 ? chainJs(emitter) : ['const chains=[],contracts=[];']),
    ...routinesJs(emitter, rows),
    `function stop(){return ${stop};}`,
    `function bounds(){return [${parts.spaces.map(space => `[${['minX', 'maxX', 'minY', 'maxY', 'minZ', 'maxZ'].map(field => emitter.value(keyOf({ id: space.id, entity: null }, field), { self: '-1', stream: space.id }, '0')).join(',')}]`).join(',')}];}`,
  ]
  const looks = emitter.watches(null, ({ inferred }) => emitter.look(inferred, { self: '-1', stream: parts.scenario.id }))
  let text = [...emitter.declarations, ...body].join('\n')
  text += `\nfunction properties(){${/\bW\.(?:get|set|setOwn)\(|\bF\.(?:member|get|set)\w*\(/.test(text) ? propertiesJs(emitter) : ''}}`
  const kept = keepMentioned(text)
  const head = declarations(emitter, kept)
  // Where ticks are made of rows they may run elsewhere, on what they mention.
  const lent = [...head.names, ...Array.from(kept.matchAll(/^const (\w+) = Float64Array/gm), ([, name = '']) => name)]
  const lend =
    debug || metered || ticked.length === 0 || ticked.some(({ row }) => !row)
      ? ''
      : `,lend:()=>({X,at,who,me${lent.map(name => `,${name}`).join('')}})`
  const acts =
    lend === ''
      ? ''
      : `,acts:{${actsJs(
          emitter,
          ticked.map(({ process }) => process),
        )}}`
  // Tokens that run elsewhere write next values of cells, too.
  const nexts = [...checked.scopes.pending]
    .filter(({ entity }) => entity?.kind === 'cell' && parts.processes.some(({ index }) => !rows.has(index)))
    .map(({ entity, index }) => `p${entity!.index}_n${index}`)
    .map(name => `get ${name}(){return ${name};},set ${name}(to){${name}=to;}`)
  const loops = [...emitter.stencils.keys()].map(p => `${p}:{each:each${p},commit:commitEach${p}}`).join(',')
  const entry = `return{cells:{${loops}},early,late,containers,chains,contracts,populate,begin,tick,commit,commitLate,stop,bounds,bind,run,prepare,copy,copyOut,receive,returned,conditions,fits,interrupt,limits,births,deaths,fired,statistics:[${statistics.map((_, k) => `st${k}`).join(',')}],charts:${charts.table},axes:${charts.axes},intervals,timers,schedules,maximums,release,properties,orderOf:()=>[who,who<0||me<0?me:Math.max(me,W.population(who).handles[me])],place:()=>at,setPlace(n){at=n;},setActor(p,i){who=p;me=i;},nexts:{${nexts.join(',')}}${lend}${acts}${looks === 'null' ? '' : `,looks:${looks}`}};`
  return {
    source: `"use strict";\n${head.js}\n${kept}\n${entry}`,
    places: emitter.places,
    mentions: head.mentions,
    rows,
    seen: emitter.seen,
    spots: emitter.spots,
    stencils: emitter.stencils,
    active: new Set(emitter.firsts.keys()),
    words: emitter.words.texts,
  }
}

/** The parts of a tick, each as a function of its own. At the end of a tick all next values take effect: none has to be listed. */
function actsJs(emitter: Emitter, ticked: readonly ProcessPart[]): string {
  const { parts, scopes } = emitter.checked
  const unlisted = [...new Set(Array.from(emitter.late, ({ entity }) => `late${entity!.index}.length=0;`))].join('')
  const once = ticked
    .filter(({ level }) => level !== 'individual')
    .map(({ index, level }) => `q${index}(){${unlisted}${level === 'global' ? 'who=-1;me=-1;F.refuel();' : ''}q${index}();}`)
  const each = parts.entities
    .filter(entity => ticked.some(process => process.level === 'individual' && process.entity === entity))
    .filter(({ index }) => !emitter.firsts.has(index))
    .map(({ index }) => `each${index}(){${unlisted}who=${index};each${index}();}`)
  const boxed = [...scopes.pending].filter(({ storage, type }) => storage === 'any' && type.is !== 'text')
  const commits = parts.entities.flatMap(entity => {
    const mine = boxed.filter(variable => variable.entity === entity)
    return mine.length > 0 ? [`commit${entity.index}(){${mine.map(committed).join('')}}`] : []
  })
  return [...once, ...each, ...commits].join(',')
}

/** What was set between ticks takes effect; the dead have no texts, lists and the like. */
function lateJs({ late }: Emitter): string[] {
  const populations = [...new Set(Array.from(late, ({ entity }) => entity!))]
  const commits = populations.map(entity => {
    const p = entity.index
    const copied = [...late]
      .filter(variable => variable.entity === entity)
      .map(
        ({ index, storage }) =>
          `${storage === 'any' && entity.kind !== 'cell' ? `if(p${p}_h[i]>=0)` : ''}p${p}_v${index}[i]=p${p}_n${index}[i];`,
      )
    return `for(const i of late${p}){${copied.join('')}}`
  })
  return [
    ...populations.map(({ index }) => `const late${index}=[];`),
    // Empties the lists of an instant that was broken off before its commit.
    `function setLate(){if(X.pending)return;X.pending=true;${populations.map(({ index }) => `late${index}.length=0;`).join('')}}`,
    `function commitLate(){if(!X.pending)return;X.pending=false;${commits.join('')}}`,
  ]
}

const rank = (kind: string): number => (kind === 'cell' ? 0 : kind === 'agent' ? 1 : 2)

/** Row mode: first values of the temporaries, which are locals there. */
function rowInitials(emitter: Emitter, process: ProcessPart): string {
  const around: Surroundings = {
    self: process.level === 'individual' ? 'self' : '-1',
    stream: componentOf(process, process.id),
    captured: process.level === 'individual' ? ['self'] : [],
  }
  return process.temporaries
    .map(variable => `tv${variable.index}=${initialValue(emitter, variable, around).replaceAll(/tc(\d+)\[t\]/g, 'tv$1')};`)
    .join('')
}

function emitFunction(emitter: Emitter, fn: FunctionPart): string {
  const individual = fn.level === 'individual'
  const around: Surroundings = {
    self: individual ? 'self' : '-1',
    stream: componentOf(fn, fn.id),
    captured: [...(individual ? ['self'] : []), ...fn.parameters.map((_, k) => `a${k}`)],
    parameters: fn.parameters.map(({ name, type }, k) => ({ name, js: `a${k}`, type })),
  }
  const defaults = fn.parameters
    .map(({ key }, k) =>
      key === null ? '' : `if(a${k}===undefined)a${k}=${emitter.value(keyOf(fn, key.slice(key.indexOf('/') + 1)), around)};`,
    )
    .join('')
  return `function fn${fn.index}(${['self', ...fn.parameters.map((_, k) => `a${k}`)].join(',')}){${emitter.betweenTicks(() => `${defaults}${emitter.statements(keyOf(fn, 'body'), around)}`)}return null;}`
}

/** First values of what exists once. Those that look at entities wait until there are some. */
function sharedJs(emitter: Emitter): { early: string; late: string } {
  const { checked } = emitter
  const entityIds = new Set(checked.parts.entities.map(entity => entity.id))
  const lateOnes = new Set<string>()
  const early: string[] = []
  const late: string[] = []
  for (const variable of dependencyOrder(checked, checked.parts.shared)) {
    const formula = checked.formulas.get(variable.initialKey)
    const ids = idsRead(checked, formula)
    const waits =
      [...ids].some(id => entityIds.has(id) || lateOnes.has(id)) || (formula?.inferred.calls.some(name => entityCalls.has(name)) ?? false)
    const js = `${shelf(variable)}[${variable.index}]=${initialValue(emitter, variable, { self: '-1', stream: variable.id })};`
    if (waits) {
      lateOnes.add(variable.id)
      early.push(`${shelf(variable)}[${variable.index}]=${blankValue(variable)};given(${variable.index});`)
      late.push(`${js}given(${variable.index});`)
    } else early.push(`${js}given(${variable.index});`)
  }
  return { early: early.join(''), late: late.join('') }
}

const entityCalls = new Set([
  'create',
  'agents_on',
  'cell_at',
  'components',
  'clustering',
  'degree',
  'link_between',
  'shortest_path',
  'connect',
])

function containersJs(emitter: Emitter): string {
  return emitter.checked.parts.containers
    .filter(container => container.level !== 'individual')
    .map(
      container =>
        `C${container.index}=X.newContainer(${container.index},${containerArguments(emitter, container, { self: '-1', stream: container.id })});`,
    )
    .join('')
}

function beginAllJs(emitter: Emitter): string {
  const { parts } = emitter.checked
  const lines = [
    beginJs(
      emitter,
      parts.processes.filter(process => process.level === 'global'),
      '-1',
      '-1',
    ),
  ]
  for (const entity of parts.entities) {
    lines.push(
      beginJs(
        emitter,
        entity.processes.filter(process => process.level === 'observer'),
        String(entity.index),
        '-1',
      ),
    )
    if (entity.processes.some(process => process.level === 'individual')) {
      const p = entity.index
      lines.push(
        entity.kind === 'cell'
          ? `for(let i=0,n=P${p}.count;i<n;i++)begin${p}(i,i);`
          : `for(let k=0,n=P${p}.livingCount;k<n;k++){const i=P${p}.living[k];begin${p}(p${p}_h[i],i);}`,
      )
    }
  }
  return lines.join('')
}

/** What chains and contracts begin with. */
function chainJs(emitter: Emitter): string[] {
  const { chains, contracts } = emitter.checked.parts
  const value = (part: { id: string }, field: string, otherwise: string): string => {
    const key = keyOf({ id: part.id, entity: null }, field)
    return emitter.has(key) ? boxedJs(emitter, emitter.typeOf(key), emitter.value(key, { self: '-1', stream: part.id })) : otherwise
  }
  const ofChains = chains.map(part => {
    const accounts = rowsOf(part.element, 'accounts').map(
      (row, k) => `{name:${JSON.stringify(cellText(row, 'name'))},balance:${value(part, `accounts/${k}/balance`, '0')}}`,
    )
    return `{accounts:()=>[${accounts.join(',')}],blockTime:()=>${value(part, 'blockTime', '1')}}`
  })
  const ofContracts = contracts.map(part => `()=>({values:${value(part, 'arguments', '[]')},value:${value(part, 'value', '0')}})`)
  return [`const chains=[${ofChains.join(',')}];`, `const contracts=[${ofContracts.join(',')}];`]
}

/** Properties by name, for entities of a population that is known only while running. */
function propertiesJs(emitter: Emitter): string {
  const { checked } = emitter
  return checked.parts.entities
    .map(entity => {
      if (entity.form === 'observer') return ''
      const scope = checked.scopes.at({ level: 'individual', entity, process: null, buffered: null })
      const type = { is: 'entity', of: entity.id, sure: true } as const
      const boxed = (value: string, of: Type): string => {
        const other = of.is === 'entity' ? checked.scopes.entity(of.of) : undefined
        return other ? `W.ref(P${other.index},${value})` : value
      }
      const unboxed = (of: Type): string => {
        const other = of.is === 'entity' ? checked.scopes.entity(of.of) : undefined
        return other ? `W.handle(P${other.index},v,0,0)` : of.is === 'number' ? 'X.number(v)' : 'v'
      }
      return [...scope.members(type)]
        .map(({ name }) => scope.find(name))
        .filter(symbol => symbol !== undefined)
        .filter(symbol => symbol.kind === 'variable' || (symbol.kind === 'builtin' && symbol.type.is !== 'element'))
        .map(symbol => {
          const isPrivate = entity.variables.some(variable => variable.name === symbol.name && !variable.public)
          const write = symbol.write ? `,write(h,v){${symbol.write('h', unboxed(symbol.type))}}${isPrivate ? ',isPrivate:true' : ''}` : ''
          return `P${entity.index}.properties.set(${JSON.stringify(symbol.name)},{read:h=>${boxed(symbol.read('h'), symbol.type)}${write}});`
        })
        .join('')
    })
    .join('')
}

/** Leaves out the statements between `if NAME` and `end` when nothing else mentions the name. */
function keepMentioned(text: string): string {
  const pattern = /\/\*if (\w+)\*\/([^]*?)\/\*end\*\//g
  const mentioned = new Set(text.replaceAll(pattern, ' ').match(/\w+/g))
  return text.replaceAll(pattern, (_, name: string, statement: string) => (mentioned.has(name) ? statement : ''))
}

/** Declares what the text mentions and re-reads what may be replaced. */
function declarations(emitter: Emitter, text: string): { js: string; mentions: Set<string>; names: string[] } {
  const mentions = new Set(text.match(/\b(?:p\d+_\w+|[PRLSCMN]\d+|tc\d+|to\d+|live\d+|T_\w+)\b/g) ?? [])
  for (const name of Array.from(mentions))
    if (name.startsWith('live')) {
      mentions.add(`P${name.slice(4)}`)
      mentions.add(`p${name.slice(4)}_h`)
    }
  for (const name of Array.from(mentions)) if (/^p\d+_/.test(name)) mentions.add(`P${/\d+/.exec(name)![0]}`)
  const sorted = [...mentions].sort()
  const lets: string[] = []
  const bind: string[] = []
  const rebinds = new Map<string, string[]>()
  const tokenLines: string[] = []
  const helpers: string[] = []
  const { parts } = emitter.checked
  for (const name of sorted) {
    const number = /\d+/.exec(name)?.[0] ?? ''
    if (/^P\d+$/.test(name)) bind.push(`${name}=W.population(${number});`)
    else if (/^R\d+$/.test(name)) bind.push(`${name}=W.residents(W.population(${number}));`)
    else if (/^L\d+$/.test(name)) bind.push(`${name}=W.linksOf(W.population(${number}));`)
    else if (/^S\d+$/.test(name)) bind.push(`${name}=W.space(${number});`)
    else if (/^M\d+$/.test(name)) bind.push(`${name}=${number};`)
    else if (/^N\d+$/.test(name)) bind.push(`${name}=X.networkAt(${number});`)
    else if (/^C\d+$/.test(name))
      bind.push(parts.containers[Number(number)]?.level === 'individual' ? `${name}=X.containerSets[${number}];` : '')
    else if (/^tc\d+$/.test(name)) tokenLines.push(`${name}=K.tokens.columns[${number}].data;`)
    else if (/^to\d+$/.test(name)) bind.push(`${name}=X.outputOf(${number});`)
    else if (name.startsWith('T_')) tokenLines.push(`${name}=K.tokens.${name.slice(2)};`)
    else if (name.startsWith('live')) {
      const cell = parts.entities[Number(number)]?.kind === 'cell'
      helpers.push(`function ${name}(h,a,b){return ${cell ? 'h>=0' : `p${number}_h[h&16777215]===h`}?h:W.live(P${number},h,a,b);}`)
      continue
    } else {
      const lines = rebinds.get(number) ?? []
      rebinds.set(number, lines)
      lines.push(columnBinding(name, number))
    }
    lets.push(name)
  }
  for (const [name, js] of emitter.bindings) {
    lets.push(name)
    bind.push(`${name}=${js};`)
  }
  const numbered = [...rebinds].map(
    ([number, lines]) =>
      `P${number}.onRebind(()=>{${lines.join('')}${emitter.commits.has(Number(number)) && !emitter.stencils.has(Number(number)) ? `full${number}=true;` : ''}});`,
  )
  const streams = emitter.streams().map(([name, component]) => `${name}=W.stream(${JSON.stringify(component)})`)
  return {
    mentions,
    names: [...lets, ...emitter.streams().map(([name]) => name)],
    js: [
      'const {uniform,below}=X;const {texts:words,codeOf}=W.words;const G=X.numbers,B=X.flags,A=X.others,fired=X.fired;var at=0,who=-1,me=-1;',
      'function back(value,place){at=place;return value;}',
      // Not `let`: functions would look at each access whether it has its first value yet.
      lets.length > 0 ? `var ${lets.join(',')};` : '',
      streams.length > 0 ? `const ${streams.join(',')};` : '',
      `function bind(){${[...bind, ...numbered].join('')}${tokenLines.length > 0 ? `K.tokens.onRebind(()=>{${tokenLines.join('')}});` : ''}}`,
      ...helpers,
    ].join('\n'),
  }
}

/** How a column's variable is read again after its array was replaced. */
function columnBinding(name: string, p: string): string {
  const column = name.slice(name.indexOf('_') + 1)
  if (/^n\d+$/.test(column)) {
    // Next values: what is pending stays, newcomers start from what is there.
    const now = `p${p}_v${column.slice(1)}`
    return `{const old=${name};${name}=P${p}.columns.get("v${column.slice(1)}").data.slice();if(old&&X.pending)for(let k=0;k<old.length;k++)${name}[k]=old[k];}/*${now}*/`
  }
  const direct: Readonly<Record<string, string>> = {
    h: `P${p}.handles`,
    id: `P${p}.ids`,
    x: `W.residents(P${p}).x`,
    y: `W.residents(P${p}).y`,
    z: `W.residents(P${p}).z`,
    heading: `W.residents(P${p}).heading`,
    bucket: `W.residents(P${p}).bucket`,
    weight: `W.linksOf(P${p}).weight`,
  }
  return `${name}=${direct[column] ?? `P${p}.columns.get(${JSON.stringify(column)}).data`};`
}
