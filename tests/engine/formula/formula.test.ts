// What formulas give and what is wrong with them, from the case files: one formula a line, or programs between ---.
import { chinese } from '../../help/languages.ts'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { formulaProblem, parseFormula } from '../../../sim-engine/formula.ts'
import { bare, check, outcome, run } from '../../help/formulas.ts'
import { english } from '../../../model-schema/words.ts'

const cases = (name: string): string => readFileSync(new URL(`../../cases/formula/${name}.txt`, import.meta.url), 'utf8')

function lines(name: string): [source: string, expected: string][] {
  return cases(name)
    .split('\n')
    .flatMap((line): [string, string][] => {
      const arrow = line.lastIndexOf(' => ')
      return line.startsWith('#') || arrow < 0 ? [] : [[line.slice(0, arrow).replaceAll('↵', '\n'), line.slice(arrow + 4)]]
    })
}

describe('expressions give what Python gives', () => {
  it.each(lines('expressions'))('%s', (source, expected) => {
    expect(outcome(source, 'expression', bare)).toBe(expected)
  })
})

describe('programs give what Python gives', () => {
  const blocks = cases('programs')
    .split('\n---\n')
    .slice(1)
    .map(block => block.trimEnd().split('\n=> '))
  it.each(blocks)('%s', (source, expected) => {
    expect(outcome(source ?? '', 'function', bare)).toBe(expected)
  })
})

describe('mistakes are found where they are', () => {
  it.each(lines('mistakes'))('%s', (source, expected) => {
    expect(outcome(source)).toBe(expected)
  })
  it.each(lines('program-mistakes'))('%s', (source, expected) => {
    expect(outcome(source, 'program')).toBe(expected)
  })
  it('every message is there in Chinese', () => {
    for (const [source] of lines('mistakes'))
      for (const problem of check(source).problems) expect(chinese(problem.words)).toMatch(/[\u4e00-\u9fff]/)
  })
})

describe('errors while running say where', () => {
  it.each(lines('run-errors'))('%s', (source, expected) => {
    expect(outcome(source)).toBe(expected)
  })
})

describe('contexts', () => {
  it('an empty formula is 8001, a wrong one 8002 with its place', () => {
    const [blank] = parseFormula('  # nothing\n', 'expression').problems
    expect(formulaProblem({ id: 'a' }, blank!).code).toBe(8001)
    const [wrong] = check('1 +').problems
    expect(formulaProblem({ id: 'a', field: 'value' }, wrong!)).toMatchObject({
      code: 8002,
      at: { id: 'a', field: 'value', from: 2, to: 3 },
      kind: 'syntax',
    })
  })
  it('a condition is a truth value', () => {
    expect(run('scores', 'condition').value).toBe(true)
    expect(run('""', 'condition').value).toBe(false)
    expect(run('leader', 'condition', { variables: { leader: -1 } }).value).toBe(false)
  })
  it('a program must change something of the model', () => {
    expect(outcome('mine = 1', 'program')).toContain('must-write')
    expect(run('total = 1', 'program').variables['total']).toBe(1)
    expect(run('scores.append(4)', 'program').variables['scores']).toEqual([1, 2, 3, 4])
    expect(run('print("hi", 2)', 'program').world.printed).toEqual(['hi 2'])
    expect(run('self.energy += 5', 'program').world.energy[0]).toBe(15)
  })
  it('an expression changes nothing', () => {
    for (const source of ['scores.append(1)', 'create(Wolf)', 'deposit(1)', 'stock.clear()', 'thing.append(1)'])
      expect(outcome(source)).toContain('ERROR read-only')
  })
  it('what is kept must be finite', () => {
    for (const source of ['total = 1e308 * 10', 'thing = inf', 'scores[0] = inf', 'self.energy = inf'])
      expect(outcome(source, 'program')).toMatch(/ERROR 10015/)
    expect(run('best = inf\ntotal = min(best, 3)', 'program').variables['total']).toBe(3)
  })
  it('a function block that is one expression gives its value', () => {
    expect(run('1 + 2', 'function').value).toBe(3)
  })
})

describe('what the checker tells the engine', () => {
  it('reads, writes, draws, creation and calls', () => {
    const f = check('total = energy + uniform(0, 1)\nscores.append("a")\ncreate(Wolf, energy=double(3))', 'program')
    expect(f.problems).toEqual([expect.objectContaining({ kind: 'type-mismatch' })])
    const g = check('total = energy + uniform(0, 1)\nthing = [1]\ncreate(Wolf, energy=double(3))', 'program')
    expect(g.reads.map(symbol => symbol.name)).toEqual(expect.arrayContaining(['energy', 'double', 'Wolf']))
    expect(g.writes.map(write => [write.symbol.name, write.type.is])).toEqual([
      ['total', 'number'],
      ['thing', 'list'],
      ['energy', 'number'],
    ])
    expect(g).toMatchObject({ draws: true, mayCreate: true, calls: ['uniform', 'create'] })
    expect(g.functions.map(use => [use.symbol.name, use.args.map(type => type?.is ?? null)])).toEqual([['double', ['number', null]]])
  })
  it('a clash with the wanted type is certain or checked', () => {
    expect(english(check('"a"', 'expression', bare, { is: 'number' }).problems[0]?.words)).toBe('expected number, got text')
    expect(() => run('thing', 'expression', { expects: { is: 'number' } })).toThrow('Value is empty.')
    expect(run('True', 'expression', { expects: { is: 'number' } }).value).toBe(1)
  })
})
