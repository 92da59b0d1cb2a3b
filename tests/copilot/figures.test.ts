// Numbers of an answer that occur in no result of its talk are marked; those that do are not, however they are rounded or written.
import { describe, expect, it } from 'vitest'
import { measuredIn, numbersIn, piecesIn } from '../../client/copilot/figures.ts'
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
const marked = (text: string): string[] => piecesIn(text, known, []).flatMap(piece => (piece.is === 'unchecked' ? [piece.text] : []))

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
    expect(
      piecesIn(text, known, [])
        .map(piece => piece.text)
        .join(''),
    ).toBe(text)
  })
})

describe('numbers that a run gave', () => {
  const uses = (name: string, given: object, result: object, ok = true) =>
    ({ is: 'tool', id: name, name, given: JSON.stringify(given), result: JSON.stringify(result), ok }) as const
  const first: ModelTurn = {
    ...turn('Does a third nurse halve the wait?', ''),
    parts: [
      uses(
        'experiment',
        { name: 'Nurses', values: [2, 3], runs: 6 },
        {
          result: 1,
          runs: 6,
          seeds: '1 to 6',
          name: 'Nurses',
          values: [
            { value: 2, measures: { mean_wait: { mean: 0.6412, low: 0.45, high: 0.83 } } },
            {
              value: 3,
              measures: { mean_wait: { mean: 0.0941, low: 0.05, high: 0.14, difference: { mean: -0.547, low: -0.7, high: -0.4 } } },
            },
          ],
        },
      ),
    ],
  }
  const second: ModelTurn = {
    ...first,
    id: 2,
    parts: [
      uses(
        'validate',
        { measure: 'mean_wait', expected: 0.675, tolerance: 0.5, runs: 10 },
        { verdict: 'holds', mean: 0.6412, low: 0.5, high: 0.8, runs: 10 },
      ),
      uses('run', {}, { end: 'ticks', seed: 77, ticks: 400, statistics: { served: 391 }, containers: { Nurses: { utilization: 0.6021 } } }),
      uses('read', { ids: ['a'] }, { elements: [{ value: 12.5 }] }),
      uses('replicate', { runs: 5 }, { mean: 99.5 }, false),
    ],
  }
  const measured = measuredIn([first, second])
  const told = (text: string) =>
    piecesIn(text, numbersIn([first, second]), measured).flatMap(piece =>
      piece.is === 'measured' ? [[piece.text, piece.by.of.name, piece.by.part.name]] : [],
    )

  it('lead to the measure and the run that gave them, the latest when several did', () => {
    expect(told('From 0.64 to 0.094, by -0.547; busy 60.2 %, 391 served.')).toEqual([
      ['0.64', 'mean_wait', 'validate'],
      ['0.094', 'Nurses = 3 · mean_wait', 'experiment'],
      ['-0.547', 'Nurses = 3 · mean_wait · difference', 'experiment'],
      ['60.2 %', 'Nurses', 'run'],
      ['391', 'served', 'run'],
    ])
  })

  it('are not how the runs were made, what was read, or what failed', () => {
    expect(told('Seeds 1 to 6, seed 77, 400 ticks, 12.5, 99.5, expected 0.675, a third nurse, 3 of them')).toEqual([])
  })
})
