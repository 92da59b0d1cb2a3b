// The code of what only looks: statistics, chart series, the stop condition.
import { keyOf } from '../check/names/keys.ts'
import type { Parts, StatisticPart } from '../check/parts.ts'
import { rowsOf } from '../check/resolve.ts'
import { handleOf } from './emitter.ts'
import type { Emitter, Surroundings } from './emitter.ts'

/** `st3()`: the value of statistic 3 now. */
export function emitStatistic(emitter: Emitter, statistic: StatisticPart): string {
  const key = (field: string): string => `t${statistic.index}/${field}`
  const name = `st${statistic.index}`
  const aggregate = String(statistic.element.fields['aggregate'] ?? 'last')
  if (!statistic.over) {
    const around: Surroundings = { self: '-1', stream: statistic.id }
    return `function ${name}(){return ${emitter.value(key('expression'), around)};}`
  }
  const around: Surroundings = { self: 'self', stream: statistic.id, captured: ['self'] }
  const filter = emitter.has(key('filter')) ? `if(!(${emitter.value(key('filter'), around)}))continue;` : ''
  const value = emitter.has(key('expression')) ? emitter.value(key('expression'), around) : '1'
  const group = emitter.has(key('group')) ? emitter.value(key('group'), around) : null
  const numeric = emitter.typeOf(key('expression')).is === 'number' || emitter.typeOf(key('expression')).is === 'bool'
  const number = numeric ? `+(${value})` : `X.number(${value})`
  const all = [statistic.over, ...statistic.over.derived]
  const [over] = all
  // The individuals of derived populations are individuals of the base: the base's properties are theirs, by name.
  if (!over || all.length > 1)
    return `function ${name}(){return X.aggregateMixed(${JSON.stringify(aggregate)},X.mixed([${all.map(one => `P${one.index}`).join(',')}]),null);}`
  const p = over.index
  const each = (body: string): string => {
    const text =
      over.kind === 'cell'
        ? `for(let self=0,n=P${p}.count;self<n;self++){${filter}${body}}`
        : `for(let k=0,n=P${p}.livingCount,a=P${p}.living;k<n;k++){const i=a[k];const self=${handleOf(over, 'i')};if(self<0)continue;${filter}${body}}`
    return over.kind === 'cell' ? text : text.replaceAll(/\bself&16777215\b/g, 'i')
  }
  if (group)
    return `function ${name}(){const groups=new Map();${each(`X.group(groups,${group},${value});`)}return X.aggregateGroups(${JSON.stringify(aggregate)},groups,${quantileOf(statistic)});}`
  switch (aggregate) {
    case 'count':
      return `function ${name}(){let c=0;${each(emitter.has(key('expression')) && emitter.typeOf(key('expression')).is === 'bool' ? `if(${value})c++;` : 'c++;')}return c;}`
    case 'sum':
      return `function ${name}(){let s=0;${each(`s+=${number};`)}return s;}`
    case 'mean':
    case 'last':
      return `function ${name}(){let s=0,c=0;${each(`s+=${number};c++;`)}return c>0?s/c:null;}`
    case 'min':
      return `function ${name}(){let m=Infinity;${each(`const v=${number};if(v<m)m=v;`)}return m===Infinity?null:m;}`
    case 'max':
      return `function ${name}(){let m=-Infinity;${each(`const v=${number};if(v>m)m=v;`)}return m===-Infinity?null:m;}`
    default:
      return `function ${name}(){const values=[];${each(`values.push(${aggregate === 'list' ? value : number});`)}return X.aggregate(${JSON.stringify(aggregate)},values,${quantileOf(statistic)});}`
  }
}

const quantileOf = (statistic: StatisticPart): number => Number(statistic.element.fields['quantile'] ?? 0.5)

/** Functions of the chart series, in the order of `Loaded.charts`: a list of lists, and the x axes. */
export function emitCharts(emitter: Emitter, parts: Parts): { js: string; table: string; axes: string } {
  const lines: string[] = []
  const axes: string[] = []
  const table = parts.charts.map((chart, c) => {
    const around: Surroundings = { self: '-1', stream: chart.id }
    const x = keyOf({ id: chart.id, entity: null }, 'x')
    axes.push(emitter.has(x) ? `()=>${emitter.value(x, around)}` : 'null')
    return rowsOf(chart, 'series').map((_, k) => {
      const key = keyOf({ id: chart.id, entity: null }, `series/${k}/value`)
      // A series without an expression gives null: the chart draws nothing for it.
      lines.push(`function ch${c}_${k}(){return ${emitter.has(key) ? emitter.value(key, around) : 'null'};}`)
      return `ch${c}_${k}`
    })
  })
  return { js: lines.join('\n'), table: `[${table.map(names => `[${names.join(',')}]`).join(',')}]`, axes: `[${axes.join(',')}]` }
}
