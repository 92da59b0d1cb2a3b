// The table of functions: every example is run, every row is described in both languages.
import { chinese } from '../../help/languages.ts'
import { describe, expect, it } from 'vitest'
import { rows } from '../../../sim-engine/formula/library/library.ts'
import { methods } from '../../../sim-engine/formula/library/methods.ts'
import { represent } from '../../../sim-engine/formula/runtime/show.ts'
import { bare, run } from '../../help/formulas.ts'
import { english } from '../../../model-schema/words.ts'

const repeated = (names: readonly string[]): string[] => names.filter((name, i) => names.indexOf(name) !== i)

/** The expected result is written as a formula itself; dates as they are shown. */
const expected = (result: string): string => (/^\d{4}-\d\d-\d\d$/.test(result) ? result : run(result).text)

describe('functions', () => {
  it.each(rows.flatMap(row => row.examples.map(([source, result]) => [source, result, row] as const)))(
    '%s is %s',
    (source, result, row) => {
      const ran = row.writes ? run(`return ${source}`, 'function') : run(source)
      expect(ran.text).toBe(expected(result))
    },
  )
  it('have one row each, with help in both languages', () => {
    expect(repeated(rows.map(row => row.signature.name))).toEqual([])
    for (const { words, shown } of rows) {
      expect(english(words), shown).toMatch(/^[^\u4e00-\u9fff]{5,}\.$/)
      expect(chinese(words), shown).toMatch(/[\u4e00-\u9fff].*。$/)
    }
  })
  it('name every function of the language', () => {
    const wanted =
      'abs round min max sum len sorted any all zip enumerate random uniform randint normal lognormal exponential triangular gamma beta weibull poisson binomial ' +
      'geometric bernoulli choice choices sample shuffle empirical mean median std var quantile count histogram gini entropy correlation neighbors neighbor_cells moore ' +
      'von_neumann cell_at agents_on nearest distance direction_to relatives predecessors successors link_between remove_node degree shortest_path components clustering create die filter'
    const known = new Set(rows.map(row => row.signature.name))
    expect(wanted.split(' ').filter(name => !known.has(name))).toEqual([])
  })
})

describe('methods', () => {
  it.each(methods.map(method => [method.shown, method] as const))('%s', (_, method) => {
    const [source, result] = method.example
    if (method.writes) expect(run(`${source}\nreturn x`, 'function', { scope: bare }).text).toBe(expected(result))
    else expect(run(source).text).toBe(expected(result))
  })
  it.each(methods.filter(method => !method.shown.includes('key:')).map(method => [method.shown, method] as const))(
    '%s, with a receiver of unknown type',
    (_, method) => {
      // The same example with its receiver hidden from the checker takes the road of dynamic calls.
      const [source, result] = method.example
      const lines = source.split('\n')
      const last = lines.at(-1)!
      const call = new RegExp(`^(?:y = )?(.*)\\.${method.signature.name}\\((.*)\\)$`).exec(last)!
      const program = method.writes
        ? `${lines.slice(0, -1).join('\n')}\nany = [x, None]\nany[0].${method.signature.name}(${call[2]})\nreturn x`
        : `any = [${call[1]}, None]\nreturn any[0].${method.signature.name}(${call[2]})`
      expect(run(program, 'function', { scope: bare }).text).toBe(expected(result))
    },
  )
})

describe('statistics against worked values', () => {
  it.each([
    ['std([2, 4, 4, 4, 5, 5, 7, 9])', 2],
    ['var([1, 2, 3, 4], ddof=1)', 5 / 3],
    ['quantile([1, 2, 3, 4], 0.25)', 1.75],
    ['median([4, 1, 3, 2])', 2.5],
    ['gini([0, 0, 0, 1])', 0.75],
    ['gini([1, 2, 3, 4])', 0.25],
    ['entropy([1, 1, 2, 3])', 1.5],
    ['correlation([1, 2, 3, 4], [1, 3, 2, 4])', 0.8],
  ])('%s', (source, value) => {
    expect(run(source).value).toBeCloseTo(value, 14)
  })
})

describe('what the text of a value is', () => {
  it.each([
    [1.0, '1'],
    [-0, '0'],
    [1e21, '1e+21'],
    ["it's", '"it\'s"'],
    [[1, 'a'], "[1, 'a']"],
    [null, 'None'],
  ])('%o', (value, shown) => {
    expect(represent(value)).toBe(shown)
  })
})
