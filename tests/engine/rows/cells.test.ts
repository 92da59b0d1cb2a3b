// Agents that look at cells by position and at lists that never change: as WebAssembly they do what a debug build does, errors included.
import { describe, expect, it } from 'vitest'
import { check } from '../../../sim-engine/check.ts'
import { compile } from '../../../sim-engine/compile.ts'
import { below, stream } from '../../../sim-engine/kernel/random.ts'
import { visit } from '../../../sim-engine/ir.ts'
import { NotLowered } from '../../../sim-engine/lower/scope.ts'
import { rowsProgram } from '../../../sim-engine/rows/module.ts'
import { hasNativeRows } from '../../../sim-engine/rows.ts'
import { start } from '../../../sim-engine/run.ts'
import {
  agents,
  cells,
  compute,
  create,
  destroy,
  end,
  every,
  model,
  place,
  process,
  scenario,
  space,
  start as begin,
  statistic,
  variable,
} from '../../help/models.ts'
import type { Built, Part } from '../../help/models.ts'
import { english } from '../../../model-schema/words.ts'

const seed = Number(globalThis.process.env['SEED'] ?? 3)
const count = Number(globalThis.process.env['MODELS'] ?? 10)

type Land = { width: number; wraps: boolean; isPublic?: boolean }

/** Ants with a given program, on cells with a scent that spreads; many cells have a stencil, few a loop. */
const ants = (program: string, { width, wraps, isPublic = false }: Land): Built =>
  model(
    scenario({ totalTicks: 100 }),
    space('Land', { minX: '-3', maxX: String(width - 4), minY: '2', maxY: '31', wrapX: wraps, wrapY: wraps }),
    variable('STEPS', '[1, 0.5, -2, 0, 7]', { public: isPublic }),
    agents(
      'Ant',
      { initialNumber: '60', space: 'Land', placement: 'cells' },
      variable('k', 'id % 5'),
      variable('v', '0.5 * id'),
      process('Walk', begin(every(1)), compute(program), place('cell_at(gx, gy)'), compute('cell.scent += 1'), end()),
      variable('gx', 'x'),
      variable('gy', 'y'),
    ),
    cells(
      'Spot',
      { space: 'Land', order: 'simultaneous' },
      variable('scent', '0.25 * x', { public: true }),
      process('Spread', begin(every(1)), compute('scent = 0.9 * (0.5 * scent + 0.0625 * sum(c.scent for c in moore()))'), end()),
    ),
  )

function programOf(built: Built, debug: boolean) {
  const checked = check(built.model, built.model.scenarios[0]!)
  if (!checked.ok) throw new Error(checked.problems.map(problem => english(problem.message)).join('; '))
  return compile(checked.checked, { debug })
}

/** Equal hashes after each tick, and equal ends; returns the result. */
function expectSame(built: Built, note: string) {
  const program = programOf(built, false)
  const [native, plain, loop] = [
    start(program, { seed, nativeFrom: 0 }),
    start(program, { seed, nativeFrom: Infinity }),
    start(programOf(built, true), { seed }),
  ]
  for (let tick = 0; tick <= 8 && !loop.result; tick++) {
    for (const run of [native, plain, loop]) run.advance({ until: tick })
    for (const run of [native, plain]) expect(run.hash(), `SEED=${seed} tick ${tick} ${note}`).toBe(loop.hash())
  }
  expect(hasNativeRows(program), note).toBe(true)
  for (const run of [native, plain]) expect(run.result, note).toEqual(loop.result)
  return loop.result
}

describe('agents that look at cells by position', () => {
  it('random programs', () => {
    for (let n = 0; n < count; n++) {
      const random = stream(seed, n, 'ants')
      const number = (): string => {
        const items = [
          'k',
          'v',
          'STEPS[k]',
          'STEPS[3]',
          'STEPS[k % 5]',
          'STEPS[k - 5]',
          'x',
          'y - k',
          '-v',
          '0 * -k',
          '3',
          'cell_at(x, y).scent',
        ]
        return items[below(random, items.length)]!
      }
      const divisor = (): string => ['4', '-3', '2.5', '(k + 1)', '(STEPS[0] + 6)'][below(random, 5)]!
      const lines = [
        `v = (${number()} + ${number()}) % ${divisor()}`,
        `best = -1000`,
        `for d in range(-1, 2):\n    s = cell_at(x + d if -3 < x < 8 else x, y).scent + ${number()} // ${divisor()}\n    if s > best:\n        best = s\n        k = (k + d + 5) % 5`,
        `v = v + best / 100 + ${number()} // ${divisor()}`,
        `gx = x + 1 if x < 6 else -2\ngy = y if random() < 0.5 else 4 + k`,
      ]
      expectSame(ants(lines.join('\n'), { width: [14, 30][below(random, 2)]!, wraps: below(random, 2) === 0 }), `${n}: ${lines.join('\n')}`)
    }
  })

  it('a list that people may set is looked up in another way, and gives the same', () => {
    const program = 'v = STEPS[k] + STEPS[-1]\nk = (k + 1) % 5\ngx = x\ngy = y'
    const [constant, open] = [false, true].map(isPublic => programOf(ants(program, { width: 20, wraps: true, isPublic }), false))
    expect(constant!.source).toContain('Float64Array.of(1, 0.5, -2, 0, 7)')
    expect(open!.source).not.toContain('Float64Array.of(')
    const hashes = [constant!, open!].map(one => {
      const run = start(one, { seed })
      run.advance({ until: 6 })
      return run.hash()
    })
    expect(hashes[0]).toBe(hashes[1])
  })

  it.each([
    ['a position beyond a list', 'v = STEPS[k + tick]'],
    ['a position that is no whole number', 'v = STEPS[k / 2]'],
    ['a remainder of a division by 0', 'v = 1 % (k - 3)'],
    ['a place that is nowhere', 'v = cell_at(x - 12, y).scent'],
    ['a sum that is not finite', 'v = (v + 1e200) * (v + 1e200)'],
  ])('%s: all end alike', (_, statement) => {
    for (const width of [14, 30])
      expect(expectSame(ants(`${statement}\ngx = x\ngy = y`, { width, wraps: false }), statement)?.end).toBe('failed')
  })
})

describe('cells with a stencil share the memory of rows', () => {
  /** Agents before and after the cells; some are born and die, so that arrays move. A truth that follows from comparing floats is kept wide. */
  const mixed = (isSampled: boolean): Built => {
    const agent = (name: string): Part =>
      agents(
        name,
        { initialNumber: '40', space: 'Land', placement: 'cells' },
        variable('age', 'id % 7'),
        process(
          'Live',
          begin(every(1)),
          compute('age += 1\ncell.scent += 1 if cell.warm else 0.5\ncell.warm = not cell.warm if age % 3 == 0 else cell.warm'),
          place('choice(moore())'),
          end(),
        ),
      )
    return model(
      scenario({ totalTicks: 60 }),
      space('Land', { minX: '0', maxX: '39', minY: '0', maxY: '29', wrapX: true, wrapY: false }),
      agent('Early'),
      cells(
        'Spot',
        { space: 'Land', order: 'simultaneous' },
        variable('scent', '0.25 * x', { public: true }),
        variable('warm', 'x > 20', { public: true }),
        variable('own', 'x % 3'),
        process(
          'Spread',
          begin(every(1)),
          compute(
            'if sum(c.scent for c in moore()) > 9.5 + own:\n    warm = not warm\nscent = 0.9 * (0.5 * scent + 0.0625 * sum(c.scent for c in moore()))\nown = (own + 1) % 3',
          ),
          end(),
        ),
      ),
      agent('Late'),
      agents(
        'Fly',
        { initialNumber: '20', space: 'Land', placement: 'cells' },
        process('Breed', begin(every(1)), compute('cell.scent = cell.scent * 0.5'), create('Fly', '1 + id % 2'), destroy(), end()),
      ),
      ...(isSampled ? [statistic('all', 'sum(c.scent for c in Spot)')] : []),
    )
  }

  it.each([true, false])('agents before and after them, who are born and die; a statistic each tick: %s', isSampled => {
    expectSame(mixed(isSampled), '')
  })

  it('a run that goes back to a snapshot', () => {
    const [native, plain] = [0, Infinity].map(nativeFrom => start(programOf(mixed(false), false), { seed, nativeFrom }))
    for (const run of [native!, plain!]) run.advance({ until: 5 })
    const snapshot = native!.snapshot()
    for (const until of [9, 9]) {
      native!.restore(snapshot)
      native!.advance({ until })
      plain!.advance({ until })
      expect(native!.hash()).toBe(plain!.hash())
    }
  })

  it('nothing is copied at the end of a tick', () => {
    const made = rowsProgram(programOf(ants('gx = x\ngy = y', { width: 30, wraps: true }), false), new Set())
    if (made instanceof NotLowered) throw made
    const called: string[] = []
    visit(made.passes.lower.fns.get('commit')!.body, { expr: e => void (e.kind === 'call' && called.push(e.fn)) })
    expect(called).toEqual(['commitCells1'])
  })
})
