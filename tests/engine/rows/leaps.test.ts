// Rules that need no running, as WebAssembly on arrays that stay in its memory: every tick as in a debug build, which knows only the rule,
// also after a snapshot was restored and after a variable was set from outside.
import { afterEach, describe, expect, it } from 'vitest'
import { check } from '../../../sim-engine/check.ts'
import { compile } from '../../../sim-engine/compile.ts'
import { emitJs } from '../../../sim-engine/backends/js.ts'
import { emitWasm } from '../../../sim-engine/backends/wasm.ts'
import { digitsOf } from '../../../sim-engine/compile/tally.ts'
import * as ir from '../../../sim-engine/ir.ts'
import { Lent, type LentCode } from '../../../sim-engine/run/lent.ts'
import { start, type Run } from '../../../sim-engine/run.ts'
import { cells, compute, end, every, model, process, scenario, space, start as startStep, statistic, variable } from '../../help/models.ts'
import { english } from '../../../model-schema/words.ts'

function wood(width: number, height: number, wraps: boolean, near: string, density: number) {
  const built = model(
    scenario({ totalTicks: 200 }),
    space('Land', { minX: '0', maxX: String(width - 1), minY: '0', maxY: String(height - 1), wrapX: wraps, wrapY: wraps }),
    variable('wind', 0, { public: true }),
    cells(
      'Tree',
      { space: 'Land', order: 'simultaneous' },
      variable('state', `(2 if x == 3 else 1) if random() < ${density} else 0`),
      process(
        'Burn',
        startStep(every(1)),
        compute(`if state == 2:\n    state = 3\nelif state == 1 and any(t.state == 2 for t in ${near}):\n    state = 2`),
        end(),
      ),
    ),
    statistic('burnt', 'sum(1 for t in Tree if t.state == 3)'),
  )
  const made = built.model
  const checked = check(made, made.scenarios[0]!)
  if (!checked.ok) throw new Error(checked.problems.map(problem => english(problem.message)).join())
  return {
    of: (debug: boolean) => compile(checked.checked, { debug }),
    wind: built.id('wind'),
  }
}

const states = (run: Run, ticks: number): string[] =>
  Array.from({ length: ticks }, () => {
    run.advance({ ticks: 1 })
    return run.hash()
  })

describe('cells whose changes are known before they come', () => {
  it.each([
    [60, 40, false, 'von_neumann()', 0.9],
    [41, 37, true, 'von_neumann()', 0.62],
    [50, 50, false, 'moore()', 0.45],
    [64, 33, true, 'von_neumann(2)', 0.3],
    // Too few cells: the same without WebAssembly.
    [20, 20, false, 'von_neumann()', 0.8],
  ])('%i x %i, wraps %s, %s, density %d', (width, height, wraps, near, density) => {
    const { of, wind } = wood(width, height, wraps, near, density)
    const program = of(false)
    expect(program.source).toContain('X.lend(')
    const [run, plain] = [start(program, { seed: 5 }), start(of(true), { seed: 5 })]
    expect(states(run, 12)).toEqual(states(plain, 12))
    const kept = run.snapshot()
    const then = states(run, 9)
    run.restore(kept)
    expect(states(run, 9)).toEqual(then)
    expect(then).toEqual(states(plain, 9))
    for (const one of [run, plain]) one.set(wind, 1)
    expect(states(run, 30)).toEqual(states(plain, 30))
    expect(run.summary().statistics).toEqual(plain.summary().statistics)
    // A run that continues from another's snapshot.
    const other = start(program, { seed: 9 })
    other.restore(kept)
    expect(states(other, 9)).toEqual(then)
  })
})

describe('where there is no memory for it', () => {
  const { Memory } = WebAssembly
  const fail = (): void => {
    WebAssembly.Memory = class extends Memory {
      constructor() {
        super({ initial: 0 })
        throw new RangeError('WebAssembly.Memory(): could not allocate memory')
      }
    }
  }
  afterEach(() => {
    WebAssembly.Memory = Memory
  })

  it('cells change as ever, from the start and after a snapshot came back', () => {
    const { of } = wood(60, 40, false, 'von_neumann()', 0.9)
    const program = of(false)
    const plain = start(of(true), { seed: 5 })
    const before = states(plain, 12)
    const after = states(plain, 9)
    const run = start(program, { seed: 5 })
    expect(states(run, 12)).toEqual(before)
    const kept = run.snapshot()
    states(run, 9)
    fail()
    run.restore(kept)
    expect(states(run, 9)).toEqual(after)
    const other = start(program, { seed: 5 })
    expect(states(other, 12)).toEqual(before)
  })
})

describe('functions on lent arrays', () => {
  const at = (array: string, mem: ir.Mem, shift: number): ir.Expr =>
    ir.load(mem, ir.binary('add', ir.get(array, 'i32'), ir.binary('shl', ir.get('k', 'i32'), ir.i32(shift))))
  const k = ir.get('k', 'i32')
  const sum = ir.binary('add', at('bytes', 'u8', 0), at('shorts', 'u16', 1))
  const program: ir.Program = {
    fns: new Map([
      [
        'sum',
        {
          name: 'sum',
          params: ['m', 'bytes', 'shorts', 'sums', 'found'].map(name => [name, 'i32'] as const),
          result: 'i32',
          locals: new Map([['k', 'i32']]),
          body: [
            {
              kind: 'loop',
              label: 'each',
              body: [
                ir.when(ir.binary('ge', k, ir.get('m', 'i32')), [{ kind: 'return', value: k }]),
                ir.store('i32', ir.binary('add', ir.get('sums', 'i32'), ir.binary('shl', k, ir.i32(2))), 0, sum),
                ir.store('i32', ir.binary('add', ir.get('found', 'i32'), ir.binary('shl', k, ir.i32(2))), 0, k),
                ir.set('k', ir.binary('add', k, ir.i32(1))),
              ],
            },
          ],
          isExported: true,
        },
      ],
    ]),
    imports: [],
  }
  const code: LentCode = {
    name: 'sum',
    module: digitsOf(emitWasm(program)),
    script: emitJs(program),
  }

  it.each([true, false])('read and write what stands in the memory, compiled: %s', isCompiled => {
    const bytes = Uint8Array.of(1, 2, 255)
    const shorts = Uint16Array.of(10, 65535, 3)
    const sums = new Int32Array(3)
    const made = new Lent(code, { bytes, shorts, sums }, { found: 4, other: 4 }, isCompiled)
    const { arrays } = made
    expect(Array.from(arrays['found'] ?? [])).toEqual([0, 0, 0, 0])
    expect(made.run(3)).toBe(3)
    expect(Array.from(arrays['sums'] ?? [])).toEqual([11, 65537, 258])
    expect(Array.from(arrays['found'] ?? [])).toEqual([0, 1, 2, 0])
    expect([Array.from(sums), Array.from(arrays['bytes'] ?? [])]).toEqual([
      [0, 0, 0],
      [1, 2, 255],
    ])
    // Two lists change places.
    const other = arrays['other']
    if (other) made.stand('found', other)
    arrays['bytes']?.set([5], 1)
    made.run(2)
    expect([Array.from(other ?? []), arrays['sums']?.[1]]).toEqual([[0, 1, 0, 0], 65540])
  })

  it('need a function of the name', () => {
    expect(() => new Lent({ ...code, name: 'product' }, {}, {}, true)).toThrow('lent: no function product')
  })
})
