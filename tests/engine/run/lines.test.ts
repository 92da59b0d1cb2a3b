// Stopping inside formulas: at lines, with the values of their variables; into functions, over them and out again; watches.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { modelOfFile, parseFile } from '../../../model-schema/file.ts'
import type { Model } from '../../../model-schema/model.ts'
import { loadChain } from '../../../sim-engine/chain.ts'
import { check } from '../../../sim-engine/check.ts'
import { compile } from '../../../sim-engine/compile.ts'
import type { Breakpoint, Stop } from '../../../sim-engine/messages.ts'
import { start as begin } from '../../../sim-engine/run.ts'
import {
  agents,
  call,
  cells,
  compute,
  delay,
  end,
  every,
  func,
  model,
  passive,
  port,
  process,
  scenario,
  space,
  start,
  statistic,
  variable,
  type Built,
} from '../../help/models.ts'
import { chance } from '../../help/random.ts'
import { runOf } from '../../help/runs.ts'
import { workerBench, type Bench } from '../../help/worker.ts'
import { english } from '../../../model-schema/words.ts'

await loadChain()

const loop = `total = 0
for i in range(4):
    # squares
    total += square(i)
    last = i
sum_of = total
done += 1`

const squares = () =>
  model(
    scenario({ totalTicks: 6 }),
    variable('sum_of', 0),
    variable('done', 0),
    func('square', ['x'], 'y = x * x\nreturn scaled(y)'),
    func('scaled', ['v'], 'w = v * 10\nreturn w'),
    agents(
      'Counter',
      { initialNumber: '2', order: 'fixed' },
      variable('n', 3),
      process('Count', start(every(1)), compute(loop, 'add'), end()),
    ),
  )

const onLine = (built: Built, name: string, line: number, condition = '', field = 'program'): Breakpoint => ({
  id: `${name} ${line}`,
  enabled: true,
  on: 'line',
  element: built.id(name),
  field,
  line,
  condition,
})

function benchOf(built: Built, ...breakpoints: Breakpoint[]): Bench {
  const bench = workerBench()
  bench.load(built.model)
  if (bench.all('loaded').length === 0) throw new Error(JSON.stringify(bench.said))
  bench.tell({ do: 'breakpoints', breakpoints })
  return bench
}

function play(bench: Bench): Stop | null {
  bench.tell({ do: 'play', speed: null })
  bench.turn()
  return bench.stop()
}

/** Where a stop is: `function-or-step:line`. */
function place(stop: Stop | null): string {
  const [top] = stop?.stack ?? []
  if (!top) return 'end'
  return top.formula && stop?.inFormula ? `${top.formula.name || top.step.name}:${top.formula.line}` : top.step.name || 'start or end'
}

function step(bench: Bench, how: 'into' | 'over' | 'out'): string {
  bench.tell({ do: 'stepToken', how })
  bench.turn()
  return place(bench.stop())
}

const localsOf = (stop: Stop | null, frame = 0) => Object.fromEntries(stop?.stack[frame]?.locals.map(one => [one.name, one.value]) ?? [])

describe('a breakpoint on a line', () => {
  it('stops before the statement, each time, with its variables', () => {
    const built = squares()
    const bench = benchOf(built, onLine(built, 'add', 4))
    const seen = Array.from({ length: 5 }, () => {
      const stop = play(bench)
      return [stop?.tick, stop?.stack[0]?.who?.name, localsOf(stop)]
    })
    expect(seen).toEqual([
      [1, 'Counter 1', { total: 0, i: 0 }],
      [1, 'Counter 1', { total: 10, i: 1, last: 0 }],
      [1, 'Counter 1', { total: 50, i: 2, last: 1 }],
      [1, 'Counter 1', { total: 140, i: 3, last: 2 }],
      [1, 'Counter 2', { total: 0, i: 0 }],
    ])
    expect(bench.stop()).toMatchObject({
      why: 'breakpoint',
      inFormula: true,
      breakpoint: 'add 4',
      stack: [{ step: { id: built.id('add') }, formula: { element: built.id('add'), field: 'program', line: 4 }, actor: { n: 3 } }],
    })
    bench.tell({ do: 'breakpoints', breakpoints: [] })
    expect(play(bench)).toBeNull()
    expect(bench.last('ended').summary).toEqual(runOf(squares()).summary)
  })

  it('on a line where none begins stands for the next statement, and says so', () => {
    const built = squares()
    const bench = benchOf(built, onLine(built, 'add', 2), onLine(built, 'add', 40))
    expect(bench.last('breakpoints')).toMatchObject({ moved: [{ id: 'add 2', line: 3 }], refused: [{ id: 'add 40' }] })
    expect(place(play(bench))).toBe('add:3')
  })

  it('may have a condition, which knows the variables there', () => {
    const built = squares()
    const bench = benchOf(built, onLine(built, 'add', 3, 'i == 2 and id == 2 and any(k > 9 for k in [total])'))
    expect(bench.last('breakpoints').refused).toEqual([])
    const stop = play(bench)
    expect([stop?.stack[0]?.who?.name, localsOf(stop)]).toEqual(['Counter 2', { total: 10, i: 2, last: 1 }])
    bench.tell({ do: 'breakpoints', breakpoints: [onLine(built, 'add', 0, 'i == 2'), onLine(built, 'add', 3, 'random() > i')] })
    expect(bench.last('breakpoints').refused.map(one => one.id)).toEqual(['add 0', 'add 3'])
  })

  it('stops in a function, whoever calls it, with the calls that led there', () => {
    const built = squares()
    const bench = benchOf(built, onLine(built, 'scaled', 1, 'v == 4', 'body'))
    const stop = play(bench)
    expect(place(stop)).toBe('scaled:1')
    expect(stop?.stack.map(one => [one.process.name, one.formula?.line])).toEqual([
      ['scaled', 1],
      ['square', 1],
      ['Count', 3],
    ])
    expect([localsOf(stop, 0), localsOf(stop, 1), localsOf(stop, 2)]).toEqual([
      { v: 4, w: 40 },
      { x: 2, y: 4 },
      { total: 10, i: 2, last: 1 },
    ])
  })

  it('stops in a function that a statistic calls, outside of every process', () => {
    const built = model(
      scenario({ totalTicks: 3 }),
      func('twice', ['x'], 'y = x + x\nreturn y'),
      variable('b', 0),
      process('P', start(every(1)), compute('a = 1\nb = a', 'work'), end()),
      statistic('Double', 'twice(tick)'),
    )
    const bench = benchOf(built, onLine(built, 'twice', 1, 'x > 1', 'body'))
    const stop = play(bench)
    expect(stop?.stack.map(one => one.process.name)).toEqual(['twice', 'Double'])
    expect(localsOf(stop)).toEqual({ x: 2, y: 4 })
  })

  it('stops in what a token does after it has waited, and in cells that change together', () => {
    const waits = model(
      scenario({ totalTicks: 9 }),
      variable('seen', 0),
      agents(
        'Visitor',
        { initialNumber: '2' },
        process('Visit', start(), { ...delay('id', 'look'), fields: { ...delay('id', 'look').fields, after: 'a = id\nseen += a' } }, end()),
      ),
    )
    const bench = benchOf(waits, onLine(waits, 'look', 1, '', 'after'))
    expect([play(bench), play(bench)].map(stop => [stop?.time, stop?.stack[0]?.who?.name, localsOf(stop)])).toEqual([
      [1, 'Visitor 1', { a: 1 }],
      [2, 'Visitor 2', { a: 2 }],
    ])
    const together = model(
      scenario({ totalTicks: 3 }),
      space('Grid', { minX: '0', maxX: '3', minY: '0', maxY: '3' }),
      cells(
        'Cell',
        { order: 'simultaneous', space: 'Grid' },
        variable('heat', 1),
        process('Warm', start(every(1)), compute('near = sum(c.heat for c in moore())\nheat = near / 8', 'warm'), end()),
      ),
    )
    const other = benchOf(together, onLine(together, 'warm', 1))
    const stop = play(other)
    expect([stop?.why, typeof localsOf(stop)['near']]).toEqual(['breakpoint', 'number'])
  })
})

describe('stepping in formulas', () => {
  it('into: every statement and every function', () => {
    const built = squares()
    const bench = benchOf(built, { id: 'e', enabled: true, on: 'element', element: built.id('add'), condition: '' })
    expect(place(play(bench))).toBe('add')
    expect(Array.from({ length: 9 }, () => step(bench, 'into'))).toEqual([
      'add:0',
      'add:1',
      'add:3',
      'square:0',
      'square:1',
      'scaled:0',
      'scaled:1',
      'add:4',
      'add:3',
    ])
  })

  it('over: functions are passed; at the end comes the next step', () => {
    const built = squares()
    const bench = benchOf(built, onLine(built, 'add', 0))
    play(bench)
    bench.tell({ do: 'breakpoints', breakpoints: [] })
    expect(Array.from({ length: 12 }, () => step(bench, 'over'))).toEqual([
      'add:1',
      ...Array.from({ length: 4 }, () => ['add:3', 'add:4']).flat(),
      'add:5',
      'add:6',
      'start or end',
    ])
  })

  it('out: of a function to its caller, of a program to the next step', () => {
    const built = squares()
    const bench = benchOf(built, onLine(built, 'scaled', 0, 'v == 9 * 1', 'body'))
    play(bench)
    bench.tell({ do: 'breakpoints', breakpoints: [] })
    // `square` has nothing left to do when `scaled` returns.
    expect([step(bench, 'out'), step(bench, 'out')]).toEqual(['add:4', 'start or end'])
    expect(bench.stop()?.stack[0]?.who?.name).toBe('Counter 1')
  })

  it('over the last statement of a function does not enter the next function its caller calls', () => {
    const built = model(
      scenario({ totalTicks: 2 }),
      variable('out', 0),
      func('one', ['x'], 'y = x\nreturn y'),
      func('two', ['x'], 'y = x + 1\nreturn y'),
      process('P', start(every(1)), compute('out = one(1) + two(1)\nout += 1', 'work'), end()),
    )
    const bench = benchOf(built, onLine(built, 'one', 0, '', 'body'))
    play(bench)
    expect([step(bench, 'over'), step(bench, 'over'), step(bench, 'over')]).toEqual(['one:1', 'work:1', 'start or end'])
  })

  it('back: statement by statement, then step by step', () => {
    const built = squares()
    const bench = benchOf(built, onLine(built, 'add', 4, 'i == 1'))
    play(bench)
    const back = (): string => {
      bench.tell({ do: 'back' })
      bench.turn()
      return place(bench.stop())
    }
    expect([back(), back(), back()]).toEqual(['scaled:1', 'scaled:0', 'square:1'])
    expect(localsOf(bench.stop())).toEqual({ x: 1, y: 1 })
  })

  it('an error stops before the statement that fails, in the function that fails', () => {
    const built = model(
      scenario({ totalTicks: 9 }),
      variable('left', 2),
      func('inverse', ['x'], 'y = 1\nreturn y / x'),
      process('P', start(every(1)), compute('left -= 1\na = inverse(left)', 'work'), end()),
    )
    const bench = benchOf(built, { id: 'error', enabled: true, on: 'error' })
    const stop = play(bench)
    expect([stop?.why, place(stop), localsOf(stop)]).toEqual(['error', 'inverse:1', { x: 0, y: 1 }])
    expect(play(bench)).toBeNull()
    expect(bench.last('ended').result).toMatchObject({ end: 'failed', problem: { code: 10018 } })
  })
})

describe('watches', () => {
  const values = (bench: Bench) =>
    bench
      .last('watches')
      .values.map(one => ('refused' in one ? `${one.id}: ${english(one.refused)}` : `${one.id}: ${JSON.stringify(one.value)}`))

  it('are answered wherever the run stands, by what is known there', () => {
    const built = squares()
    const bench = benchOf(built, onLine(built, 'scaled', 1, 'v == 4', 'body'), onLine(built, 'add', 5))
    bench.tell({
      do: 'watch',
      watches: [
        { id: 'a', text: 'v + w' },
        { id: 'b', text: 'done * 2' },
        { id: 'c', text: 'total / n' },
        { id: 'd', text: 'Counter.count' },
        { id: 'e', text: '1 / (done - done)' },
        { id: 'f', text: 'random()' },
        { id: 'g', text: 'square(3)' },
      ],
    })
    expect(values(bench).slice(1, 2)).toEqual(['b: 0'])
    play(bench)
    const inside = values(bench)
    expect([inside[0], inside[1], inside[3], inside[6]]).toEqual(['a: 44', 'b: 0', 'd: 2', 'g: 90'])
    expect(inside[4]).toMatch(/zero/i)
    expect(inside[5]).toMatch(/only look/)
    play(bench)
    const program = values(bench)
    expect([program[0]?.startsWith('a: '), program[2]]).toEqual([true, `c: ${140 / 3}`])
    expect(program[0]).toMatch(/v/)
    bench.tell({ do: 'breakpoints', breakpoints: [] })
    expect(play(bench)).toBeNull()
    expect(values(bench)[1]).toBe('b: 24')
    expect(bench.last('ended').summary.hash).toBe(runOf(squares()).summary.hash)
  })
})

function sampleModel(name: string): Model {
  const parsed = parseFile(readFileSync(`model-schema/samples/${name}`, 'utf8'))
  if (!('file' in parsed)) throw new Error(`${name} can not be read`)
  return modelOfFile(parsed.file)
}

describe('all builds of a program', () => {
  const samples = readdirSync('model-schema/samples').filter(name => name.endsWith('.holo'))

  it('a plain one has no hooks', () => {
    const built = squares()
    const { checked } = check(built.model, built.model.scenarios[0] ?? '')
    if (!checked) throw new Error('the model has problems')
    expect(compile(checked).source).not.toMatch(/X\.(step|line|enter|leave|meter)/)
    expect(compile(checked, { debug: true }).source).toMatch(/X\.line\(/)
  })

  it.each(samples)('%s: hooks and meters change nothing', name => {
    const made = sampleModel(name)
    const { checked } = check(made, made.scenarios[0] ?? '')
    if (!checked) throw new Error('the sample has problems')
    const hashes = [{}, { debug: true }, { metered: true }, { debug: true, metered: true }].map(options => {
      const run = begin(compile(checked, options), { seed: 5 })
      run.advance({ until: 6 })
      return run.hash()
    })
    expect(new Set(hashes).size).toBe(1)
  })

  it.each(['wolf-sheep.holo', 'inventory.holo', 'token-pool.holo', 'sugarscape.holo'])(
    '%s: looking around anywhere changes nothing',
    name => {
      const made = sampleModel(name)
      const scenarioId = made.scenarios[0] ?? ''
      const { checked } = check(made, scenarioId)
      if (!checked) throw new Error('the sample has problems')
      const options = { seed: 3, ticks: 4 }
      const plain = begin(compile(checked), options)
      plain.advance()
      const random = chance(11)
      const programs = [...checked.formulas.values()].filter(one => one.inferred.parsed.ast.is === 'program')
      const steps = checked.parts.steps
      const bench = workerBench()
      bench.tick = 0.01
      bench.tell({ do: 'load', load: 1, model: made, scenario: scenarioId, options })
      bench.tell({ do: 'watch', watches: [{ id: 'w', text: 'tick + 1' }] })
      for (let k = 0; k < 30; k++) {
        const line = random.pick(programs)
        bench.tell({
          do: 'breakpoints',
          breakpoints: [
            { id: 'l', enabled: true, on: 'line', element: line.id, field: line.field, line: random.below(3), condition: '' },
            {
              id: 'e',
              enabled: random.chance(0.5),
              on: 'element',
              element: random.pick(steps).id,
              condition: random.pick(['', 'tick > 2']),
            },
          ],
        })
        const act = random.next()
        if (act < 0.3) bench.tell({ do: 'play', speed: null })
        else if (act < 0.8) bench.tell({ do: 'stepToken', how: random.pick(['into', 'over', 'out'] as const) })
        else if (act < 0.9) bench.tell({ do: 'back' })
        else bench.tell({ do: 'profile', on: random.chance(0.5) })
        bench.turn()
      }
      bench.tell({ do: 'breakpoints', breakpoints: [] }, { do: 'play', speed: null })
      bench.turn()
      expect(bench.last('ended').summary.hash).toBe(plain.summary().hash)
    },
  )

  it('calls between processes, with a port', () => {
    const built = model(
      scenario({ totalTicks: 4 }),
      variable('sum_of', 0),
      process('Main', start(every(1)), call('Sub', { inputs: [{ name: 'k', value: '7' }] }, 'ask'), end()),
      process('Sub', start(passive), port('k'), compute('z = k + 1\nsum_of += z', 'inner'), end()),
    )
    const bench = benchOf(built, onLine(built, 'inner', 1))
    const stop = play(bench)
    expect(stop?.stack.map(one => one.process.name)).toEqual(['Sub', 'Main'])
    expect(localsOf(stop)).toEqual({ z: 8, k: 7 })
    expect(step(bench, 'out')).toBe('start or end')
  })
})
