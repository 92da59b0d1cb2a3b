// The catalogue of messages: complete, in both languages, filled in.
import { chinese } from '../../help/languages.ts'
import { describe, expect, it } from 'vitest'
import { catalogue, isProblemCode, messageOf, problem, RunError } from '../../../sim-engine/problems.ts'
import { english, filled, say } from '../../../model-schema/words.ts'

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)

describe('the catalogue', () => {
  it('has every code and no other', () => {
    expect(Object.keys(catalogue).map(Number)).toEqual([...range(8001, 8007), ...range(9001, 9033), ...range(10000, 10067)])
    expect(isProblemCode(8001)).toBe(true)
    expect(isProblemCode(8008)).toBe(false)
  })
  it.each(Object.entries(catalogue))('%s speaks both languages, with the same placeholders and a way out', (_, { message, fix }) => {
    const names = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(match => match[1]!).sort()
    // Each placeholder is filled with itself.
    const written = 'text' in message ? String(message.text) : ''
    const marked = filled(message, Object.fromEntries(names(written).map(name => [name, `{${name}}`])))
    expect(names(english(marked))).toEqual(names(written))
    expect(names(chinese(marked))).toEqual(names(written))
    expect(chinese(message) + chinese(fix)).toMatch(/[\u4e00-\u9fff]/)
    expect(english(fix).length).toBeGreaterThan(9)
  })
  it('shows one text for what only we can mend, and keeps the detail for the log', () => {
    expect(range(10000, 10006).map(code => english(messageOf(isProblemCode(code) ? code : 10000)))).toEqual(
      Array.from({ length: 7 }, () => 'Unknown error'),
    )
  })
  it('fills in values, as they are or by language', () => {
    expect(english(problem(8005, { id: 'a' }, ['Wolf']).message)).toBe('Name "Wolf" is already used.')
    expect(english(messageOf(10016, ['"x"', say('a number')]))).toBe('Cannot convert "x" to a number.')
    expect(chinese(messageOf(10016, ['"x"', say('Agent')]))).toBe('无法将 "x" 转换为 智能体。')
    expect(english(messageOf(10007))).toBe('Expected a number, got .')
  })
  it('only what can not be reached is a warning', () => {
    expect(problem(8007, { id: 'a' }).severity).toBe('warning')
    expect(problem(8004, { id: 'a' }).severity).toBe('error')
    expect(problem(8004, { id: 'a' }, [], 'warning').severity).toBe('warning')
  })
  it('a run error knows its code, place and words', () => {
    const error = new RunError(10035, ['no sheep'], 3, 9)
    expect(error).toMatchObject({ name: 'RunError', code: 10035, from: 3, to: 9, message: 'Assertion failed: no sheep.' })
    expect(chinese(error.words)).toBe('断言失败：no sheep。')
  })
})
