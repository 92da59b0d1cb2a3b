// Every code of the catalogue is provoked by a model, or said to be reserved, and why, in the reference.
import { english } from '../../model-schema/words.ts'
import { chinese } from '../help/languages.ts'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadChain } from '../../sim-engine/chain.ts'
import { catalogue, isProblemCode, messageOf, reserved } from '../../sim-engine/problems.ts'
import { runtimeCases } from '../help/codes.ts'
import { delay, element, end, model, process, scenario } from '../help/models.ts'
import { begin } from '../help/runs.ts'

await loadChain()

describe('each run-time code says where, when and who, in both languages', () => {
  it.each(runtimeCases.map(one => [`${one[0]} ${one[1]}`, one] as const))('%s', (_, [code, where, built, inputs]) => {
    // Without a trace, which of an endless loop is millions of lines.
    const run = begin(built, inputs ? { inputs } : {}, true)
    while (run.advance()) continue
    const { result } = run.summary()
    if (result.end !== 'failed') throw new Error(`the run ended with ${result.end}`)
    const { at, message, fix, severity } = result.problem
    const range = at.from === undefined ? '-' : `${at.from}-${at.to}`
    expect([
      result.problem.code,
      `${at.id} ${at.field ?? '-'} ${range} ${result.tick} ${result.time} ${result.entity ?? '-'}`,
      severity,
    ]).toEqual([code, where, 'error'])
    expect(built.model.elements.has(at.id)).toBe(true)
    expect(fix).toEqual(isProblemCode(code) && catalogue[code].fix)
    // The message as the catalogue has it, its blanks filled in.
    if (!isProblemCode(code)) throw new Error(`${code} is not in the catalogue`)
    const template = messageOf(code, ['\u0001', '\u0001'])
    for (const speak of [english, chinese]) {
      const parts = speak(template).split('\u0001')
      const [before = ''] = parts
      const after = parts.length > 1 ? parts.at(-1) : undefined
      expect(speak(message).startsWith(before) && speak(message).endsWith(after ?? '')).toBe(true)
      if (after !== undefined) expect(speak(message).length).toBeGreaterThan(before.length + after.length)
      expect(speak(message)).not.toMatch(/[{}]|undefined/)
    }
    expect(chinese(message)).toMatch(/[\u4e00-\u9fff]/)
  })
})

// Without a trace: it would be as long.
it('10049: more tokens at a time than there may be', () => {
  const start = { trigger: 'timer', every: '1', count: '400000' }
  const built = model(scenario({ totalTicks: 20 }), process('P', element('start', '', start), delay(100, 'w'), end()))
  const run = begin(built)
  while (run.advance()) continue
  const { result } = run.summary()
  expect(result).toMatchObject({ end: 'failed', time: 11, problem: { code: 10049 } })
})

it('no code is left without a model that provokes it or a reason why none can', () => {
  const all = [
    ...Array.from({ length: 7 }, (_, i) => 8001 + i),
    ...Array.from({ length: 33 }, (_, i) => 9001 + i),
    ...Array.from({ length: 68 }, (_, i) => 10000 + i),
  ]
  expect(Object.keys(catalogue).map(Number)).toEqual(all)
  const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
  const provoked = new Set([10049, ...runtimeCases.map(([code]) => code)])
  // The checker's codes have their table in check/check.test.ts: `'9013 P-g'`, `'warning 9016 P-g'`, `'error 9001 ...'`.
  for (const [, code] of read('check/check.test.ts').matchAll(/'(?:warning |error )?([89]0\d\d) /g)) provoked.add(Number(code))
  const impossible = new Set(Object.keys(reserved).map(Number))
  const codes = Object.keys(catalogue).map(Number)
  expect(codes.filter(code => !provoked.has(code) && !impossible.has(code))).toEqual([])
  expect([...provoked].filter(code => impossible.has(code) || !codes.includes(code))).toEqual([])
})
