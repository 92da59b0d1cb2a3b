// Plain formulas are read without the generated parser: to the same tree, position by position, and only where that one finds
// no mistake. `FUZZ=1000000 vitest run tests/engine/formula/parse-plain.test.ts` for more; a failure names its text.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { kindOf } from '../../../model-schema/kinds.ts'
import { modelOfFile, parseFile } from '../../../model-schema/file.ts'
import { parseFormula } from '../../../sim-engine/formula.ts'
import type { FormulaContext } from '../../../sim-engine/formula.ts'
import { parseAny } from '../../../sim-engine/formula/parse.ts'
import { parsePlain } from '../../../sim-engine/formula/parse-plain.ts'
import { chance } from '../../help/random.ts'
import type { Chance } from '../../help/random.ts'

const count = Number(process.env['FUZZ'] ?? 6000)
const contexts: readonly FormulaContext[] = ['expression', 'program', 'function']

const cases = (name: string): string => readFileSync(new URL(`../../cases/formula/${name}.txt`, import.meta.url), 'utf8')
const known = [
  ...cases('expressions')
    .split('\n')
    .filter(line => line.includes(' => '))
    .map(line => line.slice(0, line.lastIndexOf(' => '))),
  ...cases('programs')
    .split('\n---\n')
    .slice(1)
    .map(block => block.slice(0, block.lastIndexOf('\n=> '))),
]

/** What people wrote: the formulas of the samples. */
function written(): { text: string; context: FormulaContext }[] {
  const folder = new URL('../../../model-schema/samples/', import.meta.url)
  const found: { text: string; context: FormulaContext }[] = []
  for (const name of readdirSync(folder).filter(one => one.endsWith('.holo'))) {
    const parsed = parseFile(readFileSync(new URL(name, folder), 'utf8'))
    if (!('file' in parsed)) throw new Error(name)
    for (const { kind, fields } of modelOfFile(parsed.file).elements.values())
      for (const { id, type } of kindOf(kind)?.fields ?? []) {
        const text = fields[id]
        if (type.as === 'formula' && typeof text === 'string' && text.trim() !== '') found.push({ text, context: type.context })
      }
  }
  return found
}

/** True where it was read here; fails where the generated parser says otherwise. */
function compare(text: string, context: FormulaContext): boolean {
  const plain = parsePlain(text, context)
  if (!plain) return false
  const any = parseAny(text, context)
  expect(any.problems, JSON.stringify(text)).toEqual([])
  expect(plain, JSON.stringify(text)).toEqual(any.ast)
  return true
}

const words = 'a b self energy 价格 x1 _ print if_ fx'.split(' ')
const operators = '+ - * / // % ** & | ^ << >> < <= > >= == != and or in is'
  .split(' ')
  .concat('not in', 'is not', 'and', 'or', '+', '-', '<', '==')

/** An expression as it may be written; blanks are left out where none is needed, or doubled. */
function expression(random: Chance, depth: number): string {
  const inner = (): string => expression(random, depth - 1)
  const gap = (): string => random.pick(['', ' ', ' ', '  '])
  const simple = (): string =>
    random.pick(random.chance(0.5) ? words : ['0', '1', '2.50', '007', '"t"', "'it is'", '""', 'True', 'None', '[]', '()', '{}'])
  if (depth <= 0) return simple()
  const clause = (): string => `for ${random.pick(['p', 'a, b', 'p'])} in ${inner()}${random.chance(0.4) ? ` if ${inner()}` : ''}`
  switch (random.below(17)) {
    case 0:
    case 1:
    case 2:
    case 3: {
      const op = random.pick(operators)
      const space = /[a-z]/.test(op) ? ' ' : gap()
      return `${inner()}${space}${op}${space}${inner()}`
    }
    case 4:
      return `(${gap()}${inner()}${gap()})`
    case 5:
      return `${random.pick(words)}(${[inner(), inner(), `k=${inner()}`, `${random.pick(words)} = ${inner()}`].slice(random.below(4)).join(`,${gap()}`)})`
    case 6:
      return `${random.pick(words)}.${random.pick(words)}`
    case 7:
      return `${random.pick(words)}[${inner()}]`
    case 8:
      return `${random.pick(['-', '+', '~', 'not ', '- '])}${inner()}`
    case 9:
      return `${inner()} if ${inner()} else ${inner()}`
    case 10:
      return `[${inner()},${gap()}${inner()}${random.pick(['', ',', ' , '])}]`
    case 11:
      return `(${inner()}, ${inner()})`
    case 12:
      return `{${inner()}: ${inner()}, ${inner()}:${inner()}}`
    case 13:
      return random.pick([
        `[${inner()} ${clause()}]`,
        `sum(${inner()} ${clause()})`,
        `(${inner()} ${clause()} ${clause()})`,
        `{${inner()}: ${inner()} ${clause()}}`,
      ])
    case 14:
      return `f"${random.pick(['', 'is '])}{${inner().replaceAll('"', "'")}} ${random.pick(['', '{a}'])}"`
    case 15:
      return `${inner()}.${random.pick(words)}(${inner()})[${inner()}]`
    default:
      return simple()
  }
}

/** Statements at this indentation. */
function block(random: Chance, indent: string, depth: number, loop: boolean): string {
  const lines: string[] = []
  const of = (): string => expression(random, random.below(3))
  for (let n = 1 + random.below(3); n > 0; n--) {
    const more = indent + random.pick(['    ', '  '])
    const body = (within: boolean): string =>
      depth <= 0 || random.chance(0.2)
        ? ` ${random.pick(['pass', `a = ${of()}`, 'x += 1'])}`
        : `\n${block(random, more, depth - 1, within)}`
    switch (random.below(9)) {
      case 0:
        lines.push(`${indent}if ${of()}:${body(loop)}`)
        if (random.chance(0.4)) lines.push(`${indent}elif ${of()}:${body(loop)}`)
        if (random.chance(0.5)) lines.push(`${indent}else:${body(loop)}`)
        break
      case 1:
        lines.push(`${indent}for ${random.pick(['p', 'k, v'])} in ${of()}:${body(true)}`)
        break
      case 2:
        lines.push(`${indent}while ${of()}:${body(true)}`)
        break
      case 3:
        lines.push(`${indent}${random.pick(['a', 'a.b', 'a[0]', 'a, b'])} = ${random.chance(0.2) ? `a = ` : ''}${of()}`)
        break
      case 4:
        lines.push(`${indent}${random.pick(['a', 'a.b', 'a[x]'])} ${random.pick(['+=', '-=', '*=', '//=', '**=', '<<=', '|='])} ${of()}`)
        break
      case 5:
        lines.push(`${indent}${random.pick(['return', `return ${of()}`, loop ? 'break' : 'pass', loop ? 'continue' : 'pass'])}`)
        break
      case 6:
        lines.push(random.pick(['', `${indent}# said`, '# far left', '   ']))
        lines.push(`${indent}${of()}${random.pick(['', '  # said', ' '])}`)
        break
      default:
        lines.push(`${indent}${of()}`)
    }
  }
  return lines.join('\n')
}

const pieces =
  '( ) [ ] { } " \' , . : = == + - ** // < <> != and or not in is if else for lambda del f" """ \\ \n \n\n \t # ; 1 1. .5 1e3 0x1 价 x é 　 } { % @ !'
    .split(' ')
    .concat('\n    ', '\n  ', ' ', '', '\r\n')

function mutated(one: string, random: Chance): string {
  let text = one
  for (let n = 1 + random.below(3); n > 0; n--) {
    const from = random.below(text.length + 1)
    const to = Math.min(text.length, from + random.pick([0, 0, 1, 1, 2, 5]))
    text = text.slice(0, from) + random.pick(pieces) + text.slice(to)
  }
  return text
}

describe('formulas read without the generated parser', () => {
  it('are nearly all that people write, and mean the same', () => {
    const all = written()
    const read = all.filter(({ text, context }) => compare(text, context))
    expect(read.length / all.length).toBeGreaterThan(0.9)
    for (const text of known) for (const context of contexts) compare(text, context)
  })

  it('are read to the same tree, however they are put together', () => {
    const random = chance(7)
    let read = 0
    for (let n = 0; n < count; n++) {
      const isFlat = random.chance(0.5)
      const text = isFlat
        ? expression(random, random.below(5))
        : block(random, '', random.below(3), false) + random.pick(['', '\n', '\n\n', '  '])
      if (compare(text, isFlat ? 'expression' : random.pick(['program', 'function']))) read++
    }
    expect(read / count).toBeGreaterThan(0.5)
  })

  it('leave mistakes and rarer forms to it', () => {
    const random = chance(8)
    for (let n = 0; n < count; n++) {
      const isFlat = random.chance(0.5)
      const one = random.chance(0.3)
        ? random.pick(known)
        : isFlat
          ? expression(random, random.below(4))
          : block(random, '', random.below(3), false)
      compare(mutated(one, random), isFlat ? 'expression' : random.pick(['program', 'function']))
    }
  })

  it('are no deeper than is allowed', () => {
    for (const depth of [1, 20, 100, 199, 200, 500])
      for (const text of [
        '-'.repeat(depth) + 'a',
        '('.repeat(depth) + 'a' + ')'.repeat(depth),
        'a' + '+a'.repeat(depth),
        'a' + '.b'.repeat(depth),
      ]) {
        compare(text, 'expression')
        expect(parseFormula(text, 'expression').problems.length > 0).toBe(parseAny(text, 'expression').problems.length > 0)
      }
    const steps = (depth: number): string =>
      Array.from({ length: depth }, (_, k) => `${' '.repeat(k)}if a:\n`).join('') + ' '.repeat(depth) + 'b = 1'
    for (const depth of [1, 30, 60, 199, 250]) compare(steps(depth), 'program')
  })
})
