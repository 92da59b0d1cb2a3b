// Numbers of an answer that stand in no result of its talk are marked; those that do are not, however they are rounded or written.
import { describe, expect, it } from 'vitest'
import { numbersIn, uncheckedIn } from '../../client/copilot/figures.ts'
import type { ModelTurn } from '../../client/copilot/turns.ts'

const turn = (asked: string, result: string): ModelTurn => ({
  is: 'model',
  id: 1,
  asked,
  by: 'M',
  parts: [{ is: 'tool', id: 'a', name: 'replicate', given: '{"runs":10}', result, ok: true }],
  tokens: 0,
  end: { why: 'answered', detail: '' },
})
const known = numbersIn([turn('Among 1,000.5 people?', '{"mean":4.01962,"low":-3.9,"share":0.3719}')])
const marked = (text: string): string[] => uncheckedIn(text, known).filter((_, index) => index % 2 === 1)

describe('numbers of an answer', () => {
  it.each([
    ['The wait is 4.02, low −3.9.', []],
    ['The wait is 4.0 and 4.0196.', []],
    ['37 % of 1,000.5 people, 37.2%', []],
    ['The wait is 4.03.', ['4.03']],
    ['It falls by 38 %, to 2.5 minutes.', ['38 %', '2.5']],
    ['平均等待为4.02分钟，比原来少9.9分钟', ['9.9']],
    ['9.9min', ['9.9']],
    ['Step 3 of 24, in 2026, `v1.2.3`, x2.5', []],
    ['', []],
  ] as const)('%s', (text, found) => {
    expect(marked(text)).toEqual(found)
    expect(uncheckedIn(text, known).join('')).toBe(text)
  })
})
