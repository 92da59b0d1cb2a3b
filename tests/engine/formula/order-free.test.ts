// Loops over neighbours that only add up need no order: the engine may run through its index. All others are nearest first.
import { describe, expect, it } from 'vitest'
import { check } from '../../../sim-engine/check.ts'
import { compile } from '../../../sim-engine/compile.ts'
import { start } from '../../../sim-engine/run.ts'
import { agents, compute, end, every, model, process, scenario, space, start as startsBy, statistic, variable } from '../../help/models.ts'
import { english } from '../../../model-schema/words.ts'

function programOf(text: string) {
  const { model: made } = model(
    scenario({ totalTicks: 3 }),
    space('Sky', { topology: 'continuous', minX: '0', maxX: '20', minY: '0', maxY: '20', wrapX: true, wrapY: true }),
    agents(
      'Bird',
      { initialNumber: '60', space: 'Sky', placement: 'random' },
      variable('w', 'id'),
      variable('out', '0'),
      process('Fly', startsBy(every(1)), compute(text), end()),
    ),
    statistic('total', 'sum(b.out * b.id for b in Bird)', { sample: 'end' }),
  )
  const checked = check(made, made.scenarios[0]!)
  if (!checked.ok) throw new Error(checked.problems.map(problem => english(problem.message)).join('; '))
  return compile(checked.checked)
}

const sorts = (text: string): boolean => programOf(text).source.includes('W.neighbors(')

function totalOf(text: string): unknown {
  const run = start(programOf(text), { seed: 5 })
  run.advance()
  return run.summary().statistics
}

describe('loops over neighbours', () => {
  it.each([
    ['a sum', 's = 0\nfor b in neighbors(3):\n    s += b.w\nout = s'],
    [
      'two sums under a condition',
      's = 0\nn = 0\nfor b in neighbors(3):\n    if b.w > w:\n        s += b.w\n    else:\n        n -= 1\nout = s + n',
    ],
    [
      'a temporary, changed',
      's = 0\nfor b in neighbors(3):\n    d = b.x - x\n    if d > 10:\n        d = d - 20\n    d += 1\n    s += d\nout = s',
    ],
    ['rounds left early', 's = 0\nfor b in neighbors(3):\n    if b.w < 9:\n        continue\n    s += 1\nout = s'],
    ['the same item twice', 's = 0\nfor b in neighbors(3):\n    s += b.w\nfor b in neighbors(2):\n    s -= b.w\nout = s'],
  ])('are run through as they lie: %s', (_, text) => {
    expect(sorts(text)).toBe(false)
  })

  it.each([
    ['the last item is read behind it', 's = 0\nb = None\nfor b in neighbors(3):\n    s += 1\nout = b.w if b is not None else 0'],
    ['a sum is read', 's = 0\nfor b in neighbors(3):\n    if s < 9:\n        s += b.w\nout = s'],
    ['a temporary lives on', 'd = 0\nfor b in neighbors(3):\n    d = b.w\nout = d'],
    ['a temporary is carried over', 's = 0\nfor b in neighbors(3):\n    if b.w > 5:\n        d = b.w\n    else:\n        s += d\nout = s'],
    ['the loop ends early', 's = 0\nfor b in neighbors(3):\n    s += b.w\n    break\nout = s'],
    ['a draw', 's = 0\nfor b in neighbors(3):\n    if random() < 0.5:\n        s += b.w\nout = s'],
    ['a property is written', 'for b in neighbors(3):\n    out += b.w'],
    ['a list grows', 's = []\nfor b in neighbors(3):\n    s += [b.w]\nout = s[0] if s else 0'],
    ['a product', 's = 1\nfor b in neighbors(3):\n    s *= b.w\nout = s'],
  ])('are nearest first: %s', (_, text) => {
    expect(sorts(text)).toBe(true)
  })

  it('find the same', () => {
    const free = totalOf('s = 0\nfor b in neighbors(4):\n    d = b.w - w\n    if d > 0:\n        s += d\nout = s')
    const ordered = totalOf('s = 0\nd = 0\nfor b in neighbors(4):\n    d = b.w - w\n    if d > 0:\n        s += d\nout = s + d * 0')
    expect(free).toEqual(ordered)
  })
})
