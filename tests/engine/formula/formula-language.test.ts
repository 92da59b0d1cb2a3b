// What an editor asks about formulas. `|` in a text marks the cursor.
import { english } from '../../../model-schema/words.ts'
import { chinese } from '../../help/languages.ts'
import { describe, expect, it } from 'vitest'
import type { FormulaContext } from '../../../model-schema/kinds/kind.ts'
import type { Edit } from '../../../sim-engine/language.ts'
import {
  completionsAt,
  definitionAt,
  fixesFor,
  hoverAt,
  referencesIn,
  renameIn,
  renameLocal,
  rows,
  signatureAt,
  signatureWords,
  typeWords,
} from '../../../sim-engine/language.ts'
import { expressionParser, programParser } from '../../../sim-engine/language.ts'
import { check, scope } from '../../help/formulas.ts'

function at(marked: string): [text: string, pos: number] {
  const pos = marked.indexOf('|')
  return [marked.slice(0, pos) + marked.slice(pos + 1), pos]
}

const apply = (text: string, edits: readonly Edit[]): string =>
  edits.toSorted((a, b) => b.from - a.from).reduce((made, { from, to, insert }) => made.slice(0, from) + insert + made.slice(to), text)

const labels = (marked: string, context: FormulaContext = 'expression'): string[] =>
  completionsAt(...at(marked), context, scope).items.map(item => item.label)

describe('completion', () => {
  it.each<[string, string, FormulaContext?]>([
    ['en|', 'energy'],
    ['1 + |', 'total'],
    ['so|', 'sorted'],
    ['self.|', 'energy'],
    ['self.en| + 1', 'energy'],
    ['leader.|', 'friend'],
    ['Wolf.|', 'count'],
    ['label.|', 'upper'],
    ['scores.|', 'index'],
    ['sum(w.| for w in Wolf)', 'energy'],
    ['sum(w| for wolf in Wolf)', 'wolf'],
    ['[a.| for a in neighbors(2)]', 'happy'],
    ['sorted(Wolf, key=lambda w: w.|)', 'energy'],
    ['p|', 'pi'],
    ['no|', 'not'],
    ['neighbors(|)', 'radius='],
    ['neighbors(2, |', 'of='],
    ['date(2026).|', 'year'],
    ['mine = 1\nm|', 'mine', 'program'],
    ['wh|', 'while', 'program'],
    ['for w in Wolf:\n  w.|', 'energy', 'program'],
    ['total = leader.|\nflag = True', 'energy', 'program'],
    ['f"{self.|}"', 'energy'],
    ['(self.|', 'energy'],
    ['stock["a"].|x', 'missing'],
  ])('%s offers %s', (marked, expected, context) => {
    if (expected === 'missing') expect(labels(marked, context)).not.toContain('energy')
    else expect(labels(marked, context)).toContain(expected)
  })
  it('offers nothing inside text, numbers and comments', () => {
    for (const marked of ['"en|"', '12|', '1 # en|', "'it|s'"]) expect(labels(marked)).toEqual([])
  })
  it('tells how a function is called, with help and an example', () => {
    const found = completionsAt(...at('sor|'), 'expression', scope)
    expect(found).toMatchObject({ from: 0, to: 3 })
    const item = found.items.find(({ label }) => label === 'sorted')
    expect(item).toMatchObject({ kind: 'library', insert: 'sorted(|)', detail: expect.stringContaining('reverse: bool') })
    expect(item?.words && chinese(item.words)).toContain('升序')
    expect(item?.example).toEqual(['sorted([3, 1, 2], reverse=True)', '[3, 2, 1]'])
  })
  it('a local hides what it shadows', () => {
    const items = completionsAt(...at('[total for total in scores if |]'), 'expression', scope).items.filter(
      ({ label }) => label === 'total',
    )
    expect(items).toEqual([{ label: 'total', kind: 'local', detail: 'number' }])
  })
})

describe('hover', () => {
  it.each([
    ['ener|gy', 'energy', 'number'],
    ['self.hap|py', 'happy', 'bool'],
    ['so|rted(scores)', 'sorted(items: items of T, key: function of T = None, reverse: bool = False) -> list of T', 'list'],
    ['label.up|per()', 'upper() -> text', 'text'],
    ['[w| for w in Wolf]', 'w', 'entity'],
    ['sum(1 for |w in Wolf)', 'w', 'entity'],
    ['p|i', 'pi', 'number'],
    ['1 |+ "a"', '1 + "a"', 'any'],
    ['Wo|lf', 'Wolf', 'observer'],
  ])('%s', (marked, title, type) => {
    expect(hoverAt(...at(marked), 'expression', scope)).toMatchObject({ title, type })
  })
})

describe('signature help', () => {
  it.each([
    ['sqrt(|)', 'sqrt', 0],
    ['uniform(1, |', 'uniform', 1],
    ['uniform(1, |)', 'uniform', 1],
    ['max(1, 2, 3|)', 'max', 1],
    ['sorted(scores, reverse=|', 'sorted', 2],
    ['sqrt(abs(|))', 'abs', 0],
    ['sqrt(abs(1) + |)', 'sqrt', 0],
    ['clamp(max(1, 2), [3, 4][0], |)', 'clamp', 2],
    ['clamp("a, b", |', 'clamp', 1],
    ['double(1, |', 'double', 1],
    ['scores.index(|', 'index', 0],
    ['sqrt(1, |', 'sqrt', -1],
  ])('%s', (marked, name, active) => {
    expect(signatureAt(...at(marked), 'expression', scope)).toMatchObject({ name, active })
  })
  it('none outside calls', () => {
    for (const marked of ['sqrt|(1)', '|', '(1 + |2)', 'sqrt(1)|']) expect(signatureAt(...at(marked), 'expression', scope)).toBeNull()
  })
})

describe('types in Chinese', () => {
  it.each([
    ['number', '数值'],
    ['list of list of number', '数值列表列表'],
    ['dict of text to list of number', '字典（文本 → 数值列表）'],
    ['tuple (number, text)', '元组（数值、文本）'],
    ['entities of P', 'P多个实体'],
    ['population as L', '群体'],
    ['T', 'T'],
    ['None', 'None'],
  ])('%s is %s', (shown, inChinese) => {
    expect(chinese(typeWords(shown))).toBe(inChinese)
    expect(english(typeWords(shown))).toBe(shown)
  })

  it('the names of a signature stay as they are written in formulas', () => {
    expect(chinese(signatureWords('sorted(items: items of T, key: function of T = None, reverse: bool = False) -> list of T'))).toBe(
      'sorted(items: T序列, key: T函数 = None, reverse: 布尔值 = False) -> T列表',
    )
    expect(chinese(signatureWords('Wolf_age(x, y)'))).toBe('Wolf_age(x, y)')
  })

  it('there is one for every type in the library', () => {
    for (const { shown } of rows)
      expect(chinese(signatureWords(shown)).replace(/\w+(?=[:(])|= \S+|[TKVPL]|Cells|Nodes|->/g, '')).not.toMatch(/[a-z]{2}/)
  })
})

describe('references, rename, definition', () => {
  const program = 'total = total + self.energy\nfor w in Wolf:\n  w.energy += energy\nprint(f"{total}")'
  it('finds every mention, reads and writes', () => {
    expect(referencesIn(program, 'program', scope, 'total').map(({ from, writes }) => [from, writes])).toEqual([
      [0, true],
      [8, false],
      [program.indexOf('{total') + 1, false],
    ])
    expect(referencesIn(program, 'program', scope, 'wolf-energy')).toHaveLength(3)
    expect(referencesIn('[energy for energy in scores]', 'expression', scope, 'wolf-energy')).toEqual([])
  })
  it('rename leaves everything else alone', () => {
    expect(apply(program, renameIn(program, 'program', scope, 'wolf-energy', 'force').edits)).toBe(program.replaceAll('energy', 'force'))
    expect(renameIn('[total + w for w in scores]', 'expression', scope, 'total', 'w').clash).toBe(true)
    expect(renameIn('[total + w for w in scores]', 'expression', scope, 'total', 'v').clash).toBe(false)
  })
  it('renames a local where it lives', () => {
    const [text, pos] = at('[w + |total for total in scores] + [total]')
    expect(apply(text, renameLocal(text, pos, 'expression', scope, 't'))).toBe('[w + t for t in scores] + [total]')
    const [twice, second] = at('a = 1\nif |a: a = a + 1\ntotal = a')
    expect(apply(twice, renameLocal(twice, second, 'program', scope, 'b'))).toBe('b = 1\nif b: b = b + 1\ntotal = b')
  })
  it('definition: an element, or the place that binds a local', () => {
    expect(definitionAt(...at('1 + ener|gy'), 'expression', scope)).toEqual({ id: 'wolf-energy' })
    expect(definitionAt(...at('self.ener|gy'), 'expression', scope)).toEqual({ id: 'wolf-energy' })
    expect(definitionAt(...at('[w|.x for w in Wolf]'), 'expression', scope)).toEqual({ from: 9, to: 10 })
    expect(definitionAt(...at('a = 1\na = 2\ntotal = a|'), 'program', scope)).toEqual({ from: 0, to: 1 })
    expect(definitionAt(...at('sq|rt(1)'), 'expression', scope)).toBeNull()
  })
})

describe('quick fixes', () => {
  it.each<[string, string, FormulaContext?]>([
    ['totl + 1', 'total + 1'],
    ['self.enrgy', 'self.energy'],
    ['flag && happy', 'flag  and  happy'],
    ['flag || happy', 'flag  or  happy'],
    ['!flag', 'not flag'],
    ['1 <> 2', '1 != 2'],
    ['（1）', '(1)'],
    ['1 ＋ 2', '1 + 2'],
    ['total = 3', 'total == 3'],
    ['sum([1, 2]', 'sum([1, 2])'],
    ['if flag\n  total = 1', 'if flag:\n  total = 1', 'program'],
  ])('%s becomes %s', (source, mended, context) => {
    const [problem] = check(source, context).problems
    const [fix] = fixesFor(problem!, source)
    expect(apply(source, fix!.edits)).toBe(mended)
    expect(chinese(fix!.title)).toMatch(/[\u4e00-\u9fff]/)
    expect(check(mended, context).problems).toEqual([])
  })
})

describe('the parsers', () => {
  it('are Lezer parsers an editor can wrap', () => {
    expect(String(expressionParser.parse('1 +\n2'))).toBe('Formula(BinaryExpression(Number,ArithOp,Number))')
    expect(String(programParser.parse('if a:\n  b = 1\n'))).toBe(
      'Program(IfStatement(if,VariableName,Body(":",AssignStatement(VariableName,AssignOp,Number))))',
    )
  })
})
