// Rules that need no running, as WebAssembly on arrays that stay in its memory: every tick as in a debug build, which knows only the rule,
// also after a snapshot came back and after somebody set a variable.
import { afterEach, describe, expect, it } from 'vitest'
import { check } from '../../../sim-engine/check.ts'
import { compile } from '../../../sim-engine/compile.ts'
import { Lent } from '../../../sim-engine/native/lent.ts'
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
    // A run that goes on from another's snapshot.
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
  it('read and write where the caller does', () => {
    const lent = Lent.of([new Function('m', 'for(let k=0;k<m;k++){sums[k]=bytes[k]+shorts[k]|0;last=sums[k];}') as never], {}, [])
    // A function without a name can't be told from others.
    expect(lent).toBeNull()
    const bytes = Uint8Array.of(1, 2, 255)
    const shorts = Uint16Array.of(10, 65535, 3)
    const sums = new Int32Array(3)
    const add = new Function('return function add(m){for(let k=0;k<m;k++){sums[k]=bytes[k]+shorts[k]|0;last=sums[k];}return m;}')() as never
    const made = Lent.of([add], { bytes, shorts, sums }, ['last'])
    expect(made?.function('add')(3)).toBe(3)
    expect(made?.number('last')).toBe(258)
    expect(Array.from(made?.arrays['sums'] ?? [])).toEqual([11, 65537, 258])
    expect(Array.from(sums)).toEqual([0, 0, 0])
  })

  it('fill lists that are theirs alone', () => {
    const bytes = Uint8Array.of(0, 7, 0, 7)
    const find = new Function(
      'return function find(m){let n=0;for(let k=0;k<m;k++)if(bytes[k]===7){found[n]=k;n=n+1|0;}return n;}',
    )() as never
    const made = Lent.of([find], { bytes }, [], { found: 3 })
    expect(Array.from(made?.arrays['found'] ?? [])).toEqual([0, 0, 0])
    expect(made?.function('find')(4)).toBe(2)
    expect(Array.from(made?.arrays['found'] ?? [])).toEqual([1, 3, 0])
    expect(Array.from(made?.arrays['bytes'] ?? [])).toEqual([0, 7, 0, 7])
  })

  it('are refused where they say what nobody lowers', () => {
    const odd = new Function('return function odd(m){return [m];}')() as never
    expect(Lent.of([odd], {}, [])).toBeNull()
  })
})
